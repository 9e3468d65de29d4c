"""Each seat's printed card has a code and a link of its own; a device that comes with it waits for the arbiter.

A code on a card holds for ten minutes from the moment the card is made, as any code does. It does not lapse after that:
it rests, and nobody gets in with it, until the arbiter lets the cards hold again for ten minutes. Cards that were
printed the evening before can so be used in the morning, also by a server that was stopped over night, and nothing is
weaker than with other codes: a code is good once, holds only in ten minutes that the arbiter has chosen, and admits
nobody. The cards that were not used are kept in the private data folder.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Container, Iterable
from pathlib import Path

import msgspec
from aiohttp import web

from server.game.values.words import Seat
from server.journal.damage.salvage import put_aside
from server.journal.sqlite.schema import write_private
from server.web.door.access import Access, AccessDenied, Invitation, Place, new_secret
from speech.complaint import Complaint, Phrase

_log = logging.getLogger(__name__)


class SeatCard(msgspec.Struct, frozen=True, kw_only=True):
    """Card that was not used yet: the seat's place, its code, and the secret of its link."""

    table: str
    seat: Seat
    page: str
    squares: tuple[str, str, str]
    secret: str

    @property
    def place(self) -> Place:
        """Return the place that the card leads to."""
        return Place(table=self.table, page=self.page, seat=self.seat)


class SeatCards:
    """Cards of all seats: on disk before a code is shown, and gone from there once it was used."""

    def __init__(self, file: Path, access: Access) -> None:
        """Take up the cards of an earlier run, whose codes rest.

        A damaged file is put aside, and nobody has a card any more (`damaged`). Raises Complaint where that fails.
        """
        self._file = file
        self._access = access
        self._lock = asyncio.Lock()
        self.damaged = ""
        try:
            found = msgspec.json.decode(file.read_bytes(), type=list[SeatCard]) if file.exists() else []
        except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError) as wrong:
            found = self._put_aside(wrong)
        self._cards = {(one.table, one.seat): one for one in found}
        self._reserve()

    def _put_aside(self, wrong: Exception) -> list[SeatCard]:
        try:
            self.damaged = put_aside(self._file)
        except OSError as failed:
            raise Complaint(Phrase("files.cards_unread", file=self._file)) from failed
        _log.error("The seat cards cannot be read (%s) and are kept as %s", wrong, self.damaged)
        return []

    def of(self, table: str, seat: Seat) -> SeatCard | None:
        """Return the card of a seat; None where there is none that was not used."""
        return self._cards.get((table, seat))

    def until_ms(self, card: SeatCard) -> int | None:
        """Return until when a card's code holds, in ms of this run; None where it rests."""
        return self._access.until_ms(card.secret)

    async def make(self, places: Iterable[Place], live: Container[str], *, anew: bool) -> None:
        """Make a card for each of these seats that has none, or with `anew` for all, and let the new codes hold.

        `live`: the tables that are played; cards of any others are thrown away. Raises AccessDenied: too many codes, or
        the cards cannot be written.
        """
        async with self._lock:
            seats = {(one.table, one.seat): one for one in places if one.seat is not None}
            missing = {key: one for key, one in seats.items() if anew or key not in self._cards}
            for card in [self._cards[key] for key in missing if key in self._cards]:
                self._access.withdraw(card.squares, card.secret)
            self._access.check_room(len(missing))
            kept = {key: one for key, one in self._cards.items() if key[0] in live and key not in missing}
            made = {}
            for (table, seat), place in missing.items():
                squares = self._access.fresh_squares()
                made[table, seat] = SeatCard(
                    table=table, seat=seat, page=place.page, squares=squares, secret=new_secret()
                )
                self._access.printed |= {squares}
            await self._change({**kept, **made})
            for card in made.values():
                self._access.hold(card.place, card.squares, card.secret)

    def hold(self, cards: Iterable[SeatCard]) -> None:
        """Let the codes of these cards hold for ten minutes from now on. Raises AccessDenied: too many codes."""
        cards = tuple(cards)
        for card in cards:
            self._access.withdraw(card.squares, card.secret)
        self._access.check_room(len(cards))
        for card in cards:
            self._access.hold(card.place, card.squares, card.secret)

    async def use(self, invitation: Invitation) -> None:
        """Use up the card that this invitation stands on, if any. Raises AccessDenied where that cannot be written."""
        async with self._lock:
            left = {key: one for key, one in self._cards.items() if one.secret != invitation.secret}
            if len(left) < len(self._cards):
                await self._change(left)

    async def _change(self, cards: dict[tuple[str, Seat], SeatCard]) -> None:
        """Replace the cards, on disk first; codes of cards that are gone hold no longer."""
        try:
            await asyncio.to_thread(write_private, self._file, msgspec.json.encode(list(cards.values())))
        except OSError as wrong:
            self._reserve()
            raise AccessDenied("not_recorded", 503, Phrase("record_failed")) from wrong
        for key, one in self._cards.items():
            if cards.get(key) != one:
                self._access.withdraw(one.squares, one.secret)
        self._cards = cards
        self._reserve()

    def _reserve(self) -> None:
        self._access.printed = frozenset(one.squares for one in self._cards.values())


CARDS = web.AppKey("CARDS", SeatCards)


def drop_cards(file: Path, table: str) -> None:
    """Take the cards of a table that is deleted out of the file; one that is damaged stays as it is. Raises OSError."""
    try:
        cards = msgspec.json.decode(file.read_bytes(), type=list[SeatCard])
    except (FileNotFoundError, msgspec.MsgspecError, UnicodeError, RecursionError):
        return
    if any(one.table == table for one in cards):
        write_private(file, msgspec.json.encode([one for one in cards if one.table != table]))
