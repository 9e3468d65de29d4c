"""The sample of the settings names every key, says what the program does without it, and is itself right."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from server.cli import main
from server.cli.keeping.settings import EXAMPLES, remarks, sample
from server.settings import Settings, load_settings


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["settings", *arguments])
    captured = capsys.readouterr()
    return stop.value.code, captured.out, captured.err


def test_every_key_has_a_remark_and_stands_in_the_sample() -> None:
    described = {key for keys in remarks() for key in keys}
    assert described == {one.name for one in msgspec.structs.fields(Settings)}
    assert max(len(line) for line in sample().splitlines()) <= 130


def test_the_sample_is_right_with_and_without_its_marks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(sample(), "utf-8")
    assert load_settings(file) == Settings(), "with its marks it sets nothing"
    assert said(capsys, "--check", str(file)) == (0, f"{file} is correct, and sets nothing.\n", "")
    file.write_text(re.sub(r"^#(?=\S)", "", sample(), flags=re.MULTILINE), "utf-8")
    settings, usual = load_settings(file), Settings()
    changed = {
        one.name for one in msgspec.structs.fields(Settings) if getattr(settings, one.name) != getattr(usual, one.name)
    }
    assert changed == EXAMPLES.keys() | {"event"}
    assert settings.regulations == usual.regulations, "of the event it has what counts anyhow"
    assert settings.backup.folder == "/media/stick/backups" and settings.devices["demo"]


def test_a_wrong_file_is_one_sentence_with_the_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("port = 99999\n", "utf-8")
    status, out, err = said(capsys, "--check", str(file))
    assert (status, out, err.count("\n")) == (2, "", 1) and "port" in err
    assert said(capsys)[0] == 2
