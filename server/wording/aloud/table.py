"""A table in the ear: where its player plays, the next game, its part in the game, the session."""

from __future__ import annotations

from server.game.values.pairing import OwnPairing
from server.game.views.messages import (
    GuidelinesShown,
    ModeShown,
    NextGameShown,
    PairingShown,
    SessionShown,
)
from server.wording.aloud.says import says
from server.wording.pages import page_words
from speech.announcements.clock_phrases import time_told
from speech.words.scheme import Scheme


@says(PairingShown)
def _pairing(message: PairingShown, scheme: Scheme) -> str:
    return pairing_text(message.pairing, scheme, changed=message.changed)


def pairing_text(pairing: OwnPairing | None, scheme: Scheme, *, changed: bool = False) -> str:
    """Return where a player plays, in the player's language; the way to the table is in the organiser's words.

    None: nothing is paired yet.
    """
    if pairing is None:
        return scheme.phrase("pairing_none")
    told = [scheme.phrase("pairing_changed")] if changed else []
    if pairing.round:
        told.append(scheme.phrase("pairing_round", round=pairing.round))
    if pairing.board:
        told.append(scheme.phrase("pairing_board", board=pairing.board))
    if pairing.opponent:
        told.append(scheme.phrase(f"pairing_{pairing.seat}", opponent=pairing.opponent))
    else:
        told.append(scheme.phrase(f"pairing_{pairing.seat}_alone"))
    if pairing.starts:
        told.append(scheme.phrase("pairing_time", time=pairing.starts))
    return " ".join([*told, pairing.way] if pairing.way else told)


@says(GuidelinesShown)
def _guidelines(message: GuidelinesShown, scheme: Scheme) -> str:
    which = "off" if not message.quickplay else "alone" if message.unsupervised else "on"
    return scheme.phrase(f"guidelines_{which}")


@says(ModeShown)
def _mode(message: ModeShown, scheme: Scheme) -> str | None:
    return page_words(scheme.listener.tag)[f"mode.{message.mode}"] if message.in_game else None


@says(NextGameShown)
def _next_game(message: NextGameShown, scheme: Scheme) -> str:
    return scheme.phrase(f"next_game_{message.seat}" if message.seat else "next_game")


@says(SessionShown)
def _session(message: SessionShown, scheme: Scheme) -> str:
    return scheme.phrase("session", time=time_told(message.length_ms, scheme.messages))
