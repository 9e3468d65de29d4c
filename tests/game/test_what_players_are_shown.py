"""Who is shown what of words, draws and plies: the own station, the other player's, and nobody else (`views`)."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.state.line import resolve
from server.game.values.announcement import Announcement
from server.game.values.position import Position
from server.game.values.words import Mode, Seat, snake_case
from server.game.views import messages as msg
from server.game.views.view import view
from tests.game.core_table import CoreTable, only


def shown(table: CoreTable, events: tuple[ev.AnyEvent, ...], station: str) -> list[msg.AnyMessage]:
    known = table.state.stations.find(station)
    assert known is not None
    return [told for event in events if (told := view(event, table.state, known)) is not None]


def understood(messages: list[msg.AnyMessage]) -> list[tuple[tuple[str, ...], str, str | None]]:
    return [(one.words, one.text, one.utterance) for one in messages if isinstance(one, msg.Understood)]


def test_what_was_understood_goes_back_to_who_said_it_and_to_nobody_else() -> None:
    table = CoreTable()
    announced = table.say("white", "e4", utterance="u1")
    assert understood(shown(table, announced, "white")) == [(("e4",), "e4", "u1")]
    assert not shown(table, announced, "black")
    table.press("white")
    again = table.say("white", "e4", utterance="u2", act="announce")
    assert only(again, ev.AnnouncementRepeated) and understood(shown(table, again, "white")) == [(("e4",), "e4", "u2")]
    echoed = table.say("black", "e4", utterance="u3")
    assert only(echoed, ev.Echoed)
    assert understood(shown(table, echoed, "black")) == [(("e4",), "e4", "u3")]
    assert not understood(shown(table, echoed, "white"))


def test_in_relay_the_words_go_to_the_other_player_as_said() -> None:
    table = CoreTable()
    table.mode(Mode.RELAY)
    announced = table.say("white", "e4", utterance="u1")
    relayed = [one for one in shown(table, announced, "black") if isinstance(one, msg.Relayed)]
    assert [(one.words, one.text, one.again) for one in relayed] == [(("e4",), "e4", False)]
    assert not [one for one in shown(table, announced, "white") if isinstance(one, msg.Relayed)]


@pytest.mark.parametrize("accept", [True, False])
def test_both_players_learn_how_an_offer_was_answered(accept: bool) -> None:
    table = CoreTable()
    for station, move in (("white", "e4"), ("black", "e5"), ("white", "Nf3")):
        table.say(station, move, act="announce")
        if move != "Nf3":
            table.press(station)
    offered = table.done("white", cmd.OfferDraw())
    for station in ("white", "black"):
        (offer,) = [one for one in shown(table, offered, station) if isinstance(one, msg.DrawOffer)]
        assert (offer.own, offer.by_claim, offer.acknowledge) == (station == "white", False, False)
    table.press("white")
    answered = table.done("black", cmd.AnswerDraw(accept=accept))
    for station in ("white", "black"):
        replies = [one for one in shown(table, answered, station) if isinstance(one, msg.DrawReply)]
        assert [one.accepted for one in replies] == [accept]


def test_en_passant_is_a_way_to_arrive_though_the_square_is_empty() -> None:
    """By form alone: the square behind the passed pawn is empty, and one pawn only comes from there."""
    board = Position.from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").board()
    assert resolve(Announcement(piece="pawn", to_square="d6"), board).uci == "e5d6"
    assert resolve(Announcement(piece="pawn", to_square="d6"), board, by_geometry=True).uci == "e5d6"
    two = Position.from_fen("4k3/8/8/3pP3/8/8/P7/4K3 w - d6 0 1").board()
    assert resolve(Announcement(piece="pawn", to_square="d6"), two, by_geometry=True).uci == "e5d6", "not from a2"
    beside = Position.from_fen("4k3/8/8/4P3/8/8/8/4K3 w - - 0 1").board()
    assert resolve(Announcement(from_square="e5", to_square="d6"), beside, by_geometry=True).uci == "e5d6"


def test_the_names_of_events_on_the_wire() -> None:
    assert snake_case("BoardMoved") == "board_moved" and snake_case("Made") == "made"


@pytest.mark.parametrize("seat", list(Seat))
def test_a_resignation_is_the_own_or_the_other_players(seat: Seat) -> None:
    table = CoreTable()
    resigned = table.done(seat.value, cmd.Resign())
    for station in Seat:
        (told,) = [one for one in shown(table, resigned, station.value) if isinstance(one, msg.ResignationShown)]
        assert told.own is (station is seat)
