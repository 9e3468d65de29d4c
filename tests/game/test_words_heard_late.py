"""Words that sounded before the press and were heard after it: an announcement's time is the time of its sound (D.2.1).

A player says a move and presses at once; the recogniser is done a little later. What was said is what it would have
been, had it been heard in time, whether or not the opponent has a station, and however far the opponent is by then.
"""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.candidates import Candidate
from server.game.values.words import Seat, SeatKind
from tests.game.core_table import CoreTable, only, play, played, said

W, B = Seat.WHITE, Seat.BLACK
RECOGNISED_MS = 600


def at_table(*moves: str, alone: bool = False) -> CoreTable:
    """White plays by touch; `alone`: the opponent has no station, and presses a button of the table."""
    return played(*moves, stations=(W,) if alone else (W, B), black=SeatKind.SIGHTED)


def said_and_pressed(table: CoreTable, station: str, *words: str) -> list[tuple[str, int]]:
    """A player says these words and presses; what was said, and when, is still being recognised."""
    spoken = []
    for one in words:
        table.wait(2_000)
        spoken.append((one, table.now))
    table.wait(1_000)
    table.press(station)
    table.wait(RECOGNISED_MS)
    return spoken


def alerts(table: CoreTable) -> set[str]:
    """Return the words against words of which the arbiter is told."""
    return {one.kind for one in only(table.events, ev.Alerted)} & {"contested", "echo_differs", "out_of_turn_speech"}


def heard(table: CoreTable, station: str, spoken: list[tuple[str, int]], **more: Any) -> None:
    for text, at_ms in spoken:
        table.say(station, text, at_ms=at_ms, utterance=f"{text}-{at_ms}", **more)


@pytest.mark.law("L182", "L189")
@pytest.mark.parametrize("alone", [True, False])
def test_a_move_that_is_heard_after_its_press_is_that_move(alone: bool) -> None:
    table = at_table(alone=alone)
    heard(table, "white", said_and_pressed(table, "white", "e4"))
    assert table.ply(1).announcement == said("e4") and table.ply(1).completed
    assert table.state.ply(2) is None and table.state.on_move is B, "nothing is known of Black's move"
    assert not table.state.rulings.unsettled, "that nothing was heard is not true any more"
    assert table.score(W) == ["e4"] and not alerts(table)


@pytest.mark.law("L190", "L191")
@pytest.mark.parametrize("station", ["white", "black"])
def test_that_a_press_came_without_an_announcement_is_not_true_any_more_once_one_is_heard(station: str) -> None:
    """White plays by touch (D.2.4); of Black the arbiter settled before the game that it is noted (G1)."""
    table = played(black=SeatKind.SIGHTED, started=False)
    table.adapt("sighted_press_without_announcement", "note")
    table.done("arbiter", cmd.StartGame())
    play(table, "e4 e5" if station == "white" else "e4 e5 Nf3")
    spoken = said_and_pressed(table, station, "Bb5" if station == "white" else "Nc6")
    kinds = {one.alert.kind for one in table.state.rulings.unsettled}
    assert kinds == {"unheard", "premature_press" if station == "white" else "unannounced_press"}
    heard(table, station, spoken)
    assert not table.state.rulings.unsettled


@pytest.mark.law("L182")
@pytest.mark.parametrize("silent", [False, True], ids=["Black spoke", "nothing was heard of Black"])
def test_an_echo_and_a_move_that_are_both_heard_after_the_press_are_these(silent: bool) -> None:
    table = at_table("e4", *([] if silent else ["e5"]))
    if silent:
        table.press("black")
    heard(table, "white", said_and_pressed(table, "white", "e5", "Nf3"))
    assert (table.ply(2).echo, table.ply(2).echo_agrees) == (said("e5"), None if silent else True)
    assert table.ply(3).announcement == said("Nf3")
    assert table.score(W)[2:] == ["Nf3"] and not alerts(table)


@pytest.mark.law("L182")
@pytest.mark.parametrize("pressed", [True, False])
def test_the_opponents_next_words_may_be_faster_and_are_not_answered_by_them(pressed: bool) -> None:
    table = at_table()
    spoken = said_and_pressed(table, "white", "e4")
    table.say("black", "e5", act="announce")
    if pressed:
        table.press("black")
    heard(table, "white", spoken)
    assert table.ply(1).announcement == said("e4") and table.ply(2).announcement == said("e5")
    assert table.ply(2).echo is None and not alerts(table)


@pytest.mark.law("L182", "L195")
@pytest.mark.parametrize("alone", [True, False])
def test_a_correction_that_is_heard_after_the_press_is_the_arbiters_and_no_echo(alone: bool) -> None:
    table = at_table(alone=alone)
    table.say("white", "e4")
    heard(table, "white", said_and_pressed(table, "white", "d4"))
    assert [one.ply for one in only(table.events, ev.Contested)] == [1]
    assert table.state.ply(2) is None and table.state.on_move is B


@pytest.mark.law("L182")
@pytest.mark.parametrize(
    ("either", "again", "act", "is_own"),
    [
        (False, "e4", "auto", True),
        (False, "e4", "echo", False),
        (False, "e5", "auto", False),
        (True, "e5", "auto", True),
        (True, "d5", "auto", False),
    ],
)
def test_a_sound_that_was_not_understood_is_said_again_after_the_press(
    either: bool, again: str, act: Any, is_own: bool
) -> None:
    """The opponent has no station: these words are an echo unless both sounds say the same, or answer the question."""
    table = at_table(alone=True)
    table.own(cmd.SetSoundAside(seat=W, utterance="u0", candidates=(Candidate.of(said("d5"), 0.1),)))
    ways = (Candidate.of(said("d5"), 3.0), Candidate.of(said("e5"), 2.0), Candidate.of(said("e4"), 0.4))
    asked = (("file.e", "rank.4"), ("file.e", "rank.5")) if either else ()
    table.mumble("white", "u1", candidates=ways, either=asked)
    table.press("white")
    table.wait(3_000)
    table.say("white", again, at_ms=table.now - 500, act=act)
    assert (table.ply(1).announcement is not None) is is_own and (table.state.ply(2) is None) is is_own
    assert table.score(W) == ([again] if is_own else ["", again])


@pytest.mark.law("L182")
@pytest.mark.parametrize(
    ("heard_ms", "sounded_ms", "own"),
    [
        (600, 500, False),
        (600, 0, False),  # with the press, not before it
        (600, -1, True),
        (0, -500, True),  # heard at the instant of the press
        (-5_000, -5_100, False),  # the press was in an earlier run, whose times say nothing now
    ],
)
def test_what_sounds_after_the_press_is_the_echo_as_ever(heard_ms: int, sounded_ms: int, own: bool) -> None:
    table = at_table(alone=True)
    table.wait(5_000)
    table.press("white")
    pressed_at = table.now
    table.wait(heard_ms)
    table.say("white", "e5", at_ms=pressed_at + sounded_ms)
    assert (table.ply(1).announcement == said("e5"), table.state.ply(2) is None) == (own, own)
    assert own or table.ply(2).echo == said("e5")


@pytest.mark.law("L182", "L189")
def test_words_belong_to_the_first_press_after_them_however_many_moves_are_made_since() -> None:
    """Three quick moves are recognised only when the third is completed: each in its order."""
    table = at_table()
    spoken = []
    for own, other in (("e4", "e5"), ("Nf3", "Nc6"), ("Bb5", None)):
        spoken += said_and_pressed(table, "white", own)
        if other is not None:
            table.say("black", other, act="announce")
            table.press("black")
    heard(table, "white", spoken)
    assert [table.ply(index).announcement for index in (1, 3, 5)] == [said("e4"), said("Nf3"), said("Bb5")]
    assert [one or None for one in table.score(W)[::2]] == ["e4", "Nf3", "Bb5"] and not alerts(table)
