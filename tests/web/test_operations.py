"""`/health` and `/metrics` tell those who run a server how it is, and nobody anything of a game."""

from __future__ import annotations

import re
from pathlib import Path

import aiohttp
import pytest

from server.app import invite_to
from server.game import acts as cmd
from server.settings import Settings
from server.web.visitors.operations import HERE, metrics_token
from speech.complaint import Complaint
from tests.hall.test_round_files import opened
from tests.web.open_house import open_house

TOKEN = "sixteen-or-more-letters"
LINE = re.compile(r"anna_eins_[a-z_]+(\{[a-z]+=\"[^\"]+\"\})? [-+.e0-9]+")


async def asked(session: aiohttp.ClientSession, url: str, **headers: str) -> tuple[int, str]:
    async with session.get(url, headers=headers) as answer:
        return answer.status, await answer.text()


async def test_health_and_figures_of_a_server(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN + "\n")
    settings = Settings(port=0, metrics_token_file=str(file))
    async with open_house(tmp_path / "data", settings=settings) as house, aiohttp.ClientSession() as session:
        health, metrics = f"{house.base}/health", f"{house.base}/metrics"
        ready = '{"ready":true,"leading":true,"record":true,"ears":false}'
        assert await asked(session, health) == (200, ready)
        status, before = await asked(session, metrics)
        assert status == 200
        lines = [line for line in before.splitlines() if not line.startswith("# ")]
        assert all(LINE.fullmatch(line) for line in lines), "as Prometheus reads it"
        assert 'anna_eins_tables{state="open"} 1' in lines and "anna_eins_ready 1" in lines
        table = house.table
        await table.own(table.program_command(cmd.StartGame()))
        status, after = await asked(session, metrics)
        names = [line.split()[0] for line in lines]
        assert names == [line.split()[0] for line in after.splitlines() if not line.startswith("# ")]
        changed = set(after.splitlines()) - set(before.splitlines())
        machine = ("anna_eins_resident", "anna_eins_cpu", "anna_eins_free")
        assert not [one for one in changed if not one.startswith(machine)]
        # A proxy on this computer hands on what comes from anywhere: without the token nothing is told.
        assert (await asked(session, metrics, Forwarded="for=192.0.2.7"))[0] == 404
        right = {"Authorization": f"Bearer {TOKEN}"}
        assert (await asked(session, metrics, Via="1.1 proxy", **right))[0] == 200
        assert (await asked(session, metrics, Via="1.1 proxy", Authorization="Bearer wrong"))[0] == 404
        for observer in table.observers:
            if observer.record is not None:
                observer.record(True)
        assert (await asked(session, health))[0] == 503
        assert "anna_eins_record 0" in (await asked(session, metrics))[1]
    assert "127.0.0.1" in HERE


def test_a_token_that_could_be_guessed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("short")
    with pytest.raises(Complaint, match="so long: 16"):
        metrics_token(Settings(metrics_token_file=str(file)))
    with pytest.raises(Complaint, match="cannot be read"):
        metrics_token(Settings(metrics_token_file=str(tmp_path / "none")))
    assert metrics_token(Settings()) == ""


async def test_links_name_an_address_of_the_hall_and_boards_stand_in_their_order(tmp_path: Path) -> None:
    settings = Settings(port=0, lan=True, https_port=0, hosts=("hall.example",))
    async with open_house(tmp_path / "data", settings=settings) as house:
        for board in (10, 2, 1):
            await opened(house.hall, board)
        invited = invite_to(house.app, house.listening.shown)
        assert [one.table for one in invited] == ["demo", "r5-b1", "r5-b2", "r5-b10"]
        assert all(one.arbiter.startswith("https://hall.example:") for one in invited)
        certificate = house.listening.certificate
        assert certificate is not None and "hall.example" in certificate.names
