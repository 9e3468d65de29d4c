"""A record that is not whole: the hall says so, shuts the table concerned, and the other tables play."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from server.app import open_demonstration
from server.game import acts as cmd
from server.game.acts import Alerted, Command
from server.game.values.time_control import TimeControl
from server.game.values.words import Role, Seat, SeatKind, SeatPlan, Station
from server.hall.hall import Hall
from server.hall.rounds import Player, Wanted, open_round
from server.journal.admissions import Admission, new_token
from server.journal.chain import last_link
from server.journal.entry import Entry
from server.journal.failure import NoAnswer
from server.journal.journal import Journal
from server.machine.identity import new_command_id
from server.web.door.introductions import give_table
from speech.complaint import Complaint
from tests.journal.conftest import tampered
from tests.table.open_hall import Ear, reopened
from tests.web.open_house import open_house
from tests.web.test_all_tables import hall_arbiter, open_tables

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


async def open_table(hall: Hall, name: str) -> None:
    """A table with its arbiter."""
    plan = SeatPlan(SeatKind.SIGHTED)
    body = cmd.OpenTable(white=plan, black=plan, control=TimeControl.parse("600"), start_fen=START)
    table = await hall.open_table(body, name)
    assert (await table.admit(Station("arbiter", Role.ARBITER))).outcome.ok
    answer = cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore")
    for act in (answer, cmd.StartGame()):
        command = Command(id=new_command_id(), table=name, station="arbiter", body=act)
        assert (await table.submit(command)).outcome.ok


def alerts_at(hall: Hall, table: str) -> list[str]:
    ear = Ear()
    hall.tables[table].attach("arbiter", 0, ear)
    return [str(one.event.said) for one in ear.messages if isinstance(getattr(one, "event", None), Alerted)]


async def test_an_empty_record_beside_admissions_starts_nothing(tmp_path: Path) -> None:
    async with reopened(tmp_path) as (hall, _):
        await hall.admissions.admit(new_token(), Admission("", "chief", "arbiter", "", (), 0))
    async with reopened(tmp_path):
        """The hall's arbiter was admitted, and no table was ever opened: nothing is missing."""
    for beside in tmp_path.glob("journal.sqlite*"):
        beside.unlink()
    with pytest.raises(Complaint, match="is empty, but devices were admitted"):
        async with reopened(tmp_path):
            pass
    (tmp_path / "admissions.sqlite").unlink()
    async with reopened(tmp_path) as (hall, _):
        assert hall.tables == {}


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("UPDATE events SET body = x'7b22' WHERE \"table\" = 't1' AND seq = 2", "event 2 was changed"),
        ("DELETE FROM events WHERE \"table\" = 't1' AND seq = 3", "event 3 is missing"),
        ("UPDATE events SET kind = CAST(x'ff' AS TEXT) WHERE \"table\" = 't1' AND seq = 2", "could not be read"),
        ("DELETE FROM events WHERE \"table\" = 't1'", "the record has no event of it"),
    ],
)
async def test_a_table_that_is_not_whole_is_shut_and_the_other_plays(tmp_path: Path, damage: str, found: str) -> None:
    async with reopened(tmp_path) as (hall, _):
        for name in ("t1", "t2"):
            await open_table(hall, name)
            await hall.admissions.admit(new_token(), Admission(name, "arbiter", "arbiter", "", (), 0))
    tampered(tmp_path / "journal.sqlite", damage)
    async with reopened(tmp_path) as (hall, _):
        assert set(hall.tables) == {"t2"} and found in hall.shut["t1"]
        with pytest.raises(Complaint, match="t1 is closed"):
            hall.table("t1")
        with pytest.raises(Complaint, match="t1"):
            await open_table(hall, "t1")
        command = Command(id="e" * 32, table="t2", station="arbiter", body=cmd.Resume())
        assert (await hall.tables["t2"].submit(command)).outcome.ok
        assert hall.tables["t2"].state.time.clock.running is Seat.WHITE
        assert any("Table t1 is shut" in one and found in one for one in alerts_at(hall, "t2"))


async def test_a_database_that_is_silent_while_tables_are_taken_up_shuts_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with reopened(tmp_path) as (hall, _):
        await open_table(hall, "t1")
    with monkeypatch.context() as silent:

        async def no_answer(_journal: Journal, _table: str) -> None:
            raise NoAnswer("The database of the record does not answer.")

        silent.setattr(Journal, "record", no_answer)
        with pytest.raises(Complaint, match=r"cannot be used: The database of the record does not answer\."):
            async with reopened(tmp_path):
                pass
    async with reopened(tmp_path) as (hall, _):
        assert set(hall.tables) == {"t1"} and hall.shut == {}


def spoilt(path: Path, at: int, length: int) -> None:
    """Change so many bytes of a file."""
    data = bytearray(path.read_bytes())
    data[at : at + length] = bytes(one ^ 0x5A for one in data[at : at + length])
    path.write_bytes(data)


def place_of(where: str, data: bytes, entry: Entry, root: int) -> tuple[int, int]:
    """Where that stands in a journal of which this is an event, and how long it is."""
    return {
        "the head of the file": (0, 100),
        "the schema": (data.index(b"CREATE TABLE runs"), 400),
        "the way to all events": ((root - 1) * 4096, 12),
        "an event of t1 and the head": (data.index((entry.run + entry.command).encode()), 100),
    }[where]


@pytest.mark.law("L066")
@pytest.mark.parametrize(
    "where", ["the head of the file", "the schema", "the way to all events", "an event of t1 and the head"]
)
async def test_a_file_that_sqlite_cannot_follow_gives_back_what_is_whole(tmp_path: Path, where: str) -> None:
    """Whatever page is damaged, a table whose chain is whole plays on, the others are shut, and the arbiter is told."""
    async with reopened(tmp_path) as (hall, _):
        for name in ("t1", "t2"):
            await open_table(hall, name)
        kept = await hall.journal.read("t2")
        last = (await hall.journal.read("t1"))[-1]
    journal = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(journal)) as other:
        (root,) = other.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'events'").fetchone()
    spoilt(journal, *place_of(where, journal.read_bytes(), last, root))
    if "event" in where:
        spoilt(journal, 0, 16)
    damaged = journal.read_bytes()
    for _ in range(2):  # and so it stays at the next start
        async with reopened(tmp_path) as (hall, _):
            note = hall.tables["t2"].program_command(cmd.NoteFault(text="x"))
            assert (await hall.tables["t2"].own(note)).outcome.ok
            assert (await hall.journal.read("t2"))[: len(kept)] == kept
            assert set(hall.tables) | set(hall.shut) == {"t1", "t2"}
            assert any("was damaged and is kept as journal.sqlite.damaged1" in one for one in alerts_at(hall, "t2"))
            assert ("t1" in hall.shut) == any("Table t1 is shut" in one for one in alerts_at(hall, "t2"))
            assert ("t1" in hall.shut) >= (where == "an event of t1 and the head")
            assert ("t1" in hall.shut) <= (where != "the head of the file")
    assert (tmp_path / "journal.sqlite.damaged1").read_bytes() == damaged


async def test_a_table_whose_last_events_are_lost_is_shut_although_its_chain_holds(tmp_path: Path) -> None:
    """The answers to its commands tell that there was more."""
    async with reopened(tmp_path) as (hall, _):
        await open_table(hall, "t1")
        await open_table(hall, "t2")
    journal = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(journal)) as other:
        (last,) = other.execute("SELECT max(seq) FROM events WHERE \"table\" = 't1'").fetchone()
    tampered(journal, f"DELETE FROM events WHERE \"table\" = 't1' AND seq = {last}")
    spoilt(journal, 0, 16)
    async with reopened(tmp_path) as (hall, _):
        assert set(hall.tables) == {"t2"} and "1 of its commands cannot be found" in hall.shut["t1"]
        with pytest.raises(Complaint, match="t1"):
            await open_table(hall, "t1")


async def test_damaged_admissions_are_kept_and_nobody_is_admitted_any_more(tmp_path: Path) -> None:
    token = new_token()
    async with reopened(tmp_path) as (hall, _):
        await open_table(hall, "t1")
        await hall.admissions.admit(token, Admission("t1", "arbiter", "arbiter", "", (), 0))
    spoilt(tmp_path / "admissions.sqlite", 0, 16)
    async with reopened(tmp_path) as (hall, _):
        await hall.tables["t1"].own(hall.tables["t1"].program_command(cmd.NoteFault(text="x")))
        assert hall.admissions.admission_of(token) is None and set(hall.tables) == {"t1"}
        assert any("has to join and be admitted again" in one for one in alerts_at(hall, "t1"))
        assert (tmp_path / "admissions.sqlite.damaged1").exists()


async def test_a_record_of_which_nothing_is_whole_starts_nothing(tmp_path: Path) -> None:
    async with reopened(tmp_path) as (hall, _):
        await open_table(hall, "t1")
    spoilt(tmp_path / "journal.sqlite", 0, 200_000)
    with pytest.raises(Complaint, match="is damaged"):
        async with reopened(tmp_path):
            pass
    assert (tmp_path / "journal.sqlite").exists()


async def test_an_event_of_a_program_that_is_not_known_shuts_its_table_alone(tmp_path: Path) -> None:
    """The record is whole, and yet this program cannot take it up."""
    async with reopened(tmp_path) as (hall, _):
        await open_table(hall, "t1")
        await open_table(hall, "t2")
        last = (await hall.journal.read("t1"))[-1]
        strange = msgspec.structs.replace(last, seq=last.seq + 1, kind="future", body=b'{"type":"future"}', command="")
        await hall.journal.append([strange])
    async with reopened(tmp_path) as (hall, _):
        assert set(hall.tables) == {"t2"} and "use the program that wrote them" in hall.shut["t1"]


async def test_a_shut_table_keeps_its_name_when_a_round_is_opened(tmp_path: Path) -> None:
    async with reopened(tmp_path) as (hall, _):
        await open_table(hall, "1")
    tampered(tmp_path / "journal.sqlite", "DELETE FROM events WHERE \"table\" = '1' AND seq = 3")
    async with reopened(tmp_path) as (hall, _):
        pair = Wanted(white=Player(name="Anna"), black=Player(name="Hector"))
        named = tuple(msgspec.structs.replace(pair, name=name) for name in ("r1-b1", "1"))
        with pytest.raises(Complaint, match="1"):
            await open_round(hall, named)
        assert hall.tables == {}, "all of the round or nothing"
        assert await open_round(hall, (pair, pair)) == ("2", "3")


async def test_a_server_whose_only_table_is_shut_starts_without_it(tmp_path: Path) -> None:
    async with reopened(tmp_path) as (hall, _):
        await open_demonstration(hall)
    tampered(tmp_path / "journal.sqlite", "DELETE FROM events WHERE \"table\" = 'demo' AND seq = 1")
    async with reopened(tmp_path) as (hall, _):
        assert set(hall.shut) == {"demo"}
        await open_demonstration(hall)
        assert hall.tables == {}


async def test_the_overview_names_the_tables_that_are_shut_to_their_arbiters(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data") as first:
        await open_tables(first, "r1-b2")
        chief, other = await hall_arbiter(first), await first.arbiter()
        cookies = [{one.key: one.value for one in visitor.session.cookie_jar} for visitor in (chief, other)]
        (token,) = cookies[0].values()
        await give_table(first.hall, token, "r1-b2")
    tampered(tmp_path / "data" / "journal.sqlite", "UPDATE events SET seat = 'x' WHERE \"table\" = 'r1-b2'")
    async with open_house(tmp_path / "data") as second:
        for kept, shut in zip(cookies, (["r1-b2"], []), strict=True):
            visitor = second.visitor()
            visitor.session.cookie_jar.update_cookies(kept)
            said = (await visitor.get("/api/overview"))[1]
            assert [line["table"] for line in said["tables"]] == ["demo"] and said["shut"] == shut


async def test_the_last_link_is_that_of_the_entries_alone(tmp_path: Path) -> None:
    """So the report prints it without asking the journal."""
    async with reopened(tmp_path) as (hall, _):
        await open_table(hall, "t1")
        entries, chain = await hall.journal.record("t1")
        assert chain.last == last_link(entries) and len(chain.last) == 64
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as kept:
        assert kept.execute("SELECT link FROM events ORDER BY seq DESC LIMIT 1").fetchone()[0].hex() == chain.last
