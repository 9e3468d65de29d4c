"""BRF: the table both ways, pages, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from braille import brf
from braille.profile import BLANK
from speech.complaint import Complaint

SIX_DOTS = "".join(chr(0x2800 + number) for number in range(64))


def test_the_table_is_64_characters_both_ways() -> None:
    assert len(set(brf.ASCII)) == 64
    assert all(0x20 <= ord(character) < 0x60 for character in brf.ASCII)
    assert brf.to_brf(SIX_DOTS) == brf.ASCII
    assert brf.from_brf(brf.ASCII) == SIX_DOTS
    # Letters stand for themselves, digits for the lower cells: dots 1, 1-2-3-4-5, 3-5-6.
    assert brf.to_brf("⠁⠟⠴") == "AQ0"


@pytest.mark.needs("liblouis")
def test_the_table_is_that_of_liblouis() -> None:
    """liblouis ships the same code as its display table for BRF: characters beside dots."""
    roots = (Path("/usr/share/liblouis/tables"), Path("/usr/local/share/liblouis/tables"))
    table = next((root / "en-us-brf.dis" for root in roots if (root / "en-us-brf.dis").is_file()), None)
    if table is None:
        pytest.skip("the tables of liblouis are somewhere else here")
    found: dict[int, set[str]] = {}
    for line in table.read_text("utf-8").splitlines():
        words = line.split()
        if len(words) < 3 or words[0] != "display" or not set(words[2]) <= set("0123456"):
            continue
        number = sum(1 << (int(dot) - 1) for dot in words[2] if dot != "0")
        found.setdefault(number, set()).add({r"\s": " ", r"\\": "\\"}.get(words[1], words[1]))
    assert set(found) == set(range(64))
    assert all(brf.ASCII[number] in characters for number, characters in found.items())


def test_lower_case_files_are_read() -> None:
    assert brf.from_brf(brf.ASCII.lower()) == SIX_DOTS
    assert brf.from_brf("`{|}~") == brf.from_brf("@[\\]^")


def test_eight_dots_are_refused_in_a_sentence() -> None:
    with pytest.raises(Complaint, match="dot 7 or 8"):
        brf.to_brf("⠁⡁")
    with pytest.raises(Complaint, match="contains only braille cells"):
        brf.to_brf("Nf3")
    with pytest.raises(Complaint, match="64 characters"):
        brf.from_brf("é")


def test_a_page_has_its_number_at_the_end_of_the_first_line() -> None:
    page = brf.brf_page(["⠁"] * 24, "⠃" * 10, "⠼⠃")
    assert len(page) == 25
    assert page[0] == "⠃" * 10 + BLANK * 28 + "⠼⠃"
    long = brf.brf_page([], "⠃⠃⠃⠃" + BLANK + "⠉" * 60, "⠼⠃")
    assert long[0] == "⠃⠃⠃⠃" + BLANK * 34 + "⠼⠃"
    assert brf.brf_page([], "⠉" * 60, "⠼⠃")[0] == "⠉" * 35 + BLANK * 3 + "⠼⠃"


def test_nothing_is_cut_in_silence() -> None:
    with pytest.raises(Complaint, match="25 lines"):
        brf.brf_page(["⠁"] * 25, "", "⠼⠁")
    with pytest.raises(Complaint, match="41 cells"):
        brf.brf_page(["⠁" * 41], "", "⠼⠁")


def test_a_document_is_pages_with_form_feeds() -> None:
    pages = [["⠁" + BLANK + "⠃" + BLANK, ""], ["⠼⠁"]]
    text = brf.document(pages)
    assert text == "A B\r\n\r\n\f#A\r\n\f"
    assert brf.read_pages(text) == (("⠁" + BLANK + "⠃",), ("⠼⠁",))
    assert brf.read_pages(text.replace("\r", "").lower()) == (("⠁" + BLANK + "⠃",), ("⠼⠁",))
    assert [len(lines) for lines in brf.split(["⠁"] * 50)] == [24, 24, 2]
    assert brf.split([]) == ((),)
