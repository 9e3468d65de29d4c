"""The half page for the opponent (D.2) is made here, as HTML to print in the opponent's own language.

It says what the opponent does, and gives the words of D.2.1.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import Annotated

import msgspec

from server.wording.words import scheme_of
from speech.complaint import Complaint
from speech.words.config_file import read_settings
from speech.words.loading import load_language

MEN = ("king", "queen", "rook", "bishop", "knight", "pawn")
Line = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class Handout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """This is one language's half page: a title, seven sentences, the headings of the words."""

    title: Line
    lines: Annotated[tuple[Line, ...], msgspec.Meta(min_length=7, max_length=7)]
    words: Line
    files: Line
    ranks: Line
    men: Line
    castling: Line


@lru_cache(maxsize=1)
def load_handouts() -> dict[str, Handout]:
    """Read `config/handout.toml`. Raises Complaint that names the key path."""
    return read_settings("handout.toml", dict[str, Handout])


def handout_page(language: str, scheme: str = "d21") -> str:
    """Return a whole HTML page, half of A4 when printed.

    Raises Complaint for a language that is not there.
    """
    found = load_handouts().get(language)
    if found is None:
        known = ", ".join(sorted(load_handouts()))
        raise Complaint(f'There is no half page in "{language}"; choose one of: {known}.')
    tongue, own = load_language(language), scheme_of("national", language)
    said, written = scheme_of(scheme, "de"), scheme_of(scheme, language)
    # Where the men's own names are the words announced, show their letters instead.
    called = {man: own.text(f"piece.{man}") for man in MEN}
    if any(called[man] == said.text(f"piece.{man}") for man in MEN):
        called = {man: tongue.notation.pieces.get(man, "") for man in MEN}
    files = [(name, f"file.{name}") for name in "abcdefgh"]
    ranks = [(str(rank), f"rank.{rank}") for rank in range(1, 9)]
    men = [(called[man], f"piece.{man}") for man in MEN]
    castling = [("0-0", "castle.short"), ("0-0-0", "castle.long")]
    groups = ((found.files, files), (found.ranks, ranks), (found.men, men), (found.castling, castling))
    tables = "".join(
        _table(title, [(name, said.text(id), written.text(id)) for name, id in rows], language)
        for title, rows in groups
    )
    lines = "".join(f"<li>{escape(line)}</li>" for line in found.lines)
    return (
        f'<!doctype html><html lang="{language}" dir="{tongue.direction}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(found.title)}</title>'
        '<link rel="icon" href="/static/pages/icon.svg"><link rel="stylesheet" href="/static/pages/handout.css"></head>'
        f"<body><main><h1>{escape(found.title)}</h1><ol>{lines}</ol><h2>{escape(found.words)}</h2>"
        f'<div class="words">{tables}</div></main></body></html>'
    )


def _table(title: str, rows: list[tuple[str, str, str]], language: str) -> str:
    """Return a table of words: what it is, the word to say, and that word in the reader's own script.

    The last column is there only where the script differs.
    """
    other = any(written != word for _, word, written in rows)
    body = "".join(
        f'<tr><th scope="row"><bdi>{escape(own)}</bdi></th><td lang="de" dir="ltr">{escape(word)}</td>'
        + (f'<td lang="{language}">{escape(written) if written != word else ""}</td>' if other else "")
        + "</tr>"
        for own, word, written in rows
    )
    return f"<table><caption>{escape(title)}</caption><tbody>{body}</tbody></table>"
