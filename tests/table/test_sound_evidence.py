"""Sound as evidence: without loss, on disk before it is named, and never a reason to stop a game."""

from __future__ import annotations

import hashlib
import io
import os
import random
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import soundfile

from server.table.evidence.evidence import EvidenceFile, EvidenceNotKept, SoundEvidence

NOISE = random.Random(1).randbytes(2 * 16_000)  # one second at 16 kHz
OTHER = random.Random(2).randbytes(2 * 16_000)


@pytest.mark.law("L194")
async def test_the_sound_is_kept_without_loss_and_named_by_its_hash(tmp_path: Path) -> None:
    evidence = SoundEvidence(tmp_path)
    kept = await evidence.keep("t1", "u-1", NOISE, 16_000)
    assert isinstance(kept, EvidenceFile)
    file = tmp_path / kept.path
    assert kept.path == "audio/t1/u-1.flac"
    assert kept.length_ms == 1_000
    assert hashlib.sha256(file.read_bytes()).hexdigest() == kept.sha256
    assert await evidence.read("t1", "u-1") == file.read_bytes()
    samples, rate = soundfile.read(io.BytesIO(file.read_bytes()), dtype="int16")
    assert rate == 16_000
    assert samples.astype("<i2").tobytes() == NOISE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [entry.name for entry in file.parent.iterdir()] == ["u-1.flac"]


async def test_file_and_folder_are_on_disk_before_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "audio" / "t1" / "u1.flac"
    synced: list[tuple[str, bool, bool]] = []
    real = os.fsync

    def watched(descriptor: int) -> None:
        status = os.fstat(descriptor)
        same = place.exists() and status.st_ino == place.stat().st_ino
        is_folder = place.parent.exists() and status.st_ino == place.parent.stat().st_ino
        if is_folder:
            synced.append(("folder", place.exists(), same))
        elif stat.S_ISREG(status.st_mode):
            synced.append(("file", place.exists(), status.st_size > 0))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    assert isinstance(await SoundEvidence(tmp_path).keep("t1", "u1", NOISE, 16_000), EvidenceFile)
    assert synced == [("file", False, True), ("folder", True, False)]


async def test_another_sound_never_replaces_the_first(tmp_path: Path) -> None:
    evidence = SoundEvidence(tmp_path)
    first = await evidence.keep("t1", "u1", NOISE, 16_000)
    assert await evidence.keep("t1", "u1", NOISE, 16_000) == first, "the same again after a crash is the same evidence"
    assert isinstance(await evidence.keep("t1", "u1", OTHER, 16_000), EvidenceNotKept)
    assert isinstance(first, EvidenceFile)
    assert hashlib.sha256((tmp_path / first.path).read_bytes()).hexdigest() == first.sha256
    assert isinstance(await evidence.keep("t2", "u1", OTHER, 16_000), EvidenceFile)


async def test_a_deleted_sound_is_gone_and_a_missing_one_is_none(tmp_path: Path) -> None:
    evidence = SoundEvidence(tmp_path)
    await evidence.keep("t1", "u1", NOISE, 16_000)
    assert await evidence.delete("t1", "u1")
    assert not await evidence.delete("t1", "u1")
    assert await evidence.read("t1", "u1") is None
    assert await evidence.read("t9", "u9") is None


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../t1", "a/b", "/etc", "a\\b", ".hidden", "a.b", "x" * 65, "a\x00", "ä", "a\n", "-a"]
)
async def test_names_play_no_tricks_with_paths(tmp_path: Path, name: str) -> None:
    evidence = SoundEvidence(tmp_path / "data")
    for table, utterance in ((name, "u1"), ("t1", name)):
        with pytest.raises(ValueError, match="is no name"):
            await evidence.keep(table, utterance, NOISE, 16_000)
        with pytest.raises(ValueError, match="is no name"):
            await evidence.read(table, utterance)
        with pytest.raises(ValueError, match="is no name"):
            await evidence.delete(table, utterance)
    assert list(tmp_path.iterdir()) == []


async def test_a_link_to_elsewhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "audio" / "t1").mkdir(parents=True)
    (tmp_path / "secret").write_text("key")
    (tmp_path / "audio" / "t1" / "u1.flac").symlink_to(tmp_path / "secret")
    with pytest.raises(OSError, match="symbolic"):
        await SoundEvidence(tmp_path).read("t1", "u1")


async def test_a_folder_that_cannot_be_made_is_a_value_and_play_goes_on(tmp_path: Path) -> None:
    (tmp_path / "audio").mkdir()
    (tmp_path / "audio" / "t1").write_text("in the way")
    result = await SoundEvidence(tmp_path).keep("t1", "u1", NOISE, 16_000)
    assert isinstance(result, EvidenceNotKept)
    assert result.length_ms == 1_000
    assert result.reason.endswith(".")


FULL_DISK = """
import asyncio, resource, signal, sys
from pathlib import Path
from server.table.evidence.evidence import SoundEvidence
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, resource.RLIM_INFINITY))
import random
pcm = random.Random(1).randbytes(32_000)
evidence = SoundEvidence(Path(sys.argv[1]))
print(type(asyncio.run(evidence.keep("t1", "u1", pcm, 16_000))).__name__)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(type(asyncio.run(evidence.keep("t1", "u1", pcm, 16_000))).__name__)
"""


def test_a_disk_that_takes_no_more_leaves_nothing_half_written(tmp_path: Path, repo: Path) -> None:
    """The kernel refuses the write (RLIMIT_FSIZE), as a full disk would; then there is room again."""
    ended = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path)], cwd=repo, capture_output=True, text=True, timeout=60
    )
    assert ended.stdout.split() == ["EvidenceNotKept", "EvidenceFile"], ended.stderr
    assert [entry.name for entry in (tmp_path / "audio" / "t1").iterdir()] == ["u1.flac"]


async def test_what_a_crash_left_is_swept_and_nothing_else(tmp_path: Path) -> None:
    evidence = SoundEvidence(tmp_path)
    assert await evidence.sweep() == 0
    await evidence.keep("t1", "u1", NOISE, 16_000)
    (tmp_path / "audio" / "t1" / ".abc.part").write_bytes(b"half")
    assert await evidence.sweep() == 1
    assert [entry.name for entry in (tmp_path / "audio" / "t1").iterdir()] == ["u1.flac"]


@pytest.mark.parametrize(("pcm", "rate"), [(b"\x00", 16_000), (b"\x00\x00", 0), (b"\x00\x00", -1)])
async def test_what_is_no_sound_is_the_callers_fault(tmp_path: Path, pcm: bytes, rate: int) -> None:
    with pytest.raises(ValueError, match="whole 16-bit samples"):
        await SoundEvidence(tmp_path).keep("t1", "u1", pcm, rate)


async def test_silence_of_no_length_is_kept_or_told_but_never_raised(tmp_path: Path) -> None:
    result = await SoundEvidence(tmp_path).keep("t1", "u1", b"", 16_000)
    assert result.length_ms == 0
