"""The reconciliation desk answers which board is off and by what, and which lines to ask (D.2.9).

It also answers what the Laws say. The answer is computed from the record and what the arbiter typed; nothing is
stored, nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import chess
import msgspec

from server.desk.loading import languages_tried, load_explaining_costs, writings
from server.game.acts import Refusal
from server.game.decide.rulings.restore import times_of
from server.game.state.desk import Desk
from server.game.state.line import PlyRecord
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.game.views.reconciled import Account, Looked
from server.scoresheets.cell import Cell, form_of, legal_readings, said_enough, take
from server.scoresheets.reconcile.agreement import Verdict
from server.scoresheets.reconcile.boards import BoardDifference, History, compare_board, follow
from server.scoresheets.reconcile.compare import ClockReading
from server.scoresheets.reconcile.explanations import Explanation
from server.scoresheets.reconcile.first_look import FirstLook, look_at_boards
from server.scoresheets.reconcile.settlement import Settlement, reading_positions, settle
from server.scoresheets.reconcile.suppositions import Lines
from speech.words.said import Said

SPOKEN_SOURCES = ("announcement", "echo")
ANSWERED = ("same_record", "out_of_step", "differ")
"""The verdicts with which the Laws say what is done; otherwise the arbiter decides."""
MOST_SHOWN = 5
"""The most accounts that are shown before the scores have been read."""


class ShownExplanation(msgspec.Struct, frozen=True, kw_only=True):
    """One explanation of the placement of the boards.

    `where`: server, white, black or scores; moves in SAN where legal there. `borne_out`: both scores have been read
    and say so; then no account that they contradict is shown.
    """

    kind: str
    where: str
    ply: int
    recorded: str | None
    instead: str | None
    borne_out: bool = False


class ShownCell(msgspec.Struct, frozen=True, kw_only=True):
    """One cell asked for.

    `text`: as typed, else as the player's own score has it. `understood`: SAN, "" for nothing. `clip`: its sound,
    where it was dictated; `provisional` until the arbiter has listened to it.
    """

    text: str
    typed: bool
    understood: str
    clip: str | None
    provisional: bool


class ShownLine(msgspec.Struct, frozen=True, kw_only=True):
    """One ply of both scores.

    `played`: what the server has there (SAN). `clips`: announcement and echo, as kept.
    """

    ply: int
    played: str | None
    clips: tuple[str, ...]
    white: ShownCell
    black: ShownCell


class Listen(msgspec.Struct, frozen=True, kw_only=True):
    """Dictated cell that decides and has not been listened to yet."""

    ply: int
    side: Seat
    clip: str


class DeskAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the arbiter's page shows of the desk.

    `verdict` None while lines are still to be typed. `settled`: all that it rests on was read, or the arbiter has said
    that it will do (`accepted`); `provisional`: the plies `unread` before were taken as recorded, and the arbiter has
    not said so yet. `moves`: the game as both scores give it (UCI) up to `agree_plies`, for the decision. `against`:
    each board against the position of the scores. `clock`: the times that `back` would set; `clock_read`: they were
    last read off another clock, and not at that ply. `listen`: the dictated cells that it rests on, while not heard.
    """

    boards: tuple[BoardDifference, BoardDifference]
    alike: bool
    out_of_step: bool
    explanations: tuple[ShownExplanation, ...]
    lines: tuple[ShownLine, ...]
    verdict: Verdict | None
    settled: bool
    provisional: bool
    accepted: bool
    agree_plies: int
    moves: tuple[str, ...] | None
    unread: tuple[int, ...]
    placement: str | None
    turn: Seat | None
    against: tuple[BoardDifference, BoardDifference] | None
    back: tuple[tuple[str | None, ...], tuple[str | None, ...]]
    clock: ClockReading | None
    clock_read: bool
    listen: tuple[Listen, ...]


class Anchored(msgspec.Struct, frozen=True):
    """Server's game from the last position that an earlier desk settled without its moves.

    `base`: the ply of that position.
    """

    base: int
    history: History

    def read(self, scores: BothScores, plies: Iterable[int]) -> Lines:
        """Return the cells of these plies, counted from the base."""
        return {
            ply - self.base: (scores.cell(Seat.WHITE, ply), scores.cell(Seat.BLACK, ply))
            for ply in plies
            if ply > self.base
        }


class BothScores:
    """Both scores as the arbiter typed them, else as the players' own have them; each cell is read once.

    A score is read in one language: of its own, its opponent's and English, in this order, the first in which most of
    its cells can be read (C.3: the letters are the player's, not the game's). Cells whose language the arbiter named do
    not count. No position is looked at.
    """

    def __init__(self, state: GameState, desk: Desk) -> None:
        self._own = state.scores
        self._typed = {(one.seat, one.ply): one for one in desk.cells}
        self._heard = frozenset(desk.heard)
        self._cells: dict[tuple[Seat, int], Cell] = {}
        self.languages = {seat: self._language(seat, languages_tried(state, seat)) for seat in Seat}

    def was_typed(self, seat: Seat, ply: int) -> bool:
        """Say whether the arbiter typed this cell."""
        return (seat, ply) in self._typed

    def is_known(self, seat: Seat, ply: int) -> bool:
        """Say whether this cell was typed, or has something in the player's own score."""
        return self.was_typed(seat, ply) or not self.cell(seat, ply).blank

    def sound_of(self, seat: Seat, ply: int) -> str | None:
        """Return the sound of a cell that was spoken into the player's own score."""
        own = self._own.cell(seat, ply)
        return own.utterance if own is not None and own.source in SPOKEN_SOURCES else None

    def certain(self, seat: Seat, ply: int) -> bool:
        """Say whether what is written there was read: by the arbiter, or as the player wrote it.

        What was dictated is read when the arbiter has listened to it (D.2.7).
        """
        heard = self.was_typed(seat, ply) or (seat, ply) in self._heard or self.sound_of(seat, ply) is None
        return self.is_known(seat, ply) and heard

    def cell(self, seat: Seat, ply: int) -> Cell:
        """Return a cell as the arbiter typed it, else as the player's own score has it."""
        if (seat, ply) not in self._cells:
            typed, known = self._typed.get((seat, ply)), writings()
            tag = (typed.language if typed is not None else "") or self.languages[seat]
            self._cells[seat, ply] = take(self._text(seat, ply), known.get(tag, known["en"]))
        return self._cells[seat, ply]

    def _text(self, seat: Seat, ply: int) -> str | None:
        own, typed = self._own.cell(seat, ply), self._typed.get((seat, ply))
        return typed.text if typed is not None else own.text if own is not None else None

    def _language(self, seat: Seat, tried: tuple[str, ...]) -> str:
        written = dict.fromkeys(range(1, len(self._own.of(seat)) + 1), "")
        written |= {ply: one.language for (side, ply), one in self._typed.items() if side is seat}
        texts = tuple(self._text(seat, ply) for ply, named in sorted(written.items()) if not named)
        return _language_of(texts, tuple(tag for tag in tried if tag in writings()))


def game_from_known(state: GameState) -> Anchored:
    """Return the server's game as far as its moves are made, from where they are known on."""
    made = state.made_plies
    base = max((one.index for one in state.moves.plies[:made] if one.anchor is not None), default=0)
    start = state.position_after(base) or state.moves.positions[0]
    heard = tuple(_cell_of_words(record) for record in state.moves.plies[base:made])
    return Anchored(base, History(state.moves.line[base:made], start.fen, start.chess960, heard))


def _cell_of_words(record: PlyRecord) -> Cell | None:
    """Return the words said of a ply as a cell; None where there are none, or something else says the move."""
    if any(uci is not None for uci in (record.mended, record.by_hand, record.believed)):
        return None
    echo = record.echo if record.echo_agrees is not False or record.announcement is None else None
    words = [one for one in (record.announcement, record.repeated, echo) if one is not None]
    fullest = max(words, key=lambda one: (one.from_square is not None, one.piece is not None), default=None)
    if fullest is None:
        return None
    said = Said(fullest.piece, fullest.from_square, fullest.to_square, fullest.promotion, fullest.castling)
    return Cell(record.text or None, False, (form_of(said),), by_ear=True) if said_enough(said) else None


def desk_answer(state: GameState, desk: Desk, plies: tuple[int, ...] = ()) -> DeskAnswer:
    """Return the desk's answer as things are now. Raises Complaint.

    `plies`: further lines that the arbiter wants to see.
    """
    known = game_from_known(state)
    base, history = known.base, known.history
    scores = BothScores(state, desk)
    shown = (desk.board(Seat.WHITE), desk.board(Seat.BLACK))
    costs = load_explaining_costs()
    made = range(base + 1, state.made_plies + 1)
    wanted = {*plies, *(one.ply for one in desk.cells)}
    certain = {ply for ply in {*made, *wanted} if all(scores.certain(seat, ply) for seat in Seat)}
    settlement = settle(history, shown, known.read(scores, certain), costs)
    asks = {base + ply for ply in settlement.asks}
    dictated = {ply for ply in {*wanted, *asks} - certain if all(scores.is_known(seat, ply) for seat in Seat)}
    if dictated:  # what they say is shown; nothing is settled until the arbiter has listened
        settlement = settle(history, shown, known.read(scores, certain | dictated), costs)
        asks |= {base + ply for ply in settlement.asks}
    wanted |= asks
    read = certain | dictated
    waiting = [ply for ply in wanted if ply not in read and (ply in made or ply in asks)]
    positions = {base + ply: board for ply, board in enumerate(reading_positions(history, settlement), 1)}
    lines = tuple(_line(state, scores, ply, positions.get(ply)) for ply in sorted(wanted))
    listen = _to_listen(lines)
    if waiting or not wanted:
        return _shown_boards(known, look_at_boards(history, shown, costs), lines, positions, listen)
    seen = look_at_boards(history, shown, costs)
    return _settled_boards(state, desk, known, settlement, seen, lines, positions, listen)


def _settled_boards(
    state: GameState,
    desk: Desk,
    known: Anchored,
    settlement: Settlement,
    seen: FirstLook,
    lines: tuple[ShownLine, ...],
    positions: Mapping[int, chess.Board],
    listen: tuple[Listen, ...],
) -> DeskAnswer:
    """Return the answer once every line that is wanted was read, with the verdict of the lines."""
    base = known.base
    unread = tuple(base + ply for ply in settlement.unread)
    accepted = settlement.provisional and desk.accepts(unread)
    agree_plies = base + settlement.agree_plies
    clock, clock_read = clock_then(state, agree_plies)
    return DeskAnswer(
        boards=seen.boards,
        alike=seen.alike,
        out_of_step=seen.out_of_step,
        explanations=_explanations(seen, settlement, base, positions),
        lines=lines,
        verdict=settlement.verdict,
        settled=(settlement.settled or (accepted and settlement.verdict in ANSWERED)) and not listen,
        provisional=settlement.provisional and not accepted,
        accepted=accepted,
        agree_plies=agree_plies,
        moves=_whole_game(state, base, settlement.game),
        unread=unread,
        placement=settlement.position.split()[0],
        turn=Seat.WHITE if settlement.position.split()[1] == "w" else Seat.BLACK,
        against=settlement.boards,
        back=settlement.back,
        clock=clock,
        clock_read=clock_read,
        listen=listen,
    )


def _shown_boards(
    known: Anchored,
    seen: FirstLook,
    lines: tuple[ShownLine, ...],
    positions: Mapping[int, chess.Board],
    listen: tuple[Listen, ...],
) -> DeskAnswer:
    """Return the answer while lines are still to be read: the boards, what may explain them, and no verdict."""
    return DeskAnswer(
        boards=seen.boards,
        alike=seen.alike,
        out_of_step=seen.out_of_step,
        explanations=_explanations(seen, None, known.base, positions),
        lines=lines,
        verdict=None,
        settled=False,
        provisional=False,
        accepted=False,
        agree_plies=0,
        moves=None,
        unread=(),
        placement=None,
        turn=None,
        against=None,
        back=((), ()),
        clock=None,
        clock_read=False,
        listen=listen,
    )


def undecided_answer(state: GameState, desk: Desk, plies: tuple[int, ...] = ()) -> DeskAnswer:
    """Return the answer where the lines take too long to compare: the boards and the lines, and no verdict.

    No cell is read in a position. Raises Complaint.
    """
    known, scores = game_from_known(state), BothScores(state, desk)
    last = follow(known.history).boards[-1]
    boards = (
        compare_board(desk.board(Seat.WHITE), last, "White's board"),
        compare_board(desk.board(Seat.BLACK), last, "Black's board"),
    )
    seen = FirstLook(boards[0] == boards[1], boards[0] == boards[1] and boards[0].deviates, boards, ())
    wanted = sorted({*plies, *(one.ply for one in desk.cells)})
    lines = tuple(_line(state, scores, ply, None) for ply in wanted)
    return _shown_boards(known, seen, lines, {}, ())


def _whole_game(state: GameState, base: int, game: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the game from its start.

    None where an earlier desk left moves unknown: then only the position is decided.
    """
    before = [uci for uci in state.moves.line[:base] if uci is not None]
    return (*before, *game) if len(before) == base else None


def clock_then(state: GameState, ply: int) -> tuple[ClockReading | None, bool]:
    """Return both times, ms, as `back` would set them, and whether they were last read off.

    None where they are not known. Times read off are those of another clock, which nobody read at that ply; else they
    are the times of that ply.
    """
    times = times_of(state, ply, "stored", 0)
    if isinstance(times, Refusal) or times.reading is None:
        return None, False
    return ClockReading(times.reading.white_ms, times.reading.black_ms), times.how == "read"


def view_of_desk(state: GameState, desk: Desk) -> Looked:
    """Return the questions and findings of the desk at that moment, for the protocol."""
    return looked_in(desk_answer(state, desk))


def looked_in(found: DeskAnswer) -> Looked:
    """Return an answer of the desk as the protocol has it."""
    accounts = tuple(
        Account(one.kind, one.where, one.ply, one.recorded, one.instead) for one in found.explanations if one.borne_out
    )
    return Looked(tuple(line.ply for line in found.lines), accounts)


@lru_cache(maxsize=64)
def _language_of(texts: tuple[str | None, ...], tags: tuple[str, ...]) -> str:
    return max(tags, key=lambda tag: sum(take(text, writings()[tag]).readable for text in texts))


def _san(board: chess.Board | None, uci: str | None) -> str | None:
    """Return a move as SAN where it is legal there, else its squares."""
    if uci is None or board is None:
        return uci
    try:
        move = chess.Move.from_uci(uci)
    except ValueError:
        return uci
    return board.san(move) if board.is_legal(move) else uci


def _explanations(
    seen: FirstLook, settlement: Settlement | None, base: int, positions: Mapping[int, chess.Board]
) -> tuple[ShownExplanation, ...]:
    """Return what the scores bear out once they have answered; until then what the boards suggest."""
    answered = settlement is not None and bool(settlement.explanations)
    shown: Sequence[Explanation] = settlement.explanations if settlement is not None and answered else ()
    if settlement is None or settlement.verdict in ("incomplete", "illegal_in_both"):
        shown = seen.explanations[:MOST_SHOWN]
    return tuple(
        ShownExplanation(
            kind=one.kind,
            where=one.where,
            ply=base + one.ply,
            recorded=_san(positions.get(base + one.ply), one.recorded),
            instead=_san(positions.get(base + one.ply), one.instead),
            borne_out=answered,
        )
        for one in shown
    )


def _line(state: GameState, scores: BothScores, ply: int, board: chess.Board | None) -> ShownLine:
    line, record = state.moves.line, state.ply(ply)
    clips = (record.utterance, record.echo_utterance) if record is not None else ()
    return ShownLine(
        ply=ply,
        clips=tuple(clip for clip in clips if clip is not None),
        played=_san(board, line[ply - 1] if ply <= len(line) else None),
        white=_cell_shown(scores, Seat.WHITE, ply, board),
        black=_cell_shown(scores, Seat.BLACK, ply, board),
    )


def _cell_shown(scores: BothScores, seat: Seat, ply: int, board: chess.Board | None) -> ShownCell:
    cell = scores.cell(seat, ply)
    return ShownCell(
        text=cell.text or "",
        typed=scores.was_typed(seat, ply),
        understood=_moves_in_san(board, cell),
        clip=scores.sound_of(seat, ply),
        provisional=scores.is_known(seat, ply) and not scores.certain(seat, ply),
    )


def _moves_in_san(board: chess.Board | None, cell: Cell) -> str:
    """Return the moves that the cell can mean, in SAN.

    Legal after what both scores have so far, else as recorded.
    """
    if not cell.readable or board is None:
        return ""
    return " ".join(board.san(move) for move in legal_readings(board, cell))


def _to_listen(lines: tuple[ShownLine, ...]) -> tuple[Listen, ...]:
    """Return the provisional cells among those that decide.

    A cell that was typed needs no listening: the arbiter has read it (D.2.7).
    """
    return tuple(
        Listen(ply=line.ply, side=seat, clip=cell.clip)
        for line in lines
        for seat, cell in zip(Seat, (line.white, line.black), strict=True)
        if cell.provisional and cell.clip is not None
    )
