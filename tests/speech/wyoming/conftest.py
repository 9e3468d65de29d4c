"""Fixtures of the tests of ears and voices elsewhere."""

from __future__ import annotations

import pytest

from speech.words.loading import load_scheme
from speech.words.scheme import Scheme


@pytest.fixture(scope="session")
def german() -> Scheme:
    return load_scheme("d21", "de")
