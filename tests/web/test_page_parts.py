"""What players' pages share stands once and is put in where a page names it; a fault ends the server's start."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.web import pages
from server.web.pages import PART, PARTS, load_files, parts_of, put_together
from speech.complaint import Complaint
from tests.web.test_words_of_the_pages import static

PLAYERS = ("sighted", "tactile", "assistant")


def test_a_page_has_its_parts_in_their_places_and_each_part_is_shared(repo: Path) -> None:
    parts = parts_of((static(repo) / PARTS).read_text("utf-8"))
    served = load_files()
    named: dict[str, set[str]] = {}
    for page in (static(repo) / "pages").glob("*.html"):
        text = page.read_text("utf-8")
        whole = served["/" if page.stem == "index" else f"/{page.stem}"].body.decode()
        for name, part in parts.items():
            text = text.replace(f"<!-- part: {name} -->\n", part)
        assert whole == text
        for name in PART.findall(page.read_text("utf-8")):
            named.setdefault(name, set()).add(page.stem)
    assert named.keys() == parts.keys()
    assert all(len(where) > 1 and where <= set(PLAYERS) for where in named.values())


def test_no_run_of_lines_stands_in_two_players_pages(repo: Path) -> None:
    """Four lines that are the same belong into a part, but for the head and the foot of every page."""
    seen: dict[str, str] = {}
    for name in PLAYERS:
        main = (static(repo) / "pages" / f"{name}.html").read_text("utf-8").partition('<main id="main"')[2]
        for between in PART.split(main.partition("</main>")[0])[::2]:
            lines = [line for line in between.splitlines() if line]
            for four in zip(*(lines[at:] for at in range(4)), strict=False):
                run = "\n".join(four)
                assert seen.setdefault(run, name) == name, run


def test_a_fault_in_the_parts_is_told_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Complaint, match=r"pages/sighted\.html names what player/parts\.html does not have: .*lost"):
        put_together("sighted", "<main>\n<!-- part: lost -->\n</main>\n", {"last": "<p>\n"})
    with pytest.raises(Complaint, match="<!-- part last -->"):
        put_together("sighted", "<!-- part last -->\n", {"last": "<p>\n"})
    with pytest.raises(Complaint, match="twice: last, last"):
        parts_of("<!-- part: last -->\n<p>\n<!-- part: last -->\n<p>\n")
    monkeypatch.setattr(pages, "parts_of", lambda text: {})
    load_files.cache_clear()
    with pytest.raises(Complaint, match="does not have"):
        load_files()
