"""What is typed is understood in the seat's language and in the page's, and no word is another one elsewhere."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from server.game.values.words import Seat
from server.protocol import Typed
from server.wording.typed import heard_of_text, schemes_typed
from server.wording.words import scheme_of
from speech.complaint import Complaint
from speech.words.config_file import language_tags
from speech.words.scheme import Scheme
from speech.words.spelling import normal_form
from tests.table.open_hall import played

YES, NO = "cmd.yes", "cmd.no"


def forms_of(tag: str) -> dict[str, str]:
    """Every way to write every word of a language, in its own words and in those of D.2.1 -> word id."""
    return {**scheme_of("national", tag).written_forms, **scheme_of("d21", tag).written_forms}


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(language_tags(), 2)))
def test_no_word_means_another_one_in_another_language(one: str, other: str) -> None:
    mine, theirs = forms_of(one), forms_of(other)
    swapped = {form: (mine[form], theirs[form]) for form in mine.keys() & theirs if mine[form] != theirs[form]}
    assert swapped == {}, "typed in the one language, taken for the other"


def test_yes_is_never_no() -> None:
    said = {(tag, form): word for tag in language_tags() for form, word in forms_of(tag).items() if word in (YES, NO)}
    yes = {form for (_, form), word in said.items() if word == YES}
    no = {form for (_, form), word in said.items() if word == NO}
    assert len(yes) >= len(language_tags()) - 1 and len(no) >= len(language_tags()) - 1 and yes & no == set()


async def test_the_pages_language_is_understood_beside_the_seats(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        state = game.table.state
        for seat, tag in itertools.product(Seat, language_tags()):
            own, page = state.plan(seat).language, scheme_of("d21", tag)
            assert [one.language for one in schemes_typed(state, seat, tag)] == list(dict.fromkeys((own, tag)))
            for word in page.words:
                if word.startswith("cmd."):
                    for form in page.forms_spoken(word):
                        heard = heard_of_text(form, state, seat, tag)
                        assert heard.command == word.removeprefix("cmd."), (tag, form)
            for scheme in (page, scheme_of("national", tag), scheme_of("d21", own), scheme_of("national", own)):
                text = _knight_to_f3(scheme)
                assert (
                    heard_of_text(text, state, seat, tag).said == heard_of_text("Springer Felix drei", state, seat).said
                )


async def test_without_a_page_or_in_no_language_the_seats_own_words_count(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        state = game.table.state
        assert state.plan(Seat.WHITE).language == "de"
        for language in ("", "de", "xx"):
            assert heard_of_text("Zeit", state, Seat.WHITE, language).command == "time"
            with pytest.raises(Complaint, match="ist nicht bekannt"):
                heard_of_text("time", state, Seat.WHITE, language)
        assert heard_of_text("time", state, Seat.WHITE, "en").command == "time"
        with pytest.raises(Complaint, match="is not known") as told:
            heard_of_text("hocus pocus", state, Seat.WHITE, "en")
        assert "Springer Felix drei" in str(told.value), "the example is in the words of the player's seat"


async def test_a_page_in_english_at_a_german_seat_asks_for_its_time(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        for text in ("time", "Zeit"):
            outcome = await game.table.take_typed("white", Typed(game.id(), text), "en")
            assert outcome.outcome.ok, text


def _knight_to_f3(scheme: Scheme) -> str:
    return normal_form(" ".join(scheme.text(word) for word in ("piece.knight", *scheme.square("f3"))))
