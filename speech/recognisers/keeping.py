"""An utterance that keeps its own samples until its last one is in: a crash of the engine loses none of them."""

from __future__ import annotations

from speech.recognisers.recogniser import LONGEST_UTTERANCE_BYTES, Hypotheses, Recogniser, Vocabulary


class KeptUtterance:
    """Collects the samples (at most 30 s; what comes later is not listened to) and has them recognised at the end."""

    def __init__(self, recogniser: Recogniser, vocabulary: Vocabulary) -> None:
        self._recogniser = recogniser
        self._vocabulary = vocabulary
        self._pcm = bytearray()

    @property
    def pcm(self) -> bytes:
        """The samples so far, mono s16le at 16 kHz."""
        return bytes(self._pcm)

    def feed(self, pcm: bytes) -> None:
        """Some more samples, mono s16le at 16 kHz; never waits."""
        self._pcm += pcm[: LONGEST_UTTERANCE_BYTES - len(self._pcm)]

    async def finish(self) -> Hypotheses:
        """What was heard. Raises `ChildFailed` where the engine died twice, `Complaint` where it cannot take this."""
        return await self._recogniser.recognise(self.pcm, self._vocabulary)

    async def abandon(self) -> None:
        """Nobody wants to know any more; nothing was begun."""
