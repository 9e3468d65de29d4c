"""Sealing: what is sealed can be read only with the arbiter's code (Guidelines I.1, I.3; L208, L211).

The code is sixteen squares, 96 random bits, shown once and kept nowhere. From it and a salt comes an X25519 key, of
which the record holds the public half. Everything is sealed for that public half: a person who has only the disk, the
journal or the logs can read nothing of it.
"""

from __future__ import annotations

import base64
import hashlib
import secrets

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from server.game.values.adjournment import SealedMove
from server.machine.identity import new_squares
from server.wording.words import scheme_of
from speech.announcements.understand import words_of_text
from speech.complaint import Complaint
from speech.words.config_file import language_tags
from speech.words.grammar import FILE_NAMES
from speech.words.scheme import Scheme

SQUARES = 16
LONGEST_CODE = 400
MOVE_BYTES = 2_048
"""Every sealed move has the same length, so that its length says nothing."""
SOUND_BYTES = 256 * 1024
"""Sealed sounds are filled up to a multiple of this, because a sound's length could give the move away."""
_KEY_BYTES = 32
_LENGTH_BYTES = 4


class SealKey(msgspec.Struct, frozen=True):
    """New key of a seal.

    The squares are for the arbiter's eyes and ears, once; the public half and the salt (base64) are for the record.
    """

    squares: tuple[str, ...]
    key: str
    salt: str


def new_key() -> SealKey:
    """Make a new random key."""
    squares = new_squares(SQUARES)
    salt = secrets.token_bytes(16)
    return SealKey(squares, _public(_private(squares, salt)), base64.b64encode(salt).decode())


def code_in_words(squares: tuple[str, ...], scheme: Scheme) -> str:
    """Return the code in words: "Anna vier, Hector acht, ..." """
    return ", ".join(" ".join(scheme.text(word) for word in scheme.square(square)) for square in squares)


def squares_in(text: str) -> tuple[str, ...]:
    """Return the squares of a text, in words of any language or as "a4 h8 c3".

    Empty where the text holds anything else.
    """
    for language in language_tags():
        try:
            words = words_of_text(text[:LONGEST_CODE], scheme_of("d21", language), scheme_of("national", language))
        except Complaint:
            continue
        kinds = [word.partition(".")[::2] for word in words]
        files = [name for kind, name in kinds[::2] if kind in FILE_NAMES]
        ranks = [name for kind, name in kinds[1::2] if kind == "rank"]
        if len(files) == len(ranks) == len(kinds) / 2:
            return tuple(file + rank for file, rank in zip(files, ranks, strict=True))
    return ()


def private_key_of(code: str, key: str, salt: str) -> X25519PrivateKey | None:
    """Return the private half that a code gives; None where it is not the code of this key."""
    squares = squares_in(code)
    if len(squares) != SQUARES:
        return None
    private = _private(squares, base64.b64decode(salt))
    return private if secrets.compare_digest(_public(private), key) else None


def seal(plain: bytes, key: str, *, about: str, multiple: int) -> bytes:
    """Return a sealed box for the public half `key`.

    `about` names its place: it does not open in another. The content is filled up to a multiple of `multiple` bytes
    before it is encrypted. Each box has a key of its own, so the nonce may be zero.
    """
    whole = len(plain).to_bytes(_LENGTH_BYTES, "big") + plain
    whole += bytes(-len(whole) % multiple)
    receiver = X25519PublicKey.from_public_bytes(base64.b64decode(key))
    own = X25519PrivateKey.generate()
    sent = own.public_key().public_bytes_raw()
    shared = _box_key(own.exchange(receiver), sent, receiver.public_bytes_raw())
    return sent + ChaCha20Poly1305(shared).encrypt(bytes(12), whole, about.encode())


def open_box(box: bytes, private: X25519PrivateKey, *, about: str) -> bytes | None:
    """Return the content of a sealed box.

    None where it was sealed for another key or place, or was changed.
    """
    sent, encrypted = box[:_KEY_BYTES], box[_KEY_BYTES:]
    try:
        shared = _box_key(
            private.exchange(X25519PublicKey.from_public_bytes(sent)), sent, private.public_key().public_bytes_raw()
        )
        whole = ChaCha20Poly1305(shared).decrypt(bytes(12), encrypted, about.encode())
    except (InvalidTag, ValueError):
        return None
    length = int.from_bytes(whole[:_LENGTH_BYTES], "big")
    return whole[_LENGTH_BYTES : _LENGTH_BYTES + length]


def sealed_move(move: SealedMove, key: str, about: str) -> tuple[str, str]:
    """Return a move as ciphertext (base64), and the SHA-256 of the ciphertext.

    There are so few moves that a hash of the words themselves would tell which one it was.
    """
    box = seal(msgspec.json.encode(move), key, about=about, multiple=MOVE_BYTES)
    return base64.b64encode(box).decode(), hashlib.sha256(box).hexdigest()


def opened_move(sealed: str, private: X25519PrivateKey, about: str) -> SealedMove | None:
    """Return the move in an envelope; None where the key does not open it."""
    plain = open_box(base64.b64decode(sealed), private, about=about)
    return None if plain is None else msgspec.json.decode(plain, type=SealedMove)


def _private(squares: tuple[str, ...], salt: bytes) -> X25519PrivateKey:
    # The code is as random as a key, so no slow hash is needed.
    material = "".join(squares).encode()
    raw = HKDF(hashes.SHA256(), _KEY_BYTES, salt, b"anna-eins envelope 1").derive(material)
    return X25519PrivateKey.from_private_bytes(raw)


def _public(private: X25519PrivateKey) -> str:
    return base64.b64encode(private.public_key().public_bytes_raw()).decode()


def _box_key(shared: bytes, sent: bytes, receiver: bytes) -> bytes:
    return HKDF(hashes.SHA256(), _KEY_BYTES, sent + receiver, b"anna-eins sealed box 1").derive(shared)
