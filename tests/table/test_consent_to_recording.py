"""Without a player's consent on record the voice is heard, and no sound of it is kept (D.2.7)."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.decide.set_up.table import CONSENT, may_keep_sound
from server.game.values.words import Seat
from server.game.views.messages import Recorded, SoundShown
from server.table.table import Observer
from tests.game.core_table import altered
from tests.table.open_hall import played


@pytest.mark.law("L194")
async def test_no_sound_is_kept_before_the_consent_is_on_record(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        table = game.table
        kept: list[ev.SoundKept] = []
        keep = Observer("test", event=lambda event: kept.append(event) if isinstance(event, ev.SoundKept) else None)
        table.observers.append(keep)

        def files() -> int:
            return len([one for one in tmp_path.rglob("*.flac") if "white" in one.name])

        options = msgspec.structs.replace(table.state.table.regulations, sound_needs_consent=True)
        table.state = altered(table.state, {"table.regulations": options})
        await game.speak("white", "Bauer Eva vier")
        assert kept[-1].sha256 is None and "consent" in (kept[-1].fault or "") and files() == 0
        assert table.state.moves.plies[-1].text == "Bauer Eva vier", "White was heard all the same"
        await game.done("arbiter", cmd.TickChecklist(item=CONSENT, seat=Seat.WHITE))
        await game.speak("white", "Bauer Dora vier")
        assert kept[-1].sha256 is not None and kept[-1].fault is None and files() == 1
        assert not may_keep_sound(table.state, Seat.BLACK), "each player answers for their own voice"
        # Taken back, also where the event asks nobody: from then on nothing more is kept.
        await game.done("arbiter", cmd.TickChecklist(item=CONSENT, seat=Seat.WHITE, ok=False))
        table.state = altered(table.state, {"table.regulations": type(options)()})
        await game.speak("white", "Bauer Cesar vier")
        assert kept[-1].sha256 is None and files() == 1
        assert may_keep_sound(table.state, Seat.BLACK)


@pytest.mark.law("L194")
async def test_the_player_answers_alone_and_may_take_it_back(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        table = game.table
        options = msgspec.structs.replace(table.state.table.regulations, sound_needs_consent=True)
        table.state = altered(table.state, {"table.regulations": options})
        white, black, desk = game.attach("white"), game.attach("black"), game.attach("arbiter")
        for agrees in (True, False, True):
            await game.done("white", cmd.AnswerRecording(agrees=agrees))
            assert may_keep_sound(table.state, Seat.WHITE) is agrees
            shown = white.of(SoundShown)[-1]
            assert (shown.consent, shown.keeps_sound) == (agrees, agrees)
            ticked = desk.of(Recorded)[-1].event
            assert isinstance(ticked, ev.ChecklistTicked) and (ticked.ok, ticked.own) == (agrees, True)
        assert not may_keep_sound(table.state, Seat.BLACK), "each player answers for their own voice"
        assert black.of(SoundShown) == [], "what one player answered is not the other's business"
        for other in ("arbiter", "display"):
            assert not (await game.do(other, cmd.AnswerRecording())).outcome.ok, "nobody else answers so for the player"
        await game.done("arbiter", cmd.RuleResult(result="1-0", reason="a test"))
        assert table.state.over
        await game.done("white", cmd.AnswerRecording(agrees=False))
        assert not may_keep_sound(table.state, Seat.WHITE), "also after the end"
        table.state = altered(table.state, {"table.checklist": ()})
        assert (await game.do("white", cmd.AnswerRecording())).outcome.code == "no_such_check"
