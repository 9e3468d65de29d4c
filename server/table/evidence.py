"""Sound is kept as evidence: one FLAC file for each utterance.

The file is on disk before the event that names it.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shutil
import tempfile
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from server.journal.schema import BINARY, sync_folder
from server.machine.strongbox import OPEN, Strongbox
from server.table import sealing
from speech.audio.flac import decode_flac, encode_flac
from speech.audio.sound import Sound

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_BYTES_A_SAMPLE = 2


class EvidenceFile(msgspec.Struct, frozen=True):
    """This is a sound that is on disk, as the event names it."""

    path: str
    """Relative to the data folder: `audio/TABLE/UTTERANCE.flac`."""
    sha256: str
    """Of the FLAC file, 64 hex digits; of the plain one, where it lies encrypted on the disk."""
    length_ms: int


class EvidenceNotKept(msgspec.Struct, frozen=True):
    """This is a sound that could not be kept; the event says so and play goes on."""

    reason: str
    """One plain sentence for the arbiter."""
    length_ms: int


class SoundEvidence:
    """This keeps the sounds of one data folder.

    They are `DATA/audio/TABLE/UTTERANCE.flac`, mode 0600 in folders of mode 0700. Names of tables and utterances are
    letters, digits, `-` and `_`, up to 64, and begin with a letter or digit. With a strongbox the same files lie there
    encrypted; a sealed sound is encrypted already, and lies there as it is.
    """

    def __init__(self, data_root: Path, keep_free: int = 0, box: Strongbox = OPEN) -> None:
        """Keep sounds under this folder while its disk has more than `keep_free` bytes, which are for the record."""
        self._keep_free = keep_free
        self._box = box
        self._root = data_root
        self._audio = data_root / "audio"

    async def keep(
        self, table: str, utterance: str, pcm: bytes, sample_rate: int, seal: str | None = None
    ) -> EvidenceFile | EvidenceNotKept:
        """Write mono s16le `pcm` of `sample_rate` Hz; it is on disk (and fsynced) when this returns.

        `seal`: the public key of an envelope; then only the sealed sound touches the disk, as `UTTERANCE.sealed`.

        A failing disk is returned as EvidenceNotKept, not raised. The same sound under the same name again is the same
        evidence; another sound never replaces the first.

        Raises:
            ValueError: a name is not allowed, there is half a sample, or the sample rate is not positive.
        """
        _check_name(table)
        _check_name(utterance)
        if len(pcm) % _BYTES_A_SAMPLE or sample_rate <= 0:
            raise ValueError("sound is whole 16-bit samples at a positive rate")
        return await asyncio.to_thread(self._keep, table, utterance, pcm, sample_rate, seal)

    async def read(self, table: str, utterance: str) -> bytes | None:
        """Return the FLAC file whose hash is on record, for the arbiter's ear; None when there is none.

        Raises:
            ValueError: a name that is no name.
            OSError: the file is there and cannot be read, or is encrypted with another key.
        """
        return await asyncio.to_thread(self._read, self._place(table, utterance))

    async def holds(self, table: str, utterance: str) -> bool:
        """Say whether there is such a file. Raises ValueError for a name that is no name."""
        return await asyncio.to_thread(self._place(table, utterance).is_file)

    async def unseal(self, table: str, utterance: str, private: X25519PrivateKey) -> Sound | None:
        """Write a sealed sound in the open beside the sealed file, as evidence; None where that fails.

        Raises:
            ValueError: a name that is no name.
            OSError: it cannot be read or written.
        """
        return await asyncio.to_thread(self._unseal, table, utterance, private)

    async def delete(self, table: str, utterance: str) -> bool:
        """Delete a sound under the event's retention rule, and say whether there was one.

        Its hash stays in the journal.

        Raises:
            ValueError: a name that is no name.
            OSError: it cannot be deleted.
        """
        return await asyncio.to_thread(self._delete, self._place(table, utterance))

    async def sweep(self) -> int:
        """Remove what a crash left half written, and return how many files that was.

        Call it once at the start, before any `keep`.
        """
        return await asyncio.to_thread(self._sweep)

    def _place(self, table: str, utterance: str) -> Path:
        _check_name(table)
        _check_name(utterance)
        return self._audio / table / f"{utterance}.flac"

    def _keep(
        self, table: str, utterance: str, pcm: bytes, sample_rate: int, seal: str | None
    ) -> EvidenceFile | EvidenceNotKept:
        place = self._place(table, utterance)
        length_ms = len(pcm) // _BYTES_A_SAMPLE * 1000 // sample_rate
        try:
            flac = encode_flac(Sound(pcm, sample_rate))
        except Exception as wrong:  # whatever happens in the encoder, the game goes on
            return EvidenceNotKept(f"The sound could not be encoded ({wrong}).", length_ms)
        if seal is not None:  # neither the sound nor its length is on record
            place, length_ms = place.with_suffix(".sealed"), 0
            flac = sealing.seal(flac, seal, about=f"{table}/{utterance}", multiple=sealing.SOUND_BYTES)
        kept = EvidenceFile(str(place.relative_to(self._root)), hashlib.sha256(flac).hexdigest(), length_ms)
        try:
            if shutil.disk_usage(self._root).free < self._keep_free + len(flac):
                return EvidenceNotKept("The disk is almost full; the room that is left is for the record.", length_ms)
            self._make_folder(place.parent)
            written = flac if seal is not None else self._box.shut(flac, self._about(place))
            descriptor, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=place.parent)  # mode 0600
            try:
                with os.fdopen(descriptor, "wb") as part:
                    part.write(written)
                    part.flush()
                    os.fsync(part.fileno())
                # A hard link is made in one step and never replaces what is there.
                os.link(name, place)
            finally:
                Path(name).unlink()
            sync_folder(place.parent)
        except FileExistsError:
            return self._kept_before(place, kept, flac)
        except OSError as wrong:
            return EvidenceNotKept(f"The sound could not be written ({wrong.strerror}).", length_ms)
        return kept

    def _kept_before(self, place: Path, kept: EvidenceFile, flac: bytes) -> EvidenceFile | EvidenceNotKept:
        try:
            if self._read(place) == flac:
                sync_folder(place.parent)
                return kept
        except OSError as wrong:
            return EvidenceNotKept(f"The sound could not be read back ({wrong.strerror}).", kept.length_ms)
        return EvidenceNotKept("Another sound of this name was kept before.", kept.length_ms)

    def _unseal(self, table: str, utterance: str, private: X25519PrivateKey) -> Sound | None:
        box = self._read(self._place(table, utterance).with_suffix(".sealed"))
        flac = None if box is None else sealing.opened(box, private, about=f"{table}/{utterance}")
        if flac is None:
            return None
        sound = decode_flac(flac)
        self._keep(table, utterance, sound.pcm, sound.sample_rate, None)
        return sound

    def _make_folder(self, folder: Path) -> None:
        for place in (self._audio, folder):
            if not place.is_dir():
                place.mkdir(mode=0o700, exist_ok=True)
                sync_folder(place.parent)

    def _read(self, place: Path) -> bytes | None:
        try:
            descriptor = os.open(place, os.O_RDONLY | BINARY | getattr(os, "O_NOFOLLOW", 0))
        except FileNotFoundError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            return self._box.opened(file.read(), self._about(place))

    def _about(self, place: Path) -> str:
        """Return the name of the place that an encrypted sound is bound to: `audio/TABLE/UTTERANCE.flac`."""
        return place.relative_to(self._root).as_posix()

    def _delete(self, place: Path) -> bool:
        try:
            place.unlink()
        except FileNotFoundError:
            return False
        sync_folder(place.parent)
        return True

    def _sweep(self) -> int:
        left = list(self._audio.glob("*/.*.part"))
        for part in left:
            part.unlink()
        return len(left)


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a table or an utterance")
