"""A table on which things go wrong: what the tests of Articles 4, 7, 8, 11, 12 and A share."""

from __future__ import annotations

from typing import Any

from server.game import acts as cmd
from server.game import acts as ev
from server.game.laws.event_options import EventOptions, Supervision
from server.game.values.words import Seat, SeatKind
from server.game.views.view import picture
from tests.game.core_table import CoreTable, only, play

BASIC = EventOptions(supervision=Supervision.BASIC)
TEN = "Nf3 Nf6 Ng1 Ng8 " * 5


def enter(table: CoreTable, uci: str) -> tuple[ev.AnyEvent, ...]:
    """Black's move released, entered and pressed."""
    return (*table.enter("black", uci), *table.press("black"))


def touch(table: CoreTable, seat: Seat, square: str, how: Any = "lifted", **more: Any) -> ev.TouchReported:
    events = table.done("arbiter", cmd.ReportTouch(seat=seat, square=square, how=how, **more))
    return only(events, ev.TouchReported)[0]


def sensed(table: CoreTable, seat: Seat, square: str, how: Any = "lifted") -> ev.TouchReported:
    events = table.own(cmd.ReportTouch(seat=seat, square=square, how=how, origin="sensed"))
    return only(events, ev.TouchReported)[0]


def obliged(table: CoreTable) -> tuple[set[str], str]:
    """What the arbiter's picture says of the player on move."""
    shown = picture(table.state, table.now)
    return set(shown.obliged), shown.obliged_by


def rule(table: CoreTable, ply: int, seat: Seat, kind: Any = "illegal", **more: Any) -> ev.IrregularityRuled:
    events = table.done("arbiter", cmd.RuleIrregularity(ply=ply, seat=seat, kind=kind, **more))
    (ruled,) = only(events, ev.IrregularityRuled)
    return ruled


def sighted(**more: Any) -> CoreTable:
    return CoreTable(white=SeatKind.SIGHTED, **more)


CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def _again(table: CoreTable, times: int) -> ev.IrregularityRuled:
    for _ in range(times):
        play(table, "Ke7")
        ruled = rule(table, 1, Seat.WHITE)
        table.done("arbiter", cmd.RestoreTo(ply=0))
        table.done("arbiter", cmd.Resume())
    return ruled


def unannounced(value: str | None) -> CoreTable:
    table = CoreTable()
    if value is not None:
        table.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value=value))
    play(table, "e4")
    table.wait(3_000)
    table.press("black")
    return table
