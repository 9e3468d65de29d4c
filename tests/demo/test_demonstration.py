"""`anna-eins demo`: whole games really spoken, really heard, and everything they leave behind."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import chess.pgn
import pytest
from rich.console import Console

from braille.brf import read_pages
from braille.loading import load_profile
from server.cli import main
from server.demo.account import Account
from server.demo.demonstration import Demonstration
from server.demo.game_script import GameScript, built_in_games, read_games
from server.desk.loading import writings
from server.game.acts import MarkOutOfStep, Mend
from server.game.values.words import Seat
from server.hall.hall import Hall
from server.scoresheets.braille import parse_dotted
from server.scoresheets.language import likely_writing, read_sheet
from server.scoresheets.reconcile.agreement import compare_scores
from server.scoresheets.sheet import parse_sheet
from speech.audio.wav import read_wav

SHORT = """[Event "Short"]

1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 *
"""


MATE = """[Event "Mate"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
"""
PROGRAM = "from server.cli import demo, main; from {0} import games; demo.built_in_games = games; main()"


def games() -> tuple[GameScript, ...]:
    """The built-in game with White by touch, and a short one to mate with Black by touch."""
    return built_in_games()[0], read_games(MATE, "mate.pgn", "black")[0]


class Performed(NamedTuple):
    account: str
    folder: Path
    scripts: tuple[GameScript, ...]


@pytest.fixture(scope="module")
def performed(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest, repo: Path) -> Performed:
    """One run of the real command; a thorough one plays both built-in games."""
    out = tmp_path_factory.mktemp("demo")
    whole = request.config.getoption("--thorough")
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            "from server.cli import main; main()" if whole else PROGRAM.format("tests.demo.test_demonstration"),
            "demo",
            "--fast",
            "--no-audio",
            "--out",
            str(out),
        ],
        cwd=repo,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    return Performed(run.stdout, out, built_in_games() if whole else games())


@pytest.mark.slow
@pytest.mark.law("L182", "L194", "L196", "L197", "L203")
def test_the_account_tells_the_whole_story(performed: Performed) -> None:
    account, _, scripts = performed
    for script in scripts:
        assert f"Every one of the {len(script.moves)} half-moves reached both boards and both scores." in account
    assert "switches to table" in account and "switches back to relay" in account
    assert "tactile player asks: «Zeit» — told: «" in account and "Stunde" in account
    assert "(same_record)" in account and "board deviates on" in account
    assert "first try" in account and "assistant typed" in account


@pytest.mark.slow
def test_the_files_hold_the_games_that_were_played(performed: Performed) -> None:
    _, out, scripts = performed
    known = writings()
    for number, script in enumerate(scripts, 1):
        folder = out / f"table-{number}"
        game = chess.pgn.read_game(io.StringIO((folder / "game.pgn").read_text(encoding="utf-8")))
        assert game is not None
        assert tuple(node.move.uci() for node in game.mainline()) == script.moves
        assert all(node.clock() is not None for node in game.mainline())
        start = chess.Board()
        sheets = [parse_sheet((folder / f"{seat.value}-score.txt").read_text(encoding="utf-8")) for seat in Seat]
        cells = [read_sheet(sheet, known[likely_writing(sheet, start, known)]) for sheet in sheets]
        assert compare_scores(cells[0], cells[1], start).plies == len(script.moves)
        brf = (folder / "score.brf").read_text(encoding="ascii")
        assert all(len(line) <= 40 for page in brf.split("\f") for line in page.splitlines())
        dotted = parse_dotted(read_pages(brf), load_profile("ukaaf"), "score.brf")
        assert compare_scores(read_sheet(dotted, known["en"]), cells[0], start).plies == len(script.moves)


@pytest.mark.slow
def test_every_word_was_really_spoken(performed: Performed) -> None:
    _, out, scripts = performed
    for number, script in enumerate(scripts, 1):
        sounds = sorted((out / f"table-{number}" / "audio").glob("*.wav"))
        assert len(sounds) >= len(script.moves)
        for path in sounds:
            sound = read_wav(path)
            assert 400 < sound.duration_ms < 12_000
            assert abs(sound.array.astype(float)).max() > 3_000, f"{path.name} is all but silent"


@pytest.mark.slow
async def test_corrupting_the_servers_own_game_touches_no_board_and_no_score(
    tmp_path: Path,
) -> None:
    script = read_games(SHORT, "short.pgn", "white")[0]
    seen = []

    async def corrupt(hall: Hall, table_id: str) -> None:
        table = hall.tables[table_id]
        before = table.state
        assert before.moves.line == script.moves
        for ply, uci in ((2, "a7a5"), (3, "h2h4"), (5, None)):
            outcome = await table.own(table.program_command(Mend(ply=ply, uci=uci)))
            assert outcome.outcome.ok
        await table.own(table.program_command(MarkOutOfStep(note="corrupted by a test")))
        after = table.state
        assert after.moves.line[1:5] != script.moves[1:5]
        assert after.moves.positions[2] != before.moves.positions[2]
        assert (after.moves.white_board, after.moves.black_board) == (
            before.moves.white_board,
            before.moves.black_board,
        )
        assert (after.scores.white, after.scores.black) == (before.scores.white, before.scores.black)
        assert after.time.clock == before.time.clock
        seen.append(table_id)

    class Corrupted(Demonstration):
        async def _one(self, hall, server, script, number, players):  # type: ignore[no-untyped-def]
            result = await super()._one(hall, server, script, number, players)
            await corrupt(hall, f"demo{number + 1}")
            return result

    account = Account(Console(file=io.StringIO()))
    done = await Corrupted(tmp_path, account, fast=True, aloud=None).play([script])
    assert done[0][1].all_moves_arrived
    assert seen == ["demo1"]


def test_a_file_that_is_no_game_is_refused_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.pgn"
    for content in (b"\xff\xfe\x00", b"1. e4 e5 2. Ke8 *"):
        bad.write_bytes(content)
        with pytest.raises(SystemExit) as stop:
            main(["demo", "--fast", "--pgn", str(bad)])
        told = capsys.readouterr().err
        assert stop.value.code == 2
        assert told.count("\n") == 1 and "Traceback" not in told


def test_the_built_in_games_are_whole() -> None:
    appendix, opera = built_in_games()
    assert isinstance(appendix, GameScript) and len(appendix.moves) == 21 and appendix.tactile == "white"
    board = chess.Board()
    for uci in opera.moves:
        board.push_uci(uci)
    assert board.is_checkmate() and opera.tactile == "black"
