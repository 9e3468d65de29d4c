"""Every form of every command as eSpeak NG's voice of its language says it, and what our own model makes of it."""

from __future__ import annotations

from typing import NamedTuple

from speech.announcements.understand import understand
from speech.hearing.settings import load_hearing
from speech.hearing.verdict import judge_utterance
from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.recogniser import Recogniser
from speech.recognisers.vocabulary import vocabulary_of
from speech.training.voices.readings import load_readings, texts_of_word
from speech.voices.voice import Manner, Segment
from speech.words.language import COMMANDS
from speech.words.loading import load_scheme
from speech.words.said import Heard
from tests.speech.hearing.spoken_announcements import rendered
from tests.speech.words.test_commands_unlike import BINDING as BINDING

SPEAKERS = (None, "m3")
"""Neither is reserved for measuring."""


class Form(NamedTuple):
    """A form of a command, and the text from which the voice says it right."""

    command: str
    form: str
    text: str


class HeardForm(NamedTuple):
    """`best`: the first choice (a command, the words of a move, "" for nothing). `taken`: what it is taken for."""

    form: Form
    speaker: str | None
    best: str
    taken: str

    @property
    def right(self) -> bool:
        return self.best == self.form.command


def forms_of(language: str) -> list[Form]:
    scheme, readings = load_scheme("d21", language), load_readings()
    return [
        Form(command, form, text)
        for command in COMMANDS
        for form, text in texts_of_word(f"cmd.{command}", scheme, readings).items()
    ]


async def heard(language: str, said: list[tuple[Form, str | None]], own: Recogniser | None = None) -> list[HeardForm]:
    """Give what our own model hears where all of a table's words may be said, each form by its speaker, without noise.

    `own`: our own model, started; None: one is started for these.
    """
    if own is None:
        own = OwnRecogniser()
        try:
            await own.start()
            return await heard(language, said, own)
        finally:
            await own.close()
    scheme, settings = load_scheme("d21", language), load_hearing()
    sounds = await rendered([([Segment(form.text, language)], Manner(speaker, 0.85)) for form, speaker in said])
    vocabulary, found = vocabulary_of(scheme), []
    for (form, speaker), sound in zip(said, sounds, strict=True):
        hypotheses = await own.recognise(sound, vocabulary)
        best = understand(hypotheses.ranked[0].ids) if hypotheses.ranked else None
        verdict = judge_utterance((hypotheses,), settings)
        taken = verdict.heard if verdict.verdict in ("accept", "confirm") else None
        found.append(HeardForm(form, speaker, *(_told(one) for one in (best, taken))))
    return found


def _told(heard: Heard | None) -> str:
    return "" if heard is None else heard.command or " ".join(heard.words)
