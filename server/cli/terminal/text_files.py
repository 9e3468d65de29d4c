"""This module turns the bytes of a file that people send into text, whatever program wrote it."""

from __future__ import annotations

import codecs
import re

LATIN = "Windows-1252"
"""The name by which a reader is told of a file in one byte a letter; it has every letter of Latin-1."""
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
NO_TEXT = re.compile("[\0-\x08\x0e-\x19\x1c-\x1f]")
ORDERS = re.compile("[\x1b\x80-\x9f]")
"""Signs that a terminal would obey; each is read as a space."""


def decoded(raw: bytes) -> tuple[str, str] | None:
    """Return the text of a file and its encoding, or None where it is no text.

    UTF-8, UTF-16 with and without its mark, UTF-32 with it; what is none of these is read as Windows-1252.
    """
    for mark, encoding in MARKS:
        if raw.startswith(mark):
            return _text(raw[len(mark) :], encoding)
    if b"\0" in raw:
        even, odd = raw[::2].count(0), raw[1::2].count(0)
        return _text(raw, "utf-16-le" if odd > even else "utf-16-be")
    return _text(raw, "utf-8") or _text(raw, "cp1252") or _text(raw, "latin-1")


def _text(raw: bytes, encoding: str) -> tuple[str, str] | None:
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        return None
    if NO_TEXT.search(text):
        return None
    return ORDERS.sub(" ", text), LATIN if encoding in ("cp1252", "latin-1") else encoding
