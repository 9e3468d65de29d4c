"""Acts of the game in general: a command that may be asked for, or an event that happened.

An act registers itself where its class is written: who may give it, when it waits, and so on are data of the class.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, ClassVar, Literal, dataclass_transform

import msgspec

from server.game.values.words import Duty, Role, snake_case

Text = Annotated[str, msgspec.Meta(max_length=400)]
Name = Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[A-Za-z0-9_.:-]*\Z")]
# Two different squares; a promotion piece on the last rank only.
Uci = Annotated[str, msgspec.Meta(pattern=r"^(?!(..)\1)[a-h][1-8][a-h](?:[1-8]|[18][nbrq])\Z")]
Placement = Annotated[str, msgspec.Meta(max_length=80, pattern=r"^[1-8pnbrqkPNBRQK/]+\Z")]
Square = Annotated[str, msgspec.Meta(pattern=r"^[a-h][1-8]\Z")]
Ms = Annotated[int, msgspec.Meta(ge=0, le=360_000_000)]
Count = Annotated[int, msgspec.Meta(ge=0, le=600)]
PeriodNumber = Annotated[int, msgspec.Meta(ge=0, le=8)]

EVERYBODY = tuple(Role)


class Rights(msgspec.Struct, frozen=True):
    """Who may give a command, and when it has to wait. Left out: nobody but the program itself."""

    by: frozenset[Role] = frozenset()
    duty: Duty | None = None
    """The duty under which an assistant may give it (D.2.10)."""
    after_the_end: bool = False
    """Whether it is taken once the game is over (11.4)."""
    ends_game: bool = False
    """Whether it would end the game, and so waits for a resignation that is not settled yet (5.1.2)."""
    of_play: bool = False
    """Whether it belongs to play, which a claim that concluded the game stops (III.6.1)."""
    sealed: Literal["", "sealer", "both", "all"] = ""
    """For whom it waits between the order to seal and the resumption (I.1.1, I.7).

    `both`: for the players' words and entries; those that the arbiter alone hears go on. `all`: for everybody, as what
    is taken back would leave the sealed move without its half-move.
    """

    @property
    def own(self) -> bool:
        """Whether only the program itself may give it."""
        return not self.by and self.duty is None


class Form(msgspec.Struct, frozen=True):
    """How an arbiter is asked for a command: in which group, under which article, what of it differs from the rule.

    `part`: the page has a part of its own for it, named by this key of its words, and no form; elsewhere the arbiter is
    asked for its fields all the same. `fields`: by field, what `server/game/acts/forms.py` cannot see in its type.
    `sure`: asked once more, always ({}) or where the fields have one of these values; None: never.
    """

    group: str
    article: str
    fields: Mapping[str, Mapping[str, Any]]
    sure: Mapping[str, tuple[Any, ...]] | None
    part: str = ""


_acts: list[type[Act]] = []
_events: list[type[Event]] = []


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(msgspec.field,))
class ActMeta(msgspec.StructMeta):
    """Makes the class of an act out of its fields and of its rights, which are keywords of the class."""

    def __new__(
        mcs,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        by: Role | Collection[Role] = (),
        duty: Duty | None = None,
        after_the_end: bool = False,
        ends_game: bool = False,
        of_play: bool = False,
        sealed: Literal["", "sealer", "both", "all"] = "",
        notes: bool = False,
        group: str = "",
        part: str = "",
        article: str = "",
        form: Mapping[str, Mapping[str, Any]] | None = None,
        sure: Mapping[str, tuple[Any, ...]] | None = None,
        **config: Any,
    ) -> Any:
        """`notes`: see `Act`. `group`, `part`, `article`, `form`, `sure`: see `Form`. `config`: as for any Struct."""
        kind: Any = super().__new__(mcs, name, bases, namespace, frozen=True, kw_only=True, **config)
        if bases != (msgspec.Struct,):
            roles = frozenset((by,) if isinstance(by, Role) else by)
            kind.rights = Rights(roles, duty, after_the_end, ends_game, of_play, sealed)
            kind.notes = notes
            kind.form = Form(group, article, form or {}, sure, part) if group or part else None
            _acts.append(kind)
        return kind


class Act(msgspec.Struct, metaclass=ActMeta, tag_field="do", tag=snake_case):
    """The body of a command."""

    rights: ClassVar[Rights]
    form: ClassVar[Form | None]
    notes: ClassVar[bool]
    """Whether it only puts something on record: its events change nothing of the game."""


VERSION = 2
"""Of the form in which events are recorded. 1: what was said stood in the fields of the event itself (`event_in`)."""


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(msgspec.field,))
class EventMeta(msgspec.StructMeta):
    """Makes the class of an event, and keeps it among all events."""

    def __new__(
        mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, is_kind: bool = True, **config: Any
    ) -> Any:
        """`is_kind`: whether it is an event, not only what several have in common. `config`: as for any Struct."""
        kind: Any = super().__new__(mcs, name, bases, namespace, frozen=True, kw_only=True, **config)
        if is_kind and bases != (msgspec.Struct,):
            _events.append(kind)
        return kind


class Event(msgspec.Struct, metaclass=EventMeta, tag_field="event", tag=snake_case):
    """Anything that happened; `at` is ms of this run."""

    at: int


def acts() -> tuple[type[Act], ...]:
    """Every kind of command that is registered by now."""
    return tuple(_acts)


def events() -> tuple[type[Event], ...]:
    """Every kind of event that is registered by now."""
    return tuple(_events)
