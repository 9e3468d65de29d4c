"""A player's station that is installed on a telephone: its manifest, and the worker that opens it without a network.

The worker (`static/entry/worker.js`) keeps the files named here, which are the same for everyone, under the version of
all files together. Nothing that belongs to a person or a game is among them. The manifest names one seat's page in its
language; it says no more than its own address does, so it is for everyone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlencode

import msgspec
from aiohttp import web

from server.game.values.words import Seat
from server.web.pages import File
from server.wording.pages import page_words
from speech.words.catalogue import MEASURE
from speech.words.config_file import language_tags
from speech.words.loading import load_language

STATIONS = ("tactile", "sighted")
"""The pages of which a player may make a station of the telephone."""
FOLDERS = ("core", "player", "audio")
TABLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
WORKER = "/static/entry/worker.js"
ICONS = (
    ("/static/pages/icon.svg", "any", "image/svg+xml", "any"),
    ("/static/pages/icons/192.png", "192x192", "image/png", "any"),
    ("/static/pages/icons/512.png", "512x512", "image/png", "any"),
    ("/static/pages/icons/maskable.png", "512x512", "image/png", "maskable"),
)
POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'"
"""The worker runs no other script and speaks to no other server: it has a policy of its own, not that of its page."""


def version_of(files: Mapping[str, File]) -> str:
    """Return the name of this state of all files: another one where any of them differs."""
    whole = "\n".join(f"{path} {file.etag}" for path, file in sorted(files.items()))
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


def with_version(files: Mapping[str, File], version: str) -> dict[str, File]:
    """Return the files with the version in the stations' pages, so that an outdated page knows itself for one."""
    mark = f'<meta charset="utf-8">\n<meta name="version" content="{version}">\n'.encode()
    found = dict(files)
    for page in STATIONS:
        body = files[f"/{page}"].body.replace(b'<meta charset="utf-8">\n', mark, 1)
        found[f"/{page}"] = File(body, files[f"/{page}"].type, f'"{hashlib.sha256(body).hexdigest()[:20]}"')
    return found


def kept_files(files: Mapping[str, File]) -> list[str]:
    """Return the addresses that a station needs to open: its pages, their scripts, styles and drawings."""
    pages = [f"/{page}" for page in STATIONS]
    entries = [*(f"/static/entry/{page}.js" for page in STATIONS), "/static/entry/installed.js"]
    shared = [path for path in files if path.startswith(tuple(f"/static/{folder}/" for folder in FOLDERS))]
    styles = ["/static/pages/style.css", "/static/pages/station.css"]
    return [*pages, *entries, *sorted(shared), *styles, "/static/pages/icon.svg", "/static/pieces.svg"]


def worker_script(files: Mapping[str, File], version: str) -> bytes:
    """Return the worker as it is sent: what it keeps, then its script."""
    known = msgspec.json.encode({"version": version, "files": kept_files(files)})
    return b"self.station = " + known + b";\n" + files[WORKER].body


def manifest(page: str, table: str, seat: str, language: str) -> dict[str, object]:
    """Return the manifest of a seat's page, with the names in this language; English where there is none."""
    tag = language if language in language_tags() else MEASURE
    words = page_words(tag)
    place = {name: value for name, value in (("table", table), ("seat", seat)) if value}
    start = f"/{page}?{urlencode(place)}" if place else f"/{page}"
    who = str(words[seat]) if seat else "Anna Eins"
    title = str(words[f"title.{page}"])
    return {
        "id": start,
        "name": " – ".join([*([who] if seat else []), title, "Anna Eins"]),
        "short_name": who,
        "lang": tag,
        "dir": load_language(tag).direction,
        "start_url": start,
        "scope": "/",
        "display": "standalone",
        "background_color": "#faf7f1",
        "theme_color": "#0a5a60",
        "icons": [{"src": src, "sizes": sizes, "type": type, "purpose": use} for src, sizes, type, use in ICONS],
    }


async def station_manifest(request: web.Request) -> web.Response:
    """GET /station.webmanifest: send the manifest of the page and seat that the query names."""
    asked = request.query
    page, table, seat = asked.get("page", ""), asked.get("table", ""), asked.get("seat", "")
    if page not in STATIONS or (table and not TABLE.fullmatch(table)) or seat not in ("", *Seat):
        raise web.HTTPNotFound
    body = msgspec.json.encode(manifest(page, table, seat, asked.get("language", "")))
    return web.Response(body=body, content_type="application/manifest+json")


def _worker(body: bytes) -> Callable[[web.Request], Awaitable[web.Response]]:
    headers = {"Cache-Control": "no-cache", "Content-Type": "text/javascript; charset=utf-8"}

    async def serve(request: web.Request) -> web.Response:
        return web.Response(body=body, headers={**headers, "Content-Security-Policy": POLICY})

    return serve


def install_routes(files: Mapping[str, File], version: str) -> list[web.RouteDef]:
    """Return the routes of the worker and of the manifests."""
    script = worker_script(files, version)
    return [
        web.get("/service-worker.js", _worker(script)),
        web.get("/station.webmanifest", station_manifest),
    ]
