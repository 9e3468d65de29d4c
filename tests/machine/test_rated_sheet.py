"""`doctor --rated`: one page to sign, and what must not be there is found."""

from __future__ import annotations

import socket
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from server.cli import group
from server.machine import rated_sheet
from server.machine.rated_sheet import (
    books_in,
    ears_of_machine,
    engines_on_path,
    hashes_of,
    inspect_machine,
    listening_ports,
    sheet_in_text,
)

NOW = datetime(2026, 11, 21, 18, 0, tzinfo=UTC)


def test_a_chess_program_on_the_path_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = tmp_path / "stockfish"
    engine.write_text("#!/bin/sh\n")
    engine.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert engines_on_path() == (f"stockfish ({engine})",)


def test_books_are_found_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "Perfect.CTG").touch()
    (tmp_path / "game.pgn").touch()
    assert books_in([tmp_path]) == (str(tmp_path / "deep" / "Perfect.CTG"),)


def test_ports_are_told_apart_by_who_can_reach_them(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as own, socket.create_server(("0.0.0.0", 0)) as open_to_all:
        found = listening_ports()
        assert f"{own.getsockname()[1]} (this machine alone)" in found
        assert f"{open_to_all.getsockname()[1]} (reachable)" in found

    def denied(kind: str) -> None:
        raise psutil.AccessDenied

    monkeypatch.setattr(psutil, "net_connections", denied)
    assert listening_ports() == ("cannot be determined on this system",)


def test_the_same_files_have_the_same_hash_and_one_changed_byte_another(tmp_path: Path) -> None:
    for room in ("server", "speech", "braille", "config"):
        (tmp_path / room).mkdir()
        (tmp_path / room / "a.py").write_text("x = 1\n")
    before = hashes_of(tmp_path)
    assert before == hashes_of(tmp_path)
    (tmp_path / "speech" / "a.py").write_text("x = 2\n")
    after = hashes_of(tmp_path)
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, True, True]


def test_the_page_is_one_page_to_sign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rated_sheet, "engines_on_path", lambda: ("stockfish (/usr/games/stockfish)",))
    text = sheet_in_text(inspect_machine(NOW, [tmp_path], ["USB headset"], "Anna Eins 0.1.0"))
    assert "stockfish" in text and "USB headset" in text and "Seen by the arbiter" in text
    assert len(text.splitlines()) <= 66


def test_the_sheet_says_which_ears_hear_and_where_one_hears_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """35.4: a machine without the model hears with the program's own alone, and the sheet says so."""
    monkeypatch.setattr(rated_sheet, "whisper_folder", lambda shelf: None)
    text = sheet_in_text(inspect_machine(NOW, [tmp_path], [], "Anna Eins 0.1.0", ears=ears_of_machine(tmp_path)))
    assert "the program's own model" in text and "no second recogniser: `anna-eins models get whisper-base`" in text
    monkeypatch.setattr(rated_sheet, "whisper_folder", lambda shelf: tmp_path)
    own, wrong = ears_of_machine(tmp_path)
    assert own == "the program's own model" and wrong.startswith("only the first: ") and str(tmp_path) in wrong
    monkeypatch.setattr(rated_sheet, "checked_whisper_model", lambda folder, shelf: folder)
    assert ears_of_machine(tmp_path, ["/a/vosk"]) == ("/a/vosk", f"Whisper, from {tmp_path}, all hashes checked")


def test_the_sheet_of_this_machine_has_the_hashes_of_this_program(repo: Path, tmp_path: Path) -> None:
    assert inspect_machine(NOW, [tmp_path], [], "Anna Eins 0.1.0").hashes == hashes_of(repo)


def test_the_command_refuses_to_call_a_machine_clean_that_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(rated_sheet, "engines_on_path", lambda: ())
    monkeypatch.setattr(rated_sheet, "engine_packages", lambda say: ())
    clean = CliRunner().invoke(group, ["doctor", "--rated", "--data", str(tmp_path / "data")])
    assert clean.exit_code == 0 and "none" in clean.output, clean.output
    (tmp_path / "book.ctg").touch()
    found = CliRunner().invoke(group, ["doctor", "--rated", "--data", str(tmp_path / "data")])
    assert found.exit_code != 0 and "book.ctg" in found.output
