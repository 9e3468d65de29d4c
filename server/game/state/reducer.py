"""A reducer is a function that applies an event; it registers itself with `@applies`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar

from msgspec.structs import replace

from server.game.acts import Event

Reducer = TypeVar("Reducer", bound=Callable[..., Any])
Change = Callable[[Any, Any], Any]

_reducers: dict[type[Event], Change] = {}


def applies(*kinds: type[Event]) -> Callable[[Reducer], Reducer]:
    """Register a function as what these events change.

    Its first parameter names the slice of the state that it returns changed; then come the event and the slices that it
    reads besides, each by its name. A function whose first parameter is `state` changes several slices at once. Raises
    TypeError for a function that does not take the event second, and for an event that has a reducer already.
    """

    def register(reducer: Reducer) -> Reducer:
        change = _change(reducer)
        for kind in kinds:
            if kind in _reducers:
                raise TypeError(f"{reducer.__qualname__} cannot be another reducer of {kind.__name__}")
            _reducers[kind] = change
        return reducer

    return register


def _change(reducer: Callable[..., Any]) -> Change:
    """Return a reducer of a slice as a function of the whole state."""
    names = tuple(inspect.signature(reducer).parameters)
    if names[1:2] != ("event",) or (names[0] == "state" and len(names) > 2):
        raise TypeError(f"{reducer.__qualname__} must name what it changes, then the event")
    changed, _, *read = names
    if changed == "state":
        return reducer
    before = attrgetter(changed)
    others = tuple(attrgetter(name) for name in read)

    def change(state: Any, event: Any) -> Any:
        return replace(state, **{changed: reducer(before(state), event, *[other(state) for other in others])})

    return change


def change_of(kind: type[Event]) -> Change | None:
    """Return the change that an event of this kind makes; None where it concerns a channel or the record alone."""
    return _reducers.get(kind)
