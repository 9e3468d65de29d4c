"""Devices that were introduced by a code wait here until the arbiter admits them.

`Changes` is a number that grows with every change, for those who wait for the next one (long polls).
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable
from typing import Literal

import msgspec
from aiohttp import web

from server.game.values.words import Duty, Role, Station
from server.hall.hall import Hall
from server.journal.admissions import Admission, SentAway, new_token
from server.journal.failure import JournalFailed
from server.table.intake import Asker
from server.web.door.access import AccessDenied, Place
from server.wording.refusals import in_language
from speech.complaint import Complaint, Phrase

_log = logging.getLogger(__name__)


class Changes:
    """Counter of changes, for those who wait for the next one.

    `version` counts from 1; a caller that knows an older version does not have to wait.
    """

    def __init__(self) -> None:
        self.version = 1
        self._changed = asyncio.Event()

    async def after(self, version: int, seconds: float) -> None:
        """Wait until something has changed since `version`, for at most `seconds`."""
        if self.version != version:
            return
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            return

    def tell(self) -> None:
        """Count a change and wake everyone who waits for one."""
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()


WAIT_MS = 30 * 60_000
MOST_WAITING = 64


class Introduction(msgspec.Struct, kw_only=True):
    """An introduction is a device that waits to be admitted.

    `mark`: one square, shown on both screens, so that the right device is admitted. `chosen`: the language of its page
    at the door, "" for none.
    """

    id: str
    place: Place
    mark: str
    label: str
    came_ms: int
    token: str
    chosen: str = ""
    state: Literal["waiting", "admitted", "refused"] = "waiting"


class Introductions(Changes):
    """Waiting devices of all tables; `version` grows with every change."""

    def __init__(self, hall: Hall) -> None:
        super().__init__()
        self._hall = hall
        self._all: dict[str, Introduction] = {}
        self.on_change: list[Callable[[], None]] = []

    def introduce(self, place: Place, label: str, chosen: str = "") -> Introduction:
        """Let a device wait for the arbiter. `chosen`: its page's language. Raises AccessDenied when too many wait."""
        self._forget_old()
        if sum(one.state == "waiting" for one in self._all.values()) >= MOST_WAITING:
            raise AccessDenied("too_many_waiting", 429, Phrase("many_waiting"))
        taken = {one.mark for one in self._all.values() if one.state == "waiting"}
        free = [file + rank for file in "abcdefgh" for rank in "12345678" if file + rank not in taken]
        introduction = Introduction(
            id=secrets.token_hex(8),
            place=place,
            mark=secrets.choice(free or ["a1"]),
            label=label,
            came_ms=self._hall.clock.mono_ms(),
            token=new_token(),
            chosen=chosen,
        )
        self._all[introduction.id] = introduction
        self._tell()
        return introduction

    def find(self, id: str) -> Introduction | None:
        """Return the introduction with that id, None where it is unknown or has expired."""
        self._forget_old()
        return self._all.get(id)

    def waiting(self, table: str) -> list[Introduction]:
        """Return the devices that wait to be admitted to one table, the oldest first."""
        self._forget_old()
        return [one for one in self._all.values() if one.place.table == table and one.state == "waiting"]

    async def admit(
        self,
        introduction: Introduction,
        duties: tuple[Duty, ...] | None = None,
        *,
        under: str = "",
        provided_by: str = "",
        language: str = "en",
        asker: Asker | None = None,
    ) -> None:
        """Admit the device: it becomes a station of the table, and its token works.

        `language`: the arbiter's, for the sentence of a refusal. `asker`: the arbiter's device. Raises JournalFailed,
        AccessDenied.
        """
        if introduction.state != "waiting":
            raise AccessDenied("already_decided", 409, Phrase("decided_before"))
        introduction.state = "admitted"  # before the first await: nobody is admitted twice
        try:
            place = introduction.place
            if duties is not None:
                place = msgspec.structs.replace(place, duties=duties)
            await admit_device(
                self._hall,
                place,
                introduction.token,
                under=under,
                provided_by=provided_by,
                language=language,
                chosen=introduction.chosen,
                asker=asker,
            )
        except BaseException:
            introduction.state = "waiting"
            raise
        self._tell()

    def refuse(self, introduction: Introduction) -> None:
        """Send the device away. Raises AccessDenied where it was admitted or refused before."""
        if introduction.state != "waiting":
            raise AccessDenied("already_decided", 409, Phrase("decided_before"))
        introduction.state = "refused"
        self._tell()

    def close(self) -> None:
        """Wake everyone who waits for a change."""
        self._tell()

    def _tell(self) -> None:
        self.tell()
        for tell in self.on_change:
            tell()

    def _forget_old(self) -> None:
        before = self._hall.clock.mono_ms() - WAIT_MS
        for id in [id for id, one in self._all.items() if one.came_ms < before]:
            del self._all[id]


INTRODUCTIONS = web.AppKey("INTRODUCTIONS", Introductions)


async def admit_device(
    hall: Hall,
    place: Place,
    token: str,
    *,
    under: str = "",
    provided_by: str = "",
    language: str = "en",
    chosen: str = "",
    asker: Asker | None = None,
) -> Admission:
    """Make a station of the place, first in the table's record, then in the admissions.

    `language`: the arbiter's. `asker`: the arbiter's device. `chosen`: the device's, which becomes its seat's where
    nobody has chosen one.
    Raises JournalFailed; AccessDenied where the Laws refuse it (D.2.11, 4.9) or it could not be recorded.
    """
    if not place.table:
        return await _admit_hall_arbiter(hall, token)
    await hall.wait_for(place.table)
    table = hall.tables.get(place.table)
    if table is None:
        raise AccessDenied("no_table", 404, Phrase("table_gone"))
    seat = place.seat.value if place.seat is not None else ""
    name = _new_name(hall, place.page, seat)
    station = Station(name, place.role, place.seat, place.duties, under, provided_by)
    outcome = await table.admit(station, chosen, asker)
    shown = outcome.outcome
    if not shown.ok and shown.article:
        raise AccessDenied(shown.code, 409, in_language(shown.code, shown.article, language, outcome.text))
    if not shown.ok:
        raise AccessDenied("not_recorded", 503, Phrase("try_again"))
    admission = Admission(
        table=place.table,
        station=name,
        role=place.page,
        seat=seat,
        duties=tuple(duty.article for duty in place.duties),
        admitted_wall_ms=hall.clock.wall_ms(),
    )
    await hall.admissions.admit(token, admission)
    return admission


async def _admit_hall_arbiter(hall: Hall, token: str) -> Admission:
    """Admit the arbiter to all tables that are open, but those whose record fails. Raises JournalFailed, SentAway."""
    name = _new_name(hall, "arbiter")
    admission = Admission("", name, "arbiter", "", (), hall.clock.wall_ms())
    await hall.admissions.admit(token, admission)
    await hall.wait_for_all()
    await give_tables(hall, token, tuple(hall.tables))
    if hall.admissions.admission_of(token) is None:
        raise SentAway
    return admission


async def give_tables(hall: Hall, token: str, ids: Iterable[str]) -> None:
    """Give an arbiter these tables, all but those whose record fails: one of them keeps nobody out of the others."""
    for id in ids:
        try:
            await give_table(hall, token, id)
        except (JournalFailed, Complaint) as wrong:
            _log.error("The table %s was not given to its arbiter: %s", id, wrong)


def _new_name(hall: Hall, *parts: str) -> str:
    """Return a name that no other device of the hall has: by its name one is sent away from all tables."""
    while True:
        name = "-".join(part for part in (*parts, secrets.token_hex(3)) if part)
        if not hall.admissions.everything_of(name):
            return name


async def give_table(hall: Hall, token: str, id: str) -> None:
    """Give an arbiter one more table: a station of it, first in its record.

    Raises JournalFailed, AccessDenied.
    """
    one = hall.admissions.admission_of(token)
    if one is None or one.role != "arbiter":
        raise AccessDenied("not_the_arbiter", 403, Phrase("only_arbiter"))
    asker = Asker(one.station, lambda: one in hall.admissions.admissions_of(token))
    table = hall.table(id)
    if table.state.stations.find(one.station) is None:
        outcome = await table.admit(Station(one.station, Role.ARBITER, None), asker=asker)
        if not outcome.outcome.ok:
            raise AccessDenied("not_recorded", 503, Phrase("try_again"))
    await hall.admissions.extend(token, id)
