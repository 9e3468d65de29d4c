"""Every system has wheels of every locked package, or the package is pure Python."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import files
from pathlib import Path

from packaging.markers import Marker

from server.machine.install.locks import (
    EXTRAS,
    LEFT_OUT,
    ONE_EAR,
    PURE,
    PYTHONS,
    TARGETS,
    extras_lock,
    kept_lock,
    lock_for,
    names_in,
    pick_entries,
    slim,
    without,
)
from tests.machine.bill_of_materials import locked
from tests.machine.wheels_of_the_lock import PLACE, SYSTEMS, written
from tests.machine.wheels_of_the_lock import PYTHONS as ALL_PYTHONS


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


def test_a_laptop_that_plays_with_one_ear_has_neither_the_second_nor_the_maker_of_pdf() -> None:
    whole = kept_lock(slim=False).read_text("utf-8")
    small = without(whole, ONE_EAR)
    assert names_in(whole) - names_in(small) == {"ctranslate2", "pyyaml", "typst"}
    with_print = small + pick_entries(extras_lock().read_text("utf-8"), EXTRAS["print"] - names_in(small))
    assert names_in(whole) - names_in(with_print) == {"ctranslate2", "pyyaml"}


def test_what_another_machine_is_sent_is_what_its_markers_say() -> None:
    """As `packaging` reads the markers of the lock; chess and srt alone come as source."""
    whole = kept_lock(slim=False).read_text("utf-8")
    whole += without(extras_lock().read_text("utf-8"), names_in(whole))
    marked = re.findall(r"^([\w.-]+)==(\S+)(?: ; (.*?))? \\$", whole, re.MULTILINE)
    for target in TARGETS.values():
        for python in PYTHONS:
            here = {"sys_platform": target.system, "platform_machine": target.machine, "python_version": python}
            here |= {"implementation_name": "cpython", "python_full_version": f"{python}.99"}
            wanted = [name for name, _, marker in marked if not marker or Marker(marker).evaluate(here)]
            wheels, sources = lock_for(whole, target, python)
            assert [name for name, _ in locked(wheels)] == [name for name in wanted if name not in PURE]
            assert {name for name, _ in locked(sources)} == PURE
            assert ";" not in wheels + sources


def test_each_target_and_python_is_one_that_was_looked_up() -> None:
    known = {(name, machine) for name, machine, _ in SYSTEMS.values()}
    assert {(target.system, target.machine) for target in TARGETS.values()} == known
    assert tuple(f"{major}.{minor}" for major, minor in ALL_PYTHONS) == PYTHONS


def test_the_lock_of_the_extras_has_what_each_needs(repo: Path) -> None:
    have = {name for name, _ in locked(extras_lock().read_text("utf-8"))}
    assert have == frozenset().union(*EXTRAS.values())
    named = tomllib.loads((repo / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for extra, packages in EXTRAS.items():
        asked = {re.split(r"[\[>]", one)[0] for one in named[extra]}
        assert asked <= packages and extra in named


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
