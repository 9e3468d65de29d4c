"""A bundle is a folder with everything for a machine that never sees the internet: wheels, their lock and a starter.

It is made where there is internet, for machines with the same system, kind of processor and version of Python, or for
those of another kind that is named. On Linux a container can be made of it too: its recipe, `Containerfile`, lies in
it.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import os
import platform
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import metadata, resources
from pathlib import Path

import msgspec

from server.machine.install.locks import (
    EXTRAS,
    ONE_EAR,
    TARGETS,
    Target,
    extras_lock,
    kept_lock,
    lock_for,
    lock_of,
    names_in,
    pick_entries,
    without,
)
from server.machine.models.getting import get_model
from server.machine.models.whisper import add_whisper
from server.machine.pip import pip_here, run_pip
from server.machine.version import program_version
from speech.complaint import Complaint, Phrase
from speech.models.known import known_model
from speech.models.whisper import digests_of_model, first_changed, whisper_folder

NAME = "anna-eins"
WHEELS = "wheels"
MODELS = "models"
MODEL = "whisper-base"
"""The model that a bundle takes along."""
LOCK = "requirements.lock"
_README = """Anna Eins {version}, for {system} ({machine}) with Python {python}.

Copy this folder to the machine. Then start it there:

  on Windows, open start.cmd;
  elsewhere, type: python3 start.py

The first start installs the program from this folder, without the internet. Every later start only starts it.
What stands behind start.py is given to the program, for example: python3 start.py serve --lan
"""
_CMD = """\
@echo off
setlocal
set python=
for %%p in (python.exe) do if not "%%~$PATH:p" == "" set python=python
for %%p in (py.exe) do if not "%%~$PATH:p" == "" set python=py -{python}
if "%python%" == "" (
  echo Python {python} is missing: install it from python.org, then open this file again.
  pause
  exit /b 2
)
%python% "%~dp0start.py" %*
if errorlevel 1 pause
"""


class BundleInfo(msgspec.Struct, frozen=True):
    """Machines that a bundle is for; the starter compares them with its own machine."""

    version: str
    python: str
    system: str
    machine: str


def make_bundle(
    folder: Path,
    *,
    slim: bool,
    wheel: Path | None,
    quiet: bool,
    target: Target | None = None,
    python: str | None = None,
    extras: Sequence[str] = (),
    one_ear: bool = False,
) -> BundleInfo:
    """Write a bundle into an empty folder. `wheel`: the program itself, else it is built or packed again from here.

    `quiet`: pip shows no progress. `target`: the kind of machine; left out: such as this one. `python`: its version of
    Python. `extras`: what is to be in it beside the lock. `one_ear`: without `ONE_EAR`. Raises Complaint: the folder is
    not empty or cannot be written, this kind of machine is unknown, or a package cannot be fetched.
    """
    own_python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    elsewhere = target is not None or python not in (None, own_python)
    wheels = folder / WHEELS
    try:
        if folder.exists() and any(folder.iterdir()):
            raise Complaint(Phrase("bundle.not_empty", folder=folder))
        wheels.mkdir(parents=True)
        with pip_here() as pip:
            quietly = ["--quiet"] if quiet else []
            fetch = ["wheel", "--no-deps", "--wheel-dir", str(wheels), *quietly]
            kind, version = target or _this_kind(known=elsewhere), python or own_python
            lock = _lock_with(extras, slim=slim, one_ear=one_ear)
            with tempfile.TemporaryDirectory(prefix="anna-eins-lock-") as place:
                with_wheels, as_source = (Path(place) / name for name in ("wheels.txt", "source.txt"))
                if elsewhere:
                    texts = lock_for(lock, kind, version)
                    with_wheels.write_text(texts[0], "utf-8")
                    as_source.write_text(texts[1], "utf-8")
                    machine = [one for name in kind.platforms for one in ("--platform", name)]
                    machine += ["--python-version", version, "--implementation", "cp", "--only-binary", ":all:"]
                    download = ["download", "--no-deps", "--dest", str(wheels), *quietly, *machine]
                    run_pip([*pip, *download, "--require-hashes", "-r", str(with_wheels)])
                else:
                    as_source.write_text(lock, "utf-8")
                run_pip([*pip, *fetch, "--require-hashes", "-r", str(as_source)])
            _own_wheel(wheels, wheel, [*pip, *fetch])
        about = BundleInfo(program_version(), version, kind.system, kind.machine.lower())
        _write_beside_the_wheels(folder, about)
    except OSError as wrong:
        raise Complaint(Phrase("files.unwritten", place=folder, why=wrong.strerror)) from wrong
    return about


def _lock_with(extras: Sequence[str], *, slim: bool, one_ear: bool) -> str:
    """Return the lock of what is to be in a bundle."""
    lock = kept_lock(slim=slim).read_text("utf-8")
    if one_ear:
        lock = without(lock, ONE_EAR)
    if extras:
        names = frozenset().union(*(EXTRAS[one] for one in extras)) - names_in(lock)
        lock += pick_entries(extras_lock().read_text("utf-8"), names)
    return lock


def _write_beside_the_wheels(folder: Path, about: BundleInfo) -> None:
    """Write the lock of the wheels, what the bundle is, its starters, the recipe of a container and the README."""
    (folder / LOCK).write_text(lock_of((folder / WHEELS).glob("*.whl")), "utf-8")
    (folder / "about.json").write_bytes(msgspec.json.format(msgspec.json.encode(about)))
    starter = resources.files("server.machine.install").joinpath("starter.py").read_bytes()
    (folder / "start.py").write_bytes(starter)
    recipe = resources.files("server.machine.install").joinpath("Containerfile").read_text("utf-8")
    own = re.sub("^ARG PYTHON=.*$", f"ARG PYTHON={about.python}", recipe, flags=re.MULTILINE)
    (folder / "Containerfile").write_text(own, "utf-8")
    (folder / "start.cmd").write_bytes(_CMD.format(python=about.python).replace("\n", "\r\n").encode())
    (folder / "README.txt").write_text(_README.format_map(msgspec.structs.asdict(about)), "utf-8")


def take_model_along(folder: Path, show: Callable[[int, int], None]) -> Path:
    """Put Whisper's base model into a bundle: a copy of the one that is here, else it is fetched; return where it is.

    Raises Complaint where it cannot be had; the bundle installs without it all the same.
    """
    model, shelf = known_model(MODEL), folder / MODELS
    here = whisper_folder()
    if here is not None:
        with suppress(Complaint):
            found = digests_of_model(here)
            if not first_changed(model.files, found):
                return add_whisper(shelf, here, here).folder
    return get_model(shelf, model, show)[0].folder


def _this_kind(*, known: bool) -> Target:
    """Return the kind of this machine. Raises Complaint where it must be `known` what is for it, and is not."""
    for one in TARGETS.values():
        if (one.system, one.machine.lower()) == (sys.platform, platform.machine().lower()):
            return one
    if known:
        raise Complaint(Phrase("bundle.unknown_machine", machine=f"{sys.platform} {platform.machine()}"))
    return Target(sys.platform, platform.machine(), ())


def _own_wheel(wheels: Path, given: Path | None, fetch: list[str]) -> None:
    """Put the program itself into a folder, as a wheel: the one given, built from a clone, or what is installed."""
    source = Path(__file__).resolve().parents[3]
    if given is not None:
        shutil.copy(given, wheels)
    elif (source / "pyproject.toml").is_file():
        run_pip([*fetch, str(source)])
    else:
        repack(metadata.distribution(NAME), wheels)


def repack(installed: metadata.Distribution, folder: Path) -> Path:
    """Return a wheel made of an installed package: the files of the wheel that it was installed from.

    Raises OSError where a file of it is missing.
    """
    tag = next(line for line in (installed.read_text("WHEEL") or "").splitlines() if line.startswith("Tag: "))
    stem = f"{installed.metadata['Name'].replace('-', '_')}-{installed.version}"
    record = f"{stem}.dist-info/RECORD"
    rows: list[tuple[str, str, str]] = []
    target = folder / f"{stem}-{tag.removeprefix('Tag: ')}.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file in sorted(installed.files or (), key=str):
            name, lies = file.as_posix(), Path(str(installed.locate_file(file)))
            if name.startswith(".."):  # a page of the manual; the commands are made anew by who installs it
                place = Path(os.path.relpath(lies, sys.prefix))
                if place.parts[0] != "share":
                    continue
                name = f"{stem}.data/data/{place.as_posix()}"
            if file.suffix == ".pyc" or name == record or file.name in _OF_THE_INSTALLER:
                continue
            data = lies.read_bytes()
            wheel.writestr(name, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.append((name, f"sha256={digest}", str(len(data))))
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([*rows, (record, "", "")])
        wheel.writestr(record, text.getvalue())
    return target


_OF_THE_INSTALLER = ("INSTALLER", "REQUESTED", "direct_url.json")
