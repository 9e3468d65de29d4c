"""The rehearsal before the game: step by step at both stations, nothing of it in the game, its outcome on record."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.game import acts as cmd
from server.game import acts as ev
from server.game.rehearsal import STEPS, Rehearsal, Trial, begin, pass_over, take
from server.game.values.announcement import Announcement
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat, SeatKind, SeatPlan, Station
from server.game.views import messages as msg
from server.protocol import RehearsalShown
from speech.complaint import Complaint
from tests.table.open_hall import STATIONS, Played, WrittenEars, WrittenVoice, reopened, turn

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BOTH = (Seat.WHITE, Seat.BLACK)
VOICE = (np.sin(np.arange(48_000) * 0.2) * 6_000 * (np.arange(48_000) % 8_000 > 2_000)).astype("<i2").tobytes()
WORDS = {"e4": "Bauer Eva vier", "e5": "Bauer Eva fuenf", "f6": "Springer Felix sechs", "f3": "Springer Felix drei",
         "c6": "Springer Cesar sechs"}  # fmt: skip


@asynccontextmanager
async def before_the_game(folder: Path, stations: tuple[Station, ...] = STATIONS) -> AsyncIterator[Played]:
    async with reopened(folder, ears=WrittenEars(), voice=WrittenVoice()) as (hall, clock):
        body = cmd.OpenTable(
            white=SeatPlan(SeatKind.TACTILE),
            black=SeatPlan(SeatKind.SIGHTED),
            control=TimeControl.parse("5400+30"),
            start_fen=START,
        )
        game = Played(hall, clock, await hall.open_table(body, "t1"))
        for station in stations:
            assert (await game.table.admit(station)).outcome.ok
            game.attach(station.id)
        yield game


def shown(game: Played, station: str) -> list[RehearsalShown]:
    return [one for one in game.ears[station].received if isinstance(one, RehearsalShown)]


async def speak_up(game: Played, station: str, sound: bytes = VOICE) -> None:
    await game.table.hear(station, 7, sound, game.clock.mono_ms())


async def through(game: Played, *, speaking: bool) -> None:
    """Do every step, by voice or by typing and keys."""
    for step in STEPS:
        who = step.seat.value
        match step.kind:
            case "level":
                await speak_up(game, who)
            case "press":
                await game.done(who, cmd.Press())
            case "time":
                await (game.speak(who, "Zeit") if speaking else game.done(who, cmd.Ask(what="time")))
            case "arbiter":
                await (game.speak(who, "Schiedsrichter") if speaking else game.type(who, "Schiedsrichter"))
            case _:
                assert step.move is not None and step.move.to_square is not None
                words = WORDS[step.move.to_square]
                await (game.speak(who, words) if speaking else game.type(who, words))
    await turn(lambda: not game.table.rehearsals.under_way and bool(shown(game, "white")[-1].over))
    await game.table.own(game.table.program_command(cmd.NoteInstant()))  # what was noted before is written


@pytest.mark.parametrize("speaking", [True, False])
async def test_all_steps_and_nothing_of_it_is_in_the_game(tmp_path: Path, speaking: bool) -> None:
    async with before_the_game(tmp_path) as game:
        state, numbers = game.table.state, game.ears["white"].numbers
        game.table.rehearsals.begin()
        await through(game, speaking=speaking)
        events = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
        assert [one for one in events if isinstance(one, ev.RehearsalNoted)] == [events[-1]]
        assert (events[-1].outcome, events[-1].passed) == ("done", ())
        of_a_game = ev.SoundKept | ev.Announced | ev.ClockPressed | ev.Answered
        assert not [one for one in events if isinstance(one, of_a_game)]
        assert game.table.state == state, "no clock, no board, no score, no ply"
        assert game.ears["white"].numbers == numbers, "no numbered message: nothing of it comes again"
        assert not any((tmp_path / "audio").rglob("*.flac"))
        assert shown(game, "white")[-1].over and shown(game, "arbiter")[-1].over
        assert sum(one.bell for one in shown(game, "arbiter")) == 2
        texts = [one.text for one in shown(game, "white") if one.yours]
        assert "Sagen oder tippen Sie: Bauer Eva vier" in texts
        assert "Berichtigen Sie sich, bevor Sie drücken. Sagen Sie: Springer Felix drei" in texts
        assert any("30 Minuten" in one.text for one in shown(game, "white")), "White's time was told"
        sounds = [one.text for one in game.ears["white"].sounds]
        assert [text for text in texts if text not in sounds] == [], "each of White's steps is spoken to White"
        assert not shown(game, "display")
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
        await game.done("arbiter", cmd.StartGame())
        await game.speak("white", "Bauer Eva vier")
        assert len(game.table.state.moves.plies) == 1, "and now it is the game"


async def test_what_was_not_it_is_asked_again_and_a_quiet_voice_told(tmp_path: Path) -> None:
    async with before_the_game(tmp_path) as game:
        game.table.rehearsals.begin()
        await speak_up(game, "white", bytes(96_000))
        assert shown(game, "white")[-1].text.startswith("Zu leise")
        await game.done("black", cmd.Press())
        assert shown(game, "white")[-1].step == 1, "it is not the other's turn"
        await speak_up(game, "white")
        await speak_up(game, "black")
        await game.speak("white", "Bauer David vier")
        assert (
            shown(game, "white")[-1].text
            == "Das stimmte nicht. Bitte noch einmal. Sagen oder tippen Sie: Bauer Eva vier"
        )
        await game.done("white", cmd.Press())
        assert shown(game, "white")[-1].step == 3
        await game.done("white", cmd.ChooseEar(speed=120))  # what is not the rehearsal's goes on
        assert game.table.state.sound.of(Seat.WHITE).ear.speed == 120


@pytest.mark.parametrize("speaking", [True, False])
async def test_a_call_that_no_step_asked_for_is_a_real_one(tmp_path: Path, speaking: bool) -> None:
    async with before_the_game(tmp_path) as game:
        game.table.rehearsals.begin()
        for _ in range(2):
            game.table.rehearsals.now().pass_over()
        await (game.speak("black", "Schiedsrichter") if speaking else game.type("black", "Schiedsrichter"))
        events = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
        assert [one.kind for one in events if isinstance(one, ev.Alerted)] == ["called"]
        assert not shown(game, "arbiter")[-1].bell and shown(game, "arbiter")[-1].step == 3


async def test_the_arbiter_passes_a_step_over_or_leaves_it_out_with_a_reason(tmp_path: Path) -> None:
    async with before_the_game(tmp_path) as game:
        rehearsals = game.table.rehearsals
        with pytest.raises(Complaint):
            rehearsals.now()
        await rehearsals.skip("both have played here before")
        rehearsals.begin()
        rehearsals.now().pass_over()
        rehearsals.now().pass_over()
        await game.type("white", "e4")
        await rehearsals.skip("the round begins")
        noted = [one.event for one in game.ears["arbiter"].of(msg.Recorded) if isinstance(one.event, ev.RehearsalNoted)]
        assert [(one.outcome, one.reason, one.passed) for one in noted] == [
            ("skipped", "both have played here before", ()),
            ("skipped", "the round begins", (1, 2)),
        ]
        rehearsals.begin()
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
        await game.done("arbiter", cmd.StartGame())
        await game.type("white", "e4")
        assert len(game.table.state.moves.plies) == 1, "the start of the game ends it"
        await turn(lambda: shown(game, "white")[-1].over and shown(game, "arbiter")[-1].over)
        await game.table.own(game.table.program_command(cmd.NoteInstant()))  # what was noted before is written
        noted = [one.event for one in game.ears["arbiter"].of(msg.Recorded) if isinstance(one.event, ev.RehearsalNoted)]
        assert len(noted) == 3, "once"
        assert (noted[2].outcome, noted[2].passed) == ("skipped", ())
        assert noted[2].reason == f"the game began at step 1 of {len(STEPS)}"
        assert game.ears["white"].sounds[-1].text != shown(game, "white")[-1].text, "nothing is said unasked in a game"
        for refused in (rehearsals.begin, rehearsals.now):
            with pytest.raises(Complaint):
                refused()
        with pytest.raises(Complaint):
            await rehearsals.skip("late")


async def test_a_player_with_no_station_has_no_steps_here(tmp_path: Path) -> None:
    async with before_the_game(tmp_path / "one", tuple(one for one in STATIONS if one.id != "black")) as game:
        game.table.rehearsals.begin()
        game.table.rehearsals.now().pass_over()
        assert [(one.seat, one.what) for one in shown(game, "arbiter")] == [(Seat.WHITE, "level"), (Seat.WHITE, "say")]
    async with before_the_game(tmp_path / "nobody", STATIONS[2:]) as game:
        with pytest.raises(Complaint, match="device"):
            game.table.rehearsals.begin()


ACTS = st.builds(
    Trial,
    st.sampled_from(["sound", "said", "press", "time", "arbiter", "other"]),
    st.sampled_from([None, *(step.move for step in STEPS if step.move)]),
    st.sampled_from([None, "silent", "quiet", "clipped", "noisy", "good"]),
)


@given(st.lists(st.tuples(st.sampled_from(BOTH), ACTS), max_size=60), st.sampled_from([BOTH, BOTH[:1], BOTH[1:]]))
def test_it_goes_on_step_by_step_and_never_back(acts: list[tuple[Seat, Trial]], seats: tuple[Seat, ...]) -> None:
    now = begin(seats)
    for seat, act in acts:
        after, reply = take(now, seat, act)
        assert (after.at > now.at) == (reply == "done") and after.passed == now.passed
        assert after.step is None or after.step.seat in seats
        now = after
    while now.step is not None:
        now = pass_over(now)
    assert take(now, Seat.WHITE, Trial("press")) == (now, "not_yours") and pass_over(now) == now


def test_a_short_word_is_enough_where_it_agrees() -> None:
    after, reply = take(Rehearsal(BOTH, at=2), Seat.WHITE, Trial("said", Announcement(None, None, "e4")))
    assert reply == "done" and after.at == 3
