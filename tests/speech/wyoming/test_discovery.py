"""Ears that announce themselves are found by mDNS; what is found still has to prove the key."""

from __future__ import annotations

import importlib.util

import pytest

from speech.complaint import Complaint
from speech.wyoming import discovery
from speech.wyoming.address import Address

LOOPBACK = ("127.0.0.1",)


async def test_ears_that_announce_themselves_are_found() -> None:
    async with discovery.announced("anna-eins-test", LOOPBACK, 10_300):
        for seconds in (0.5, 2.0, 8.0):  # a busy machine answers late
            found = await discovery.discovered(seconds, LOOPBACK)
            if Address("127.0.0.1", 10_300, tls=True) in found:
                return
    raise AssertionError(f"found {found}")


async def test_without_the_extra_it_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Complaint, match="install zeroconf"):
        await discovery.discovered(0.0)
