"""docs/braille.md tells a reader of the code every sign there is to check."""

from __future__ import annotations

from pathlib import Path

import chess

from braille.cells import write_move
from braille.loading import load_profile
from braille.position import write_position
from braille.profile import BLANK, PIECES, Signs, signs_to_confirm


def test_the_page_shows_every_sign_of_the_profile(repo: Path) -> None:
    page = (repo / "docs/braille.md").read_text("utf-8")
    profile = load_profile("ukaaf")
    for name in Signs.__struct_fields__:
        sign = getattr(profile.signs, name)
        assert f" {sign.cells} " in page or f"| {sign.cells} |" in page, name
    assert " ".join(profile.pieces[name].cells for name in PIECES) in page
    assert profile.results["1-0"].cells in page
    assert write_position(chess.Board(), profile).replace(BLANK, " ") in page
    board = chess.Board("3r4/2P5/8/8/8/8/8/K6k w - - 0 1")
    assert write_move(board, board.parse_san("c8=Q"), profile) == "⠉⠦⠟"
    assert len(signs_to_confirm(profile)) > 20
