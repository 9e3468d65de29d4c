"""Article 7: illegal moves, positions restored, the set-up; 7.5.1 to 7.5.5 and A.5 for each edition."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.values.words import Seat
from tests.conformance.law_table import BASIC, TEN, _again, obliged, rule, sighted, touch
from tests.game.core_table import CoreTable, alerts, only, play, refused


@pytest.mark.law("L080")
def test_l080_restored_and_the_replacing_move_is_obliged_by_what_was_moved() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    play(table, "Ba6 Nf6", wait=5_000)
    rule(table, 3, Seat.WHITE)
    scores = table.score(Seat.WHITE), table.score(Seat.BLACK)
    table.done("arbiter", cmd.RestoreTo(ply=2))
    assert table.state.made_plies == 2 and table.state.on_move is Seat.WHITE
    assert (table.score(Seat.WHITE), table.score(Seat.BLACK)) == scores, "scores are the players' own"
    assert {table.placement(seat) for seat in Seat} == {table.state.moves.positions[2].placement}
    assert [len(line) for line in table.state.moves.discarded] == [2]
    assert [record.text for record in table.state.moves.discarded[0]] == ["Ba6", "Nf6"]
    assert (table.state.time.clock.white.moves, table.state.time.clock.black.moves) == (1, 1)
    assert table.state.time.clock.turn is Seat.WHITE
    moves, article = obliged(table)
    assert article == "4.3.1" and "f1c4" in moves and all(uci.startswith("f1") for uci in moves)
    without = CoreTable()
    play(without, "e4 e5 Ba6")
    without.done("arbiter", cmd.RestoreTo(ply=2))
    assert obliged(without) == (set(), ""), "nothing was ruled illegal"


@pytest.mark.law("L080")
def test_l080_the_illegally_moved_piece_must_move_if_it_can() -> None:
    table = CoreTable()
    play(table, "Nf3 e5")
    play(table, "Nf3g4")  # no knight goes so
    rule(table, 3, Seat.WHITE)
    (restored,) = only(table.done("arbiter", cmd.RestoreTo(ply=2, reason="7.5.1")), ev.Restored)
    assert restored.discarded == ("f3g4",)
    moves, article = obliged(table)
    assert article == "4.3.1" and moves and all(uci.startswith("f3") for uci in moves)
    table.done("arbiter", cmd.Resume())
    play(table, "d4")
    assert alerts(table, "touch_move")


@pytest.mark.law("L080", "L028")
def test_l080_what_was_touched_before_the_illegal_move_comes_first_in_the_one_that_replaces_it() -> None:
    table = CoreTable()
    touch(table, Seat.WHITE, "b1")
    play(table, "Ke3")
    rule(table, 1, Seat.WHITE)
    table.done("arbiter", cmd.RestoreTo(ply=0))
    assert obliged(table) == ({"b1a3", "b1c3"}, "4.3.1")
    other = CoreTable()
    touch(other, Seat.WHITE, "b1")
    play(other, "Nc3")
    other.done("arbiter", cmd.RestoreTo(ply=0))
    assert obliged(other) == (set(), ""), "taken back for another reason: the game begins again there"


@pytest.mark.law("L074", "L101", "L047")
def test_l074_an_offer_outlives_the_position_and_times_that_are_not_stored_are_not_invented() -> None:
    """No restoration ends an offer that nobody has answered (9.1.2.1)."""
    table = CoreTable()
    play(table, "e4")
    table.enter("black", "e7e5", "e5")
    table.done("black", cmd.OfferDraw())
    refused(table.do("arbiter", cmd.RestoreTo(ply=2, times="stored")), "no_stored_times", "7.1")
    table.done("arbiter", cmd.RestoreTo(ply=0, times="stored"))
    assert table.state.draws.offer_by is Seat.BLACK
    refused(table.do("white", cmd.AnswerDraw(accept=True)), "a_move_each_first", "5.2.3")
    start = table.state.time.clock.remaining(Seat.WHITE, table.now)
    assert start == table.state.time.clock.remaining(Seat.BLACK, table.now) == 5_430_000


@pytest.mark.law("L084")
def test_l084_each_player_has_a_count_of_their_own() -> None:
    table = CoreTable()
    play(table, "Ke3")
    rule(table, 1, Seat.WHITE)
    play(table, "Ke6")
    ruled = rule(table, 2, Seat.BLACK)
    assert ruled.number == 1 and ruled.loses is False
    play(table, "d4")
    assert not rule(table, 3, Seat.WHITE, "two_hands", give=False).bonus_ms


@pytest.mark.law("L074")
@pytest.mark.parametrize("times", ["leave", "stored"])
def test_l074_the_times_are_left_or_those_of_the_ply(times: Any) -> None:
    table = CoreTable()
    play(table, "e4 e5", wait=7_000)
    stored = table.ply(2).white_ms, table.ply(2).black_ms
    play(table, "d4 d5", wait=60_000)
    left = tuple(table.state.time.clock.remaining(seat, table.now) for seat in Seat)
    table.done("arbiter", cmd.RestoreTo(ply=2, times=times))
    now = tuple(table.state.time.clock.remaining(seat, table.now) for seat in Seat)
    assert now == (left if times == "leave" else stored) and left != stored
    assert (table.state.time.clock.white.moves, table.state.time.clock.black.moves) == (1, 1)


@pytest.mark.law("L074")
def test_l074_the_period_goes_back_with_the_stored_times() -> None:
    table = CoreTable(control="2/60:600")
    play(table, "Nf3 Nf6 Ng1 Ng8 e4")
    assert table.state.time.clock.white.period == 1
    table.done("arbiter", cmd.RestoreTo(ply=2, times="stored"))
    assert (table.state.time.clock.white.period, table.state.time.clock.white.moves) == (0, 1)
    assert table.state.time.clock.white.remaining_ms == table.ply(1).white_ms == 60_000
    table.done("arbiter", cmd.RestoreTo(ply=0, times="stored"))
    assert table.state.time.clock.remaining(Seat.WHITE, table.now) == 60_000 and table.state.moves.plies == ()
    refused(table.do("arbiter", cmd.RestoreTo(ply=1)), "no_such_ply", "7.1")


@pytest.mark.law("L085", "L024")
def test_l085_the_last_identifiable_position_is_given_where_the_server_does_not_know_it() -> None:
    table = CoreTable()
    table.mumble("white", "u1")
    table.press("white")
    play(table, "e5")
    refused(table.do("arbiter", cmd.RestoreTo(ply=1)), "position_not_known", "7.5.1")
    given = "PPPPPPPP/8/8/8/8/8/8/kk6"
    table.done("arbiter", cmd.RestoreTo(ply=1, placement=given))
    assert {table.placement(seat) for seat in Seat} == {given} and table.state.made_plies == 1


@pytest.mark.law("L081")
def test_l081_in_the_short_rules_an_unpromoted_pawn_stays_one_for_the_position_before_is_restored() -> None:
    table = sighted(fen="8/P3k3/8/8/8/8/8/4K3 w - - 0 1", rule_set="short")
    table.enter("white", "a7a8", "a8")
    table.press("white")
    rule(table, 1, Seat.WHITE, "unpromoted")
    assert table.placement(Seat.WHITE).startswith("P7/")


def unpromoted(fen: str, text: str = "a8", **more: Any) -> CoreTable:
    """White's first illegal move is ruled and taken back; then a pawn is pressed on the last rank as a pawn."""
    table = sighted(fen=fen, **more)
    play(table, "Kh8")
    assert rule(table, 1, Seat.WHITE).number == 1
    table.done("arbiter", cmd.RestoreTo(ply=0))
    table.done("arbiter", cmd.Resume())
    table.done("arbiter", cmd.Resume())
    table.enter("white", f"{text[0]}7{text}", text)
    table.press("white")
    return table


@pytest.mark.law("L081", "L084")
def test_l081_a_pawn_that_is_not_replaced_is_the_second_illegal_move_and_loses() -> None:
    table = unpromoted("8/P3k3/8/8/8/8/7r/4K3 w - - 0 1")
    times = table.state.time.clock.remaining(Seat.BLACK, table.now)
    ruled = rule(table, 1, Seat.WHITE, "unpromoted")
    assert (ruled.number, ruled.loses, ruled.bonus_ms, ruled.proposed) == (2, True, 0, "0-1")
    assert table.state.time.clock.remaining(Seat.BLACK, table.now) == times, "no two minutes beside a loss"
    (told,) = alerts(table, "loses")
    assert told.ply == 1 and told.detail.endswith("can Black mate? yes: 0-1 (7.5.5)")
    (asked,) = only(table.events, ev.MateAsked)
    assert asked.position is not None and asked.position.placement.startswith("Q7/"), "asked once the queen stands"
    assert not table.state.over, "the arbiter decides"


@pytest.mark.law("L081", "L084")
def test_l084_whether_the_opponent_can_mate_is_asked_with_the_queen_on_the_board() -> None:
    """A lone knight may mate a king that a pawn or a rook shuts in, a queen never: 7.5.2 comes before 7.5.5."""
    fen = "8/P3k3/8/8/8/8/7n/4K3 w - - 0 1"
    table = unpromoted(fen)
    ruled = rule(table, 1, Seat.WHITE, "unpromoted")
    assert ruled.loses and (ruled.opponent_can_mate, ruled.proposed) == ("no", "1/2-1/2")
    other = sighted(fen=fen)
    for _ in range(2):
        play(other, "Kh8")
        ruled = rule(other, 1, Seat.WHITE)
        other.done("arbiter", cmd.RestoreTo(ply=0))
        other.done("arbiter", cmd.Resume())
        other.done("arbiter", cmd.Resume())
    assert ruled.loses and ruled.opponent_can_mate == "unknown", "the position before the move has the pawn"
    assert alerts(other, "loses")[-1].ply == 1


@pytest.mark.law("L043", "L081", "L084")
def test_l084_a_queen_that_was_forced_mates_nobody_by_itself() -> None:
    table = unpromoted("7k/P7/6K1/8/8/8/8/8 w - - 0 1")
    rule(table, 1, Seat.WHITE, "unpromoted")
    mate = alerts(table, "checkmate")[-1].detail
    assert mate.startswith("if the move stands, ") and mate.endswith(
        "1-0, the pawn of a7 to a8 became a queen under 7.5.2"
    )
    named = sighted(fen="7k/P7/6K1/8/8/8/8/8 w - - 0 1")
    named.enter("white", "a7a8q", "a8=Q")
    named.press("white")
    assert "if the move stands" not in alerts(named, "checkmate")[-1].detail


@pytest.mark.law("L081", "L200")
@pytest.mark.parametrize("echo", [True, False])
@pytest.mark.parametrize("entered", [None, "a7a8"])
def test_l081_the_forced_queen_stands_on_both_boards_also_after_the_move_is_carried_out(
    echo: bool, entered: str | None
) -> None:
    table = sighted(fen="8/P3k3/8/8/8/8/8/4K3 w - - 0 1")
    table.say("white", "a8", act="announce")
    table.enter("white", "a7a8", "a8")
    table.press("white")
    rule(table, 1, Seat.WHITE, "unpromoted")
    assert table.placement(Seat.WHITE).startswith("Q7/") and table.placement(Seat.BLACK).startswith("8/P")
    if echo:
        table.say("black", "a8", act="echo")
    table.done("black", cmd.Execute(uci=entered))
    assert {table.placement(seat) for seat in Seat} == {table.state.moves.positions[1].placement}
    assert table.placement(Seat.BLACK).startswith("Q7/")
    assert not alerts(table, "board_differs")


@pytest.mark.law("L081")
def test_l081_the_forced_queen_stands_on_the_board_of_the_player_who_was_not_understood_at_first() -> None:
    """Both boards follow words and rulings in any order: the echo tells the move, then the queen is forced."""
    table = CoreTable(fen="8/P3k3/8/8/8/8/8/4K3 w - - 0 1")
    play(table, "a8")
    table.say("black", "a8", act="echo")
    table.done("black", cmd.Execute())
    assert table.placement(Seat.BLACK).startswith("P7/")
    rule(table, 1, Seat.WHITE, "unpromoted")
    assert {table.placement(seat)[:3] for seat in Seat} == {"Q7/"}
    play(table, "Kd6")
    assert table.state.moves.positions[2].placement.startswith("Q7/")


@pytest.mark.law("L081")
def test_l081_where_the_server_does_not_know_the_move_the_pawn_is_looked_for_on_the_boards() -> None:
    table = CoreTable(fen="8/P3k3/8/8/8/8/p7/4K3 w - - 0 1")
    table.mumble("white", "u")
    table.press("white")
    table.done("arbiter", cmd.SetBoard(board=Seat.BLACK, placement="P7/4k3/8/8/8/8/p7/4K3", turn=Seat.BLACK))
    assert table.state.moves.line[0] is None
    rule(table, 1, Seat.WHITE, "unpromoted")
    assert table.placement(Seat.BLACK) == "Q7/4k3/8/8/8/8/p7/4K3"
    assert table.placement(Seat.WHITE).startswith("8/P"), "no pawn stands on the last rank there"
    assert table.state.moves.line[0] is None, "the server does not invent the move"


@pytest.mark.law("L082", "L083")
def test_l082_l083_a_press_without_a_move_and_two_hands_count_where_the_rule_set_says_so() -> None:
    for kind in ("no_move", "two_hands"):
        table = CoreTable()
        table.press("white")
        assert rule(table, 1, Seat.WHITE, kind).counts is True
        short = CoreTable(rule_set="short")
        short.press("white")
        ruled = rule(short, 1, Seat.WHITE, kind)
        assert not ruled.counts and not only(short.events, ev.TimeAdded)


@pytest.mark.law("L025", "L083")
def test_l025_two_hands_before_the_press_are_no_irregularity_yet() -> None:
    table = CoreTable()
    table.say("white", "e4", act="announce")
    ruling = cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="two_hands")
    refused(table.do("arbiter", ruling), "not_completed_yet", "7.5.4")
    table.done("arbiter", cmd.NoteIncident(kind="two_hands", text="castled with both hands", seat=Seat.WHITE))


@pytest.mark.law("L084")
@pytest.mark.parametrize(
    ("rule_set", "control", "regulations", "bonus"),
    [
        ("fide2023", "5400+30", None, 120_000),
        ("fide2018", "900+10", None, 120_000),
        ("fide2023", "900+10", None, 60_000),
        ("fide2023", "180+2", BASIC, 60_000),
        ("short", "5400+30", None, 120_000),
    ],
)
def test_l084_the_first_gives_the_opponent_time(rule_set: str, control: str, regulations: Any, bonus: int) -> None:
    table = CoreTable(rule_set=rule_set, control=control, regulations=regulations)
    play(table, "Ke3")
    before = table.state.time.clock.remaining(Seat.BLACK, table.now)
    ruled = rule(table, 1, Seat.WHITE)
    assert (ruled.number, ruled.loses, ruled.bonus_ms, ruled.proposed) == (1, False, bonus, None)
    assert table.state.time.clock.remaining(Seat.BLACK, table.now) == before + bonus
    refused(
        table.do("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="two_hands")), "ruled_already", "7.5.5"
    )


@pytest.mark.law("L084")
@pytest.mark.parametrize(("rule_set", "loses_at"), [("fide2023", 2), ("fide2018", 2), ("short", 3)])
def test_l084_the_second_or_third_loses_by_the_arbiters_word_alone(rule_set: str, loses_at: int) -> None:
    table = CoreTable(rule_set=rule_set)
    assert _again(table, loses_at - 1).loses is False
    ruled = _again(table, 1)
    assert ruled.loses and ruled.number == loses_at and ruled.proposed == "0-1"
    assert ruled.opponent_can_mate == "unknown" and not table.state.over, "no search while a command waits"
    (told,) = [one for one in only(table.events, ev.Alerted) if one.kind == "loses"]
    assert "can Black mate? yes: 0-1 (7.5.5)" in told.detail


@pytest.mark.law("L084")
def test_l084_counted_by_category_where_the_edition_does() -> None:
    table = CoreTable(rule_set="fide2017h2")
    play(table, "Ke3 e5")
    assert rule(table, 1, Seat.WHITE).number == 1
    play(table, "d4")
    other = rule(table, 3, Seat.WHITE, "two_hands")
    assert other.number == 1 and other.loses is False


@pytest.mark.law("L077")
@pytest.mark.parametrize(
    ("rule_set", "moves", "says"),
    [
        ("fide2023", "e4 e5", "new_game"),
        ("fide2023", TEN, "continue"),
        ("short", "e4 e5", "continue"),
        ("fide2017h2", "", "arbiter"),
    ],
)
def test_l077_reversed_colours(rule_set: str, moves: str, says: str) -> None:
    table = CoreTable(rule_set=rule_set)
    play(table, moves)
    (ruled,) = only(table.done("arbiter", cmd.RuleSetUp(what="colours")), ev.SetUpRuled)
    assert (ruled.says, ruled.article) == (says, "7.3")


@pytest.mark.law("L005", "L077")
def test_l077_ten_moves_made_count_pressed_or_not() -> None:
    """7.3 speaks of moves made; A.5.1 of moves completed."""
    table = sighted(control="900+10", regulations=BASIC)
    moves = TEN.split()
    play(table, " ".join(moves[:-1]))

    def says() -> str:
        (ruled,) = only(table.done("arbiter", cmd.RuleSetUp(what="colours")), ev.SetUpRuled)
        return ruled.says

    def set_up() -> str:
        (ruled,) = only(table.done("arbiter", cmd.RuleSetUp(what="position")), ev.SetUpRuled)
        return ruled.says

    assert table.state.made_plies == 19 and says() == "new_game", "Black has made nine"
    table.enter("black", "f6g8", "Ng8")
    assert table.state.made_plies == 20 and not table.ply(20).completed
    assert says() == "continue" and set_up() == "new_game"
    table.press("black")
    assert says() == "continue"
    refused(table.do("arbiter", cmd.RuleSetUp(what="position")), "set_up_stands", "A.5.1.2")


@pytest.mark.law("L075", "L076", "L152")
def test_l152_the_set_up_stands_after_ten_moves_of_each_in_basic_supervision_only() -> None:
    for regulations in (BASIC, None):
        table = CoreTable(control="900+10", regulations=regulations)
        (ruled,) = only(table.done("arbiter", cmd.RuleSetUp(what="position")), ev.SetUpRuled)
        assert (ruled.says, ruled.article) == ("new_game", "7.2.1")
        (ruled,) = only(table.done("arbiter", cmd.RuleSetUp(what="orientation")), ev.SetUpRuled)
        assert (ruled.says, ruled.article) == ("continue", "7.2.2")
        play(table, TEN)
        later = table.do("arbiter", cmd.RuleSetUp(what="position"))
        table.done("arbiter", cmd.RuleSetUp(what="colours"))
        if regulations is BASIC:
            refused(later, "set_up_stands", "A.5.1.2")
        else:
            assert not isinstance(later, Refusal)
