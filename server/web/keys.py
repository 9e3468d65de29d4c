"""The keys under which HTTP handlers find the shared parts of the server in the application.

A part of `web` itself has its key where its class is: `ACCESS`, `INTRODUCTIONS`, `CARDS`, `LINES`, `HEARTBEAT`, ...
"""

from __future__ import annotations

import msgspec
from aiohttp import web

from server.boards.boards import Boards
from server.hall.hall import Hall
from server.settings import Settings
from server.stations.enrolment import Enrolling


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


HALL = web.AppKey("HALL", Hall)
ENROLLING = web.AppKey("ENROLLING", Enrolling)
SETTINGS = web.AppKey("SETTINGS", Settings)
ADDRESSES = web.AppKey("ADDRESSES", Addresses)
BOARDS = web.AppKey("BOARDS", Boards)
