"""The microphone that goes to the arbiter alone: what its player says is no announcement, no echo and no move.

While a claim is open, nothing that its claimant says may reach the opponent (9.2.1, L104): the intended move is not
said aloud. The messages and numbers of everybody else are the same whether he spoke or not.
"""

from __future__ import annotations

from server.game.acts.commands import Say
from server.game.acts.events import SaidToArbiter
from server.game.decide.claims.draws import state_intended
from server.game.decide.draft import Draft
from server.game.state.state import GameState
from server.game.values.words import Seat


def private_ear(state: GameState, seat: Seat) -> bool:
    """Whether what this seat says or enters goes to the arbiter alone."""
    return state.claim is not None and state.claim.seat is seat


def tell_arbiter(draft: Draft, seat: Seat, said: Say) -> None:
    """Take words of such a seat into the record: the intended move where it is awaited, else words for the arbiter."""
    claim = draft.state.claim
    awaited = claim is not None and claim.seat is seat and claim.awaits
    if awaited and said.announcement is not None and said.announcement.complete:
        state_intended(draft, seat, said.announcement, said.words, said.text, said.utterance)
        return
    draft.emit(
        SaidToArbiter(
            at=draft.now,
            seat=seat,
            announcement=said.announcement,
            words=said.words,
            text=said.text,
            unclear=said.unclear,
            utterance=said.utterance,
        )
    )
