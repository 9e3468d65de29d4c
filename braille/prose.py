"""Prose in braille through liblouis, where the machine has it (ctypes).

It is not pure: liblouis is a shared library with a state of its own. It is used only for names and places in a
heading, never for moves. liblouis is not thread-safe, so one lock stands before it.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
import threading
from collections.abc import Callable, Mapping
from functools import cached_property, partial

from braille.cells import cells_of_move, written_in_print
from braille.letters import spell, unwritable
from braille.profile import BLANK, Profile
from speech.complaint import Complaint, Phrase

MISSING = (
    "liblouis is not on this machine, so only the letters of the braille profile's own table can be written; "
    "on Debian: apt-get install liblouis20."
)

_NAMES = ("liblouis.so.20", "liblouis.20.dylib", "liblouis.dylib", "liblouis.dll")
_DOTS_IO, _UNICODE_BRAILLE = 4, 64  # translation modes of liblouis.h: answer in dots, as Unicode braille
_LOG_OFF = 60000
_MARKS = str.maketrans({"։": ".", "՞": "?", "՛": "!", "«": '"', "»": '"'})
"""Armenian marks that liblouis' table lacks, by those whose cells they have: Armenian punctuation is that of unified
braille (World Braille Usage, 3rd edition)."""
_LOCK = threading.Lock()


class Liblouis:
    """`Liblouis` is the loaded library; `translate` may be called from any thread."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self._size = library.lou_charSize()  # bytes of a widechar: 2 or 4, as the library was built
        kind = "le" if sys.byteorder == "little" else "be"
        self._encoding = f"utf-{8 * self._size}-{kind}"
        library.lou_version.restype = ctypes.c_char_p
        library.lou_setLogLevel(_LOG_OFF)  # it would write on standard error; we raise a Complaint instead

    @classmethod
    def find(cls) -> Liblouis:
        """Load the library. Raises Complaint, with the way to get it, where it is absent."""
        for name in (ctypes.util.find_library("louis"), *_NAMES):
            if name is None:
                continue
            try:
                return cls(ctypes.CDLL(name))
            except (OSError, AttributeError):
                continue  # not there under this name, or not liblouis: try the next
        raise Complaint(MISSING)

    @property
    def version(self) -> str:
        """Return the version the library gives itself."""
        return str(self._library.lou_version().decode("ascii", "replace"))

    def back_translate(self, cells: str, table: str) -> str:
        """Return the print that a screen reader makes of these cells by a liblouis table.

        Raises Complaint: not installed.
        """
        source = cells.encode(self._encoding)
        taken, given = ctypes.c_int(len(cells)), ctypes.c_int(16 * len(cells) + 64)
        target = ctypes.create_string_buffer(given.value * self._size)
        with _LOCK:
            done = self._library.lou_backTranslateString(
                table.encode(), source, ctypes.byref(taken), target, ctypes.byref(given), None, None, 0
            )
        if not done:
            raise Complaint(Phrase("braille.no_table", table=table))
        return target.raw[: given.value * self._size].decode(self._encoding)

    def translate(self, text: str, table: str) -> str:
        """Return the text in six-dot cells by a liblouis table ("en-ueb-g1.ctb").

        Raises Complaint: the table is not installed, the text was not translated whole, or it needs eight dots.
        """
        source = text.encode(self._encoding, "replace")
        length = len(source) // self._size
        room = 16 * length + 64
        taken, given = ctypes.c_int(length), ctypes.c_int(room)
        target = ctypes.create_string_buffer(room * self._size)
        with _LOCK:
            done = self._library.lou_translateString(
                table.encode("utf-8"),
                source,
                ctypes.byref(taken),
                target,
                ctypes.byref(given),
                None,
                None,
                _DOTS_IO | _UNICODE_BRAILLE,
            )
        if not done:
            raise Complaint(Phrase("braille.no_table", table=table))
        cells = target.raw[: given.value * self._size].decode(self._encoding)
        if taken.value < length or any(not "\u2800" <= cell <= "\u283f" for cell in cells):
            raise Complaint(Phrase("braille.cannot_write", table=table, text=text[:40]))
        return cells


def splice_chess(text: str, profile: Profile, prose: Callable[[str], str]) -> str:
    """Return prose with chess in it; moves in SAN and rows of cells are in the chess code.

    Only what lies between them is given to `prose`, in one piece, so that contractions are those of whole words.

    >>> spliced("After Nf3 both", ukaaf, prose)  # ⠠⠁⠋⠞⠑⠗⠀⠎⠋⠒⠀⠃⠕⠞⠓
    """
    pieces: list[str] = []
    words: list[str] = []
    for word in text.split():
        bare, mark = (word[:-1], word[-1]) if word[-1] in ",;:." else (word, "")
        cells = _chess(bare, profile)
        if cells is None:
            words.append(word)
            continue
        pieces += [prose(" ".join(words))] if words else []
        words = []
        pieces.append(cells + (prose(mark) if mark else ""))
    return BLANK.join([*pieces, prose(" ".join(words))] if words else pieces)


def _chess(word: str, profile: Profile) -> str | None:
    """Return the cells of a word that is a move or cells already; None for any other."""
    if word and all("\u2801" <= letter <= "\u28ff" for letter in word):
        return word
    move = written_in_print(word)
    return cells_of_move(move, profile) if move is not None else None


class _ProseWriter:
    """Writer of headings for a reader of one language; what is missing stands in `notes`, a sentence once."""

    def __init__(self, language: str, profile: Profile, tables: Mapping[str, str], notes: list[str]) -> None:
        self._language = language
        self._profile = profile
        self._tables = tables
        self._notes = notes

    @cached_property
    def _liblouis(self) -> Liblouis | None:
        try:
            return Liblouis.find()
        except Complaint:
            return None

    def _note(self, sentence: str) -> None:
        if sentence not in self._notes:
            self._notes.append(sentence)

    def _spell(self, text: str) -> str:
        return spell(text, self._profile.letters)

    def write(self, text: str) -> str:
        """Write by the profile's own table where it has every character, else by the language's table of liblouis."""
        missing = unwritable(text, self._profile.letters)
        known = self._language in self._tables
        if not missing and (self._language in self._profile.letters.languages or not known):
            return self._spell(text)
        library = self._liblouis if known else None
        if library is not None:
            try:
                return library.translate(text, self._tables[self._language])
            except Complaint:
                return self._write_word_by_word(library, text)
        if missing:
            self._note(MISSING)
        return self._spell(text)

    def write_by(self, table: str, text: str) -> str:
        """Write by the reader's own table of liblouis; by the profile's where that cannot be done."""
        if self._liblouis is None:
            self._note(MISSING)
        else:
            try:
                return self._liblouis.translate(text, table)
            except Complaint as wrong:
                self._note(str(wrong))
        return self._spell(text)

    def _write_word_by_word(self, library: Liblouis, text: str) -> str:
        """Translate word by word in lower case, and with our own table what liblouis cannot write.

        A table may mark capitals with dot 7 (Armenian), or lack Latin letters or a language's own marks.
        """
        words: list[str] = []
        for word in text.split():
            marked = word.translate(_MARKS)
            for form in (word, word.lower(), marked.lower()):
                try:
                    words.append(library.translate(form, self._tables[self._language]))
                    break
                except Complaint as wrong:
                    reason = str(wrong)
            else:
                words.append(self._spell(marked))
                if unwritable(marked, self._profile.letters):
                    self._note(reason)
        return BLANK.join(words)


def prose_writer(
    language: str,
    profile: Profile,
    tables: Mapping[str, str],
    notes: list[str] | None = None,
    *,
    table: str | None = None,
) -> Callable[[str], str]:
    """Return the function that writes a heading for a reader of `language`.

    `table`: the reader's own liblouis table, perhaps contracted ("en-ueb-g2.ctb"); it comes before all others.
    Otherwise the profile's own table is used where it is that language's and has every character (the same cells on
    every machine); else liblouis with the language's table; else the profile's table with its sign for an unknown
    character, and a sentence in `notes`, once, that says what is missing.
    """
    writer = _ProseWriter(language, profile, tables, [] if notes is None else notes)
    return writer.write if table is None else partial(writer.write_by, table)
