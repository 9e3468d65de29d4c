"""The key that two machines share, so that each knows the other.

A key is 32 random bytes in a file that the organiser copies from one machine to the other. The line between them is
TLS; its certificate may be anybody's, for both ends prove that they have the key and which certificate they see (an
HMAC over both challenges and the certificate, as in the channel bindings of RFC 5929). Who stands between the two shows
another certificate, so the proofs fail.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import ssl
from pathlib import Path
from typing import Literal

from speech.complaint import Complaint, Phrase

KEY_BYTES = 32
CHALLENGE_DIGITS = 64
_HEX = re.compile(r"[0-9a-f]{64}")
Side = Literal["server", "client"]


def new_challenge() -> str:
    """Return a fresh challenge: 64 hex digits."""
    return secrets.token_hex(CHALLENGE_DIGITS // 2)


def is_challenge(text: object) -> bool:
    """Return whether this is a challenge."""
    return isinstance(text, str) and _HEX.fullmatch(text) is not None


def read_key(path: Path) -> bytes:
    """Return the key in a file. Raises Complaint where the file cannot be read or holds none."""
    try:
        with path.open("r", encoding="ascii") as file:
            text = file.read(200).strip()
    except (OSError, ValueError) as wrong:
        why = getattr(wrong, "strerror", None) or "it is no text"
        raise Complaint(Phrase("files.unread", place=path, why=why)) from wrong
    if not _HEX.fullmatch(text):
        raise Complaint(Phrase("speech_server.no_key", file=path))
    return bytes.fromhex(text)


def ensure_key(path: Path) -> tuple[bytes, bool]:
    """Return the key in a file, and whether it was made now, where there was no such file. Raises Complaint."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return read_key(path), False
    except OSError as wrong:
        raise Complaint(Phrase("wav.unwritten", file=path, why=wrong.strerror)) from wrong
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{secrets.token_hex(KEY_BYTES)}\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as wrong:
        path.unlink(missing_ok=True)  # half a key would be refused at every later start
        raise Complaint(Phrase("wav.unwritten", file=path, why=wrong.strerror)) from wrong
    return read_key(path), True


def proof(key: bytes, side: Side, client: str, server: str, certificate: bytes) -> str:
    """Return the proof of one side: the HMAC-SHA256 of both challenges and the certificate (DER), in hex."""
    seen = hashlib.sha256(certificate).hexdigest()
    return hmac.new(key, f"anna-eins wyoming 1 {side} {client} {server} {seen}".encode(), "sha256").hexdigest()


def proves(given: object, key: bytes, side: Side, client: str, server: str, certificate: bytes) -> bool:
    """Return whether that side has the key and sees this certificate."""
    return isinstance(given, str) and hmac.compare_digest(
        given.encode(), proof(key, side, client, server, certificate).encode()
    )


def client_context() -> ssl.SSLContext:
    """Return TLS for a client that takes any certificate, because the key proves which one is right."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
