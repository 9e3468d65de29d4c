"""Run by test_record_on_card.py in a process of its own: a prompt is said on the card whose microphone hears itself.

Nobody answers. Prints what was judged of the take, and how loud it was.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path

from server.stations import volunteer
from server.stations.terminal_keys import TerminalKeys
from server.stations.volunteer import Guide, Mouth, Stopped
from speech.audio.devices import Player, PlayingIds, capture
from speech.audio.level import levels
from speech.recording.folder import RecordingFolder
from speech.recording.plan import Wish, draw_plan
from speech.recording.take import Patience, Take
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.words.loading import load_scheme

DEVICE = "pulse"
TAKES: list[Take] = []


class NotedTake(Take):
    """A take that is kept for the test."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        TAKES.append(self)


async def main(path: Path) -> None:
    volunteer.Take = NotedTake  # type: ignore[misc]
    scheme, folder = load_scheme("d21", "de"), RecordingFolder(path, "p01")
    plan = draw_plan(Wish("de", "d21", 1, 1, parts=("announcements",)), scheme, random.Random(1))
    folder.begin(plan)
    reading, writing = os.pipe()

    def show(line: str) -> None:
        if line in (guide.text("lead.keys"), guide.text("lead.how")):
            os.write(writing, b"\n")  # a reader who knows it already
        if line == guide.text("take.empty") or len(TAKES) > 1:
            os.write(writing, b"0")

    playing, voice = PlayingIds(), Pyttsx3Voice()
    guide = Guide(scheme, folder, TerminalKeys(reading), Mouth(voice, Player(DEVICE, playing)), show)
    try:
        async with capture(DEVICE, playing) as microphone:
            await guide.lead(plan, microphone, Patience(silent_ms=1_500))
    except Stopped:
        pass
    finally:
        await voice.close()
    print(TAKES[0].judgement, levels(TAKES[0].pcm).peak_dbfs, len(TAKES[0].pcm))


asyncio.run(main(Path(sys.argv[1])))
