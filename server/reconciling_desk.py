"""What the reconciliation desk answers (D.2.9): which board is off and by what, which lines to ask, what the Laws say.

Computed from the record and what the arbiter typed; nothing is stored, nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterator

import chess
import msgspec

from server.play.desk import Desk
from server.play.state import GameState
from server.play.values import Seat
from server.reconciling_loading import load_explaining_costs, writings
from server.scoresheets.agreeing import Verdict
from server.scoresheets.comparing import ClockReading
from server.scoresheets.first_look import FirstLook, look
from server.scoresheets.history import History
from server.scoresheets.reading import Cell, legal_readings, take
from server.scoresheets.retracing import BoardDifference
from server.scoresheets.settling import Settlement, settle

SPOKEN_SOURCES = ("announcement", "echo")


class ShownExplanation(msgspec.Struct, frozen=True, kw_only=True):
    """One account of what the boards show. `where`: server, white or black; moves in SAN where they are legal there."""

    kind: str
    where: str
    ply: int
    recorded: str | None
    instead: str | None
    borne_out: bool = False


class ShownCell(msgspec.Struct, frozen=True, kw_only=True):
    """One cell asked for. `text`: as typed, else as the player's own score has it; `understood`: SAN, "" for nothing.

    `clip`: its sound, where it was dictated; `provisional` until the arbiter has listened to it.
    """

    text: str
    typed: bool
    understood: str
    clip: str | None
    provisional: bool


class ShownLine(msgspec.Struct, frozen=True, kw_only=True):
    """One ply of both scores; `played`: what the server has there (SAN). `clips`: announcement and echo, as kept."""

    ply: int
    played: str | None
    clips: tuple[str, ...]
    white: ShownCell
    black: ShownCell


class Listen(msgspec.Struct, frozen=True, kw_only=True):
    """A dictated cell that decides and has not been listened to yet."""

    ply: int
    side: Seat
    clip: str


class DeskAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the arbiter's page shows of the desk. `verdict` None while lines are still to be typed."""

    boards: tuple[BoardDifference, BoardDifference]
    alike: bool
    out_of_step: bool
    explanations: tuple[ShownExplanation, ...]
    lines: tuple[ShownLine, ...]
    verdict: Verdict | None
    settled: bool
    agree_plies: int
    placement: str | None
    turn: Seat | None
    against: tuple[BoardDifference, BoardDifference] | None
    back: tuple[tuple[str | None, ...], tuple[str | None, ...]]
    clock: ClockReading | None
    listen: tuple[Listen, ...]


def desk_answer(state: GameState, desk: Desk, plies: tuple[int, ...] = ()) -> DeskAnswer:
    """What the desk says now. `plies`: further lines that the arbiter wants to see. Raises Complaint."""
    history = History(state.line[: state.made_plies], state.positions[0].fen, state.positions[0].chess960)
    shown = (desk.board(Seat.WHITE), desk.board(Seat.BLACK))
    seen = look(history, shown, load_explaining_costs())
    typed = {one.ply for one in desk.cells}
    wanted = tuple(sorted({*seen.lines, *plies, *typed}))
    read = {ply: (_cell(state, desk, Seat.WHITE, ply), _cell(state, desk, Seat.BLACK, ply)) for ply in wanted}
    settlement = None
    if wanted and all(not cell.blank or desk.typed(seat, ply) for ply, seat, cell in _cells(read, state)):
        settlement = settle(history, shown, seen, read)
    lines = tuple(_line(state, desk, ply, read[ply]) for ply in wanted)
    listen = _to_listen(lines) if settlement is not None else ()
    return DeskAnswer(
        boards=seen.boards,
        alike=seen.alike,
        out_of_step=seen.out_of_step,
        explanations=_explanations(state, seen, settlement),
        lines=lines,
        verdict=settlement.verdict if settlement is not None else None,
        settled=settlement is not None and settlement.settled and not listen,
        agree_plies=settlement.agree_plies if settlement is not None else 0,
        placement=settlement.position.split()[0] if settlement is not None else None,
        turn=None if settlement is None else Seat.WHITE if settlement.position.split()[1] == "w" else Seat.BLACK,
        against=settlement.boards if settlement is not None else None,
        back=settlement.back if settlement is not None else ((), ()),
        clock=clock_then(state, settlement.agree_plies) if settlement is not None else None,
        listen=listen,
    )


def _cells(read: dict[int, tuple[Cell, Cell]], state: GameState) -> Iterator[tuple[int, Seat, Cell]]:
    """The cells of the plies that were made; behind them nothing needs to be written."""
    for ply, pair in read.items():
        if ply <= state.made_plies:
            yield from ((ply, seat, cell) for seat, cell in zip(Seat, pair, strict=True))


def _cell(state: GameState, desk: Desk, seat: Seat, ply: int) -> Cell:
    """A cell as the arbiter typed it, else as the player's own score has it."""
    known = writings()
    own, typed = state.cell_of(seat, ply), desk.typed(seat, ply)
    text = typed.text if typed is not None else own.text if own is not None else None
    tag = (typed.language if typed is not None else "") or state.plan(seat).language
    return take(text, known.get(tag, known["en"]))


def _san(state: GameState, ply: int, uci: str | None) -> str | None:
    """A move as SAN where it is legal there, else its squares."""
    if uci is None or len(state.positions) < ply:
        return uci
    board = state.positions[ply - 1].board()
    try:
        move = chess.Move.from_uci(uci)
    except ValueError:
        return uci
    return board.san(move) if board.is_legal(move) else uci


def _explanations(state: GameState, seen: FirstLook, settlement: Settlement | None) -> tuple[ShownExplanation, ...]:
    borne_out = settlement.explanation if settlement is not None else None
    return tuple(
        ShownExplanation(
            kind=one.kind,
            where=one.where,
            ply=one.ply,
            recorded=_san(state, one.ply, one.recorded),
            instead=_san(state, one.ply, one.instead),
            borne_out=one == borne_out,
        )
        for one in seen.explanations[:5]
    )


def _line(state: GameState, desk: Desk, ply: int, read: tuple[Cell, Cell]) -> ShownLine:
    line, record = state.line, state.ply(ply)
    clips = (record.utterance, record.echo_utterance) if record is not None else ()
    return ShownLine(
        ply=ply,
        clips=tuple(clip for clip in clips if clip is not None),
        played=_san(state, ply, line[ply - 1] if ply <= len(line) else None),
        white=_shown(state, desk, Seat.WHITE, ply, read[0]),
        black=_shown(state, desk, Seat.BLACK, ply, read[1]),
    )


def _shown(state: GameState, desk: Desk, seat: Seat, ply: int, cell: Cell) -> ShownCell:
    own, typed = state.cell_of(seat, ply), desk.typed(seat, ply) is not None
    clip = own.utterance if own is not None and own.source in SPOKEN_SOURCES else None
    heard = (seat, ply) in desk.heard
    return ShownCell(
        text=cell.text or "",
        typed=typed,
        understood=_understood(state, ply, cell),
        clip=clip,
        provisional=clip is not None and not typed and not heard,
    )


def _understood(state: GameState, ply: int, cell: Cell) -> str:
    """The legal moves of the server's own position that the cell can mean, in SAN."""
    if not cell.readable or len(state.positions) < ply:
        return ""
    board = state.positions[ply - 1].board()
    return " ".join(board.san(move) for move in legal_readings(board, cell))


def _to_listen(lines: tuple[ShownLine, ...]) -> tuple[Listen, ...]:
    """The provisional cells among those that decide; one that was typed was read by the arbiter himself (D.2.7)."""
    return tuple(
        Listen(ply=line.ply, side=seat, clip=cell.clip)
        for line in lines
        for seat, cell in zip(Seat, (line.white, line.black), strict=True)
        if cell.provisional and cell.clip is not None
    )


def clock_then(state: GameState, ply: int) -> ClockReading | None:
    """Both times, ms, as they were when a ply was completed; None where they are not known."""
    record = state.ply(ply)
    if record is None or record.white_ms is None or record.black_ms is None:
        return None
    return ClockReading(record.white_ms, record.black_ms)
