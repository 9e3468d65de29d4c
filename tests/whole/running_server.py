"""The real server as a child process: started by its command line, killed or stopped by a signal."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from speech.models.whisper import DATA_VARIABLE, users_folder
from tests.waiting import PATIENCE_S

RUN = "from server.cli import main; main()"
STOP_S = 20.0
"""In which a server has ended in good order; each of its engines may take a second, on a busy machine in turn."""


class RunningServer:
    """One run of `anna-eins serve` on a data folder."""

    def __init__(self, process: asyncio.subprocess.Process, told: str) -> None:
        self.process = process
        self.told = told
        local = re.search(r"On this computer:\s+http://localhost:(\d+)", told)
        assert local is not None, told
        self.port = int(local[1])
        self.base = f"http://127.0.0.1:{self.port}"
        self.arbiter_secrets = dict(re.findall(r"Table (\S+)\n\s+Arbiter, open this once: \S+#join=(\S+)", told))

    @classmethod
    async def start(cls, repo: Path, data: Path, *more: str, port: int = 0) -> RunningServer:
        """Start it and wait until it says that it takes connections."""
        return await cls.told(
            await begin(repo, "serve", "--data", str(data), "--port", str(port), "--demo-table", *more)
        )

    @classmethod
    async def told(cls, process: asyncio.subprocess.Process) -> RunningServer:
        """Wait until a server that was begun says that it takes connections."""
        assert process.stdout is not None
        told = ""
        async with asyncio.timeout(PATIENCE_S):
            while "the arbiter admits each device" not in told:
                line = await process.stdout.readline()
                assert line, f"the server ended with {await process.wait()} after saying {told!r}"
                told += line.decode().replace("\r\n", "\n")
        return cls(process, told)

    def children(self) -> list[int]:
        """The processes of its engines (Linux; elsewhere none are found)."""
        pid = self.process.pid
        place = Path(f"/proc/{pid}/task/{pid}/children")
        return [int(child) for child in place.read_text().split()] if place.exists() else []

    async def kill(self) -> None:
        """SIGKILL, and wait until it is gone."""
        self.process.send_signal(signal.SIGKILL)
        assert await self.process.wait() == -signal.SIGKILL

    async def stop(self, seconds: float) -> int:
        """SIGTERM; the exit status. Fails where the server takes longer than `seconds`."""
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(seconds):
            return await self.process.wait()


async def begin(repo: Path, *arguments: str, program: str = RUN) -> asyncio.subprocess.Process:
    """Start the command line as its users do; stdout and stderr are one stream, in the order written.

    It finds no model of Whisper, which costs more to load than all the rest of a server, unless ANNA_EINS_DATA says
    whose models it finds (`listen_with_whisper`).
    """
    places = [*filter(None, [os.environ.get("PYTHONPATH")]), str(repo)]
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-c", program, *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={DATA_VARIABLE: os.devnull, **os.environ, "PYTHONPATH": os.pathsep.join(places)},
    )


def listen_with_whisper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what is begun in this test find the models of the user who runs it."""
    monkeypatch.setenv(DATA_VARIABLE, str(users_folder()))


async def finished(repo: Path, *arguments: str) -> tuple[int, str]:
    """Run a command to its end: exit status and what it printed."""
    process = await begin(repo, *arguments)
    async with asyncio.timeout(PATIENCE_S):
        printed, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, printed.decode()
