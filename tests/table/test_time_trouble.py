"""A scramble: nobody is asked anything, what was not understood is kept as sound, and the clocks run on."""

from __future__ import annotations

import random
from pathlib import Path

import chess
import pytest

from server.game import acts as ev
from server.game.laws.event_options import EventOptions
from server.game.values.words import Seat, SeatKind
from server.game.views import messages as msg
from server.wording.words import announcement_of, canonical, scheme_of
from speech.announcements.announce import said_of
from tests.table.open_hall import Played, played
from tests.table.test_acts_of_a_game import APPENDIX_C


def questions(game: Played) -> list[msg.Question]:
    return [one for player in ("white", "black") for one in game.ears[player].of(msg.Question)]


@pytest.mark.law("L194")
@pytest.mark.parametrize(("control", "increment_ms"), [("35+1", 1_000), ("19+30", 30_000)])
async def test_a_scramble_with_thirty_percent_of_the_moves_unheard(
    tmp_path: Path, control: str, increment_ms: int
) -> None:
    """Both players stay in trouble all along (where a move brings 30 s, the event says so)."""
    chance = random.Random(30)
    sans = APPENDIX_C.split()
    unheard = set(chance.sample(range(len(sans)), round(len(sans) * 0.3)))
    regulations = EventOptions(trouble_with_increment_s=10_000)
    async with played(tmp_path, control=control, black=SeatKind.TACTILE, regulations=regulations) as game:
        board = chess.Board()
        begun = game.clock.mono_ms()
        left = {seat: game.table.state.time.clock.remaining(Seat(seat), begun) for seat in ("white", "black")}
        scheme = scheme_of("d21", "de")
        for number, san in enumerate(sans):
            move = board.parse_san(san)
            _, text = canonical(announcement_of(said_of(board, move)), scheme)
            mover, other = ("white", "black") if board.turn == chess.WHITE else ("black", "white")
            thought = chance.randrange(300, 1_700)
            await game.pass_time(thought)
            await game.speak(mover, "?" if number in unheard else text)
            await game.press(mover)
            await game.speak(other, "?" if number in unheard else text)
            left[mover] += increment_ms - thought
            board.push(move)
        state, now = game.table.state, game.clock.mono_ms()
        assert {seat: state.time.clock.remaining(Seat(seat), now) for seat in left} == left
        assert state.made_plies == len(sans)
        assert state.time.clock.running is (Seat.BLACK if len(sans) % 2 else Seat.WHITE)
        assert questions(game) == []
        events = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
        assert not [event for event in events if isinstance(event, ev.ClockPaused)]
        kept = [event for event in events if isinstance(event, ev.SoundKept)]
        assert len(kept) == 2 * len(sans)
        assert all(event.sha256 for event in kept)
        silent = [event for event in events if isinstance(event, ev.NotUnderstood)]
        assert len(silent) == 2 * len(unheard)
        assert {event.ply - 1 for event in silent} == unheard


@pytest.mark.parametrize(
    ("control", "regulations", "asked"),
    [
        ("61+0", EventOptions(), True),
        ("59+0", EventOptions(), False),
        ("21+30", EventOptions(trouble_with_increment_s=55), False),
        ("21+30", EventOptions(), True),
        ("59+0", EventOptions(trouble_s=10), True),
    ],
)
async def test_below_which_time_nobody_is_asked(
    tmp_path: Path, control: str, regulations: EventOptions, asked: bool
) -> None:
    async with played(tmp_path, control=control, regulations=regulations) as game:
        await game.speak("white", "?")
        assert bool(questions(game)) is asked
