"""The arbiter's device holds a copy of each table's record, from which another laptop can go on.

The copy is the whole record, piece by piece as it grows; each piece is compressed and sealed (ChaCha20-Poly1305). A
person who has only the file can neither read nor change it. The key is a code of sixteen squares, 96 bits, for each
table, derived from a secret in the data folder; the arbiter's device is told the code, and the arbiter may write it
down. Beside the pieces lies one seal over all of them, replaced as they grow and while the clocks run: how many events
there are, the last link of their chain, and the clocks' last witness. So a copy that was cut off shows it. A player's
station gets no copy: what reaches it, and when, must not depend on what only the arbiter is told.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import zlib
from datetime import datetime
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from server.journal.chain import last_link
from server.journal.entry import Entry, Run, Witness
from server.journal.sqlite.schema import write_private
from server.machine.identity import is_table_name
from server.protocol import CopySeal, Piece
from server.table.sealing import SQUARES, squares_in
from speech.complaint import Complaint, Phrase

FORMAT = "anna-eins-copy"
VERSION = 2
"""1 had no seal over all of it."""
LONGEST_PIECE = 500
"""The most events in one piece."""
LARGEST_FILE = 64 * 1024 * 1024
LATEST_MS = 250_000_000_000_000
"""No calendar here knows a later time (some thousand years from now)."""
LARGEST_PIECE = 16 * 1024 * 1024
"""The most bytes of one unpacked piece; this program writes none that is longer."""
_NONCE = 12


class CopyKey(msgspec.Struct, frozen=True):
    """Key that seals the copy of one table.

    `id`: tells a device whether its copy is of this record.
    """

    squares: tuple[str, ...]
    id: str
    key: bytes


class HeldCopy(msgspec.Struct, frozen=True):
    """File that a device saves, with the copy of one table.

    `until`: how far it reaches; None: an older program saved it, or somebody took it out.
    """

    format: str
    version: int
    table: str
    id: str
    pieces: tuple[Piece, ...]
    until: CopySeal | None = None


class Restored(msgspec.Struct, frozen=True):
    """Record of one table as a copy held it, and the last witness.

    `of`: how many events the device had been sent; more than there are where the copy was cut off, None where the copy
    does not say.
    """

    table: str
    runs: tuple[Run, ...]
    entries: tuple[Entry, ...]
    witness: Witness | None
    of: int | None
    missing: str = ""
    """The part that is missing, in one sentence for the arbiter; "" where the copy is whole."""

    @property
    def until_ms(self) -> int:
        """Return the wall time, in ms, up to which the copy reaches."""
        return max(self.entries[-1].wall_ms, self.witness.wall_ms if self.witness is not None else 0)


class _Content(msgspec.Struct, frozen=True):
    runs: tuple[Run, ...]
    envelopes: tuple[Entry, ...]


def secret_of(path: Path) -> bytes:
    """Return the secret of a data folder, made at the first call (mode 0600).

    Raises Complaint where it cannot be kept.
    """
    try:
        if path.exists():
            kept = path.read_bytes()
            if len(kept) == 32:
                return kept
        made = secrets.token_bytes(32)
        write_private(path, made)
    except OSError as wrong:
        raise Complaint(Phrase("copy.key_unkept", folder=path.parent, why=wrong.strerror)) from wrong
    return made


def copy_key_of(secret: bytes, table: str) -> CopyKey:
    """Return the key of one table's copy."""
    drawn = hmac.digest(secret, f"anna-eins copy {table}".encode(), "sha256")[:SQUARES]
    return _key(tuple("abcdefgh"[byte & 7] + "12345678"[byte >> 3 & 7] for byte in drawn), table)


def key_in(code: str, table: str) -> CopyKey:
    """Return the key that a code in words or squares gives. Raises Complaint for any other text."""
    squares = squares_in(code)
    if len(squares) != SQUARES:
        raise Complaint(Phrase("copy.code_squares", squares=SQUARES))
    return _key(squares, table)


def _key(squares: tuple[str, ...], table: str) -> CopyKey:
    # The code is as random as a key, so no slow hash is needed.
    raw = HKDF(hashes.SHA256(), 32, table.encode(), b"anna-eins copy 1").derive("".join(squares).encode())
    return CopyKey(squares, hashlib.sha256(b"id" + raw).hexdigest()[:16], raw)


def sealed_piece(key: CopyKey, table: str, runs: tuple[Run, ...], entries: tuple[Entry, ...]) -> Piece:
    """Return events that follow one another, with the runs that wrote them, as a sealed piece."""
    first, last = entries[0].seq, entries[-1].seq
    plain = zlib.compress(msgspec.msgpack.encode(_Content(runs, entries)))
    return Piece(first, last, _seal(key, plain, f"{table} {first}-{last}"))


def seal_of(key: CopyKey, table: str, last: Entry, link: str, witness: Witness | None) -> CopySeal:
    """Return the seal over a copy that reaches to the event `last`, whose link is `link`.

    `witness`: the last one of the run, None where no clock runs.
    """
    box = _seal(key, msgspec.msgpack.encode(witness), f"{table} witness") if witness is not None else ""
    until = CopySeal(last.seq, max(last.wall_ms, witness.wall_ms if witness else 0), link, box, "")
    return msgspec.structs.replace(until, seal=_hash_of(key, table, until))


def _hash_of(key: CopyKey, table: str, until: CopySeal) -> str:
    told = msgspec.msgpack.encode(("anna-eins copy seal", table, until.last, until.wall_ms, until.link, until.witness))
    return base64.b64encode(hmac.digest(key.key, told, "sha256")).decode()


def read_copy(data: bytes) -> HeldCopy:
    """Return the copy in a file's bytes. Raises Complaint for another file."""
    try:
        copy = msgspec.json.decode(data, type=HeldCopy)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as wrong:
        raise Complaint(Phrase("copy.none")) from wrong
    if copy.format != FORMAT or not copy.pieces or not is_table_name(copy.table):
        raise Complaint(Phrase("copy.none"))
    if copy.version > VERSION:
        raise Complaint(Phrase("copy.newer", version=copy.version, most=VERSION))
    return copy


def open_copy(copy: HeldCopy, code: str) -> Restored:
    """Return everything in a copy; where its end is missing, what is missing stands there too.

    Raises Complaint where the code is wrong, or the copy is changed, damaged or has a gap; then nothing is taken.
    """
    key = key_in(code, copy.table)
    if not secrets.compare_digest(key.id.encode(), copy.id.encode()):
        raise Complaint(Phrase("copy.other_code"))
    until = copy.until
    if until is not None and not _is_sealed(key, copy.table, until):
        raise Complaint(Phrase("copy.end_damaged"))
    runs, entries = _events(copy, key)
    there = entries[-1]
    _check_time(there.wall_ms, until.wall_ms if until is not None else 0)
    if until is None:
        missing = (
            f"The copy does not say how far the record went: it has {there.seq} events, up to {_time(there.wall_ms)}, "
            "and nobody can tell whether events after that are missing."
        )
        return Restored(copy.table, runs, entries, None, None, missing)
    if there.seq < until.last:
        missing = (
            f"The copy is not whole: it has events 1 to {there.seq} of {until.last}. All that happened between "
            f"{_time(there.wall_ms)} and {_time(until.wall_ms)} is missing, the times of the clocks too."
        )
        return Restored(copy.table, runs, entries, None, until.last, missing)
    if there.seq != until.last or last_link(entries) != until.link:
        raise Complaint(Phrase("copy.end_of_other"))
    witness = _witness(copy.table, key, until.witness) if until.witness else None
    # A witness of an earlier run says nothing about the last events.
    return Restored(copy.table, runs, entries, witness if witness and witness.run == there.run else None, until.last)


def _is_sealed(key: CopyKey, table: str, until: CopySeal) -> bool:
    try:
        right = _hash_of(key, table, until)
    except OverflowError:  # no program writes such a number
        return False
    return secrets.compare_digest(until.seal.encode(), right.encode())


def _events(copy: HeldCopy, key: CopyKey) -> tuple[tuple[Run, ...], tuple[Entry, ...]]:
    """Return the runs and the events in the pieces. Raises Complaint for a piece that is changed or out of place."""
    runs: dict[str, Run] = {}
    entries: list[Entry] = []
    for piece in copy.pieces:
        plain = _open_sealed(key, piece.sealed, f"{copy.table} {piece.first}-{piece.last}")
        if plain is None or piece.first != len(entries) + 1:
            raise Complaint(Phrase("copy.event_damaged", number=piece.first))
        content = _content(plain, piece.first)
        runs |= {run.run: run for run in content.runs}
        entries += content.envelopes
    if not entries or any(
        one.table != copy.table or one.seq != seq or one.run not in runs for seq, one in enumerate(entries, 1)
    ):
        raise Complaint(Phrase("copy.events_missing"))
    return tuple(runs.values()), tuple(entries)


def _witness(table: str, key: CopyKey, box: str) -> Witness:
    plain = _open_sealed(key, box, f"{table} witness")
    if plain is None:
        raise Complaint(Phrase("copy.times_damaged"))
    try:
        witness = msgspec.msgpack.decode(plain, type=Witness)
        _check_time(witness.wall_ms)
        return witness
    except (msgspec.MsgspecError, UnicodeError) as wrong:  # sealed with the right code by another program
        raise Complaint(Phrase("copy.times_damaged")) from wrong


def _check_time(*walls_ms: int) -> None:
    """Raise Complaint for a time that no calendar has; who has the code can seal any number."""
    if any(not 0 <= one < LATEST_MS for one in walls_ms):
        raise Complaint(Phrase("copy.times_damaged"))


def _time(wall_ms: int) -> str:
    return datetime.fromtimestamp(wall_ms / 1000).astimezone().strftime("%H:%M:%S")


def _content(packed: bytes, number: int) -> _Content:
    """Return the content of a piece that begins with event `number`; who has the code can seal anything in it."""
    unpacking = zlib.decompressobj()
    try:
        plain = unpacking.decompress(packed, LARGEST_PIECE)
        if unpacking.unconsumed_tail:
            raise Complaint(Phrase("copy.piece_long"))
        return msgspec.msgpack.decode(plain, type=_Content)
    except (zlib.error, msgspec.MsgspecError, UnicodeError, RecursionError) as wrong:
        raise Complaint(Phrase("copy.event_damaged", number=number)) from wrong


def _seal(key: CopyKey, plain: bytes, about: str) -> str:
    nonce = secrets.token_bytes(_NONCE)
    return base64.b64encode(nonce + ChaCha20Poly1305(key.key).encrypt(nonce, plain, about.encode())).decode()


def _open_sealed(key: CopyKey, sealed: str, about: str) -> bytes | None:
    try:
        box = base64.b64decode(sealed, validate=True)
        return ChaCha20Poly1305(key.key).decrypt(box[:_NONCE], box[_NONCE:], about.encode())
    except (InvalidTag, ValueError):
        return None
