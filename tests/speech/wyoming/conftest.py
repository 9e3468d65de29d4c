"""Fixtures of the tests of ears and voices elsewhere."""

from __future__ import annotations

import pytest

from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from speech.wyoming import ear_elsewhere
from tests.waiting import PATIENCE_S


@pytest.fixture(scope="session")
def german() -> Scheme:
    return load_scheme("d21", "de")


@pytest.fixture(autouse=True)
def others_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process of a busy machine is not left aside because it is slow."""
    for name in ("MEETING_S", "ANSWER_S"):
        monkeypatch.setattr(ear_elsewhere, name, PATIENCE_S)
