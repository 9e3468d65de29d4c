"""Fixtures of the hearing tests; how sound is made for them is in `spoken_announcements`."""

from __future__ import annotations

import pytest

from speech.words.loading import load_scheme
from speech.words.scheme import Scheme


@pytest.fixture(scope="session")
def german() -> Scheme:
    return load_scheme("d21", "de")
