"""A player's own score read back one move at a time, in the ear and in lines (D.2.7)."""

from __future__ import annotations

from pathlib import Path

import pytest

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


LAST_TWO = {
    "de": "die letzten zwei Züge",
    "en": "last 2 moves",
    "hu": "az utolsó két lépés",
    "hy": "վերջին 2 քայլը",
    "ar": "آخر 2 نقلات",
    "he": "שני המסעים האחרונים",
}


@pytest.mark.law("L192")
@pytest.mark.parametrize("tag", LAST_TWO)
async def test_the_last_moves_of_the_own_score_are_told_again_where_they_are_typed(tmp_path: Path, tag: str) -> None:
    moves = (("Bauer Eva vier", "Bauer Eva fünf"), ("Springer Felix drei", "Bauer David sechs"), ("Bauer Hector drei",))
    async with played(tmp_path, language=tag) as game:
        seats = ("white", "black")
        for move in moves:
            for seat, text in zip(seats, move, strict=False):
                await game.type(seat, text)
                await game.press(seat)
                if seat == "black":
                    await game.type("white", text)  # the echo, which writes the score
        await game.type("white", LAST_TWO[tag])
        await game.told()
        (answer,) = game.ears["white"].of(msg.AnswerGiven)
        assert answer.what == "score" and answer.move == 2 and len(answer.score) == 3, answer
        told = [one.text for one in game.ears["white"].sounds]
        assert [one[0] for one in told if one[:2] in ("2:", "3:")] == ["2", "3"], told
        assert not [one for one in told if one.startswith("1:")]


async def test_the_entry_before_the_whole_score_is_not_the_one_just_heard(tmp_path: Path) -> None:
    """A whole score is told from its last move: "previous entry" is the move before that, and "next" comes back."""
    async with played(tmp_path) as game:
        for number, text in enumerate(("e2 e4", "e7 e5", "d2 d4", "d7 d5")):
            seat = ("white", "black")[number % 2]
            await game.type(seat, text)
            await game.press(seat)
            await game.type("white", text)
        for what in ("score", "score_previous", "score_previous", "score_next"):
            await game.do("white", cmd.Ask(what=what))
        await game.told()
        assert [one.move for one in game.ears["white"].of(msg.AnswerGiven)] == [None, 1, 1, 2]
