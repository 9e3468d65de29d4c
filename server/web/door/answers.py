"""JSON read from requests and written in answers, over plain HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import msgspec
from aiohttp import web

from server.protocol import UNREADABLE
from server.web.door.access import AccessDenied
from server.web.door.cookies import check_held, note_held
from server.web.door.entrance import reading
from speech.complaint import Phrase

Body = TypeVar("Body")
BODY_S = 10.0
LARGE_BODY_S = 60.0


@asynccontextmanager
async def read_guard(request: web.Request, large: bool = False) -> AsyncIterator[None]:
    """Wait for a body for so long at most; meanwhile the place of its connection may be given to another.

    Every body comes in here: nobody else reads one. Raises AccessDenied where it comes too slowly, and where its sender
    was sent away meanwhile: then nothing of it is carried out.
    """
    note_held(request)
    if request.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
        raise AccessDenied("not_so_asked", 415, Phrase("not_so_asked"))  # a few octets of it may become gigabytes
    try:
        with reading(request):
            async with asyncio.timeout(LARGE_BODY_S if large else BODY_S):
                yield
    except TimeoutError:
        raise AccessDenied("unreadable", 408, Phrase("request_unreadable", why="HTTP")) from None
    check_held(request)


async def body_of(request: web.Request, kind: type[Body]) -> Body:
    """Return the JSON body of a request, validated.

    Raises AccessDenied with one sentence, also where it comes too slowly.
    """
    if request.content_type != "application/json":
        raise AccessDenied("not_json", 415, Phrase("not_json"))
    async with read_guard(request):
        body = await request.read()
    try:
        return msgspec.json.decode(body, type=kind)
    except UNREADABLE as wrong:
        raise AccessDenied("unreadable", 400, Phrase("request_unreadable", why=wrong)) from wrong


async def large_body_of(request: web.Request, kind: type[Body], most: int) -> Body:
    """Return the JSON body of one of the few requests that may be long: at most `most` bytes.

    Raises AccessDenied as `body_of` does, and where it is longer.
    """
    if request.content_type != "application/json":
        raise AccessDenied("not_json", 415, Phrase("not_json"))
    read = bytearray()
    async with read_guard(request, large=True):
        async for piece in request.content.iter_chunked(64 * 1024):
            read += piece
            if len(read) > most:
                raise AccessDenied("too_long", 413, Phrase("too_long"))
    try:
        return msgspec.json.decode(bytes(read), type=kind)
    except UNREADABLE as wrong:
        raise AccessDenied("unreadable", 400, Phrase("request_unreadable", why=wrong)) from wrong


def json_answer(values: dict[str, Any], status: int = 200) -> web.Response:
    """Return a JSON answer."""
    return web.Response(status=status, body=msgspec.json.encode(values), content_type="application/json")
