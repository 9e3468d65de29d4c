"""Tables that chapters of the Laws share: on what goes wrong (4, 7, 8, 11, 12, A), and on ends (5, 6.8, 9, III)."""

from __future__ import annotations

from typing import Any

import msgspec

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


KNIGHTS = "Nf3 Nf6 Ng1 Ng8"


MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


QUICK = EventOptions(guidelines=("III",))


def ended(table: CoreTable) -> tuple[str, str, str]:
    (end,) = only(table.events, ev.GameEnded)
    return end.result, end.reason, end.article


def rule_claim(table: CoreTable, ruling: str, **more: bool) -> tuple[ev.AnyEvent, ...]:
    return table.done("arbiter", msgspec.convert({"do": "rule_claim", "ruling": ruling, **more}, cmd.RuleClaim))


def repeated_twice() -> CoreTable:
    table = CoreTable()
    play(table, f"{KNIGHTS} {' '.join(KNIGHTS.split()[:3])}")
    return table


def quick(control: str = "1800", **more: EventOptions) -> CoreTable:
    """White has less than two minutes."""
    table = CoreTable(control=control, **(more or {"regulations": QUICK}))  # type: ignore[arg-type]
    table.wait(1_700_000)
    return table
