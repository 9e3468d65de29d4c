"""`anna-eins reconcile` as a person and a program meet it: the JSON contract, sentences, exit status."""

from __future__ import annotations

import json
from pathlib import Path

import chess
import msgspec
import pytest

from braille.brf import document
from braille.loading import load_profile
from braille.score import Played, move_lines
from server.cli import main
from server.cli.reconcile import clock_in, events_of
from server.desk.comparing import Compared, Comparison, Scores, compare_both_scores
from server.game.acts import Completed, TableOpened
from server.game.values.time_control import TimeControl
from server.game.values.words import Origin, Seat, SeatKind, SeatPlan
from server.journal.entry import Entry, Run
from server.journal.journal import Journal
from server.scoresheets.reconcile.compare import ClockReading
from speech.complaint import Complaint

WHITE = "1. e4 e5\n2. Nf3 Nc6\n3. Bb5 a6\n"


def run(capsys: pytest.CaptureFixture[str], *args: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["reconcile", *map(str, args)])
    out, err = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, out, err


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare in this process: another one, which loads all languages anew, costs ten times a comparison."""

    async def at_once(_comparison: Comparison, scores: Scores) -> Compared:
        return compare_both_scores(scores)

    monkeypatch.setattr(Comparison, "compare", at_once)


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    white, black = tmp_path / "white.txt", tmp_path / "black.txt"
    white.write_text(WHITE)
    black.write_text("1. e4 e5\n2. Hf3 Hc6\n3. Fc4 a6\n")
    return white, black


@pytest.mark.law("L196", "L198")
def test_json_has_every_field_of_the_contract(pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    board = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R"
    code, out, err = run(capsys, *pair, "--languages", "en,hu", "--boards", board, board + " w KQkq - 0 4", "--json")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert out.count("\n") == 1
    assert answer["verdict"] == "differ"
    assert answer["agree_plies"] == 4
    assert answer["position"] == "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    assert answer["clock"] is None
    assert answer["game"][:4] == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert len(answer["confidence"]) == len(answer["game"])
    assert all(0 <= confidence <= 1 for confidence in answer["confidence"])
    assert answer["questions"] == [{"ply": 5, "first": "Bb5", "second": "Fc4", "candidates": ["f1b5", "f1c4"]}]
    assert (answer["shifts"], answer["gaps"], answer["listen"]) == ([], [], [])
    assert [sorted(each) for each in answer["boards"]] == [["deviates", "squares"]] * 2
    assert {"square": "b5", "is": "B", "should_be": None} in answer["boards"][0]["squares"]
    assert answer["back"] == [["a7a6", "f1b5"], ["a7a6", "f1c4"]]
    assert answer["languages"] == ["en", "hu"]


def test_languages_are_recognised_and_sentences_are_plain(
    pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, *pair)
    assert code == 0
    assert "The scores differ" in out
    assert "after Black's move 2" in out
    assert "White's score was read in en, Black's in hu" in out
    assert "3...a6 (a7a6), 3.Bb5 (f1b5)" in out


@pytest.mark.law("L197")
def test_which_board_deviates_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score = tmp_path / "score.txt"
    score.write_text("1. d4 Nf6")
    right = "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR"
    wrong = "rnbqkb1r/pppppppp/7n/8/3P4/8/PPP1PPPP/RNBQKBNR"
    code, out, _ = run(capsys, score, score, "--boards", right, wrong)
    assert code == 0
    assert "White's board shows this position." in out
    assert "Black's board deviates: f6 has nothing, should have n; h6 has n, should have nothing." in out


@pytest.mark.usefixtures("here")
def test_hebrew_cells_are_kept_apart_from_the_text_around_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a").write_text("1. ד4 ד5\n2. פו3 -")
    (tmp_path / "b").write_text("1. d4 d5")
    _, out, _ = run(capsys, tmp_path / "a", tmp_path / "b", "--languages", "he,en")
    assert "\u2068פו3\u2069" in out


@pytest.mark.usefixtures("here")
def test_braille_and_spoken_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moves = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")
    lines = move_lines(Played(headers={}, moves=moves), load_profile("ukaaf"))
    (tmp_path / "white.BRF").write_text(document([lines]), newline="")
    (tmp_path / "cells.txt").write_text("\n".join(lines))
    (tmp_path / "spoken.txt").write_text(
        "1.\tEva zwei Eva vier\tEva fuenf\n2.\tSpringer Gustav eins Felix drei\tSpringer Caesar sechs\n"
        "3.\tLaeufer Bella fuenf\t-\n"
    )
    for first in ("white.BRF", "cells.txt"):
        code, out, err = run(capsys, tmp_path / first, tmp_path / "spoken.txt", "--json")
        assert (code, err) == (0, "")
        answer = json.loads(out)
        assert (answer["verdict"], answer["agree_plies"]) == ("same_record", 5)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["nowhere.txt", "white.txt"], "name a file with a score"),
        (["white.txt", "."], "name a file with a score"),
        (["white.txt", "binary"], "is not text"),
        (["white.txt", "white.txt", "--languages", "xx"], 'no language "xx"'),
        (["white.txt", "white.txt", "--languages", "en,de,hu"], "takes one language"),
        (["white.txt", "white.txt", "--boards", "x", "y"], "the first board is not a placement"),
        (["white.txt", "twice.txt"], "the second score is numbered 1 again"),
        (["white.txt", "bad.brf"], "64 characters"),
        (["fen1.pgn", "fen2.pgn"], "different positions"),
        (["white.txt"], "argument is missing"),
        (["white.txt", "white.txt", "--journal", "T", "--data", "."], "no record"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    args: list[str],
    words: str,
) -> None:
    (tmp_path / "white.txt").write_text(WHITE)
    (tmp_path / "twice.txt").write_text("1. e4 e5\n1. d4 d5")
    (tmp_path / "binary").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    (tmp_path / "bad.brf").write_text("é\n")
    (tmp_path / "fen1.pgn").write_text('[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4')
    (tmp_path / "fen2.pgn").write_text('[FEN "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"]\n\n1. d4')
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, *args)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


@pytest.mark.law("L198")
async def test_clock_readings_come_from_the_journal(pair: tuple[Path, Path], tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.sqlite")
    await journal.begin_run(Run("r", 0, 0, "test"))
    opened = TableOpened(
        at=0,
        white=SeatPlan(SeatKind.TACTILE),
        black=SeatPlan(SeatKind.SIGHTED),
        start_fen=chess.STARTING_FEN,
        control=TimeControl.parse("5400+30"),
    )
    events: list[tuple[str, TableOpened | Completed]] = [("table_opened", opened)]
    for ply in range(1, 7):
        seat = Seat.WHITE if ply % 2 else Seat.BLACK
        completed = Completed(
            at=ply, seat=seat, ply=ply, origin=Origin.DECLARED, white_ms=5_000_000 - ply, black_ms=4_000_000 - ply
        )
        events.append(("completed", completed))
    for seq, (kind, event) in enumerate(events, 1):
        body = msgspec.json.encode(event)
        assert json.loads(body)["event"] == kind
        await journal.append([Entry("T1", seq, "r", "", "", "", "", seq, seq, 1, kind, body)])
    await journal.close()
    assert clock_in(events_of(tmp_path, "T1"), "T1", 4) == ClockReading(4_999_996, 3_999_996)
    assert clock_in(events_of(tmp_path, "T1"), "T1", 0) == ClockReading(5_430_000, 5_430_000)
    with pytest.raises(Complaint, match="no clock reading for move 20"):
        clock_in(events_of(tmp_path, "T1"), "T1", 40)
    with pytest.raises(Complaint, match="no table 'T2'"):
        clock_in(events_of(tmp_path, "T2"), "T2", 1)


@pytest.mark.needs("shared")
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("share", [5, pytest.param(1, marks=pytest.mark.thorough)])
def test_real_pairs_through_the_command(shared: Path, capsys: pytest.CaptureFixture[str], share: int) -> None:
    """Every real pair is compared in `test_real_sheets`; a thorough run gives each to the command too."""
    pairs = sorted((shared / "data/scoresheets").glob("*-0.txt"))
    assert len(pairs) == 25
    for first in pairs[::share]:
        second = first.with_name(first.name.replace("-0", "-1"))
        code, out, err = run(capsys, first, second, "--json")
        assert (code, err) == (0, ""), first.name
        assert json.loads(out)["verdict"] in ("same_record", "differ", "illegal_in_both", "incomplete")


@pytest.mark.law("L196")
@pytest.mark.parametrize("text", ["", "\n\n", '[Event "Club"]\n', "1-0", "1. - -\n2. - -\n"])
@pytest.mark.usefixtures("here")
def test_an_empty_score_is_incomplete(pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str], text: str) -> None:
    pair[1].write_text(text)
    code, out, err = run(capsys, *pair, "--json")
    answer = json.loads(out)
    assert (code, err, answer["verdict"], answer["agree_plies"]) == (0, "", "incomplete", 0)
    assert answer["gaps"] == ["G5"]
    assert "Black's score is empty." in run(capsys, *pair)[1]


SCORE = "1. e4 e5\n2. Cf3 Cc6\n3. Fb5 a6\n4. R\xe9xf6 ½:½\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"])
@pytest.mark.usefixtures("here")
def test_a_score_in_any_encoding_reads_alike(
    pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str], encoding: str
) -> None:
    """A file that is not Unicode is read as Latin-1, and the person is told so."""
    pair[0].write_text("1. e4 e5\n2. Nf3 Nc6\n3. Bb5 a6\n", encoding="utf-16")
    pair[1].write_bytes(SCORE.encode(encoding))
    code, out, err = run(capsys, *pair, "--json")
    answer = json.loads(out)
    assert (code, answer["agree_plies"], answer["languages"]) == (0, 6, ["en", "fr"])
    assert answer["endings"] == [None, "½:½"]
    assert answer["unread"] == [[], [{"ply": 7, "line": 4, "text": "Réxf6"}]]
    assert bool(err) == (encoding in ("latin-1", "cp1252"))
    assert "read as Windows-1252" in err or not err
    _, out, _ = run(capsys, *pair)
    assert "Black's score, line 4, White's move 4: \"Réxf6\" cannot be read as a move." in out
    assert "Black's score ends with: ½:½." in out


@pytest.mark.parametrize("order", ["\x1b[2J", "\x9b2J"])
@pytest.mark.usefixtures("here")
def test_what_a_terminal_would_obey_is_read_as_a_space(
    pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str], order: str
) -> None:
    pair[1].write_text(f"1. e4 e5\n2. {order}\n", "utf-8")
    _, out, err = run(capsys, *pair)
    assert "2J" in out + err, "it is named"
    assert not {"\x1b", "\x9b"} & {*out, *err}


@pytest.mark.usefixtures("here")
def test_a_score_that_two_languages_read_differently_is_asked_about(
    pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """A bishop's move in English is a pawn's in German: nothing of the score tells which (C.3)."""
    pair[1].write_text("1. e4 e5\n2. Bc4 Bc5\n")
    code, out, err = run(capsys, *pair)
    assert (code, out) == (2, "")
    assert 'the second score can be read in en, de, with different results (line 2, "Bc4")' in err
    assert err.count("\n") == 1 and "--languages" in err
    assert run(capsys, *pair, "--languages", "en")[0] == 0


@pytest.mark.needs("shared")
@pytest.mark.parametrize(
    ("folder", "names", "plies"),
    [
        ("reconcile-nag", ("white.pgn", "black.txt"), 8),
        *(("reconcile-words-at-the-end", (f"{name}-w.txt", f"{name}-b.txt"), 9) for name in ("colon", "remis", "zero")),
    ],
)
@pytest.mark.usefixtures("here")
def test_scores_that_were_handed_in(
    shared: Path, capsys: pytest.CaptureFixture[str], folder: str, names: tuple[str, str], plies: int
) -> None:
    paths = [shared / "data/cases" / folder / name for name in names]
    code, out, _ = run(capsys, *paths, "--languages", "en,de", "--json")
    answer = json.loads(out)
    assert (code, answer["verdict"], answer["agree_plies"], answer["unread"]) == (0, "same_record", plies, [[], []])
