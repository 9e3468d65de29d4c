"""The command line as a whole: the version, a port that is taken, endless files, a full disk, a reader who has gone."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import click
import pytest

from server.cli import LazyGroup, group, main
from server.machine.version import program_version
from tests.game.core_table import REFUSALS

FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    captured = capsys.readouterr()
    return stop.value.code, captured.out, captured.err


def test_the_version_is_told_also_from_a_folder_that_is_not_installed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, err = said(capsys, "--version")
    assert (status, err) == (0, "") and program_version() in out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("serv", "serve"),
        ("sreve --lan", "serve"),
        ("doctor --jsn", "--json"),
        ("models gt", "get"),
        ("serve --json", ""),
        ("say --sounds", ""),
    ],
)
def test_what_was_mistyped_is_suggested_and_nothing_unlike_it(
    typed: str, meant: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    with pytest.raises(SystemExit) as stop:
        main(typed.split())
    told = capsys.readouterr().err
    assert stop.value.code == 2
    assert told.partition("Did you mean ")[2].strip() == (f"{meant}?" if meant else ""), told


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("doctor --quiet", "doctor"),
        ("doctor --json --quiet", "doctor --json"),
        ("record kit --quiet", "record kit --quiet"),  # its own: without the voice
        ("approve --quiet --now", "approve --quiet --now"),
        ("say --out a.wav -- --quiet", "say --out a.wav -- --quiet"),
    ],
)
def test_quiet_stands_behind_a_command_too_unless_the_command_has_its_own(typed: str, left: str) -> None:
    assert isinstance(group, LazyGroup)
    context = click.Context(group, info_name="anna-eins")
    group.parse_args(context, typed.split())
    assert context.params["quiet"] is (left != typed)
    assert [*context._protected_args, *context.args] == left.split()


def test_another_programs_port_is_left_to_it() -> None:
    from server.cli.serve import free_port
    from server.settings import Settings

    with socket.socket() as other:
        try:
            other.bind((Settings().host, Settings().port))
            other.listen()
        except OSError:
            pass  # another program on this machine has it already
        assert free_port() == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("reconcile", "/dev/zero", "/dev/zero"),
        ("score", "/dev/zero"),
        ("hear", "--cases", "/dev/zero"),
        ("demo", "--pgn", "/dev/zero"),
        ("serve", "--config", "/dev/zero"),
        ("doctor", "--config", "/dev/zero"),
        ("approve", "--check", "/dev/zero"),
    ],
)
def test_a_file_without_end_is_refused_and_not_read_to_its_end(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    status, out, err = said(capsys, *arguments)
    assert (status, out) == (2, "") and err.count("\n") == 1


@pytest.mark.parametrize("line", ['{"id":"2","x":' + "[" * 5_000, "[1,", "[" * 5_000, '"x', '{"wav":1'])
def test_a_line_that_is_no_case_is_a_bad_case(tmp_path: Path, line: str) -> None:
    from server.cli.hear_cases import Failure, read_cases

    file = tmp_path / "cases.jsonl"
    file.write_text('{"id":"1","wav":"a.wav","fen":null,"language":"de"}\n' + line + "\n")
    assert isinstance(read_cases(file)[1], Failure)


def run(arguments: list[str], **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from server.cli import main; main()", *arguments]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=60, check=False, **more)  # type: ignore[call-overload,no-any-return]


def test_a_full_disk_behind_the_output_is_no_fault_of_the_programs_own() -> None:
    with Path("/dev/full").open("w") as full:
        done = run(["announce", "--fen", FEN, "--move", "g1f3"], stdout=full)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "space" in done.stderr


def test_a_reader_who_has_seen_enough_is_no_fault() -> None:
    import os

    reading, writing = os.pipe()
    os.close(reading)
    done = run(["announce", "--fen", FEN, "--move", "g1f3"], stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_refusal_of_the_core_has_a_sentence(repo: Path) -> None:
    import re

    codes = set()
    for file in (repo / "server").rglob("*.py"):
        codes |= set(re.findall(r'(?:Refusal|sentence|in_language)\(\s*"(\w+)"', file.read_text("utf-8")))
    assert len(codes) > 15 and codes <= REFUSALS


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de_DE.UTF-8", "hat in den Spalten 15 bis 47 keinen Namen"),
        ("C.UTF-8", "has no name in columns 15 to 47"),
        ("fr_FR", "has no name in columns 15 to 47"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_the_users_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, language: str, told: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", language)
    file = tmp_path / "round.trf"
    file.write_text(f"012 Hall\n001 {1:>4}{'':80}\n")
    status, out, err = said(capsys, "import", str(file), "--look", "--data", str(tmp_path))
    assert (status, out, err.count("\n")) == (2, "", 1) and told in err
