"""For which systems the packages of the lock have wheels: `make lock` writes `wheels.toml` with this.

It reads the lock that `uv` makes with the names of all files (`pylock.toml`, PEP 751) and notes, for each package and
system, the versions of Python for which a wheel can be installed. It leaves out where the files come from.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms
from packaging.utils import parse_wheel_filename

PLACE = Path(__file__).with_name("wheels.toml")
PYTHONS = ((3, 11), (3, 12), (3, 13), (3, 14))


def linux(machine: str) -> list[str]:
    """The names of a Linux that is as old as Debian 12 and Raspberry Pi OS 12, or newer."""
    legacy = [f"{name}_{machine}" for name in ("manylinux2014", "manylinux2010", "manylinux1", "linux")]
    return [f"manylinux_2_{minor}_{machine}" for minor in range(36, 4, -1)] + legacy


SYSTEMS: dict[str, tuple[str, str, list[str]]] = {
    "linux x86-64": ("linux", "x86_64", linux("x86_64")),
    "linux aarch64": ("linux", "aarch64", linux("aarch64")),
    "windows amd64": ("win32", "AMD64", ["win_amd64"]),
    "macos arm64": ("darwin", "arm64", list(mac_platforms((13, 0), "arm64"))),
    "macos x86-64": ("darwin", "x86_64", list(mac_platforms((13, 0), "x86_64"))),
}
"""The systems that must be served: what Python calls each and its machine, and which platforms of a wheel it takes."""


def tags_of(version: tuple[int, int], platforms: list[str]) -> Iterator[Tag]:
    """The wheels that CPython of that version takes."""
    yield from cpython_tags(version, platforms=platforms)
    yield from compatible_tags(version, f"cp{version[0]}{version[1]}", platforms)


def served(package: dict[str, Any]) -> dict[str, str]:
    """For each system the versions of Python with a wheel, then "not:" and those for which there is none.

    A version for which the lock does not install the package is left out.
    """
    offered: set[Tag] = set()
    for wheel in package.get("wheels", []):
        offered |= parse_wheel_filename(wheel["url"].rpartition("/")[2])[3]
    found = {}
    for system, (name, machine, platforms) in SYSTEMS.items():
        with_wheel, without = [], []
        for one in PYTHONS:
            version = f"{one[0]}.{one[1]}"
            here = {"sys_platform": name, "platform_machine": machine, "python_version": version}
            if "marker" not in package or Marker(package["marker"]).evaluate(dict(here, python_full_version=version)):
                (without if offered.isdisjoint(tags_of(one, platforms)) else with_wheel).append(version)
        found[system] = " ".join([*with_wheel, *(["not:", *without] if without else [])])
    return found


def written(packages: Iterable[dict[str, Any]]) -> str:
    """The whole file: a table for each package; what holds for all systems is one line."""
    lines = ["# `make lock` writes this: for which versions of Python each system has a wheel of each locked package."]
    for package in sorted(packages, key=lambda one: (one["name"], one["version"])):
        lines += ["", f'["{package["name"]}=={package["version"]}"]']
        found = served(package)
        alike = {"everywhere": found["linux x86-64"]} if len(set(found.values())) == 1 else found
        lines += [f'"{system}" = "{versions}"' for system, versions in alike.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    lock = tomllib.loads(Path(sys.argv[1]).read_text("utf-8"))
    PLACE.write_text(written(lock["packages"]), encoding="utf-8")
    sys.stdout.write(f"{PLACE}\n")
