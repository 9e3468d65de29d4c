"""Every command has an example that it takes; a shell completes their names; long work shows how far it is."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from server.cli import SUBCOMMANDS, group
from server.cli.keeping.progress import shown


def commands(command: click.Command, *names: str) -> Iterator[tuple[str, click.Command]]:
    """The command and all below it, each with how it is called."""
    yield " ".join(("anna-eins", *names)), command
    if isinstance(command, click.Group):
        with click.Context(command) as context:
            for name in command.list_commands(context):
                below = command.get_command(context, name)
                assert below is not None
                yield from commands(below, *names, name)


ALL = dict(commands(group))


@pytest.mark.parametrize("called", ALL)
def test_every_command_has_an_example_that_it_takes(
    called: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "recordings").mkdir()
    monkeypatch.chdir(tmp_path)
    command = ALL[called]
    with click.Context(command, info_name=called) as context:
        told = command.get_help(context)
    example = told.rpartition("Example:\n")[2].strip()
    assert example.startswith("anna-eins ") and "\n" not in example
    words = shlex.split(example.partition(" > ")[0])
    found, rest = group, words[1:]
    while isinstance(found, click.Group):
        with click.Context(found) as context:
            below = found.get_command(context, rest[0])
        assert below is not None, example
        found, rest = below, rest[1:]
    assert isinstance(command, click.Group) or found is command
    found.make_context("example", rest)  # raises where an option or an argument is wrong


def test_all_commands_were_walked() -> None:
    assert {f"anna-eins {name}" for name in SUBCOMMANDS} < ALL.keys()
    assert all(option.help for command in ALL.values() for option in command.params if isinstance(option, click.Option))


def test_a_slim_install_has_every_command_and_says_in_a_sentence_what_it_cannot(tmp_path: Path) -> None:
    lacking = ("espeakng_loader", "pocketsphinx", "pyttsx3", "typst", "vosk")
    script = f"import sys; sys.modules.update(dict.fromkeys({lacking})); from server.cli import main; main()"
    run = [sys.executable, "-c", script]
    listed = subprocess.run([*run, "--help"], capture_output=True, text=True, check=False)
    assert listed.returncode == 0 and all(f"  {name} " in listed.stdout for name in SUBCOMMANDS), listed.stderr
    refused = subprocess.run([*run, "approve", "--data", str(tmp_path)], capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1) and "makes no PDF" in refused.stderr


def test_a_shell_completes_commands_and_options() -> None:
    def completed(line: str) -> list[str]:
        words = {
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(line.split(" ")) - 1),
            "_ANNA_EINS_COMPLETE": "bash_complete",
        }
        command = [sys.executable, "-c", "from server.cli import main; main()"]
        done = subprocess.run(command, env=os.environ | words, capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert completed("anna-eins re") == [
        "plain,reconcile",
        "plain,record",
        "plain,report",
        "plain,restore",
        "plain,results",
    ]
    assert completed("anna-eins serve --log-l") == ["plain,--log-level"]


def test_progress_is_shown_at_a_terminal_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with shown("Copying") as told:
        told(1, 2)
    assert capfd.readouterr() == ("", "")
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with shown("Copying") as told:
            told(1, 2)
    assert "Copying" in os.read(ours, 10_000).decode()
    os.close(ours)
