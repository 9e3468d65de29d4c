"""`anna-eins announce`: the contract of the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import chess
import pytest

from server.cli import main

START = chess.STARTING_FEN


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["announce", *arguments])
    captured = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, captured.out, captured.err


@pytest.mark.law("L187")
def test_the_json_answer(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = answer(capsys, "--fen", START, "--move", "g1f3", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == {
        "text": "Springer Felix drei",
        "tokens": [
            {"id": "piece.knight", "text": "Springer", "voice_language": "de"},
            {"id": "file.f", "text": "Felix", "voice_language": "de"},
            {"id": "rank.3", "text": "drei", "voice_language": "de"},
        ],
        "uci": "g1f3",
        "san": "Nf3",
    }


def test_the_plain_answer_in_another_language_and_scheme(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--fen", START, "--move", "E2E4", "--language", "en", "--scheme", "national")
    assert answer(capsys, *arguments) == (0, "pawn Eva four\n", "")


@pytest.mark.law("L186")
@pytest.mark.parametrize(
    ("fen", "move", "text", "uci", "san"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "Kurze Rochade", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "Kurze Rochade", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8a8", "Lange Rochade", "e8c8", "O-O-O"),
        ("2k5/8/8/8/8/8/8/R3KR2 w F - 0 1", "e1f1", "Kurze Rochade", "e1f1", "O-O"),
        ("2k5/8/8/8/8/8/8/R3KR2 w F - 0 1", "e1g1", "Kurze Rochade", "e1f1", "O-O"),
        ("5k2/8/8/8/8/8/8/1K5R w H - 0 1", "b1g1", "Kurze Rochade", "b1h1", "O-O"),
        ("5k2/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", "König Gustav eins", "f1g1", "Kg1"),
        ("5k2/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1", "Kurze Rochade", "f1h1", "O-O"),
    ],
)
def test_castling_in_both_ways_of_writing(
    capsys: pytest.CaptureFixture[str], fen: str, move: str, text: str, uci: str, san: str
) -> None:
    status, out, _ = answer(capsys, "--fen", fen, "--move", move, "--json")
    told = json.loads(out)
    assert status == 0
    assert (told["text"], told["uci"], told["san"].rstrip("+#")) == (text, uci, san)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--fen", "rubbish", "--move", "e2e4"), "rubbish"),
        (("--fen", "", "--move", "e2e4"), "FEN"),
        (("--fen", "8/8/8/8/8/8/8/8 w - - 0 1", "--move", "e2e4"), "position"),
        (("--fen", "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1", "--move", "e4e5"), "position"),
        (("--fen", START, "--move", "e2e5"), "not legal"),
        (("--fen", START, "--move", "0000"), "not legal"),
        (("--fen", START, "--move", "Nf3"), "e2e4"),
        (("--fen", START, "--move", "e1g1"), "not legal"),
        (("--fen", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "--move", "a7a8"), "promotion"),
        (("--fen", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "--move", "a7a8k"), "not legal"),
        (("--fen", START, "--move", "e2e4", "--language", "xx"), "xx"),
        (("--fen", START, "--move", "e2e4", "--scheme", "xx"), "xx"),
        (("--fen", START), "--move"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    status, out, err = answer(capsys, *arguments, "--json")
    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1 and "Traceback" not in err


def test_no_engine_is_loaded_to_announce(repo: Path) -> None:
    engines = "('vosk', 'ctranslate2', 'pyttsx3', 'numpy', 'aiohttp', 'sounddevice')"
    script = (
        "import sys\nfrom server.cli import main\n"
        f"try:\n    main(['announce', '--fen', {START!r}, '--move', 'e2e4'])\n"
        f"finally:\n    print([name for name in {engines} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=repo, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Bauer Eva vier\n", "[]\n")
