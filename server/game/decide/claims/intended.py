"""The move to be made after a wrong claim of a draw that named an intended move (9.5.3, L111).

That move must be made in accordance with Articles 3 and 4. Where it is not legal, its piece counts as touched: another
legal move with it, or the capture of what it would have taken, must be made if there is one (4.3 to 4.5).
"""

from __future__ import annotations

import chess

from server.game.decide.draft import Draft
from server.game.laws.legality import is_legal, legal_moves
from server.game.laws.touch import Obligation, obliged_moves, touches_of_move
from server.game.state.endings import OpenClaim
from server.game.state.line import PlyRecord, fits, resolve
from server.game.state.state import GameState
from server.game.values.position import Position
from server.game.values.saying import Saying, saying

CLAIM = "9.5.3"


def moves_required(state: GameState, claim: OpenClaim) -> Obligation | None:
    """Return the moves of which one must be made because of the claim's intended move.

    None where no move was intended, or where nobody knows which piece was meant or what stood on the board. `article`
    is 9.5.3 where the intended move is legal, else that of Article 4 which leaves the moves.

    The words may leave several legal moves open: then each of them is the intended one.
    """
    position = state.position_after(claim.ply)
    if claim.announcement is None or position is None or position.turn is not claim.seat:
        return None
    board = position.board()
    fitting = tuple(move.uci() for move in legal_moves(position) if fits(claim.announcement, board, move.uci()))
    meant = resolve(claim.announcement, board)
    if meant.uci is not None and is_legal(position, meant.uci):
        fitting = (meant.uci,)
    if fitting:
        return Obligation(fitting, CLAIM, False)
    wanted = (meant.uci,) if meant.uci is not None else meant.candidates
    return _of_touched(state, claim, position, wanted)


def _of_touched(state: GameState, claim: OpenClaim, position: Position, wanted: tuple[str, ...]) -> Obligation | None:
    """Return what Article 4 leaves after illegal moves were intended, one of which the words mean."""
    kind = state.plan(claim.seat).kind
    left = [obliged_moves(position, touches_of_move(position, uci), state.table.rules, kind) for uci in wanted]
    if not left:
        return None
    bound = [one for one in left if not one.free] or left
    moves = tuple(dict.fromkeys(uci for one in bound for uci in one.moves))
    return Obligation(moves, bound[0].article, bound[0].free)


def what_must_be_made(state: GameState, claim: OpenClaim) -> Saying | None:
    """Return what the arbiter is told, beside the ruling, of the move that must be made now; None: of none."""
    if claim.announcement is None:
        return None
    required = moves_required(state, claim)
    if required is None or required.article == CLAIM:
        return saying("must_be_made", move=claim.text)
    if required.free:
        return saying("must_be_any", move=claim.text, article=required.article)
    return saying("must_be_instead", move=claim.text, what=" ".join(required.moves), article=required.article)


def tell_of_intended(draft: Draft) -> None:
    """Tell the arbiter where another move was made after a wrong claim than 9.5.3 requires."""
    must = draft.before.draws.intended
    if must is None or draft.state.draws.intended is not None:
        return
    assert must.announcement is not None
    record = next((one for one in draft.state.moves.plies[must.ply :] if one.seat is must.seat), None)
    if record is None:
        return  # taken back meanwhile (7.1)
    required = moves_required(draft.state, must)
    said = saying("intended_other", move=must.text, heard=record.text)
    if required is None:
        if record.announcement is not None and record.announcement.agrees_with(must.announcement):
            return
    elif required.free or _is_one_of(draft.state, record, required):
        return
    elif required.article != CLAIM:
        what = " ".join(required.moves)
        said = saying("intended_instead", move=must.text, what=what, article=required.article, heard=record.text)
    draft.alert("intended_not_made", record.index, said, utterance=record.utterance)


def _is_one_of(state: GameState, record: PlyRecord, required: Obligation) -> bool:
    """Return whether a move is one of those required; where it is not known, whether its words may mean one of them."""
    uci, position = state.moves.line[record.index - 1], state.position_after(record.index - 1)
    if uci is not None:
        return uci in required.moves
    if record.announcement is None or position is None:
        return False
    board: chess.Board = position.board()
    return any(fits(record.announcement, board, one) for one in required.moves)
