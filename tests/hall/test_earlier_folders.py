"""A data folder of each form that an earlier program wrote is opened, and its game goes on; a newer one is refused.

The folders were written by the programs of their time: three plies of a game whose server was stopped.
"""

from __future__ import annotations

import lzma
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from server.game import acts as cmd
from server.hall.folder_backup import make_backup, restore_backup
from server.hall.hall import Hall
from server.journal.sqlite.schema import SCHEMA_VERSION
from server.machine.clock import ScriptedClock
from server.machine.data_folder import DataFolder
from speech.complaint import Complaint
from tests.whole.running_server import finished

GOLDEN = Path(__file__).with_name("golden")


def folder_of(form: int, root: Path) -> Path:
    """The data folder of a form of the journal, as its program left it."""
    root.mkdir(mode=0o700)
    for database in ("journal", "admissions"):
        packed = (GOLDEN / f"form{form}-{database}.sqlite.xz").read_bytes()
        (root / f"{database}.sqlite").write_bytes(lzma.decompress(packed))
    return root


@pytest.mark.parametrize("form", range(1, SCHEMA_VERSION + 1))
async def test_a_game_of_an_earlier_folder_goes_on(tmp_path: Path, form: int) -> None:
    with DataFolder.open(folder_of(form, tmp_path / "data"), lock=True) as data:
        hall = await Hall.open(data, ScriptedClock())
        try:
            assert (list(hall.tables), hall.shut) == (["demo"], {})
            table = hall.tables["demo"]
            kinds = [one.kind for one in await hall.journal.read("demo")]
            assert kinds.count("clock_pressed") == 3 and not table.clock_runs, "stopped where the server was"
            noted = await table.own(table.program_command(cmd.NoteFault(text="a test")))
            assert noted.outcome.ok and len(await hall.journal.read("demo")) > len(kinds)
        finally:
            await hall.close()


async def test_an_earlier_folder_is_backed_up_and_restored_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    made = make_backup(DataFolder(folder_of(1, tmp_path / "data")), tmp_path / "disk", 0)
    assert restore_backup(tmp_path / "disk", " ".join(made.code), tmp_path / "back").tables == ("demo",)


async def test_a_newer_folder_is_refused_in_one_sentence(tmp_path: Path, repo: Path) -> None:
    root = folder_of(SCHEMA_VERSION, tmp_path / "data")
    with closing(sqlite3.connect(root / "journal.sqlite")) as journal:
        journal.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    status, said = await finished(repo, "serve", "--data", str(root), "--port", "0")
    assert status == 2 and said.count("\n") == 1 and "start the newer program" in said
    with pytest.raises(Complaint, match="newer Anna Eins"):
        await Hall.open(DataFolder(root), ScriptedClock())
