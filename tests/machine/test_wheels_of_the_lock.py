"""Every system has wheels of every locked package, or the package is pure Python."""

from __future__ import annotations

import tomllib
from importlib.metadata import files
from pathlib import Path

from server.machine.install.locks import LEFT_OUT, kept_lock, slim
from tests.machine.bill_of_materials import locked
from tests.machine.wheels_of_the_lock import PLACE, SYSTEMS, written

PURE = {"chess", "srt"}
"""They come as source alone, and are built without a compiler (tests/test_wheel.py)."""


def lacks() -> set[tuple[str, ...]]:
    """Every package, version of Python and system without a wheel; the system is left out where it is all of them."""
    found: set[tuple[str, ...]] = set()
    for package, systems in tomllib.loads(PLACE.read_text("utf-8")).items():
        name = package.partition("==")[0]
        for system, said in systems.items():
            for version in said.partition("not:")[2].split():
                found.add((name, version) if system == "everywhere" else (name, version, system))
    return found


def test_every_locked_package_has_a_wheel_for_every_system() -> None:
    assert {one for one in lacks() if one[0] not in PURE} == set()


def test_the_wheels_were_looked_up_for_this_lock(repo: Path) -> None:
    lock = (repo / "requirements.lock").read_text("utf-8")
    assert {f"{name}=={version}" for name, version in locked(lock)} == tomllib.loads(PLACE.read_text("utf-8")).keys()


def test_the_slim_lock_is_the_whole_one_without_speech_and_pdf(repo: Path) -> None:
    whole, slim_lock = kept_lock(slim=False).read_text("utf-8"), kept_lock(slim=True).read_text("utf-8")
    assert slim_lock == slim(whole), "make it anew with `make lock`"
    left_out = {name for name, _ in locked(whole)} - {name for name, _ in locked(slim_lock)}
    assert left_out == LEFT_OUT | {
        "certifi",
        "charset-normalizer",
        "colorama",
        "comtypes",
        "pyobjc-core",
        "pypiwin32",
        "pyyaml",
    } | {
        *("pywin32", "requests", "srt", "tqdm", "urllib3", "websockets"),
    }


def test_what_comes_as_source_alone_is_pure_python() -> None:
    for name in PURE:
        assert not [one for one in files(name) or () if one.suffix in (".so", ".pyd", ".c", ".pyx")]


def test_a_lack_is_seen_and_a_marker_is_obeyed() -> None:
    packages = [
        {"name": "a", "version": "1", "wheels": [{"url": "x/a-1-cp311-cp311-win_amd64.whl"}]},
        {
            "name": "b",
            "version": "1",
            "marker": "sys_platform == 'darwin'",
            "wheels": [{"url": "b-1-py3-none-any.whl"}],
        },
    ]
    told = tomllib.loads(written(packages))
    assert told["a==1"]["windows amd64"] == "3.11 not: 3.12 3.13 3.14"
    assert told["a==1"]["linux x86-64"] == "not: 3.11 3.12 3.13 3.14"
    assert told["b==1"]["linux x86-64"] == "" and told["b==1"]["macos arm64"] == "3.11 3.12 3.13 3.14"
    assert set(told["b==1"]) == set(SYSTEMS)
