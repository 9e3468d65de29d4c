"""Run by test_device_station_sound.py in a process of its own, because PortAudio looks for sound cards once a process.

A whole server with a seat on virtual devices: words are played into its virtual microphone while the talk key is down;
what comes out of its virtual headphones, and of another sink, is captured. Prints one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.time_control import TimeControl
from server.game.values.words import Mode, Role, Seat, SeatKind, SeatPlan, Station
from server.game.views.messages import Recorded
from server.hall.hall import Hall
from server.machine.clock import SystemClock
from server.machine.data_folder import DataFolder
from server.protocol import LevelFound, Numbered, Outgoing
from server.stations.server_devices import ServerDevices
from server.wording import details
from speech.audio.devices import Player, PlayingIds, capture
from speech.audio.sound import Sound
from speech.audio.wav import read_wav, write_wav
from speech.hearing.hearing import Hearing
from speech.voices.pyttsx3_voice import Pyttsx3Voice

FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


async def main(folder: Path) -> None:
    said = read_wav(folder / "said.wav")
    told: dict[str, object] = {}
    voice, hearing = Pyttsx3Voice(), Hearing(patient=True)
    await hearing.start()
    with DataFolder.open(folder / "data", lock=True) as data:
        hall = await Hall.open(data, SystemClock(), voice=voice, ears=hearing)
        desk = ServerDevices(hall)
        try:
            await play(hall, desk, folder, said, told)
        finally:
            await desk.close()
            await hall.close()
            await voice.close()
            await hearing.close()
    print(json.dumps(told))


async def play(hall: Hall, desk: ServerDevices, folder: Path, said: Sound, told: dict[str, object]) -> None:
    plan = SeatPlan(SeatKind.TACTILE, "Anna", "de")
    table = await hall.open_table(
        cmd.OpenTable(white=plan, black=plan, control=TimeControl.parse("5400+30"), start_fen=FEN, rated=False), "t1"
    )
    for station in (Station("arbiter", Role.ARBITER), Station("page", Role.PLAYER, Seat.WHITE)):
        await table.admit(station)
    record: list[ev.AnyEvent] = []
    page: list[Outgoing] = []
    table.attach("page", 2**53, page.append)
    table.attach("arbiter", 0, lambda one: note(one, record))
    desk.start()
    await desk_do(hall, cmd.RecordAdaptation(name="machine_announces", value="on"))
    await desk_do(hall, cmd.SetMode(mode=Mode.RELAY))
    devices = cmd.ChooseDevices(seat=Seat.WHITE, microphone="white_mic", headphones="white_ear", headset=True)
    await desk_do(hall, devices)
    await desk_do(hall, cmd.StartGame())
    mouth = Player("to_white_mic")
    async with asyncio.timeout(150):
        while not desk.key(table, Seat.WHITE, "let_go"):
            await asyncio.sleep(0.05)
        desk.key(table, Seat.WHITE, "check")
        await asyncio.sleep(1.8)  # the tones of a headset's check, which come out of another sink
        while not any(isinstance(one, LevelFound) for one in page):
            await mouth.play(said, "check")
        told["level"] = next(one.finding for one in page if isinstance(one, LevelFound))
        told["headset"] = next(one.headset for one in page if isinstance(one, LevelFound))
        await asyncio.sleep(0.5)
        ear, other = bytearray(), bytearray()
        async with capture("ear_heard", PlayingIds()) as at_ear, capture("other_heard", PlayingIds()) as at_other:
            listening = [asyncio.create_task(into(at_ear, ear)), asyncio.create_task(into(at_other, other))]
            await asyncio.sleep(0.3)
            desk.key(table, Seat.WHITE, "talk")
            await asyncio.sleep(0.1)
            await mouth.play(said, "move")
            desk.key(table, Seat.WHITE, "let_go")
            while not any(isinstance(one, ev.SpokenPrivately) for one in record):
                await asyncio.sleep(0.05)
            await asyncio.sleep(4.0)  # the phrase, and time for a second one that must not come
            for task in listening:
                task.cancel()
        told["lost"] = at_ear.overflows + at_other.overflows
        write_wav(folder / "ear.wav", Sound(bytes(ear), 16_000))
        write_wav(folder / "other.wav", Sound(bytes(other), 16_000))
        spoken = [one for one in record if isinstance(one, ev.SpokenPrivately)]
        told["spoken"] = sorted({one.text for one in spoken})
        told["announced"] = [one.text for one in record if isinstance(one, ev.Announced)]
        told["kept"] = [one.length_ms for one in record if isinstance(one, ev.SoundKept)]
        # A second set of devices does not work: that is told, and the seat goes on without.
        await desk_do(hall, cmd.ChooseDevices(seat=Seat.BLACK, headphones="no such card"))
        while not any(isinstance(one, ev.Alerted) and one.kind == "sound_device" for one in record):
            await asyncio.sleep(0.05)
        told["alert"] = next(
            details.told_in(one.said, "en")
            for one in record
            if isinstance(one, ev.Alerted) and one.said is not None and one.kind == "sound_device"
        )


def note(one: Outgoing, record: list[ev.AnyEvent]) -> None:
    if isinstance(one, Numbered) and isinstance(one.message, Recorded):
        record.append(one.message.event)


async def into(frames: object, pcm: bytearray) -> None:
    async for _, part in frames:  # type: ignore[attr-defined]
        pcm.extend(part)


async def desk_do(hall: Hall, body: cmd.StationAct) -> None:
    table = hall.tables["t1"]
    outcome = await table.own(table.program_command(body))
    assert outcome.outcome.ok, (body, outcome)


asyncio.run(main(Path(sys.argv[1])))
