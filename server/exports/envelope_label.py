"""The label of an envelope is put into words, for print, braille and voice (Guidelines I.2, L210)."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache

import chess
import msgspec

from braille.position import write_position
from braille.profile import BLANK, Profile
from braille.score import wrap
from server.game.values.adjournment import EnvelopeLabel
from server.game.values.words import Seat
from server.wording.positions import position_text
from server.wording.words import scheme_of, time_in_words
from speech.complaint import Complaint
from speech.words.config_file import Source, Text, read_source
from speech.words.messages import without_isolation
from speech.words.messages_loading import places_of

WIDTH = 40
KEYS: dict[str, frozenset[str]] = {
    "title": frozenset({"table"}),
    "players": frozenset({"white", "black"}),
    "position": frozenset(),
    "white": frozenset(),
    "black": frozenset(),
    "time": frozenset({"side", "used", "left"}),
    "sealed": frozenset({"side", "number"}),
    "offer": frozenset({"side"}),
    "no_offer": frozenset(),
    "adjourned": frozenset({"when"}),
    "resumption": frozenset({"when", "venue"}),
    "open": frozenset(),
}


class Occasion(msgspec.Struct, frozen=True):
    """This is what the core does not know (I.2.7).

    The table's name, when the game was adjourned, and when and where it goes on.
    """

    table: str
    adjourned: datetime
    resumption: str = ""
    venue: str = ""


@cache
def load_label_words() -> Mapping[str, Mapping[str, str]]:
    """Load language -> key -> sentence. Raises Complaint naming the file and the key path."""
    return label_words_of(read_source("envelope.toml"))


def label_words_of(source: Source) -> Mapping[str, Mapping[str, str]]:
    """Return language -> key -> sentence, checked.

    Raises Complaint naming the file and the key path.
    """
    found = source.shaped(dict[str, dict[str, Text]])
    for language, words in found.items():
        for key, places in KEYS.items():
            if key not in words:
                raise source.complain(f"{language}.{key}", "this entry is missing")
            try:
                named = places_of(words[key])
            except ValueError as wrong:
                raise source.complain(f"{language}.{key}", f"the braces do not match ({wrong})") from wrong
            if named != places:
                wanted = ", ".join(sorted(places)) or "no places"
                raise source.complain(f"{language}.{key}", f"it must have {wanted}")
    return found


def label_sentences(label: EnvelopeLabel, occasion: Occasion, language: str) -> tuple[str, ...]:
    """Return everything that stands on the envelope, a sentence an item, in the order of I.2.

    As a voice reads it. Raises Complaint for a language without these words.
    """
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
    men = position_text(label.placement, scheme_of("d21", language), by_square=False)
    return (*head, *men.splitlines(), *tail)


def _words(cells: str) -> list[str]:
    return [word for word in cells.split(BLANK) if word]


def _around_position(
    label: EnvelopeLabel, occasion: Occasion, language: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = load_label_words().get(language)
    if words is None:
        known = ", ".join(sorted(load_label_words()))
        raise Complaint(f"The envelope has no words in {language!r}; choose one of {known}.")
    scheme = scheme_of("d21", language)
    side = {Seat.WHITE: words["white"], Seat.BLACK: words["black"]}
    times = (
        (Seat.WHITE, label.white_used_ms, label.white_ms),
        (Seat.BLACK, label.black_used_ms, label.black_ms),
    )

    def put(key: str, **values: object) -> str:
        return scheme.messages.filled(words[key], **values)

    head = (
        put("title", table=occasion.table),
        put("players", white=label.white or "-", black=label.black or "-"),
        words["position"],
    )
    offer = words["no_offer"] if label.offer_by is None else put("offer", side=side[label.offer_by])
    tail = (
        *(
            put("time", side=side[seat], used=time_in_words(used, scheme), left=time_in_words(max(0, left), scheme))
            for seat, used, left in times
        ),
        put("sealed", side=side[label.sealed_by], number=label.move_number),
        offer,
        put("adjourned", when=f"{occasion.adjourned:%Y-%m-%d %H:%M}"),
        put("resumption", when=occasion.resumption or words["open"], venue=occasion.venue or words["open"]),
    )
    return head, tail
