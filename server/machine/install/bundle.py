"""A bundle is a folder with everything for a machine that never sees the internet: wheels, their lock and a starter.

It is made where there is internet, for machines with the same system, kind of processor and version of Python. On
Linux a container can be made of it too: its recipe, `Containerfile`, lies in it.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import platform
import re
import shutil
import sys
import zipfile
from collections.abc import Callable
from contextlib import suppress
from importlib import metadata, resources
from pathlib import Path

import msgspec

from server.machine.install.locks import kept_lock, lock_of
from server.machine.install.pip import pip_here, run_pip
from server.machine.models.getting import get_model
from server.machine.models.whisper import add_whisper
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
_CMD = '@py -{python} "%~dp0start.py" %*\r\n@if errorlevel 1 pause\r\n'


class About(msgspec.Struct, frozen=True):
    """This says for which machines a bundle is; the starter compares it with its own machine."""

    version: str
    python: str
    system: str
    machine: str


def make_bundle(folder: Path, *, slim: bool, wheel: Path | None, quiet: bool) -> About:
    """Write a bundle into an empty folder. `wheel`: the program itself, else it is built or packed again from here.

    `quiet`: pip shows no progress. Raises Complaint: the folder is not empty or cannot be written, or a package cannot
    be fetched.
    """
    wheels = folder / WHEELS
    try:
        if folder.exists() and any(folder.iterdir()):
            raise Complaint(Phrase("bundle.not_empty", folder=folder))
        wheels.mkdir(parents=True)
        with pip_here() as pip:
            fetch = ["wheel", "--no-deps", "--wheel-dir", str(wheels), *(["--quiet"] if quiet else [])]
            run_pip([*pip, *fetch, "--require-hashes", "-r", str(kept_lock(slim=slim))])
            _own_wheel(wheels, wheel, [*pip, *fetch])
        about = About(program_version(), f"{sys.version_info[0]}.{sys.version_info[1]}", sys.platform, _machine())
        (folder / LOCK).write_text(lock_of(wheels.glob("*.whl")), "utf-8")
        (folder / "about.json").write_bytes(msgspec.json.format(msgspec.json.encode(about)))
        starter = resources.files("server.machine.install").joinpath("starter.py").read_bytes()
        (folder / "start.py").write_bytes(starter)
        recipe = resources.files("server.machine.install").joinpath("Containerfile").read_text("utf-8")
        own = re.sub("^ARG PYTHON=.*$", f"ARG PYTHON={about.python}", recipe, flags=re.MULTILINE)
        (folder / "Containerfile").write_text(own, "utf-8")
        (folder / "start.cmd").write_bytes(_CMD.format(python=about.python).encode())
        (folder / "README.txt").write_text(_README.format_map(msgspec.structs.asdict(about)), "utf-8")
    except OSError as wrong:
        raise Complaint(Phrase("files.unwritten", place=folder, why=wrong.strerror)) from wrong
    return about


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


def _machine() -> str:
    return platform.machine().lower()


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
            name = file.as_posix()
            if name.startswith("..") or file.suffix == ".pyc" or name == record or file.name in _OF_THE_INSTALLER:
                continue
            data = Path(str(installed.locate_file(file))).read_bytes()
            wheel.writestr(name, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.append((name, f"sha256={digest}", str(len(data))))
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([*rows, (record, "", "")])
        wheel.writestr(record, text.getvalue())
    return target


_OF_THE_INSTALLER = ("INSTALLER", "REQUESTED", "direct_url.json")
