"""The space kept back: a full disk takes the record all the same, for a while."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from server.journal.entry import Entry, Run
from server.journal.failure import JournalFailed
from server.journal.journal import Journal
from server.journal.reserve import Reserve
from server.journal.sqlite.schema import connect_writer

MakeEntry = Callable[..., Entry]

ON_A_SMALL_DISK = """
import asyncio, sys
from pathlib import Path
from server.journal.entry import Entry, Run
from server.journal.failure import JournalFailed
from server.journal.journal import Journal
from server.journal.reserve import Reserve

async def main(folder):
    reserve = Reserve(folder / "journal.reserve", 1 << 20)
    assert reserve.hold()
    journal = Journal.open(folder / "journal.sqlite", reserve=reserve)
    await journal.begin_run(Run("run1", 0, 0, "0"))
    filler = open(folder / "other", "wb", buffering=0)  # another program fills the disk
    try:
        while filler.write(b"x" * 65536) == 65536: pass
    except OSError:
        pass
    seq = after = 0
    try:
        while seq < 5000:
            await journal.append([Entry("t", seq + 1, "run1", "", "", "", "", 0, 0, 1, "k", b"x" * 2000)])
            seq += 1
            after += reserve.given_up
    except JournalFailed:
        pass
    print(after > 50, reserve.given_up, seq < 5000)
    (folder / "other").unlink()
    await journal.append([Entry("t", seq + 1, "run1", "", "", "", "", 0, 0, 1, "k", b"x")])
    print(len((await journal.record("t"))[0]) == seq + 1, (await journal.record("t"))[1].wrong == "")
    await journal.close()

asyncio.run(main(Path(sys.argv[1])))
"""


def test_on_a_disk_that_is_really_full_the_record_goes_on_in_the_space_kept_back(tmp_path: Path, repo: Path) -> None:
    small = f"mount -t tmpfs -o size=4m none {tmp_path} && exec {sys.executable} -c '{ON_A_SMALL_DISK}' {tmp_path}"
    own = ["unshare", "-rm"]
    if shutil.which("unshare") is None or subprocess.run([*own, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount a small disk of their own")
    ended = subprocess.run([*own, "sh", "-c", small], cwd=repo, capture_output=True, text=True, timeout=60, check=False)
    assert ended.stdout.splitlines() == ["True True True", "True True"], ended.stderr


async def test_the_append_that_finds_no_room_is_written_with_the_space_kept_back(
    path: Path, envelope: MakeEntry
) -> None:
    """The same where no disk can be mounted: SQLite's own limit stands for the full disk."""
    writers = []

    class Kept(Reserve):
        def give_up(self) -> bool:
            writers[-1].execute("PRAGMA max_page_count = 60")
            return super().give_up()

    def small(where: Path) -> object:
        writers.append(connect_writer(where))
        writers[-1].execute("PRAGMA max_page_count = 30")
        return writers[-1]

    reserve = Kept(path.with_name("journal.reserve"), 4096)
    assert reserve.hold() and reserve.path.stat().st_size == 4096
    journal = Journal.open(path, connect=small, reserve=reserve)  # type: ignore[arg-type]
    await journal.begin_run(Run("run1", 0, 0, "0"))
    seq = 0
    with pytest.raises(JournalFailed):
        for seq in range(1, 200):
            await journal.append([envelope(seq, body=b"x" * 2_000)])
            if not reserve.given_up:
                before = seq
    assert before + 5 < seq, "the append that found no room was not refused, nor those after it"
    assert not reserve.path.exists()
    assert len(await journal.read("t1")) == seq - 1
    await journal.close()


def test_space_is_kept_back_only_where_there_is_as_much_again(tmp_path: Path) -> None:
    reserve = Reserve(tmp_path / "journal.reserve", 1 << 60)
    assert not reserve.hold() and not reserve.path.exists() and not reserve.give_up()
    reserve = Reserve(tmp_path / "journal.reserve", 1 << 16)
    assert reserve.hold() and reserve.path.stat().st_blocks * 512 >= 1 << 16
    assert reserve.give_up() and reserve.given_up and reserve.hold()
