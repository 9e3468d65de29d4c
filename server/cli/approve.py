"""`anna-eins approve` leads an arbiter through the test of the device (D.1), by voice and text, and signs the outcome.

A test that is left goes on at the step where it was left. With `--spoken` the answer to a step is said, in words that
the ears of a game know; what is pressed to measure the clock is a key, because its moment counts. `--check` says
whether a signed file is as it was signed.
"""

from __future__ import annotations

import asyncio
import hashlib
import platform
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from server.cli.terminal.words import JSON, answer_text, tell_facts
from server.exports.reports.approval import (
    LONGEST_NOTE,
    Approval,
    ApprovalStep,
    Came,
    StepOutcome,
    digest_of_steps,
    load_steps,
    measured_in_words,
    sheet_of_approval,
    with_outcomes,
)
from server.exports.reports.evidence import LARGEST, check_evidence, name_of, sign_evidence, signing_key
from server.exports.reports.pdf import maker, to_pdf
from server.exports.samples import messages_said
from server.journal.sqlite.schema import write_private
from server.machine.clock import Clock, SystemClock
from server.machine.clock_check import ClockCheck, beside_the_system, pressed_by_hand, set_by_time_server
from server.machine.data_folder import DataFolder, chosen_folder
from server.machine.version import program_version
from server.stations.volunteer import Mouth
from server.wording.aloud.spoken import spoken_message
from server.wording.complaints import translate_phrase
from speech.audio.devices import Player, PlayingIds, available, capture, check_microphone
from speech.audio.vad import load_activity
from speech.complaint import Complaint, Phrase
from speech.hearing.hearing import Hearing, Verdict
from speech.recording.take import Patience, Take, take_activity
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.voices.respelling import respell_words, respellings
from speech.voices.voice import Segment
from speech.words.catalogue import load_messages
from speech.words.config_file import language_tags
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme

ANSWERS: Mapping[str, Came] = {"1": "passed", "2": "failed", "3": "not_tested"}
AGAIN, LEAVE = "4", "0"
LATE_S = 5.0
SAID: Mapping[str, str] = {"yes": "1", "no": "2", "score_next": "3", "repeat": AGAIN, "stop": LEAVE}
"""The command words that answer a step, and the number that would be typed."""
SPOKEN = {"yes": "yes", "no": "no", "next": "score_next", "repeat": "repeat", "stop": "stop"}
UNHEARD = 3
"""After so many answers that were not understood, the next one is typed."""
Sounds = Sequence[tuple[str, tuple[Segment, ...]]]


class Aborted(Exception):
    """Raised when the person leaves the test; the results so far are kept."""


class Leader:
    """Leader of one person through the steps.

    `ask`: shows a question and returns what was typed; it may raise `click.Abort`. `mouth`: None where nothing can be
    played, and then what is to be heard counts as not tested. `keep`: keeps the test after each step. `time_server`:
    says whether one sets this computer's clock. `hear`: hears one answer, where answers are spoken.
    """

    def __init__(
        self,
        scheme: Scheme,
        clock: Clock,
        ask: Callable[[str], str],
        show: Callable[[str], None],
        mouth: Mouth | None,
        keep: Callable[[Approval], None],
        time_server: Callable[[], bool | None] = set_by_time_server,
        hear: Callable[[], Awaitable[Verdict]] | None = None,
    ) -> None:
        self._scheme = scheme
        self._clock = clock
        self._ask = ask
        self._show = show
        self._mouth = mouth
        self._keep = keep
        self._time_server = time_server
        self._hear = hear
        self._words = load_messages(scheme.language, part="approval")

    async def lead(self, approval: Approval, steps: Mapping[str, ApprovalStep]) -> Approval:
        """Ask every step that was not asked yet, and return the test. Raises Left."""
        begin = "lead.going_on" if approval.outcomes else "lead.begin"
        await self.tell(begin, number=len(approval.outcomes), of=len(steps))
        for number, (name, step) in enumerate(steps.items(), 1):
            if approval.of(name) is not None:
                continue
            text = {
                "number": number,
                "of": len(steps),
                "article": step.article,
                "text": step.text[self._words.language],
            }
            await self.tell("lead.step", **text)
            approval = approval.with_outcome(await self._outcome(name, step, text))
            self._keep(approval)
        return approval

    async def tell(self, key: str, **values: object) -> None:
        """Show a sentence and say it, where there is a voice."""
        text = self._words.text(key, **values)
        self._show(text)
        language = self._scheme.language
        await self._say((Segment(respell_words(text, respellings(language)), language),))

    async def _say(self, segments: Sequence[Segment]) -> None:
        if self._mouth is None:
            return
        try:
            await self._mouth.say(segments)
        except Complaint as wrong:
            self._mouth = None
            self._show(self._words.text("lead.no_sound", why=translate_phrase(wrong.told, self._words.language)))

    async def _outcome(self, name: str, step: ApprovalStep, text: Mapping[str, object]) -> StepOutcome:
        if step.kind == "clock":
            return await self._clock_outcome(name, step)
        sounds = sounds_of(step, self._scheme)
        await self._play(sounds)
        while True:
            if sounds and self._mouth is None:
                return self._outcome_of_check(name, "not_tested")  # what nobody could hear was not heard
            answer = await self._spoken_number() or self._answer("lead.answer", (*ANSWERS, AGAIN))
            if answer == LEAVE:
                raise Aborted
            if answer != AGAIN:
                return self._outcome_of_check(name, ANSWERS[answer])
            await self.tell("lead.step", **text)
            await self._play(sounds)

    async def _play(self, sounds: Sounds) -> None:
        for number, (text, segments) in enumerate(sounds if self._mouth is not None else (), 1):
            self._show(self._words.text("lead.sound", number=number, of=len(sounds), text=text))
            await self._say(segments)

    async def _clock_outcome(self, name: str, step: ApprovalStep) -> StepOutcome:
        while True:
            answer = self._answer("lead.reference", ("1", "2", "3"))
            if answer == "3":
                return self._outcome_of_check(name, "not_tested")
            if answer == "1":
                check = self._by_hand(step)
                break
            if self._time_server():
                await self.tell("lead.running", minutes=step.minutes)
                check = await beside_the_system(self._clock, step.minutes, step.limit_ms)
                break
            await self.tell("lead.unset")
        self._show(measured_in_words(check, self._scheme.language))
        return self._outcome_of_check(name, "passed" if check.passed else "failed", check)

    def _by_hand(self, step: ApprovalStep) -> ClockCheck:
        self._ask_to_type("lead.hand_start")
        began = self._clock.mono_ms()
        self._ask_to_type("lead.hand_end", minutes=step.minutes)
        return pressed_by_hand(began, self._clock.mono_ms(), step.minutes, step.limit_ms)

    def _outcome_of_check(self, name: str, came: Came, check: ClockCheck | None = None) -> StepOutcome:
        self._show(self._words.text(f"came.{came}"))
        note = self._ask_to_type("lead.note")[:LONGEST_NOTE] if self._hear is None else ""
        return StepOutcome(step=name, came=came, note=note, wall_ms=self._clock.wall_ms(), clock=check)

    async def _spoken_number(self) -> str:
        """Return the number that an answer stands for that was said; "" where answers are typed, or nobody is heard."""
        for _ in range(UNHEARD if self._hear is not None else 0):
            assert self._hear is not None
            await self.tell("lead.spoken", **{name: self._scheme.text(f"cmd.{word}") for name, word in SPOKEN.items()})
            try:
                verdict = await self._hear()
            except Complaint as wrong:
                self._hear = None
                self._show(translate_phrase(wrong.told, self._words.language))
                return ""
            said = SAID.get(verdict.heard.command or "", "")
            if verdict.verdict == "accept" and said:
                return said
            await self.tell("lead.unheard")
        return ""

    def _answer(self, key: str, possible: Sequence[str]) -> str:
        """Return one of the numbers that may be typed. Raises Left."""
        while (answer := self._ask_to_type(key)) not in possible:
            if answer == LEAVE:
                raise Aborted
            self._show(self._words.text("lead.unknown"))
        return answer

    def _ask_to_type(self, key: str, **values: object) -> str:
        try:
            return self._ask(self._words.text(key, **values)).strip()
        except (click.Abort, EOFError) as wrong:
            raise Aborted from wrong


def sounds_of(step: ApprovalStep, scheme: Scheme) -> Sounds:
    """Return the sounds of a step, each with its text: announcements of moves, or everything else that is said."""
    if step.kind not in ("moves", "sentences"):
        return ()
    found: dict[str, tuple[Segment, ...]] = {}
    for message in messages_said(scheme):
        said = spoken_message(message, scheme, read_back=True)
        if said is not None and bool(getattr(message, "words", ())) is (step.kind == "moves"):
            found.setdefault(*said)
    return tuple(found.items())


def unfinished_approval(file: Path, language: str | None, clock: Clock) -> Approval | None:
    """Return the test that was left, None where there is none. Raises Complaint: it cannot be gone on with."""
    try:
        approval = msgspec.json.decode(file.read_bytes(), type=Approval)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as wrong:
        raise Complaint(Phrase("approval.unread", file=file, command="--anew")) from wrong
    if (approval.program, approval.steps) != (program_version(), digest_of_steps(load_steps())):
        raise Complaint(Phrase("approval.other_version", command="--anew"))
    if language not in (None, approval.language):
        raise Complaint(Phrase("approval.other_language", language=approval.language, command="--anew"))
    return approval


def new(language: str, event: str, arbiter: str, clock: Clock) -> Approval:
    """Return a test that begins now, on this computer."""
    system = f"{platform.node()}, {platform.system()} {platform.release()} {platform.machine()}, Python"
    return Approval(
        program=program_version(),
        system=f"{system} {platform.python_version()}",
        language=language,
        event=event[:LONGEST_NOTE],
        arbiter=arbiter[:LONGEST_NOTE],
        began_ms=clock.wall_ms(),
        steps=digest_of_steps(load_steps()),
    )


def write(approval: Approval, folder: DataFolder, out: Path, clock: Clock) -> tuple[Path, Path, str]:
    """Sign a test and write the file and its sheet to print; return both and the key's name. Raises Complaint."""
    steps = load_steps()
    done = with_outcomes(approval, steps, clock.wall_ms())
    key = signing_key(folder.evidence_key)
    file = sign_evidence(done, key)
    sheet = sheet_of_approval(done, steps, hashlib.sha256(file).hexdigest(), name_of(key.public_key()), zone=None)
    stamp = datetime.fromtimestamp(done.ended_ms / 1000, UTC).strftime("%Y%m%d-%H%M%S")
    places = out / f"approval-{stamp}.json", out / f"approval-{stamp}.pdf"
    try:
        for place, made in zip(places, (file, to_pdf(sheet, done.ended_ms)), strict=True):
            place.write_bytes(made)
    except OSError as wrong:
        raise Complaint(Phrase("files.other_out", place=out, why=wrong.strerror)) from wrong
    return *places, name_of(key.public_key())


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome in a signed file; `key`: the name of its key, `own_key`: it is that of this data folder."""

    file: str
    ended_ms: int
    passed: int
    failed: int
    untested: int
    key: str
    own_key: bool


def held_in(file: Path, own_key: Path) -> Held:
    """Return the contents of a signed file. Raises Complaint where it cannot be read or was changed."""
    try:
        with file.open("rb") as stream:
            body, key = check_evidence(stream.read(LARGEST + 1), str(file))
        approval = msgspec.json.decode(body, type=Approval)
    except OSError as wrong:
        raise Complaint(Phrase("files.unread", place=file, why=wrong.strerror)) from wrong
    except (ValueError, RecursionError) as wrong:
        raise Complaint(Phrase("approval.newer", file=file)) from wrong
    passed, failed, untested = (sum(one.came == came for one in approval.outcomes) for came in ANSWERS.values())
    own = own_key.is_file() and name_of(signing_key(own_key).public_key()) == key
    counts = {"passed": passed, "failed": failed, "untested": untested}
    return Held(file=str(file), ended_ms=approval.ended_ms, **counts, key=key, own_key=own)


def told_of(held: Held) -> str:
    """Describe the contents of a signed file, in two lines."""
    when = datetime.fromtimestamp(held.ended_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    counts = {"passed": held.passed, "failed": held.failed, "untested": held.untested}
    holds = answer_text("answer.approval_holds", file=held.file, when=when, **counts)
    whose = "answer.approval_own_key" if held.own_key else "answer.approval_other_key"
    return f"{holds}\n{answer_text(whose, key=held.key)}"


@click.command("approve", epilog="\b\nExample:\n  anna-eins approve --language de")
@click.option("--check", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path(),
    metavar="DIR",
)
@click.option("--language", type=click.Choice(language_tags()))
@click.option("--scheme", default="d21", show_default=True, metavar="NAME")
@click.option("--speaker", default=None, metavar="DEVICE")
@click.option("--quiet", is_flag=True)
@click.option("--spoken", "by_voice", is_flag=True)
@click.option("--anew", is_flag=True)
@click.option("--now", is_flag=True)
@JSON
def command(
    check: Path | None,
    data: Path | None,
    out: Path,
    language: str | None,
    scheme: str,
    speaker: str | None,
    quiet: bool,
    by_voice: bool,
    anew: bool,
    now: bool,
    as_json: bool,
) -> None:
    """Test this device step by step before the arbiter approves it (D.1), and sign the outcome: docs/approval.md."""
    root = chosen_folder(data)
    if check is not None:
        _tell_held(held_in(check, DataFolder(root).evidence_key), as_json=as_json)
        return
    maker()  # a slim install makes no sheet: it says so before the test, not after an hour
    clock = SystemClock()
    with DataFolder.open(root, lock=False) as folder:
        draft = _draft_beside(folder.evidence_key, anew=anew)
        approval = unfinished_approval(draft, language, clock)
        words = load_messages(approval.language if approval else language or "en", part="approval")
        if not now:
            if approval is None:
                event, arbiter = (_read_answer(words.text(f"lead.{what}")) for what in ("event", "arbiter"))
                approval = new(words.language, event, arbiter, clock)
            try:
                approval = asyncio.run(
                    _lead_through(approval, load_scheme(scheme, words.language), clock, draft, speaker, quiet, by_voice)
                )
            except KeyboardInterrupt:
                approval = None
            if approval is None:
                click.echo(words.text("lead.left"))
                return
        elif approval is None:
            raise Complaint(Phrase("approval.nothing_left"))
        file, sheet, key = write(approval, folder, out, clock)
        draft.unlink(missing_ok=True)
        if as_json:
            tell_facts({"file": str(file), "sheet": str(sheet), "key": key})
        else:
            click.echo(words.text("lead.written", file=str(file), name=str(sheet), key=key))


def _tell_held(held: Held, *, as_json: bool) -> None:
    if as_json:
        tell_facts(held)
    else:
        click.echo(told_of(held))


def _draft_beside(key: Path, *, anew: bool) -> Path:
    """Return the file of a test that was left, in its folder; `anew` deletes it. Raises Complaint."""
    draft = key.with_name("draft.json")
    try:
        draft.parent.mkdir(mode=0o700, exist_ok=True)
        if anew:
            draft.unlink(missing_ok=True)
    except OSError as wrong:
        raise Complaint(Phrase("files.unwritten", place=draft.parent, why=wrong.strerror)) from wrong
    return draft


async def _lead_through(
    approval: Approval,
    scheme: Scheme,
    clock: Clock,
    draft: Path,
    speaker: str | None,
    quiet: bool,
    by_voice: bool,
) -> Approval | None:
    """Return the test when every step was asked; None where the person left it."""
    sound = available()
    if not quiet and not sound.ok:
        words = load_messages(scheme.language, part="approval")
        why = "; ".join(translate_phrase(one, words.language) for one in (sound.reason, sound.mend))
        click.echo(words.text("lead.no_sound", why=f"{why}."))
    voice, playing = None if quiet or not sound.ok else Pyttsx3Voice(), PlayingIds()
    mouth = Mouth(voice, Player(speaker, playing)) if voice is not None else None

    def keep(one: Approval) -> None:
        try:
            write_private(draft, msgspec.json.encode(one))
        except OSError as wrong:
            raise Complaint(Phrase("files.unwritten", place=draft, why=wrong.strerror)) from wrong

    try:
        async with _ears(scheme, playing) if by_voice else nullcontext() as hear:
            leader = Leader(scheme, clock, _read_answer, click.echo, mouth, keep, hear=hear)
            return await leader.lead(approval, load_steps())
    except Aborted:
        return None
    finally:
        if voice is not None:
            await voice.close()


@asynccontextmanager
async def _ears(scheme: Scheme, playing: PlayingIds) -> AsyncIterator[Callable[[], Awaitable[Verdict]]]:
    """Yield what hears one answer at this computer's microphone, from the end of the question to a pause.

    The microphone is deaf while our own voice sounds. Raises Complaint where nothing can be recorded or recognised.
    """
    check_microphone()
    hearing = Hearing(patient=True)
    try:
        await hearing.start()
        async with capture(playing=playing) as microphone:
            patience = Patience()
            activity = take_activity(load_activity(), patience)
            under_way: list[tuple[Take, asyncio.Event]] = []

            async def listen() -> None:
                """Give every frame to the answer under way; else only the noise of the room is learnt from it."""
                async for _, frame in microphone:
                    if not under_way:
                        activity.take(frame)
                    elif under_way[0][0].feed(frame):
                        under_way[0][1].set()

            async def hear() -> Verdict:
                take, over = Take(activity, patience), asyncio.Event()
                under_way[:] = [(take, over)]
                try:
                    async with asyncio.timeout((patience.silent_ms + patience.longest_ms) / 1000 + LATE_S):
                        await over.wait()
                except TimeoutError:
                    raise Complaint(Phrase("approval.no_sound")) from None
                finally:
                    under_way.clear()
                return await hearing.hear(take.pcm, scheme)

            listening = asyncio.create_task(listen())
            try:
                yield hear
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)
    finally:
        await hearing.close()


def _read_answer(question: str) -> str:
    answer = click.prompt(question, default="", show_default=False, prompt_suffix=": ")
    return str(answer).encode("utf-8", "replace").decode()  # a terminal may send bytes that are no text
