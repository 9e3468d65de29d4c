"""The rehearsal lets the players try the equipment before the game. Pure.

It has a few fixed steps: two moves each, echoes, presses, the time, the arbiter's bell, a mistake corrected. It is
separate from the game and gives no events of it; only that it was held, or why not, is recorded.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from server.game.values.announcement import Announcement
from server.game.values.words import Seat

Kind = Literal["level", "say", "echo", "press", "mistake", "correct", "time", "arbiter"]
Level = Literal["silent", "quiet", "clipped", "noisy", "good"]
Reply = Literal["done", "again", "quiet", "loud", "not_yours"]
E4, E5 = Announcement("pawn", None, "e4"), Announcement("pawn", None, "e5")
NF6, NF3, NC6 = (Announcement("knight", None, square) for square in ("f6", "f3", "c6"))


class RehearsalStep(msgspec.Struct, frozen=True):
    """One player's next step. `move`: what the player says or echoes."""

    kind: Kind
    seat: Seat
    move: Announcement | None = None


WHITE, BLACK = Seat.WHITE, Seat.BLACK
STEPS = (
    RehearsalStep("level", WHITE),
    RehearsalStep("level", BLACK),
    RehearsalStep("say", WHITE, E4),
    RehearsalStep("press", WHITE),
    RehearsalStep("echo", BLACK, E4),
    RehearsalStep("say", BLACK, E5),
    RehearsalStep("press", BLACK),
    RehearsalStep("echo", WHITE, E5),
    RehearsalStep("mistake", WHITE, NF6),
    RehearsalStep("correct", WHITE, NF3),
    RehearsalStep("press", WHITE),
    RehearsalStep("echo", BLACK, NF3),
    RehearsalStep("say", BLACK, NC6),
    RehearsalStep("press", BLACK),
    RehearsalStep("echo", WHITE, NC6),
    RehearsalStep("time", WHITE),
    RehearsalStep("time", BLACK),
    RehearsalStep("arbiter", WHITE),
    RehearsalStep("arbiter", BLACK),
)


class Trial(msgspec.Struct, frozen=True):
    """One attempt of a player in the rehearsal.

    The player spoke at some level (`sound`), said a move, pressed, asked for the time, or called the arbiter.
    """

    kind: Literal["sound", "said", "press", "time", "arbiter", "other"]
    move: Announcement | None = None
    level: Level | None = None


class Rehearsal(msgspec.Struct, frozen=True):
    """Progress of the rehearsal.

    `seats`: who takes part. `passed`: the steps that were passed over, by number from 1.
    """

    seats: tuple[Seat, ...]
    at: int = 0
    passed: tuple[int, ...] = ()

    @property
    def step(self) -> RehearsalStep | None:
        """Return the step to be done now; None when all are done."""
        return STEPS[self.at] if self.at < len(STEPS) else None


def begin(seats: tuple[Seat, ...]) -> Rehearsal:
    """Begin at the first step of a player who takes part.

    A player without a station does these things on the board and has no step here.
    """
    return _go_to(Rehearsal(seats), 0)


def take(rehearsal: Rehearsal, seat: Seat, act: Trial) -> tuple[Rehearsal, Reply]:
    """Take what a player did; return the rehearsal after it and whether it was the expected step.

    >>> take(Rehearsal((WHITE, BLACK), at=3), WHITE, Trial("press"))[1]
    'done'
    """
    step = rehearsal.step
    if step is None or step.seat is not seat:
        return rehearsal, "not_yours"
    if step.kind == "level":
        reply: Reply = {"silent": "quiet", "quiet": "quiet", "clipped": "loud"}.get(act.level or "silent", "done")  # type: ignore[assignment]
        if act.kind != "sound":
            reply = "again"
    elif step.move is not None:
        agrees = act.kind == "said" and act.move is not None and act.move.agrees_with(step.move)
        reply = "done" if agrees else "again"
    else:
        reply = "done" if act.kind == step.kind else "again"
    return (_go_to(rehearsal, rehearsal.at + 1) if reply == "done" else rehearsal), reply


def pass_over(rehearsal: Rehearsal) -> Rehearsal:
    """Leave this step out by the arbiter's word, for example where there is no microphone."""
    number = rehearsal.at + 1
    return _go_to(replace(rehearsal, passed=(*rehearsal.passed, number)), number) if rehearsal.step else rehearsal


def _go_to(rehearsal: Rehearsal, first: int) -> Rehearsal:
    """Go to the first step from this one on of a player who takes part, else to the end."""
    theirs = (at for at in range(first, len(STEPS)) if STEPS[at].seat in rehearsal.seats)
    return replace(rehearsal, at=next(theirs, len(STEPS)))
