"""Every claim of a draw with every ruling: all that is on record, seat by seat and article by article (9.5, III)."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from core_table import CoreTable, only, said

from server.play import commands as cmd
from server.play import events as ev
from server.play.commands import Refusal
from server.play.rules.event_options import EventOptions
from server.play.values import Origin, Role, Seat

Ruling = Literal["correct", "wrong", "postponed"]
MINUTE = 60_000
KNIGHTS = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1"


def quick() -> CoreTable:
    """White has a minute and 40 seconds, by the guidelines of a quickplay finish."""
    table = CoreTable(control="1800", regulations=EventOptions(guidelines=("III",)))
    table.wait(1_700_000)
    return table


def quickplay(table: CoreTable) -> None:
    """The request for an increment is refused, then comes the claim."""
    table.done("white", cmd.ClaimDraw(kind="increment"))
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    table.done("arbiter", cmd.Resume())
    table.done("white", cmd.ClaimDraw(kind="quickplay", ground="no_effort"))


def ruled(
    table: CoreTable, ruling: Ruling
) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], list[tuple[str, str]]]:
    """The ruling, the time given, and the end, each with its seat and article."""
    events = table.done("arbiter", cmd.RuleClaim(ruling=ruling))
    rulings = [(one.seat, one.kind, one.ruling, one.article) for one in only(events, ev.ClaimRuled)]
    given = [(one.seat, one.ms, one.reason, one.article) for one in only(events, ev.TimeAdded)]
    return rulings, given, [(one.reason, one.article) for one in only(events, ev.GameEnded)]


def test_a_request_for_an_increment_granted_and_refused() -> None:
    table = quick()
    table.done("white", cmd.ClaimDraw(kind="increment"))
    assert ruled(table, "correct") == (
        [(Seat.WHITE, "increment", "correct", "III.4")],
        [(Seat.BLACK, 2 * MINUTE, "claim", "III.4")],
        [],
    )
    assert table.state.increment_request == "granted" and table.state.claim is None
    table = quick()
    table.done("white", cmd.ClaimDraw(kind="increment"))
    assert ruled(table, "wrong") == ([(Seat.WHITE, "increment", "wrong", "III.4")], [], [])
    assert table.state.increment_request == "refused" and table.state.claim is None


@pytest.mark.parametrize(
    ("ruling", "article", "given", "ends"),
    [
        ("correct", "III.5.1", False, [("draw_claimed", "III.5.1")]),
        ("postponed", "III.5.2", True, []),
        ("wrong", "III.5.3", True, []),
    ],
)
def test_a_claim_in_a_quickplay_finish(ruling: Ruling, article: str, given: bool, ends: list[tuple[str, str]]) -> None:
    table = quick()
    quickplay(table)
    found = ruled(table, ruling)
    assert found[0] == [(Seat.WHITE, "quickplay", ruling, article)] and found[2] == ends
    assert found[1] == ([(Seat.BLACK, 2 * MINUTE, "claim", article)] if given else [])
    assert table.state.claim is None and (table.state.postponed is not None) is (ruling == "postponed")
    again = table.do("arbiter", cmd.RuleClaim(ruling="wrong"))
    if ruling == "postponed":
        assert not isinstance(again, Refusal) and table.state.postponed is None, "ruled at last"
    elif ruling == "wrong":
        assert again == Refusal("no_claim", "9.5")


@pytest.mark.parametrize("kind", ["repetition", "unstated"])
def test_a_claim_by_repetition_is_right(kind: Literal["repetition", "unstated"]) -> None:
    table = CoreTable()
    for number, move in enumerate((*KNIGHTS.split(), "Ng8")):
        station = "black" if number % 2 else "white"
        table.say(station, move, act="announce")
        if number < 7:
            table.press(station)
    table.press("black")
    claimed = table.done("white", cmd.ClaimDraw(kind=kind))
    assert [(one.by, one.seat, one.reason) for one in only(claimed, ev.ClockPaused)] == [
        (Role.PLAYER, Seat.WHITE, "claim")
    ]
    (alert,) = [one for one in only(claimed, ev.Alerted) if one.kind == "draw_claimed"]
    assert "right by the record (9.2" in alert.detail and "plies 0, 4, 8" in alert.detail
    article = "9.2" if kind == "repetition" else "9.5.2"
    assert ruled(table, "correct") == ([(Seat.WHITE, kind, "correct", "9.5.2")], [], [("draw_claimed", article)])


def test_a_claim_of_fifty_moves_that_is_wrong_says_what_was_looked_at_and_costs_time() -> None:
    table = CoreTable(control="5400+30")
    for station, move in (("white", "e4"), ("black", "e5")):
        table.say(station, move, act="announce")
        table.press(station)
    claimed = table.done("white", cmd.ClaimDraw(kind="fifty_moves", intended=said("Nf3"), text="Nf3"))
    (alert,) = [one for one in only(claimed, ev.Alerted) if one.kind == "draw_claimed"]
    assert "wrong by the record (9.3.1) with the intended g1f3" in alert.detail
    assert ruled(table, "wrong") == (
        [(Seat.WHITE, "fifty_moves", "wrong", "9.5.3")],
        [(Seat.BLACK, 2 * MINUTE, "claim", "9.5.3")],
        [],
    )
    (told,) = [one for one in only(table.events, ev.Alerted) if one.kind == "claim_wrong"]
    assert told.detail.endswith('"Nf3" must be made, if it is legal')
    assert table.state.intended is not None and table.state.intended.seat is Seat.WHITE


def test_a_wrong_claim_without_a_move_obliges_to_none() -> None:
    table = CoreTable()
    table.say("white", "e4", act="announce")
    table.press("white")
    table.done("black", cmd.ClaimDraw(kind="repetition"))
    assert ruled(table, "wrong")[0] == [(Seat.BLACK, "repetition", "wrong", "9.5.3")]
    (told,) = [one for one in only(table.events, ev.Alerted) if one.kind == "claim_wrong"]
    assert told.detail.endswith("(9.1.2.3)") and table.state.intended is None


def test_only_a_quickplay_claim_is_postponed_and_only_one_claim_is_open() -> None:
    table = CoreTable()
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert table.do("arbiter", cmd.RuleClaim(ruling="postponed")) == Refusal("only_quickplay_postponed", "III.5.1")
    assert table.do("white", cmd.ClaimDraw(kind="repetition")) == Refusal("claim_open", "9.5.1")
    assert CoreTable().do("arbiter", cmd.RuleClaim(ruling="wrong")) == Refusal("no_claim", "9.5")


def test_a_claim_infers_that_the_opponents_move_was_made() -> None:
    """Who claims has the move: what Black announced and did not press was made, and the claim counts from there."""
    table = CoreTable()
    table.say("white", "e4", act="announce")
    table.press("white")
    table.say("black", "e5", act="announce")
    claimed = table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert [(one.ply, one.origin) for one in only(claimed, ev.Made)] == [(2, Origin.INFERRED)]
    assert [(one.seat, one.ply) for one in only(claimed, ev.DrawClaimed)] == [(Seat.WHITE, 2)]
