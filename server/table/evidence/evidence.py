"""Sound is kept as evidence: one FLAC file for each utterance.

The file is on disk before the event that names it. Where the hall has a bucket, it goes there too, later and beside the
game (`sending.py`), and a sound that another server of the hall kept is read from there.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from server.journal.entry import Entry
from server.journal.failure import JournalFailed
from server.machine.strongbox import OPEN, Strongbox
from server.table import sealing
from server.table.evidence.sending import Sending
from server.table.evidence.store import NoRoom, SoundFolder, SoundStore
from speech.audio.flac import decode_flac, encode_flac
from speech.audio.sound import Sound

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_BYTES_A_SAMPLE = 2
FOLDER = "audio"

Record = Callable[[str], Awaitable[Sequence[Entry]]]
"""Reads the record of a table."""


class EvidenceFile(msgspec.Struct, frozen=True):
    """Sound that is on disk, as the event names it."""

    path: str
    """Relative to the data folder: `audio/TABLE/UTTERANCE.flac`."""
    sha256: str
    """SHA-256 of the FLAC file, 64 hex digits; of the plain one, where it lies encrypted on the disk."""
    length_ms: int


class EvidenceNotKept(msgspec.Struct, frozen=True):
    """Sound that could not be kept; the event says so and play goes on."""

    reason: str
    """One plain sentence for the arbiter."""
    length_ms: int


class EvidenceChanged(OSError):
    """The file of a sound is not the one that the record names: it was changed, cut or put there later (L194)."""


class _Content(msgspec.Struct, frozen=True):
    utterance: str | None = None


class _Sounded(msgspec.Struct, frozen=True):
    """Fields of an event that name a sound; None where it has none."""

    utterance: str | None = None
    sha256: str | None = None
    content: _Content = _Content()


NAMING = ("sound_kept", "spoken_privately")
"""The events whose hash is that of a sound; a sealed move names a sound too, and has the hash of the move."""
OPENED = "envelope_opened"


class OnRecord(msgspec.Struct, frozen=True):
    """A sound as the record names it: its hashes in order, that of the sealed file before that of the open one.

    `opened`: the envelope was opened, by an older program if no hash came after that.
    """

    hashes: tuple[str, ...]
    opened: bool = False


def sounds_on_record(entries: Sequence[Entry]) -> dict[str, OnRecord]:
    """Return the sounds that these events name, by utterance."""
    found: dict[str, OnRecord] = {}
    for one in entries:
        if one.kind not in (*NAMING, OPENED):
            continue
        said = msgspec.json.decode(one.body, type=_Sounded)
        before = found.get(said.content.utterance or said.utterance or "")
        if one.kind == OPENED and before is not None and said.content.utterance:
            found[said.content.utterance] = OnRecord(before.hashes, opened=True)
        elif one.kind != OPENED and said.utterance and (said.sha256 or before is not None):
            known = before or OnRecord(())
            found[said.utterance] = OnRecord((*known.hashes, said.sha256 or ""), known.opened)
    return found


class SoundEvidence:
    """Sounds of one data folder, kept as evidence.

    They are `DATA/audio/TABLE/UTTERANCE.flac`. Names of tables and utterances are letters, digits, `-` and `_`, up to
    64, and begin with a letter or digit. With a strongbox the same files lie there encrypted, and so they go to the
    bucket; a sealed sound is encrypted already, and lies there as it is.
    """

    def __init__(
        self,
        data_root: Path,
        keep_free: int = 0,
        box: Strongbox = OPEN,
        common: SoundStore | None = None,
        on_record: Record | None = None,
    ) -> None:
        """Keep sounds under this folder while its disk has more than `keep_free` bytes, which are for the record.

        `common`: where all servers of the hall keep their sounds. Where `on_record` is given, nothing is read that
        has another hash there.
        """
        self._box = box
        self._here = SoundFolder(data_root / FOLDER, keep_free)
        self._common = common
        self._on_record = on_record
        self._named: dict[tuple[str, str], OnRecord | None] = {}
        self.sending = None if common is None else Sending(self._here, common)
        """The task that brings the sounds to the common store; None where there is none."""

    async def keep(
        self,
        table: str,
        utterance: str,
        pcm: bytes,
        sample_rate: int,
        seal: str | None = None,
        *,
        in_the_open: bool = False,
    ) -> EvidenceFile | EvidenceNotKept:
        """Write mono s16le `pcm` of `sample_rate` Hz; it is on disk (and fsynced) when this returns.

        `seal`: the public key of an envelope; then only the sealed sound touches the disk, as `UTTERANCE.sealed`.
        `in_the_open`: it came out of an envelope, and stays on this machine.

        A failing disk is returned as EvidenceNotKept, not raised. The same sound under the same name again is the same
        evidence; another sound never replaces the first. Nothing here waits for the common store.

        Raises:
            ValueError: a name is not allowed, there is half a sample, or the sample rate is not positive.
        """
        name = _name(table, utterance, sealed=seal is not None)
        if len(pcm) % _BYTES_A_SAMPLE or sample_rate <= 0:
            raise ValueError("sound is whole 16-bit samples at a positive rate")
        length_ms = len(pcm) // _BYTES_A_SAMPLE * 1000 // sample_rate
        try:
            flac = await asyncio.to_thread(encode_flac, Sound(pcm, sample_rate))
        except Exception as wrong:  # whatever happens in the encoder, the game goes on
            return EvidenceNotKept(f"The sound could not be encoded ({wrong}).", length_ms)
        if seal is not None:  # neither the sound nor its length is on record
            length_ms, about = 0, f"{table}/{utterance}"
            flac = await asyncio.to_thread(sealing.seal, flac, seal, about=about, multiple=sealing.SOUND_BYTES)
        kept = EvidenceFile(f"{FOLDER}/{name}", hashlib.sha256(flac).hexdigest(), length_ms)
        try:
            await self._here.put(name, flac if seal is not None else self._box.shut(flac, kept.path))
        except FileExistsError:
            return await self._kept_before(name, kept, flac)
        except NoRoom:
            return EvidenceNotKept("The disk is almost full; the room that is left is for the record.", length_ms)
        except OSError as wrong:
            return EvidenceNotKept(f"The sound could not be written ({wrong.strerror}).", length_ms)
        if self.sending is not None and not in_the_open:
            self.sending.put(name)
        return kept

    async def read(self, table: str, utterance: str) -> bytes | None:
        """Return the FLAC file whose hash is on record, for the arbiter's ear; None when there is none.

        Of an envelope that an older program opened the sealed file must have the hash on record: that of the open sound
        is not there.

        Raises:
            ValueError: a name that is no name.
            EvidenceChanged: it has other bytes than the record says, here or in the common store, or the record
                names no such sound.
            OSError: the file is there and cannot be read, or is encrypted with another key; or it is not here, and the
                common store does not answer.
        """
        name = _name(table, utterance)
        found = await self._read_here(name)
        if found is None:
            return await self._fetch(table, utterance, name)
        if not await self._is_on_record(table, utterance, found) and not await self._opened_before(table, utterance):
            raise EvidenceChanged(f"the sound {name} is not the one on record")
        return found

    async def is_sealed(self, table: str, utterance: str) -> bool:
        """Say whether the sealed file of a sound lies here. Raises as `read` does, also where it is another one."""
        name = _name(table, utterance, sealed=True)
        sealed = await self._here.get(name)
        if sealed is not None and not await self._is_on_record(table, utterance, sealed):
            raise EvidenceChanged(f"the sound {name} is not the one on record")
        return sealed is not None

    async def holds(self, table: str, utterance: str) -> bool:
        """Say whether there is such a file; the common store is not asked, but has what is on record.

        Raises ValueError for a name that is no name.
        """
        name = _name(table, utterance)
        if await self._here.has(name):
            return True
        return self._common is not None and await self._on_record_as(table, utterance) is not None

    async def unseal(
        self, table: str, utterance: str, private: X25519PrivateKey
    ) -> tuple[Sound, EvidenceFile | EvidenceNotKept] | None:
        """Write a sealed sound in the open beside the sealed file, as evidence of its own; None where it does not open.

        Raises:
            ValueError: a name that is no name.
            EvidenceChanged: the sealed file is not the one on record; whoever knows the table's key can seal anything.
            OSError: it cannot be read or written.
        """
        name = _name(table, utterance, sealed=True)
        sealed = await self._read_here(name)
        if sealed is not None:
            if not await self._is_on_record(table, utterance, sealed):
                raise EvidenceChanged(f"the sound {name} is not the one on record")
        else:
            sealed = await self._fetch(table, utterance, name)
        flac = None if sealed is None else sealing.open_box(sealed, private, about=f"{table}/{utterance}")
        if flac is None:
            return None
        sound = await asyncio.to_thread(decode_flac, flac)
        return sound, await self.keep(table, utterance, sound.pcm, sound.sample_rate, in_the_open=True)

    async def delete(self, table: str, utterance: str) -> bool:
        """Delete a sound under the event's retention rule, here and in the common store, and say whether there was one.

        Its hash stays in the journal. A copy in the folder of another server is that server's to delete.

        Raises:
            ValueError: a name that is no name.
            OSError: it cannot be deleted, here or in the common store.
        """
        names = _name(table, utterance), _name(table, utterance, sealed=True)
        found = [await self._here.delete(one) for one in names]  # first, so that it is sent no more
        if self.sending is not None and self._common is not None:
            async with self.sending.turn:
                found += [await self._common.delete(one) for one in names]
        return any(found)

    async def tables(self) -> list[str]:
        """Return the tables of which a sound lies here."""
        return sorted({name.partition("/")[0] for name in await self._here.names()})

    async def sweep(self) -> int:
        """Remove what a crash left half written, and return how many files that was.

        Call it once at the start, before any `keep`.
        """
        return await self._here.sweep()

    async def _read_here(self, name: str) -> bytes | None:
        found = await self._here.get(name)
        return None if found is None else self._box.open_kept(found, f"{FOLDER}/{name}")

    async def _fetch(self, table: str, utterance: str, name: str) -> bytes | None:
        """Return a sound that another server kept, if it is the one on record. Raises OSError."""
        if self._common is None or (named := await self._on_record_as(table, utterance)) is None:
            return None
        found = await self._common.get(name)
        if found is None:
            return None
        flac = self._box.open_kept(found, f"{FOLDER}/{name}")
        if hashlib.sha256(flac).hexdigest() not in named.hashes:
            raise EvidenceChanged(f"the sound {name} in the common store is not the one on record")
        return flac

    async def _is_on_record(self, table: str, utterance: str, file: bytes) -> bool:
        """Say whether a file is what the record names; true where nobody gave a record."""
        if self._on_record is None:
            return True
        sha256 = hashlib.sha256(file).hexdigest()
        for fresh in (False, True):  # what was asked for before may be on record by now
            if fresh:
                self._named.pop((table, utterance), None)
            named = await self._on_record_as(table, utterance)
            if named is not None and sha256 in named.hashes:
                return True
        return False

    async def _opened_before(self, table: str, utterance: str) -> bool:
        """Say whether an older program opened the envelope: it put no hash of the open sound on record."""
        named, sealed = self._named.get((table, utterance)), await self._here.get(_name(table, utterance, sealed=True))
        if named is None or not named.opened or len(named.hashes) > 1 or sealed is None:
            return False
        return hashlib.sha256(sealed).hexdigest() in named.hashes

    async def _on_record_as(self, table: str, utterance: str) -> OnRecord | None:
        if self._on_record is None:
            return None
        if (table, utterance) not in self._named:
            try:
                named = await asyncio.to_thread(sounds_on_record, await self._on_record(table))
            except JournalFailed as wrong:
                raise OSError(str(wrong)) from wrong
            self._named |= {(table, one): found for one, found in named.items()}
            self._named.setdefault((table, utterance), None)  # who asks knows of it from the record, without a sound
        return self._named[(table, utterance)]

    async def _kept_before(self, name: str, kept: EvidenceFile, flac: bytes) -> EvidenceFile | EvidenceNotKept:
        try:
            if await self._read_here(name) == flac:
                return kept
        except OSError as wrong:
            return EvidenceNotKept(f"The sound could not be read back ({wrong.strerror}).", kept.length_ms)
        return EvidenceNotKept("Another sound of this name was kept before.", kept.length_ms)


def _name(table: str, utterance: str, *, sealed: bool = False) -> str:
    """Return the name under which a sound is kept. Raises ValueError."""
    for name in (table, utterance):
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a table or an utterance")
    return f"{table}/{utterance}.{'sealed' if sealed else 'flac'}"
