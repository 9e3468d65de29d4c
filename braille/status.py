"""The status line for a display of 14, 20, 32 or 40 cells. Pure.

The last move comes first, then what is due, then the times. A tactile player gets times and move number only on
asking (D.2.10.4): the code that builds a `Status` leaves them out otherwise.
"""

from __future__ import annotations

import msgspec

from braille.cells import Written, cells_of_move, write_number
from braille.letters import spell
from braille.profile import BLANK, Profile
from braille.score import wrap

WIDTHS = (14, 20, 32, 40)
"""Cells of the displays that are common; any width from `NARROWEST` on will do."""
NARROWEST = 14


class Status(msgspec.Struct, frozen=True):
    """Values that a player may be shown now.

    `number`: of `move`, None where the player may not see it; `black`: Black made it. `due`: a word or two in the
    player's language on what they have to do now (echo, press), "" for nothing. `own_ms`, `opponent_ms`: None where the
    player may not see them. `own_runs`: True the player's own clock runs, False the opponent's, None neither.
    """

    number: int | None = None
    black: bool = False
    move: Written | None = None
    due: str = ""
    own_ms: int | None = None
    opponent_ms: int | None = None
    own_runs: bool | None = None


def time_cells(ms: int, profile: Profile) -> str:
    """Return a time as hours, minutes and seconds in the prose of the code; never below zero.

    `ms`: milliseconds; a second that has only begun does not count.

    >>> time_cells(3_930_000, computer)  # 1:05:30
    '⠂⠱⠴⠢⠱⠒⠴'
    """
    seconds = max(0, ms) // 1000
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return spell(text, profile.letters)


def status_lines(status: Status, profile: Profile, width: int) -> tuple[str, ...]:
    """Return the lines to pan through, each at most `width` cells, the move on the first.

    No move, word or time is broken. A move that does not fit beside its number has a line of its own, before the
    number. Raises ValueError below `NARROWEST` cells.
    """
    if width < NARROWEST:
        raise ValueError(f"a display has at least {NARROWEST} cells, not {width}")
    groups: list[str] = []
    if status.move is not None:
        move = cells_of_move(status.move, profile)
        number = ""
        if status.number is not None:
            number = write_number(status.number, profile) + profile.number_after
        first = profile.signs.black_first.cells if status.black else ""
        together = number + BLANK + first + move if number else move
        groups += [together] if len(together) <= width else [move, number]
    groups += spell(status.due, profile.letters).split(BLANK)
    for ms, runs in ((status.own_ms, status.own_runs is True), (status.opponent_ms, status.own_runs is False)):
        if ms is not None:
            groups.append(time_cells(ms, profile) + (profile.runs.cells if runs else ""))
    return wrap((group for group in groups if group), width)
