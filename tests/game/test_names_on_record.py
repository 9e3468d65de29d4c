"""The names by which the record and the wire know things: an old journal must read the same tomorrow."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec
import pytest

from server.game import acts as ev
from server.game.decide.scores import Mark
from server.game.laws.draws import OfferMoment
from server.game.laws.event_options import EventOptions, Points, Supervision
from server.game.laws.penalties import Illegality
from server.game.laws.rule_set import UNSTATED
from server.game.laws.scoresheet import Scoresheet
from server.game.laws.supervision import TimeClass
from server.game.laws.touch import TouchHow
from server.game.state.apply import apply
from server.game.state.endings import OpenClaim
from server.game.state.line import PlyRecord
from server.game.state.moves import START, BoardState
from server.game.state.state import GameState
from server.game.state.table import NextGame
from server.game.values.clock import ChessClock
from server.game.values.words import (
    Boards,
    ClockMaster,
    Duty,
    EarChoice,
    Mode,
    Origin,
    PressKeys,
    ReadBack,
    Role,
    Seat,
    SeatKind,
    SeatPlan,
    SeatSound,
    SoundDevices,
    Station,
    Talking,
    snake_case,
)
from tests.game.core_table import altered, fields_of

NAMES: dict[type[StrEnum], str] = {
    Seat: "white black",
    SeatKind: "tactile low-vision sighted",
    Origin: "sensed declared heard entered inferred",
    Mode: "table relay clock",
    ClockMaster: "server livechess manual",
    Role: "player assistant arbiter display observer",
    Duty: "execute announce score_and_clock inform claim_and_report adjourn",
    Boards: "two one two_special",
    Talking: "held toggled voice",
    ReadBack: "none tick short full",
    Mark: "written missing not_kept_here",
    Supervision: "full basic",
    Points: "1-½-0 3-1-0",
    OfferMoment: "after_move before_move opponents_time",
    TimeClass: "standard rapid blitz",
    Scoresheet: "paper dictated braille longhand station",
    Illegality: "move unpromoted_pawn press_without_move two_hands",
    TouchHow: "contact lifted",
}


@pytest.mark.parametrize("kind", list(NAMES), ids=lambda kind: kind.__name__)
def test_members_keep_their_names_on_record(kind: type[StrEnum]) -> None:
    named = NAMES[kind].split()
    assert [member.value for member in kind] == named
    assert [member.name.lower() for member in kind if kind is not Points] == [
        name.replace("-", "_") for name in named if kind is not Points
    ]


def test_an_event_and_a_message_are_named_after_their_class() -> None:
    assert [snake_case(name) for name in ("BoardMoved", "Made", "ClockSetUp")] == [
        "board_moved",
        "made",
        "clock_set_up",
    ]
    assert ev.ClockSetUp.__struct_config__.tag == "clock_set_up"


def filled(one: msgspec.Struct) -> dict[str, Any]:
    """What of it says anything: neither nothing, nor no, nor none, nor empty."""
    flat = isinstance(one, GameState)
    known = fields_of(one) if flat else {name: getattr(one, name) for name in one.__struct_fields__}
    return {
        name: value
        for name, value in known.items()
        if value not in (None, False, "", 0, (), frozenset(), (0, 0), (None, None))
    }


UNSAID: list[tuple[type[msgspec.Struct], dict[str, Any], dict[str, Any]]] = [
    (
        SeatPlan,
        {"kind": "tactile"},
        {"kind": SeatKind.TACTILE, "language": "de", "scheme": "d21", "echo_scores": True},
    ),
    (Station, {"id": "display", "role": "display"}, {"id": "display", "role": Role.DISPLAY}),
    (EarChoice, {}, {"speed": 100}),
    (SoundDevices, {}, {}),
    (PressKeys, {}, {}),
    (SeatSound, {}, {"talking": Talking.HELD, "devices": SoundDevices(), "ear": EarChoice()}),
    (PlyRecord, {"index": 1, "seat": "white"}, {"index": 1, "seat": Seat.WHITE}),
    (OpenClaim, {"seat": "white", "ply": 3, "kind": "moves"}, {"seat": Seat.WHITE, "ply": 3, "kind": "moves"}),
    (NextGame, {"table": "2", "exchanged": False}, {"table": "2"}),
]


@pytest.mark.parametrize(("kind", "said", "known"), UNSAID, ids=[row[0].__name__ for row in UNSAID])
def test_what_a_record_leaves_unsaid_is_the_usual_or_nothing(
    kind: type[msgspec.Struct], said: dict[str, Any], known: dict[str, Any]
) -> None:
    assert filled(msgspec.convert(said, kind)) == known


def test_at_a_table_that_the_oldest_record_opens_all_is_usual_and_nothing_has_happened() -> None:
    opening = {
        "event": "table_opened",
        "at": 0,
        "white": {"kind": "tactile"},
        "black": {"kind": "sighted"},
        "control": {"periods": [{"moves": None, "base_ms": 5_400_000, "increment_ms": 30_000}]},
        "start_fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    }
    event = msgspec.convert(opening, ev.AnyEvent)
    assert isinstance(event, ev.TableOpened)
    state = apply(GameState(), event)
    assert state == altered(GameState(), {"table.opened": True})
    assert filled(state) == {
        "table.opened": True,
        "table.white": SeatPlan(SeatKind.TACTILE),
        "table.black": SeatPlan(SeatKind.SIGHTED),
        "table.rated": True,
        "table.mode": Mode.TABLE,
        "time.clock_master": ClockMaster.SERVER,
        "table.rule_set": "fide2023",
        "table.rules": UNSTATED,
        "table.regulations": EventOptions(),
        "table.boards": Boards.TWO,
        "time.clock": ChessClock.set_to(event.control),
        "moves.positions": (START,),
        "moves.white_board": BoardState(START, START),
        "moves.black_board": BoardState(START, START),
        "draws.offer_delivered": True,
        "draws.increment_request": "open",
        "scores.sheets": (Scoresheet.DICTATED, Scoresheet.PAPER),
        "stations.press_keys": PressKeys(),
        "sound.seats": (SeatSound(), SeatSound()),
    }
