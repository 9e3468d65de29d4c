"""Ears that announce themselves are found by mDNS; what is found still has to prove the key."""

from __future__ import annotations

from speech.wyoming import discovery
from speech.wyoming.address import Address

LOOPBACK = ("127.0.0.1",)


async def test_ears_that_announce_themselves_are_found() -> None:
    async with discovery.announce_ears("anna-eins-test", LOOPBACK, 10_300):
        for seconds in (0.5, 2.0, 8.0):  # a busy machine answers late
            found = await discovery.discover_ears(seconds, LOOPBACK)
            if Address("127.0.0.1", 10_300, tls=True) in found:
                return
    raise AssertionError(f"found {found}")
