"""The clock's speech at every boundary, in six languages, against words written out by hand (D.2.6.1)."""

from __future__ import annotations

import pytest

from speech.announcements.clock_phrases import ClockFacts, PeriodTold, clock_told, control_told, time_told
from speech.words.catalogue import load_messages
from speech.words.messages import without_isolation
from speech.words.signs import for_voice, load_numerals

S, M, H = 1_000, 60_000, 3_600_000
TIMES: dict[int, dict[str, str]] = {
    0: {"de": "0 Sekunden", "en": "0 seconds", "hu": "0 másodperc", "hy": "0 վայրկյան",
        "ar": "0 ثانية", "he": "0 שניות"},
    999: {"de": "0 Sekunden", "en": "0 seconds", "hu": "0 másodperc", "hy": "0 վայրկյան",
          "ar": "0 ثانية", "he": "0 שניות"},
    1 * S: {"de": "eine Sekunde", "en": "1 second", "hu": "egy másodperc", "hy": "1 վայրկյան",
            "ar": "ثانية", "he": "שנייה"},
    2 * S: {"de": "2 Sekunden", "en": "2 seconds", "hu": "2 másodperc", "hy": "2 վայրկյան",
            "ar": "ثانيتان", "he": "שתי שניות"},
    3 * S: {"de": "3 Sekunden", "en": "3 seconds", "hu": "3 másodperc", "hy": "3 վայրկյան",
            "ar": "3 ثوانٍ", "he": "3 שניות"},
    10 * S: {"de": "10 Sekunden", "en": "10 seconds", "hu": "10 másodperc", "hy": "10 վայրկյան",
             "ar": "10 ثوانٍ", "he": "10 שניות"},
    11 * S: {"de": "11 Sekunden", "en": "11 seconds", "hu": "11 másodperc", "hy": "11 վայրկյան",
             "ar": "11 ثانية", "he": "11 שניות"},
    59 * S: {"de": "59 Sekunden", "en": "59 seconds", "hu": "59 másodperc", "hy": "59 վայրկյան",
             "ar": "59 ثانية", "he": "59 שניות"},
    59_999: {"de": "59 Sekunden", "en": "59 seconds", "hu": "59 másodperc", "hy": "59 վայրկյան",
             "ar": "59 ثانية", "he": "59 שניות"},
    1 * M: {"de": "eine Minute", "en": "1 minute", "hu": "egy perc", "hy": "1 րոպե",
            "ar": "دقيقة", "he": "דקה"},
    61 * S: {"de": "eine Minute eine Sekunde", "en": "1 minute 1 second", "hu": "egy perc egy másodperc",
             "hy": "1 րոպե 1 վայրկյան", "ar": "دقيقة وثانية", "he": "דקה ושנייה"},
    2 * M + 2 * S: {"de": "2 Minuten 2 Sekunden", "en": "2 minutes 2 seconds", "hu": "2 perc 2 másodperc",
                    "hy": "2 րոպե 2 վայրկյան", "ar": "دقيقتان وثانيتان", "he": "שתי דקות ושתי שניות"},
    9 * M + 59 * S: {"de": "9 Minuten 59 Sekunden", "en": "9 minutes 59 seconds", "hu": "9 perc 59 másodperc",
                     "hy": "9 րոպե 59 վայրկյան", "ar": "9 دقائق و59 ثانية", "he": "9 דקות ו־59 שניות"},
    10 * M + 59 * S: {"de": "10 Minuten", "en": "10 minutes", "hu": "10 perc", "hy": "10 րոպե",
                      "ar": "10 دقائق", "he": "10 דקות"},
    59 * M + 59 * S: {"de": "59 Minuten", "en": "59 minutes", "hu": "59 perc", "hy": "59 րոպե",
                      "ar": "59 دقيقة", "he": "59 דקות"},
    1 * H: {"de": "eine Stunde", "en": "1 hour", "hu": "egy óra", "hy": "1 ժամ",
            "ar": "ساعة", "he": "שעה"},
    1 * H + 1 * M: {"de": "eine Stunde eine Minute", "en": "1 hour 1 minute", "hu": "egy óra egy perc",
                    "hy": "1 ժամ 1 րոպե", "ar": "ساعة ودقيقة", "he": "שעה ודקה"},
    2 * H + 5 * M: {"de": "2 Stunden 5 Minuten", "en": "2 hours 5 minutes", "hu": "2 óra 5 perc",
                    "hy": "2 ժամ 5 րոպե", "ar": "ساعتان و5 دقائق", "he": "שעתיים ו־5 דקות"},
    10 * H: {"de": "10 Stunden", "en": "10 hours", "hu": "10 óra", "hy": "10 ժամ",
             "ar": "10 ساعات", "he": "10 שעות"},
    -5 * S: {"de": "0 Sekunden", "en": "0 seconds", "hu": "0 másodperc", "hy": "0 վայրկյան",
             "ar": "0 ثانية", "he": "0 שניות"},
}  # fmt: skip
TAGS = ("de", "en", "hu", "hy", "ar", "he")


@pytest.mark.law("L192")
@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("ms", TIMES)
def test_a_time_is_said_by_magnitude_with_the_right_plural(tag: str, ms: int) -> None:
    told = time_told(ms, load_messages(tag))
    assert told == TIMES[ms][tag]
    assert ":" not in told


@pytest.mark.law("L192")
@pytest.mark.parametrize("tag", TAGS)
def test_no_time_of_ten_hours_has_a_colon_or_an_empty_place(tag: str) -> None:
    messages = load_messages(tag)
    for seconds in (*range(601), *range(601, 36_001, 61)):
        told = time_told(seconds * S, messages)
        assert told and not set(told) & set(":{}"), told


ALL = ClockFacts(
    own_ms=4 * M, opponent_ms=90 * M, runs="own", moves=38, to_control=2, period=1, periods=2, flag_first="opponent"
)
TOLD = {
    "de": "Ihre Zeit läuft: 4 Minuten. Zeit des Gegners: eine Stunde 30 Minuten. "
    "Das Blättchen des Gegners fiel zuerst. Abgeschlossene Züge: 38. Noch 2 Züge bis zur Zeitkontrolle. "
    "Zeitabschnitt 1 von 2.",
    "en": "Your time is running: 4 minutes. Opponent's time: 1 hour 30 minutes. Opponent's flag fell first. "
    "Moves completed: 38. 2 moves to the time control. Period 1 of 2.",
    "hu": "Az Ön ideje fut: 4 perc. Az ellenfél ideje: egy óra 30 perc. Az ellenfél zászlója esett le előbb. "
    "Befejezett lépések: 38. Még 2 lépés az időellenőrzésig. 1. periódus, összesen 2.",
    "hy": "Ձեր ժամանակն ընթանում է՝ 4 րոպե։ Հակառակորդի ժամանակը՝ 1 ժամ 30 րոպե։ Հակառակորդի դրոշակն ընկավ առաջինը։ "
    "Ավարտված քայլեր՝ 38։ Մինչև ստուգումը՝ 2 քայլ։ Շրջան 1, ընդամենը՝ 2։",
    "ar": "وقتك يجري: 4 دقائق. وقت المنافس: ساعة و30 دقيقة. سقط علم المنافس أولاً. النقلات المكتملة: 38. "
    "نقلتان حتى مراقبة الوقت. الفترة 1 من 2.",
    "he": "הזמן העצמי רץ: 4 דקות. זמן היריב: שעה ו־30 דקות. דגל היריב נפל ראשון. מסעים שהושלמו: 38. "
    "נותרו שני מסעים עד הביקורת. תקופה 1 מתוך 2.",
}


@pytest.mark.law("L192")
@pytest.mark.parametrize("tag", TAGS)
def test_everything_a_clock_shows_own_time_first(tag: str) -> None:
    assert without_isolation(" ".join(clock_told(ALL, load_messages(tag)))) == TOLD[tag]


def test_both_standing_a_reading_of_another_clock_and_one_move_to_go() -> None:
    facts = ClockFacts(own_ms=M, runs="", to_control=1, age_ms=2 * M)
    assert clock_told(facts, load_messages("de")) == (
        "Ihre Zeit: eine Minute.",
        "Beide Uhren stehen.",
        "Abgelesen vor: 2 Minuten.",
        "Noch ein Zug bis zur Zeitkontrolle.",
    )


@pytest.mark.law("L057")
def test_a_time_control_is_read_back_in_words() -> None:
    periods = (PeriodTold(40, 90 * M, 30 * S), PeriodTold(None, 30 * M, 30 * S))
    assert control_told(periods, load_messages("en")) == (
        "40 moves in 1 hour 30 minutes, then 30 minutes for the rest of the game, increment 30 seconds per move."
    )
    assert control_told((PeriodTold(None, 25 * M, 5 * S, "delay"),), load_messages("de")) == (
        "Zeit für alle Züge: 25 Minuten, Aufschub je Zug: 5 Sekunden."
    )
    for tag in TAGS:
        for kind in ("fischer", "delay", "bronstein"):
            told = control_told((PeriodTold(1, M, S, kind), PeriodTold(None, M)), load_messages(tag))
            assert told.count("،" if tag == "ar" else ",") >= 2 and "{" not in told


def test_a_hungarian_voice_is_given_the_number_as_it_stands_before_a_noun() -> None:
    numerals = load_numerals()["hu"]
    assert for_voice("Az Ön ideje: 2 óra 52 perc.", numerals) == "Az Ön ideje: két óra ötvenkét perc."
    assert for_voice("Befejezett lépések: 2.", numerals) == "Befejezett lépések: 2."
    assert for_voice("102 lépés", numerals) == "102 lépés"
