"""The copy of each table goes to the arbiter's devices: new events, and a seal over all with the last witness."""

from __future__ import annotations

import asyncio
import logging

import msgspec
from aiohttp import web

from server.hall.backup import LONGEST_PIECE, CopyKey, copy_key_of, seal_of, sealed_piece, secret_of
from server.hall.hall import Hall
from server.journal.chain import links
from server.journal.entry import Entry
from server.journal.failure import JournalFailed
from server.machine.tasks import Faults
from server.protocol import CopyBegins, CopyPiece, Hold
from server.table.sealing import code_in_words
from server.table.table import Table
from server.web.sockets.line import Line
from server.wording.words import scheme_of
from speech.complaint import Complaint

EVERY_S = 1.0
log = logging.getLogger(__name__)


class _Holder(msgspec.Struct):
    """One device that holds a copy.

    Its table and key, the last event it has with its link, and the last witness it was sent. `claims`: the link it
    says it has, until that is looked up; "" where it says nothing.
    """

    table: Table
    station: str
    key: CopyKey
    after: int
    faults: Faults
    claims: str = ""
    last: Entry | None = None
    link: bytes = b""
    witnessed_ms: int = -1


class Copying:
    """Sender of copies: all devices that hold one get what is new; `run` works until it is cancelled."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._holders: dict[Line, _Holder] = {}
        self._secret: bytes | None = None
        self._parted: set[str] = set()  # tables of which a device holds another record

    def begin(self, line: Line, table: Table, station: str, held: Hold) -> None:
        """Let a station of this table's arbiter begin to hold a copy, or go on where it was."""
        try:
            self._secret = self._secret or secret_of(self._hall.data.copy_secret)
        except Complaint as wrong:  # a copy that nobody could open is of no use
            log.warning("%s", wrong)
            return
        key = copy_key_of(self._secret, table.id)
        words = code_in_words(key.squares, scheme_of("d21", "en"))
        line.send(CopyBegins(table.id, key.id, key.squares, words))
        same = held.id == key.id and held.link != "" and held.after > 0
        faults = Faults("The copy of the record for another laptop", table.note_fault)
        self._holders[line] = _Holder(table, station, key, held.after if same else 0, faults, held.link if same else "")

    def discard(self, line: Line) -> None:
        """Forget a line that ended."""
        self._holders.pop(line, None)

    async def run(self) -> None:
        """Send what is new until cancelled; where the disk cannot be read, try again."""
        while True:
            for line, holder in tuple(self._holders.items()):
                try:
                    await self._bring(line, holder)
                except JournalFailed as wrong:
                    log.warning("The copy of table %s waits: %s", holder.table.id, wrong)
                except Exception as fault:  # a fault in one table's copy must not stop the others
                    holder.faults.note(fault)
            await asyncio.sleep(EVERY_S)

    async def _bring(self, line: Line, holder: _Holder) -> None:
        table, journal = holder.table, self._hall.journal
        if table.state.stations.find(holder.station) is None:  # it was sent away, and its line is not closed yet
            self.discard(line)
            return
        if holder.claims and not await self._goes_on(line, holder):
            return
        witnessed = self._hall.witnessed_ms if table.clock_runs else holder.witnessed_ms
        if holder.after >= table.seq and holder.witnessed_ms == witnessed:
            return
        fresh = await journal.read(table.id, holder.after)
        named = {envelope.run for envelope in fresh}
        runs = tuple(run for run in await journal.runs() if run.run in named) if fresh else ()
        for begin in range(0, len(fresh), LONGEST_PIECE):
            part = tuple(fresh[begin : begin + LONGEST_PIECE])
            piece = await asyncio.to_thread(sealed_piece, holder.key, table.id, runs, part)
            line.send(CopyPiece(piece))
            holder.after, holder.last, holder.link = piece.last, part[-1], links(holder.link, part)[-1]
        if holder.last is None:
            return
        witness = await journal.last_witness(self._hall.run) if table.clock_runs else None
        line.send(seal_of(holder.key, table.id, holder.last, holder.link.hex(), witness))
        holder.witnessed_ms = witnessed

    async def _goes_on(self, line: Line, holder: _Holder) -> bool:
        """Say whether the record goes on from what the device has; else it keeps what it has, and the arbiter is told.

        A device that holds more than the record, or something else, proves that the record was cut off or changed.
        """
        entries = (await self._hall.journal.read(holder.table.id))[: holder.after]
        chained = await asyncio.to_thread(links, b"", entries)  # of a long game this takes as long as several presses
        if len(entries) == holder.after and chained[-1].hex() == holder.claims:
            holder.claims, holder.last, holder.link = "", entries[-1], chained[-1]
            return True
        self.discard(line)
        if holder.table.id not in self._parted:
            self._parted.add(holder.table.id)
            holder.table.note_fault(
                f"A device of the arbiter holds a copy up to event {holder.after} that the record of this server does "
                "not go on from: the record was cut off or changed. Save that copy before anything else."
            )
        return False


COPYING = web.AppKey("COPYING", Copying)
