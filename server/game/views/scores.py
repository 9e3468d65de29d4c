"""The parts of the arbiter's picture on the scores, a claim and a reconstruction."""

from __future__ import annotations

import msgspec

from server.game.decide.endings import believed_positions
from server.game.decide.scores import offer_mark, seats_with_missing_moves
from server.game.laws.draws import occurrences, quiet_plies, with_move
from server.game.state.line import resolve
from server.game.state.state import GameState
from server.game.values.position import legal
from server.game.values.words import Seat
from server.game.views import messages as msg


def reconstruction_shown(state: GameState) -> msg.ReconstructionShown | None:
    """Return the further board; None where no reconstruction is under way."""
    work = state.scores.reconstruction
    if work is None:
        return None
    return msg.ReconstructionShown(
        snapshot=work.snapshot,
        line=work.line,
        placement=work.positions[-1].placement,
        not_legal=tuple(ply for ply, uci in enumerate(work.line, 1) if not legal(work.positions[ply - 1], uci)),
    )


def sheet_shown(state: GameState, seat: Seat) -> msg.ScoreShown:
    """Return a score: what it is kept on, where its cells come from, whether it must be completed."""
    score = state.scores.of(seat)
    return msg.ScoreShown(
        sheet=state.scores.sheet(seat).value,
        sources=tuple(cell.source if cell else None for cell in score),
        utterances=tuple(cell.utterance if cell else None for cell in score),
        owing=seat in seats_with_missing_moves(state),
        lent=state.scores.lent is seat,
    )


def offer_shown(state: GameState, ply: int) -> msg.OfferMark:
    """Return which score holds the mark of an offer."""
    return msg.OfferMark(
        ply=ply, white=offer_mark(state, Seat.WHITE, ply).value, black=offer_mark(state, Seat.BLACK, ply).value
    )


def claim_looked(state: GameState) -> msg.ClaimLooked | None:
    """Return what the record has for the claim of a draw that waits for a ruling.

    The search opens only then (11.12, L133). It covers repetition and the fifty moves, whichever was claimed. None
    where no such claim is open.
    """
    claim = state.draws.claim
    if claim is None or claim.kind in ("increment", "quickplay"):
        return None
    said = msg.ClaimLooked(seat=claim.seat, kind=claim.kind, intended=claim.text, awaits=claim.awaits)
    positions = believed_positions(state)
    if positions is None or claim.awaits:
        return said
    intended = None
    if claim.announcement is not None:
        intended = resolve(claim.announcement, positions[-1].board()).uci
        if intended is None:
            return said
    game = with_move(positions, intended)
    if game is None:
        return said
    same, quiet = occurrences(game, game[-1]), quiet_plies(game)
    return msgspec.structs.replace(said, known=True, same=same, quiet=quiet)
