"""Evidence is signed with a key of the data folder (Ed25519), and a file that was changed is refused.

The file is one JSON object: `evidence` as it was signed, byte for byte, the public `key` and the `signature`. It shows
that nothing was changed since it was signed with that key. Whose key it is, the paper says that the arbiter signed: the
key is printed there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from server.journal.sqlite.schema import write_private
from speech.complaint import Complaint, Phrase

ABOUT = b"anna-eins evidence 1\n"
LARGEST = 1_000_000
KEY_BYTES = 32


class _Signed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    evidence: msgspec.Raw
    key: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
    signature: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{128}\Z")]


def signing_key(file: Path) -> Ed25519PrivateKey:
    """Return the key in a file, made at first use (mode 0600). Raises Complaint where it cannot be read or made."""
    try:
        if not file.exists():
            write_private(file, Ed25519PrivateKey.generate().private_bytes_raw())
        held = file.read_bytes()
    except OSError as wrong:
        raise Complaint(Phrase("approval.key_unread", file=file, why=wrong.strerror)) from wrong
    if len(held) != KEY_BYTES:
        raise Complaint(Phrase("approval.no_key", file=file))
    return Ed25519PrivateKey.from_private_bytes(held)


def name_of(key: Ed25519PublicKey) -> str:
    """Return the key as it is printed: 64 hex digits."""
    return key.public_bytes_raw().hex()


def sign_evidence(evidence: msgspec.Struct, key: Ed25519PrivateKey) -> bytes:
    """Return the file with this evidence and its signature."""
    body = msgspec.json.encode(evidence)
    made = _Signed(msgspec.Raw(body), name_of(key.public_key()), key.sign(ABOUT + body).hex())
    return msgspec.json.encode(made) + b"\n"


def check_evidence(file: bytes, label: str) -> tuple[bytes, str]:
    """Return the evidence in a file and the key that signed it.

    Raises Complaint: it is no such file, or anything in it was changed since it was signed.
    """
    try:
        found = msgspec.json.decode(file[: LARGEST + 1], type=_Signed)
        body = bytes(found.evidence)
        if msgspec.json.encode(found) + b"\n" != file:
            raise ValueError("other bytes than were written")
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(found.key)).verify(
            bytes.fromhex(found.signature), ABOUT + body
        )
    except InvalidSignature as wrong:
        raise Complaint(Phrase("approval.changed", file=label)) from wrong
    except (ValueError, RecursionError) as wrong:
        raise Complaint(Phrase("approval.no_evidence", file=label, command="anna-eins approve")) from wrong
    return body, found.key
