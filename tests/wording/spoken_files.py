"""Write the spoken forms of Arabic and Hebrew anew: `python -m tests.wording.spoken_files [DRAFT.json ...]`.

A form that still is its sentence stays. A sentence that has none takes it from a draft (a JSON table, written -> with
vowels), or else word by word from the forms there are. The words that nobody knows are listed: somebody who reads the
language, or two libraries that agree, must give them. Nothing here is needed at run time.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from server.exports.words.correction import penalty_texts
from speech.words.catalogue import load_messages
from speech.words.config_file import below
from speech.words.loading import load_language
from speech.words.spoken_forms import (
    SPOKEN_PARTS,
    WORD,
    SpokenForms,
    keeps_signs,
    read_spoken_forms,
    spoken_texts,
    with_vowels,
    without_signs,
)

CONFIG = Path(__file__).parents[2] / "config"
LANGUAGES = ("ar", "he")
"""The languages whose script leaves vowels out."""
COMMENT = (
    "# How {part} is said in {name}: each sentence of its written file with the vowels that the script\n"
    "# leaves out. Only a voice is given these; without its signs each is the written sentence\n"
    "# (tests/speech/words/test_spoken_forms.py).\n"
)


def written_texts(part: str, tag: str) -> dict[str, str]:
    """Return the texts of one part that have a word in the language's own script, by key; a plural by "key.form"."""
    if part == "language":
        tongue = load_language(tag)
        texts = {f"words.{key}": word.text for key, word in tongue.words.items()}
        texts |= {f"transliteration.{key}": word.text for key, word in tongue.transliteration.items()}
        texts |= {f"penalties.{key}": text for key, text in penalty_texts(tag).items()}
    else:
        texts = {
            f"{key}.{form}" if message.plural else key: text
            for key, message in load_messages(tag, part=part).entries.items()
            for form, text in message.forms.items()
        }
    return {key: unicodedata.normalize("NFC", text) for key, text in texts.items() if WORD.search(text)}


def guide_texts(tag: str) -> dict[str, str]:
    """Return the paragraphs of the guides of one language, which are read aloud."""
    place = CONFIG / "languages" / tag / "guides"
    return {
        f"{guide.stem}.{number}": line
        for guide in sorted(place.glob("*.md"))
        for number, line in enumerate(guide.read_text("utf-8").splitlines(), 1)
        if WORD.search(line)
    }


def is_form_of(said: str, written: str) -> bool:
    """Return whether a spoken form is this sentence, letter by letter, with all the signs that it has."""
    return keeps_signs(written, said)


def unsaid_words(said: str) -> list[str]:
    """Return the words of more than one letter that a spoken form leaves without any vowel sign."""
    return [word[0] for word in WORD.finditer(said) if len(word[0]) > 1 and word[0] == without_signs(word[0])]


def completed(part: str, tag: str, drafts: Mapping[str, str], known: SpokenForms | None) -> dict[str, str]:
    """Return the spoken forms of one part: those there are, drafted ones, or put together word by word."""
    path = CONFIG / "languages" / tag / "spoken" / f"{part}.toml"
    there = spoken_texts(part, tag) if path.exists() else {}
    found = {}
    for key, written in written_texts(part, tag).items():
        said = there.get(key, "")
        if not is_form_of(said, written):
            said = drafts.get(written) or drafts.get(without_signs(written), "")
        if not is_form_of(said, written):
            said = written
        found[key] = with_vowels(said, known) if known is not None and unsaid_words(said) else said
    return found


def written_file(part: str, tag: str, texts: Mapping[str, str]) -> str:
    """Return a file of spoken forms as TOML."""
    sections: dict[str, list[str]] = {}
    plurals = plural_keys(part, tag)
    told: set[str] = set()
    for key, text in texts.items():
        whole = key.rpartition(".")[0] if key.rpartition(".")[0] in plurals else key
        if whole in told:
            continue
        told.add(whole)
        section, _, name = whole.partition(".")
        if whole in plurals:
            forms = {
                other.rpartition(".")[2]: said for other, said in texts.items() if other.rpartition(".")[0] == whole
            }
            value = "{ " + ", ".join(f"{form} = {_quoted(said)}" for form, said in forms.items()) + " }"
        else:
            value = _quoted(text)
        sections.setdefault(section, []).append(f"{below('', name)} = {value}")
    head = COMMENT.format(part=f"{part}.toml", name=load_language(tag).name)
    head += 'origin = "proposal"\nreview = "needs native review"\n'
    return head + "".join(f"\n[{name}]\n" + "\n".join(lines) + "\n" for name, lines in sections.items())


def plural_keys(part: str, tag: str) -> set[str]:
    """Return the keys of the sentences of a part that have plural forms."""
    if part == "language":
        return set()
    return {key for key, message in load_messages(tag, part=part).entries.items() if message.plural}


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def main(drafts: list[str]) -> int:
    """Write the files, and say which words have no vowels yet."""
    table: dict[str, str] = {}
    for path in drafts:
        table |= json.loads(Path(path).read_text("utf-8"))
    unknown: dict[str, str] = {}
    for tag in LANGUAGES:
        place = CONFIG / "languages" / tag / "spoken"
        known = read_spoken_forms(tag, None)
        for part in SPOKEN_PARTS:
            texts = completed(part, tag, table, known)
            (place / f"{part}.toml").write_text(written_file(part, tag, texts), "utf-8")
            for key, said in texts.items():
                unknown |= dict.fromkeys(unsaid_words(said), f"{tag}/{part} {key}")
        forms = read_spoken_forms(tag, None)
        for key, line in guide_texts(tag).items():
            said = line if forms is None else with_vowels(line, forms)
            unknown |= dict.fromkeys(unsaid_words(said), f"{tag}/guides {key}")
    for word, where in unknown.items():
        print(f"no vowels: {word} ({where})")
    return len(unknown)


if __name__ == "__main__":
    main(sys.argv[1:])
