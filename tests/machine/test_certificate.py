"""The certificate: made once, private, trusted by its fingerprint over a real handshake; and the QR code."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from server.exports.qr import qr_text
from server.machine.certificate import Certificate, ensure_certificate, local_addresses, server_context
from speech.complaint import Complaint

NOW = datetime.now(UTC)


def test_it_is_made_once_and_its_key_is_private(tmp_path: Path) -> None:
    first = ensure_certificate(tmp_path, ["192.0.2.7"], NOW)
    assert stat.S_IMODE(first.key.stat().st_mode) == 0o600
    assert {"localhost", "127.0.0.1", "::1", "192.0.2.7"} <= set(first.names)
    pem = first.certificate.read_text()
    der = ssl.PEM_cert_to_DER_cert(pem)
    assert first.fingerprint.replace(":", "").lower() == hashlib.sha256(der).hexdigest()
    assert len(first.fingerprint) == 95
    assert ensure_certificate(tmp_path, ["192.0.2.7"], NOW + timedelta(days=30)) == first
    assert ensure_certificate(tmp_path, [], NOW) == first, "an address that is gone is no reason for a new one"
    assert {file.name for file in tmp_path.iterdir()} == {"certificate.pem", "key.pem"}


def test_it_is_made_anew_when_it_ends_soon_or_lacks_an_address_with_the_same_key(tmp_path: Path) -> None:
    first = ensure_certificate(tmp_path, ["192.0.2.7"], NOW)
    key = first.key.read_bytes()
    moved = ensure_certificate(tmp_path, ["192.0.2.8"], NOW)
    assert moved.fingerprint != first.fingerprint
    assert "192.0.2.8" in moved.names
    renewed = ensure_certificate(tmp_path, ["192.0.2.8"], NOW + timedelta(days=810))
    assert renewed.fingerprint != moved.fingerprint
    assert renewed.key.read_bytes() == key


def test_the_certificate_of_a_hall_is_kept_at_every_laptop_while_it_is_valid(tmp_path: Path) -> None:
    """The servers of a hall know each other by it: a laptop with other addresses, or its end near, makes no new one."""
    hall = ("192.0.2.1", "192.0.2.2")
    first = ensure_certificate(tmp_path, ["192.0.2.1"], NOW, hall)
    assert ensure_certificate(tmp_path, ["192.0.2.2", "198.51.100.7"], NOW + timedelta(days=815), hall) == first
    grown = ensure_certificate(tmp_path, ["192.0.2.1"], NOW, (*hall, "hall.example.org"))
    assert grown.fingerprint != first.fingerprint and {*hall, "hall.example.org"} <= set(grown.names)
    assert ensure_certificate(tmp_path, [], NOW + timedelta(days=821), hall).fingerprint != grown.fingerprint


def test_a_key_that_was_open_is_closed_again_and_a_lost_key_is_replaced(tmp_path: Path) -> None:
    first = ensure_certificate(tmp_path, [], NOW)
    first.key.chmod(0o644)
    ensure_certificate(tmp_path, [], NOW)
    assert stat.S_IMODE(first.key.stat().st_mode) == 0o600
    first.key.unlink()
    second = ensure_certificate(tmp_path, [], NOW)
    assert second.fingerprint != first.fingerprint
    ciphers = [one["name"] for one in server_context(second).get_ciphers()]
    assert ciphers and all("GCM" in one or "POLY1305" in one for one in ciphers)


@pytest.mark.parametrize("name", ["certificate.pem", "key.pem"])
def test_damaged_files_are_told_in_one_sentence(tmp_path: Path, name: str) -> None:
    ensure_certificate(tmp_path, [], NOW)
    (tmp_path / name).write_text("-----BEGIN NOTHING-----\n")
    with pytest.raises(Complaint) as told:
        ensure_certificate(tmp_path, [], NOW)
    assert "\n" not in str(told.value)


async def _fingerprint_seen(certificate: Certificate, name: str) -> str:
    """Shake hands over a real connection, trusting this one certificate and checking the name."""
    trust = ssl.create_default_context(cafile=str(certificate.certificate))
    trust.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0, ssl=server_context(certificate))
    try:
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trust, server_hostname=name)
        assert await reader.read() == b"hello"
        seen = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        writer.close()
        return hashlib.sha256(seen).hexdigest()
    finally:
        server.close()


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "192.0.2.7"])
async def test_a_client_that_trusts_it_is_served_under_each_name(tmp_path: Path, name: str) -> None:
    certificate = ensure_certificate(tmp_path, ["192.0.2.7"], NOW)
    assert await _fingerprint_seen(certificate, name) == certificate.fingerprint.replace(":", "").lower()


async def test_a_name_it_does_not_hold_is_refused_by_the_client(tmp_path: Path) -> None:
    certificate = ensure_certificate(tmp_path, [], NOW)
    with pytest.raises(ssl.SSLCertVerificationError):
        await _fingerprint_seen(certificate, "192.0.2.99")


def test_local_addresses_are_addresses_and_none_is_loopback() -> None:
    for address in local_addresses():
        assert not ipaddress.ip_address(address).is_loopback


def read_back(text: str) -> list[str]:
    """The modules of a drawn code, two rows a line: '#' dark, ' ' light (the quiet zone included)."""
    rows = []
    for line in text.splitlines():
        rows.append("".join("#" if mark in " ▄" else " " for mark in line))
        rows.append("".join("#" if mark in " ▀" else " " for mark in line))
    return rows


def test_the_qr_code_is_drawn_whole() -> None:
    rows = read_back(qr_text("https://192.0.2.7:8443/join#s3cret"))
    finder = ["#######", "#     #", "# ### #", "# ### #", "# ### #", "#     #", "#######"]
    assert [row[4:11] for row in rows[4:11]] == finder
    width = len(rows[0])
    assert [row[width - 11 : width - 4] for row in rows[4:11]] == finder
    assert all(not row[:4].strip() and not row[-4:].strip() for row in rows[: width - 1]), "a quiet zone of four"
    assert qr_text("https://192.0.2.7:8443/join#other") != qr_text("https://192.0.2.7:8443/join#s3cret")


def test_what_does_not_fit_a_qr_code() -> None:
    with pytest.raises(ValueError, match="too long"):
        qr_text("x" * 5_000)
    with pytest.raises(ValueError, match="nothing"):
        qr_text("")
