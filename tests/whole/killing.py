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
OFTEN = {"press": 5, "enter": 2, "type": 2, "write": 2, "frames": 4, "heard": 2, "idle": 2}
ONCE = dict.fromkeys(OFTEN, 1)
"""How often the server is killed in the midst of each kind of act."""

IDLE_S = 2.3
"""Longer than the second between two witnesses, by more than a busy machine is late."""


def moments(chance: random.Random, often: dict[str, int]) -> list[Moment]:
    """Moments of acts and of rest in a random order; after every sixth of them the start is killed too."""
    plan = [
        Moment(kind, IDLE_S if kind == "idle" else chance.uniform(0, LONGEST_DELAY_S[kind]))
        for kind, count in often.items()
        for _ in range(count)
    ]
    chance.shuffle(plan)
    for index in chance.sample(range(len(plan)), len(plan) // 6):
        plan[index] = msgspec.structs.replace(plan[index], kills_while_starting=(chance.uniform(0.2, 1.2),))
    return plan
