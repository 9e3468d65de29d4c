"""One server a data folder; SIGTERM ends it in good order; commands read the record beside it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from server.game import acts as cmd
from server.journal.sqlite.reader import JournalReader
from tests.whole.running_server import STOP_S, RunningServer, finished
from tests.whole.wire_client import WireClient


async def arbiter_at(server: RunningServer) -> WireClient:
    arbiter = WireClient("arbiter")
    arbiter.base = server.base
    await arbiter.post("/api/join", {"secret": server.arbiter_secrets["demo"]})
    await arbiter.connect(server.base)
    return arbiter


async def test_beside_a_running_server_no_second_one_has_its_folder_or_its_port_and_a_table_is_exported(
    repo: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    server = await RunningServer.start(repo, data)
    arbiter = None
    try:
        status, said = await finished(repo, "serve", "--data", str(data), "--port", "0", "--demo-table")
        assert status == 2
        assert said.count("\n") == 1, "one sentence"
        assert "Another Anna Eins server" in said and f"process {server.process.pid}" in said
        status, said = await finished(repo, "serve", "--data", str(tmp_path / "second"), "--port", str(server.port))
        assert status == 2
        assert said.startswith(f"Port {server.port} is in use by another program; stop that one, ")
        assert said.endswith("or choose another port with --port.\n")
        status, said = await finished(repo, "export", "demo", "--data", str(data))
        assert status == 0
        assert '[White "Anna"]' in said and '[TimeControl "5400+30"]' in said
        status, said = await finished(repo, "export", "nowhere", "--data", str(data))
        assert status == 2
        assert said.count("\n") == 1 and "demo" in said, "the tables there are"
        arbiter = await arbiter_at(server)  # the first one serves on
    finally:
        if arbiter is not None:
            await arbiter.close()
        assert await server.stop(STOP_S) == 0
    again = await RunningServer.start(repo, data)
    assert await again.stop(STOP_S) == 0


@pytest.mark.parametrize("clock_runs", [False, True])
async def test_sigterm_tells_the_stations_and_ends_in_time(repo: Path, tmp_path: Path, clock_runs: bool) -> None:
    data = tmp_path / "data"
    server = await RunningServer.start(repo, data)
    arbiter = await arbiter_at(server)
    try:
        if clock_runs:
            assert (await arbiter.send(arbiter.command(cmd.StartGame()))).outcome.ok
        waiting = asyncio.create_task(arbiter.leave())
        assert await server.stop(STOP_S) == 0
        await waiting
        assert arbiter.closed_with == [1001], "going away, said as WebSockets say it"
        assert not list(data.glob("*-wal")), "the journal was closed, not left for a recovery"
    finally:
        await arbiter.close()
    with JournalReader.open(data / "journal.sqlite") as journal:
        kinds = [envelope.kind for envelope in journal.read("demo")]
    assert ("game_started" in kinds) is clock_runs
