"""Commands and national words of every language: none without a way to hear it, and yes never stands for no."""

from __future__ import annotations

from pathlib import Path

import pytest

from speech.announcements.understand import understand, words_of_text
from speech.hearing.hearing import Hearing
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.vocabulary import vocabulary_of
from speech.recognisers.whisper.recogniser import WhisperRecogniser
from speech.words.config_file import language_tags
from speech.words.language import COMMANDS
from speech.words.loading import load_scheme
from tests.speech.hearing.spoken_announcements import heard_by, phrase, rendered, with_noise

VOICES = (None, "f2", "m3", "edward")


@pytest.mark.parametrize("scheme", ["d21", "national", "letters"])
@pytest.mark.parametrize("language", language_tags())
async def test_every_word_of_every_scheme_can_be_heard_by_both_ears(language: str, scheme: str) -> None:
    vocabulary = vocabulary_of(load_scheme(scheme, language))
    assert await OwnRecogniser().missing(vocabulary) == ()
    assert WhisperRecogniser(Path("needs no model")).missing(vocabulary) == ()


@pytest.mark.parametrize("language", language_tags())
def test_every_form_of_every_command_can_be_typed(language: str) -> None:
    scheme = load_scheme("d21", language)
    for command in COMMANDS:
        for form in scheme.forms_spoken(f"cmd.{command}"):
            heard = understand(words_of_text(form, scheme))
            assert (heard.kind, heard.command) == ("command", command), form


@pytest.mark.parametrize(
    ("engine", "voices"),
    [
        ("auto", VOICES[:1]),
        *(pytest.param(*one, marks=pytest.mark.thorough) for one in (("own", VOICES[:2]), ("auto", VOICES[1:]))),
    ],
)
@pytest.mark.parametrize("language", language_tags())
@pytest.mark.asyncio(loop_scope="session")
async def test_yes_and_no_never_stand_for_each_other(
    ears: Hearing, language: str, engine: str, voices: tuple[str | None, ...]
) -> None:
    """Clean and in noise, by one ear and by all: what is not the word itself is asked again or was nothing."""
    scheme = load_scheme("d21", language)
    spoken = [(word, voice) for word in ("cmd.yes", "cmd.no") for voice in voices]
    sounds = await rendered([phrase((word,), scheme, voice) for word, voice in spoken])
    hearing = heard_by(ears, engine)
    found: list[tuple[str, str, str | None]] = []
    for (word, _), clean in zip(spoken, sounds, strict=True):
        for pcm in (clean, with_noise(clean, 10.0)):
            verdict = await hearing.hear(pcm, scheme)
            found.append((word.removeprefix("cmd."), verdict.verdict, verdict.heard.command))
    assert len(found) == 2 * len(spoken)
    opposite = {"yes": "no", "no": "yes"}
    taken = [(said, command) for said, verdict, command in found if verdict in ("accept", "confirm")]
    assert not [said for said, command in taken if command == opposite[said]]
    # A command has no read-back: it is taken beyond doubt or not at all.
    assert not [one for one in found if one[1] == "confirm" and one[2] is not None]
