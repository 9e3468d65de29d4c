"""The label of an envelope is put into words, for print, braille and voice (Guidelines I.2, L210)."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from datetime import datetime

import chess
import msgspec

from braille.position import write_position
from braille.profile import BLANK, Profile
from braille.score import wrap
from server.game.values.adjournment import EnvelopeLabel
from server.game.values.words import Seat
from server.wording.aloud.positions import men_written
from server.wording.words import scheme_of, time_in_words
from speech.words.catalogue import texts_in
from speech.words.messages import without_isolation

WIDTH = 40


class Occasion(msgspec.Struct, frozen=True):
    """Facts for the label that the game itself does not know (I.2.7).

    The table's name, when the game was adjourned, and when and where it goes on.
    """

    table: str
    adjourned: datetime
    resumption: str = ""
    venue: str = ""


def label_sentences(label: EnvelopeLabel, occasion: Occasion, language: str) -> tuple[str, ...]:
    """Return everything that stands on the envelope, a sentence an item, in the order of I.2, as a voice reads it."""
    return tuple(without_isolation(one) for one in _sentences(label, occasion, language))


def label_lines(label: EnvelopeLabel, occasion: Occasion, language: str, width: int = WIDTH) -> tuple[str, ...]:
    """Return the label in lines of at most `width` letters, to be printed and stuck on the envelope."""
    lines: list[str] = []
    for sentence in _sentences(label, occasion, language):
        lines += textwrap.wrap(sentence, width)
    return tuple(lines)


def label_cells(
    label: EnvelopeLabel, occasion: Occasion, language: str, profile: Profile, prose: Callable[[str], str]
) -> tuple[str, ...]:
    """Return the label in lines of at most 40 braille cells, the position as a position line.

    `prose`: text to cells.
    """
    head, tail = _around_position(label, occasion, language)
    lines: list[str] = []
    for sentence in head:
        lines += wrap(_words(prose(without_isolation(sentence))), WIDTH)
    board = chess.BaseBoard(label.placement)
    lines += wrap(_words(write_position(board, profile)), WIDTH)
    for sentence in tail:
        lines += wrap(_words(prose(without_isolation(sentence))), WIDTH)
    return tuple(lines)


def _sentences(label: EnvelopeLabel, occasion: Occasion, language: str) -> tuple[str, ...]:
    """Return the sentences, with the direction marks that right-to-left languages need."""
    head, tail = _around_position(label, occasion, language)
    men = (f"{side}." for side in men_written(label.placement, language))
    return (*head, *men, *tail)


def _words(cells: str) -> list[str]:
    return [word for word in cells.split(BLANK) if word]


def _around_position(
    label: EnvelopeLabel, occasion: Occasion, language: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    scheme = scheme_of("d21", language)
    words = texts_in("envelope", language)
    side = {seat: words[f"label.{seat.value}"] for seat in Seat}
    times = (
        (Seat.WHITE, label.white_used_ms, label.white_ms),
        (Seat.BLACK, label.black_used_ms, label.black_ms),
    )

    def put(key: str, **values: object) -> str:
        return scheme.messages.fill(words[f"label.{key}"], **values)

    def time_of(seat: Seat, used: int | None, left: int | None) -> str:
        if used is None or left is None:
            return put("by_clock", side=side[seat])
        return put("time", side=side[seat], used=time_in_words(used, scheme), left=time_in_words(max(0, left), scheme))

    head = (
        put("title", table=occasion.table),
        put("players", white=label.white or "-", black=label.black or "-"),
        words["label.position"],
    )
    still_open = words["label.open"]
    offer = words["label.no_offer"] if label.offer_by is None else put("offer", side=side[label.offer_by])
    tail = (
        *(time_of(*one) for one in times),
        put("sealed", side=side[label.sealed_by], number=label.move_number),
        offer,
        put("adjourned", when=f"{occasion.adjourned:%Y-%m-%d %H:%M}"),
        put("resumption", when=occasion.resumption or still_open, venue=occasion.venue or still_open),
    )
    return head, tail
