"""Strategies for every command there is, from its own fields; and openings in which each room of the core is in use."""

from __future__ import annotations

import enum
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import strategies as st

from server.game.values.adjournment import SealedMove
from server.game.values.announcement import Announcement
from server.game.values.saying import saying
from tests.game.test_random_play import OPENINGS, announcements

TEXTS: Any = st.sampled_from(["", "e4", "(=)", "a note"])
PLACEMENTS: Any = st.sampled_from(["8/8/8/8/8/8/8/8", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "9/8"])
NAMED: dict[str, Any] = {
    "placement": PLACEMENTS,
    "uci": OPENINGS,
    "square": st.sampled_from(["e2", "e4", "e7", "e8", "g1", "a1", "h1"]),
    "touched": st.sampled_from(["e2", "e7", "g1"]),
    "piece": st.sampled_from(["Q", "n", "P"]),
    "index": st.integers(1, 9),
    "ply": st.integers(0, 9),
    "completed_plies": st.integers(0, 9),
    "number": st.integers(1, 3),
    "ms": st.sampled_from([-60_000, 0, 60_000]),
    "white_ms": st.integers(0, 70_000),
    "black_ms": st.integers(0, 70_000),
    "in_ms": st.sampled_from([0, 3_000]),
    "length_ms": st.sampled_from([400, 3_000, 50_000]),
    "session_left_ms": st.sampled_from([0, 20_000]),
    "increment_ms": st.sampled_from([0, 5_000]),
    "amount": st.sampled_from([0, 1, 60_000]),
    "at_ms": st.sampled_from([0, 5_000]),
    "witness_ms": st.integers(0, 400_000),
    "uncertain_ms": st.sampled_from([0, 700]),
    "moves": st.tuples(st.integers(0, 5), st.integers(0, 5)),
    "periods": st.tuples(st.integers(0, 2), st.integers(0, 2)),
    "games": st.integers(1, 4),
    "controls": st.sampled_from([("900+10", "600"), ("5400+30",), ()]),
    "at_s": st.sampled_from([(), (60, 30), (600, 300)]),
    "control": st.sampled_from(["60+2", "2/60+2:60+10", "no control"]),
    "name": st.sampled_from(
        ["spoken_time_automatic", "player_sets_clock",
         "machine_announces", "announcement_on_movers_time", "announcement_charge", "flag_called_by_system",
         "sighted_press_without_announcement", "sighted_press_needs_announcement", "position_readout", "no_such"]
    ),
    "value": st.sampled_from(["on", "approved", "none", "note", "clock_back"]),
    "kind": st.nothing(),
    "said": st.sampled_from([saying("search_failed"), saying("as_written", text="a note")]),
    "key": st.sampled_from(["key", "key", ""]),
    "station": st.sampled_from(["white", "late", ""]),
    "opponents": st.sampled_from(["0", "1/2", "1"]),
    "sealed": st.sampled_from(["c2VhbGVk", "c2VhbGVk", ""]),
    "content": st.builds(SealedMove, uci=OPENINGS)
    | st.builds(SealedMove, announcement=OPENINGS.map(lambda uci: Announcement(to_square=uci[2:])))
    | st.just(SealedMove(utterance="u1")),
    "mode": st.nothing(),
    "item": st.sampled_from(["special_board_size", "voice_recording", "no_such"]),
}  # fmt: skip


def of_type(hint: Any, name: str) -> Any:
    """A strategy for a field by its type; squares, times and numbers by their names."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return st.sampled_from(parts)
    if parts and (origin is not tuple):
        known = [of_type(part, name) for part in parts if part is not type(None)]
        return st.one_of(*known, st.none()) if type(None) in parts else st.one_of(*known)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return st.sampled_from(list(hint))
    if hint is bool:
        return st.booleans()
    if hint is int and name == "moves":  # of one side; elsewhere of both
        return st.integers(0, 5)
    if name == "moves" and parts[:1] == (str,):  # of a whole game
        return st.lists(OPENINGS, max_size=4).map(tuple)
    if name in NAMED and not NAMED[name].is_empty:
        return NAMED[name]
    if hint is Announcement:
        return announcements() | OPENINGS.map(lambda uci: Announcement(None, uci[:2], uci[2:]))
    if hint is int:
        return st.integers(0, 9)
    if hint is float:  # decibels
        return st.integers(-90, 0).map(float)
    if hint is str:
        return TEXTS
    if origin is tuple:
        if parts and parts[-1] is Ellipsis:
            return st.just(())
        return st.tuples(*(of_type(part, name) for part in parts))
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return commands_of(hint)
    raise TypeError(f"{name}: {hint}")


def commands_of(kind: type) -> Any:
    """Any command of one kind, or whatever else has fields."""
    hints = get_type_hints(kind)
    fields = {field.name: of_type(hints[field.name], field.name) for field in msgspec.structs.fields(kind)}
    return st.fixed_dictionaries(fields).map(lambda said: kind(**said))
