"""Small print of draw offers and of announcements that mutants (`make mutants`) showed no test to hold."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.laws.event_options import EventOptions
from server.game.values.announcement import Announcement
from server.game.values.words import Role, Seat
from tests.game.core_table import CoreTable, only, play, played


def alerts(events: tuple[ev.AnyEvent, ...]) -> list[ev.Alerted]:
    return [one for one in only(events, ev.Alerted) if one.kind == "offer_out_of_place"]


@pytest.mark.law("L090")
def test_the_ply_of_the_last_offer_is_where_its_mark_belongs_and_before_any_there_is_none() -> None:
    table = played("e4", "e5")
    plies = [table.state.draws.offer_ply]
    for seat, other in (("white", "black"), ("black", "white")):
        table.done(seat, cmd.OfferDraw())
        plies.append(table.state.draws.offer_ply)
        table.done(other, cmd.AnswerDraw(accept=False))
        table.press(seat)
    assert plies == [0, 2, 3]


def test_the_first_offer_in_its_place_is_nothing_for_the_arbiter_and_the_second_is_a_fact() -> None:
    table = played("e4", "e5")
    table.say("white", "Nf3", act="announce")
    assert alerts(table.done("white", cmd.OfferDraw())) == []
    table.press("white")
    table.done("black", cmd.AnswerDraw(accept=False))
    table.say("black", "Nc6", act="announce")
    assert alerts(table.done("black", cmd.OfferDraw())) == [], "each side's offers are counted apart"
    table.press("black")
    table.done("white", cmd.AnswerDraw(accept=False))
    table.say("white", "Bb5", act="announce")
    (told,) = alerts(table.done("white", cmd.OfferDraw()))
    assert "White" in told.detail and "so far: 2" in told.detail and not told.grey


def test_the_tactile_players_offer_marks_the_cell_that_is_written() -> None:
    """White offers after pressing: the move's cell is there already and takes the mark (8.1.5)."""
    table = played("e4")
    assert table.score(Seat.WHITE)[0] == "e4"
    table.done("white", cmd.OfferDraw())
    assert table.score(Seat.WHITE)[0] != "e4" and table.score(Seat.WHITE)[0].startswith("e4")


@pytest.mark.parametrize("castling", ["short", "long"])
def test_castling_means_the_king_said_or_not(castling: str) -> None:
    bare = Announcement(castling=castling)  # type: ignore[arg-type]
    named = Announcement(piece="king", castling=castling)  # type: ignore[arg-type]
    assert bare.piece_meant == named.piece_meant == "king"
    assert bare.complete and named.complete and bare.agrees_with(named)
    assert not Announcement(piece="rook", castling=castling).complete  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (Announcement(to_square="e4"), "pawn"),
        (Announcement(from_square="e2", to_square="e4"), None),
        (Announcement(from_square="e7", to_square="e8", promotion="queen"), "pawn"),
        (Announcement(piece="knight", to_square="f3"), "knight"),
    ],
)
def test_which_piece_is_meant(said: Announcement, meant: str | None) -> None:
    assert said.piece_meant == meant


def out_of_place(at: int, ply: int, detail: str) -> ev.Alerted:
    return ev.Alerted(at=at, kind="offer_out_of_place", ply=ply, grey=False, detail=detail)


BEFORE = "White offers a draw, before the move; the offer stands (9.1.2.1). This player's draw offers so far: 1 (11.5)"
ON_WHITES_TIME = (
    "Black offers a draw, in the opponent's time; the offer stands (9.1.2.1). "
    "This player's draw offers so far: 1 (11.5)"
)


@pytest.mark.law("L101")
@pytest.mark.parametrize(
    ("rule_set", "seat", "announced", "told"),
    [
        ("fide2023", "white", False, BEFORE),
        ("fide2023", "black", False,
            ON_WHITES_TIME),
        ("fide2023", "white", True, ""),
        ("short", "white", False, "the opponent may demand the move first"),
        ("short", "black", False, ON_WHITES_TIME),
        ("short", "white", True, ""),
    ],
)  # fmt: skip
def test_an_offer_is_on_record_and_at_another_moment_the_arbiter_is_told(
    rule_set: str, seat: str, announced: bool, told: str
) -> None:
    table = CoreTable(rule_set=rule_set)
    play(table, "e4 e5")
    if announced:
        table.say("white", "Nf3", act="announce")
    table.wait(5)
    offered = ev.DrawOffered(at=table.now, seat=Seat(seat), ply=2)
    events = table.done(seat, cmd.OfferDraw())
    assert events == ((offered, out_of_place(table.now, 2, told)) if told else (offered,))


@pytest.mark.law("L101", "L047")
def test_an_agreement_ends_the_game_with_the_answer() -> None:
    table = played("e4", "e5")
    table.done("white", cmd.OfferDraw())
    table.wait(5)
    assert table.done("black", cmd.AnswerDraw(accept=True)) == (
        ev.DrawAnswered(at=table.now, seat=Seat.BLACK, accepted=True),
        ev.GameEnded(at=table.now, result="1/2-1/2", reason="draw_agreed", article="5.2.3"),
    )


@pytest.mark.law("L100")
def test_where_the_event_forbids_it_no_draw_is_agreed_by_a_claim_that_is_an_offer_either() -> None:
    table = played("e4", "e5", regulations=EventOptions(draw_offer_min_moves=30))
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert table.do("black", cmd.AnswerDraw(accept=True)) == Refusal("draw_restricted", "9.1.1")
    assert table.done("black", cmd.AnswerDraw(accept=False)) == (
        ev.DrawAnswered(at=table.now, seat=Seat.BLACK, accepted=False),
    )


@pytest.mark.law("L101")
def test_an_offer_confirmed_after_the_opponents_move_is_rejected_by_it_and_keeps_the_moment_of_its_sound() -> None:
    table = CoreTable()
    table.say("white", "e4", act="announce")
    table.done("white", cmd.Propose(what="draw_offer", sure=False, at_ms=table.now))
    table.press("white")
    said_at = table.now
    table.wait(1_000)
    play(table, "e5")
    table.wait(10)
    assert table.done("white", cmd.Confirm(yes=True)) == (
        ev.ProposalSettled(at=table.now, seat=Seat.WHITE, what="draw_offer", outcome="confirmed"),
        ev.DrawOffered(at=said_at, seat=Seat.WHITE, ply=2, after=1),
        ev.ScoreWritten(at=table.now, seat=Seat.WHITE, index=1, text="e4 (=)", source="offer", utterance=None),
        ev.DrawAnswered(at=table.now, seat=Seat.BLACK, accepted=False, by_move=True),
    )


@pytest.mark.law("L101", "L212")
@pytest.mark.parametrize(("seat", "told"), [("white", []), ("black", [ON_WHITES_TIME])])
def test_only_the_player_whose_move_is_sealed_offers_in_place(seat: str, told: list[str]) -> None:
    """I.4: the sealed move is made, so an offer with it is in its place; the opponent's comes at another moment."""
    table = CoreTable(regulations=EventOptions(guidelines=("I",), default_time_s=900))
    table.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))
    table.done("white", cmd.SealMove(sealed="c2VhbGVk", sha256="ab"))
    table.press("white")
    assert [one.detail for one in alerts(table.done(seat, cmd.OfferDraw()))] == told


@pytest.mark.law("L047", "L100")
@pytest.mark.parametrize(
    ("made", "announced", "refused"),
    [
        (("e4",), None, Refusal("a_move_each_first", "5.2.3")),
        (("e4",), "e5", Refusal("draw_restricted", "9.1.1")),
        (("e4", "e5", "Nf3"), None, Refusal("draw_restricted", "9.1.1")),
        (("e4", "e5", "Nf3"), "Nf6", None),
        (("e4", "e5", "Nf3", "Nf6"), None, None),
    ],
)
def test_a_draw_is_agreed_when_each_has_made_as_many_moves_as_the_event_asks(
    made: tuple[str, ...], announced: str | None, refused: Refusal | None
) -> None:
    """A claim is an offer in any case; here two moves each are asked before the players may agree."""
    table = played(*made, regulations=EventOptions(draw_offer_min_moves=2))
    claims = table.state.on_move.other
    if announced is not None:
        table.say(claims.other.value, announced, act="announce")
    table.done(claims.value, cmd.ClaimDraw(kind="repetition"))
    found = table.do(claims.other.value, cmd.AnswerDraw(accept=True))
    assert found == refused if refused is not None else table.state.ending.result == "1/2-1/2"


@pytest.mark.law("L101")
def test_a_doubtful_offer_is_rejected_by_a_move_that_the_opponent_has_made_and_by_no_other() -> None:
    own = played("e4", "e5")
    own.done("white", cmd.Propose(what="draw_offer", sure=False))
    play(own, "Nf3")
    assert not only(own.done("white", cmd.Confirm(yes=True)), ev.DrawAnswered)
    announced = played("e4")
    announced.done("white", cmd.Propose(what="draw_offer", sure=False))
    announced.say("black", "e5", act="announce")
    assert not only(announced.done("white", cmd.Confirm(yes=True)), ev.DrawAnswered)
    assert own.state.draws.offer_by is announced.state.draws.offer_by is Seat.WHITE


@pytest.mark.law("L101", "L102")
@pytest.mark.parametrize(("claims", "marked"), [(False, True), (True, False)])
def test_who_answers_an_offer_aloud_has_noted_it_and_a_claim_is_none_to_be_noted(claims: bool, marked: bool) -> None:
    table = played("e4", "e5", "Nf3")
    table.done("black", cmd.ClaimDraw(kind="repetition") if claims else cmd.OfferDraw())
    at = table.now
    mark = ev.ScoreWritten(at=at, seat=Seat.WHITE, index=3, text="Nf3 (=)", source="answer", utterance=None)
    answered = ev.DrawAnswered(at=at, seat=Seat.WHITE, accepted=False)
    assert table.done("white", cmd.AnswerDraw(accept=False)) == ((answered, mark) if marked else (answered,))


@pytest.mark.law("L043", "L047", "L064")
@pytest.mark.parametrize("mated", [True, False])
def test_what_is_agreed_after_a_mate_or_a_claimed_flag_stops_the_clocks_or_waits_for_the_ruling(mated: bool) -> None:
    table = CoreTable(fen="3k4/R7/8/8/8/8/8/1R4K1 w - - 0 1", control="60", mates=False)
    for number, move in enumerate(("Kg2", "Ke8", "Rb8" if mated else "Rb7")):
        table.say("black" if number % 2 else "white", move, act="announce")
        table.press("black" if number % 2 else "white")
    if not mated:
        table.wait(61_000)
        table.done("white", cmd.ClaimTime())
    table.done("white", cmd.OfferDraw())
    at = table.now
    ruled_first = "a draw has been agreed; first rule on Black's flag-fall; it was claimed or called earlier (6.8, 6.9)"
    void = (
        "a draw has been agreed; void, unconfirmed (speech): checkmate on the "
        "server's board (5.1.1) since move 2 (White): 1-0"
    )
    told = ev.Alerted(at=at, kind="ended_before", ply=3, grey=mated, detail=void if mated else ruled_first)
    stop = ev.ClockPaused(at=at, by=Role.PLAYER, seat=Seat.BLACK, reason="draw_agreed")
    answered = ev.DrawAnswered(at=at, seat=Seat.BLACK, accepted=True)
    events = table.done("black", cmd.AnswerDraw(accept=True))
    assert events == ((answered, stop, told) if mated else (answered, told)) and not table.state.over


@pytest.mark.law("L043", "L047")
def test_a_draw_that_is_agreed_after_a_mate_was_announced_stops_the_clocks_for_the_arbiter() -> None:
    """Only the arbiter can find out whether mate was given before the draw was agreed (5.1.1, D.2.3)."""
    table = CoreTable(fen="3k4/R7/8/8/8/8/8/1R4K1 w - - 0 1")
    for station, move in (("white", "Kg2"), ("black", "Ke8")):
        table.say(station, move, act="announce")
        table.press(station)
    table.say("white", "Rb8", act="announce")
    table.done("white", cmd.OfferDraw())
    answered, told, stopped = table.done("black", cmd.AnswerDraw(accept=True))
    assert answered == ev.DrawAnswered(at=table.now, seat=Seat.BLACK, accepted=True)
    assert stopped == ev.ClockPaused(at=table.now, by=Role.PLAYER, seat=Seat.BLACK, reason="draw_agreed")
    assert isinstance(told, ev.Alerted) and told.kind == "ended_before" and not table.state.over
