"""What keeps the program on a machine: the unit of systemd, the container's recipe, the log."""

from __future__ import annotations

import importlib.util
import logging
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import group
from server.hall.engines import check_elsewhere
from server.machine import logs
from server.machine.install.adding import PACKAGES, command_that_adds
from server.machine.install.locks import EXTRAS
from server.machine.install.starter import INSTALLED_FROM, copy_models, install
from server.machine.logs import keep_log
from server.settings import Settings
from speech.complaint import Complaint


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd on this machine")
def test_systemd_finds_nothing_wrong_with_the_unit(repo: Path, tmp_path: Path) -> None:
    text = (repo / "docs/install/anna-eins.service").read_text("utf-8")
    unit = tmp_path / "anna-eins.service"
    unit.write_text(text.replace("/opt/anna-eins/bin/anna-eins", sys.executable), "utf-8")
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_and_the_container_call_what_is_there(repo: Path) -> None:
    from server.cli.serve import command

    options = {option for parameter in command.params for option in parameter.opts}
    recipe = (repo / "server/machine/install/Containerfile").read_text("utf-8")
    unit = (repo / "docs/install/anna-eins.service").read_text("utf-8")
    for text, line in ((unit, r"ExecStart=(.*)"), (recipe, r"CMD \[(\"serve\".*)\]")):
        found = re.search(line, text)
        assert found is not None
        called = re.findall(r"--[a-z-]+", found[1])
        assert called and set(called) <= options


def test_what_is_missing_is_added_as_this_installation_needs_it(tmp_path: Path, repo: Path) -> None:
    assert command_that_adds("s3", tmp_path).endswith(" -m pip install obstore"), "an environment of one's own"
    marks = {
        "uv-receipt.toml": "uv tool install anna-eins --with 'psycopg[binary]'",
        "pipx_metadata.json": "pipx inject anna-eins 'psycopg[binary]'",
        INSTALLED_FROM: "anna-eins bundle FOLDER --with postgresql",
    }
    for mark, command in marks.items():
        (tmp_path / mark).touch()
        assert command_that_adds("postgresql", tmp_path) == command
    extras = tomllib.loads((repo / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert {extra: re.split("[><=]", extras[extra][0])[0] for extra in EXTRAS} == PACKAGES


def test_without_the_extra_the_way_for_this_installation_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the server's start, and where ears announce themselves, before anything else is opened."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Complaint, match=r"zeroconf, which is not installed: \S+ -m pip install zeroconf\."):
        check_elsewhere(Settings(ears=("mdns",)))
    refused = CliRunner().invoke(group, ["ears", "--listen", "127.0.0.1:0", "--announce"])
    assert isinstance(refused.exception, Complaint) and "pip install zeroconf" in str(refused.exception)


def test_a_bundle_is_never_installed_over_other_files(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("mine", "utf-8")
    assert "holds other files" in install(tmp_path, tmp_path)
    assert letter.read_text("utf-8") == "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_the_model_of_a_bundle_is_read_by_the_user_of_a_service(tmp_path: Path) -> None:
    """The bundle's own folder may be private to the user who made it: the second ear was missing in a service."""
    source = tmp_path / "bundle" / "whisper-base"
    source.mkdir(parents=True, mode=0o700)
    (source / "model.bin").write_bytes(b"model")
    (source / "model.bin").chmod(0o600)
    copy_models(source.parent, tmp_path / "program" / "models")
    copied = tmp_path / "program" / "models" / "whisper-base"
    assert [one.stat().st_mode & 0o004 for one in (copied.parent, copied, copied / "model.bin")] == [0o004] * 3


@pytest.fixture
def unchanged_logging() -> Iterator[None]:
    """The handlers and levels of this process, as they were, afterwards."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    quiet = {name: logging.getLogger(name).level for name in logs.QUIET}
    yield
    for handler in root.handlers:
        if handler not in before:
            handler.close()
    root.handlers[:], root.level = before, level
    for name, kept in quiet.items():
        logging.getLogger(name).setLevel(kept)


@pytest.mark.usefixtures("unchanged_logging")
def test_the_log_has_a_level_and_a_bound_and_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "LARGEST", 2_000)
    file = tmp_path / "log" / "anna-eins.log"
    with pytest.raises(Complaint, match="--log-file"):
        keep_log(file, "info")
    file.parent.mkdir()
    keep_log(file, "info")
    log = logging.getLogger("server.app")
    log.debug("too small to be kept")
    for number in range(400):
        log.info("event %d", number)
    kept = sorted(file.parent.iterdir())
    assert [one.name for one in kept] == ["anna-eins.log", *(f"anna-eins.log.{n}" for n in range(1, logs.OLDER + 1))]
    assert all(one.stat().st_size <= 2_000 and one.stat().st_mode & 0o077 == 0 for one in kept)
    text = file.read_text("utf-8")
    assert re.search(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ INFO server\.app: event 399$", text, re.MULTILINE)
    assert "too small" not in "".join(one.read_text("utf-8") for one in kept)
