"""Sound on the wire `/audio`, and how its messages are put together again. Pure.

Each message has 16 bytes of header and up to 20 ms of mono s16le at 16 kHz. Header, little endian: utterance id
(uint64), number of the first sample in that utterance (uint64). The sample numbers show a lost or doubled message. A
bad frame ends its utterance, never the connection.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Literal

import msgspec

from speech.audio.sound import BYTES_PER_SAMPLE, Sound
from speech.complaint import Complaint

WIRE_RATE = 16_000
"""Hz."""
FRAME_SAMPLES = WIRE_RATE * 20 // 1000
FRAME_BYTES = FRAME_SAMPLES * BYTES_PER_SAMPLE
MOST_PARTS = 64
"""An utterance that comes in more pieces, with gaps between them, is over; a line loses nothing in its middle."""
LONGEST_SAMPLES = WIRE_RATE * 30
"""30 s; no announcement is longer, but a talk key may be stuck."""
HEADER = struct.Struct("<QQ")


class Frame(msgspec.Struct, frozen=True):
    """One message: the samples of part of an utterance.

    `first_sample` counts from 0 at the beginning of the utterance; `pcm` is mono s16le, 1 to 320 samples.
    """

    utterance: int
    first_sample: int
    pcm: bytes

    @property
    def end_sample(self) -> int:
        """Return the number after its last sample."""
        return self.first_sample + len(self.pcm) // BYTES_PER_SAMPLE


Outcome = Literal["grown", "repeated", "other", "ended", "over"]


class Fed(msgspec.Struct, frozen=True):
    """Outcome of feeding one frame.

    `grown`: `new_samples` came in. `repeated`: all of it was there already. `other`: it belongs to another utterance
    and nothing changed. `ended`: the utterance is over now, `reason` says why (a bad frame, or 30 s are full). `over`:
    the utterance was over before.
    """

    outcome: Outcome
    new_samples: int = 0
    reason: str | None = None


def decode_frame(data: bytes) -> Frame:
    """Return the frame of one binary message. Raises `Complaint` where it is none."""
    if len(data) <= HEADER.size:
        raise Complaint(f"A sound frame has 16 bytes of header and then sound; this one has {len(data)} bytes in all.")
    length = len(data) - HEADER.size
    if length > FRAME_BYTES or length % BYTES_PER_SAMPLE:
        raise Complaint(f"A sound frame carries an even number of bytes up to {FRAME_BYTES}, not {length}.")
    utterance, first_sample = HEADER.unpack_from(data)
    return Frame(utterance, first_sample, bytes(data[HEADER.size :]))


def encode_frames(pcm: bytes, utterance_id: int, first_sample: int = 0) -> Iterator[bytes]:
    """Yield the messages for mono s16le sound at 16 kHz: 20 ms each, the last may be shorter."""
    if len(pcm) % BYTES_PER_SAMPLE:
        raise Complaint("Sound of 16 bit has an even number of bytes.")
    for begin in range(0, len(pcm), FRAME_BYTES):
        header = HEADER.pack(utterance_id, first_sample + begin // BYTES_PER_SAMPLE)
        yield header + pcm[begin : begin + FRAME_BYTES]


class UtteranceAssembly:
    """Assembly of one utterance from its frames, in whatever order they come.

    What came first stays: a repetition never changes sound that may already be recognised. What is missing is silence
    in `sound` and named in `gaps`.
    """

    def __init__(self, utterance: int) -> None:
        self.utterance = utterance
        self.ended: str | None = None
        """Why the utterance is over, in one sentence; None while it takes frames."""
        self.repeated_samples = 0
        """How many samples came a second time."""
        self.conflicting_frames = 0
        """How many frames came a second time with different sound."""
        self.late_frames = 0
        """How many frames filled a gap after a later frame had come."""
        self._pcm = bytearray()
        self._parts: list[tuple[int, int]] = []  # first sample and the one after the last; apart, in order

    def feed(self, data: bytes) -> Fed:
        """Take one binary message; never raises."""
        if self.ended is not None:
            return Fed("over", reason=self.ended)
        try:
            frame = decode_frame(data)
        except Complaint as wrong:
            return self._end(str(wrong))
        if frame.utterance != self.utterance:
            return Fed("other")
        room = LONGEST_SAMPLES - frame.first_sample
        new = 0
        if room > 0:
            end = min(frame.end_sample, LONGEST_SAMPLES)
            new = self._take(frame.first_sample, end, frame.pcm)
        if frame.end_sample > LONGEST_SAMPLES:
            return self._end("An utterance may last 30 seconds; what came later is not kept.", new)
        if len(self._parts) > MOST_PARTS:
            return self._end("This utterance has too many gaps.", new)
        return Fed("grown", new) if new else Fed("repeated")

    @property
    def received_samples(self) -> int:
        """Return how many samples are there, gaps not counted."""
        return sum(end - begin for begin, end in self._parts)

    @property
    def gaps(self) -> tuple[tuple[int, int], ...]:
        """Return the gaps before the last sample, as pairs (first sample, the one after the last)."""
        begins = [0, *(end for _, end in self._parts)]
        return tuple((gap, begin) for gap, (begin, _) in zip(begins, self._parts, strict=False) if gap < begin)

    @property
    def begins_late(self) -> bool:
        """Say whether the first sample is missing, as where the utterance began on another line."""
        return bool(self._parts) and self._parts[0][0] > 0

    @property
    def sound(self) -> Sound:
        """Return all the sound there is, from sample 0, with silence where something is missing."""
        return Sound(bytes(self._pcm), WIRE_RATE)

    def part(self, first_sample: int, end_sample: int) -> bytes:
        """Return a part of the sound, with silence where something is missing."""
        return bytes(self._pcm[first_sample * BYTES_PER_SAMPLE : end_sample * BYTES_PER_SAMPLE])

    @property
    def end_sample(self) -> int:
        """Return the number after the last sample that came."""
        return len(self._pcm) // BYTES_PER_SAMPLE

    @property
    def whole_samples(self) -> int:
        """Return how far the sound reaches from sample 0 without a gap.

        So much may be given to a recogniser already.
        """
        return self._parts[0][1] if self._parts and self._parts[0][0] == 0 else 0

    def _end(self, reason: str, new_samples: int = 0) -> Fed:
        self.ended = reason
        return Fed("ended", new_samples, reason)

    def _take(self, begin: int, end: int, pcm: bytes) -> int:
        """Keep what is new of samples `begin` to `end`; return how many are."""
        late = bool(self._parts) and begin < self._parts[-1][1]
        if len(self._pcm) < end * BYTES_PER_SAMPLE:
            self._pcm.extend(bytes(end * BYTES_PER_SAMPLE - len(self._pcm)))
        known = [(max(begin, first), min(end, last)) for first, last in self._parts if first < end and begin < last]
        conflict = False
        place = begin
        new = 0
        for first, last in [*known, (end, end)]:
            if place < first:
                self._pcm[place * 2 : first * 2] = pcm[(place - begin) * 2 : (first - begin) * 2]
                new += first - place
            conflict |= self._pcm[first * 2 : last * 2] != pcm[(first - begin) * 2 : (last - begin) * 2]
            place = last
        self.repeated_samples += end - begin - new
        self.conflicting_frames += conflict
        self.late_frames += late and new > 0
        if new:
            self._parts = _unite_spans([*self._parts, (begin, end)])
        return new


def _unite_spans(parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    united: list[tuple[int, int]] = []
    for begin, end in sorted(parts):
        if united and begin <= united[-1][1]:
            united[-1] = (united[-1][0], max(end, united[-1][1]))
        else:
            united.append((begin, end))
    return united
