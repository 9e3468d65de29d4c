"""A move in the ear: read back to its speaker, or the opponent's announcement in relay."""

from __future__ import annotations

from server.game.views.messages import Relayed, Understood
from server.wording.aloud.says import Told, says
from server.wording.words import segments_of, text_in
from speech.voices.voice import Segment
from speech.words.scheme import Scheme


@says(Relayed)
def _relayed(message: Relayed, scheme: Scheme) -> Told:
    return text_in(message.words, scheme), segments_of(message.words, scheme)


@says(Understood)
def _understood(message: Understood, scheme: Scheme, read_back: bool) -> Told | None:
    """Return what was heard, to a player who wants it read back; of an echo that it was taken for one."""
    if not read_back or not message.words:
        return None
    text, segments = text_in(message.words, scheme), segments_of(message.words, scheme)
    if not message.echo:
        return text, segments
    taken = scheme.phrase("echo_taken")
    return f"{taken} {text}", (Segment(taken, scheme.listener.tag), *segments)
