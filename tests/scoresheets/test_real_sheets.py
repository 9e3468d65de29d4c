"""The real pairs of handwritten sheets, and the sample games of the translated Laws."""

from __future__ import annotations

import json
import re
from pathlib import Path

import chess
import pytest

from server.scoresheets.cell import Writing, legal_readings, take
from server.scoresheets.forms import is_blank
from server.scoresheets.language import likely_writing, read_sheet
from server.scoresheets.letters import Alphabet
from server.scoresheets.reconcile.compare import compare
from server.scoresheets.sheet import parse_sheet, sheet_of
from tests.scoresheets.spelling_out import meant

pytestmark = pytest.mark.needs("shared")


def brute_force(first: dict[int, str], second: dict[int, str], alphabet: Alphabet) -> int:
    """The agreed plies by writing out, at every ply, every text of every legal move: depth first over all lines."""

    def deepest(board: chess.Board, ply: int) -> int:
        cells = (first.get(ply), second.get(ply))
        if cells[0] is None or cells[1] is None:
            return ply - 1
        best = ply - 1
        for move in meant(board, cells[0], alphabet) & meant(board, cells[1], alphabet):
            board.push(move)
            best = max(best, deepest(board, ply + 1))
            board.pop()
        return best

    return deepest(chess.Board(), 1)


def by_number(text: str) -> dict[int, str]:
    """Ply -> cell, read the plainest way."""
    cells = {}
    for number, white, black in re.findall(r"^(\d+)\. (\S+) (\S+)$", text, re.MULTILINE):
        cells[2 * int(number) - 1], cells[2 * int(number)] = white, black
    return {ply: cell for ply, cell in cells.items() if cell != "-"}


@pytest.mark.law("L196", "L198")
def test_every_real_pair_gets_an_answer_and_the_agreement_of_a_brute_force(
    shared: Path, ways: dict[str, Writing]
) -> None:
    folder = shared / "data/scoresheets"
    pairs = sorted(folder.glob("*-0.txt"))
    assert len(pairs) == 25
    agreed = []
    for path in pairs:
        texts = [path.read_text(), path.with_name(path.name.replace("-0", "-1")).read_text()]
        sheets = [parse_sheet(text) for text in texts]
        assert {likely_writing(sheet, chess.Board(), ways) for sheet in sheets} <= {"en", "ar"}
        cells = [read_sheet(sheet, ways["en"]) for sheet in sheets]
        found = compare(cells[0], cells[1], chess.Board())
        expected = brute_force(by_number(texts[0]), by_number(texts[1]), ways["en"].alphabet)
        assert found.agree_plies == expected, path.name
        board = chess.Board()
        for uci in found.game:
            board.push(board.parse_uci(uci))  # raises where the likely game is not legal
        assert found.verdict in ("same_record", "differ", "illegal_in_both", "incomplete")
        assert [len(back) for back in found.back] == [max(0, len(sheet.cells) - expected) for sheet in sheets]
        agreed.append(expected)
    assert max(agreed) > 30, "the sheets were really read"


@pytest.mark.law("L163", "L165", "L167")
@pytest.mark.parametrize("number", range(7))
def test_the_sample_games_of_the_laws(shared: Path, ways: dict[str, Writing], number: int) -> None:
    game = json.loads((shared / "reference/languages.json").read_text())["test_games"][number]
    sheet = parse_sheet(game["moves"])
    board = chess.Board()
    for ply, text in enumerate(sheet.cells, 1):
        moves = legal_readings(board, take(text, ways[game["lang"]]))
        if ply == game.get("expect_illegal_at_ply"):
            assert moves == ()
            assert not is_blank(text)
            break
        assert len(moves) == 1, (ply, text)
        board.push(moves[0])
    else:
        assert "expect_illegal_at_ply" not in game
        assert board.fen(en_passant="fen").split()[:4] == game["expect_fen"].split()[:4]
        assert board.fen() == game["expect_fen"]


def test_sample_games_agree_with_each_other_across_languages(shared: Path, ways: dict[str, Writing]) -> None:
    games = json.loads((shared / "reference/languages.json").read_text())["test_games"]
    same = [game for game in games if game.get("expect_fen", "").startswith("r1bqr1k1/ppp1bppp/2nn4/6B1/8/4QN2")]
    assert len(same) == 4
    read = [read_sheet(parse_sheet(game["moves"]), ways[game["lang"]]) for game in same]
    for one in read:
        for other in read:
            assert compare(one, other, chess.Board()).verdict == "same_record"


def test_the_language_of_a_score_is_recognised(
    shared: Path, ways: dict[str, Writing], real_games: list[list[chess.Move]]
) -> None:
    games = json.loads((shared / "reference/languages.json").read_text())["test_games"]
    for game in games:
        found = likely_writing(parse_sheet(game["moves"]), chess.Board(), ways)
        assert found == ("en" if game["lang"] == "ar" else game["lang"]), "Arabic scores use the English letters"
    from server.scoresheets.letters import san_in_letters

    for moves in real_games[:20]:
        for language in ("en", "de", "hu", "hy", "he"):
            board, cells = chess.Board(), []
            for move in moves:
                cells.append(san_in_letters(board.san(move), ways[language].alphabet))
                board.push(move)
            if len(moves) > 20:
                assert likely_writing(sheet_of(cells), chess.Board(), ways) == language
