"""The man page, made of the help of every command: `python -m tests.cli.manual_page` writes it for the wheel."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from server.cli import SUBCOMMANDS, group
from server.cli.terminal.words import ROOT, in_users_language

PLACE = Path(__file__).resolve().parents[2] / "docs" / "install" / "anna-eins.1"


def escaped(text: str) -> str:
    r"""A text as man takes it.

    >>> escaped("a-b\\c")
    'a\\-b\\ec'
    """
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


def options_of(command: click.Command, ctx: click.Context) -> list[str]:
    """The arguments and options, each with what it is for."""
    found = []
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx)
        if record is not None:
            found += [".TP", f".B {escaped(record[0])}", escaped(" ".join(record[1].split()))]
    return found


def section(command: click.Command, ctx: click.Context) -> list[str]:
    """A command with its usage, what it does, its options and its own commands."""
    usage = " ".join(command.collect_usage_pieces(ctx))
    told = [escaped(" ".join(part.split())) for part in (command.help or "").split("\n\n")]
    lines = [f'.SS "{escaped(ctx.command_path)}"', f".B {escaped(ctx.command_path)} {escaped(usage)}"]
    for part in told:
        lines += [".PP", part]
    lines += options_of(command, ctx)
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            inner = command.get_command(ctx, name)
            assert inner is not None
            lines += section(inner, click.Context(inner, info_name=name, parent=ctx))
    return lines


def page() -> str:
    """The whole page, in English."""
    root = in_users_language(group, ROOT)
    ctx = click.Context(root, info_name=ROOT)
    about = " ".join((root.help or "").split("\n\n")[0].split())
    lines = ['.TH ANNA-EINS 1 "" "Anna Eins"', ".SH NAME", f"anna\\-eins \\- {escaped(about.partition(': ')[2])}"]
    lines += [".SH SYNOPSIS", ".B anna\\-eins", "[\\fICOMMAND\\fR [\\fIOPTIONS\\fR]]", ".SH DESCRIPTION"]
    lines += [escaped(" ".join(part.split())) for part in (root.help or "").split("\n\n")]
    lines += [".SH OPTIONS", *options_of(root, ctx), ".SH COMMANDS"]
    assert isinstance(root, click.Group)
    for name in SUBCOMMANDS:
        command = root.get_command(ctx, name)
        assert command is not None
        lines += section(command, click.Context(command, info_name=name, parent=ctx))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    os.environ["LANGUAGE"] = "en"
    PLACE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PLACE}\n")
