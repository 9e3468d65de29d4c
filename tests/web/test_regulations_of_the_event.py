"""What an event's regulations say of Guidelines I and III, by each way that opens a table: settings, page, import."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from server.cli import group
from server.hall.hall import Hall
from server.machine.clock import SystemClock
from server.machine.data_folder import DataFolder
from server.settings import Settings, load_settings
from speech.complaint import Complaint
from tests.web.open_house import open_house
from tests.web.test_all_tables import PGN, hall_arbiter

EVENT = """
[event]
guidelines = ["I", "III"]
default_time_s = 900
"""


def one(name: str, **more: Any) -> dict[str, Any]:
    return {"tables": [{"name": name, "white": {"name": "Ida"}, "black": {"name": "Jo"}, "control": "1800"}], **more}


@pytest.mark.law("L208", "L232", "L240")
async def test_tables_are_opened_as_the_settings_say_and_the_arbiter_may_say_otherwise(tmp_path: Path) -> None:
    (tmp_path / "event.toml").write_text(EVENT, "utf-8")
    settings = load_settings(tmp_path / "event.toml", port=0)
    async with open_house(tmp_path / "data", settings=settings) as house:
        chief = await hall_arbiter(house)
        status, said = await chief.get("/api/regulations")
        assert (status, said) == (200, {"guidelines": ["I", "III"], "unsupervised": False})
        assert (await house.visitor().get("/api/regulations"))[0] == 403
        assert (await chief.post("/api/tables", one("as-set")))[0] == 201
        assert (await chief.post("/api/tables", one("other", guidelines=["III"], unsupervised=True)))[0] == 201
        assert (await chief.post("/api/tables", one("wrong", guidelines=["IV"])))[0] == 400
        regulations = {name: house.hall.tables[name].state.table.regulations for name in ("as-set", "other")}
        assert (regulations["as-set"].guidelines, regulations["as-set"].default_time_s) == (("I", "III"), 900)
        assert regulations["as-set"].sound_needs_consent, "as on every table that is opened here"
        assert (regulations["other"].guidelines, regulations["other"].unsupervised) == (("III",), True)
        assert house.table.state.table.regulations.guidelines == (), "the table to try things on is of no event"


@pytest.mark.law("L208", "L232")
async def test_a_server_without_such_settings_has_neither(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data", settings=Settings(port=0)) as house:
        chief = await hall_arbiter(house)
        assert (await chief.get("/api/regulations"))[1] == {"guidelines": [], "unsupervised": False}
        assert (await chief.post("/api/tables", one("plain")))[0] == 201
        assert house.hall.tables["plain"].state.table.regulations.guidelines == ()


@pytest.mark.law("L232")
@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('[event]\nguidelines = ["IV"]', r"event\.guidelines"),
        ("[event]\nquickplay = true", r"event\.quickplay"),
        ("[event.overrides]\nillegal_loses_at = 0", r"event\.overrides\.illegal_loses_at"),
        ("event = 3", "event"),
    ],
)
def test_a_wrong_regulation_is_named_with_its_file(tmp_path: Path, text: str, path: str) -> None:
    file = tmp_path / "event.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(Complaint, match=rf"event\.toml: .*{path}|event\.toml.*{path}"):
        load_settings(file)


@pytest.mark.law("L208", "L232", "L240")
@pytest.mark.parametrize(
    ("given", "guidelines", "unsupervised"),
    [
        ([], (), False),
        (["--adjournments"], ("I",), False),
        (["--quickplay", "--unsupervised"], ("III",), True),
        (["--config", "EVENT"], ("I", "III"), False),
        (["--config", "EVENT", "--no-adjournments"], ("III",), False),
    ],
)
async def test_a_round_is_imported_with_them(
    tmp_path: Path, given: list[str], guidelines: tuple[str, ...], unsupervised: bool
) -> None:
    (tmp_path / "event.toml").write_text(EVENT, "utf-8")
    (tmp_path / "round.pgn").write_text(PGN, "utf-8")
    more = [str(tmp_path / "event.toml") if one == "EVENT" else one for one in given]
    found = await asyncio.to_thread(
        CliRunner().invoke, group, ["import", str(tmp_path / "round.pgn"), "--data", str(tmp_path / "data"), *more]
    )
    assert found.exit_code == 0, found.output
    with DataFolder.open(tmp_path / "data", lock=True) as data:
        hall = await Hall.open(data, SystemClock())
        try:
            regulations = {table.state.table.regulations for table in hall.tables.values()}
        finally:
            await hall.close()
    (settled,) = regulations
    assert (settled.guidelines, settled.unsupervised) == (guidelines, unsupervised)
