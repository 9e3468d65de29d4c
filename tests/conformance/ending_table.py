"""A table that comes to its end: what the tests of Articles 1.4, 5, 6.8, 9 and Guidelines III share."""

from __future__ import annotations

import msgspec

from server.game import acts as cmd
from server.game import acts as ev
from server.game.laws.event_options import EventOptions
from tests.game.core_table import CoreTable, only, play

KNIGHTS = "Nf3 Nf6 Ng1 Ng8"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
BISHOP_ONLY = "4k3/8/8/8/8/8/8/3QKB2 b - - 0 1"
QUICK = EventOptions(guidelines=("III",))


def ended(table: CoreTable) -> tuple[str, str, str]:
    (end,) = only(table.events, ev.GameEnded)
    return end.result, end.reason, end.article


def rule(table: CoreTable, ruling: str, **more: bool) -> tuple[ev.AnyEvent, ...]:
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


def claimed() -> CoreTable:
    table = quick()
    table.done("white", cmd.ClaimDraw(kind="increment"))
    rule(table, "wrong")
    table.done("arbiter", cmd.Resume())
    table.done("white", cmd.ClaimDraw(kind="quickplay", ground="cannot_win"))
    return table
