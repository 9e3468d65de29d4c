"""`anna-eins record` from the consent to the last prompt, with a microphone, a voice and keys that the tests hold."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from server.cli import main
from server.cli.measure import read_table
from server.cli.record import plan_in
from server.stations import volunteer
from server.stations.terminal_keys import TerminalKeys, meaning_of_key
from server.stations.volunteer import CONSENT_VERSION, Guide, Mouth, Stopped
from speech.audio import devices
from speech.audio.devices import Availability, Microphone, Player, PlayingIds
from speech.audio.frames import FRAME_BYTES
from speech.audio.vad import Activity
from speech.complaint import Complaint
from speech.recording.folder import RecordingFolder
from speech.recording.plan import Plan, Wish, draw_plan
from speech.recording.take import Patience, Take, Talk
from speech.words.catalogue import load_messages
from speech.words.config_file import language_tags
from speech.words.language import COMMANDS
from speech.words.loading import load_scheme

D21 = load_scheme("d21", "de")
WORDS = load_messages("de", part="recording")
SITTING: list[Sitting] = []
PATIENCE = Patience(silent_ms=1_500, longest_ms=4_000)


def noise(ms: int, dbfs: float) -> bytes:
    samples = np.random.default_rng(ms).normal(0, 32_768 * 10 ** (dbfs / 20), 16 * ms)
    return np.clip(samples, -32_768, 32_767).astype("<i2").tobytes()


ROOM = noise(1_600, -70)
GOOD, SOFT, LOUD = (noise(700, dbfs) + ROOM for dbfs in (-20, -46, 0))


class Sitting:
    """One volunteer: answers each line shown by what the test says, through a microphone and a pipe of keys."""

    def __init__(self, folder: Path, plan: Plan, answers: Callable[[str, Sitting], None]) -> None:
        self.folder = RecordingFolder(folder, "p01")
        self.plan = plan
        self.shown: list[str] = []
        self._answers = answers
        self._reading, self._writing = os.pipe()
        self._microphone = Microphone(PlayingIds())
        self._to_say: tuple[bytes, str] | None = None
        self._speaking: asyncio.Task[None] | None = None
        SITTING[:] = [self]

    def show(self, line: str) -> None:
        self.shown.append(line)
        self._answers(line, self)

    def speak(self, pcm: bytes, then: str = "") -> None:
        """Say it when the take has begun, in pieces as a microphone's, and press keys afterwards."""
        self._to_say = pcm, then

    def listened_to(self) -> None:
        """A take begins, or the talk."""
        if self._to_say is not None:
            self._speaking = asyncio.create_task(self._say(*self._to_say))
            self._to_say = None

    async def _say(self, pcm: bytes, then: str) -> None:
        for place in range(0, len(pcm), FRAME_BYTES):
            self._microphone.take(pcm[place : place + FRAME_BYTES], False)
            await asyncio.sleep(0)
        self.press(then)

    def press(self, keys: str) -> None:
        os.write(self._writing, keys.encode())

    def leave(self) -> None:
        os.close(self._writing)

    async def consent(self) -> bool:
        return await self._guide().asked_for_consent("2026-11-23")

    async def lead(self) -> None:
        self.folder.begin(self.plan)
        async with asyncio.timeout(100):
            await self._guide().lead(self.plan, self._microphone, PATIENCE)

    def _guide(self) -> Guide:
        return Guide(D21, self.folder, TerminalKeys(self._reading), Mouth(None, Player()), self.show)


def plan_of(*parts: str, announcements: int = 2, talk_s: int = 1) -> Plan:
    wish = Wish("de", "d21", 1, announcements, talk_s, parts)  # type: ignore[arg-type]
    return draw_plan(wish, D21, random.Random(1))


class BegunTake(Take):
    """A take that lets the volunteer know when it begins, as the end of the voice does."""

    def __init__(self, activity: Activity, patience: Patience) -> None:
        super().__init__(activity, patience)
        SITTING[0].listened_to()


class BegunTalk(Talk):
    """The same for the talk, before which it is asked whether something was left from before."""

    def rest(self) -> bytes | None:
        SITTING[0].listened_to()
        return super().rest()


@pytest.fixture(autouse=True)
def volunteer_who_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(volunteer, "HUSH_MS", 10)
    monkeypatch.setattr(volunteer, "Take", BegunTake)
    monkeypatch.setattr(volunteer, "Talk", BegunTalk)


def is_prompt(line: str) -> bool:
    return line.split(":")[0] in {f"{n} von {of}" for n in range(1, 200) for of in range(1, 200)}


@pytest.mark.parametrize("answer", ["nein\n", "vielleicht\n", "\n\n\n", None])
async def test_without_a_yes_nothing_is_written(tmp_path: Path, answer: str | None) -> None:
    def answers(line: str, sitting: Sitting) -> None:
        if line == sitting.shown[0]:
            sitting.leave() if answer is None else sitting.press(answer)

    sitting = Sitting(tmp_path / "new", plan_of("announcements"), answers)
    assert not await sitting.consent()
    assert sitting.shown[-1] == WORDS.text("consent.refused") and not (tmp_path / "new").exists()


async def test_a_yes_is_written_down_with_the_text_that_was_shown(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path / "new", plan_of("announcements"), lambda line, one: None)
    sitting.press("Ja\n")
    assert await sitting.consent()
    written = (tmp_path / "new" / "consent.txt").read_text("utf-8")
    assert all(line in written for line in sitting.shown) and "answer: Ja\n" in written
    assert str(tmp_path / "new") in written and "p01" in written
    assert sitting.folder.has_agreed(CONSENT_VERSION)
    assert [*(tmp_path / "new").iterdir()] == [tmp_path / "new" / "consent.txt"]


async def test_what_was_too_soft_or_clipped_is_asked_for_again_and_the_good_take_is_kept(tmp_path: Path) -> None:
    takes = iter([SOFT, LOUD, GOOD, GOOD])
    sitting = Sitting(
        tmp_path, plan_of("announcements"), lambda line, one: one.speak(next(takes)) if is_prompt(line) else None
    )
    await sitting.lead()
    told = [line for line in sitting.shown if is_prompt(line) or line in {WORDS.text(f"take.{w}") for w in TAKES}]
    prompts = [f"{prompt.number} von 2: {prompt.said}" for prompt in sitting.plan.prompts]
    assert told == [
        *(prompts[0], WORDS.text("take.soft"), prompts[0], WORDS.text("take.loud")),
        *(prompts[0], WORDS.text("take.good"), prompts[1], WORDS.text("take.good")),
    ]
    assert [line.split("\t")[-1] for line in table_of(tmp_path)] == ["note", "", ""]
    assert len(read_table(tmp_path, "d21")) == 2


TAKES = ("good", "noisy", "soft", "loud", "empty", "long", "kept", "skipped")


def table_of(folder: Path) -> list[str]:
    return (folder / "table.tsv").read_text("utf-8").splitlines()


async def test_after_three_tries_the_volunteer_keeps_it_with_a_note_or_skips_it(tmp_path: Path) -> None:
    keys = iter("\n2")

    def answers(line: str, sitting: Sitting) -> None:
        if is_prompt(line):
            sitting.speak(SOFT)
        elif line == WORDS.text("take.choose"):
            sitting.press(next(keys))

    sitting = Sitting(tmp_path, plan_of("announcements"), answers)
    await sitting.lead()
    assert sum(map(is_prompt, sitting.shown)) == 6
    assert [line.split("\t")[::4] for line in table_of(tmp_path)[1:]] == [["p01-001.flac", "soft"]]
    assert sitting.shown[-1] == WORDS.text("take.skipped")


async def test_silence_is_never_kept(tmp_path: Path) -> None:
    def answers(line: str, sitting: Sitting) -> None:
        if is_prompt(line):
            sitting.speak(ROOM)
        elif line == WORDS.text("take.choose_empty"):
            sitting.press("2")

    sitting = Sitting(tmp_path, plan_of("announcements", announcements=1), answers)
    await sitting.lead()
    assert len(table_of(tmp_path)) == 1 and not [*tmp_path.glob("*.flac")]


async def test_who_stops_goes_on_at_the_first_prompt_that_is_not_recorded(tmp_path: Path) -> None:
    def stop_at_the_third(line: str, sitting: Sitting) -> None:
        if is_prompt(line):
            sitting.press("0") if line.startswith("3 ") else sitting.speak(GOOD)

    plan = plan_of("announcements", announcements=4)
    with pytest.raises(Stopped):
        await Sitting(tmp_path, plan, stop_at_the_third).lead()
    assert len(table_of(tmp_path)) == 3
    sitting = Sitting(tmp_path, plan, lambda line, one: one.speak(GOOD) if is_prompt(line) else None)
    await sitting.lead()
    assert [line.split(" ")[0] for line in sitting.shown if is_prompt(line)] == ["3", "4"]
    assert [one.file.name for one in read_table(tmp_path, "d21")] == [f"p01-00{n}.flac" for n in range(1, 5)]


async def test_a_microphone_without_any_sound_ends_it_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(volunteer, "_LATE_S", -5.3)  # 0.2 s in all
    with pytest.raises(Complaint, match="No more sound comes from the microphone"):
        await Sitting(tmp_path, plan_of("announcements"), lambda line, one: None).lead()


async def test_talk_is_kept_in_utterances_with_nothing_said_in_the_table(tmp_path: Path) -> None:
    talk = noise(900, -20) + noise(900, -70) + noise(900, -20) + noise(900, -70)
    sitting = Sitting(
        tmp_path,
        plan_of("talk", talk_s=3),
        lambda line, one: one.speak(talk) if line == WORDS.text("lead.suggestions") else None,
    )
    await sitting.lead()
    read = read_table(tmp_path, "d21")
    assert [one.file.name for one in read] == ["p01-001-01.flac", "p01-001-02.flac"]
    assert all(one.meaning is None for one in read)


async def test_enter_ends_the_talk_and_what_was_being_said_is_kept(tmp_path: Path) -> None:
    def answers(line: str, sitting: Sitting) -> None:
        if line == WORDS.text("lead.suggestions"):
            sitting.speak(noise(900, -20), then="\n")

    sitting = Sitting(tmp_path, plan_of("talk", talk_s=60), answers)
    await sitting.lead()
    assert len(read_table(tmp_path, "d21")) == 1


def test_a_plan_goes_on_and_another_one_is_refused(tmp_path: Path) -> None:
    folder = RecordingFolder(tmp_path, "p01")
    plan = plan_in(folder, {"language": "hu", "announcements": 3})
    folder.begin(plan)
    assert plan_in(folder, {}) == plan == plan_in(folder, {"language": "hu"})
    with pytest.raises(Complaint, match=r"another plan \(language hu, announcements 3\)"):
        plan_in(folder, {"language": "de", "announcements": 60})
    other = plan_in(RecordingFolder(tmp_path, "p02"), {"language": "de"})
    assert other.wish.seed != plan.wish.seed and len(other.prompts) == 60 + 16 + len(COMMANDS) + 1


def test_the_keys_are_the_same_on_every_layout_of_letters() -> None:
    assert [meaning_of_key(one) for one in "\n 120x"] == ["go", "go", "again", "skip", "stop", None]
    assert meaning_of_key("\u0661") == "again" and meaning_of_key("\u06f0") == "stop" and meaning_of_key("") == "stop"


@pytest.mark.parametrize("language", language_tags())
def test_every_sentence_fits_into_the_voice_and_the_consent_names_what_it_must(language: str) -> None:
    words = load_messages(language, part="recording")
    values: dict[str, Any] = {"folder": "/home/anna/aufnahmen", "person": "p01", "yes": "yes"}
    consent = " ".join(words.text(f"consent.{key}", **values) for key in volunteer.CONSENT)
    assert consent.count("p01") == 2 and "/home/anna/aufnahmen" in consent
    for key, message in words.entries.items():
        assert all(len(text) < 400 for text in message.forms.values()), key
    for key in ("keys", "how"):
        assert "Enter" in words.text(f"lead.{key}") or language in ("de", "ar")
    assert all(digit in words.text("lead.keys") for digit in "120")


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(["record", *arguments])
    told = capsys.readouterr()
    assert stop.value.code == 2 and told.out == "" and told.err.count("\n") == 1
    return told.err


def test_bad_input_is_one_sentence_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("x")
    new = str(tmp_path / "new")
    monkeypatch.setattr(devices, "available", lambda: Availability(False, "no sound card was found", "plug one in"))
    assert "no sound card was found; plug one in." in refused(capsys, new)
    assert "cannot be used as a folder" in refused(capsys, str(tmp_path / "file" / "below"))
    assert "is not a code" in refused(capsys, new, "--person", "Anna Meier")
    assert "tlh" in refused(capsys, new, "--language", "tlh")
    assert "nowhere" in refused(capsys, new, "--scheme", "nowhere")
    assert "501" in refused(capsys, new, "--announcements", "501")
    assert not (tmp_path / "new").exists()
