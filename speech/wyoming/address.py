"""The address of a speech server: on this machine or in the local network, and nowhere else."""

from __future__ import annotations

import asyncio
import ipaddress
import socket

import msgspec

from speech.complaint import Complaint, Phrase


class Address(msgspec.Struct, frozen=True):
    """Address of a speech server.

    `parse` reads "HOST:PORT", "tcp://HOST:PORT", "tls://HOST:PORT", "[IPv6]:PORT". `tls`: the line is encrypted, and
    both ends prove that they have the organiser's key.
    """

    host: str
    port: int
    tls: bool = False

    @classmethod
    def parse(cls, text: str, *, lowest: int = 1) -> Address:
        """Read an address. `lowest`: 0 where the system may choose the port. Raises `Complaint` where it is none."""
        tls = text.startswith("tls://")
        host, colon, port = text.removeprefix("tls://").removeprefix("tcp://").rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if not colon or not host or not port.isdecimal() or not lowest <= int(port) < 65_536:
            raise Complaint(Phrase("speech_server.no_address", address=text, example="192.168.1.20:10200"))
        return cls(host, int(port), tls)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'tls' if self.tls else 'tcp'}://{host}:{self.port}"


async def local_address(address: Address) -> str:
    """Return the IP address to connect to.

    Raises `Complaint` where it is not of this machine or its local network.
    """
    try:
        found = await asyncio.get_running_loop().getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Complaint(Phrase("speech_server.unknown", host=address.host)) from None
    host = str(found[0][4][0])
    ip = ipaddress.ip_address(host.partition("%")[0])
    if not (ip.is_loopback or ip.is_link_local or (ip.is_private and not ip.is_unspecified)):
        raise Complaint(Phrase("speech_server.not_local", host=address.host))
    return host


def is_loopback(host: str) -> bool:
    """Return whether this is this machine alone, as "localhost", 127.0.0.1 or ::1."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False
