"""The wheel, installed in a fresh environment from the lock, works from a folder that holds other people's modules."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
import wave
import zipfile
from pathlib import Path

import msgspec
import pytest

PACKAGES = ("server", "speech", "braille", "config")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
DECOY = "raise SystemExit('a decoy was imported')\n"

pytestmark = [pytest.mark.slow, pytest.mark.needs("network")]


class Installed(msgspec.Struct, frozen=True):
    """A fresh environment with the wheel in it, and a folder of decoys to run it from."""

    wheel: Path
    sources: set[str]
    """The files of the packages when it was built."""
    programs: Path
    decoys: Path
    environment: dict[str, str]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.programs / "anna-eins", *arguments],
            cwd=self.decoys,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
        )


def checked(command: list[str | Path], environment: dict[str, str], cwd: Path) -> None:
    ended = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=600)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, repo: Path) -> Installed:
    place = tmp_path_factory.mktemp("wheel")
    left_out = ("PYTHONPATH", "VIRTUAL_ENV", "ANNA_EINS_DATA", "PYTHONSAFEPATH")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    environment |= {
        "PIP_CACHE_DIR": str(place / "pip"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "XDG_CACHE_HOME": str(place / "cache"),
        "XDG_DATA_HOME": str(place / "data"),
    }
    sources = {
        str(file.relative_to(repo))
        for package in PACKAGES
        for file in (repo / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    built = place / "built"
    build: list[str | Path] = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", built, repo]
    checked(build, environment, place)
    (wheel,) = built.glob("*.whl")
    checked([sys.executable, "-m", "venv", place / "venv"], environment, place)
    programs = place / "venv" / "bin"
    pip: list[str | Path] = [programs / "python", "-m", "pip", "install", "--quiet"]
    checked([*pip, "--require-hashes", "-r", repo / "requirements.lock"], environment, place)
    checked([*pip, "--no-deps", "--no-index", wheel], environment, place)
    decoys = place / "decoys"
    decoys.mkdir()
    for name in (*PACKAGES, "chess", "click"):
        (decoys / f"{name}.py").write_text(DECOY, encoding="utf-8")
    return Installed(wheel, sources, programs, decoys, environment)


def test_the_wheel_holds_the_packages_with_their_data_and_nothing_else(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        names = set(wheel.namelist())
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == set(PACKAGES)
    assert not [name for name in names if "test" in name.lower()]
    assert installed.sources <= names, sorted(installed.sources - names)
    endings = {Path(name).suffix for name in names}
    assert {".py", ".toml", ".pgn", ".html", ".js", ".css", ".mdl"} <= endings
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_the_wheel_carries_the_bill_of_materials_of_the_lock(installed: Installed, repo: Path) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        (name,) = [name for name in wheel.namelist() if ".dist-info/sboms/" in name]
        told = json.loads(wheel.read(name))
    assert name.endswith(".cdx.json")
    named = {(one["name"], one["version"]) for one in told["components"]}
    pinned = [line.split()[0] for line in (repo / "requirements.lock").read_text("utf-8").splitlines() if "==" in line]
    assert named == {tuple(one.split("==")) for one in pinned}


def test_everything_that_the_lock_names_is_consistent(installed: Installed) -> None:
    checked([installed.programs / "python", "-m", "pip", "check"], installed.environment, installed.decoys)


def test_help_names_every_command(installed: Installed) -> None:
    ended = installed.run("--help")
    assert ended.returncode == 0, ended.stderr
    for name in ("announce", "demo", "doctor", "envelope", "export", "hear", "reconcile", "say", "score", "serve"):
        assert f"  {name} " in ended.stdout


def test_announce(installed: Installed) -> None:
    ended = installed.run("announce", "--fen", START, "--move", "g1f3", "--json")
    assert ended.returncode == 0, ended.stderr
    announced = json.loads(ended.stdout)
    assert (announced["uci"], announced["san"]) == ("g1f3", "Nf3")
    assert [token["id"] for token in announced["tokens"]][-2:] == ["file.f", "rank.3"]


def test_doctor(installed: Installed) -> None:
    ended = installed.run("doctor", "--json")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    found = json.loads(ended.stdout)
    assert not [one for one in found if one["needed"] and not one["ok"]]


def test_say(installed: Installed) -> None:
    ended = installed.run("say", "Hallo", "--out", "x.wav")
    assert ended.returncode == 0, ended.stderr
    with wave.open(str(installed.decoys / "x.wav")) as said:
        assert (said.getnchannels(), said.getsampwidth()) == (1, 2)
        assert said.getnframes() > said.getframerate() // 5
        assert any(said.readframes(said.getnframes())), "silence"


def test_serve(installed: Installed) -> None:
    """The pages and the words come out of the wheel."""
    arguments = ("serve", "--port", "0", "--demo-table", "--data", str(installed.decoys.parent / "served"))
    with subprocess.Popen(
        [installed.programs / "anna-eins", *arguments],
        cwd=installed.decoys,
        env=installed.environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        try:
            address = next(line.split()[-1] for line in server.stdout if "On this computer" in line)
            with urllib.request.urlopen(address, timeout=30) as page:
                assert page.status == 200
                assert b"<html" in page.read()
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(timeout=30) == 0
