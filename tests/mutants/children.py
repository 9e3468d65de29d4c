"""Forked children, a few at a time: each does one thing, writes one line of JSON and ends."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

MEMORY = 3 << 29  # bytes; a mutant that grows without end is stopped by it
WALL = 3_600.0  # seconds of the day; only for a child that sleeps: what it computes is bound by its own time
Job = Callable[["Report"], None]


class Report:
    """A child's page: its last line stands, also when the child is killed after it."""

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def write(self, value: Any) -> None:
        os.ftruncate(self.fd, 0)
        os.pwrite(self.fd, json.dumps(value).encode(), 0)

    def read(self) -> Any:
        text = os.pread(self.fd, 1 << 20, 0)
        return json.loads(text) if text else None


@dataclass
class _Child:
    key: Any
    pid: int
    report: Report
    end: float


def outcomes(jobs: Iterable[tuple[Any, Job]], workers: int, seconds: float) -> Iterator[tuple[Any, Any, int]]:
    """Each job's key, its last line and how its process ended (negative: the signal), in the order of ending.

    `seconds` of its own time a child may use, however busy the machine is with other things.
    """
    waiting = iter(jobs)
    running: dict[int, _Child] = {}
    poll = select.poll()
    more = True
    while more or running:
        while more and len(running) < workers:
            try:
                key, job = next(waiting)
            except StopIteration:
                more = False
                break
            child = _begun(key, job, seconds)
            fd = os.pidfd_open(child.pid)
            running[fd] = child
            poll.register(fd, select.POLLIN)
        ended = [fd for fd, _ in poll.poll(1000)]
        for fd, child in list(running.items()):
            if fd not in ended and time.monotonic() > child.end:
                os.kill(child.pid, signal.SIGKILL)
            elif fd in ended:
                status = os.waitstatus_to_exitcode(os.waitpid(child.pid, 0)[1])
                poll.unregister(fd)
                os.close(fd)
                del running[fd]
                said = child.report.read()
                os.close(child.report.fd)
                yield child.key, said, status


def _begun(key: Any, job: Job, seconds: float) -> _Child:
    report = Report(os.memfd_create("mutant"))
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return _Child(key, pid, report, time.monotonic() + WALL)
    status = 70
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(nothing, fd)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (round(seconds), round(seconds) + 5))
        job(report)
        status = 0
    except BaseException:  # the child must end here, and say why
        report.write({"fault": traceback.format_exc()[-2000:]})
    finally:
        os._exit(status)
