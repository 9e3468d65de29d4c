"""A table on which a game is adjourned: what the tests of Guidelines I share."""

from __future__ import annotations

from typing import Any

import chess

from server.game import acts as cmd
from server.game import acts as ev
from server.game.laws.event_options import EventOptions
from server.game.values.adjournment import Adjournment, SealedMove
from server.game.values.announcement import Announcement
from server.game.values.speech import Speech
from server.game.values.words import Origin, Role, Seat
from tests.game.core_table import CoreTable, said

W, B = Seat.WHITE, Seat.BLACK
T = 1_000  # the instant of every act that does not wait
START = chess.STARTING_BOARD_FEN
FIRST = {W: chess.STARTING_FEN, B: chess.STARTING_FEN.replace(" w ", " b ")}  # who begins
MOVE = {W: "g1f3", B: "g8f6"}
SAID = {W: "Nf3", B: "Nf6"}
AFTER = {W: "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R", B: "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR"}
LOSES = {W: "0-1", B: "1-0"}
DEFAULT_S = 900
SEAL = cmd.SealMove(sealed="c2VhbGVk", sha256="ab", utterance="u1")


def opened(seat: Seat = W, default_s: int = DEFAULT_S, **more: Any) -> CoreTable:
    """A table where Guidelines I hold; `seat` begins."""
    more.setdefault("control", "5400")
    rules = EventOptions(guidelines=("I",), default_time_s=default_s)
    return CoreTable(fen=FIRST[seat], regulations=rules, **more)


def ordered(seat: Seat = W, **more: Any) -> CoreTable:
    table = opened(seat, **more)
    table.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))
    return table


def closed(seat: Seat = W, **more: Any) -> CoreTable:
    """`seat` has sealed its first move after five seconds; nobody has come yet to the resumption, at second 10."""
    table = ordered(seat, **more)
    table.done(seat.value, SEAL)
    table.wait(5_000)
    table.press(seat.value)
    table.wait(4_000)
    return table


def of(table: CoreTable) -> Adjournment:
    assert table.state.adjournment is not None
    return table.state.adjournment


def there(table: CoreTable, seat: Seat, present: bool = True) -> tuple[ev.AnyEvent, ...]:
    return table.done("arbiter", cmd.MarkPresent(seat=seat, present=present))


def heard(text: str = "Nf3") -> SealedMove:
    return SealedMove(announcement=said(text), words=(text,), text=text, utterance="u1")


def squares(uci: str) -> Announcement:
    return Announcement(from_square=uci[:2], to_square=uci[2:4])


def paused(at: int, reason: str, by: Role = Role.ARBITER, seat: Seat | None = None) -> ev.ClockPaused:
    return ev.ClockPaused(at=at, by=by, seat=seat, reason=reason)


def alert(at: int, kind: str, detail: str, ply: int = 0, utterance: str | None = None) -> ev.Alerted:
    return ev.Alerted(at=at, kind=kind, ply=ply, grey=False, detail=detail, utterance=utterance)


def clock_set(at: int, white_ms: int, black_ms: int, turn: Seat, reason: str, **more: Any) -> ev.ClockSet:
    return ev.ClockSet(at=at, white_ms=white_ms, black_ms=black_ms, turn=turn, reason=reason, **more)


def times(seat: Seat) -> tuple[int, int]:
    """White's and Black's time after five seconds of the sealer's."""
    return (5_395_000, 5_400_000) if seat is W else (5_400_000, 5_395_000)


def made(seat: Seat, at: int, content: SealedMove, said_: Announcement, text: str) -> list[ev.AnyEvent]:
    """The sealed move is made and completed with the times of the sealing, no matter who opened it."""
    words = Speech(announcement=said_, words=content.words, text=text, utterance=content.utterance)
    events: list[ev.AnyEvent] = [
        ev.Announced(at=at, seat=seat, ply=1, origin=content.origin, speech=words),
        ev.Made(at=at, seat=seat, ply=1, origin=Origin.DECLARED),
        ev.Completed(
            at=at, seat=seat, ply=1, origin=Origin.DECLARED, white_ms=times(seat)[0], black_ms=times(seat)[1]
        ),
        ev.BoardMoved(at=at, board=seat, ply=1, uci=MOVE[seat], origin=Origin.DECLARED),
    ]  # fmt: skip
    if seat is W:  # Black is sighted here and keeps the score on paper
        events.append(
            ev.ScoreWritten(at=at, seat=W, index=1, text=text, source="announcement", utterance=content.utterance)
        )
    return events
