"""Our own code believes in this process that it runs on Windows: each Python that finds this folder begins with it.

Only what `server`, `speech` and `braille` import is changed; the libraries below work as they do here. They are told
the system's name, they find neither the modules nor the functions nor the signals that only POSIX has, and every event
loop is one without readers, writers and handlers of signals. What Windows alone has is there, and does nothing.
"""

from __future__ import annotations

import asyncio
import builtins
import ctypes
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection
from pathlib import Path
from types import ModuleType
from typing import Any

import psutil

from tests.windows_loop import WindowsPolicy

OURS = ("server", "speech", "braille")


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


POSIX_MODULES = _names("fcntl termios tty pty pwd grp spwd crypt resource syslog posix readline curses")
POSIX_OF_OS = _names(
    """fork forkpty register_at_fork getuid geteuid getgid getegid getgroups getpgid getpgrp getsid setsid setpgid
    setuid setgid seteuid setegid initgroups killpg nice getpriority setpriority sched_getaffinity sched_setaffinity
    sched_yield posix_fallocate posix_fadvise posix_spawn posix_spawnp mkfifo mknod chown fchown lchown fchmod chroot
    fchdir statvfs fstatvfs uname getloadavg wait wait3 wait4 waitid WNOHANG WIFEXITED WIFSIGNALED WEXITSTATUS WTERMSIG
    pread pwrite preadv pwritev fdatasync sync openpty login_tty ttyname tcgetpgrp tcsetpgrp ctermid sysconf confstr
    pathconf fpathconf memfd_create pidfd_open eventfd splice copy_file_range sendfile pipe2 set_blocking get_blocking
    getxattr setxattr listxattr removexattr O_NONBLOCK O_NOFOLLOW O_DIRECTORY O_CLOEXEC O_SYNC O_DSYNC O_NOCTTY"""
)
KEPT_OF_SIGNAL = _names("SIGABRT SIGFPE SIGILL SIGINT SIGSEGV SIGTERM SIG_DFL SIG_IGN")
POSIX_OF_SIGNAL = _names(
    "setitimer getitimer alarm pause pthread_kill pthread_sigmask sigwait siginterrupt ITIMER_REAL ITIMER_PROF"
) | {name for name in dir(signal) if name.startswith("SIG") and name.isupper() and name not in KEPT_OF_SIGNAL}
POSIX_OF_TIME = {name for name in dir(time) if name.startswith(("clock_", "CLOCK_", "pthread_", "tzset"))}


class Seen(ModuleType):
    """A module as our own code sees it: without some of its names, and with some more."""

    def __init__(self, real: ModuleType, without: Collection[str] = (), **more: Any) -> None:
        super().__init__(real.__name__)
        self.__dict__.update(_real=real, _without=without, **more)

    def __getattr__(self, name: str) -> Any:
        if name in self._without:
            raise AttributeError(f"module {self.__name__!r} of Windows has no attribute {name!r}")
        return getattr(self._real, name)


def _nobody_elses(*args: Any, delete: bool = True, **more: Any) -> Any:
    """Make a temporary file that nobody else can open as long as it is there, where it goes by itself."""
    made = tempfile.NamedTemporaryFile(*args, delete=delete, **more)  # noqa: SIM115
    if delete:
        Path(made.name).unlink()
        made._closer.delete = False  # type: ignore[attr-defined]
    return made


def _library(name: str | None, *args: Any, **more: Any) -> ctypes.CDLL:
    """Load a library by its name; the program itself is none."""
    if name is None:
        raise TypeError("argument of type 'NoneType' is not iterable")
    return ctypes.CDLL(name, *args, **more)


SEEN = {
    "ctypes": Seen(ctypes, CDLL=_library),
    "sys": Seen(sys, platform="win32"),
    "os": Seen(os, POSIX_OF_OS, O_BINARY=0),
    "signal": Seen(signal, POSIX_OF_SIGNAL),
    "time": Seen(time, POSIX_OF_TIME),
    "socket": Seen(socket, _names("AF_UNIX SO_REUSEPORT"), SO_EXCLUSIVEADDRUSE=socket.SO_REUSEADDR),
    "subprocess": Seen(subprocess, CREATE_NEW_PROCESS_GROUP=0),
    "psutil": Seen(psutil, BELOW_NORMAL_PRIORITY_CLASS=10),
    "tempfile": Seen(tempfile, NamedTemporaryFile=_nobody_elses),
    "msvcrt": Seen(ModuleType("msvcrt"), getwch=input, putwch=print),
}

_import = builtins.__import__


def _imported(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
    """Import for our own code what it would find on Windows, for all other what there is."""
    by = str((globals or {}).get("__name__", "")) if level == 0 else ""
    if by.partition(".")[0] in OURS or (by == "__main__" and _is_ours(globals)):
        first = name.partition(".")[0]
        if first in POSIX_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}, on Windows", name=name)
        if first in SEEN and (name == first or not fromlist):
            return SEEN[first]
    return _import(name, globals, locals, fromlist, level)


def _is_ours(globals: Any) -> bool:
    spec = (globals or {}).get("__spec__")
    return spec is not None and str(spec.name).partition(".")[0] in OURS


builtins.__import__ = _imported
asyncio.set_event_loop_policy(WindowsPolicy())
