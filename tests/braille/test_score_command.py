"""`anna-eins score` as a person runs it: three formats, languages, several games, bad files."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from click.testing import CliRunner

from braille import brf
from braille.loading import load_profile
from server.cli import main
from server.cli.score import command
from tests.braille.reading import read_moves

SAMPLE = (
    '[Event "Laws, Appendix C"]\n[White "A. Miller"]\n[Black "Jenő Müller"]\n'
    '[Date "1992.??.??"]\n[Result "1/2-1/2"]\n\n'
    "1. e4 e5 2. Nf3 Nf6 3. d4 exd4 4. e5 Ne4 5. Qxd4 d5 6. exd6 e.p. Nxd6 7. Bg5 Nc6 8. Qe3+ Be7 9. Nbd2 0-0\n"
    "10. 0-0-0 Re8 11. Kb1 (=) 1/2-1/2\n"
)


@pytest.fixture
def pgn(tmp_path: Path) -> Path:
    file = tmp_path / "games.pgn"
    file.write_text(SAMPLE + "\n" + SAMPLE.replace("A. Miller", "Third"), "utf-8")
    return file


def run(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    """Run the command in this process, and return what it wrote."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as stop:
        main(["score", *map(str, arguments)])
    assert isinstance(stop.value.code, int)
    out.flush()
    err.flush()
    written = [stream.buffer.getvalue() for stream in (out, err)]  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(arguments, stop.value.code, *written)


def run_at_a_terminal(repo: Path, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", "from server.cli import main; main()", "score", *map(str, arguments)],
        cwd=repo,
        capture_output=True,
        timeout=60,
        env={**os.environ, **environment},
    )


def sentence(result: subprocess.CompletedProcess[bytes]) -> str:
    """The one plain sentence of a refusal."""
    assert result.returncode == 2, result.stderr
    text = result.stderr.decode("utf-8")
    assert text.count("\n") == 1 and text.endswith(".\n") and "Traceback" not in text
    return text


@pytest.mark.law("L165", "L173", "L194")
def test_text_in_a_language(repo: Path, pgn: Path) -> None:
    result = run(pgn, "--language", "de")
    text = result.stdout.decode("utf-8")
    assert result.returncode == 0 and result.stderr == b""
    assert "  2. Sf3            Sf6\n" in text and " 11. Kb1 (=)\n½-½\n" in text
    assert text.count("A. Miller – Jenő Müller") == 1 and text.count("Third – Jenő Müller") == 1


def test_arabic_isolates_its_results(repo: Path, pgn: Path) -> None:
    text = run(pgn, "--language", "ar").stdout.decode("utf-8")
    assert "\u2068½-½\u2069" in text and "\u2068Nf3\u2069" in text and "\u20682.\u2069" in text


@pytest.mark.law("L194")
def test_braille_and_brf_hold_both_games(repo: Path, pgn: Path) -> None:
    profile = load_profile("ukaaf")
    cells = run_at_a_terminal(repo, pgn, "--format", "braille", PYTHONIOENCODING="ascii").stdout.decode("utf-8")
    assert all("\u2800" <= cell <= "\u283f" or cell == "\n" for cell in cells)
    assert max(map(len, cells.splitlines())) <= 40
    embossed = run(pgn, "--format", "brf").stdout
    pages = brf.read_pages(embossed.decode("ascii"))
    assert [page[0].split("\u2800")[-1] for page in pages] == ["⠼⠁", "⠼⠃"]
    for page in pages:
        score = read_moves("\n".join(page[page.index("") :]), profile)
        assert len(score.moves) == 21 and score.result == "1/2-1/2" and score.draw_offers == (20,)


def test_the_german_profile_is_chosen_by_name(repo: Path, pgn: Path) -> None:
    cells = run(pgn, "--format", "braille", "--profile", "de", "--language", "de").stdout.decode("utf-8")
    assert "⠆⠀⠨⠎⠋⠒" in cells


def test_a_fault_comes_after_what_was_read(repo: Path, tmp_path: Path) -> None:
    file = tmp_path / "broken.pgn"
    file.write_text('[White "A"]\n\n1. e4 e5 2. Ke3 Ke6 1-0\n\n[White "B"]\n\n1. d4 d5 2. Zz *\n\n1. c4 *\n', "utf-8")
    result = run(file)
    text = result.stdout.decode("utf-8")
    assert "1. e4             e5\n...\n" in text and "1-0" not in text and "1. c4" in text
    said = sentence(result)
    assert "Ke3" in said and said.strip().endswith("try again; further games with an error: 1.")
    for form in ("braille", "brf"):
        assert "Ke3" in sentence(run(file, "--format", form))


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"\x7fELF\0\0\1", "is not text"),
        (bytes(range(1, 256)) * 40, "is not text"),
        (b"# A page\n\nSome prose, no game.\n", "holds no game"),
        (b"1-0\n", "holds no game"),
        (b"\xff\xfe1\0.\0", "holds no game"),  # UTF-16, as an old Notepad saves it
        (b"\xff\xfe1\0.", "is not text"),
    ],
)
def test_what_is_no_pgn_is_said(repo: Path, tmp_path: Path, content: bytes, part: str) -> None:
    file = tmp_path / "bad.pgn"
    file.write_bytes(content)
    result = run(file)
    assert part in sentence(result)
    assert result.stdout == b""


def test_missing_huge_and_odd_files(repo: Path, tmp_path: Path, pgn: Path) -> None:
    assert "There is no file" in sentence(run_at_a_terminal(repo, tmp_path / "none.pgn"))
    assert "is a folder" in sentence(run(tmp_path))
    huge = tmp_path / "huge.pgn"
    with huge.open("wb") as file:
        file.truncate(9 * 1024 * 1024)
    assert "larger than 8 MiB" in sentence(run(huge))
    assert "no language" in sentence(run(pgn, "--language", "xx"))
    assert "choose one of: ar, computer, computer-de," in sentence(run(pgn, "--profile", "xx"))


def test_latin_1_and_terminal_escapes(repo: Path, tmp_path: Path) -> None:
    file = tmp_path / "old.pgn"
    file.write_bytes('[White "M\xfcller\x1b[2J"]\n\n1. e4 *\n'.encode("latin-1"))
    result = run(file)
    assert result.returncode == 0
    assert result.stdout.decode("utf-8").startswith("Müller [2J – NN\n") and b"\x1b" not in result.stdout


@pytest.mark.needs("shared")
@pytest.mark.slow
def test_real_games_print_and_emboss(repo: Path, shared: Path, tmp_path: Path) -> None:
    games = (shared / "data/games/real-games.san").read_text("utf-8").splitlines()
    file = tmp_path / "real.pgn"
    file.write_text("\n\n".join(f'[Round "{number}"]\n\n{game} *' for number, game in enumerate(games, 1)), "utf-8")
    result = run(file, "--format", "brf")
    assert result.returncode == 0 and result.stderr == b""
    pages = brf.read_pages(result.stdout.decode("ascii"))
    assert len(pages) >= 250 and all(len(page) <= 25 for page in pages)
    plies = sum(len(game.split()) for game in games)
    profile = load_profile("ukaaf")
    bodies = ["\n".join(page[page.index("") :]) for page in pages if "" in page]
    assert len(bodies) == 250, "a game of at most 24 lines stands on one page"
    assert sum(len(read_moves(body, profile).moves) for body in bodies) == plies


def test_a_readers_own_signs(tmp_path: Path) -> None:
    game, signs = tmp_path / "one.pgn", tmp_path / "own.toml"
    game.write_text("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *\n", "utf-8")
    signs.write_text('[signs]\ncastle_short = { cells = "⠕⠤⠕" }\n', "utf-8")
    plain = CliRunner().invoke(command, [str(game), "--format", "braille"]).output
    own = CliRunner().invoke(command, [str(game), "--format", "braille", "--signs", str(signs)]).output
    assert "⠕⠕" in plain and "⠕⠤⠕" in own and plain.replace("⠕⠕", "⠕⠤⠕") == own
