"""A corrected proof (`speech/words/proof.py`) is checked here and becomes new text of the files in `config`.

Nothing is written: the caller gets the changed files. A file keeps its order and its comments, because only the lines
of changed entries are written anew.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from server.exports.words.guides import GUIDE, passages_by_key, rewritten, signs_of, tick
from speech.complaint import Complaint, Phrase
from speech.words.catalogue import MEASURE, PARTS, check_sentence, load_messages, path_of, source_in
from speech.words.config_file import Source, of_language, place_of_config, read_source
from speech.words.loading import load_language
from speech.words.messages import ONLY, Messages
from speech.words.proof import RIGHT, SEPARATOR, SPOKEN, UNSURE, WHOLE, WRONG, CorrectedItem, CorrectedProof

REVIEWED = "reviewed"
AWAITED = "needs native review"
LANGUAGE = "language"

Texts = Mapping[str, Mapping[str, str]]
"""Key of a proof -> form -> text."""


class Change(msgspec.Struct, frozen=True):
    """One text that its reader has corrected."""

    key: str
    form: str
    before: str
    after: str


class Remark(msgspec.Struct, frozen=True):
    """Reader's remark on a text, beside or in place of a tick; `verdict`: "" where they gave none."""

    key: str
    verdict: str
    text: str


class ProofReader(msgspec.Struct, frozen=True):
    """Reader of a proof; `on` the day, where the proof itself does not say it of each tick."""

    by: str = ""
    on: str = ""


NOBODY = ProofReader()


class Correction(msgspec.Struct, frozen=True):
    """Result of reading a corrected proof.

    `files`: path below `config` -> its new text, of those that change. `reviewed`: how many texts its reader has
    ticked, `of` how many there are. `passed_over`: what was read in words that are no longer those of today. Where
    there are complaints, nothing may be written.
    """

    changes: tuple[Change, ...]
    files: Mapping[str, str]
    complaints: tuple[str | Phrase, ...]
    reviewed: int
    of: int
    remarks: tuple[Remark, ...] = ()
    passed_over: tuple[Phrase, ...] = ()


def texts_to_correct(tag: str, root: Traversable | None = None) -> dict[str, dict[str, str]]:
    """Return every text of a language that its reader may correct, by key, in the order of the files."""
    found: dict[str, dict[str, str]] = {}
    for part in PARTS:
        for key, message in load_messages(tag, root, part=part).entries.items():
            found[f"{part}.{key}"] = dict(message.forms) if message.plural else {WHOLE: message.forms[ONLY]}
    tongue = load_language(tag, root)
    for kind, words in (("words", tongue.words), ("transliteration", tongue.transliteration)):
        for name, word in words.items():
            forms = {WHOLE: word.text, **({SPOKEN: SEPARATOR.join(word.spoken)} if word.spoken else {})}
            found[f"{LANGUAGE}.{kind}.{name}"] = forms
    return found | {key: {WHOLE: one.text} for key, one in passages_by_key(tag, root).items()}


def english_of(texts: Texts, root: Traversable | None = None) -> Texts:
    """Return the English beside the texts of a language; for German words in another script, the German ones."""
    english, german = texts_to_correct(MEASURE, root), load_language("de", root).words
    beside = {key: forms for key, forms in english.items() if key in texts or not key.startswith(f"{GUIDE}.")}
    for key in texts.keys() - english.keys():
        beside[key] = {WHOLE: german[key.removeprefix(f"{LANGUAGE}.transliteration.")].text}
    return beside


def reviewed_in(tag: str, root: Traversable | None = None) -> set[str]:
    """Return the keys of the texts that a native arbiter has reviewed."""
    found = {
        f"{part}.{key}"
        for part in PARTS
        for key, message in load_messages(tag, root, part=part).entries.items()
        if message.review == REVIEWED
    }
    tongue = load_language(tag, root)
    for kind, words in (("words", tongue.words), ("transliteration", tongue.transliteration)):
        found |= {f"{LANGUAGE}.{kind}.{name}" for name, word in words.items() if word.review == REVIEWED}
    return found | {key for key, one in passages_by_key(tag, root).items() if one.reviewed}


def penalty_texts(tag: str, root: Traversable | None = None) -> dict[str, str]:
    """Return the penalties in the words of one language, by id."""
    head = "penalties."
    entries = load_messages(tag, root, part="rules").entries
    return {key.removeprefix(head): one.forms[ONLY] for key, one in entries.items() if key.startswith(head)}


def correction_of(
    proof: CorrectedProof,
    tag: str,
    label: str,
    root: Traversable | None = None,
    *,
    wanted: Collection[str] = (),
    reader: ProofReader = NOBODY,
) -> Correction:
    """Return the changes of a proof that came back, or its faults; `label` is its name in a complaint.

    `wanted`: the sentences that it must hold.
    """
    before = texts_to_correct(tag, root)
    passed_over = _passed_over(proof, before, tag, root)
    proof = CorrectedProof({key: item for key, item in proof.items.items() if key not in passed_over}, proof.complaints)
    wrong: list[tuple[int, str | Phrase]] = [
        (one.line, Phrase("proof.line", file=label, line=one.line, why=one.text)) for one in proof.complaints
    ]
    wrong += _wrong_texts(proof, before, tag, label, root)
    told = [sentence for _, sentence in sorted(wrong, key=lambda one: one[0])]
    missing = [key for key in before if key in wanted and key not in proof.items and key not in passed_over]
    if missing:
        told.append(Phrase("proof.missing", file=label, number=len(missing), first=missing[0]))
    changes = tuple(_changes(proof, before)) if not told else ()
    changed = {change.key for change in changes}
    ticked = {key for key, item in proof.items.items() if item.verdict == RIGHT or (item.verdict and key in changed)}
    if ticked and not reader.by:
        told.append(Phrase("proof.no_name", file=label, option="--by"))
    if told:
        return Correction((), {}, tuple(told), 0, len(before))
    remarks = tuple(
        Remark(key, item.verdict, " ".join(item.remarks))
        for key, item in proof.items.items()
        if item.remarks or (item.verdict in (WRONG, UNSURE) and key not in ticked)
    )
    files = _files(_Taken(proof, changed, ticked, {one.key: one for one in remarks}, reader), tag, root)
    return Correction(changes, files, (), len(ticked), len(before), remarks, tuple(passed_over.values()))


def _passed_over(proof: CorrectedProof, before: Texts, tag: str, root: Traversable | None) -> dict[str, Phrase]:
    """Return what its reader saw in other words than those of today, where the proof says what they saw."""
    english = english_of(before, root)
    return {
        key: Phrase("proof.other_text", key=key)
        for key, item in proof.items.items()
        if item.was is not None
        and key in before
        and (item.was != before[key] or {form: text.text for form, text in item.english.items()} != english[key])
    }


def _changes(proof: CorrectedProof, before: Texts) -> Iterator[Change]:
    for key, item in proof.items.items():
        for form in dict.fromkeys((*before[key], *item.own)):
            was, now = before[key].get(form, ""), item.own[form].text if form in item.own else ""
            if was != now:
                yield Change(key, form, was, now)


def _wrong_texts(
    proof: CorrectedProof, before: Texts, tag: str, label: str, root: Traversable | None
) -> Iterator[tuple[int, str | Phrase]]:
    """Yield each fault in a proof: the line, and one sentence that names it."""
    english = english_of(before, root)
    parts = {part: load_messages(tag, root, part=part) for part in PARTS}
    measures = {part: load_messages(MEASURE, root, part=part) for part in PARTS}
    for item in proof.items.values():
        line, wrong = _wrong_block(item, before, english, tag)
        part = item.key.split(".")[0]
        if wrong is None and part in PARTS:
            # The line of a sentence with plural forms is that of its key; the complaint names the form.
            line = item.own[WHOLE].line if WHOLE in item.own else item.line
            try:
                _check_sentence(
                    item, Source(Phrase("proof.line_of", file=label, line=line), {}), parts[part], measures[part]
                )
            except Complaint as told:
                yield line, told.told
        elif wrong is not None:
            yield line, Phrase("proof.line", file=label, line=line, why=wrong)
        elif part == GUIDE and (signs := signs_of(item.own[WHOLE].text)) != signs_of(before[item.key][WHOLE]):
            why = Phrase("proof.other_signs", key=item.key, signs=signs or "–")
            yield item.own[WHOLE].line, Phrase("proof.line", file=label, line=item.own[WHOLE].line, why=why)


def _wrong_block(item: CorrectedItem, before: Texts, english: Texts, tag: str) -> tuple[int, Phrase | None]:
    """Return the first error and its line, or None."""
    if item.key not in before:
        return item.line, Phrase("proof.no_sentence", key=item.key)
    shown = {form: text.text for form, text in item.english.items()}
    if tag != MEASURE and shown != english[item.key]:
        line = min((text.line for text in item.english.values()), default=item.line)
        return line, Phrase("proof.other_english", key=item.key)
    optional = {SPOKEN} if item.key.startswith(f"{LANGUAGE}.") else set()
    for form, text in item.own.items():
        if form not in before[item.key] and form not in optional:
            return text.line, Phrase("proof.no_form", key=item.key, form=form)
        alike = text.text.split(SEPARATOR.strip()) if form == SPOKEN else [text.text]
        if not all(one.strip() for one in alike) and before[item.key].get(form) != text.text:
            return text.line, Phrase("proof.empty", key=item.key)
    for form in before[item.key].keys() - item.own.keys() - optional:
        return item.line, Phrase("proof.text_lost", key=f"{item.key} [{form}]" if form else item.key)
    return item.line, None


def _check_sentence(item: CorrectedItem, source: Source, messages: Messages, measure: Messages) -> None:
    """Check a sentence of the catalogue as if it stood in its file. Raises Complaint."""
    key = item.key.split(".", 1)[1]
    forms = {form or ONLY: text.text for form, text in item.own.items()}
    check_sentence(source, key, forms, measure.entries[key], messages)


class _Taken(msgspec.Struct, frozen=True):
    """The texts of a proof to take over, by key: changes, ticks and remarks."""

    proof: CorrectedProof
    changed: Collection[str]
    ticked: Collection[str]
    remarks: Mapping[str, Remark]
    reader: ProofReader

    def marks(self, key: str) -> dict[str, str]:
        """Return what says of a text that it is reviewed, by whom and when."""
        if key not in self.ticked:
            return {"review": AWAITED}
        on = self.proof.items[key].on or self.reader.on
        return {"review": REVIEWED, "by": self.reader.by, **({"on": on} if on else {})}

    def comment(self, key: str) -> str:
        """Return the comment behind a text in which its reader's remark is kept."""
        return f"# {told}" if (told := self.remark(key)) else ""

    def remark(self, key: str) -> str:
        """Return who remarked what of a text, and their verdict."""
        if key not in self.remarks:
            return ""
        one = self.remarks[key]
        said = "".join(letter if letter.isprintable() else " " for letter in one.text)
        return ": ".join(part for part in (self.reader.by, one.verdict, said) if part)

    def behind(self, key: str) -> list[str]:
        """Return what is kept behind a passage of a guide: the remark, and the tick."""
        remark, on = self.remark(key), self.proof.items[key].on or self.reader.on
        ticks = [tick(self.reader.by, on)] if key in self.ticked else []
        return [*([remark] if remark else []), *ticks]


def _files(taken: _Taken, tag: str, root: Traversable | None) -> dict[str, str]:
    """Return path -> new text of each file that changes."""
    files: dict[str, str] = {}
    items, written_anew = taken.proof.items, {*taken.changed, *taken.ticked}
    touched = {*written_anew, *taken.remarks}
    for part in PARTS:
        lines: Lines = {}
        for key in load_messages(tag, root, part=part).entries:
            full = f"{part}.{key}"
            if full in touched:
                section, name = key.split(".", 1)
                was = source_in(part, tag, root).table[section][name]
                value = _sentence(items[full], was, taken.marks(full)) if full in written_anew else None
                lines[section, name] = (value, taken.comment(full))
        _collect(files, path_of(part, tag), lines, root)
    tongue, table = load_language(tag, root), read_source(of_language(tag, "language.toml"), root).table
    lines = {}
    for kind, words in (("words", tongue.words), ("transliteration", tongue.transliteration)):
        for id in words:
            full = f"{LANGUAGE}.{kind}.{id}"
            if full in touched:
                group, name = id.split(".")
                was = table[kind][group][name]
                value = _word(items[full], was, taken.marks(full)) if full in written_anew else None
                lines[f"{kind}.{group}", name] = (value, taken.comment(full))
    _collect(files, of_language(tag, "language.toml"), lines, root)
    passages = {key: items[key].own[WHOLE].text for key in touched if key.startswith(f"{GUIDE}.")}
    return files | rewritten(tag, passages, taken.behind, root)


_MARKS = ("review", "by", "on")


def _sentence(item: CorrectedItem, was: object, marks: Mapping[str, str]) -> str:
    """Return a sentence as it stands in the catalogue, with what says whether it is reviewed."""
    table: dict[str, Any] = {**was} if isinstance(was, dict) else {"text": was}
    table |= {("text" if form == WHOLE else form): text.text for form, text in item.own.items()}
    return _inline({key: value for key, value in table.items() if key not in _MARKS} | {**marks})


def _word(item: CorrectedItem, was: Mapping[str, Any], marks: Mapping[str, str]) -> str:
    text = item.own[WHOLE].text
    spoken = [one.strip() for one in item.own[SPOKEN].text.split(SEPARATOR.strip())] if SPOKEN in item.own else []
    table = {**was, "text": text, "spoken": spoken}
    if text != was["text"]:
        table["origin"] = "proposal"  # no longer what the Laws print
    return _inline({key: value for key, value in table.items() if key not in _MARKS and value != []} | {**marks})


def _inline(table: Mapping[str, Any]) -> str:
    return f"{{ {', '.join(f'{key} = {_as_toml(value)}' for key, value in table.items())} }}"


def _as_toml(value: object) -> str:
    """Return a text or a list of texts as TOML has it, which for these is as JSON has it."""
    return json.dumps(value, ensure_ascii=False)


Lines = dict[tuple[str, str], tuple[str | None, str]]
"""Section of a file and key in it -> its new value, None where that stays, and a further comment behind it."""

_SECTION = re.compile(r"\[([^\[\]]+)\]\s*(?:#.*)?")
_ENTRY = re.compile(r"""("(?:[^"\\]|\\.)*"|[\w.-]+)(\s*=\s*)(.*)""")


def _collect(files: dict[str, str], path: str, lines: Lines, root: Traversable | None) -> None:
    if lines:
        text = place_of_config(path, root).read_bytes().decode("utf-8")
        files[path] = _rewrite_entries(text, lines, f"config/{path}")


def _rewrite_entries(text: str, lines: Lines, label: str) -> str:
    """Return a file with some of its entries written anew, and what is remarked of them behind their comments.

    Raises Complaint where an entry does not begin on a line of its own.
    """
    left, section, made = dict(lines), "", []
    rows = iter(text.split("\n"))
    for line in rows:
        if found := _SECTION.fullmatch(line):
            section = found[1]
        elif entry := _ENTRY.fullmatch(line):
            key = json.loads(entry[1]) if entry[1].startswith('"') else entry[1]
            if (section, key) in left:
                value, remark = left.pop((section, key))
                old, comment = _value_and_comment(entry[3], rows)
                further = f"  {remark}" if remark and remark not in comment else ""
                line = f"{entry[1]}{entry[2]}{old if value is None else value}{comment}{further}"
        made.append(line)
    for section, key in left:
        raise Complaint(Phrase("proof.not_on_line", file=label, key=f"{section}.{key}"))
    return "\n".join(made)


def _value_and_comment(rest: str, rows: Iterator[str]) -> tuple[str, str]:
    """Return a value, which may go on in the next lines, and the comment behind it, with the space before it."""
    while True:
        for end in (*(at for at, sign in enumerate(rest) if sign == "#"), len(rest)):
            try:
                tomllib.loads(f"x = {rest[:end]}")
            except (tomllib.TOMLDecodeError, RecursionError):
                continue
            value = rest[:end].rstrip()
            return value, rest[len(value) :]
        rest = f"{rest}\n{next(rows)}"
