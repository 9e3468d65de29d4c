"""An arbiter's table as it is now, as far as an act may ask about it: the choices of its fields come from here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.views.table import TableShown

Shown = Mapping[str, Any]
"""An answer of the server, as it came."""


class TableNow(msgspec.Struct, frozen=True):
    """State of the table: half-moves made, set-up, desk, devices at the table and at its door, sound devices.

    `desk`: as `GET /api/desk` gives it; `stations`, `devices`, `waiting`: likewise.
    """

    plies: int = 0
    language: str = "en"
    table: TableShown | None = None
    desk: Shown = {}
    stations: tuple[Shown, ...] = ()
    devices: Shown = {}
    waiting: tuple[Shown, ...] = ()


SOURCES = {
    "waiting": ("/api/introductions?version=-1", "waiting"),
    "station": ("/api/stations?", "stations"),
    "display": ("/api/stations?", "stations"),
    "sound_device": ("/api/devices?", "devices"),
}
"""Sort of a field -> where its choices are asked for, and the part of `TableNow` that they become."""
OF_THE_DESK = ("squares", "cell", "cell_heard", "decision", "awaited")
"""Sorts of fields that are about the desk."""


def table_after(table: TableShown | None, event: ev.AnyEvent) -> TableShown | None:
    """Return the set-up after something was recorded."""
    if table is None:
        return None
    if isinstance(event, ev.AdaptationRecorded) and event.approved:
        named = (
            replace(one, value=event.value, recorded=True, question=False) if one.name == event.name else one
            for one in table.adaptations
        )
        return replace(table, adaptations=tuple(named))
    if isinstance(event, ev.ChecklistTicked):
        ticked = (
            replace(one, ok=event.ok, note=event.note) if (one.item, one.seat) == (event.item, event.seat) else one
            for one in table.checklist
        )
        return replace(table, checklist=tuple(ticked))
    return table


def in_language(text: Iterable[tuple[str, str]], language: str) -> str:
    """Return a text in a language, in English where it has none in it."""
    known = dict(text)
    return known.get(language) or known.get("en", "")


def named_stations(now: TableNow, words: Mapping[str, str]) -> dict[str, Shown]:
    """Return name -> device at the table; of several alike each has a number, in the order in which they came."""
    return {_name_among(one, now.stations, words): one for one in now.stations}


def _name_among(one: Shown, among: Iterable[Shown], words: Mapping[str, str]) -> str:
    alike = [other for other in among if (other["role"], other["seat"]) == (one["role"], one["seat"])]
    number = f" {alike.index(one) + 1}" if len(alike) > 1 else ""
    seat = f", {words[one['seat']]}" if one["seat"] else ""
    return f"{words['title.' + one['role']]}{seat}{number}"


def named_waiting(now: TableNow, words: Mapping[str, str]) -> dict[str, Shown]:
    """Return name -> device that waits at the door, each with the square by which the arbiter knows it."""
    return {f"{one['mark']}: {_name_among(one, (), words)}": one for one in now.waiting}
