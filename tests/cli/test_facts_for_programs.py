"""With --json a command prints its facts, one JSON text and nothing else, in whatever language its user's system is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from server.cli import group
from tests.cli.test_import_command import TRF


@pytest.fixture
def facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")

    def asked(*arguments: str) -> Any:
        said = CliRunner().invoke(group, [*arguments, "--json"])
        assert said.exit_code == 0, said.exception
        return msgspec.json.decode(said.stdout)

    return asked


def test_a_round_from_its_file_to_its_backup(tmp_path: Path, facts: Any) -> None:
    file, data, disk = tmp_path / "round.trf", str(tmp_path / "data"), tmp_path / "disk"
    file.write_bytes(TRF.replace("Conrad, Clara", "Müller, Clara").encode("cp1252"))
    disk.mkdir()
    arguments = "import", str(file), "--data", data, "--tactile", "Adler"
    looked = facts(*arguments, "--look")
    assert looked["opened"] == 0 and [one["table"] for one in looked["tables"]] == ["r2-b1", "r2-b2"]
    first = looked["tables"][0]
    assert first["black"] == {"name": "Adler, Anna", "kind": "tactile", "hearing_impaired": False}
    assert (first["round"], first["board"], first["chess960"]) == (2, 1, "") and first["control"]
    opened = facts(*arguments)
    assert opened == {**looked, "opened": 2}

    notices = tmp_path / "round.csv"
    assert facts("notices", "2", "--out", str(notices), "--data", data) == {"file": str(notices), "boards": 2}
    cards = facts("cards", "--out", str(tmp_path / "cards.html"), "--address", "https://192.0.2.7:8443", "--data", data)
    assert cards["cards"] == 4
    bulletin = facts("bulletin", "2", "--out", str(tmp_path / "bulletin"), "--data", data)
    assert bulletin["games"] == [] and len(bulletin["missing"][0]["titles"]) == 2

    kept = facts("backup", str(disk), "--data", data)
    assert len(kept["code"].split()) == 16 and kept["files"] > 0 and Path(kept["folder"]).is_dir()
    back = facts("restore", str(disk), "--data", str(tmp_path / "back"), "--code", kept["code"])
    assert back["tables"] == ["r2-b1", "r2-b2"] and back["missing"] == []

    gone = facts("table", "delete", "r2-b1", "--yes", "--data", data)
    assert gone["table"] == "r2-b1" and len(gone["last"]) == 64 and gone["copies"]
    assert facts("table", "check", "r2-b1", gone["last"], "--data", str(tmp_path / "back"))["event"] == gone["events"]


def test_settings_and_models(tmp_path: Path, facts: Any) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("lan = true\n", "utf-8")
    assert facts("settings", "--check", str(file)) == {"file": str(file), "sets": ["lan"]}
    assert facts("models", "list", "--data", str(tmp_path))["here"] == []
