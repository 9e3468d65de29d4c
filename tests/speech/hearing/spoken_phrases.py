"""Natural phrases as a player says them: by which scheme, from which text, and whether they are words of the ears."""

from __future__ import annotations

import re
from pathlib import Path

from speech.announcements.understand import said_of_text
from speech.complaint import Complaint
from speech.training.voices.readings import WITHOUT_VOWELS, load_readings
from speech.words.language import COMMANDS, PIECES, RANKS
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from speech.words.spelling import phrase_form
from tests.wording.test_typed_phrases import NOTHING, meaning, rows, wanted

WRITTEN = re.compile(r"(?=\S*[\d#]|[Oo]-[Oo])(?![a-h][1-8]$)\S+|\w \w\d")
"""A notation: written, and not said."""
SQUARE = re.compile(r"\b([^\W\d])([1-8])\b")
FOREIGN_LETTERS = ("hy",)
"""Languages whose voice says the Latin letters as English names them, which its players do not."""
ENDING = re.compile(r"(?<=[1-8])-r[ae]\b")
"""Hungarian "f3-ra": to f3; said, it is a form of the rank."""


def said_phrases(file: Path, language: str) -> list[tuple[str, str]]:
    """Return the phrases of a table that can be said and mean something, each with its meaning."""
    mine = [(text, wanted(meant)) for tag, text, meant, *_ in rows(file) if tag == language and meant not in NOTHING]
    return [one for one in mine if not (one[1].startswith("mv:") and WRITTEN.fullmatch(one[0]))]


def scheme_of_phrase(text: str, meant: str, language: str) -> Scheme:
    """Return the scheme it is said by; a move with a piece of D.2.1 in another language is said by that of D.2.1."""
    national, d21 = (load_scheme(name, language) for name in ("national", "d21"))
    pieces = {form for piece in PIECES for form in d21.forms_spoken(f"piece.{piece}")}
    return national if meant.startswith("mv:") and text.split()[0] not in pieces else d21


def text_to_say(text: str, scheme: Scheme) -> str:
    """Return the text from which the voice says it right: where the script leaves the vowels out, with them."""
    plain = re.sub(r"(?<=[1-8])-", " ", text)
    readings = {phrase_form(form): reading for form, reading in load_readings().get(scheme.language, {}).items()}
    texts = {phrase_form(scheme.text(word)): scheme.spelling(word, "espeak") for word in scheme.words}
    if scheme.language not in WITHOUT_VOWELS:
        commands = {phrase_form(scheme.text(f"cmd.{one}")): scheme.spelling(f"cmd.{one}", "espeak") for one in COMMANDS}
        lettered = re.sub(
            r"\b([a-h])([1-8])\b", lambda of: f"{scheme.spelling(f'letter.{of[1]}', 'espeak')} {of[2]}", plain
        )
        return (commands | readings).get(phrase_form(plain), lettered if scheme.language in FOREIGN_LETTERS else plain)
    ranks = {rank: scheme.spelling(f"rank.{rank}", "espeak") for rank in RANKS}
    known = texts | readings
    said, waiting = [], phrase_form(SQUARE.sub(r"\1 \2", plain)).split()
    while waiting:
        length = next((n for n in range(len(waiting), 0, -1) if " ".join(waiting[:n]) in known), 1)
        part = " ".join(waiting[:length])
        said.append(known.get(part) or ranks.get(part, part))
        waiting = waiting[length:]
    return " ".join(said)


def are_words(text: str, meant: str, scheme: Scheme) -> bool:
    """Return whether the ears listen for these words, and with this meaning."""
    try:
        return meaning(said_of_text(SQUARE.sub(r"\1 \2", ENDING.sub("", text)), scheme)) == meant
    except Complaint:
        return False
