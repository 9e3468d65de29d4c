"""The arbiter types an act at a line of text: everything the page does is found and filled in, in six languages.

See 6.2, 12.2, D.1, D.2.9.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.desk.settling import load_settling
from server.game.acts import RestoreTo, StationAct
from server.game.views.table import table_shown
from server.stations.arbiter.asked import FormOfAct, forms_found, forms_offered, words_at_a_line
from server.stations.arbiter.cards import CardShown, card_lines
from server.stations.arbiter.table_now import TableNow
from server.stations.arbiter.typed_acts import (
    LEAVE_OUT,
    REPEATED,
    Asking,
    asking,
    bodies,
    choices,
    fill_in,
    question,
)
from server.wording.pages import page_words
from speech.words.config_file import language_tags
from tests.game.test_who_is_told_what import full_table
from tests.web.test_arbiter_forms import by_name
from tests.web.test_words_of_the_pages import modules_of, static

CELLS = 40
TYPED = {
    "seconds": "5", "time": "1:05:00", "amount": "2:00", "pair": "12/11", "square": "e4", "uci": "e2e4",
    "placement": "8/8/8/8/8/8/8/K6k", "article": "11.5", "text": "noise", "name": "Anna", "word": "90+30",
    "squares": "8/8/8/8/8/8/8/K6k", "cell_text": "Sf3",
}  # fmt: skip
"""An answer to type in a field of each sort that has no choices."""
WORDS_TYPED = {"periods": "1/1", "voice": "m1", "language": "de", "control": "90+30", "code": "a1b2c3d4e5f6"}
CELL = {"text": "", "typed": False, "understood": "", "clip": "s", "provisional": True}
BOARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
DESK: dict[str, Any] = {
    "open": True, "setting": None, "seen": {"white": None, "black": None}, "kept": {"white": BOARD, "black": BOARD},
    "lines": [{"ply": 2, "white": CELL, "black": {**CELL, "text": "e5", "provisional": False}}],
    "verdict": "differ", "provisional": True, "listen": [], "unread": [1, 2], "agree_plies": 1, "moves": ["e2e4"],
    "clock": None, "clock_read": False, "now": {"white": 60_000, "black": 60_000}, "placement": BOARD, "turn": "black",
}  # fmt: skip
DECIDABLE = {**DESK, "provisional": False, "clock": {"white": 60_000, "black": 60_000}}
SETTING = {**DESK, "setting": {"awaited": ["white"], "confirmed": [], "placement": BOARD}}
DISPLAY = {"station": "d", "role": "display", "seat": None, "own": False, "on_line": True}
WAITS = {"id": "i", "role": "assistant", "seat": "white", "duties": ["execute"], "mark": "c3", "label": ""}


def shown(language: str = "en", desk: dict[str, Any] = DESK) -> TableNow:
    """A table at which there is something to choose for every field."""
    devices = {"microphones": ["Rode"], "headphones": ["Sony"], "text": ""}
    return TableNow(4, language, table_shown(full_table().state), desk, (DISPLAY,), devices, (WAITS,))


def desk_for(form: FormOfAct) -> dict[str, Any]:
    """What the desk shows when this act of it can be given."""
    found: dict[str, dict[str, Any]] = {"decide_desk": DECIDABLE, "confirm_board": SETTING}
    return found.get(form.do, DESK)


def filled(form: FormOfAct, language: str, *, sparing: bool) -> Asking:
    """An act whose fields were answered one after the other; `sparing`: what may be left out is."""
    words, now = words_at_a_line(language), asking(form, shown(language, desk_for(form)))
    answers = 0
    while now.field is not None:
        assert all(question(now, words)), form.do
        offered = list(choices(now, words))
        if (sparing or answers > 1) and LEAVE_OUT in offered:
            said = "-"
        elif offered and offered != [LEAVE_OUT]:
            said = offered[0]
        else:
            least = str(max(3, now.field.more.get("from") or 0)) if now.field.sort == "number" else ""
            said = least or WORDS_TYPED.get(now.field.name, TYPED.get(now.field.sort, ""))
        answers = answers + 1 if now.field.sort in REPEATED else 0
        then = fill_in(now, said, words)
        assert isinstance(then, Asking), (form.do, now.field.name, said, then)
        now = then
    return now


OTHERWISE = {
    "settle_alert": "on its card",
    "settle_incident": "on its card",
    "choose_alerts": "sound in the headphones of a page, which a line of text has not",
    "tell_press_keys": "by the device with the buttons",
    "press_key": "by the device with the buttons",
}
"""Acts of the arbiter that are not typed by their name, and how they are given."""


def test_every_act_of_the_arbiter_has_a_typed_way() -> None:
    """A new act with a form has one at once; without a form its class names the part of the page that gives it."""
    typed = {form.do for form in forms_offered()}
    assert sorted(by_name().keys() - typed - OTHERWISE.keys()) == []
    assert not typed & OTHERWISE.keys()
    assert len(typed) == len(forms_offered()), "an act stands twice"


def test_what_the_page_asks_of_the_server_beside_the_game_has_a_typed_way(repo: Path) -> None:
    modules: set[str] = set()
    modules_of(repo, "entry/arbiter.js", modules)
    asked = set[str]()
    for name in modules:
        text = (static(repo) / name).read_text("utf-8")
        asked |= {path.partition("/$")[0] for path in re.findall(r"answerOf\(`(/api/[a-z/]+(?:\$\{)?)[^`]*`, ", text)}
    asked = {path.rstrip("/${") for path in asked}
    assert len(asked) >= 6, asked
    typed = {form.path.partition("/{")[0] for form in forms_offered() if form.path}
    assert sorted(asked - typed) == []


@pytest.mark.law("L113")
@pytest.mark.parametrize("language", language_tags())
def test_every_act_of_the_page_is_found_by_its_name_and_by_its_article(language: str) -> None:
    words = words_at_a_line(language)
    for form in forms_offered():
        assert [one.do for one in forms_found(words[form.words], language)] == [form.do]
        assert not form.article or form in forms_found(form.article, language)
        assert form in forms_found(words[form.words][:-1].upper(), language), "a part of it is enough"
    assert forms_found("", language) == () == forms_found("qqq", language)


@pytest.mark.parametrize(("language", "typed", "act"), [
    ("en", "take back", "restore_to"), ("en", "6.6", "start_game"), ("de", "Zeitzugabe", "set_increment"),
])  # fmt: skip
def test_an_act_is_found_by_the_words_of_the_finder(language: str, typed: str, act: str) -> None:
    assert forms_found(typed, language)[0].do == act


@pytest.mark.parametrize("language", language_tags())
def test_every_act_can_be_filled_in_and_is_one_that_the_server_takes(language: str) -> None:
    for form in forms_offered():
        for sparing in (False, True):
            done = filled(form, language, sparing=sparing)
            for body in bodies(done):
                if form.path:
                    assert body.keys() <= {*form.sends}, form.do
                elif form.do != "more_cells":
                    act = msgspec.convert(body, StationAct)
                    assert type(act).__struct_config__.tag == ("tick_checklist" if form.do == "check_all" else form.do)


def test_an_answer_is_a_choice_its_beginning_or_what_the_page_takes() -> None:
    words = page_words("en")
    (form,) = forms_found("Add or deduct time", "en")
    now = asking(form, TableNow(4))
    assert question(now, words) == ("Player:",) and list(choices(now, words)) == ["White", "Black"]
    black = fill_in(now, "b", words)
    assert isinstance(black, Asking) and black.body == {"do": "add_time", "seat": "black"}
    assert fill_in(now, "grey", words) == words["act.no_choice"]
    assert fill_in(black, "two minutes", words) == words["write_time"]
    taken = fill_in(black, "-2:00", words)
    assert isinstance(taken, Asking) and taken.body["ms"] == -120_000 and taken.named == ("Black", "-2:00")
    (back,) = forms_found("take back", "en")
    plies = choices(asking(back, TableNow(3)), words)
    assert list(plies)[:2] == ["2 (Black)", "2 (White)"] and plies["the start"] == 0
    first = fill_in(asking(back, TableNow(3)), "1 (White)", words)
    assert isinstance(first, Asking) and first.body["ply"] == 1
    assert msgspec.convert(filled(back, "en", sparing=True).body, StationAct) == RestoreTo()


@pytest.mark.law("L113")
@pytest.mark.parametrize("language", language_tags())
def test_the_head_of_every_alert_fits_forty_cells(language: str) -> None:
    """Tenth of twelve, wanted at once, two of a kind, with the article: nothing of the head is on a second line."""
    words, kinds = page_words(language), load_settling().alerts
    named = {key.removeprefix("alert.") for key in words if key.startswith("alert.")}
    assert kinds.keys() <= named and len(named) > 80
    for kind in sorted(named):
        article = kinds[kind].article if kind in kinds else "9.1.2.1"
        card = CardShown(
            numbers=(1, 2), kind=kind, ply=3, grey=False, at_once=True, how="", text="", article=article, offers=()
        )
        head = card_lines(card, 10, 12, words)[0]
        assert len(head) <= CELLS, (head, len(head))
        assert head.startswith("10/12! ") and head.endswith(f"×2 {article}".rstrip()), head
