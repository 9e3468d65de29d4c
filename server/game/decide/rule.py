"""Which rule decides which command: a rule registers itself with `@decides`, in the file of its subject."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TypeVar

from server.game.acts import Act, Refusal
from server.game.decide.draft import Draft
from server.game.values.words import Seat, Station

Rule = TypeVar("Rule", bound=Callable[..., Refusal | None])
GIVEN = frozenset({"draft", "seat", "station", "body", "about_ply"})
"""Values that a rule may ask for, by the names of its parameters."""

_rules: dict[type[Act], tuple[Callable[..., Refusal | None], tuple[str, ...]]] = {}


def decides(*kinds: type[Act]) -> Callable[[Rule], Rule]:
    """Register a function as the rule of these commands.

    The function names those of `GIVEN` that it needs: the draft of what happens, the seat that is spoken for, the
    station (None: the program itself), the command's body, and the ply it is about. Raises TypeError for any other name
    and for a command that has a rule already.
    """

    def register(rule: Rule) -> Rule:
        names = tuple(inspect.signature(rule).parameters)
        for kind in kinds:
            if kind in _rules or not GIVEN.issuperset(names):
                raise TypeError(f"{rule.__qualname__} cannot be the rule of {kind.__name__}")
            _rules[kind] = (rule, names)
        return rule

    return register


def decide_body(
    draft: Draft, body: Act, seat: Seat, station: Station | None, about_ply: int | None = None
) -> Refusal | None:
    """Let the rule of a command decide its body; its events are in the draft unless it is refused."""
    known = _rules.get(type(body))
    if known is None:
        return Refusal("unknown_command", "12.3")
    rule, names = known
    given = {
        "draft": draft,
        "seat": seat,
        "station": station,
        "body": body,
        "about_ply": about_ply,
    }
    return rule(**{name: given[name] for name in names})


def has_rule(kind: type[Act]) -> bool:
    """Whether a rule is registered for this kind of command."""
    return kind in _rules
