"""What the arbiter's picture shows of the scores and of a reconstruction; only `views` sends it, and to him alone."""

from __future__ import annotations

from server.play import events as ev
from server.play import messages as msg
from server.play.asking import lent_cells
from server.play.position import legal
from server.play.recording import offer_mark, owing
from server.play.state import GameState
from server.play.values import Role, Seat, Station


def reconstruction_shown(state: GameState) -> msg.ReconstructionShown | None:
    """The further board; None where no reconstruction is under way."""
    work = state.reconstruction
    if work is None:
        return None
    return msg.ReconstructionShown(
        snapshot=work.snapshot,
        line=work.line,
        placement=work.positions[-1].placement,
        not_legal=tuple(ply for ply, uci in enumerate(work.line, 1) if not legal(work.positions[ply - 1], uci)),
    )


def sheet_shown(state: GameState, seat: Seat) -> msg.ScoreShown:
    """A score: on what it is kept, where its cells come from, whether it must be completed."""
    score = state.score_of(seat)
    return msg.ScoreShown(
        sheet=state.sheet_of(seat).value,
        sources=tuple(cell.source if cell else None for cell in score),
        utterances=tuple(cell.utterance if cell else None for cell in score),
        owing=seat in owing(state),
        lent=state.lent is seat,
    )


def offer_shown(state: GameState, ply: int) -> msg.OfferMark:
    """Which score holds the mark of an offer."""
    return msg.OfferMark(
        ply=ply, white=offer_mark(state, Seat.WHITE, ply).value, black=offer_mark(state, Seat.BLACK, ply).value
    )


def claim_shown(event: ev.PlayConcluded, state: GameState, seat: Seat) -> msg.ClaimShown:
    """To the opponent the claimant's own board, and the score that a claim of no effort submits (III.6.1)."""
    own, kept = event.seat is seat, event.snapshot
    if own:
        return msg.ClaimShown(own=True, ground=event.ground)
    board = kept.white_board if event.seat is Seat.WHITE else kept.black_board
    score = lent_cells(state, event.seat) if event.ground == "no_effort" else ()
    return msg.ClaimShown(own=False, ground=event.ground, placement=board, score=score)


def board_to_set(
    event: ev.DeskDecided | ev.SquareAsked | ev.BoardSaidSet, station: Station
) -> msg.BoardToSet | msg.SquareToSetNow | None:
    """What the arbiter's decision asks this player to set on his own board, and its next square (D.2.9)."""
    if isinstance(event, ev.DeskDecided):
        squares = event.white if station.seat is Seat.WHITE else event.black
        return msg.BoardToSet(squares=squares) if squares else None
    if event.seat is not station.seat or station.role is not Role.PLAYER:
        return None
    if isinstance(event, ev.BoardSaidSet):
        return msg.SquareToSetNow(square=None)
    return msg.SquareToSetNow(square=event.square, should_be=event.should_be, number=event.number, of=event.of)
