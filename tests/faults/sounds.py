"""Kept sounds are swapped, cut, planted and taken away: none is heard that is not the one on record (L194)."""

from __future__ import annotations

import asyncio
import hashlib
import random
import tempfile
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from server.journal.entry import Entry
from server.table import sealing
from server.table.evidence.evidence import EvidenceFile, SoundEvidence
from tests.faults.tally import Tally

KEPT = 4
WAYS = ("cut", "bit", "another", "exchanged", "planted", "taken away", "sealed anew", "planted in the open")


def named(table: str, seq: int, utterance: str, sha256: str) -> Entry:
    body = msgspec.json.encode({"event": "sound_kept", "utterance": utterance, "sha256": sha256})
    return Entry(table, seq, "r", "", "", "", "", seq, seq, 1, "sound_kept", body)


async def tried(root: Path, chance: random.Random, way: str, tally: Tally) -> None:
    """Keep some sounds, the last of them sealed; spoil one in this way, and ask for all."""
    record: list[Entry] = []

    async def on_record(_: str) -> list[Entry]:
        return record

    evidence, key, plain = SoundEvidence(root, on_record=on_record), sealing.new_key(), {}
    folder = root / "audio" / "t1"
    for number in range(KEPT + 1):
        pcm, seal = chance.randbytes(2 * chance.randrange(200, 2_000)), key.key if number == KEPT else None
        kept = await evidence.keep("t1", f"u{number}", pcm, 16_000, seal)
        assert isinstance(kept, EvidenceFile)
        record.append(named("t1", number + 1, f"u{number}", kept.sha256))
        plain[f"u{number}"] = pcm
    first, other = (folder / f"u{number}.flac" for number in chance.sample(range(KEPT), 2))
    sealed = folder / f"u{KEPT}.sealed"
    whole = first.read_bytes()
    match way:
        case "cut":
            first.write_bytes(whole[: chance.randrange(len(whole))])
        case "bit":
            at = chance.randrange(len(whole))
            first.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :])
        case "another":
            first.write_bytes(other.read_bytes())
        case "exchanged":
            first.write_bytes(other.read_bytes())
            other.write_bytes(whole)
        case "planted":
            (folder / "u9.flac").write_bytes(whole)
        case "taken away":
            first.unlink()
        case "sealed anew":
            box = sealing.seal(whole, key.key, about=f"t1/u{KEPT}", multiple=sealing.SOUND_BYTES)
            sealed.write_bytes(box)
        case "planted in the open":
            (folder / f"u{KEPT}.flac").write_bytes(whole)
    hashes = {one.seq - 1: msgspec.json.decode(one.body)["sha256"] for one in record}
    for number in (*range(KEPT), 9, KEPT):
        try:
            heard = await evidence.read("t1", f"u{number}")
        except OSError:
            tally.seen["refused"] += 1
            continue
        right = heard is None or hashlib.sha256(heard).hexdigest() == hashes.get(number)
        tally.seen["none there" if heard is None else "heard as kept"] += 1
        tally.check(right, f"{way}: u{number} is heard, and is not the one on record")
    private = sealing.private_key_of(" ".join(key.squares), key.key, key.salt)
    tally.check(await opened_right(evidence, private, plain[f"u{KEPT}"]), f"{way}: another sound was in the envelope")


async def opened_right(evidence: SoundEvidence, private: X25519PrivateKey | None, pcm: bytes) -> bool:
    assert private is not None
    try:
        found = await evidence.unseal("t1", f"u{KEPT}", private)
    except OSError:
        return True
    return found is not None and found[0].pcm == pcm


def sounds(count: int, minutes: float, seed: int) -> Tally:
    """So many spoilt sounds, in every way in turn."""
    tally, chance = Tally("kept sounds spoilt"), random.Random(seed)
    for number in tally.trials(count, minutes):
        with tempfile.TemporaryDirectory() as place:
            try:
                asyncio.run(tried(Path(place), chance, WAYS[number % len(WAYS)], tally))
            except Exception as fault:
                tally.check(False, f"{WAYS[number % len(WAYS)]}: {type(fault).__name__}: {fault}")
    return tally
