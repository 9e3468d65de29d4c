"""Commands and national words of every language: none without a way to hear it, and yes never stands for no."""

from __future__ import annotations

import asyncio
import tomllib
from importlib.resources import files

import msgspec
import pytest

from speech.announcements.understand import understand, words_of_text
from speech.hearing.hearing import Hearing, recognisers
from speech.recognisers.sphinx.phones import PHONES
from speech.recognisers.sphinx.recogniser import PocketsphinxRecogniser
from speech.recognisers.vocabulary import vocabulary_of
from speech.training.voices import sphinx_phones
from speech.words.config_file import language_tags
from speech.words.language import COMMANDS
from speech.words.loading import load_scheme
from tests.speech.hearing.spoken_announcements import phrase, rendered, with_noise

VOICES = (None, "f2", "m3", "edward")


@pytest.mark.parametrize("scheme", ["d21", "national", "letters"])
@pytest.mark.parametrize("language", language_tags())
def test_every_word_of_every_scheme_can_be_heard(language: str, scheme: str) -> None:
    vocabulary = vocabulary_of(load_scheme(scheme, language))
    assert PocketsphinxRecogniser().missing(vocabulary) == ()


@pytest.mark.parametrize("language", language_tags())
def test_every_form_of_every_command_can_be_typed(language: str) -> None:
    scheme = load_scheme("d21", language)
    for command in COMMANDS:
        for form in scheme.spoken(f"cmd.{command}"):
            heard = understand(words_of_text(form, scheme))
            assert (heard.kind, heard.command) == ("command", command), form


def test_the_phones_are_what_the_tool_writes() -> None:
    """After a change of a word, a reading or the table of sounds the tool must run again."""
    kept = files("config").joinpath("pronunciations", "pocketsphinx", "approximated.toml").read_text("utf-8")
    table = msgspec.convert(tomllib.loads(sphinx_phones._TABLE.read_text("utf-8")), sphinx_phones.Table)
    made = sphinx_phones.approximated(table)
    held = tomllib.loads(kept)["phones"]
    assert {tag: {word: tuple(ways) for word, ways in words.items()} for tag, words in held.items()} == made


@pytest.mark.parametrize(
    ("phonemes", "ways"),
    [
        ("nɛm", ("N EH M", "N AE M")),
        ("ʃɑkː", ("SH AO K", "SH AA K")),
        ("ɑnnɑ", ("AO N AO", "AA N AA")),
        ("loʔ", ("L OW", "L AO")),
    ],
)
def test_sounds_become_the_nearest_phones(phonemes: str, ways: tuple[str, ...]) -> None:
    table = msgspec.convert(tomllib.loads(sphinx_phones._TABLE.read_text("utf-8")), sphinx_phones.Table)
    assert sphinx_phones.ways_of(phonemes, table.phones) == ways
    assert all(PHONES.issuperset(way.split()) for choices in table.phones.values() for way in choices)


@pytest.mark.parametrize(
    ("engine", "voices"),
    [
        ("auto", VOICES[:1]),
        *(pytest.param(*one, marks=pytest.mark.thorough) for one in (("own", VOICES[:2]), ("auto", VOICES[1:]))),
    ],
)
@pytest.mark.parametrize("language", language_tags())
def test_yes_and_no_never_stand_for_each_other(language: str, engine: str, voices: tuple[str | None, ...]) -> None:
    """Clean and in noise, by one ear and by all: what is not the word itself is asked again or was nothing."""
    scheme = load_scheme("d21", language)
    spoken = [(word, voice) for word in ("cmd.yes", "cmd.no") for voice in voices]

    async def verdicts() -> list[tuple[str, str, str | None]]:
        sounds = await rendered([phrase((word,), scheme, voice) for word, voice in spoken])
        hearing = Hearing(recognisers(engine), patient=True)
        await hearing.start()
        try:
            found: list[tuple[str, str, str | None]] = []
            for (word, _), clean in zip(spoken, sounds, strict=True):
                for pcm in (clean, with_noise(clean, 10.0)):
                    verdict = await hearing.hear(pcm, scheme)
                    found.append((word.removeprefix("cmd."), verdict.verdict, verdict.heard.command))
            return found
        finally:
            await hearing.close()

    found = asyncio.run(verdicts())
    assert len(found) == 2 * len(spoken)
    opposite = {"yes": "no", "no": "yes"}
    taken = [(said, command) for said, verdict, command in found if verdict in ("accept", "confirm")]
    assert not [said for said, command in taken if command == opposite[said]]
    # A command has no read-back: it is taken beyond doubt or not at all.
    assert not [one for one in found if one[1] == "confirm" and one[2] is not None]
