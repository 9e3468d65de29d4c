"""Two games that differ in legality alone: by no command of anybody can the players or the hall tell them apart.

The men stand alike; castling rights, en passant and the counters do not. What the arbiter decides knowing where
they differ (an opened envelope, a result) is the arbiter's own: there the comparison ends.
"""

from __future__ import annotations

import os
import typing
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.game import acts as cmd
from server.game.acts import Refusal
from server.game.decide.roles import why_refused
from server.game.laws.event_options import EventOptions
from server.game.values.words import Duty, Role, Seat
from server.game.views.view import greeting, view, view_refusal
from tests.game.core_table import CoreTable, said
from tests.game.every_command import commands_of

EXAMPLES = int(os.environ.get("ANNA_EINS_EXAMPLES", "100"))
MEN = "r3k2r/ppp2ppp/2n2n2/3Pp3/8/5N2/PPP2PPP/R3K2R"
PAIRS = [
    (f"{MEN} w KQkq - 0 10", f"{MEN} w - - 0 10"),
    (f"{MEN} w KQkq e6 0 10", f"{MEN} w KQkq - 0 10"),
    (f"{MEN} w KQkq - 0 10", f"{MEN} w Kq - 148 90"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 10", "4k3/8/8/8/8/8/8/R3K2R w - - 98 90"),
]
# The program's own answers (which follow the position by the Laws), and what opens the game or the seat.
LEFT_OUT = (cmd.OpenTable, cmd.Admit, cmd.NoteMateAnswer, cmd.NoteInterruption)
KINDS: tuple[type, ...] = tuple(kind for kind in typing.get_args(cmd.AnyAct) if kind not in LEFT_OUT)
PLAYERS = ("white", "black", "helper")
LISTENERS = (*PLAYERS, "display")
MOVES: Any = st.sampled_from(["O-O", "O-O-O", "d5e6", "Nf3", "Ke2", "Rg1", "e4", "d6", "a6", "Nd5"])
PLAYING = st.one_of(
    st.just(cmd.Press()),
    st.just(cmd.Press()),
    MOVES.map(lambda text: cmd.Say(announcement=said(text), words=(text,), text=text)),
    st.sampled_from(["e1g1", "e1c1", "d5e6", "e8g8", "e8c8"]).map(
        lambda uci: cmd.EnterMove(uci=uci, announcement=said(uci), words=(uci,), text=uci)
    ),
)
BODIES = st.one_of(PLAYING, st.sampled_from(KINDS).flatmap(commands_of))
STEPS = st.lists(
    st.tuples(
        st.sampled_from([0, 40, 900, 2_500, 30_000]),
        st.sampled_from(["fit", "fit", "fit", "white", "black", "helper", "display"]),
        BODIES,
    ),
    max_size=25,
)


def at(fen: str) -> CoreTable:
    regulations = EventOptions(guidelines=("I", "III"), default_time_s=60)
    table = CoreTable(fen=fen, control="2/60+2:60+10", regulations=regulations, mates=False)
    table.own(cmd.Admit(station="helper", role=Role.ASSISTANT, seat=Seat.WHITE, duties=tuple(Duty)))
    table.own(cmd.Admit(station="display", role=Role.DISPLAY))
    return table


def may(table: CoreTable, body: cmd.AnyAct) -> str:
    stations = (table.state.on_move.value, "arbiter", "program")
    return next(one for one in stations if why_refused(table.state.stations.find(one), body) is None)


def told(table: CoreTable, events: tuple[Any, ...] | Refusal) -> dict[str, bytes]:
    """What each listener gets of these events, and would see on coming back; one who was sent away gets nothing."""
    heard = {}
    for station in filter(None, map(table.state.stations.find, LISTENERS)):
        seen = [] if isinstance(events, Refusal) else [view(one, table.state, station) for one in events]
        numbered = [one for one in seen if one is not None]
        heard[station.id] = msgspec.json.encode((numbered, greeting(table.state, station, table.now)))
    return heard


@pytest.mark.law("L080", "L141")
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(PAIRS), STEPS)
def test_nobody_but_the_arbiter_can_tell_what_is_legal(pair: tuple[str, str], steps: Any) -> None:
    tables = [at(fen) for fen in pair]
    assert told(tables[0], ()) == told(tables[1], ()), "before anybody has done anything"
    for wait, who, body in steps:
        station = may(tables[0], body) if who == "fit" else who
        done = []
        for table in tables:
            table.wait(wait)
            done.append(table.do(station, body))
        outcomes = [view_refusal("id", one if isinstance(one, Refusal) else None) for one in done]
        if station in ("arbiter", "program") and (
            outcomes[0] != outcomes[1] or isinstance(body, cmd.OpenEnvelope | cmd.ReplaceEnvelope | cmd.RuleSealed)
        ):
            return
        assert outcomes[0] == outcomes[1]
        assert told(tables[0], done[0]) == told(tables[1], done[1]), (station, body)
