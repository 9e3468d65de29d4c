"""The other servers of one hall stand at the door: their pages may ask here, and stations learn all addresses.

A page that came from one server connects to another one when its own is gone, or when another one leads its table. The
browser keeps the cookie of the first from the second, so the page shows a key, which is a token of its own for the same
station at the same table. Pages of exactly the servers of this hall are let in so, and their cookies count for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aiohttp import web

from server.hall.hall import Hall
from server.journal.admissions import Admission, new_token
from server.protocol import Servers

SPOKEN = "anna-eins"
"""The name of what is spoken over a line; a page that shows a key names it first, and then the key."""
_KEY = re.compile(r"[0-9a-f]{32}")


class OtherServers:
    """Servers of a hall as browsers see them; without a common record there is none but this one."""

    def __init__(self, hall: Hall, named: Sequence[str]) -> None:
        """`named`: addresses of all servers as the settings name them, such as `https://10.0.0.2:8443`."""
        self._hall = hall
        self._named = tuple(one.rstrip("/") for one in named) if hall.leading is not None else ()
        self._keys: dict[tuple[str, str], str] = {}

    def addresses(self) -> tuple[str, ...]:
        """Return the addresses of all servers that this hall has, or had today."""
        sharing = self._hall.sharing
        return tuple(dict.fromkeys((*self._named, *(sharing.known_addresses if sharing is not None else ()))))

    def is_origin(self, origin: str) -> bool:
        """Say whether a page of this origin is one of a server of this hall."""
        return origin.lower() in {one.lower() for one in self.addresses()}

    def policy(self) -> str:
        """Return the addition to the policy of a page: to which other servers it may connect; "" for none."""
        found = self.addresses()
        lines = [re.sub("^http", "ws", one) for one in found]
        return f"; connect-src 'self' {' '.join((*found, *lines))}" if found else ""

    def leader_of(self, table: str) -> tuple[str, bool]:
        """Return the first address of the server that leads a table elsewhere, and whether it is alive; "" for none."""
        led = self._hall.sharing.elsewhere.get(table) if self._hall.sharing is not None else None
        return (led.addresses[0], led.alive) if led is not None and led.addresses else ("", False)

    async def message_for(self, admission: Admission, led: str = "") -> Servers | None:
        """Return the message on the servers for a station; None without others. Raises JournalFailed."""
        addresses = self.addresses()
        if not addresses:
            return None
        place, admissions = (admission.table, admission.station), self._hall.admissions
        key = self._keys.get(place, "")
        if admissions.admission_of(key) is None:
            key = self._keys[place] = new_token()
            await admissions.admit(key, admission)
        return Servers(addresses, key, led)


OTHER_SERVERS = web.AppKey("OTHER_SERVERS", OtherServers)


def comes_from_another(request: web.Request) -> bool:
    """Say whether a page of another server of this hall asks."""
    others, origin = request.app.get(OTHER_SERVERS), request.headers.get("Origin", "")
    own = f"{request.scheme}://{request.host}".lower()
    return others is not None and bool(origin) and origin.lower() != own and others.is_origin(origin)


def page_key_of(request: web.Request) -> str:
    """Return the key that a page of another server shows; "" where it shows none."""
    if not comes_from_another(request):
        return ""
    way, _, shown = request.headers.get("Authorization", "").partition(" ")
    if way.lower() != "bearer":
        name, _, shown = request.headers.get("Sec-WebSocket-Protocol", "").partition(",")
        if name.strip() != SPOKEN:
            return ""
    shown = shown.strip()
    return shown if _KEY.fullmatch(shown) else ""


def answer_another(request: web.Request) -> web.Response | None:
    """Answer a browser that asks whether a page of another server may ask; None where that is not what it asks."""
    if request.method != "OPTIONS" or not comes_from_another(request):
        return None
    return web.Response(
        status=204,
        headers={
            "Access-Control-Allow-Methods": "GET, POST",
            "Access-Control-Allow-Headers": "Authorization, Content-Type",
            "Access-Control-Max-Age": "600",
        },
    )
