"""The connections of a table's stations: who is connected, what is sent to them, and what each was sent."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple

import msgspec

from server.game.views.messages import AnyMessage, Picture, Recorded
from server.journal.entry import Entry
from server.protocol import Outgoing

Sink = Callable[[Outgoing], None]


class Arose(NamedTuple):
    """When an event arose, in ms of this run and of the day, and by which command; None: by itself."""

    at: int
    wall_ms: int
    command: str | None


_log = logging.getLogger(__name__)

PACKED_TOGETHER = 64
"""Messages that are packed at a time; as many or more of the newest always lie at hand."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(list[AnyMessage])


def arose(entry: Entry, now: int, wall: int) -> Arose:
    """Return when and by what an event of the record arose, on the clock of this run (`now`, `wall`: the time, ms)."""
    return Arose(now - max(0, wall - entry.wall_ms), entry.wall_ms, entry.command or None)


class Attachment:
    """An attachment ties a station's line to its table.

    Closing it is all that happens when a connection drops.
    """

    def __init__(self, close: Callable[[], None]) -> None:
        self.close = close
        """Send nothing more to this connection."""


class Connections:
    """Connections of each station, the newest last."""

    def __init__(self, changed: Callable[[str], None]) -> None:
        """Tell `changed` of each station of which a connection came or went."""
        self._changed = changed
        self._sinks: dict[str, dict[Sink, None]] = {}
        self._languages: dict[str, str] = {}

    def reads(self, station_id: str, language: str) -> None:
        """Know in which language the page of a station is; "" changes nothing."""
        if language:
            self._languages[station_id] = language

    def language(self, station_id: str) -> str:
        """Return the language in which the page of a station was last; "" where it did not say."""
        return self._languages.get(station_id, "")

    def add(self, station_id: str, sink: Sink) -> Attachment:
        """Add one more connection of a station."""
        self._sinks.setdefault(station_id, {})[sink] = None
        self._changed(station_id)
        return Attachment(lambda: self._note_gone(station_id, sink))

    def of(self, station_id: str) -> tuple[Sink, ...]:
        """Return the station's connections, the newest last."""
        return tuple(self._sinks.get(station_id, ()))

    def push(self, station_id: str, outgoing: Outgoing, *, newest: bool = False) -> None:
        """Send something to all connections of a station.

        A connection that cannot take it is dropped; its station may connect again later. `newest`: send only to the
        connection that came last, for what must not happen twice (a sound).
        """
        sinks = self.of(station_id)
        for sink in sinks[-1:] if newest else sinks:
            try:
                sink(outgoing)
            except Exception:  # one bad connection must not keep the others from being told
                _log.exception("A connection of station %s is dropped", station_id)
                self._note_gone(station_id, sink)

    def _note_gone(self, station_id: str, sink: Sink) -> None:
        if sink in self._sinks.get(station_id, {}):
            del self._sinks[station_id][sink]
            self._changed(station_id)


class SentLog:
    """Messages of one station, in order, kept to be sent again; message n has the index n - 1.

    Hardly anybody asks for an old one, so the old ones are packed: a game may go on for a day. Of the arbiter's
    pictures only the newest is kept, since each shows everything.
    """

    def __init__(self) -> None:
        """Begin without a message."""
        self._packed: list[bytes] = []
        self._at_hand: list[AnyMessage] = []
        self._newest_picture: tuple[int, Picture] | None = None
        self._instant: Hashable = None
        self._together: set[int] = set()

    def __len__(self) -> int:
        """Return how many there are: the number of the newest one."""
        return PACKED_TOGETHER * len(self._packed) + len(self._at_hand)

    def together(self, number: int) -> bool:
        """Return whether this message arose at the same instant as the one before it."""
        return number in self._together

    def append(self, message: AnyMessage, instant: Hashable = None) -> tuple[int, bool]:
        """Keep one more, and return its number and whether it arose at the same instant as the one before it.

        `instant`: what it arose by, a command; None for what is by itself.
        """
        number, together = len(self) + 1, instant is not None and instant == self._instant
        if together:
            self._together.add(number)
        self._instant = instant
        if isinstance(message, Recorded) and message.picture is not None:
            self._newest_picture = number - 1, message.picture
            message = msgspec.structs.replace(message, picture=None)
        self._at_hand.append(message)
        if len(self._at_hand) == 2 * PACKED_TOGETHER:
            self._packed.append(zlib.compress(_encoder.encode(self._at_hand[:PACKED_TOGETHER]), 1))
            del self._at_hand[:PACKED_TOGETHER]
        return number, together

    def between(self, first: int, end: int) -> Iterator[AnyMessage]:
        """Go through the messages with the indexes from `first` to before `end`, as they were kept."""
        for start in range(first - first % PACKED_TOGETHER, min(end, len(self)), PACKED_TOGETHER):
            pack = self._pack(start // PACKED_TOGETHER)
            for index in range(max(first, start), min(end, start + len(pack))):
                yield self._with_picture(index, pack[index - start])

    def __iter__(self) -> Iterator[AnyMessage]:
        """Go through all of them."""
        return self.between(0, len(self))

    def _pack(self, number: int) -> list[AnyMessage]:
        if number < len(self._packed):
            return _decoder.decode(zlib.decompress(self._packed[number]))
        start = PACKED_TOGETHER * (number - len(self._packed))
        return self._at_hand[start : start + PACKED_TOGETHER]

    def _with_picture(self, index: int, message: AnyMessage) -> AnyMessage:
        if self._newest_picture is None or self._newest_picture[0] != index or not isinstance(message, Recorded):
            return message
        return msgspec.structs.replace(message, picture=self._newest_picture[1])
