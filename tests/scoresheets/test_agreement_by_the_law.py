"""How far two scores agree and what follows (D.2.9), on made cases and on real games with known injected errors."""

from __future__ import annotations

import random

import chess
import pytest

from server.scoresheets.cell import Writing
from server.scoresheets.language import read_sheet
from server.scoresheets.letters import san_in_letters
from server.scoresheets.reconcile.compare import Reconciliation, compare
from server.scoresheets.sheet import sheet_of
from tests.scoresheets.spelling_out import meant, some_text

UNREADABLE = ["Qj4", "??", "N5", "B6", "e9", "xyz", "~", "Nf"]


def answer(
    ways: dict[str, Writing], first: str, second: str, languages: str = "en en", **more: object
) -> Reconciliation:
    one, other = languages.split()
    cells = [read_sheet(sheet_of(text.split()), ways[language]) for text, language in ((first, one), (second, other))]
    return compare(cells[0], cells[1], chess.Board(), **more)  # type: ignore[arg-type]


@pytest.mark.law("L165", "L196")
def test_the_same_record_in_two_languages(ways: dict[str, Writing]) -> None:
    found = answer(ways, "e4 e5 Hf3 Hc6 Fb5 a6 0-0", "e2-e4 e7e5 Sf3 Sb8-c6 Lb5 a6 O-O", "hu de")
    assert (found.verdict, found.agree_plies) == ("same_record", 7)
    assert found.position.startswith("r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b")
    assert found.back == ((), ())
    assert found.questions == ()
    assert found.game == ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1")


@pytest.mark.law("L196", "L198")
@pytest.mark.parametrize(
    ("first", "second", "verdict", "plies"),
    [
        ("e4 e5 Nf3 Nc6", "e4 e5 Nf3 Nf6", "differ", 3),
        ("e4 e5 Nf3", "e4 e5 Nf4", "differ", 2),  # one legal, one not
        ("e4 e5 Nf4", "e4 e5 Nh4", "differ", 2),  # both illegal, not alike
        ("e4 e5 Nf4", "e4 e5 Nf4+", "illegal_in_both", 2),
        ("e4 e5 Nf4", "e4 e5 Ng1-f4", "illegal_in_both", 2),
        ("e4 e5 0-0", "e4 e5 O-O", "illegal_in_both", 2),
        ("e4 e5 0-0", "e4 e5 O-O-O", "differ", 2),
        ("e4 e5 - Nc6", "e4 e5 Nf3 Nc6", "incomplete", 2),
        ("e4 e5 - Nc6", "e4 e5 - Nc6", "incomplete", 2),
        ("e4 e5 Nf3", "e4 e5 Nf3 Nc6", "incomplete", 3),
        ("e4 e5 N3", "e4 e5 Nf3", "incomplete", 2),
        ("e4 e5 N3", "e4 e5 N3", "incomplete", 2),
        ("e4 -", "e4", "same_record", 1),  # nothing was written after it in either
        ("", "", "incomplete", 0),
        ("e4", "", "incomplete", 0),
        ("d4", "e4", "differ", 0),
    ],
)
def test_verdicts(ways: dict[str, Writing], first: str, second: str, verdict: str, plies: int) -> None:
    found = answer(ways, first, second)
    assert (found.verdict, found.agree_plies) == (verdict, plies)


def test_the_same_ambiguous_cell_is_settled_by_what_follows(ways: dict[str, Writing]) -> None:
    opening = "d4 d5 Nf3 Nf6 Bf4 Bf5 e3 e6"
    found = answer(ways, f"{opening} Nd2 Nd7 Nb3", f"{opening} Nd2 Nd7 N1b3")
    # Two White knights can go to d2 and two Black ones to d7; only the one from f3 leaves a knight on b1.
    assert (found.verdict, found.agree_plies) == ("differ", 10)
    found = answer(ways, f"{opening} Nd2 Nc6 Ne5", f"{opening} Nd2 Nc6 Nf3-e5")
    assert (found.verdict, found.agree_plies) == ("same_record", 11)
    assert found.game[8] == "b1d2", "the knight that went on from f3 had stayed there"


def test_gaps_are_named(ways: dict[str, Writing]) -> None:
    assert answer(ways, "e4 e5 Nf4", "e4 e5 Nf4").gaps == ("G4",)
    assert answer(ways, "e4", "").gaps == ("G5",)
    neither = answer(ways, "e4", "e4", placements=(chess.STARTING_BOARD_FEN, chess.STARTING_BOARD_FEN))
    assert neither.gaps == ("G4",)


def test_a_pawn_that_is_still_a_pawn_on_one_board(ways: dict[str, Writing]) -> None:
    start = chess.Board("8/3P3k/8/8/8/8/8/4K3 w - - 0 1")
    cells = read_sheet(sheet_of(["d8Q"]), ways["en"])
    found = compare(cells, cells, start, ("3P4/7k/8/8/8/8/8/4K3", "3Q4/7k/8/8/8/8/8/4K3"))
    assert found.gaps == ("G6",)


def test_the_likely_game_goes_on_where_only_one_score_can_be_read(ways: dict[str, Writing]) -> None:
    found = answer(ways, "e4 e5 - Nc6 Bb5 a6", "e4 e5 Nf3 Nc6 Bb5 N9")
    assert found.verdict == "incomplete"
    assert found.game == ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6")
    assert found.confidence[1] > found.confidence[3] > found.confidence[2]
    assert len(found.confidence) == len(found.game)


def test_of_two_legal_moves_the_one_that_lets_the_game_go_on_is_likely(ways: dict[str, Writing]) -> None:
    found = answer(ways, "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6", "e4 e5 Nf3 Nc6 Be2 a6 Bxc6")
    assert found.game[4] == "f1b5"
    assert [(q.ply, q.first, q.second, set(q.candidates)) for q in found.questions] == [
        (5, "Bb5", "Be2", {"f1b5", "f1e2"})
    ]


def test_what_both_scores_support_outweighs_what_one_does(ways: dict[str, Writing]) -> None:
    cells = [read_sheet(sheet_of(text.split()), ways["en"]) for text in ("Ra2 f6 Rad1", "Rh2 f6 Rd1")]
    board = chess.Board("6k1/5p2/8/8/8/8/4K3/R6R w - - 0 1")
    found = compare(cells[0], cells[1], board)
    # After 1.Ra2 only the second score's 2.Rd1 is possible; after 1.Rh2 both mean the same move.
    assert found.game == ("h1h2", "f7f6", "a1d1")


@pytest.mark.law("L198")
def test_steps_back_the_last_first_and_null_where_unreadable(ways: dict[str, Writing]) -> None:
    found = answer(ways, "e4 e5 Nf3 Nc6 N9 d6", "e4 e5 Nc3 - Bc4")
    assert found.back == (("d7d6", None, "b8c6", "g1f3"), ("f1c4", None, "b1c3"))


KINDS = ["none", "other move", "illegal", "unreadable", "blank", "same illegal", "cut short"]


@pytest.mark.slow
@pytest.mark.needs("shared")
@pytest.mark.law("L165", "L196", "L198")
@pytest.mark.parametrize("turn", range(len(KINDS)))
@pytest.mark.parametrize("share", [12, pytest.param(2, marks=pytest.mark.thorough)])
def test_injected_errors_in_real_games(
    ways: dict[str, Writing], real_games: list[list[chess.Move]], turn: int, share: int
) -> None:
    """Real games, each score in its own language and manner; errors at known places: no answer may be wrong.

    One game of `share` goes through one kind of error, a different one for its neighbour.
    """
    assert len(real_games) == 250
    kind = KINDS[turn]
    for number in range(turn, len(real_games), share * len(KINDS)):
        moves = real_games[number]
        chance = random.Random(f"{number} {kind}")
        languages = [chance.choice(sorted(ways)), chance.choice(sorted(ways))]
        sheets = [_sheet(moves, ways[language], chance) for language in languages]
        verdict, plies = _injected(kind, moves, sheets, [ways[language] for language in languages], chance)
        cells = [read_sheet(sheet_of(sheet), ways[language]) for sheet, language in zip(sheets, languages, strict=True)]
        found = compare(cells[0], cells[1], chess.Board())
        assert (found.verdict, found.agree_plies) == (verdict, plies), (kind, languages, sheets)
        board = chess.Board()
        for move in moves[:plies]:
            board.push(move)
        assert found.position == board.fen()
        assert found.game[:plies] == tuple(move.uci() for move in moves[:plies])


def _sheet(moves: list[chess.Move], way: Writing, chance: random.Random) -> list[str | None]:
    board, cells = chess.Board(), []
    plain = chance.random() < 0.8  # most players have one manner; some change it at every move
    for move in moves:
        if plain:
            cells.append(san_in_letters(board.san(move), way.alphabet))
        else:
            cells.append(some_text(board, move, way.alphabet, chance))
        board.push(move)
    return list(cells)


def _injected(
    kind: str, moves: list[chess.Move], sheets: list[list[str | None]], ways: list[Writing], chance: random.Random
) -> tuple[str, int]:
    """Put errors of one kind into the scores; the verdict and the agreed plies that the Laws then give."""
    if kind == "none":
        return "same_record", len(moves)
    places = sorted(chance.sample(range(len(moves)), min(chance.randrange(1, 5), len(moves))))
    if kind == "cut short":
        del sheets[chance.randrange(2)][places[0] :]
        return "incomplete", places[0]
    first: tuple[str, int] | None = None
    for index in places:
        which = chance.randrange(2)
        board = chess.Board()
        for move in moves[:index]:
            board.push(move)
        if kind == "blank":
            sheets[which][index] = "-"
            outcome = "incomplete"
        elif kind == "unreadable":
            sheets[which][index] = chance.choice(UNREADABLE)
            outcome = "incomplete"
        elif kind == "other move":
            others = [move for move in board.legal_moves if move != moves[index]]
            if not others:
                continue
            wrong = some_text(board, chance.choice(others), ways[which].alphabet, chance)
            sheets[which][index] = wrong
            outcome = "differ"
        else:
            wrong_cells = _illegal(board, ways, chance)
            if kind == "illegal":
                sheets[which][index] = wrong_cells[which]
                outcome = "differ"
            else:
                sheets[0][index], sheets[1][index] = wrong_cells
                outcome = "illegal_in_both"
        first = first or (outcome, index)
    return first or ("same_record", len(moves))


def _illegal(board: chess.Board, ways: list[Writing], chance: random.Random) -> list[str]:
    """The same illegal move of a piece, in both alphabets."""
    while True:
        san = chance.choice("KQRBN") + chance.choice("abcdefgh") + chance.choice("12345678")
        cells = [san_in_letters(san, way.alphabet) for way in ways]
        if not any(meant(board, cell, way.alphabet) for cell, way in zip(cells, ways, strict=True)):
            return cells
