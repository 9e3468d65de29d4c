"""`anna-eins table delete`: nothing of a table stays but its tombstone, and what cannot be reached is listed."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from server.cli import main
from server.game import acts as cmd
from server.game.values.words import Seat
from server.journal.admissions import Admission, new_token
from server.journal.entry import Entry
from server.journal.witnessed import Witnesses, tombstones_in
from server.machine.data_folder import DataFolder
from server.web.door.access import Access, Place
from server.web.door.seat_cards import SeatCards
from tests.hall.test_damaged_record import open_table
from tests.hall.test_round_files import opened as opened_in_round
from tests.table.open_hall import reopened


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["table", "delete", *arguments])
    captured = capsys.readouterr()
    return stop.value.code, captured.out, captured.err


def witnesses(data: Path, stick: Path) -> Witnesses:
    folder = DataFolder(data)
    return Witnesses(str(folder.journal), (stick,), tombstones=folder.tombstones)


async def two_tables(data: Path, stick: Path) -> None:
    async with reopened(data, witnesses=witnesses(data, stick)) as (hall, _):
        for name in ("t1", "t2"):
            await open_table(hall, name)
            await hall.admissions.admit(new_token(), Admission(name, f"arbiter-{name}", "arbiter", "", (), 0))
            await hall.evidence.keep(name, "white-01", bytes(3_200), 16_000)


def test_a_printed_link_proves_that_the_record_goes_on_from_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def played() -> tuple[str, str]:
        async with reopened(tmp_path) as (hall, _):
            await open_table(hall, "t1")
            _, printed = await hall.journal.last_link("t1")
            await hall.tables["t1"].own(hall.tables["t1"].program_command(cmd.NoteFault(text="later")))
            return printed, (await hall.journal.last_link("t1"))[1]

    def checked(name: str, link: str) -> tuple[object, str]:
        with pytest.raises(SystemExit) as stop:
            main(["table", "check", name, link, "--data", str(tmp_path)])
        captured = capsys.readouterr()
        return stop.value.code, captured.out + captured.err

    printed, last = asyncio.run(played())
    grouped = " ".join(printed[at : at + 4] for at in range(0, 64, 4)).upper()
    for link in (printed, last, grouped):
        assert checked("t1", link)[0] == 0, "as it stands in the report, or in one piece"
    code, said_so = checked("t1", last[::-1])
    assert code == 2 and "put back" in said_so
    assert checked("t2", last)[0] == 2


async def opens(data: Path, stick: Path) -> tuple[set[str], set[str], bool]:
    async with reopened(data, witnesses=witnesses(data, stick)) as (hall, _):
        return set(hall.tables), set(hall.shut), hall.has("t1")


@pytest.mark.law("L092")
def test_a_deleted_table_leaves_its_tombstone_and_is_no_rollback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, stick = tmp_path / "data", tmp_path / "stick"
    monkeypatch.setenv("ANNA_EINS_WITNESS", str(stick))
    asyncio.run(two_tables(data, stick))
    shutil.copytree(data, tmp_path / "older")
    config = tmp_path / "settings.toml"
    config.write_text('sounds = "s3://hall/open"\n[backup]\nfolder = "/media/backups"\n')
    code, out, _ = said(capsys, "t1", "--yes", "--data", str(data), "--config", str(config))
    mark = tombstones_in(data / "deleted.json")["t1"]
    assert code == 0 and mark.link in out.splitlines()[0] and f"Events: {mark.events};" in out
    for copy in ("browsers of the arbiters", "/media/backups", "s3://hall/open/t1/", "printed"):
        assert copy in out, copy
    assert not (data / "audio" / "t1").exists() and (data / "audio" / "t2").is_dir()
    for file in data.glob("*.sqlite*"):
        assert b"arbiter-t1" not in file.read_bytes(), "nothing of it is left in the file, not in its free pages either"
    assert asyncio.run(opens(data, stick)) == ({"t2"}, set(), True), "no rollback; and nobody else gets its name"
    code, _, err = said(capsys, "t1", "--yes", "--data", str(data))
    assert code == 2 and "t1" in err
    shutil.rmtree(data)
    shutil.copytree(tmp_path / "older", data)
    assert "t1" in asyncio.run(opens(data, stick))[1], "an older folder brings it back as a rollback, shut"


async def test_of_a_deleted_table_no_game_stays_in_its_round_and_no_seat_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    monkeypatch.setenv("ANNA_EINS_WITNESS", str(tmp_path / "stick"))
    async with reopened(data) as (hall, clock):
        for board in (1, 2):
            await opened_in_round(hall, board)
        cards = SeatCards(hall.data.seat_cards, Access(clock))
        places = [Place(table=f"r5-b{board}", page="tactile", seat=Seat.WHITE) for board in (1, 2)]
        await cards.make(places, ("r5-b1", "r5-b2"), anew=False)
    (data / "journal.sqlite.damaged1").write_bytes(b"of another day")
    file = data / "rounds" / "round-5.pgn"
    assert "White 1" in file.read_text() and "White 2" in file.read_text()
    for name, stays in (("r5-b1", True), ("r5-b2", False)):
        code, out, _ = await asyncio.to_thread(said, capsys, name, "--yes", "--data", str(data))
        assert code == 0 and "journal.sqlite.damaged1" in out and "rounds" not in out
        assert file.exists() == stays == ("White 2" in file.read_text() if stays else False)
        assert "White 1" not in (file.read_text() if stays else "")
        assert name not in (data / "seat-cards.json").read_text()
    assert [one for one in data.rglob("*") if one.is_file() and b"White 1" in one.read_bytes()] == []


async def test_a_record_with_any_name_deletes_no_folder_of_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANNA_EINS_WITNESS", str(tmp_path / "stick"))
    data = tmp_path / "data"
    async with reopened(data) as (hall, _):
        await open_table(hall, "t1")
        await hall.evidence.keep("t1", "white-01", bytes(3_200), 16_000)
        await hall.journal.append([Entry("..", 1, hall.run, "", "", "", "", 1, 1, 1, "x", b"{}")])
    code, _, _ = await asyncio.to_thread(said, capsys, "..", "--yes", "--data", str(data))
    assert code == 0 and (data / "audio" / "t1").is_dir() and (data / "journal.sqlite").is_file()
