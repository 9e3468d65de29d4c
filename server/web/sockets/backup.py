"""The copy of each table goes to the arbiter's devices: new events, and the last witness of a clock."""

from __future__ import annotations

import asyncio
import logging

import msgspec

from server.hall.backup import LONGEST_PIECE, CopyKey, key_of, sealed_piece, sealed_witness, secret_of
from server.hall.hall import Hall
from server.journal.failure import JournalFailed
from server.machine.tasks import Faults
from server.protocol import CopyBegins, CopyPiece, CopyWitness, Hold
from server.table.sealing import spoken
from server.table.table import Table
from server.web.sockets.line import Line
from server.wording.words import scheme_of
from speech.complaint import Complaint

EVERY_S = 1.0
log = logging.getLogger(__name__)


class _Holder(msgspec.Struct):
    """This is one device that holds a copy.

    Its table and key, the last event and the last witness it was sent.
    """

    table: Table
    key: CopyKey
    after: int
    faults: Faults
    witnessed_ms: int = -1


class Copying:
    """This sends all devices that hold copies what is new; `run` does so until it is cancelled."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._holders: dict[Line, _Holder] = {}
        self._secret: bytes | None = None

    def begin(self, line: Line, table: Table, held: Hold) -> None:
        """Let a device of this table's arbiter begin to hold a copy, or go on where it was."""
        try:
            self._secret = self._secret or secret_of(self._hall.data.copy_secret)
        except Complaint as wrong:  # a copy that nobody could open is of no use
            log.warning("%s", wrong)
            return
        key = key_of(self._secret, table.id)
        words = spoken(key.squares, scheme_of("d21", "en"))
        line.send(CopyBegins(table.id, key.id, key.squares, words))
        self._holders[line] = _Holder(
            table,
            key,
            held.after if held.id == key.id else 0,
            Faults("The copy of the record for another laptop", table.note_fault),
        )

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
                    holder.faults.met(fault)
            await asyncio.sleep(EVERY_S)

    async def _bring(self, line: Line, holder: _Holder) -> None:
        table, journal = holder.table, self._hall.journal
        witnessed = self._hall.witnessed_ms
        if holder.after < table.seq:
            fresh = await journal.read(table.id, holder.after)
            named = {envelope.run for envelope in fresh}
            runs = tuple(run for run in await journal.runs() if run.run in named)
            for begin in range(0, len(fresh), LONGEST_PIECE):
                part = tuple(fresh[begin : begin + LONGEST_PIECE])
                piece = await asyncio.to_thread(sealed_piece, holder.key, table.id, runs, part)
                line.send(CopyPiece(piece, part[-1].wall_ms))
                holder.after = piece.last
        if table.clock_runs and holder.witnessed_ms != witnessed:
            witness = await journal.last_witness(self._hall.run)
            if witness is not None:
                line.send(CopyWitness(sealed_witness(holder.key, table.id, witness), witness.wall_ms))
                holder.witnessed_ms = witnessed
