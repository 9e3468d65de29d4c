"""Reconciliations and positions taken back, collected from the record.

They are for the protocol of a reconciliation (D.2.9) and the report: what was recorded first, what each board showed
and each score said, what was found and decided, what was set on which board, and the times before and after. Nothing is
decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import chess
import msgspec

from server.game import acts as ev
from server.game.acts import AnyEvent
from server.game.state.apply import apply
from server.game.state.desk import Desk
from server.game.state.state import GameState
from server.game.values.words import Seat


class Dated(msgspec.Struct, frozen=True):
    """An event of the record and when it happened, in ms of the wall clock.

    `by`: with whose command it came: white, black, assistant, arbiter, observer, display or program; "" where nobody
    says so.
    """

    event: AnyEvent
    wall_ms: int
    by: str = ""


class Account(msgspec.Struct, frozen=True):
    """One explanation of the placement of the boards, as the desk gave it.

    Its kind, who was wrong, the ply and its two moves.
    """

    kind: str
    where: str
    ply: int
    recorded: str | None
    instead: str | None


class Looked(msgspec.Struct, frozen=True):
    """Questions and findings of the desk at one moment.

    `plies`: the plies whose cells it asked for. `accounts`: what explains the boards. `undecided`: to find that would
    take too long, so nothing else is said.
    """

    plies: tuple[int, ...] = ()
    accounts: tuple[Account, ...] = ()
    undecided: bool = False


Explain = Callable[[GameState, Desk], Looked]
"""Says what the desk found; it is given from outside, since the scoresheets are no part of the play."""


class SaidThere(msgspec.Struct, frozen=True):
    """One cell of a score at the desk.

    `how`: typed (as the arbiter read it), listened (to its sound), or on_record.
    """

    seat: Seat
    ply: int
    text: str
    how: str


class Times(msgspec.Struct, frozen=True):
    """Both times in ms and where they come from.

    `source`: stored, read, typed, leave, or set where an old record does not say.
    """

    source: str
    white_ms: int
    black_ms: int


class Decision(msgspec.Struct, frozen=True):
    """One decision at the desk.

    `mended`: the first ply at which the server's line changed, with its move before and after. `taken_back`: the moves
    after the ply that was agreed on. `unread`: the plies that the arbiter said need not be read.
    """

    wall_ms: int
    decided: ev.DeskDecided
    looked: Looked
    lines: tuple[SaidThere, ...]
    times: Times
    mended: tuple[int, str, str] | None
    taken_back: tuple[str, ...]
    by: str = ""
    unread: tuple[int, ...] = ()


class Reconciled(msgspec.Struct, frozen=True):
    """One desk, from its opening to its end.

    `shown`: White's and Black's board as they were seen. `closed`: why it was closed.
    """

    opened: Dated
    before: Times
    plies: int
    reason: str
    shown: tuple[str, str]
    decisions: tuple[Decision, ...]
    undecided: tuple[SaidThere, ...]
    confirmed: tuple[tuple[Seat, int], ...]
    closed: str
    closed_ms: int | None


class TakenBack(msgspec.Struct, frozen=True):
    """The game went back to after a ply (7.1, 7.5.1).

    It says which moves were discarded, why, and the times set with it.
    """

    wall_ms: int
    ply: int
    moves: tuple[str, ...]
    reason: str
    white_ms: int
    black_ms: int
    desk: bool
    """Whether it was decided at the reconciliation desk."""
    by: str = ""
    confirmed: tuple[tuple[Seat, int], ...] = ()
    """Which board the arbiter read after it, and when; at the desk the reconciliation has that."""


LOOKED_AT = (ev.DeskOpened, ev.BoardRead, ev.CellTyped, ev.CellHeard, ev.UnreadAccepted)
"""Events after which the desk shows something else."""


def reconciliations(record: Sequence[Dated], explain: Explain | None = None) -> tuple[Reconciled, ...]:
    """Return every reconciliation of a table, the first one first; one that is still open has no end."""
    found: list[Reconciled] = []
    state = GameState()
    looked_at: tuple[GameState, Desk] | None = None
    for dated in record:
        event, before = dated.event, state
        state = apply(state, event)
        if isinstance(event, ev.DeskOpened):
            found.append(_reconciliation_begun(dated, event))
        if state.desk is not None and isinstance(event, LOOKED_AT):
            looked_at = state, state.desk
        if before.desk is None or looked_at is None:
            continue
        now = found[-1]
        match event:
            case ev.BoardRead(board=board, placement=placement):
                shown = (placement, now.shown[1]) if board is Seat.WHITE else (now.shown[0], placement)
                found[-1] = msgspec.structs.replace(now, shown=shown)
            case ev.DeskDecided():
                decision = _decision(dated, event, *looked_at, state, explain)
                found[-1] = msgspec.structs.replace(now, decisions=(*now.decisions, decision))
            case ev.BoardConfirmed(board=board):
                found[-1] = msgspec.structs.replace(now, confirmed=(*now.confirmed, (board, dated.wall_ms)))
            case ev.DeskClosed(reason=reason):
                left = () if now.decisions else _questions_and_scores(*looked_at, explain)[1]
                found[-1] = msgspec.structs.replace(now, closed=reason, closed_ms=dated.wall_ms, undecided=left)
    return tuple(found)


def taken_back(record: Sequence[Dated]) -> tuple[TakenBack, ...]:
    """Return every position that was taken back, with the times that were set with it."""
    found: list[TakenBack] = []
    state = GameState()
    open_at: int | None = None
    for dated in record:
        event, before = dated.event, state
        state = apply(state, event)
        if isinstance(event, ev.Restored):
            open_at = event.at
            white, black = (state.time.clock.remaining(seat, event.at) for seat in Seat)
            moves = moves_in_san(before, event.ply + 1, event.discarded)
            at_desk = before.desk is not None
            found.append(TakenBack(dated.wall_ms, event.ply, moves, event.reason, white, black, at_desk, dated.by))
        elif isinstance(event, ev.ClockSet) and event.at == open_at:
            found[-1] = msgspec.structs.replace(found[-1], white_ms=event.white_ms, black_ms=event.black_ms)
        elif isinstance(event, ev.BoardConfirmed) and before.desk is None and found:
            read = (*found[-1].confirmed, (event.board, dated.wall_ms))
            found[-1] = msgspec.structs.replace(found[-1], confirmed=read)
    return tuple(found)


def differing(white: str, black: str) -> tuple[tuple[str, str, str], ...]:
    """Return the squares where two placements differ, with what stands on White's and Black's board."""
    here, there = chess.BaseBoard(white), chess.BaseBoard(black)
    return tuple(
        (chess.square_name(square), _letter(here, square), _letter(there, square))
        for square in chess.SQUARES
        if here.piece_at(square) != there.piece_at(square)
    )


def moves_in_san(state: GameState, first: int, moves: Sequence[str | None]) -> tuple[str, ...]:
    """Return moves from ply `first` on as people write them (SAN).

    A move is given by its squares where its notation is not known, and as "-" where there is no move.
    """
    return tuple(_san(state, ply, uci) for ply, uci in enumerate(moves, first))


def in_ranges(plies: Sequence[int]) -> str:
    """Return ascending numbers with those in a row as one range.

    >>> in_ranges((1, 2, 3, 7, 9, 10))
    '1-3, 7, 9-10'
    """
    rows: list[list[int]] = []
    for ply in plies:
        if rows and rows[-1][-1] == ply - 1:
            rows[-1] = [rows[-1][0], ply]
        else:
            rows.append([ply])
    return ", ".join("-".join(map(str, row)) for row in rows)


def _reconciliation_begun(dated: Dated, event: ev.DeskOpened) -> Reconciled:
    put_down = event.snapshot
    return Reconciled(
        opened=dated,
        before=Times("", put_down.white_ms, put_down.black_ms),
        plies=put_down.made_plies,
        reason=event.reason,
        shown=(put_down.white_board, put_down.black_board),
        decisions=(),
        undecided=(),
        confirmed=(),
        closed="",
        closed_ms=None,
    )


def _decision(
    dated: Dated, event: ev.DeskDecided, looked_at: GameState, desk: Desk, state: GameState, explain: Explain | None
) -> Decision:
    looked, lines = _questions_and_scores(looked_at, desk, explain)
    white, black = (state.time.clock.remaining(seat, event.at) for seat in Seat)
    before = tuple(looked_at.time.clock.remaining(seat, event.at) for seat in Seat)
    source = "leave" if (white, black) == before else "set"
    back = event.ply if event.kind == "back" else None
    gone = () if back is None else moves_in_san(looked_at, back + 1, looked_at.moves.line[back : looked_at.made_plies])
    return Decision(
        wall_ms=dated.wall_ms,
        decided=event,
        looked=looked,
        lines=lines,
        times=Times(event.times or source, white, black),
        mended=_first_other_move(looked_at, state),
        taken_back=gone,
        by=dated.by,
        unread=desk.accepted,
    )


def _questions_and_scores(
    state: GameState, desk: Desk, explain: Explain | None
) -> tuple[Looked, tuple[SaidThere, ...]]:
    """Return what the desk asked, and both scores at those plies, as typed there, else as recorded."""
    looked = explain(state, desk) if explain is not None else Looked()
    plies = sorted({*looked.plies, *(one.ply for one in desk.cells), *(ply for _, ply in desk.heard)})
    lines = []
    for ply in plies:
        for seat in Seat:
            typed, own = desk.cell_typed(seat, ply), state.scores.cell(seat, ply)
            text = typed.text if typed is not None else own.text if own is not None else ""
            if not text and ply > state.made_plies:
                continue  # asked for in case a move was made there that the server did not hear
            how = "typed" if typed is not None else "listened" if (seat, ply) in desk.heard else "on_record"
            lines.append(SaidThere(seat, ply, text, how))
    return looked, tuple(lines)


def _first_other_move(before: GameState, after: GameState) -> tuple[int, str, str] | None:
    """Return the first ply at which the server has another move than before, or one more.

    Moves that were only dropped do not count.
    """
    lines = zip(before.moves.line[: before.made_plies], after.moves.line[: after.made_plies], strict=False)
    for ply, (old, new) in enumerate(lines, 1):
        if old != new:
            return ply, _san(before, ply, old), _san(after, ply, new)
    longer = after.made_plies > before.made_plies
    if longer:
        ply = before.made_plies + 1
        return ply, "-", _san(after, ply, after.moves.line[ply - 1])
    return None


def _san(state: GameState, ply: int, uci: str | None) -> str:
    if uci is None:
        return "-"
    position = state.moves.positions[ply - 1] if len(state.moves.positions) >= ply else None
    try:
        move = chess.Move.from_uci(uci)
    except ValueError:
        return uci
    board = position.board() if position is not None else None
    return board.san(move) if board is not None and board.is_legal(move) else uci


def _letter(board: chess.BaseBoard, square: chess.Square) -> str:
    piece = board.piece_at(square)
    return piece.symbol() if piece is not None else ""
