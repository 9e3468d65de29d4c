"""Under the fingers: lines to pan, choices under routing keys, typing that news does not lose."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from braille.panel import LONGEST, Panel, choice_at, erase, pan, say, write
from speech.announcements.cells import count_cells


def test_pages_then_choices() -> None:
    panel = say(Panel(14, choices=("Zeit", "letzter Zug", "ja")), ("Springer Felix drei",))
    assert panel.shown == "Springer Felix"
    assert pan(panel, 1).shown == "drei"
    menu = pan(panel, 2)
    assert menu.shown == "Zeit" and pan(menu, 1).shown == "letzter Zug" and pan(menu, 9).shown == "ja"
    assert [choice_at(menu, cell) for cell in (0, 3, 4)] == ["Zeit", "Zeit", None]
    assert choice_at(pan(menu, 1), 9) == "letzter Zug"
    assert choice_at(panel, 0) is None  # a word that was said is no choice
    assert pan(panel, -3).shown == "Springer Felix"


def test_two_choices_on_one_line() -> None:
    menu = pan(Panel(20, choices=("Zeit", "letzter Zug", "ja")), 1)
    assert menu.shown == "Zeit  letzter Zug"
    assert [choice_at(menu, cell) for cell in (5, 6, 13, 16, 17)] == [
        None,
        "letzter Zug",
        "letzter Zug",
        "letzter Zug",
        None,
    ]


def test_news_is_shown_and_the_typing_kept() -> None:
    panel = write(write(Panel(14), "e"), "4")
    assert panel.shown == "e4"
    news = say(panel, ("Remis?",))
    assert news.shown == "Remis?" and news.typed == "e4"
    assert write(news, "x").shown == "e4x"
    assert erase(news).shown == "e"
    assert erase(news, all=True).shown == "Remis?"


@given(st.lists(st.text(min_size=1, max_size=60), max_size=4), st.integers(14, 40), st.integers(-9, 30))
def test_nothing_is_longer_than_the_display(lines: list[str], width: int, on: int) -> None:
    panel = pan(say(Panel(width, choices=("Zeit des Gegners, bitte sehr", "ja")), tuple(lines)), on)
    assert count_cells(panel.shown) <= width
    for letter in "abc" * 100:
        panel = write(panel, letter)
    assert len(panel.typed) == LONGEST and len(panel.shown) == width and panel.typed.endswith(panel.shown)
    for cell in range(width):
        assert choice_at(panel, cell) is None


def test_a_key_over_one_of_several_choices_that_are_cut_alike_gives_that_one() -> None:
    results = tuple(f"Ergebnis festsetzen: {one}" for one in ("1-0", "1/2-1/2", "0-1"))
    panel = Panel(20, said=("x",), choices=results)
    assert [choice_at(pan(panel, page), 0) for page in (1, 2, 3)] == list(results)
