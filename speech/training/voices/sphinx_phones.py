"""This module writes the words of other languages in the phones of pocketsphinx's English model.

    python -m speech.training.voices.sphinx_phones

The model is American English. The module writes `config/pronunciations/pocketsphinx/approximated.toml`: for English the
model's own dictionary where it has the word; otherwise, and for the other languages, what eSpeak NG's voice makes of
the word, mapped by `english_phones.toml`. There are up to four ways a form: every sound at its nearest, all at their
second nearest, the vowels alone, the consonants alone. What a person wrote into `en-us.toml` goes before it, word by
word. The same versions always write the same file.
"""

from __future__ import annotations

import ctypes
import re
import textwrap
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import click
import espeakng_loader
import msgspec

from speech.complaint import Complaint
from speech.recognisers.sphinx.phones import english_phones
from speech.words.config_file import source_of
from speech.words.language import WORD_IDS
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme

_TABLE = Path(__file__).with_name("english_phones.toml")
_TARGET = "approximated.toml"
_VOWELS = re.compile(r"[AEIOU]")
_UNSOUNDED = re.compile(r"[ˈˌ.|_]|\([a-z-]+\)")
_SPELLED_OUT = "hiːbɹuː"
"""This stands among the names of letters where eSpeak NG cannot read a Hebrew word."""
_AUDIO_RETRIEVAL, _UTF8, _IPA = 2, 1, 2
WITHOUT_VOWELS = ("ar", "he")
"""The languages whose script leaves the vowels out: eSpeak NG needs a reading of each form."""
MOST_WAYS = 12
"""The most ways of one word: more only make it easier to hear the word where nobody said it."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `Table` is the table by which words are mapped.

    `voices`: language -> eSpeak voices; `phones`: IPA -> ARPAbet, nearest first; `readings`: language -> texts.
    """

    voices: Mapping[str, tuple[str, ...]]
    phones: Mapping[str, tuple[str, ...]]
    readings: Mapping[str, Mapping[str, str]]


class Speller:
    """A `Speller` turns text into phonemes with eSpeak NG, in this process: this is a workbench."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(espeakng_loader.get_library_path())
        if self._library.espeak_Initialize(_AUDIO_RETRIEVAL, 0, espeakng_loader.get_data_path().encode(), 0) < 0:
            raise Complaint("eSpeak NG cannot be started; install Anna Eins again.")
        self._library.espeak_TextToPhonemes.restype = ctypes.c_char_p

    def phonemes(self, text: str, voice: str) -> str:
        """Return the phonemes of a text in IPA, without stress. Raises Complaint for an unknown voice."""
        if self._library.espeak_SetVoiceByName(voice.encode()) != 0:
            raise Complaint(f"eSpeak NG has no voice {voice}.")
        rest = ctypes.c_char_p(text.encode())
        said: list[str] = []
        while rest.value:
            part = self._library.espeak_TextToPhonemes(ctypes.byref(rest), _UTF8, _IPA)
            said.append(part.decode() if part else "")
        found = _UNSOUNDED.sub("", " ".join(said))
        if _SPELLED_OUT in found:
            raise Complaint(f"eSpeak NG spells {text} out letter by letter ({found}); give it another reading.")
        return found


def ways_of(phonemes: str, phones: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return ways to say phonemes in IPA with ARPAbet phones, the nearest first.

    Raises Complaint for a sound without phones.

    >>> ways_of("nɛm", {"n": ["N"], "ɛ": ["EH", "AE"], "m": ["M"]})
    ('N EH M', 'N AE M')
    """
    sounds = [phones[sound] for word in phonemes.split() for sound in _sounds(word, phones)]
    second = [choices[-1] if len(choices) == 1 else choices[1] for choices in sounds]
    first = [choices[0] for choices in sounds]
    pairs = list(zip(first, second, strict=True))
    vowels = [two if _VOWELS.match(one) else one for one, two in pairs]
    others = [one if _VOWELS.match(one) else two for one, two in pairs]
    return tuple(dict.fromkeys(way for chosen in (first, second, vowels, others) if (way := _joined(chosen))))


def _sounds(word: str, phones: Mapping[str, Sequence[str]]) -> list[str]:
    """Return one word of IPA cut into the sounds of the table, the longest first.

    A mark of length alone is dropped.
    """
    longest = max(map(len, phones))
    found: list[str] = []
    place = 0
    while place < len(word):
        for length in range(longest, 0, -1):
            if word[place : place + length] in phones:
                found.append(word[place : place + length])
                place += length
                break
        else:
            if word[place] not in "ːʰ\u032a\u0361ʲ":
                raise Complaint(f"{_TABLE.name}, key phones.{word[place]}: this sound (in {word}) has no phones.")
            place += 1
    return found


def _joined(choices: Sequence[str]) -> str:
    """Return the phones in a row; a doubled consonant counts once."""
    found: list[str] = []
    for phone in " ".join(choices).split():
        if not found or found[-1] != phone:
            found.append(phone)
    return " ".join(found)


def _in_dictionary(form: str, english: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the first way of each word of an English form, none where the model's dictionary lacks one."""
    words = form.lower().replace("-", " ").split()
    if not all(word in english for word in words):
        return ()
    return tuple(
        dict.fromkeys(" ".join(english[word][min(way, len(english[word]) - 1)] for word in words) for way in (0, 1))
    )


def texts_of_word(word: str, scheme: Scheme, table: Table) -> dict[str, str]:
    """Return every form of a word with the text from which eSpeak NG's voice of the language says it right.

    A form of a script that leaves the vowels out cannot be read without them: it is left out where it has no reading.
    """
    readings = table.readings.get(scheme.language, {})
    texts = {form: readings.get(form, form) for form in scheme.spoken(word)}
    texts |= dict.fromkeys((scheme.text(word), scheme.words[word].voice_text), scheme.spelling(word, "espeak"))
    if scheme.language in WITHOUT_VOWELS:
        texts = {form: text for form, text in texts.items() if form == scheme.text(word) or form in readings}
    return texts


def load_table() -> Table:
    """Return the table by which words are mapped. Raises Complaint."""
    return source_of(_TABLE.read_bytes(), _TABLE.name).shaped(Table)


def ways_of_word(
    word: str, scheme: Scheme, table: Table, speller: Speller, english: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """Return every way to say a word of a language, the best way of each form first.

    The forms give one way each in turn.
    """
    language = scheme.language
    by_form: list[list[str]] = []
    for form, text in texts_of_word(word, scheme, table).items():
        ways = list(_in_dictionary(form, english)) if language == "en" else []
        for voice in table.voices[language]:
            found = ways_of(speller.phonemes(text, voice), table.phones)
            ways += found[:1] if language == "en" else found
        by_form.append(list(dict.fromkeys(ways)))
    turns = max(map(len, by_form))
    in_turn = [ways[turn] for turn in range(turns) for ways in by_form if turn < len(ways)]
    return tuple(dict.fromkeys(in_turn))[:MOST_WAYS]


def approximated(table: Table) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return language -> word id -> ways to say it, for all words of all languages of the table."""
    speller = Speller()
    model = files("pocketsphinx").joinpath("model", "en-us", "cmudict-en-us.dict")
    english = english_phones(model.read_text("utf-8"))
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for language in table.voices:
        scheme = load_scheme("national", language)
        found[language] = {word: ways_of_word(word, scheme, table, speller, english) for word in WORD_IDS}
    return found


def written(phones: Mapping[str, Mapping[str, Sequence[str]]], provenance: str) -> str:
    """Return the text of the file, one way a line, so that differences can be read."""
    lines = [
        "# Made by `python -m speech.training.voices.sphinx_phones`; what is changed by hand is lost at its next run.",
        "",
    ]
    lines += [f'provenance = """\n{textwrap.fill(provenance, 118)}"""', "", "[spellings]", ""]
    for language, words in phones.items():
        lines.append(f"[phones.{language}]")
        for word, ways in words.items():
            lines += [f'"{word}" = [', *(f'  "{way}",' for way in ways), "]"]
        lines.append("")
    return "\n".join(lines)


@click.command()
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write there instead of into config/.")
def main(out: Path | None) -> None:
    """Approximate the words of other languages with English phones."""
    try:
        table = load_table()
        engines = ", ".join(f"{name} {version(name)}" for name in ("pocketsphinx", "espeakng-loader"))
        text = written(
            approximated(table),
            f"Proposals: eSpeak NG's phonemes ({engines}) mapped by speech/training/voices/english_phones.toml, "
            "English words "
            "from the model's own dictionary (CMU, BSD licence) first. Never compared with a human speaker; Arabic and "
            "Hebrew from vowel points that a native speaker has not reviewed.",
        )
        place = out or Path(str(files("config").joinpath("pronunciations", "pocketsphinx", _TARGET)))
        place.write_text(text, "utf-8")
    except (Complaint, OSError) as wrong:
        raise click.ClickException(str(wrong)) from None
    click.echo(f"{place} is written.")


if __name__ == "__main__":
    main()
