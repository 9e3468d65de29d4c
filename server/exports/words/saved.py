"""A file that the page of `anna-eins words` has saved is read back here: ticks, corrections and remarks."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Literal

import msgspec

from speech.complaint import Complaint, Phrase
from speech.words.proof import UNSURE, CorrectedItem, CorrectedLine, CorrectedProof, WrongLine

MARK = "anna-eins words"
"""The first key of such a file; its value is the language."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class _Entry(msgspec.Struct, frozen=True):
    key: str
    english: dict[str, str]
    was: dict[str, str]
    text: dict[str, str]
    verdict: Literal["", "right", "wrong", "unsure"] = ""
    on: str = ""
    comment: str = ""


class _File(msgspec.Struct, frozen=True, rename={"tag": MARK}):
    tag: str
    entries: tuple[_Entry, ...]
    by: str = ""


class Saved(msgspec.Struct, frozen=True):
    """One reader's work so far in one language."""

    tag: str
    by: str
    proof: CorrectedProof


def read_saved(text: str, label: str) -> Saved:
    """Return the contents of a saved file; `label` is its name in a complaint. Raises Complaint."""
    try:
        file = msgspec.json.decode(text, type=_File)
    except (msgspec.DecodeError, RecursionError):
        raise Complaint(Phrase("proof.not_saved", file=label)) from None
    if not file.by.isprintable():
        raise Complaint(Phrase("proof.name"))
    lines = {line.strip(): number for number, line in enumerate(text.splitlines(), start=1)}
    at = {key: number for line, number in lines.items() if (key := _key_in(line)) is not None}
    items: dict[str, CorrectedItem] = {}
    wrong: list[WrongLine] = []
    for entry in file.entries:
        line = at.get(entry.key, 1)
        if entry.key in items:
            wrong.append(WrongLine(Phrase("proof.key_twice", key=entry.key), line))
        items[entry.key] = _item(entry, line)
    return Saved(file.tag, file.by.strip(), CorrectedProof(items, wrong))


def _key_in(line: str) -> str | None:
    """Return the key of the entry on a line; None where there is none."""
    found = re.match(r'\{"key":\s*("(?:[^"\\]|\\.)*")', line)
    try:
        return str(json.loads(found[1])) if found else None
    except ValueError:
        return None


def _item(entry: _Entry, line: int) -> CorrectedItem:
    remarks = [entry.comment.strip()] if entry.comment.strip() else []
    text = {
        form: own if own == entry.was.get(form) else unicodedata.normalize("NFC", own.strip())
        for form, own in entry.text.items()
    }
    if entry.verdict == UNSURE and text != entry.was:
        # Who is unsure proposes a text, and a text that is only proposed changes nothing.
        remarks += [f"[{own}]" for form, own in text.items() if own != entry.was.get(form)]
        text = entry.was
    return CorrectedItem(
        entry.key,
        line,
        {form: CorrectedLine(shown, line) for form, shown in entry.english.items()},
        {form: CorrectedLine(own, line) for form, own in text.items()},
        entry.verdict,
        remarks,
        entry.on if _DAY.fullmatch(entry.on) else "",
        entry.was,
    )
