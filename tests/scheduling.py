"""Which tests run one after the other on one core, where `make test` spreads them over all.

Marks (`xdist_group`) do not tell: pytest 9.2 makes an item's id from its place in the tree, and pytest-xdist 3.8 writes
the group where nobody looks any more.
"""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

CHROMIUM = (
    "tests/browser/",
    "tests/web/test_braille_game.py",
    "tests/whole/test_killed_under_the_arbiter.py",
    "tests/whole/test_three_rounds.py",
)
"""One Chromium at a time: two on two cores would measure each other, and what is timed in them is what a user waits."""

COSTLY = ("tests/test_wheel.py", "tests/demo/", "tests/speech/hearing/")
"""Their files make something dear once: a wheel, a demonstration, an engine with its model."""


def scope_of(nodeid: str) -> str:
    """What runs on one core: all that uses Chromium, a file whose fixture is dear, any other test by itself."""
    if nodeid.startswith(CHROMIUM):
        return "chromium"
    return nodeid.split("::")[0] if nodeid.startswith(COSTLY) else nodeid


class BesideEachOther(LoadScopeScheduling):  # type: ignore[misc]
    """Each core gets what runs together whole, the longest row first."""

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests come first, so that no core waits for another's last; browsers only in the places named above."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    for item in items:
        wanted = {thing for mark in item.iter_markers("needs") for thing in mark.args}
        if "chromium" in wanted and scope_of(item.nodeid) != "chromium":
            raise pytest.UsageError(f"{item.nodeid} uses Chromium: name its file in tests/scheduling.py")
