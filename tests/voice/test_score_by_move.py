"""A player's own score read back one move at a time, in the ear and in lines (D.2.7)."""

from __future__ import annotations

from pathlib import Path

from server.game import acts as cmd
from server.game.views import messages as msg
from tests.table.open_hall import played


async def test_one_move_of_the_players_own_score_by_its_number(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.speak("white", "Bauer Eva vier")
        await game.press("white")
        await game.speak("black", "Bauer Eva fuenf")
        await game.press("black")
        await game.speak("white", "Bauer Eva fuenf")
        await game.speak("white", "Springer Felix drei")
        await game.press("white")
        for move in (1, 2, 3):
            await game.do("white", cmd.Ask(what="score", move=move))
            await game.told()
        first, second, third = game.ears["white"].of(msg.AnswerGiven)
        assert (first.move, first.score) == (1, ("Bauer Eva vier", "Bauer Eva fuenf"))
        assert second.score == ("Springer Felix drei",) and third.score == ()
        told = [one.text for one in game.ears["white"].sounds]
        assert told[-4:] == ["Bauer Eva fünf", "2: Springer Felix drei", "nichts notiert", "3: nichts notiert"]
