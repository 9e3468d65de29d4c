"""What a station may write into a score, over the wire: notation, words of the player's languages, no notes (8.1.4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game.values.words import Duty, Role, Seat, Station
from tests.table.open_hall import played


@pytest.mark.law("L089")
async def test_words_of_the_players_language_are_a_cell_and_a_note_is_refused(tmp_path: Path) -> None:
    helper = Station("helper", Role.ASSISTANT, Seat.WHITE, (Duty.SCORE_AND_CLOCK,))
    async with played(tmp_path) as game:
        assert (await game.table.admit(helper)).outcome.ok
        await game.press("white")
        for text in ("Bauer Eva vier", "Eva zwei Eva vier (=)", "e4", "Springer Felix drei 0:45"):
            assert (await game.do("helper", cmd.WriteScore(index=1, text=text))).outcome.ok, text
            assert game.table.state.scores.white[0].text == text  # type: ignore[union-attr]
        for text in ("Springer nicht vergessen", "his king is weak", "Felix"):
            refused = await game.do("helper", cmd.WriteScore(index=1, text=text, words=("piece.pawn",)))
            assert (refused.outcome.code, refused.outcome.article) == ("free_text", "8.1.4"), text
            assert "Notizen" in refused.text
