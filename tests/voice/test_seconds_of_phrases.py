"""How long the ear is spoken to at once: a phrase of a game takes three seconds at most, measured on the real voice.

What must be heard whole may take six: a question with its answers, and an announcement of D.2.1. A piece of what was
asked for may take four. One's own time takes one and a half; a refusal two and a half at the median.
"""

from __future__ import annotations

from statistics import median

import pytest

from server.game.views import messages as msg
from server.wording.pieces import pieces_of
from server.wording.words import scheme_of
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.words.config_file import language_tags
from tests.voice.spoken_page import Phrase, phrases_in

AT_MOST_S, PIECE_S, WHOLE_S = 3.0, 4.0, 6.0
OWN_TIME_S, REFUSAL_S = 1.5, 2.5
WHOLE = ("Question", "Understood", "Relayed", "SealedWords")
"""A question and its answers are one; an announcement is said in full (D.2.1)."""
ASKED = ("AnswerGiven", "PositionTold", "PairingShown", "OpponentScore", "LawRead", "ClaimShown")
"""What a player asks for, or verifies piece by piece."""
SHORTEST = ("hy",)
"""Where three seconds have the fewest words. A thorough run measures all six."""
MINUTES = (60_000, 3_720_000, 599_000, 2_400_000)


def allowed(phrase: Phrase) -> float:
    return WHOLE_S if phrase.kind in WHOLE else PIECE_S if phrase.kind in ASKED else AT_MOST_S


@pytest.mark.parametrize(
    "tag", [pytest.param(tag, marks=() if tag in SHORTEST else pytest.mark.thorough) for tag in language_tags()]
)
async def test_no_phrase_of_a_game_takes_longer_than_it_may(tag: str) -> None:
    voice = Pyttsx3Voice()
    try:
        phrases = await phrases_in(tag, voice)
        own = [
            sum([(await voice.render(said)).duration_ms / 1000 for _, said in pieces_of(asked, scheme_of("d21", tag))])
            for asked in (msg.AnswerGiven(what="time", own_ms=ms, own_runs=True) for ms in MINUTES)
        ]
    finally:
        await voice.close()
    assert len(phrases) > 400
    long = [(one.seconds, one.kind, one.what, one.told[0]) for one in phrases if one.seconds > allowed(one)]
    assert long == []
    assert median(one.seconds for one in phrases if one.kind == "NotDone") <= REFUSAL_S
    assert median(own) <= OWN_TIME_S, own
