"""The pages and their files: read once from the package, served from memory with their hash as ETag."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec
from aiohttp import web

from server.web.pieces import pieces_svg

PAGES = ("tactile", "sighted", "assistant", "arbiter", "display", "observer")
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class File(msgspec.Struct, frozen=True):
    """One file as it is sent."""

    body: bytes
    type: str
    etag: str


def load_files() -> dict[str, File]:
    """Every address that answers with a file: "/", "/tactile", "/static/..."."""
    root = resources.files("server.web").joinpath("static")
    files: dict[str, File] = {}
    for path, content in _walk(root, ""):
        name = path.removeprefix("/")
        stem, dot, ending = name.rpartition(".")
        if dot + ending not in TYPES:
            continue
        file = _file(content, TYPES[dot + ending])
        if ending == "html":
            files["/" if stem == "index" else f"/{stem}"] = file
        else:
            files[f"/static/{name}"] = file
    files["/static/pieces.svg"] = _file(pieces_svg().encode(), TYPES[".svg"])
    return files


def routes(files: dict[str, File]) -> list[web.RouteDef]:
    """A route for every file."""
    return [web.get(path, _serving(file)) for path, file in files.items()]


def _serving(file: File) -> Callable[[web.Request], Awaitable[web.Response]]:
    kept = {"ETag": file.etag, "Cache-Control": "no-cache"}

    async def serve(request: web.Request) -> web.Response:
        if request.headers.get("If-None-Match") == file.etag:
            return web.Response(status=304, headers=kept)
        response = web.Response(body=file.body, headers={**kept, "Content-Type": file.type})
        response.enable_compression()
        return response

    return serve


def _file(content: bytes, type: str) -> File:
    return File(content, type, f'"{hashlib.sha256(content).hexdigest()[:20]}"')


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}/{entry.name}")
        else:
            yield f"{prefix}/{entry.name}", entry.read_bytes()
