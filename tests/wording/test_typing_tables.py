"""What a screen reader makes of a player's braille is ready when they come: no word waits for it, no loop either."""

from __future__ import annotations

import asyncio
import threading
from itertools import product
from pathlib import Path

import pytest

from braille.cells import cells_of_move
from braille.loading import load_profile, load_prose
from braille.profile import BLANK
from braille.prose import Liblouis
from server.game.values.words import Role, Seat, Station
from server.hall.hall import Hall
from server.wording import typed_braille
from server.wording.typed import moves_of_any_text
from server.wording.typed_braille import prepare, written_short
from speech.complaint import Complaint
from tests.table.open_hall import Played, played
from tests.waiting import PATIENCE_S, idle, until

ARBITER, DISPLAY = Station("arbiter", Role.ARBITER), Station("display", Role.DISPLAY)
PLAYER = Station("white", Role.PLAYER, Seat.WHITE)
E4 = next(
    cells_of_move(one, load_profile("ukaaf")) for one in written_short() if one.to_square == "e4" and not one.capture
)


class Louis:
    """A liblouis that takes as long as the test likes: UKAAF's e4 is "every." in any table."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.is_asked = threading.Event()
        self.threads: set[int] = set()
        self.asked = 0
        self.tables: set[str] = set()

    def back_translate(self, cells: str, table: str) -> str:
        self.is_asked.set()
        assert self.go.wait(PATIENCE_S)
        self.threads.add(threading.get_ident())
        rows = cells.split(BLANK)
        self.asked += len(rows)
        return " ".join("every." if row == E4 else f"?{row}" for row in rows)

    def translate(self, text: str, table: str) -> str:
        self.tables.add(table)
        raise Complaint("nothing of ours")


@pytest.fixture
def louis(monkeypatch: pytest.MonkeyPatch) -> Louis:
    library = Louis()
    monkeypatch.setattr(typed_braille, "_library", lambda: library)
    monkeypatch.setattr(typed_braille, "_known", {})
    return library


async def test_while_the_tables_are_made_words_are_taken_and_the_clock_is_pressed(tmp_path: Path, louis: Louis) -> None:
    async with played(tmp_path) as game:
        for station in (ARBITER, DISPLAY):
            game.hall.typing.expect(game.table.state, station)
        assert not game.hall.typing._making, "an arbiter types nothing in braille"
        game.hall.typing.expect(game.table.state, PLAYER)
        assert (await game.type("white", "Bauer Eva vier")).outcome.ok
        await game.press("white")
        assert game.table.state.made_plies == 1 and louis.asked == 0
        louis.go.set()
        await game.hall.typing.ready()
        made = louis.asked
        assert made and threading.get_ident() not in louis.threads, "beside the loop"
        tables = {load_prose().grades[grade] for grade in load_prose().typing["de"]}
        assert louis.tables == tables, "the way back is ready as well"
        game.hall.typing.expect(game.table.state, PLAYER)  # the player comes again, as after a lost line
        await game.hall.typing.ready()
        (move,) = moves_of_any_text("every.", "de")
        assert move.to_square == "e4" and louis.asked == made, "no word asks for a table that is made"


async def test_who_types_before_they_are_made_waits_for_the_same_ones(tmp_path: Path, louis: Louis) -> None:
    async with played(tmp_path) as game:
        game.hall.typing.expect(game.table.state, PLAYER)
        typing = asyncio.create_task(typed_unknown(game))
        await until(louis.is_asked.is_set)
        await idle()
        assert not typing.done(), "what it may mean is not known yet, and nothing is taken for less"
        louis.go.set()
        assert await typing
        made = louis.asked
        await game.hall.typing.ready()
        assert louis.asked == made == in_all("de"), "made once"


async def typed_unknown(game: Played) -> bool:
    return (await game.type("white", "every.")).outcome.ok


def in_all(language: str) -> int:
    """Moves looked up for all tables of a language, in each code."""
    return sum(1 for _ in written_short()) * len(load_prose().typing[language]) * len(typed_braille._profiles(language))


async def test_a_hall_that_closes_waits_for_none_of_it(tmp_path: Path, louis: Louis) -> None:
    hall: Hall
    async with played(tmp_path) as game:
        hall = game.hall
        hall.typing.expect(game.table.state, PLAYER)
        hall.typing._stop.set()
        louis.go.set()
    assert louis.asked <= typed_braille.AT_ONCE and not typed_braille._known


def test_without_liblouis_nothing_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed_braille, "_library", lambda: None)
    monkeypatch.setattr(typed_braille, "_known", {})
    prepare("en", lambda: False)
    assert not typed_braille._known


def test_a_table_that_is_not_installed_is_passed_over(monkeypatch: pytest.MonkeyPatch, louis: Louis) -> None:
    def absent(cells: str, table: str) -> str:
        raise Complaint("no usable table")

    monkeypatch.setattr(louis, "back_translate", absent)
    prepare("en", lambda: False)
    assert set(map(len, typed_braille._known.values())) == {0}


@pytest.mark.needs("liblouis")
@pytest.mark.parametrize("language", ["en", "de", "ar", pytest.param("hu", marks=pytest.mark.thorough)])
def test_many_rows_at_once_are_read_as_each_by_itself(language: str) -> None:
    library, prose = Liblouis.find(), load_prose()
    for grade, name in product(prose.typing[language], typed_braille._profiles(language)):
        made = typed_braille._make_table(prose.grades[grade], load_profile(name), lambda: False)
        for text, rows in list(made.items())[::37]:
            assert {library.back_translate(cells, prose.grades[grade]) for cells in rows} == {text}
