"""A volunteer is led through recordings at this computer, by voice and by lines of text.

Whatever is shown is said too, line by line, so that a screen reader or the voice alone is enough. Our own voice is
never recorded: the microphone is deaf while it sounds, and a take begins after it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from server.stations.terminal_keys import Key, TerminalKeys
from speech.audio.devices import Microphone, Player
from speech.audio.vad import load_activity
from speech.complaint import Complaint, Phrase, told_by
from speech.process import ChildFailed
from speech.recording.folder import RecordingFolder
from speech.recording.plan import Plan, Prompt
from speech.recording.take import USABLE, Patience, Take, Talk, judge, take_activity
from speech.voices.respelling import respell_words, respellings, segments_of
from speech.voices.voice import Segment, Voice
from speech.words.catalogue import load_messages
from speech.words.messages import without_isolation
from speech.words.scheme import Scheme

CONSENT_VERSION = "1"
"""Version of the text that a volunteer agrees to; a new text gets a new number, and everybody is asked again."""
CONSENT = ("title", "what", "purpose", "place", "sharing", "pseudonym", "withdrawing")
TRIES = 3
"""Takes of one prompt that cannot be used, until the volunteer chooses what becomes of it."""
HUSH_MS = 1_500
"""The room alone is heard for so long, so that its noise is known."""
SILENT_TALK_S = 20.0
"""Silence after which the suggestions for the free talk are said again, and then the talk is over."""
LATE_KEY_MS = 400
"""An Enter so soon after the prompt belongs to what was said before."""
_LATE_S = 5.0


class Stopped(Exception):
    """The volunteer has asked to stop, or nobody can press a key any more."""


class Mouth:
    """Voice on a loudspeaker; without an engine it says nothing."""

    def __init__(self, voice: Voice | None, player: Player) -> None:
        self._voice = voice
        self._player = player

    async def say(self, segments: Sequence[Segment]) -> None:
        """Say it to its end. Raises Complaint where the voice or the loudspeaker does not work."""
        if self._voice is None:
            return
        try:
            sound = await self._voice.render(segments)
        except ChildFailed as wrong:
            raise Complaint(Phrase("folder.no_voice", why=told_by(wrong))) from wrong
        await self._player.play(sound, "guide")


class Guide:
    """Guide of one volunteer through the consent and a plan, in the volunteer's language."""

    def __init__(
        self, scheme: Scheme, folder: RecordingFolder, keys: TerminalKeys, mouth: Mouth, show: Callable[[str], None]
    ) -> None:
        self._scheme = scheme
        self._folder = folder
        self._keys = keys
        self._mouth = mouth
        self._show = show
        self._words = load_messages(scheme.language, part="recording")
        self._spellings = respellings(scheme.language)

    def text(self, key: str, **values: object) -> str:
        """Return a sentence in the volunteer's language."""
        return self._words.text(key, **values)

    async def tell(self, key: str, **values: object) -> Key | None:
        """Show and say a sentence; return a key that was pressed meanwhile, which ends the voice. Raises Stopped."""
        text = self.text(key, **values)
        self._show(text)
        return await self._until_a_key(self._mouth.say([self._segment(text)]))

    async def tell_to_the_end(self, key: str, **values: object) -> None:
        """Show and say a sentence after which nothing can be pressed any more."""
        text = self.text(key, **values)
        self._show(text)
        await self._mouth.say([self._segment(text)])

    async def asked_for_consent(self, when: str) -> bool:
        """Read the consent out and ask; return whether the volunteer said yes, and write that down first.

        `when`: the date to write down. An answer typed while it is being read ends the reading.
        """
        yes = self._scheme.text("cmd.yes")
        values = {"folder": str(self._folder.path), "person": self._folder.person, "yes": yes}
        text = [self.text(f"consent.{key}", **values) for key in CONSENT]
        question = self.text("consent.ask", **values)
        for line in (*text, question):
            self._show(line)
        answer = await self._answer_while_saying([*text, question])
        for _ in range(TRIES - 1):
            if answer != "":
                break
            self._show(question)
            answer = await self._answer_while_saying([question])
        forms = {form.casefold() for form in self._scheme.forms_spoken("cmd.yes")}
        if answer is None or answer.casefold() not in forms:
            await self.tell_to_the_end("consent.refused")
            return False
        told = without_isolation("\n".join((*text, question)))
        self._folder.keep_consent(CONSENT_VERSION, self._scheme.language, when, answer, told)
        return True

    async def lead(self, plan: Plan, microphone: Microphone, patience: Patience | None = None) -> None:
        """Record what the folder lacks of the plan. Raises Stopped; Complaint where sound or folder fail."""
        session = _Session(self, plan, patience or Patience())
        listening = asyncio.create_task(session.listen(microphone))
        try:
            await session.run()
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    async def say_prompt(self, prompt: Prompt, of: int) -> Key | None:
        """Show and say what is to be said, with how far it is; return a key that was pressed meanwhile."""
        progress = self.text("lead.progress", number=prompt.number, of=of)
        self._show(f"{progress}: {self._words.fill('{said}', said=prompt.said)}")
        tokens = self._scheme.tokens(prompt.words)
        return await self._until_a_key(
            self._mouth.say([self._segment(f"{progress}."), *segments_of(tokens, self._scheme)])
        )

    async def key(self) -> Key:
        """Wait for a key. Raises Stopped."""
        pressed = await self._keys.next()
        if pressed == "stop":
            raise Stopped
        return pressed

    async def _until_a_key(self, doing: Coroutine[Any, Any, object]) -> Key | None:
        return await first_of(doing, self.key())

    async def _answer_while_saying(self, lines: Sequence[str]) -> str | None:
        async def say_all() -> None:
            for line in lines:
                await self._mouth.say([self._segment(line)])

        saying = asyncio.create_task(say_all())
        answering = asyncio.create_task(self._keys.line())
        try:
            await asyncio.wait((saying, answering), return_when=asyncio.FIRST_COMPLETED)
            if saying.done():
                saying.result()
            answer = await answering
            return answer.strip() if answer is not None else None
        finally:
            await _note_end(saying, answering)

    def _segment(self, text: str) -> Segment:
        return Segment(respell_words(without_isolation(text), self._spellings), self._scheme.language)

    @property
    def folder(self) -> RecordingFolder:
        """Return where the recordings go."""
        return self._folder


class _Session:
    """The recordings of one sitting: which prompt, which try, and where the microphone's sound goes."""

    def __init__(self, guide: Guide, plan: Plan, patience: Patience) -> None:
        self._guide = guide
        self._plan = plan
        self._patience = patience
        settings = load_activity()
        self._activity = take_activity(settings, patience)
        self._talk = Talk(settings)
        self._hear: Callable[[bytes], object] | None = None

    async def listen(self, microphone: Microphone) -> None:
        """Give the microphone's sound to whatever listens now; else only the noise of the room is learnt from it."""
        async for _, frame in microphone:
            if self._hear is not None:
                self._hear(frame)
            else:
                self._activity.take(frame)
                self._talk.feed(frame)

    async def run(self) -> None:
        """Go through all that is not recorded yet."""
        guide, plan = self._guide, self._plan
        done = guide.folder.prompts_recorded(plan)
        left = [prompt for prompt in plan.prompts if prompt.number not in done]
        if left:
            await guide.tell("lead.keys")
            await guide.tell("lead.how")
            await guide.tell("lead.hush")
            await asyncio.sleep(HUSH_MS / 1000)
        part = None
        for prompt in left:
            if prompt.part != part:
                part = prompt.part
                await guide.tell(f"lead.{part}", **({"seconds": plan.wish.talk_s} if part == "talk" else {}))
            await (self._talk_of(prompt) if part == "talk" else self._prompt(prompt))

    async def _prompt(self, prompt: Prompt) -> None:
        """Ask for one prompt until it is recorded, or the volunteer skips it."""
        guide, tries = self._guide, 0
        while True:
            key = await guide.say_prompt(prompt, len(self._plan.prompts))
            take = None
            if key in (None, "go"):
                take, key = await self._take()
            if key == "skip":
                await guide.tell("take.skipped")
                return
            if take is None or key == "again":
                continue
            word = take.judgement
            if word in USABLE:
                guide.folder.keep(self._plan, prompt, take.pcm, "" if word == "good" else word)
                await guide.tell(f"take.{word}")
                return
            tries += 1
            await guide.tell(f"take.{word}")
            if tries < TRIES:
                await guide.tell("take.again")
                continue
            key = await guide.tell("take.choose_empty" if word == "empty" else "take.choose") or await guide.key()
            if key == "go" and word != "empty":
                guide.folder.keep(self._plan, prompt, take.pcm, word)
                await guide.tell("take.kept")
                return
            if key == "skip":
                await guide.tell("take.skipped")
                return

    async def _take(self) -> tuple[Take, Key | None]:
        """Record until a pause, or a key. Raises Complaint where no sound comes at all."""
        take, over = Take(self._activity, self._patience), asyncio.Event()

        def hear(frame: bytes) -> None:
            if take.feed(frame):
                over.set()

        self._hear = hear
        longest_s = (self._patience.silent_ms + self._patience.longest_ms) / 1000 + _LATE_S
        try:
            async with asyncio.timeout(longest_s):
                key = await first_of(over.wait(), self._guide.key())
                while key == "go" and take.heard_ms < LATE_KEY_MS:
                    key = await first_of(over.wait(), self._guide.key())
        except TimeoutError:
            raise Complaint(Phrase("folder.no_sound")) from None
        finally:
            self._hear = None
        if key is not None:
            take.end()
        return take, key

    async def _talk_of(self, prompt: Prompt) -> None:
        """Record free talk, cut by its pauses, until there is enough of it, or a key ends it."""
        guide, reminded = self._guide, False
        spoken_s = guide.folder.talked_s(prompt)
        utterances: asyncio.Queue[bytes] = asyncio.Queue()

        def hear(frame: bytes) -> None:
            utterance = self._talk.feed(frame)
            if utterance:
                utterances.put_nowait(utterance)

        def keep(pcm: bytes) -> float:
            word = judge(pcm)
            if word == "empty":
                return 0.0
            guide.folder.keep(self._plan, prompt, pcm, "" if word == "good" else word)
            return len(pcm) / 32_000

        await guide.tell("lead.suggestions")
        self._talk.rest()
        try:
            while spoken_s < self._plan.wish.talk_s:
                self._hear = hear
                found: list[bytes] = []

                async def take(found: list[bytes] = found) -> None:
                    found.append(await utterances.get())

                try:
                    async with asyncio.timeout(SILENT_TALK_S):
                        key = await first_of(take(), guide.key())
                except TimeoutError:
                    self._hear = None
                    if reminded:
                        break
                    reminded = True
                    await guide.tell("lead.suggestions")
                    continue
                if key is not None:
                    break
                spoken_s += keep(found[0])
        finally:
            self._hear = None
            rest = self._talk.rest()
            if rest:
                keep(rest)


async def first_of(doing: Coroutine[Any, Any, object], key: Coroutine[Any, Any, Key]) -> Key | None:
    """Return None when `doing` is done, or the key that came before; the other one is ended."""
    done_first, pressed = asyncio.create_task(doing), asyncio.create_task(key)
    try:
        await asyncio.wait((done_first, pressed), return_when=asyncio.FIRST_COMPLETED)
        if pressed.done():  # a key is never lost, also where both came at once
            return pressed.result()
        done_first.result()
        return None
    finally:
        await _note_end(done_first, pressed)


async def _note_end(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
