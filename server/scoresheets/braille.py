"""A braille score taken apart into the cells of a sheet, legal or not.

Each cell stays the braille the player wrote.
"""

from __future__ import annotations

import re

import chess

from braille.cells import Written, read_cells, read_number
from braille.profile import BLANK, Profile
from server.scoresheets.cell import KINDS
from server.scoresheets.forms import Form
from server.scoresheets.sheet import MOST_CHARACTERS, Filling, Sheet, sheet_of
from speech.complaint import Complaint, Phrase

NO_MOVE = "⠤"
HEAD = re.compile(f"[^{BLANK} ].*[{BLANK} ]{{3,}}[^{BLANK} ]+")


def is_dotted(text: str) -> bool:
    """Return whether a text is braille throughout: cells and white space, nothing else."""
    marks = [letter for letter in text if not letter.isspace()]
    return bool(marks) and all("\u2800" <= letter <= "\u28ff" for letter in marks)


def parse_dotted(pages: tuple[tuple[str, ...], ...], profile: Profile, name: str) -> Sheet:
    """Return the cells of a score in Unicode braille; each page is a tuple of lines.

    Running heads and the heading are passed over. The moves begin at the first number 1 that a move (or the sign of a
    blank cell) follows. Raises Complaint where there is none, and for a number out of order.
    """
    if sum(len(line) for page in pages for line in page) > MOST_CHARACTERS:
        raise Complaint(Phrase("sheet_long", name=name))
    lines = [line for page in pages for line in (page[1:] if len(pages) > 1 and page and _is_head(page[0]) else page)]
    if len(pages) == 1 and lines and _is_head(lines[0]):
        lines = lines[1:]
    words = [
        (number, word)
        for number, line in enumerate(lines, 1)
        for word in re.split(f"[{BLANK}\\s]+", line)
        if word.strip(BLANK)
    ]
    results = {spelling for sign in profile.results.values() for spelling in (sign.cells, *sign.also)}
    results.add(profile.signs.break_off.cells)
    first = next((at for at, _ in enumerate(words) if _begins(words, at, profile)), None)
    if first is None:
        raise Complaint(Phrase("scores.no_braille", name=name))
    filling = Filling(name, chess.Board())
    for line_number, word in words[first:]:
        where = Phrase("sheet_braille_line", line=line_number, name=name)
        number = read_number(word, profile)
        if number is not None:
            filling.move_number(number, black=False, where=where)
        elif word in results:
            continue
        elif not word.strip(NO_MOVE):
            filling.cell("-", where)
        else:
            black = word.removeprefix(profile.signs.black_first.cells)
            if black != word:
                filling.cell("...", where)
            filling.cell(black, where)
    return sheet_of(filling.cells)


def _is_head(line: str) -> bool:
    return len(line) == 40 and HEAD.fullmatch(line) is not None


def _begins(words: list[tuple[int, str]], at: int, profile: Profile) -> bool:
    if read_number(words[at][1], profile) != 1 or at + 1 == len(words):
        return False
    following = words[at + 1][1]
    return not following.strip(NO_MOVE) or written_in(following.lstrip(NO_MOVE), (profile,)) is not None


def written_in(cells: str, profiles: tuple[Profile, ...]) -> Written | None:
    """Return the move that a row of cells writes in the first of these profiles that reads it, or None."""
    for profile in profiles:
        try:
            return read_cells(cells, profile)
        except Complaint:
            continue
    return None


def form_in_cells(written: Written) -> Form:
    """Return a move written in cells as a form; marks of capture, check, mate and e.p. do not count."""
    if written.castling is not None or written.to_square is None:
        return Form(castling=written.castling)
    piece = KINDS[written.piece]
    to_file, to_rank = "abcdefgh".index(written.to_square[0]), int(written.to_square[1]) - 1
    from_file = "abcdefgh".index(written.from_file) if written.from_file is not None else None
    from_rank = int(written.from_rank) - 1 if written.from_rank is not None else None
    bare_pawn = piece == chess.PAWN and from_file is None and from_rank is None
    if bare_pawn and not written.capture:
        from_file = to_file
    both = from_file is not None and from_rank is not None
    return Form(
        piece=None if piece == chess.PAWN and both else piece,
        from_file=from_file,
        from_rank=from_rank,
        to_file=to_file,
        to_rank=to_rank,
        must_capture=bare_pawn and written.capture,
        promotion=KINDS[written.promotion] if written.promotion is not None else None,
    )
