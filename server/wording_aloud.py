"""What is spoken beside the players' ears: public announcements into the room, alerts and answers to the arbiter."""

from __future__ import annotations

from server.page_words import page_words
from server.play import events as ev
from server.play.messages import AnswerGiven, AnyMessage, Ended, Recorded, SessionShown, Shown
from server.wording import segments_of, spoken, text_in
from speech.scheme import Scheme
from speech.telling_time import time_told
from speech.voices.voice import Segment


def into_room(message: AnyMessage, scheme: Scheme) -> tuple[str, tuple[Segment, ...]] | None:
    """What a display shows, said: the last completed move, a session's length, the result. None for all else."""
    match message:
        case Shown() if message.words:
            return text_in(message.words, scheme), segments_of(message.words, scheme)
        case SessionShown():
            text = scheme.messages.text("say.session", time=time_told(message.length_ms, scheme.messages))
            return text, (Segment(text, scheme.listener.tag),)
        case Ended():
            return spoken(message, scheme, read_back=False)
    return None


def to_arbiter(message: AnyMessage, scheme: Scheme) -> tuple[str, tuple[Segment, ...]] | None:
    """An alert in the words of his page, and what he has asked. None for all else that is recorded."""
    tongue = scheme.listener.tag
    match message:
        case Recorded(event=ev.Alerted() as alert):
            words = page_words(tongue)
            parts = [words.get(f"alert.{alert.kind}", alert.kind.replace("_", " "))]
            if alert.ply:
                parts.append(words["at_ply"].replace("{ply}", str(alert.ply)))
            if alert.grey:
                parts.append(words["as_heard"])
            text = ", ".join(parts) + "."
            return text, (Segment(text, tongue),)
        case AnswerGiven():
            return spoken(message, scheme, read_back=False)
    return None
