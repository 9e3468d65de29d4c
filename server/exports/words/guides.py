"""The guides are texts too, which a native reads passage by passage: headings, paragraphs, items, rows of tables.

A guide is Markdown (`config/languages/TAG/guides/ROLE.md`). What a reader says of a passage is kept behind it in a
comment that no page shows: `<!-- reviewed: NAME, DAY -->`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from importlib.resources.abc import Traversable

import msgspec

from server.exports.guide import ROLES
from speech.words.catalogue import MEASURE
from speech.words.config_file import of_language, place_of_config

GUIDE = "guide"
"""How the keys of passages begin: "guide.player.3" is the third passage of the player's guide."""
WIDTH = 120
_COMMENT = re.compile(r"\s*<!--\s*(.*?)\s*-->")
_REVIEWED = "reviewed: "
_LEAD = re.compile(r"#+ +|[-*] +|\d+\. +|\| *")
_RULE = re.compile(r"\|[-:| ]+\|")
_SIGNS = "|*`"


class Passage(msgspec.Struct, frozen=True):
    """Block of a guide: its first line and the line behind it, its lead ("2. "), text and remarks."""

    first: int
    end: int
    lead: str
    text: str
    remarks: tuple[str, ...] = ()

    @property
    def reviewed(self) -> bool:
        """Return whether a native has ticked it."""
        return any(one.startswith(_REVIEWED) for one in self.remarks)


def guides_of(tag: str, root: Traversable | None = None) -> dict[str, list[Passage]]:
    """Return the guides that a language has, by role: those that have the passages of the English one."""
    found = {}
    for role in ROLES:
        passages, measure = (_passages_in(place, role, root) for place in (tag, MEASURE))
        if [_kind(one) for one in passages] == [_kind(one) for one in measure]:
            found[role] = passages
    return {role: passages for role, passages in found.items() if passages}


def passages_by_key(tag: str, root: Traversable | None = None) -> dict[str, Passage]:
    """Return every passage of the guides of a language by its key."""
    guides = guides_of(tag, root)
    return {key: one for role, passages in guides.items() for key, one in _by_key(role, passages).items()}


def _by_key(role: str, passages: Sequence[Passage]) -> dict[str, Passage]:
    return {f"{GUIDE}.{role}.{number}": one for number, one in enumerate(passages, start=1)}


def signs_of(text: str) -> str:
    """Return the signs of Markdown in a passage; a corrected one must have the same."""
    return "".join(sorted(sign for sign in text if sign in _SIGNS))


def path_of_guide(tag: str, role: str) -> str:
    """Return where a guide lies below `config`."""
    return of_language(tag, f"guides/{role}.md")


def rewritten(
    tag: str, texts: Mapping[str, str], remarks: Callable[[str], list[str]], root: Traversable | None
) -> dict[str, str]:
    """Return path -> new text of each guide with a passage in `texts`; `remarks` gives what is kept behind one."""
    files = {}
    for role, passages in guides_of(tag, root).items():
        keys = _by_key(role, passages)
        if not keys.keys() & texts.keys():
            continue
        lines = _text_of(tag, role, root).splitlines()
        for key, one in reversed(keys.items()):
            if key in texts:
                lines[one.first : one.end] = _lines(one, texts[key], remarks(key))
        files[path_of_guide(tag, role)] = "\n".join(lines) + "\n"
    return files


def _lines(passage: Passage, text: str, remarks: list[str]) -> list[str]:
    """Return the lines of a passage with a text and further remarks; an earlier tick goes with the text it was of."""
    ticked = any(one.startswith(_REVIEWED) for one in remarks)
    stale = ticked or text != passage.text
    kept = [one for one in passage.remarks if one not in remarks and not (stale and one.startswith(_REVIEWED))]
    text = " ".join(text.split())
    comments = "".join(f" <!-- {one.replace('--', '–')} -->" for one in (*kept, *remarks))
    if passage.lead.startswith("|"):
        return [f"| {text}{comments} |"]
    if passage.lead.startswith("#"):
        return [f"{passage.lead}{text}{comments}"]
    return textwrap.wrap(
        f"{text}{comments}",
        WIDTH,
        initial_indent=passage.lead,
        subsequent_indent=" " * len(passage.lead),
        break_long_words=False,
        break_on_hyphens=False,
    )


def tick(by: str, on: str) -> str:
    """Return the remark that marks a passage as reviewed."""
    return f"{_REVIEWED}{', '.join(part for part in (by, on) if part)}"


def _kind(passage: Passage) -> str:
    return passage.lead[:1]


def _text_of(tag: str, role: str, root: Traversable | None) -> str:
    place = place_of_config(path_of_guide(tag, role), root)
    return place.read_text("utf-8") if place.is_file() else ""


def _passages_in(tag: str, role: str, root: Traversable | None) -> list[Passage]:
    """Return the passages of a guide, without the note in brackets below its title; none where it is not there."""
    lines = _text_of(tag, role, root).splitlines()
    found: list[Passage] = []
    first = 0
    while first < len(lines):
        line = lines[first]
        if not line.strip() or _RULE.fullmatch(line):
            first += 1
            continue
        end = first + 1
        alone = line.startswith(("#", "|"))
        while not alone and end < len(lines) and lines[end].strip() and not _LEAD.match(lines[end]):
            end += 1
        lead = head[0] if (head := _LEAD.match(line)) else ""
        whole = " ".join(part.strip() for part in lines[first:end])[len(lead) :]
        remarks = tuple(_COMMENT.findall(whole))
        text = _COMMENT.sub("", whole).strip()
        if lead.startswith("|"):
            text = text.removesuffix("|").strip()
        if not (len(found) == 1 and text.startswith("(") and text.endswith(")")):
            found.append(Passage(first, end, lead, text, remarks))
        first = end
    return found
