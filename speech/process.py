"""Native engines in processes of their own, so that their crash ends no game.

The parent holds a `Child`; the module that it starts calls `serve_child(handler)`. The wire between them has frames: a
little-endian uint32 length and that many bytes of msgpack. Requests come on the child's standard input, replies go to
a duplicate of its standard output. The child's own fd 1 then points at standard error, because pyttsx3 prints there.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import os
import re
import signal
import struct
import subprocess
import sys
import sysconfig
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO

import msgspec
import psutil

from speech.complaint import Complaint, Phrase
from speech.turns import Turns

LARGEST_MESSAGE = 64 * 1024 * 1024
"""The most bytes of one message, either way."""

_GREETING = b"\x00anna-eins child\n"
"""Greeting of a child, written once before its first frame; anything printed earlier (at import) is skipped."""

_MEMORY_VARIABLE = "ANNA_EINS_CHILD_MEMORY_BYTES"
_HEAD = struct.Struct("<I")
_LOOK_S = 0.25
"""How often the parent looks at a child that owes an answer: whether it was stopped, and how much memory it takes."""
_TOLD_AGAIN_S = 60.0
"""After this time those who watch are told again of a child that had to be ended."""
_MISSING = re.compile(r"ModuleNotFoundError: No module named '(\w+)")
_FIRST_REST_S = 0.1
_LONGEST_REST_S = 2.0


class ChildFailed(Exception):
    """A native engine did not answer, twice; the message is one plain sentence. Play goes on without it."""


class _Ask(msgspec.Struct, frozen=True, array_like=True):
    number: int
    deadline_s: float
    message: dict[str, Any]


class _Said(msgspec.Struct, frozen=True, array_like=True):
    """A phrase on its way between two processes."""

    key: str
    values: dict[str, str | int | float | _Said]


class _Reply(msgspec.Struct, frozen=True, array_like=True):
    number: int
    answer: dict[str, Any] | None = None
    error: str | _Said | None = None


class _Broken(Exception):
    """The child crashed, hung or sent nonsense; it must be ended and may be started again."""


class Child:
    """Process running `python -P -m MODULE ARGUMENTS`, asked one thing at a time.

    Where several wait, those whose words it heard least of late are asked first (`speech.turns`).

    `deadline_s` is the time one request may take in the child (a start is not counted), `start_deadline_s` the time
    until its hello. `memory_bytes` bounds the child's own data (RLIMIT_DATA; what it maps from files is not counted).
    Only Linux keeps that bound by itself; elsewhere (`watched`) the parent looks at the memory in use while the child
    works, and ends a child that takes more. `environment` is added to this process's own; a PYTHONPATH in it is
    searched after this package's folder. `part`: what it is to people ("A recogniser of the server"); those who watch
    are told when a child with a part has to be ended.
    """

    def __init__(
        self,
        module: str,
        *,
        arguments: Sequence[str] = (),
        deadline_s: float = 10.0,
        memory_bytes: int | None = None,
        environment: Mapping[str, str] | None = None,
        start_deadline_s: float = 30.0,
        part: str = "",
        watched: bool = sys.platform != "linux",
    ) -> None:
        self.module = module
        self._part = part
        self.hello: dict[str, object] = {}
        self._arguments = tuple(arguments)
        self._deadline_s = deadline_s
        self._start_deadline_s = start_deadline_s
        self._environment = _child_environment(dict(environment or {}), None if watched else memory_bytes)
        self._most_memory = memory_bytes if watched else None
        self._lock = asyncio.Lock()
        self._order = Turns()
        self._process: asyncio.subprocess.Process | None = None
        self._drain: asyncio.Task[None] | None = None
        self._last_words = bytearray()
        self._turns: set[asyncio.Task[dict[str, object]]] = set()
        self._number = 0
        self._restarts = 0
        self._failures_in_a_row = 0
        self._rested_until = 0.0
        self._told_at = -_TOLD_AGAIN_S
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Return the process id while the child lives, else None."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    @property
    def restarts(self) -> int:
        """Return how often the child was started again after a crash, a kill or a missed deadline."""
        return self._restarts

    async def start(self) -> None:
        """Start the child and wait for its hello.

        Raises `ChildFailed` when it dies or stays silent, `Complaint` when its hello is a complaint (a broken model).
        """
        async with self._lock:
            self._refuse_when_closed()
            if self.pid is not None:
                return
            try:
                await self._launch()
            except _Broken as broken:
                raise ChildFailed(str(broken)) from None

    async def request(
        self, message: dict[str, object], *, deadline_s: float | None = None, again: bool = True
    ) -> dict[str, object]:
        """Ask the child and return its answer. Requests from several tasks wait for each other, by fair turns.

        A child that crashes or misses the deadline (seconds) is killed and started again, and (`again`) the request is
        sent once more. Raises `ChildFailed` when that fails too, `Complaint` when the child itself complains about the
        request.
        A caller that is cancelled leaves the child to finish; the next request waits for that.
        """
        self._refuse_when_closed()
        limit = self._deadline_s if deadline_s is None else deadline_s
        turn = asyncio.create_task(self._turn(message, limit, 2 if again else 1), name=f"child {self.module}")
        self._turns.add(turn)
        turn.add_done_callback(self._turn_done)
        return await asyncio.shield(turn)

    async def close(self) -> None:
        """End the child, at once where it is busy, else by end of file.

        A request that waits for a busy child gets `ChildFailed`.
        """
        if self._closed:
            return
        self._closed = True
        turns = [turn for turn in self._turns if not turn.done()]
        if turns:
            self._kill()
            await asyncio.wait(turns)
        async with self._lock:
            process = self._process
            if process is not None and process.stdin is not None:
                process.stdin.close()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), 1.0)
            await self._end()

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise ChildFailed(f"The engine {self.module} is closed.")

    def _turn_done(self, turn: asyncio.Task[dict[str, object]]) -> None:
        self._turns.discard(turn)
        if not turn.cancelled():
            turn.exception()  # seen here, so that a request whose caller was cancelled is not reported as forgotten

    async def _turn(self, message: dict[str, object], deadline_s: float, attempts: int) -> dict[str, object]:
        async with self._order.turn(), self._lock:
            reason = ""
            for _attempt in range(attempts):
                self._refuse_when_closed()
                try:
                    if self.pid is None:
                        await self._launch()
                    reply = await self._exchange(message, deadline_s)
                except _Broken as broken:
                    reason = str(broken)
                    continue
                self._failures_in_a_row = 0
                if reply.error is not None:
                    raise Complaint(_unpack_sentence(reply.error))
                return reply.answer or {}
            self._refuse_when_closed()
            raise ChildFailed(reason)

    async def _launch(self) -> None:
        """Start the process and read its hello; after a failure, rest first, longer each time."""
        again = self._process is not None or self._failures_in_a_row > 0
        died = await self._end()
        if died:  # nobody asked it anything meanwhile: it was killed
            self._tell_ended(died)
        loop = asyncio.get_running_loop()
        if self._failures_in_a_row > 1 and self._rested_until > loop.time():
            await asyncio.sleep(self._rested_until - loop.time())
        self._refuse_when_closed()
        self._restarts += again
        self._last_words.clear()
        # A group of its own: Ctrl-C at the terminal reaches the parent alone, which then ends its children in order.
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            self.module,
            *self._arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self._environment,
            **_OWN_GROUP,
        )
        if self._closed:  # meanwhile; who closed it waits for this turn
            self._kill()
        assert self._process.stderr is not None
        self._drain = asyncio.create_task(self._keep_last_words(self._process.stderr))
        reply = await self._guard_talk(self._greeting(), self._start_deadline_s, "did not start")
        if reply.error is not None:
            await self._end()
            raise Complaint(_unpack_sentence(reply.error))
        self.hello = dict(reply.answer or {})

    async def _greeting(self) -> _Reply:
        assert self._process is not None and self._process.stdout is not None
        await self._process.stdout.readuntil(_GREETING)
        return await self._read_reply(0)

    async def _exchange(self, message: dict[str, object], deadline_s: float) -> _Reply:
        self._number += 1
        packed = _frame(_Ask(self._number, deadline_s, message))
        return await self._guard_talk(self._send_and_read(packed, self._number), deadline_s, "did not answer")

    async def _send_and_read(self, packed: bytes, number: int) -> _Reply:
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(packed)
        await self._process.stdin.drain()
        return await self._read_reply(number)

    async def _read_reply(self, number: int) -> _Reply:
        assert self._process is not None and self._process.stdout is not None
        (length,) = _HEAD.unpack(await self._process.stdout.readexactly(_HEAD.size))
        if length > LARGEST_MESSAGE:
            raise _Broken(f"The engine {self.module} announced a reply of {length} bytes, more than the limit.")
        reply = msgspec.msgpack.decode(await self._process.stdout.readexactly(length), type=_Reply)
        if reply.number != number:
            raise _Broken(f"The engine {self.module} answered another request than the one it was asked.")
        return reply

    async def _guard_talk(self, talk: Awaitable[_Reply], limit_s: float, failed: str) -> _Reply:
        """Talk to the child within the limit.

        If anything goes wrong, the child is dead afterwards and `_Broken` says why.
        """
        try:
            return await asyncio.wait_for(self._while_it_works(talk), limit_s)
        except TimeoutError:
            reason = f"The engine {self.module} {failed} within {limit_s:g} seconds."
        except _Broken as broken:
            reason = str(broken)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            reason = ""
        except msgspec.DecodeError:
            reason = f"The engine {self.module} sent a reply that cannot be read."
        except asyncio.CancelledError:
            self._kill()
            raise
        # After an end of file the process is ending by itself: its own exit status is the better reason.
        died = await self._end(grace_s=0.0 if reason else 1.0)
        self._failures_in_a_row += 1
        self._tell_ended(reason or died)
        now = asyncio.get_running_loop().time()
        rest_s = min(_FIRST_REST_S * 2.0 ** min(self._failures_in_a_row, 16), _LONGEST_REST_S)
        self._rested_until = now + rest_s
        raise _Broken(reason or died)

    def _tell_ended(self, why: str) -> None:
        """Tell those who watch that this child had to be ended or was killed, once a minute at most."""
        now = asyncio.get_running_loop().time()
        if self._part and now - self._told_at >= _TOLD_AGAIN_S:  # it may fail at every request
            self._told_at = now
            tell_watching(f"{self._part} had to be ended, and is started again: {why}")

    async def _while_it_works(self, talk: Awaitable[_Reply]) -> _Reply:
        """Wait for a reply. Raises `_Broken` where the child was stopped (SIGSTOP) or takes more memory than it may."""
        talking = asyncio.ensure_future(talk)
        try:
            while not (await asyncio.wait({talking}, timeout=_LOOK_S))[0]:
                self._look()
            return talking.result()
        finally:
            talking.cancel()
            await asyncio.wait({talking})

    def _look(self) -> None:
        if self.pid is None:
            return
        with contextlib.suppress(psutil.Error):
            child = psutil.Process(self.pid)
            if child.status() in (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP):
                raise _Broken(f"The engine {self.module} was stopped.")
            if self._most_memory is not None and child.memory_info().rss > self._most_memory:
                raise _Broken(f"The engine {self.module} took more than {self._most_memory >> 20} MB of memory.")

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            _kill_with_all_it_started(self._process.pid)

    async def _end(self, grace_s: float = 0.0) -> str:
        """See that the process is gone and return one sentence about how it went."""
        process, drain = self._process, self._drain
        self._process = self._drain = None
        if process is None:
            return ""
        if grace_s:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), grace_s)
        if process.returncode is None:
            _kill_with_all_it_started(process.pid)
        status = await process.wait()
        if drain is not None:
            await asyncio.wait({drain}, timeout=0.5)
            drain.cancel()
        if process.stdin is not None:
            process.stdin.close()
        lines = self._last_words.decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        if missing := _MISSING.match(last):
            return f"The package {missing[1]} is not installed: this is a slim install, without it."
        how = f"was ended by {_signal_name(-status)}" if status < 0 else f"ended with status {status}"
        return f"The engine {self.module} {how}" + (f" ({last[:200]})." if last else ".")

    async def _keep_last_words(self, stream: asyncio.StreamReader) -> None:
        """Read standard error as fast as it comes, so that the child never blocks on it, and keep its end."""
        while chunk := await stream.read(65536):
            self._last_words += chunk
            del self._last_words[:-4096]


_watching: list[Callable[[str], None]] = []


@contextlib.contextmanager
def watching(told: Callable[[str], None]) -> Iterator[None]:
    """Have `told` called, in one sentence, for every child with a part that has to be ended meanwhile.

    It is also called when an ear on another machine is lost or found again.
    """
    _watching.append(told)
    try:
        yield
    finally:
        _watching.remove(told)


def tell_watching(sentence: str) -> None:
    """Tell those who watch that a part of the speech engines is not as it should be, or is again."""
    for tell in tuple(_watching):
        tell(sentence)


def give_way() -> None:
    """Let every process of ordinary priority go before this one."""
    if sys.platform == "win32":
        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    else:
        os.nice(10)


class BudgetExceeded(Exception):
    """The processor time of one question is over."""


@contextlib.contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """Raise Spent after so much processor time; on Windows the parent's deadline ends this process instead."""
    if sys.platform == "win32":
        yield
    else:
        signal.signal(signal.SIGPROF, _stop)
        # Again and again: Python drops what is raised while it collects its garbage.
        signal.setitimer(signal.ITIMER_PROF, seconds, 0.05)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise BudgetExceeded


def serve_child(
    handler: Callable[[dict[str, object]], dict[str, object]],
    hello: dict[str, object] | Callable[[], dict[str, object]] | None = None,
) -> None:
    """Serve the parent, one request and one answer at a time, until standard input ends.

    The input ends when the parent closed it or died. `hello` is told to the parent first; a function is called for it
    and may load what is heavy. A `Complaint` raised by `hello` or `handler` becomes a `Complaint` in the parent; any
    other exception ends the child with its traceback on standard error. A request that outlives its deadline ends the
    child, even without a parent.
    """
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    _limit_ourselves()
    try:
        _tell(replies, _GREETING)
        try:
            told = hello() if callable(hello) else hello
        except Complaint as wrong:
            _tell(replies, _frame(_Reply(0, error=_pack_sentence(wrong.told))))
            return
        _tell(replies, _frame(_Reply(0, answer=told or {})))
        while (ask := _next_ask(requests)) is not None:
            _end_ourselves_after(ask.deadline_s + 1.0)
            try:
                reply = _Reply(ask.number, answer=handler(ask.message))
                packed = _frame(reply)
            except Complaint as wrong:
                packed = _frame(_Reply(ask.number, error=_pack_sentence(wrong.told)))
            _end_ourselves_after(0.0)
            _tell(replies, packed)
    except BrokenPipeError:
        # The parent is gone; nobody is left to be told. The flush at exit would only complain again.
        os._exit(0)


def _next_ask(requests: BinaryIO) -> _Ask | None:
    head = requests.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    (length,) = _HEAD.unpack(head)
    if length > LARGEST_MESSAGE:
        raise ValueError(f"a request of {length} bytes is more than the limit of {LARGEST_MESSAGE}")
    body = requests.read(length)
    return msgspec.msgpack.decode(body, type=_Ask) if len(body) == length else None


def _tell(replies: BinaryIO, packed: bytes) -> None:
    replies.write(packed)
    replies.flush()


def _pack_sentence(said: str | Phrase) -> str | _Said:
    if isinstance(said, str):
        return said
    values: dict[str, str | int | float | _Said] = {
        place: _pack_sentence(value)
        if isinstance(value, Phrase)
        else value
        if isinstance(value, int | float)
        else str(value)
        for place, value in said.values.items()
    }
    return _Said(said.key, values)


def _unpack_sentence(said: str | _Said) -> str | Phrase:
    if isinstance(said, str):
        return said
    values = {place: _unpack_sentence(one) if isinstance(one, _Said) else one for place, one in said.values.items()}
    return Phrase(said.key, **values)


def _frame(message: _Ask | _Reply) -> bytes:
    body = msgspec.msgpack.encode(message)
    if len(body) > LARGEST_MESSAGE:
        raise Complaint(f"A message to or from an engine may have {LARGEST_MESSAGE} bytes, this one has {len(body)}.")
    return _HEAD.pack(len(body)) + body


if sys.platform == "win32":
    _OWN_GROUP: dict[str, Any] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}

    def _kill_with_all_it_started(pid: int) -> None:
        with contextlib.suppress(psutil.Error):
            child = psutil.Process(pid)
            for one in (*child.children(recursive=True), child):
                with contextlib.suppress(psutil.Error):
                    one.kill()

    def _end_ourselves_after(seconds: float) -> None:
        """End this process after so many seconds, also where native code never comes back; 0: not any more."""
        if seconds:
            faulthandler.dump_traceback_later(seconds, exit=True)
        else:
            faulthandler.cancel_dump_traceback_later()

    def _limit_ourselves() -> None:
        """Do nothing: Windows writes no core files, and the parent watches the memory."""

else:
    _OWN_GROUP: dict[str, Any] = {"start_new_session": True}

    def _kill_with_all_it_started(pid: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)

    def _end_ourselves_after(seconds: float) -> None:
        """Have the kernel end this process (SIGALRM) after so many seconds; 0: not any more."""
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def _limit_ourselves() -> None:
        """Allow no core files, and no more memory than the parent allows."""
        try:
            import resource
        except ImportError:  # a Python that was built without it
            return
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        allowed = os.environ.get(_MEMORY_VARIABLE)
        if allowed:
            _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
            wanted = int(allowed)
            resource.setrlimit(
                resource.RLIMIT_DATA, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
            )


def _child_environment(extra: dict[str, str], memory_bytes: int | None) -> dict[str, str]:
    environment = {**os.environ, **extra}
    environment.pop(_MEMORY_VARIABLE, None)
    if memory_bytes is not None:
        environment[_MEMORY_VARIABLE] = str(memory_bytes)
    # From a checkout the package is found by this path alone (-P keeps the current folder out). Where it is installed
    # nothing is added: a PYTHONPATH comes before the standard library and other wheels could shadow it.
    places = [str(Path(__file__).resolve().parent.parent)]
    if places[0] in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        places.clear()
    places += [place for place in environment.get("PYTHONPATH", "").split(os.pathsep) if Path(place).is_absolute()]
    environment["PYTHONPATH"] = os.pathsep.join(places)
    return environment


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
