"""A native engine in a process of its own: it may crash, hang, print and eat memory, and the parent goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from speech.complaint import Complaint
from speech.process import LARGEST_MESSAGE, Child, ChildFailed, watching
from tests.waiting import PATIENCE_S, idle, until, wait_until

CHILD = """
import os, sys, time
print("printed at import", flush=True)
from speech.process import serve_child
from speech.complaint import Complaint

asked = 0

def handler(message):
    global asked
    asked += 1
    what = message["what"]
    if what == "echo":
        return {"text": message["text"], "asked": asked, "pid": os.getpid()}
    if what == "abort":
        os.abort()
    if what == "abort once":
        if not os.path.exists(message["flag"]):
            open(message["flag"], "w").close()
            os.abort()
        return {"text": "second try"}
    if what == "hang":
        open(message["flag"], "w").close()
        time.sleep(3600)
    if what == "hang once":
        if not os.path.exists(message["flag"]):
            open(message["flag"], "w").close()
            time.sleep(3600)
        return {"text": "second try"}
    if what == "wait":
        while not os.path.exists(message["flag"]):
            time.sleep(0.01)
        return {"asked": asked}
    if what == "print":
        print("noise " * 1000, flush=True)
        os.write(1, b"\\xff\\x00raw noise" * 1000)
        sys.stderr.write("x" * 1_000_000)
        return {"ok": True}
    if what == "read":
        return {"read": sys.stdin.read()}
    if what == "memory":
        return {"size": len(bytearray(message["size"]))}
    if what == "keep memory":
        kept = b"\\x01" * message["size"]
        time.sleep(3600)
    if what == "big":
        return {"data": b"\\x01" * message["size"]}
    if what == "complain":
        raise Complaint("That voice is unknown; choose another.")
    if what == "break":
        raise ValueError("a fault of the child")
    raise Complaint("What?")

def hello():
    if "--broken-model" in sys.argv:
        raise Complaint("The model folder is broken; give another.")
    if "--silent" in sys.argv:
        time.sleep(3600)
    if "--dies" in sys.argv:
        os.abort()
    return {"arguments": sys.argv[1:]}

serve_child(handler, hello)
"""

Maker = Callable[..., Child]


@pytest_asyncio.fixture
async def child_of(tmp_path: Path) -> AsyncIterator[Maker]:
    (tmp_path / "tried_child.py").write_text(CHILD, encoding="utf-8")
    made: list[Child] = []

    def make(*arguments: str, **options: object) -> Child:
        child = Child("tried_child", arguments=arguments, environment={"PYTHONPATH": str(tmp_path)}, **options)  # type: ignore[arg-type]
        made.append(child)
        return child

    yield make
    for child in made:
        await child.close()


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def test_hello_and_answers(child_of: Maker) -> None:
    child = child_of("one", "two")
    assert child.pid is None
    await child.start()
    assert child.hello == {"arguments": ["one", "two"]}
    answers = await asyncio.gather(*(child.request({"what": "echo", "text": str(n)}) for n in range(20)))
    assert [answer["text"] for answer in answers] == [str(n) for n in range(20)]
    assert {answer["pid"] for answer in answers} == {child.pid}
    assert child.restarts == 0


async def test_starts_by_itself_at_the_first_request(child_of: Maker) -> None:
    child = child_of()
    assert (await child.request({"what": "echo", "text": "ä"}))["text"] == "ä"
    assert child.restarts == 0


async def test_crash_once_is_asked_again(child_of: Maker, tmp_path: Path) -> None:
    child = child_of()
    await child.start()
    first = child.pid
    assert (await child.request({"what": "abort once", "flag": str(tmp_path / "flag")}))["text"] == "second try"
    assert child.restarts == 1
    assert child.pid != first


async def test_crash_twice_fails_in_a_sentence_and_the_next_request_works(child_of: Maker) -> None:
    child = child_of()
    with pytest.raises(ChildFailed, match=r"tried_child was ended by SIGABRT"):
        await child.request({"what": "abort"})
    assert (await child.request({"what": "echo", "text": "still here"}))["text"] == "still here"
    assert child.restarts == 2


async def test_a_fault_of_the_child_names_its_last_words(child_of: Maker) -> None:
    child = child_of()
    with pytest.raises(ChildFailed, match=r"ended with status 1 \(ValueError: a fault of the child\)\."):
        await child.request({"what": "break"})


async def test_hang_is_killed_at_the_deadline(child_of: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    child = child_of(deadline_s=0.3)
    await child.start()
    first, exchange, limits = child.pid, child._exchange, iter((0.3, PATIENCE_S))
    assert first is not None
    with monkeypatch.context() as second_try_is_waited_for:
        second_try_is_waited_for.setattr(child, "_exchange", lambda message, _: exchange(message, next(limits)))
        assert (await child.request({"what": "hang once", "flag": str(tmp_path / "flag")}))["text"] == "second try"
    assert gone(first)
    with pytest.raises(ChildFailed, match=r"did not answer within 0\.3 seconds"):
        await child.request({"what": "hang", "flag": str(tmp_path / "flag")})


async def test_killed_while_idle_does_not_cost_the_request_a_try(child_of: Maker, tmp_path: Path) -> None:
    child = child_of()
    await child.start()
    assert child.pid is not None
    os.kill(child.pid, 9)
    async with asyncio.timeout(PATIENCE_S):
        while child.pid is not None:
            await asyncio.sleep(0)
    assert (await child.request({"what": "abort once", "flag": str(tmp_path / "flag")}))["text"] == "second try"
    assert child.restarts == 2


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux tells the state of a process")
async def test_a_child_that_somebody_stopped_is_replaced_at_once_and_its_people_are_told(child_of: Maker) -> None:
    child, plain, told = child_of(deadline_s=60.0, part="A recogniser of the server"), child_of(deadline_s=60.0), []
    with watching(told.append):
        for one in (child, plain):
            await one.start()
            assert one.pid is not None
            os.kill(one.pid, signal.SIGSTOP)
            async with asyncio.timeout(PATIENCE_S):
                assert (await one.request({"what": "echo", "text": "heard"}))["text"] == "heard"
            assert one.restarts == 1
    assert told == [
        "A recogniser of the server had to be ended, and is started again: The engine tried_child was stopped."
    ]
    await child.close()


async def test_a_recogniser_that_was_killed_between_two_questions_is_told_as_one_that_was_stopped(
    child_of: Maker,
) -> None:
    child, told = child_of(part="A recogniser of the server"), list[str]()
    with watching(told.append):
        await child.start()
        assert child.pid is not None
        os.kill(child.pid, 9)
        async with asyncio.timeout(PATIENCE_S):
            while child.pid is not None:
                await asyncio.sleep(0)
        assert (await child.request({"what": "echo", "text": "heard"}))["text"] == "heard"
    (sentence,) = told
    assert sentence.startswith("A recogniser of the server had to be ended, and is started again: ")
    assert "SIGKILL" in sentence
    await child.close()


async def test_what_the_child_prints_never_reaches_the_wire(child_of: Maker) -> None:
    child = child_of()
    for _ in range(3):
        assert await child.request({"what": "print"}) == {"ok": True}
    assert child.restarts == 0
    assert await child.request({"what": "read"}) == {"read": ""}


async def test_memory_limit(child_of: Maker) -> None:
    child = child_of(memory_bytes=100_000_000)
    assert (await child.request({"what": "memory", "size": 10_000_000}))["size"] == 10_000_000
    with pytest.raises(ChildFailed, match="MemoryError"):
        await child.request({"what": "memory", "size": 300_000_000})
    free = child_of()
    assert (await free.request({"what": "memory", "size": 300_000_000}))["size"] == 300_000_000


async def test_large_messages_and_the_cap(child_of: Maker) -> None:
    child = child_of()
    size = 20_000_000
    assert (await child.request({"what": "big", "size": size}))["data"] == b"\x01" * size
    assert (await child.request({"what": "echo", "text": "x" * size}))["text"] == "x" * size
    with pytest.raises(Complaint, match="may have"):
        await child.request({"what": "big", "size": LARGEST_MESSAGE})
    with pytest.raises(Complaint, match="may have"):
        await child.request({"what": "echo", "text": "x" * LARGEST_MESSAGE})
    assert child.restarts == 0


async def test_complaints_cross_the_wire(child_of: Maker) -> None:
    child = child_of()
    with pytest.raises(Complaint, match="That voice is unknown"):
        await child.request({"what": "complain"})
    assert child.restarts == 0
    broken = child_of("--broken-model")
    with pytest.raises(Complaint, match="The model folder is broken"):
        await broken.start()
    with pytest.raises(Complaint, match="The model folder is broken"):
        await broken.request({"what": "echo", "text": ""})
    assert broken.pid is None


async def test_a_child_that_cannot_start(child_of: Maker) -> None:
    with pytest.raises(ChildFailed, match=r"did not start within 0\.5 seconds"):
        await child_of("--silent", start_deadline_s=0.5).start()
    with pytest.raises(ChildFailed, match="SIGABRT"):
        await child_of("--dies").start()
    missing = Child("speech.no_such_engine")
    with pytest.raises(ChildFailed, match=r"No module named speech\.no_such_engine"):
        await missing.start()
    await missing.close()


async def test_repeated_failures_rest_longer(child_of: Maker) -> None:
    child = child_of("--dies")
    begun = time.monotonic()
    for _ in range(2):
        with pytest.raises(ChildFailed):
            await child.request({"what": "echo", "text": ""})
    assert time.monotonic() - begun > 0.4 + 0.8
    assert child.restarts == 3


async def test_a_cancelled_caller_does_not_disturb_the_next(child_of: Maker, tmp_path: Path) -> None:
    child = child_of(deadline_s=PATIENCE_S)
    await child.start()
    first = asyncio.create_task(child.request({"what": "wait", "flag": str(tmp_path / "flag")}))
    await idle()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    (tmp_path / "flag").touch()
    assert (await child.request({"what": "echo", "text": "next"}))["asked"] == 2
    assert child.restarts == 0


async def test_close_ends_idle_and_busy_children(child_of: Maker, tmp_path: Path) -> None:
    idle = child_of()
    await idle.start()
    pid = idle.pid
    await idle.close()
    assert pid is not None and gone(pid)
    with pytest.raises(ChildFailed, match="closed"):
        await idle.request({"what": "echo", "text": ""})
    busy = child_of(deadline_s=3600.0)
    await busy.start()
    pid = busy.pid
    hanging = asyncio.create_task(busy.request({"what": "hang", "flag": str(tmp_path / "flag")}))
    await until((tmp_path / "flag").exists)
    async with asyncio.timeout(PATIENCE_S):  # its own time would be an hour
        await busy.close()
    with pytest.raises(ChildFailed, match="closed"):
        await hanging
    assert pid is not None and gone(pid)


async def test_a_child_that_fails_at_every_request_is_told_of_once(child_of: Maker) -> None:
    child, told = child_of(part="A recogniser of the server"), list[str]()
    with watching(told.append):
        for _ in range(2):
            with pytest.raises(ChildFailed):
                await child.request({"what": "abort"})
    assert len(told) == 1, "every arbiter of the hall would have to settle each of them"


PARENT = """
import asyncio, sys
from speech.process import Child, watching

async def main():
    child = Child("tried_child", deadline_s=float(sys.argv[2]))
    await child.start()
    print(child.pid, flush=True)
    await child.request({"what": sys.argv[1], "text": "", "flag": sys.argv[3]})
    open(sys.argv[3], "w").close()
    await asyncio.sleep(3600)

asyncio.run(main())
"""


@pytest.mark.parametrize(("what", "deadline_s"), [("echo", 10.0), ("hang", 0.5)])
def test_the_child_ends_with_its_parent(tmp_path: Path, repo: Path, what: str, deadline_s: float) -> None:
    (tmp_path / "tried_child.py").write_text(CHILD, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(repo), str(tmp_path)])}
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, what, str(deadline_s), str(tmp_path / "flag")],
        env=environment,
        stdout=subprocess.PIPE,
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        wait_until((tmp_path / "flag").exists, lambda: "it was never asked")
        parent.kill()
    wait_until(lambda: gone_or_zombie(pid))


def gone_or_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


async def test_a_decoy_in_the_current_folder_is_not_imported(
    child_of: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "decoys"
    folder.mkdir()
    for name in ("speech", "msgspec", "tried_child"):
        (folder / f"{name}.py").write_text("raise SystemExit('the decoy was imported')", encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", "")
    assert (await child_of().request({"what": "echo", "text": "safe"}))["text"] == "safe"


async def test_a_parent_watches_the_memory_where_the_system_does_not(child_of: Maker) -> None:
    child = child_of(memory_bytes=200 << 20, watched=True)
    assert (await child.request({"what": "memory", "size": 1 << 20}))["size"] == 1 << 20
    with pytest.raises(ChildFailed, match="more than 200 MB of memory"):
        await child.request({"what": "keep memory", "size": 300 << 20}, again=False)
    assert (await child.request({"what": "echo", "text": "again"}))["text"] == "again"
