"""`anna-eins export TABLE --what scores`: what belongs to the organiser, and a player's copy (8.3)."""

from __future__ import annotations

import json
import time
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner

from braille.brf import read_pages
from server.cli import group
from server.exports.table_pgn import pgn_day
from server.game import acts as cmd
from server.game.laws.event_options import EventOptions
from server.game.values.time_control import TimeControl
from server.game.values.words import Role, Seat, SeatKind, SeatPlan, Station
from server.hall.hall import Hall
from server.machine.clock import SystemClock
from server.machine.data_folder import DataFolder
from server.machine.identity import new_command_id
from speech.complaint import Complaint

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
TONE = (b"\x00\x10" * 8 + b"\x00\xf0" * 8) * 200


async def recorded(folder: Path, *, copies: bool) -> None:
    """White's first move is a sound that nobody understood; Black writes it down by hand."""
    with DataFolder.open(folder, lock=True) as data:
        hall = await Hall.open(data, SystemClock())
        try:
            table = await hall.open_table(
                cmd.OpenTable(
                    white=SeatPlan(SeatKind.TACTILE, "Anna", "de"),
                    black=SeatPlan(SeatKind.SIGHTED, "Hector", "en"),
                    control=TimeControl.parse("5400+30"),
                    start_fen=START,
                    regulations=EventOptions(player_copies=copies),
                ),
                "t1",
            )
            for seat in Seat:
                await table.admit(Station(seat.value, Role.PLAYER, seat))
            settled = cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore")
            for start in (settled, cmd.StartGame()):
                assert (await table.own(table.program_command(start))).outcome.ok
            await table.hear("white", 7, TONE, 0)
            for station, body in (("white", cmd.Press()), ("black", cmd.WriteScore(index=1, text="e4"))):
                given = cmd.Command(id=new_command_id(), table="t1", station=station, body=body)
                outcome = await table.submit(given)
                assert outcome.outcome.ok, outcome
        finally:
            await hall.close()


def export(folder: Path, *more: str) -> str:
    ended = CliRunner().invoke(group, ["export", "t1", "--data", str(folder), *more])
    if isinstance(ended.exception, Complaint):
        raise ended.exception
    assert ended.exit_code == 0, ended
    return ended.output


@pytest.mark.law("L093", "L086")
async def test_both_scores_apart_with_the_hashes_of_their_sounds(tmp_path: Path) -> None:
    await recorded(tmp_path, copies=False)
    given = json.loads(export(tmp_path, "--what", "scores"))
    assert given["certified_electronic_scoresheet"] is False
    white, black = given["scores"]
    assert (white["player"], white["sheet"], black["player"], black["sheet"]) == ("Anna", "dictated", "Hector", "paper")
    (cell,) = white["cells"]
    assert cell["text"] == "" and cell["utterance"] == "white-0000000000000007" and len(cell["sha256"]) == 64
    (other,) = black["cells"]
    assert (other["text"], other["source"], other["sha256"]) == ("e4", "station", None)
    assert "e4" not in white["text"] and "e4" in black["text"]


@pytest.mark.law("L093")
async def test_a_players_copy_only_where_the_organiser_allows_it(tmp_path: Path) -> None:
    await recorded(tmp_path / "no", copies=False)
    with pytest.raises(Complaint, match=r"belong to the organiser \(8\.3\)"):
        export(tmp_path / "no", "--what", "scores", "--copy", "black")
    await recorded(tmp_path / "yes", copies=True)
    assert export(tmp_path / "yes", "--what", "scores", "--copy", "black").split() == ["1.", "e4", "-"]
    assert "e4" not in export(tmp_path / "yes", "--what", "scores", "--copy", "white"), "White's own, and no other"
    with pytest.raises(Complaint, match="--what scores"):
        export(tmp_path / "yes", "--copy", "black")


@pytest.mark.law("L194", "L093", "L174")
async def test_both_scores_are_printed_and_embossed_as_they_were_written(tmp_path: Path) -> None:
    await recorded(tmp_path, copies=False)
    text = export(tmp_path, "--what", "scores", "--format", "text")
    assert "Anna, white, t1" in text and "Hector, black, t1" in text and text.count("e4") == 1
    cells = export(tmp_path, "--what", "scores", "--format", "braille")
    anna, hector = cells.split("\n\n⠂⠀")[0], cells[cells.index("⠓⠑⠉⠞⠕⠗") :]
    assert anna.startswith("⠁⠝⠝⠁") and "⠂⠀⠑⠲" in hector and cells.count("⠑⠲") == 1
    embossed = export(tmp_path, "--what", "scores", "--format", "brf")
    first, second = read_pages(embossed)
    assert embossed.count("\f") == 2 and len(first[0]) == len(second[0]) == 40, "a running head and a page number"
    assert second[1].rstrip("\u2800") == "⠂⠀⠑⠲" and first[1].startswith("⠂⠀⠤")
    assert export(tmp_path, "--what", "scores", "--format", "braille", "--profile", "computer").count("⠑⠲") == 1
    with pytest.raises(Complaint, match="dot 7 or 8"):
        export(tmp_path, "--what", "scores", "--format", "brf", "--profile", "computer")
    with pytest.raises(Complaint, match="--what scores"):
        export(tmp_path, "--format", "brf")


@pytest.mark.parametrize(("place", "day"), [("Pacific/Auckland", "2026.12.06"), ("UTC", "2026.12.05")])
def test_the_day_of_a_game_in_pgn_is_the_day_at_the_site(monkeypatch: pytest.MonkeyPatch, place: str, day: str) -> None:
    """PGN 8.1.1.3: Date is local; a Sunday morning round in Auckland is no Saturday's."""
    began = int(datetime(2026, 12, 6, 10, tzinfo=ZoneInfo("Pacific/Auckland")).timestamp() * 1000)
    monkeypatch.setenv("TZ", place)
    time.tzset()
    try:
        assert pgn_day(began) == day
    finally:
        monkeypatch.undo()
        time.tzset()
