"""The tables of a round are opened together, after everything was checked."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Annotated

import chess
import msgspec

from server.exports.chess960 import start_of
from server.game.acts import OpenTable, RecordAdaptation
from server.game.decide.set_up.table import chess960_refused
from server.game.values.pairing import DayTime, Way
from server.game.values.time_control import TimeControl
from server.game.values.words import Boards, Role, SeatKind, SeatPlan
from server.game.values.written_control import LONGEST_CONTROL
from server.hall.event_profile import CONTROL, EventProfile
from server.hall.foreign_files.pairings import MOST_ROUNDS
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.machine.identity import is_table_name
from server.settings import Edition
from server.table.intake import Asker
from server.wording.rules import control_of, rules_for
from server.wording.words import scheme_of
from speech.complaint import Complaint, Phrase

USUAL = EventProfile()
MOST_TABLES = 500


class Player(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player at a seat; what is left out is as the event's profile knows this player.

    `kind`: the kind of seat. `language`: the one in which the player listens until they choose another. The others as
    in `SeatPlan`.
    """

    name: Annotated[str, msgspec.Meta(max_length=120)]
    kind: SeatKind | None = None
    language: Annotated[str, msgspec.Meta(max_length=8)] = ""
    hearing_impaired: bool | None = None
    needs: Annotated[str, msgspec.Meta(max_length=400)] | None = None
    echo_scores: bool | None = None


class Wanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table to open.

    `name` "": the next free number; `control` "", `event` "", `starts` "", `way` "", `edition` "", `boards` None and
    `chess960` "": those of the event's profile.
    """

    white: Player
    black: Player
    name: Annotated[str, msgspec.Meta(max_length=64)] = ""
    control: Annotated[str, msgspec.Meta(max_length=LONGEST_CONTROL)] = ""
    event: Annotated[str, msgspec.Meta(max_length=200)] = ""
    round: Annotated[int, msgspec.Meta(ge=0, le=MOST_ROUNDS)] = 0
    board: Annotated[int, msgspec.Meta(ge=0, le=9999)] = 0
    starts: DayTime = ""
    way: Way = ""
    edition: Edition = ""
    boards: Boards | None = None
    chess960: Annotated[str, msgspec.Meta(max_length=40)] = ""


async def open_round(
    hall: Hall,
    wanted: tuple[Wanted, ...],
    profile: EventProfile = USUAL,
    asker: Asker | None = None,
    give: Callable[[str], Awaitable[None]] | None = None,
) -> tuple[str, ...]:
    """Open all the tables as the event's profile says, and return their names.

    `asker`: the arbiter's device that wants it so; `give` gives it each table as soon as that is open. Raises
    Complaint, before any table is opened, where one of them cannot be; and where the record fails in the midst of them.
    Opened again, such a round goes on at the tables that are left. Of two rounds that are opened at once, one waits for
    the other.
    """
    if not 1 <= len(wanted) <= MOST_TABLES:
        raise Complaint(Phrase("round_size", most=MOST_TABLES))
    async with hall.opens_round:
        return await _open_together(hall, wanted, profile, asker, give)


async def _open_together(
    hall: Hall,
    wanted: tuple[Wanted, ...],
    profile: EventProfile,
    asker: Asker | None,
    give: Callable[[str], Awaitable[None]] | None,
) -> tuple[str, ...]:
    names = _names_for(hall, wanted)
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise Complaint(Phrase("table_twice", name=twice))
    if profile.chess960:  # drawn once: all boards of a round begin alike, also those that stopped half-way
        begun = next((hall.tables[name].state.moves.positions[0] for name in names if name in hall.tables), None)
        start = begun or start_of(profile.chess960, secrets.randbelow)
        profile = msgspec.structs.replace(profile, chess960=start.placement.rpartition("/")[2])
    bodies = dict(zip(names, [_body(one, profile) for one in wanted], strict=True))
    _check_names(hall, bodies, asker)
    for name, body in bodies.items():
        table = hall.tables.get(name) or await hall.open_table(body, name, asker)
        if give is not None:
            await give(name)
        await _settle(table, profile, asker)
    return tuple(names)


def _check_names(hall: Hall, bodies: dict[str, OpenTable], asker: Asker | None) -> None:
    """Raise Complaint where a name cannot be a table's, or is that of another table, or where nothing is to be done."""
    there = [name for name in bodies if hall.has(name)]
    left = [name for name in there if _stopped_there(hall, name, bodies[name], asker)]
    taken = next((name for name in there if name not in left), None)
    if taken is None and len(left) == len(bodies) and all(_arbiters(hall.tables[name]) for name in left):
        taken = left[0]
    if taken is not None:
        raise Complaint(Phrase("table_there", name=taken))
    if not all(map(is_table_name, bodies)):
        raise Complaint(Phrase("table_name"))


def _stopped_there(hall: Hall, name: str, body: OpenTable, asker: Asker | None) -> bool:
    """Say whether this is a table of the same pairing before its game, which nobody has but who asks for it again."""
    table = hall.tables.get(name)
    if table is None or asker is None or table.state.table.started or table.has_sent_away(asker.name):
        return False
    there, control = table.state.table, table.state.time.clock.control
    of_table = (there.white.name, there.white.kind, there.black.name, there.black.kind, control)
    of_body = (body.white.name, body.white.kind, body.black.name, body.black.kind, body.control)
    of_round = (there.event_name, there.round, there.board_number) == (body.event_name, body.round, body.board)
    return of_table == of_body and of_round and _arbiters(table) <= {asker.name}


def _arbiters(table: LiveTable) -> set[str]:
    return {one.id for one in table.state.stations.admitted if one.role is Role.ARBITER}


async def _settle(table: LiveTable, profile: EventProfile, asker: Asker | None) -> None:
    """Record the profile at a table, except what is on record there. Raises Complaint where the record fails."""
    stands = {one.name for one in table.state.table.adaptations}
    for settled in profile.commands():
        if isinstance(settled, RecordAdaptation) and settled.name in stands:
            continue
        outcome = await table.own(table.program_command(settled), asker=asker)
        if not outcome.outcome.ok:
            raise Complaint(outcome.text)


def _names_for(hall: Hall, wanted: tuple[Wanted, ...]) -> list[str]:
    """Return the name of each table; one without a name gets the next free number."""
    given = {one.name for one in wanted}
    free = (str(number) for number in count(1) if not hall.has(str(number)) and str(number) not in given)
    return [one.name or next(free) for one in wanted]


def control_stated(written: str) -> TimeControl:
    """Return the time control that a file, a page or a profile states; the usual one where it states none.

    Raises Complaint that names it where it is none.
    """
    try:
        return control_of(written or CONTROL)
    except ValueError as wrong:
        raise Complaint(Phrase("no_control", text=written)) from wrong


def _body(one: Wanted, profile: EventProfile) -> OpenTable:
    control = control_stated(one.control or profile.control)
    white, black = _plan(one.white, profile), _plan(one.black, profile)
    edition = one.edition or profile.edition
    rules = rules_for(edition, profile.regulations)
    written = one.chess960 or profile.chess960
    start = start_of(written, secrets.randbelow) if written else None
    if start is not None and chess960_refused(profile.regulations, rules) is not None:
        raise Complaint(Phrase("round_chess960"))
    return OpenTable(
        white=white,
        black=black,
        control=control,
        start_fen=chess.STARTING_FEN if start is None else start.fen,
        chess960=start is not None,
        rule_set=edition,
        rules=rules,
        boards=one.boards or profile.boards,
        rated=profile.rated,
        event_name=one.event or profile.name,
        round=str(one.round) if one.round else "",
        board=one.board,
        regulations=profile.regulations,
        starts=one.starts or profile.starts.get(str(one.round), ""),
        way=one.way or profile.ways.get(str(one.board), ""),
    )


def _plan(who: Player, profile: EventProfile) -> SeatPlan:
    """Return who sits at a seat: as asked for, else as the event's profile knows the player."""
    known = profile.player(who.name)
    kind = known.kind if who.kind is None else who.kind
    plan = SeatPlan(
        kind=kind,
        name=who.name,
        language=who.language or known.language or profile.language_of(kind),
        scheme=profile.scheme,
        hearing_impaired=known.hearing_impaired if who.hearing_impaired is None else who.hearing_impaired,
        needs=known.needs if who.needs is None else who.needs,
        echo_scores=known.echo_scores if who.echo_scores is None else who.echo_scores,
    )
    scheme_of(plan.scheme, plan.language)
    return plan
