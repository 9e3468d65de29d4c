"""A live data folder is backed up, sealed, into another folder, and another machine goes on from there."""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from filelock import FileLock

from server.cli import main
from server.hall import folder_backup
from server.hall.backup import CopyKey, key_in
from server.hall.folder_backup import KEPT, keep_backups, make_backup, marks_of_backup, restore_backup
from server.machine.clock import ScriptedClock
from server.machine.data_folder import DataFolder
from server.settings import BackupSettings, Settings
from speech.complaint import Complaint
from tests.waiting import until
from tests.web.open_house import House, open_house

SOUND = "audio/demo/a.flac"


def no_engine(*_: object) -> None:
    """The worker threads are not needed here."""


async def started(house: House) -> None:
    line = await (await house.arbiter()).line()
    assert (await line.do({"do": "start_game"}))["outcome"]["ok"]


def put_sound(data: Path) -> None:
    (data / SOUND).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    (data / SOUND).write_bytes(b"fLaC" + bytes(3_000_000))


async def test_a_game_goes_on_from_a_backup_that_was_made_while_it_ran(tmp_path: Path) -> None:
    first, disk, second = tmp_path / "first", tmp_path / "disk", tmp_path / "second"
    disk.mkdir()
    async with open_house(first) as house:
        await started(house)
        put_sound(first)
        (first / "voice.txt").write_bytes(os.urandom(300_000))  # much more than the record grows by in between
        made = await asyncio.to_thread(make_backup, house.hall.data, disk, house.hall.clock.wall_ms())
        events = await house.hall.journal.last_seq("demo")
        again = await asyncio.to_thread(make_backup, house.hall.data, disk, house.hall.clock.wall_ms() + 1_000)
        assert again.new_bytes < made.new_bytes / 10, "what is there already is not written again"
    everything = b"".join(path.read_bytes() for path in disk.rglob("*") if path.is_file())
    assert b"game_started" not in everything and b"fLaC" not in everything, "it is sealed"
    shutil.rmtree(first)

    restored = restore_backup(disk, " ".join(made.code), second)
    assert (restored.tables, restored.missing) == (("demo",), ())
    assert (second / SOUND).read_bytes()[:4] == b"fLaC"
    assert not [path for path in second.rglob("*") if path.stat().st_mode & 0o077], "private as before"
    async with open_house(second) as house:
        assert await house.hall.journal.last_seq("demo") >= events
        assert house.table.state.over is False
        assert "game_started" in [one.kind for one in await house.hall.journal.read("demo")]


def kept(tmp_path: Path) -> tuple[DataFolder, Path]:
    """A data folder with a journal and a sound, and a place for its backups."""
    from server.journal.sqlite.schema import prepare_journal

    with DataFolder.open(tmp_path / "data", lock=False) as data:
        prepare_journal(data.journal)
        put_sound(data.root)
    (tmp_path / "disk").mkdir()
    return data, tmp_path / "disk"


def test_a_damaged_backup_says_what_is_missing_and_never_gives_half_a_record(tmp_path: Path) -> None:
    data, disk = kept(tmp_path)
    made = make_backup(data, disk, 0)
    code = " ".join(made.code)
    pieces = sorted((made.place / "pieces").iterdir(), key=lambda one: one.stat().st_size)
    (data.root / SOUND).unlink()
    (data.root / "voice.txt").write_text("x" * 5_000_000)
    whole = make_backup(data, disk, 60_000)
    piece = next(one for one in (whole.place / "pieces").iterdir() if one not in pieces)
    piece.write_bytes(piece.read_bytes()[:-1] + bytes([piece.read_bytes()[-1] ^ 1]))
    restored = restore_backup(disk, code, tmp_path / "back")
    assert restored.missing == ("voice.txt",) and not (tmp_path / "back" / "voice.txt").exists()
    for one in pieces:
        one.write_bytes(b"changed")
    with pytest.raises(Complaint, match="record in this backup is damaged"):
        restore_backup(disk, code, tmp_path / "none")
    assert not (tmp_path / "none").exists()
    (made.place / "19700101T000100Z.index").write_bytes(b"x" * 100)
    with pytest.raises(Complaint, match="19700101T000100Z is damaged"):
        restore_backup(disk, code, tmp_path / "none")


def spoil(piece: Path) -> None:
    """Change one byte in the middle of a piece, as a worn stick does, and not when it was written."""
    status, content = piece.stat(), bytearray(piece.read_bytes())
    content[len(content) // 2] ^= 1
    piece.write_bytes(content)
    os.utime(piece, ns=(status.st_atime_ns, status.st_mtime_ns))


@pytest.mark.parametrize("how", ["spoilt", "of another", "empty", "gone"])
def test_a_backup_writes_again_what_was_spoilt_in_the_one_before(tmp_path: Path, how: str) -> None:
    data, disk = kept(tmp_path)
    (data.root / "voice.txt").write_bytes(os.urandom(3_000_000))
    made = make_backup(data, disk, 0)
    pieces = sorted((made.place / "pieces").iterdir())
    for one, other in itertools.pairwise(pieces):  # of the record, and of files that have not changed since
        match how:
            case "spoilt":
                spoil(one)
            case "of another":
                one.write_bytes(other.read_bytes())
            case "empty":
                one.write_bytes(b"")
            case _:
                one.unlink()
    spoil(pieces[-1])
    assert make_backup(data, disk, 60_000).new_bytes >= made.new_bytes * 0.9
    restored = restore_backup(disk, " ".join(made.code), tmp_path / "back")
    assert restored.missing == ()
    assert (tmp_path / "back" / "voice.txt").read_bytes() == (data.root / "voice.txt").read_bytes()
    assert make_backup(data, disk, 120_000).new_bytes == 0


def test_a_piece_that_a_run_has_read_once_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, disk = kept(tmp_path)
    read: set[str] = set()
    piece_of = folder_backup._piece

    def noted(folder: Path, key: CopyKey, named: str) -> bytes | None:
        read.add(named)
        return piece_of(folder, key, named)

    monkeypatch.setattr(folder_backup, "_piece", noted)
    seen: folder_backup.Seen = {}
    pieces = make_backup(data, disk, 0, seen=seen).place / "pieces"
    read.clear()
    make_backup(data, disk, 60_000, seen=seen)
    assert read == {one.name for one in pieces.iterdir()}, "what was written is read once"
    read.clear()
    make_backup(data, disk, 120_000, seen=seen)
    assert read == set()
    changed = min(pieces.iterdir())
    changed.write_bytes(b"changed")
    made = make_backup(data, disk, 180_000, seen=seen)
    assert read == {changed.name}
    assert restore_backup(disk, " ".join(made.code), tmp_path / "back").missing == ()


def test_the_last_backup_counts_also_where_the_time_of_day_was_set_back(tmp_path: Path) -> None:
    """A Raspberry Pi without the internet begins with the time of years ago after a power cut."""
    data, disk = kept(tmp_path)
    for number in range(KEPT):
        make_backup(data, disk, 1_900_000_000_000 + number * 60_000)
    (data.root / "event.toml").write_text("# after the power cut")
    made = make_backup(data, disk, 1_700_000_000_000)
    assert len(list(made.place.glob("*.index"))) == KEPT
    restored = restore_backup(disk, " ".join(made.code), tmp_path / "back")
    assert restored.wall_ms == 1_700_000_000_000
    assert (tmp_path / "back" / "event.toml").read_text() == "# after the power cut"


def test_only_the_last_backups_are_kept(tmp_path: Path) -> None:
    data, disk = kept(tmp_path)
    for number in range(KEPT + 2):
        (data.root / "event.toml").write_text(f"# {number}")
        made = make_backup(data, disk, number * 1_000)
    assert len(list(made.place.glob("*.index"))) == KEPT
    texts = []
    for number in (2, KEPT + 1):
        back = tmp_path / str(number)
        restore_backup(disk, " ".join(made.code), back, at=f"19700101T0000{number:02}Z")
        texts.append((back / "event.toml").read_text())
    assert texts == ["# 2", f"# {KEPT + 1}"]
    with pytest.raises(Complaint, match="There is no backup of 19700101T000000Z"):
        restore_backup(disk, " ".join(made.code), tmp_path / "gone", at="19700101T000000Z")


def test_wrong_places_and_codes_are_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, disk = kept(tmp_path)
    code = " ".join(make_backup(data, disk, 0).code)
    for wrong, match in ((tmp_path / "nowhere", "is not there"), (data.audio, "is inside the data folder")):
        with pytest.raises(Complaint, match=match):
            make_backup(data, wrong, 0)
    with pytest.raises(Complaint, match="holds no backup with this code"):
        restore_backup(disk, " ".join(["a1"] * 16), tmp_path / "new")
    with pytest.raises(Complaint, match="is not an empty folder"):
        restore_backup(disk, code, data.root)
    with pytest.raises(Complaint, match="is not an empty folder"):
        restore_backup(disk, code, data.journal)
    told = []
    for arguments in (["backup", str(disk)], ["restore", str(disk), "--code", code]):
        with pytest.raises(SystemExit) as stop:
            main([*arguments, "--data", str(data.root if arguments[0] == "backup" else tmp_path / "new")])
        told.append((stop.value.code, capsys.readouterr()))
    assert [(status, said.err) for status, said in told] == [(0, ""), (0, "")], "no bar where nobody looks"
    assert code in told[0][1].out and (tmp_path / "new" / SOUND).is_file()


@pytest.mark.parametrize("name", ["../out", "/out", "a/../../out", "a\\..\\out", "C:out", "", ".", "a\0b"])
def test_a_hostile_backup_writes_nothing_outside_and_nothing_at_all(tmp_path: Path, name: str) -> None:
    data, disk = kept(tmp_path)
    made = make_backup(data, disk, 0)
    key = key_in(" ".join(made.code), folder_backup.WHOLE)
    (file,) = made.place.glob("*.index")
    index = folder_backup._newest(made.place, key)
    hostile = msgspec.structs.replace(index, files=(*index.files, msgspec.structs.replace(index.files[-1], path=name)))
    file.write_bytes(folder_backup._seal_file(key, msgspec.msgpack.encode(hostile), "index"))
    with pytest.raises(Complaint, match="outside the data folder"):
        restore_backup(disk, " ".join(made.code), tmp_path / "new")
    assert not (tmp_path / "new").exists() and not (tmp_path / "out").exists()


def sealed_raw(key: CopyKey, packed: bytes, about: str) -> bytes:
    nonce = bytes(folder_backup._NONCE)
    return nonce + ChaCha20Poly1305(key.key).encrypt(nonce, packed, f"{folder_backup.FORMAT} {about}".encode())


def test_a_backup_sealed_with_the_right_code_over_anything_is_one_sentence_and_stops_nothing(tmp_path: Path) -> None:
    data, disk = kept(tmp_path)
    made = make_backup(data, disk, 0)
    code, key = " ".join(made.code), key_in(" ".join(made.code), folder_backup.WHOLE)
    (file,) = made.place.glob("*.index")
    whole, index = file.read_bytes(), folder_backup._newest(made.place, key)
    record = next(one for one in index.files if one.path == "journal.sqlite")
    beyond = msgspec.structs.replace(index, wall_ms=2**62)
    nul = msgspec.structs.replace(index, files=(msgspec.structs.replace(record, pieces=("a\0b",)),))
    for hostile in (
        sealed_raw(key, b"no zlib", "index"),
        *(folder_backup._seal_file(key, msgspec.msgpack.encode(one), "index") for one in (beyond, nul)),
    ):
        file.write_bytes(hostile)
        with pytest.raises(Complaint):
            restore_backup(disk, code, tmp_path / "new")
    file.write_bytes(sealed_raw(key, b"no zlib", "index"))
    assert marks_of_backup(data, str(disk)) == {}, "the server starts"
    assert make_backup(data, disk, 1_000).files, "and makes the next one"
    file.write_bytes(whole)
    (made.place / "pieces" / record.pieces[0]).write_bytes(sealed_raw(key, b"no zlib", record.pieces[0]))
    with pytest.raises(Complaint, match="damaged or missing"):
        restore_backup(disk, code, tmp_path / "new", at=file.stem)


def test_two_backups_of_a_folder_are_never_made_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, disk = kept(tmp_path)
    monkeypatch.setattr(folder_backup, "WAIT_S", 0)
    with FileLock(data.root / folder_backup.BACKUP_LOCK), pytest.raises(Complaint, match="Another backup of"):
        make_backup(data, disk, 0)
    assert not list(disk.iterdir())
    assert make_backup(data, disk, 0).files == 3, "the journal, the sound and the key; not the lock"


async def test_the_server_backs_up_by_itself_and_tells_the_arbiter_when_it_cannot(tmp_path: Path) -> None:
    clock = ScriptedClock()
    disk = tmp_path / "disk"
    async with open_house(tmp_path / "data", clock, Settings(port=0)) as house:
        keeping = asyncio.create_task(keep_backups(house.hall, BackupSettings(folder=str(disk), every_min=2)))
        try:
            await until(lambda: any("backup_failed" in str(one.alert) for one in house.table.state.rulings.unsettled))
            disk.mkdir()
            clock.advance(120_000)
            await until(lambda: bool(list(disk.rglob("*.index"))))
            clock.advance(120_000)
            await until(lambda: len(list(disk.rglob("*.index"))) == 2)
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)


async def test_backups_that_the_machine_slept_through_are_not_made_up_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lid that was shut over night would else fill the folder with one moment, in place of the last hours."""
    clock, disk, made = ScriptedClock(), tmp_path / "disk", []
    disk.mkdir()
    backed_up = folder_backup._backed_up

    def watched(data: DataFolder, folder: str, wall_ms: int, address: str, seen: folder_backup.Seen) -> object:
        made.append(wall_ms)
        return backed_up(data, folder, wall_ms, address, seen)

    monkeypatch.setattr(folder_backup, "_backed_up", watched)
    async with open_house(tmp_path / "data", clock, Settings(port=0)) as house:
        keeping = asyncio.create_task(keep_backups(house.hall, BackupSettings(folder=str(disk), every_min=2)))
        try:
            await until(lambda: len(list(disk.rglob("*.index"))) == 1)
            clock.advance(8 * 3_600_000)
            await until(lambda: len(list(disk.rglob("*.index"))) >= 2)
            clock.advance(120_000)
            await until(lambda: len(list(disk.rglob("*.index"))) >= 3)
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
    assert [later - before for before, later in itertools.pairwise(made)] == [8 * 3_600_000, 120_000]
