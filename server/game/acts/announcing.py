"""The machine's announcements and the waits for them (D.2.4, adaptation announcement_on_movers_time)."""

from __future__ import annotations

from typing import Literal

from server.game.acts.event import Event
from server.game.values.words import Seat


class AnnouncementSpoken(Event, frozen=True, kw_only=True):
    """The machine announces a move into this ear: begun (`until_ms` None), timed, or `over` before its time."""

    seat: Seat
    utterance: str
    until_ms: int | None = None
    over: bool = False


class AnnouncementWaited(Event, frozen=True, kw_only=True):
    """A press took effect when the announcement of its move had been heard, `ms` after it.

    `charge`: whose those ms were: the mover's, or (`none`) nobody's, while both clocks stood.
    """

    seat: Seat
    ply: int
    ms: int
    charge: str


class Explored(Event, frozen=True, kw_only=True):
    """At a table for training only: a question about the position, and what it found, for the asker alone.

    Men are FEN letter and square, "Ng1"; `takes`: who may take on which square; `words`: of the last move.
    """

    seat: Seat
    station: str
    about: str
    white: tuple[str, ...] = ()
    black: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    takes: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()


class TrainingAsked(Event, frozen=True, kw_only=True):
    """At a table for training only: several legal moves fit the words (`which`), or none does (`illegal`).

    `piece`, `choices`: which of these pieces, by their squares; empty for `illegal`.
    """

    seat: Seat
    ply: int
    ask: Literal["which", "illegal"]
    piece: str = ""
    choices: tuple[str, ...] = ()
    utterance: str | None = None
