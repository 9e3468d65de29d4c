"""The worker that finds out, beside the table, whether a player can ever mate (5.1.2, 6.9, 7.5.5).

The search runs in a process of its own. A decision only asks (`MateAsked`). The search keeps no command and no other
table waiting, and players can learn nothing from how long an answer takes: it is given `ANSWER_AFTER_MS` after the
question, however soon it was found. Only on a machine so slow that the whole budget takes longer does the answer come
later, and by then the game is over.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial

import msgspec

from server.game import acts as cmd
from server.game.mating import Answer
from server.game.state.endings import MateQuestion
from server.game.values.position import Position
from server.game.values.saying import saying
from server.game.values.words import Seat
from server.machine.clock import Clock
from server.machine.tasks import Faults, lasting
from server.table.table import RETRY_MS, Table
from speech.complaint import Complaint
from speech.process import Child, ChildFailed

ANSWER_AFTER_MS = 2_000
DEADLINE_S = 60.0
CHILD_MEMORY_BYTES = 512 * 1024 * 1024
_log = logging.getLogger(__name__)


class MateSearch:
    """Search for a mate, in a child process that is started at the first question."""

    def __init__(self) -> None:
        self._child = Child("server.table.mate_child", deadline_s=DEADLINE_S, memory_bytes=CHILD_MEMORY_BYTES)

    async def find(self, position: Position, seat: Seat) -> Answer:
        """Return whether `seat` can ever mate from the position; unknown where the search itself failed."""
        try:
            found = await self._child.request({"position": msgspec.to_builtins(position), "seat": seat.value})
            return msgspec.convert(found, Answer)
        except (ChildFailed, Complaint, msgspec.ValidationError) as wrong:
            _log.warning("Whether %s can ever mate was not found: %s", seat, wrong)
            return Answer("unknown", said=saying("search_failed"))

    async def close(self) -> None:
        """End the child."""
        await self._child.close()


class MateWorker:
    """Worker of one table, which has each open question searched once and answers it for the record."""

    def __init__(self, table: Table, clock: Clock, search: MateSearch) -> None:
        self._table = table
        self._clock = clock
        self._search = search
        self._looking: dict[int, asyncio.Task[None]] = {}
        self._closed = False
        self._faults = Faults("Whether a side can ever mate", table.note_fault)

    def look(self) -> None:
        """Take up every open question that is not being looked at, after a change and after a restart."""
        for question in self._table.state.ending.mate_questions:
            if question.number not in self._looking and not self._closed:
                work = partial(self._answer, question)
                self._looking[question.number] = lasting("Whether a side can ever mate", work, self._table.note_fault)

    async def close(self) -> None:
        """Leave the open questions to the next run of the program."""
        self._closed = True
        for task in self._looking.values():
            task.cancel()
        await asyncio.gather(*self._looking.values(), return_exceptions=True)

    async def _answer(self, question: MateQuestion) -> None:
        due = self._clock.mono_ms() + ANSWER_AFTER_MS
        answer = Answer("unknown", said=saying("server_position"))
        if question.position is not None:
            try:
                answer = await self._search.find(question.position, question.seat)
            except Exception as fault:  # the game must not wait for an answer that cannot be found
                self._faults.note(fault)
                answer = Answer("unknown", said=saying("search_failed"))
        await self._clock.sleep_until(due)
        body = cmd.NoteMateAnswer(
            number=question.number, verdict=answer.verdict, witness=answer.witness, said=answer.said
        )
        while self._table.state.ending.mate_question(question.number) is not None:
            outcome = await self._table.own(self._table.program_command(body))
            if not outcome.outcome.ok:  # the disk failed: try again
                await self._clock.sleep_until(self._clock.mono_ms() + RETRY_MS)
