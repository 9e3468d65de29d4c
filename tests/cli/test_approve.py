"""`anna-eins approve`: led by voice and text, left and gone on with, the clock beside a reference, signed, changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from pypdf import PdfReader

from server.cli.approve import Aborted, Leader, held_in, new, told_of, unfinished_approval, write
from server.cli.approve import command as approve
from server.exports.reports.approval import Approval, StepOutcome, load_steps
from server.machine.clock import ScriptedClock
from server.machine.clock_check import ClockCheck, beside_the_system, pressed_by_hand, set_by_time_server
from server.machine.data_folder import DataFolder
from server.stations.volunteer import Mouth
from speech.audio.wav import resample_sound
from speech.complaint import Complaint
from speech.hearing.hearing import Hearing, Verdict
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.voice import Segment
from speech.words.loading import load_scheme

HOUR_MS = 3_600_000


class Said(Mouth):
    """A mouth that keeps what it is to say."""

    def __init__(self, *, broken: bool = False) -> None:
        self.texts: list[str] = []
        self._broken = broken

    async def say(self, segments: Sequence[Segment]) -> None:
        if self._broken:
            raise Complaint("The loudspeaker cannot play.")
        self.texts.append(" ".join(segment.text for segment in segments))


class Person:
    """Somebody who types these answers in turn, after them nothing; a callable happens before Enter alone is typed."""

    def __init__(self, *answers: str | Callable[[], None], mouth: Mouth | None = None) -> None:
        self.clock = ScriptedClock()
        self.mouth = mouth
        self.shown: list[str] = []
        self.kept: list[Approval] = []
        self.answers = iter(answers)

    def type(self, question: str) -> str:
        self.shown.append(question)
        answer = next(self.answers, None)
        if answer is None:
            raise click.Abort
        if isinstance(answer, str):
            return answer
        answer()
        return ""

    def leader(self, language: str = "en", time_server: bool = False) -> Leader:
        scheme = load_scheme("d21", language)
        return Leader(
            scheme, self.clock, self.type, self.shown.append, self.mouth, self.kept.append, lambda: time_server
        )


@pytest.mark.law("L057", "L175")
@pytest.mark.parametrize(("ran_ms", "came"), [(HOUR_MS + 999, "passed"), (HOUR_MS - 1_001, "failed")])
async def test_an_hour_beside_a_clock_that_is_read(ran_ms: int, came: str) -> None:
    person = Person("1", "", lambda: person.clock.advance(ran_ms), "radio clock")
    with pytest.raises(Aborted):
        await person.leader().lead(new("en", "", "", person.clock), load_steps())
    (kept,) = person.kept
    (outcome,) = kept.outcomes
    assert (outcome.step, outcome.came, outcome.note) == ("clock_hour", came, "radio clock")
    assert outcome.clock is not None and outcome.clock.difference_ms == ran_ms - HOUR_MS
    assert any(f"{ran_ms} ms here" in line and "allowed 1000 ms" in line for line in person.shown)


async def test_an_hour_beside_a_time_server_and_a_step_of_the_time_within_it() -> None:
    clock = ScriptedClock()
    checking = asyncio.create_task(beside_the_system(clock, 60, 1_000))
    for minute in range(60):
        await asyncio.sleep(0)
        if minute == 20:
            clock.set_wall(clock.wall_ms() + 5_000)
        if minute == 40:
            clock.set_wall(clock.wall_ms() - 5_000)
        clock.advance(60_000)
        await asyncio.sleep(0)
    check = await checking
    assert check.difference_ms == 0 and check.farthest_ms == 5_000 and not check.passed, "it was put right, and shows"
    assert pressed_by_hand(7, 7 + HOUR_MS, 60, 1_000).passed
    assert set_by_time_server() in (True, False, None)


async def test_a_computer_that_no_time_server_sets_is_no_reference() -> None:
    person = Person("2", "3", "")
    with pytest.raises(Aborted):
        await person.leader().lead(new("en", "", "", person.clock), load_steps())
    assert person.kept[0].outcomes[0].came == "not_tested"
    assert any(line.startswith("No time server sets") for line in person.shown)


async def test_everything_is_said_and_shown_and_each_sound_is_played() -> None:
    mouth = Said()
    person = Person("3", "", "4", "1", "all clear", "x", "2", "faint", mouth=mouth)
    with pytest.raises(Aborted):
        await person.leader("de").lead(new("de", "", "", person.clock), load_steps())
    came = {one.step: (one.came, one.note) for one in person.kept[-1].outcomes}
    assert came["announcements"] == ("passed", "all clear") and came["sentences"] == ("failed", "faint")
    assert mouth.texts.count("Springer Hector fünf Felix sechs") == 2, "played again"
    assert len(mouth.texts) > 100, "every sentence that goes into a private ear"
    assert "Bitte eine dieser Zahlen tippen." in person.shown


async def test_a_step_is_answered_by_voice_and_the_clock_by_hand() -> None:
    """What is said is a real voice's sound, heard by the real recognisers; the measured moment stays a key."""
    voice, hearing, scheme = Pyttsx3Voice(), Hearing(patient=True), load_scheme("d21", "de")
    said = iter(("wiederholen", "ja", "Eva vier", "nein", "stopp"))

    async def hear() -> Verdict:
        return await hearing.hear(resample_sound(await voice.render([Segment(next(said), "de")])).pcm, scheme)

    mouth = Said()
    person = Person("3", mouth=mouth)
    try:
        await hearing.start()
        leader = Leader(scheme, person.clock, person.type, person.shown.append, mouth, person.kept.append, hear=hear)
        with pytest.raises(Aborted):
            await leader.lead(new("de", "", "", person.clock), load_steps())
    finally:
        await hearing.close()
        await voice.close()
    assert [one.came for one in person.kept[-1].outcomes] == ["not_tested", "passed", "failed"]
    assert mouth.texts.count("Springer Hector fünf Felix sechs") == 2, "played again"
    assert "Das wurde nicht verstanden; bitte noch einmal sagen." in person.shown
    assert next(said, None) is None


async def test_what_nobody_could_hear_is_not_tested() -> None:
    person = Person("3", "", "", "", mouth=Said(broken=True))
    with pytest.raises(Aborted):
        await person.leader().lead(new("en", "", "", person.clock), load_steps())
    assert [one.came for one in person.kept[-1].outcomes] == ["not_tested"] * 3
    assert any("No sound can be played here" in line for line in person.shown)


def finished(clock: ScriptedClock, language: str = "en") -> Approval:
    check = ClockCheck(
        reference="hand", reference_ms=HOUR_MS, measured_ms=HOUR_MS + 120, limit_ms=1_000, farthest_ms=120
    )
    outcomes = (
        StepOutcome(step="clock_hour", came="passed", clock=check),
        StepOutcome(step="power_cut", came="failed", note="<b>* the plug #1"),
    )
    approval = new(language, "Open 2026", "A. Arbiter", clock)
    for one in outcomes:
        approval = approval.with_outcome(one)
    return approval


def signs_of_change(file: bytes) -> Iterator[bytes]:
    """The file with a note, a count, a place or a byte that is not as it was signed."""
    yield file.replace(b"the plug", b"no plug")
    yield file.replace(b'"failed"', b'"passed"')
    yield file.replace(b'{"evidence":', b'{ "evidence":')
    yield file[:-1]
    yield file[:-4] + bytes([file[-4] ^ 1]) + file[-3:]


def test_a_signed_file_is_known_again_and_a_changed_one_is_refused_in_one_sentence(tmp_path: Path) -> None:
    clock = ScriptedClock()
    with DataFolder.open(tmp_path / "data", lock=False) as folder:
        folder.evidence_key.parent.mkdir()
        file, sheet, key = write(finished(clock), folder, tmp_path, clock)
        assert folder.evidence_key.stat().st_mode & 0o777 == 0o600
        told = told_of(held_in(file, folder.evidence_key))
        assert "Passed: 1; failed: 1; not tested: 7." in told and f"{key} (the key of this data folder)" in told
        assert "compare it with the key on the sheet" in told_of(held_in(file, tmp_path / "none"))
        whole = file.read_bytes()
        other = tmp_path / "other.json"
        for changed in signs_of_change(whole):
            assert changed != whole
            other.write_bytes(changed)
            with pytest.raises(Complaint, match=r"^\S+other\.json .*changed[^.]*\.$"):
                held_in(other, folder.evidence_key)
        printed = PdfReader(BytesIO(sheet.read_bytes()))
        text = " ".join(" ".join(page.extract_text() for page in printed.pages).split())
        for line in ("failed", "<b>* the plug #1", "not accepted by FIDE", "difference 120 ms", "A. Arbiter", key[:16]):
            assert line in text, line
        assert b"pdfuaid:part" in sheet.read_bytes(), "tagged, for a screen reader"


@pytest.mark.parametrize("language", ["de", "hu", "hy", "ar", "he"])
def test_the_sheet_in_each_language(tmp_path: Path, language: str) -> None:
    clock = ScriptedClock()
    with DataFolder.open(tmp_path / "data", lock=False) as folder:
        folder.evidence_key.parent.mkdir()
        _, sheet, _ = write(finished(clock, language), folder, tmp_path, clock)
        assert str(PdfReader(sheet).trailer["/Root"]["/Lang"]).startswith(language)
        assert b"pdfuaid:part" in sheet.read_bytes()


def test_a_test_that_is_left_goes_on_and_is_signed_as_it_is(tmp_path: Path) -> None:
    data, quiet = ("--data", str(tmp_path / "data")), ("--quiet", "--language", "en")
    left = CliRunner().invoke(approve, [*data, *quiet], input="Open\nA. Arbiter\n3\nno reference\n")
    assert left.exit_code == 0 and "the same command continues" in left.output
    again = CliRunner().invoke(approve, [*data, "--quiet"], input="\n\n1\n\n0\n")
    assert "Steps done: 1 of 9." in again.output and "Step 4 of 9" in again.output and "Step 1 of 9" not in again.output
    written = CliRunner().invoke(approve, [*data, "--now", "--out", str(tmp_path)])
    assert written.exit_code == 0 and "Written:" in written.output
    (file,) = tmp_path.glob("approval-*.json")
    checked = CliRunner().invoke(approve, [*data, "--check", str(file)])
    assert "Passed: 1; failed: 0; not tested: 8." in checked.output
    assert isinstance(CliRunner().invoke(approve, [*data, "--now"]).exception, Complaint), (
        "nothing is left to be signed"
    )


def test_a_test_of_another_version_is_not_gone_on_with(tmp_path: Path) -> None:
    draft = tmp_path / "draft.json"
    assert unfinished_approval(draft, None, ScriptedClock()) is None
    for text in ("", "{}", "[" * 5_000, '{"form":1,"program":"0","system":"","language":"en"}'):
        draft.write_text(text)
        with pytest.raises(Complaint, match="--anew"):
            unfinished_approval(draft, None, ScriptedClock())
