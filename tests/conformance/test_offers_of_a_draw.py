"""Articles 5.2.3 and 9.1: a draw is offered, stands, is declined and agreed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.game import Game
from server.game.laws.event_options import EventOptions
from server.game.values.words import Seat
from server.game.views import messages as msg
from tests.conformance.law_table import ended
from tests.game.core_table import CoreTable, alerts, only, play, told


@pytest.mark.law("L047")
def test_l047_a_move_announced_and_not_pressed_is_a_move() -> None:
    table = CoreTable()
    play(table, "e4")
    table.say("black", "e5", act="announce")
    table.done("black", cmd.OfferDraw())
    table.done("white", cmd.AnswerDraw(accept=True))
    assert table.state.ending.result == "1/2-1/2"


@pytest.mark.law("L100")
@pytest.mark.parametrize("moves", [2, "forbidden"])
def test_l100_the_event_forbids_offers_before_move_n_or_at_all(moves: int) -> None:
    table = CoreTable(regulations=msgspec.convert({"draw_offer_min_moves": moves}, EventOptions))
    play(table, "e4 e5")
    assert table.do("black", cmd.OfferDraw()) == Refusal("draw_restricted", "9.1.1")
    play(table, "Nf3 Nf6")
    assert isinstance(table.do("black", cmd.OfferDraw()), Refusal) == (moves == "forbidden")
    table.done("arbiter", cmd.RuleResult(result="1/2-1/2", reason="agreed before the arbiter", article="9.1.1"))
    assert table.state.ending.result == "1/2-1/2", "with the arbiter's consent"


@pytest.mark.law("L101")
def test_l101_an_offer_stands_until_answered_or_until_the_opponent_moves() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.say("white", "Nf3", act="announce")
    table.done("white", cmd.OfferDraw())
    assert not alerts(table, "offer_out_of_place"), "after the move, before the press: as it should be"
    table.press("white")
    assert table.state.draws.offer_by is Seat.WHITE
    table.say("black", "Nf6", act="announce")
    assert table.state.draws.offer_by is Seat.WHITE
    table.press("black")
    assert table.state.draws.offer_by is None, "Black's own next move rejects it"
    refused = table.do("black", cmd.AnswerDraw(accept=True))
    assert isinstance(refused, Refusal) and refused.code == "no_offer"


@pytest.mark.law("L101")
@pytest.mark.parametrize(("how", "stands"), [("touched", True), ("lifted", False)])
def test_l101_lifting_a_piece_rejects_an_offer_and_feeling_it_does_not(how: str, stands: bool) -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("white", cmd.Execute())
    table.done("black", cmd.OfferDraw())
    touch = msgspec.convert({"do": "report_touch", "seat": "white", "square": "g1", "how": how}, cmd.ReportTouch)
    table.done("arbiter", touch)
    assert (table.state.draws.offer_by is Seat.BLACK) == stands
    table = CoreTable()
    play(table, "e4 e5")
    table.done("white", cmd.Execute())
    table.done("black", cmd.OfferDraw())
    table.done("white", cmd.Adjust())
    table.done("arbiter", touch)
    assert table.state.draws.offer_by is Seat.BLACK, "adjusting is no touch with intent (4.2.1)"


@pytest.mark.law("L101")
def test_l101_an_offer_at_another_moment_stands_and_the_arbiter_counts() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("black", cmd.OfferDraw())  # on White's time
    table.done("white", cmd.AnswerDraw(accept=False))
    assert table.state.draws.offer_by is None
    (first,) = alerts(table, "offer_out_of_place")
    assert "in the opponent's time" in first.detail and not first.grey
    table.done("black", cmd.OfferDraw())
    assert "so far: 2 (11.5)" in alerts(table, "offer_out_of_place")[-1].detail
    assert table.state.draws.offer_by is Seat.BLACK and table.state.draws.offers == (0, 2)
    table.done("white", cmd.AnswerDraw(accept=True))
    assert table.state.ending.result == "1/2-1/2"


@pytest.mark.law("L101")
def test_l101_an_offer_is_not_lost_to_a_move_that_was_announced_before_it() -> None:
    table = CoreTable()
    play(table, "e4")
    table.say("black", "e5", act="announce")
    table.done("white", cmd.OfferDraw())
    table.press("black")
    assert table.state.draws.offer_by is Seat.WHITE, "the move came before the offer"


@pytest.mark.law("L101")
def test_l101_nobody_can_withdraw_or_overwrite_an_offer() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("black", cmd.OfferDraw())
    assert isinstance(table.do("black", cmd.AnswerDraw(accept=False)), Refusal)
    assert table.do("white", cmd.OfferDraw()) == Refusal("offer_stands", "9.1.2.1")
    assert table.state.draws.offer_by is Seat.BLACK


def offered(*touches: tuple[str, str]) -> CoreTable:
    """White has offered a draw with the move and pressed, and Black touched these pieces (square, how)."""
    table = CoreTable()
    play(table, "e4 e5")
    table.say("white", "Nf3", act="announce")
    table.done("white", cmd.OfferDraw())
    table.press("white")
    table.done("black", cmd.Execute())
    for square, how in touches:
        table.done(
            "arbiter",
            msgspec.convert({"do": "report_touch", "seat": "black", "square": square, "how": how}, cmd.ReportTouch),
        )
    return table


def offer_stands(table: CoreTable) -> bool:
    assert Game.replay(table.events) == table.state
    return table.state.draws.offer_by is Seat.WHITE


@pytest.mark.law("L027", "L101")
def test_l101_a_touch_ruled_accidental_has_rejected_nothing() -> None:
    """9.1.2.1 asks for the intention of moving or capturing the piece; both players are told that the offer stands."""
    table = offered(("b8", "touched"))
    assert not offer_stands(table)
    assert isinstance(table.do("black", cmd.AnswerDraw(accept=True)), Refusal)
    before = len(told(table, Seat.WHITE)), len(told(table, Seat.BLACK))
    (ruled,) = only(table.done("arbiter", cmd.RuleTouch(number=1, counts=False)), ev.TouchRuled)
    assert ruled.offer == "back" and offer_stands(table)
    assert told(table, Seat.WHITE)[before[0] :] == [msg.DrawOffer(own=True)]
    assert told(table, Seat.BLACK)[before[1] :] == [msg.DrawOffer(own=False)]
    table.done("black", cmd.AnswerDraw(accept=True))
    assert ended(table) == ("1/2-1/2", "draw_agreed", "5.2.3")


@pytest.mark.law("L027", "L101")
def test_l101_every_touch_that_rejected_it_must_be_accidental() -> None:
    table = offered(("b8", "touched"), ("g8", "touched"))
    table.done("arbiter", cmd.RuleTouch(number=1, counts=False))
    assert not offer_stands(table), "the second one rejected it as well"
    table.done("arbiter", cmd.RuleTouch(number=2, counts=False))
    assert offer_stands(table)
    table.done("arbiter", cmd.RuleTouch(number=2, counts=True))
    assert not offer_stands(table), "it counts after all"
    table.done("arbiter", cmd.RuleTouch(number=2, counts=False))
    assert offer_stands(table)


@pytest.mark.law("L026", "L101")
def test_l101_a_touch_that_counts_after_all_rejects_the_offer_that_stands() -> None:
    table = offered(("f3", "placed"))
    table.done("black", cmd.Adjust())
    table.done("arbiter", cmd.ReportTouch(seat=Seat.BLACK, square="b8", how="lifted"))
    assert offer_stands(table), "said to be adjusted"
    (ruled,) = only(table.done("arbiter", cmd.RuleTouch(number=2, counts=True)), ev.TouchRuled)
    assert ruled.offer == "rejected" and not offer_stands(table)


@pytest.mark.law("L027", "L101")
@pytest.mark.parametrize("since", ["moved", "offered", "restored"])
def test_l101_what_has_happened_since_counts_too(since: str) -> None:
    table = offered(("b8", "touched"))
    if since == "moved":
        play(table, "Nc6")
    elif since == "offered":
        table.done("black", cmd.OfferDraw())
    else:
        table.done("arbiter", cmd.RestoreTo(ply=3))
    table.done("arbiter", cmd.RuleTouch(number=1, counts=False))
    assert offer_stands(table) is (since == "restored")
    assert table.state.draws.offer_by is {"moved": None, "offered": Seat.BLACK, "restored": Seat.WHITE}[since]


@pytest.mark.law("L026", "L101")
def test_l101_a_touch_before_the_offer_does_not_reject_it_when_it_is_ruled_to_count() -> None:
    table = CoreTable()
    play(table, "e4")
    table.done("black", cmd.Execute())
    table.done("arbiter", cmd.ReportTouch(seat=Seat.BLACK, square="b8", how="touched"))
    table.done("arbiter", cmd.RuleTouch(number=1, counts=False))
    table.done("white", cmd.OfferDraw())
    (ruled,) = only(table.done("arbiter", cmd.RuleTouch(number=1, counts=True)), ev.TouchRuled)
    assert ruled.offer == "" and offer_stands(table)


DECLINED: dict[str, tuple[cmd.AnyAct, ...]] = {
    "key": (cmd.AnswerDraw(accept=False),),
    "said": (cmd.Propose(what="draw_decline", sure=True),),
    "said, then yes": (cmd.Propose(what="draw_decline", sure=False), cmd.Confirm(yes=True)),
    "no": (cmd.Confirm(yes=False),),
}


@pytest.mark.law("L027", "L101")
@pytest.mark.parametrize("how", DECLINED)
def test_l101_an_offer_declined_aloud_does_not_come_back_with_the_touch(how: str) -> None:
    """The refusal is the same as without any touch, and nobody is told of it; the arbiter has it on record."""
    table, plain = offered(("b8", "touched")), CoreTable()
    play(plain, "e4")
    told_before = len(told(table, Seat.WHITE)), len(told(table, Seat.BLACK))
    for body in DECLINED[how]:
        answer = table.do("black", body)
        assert isinstance(answer, Refusal) is (not isinstance(body, cmd.Propose) or body.sure)
        other = plain.do("black", body)
        assert isinstance(other, Refusal) is isinstance(answer, Refusal)
        assert not isinstance(answer, Refusal) or answer == other
    news = told(table, Seat.WHITE)[told_before[0] :], told(table, Seat.BLACK)[told_before[1] :]
    assert not any(isinstance(one, msg.DrawReply | msg.DrawOffer) for side in news for one in side)
    answered = ev.DrawAnswered(at=table.now, seat=Seat.BLACK, accepted=False, after_touch=True)
    assert only(table.events, ev.DrawAnswered) == [answered]
    (ruled,) = only(table.done("arbiter", cmd.RuleTouch(number=1, counts=False)), ev.TouchRuled)
    assert ruled.offer == "" and not offer_stands(table) and table.state.draws.touched_off is None
    assert len(only(plain.events, ev.DrawAnswered)) == 0


@pytest.mark.law("L101")
@pytest.mark.parametrize(
    ("asked", "waited", "station", "body", "stands"),
    [
        (None, 0, "white", cmd.AnswerDraw(accept=False), True),
        (None, 0, "black", cmd.AnswerDraw(accept=True), True),
        (None, 0, "black", cmd.Confirm(yes=True), True),
        ("draw_accept", 0, "black", cmd.Confirm(yes=True), True),
        ("draw_decline", 10_001, "black", cmd.Confirm(yes=True), True),  # nothing is asked any more
        ("draw_accept", 10_001, "black", cmd.Confirm(yes=False), False),
        ("resign", 10_001, "black", cmd.Confirm(yes=False), True),  # a no to another question declines no offer
    ],
)
def test_l101_only_the_no_of_the_player_to_whom_it_was_offered_declines_it(
    asked: Any, waited: int, station: str, body: cmd.AnyAct, stands: bool
) -> None:
    table = offered(("b8", "touched"))
    if asked is not None:
        table.done("black", cmd.Propose(what=asked, sure=False))
    table.wait(waited)
    assert isinstance(table.do(station, body), Refusal)
    table.done("arbiter", cmd.RuleTouch(number=1, counts=False))
    assert offer_stands(table) is stands


@pytest.mark.law("L101", "L188")
def test_l101_at_the_tactile_board_a_touch_that_lifts_nothing_neither_rejects_nor_brings_back() -> None:
    table = CoreTable()
    play(table, "e4")
    table.say("black", "e5", act="announce")
    table.done("black", cmd.OfferDraw())
    table.press("black")
    table.done("white", cmd.Execute())
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="b1", how="touched"))
    (ruled,) = only(table.done("arbiter", cmd.RuleTouch(number=1, counts=True)), ev.TouchRuled)
    assert ruled.offer == "" and table.state.draws.offer_by is Seat.BLACK
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="b1", how="lifted"))
    assert table.state.draws.offer_by is None
    table.done("arbiter", cmd.RuleTouch(number=2, counts=False))
    assert table.state.draws.offer_by is Seat.BLACK
