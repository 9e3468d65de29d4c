"""Ears for pages that belong to no seat: a sound is recognised once, and kept nowhere.

The pages send a whole sound, mono s16le at 16 kHz. It goes through the same recognisers as a game's, a few at a time
and so often at most, and after all players, so that a game never waits for a visitor.
"""

from __future__ import annotations

from aiohttp import web

from server.hall.hall import Hall
from server.web.api.spectators import Turnstile
from server.web.door.access import AccessDenied
from server.web.door.answers import read_guard
from speech.audio.frames import WIRE_RATE
from speech.audio.sound import BYTES_PER_SAMPLE
from speech.complaint import Complaint, Phrase
from speech.hearing.hearing import Verdict
from speech.process import ChildFailed
from speech.turns import Speaker, heard_for
from speech.words.scheme import Scheme

LONGEST_S = 8
"""No answer and no wish is longer."""
MOST_BYTES = LONGEST_S * WIRE_RATE * BYTES_PER_SAMPLE
SAID_BY_ONE, SAID_BY_ALL = 10, 40
"""How often one address, and all together, may say something in a window of ten seconds."""
AT_ONCE = 2
LAST = Speaker("visitors", last=True)
"""At every ear all who play go before, also in the middle of what a visitor says."""


class VisitorsEars:
    """Recognisers, lent to pages without a seat."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._turns = Turnstile(hall, SAID_BY_ONE, SAID_BY_ALL)
        self._hearing = 0

    async def hear(self, request: web.Request, scheme: Scheme) -> Verdict:
        """Return the verdict on the sound that a request brings.

        Raises AccessDenied where no recogniser works, for too much sound, and where too many speak.
        """
        self._turns.count(request.remote or "")
        pcm = await _sound_of(request)
        ears = self._hall.ears
        if ears is None:
            raise AccessDenied("no_ears_here", 503, Phrase("no_ears_here"))
        if self._hearing >= AT_ONCE:
            raise AccessDenied("hall_busy", 429, Phrase("hall_busy"))
        self._hearing += 1
        try:
            with heard_for(LAST):
                return await ears.hear(pcm, scheme)
        except (Complaint, ChildFailed):
            raise AccessDenied("no_ears_here", 503, Phrase("no_ears_here")) from None
        finally:
            self._hearing -= 1


async def _sound_of(request: web.Request) -> bytes:
    read = bytearray()
    async with read_guard(request):
        async for piece in request.content.iter_chunked(64 * 1024):
            read += piece
            if len(read) > MOST_BYTES:
                raise AccessDenied("too_long", 413, Phrase("too_long"))
    return bytes(read[: len(read) // BYTES_PER_SAMPLE * BYTES_PER_SAMPLE])


VISITORS_EARS = web.AppKey("VISITORS_EARS", VisitorsEars)
