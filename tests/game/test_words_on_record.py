"""What each utterance brings about, whole: every field of its events, and of which move it is taken to be."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import PROGRAM, Refusal
from server.game.values.candidates import Candidate
from server.game.values.speech import Speech
from server.game.values.words import Mode, Origin, Seat, SeatKind
from tests.game.core_table import CoreTable, kinds, only, play, played, said

W, B = Seat.WHITE, Seat.BLACK
T = 1_000  # the instant of every act that does not wait
HEARD, ENTERED, INFERRED = Origin.HEARD, Origin.ENTERED, Origin.INFERRED


def weighed(text: str) -> tuple[Candidate, ...]:
    """What the ears leave of a sound: this announcement."""
    return (Candidate.of(said(text), 0.5),)


def sound(text: str, utterance: str) -> dict[str, Any]:
    return {"utterance": utterance, "candidates": weighed(text)}


def announced(seat: Seat, ply: int, text: str, **more: Any) -> ev.Announced:
    return ev.Announced(seat=seat, ply=ply, **_given(text, **more))


def echoed(seat: Seat, ply: int, text: str, **more: Any) -> ev.Echoed:
    return ev.Echoed(seat=seat, ply=ply, **_given(text, **{"agrees": True, **more}))


def _given(text: str, **more: Any) -> dict[str, Any]:
    """The fields of an event of these words, what was said among them as one value."""
    given = {"at": T, "announcement": said(text), "words": (text,), "text": text, "origin": HEARD, **more}
    own = {name: given.pop(name) for name in Speech.__struct_fields__ if name in given}
    return given | {"speech": Speech(**own)}


def made(seat: Seat, ply: int, origin: Origin = INFERRED) -> ev.Made:
    return ev.Made(at=T, seat=seat, ply=ply, origin=origin)


def alert(kind: str, ply: int, detail: str, *, grey: bool = True, utterance: str | None = None) -> ev.Alerted:
    return ev.Alerted(at=T, kind=kind, ply=ply, grey=grey, detail=detail, utterance=utterance)


@pytest.mark.law("L182", "L195")
def test_an_announcement_its_repetition_its_correction_and_a_late_one() -> None:
    table = CoreTable()
    assert table.say("white", "e4", **sound("e4", "u1")) == (announced(W, 1, "e4", **sound("e4", "u1")),)
    assert table.say("white", "e4", **sound("e4", "u2")) == (
        ev.AnnouncementRepeated(
            at=T,
            seat=W,
            ply=1,
            speech=Speech(words=("e4",), text="e4", utterance="u2", announcement=said("e4"), candidates=weighed("e4")),
        ),
    )
    assert table.say("white", "d4", **sound("d4", "u3")) == (announced(W, 1, "d4", **sound("d4", "u3"), replaces=True),)
    assert [one.utterance for one in table.ply(1).utterances] == ["u3"], "what was said of the slip is gone"
    earlier = CoreTable()
    earlier.wait(900)
    assert earlier.say("white", "e4", at_ms=1_200) == (announced(W, 1, "e4", at=1_200),), "at the time of the sound"


@pytest.mark.law("L182")
def test_an_echo_that_agrees_makes_the_move_and_is_the_score_of_who_scores_by_it() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    table.say("white", "e4")
    assert table.say("black", "e4", **sound("e4", "u1")) == (
        made(W, 1),
        echoed(B, 1, "e4", **sound("e4", "u1")),
        ev.ScoreWritten(at=T, seat=B, index=1, text="e4", source="echo", utterance="u1"),
    )
    assert (table.ply(1).echo_utterance, table.ply(1).echoed_ms) == ("u1", T)


@pytest.mark.law("L182")
@pytest.mark.parametrize(
    ("first", "second", "grey"), [(HEARD, HEARD, True), (HEARD, ENTERED, True), (ENTERED, ENTERED, False)]
)
def test_an_echo_that_differs_is_the_arbiters_and_makes_nothing(first: Origin, second: Origin, grey: bool) -> None:
    table = CoreTable()
    table.say("white", "e4", origin=first)
    assert table.say("black", "d4", origin=second, utterance="u1") == (
        echoed(B, 1, "d4", origin=second, agrees=False, utterance="u1"),
        alert("echo_differs", 1, "announcement and repetition differ (D.2.1)", grey=grey, utterance="u1"),
    )


@pytest.mark.law("L182")
def test_the_echo_of_a_move_that_was_not_understood_neither_agrees_nor_differs() -> None:
    table = CoreTable()
    table.mumble("white", "u0")
    assert table.say("black", "e4") == (made(W, 1), echoed(B, 1, "e4", agrees=None))
    late = CoreTable()
    late.mumble("white", "u0")
    late.press("white")
    assert late.say("black", "e4") == (
        echoed(B, 1, "e4", agrees=None),
        ev.BoardMoved(at=T, board=W, ply=1, uci="e2e4", origin=INFERRED),
    ), "the mover's board follows what was repeated"


@pytest.mark.law("L195")
def test_other_words_after_the_press_are_contested() -> None:
    table = played("e4")
    assert table.say("white", "d4", utterance="u1") == (
        ev.Contested(
            at=T, seat=W, ply=1, speech=Speech(announcement=said("d4"), words=("d4",), text="d4", utterance="u1")
        ),
        alert("contested", 1, "announcement changed after the press", utterance="u1"),
    )


def test_words_of_who_is_not_on_move_before_the_first_move_are_the_arbiters() -> None:
    table = CoreTable()
    assert table.say("black", "e5", utterance="u1") == (
        alert("out_of_turn_speech", 0, "spoken by the player who does not have the move", utterance="u1"),
    )


@pytest.mark.law("L182", "L189")
def test_the_own_move_of_the_player_not_on_move_makes_the_opponents() -> None:
    table = CoreTable()
    table.say("white", "e4")
    assert table.say("black", "e5", act="announce", **sound("e5", "u1")) == (
        made(W, 1),
        announced(B, 2, "e5", **sound("e5", "u1")),
    )


@pytest.mark.law("L182", "L189")
@pytest.mark.parametrize("kind", [SeatKind.TACTILE, SeatKind.SIGHTED])
def test_a_move_that_stood_before_it_was_announced_is_made_by_the_words(kind: SeatKind) -> None:
    """D.2.3: placed and announced, in any order; at the sighted board it was made as it stood there."""
    table = CoreTable(white=kind)
    sensed = table.own(cmd.SenseMove(seat=W, uci="e2e4"))
    assert bool(only(sensed, ev.Made)) is (kind is SeatKind.SIGHTED)
    words = announced(W, 1, "e4", differs=False)
    sensed_by_board = made(W, 1, Origin.SENSED)
    if kind is SeatKind.TACTILE:
        assert table.say("white", "e4", act="announce") == (words, sensed_by_board)
    else:
        assert table.say("white", "e4", act="announce") == (words,)


@pytest.mark.law("L182")
@pytest.mark.parametrize(("text", "differs"), [("e4", False), ("d4", True)])
def test_an_announcement_says_whether_another_move_stands_on_the_board_by_then(text: str, differs: bool) -> None:
    table = CoreTable(white=SeatKind.SIGHTED)
    table.enter("white", "e2e4")
    (words, *more) = table.say("white", text, act="announce")
    assert words == announced(W, 1, text, differs=differs)
    assert [one.kind for one in only(tuple(more), ev.Alerted)] == (["board_differs"] if differs else [])


@pytest.mark.law("L182")
@pytest.mark.parametrize(
    ("moves", "coming", "seat", "act", "ply"),
    [
        ((), None, W, "auto", 1),
        ((), None, B, "auto", 1),  # nothing is made: about the first move all the same
        (("e4",), None, B, "auto", 1),  # the echo is due
        (("e4",), None, B, "announce", 2),
        (("e4",), None, W, "auto", 1),  # the mover's own, once more
        (("e4",), "e5", B, "auto", 2),  # it has been announced, so this is about that move
        (("e4",), "e5", W, "auto", 2),
        (("e4", "e5"), None, B, "auto", 2),
    ],
)
def test_a_sound_without_words_is_about_the_move_that_is_due(
    moves: tuple[str, ...], coming: str | None, seat: Seat, act: Any, ply: int
) -> None:
    table = played(*moves)
    if coming:
        table.say(table.state.on_move.value, coming, act="announce")
    candidates = weighed("e4")
    assert table.mumble(seat.value, "u1", act=act, unclear="file", ask=False, words=("a",), candidates=candidates) == (
        ev.NotUnderstood(
            at=T,
            seat=seat,
            ply=ply,
            ask=False,
            speech=Speech(utterance="u1", words=("a",), unclear="file", candidates=candidates),
        ),
    )
    aside = cmd.SetSoundAside(seat=seat, utterance="u2", words=("b",), candidates=candidates)
    if act == "auto":
        after = table.state.ply(ply)
        echo_heard = after is not None and after.echo_utterance == "u1"
        assert table.done(PROGRAM, aside) == (
            ev.SetAside(
                at=T,
                seat=seat,
                ply=ply + echo_heard * (seat is table.state.on_move),
                speech=Speech(utterance="u2", words=("b",), candidates=candidates),
            ),
        )  # fmt: skip


@pytest.mark.law("L182")
def test_an_echo_that_has_been_heard_is_not_due_again() -> None:
    table = played("e4")
    table.say("black", "e4")
    assert only(table.mumble("black", "u1"), ev.NotUnderstood)[0].ply == 2


@pytest.mark.parametrize("when", ["before the start", "after the end", "while White speaks to the arbiter alone"])
def test_a_sound_set_aside_outside_the_play_is_of_no_move(when: str) -> None:
    table = CoreTable(started=when != "before the start")
    if when == "after the end":
        table.done("arbiter", cmd.RuleResult(result="1-0", reason="ruled"))
    if when == "while White speaks to the arbiter alone":
        table.done("white", cmd.Propose(what="claim_draw"))
        assert table.own(cmd.SetSoundAside(seat=B, utterance="u0"))[-1] == ev.SetAside(
            at=T, seat=B, ply=1, speech=Speech(utterance="u0")
        )
    assert table.own(cmd.SetSoundAside(seat=W, utterance="u1"))[-1] == ev.SetAside(
        at=T, seat=W, ply=0, speech=Speech(utterance="u1")
    )


@pytest.mark.law("L182")
def test_words_that_were_no_echo_are_the_own_move_of_who_pressed_upon_them() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    table.say("white", "e4")
    table.press("white")
    table.say("black", "Nf6", origin=ENTERED, **sound("Nf6", "u1"))
    events = table.press("black")
    recalled, emptied, own = events[0], events[1], events[2]
    assert (recalled, emptied, own) == (
        ev.EchoRecalled(at=T, seat=B, ply=1),
        ev.ScoreWritten(at=T, seat=B, index=1, text="", source="echo"),
        announced(B, 2, "Nf6", **sound("Nf6", "u1"), origin=ENTERED),
    )
    first = table.ply(1)
    assert (first.echo, first.echo_words, first.echo_text, first.echo_agrees) == (None, (), "", None)
    assert (first.echoed_ms, first.echo_utterance, first.echo_origin, first.utterances) == (None, None, None, ())


@pytest.mark.law("L182")
def test_a_press_upon_an_echo_that_agreed_makes_no_move_of_it() -> None:
    table = played("e4")
    table.say("black", "e4")
    assert not only(table.press("black"), ev.Announced)
    assert table.ply(1).echo == said("e4") and table.ply(2).announcement is None


@pytest.mark.law("L182")
@pytest.mark.parametrize("typed", [False, True])
def test_words_after_the_own_press_were_the_echo_of_a_move_of_which_nothing_was_announced_here(typed: bool) -> None:
    """White speaks at the table and is not heard; Black repeats d4 before White's station shows the move."""
    table = played("e4", "e5", white=SeatKind.SIGHTED, black=SeatKind.TACTILE)
    utterance = None if typed else "u1"
    table.say("black", "d4", utterance=utterance)
    table.enter("white", "d2d4")
    table.press("white")
    events = table.say("black", "d5", act="announce")
    assert events[0] == echoed(B, 3, "d4", agrees=None, utterance=utterance, origin=ENTERED if typed else HEARD)
    assert kinds(events)[-1] == "Announced"


@pytest.mark.law("L182")
def test_the_same_words_once_more_are_that_echo_themselves() -> None:
    table = played("e4", "e5", white=SeatKind.SIGHTED, black=SeatKind.TACTILE)
    table.say("black", "d4", utterance="u1")
    table.enter("white", "d2d4")
    table.press("white")
    events = table.say("black", "d4", utterance="u2")
    assert only(events, ev.Echoed) == [echoed(B, 3, "d4", agrees=None, utterance="u2")]


@pytest.mark.law("L182")
@pytest.mark.parametrize(
    ("mode", "origin", "makes"),
    [(Mode.TABLE, HEARD, True), (Mode.TABLE, ENTERED, True), (Mode.RELAY, HEARD, False), (Mode.RELAY, ENTERED, True)],
)
def test_the_same_differing_words_again_are_the_own_move_but_not_heard_in_relay(
    mode: Mode, origin: Origin, makes: bool
) -> None:
    table = CoreTable()
    if mode is Mode.RELAY:
        table.mode(mode)
    play(table, "e4")
    table.say("black", "e5", origin=origin)
    events = table.say("black", "e5", origin=origin)
    assert bool(only(events, ev.Announced)) is makes
    assert bool(only(events, ev.Echoed)) is not makes


@pytest.mark.law("L182", "L195")
def test_a_move_repeated_by_an_opponent_without_a_station_is_the_next_one_unless_it_is_ones_own_again() -> None:
    """White has no station: Black's words after Black's press are White's next move, and the same words are not."""
    table = CoreTable(white=SeatKind.SIGHTED, black=SeatKind.TACTILE, stations=(B,))
    table.say("black", "e4")
    play(table, "e5")
    assert kinds(table.say("black", "e5")) == ["AnnouncementRepeated"]
    events = table.say("black", "Nf3")
    assert [one for one in events if isinstance(one, ev.Made | ev.Echoed)] == [
        made(W, 3),
        echoed(B, 3, "Nf3", agrees=None),
    ]


@pytest.mark.law("L182")
@pytest.mark.parametrize(("text", "act"), [("Ng8f6", "auto"), ("Nf6", "echo")])
def test_fuller_words_or_words_said_as_an_echo_are_the_move_of_an_opponent_without_a_station(
    text: str, act: Any
) -> None:
    table = CoreTable(white=SeatKind.SIGHTED, black=SeatKind.TACTILE, stations=(B,))
    table.say("black", "e4")
    play(table, "Nf6")
    events = table.say("black", text, act=act)
    assert only(events, ev.Echoed) == [echoed(B, 3, text, agrees=None)]


@pytest.mark.law("L182", "L189")
def test_the_echo_of_a_later_move_that_is_only_announced_is_of_that_move() -> None:
    table = played("e4")
    table.say("black", "e5", act="announce")
    events = table.say("white", "e5")
    assert [one for one in events if isinstance(one, ev.Made | ev.Echoed | ev.ScoreWritten)] == [
        made(B, 2),
        echoed(W, 2, "e5"),
        ev.ScoreWritten(at=T, seat=W, index=2, text="e5", source="echo"),
    ]


@pytest.mark.law("L182")
def test_words_said_as_an_echo_are_one_however_often_they_differ() -> None:
    table = played("e4")
    table.say("black", "e5", act="echo")
    assert only(table.say("black", "e5", act="echo"), ev.Echoed) == [echoed(B, 1, "e5", agrees=False)]


@pytest.mark.law("L182", "L191")
@pytest.mark.parametrize(
    ("words", "echo", "detail", "grey"),
    [
        (None, "d4", "White's board shows e2 to e4, the opponent repeated: d4 (D.2.1)", True),
        (None, "e4", "", False),
        ("d4", "d4", "White's board shows e2 to e4, announced: d4 (1.3, D.2.1)", False),
        ("e4", "e4", "", False),
    ],
)
def test_an_echo_tells_the_arbiter_where_the_movers_board_stands_otherwise(
    words: str | None, echo: str, detail: str, grey: bool
) -> None:
    table = CoreTable(white=SeatKind.SIGHTED)
    if words:
        table.say("white", words)
    table.enter("white", "e2e4")
    told = only(table.say("black", echo), ev.Alerted)
    assert told == ([alert("board_differs", 1, detail, grey=grey)] if detail else [])


@pytest.mark.law("L182", "L195")
def test_words_said_again_are_the_own_move_and_their_trace_as_an_echo_goes() -> None:
    table = played("e4", black=SeatKind.TACTILE)
    table.say("black", "Nf6", **sound("Nf6", "u1"))
    own = sound("Nf6", "u2")
    assert table.say("black", "Nf6", **own) == (
        ev.EchoRecalled(at=T, seat=B, ply=1),
        ev.ScoreWritten(at=T, seat=B, index=1, text="", source="echo"),
        announced(B, 2, "Nf6", **own),
    )


@pytest.mark.law("L182")
@pytest.mark.parametrize("typed", [False, True])
def test_a_hand_that_shows_another_move_than_the_words_left_over_is_grey_where_these_were_heard(typed: bool) -> None:
    """White speaks at the table and is not heard; Black repeats d4, and White's station shows d3."""
    table = played("e4", "e5", white=SeatKind.SIGHTED, black=SeatKind.TACTILE)
    utterance = None if typed else "u1"
    table.say("black", "d4", utterance=utterance)
    detail = "White's board shows d2 to d3, the opponent repeated: d4 (D.2.1)"
    told = alert("board_differs", 3, detail, grey=not typed, utterance=utterance)
    assert only(table.enter("white", "d2d3"), ev.Alerted) == [told]


@pytest.mark.law("L182", "L197")
def test_fuller_words_may_tell_that_another_piece_was_moved_and_what_is_known_is_told_once() -> None:
    table = played("Ke2", fen="4k3/8/1n3n2/8/8/8/8/4K3 w - - 0 1")
    table.enter("black", "b6d5", "Nd5")
    assert only(table.say("black", "Nd5", act="announce"), ev.Alerted) == [], "b6 and f6 both reach it"
    detail = "Black's board shows b6 to d5, announced: Nd5 (1.3, D.2.1)"
    table.press("black")
    assert only(table.say("black", "Nf6d5"), ev.Alerted) == [alert("board_differs", 2, detail)]
    other = played("Ke2", fen="4k3/8/1n3n2/8/8/8/8/4K3 w - - 0 1")
    other.enter("black", "b6d5", "Nd5")
    assert only(other.say("black", "Ng4", act="announce"), ev.Alerted)
    assert not only(other.say("black", "Ng4", act="announce"), ev.Alerted)


@pytest.mark.law("L182", "L197")
@pytest.mark.parametrize("origin", [HEARD, ENTERED])
@pytest.mark.parametrize("pressed", [True, False])
def test_an_opponent_who_repeats_the_move_of_another_piece_than_the_one_moved_is_the_arbiters(
    origin: Origin, pressed: bool
) -> None:
    """Nb3 and Nf3 both reach d2: White moves the one, says neither, and Black carries out the other (D.2.1, D.2.9)."""
    table = CoreTable(fen="4k3/8/8/8/8/1N3N2/8/4K3 w - - 0 1", white=SeatKind.SIGHTED, black=SeatKind.TACTILE)
    table.enter("white", "b3d2", "Nd2")
    table.say("white", "Nd2")
    if pressed:
        table.press("white")
    told = alert("board_differs", 1, "White's board shows b3 to d2, the opponent repeated: Nf3d2 (D.2.1)")
    found = only(table.say("black", "Nf3d2", origin=origin, utterance="u1"), ev.Alerted)
    assert found == [replace(told, grey=origin is HEARD, utterance="u1")]


@pytest.mark.law("L195")
def test_what_was_carried_out_for_a_slip_is_set_back_and_for_fuller_words_it_stands() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1")
    table.say("white", "Nf3")
    table.say("black", "Ng1f3")
    table.done("black", cmd.Execute(uci="g1f3", origin="entered"))
    assert not only(table.say("white", "Ng1f3"), ev.BoardSet)
    slip = table.say("white", "Ne2")
    assert slip[0] == ev.BoardSet(at=T, board=B, placement="4k3/8/8/8/8/8/3N4/4K1N1", turn=W, origin=INFERRED) and slip[
        1
    ] == announced(W, 1, "Ne2", replaces=True)


@pytest.mark.law("L182", "L195")
def test_a_slip_in_the_echo_may_be_corrected_though_the_own_move_is_completed() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    correction = cmd.Say(announcement=None, words=("Korrektur",), unclear="correction", origin=HEARD)
    assert only(table.done("white", correction), ev.NotUnderstood), "nothing has been played yet"
    table.say("white", "e4")
    table.say("black", "e4")
    assert only(table.done("white", correction), ev.NotUnderstood), "made, and not pressed yet (D.2.8)"
    table.press("white")
    assert table.do("white", correction) == Refusal("correction_too_late", "D.2.8")
    table.say("black", "e5")
    assert only(table.done("black", correction), ev.NotUnderstood), "Black's own move is not pressed yet"
    assert table.do("white", correction) == Refusal("correction_too_late", "D.2.8"), "Black's move has no echo yet"
    table.say("white", "e6")
    assert only(table.done("white", correction), ev.NotUnderstood)
    assert [one.agrees for one in only(table.say("white", "e5"), ev.Echoed)] == [True]
