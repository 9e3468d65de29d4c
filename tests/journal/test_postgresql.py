"""What only PostgreSQL has: rights, leases, a way that breaks; and one plain sentence for what cannot be used."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

import psycopg
import pytest

from server.journal.admissions import Admission
from server.journal.entry import Entry, Outcome, Run
from server.journal.failure import JournalFailed, LedElsewhere
from server.journal.journal import Journal
from server.journal.postgresql import schema
from server.journal.postgresql.admissions import AdmissionRows
from server.journal.postgresql.database import Database
from server.journal.postgresql.leases import Leases, Settled
from server.journal.postgresql.schema import check_database, prepare_database
from server.journal.postgresql.store import PostgresStore
from server.journal.postgresql.watch import LEASE_MS
from speech.complaint import Complaint
from tests.journal.conftest import MakeEntry
from tests.postgresql import ROLE, SECRET, Cluster
from tests.waiting import PATIENCE_S
from tests.web.cable import cable

pytestmark = pytest.mark.needs("postgresql")
COMMAND = "0123456789abcdef0123456789abcdef"
RECORD = ("events", "outcomes", "witnesses", "runs")


@pytest.fixture
def hall(cluster: Cluster) -> str:
    return cluster.fresh()


async def begun(cluster: Cluster, hall: str, run: str = "run1") -> tuple[Journal, PostgresStore]:
    store = PostgresStore.open(Database(cluster.address(hall)))
    journal = Journal(store)
    await journal.begin_run(Run(run, 0, 0, "0"))
    return journal, store


def seen_to_be_silent(leases: Leases) -> None:
    """These leases look for as long as a lease lasts, by a clock of their own."""
    for now in range(0, LEASE_MS + 1_000, 1_000):
        leases._now_ms = partial(int, now)
        leases.servers_seen()


async def test_a_server_that_says_that_it_lives_while_it_is_declared_ended_goes_on(cluster: Cluster, hall: str) -> None:
    first, second = Leases(Database(cluster.address(hall))), Leases(Database(cluster.address(hall)))
    for one in (first, second):
        one.register(shares=True)
    seen_to_be_silent(second)
    assert second.servers_seen().dead == (first.server,)
    seen, marks = second.servers_seen, second._watch.mark_of
    second.servers_seen = lambda: (seen(), first.renew())[0]  # type: ignore[method-assign]
    assert not second.end_the_dead() and marks(first.server) is not None
    second.servers_seen = seen  # type: ignore[method-assign]
    assert first.renew() == frozenset() and second.end_the_dead() and second.servers_seen().dead == ()
    for one in (first, second):
        one.close()


async def test_no_outage_ends_a_server_whatever_the_clock_of_the_database_says(cluster: Cluster, hall: str) -> None:
    """Before, the first one that asked afterwards declared ended all whom the outage had made silent, itself too."""
    first, second = Leases(Database(cluster.address(hall))), Leases(Database(cluster.address(hall)))
    for one in (first, second):
        one.register(shares=True)
    for one in (first, second):
        assert len(one.servers_seen().servers) == 2
    assert first.take("t1")
    cluster.do("UPDATE anna_eins.servers SET renewed = renewed - interval '1 day'", hall)
    cluster.do("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'anna-eins'")
    for one in (second, first):
        with pytest.raises(JournalFailed):
            one.servers_seen()
    third = Leases(Database(cluster.address(hall)))
    assert third.share_hall() is third.lead_hall() is Settled.UNKNOWN, "it has not looked for long enough"
    for one in (second, first):
        assert (
            one.servers_seen().dead == ()
            and one.end_the_dead()
            and {found.number for found in one.servers_seen().servers} == {1, 2}
        )
    assert second.renew() == frozenset() and first.renew() == {"t1"}
    assert third.lead_hall() is Settled.LED and third.share_hall() is Settled.LEADS
    for one in (first, second, third):
        one.close()


@pytest.mark.law("L066")
async def test_neither_the_role_of_the_server_nor_the_owner_changes_the_record(
    cluster: Cluster, hall: str, envelope: MakeEntry
) -> None:
    journal, _ = await begun(cluster, hall)
    await journal.append([envelope(1, command=COMMAND)], Outcome(COMMAND, "t1", "st1", b"{}"))
    await journal.witness("run1", 1, 1)
    before = [cluster.do(f"SELECT * FROM anna_eins.{table}", hall) for table in RECORD]
    with psycopg.connect(cluster.address(hall), autocommit=True) as server:
        for table in RECORD:
            for act in (f"UPDATE anna_eins.{table} SET digest = NULL", "DELETE FROM anna_eins." + table):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    server.execute(act.replace("digest", "link" if table == "events" else "digest"))
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                server.execute(f"TRUNCATE anna_eins.{table} CASCADE")
    for table in RECORD:
        with pytest.raises(psycopg.errors.IntegrityError, match="only added to"):
            cluster.do(f"DELETE FROM anna_eins.{table}", hall)
    assert [cluster.do(f"SELECT * FROM anna_eins.{table}", hall) for table in RECORD] == before
    await journal.close()


async def test_the_role_of_the_server_lets_nobody_in_again_and_cannot_use_up_the_number_of_a_lease(
    cluster: Cluster, hall: str
) -> None:
    journal, store = await begun(cluster, hall)
    for table in ("t1", "t2"):
        assert store.leases.take(table)
    key = bytes(32)
    rows = AdmissionRows(Database(cluster.address(hall)), store.leases)
    rows.admit(key, Admission("t1", "anna", "tactile", "white", (), 1))
    rows.reach(key, "t2", None)
    rows.revoke("t2", "anna", 2)
    rows.reach(key, "t2", None)  # while the device stands, a table may be given to it again
    rows.revoke_everywhere("anna", 3)
    with psycopg.connect(cluster.address(hall), autocommit=True) as server:
        for act in (
            "UPDATE anna_eins.admissions SET revoked_wall_ms = NULL",
            "UPDATE anna_eins.admissions SET revoked_wall_ms = 9",
            "UPDATE anna_eins.admissions SET role = 'arbiter'",
            "UPDATE anna_eins.reach SET revoked_wall_ms = NULL",
            "UPDATE anna_eins.leases SET fence = 9223372036854775807",
            "INSERT INTO anna_eins.leases SELECT 't9', max(number), 2 FROM anna_eins.servers",
        ):
            with pytest.raises(psycopg.errors.IntegrityError):
                server.execute(act.encode())
    assert rows.load() == ([], True)
    rows.close()
    await journal.close()
    # A database in which it was done before ends no server: that table alone is led by nobody.
    last = "UPDATE anna_eins.leases SET fence = 9223372036854775807 WHERE \"table\" = 't1'"
    off, on = (f"ALTER TABLE anna_eins.leases {what} TRIGGER USER" for what in ("DISABLE", "ENABLE"))
    cluster.do(f"{off}; {last}; {on}", hall)
    for leading in (Leases.lead_hall, Leases.share_hall):
        leases = Leases(Database(cluster.address(hall)))
        assert leading(leases) is Settled.LEADS
        assert not leases.leads("t1") and leases.leads("t2") and not leases.take("t1")
        leases.end()
        leases.close()


async def test_a_server_that_slept_while_another_took_its_table_can_write_nothing(
    cluster: Cluster, hall: str, envelope: MakeEntry
) -> None:
    slept, first = await begun(cluster, hall)
    await slept.append([envelope(1)])
    other, second = await begun(cluster, hall, "run2")
    assert not second.leases.take("t1"), "who is alive keeps its tables"
    with pytest.raises(LedElsewhere):
        await other.append([envelope(2, run="run2")])
    seen_to_be_silent(second.leases)
    assert not second.leases.take("t1"), "nor are they taken before it was declared ended"
    assert second.leases.end_the_dead() and second.leases.take("t1")
    await other.append([envelope(2, run="run2")])
    late = envelope(3, command=COMMAND)
    for write in (slept.append([late]), slept.append([], Outcome(COMMAND, "t1", "st1", b"{}"))):
        with pytest.raises(LedElsewhere):
            await write
    assert await other.outcome_of(COMMAND) is None
    assert [one.run for one in await slept.read("t1")] == ["run1", "run2"]
    assert first.leases.renew() is None and second.leases.renew() == {"t1"}
    with pytest.raises(LedElsewhere):
        await slept.append([envelope(1, table="t2")])  # it leads nothing before it has come back
    assert not first.leases.take("t3")
    cluster.do("UPDATE anna_eins.servers SET shares = true", hall)
    number = first.leases.server
    assert first.leases.come_back() is Settled.LEADS and first.leases.server != number
    assert first.leases.renew() == frozenset() and first.leases.lead_hall() is Settled.LED
    await slept.append([envelope(1, table="t2")])  # it may lead what nobody leads
    second.leases.hand_over("t1", first.leases.server)
    with pytest.raises(LedElsewhere):
        await other.append([envelope(3, run="run2")])
    assert first.leases.take("t1")
    await slept.append([late])
    assert (await slept.record("t1"))[1].wrong == ""
    for journal in (slept, other):
        await journal.close()


async def test_who_leads_the_hall_raises_every_lease_and_an_earlier_server_takes_no_new_table(
    cluster: Cluster, hall: str, envelope: MakeEntry
) -> None:
    slept, first = await begun(cluster, hall)
    database = Database(cluster.address(hall))
    await slept.append([envelope(1)])
    with database.connect() as connection:
        first.leases.take_new(connection, ["t2"])  # and it falls asleep before the first event of that table
    leases = Leases(database)
    seen_to_be_silent(leases)
    assert leases.lead_hall() is Settled.LEADS and first.leases.come_back() is Settled.LED
    other = Journal(PostgresStore(database, leases))
    await other.begin_run(Run("run2", 0, 0, "0"))
    for table in ("t1", "t2", "t3"):
        with pytest.raises(LedElsewhere):
            await slept.append([envelope(2 if table == "t1" else 1, table=table)])
    await other.append([envelope(2, run="run2")])
    await other.append([envelope(1, table="t2", run="run2")])
    for journal in (slept, other):
        await journal.close()


async def test_a_table_that_is_opened_while_the_lease_is_renewed_stays_with_its_server(
    cluster: Cluster, hall: str, envelope: MakeEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, store = await begun(cluster, hall)
    asked = store.leases._ask

    def answered_late(question: str, *values: object) -> list[tuple[object, ...]]:
        rows = asked(question, *values)
        if question.startswith("SELECT"):
            with Database(cluster.address(hall)).connect() as connection:
                store.leases.take_new(connection, ["t1"])
        return rows

    with monkeypatch.context() as patched:
        patched.setattr(store.leases, "_ask", answered_late)
        assert store.leases.renew() == frozenset()
    await journal.append([envelope(1)])
    assert store.leases.renew() == {"t1"}
    await journal.close()


async def test_a_cut_fails_what_waits_and_nothing_is_lost_or_written_twice_afterwards(
    cluster: Cluster, hall: str, envelope: MakeEntry
) -> None:
    async with cable(f"http://localhost:{cluster.port}") as line:
        port = int(line.base.rpartition(":")[2])
        store = await asyncio.to_thread(PostgresStore.open, Database(cluster.address(hall, port=port)))
        store.answers_within_s = PATIENCE_S
        journal = Journal(store)
        await journal.begin_run(Run("run1", 0, 0, "0"))
        await journal.append([envelope(1)])
        line.pull()
        store.answers_within_s = 0.5
        with pytest.raises(JournalFailed, match="does not answer"):
            await journal.append([envelope(2)])
        with pytest.raises(JournalFailed, match="does not answer"):
            await journal.read("t1")
        line.put_back()
        store.answers_within_s = PATIENCE_S
        kept: list[Entry] = []
        while not kept:
            try:
                kept = await journal.read("t1")
            except JournalFailed:
                await asyncio.sleep(0)
        await journal.append([envelope(len(kept) + 1)])
        entries, chain = await journal.record("t1")
        assert [one.seq for one in entries] == list(range(1, len(kept) + 2)) and not chain.wrong
        await journal.close()


def sentence(address: str, *, reading: bool = False) -> str:
    with pytest.raises(Complaint) as told:
        check_database(Database(address), reading=reading)
    said = str(told.value)
    assert "\n" not in said and said.endswith(".") and SECRET not in said and "wrong-secret" not in said
    return said


async def test_a_database_of_the_first_form_is_brought_up_to_date_with_all_that_is_in_it(
    cluster: Cluster, hall: str, envelope: MakeEntry
) -> None:
    """The first form knew one leader of all tables, and no wish that another server lead one."""
    cluster.do("DROP SCHEMA anna_eins CASCADE", hall)
    cluster.do(schema._TABLES + schema._refusals() + schema._GRANTS.format(role=ROLE), hall)
    cluster.do(
        "SET search_path = anna_eins; INSERT INTO servers (addresses, ended) VALUES ('{}', true); "
        "INSERT INTO leases VALUES ('t1', 1, 7); INSERT INTO runs (run, started_mono_ms, started_wall_ms, "
        "program_version) VALUES ('old', 0, 0, '0.1'); INSERT INTO events SELECT 't1', 1, 'old', '', 'st1', '', '', 5, "
        "5, 1, 'made', '{}', NULL, 7",
        hall,
    )
    with pytest.raises(Complaint, match="older Anna Eins"):
        check_database(Database(cluster.address(hall)))
    prepare_database(Database(cluster.admin(hall)), ROLE)
    check_database(Database(cluster.address(hall)))
    journal, store = await begun(cluster, hall)
    assert store.leases.take("t1") and store.leases.fence_of("t1") == 8, "the number of the lease goes on from there"
    await journal.append([envelope(2)])
    assert [one.run for one in await journal.read("t1")] == ["old", "run1"]
    assert store.leases.want(["t1"], 1) == 0 and store.leases.servers_seen().led[0].wanted is None
    with pytest.raises(psycopg.errors.IntegrityError, match="only added to"):
        cluster.do("DELETE FROM anna_eins.events", hall)
    with pytest.raises(psycopg.errors.IntegrityError, match="only rises"):
        cluster.do("UPDATE anna_eins.leases SET fence = 1", hall)
    prepare_database(Database(cluster.admin(hall)), ROLE)  # again changes nothing
    assert cluster.do("SELECT form FROM anna_eins.about", hall) == [(schema.FORM,)]
    await journal.close()


def test_what_cannot_be_used_is_told_in_one_sentence_without_the_password(
    cluster: Cluster, hall: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    assert "not a PostgreSQL address" in sentence("postgresql://anna:wrong-secret@[/hall")
    assert "password authentication failed" in sentence(cluster.address(hall, secret="wrong-secret"))
    assert "does not exist" in sentence(cluster.address("nowhere"))
    assert "refused" in sentence(cluster.address(hall, port=1))
    assert "could change the record" in sentence(cluster.admin(hall))
    cluster.do("CREATE DATABASE empty")
    assert "record prepare" in sentence(cluster.address("empty"))
    cluster.do("ALTER TABLE anna_eins.events DISABLE TRIGGER led", hall)
    assert "protection against changes was removed" in sentence(cluster.address(hall))
    prepare_database(Database(cluster.admin(hall)), ROLE)
    check_database(Database(cluster.address(hall)))
    cluster.do("UPDATE anna_eins.about SET form = 9", hall)
    assert "newer Anna Eins" in sentence(cluster.address(hall), reading=True)
    monkeypatch.setattr("server.journal.postgresql.schema.OLDEST", 99)
    assert "the record needs 99 or later" in sentence(cluster.address(hall))
    assert SECRET not in repr(Database(cluster.address(hall))) + caplog.text


def test_the_owner_of_the_record_is_not_its_server(cluster: Cluster, hall: str) -> None:
    with pytest.raises(Complaint, match="must not own the record"):
        prepare_database(Database(cluster.admin(hall)), "administrator")


@pytest.mark.parametrize(
    "row",
    [
        "(DEFAULT, ARRAY['http://x'], 'infinity')",
        "(DEFAULT, ARRAY['http://x'], '-infinity')",
        "(DEFAULT, ARRAY['http://x'], '294276-12-31')",
        "(DEFAULT, ARRAY[NULL, 'http://x'], now())",
        "(DEFAULT, ARRAY[ARRAY['http://x'], ARRAY['y']], now())",
        "(9223372036854775807, ARRAY['http://x'], now())",
    ],
)
def test_one_row_of_a_server_that_the_role_wrote_ends_no_other_server(cluster: Cluster, hall: str, row: str) -> None:
    with psycopg.connect(cluster.address(hall), autocommit=True) as role:
        made = f"INSERT INTO anna_eins.servers (number, addresses, renewed) OVERRIDING SYSTEM VALUE VALUES {row}"
        role.execute(made.encode())
    leases = Leases(Database(cluster.address(hall)))
    try:
        settled = leases.lead_hall()
        if settled is not Settled.LEADS:
            seen_to_be_silent(leases)
            settled = leases.lead_hall()
        assert settled is Settled.LEADS and leases.take("t1")
        assert set(leases.servers_seen().addresses) <= {"http://x", "y"}
    finally:
        leases.close()
