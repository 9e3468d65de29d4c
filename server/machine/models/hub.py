"""Files are taken from the hub by their addresses, and a file that broke off goes on where it stopped.

What is there of a file lies beside its place as `NAME.part`. Only when its hash is right does it get its name.
"""

from __future__ import annotations

import http.client
import re
import ssl
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

from server.machine.models.source import NotHad, Told
from server.machine.version import program_version
from speech.complaint import Phrase
from speech.models.digests import sha256_of
from speech.models.known import KnownModel, ModelFile

SILENCE_S = 20.0
"""Seconds of silence after which a connection counts as broken."""
MOST_IN_VAIN = 3
"""Times in a row that a connection may break before a single byte has come."""
_PIECE = 2**18
_FROM = re.compile(r"bytes (\d+)-")
_BROKEN = (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError, ssl.SSLError)


def from_hub(model: KnownModel, folder: Path, tell: Told) -> None:
    """Put every file of the model that is not there yet into a folder.

    Raises NotHad where one cannot be had whole, with what came of it kept; OSError where it cannot be written.
    """
    for name, file in model.files.items():
        if not (folder / name).exists():
            _take(model.addresses[name], folder / name, file, tell)


def part_of(file: Path) -> Path:
    """Return where the beginning of a file lies until it is whole."""
    return file.with_name(f"{file.name}.part")


def _take(address: str, file: Path, wanted: ModelFile, tell: Told) -> None:
    part = part_of(file)
    part.touch(mode=0o600)
    in_vain = 0
    while (there := part.stat().st_size) < wanted.bytes:
        try:
            _go_on(address, part, there, wanted.bytes, tell)
        except _BROKEN as broken:
            in_vain = in_vain + 1 if part.stat().st_size <= there else 0
            if (
                isinstance(broken, urllib.error.HTTPError)
                and broken.code == http.client.REQUESTED_RANGE_NOT_SATISFIABLE
            ):
                part.unlink()  # what is there is longer than the file
                tell(-there)
            if in_vain >= MOST_IN_VAIN or isinstance(broken, urllib.error.HTTPError):
                why = broken.reason if isinstance(broken, urllib.error.URLError) else broken
                raise NotHad(str(why) or type(broken).__name__) from None
    if there > wanted.bytes or sha256_of(part) != wanted.sha256:
        part.unlink()
        tell(-there)
        raise NotHad(Phrase("whisper.other_bytes", name=file.name))
    part.replace(file)


def _go_on(address: str, part: Path, there: int, whole: int, tell: Told) -> None:
    """Add to a part what comes of its file, up to one byte more than it should have."""
    with closing(_pieces(address, there)) as pieces, part.open("r+b") as stream:
        begin = int(next(pieces))
        if begin != there:
            tell(begin - there)
        stream.truncate(begin)
        stream.seek(begin)
        for piece in pieces:
            left = whole + 1 - stream.tell()
            stream.write(piece[:left])
            tell(len(piece[:left]))
            if len(piece) >= left:
                return


def _pieces(address: str, there: int) -> Generator[bytes, None, None]:
    """Yield where the answer begins, in digits, and then its bytes. Raises one of `_BROKEN`."""
    headers = {"User-Agent": f"anna-eins/{program_version()}", "Accept-Encoding": "identity"}
    if there:
        headers["Range"] = f"bytes={there}-"
    request = urllib.request.Request(address, headers=headers)  # noqa: S310  the address stands in config/models.toml
    with urllib.request.urlopen(request, timeout=SILENCE_S) as answer:  # noqa: S310
        begin = 0
        if answer.status == http.client.PARTIAL_CONTENT:
            told = _FROM.match(answer.headers.get("Content-Range", ""))
            if told is None or int(told[1]) > there:
                raise http.client.HTTPException("206 without its range")
            begin = int(told[1])
        yield str(begin).encode()
        came = 0
        while piece := answer.read(_PIECE):
            came += len(piece)
            yield piece
        if answer.length:  # the connection ended before what was promised
            raise http.client.IncompleteRead(b"", answer.length)
        if not came:
            raise http.client.HTTPException("an empty answer")
