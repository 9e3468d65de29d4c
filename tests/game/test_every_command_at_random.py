"""Every command there is, by every station, out of every situation: nothing raises, replay holds, time is conserved."""

from __future__ import annotations

import os
import typing
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.roles import why_refused
from server.game.game import Game
from server.game.laws.event_options import EventOptions
from server.game.state.apply import apply
from server.game.values.adjournment import SealedMove
from server.game.values.words import ClockMaster, Duty, Mode, Role, Seat
from tests.game.core_table import REFUSALS, CoreTable, said
from tests.game.every_command import commands_of
from tests.game.test_random_play import look_at_everything, running_time

EXAMPLES = int(os.environ.get("ANNA_EINS_EXAMPLES", "150"))
KINDS: tuple[type, ...] = tuple(kind for kind in typing.get_args(cmd.AnyAct) if kind is not cmd.OpenTable)
ENDING = (cmd.RuleResult, cmd.AnnulGame, cmd.Penalise, cmd.RuleAbsence)
REGULATIONS = EventOptions(guidelines=("I", "III"), default_time_s=60)


def played(table: CoreTable, *moves: str) -> None:
    for text in moves:
        seat = table.state.on_move.value
        table.say(seat, text, act="announce")
        table.wait(700)
        table.press(seat)
        table.wait(300)


def ordered(table: CoreTable) -> None:
    played(table, "e4", "e5")
    table.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))


def sealed(table: CoreTable) -> None:
    ordered(table)
    table.done("white", cmd.SealMove(sealed="c2VhbGVk", sha256="ab"))
    table.press("white")
    table.wait(5_000)


def waited_for(table: CoreTable) -> None:
    sealed(table)
    table.done("arbiter", cmd.StartResumption())


def faulty(table: CoreTable) -> None:
    sealed(table)
    table.done("arbiter", cmd.MarkPresent(seat=Seat.BLACK))
    table.done("arbiter", cmd.OpenEnvelope(content=SealedMove(uci="e1e5")))


def resumed(table: CoreTable) -> None:
    sealed(table)
    table.done("arbiter", cmd.MarkPresent(seat=Seat.BLACK))
    table.done("arbiter", cmd.OpenEnvelope(content=SealedMove(uci="g1f3")))


def replied(table: CoreTable) -> None:
    resumed(table)
    table.done("arbiter", cmd.OrderSeal(key="fresh", salt="salt", reply=True))
    table.done("black", cmd.SealMove(sealed="c2VhbGVk", sha256="ab"))
    table.press("black")


def claimed(table: CoreTable) -> None:
    played(table, "e4", "e5", "Nf3", "Nf6")
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Ng1"), text="Ng1"))


def about_to_claim(table: CoreTable) -> None:
    played(table, "e4", "e5")
    table.done("white", cmd.Propose(what="claim_draw"))


def wrongly_claimed(table: CoreTable) -> None:
    claimed(table)
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    table.done("arbiter", cmd.Resume())


def asked(table: CoreTable) -> None:
    played(table, "e4", "e5")
    table.done("white", cmd.Propose(what="resign"))


def resigned(table: CoreTable) -> None:
    played(table, "e4")
    table.done("white", cmd.OfferDraw())
    table.done("black", cmd.Resign())


def reconstructing(table: CoreTable) -> None:
    played(table, "e4", "e5")
    table.done("arbiter", cmd.BeginReconstruction())
    table.done("arbiter", cmd.ReconstructMove(uci="e2e4"))


def announcing(table: CoreTable) -> None:
    """In relay, a press of White waits for the machine's announcement to Black."""
    for name in ("machine_announces", "announcement_on_movers_time"):
        table.adapt(name)
    table.done("arbiter", cmd.SetMode(mode=Mode.RELAY))
    table.say("white", "e4", act="announce")
    table.own(cmd.NoteSpeaking(seat=Seat.BLACK, utterance="a", length_ms=3_000))
    table.press("white")


def flagged(table: CoreTable) -> None:
    played(table, "e4", "e5", "Nf3")
    table.wait(130_000)
    table.own(cmd.NoteInstant())


def illegal(table: CoreTable) -> None:
    played(table, "e4", "e5", "Ke5")


def another_clock(table: CoreTable) -> None:
    played(table, "e4")
    table.done("arbiter", cmd.SetClockMaster(clock_master=ClockMaster.MANUAL))


def in_session(table: CoreTable) -> None:
    table.done("arbiter", cmd.StartSession(length_ms=20_000))
    table.done("arbiter", cmd.NotePresent(seat=Seat.WHITE))


SCENES: tuple[Callable[[CoreTable], None], ...] = (
    lambda table: None, ordered, sealed, waited_for, faulty, resumed, replied, claimed, about_to_claim,
    wrongly_claimed, asked, resigned, reconstructing, announcing, flagged, illegal, another_clock, in_session,
)  # fmt: skip
PLAYING = st.sampled_from(
    [
        cmd.Press(),
        cmd.Say(announcement=said("Nf3"), text="Nf3"),
        cmd.Say(announcement=said("Nc6")),
        cmd.Confirm(yes=True),
    ]
)
BODIES = st.one_of(
    PLAYING,
    st.sampled_from([kind for kind in KINDS if kind not in ENDING]).flatmap(commands_of),
    st.sampled_from(KINDS).flatmap(commands_of),
)
WHO = st.sampled_from(["fit", "fit", "fit", "fit", "white", "black", "helper", "arbiter", "display", "program"])
STEPS = st.lists(
    st.tuples(st.sampled_from([0, 0, 40, 900, 2_500, 30_000, 70_000]), WHO, BODIES, st.none() | st.integers(0, 8)),
    max_size=25,
)


def who_may(table: CoreTable, body: cmd.AnyAct, turn: int) -> str:
    """A station to which the core would listen."""
    stations = ["white", "black", "arbiter", "program"]
    for station in stations[turn % 2 :: -1] + stations:
        there = None if station == "program" else table.state.stations.find(station)
        if why_refused(there, body) is None:
            return station
    return "program"


def test_every_command_is_drawn() -> None:
    assert {kind.__name__ for kind in KINDS} == {kind.__name__ for kind in cmd.acts()} - {"OpenTable"}


@pytest.mark.law("L048")
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(SCENES), STEPS)
@example(
    ordered, [(0, "fit", one, None) for one in (cmd.Press(), cmd.Press(), cmd.SenseMove(seat=Seat.BLACK, uci="g1f3"))]
)
def test_every_command_out_of_every_situation(scene: Callable[[CoreTable], None], steps: Any) -> None:
    table = CoreTable(control="2/60+2:60+10", regulations=REGULATIONS, mates=False)
    table.own(cmd.Admit(station="helper", role=Role.ASSISTANT, seat=Seat.WHITE, duties=tuple(Duty)))
    table.own(cmd.Admit(station="display", role=Role.DISPLAY))
    scene(table)
    for turn, (wait, who, body, about) in enumerate(steps):
        table.wait(wait)
        station = who_may(table, body, turn) if who == "fit" else who
        before = table.state
        decided = table.do(station, body, about)
        if isinstance(decided, Refusal):
            assert decided.code in REFUSALS, decided
            admitted = before.stations.find(station) is not None  # a device that was sent away presses nothing
            assert not (admitted and station in ("white", "black") and isinstance(body, cmd.Press)), "never refused"
            continue
        step = before
        for event in decided:
            assert msgspec.json.decode(msgspec.json.encode(event), type=ev.AnyEvent) == event
            last, step = step, apply(step, event)
            look_at_everything(step, event, table.now)
            for seat in Seat:
                if not isinstance(event, ev.BoardMoved | ev.BoardSet | ev.SetUpRuled):
                    assert step.board_of(seat) == last.board_of(seat)
                if not isinstance(event, ev.ScoreWritten):
                    assert step.scores.of(seat) == last.scores.of(seat)
        by_hand = any(isinstance(one, cmd.SetClock | cmd.CorrectClock) for _, _, one, _ in steps)
        stands_where_it_must(table, by_hand=by_hand)
    assert Game.replay(table.events) == table.state
    clock, now = table.state.time.clock, table.now
    used = clock.time_used(Seat.WHITE, now) + clock.time_used(Seat.BLACK, now)
    assert used == running_time(table.events, now), "no millisecond is lost or charged twice"
    left = {seat: clock.remaining(seat, now) for seat in Seat}
    later = {seat: clock.remaining(seat, now + 90_000) for seat in Seat}
    assert sum(left[seat] != later[seat] for seat in Seat) == (clock.running is not None), "never two running"


def stands_where_it_must(table: CoreTable, *, by_hand: bool) -> None:
    """No clock runs over an open claim, a resignation, a reconstruction, the end; over an envelope not its sealer's.

    `by_hand`: the arbiter may have turned it to either player.
    """
    state = table.state
    running = state.time.clock.running
    if running is None:
        return
    assert (
        state.draws.claim is None
        and state.scores.reconstruction is None
        and state.ending.resigned is None
        and not state.over
    )
    assert state.time.clock_master is ClockMaster.SERVER and state.table.started
    adjournment = state.adjournment
    assert by_hand or adjournment is None or not adjournment.closed or running is not adjournment.seat
