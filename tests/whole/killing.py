"""At which moments the server is killed."""

from __future__ import annotations

import random
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec


class Act(msgspec.Struct, frozen=True):
    """Something done at a station that can be tried again. `done`: whether it need not be."""

    kind: str
    run: Callable[[], Coroutine[Any, Any, None]]
    done: Callable[[], bool]


class Moment(msgspec.Struct, frozen=True):
    """Kill `delay_s` after an act of this kind began; then kill again while the server starts, at these delays."""

    kind: str
    delay_s: float
    kills_while_starting: tuple[float, ...] = ()


LONGEST_DELAY_S = {"press": 0.012, "enter": 0.012, "type": 0.012, "write": 0.012, "frames": 0.15, "heard": 0.08}
HOW_OFTEN = {"press": 5, "enter": 2, "type": 2, "write": 2, "frames": 4, "heard": 2}
IDLE_S = 2.3
"""Longer than the second between two witnesses, by more than a busy machine is late."""


def moments(chance: random.Random) -> list[Moment]:
    """Seventeen moments of acts and two of rest in a random order; after three of them the start is killed too."""
    plan = [
        Moment(kind, chance.uniform(0, LONGEST_DELAY_S[kind]))
        for kind, count in HOW_OFTEN.items()
        for _ in range(count)
    ]
    plan += [Moment("idle", IDLE_S) for _ in range(2)]
    chance.shuffle(plan)
    for index in chance.sample(range(len(plan)), 3):
        plan[index] = msgspec.structs.replace(plan[index], kills_while_starting=(chance.uniform(0.2, 1.2),))
    return plan
