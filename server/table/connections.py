"""These are the connections of a table's stations: who is connected, and what is sent to them."""

from __future__ import annotations

import logging
from collections.abc import Callable

from server.protocol import Outgoing

Sink = Callable[[Outgoing], None]
_log = logging.getLogger(__name__)


class Attachment:
    """An attachment ties a station's line to its table.

    Closing it is all that happens when a connection drops.
    """

    def __init__(self, close: Callable[[], None]) -> None:
        self.close = close
        """Send nothing more to this connection."""


class Connections:
    """This keeps the connections of each station, the newest last."""

    def __init__(self, changed: Callable[[str], None]) -> None:
        """Tell `changed` of each station of which a connection came or went."""
        self._changed = changed
        self._sinks: dict[str, dict[Sink, None]] = {}

    def add(self, station_id: str, sink: Sink) -> Attachment:
        """Add one more connection of a station."""
        self._sinks.setdefault(station_id, {})[sink] = None
        self._changed(station_id)
        return Attachment(lambda: self._gone(station_id, sink))

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
                self._gone(station_id, sink)

    def _gone(self, station_id: str, sink: Sink) -> None:
        if sink in self._sinks.get(station_id, {}):
            del self._sinks[station_id][sink]
            self._changed(station_id)
