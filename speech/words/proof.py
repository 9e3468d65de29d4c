"""A proof is the page on which a native arbiter reads all the words of one language and corrects them. Pure.

It is Markdown with one block for a sentence: a heading with its key, the English, the line to correct, and examples
with values filled in. Each line begins with its label, and the label of the line to correct is the language's own
name: in a language written from right to left the line then begins with a letter of that language, so that an editor
and GitHub lay it out from the right without marks of direction.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from speech.complaint import Phrase

ENGLISH = "English"
"""The label of the line that shows what was translated."""
WHOLE = ""
"""The form of a sentence that has no plural forms, and of a word."""
SPOKEN = "spoken"
"""The form that lists what a speaker may say in place of a word."""
SEPARATOR = " / "

RIGHT, WRONG, UNSURE = "right", "wrong", "unsure"
"""Judgements of a reader on a text; "" where they gave none. Only `RIGHT` is a tick."""
REMARK = ">"
"""How a line begins on which a reader remarks something."""

_HEAD = "<!-- anna-eins words: {} -->"
_HEAD_READ = re.compile(r"<!-- anna-eins words: ([A-Za-z0-9-]+)(?: ([a-z]+))? -->")
_KEY = re.compile(r"###\s+(?:\[\s*(\S?)\s*\]\s*)?`?([^\s`\[\]]+)`?")
_BOX = "[ ] "
# An editor wraps no line that is shorter than this, so what follows a shorter one is not its rest.
_WRAPPED = 40
# A reader needs 8 s for an entry of eight words: 4 s for the entry, and half a second for each word.
_SECONDS_AN_ENTRY, _SECONDS_A_WORD = 4.0, 0.5
# Marks of direction that an editor may have put in: the program sets its own.
_MARKS = dict.fromkeys((0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF))


class Labels(msgspec.Struct, frozen=True):
    """Beginnings of the lines of a block: `own` the line to correct, `example` the one with values filled in.

    `numbers`, `english_numbers`: plural form -> the numbers that it stands for, in the language and in English.
    """

    own: str
    example: str
    numbers: Mapping[str, str] = {}
    english_numbers: Mapping[str, str] = {}


class ProofItem(msgspec.Struct, frozen=True):
    """One sentence: its key, and by form the English, the own text and the examples.

    `reviewed`: a native reader has ticked it before, so it has no box.
    """

    key: str
    english: Mapping[str, str]
    own: Mapping[str, str]
    examples: Sequence[tuple[str, str]] = ()
    reviewed: bool = False


class Pair(msgspec.Struct, frozen=True):
    """Whole sentence as it is heard, in English and in the language; nobody corrects it here."""

    english: str
    own: str


class Subject(msgspec.Struct, frozen=True):
    """One chapter of a proof."""

    title: str
    items: Sequence[ProofItem] = ()
    pairs: Sequence[Pair] = ()


class Proof(msgspec.Struct, frozen=True):
    """All the words of one language or those of a `chapter`, with what its reader needs to know first."""

    tag: str
    labels: Labels
    title: str
    introduction: Sequence[str]
    subjects: Sequence[Subject]
    chapter: str = ""


class CorrectedLine(msgspec.Struct, frozen=True):
    """One text as it stands in a proof that came back, with the number of its line."""

    text: str
    line: int


class CorrectedItem(msgspec.Struct, frozen=True):
    """One sentence of a proof that came back; `line` is that of its key.

    `on`: the day on which its reader gave the verdict, where the file says so. `was`: the texts that they were shown,
    where the file says so.
    """

    key: str
    line: int
    english: dict[str, CorrectedLine]
    own: dict[str, CorrectedLine]
    verdict: str = ""
    remarks: list[str] = msgspec.field(default_factory=list)
    on: str = ""
    was: dict[str, str] | None = None


class WrongLine(msgspec.Struct, frozen=True):
    """Fault in a line of a proof that came back, and its number."""

    text: Phrase
    line: int


class CorrectedProof(msgspec.Struct, frozen=True):
    """Proof that came back: its sentences, and what in it cannot be read."""

    items: Mapping[str, CorrectedItem]
    complaints: Sequence[WrongLine]


def seconds_of(forms: Mapping[str, str]) -> float:
    """Return how long a reader needs for one entry, with all its forms."""
    return _SECONDS_AN_ENTRY + _SECONDS_A_WORD * sum(len(text.split()) for text in forms.values())


def proof_markdown(proof: Proof) -> str:
    """Return a proof as Markdown."""
    return "\n\n".join(_paragraphs(proof)) + "\n"


def _paragraphs(proof: Proof) -> Iterator[str]:
    own, example, numbers = proof.labels.own, proof.labels.example, proof.labels.numbers
    yield _HEAD.format(f"{proof.tag} {proof.chapter}".rstrip())
    yield f"# {proof.title}"
    yield from proof.introduction
    for subject in proof.subjects:
        yield f"## {subject.title}"
        for item in subject.items:
            lines = [_line(own, form, text, numbers) for form, text in item.own.items()]
            if own != ENGLISH:
                theirs = proof.labels.english_numbers
                lines = [*(_line(ENGLISH, form, text, theirs) for form, text in item.english.items()), *lines]
            yield f"### {'' if item.reviewed else _BOX}{item.key}\n{lines[0]}"
            yield from lines[1:]
            yield from (_line(example, form, text) for form, text in item.examples)
        for pair in subject.pairs:
            if own != ENGLISH:
                yield _line(ENGLISH, WHOLE, pair.english)
            yield _line(example, WHOLE, pair.own)


def _line(label: str, form: str, text: str, numbers: Mapping[str, str] | None = None) -> str:
    stands_for = f": {numbers[form]}" if numbers is not None and form in numbers else ""
    return f"{label} [{form}{stands_for}]: {text}".rstrip() if form else f"{label}: {text}".rstrip()


def tag_of(text: str) -> str | None:
    """Return the language of a proof that came back; None where the text is no proof."""
    found = _HEAD_READ.search(text.split("##", 1)[0])
    return found[1] if found else None


def chapter_of(text: str) -> str:
    """Return the chapter that a proof holds alone; "" where it holds all of them."""
    found = _HEAD_READ.search(text.split("##", 1)[0])
    return (found[2] or "") if found else ""


def read_back(text: str, labels: Labels) -> CorrectedProof:
    """Return the sentences of a proof that came back. What precedes the first key, and examples, are passed over.

    A box with a sign in it is a tick. A line that an editor has wrapped is put together again; a remark begins with >.
    """
    items: dict[str, CorrectedItem] = {}
    wrong: list[WrongLine] = []
    item: CorrectedItem | None = None
    rest: _Rest | None = None
    for number, raw in enumerate(text.splitlines(), start=1):
        line = unicodedata.normalize("NFC", raw.translate(_MARKS)).strip()
        if line.startswith("#"):
            item, rest = None, None
            if key := _KEY.fullmatch(line):
                item = CorrectedItem(key[2], number, {}, {}, RIGHT if key[1] else "")
                if key[2] in items:
                    wrong.append(WrongLine(Phrase("proof.key_twice", key=key[2]), number))
                items.setdefault(key[2], item)
            elif line.startswith("###"):
                wrong.append(WrongLine(Phrase("proof.no_key"), number))
        elif not line or item is None:
            rest = None
        elif (found := _label_in(line, labels)) is None and rest is not None:
            rest = rest.with_line(line)
        else:
            told, rest = _put_line(line, found, number, item, labels)
            if told is not None:
                wrong.append(WrongLine(told, number))
    return CorrectedProof(items, wrong)


class _Rest(msgspec.Struct, frozen=True):
    """Where the rest of a wrapped line belongs: to a text, to a remark, or to what is passed over."""

    texts: dict[str, CorrectedLine] | None = None
    form: str = WHOLE
    remarks: list[str] | None = None

    def with_line(self, line: str) -> _Rest | None:
        """Put the rest of a line behind its beginning; return where a further rest belongs."""
        if self.texts is not None:
            begun = self.texts[self.form]
            self.texts[self.form] = CorrectedLine(f"{begun.text} {line}".strip(), begun.line)
        elif self.remarks:
            self.remarks[-1] = f"{self.remarks[-1]} {line}"
        return self if self.remarks or len(line) >= _WRAPPED else None


def _label_in(line: str, labels: Labels) -> re.Match[str] | None:
    known = tuple(dict.fromkeys((labels.own, ENGLISH, labels.example)))
    heads = "|".join(map(re.escape, known))
    return re.fullmatch(rf"({heads})\s*(?:\[(\w+)[^\]]*\])?\s*:(.*)|({REMARK})(.*)", line)


def _put_line(
    line: str, found: re.Match[str] | None, number: int, item: CorrectedItem, labels: Labels
) -> tuple[Phrase | None, _Rest | None]:
    """Put a line into its block; return what is wrong with it, and where its rest belongs if it was wrapped."""
    long = len(line) >= _WRAPPED
    if found is None:
        named = ", ".join(f'"{label}:"' for label in dict.fromkeys((labels.own, ENGLISH, labels.example)))
        return Phrase("proof.no_label", names=named), None
    if found[4]:
        item.remarks.append(found[5].strip())
        return None, _Rest(remarks=item.remarks)
    label, form, text = found[1], found[2] or WHOLE, found[3].strip()
    if label == labels.example:
        return None, _Rest() if long else None
    forms = item.own if label == labels.own else item.english
    if form in forms:
        return Phrase("proof.text_twice", key=item.key), None
    forms[form] = CorrectedLine(text, number)
    return None, _Rest(forms, form) if long else None
