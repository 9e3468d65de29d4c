"""The tables of a round are opened together, after everything was checked."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Annotated

import chess
import msgspec

from server.game.acts import OpenTable
from server.game.laws.event_options import EventOptions, Guideline
from server.game.values.time_control import TimeControl
from server.game.values.words import SeatKind, SeatPlan
from server.hall.hall import Hall
from server.wording.words import scheme_of
from speech.complaint import Complaint, Phrase

USUAL_CONTROL = "5400+30"
USUAL_REGULATIONS = EventOptions(sound_needs_consent=True)
MOST_TABLES = 500


class Player(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """This is the player at a seat.

    `kind`: the kind of seat. `language`: the one in which the player listens until they choose another.
    """

    name: Annotated[str, msgspec.Meta(max_length=120)]
    kind: SeatKind = SeatKind.SIGHTED
    language: Annotated[str, msgspec.Meta(max_length=8)] = "de"


class Wanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """This is one table to open.

    `name` "": the next free number; `control` "": the usual one.
    """

    white: Player
    black: Player
    name: Annotated[str, msgspec.Meta(max_length=64)] = ""
    control: Annotated[str, msgspec.Meta(max_length=80)] = ""
    event: Annotated[str, msgspec.Meta(max_length=200)] = ""
    round: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    board: Annotated[int, msgspec.Meta(ge=0, le=9999)] = 0


def holding(regulations: EventOptions, guidelines: Iterable[Guideline], *, unsupervised: bool) -> EventOptions:
    """Return the regulations with these of the Guidelines I to III and no others.

    >>> holding(USUAL_REGULATIONS, ["III", "I"], unsupervised=False).guidelines
    ('I', 'III')
    """
    return msgspec.structs.replace(regulations, guidelines=tuple(sorted(set(guidelines))), unsupervised=unsupervised)


async def open_round(
    hall: Hall, wanted: tuple[Wanted, ...], *, rated: bool, regulations: EventOptions = USUAL_REGULATIONS
) -> tuple[str, ...]:
    """Open all the tables and return their names.

    `regulations`: what the event settles for all of them. Raises Complaint, before any table is opened, where one of
    them cannot be.
    """
    if not 1 <= len(wanted) <= MOST_TABLES:
        raise Complaint(Phrase("round_size", most=MOST_TABLES))
    names = _named(hall, wanted)
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise Complaint(Phrase("table_twice", name=twice))
    taken = next((name for name in names if name in hall.tables), None)
    if taken is not None:
        raise Complaint(Phrase("table_there", name=taken))
    bodies = [_body(one, rated=rated, regulations=regulations) for one in wanted]
    for name, body in zip(names, bodies, strict=True):
        await hall.open_table(body, name)
    return tuple(names)


def _named(hall: Hall, wanted: tuple[Wanted, ...]) -> list[str]:
    """Return the name of each table; one without a name gets the next free number."""
    given = {one.name for one in wanted}
    free = (str(number) for number in count(1) if str(number) not in hall.tables and str(number) not in given)
    return [one.name or next(free) for one in wanted]


def _body(one: Wanted, *, rated: bool, regulations: EventOptions) -> OpenTable:
    try:
        control = TimeControl.as_people_write(one.control or USUAL_CONTROL)
    except ValueError as wrong:
        raise Complaint(Phrase("no_control", text=one.control)) from wrong
    plans = [SeatPlan(kind=who.kind, name=who.name, language=who.language) for who in (one.white, one.black)]
    for plan in plans:
        scheme_of(plan.scheme, plan.language)
    return OpenTable(
        white=plans[0],
        black=plans[1],
        control=control,
        start_fen=chess.STARTING_FEN,
        rated=rated,
        event_name=one.event,
        round=str(one.round) if one.round else "",
        board=one.board,
        regulations=regulations,
    )
