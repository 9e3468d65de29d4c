"""Small print of adjourned games that mutants (`make mutants`) showed no test to hold."""

from __future__ import annotations

import chess
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.laws.event_options import EventOptions
from server.game.values.adjournment import Adjournment, SealedMove
from server.game.values.words import Role, Seat
from tests.game.core_table import CoreTable, only, play, said

BLACK_FIRST = chess.STARTING_FEN.replace(" w ", " b ")


def ordered(control: str = "5400", fen: str = chess.STARTING_FEN, session_left_ms: int | None = None) -> CoreTable:
    """The player on move has been told to seal."""
    table = CoreTable(fen=fen, regulations=EventOptions(guidelines=("I",), default_time_s=900), control=control)
    table.done("arbiter", cmd.OrderSeal(key="key", salt="salt", session_left_ms=session_left_ms))
    return table


def put(table: CoreTable, station: str) -> tuple[ev.AnyEvent, ...]:
    return table.done(station, cmd.SealMove(sealed="c2VhbGVk", sha256="ab"))


def of(table: CoreTable) -> Adjournment:
    assert table.state.adjournment is not None
    return table.state.adjournment


def test_only_the_sealers_own_squares_are_kept_from_the_boards() -> None:
    table = CoreTable(regulations=EventOptions(guidelines=("I",)))
    play(table, "e4")
    table.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))
    write = cmd.WriteScore(index=1, text="e4")
    assert table.do("black", write) == Refusal("sealing", "I.1.1")
    table.done("white", write)
    put(table, "black")
    table.press("black")
    assert table.do("black", write) == Refusal("adjourned", "I.7")
    table.done("white", write)


def test_who_closes_an_envelope_before_any_order_is_told_so() -> None:
    table = CoreTable(regulations=EventOptions(guidelines=("I",)))
    assert table.do("white", cmd.StopSealed()) == Refusal("not_sealing", "I.1.1")
    assert table.do("white", cmd.SealMove(sealed="eA==")) == Refusal("not_sealing", "I.1.1")


def test_the_number_of_the_sealed_move_counts_from_the_side_that_began() -> None:
    """A game that Black begins at move 1: after that move White seals move 2."""
    table = CoreTable(fen=BLACK_FIRST, regulations=EventOptions(guidelines=("I",)))
    play(table, "e5")
    table.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))
    put(table, "white")
    table.press("white")
    label = of(table).label
    assert label is not None and (label.sealed_by, label.move_number) == (Seat.WHITE, 2)


def test_the_repliers_press_on_arrival_is_a_press_without_effect_on_the_moves() -> None:
    table = ordered()
    put(table, "white")
    table.press("white")
    before = table.press("white")  # the sealer again: nothing runs, nothing arrives
    assert not [one for one in only(before, ev.Alerted) if one.kind == "arrived"]
    table.done("arbiter", cmd.StartResumption())
    arrived = table.press("black")
    (pressed,) = only(arrived, ev.ClockPressed)
    assert (pressed.seat, pressed.ply, pressed.effective) == (Seat.BLACK, 0, False)
    (paused,) = only(arrived, ev.ClockPaused)
    assert (paused.by, paused.seat, paused.reason) == (Role.PLAYER, Seat.BLACK, "arrived")
    assert [one.grey for one in only(arrived, ev.Alerted)] == [False]


def test_a_reply_may_be_ordered_again_while_it_is_being_sealed() -> None:
    """I.9.3: the order to seal the reply stands; a second one with another key replaces the key and not the ply."""
    table = ordered()
    reply = cmd.OrderSeal(key="other", salt="salt", reply=True)
    assert table.do("arbiter", reply) == Refusal("no_sealed_reply", "I.9.3"), "an ordinary sealing is no reply"
    put(table, "white")
    table.press("white")
    table.done("arbiter", cmd.MarkPresent(seat=Seat.BLACK, present=True))
    table.done("arbiter", cmd.OpenEnvelope(content=_opened("Nf3")))
    table.done("arbiter", reply)
    table.done("arbiter", cmd.OrderSeal(key="third", salt="salt", reply=True))
    assert (of(table).key, of(table).ply, of(table).reply) == ("third", 2, True)


def _opened(text: str) -> SealedMove:
    return SealedMove(announcement=said(text), words=(text,), text=text, utterance="u1")


@pytest.mark.law("L101", "L212")
@pytest.mark.parametrize("accepts", [True, False])
def test_an_offer_of_the_player_who_replies_outlives_the_opening_of_the_move_sealed_before_it(accepts: bool) -> None:
    """The sealer made no move after it, and may accept it (9.1.2.1, I.4); the next move rejects it."""
    table = CoreTable(regulations=EventOptions(guidelines=("I",)))
    play(table, "e4 e5", wait=10_000)
    table.done("arbiter", cmd.OrderSeal(key="k", salt="s"))
    table.done("white", cmd.SealMove(sealed="x", sha256="0", understood=True))
    table.done("white", cmd.StopSealed())
    table.done("black", cmd.OfferDraw())
    assert table.state.draws.offers_at == (2,), "the last move that Black has in the score"
    for seat in Seat:
        table.done("arbiter", cmd.MarkPresent(seat=seat))
    table.done("arbiter", cmd.OpenEnvelope(content=SealedMove(announcement=said("Nf3"))))
    assert table.state.draws.offer_by is Seat.BLACK
    if accepts:
        table.done("white", cmd.AnswerDraw(accept=True))
        assert table.state.ending.result == "1/2-1/2"
    else:
        play(table, "Nc6 Bb5")
        assert table.state.draws.offer_by is None
