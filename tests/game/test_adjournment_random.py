"""Any order of adjourning, moving and resuming: nothing raises, the events tell the state, sealed is sealed."""

from __future__ import annotations

from typing import Any

import chess
import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Command, Refusal
from server.game.decide.decide import decide
from server.game.game import Game
from server.game.state.apply import apply
from server.game.state.state import GameState
from server.game.values.adjournment import SealedMove
from server.game.values.announcement import Announcement
from server.game.values.words import Seat
from tests.game.test_random_play import SEATS, look_at_everything, opened

SEALED: Any = st.sampled_from(
    [
        SealedMove(announcement=Announcement(to_square="e4")),
        SealedMove(announcement=Announcement(to_square="e5")),
        SealedMove(uci="g1f3"),
        SealedMove(uci="g8f6"),
        SealedMove(uci="e1e5"),
        SealedMove(utterance="u1"),
    ]
)
ORDER = st.just(cmd.OrderSeal(key="key", salt="salt"))
ARBITER = st.one_of(
    ORDER,
    ORDER,
    st.builds(cmd.OrderSeal, key=st.just("k"), salt=st.just("s"), session_left_ms=st.just(20_000), reply=st.booleans()),
    st.builds(cmd.MarkPresent, seat=SEATS, present=st.sampled_from([True, True, False])),
    st.builds(cmd.OpenEnvelope, content=SEALED),
    st.sampled_from([cmd.PrepareResumption(), cmd.StartResumption(), cmd.Pause(), cmd.Resume()]),
    st.builds(cmd.RuleSealed, lost=st.just(False), uci=st.sampled_from([None, "e2e4", "d2d4"]), reason=st.just("9.6")),
    st.builds(cmd.ReplaceEnvelope, uci=st.sampled_from(["e2e4", "b8c6"])),
)
SEAL = st.builds(
    cmd.SealMove,
    sealed=st.sampled_from(["b25l", "dHdv"]),
    sha256=st.just("ab"),
    utterance=st.none() | st.just("u1"),
    understood=st.booleans(),
)
MOVE = st.sampled_from([cmd.Say(announcement=Announcement(to_square=square)) for square in ("d4", "d5", "a3", "a6")])
ORDERED = (("arbiter", cmd.OrderSeal(key="key", salt="salt")),)
SEALED_NOW = (*ORDERED, ("white", cmd.SealMove(sealed="b25l", sha256="ab")), ("white", cmd.Press()))
WAITED_FOR = (*SEALED_NOW, ("arbiter", cmd.PrepareResumption()), ("arbiter", cmd.StartResumption()))
BEGINNINGS = (ORDERED, SEALED_NOW, WAITED_FOR)
ATTEMPTS = tuple(  # what would be a move, were the game going on
    (seat, body) for seat, square in (("white", "d4"), ("black", "d5"))
    for body in (cmd.Say(announcement=Announcement(to_square=square)), cmd.Press())
)  # fmt: skip
PLAYER = st.one_of(SEAL, SEAL, MOVE, st.sampled_from([cmd.Press(), cmd.Press(), cmd.StopSealed(), cmd.OfferDraw()]))
STEPS = st.lists(
    st.tuples(
        st.sampled_from([0, 40, 900, 4_000]),
        st.one_of(
            st.tuples(st.sampled_from(["white", "black"]), PLAYER),
            st.tuples(st.just("arbiter"), ARBITER),
            st.tuples(
                st.just("program"),
                st.just(cmd.NoteInterruption(witness_ms=None, uncertain_ms=0, reason="the_program_was_stopped")),
            ),
        ),
    ),
    max_size=50,
)


def moves_written(state: GameState) -> list[str]:
    """White's score without the marks of offers."""
    return [cell.text.replace("(=)", "").strip() if cell is not None else "" for cell in state.scores.white]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(BEGINNINGS), STEPS)
def test_any_order_of_adjourning_and_resuming(beginning: Any, steps: Any) -> None:
    """From the order to seal on, in every example, so that each of them looks at what waits."""
    state, events = opened(chess.STARTING_FEN, (Seat.WHITE, Seat.BLACK))
    now, looked = 0, 0
    steps = [*((0, step) for step in (*beginning, *ATTEMPTS)), *steps]
    for number, (wait, (station, body)) in enumerate(steps):
        now += wait
        decided = decide(state, Command(id=f"{number + 100:032x}", table="t", station=station, body=body), now)
        if isinstance(decided, Refusal):
            assert not isinstance(body, cmd.Press), "a press is never refused"
            continue
        before = state
        for event in decided:
            assert msgspec.json.decode(msgspec.json.encode(event), type=ev.AnyEvent) == event
            state = apply(state, event)
            events.append(event)
            look_at_everything(state, event, now)
        adjournment = before.adjournment
        waits = adjournment is not None and adjournment.stage != "resumed"
        opening = isinstance(body, cmd.OpenEnvelope | cmd.RuleSealed | cmd.ReplaceEnvelope)
        if waits and not opening:
            looked += 1
            assert (state.moves.plies, state.moves.line, state.moves.positions) == (
                before.moves.plies,
                before.moves.line,
                before.moves.positions,
            )
            assert state.moves.white_board == before.moves.white_board
            if isinstance(body, cmd.OfferDraw):  # its mark stands at the last move written (I.4)
                assert moves_written(state) == moves_written(before)
            else:
                assert state.scores.white == before.scores.white
    assert looked, "every example saw an adjournment that waits"
    assert Game.replay(events) == state
