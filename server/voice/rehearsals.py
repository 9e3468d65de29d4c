"""The rehearsals of a hall's tables: begun, left out, and given what is said at their stations meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from server.game.acts import commands as cmd
from server.game.decide.set_up.sound import outside_the_game
from server.game.values.words import Role, Station
from server.table.table import Table
from server.voice.listener import Listener, Listening, Spoken
from server.voice.rehearsal import Rehearsing, Say
from speech.audio.level import finding, levels
from speech.complaint import Complaint


class Rehearsals:
    """By table. `at`: its listener, and what speaks to one of its stations."""

    def __init__(self, at: Callable[[Table], tuple[Listener, Say]]) -> None:
        self._at = at
        self._held: dict[str, Rehearsing] = {}

    def begin(self, table: Table) -> None:
        """Begin a table's rehearsal, or begin it anew. Raises Complaint: the game has begun, nobody is there."""
        self._held[table.id] = rehearsing = Rehearsing(table, self._at(table)[1])
        rehearsing.start()

    def of(self, table: Table) -> Rehearsing:
        """The rehearsal under way. Raises Complaint where there is none."""
        rehearsing = self._held.get(table.id)
        if rehearsing is None or not rehearsing.active:
            raise Complaint("There is no rehearsal under way; begin one.")
        return rehearsing

    def show(self, table: Table, station: Station) -> None:
        """To a station that comes back in the middle of one: the step that is next."""
        rehearsing = self._held.get(table.id)
        if rehearsing is not None and rehearsing.active:
            rehearsing.show(station)

    async def skip(self, table: Table, reason: str) -> None:
        """There is no rehearsal, or no more of it. Raises Complaint when the game has begun."""
        if not outside_the_game(table.state):
            raise Complaint("The game has begun; a rehearsal is held before it.")
        rehearsing = self._held.get(table.id)
        if rehearsing is not None and rehearsing.active:
            return await rehearsing.end("skipped", reason)
        await table.own(table.program_command(cmd.NoteRehearsal(outcome="skipped", reason=reason)))

    async def hears(self, table: Table, station: Station, sound: bytes | Spoken, listening: Listening | None) -> bool:
        """Whether an utterance is a rehearsal's: then it is listened to, and kept nowhere."""
        rehearsing = self._held.get(table.id)
        if rehearsing is None or not rehearsing.active or station.role is not Role.PLAYER:
            return False
        spoken = sound if isinstance(sound, Spoken) else Spoken(sound, sound)
        if rehearsing.sounded(station, finding(levels(spoken.pcm))):
            return True
        body = await self._at(table)[0].understood(station, spoken, listening)
        if body is not None:
            nobody = table.program_command(cmd.Adjust())
            command = msgspec.structs.replace(nobody, station=station.id, body=body)
            if not rehearsing.takes(command) and isinstance(body, cmd.CallArbiter):
                await table.own(command)
        return True
