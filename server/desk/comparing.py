"""Two scores, whole or line by line, are compared in a process of its own, which may work only so long.

Two scores can be written so that they may be read in very many ways, such as knights that go out and back for hours.
Who gives up is the child: nobody else waits for it, and the server stops as fast as ever. Then it is not decided here,
and the arbiter is told so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TypeVar

import chess
import msgspec

from server.desk.answer import DeskAnswer, looked_in
from server.desk.loading import load_playing, load_slip_costs, score_writings
from server.game.state.desk import Desk
from server.game.state.state import GameState
from server.game.views.reconciled import Explain, Looked
from server.scoresheets.language import likely_writing, read_sheet, without_result
from server.scoresheets.reconcile.compare import Reconciliation, compare
from server.scoresheets.reconcile.witness import Witness
from server.scoresheets.sheet import Sheet
from speech.complaint import Complaint, Phrase
from speech.process import Child, ChildFailed

LIMIT_S = 2.0
"""The processor time of one comparison; two noisy scores of sixty moves take a third of it (docs/reconciling.md)."""
DEADLINE_S = 15.0
"""The time in all, on a machine that has other work."""
CHILD_MEMORY_BYTES = 512 * 1024 * 1024
Made = TypeVar("Made")
_log = logging.getLogger(__name__)


class Scores(msgspec.Struct, frozen=True, kw_only=True):
    """Two whole scores to be compared, White's first, with all that is known beside them.

    `languages`: those in which each may be written, of equals the first is taken. `start`: a FEN. `boards`: what both
    boards show. `witness`: the server's record.
    """

    sheets: tuple[Sheet, Sheet]
    languages: tuple[tuple[str, ...], tuple[str, ...]]
    start: str
    chess960: bool = False
    boards: tuple[str, str] | None = None
    witness: Witness | None = None


class Compared(msgspec.Struct, frozen=True):
    """Comparison of two scores, and the language in which each was read."""

    found: Reconciliation
    languages: tuple[str, str]


def compare_both_scores(scores: Scores) -> Compared:
    """Compare two scores, however long it takes. Raises Complaint for a placement that is none."""
    known = score_writings()
    start = chess.Board(scores.start, chess960=scores.chess960)
    white, black = (
        likely_writing(sheet, start, {tag: known[tag] for tag in tried})
        for sheet, tried in zip(scores.sheets, scores.languages, strict=True)
    )
    first, second = (
        read_sheet(without_result(sheet, start, known[tag]), known[tag])
        for sheet, tag in zip(scores.sheets, (white, black), strict=True)
    )
    costs, playing = load_slip_costs(), load_playing()
    found = compare(first, second, start, scores.boards, costs=costs, playing=playing, witness=scores.witness)
    return Compared(found, (white, black))


class Undecided(Complaint):
    """The time or the memory of one comparison does not suffice."""


class Comparison:
    """Comparison in a child process, which is started at the first question."""

    def __init__(self) -> None:
        self._child = Child("server.desk.comparing_child", deadline_s=DEADLINE_S, memory_bytes=CHILD_MEMORY_BYTES)

    async def compare(self, scores: Scores) -> Compared:
        """Compare two scores. Raises Complaint for a placement that is none, Undecided where it is not decided here."""
        answer = await self._ask_child({"scores": msgspec.to_builtins(scores)})
        return msgspec.convert(answer["compared"], Compared)

    async def desk_answer(self, state: GameState, plies: tuple[int, ...]) -> DeskAnswer:
        """Return the open desk's answer as things are now (`server.desk.answer`). Raises Complaint as `compare`."""
        answer = await self._ask_child({"state": msgspec.msgpack.encode(state), "plies": plies})
        return msgspec.convert(answer["desk"], DeskAnswer)

    def explaining(self) -> Explain:
        """Return the function by which a report learns the findings of a desk, within limits; for use in a thread.

        What takes too long is undecided.
        """
        loop = asyncio.get_running_loop()

        def explain(state: GameState, _desk: Desk) -> Looked:
            asked = asyncio.run_coroutine_threadsafe(self.desk_answer(state, ()), loop)
            try:
                return looked_in(asked.result(2 * DEADLINE_S))  # another question may come first
            except (Undecided, TimeoutError):
                return Looked(undecided=True)

        return explain

    async def _ask_child(self, question: dict[str, object]) -> dict[str, object]:
        """Ask the child. Raises Undecided where it gave up."""
        try:
            answer = await self._child.request(question, again=False)
        except ChildFailed as wrong:
            _log.info("Two scores were not compared: %s", wrong)
            answer = {}
        if not answer:
            raise Undecided(Phrase("scores_undecided"))
        return answer

    async def close(self) -> None:
        """End the child, at once where it is busy."""
        await self._child.close()


def made_within_limits(make: Callable[[Explain], Made]) -> Made:
    """Make a report outside of a server; what a desk found is looked for within the same limits.

    `make`: makes it, and is called in a thread. Raises what it raises.
    """

    async def make_here() -> Made:
        comparison = Comparison()
        try:
            return await asyncio.to_thread(make, comparison.explaining())
        finally:
            await comparison.close()

    return asyncio.run(make_here())
