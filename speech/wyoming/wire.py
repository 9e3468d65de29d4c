"""The events between a Wyoming speech server and its clients, read and written.

An event is a line of JSON, more JSON, then bytes. The `wyoming` package reads whatever length the other side names;
here everything from the network is bounded, so this small part of the protocol (https://github.com/OHF-Voice/wyoming)
is read and written by hand.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec

from speech.complaint import Complaint

LONGEST_LINE = 64 * 1024
MOST_DATA = 1024 * 1024
MOST_PAYLOAD = 4 * 1024 * 1024


class WyomingEvent(msgspec.Struct, frozen=True):
    """One event: its type, what it says, and sound where it carries some."""

    type: str
    data: dict[str, Any] = {}
    payload: bytes = b""


class _Header(msgspec.Struct, frozen=True):
    type: str
    data: dict[str, Any] = {}
    data_length: int | None = None
    payload_length: int | None = None


def encode_event(event: WyomingEvent) -> bytes:
    """Return the event's bytes."""
    data = json.dumps(event.data, ensure_ascii=False).encode() if event.data else b""
    header: dict[str, Any] = {"type": event.type}
    if data:
        header["data_length"] = len(data)
    if event.payload:
        header["payload_length"] = len(event.payload)
    return json.dumps(header).encode() + b"\n" + data + event.payload


async def read_event(reader: asyncio.StreamReader, most_payload: int = MOST_PAYLOAD) -> WyomingEvent:
    """Return the next event, with a payload of at most so many bytes.

    Raises `Complaint` for anything else, and where the other side has gone.
    """
    try:
        line = await reader.readuntil(b"\n")
        header = msgspec.json.decode(line, type=_Header)
        more = await _bytes(reader, header.data_length, MOST_DATA)
        data = header.data | (msgspec.json.decode(more, type=dict[str, Any]) if more else {})
        return WyomingEvent(header.type, data, await _bytes(reader, header.payload_length, most_payload))
    except (asyncio.IncompleteReadError, ConnectionError):
        raise Complaint("The other machine ended the connection before it had answered.") from None
    except (asyncio.LimitOverrunError, msgspec.MsgspecError, UnicodeError, RecursionError):
        raise Complaint("What the other machine sends is not of the Wyoming protocol.") from None


async def _bytes(reader: asyncio.StreamReader, length: int | None, most: int) -> bytes:
    if not length:
        return b""
    if not 0 < length <= most:
        raise Complaint(f"The other machine names {length} bytes; {most} are taken.")
    return await reader.readexactly(length)
