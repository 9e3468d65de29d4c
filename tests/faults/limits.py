"""The whole server where the machine gives it little: few descriptors, no room, no right to write, no temporary folder.

It serves, with a game that can be played, or it ends with one plain sentence.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from server.game import acts as cmd
from tests.conftest import REPO
from tests.faults.tally import Tally
from tests.whole.running_server import RUN, RunningServer
from tests.whole.wire_client import WireClient

STOP_S = 20.0
IN_OWN_ROOM = ("unshare", "-rm")
"""A room of mounts of its own, where this process may do as root does."""
LITTLE = 'mount -t tmpfs -o {} none {{data}}; exec "$@"'
NO_PLACE = (
    'for one in /tmp /var/tmp /usr/tmp; do [ -d $one ] && mount -t tmpfs -o ro none $one; done; cd /tmp; exec "$@"'
)


class Case(msgspec.Struct, frozen=True):
    """A lack, made by a line of the shell that starts the server; `serves`: whether a game must be possible."""

    lack: str
    shell: str
    serves: bool
    mounts: bool = False


CASES = (
    Case("64 descriptors", 'ulimit -n 64; exec "$@"', True),
    Case("24 descriptors", 'ulimit -n 24; exec "$@"', False),
    Case("a read-only data folder", LITTLE.format("ro"), False, True),
    Case("a disk of 200 kB", LITTLE.format("size=200k"), False, True),
    Case("a disk without inodes", LITTLE.format("nr_inodes=2"), False, True),
    Case("no temporary folder", NO_PLACE, True, True),
    Case("no file beyond 20 kB", 'ulimit -f 20; exec "$@"', False),
    Case("no home folder", 'unset HOME TMPDIR; exec "$@"', True),
)


def limits(count: int, minutes: float, seed: int) -> Tally:
    """Each case once, and again as long as there are tries."""
    tally = Tally("lack of the machine")
    for number in tally.trials(count, minutes):
        case = CASES[number % len(CASES)]
        if case.mounts and subprocess.run([*IN_OWN_ROOM, "true"], check=False, capture_output=True).returncode:
            tally.seen["not possible on this machine"] += 1
            continue
        found, wrong = asyncio.run(started(case))
        tally.seen[found] += 1
        tally.check(not wrong, f"{case.lack}: {wrong}")
    return tally


async def started(case: Case) -> tuple[str, str]:
    """Start the server under one lack; what was seen, and what was wrong with it."""
    place = Path(tempfile.mkdtemp(prefix="anna-eins-lack-", dir=lasting_place()))
    data = place / "data"
    data.mkdir()
    server = (sys.executable, "-P", "-c", RUN, "serve", "--data", str(data), "--port", "0", "--demo-table")
    process = await asyncio.create_subprocess_exec(
        *(IN_OWN_ROOM if case.mounts else ()),
        *("sh", "-c", case.shell.replace("{data}", str(data)), "sh"),
        *server,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": str(REPO)},
    )
    told = ""
    try:
        assert process.stdout is not None
        async with asyncio.timeout(60):
            while "the arbiter admits each device" not in told and (line := await process.stdout.readline()):
                told += line.decode()
        if "the arbiter admits each device" in told:
            await played(RunningServer(process, told))
            process.terminate()
            async with asyncio.timeout(STOP_S):
                told += (await process.communicate())[0].decode()
            wrong = "" if process.returncode == 0 else f"it ended with status {process.returncode}"
            return "serving", wrong or traceback_in(told)
        status = await process.wait()
        wrong = f"it does not serve: {told[-300:]}" if case.serves else traceback_in(told)
        return "one sentence", wrong or (
            "" if status == 2 and told.count("\n") == 1 else f"status {status}: {told[-300:]}"
        )
    except (AssertionError, OSError, TimeoutError) as fault:
        return "broken", f"{type(fault).__name__} {fault} {told[-300:]}"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        shutil.rmtree(place, ignore_errors=True)


def lasting_place() -> str | None:
    """Where a folder can lie that is no temporary one: the case without such a place must not lose it."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def traceback_in(told: str) -> str:
    """The end of what was printed, where a traceback stands in it."""
    return f"a traceback: {told[-400:]}" if "Traceback" in told else ""


async def played(server: RunningServer) -> None:
    """An arbiter joins, starts the game, stops the clocks and starts them again, or hears that the disk is full."""
    arbiter = WireClient("arbiter")
    try:
        arbiter.base = server.base
        await arbiter.post("/api/join", {"secret": server.arbiter_secrets["demo"]})
        await arbiter.connect(server.base)
        for body in (
            cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"),
            cmd.StartGame(),
            cmd.Pause(reason=secrets.token_hex(4)),
            cmd.Resume(),
        ):
            answer = await arbiter.send(arbiter.command(body))
            assert answer.outcome.ok or answer.outcome.code == "not_recorded", answer
    finally:
        await arbiter.close()
