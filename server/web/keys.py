"""The HTTP handlers find the shared parts of the server in the application under these keys."""

from __future__ import annotations

import msgspec
from aiohttp import web

from server.boards.boards import Boards
from server.hall.hall import Hall
from server.settings import Settings
from server.stations.enrolment import Enrolling
from server.web.door.access import Access
from server.web.door.introductions import Introductions
from server.web.door.seat_cards import SeatCards
from server.web.sockets.backup import Copying
from server.web.sockets.heartbeat import Beating
from server.web.sockets.line import Lines
from server.web.sockets.pace import Paces


class Addresses(msgspec.Struct):
    """Addresses of the server, known once it listens."""

    local: str = ""
    hall: tuple[str, ...] = ()

    def for_devices(self, asked: str) -> str:
        """Return the address to give to another device, on the local network where there is one.

        `asked`: the address under which the arbiter's page was opened.
        """
        if self.hall and ("//localhost" in asked or "//127." in asked or "//[::1]" in asked):
            return self.hall[0]
        return asked


BEATING = web.AppKey("BEATING", Beating)
COPYING = web.AppKey("COPYING", Copying)
HALL = web.AppKey("HALL", Hall)
ENROLLING = web.AppKey("ENROLLING", Enrolling)
SETTINGS = web.AppKey("SETTINGS", Settings)
ADDRESSES = web.AppKey("ADDRESSES", Addresses)
ACCESS = web.AppKey("ACCESS", Access)
CARDS = web.AppKey("CARDS", SeatCards)
INTRODUCTIONS = web.AppKey("INTRODUCTIONS", Introductions)
BOARDS = web.AppKey("BOARDS", Boards)
LINES = web.AppKey("LINES", Lines)
PACES = web.AppKey("PACES", Paces)
