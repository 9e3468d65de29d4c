"""An arbiter who is let in at one server of a hall is let in at the others, and sees their tables on one page.

The server that is asked asks the others in the arbiter's name: it shows them the arbiter's own tokens, which hold at
each of them, over https to exactly the certificate that all servers of the hall share. So it may do there what the
arbiter may, and no more. What comes back is taken for a stranger's: it is read as lines of tables, or not at all. A
browser goes to another server by a link that works once, for a minute, and gives it a token of its own there.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from typing import Annotated
from urllib.parse import urlsplit

import aiohttp
import msgspec
from aiohttp import web

from server.game.views.overview import TableLine
from server.hall.hall import Hall
from server.journal.admissions import Admission, new_token
from server.journal.failure import JournalFailed
from server.web.door.access import AccessDenied, new_secret
from server.web.door.answers import body_of, json_answer
from server.web.door.cookies import PREFIX, SECURE, arbiters_tokens
from server.web.keys import HALL
from speech.complaint import Phrase

PASSAGE_MS = 60_000
MOST_PASSAGES = 500
ASKED_S = 2.0
LARGEST = 2_000_000
_log = logging.getLogger(__name__)
Seats = dict[Annotated[str, msgspec.Meta(max_length=5)], bool | None]


class LineElsewhere(TableLine, frozen=True, kw_only=True):
    """Line of a table that another server leads, as that one shows it to the arbiter."""

    links: Seats
    waiting: int


class _Shown(msgspec.Struct):
    tables: tuple[LineElsewhere, ...]


class _Passage(msgspec.Struct):
    secret: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{16,64}\Z")]


class PassageRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Table to which an arbiter goes, at whatever server."""

    table: Annotated[str, msgspec.Meta(max_length=64)]


class Passages:
    """Links of this server that are still good, and the line to the other servers."""

    def __init__(self, hall: Hall, fingerprint: bytes | None = None) -> None:
        """`fingerprint`: of the certificate that all servers of the hall have; None: they are on this computer."""
        self._hall = hall
        self.fingerprint = fingerprint
        self._open: dict[bytes, tuple[str, str, int]] = {}  # hash of the secret: token, table, until when
        self._session: aiohttp.ClientSession | None = None

    def make(self, token: str, table: str) -> str:
        """Return the secret of a link for the arbiter who holds this token.

        Raises AccessDenied where too many are open.
        """
        now = self._hall.clock.mono_ms()
        self._open = {key: one for key, one in self._open.items() if one[2] > now}
        if len(self._open) >= MOST_PASSAGES:
            raise AccessDenied("too_many_codes", 429, Phrase("many_codes"))
        secret = new_secret()
        self._open[_hash(secret)] = (token, table, now + PASSAGE_MS)
        return secret

    async def take(self, secret: str) -> tuple[str, Admission] | None:
        """Return a new token for the same arbiter and the table to go to; None where the link does not hold.

        Raises JournalFailed.
        """
        token, table, until = kept = self._open.pop(_hash(secret), ("", "", 0))
        admissions = self._hall.admissions
        standing = sorted(admissions.admissions_of(token), key=lambda one: one.table)  # that of the hall comes first
        there = next((one for one in standing if one.table == table), None)
        if there is None or until <= self._hall.clock.mono_ms():
            return None
        fresh = new_token()
        try:
            await admissions.admit(fresh, standing[0])
            for one in standing[1:]:
                await admissions.extend(fresh, one.table)
        except JournalFailed:
            self._open[_hash(secret)] = kept  # nobody came in by it
            raise
        return fresh, there

    async def ask(self, address: str, path: str, tokens: list[str], body: dict[str, str] | None = None) -> bytes | None:
        """Ask another server in the name of an arbiter; None where it does not answer, or refuses."""
        secure = urlsplit(address).scheme == "https"
        if (self.fingerprint is None) == secure:  # no token goes over a line that anybody may read, or to a stranger
            return None
        if self._session is None:
            self._session = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar())
        names = (f"{SECURE if secure else ''}{PREFIX}passage-{number}" for number in range(len(tokens)))
        cookies = "; ".join(f"{name}={token}" for name, token in zip(names, tokens, strict=False))
        sure = aiohttp.Fingerprint(self.fingerprint) if self.fingerprint is not None else True
        try:
            async with (
                asyncio.timeout(ASKED_S),
                self._session.request(
                    "GET" if body is None else "POST",
                    address + path,
                    json=body,
                    headers={"Cookie": cookies},
                    ssl=sure,
                    allow_redirects=False,
                ) as answered,
            ):
                read = await answered.content.read(LARGEST + 1)
                while not answered.content.at_eof() and len(read) <= LARGEST:
                    read += await answered.content.read(LARGEST + 1)
                return read if answered.status < 300 and len(read) <= LARGEST else None
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as wrong:
            _log.warning("The server at %s did not answer (%s)", address, type(wrong).__name__)
            return None

    async def close(self) -> None:
        """Let go of the lines to other servers."""
        if self._session is not None:
            await self._session.close()


PASSAGES = web.AppKey("PASSAGES", Passages)


async def tables_elsewhere(request: web.Request) -> tuple[list[dict[str, object]], list[str]]:
    """Return the lines of this arbiter's tables that other servers lead, each with `at`, the address of its server.

    And the names of those whose server does not answer.
    """
    sharing, tokens = request.app[HALL].sharing, arbiters_tokens(request)
    if sharing is None or not sharing.elsewhere:
        return [], []
    own = {one.table for _, one in tokens if one.role == "arbiter"} & sharing.elsewhere.keys()
    addresses = {led.addresses[0]: led.server for id, led in sharing.elsewhere.items() if id in own and led.addresses}
    shown = list({token for token, _ in tokens})
    asked = [request.app[PASSAGES].ask(address, "/api/overview?alone=1", shown) for address in addresses]
    found: list[dict[str, object]] = []
    for address, read in zip(addresses, await asyncio.gather(*asked), strict=True):
        try:
            lines = msgspec.json.decode(read, type=_Shown).tables if read is not None else ()
        except (msgspec.MsgspecError, UnicodeError):
            _log.warning("The server at %s answered with what are no lines of tables", address)
            continue
        theirs = {id for id in own if sharing.elsewhere[id].server == addresses[address]}
        found += [{**msgspec.to_builtins(line), "at": address} for line in lines if line.table in theirs]
    return found, sorted(own - {str(line["table"]) for line in found})


async def passage(request: web.Request) -> web.Response:
    """POST /api/passage: make a link by which this arbiter comes here from another server. Raises AccessDenied."""
    asked = await body_of(request, PassageRequest)
    token = next((token for token, one in arbiters_tokens(request) if one.table == asked.table), None)
    if token is None or asked.table not in request.app[HALL].tables:
        raise AccessDenied("not_the_arbiter", 403, Phrase("only_arbiter"))
    return json_answer({"secret": request.app[PASSAGES].make(token, asked.table)}, status=201)


async def elsewhere(request: web.Request) -> web.Response:
    """POST /api/elsewhere: say where the arbiter goes to a table that another server leads.

    Raises AccessDenied: this browser is not its arbiter's, or its server does not answer.
    """
    asked = await body_of(request, PassageRequest)
    tokens = [token for token, one in arbiters_tokens(request) if one.table == asked.table]
    if not tokens:
        raise AccessDenied("not_the_arbiter", 403, Phrase("only_arbiter"))
    sharing = request.app[HALL].sharing
    led = sharing.elsewhere.get(asked.table) if sharing is not None else None
    if led is None or not led.addresses:
        return json_answer({"page": f"/arbiter?table={asked.table}"})
    body = {"table": asked.table}
    for address in led.addresses:
        read = await request.app[PASSAGES].ask(address, "/api/passage", tokens, body)
        try:
            if read is not None:
                secret = msgspec.json.decode(read, type=_Passage).secret
                return json_answer({"page": f"{address}/#join={secret}"})
        except (msgspec.MsgspecError, UnicodeError):
            continue
    raise AccessDenied("no_answer", 503, Phrase("try_again"))


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
