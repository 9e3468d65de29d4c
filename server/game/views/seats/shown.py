"""Which function says what a seat is shown of an event: it registers itself with `@shown`, in the file of its subject.

An event of which no seat is told is registered with `silent`, so that nobody forgets to decide it. Pure.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import TypeVar

from server.game.acts import AnyEvent, Event
from server.game.state.state import GameState
from server.game.values.words import Station
from server.game.views.messages import AnyMessage

Shown = TypeVar("Shown", bound=Callable[..., AnyMessage | None])
GIVEN = frozenset({"event", "state", "station", "seat"})
"""Values that a function may ask for, by the names of its parameters."""

_shown: dict[type[Event], tuple[Callable[..., AnyMessage | None], tuple[str, ...]]] = {}
_everywhere: set[type[Event]] = set()


def shown(*kinds: type[Event], everywhere: bool = False) -> Callable[[Shown], Shown]:
    """Register a function as what a station of a seat is told of these events, given the state after them.

    The function names those of `GIVEN` that it needs; None where this station is told nothing. `everywhere`: displays
    and observers, who have no seat, are told by it as well. Raises TypeError for any other name and for an event that
    is registered already.
    """

    def register(show: Shown) -> Shown:
        names = tuple(inspect.signature(show).parameters)
        if not GIVEN.issuperset(names) or (everywhere and "seat" in names):
            raise TypeError(f"{show.__qualname__} asks for what it cannot be given")
        for kind in kinds:
            _register(kind, show, names)
        _everywhere.update(kinds if everywhere else ())
        return show

    return register


def silent(*kinds: type[Event]) -> None:
    """Register events of which no seat is told. Raises TypeError for one that is registered already."""
    for kind in kinds:
        _register(kind, lambda: None, ())


def _register(kind: type[Event], show: Callable[..., AnyMessage | None], names: tuple[str, ...]) -> None:
    if kind in _shown:
        raise TypeError(f"{show.__qualname__} cannot show {kind.__name__}, which is registered already")
    _shown[kind] = (show, names)


def check_shown(kinds: Iterable[type[Event]]) -> None:
    """Check that all these events are registered. Raises TypeError where one is not."""
    if missing := sorted(kind.__name__ for kind in kinds if kind not in _shown):
        raise TypeError(f"views/seats does not say what a seat is told of {', '.join(missing)}")


def is_shown_everywhere(event: AnyEvent) -> bool:
    """Return whether displays and observers are told of this event by the function of the seats."""
    return type(event) in _everywhere


def message_for(event: AnyEvent, state: GameState, station: Station) -> AnyMessage | None:
    """Return what a station is told of an event by the function that is registered for it."""
    show, names = _shown[type(event)]
    given = {"event": event, "state": state, "station": station, "seat": station.seat}
    return show(**{name: given[name] for name in names})
