"""Small print of draw offers and of announcements that mutants (`make mutants`) showed no test to hold."""

from __future__ import annotations

import pytest
from core_table import CoreTable, only

from server.play import commands as cmd
from server.play import events as ev
from server.play.announcement import Announcement
from server.play.commands import Refusal
from server.play.rules.event_options import EventOptions
from server.play.values import Seat


def played(*moves: str, regulations: EventOptions | None = None) -> CoreTable:
    table = CoreTable(regulations=regulations)
    for number, move in enumerate(moves):
        table.say("black" if number % 2 else "white", move, act="announce")
        table.press("black" if number % 2 else "white")
    return table


def alerts(events: tuple[ev.AnyEvent, ...]) -> list[ev.Alerted]:
    return [one for one in only(events, ev.Alerted) if one.kind == "offer_out_of_place"]


def test_no_second_offer_while_the_first_stands() -> None:
    table = played("e4", "e5")
    table.say("white", "Nf3", act="announce")
    table.done("white", cmd.OfferDraw())
    table.press("white")
    assert table.do("black", cmd.OfferDraw()) == Refusal("offer_stands", "9.1.2.1")


def test_an_offer_that_the_event_forbids_names_the_event() -> None:
    table = played("e4", "e5", regulations=EventOptions(draw_offer_min_moves=30))
    table.say("white", "Nf3", act="announce")
    assert table.do("white", cmd.OfferDraw()) == Refusal("draw_restricted", "9.1.1")


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
    assert "white" in told.detail and "so far: 2" in told.detail and not told.grey


def test_the_tactile_players_offer_marks_the_cell_that_is_written() -> None:
    """He offers after his press: the move's cell is there already and takes the mark (8.1.5)."""
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
