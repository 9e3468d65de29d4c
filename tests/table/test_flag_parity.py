"""A player learns of a flag when the opponent would (design: parity), and only where the arbiter approved the cue."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game.views.messages import ClockShown, FlagShown
from tests.table.open_hall import played, turn

CUE = cmd.RecordAdaptation(name="flag_cue_private", value="approved")


@pytest.mark.law("L064", "L141")
@pytest.mark.parametrize("approved", [False, True])
async def test_the_tactile_player_hears_a_flag_when_the_display_marks_it(tmp_path: Path, approved: bool) -> None:
    async with played(tmp_path, control="5") as game:
        if approved:
            await game.done("arbiter", CUE)
        tactile, sighted = game.attach("white"), game.attach("black")
        await game.pass_time(6_000)
        await turn(lambda: any(shown.first_flag == "white" for shown in sighted.of(ClockShown)))
        await game.told()
        cues = tactile.of(FlagShown)
        assert cues == ([FlagShown(own=True)] if approved else [])
        assert bool(tactile.sounds) is approved
        assert game.table.state.ending.result is None, "a cue is no call of the flag (6.8)"
