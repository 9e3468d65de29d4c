"""The resumption of an adjourned game (Guidelines I.5-I.13; L213-L224).

A sealed move is played exactly as it was sealed or not at all. Where it is not one legal move, the arbiter is told that
the game is lost by I.8; the arbiter confirms that, or decides by Articles 5, 6.9 and 9.6. Where the opponent can never
mate, the game that the arbiter rules lost is drawn (6.9).
"""

from __future__ import annotations

import chess
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.draft import Draft
from server.game.decide.endings import ask_of_mate, first_end
from server.game.decide.rule import decides
from server.game.decide.time.schedule import is_late_at_resumption, mark_present
from server.game.laws.attendance import loses_the_time
from server.game.laws.legality import is_legal, legal_moves
from server.game.laws.results import lost_by
from server.game.state.line import PIECES
from server.game.state.state import GameState
from server.game.values.adjournment import Adjournment, EnvelopeLabel, SealedMove, SetUpList
from server.game.values.announcement import Announcement
from server.game.values.clock import ClockReading
from server.game.values.position import Position
from server.game.values.saying import saying
from server.game.values.speech import Speech
from server.game.values.words import ClockMaster, Origin, Role, Seat

LETTERS = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}


@decides(
    cmd.PrepareResumption,
    cmd.MarkPresent,
    cmd.StartResumption,
    cmd.OpenEnvelope,
    cmd.RuleSealed,
    cmd.ReplaceEnvelope,
    cmd.AnnulGame,
)
def resume(draft: Draft, body: cmd.AnyAct) -> Refusal | None:
    """Carry out one of the arbiter's acts around a resumption."""
    adjournment = draft.state.adjournment
    if isinstance(body, cmd.MarkPresent) and adjournment is not None:
        mark_present(draft, adjournment, body)
        return None
    if adjournment is None or not adjournment.closed:
        return Refusal("not_adjourned", "I")
    if not isinstance(body, cmd.PrepareResumption | cmd.AnnulGame):  # the others may start a clock
        if draft.state.scores.reconstruction is not None:
            return Refusal("reconstructing", "8.5.3")
        if draft.state.draws.claim is not None:
            return Refusal("claim_open", "9.5.1")
    match body:
        case cmd.PrepareResumption():
            draft.emit(ev.ResumptionPrepared(at=draft.now, list=set_up_list(draft.state, adjournment)))
        case cmd.StartResumption():
            return _start(draft, adjournment)
        case cmd.OpenEnvelope():
            return _open(draft, adjournment, body)
        case cmd.RuleSealed():
            return _rule(draft, adjournment, body)
        case cmd.ReplaceEnvelope():
            return _replace(draft, adjournment, body.uci)
        case cmd.AnnulGame():
            if not body.reason.strip():
                return Refusal("reason_needed", "I.12.2")
            draft.emit(ev.GameEnded(at=draft.now, result="*", reason="annulled", article="I.12.2"))
    return None


def set_up_list(state: GameState, adjournment: Adjournment) -> SetUpList:
    """Return the position and times to be set up, and where each board differs (I.5, L213)."""
    label = adjournment.label
    assert label is not None
    wanted = chess.Board(f"{label.placement} w - - 0 1").piece_map()

    def differing(seat: Seat) -> tuple[str, ...]:
        there = state.board_of(seat).position.board().piece_map()
        wrong = [square for square in chess.SQUARES if there.get(square) != wanted.get(square)]
        return tuple(chess.square_name(square) for square in wrong)

    return SetUpList(
        placement=label.placement,
        turn=adjournment.seat,
        white_ms=label.white_ms,
        black_ms=label.black_ms,
        white_used_ms=label.white_used_ms,
        black_used_ms=label.black_used_ms,
        white_board=differing(Seat.WHITE),
        black_board=differing(Seat.BLACK),
    )


def _start(draft: Draft, adjournment: Adjournment) -> Refusal | None:
    """Start the clock of the player who must reply, even if the other one is away too.

    See I.9.2, I.11; L218, L221.
    """
    if adjournment.is_present(adjournment.replier):
        return Refusal("replier_present", "I.9.1")
    if draft.state.time.clock.running is not None:
        return Refusal("resumption_begun", "I.9.2")
    if adjournment.began_ms is None:
        draft.emit(ev.ResumptionBegun(at=draft.now))
    present = tuple(seat for seat in Seat if adjournment.is_present(seat))
    default = draft.state.table.regulations.default_time_s
    if loses_the_time(default, present, adjournment.replier) is None:
        draft.alert("nobody_came", draft.state.made_plies, saying("nobody_there"), grey=False)
    else:
        _turn_to_replier(draft, adjournment)
        draft.emit(ev.ClockResumed(at=draft.now))
    return None


def _open(draft: Draft, adjournment: Adjournment, body: cmd.OpenEnvelope) -> Refusal | None:
    state, now = draft.state, draft.now
    if adjournment.stage == "faulty":
        return Refusal("opened_already", "I.8")
    if not adjournment.is_present(adjournment.replier) and not is_late_at_resumption(state, adjournment, now):
        return Refusal("replier_absent", "I.7")
    if body.content is None:
        return Refusal("wrong_seal_code", "I.3")
    if state.position is None:
        return Refusal("mend_first", "I.5")
    found, readings = judge_sealed_move(body.content, state.position)
    if adjournment.began_ms is None:
        draft.emit(ev.ResumptionBegun(at=now))
    draft.emit(
        ev.EnvelopeOpened(
            at=now, seat=adjournment.seat, ply=adjournment.ply, content=body.content, found=found, readings=readings
        )
    )
    if found == "played":
        _play(draft, adjournment, body.content, readings[0])
        return None
    if draft.state.time.clock.running is not None:
        draft.emit(ev.ClockPaused(at=now, by=Role.ARBITER, seat=None, reason="I.8"))
    said = saying("sealed_lost", found=UNPLAYED[found], result=lost_by(adjournment.seat))
    draft.alert("sealed_lost", adjournment.ply, said, grey=False, utterance=body.content.utterance)
    return None


UNPLAYED = {
    "undeterminable": saying("undeterminable"),
    "ambiguous": saying("ambiguous"),
    "illegal": saying("illegal"),
}


def judge_sealed_move(content: SealedMove, position: Position) -> tuple[str, tuple[str, ...]]:
    """Judge a sealed move on the adjourned board; return the finding, and the legal moves it may mean (I.8, L216).

    One legal reading is a move. Nothing is completed: a promotion without its piece fits four moves, so it is none.
    """
    if content.uci is None and content.announcement is None:
        return "undeterminable", ()
    if content.uci is not None:
        if is_legal(position, content.uci):
            return "played", (content.uci,)
        whole = [move.uci() for move in legal_moves(position) if move.uci()[:4] == content.uci]
    else:
        assert content.announcement is not None
        board = position.board()
        whole = [move.uci() for move in legal_moves(position) if _reads_as(content.announcement, board, move)]
    if len(whole) == 1:
        return "played", (whole[0],)
    return ("ambiguous" if whole else "illegal"), tuple(whole)


def _reads_as(said: Announcement, board: chess.Board, move: chess.Move) -> bool:
    """Return whether the words, exactly as said, may mean this legal move."""
    castles = board.is_castling(move)
    if said.castling is not None:
        return castles and (said.castling == "short") == board.is_kingside_castling(move)
    if castles and board.chess960:
        return False
    if said.to_square != chess.square_name(move.to_square):
        return False
    if said.from_square is not None and said.from_square != chess.square_name(move.from_square):
        return False
    meant = said.piece_meant
    if meant is not None and board.piece_type_at(move.from_square) != PIECES[meant]:
        return False
    return said.promotion is None or move.promotion == PIECES[said.promotion]


def _play(draft: Draft, adjournment: Adjournment, content: SealedMove, uci: str) -> None:
    """Make the sealed move with the times of the sealing; the replier's clock runs (I.9.1, L217)."""
    ply, seat, now = adjournment.ply, adjournment.seat, draft.now
    draft.emit(
        ev.Announced(
            at=now,
            seat=seat,
            ply=ply,
            speech=Speech(
                announcement=content.announcement or announced_as(uci),
                words=content.words,
                text=content.text or uci,
                utterance=content.utterance,
            ),
            origin=content.origin,
        )
    )
    draft.make(ply, Origin.DECLARED)
    if draft.state.moves.line[ply - 1] != uci:
        draft.emit(ev.GameMended(at=now, ply=ply, uci=uci))
    label = adjournment.label
    assert label is not None
    draft.complete(ply, Origin.DECLARED, reading=_times_on(label))
    _turn_to_replier(draft, adjournment)
    running = draft.state.time.clock.running is not None
    if first_end(draft.state) is None:
        if not running:
            draft.emit(ev.ClockResumed(at=now))
    elif running:
        draft.emit(ev.ClockPaused(at=now, by=Role.ARBITER, seat=None, reason="I.10"))


def _times_on(label: EnvelopeLabel) -> ClockReading | None:
    """Return the times on an envelope; None where another clock counted."""
    if label.white_ms is None or label.black_ms is None:
        return None
    return ClockReading(label.white_ms, label.black_ms, None)


def _turn_to_replier(draft: Draft, adjournment: Adjournment) -> None:
    """Turn the clock to the replier (I.9), even where it was set or another clock counted meanwhile."""
    clock, now = draft.state.time.clock, draft.now
    if draft.state.time.clock_master is ClockMaster.SERVER and clock.turn is adjournment.seat:
        white_ms, black_ms = clock.remaining(Seat.WHITE, now), clock.remaining(Seat.BLACK, now)
        replier = adjournment.replier
        draft.emit(ev.ClockSet(at=now, white_ms=white_ms, black_ms=black_ms, turn=replier, reason="resumption (I.9)"))


def announced_as(uci: str) -> Announcement:
    """Return a move given by squares as an announcement, without adding anything to it."""
    return Announcement(from_square=uci[:2], to_square=uci[2:4], promotion=LETTERS.get(uci[4:]))  # type: ignore[arg-type]


def _rule(draft: Draft, adjournment: Adjournment, body: cmd.RuleSealed) -> Refusal | None:
    """Record the arbiter's ruling by I.8; a lost game waits for whether the opponent can ever mate (6.9).

    What the program understood is never corrected; a sound that was not understood may be listened to by the arbiter.
    """
    content = adjournment.content
    if adjournment.stage != "faulty":
        return Refusal("not_opened", "I.8")
    assert content is not None  # it was opened
    position = draft.state.position
    ruled = ev.SealedRuled(
        at=draft.now,
        seat=adjournment.seat,
        ply=adjournment.ply,
        lost=body.lost,
        uci=None if body.lost else body.uci,
        reason=body.reason,
    )
    if body.lost:
        draft.emit(ruled)
        ask_of_mate(draft, adjournment.seat.other, "sealed", draft.state.made_plies)
        return None
    if not body.reason.strip():
        return Refusal("reason_needed", "I.8")
    if body.uci is not None:
        if content.announcement is not None or content.uci is not None:
            return Refusal("never_repaired", "I.8")
        if position is None or not is_legal(position, body.uci):
            return Refusal("sealed_not_legal", "I.8")
        draft.emit(ruled)
        heard = replace(content, announcement=announced_as(body.uci), origin=Origin.ENTERED)
        _play(draft, adjournment, heard, body.uci)
        return None
    draft.emit(ruled)
    _give_the_move_back(draft, adjournment.seat)
    return None


def _give_the_move_back(draft: Draft, seat: Seat) -> None:
    """Give the sealer the move again.

    Nothing sealed is played, the game is not lost, and their clock will run on.
    """
    clock, now = draft.state.time.clock, draft.now
    if draft.state.time.clock_master is not ClockMaster.SERVER or clock.turn is seat:
        return
    white, black = clock.white.moves, clock.black.moves
    moves = (max(0, white - 1), black) if seat is Seat.WHITE else (white, max(0, black - 1))
    draft.emit(
        ev.ClockSet(
            at=now,
            white_ms=clock.remaining(Seat.WHITE, now),
            black_ms=clock.remaining(Seat.BLACK, now),
            turn=seat,
            reason="the sealed move is not played (I.8)",
            moves=moves,
        )
    )


def _replace(draft: Draft, adjournment: Adjournment, uci: str) -> Refusal | None:
    """Play the move that the sealer says was sealed, where the envelope is missing (I.12.1, L222).

    The recorded times are used; another clock is set by hand.
    """
    state, label = draft.state, adjournment.label
    assert label is not None
    if adjournment.stage != "sealed":
        return Refusal("opened_already", "I.12.1")
    if state.position is None:
        return Refusal("position_not_known", "I.12.2")
    if not is_legal(state.position, uci):
        return Refusal("sealed_not_legal", "I.12.1")
    written = _times_on(label)
    if written is not None:
        recorded = state.time.with_what_was_given(written, adjournment.given)
        draft.emit(
            ev.ClockSet(
                at=draft.now,
                white_ms=recorded.white_ms,
                black_ms=recorded.black_ms,
                turn=adjournment.replier,
                reason="envelope missing (I.12.1)",
            )
        )
    draft.emit(ev.EnvelopeMissing(at=draft.now, seat=adjournment.seat, ply=adjournment.ply, uci=uci))
    _play(draft, adjournment, SealedMove(announcement=announced_as(uci), origin=Origin.ENTERED), uci)
    return None
