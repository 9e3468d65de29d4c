"""Reading and writing WAV files.

PCM of 8 to 48 kHz, 8 to 32 bit, mono or stereo becomes mono s16le at 16 kHz. The files come from strangers: nothing in
a header is believed before it is compared with the bytes that are there.
"""

from __future__ import annotations

import io
import struct
import wave
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import soxr

from speech.audio.sound import Sound
from speech.complaint import Complaint, Phrase

HEARING_RATE = 16_000
"""Hz; the recognisers and the wire take this rate."""
LOWEST_RATE, HIGHEST_RATE = 8_000, 48_000
LARGEST_FILE_BYTES = 256 * 1024 * 1024
_PART_FRAMES = 4 * 1024 * 1024

_PCM = 1
_EXTENSIBLE = 0xFFFE
_PCM_SUBFORMAT = bytes.fromhex("0100000000001000800000aa00389b71")
_STREAMED = 0x7FFF0000
"""Programs that write to a pipe cannot know the length and put a number of at least this in its place."""


class _Format(msgspec.Struct, frozen=True):
    channels: int
    rate: int
    width: int


def read_wav(source: Path | bytes, *, rate: int = HEARING_RATE) -> Sound:
    """Return the sound of a PCM WAV file (or its bytes), mono s16le at `rate` Hz.

    Two channels are averaged. A file that is already mono, 16 bit and of that rate comes out bit by bit. Raises
    `Complaint` for anything other than PCM of 8 to 48 kHz, 8, 16, 24 or 32 bit, one or two channels; and for a file
    that is cut short, empty or too large.
    """
    data, name = (source, "The WAV data") if isinstance(source, bytes) else (_file_bytes(source), f"{source}")
    form, body = _parse_wav(data, name)
    if form.channels == 1 and form.width == 2 and form.rate == rate:
        return Sound(bytes(body), rate)
    length = len(body) // (form.width * form.channels) * rate // form.rate * 2
    if length > LARGEST_FILE_BYTES:
        raise Complaint(Phrase("wav.long", name=name, minutes=length // rate // 120))
    return Sound(_convert_body(body, form, rate), rate)


def resample_sound(sound: Sound, rate: int = HEARING_RATE) -> Sound:
    """Return the sound at another sample rate (Hz); the same sound where the rate is the same."""
    if sound.sample_rate == rate:
        return sound
    return Sound(_to_pcm(_resample_part(sound.array.astype(np.float32), sound.sample_rate, rate)), rate)


def wav_bytes(sound: Sound) -> bytes:
    """Return the sound as a 16-bit mono WAV file in memory."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(sound.sample_rate)
        writer.writeframes(sound.pcm)
    return file.getvalue()


def stereo_wav_bytes(samples: npt.NDArray[np.int16], rate: int) -> bytes:
    """Return left and right, shape (samples, 2), as a 16-bit WAV file in memory."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(2)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes(samples.astype("<i2").tobytes())
    return file.getvalue()


def write_wav(path: Path, sound: Sound) -> None:
    """Write the sound as a 16-bit mono WAV file.

    Raises `Complaint` where the file cannot be written.
    """
    try:
        path.write_bytes(wav_bytes(sound))
    except OSError as trouble:
        raise Complaint(Phrase("wav.unwritten", file=path, why=trouble.strerror)) from None


def _file_bytes(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise Complaint(Phrase("wav.no_file", file=path))
        size = path.stat().st_size
        if size > LARGEST_FILE_BYTES:
            raise Complaint(Phrase("wav.large", file=path, size=size, most=LARGEST_FILE_BYTES))
        return path.read_bytes()
    except OSError as trouble:
        raise Complaint(Phrase("wav.unread", file=path, why=trouble.strerror)) from None
    except ValueError:
        raise Complaint(Phrase("wav.no_file", file=repr(str(path)))) from None


def _parse_wav(data: bytes, name: str) -> tuple[_Format, memoryview]:
    """Return the format and the samples' bytes, checked against what is there."""
    if len(data) < 12 or data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise Complaint(Phrase("wav.none", name=name))
    form: _Format | None = None
    place = 12
    while place + 8 <= len(data):
        kind, size = struct.unpack_from("<4sI", data, place)
        place += 8
        there = len(data) - place
        if kind == b"fmt ":
            if form is not None or size > there:
                raise Complaint(Phrase("wav.format_damaged", name=name))
            form = _checked_format(data[place : place + size], name)
        elif kind == b"data":
            if form is None:
                raise Complaint(Phrase("wav.sound_first", name=name))
            if size > there and size < _STREAMED:
                raise Complaint(Phrase("wav.short", name=name, size=size, there=there))
            frame = form.width * form.channels
            length = min(size, there) if size <= there else there - there % frame
            if length % frame:
                raise Complaint(Phrase("wav.half_sample", name=name))
            if length == 0:
                raise Complaint(Phrase("wav.empty", name=name))
            return form, memoryview(data)[place : place + length]
        place += size + size % 2
    part = Phrase("wav.format") if form is None else Phrase("wav.sound")
    raise Complaint(Phrase("wav.lacks", name=name, part=part))


def _checked_format(header: bytes, name: str) -> _Format:
    if len(header) < 16:
        raise Complaint(Phrase("wav.format_damaged", name=name))
    kind, channels, rate, _bytes_a_second, frame, bits = struct.unpack_from("<HHIIHH", header)
    if kind == _EXTENSIBLE and len(header) >= 40 and header[24:40] == _PCM_SUBFORMAT:
        kind = _PCM
    if kind != _PCM:
        raise Complaint(Phrase("wav.no_pcm", name=name, kind=kind))
    if channels not in (1, 2):
        raise Complaint(Phrase("wav.channels", name=name, channels=channels))
    if not LOWEST_RATE <= rate <= HIGHEST_RATE:
        raise Complaint(Phrase("wav.rate", name=name, rate=rate))
    if bits not in (8, 16, 24, 32) or frame != channels * bits // 8:
        raise Complaint(Phrase("wav.bits", name=name, bits=bits, bytes=frame))
    return _Format(channels, rate, bits // 8)


def _convert_body(body: memoryview, form: _Format, rate: int) -> bytes:
    """Return the samples as mono s16le at `rate` Hz; a long sound goes part by part, so that it takes little memory."""
    frame = form.width * form.channels
    if len(body) <= _PART_FRAMES * frame:
        return _to_pcm(_resample_part(_mono(body, form), form.rate, rate))
    stream = soxr.ResampleStream(form.rate, rate, 1, dtype="float32")
    pcm = bytearray()
    for start in range(0, len(body), _PART_FRAMES * frame):
        part = _mono(body[start : start + _PART_FRAMES * frame], form)
        last = start + _PART_FRAMES * frame >= len(body)
        pcm += _to_pcm(part if form.rate == rate else stream.resample_chunk(part, last=last))
    return bytes(pcm)


def _mono(body: memoryview, form: _Format) -> npt.NDArray[np.float32]:
    """Return the samples in units of 16 bit, channels averaged."""
    samples: npt.NDArray[np.float32]
    if form.width == 1:
        samples = (np.frombuffer(body, np.uint8).astype(np.float32) - 128) * 256
    elif form.width == 2:
        samples = np.frombuffer(body, "<i2").astype(np.float32)
    elif form.width == 3:
        wide = np.zeros((len(body) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(body, np.uint8).reshape(-1, 3)
        samples = (wide.view("<i4").reshape(-1) / 65536).astype(np.float32)
    else:
        samples = (np.frombuffer(body, "<i4") / 65536).astype(np.float32)
    return samples if form.channels == 1 else samples.reshape(-1, 2).mean(axis=1, dtype=np.float32)


def _resample_part(samples: npt.NDArray[np.float32], rate: int, wanted: int) -> npt.NDArray[np.float32]:
    if rate == wanted:
        return samples
    changed: npt.NDArray[np.float32] = soxr.resample(samples, rate, wanted)
    return changed


def _to_pcm(samples: npt.NDArray[np.float32]) -> bytes:
    return np.clip(np.rint(samples), -32768, 32767).astype("<i2").tobytes()
