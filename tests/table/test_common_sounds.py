"""Sound in one place: each server reads what another kept, checked at both ends, and no game waits for it."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import msgspec
import pytest

from server.game.values.saying import Saying
from server.journal.entry import Entry
from server.machine.strongbox import Strongbox
from server.table.evidence import bucket as buckets
from server.table.evidence.bucket import BucketFails, SoundBucket, bucket_of
from server.table.evidence.evidence import EvidenceFile, OnRecord, SoundEvidence
from server.table.evidence.sending import Sending
from server.table.evidence.store import SoundFolder, SoundStore
from server.table.sealing import new_key, private_key_of
from speech.audio.flac import decode_flac
from speech.complaint import Complaint
from tests.bucket import KEY, SECRET, Bucket, one_bucket
from tests.table.open_hall import turn

NOISE = b"\x00\x10\x00\xf0" * 800
pytestmark = pytest.mark.law("L194")


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    with one_bucket(monkeypatch) as found:
        yield found


def store_in(bucket: Bucket) -> SoundBucket:
    return bucket_of(bucket.address, bucket.endpoint)


def on_record(*named: tuple[str, EvidenceFile]) -> OnRecord:
    """The record of a table that names these sounds."""

    async def read(table: str) -> Sequence[Entry]:
        bodies = [msgspec.json.encode({"utterance": utterance, "sha256": kept.sha256}) for utterance, kept in named]
        return [Entry(table, n, "r", "c", "", "", "", n, n, 1, "sound_kept", body) for n, body in enumerate(bodies, 1)]

    return read


async def kept_at(evidence: SoundEvidence, utterance: str = "u1", seal: str | None = None) -> EvidenceFile:
    kept = await evidence.keep("t1", utterance, NOISE, 16_000, seal)
    assert isinstance(kept, EvidenceFile)
    return kept


async def all_sent(evidence: SoundEvidence) -> list[Saying]:
    told: list[Saying] = []
    assert evidence.sending is not None
    await evidence.sending.send(told.append)
    return told


@pytest.mark.parametrize("kind", ["folder", "bucket"])
async def test_both_stores_keep_read_name_and_delete_alike(kind: str, tmp_path: Path, bucket: Bucket) -> None:
    store: SoundStore = SoundFolder(tmp_path / "audio") if kind == "folder" else store_in(bucket)
    assert await store.names() == [] and await store.get("t1/u1.flac") is None
    await store.put("t1/u1.flac", b"one")
    await store.put("t2/u1.sealed", b"two")
    with pytest.raises(FileExistsError):
        await store.put("t1/u1.flac", b"another")
    assert await store.get("t1/u1.flac") == b"one" and sorted(await store.names()) == ["t1/u1.flac", "t2/u1.sealed"]
    assert await store.delete("t1/u1.flac") and not await store.delete("t1/u1.flac")
    assert await store.names() == ["t2/u1.sealed"]


@pytest.mark.parametrize("box", [Strongbox(), Strongbox(b"k" * 32)], ids=["open", "encrypted"])
async def test_another_server_reads_what_the_first_kept(tmp_path: Path, bucket: Bucket, box: Strongbox) -> None:
    first = SoundEvidence(tmp_path / "a", box=box, common=store_in(bucket))
    second = SoundEvidence(tmp_path / "b", box=box, common=store_in(bucket))
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    key = new_key()
    kept = await kept_at(first)
    sealed = await kept_at(first, "u2", key.key)
    unnamed = await kept_at(first, "u3")
    assert await all_sent(first) == [] and unnamed.sha256
    second._on_record = on_record(("u1", kept), ("u2", sealed))
    assert await second.holds("t1", "u1") and not await second.holds("t1", "u3")
    flac = await second.read("t1", "u1")
    assert flac is not None and hashlib.sha256(flac).hexdigest() == kept.sha256 and decode_flac(flac).pcm == NOISE
    assert await second.read("t1", "u3") is None, "the record names no such sound"
    there = await store_in(bucket).get("t1/u1.flac")
    assert there is not None and there.startswith(b"fLaC") is not box.locked, "it lies there as in the folder"

    private = private_key_of(" ".join(key.squares), key.key, key.salt)
    assert private is not None
    opened = await second.unseal("t1", "u2", private)
    assert opened is not None and opened[0].pcm == NOISE
    assert await all_sent(second) == [] and await all_sent(SoundEvidence(tmp_path / "b", common=store_in(bucket))) == []
    assert "t1/u2.flac" not in await store_in(bucket).names(), "what was sealed does not go there in the open"

    bucket.spoil("t1/u1.flac", there[:-1] + bytes([there[-1] ^ 1]))
    with pytest.raises(OSError):
        await second.read("t1", "u1")
    assert await first.read("t1", "u1") == flac, "its own folder has it"
    assert await first.delete("t1", "u1") and await second.read("t1", "u1") is None
    assert not await first.delete("t1", "u1")


async def test_while_the_store_is_silent_nothing_waits_and_nothing_is_lost(tmp_path: Path, bucket: Bucket) -> None:
    evidence = SoundEvidence(tmp_path, common=store_in(bucket))
    sending = Sending(SoundFolder(tmp_path / "audio"), store_in(bucket), rest_s=0.01)
    evidence.sending = sending
    told: list[str] = []
    bucket.stop()
    running = asyncio.create_task(sending.run(lambda said: told.append(said.key)))
    await kept_at(evidence)
    await turn(lambda: sending._failures > 2)
    assert told == ["sounds_not_sent"], "it is told once, however often it is tried"
    await kept_at(evidence, "u2")
    bucket.start()
    await turn(lambda: told == ["sounds_not_sent", "sounds_sent_again"])
    assert await store_in(bucket).names() == ["t1/u1.flac", "t1/u2.flac"] and sending.waiting == 0
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    await kept_at(SoundEvidence(tmp_path), "u3")  # the server was ended before it was sent
    again = SoundEvidence(tmp_path, common=store_in(bucket))
    await all_sent(again)
    assert len(await store_in(bucket).names()) == 3, "after the next start folder and store are compared"
    await kept_at(again, "u4")
    assert again.sending is not None
    await again.sending.finish(60)
    assert len(await store_in(bucket).names()) == 4, "and a server that ends sends what still waits"


async def test_another_sound_of_the_name_is_told_and_stays(tmp_path: Path, bucket: Bucket) -> None:
    evidence = SoundEvidence(tmp_path, common=store_in(bucket))
    assert await all_sent(evidence) == []
    bucket.spoil("t1/u1.flac", b"another")
    await kept_at(evidence)
    await kept_at(evidence, "u2")
    assert [(one.key, one.values) for one in await all_sent(evidence)] == [("sound_unlike", {"name": "t1/u1.flac"})]
    assert await store_in(bucket).get("t1/u1.flac") == b"another" and await store_in(bucket).get("t1/u2.flac")


class _Damaging(BaseHTTPRequestHandler):
    """A store that keeps other bytes than it is sent."""

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_PUT(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        type(self).sent = self.headers["x-amz-checksum-sha256"]
        self._answer(b"", "etag")

    def do_GET(self) -> None:
        self._answer(b"damaged", "etag")

    def _answer(self, body: bytes, tag: str) -> None:
        self.send_response(200)
        for name, value in (
            ("ETag", tag),
            ("Content-Length", str(len(body))),
            ("Last-Modified", self.date_time_string()),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    sent = ""


async def test_bytes_that_came_damaged_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    server = HTTPServer(("127.0.0.1", 0), _Damaging)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        store = bucket_of("s3://hall", f"http://127.0.0.1:{server.server_port}")
        with pytest.raises(BucketFails, match="has other bytes"):
            await store.put("t1/u1.flac", b"sound")
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert _Damaging.sent, "the hash went along, so that a store can refuse what came damaged"


async def test_keys_are_found_as_usual_and_stand_in_no_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bucket: Bucket
) -> None:
    store = store_in(bucket)
    bucket.stop()
    with pytest.raises(BucketFails) as failed:
        await store.get("t1/u1.flac")
    assert KEY not in str(failed.value) + repr(store) and SECRET not in str(failed.value) + repr(vars(store))
    bucket.start()
    for wrong, endpoint in (
        ("s3:/hall", ""),
        ("https://hall", ""),
        ("s3://hall/a b", ""),
        ("s3://hall", "http://10.0.0.9"),
    ):
        with pytest.raises(Complaint):
            bucket_of(wrong, endpoint)
    file = tmp_path / "credentials"
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(Complaint, match="no keys"):
        store_in(bucket)
    file.write_text(f"[default]\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n")
    assert buckets._keys() == (KEY, SECRET, "")
    assert await store_in(bucket).names() == []
