"""A command or an option that is not there may be one mistyped: that is named, and nothing that is unlike it."""

from __future__ import annotations

from collections.abc import Iterable

import click

from server.cli.terminal.click_words import in_own_language

LEAST_BEGINNING = 3
"""Fewest letters that are taken for the beginning of a name."""
SHORT = 4
"""Most letters of a word in which one may be wrong; in a longer one two may."""


def alike(given: str, names: Iterable[str]) -> list[str]:
    """Return the names that may be meant, the likeliest first.

    >>> alike("serv", ["serve", "score"]), alike("--json", ["--sounds", "--out"]), alike("--jsno", ["--json"])
    (['serve'], [], ['--json'])
    """
    bare = given.lstrip("-").lower()
    found = []
    for name in names:
        other = name.lstrip("-")
        wrong = mistypings(bare, other)
        begun = len(bare) >= LEAST_BEGINNING and other.startswith(bare)
        if begun or wrong <= (1 if len(bare) <= SHORT else 2) < len(other):
            found.append((wrong, name))
    return [name for _, name in sorted(found)]


def mistypings(given: str, meant: str) -> int:
    """Return how many letters are wrong, missing, too many or in the place of their neighbour.

    >>> mistypings("sreve", "serve"), mistypings("expord", "export"), mistypings("a", "")
    (1, 1, 1)
    """
    before: list[int] = []
    row = list(range(len(meant) + 1))
    for at, letter in enumerate(given):
        earlier, before, row = before, row, [at + 1]
        for to, other in enumerate(meant):
            least = min(before[to] + (letter != other), before[to + 1] + 1, row[to] + 1)
            if at and to and letter == meant[to - 1] and given[at - 1] == other:
                least = min(least, earlier[to - 1] + 1)
            row.append(least)
    return row[-1]


def told_with_suggestion(wrong: click.UsageError) -> str:
    """Return click's sentence on a mistake, and for an unknown name the one that may be meant."""
    ctx = wrong.ctx
    if ctx is not None and isinstance(wrong, click.NoSuchOption):
        params = ctx.command.get_params(ctx)
        options = (name for one in params for name in (*one.opts, *one.secondary_opts) if name.startswith("-"))
        return _with(wrong.message, alike(wrong.option_name, options))
    if ctx is not None and isinstance(wrong, click.NoSuchCommand) and isinstance(ctx.command, click.Group):
        return _with(wrong.message, alike(wrong.command_name, ctx.command.list_commands(ctx)))
    return wrong.format_message()


def _with(message: str, names: list[str]) -> str:
    if not names:
        return message
    return f"{message} {in_own_language('Did you mean {possibility}?').format(possibility=names[0])}"
