"""An utterance under way: its sound as it comes, without our own voice in it, handed on to what recognises it."""

from __future__ import annotations

from server.voice.listener import Listening
from speech.audio.frames import UtteranceAssembly
from speech.audio.human_voice import HumanVoice


class Speaking:
    """An utterance under way: its sound so far, when it began, and what recognises it meanwhile."""

    def __init__(self, utterance: int, first_ms: int, listening: Listening | None, *, by_voice: bool = False) -> None:
        self.assembly = UtteranceAssembly(utterance)
        self.by_voice = by_voice
        self.human = None if by_voice else HumanVoice()  # voice activity knows already that somebody speaks
        self.first_ms = first_ms
        self.listening = listening
        self._fed = 0
        self._muted: list[tuple[int, int]] = []

    def mute(self, first_sample: int, end_sample: int) -> None:
        """Our own voice sounds in these samples: they are kept, and not listened to."""
        self._muted.append((first_sample, end_sample))

    @property
    def for_the_ears(self) -> bytes:
        """The whole sound, silence where our own voice sounds."""
        return self._without_us(0, self.assembly.end_sample)

    def _without_us(self, begin: int, end: int) -> bytes:
        part = bytearray(self.assembly.part(begin, end))
        for first, last in self._muted:
            first, last = max(first, begin), min(last, end)
            if first < last:
                part[2 * (first - begin) : 2 * (last - begin)] = bytes(2 * (last - first))
        return bytes(part)

    def hand_on(self, *, over: bool = False) -> None:
        """Have what is whole recognised; at the end all of it, with silence where something is missing."""
        if self.listening is None:
            return
        end = self.assembly.end_sample if over else self.assembly.whole_samples
        if end > self._fed:
            self.listening.feed(self._without_us(self._fed, end))
            self._fed = end
