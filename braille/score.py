"""A whole game as a braille score.

A score has a heading, numbered moves and the result, in lines that fit a page.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping

import chess
import msgspec

from braille import brf
from braille.cells import write_move, write_number
from braille.position import write_position
from braille.profile import BLANK, Profile

NAME_LIMIT = 200  # characters of one entry of the heading; a longer one is cut and ends in three dots


class Played(msgspec.Struct, frozen=True):
    """Recorded game.

    `moves`: UCI. `result`: "1-0", "0-1", "1/2-1/2", "*" ..., None where none was recorded. `headers`: the tags of PGN
    (White, Black, Event, Site, Date, Round). `start_fen`: None for the usual start. `draw_offers`: plies (the first
    move is 0) that came with a draw offer (C.12). `broken_off`: the record could not be read beyond these moves.
    """

    headers: Mapping[str, str]
    moves: tuple[str, ...]
    result: str | None = None
    start_fen: str | None = None
    chess960: bool = False
    draw_offers: tuple[int, ...] = ()
    broken_off: bool = False


def start_board(played: Played) -> chess.Board:
    """Return the position before the first move."""
    return chess.Board(played.start_fen or chess.STARTING_FEN, chess960=played.chess960)


def collapse_space(text: str) -> str:
    """Return an entry of a heading as one line of plain text.

    Control and direction characters and runs of spaces are removed.
    """
    kept = "".join(" " if unicodedata.category(mark) in ("Cc", "Cf", "Cs", "Zl", "Zp") else mark for mark in text)
    line = " ".join(kept.split())
    return line if len(line) <= NAME_LIMIT else line[:NAME_LIMIT] + "..."


def names(played: Played) -> tuple[str, str]:
    """Return White's and Black's name; NN where a name was not recorded."""
    white, black = (collapse_space(played.headers.get(side, "")) for side in ("White", "Black"))
    return ("NN" if white in ("", "?") else white, "NN" if black in ("", "?") else black)


def occasion(played: Played) -> tuple[str, ...]:
    """Return event, place, date and round, as far as they were recorded ("1992.??.??" is 1992)."""
    entries = [collapse_space(played.headers.get(tag, "")) for tag in ("Event", "Site", "Date", "Round")]
    entries[2] = entries[2].split("?")[0].rstrip(".")
    return tuple(entry for entry in entries if entry not in ("", "?", "-"))


def wrap(groups: Iterable[str], width: int = brf.WIDTH) -> tuple[str, ...]:
    """Set groups of cells in lines of at most `width` cells.

    No group is broken; only one that is longer than a line is cut.
    """
    lines: list[str] = []
    line = ""
    for group in groups:
        for start in range(0, len(group), width):
            piece = group[start : start + width]
            if line and len(line) + 1 + len(piece) <= width:
                line += BLANK + piece
            else:
                lines += [line] if line else []
                line = piece
    return (*lines, line) if line else tuple(lines)


def _words(cells: str) -> list[str]:
    return [word for word in cells.split(BLANK) if word]


def head(played: Played, prose: Callable[[str], str]) -> str:
    """Return the running head of the pages of this score: both names in cells."""
    white, black = names(played)
    return prose(f"{white} – {black}")


def heading_lines(played: Played, profile: Profile, prose: Callable[[str], str]) -> tuple[str, ...]:
    """Return names, occasion and, for a game from an unusual start, the position line.

    `prose`: turns text into cells.
    """
    white, black = names(played)
    lines = [*wrap(_words(prose(f"{white} – {black}")))]
    for entry in occasion(played):
        lines += wrap(_words(prose(entry)))
    if played.start_fen is not None:
        lines += wrap(_words(write_position(start_board(played), profile)))
    return tuple(lines)


def _groups(played: Played, profile: Profile) -> Iterator[str]:
    """Yield the groups that may not be broken at the end of a line.

    Number and White's move stay together; each of Black's moves and the result stand by themselves.
    """
    board = start_board(played)
    signs = profile.signs
    for ply, uci in enumerate(played.moves):
        move = chess.Move.from_uci(uci)
        cells = write_move(board, move, profile, draw_offer=ply in played.draw_offers)
        number = write_number(board.fullmove_number, profile) + profile.number_after + BLANK
        if board.turn == chess.WHITE:
            cells = number + cells
        elif ply == 0:
            cells = number + signs.black_first.cells + cells
        yield cells
        board.push(move)
    if played.broken_off:
        yield signs.break_off.cells
    elif played.result is not None:
        yield profile.results[played.result].cells


def move_lines(played: Played, profile: Profile) -> tuple[str, ...]:
    """Return the moves and the result in lines of at most 40 cells, never broken inside a move.

    Raises Complaint for a move that is not legal and KeyError for a result that is none of `profile.RESULTS`.
    """
    return wrap(_groups(played, profile))


def braille_lines(played: Played, profile: Profile, prose: Callable[[str], str]) -> tuple[str, ...]:
    """Return the whole score: heading, an empty line, moves."""
    return (*heading_lines(played, profile, prose), "", *move_lines(played, profile))


def brf_pages(
    played: Played, profile: Profile, prose: Callable[[str], str], *, first_page: int = 1
) -> tuple[tuple[str, ...], ...]:
    """Return the score as pages of cells, each with its running head and page number, for `brf.document`."""
    top = head(played, prose)
    portions = brf.split(braille_lines(played, profile, prose))
    return tuple(brf.brf_page(lines, top, prose(str(first_page + number))) for number, lines in enumerate(portions))
