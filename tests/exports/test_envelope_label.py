"""The label of the envelope in words: everything of I.2 and nothing of the move, in lines for print and for braille."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import chess
import msgspec
import pytest
from click.testing import CliRunner

from braille.loading import load_profile, load_prose_tables
from braille.prose import prose_writer
from server.cli import group
from server.exports.envelope_label import (
    Occasion,
    label_cells,
    label_lines,
    label_sentences,
)
from server.game import acts as cmd
from server.game.laws.event_options import EventOptions
from server.game.values.adjournment import EnvelopeLabel
from server.game.values.words import Seat
from speech.complaint import Complaint
from speech.words.config_file import language_tags
from speech.words.messages import FIRST_STRONG, POP
from tests.table.open_hall import played

LABEL = EnvelopeLabel(
    white="Anna Weiß",
    black="Hector Schwarz-Baumgartner von und zu Hohenlinden",
    placement=chess.Board().board_fen(),
    fen=chess.STARTING_FEN,
    white_ms=3_600_000,
    black_ms=3_500_000,
    white_used_ms=1_800_000,
    black_used_ms=1_900_000,
    sealed_by=Seat.BLACK,
    move_number=41,
    offer_by=Seat.WHITE,
)
OCCASION = Occasion("t1", datetime(2026, 11, 21, 18, 5, tzinfo=UTC), "2026-11-22 10:00", "Ohrid")

# The offer, who sealed, an hour, and thirty-one minutes and the position in the listener's own words.
SAID = {
    "de": ("Remisangebot von Weiß", "Schwarz hat den Zug", "eine Stunde", "31 Minuten", "König e1"),
    "en": ("draw offer by White", "Black sealed", "1 hour", "31 minutes", "White: king e1, queen d1"),
    "hu": ("Világos döntetlenajánlata", "Sötét borítékolt", "óra", "31 perc", "király e1"),
    "hy": ("ոչ-ոքիի առաջարկ՝ Սպիտակներ", "Սևեր. գաղտնի քայլ", "ժամ", "31 րոպե", "արքա e1"),
    "ar": ("عرض التعادل قائم من الأبيض", "الأسود ختم", "ساعة", "31 دقيقة"),
    "he": ("הצעת התיקו של לבן", "שחור חתם", "שעה", "31 דקות"),
}


def test_the_envelope_has_words_in_every_language() -> None:
    assert set(SAID) == set(language_tags())


@pytest.mark.law("L210")
@pytest.mark.parametrize("language", language_tags())
def test_every_item_stands_on_the_envelope(language: str) -> None:
    text = " ".join(label_sentences(LABEL, OCCASION, language))
    for item in ("t1", LABEL.white, LABEL.black, "41", "2026-11-21 18:05", "2026-11-22 10:00", "Ohrid"):
        assert item in text
    for item in SAID[language]:
        assert item in text, item
    assert language == "de" or not {"König", "Dame", "Springer", "eins"} & set(re.findall(r"\w+", text))
    assert not set(text) & {FIRST_STRONG, POP}, "a voice needs no marks of direction"
    assert (FIRST_STRONG in " ".join(label_lines(LABEL, OCCASION, language))) is (language in ("ar", "he"))


@pytest.mark.law("L210")
@pytest.mark.parametrize("language", language_tags())
def test_times_of_another_clock_are_copied_off_it_and_not_stated(language: str) -> None:
    unknown = msgspec.structs.replace(LABEL, white_ms=None, black_ms=None, white_used_ms=None, black_used_ms=None)
    text = " ".join(label_sentences(unknown, OCCASION, language))
    assert "31" in " ".join(label_sentences(LABEL, OCCASION, language)) and "31" not in text, "minutes"
    clock = {"de": "Uhr", "en": "clock", "hu": "óra", "hy": "ժամացույց", "ar": "الساعة", "he": "שעון"}[language]
    assert text.count(clock) == 2, "for each player"


@pytest.mark.law("L210")
@pytest.mark.parametrize("language", language_tags())
def test_no_line_is_longer_than_forty(language: str) -> None:
    lines = label_lines(LABEL, OCCASION, language)
    assert lines and max(map(len, lines)) <= 40
    profile = load_profile("ukaaf")
    cells = label_cells(LABEL, OCCASION, language, profile, prose_writer(language, profile, load_prose_tables()))
    assert cells and max(map(len, cells)) <= 40
    assert all("\u2800" <= cell <= "\u283f" for line in cells for cell in line)


@pytest.mark.law("L210")
async def test_the_command_prints_the_newest_envelope(tmp_path: Path) -> None:
    async with played(tmp_path / "data", regulations=EventOptions(guidelines=("I",))) as game:
        ask = ["envelope", "t1", "--data", str(tmp_path / "data")]
        none = CliRunner().invoke(group, ask)
        assert isinstance(none.exception, Complaint) and "no envelope" in str(none.exception)
        await game.done("arbiter", cmd.OrderSeal())
        await game.done("white", cmd.EnterMove(uci="g1h3"))
        await game.press("white")
    text = CliRunner().invoke(group, [*ask, "--venue", "Ohrid"]).output
    assert "White sealed, move 1." in text and "Ohrid" in text and "to be arranged" in text
    assert "Hector drei" not in text and "h3" not in text
    said = CliRunner().invoke(group, [*ask, "--format", "speech", "--language", "de"]).output
    assert "Weiß hat den Zug 1 abgegeben." in said
    for form in ("braille", "brf"):
        assert max(map(len, CliRunner().invoke(group, [*ask, "--format", form]).output.splitlines())) <= 40
    wrong = CliRunner().invoke(group, [*ask, "--language", "fr"])
    assert isinstance(wrong.exception, Complaint) and "ar, de, en" in str(wrong.exception)
