"""The last link of each table's chain is witnessed outside the record, so that a record that was rolled back shows it.

A record that somebody puts back as it was an hour ago is whole: its own chain says nothing. So how far each table has
come is written into other folders too (a folder of this machine's user, a memory stick, the backups), and compared at
the start. A table that is shorter than its witness, or another, is shut until the arbiter says that it goes on.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from server.journal.admissions import Admissions
from server.journal.chain import links
from server.journal.entry import Entry
from server.journal.journal import Journal
from server.journal.sqlite.schema import write_private

LOOKS_S = 5.0
"""How often it is looked how far the record has come."""
_log = logging.getLogger(__name__)


class Mark(msgspec.Struct, frozen=True):
    """How far a table had come: so many events, and the link of the last one, 64 hex digits."""

    events: int
    link: str


class RolledBack(msgspec.Struct, frozen=True):
    """A table of which a witness knows more than the record, or something else.

    `there`: how many events the record has, `of` how many the witness knows, `where` it stands.
    """

    table: str
    there: int
    of: int
    where: str


class Testimony(msgspec.Struct, frozen=True, kw_only=True):
    """One witness's knowledge of a record.

    `agreed`: marks that an arbiter set aside with a yes. `deleted`: the last mark of each table that was deleted.
    `admissions`: how many devices were admitted and how many sent away, ever.
    """

    record: str = ""
    tables: dict[str, Mark] = {}
    agreed: dict[str, tuple[Mark, ...]] = {}
    deleted: dict[str, Mark] = {}
    admissions: tuple[int, int] = (0, 0)


def tombstones_in(file: Path) -> dict[str, Mark]:
    """Return the marks of a data folder's deleted tables. Blocks; a file that cannot be read is told in the log."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Mark])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError) as wrong:
        _log.error("The tombstones %s cannot be read: %s", file, wrong)
        return {}


class Witnesses:
    """Witnesses of one record: a file in each of some folders, and the marks in the newest backup."""

    def __init__(
        self,
        record: str,
        folders: Sequence[Path] = (),
        backup: Mapping[str, Mark] | None = None,
        tombstones: Path | None = None,
    ) -> None:
        """Take the `record` by what a person calls its place.

        `backup`: the marks of the newest one, by table. `tombstones`: the file of the tables that were deleted.
        """
        self._tombstones = tombstones
        name = f"{hashlib.sha256(record.encode()).hexdigest()[:16]}.json"
        self._files = tuple(folder / name for folder in folders)
        self._known = Testimony(record=record)
        self._marks: list[tuple[str, Mapping[str, Mark]]] = []
        self._backup = backup or {}
        self._changed = False
        self.unread: tuple[str, ...] = ()
        """The files of witnesses that are damaged: what they knew is not compared."""
        self._looked: dict[str, int] = {}
        self._marked: set[str] = set()  # tables that are led here
        self.admissions_before = (0, 0)

    def load(self) -> None:
        """Read what the witnesses know. Blocks; a file that cannot be read is no witness, and stands in `unread`."""
        for file in self._files:
            try:
                found = msgspec.json.decode(file.read_bytes(), type=Testimony)
            except FileNotFoundError:
                continue
            except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError) as wrong:
                _log.error("The witness %s cannot be read: %s", file, wrong)
                self.unread = (*self.unread, str(file))
                continue
            self._marks.append((str(file), found.tables))
            agreed = {id: (*self._known.agreed.get(id, ()), *marks) for id, marks in found.agreed.items()}
            newer = {id: one for id, one in found.tables.items() if one.events > self._events_of(id)}
            before = self.admissions_before
            self.admissions_before = (max(before[0], found.admissions[0]), max(before[1], found.admissions[1]))
            self._known = msgspec.structs.replace(
                self._known,
                tables={**self._known.tables, **newer},
                agreed={**self._known.agreed, **agreed},
                deleted={**self._known.deleted, **found.deleted},
            )
        if self._tombstones is not None:
            # Whoever can take a table out of the record can put its tombstone there too: a witness of it says more.
            witnessed = {*self._known.tables, *self._backup, *self._known.deleted}
            there = tombstones_in(self._tombstones)
            self._known.deleted.update({id: mark for id, mark in there.items() if id not in witnessed})
        if self._backup:
            self._marks.append(("backup", self._backup))

    def rolled_back(self, table: str, entries: Sequence[Entry]) -> RolledBack | None:
        """Return the witness that the record of this table contradicts; None where it goes on from all of them."""
        agreed, chained = self._known.agreed.get(table, ()), None
        deleted = self._known.deleted.get(table)
        gone = deleted.events if deleted is not None and deleted not in agreed else 0
        if gone and entries:
            return RolledBack(table, len(entries), gone, self._files[0].name if self._files else "")
        for where, marks in self._marks:
            mark = marks.get(table)
            if mark is None or mark in agreed or mark.events <= gone:
                continue
            if mark.events <= len(entries):
                chained = links(b"", entries) if chained is None else chained
                if mark.events < 1 or chained[mark.events - 1].hex() == mark.link:
                    continue
            return RolledBack(table, len(entries), mark.events, where)
        return None

    @property
    def deleted(self) -> Mapping[str, Mark]:
        """Return the tables that were deleted, each with its last mark; no other table gets one of their names."""
        return self._known.deleted

    def missing(self, there: Iterable[str]) -> list[RolledBack]:
        """Return what is witnessed of tables of which the record has no event, without those that were deleted."""
        known = {id for _, marks in self._marks for id in marks} - {*there}
        return [found for id in sorted(known) if (found := self.rolled_back(id, ())) is not None]

    def mark(self, table: str, events: int, link: str) -> None:
        """Note how far a table has come; `write` brings it to the disk."""
        if self._known.tables.get(table) != (made := Mark(events, link)):
            self._known.tables[table] = made
            self._marked.add(table)
            self._changed = True

    def count(self, admitted: int, sent_away: int) -> None:
        """Note how many devices were admitted and sent away, ever."""
        if self._known.admissions != (admitted, sent_away):
            self._known = msgspec.structs.replace(self._known, admissions=(admitted, sent_away))
            self._changed = True

    def agree(self, table: str) -> None:
        """Set aside all that is witnessed of a table: the arbiter goes on with the record as it is."""
        deleted = self._known.deleted.get(table)
        marks = (*self._known.agreed.get(table, ()), *(own[table] for _, own in self._marks if table in own))
        marks = marks if deleted is None else (*marks, deleted)
        self._known.agreed[table] = tuple(dict.fromkeys(marks))
        self._known.tables.pop(table, None)
        self._changed = True

    def delete(self, table: str, events: int, link: str) -> None:
        """Note that a table was deleted when it had come so far: that it is missing is no rollback."""
        self._known.deleted[table] = Mark(events, link)
        self._known.tables.pop(table, None)
        self._changed = True

    async def keep(self, look: Callable[[], Awaitable[None]]) -> None:
        """Look again and again, until this is cancelled. Raises OSError where no witness takes anything."""
        while True:
            await asyncio.sleep(LOOKS_S)
            await look()

    async def look(self, journal: Journal, admissions: Admissions, tables: Mapping[str, int]) -> None:
        """Tell the witnesses how far each table has come; `tables`: the last event of each.

        Raises JournalFailed, and OSError where none of them takes it.
        """
        for id, seq in tables.items():
            if self._looked.get(id) != seq:
                self._looked[id], (events, link) = seq, await journal.last_link(id)
                if link:
                    self.mark(id, events, link)
        self.count(*await admissions.counts())
        await asyncio.to_thread(self.write)

    def write(self) -> None:
        """Bring what is known to every folder that is there. Blocks. Raises OSError where none of them took it.

        Servers that share a hall may share a folder too: what another of them has written there meanwhile stays.
        """
        if not self._changed:
            return
        wrong, taken = None, 0
        for file in self._files:
            try:
                file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_private(file, msgspec.json.format(msgspec.json.encode(self._with(file)), indent=1))
                taken += 1
            except OSError as failed:
                wrong = failed
        if wrong is not None and not taken:
            raise wrong
        self._changed = False

    def _with(self, file: Path) -> Testimony:
        """Return the testimony of here and of a file; of each table the longest mark that nobody has set aside."""
        own = self._known
        try:
            there = msgspec.json.decode(file.read_bytes(), type=Testimony)
        except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError):
            return own  # there is none yet, or it was told at the start
        agreed = {
            id: tuple(dict.fromkeys((*there.agreed.get(id, ()), *own.agreed.get(id, ()))))
            for id in (*there.agreed, *own.agreed)
        }
        deleted = {**there.deleted, **own.deleted}
        tables = {
            id: mark
            for id, mark in there.tables.items()
            if mark not in agreed.get(id, ())
            and (id not in deleted or deleted[id] in agreed.get(id, ()) or mark.events > deleted[id].events)
        }
        for id, mark in own.tables.items():
            said_yes = there.agreed.get(id, ()) != own.agreed.get(id, ())  # to another server, of what was known
            if (id in self._marked or not said_yes) and (id not in tables or mark.events >= tables[id].events):
                tables[id] = mark
        return msgspec.structs.replace(own, tables=tables, agreed=agreed, deleted=deleted)

    def _events_of(self, table: str) -> int:
        mark = self._known.tables.get(table)
        return 0 if mark is None else mark.events
