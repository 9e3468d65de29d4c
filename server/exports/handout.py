"""Handouts at the seats: the half page for the opponent (D.2), and a card for every seat.

The half page says what the opponent of a player by touch does, and gives the words of D.2.1, in the opponent's own
language. A card says whose seat it is, how a device comes in there (a code of three squares, a picture of its link, the
address) and what its player does, in the seat's own language; that opponent reads the lines of the half page, and at a
table of Chess960 each player how one castles by hand (II.3.2.5, L229). All cards of a round are one page to print; for
each seat there is a braille label too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from html import escape
from importlib import resources

import msgspec

from braille import brf
from braille.loading import load_profile, load_prose_tables, national_profile
from braille.profile import BLANK, Profile
from braille.prose import prose_writer
from braille.score import wrap
from server.exports.guide import blocks_of, guide_text
from server.exports.qr import qr_svg
from server.game.values.words import Seat, SeatKind
from server.wording.pages import page_words
from server.wording.rules import load_instructions
from server.wording.words import scheme_of
from speech.words.catalogue import known_tag, texts_in
from speech.words.loading import GERMAN, load_language
from speech.words.messages import without_isolation

MEN = ("king", "queen", "rook", "bishop", "knight", "pawn")
LINES = range(1, 8)
CASTLING = "chess960_castling"
SPOKEN = ("opponent", CASTLING)
"""The instructions that can also be listened to, each in six languages."""


def opponent_lines(language: str) -> tuple[str, ...]:
    """Return the half page for the opponent, its title first, a sentence an item, as a voice reads it.

    Raises Complaint for a language that is not there.
    """
    words = texts_in("handout", load_language(language).tag)
    return (words["heading.title"], *(words[f"line.{line}"] for line in LINES))


def handout_page(language: str, scheme: str = "d21") -> str:
    """Return a whole HTML page, half of A4 when printed.

    Raises Complaint for a language that is not there.
    """
    tongue, own = load_language(language), scheme_of("national", language)
    written = scheme_of(scheme, language)
    said = {id: word.text for id, word in scheme_of(scheme, GERMAN).words.items()}
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
        f"<body><main><h1>{words['heading.title']}</h1><ol>{lines}</ol>"
        f'<audio class="screen" controls preload="none" aria-label="{words["heading.title"]}"'
        f' src="/phrase/opponent-{language}"></audio><h2>{words["heading.words"]}</h2>'
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


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """Contents of one card.

    `opponent`: the kind of the other seat. `squares`, `words`: the code, as it is and as it is said; `link`: with the
    secret; all three are empty where no code is open. `address`: where to type the code.
    """

    table: str
    seat: Seat
    name: str
    kind: SeatKind
    opponent: SeatKind
    language: str
    address: str
    squares: tuple[str, ...] = ()
    words: str = ""
    link: str = ""
    chess960: bool = False


class CardsPage(msgspec.Struct, frozen=True, kw_only=True):
    """Contents of the page of cards for the arbiter, on a screen alone.

    `of`: which tables it shows. `until`: until when the codes hold, as a time of day; "" where none does. `minutes`:
    how long they hold.
    """

    language: str
    of: str
    until: str
    minutes: int


def instruction_lines(name: str, language: str) -> tuple[str, ...]:
    """Return one of the `SPOKEN` instructions, a sentence an item. Raises Complaint for an unknown language."""
    if name == CASTLING:
        return (load_instructions()[CASTLING].text[load_language(language).tag],)
    return opponent_lines(language)


def card_lines(card: Card) -> tuple[str, ...]:
    """Return the instructions for the player at this seat, a sentence an item, in the seat's language."""
    words = texts_in("cards", card.language)
    if card.kind is SeatKind.TACTILE:
        doing = tuple(words[f"line.{line}"] for line in ("own_move", "echo", "talk", "arbiter"))
    elif card.opponent is SeatKind.TACTILE:
        doing = opponent_lines(card.language)[1:]
    else:
        doing = (words["line.press"], words["line.arbiter"])
    castling = instruction_lines(CASTLING, card.language) if card.chess960 else ()
    return (words["line.scan"], words["line.wait"], *doing, *castling)


def cards_page(cards: Sequence[Card], sheet: CardsPage | None = None) -> str:
    """Return a whole HTML page with all the cards; none is cut where a page of paper ends.

    `sheet`: what it says on the screen of an arbiter; None: a file without a server, with its style in it.
    """
    language = known_tag(sheet.language if sheet is not None else cards[0].language)
    title = escape(texts_in("cards", language)["page.title"])
    style = '<link rel="stylesheet" href="/static/pages/handout.css">'
    if sheet is None:
        own = resources.files("server.web").joinpath("static", "pages", "handout.css").read_text("utf-8")
        style = f"<style>{own}</style>"
    else:
        style += '<link rel="icon" href="/static/pages/icon.svg">'
        style += '<script type="module" src="/static/entry/cards.js"></script>'
    return (
        f'<!doctype html><html lang="{language}" dir="{load_language(language).direction}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>{style}</head>'
        f'<body class="cards"><main><h1>{title}</h1>{_head(cards, sheet) if sheet is not None else ""}'
        f"{''.join(_card(one) for one in cards)}</main></body></html>"
    )


def _head(cards: Sequence[Card], sheet: CardsPage) -> str:
    """Return what the arbiter reads and does above the cards; it is not printed."""
    words = {key: escape(text) for key, text in texts_in("cards", known_tag(sheet.language)).items()}
    if sheet.until:
        state = words["page.until"].format(time=f"<b><bdi>{escape(sheet.until)}</bdi></b>")
    else:
        state = words["page.rest" if any(one.link for one in cards) else "page.none"]
    of = escape(sheet.of, quote=True)
    pages = {
        key: escape(page_words(known_tag(sheet.language))[key]) for key in ("no_answer", "title.tables", "yes", "no")
    }
    spoken = [name for name in SPOKEN if name != CASTLING or any(one.chess960 for one in cards)]
    languages = dict.fromkeys(one.language for one in cards)
    guides = dict.fromkeys((role, one.language) for one in cards if (role := _guide_of(one)) is not None)
    return (
        f'<div class="screen"><p id="state" role="status" data-gone="{pages["no_answer"]}">{state}</p>'
        f"<p>{words['page.hint']}</p>"
        f'<form method="post" action="/cards"><input type="hidden" name="of" value="{of}">'
        f'<button type="button" id="print">{words["page.print"]}</button>'
        f'<button name="do" value="make">{words["page.make"]}</button> '
        f'<button name="do" value="hold">{words["page.hold"].format(minutes=sheet.minutes)}</button>'
        f'<button name="do" value="anew">{words["page.anew"]}</button>'
        f'<a href="/cards.brf?of={of}" download>{words["page.braille"]}</a>'
        f'<a href="/tables">{pages["title.tables"]}</a></form>'
        '<dialog id="sure" aria-labelledby="sure-title"><form method="dialog">'
        f'<h2 id="sure-title" tabindex="-1" autofocus>{words["page.sure"]}</h2>'
        f'<button value="yes">{pages["yes"]}</button> <button value="">{pages["no"]}</button></form></dialog>'
        f"<details><summary>{words['page.listen']}</summary><ul>"
        f"{''.join(_audio(name, tag) for name in spoken for tag in languages)}</ul></details>"
        + (f"<h2>{words['page.guides']}</h2><ul>{''.join(_guide(*one) for one in guides)}</ul>" if guides else "")
        + "</div>"
    )


def _guide_of(card: Card) -> str | None:
    """Return which guide is for this seat; None where no player at the table plays by touch."""
    if card.kind is SeatKind.TACTILE:
        return "player"
    return "opponent" if card.opponent is SeatKind.TACTILE else None


def _guide(role: str, language: str) -> str:
    """Return the ways to a guide: to read and print, and in braille."""
    title = escape(blocks_of(guide_text(role, language))[0].text)
    address = f"/guide/{language}/{role}"
    return (
        f'<li lang="{language}" dir="{load_language(language).direction}"><a href="{address}">{title}</a> '
        f'<a href="{address}.brf" download aria-label="{title} (BRF)">BRF</a></li>'
    )


def _audio(name: str, language: str) -> str:
    title = (
        load_instructions()[CASTLING].article if name == CASTLING else texts_in("handout", language)["heading.title"]
    )
    named = escape(f"{title} ({load_language(language).native_name})", quote=True)
    return (
        f'<li lang="{language}" dir="{load_language(language).direction}"><span>{named}</span> '
        f'<audio controls preload="none" aria-label="{named}" src="/phrase/{name}-{language}"></audio></li>'
    )


def _card(card: Card) -> str:
    words = {key: escape(text) for key, text in texts_in("cards", card.language).items()}
    lines = "".join(f"<li>{escape(line)}</li>" for line in card_lines(card))
    if card.link:
        squares = escape(" ".join(card.squares))
        way = (
            f'<div class="picture" role="img" aria-label="{words["card.picture"]}">{qr_svg(card.link)}</div>'
            f'<dl><dt>{words["card.code"]}</dt><dd><b lang="{_tag_of(card.words, card.language)}">'
            f'{escape(card.words)}</b> <bdi dir="ltr">{squares}</bdi></dd>'
            f'<dt>{words["card.address"]}</dt><dd><bdi dir="ltr">{escape(card.address)}</bdi></dd></dl>'
        )
    else:
        way = f"<p>{words['card.none']}</p>"
    return (
        f'<section class="card" lang="{card.language}" dir="{load_language(card.language).direction}">'
        f"<h2>{escape(_whose(card))}</h2><p><b><bdi>{escape(card.name)}</bdi></b></p>"
        f'<div class="way">{way}</div><ol>{lines}</ol></section>'
    )


def _whose(card: Card) -> str:
    """Return the card's heading: "Table r5-b3 – White"."""
    table = texts_in("cards", card.language)["card.table"].format(table=f"\u2068{card.table}\u2069")
    return f"{table} – {page_words(card.language)[card.seat.value]}"


def _tag_of(words: str, language: str) -> str:
    """Return the language of a code's words: German in Latin letters, otherwise the reader's own script."""
    return GERMAN if unicodedata.name(words[:1], "").startswith("LATIN ") else language


def cards_to_emboss(cards: Sequence[Card], notes: list[str] | None = None) -> str:
    """Return a label for each seat as a BRF file of 40 cells by 25 lines; no label is cut where a page ends.

    Each is in the braille of the seat's language. `notes`: what a machine without liblouis could not write.
    """
    pages: list[list[str]] = [[]]
    for card in cards:
        label = list(_label(card, notes))
        if pages[-1] and len(pages[-1]) + 1 + len(label) > brf.HEIGHT:
            pages.append([])
        pages[-1] += [*([""] if pages[-1] else []), *label]
    return brf.document(pages)


def _label(card: Card, notes: list[str] | None) -> Iterator[str]:
    """Yield the lines of a label: whose seat, the code as squares and in words, the address."""
    code = load_profile(national_profile(card.language))
    prose = prose_writer(card.language, code, load_prose_tables(), notes)
    words = texts_in("cards", card.language)
    texts = [_whose(card), card.name]
    yield from _in_cells(texts, prose)
    if not card.link:
        yield from _in_cells([words["card.none"]], prose)
        return
    squares = BLANK.join(_square(one, code) for one in card.squares)
    yield from _in_cells([words["card.code"]], prose)
    yield squares
    yield from _in_cells([card.words, card.address], prose)


def _in_cells(texts: Sequence[str], prose: Callable[[str], str]) -> Iterator[str]:
    for text in texts:
        yield from wrap([word for word in prose(without_isolation(text)).split(BLANK) if word])


def _square(square: str, code: Profile) -> str:
    return code.files[square[0]] + code.digits[square[1]]
