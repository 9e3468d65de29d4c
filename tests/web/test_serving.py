"""`anna-eins serve` as a process: listening soon, ended in order, and one sentence where it cannot serve."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import psutil
import pytest

from server.hall.hall import Hall
from server.machine.clock import SystemClock
from server.machine.data_folder import DataFolder
from server.settings import Settings, load_settings
from server.web.door.access import Place
from server.web.door.introductions import INTRODUCTIONS
from server.web.keys import ADDRESSES
from speech.complaint import Complaint
from tests.waiting import PATIENCE_S
from tests.web.open_house import open_house

COMMAND = [sys.executable, "-c", "from server.cli import main; main()", "serve"]


@contextmanager
def serving(repo: Path, data: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A server process, and what it said until its last line of welcome."""
    started = subprocess.Popen(
        [*COMMAND, "--port", "0", "--demo-table", "--data", str(data), *options],
        cwd=repo,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert started.stdout is not None
        said: list[str] = []
        for line in started.stdout:
            said.append(line.rstrip())
            if line.startswith("the arbiter admits"):
                break
        yield started, said
    finally:
        started.kill()
        started.communicate()


QUICKLY_S = 15.0
"""In which it listens, and has ended."""


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
async def test_it_serves_says_where_and_ends_in_order(repo: Path, tmp_path: Path, stop: signal.Signals) -> None:
    begun = time.monotonic()
    with serving(repo, tmp_path / "data") as (server, said):
        # Where other programs have the processor, the server itself has not worked for so long.
        took = min(time.monotonic() - begun, sum(psutil.Process(server.pid).cpu_times()[:4]))
        assert took < QUICKLY_S, "a server that listens late (this machine is shared: the bound is generous)"
        text = "\n".join(said)
        (base, secret) = re.search(r"Arbiter, open this once: (http://localhost:\d+)/#join=(\S+)", text).groups()  # type: ignore[union-attr]
        assert re.search(r"White, tactile: +\w+ \w+, \w+ \w+, \w+ \w+", text)
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            async with session.post(f"{base}/api/join", json={"secret": secret}, headers={"Origin": base}) as answer:
                assert (await answer.json())["page"] == "/arbiter?table=demo"
            line = await session.ws_connect(f"{base}/ws?page=arbiter", headers={"Origin": base})
            await line.send_str('{"kind":"hello"}')
            await line.receive(timeout=PATIENCE_S)
            server.send_signal(stop)
            while (message := await line.receive(timeout=PATIENCE_S)).type is not aiohttp.WSMsgType.CLOSE:
                assert message.type is aiohttp.WSMsgType.TEXT
            assert message.data == 1001
        assert server.wait(timeout=QUICKLY_S) == 0
        assert server.stderr is not None
        assert server.stderr.read() == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('port = "eighty"', "key port: expected a whole number, got text"),
        ("port = 99999", "key port: expected a whole number at most 65535"),
        ("prot = 1", "key prot: this entry is unknown"),
        ('hosts = ["a", 5]', "key hosts[2]: expected text"),
        ("port = ", "is not valid TOML"),
    ],
)
def test_a_bad_configuration_names_the_file_and_the_key(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "anna.toml"
    file.write_text(text)
    with pytest.raises(Complaint) as wrong:
        load_settings(file)
    assert str(file) in str(wrong.value)
    assert told in str(wrong.value)


def test_the_command_line_wins_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "anna.toml"
    file.write_text('port = 1\nhosts = ["hall.example"]\n')
    assert load_settings(file, port=2, lan=None) == Settings(port=2, hosts=("hall.example",))
    with pytest.raises(Complaint, match="cannot be read"):
        load_settings(tmp_path / "none.toml")


async def test_on_the_local_network_it_serves_https_with_its_own_certificate(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data", settings=Settings(port=0, lan=True, https_port=0)) as house:
        port = int(house.app[ADDRESSES].hall[0].rpartition(":")[2]) if house.app[ADDRESSES].hall else None
        if port is None:
            pytest.skip("this machine has no network address")
        secure = f"https://localhost:{port}"
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            asked = {"secret": house.arbiter_secret()}
            async with session.post(f"{secure}/api/join", json=asked, headers={"Origin": secure}, ssl=False) as answer:
                assert answer.status == 200
                assert "Secure" in answer.headers["Set-Cookie"]
                assert answer.headers["Set-Cookie"].startswith("__Host-anna-eins."), "of this host alone"
            async with session.get(f"{secure}/api/places", ssl=False) as answer:
                assert (await answer.json())["places"] != [], "and the browser is known by it"
            asked = {"code": " ".join(house.access.invite(Place(table="demo", page="display")).squares)}
            async with session.post(f"{secure}/api/join", json=asked, headers={"Origin": secure}, ssl=False) as answer:
                waiting = (await answer.json())["id"]
            (introduction,) = house.app[INTRODUCTIONS].waiting("demo")
            house.app[INTRODUCTIONS].refuse(introduction)
            async with session.get(f"{secure}/api/join/{waiting}", ssl=False) as answer:
                assert await answer.json() == {"state": "refused"}, "the device that waits is known too"
                dropped = [one for one in answer.headers.getall("Set-Cookie") if one.startswith("__Host-")]
                assert dropped and all("Max-Age=0" in one and "Secure" in one for one in dropped)
            async with session.get(f"{secure}/", headers={"Host": "evil.example"}, ssl=False) as answer:
                assert answer.status == 421
        arbiter = await house.arbiter()
        _, invited = await arbiter.post("/api/invitations", {"role": "display"})
        assert invited["link"].startswith(house.app[ADDRESSES].hall[0]), "a phone cannot open localhost"


async def test_a_hall_without_tables_serves(tmp_path: Path) -> None:
    from server.app import invite_to, listening

    with DataFolder.open(tmp_path / "data", lock=True) as data:
        hall = await Hall.open(data, SystemClock())
        async with listening(hall, Settings(port=0), data) as house:
            assert invite_to(house.app, house.local) == []
        await hall.close()
