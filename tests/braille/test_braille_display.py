"""BrlAPI: text to the cells of a display that BRLTTY drives, and its keys back; what a key code means."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from braille.cells import Written, cells_of_move
from braille.loading import load_profile
from server.stations.braille_display import BrailleDisplay, Dots, Key, Pressed, Routed, Typed, key_of
from speech.complaint import Complaint
from tests.braille.emulated_display import Brltty


@pytest.fixture
def brltty(tmp_path: Path) -> Iterator[Brltty]:
    with Brltty(tmp_path) as running:
        yield running


def next_key(display: BrailleDisplay) -> Pressed | None:
    return display.key(10_000)


@pytest.mark.needs("brltty")
def test_a_line_goes_to_the_cells_and_keys_come_back(brltty: Brltty) -> None:
    with brltty.connected(BrailleDisplay) as display:
        assert (display.cells, display.width, display.rows) == (40, 40, 1)
        display.show("Rxf4+")
        move = Written("rook", to_square="f4", capture=True, check=True)
        assert brltty.display.wait_for(cells_of_move(move, load_profile("computer"))), brltty.display.shown
        brltty.display.route(7)
        assert next_key(display) == Routed(7)
        brltty.display.route(39)
        assert next_key(display) == Routed(39)
        brltty.display.type_dots("⠑")
        assert next_key(display) == Dots("⠑")
        brltty.display.type_dots("⠲")
        assert next_key(display) == Dots("⠲")
        brltty.display.type_dots("⡎")
        assert next_key(display) == Dots("⡎")
        brltty.display.space()
        assert next_key(display) == Dots("⠀")
        brltty.display.enter()
        assert next_key(display) == Key.ENTER
        brltty.display.backspace()
        assert next_key(display) == Key.BACKSPACE
        assert display.key() is None
        display.show("")
        assert brltty.display.wait_for("")
    with pytest.raises(Complaint, match="closed"):
        display.show("e4")


@pytest.mark.needs("brltty")
def test_a_display_that_goes_is_said_in_a_sentence(tmp_path: Path) -> None:
    with Brltty(tmp_path) as brltty:
        display = brltty.connected(BrailleDisplay)
        display.show("e4")
        assert brltty.display.wait_for("⠑⠲")
    with pytest.raises(Complaint, match="braille display"):
        for _ in range(50):
            display.show("e5")
            display.key(10)


@pytest.mark.needs("brltty")
def test_no_brltty_is_said_in_a_sentence() -> None:
    with pytest.raises(Complaint, match="start BRLTTY"):
        BrailleDisplay(":61")  # below the numbers that the tests give away


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        (0x2000_0017, Key.LEFT),
        (0x2000_0018, Key.RIGHT),
        (0x2001_0000, Routed(0)),
        (0x2001_0027, Routed(39)),
        (0x2000_0063, Key.OTHER),
        (0xFF0D, Key.ENTER),
        (0xFF08, Key.BACKSPACE),
        (0xFFE1, Key.OTHER),  # a shift key
        (0x2022_0011, Dots("⠑")),
        (0x2022_0100, Dots("⠀")),
        (0x65, Typed("e")),
        (0x20, Typed(" ")),
        (0x0100_05D0, Typed("א")),
        (0x0100_0000, Key.OTHER),
        (0x01FF_FFFF, Key.OTHER),
    ],
)
def test_what_a_key_code_means(code: int, meant: Pressed) -> None:
    assert key_of(code) == meant
