"""The ends of a game by itself, and the question whether a player can ever mate.

The ends are mate, stalemate, dead position and 9.6 (L043-L046, L112, L113). They are told to the arbiter alone (11.12,
L133): nothing ends by them until the arbiter confirms. What rests on recognised words alone is grey.

Whether a player can ever mate is asked without looking and answered outside the decision (5.1.2, 6.9, 7.5.5). No search
runs while a command waits: how long a player waits for an answer may not depend on the position.
"""

from __future__ import annotations

from functools import lru_cache

import chess
import msgspec

from server.game.acts import (
    AnyEvent,
    BeliefRevised,
    Completed,
    DrawAnswered,
    EvidenceOpened,
    GameEnded,
    GameMended,
    IrregularityRuled,
    LineSettled,
    Made,
    MateAnswered,
    MateAsked,
    TouchRuled,
)
from server.game.decide.draft import Draft
from server.game.decide.touch import obligation_of
from server.game.laws.draws import draw_by_last_move
from server.game.laws.legality import is_legal
from server.game.laws.results import RESULTS, lost_by
from server.game.laws.rule_set import RuleSet
from server.game.mating import Budget, dead_position
from server.game.mating.answer import why_never
from server.game.state.line import PlyRecord
from server.game.state.state import GameState
from server.game.values.position import Position
from server.game.values.saying import Saying, join_sayings, saying
from server.game.values.words import Mode, Origin, Seat

ONLY_PROOFS = Budget(nodes=0)  # material and locked men; no search, so cheap enough for every move
KIND_OF = {"9.6.1": "fivefold", "9.6.2": "seventy_five_moves"}
WORDS = {
    "checkmate": saying("mate_stands"),
    "stalemate": saying("stalemate_stands"),
    "dead_position": saying("dead_stands"),
    "fivefold": saying("fifth_time"),
    "seventy_five_moves": saying("moves_75"),
}


BY_A_MOVE = ("checkmate", "stalemate", "dead_position")  # ended by a move that accords with Articles 3 and 4.2 to 4.7
ENDS_AT_ONCE = ("resigned", "time_claimed", "flag_called", "flags_called")  # no move made after one of these counts


class End(msgspec.Struct, frozen=True):
    """End of the game by itself: after which ply, what it is, by which article, with which result.

    `doubt`: why the move may not have been
    made according to Articles 3 and 4.2 to 4.7, as 5.1.1, 5.2.1 and 5.2.2 require; None where nothing on record speaks
    against it.
    """

    ply: int
    kind: str
    article: str
    result: str
    doubt: Saying | None = None

    @property
    def since(self) -> Saying:
        """Return the sentence on the end: its kind, since when, with which result, and what speaks against it."""
        what = WORDS[self.kind]
        found = saying("end_since", what=what, article=self.article, ply=self.ply, result=self.result)
        return saying("end_doubted", end=found, why=self.doubt) if self.doubt else found


def believed_positions(state: GameState) -> tuple[Position, ...] | None:
    """Return the positions after the made moves; None where the server does not know the game any more."""
    if state.moves.out_of_step or len(state.moves.positions) <= state.made_plies:
        return None
    return state.moves.positions[: state.made_plies + 1]


@lru_cache(maxsize=256)
def _walled_off(position: Position) -> bool:
    """Return whether the position is shown to be dead behind its pawns without any search."""
    return dead_position(position, ONLY_PROOFS).verdict == "yes"


def _pawns_stand(board: chess.Board) -> bool:
    """Return whether there are pawns and no pawn of either side can move now.

    Elsewhere nothing is locked in place, and no time is spent on looking at walls: a player must not learn from the
    time a press takes that the move was legal.
    """
    other = board.copy()
    other.turn = not board.turn
    return bool(board.pawns) and not any(
        any(one.generate_pseudo_legal_moves(from_mask=one.pawns)) for one in (board, other)
    )


def _leaves_bare(board: chess.Board, move: chess.Move) -> bool:
    """Return whether a move leaves too few men for anybody ever to mate.

    Where every legal move does that, the position is dead.
    """
    after = board.copy()
    after.push(move)
    return all(why_never(after, color) for color in chess.COLORS)


def end_after(positions: tuple[Position, ...], rules: RuleSet, uci: str | None) -> End | None:
    """Return the end that the last move (UCI) brought about (5.1.1, 5.2.1).

    None for most moves, for every illegal one, and for one that was made in a position the server does not know.
    """
    position, ply = positions[-1], len(positions) - 1
    if uci is None or not positions[-2].known or not position.known or not is_legal(positions[-2], uci):
        return None
    board = position.board()
    if not any(board.legal_moves):
        if board.is_check():
            return End(ply, "checkmate", "5.1.1", lost_by(position.turn))
        return End(ply, "stalemate", "5.2.1", "1/2-1/2")
    forced = all(_leaves_bare(board, move) for move in board.legal_moves)
    if forced or (_pawns_stand(board) and _walled_off(position)):
        return End(ply, "dead_position", "5.2.2", "1/2-1/2")
    article = draw_by_last_move(positions, rules)
    return End(ply, KIND_OF[article], article, "1/2-1/2") if article else None


def first_end(state: GameState, through: int | None = None) -> End | None:
    """Return the first end on the server's line, even where it is found later (9.6, L112).

    What came after it is void. It also counts where a later move is not known, such as a press of the player who was
    mated. `through`: the last ply that was made when something else ended the game; a move made after that ends
    nothing.
    """
    if state.moves.out_of_step:
        return None
    positions = state.moves.positions[: (state.made_plies if through is None else min(through, state.made_plies)) + 1]
    for ply in range(1, len(positions)):
        end = end_after(positions[: ply + 1], state.table.rules, state.moves.line[ply - 1])
        if end is not None:
            return _with_doubt(state, end)
    return None


def _with_doubt(state: GameState, end: End) -> End:
    """Return the end with what speaks against its move.

    That is what was touched before it (4.3 to 4.7), or a queen that was forced.
    """
    uci, record = state.moves.line[end.ply - 1], state.moves.plies[end.ply - 1]
    if end.kind not in BY_A_MOVE or uci is None:
        return end
    if (end.ply, record.seat) in state.rulings.ruled and record.mended == uci and not _named_by_player(record):
        return msgspec.structs.replace(end, doubt=saying("queen_forced", uci=uci[:4]))
    obligation = obligation_of(state, end.ply)
    if obligation is None or obligation.free or uci in obligation.moves:
        return end
    doubt = saying("touch_leaves", uci=uci, what=" ".join(obligation.moves), article=obligation.article)
    return msgspec.structs.replace(end, doubt=doubt)


def _named_by_player(record: PlyRecord) -> bool:
    """Return whether the player, and nobody else, named or set down the piece for the pawn."""
    said = record.announcement is not None and record.announcement.promotion is not None
    return said or (record.entered is not None and len(record.entered) > len("e7e8"))


def is_from_speech_only(state: GameState, end: End) -> bool:
    """Return whether an end rests on recognised words alone, in any ply that it counts."""
    counted = state.moves.plies[: end.ply] if end.kind in KIND_OF.values() else (state.moves.plies[end.ply - 1],)
    return any(record.rests_on_words or not record.completed for record in counted)


ENDS_MAY_CHANGE = (
    GameMended,
    LineSettled,
    TouchRuled,
    EvidenceOpened,
    IrregularityRuled,
    Made,
    Completed,
    BeliefRevised,
)


def tell_ends(draft: Draft) -> None:
    """Tell the arbiter of an end that this command brought about.

    A move was made or completed, or a correction of the line revealed it. A move that ends the game needs no press
    (6.2.1.1, L050): it is told of when it is made, and is grey until it is pressed. Where the arbiter rules on a touch,
    it is told again if the ruling speaks for or against the move.
    """
    state, events = draft.state, draft.done()
    if state.over:
        _tell_of_other_result(draft, events)
        return
    if not any(isinstance(event, ENDS_MAY_CHANGE) for event in events):
        return
    positions = believed_positions(state)
    if state.table.mode is Mode.CLOCK or positions is None:
        return
    if any(isinstance(event, GameMended | LineSettled) for event in events):
        end = first_end(state)
        if end is not None:
            _tell(draft, end)
        return
    if any(isinstance(event, TouchRuled | EvidenceOpened | IrregularityRuled) for event in events):
        end, known = first_end(state), first_end(draft.before)
        if end is not None and known is not None and end.doubt != known.doubt:
            _tell(draft, end, again=True)
        return
    plies = {event.ply for event in events if isinstance(event, Made | Completed)}
    revised = min((event.ply for event in events if isinstance(event, BeliefRevised)), default=len(positions))
    for ply, position in enumerate(positions[1 : _ended_at_once(state) + 1], 1):
        if ply in plies or ply >= revised:
            end = end_after(positions[: ply + 1], state.table.rules, state.moves.line[ply - 1])
            if end is not None:
                _tell(draft, _with_doubt(state, end))
            elif _is_closed(position) and not _is_closed(positions[ply - 1]):
                draft.alert("perhaps_dead", ply, saying("perhaps_dead", ply=ply))


def _ended_at_once(state: GameState) -> int:
    """Return the last ply that was made when a resignation or a flag ended the game.

    That also holds while the question who can still mate has no answer yet. Where play has gone on since, it is the
    last ply of all.
    """
    if state.ending.resigned is None and state.ending.flag_seen is None:
        return state.made_plies
    return min((one.ply for one in state.ending.mate_questions if one.why in ENDS_AT_ONCE), default=state.made_plies)


def _tell_of_other_result(draft: Draft, events: tuple[AnyEvent, ...]) -> None:
    """Tell the arbiter where a result was given although the game had ended before with another one.

    See 5.1.1, 8.7.
    """
    given = [event.result for event in events if isinstance(event, GameEnded) and event.result in RESULTS]
    if not given or any(isinstance(event, DrawAnswered | MateAnswered) for event in events):
        return  # an agreement and a resignation look at what came before them
    state, on_record = draft.state, saying("on_record", result=given[-1])
    end, announced = first_end(state), announced_end(state, announced_ply(state))
    if end is not None and end.result != given[-1]:
        tell_void(draft, end, on_record)
    elif end is None and announced is not None and announced.result != given[-1]:
        tell_announced_end(draft, announced, on_record)


def _is_closed(position: Position) -> bool:
    """Return whether no pawn can move and there are only kings and minor pieces besides.

    Whether the position is dead is then for the arbiter to see. No position that the server does not know is closed.
    """
    if not position.known:
        return False
    board = position.board()
    return not board.queens | board.rooks and _pawns_stand(board)


def _tell(draft: Draft, end: End, *, again: bool = False) -> None:
    told = draft.state.rulings.ends_told
    is_grey = is_from_speech_only(draft.state, end)
    if (end.kind, end.ply, is_grey) in told and not again:
        return
    if end.kind == "dead_position" and any(kind == end.kind and ply < end.ply for kind, ply, _ in told):
        return  # a dead position stays dead: the first ply counts
    utterance = draft.state.moves.plies[end.ply - 1].utterance
    said = saying("ended_if" if end.doubt else "ended_since", end=end.since)
    draft.alert(end.kind, end.ply, said, grey=is_grey, utterance=utterance)


def announced_ply(state: GameState) -> int:
    """Return the ply that is announced and not made yet; 0 where there is none.

    At the tactile board it may already be made: the server does not see the pieces (D.2.3).
    """
    return 0 if state.ply(state.ply_to_make) is None else state.ply_to_make


def announced_end(state: GameState, ply: int) -> End | None:
    """Return the end that the announced move of this ply brings about; None for ply 0."""
    if ply == 0 or state.moves.out_of_step or state.position_after(ply) is None:
        return None
    end = end_after(state.moves.positions[: ply + 1], state.table.rules, state.moves.line[ply - 1])
    return None if end is None else _with_doubt(state, end)


def never_mates_after(state: GameState, ply: int, winner: Seat, article: str) -> Saying | None:
    """Return the arbiter's sentence where this player can never mate once the announced move of a ply is made.

    Only the men left are looked at (5.1.2, 6.9). None for ply 0, and where the men do not exclude every mate.
    """
    before, after = state.position_after(ply - 1), state.position_after(ply)
    if state.moves.out_of_step or before is None or after is None:
        return None
    uci = state.moves.line[ply - 1]
    if uci is None or not is_legal(before, uci):
        return None
    never = why_never(after.board(), chess.WHITE if winner is Seat.WHITE else chess.BLACK) is not None
    return saying("announced_never", who=winner, article=article) if never else None


def end_in_question(end: End) -> Saying:
    """Return the arbiter's question of an announced end: was its move made before what came then (5.1.1, 5.2.1)?"""
    return saying("announced_before", end=end.since)


def tell_announced_end(draft: Draft, end: End, what: Saying) -> None:
    """Tell the arbiter that a move was announced which ends the game, before what was now said, agreed or claimed."""
    draft.alert("ended_before", end.ply, join_sayings(what, end_in_question(end)))


def void(state: GameState, through: int | None = None) -> Saying | None:
    """Return the sentence for the arbiter where the game had ended before a resignation or a flag.

    None where it had not.
    """
    end = first_end(state, through)
    return None if end is None else _void(state, end)


def _void(state: GameState, end: End) -> Saying:
    if is_from_speech_only(state, end):
        return saying("void_heard_if" if end.doubt else "void_heard", end=end.since)
    return saying("void_if" if end.doubt else "void", end=end.since)


def tell_void(draft: Draft, end: End, what: Saying) -> None:
    """Tell the arbiter that the game had ended before what was now said, agreed or ruled."""
    draft.alert(
        "ended_before", end.ply, join_sayings(what, _void(draft.state, end)), grey=is_from_speech_only(draft.state, end)
    )


def complete_by_end(draft: Draft, result: str, *, by: tuple[str, str] = ("", "")) -> None:
    """Complete the last move without a press where it ended the game (6.2.1.1, L050).

    A move that was only announced was made where the arbiter rules that it ended the game. `by`: the article and the
    reason of the result.
    """
    state = draft.state
    announced = announced_end(state, announced_ply(state))
    if announced is not None and announced.result == result and (announced.article in by or announced.kind in by):
        draft.make(announced.ply, Origin.INFERRED)
        state = draft.state
    positions, last = believed_positions(state), state.ply(state.made_plies)
    if positions is None or last is None or last.completed:
        return
    end = end_after(positions, state.table.rules, state.moves.line[last.index - 1])
    if end is not None and end.result == result:
        complete_unpressed(draft, last)


def complete_unpressed(draft: Draft, last: PlyRecord) -> None:
    """Complete the last move of the game without a press (6.2.1.1)."""
    white_ms, black_ms = draft.times()
    draft.emit(
        Completed(
            at=draft.now,
            seat=last.seat,
            ply=last.index,
            origin=Origin.INFERRED,
            white_ms=white_ms,
            black_ms=black_ms,
        )
    )


def ask_of_mate(
    draft: Draft,
    seat: Seat,
    why: str,
    ply: int,
    *,
    said: Saying | None = None,
    note: str = "",
    announced: int = 0,
    position: Position | None = None,
) -> None:
    """Ask whether `seat` can ever mate from the position after `ply`; an unknown position is not named.

    `position`: that one, where the ply may have been taken back.
    `announced`: the ply that was announced and not made yet when what it is about happened.
    """
    state = draft.state
    position = position or (None if state.moves.out_of_step else state.position_after(ply))
    draft.emit(
        MateAsked(
            at=draft.now,
            number=state.ending.mates_asked + 1,
            seat=seat,
            ply=ply,
            position=position,
            why=why,
            note=note,
            said=said,
            announced=announced,
        )
    )
