"""Several servers lead the tables of one hall: a table is handed over while its clock runs, or taken over."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from server.cli.record import servers
from server.game import acts as cmd
from server.game.acts import Command, HandedOver, TakenOver, event_in
from server.game.values.words import Seat
from server.hall.copying import copy_record
from server.hall.hall import Hall
from server.hall.live_table import TableLeft
from server.hall.record import open_record
from server.hall.servers.sharing import even_out, spread
from server.journal.admissions import Admission
from server.journal.chain import last_link
from server.journal.postgresql.leases import Neighbour
from server.machine.clock import SystemClock, TableClock
from server.machine.data_folder import DataFolder
from server.table.evidence.bucket import bucket_of
from server.table.evidence.evidence import EvidenceFile
from server.table.evidence.store import SoundStore
from speech.complaint import Complaint
from tests.bucket import one_bucket
from tests.postgresql import Cluster
from tests.table.open_hall import SearchHere, played, turn

pytestmark = pytest.mark.needs("postgresql")


@asynccontextmanager
async def sharing(
    folder: Path, address: str, ahead_ms: int = 0, sounds: SoundStore | None = None
) -> AsyncIterator[Hall]:
    """A server of the hall; its time is ahead of the system's, as that of another computer is."""
    folder.mkdir(exist_ok=True)
    with DataFolder.open(folder, lock=True) as data:
        record = await open_record(data, address, shares=True)
        clock = TableClock(SystemClock(), ahead_ms)
        hall = await Hall.open(data, clock, mates=SearchHere(), record=record, sounds=sounds)
        try:
            yield hall
        finally:
            await hall.close()


async def begun(tmp_path: Path, cluster: Cluster) -> str:
    """A hall with one table; the address of its record."""
    async with played(tmp_path / "folder", control="600") as game:
        await game.hall.admissions.admit("0" * 32, Admission("t1", "arbiter", "arbiter", "", (), 1))
    database = cluster.fresh()
    await copy_record(str(tmp_path / "folder"), cluster.address(database))
    return cluster.address(database)


@given(st.dictionaries(st.text("ab1", min_size=1, max_size=6), st.integers(1, 5)), st.sets(st.integers(1, 6)))
def test_a_server_that_came_back_is_given_its_share_and_no_table_moves_in_vain(
    led: dict[str, int], alive: set[int]
) -> None:
    moved = even_out(led, alive)
    before = Counter(dict.fromkeys(alive, 0)) | Counter(server for server in led.values() if server in alive)
    after = [number for table, number in (led | moved).items() if number in alive]
    loads = [after.count(number) for number in alive] or [0]
    assert set(moved) <= set(led) and max(loads) - min(loads) <= 1 and sum(loads) == before.total()
    assert len(moved) == sum(max(0, after.count(number) - before[number]) for number in alive), "as few as can be"


async def test_a_table_is_handed_over_and_back_while_its_clock_runs(tmp_path: Path, cluster: Cluster) -> None:
    address = await begun(tmp_path, cluster)
    async with sharing(tmp_path / "a", address) as first, sharing(tmp_path / "b", address, 5_000_000) as second:
        assert first.sharing is not None and second.sharing is not None
        assert set(first.tables) == {"t1"} and not second.tables and second.has("t1")
        table = first.tables["t1"]
        assert (await table.own(table.program_command(cmd.Resume()))).outcome.ok
        begun_at, whole = SystemClock().wall_ms(), table.state.time.clock.remaining(Seat.WHITE, table.clock.mono_ms())
        assert first.sharing._leases.want(["t1"], first.sharing.own) == 0, "it is led here already"
        assert second.sharing._leases.want(["t1"], second.sharing.own) == 1
        await turn(lambda: "t1" in second.tables and "t1" not in first.tables)
        moved = second.tables["t1"]
        assert moved.clock_runs
        press = Command(id="c" * 32, table="t1", station="white", body=cmd.Press())
        assert (await moved.submit(press)).outcome.ok
        entries, chain = await second.journal.record("t1")
        told = [event_in(one.body) for one in entries]
        over = next(one for one in told if isinstance(one, HandedOver))
        taken = next(one for one in told if isinstance(one, TakenOver))
        assert not chain.wrong and chain.last == last_link(entries)
        left = moved.state.time.clock.remaining(Seat.WHITE, moved.clock.mono_ms())
        ran = SystemClock().wall_ms() - begun_at
        assert abs(whole - left - ran) <= taken.uncertain_ms + 1_000, "it ran all the while"
        assert "interrupted" not in [one.kind for one in entries[-6:]]
        assert taken.at >= over.at and taken.own_less_run_ms == moved.ahead_ms < -4_000_000
        with pytest.raises(TableLeft):
            await table.submit(press)

        runner, number = CliRunner(), first.sharing.own
        asked = [address, "--table", "t1", "--to", str(number)]
        done = await asyncio.to_thread(runner.invoke, servers, asked)
        assert f"Server {number} ()" not in done.output and "tables: 1, t1" in done.output, done.exception
        evened_out = await asyncio.to_thread(runner.invoke, servers, [address, "--evenly", "--json"])
        facts = {one["number"]: one["tables"] for one in msgspec.json.decode(evened_out.stdout)}
        assert facts == {number: ["t1"], second.sharing.own: []}, "one table cannot be shared out better"
        assert "--evenly alone" in str(runner.invoke(servers, [address, "--evenly", "--away-from", "1"]).exception)
        assert "No server with the number 99" in str(runner.invoke(servers, [address, "--away-from", "99"]).exception)
        await turn(lambda: "t1" in first.tables and "t1" not in second.tables)
        again = first.tables["t1"]
        told = [event_in(one.body) for one in await first.journal.read("t1")]
        _, back = (one for one in told if isinstance(one, TakenOver))
        unsure = taken.uncertain_ms + back.uncertain_ms
        assert abs(again.ahead_ms) <= unsure + 100, "the table's time is that in which it began"
        assert (await again.submit(press)).outcome.ok, "asked again, it is answered as before"


async def test_what_a_dead_server_led_the_others_take_up(tmp_path: Path, cluster: Cluster) -> None:
    address = await begun(tmp_path, cluster)
    async with sharing(tmp_path / "b", address) as second:
        async with sharing(tmp_path / "a", address, 5_000_000) as first:
            assert set(second.tables) == {"t1"} and not first.tables
            assert first.sharing is not None and second.sharing is not None
            second.sharing._leases.want(["t1"], first.sharing.own)
            first.sharing._leases.want(["t1"], first.sharing.own)
            await turn(lambda: "t1" in first.tables)
            table = first.tables["t1"]
            whole = table.state.time.clock.remaining(Seat.WHITE, 0)
            assert (await table.own(table.program_command(cmd.Resume()))).outcome.ok
            await turn(lambda: first.witnessed_ms > 0)
            with pytest.raises(Complaint, match="Another server leads the hall"):
                await open_record(DataFolder(tmp_path), address)
        await turn(lambda: "t1" in second.tables)
        table = second.tables["t1"]
        await turn(lambda: not table.clock_runs)
        left = table.state.time.clock.remaining(Seat.WHITE, table.clock.mono_ms())
        assert whole - 30_000 < left < whole, "it stands at the last witness, understood in the table's time"


@pytest.mark.law("L066")
async def test_a_server_that_others_hold_for_dead_comes_back_and_ends_only_where_one_leads_the_whole_hall(
    tmp_path: Path, cluster: Cluster
) -> None:
    """As after its way to the database was cut for longer than a lease lasts."""
    address = await begun(tmp_path, cluster)
    name = address.rpartition("/")[2]
    async with sharing(tmp_path / "a", address) as first:
        assert first.sharing is not None and first.leading is not None
        table, number = first.tables["t1"], first.sharing.own
        assert (await table.own(table.program_command(cmd.Resume()))).outcome.ok
        cluster.do("UPDATE anna_eins.servers SET ended = true", name)
        await turn(lambda: "t1" in first.tables and first.tables["t1"] is not table)
        again = first.tables["t1"]
        await turn(lambda: not again.clock_runs)
        assert first.sharing.own != number and not first.leading.lost.is_set()
        assert (await again.own(again.program_command(cmd.Resume()))).outcome.ok
        assert not (await table.own(table.program_command(cmd.Resume()))).outcome.ok, "nobody plays at the old one"
        await first.admissions.admit("1" * 32, Admission("t1", "board", "display", "", (), 1))

        async with sharing(tmp_path / "b", address) as second:
            assert second.sharing is not None
            number = first.sharing.own
            cluster.do(f"UPDATE anna_eins.servers SET ended = true WHERE number = {number}", name)
            await turn(lambda: first.sharing is not None and first.sharing.own != number)
            await turn(lambda: ("t1" in first.tables) != ("t1" in second.tables))
            leads, other = (first, second) if "t1" in first.tables else (second, first)
            assert leads.sharing is not None and other.sharing is not None
            leads.sharing._leases.want(["t1"], other.sharing.own)
            await turn(lambda: "t1" in other.tables and "t1" not in leads.tables)
            entries, chain = await first.journal.record("t1")
            assert not chain.wrong and entries[-1].seq == other.tables["t1"].seq

        cluster.do("UPDATE anna_eins.servers SET ended = true", name)
        cluster.do("INSERT INTO anna_eins.servers (addresses) VALUES ('{}')", name)
        await turn(first.leading.lost.is_set)
        assert not first.tables, "another one leads the whole hall, so this one ends"


@pytest.mark.law("L092")
async def test_a_sound_of_a_server_that_ended_is_heard_at_the_other(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ended before it was sent otherwise, so it is sent as the server ends."""
    address = await begun(tmp_path, cluster)
    with one_bucket(monkeypatch) as bucket:
        sounds = bucket_of(bucket.address, bucket.endpoint)
        async with sharing(tmp_path / "b", address, sounds=sounds) as second:
            async with sharing(tmp_path / "a", address, sounds=sounds) as first:
                second.sharing._leases.want(["t1"], first.sharing.own)  # type: ignore[union-attr]
                await turn(lambda: "t1" in first.tables)
                table = first.tables["t1"]
                kept = await first.evidence.keep("t1", "u1", b"\x00\x10" * 800, 16_000)
                assert isinstance(kept, EvidenceFile)
                said = {"text": "e4", "utterance": "u1", "sha256": kept.sha256, "length_ms": 50, "listener": "arbiter"}
                await table.own(table.program_command(cmd.NoteSpoken(seat=None, **said)))
                assert await second.evidence.read("t1", "u1") is None, "it is not there yet"
            await turn(lambda: "t1" in second.tables)
            found = await second.evidence.read("t1", "u1")
            assert found is not None and hashlib.sha256(found).hexdigest() == kept.sha256
            assert not (tmp_path / "b" / "audio" / "t1").exists()


def test_a_table_goes_to_the_server_that_leads_the_fewest() -> None:
    among = [Neighbour(1, (), 3), Neighbour(2, (), 0), Neighbour(5, (), 1)]
    assert spread(["a", "b", "c", "d"], among) == {"a": 2, "b": 2, "c": 5, "d": 2}
    assert spread(["a"], []) == {}
