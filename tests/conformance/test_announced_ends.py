"""A move announced and not yet pressed that ends the game, and what is then said (5.1.1, 5.2.1, 5.2.2, 6.9, 9.5)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts.command import event_in
from server.game.game import Game
from server.game.laws.event_options import EventOptions
from server.game.values.words import Origin, Seat, SeatKind
from server.wording.details import moves_numbered
from tests.conformance.law_table import ended
from tests.game.core_table import CoreTable, alerts, kinds, only, play

W, B = Seat.WHITE, Seat.BLACK
MATE = ("3k4/R7/8/8/8/8/8/1R4K1 w - - 0 1", "Kg2 Ke8", "Rb8")
STALEMATE = ("8/7k/8/5K2/8/8/8/6Q1 b - - 0 1", "Kh8 Kf6 Kh7 Qg2 Kh8", "Qg6")
DEAD = ("4k3/8/8/8/8/8/3p4/3BK3 b - - 0 1", "Ke7 Bc2 Ke8", "Kd2")
BLACK_MATES = ("4k3/8/8/8/8/1r6/r7/5K2 w - - 0 1", "Kg1 Ke7 Kf1", "Rb1")
QUIET = ("3k4/R7/8/8/8/8/8/1R4K1 w - - 0 1", "Kg2 Ke8", "Rb7")


def announced(game: tuple[str, str, str], **more: Any) -> CoreTable:
    """The last move of this game is announced and not pressed."""
    fen, moves, last = game
    table = CoreTable(fen=fen, **more)
    play(table, moves)
    table.say(table.state.on_move.value, last, act="announce")
    assert not table.ply(table.state.ply_to_make).made
    return table


def as_replayed(table: CoreTable) -> None:
    assert Game.replay(table.events).ending == table.state.ending


@pytest.mark.law("L043", "L044", "L045", "L046")
@pytest.mark.parametrize("kinds_of", [(SeatKind.TACTILE, SeatKind.SIGHTED), (SeatKind.SIGHTED, SeatKind.TACTILE)])
@pytest.mark.parametrize(
    ("game", "resigns", "article", "result"),
    [
        (MATE, B, "5.1.1", "1-0"),
        (MATE, W, "5.1.1", None),
        (BLACK_MATES, W, "5.1.1", "0-1"),
        (BLACK_MATES, B, "5.1.1", None),
        (STALEMATE, B, "5.2.1", None),
        (STALEMATE, W, "5.2.1", "1/2-1/2"),  # a bare king can never mate: drawn either way (5.1.2)
        (DEAD, W, "5.2.2", None),
        (DEAD, B, "5.2.2", None),
    ],
)
def test_l044_a_resignation_after_an_end_was_announced(
    game: Any, resigns: Seat, article: str, result: str | None, kinds_of: tuple[SeatKind, SeatKind]
) -> None:
    table = announced(game, white=kinds_of[0], black=kinds_of[1])
    table.done(resigns.value, cmd.Resign())
    (why,) = alerts(table, "ended_before")
    assert f"({article}) since move {moves_numbered(table.state.ply_to_make, 'en')}" in why.detail and why.grey
    assert why.detail.startswith(f"{resigns.value.capitalize()} resigns; was the announced move made before that")
    assert table.state.ending.result == result and table.state.time.clock.running is None
    waits = alerts(table, "resigned")
    assert [article in one.detail for one in waits] == ([] if result else [True])
    as_replayed(table)
    if result is None:
        table.done("arbiter", cmd.RuleResult(result="1/2-1/2", reason="stalemate", article="5.2.1"))
        assert table.state.ending.result == "1/2-1/2"


@pytest.mark.law("L044", "L046")
@pytest.mark.parametrize("rule_set", ["fide2018", "fide2023", "short"])
def test_l044_where_the_edition_asks_both_sides_the_announced_end_still_counts(rule_set: str) -> None:
    table = announced(STALEMATE, rule_set=rule_set)
    table.done("black", cmd.Resign())
    assert not table.state.over and "5.2.1" in alerts(table, "ended_before")[0].detail
    other = announced(STALEMATE, rule_set=rule_set)
    other.done("white", cmd.Resign())  # 2018: lost even to a bare king; 2023: drawn; the short rules do not say
    assert other.state.ending.result == ("1/2-1/2" if rule_set == "fide2023" else None)


@pytest.mark.law("L043", "L045", "L047")
@pytest.mark.parametrize("accepts", [W, B])
@pytest.mark.parametrize(("game", "waits"), [(MATE, True), (BLACK_MATES, True), (STALEMATE, False), (DEAD, False)])
def test_l047_a_draw_agreed_after_an_end_was_announced(game: Any, waits: bool, accepts: Seat) -> None:
    fen, moves, last = game
    table = CoreTable(fen=fen)
    play(table, moves)
    mover = table.state.on_move
    if accepts is mover:
        table.done(mover.other.value, cmd.OfferDraw())
    table.say(mover.value, last, act="announce")
    if accepts is not mover:
        table.done(mover.value, cmd.OfferDraw())
    table.done(accepts.value, cmd.AnswerDraw(accept=True))
    (why,) = alerts(table, "ended_before")
    assert why.detail.startswith("a draw has been agreed; was the announced move made before that")
    assert table.state.over is not waits and table.state.time.clock.running is None
    assert table.state.time.stopped_by is None, "6.11.4 asks for no reason here"
    if not waits:
        assert ended(table) == ("1/2-1/2", "draw_agreed", "5.2.3")
    as_replayed(table)


@pytest.mark.law("L043", "L044", "L047")
def test_l044_a_move_that_ends_nothing_is_no_news() -> None:
    table = announced(QUIET)
    table.done("black", cmd.Resign())
    assert ended(table) == ("1-0", "resigned", "5.1.2") and not alerts(table, "ended_before")
    other = announced(QUIET)
    other.done("white", cmd.OfferDraw())
    other.done("black", cmd.AnswerDraw(accept=True))
    assert ended(other)[0] == "1/2-1/2" and not alerts(other, "ended_before")


@pytest.mark.law("L043", "L044", "L047")
@pytest.mark.parametrize(
    ("what", "first"),
    [("resign", "words"), ("resign", "move"), ("resign", "moves"), ("draw_accept", "words"), ("draw_accept", "move")],
)
def test_l044_what_was_said_before_the_announcement_came_before_it(what: Any, first: str) -> None:
    """A word stands when it is said, not when it is confirmed (5.1.2, 9.1.2.1): a mate announced since then is late."""
    table = CoreTable(fen=STALEMATE[0] if what == "resign" else MATE[0])
    play(table, STALEMATE[1] if what == "resign" else MATE[1])
    mover = table.state.on_move
    table.done(mover.value, cmd.OfferDraw())
    last = STALEMATE[2] if what == "resign" else MATE[2]
    if first != "words":
        table.say(mover.value, last, act="announce")
    table.done(mover.other.value, cmd.Propose(what=what, at_ms=table.now))
    table.wait(2_000)
    if first == "words":
        table.say(mover.value, last, act="announce")
    if first != "move":
        table.press(mover.value)
    if first == "moves":
        table.own(cmd.SenseMove(seat=mover.other, uci="h8g8"))
    table.done(mover.other.value, cmd.Confirm(yes=True))
    assert table.state.over is (first == "words")
    assert bool(alerts(table, "ended_before")) is (first != "words")


@pytest.mark.law("L064", "L065")
@pytest.mark.parametrize(
    ("game", "flag", "shown"),
    [(MATE, W, True), (MATE, B, False), (STALEMATE, W, True), (STALEMATE, B, True), (DEAD, W, True), (QUIET, W, False)],
)
@pytest.mark.parametrize("how", ["claimed", "called"])
def test_l064_an_end_announced_before_a_flag_is_told_for_either_side(
    game: Any, flag: Seat, shown: bool, how: str
) -> None:
    """The flag of who did not announce it too, where the two ends give different results."""
    table = announced(game)
    if how == "claimed":
        table.done(flag.other.value, cmd.ClaimTime())
    else:
        table.done("arbiter", cmd.CallFlag(seat=flag))
    assert bool(alerts(table, "ended_before")) is shown and not table.state.over


@pytest.mark.law("L109", "L110")
@pytest.mark.parametrize(("game", "article"), [(MATE, "5.1.1"), (STALEMATE, "5.2.1"), (DEAD, "5.2.2")])
def test_l110_a_claim_by_who_announced_the_end_is_told_with_it(game: Any, article: str) -> None:
    table = announced(game)
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert article in alerts(table, "ended_before")[-1].detail and not table.state.over


@pytest.mark.law("L240")
def test_l240_a_claim_without_an_arbiter_is_told_with_the_announced_end() -> None:
    fen, moves, last = MATE
    table = CoreTable(fen=fen, control="1800", regulations=EventOptions(guidelines=("III",), unsupervised=True))
    play(table, moves)
    table.wait(1_700_000)
    table.say("white", last, act="announce")
    table.done("white", cmd.ClaimDraw(kind="quickplay", ground="cannot_win"))
    assert "5.1.1" in alerts(table, "ended_before")[-1].detail and table.state.draws.concluded is not None


@pytest.mark.law("L044", "L065")
@pytest.mark.parametrize(
    ("fen", "moves", "legal"),
    [
        ("4k3/8/8/8/8/8/4r3/4K2Q w - - 0 1", "", True),
        ("4k3/8/8/8/8/4r3/8/4K2Q w - - 0 1", "Kd1 Re2", True),
        ("8/8/8/8/8/4k3/4r3/4K2Q w - - 0 1", "", False),
    ],
)
def test_l065_a_move_announced_that_leaves_the_opponent_too_few_men_is_asked_about(
    fen: str, moves: str, legal: bool
) -> None:
    """With the last man taken nobody on that side can mate: resignation and flag are then drawn (5.1.2, 6.9)."""
    table = CoreTable(fen=fen)
    play(table, moves)
    table.say("white", "Ke2", act="announce")
    table.done("white", cmd.Resign())
    assert table.state.over is not legal
    if not legal:
        return
    told = alerts(table, "resigned")[-1].detail
    assert told.startswith("White resigns; was the announced move made before that (4.7, D.2.3)? ")
    assert told.endswith("Then Black can never mate: 1/2-1/2 (5.1.2)")
    late = CoreTable(fen=fen, control="60")
    play(late, moves)
    late.wait(61_000)
    late.say("white", "Ke2", act="announce")
    late.done("black", cmd.ClaimTime())
    assert alerts(late, "time_claimed")[-1].detail.endswith("Then Black can never mate: 1/2-1/2 (6.9)")
    old = CoreTable(fen=fen, rule_set="fide2018")
    play(old, moves)
    old.say("white", "Ke2", act="announce")
    old.done("white", cmd.Resign())
    assert old.state.ending.result == "0-1", "in 2018 a resignation loses to anybody"


@pytest.mark.law("L050", "L043")
@pytest.mark.parametrize("by", [{"article": "5.1.1", "reason": "x"}, {"reason": "checkmate"}])
def test_l050_the_announced_mate_that_the_arbiter_confirms_belongs_to_the_game(by: Any) -> None:
    table = announced(MATE)
    table.done("white", cmd.Resign())
    events = table.done("arbiter", cmd.RuleResult(result="1-0", **by))
    assert {"Completed", "GameEnded"} <= set(kinds(events))
    assert only(events, ev.Made) == [ev.Made(at=table.now, seat=W, ply=3, origin=Origin.INFERRED)]
    assert table.state.made_plies == 3 and table.ply(3).completed
    other = announced(MATE)
    other.done("white", cmd.Resign())
    events = other.done("arbiter", cmd.RuleResult(result="0-1", reason="resigned", article="5.1.2"))
    assert other.state.made_plies == 2
    assert "0-1 is on record; was the announced move made before that" in only(events, ev.Alerted)[-1].detail


@pytest.mark.law("L043", "L028")
def test_l043_what_speaks_against_the_announced_move_is_told_with_it() -> None:
    """5.1.1 asks for a move according to Articles 3 and 4.2 to 4.7."""
    fen, moves, last = MATE
    table = CoreTable(fen=fen)
    play(table, moves)
    table.done("arbiter", cmd.ReportTouch(seat=W, square="a7", how="lifted"))
    table.say("white", last, act="announce")
    table.done("black", cmd.OfferDraw())
    table.done("white", cmd.AnswerDraw(accept=True))
    detail = alerts(table, "ended_before")[-1].detail
    assert detail.startswith("a draw has been agreed") and "a7" in detail and "4.3.1" in detail


@pytest.mark.law("L044")
def test_records_of_earlier_days_ask_about_no_announced_move() -> None:
    table = announced(STALEMATE, mates=False)
    table.done("black", cmd.Resign())
    (asked,) = only(table.events, ev.MateAsked)
    assert asked.announced == table.state.ply_to_make and asked.ply == table.state.made_plies
    old = msgspec.json.decode(msgspec.json.encode(asked))
    del old["announced"]
    assert getattr(event_in(msgspec.json.encode(old)), "announced", None) == 0
