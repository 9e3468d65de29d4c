"""Which tests run one after the other on one core, where `make test` spreads them over all.

Marks (`xdist_group`) do not tell: pytest 9.2 makes an item's id from its place in the tree, and pytest-xdist 3.8 writes
the group where nobody looks any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

CHROMIUM = ("tests/browser/", "tests/web/test_braille_game.py", "tests/whole/test_killed_under_the_arbiter.py")
"""One Chromium at a time: two on two cores would measure each other, and what is timed in them is what a user waits."""

COSTLY = ("tests/test_wheel.py", "tests/demo/", "tests/speech_hearing/")
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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> BesideEachOther:
    """Takes the place of pytest-xdist's own."""
    return BesideEachOther(config, log)


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """A test with a browser outside the places named above would run beside another."""
    for item in items:
        wanted = {thing for mark in item.iter_markers("needs") for thing in mark.args}
        if "chromium" in wanted and scope_of(item.nodeid) != "chromium":
            raise pytest.UsageError(f"{item.nodeid} uses Chromium: name its file in tests/scheduling.py")
