"""Every address under /static/ that the pages or the server name is served, and nothing is served for nobody."""

from __future__ import annotations

import re
from pathlib import Path

from server.web.pages import PAGES, load_files
from tests.web.test_words_of_the_pages import static

ADDRESS = re.compile(r"/static/[\w/-]+\.\w+")
IMPORT = re.compile(r'^(?:import|export)\b.* from "([^"]+)";$', re.MULTILINE)


def test_every_address_that_is_named_is_served_and_every_file_is_named(repo: Path) -> None:
    served = load_files()
    named: set[str] = set()
    for source in [*(repo / "server").rglob("*"), *(repo / "tests").rglob("*.py")]:
        if source.suffix not in (".html", ".js", ".py"):
            continue
        # A path inside the repository (server/web/static/...) is no address.
        found = ADDRESS.findall(source.read_text("utf-8").replace("web/static/", ""))
        assert sorted(set(found) - served.keys()) == [], source
        if source.is_relative_to(repo / "server"):
            named |= set(found)
    assert len(named) > 50
    never = {path for path in served.keys() - named if path.startswith("/static/")}
    assert {path for path in never if not path.startswith("/static/words/")} == set()


def test_every_import_is_an_address_that_is_served(repo: Path) -> None:
    served = load_files()
    found = {name for one in static(repo).rglob("*.js") for name in IMPORT.findall(one.read_text("utf-8"))}
    assert len(found) > 40 and sorted(found - served.keys()) == []


def test_a_board_that_speaks_under_a_finger_is_on_no_page_of_a_game_under_way(repo: Path) -> None:
    """Spectators, training and a game that is over alone (11.3.2): a rated seat's own board says nothing of itself."""

    def with_it(name: str) -> set[str]:
        return {one.stem for one in static(repo).rglob("*.js") if f"/static/hall/{name}.js" in one.read_text("utf-8")}

    assert with_it("explored") == {"hall", "training", "stepping"}
    assert with_it("stepping") == {"review", "finished_game"}
    # A player's page fetches it when the game is over and its result approved (`tests/browser/test_what_is_due.py`).
    assert with_it("finished_game") == {"due"}
    due = (static(repo) / "player" / "due.js").read_text("utf-8")
    assert due.count("/static/hall/") == 1 and 'await import("/static/hall/finished_game.js")' in due


def test_a_page_lies_in_one_folder_and_answers_under_its_own_name(repo: Path) -> None:
    pages = [one.stem for one in (static(repo) / "pages").rglob("*.html")]
    assert sorted(pages) == sorted({*PAGES, "index", "tables", "hall", "review", "training"})
    assert {"/", *(f"/{name}" for name in pages if name != "index")} <= load_files().keys()
