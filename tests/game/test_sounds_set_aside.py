"""What was taken for nothing that was meant for us: it changes nothing, and stays as evidence with its ply."""

from __future__ import annotations

import math

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.belief import belief_question, most_probable_line
from server.game.state.apply import apply
from server.game.values.candidates import Candidate, UtteranceHeard, with_utterance
from server.game.values.words import Origin, Role, Seat, SeatKind
from server.game.views.view import view
from tests.game.core_table import CoreTable, fields_of, only, said


def ways(**chances: float) -> tuple[Candidate, ...]:
    """What a sound may have been: `e4=0.6, Nf3=0.2`."""
    return tuple(Candidate.of(said(text), round(-math.log(chance), 3)) for text, chance in chances.items())


def aside(table: CoreTable, seat: Seat, utterance: str, **chances: float) -> tuple[ev.AnyEvent, ...]:
    return table.own(cmd.SetSoundAside(seat=seat, utterance=utterance, candidates=ways(**chances)))


def lines(table: CoreTable) -> list[tuple[str, float]]:
    question = belief_question(table.state)
    return [] if question is None else [(one.uci, one.confidence) for one in most_probable_line(question)]


@pytest.mark.law("L194", "L141")
def test_nothing_follows_of_it_and_no_player_is_told() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    before = table.state
    done = aside(table, Seat.WHITE, "u1", e4=0.3)
    event = only(done, ev.SetAside)[0]
    assert [type(one) for one in done] == [ev.SetAside] and (event.ply, event.utterance) == (1, "u1")
    for station in table.state.stations.admitted:
        told = view(event, table.state, station)
        assert (told is not None) is (station.role is Role.ARBITER), station
    now = fields_of(table.state)
    assert {name for name, value in fields_of(before).items() if now[name] != value} == {"moves.set_aside"}, (
        "no move, no clock, no board, no score, no question"
    )


def test_what_was_heard_before_anything_was_taken_goes_with_the_move_that_is_made() -> None:
    """The announcement was not taken, nobody was asked, White pressed: the echo shows what it may have been."""
    table = CoreTable(black=SeatKind.TACTILE)
    aside(table, Seat.WHITE, "u1", d4=0.3, e4=0.2)
    assert lines(table) == [], "a move that is only thought of is not believed"
    table.do("white", cmd.Press())
    (record,) = table.state.moves.plies
    assert [one.utterance for one in record.utterances] == ["u1"] and table.state.moves.set_aside == ()
    alone = dict(lines(table))
    assert alone.get("d2d4", 0.0) < 0.9
    table.do(
        "black",
        cmd.Say(announcement=said("e4"), act="echo", origin=Origin.HEARD, utterance="u2", candidates=ways(e4=0.7)),
    )
    (first, *_) = lines(table)
    assert first[0] == "e2e4" and first[1] > 0.9


def test_it_counts_for_nothing_beside_what_was_taken_of_that_voice() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    heard = cmd.Say(announcement=said("e4"), origin=Origin.HEARD, utterance="u1", candidates=ways(e4=0.6, d4=0.2))
    table.do("white", heard)
    taken = lines(table)
    aside(table, Seat.WHITE, "u2", d4=0.6)
    assert lines(table) == taken and taken[0][0] == "e2e4"
    table.do("white", cmd.Press())
    aside(table, Seat.BLACK, "u3", d4=0.6)  # an echo is due: it would be that
    assert [(one.utterance, one.aside) for one in table.state.moves.plies[0].utterances] == [
        ("u1", False),
        ("u2", True),
        ("u3", True),
    ]


def test_before_the_game_and_after_it_it_is_about_no_move() -> None:
    table = CoreTable(black=SeatKind.TACTILE, started=False)
    assert only(aside(table, Seat.WHITE, "u1", e4=0.3), ev.SetAside)[0].ply == 0
    table.do("arbiter", cmd.StartGame())
    table.do("white", cmd.Resign())
    done = only(aside(table, Seat.BLACK, "u2", e4=0.3), ev.SetAside)
    assert [one.ply for one in done] == [0] and table.state.moves.set_aside == ()


def test_a_restored_game_forgets_what_was_said_of_the_coming_move() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    for seat, words in (("white", "e4"), ("black", "e5")):
        table.say(seat, words)
        table.press(seat)
    table.say("white", "e5", act="echo")
    aside(table, Seat.WHITE, "u1", Nf3=0.3)
    assert len(table.state.moves.set_aside) == 1
    event = ev.Restored(at=table.now, ply=0, discarded=("e2e4", "e7e5"), reason="")
    assert apply(table.state, event).moves.set_aside == ()


def test_what_was_set_aside_takes_the_place_of_nothing_that_was_taken() -> None:
    known: tuple[UtteranceHeard, ...] = ()
    for number in range(6):
        known = with_utterance(known, Seat.WHITE, f"t{number}", ways(e4=0.5))
    for number in range(5):
        known = with_utterance(known, Seat.WHITE, f"a{number}", ways(e4=0.5), aside=True)
    assert [one.utterance for one in known if not one.aside] == [f"t{number}" for number in range(6)]
    assert [one.utterance for one in known if one.aside] == [f"a{number}" for number in (3, 4)]
    more = with_utterance(known, Seat.BLACK, "t9", ways(e4=0.5))
    assert [one.utterance for one in more] == ["t1", "t2", "t3", "t4", "t5", "a3", "a4", "t9"]
