"""Words of a player, as ears or keys gave them: one value that a command brings and events carry on."""

from __future__ import annotations

import msgspec

from server.game.values.announcement import Announcement
from server.game.values.candidates import Candidates


class Speech(msgspec.Struct, frozen=True, kw_only=True):
    """Words that were said or typed, or a sound that was not understood.

    `announcement`: what the words announce, None where that was not understood. `text`: the words in the spelling of
    the Laws, as the score keeps them. `utterance`: the name of the sound. `unclear`: what the sound left open.
    `candidates`: what the sound may have been, each with its cost, in the opinion of the recognisers; for the record
    and the arbiter alone. `either`: the two announcements, as words and in the order of their squares, of which the
    sound was one. `doubtful`: the recognisers took the sound for these words and were not beyond doubt.
    """

    announcement: Announcement | None = None
    words: tuple[str, ...] = ()
    text: str = ""
    utterance: str | None = None
    unclear: str | None = None
    candidates: Candidates = ()
    either: tuple[tuple[str, ...], ...] = ()
    doubtful: bool = False
