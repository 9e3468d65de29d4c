"""Admissions: kept as hashes, over restarts, until revoked."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from server.hall.record import database_of
from server.journal.admissions import Admission, Admissions, hash_of, new_token
from server.journal.admissions_file import AdmissionsFile, open_admissions
from server.journal.failure import JournalFailed, LedElsewhere
from server.journal.postgresql.admissions import AdmissionRows
from server.journal.postgresql.leases import Leases, Settled
from speech.complaint import Complaint
from tests.journal.conftest import BOTH
from tests.postgresql import Cluster
from tests.waiting import PATIENCE_S

ANNA = Admission("t1", "board-1", "tactile", "white", (), 1_700_000_000_000)
HELPER = Admission("t1", "helper-1", "assistant", "white", ("D.2.10.1", "D.2.10.3"), 1_700_000_000_001)


@pytest.fixture(params=BOTH)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Admissions]:
    """Opens the same admissions, in a file or in a database, as often as a server is started."""
    if request.param == "sqlite":
        return lambda: open_admissions(tmp_path / "admissions.sqlite")
    cluster: Cluster = request.getfixturevalue("cluster")
    database = database_of(cluster.address(cluster.fresh()))
    return lambda: Admissions(AdmissionRows(database))


@pytest.mark.law("L199")
async def test_an_admission_lasts_over_a_restart_until_it_is_revoked(opened: Callable[[], Admissions]) -> None:
    anna, helper = new_token(), new_token()
    admissions = opened()
    await admissions.admit(anna, ANNA)
    await admissions.admit(helper, HELPER)
    assert admissions.admission_of(anna) == ANNA
    await admissions.close()

    admissions = opened()
    assert admissions.admission_of(helper) == HELPER
    assert admissions.of_table("t1") == [ANNA, HELPER]
    assert admissions.of_table("t2") == []
    assert await admissions.revoke("t1", "helper-1", 1_700_000_000_002) == 1
    assert await admissions.revoke("t1", "nobody", 0) == 0
    assert admissions.admission_of(helper) is None
    assert admissions.admission_of(anna) == ANNA
    await admissions.close()

    admissions = opened()
    assert admissions.admission_of(helper) is None
    assert admissions.admission_of(anna) == ANNA
    with pytest.raises(ValueError, match="before"):
        await admissions.admit(helper, HELPER)
    await admissions.close()
    await admissions.close()


async def test_what_a_token_opens_more_lasts_too(opened: Callable[[], Admissions]) -> None:
    arbiter, player = new_token(), new_token()
    admissions = opened()
    await admissions.admit(arbiter, Admission("", "arbiter-1", "arbiter", "", (), 1))
    await admissions.admit(player, ANNA)
    await admissions.extend(arbiter, "t1")
    await admissions.carry("t1", "t2", {"white": "black"})
    await admissions.close()
    admissions = opened()
    assert {one.table for one in admissions.admissions_of(arbiter)} == {"", "t1", "t2"}
    assert {(one.table, one.seat) for one in admissions.admissions_of(player)} == {("t1", "white"), ("t2", "black")}
    assert await admissions.revoke("t2", "board-1", 2) == 1
    await admissions.adopt([(hash_of(player), ANNA), (hash_of(new_token()), HELPER)])
    assert [one.station for one in admissions.of_table("t2")] == ["arbiter-1"]
    assert [one.station for one in admissions.of_table("t1")] == ["arbiter-1", "board-1", "helper-1"]
    await admissions.close()


@pytest.mark.law("L199")
async def test_what_is_read_anew_brings_no_device_back_that_was_just_sent_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    admissions, helper = open_admissions(tmp_path / "admissions.sqlite"), new_token()
    await admissions.admit(helper, HELPER)
    was_read, goes_on, load = threading.Event(), threading.Event(), admissions._store.load

    def slow() -> object:
        found = load()
        was_read.set()
        goes_on.wait(PATIENCE_S)
        return found

    monkeypatch.setattr(admissions._store, "load", slow)
    reading = asyncio.create_task(admissions.reload())
    assert await asyncio.to_thread(was_read.wait, PATIENCE_S)
    sending_away = asyncio.create_task(admissions.revoke("t1", "helper-1", 1_700_000_000_002))
    await asyncio.sleep(0)
    goes_on.set()
    await reading
    assert admissions.admission_of(helper) is None
    await sending_away
    await admissions.close()


@pytest.mark.needs("postgresql")
async def test_a_server_that_was_declared_ended_admits_nobody_and_sends_nobody_away(cluster: Cluster) -> None:
    """As one that slept while another took its tables over."""
    name = cluster.fresh()
    database = database_of(cluster.address(name))
    slept, awake = Leases(database), Leases(database)
    slept.register()
    admissions = Admissions(AdmissionRows(database, slept))
    anna, late = new_token(), new_token()
    await admissions.admit(anna, ANNA)
    cluster.do("UPDATE anna_eins.servers SET ended = true", name)
    assert awake.lead_hall() is Settled.LEADS
    there = Admissions(AdmissionRows(database, awake))
    for refused in (
        admissions.admit(late, HELPER),
        admissions.carry("t1", "t2", {}),
        admissions.revoke("t1", "board-1", 1),
    ):
        with pytest.raises(LedElsewhere):
            await refused
    await there.reload()
    assert (there.admission_of(anna), there.admission_of(late)) == (ANNA, None)
    assert there.of_table("t2") == []
    for one in (admissions, there):
        await one.close()
    slept.close()
    awake.close()


@pytest.mark.parametrize("token", ["", "0" * 31, "0" * 33, "g" * 32, "A" * 32, "' OR 1=1 --", "\x00" * 32, "é" * 32])
async def test_what_is_no_token_admits_nobody(tmp_path: Path, token: str) -> None:
    admissions = open_admissions(tmp_path / "admissions.sqlite")
    assert admissions.admission_of(token) is None
    with pytest.raises(ValueError, match="32 hex"):
        await admissions.admit(token, ANNA)
    assert admissions.admission_of(token) is None
    await admissions.close()


async def test_the_token_itself_is_nowhere_on_disk_and_the_files_are_private(tmp_path: Path) -> None:
    admissions = open_admissions(tmp_path / "admissions.sqlite")
    token = new_token()
    await admissions.admit(token, ANNA)
    files = list(tmp_path.iterdir())
    written = b"".join(file.read_bytes() for file in files)
    assert hash_of(token) in written
    assert token.encode() not in written
    assert bytes.fromhex(token) not in written
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    await admissions.close()


def test_tokens_are_128_random_bits() -> None:
    tokens = {new_token() for _ in range(1_000)}
    assert len(tokens) == 1_000
    assert {len(bytes.fromhex(token)) for token in tokens} == {16}
    ones = sum(int(token, 16).bit_count() for token in tokens)
    assert 63_000 < ones < 65_000


async def test_a_failing_disk_admits_nobody_and_still_revokes(tmp_path: Path) -> None:
    path = tmp_path / "admissions.sqlite"
    admissions = open_admissions(path)
    anna, late = new_token(), new_token()
    await admissions.admit(anna, ANNA)
    assert isinstance(admissions._store, AdmissionsFile)
    admissions._store._connection.execute("PRAGMA busy_timeout = 20")
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalFailed):
            await admissions.admit(late, HELPER)
        assert admissions.admission_of(late) is None
        with pytest.raises(JournalFailed):
            await admissions.revoke("t1", "board-1", 0)
        assert admissions.admission_of(anna) is None
        await admissions.reload()
        assert admissions.admission_of(anna) is None, "what is on the disk does not bring it back"
        holder.execute("ROLLBACK")
    await admissions.reload()
    assert admissions.admission_of(anna) is None
    await admissions.close()
    again = open_admissions(path)
    assert again.admission_of(anna) is None, "it was written as soon as the disk took it"
    await again.close()


def test_a_strange_file_is_told_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "admissions.sqlite"
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(Complaint, match="cannot be read"):
        open_admissions(path)
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE admissions (everyone)")
    with pytest.raises(Complaint, match="not an admissions file"):
        open_admissions(path)
    with pytest.raises(Complaint, match="cannot be written"):
        open_admissions(tmp_path / "missing" / "admissions.sqlite")


@pytest.mark.law("L122")
async def test_who_was_sent_away_while_the_disk_took_nothing_does_not_come_back_with_a_restart(tmp_path: Path) -> None:
    """Nobody else writes to the file: the look of every second alone must see that something is still to be written."""
    path = tmp_path / "admissions.sqlite"
    admissions, anna, chief = open_admissions(path), new_token(), new_token()
    await admissions.admit(anna, ANNA)
    await admissions.admit(chief, Admission("", "arbiter-1", "arbiter", "", (), 1))
    assert isinstance(admissions._store, AdmissionsFile)
    admissions._store._connection.execute("PRAGMA busy_timeout = 20")
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        for failing in (admissions.revoke("t1", "board-1", 2), admissions.revoke_everywhere("arbiter-1", 2)):
            with pytest.raises(JournalFailed):
                await failing
        holder.execute("ROLLBACK")
    await admissions.look()
    await admissions.close()
    again = open_admissions(path)
    assert again.everybody() == ()
    await again.close()


@pytest.mark.law("L122")
async def test_what_the_terminal_did_is_seen_also_where_it_could_not_be_read_at_the_first_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "admissions.sqlite"
    admissions, anna = open_admissions(path), new_token()
    await admissions.admit(anna, ANNA)
    terminal = open_admissions(path)
    await terminal.revoke_everywhere("board-1", 2)
    await terminal.close()

    def fails() -> object:
        raise JournalFailed("The disk is silent.")

    with monkeypatch.context() as silent:
        silent.setattr(admissions._store, "load", fails)
        with pytest.raises(JournalFailed):
            await admissions.look()
    await admissions.look()
    assert admissions.admission_of(anna) is None
    await admissions.close()
