"""The starter of a bundle: it installs Anna Eins from the folder that it lies in, once, and then starts it.

`anna-eins bundle` copies this file as `start.py`. It uses Python's own library alone, and never the network.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import venv
from pathlib import Path

INSTALL_ONLY = "--install-only"
INSTALLED_FROM = "installed-from"
"""The file in the environment that says of which bundle it was installed."""


def wrong_machine(about: dict[str, str]) -> str:
    """Return in one sentence why this machine cannot use the bundle; "" where it can."""
    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if python != about["python"]:
        return f"This bundle is for Python {about['python']}, and this is {python}: start it with the other one."
    if (sys.platform, platform.machine().lower()) != (about["system"], about["machine"]):
        return f"This bundle is for {about['system']} on {about['machine']}: make one on a machine of this kind."
    return ""


def place_of_version(version: str) -> Path:
    """Return where this version is installed: `$ANNA_EINS_PROGRAM`, else a folder of the user."""
    if named := os.environ.get("ANNA_EINS_PROGRAM"):
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local" / "share"))
    return base / "anna-eins-program" / version


def install(bundle: Path, place: Path) -> str:
    """Install from the bundle into a fresh environment; return what went wrong in one sentence, or ""."""
    if place.is_dir() and any(place.iterdir()) and not (place / "pyvenv.cfg").is_file():
        return f"{place} holds other files, which would be deleted: name an empty folder as ANNA_EINS_PROGRAM."
    programs = place / ("Scripts" if sys.platform == "win32" else "bin")
    try:
        venv.create(place, clear=True, with_pip=True)
    except (OSError, subprocess.CalledProcessError):
        return f"No environment can be made in {place}: on Debian, install the package python3-venv."
    pip = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    files = ["--no-deps", "--find-links", str(bundle / "wheels"), "--require-hashes"]
    if subprocess.call([*pip, *files, "-r", str(bundle / "requirements.lock")]) != 0:
        return "The installation failed; what pip says stands above. Copy the folder anew and try again."
    if (bundle / "models").is_dir():
        try:
            copy_models(bundle / "models", place / "share" / "anna-eins" / "models")
        except OSError as wrong:
            return (
                f"The model for the ears could not be copied ({wrong.strerror or wrong}): free some room and try again."
            )
    return ""


def copy_models(models: Path, shelf: Path) -> None:
    """Copy what the ears know, readable for every user who may read the program: a service has its own.

    Raises OSError.
    """
    shutil.copytree(models, shelf, copy_function=shutil.copyfile)
    umask = os.umask(0o022)
    os.umask(umask)
    for place in (shelf, *shelf.rglob("*")):
        if place.is_dir():
            place.chmod(0o777 & ~umask)


def main(arguments: list[str]) -> int:
    """Install where it is needed, then start the program with the arguments; return its status."""
    bundle = Path(__file__).resolve().parent
    about = json.loads((bundle / "about.json").read_text("utf-8"))
    place = place_of_version(about["version"])
    told = wrong_machine(about)
    digest = hashlib.sha256((bundle / "requirements.lock").read_bytes()).hexdigest()
    mark = place / INSTALLED_FROM
    if not told and not (mark.is_file() and mark.read_text("ascii") == digest):
        sys.stdout.write(f"Anna Eins {about['version']} is being installed into {place}; this is done once.\n")
        sys.stdout.flush()
        told = install(bundle, place)
        if not told:
            mark.write_text(digest, "ascii")
    if told:
        sys.stderr.write(told + "\n")
        return 2
    if arguments == [INSTALL_ONLY]:
        return 0
    program = place / ("Scripts/anna-eins.exe" if sys.platform == "win32" else "bin/anna-eins")
    try:
        return subprocess.call([str(program), *arguments])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
