"""The Protocol of a voice: text with its language goes in, sound comes out.

One small Protocol serves every engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from speech.audio.sound import Sound as Sound


class Segment(msgspec.Struct, frozen=True):
    """Text in the engine's own spelling (see `Scheme.spelling`), and a language.

    The language is the tag of the one whose voice says the text. `pace`: how much faster than the rest it is said.
    """

    text: str
    voice_language: str
    pace: float = 1.0


class Manner(msgspec.Struct, frozen=True):
    """Manner in which something is said.

    `variant`: another speaker of the same language, by the engine's name for it ("f2"); None is the plain voice.
    `speed`: 0.5 to 3.0, 1.0 is the ordinary pace. `pitch`: 0 to 99, 50 is the ordinary pitch. `ear`: the private ear
    that it goes into, "" for what everybody may hear. What one ear was read is kept for that ear alone: how long a
    phrase takes tells nobody what another ear was read.
    """

    variant: str | None = None
    speed: float = 1.0
    pitch: int = 50
    ear: str = ""


ORDINARY = Manner()


class Voice(Protocol):
    """Engine that renders phrases.

    It plays nothing: playing is for `speech.audio.devices` or a browser.
    """

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        """Return the segments said one after the other.

        `keep` False: a secret, of which no cache may hold a trace. Raises `Complaint` for an unknown voice, nothing to
        say, or a manner out of range; `speech.process.ChildFailed` where the engine does not answer.
        """
        ...

    async def close(self) -> None:
        """Let the engine go."""
        ...
