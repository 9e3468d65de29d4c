"""A seat's microphone at the server: the talk key of a page opens it, and what fails is told and played without."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.words import Seat, SoundDevices, Talking, station_of_devices
from server.game.views.messages import Recorded, SoundShown
from server.machine.checks import Lacking, seat_devices
from server.protocol import LevelFound, Outcome
from server.stations.server_device import PREROLL_FRAMES, DeviceStation
from server.stations.server_devices import AGAIN_S, ServerDevices
from server.table.table import NOT_RECORDED
from server.voice.listener import UtteranceSound
from speech.audio.devices import Device
from speech.audio.sound import Sound
from speech.complaint import Complaint
from speech.hearing.hearing import Verdict
from speech.words.said import Heard
from speech.words.scheme import Scheme
from tests.table.open_hall import FakeEars, Played, heard_words, played
from tests.waiting import idle, until

FRAME = (np.sin(np.arange(320) * 0.2) * 6_000).astype("<i2").tobytes()
QUIET = bytes(640)


class Card:
    """A sound card of which the test gives every frame."""

    def __init__(self) -> None:
        self.frames: asyncio.Queue[bytes] = asyncio.Queue()
        self.opened: list[str | None] = []
        self.there = True

    @asynccontextmanager
    async def capture(self, device: str | None) -> AsyncIterator[Any]:
        self.opened.append(device)
        if not self.there:
            raise Complaint(f'The sound device "{device}" cannot hear (no such device).')

        async def frames() -> AsyncIterator[tuple[int, bytes]]:
            while True:
                yield 0, await self.frames.get()

        yield frames()

    async def gives(self, frame: bytes, count: int) -> None:
        for _ in range(count):
            self.frames.put_nowait(frame)
        await until(self.frames.empty)
        await idle()


class Everything(FakeEars):
    """Ears that hear nothing in anything."""

    async def verdict_on(self, pcm: bytes, scheme: Scheme) -> Verdict:
        return heard_words(Heard("none"), "repeat")


@asynccontextmanager
async def at_a_table(folder: Path, card: Card, again_s: float = AGAIN_S) -> AsyncIterator[tuple[Played, ServerDevices]]:
    async with played(folder, ears=Everything()) as game:
        desk = ServerDevices(game.hall, partial(DeviceStation, open_capture=card.capture), again_s)  # type: ignore[arg-type]
        game.hall.device_keys = desk.key
        desk.start()
        try:
            yield game, desk
        finally:
            await desk.close()


def kept(game: Played) -> list[ev.SoundKept]:
    events = [one.event for one in game.ears["arbiter"].of(Recorded)]
    return [one for one in events if isinstance(one, ev.SoundKept)]


async def test_the_talk_key_of_a_page_opens_the_seats_microphone_at_the_server(tmp_path: Path) -> None:
    card = Card()
    async with at_a_table(tmp_path, card) as (game, desk):
        await game.done("arbiter", cmd.ChooseDevices(seat=Seat.WHITE, microphone="headset"))
        assert game.ears["white"].of(SoundShown)[-1].device and not game.ears["black"].of(SoundShown)
        await until(lambda: card.opened == ["headset"])
        await card.gives(QUIET, 40)
        assert kept(game) == [], "what is said before the key is kept nowhere"
        assert desk.key(game.table, Seat.WHITE, "talk") and not desk.key(game.table, Seat.BLACK, "talk")
        await card.gives(FRAME, 50)
        assert desk.key(game.table, Seat.WHITE, "let_go")
        await card.gives(QUIET, 3)
        await until(lambda: len(kept(game)) == 1)
        (told,) = kept(game)
        (file,) = (game.hall.data.audio / "t1").glob("*.flac")
        samples, _ = soundfile.read(file, dtype="int16")
        loud = np.flatnonzero(samples)
        assert loud[0] // 320 == PREROLL_FRAMES and told.seat is Seat.WHITE
        assert 50 * 320 - 320 <= len(samples) - PREROLL_FRAMES * 320 <= 52 * 320
        await game.done("arbiter", cmd.ChooseDevices(seat=Seat.WHITE))
        await until(lambda: not desk.key(game.table, Seat.WHITE, "talk"))
        assert not game.ears["white"].of(SoundShown)[-1].device


async def test_a_device_that_is_not_there_is_told_to_the_arbiter_and_the_pages_go_on(tmp_path: Path) -> None:
    card = Card()
    card.there = False
    async with at_a_table(tmp_path, card) as (game, desk):
        await game.done("arbiter", cmd.ChooseDevices(seat=Seat.BLACK, microphone="gone", headphones=None))
        await until(lambda: not game.table.state.sound.of(Seat.BLACK).devices.any)
        alert = next(
            one
            for one in game.ears["arbiter"].of(Recorded)
            if isinstance(one.event, ev.Alerted) and one.event.kind == "sound_device"
        )
        assert (
            alert.told is not None
            and alert.told["en"] == 'Black: The sound device "gone" cannot hear (no such device).'
        )
        assert not game.ears["black"].of(SoundShown)[-1].device
        await until(lambda: not desk.key(game.table, Seat.BLACK, "talk"))


async def test_a_device_that_was_told_missing_is_used_once_it_is_there(tmp_path: Path) -> None:
    card = Card()
    card.there = False
    async with at_a_table(tmp_path, card, again_s=0.01) as (game, desk):
        await game.done("arbiter", cmd.ChooseDevices(seat=Seat.BLACK, microphone="mic", headphones=None))
        await until(lambda: len(card.opened) > 3)
        assert not game.table.state.sound.of(Seat.BLACK).devices.any
        alerts = [one for one in game.ears["arbiter"].of(Recorded) if isinstance(one.event, ev.Alerted)]
        assert [one.event.kind for one in alerts].count("sound_device") == 1, "told once, however often it is tried"
        card.there = True
        card.frames.put_nowait(QUIET)
        await until(lambda: game.table.state.sound.of(Seat.BLACK).devices == SoundDevices("mic"))
        await until(lambda: desk.key(game.table, Seat.BLACK, "let_go"))


@pytest.mark.parametrize("what", [cmd.NoteDeviceFault, cmd.ChooseDevices], ids=["the fault", "the device again"])
async def test_a_device_is_used_again_also_where_the_record_could_not_be_written_for_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: type[cmd.Act]
) -> None:
    card, unwritten = Card(), 3
    card.there = False
    async with at_a_table(tmp_path, card, again_s=0.01) as (game, desk):
        own = game.table.own

        async def own_later(command: cmd.Command, *more: Any, **named: Any) -> Outcome:
            nonlocal unwritten
            if isinstance(command.body, what) and unwritten:
                unwritten -= 1
                return game.table.refusal(command, NOT_RECORDED)
            return await own(command, *more, **named)

        monkeypatch.setattr(game.table, "own", own_later)
        await game.done("arbiter", cmd.ChooseDevices(seat=Seat.BLACK, microphone="mic", headphones=None))
        await until(lambda: not game.table.state.sound.of(Seat.BLACK).devices.any)
        card.there = True
        for _ in range(5):
            card.frames.put_nowait(QUIET)
        await until(lambda: game.table.state.sound.of(Seat.BLACK).devices == SoundDevices("mic"))
        await until(lambda: desk.key(game.table, Seat.BLACK, "let_go"))
        assert not unwritten


class SilentHeadphones:
    """Headphones at the server in which nothing sounds."""

    def __init__(self, device: str | None) -> None:
        self.device = device

    async def play(self, sound: Sound, id: str, balance: int = 0) -> str:
        return "played"

    def stop(self, id: str | None = None) -> None:
        """Nothing sounds."""


@pytest.mark.parametrize(("microphone", "headphones"), [("mic", None), (None, "phones"), ("mic", "phones")])
async def test_what_a_seat_has_not_at_the_server_its_pages_keep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, microphone: str | None, headphones: str | None
) -> None:
    """Of microphone and headphones the arbiter may give one alone: the talk key, or the voice, stays with the page."""
    monkeypatch.setattr("server.stations.server_device.Player", SilentHeadphones)
    async with at_a_table(tmp_path, Card()) as (game, desk):
        await game.done("arbiter", cmd.ChooseDevices(seat=Seat.WHITE, microphone=microphone, headphones=headphones))
        own = station_of_devices(Seat.WHITE).id
        await until(lambda: game.table.state.stations.find(own) is not None)
        if headphones is not None:
            await until(lambda: game.table.connections.of(own) != ())
        shown = game.ears["white"].of(SoundShown)[-1]
        assert (shown.device, shown.headphones) == (microphone is not None, headphones is not None)
        assert desk.key(game.table, Seat.WHITE, "let_go") is (microphone is not None), "else nobody would listen"


async def test_voice_activity_at_the_server_checks_the_microphone_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check comes first; then the key, held, goes before the open microphone, as on a page."""
    card = Card()
    async with at_a_table(tmp_path, card) as (game, desk):
        await game.done("arbiter", cmd.PermitVoiceActivity(seat=Seat.WHITE))
        await game.done("white", cmd.ChooseTalking(talking=Talking.VOICE))
        await desk.configure({"t1": {Seat.WHITE: SoundDevices("headset", None, True)}, "nowhere": {}})
        await until(lambda: desk.key(game.table, Seat.WHITE, "let_go"))
        desk.key(game.table, Seat.WHITE, "talk")
        for part in (QUIET, FRAME, QUIET):
            await card.gives(part, 60)
        await until(lambda: any(isinstance(one, LevelFound) for one in game.ears["white"].received))
        assert kept(game) == []
        for part in (QUIET, FRAME, QUIET, FRAME, QUIET):
            await card.gives(part, 60)
        await until(lambda: len(kept(game)) == 2)
        assert all(1_300 <= one.length_ms <= 2_200 for one in kept(game))
        spoken: list[bool] = []

        async def hear(_station: str, _count: int, sound: UtteranceSound, *_rest: object) -> None:
            spoken.append(sound.by_voice)

        monkeypatch.setattr(game.table, "hear", hear)
        desk.key(game.table, Seat.WHITE, "talk")  # held over the open microphone: what is said now is the key's
        await card.gives(FRAME, 60)
        desk.key(game.table, Seat.WHITE, "let_go")
        await card.gives(QUIET, 60)
        await until(lambda: spoken == [False])
        await card.gives(FRAME, 60)
        await card.gives(QUIET, 60)
        await until(lambda: spoken == [False, True])
        desk.key(game.table, Seat.WHITE, "let_go")
        await card.gives(QUIET, 1)
        for part in (FRAME, QUIET):
            await card.gives(part, 60)
        assert spoken == [False, True], "the microphone is shut"


@pytest.mark.law("L194")
@pytest.mark.parametrize("into_the_check", [0, 20])
async def test_what_is_said_with_the_key_during_a_check_is_kept_and_is_no_check(
    tmp_path: Path, into_the_check: int
) -> None:
    """Pressed in the middle of a check, or before its first frame: nothing is judged of what was said so far."""
    card = Card()
    async with at_a_table(tmp_path, card) as (game, desk):
        await game.done("arbiter", cmd.ChooseDevices(seat=Seat.WHITE, microphone="headset"))
        await until(lambda: desk.key(game.table, Seat.WHITE, "check"))
        await card.gives(QUIET, into_the_check)
        desk.key(game.table, Seat.WHITE, "talk")
        await card.gives(FRAME, 50)
        desk.key(game.table, Seat.WHITE, "let_go")
        await card.gives(QUIET, 200)
        assert not any(isinstance(one, LevelFound) for one in game.ears["white"].received)
        await until(lambda: len(kept(game)) == 1)
        (file,) = (game.hall.data.audio / "t1").glob("*.flac")
        samples, _ = soundfile.read(file, dtype="int16")
        assert np.count_nonzero(samples) >= 50 * 319, "all that was said since the key"
        assert len(samples) <= (PREROLL_FRAMES + 51) * 320


async def test_the_key_before_a_check_goes_first(tmp_path: Path) -> None:
    card = Card()
    async with at_a_table(tmp_path, card) as (game, desk):
        await game.done("arbiter", cmd.ChooseDevices(seat=Seat.WHITE, microphone="headset"))
        await until(lambda: desk.key(game.table, Seat.WHITE, "talk"))
        desk.key(game.table, Seat.WHITE, "check")
        await card.gives(FRAME, 50)
        desk.key(game.table, Seat.WHITE, "let_go")
        await card.gives(QUIET, 160)
        await until(lambda: any(isinstance(one, LevelFound) for one in game.ears["white"].received))
        await until(lambda: [one.length_ms for one in kept(game)] == [1_000])


async def test_a_configured_device_is_not_recorded_twice(tmp_path: Path) -> None:
    async with at_a_table(tmp_path, Card()) as (game, desk):
        for _ in range(2):
            await desk.configure({"t1": {Seat.WHITE: SoundDevices("headset")}})
        events = [one.event for one in game.ears["arbiter"].of(Recorded)]
        assert sum(isinstance(one, ev.DevicesChosen) for one in events) == 1


def test_the_settings_name_devices_by_table_and_seat(tmp_path: Path) -> None:
    from server.settings import load_settings

    file = tmp_path / "serve.toml"
    file.write_text('[devices.demo.white]\nmicrophone = "USB Headset"\nheadphones = "USB Headset"\nheadset = true\n')
    assert load_settings(file).devices == {"demo": {Seat.WHITE: SoundDevices("USB Headset", "USB Headset", True)}}
    file.write_text('[devices.demo.white]\nloudspeaker = "USB Headset"\n')
    with pytest.raises(Complaint, match=r"devices"):
        load_settings(file)
    file.write_text('[devices.demo.grey]\nmicrophone = "USB Headset"\n')
    with pytest.raises(Complaint, match=r"devices"):
        load_settings(file)


def test_the_doctor_says_which_device_of_a_seat_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    there = (Device(0, "USB Headset: Audio (hw:1,0)", 1, 2, 48_000),)
    monkeypatch.setattr("speech.audio.devices.list_devices", lambda: there)
    assert str(seat_devices(())(tmp_path)).startswith("none is configured")
    assert seat_devices(("USB Headset",))(tmp_path) == "USB Headset"
    with pytest.raises(Lacking, match="not there: Jabra"):
        seat_devices(("USB Headset", "Jabra"))(tmp_path)


class Ending(Card):
    """A sound card whose stream ends by itself."""

    @asynccontextmanager
    async def capture(self, device: str | None) -> AsyncIterator[Any]:
        async def frames() -> AsyncIterator[tuple[int, bytes]]:
            for _ in range(3):
                yield 0, QUIET

        yield frames()


async def test_a_stream_that_ends_by_itself_gives_the_seat_back_to_its_pages(tmp_path: Path) -> None:
    async with at_a_table(tmp_path, Ending()) as (game, desk):
        await desk.configure({"t1": {Seat.WHITE: SoundDevices("headset")}})
        await until(lambda: not game.table.state.sound.of(Seat.WHITE).devices.any)
        assert any("sound_device" in str(one.event) for one in game.ears["arbiter"].of(Recorded))
