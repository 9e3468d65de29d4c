"""The core starts, plays, reconciles and reports with the folder of every kit taken away (docs/architecture.md)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game.values.words import Duty, Seat
from tests.whole.running_server import STOP_S, RunningServer, finished
from tests.whole.wire_client import WireClient

pytestmark = pytest.mark.slow

KITS = {
    "training of recognisers": ("speech/training",),
    "ears and voices on other machines": ("speech/wyoming",),
    "recordings of volunteers": ("speech/recording", "server/cli/record.py"),
    "a hall that several servers share": ("server/journal/postgresql", "server/table/evidence/bucket.py"),
    "simulated players": ("server/demo", "server/cli/demo.py"),
    "approval of devices": ("server/exports/reports/approval.py", "server/cli/approve.py"),
    "words for a native reader": ("server/exports/words", "server/cli/words.py"),
}
HOUSE = ("server", "speech", "braille", "config")


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory, repo: Path) -> Path:
    """A copy of the program without its kits; what was compiled comes along, but for what is just being written."""
    place = tmp_path_factory.mktemp("core")
    without = {place / part for parts in KITS.values() for part in parts}
    for room in HOUSE:
        shutil.copytree(repo / room, place / room, ignore=shutil.ignore_patterns("*.pyc.*"))
    for part in without:
        assert part.exists(), f"{part} is no part of the program: its name in KITS is old"
        shutil.rmtree(part) if part.is_dir() else part.unlink()
    return place


async def test_a_game_is_played_reconciled_and_reported(core: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    server = await RunningServer.start(core, data)
    arbiter, white, black = (WireClient(name) for name in ("arbiter", "White", "Black"))
    try:
        arbiter.base = server.base
        await arbiter.post("/api/join", {"secret": server.arbiter_secrets["demo"]})
        await arbiter.connect(server.base)
        for client, seat in ((white, Seat.WHITE), (black, Seat.BLACK)):
            client.base = server.base
            place = await arbiter.post("/api/invitations", {"role": "player", "seat": seat, "duties": list[Duty]()})
            knock = await client.post("/api/join", {"code": place["words"], "label": client.name})
            await arbiter.post(f"/api/introductions/{knock['id']}", {"admit": True})
            assert (await client.get(f"/api/join/{knock['id']}"))["state"] == "admitted"
            await client.connect(server.base)
        assert (await arbiter.send(arbiter.command(cmd.StartGame()))).outcome.ok
        assert (await white.send(white.typing("e4", "announce"))).outcome.ok
        assert (await white.send(white.command(cmd.Press(), 1))).outcome.ok
        assert (await black.send(black.command(cmd.EnterMove(uci="e7e5"), 2))).outcome.ok
        assert (await black.send(black.command(cmd.Press(), 2))).outcome.ok
        assert (await white.send(white.command(cmd.Resign()))).outcome.ok
        await arbiter.until(lambda: any(b"game_ended" in one for one in arbiter.messages))
    finally:
        for client in (arbiter, white, black):
            await client.close()
        assert await server.stop(STOP_S) == 0
    status, pgn = await finished(core, "export", "demo", "--data", str(data))
    assert status == 0 and "1. e4" in pgn and "0-1" in pgn, pgn
    status, report = await finished(core, "report", "demo", "--data", str(data))
    assert status == 0 and "0-1" in report, report
    for name, score in (("white", "1. e4 e5 2. Nf3 Nc6"), ("black", "1. e4 e5 2. Nf3 Nf6")):
        (tmp_path / f"{name}.txt").write_text(score, "utf-8")
    scores = [str(tmp_path / f"{name}.txt") for name in ("white", "black")]
    status, told = await finished(core, "reconcile", *scores, "--languages", "en,en")
    assert "Traceback" not in told and "Nc6" in told and "Nf6" in told, told
