"""Every module of the program is imported as on Windows and macOS: without what those systems lack."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MISSING = {
    "win32": ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"),
    "darwin": (),
}
LACKING = {
    "win32": (
        *("os.getuid", "os.killpg", "os.pread", "os.pwrite", "os.fchmod", "os.memfd_create", "os.O_CLOEXEC"),
        *("os.O_NOFOLLOW", "os.O_NONBLOCK", "os.sysconf", "signal.SIGKILL", "signal.SIGALRM", "signal.setitimer"),
        *("signal.ITIMER_REAL", "time.clock_gettime_ns", "time.CLOCK_BOOTTIME", "time.CLOCK_MONOTONIC"),
    ),
    "darwin": ("os.memfd_create", "time.CLOCK_BOOTTIME"),
}

# The libraries are imported as they are on this system, our own modules a second time as on the other one.
SCRIPT = """
import importlib, pkgutil, sys, types
platform, missing, lacking = sys.argv[1], sys.argv[2].split(), sys.argv[3].split()
names = [
    one.name
    for room in ("server", "speech", "braille", "config")
    for one in pkgutil.walk_packages(importlib.import_module(room).__path__, room + ".")
    if not one.name.startswith("speech.training") and not one.name.endswith("__main__")
]
for name in tuple(names):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as wrong:
        if wrong.name not in ("torch", "kaldi_native_fbank"):  # what only `make model` installs
            raise
        names.remove(name)
for name in [one for one in sys.modules if one.partition(".")[0] in ("server", "speech", "braille", "config")]:
    del sys.modules[name]
for name in missing:
    sys.modules[name] = None
for module, _, name in (one.partition(".") for one in lacking):
    vars(sys.modules[module]).pop(name, None)
if platform == "win32":
    sys.modules["msvcrt"] = types.ModuleType("msvcrt")
    import subprocess
    subprocess.CREATE_NEW_PROCESS_GROUP = 0x200
sys.platform = platform
for name in names:
    importlib.import_module(name)
print(len(names))
"""


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_every_module_is_imported_without_what_another_system_lacks(platform: str, repo: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, platform, " ".join(MISSING[platform]), " ".join(LACKING[platform])]
    done = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    assert int(done.stdout) > 300
