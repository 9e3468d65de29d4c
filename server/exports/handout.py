"""The half page for the opponent (D.2) is made here, as HTML to print in the opponent's own language.

It says what the opponent does, and gives the words of D.2.1.
"""

from __future__ import annotations

from html import escape

from server.wording.words import scheme_of
from speech.words.catalogue import texts_in
from speech.words.loading import GERMAN, load_language

MEN = ("king", "queen", "rook", "bishop", "knight", "pawn")
LINES = range(1, 8)


def handout_page(language: str, scheme: str = "d21") -> str:
    """Return a whole HTML page, half of A4 when printed.

    Raises Complaint for a language that is not there.
    """
    tongue, own = load_language(language), scheme_of("national", language)
    written = scheme_of(scheme, language)
    # A German reader is shown the words with their umlauts, others as the Laws spell them.
    german = scheme_of(scheme, GERMAN).words.items()
    said = {id: word.text if language == GERMAN else word.recorded for id, word in german}
    words = {key: escape(text) for key, text in texts_in("handout", language).items()}
    # Where the men's own names are the words announced, show their letters instead.
    called = {man: own.text(f"piece.{man}") for man in MEN}
    if any(called[man] == said[f"piece.{man}"] for man in MEN):
        called = {man: tongue.notation.pieces.get(man, "") for man in MEN}
    files = [(name, f"file.{name}") for name in "abcdefgh"]
    ranks = [(str(rank), f"rank.{rank}") for rank in range(1, 9)]
    men = [(called[man], f"piece.{man}") for man in MEN]
    castling = [("0-0", "castle.short"), ("0-0-0", "castle.long")]
    groups = {"files": files, "ranks": ranks, "men": men, "castling": castling}
    tables = "".join(
        _table(words[f"heading.{head}"], [(name, said[id], written.text(id)) for name, id in rows], language)
        for head, rows in groups.items()
    )
    lines = "".join(f"<li>{words[f'line.{line}']}</li>" for line in LINES)
    return (
        f'<!doctype html><html lang="{language}" dir="{tongue.direction}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{words["heading.title"]}</title>'
        '<link rel="icon" href="/static/pages/icon.svg"><link rel="stylesheet" href="/static/pages/handout.css"></head>'
        f"<body><main><h1>{words['heading.title']}</h1><ol>{lines}</ol><h2>{words['heading.words']}</h2>"
        f'<div class="words">{tables}</div></main></body></html>'
    )


def _table(title: str, rows: list[tuple[str, str, str]], language: str) -> str:
    """Return a table of words: what it is, the word to say, and that word in the reader's own script.

    The last column is there only where the script differs. `title` is HTML.
    """
    other = any(written != word for _, word, written in rows)
    body = "".join(
        f'<tr><th scope="row"><bdi>{escape(own)}</bdi></th><td lang="de" dir="ltr">{escape(word)}</td>'
        + (f'<td lang="{language}">{escape(written) if written != word else ""}</td>' if other else "")
        + "</tr>"
        for own, word, written in rows
    )
    return f"<table><caption>{title}</caption><tbody>{body}</tbody></table>"
