"""FLAC of the evidence: bit by bit the same, and damage is seen."""

from __future__ import annotations

import io

import numpy as np
import pytest
import soundfile

from speech.audio.flac import decode_flac, encode_flac
from speech.audio.sound import Sound
from speech.complaint import Complaint

NOISE = Sound(np.random.default_rng(5).integers(-32768, 32767, 48000).astype("<i2").tobytes(), 16000)


@pytest.mark.parametrize("rate", [8000, 16000, 22050, 48000])
@pytest.mark.parametrize("samples", [1, 319, 48000])
def test_lossless(rate: int, samples: int) -> None:
    sound = Sound(NOISE.pcm[: samples * 2], rate)
    packed = encode_flac(sound)
    assert packed[:4] == b"fLaC"
    assert decode_flac(packed) == sound
    assert encode_flac(sound) == packed, "the same sound gives the same hash"


def test_no_sound_is_refused() -> None:
    with pytest.raises(Complaint, match="no sound to keep"):
        encode_flac(Sound(b"", 16000))


def test_speech_is_smaller() -> None:
    quiet = Sound((NOISE.array // 64).astype("<i2").tobytes(), 16000)
    assert len(encode_flac(quiet)) < len(quiet.pcm) * 0.75


@pytest.mark.parametrize("kept", [0, 3, 10, 41, 100, 20_000])
def test_cut_short(kept: int) -> None:
    with pytest.raises(Complaint, match=r"cannot be read \([^<>]*\)|cut short"):
        decode_flac(encode_flac(NOISE)[:kept])


def test_other_formats_are_refused() -> None:
    for form, subtype, channels in (("WAV", "PCM_16", 1), ("FLAC", "PCM_24", 1), ("FLAC", "PCM_16", 2)):
        file = io.BytesIO()
        soundfile.write(file, np.zeros((100, channels)), 16000, format=form, subtype=subtype)
        with pytest.raises(Complaint, match="not a 16-bit mono FLAC"):
            decode_flac(file.getvalue())


def test_a_flipped_bit_never_passes_as_other_sound() -> None:
    packed = encode_flac(NOISE)
    for place in range(50, len(packed), len(packed) // 40):
        damaged = bytearray(packed)
        damaged[place] ^= 0x10
        try:
            decoded = decode_flac(bytes(damaged))
        except Complaint:
            continue
        assert decoded == NOISE or place < 8192, place
