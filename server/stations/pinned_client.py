"""A client trusts a server's own certificate by the fingerprint that the server's terminal prints."""

from __future__ import annotations

import asyncio
import hashlib
import re
import ssl
from urllib.parse import urlsplit

import aiohttp

from speech.complaint import Complaint, Phrase

HTTPS_PORT = 443
ASKING_S = 10.0


def fingerprint_in(text: str) -> bytes:
    """Return a SHA-256 fingerprint given in any usual spelling. Raises Complaint for anything else.

    >>> fingerprint_in("AB:" * 31 + "cd").hex()[:4]
    'abab'
    """
    digits = re.sub(r"[\s:-]", "", text)
    if not re.fullmatch(r"[0-9A-Fa-f]{64}", digits):
        raise Complaint(Phrase("station.fingerprint"))
    return bytes.fromhex(digits)


def spell_fingerprint(fingerprint: bytes) -> str:
    """Return a fingerprint as the server prints it: pairs of hex digits in capitals, with colons."""
    return fingerprint.hex(":").upper()


async def fingerprint_of(origin: str) -> bytes:
    """Return the fingerprint of the certificate that is shown there now.

    It proves nothing until a person has compared it. Raises Complaint where no https server answers.
    """
    parts = urlsplit(origin)
    try:
        async with asyncio.timeout(ASKING_S):
            pem = await asyncio.to_thread(ssl.get_server_certificate, (str(parts.hostname), parts.port or HTTPS_PORT))
    except (OSError, TimeoutError, ValueError) as wrong:
        raise Complaint(Phrase("station.no_https", address=origin)) from wrong
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).digest()


def pinned_session(fingerprint: bytes | None) -> aiohttp.ClientSession:
    """Return a client with its own cookies.

    With a fingerprint it speaks only to the server that has that certificate.
    """
    connector = aiohttp.TCPConnector(ssl=aiohttp.Fingerprint(fingerprint)) if fingerprint is not None else None
    return aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True), connector=connector)
