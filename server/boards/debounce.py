"""Debouncing: a reading of a square counts only once it has stood for a moment, so that a wobble is not a lift.

A square whose reading differs from what it was must keep differing for `wobble_ms` before a `Lifted` or `Placed` is
made of it, with the time at which it began. What goes back before that is ignored. Pure.
"""

from __future__ import annotations

import chess
import msgspec

from server.boards.event import BoardEvent, Lifted, Placed, Snapshot
from server.boards.squares import EMPTY, UNKNOWN, alike, put


class Settling(msgspec.Struct, frozen=True):
    """Board whose readings are settling.

    `raw`: as last sensed. `settled`: as it is taken to stand. `since`: each differing square, and since when.
    """

    raw: str
    settled: str
    since: tuple[tuple[int, int], ...] = ()

    @classmethod
    def at_rest(cls, squares: str) -> Settling:
        """Return a board on which nothing moves."""
        return cls(squares, squares)

    @property
    def still(self) -> bool:
        """Say whether nothing waits to be settled."""
        return not self.since

    def due(self, wobble_ms: int) -> int | None:
        """Return the next instant (ms of the run) at which something settles, None where nothing waits."""
        return min(began for _, began in self.since) + wobble_ms if self.since else None

    def after(self, event: BoardEvent) -> Settling:
        """Return the board with what it says now; clock and link change nothing here."""
        match event:
            case Lifted():
                raw = put(self.raw, chess.parse_square(event.square), None, there=False)
            case Placed():
                raw = put(self.raw, chess.parse_square(event.square), event.piece)
            case Snapshot():
                raw = event.squares
            case _:
                return self
        began = dict(self.since)
        since = []
        for square in chess.SQUARES:
            if not _differs(raw[square], self.settled[square]):
                continue
            if square in began and raw[square] == self.raw[square]:
                since.append((square, began[square]))
            else:
                since.append((square, event.at))
        since.sort(key=lambda one: one[1])
        return Settling(raw, self.settled, tuple(since))

    def settle(self, now: int, wobble_ms: int) -> tuple[Settling, tuple[Lifted | Placed, ...]]:
        """Return the board and what has stood long enough by `now`, in the order in which it began.

        Of one instant, lifts come before placings.
        """
        ready = [(began, square) for square, began in self.since if now - began >= wobble_ms]
        if not ready:
            return self, ()
        settled = self.settled
        events: list[tuple[int, int, Lifted | Placed]] = []
        for began, square in ready:
            old, new = settled[square], self.raw[square]
            name = chess.square_name(square)
            if old != EMPTY:
                events.append((began, 0, Lifted(began, name, _letter(old))))
            if new != EMPTY:
                events.append((began, 1, Placed(began, name, _letter(new))))
            settled = put(settled, square, _letter(new), there=new != EMPTY)
        events.sort(key=lambda one: one[:2])
        left = tuple((square, began) for square, began in self.since if now - began < wobble_ms)
        return Settling(self.raw, settled, left), tuple(event for _, _, event in events)

    def with_names_of(self, squares: str) -> Settling:
        """Return the same board with unknown pieces named as in `squares` (where both are occupied)."""
        known = "".join(
            there if here == UNKNOWN and there != EMPTY else here
            for here, there in zip(self.settled, squares, strict=True)
        )
        return Settling(self.raw, known, self.since)

    def without_names_of(self, squares: str) -> Settling:
        """Return the same board, with a piece unknown again where `squares` has another one."""
        raw, settled = (
            "".join(
                UNKNOWN if EMPTY not in (here, there) and here != there else here
                for here, there in zip(known, squares, strict=True)
            )
            for known in (self.raw, self.settled)
        )
        return Settling(raw, settled, self.since)


def _differs(raw: str, settled: str) -> bool:
    return not alike(raw, settled)


def _letter(sign: str) -> str | None:
    return None if sign in (EMPTY, UNKNOWN) else sign
