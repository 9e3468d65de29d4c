"""An alert or an answer is worded in each language: a saying of the core is looked up in `detail` of the messages."""

from __future__ import annotations

import re

from server.game import acts as ev
from server.game.values.saying import Saying, Value, saying
from server.wording.pages import move_read, page_words, record_spelt
from server.wording.refusals import messages_for, sentence
from speech.words.config_file import language_tags
from speech.words.loading import parts_listed

REFUSAL = "refusal"
"""The place of a saying that holds the code of a refusal; its sentence is shown."""


OF_MOVES = ("ply", "plies")
"""The places of a saying that hold half-moves by their numbers."""
OF_THE_RECORD = ("move", "heard", "words")
"""The places of a saying that hold an announcement as it is on record."""
OF_SQUARES = ("uci", "entered", "meant", "now", "before", "what")
"""The places of a saying that hold moves by their squares, as the core writes them ("a1a5", "e7e8q c3d5")."""
OF_A_CLAIM = "record_fits_none"
"""The saying whose `text` is an announcement too; elsewhere `text` is a person's own."""


def told_in(said: Saying, language: str) -> str:
    """Return a saying in a language.

    Where the catalogue has no such sentence any more, the key and the values stay readable.

    >>> told(Saying("calls", {"who": Saying("white")}), "de")
    'Weiß ruft den Schiedsrichter (6.11.2)'
    """
    values = {
        place: moves_numbered(value, language) if place in OF_MOVES else _value_shown(value, language)
        for place, value in said.values.items()
    }
    for place in (*OF_THE_RECORD, *(("text",) if said.key == OF_A_CLAIM else ())):
        if place in values:
            values[place] = record_spelt(str(values[place]), language)
    for place in OF_SQUARES:
        if place in values:
            values[place] = moves_read(str(values[place]), language)
    if REFUSAL in values:
        values[REFUSAL] = sentence(str(values[REFUSAL]), "", language)
    try:
        return messages_for(language).text(f"detail.{said.key}", **values)
    except KeyError:
        return " ".join([said.key, *map(str, values.values())])


_MOVES = re.compile(r"(?:[a-h][1-8]){2}[nbrq]?(?: (?:[a-h][1-8]){2}[nbrq]?)*")


def moves_read(moves: str, language: str) -> str:
    """Return moves in UCI, one or several, as they are read; any other text as it is.

    >>> moves_read("a1a5", "en"), moves_read("e7e8q c3d5", "de"), moves_read("the king", "en")
    ('a1 to a5', 'e7 nach e8 (Dame), c3 nach d5', 'the king')
    """
    if not _MOVES.fullmatch(moves):
        return moves
    return parts_listed((move_read(one, page_words(language)) for one in moves.split()), language)


def moves_numbered(plies: Value, language: str) -> str:
    """Return half-moves as people number moves, in whatever they are listed.

    >>> numbered((3, 4), "en")
    '2 (White), 2 (Black)'
    """

    def one(found: re.Match[str]) -> str:
        ply = int(found[0])
        return f"{(ply + 1) // 2} ({told_in(saying('white' if ply % 2 else 'black'), language)})" if ply else "0"

    return re.sub(r"\d+", one, str(_value_shown(plies, language)))


def _value_shown(value: Value, language: str) -> str | int:
    if isinstance(value, Saying):
        return told_in(value, language)
    return (
        parts_listed((str(_value_shown(one, language)) for one in value), language)
        if isinstance(value, tuple)
        else value
    )


def told_of(event: ev.AnyEvent) -> dict[str, str] | None:
    """Return what the program says in an event, in every language; None where it says nothing."""
    said = event.said if isinstance(event, ev.Alerted | ev.MateAnswered) else None
    return {tag: told_in(said, tag) for tag in language_tags()} if said is not None else None
