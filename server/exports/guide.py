"""A page of plain prose, such as a guide, is read aloud, put into braille or shown to be printed.

The page is Markdown. Headings, paragraphs, list items and rows of tables become blocks; a code span becomes its text,
pictures are left out. What stands in italics are words of the Laws, which are said in German (D.2.1).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from html import escape
from typing import Literal

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token

from braille import brf
from braille.loading import load_profile, load_prose_tables, national_profile
from braille.profile import BLANK
from braille.prose import prose_writer
from braille.score import wrap
from speech.audio.sound import BYTES_PER_SAMPLE, Sound
from speech.complaint import Complaint, Phrase
from speech.voices.pyttsx3_voice import LONGEST_TEXT, Pyttsx3Voice
from speech.voices.respelling import respell_words, respellings
from speech.voices.voice import Manner, Segment
from speech.words.config_file import language_tags, of_language, place_of_config
from speech.words.loading import GERMAN, load_language

ROLES = ("player", "opponent", "assistant", "arbiter", "organiser")
"""Who has a guide of one page: `config/languages/TAG/guides/ROLE.md`."""

SENTENCE_END = re.compile(r"(?<=[.!?:։؟])\s+")
PAUSE_MS = {"heading": 700, "text": 500, "item": 350}
SENTENCE_MS = 200
INDENT = 2
"""Cells before the first line of a paragraph; an item begins at the margin and goes on indented."""

Kind = Literal["heading", "text", "item"]


class TextRun(msgspec.Struct, frozen=True):
    """Run of words; `german`: words of the Laws, which are said in German."""

    text: str
    german: bool = False


class Block(msgspec.Struct, frozen=True):
    """Heading, paragraph or item of a list."""

    kind: Kind
    pieces: tuple[TextRun, ...]

    @property
    def text(self) -> str:
        """Return the words as they are written."""
        return " ".join("".join(piece.text for piece in self.pieces).split())


def guide_text(role: str, language: str) -> str:
    """Return the guide for one of `ROLES`, as Markdown. Raises Complaint, which names what there is."""
    if role not in ROLES:
        raise Complaint(Phrase("guide.none", role=role, known=", ".join(ROLES)))
    files = {tag: place_of_config(of_language(tag, f"guides/{role}.md")) for tag in language_tags()}
    found = [tag for tag, file in files.items() if file.is_file()]
    if language not in found:
        raise Complaint(Phrase("guide.other_language", role=role, language=language, known=", ".join(found)))
    return files[language].read_text("utf-8")


@cache
def guide_page(role: str, language: str) -> str:
    """Return a guide as a whole HTML page to read or to print. Raises Complaint as `guide_text` does."""
    text = guide_text(role, language)
    body = MarkdownIt("commonmark").enable("table").render(text)
    body = body.replace("<em>", f'<em lang="{GERMAN}" dir="ltr">').replace("<code>", '<code dir="ltr">')
    title = escape(blocks_of(text)[0].text)
    return (
        f'<!doctype html><html lang="{language}" dir="{load_language(language).direction}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>'
        '<link rel="icon" href="/static/pages/icon.svg"><link rel="stylesheet" href="/static/pages/handout.css"></head>'
        f'<body class="guide"><main>{body}</main></body></html>'
    )


@cache
def guide_braille(role: str, language: str) -> str:
    """Return a guide as a BRF file in the braille of its language. Raises Complaint as `guide_text` does."""
    blocks = blocks_of(guide_text(role, language))
    return in_braille(blocks, prose_writer(language, load_profile(national_profile(language)), load_prose_tables()))


def blocks_of(page: str) -> tuple[Block, ...]:
    """Return the blocks of a Markdown page; a row of a table is an item. Raises Complaint where it has no words."""
    found: list[Block] = []
    row: list[TextRun] | None = None
    heading, items, number = False, 0, ""
    for token in MarkdownIt("commonmark").enable("table").parse(page):
        match token.type:
            case "heading_open" | "heading_close":
                heading = token.nesting > 0
            case "list_item_open" | "list_item_close":
                items += token.nesting
                number = f"{token.info}. " if token.info else ""
            case "tr_open":
                row = []
            case "tr_close":
                found.append(Block("item", tuple((row or [])[:-1])))
                row = None
            case "inline" if row is not None:
                row += [*_pieces(token), TextRun(", " if row else ": ")]
            case "inline":
                kind: Kind = "heading" if heading else "item" if items else "text"
                pieces = tuple(_pieces(token))
                found.append(Block(kind, (TextRun(number), *pieces) if number and kind == "item" else pieces))
                number = ""
    blocks = tuple(block for block in found if block.text)
    if not blocks:
        raise Complaint(Phrase("guide.empty"))
    return blocks


def _pieces(token: Token) -> Iterator[TextRun]:
    """Yield the runs of words of one block."""
    german = 0
    for one in token.children or ():
        if one.type in ("em_open", "em_close"):
            german += one.nesting
        elif one.type in ("text", "code_inline"):
            yield TextRun(one.content, german > 0)
        elif one.type in ("softbreak", "hardbreak"):
            yield TextRun(" ")


async def read_aloud(blocks: Sequence[Block], language: str, manner: Manner) -> Sound:
    """Return the whole page as one sound, with pauses between its sentences and longer ones between its blocks.

    Raises Complaint for a language or a manner that no voice has.
    """
    voice = Pyttsx3Voice()
    spoken = respellings(language)
    pcm = bytearray()
    rate = 0
    try:
        for block in blocks:
            for sentence in sentences(block):
                segments = [
                    Segment(respell_words(piece.text, respellings(GERMAN)), GERMAN)
                    if piece.german
                    else Segment(respell_words(piece.text, spoken), language)
                    for piece in sentence
                ]
                sound = await voice.render(segments, manner)
                rate = sound.sample_rate
                pcm += sound.pcm + _silence(SENTENCE_MS, rate)
            pcm += _silence(PAUSE_MS[block.kind], rate)
    finally:
        await voice.close()
    return Sound(bytes(pcm), rate)


def sentences(block: Block) -> tuple[tuple[TextRun, ...], ...]:
    """Return a block in sentences, none longer than a voice takes; those without a letter or digit are left out."""
    found: list[list[TextRun]] = [[]]
    for piece in block.pieces:
        first, *more = SENTENCE_END.split(piece.text) if not piece.german else (piece.text,)
        found[-1].append(TextRun(first, piece.german))
        found += [[TextRun(one, piece.german)] for one in more]
    short = (tuple(TextRun(one.text[:LONGEST_TEXT], one.german) for one in each) for each in found)
    return tuple(each for each in short if any(letter.isalnum() for one in each for letter in one.text))


def in_braille(blocks: Sequence[Block], prose: Callable[[str], str]) -> str:
    """Return the page as a BRF file: 40 cells by 25 lines, its first heading as running head, page numbers.

    A blank line stands before a heading; a paragraph begins indented, an item goes on indented. `prose` writes words in
    six-dot cells.
    """
    lines: list[str] = []
    for block in blocks:
        words = [word for word in prose(block.text).split(BLANK) if word]
        lead = [BLANK * INDENT + words[0], *words[1:]] if block.kind == "text" else words
        if block.kind == "heading":
            lines += [""] if lines else []
            lines += wrap(lead)
        elif block.kind == "text":
            lines += wrap(lead)
        else:
            first, *more = wrap(lead, brf.WIDTH - INDENT)
            lines += [first, *(BLANK * INDENT + line for line in more)]
    head = prose(next((block.text for block in blocks if block.kind == "heading"), blocks[0].text[: brf.WIDTH]))
    portions = brf.split([line or BLANK for line in lines])
    return brf.document(brf.brf_page(each, head, prose(str(number))) for number, each in enumerate(portions, 1))


def _silence(length_ms: int, rate: int) -> bytes:
    return bytes(rate * length_ms // 1000 * BYTES_PER_SAMPLE)
