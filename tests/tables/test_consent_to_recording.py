"""Without a player's consent on record his voice is heard, and no sound of it is kept (D.2.7)."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from open_hall import played

from server.play import commands as cmd
from server.play import events as ev
from server.play.checking import CONSENT, may_keep_sound
from server.play.values import Seat


@pytest.mark.law("L194")
async def test_no_sound_is_kept_before_the_consent_is_on_record(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        table = game.table
        kept: list[ev.SoundKept] = []
        table.on_event = lambda event: kept.append(event) if isinstance(event, ev.SoundKept) else None

        def files() -> int:
            return len([one for one in tmp_path.rglob("*.flac") if "white" in one.name])

        options = msgspec.structs.replace(table.state.regulations, sound_needs_consent=True)
        table.state = msgspec.structs.replace(table.state, regulations=options)
        await game.speak("white", "Bauer Eva vier")
        assert kept[-1].sha256 is None and "consent" in (kept[-1].fault or "") and files() == 0
        assert table.state.plies[-1].text == "Bauer Eva vier", "he was heard all the same"
        await game.done("arbiter", cmd.TickChecklist(item=CONSENT, seat=Seat.WHITE))
        await game.speak("white", "Bauer Dora vier")
        assert kept[-1].sha256 is not None and kept[-1].fault is None and files() == 1
        assert not may_keep_sound(table.state, Seat.BLACK), "each player for himself"
        # Taken back, also where the event asks nobody: from then on nothing more is kept.
        await game.done("arbiter", cmd.TickChecklist(item=CONSENT, seat=Seat.WHITE, ok=False))
        table.state = msgspec.structs.replace(table.state, regulations=type(options)())
        await game.speak("white", "Bauer Cesar vier")
        assert kept[-1].sha256 is None and files() == 1
        assert may_keep_sound(table.state, Seat.BLACK)
