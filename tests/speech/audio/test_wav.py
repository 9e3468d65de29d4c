"""WAV files from strangers: every PCM kind comes out right, every lie gets a sentence."""

from __future__ import annotations

import io
import os
import struct
import tracemalloc
import wave
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from speech.audio.sound import Sound
from speech.audio.wav import read_wav, resample_sound, wav_bytes, write_wav
from speech.complaint import Complaint


def tone(rate: int, seconds: float = 0.5, frequency: float = 440.0) -> np.ndarray:
    return 0.5 * np.sin(2 * np.pi * frequency * np.arange(int(rate * seconds)) / rate)


def made(rate: int, subtype: str, channels: int = 1, form: str = "WAV") -> bytes:
    samples = tone(rate)
    if channels > 1:
        samples = np.stack([samples] * channels, axis=1)
    file = io.BytesIO()
    soundfile.write(file, samples, rate, subtype=subtype, format=form)
    return file.getvalue()


@pytest.mark.parametrize("rate", [8000, 11025, 16000, 22050, 32000, 44100, 48000])
@pytest.mark.parametrize("subtype", ["PCM_U8", "PCM_16", "PCM_24", "PCM_32"])
@pytest.mark.parametrize("form", ["WAV", "WAVEX"])
@pytest.mark.parametrize("channels", [1, 2])
def test_every_kind_becomes_the_same_tone(rate: int, subtype: str, form: str, channels: int) -> None:
    sound = read_wav(made(rate, subtype, channels, form))
    assert sound.sample_rate == 16000
    assert sound.samples == pytest.approx(8000, abs=2)
    expected = tone(16000)[: sound.samples] * 32768
    middle = slice(400, 7600)
    error = sound.array[: len(expected)].astype(float)[middle] - expected[middle]
    assert np.sqrt(np.mean(error**2)) < (160 if subtype == "PCM_U8" else 30)


def test_what_is_right_already_is_untouched() -> None:
    pcm = np.random.default_rng(1).integers(-32768, 32767, 5000).astype("<i2").tobytes()
    assert read_wav(wav_bytes(Sound(pcm, 16000))) == Sound(pcm, 16000)
    assert read_wav(wav_bytes(Sound(pcm, 22050)), rate=22050) == Sound(pcm, 22050)
    assert resample_sound(Sound(pcm, 16000)).pcm is pcm


def test_full_scale_and_two_different_channels() -> None:
    loud = np.tile(np.array([32767, -32768], "<i2"), 4000)
    sound = read_wav(wav_bytes(Sound(loud.tobytes(), 48000)))
    assert sound.samples == pytest.approx(2667, abs=1)
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(2)
        writer.setsampwidth(2)
        writer.setframerate(16000)
        writer.writeframes(np.tile(np.array([1000, -3000], "<i2"), 100).tobytes())
    assert set(read_wav(file.getvalue()).array.tolist()) == {-1000}


def test_write_and_read_again(tmp_path: Path) -> None:
    sound = Sound(np.arange(-500, 500, dtype="<i2").tobytes(), 22050)
    write_wav(tmp_path / "a.wav", sound)
    with wave.open(str(tmp_path / "a.wav")) as reader:
        assert (reader.getnchannels(), reader.getsampwidth(), reader.getframerate()) == (1, 2, 22050)
    assert read_wav(tmp_path / "a.wav", rate=22050) == sound
    with pytest.raises(Complaint, match=r"cannot be written \(No such file or directory\)"):
        write_wav(tmp_path / "missing" / "a.wav", sound)


GOOD = wav_bytes(Sound(bytes(3200), 16000))


def with_field(place: int, form: str, value: int) -> bytes:
    data = bytearray(GOOD)
    struct.pack_into(form, data, place, value)
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is not a WAV file"),
        (b"RIFF", "is not a WAV file"),
        (b"OggS" + GOOD[4:], "is not a WAV file"),
        (b"RIFX" + GOOD[4:], "is not a WAV file"),
        (GOOD[:12], "contains no format"),
        (GOOD[:36], "contains no sound"),
        (GOOD[:20], "damaged format header"),
        (GOOD[:44], "cut short"),
        (GOOD[:-1], "cut short"),
        (with_field(40, "<I", 3202), "cut short"),
        (with_field(40, "<I", 3199), "middle of a sample"),
        (with_field(40, "<I", 0), "contains no sound"),
        (with_field(16, "<I", 0x7FFFFFFF), "damaged format header"),
        (with_field(16, "<I", 14), "damaged format header"),
        (with_field(20, "<H", 3), "not plain PCM"),
        (with_field(20, "<H", 7), "not plain PCM"),
        (with_field(20, "<H", 0xFFFE), "not plain PCM"),
        (with_field(22, "<H", 0), "has 0 channels"),
        (with_field(22, "<H", 6), "has 6 channels"),
        (with_field(24, "<I", 0), "sample rate of 0 Hz"),
        (with_field(24, "<I", 7999), "sample rate of 7999 Hz"),
        (with_field(24, "<I", 0xFFFFFFFF), "sample rate of 4294967295 Hz"),
        (with_field(34, "<H", 12), "12 bits"),
        (with_field(32, "<H", 4), "16 bits per sample in 4 bytes"),
        (GOOD[:12] + GOOD[36:], "sound before its format"),
        (GOOD[:36] + GOOD[12:36] + GOOD[36:], "damaged format header"),
        (made(16000, "FLOAT"), "not plain PCM"),
        (made(16000, "ULAW"), "not plain PCM"),
    ],
)
def test_what_is_wrong_is_said(data: bytes, sentence: str) -> None:
    with pytest.raises(Complaint, match=sentence) as caught:
        read_wav(data)
    assert str(caught.value).count(". ") == 0


def test_a_streamed_file_without_a_length_is_read_to_its_end() -> None:
    for unknown in (0xFFFFFFFF, 0x7FFFFFFF, 0x7FFFF000):
        assert read_wav(with_field(40, "<I", unknown)).samples == 1600
        assert read_wav(with_field(40, "<I", unknown)[:-1]).samples == 1599


def test_a_long_file_is_read_part_by_part_and_a_longer_one_is_not_read() -> None:
    """An 8-bit file of 255 MB took 6.6 GB of memory before it was refused or read."""
    head = wav_bytes(Sound(b"", 48_000))
    low = bytearray(head[:40])
    low[22:36] = struct.pack("<HIIHH", 1, 48_000, 48_000, 1, 8)
    steps = np.tile(np.repeat(np.array([64, 192], np.uint8), 50), 100_000).tobytes()  # 10 MB, 480 Hz
    data = bytes(low) + struct.pack("<I", len(steps)) + steps
    tracemalloc.start()
    sound = read_wav(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 12 * len(steps)
    assert len(sound.pcm) == pytest.approx(len(steps) * 2 / 3, rel=1e-4)
    begun = read_wav(bytes(low) + struct.pack("<I", 480_000) + steps[:480_000])
    assert np.abs(sound.array[:150_000].astype(int) - begun.array[:150_000]).max() <= 2, "as if it were read at once"
    low[22:36] = struct.pack("<HIIHH", 1, 8_000, 8_000, 1, 8)
    long = bytes(100_000_000)
    with pytest.raises(Complaint, match="lasts 208 minutes"):
        read_wav(bytes(low) + struct.pack("<I", len(long)) + long)


def test_other_chunks_are_passed_over() -> None:
    odd = b"LIST" + struct.pack("<I", 3) + b"abc\0"
    assert read_wav(GOOD[:36] + odd + GOOD[36:] + odd).samples == 1600
    with pytest.raises(Complaint, match="contains no sound"):
        read_wav(GOOD[:36] + b"LIST" + struct.pack("<I", 0xFFFFFFF0) + GOOD[36:])


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(Complaint, match="is not a file"):
        read_wav(tmp_path / "missing.wav")
    with pytest.raises(Complaint, match="is not a file"):
        read_wav(tmp_path)
    with pytest.raises(Complaint, match="is not a file"):
        read_wav(Path("/dev/zero"))
    with pytest.raises(Complaint, match="is not"):
        read_wav(Path("a\0b"))
    huge = tmp_path / "huge.wav"
    huge.write_bytes(GOOD)
    os.truncate(huge, 1 << 40)
    with pytest.raises(Complaint, match="a WAV file may have"):
        read_wav(huge)


@given(st.binary(max_size=200), st.integers(0, 60))
def test_any_bytes_give_sound_or_a_sentence(noise: bytes, place: int) -> None:
    data = GOOD[:place] + noise + GOOD[place + len(noise) :]
    try:
        assert read_wav(data).samples > 0
    except Complaint as wrong:
        assert str(wrong).endswith(".")
