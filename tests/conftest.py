"""What tests need of the machine, and where the shared data lies.

A test that needs something carries ``@pytest.mark.needs("chromium")``. Where the thing is absent the test is skipped
with the reason; where ``ANNA_EINS_REQUIRE`` (comma separated, or ``all``) names it, the absence is a failure.
"""

from __future__ import annotations

import ctypes.util
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import psutil
import pytest
from hypothesis import settings

import speech.words.catalogue  # noqa: F401  a complaint has words only where the catalogue is read
from server.journal.reserve import Reserve
from speech.models.whisper import whisper_folder
from tests.laws_shown import pytest_itemcollected
from tests.postgresql import cluster, programs
from tests.scheduling import (
    pytest_addoption,
    pytest_collection,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_xdist_make_scheduler,
)

# No server of a test is witnessed in the folder of the person who runs the tests.
os.environ.setdefault("ANNA_EINS_WITNESS", tempfile.mkdtemp(prefix="witness-"))

# More than a thousand halls are opened here: each keeps 64 KiB back for its record, not the 32 MiB of a real one.
Reserve.__init__.__defaults__ = (1 << 16,)

__all__ = [
    "cluster",
    "pytest_addoption",
    "pytest_collection",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_itemcollected",
    "pytest_xdist_make_scheduler",
]

MEMORY = Path("/dev/shm")
ROOM = 8 << 30
"""Bytes that must be free there, and in the machine; a whole run needs less."""


def roomy_memory(place: Path = MEMORY, room: int = ROOM) -> Path | None:
    """Return the folder in memory where it has room, and programs of a test may be started from it; else None."""
    if sys.platform != "linux" or not os.access(place, os.W_OK | os.X_OK):
        return None
    if os.statvfs(place).f_flag & os.ST_NOEXEC:
        return None
    free = min(shutil.disk_usage(place).free, psutil.virtual_memory().available)
    return place if free >= room else None


# Folders of tests lie in memory where there is much of it: thousands of halls wait for the disk at each command.
if in_memory := roomy_memory():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(in_memory))

# A busy machine is no fault of a test; what hangs is ended by its timeout (pyproject.toml).
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")

REPO = Path(__file__).resolve().parent.parent


def shared_folder() -> Path:
    """The folder of test data that is never copied into the repo (``ANNA_EINS_SHARED``, default ``../shared``)."""
    return Path(os.environ.get("ANNA_EINS_SHARED", REPO.parent / "shared"))


CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def chromium_path(*, screen: bool = False) -> str | None:
    """The system's Chromium, or None; where no `screen` is wanted, the one that draws no window of its own.

    That shell is the same engine. A page costs it less than half the processor time: no toolbar is drawn for it.
    """
    names = CHROMIUM if screen else ("chromium-headless-shell", *CHROMIUM)
    return next((found for name in names if (found := shutil.which(name))), None)


PROBES: dict[str, tuple[Callable[[], bool], str]] = {
    "chromium": (
        lambda: chromium_path() is not None,
        "no Chromium on this machine: apt-get install chromium-headless-shell",
    ),
    "pdftotext": (
        lambda: shutil.which("pdftotext") is not None,
        "no pdftotext on this machine: apt-get install poppler-utils",
    ),
    "tsc": (lambda: shutil.which("tsc") is not None, "no TypeScript on this machine: apt-get install node-typescript"),
    "portaudio": (
        lambda: ctypes.util.find_library("portaudio") is not None,
        "no PortAudio on this machine: apt-get install libportaudio2",
    ),
    "pulseaudio": (
        lambda: shutil.which("pulseaudio") is not None and shutil.which("pactl") is not None,
        "no PulseAudio on this machine: apt-get install pulseaudio pulseaudio-utils libasound2-plugins",
    ),
    "liblouis": (
        lambda: ctypes.util.find_library("louis") is not None,
        "no liblouis on this machine: apt-get install liblouis20",
    ),
    "brltty": (
        lambda: shutil.which("brltty") is not None and ctypes.util.find_library("brlapi") is not None,
        "no BRLTTY on this machine: apt-get install brltty libbrlapi0.8",
    ),
    "orca": (
        lambda: (
            all(shutil.which(name) for name in ("orca", "Xvfb", "xdotool", "dbus-daemon"))
            and chromium_path(screen=True) is not None
        ),
        "no Orca on this machine: apt-get install orca xvfb xdotool at-spi2-core dbus chromium",
    ),
    # Two minutes on two idle cores: it is made where somebody asks for it.
    "container": (
        lambda: "container" in required() and bool(shutil.which("buildah")) and bool(shutil.which("mmdebstrap")),
        "a container is built where ANNA_EINS_REQUIRE names it, as root, with: apt-get install buildah mmdebstrap",
    ),
    "postgresql": (lambda: programs() is not None, "no PostgreSQL on this machine: apt-get install postgresql"),
    "shared": (lambda: (shared_folder() / "data").is_dir(), "no shared data: set ANNA_EINS_SHARED"),
    "vosk": (lambda: importlib.util.find_spec("vosk") is not None, "the vosk wheel is not installed"),
    "whisper": (
        lambda: whisper_folder() is not None,
        "no model of Whisper on this machine: anna-eins models get whisper-base",
    ),
    "network": (
        lambda: os.environ.get("ANNA_EINS_OFFLINE") != "1",
        "ANNA_EINS_OFFLINE=1: the package index may not be asked",
    ),
}


def pytest_collection_finish() -> None:
    """Let halls search all that a process holds once: what ten thousand tests are made of takes 0.7 s each time."""
    if (hall := sys.modules.get("server.hall.hall")) is not None:
        vars(hall)["search_all"] = cache(hall.search_all)


def required() -> set[str]:
    """What may not be absent in this run."""
    named = {name.strip() for name in os.environ.get("ANNA_EINS_REQUIRE", "").split(",") if name.strip()}
    return set(PROBES) if "all" in named else named


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        for thing in mark.args:
            present, reason = PROBES[thing]
            if present():
                continue
            if thing in required():
                pytest.fail(f"required here but absent: {thing} ({reason})", pytrace=False)
            pytest.skip(reason)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared folder; use together with ``@pytest.mark.needs("shared")``."""
    return shared_folder()


@pytest.fixture(scope="session")
def repo() -> Path:
    """The root of this checkout."""
    return REPO
