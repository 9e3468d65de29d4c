"""The arbiter's rulings on irregular plies, in whatever order they come (7.5, A.5, 4.3, D.2.4).

A ply may be ruled on while it stands or after it was taken back, and one act does both: it rules, takes back, and gives
the opponent time (7.5.1, 7.5.5). The second illegal move loses whatever the order. A touched piece that was not moved
(4.3) is ruled on in the same way; it counts as no illegal move.
"""

from __future__ import annotations

import chess
import msgspec

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.adaptations import adaptation_value
from server.game.decide.draft import Draft
from server.game.decide.endings import ONLY_PROOFS, ask_of_mate, first_end, tell_void
from server.game.decide.rule import decides
from server.game.decide.rulings.irregularities import illegal, illegal_ply_stands, leaves_unpromoted
from server.game.decide.rulings.restore import complained_of, restore
from server.game.decide.time.clock import go_on
from server.game.decide.touch import report_touch
from server.game.laws.adaptations import ON
from server.game.laws.penalties import ARTICLE, Illegality, IllegalPenalty, illegal_penalty
from server.game.laws.results import lost_by
from server.game.laws.supervision import classify, illegal_move_stands
from server.game.mating.can_mate import can_ever_mate
from server.game.state.line import PlyRecord
from server.game.state.rulings import TAKEN_BACK, TOUCH
from server.game.state.state import GameState
from server.game.values.position import Position
from server.game.values.saying import saying
from server.game.values.words import Origin, Seat, SeatKind

KINDS = {
    "illegal": Illegality.MOVE,
    "unpromoted": Illegality.UNPROMOTED_PAWN,
    "no_move": Illegality.PRESS_WITHOUT_MOVE,
    "two_hands": Illegality.TWO_HANDS,
}
TOUCHED_ARTICLE = "4.3"
NOT_ASKED_OF_AN_END = ("two_hands",)  # 5.1.1 refers to 4.2 to 4.7, not to 4.1: a mate made with both hands is a mate
TWO_HANDS_EXEMPT = "tactile_two_hands_exempt"


class RuledPly(msgspec.Struct, frozen=True):
    """The ply that a ruling is about: its record, the believed move, and the position before it.

    `line`: the discarded line (from 1) that it stands on; 0: the present one.
    """

    record: PlyRecord
    uci: str | None
    before: Position | None
    line: int = 0

    @property
    def number(self) -> int:
        """Return the number of the ply."""
        return self.record.index


def article_of(kind: str) -> str:
    """Return the article of an irregularity of this kind."""
    return TOUCHED_ARTICLE if kind == TOUCH else ARTICLE[KINDS[kind]]


def ply_ruled_on(state: GameState, ply: int, seat: Seat, kind: str, line: int | None = None) -> RuledPly | None:
    """Return the ply that a ruling is about; None where this player made no such ply.

    Without `line` it is the one on the present line. Where that one is not completed, or is no irregularity of this
    kind as far as the server knows, it is the last one taken back that is, or else was completed, and is not ruled on.
    """
    there = [one for one in _plies_of_that_number(state, ply, seat) if line in (None, one.line)]
    done = [one for one in there if done_as_asked(one.record, kind)]
    for one in done:
        if not _ruled_already(state, one) and _may_be(one, kind):
            return one
    present = [one for one in done if not one.line]
    left = [one for one in done if not _ruled_already(state, one)]
    return next(iter([*present, *left, *done, *there]), None)


def _plies_of_that_number(state: GameState, ply: int, seat: Seat) -> list[RuledPly]:
    """Return the plies of this number, the present one first, then those taken back, the last of them first."""
    found = []
    record = state.ply(ply)
    if record is not None and record.seat is seat:
        found.append(RuledPly(record, state.moves.line[ply - 1], state.position_after(ply - 1)))
    for line in range(len(state.moves.discarded), 0, -1):
        for taken_back in state.moves.discarded[line - 1]:
            if taken_back.index == ply and taken_back.seat is seat:
                gone = state.moves.gone_of(line, ply)
                uci, before = (gone.uci, gone.before) if gone is not None else (None, None)
                found.append(RuledPly(taken_back, uci, before, line))
    return found


def done_as_asked(record: PlyRecord, kind: str) -> bool:
    """Return whether a ply has come so far that it can be ruled on: pressed (7.5), for a touch made (4.7)."""
    return record.made if kind == TOUCH else record.completed


def _may_be(one: RuledPly, kind: str) -> bool:
    """Return whether a ply may be this irregularity, as far as the server knows; on the present line all may be."""
    if one.uci is None or one.before is None:
        return not one.line or kind in ("no_move", "illegal")
    match kind:
        case "illegal":
            return illegal(one.before, one.uci)
        case "no_move":
            return False
        case "unpromoted":
            moved = one.before.board().piece_type_at(chess.parse_square(one.uci[:2]))
            return moved == chess.PAWN and one.uci[3:] in ("1", "8")
    return True


def _ruled_already(state: GameState, one: RuledPly) -> bool:
    if one.line:
        return (one.line, one.number) in state.rulings.ruled_gone
    return (one.number, one.record.seat) in state.rulings.ruled


@decides(cmd.RuleIrregularity)
def rule_irregularity(draft: Draft, body: cmd.RuleIrregularity) -> Refusal | None:
    """Record the arbiter's ruling: an irregularity with what the rule set says of it, or none."""
    about = ply_ruled_on(draft.state, body.ply, body.seat, body.kind, body.line)
    if about is None:
        return Refusal("no_such_ply", article_of(body.kind))
    if not body.confirm:
        draft.emit(_event(draft, about, body.kind, confirmed=False, counts=False, article=article_of(body.kind)))
        return None
    ruled = _rule(draft, about, body.kind)
    if isinstance(ruled, Refusal):
        return ruled
    if body.give and ruled.bonus_ms:
        _give(draft, ruled.seat.other, ruled.bonus_ms, "illegal_move", ruled.article)
    return None


@decides(cmd.TakeBack)
def take_back_irregular(draft: Draft, body: cmd.TakeBack) -> Refusal | None:
    """Rule on a ply, take it back, give time, and let the clocks run where the arbiter says so, in this order."""
    state = draft.state
    ply = complained_of(state) if body.ply is None else body.ply
    about = ply_ruled_on(state, ply, state.seat_of(ply), body.kind) if ply else None
    if about is None:
        return Refusal("no_such_ply", article_of(body.kind))
    to = ply - 1 if body.to is None and not queen_forced(state, about, body.kind) else body.to
    if to is not None and to >= ply:
        return Refusal("no_such_ply", "7.1")
    if body.touched is not None and not about.line:
        tactile = state.plan(about.record.seat).kind is SeatKind.TACTILE
        how = "lifted" if tactile else "touched"
        report_touch(draft, about.record.seat, ply, body.touched, how)
    ruled = _rule(draft, about, body.kind, queen=to is None)
    if isinstance(ruled, Refusal):
        return ruled
    if to is not None and not about.line:
        back = cmd.RestoreTo(ply=to, times=body.times, placement=body.placement, agreed=body.agreed, reason=body.reason)
        if (refusal := restore(draft, back)) is not None:
            return refusal
    _give_as_ordered(draft, body, ruled)
    waits = draft.state.setting is not None and draft.state.setting.awaited
    if body.resume and not ruled.loses and not waits and draft.state.time.clock.running is None:
        go_on(draft)
    return None


def _give_as_ordered(draft: Draft, body: cmd.TakeBack, ruled: ev.IrregularityRuled) -> None:
    """Give the time that the rule set says, or the time and the player that the arbiter says."""
    opponent = ruled.seat.other
    seat = body.give_to or opponent
    if body.give_ms is None and body.give_to is None:
        if ruled.bonus_ms:
            _give(draft, opponent, ruled.bonus_ms, "illegal_move", ruled.article)
        elif ruled.bonus_ms is None:
            draft.alert("bonus_unstated", draft.state.made_plies, saying("no_bonus", article=ruled.article), grey=False)
        return
    ms = body.give_ms if body.give_ms is not None else ruled.bonus_ms
    if not ms:
        return
    if (ms, seat) == (ruled.bonus_ms, opponent):
        _give(draft, seat, ms, "illegal_move", ruled.article)
    else:
        _give(draft, seat, ms, body.reason, "12.9.2" if seat is opponent else "12.5")


def _give(draft: Draft, seat: Seat, ms: int, reason: str, article: str) -> None:
    draft.emit(ev.TimeAdded(at=draft.now, seat=seat, ms=ms, reason=reason, article=article))


def queen_forced(state: GameState, about: RuledPly, kind: str) -> bool:
    """Return whether the pawn becomes a queen, so that the move is not taken back (7.5.2).

    Where it was taken back before, no pawn is there any more.
    """
    if about.line or kind != "unpromoted" or state.table.rules.options.unpromoted_pawn != "forced_queen":
        return False
    return about.uci is None or leaves_unpromoted(state, about.number)


def goes_back(state: GameState, kind: str) -> bool:
    """Return whether a move that is irregular in this way is taken back (7.5.1, 4.3).

    A pawn on the last rank is where the rule set forces no queen (7.5.2).
    """
    no_queen = kind == "unpromoted" and state.table.rules.options.unpromoted_pawn != "forced_queen"
    return kind in TAKEN_BACK or no_queen


def _rule(draft: Draft, about: RuledPly, kind: str, *, queen: bool = True) -> ev.IrregularityRuled | Refusal:
    """Rule that a ply was irregular, and do what 7.5.2 and 7.5.5 say beside the time.

    `queen`: whether a pawn may become one; not where it goes back.
    """
    state, seat, ply = draft.state, about.record.seat, about.number
    if not done_as_asked(about.record, kind):
        return Refusal("not_completed_yet", article_of(kind))
    if _ruled_already(state, about):
        return Refusal("ruled_already", "7.5.5")
    if kind != TOUCH and _stands(state, about):
        return Refusal("illegal_move_stands", state.table.rules.article("basic_illegal") or "A.5.2")
    if kind == "two_hands" and _may_use_both_hands(state, seat):
        return Refusal("two_hands_exempt", "D.1")
    penalty = penalty_of(state, seat, kind)
    forced = queen and queen_forced(state, about, kind)
    can_mate, proposed = result_of(about, queen=forced) if penalty.loses else ("", None)
    ruled = _event(
        draft,
        about,
        kind,
        confirmed=True,
        counts=penalty.counts,
        number=penalty.number,
        loses=penalty.loses,
        bonus_ms=penalty.bonus_ms,
        opponent_can_mate=can_mate,
        proposed=proposed,
        article=penalty.article,
        pawn_goes_back=kind == "unpromoted" and (not queen or goes_back(state, kind)),
    )
    draft.emit(ruled)
    ended = first_end(state)
    if ended is not None and (ended.ply < ply or (ended.ply == ply and kind in NOT_ASKED_OF_AN_END)):
        tell_void(draft, ended, saying("irregularity_ruled", ply=ply))
    if forced:
        _force_queen(draft, about.record)
    if can_mate == "unknown":
        said = saying("loses_by", who=seat, ply=ply)
        after = forced and about.uci is not None
        position = None if after else about.before
        ask_of_mate(draft, seat.other, "illegal", ply if after else ply - 1, said=said, position=position)
    return ruled


def _event(draft: Draft, about: RuledPly, kind: str, **said: object) -> ev.IrregularityRuled:
    fields = {"at": draft.now, "seat": about.record.seat, "ply": about.number, "kind": kind, "line": about.line}
    return ev.IrregularityRuled(**fields, **said)  # type: ignore[arg-type]


def penalty_of(state: GameState, seat: Seat, kind: str, *, ruled: bool = False) -> IllegalPenalty:
    """Return the penalty for one more irregularity of this player; `ruled`: for the last one ruled on."""
    if kind == TOUCH:
        return IllegalPenalty(False, 0, False, 0, TOUCHED_ARTICLE)
    earlier = tuple(KINDS[one] for who, one in state.rulings.illegals if who is seat)
    earlier = earlier[:-1] if ruled else earlier
    time_class, supervision = classify(state.time.clock.control), state.table.regulations.supervision
    return illegal_penalty(state.table.rules, time_class, supervision, earlier, KINDS[kind])


def _stands(state: GameState, about: RuledPly) -> bool:
    """Return whether an illegal move stands because the opponent has made the next move (A.5.2, L153).

    Of one that was taken back: whether the opponent had, on that line.
    """
    if not about.line:
        return illegal_ply_stands(state, about.number)
    line = state.moves.discarded[about.line - 1]
    reply = any(one.index == about.number + 1 and one.made for one in line)
    time_class, supervision = classify(state.time.clock.control), state.table.regulations.supervision
    return illegal_move_stands(time_class, supervision, reply_made=reply) == "stands"


def _may_use_both_hands(state: GameState, seat: Seat) -> bool:
    """Return whether an adaptation lets this player at the tactile board use both hands (G7)."""
    return state.plan(seat).kind is SeatKind.TACTILE and adaptation_value(state, TWO_HANDS_EXEMPT) == ON


def result_of(about: RuledPly, *, queen: bool) -> tuple[str, str]:
    """Return the result to propose: lost, but drawn where the opponent can never mate (7.5.5).

    It is judged after the action under 7.5: from the position before the illegal move, or from the one with the queen
    that replaces the pawn (7.5.2), where the move is known. Any search belongs to the question outside the decision.
    """
    position, loser = about.before, about.record.seat
    if position is None:
        return "unknown", lost_by(loser)
    if queen and about.uci is not None:
        position = position.after(f"{about.uci}q")
    answer = can_ever_mate(position, loser.other, ONLY_PROOFS)
    return answer.verdict, "1/2-1/2" if answer.verdict == "no" else lost_by(loser)


def _force_queen(draft: Draft, record: PlyRecord) -> None:
    """Replace the pawn by a queen of the same colour on every board where it stands (7.5.2).

    Where the move is still to be carried out, it is carried out with the queen (`with_mended_promotion`). Where the
    server does not know the move, it looks for the pawn on each board.
    """
    state = draft.state
    uci = state.moves.line[record.index - 1]
    if uci is not None:
        draft.emit(ev.GameMended(at=draft.now, ply=record.index, uci=f"{uci}q"))
    color = chess.WHITE if record.seat is Seat.WHITE else chess.BLACK
    for seat in Seat:
        position = draft.state.board_of(seat).position
        board = position.board()
        pawns = board.pieces(chess.PAWN, color) & (chess.BB_RANK_8 if color else chess.BB_RANK_1)
        if uci is not None:
            pawns &= chess.BB_SQUARES[chess.parse_square(uci[2:])]
        if not pawns:
            continue
        for square in pawns:
            board.set_piece_at(square, chess.Piece(chess.QUEEN, color))
        draft.emit(
            ev.BoardSet(
                at=draft.now, board=seat, placement=board.board_fen(), turn=position.turn, origin=Origin.DECLARED
            )
        )
