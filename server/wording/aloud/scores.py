"""A score in the ear: its cells one by one, its signs in words; and whether the game may be reviewed."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from server.game.laws.scoresheet import Mark, parts_of_cell, time_of_cell
from server.game.views.messages import AnswerGiven, OpponentScore, ReviewShown, ScoreLine
from server.wording.aloud.says import Told, in_listeners_voice, says, silent
from server.wording.words import cell_words, segments_of
from speech.announcements.clock_phrases import time_short, time_told
from speech.voices.voice import Segment
from speech.words.loading import parts_listed
from speech.words.scheme import Scheme

silent(ScoreLine)
_WORD_OF_MARK: dict[Mark, str] = {
    "offer": "cmd.draw_offer",
    "check": "word.check",
    "mate": "word.mate",
    "en_passant": "word.ep",
    "short": "castle.short",
    "long": "castle.long",
}


_PROMOTED = re.compile(r"=(?=\w)")


def cell_segments(cell: str, scheme: Scheme) -> tuple[Segment, ...]:
    """Return one cell of a score for the voices: its move, and each sign in words (8.1.1, 8.1.5).

    A voice reads none of "(=)", "+" and "0-0" as a player means it. An empty cell is said to be empty.
    """
    texts = scheme.messages
    words = cell_words(cell, scheme)
    told: list[Segment] = [*segments_of(words, scheme)] if words else []
    for mark, part in parts_of_cell(cell):
        if mark in _WORD_OF_MARK:
            told += segments_of((_WORD_OF_MARK[mark],), scheme)
        elif mark == "time":
            told += in_listeners_voice(time_short(time_of_cell(part), texts), scheme)
        elif mark == "claim":
            told += in_listeners_voice(texts.text("ear.by_article", article=part), scheme)
        elif not words and any(letter.isalnum() for letter in part):
            told += in_listeners_voice(scheme.as_spelt(_PROMOTED.sub(" ", part)), scheme)
    return tuple(told) or in_listeners_voice(texts.text("ear.blank"), scheme)


def moves_read(first: int, message: AnswerGiven, scheme: Scheme) -> Told:
    """Return moves of a score from that number on, as a line for each."""
    pairs = [message.score[place : place + 2] for place in range(0, len(message.score), 2)] or [()]
    told = [
        move_read(
            number,
            msgspec.structs.replace(message, score=pair, took_ms=message.took_ms if number == first else ()),
            scheme,
        )
        for number, pair in enumerate(pairs, first)
    ]
    return "\n".join(text for text, _ in told), tuple(part for _, parts in told for part in parts)


def move_read(number: int, message: AnswerGiven, scheme: Scheme) -> Told:
    """Return one move of a score by its number; "-" stands for a half-move that was not written.

    In a game that is released for review, the time of each half-move follows.
    """
    cells = (*message.score, "", "")[:2]
    told = f"{number}. {', '.join(scheme.as_spelt(cell) or '-' for cell in cells)}"
    segments = [Segment(f"{number}:", scheme.listener.tag)]
    for cell in cells if any(cells) else cells[:1]:
        segments += cell_segments(cell, scheme)
    times = [time_told(ms, scheme.messages) for ms in message.took_ms if ms is not None]
    took = f". {'; '.join(times)}." if times else ""
    return told + took, (*segments, *(in_listeners_voice(took.removeprefix(". "), scheme) if took else ()))


def cells_read(cells: Sequence[str], scheme: Scheme) -> Told | None:
    """Return a score as it is read aloud, half-move by half-move; None where there is none."""
    if not cells:
        return None
    told = (f"{number}. {scheme.as_spelt(cell) or '-'}" for number, cell in enumerate(cells, 1))
    segments: list[Segment] = []
    for number, cell in enumerate(cells, 1):
        segments += [Segment(f"{number}:", scheme.listener.tag), *cell_segments(cell, scheme)]
    return parts_listed(told, scheme.listener.tag), tuple(segments)


@says(OpponentScore)
def _opponent_score(message: OpponentScore, scheme: Scheme) -> Told | None:
    return cells_read(message.cells, scheme)


@says(ReviewShown)
def _review(message: ReviewShown, scheme: Scheme) -> str:
    return scheme.phrase("review_open" if message.released else "review_shut")
