"""FLAC encoded in memory, for sound that is kept as evidence.

FLAC is lossless, so that the hash of the sound can be proved.
"""

from __future__ import annotations

import io

import numpy as np
import soundfile

from speech.audio.sound import Sound
from speech.complaint import Complaint, Phrase

LONGEST_S = 600


def encode_flac(sound: Sound) -> bytes:
    """Return the sound as a FLAC file (mono, 16 bit).

    Raises `Complaint` for an empty sound, which FLAC cannot hold.
    """
    if not sound.pcm:
        raise Complaint("There is no sound to keep; an utterance without samples has no file.")
    file = io.BytesIO()
    with soundfile.SoundFile(
        file, "w", samplerate=sound.sample_rate, channels=1, format="FLAC", subtype="PCM_16"
    ) as writer:
        writer.write(sound.array)
    return file.getvalue()


def decode_flac(data: bytes) -> Sound:
    """Return the sound of a FLAC file as `encode_flac` makes it.

    Raises `Complaint` where it is damaged or another format.
    """
    try:
        with soundfile.SoundFile(io.BytesIO(data), "r") as reader:
            if (reader.format, reader.subtype, reader.channels) != ("FLAC", "PCM_16", 1):
                raise Complaint(Phrase("sound.flac_other"))
            promised = reader.frames
            if promised > LONGEST_S * reader.samplerate:
                raise Complaint(Phrase("sound.flac_long", most=LONGEST_S))
            samples = reader.read(dtype="int16")
            rate = int(reader.samplerate)
    except soundfile.LibsndfileError as damaged:
        raise Complaint(Phrase("sound.flac_unread", why=damaged.error_string.rstrip("."))) from None
    if len(samples) != promised:
        raise Complaint(Phrase("sound.flac_short", there=len(samples), promised=promised))
    return Sound(np.asarray(samples, "<i2").tobytes(), rate)
