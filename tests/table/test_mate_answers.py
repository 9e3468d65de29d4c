"""Whether a player can ever mate is looked for beside the table and answered after a fixed interval."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game.mating import Answer
from server.game.values.position import Position
from server.game.values.saying import saying
from server.game.values.time_control import TimeControl
from server.game.values.words import Role, Seat, SeatKind, SeatPlan, Station
from server.game.views import messages as msg
from server.machine.clock import ScriptedClock
from server.table.mate_worker import ANSWER_AFTER_MS, MateSearch
from tests.table.open_hall import SearchHere, played, reopened, turn
from tests.waiting import idle

POSITIONS = {
    "can be mated": "4k3/8/8/8/8/8/8/3QK3 w - - 0 1",
    "a king alone": "4k3/8/8/8/8/8/8/4KQ2 b - - 0 1",
    "a search": "4k3/1p1p1p2/1P1P1P2/8/8/2p1p1p1/2P1P1P1/4K2B w - - 0 1",
}


@pytest.mark.law("L044")
@pytest.mark.parametrize("fen", POSITIONS.values(), ids=POSITIONS)
async def test_the_result_comes_at_the_same_moment_in_every_position(tmp_path: Path, fen: str) -> None:
    async with played(tmp_path, fen=fen, black=SeatKind.TACTILE) as game:
        await game.done("black", cmd.Resign())
        assert [one.own for one in game.ears["white"].of(msg.ResignationShown)] == [False]
        await game.pass_time(ANSWER_AFTER_MS - 1)
        assert not game.table.state.over and game.table.state.ending.mate_questions
        assert not game.ears["white"].of(msg.Ended)
        await game.pass_time(1)
        await turn(lambda: not game.table.state.ending.mate_questions)
        found = [
            one.event.kind for one in game.ears["arbiter"].of(msg.Recorded) if type(one.event).__name__ == "Alerted"
        ]
        assert game.table.state.over or "resigned" in found


async def test_a_question_left_open_by_a_crash_is_answered_by_the_next_run(tmp_path: Path) -> None:
    async with played(tmp_path, fen=POSITIONS["can be mated"]) as game:
        await game.done("black", cmd.Resign())
    clock = ScriptedClock()
    async with reopened(tmp_path, clock) as (hall, _):
        table = hall.table("t1")
        assert table.state.ending.mate_questions
        await turn(lambda: clock.next_due() is not None)
        for _step in range(4):
            clock.advance(ANSWER_AFTER_MS // 4)
            await idle()
        await turn(lambda: table.state.over)
        assert table.state.ending.result == "1-0"


class Broken(SearchHere):
    """A search that never finds anything."""

    async def find(self, position: Position, seat: Seat) -> Answer:
        return Answer("unknown", said=saying("search_failed"))


async def test_the_process_beside_finds_what_the_core_finds() -> None:
    search = MateSearch()
    try:
        found = await search.find(Position.from_fen(POSITIONS["can be mated"]), Seat.WHITE)
        assert found.verdict == "yes" and found.witness
        assert (await search.find(Position.from_fen(POSITIONS["can be mated"]), Seat.BLACK)).verdict == "no"
    finally:
        await search.close()
    closed = await search.find(Position.from_fen(POSITIONS["can be mated"]), Seat.WHITE)
    assert closed == Answer("unknown", said=saying("search_failed"))


async def test_a_search_that_fails_leaves_it_to_the_arbiter(tmp_path: Path) -> None:
    async with reopened(tmp_path, mates=Broken()) as (hall, clock):
        plan = SeatPlan(SeatKind.SIGHTED)
        table = await hall.open_table(
            cmd.OpenTable(white=plan, black=plan, control=TimeControl.parse("60"), start_fen=POSITIONS["can be mated"]),
            "t1",
        )
        await table.admit(Station("white", Role.PLAYER, Seat.WHITE))
        await table.own(table.program_command(cmd.StartGame()))
        await table.own(table.program_command(cmd.Resign()))
        for _step in range(4):
            await turn(lambda: clock.next_due() is not None)
            clock.advance(ANSWER_AFTER_MS // 4)
            await idle()
        await turn(lambda: not table.state.ending.mate_questions)
        assert not table.state.over and table.state.ending.resigned is Seat.WHITE
