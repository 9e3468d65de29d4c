"""Two sensing boards at a real table: without noise every move is read; with it none is taken wrong silently."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.noisy_boards import Counts
from tests.bench.noisy_tables import play_table

SPECIAL = "e4 d5 e5 f5 exf6 Nc6 fxg7 Be6 gxh8=N Qd7 Nf3 O-O-O Bc4 dxc4 O-O Nh6 b4 cxb3 Nc3 bxc2 a3 cxd1=R Rxd1 Qxd2"
"""En passant, castling and promotion (both by a capture, to a knight and to a rook) of both sides."""

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


@pytest.mark.law("L182")
@pytest.mark.parametrize(("occupancy", "snapshots"), [*KINDS, (False, False)])
@pytest.mark.parametrize("seed", [0, 3])  # which piece the hands take first is drawn
async def test_castling_en_passant_and_promotion_on_every_kind_of_board(
    occupancy: bool, snapshots: bool, seed: int
) -> None:
    counts = Counts()
    sans = SPECIAL.split()
    await play_table(sans, seed, occupancy=occupancy, snapshots=snapshots, loss=0.0, counts=counts)
    assert counts.right == counts.plies == 2 * len(sans), counts
