"""The guard checks Host and Origin of every request and adds the headers of every answer.

This stops DNS rebinding and WebSockets from other sites.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Awaitable, Callable, Iterable
from html import escape

import msgspec
from aiohttp import web
from aiohttp.typedefs import Middleware

from server.journal.failure import JournalFailed
from server.machine.faults import record_fault
from server.web.door.access import AccessDenied
from server.web.door.servers import OTHER_SERVERS, answer_another, comes_from_another
from server.wording.complaints import translate_phrase
from server.wording.refusals import sentence as refused
from speech.complaint import Complaint, Phrase
from speech.words.catalogue import MEASURE
from speech.words.config_file import language_tags
from speech.words.loading import load_language

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
LARGEST_BODY = 16 * 1024

POLICY = "Content-Security-Policy"
HEADERS = {
    # Short, because it goes with every file: `default-src` covers scripts, styles, pictures and lines.
    # Each form is sent by script: before that is there the browser itself would, and lose `?table=` and what was typed.
    POLICY: "default-src 'self'; media-src 'self' blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "microphone=(self), camera=(), geolocation=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Server": "Anna Eins",
}
NO_DOCUMENTS = frozenset(["text/javascript", "text/css"])
FOR_ALL = frozenset(["X-Content-Type-Options", "Cross-Origin-Resource-Policy", "Server"])

log = logging.getLogger(__name__)


def host_name(host: str) -> str:
    """Return the name in a Host header, without the port, in lower case; IPv6 without brackets.

    >>> host_name("[::1]:8080"), host_name("LocalHost:80")
    ('::1', 'localhost')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.rpartition(":")[0].lower() if host.count(":") == 1 else host.lower()


def allowed_hosts(names: Iterable[str]) -> frozenset[str]:
    """Return the names this server may be called by: its own computer's and the given ones."""
    own = {"localhost", "127.0.0.1", "::1"}
    for name in names:
        try:
            if ipaddress.ip_address(name).is_unspecified:
                continue  # the address for "all interfaces" is not a name for a server
        except ValueError:
            pass
        own.add(name.lower())
    return frozenset(own)


def guard(hosts: frozenset[str]) -> Middleware:
    """Return the middleware that refuses foreign hosts and origins.

    It also turns every complaint and fault into one sentence.
    """

    @web.middleware
    async def guarding(request: web.Request, handler: Handler) -> web.StreamResponse:
        if host_name(request.headers.get("Host", "")) not in hosts:
            return _sentence_told(request, 421, "foreign_host", Phrase("foreign_host"))
        if not _own_origin(request):
            return _sentence_told(request, 403, "foreign_origin", Phrase("foreign_origin"))
        try:
            return answer_another(request) or await handler(request)
        except AccessDenied as turned:
            return _sentence_told(request, turned.status, turned.code, turned.told)
        except Complaint as wrong:
            return _sentence_told(request, 400, "complaint", wrong.told)
        except JournalFailed:
            return _sentence_told(request, 503, "not_recorded", Phrase("record_failed"))
        except web.HTTPException as wrong:
            if wrong.status < 400:
                raise
            return _sentence_told(request, wrong.status, "http", _REASONS.get(wrong.status, wrong.reason))
        except ConnectionError:
            raise
        except Exception as fault:
            log.error("%s", record_fault(fault))  # where the details are is for this machine's terminal alone
            return sentence_answer(500, "fault", refused("fault", "", language_of_reader(request)))

    return guarding


_REASONS = {
    404: Phrase("nothing_here"),
    405: Phrase("not_so_asked"),
    413: Phrase("too_long"),
}


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers to an answer; a browser may keep nothing but the pages' own files.

    Scripts and style sheets get only the headers that matter for them: the others matter for documents only and would
    be a third of a page's first load.
    """
    part_of_a_page = response.content_type in NO_DOCUMENTS
    for name, value in HEADERS.items():
        if not part_of_a_page or name in FOR_ALL:
            response.headers[name] = value
    response.headers.setdefault("Cache-Control", "no-store")
    others = request.app.get(OTHER_SERVERS)
    if others is not None and response.content_type == "text/html":
        response.headers[POLICY] += others.policy()
    if comes_from_another(request):
        response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
        response.headers["Vary"] = "Origin"


def sentence_answer(status: int, code: str, text: str) -> web.Response:
    """Return one sentence as JSON, with a code that the pages know in their own language."""
    body = msgspec.json.encode({"code": code, "text": text})
    return web.Response(status=status, body=body, content_type="application/json")


def _sentence_told(request: web.Request, status: int, code: str, told: str | Phrase) -> web.Response:
    """Return the sentence as JSON, or as a page where a person opened the address in a browser."""
    language = language_of_reader(request)
    text = translate_phrase(told, language)
    if "text/html" not in request.headers.get("Accept", ""):
        return sentence_answer(status, code, text)
    page = (
        f'<!doctype html><html lang="{language}" dir="{load_language(language).direction}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Anna Eins</title></head>'
        f'<body><main><h1>{escape(text)}</h1><p><a href="/">Anna Eins</a></p></main></body></html>'
    )
    return web.Response(status=status, text=page, content_type="text/html")


def language_of_reader(request: web.Request) -> str:
    """Return the language that the person reads.

    As chosen on a page (a cookie), else as their browser says, else English.
    """
    named = [request.cookies.get("language", "")]
    named += [
        part.partition(";")[0].strip()[:2].lower() for part in request.headers.get("Accept-Language", "").split(",")
    ]
    return next((tag for tag in named if tag in language_tags()), MEASURE)


def _own_origin(request: web.Request) -> bool:
    """Say whether a request that may change something comes from a page of this server, or of another of its hall.

    Programs that are not browsers send no Origin at all.
    """
    origin = request.headers.get("Origin")
    opens_socket = request.headers.get("Upgrade", "").lower() == "websocket"
    if origin is not None:
        return origin.lower() == f"{request.scheme}://{request.host}".lower() or comes_from_another(request)
    if request.method in ("GET", "HEAD") and not opens_socket:
        return True
    return request.headers.get("Sec-Fetch-Site", "none") in ("same-origin", "none")
