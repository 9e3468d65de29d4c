"""The command `anna-eins` has one file for each subcommand, imported only when it is asked for."""

from __future__ import annotations

import errno
import importlib
import io
import locale
import logging
import os
import sys
from contextlib import suppress
from textwrap import shorten
from typing import Any

import click

from server.cli.terminal.click_words import in_own_language, teach_click
from server.cli.terminal.words import QUIET, ROOT, answer_text, in_own_words, in_users_language
from server.cli.terminal.words import words as own_words
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
    "devices",
    "doctor",
    "ears",
    "enrol",
    "envelope",
    "export",
    "hall",
    "hear",
    "import",
    "measure",
    "models",
    "notices",
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
    "table",
    "train",
    "voice",
    "words",
)

COMMANDS = {
    "import": ("rounds", "import_round"),
    "cards": ("rounds", "cards"),
    "backup": ("keeping.backup", "backup"),
    "bulletin": ("rounds", "bulletin"),
    "notices": ("rounds", "notices"),
    "bundle": ("keeping.bundle", "command"),
    "devices": ("keeping.devices", "command"),
    "doctor": ("keeping.doctor", "command"),
    "enrol": ("players.enrol", "command"),
    "hall": ("keeping.hall", "command"),
    "ears": ("hear", "ears"),
    "models": ("keeping.models", "command"),
    "restore": ("keeping.backup", "restore"),
    "results": ("rounds", "results"),
    "settings": ("keeping.settings", "command"),
    "table": ("keeping.table", "command"),
    "train": ("players.train", "command"),
    "voice": ("say", "voice"),
}
"""Where a subcommand is that is not in a file of its own name: the file, and its name there."""


FOR_EVERY_COMMAND = ("--quiet", "--verbose")
"""Options of the program itself; they may stand before a command or behind it."""


def _options(command: click.Command | None) -> set[str]:
    """Return the options of a command and of all its subcommands."""
    if command is None:
        return set()
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return {name for one in command.params for name in one.opts}.union(*map(_options, below))


class LazyGroup(click.Group):
    """Group that loads a subcommand only when it is called: `server/cli/NAME.py`'s `command`, or as `COMMANDS` says.

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
        return in_users_language(command, cmd_name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take what holds for every command behind its name too, unless the command has an option of that name."""
        end = args.index("--") if "--" in args else len(args)
        own = _options(self.get_command(ctx, next((word for word in args[:end] if not word.startswith("-")), "")))
        first = [word for word in args[:end] if word in FOR_EVERY_COMMAND and word not in own]
        return super().parse_args(ctx, [*first, *(word for word in args[:end] if word not in first), *args[end:]])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of the commands out of the catalogue, without loading any of them."""
        known = own_words()
        longest = formatter.width - 6 - max(len(name) for name in SUBCOMMANDS)
        rows = [(name, shorten(known.text(f"{name}.about"), longest, placeholder="...")) for name in SUBCOMMANDS]
        with formatter.section(in_own_language("Commands")):
            formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # the reader of the output has closed it, as `head` does
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.exceptions.Exit(0) from None


@click.group(cls=LazyGroup, invoke_without_command=True, epilog="\b\nExample:\n  anna-eins serve --lan")
@click.version_option(program_version(), prog_name=ROOT, message="%(prog)s %(version)s")
@click.option("--quiet", is_flag=True)
@click.option("--verbose", is_flag=True)
@click.pass_context
def group(ctx: click.Context, quiet: bool, verbose: bool) -> None:
    """Anna Eins: the play server for blind chess players.

    Without a COMMAND it starts the server with a demonstration table, and opens the arbiter's page.
    """
    ctx.meta[QUIET] = quiet
    if verbose:
        logging.basicConfig(level=logging.DEBUG, format="%(levelname)s %(name)s: %(message)s")
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
    teach_click()
    if sys.platform != "win32":
        with suppress(locale.Error):
            locale.setlocale(locale.LC_MESSAGES, "")  # what the system says of a file or a disk
    try:
        in_users_language(group, ROOT).main(args=argv, prog_name=ROOT, standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.Abort:
        sys.exit(130)
    except click.UsageError as wrong:
        from server.cli.terminal.suggestions import told_with_suggestion

        click.echo(" ".join(told_with_suggestion(wrong).split()), err=True)
        sys.exit(2)
    except click.ClickException as wrong:
        click.echo(" ".join(wrong.format_message().split()), err=True)
        sys.exit(2)
    except Complaint as wrong:
        click.echo(" ".join(in_own_words(wrong.told).split()), err=True)
        sys.exit(2)
    except Exception as fault:
        if isinstance(fault, OSError) and fault.errno == errno.ENOSPC:
            click.echo(answer_text("answer.no_space"), err=True)
            with suppress(OSError, ValueError):  # Python 3.14 would try again at its end, and exit with 120
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(2)
        from server.machine.faults import record_fault
        from speech.process import ChildFailed

        if isinstance(fault, ChildFailed):
            click.echo(" ".join(str(fault).split()), err=True)
            sys.exit(1)

        click.echo(record_fault(fault), err=True)
        sys.exit(1)
    sys.exit(0)
