"""A hall whose record lies on PostgreSQL: the same game; held while the database is silent; copied both ways."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner

from server.cli.keeping.backup import backup, restore
from server.cli.keeping.table import command as table_command
from server.cli.record import command as record_command
from server.cli.rounds import bulletin, results
from server.game import acts as cmd
from server.game.acts import Command, Interrupted, event_in
from server.game.values.announcement import Announcement
from server.game.values.words import Seat
from server.hall.backup import copy_key_of, secret_of
from server.hall.copying import copy_record
from server.hall.folder_backup import TAKEN, WHOLE
from server.hall.hall import Hall
from server.hall.record import open_record, reader_of
from server.hall.servers.leading import Leading
from server.hall.taking_up import TakingUp
from server.journal.admissions import Admission, new_token
from server.journal.failure import JournalInDoubt
from server.journal.postgresql.database import Database
from server.journal.postgresql.leases import Leases
from server.journal.witnessed import Witnesses
from server.machine.clock import ScriptedClock, SystemClock
from server.machine.data_folder import DataFolder
from server.protocol import RecordFails
from speech.complaint import Complaint
from tests.postgresql import SECRET, Cluster
from tests.table.open_hall import Ear, SearchHere, played, turn
from tests.table.test_sealing import WITH_I, ordered
from tests.waiting import PATIENCE_S
from tests.web.cable import Cable, cable

pytestmark = pytest.mark.needs("postgresql")


@asynccontextmanager
async def led(folder: Path, address: str) -> AsyncIterator[Hall]:
    """A hall on the system's clock, as a server leads it."""
    with DataFolder.open(folder, lock=True) as data:
        hall = await Hall.open(data, SystemClock(), mates=SearchHere(), record=await open_record(data, address))
        try:
            yield hall
        finally:
            await hall.close()


async def moved(tmp_path: Path, cluster: Cluster) -> str:
    """A game that was begun in a folder, and its record copied to PostgreSQL; the database's name."""
    async with played(tmp_path / "folder", control="600") as game:
        await game.hall.admissions.admit("0" * 32, Admission("t1", "arbiter", "arbiter", "", (), 1))
        await game.pass_time(5_250)
        await asyncio.gather(*game.hall._writing)
    database = cluster.fresh()
    (table,) = await copy_record(str(tmp_path / "folder"), cluster.address(database))
    assert table.events == table.added > 5
    return database


async def test_a_hall_goes_on_in_the_other_database_and_back(tmp_path: Path, cluster: Cluster) -> None:
    database = await moved(tmp_path, cluster)
    async with led(tmp_path / "data", cluster.address(database)) as hall:
        table = hall.table("t1")
        assert hall.admissions.admission_of("0" * 32) is not None
        assert table.state.time.clock.remaining(Seat.WHITE, hall.clock.mono_ms()) == 595_000, "the last witness"
        resume = Command(id="f" * 32, table="t1", station="arbiter", body=cmd.Resume())
        answer = await table.submit(resume)
        assert answer.outcome.ok and await table.submit(resume) == answer
        with pytest.raises(Complaint, match="Another server leads the hall"):
            await open_record(DataFolder(tmp_path), cluster.address(database))
    runner, there_now = CliRunner(), {"ANNA_EINS_RECORD": cluster.address(database)}
    for command, said in ((results, "No game of that round has ended"), (bulletin, "no table of round 1")):
        asked = ["1", "--out", str(tmp_path / "new")]
        assert said in str(runner.invoke(command, asked, env=there_now).exception), "its record was read"
    (back,) = await copy_record(cluster.address(database), str(tmp_path / "back"))
    (again,) = await copy_record(cluster.address(database), str(tmp_path / "back"))
    assert back.added == back.events == again.events and again.added == 0
    with closing(sqlite3.connect(tmp_path / "back" / "journal.sqlite")) as file:
        rows = [file.execute(f"SELECT count(*) FROM {name}").fetchone() for name in ("events", "outcomes", "runs")]
    there = [cluster.do(f"SELECT count(*) FROM anna_eins.{name}", database) for name in ("events", "outcomes", "runs")]
    assert [[row] for row in rows] == there


@pytest.mark.law("L092")
async def test_the_owner_deletes_a_table_from_the_database_and_nobody_else_does(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, place = await moved(tmp_path, cluster), tmp_path / "data"
    monkeypatch.setenv("ANNA_EINS_WITNESS", str(tmp_path / "stick"))
    address, runner = cluster.address(database), CliRunner()

    def deleted(by: str, name: str = "t1") -> str:
        asked = ["delete", name, "--yes", "--data", str(place), "--record", by]
        ended = runner.invoke(table_command, asked)
        return ended.output if ended.exception is None else str(ended.exception)

    assert "Only the role that owns the record" in await asyncio.to_thread(deleted, address)
    async with led(place, address) as hall:
        link = (await hall.journal.last_link("t1"))[1]
        place, owner = tmp_path / "of another machine", cluster.admin(database)
        assert "Another server leads the hall" in await asyncio.to_thread(deleted, owner)
    place = tmp_path / "data"
    out = await asyncio.to_thread(deleted, owner)
    assert link in out and "write-ahead archive" in out, out
    for name in ("events", "outcomes", "admissions", "reach"):
        assert cluster.do(f"SELECT 1 FROM anna_eins.{name} WHERE \"table\" = 't1'", database) == [], name
    assert "There is no table" in await asyncio.to_thread(deleted, owner)
    known = Witnesses(Database(address).witnessed_as, (tmp_path / "stick",), tombstones=place / "deleted.json")
    known.load()
    assert known.deleted["t1"].link == link, "it is the same record for each role that connects"
    async with led(place, address) as hall:
        assert not hall.tables and not hall.shut, "what refuses changes is in force again"


@pytest.mark.law("L208", "L211")
async def test_a_sealed_move_lies_sealed_in_the_database_and_the_code_opens_it_there(
    tmp_path: Path, cluster: Cluster
) -> None:
    async with played(tmp_path / "folder", regulations=WITH_I) as game:
        code = await ordered(game)
        await game.done("white", cmd.SealMove(announcement=Announcement("knight", None, "h3")))
        await game.press("white")
    database = cluster.fresh()
    await copy_record(str(tmp_path / "folder"), cluster.address(database))
    kinds = "'move_sealed', 'adjourned'"
    rows = cluster.do(f"SELECT string_agg(body, '') FROM anna_eins.events WHERE kind IN ({kinds})", database)
    written = bytes(rows[0][0])  # type: ignore[arg-type]
    assert b"adjourned" in written and not any(trace in written for trace in (b"knight", b'"h3"', b"Hector", b"g1h3"))
    async with led(tmp_path / "data", cluster.address(database)) as hall:
        table = hall.table("t1")

        async def done(number: str, body: cmd.Act) -> str:
            command = Command(id=number * 32, table="t1", station="arbiter", body=body)  # type: ignore[arg-type]
            return (await table.submit(command)).outcome.code

        assert await done("1", cmd.MarkPresent(seat=Seat.BLACK)) == ""
        wrong = cmd.OpenEnvelope(code=" ".join(reversed(code.squares)))
        assert await done("2", wrong) == "wrong_seal_code"
        assert await done("3", cmd.OpenEnvelope(code=code.words)) == ""
        assert table.state.moves.line == ("g1h3",)


async def test_the_lease_is_renewed_while_a_record_is_copied(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewed: list[bool] = []
    renew = Leases.renew

    def noted(leases: Leases) -> frozenset[str] | None:
        renewed.append(True)
        return renew(leases)

    monkeypatch.setattr(Leases, "renew", noted)
    await moved(tmp_path, cluster)
    assert renewed, "also of a copy that takes longer than a lease lasts"


async def test_the_lease_is_renewed_while_tables_are_taken_up_and_while_one_is_opened(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = await moved(tmp_path, cluster)
    take = TakingUp._take

    async def slow(taking_up: TakingUp, id: str) -> None:
        hall: Hall = getattr(taking_up._taken, "__self__")  # noqa: B009
        await turn(lambda: hall.leading is not None and bool(hall.leading._held))
        await take(taking_up, id)

    monkeypatch.setattr(TakingUp, "_take", slow)
    async with led(tmp_path / "data", cluster.address(database)) as hall:
        assert hall.leading is not None
        hall._seat("t2")  # it has no event yet, so it has no lease
        assert await hall.leading._renew_lead() and not hall.leading.lost.is_set()


async def test_a_hall_on_postgresql_is_backed_up_while_it_goes_on_and_restored_into_another_database(
    tmp_path: Path, cluster: Cluster
) -> None:
    database, disk = await moved(tmp_path, cluster), tmp_path / "disk"
    disk.mkdir()
    there_now = {"ANNA_EINS_RECORD": cluster.address(database), "ANNA_EINS_DATA": str(tmp_path / "data")}
    async with led(tmp_path / "data", cluster.address(database)) as hall:
        sound = hall.data.audio / "t1" / "a.flac"
        sound.parent.mkdir(parents=True)
        sound.write_bytes(b"fLaC")
        said = await asyncio.to_thread(CliRunner().invoke, backup, [str(disk)], env=there_now)
        assert said.exit_code == 0, said.output
        assert not (hall.data.root / TAKEN).exists() and not hall.data.journal.exists()
        code = " ".join(copy_key_of(secret_of(hall.data.copy_secret), WHOLE).squares)
        events = await hall.journal.read("t1")

    asked = [str(disk), "--code", code, "--data", str(tmp_path / "files")]
    assert CliRunner().invoke(restore, asked).exit_code == 0
    with reader_of(tmp_path / "files") as reader:
        assert reader.read("t1") == events

    other = cluster.fresh()
    asked = [str(disk), "--code", code, "--data", str(tmp_path / "moved"), "--record", cluster.address(other)]
    done = await asyncio.to_thread(CliRunner().invoke, restore, asked)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "moved" / "audio" / "t1" / "a.flac").is_file() and not list(
        (tmp_path / "moved").glob("*.sqlite")
    )
    async with led(tmp_path / "moved", cluster.address(other)) as hall:
        assert hall.admissions.admission_of("0" * 32) is not None
        assert (await hall.journal.read("t1"))[: len(events)] == events


@pytest.fixture
async def cut(cluster: Cluster) -> AsyncIterator[Cable]:
    async with cable(f"http://localhost:{cluster.port}") as line:
        yield line


async def test_while_the_database_is_silent_nothing_counts_and_everybody_is_told(
    tmp_path: Path, cluster: Cluster, cut: Cable
) -> None:
    database = await moved(tmp_path, cluster)
    port = int(cut.base.rpartition(":")[2])
    async with led(tmp_path / "data", cluster.address(database, port=port)) as hall:
        table, clock = hall.table("t1"), hall.clock
        white, arbiter = Ear(), Ear()
        table.attach("white", 0, white)
        table.attach("arbiter", 0, arbiter)
        await table.own(table.program_command(cmd.Resume()))
        await turn(lambda: hall.witnessed_ms > 0)
        seq = table.seq
        cut.pull()
        lost = asyncio.create_task(
            table.submit(Command(id="a" * 32, table="t1", station="white", body=cmd.CallArbiter()))
        )
        await turn(lambda: RecordFails(True, held=True) in white.received and table._held)
        assert RecordFails(True, held=True) in arbiter.received
        assert (await lost).outcome.code == "not_recorded"
        refused = await table.submit(Command(id="b" * 32, table="t1", station="white", body=cmd.Press()))
        assert (refused.outcome.code, table.seq) == ("not_recorded", seq)
        witnessed, held = hall.witnessed_ms, clock.mono_ms()
        await asyncio.sleep(2.5)  # the database stays away; that makes no clock less sure, for nobody plays meanwhile
        cut.put_back()
        await turn(lambda: RecordFails(False, held=True) in white.received and table.seq > seq)
        await turn(lambda: not table.clock_runs)
        assert hall.leading is not None and not hall.leading.lost.is_set()
        pause = next(one for one in await hall.journal.read("t1") if one.kind == "interrupted" and one.seq > seq)
        stopped = event_in(pause.body)
        assert isinstance(stopped, Interrupted) and b"the_record_was_silent" in pause.body
        assert 0 < stopped.uncertain_ms <= held - witnessed
        stands = table.state.time.clock.remaining(Seat.WHITE, clock.mono_ms())
        assert 595_000 - stands <= witnessed, "the clock stands at the last witness"
        answer = await table.submit(Command(id="c" * 32, table="t1", station="arbiter", body=cmd.Resume()))
        assert answer.outcome.ok and table.clock_runs
        entries, chain = await hall.journal.record("t1")
        assert not chain.wrong and entries[-1].seq == table.seq


class Lasting:
    """Leases that a database renews at once."""

    lasts_ms, again_ms = 2_500, 500

    def renew(self) -> frozenset[str]:
        return frozenset()


async def test_a_lease_is_renewed_while_a_disk_that_stalls_holds_every_other_thread() -> None:
    """Sounds wait for the disk of this laptop; the database and its neighbours have nothing of that."""
    going_on = threading.Event()
    loop = asyncio.get_running_loop()
    stalled = [loop.run_in_executor(None, going_on.wait) for _ in range(64)]
    leading = Leading(cast(Leases, Lasting()), ScriptedClock(), {}, lambda: 0)
    try:
        async with asyncio.timeout(PATIENCE_S):
            assert await leading._renew_lead()
    finally:
        going_on.set()
        await asyncio.gather(*stalled)


async def test_what_was_written_although_nobody_said_so_is_taken_up_before_anything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the way to the database breaks between its commit and its answer."""
    async with played(tmp_path, control="600") as game:
        append = game.hall.journal.append

        async def in_doubt(*values: object) -> None:
            await append(*values)  # type: ignore[arg-type]
            monkeypatch.setattr(game.hall.journal, "append", append)
            raise JournalInDoubt("The way broke.")

        monkeypatch.setattr(game.hall.journal, "append", in_doubt)
        seq = game.table.seq
        call = Command(id="a" * 32, table="t1", station="black", body=cmd.CallArbiter())
        first = await game.table.submit(call)
        assert first.outcome.ok, "its answer is on record"
        assert game.table.seq > seq, "and what it did is told, though nobody does anything else"
        assert (await game.do("black", cmd.CallArbiter(reason="again"))).outcome.ok
        assert game.table.seq > seq and await game.table.submit(call) == first
        async with asyncio.timeout(PATIENCE_S):
            while await game.hall.journal.last_seq("t1") != game.table.seq:
                await asyncio.sleep(0.01)


def test_a_role_is_made_with_its_password_and_nothing_shows_it(cluster: Cluster) -> None:
    cluster.do("CREATE DATABASE another")
    said = CliRunner().invoke(
        record_command, ["prepare", cluster.admin("another"), "--role", "other"], input="quite-secret\nquite-secret\n"
    )
    assert said.exit_code == 0, said.output
    assert "is ready" in said.output and "quite-secret" not in said.output and "of-the-admin" not in said.output

    async def opened() -> None:
        record = await open_record(DataFolder(Path()), cluster.address("another", role="other", secret="quite-secret"))
        await record.admissions.admit(new_token(), Admission("t1", "a", "arbiter", "", (), 1))
        await record.close()

    asyncio.run(opened())
    assert SECRET not in said.output
