"""Files of other programs, and each of them damaged by seed: what an independent reader finds in them, or one sentence.

The independent readers are python-chess's of PGN, and of TRF the PyPI package `trf` beside a few lines that take the
columns as the handbook numbers them. `trf/` holds samples written for these tests after FIDE's descriptions of TRF16
and TRF26 and those of pairing programs; all names in them are invented.
"""

from __future__ import annotations

import io
import logging
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess
import chess.pgn
import pytest
import trf

from server.desk.loading import load_endings, score_writings
from server.exports.pgn_reader import read_games
from server.hall.foreign_files.pairings import read_pairings
from server.hall.foreign_files.trf_results import CODES, EndedGame, with_results
from server.scoresheets.sheet import parse_sheet
from speech.complaint import Complaint
from tests.conftest import shared_folder

SAMPLES = sorted((Path(__file__).parent / "trf").glob("*.trf"))
GAMES = shared_folder() / "data" / "games" / "real-games.san"
SHEETS = shared_folder() / "data" / "scoresheets"
MUTATIONS = 200
"""So many of each file in a thorough run; the others take the first few."""
READ = 0.95
"""Of the files as they are."""

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
Cell = tuple[int, str, str]
Line = tuple[int, str, list[Cell]]


def damaged(text: str, seed: str, signs: str) -> str:
    """The text with one to three small faults, as of a hand, a mailer or an editor."""
    chance = random.Random(seed)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        if not text:
            break
        at, sign = chance.randrange(len(text)), chance.choice(signs)
        lines, words = text.split("\n"), text.split(" ")
        line, word = chance.randrange(len(lines)), chance.randrange(len(words))
        match chance.randrange(10):
            case 0:
                text = text[:at] + text[at + 1 :]
            case 1:
                text = text[:at] + sign + text[at:]
            case 2:
                text = text[:at] + sign + text[at + 1 :]
            case 3:
                text = text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
            case 4:
                text = "\n".join(lines[:line] + lines[line + 1 :])
            case 5:
                text = "\n".join([*lines[:line], chance.choice(lines), *lines[line:]])
            case 6:
                text = text[:at]
            case 7:
                text = " ".join(words[:word] + words[word + 1 :])
            case 8:
                text = " ".join([*words[:word], chance.choice(words), *words[word:]])
            case _:
                text = text[:at] + chance.choice(("\n", "\n\n", "\r", "\t", "  ")) + text[at:]
    return text


def lines_of(text: str) -> list[str]:
    return re.split(r"\r\n|\r|\n", text)


# TRF


def by_package(text: str) -> list[Line] | None:
    """The players as the package has them.

    It drops a last game whose result is blank, so each line gets one more round, which is taken away again.
    """
    lines = [
        f"{line}{' ' * ((89 - len(line)) % 10)}  0000 - Z" if line.startswith("001 ") else line
        for line in lines_of(text)
    ]
    try:
        read = trf.loads("\n".join(lines))
    except (trf.TrfException.TrfException, ValueError):
        return None
    return [
        (
            one.startrank,
            " ".join(one.name.split()),
            [(game.startrank or 0, game.color.strip().lower(), game.result.strip()) for game in one.games[:-1]],
        )
        for one in read.players
    ]


def by_columns(text: str) -> list[Line] | None:
    """The players by the handbook's columns, counted in characters or, where that gives no numbers, in bytes."""
    found = []
    for line in lines_of(text):
        if line.startswith("001 "):
            read = columns(line, line[14:47])
            if read is None:
                raw = line.encode()
                read = columns(raw.decode("latin-1"), raw[14:47].decode("utf-8", "replace"))
            if read is None:
                return None
            found.append(read)
    return found


def columns(line: str, name: str) -> Line | None:
    cells = [line[at : at + 10] for at in range(91, len(line), 10)]
    if not all(re.fullmatch(r"(?: {0,4}|[ \d]{3}\d)( [wb -]?( [^ ]?\s*)?)?", cell, re.IGNORECASE) for cell in cells):
        return None
    try:
        read = [(int(cell[:4].strip() or 0), cell[5:6].strip().lower(), cell[7:8].strip()) for cell in cells]
        return int(line[4:8]), " ".join(name.split()), read
    except ValueError:
        return None


def boards(players: Sequence[Line] | None, round: int) -> list[tuple[str, str]] | None:
    """The boards of a round by the better rank of each; None where two lines do not say the same."""
    by_rank = {rank: (name, cells) for rank, name, cells in players or ()}
    if players is None or len(by_rank) != len(players):
        return None
    found = []
    for rank, name, cells in players:
        opponent, colour, result = cells[round - 1] if round <= len(cells) else (0, "", "")
        if not opponent:
            continue
        other, back = by_rank.get(opponent, ("", []))
        there = back[round - 1] if round <= len(back) else (0, "", "")
        if there[0] != rank or (there[1] == colour and not (result and there[2])):
            return None
        if colour == "w":
            found.append((min(rank, opponent), name, other))
    return [(white, black) for _, white, black in sorted(found)]


def quiet_differences(text: str) -> Iterator[str]:
    """Every round of a TRF in which other boards are read than by the others, and nobody is told."""
    package, plain = by_package(text), by_columns(text)
    for asked in (None, 1, 2, 3, 4):
        try:
            read = read_pairings(text, asked)
        except Complaint:
            continue
        round = read[0].round
        found = [(one.white, one.black) for one in read]
        others = [one for one in (boards(package, round), boards(plain, round)) if one is not None]
        if (asked is not None and round != asked) or found not in others[:1]:
            yield f"round {round}: {found}, but {others}"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_every_round_of_a_trf_is_read_as_others_read_it(sample: Path) -> None:
    text = sample.read_bytes().decode()
    assert list(quiet_differences(text)) == []
    assert read_pairings(text), "and the round that is to be played is found"


@pytest.mark.parametrize("many", [12, pytest.param(MUTATIONS, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_damaged_trf_is_read_as_others_read_it_or_is_one_sentence(sample: Path, many: int) -> None:
    text = sample.read_bytes().decode()
    for seed in range(many):
        made = damaged(text, f"{sample.name}/{seed}", " 0123456789wb=+-HUZ*\t.é")
        assert list(quiet_differences(made)) == [], seed


ITS_OWN_POINTS = {"javafo", "bbp", "fide26", "teams26"}
"""Samples that settle the points of a result themselves (XXS, BBW, 162)."""


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_results_put_into_a_trf_are_read_there_by_others(sample: Path) -> None:
    """Nothing else changes by a byte; points grow only where the file counts 1, one half and 0."""
    text = sample.read_bytes().decode()
    paired = read_pairings(text)
    games = [
        EndedGame(one.round, one.white, one.black, result, one.board)
        for one, result in zip(paired, ("1-0", "1/2-1/2", "-/+", "0-1"), strict=False)
    ]
    kept: list[str] = []
    made = with_results(text, games, kept)
    assert text.count("\n") == made.count("\n")
    both = [by_package(one) for one in (text, made)]
    before, after = both if None not in both else [by_columns(one) for one in (text, made)]
    assert before is not None and after is not None
    changed = []
    for (_, name, was), (_, _, now) in zip(before, after, strict=True):
        for round, cell in enumerate(now, 1):
            if was[round - 1 : round] != [cell]:
                changed.append((round, name, *cell[1:]))
    sides = [(one, CODES[one.result]) for one in games]
    expected = [(one.round, one.white, "w", white) for one, (white, _) in sides]
    expected += [(one.round, one.black, "b", black) for one, (_, black) in sides]
    assert sorted(changed) == sorted(expected)
    grown = [old for old, new in zip(lines_of(text), lines_of(made), strict=True) if old[:84] != new[:84]]
    assert bool(grown) is (sample.stem not in ITS_OWN_POINTS) is not bool(kept)


# PGN


class MainLine(chess.pgn.GameBuilder[chess.pgn.Game]):
    """A game without its variations: a fault in one is none of the game."""

    def begin_variation(self) -> chess.pgn.SkipType:
        super().begin_variation()
        return chess.pgn.SKIP


def pgn_of(number: int, moves: str) -> str:
    """A real game as a program writes it: by its number with clocks, remarks, variations, one long line, CR LF."""
    layout, chance = number % 4, random.Random(number)
    game = chess.pgn.Game()
    game.headers.update(Event=f"Open {number}", White="Adler, Anna", Black="Busch, Bruno", Round=f"{number % 9 + 1}")
    game.headers["Result"] = ("1-0", "0-1", "1/2-1/2", "*")[number // 4 % 4]
    node: chess.pgn.GameNode = game
    for word in moves.split():
        board = node.board()
        node = node.add_variation(board.parse_san(word))
        if layout == 1 and chance.random() < 0.2:
            node.comment = "[%clk 1:23:45] a remark"
            node.nags.add(chance.randrange(1, 140))
        other = chance.choice(list(board.legal_moves))
        if layout == 1 and other != node.move and chance.random() < 0.05:
            assert node.parent is not None
            node.parent.add_variation(other, comment="so")
    text = str(game.accept(chess.pgn.StringExporter(columns=(80, 80, None, 40)[layout])))
    return (text.replace("\n", "\r\n") if layout == 3 else text) + "\n\n"


def without_empty_lines(text: str) -> str:
    """The text as python-chess needs it: for it an empty line ends a game, for PGN 8.1 only a result or a tag does."""
    kept: list[str] = []
    before = ""
    for line in lines_of(text):
        bare, empty, before = line.strip(), not before, line.strip()
        after_moves = bool(kept) and kept[-1] != "" and not kept[-1].startswith("[")
        over = after_moves and re.search(r"(?:^|\s)(?:1-0|0-1|1/2-1/2|\*)$", kept[-1])
        if bare and ((bare.startswith("[") and after_moves) or over or (empty and re.match(r"1\.(?!\.)", bare))):
            kept.append("")
        if bare:
            kept.append(bare)
    return "\n".join(kept)


def by_python_chess(text: str) -> list[tuple[str, ...]] | None:
    """The moves of each game that has any; None where python-chess finds a fault, or ends by one of its own.

    It knows no figurines; a knight is the one among `SIGNS`.
    """
    file, found = io.StringIO(text.replace("♘", "N")), []
    while True:
        try:
            game = chess.pgn.read_game(file, Visitor=MainLine)
        except IndexError:
            return None
        if game is None:
            break
        if game.errors:
            return None
        moves = tuple(move.uci() for move in game.mainline_moves())
        found += [moves] if moves else []
    return found


def ours(text: str) -> list[tuple[str, ...]] | None:
    """The moves of each game that has any; None where a person is told something of one of them."""
    games = list(read_games(text, load_endings(), score_writings()))
    if any(game.fault is not None or game.languages or game.ending for game in games):
        return None
    return [game.played.moves for game in games if game.played.moves]


def real_games() -> list[str]:
    if not GAMES.exists():
        pytest.skip(f"no real games at {GAMES}")
    return GAMES.read_text("utf-8").splitlines()


def differs(text: str) -> bool:
    """Whether a game is read otherwise than by python-chess, and nobody is told."""
    found = ours(text)
    return found is not None and found not in (
        by_python_chess(text.replace("\r", "\n")),
        by_python_chess(without_empty_lines(text)),
    )


@pytest.mark.parametrize("part", range(4))
def test_real_games_are_read_as_by_python_chess(part: int) -> None:
    """Every layout of all of them, and each once damaged."""
    games = list(enumerate(real_games()))[part::4]
    texts = {number: pgn_of(number, moves) for number, moves in games}
    read = [ours(text) == by_python_chess(text) for text in texts.values()]
    assert sum(read) >= READ * len(read)
    assert [number for number, text in texts.items() if differs(text)] == []
    assert [n for n, text in texts.items() if differs(damaged(text, f"{n}/0", SIGNS))] == []


SIGNS = '[]{}()"\\;%$.*-=+#!? \t\n\r0123456789abcdefghNBRQKOxeSLDT½×–♘é'


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(25))
def test_damaged_real_games_are_read_as_by_python_chess_or_are_one_sentence(part: int) -> None:
    for number, moves in list(enumerate(real_games()))[part::25]:
        text = pgn_of(number, moves)
        wrong = [seed for seed in range(1, MUTATIONS) if differs(damaged(text, f"{number}/{seed}", SIGNS))]
        assert wrong == [], number


@pytest.mark.parametrize("part", range(2))
def test_pairings_of_a_pgn_are_the_tags_that_python_chess_finds(part: int) -> None:
    """Boards of one round, as a pairing program writes them; then damaged."""
    heads = "".join(
        f'[Event "Open"]\n[Round "3.{board}"]\n[White "Player {board}"]\n[Black "Guest \\"{board}\\""]\n'
        f'[TimeControl "5400+30"]\n[Result "*"]\n\n*\n\n'
        for board in range(1, 9)
    )
    assert len(read_pairings(heads)) == 8
    for seed in range(part, 200, 2):
        made = damaged(heads, f"heads/{seed}", '[]"\\ \nab1.*-?')
        try:
            read = {(one.board, one.white, one.black) for one in read_pairings(made, 3)}
        except Complaint:
            continue
        # It takes no blank before the bracket, and two games with no moves between them for one.
        tidy = re.sub(r'"\]\n+(?=\[Event )', '"]\n\n*\n\n', re.sub(r'"[ \t]+\]', '"]', made))
        plain = tags_by_python_chess(tidy), tags_by_python_chess(without_empty_lines(tidy))
        # A game that begins where a tag comes again is one to it with the game before.
        assert read in plain or (read > plain[0] and len(read) == len(re.findall(r'\[Round "3\.', made))), seed


def tags_by_python_chess(text: str) -> set[tuple[int, str, str]]:
    """Board and players of each game of round 3."""
    file, found = io.StringIO(text), set[tuple[int, str, str]]()
    while (tags := chess.pgn.read_headers(file)) is not None:
        named = re.fullmatch(r"\D*3(?:\.(\d+))?\D*", tags.get("Round", "?"))
        white, black = (" ".join(re.sub(r"\\(.)", r"\1", tags.get(side, "?")).split()) for side in ("White", "Black"))
        if named and "?" not in (white, black):
            found.add((int(named[1] or len(found) + 1), white, black))
    return found


# Scoresheets


def cells(text: str) -> list[str | None] | None:
    """The cells of a sheet in the plainest form, `N. white black` on each line in order; None where it is another."""
    found: list[str | None] = []
    for number, line in enumerate((one for one in lines_of(text) if one.strip()), 1):
        plain = re.fullmatch(rf"{number}\. ([^\s\d.][\w+#=-]*)(?: ([\w+#=-]+))?", line)
        if plain is None or (len(found) % 2 and found):
            return None
        found += [None if set(one) == {"-"} else one for one in plain.groups() if one]
    while found and found[-1] is None:
        found.pop()
    return found


@pytest.mark.parametrize("many", [3, pytest.param(MUTATIONS, marks=pytest.mark.thorough)])
def test_real_scoresheets_give_each_cell_as_it_stands(many: int) -> None:
    sheets = sorted(SHEETS.glob("*.txt"))
    if not sheets:
        pytest.skip(f"no real scoresheets at {SHEETS}")
    endings = load_endings()
    whole = 0
    for sheet in sheets:
        text = sheet.read_text("utf-8")
        for seed in range(many):
            made = damaged(text, f"{sheet.name}/{seed}", " 0123456789abcdefghNBRQKx+#=-") if seed else text
            plain = cells(made)
            try:
                read = parse_sheet(made, endings=endings)
            except Complaint:
                continue
            whole += seed == 0
            if plain is not None and read.ending is None and not read.zeros and not read.passed:
                assert list(read.cells) == plain, (sheet.name, seed)
    assert whole >= READ * len(sheets)
