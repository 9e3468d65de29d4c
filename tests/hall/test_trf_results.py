"""Results go back into the TRF file that the pairings came from, and nothing else in it changes by a byte."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from server.cli import group
from server.game import acts as cmd
from server.hall.foreign_files.pairings import read_pairings
from server.hall.foreign_files.trf_results import CODES, EndedGame, with_results
from speech.complaint import Complaint
from tests.cli.test_import_command import player
from tests.hall.test_round_files import opened
from tests.table.open_hall import Played, reopened

FIRST = player(1, "Adler, Anna", "0003 w 1", "0002 b")
FIRST = FIRST[:80] + " 1.0" + FIRST[84:]
LINES = [
    "012 Halle der Blinden, Tür 2",
    FIRST.rstrip(),
    player(2, "Busch, Bruno", "0004 b =", "0001 w  "),
    player(3, "Conrad, Clara", "0001 b 0", "0004 w  ", ""),
    player(4, "Dorn, David", "0002 w =", "0003 b  "),
    player(5, "Ende, Emil", "0000 - U", "0000 - U"),
    "XCB whatever a pairing program keeps here  ",
]
TRF = "\ufeff" + "\r\n".join(LINES[:4]) + "\n" + "\n".join(LINES[4:])
GAME = EndedGame(2, "Busch, Bruno", "Adler, Anna", "1/2-1/2")


@pytest.mark.law("L115")
def test_only_the_cells_of_the_game_and_the_points_change() -> None:
    made = with_results(TRF, [GAME])
    before, after = TRF.splitlines(keepends=True), made.splitlines(keepends=True)
    assert [index for index, line in enumerate(after) if line != before[index]] == [1, 2]
    assert after[1] == before[1].replace(" 1.0", " 1.5").replace("0002 b", "0002 b =")
    assert after[2] == before[2].replace("0001 w  ", "0001 w =")
    assert with_results(made, [GAME]) == made, "said once more, it changes nothing"


def test_every_result_is_read_again_by_the_importer() -> None:
    for result, codes in CODES.items():
        made = with_results(TRF, [EndedGame(2, "Busch, Bruno", "Adler, Anna", result)])
        cells = [line[101:109] for line in made.splitlines() if line.startswith("001 ")]
        assert cells[:2] == [f"0002 b {codes[1]}", f"0001 w {codes[0]}"]
        assert read_pairings(made, 2) == read_pairings(TRF, 2)


def test_colours_that_were_exchanged_are_written_as_played() -> None:
    made = with_results(TRF, [EndedGame(2, "Adler, Anna", "Busch, Bruno", "1-0")])
    assert [line[101:109] for line in made.splitlines()[1:3]] == ["0002 w 1", "0001 b 0"]
    assert (read_pairings(made, 2)[0].white, read_pairings(made, 2)[0].black) == ("Adler, Anna", "Busch, Bruno")


def test_a_file_with_points_of_its_own_keeps_them() -> None:
    made = with_results(f"{TRF}\nXXS WW=3.0", [GAME])
    assert made.splitlines()[1][80:84] == " 1.0"


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (EndedGame(1, "Adler, Anna", "Conrad, Clara", "0-1"), "has the result 1, not"),
        (EndedGame(2, "Adler, Anna", "Conrad, Clara", "1-0"), "is not paired in round 2"),
        (EndedGame(9, "Busch, Bruno", "Adler, Anna", "1-0"), "is not paired in round 9"),
        (EndedGame(2, "Busch, Bruno", "Adler, Anna", "3-0"), "cannot be entered as a result"),
    ],
)
def test_what_does_not_fit_is_one_sentence(game: EndedGame, why: str) -> None:
    with pytest.raises(Complaint, match=why):
        with_results(TRF, [game])


async def test_the_results_on_record_go_into_a_copy_of_the_file(tmp_path: Path) -> None:
    async with reopened(tmp_path / "data") as (hall, clock):
        for board in (1, 2):
            await opened(hall, board)
        game = Played(hall, clock, hall.table("r5-b1"))
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
        await game.done("arbiter", cmd.StartGame())
        await game.done("arbiter", cmd.RuleResult(result="1/2-0", reason="a test"))
    blank = [""] * 4
    lines = [
        player(1, "White 1", *blank, "0002 w"),
        player(2, "Black 1", *blank, "0001 b"),
        player(3, "White 2", *blank, "0004 w"),
        player(4, "Black 2", *blank, "0003 b"),
        "Müller",
    ]
    file, out = tmp_path / "round.trf", tmp_path / "done.trf"
    file.write_bytes("\r\n".join(lines).encode("latin-1"))
    asked = ["results", str(file), "--out", str(out), "--data", str(tmp_path / "data")]
    ended = await asyncio.to_thread(CliRunner().invoke, group, asked, catch_exceptions=False)
    assert ended.exit_code == 0 and ended.output.endswith(f"Results in {out}: 1.\n")
    lines[0], lines[1] = lines[0].rstrip() + " =  ", lines[1].rstrip() + " 0  "
    assert out.read_bytes() == "\r\n".join(lines).encode()  # everything goes out as UTF-8
    told = await asyncio.to_thread(CliRunner().invoke, group, [*asked, "--json"], catch_exceptions=False)
    game = {"round": 5, "white": "White 1", "black": "Black 1", "result": "1/2-0", "board": 1}
    assert msgspec.json.decode(told.output) == {"file": str(out), "results": [game], "points_left": []}
