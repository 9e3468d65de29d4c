"""A spoken time under a minute is what the display shows when the phrase ends (D.2.6.1)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from server.game.values.clock import ChessClock, still_true, time_at_end
from server.game.values.words import Seat
from server.game.views.messages import AnswerGiven, AnyMessage, TimeCue
from server.protocol import ReadOut, SealedWords
from server.voice.priority import cue_good_ms
from server.wording.pieces import pieces_of
from speech.audio.sound import Sound
from speech.voices.voice import Segment
from speech.words.scheme import Scheme

GOOD_FOR_MS = 1_000
"""A phrase with a time under a minute begins within this time, or is made again."""
TRIES = 3
"""The most attempts: a phrase with other seconds is about as long, and the player waits meanwhile."""

Render = Callable[[Sequence[Segment]], Awaitable[Sound]]
Told = TypeVar("Told", bound=AnyMessage | SealedWords | ReadOut)


def running_time(message: AnyMessage | SealedWords | ReadOut, clock: ChessClock, now: int) -> int | None:
    """Return the running side's time (ms) where a message tells a time of a running clock; else None."""
    if not isinstance(message, AnswerGiven) or message.age_ms is not None or clock.running is None:
        return None
    if message.own_ms is None and message.opponent_ms is None:
        return None
    return clock.remaining(clock.running, now)


def still_cued(cue: TimeCue, clock: ChessClock, seat: Seat, now: int) -> bool:
    """Return whether the player's clock still runs, and shows about what the cue says."""
    late_ms = cue.left_s * 1_000 - clock.remaining(seat, now)
    return clock.running is seat and 0 <= late_ms <= cue_good_ms(cue)


def as_read_now(message: Told, seat: Seat, read: tuple[int, int, int] | None, now: int) -> Told:
    """Return times off another clock as they were read last (`read`: when, White's and Black's, ms).

    What was asked for may be said later, and again. All else is returned as it is.
    """
    if not isinstance(message, AnswerGiven) or message.age_ms is None or read is None:
        return message
    at, *times = read
    own, opponent = times if seat is Seat.WHITE else reversed(times)
    return replace(
        message,
        own_ms=None if message.own_ms is None else own,
        opponent_ms=None if message.opponent_ms is None else opponent,
        age_ms=max(0, now - at),
    )


def tells_time(message: AnyMessage | SealedWords | ReadOut, piece: int) -> bool:
    """Return whether this piece of an answer is a time on the clock, or which side's runs: they come first."""
    if not isinstance(message, AnswerGiven) or message.what not in ("time", "opponent_time", "clock"):
        return False
    return piece < (3 if message.what == "clock" else 1)


def tells_age(message: AnyMessage | SealedWords | ReadOut) -> bool:
    """Return whether an answer says how old its times are: soon each of its pieces is older."""
    return isinstance(message, AnswerGiven) and message.age_ms is not None


async def told_at_end(
    message: AnswerGiven, scheme: Scheme, seat: Seat, clock: Callable[[], ChessClock], now: Callable[[], int],
    render: Render, piece: int = 0,
) -> tuple[str, Sound]:  # fmt: skip
    """Return the text and sound of a time as it will be when the sound ends, if it begins at once.

    It is that piece of the answer.

    Raises what `render` raises.
    """
    text, length = "", 0
    for _ in range(TRIES):
        shown, begins = clock(), now()
        running = shown.running
        told = replace(
            message,
            own_ms=None if message.own_ms is None else time_at_end(shown, seat, begins, length),
            opponent_ms=None if message.opponent_ms is None else time_at_end(shown, seat.other, begins, length),
            own_runs=None if running is None else running is seat,
        )
        text, segments = pieces_of(told, scheme)[piece]
        sound = await render(segments)
        length, begins, shown = sound.duration_ms, now(), clock()
        pairs = ((told.own_ms, seat), (told.opponent_ms, seat.other))
        if shown.running is running and all(
            ms is None or still_true(ms, shown, whose, begins, length) for ms, whose in pairs
        ):
            break
    return text, sound
