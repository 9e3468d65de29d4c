"""The tables of a round are opened together, after everything was checked."""

from __future__ import annotations

from itertools import count
from typing import Annotated

import chess
import msgspec

from server.game.acts import OpenTable
from server.game.values.pairing import DayTime, Way
from server.game.values.words import SeatKind, SeatPlan
from server.hall.event_profile import CONTROL, EventProfile
from server.hall.hall import Hall
from server.table.intake import Asker
from server.wording.rules import control_of
from server.wording.words import scheme_of
from speech.complaint import Complaint, Phrase

USUAL = EventProfile()
MOST_TABLES = 500


class Player(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """This is the player at a seat.

    `kind`: the kind of seat. `language`: the one in which the player listens until they choose another; "": the
    event's.
    """

    name: Annotated[str, msgspec.Meta(max_length=120)]
    kind: SeatKind = SeatKind.SIGHTED
    language: Annotated[str, msgspec.Meta(max_length=8)] = ""


class Wanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """This is one table to open.

    `name` "": the next free number; `control` "", `event` "", `starts` "", `way` "": those of the event's profile.
    """

    white: Player
    black: Player
    name: Annotated[str, msgspec.Meta(max_length=64)] = ""
    control: Annotated[str, msgspec.Meta(max_length=80)] = ""
    event: Annotated[str, msgspec.Meta(max_length=200)] = ""
    round: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    board: Annotated[int, msgspec.Meta(ge=0, le=9999)] = 0
    starts: DayTime = ""
    way: Way = ""


async def open_round(
    hall: Hall, wanted: tuple[Wanted, ...], profile: EventProfile = USUAL, asker: Asker | None = None
) -> tuple[str, ...]:
    """Open all the tables as the event's profile says, and return their names.

    `asker`: the arbiter's device that wants it so. Raises Complaint, before any table is opened, where one of them
    cannot be.
    """
    if not 1 <= len(wanted) <= MOST_TABLES:
        raise Complaint(Phrase("round_size", most=MOST_TABLES))
    names = _named(hall, wanted)
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise Complaint(Phrase("table_twice", name=twice))
    taken = next((name for name in names if hall.has(name)), None)
    if taken is not None:
        raise Complaint(Phrase("table_there", name=taken))
    bodies = [_body(one, profile) for one in wanted]
    for name, body in zip(names, bodies, strict=True):
        table = await hall.open_table(body, name, asker)
        for settled in profile.commands():
            await table.own(table.program_command(settled), asker=asker)
    return tuple(names)


def _named(hall: Hall, wanted: tuple[Wanted, ...]) -> list[str]:
    """Return the name of each table; one without a name gets the next free number."""
    given = {one.name for one in wanted}
    free = (str(number) for number in count(1) if not hall.has(str(number)) and str(number) not in given)
    return [one.name or next(free) for one in wanted]


def _body(one: Wanted, profile: EventProfile) -> OpenTable:
    written = one.control or profile.control or CONTROL
    try:
        control = control_of(written)
    except ValueError as wrong:
        raise Complaint(Phrase("no_control", text=written)) from wrong
    plans = [
        SeatPlan(
            kind=who.kind, name=who.name, language=who.language or profile.language_of(who.kind), scheme=profile.scheme
        )
        for who in (one.white, one.black)
    ]
    for plan in plans:
        scheme_of(plan.scheme, plan.language)
    return OpenTable(
        white=plans[0],
        black=plans[1],
        control=control,
        start_fen=chess.STARTING_FEN,
        rated=profile.rated,
        event_name=one.event or profile.name,
        round=str(one.round) if one.round else "",
        board=one.board,
        regulations=profile.regulations,
        starts=one.starts or profile.starts.get(str(one.round), ""),
        way=one.way or profile.ways.get(str(one.board), ""),
    )
