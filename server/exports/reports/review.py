"""A player's own review of a game that the arbiter has released: score, times, and both scores compared.

It says what was written, what time was used and where the two scores differ, and nothing about how good a move was:
there is no engine here, and none is asked. Everything is a function of the game's state and of the reader's words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from braille import brf
from braille.cells import Written
from braille.loading import load_profile, national_profile
from braille.profile import BLANK
from braille.score import wrap
from braille.typed import moves_of_text
from server.game.decide.questions import time_for
from server.game.laws.results import RESULTS
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.clock import time_text
from server.game.values.words import Seat
from server.game.views.spectators import GameShown, MoveShown, written_move
from server.wording.braille import Reader, cell_in_cells, prose_in_cells, written_as_said
from server.wording.typed import codes_of
from server.wording.words import meaning_typed, scheme_for
from speech.announcements.clock_phrases import time_told
from speech.complaint import Complaint, Phrase
from speech.words.catalogue import texts_in
from speech.words.scheme import Scheme


class ReviewedPly(msgspec.Struct, frozen=True, kw_only=True):
    """One half-move as the player reviews it.

    `own`, `other`: what stands in the player's score and in the opponent's, "" for nothing. `differs`: both scores say
    something else, or one of them nothing. `used_ms`: how long the mover's time ran for it; `white_ms`, `black_ms`:
    what the clock showed after it; None where another clock counted. `utterance`: the sound of the player's own cell,
    "" where none is kept. `placement`: the position after it as the record has it, None where that is not known; of it
    and the one before, `squares`: from where to where, `notation`, and `announcement`. `words`: as a display showed it.
    """

    ply: int
    seat: Seat
    own: str
    other: str
    differs: bool
    used_ms: int | None
    white_ms: int | None
    black_ms: int | None
    utterance: str = ""
    placement: str | None = None
    squares: tuple[str, ...] = ()
    notation: str = ""
    announcement: Announcement | None = None
    words: tuple[str, ...] = ()


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """The whole review. `base_ms`: what both clocks showed at the start, White's first; `start`: the board.

    `whole` False: what a player sees before the arbiter has released the rest (`shown_review_of`).
    """

    table: str
    event: str
    round: str
    board: int
    seat: Seat
    white: str
    black: str
    result: str
    reason: str
    base_ms: tuple[int, int]
    start: str
    plies: tuple[ReviewedPly, ...]
    whole: bool = True


def review_of(table: str, state: GameState, seat: Seat) -> Review:
    """Return the review of the player at this seat.

    `table`: its name. The caller has seen that the arbiter released it.
    """
    own, other = state.scores.of(seat), state.scores.of(seat.other)
    plies = []
    for at in range(max(len(own), len(other), state.made_plies)):
        record = state.ply(at + 1)
        mover = record.seat if record is not None else _mover(state, at)
        cell, theirs = state.scores.cell(seat, at + 1), state.scores.cell(seat.other, at + 1)
        texts = tuple(one.text if one is not None else "" for one in (cell, theirs))
        before, after = _placement(state, at), _placement(state, at + 1)
        written = written_move(before, after, mover) if before and after else None
        plies.append(
            ReviewedPly(
                ply=at + 1,
                seat=mover,
                own=texts[0],
                other=texts[1],
                differs=_differ(texts[0], texts[1], state, seat),
                used_ms=time_for(state, at + 1),
                white_ms=record.white_ms if record is not None else None,
                black_ms=record.black_ms if record is not None else None,
                utterance=(cell.utterance or "") if cell is not None else "",
                placement=after,
                squares=written.squares if written is not None else (),
                notation=written.notation if written is not None else "",
                announcement=written.announcement if written is not None else None,
            )
        )
    return _review(table, state, seat, tuple(plies))


def shown_review_of(table: str, state: GameState, seat: Seat, game: GameShown) -> Review:
    """Return the game as the player may look through it before the release: `game`, as displays have shown it.

    Beside it stands the player's own score, and nothing of the opponent's, no time and no sound. The caller has seen
    that the player may look (`may_look_through`).
    """
    plies = []
    for at in range(max(len(state.scores.of(seat)), len(game.moves))):
        cell = state.scores.cell(seat, at + 1)
        move = game.moves[at] if at < len(game.moves) else MoveShown(at + 1, _mover(state, at))
        plies.append(
            ReviewedPly(
                ply=at + 1,
                seat=move.seat,
                own=cell.text if cell is not None else "",
                other="",
                differs=False,
                used_ms=None,
                white_ms=None,
                black_ms=None,
                placement=move.placement,
                squares=move.squares,
                notation=move.notation,
                announcement=move.announcement,
                words=move.words,
            )
        )
    return msgspec.structs.replace(_review(table, state, seat, tuple(plies)), whole=False)


def _review(table: str, state: GameState, seat: Seat, plies: tuple[ReviewedPly, ...]) -> Review:
    control = state.time.clock.control.periods[0].base_ms
    return Review(
        table=table,
        event=state.table.event_name,
        round=state.table.round,
        board=state.table.board_number,
        seat=seat,
        white=state.table.white.name,
        black=state.table.black.name,
        result=state.ending.result or "*",
        reason=state.ending.reason,
        base_ms=(control, control),
        start=state.moves.positions[0].placement,
        plies=plies,
    )


def _placement(state: GameState, ply: int) -> str | None:
    """Return the board after this half-move, as the record has it; None where the record does not know it."""
    known = state.moves.positions[ply : ply + 1] if ply <= state.made_plies else ()
    return known[0].placement if known and known[0].known else None


def board_shown(review: Review) -> GameShown:
    """Return the game as its positions and written moves tell it, for questions about a board (`to_spectators`)."""
    moves = (
        MoveShown(one.ply, one.seat, one.words, one.placement, one.squares, one.notation, one.announcement)
        for one in review.plies
    )
    return GameShown(start=review.start, moves=tuple(moves), started=True)


def is_released(state: GameState) -> bool:
    """Return whether the players may review this game: it is over, and the arbiter has released it."""
    return state.over and state.scores.released


def may_look_through(state: GameState, seat: Seat) -> bool:
    """Return whether a player may look through the game as displays have shown it, before the release.

    The game is over, the player has approved its result (8.7), and no reconciliation is open (D.2.9).
    """
    result = state.ending.result
    return result in RESULTS and (seat, result) in state.ending.approvals and state.desk is None


def _mover(state: GameState, at: int) -> Seat:
    first = state.moves.positions[0].turn
    return first if at % 2 == 0 else first.other


def _move_meant(text: str, state: GameState, seat: Seat) -> Written | None:
    """Return the move that a cell writes, in the words or the letters of its player; None where it is no one move."""
    scheme = scheme_for(state, seat)
    try:
        heard = meaning_typed(text, scheme)
        return written_as_said(heard.said, heard.words) if heard.said is not None else None
    except Complaint:
        found = moves_of_text(text, codes_of(scheme.language))
        return found[0] if len(found) == 1 else None


def _differ(own: str, other: str, state: GameState, seat: Seat) -> bool:
    """Return whether the two cells of a half-move say something else.

    What stands only in one of them differs; how a move is written (language, capture, check, departure) does not.
    """
    if not own or not other:
        return bool(own or other)
    one, two = _move_meant(own, state, seat), _move_meant(other, state, seat.other)
    if one is None or two is None:
        return own.split() != other.split()
    return _core(one) != _core(two)


def _core(move: Written) -> tuple[object, ...]:
    if move.castling:
        return (move.castling,)
    return (move.piece, move.to_square, move.promotion)


# in words


def summary(review: Review, scheme: Scheme) -> tuple[str, ...]:
    """Return the review in a few sentences: result, moves, the longest thought of both, where the scores differ."""
    words = texts_in("review", scheme.listener.tag)
    told = [words["reviewed.result"].replace("{result}", review.result)]
    for seat, key in ((review.seat, "reviewed.longest_own"), (review.seat.other, "reviewed.longest_opponent")):
        timed = (one for one in review.plies if one.seat is seat and one.used_ms)
        thought = max(timed, key=lambda one: one.used_ms or 0, default=None)
        if thought is not None:
            time = time_told(thought.used_ms or 0, scheme.messages)
            told.append(words[key].replace("{move}", str(number_of(thought))).replace("{time}", time))
    if not review.whole:
        return tuple(told)  # the opponent's score is not compared before the release
    differing = [one for one in review.plies if one.differs]
    if differing:
        moves = ", ".join(dict.fromkeys(str(number_of(one)) for one in differing))
        told.append(words["reviewed.differ_at"].replace("{moves}", moves))
    else:
        told.append(words["reviewed.agree"])
    return tuple(told)


def number_of(one: ReviewedPly) -> int:
    """Return the number of the move to which a half-move belongs."""
    return (one.ply + 1) // 2


def ply_told(review: Review, ply: int, scheme: Scheme) -> str:
    """Return one half-move as it is read aloud: what was written, the time, both clocks, and whether the scores differ.

    Raises Complaint for a half-move that the game does not have.
    """
    one = next((one for one in review.plies if one.ply == ply), None)
    if one is None:
        raise Complaint(Phrase("export.no_ply", ply=(ply + 1) // 2))
    words = texts_in("review", scheme.listener.tag)
    whose, own_cell = words[f"reviewed.{one.seat}"], scheme.as_spelt(one.own) or words["reviewed.nothing"]
    told = [f"{number_of(one)}. {whose}: {own_cell}."]
    if one.differs:
        other = scheme.as_spelt(one.other) or words["reviewed.nothing"]
        told.append(words["reviewed.other_has"].replace("{cell}", other))
    if one.used_ms is not None:
        told.append(words["reviewed.took"].replace("{time}", time_told(one.used_ms, scheme.messages)))
    if one.white_ms is not None and one.black_ms is not None:
        own, other_ms = (one.white_ms, one.black_ms) if review.seat is Seat.WHITE else (one.black_ms, one.white_ms)
        told.append(scheme.phrase("time_own", time=time_told(own, scheme.messages)))
        told.append(scheme.phrase("time_opponent", time=time_told(other_ms, scheme.messages)))
    return " ".join(told)


# in braille


def in_braille(review: Review, state: GameState, profile: str | None = None) -> str:
    """Return the review as a BRF file: the score in the player's own code, each half-move with its time.

    Where the opponent's score differs, what it has follows. Raises Complaint for a code of eight dots.
    """
    code = load_profile(profile or national_profile(state.language_of(review.seat)))
    scheme = scheme_for(state, review.seat)
    reader = Reader(scheme, code, brf.WIDTH, review.seat)
    words = texts_in("review", scheme.listener.tag)
    head = ", ".join(part for part in (review.white, review.black, review.result) if part)
    lines: list[str] = []
    for sentence in summary(review, scheme):
        lines += wrap(prose_in_cells(sentence, code).split(BLANK), brf.WIDTH)
    lines.append("")
    for one in review.plies:
        cell = cell_in_cells(one.own, reader, print_too=False)
        number = f"{number_of(one)}{'.' if one.seat is Seat.WHITE else '...'}"
        groups = [prose_in_cells(number, code), *cell.split(BLANK)]
        if one.used_ms is not None:
            groups.append(prose_in_cells(f"({time_text(one.used_ms)})", code))
        if one.differs:
            other = cell_in_cells(one.other, reader, print_too=False) if one.other else code.empty.cells
            groups += [*prose_in_cells(words["reviewed.other_short"], code).split(BLANK), *other.split(BLANK)]
        lines += wrap(groups, brf.WIDTH)
    return lines_as_brf(lines, prose_in_cells(head, code), lambda number: prose_in_cells(str(number), code))


def lines_as_brf(lines: Sequence[str], head: str, numbered: Callable[[int], str]) -> str:
    """Return lines of cells as a BRF file with a running head and page numbers. Raises Complaint as `brf_page`."""
    return brf.document(brf.brf_page(part, head, numbered(at)) for at, part in enumerate(brf.split(lines), 1))
