"""Chess960 at the table (Guidelines II; L226-L231): regulations, starts, castling on both boards, records."""

from __future__ import annotations

import io

import chess
import chess.pgn
import msgspec
import pytest
from click.testing import CliRunner

from server.cli.chess960 import command
from server.exports.chess960 import start_of
from server.exports.table_pgn import pgn_of
from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import PROGRAM, Command, Refusal
from server.game.decide.decide import decide
from server.game.decide.touch import obligation_of
from server.game.game import Game
from server.game.laws.chess960 import from_dice, number_of, start_position
from server.game.laws.event_options import EventOptions, Supervision, rules_of
from server.game.laws.legality import is_legal
from server.game.laws.touch import Obligation
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.position import Position
from server.game.values.time_control import TimeControl
from server.game.values.words import Mode, Seat, SeatKind, SeatPlan
from server.game.views.view import picture
from server.scoresheets.score_text import score_text
from server.wording.aloud.positions import position_tokens
from server.wording.refusals import sentence
from server.wording.rules import load_instructions
from server.wording.words import move_entered, scheme_of
from speech.announcements.announce import text_of
from speech.complaint import Complaint
from tests.game.core_table import CoreTable, edition, kinds, only, play, said
from tests.game.laws.castling_path import squares_in_the_way

TWO = EventOptions(guidelines=("II",))
SHORT, LONG = Announcement(castling="short"), Announcement(castling="long")


def table_of(fen: str, **more: SeatKind) -> CoreTable:
    return CoreTable(fen=fen, chess960=True, regulations=TWO, **more)


def opened(regulations: EventOptions | None, rule_set: str = "fide2023", *, known: bool = True) -> object:
    """What becomes of opening a Chess960 table under these regulations."""
    body = cmd.OpenTable(
        white=SeatPlan(SeatKind.TACTILE),
        black=SeatPlan(SeatKind.SIGHTED),
        control=TimeControl.parse("5400+30"),
        start_fen=start_position(17).fen,
        chess960=True,
        regulations=regulations,
        rules=rules_of(edition(rule_set), regulations or EventOptions()) if known else None,
    )
    return decide(GameState(), Command(id="0" * 32, table="t", station=PROGRAM, body=body), 0)


def enter(table: CoreTable, station: str, uci: str) -> tuple[ev.AnyEvent, ...]:
    """A move entered at a station, filled in by the server's own wording."""
    seat = Seat(station)
    spoken, words, text = move_entered(table.state.board_of(seat).position, uci, scheme_of("d21", "de"))
    return table.done(station, cmd.EnterMove(uci=uci, announcement=spoken, words=words, text=text))


def alerts(table: CoreTable) -> list[str]:
    return [alert.kind for alert in only(table.events, ev.Alerted)]


# II.1, II.2: the start


@pytest.mark.law("L226")
def test_l226_only_where_the_event_announced_it() -> None:
    assert opened(None) == Refusal("chess960_not_announced", "II")
    assert opened(EventOptions(guidelines=("I", "III"))) == Refusal("chess960_not_announced", "II")
    (event,) = opened(TWO)  # type: ignore[misc]
    assert event.chess960 and event.start_fen == start_position(17).fen
    assert not isinstance(opened(TWO, known=False), Refusal), "an edition that says nothing leaves it to the event"


@pytest.mark.law("L226")
def test_l226_a_federation_may_leave_it_out() -> None:
    without = msgspec.structs.replace(TWO, overrides=(("chess960", "not_offered"),))
    assert opened(without) == Refusal("chess960_not_offered", "II")
    assert opened(TWO, "short") == Refusal("chess960_not_offered", "II")
    for code in ("chess960_not_offered", "chess960_not_announced", "only_in_chess960"):
        assert sentence(code, "II", "en") != sentence(code, "II", "de")


@pytest.mark.law("L226")
@pytest.mark.parametrize(
    ("written", "letters"),
    [("518", "RNBQKBNR"), ("0", "BBQNNRKR"), ("bbqnnrkr", "BBQNNRKR"), ("3-1-4-2-2", "BRNNQBKR"), ("draw", "RKRNNQBB")],
)
def test_l226_by_number_letters_throws_or_lot(written: str, letters: str) -> None:
    position = start_of(written, lambda below: below - 1)
    assert position.placement == f"{letters.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{letters}" and position.chess960


@pytest.mark.law("L226")
@pytest.mark.parametrize(
    ("written", "said_of_it"),
    [
        ("960", "from 0 to 959"),
        ("", "eight pieces"),
        ("KQRBRBNN", "different colours"),
        ("3-1-4-2-6", "throw again instead of 6"),
        ("3-1-4", "five throws are needed"),
        ("five", "eight pieces"),
    ],
)
def test_l226_what_is_no_start_gets_one_sentence(written: str, said_of_it: str) -> None:
    with pytest.raises(Complaint, match=said_of_it) as refused:
        start_of(written, lambda below: 0)
    assert str(refused.value).count("\n") == 0


def read_out(number: int, scheme: str, language: str) -> dict[Seat, list[str]]:
    sides = position_tokens(start_position(number).placement, scheme_of(scheme, language), by_square=True)
    lines = [[text_of(tokens[at : at + 3]) for at in range(0, len(tokens), 3)] for _, tokens in sides]
    return dict(zip(Seat, lines, strict=True))


@pytest.mark.law("L226")
def test_l226_the_start_is_read_out_square_by_square() -> None:
    lines = read_out(0, "d21", "de")
    assert {"Läufer Anna eins", "Läufer Bella eins", "Dame Cesar eins"} <= set(lines[Seat.WHITE])
    assert {"Läufer Anna acht", "Läufer Bella acht", "Dame Cesar acht"} <= set(lines[Seat.BLACK])
    for number in range(0, 960, 37):
        board = chess.Board(None)
        for seat, men in read_out(number, "national", "en").items():
            for line in men:
                piece, file, rank = line.split()
                square = chess.square("abcdefgh".index(file[0].lower()), RANKS.index(rank))
                board.set_piece_at(square, chess.Piece(chess.PIECE_NAMES.index(piece), seat is Seat.WHITE))
        assert board.board_fen() == start_position(number).placement


RANKS = ("one", "two", "three", "four", "five", "six", "seven", "eight")


@pytest.mark.law("L226", "L229")
def test_l226_the_command_prints_it_with_the_instruction_for_castling() -> None:
    shown = CliRunner().invoke(command, ["17", "--language", "de", "--json"])
    answer = msgspec.json.decode(shown.output)
    assert answer["number"] == 17 and Position.from_fen(answer["fen"], chess960=True) == start_position(17)
    assert len(answer["white"]) == len(answer["black"]) == 16
    plain = CliRunner().invoke(command, ["17", "--language", "en"]).output
    how = load_instructions()["chess960_castling"]
    assert how.article == "II.3.2.5" and set(how.text) >= {"en", "de"}
    assert plain.rstrip().endswith(how.text["en"]) and answer["castling"] == how.text["de"]
    drawn = {CliRunner().invoke(command, ["--json"]).output for _ in range(8)}
    assert len(drawn) > 1


def test_dice_and_numbers_meet() -> None:
    assert number_of(from_dice((3, 1, 4, 2, 2))) == 434


# II.3: castling


def pairs() -> dict[tuple[int, int], int]:
    """Every king and rook that stand together in a start position (files from 0), with the first such position

    in which the other rook is not in the way.
    """
    found: dict[tuple[int, int], int] = {}
    for number in range(960):
        rank = start_position(number).placement.rpartition("/")[2]
        king, left, right = rank.index("K"), rank.index("R"), rank.rindex("R")
        if right > 3:
            found.setdefault((king, left), number)
        if left < 5:
            found.setdefault((king, right), number)
    return found


def cleared(number: int) -> str:
    """That start with nothing but kings and rooks on the outer ranks, as after a few moves."""
    board = start_position(number).board()
    for square in chess.SquareSet(chess.BB_RANK_1 | chess.BB_RANK_8):
        if board.piece_type_at(square) not in (chess.KING, chess.ROOK):
            board.set_piece_at(square, None)
    return board.fen()


PAIRS = pairs()


def castled(fen: str, king: int, rook: int, seat: Seat) -> str:
    """The placement with king and rook where II.3.2.6 has them: on c and d, or on g and f."""
    board, rank = chess.Board(fen, chess960=True), 0 if seat is Seat.WHITE else 7
    color = seat is Seat.WHITE
    board.set_piece_at(chess.square(king, rank), None)
    board.set_piece_at(chess.square(rook, rank), None)
    files = (2, 3) if rook < king else (6, 5)
    for file, piece in zip(files, (chess.KING, chess.ROOK), strict=True):
        board.set_piece_at(chess.square(file, rank), chess.Piece(piece, color))
    return board.board_fen()


@pytest.mark.law("L228", "L230")
def test_l228_there_are_42_pairs_for_each_colour_and_four_ways() -> None:
    assert len(PAIRS) == 42 and sum(rook < king for king, rook in PAIRS) == 21
    ways = {(king != k, rook != r) for king, rook in PAIRS for k, r in [(2, 3) if rook < king else (6, 5)]}
    assert ways == {(True, True), (True, False), (False, True)}
    assert (3, 2) in PAIRS and (5, 6) in PAIRS, "transposition: king and rook change places"
    assert (2, 0) in PAIRS and (6, 7) in PAIRS, "the rook alone"


@pytest.mark.law("L228", "L230")
@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize(("king", "rook"), sorted(PAIRS))
def test_l228_every_pair_castles_on_both_boards_by_its_words(king: int, rook: int, seat: Seat) -> None:
    fen = cleared(PAIRS[king, rook])
    words = "O-O-O" if rook < king else "O-O"
    table = table_of(fen)
    if seat is Seat.BLACK:
        play(table, "a3")
        table.done("black", cmd.Execute())
    before = table.placement(seat)
    mover, other = seat.value, seat.other.value
    table.say(mover, words, act="announce")
    table.press(mover)
    expected = castled(f"{before} w - - 0 1", king, rook, seat)
    rank = 1 if seat is Seat.WHITE else 8
    uci = f"{chess.FILE_NAMES[king]}{rank}{chess.FILE_NAMES[rook]}{rank}"
    assert table.state.moves.line[-1] == uci and is_legal(table.state.moves.positions[-2], uci)
    assert table.placement(seat) == expected, "the mover's own board follows the mover's words by geometry"
    table.say(other, words, act="echo")
    table.done(other, cmd.Execute())
    assert table.placement(seat.other) == expected, "and so does the other"
    assert table.state.moves.positions[-1].placement == expected
    assert not alerts(table)
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L228", "L230")
@pytest.mark.parametrize(("king", "rook"), sorted(PAIRS))
def test_l228_entered_as_the_king_on_its_own_rook_it_is_that_castling(king: int, rook: int) -> None:
    fen = cleared(PAIRS[king, rook])
    table = table_of(fen, white=SeatKind.SIGHTED)
    table.mode(Mode.RELAY)  # there an entry is how a sighted player announces
    events = enter(table, "white", f"{chess.FILE_NAMES[king]}1{chess.FILE_NAMES[rook]}1")
    (announced,) = only(events, ev.Announced)
    assert announced.announcement == (LONG if rook < king else SHORT)
    assert announced.text == ("Lange Rochade" if rook < king else "Kurze Rochade")
    table.press("white")
    assert table.placement(Seat.WHITE) == castled(fen, king, rook, Seat.WHITE)
    assert not alerts(table)


@pytest.mark.law("L228")
@pytest.mark.parametrize("words", ["Kg1", "Ke1g1", "Kh1", "Ke1h1"])
def test_l228_words_that_name_king_and_square_are_never_castling(words: str) -> None:
    table = table_of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    table.say("white", words)
    events = table.press("white")
    assert table.state.moves.plies[0].announcement == said(words)
    rooks = Position.from_fen(f"{table.placement(Seat.WHITE)} w - - 0 1").board().pieces(chess.ROOK, chess.WHITE)
    assert rooks == chess.SquareSet([chess.A1, chess.H1]), "no rook moves along"
    assert "ClockPressed" in kinds(events) and alerts(table)
    assert not any(isinstance(one, Refusal) for one in events)


@pytest.mark.law("L228")
def test_l228_a_king_entered_two_squares_away_has_moved_and_not_castled() -> None:
    table = table_of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", white=SeatKind.SIGHTED)
    table.mode(Mode.RELAY)
    events = enter(table, "white", "e1g1")
    (announced,) = only(events, ev.Announced)
    assert announced.announcement == Announcement("king", None, "g1") and announced.text == "Koenig Gustav eins"
    table.press("white")
    assert table.placement(Seat.WHITE) == "4k3/8/8/8/8/8/8/R5KR"
    assert alerts(table) == ["not_legal"]
    assert "O-O" not in pgn_of(table.state) and "e1g1" in pgn_of(table.state)


@pytest.mark.law("L228")
def test_l228_a_step_of_the_king_to_where_castling_would_bring_it_is_a_step() -> None:
    table = table_of("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1")
    table.say("white", "Kc1")
    table.press("white")
    assert table.placement(Seat.WHITE) == "4k3/8/8/8/8/8/8/R1K4R" and not alerts(table)
    assert table.state.moves.positions[-1].castling == "-"


@pytest.mark.law("L227")
def test_l227_once_each() -> None:
    table = table_of("rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w KQkq - 0 1")
    play(table, "O-O-O O-O Kb1 Kh8")
    assert not alerts(table)
    assert table.state.moves.positions[-1].castling == "-"
    for seat, words in (("white", "O-O"), ("black", "O-O-O")):
        table.say(seat, words, act="announce")
        told = len(alerts(table))
        table.press(seat)
        assert "not_legal" in alerts(table)[told:], "then the arbiter alone"


@pytest.mark.law("L230")
def test_l230_the_sides_are_those_of_the_files_not_of_the_distance() -> None:
    table = table_of("1rk4r/8/8/8/8/8/8/1RK4R w KQkq - 0 1")
    play(table, "O-O O-O-O")
    assert table.placement(Seat.WHITE) == "1rk4r/8/8/8/8/8/8/1R3RK1", "the king travels far, it is still the g-side"
    assert table.placement(Seat.BLACK).split("/")[0] == "2kr3r"


@pytest.mark.law("L231")
def test_l231_what_must_be_vacant_and_unattacked() -> None:
    for fen, side, in_the_way, legal in (
        ("4k3/8/8/8/8/8/8/NR3K2 w Q - 0 1", "c", (), True),  # a1 may stay filled
        ("4k3/8/8/8/8/8/8/1R2NK2 w Q - 0 1", "c", ("e1",), False),
        ("4k3/8/8/8/8/8/8/R1N2K2 w Q - 0 1", "c", ("c1",), False),
        ("4k3/4r3/8/8/8/8/8/1R3K2 w Q - 0 1", "c", (), False),  # the king would pass an attacked square
        ("1r2k3/8/8/8/8/8/8/1R3K2 w Q - 0 1", "c", (), True),  # the rook may be attacked
        ("2r1k3/8/8/8/8/8/8/1R3K2 w Q - 0 1", "c", (), False),
        ("4kr2/8/8/8/8/8/8/1R3K2 w Q - 0 1", "c", (), False),  # out of check
    ):
        table = table_of(fen)
        assert squares_in_the_way(table.state.moves.positions[0], side) == in_the_way, fen  # type: ignore[arg-type]
        table.say("white", "O-O-O")
        assert not alerts(table), "nothing before the press"
        table.press("white")
        assert alerts(table) == ([] if legal else ["not_legal"]), fen


@pytest.mark.law("L231")
def test_l231_castling_is_possible_on_the_first_move() -> None:
    table = table_of(start_position(PAIRS[5, 6]).fen)
    assert table.placement(Seat.WHITE).rpartition("/")[2][5:7] == "KR"
    table.say("white", "O-O")
    table.press("white")
    assert not alerts(table) and table.placement(Seat.WHITE).rpartition("/")[2][5:7] == "RK"


@pytest.mark.law("L231")
def test_l231_a_player_who_says_that_they_are_about_to_castle_castles_with_what_they_touch() -> None:
    fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"

    def obliged(*squares: str, first: bool = True) -> tuple[set[str], str]:
        table = table_of(fen, white=SeatKind.SIGHTED)
        if first:
            (meant,) = table.done("white", cmd.AboutToCastle())
            assert meant == ev.CastlingMeant(at=table.now, seat=Seat.WHITE, ply=1)
        for square in squares:
            table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square=square, how="touched"))
        shown = picture(table.state, table.now)
        return set(shown.obliged), shown.obliged_by

    assert obliged("h1") == ({"e1h1"}, "II.3.2.7"), "the rook first: it would bar castling without the words"
    assert obliged("h1", "e1") == ({"e1h1"}, "II.3.2.7")
    assert obliged("e1") == ({"e1h1", "e1a1"}, "II.3.2.7")
    assert obliged() == (set(), "")
    assert obliged("h1", "e1", first=False)[1] == "4.3.1"


@pytest.mark.law("L231")
def test_l231_it_binds_who_said_it_in_that_move_by_the_pieces_that_were_really_touched() -> None:
    table = table_of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    table.done("white", cmd.AboutToCastle())
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="a1", how="touched"))
    assert obligation_of(table.state, 1) is None, "feeling the rook is free at the tactile board"
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="h1", how="lifted"))
    castles = Obligation(("e1h1",), "II.3.2.7", False)
    assert obligation_of(table.state, 1) == castles
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="e1", how="lifted"))
    assert obligation_of(table.state, 1) == castles


@pytest.mark.law("L231")
def test_l231_where_castling_is_not_legal_the_words_bind_to_nothing_of_their_own() -> None:
    table = table_of("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", white=SeatKind.SIGHTED)
    table.done("white", cmd.AboutToCastle())
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="h1", how="touched"))
    shown = picture(table.state, table.now)
    assert shown.obliged_by == "4.3.1" and "e1h1" not in shown.obliged
    assert not alerts(table)


@pytest.mark.law("L231")
def test_l231_said_at_the_wrong_time_or_table_it_does_nothing() -> None:
    table = table_of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert table.done("black", cmd.AboutToCastle()) == ()
    usual = CoreTable()
    early = CoreTable(fen=start_position(17).fen, chess960=True, regulations=TWO, started=False)
    assert early.do("white", cmd.AboutToCastle()) == Refusal("not_started", "6.6")
    assert usual.do("white", cmd.AboutToCastle()) == Refusal("only_in_chess960", "II.3.2.7")
    table.done("white", cmd.AboutToCastle())
    table.say("white", "O-O")
    table.press("white")
    play(table, "Ke7")
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="g1", how="lifted"))
    assert picture(table.state, table.now).obliged_by == "4.3.1", "said for one move, not for the next"


@pytest.mark.law("L230")
def test_two_rooks_on_one_side_leave_a_board_waiting_rather_than_tell_of_the_right() -> None:
    for rights in ("KQ", "Q", "-"):
        table = table_of(f"4k3/8/8/8/8/8/8/RK4RR w {rights.replace('K', 'G')} - 0 1", white=SeatKind.SIGHTED)
        table.say("white", "O-O")
        table.press("white")
        assert table.placement(Seat.WHITE) == "4k3/8/8/8/8/8/8/RK4RR"
        assert "board_not_followed" in alerts(table)
    table = table_of("4k3/8/8/8/8/8/8/RK4RR w GQ - 0 1", white=SeatKind.SIGHTED)
    enter(table, "white", "b1g1")
    table.press("white")
    assert table.placement(Seat.WHITE) == "4k3/8/8/8/8/8/8/R4RKR" and not alerts(table), "an entry names the rook"


# The records


@pytest.mark.law("L226", "L228")
def test_the_records_of_a_chess960_game_say_what_it_is() -> None:
    start = start_position(17)
    table = table_of(start.fen, white=SeatKind.SIGHTED)
    board = start.board()
    for _ in range(60):
        moves = sorted(board.legal_moves, key=lambda move: (not board.is_castling(move), move.uci()))
        if board.is_game_over():
            break
        move = moves[0] if board.is_castling(moves[0]) else moves[len(board.move_stack) * 7 % len(moves)]
        seat = table.state.on_move.value
        table.wait(1_000)
        enter(table, seat, move.uci())
        table.press(seat)
        board.push(move)
    assert any(uci in ("e1h1", "e1a1") or uci for uci in table.state.moves.line)
    text = pgn_of(table.state)
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None and not game.errors
    assert game.headers["Variant"] == "Chess960" and game.headers["SetUp"] == "1"
    assert Position.from_fen(game.headers["FEN"], chess960=True) == start
    assert game.end().board().board_fen() == board.board_fen()
    assert text.count("[%clk ") == len(board.move_stack)
    assert score_text(table.state, Seat.WHITE).startswith('[Variant "Chess960"]\n[FEN ')
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L020", "L227", "L153")
def test_an_illegal_move_of_the_king_that_stands_takes_castling_away() -> None:
    """Under basic supervision the game goes on from it (A.5.2), and the king has moved (3.8.2.1)."""
    basic = EventOptions(guidelines=("II",), supervision=Supervision.BASIC)
    table = CoreTable(
        fen="1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1", chess960=True, regulations=basic, control="900+10"
    )
    play(table, "Ke1c1 a6 h3 a5")
    assert only(table.events, ev.Alerted)[-1].kind == "illegal_move_stands"
    assert table.state.position is not None and table.state.position.castling == "kq"
    play(table, "O-O-O")
    assert only(table.events, ev.Alerted)[-1].kind == "not_legal"
