"""What the arbiter is told after a press and what a ruling brings about, event by event (7.5, A.5, D.2.3, D.2.4)."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.game import Game
from server.game.laws.event_options import EventOptions, Supervision
from server.game.values.position import Position
from server.game.values.words import ClockMaster, Mode, Origin, Seat, SeatKind
from server.wording.details import moves_numbered
from tests.game.core_table import CoreTable, altered, only, play

W, B = Seat.WHITE, Seat.BLACK
T = 1_000
BASIC = EventOptions(supervision=Supervision.BASIC)
SIGHTED, TACTILE = SeatKind.SIGHTED, SeatKind.TACTILE
G1 = "sighted_press_without_announcement"


def told(events: tuple[ev.AnyEvent, ...] | list[ev.AnyEvent]) -> list[tuple[str, int, bool]]:
    """Each alert: what it is of, the ply, and whether it is grey."""
    return [(one.kind, one.ply, one.grey) for one in only(events, ev.Alerted)]


def ruling(ply: int, seat: Seat, kind: Any = "illegal", **more: Any) -> cmd.RuleIrregularity:
    return cmd.RuleIrregularity(ply=ply, seat=seat, kind=kind, **more)


def touched(table: CoreTable, seat: Seat, square: str, how: Any = "lifted", *, sensed: bool = False) -> None:
    body = cmd.ReportTouch(seat=seat, square=square, how=how, origin="sensed" if sensed else "entered")
    if sensed:
        table.own(body)
    else:
        table.done("arbiter", body)


# The ruling


@pytest.mark.law("L023", "L080", "L081", "L082", "L083")
@pytest.mark.parametrize(
    ("kind", "article"),
    [("illegal", "7.5.1"), ("unpromoted", "7.5.2"), ("no_move", "7.5.3"), ("two_hands", "7.5.4")],
)
def test_a_ruling_names_a_ply_that_this_player_has_completed(kind: str, article: str) -> None:
    table = CoreTable()
    table.say("white", "e4", act="announce")
    assert table.do("arbiter", ruling(2, B, kind)) == Refusal("no_such_ply", article)
    assert table.do("arbiter", ruling(1, B, kind)) == Refusal("no_such_ply", article)
    assert table.do("arbiter", ruling(1, W, kind)) == Refusal("not_completed_yet", article)
    table.press("white")
    before = table.state
    none = ev.IrregularityRuled(at=T, seat=W, ply=1, kind=kind, confirmed=False, counts=False, article=article)
    assert table.done("arbiter", ruling(1, W, kind, confirm=False)) == (none,)
    assert table.state == before, "none was found"


@pytest.mark.law("L084")
@pytest.mark.parametrize("give", [True, False])
@pytest.mark.parametrize("seat", list(Seat))
def test_the_first_ruling_counts_and_gives_the_other_player_two_minutes(seat: Seat, give: bool) -> None:
    table = CoreTable()
    play(table, "Ke3" if seat is W else "e4 Ke6")
    ply = 1 if seat is W else 2
    ruled = ev.IrregularityRuled(
        at=T, seat=seat, ply=ply, kind="illegal", confirmed=True, counts=True, article="7.5.5", number=1, loses=False,
        bonus_ms=120_000,
    )  # fmt: skip
    given = ev.TimeAdded(at=T, seat=seat.other, ms=120_000, reason="illegal_move", article="7.5.5")
    assert table.done("arbiter", ruling(ply, seat, give=give)) == ((ruled, given) if give else (ruled,))
    assert table.do("arbiter", ruling(ply, seat)) == Refusal("ruled_already", "7.5.5")
    assert table.do("arbiter", ruling(ply, seat.other)) == Refusal("no_such_ply", "7.5.1")
    assert table.state.rulings.illegals == ((seat, "illegal"),) and table.state.rulings.ruled == ((ply, seat),)


@pytest.mark.law("L084")
@pytest.mark.parametrize(
    ("known", "proposed"),
    [(True, "0-1"), (False, "0-1")],
)
def test_the_second_loses_and_whether_the_other_can_mate_is_asked_beside_the_table(known: bool, proposed: str) -> None:
    table = CoreTable(mates=False)
    play(table, "Ke3")
    table.done("arbiter", ruling(1, W))
    if known:
        play(table, "e5")
    else:
        table.mumble("black", "u")
        table.press("black")
    play(table, "Kd5")
    after = table.state.position_after(2)
    assert (after is not None) is known
    assert table.done("arbiter", ruling(3, W)) == (
        ev.IrregularityRuled(
            at=T, seat=W, ply=3, kind="illegal", confirmed=True, counts=True, article="7.5.5", number=2, loses=True,
            bonus_ms=0, opponent_can_mate="unknown", proposed=proposed,
        ),
        ev.MateAsked(
            at=T, number=1, seat=B, ply=2, position=after, why="illegal",
            note="White loses because of an irregularity in move 2 (White)",
        ),
    )  # fmt: skip


@pytest.mark.law("L084")
def test_where_the_opponent_has_a_bare_king_nothing_is_asked_and_a_draw_is_proposed() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", mates=False)
    for ply in (1, 3):
        play(table, "Kh8")
        (ruled,) = only(table.done("arbiter", ruling(ply, W)), ev.IrregularityRuled)
        play(table, "Kd7" if ply == 1 else "Ke7")
    assert (ruled.loses, ruled.opponent_can_mate, ruled.proposed) == (True, "no", "1/2-1/2")
    assert not only(table.events, ev.MateAsked)


@pytest.mark.law("L043", "L083")
@pytest.mark.parametrize(
    ("ply", "kind", "void"),
    [
        (2, "illegal", False),
        (2, "two_hands", False),
        (4, "illegal", False),
        (4, "no_move", False),
        (4, "two_hands", True),
        (5, "no_move", True),
        (5, "two_hands", True),
    ],
)
def test_what_is_ruled_of_a_ply_after_mate_or_of_the_hands_that_mated_comes_after_the_end(
    ply: int, kind: str, void: bool
) -> None:
    """1.f3 e5 2.g4 Qh4#, and White presses once more. 5.1.1 asks whether the mate was legal, not for one hand."""
    table = CoreTable()
    play(table, "f3 e5 g4 Qh4")
    table.press("white")
    events = table.done("arbiter", ruling(ply, W if ply % 2 else B, kind))
    found = [one for one in only(events, ev.Alerted) if one.kind == "ended_before"]
    assert [(one.ply, one.grey) for one in found] == ([(4, True)] if void else [])
    ruled_on = f"an irregularity in move {moves_numbered(ply, 'en')} has been ruled on; "
    assert all(one.detail.startswith(f"{ruled_on}void, unconfirmed (speech): checkmate") for one in found)


@pytest.mark.law("L041", "L084")
@pytest.mark.parametrize("back", [True, False])
def test_a_touched_piece_that_was_not_moved_is_no_illegal_move_and_gives_nobody_time(back: bool) -> None:
    table = CoreTable()
    touched(table, W, "b1")
    play(table, "e4")
    table.done("arbiter", cmd.Pause())
    events = table.done("arbiter", cmd.TakeBack(kind="touch") if back else ruling(1, W, "touch"))
    assert events[0] == ev.IrregularityRuled(
        at=T, seat=W, ply=1, kind="touch", confirmed=True, counts=False, article="4.3", number=0, loses=False,
        bonus_ms=0,
    )  # fmt: skip
    assert not only(events, ev.TimeAdded) and not only(events, ev.Alerted)
    assert back or len(events) == 1


@pytest.mark.law("L084")
def test_where_the_edition_names_no_time_the_arbiter_is_told_so_once_the_move_is_taken_back() -> None:
    table = CoreTable(rule_set="fide2017h2", control="900+10")
    play(table, "e4 e5 Ke3")
    events = table.done("arbiter", cmd.TakeBack())
    (ruled,) = only(events, ev.IrregularityRuled)
    assert (ruled.bonus_ms, told(events)) == (None, [("bonus_unstated", 2, False)])
    assert not only(events, ev.TimeAdded)


# A pawn that was not replaced


LAST_RANKS = [
    # who, the position, the other's king's move first, the pawn's move, both boards before the ruling and after it
    (W, "8/P3k3/8/8/8/8/p7/4K3 b - - 0 1", "e7d7", "a7a8", "P7/3k4/8/8/8/8/p7/4K3", "Q7/3k4/8/8/8/8/p7/4K3"),
    (B, "8/P3k3/8/8/8/8/p7/4K3 w - - 0 1", "e1d1", "a2a1", "8/P3k3/8/8/8/8/8/p2K4", "8/P3k3/8/8/8/8/8/q2K4"),
    (W, "7P/P3k3/8/8/8/8/8/4K2p b - - 0 1", "e7d7", "a7a8", "P6P/3k4/8/8/8/8/8/4K2p", "Q6P/3k4/8/8/8/8/8/4K2p"),
    (B, "7P/4k3/8/8/8/8/p7/4K2p w - - 0 1", "e1d1", "a2a1", "7P/4k3/8/8/8/8/8/p2K3p", "7P/4k3/8/8/8/8/8/q2K3p"),
]


@pytest.mark.law("L081")
@pytest.mark.parametrize("carried_out", [True, False])
@pytest.mark.parametrize(("seat", "fen", "first", "uci", "pawn", "queen"), LAST_RANKS)
def test_the_pawn_of_that_move_and_no_other_becomes_a_queen_of_its_colour_wherever_it_stands(
    seat: Seat, fen: str, first: str, uci: str, pawn: str, queen: str, carried_out: bool
) -> None:
    table = CoreTable(fen=fen, white=SIGHTED)
    for who, move in ((seat.other, first), (seat, uci)):
        table.enter(who.value, move, f"{'K' if move == first else ''}{move[2:]}")
        table.press(who.value)
        if move == first:
            table.done(seat.value, cmd.Execute(uci=first))
    if carried_out:
        table.done(seat.other.value, cmd.Execute(uci=uci))
    stood = {one: table.placement(one) for one in Seat}
    before = Position.from_fen(fen).after(first)
    assert stood == {seat: pawn, seat.other: pawn if carried_out else before.placement}
    events = table.done("arbiter", ruling(2, seat, "unpromoted", give=False))
    ruled, *rest = events
    assert isinstance(ruled, ev.IrregularityRuled) and (ruled.number, ruled.article) == (1, "7.5.5")
    boards = [
        ev.BoardSet(at=T, board=one, placement=queen, turn=seat.other, origin=Origin.DECLARED)
        for one in Seat
        if carried_out or one is seat
    ]
    assert [one for one in rest if not isinstance(one, ev.Alerted)] == [
        ev.GameMended(at=T, ply=2, uci=f"{uci}q"),
        *boards,
    ]
    assert {one: table.placement(one) for one in Seat} == stood | {one.board: queen for one in boards}
    assert table.state.moves.line == (first, f"{uci}q")


@pytest.mark.law("L081")
@pytest.mark.parametrize("back", [True, False])
@pytest.mark.parametrize(("seat", "fen", "pawns", "queens"), [
    (W, "8/4k3/8/8/8/8/8/4K3 w - - 0 1", "P6P/4k3/8/8/8/8/8/p3K3", "Q6Q/4k3/8/8/8/8/8/p3K3"),
    (B, "8/4k3/8/8/8/8/8/4K3 b - - 0 1", "P7/4k3/8/8/8/8/8/p3K2p", "P7/4k3/8/8/8/8/8/q3K2q"),
])  # fmt: skip
def test_where_the_move_is_not_known_every_pawn_of_that_colour_on_the_last_rank_becomes_a_queen(
    seat: Seat, fen: str, pawns: str, queens: str, back: bool
) -> None:
    """Nothing is taken back for it, whichever act the arbiter chooses."""
    table = CoreTable(fen=fen)
    table.mumble(seat.value, "u")
    table.press(seat.value)
    for board in Seat:
        table.done("arbiter", cmd.SetBoard(board=board, placement=pawns, turn=seat.other))
    by_ruling = ruling(1, seat, "unpromoted", give=False)
    events = table.done("arbiter", cmd.TakeBack(kind="unpromoted") if back else by_ruling)
    assert [one for one in events if isinstance(one, ev.BoardSet | ev.GameMended | ev.Restored)] == [
        ev.BoardSet(at=T, board=board, placement=queens, turn=seat.other, origin=Origin.DECLARED) for board in Seat
    ]
    assert table.state.moves.line == (None,)


@pytest.mark.law("L081")
@pytest.mark.parametrize("kind", ["illegal", "two_hands"])
def test_no_queen_is_forced_by_a_ruling_of_another_kind_nor_where_the_move_named_a_piece(kind: str) -> None:
    fen = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1"
    table = CoreTable(fen=fen, white=SIGHTED)
    table.enter("white", "a7a8", "a8")
    table.press("white")
    table.done("arbiter", ruling(1, W, kind))
    assert table.state.moves.line == ("a7a8",) and table.placement(W).startswith("P7/")
    named = CoreTable(fen=fen, white=SIGHTED)
    named.enter("white", "a7a8n", "a8=N")
    named.press("white")
    events = named.done("arbiter", ruling(1, W, "unpromoted"))
    assert not only(events, ev.GameMended) and not only(events, ev.BoardSet)
    assert named.state.moves.line == ("a7a8n",) and named.placement(W).startswith("N7/")
    other = CoreTable(fen=fen, white=SIGHTED)
    other.enter("white", "a7a8n", "a8=N")
    other.press("white")
    assert only(other.done("arbiter", cmd.TakeBack(kind="unpromoted")), ev.Restored), "it is taken back"


# What is told at the press


BOTH_IN_CHECK = "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1"
AT_THE_PRESS = [
    # the position, the move entered or announced, and what is told of it
    pytest.param("8/P3k3/8/8/8/8/8/4K3", "a7a8", ["not_legal", "unpromoted"], id="a pawn stays a pawn"),
    pytest.param("8/P3k3/8/8/8/8/8/4K3", "a7a8q", [], id="a pawn becomes a queen"),
    pytest.param("8/R3k3/8/8/8/8/8/4K3", "a7a8", [], id="a rook on the last rank"),
    pytest.param("8/4k3/P7/8/8/8/8/4K3", "a6a7", [], id="a pawn before the last rank"),
    pytest.param("R3k3/8/8/8/8/8/8/4K3", "a8e8", ["takes_king"], id="the king is taken"),
]


OF_THE_MOVE = ("not_legal", "unpromoted", "takes_king")


@pytest.mark.law("L006", "L080", "L081")
@pytest.mark.parametrize("source", ["entered", "heard", "repeated", "contradicted", "clock"])
@pytest.mark.parametrize(("men", "uci", "kinds"), AT_THE_PRESS)
def test_what_is_told_at_the_press_is_grey_where_one_players_words_are_all_there_is(
    men: str, uci: str, kinds: list[str], source: str
) -> None:
    table = CoreTable(fen=f"{men} w - - 0 1", white=SIGHTED)
    promotion = "=Q" if uci[4:] else ""
    if source == "entered":
        table.enter("white", uci, f"{uci[2:4]}{promotion}")
    else:
        if source == "clock":
            table.mode(Mode.CLOCK)
        table.say("white", f"{uci[:4]}{promotion}", act="announce")
    if source == "repeated":
        table.say("black", f"{uci[:4]}{promotion}", act="echo")
    if source == "contradicted":
        table.say("black", "h2h3", act="echo")
    assert not {kind for kind, _, _ in told(table.events)} & set(OF_THE_MOVE), "nothing before the press"
    found = [one for one in told(table.press("white")) if one[0] in OF_THE_MOVE]
    grey = source in ("heard", "contradicted")
    assert found == ([] if source == "clock" else [(kind, 1, grey) for kind in kinds])


@pytest.mark.law("L028")
@pytest.mark.parametrize(
    ("square", "move", "alerted"),
    [
        ("b1", "e4", True),
        ("b1", "Nc3", False),
        ("a1", "e4", False),  # a rook that cannot move obliges to nothing
        ("b1", "Ke3", False),  # an illegal move: it is told as one
    ],
)
def test_another_piece_moved_than_was_touched(square: str, move: str, alerted: bool) -> None:
    table = CoreTable(white=SIGHTED)
    touched(table, W, square)
    table.say("white", move, act="announce")
    events = table.press("white")
    assert (
        ("touch_move", 1, True) in told(events)
        if alerted
        else "touch_move" not in dict.fromkeys(kind for kind, _, _ in told(events))
    )


@pytest.mark.law("L028")
def test_a_touch_that_counts_after_all_is_told_of_the_move_it_speaks_against_and_told_once() -> None:
    table = CoreTable(white=SIGHTED)
    touched(table, W, "e2")
    play(table, "e4 e5")
    touched(table, W, "b1")
    table.done("arbiter", cmd.RuleTouch(number=2, counts=False))
    play(table, "Nf3")
    table.done("black", cmd.CallArbiter(stop=False))
    assert "touch_move" not in [one.alert.kind for one in table.state.rulings.unsettled]
    assert told(table.done("arbiter", cmd.RuleTouch(number=1, counts=True))) == [], "it was moved"
    assert told(table.done("arbiter", cmd.RuleTouch(number=2, counts=True))) == [("touch_move", 3, True)]
    late = cmd.ReportTouch(seat=W, square="b1", how="touched", ply=3)
    assert told(table.done("arbiter", late)) == [], "the arbiter has it"
    (one,) = [one for one in table.state.rulings.unsettled if one.alert.kind == "touch_move"]
    table.done("arbiter", cmd.SettleAlert(numbers=(one.number,), how="acknowledged"))
    assert told(table.done("arbiter", late)) == [("touch_move", 3, True)]
    early = cmd.ReportTouch(seat=W, square="g1", how="touched", ply=1)
    assert told(table.done("arbiter", early)) == [], "e2 came first"


@pytest.mark.law("L155")
@pytest.mark.parametrize(
    ("fen", "moves", "found"),
    [
        (BOTH_IN_CHECK, "Ra8", [("irregular_position", 1)]),
        (BOTH_IN_CHECK, "Ra8 Re3", [("irregular_position", 1), ("draw_irregular", 2)]),
        (BOTH_IN_CHECK, "Ra8 Kd7", [("irregular_position", 1)]),
        ("4k3/8/8/8/8/8/4r3/R3K3 b - - 0 1", "Re3", []),
        ("R3k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "Rb8", [("irregular_position", 1)]),  # it began so
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke2", [("irregular_position", 1)]),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke2 Kd7", [("irregular_position", 1), ("draw_irregular", 2)]),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke2 Kd7", []),
    ],
)
@pytest.mark.parametrize("by", ["words", "hand"])
def test_an_irregular_position_is_waited_for_and_the_next_completed_move_decides(
    fen: str, moves: str, found: list[tuple[str, int]], by: str
) -> None:
    kinds = {"irregular_position", "draw_irregular"}
    for regulations, expected in ((BASIC, found), (None, [])):
        table = CoreTable(fen=fen, control="180+2", regulations=regulations, white=SIGHTED)
        for text in moves.split():
            seat = table.state.on_move.value
            if by == "hand":
                board = chess.BaseBoard(table.placement(table.state.on_move))
                piece = chess.Piece.from_symbol(text[0] if seat == "white" else text[0].lower())
                (start,) = board.pieces(piece.piece_type, piece.color)
                table.enter(seat, f"{chess.square_name(start)}{text[-2:]}", text)
            else:
                table.say(seat, text, act="announce")
            table.press(seat)
        seen = [one for one in told(table.events) if one[0] in kinds]
        assert seen == [(kind, ply, by == "words") for kind, ply in expected] and not table.state.over


@pytest.mark.law("L153")
@pytest.mark.parametrize(
    ("fen", "moves", "stands"),
    [
        (chess.STARTING_FEN, "Ke3", []),
        (chess.STARTING_FEN, "Ke3 e5", [1]),
        (chess.STARTING_FEN, "Ke3 e5 d4 d5", [1]),
        (chess.STARTING_FEN, "e4 Ke6 d4", [2]),
        (chess.STARTING_FEN, "e4 e5 d4 d5", []),
        ("R3k3/8/8/8/8/8/8/4K3 w - - 0 1", "Rxe8 Kd7", [1]),
    ],
)
def test_an_illegal_move_stands_from_the_opponents_next_move_on(fen: str, moves: str, stands: list[int]) -> None:
    table = CoreTable(fen=fen, control="900+10", regulations=BASIC)
    play(table, moves)
    assert [one for one in told(table.events) if one[0] == "illegal_move_stands"] == [
        ("illegal_move_stands", ply, True) for ply in stands
    ]
    if not stands:
        table.done("arbiter", ruling(table.state.made_plies, table.state.on_move.other))
    for ply in stands:
        refused = table.do("arbiter", ruling(ply, W if ply % 2 else B))
        assert refused == Refusal("illegal_move_stands", "A.5.2")


@pytest.mark.law("L153", "L155")
@pytest.mark.parametrize(
    ("rule_set", "stands", "waits"),
    [("fide2023", "A.5.2", "A.5.4"), ("fide2018", "A.4.2", "A.4.4"), ("short", "A.5.2", "A.5.4")],
)
def test_the_articles_of_basic_supervision_are_those_of_the_edition_or_of_the_present_laws(
    rule_set: str, stands: str, waits: str
) -> None:
    table = CoreTable(fen=BOTH_IN_CHECK, control="180+2", regulations=BASIC, rule_set=rule_set)
    play(table, "Ra8 Re3")
    details = [one.detail for one in only(table.events, ev.Alerted) if one.kind != "not_legal"]
    assert details == [
        f"both kings in check: wait for the next completed move ({waits})",
        f"a1 to a8 stands; a correction needs the agreement of both players ({stands})",
        f"still both kings in check: the game is drawn ({waits})",
    ]
    assert table.do("arbiter", ruling(1, W)) == Refusal("illegal_move_stands", stands)


@pytest.mark.law("L083")
@pytest.mark.parametrize("approved", [True, False])
def test_both_hands_are_allowed_to_the_tactile_player_alone_and_by_the_adaptation_alone(approved: bool) -> None:
    table = CoreTable()
    if approved:
        table.adapt("tactile_two_hands_exempt")
    play(table, "Ke3 Ke6")
    exempt = Refusal("two_hands_exempt", "D.1")
    assert (table.do("arbiter", ruling(1, W, "two_hands")) == exempt) is approved
    assert isinstance(table.do("arbiter", ruling(1, W)), Refusal) is not approved, "else it is ruled already"
    assert not isinstance(table.do("arbiter", ruling(2, B, "two_hands")), Refusal)


@pytest.mark.law("L029")
@pytest.mark.parametrize(
    ("moves", "pressed", "seat", "rule_set", "kind"),
    [
        ("", True, B, "fide2023", "adjusting_out_of_turn"),
        ("", True, W, "fide2023", None),
        ("e4", True, W, "fide2023", "adjusting_out_of_turn"),
        ("e4", True, B, "fide2023", None),
        ("e4", False, B, "fide2023", "adjusting_out_of_turn"),  # it is Black's move, and White's clock that runs
        ("", True, W, "short", "adjusting_presence"),
        ("", True, B, "short", "adjusting_out_of_turn"),
    ],
)
def test_who_adjusts_out_of_turn_or_on_the_opponents_time(
    moves: str, pressed: bool, seat: Seat, rule_set: str, kind: str | None
) -> None:
    table = CoreTable(white=SIGHTED, rule_set=rule_set)
    for text in moves.split():
        table.enter("white", f"e2{text}", text)
        if pressed:
            table.press("white")
    ply = len(moves.split())
    events = table.done(seat.value, cmd.Adjust())
    assert events[0] == ev.Adjusting(at=T, seat=seat)
    assert told(events) == ([] if kind is None else [(kind, ply, False)])


def test_who_has_the_move_adjusts_while_both_clocks_stand() -> None:
    table = CoreTable()
    table.done("arbiter", cmd.Pause())
    assert told(table.done("black", cmd.Adjust())) == [("adjusting_out_of_turn", 0, False)]
    assert table.done("white", cmd.Adjust()) == (ev.Adjusting(at=T, seat=W),)


# Presses with too little before them


@pytest.mark.law("L054", "L082", "L190")
@pytest.mark.parametrize(
    ("kind", "earlier", "lifts", "says", "alerts"),
    [
        # a tactile board that senses: the move before had its touches
        (TACTILE, True, [], "", [("press_without_move", 3, False)]),
        (TACTILE, True, [], "d4", []),
        (TACTILE, True, [], "mumbles", []),
        (TACTILE, True, ["d2", "d4"], "d4", []),
        (TACTILE, True, ["d2"], "d4", [("premature_press", 3, False)]),
        (TACTILE, True, ["d2"], "", [("premature_press", 3, False)]),
        (TACTILE, True, ["d2", "d4"], "", [("premature_press", 3, True)]),
        # one that has never sensed anything: only the missing words are known
        (TACTILE, False, [], "", [("premature_press", 3, True)]),
        (TACTILE, False, [], "d4", []),
        (TACTILE, False, [], "mumbles", []),
        # a sighted player's pieces have no apertures
        (SIGHTED, True, [], "", [("press_without_move", 3, False)]),
        (SIGHTED, True, ["d2"], "", []),
        (SIGHTED, True, ["d2"], "d4", []),
        (SIGHTED, False, [], "", []),
    ],
)
def test_a_press_with_less_before_it_than_there_should_be(
    kind: SeatKind, earlier: bool, lifts: list[str], says: str, alerts: list[tuple[str, int, bool]]
) -> None:
    table = CoreTable(white=kind, black=TACTILE if kind is SIGHTED else SIGHTED)
    table.adapt("touch_evidence_one_sided")
    if earlier:
        touched(table, W, "e2", sensed=True)
        touched(table, W, "e4", "placed", sensed=True)
    play(table, "e4 e5")
    for number, square in enumerate(lifts):
        touched(table, W, square, "placed" if number else "lifted", sensed=True)
    if says == "mumbles":
        table.mumble("white", "u", act="announce")
    elif says:
        table.say("white", says, act="announce")
    pressed = only(table.press("white"), ev.Alerted)
    found = [one for one in pressed if one.kind in ("press_without_move", "premature_press")]
    assert told(found) == alerts
    aperture = found and found[0].kind == "premature_press" and not found[0].grey
    assert all(("D.2.3.2" if aperture else "7.5.3") in one.detail for one in found)


@pytest.mark.law("L054")
@pytest.mark.parametrize(("first", "heard"), [("says", True), ("mumbles", True), ("nothing", False)])
def test_silence_tells_something_only_of_a_player_who_was_heard_before(first: str, heard: bool) -> None:
    """What the opponent said is no word of theirs."""
    table = CoreTable()
    if first == "says":
        table.say("white", "e4", act="announce")
    if first == "mumbles":
        table.mumble("white", "u")
    table.press("white")
    play(table, "e5")
    found = [one for one in told(table.press("white")) if one[0] == "premature_press"]
    assert found == ([("premature_press", 3, True)] if heard else [])


@pytest.mark.law("L028", "L190")
def test_what_was_lifted_by_accident_or_sealed_is_no_piece_out_of_its_aperture() -> None:
    table = CoreTable()
    touched(table, W, "e2")
    table.done("arbiter", cmd.RuleTouch(number=1, counts=False))
    table.say("white", "e4", act="announce")
    assert told(table.press("white")) == []
    sealed = CoreTable()
    touched(sealed, W, "e2", sensed=True)
    assert sealed.state.rulings.touches[0].sealed
    sealed.say("white", "e4", act="announce")
    assert told(sealed.press("white")) == []
    seldom = CoreTable()
    touched(seldom, W, "e2", sensed=True)
    play(seldom, "e4 e5")
    seldom.adapt("touch_evidence_one_sided")
    touched(seldom, W, "d2", sensed=True)
    touched(seldom, W, "d4", "placed", sensed=True)
    play(seldom, "d4 d5")
    assert "press_without_move" not in [kind for kind, _, _ in told(seldom.press("white"))], "some of it is sealed"
    other = CoreTable()
    touched(other, B, "e7")
    other.say("white", "e4", act="announce")
    assert told(other.press("white")) == [], "what Black lifted"


# A sighted player who presses without announcing (G1)


def heard(table: CoreTable, what: str) -> None:
    """What reaches the program before Black's press in ply 2."""
    match what:
        case "announced":
            table.say("black", "e5", act="announce")
        case "mumbled":
            table.mumble("black", "u", act="announce")
        case "sound taken for the echo":
            table.mumble("black", "u", act="echo")
        case "echoed":
            table.say("black", "e4", act="echo")
        case "entered" | "entered, repeated" | "entered, repeated, not understood":
            table.enter("black", "e7e5", "e5")
            if what == "entered, repeated":
                table.say("white", "e5", act="echo")
            elif what != "entered":
                table.mumble("white", "u", act="echo")
        case "entered, announced":
            table.enter("black", "e7e5", "e5")
            table.say("black", "e5", act="announce")
        case "repeated before it was seen":
            table.say("white", "e5")
        case "repeated by White":
            table.say("black", "e5", act="announce")
            table.say("white", "e5", act="echo")


@pytest.mark.law("L190", "L191")
@pytest.mark.parametrize("value", ["ignore", "note", "clock_back"])
@pytest.mark.parametrize(("what", "silent"), [("nothing", True), ("echoed", True), ("announced", False),
    ("mumbled", False), ("entered, repeated", False), ("entered, repeated, not understood", False)])  # fmt: skip
def test_a_press_of_which_nothing_was_heard_is_settled_as_before_the_game(value: str, what: str, silent: bool) -> None:
    table = CoreTable()
    table.adapt(G1, value)
    play(table, "e4")
    table.wait(3_000)
    heard(table, what)
    events = table.press("black")
    found = [one for one in told(events) if one[0] == "unannounced_press"]
    assert found == ([("unannounced_press", 2, True)] if silent and value != "ignore" else [])
    back = silent and value == "clock_back"
    clocks = [one for one in events if isinstance(one, ev.ClockSet | ev.AnnouncementOwed)]
    white, black = 5_430_000 + 30_000, 5_430_000 - 3_000 + 30_000
    now = T + 3_000
    owed = ev.AnnouncementOwed(at=now, seat=B, ply=2)
    given_back = ev.ClockSet(at=now, white_ms=white, black_ms=black, turn=B, reason="unannounced_press", move_ms=3_000)
    assert clocks == ([given_back, owed] if back else [])
    assert table.state.time.clock.running is (B if back else W) and table.state.time.owed is (B if back else None)


@pytest.mark.law("L190")
def test_a_player_whose_time_did_not_run_has_used_none_of_the_move_that_is_given_back() -> None:
    """White has no key here: nobody has stopped White's clock when Black, in silence, presses."""
    table = CoreTable(stations=(B,), control="60")
    table.adapt(G1, "clock_back")
    table.say("black", "e4", act="echo")
    table.wait(3_000)
    assert only(table.press("black"), ev.ClockSet) == [
        ev.ClockSet(at=T + 3_000, white_ms=57_000, black_ms=60_000, turn=B, reason="unannounced_press", move_ms=0)
    ]


@pytest.mark.law("L190")
@pytest.mark.parametrize("kinds", [(SIGHTED, SIGHTED), (TACTILE, TACTILE)])
def test_between_two_players_of_the_same_kind_nobody_is_waited_for(kinds: tuple[SeatKind, SeatKind]) -> None:
    table = CoreTable(white=kinds[0], black=kinds[1])
    table.adapt(G1, "clock_back")
    table.adapt("sighted_press_needs_announcement")
    for seat in ("white", "black"):
        events = table.press(seat)
        assert [one.effective for one in only(events, ev.ClockPressed)] == [True]
        assert "unannounced_press" not in [kind for kind, _, _ in told(events)]


def owed(table: CoreTable) -> tuple[Seat | None, Seat | None]:
    """Who still owes an announcement, and whose clock runs."""
    return table.state.time.owed, table.state.time.clock.running


@pytest.mark.law("L191")
def test_while_an_announcement_is_owed_no_press_makes_a_move() -> None:
    table = CoreTable()
    table.adapt(G1, "clock_back")
    play(table, "e4")
    table.press("black")
    for seat in (W, B):
        (pressed,) = only(table.press(seat.value), ev.ClockPressed)
        assert (pressed.effective, table.state.made_plies, owed(table)) == (False, 2, (B, B))


OWES = {
    "announces": lambda table: table.say("black", "e5", act="announce"),
    "mumbles": lambda table: table.mumble("black", "u"),
    "contests": lambda table: table.say("black", "d5", act="announce"),
    "is repeated": lambda table: table.say("white", "e5", act="echo"),
}
"""How it comes out that Black speaks, after a press that was given back."""


@pytest.mark.law("L191")
@pytest.mark.parametrize("how", OWES)
def test_the_clock_goes_on_as_soon_as_the_player_who_owes_an_announcement_has_spoken(how: str) -> None:
    table = CoreTable()
    table.adapt(G1, "clock_back")
    play(table, "e4")
    table.press("black")
    assert owed(table) == (B, B)
    table.wait(4_000)
    assert table.mumble("white", "w") and owed(table) == (B, B), "White's own sounds are no word of Black's"
    events = OWES[how](table)
    assert only(events, ev.ClockSet) == [
        ev.ClockSet(at=T + 4_000, white_ms=5_460_000, black_ms=5_456_000, turn=W, reason="announced")
    ]
    assert owed(table) == (None, W)
    table.wait(1_000)
    assert not only(OWES[how](table), ev.ClockSet), "once"


@pytest.mark.law("L190")
@pytest.mark.parametrize("value", ["note", "clock_back"])
@pytest.mark.parametrize(
    ("placed", "before", "note", "back"),
    [(False, False, True, True), (True, False, False, True), (True, True, True, True), (False, True, True, True)],
)
def test_a_note_of_silence_where_the_move_was_put_on_a_board_only_of_a_player_who_was_heard(
    value: str, placed: bool, before: bool, note: bool, back: bool
) -> None:
    table = CoreTable()
    table.adapt(G1, value)
    play(table, "e4")
    if before:
        table.say("black", "e5", act="announce")
    else:
        table.enter("black", "e7e5", "e5")
    table.press("black")
    table.say("white", "e5", act="echo")  # where it was owed it is no longer
    play(table, "Nf3")
    if placed:
        table.enter("black", "b8c6", "Nc6")
    events = table.press("black")
    found = [one for one in told(events) if one[0] == "unannounced_press"]
    assert found == ([("unannounced_press", 4, True)] if (note if value == "note" else back) else [])


@pytest.mark.law("L190")
@pytest.mark.parametrize("why", ["another clock", "the program is a clock"])
def test_no_clock_goes_back_that_is_not_ours_and_nothing_is_told_where_nobody_listens(why: str) -> None:
    table = CoreTable(master=ClockMaster.MANUAL if why == "another clock" else ClockMaster.SERVER)
    table.adapt(G1, "clock_back")
    if why != "another clock":
        table.mode(Mode.CLOCK)
    play(table, "e4")
    events = table.press("black")
    found = [one for one in told(events) if one[0] == "unannounced_press"]
    assert found == ([("unannounced_press", 2, True)] if why == "another clock" else [])
    assert not only(events, ev.ClockSet) and not only(events, ev.AnnouncementOwed) and table.state.time.owed is None


@pytest.mark.law("L191")
@pytest.mark.parametrize(
    ("what", "effective"),
    [
        ("nothing", False),
        ("echoed", False),
        ("announced", True),
        ("mumbled", True),
        ("sound taken for the echo", True),
        ("repeated by White", True),
        ("repeated before it was seen", True),
        ("entered", False),  # what stands on the screen is made, and still not announced
        ("entered, announced", True),
    ],
)
@pytest.mark.parametrize("needed", [True, False])
def test_where_the_announcement_comes_first_a_press_in_silence_starts_no_clock(
    what: str, effective: bool, needed: bool
) -> None:
    table = CoreTable()
    if needed:
        table.adapt("sighted_press_needs_announcement")
    play(table, "e4")
    heard(table, what)
    events = table.press("black")
    counts = effective or not needed
    assert [(one.seat, one.effective) for one in only(events, ev.ClockPressed)] == [(B, counts)]
    assert table.state.time.clock.running is (W if counts else B)


def test_the_first_press_of_a_sighted_white_is_looked_at_as_every_other() -> None:
    table = CoreTable(white=SIGHTED, black=TACTILE)
    table.adapt("sighted_press_needs_announcement")
    (pressed,) = only(table.press("white"), ev.ClockPressed)
    assert (pressed.effective, table.state.time.clock.running) == (False, W)
    table.say("white", "e4", act="announce")
    (pressed,) = only(table.press("white"), ev.ClockPressed)
    assert (pressed.effective, table.state.time.clock.running) == (True, B)


def relay(*, announces: bool = True) -> CoreTable:
    table = CoreTable()
    table.adapt("sighted_press_needs_announcement")
    table.adapt(G1, "clock_back")
    if announces:
        table.mode(Mode.RELAY)
    play(table, "e4")
    return table


@pytest.mark.law("L182", "L191")
@pytest.mark.parametrize(
    ("seat", "sensed", "announces", "counts"),
    [
        (B, True, True, True),
        (B, False, True, False),  # entered by the arbiter: no board announces it
        (W, True, True, False),  # the other player's hands
        (B, True, False, False),  # at the table the players announce
        (None, True, True, False),
    ],
)
def test_where_the_program_announces_the_hands_on_a_sensing_board_are_the_announcement(
    seat: Seat | None, sensed: bool, announces: bool, counts: bool
) -> None:
    table = relay(announces=announces)
    if seat is not None:
        touched(table, seat, "e7" if seat is B else "d2", sensed=sensed)
    events = table.press("black")
    assert [one.effective for one in only(events, ev.ClockPressed)] == [counts]
    assert ("unannounced_press" in [kind for kind, _, _ in told(events)]) is not counts
    assert Game.replay(table.events) == table.state


def test_the_hands_of_an_earlier_move_announce_nothing_now() -> None:
    table = relay()
    touched(table, B, "e7", sensed=True)
    table.press("black")
    play(table, "Nf3")
    (pressed,) = only(table.press("black"), ev.ClockPressed)
    assert not pressed.effective


@pytest.mark.law("L081", "L084")
@pytest.mark.parametrize(("rule_set", "queen"), [("fide2023", True), ("short", False)])
def test_it_is_asked_with_the_queen_where_one_is_forced_else_from_before_the_move(rule_set: str, queen: bool) -> None:
    fen = "8/P3k3/8/8/8/8/7r/4K3 b - - 0 1"
    table = CoreTable(fen=fen, white=SIGHTED, rule_set=rule_set, mates=False)
    table.state = altered(table.state, {"rulings.illegals": ((W, "illegal"),) * 2})
    for seat, uci, text in (("black", "e7d7", "Kd7"), ("white", "a7a8", "a8")):
        table.enter(seat, uci, text)
        table.press(seat)
    (asked,) = only(table.done("arbiter", ruling(2, W, "unpromoted")), ev.MateAsked)
    before = Position.from_fen(fen).after("e7d7")
    assert (asked.seat, asked.ply, asked.position) == ((B, 2, before.after("a7a8q")) if queen else (B, 1, before))


@pytest.mark.law("L084")
@pytest.mark.parametrize(("piece", "verdict"), [("b", "no"), ("q", "unknown")])
def test_it_is_asked_from_the_position_just_before_the_illegal_move(piece: str, verdict: str) -> None:
    """Black's last pawn has just become a bishop, which mates nobody, or a queen."""
    table = CoreTable(fen="8/4k3/8/8/8/8/p7/6K1 b - - 0 1", white=SIGHTED, mates=False)
    table.state = altered(table.state, {"rulings.illegals": ((W, "illegal"),)})
    table.enter("black", f"a2a1{piece}", f"a1={piece.upper()}")
    table.press("black")
    table.enter("white", "g1g3", "Kg3")
    table.press("white")
    (ruled,) = only(table.done("arbiter", ruling(2, W)), ev.IrregularityRuled)
    assert (ruled.opponent_can_mate, ruled.proposed) == (verdict, "1/2-1/2" if verdict == "no" else "0-1")
