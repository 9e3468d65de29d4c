"""A bundle takes a model for the ears along, a slim one does not, and the starter puts it where the program looks."""

from __future__ import annotations

import subprocess
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.cli import main
from server.cli.keeping import bundle as command
from server.machine.install import bundle, starter
from server.machine.install.bundle import BundleInfo, take_model_along
from speech.complaint import Complaint, Phrase
from speech.models import whisper
from speech.models.known import KnownModel, load_known_models
from speech.models.whisper import MODEL_VARIABLE, checked_whisper_model, whisper_folder
from tests.machine.small_whisper import NAME, Hub, serving, small_model, write_config, write_model

FILES = small_model()


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serving(FILES) as running:
        yield running


@pytest.fixture(autouse=True)
def known(tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> Iterator[KnownModel]:
    """The program knows one small model, and this machine has none yet."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)
    monkeypatch.setenv("ANNA_EINS_DATA", str(tmp_path / "users"))
    monkeypatch.setattr(whisper.sys, "prefix", str(tmp_path / "program"))
    model = write_config(tmp_path / "config", FILES, hub.address)
    monkeypatch.setattr(whisper, "load_known_models", lambda: {NAME: model})
    monkeypatch.setattr(bundle, "known_model", lambda _: model)
    yield model
    load_known_models.cache_clear()


@pytest.mark.parametrize("here", ["the same", "one byte changed", "another", "none"])
def test_the_model_that_is_here_is_copied_and_any_other_is_fetched(
    here: str, tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = FILES["model.bin"]
    found = {"the same": FILES, "one byte changed": FILES | {"model.bin": data[:-1] + b"\0"}, "another": small_model(2)}
    if here in found:
        monkeypatch.setenv(MODEL_VARIABLE, str(write_model(tmp_path / "here", found[here])))
    folder = take_model_along(tmp_path / "bundle", lambda done, of: None)
    assert folder == tmp_path / "bundle" / "models" / NAME / "model"
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == FILES
    assert bool(hub.asked) is (here != "the same")


def test_the_starter_puts_it_where_the_program_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take_model_along(tmp_path / "bundle", lambda done, of: None)
    monkeypatch.setattr(venv, "create", lambda place, **_: Path(place).mkdir())
    monkeypatch.setattr(subprocess, "call", lambda _: 0)
    assert starter.install(tmp_path / "bundle", tmp_path / "program") == ""
    folder = whisper_folder()
    assert folder is not None and folder.is_relative_to(tmp_path / "program")
    assert checked_whisper_model(folder) == folder


@pytest.mark.parametrize("asked_for", [[], ["--slim"], ["--one-ear"]])
def test_a_bundle_is_written_without_a_model_that_cannot_be_had_and_says_so(
    asked_for: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[Path] = []

    def gone(folder: Path, _: object) -> None:
        asked.append(folder)
        raise Complaint(Phrase("whisper.being_fetched", name=NAME))

    monkeypatch.setattr(command, "take_model_along", gone)
    monkeypatch.setattr(command, "make_bundle", lambda *_, **__: BundleInfo("1", "3.11", "linux", "x86_64"))
    with pytest.raises(SystemExit) as stop:
        main(["bundle", str(tmp_path / "bundle"), *asked_for])
    said = capsys.readouterr()
    assert stop.value.code == 0 and str(tmp_path / "bundle") in said.out
    assert asked == ([] if asked_for else [tmp_path / "bundle"])
    assert said.err.count("lacks whisper-base") == (not asked_for)
