"""Any sequence of offers, claims, rulings, flags and resignations: nothing raises, nothing intended is ever told."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.game import Game
from server.game.laws.event_options import EventOptions
from server.game.values.announcement import Announcement
from server.game.values.words import Role, Seat, SeatKind, Station
from server.game.views.view import greeting, view
from tests.game.core_table import CoreTable

SECRET = "never aloud"
FENS = st.sampled_from(
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/3p4/3BK3 w - - 0 1",
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - 149 100",
        "8/5k2/p1p1p1p1/P1P1P1P1/8/4K3/8/8 w - - 98 70",
    ]
)
INTENDED = st.none() | st.sampled_from(["f3", "a8", "f6", "d2"]).map(
    lambda square: Announcement("knight", None, square)  # any move will do: nobody may hear of it
)
BINDING: Any = st.one_of(
    st.builds(
        cmd.Propose,
        what=st.sampled_from(["draw_offer", "draw_accept", "draw_decline", "resign", "claim_time", "claim_draw"]),
        sure=st.booleans(),
    ),
    st.builds(cmd.Confirm, yes=st.booleans()),
)
PLAYERS: Any = st.one_of(
    BINDING,
    st.sampled_from([cmd.OfferDraw(), cmd.AnswerDraw(accept=False), cmd.ClaimTime(), cmd.Press(), cmd.Press()]),
    st.sampled_from(["f3", "f6", "e4", "e5", "d2", "e7", "a8"]).map(
        lambda square: cmd.Say(announcement=Announcement(to_square=square), words=("w",), text=square, act="announce")
    ),
    st.builds(
        cmd.ClaimDraw,
        kind=st.sampled_from(["repetition", "fifty_moves", "increment", "quickplay"]),
        intended=INTENDED,
        ground=st.sampled_from([None, "cannot_win", "no_effort"]),
        words=st.just((SECRET,)),
        text=st.just(SECRET),
    ),
)
ENDING: Any = st.sampled_from(
    [cmd.Resign(), cmd.AnswerDraw(accept=True), cmd.ApproveResult(result="1-0"), cmd.OfferDraw()]
)
ARBITERS: Any = st.one_of(
    st.sampled_from([cmd.Resume(), cmd.Resume(), cmd.Pause(), cmd.MarkOutOfStep()]),
    st.builds(cmd.CallFlag, seat=st.sampled_from(list(Seat))),
    st.builds(cmd.RuleClaim, ruling=st.sampled_from(["correct", "wrong", "wrong", "postponed"]), bonus=st.booleans()),
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from([0, 1_000, 40_000, 590_000]),
        st.one_of(
            st.tuples(st.sampled_from(["white", "black"]), PLAYERS),
            st.tuples(st.sampled_from(["white", "black"]), PLAYERS),
            st.tuples(st.just("arbiter"), ARBITERS),
            st.tuples(st.sampled_from(["white", "black", "arbiter"]), st.one_of(PLAYERS, ARBITERS, ENDING)),
        ),
    ),
    max_size=40,
)


@pytest.mark.law("L104", "L109", "L133")
@settings(max_examples=150, deadline=None)
@given(
    FENS,
    st.sampled_from(["fide2023", "fide2018", "short", "fide2017h2"]),
    st.sampled_from(["700", "700+1", "300"]),
    STEPS,
)
def test_draws_at_random(fen: str, rule_set: str, control: str, steps: Any) -> None:
    regulations = EventOptions(guidelines=("III",))
    table = CoreTable(fen=fen, rule_set=rule_set, control=control, regulations=regulations, white=SeatKind.SIGHTED)
    table.own(cmd.Admit(station="display", role=Role.DISPLAY))
    outsiders = (Station("white", Role.PLAYER, Seat.WHITE), Station("display", Role.DISPLAY))
    for wait, (station, body) in steps:
        table.wait(wait)
        before = table.state
        events = table.do(station, body)
        if isinstance(events, Refusal):
            continue
        for event in events:
            assert msgspec.json.decode(msgspec.json.encode(event), type=ev.AnyEvent) == event
            told = [view(event, table.state, one) for one in outsiders]
            assert SECRET.encode() not in msgspec.json.encode(told)
            if isinstance(event, ev.DrawClaimed):
                assert before.draws.claim is None and table.state.time.clock.running is None
            if isinstance(event, ev.GameEnded):
                assert table.state.time.clock.running is None
            if isinstance(event, ev.TimeAdded):
                assert event.ms > 0 and (before.draws.claim is not None or before.draws.postponed)
    for one in outsiders:
        assert SECRET.encode() not in msgspec.json.encode(greeting(table.state, one, table.now))
    assert Game.replay(table.events) == table.state
    assert table.state.draws.claim is None or only_one_open(table)


def only_one_open(table: CoreTable) -> bool:
    """Of the claims on record all but the open one, and at most one postponed, have been ruled on."""
    claimed = sum(isinstance(event, ev.DrawClaimed) for event in table.events)
    ruled = sum(isinstance(event, ev.ClaimRuled) for event in table.events)
    return ruled >= claimed - 1
