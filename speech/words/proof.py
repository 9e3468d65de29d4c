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

_HEAD = "<!-- anna-eins words: {} -->"
_HEAD_READ = re.compile(r"<!-- anna-eins words: ([A-Za-z0-9-]+) -->")
_KEY = re.compile(r"###\s+`?([^\s`]+)`?")
# Marks of direction that an editor may have put in: the program sets its own.
_MARKS = dict.fromkeys((0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF))


class Labels(msgspec.Struct, frozen=True):
    """The `Labels` begin the lines of a block: `own` the line to correct, `example` the one with values filled in."""

    own: str
    example: str


class ProofItem(msgspec.Struct, frozen=True):
    """A `ProofItem` is one sentence: its key, and by form the English, the own text and the examples."""

    key: str
    english: Mapping[str, str]
    own: Mapping[str, str]
    examples: Sequence[tuple[str, str]] = ()


class Pair(msgspec.Struct, frozen=True):
    """A `Pair` is a whole sentence as it is heard, in English and in the language; nobody corrects it here."""

    english: str
    own: str


class Subject(msgspec.Struct, frozen=True):
    """A `Subject` is one chapter of a proof."""

    title: str
    items: Sequence[ProofItem] = ()
    pairs: Sequence[Pair] = ()


class Proof(msgspec.Struct, frozen=True):
    """A `Proof` is all the words of one language, with what its reader needs to know first."""

    tag: str
    labels: Labels
    title: str
    introduction: Sequence[str]
    subjects: Sequence[Subject]


class CorrectedLine(msgspec.Struct, frozen=True):
    """A `CorrectedLine` is one text as it stands in a proof that came back, with the number of its line."""

    text: str
    line: int


class CorrectedItem(msgspec.Struct, frozen=True):
    """A `CorrectedItem` is one sentence of a proof that came back; `line` is that of its key."""

    key: str
    line: int
    english: dict[str, CorrectedLine]
    own: dict[str, CorrectedLine]


class WrongLine(msgspec.Struct, frozen=True):
    """A `WrongLine` is what is wrong with a line of a proof that came back, and its number."""

    text: Phrase
    line: int


class CorrectedProof(msgspec.Struct, frozen=True):
    """A `CorrectedProof` is a proof that came back: its sentences, and what in it cannot be read."""

    items: Mapping[str, CorrectedItem]
    complaints: Sequence[WrongLine]


def written(proof: Proof) -> str:
    """Return a proof as Markdown."""
    return "\n\n".join(_paragraphs(proof)) + "\n"


def _paragraphs(proof: Proof) -> Iterator[str]:
    own, example = proof.labels.own, proof.labels.example
    yield _HEAD.format(proof.tag)
    yield f"# {proof.title}"
    yield from proof.introduction
    for subject in proof.subjects:
        yield f"## {subject.title}"
        for item in subject.items:
            lines = [_line(own, form, text) for form, text in item.own.items()]
            if own != ENGLISH:
                lines = [*(_line(ENGLISH, form, text) for form, text in item.english.items()), *lines]
            yield f"### {item.key}\n{lines[0]}"
            yield from lines[1:]
            yield from (_line(example, form, text) for form, text in item.examples)
        for pair in subject.pairs:
            if own != ENGLISH:
                yield _line(ENGLISH, WHOLE, pair.english)
            yield _line(example, WHOLE, pair.own)


def _line(label: str, form: str, text: str) -> str:
    return f"{label} [{form}]: {text}".rstrip() if form else f"{label}: {text}".rstrip()


def tag_of(text: str) -> str | None:
    """Return the language of a proof that came back; None where the text is no proof."""
    found = _HEAD_READ.search(text.split("##", 1)[0])
    return found[1] if found else None


def read_back(text: str, labels: Labels) -> CorrectedProof:
    """Return the sentences of a proof that came back. What precedes the first key, and examples, are passed over."""
    items: dict[str, CorrectedItem] = {}
    wrong: list[WrongLine] = []
    item: CorrectedItem | None = None
    for number, raw in enumerate(text.splitlines(), start=1):
        line = unicodedata.normalize("NFC", raw.translate(_MARKS)).strip()
        if line.startswith("#"):
            item = None
            if key := _KEY.fullmatch(line):
                item = CorrectedItem(key[1], number, {}, {})
                if key[1] in items:
                    wrong.append(WrongLine(Phrase("proof.key_twice", key=key[1]), number))
                items.setdefault(key[1], item)
            elif line.startswith("###"):
                wrong.append(WrongLine(Phrase("proof.no_key"), number))
        elif line and item is not None and (told := _placed(line, number, item, labels)):
            wrong.append(WrongLine(told, number))
    return CorrectedProof(items, wrong)


def _placed(line: str, number: int, item: CorrectedItem, labels: Labels) -> Phrase | None:
    """Put a line into its block; return what is wrong with it."""
    known = tuple(dict.fromkeys((labels.own, ENGLISH, labels.example)))
    found = re.fullmatch(rf"({'|'.join(map(re.escape, known))})\s*(?:\[(\w+)\])?\s*:(.*)", line)
    if found is None:
        named = ", ".join(f'"{label}:"' for label in known)
        return Phrase("proof.no_label", names=named)
    label, form, text = found[1], found[2] or WHOLE, found[3].strip()
    if label == labels.example:
        return None
    forms = item.own if label == labels.own else item.english
    if form in forms:
        return Phrase("proof.text_twice", key=item.key)
    forms[form] = CorrectedLine(text, number)
    return None
