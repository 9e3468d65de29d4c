"""Voices are deleted after a consent was withdrawn, and by the rule of the event; the record says so (D.2.7)."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.words import Seat
from server.game.views.messages import Recorded
from server.hall import live_table
from server.hall.live_table import FORGOTTEN, forget_copies, forget_voices
from server.table.evidence.evidence import SoundEvidence
from server.voice.profiles import keep_profile, kept_profile
from speech.words.voice_profile import VoiceProfile
from tests.game.core_table import altered
from tests.table.open_hall import Played, played, turn


def sounds(folder: Path, seat: str) -> int:
    return len([one for one in (folder / "audio").rglob("*.flac") if one.name.startswith(seat)])


def told(game: Played) -> list[tuple[Seat | None, str]]:
    events = [one.event for one in game.ears["arbiter"].of(Recorded)]
    return [(one.seat, one.text) for one in events if isinstance(one, ev.IncidentNoted) and one.kind == FORGOTTEN]


@asynccontextmanager
async def forgetting(game: Played, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    monkeypatch.setattr(live_table, "FORGETS_S", 0.01)
    task = asyncio.create_task(forget_voices(game.hall.tables, game.hall.journal, game.hall.clock))
    try:
        yield
        assert not task.done()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def both_spoke(game: Played) -> None:
    await game.speak("white", "Bauer Eva vier")
    await game.press("white")
    await game.speak("black", "Bauer Eva vier")


@pytest.mark.law("L194")
async def test_a_consent_withdrawn_deletes_sounds_and_profile_once_the_game_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with played(tmp_path) as game, forgetting(game, monkeypatch):
        await both_spoke(game)
        profile = VoiceProfile("Anna", game.table.state.language_of(Seat.WHITE), "d21", code="a4h8c3")
        keep_profile(game.hall.data.profiles, profile)
        await game.table.listener.bind_voice(Seat.WHITE, "a4h8c3")
        before = await game.hall.journal.record("t1")
        assert sounds(tmp_path, "white") == 1 == sounds(tmp_path, "black")
        await game.done("white", cmd.AnswerRecording(agrees=False))
        await asyncio.sleep(0.1)
        assert sounds(tmp_path, "white") == 1, "while the game is under way the sounds are evidence"
        await game.done("arbiter", cmd.RuleResult(result="1-0", reason="resignation"))
        await turn(lambda: told(game) != [])
        assert told(game) == [(Seat.WHITE, "1")] and sounds(tmp_path, "white") == 0
        assert sounds(tmp_path, "black") == 1, "Black has withdrawn nothing"
        assert kept_profile(game.hall.data.profiles, "a4h8c3", profile.language) is None
        assert game.table.state.sound.of(Seat.WHITE).profile == ""
        entries, chain = await game.hall.journal.record("t1")
        assert chain.wrong == "" and entries[: len(before[0])] == before[0], "the record keeps the hash, and its chain"
        await asyncio.sleep(0.1)
        assert len(told(game)) == 1, "it is said once"


@pytest.mark.law("L194")
async def test_the_rule_of_the_event_deletes_every_voice_after_its_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with played(tmp_path) as game:
        options = msgspec.structs.replace(game.table.state.table.regulations, voice_days=30)
        game.table.state = altered(game.table.state, {"table.regulations": options})
        await both_spoke(game)
        await game.done("arbiter", cmd.RuleResult(result="1-0", reason="resignation"))
        async with forgetting(game, monkeypatch):
            await asyncio.sleep(0.1)
            assert sounds(tmp_path, "white") == 1 and told(game) == []
            now = game.hall.clock.wall_ms()
            monkeypatch.setattr(game.hall.clock, "wall_ms", lambda: now + 30 * 86_400_000)
            await turn(lambda: len(told(game)) == 2)
        assert sounds(tmp_path, "white") == 0 == sounds(tmp_path, "black")


@pytest.mark.law("L194")
async def test_a_sound_that_cannot_be_deleted_keeps_no_other_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with played(tmp_path) as game:
        await both_spoke(game)
        for seat in ("white", "black"):
            await game.done(seat, cmd.AnswerRecording(agrees=False))
        await game.done("arbiter", cmd.RuleResult(result="1-0", reason="resignation"))
        (white,) = [one for one in (tmp_path / "audio").rglob("*.flac") if one.name.startswith("white")]
        white.unlink()
        white.mkdir()  # somebody put a folder in its place
        async with forgetting(game, monkeypatch):
            await turn(lambda: told(game) == [(Seat.BLACK, "1")])
            faults = [one.event for one in game.ears["arbiter"].of(Recorded) if isinstance(one.event, ev.Alerted)]
            assert [one for one in faults if "voices" in str(one)] and sounds(tmp_path, "black") == 0
            white.rmdir()
            await turn(lambda: (Seat.WHITE, "1") in told(game))


@pytest.mark.law("L194")
async def test_a_deletion_that_was_killed_before_its_line_is_said_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with played(tmp_path) as game:
        await both_spoke(game)
        await game.done("white", cmd.AnswerRecording(agrees=False))
        await game.done("arbiter", cmd.RuleResult(result="1-0", reason="resignation"))
        for one in (tmp_path / "audio").rglob("white*.flac"):
            one.unlink()  # and then the program was killed
        async with forgetting(game, monkeypatch):
            await turn(lambda: told(game) == [(Seat.WHITE, "1")])
        assert await game.table.forget_voice(Seat.WHITE) == 0 and len(told(game)) == 1


@pytest.mark.law("L194")
async def test_a_server_that_leads_the_table_no_more_deletes_its_copies_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with played(tmp_path) as game:
        await both_spoke(game)
        await game.done("white", cmd.AnswerRecording(agrees=False))
        await game.done("arbiter", cmd.RuleResult(result="1-0", reason="resignation"))
        (tmp_path / "other").mkdir()
        shutil.copytree(tmp_path / "audio", tmp_path / "other" / "audio")
        await game.table.forget_voice(Seat.WHITE)
        monkeypatch.setattr(live_table, "FORGETS_S", 0.01)
        copies = SoundEvidence(tmp_path / "other")
        task = asyncio.create_task(forget_copies({}, game.hall.journal, copies))
        await turn(lambda: sounds(tmp_path / "other", "white") == 0)
        assert sounds(tmp_path / "other", "black") == 1 and not task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
