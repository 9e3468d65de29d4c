"""A seat's own sound in its ear: a choice in the new way, a lost link, and the words of its own page."""

from __future__ import annotations

from server.game.views.messages import LinkShown, PressKeysShown, SoundShown
from server.protocol import ReadOut
from server.wording.aloud.says import Told, in_voice_of, says, silent
from server.wording.words import segments_of, text_in
from speech.words.scheme import Scheme

silent(PressKeysShown)


@says(SoundShown)
def _choice(message: SoundShown, scheme: Scheme) -> Told | None:
    if not message.word:
        return None
    told = ("cmd.read_keys", "cmd.no") if message.word == "no_keys" else (f"cmd.{message.word}",)
    return text_in(told, scheme), segments_of(told, scheme)


@says(LinkShown)
def _link(message: LinkShown, scheme: Scheme) -> str:
    return scheme.phrase(f"{message.what}_lost" if message.what != "line" else "line_back")


@says(ReadOut)
def _read_out(message: ReadOut) -> Told:
    return message.text, in_voice_of(message.text, message.language)
