"""The bulletin of a round: what is in it and what is not, in four forms, by one command and from the page."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import chess.pgn
from click.testing import CliRunner
from pypdf import PdfReader

from braille import brf
from server.cli import group
from server.exports.exports import bulletin_from
from server.exports.reports.bulletin import in_form, volume
from server.game import acts as cmd
from server.game.values.words import Role, Seat, Station
from server.hall.event_profile import EventProfile
from server.hall.rounds import Player, Wanted, open_round
from tests.table.open_hall import Played, reopened

PROFILE = EventProfile(
    name="Open", control="5400+30", adaptations={"sighted_press_without_announcement": "ignore"}, language="de"
)


async def a_round(folder: Path) -> int:
    """Board 1 is over, board 2 under way, board 3 over but held back by its displays; the time of day is returned."""
    async with reopened(folder) as (hall, clock):
        wanted = tuple(
            Wanted(name=f"r1-b{n}", white=Player(name=f"White{n}"), black=Player(name=f"Black{n}"), round=1, board=n)
            for n in (1, 2, 3)
        )
        await open_round(hall, wanted, PROFILE)
        for n in (1, 2, 3):
            game = Played(hall, clock, hall.table(f"r1-b{n}"))
            game._count = 100 * n  # the ids of commands are one count for the whole journal
            for one in (Station("white", Role.PLAYER, Seat.WHITE), Station("arbiter", Role.ARBITER)):
                admitted = await game.table.admit(one)
                assert admitted.outcome.ok, admitted
            if n == 3:
                await game.done("arbiter", cmd.DelayDisplay(delay_s=900))
            await game.done("arbiter", cmd.StartGame())
            await game.done("white", cmd.EnterMove(uci="g1f3"))
            await game.press("white")
            if n != 2:
                await game.done("arbiter", cmd.RuleResult(result="1-0", reason="resignation"))
        records = {name: await hall.journal.read(name) for name in hall.tables}
        now = hall.clock.wall_ms()
    made = bulletin_from(records, "1", "de", now, UTC)
    assert [(one.title, one.moves, one.result) for one in made.games] == [
        ("Brett 1: White1 – Black1", ("1. Sf3",), "1-0"),
    ]
    going_on, held = made.missing
    until = f"{datetime.fromtimestamp(now / 1000 + 900, UTC):%H:%M}"
    assert "noch nicht zu Ende" in going_on[0] and going_on[1] == ("Brett 2: White2 – Black2",)
    assert "zurückgehalten" in held[0] and held[1] == (f"Brett 3: White3 – Black3, bis {until} Uhr",)
    assert f"bis {until} Uhr" in in_form(made, "html", now).decode() and made.left_out == 2
    read = " ".join(page.extract_text() for page in PdfReader(BytesIO(in_form(made, "pdf", now))).pages)
    assert f"bis {until} Uhr" in " ".join(read.split())
    later = bulletin_from(records, "1", "en", now + 900_000)
    assert [titles for _, titles in later.missing] == [("Board 2: White2 – Black2",)]
    assert [one.title for one in later.games] == ["Board 1: White1 – Black1", "Board 3: White3 – Black3"]
    pages = brf.read_pages(volume(later))
    assert len(pages) == 3 and all(len(line) <= 40 for page in pages for line in page), "contents, then a page a game"
    contents = [line for line in pages[0] if line.endswith(("⠀⠀⠀⠼⠃", "⠀⠀⠀⠼⠉"))]
    assert len(contents) == 2, "each game with its page, the second and the third"
    html = in_form(later, "html", now).decode()
    assert html.count("<h2 id=") == 2 and 'href="#g1"' in html and "1. Nf3 1-0" in html
    return now


async def test_it_holds_the_finished_games_and_names_the_others(tmp_path: Path) -> None:
    await a_round(tmp_path / "data")
    said = CliRunner().invoke(
        group, ["bulletin", "1", "--out", str(tmp_path / "out"), "--data", str(tmp_path / "data"), "--language", "hu"]
    )
    assert said.exit_code == 0 and "Games in the bulletin: 2" in said.output, said.output
    made = {path.suffix: path for path in (tmp_path / "out").iterdir()}
    assert set(made) == {".pdf", ".html", ".brf", ".pgn"}
    with made[".pgn"].open() as games:
        first = chess.pgn.read_game(games)
    assert first is not None and (first.headers["White"], first.headers["Result"]) == ("White1", "1-0")
    pdf = PdfReader(made[".pdf"])
    root = pdf.root_object
    assert root["/MarkInfo"]["/Marked"] and root["/Lang"] == "hu" and len(pdf.outline) >= 1
    wrong = CliRunner().invoke(group, ["bulletin", "9", "--out", str(tmp_path), "--data", str(tmp_path / "data")])
    assert "There is no table of round 9." in str(wrong.exception or wrong.output)
