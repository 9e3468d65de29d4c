"""Small holes, each with what it did: a sentence or a shut door, and everything else goes on (issue 38, 7 and 8)."""

from __future__ import annotations

import asyncio
import base64
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from server.game import acts as cmd
from server.game.acts import Alerted
from server.game.values.saying import saying
from server.hall.backup import (
    FORMAT,
    VERSION,
    HeldCopy,
    _seal,
    copy_key_of,
    open_copy,
    read_copy,
    seal_of,
    sealed_piece,
)
from server.journal.admissions import Admission, new_token
from server.journal.admissions_file import open_admissions
from server.journal.chain import last_link
from server.journal.entry import Entry, Run, Witness
from server.machine.clock import ScriptedClock
from server.protocol import Piece
from server.web.door.access import Access
from server.web.door.seat_cards import SeatCards
from speech.complaint import Complaint
from tests.hall.test_damaged_record import open_table
from tests.table.open_hall import Ear, reopened
from tests.waiting import until

ENTRY = Entry("t1", 1, "r", "", "", "", "", 1, 1, 1, "x", b"{}")


@pytest.mark.parametrize(
    "plain",
    [b"no zlib", zlib.compress(b"\xc1"), zlib.compress(b"[]"), zlib.compress(msgspec.msgpack.encode([[], []])),
     zlib.compress(msgspec.msgpack.encode([[], [[1, 2]]])), zlib.compress(b"\x91" * 100_000)],
)  # fmt: skip
def test_a_copy_sealed_with_the_right_code_over_anything_is_one_sentence(plain: bytes) -> None:
    key = copy_key_of(bytes(32), "t1")
    piece = Piece(1, 1, _seal(key, plain, "t1 1-1"))
    copy = HeldCopy(FORMAT, VERSION, "t1", key.id, (piece,))
    with pytest.raises(Complaint):
        open_copy(copy, " ".join(key.squares))


def test_a_witness_sealed_with_the_right_code_over_anything_is_one_sentence() -> None:
    key = copy_key_of(bytes(32), "t1")
    content = zlib.compress(msgspec.msgpack.encode(((("r", 0, 0, "1"),), (msgspec.structs.astuple(ENTRY),))))
    pieces = (Piece(1, 1, _seal(key, zlib.compress(zlib.decompress(content)), "t1 1-1")),)
    until_it = seal_of(key, "t1", ENTRY, "", Witness("r", 1, 1))
    wrong = _seal(key, b"\xc1", "t1 witness")
    for box in (wrong, base64.b64encode(b"x").decode()):
        copy = HeldCopy(FORMAT, VERSION, "t1", key.id, pieces, msgspec.structs.replace(until_it, witness=box))
        with pytest.raises(Complaint):
            open_copy(copy, " ".join(key.squares))


@pytest.mark.parametrize("wall_ms", [2**62, 2**63])
@pytest.mark.parametrize("whose", ["event", "end", "witness"])
def test_a_copy_of_a_time_that_no_calendar_has_is_one_sentence(wall_ms: int, whose: str) -> None:
    key, far = copy_key_of(bytes(32), "t1"), msgspec.structs.replace(ENTRY, wall_ms=wall_ms)
    entry = far if whose == "event" else ENTRY
    piece = sealed_piece(key, "t1", (Run("r", 0, 0, "1"),), (entry,))
    witness = Witness("r", 1, wall_ms if whose == "witness" else 1)
    end = seal_of(key, "t1", far if whose == "end" else entry, last_link([entry]), witness)
    copy = HeldCopy(FORMAT, VERSION, "t1", key.id, (piece,), None if whose == "event" else end)
    with pytest.raises(Complaint, match="times of the copy"):
        open_copy(copy, " ".join(key.squares))


@pytest.mark.parametrize("name", ["..", "../x", "con", "", "a/b", "x\0"])
def test_a_copy_of_a_table_whose_name_is_no_name_is_one_sentence(name: str) -> None:
    """Its sounds would be looked for, and deleted, outside of their folder."""
    copy = HeldCopy(FORMAT, VERSION, name, "x", (Piece(1, 1, ""),))
    with pytest.raises(Complaint, match="not a copy of a table"):
        read_copy(msgspec.json.encode(copy))


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"[1]", b'[{"table": "t1", "seat": "grey"}]', b"\xff\xfe", b"[" * 100_000]
)
def test_damaged_seat_cards_are_put_aside_and_the_server_starts_without_cards(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "seat-cards.json"
    file.write_bytes(damage)
    cards = SeatCards(file, Access(ScriptedClock()))
    assert cards.damaged == "seat-cards.json.damaged1" and (tmp_path / cards.damaged).read_bytes() == damage
    assert SeatCards(file, Access(ScriptedClock())).damaged == ""


@pytest.mark.parametrize("name", ["con", "NUL", "Com1", "lpt9", "aux"])
async def test_no_table_has_a_name_that_is_a_device_of_windows(tmp_path: Path, name: str) -> None:
    async with reopened(tmp_path) as (hall, _):
        with pytest.raises(Complaint, match="A table's name"):
            await open_table(hall, name)
        await open_table(hall, f"{name}-1")


@pytest.mark.parametrize(
    "cell",
    ["duties = 'x'", "role = CAST(x'ff' AS TEXT)", "station = CAST(x'fffe' AS TEXT)", "seat = 'purple'", "seat = ''"],
)
async def test_one_damaged_cell_of_the_admissions_shuts_one_device(tmp_path: Path, cell: str) -> None:
    anna, hector = new_token(), new_token()
    admissions = open_admissions(tmp_path / "admissions.sqlite")
    await admissions.admit(anna, Admission("t1", "anna", "tactile", "white", (), 1))
    await admissions.admit(hector, Admission("t1", "hector", "sighted", "black", (), 2))
    await admissions.close()
    with closing(sqlite3.connect(tmp_path / "admissions.sqlite", isolation_level=None)) as other:
        other.execute(f"UPDATE admissions SET {cell} WHERE station = 'anna'")
    admissions = open_admissions(tmp_path / "admissions.sqlite")
    stands = admissions.admission_of(hector)
    assert stands is not None and stands.station == "hector", "the other device is not concerned"
    damaged = admissions.admission_of(anna)
    assert damaged is None or (damaged.role, damaged.station) != ("tactile", "anna")
    assert admissions.unread == (("anna",) if "duties" in cell or "seat" in cell else ())
    await admissions.close()


async def test_the_arbiters_are_told_which_device_has_to_join_again(tmp_path: Path) -> None:
    async with reopened(tmp_path) as (hall, _):
        await open_table(hall, "t1")
        await hall.admissions.admit(new_token(), Admission("t1", "anna", "tactile", "white", (), 1))
    with closing(sqlite3.connect(tmp_path / "admissions.sqlite", isolation_level=None)) as other:
        other.execute("UPDATE admissions SET duties = '['")
    async with reopened(tmp_path) as (hall, _):
        ear = Ear()
        hall.tables["t1"].attach("arbiter", 0, ear)
        told = saying("admission_unread", name="anna")
        await until(lambda: any(getattr(getattr(one, "event", None), "said", None) == told for one in ear.messages))
        assert [one.event for one in ear.messages if isinstance(getattr(one, "event", None), Alerted)]


@pytest.mark.law("L066")
async def test_a_forged_last_event_stands_one_table_and_the_others_play(tmp_path: Path) -> None:
    async with reopened(tmp_path) as (hall, _):
        for name in ("t1", "t2"):
            await open_table(hall, name)
        table = hall.tables["t1"]
        fails: list[bool] = []
        for observer in table.observers:
            if observer.name == "A record that cannot be written":
                object.__setattr__(observer, "record", fails.append)
        forged = Entry("t1", table.seq + 1, hall.run, "", "x", "", "", 1, 1, 1, "forged", b'{"event":"forged"}')
        await hall.journal.append([forged])
        for _ in range(3):
            outcome = await table.own(table.program_command(cmd.NoteFault(text="x")))
            assert not outcome.outcome.ok and outcome.outcome.code == "not_recorded"
        assert fails == [True], "the arbiter is told, once"
        other = hall.tables["t2"]
        assert (await other.own(other.program_command(cmd.NoteFault(text="x")))).outcome.ok
    async with reopened(tmp_path) as (hall, _):
        await asyncio.sleep(0)
        assert set(hall.tables) == {"t2"} and set(hall.shut) == {"t1"}
