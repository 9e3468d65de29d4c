"""Random play with touches, rulings, restorations and penalties among the moves: nothing raises, replay holds."""

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
from server.game.laws.event_options import EventOptions, Supervision
from server.game.state.apply import apply
from server.game.state.line import believed_line
from server.game.state.state import GameState
from server.game.values.time_control import TimeControl
from server.game.values.words import Duty, Role, Seat, SeatKind, SeatPlan, Station
from server.game.views import messages as msg
from server.game.views.view import view
from tests.game.core_table import edition
from tests.game.test_random_play import ARBITERS, FENS, OPENINGS, PLAYERS, PROGRAM, SEATS, look_at_everything

ALL_SQUARES = st.sampled_from(chess.SQUARE_NAMES)
PLIES = st.integers(0, 8)
RULINGS = st.one_of(
    st.builds(
        cmd.ReportTouch,
        seat=SEATS,
        square=ALL_SQUARES | OPENINGS.map(lambda uci: uci[:2]),
        how=st.sampled_from(["lifted", "touched", "placed", "released"]),
        piece=st.sampled_from([None, "Q", "n"]),
        origin=st.sampled_from(["sensed", "entered"]),
    ),
    st.builds(cmd.RuleTouch, number=st.integers(1, 4), counts=st.booleans()),
    st.just(cmd.OpenEvidence(reason="dispute")),
    st.builds(
        cmd.RuleIrregularity,
        ply=st.integers(1, 8),
        seat=SEATS,
        kind=st.sampled_from(["illegal", "unpromoted", "no_move", "two_hands"]),
        confirm=st.booleans(),
    ),
    st.builds(
        cmd.RestoreTo,
        ply=PLIES,
        times=st.sampled_from(["leave", "stored"]),
        placement=st.sampled_from([None, "8/8/8/8/8/8/8/8", "9/8"]),
        agreed=st.booleans(),
    ),
    st.builds(
        cmd.Penalise,
        seat=SEATS,
        penalty=st.sampled_from(["warning", "more_time_for_opponent", "less_time_for_offender", "fine"]),
        amount=st.integers(0, 90_000),
    ),
    st.sampled_from(
        [
            cmd.DecideGap(gap="G1", decision="x"),
            cmd.NoteIncident(kind="noise", text="x"),
            cmd.RegisterDevice(device="late", approved=False),
            cmd.RuleSetUp(what="position"),
            cmd.RuleSetUp(what="position", placement="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR"),
            cmd.RuleSetUp(what="position", placement="8/8/8/8/8/8/8/R3K2R", board=Seat.WHITE),
            cmd.RuleSetUp(what="orientation", board=Seat.BLACK),
            cmd.RuleSetUp(what="colours"),
            cmd.CallFlag(seat=Seat.WHITE, both=True),
            cmd.RecordAdaptation(name="sighted_press_without_announcement", value="clock_back"),
            cmd.NoteAppeal(against="x"),
        ]
    ),
)
CLAIMS = st.sampled_from(
    [cmd.AskForSheet(), cmd.ClaimIrregularity(kind="touch"), cmd.ClaimIrregularity(kind="illegal")]
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from([0, 40, 2_500, 30_000]),
        st.one_of(
            st.tuples(st.sampled_from(["white", "black"]), PLAYERS),
            st.tuples(st.sampled_from(["white", "black"]), PLAYERS | CLAIMS),
            st.tuples(st.sampled_from(["helper", "arbiter", "program"]), RULINGS),
            st.tuples(st.just("arbiter"), RULINGS),
            st.tuples(st.just("arbiter"), ARBITERS),
            st.tuples(st.just("program"), PROGRAM),
        ),
    ),
    max_size=50,
)


def opened(fen: str, rule_set: str, supervision: Supervision) -> tuple[GameState, list[ev.AnyEvent]]:
    bodies: list[cmd.AnyAct] = [
        cmd.OpenTable(
            white=SeatPlan(SeatKind.TACTILE),
            black=SeatPlan(SeatKind.SIGHTED),
            control=TimeControl.parse("3/330+2:600+10"),
            start_fen=fen,
            rule_set=rule_set,
            rules=edition(rule_set),
            regulations=EventOptions(supervision=supervision),
        ),
        *(cmd.Admit(station=seat.value, role=Role.PLAYER, seat=seat) for seat in Seat),
        cmd.Admit(station="helper", role=Role.ASSISTANT, seat=Seat.WHITE, duties=tuple(Duty)),
        cmd.Admit(station="arbiter", role=Role.ARBITER),
        cmd.StartGame(),
    ]
    state, events = GameState(), []
    for number, body in enumerate(bodies):
        decided = decide(state, Command(id=f"{number:032x}", table="t", station="program", body=body), 0)
        assert not isinstance(decided, Refusal)
        for event in decided:
            state = apply(state, event)
            events.append(event)
    return state, events


OF_THE_ARBITER = (
    ev.TouchReported, ev.TouchRuled, ev.EvidenceOpened, ev.IrregularityRuled, ev.Restored, ev.AnnouncementOwed,
    ev.Decided, ev.Penalised, ev.IncidentNoted, ev.DeviceRegistered, ev.AppealNoted, ev.SheetAsked, ev.SetUpRuled,
    ev.RecordingExempted, ev.Alerted,
)  # fmt: skip


@pytest.mark.law("L048", "L074", "L141")
@settings(max_examples=150, deadline=None)
@given(FENS, st.sampled_from(["fide2023", "short"]), st.sampled_from(list(Supervision)), STEPS)
def test_random_play_with_rulings(fen: str, rule_set: str, supervision: Supervision, steps: Any) -> None:
    state, events = opened(fen, rule_set, supervision)
    now = 0
    for number, (wait, (station, body)) in enumerate(steps):
        now += wait
        command = Command(id=f"{number + 100:032x}", table="t", station=station, body=body)
        decided = decide(state, command, now)
        assert decided == decide(state, command, now)
        if isinstance(decided, Refusal):
            assert not (station in ("white", "black") and isinstance(body, cmd.Press)), "a press is never refused"
            continue
        for event in decided:
            assert msgspec.json.decode(msgspec.json.encode(event), type=ev.AnyEvent) == event
            before = state
            state = apply(state, event)
            events.append(event)
            look_at_everything(state, event, now)
            for seat in Seat:
                player = Station(seat.value, Role.PLAYER, seat)
                if isinstance(event, OF_THE_ARBITER):
                    seen = view(event, state, player)
                    ruling = isinstance(event, ev.IrregularityRuled | ev.Penalised) and isinstance(
                        seen, msg.RulingShown
                    )
                    assert seen is None or ruling or state.table.mode == "relay", event
                if not isinstance(event, ev.BoardMoved | ev.BoardSet):
                    assert state.board_of(seat) == before.board_of(seat)
                if not isinstance(event, ev.ScoreWritten):
                    assert state.scores.of(seat) == before.scores.of(seat)
    assert Game.replay(events) == state
    assert (state.moves.line, state.moves.positions) == believed_line(state.moves.positions[0], state.moves.plies)
    assert all(record.made for record in state.moves.plies[:-1])
    assert [touch.number for touch in state.rulings.touches] == list(range(1, len(state.rulings.touches) + 1))
    left = {seat: state.time.clock.remaining(seat, now) for seat in Seat}
    later = {seat: state.time.clock.remaining(seat, now + 1_000) for seat in Seat}
    assert sum(left[seat] != later[seat] for seat in Seat) == (state.time.clock.running is not None), (
        "never two running"
    )
