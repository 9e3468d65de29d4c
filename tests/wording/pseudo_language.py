"""Two languages that nobody speaks, made of the English files alone: what stays English shows at once.

"qaa" is English with accents and a third longer, "qab" its mirror: the same words in Hebrew letters, from right to
left. Each is one folder, as `config/languages` has them, and lies outside the program (`ANNA_EINS_LANGUAGES`).
"""

from __future__ import annotations

import json
import re
import shutil
import string
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from speech.words.config_file import MORE_LANGUAGES, language_tags, of_language

ACCENTED, MIRRORED = "qaa", "qab"
PSEUDO = (ACCENTED, MIRRORED)
"""Tags that ISO 639-2 keeps for local use: no language will ever have them."""

KEPT_WORDS = frozenset(
    re.findall(
        r"\w+",
        """Anna Eins Nora Omar Hector Tablet FIDE LiveChess PGN PDF BRF HTML FEN TRF QR UTC SHA TOML JSON CSV SVG ms kHz
        Hz DGT BRLTTY BrlAPI NVDA Orca eSpeak Vosk Wyoming Whisper Unicode Markdown PostgreSQL Python Windows macOS
        Linux Chess960 III AM WAV PCM ZIP MP3 UCI USB HTTPS TLS URL IP USD Enter Escape Ctrl Alt Shift Tab English
        Deutsch magyar""",
    )
)
"""What stands in Latin letters in every language: names, formats, keys."""
ON_PAGES = frozenset({"demo", "Chess", "Pause", "Insert", "Space"})
"""What else may be read on a page: the name of a table, and those of keys."""
KEPT = re.compile(
    r"\{[^{}]*\}|```.*?```|`[^`]*`|https?://\S+|\banna-eins(?: [a-z]+)*(?: --?[a-z-]+(?: [A-Z]+)?)*|--[a-z][a-z-]*"
    r"|[\w.-]*/[\w./-]+\.\w+|\b\w+\.(?:toml|tsv|json|html|md|txt|wav|pem)\b|\b[A-Z][A-Z_]+\b"
    r"|\b[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[QRBN])?\b|\b[IVX]+\.[\d.]+|\bD\.[\d.]+|O-O(?:-O)?"
    r"|\b(?:" + "|".join(sorted(map(re.escape, KEPT_WORDS))) + r")\b",
    re.DOTALL,
)
"""What a translator leaves as it is: places, commands, addresses, names of files, moves, articles, and those words."""

ENGLISH = re.compile(r"(?<![A-Za-zÀ-ɏ])[A-Za-z]{2,}")
"""A word in a language that has an accent on every letter, or none of these letters."""

ACCENTS = str.maketrans(string.ascii_letters, "àƀĉďéƒĝĥîĵķĺɱñóþɋŕšťúṽŵẋýž" + "ÀɃĈĎÉƑĜĤÎĴĶĹṀÑÓÞɊŔŠŤÚṼŴẊÝŽ")
LETTERS = str.maketrans(string.ascii_letters, "אבגדהוזחטיכלמנסעפצקרשתךםןף" * 2)
"""Twenty-six letters for twenty-six: no two words become one."""


def accented(text: str) -> str:
    """The text with an accent on each letter and one in three of them twice; what a translator leaves stays."""
    return "".join(
        re.sub("(?<![A-Za-z])[A-Za-z]+", _longer, one).translate(ACCENTS) if ours else one for one, ours in _parts(text)
    )


def _longer(word: re.Match[str]) -> str:
    return re.sub("([A-Za-z])([a-z])([A-Za-z]?)", r"\1\2\2\3", word[0])


def mirrored(text: str) -> str:
    """The text in letters that run from right to left; what a translator leaves stays."""
    return "".join(one.translate(LETTERS) if ours else one for one, ours in _parts(text))


def english_in(text: str) -> list[str]:
    """The words of a text that are in English letters still, but for what a translator leaves."""
    return ENGLISH.findall(KEPT.sub(" ", text))


WAYS: Mapping[str, Callable[[str], str]] = {ACCENTED: accented, MIRRORED: mirrored}


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The stretches of a text, each with whether it is to be translated."""
    end = 0
    for kept in KEPT.finditer(text):
        yield text[end : kept.start()], True
        yield kept[0], False
        end = kept.end()
    yield text[end:], True


def written_into(place: Path, english: Path, german: Path) -> dict[str, str]:
    """Write both languages into a folder, from those of `config`; the environment of a server that has them."""
    for tag in PSEUDO:
        _written(tag, place / tag, english, german)
    return {MORE_LANGUAGES: str(place)}


def _written(tag: str, place: Path, english: Path, german: Path) -> None:
    say = WAYS[tag]
    shutil.copytree(english, place)
    for file in (*(place / "words").glob("*.toml"), place / "act_words.toml", place / "score_endings.toml"):
        table = tomllib.loads(file.read_text("utf-8"))
        _write(file, {key: one if key in ("origin", "review") else _said(one, say) for key, one in table.items()})
    phrases = tomllib.loads((place / "phrases.toml").read_text("utf-8"))
    _write(place / "phrases.toml", {key: _said(one, say) for key, one in phrases.items()})
    for file in (place / "guides").glob("*.md"):
        file.write_text(_guide(file.read_text("utf-8"), say), "utf-8")
    (place / "braille" / "six_dots.toml").unlink()
    _write(place / "braille" / "prose.toml", {"table": "en-ueb-g1.ctb", "typing": [], "grades": {}})
    own = tomllib.loads((place / "language.toml").read_text("utf-8"))
    own |= {
        "name": f"pseudo {tag}",
        "native_name": say(own["native_name"].lower()),
        "plurals": "en",
        "voice": "en",
        "words": _said(own["words"], say),
    }
    if tag == MIRRORED:
        own |= {"script": "Hebr", "direction": "rtl"}
        words = tomllib.loads((german / "language.toml").read_text("utf-8"))["words"]
        parts = ("file", "rank", "digit", "piece", "castle", "word")
        own["transliteration"] = {part: _said(words[part], say) for part in parts}
        for word in (word for part in own["transliteration"].values() for word in part.values()):
            word.pop("spoken", None)
    _write(place / "language.toml", own)


def _said(value: Any, say: Callable[[str], str]) -> Any:
    """The texts of a value in the other language; a word or a sentence with its origin keeps that."""
    match value:
        case str():
            return say(value)
        case list():
            return [_said(one, say) for one in value]
        case dict():
            return {key: one if key in ("origin", "review") else _said(one, say) for key, one in value.items()}
        case _:
            return value


def _guide(text: str, say: Callable[[str], str]) -> str:
    """A guide in the other language: what stands in italics is German, as the pages mark it."""
    parts = re.split(r"(\*[^*\n]+\*(?!\*))", text)
    return "".join(one if at % 2 else say(one) for at, one in enumerate(parts))


def _write(file: Path, table: Mapping[str, Any]) -> None:
    file.write_text("".join(f"{json.dumps(key)} = {_toml(one)}\n" for key, one in table.items()), "utf-8")


def _toml(value: Any) -> str:
    match value:
        case dict():
            return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(one)}" for key, one in value.items()) + " }"
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def in_a_folder(place: Path, repo: Path) -> dict[str, str]:
    """Both languages in a folder, made of this repository's; see `written_into`."""
    assert not set(PSEUDO) & set(language_tags())
    config = repo / "config"
    return written_into(place, config / of_language("en", ""), config / of_language("de", ""))
