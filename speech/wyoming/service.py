"""The server's end of a line: it listens, asks for the key, and hands events to ears or a voice.

Nothing that comes in is trusted: lines, payloads, utterances, the number of lines and the time between two events are
bounded, and whatever is wrong gets one sentence in an `error` event before the line is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Protocol

import msgspec

from speech.complaint import Complaint, Phrase
from speech.process import ChildFailed
from speech.wyoming.address import Address, is_loopback
from speech.wyoming.key import is_challenge, new_challenge, proof, proves
from speech.wyoming.peer import OURS, PROOF, ServerInfo
from speech.wyoming.wire import LONGEST_LINE, WyomingEvent, encode_event, read_event

MOST_LINES = 64
"""Clients that may be connected at the same time."""
MOST_PAYLOAD = 64 * 1024
"""Bytes of one piece of sound: two seconds."""
QUIET_S = 15.0
"""A client that sends nothing for so long is let go."""
HANDSHAKE_S = 5.0
"""A client that begins no encryption for so long is let go; nothing counts it until then."""
LINGER_S = 1.0
"""Seconds that a client that was refused may take to read why."""
_log = logging.getLogger(__name__)

Send = Callable[[WyomingEvent], Awaitable[None]]


class Conversation(Protocol):
    """Requests of one client to the ears or to the voice, over one line."""

    async def take(self, event: WyomingEvent, send: Send) -> None:
        """Take an event and perhaps answer it. Raises `Complaint`, `ChildFailed`."""

    async def close(self) -> None:
        """Forget what was not finished, because the client has gone."""


class Secured(msgspec.Struct, frozen=True):
    """Secrets that make a service safe outside this machine: TLS, its certificate (DER), and the shared key."""

    context: ssl.SSLContext
    certificate: bytes
    key: bytes


class Service:
    """Service for clients; `begin` opens a conversation for each of them."""

    def __init__(
        self, begin: Callable[[], Conversation], info: dict[str, Any], about: ServerInfo, secured: Secured | None = None
    ) -> None:
        """`info`: what `describe` is answered with; `about`: what stands there for our own clients."""
        self._begin = begin
        self._info = info
        self._about = about
        self._secured = secured
        self._lines: set[asyncio.Task[None]] = set()
        self._unheard: dict[asyncio.Task[None], None] = {}  # lines that have said nothing yet, the oldest first

    @asynccontextmanager
    async def listening(self, address: Address) -> AsyncIterator[Address]:
        """Take clients while the block runs; gives the address with the port that it has.

        Raises `Complaint` where others could listen in, or the address cannot be had.
        """
        if self._secured is None and not is_loopback(address.host):
            raise Complaint(Phrase("speech_server.open", host=address.host))
        context = None if self._secured is None else self._secured.context
        shakes_s = None if context is None else HANDSHAKE_S
        try:
            server = await asyncio.start_server(
                *(self._meet, address.host, address.port),
                limit=LONGEST_LINE,
                ssl=context,
                backlog=MOST_LINES,
                ssl_handshake_timeout=shakes_s,
            )
        except OSError as wrong:
            raise Complaint(
                Phrase("speech_server.no_listen", address=f"{address.host}:{address.port}", why=wrong.strerror)
            ) from wrong
        try:
            yield Address(address.host, int(server.sockets[0].getsockname()[1]), self._secured is not None)
        finally:
            server.close()
            for line in tuple(self._lines):
                line.cancel()
            await asyncio.gather(*self._lines, return_exceptions=True)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._lines.add(task)
        if len(self._lines) > MOST_LINES and self._unheard:  # the one that was silent longest makes room
            oldest = next(iter(self._unheard))
            del self._unheard[oldest]
            self._lines.discard(oldest)
            oldest.cancel()
        self._unheard[task] = None
        try:
            if len(self._lines) > MOST_LINES:
                await _tell_complaint(reader, writer, "Too many machines are connected; come back later.")
            else:
                await self._serve(reader, writer)
        except (OSError, asyncio.CancelledError):
            pass  # the client has gone, or the service ends
        finally:
            self._lines.discard(task)
            self._unheard.pop(task, None)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        conversation = self._begin()

        async def send(event: WyomingEvent) -> None:
            async with asyncio.timeout(QUIET_S):
                writer.write(encode_event(event))
                await writer.drain()

        try:
            known = self._secured is None
            challenges = "", ""
            while True:
                async with asyncio.timeout(QUIET_S):
                    event = await read_event(reader, MOST_PAYLOAD)
                if known:  # until then anybody may say something
                    self._hear()
                if event.type == "describe":
                    challenges = await self._describe(event, send)
                elif event.type == "ping":
                    await send(WyomingEvent("pong", event.data))
                elif known:
                    await conversation.take(event, send)
                elif event.type == PROOF and self._proven(event, *challenges):
                    known = True
                    self._hear()
                else:
                    raise Complaint("This machine answers only who proves that they have its key.")
        except TimeoutError:
            await _tell_complaint(reader, writer, "Nothing came for too long.")
        except (Complaint, ChildFailed) as wrong:
            await _tell_complaint(reader, writer, str(wrong))
        except Exception:
            _log.exception("A client of the speech service could not be answered")
            await _tell_complaint(reader, writer, "This machine has a fault; see its log.")
        finally:
            await conversation.close()

    def _hear(self) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._unheard.pop(task, None)

    async def _describe(self, event: WyomingEvent, send: Send) -> tuple[str, str]:
        """Answer `describe`, with a proof of the key where the client sent a challenge; return both challenges."""
        asked = event.data.get(OURS)
        theirs = asked.get("challenge") if isinstance(asked, dict) else None
        ours = msgspec.to_builtins(self._about)
        own = ""
        if self._secured is not None and is_challenge(theirs):
            own = new_challenge()
            ours |= {
                "challenge": own,
                "proof": proof(self._secured.key, "server", str(theirs), own, self._secured.certificate),
            }
        await send(WyomingEvent("info", {**self._info, OURS: ours}))
        return (str(theirs), own) if own else ("", "")

    def _proven(self, event: WyomingEvent, theirs: str, own: str) -> bool:
        secured = self._secured
        return (
            secured is not None
            and own != ""
            and proves(event.data.get("proof"), secured.key, "client", theirs, own, secured.certificate)
        )


async def _tell_complaint(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, sentence: str) -> None:
    """Send the one sentence that says what is wrong, to a client that may be gone.

    What the client still sends is read and dropped, for a line that is closed over it may lose the sentence.
    """
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(LINGER_S):
            writer.write(encode_event(WyomingEvent("error", {"text": sentence})))
            await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()
            while await reader.read(LONGEST_LINE):
                pass
