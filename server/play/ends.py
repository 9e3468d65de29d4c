"""What has ended the game by itself, on the server's line: mate, stalemate, dead position, 9.6 (L043-L046, L112, L113).

For the arbiter alone (11.12, L133): nothing ends by it until he confirms. What rests on recognised words alone is grey.
"""

from __future__ import annotations

from functools import lru_cache

import chess
import msgspec

from server.play.deciding import Draft
from server.play.events import AnyEvent, BeliefRevised, Completed, GameMended, Made
from server.play.mating import Budget, dead_position
from server.play.mating.material import why_never
from server.play.position import Position
from server.play.rules.drawing import draw_by_last_move
from server.play.rules.legality import is_legal
from server.play.rules.results import lost_by
from server.play.rules.rule_set import RuleSet
from server.play.state import GameState, PlyRecord
from server.play.values import Mode, Origin

ONLY_PROOFS = Budget(nodes=0)  # material and locked men; no search, so cheap enough for every move
KIND_OF = {"9.6.1": "fivefold", "9.6.2": "seventy_five_moves"}
WORDS = {
    "checkmate": "mate on the server's board",
    "stalemate": "stalemate on the server's board",
    "dead_position": "neither side can mate by any series of legal moves",
    "fivefold": "the same position for the fifth time",
    "seventy_five_moves": "75 moves by each player without pawn move or capture",
}


class End(msgspec.Struct, frozen=True):
    """An end of the game by itself: after which ply, what it is, by which article, with which result."""

    ply: int
    kind: str
    article: str
    result: str


def believed(state: GameState) -> tuple[Position, ...] | None:
    """The positions after the made moves; None where the server has lost the thread."""
    if state.out_of_step or len(state.positions) <= state.made_plies:
        return None
    return state.positions[: state.made_plies + 1]


@lru_cache(maxsize=256)
def dead(position: Position) -> bool:
    """Whether the position is shown to be dead without any search.

    Without pawns nothing is locked in place: there the material says it, and no time is spent on walls (a player may
    not tell by the time of his press that his move was legal).
    """
    board = position.board()
    if not board.pawns:
        return all(why_never(board, color) for color in chess.COLORS)
    return dead_position(position, ONLY_PROOFS).verdict == "yes"


def _may_be_dead(board: chess.Board) -> bool:
    """No pawn can move now, or there are only kings and minor pieces: elsewhere dead positions are not looked for."""
    if not board.pawns:
        return not board.queens | board.rooks
    moves = board.generate_pseudo_legal_moves(from_mask=board.pawns)
    other = board.copy(stack=False)
    other.turn = not board.turn
    return not any(moves) and not any(other.generate_pseudo_legal_moves(from_mask=board.pawns))


def _no_move(board: chess.Board) -> bool:
    return not any(board.piece_type_at(move.to_square) != chess.KING for move in board.legal_moves)


def end_after(positions: tuple[Position, ...], rules: RuleSet, uci: str | None) -> End | None:
    """The end that the last move (UCI) brought about, None for most moves and for every illegal one (5.1.1, 5.2.1)."""
    position, ply = positions[-1], len(positions) - 1
    if ply == 0 or uci is None or not is_legal(positions[-2], uci):
        return None
    board = position.board()
    if _no_move(board):
        if board.is_check():
            return End(ply, "checkmate", "5.1.1", lost_by(position.turn))
        return End(ply, "stalemate", "5.2.1", "1/2-1/2")
    if _may_be_dead(board) and dead(position):
        return End(ply, "dead_position", "5.2.2", "1/2-1/2")
    article = draw_by_last_move(positions, rules)
    return End(ply, KIND_OF[article], article, "1/2-1/2") if article else None


def first_end(state: GameState) -> End | None:
    """The first end on the server's line, also where it is found later (9.6, L112); what came after it is void."""
    positions = believed(state)
    if positions is None:
        return None
    for ply in range(1, len(positions)):
        end = end_after(positions[: ply + 1], state.rules, state.line[ply - 1])
        if end is not None:
            return end
    return None


def rests_on_words(record: PlyRecord) -> bool:
    """Whether only recognised words say which move it was: no entry, no mend, no echo that agrees."""
    return (
        record.entered is None
        and record.mended is None
        and not (record.announcement is not None and record.echo_agrees)
    )


def grey(state: GameState, end: End) -> bool:
    """Whether an end rests on recognised words alone: on those of any ply that it counts."""
    counted = state.plies[: end.ply] if end.kind in KIND_OF.values() else state.plies[max(0, end.ply - 1) : end.ply]
    return any(rests_on_words(record) or not record.completed for record in counted)


def tell_ends(draft: Draft, events: tuple[AnyEvent, ...]) -> None:
    """Tell the arbiter of an end that a move of this command brought about, made or completed, or a mend brought out.

    A move that ends the game needs no press (6.2.1.1, L050): it is told of when it is made, grey until it is pressed.
    """
    state = draft.state
    positions = believed(state)
    if state.mode is Mode.CLOCK or positions is None or state.over:
        return
    if any(isinstance(event, GameMended) for event in events):
        end = first_end(state)
        if end is not None:
            _tell(draft, end)
        return
    plies = {event.ply for event in events if isinstance(event, Made | Completed)}
    revised = [event.ply for event in events if isinstance(event, BeliefRevised)]
    if revised:
        plies.update(range(min(revised), state.made_plies + 1))
    for ply in sorted(plies):
        if ply < len(positions):
            end = end_after(positions[: ply + 1], state.rules, state.line[ply - 1])
            if end is not None:
                _tell(draft, end)
            elif _closed(positions[ply]) and not _closed(positions[ply - 1]):
                detail = f"no pawn can move since ply {ply}; whether anybody can still mate is not shown (5.2.2, G11)"
                draft.alert("perhaps_dead", ply, detail)


def _closed(position: Position) -> bool:
    """Pawns that cannot move and only kings and minor pieces beside them: dead or not is for the arbiter to see."""
    board = position.board()
    return bool(board.pawns) and not board.queens | board.rooks and _may_be_dead(board)


def _tell(draft: Draft, end: End) -> None:
    told = draft.state.ends_told
    is_grey = grey(draft.state, end)
    if (end.kind, end.ply, is_grey) in told:
        return
    if end.kind == "dead_position" and any(kind == end.kind and ply < end.ply for kind, ply, _ in told):
        return  # once dead it stays dead: the first ply counts
    utterance = draft.state.plies[end.ply - 1].utterance if end.ply else None
    since = f"{WORDS[end.kind]} ({end.article}) since ply {end.ply}: {end.result}; what came later is void"
    draft.alert(end.kind, end.ply, since, grey=is_grey, utterance=utterance)


def void(state: GameState) -> str:
    """What the arbiter is told where the game had ended before a resignation or a flag; "" where it had not."""
    end = first_end(state)
    if end is None:
        return ""
    certain = " as heard" if grey(state, end) else ""
    return f"void{certain}: {WORDS[end.kind]} ({end.article}) since ply {end.ply}: {end.result}"


def complete_by_end(draft: Draft, result: str) -> None:
    """The last made move ended the game, so it is completed without a press (6.2.1.1, L050)."""
    state = draft.state
    positions, last = believed(state), state.ply(state.made_plies)
    if positions is None or last is None or last.completed:
        return
    end = end_after(positions, state.rules, state.line[last.index - 1])
    if end is not None and end.result == result:
        reading = state.clock.reading(draft.now)
        draft.emit(
            Completed(
                at=draft.now,
                seat=last.seat,
                ply=last.index,
                origin=Origin.INFERRED,
                white_ms=reading.white_ms,
                black_ms=reading.black_ms,
            )
        )
