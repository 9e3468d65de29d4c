"""Priority of a message in an ear: how urgent it is, how long it may wait, and which older one it replaces."""

from __future__ import annotations

from server.game.state.clock import COUNTED_S
from server.game.views.messages import (
    AnswerGiven,
    AnyMessage,
    ClockSetting,
    LinkShown,
    Question,
    Relayed,
    SquareToSetNow,
    TimeCue,
    Understood,
)
from server.protocol import ReadOut, SealedWords
from speech.channels.ear import LINE_BACK, Kind

COUNT_GOOD_MS, CUE_GOOD_MS, TIME_GOOD_MS = 900, 3_000, 5_000
"""How late a time may be told: a second of the count, another cue, an answer."""


def kind_of(message: AnyMessage | SealedWords | ReadOut) -> Kind:
    """Return how urgent a message is to an ear."""
    match message:
        case Relayed():
            return Kind.ANNOUNCEMENT
        case LinkShown():
            return Kind.LINK
        case Understood():
            return Kind.READ_BACK
        case TimeCue():
            return Kind.CUE
        case ReadOut():
            return Kind.PAGE
    # A ruling and a fallen flag too: they stay true, and are said again where something cut them off.
    return Kind.ANSWER


def good_for_ms(message: AnyMessage | SealedWords | ReadOut) -> int | None:
    """Return how long after it was put into sound a message may still begin.

    None: it does not grow old. A question is asked, and said again, while a yes counts.
    """
    match message:
        case Question(within_ms=int() as within_ms):
            return within_ms
        case TimeCue():
            return cue_good_ms(message)
        case AnswerGiven() if message.own_ms is not None or message.opponent_ms is not None:
            return TIME_GOOD_MS
    return None


def cue_good_ms(cue: TimeCue) -> int:
    """Return how long after its moment a cue may still begin."""
    return COUNT_GOOD_MS if cue.left_s <= COUNTED_S else CUE_GOOD_MS


def about(message: AnyMessage | SealedWords | ReadOut) -> str:
    """Return the subject on which a newer message replaces an older one that has not begun.

    "" where each message is said.
    """
    match message:
        case LinkShown(what="line"):
            return LINE_BACK
        case TimeCue():
            return "cue"
        case AnswerGiven():
            return message.what
        case ClockSetting(stage="asked"):
            return "clock choice"  # the player has said no to the one before
        case SquareToSetNow():
            return "square to set"
        case ReadOut():
            return "page"
    return ""


def asks(message: AnyMessage | SealedWords | ReadOut) -> str:
    """Return what a player is asked by this (`Phrase.asks`); "" for nothing."""
    match message:
        case Question(within_ms=None):
            return "words"
        case Question():
            return "consent"
    return ""


def is_step(message: AnyMessage | SealedWords | ReadOut) -> bool:
    """Return whether a player answers this with a yes or a no, and another may follow it: a setting, or a square.

    Nothing more of it is said once it is answered: that yes would be one to what follows.
    """
    match message:
        case ClockSetting(stage="asked") | SquareToSetNow(square=str()):
            return True
    return False
