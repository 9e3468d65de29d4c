"""Hearing with ears on other machines: ours as a helping second ear, others' as an opinion.

Sound leaves this machine only where the organiser has named another one. What goes there is the sound, the name of the
scheme and the language: never a position, a table or a player, and nothing of what is known of a voice. An utterance
keeps its samples, so that a machine that is late, lies or is gone loses none of them: they are then heard here.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from speech.announcements.understand import UNKNOWN, words_of_text
from speech.complaint import Complaint, Phrase
from speech.hearing.second_opinion import first_asked
from speech.hearing.settings import load_hearing
from speech.process import ChildFailed, tell_watching
from speech.recognisers.recogniser import (
    LONGEST_UTTERANCE_BYTES,
    SAMPLE_RATE,
    Hypotheses,
    Hypothesis,
    Recogniser,
    Utterance,
    Vocabulary,
    WordHeard,
    correct_for_voice,
)
from speech.recognisers.vocabulary import digest_of_vocabulary
from speech.words.loading import load_scheme
from speech.wyoming.address import Address, is_loopback
from speech.wyoming.ears import FORM, model_fingerprint
from speech.wyoming.peer import OURS, Peer
from speech.wyoming.wire import WyomingEvent

PIECE_BYTES = SAMPLE_RATE // 5
"""Sound goes out in pieces of a tenth of a second."""
HEDGE_S = 0.6
"""Seconds after the last sample within which another machine must answer; else it is heard here too."""
OPINION_S = 0.4
"""Seconds after the last sample for which an opinion of other makers' recognisers is waited for."""
MEETING_S = 3.0
ANSWER_S = 10.0
FIRST_REST_S, LONGEST_REST_S = 5.0, 300.0
"""A machine that failed is not asked for so long: the first time, then twice as long each time, up to the second."""
MOST_CHAINS = 100
MOST_WORDS = 40
_log = logging.getLogger(__name__)


class EarElsewhere:
    """One other machine: its address, whether it works, and how many utterances it hears now."""

    def __init__(self, address: str, key: bytes | None = None) -> None:
        """`key`: what both machines share, for "tls://". Raises `Complaint` for what is no address."""
        self.address = Address.parse(address)
        self.busy = 0
        self.at_once = 1
        self._key = key
        self._failures = 0
        self._resting_until = 0.0

    @property
    def free(self) -> bool:
        """Return whether it can be asked now."""
        return self.busy < self.at_once and asyncio.get_running_loop().time() >= self._resting_until

    @asynccontextmanager
    async def line(self, asks: bool = False) -> AsyncIterator[Peer]:
        """Open a line for one utterance. Raises `Complaint` where that fails, and notes it."""
        self.busy += 1
        peer: Peer | None = None
        try:
            try:
                async with asyncio.timeout(MEETING_S):
                    peer = await Peer.open(self.address, self._key, asks=asks)
            except TimeoutError:
                raise Complaint(Phrase("speech_server.strange", host=self.address.host)) from None
            yield peer
        except Complaint as wrong:
            self._note_failure(str(wrong))
            raise
        except TimeoutError:
            self.late()
            raise Complaint(Phrase("speech_server.silent", host=self.address.host)) from None
        else:
            self._note_success()
        finally:
            self.busy -= 1
            if peer is not None:
                peer.close()

    def check_ours(self, peer: Peer, engine: str) -> None:
        """Raise `Complaint` where the other machine is not as ours, so that its figures would mean nothing here."""
        about = peer.about
        if not self.address.tls and not is_loopback(self.address.host):
            raise Complaint(Phrase("speech_server.unproven", address=self.address))
        if about is None or engine not in about.engines:
            raise Complaint(Phrase("speech_server.no_ears", host=self.address.host))
        if about.same != model_fingerprint():
            raise Complaint(Phrase("speech_server.other_version", host=self.address.host))
        self.at_once = about.at_once

    def late(self) -> None:
        """Note that nobody waits for its answer any more."""
        self._note_failure(f"The speech server {self.address.host} did not answer in time.")

    def _note_failure(self, why: str) -> None:
        if not self._failures:
            _log.warning("An ear on another machine is left aside: %s", why)
            tell_watching(f"The ear at {self.address.host} is left aside for now; this machine hears alone. {why}")
        rest_s = min(FIRST_REST_S * 2.0 ** min(self._failures, 16), LONGEST_REST_S)
        self._failures += 1
        self._resting_until = asyncio.get_running_loop().time() + rest_s

    def _note_success(self) -> None:
        if self._failures:
            tell_watching(f"The ear at {self.address.host} is heard again.")
        self._failures = 0


class SecondEar:
    """`Recogniser`: an engine of this machine, and the same engine on others that help it.

    `here` is the engine of this machine. What is known of a speaker's voice never leaves the machine, so that speaker
    is heard here alone.
    """

    def __init__(self, here: Recogniser, ears: Sequence[EarElsewhere], hedge_s: float = HEDGE_S) -> None:
        self.here = here
        self._ears = tuple(ears)
        self._hedge_s = hedge_s
        self._digests: dict[str, str] = {}

    @property
    def name(self) -> str:
        """Return the name of the engine."""
        return self.here.name

    @property
    def places(self) -> int:
        """Return how many utterances can be heard at the same time."""
        return 1 + sum(ear.at_once for ear in self._ears)

    async def start(self) -> None:
        """Start the engine of this machine, as its own `start`; then meet the others, which may be away."""
        await self.here.start()
        await asyncio.gather(*(self._meet(ear) for ear in self._ears))

    async def _meet(self, ear: EarElsewhere) -> None:
        with contextlib.suppress(Complaint):  # it is noted, and tried again later
            async with ear.line(asks=True) as peer:
                ear.check_ours(peer, self.name)

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        """Begin an utterance, at another machine where one is free."""
        free = [ear for ear in self._ears if ear.free]
        if not free or not vocabulary.scheme or vocabulary.own is not None:
            return self.here.open_utterance(vocabulary)
        if vocabulary.name not in self._digests:
            self._digests[vocabulary.name] = digest_of_vocabulary(vocabulary)
        ear = min(free, key=lambda one: one.busy / one.at_once)
        return HelpedUtterance(self.here, ear, vocabulary, self._digests[vocabulary.name], self._hedge_s)

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """Return the hypotheses on these samples. Raises as the engine of this machine does."""
        utterance = self.open_utterance(vocabulary)
        utterance.feed(pcm)
        return await utterance.finish()

    async def close(self) -> None:
        """End the engine of this machine."""
        await self.here.close()


def with_help(engines: Sequence[Recogniser], ears: Sequence[EarElsewhere]) -> tuple[Recogniser, ...]:
    """Return the engines, with other machines' help for the second ear, where there are other machines.

    The engine that listens first stays on this machine, because nothing is recorded that no ear here has heard. With
    recognisers that were never fitted together no other machine helps.
    """
    first = first_asked([engine.name for engine in engines], load_hearing())
    if not ears or first is None:
        return tuple(engines)
    return tuple(engine if engine.name == first else SecondEar(engine, ears) for engine in engines)


class HelpedUtterance:
    """Utterance that goes to another machine, and to the engine here where that one fails or is late."""

    def __init__(
        self, here: Recogniser, ear: EarElsewhere, vocabulary: Vocabulary, digest: str, hedge_s: float
    ) -> None:
        self._here = here
        self._ear = ear
        self._vocabulary = vocabulary
        self._asked = {
            "language": vocabulary.language,
            OURS: {"engine": here.name, "scheme": vocabulary.scheme, "vocabulary": digest},
        }
        self._hedge_s = hedge_s
        self._sound = _Sound()
        self._away: asyncio.Task[Hypotheses] | None = None
        self._own: Utterance | None = None

    def feed(self, pcm: bytes) -> None:
        """Take some more samples, mono s16le at 16 kHz; never waits."""
        self._sound.put(pcm)
        if self._own is not None:
            self._own.feed(pcm)
        elif self._away is None:
            self._away = asyncio.create_task(self._ask(), name="an utterance at another machine")
            self._away.add_done_callback(self._take_answer)

    async def finish(self) -> Hypotheses:
        """Return the hypotheses, of there or of here. Raises as the engine here."""
        self.feed(b"")
        self._sound.end()
        assert self._away is not None
        if not (await asyncio.wait({self._away}, timeout=self._hedge_s))[0]:
            own = asyncio.create_task(self._here.recognise(self._sound.pcm, self._vocabulary))
            try:
                await asyncio.wait({self._away, own}, return_when=asyncio.FIRST_COMPLETED)
                if not self._away.done():
                    self._ear.late()
                if own.done() or _has_failed(self._away):
                    return await own
            finally:
                await _cancel_task(own)
                await _cancel_task(self._away)
        if not _has_failed(self._away):
            return self._away.result()
        self._listen_here()
        assert self._own is not None
        return await self._own.finish()

    async def abandon(self) -> None:
        """Drop the utterance."""
        if self._away is not None:
            await _cancel_task(self._away)
        if self._own is not None:
            await self._own.abandon()

    def _take_answer(self, task: asyncio.Task[Hypotheses]) -> None:
        """Hear the rest here from now on, where the other machine failed while the speaker still speaks."""
        if _has_failed(task) and not task.cancelled() and not self._sound.over:
            self._listen_here()

    def _listen_here(self) -> None:
        if self._own is None:
            self._own = self._here.open_utterance(self._vocabulary)
            self._own.feed(self._sound.pcm)

    async def _ask(self) -> Hypotheses:
        async with self._ear.line(asks=True) as peer:
            self._ear.check_ours(peer, self._here.name)
            said = (await _transcript(peer, self._asked, self._sound)).get(OURS)
            return _check_reply(said, self._here.name, self._vocabulary, str(self._ear.address))


class Opinion:
    """`Recogniser` of other makers: its words count only as far as they raise a doubt.

    A transcript that is no announcement and no command says nothing. One that is late says nothing either.
    """

    def __init__(self, ear: EarElsewhere, wait_s: float = OPINION_S) -> None:
        self._ear = ear
        self._wait_s = wait_s

    @property
    def name(self) -> str:
        """Return its address."""
        return str(self._ear.address)

    async def start(self) -> None:
        """Do nothing: it is met at the first utterance."""

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        """Begin an utterance."""
        return OpinionUtterance(self._ear, vocabulary, self._wait_s)

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        """Return its hypotheses on these samples; never raises."""
        utterance = self.open_utterance(vocabulary)
        utterance.feed(pcm)
        return await utterance.finish()

    async def close(self) -> None:
        """Do nothing: no line is held open between two utterances."""


class OpinionUtterance:
    """One utterance at a recogniser of other makers."""

    def __init__(self, ear: EarElsewhere, vocabulary: Vocabulary, wait_s: float) -> None:
        self._ear = ear
        self._vocabulary = vocabulary
        self._wait_s = wait_s
        self._sound = _Sound()
        self._task: asyncio.Task[str] | None = None

    def feed(self, pcm: bytes) -> None:
        """Take some more samples, mono s16le at 16 kHz; never waits."""
        self._sound.put(pcm)
        if self._task is None and self._ear.free:
            self._task = asyncio.create_task(self._ask(), name="a second opinion")

    async def finish(self) -> Hypotheses:
        """Return the hypotheses; none where no answer came in time."""
        self._sound.end()
        if self._task is None:
            return Hypotheses(str(self._ear.address))
        if not (await asyncio.wait({self._task}, timeout=self._wait_s))[0]:
            self._ear.late()
            return Hypotheses(str(self._ear.address))
        words = () if _has_failed(self._task) else self._words_understood(self._task.result())
        ranked = (Hypothesis(tuple(WordHeard(word, 1.0) for word in words), 0.0),) if words else ()
        return Hypotheses(str(self._ear.address), ranked, elsewhere=str(self._ear.address))

    async def abandon(self) -> None:
        """Drop the utterance."""
        if self._task is not None:
            await _cancel_task(self._task)

    async def _ask(self) -> str:
        async with self._ear.line() as peer:
            text = (await _transcript(peer, {"language": self._vocabulary.language}, self._sound)).get("text")
            return text[:1000] if isinstance(text, str) else ""

    def _words_understood(self, text: str) -> tuple[str, ...]:
        try:
            return words_of_text(text, load_scheme(self._vocabulary.scheme, self._vocabulary.language))
        except Complaint:
            return ()


class _Sound:
    """The samples of one utterance: kept to the end, at most 30 s, and sent as they come."""

    def __init__(self) -> None:
        self._pcm = bytearray()
        self._more = asyncio.Event()
        self.over = False

    @property
    def pcm(self) -> bytes:
        return bytes(self._pcm)

    def put(self, pcm: bytes) -> None:
        self._pcm += pcm[: LONGEST_UTTERANCE_BYTES - len(self._pcm)]
        self._more.set()

    def end(self) -> None:
        self.over = True
        self._more.set()

    async def pieces(self) -> AsyncIterator[bytes]:
        """Give the samples in pieces, as they come, until the last one is in."""
        sent = 0
        while True:
            self._more.clear()
            while sent < len(self._pcm):
                piece = bytes(self._pcm[sent : sent + PIECE_BYTES])
                sent += len(piece)
                yield piece
            if self.over and sent >= len(self._pcm):
                return
            await self._more.wait()


async def _transcript(peer: Peer, asked: dict[str, Any], sound: _Sound) -> dict[str, Any]:
    """Send an utterance while it is spoken, and return the data of its transcript."""
    await peer.send(WyomingEvent("transcribe", asked))
    await peer.send(WyomingEvent("audio-start", FORM))
    answer = asyncio.create_task(peer.of_type("transcript"))  # an error ends the sending at once
    try:
        async for piece in sound.pieces():
            if answer.done():
                break
            async with asyncio.timeout(ANSWER_S):
                await peer.send(WyomingEvent("audio-chunk", FORM, piece))
        if not answer.done():
            await peer.send(WyomingEvent("audio-stop"))
        async with asyncio.timeout(ANSWER_S):
            return await answer
    finally:
        await _cancel_task(answer)


def _check_reply(said: object, engine: str, vocabulary: Vocabulary, elsewhere: str) -> Hypotheses:
    """Return what another machine says it heard, where it is what that engine can say. Raises `Complaint`."""
    try:
        (found,) = msgspec.convert(said, dict[str, tuple[Hypotheses, ...]])["hypotheses"]
    except (msgspec.ValidationError, KeyError, ValueError):
        raise Complaint("The other machine does not say what it heard.") from None
    words = {UNKNOWN, *vocabulary.grammar.words()}
    figures = [*found.evidence.values(), *(one.score for one in found.ranked)]
    fits = [word.confidence for one in found.ranked for word in one.words]
    whole = (
        found.engine == engine
        and len(found.ranked) <= MOST_CHAINS
        and all(0 < len(one.words) <= MOST_WORDS for one in found.ranked)
        and all(word.id in words for one in found.ranked for word in one.words)
        and all(math.isfinite(figure) for figure in figures)
        and all(0.0 <= fit <= 1.0 for fit in fits)
        and "bias" not in found.evidence
    )
    if not whole:
        raise Complaint("The other machine says that it heard what its engine cannot hear.")
    ranked = tuple(sorted(found.ranked, key=lambda one: -one.score))
    return correct_for_voice(msgspec.structs.replace(found, ranked=ranked, elsewhere=elsewhere), vocabulary.ears)


def _has_failed(task: asyncio.Task[Any]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


async def _cancel_task(task: asyncio.Task[Any]) -> None:
    """End a task, and wait until it is over; what it failed with is told elsewhere."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError, Complaint, ChildFailed):
        await asyncio.gather(task, return_exceptions=True)
