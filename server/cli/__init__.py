"""The command `anna-eins` has one file for each subcommand, imported only when it is asked for."""

from __future__ import annotations

import errno
import importlib
import io
import os
import re
import sys
from typing import Any

import click

from server.machine.version import program_version
from speech.complaint import Complaint

SUBCOMMANDS = (
    "announce",
    "approve",
    "backup",
    "bulletin",
    "bundle",
    "cards",
    "chess960",
    "demo",
    "doctor",
    "ears",
    "enrol",
    "envelope",
    "export",
    "hear",
    "import",
    "measure",
    "models",
    "reconcile",
    "record",
    "report",
    "restore",
    "results",
    "say",
    "score",
    "serve",
    "settings",
    "station",
    "train",
    "voice",
    "words",
)

COMMANDS = {
    "import": ("rounds", "import_round"),
    "cards": ("rounds", "cards"),
    "backup": ("keeping.backup", "backup"),
    "bulletin": ("rounds", "bulletin"),
    "bundle": ("keeping.bundle", "command"),
    "doctor": ("keeping.doctor", "command"),
    "enrol": ("players.enrol", "command"),
    "ears": ("hear", "ears"),
    "models": ("keeping.models", "command"),
    "restore": ("keeping.backup", "restore"),
    "results": ("rounds", "results"),
    "settings": ("keeping.settings", "command"),
    "train": ("players.train", "command"),
    "voice": ("say", "voice"),
}
"""Where a subcommand is that is not in a file of its own name: the file, and its name there."""


class LazyGroup(click.Group):
    """This group has its subcommands in `server/cli/NAME.py` as `command`, or as `COMMANDS` says.

    So it starts fast and loads no engine.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in SUBCOMMANDS:
            return None
        file, name = COMMANDS.get(cmd_name, (cmd_name, "command"))
        command = getattr(importlib.import_module(f"server.cli.{file}"), name)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # the reader of the output has closed it, as `head` does
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.exceptions.Exit(0) from None


@click.group(cls=LazyGroup, invoke_without_command=True, epilog="\b\nExample:\n  anna-eins serve --lan")
@click.version_option(program_version(), prog_name="anna-eins")
@click.pass_context
def group(ctx: click.Context) -> None:
    """Anna Eins: the play server for blind chess players.

    Without a COMMAND it starts the server with a demonstration table, and opens the arbiter's page.
    """
    if ctx.invoked_subcommand is None:
        from server.cli.serve import command, free_port

        ctx.invoke(command, port=free_port(), demo_table=True, open_page=True)


def main(argv: list[str] | None = None) -> Any:
    """Run the command line.

    Exits with 0, with 2 and one sentence for bad input, or with 1 for a fault of the program (never a traceback).
    """
    for stream in (sys.stdout, sys.stderr):
        if sys.platform == "win32" and isinstance(stream, io.TextIOWrapper):  # a code page there lacks most letters
            stream.reconfigure(encoding="utf-8")
    try:
        group.main(args=argv, prog_name="anna-eins", standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.Abort:
        sys.exit(130)
    except click.UsageError as wrong:
        click.echo(" ".join(wrong.format_message().split()), err=True)
        sys.exit(2)
    except click.ClickException as wrong:
        click.echo(" ".join(wrong.format_message().split()), err=True)
        sys.exit(2)
    except Complaint as wrong:
        click.echo(" ".join(_in_own_language(wrong).split()), err=True)
        sys.exit(2)
    except Exception as fault:
        if isinstance(fault, OSError) and fault.errno == errno.ENOSPC:
            click.echo("No space is left on the device for what is to be written; free some and try again.", err=True)
            sys.exit(2)
        from server.machine.faults import record_fault
        from speech.process import ChildFailed

        if isinstance(fault, ChildFailed):
            click.echo(" ".join(str(fault).split()), err=True)
            sys.exit(1)

        click.echo(record_fault(fault), err=True)
        sys.exit(1)
    sys.exit(0)


def _in_own_language(wrong: Complaint) -> str:
    """Return what a complaint says, in the language of the user's system where the catalogue has it."""
    if isinstance(wrong.told, str):
        return wrong.told
    from server.wording.complaints import translated
    from speech.words.catalogue import message_tags

    named = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    language = re.split(r"[_.@]", named)[0].lower()
    return translated(wrong.told, language if language in message_tags() else "en")
