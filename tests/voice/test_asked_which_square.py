"""Where a sound was one of two squares, its player is asked which; nothing is recorded before the answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.words import Mode, SeatKind
from server.game.views import messages as msg
from tests.table.open_hall import Played, played

OPEN = "b vier/d vier"
ASKED = "Bella vier oder David vier?"
POSITIONS = {
    "both are legal": "4k3/8/8/8/8/8/1P1P4/4K3 w - - 0 1",
    "b4 alone": "4k3/8/8/8/8/8/1P6/4K3 w - - 0 1",
    "d4 alone": "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1",
    "neither": "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
}


def questions(game: Played, station: str = "white") -> list[str]:
    return [one.text or one.ask for one in game.ears[station].of(msg.Question)]


def recorded(game: Played) -> list[str]:
    """What is on record of White's words: each announcement, and "?" for a sound that gave none."""
    events = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
    return [
        one.text if isinstance(one, ev.Announced) else "?"
        for one in events
        if isinstance(one, ev.Announced | ev.NotUnderstood) and one.seat == "white"
    ]


async def said(folder: Path, *sounds: str, **options: Any) -> tuple[list[str], list[str]]:
    async with played(folder, black=SeatKind.TACTILE, **options) as game:
        for sound in sounds:
            await game.speak("white", sound)
            await game.pass_time(2_000)
        await game.told()
        assert game.ears["black"].of(msg.Question) == []
        return recorded(game), questions(game)


@pytest.mark.law("L184")
@pytest.mark.parametrize(
    ("sounds", "on_record", "asked"),
    [
        ((OPEN,), ["?"], [ASKED]),
        ((OPEN, "David vier"), ["?", "David vier"], [ASKED]),
        ((OPEN, "~Dora vier"), ["?", "David vier"], [ASKED]),
        ((OPEN, "Anna drei"), ["?", "Anna drei"], [ASKED]),  # something else that is beyond doubt
        ((OPEN, "~Anna drei"), ["?", "?"], [ASKED, "repeat"]),
        ((OPEN, OPEN), ["?", "Bella vier"], [ASKED]),  # asked once; then as without the question
        ((OPEN, "?", OPEN), ["?", "?", "?"], [ASKED, "repeat", ASKED]),
        ((OPEN, "-", "noch einmal", "Bella vier"), ["?", "Bella vier"], [ASKED]),
        ((OPEN, "nein"), ["?", "?"], [ASKED, "repeat"]),  # neither
        ((OPEN, "ja"), ["?", "?"], [ASKED, "repeat"]),
        (
            ("Springer b drei/Springer d drei", "David drei"),
            ["?", "Springer David drei"],
            ["Springer Bella drei oder Springer David drei?"],
        ),
    ],
)
async def test_the_player_names_one_of_the_two(
    tmp_path: Path, sounds: Sequence[str], on_record: list[str], asked: list[str]
) -> None:
    assert await said(tmp_path, *sounds) == (on_record, asked)


@pytest.mark.law("L049", "L184")
@pytest.mark.parametrize(
    ("answer", "on_record", "asked_again"),
    [("David drei", ["?", "Springer David drei"], []), ("nein", ["?", "?"], ["repeat"])],
)
async def test_who_presses_before_the_question_comes_answers_it_as_ever(
    tmp_path: Path, answer: str, on_record: list[str], asked_again: list[str]
) -> None:
    """The square alone is no pawn's move then, and a no is no answer to the opponent's offer."""
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.speak("white", "Springer b drei/Springer d drei")
        await game.press("white")
        await game.done("black", cmd.OfferDraw())
        await game.speak("white", answer)
        await game.told()
        assert recorded(game) == on_record
        assert questions(game) == ["Springer Bella drei oder Springer David drei?", *asked_again]
        assert game.table.state.draws.offer_by is not None and game.table.state.on_move == "black"


@pytest.mark.law("L184")
async def test_once_the_opponent_has_moved_the_question_is_over(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.speak("white", OPEN)
        await game.press("white")
        await game.type("black", "David sechs", "announce")
        await game.press("black")
        await game.speak("white", "David vier")
        record = game.table.state.ply(1)
        assert record is not None and record.announcement is None


@pytest.mark.law("L080", "L141")
@pytest.mark.parametrize("mode", [Mode.TABLE, Mode.RELAY])
async def test_the_same_sounds_give_the_same_bytes_in_every_position(tmp_path: Path, mode: Mode) -> None:
    heard: list[list[bytes]] = []
    for number, fen in enumerate(POSITIONS.values()):
        async with played(tmp_path / str(number), fen=fen, mode=mode, black=SeatKind.TACTILE) as game:
            for sound in (OPEN, "Springer b drei/Springer d drei", "Bella drei"):
                await game.speak("white", sound)
                await game.put_into_sound()
            await game.told()
            heard.append([one for one in game.ears["white"].as_bytes() if b'"before"' not in one])
    assert len(heard[0]) > 3 and ASKED.encode() in b"".join(heard[0])
    assert all(one == heard[0] for one in heard)


async def test_nobody_is_asked_in_time_trouble_or_where_the_program_is_only_a_clock(tmp_path: Path) -> None:
    """Then it is as without the question."""
    assert await said(tmp_path / "a", OPEN, control="59+0") == (["Bella vier"], [])
    assert await said(tmp_path / "b", OPEN, mode=Mode.CLOCK) == (["Bella vier"], [])


async def test_a_no_to_the_question_is_no_answer_to_the_opponents_offer(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.speak("white", "Eva vier")
        await game.done("white", cmd.OfferDraw())
        await game.press("white")
        await game.speak("black", OPEN)
        await game.speak("black", "nein")
        await game.told()
        assert questions(game, "black") == [ASKED, "repeat"]
        assert game.table.state.draws.offer_by is not None, "the offer stands until a move or an answer"


@pytest.mark.law("L104")
async def test_a_claimant_is_not_asked_for_their_words_go_to_the_arbiter_alone(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.done("white", cmd.ClaimDraw(kind="unstated", awaits=True))
        await game.speak("white", OPEN)
        await game.told()
        assert ASKED not in questions(game)


async def test_it_may_be_answered_at_the_keys_as_everything_may(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.speak("white", OPEN)
        assert (await game.type("white", "d4")).outcome.ok
        await game.told()
        assert recorded(game) == ["?", "David vier"]
