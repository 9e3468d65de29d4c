"""The arbiter types an act at a display: every act of the page is found and filled in, in six languages (6.2, 12.2)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.desk.settling import load_settling
from server.game.acts import RestoreTo, StationAct
from server.stations.braille_arbiter import CardShown, card_lines
from server.stations.typed_acts import (
    LEAVE_OUT,
    Asking,
    FormOfAct,
    asking,
    choices,
    fill_in,
    forms_found,
    forms_offered,
    question,
)
from server.wording.pages import page_words
from speech.words.config_file import language_tags

CELLS = 40
TYPED = {
    "seconds": "5", "time": "1:05:00", "amount": "2:00", "pair": "12/11", "square": "e4", "uci": "e2e4",
    "placement": "8/8/8/8/8/8/8/K6k", "article": "11.5", "text": "noise", "name": "Anna", "word": "90+30",
}  # fmt: skip
"""An answer to type in a field of each sort that has no choices."""
WORDS_TYPED = {"periods": "1/1", "voice": "m1", "language": "de", "control": "90+30", "code": "a1b2c3d4e5f6"}


def filled(form: FormOfAct, language: str, *, sparing: bool) -> dict[str, Any]:
    """The body of an act whose fields were answered one after the other; `sparing`: what may be left out is."""
    words, now = page_words(language), asking(form, 4)
    while now.field is not None:
        assert all(question(now, words)), form.do
        offered = list(choices(now, words))
        if sparing and LEAVE_OUT in offered:
            said = "-"
        elif offered and offered != [LEAVE_OUT]:
            said = offered[0]
        else:
            least = str(max(3, now.field.more.get("from") or 0)) if now.field.sort == "number" else ""
            said = least or WORDS_TYPED.get(now.field.name, TYPED.get(now.field.sort, ""))
        then = fill_in(now, said, words)
        assert isinstance(then, Asking), (form.do, now.field.name, then)
        now = then
    return now.body


@pytest.mark.law("L113")
@pytest.mark.parametrize("language", language_tags())
def test_every_act_of_the_page_is_found_by_its_name_and_by_its_article(language: str) -> None:
    words = page_words(language)
    for form in forms_offered():
        assert [one.do for one in forms_found(words[form.words], language)] == [form.do]
        assert form in forms_found(form.article, language)
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
            body = filled(form, language, sparing=sparing)
            assert type(msgspec.convert(body, StationAct)).__struct_config__.tag == form.do


def test_an_answer_is_a_choice_its_beginning_or_what_the_page_takes() -> None:
    words = page_words("en")
    (form,) = forms_found("Add or deduct time", "en")
    now = asking(form, 4)
    assert question(now, words) == ("Player:",) and list(choices(now, words)) == ["White", "Black"]
    black = fill_in(now, "b", words)
    assert isinstance(black, Asking) and black.body == {"do": "add_time", "seat": "black"}
    assert fill_in(now, "grey", words) == words["act.no_choice"]
    assert fill_in(black, "two minutes", words) == words["write_time"]
    taken = fill_in(black, "-2:00", words)
    assert isinstance(taken, Asking) and taken.body["ms"] == -120_000 and taken.named == ("Black", "-2:00")
    (back,) = forms_found("take back", "en")
    plies = choices(asking(back, 3), words)
    assert list(plies)[:2] == ["2 (Black)", "2 (White)"] and plies["the start"] == 0
    first = fill_in(asking(back, 3), "1 (White)", words)
    assert isinstance(first, Asking) and first.body["ply"] == 1
    assert msgspec.convert(filled(back, "en", sparing=True), StationAct) == RestoreTo()


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
