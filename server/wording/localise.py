"""A message leaves the server in the spelling and language of its receiver; no view changes by that."""

from __future__ import annotations

from functools import partial

import msgspec

from server.game.state.state import GameState
from server.game.values.words import Role, Station
from server.game.views.messages import (
    AnswerGiven,
    AnyMessage,
    ClaimShown,
    LawRead,
    NotDone,
    PositionTold,
    Question,
    Recorded,
    Relayed,
    Understood,
)
from server.wording.aloud.endings import claim_text
from server.wording.aloud.positions import explored_told, position_text
from server.wording.aloud.questions import answer_text, either_asked
from server.wording.details import told_of
from server.wording.laws import law_words
from server.wording.refusals import sentence
from server.wording.typed import scheme_read
from server.wording.words import scheme_for, text_in
from speech.words.scheme import Scheme


def readers_scheme(state: GameState, station: Station, language: str = "") -> Scheme:
    """Return the words that a station reads: its seat's, but an assistant's in the `language` of their own page."""
    if station.role is Role.ASSISTANT:
        return scheme_read(state, station.seat, language)
    return scheme_for(state, station.seat)


def in_readers_words(message: AnyMessage, state: GameState, station: Station, language: str = "") -> AnyMessage:
    """Return the same message in the listener's spelling, with what only this side knows filled in.

    `language`: of the station's page, as `readers_scheme` takes it.
    """
    if isinstance(message, Recorded):
        return msgspec.structs.replace(message, told=told_of(message.event))
    scheme = partial(readers_scheme, state, station, language)
    if isinstance(message, AnswerGiven) and message.placement:
        text = position_text(message.placement, scheme(), by_square=message.what == "set_up")
        return msgspec.structs.replace(message, text=text)
    if isinstance(message, AnswerGiven) and message.what in ("help", "article", "pairing"):
        return msgspec.structs.replace(message, text=answer_text(message, scheme()))
    if isinstance(message, NotDone):
        text = sentence(message.code, message.article, scheme().language)
        return msgspec.structs.replace(message, text=text)
    if isinstance(message, ClaimShown) and message.placement:
        return msgspec.structs.replace(message, text=claim_text(message, scheme()))
    if isinstance(message, PositionTold):
        return msgspec.structs.replace(message, text=explored_told(message, scheme())[0])
    if isinstance(message, Question) and message.either:
        answers = tuple(text_in(words, scheme()) for words in message.either)
        text = either_asked(message, scheme())[0] if message.ask == "either" else message.text
        return msgspec.structs.replace(message, text=text, answers=answers)
    if isinstance(message, LawRead) and station.seat is not None:
        text, tag = law_words(message.article, state.table.rule_set, scheme().language)
        return msgspec.structs.replace(message, text=text, language=tag)
    if isinstance(message, Relayed | Understood | AnswerGiven) and station.seat is not None and message.words:
        text = text_in(message.words, scheme())
        return msgspec.structs.replace(message, text=text)
    return message
