"""A record that was rolled back says so at the next start: each table's chain is witnessed outside of it."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game.acts import Alerted
from server.game.values.saying import saying
from server.hall.backup import Restored
from server.hall.hall import Hall
from server.hall.restore import note, take_up
from server.journal.admissions import Admission, new_token
from server.journal.chain import last_link
from server.journal.entry import Entry
from server.journal.witnessed import Mark, RolledBack, Witnesses
from server.machine.data_folder import DataFolder
from speech.complaint import Complaint
from tests.hall.test_damaged_record import open_table
from tests.journal.conftest import tampered
from tests.table.open_hall import Ear, reopened
from tests.waiting import until
from tests.web.open_house import open_house
from tests.web.test_all_tables import hall_arbiter


def witnesses(tmp_path: Path) -> Witnesses:
    return Witnesses("the record", (tmp_path / "witness", tmp_path / "stick"))


@asynccontextmanager
async def opened(tmp_path: Path) -> AsyncIterator[Hall]:
    async with reopened(tmp_path / "data", witnesses=witnesses(tmp_path)) as (hall, _):
        yield hall


async def noted(hall: Hall, table: str, text: str) -> None:
    own = hall.tables[table]
    assert (await own.own(own.program_command(cmd.NoteFault(text=text)))).outcome.ok


def events_of(hall: Hall, table: str) -> list[object]:
    ear = Ear()
    hall.tables[table].attach("arbiter", 0, ear)
    return [getattr(one, "event", None) for one in ear.messages]


def said_at(hall: Hall, table: str) -> list[object]:
    ear = Ear()
    hall.tables[table].attach("arbiter", 0, ear)
    return [one.event.said for one in ear.messages if isinstance(getattr(one, "event", None), Alerted)]


async def played(tmp_path: Path) -> None:
    """Two tables; the folder is set aside as it was, and then one event more happens at t1."""
    async with opened(tmp_path) as hall:
        for name in ("t1", "t2"):
            await open_table(hall, name)
        await hall.admissions.admit(new_token(), Admission("t1", "arbiter", "arbiter", "", (), 0))
    shutil.copytree(tmp_path / "data", tmp_path / "older")
    async with opened(tmp_path) as hall:
        await noted(hall, "t1", "what somebody wants forgotten")
        await hall.admissions.admit(new_token(), Admission("t1", "second", "arbiter", "", (), 0))


ROLLED_BACK = ("older journal", "older folder", "newer journal with an older WAL", "last event deleted")


@pytest.mark.law("L092", "L194")
@pytest.mark.parametrize("how", ROLLED_BACK)
async def test_what_is_shorter_than_its_witness_is_shut_until_the_arbiter_says_yes(tmp_path: Path, how: str) -> None:
    await played(tmp_path)
    data, older = tmp_path / "data", tmp_path / "older"
    match how:
        case "older journal":
            shutil.copy(older / "journal.sqlite", data / "journal.sqlite")
        case "older folder":
            shutil.rmtree(data)
            shutil.copytree(older, data)
        case "newer journal with an older WAL":
            with closing(sqlite3.connect(data / "journal.sqlite")) as newer:
                newer.execute("PRAGMA journal_mode = DELETE")
            shutil.copy(older / "journal.sqlite", data / "journal.sqlite")
        case "last event deleted":
            last = "(SELECT max(seq) FROM events WHERE \"table\" = 't1')"
            tampered(data / "journal.sqlite", f"DELETE FROM events WHERE \"table\" = 't1' AND seq = {last}")
    concerned = {"t1"} if "deleted" in how else {"t1", "t2"}
    for _ in range(2):  # and so it stays at the next start
        async with opened(tmp_path) as hall:
            assert set(hall.tables) == {"t1", "t2"} - concerned
            assert hall.shut.keys() == hall.rolled_back.keys() == concerned
            found = hall.rolled_back["t1"]
            assert found.of > found.there > 0
    async with opened(tmp_path) as hall:
        for table in concerned:
            await hall.go_on_with(table)
        assert set(hall.tables) == {"t1", "t2"} and not hall.shut and not hall.rolled_back
        assert said_at(hall, "t1")[-1] == saying("record_shorter", there=str(found.there), of=str(found.of))
        with pytest.raises(Complaint):
            await hall.go_on_with("t1")
    async with opened(tmp_path) as hall:
        assert set(hall.tables) == {"t1", "t2"}, "the yes holds"


async def test_a_record_of_other_events_and_one_without_any_are_no_less_rolled_back(tmp_path: Path) -> None:
    await played(tmp_path)
    tampered(tmp_path / "data" / "journal.sqlite", "DELETE FROM events WHERE \"table\" = 't1'")
    tampered(tmp_path / "data" / "journal.sqlite", "DELETE FROM outcomes WHERE \"table\" = 't1'")
    (tmp_path / "data" / "admissions.sqlite").unlink()
    async with opened(tmp_path) as hall:
        assert set(hall.tables) == {"t2"} and hall.rolled_back["t1"].there == 0
        await noted(hall, "t2", "whatever was told at the start is on record before this")
        assert saying("admissions_rolled_back") in said_at(hall, "t2"), "the admissions are missing, and are not silent"
        await hall.go_on_with("t1")
        assert not hall.has("t1")


async def test_of_admissions_older_than_their_witness_nobody_is_admitted_any_more(tmp_path: Path) -> None:
    """A stolen device that was sent away would be in again."""
    async with opened(tmp_path) as hall:
        await open_table(hall, "t1")
        for station in ("stolen", "own"):
            await hall.admissions.admit(new_token(), Admission("t1", station, "arbiter", "", (), 0))
    file = tmp_path / "data" / "admissions.sqlite"
    shutil.copy(file, tmp_path / "older")
    async with opened(tmp_path) as hall:
        await hall.admissions.revoke_everywhere("stolen", 1)
    shutil.copy(tmp_path / "older", file)
    async with opened(tmp_path) as hall:
        assert not hall.admissions.everybody()
        await noted(hall, "t1", "what was told at the start is on record before this")
        assert saying("admissions_rolled_back") in said_at(hall, "t1")
        await hall.admissions.admit(new_token(), Admission("t1", "anew", "arbiter", "", (), 2))
    async with opened(tmp_path) as hall:
        assert [one.station for (one,) in hall.admissions.everybody()] == ["anew"], "who joined again stays"


def test_a_longer_record_of_other_events_is_rolled_back_too(tmp_path: Path) -> None:
    record = [Entry("t1", seq, "r", "", "", "", "", seq, seq, 1, "x", b"{}") for seq in (1, 2, 3)]
    other = [replace(one, body=b"[]") for one in record]
    for agreed in (False, True):
        known = witnesses(tmp_path)
        known.load()
        known.mark("t1", 2, last_link(other[:2]))
        if agreed:
            known.agree("t1")
        known.write()
        again = witnesses(tmp_path)
        again.load()
        assert again.rolled_back("t1", other) is None
        found = again.rolled_back("t1", record)
        assert (found is None) == agreed and (found is None or (found.there, found.of) == (3, 2))


def test_a_table_that_was_deleted_is_missed_by_nobody_and_comes_back_as_a_rollback(tmp_path: Path) -> None:
    record = [Entry("t1", 1, "r", "", "", "", "", 1, 1, 1, "x", b"{}")]
    known = witnesses(tmp_path)
    known.mark("t1", 1, last_link(record))
    known.write()
    known.delete("t1", 1, last_link(record))
    known.write()
    again = witnesses(tmp_path)
    again.load()
    assert again.missing(()) == []
    assert again.rolled_back("t1", record) is not None, "an older folder brings back what was deleted"


def record_of(events: int) -> list[Entry]:
    return [Entry("t1", seq, "r", "", "", "", "", seq, seq, 1, "x", b"{}") for seq in range(1, events + 1)]


def test_a_table_that_came_back_from_its_deletion_is_witnessed_as_any_other(tmp_path: Path) -> None:
    known = witnesses(tmp_path)
    known.delete("t1", 10, last_link(record_of(10)))
    known.write()
    back = witnesses(tmp_path)
    back.load()
    assert back.rolled_back("t1", record_of(8)) is not None
    back.agree("t1")
    back.mark("t1", 9, last_link(record_of(9)))
    back.write()
    again = witnesses(tmp_path)
    again.load()
    assert again.rolled_back("t1", record_of(9)) is None
    found = again.rolled_back("t1", record_of(7))
    assert found is not None and (found.there, found.of) == (7, 9), "shorter than its deletion, and so it is looked at"


@pytest.mark.parametrize("witness", ["file", "backup"])
def test_a_tombstone_that_somebody_put_into_the_data_folder_hides_no_rollback(tmp_path: Path, witness: str) -> None:
    mark, tombstones = Mark(10, last_link(record_of(10))), tmp_path / "deleted.json"
    backup = {"t1": mark} if witness == "backup" else None
    known = Witnesses("the record", (tmp_path / "witness",), backup, tombstones)
    if witness == "file":
        known.mark("t1", *msgspec.structs.astuple(mark))
        known.write()
    for forged in (Mark(10**9, "00"), mark):
        tombstones.write_bytes(msgspec.json.encode({"t1": forged, "t2": forged}))
        known = Witnesses("the record", (tmp_path / "witness",), backup, tombstones)
        known.load()
        assert [(one.table, one.of) for one in known.missing(())] == [("t1", 10)], "no witness was told of a deletion"
        assert "t2" in known.deleted, "where no witness knows the table, what the folder says is all there is"


def test_servers_that_share_a_hall_share_a_witness_and_none_puts_it_back(tmp_path: Path) -> None:
    first, second = witnesses(tmp_path), witnesses(tmp_path)
    first.mark("t1", 2, last_link(record_of(2)))
    first.write()
    second.load()
    first.mark("t1", 9, last_link(record_of(9)))
    first.mark("t3", 3, "aa")
    first.write()
    second.mark("t2", 4, "bb")
    second.write()
    again = witnesses(tmp_path)
    again.load()
    assert again.rolled_back("t1", record_of(5)) is not None
    assert [one.table for one in again.missing(())] == ["t1", "t2", "t3"]
    again.agree("t1")
    again.delete("t3", 3, "aa")
    again.write()
    second.mark("t2", 5, "cc")
    second.write()
    last = witnesses(tmp_path)
    last.load()
    assert last.rolled_back("t1", record_of(5)) is None and [one.of for one in last.missing(())] == [5]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets few users make links")
def test_a_record_is_witnessed_by_its_real_place_whatever_link_leads_there(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "data")
    assert DataFolder(tmp_path / "link").witnessed_as == DataFolder(tmp_path / "data").witnessed_as


@pytest.mark.law("L066")
async def test_a_copy_that_is_shorter_than_the_stick_knows_waits_for_the_yes_and_the_server_starts(
    tmp_path: Path,
) -> None:
    """The first laptop is broken: its stick goes to the second one, with a copy that reaches less far."""
    async with opened(tmp_path) as hall:
        await open_table(hall, "t1")
        runs, entries = tuple(await hall.journal.runs()), tuple(await hall.journal.read("t1"))
        await noted(hall, "t1", "later than the copy")
    shutil.rmtree(tmp_path / "data")
    with DataFolder.open(tmp_path / "data", lock=True) as data:
        copied = await take_up(data, Restored("t1", runs, entries, None, None))
    async with opened(tmp_path) as hall:
        assert "t1" in await note(hall, copied)
        assert set(hall.rolled_back) == {"t1"}
        await hall.go_on_with("t1")
        await until(lambda: "copied" in [getattr(one, "kind", "") for one in events_of(hall, "t1")])


async def test_a_witness_that_is_away_or_damaged_stops_nothing_and_a_crash_is_no_rollback(tmp_path: Path) -> None:
    await played(tmp_path)
    (file,) = (tmp_path / "stick").glob("*.json")
    file.write_bytes(b"{")
    shutil.rmtree(tmp_path / "witness")
    async with opened(tmp_path) as hall:
        assert set(hall.tables) == {"t1", "t2"}
        await noted(hall, "t1", "what was found at the start is on record before this")
        assert saying("witness_unread", name=str(file)) in said_at(hall, "t1"), "nobody makes a witness silent unseen"
    witnessed = [one.read_bytes() for one in tmp_path.glob("*/*.json")]
    async with opened(tmp_path) as hall:  # killed before its witnesses are told: they know less than the record
        await noted(hall, "t1", "later")
    for one, data in zip(tmp_path.glob("*/*.json"), witnessed, strict=True):
        one.write_bytes(data)
    async with opened(tmp_path) as hall:
        assert set(hall.tables) == {"t1", "t2"}


async def test_the_arbiter_of_all_tables_is_shown_what_was_found_and_alone_says_yes(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        chief, arbiter = await hall_arbiter(house), await house.arbiter()
        house.hall.shut["t9"] = "it has no events"
        house.hall.rolled_back["t9"] = RolledBack("t9", 0, 3, "/media/stick")
        shown = {"table": "t9", "there": 0, "of": 3, "where": "/media/stick"}
        assert (await chief.get("/api/overview"))[1]["shorter"] == [shown]
        assert (await arbiter.get("/api/overview"))[1]["shorter"] == []
        assert (await arbiter.post("/api/tables/shorter", {"table": "t9"}))[0] == 403
        assert (await chief.post("/api/tables/shorter", {"table": "t9"}))[0] == 200
        assert (await chief.get("/api/overview"))[1]["shorter"] == [] and not house.hall.has("t9")
