"""The strongbox encrypts kept sounds and voice profiles on the disk, where the organiser wants it.

Its key comes from a passphrase, which is asked for at every start and kept nowhere, or from a key file outside the data
folder. The data folder holds only which of the two it is, and a check value by which a wrong key is noticed. The record
itself is not encrypted; `docs/SECURITY.md` says what that leaves.
"""

from __future__ import annotations

import base64
import errno
import secrets
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from server.journal.sqlite.schema import write_private
from speech.complaint import Complaint, Phrase

NAME = "strongbox.json"
SHORTEST_PASSPHRASE = 12
MARK = b"\x00Anna Eins strongbox 1\n"
"""Every encrypted file begins with this; no FLAC file and no JSON does."""
_NONCE = 12
_KEY_BYTES = 32
_SCRYPT_N = 2**17  # 128 MiB and some tenths of a second for each guess
_LARGEST = 4096

Ask = Callable[[bool], str]
"""Asks a person for the passphrase; True: it is a new one, to be given twice."""


class AtRest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings for encryption of sounds and voice profiles on the disk: whether, and by which key.

    `key_file`: a file outside the data folder, made at the first start. `passphrase`: it is asked for at every start.
    """

    key_file: str = ""
    passphrase: bool = False


class _Lock(msgspec.Struct, frozen=True):
    """Description of the key in the data folder: where it comes from, and how a wrong one is noticed.

    `salt`: of a passphrase; a key file needs none, so that a lost `strongbox.json` is simply made anew from it.
    """

    kind: Literal["key_file", "passphrase"]
    salt: str
    check: str
    key_file: str = ""
    form: int = 1


class Strongbox:
    """Cipher for whole files; without a key it writes them as they are, and reads only such files."""

    def __init__(self, key: bytes | None = None) -> None:
        """Take a key of 32 bytes."""
        self._cipher = None if key is None else ChaCha20Poly1305(key)

    @property
    def locked(self) -> bool:
        """Say whether what is written is encrypted."""
        return self._cipher is not None

    def shut(self, plain: bytes, about: str) -> bytes:
        """Return the bytes to write. `about` names their place: encrypted, they do not open in another."""
        if self._cipher is None:
            return plain
        nonce = secrets.token_bytes(_NONCE)
        return MARK + nonce + self._cipher.encrypt(nonce, plain, about.encode())

    def open_kept(self, kept: bytes, about: str) -> bytes:
        """Return the content of a file; one from before the strongbox was used is plain, and returned as it is.

        Raises OSError where it is encrypted and this key does not open it, or it was changed.
        """
        if not kept.startswith(MARK):
            return kept
        if self._cipher is None:
            raise OSError(errno.EACCES, "it is encrypted, and there is no key")
        nonce, encrypted = kept[len(MARK) :][:_NONCE], kept[len(MARK) + _NONCE :]
        try:
            return self._cipher.decrypt(nonce, encrypted, about.encode())
        except (InvalidTag, ValueError):
            raise OSError(errno.EIO, "it was changed, or is encrypted with another key") from None


OPEN = Strongbox()
"""The box without a key, which writes everything as it is."""


def unlock_strongbox(folder: Path, wanted: AtRest, ask: Ask) -> Strongbox:
    """Return the strongbox of a data folder; where the settings want one and there is none, it is made.

    A folder that has one keeps it, also where the settings name none. Raises Complaint: there is no key, it is a wrong
    one, or the settings name another kind of key than before. Nothing that was written before is touched.
    """
    lock = _lock_in(folder)
    kind = _kind_of(wanted) or (lock.kind if lock is not None else None)
    if kind is None:
        return OPEN
    if lock is not None and lock.kind != kind:
        raise Complaint(Phrase("strongbox.locked", folder=folder, way=_NAMES[lock.kind]))
    salt = base64.b64decode(lock.salt) if lock is not None else b""
    if kind == "passphrase":
        salt = salt or secrets.token_bytes(16)
        place, secret = "", _stretch_passphrase(ask(lock is None), salt, new=lock is None)
    else:
        place = str(_key_place(folder, wanted.key_file or (lock.key_file if lock is not None else "")))
        secret = _key_in(Path(place), new=lock is None)
    key, check = _derive_secret(secret, salt, b"files"), _derive_secret(secret, salt, b"check").hex()
    if lock is not None and not secrets.compare_digest(check, lock.check):
        raise Complaint(Phrase("strongbox.other", way=_NAMES[kind], folder=folder))
    kept = _Lock(kind, base64.b64encode(salt).decode(), check, place)
    if kept == lock:
        return Strongbox(key)
    try:
        write_private(folder / NAME, msgspec.json.format(msgspec.json.encode(kept)), new=lock is None)
    except OSError as wrong:
        raise Complaint(Phrase("files.unwritten", place=folder, why=wrong.strerror)) from wrong
    return Strongbox(key)


def count_plain(files: Iterable[Path]) -> int:
    """Return how many of these files are not encrypted. Reads the disk; a file that cannot be read is not counted."""
    plain = 0
    for file in files:
        try:
            with file.open("rb") as stream:
                plain += stream.read(len(MARK)) != MARK
        except OSError:
            continue
    return plain


_NAMES = {"key_file": Phrase("strongbox.key_file"), "passphrase": Phrase("strongbox.passphrase")}


def _kind_of(wanted: AtRest) -> Literal["key_file", "passphrase"] | None:
    if wanted.key_file and wanted.passphrase:
        raise Complaint(Phrase("strongbox.two_ways"))
    if wanted.key_file:
        return "key_file"
    return "passphrase" if wanted.passphrase else None


def _lock_in(folder: Path) -> _Lock | None:
    file = folder / NAME
    try:
        with file.open("rb") as stream:
            lock = msgspec.json.decode(stream.read(_LARGEST), type=_Lock)
        base64.b64decode(lock.salt, validate=True)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as wrong:
        raise Complaint(Phrase("strongbox.lock_unread", file=file)) from wrong
    if lock.form != 1:
        raise Complaint(Phrase("strongbox.newer", file=file))
    return lock


def _stretch_passphrase(passphrase: str, salt: bytes, *, new: bool) -> bytes:
    """Derive the secret from a passphrase (scrypt). Raises Complaint where a new one is too short."""
    text = unicodedata.normalize("NFKC", passphrase)
    if new and len(text) < SHORTEST_PASSPHRASE:
        raise Complaint(Phrase("strongbox.short", least=SHORTEST_PASSPHRASE))
    return Scrypt(salt=salt, length=_KEY_BYTES, n=_SCRYPT_N, r=8, p=1).derive(text.encode("utf-8", "replace"))


def _key_place(folder: Path, named: str) -> Path:
    place = Path(named).expanduser().absolute()
    if place.resolve().is_relative_to(folder.resolve()):
        raise Complaint(Phrase("strongbox.key_inside", file=place))
    return place


def _key_in(file: Path, *, new: bool) -> bytes:
    """Return the key in a key file; at the first start one that is missing is made (mode 0600)."""
    try:
        if new and not file.exists():  # a folder that is missing is not made: it may be a stick that is not plugged in
            write_private(file, base64.b64encode(secrets.token_bytes(_KEY_BYTES)) + b"\n", new=True)
        with file.open("rb") as stream:
            key = base64.b64decode(stream.read(_LARGEST).strip(), validate=True)
    except OSError as wrong:
        raise Complaint(Phrase("strongbox.key_unread", file=file, why=wrong.strerror)) from wrong
    except ValueError:
        key = b""
    if len(key) != _KEY_BYTES:
        raise Complaint(Phrase("strongbox.no_key", file=file))
    return key


def _derive_secret(secret: bytes, salt: bytes, use: bytes) -> bytes:
    return HKDF(hashes.SHA256(), _KEY_BYTES, salt, b"anna-eins strongbox 1 " + use).derive(secret)
