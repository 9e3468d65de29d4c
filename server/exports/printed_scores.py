"""Both players' scores on paper: as text, in braille cells, or as pages to emboss (8.3, D.2.7, C.13).

Each as its player wrote it: neither is filled from the other or from the game, and what is no move stands as it was
written.
"""

from __future__ import annotations

from collections.abc import Iterator

from braille import brf
from braille.cells import write_number
from braille.loading import load_profile, national_profile
from braille.profile import BLANK, Profile
from braille.score import wrap
from server.exports.scores import ScoreHandedOver, ScoresHandedOver
from server.game.state.state import GameState
from server.game.values.position import Position
from server.game.values.words import Seat
from server.wording.braille import Reader, cell_in_cells, prose_in_cells
from server.wording.words import scheme_for


def in_text(scores: ScoresHandedOver) -> str:
    """Both scores, a move a line."""
    return "\n".join(f"{_title(scores, one)}\n\n{one.text.rstrip()}\n" for one in scores.scores)


def in_cells(state: GameState, scores: ScoresHandedOver, profile: str | None) -> str:
    """Both scores in Unicode braille, lines of at most 40 cells."""
    made = []
    for one in scores.scores:
        head, lines = _lines(state, scores, one, profile)
        made.append("\n".join([*wrap(head.split(BLANK)), "", *lines]) + "\n")
    return "\n".join(made)


def to_emboss(state: GameState, scores: ScoresHandedOver, profile: str | None) -> str:
    """Both scores as a BRF file: 40 cells by 25 lines, running head, page number, form feed.

    Raises Complaint for a code of eight dots, which no embossed page has.
    """
    pages: list[tuple[str, ...]] = []
    for one in scores.scores:
        head, lines = _lines(state, scores, one, profile)
        code = _profile(state, one.seat, profile)
        for portion in brf.split(lines):
            number = prose_in_cells(str(len(pages) + 1), code)
            pages.append(brf.page(portion, head, number))
    return brf.document(pages)


def _profile(state: GameState, seat: Seat, name: str | None) -> Profile:
    return load_profile(name or national_profile(state.plan(seat).language))


def _title(scores: ScoresHandedOver, one: ScoreHandedOver) -> str:
    parts = (one.player or one.seat.value, one.seat.value, scores.table, scores.event, scores.result or "")
    return ", ".join(dict.fromkeys(part for part in parts if part))


def _lines(
    state: GameState, scores: ScoresHandedOver, one: ScoreHandedOver, profile: str | None
) -> tuple[str, tuple[str, ...]]:
    """The running head in cells, and the lines of the score."""
    code = _profile(state, one.seat, profile)
    reader = Reader(scheme_for(state, one.seat), code, brf.WIDTH, one.seat)
    texts = [cell.text if cell is not None else "" for cell in state.score_of(one.seat)]
    return prose_in_cells(_title(scores, one), code), wrap(_groups(texts, reader, state.positions[0]))


def _groups(texts: list[str], reader: Reader, start: Position) -> Iterator[str]:
    """What may not be broken over a line's end: a number and what follows it, then word by word."""
    code, number, white = reader.profile, start.move_number, start.turn is Seat.WHITE
    for ply, text in enumerate(texts):
        words = cell_in_cells(text, reader, print_too=False).split(BLANK)
        if white or ply == 0:
            first = "" if white else code.signs.black_first.cells
            words[0] = write_number(number, code) + code.number_after + BLANK + first + words[0]
        yield from words
        number, white = number + (not white), not white
