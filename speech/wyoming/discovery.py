"""Finding ears of ours in the local network by mDNS, and announcing them there.

Needs `zeroconf`, an extra of the program (`anna-eins[wyoming]`). What is found is trusted no
more than any address: it still has to prove the key.
"""

from __future__ import annotations

import asyncio
import importlib.util
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from speech.complaint import Complaint, Phrase
from speech.wyoming.address import Address

MDNS = "mdns"
"""The name in place of an address for all that announce themselves."""
KIND = "_wyoming._tcp.local."
LOOKING_S = 2.0
MOST_FOUND = 64
_MARK = {b"anna-eins": b"ears"}


def check_installed(command: str) -> None:
    """Raise `Complaint` where zeroconf is missing. `command`: it adds the package to this installation."""
    if importlib.util.find_spec("zeroconf") is None:
        raise Complaint(Phrase("speech_server.no_zeroconf", command=command))


@asynccontextmanager
async def announce_ears(name: str, addresses: Sequence[str], port: int) -> AsyncIterator[None]:
    """Announce the ears of this machine at these IP addresses while the block runs.

    zeroconf is there (`check_installed`). Raises `Complaint` where nothing can be announced.
    """
    from zeroconf import Error
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

    packed = [socket.inet_pton(socket.AF_INET6 if ":" in one else socket.AF_INET, one) for one in addresses]
    info = AsyncServiceInfo(KIND, f"{name}.{KIND}", addresses=packed, port=port, properties=_MARK)
    try:
        network = AsyncZeroconf(interfaces=list(addresses))
    except OSError as wrong:
        raise Complaint(Phrase("speech_server.not_announced", why=wrong.strerror)) from wrong
    try:
        await network.async_register_service(info, allow_name_change=True)
        yield
    except Error as wrong:
        raise Complaint(Phrase("speech_server.not_announced", why=type(wrong).__name__)) from wrong
    finally:
        await network.async_close()


async def discover_ears(looking_s: float = LOOKING_S, interfaces: Sequence[str] = ()) -> list[Address]:
    """Return where ears of ours are announced, looking for so long. `interfaces`: IP addresses; none for all.

    zeroconf is there (`check_installed`). Raises `Complaint` where the network cannot be looked at.
    """
    from zeroconf import InterfaceChoice, ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

    names: set[str] = set()

    def note_change(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is ServiceStateChange.Added and len(names) < MOST_FOUND:
            names.add(name)

    try:
        network = AsyncZeroconf(interfaces=list(interfaces) or InterfaceChoice.All)
    except OSError as wrong:
        raise Complaint(Phrase("speech_server.no_network", why=wrong.strerror)) from wrong
    found: list[Address] = []
    try:
        browser = AsyncServiceBrowser(network.zeroconf, KIND, handlers=[note_change])
        await asyncio.sleep(looking_s)
        await browser.async_cancel()
        for name in sorted(names):
            info = AsyncServiceInfo(KIND, name)
            told = await info.async_request(network.zeroconf, 1_000)
            if told and info.port and info.properties.get(b"anna-eins") == b"ears":
                found += [Address(host, info.port, tls=True) for host in info.parsed_addresses()[:1]]
    finally:
        await network.async_close()
    return found
