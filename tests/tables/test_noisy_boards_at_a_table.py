"""Two sensing boards at a real table: without noise every move is read; with it none is taken wrong silently."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.noisy_boards import Counts
from tests.bench.noisy_tables import play_table

KINDS = [(False, True), (True, True), (True, False)]


@pytest.mark.parametrize(("occupancy", "snapshots"), KINDS)
@pytest.mark.parametrize("loss", [0.0, 0.25])
async def test_two_boards_of_a_kind(shared: Path, occupancy: bool, snapshots: bool, loss: float) -> None:
    """The bench plays more (`python -m tests.bench.noisy_boards --tables`)."""
    counts = Counts()
    lines = (shared / "data/games/real-games.san").read_text("utf-8").splitlines()
    sans = lines[0].split()[:22]  # castling of both, captures on both boards
    await play_table(sans, 0, occupancy=occupancy, snapshots=snapshots, loss=loss, counts=counts)
    assert counts.silent == [] and counts.plies == 44
    assert counts.right + counts.late + counts.told == counts.plies
    assert counts.right == counts.plies if not loss else counts.right > counts.told
