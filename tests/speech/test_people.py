"""The people who train, tune and measure are different people, and everybody who was recorded has a place."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from speech.training.common.people import MEASURING, TRAINING, TUNING

INDEX = Path(__file__).parents[3] / "shared" / "data" / "human" / "index.tsv"


def test_nobody_stands_in_two_lists() -> None:
    twice = [name for name, count in Counter((*TRAINING, *TUNING, *MEASURING)).items() if count > 1]
    assert twice == []


def test_everybody_who_was_recorded_has_a_place() -> None:
    if not INDEX.exists():
        pytest.skip(f"The recordings of people are not there: {INDEX}")
    lines = INDEX.read_text("utf-8").splitlines()
    speakers = {line.split("\t")[3] for line in lines[1:]}
    assert speakers == {*TRAINING, *TUNING, *MEASURING}
