"""The chain of a table's record: each event is hashed together with the link of the event before it.

The last link therefore stands for the whole record. A person who has it on paper, in a copy or in the report can prove
that no event was changed, added in between or taken away. The functions are pure: they take rows and return digests,
whichever database keeps them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from server.journal.entry import Entry, Outcome, Run, Witness
from server.journal.failure import JournalRefused

LENGTH = 32
"""Bytes of a link (SHA-256)."""

_encode = msgspec.msgpack.Encoder().encode


class Chain(msgspec.Struct, frozen=True):
    """State of one table's chain of links, as found in its record."""

    events: int
    """How many events there are."""
    last: str
    """The last link, 64 hex digits; '' where no event is there."""
    since: int
    """The first event that was given its link when it was written; later ones all were. 0: the record is without a
    chain, because an older program wrote all of it."""
    wrong: str = ""
    """The fault found, as the end of a sentence ("event 12 was changed"); '' where the record is whole."""


def link(before: bytes, entry: Entry) -> bytes:
    """Return the link of an event, from the link of the event before it; b"" is before the first event."""
    return hashlib.sha256(before + _encode(msgspec.structs.astuple(entry))).digest()


def links(before: bytes, entries: Iterable[Entry]) -> list[bytes]:
    """Return the links of events that follow one another."""
    found = []
    for entry in entries:
        before = link(before, entry)
        found.append(before)
    return found


def last_link(entries: Iterable[Entry]) -> str:
    """Return the last link of a whole record, 64 hex digits, to be printed; '' where there is no event.

    Grouped in fours it fits two lines of a page.
    """
    found = b""
    for entry in entries:
        found = link(found, entry)
    return found.hex()


def digest(row: Outcome | Witness | Run) -> bytes:
    """Return the digest that is kept with a row that belongs to no chain."""
    return hashlib.sha256(_encode(msgspec.structs.astuple(row))).digest()


def outcome_in(row: Sequence[Any], place: str) -> Outcome:
    """Return the outcome in a row whose last column is its digest, None of an older program.

    `place`: where the row stands, for the complaint. Raises JournalRefused where it was changed.
    """
    outcome = Outcome(*row[:-1])
    if row[-1] not in (None, digest(outcome)):
        raise JournalRefused(f"The answer to command {outcome.command} was changed {place}.")
    return outcome


def chain_after(entries: Sequence[Entry], kept: Sequence[bytes | None]) -> Chain:
    """Return the state of one table's chain by its kept links; an older program kept None.

    The first link that was kept stands for all the events before it too.
    """
    before, since, wrong = b"", 0, ""
    for number, (entry, held) in enumerate(zip(entries, kept, strict=True), 1):
        if entry.seq != number:
            wrong = wrong or f"event {number} is missing"
        before = link(before, entry)
        if held is not None:
            since = since or number
            if held != before:
                wrong = wrong or f"event {number} {'was' if since < number else 'or one before it was'} changed"
        elif since:
            wrong = wrong or f"event {number} has no link"
    return Chain(len(entries), before.hex(), since, wrong)
