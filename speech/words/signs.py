"""Words for what is written in signs: a result, half a point, a time of day, a Roman numeral, a figure. Pure.

A voice reads "1/2" as two numbers and a stroke, "15:00" as fifteen zero zero, and "III" letter by letter. What is said
for them stands in the messages of each language (`ear`). Before a noun a voice would say another form of some numbers:
their words are in `numerals.toml` of each language that has such numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from speech.words.config_file import language_has, language_tags, of_language, read_settings
from speech.words.messages import ONLY, Messages, without_isolation

RESULTS = {
    "1-0": "white_wins",
    "0-1": "black_wins",
    "1/2-1/2": "drawn",
    "0-0": "both_lose",
    "1/2-0": "half_white",
    "0-1/2": "half_black",
    "+/-": "white_wins",
    "-/+": "black_wins",
    "-/-": "both_lose",
}
"""A result of the record -> its sentence."""
ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8}
# "I" and "V" alone are words and letters as well: they are numbers only before a point and a figure ("I.8").
_NUMERAL = re.compile(r"(?<![\w.])(?:(?:VIII|VII|VI|IV|III|II)(?=\.\d|\b)|[IV](?=\.\d))")
_RESULT = re.compile(r"(?<![\w/-])(?:1/2-1/2|1/2-0|0-1/2|½-½|1-0|0-1|\+/-|-/\+)(?![\w/-])")
_HALF = re.compile(r"(?<![\w/])1/2(?![\w/])|½")


@cache
def _time_of_day(written: str) -> re.Pattern[str]:
    """Return the pattern of a time of day as a language writes it ("{hour}:{minutes} Uhr"); the word may be missing."""
    words = written.replace("{hour}:{minutes}", "").strip()
    after = rf"(?: {re.escape(words)})?" if words else ""
    return re.compile(rf"(?<![\d:])(\d{{1,2}}):([0-5]\d)(?![\d:]){after}")


def result_said(result: str, messages: Messages) -> str:
    """Return the sentence for a result ("Draw."); the result itself where it is none of the Laws'."""
    return messages.text(f"ear.{RESULTS[result]}") if result in RESULTS else result


def signs_said(text: str, messages: Messages) -> str:
    """Return the text with its signs as words, for a voice.

    >>> from speech.words.catalogue import load_messages
    >>> signs_said("Richtlinien III.6: Beginn 15:00 Uhr, 1/2-1/2", load_messages("de"))
    'Richtlinien 3.6: Beginn 15 Uhr, Remis'
    """

    def time(found: re.Match[str]) -> str:
        key = "ear.full_hour" if found[2] == "00" else "ear.hour_minutes"
        return without_isolation(messages.text(key, hour=int(found[1]), minutes=found[2]))

    text = _RESULT.sub(lambda found: result_said(found[0].replace("½", "1/2"), messages).rstrip(".։"), text)
    text = _HALF.sub(lambda _: messages.text("ear.half"), text)
    text = _time_of_day(messages.entries["ear.time_written"].forms[ONLY]).sub(time, text)
    return _NUMERAL.sub(lambda found: str(ROMAN[found[0]]), text)


FILE = "numerals.toml"


@cache
def load_numerals() -> Mapping[str, Mapping[str, str]]:
    """Return, by language, figure -> words. Raises Complaint."""
    return {
        tag: read_settings(of_language(tag, FILE), dict[str, str]) for tag in language_tags() if language_has(tag, FILE)
    }


def for_voice(text: str, numerals: Mapping[str, str]) -> str:
    """Return the text with every figure before a word written out as it is said there. Pure.

    >>> for_voice("2 óra 22 perc", {"2": "két", "22": "huszonkét"})
    'két óra huszonkét perc'
    """
    return re.sub(r"(?<![\d.,])\d+(?= +[^\W\d])", lambda found: numerals.get(found[0], found[0]), text)
