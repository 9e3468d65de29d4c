"""Words of any message in a private ear; the files of its subjects register themselves when this one is imported."""

from __future__ import annotations

from server.game.views.messages import AnyMessage, Message, Recorded
from server.protocol import ReadOut, SealedWords
from server.wording.aloud import adjournment, clock, endings, moves, positions, questions, rulings, scores, sound, table
from server.wording.aloud.says import Told, check_said, silent, words_of_message
from speech.words.scheme import Scheme

SUBJECTS = (adjournment, clock, endings, moves, positions, questions, rulings, scores, sound, table)
"""The files of what messages say, whose functions are registered once they are imported."""
silent(Recorded)
check_said((*Message.__subclasses__(), SealedWords, ReadOut))


def spoken_message(message: AnyMessage | SealedWords | ReadOut, scheme: Scheme, *, read_back: bool) -> Told | None:
    """Return what a message says into a private ear: its text and the segments for the voice.

    None where it is silent. `read_back`: what was understood of a player's own words is said to that player.
    """
    return words_of_message(message, scheme, read_back=read_back)
