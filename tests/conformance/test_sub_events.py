"""The parts of a capture and a promotion (3.1, 3.7.3, 4.4.4), what assistants report (D.2.10), a claim (6.12.2)."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.values.words import Duty, Origin, Seat, SeatKind
from tests.game.core_table import CoreTable, only, play


def at_each_second(table: CoreTable, seat: Seat, acts: tuple[tuple[str, Any, str | None], ...]) -> None:
    for square, how, piece in acts:
        table.wait(1_000)
        table.own(cmd.ReportTouch(seat=seat, square=square, how=how, piece=piece, origin="sensed"))


def in_order(table: CoreTable, ply: int) -> list[tuple[str, str, int, str | None]]:
    touches = [touch for touch in only(table.events, ev.TouchReported) if touch.ply == ply]
    assert [touch.number for touch in touches] == sorted(touch.number for touch in touches)
    return [(touch.square, touch.how, touch.at, touch.piece) for touch in touches]


@pytest.mark.law("L038")
def test_l038_a_capture_is_recorded_part_by_part_and_no_part_makes_the_move() -> None:
    table = CoreTable(white=SeatKind.SIGHTED, black=SeatKind.SIGHTED)
    play(table, "e4 d5")
    start = table.now
    acts = (("d5", "lifted", "p"), ("e4", "lifted", "P"), ("d5", "released", "P"))
    at_each_second(table, Seat.WHITE, acts)
    expected = [(square, how, start + 1_000 * (n + 1), piece) for n, (square, how, piece) in enumerate(acts)]
    assert in_order(table, 3) == expected
    assert table.state.made_plies == 2, "what was sensed makes no move"
    play(table, "e4d5")
    assert table.ply(3).made_ms == start + 3_000
    assert all(touch.origin is Origin.SENSED for touch in only(table.events, ev.TouchReported))


@pytest.mark.law("L040")
@pytest.mark.parametrize("pawn_first", [True, False])
def test_l040_a_promotion_is_recorded_part_by_part_in_either_order(pawn_first: bool) -> None:
    table = CoreTable(fen="4k3/P7/8/8/8/8/8/4K3 w - - 0 1", white=SeatKind.SIGHTED, black=SeatKind.SIGHTED)
    start = table.now
    pawn, piece = ("a7", "lifted", "P"), ("a8", "released", "Q")
    acts = (pawn, piece) if pawn_first else (piece, pawn)
    at_each_second(table, Seat.WHITE, acts)
    assert in_order(table, 1) == [(sq, how, start + 1_000 * (n + 1), who) for n, (sq, how, who) in enumerate(acts)]
    assert table.state.made_plies == 0
    play(table, "a8=Q")
    assert table.ply(1).made and table.state.moves.line[0] == "a7a8q"


@pytest.mark.law("L204")
def test_l204_the_assistant_claims_on_time_and_reports_the_sighted_players_touch() -> None:
    table = CoreTable()
    helper = table.assistant(Seat.WHITE, Duty.CLAIM_AND_REPORT)
    (touch,) = only(table.done(helper, cmd.ReportTouch(seat=Seat.BLACK, square="g8", how="touched")), ev.TouchReported)
    assert (touch.seat, touch.square, touch.origin) == (Seat.BLACK, "g8", Origin.ENTERED)
    own = table.do(helper, cmd.ReportTouch(seat=Seat.WHITE, square="g1", how="lifted"))
    assert own == Refusal("not_your_duty", "D.2.10.5"), "not of the helper's own player"
    (claimed,) = only(table.done(helper, cmd.ClaimTime()), ev.TimeClaimed)
    assert claimed.seat is Seat.WHITE
    assert table.do(helper, cmd.Press()) == Refusal("not_your_duty", "D.2.10.3"), "that duty and no other"


@pytest.mark.law("L073")
@pytest.mark.parametrize(
    ("evidence", "told"),
    [((), False), (("own_score",), False), (("display", "position"), False), (("display",), True)],
)
def test_l073_a_claim_says_on_what_it_is_based_and_a_display_alone_is_no_ground(evidence: Any, told: bool) -> None:
    table = CoreTable()
    table.press("white")
    table.press("black")
    events = table.done("white", cmd.ClaimDraw(kind="repetition", evidence=evidence))
    (claimed,) = only(events, ev.DrawClaimed)
    assert claimed.evidence == evidence
    assert any(alert.kind == "claim_on_display" for alert in only(events, ev.Alerted)) is told
    assert table.state.draws.claim is not None, "whether it holds is for the arbiter; it is never refused"
