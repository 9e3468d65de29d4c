"""Any sequence of commands by anyone: nothing raises, the events tell the state, both clocks never run together."""

from __future__ import annotations

from typing import Any

import chess
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Command, Refusal
from server.game.decide.decide import decide
from server.game.game import Game
from server.game.laws.event_options import EventOptions
from server.game.laws.scoresheet import Scoresheet
from server.game.state.apply import apply
from server.game.state.line import believed_line
from server.game.state.state import GameState
from server.game.values.adjournment import SealedMove
from server.game.values.announcement import Announcement
from server.game.values.time_control import TimeControl
from server.game.values.words import ClockMaster, Duty, Mode, Origin, Role, Seat, SeatKind, SeatPlan
from server.game.views.view import greeting, view

SEATS = st.sampled_from(list(Seat))
# A few squares and pieces, so that words collide, agree and differ often.
SQUARES = st.sampled_from(["e2", "e4", "e5", "e7", "d2", "d4", "d5", "d7", "g1", "f3", "e1", "g8", "a8", "h1"])
ANY_PIECE: Any = st.sampled_from(["king", "queen", "rook", "bishop", "knight", "pawn", None])
ANY_PROMOTION: Any = st.sampled_from([None, None, None, "queen", "knight"])
MOVES = st.tuples(SQUARES, SQUARES).map("".join)
OPENINGS = st.sampled_from(["e2e4", "e7e5", "g1f3", "g8f6", "d2d4", "d7d5", "e4d5", "e1g1", "e5d4", "f3e5"])
FENS = st.sampled_from(
    [
        chess.STARTING_FEN,
        "4k3/P6P/8/8/8/8/p5p1/4K2R w - - 0 1",
        "8/8/8/8/8/8/8/8 b - - 0 1",
        "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    ]
)


@st.composite
def announcements(draw: Any) -> Announcement:
    castling = draw(st.sampled_from([None] * 9 + ["short", "long"]))
    return Announcement(
        draw(ANY_PIECE),
        draw(st.none() | SQUARES),
        draw(st.none() | SQUARES) if castling is None else draw(st.sampled_from([None, None, "e4"])),
        draw(ANY_PROMOTION),
        castling,
    )


UTTERANCES = st.none() | st.sampled_from(["u1", "u2", "u3"])
SAY = st.builds(
    cmd.Say,
    announcement=st.none() | announcements() | OPENINGS.map(lambda uci: Announcement(to_square=uci[2:])),
    words=st.just(("word",)),
    seat=st.none() | SEATS,
    unclear=st.sampled_from([None, "from"]),
    utterance=UTTERANCES,
    origin=st.sampled_from([Origin.HEARD, Origin.ENTERED]),
    act=st.sampled_from(["auto", "auto", "auto", "announce", "echo"]),
    ask=st.booleans(),
)
ENTER = st.builds(
    lambda uci, announcement: cmd.EnterMove(uci=uci, announcement=announcement, words=("w",), text=uci),
    MOVES | OPENINGS,
    st.none() | announcements(),
)
SEALS = st.one_of(
    st.just(cmd.SealMove(sealed="c2VhbGVk", sha256="ab")),
    st.just(cmd.SealMove(sealed="c291bmQ=", sha256="cd", utterance="u1", understood=False)),
    st.just(cmd.StopSealed()),
)
ADJOURNS = st.one_of(
    st.builds(
        cmd.OrderSeal,
        key=st.just("key"),
        salt=st.just("salt"),
        session_left_ms=st.none() | st.just(20_000),
        reply=st.booleans(),
    ),
    st.builds(cmd.MarkPresent, seat=SEATS, present=st.booleans()),
    st.sampled_from([cmd.PrepareResumption(), cmd.StartResumption()]),
    st.builds(
        cmd.OpenEnvelope,
        content=st.none()
        | st.builds(SealedMove, announcement=st.none() | announcements())
        | st.builds(SealedMove, uci=MOVES | OPENINGS),
    ),
    st.builds(cmd.RuleSealed, lost=st.just(False), uci=st.none() | MOVES, reason=st.just("9.6")),
    st.builds(cmd.ReplaceEnvelope, uci=OPENINGS),
)
PLAYERS = st.one_of(
    SAY,
    SAY,
    ENTER,
    st.just(cmd.Press()),
    st.just(cmd.Press()),
    st.just(cmd.Press()),
    st.builds(
        cmd.Execute,
        uci=st.none() | MOVES | OPENINGS,
        board=st.none() | SEATS,
        origin=st.sampled_from(["declared", "sensed", "entered"]),
    ),
    st.builds(cmd.WriteScore, index=st.integers(1, 12), text=st.sampled_from(["e4", "", "(=)", "a note"])),
    st.builds(cmd.Ask, what=st.sampled_from(["time", "opponent_time", "moves", "last", "score", "opponent_score"])),
    st.just(cmd.ReturnScore()),
    st.sampled_from([cmd.OfferDraw(), cmd.AnswerDraw(accept=False), cmd.ClaimTime(), cmd.CallArbiter(), cmd.Adjust()]),
    st.builds(
        cmd.ClaimDraw,
        kind=st.sampled_from(["repetition", "fifty_moves", "increment", "quickplay"]),
        intended=st.none() | announcements(),
        ground=st.sampled_from([None, "cannot_win", "no_effort"]),
    ),
    st.builds(cmd.ApproveResult, result=st.sampled_from(["1-0", "1/2-1/2"])),
    SEALS,
)
RARELY_ENDING = st.sampled_from([cmd.Resign(), cmd.AnswerDraw(accept=True)])
ARBITERS = st.one_of(
    st.sampled_from([cmd.StartGame(), cmd.Pause(), cmd.Resume(), cmd.Resume(), cmd.MarkOutOfStep()]),
    st.builds(cmd.SetClock, white_ms=st.integers(0, 70_000), black_ms=st.integers(0, 70_000), turn=SEATS),
    st.builds(cmd.SetMode, mode=st.sampled_from(list(Mode))),
    st.builds(cmd.SetClockMaster, clock_master=st.sampled_from(list(ClockMaster))),
    st.just(cmd.RecordAdaptation(name="machine_announces", value="approved")),
    st.builds(
        cmd.RecordAdaptation,
        name=st.sampled_from(["announcement_on_movers_time", "announcement_charge"]),
        value=st.sampled_from(["on", "none", "mover"]),
    ),
    st.builds(cmd.NotePresent, seat=SEATS, present=st.booleans()),
    st.builds(cmd.RuleAbsence, forfeit=st.sampled_from([False, False, True])),
    st.builds(cmd.StartSession, length_ms=st.sampled_from([1_000, 50_000])),
    st.builds(cmd.ScheduleStart, in_ms=st.none() | st.sampled_from([0, 3_000])),
    st.builds(cmd.CallFlag, seat=SEATS),
    st.builds(cmd.RecordScoresheet, seat=SEATS, sheet=st.sampled_from(list(Scoresheet))),
    st.builds(cmd.LendScore, to=SEATS),
    ADJOURNS,
    st.just(cmd.BeginReconstruction()),
    st.builds(cmd.ReconstructMove, uci=OPENINGS),
    st.just(cmd.UndoReconstruction()),
    st.builds(cmd.EndReconstruction, completed_plies=st.none() | st.integers(0, 9)),
    st.builds(cmd.RuleClaim, ruling=st.sampled_from(["correct", "wrong", "postponed"]), bonus=st.booleans()),
    st.builds(cmd.Mend, ply=st.integers(1, 12), uci=st.none() | MOVES | OPENINGS),
    st.builds(
        cmd.SetBoard,
        board=SEATS,
        placement=st.sampled_from(
            [
                "8/8/8/8/8/8/8/8",
                "PPPPPPPP/8/8/8/8/8/8/pppppppp",
                "kkkkkkkk/8/8/8/8/8/8/KKKKKKKK",
                "9/8",
                "R3K2R/8/8/8/8/8/8/8",
            ]
        ),
        turn=SEATS,
    ),
)
PROGRAM = st.one_of(
    st.builds(cmd.KeepSound, seat=SEATS, utterance=st.just("u1"), sha256=st.none(), length_ms=st.just(5)),
    st.just(cmd.NoteInstant()),
    st.just(cmd.NoteNewRun()),
    st.builds(
        cmd.NoteSpeaking,
        seat=SEATS,
        utterance=st.sampled_from(["a", "b"]),
        length_ms=st.none() | st.sampled_from([400, 3_000, 9_000]),
        over=st.sampled_from([False, False, True]),
    ),
    st.builds(
        cmd.NoteInterruption,
        witness_ms=st.none() | st.integers(0, 400_000),
        uncertain_ms=st.just(0),
        reason=st.sampled_from(
            [
                "the_program_was_stopped",
                "the_machine_slept_or_its_clock_jumped",
                "the_record_was_silent",
                "the_server_was_out_of_reach",
            ]
        ),
    ),
    st.builds(
        cmd.NoteSpoken, seat=SEATS, text=st.just("x"), utterance=st.none(), sha256=st.none(), length_ms=st.just(1)
    ),
    st.builds(
        cmd.Admit,
        station=st.sampled_from(["white", "late", ""]),
        role=st.sampled_from(list(Role)),
        seat=st.none() | SEATS,
    ),
)
STATIONS = ["white", "black", "helper", "arbiter", "display", "observer", "program", "stranger"]
STEPS = st.lists(
    st.tuples(
        st.sampled_from([0, 0, 1, 40, 900, 2_500, 30_000]),
        st.one_of(
            st.tuples(st.sampled_from(["white", "black"]), PLAYERS),
            st.tuples(st.sampled_from(["white", "black"]), PLAYERS),
            st.tuples(st.sampled_from(["white", "black"]), PLAYERS),
            st.tuples(st.just("helper"), PLAYERS),
            st.tuples(st.just("arbiter"), ARBITERS),
            st.tuples(st.just("program"), PROGRAM),
            st.tuples(st.sampled_from(STATIONS), st.one_of(PLAYERS, ARBITERS, PROGRAM, RARELY_ENDING)),
        ),
        st.none() | st.none() | st.integers(0, 8),
    ),
    max_size=60,
)


def opened(fen: str, seats: tuple[Seat, ...]) -> tuple[GameState, list[ev.AnyEvent]]:
    plan = SeatPlan(SeatKind.TACTILE)
    events: list[ev.AnyEvent] = []
    state = GameState()
    bodies: list[cmd.AnyAct] = [
        cmd.OpenTable(
            white=plan,
            black=SeatPlan(SeatKind.SIGHTED),
            control=TimeControl.parse("60+10"),
            start_fen=fen,
            regulations=EventOptions(guidelines=("I",)),
        ),
        *(cmd.Admit(station=seat.value, role=Role.PLAYER, seat=seat) for seat in seats),
        cmd.Admit(station="helper", role=Role.ASSISTANT, seat=Seat.WHITE, duties=tuple(Duty)),
        cmd.Admit(station="arbiter", role=Role.ARBITER),
        cmd.Admit(station="display", role=Role.DISPLAY),
        cmd.Admit(station="observer", role=Role.OBSERVER),
        cmd.StartGame(),
    ]
    for number, body in enumerate(bodies):
        decided = decide(state, Command(id=f"{number:032x}", table="t", station="program", body=body), 0)
        assert not isinstance(decided, Refusal)
        for event in decided:
            state = apply(state, event)
            events.append(event)
    return state, events


def running_time(events: list[ev.AnyEvent], until: int) -> int:
    """For how long any clock ran, from the events alone."""
    state, total, since = GameState(), 0, None
    for event in events:
        before = state.time.clock.running
        state = apply(state, event)
        after = state.time.clock.running
        if before is None and after is not None:
            since = event.at
        if before is not None and after is None:
            assert since is not None
            # An interruption gives back what lies after the witness: the clock's own books say how much.
            total = (
                state.time.clock.white.used_ms + state.time.clock.black.used_ms
                if isinstance(event, ev.Interrupted)
                else (total + event.at - since)
            )
            since = None
    return total + (until - since if since is not None else 0)


def look_at_everything(state: GameState, event: ev.AnyEvent, now: int) -> None:
    for station in state.stations.admitted:
        message = view(event, state, station)
        if message is not None:
            msgspec.json.encode(message)
        msgspec.json.encode(greeting(state, station, now))


@pytest.mark.law("L048")
@settings(max_examples=300, deadline=None)
@given(FENS, st.sampled_from([(Seat.WHITE, Seat.BLACK), (Seat.WHITE,)]), STEPS)
def test_random_play(fen: str, seats: tuple[Seat, ...], steps: Any) -> None:
    state, events = opened(fen, seats)
    now = 0
    for number, (wait, (station, body), about) in enumerate(steps):
        now += wait
        command = Command(id=f"{number + 100:032x}", table="t", station=station, body=body, about_ply=about)
        decided = decide(state, command, now)
        assert decided == decide(state, command, now), "the same inputs, the same answer"
        if isinstance(decided, Refusal):
            player = station in {seat.value for seat in seats}
            assert not (player and isinstance(body, cmd.Press)), "a press is never refused"
            continue
        for event in decided:
            assert msgspec.json.decode(msgspec.json.encode(event), type=ev.AnyEvent) == event
            before = state
            state = apply(state, event)
            events.append(event)
            look_at_everything(state, event, now)
            for seat in Seat:
                if not isinstance(event, ev.BoardMoved | ev.BoardSet):
                    assert state.board_of(seat) == before.board_of(seat)
                if not isinstance(event, ev.ScoreWritten):
                    assert state.scores.of(seat) == before.scores.of(seat)
    assert Game.replay(events) == state
    assert (state.moves.line, state.moves.positions) == believed_line(state.moves.positions[0], state.moves.plies), (
        "mended step by step"
    )
    assert all(record.index == number for number, record in enumerate(state.moves.plies, 1))
    assert all(record.made for record in state.moves.plies[:-1])
    clock = state.time.clock
    used = clock.time_used(Seat.WHITE, now) + clock.time_used(Seat.BLACK, now)
    assert used == running_time(events, now), "no millisecond is lost or charged twice"
    left = {seat: clock.remaining(seat, now) for seat in Seat}
    clock_later = {seat: clock.remaining(seat, now + 1_000) for seat in Seat}
    assert sum(left[seat] != clock_later[seat] for seat in Seat) == (clock.running is not None), "never two running"


@pytest.mark.law("L048", "L058")
@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["white", "black"]), st.integers(0, 20_000)), max_size=40))
def test_every_increment_is_accounted_for(presses: list[tuple[str, int]]) -> None:
    """Given so far less used is what the displays show, to the millisecond."""
    state, _ = opened(chess.STARTING_FEN, (Seat.WHITE, Seat.BLACK))
    now, gained = 0, {Seat.WHITE: 0, Seat.BLACK: 0}
    for number, (station, wait) in enumerate(presses):
        now += wait
        running = state.time.clock.running
        events = decide(state, Command(id=f"{number:032x}", table="t", station=station, body=cmd.Press()), now)
        assert not isinstance(events, Refusal)
        for event in events:
            state = apply(state, event)
        if running is not None and running.value == station and not state.time.clock.side(running).flagged:
            gained[running] += 10_000
        for seat in Seat:
            assert state.time.clock.remaining(seat, now) == 70_000 + gained[seat] - state.time.clock.time_used(
                seat, now
            )
        assert state.time.clock.time_used(Seat.WHITE, now) + state.time.clock.time_used(Seat.BLACK, now) == now
