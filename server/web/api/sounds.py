"""Sounds over HTTP: speech for one station's ear, and the sounds kept for the arbiter (8.2).

It also serves the instructions that stand on the seat cards, and the phrases that a page keeps for the time when no
server can say them: the page fetches those when it is loaded and plays them itself.
"""

from __future__ import annotations

import asyncio

from aiohttp import web

from server.exports.handout import SPOKEN, instruction_lines
from server.game.values.words import Seat
from server.journal.admissions import Admission
from server.table.evidence.evidence import EvidenceChanged, SoundEvidence
from server.table.table import Table
from server.web.door.access import AccessDenied
from server.web.door.cookies import admissions_of, arbiter_of
from server.web.keys import HALL
from speech.audio.hearing_aid import both_ears
from speech.audio.mp3 import encode_mp3
from speech.audio.sound import Sound
from speech.audio.wav import stereo_wav_bytes, wav_bytes
from speech.complaint import Complaint, Phrase
from speech.process import ChildFailed
from speech.voices.voice import Segment
from speech.words.catalogue import load_messages
from speech.words.config_file import language_tags


async def get_sound(request: web.Request) -> web.Response:
    """Send a sound that was offered to a station of this browser.

    Anyone else gets the same answer as for a sound that does not exist. Raises AccessDenied.
    """
    hall = request.app[HALL]
    for _, admission in admissions_of(request):
        table = hall.tables.get(admission.table)
        if table is None:
            continue
        found = table.teller.sounds.find(admission.station, request.match_info["id"])
        if found is not None:
            return web.Response(body=_for_ears(found, table, admission), content_type="audio/wav")
    raise AccessDenied("no_sound", 404, Phrase("no_such_sound"))


def _for_ears(sound: Sound, table: Table, admission: Admission) -> bytes:
    """Return the sound as WAV; with two channels where the player chose a balance."""
    balance = table.state.sound.of(Seat(admission.seat)).ear.balance if admission.seat else 0
    return stereo_wav_bytes(both_ears(sound, balance), sound.sample_rate) if balance else wav_bytes(sound)


async def evidence(request: web.Request) -> web.Response:
    """Send an utterance of the arbiter's own table as it lies on disk (8.2, L092).

    Raises AccessDenied for anyone else, where the sound is gone, and where it is not the one on record (L194).
    """
    admission = arbiter_of(request)
    found = await kept_sound(request.app[HALL].evidence, admission.table, request.match_info["name"])
    arbiter_of(request)  # the store may have been slow
    return found


async def kept_sound(evidence: SoundEvidence, table: str, name: str) -> web.Response:
    """Send a kept sound whose hash is on record. Raises AccessDenied where there is none, or another."""
    try:
        found = await evidence.read(table, name)
    except EvidenceChanged as wrong:
        raise AccessDenied("sound_changed", 409, Phrase("sound_changed")) from wrong
    except (OSError, ValueError):
        found = None
    if found is None:
        raise AccessDenied("no_sound", 404, Phrase("no_such_sound"))
    return web.Response(body=found, content_type="audio/flac", headers={"Cache-Control": "no-store"})


PHRASES = {name: f"say.{name}" for name in ("connection_lost", "microphone_lost", "sound_lost")}


async def phrase(request: web.Request) -> web.Response:
    """Send one of the `PHRASES` in a language of the pages, as MP3, or an instruction that is also printed (L229).

    Anyone may have them. Answers with status 204 where no voice can say it. Raises AccessDenied for an unknown phrase.
    """
    name, _, language = request.match_info["name"].partition("-")
    voice = request.app[HALL].voice
    if name not in (*PHRASES, *SPOKEN) or language not in language_tags():
        raise AccessDenied("no_sound", 404, Phrase("no_phrase"))
    if voice is None:
        return web.Response(status=204)  # the voice is loaded after the server starts
    try:
        if name in SPOKEN:
            said = " ".join(instruction_lines(name, language))
        else:
            said = load_messages(language).text(PHRASES[name])
        sound = await voice.render([Segment(said, language)])
    except (Complaint, ChildFailed):
        return web.Response(status=204)
    return web.Response(body=await asyncio.to_thread(encode_mp3, sound), content_type="audio/mpeg")
