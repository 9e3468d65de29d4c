"""`anna-eins report`: from the record of a table, as text and as JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from server.cli import group
from server.game import acts as cmd
from speech.complaint import Complaint
from tests.table.open_hall import played


async def test_the_report_of_a_recorded_table(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("arbiter", cmd.RecordAdaptation(name="position_readout", value="on"))
    runner, command = CliRunner(), ["report", "t1", "--data", str(tmp_path)]
    english = runner.invoke(group, command)
    assert english.exit_code == 0 and "is read out on request – on, approved" in english.output
    german = runner.invoke(group, [*command, "--language", "de"])
    assert "Anpassungen an die örtlichen Umstände" in german.output
    decoded = msgspec.json.decode(runner.invoke(group, [*command, "--json"]).output)
    assert [section["name"] for section in decoded["sections"]][:2] == ["rules", "adaptations"]
    missing = runner.invoke(group, ["report", "nowhere", "--data", str(tmp_path)])
    assert isinstance(missing.exception, Complaint)
    with pytest.raises(Complaint, match="nowhere"):
        raise missing.exception
