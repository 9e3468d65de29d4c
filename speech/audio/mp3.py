"""MP3 for phrases that a page keeps: it is small, and every browser decodes it.

Never used for evidence, which stays lossless.
"""

from __future__ import annotations

import io

import soundfile

from speech.audio.sound import Sound
from speech.audio.wav import resample_sound

RATE = 8_000
"""As a telephone; otherwise half of a page's bytes would be sound."""
SMALLEST = 0.99


def encode_mp3(sound: Sound) -> bytes:
    """Return the sound as a small MP3 (mono, 8 kHz)."""
    small = resample_sound(sound, RATE)
    file = io.BytesIO()
    with soundfile.SoundFile(
        file,
        "w",
        samplerate=RATE,
        channels=1,
        format="MP3",
        subtype="MPEG_LAYER_III",
        compression_level=SMALLEST,
        bitrate_mode="CONSTANT",
    ) as writer:
        writer.write(small.array)
    return file.getvalue()
