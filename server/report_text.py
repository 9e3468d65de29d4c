"""A game's report written out, in the words of `config/report.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.abc import Traversable
from importlib.resources import files

import msgspec

from server.complaint import Complaint
from server.play.reporting import Entry, Section

LANGUAGES = ("en", "de")
LABEL = "config/report.toml"
Words = Mapping[str, Mapping[str, str]]


class ReportWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names of sections, small words, and the form of each entry; each by language."""

    section: dict[str, dict[str, str]]
    word: dict[str, dict[str, str]]
    entry: dict[str, dict[str, str]]


def load_words(root: Traversable | None = None) -> ReportWords:
    """Read and check the words. Raises Complaint naming the file and the key path."""
    place = (files("config") if root is None else root).joinpath("report.toml")
    try:
        words = msgspec.convert(tomllib.loads(place.read_text("utf-8")), ReportWords)
    except OSError as wrong:
        raise Complaint(f"{LABEL} is missing; put it back from the release.") from wrong
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise Complaint(f"{LABEL} is not readable as TOML: {wrong}.") from wrong
    except msgspec.ValidationError as wrong:
        raise Complaint(f"{LABEL}: {wrong}.".replace("`", '"').replace("$.", "")) from wrong
    for part in ReportWords.__struct_fields__:
        for key, texts in getattr(words, part).items():
            for language in LANGUAGES:
                if not texts.get(language):
                    raise Complaint(f"{LABEL}, key {part}.{key}.{language}: write the words of this language.")
    return words


def written(table: str, sections: Sequence[Section], words: ReportWords, language: str) -> str:
    """The report as plain text: a heading a section, a line an entry, times in UTC."""
    lines = [words.word["title"][language].format(table)]
    for section in sections:
        lines += ["", words.section[section.name][language]]
        lines += [f"- {_line(entry, words, language)}" for entry in section.entries] or [
            f"- {words.word['nothing'][language]}"
        ]
    return "\n".join(lines) + "\n"


def _line(entry: Entry, words: ReportWords, language: str) -> str:
    texts = dict(entry.text)
    text = texts.get(language) or texts.get("en", "")
    values = (*entry.values, "", "", "")
    rest = ", ".join(value for value in entry.values if value)
    said = words.entry[entry.name][language].format(*values, rest=rest).strip()
    parts = [
        f"{datetime.fromtimestamp(entry.wall_ms / 1000, UTC):%Y-%m-%d %H:%M:%S}" if entry.wall_ms is not None else "",
        words.word[entry.seat.value][language] if entry.seat is not None else "",
        f"{said} ({entry.article})" if entry.article else said,
        text,
    ]
    return ": ".join(part for part in parts if part)
