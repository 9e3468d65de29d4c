"""Which requirement numbers the collected tests show, for `tests/conformance/test_laws_status.py`."""

from __future__ import annotations

import pytest
from _pytest.skipping import evaluate_skip_marks

Shown = dict[str, dict[str, bool]]  # file -> requirement number -> whether a test shows it that needs nothing special
SHOWN = pytest.StashKey[Shown]()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Note the marks of a test that would run: not of one that is skipped or must fail."""
    shown = item.config.stash.setdefault(SHOWN, {}).setdefault(item.nodeid.split("::")[0], {})
    if evaluate_skip_marks(item) is not None or item.get_closest_marker("xfail") is not None:
        return
    anywhere = item.get_closest_marker("needs") is None
    for number in (number for mark in item.iter_markers("law") for number in mark.args):
        shown[number] = shown.get(number, False) or anywhere
