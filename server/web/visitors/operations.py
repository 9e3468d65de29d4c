"""`/health` and `/metrics` say how the server is, to those who run it; nothing in them tells of a game.

`/health` answers anybody with four words. `/metrics` is text as Prometheus reads it, for this computer alone or for
whoever brings the token in the file that the settings name. No number among them grows with the moves of a game.
"""

from __future__ import annotations

import secrets
import shutil
from functools import partial
from pathlib import Path

import msgspec
import psutil
from aiohttp import web

from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.machine.version import program_version
from server.settings import Settings
from server.table.table import Observer
from server.web.keys import HALL, SETTINGS
from server.web.sockets.line import LINES
from speech.complaint import Complaint, Phrase

LEAST_TOKEN = 16
"""A shorter token could be guessed."""
HERE = frozenset({"127.0.0.1", "::1", "::ffff:127.0.0.1"})
PASSED_ON = ("Forwarded", "X-Forwarded-For", "Via")
"""A request with one of these comes through a proxy on this computer, and so from anywhere."""


class Health(msgspec.Struct, frozen=True):
    """The state of a server, for who watches over it.

    `ready`: games can be played and are recorded; `leading`: the tables of the hall are this server's, as far as the
    database of the record says; `record`: what happens is written; `ears`: a recogniser listens.
    """

    ready: bool
    leading: bool
    record: bool
    ears: bool


class Watched:
    """Note of each table of a hall whether its record fails."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._failing: set[str] = set()
        hall.on_table(self._look)

    def _look(self, table: LiveTable) -> None:
        table.observers.append(Observer("The health of the server", record=partial(self._note, table.id)))

    def _note(self, table: str, fails: bool) -> None:
        (self._failing.add if fails else self._failing.discard)(table)

    @property
    def health(self) -> Health:
        """Return how the server is now."""
        hall = self._hall
        leading = hall.leading is None or (hall.leading.held_from_ms is None and not hall.leading.lost.is_set())
        record = not self._failing & hall.tables.keys()
        return Health(leading and record and not hall.waiting, leading, record, hall.ears is not None)


WATCHED = web.AppKey("WATCHED", Watched)


def metrics_token(settings: Settings) -> str:
    """Return the token for `/metrics`; "" where none is named. Raises Complaint where the file holds none."""
    if not settings.metrics_token_file:
        return ""
    try:
        token = Path(settings.metrics_token_file).expanduser().read_text("ascii").strip()
    except (OSError, ValueError) as wrong:
        raise Complaint(Phrase("files.unread_plain", place=settings.metrics_token_file)) from wrong
    if len(token) < LEAST_TOKEN or not token.isprintable():
        raise Complaint(Phrase("metrics.no_token", file=settings.metrics_token_file, least=LEAST_TOKEN))
    return token


async def health(request: web.Request) -> web.Response:
    """Answer with the health; the status is 503 where the server is not ready."""
    found = request.app[WATCHED].health
    body = msgspec.json.encode(found)
    return web.Response(status=200 if found.ready else 503, body=body, content_type="application/json")


async def metrics(request: web.Request) -> web.Response:
    """Answer with the figures. It is as if nothing were there for others than this computer without the token."""
    token = metrics_token(request.app[SETTINGS])
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    here = request.remote in HERE and not any(name in request.headers for name in PASSED_ON)
    if not here and not (token and secrets.compare_digest(token.encode(), given.encode(errors="replace"))):
        raise web.HTTPNotFound()
    text = metrics_text(request.app[HALL], request.app[WATCHED].health, request.app[LINES].count)
    return web.Response(text=text, content_type="text/plain", charset="utf-8")


def metrics_text(hall: Hall, found: Health, lines: int) -> str:
    """Return the figures of a hall as Prometheus reads them."""
    process = psutil.Process()
    times, free = process.cpu_times(), shutil.disk_usage(hall.data.root).free
    said = [
        _gauge("info", "The version of the program.", {f'{{version="{program_version()}"}}': 1}),
        *(_gauge(name, about, {"": int(getattr(found, name))}) for name, about in ABOUT.items()),
        _gauge("voice", "Whether a voice speaks.", {"": int(hall.voice is not None)}),
        _gauge(
            "tables",
            "Tables that are open, not taken up yet after a start, and shut.",
            {
                '{state="open"}': len(hall.tables),
                '{state="waiting"}': len(hall.waiting),
                '{state="shut"}': len(hall.shut),
            },
        ),
        _gauge("lines", "Open lines of stations.", {"": lines}),
        _gauge("free_bytes", "Room on the disk of the data folder.", {"": free}),
        _gauge("resident_bytes", "Memory of the server without its engines.", {"": process.memory_info().rss}),
        _gauge("cpu_seconds_total", "Work of the server without its engines.", {"": times.user + times.system}),
        _gauge("start_time_seconds", "When the server was started.", {"": process.create_time()}),
    ]
    return "\n".join(said) + "\n"


ABOUT = {
    "ready": "Whether games can be played and are recorded.",
    "leading": "Whether the tables of the hall are this server's.",
    "record": "Whether what happens is written.",
    "ears": "Whether a recogniser listens.",
}


def _gauge(name: str, about: str, values: dict[str, float]) -> str:
    kind = "counter" if name.endswith("_total") else "gauge"
    lines = [f"# HELP anna_eins_{name} {about}", f"# TYPE anna_eins_{name} {kind}"]
    return "\n".join([*lines, *(f"anna_eins_{name}{labels} {value}" for labels, value in values.items())])
