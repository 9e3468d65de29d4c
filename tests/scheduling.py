"""In which order and in which process tests run, where `make test` spreads them over one process more than cores.

Marks (`xdist_group`) do not tell: pytest 9.2 makes an item's id from its place in the tree, and pytest-xdist 3.8 writes
the group where nobody looks any more.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

AS_IT_SOUNDS = (
    "tests/speech/audio/test_device_station_sound.py",
    "tests/speech/audio/test_devices.py",
    "tests/speech/audio/test_queue_on_the_card.py",
    "tests/cli/test_record_on_card.py",
    "tests/browser/test_ear_page.py",
    "tests/browser/test_headset_page.py",
    "tests/browser/test_microphone_page.py",
    "tests/browser/test_orca.py",
    "tests/browser/test_talk_way.py",
    "tests/stations/",
)
"""These play, record or press in real time: first of all, one by one, in the process that yields to no other."""

COSTLY = (
    *("tests/whole/", "tests/browser/", "tests/test_wheel.py", "tests/demo/", "tests/speech/hearing/"),
    *("tests/wording/test_pseudo_language.py", "tests/wording/test_typed_phrases.py"),
)
"""Tests that take longest, or would be the last of all: they come next, so that no core waits alone at the end."""

TOGETHER = {
    "the code": ("tests/test_arrows.py", "tests/test_words_of_the_code.py"),  # each file of the house is parsed once
    "the ears in force": tuple(  # they are started once (`ears` in tests/speech/hearing/conftest.py)
        f"tests/speech/hearing/test_{name}.py"
        for name in (
            *("commands_in_every_language", "ear_by_voice_heard", "floor_of_hearing", "forms_of_commands"),
            *("hearing_announcements", "letters_under_d21", "round_trip", "second_opinion", "vosk_models", "whisper"),
        )
    ),
}
"""Files that run in one process: their common need costs seconds, and is made once there."""
_TOGETHER = {file: name for name, files in TOGETHER.items() for file in files}

YIELDING = 10
"""How much nicer the other processes are (see nice(1))."""


def scope_of(nodeid: str) -> str:
    """The unit that runs in one process: all that sounds, files with a common need, or a file and its fixtures."""
    file = nodeid.split("::")[0]
    return "as it sounds" if nodeid.startswith(AS_IT_SOUNDS) else _TOGETHER.get(file, file)


class Places(list[str]):
    """The tests as a process collected them; the place of one is known without a search through ten thousand."""

    def __init__(self, collected: list[str]) -> None:
        super().__init__(collected)
        self._places = {nodeid: place for place, nodeid in enumerate(collected)}

    def index(self, nodeid: str, *_: Any) -> int:
        return self._places[nodeid]


class BesideEachOther(LoadScopeScheduling):  # type: ignore[misc]
    """Each process gets whole files, in the order in which they were collected."""

    def __init__(self, config: pytest.Config, log: Any) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    @property
    def nodes(self) -> list[Any]:
        """The processes in their order, not as they came: the first, which yields to no other, gets what sounds."""
        return sorted(self.assigned_work, key=lambda node: str(node.gateway.id))

    def add_node_collection(self, node: Any, collection: list[str]) -> None:
        super().add_node_collection(node, collection)
        if node in self.registered_collections:
            self.registered_collections[node] = Places(collection)

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid)

    def remove_node(self, node: Any) -> str | None:
        """A process that ended in the midst of a test: that test is not run again, what it had not begun is."""
        workload: dict[str, dict[str, bool]] = self.assigned_work.pop(node)
        waiting = [(scope, nodeid) for scope, unit in workload.items() for nodeid, done in unit.items() if not done]
        if not waiting:
            return None
        scope, crashed = waiting[0]
        workload[scope][crashed] = True
        self.workqueue.update((scope, unit) for scope, unit in workload.items() if not all(unit.values()))
        for other in self.assigned_work:
            self._reschedule(other)
        return crashed

    def schedule(self) -> None:
        """Hands out work; a process that takes an ended one's place is told when nothing comes after it.

        pytest-xdist does not tell it: it would wait for ever with its last test unrun.
        """
        super().schedule()
        for node in self.nodes if not self.workqueue else ():
            if not node.shutting_down:
                node.shutdown()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> BesideEachOther:
    """Takes the place of pytest-xdist's own."""
    return BesideEachOther(config, log)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="run the tests marked `thorough` too (make thorough)")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Search for no garbage meanwhile, nor later in what is made of ten thousand tests: it stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What sounds comes first, then what is slow, then what is costly; what is thorough only where it is asked for."""
    thorough = [item for item in items if item.get_closest_marker("thorough") is not None]
    if thorough and not config.option.thorough:
        config.hook.pytest_deselected(items=thorough)
        items[:] = [item for item in items if item.get_closest_marker("thorough") is None]

    def place(item: pytest.Item) -> tuple[bool, bool, bool]:
        slow = item.get_closest_marker("slow") is not None
        return not item.nodeid.startswith(AS_IT_SOUNDS), not slow, not item.nodeid.startswith(COSTLY)

    items.sort(key=place)


def pytest_configure(config: pytest.Config) -> None:
    """Every process but the first yields to it: a sound that is played late is a test that fails for nothing.

    Bytecode is kept whatever the shell says: hundreds of programs are started, and each would compile all its modules.
    """
    if getattr(config.option, "numprocesses", None):
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if getattr(config, "workerinput", {"workerid": "gw0"})["workerid"] != "gw0" and hasattr(os, "nice"):
        os.nice(YIELDING)
