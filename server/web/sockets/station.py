"""Each station talks to its table over /ws.

JSON comes in and goes out (server/protocol.py); a bad message gets one sentence and nothing else.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial

import msgspec
from aiohttp import WSMessage, WSMsgType, web

from server.game.acts import ChooseEar, Command, Press, PressKey
from server.game.values.saying import saying
from server.game.values.words import Role, Station
from server.game.views.messages import OutcomeShown
from server.hall.live_table import LiveTable, TableLeft
from server.journal.admissions import Admission, SentAway
from server.journal.failure import JournalFailed
from server.machine.faults import record_fault
from server.machine.tasks import passing
from server.protocol import (
    UNREADABLE,
    AtEar,
    Beaten,
    CellsTyped,
    Do,
    Hello,
    Hold,
    Incoming,
    Outcome,
    ReadOut,
    Typed,
    Wrong,
)
from server.table.connections import Attachment
from server.table.intake import Arrival
from server.web.door.cookies import station_of
from server.web.door.servers import OTHER_SERVERS, SPOKEN, OtherServers
from server.web.keys import HALL
from server.web.pace import HELLO, PACES, PINGS, PINGS_A_SECOND, Pace
from server.web.sockets.backup import COPYING, Copying
from server.web.sockets.heartbeat import HEARTBEAT, Heartbeat
from server.web.sockets.line import ELSEWHERE, FAULT, LINES, NO_HELLO, NOT_ADMITTED, NOT_YET, Line, close, next_message
from server.wording.complaints import translate_phrase
from server.wording.refusals import in_language
from server.wording.typed_braille import TypingTables
from speech.complaint import Complaint
from speech.words.catalogue import MEASURE

LARGEST_MESSAGE = 16 * 1024
HELLO_S = 10.0
HEARTBEAT_S = 15.0
READ_AHEAD = 16
"""Messages of one line that are read before the first of them is taken."""

_decoder = msgspec.json.Decoder(Incoming)
log = logging.getLogger(__name__)


async def socket(request: web.Request) -> web.WebSocketResponse:
    """Serve one station's connection, from hello to close."""
    answer = web.WebSocketResponse(
        heartbeat=HEARTBEAT_S, max_msg_size=LARGEST_MESSAGE, compress=False, autoping=False, protocols=(SPOKEN,)
    )
    await answer.prepare(request)
    admission = station_of(request)
    table = request.app[HALL].tables.get(admission.table) if admission is not None else None
    if admission is not None and table is None and await _sent_elsewhere(request.app, answer, admission):
        return answer
    if admission is None or table is None:
        await close(answer, NOT_ADMITTED, "This device is not admitted; join with a code.")
        return answer
    lines = request.app[LINES]
    lines.add(answer, table.id, admission.station)
    line = Line(answer, told=table.note_fault)
    carrying = passing("The line of a station", line.carry, table.note_fault)
    typing, beating, copying = request.app[HALL].typing, request.app[HEARTBEAT], request.app[COPYING]
    station = admission.station
    pace = request.app[PACES].of(table.id, station, lambda: table.note_fault(saying("sends_too_much", station=station)))
    others = request.app[OTHER_SERVERS]
    conversation = _Conversation(table, admission, line, typing, beating, copying, pace, others)
    try:
        await conversation.hold()
    except Exception as fault:  # once the socket is open, no HTTP status can be sent
        await _give_up(answer, fault)
    finally:
        conversation.leave()
        lines.discard(answer)
        carrying.cancel()
        await asyncio.gather(carrying, return_exceptions=True)
    return answer


async def _sent_elsewhere(app: web.Application, socket: web.WebSocketResponse, admission: Admission) -> bool:
    """Tell a station which server leads its table, close its line, and say so; False: this server leads all tables."""
    hall = app[HALL]
    if hall.sharing is None or admission.table in hall.shut:
        return False
    led, alive = app[OTHER_SERVERS].leader_of(admission.table)
    if not alive:  # its server is gone, or this one is about to take it up
        await close(socket, NOT_YET, "No server leads this table yet; connect again.")
        return True
    with suppress(JournalFailed, SentAway, ConnectionError):
        told = await app[OTHER_SERVERS].message_for(admission, led)
        if told is not None:
            await socket.send_str(msgspec.json.encode(told).decode())
    await close(socket, ELSEWHERE, "Another server leads this table.")
    return True


def send_elsewhere(app: web.Application, table: LiveTable) -> None:
    """Send all stations of a table to the server that leads it now."""
    for station, socket in app[LINES].of_table(table.id):
        known = (one for one in app[HALL].admissions.of_table(table.id) if one.station == station)
        admission = next(known, None)
        if admission is not None:
            passing("A line of a table that left", partial(_sent_elsewhere, app, socket, admission))


async def _give_up(socket: web.WebSocketResponse, fault: Exception) -> None:
    """Close a connection after a fault of the program."""
    log.error("%s", record_fault(fault))
    await close(socket, FAULT, "The server made a mistake; connect again.")


class _Conversation:
    """Conversation on one connection: its commands, and what it holds.

    What comes is read ahead, so that each command has the time at which it came however long the one before it takes. A
    command goes to the table once the table has the one before it, which need not have been answered by then.
    """

    def __init__(
        self,
        table: LiveTable,
        admission: Admission,
        line: Line,
        typing: TypingTables,
        beating: Heartbeat,
        copying: Copying,
        pace: Pace,
        others: OtherServers,
    ) -> None:
        self._pace = pace
        self._others = others
        self._beating = beating
        self._copying = copying
        self._typing = typing
        self._table = table
        self._admission = admission
        self._line = line
        self._attachment: Attachment | None = None
        self._language: str | None = None
        self._came: asyncio.Queue[tuple[WSMessage, Arrival] | Exception | None] = asyncio.Queue(READ_AHEAD)
        self._answering: set[asyncio.Task[None]] = set()

    async def hold(self) -> None:
        """Take messages until the connection ends; what comes too fast waits its turn, nothing is dropped."""
        reading = asyncio.create_task(self._read())
        try:
            while (came := await self._came.get()) is not None:
                if isinstance(came, Exception):
                    raise came
                message, arrival = came
                if message.type is WSMsgType.BINARY:
                    self._line.send(Wrong("Sound goes to /audio; here only text is read."))
                else:
                    await self._take(message.data, arrival)
                self._came.task_done()
        finally:
            reading.cancel()
            await asyncio.gather(reading, *self._answering, return_exceptions=True)

    async def _read(self) -> None:
        """Read what comes, note when it came, and go no faster than a station may speak; None is the end of it."""
        socket, pings = self._line.socket, Pace(PINGS, PINGS_A_SECOND)
        try:
            while (
                message := await next_message(socket, pings, HELLO_S if self._attachment is None else None)
            ) is not None:
                await self._came.put((message, self._table.arrival()))
                if self._attachment is None:
                    await self._came.join()  # whether it was a hello
                await self._pace.step()
        except TimeoutError:
            await close(socket, NO_HELLO, "Nothing was said; connect again and say hello.")
        except Exception as fault:
            await self._came.put(fault)
        await self._came.put(None)

    def leave(self) -> None:
        """Let go of everything when the connection is gone."""
        self._beating.discard(self._line)
        self._copying.discard(self._line)
        if self._attachment is not None:
            self._attachment.close()

    async def _take(self, text: str, came: Arrival) -> None:
        try:
            said = _decoder.decode(text)
        except UNREADABLE as wrong:
            told = " ".join(str(wrong).split())  # it may quote what came
            self._line.send(Wrong(f"This message could not be read ({told})."))
            return
        if isinstance(said, Hello):
            await self._pace.step(HELLO)  # before it is answered: the answer is what costs
            self._language = said.language
            self._attach(said.after)
            if said.beats:
                self._beating.add(self._line, self._table, self._admission.station)
        elif self._attachment is None:
            self._line.send(Wrong("Say hello first."))
        elif isinstance(said, Beaten):
            self._beating.note_answer(self._line, said.n)
        elif isinstance(said, Hold):
            station = self._table.state.stations.find(self._admission.station)
            if station is None or station.role is not Role.ARBITER:
                self._line.send(Wrong("Only the arbiter's device holds a copy of the record."))
            else:
                self._copying.begin(self._line, self._table, self._admission.station, said)
        elif isinstance(said, AtEar | ReadOut):
            self._table.teller.at_ear(self._admission.station, said, self._line.send)
        else:
            answering = asyncio.create_task(self._answer(said, came))
            self._answering.add(answering)
            answering.add_done_callback(self._answering.discard)
            await came.queued.wait()

    def _attach(self, after: int) -> None:
        """Connect the station to its table; a second hello on one connection gets the greeting again."""
        self.leave()
        self._line.catch_up(True)
        try:
            language = self._language or ""
            self._attachment = self._table.attach(self._admission.station, after, self._line.send, language)
        except Complaint as wrong:
            self._line.send(Wrong(translate_phrase(wrong.told, self._language or MEASURE)))
        finally:
            self._line.catch_up(False)
        station = self._expect_typing()
        if station is not None:
            self._table.rehearsals.show(station)
            passing("The addresses of the other servers", self._tell_of_servers, self._table.note_fault)

    async def _tell_of_servers(self) -> None:
        """Tell the station where it goes when this server is gone; a record that is silent tells it later."""
        with suppress(JournalFailed, SentAway):
            told = await self._others.message_for(self._admission)
            if told is not None:
                self._line.send(told)

    def _expect_typing(self) -> Station | None:
        """Get ready for what this station's person may type, and return the station; None where it was sent away."""
        station = self._table.state.stations.find(self._admission.station)
        if station is not None:
            self._typing.expect(self._table.state, station)
        return station

    def _readable(self, answer: Outcome) -> Outcome:
        """Put a refusal into the language that the station's person reads."""
        shown = answer.outcome
        if shown.ok or self._language is None:
            return answer
        text = in_language(shown.code, shown.article, self._language, answer.text)
        return msgspec.structs.replace(answer, text=text)

    async def _answer(self, said: Do | Typed | CellsTyped, came: Arrival) -> None:
        """Give a command to the table, and send its answer when that may leave."""
        press = isinstance(said, Do) and isinstance(said.body, Press | PressKey)
        try:
            async with self._pace.turn(press=press):
                answered = asyncio.create_task(self._outcome_of(said, came))
                answered.add_done_callback(lambda _: came.carried_out.set())
                await came.carried_out.wait()
            self._line.send(self._readable(await answered))
        except TableLeft:
            pass  # the station sends it to the server that leads the table now
        except Exception as fault:
            await _give_up(self._line.socket, fault)
        finally:
            came.queued.set()  # it may never have reached the table

    async def _outcome_of(self, said: Do | Typed | CellsTyped, came: Arrival) -> Outcome:
        station = self._admission.station
        if isinstance(said, Do):
            command = Command(
                id=said.id, table=self._table.id, station=station, body=said.body, about_ply=said.about_ply
            )
            outcome = await self._table.submit(command, came)
            if isinstance(said.body, ChooseEar) and said.body.language:
                self._expect_typing()
            return outcome
        try:
            return await self._table.take_typed(station, said, self._language or "", came)
        except Complaint as wrong:
            told = translate_phrase(wrong.told, self._language or MEASURE)
            return Outcome(OutcomeShown(id=said.id, ok=False, code="not_understood"), told)
