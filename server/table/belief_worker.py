"""The moves most probably played are weighed here, in a process of its own beside the table.

The result is for the record and the arbiter. No command waits for it, so that how long an answer to a player takes
does not depend on the position. The result comes to the table as a command of the program, and counts only while
nothing more is known.
"""

from __future__ import annotations

import asyncio
import logging

import msgspec

from server.game import acts as cmd
from server.game.belief import BeliefQuestion, BelievedPly, belief_question
from server.machine.tasks import passing
from server.table.table import Table
from speech.complaint import Complaint
from speech.process import Child, ChildFailed

DEADLINE_S = 20.0
CHILD_MEMORY_BYTES = 256 * 1024 * 1024
_log = logging.getLogger(__name__)


class BeliefSearch:
    """Search for the moves most probably played, in a child process that is started at the first question."""

    def __init__(self) -> None:
        self._child = Child("server.table.belief_child", deadline_s=DEADLINE_S, memory_bytes=CHILD_MEMORY_BYTES)

    async def weigh(self, question: BeliefQuestion) -> tuple[BelievedPly, ...]:
        """Return the moves most probably played; none where the weighing failed.

        Then only the words as they were heard stand.
        """
        try:
            found = await self._child.request({"question": msgspec.to_builtins(question)})
            return msgspec.convert(found["plies"], tuple[BelievedPly, ...])
        except (ChildFailed, Complaint, KeyError, msgspec.ValidationError) as wrong:
            _log.warning("What was most probably played was not weighed: %s", wrong)
            return ()

    async def close(self) -> None:
        """End the child."""
        await self._child.close()


class BeliefWorker:
    """Worker of one table, which asks for the search whenever there is more evidence."""

    def __init__(self, table: Table, search: BeliefSearch) -> None:
        self._table = table
        self._search = search
        self._weighed = ""
        self._closed = False
        self._task: asyncio.Task[None] | None = None

    def look(self) -> None:
        """Take up what is new, after a change and after a restart."""
        if not self._closed and (self._task is None or self._task.done()) and self._question() is not None:
            self._task = passing("What was most probably played", self._weigh, self._table.note_fault)

    async def close(self) -> None:
        """Leave what is not yet weighed to the next run of the program."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _question(self) -> BeliefQuestion | None:
        """Return the question that has not been weighed yet."""
        question = belief_question(self._table.state)
        return None if question is None or question.digest == self._weighed else question

    async def _weigh(self) -> None:
        while (question := self._question()) is not None:
            self._weighed = question.digest
            found = await self._search.weigh(question)
            line = self._table.state.moves.line
            if all(one.ply <= len(line) and line[one.ply - 1] == one.uci for one in found):
                continue
            plies = tuple(cmd.PlyBelieved(ply=one.ply, uci=one.uci, confidence=one.confidence) for one in found)
            await self._table.own(self._table.program_command(cmd.NoteBelief(about=question.digest, plies=plies)))
