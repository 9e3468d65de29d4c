"""The room's loudspeaker for a demonstration in real time, where there is a sound card."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable

from speech.audio.devices import Player, available
from speech.audio.sound import Sound

Aloud = Callable[[Sound], Awaitable[object]]


def loudspeaker() -> tuple[Aloud | None, str]:
    """Plays a sound and returns when it has ended; or None and one sentence that says why it stays quiet."""
    found = available()
    if not found.ok:
        return None, f"It stays quiet: {found.reason} {found.mend}".strip()
    player = Player()

    async def aloud(sound: Sound) -> None:
        await player.play(sound, secrets.token_hex(4))

    return aloud, ""
