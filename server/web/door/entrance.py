"""Connections come in here, and each has a place: so many in all, so many for one device, and some kept for the hall.

A connection that has said nothing costs a descriptor and little else: encryption and HTTP begin with its first byte,
a few connections at a time, device after device. A device that is not admitted has one of a few places. Where those are
taken, the connection that has been silent longest makes room, of the device that has most of them; so a newcomer
always comes in, and a crowd displaces only itself. A connection that answers with an
admission's cookie has a place among those kept for admitted devices. Of the event loop only what every loop has is
used: that of Windows waits for what was done, and knows no readers and writers.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import ssl
import sys
from asyncio import sslproto
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import msgspec
from aiohttp import web
from aiohttp.http_exceptions import LineTooLong

from server.game.values.saying import Saying, saying
from server.machine.tasks import Faults, lasting, passing
from server.web.door.access import network_of
from server.web.door.guards import HEADERS, Handler, sentence_answer
from server.web.door.turns import Turns
from server.wording.complaints import translate_phrase
from server.wording.refusals import sentence as refused
from speech.complaint import Complaint, Phrase
from speech.words.catalogue import MEASURE

SILENT_S = 10.0
"""A new connection that says nothing for so long is closed; so is one whose first head is not whole by then."""
HANDSHAKE_S = 5
IDLE_S = 20.0
"""Keep-alive timeout; browsers and our own programs reconnect."""
LINGER_S = 2.0
ACCEPTED_AT_ONCE = 8
ACCEPT_PAUSE_S = 0.002
LET_IN_PAUSE_S = 0.004
"""One connection in this time begins encryption and HTTP, where several wait."""
SHORT_AGAIN_S = 600.0
EACH = 64
STRANGERS = 400
ADMITTED = 512
MOST_DESCRIPTORS = 65_536
LEAST_DESCRIPTORS = 64
"""The record, the engines and the clock take about forty."""
KEPT_BACK = 256
"""Descriptors that are no connections: the record, engines, sounds, copies."""
BACKLOG = 1_024
NO_ROOM = frozenset(
    getattr(errno, name, 0) for name in ("EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "WSAEMFILE", "WSAENOBUFS")
)
"""Why a connection cannot be taken: no descriptor is left in the process or on the machine."""
READ_AT_ONCE = 4 * 1024
"""Octets read of one connection before the others have their turn; asyncio reads 256 KiB, thousands of acts."""

_log = logging.getLogger(__name__)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Places for connections.

    `each`: for one device that is not admitted (an address, or a network of IPv6); `strangers`: for all of these;
    `admitted`: for one browser that is admitted, also to many tables; `places`: for all connections.
    """

    each: int = EACH
    strangers: int = STRANGERS
    admitted: int = ADMITTED
    places: int = MOST_DESCRIPTORS

    @classmethod
    def of(cls, descriptors: int) -> Limits:
        """Return the limits of a process that may have so many descriptors open."""
        places = max(descriptors - KEPT_BACK, descriptors // 2)
        each = min(EACH, max(4, places // 8))
        return cls(each=each, strangers=min(STRANGERS, places // 3), admitted=min(ADMITTED, places // 2), places=places)


def raise_descriptors() -> int:
    """Let this process have as many descriptors open as the machine allows, and return how many.

    Raises Complaint where these are too few for the record and the engines alone.
    """
    descriptors = _raise_limit()
    if descriptors < LEAST_DESCRIPTORS:
        raise Complaint(Phrase("server.few_descriptors", number=descriptors, least=LEAST_DESCRIPTORS))
    return descriptors


def _raise_limit() -> int:
    if sys.platform != "win32":
        with suppress(ImportError):
            import resource

            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
            if soft != resource.RLIM_INFINITY and soft < wanted:
                with suppress(ValueError, OSError):
                    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
                    return wanted
            return wanted if soft == resource.RLIM_INFINITY else soft
    return MOST_DESCRIPTORS  # Windows sets no such limit to sockets


class Guest:
    """A guest is one connection, from its first moment to its last.

    `device`: whose it is, an address or an admission; `serving`: a request of it is being answered, so it stays.
    `turn`: done when it may begin to talk, None until its first byte is there; `coming`: all that it does before it
    talks.
    """

    def __init__(self, connection: socket.socket, device: str, context: ssl.SSLContext | None) -> None:
        self.connection: socket.socket | None = connection
        self.device = device
        self.context = context
        self.admitted = False
        self.serving = False
        self.gone = False
        self.timer: asyncio.TimerHandle | None = None
        self.turn: asyncio.Future[None] | None = None
        self.coming: asyncio.Task[None] | None = None
        self.transport: asyncio.BaseTransport | None = None


class Talk(web.RequestHandler):
    """A talk is the HTTP of one guest; what cannot be read gets one sentence, and the log gets nothing.

    `first`: what was read of it before it began to talk.
    """

    __slots__ = ("entrance", "first", "guest")

    def __init__(self, server: web.Server, entrance: Entrance, guest: Guest, first: bytes, **limits: Any) -> None:
        # Nothing is unpacked, not even to be thrown away: a few octets may become gigabytes (`door/answers.py`).
        super().__init__(server, loop=asyncio.get_running_loop(), auto_decompress=False, **limits)
        self.entrance = entrance
        self.guest = guest
        self.first = first

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, and read of this connection no more at once than of any other."""
        self.guest.transport = transport
        _read_little(transport)
        super().connection_made(transport)
        if self.first:
            self.data_received(self.first)
            self.first = b""

    def connection_lost(self, exc: BaseException | None) -> None:
        """Give the guest's place back, and hold nothing of the connection, which would then refer to itself."""
        self.entrance.leave(self.guest)
        super().connection_lost(exc)
        self._data_received_cb = None  # a WebSocket's, which aiohttp would keep
        if self.guest.transport is not None:
            _let_go(self.guest.transport)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Return one sentence, which names neither program nor version.

        Raises ConnectionError where an answer was begun, or nobody is there any more to read one.
        """
        if isinstance(exc, ConnectionError):
            raise exc
        if status >= 500 and exc is not None:
            self.entrance.faults.note(exc)
        if request.writer.output_size > 0:
            raise ConnectionError("An answer was begun already.")
        if status >= 500:
            answer = sentence_answer(status, "fault", refused("fault", "", MEASURE))
        else:
            told = Phrase("too_long") if isinstance(exc, LineTooLong) else Phrase("request_unreadable", why="HTTP")
            answer = sentence_answer(status, "http", translate_phrase(told, MEASURE))
        answer.headers.update(HEADERS)
        answer.force_close()
        return answer

    def log_exception(self, *args: Any, **more: Any) -> None:
        """Note a fault outside of all handlers; the same one is logged and told once."""
        fault = more.get("exc_info")
        self.entrance.faults.note(fault if isinstance(fault, BaseException) else RuntimeError(str(args[:1])))


class Encryption(sslproto.SSLProtocol):
    """Encryption of one connection, of which the first byte was read before; asyncio has no way in then."""

    def __init__(self, talk: Talk, context: ssl.SSLContext, made: asyncio.Future[None], first: bytes) -> None:
        """`made` is done when both sides have agreed, or have not."""
        loop = asyncio.get_running_loop()
        super().__init__(loop, talk, context, made, server_side=True, ssl_handshake_timeout=HANDSHAKE_S)
        self._first = first

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, with what was read before."""
        _read_little(transport)
        super().connection_made(transport)
        self.get_buffer(len(self._first))[: len(self._first)] = self._first
        self.buffer_updated(len(self._first))

    def connection_lost(self, exc: BaseException | None) -> None:
        """End, and hold nothing of the connection."""
        if self._transport is not None:
            _let_go(self._transport)
        super().connection_lost(exc)


class Entrance:
    """The entrance takes connections on its ports and gives each a place.

    `told`: tells all arbiters when places run short, or of a fault.
    """

    def __init__(self, server: web.Server, limits: Limits, told: Callable[[str | Saying], None]) -> None:
        self._server = server
        self._loop = asyncio.get_running_loop()
        self._limits = limits
        self._told = told
        self._short_since: float | None = None
        self.faults = Faults("The door", told)
        self._ports: dict[socket.socket, asyncio.Task[None]] = {}
        self._strangers: OrderedDict[str, OrderedDict[Guest, None]] = OrderedDict()
        self._admitted: OrderedDict[str, OrderedDict[Guest, None]] = OrderedDict()
        self.strangers = 0
        self.admitted = 0
        self.taken = 0
        """Connections taken since the start."""
        self._spoken: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._next: asyncio.TimerHandle | None = None
        self._turns_of_strangers = Turns(burst=100, a_second=200.0)
        self._turns_of_admitted = Turns(burst=300, a_second=500.0)

    # ports

    async def open(self, host: str, port: int, context: ssl.SSLContext | None = None) -> int:
        """Take connections at this address and return the port; 0 lets the machine choose one. Raises OSError."""
        if context is not None:
            sslproto.SSLProtocol.max_size = READ_AT_ONCE  # asyncio also keeps a buffer of this size for each connection
        found = await self._loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, _, _, _, address in dict.fromkeys(found):
            listener = socket.socket(family, socket.SOCK_STREAM)
            try:
                if sys.platform == "win32":  # SO_REUSEADDR would let another program take the same port there
                    listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
                else:
                    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                listener.bind((address[0], port, *address[2:]))
                listener.listen(BACKLOG)
                listener.setblocking(False)
            except OSError:
                listener.close()
                raise
            port = int(listener.getsockname()[1])
            self._ports[listener] = lasting("The door", partial(self._take_all, listener, context), self._told)
        return port

    async def close(self) -> None:
        """Take no more connections, and close those that have not begun to talk."""
        for listener, taking in self._ports.items():
            taking.cancel()
            await asyncio.gather(taking, return_exceptions=True)
            listener.close()
        self._ports.clear()
        if self._next is not None:
            self._next.cancel()
        ending = []
        for guest in self._all():
            if guest.coming is not None:
                ending.append(guest.coming)
            if guest.transport is None:
                self.put_off(guest)
        await asyncio.gather(*ending, return_exceptions=True)

    async def _take_all(self, listener: socket.socket, context: ssl.SSLContext | None) -> None:
        """Take the connections of a port, a few at a time, until cancelled."""
        while True:
            for _ in range(ACCEPTED_AT_ONCE):
                try:
                    connection, address = await self._loop.sock_accept(listener)
                except OSError as wrong:
                    if wrong.errno in NO_ROOM:
                        self._short()
                        one = self._stranger_to_go()
                        if one is not None:
                            self.put_off(one)
                    elif not _gone_again(wrong):
                        raise
                    break
                connection.setblocking(False)
                self.taken += 1
                self._welcome(connection, network_of(str(address[0])), context)
            await asyncio.sleep(ACCEPT_PAUSE_S)

    # places

    @property
    def talks(self) -> list[web.RequestHandler]:
        """Return the connections that have begun to talk HTTP."""
        return self._server.connections

    def _welcome(self, connection: socket.socket, device: str, context: ssl.SSLContext | None) -> None:
        if not self._has_room(device):
            connection.close()
            return
        guest = Guest(connection, device, context)
        self._strangers.setdefault(device, OrderedDict())[guest] = None
        self.strangers += 1
        guest.timer = self._loop.call_later(SILENT_S, self._too_silent, guest)
        guest.coming = passing("A connection", partial(self._come_in, guest, connection), self._told)
        guest.coming.add_done_callback(partial(self._came, guest))

    def _has_room(self, device: str) -> bool:
        """Make room for one more connection of a device that is not admitted; False where there is none."""
        while True:
            one: Guest | None
            own = self._strangers.get(device)
            if own is not None and len(own) >= self._limits.each:
                one = _first_to_go(own)
            elif self.strangers >= self._limits.strangers or self.strangers + self.admitted >= self._limits.places:
                one = self._stranger_to_go()
            else:
                return True
            self._short()
            if one is None:
                return False
            self.put_off(one)

    def _stranger_to_go(self) -> Guest | None:
        """Return the connection that makes room: of the device that is not admitted and has most of them."""
        if not self._strangers:
            return None
        return _first_to_go(max(self._strangers.values(), key=len))

    def _too_silent(self, guest: Guest) -> None:
        guest.timer = None
        if not guest.serving:
            self.put_off(guest)

    def _short(self) -> None:
        """Tell the arbiters that places run short: once, and again after a while."""
        now = self._loop.time()
        if self._short_since is None or now - self._short_since >= SHORT_AGAIN_S:
            self._short_since = now
            _log.warning("Places for connections run short; those that say nothing are closed.")
            self._told(saying("places_short"))

    def put_off(self, guest: Guest) -> None:
        """Close a connection at once, and give its place back."""
        if guest.gone:
            return
        if guest.transport is not None:
            guest.transport.abort()  # type: ignore[attr-defined]
        elif guest.coming is not None:
            guest.coming.cancel()
        self.leave(guest)

    def leave(self, guest: Guest) -> None:
        """Give back the place of a connection that is over."""
        if guest.gone:
            return
        guest.gone = True
        if guest.timer is not None:
            guest.timer.cancel()
        places = self._admitted if guest.admitted else self._strangers
        of_device = places[guest.device]
        del of_device[guest]
        if not of_device:
            del places[guest.device]
        if guest.admitted:
            self.admitted -= 1
        else:
            self.strangers -= 1

    def _all(self) -> list[Guest]:
        return [one for places in (self._strangers, self._admitted) for own in places.values() for one in own]

    # letting in

    async def _come_in(self, guest: Guest, connection: socket.socket) -> None:
        """Wait for the first byte of a connection, then for its turn, and begin to talk."""
        with suppress(OSError):  # no encryption that this server speaks, too slow, or gone
            first = await self._loop.sock_recv(connection, 1)
            if first:  # else it was closed without a word
                await self._turn(guest)
                await self._let_in(guest, connection, first)

    async def _turn(self, guest: Guest) -> None:
        """Wait until it is the turn of a connection that has spoken: the devices take turns."""
        guest.turn = self._loop.create_future()
        self._spoken.setdefault(guest.device, deque()).append(guest.turn)
        if self._next is None:
            self._let_next_in()
        await guest.turn

    def _let_next_in(self) -> None:
        """Let one connection begin to talk."""
        self._next = None
        while self._spoken:
            device, waiting = self._spoken.popitem(last=False)
            turn = waiting.popleft()
            if waiting:
                self._spoken[device] = waiting
            if not turn.done():  # it may have been put off
                turn.set_result(None)
                self._next = self._loop.call_later(LET_IN_PAUSE_S, self._let_next_in)
                return

    async def _let_in(self, guest: Guest, connection: socket.socket, first: bytes) -> None:
        said = first if guest.context is None else b""
        talk = Talk(self._server, self, guest, said, access_log=None, keepalive_timeout=IDLE_S, lingering_time=LINGER_S)
        if guest.context is None:
            await self._loop.connect_accepted_socket(lambda: talk, connection)
            return
        made: asyncio.Future[None] = self._loop.create_future()
        encryption = Encryption(talk, guest.context, made, first)
        transport, _ = await self._loop.connect_accepted_socket(lambda: encryption, connection)
        try:
            await made
        finally:
            if guest.transport is None:
                transport.abort()

    def _came(self, guest: Guest, _: asyncio.Task[None]) -> None:
        """Close a connection that was not let in, also where it was put off before that began."""
        connection, guest.connection, guest.coming = guest.connection, None, None
        if guest.transport is None and connection is not None:
            connection.close()
            self.leave(guest)

    # requests

    @contextmanager
    def serving(self, guest: Guest) -> Iterator[None]:
        """Keep the place of a connection while its request is answered."""
        guest.serving = True
        try:
            yield
        finally:
            guest.serving = False
            if not guest.gone:
                (self._admitted if guest.admitted else self._strangers)[guest.device].move_to_end(guest)

    async def turn(self, guest: Guest, admission: str) -> None:
        """Wait until it is the turn of this connection's device; `admission`: its token, "" where it has none.

        Raises ConnectionError where the connection was closed meanwhile.
        """
        if guest.timer is not None:
            guest.timer.cancel()
            guest.timer = None
        if admission and not guest.admitted:
            self._admit(guest, admission)
        await (self._turns_of_admitted if guest.admitted else self._turns_of_strangers).turn(guest.device)
        if guest.gone:
            raise ConnectionResetError("The connection is closed.")

    def _admit(self, guest: Guest, admission: str) -> None:
        """Move a connection to the places that are kept for admitted devices."""
        self.leave(guest)
        guest.gone = False
        guest.admitted, guest.device = True, admission
        while len(own := self._admitted.setdefault(admission, OrderedDict())) >= self._limits.admitted:
            self.put_off(_first_to_go(own))
        own[guest] = None
        self.admitted += 1


def _read_little(transport: asyncio.BaseTransport) -> None:
    """Read of this connection no more at once than of any other; each event loop keeps the figure elsewhere."""
    if hasattr(transport, "max_size"):
        transport.max_size = READ_AT_ONCE
    elif isinstance(getattr(transport, "_data", None), bytearray):  # of Windows
        transport._data = bytearray(READ_AT_ONCE)  # type: ignore[attr-defined]


def _let_go(transport: asyncio.BaseTransport) -> None:
    """Have a transport that is over not refer to itself, as asyncio leaves it."""
    if hasattr(transport, "_read_ready_cb"):
        transport._read_ready_cb = None


def _gone_again(wrong: OSError) -> bool:
    """Say whether a connection was over before it was taken; Windows tells that in ways of its own."""
    return isinstance(wrong, ConnectionError) or getattr(wrong, "winerror", 0) in (64, 995, 1236)


def _first_to_go(guests: OrderedDict[Guest, None]) -> Guest:
    """Return the connection of a device that has been silent longest; where all are answered, the oldest."""
    return next((one for one in guests if not one.serving), next(iter(guests)))


def turns_middleware(admission_of: Callable[[web.Request], str]) -> Any:
    """Return the middleware by which requests take turns; `admission_of` names the admission of a request, or ""."""

    @web.middleware
    async def waiting(request: web.Request, handler: Handler) -> web.StreamResponse:
        talk = request.protocol
        if not isinstance(talk, Talk):
            return await handler(request)
        await talk.entrance.turn(talk.guest, admission_of(request))
        with talk.entrance.serving(talk.guest):
            return await handler(request)

    return waiting


@contextmanager
def reading(request: web.Request) -> Iterator[None]:
    """Let a connection's place be given to another while its body is still coming."""
    talk = request.protocol
    if not isinstance(talk, Talk):
        yield
        return
    talk.guest.serving = False
    try:
        yield
    finally:
        talk.guest.serving = True
