"""`anna-eins report`: from the record of a table, as text and as JSON."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from server.cli import group
from server.game import acts as cmd
from speech.complaint import Complaint
from tests.table.open_hall import played


async def recorded(folder: Path) -> None:
    async with played(folder) as game:
        await game.done("arbiter", cmd.RecordAdaptation(name="position_readout", value="on"))


def test_the_report_of_a_recorded_table(tmp_path: Path) -> None:
    asyncio.run(recorded(tmp_path))
    runner, command = CliRunner(), ["report", "t1", "--data", str(tmp_path)]
    english = runner.invoke(group, command)
    assert english.exit_code == 0 and "is read out on request – on, approved" in english.output
    german = runner.invoke(group, [*command, "--language", "de"])
    assert "Anpassungen an die örtlichen Umstände" in german.output
    decoded = msgspec.json.decode(runner.invoke(group, [*command, "--json"]).output)
    assert [section["name"] for section in decoded["sections"]][:2] == ["rules", "adaptations"]
    assert decoded["record"]["events"] > 0 and len(decoded["record"]["sha256"]) == 64
    printed = runner.invoke(group, [*command, "--format", "pdf"])
    assert isinstance(printed.exception, Complaint) and "--out" in str(printed.exception)
    paper = tmp_path / "report.pdf"
    assert runner.invoke(group, [*command, "--format", "pdf", "--out", str(paper)]).exit_code == 0
    assert paper.read_bytes().startswith(b"%PDF-")
    assert runner.invoke(group, [*command, "--format", "html"]).output.startswith("<!doctype html>")
    missing = runner.invoke(group, ["report", "nowhere", "--data", str(tmp_path)])
    assert isinstance(missing.exception, Complaint)
    with pytest.raises(Complaint, match="nowhere"):
        raise missing.exception
