"""`anna-eins devices` lists who is admitted, sends one away and makes a link, in the user's words."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from server.cli import main
from server.hall.record import admissions_in
from server.journal.admissions import LINK, Admission, new_token
from tests.postgresql import Cluster


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["devices", *arguments])
    captured = capsys.readouterr()
    return stop.value.code, captured.out, captured.err


def admit(folder: Path, address: str = "") -> None:
    async def made() -> None:
        admissions = admissions_in(folder, address)
        chief, player = new_token(), new_token()
        await admissions.admit(chief, Admission("", "arbiter-3fa2c1", "arbiter", "", (), 0))
        await admissions.extend(chief, "r1-b1")
        await admissions.admit(player, Admission("r1-b1", "tactile-white-aa", "tactile", "white", (), 1))
        await admissions.close()

    asyncio.run(made())


def check(capsys: pytest.CaptureFixture[str], *where: str) -> str:
    """List, send the arbiter away, make a link; return the link."""
    code, out, _ = said(capsys, *where)
    first, second = out.splitlines()
    assert code == 0 and first.startswith("arbiter-3fa2c1: Arbiter of all tables; tables: r1-b1; since 1970-01-01")
    assert second.startswith("tactile-white-aa: Tactile board, White; tables: r1-b1; since ")
    facts = json.loads(said(capsys, *where, "--json")[1])
    assert facts[0] == {"name": "arbiter-3fa2c1", "role": "arbiter", "seat": "", "tables": ["r1-b1"], "since_ms": 0}
    assert [one["name"] for one in facts] == ["arbiter-3fa2c1", "tactile-white-aa"]
    code, _, err = said(capsys, *where, "--revoke", "nobody")
    assert code == 2 and "nobody" in err
    code, out, _ = said(capsys, *where, "--revoke", "arbiter-3fa2c1")
    assert code == 0 and out.startswith("Removed: arbiter-3fa2c1.") and "--link" in out, "there is a way back"
    assert "arbiter-3fa2c1" not in said(capsys, *where)[1]
    for words in (["--quiet", "devices", *where, "--link"], ["devices", *where, "--link", "--quiet"]):
        with pytest.raises(SystemExit) as stop:
            main(words)
        assert stop.value.code == 0 and capsys.readouterr().out.startswith("  /#join="), "what was asked for, no more"
    code, out, _ = said(capsys, *where, "--link")
    assert code == 0 and "/#join=" in out
    return out.partition("/#join=")[2].strip()


def test_devices_are_listed_sent_away_and_let_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "--data", str(tmp_path))[0] == 2, "no folder of a hall"
    admit(tmp_path)
    token = check(capsys, "--data", str(tmp_path))
    admissions = admissions_in(tmp_path)
    one = admissions.admission_of(token)
    assert one is not None and (one.role, one.table) == (LINK, "")
    assert said(capsys, "--data", str(tmp_path))[1].count("\n") == 2, "a link is nobody's device"
    asyncio.run(admissions.close())


def test_devices_of_a_hall_on_postgresql(tmp_path: Path, cluster: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    address = cluster.address(cluster.fresh())
    admit(tmp_path, address)
    assert len(check(capsys, "--record", address)) == 32
