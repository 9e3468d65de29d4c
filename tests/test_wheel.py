"""The wheel works where there is no network and no compiler, from a folder that holds other people's modules."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import wave
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import msgspec
import pytest

from server.game import acts as cmd
from server.machine.install.locks import PURE
from tests.machine.bill_of_materials import locked
from tests.waiting import PATIENCE_S, until
from tests.whole.wire_client import WireClient

PACKAGES = ("server", "speech", "braille", "config")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
DECOY = "raise SystemExit('a decoy was imported')\n"

pytestmark = [pytest.mark.slow, pytest.mark.needs("network")]


class Installed(msgspec.Struct, frozen=True):
    """A fresh environment with the wheel in it, and a folder of decoys to run it from."""

    wheel: Path
    sources: set[str]
    """The files of the packages when it was built."""
    bundle: Path
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


def install_from_bundle(bundle: Path, wheel: Path, repo: Path, environment: dict[str, str], *how: str) -> None:
    """Make a bundle without a compiler, and install from it into ANNA_EINS_PROGRAM without the network."""
    poor = environment | {"PIP_ONLY_BINARY": ":all:", "PIP_NO_BINARY": ",".join(PURE), "CC": "false", "CXX": "false"}
    poor.pop("XDG_CACHE_HOME")  # what pip has fetched before need not be fetched again
    poor.pop("XDG_DATA_HOME")  # nor a model that is here
    anna_eins: list[str | Path] = [sys.executable, "-c", "from server.cli import main; main()"]
    make: list[str | Path] = [*anna_eins, "bundle", bundle, "--wheel", wheel, *how]
    checked(make, poor | {"PYTHONPATH": str(repo)}, bundle.parent)
    cut_off = environment | dict.fromkeys(("http_proxy", "https_proxy", "HTTPS_PROXY"), "http://127.0.0.1:9")
    without_network = ["unshare", "-rn"] if subprocess.run(["unshare", "-rn", "true"]).returncode == 0 else []
    checked([*without_network, sys.executable, bundle / "start.py", "--install-only"], cut_off, bundle.parent)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, repo: Path) -> Installed:
    """Built, put into a bundle with the packages of the lock and no compiler, and installed from it with no network."""
    place = tmp_path_factory.mktemp("wheel")
    left_out = ("PYTHONPATH", "VIRTUAL_ENV", "ANNA_EINS_DATA", "PYTHONSAFEPATH", "DISPLAY", "WAYLAND_DISPLAY")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    environment |= {
        "ANNA_EINS_PROGRAM": str(place / "venv"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "XDG_CACHE_HOME": str(place / "cache"),
        "XDG_DATA_HOME": str(place / "data"),
    }
    workbench = repo / "speech" / "training"
    sources = {
        str(file.relative_to(repo))
        for package in PACKAGES
        for file in (repo / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and workbench not in file.parents
    }
    built = place / "built"
    checked([sys.executable, "-m", "build", "--no-isolation", "--outdir", built, repo], environment, place)
    (wheel,) = built.glob("*.whl")
    bundle = place / "bundle"
    install_from_bundle(bundle, wheel, repo, environment)
    decoys = place / "decoys"
    decoys.mkdir()
    for name in (*PACKAGES, "chess", "click"):
        (decoys / f"{name}.py").write_text(DECOY, encoding="utf-8")
    return Installed(wheel, sources, bundle, place / "venv" / "bin", decoys, environment)


def test_the_wheel_holds_the_packages_with_their_data_and_nothing_else(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        names = set(wheel.namelist())
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name and ".data/" not in name} == set(PACKAGES)
    assert not [name for name in names if "test" in name.lower()]
    assert installed.sources <= names, sorted(installed.sources - names)
    assert not [name for name in names if name.startswith("speech/training")]
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


@pytest.fixture(scope="module")
def examined(installed: Installed) -> subprocess.CompletedProcess[str]:
    """Ask the installed doctor once what it finds."""
    return installed.run("doctor", "--json")


def test_doctor(examined: subprocess.CompletedProcess[str]) -> None:
    assert examined.returncode == 0, examined.stdout + examined.stderr
    found = json.loads(examined.stdout)
    assert not [one for one in found if one["needed"] and not one["ok"]]


def test_the_bundle_brings_a_model_for_the_ears(
    installed: Installed, examined: subprocess.CompletedProcess[str]
) -> None:
    """It lies beside the program, and nowhere in the user's data folder."""
    found = json.loads(examined.stdout)
    (ear,) = [one for one in found if one["name"] == "recogniser-whisper"]
    assert "no model" not in ear["found"] and "changed" not in ear["found"]
    assert (installed.programs.parent / "share/anna-eins/models/whisper-base/model/model.bin").is_file()


def test_say(installed: Installed) -> None:
    ended = installed.run("say", "Hallo", "--out", "x.wav")
    assert ended.returncode == 0, ended.stderr
    with wave.open(str(installed.decoys / "x.wav")) as said:
        assert (said.getnchannels(), said.getsampwidth()) == (1, 2)
        assert said.getnframes() > said.getframerate() // 5
        assert any(said.readframes(said.getnframes())), "silence"


def test_a_wheel_packed_again_from_what_is_installed_is_the_same(installed: Installed, tmp_path: Path) -> None:
    script = (
        "import sys, pathlib, importlib.metadata as metadata\n"
        "from server.machine.install.bundle import repack\n"
        "print(repack(metadata.distribution('anna-eins'), pathlib.Path(sys.argv[1])))\n"
    )
    checked([installed.programs / "python", "-P", "-c", script, tmp_path], installed.environment, installed.decoys)
    with zipfile.ZipFile(installed.wheel) as first, zipfile.ZipFile(tmp_path / installed.wheel.name) as second:
        assert set(first.namelist()) == set(second.namelist())
        files = [name for name in first.namelist() if not name.endswith("/RECORD")]
        assert [name for name in files if first.read(name) != second.read(name)] == []


def test_a_wheel_built_again_is_the_same_to_the_byte(installed: Installed, repo: Path, tmp_path: Path) -> None:
    """The first was built from the source distribution, this one from the clone."""
    build: list[str | Path] = [sys.executable, "-m", "build", "--no-isolation", "--sdist", "--wheel"]
    checked([*build, "--outdir", tmp_path, repo], installed.environment, tmp_path)
    for file in installed.wheel.parent.iterdir():
        assert file.read_bytes() == (tmp_path / file.name).read_bytes(), file.name


async def test_the_name_alone_starts_a_server_opens_the_page_and_a_game_is_played(installed: Installed) -> None:
    """The pages and the words come out of the wheel. The server's terminal is a real one, and so it opens a browser."""
    opened = installed.decoys.parent / "opened"
    browser = installed.decoys.parent / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n', encoding="utf-8")
    browser.chmod(0o700)
    ours, theirs = os.openpty()
    environment = installed.environment | {"BROWSER": str(browser), "DISPLAY": ":99"}
    server = await asyncio.create_subprocess_exec(
        installed.programs / "anna-eins", cwd=installed.decoys, env=environment, stdout=theirs
    )
    os.close(theirs)
    try:
        with os.fdopen(ours, encoding="utf-8") as terminal:
            told = await asyncio.to_thread(read_until, terminal, "the arbiter admits each device")
            await until(opened.is_file)
            assert re.fullmatch(r"http://localhost:\d+/#join=\S+\n", opened.read_text("utf-8"))
            await play_a_game(told)
    finally:
        server.send_signal(signal.SIGTERM)
        assert await server.wait() == 0
    ended = installed.run("export", "demo")
    assert ended.returncode == 0, ended.stderr
    assert '[Result "0-1"]' in ended.stdout and "Qh4#" in ended.stdout


@pytest.mark.thorough
async def test_a_slim_bundle_plays_a_game_and_says_what_it_lacks(
    installed: Installed, tmp_path: Path, repo: Path
) -> None:
    data = str(tmp_path / "data")
    slim = installed.environment | {"ANNA_EINS_PROGRAM": str(tmp_path / "venv")}
    install_from_bundle(tmp_path / "bundle", installed.wheel, repo, slim, "--slim")
    named = {name for name, _ in locked((repo / "config/locks/slim.lock").read_text("utf-8"))}
    packed = {file.name.split("-")[0].replace("_", "-").lower() for file in (tmp_path / "bundle/wheels").iterdir()}
    assert packed - {"anna-eins"} <= named and "vosk" not in packed
    assert not (tmp_path / "bundle/models").exists()
    programs = tmp_path / "venv" / "bin"
    server = await asyncio.create_subprocess_exec(
        *(programs / "anna-eins", "serve", "--port", "0", "--demo-table", "--data", data),
        **{"cwd": installed.decoys, "env": installed.environment, "stdout": subprocess.PIPE},
        stderr=subprocess.STDOUT,
    )
    try:
        assert server.stdout is not None
        told = ""
        while not ("No voice works here" in told and "No recogniser works here" in told):
            line = await asyncio.wait_for(server.stdout.readline(), PATIENCE_S)
            assert line, told
            told += line.decode()
        assert "this is a slim install" in told
        await play_a_game(told)
    finally:
        server.send_signal(signal.SIGTERM)
        assert await server.wait() == 0
    report = ("report", "demo", "--data", data)
    for command in (("say", "Hallo", "--out", "x.wav"), (*report, "--format", "pdf", "--out", "x.pdf")):
        ended = msgspec.structs.replace(installed, programs=programs).run(*command)
        assert ended.returncode and ended.stderr.count("\n") == 1
        assert ("slim install" if "say" in command else "the package typst is missing") in ended.stderr


@pytest.fixture
def buildah() -> Iterator[list[str | Path]]:
    """The program that builds containers, as it is called here, with a Debian that has this Python as `base`.

    It is called so that it needs no kernel's help: without namespaces, mounts and control groups of its own.
    """
    system = {name: value.strip('"') for name, _, value in (line.partition("=") for line in os_release())}
    with tempfile.TemporaryDirectory(prefix="anna-container-") as folder:
        place = Path(folder)
        called = ["env", f"XDG_RUNTIME_DIR={place}", "BUILDAH_ISOLATION=chroot", "STORAGE_DRIVER=vfs", "buildah"]
        command: list[str | Path] = [*called, "--root", place / "store", "--runroot", place / "run"]
        (place / "Containerfile").write_text("FROM scratch\nADD base.tar /\n", "utf-8")
        debian = ["mmdebstrap", "--quiet", "--variant=minbase", "--include=python3-venv,ca-certificates"]
        for made in (
            [*debian, system.get("VERSION_CODENAME", "stable"), place / "base.tar"],
            [*command, "bud", "-q", "-t", "localhost/base", place],
        ):
            done = subprocess.run(made, capture_output=True, text=True, timeout=300)
            assert done.returncode == 0, done.stderr
        (place / "base.tar").unlink()
        yield command


def os_release() -> list[str]:
    return Path("/etc/os-release").read_text("utf-8").splitlines()


@pytest.mark.needs("container")
@pytest.mark.timeout(900)  # the wheel, a bundle, a Debian and an image are made for it, one after the other
async def test_a_container_is_made_of_the_bundle_and_serves_as_a_user_without_rights(
    installed: Installed, buildah: list[str | Path]
) -> None:
    build = [*buildah, "bud", "--quiet", "--format", "docker", "--pull-never", "--build-arg", "BASE=localhost/base"]
    checked([*build, "-t", "localhost/anna-eins", installed.bundle], installed.environment, installed.decoys)

    def said(*words: str) -> str:
        done = subprocess.run([*buildah, *words], capture_output=True, text=True, timeout=120, check=True)
        return done.stdout.strip()

    image = json.loads(said("inspect", "--type", "image", "localhost/anna-eins"))["Docker"]["config"]
    assert (image["Entrypoint"], image["Cmd"], image["User"]) == (["anna-eins"], ["serve", "--lan"], "anna")
    container = said("from", "--pull-never", "localhost/anna-eins")
    assert said("run", container, "--", "id", "-un") == "anna"
    ports = ("--port", "0", "--https-port", "0", "--demo-table")  # the usual ones may be in use here
    server = await asyncio.create_subprocess_exec(
        *(*buildah, "run", container, "--", *image["Entrypoint"], *image["Cmd"], *ports), stdout=subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        told = ""
        while "the arbiter admits each device" not in told:
            line = await asyncio.wait_for(server.stdout.readline(), PATIENCE_S)
            assert line, told
            told += line.decode()
        await play_a_game(told)
    finally:
        server.send_signal(signal.SIGTERM)
        await server.wait()


def read_until(terminal: TextIO, words: str) -> str:
    """What a terminal shows up to these words."""
    told = ""
    while words not in told:
        line = terminal.readline()
        assert line, told
        told += line.replace("\r", "")
    return told


async def play_a_game(told: str) -> None:
    """The shortest game there is, played over the network by an arbiter and two players who come with their codes.

    `told`: what the terminal of the server shows.
    """
    port = re.search(r"On this computer:\s+http://localhost(:\d+)", told)
    seats = re.findall(r"(?:White, tactile|Black, sighted):\s+(\S.*\S)", told)
    secret = re.search(r"Table demo\s+Arbiter, open this once: \S+#join=(\S+)", told)
    assert port and secret and len(seats) == 2
    base = f"http://127.0.0.1{port[1]}"
    arbiter, white, black = people = [WireClient(name) for name in ("arbiter", "white", "black")]
    try:
        for one in people:
            one.base = base
        await arbiter.post("/api/join", {"secret": secret[1]})
        for player, code in zip(people[1:], seats, strict=True):
            asked = await player.post("/api/join", {"code": code})
            await arbiter.post(f"/api/introductions/{asked['id']}", {"admit": True})
            assert (await player.get(f"/api/join/{asked['id']}"))["state"] == "admitted"
        for one in people:
            await one.connect(base)

        async def do(one: WireClient, *acts: Any) -> None:
            for act in acts:
                answer = await one.send(one.typing(act, "announce") if isinstance(act, str) else one.command(act))
                assert answer.outcome.ok, answer

        press = cmd.Press()
        await do(arbiter, cmd.StartGame())
        await do(white, "Bauer Felix drei", press)
        await do(black, cmd.Execute(uci="f2f3"), cmd.EnterMove(uci="e7e5"), press)
        await do(white, cmd.Execute(uci="e7e5"), "Bauer Gustav vier", press)
        await do(black, cmd.Execute(uci="g2g4"), cmd.EnterMove(uci="d8h4"))
        await do(arbiter, cmd.RuleResult(result="0-1", reason="checkmate", article="5.1.1"))
    finally:
        for one in people:
            await one.close()
