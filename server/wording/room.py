"""This puts into words what is spoken publicly to the room, and what is said to the arbiter alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.game import acts as ev
from server.game.values.words import Seat
from server.game.views.messages import AnswerGiven, AnyMessage, Ended, Recorded, SessionShown, Shown
from server.wording.details import told
from server.wording.pages import page_words
from server.wording.positions import squares_told
from server.wording.words import segments_of, spoken, text_in
from speech.announcements.clock_phrases import time_told
from speech.voices.voice import Segment
from speech.words.scheme import Scheme


def into_room(message: AnyMessage, scheme: Scheme) -> tuple[str, tuple[Segment, ...]] | None:
    """Return what is said of a message that a display shows; None for all else.

    That is the last completed move, a session's length, and the result.
    """
    match message:
        case Shown() if message.words:
            return text_in(message.words, scheme), segments_of(message.words, scheme)
        case SessionShown():
            text = scheme.messages.text("say.session", time=time_told(message.length_ms, scheme.messages))
            return text, (Segment(text, scheme.listener.tag),)
        case Ended():
            return spoken(message, scheme, read_back=False)
    return None


def to_arbiter(
    message: AnyMessage, scheme: Scheme, article: str = "", offers: Sequence[tuple[str, Seat | None]] = ()
) -> tuple[str, tuple[Segment, ...]] | None:
    """Return what is said to the arbiter about a message; None for all else.

    An alert in the words of the arbiter's page, answers to the arbiter, the steps of a reconciliation. `article`: what
    an alert is about; `offers`: the names of the acts that settle it, and whom each is about.
    """
    tongue = scheme.listener.tag
    match message:
        case Recorded(event=ev.Alerted() as alert):
            words = page_words(tongue)
            parts = [words.get(f"alert.{alert.kind}", alert.kind.replace("_", " "))]
            if alert.ply:
                parts.append(words["at_ply"].replace("{ply}", str(alert.ply)))
            if alert.grey:
                parts.append(words["as_heard"])
            said = [", ".join(parts) + ".", _details(alert, parts[0], tongue, article)]
            said.append(scheme.messages.text("alert_ear.article", article=article) if article else "")
            acts = [words[f"settle.{name}"] + (f": {words[who.value]}" if who else "") for name, who in offers]
            said.append(scheme.messages.text("alert_ear.acts", acts="; ".join(acts)) if acts else "")
            text = " ".join(filter(None, said))
            return text, (Segment(text, tongue),)
        case Recorded(event=ev.DeskDecided() as decided):
            return _decided(decided, scheme) if decided.kind != "mend" else None
        case Recorded(event=ev.BoardsToSet() as told):
            return _squares(told, scheme)
        case Recorded(event=event) if isinstance(event, ev.DESK_EVENTS):
            text = _desk_step(event, scheme)
            return (text, (Segment(text, tongue),)) if text else None
        case AnswerGiven():
            return spoken(message, scheme, read_back=False)
    return None


def _details(alert: ev.Alerted, name: str, language: str, article: str) -> str:
    """Return what an alert says beside its name; "" where that is nothing more, or where it is none of our sentences.

    Where an article is said after it, the one in brackets at its end is left out.
    """
    if alert.said is None:
        return ""
    text = told(alert.said, language).rstrip(".")
    if article:
        text = re.sub(r" \([^()]*\)$", "", text)
    return "" if text.casefold() == name.casefold() else f"{text}."


def _desk_step(event: ev.AnyEvent, scheme: Scheme) -> str:
    """Return a step of a reconciliation and what comes next (D.2.9).

    "" where the arbiter did the step by hand and needs no word of it.
    """

    def said(key: str, **places: object) -> str:
        return scheme.messages.text(f"desk.{key}", **places)

    match event:
        case ev.DeskOpened():
            return said("opened")
        case ev.BoardRead():
            return said("read", who=said(event.board.value))
        case ev.BoardSaidSet():
            return said("said_set", who=said(event.seat.value))
        case ev.BoardConfirmed():
            return said("confirmed", who=said(event.board.value))
        case ev.DeskClosed():
            return said("go_on" if event.reason == "confirmed" else "closed")
    return ""


def _decided(decided: ev.DeskDecided, scheme: Scheme) -> tuple[str, tuple[Segment, ...]]:
    """Return the decision, and what each player sets, in the words of the squares."""
    texts = scheme.messages
    if decided.kind == "back":
        opening = texts.text("desk.back", ply=decided.ply)
    else:
        opening = texts.text("desk.adjust" if decided.times in ("", "leave") else "desk.adjust_times")
    text, segments = _squares(decided, scheme)
    return f"{opening} {text}", (Segment(opening, scheme.listener.tag), *segments)


def _squares(boards: ev.DeskDecided | ev.BoardsToSet, scheme: Scheme) -> tuple[str, tuple[Segment, ...]]:
    """Return what each player sets."""
    texts = scheme.messages
    told: list[str] = []
    segments: list[Segment] = []
    for seat, squares in zip(Seat, (boards.white, boards.black), strict=True):
        who = texts.text(f"desk.{seat.value}")
        if squares:
            text, said = squares_told(squares, scheme, texts.text("desk.to_set", who=who))
        else:
            text = texts.text("desk.nothing", who=who)
            said = (Segment(text, scheme.listener.tag),)
        told.append(text)
        segments += said
    return " ".join(told), tuple(segments)
