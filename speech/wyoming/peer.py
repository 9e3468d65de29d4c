"""The client's end of a line to a speech server.

This end connects, proves the key where there is one, and asks what the server is.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import Annotated, Any

import msgspec

from speech.complaint import Complaint, Phrase
from speech.wyoming.address import Address, local_address
from speech.wyoming.key import client_context, is_challenge, new_challenge, proof, proves
from speech.wyoming.wire import LONGEST_LINE, WyomingEvent, encode_event, read_event

OURS = "anna_eins"
"""The key of an event's data under which stands what Wyoming itself has no word for (docs/elsewhere.md)."""
PROOF = "anna-eins-proof"
"""The event with which a client proves that it has the key."""

_Text = Annotated[str, msgspec.Meta(max_length=200)]


class ServerInfo(msgspec.Struct, frozen=True):
    """Description that a server of ours gives of itself.

    `version`: of the program. `same`: a digest of its recognisers (`model_fingerprint`). `engines`: their
    names. `at_once`: how many utterances it can hear at the same time.
    """

    version: _Text = ""
    same: _Text = ""
    engines: Annotated[tuple[_Text, ...], msgspec.Meta(max_length=20)] = ()
    at_once: Annotated[int, msgspec.Meta(ge=1, le=256)] = 1


class Peer:
    """One open line; `about` is None for a server that is not ours, or was not asked."""

    def __init__(self, address: Address, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.address = address
        self.about: ServerInfo | None = None
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, address: Address, key: bytes | None = None, *, asks: bool = False) -> Peer:
        """Connect. `asks`: find out what the server is (with a key that is always done).

        Raises `Complaint` where the server is not of this network, cannot be reached, or has another key.
        """
        if address.tls and key is None:
            raise Complaint(Phrase("speech_server.key_needed", host=address.host))
        host = await local_address(address)
        context = client_context() if address.tls else None
        try:
            line = asyncio.open_connection(host, address.port, limit=LONGEST_LINE, ssl=context)
            reader, writer = await line
        except ssl.SSLError:
            raise Complaint(Phrase("speech_server.no_tls", host=address.host)) from None
        except OSError as wrong:
            raise Complaint(Phrase("speech_server.unreachable", host=address.host, why=wrong.strerror)) from None
        peer = cls(address, reader, writer)
        try:
            if address.tls or asks:
                await peer._meet(key if address.tls else None)
        except BaseException:
            peer.close()
            raise
        return peer

    async def _meet(self, key: bytes | None) -> None:
        challenge = new_challenge()
        await self.send(WyomingEvent("describe", {OURS: {"challenge": challenge}}))
        while (event := await self.read()).type != "info":
            if event.type == "error":
                raise Complaint(Phrase("speech_server.strange", host=self.address.host))
        ours = event.data.get(OURS)
        try:
            self.about = None if ours is None else msgspec.convert(ours, ServerInfo)
        except msgspec.ValidationError:
            raise Complaint(Phrase("speech_server.strange", host=self.address.host)) from None
        if key is None:
            return
        said = ours if isinstance(ours, dict) else {}
        other, certificate = said.get("challenge"), self._certificate()
        if not is_challenge(other) or not proves(said.get("proof"), key, "server", challenge, str(other), certificate):
            raise Complaint(Phrase("speech_server.other_key", host=self.address.host))
        own = proof(key, "client", challenge, str(other), certificate)
        await self.send(WyomingEvent(PROOF, {"proof": own}))

    def _certificate(self) -> bytes:
        line = self._writer.get_extra_info("ssl_object")
        return (line.getpeercert(binary_form=True) or b"") if isinstance(line, ssl.SSLObject) else b""

    async def send(self, event: WyomingEvent) -> None:
        """Send an event; waits where the server takes no more. Raises `Complaint` where it has gone."""
        try:
            self._writer.write(encode_event(event))
            await self._writer.drain()
        except OSError:
            raise Complaint(Phrase("speech_server.ended")) from None

    async def read(self) -> WyomingEvent:
        """Return the next event. Raises `Complaint` for anything else, and where the server has gone."""
        try:
            return await read_event(self._reader)
        except ssl.SSLError:
            raise Complaint(Phrase("speech_server.ended")) from None

    async def of_type(self, wanted: str) -> dict[str, Any]:
        """Return the data of the next event of this type. Raises `Complaint` at an error, and as `read`."""
        while (event := await self.read()).type != wanted:
            if event.type == "error":
                raise Complaint(Phrase("speech_server.could_not", host=self.address.host))
        return event.data

    def close(self) -> None:
        """Close the line."""
        self._writer.close()
