"""OpenFst's `vector` FSTs of `standard` arcs: building, writing and reading them.

Costs add up and the least wins.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence

import msgspec

from speech.complaint import Complaint

_MAGIC = 2125659606
_HEAD = struct.Struct("<ii6si8siiQqqq")
_EXPANDED_AND_MUTABLE = 3
_STATE = struct.Struct("<fq")
_ARC = struct.Struct("<iifi")


class Arc(msgspec.Struct, frozen=True):
    """Arc from input label to output label (0: nothing) at a cost, to the state `target`."""

    input: int
    output: int
    cost: float
    target: int


class State(msgspec.Struct):
    """Cost of ending here (infinite: it cannot end), and the arcs out of the state."""

    final: float = math.inf
    arcs: list[Arc] = msgspec.field(default_factory=list)


class Fst:
    """Graph while it is drawn; the start is state 0."""

    def __init__(self) -> None:
        self.states: list[State] = []

    def state(self, final: float = math.inf) -> int:
        """Add a state and return its number."""
        self.states.append(State(final))
        return len(self.states) - 1

    def arc(self, source: int, target: int, *, input: int = 0, output: int = 0, cost: float = 0.0) -> None:
        """Add an arc."""
        self.states[source].arcs.append(Arc(input, output, cost, target))


def by_input(arc: Arc) -> tuple[int, int]:
    """Return the sorting key of the arcs of the right side of a composition."""
    return arc.input, arc.output


def by_output(arc: Arc) -> tuple[int, int]:
    """Return the sorting key of the arcs of the left side of a composition."""
    return arc.output, arc.input


def fst_bytes(states: Sequence[State], order: Callable[[Arc], tuple[int, int]]) -> bytes:
    """Return the file, start state 0, the arcs of each state in this order."""
    count = sum(len(state.arcs) for state in states)
    version, flags, start = 2, 0, 0
    head = _HEAD.pack(
        _MAGIC, 6, b"vector", 8, b"standard", version, flags, _EXPANDED_AND_MUTABLE, start, len(states), count
    )
    parts = [head]
    for state in states:
        parts.append(_STATE.pack(state.final, len(state.arcs)))
        parts += [_ARC.pack(arc.input, arc.output, arc.cost, arc.target) for arc in sorted(state.arcs, key=order)]
    return b"".join(parts)


def read_fst(data: bytes) -> list[State]:
    """Read the bytes of `fst_bytes`. Raises Complaint for anything else."""
    try:
        magic, _, kind, _, arcs, _, flags, _, start, count, _ = _HEAD.unpack_from(data)
        if (magic, kind, arcs, flags, start) != (_MAGIC, b"vector", b"standard", 0, 0):
            raise Complaint("This is no vector FST that Anna Eins wrote.")
        place = _HEAD.size
        states: list[State] = []
        for _ in range(count):
            final, number = _STATE.unpack_from(data, place)
            place += _STATE.size
            found = [Arc(*_ARC.unpack_from(data, place + more * _ARC.size)) for more in range(number)]
            place += number * _ARC.size
            states.append(State(final, found))
        return states
    except struct.error as wrong:
        raise Complaint(f"The FST is cut short ({wrong}).") from None
