"""The man page has every command, and is made of every option of the help."""

from __future__ import annotations

import re

import click
import pytest

from server.cli import SUBCOMMANDS, group
from tests.cli.manual_page import PLACE, page

COMMAND = re.compile(r"^\.SS (.*)", re.MULTILINE)


def options_of(name: str) -> set[str]:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    return {option for one in command.params for option in (*one.opts, *one.secondary_opts) if option.startswith("--")}


def test_the_man_page_has_every_command_and_is_made_of_every_option(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m tests.cli.manual_page` writes it."""
    monkeypatch.setenv("LANGUAGE", "en")
    written, now = PLACE.read_text("utf-8"), page()
    assert COMMAND.findall(written) == COMMAND.findall(now)
    options = {option for one in SUBCOMMANDS for option in options_of(one)}
    assert options <= set(re.findall(r"--[a-z0-9-]+", now.replace("\\-", "-")))
    requests = {line.split(" ")[0] for line in written.splitlines() if line.startswith(".")}
    assert requests == {".TH", ".SH", ".SS", ".B", ".TP", ".PP"}
