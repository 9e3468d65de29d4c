"""The server makes its own certificate, because browsers give a microphone only over https.

On the server's own computer plain http is enough; on the local network it is not.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import psutil
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from server.journal.sqlite.schema import write_private
from speech.complaint import Complaint, Phrase

VALID_DAYS = 820
"""Some browsers refuse a certificate that is valid for more than 825 days."""
RENEW_DAYS = 14
"""A certificate that ends sooner is replaced, so that it does not end during a tournament."""


class Certificate(msgspec.Struct, frozen=True):
    """Certificate and its key, on disk."""

    certificate: Path
    key: Path
    fingerprint: str
    """SHA-256 of the certificate, as browsers show it: pairs of hex digits in capitals, colons between."""
    names: tuple[str, ...]
    """The host names and addresses it is valid for."""


def ensure_certificate(
    folder: Path, addresses: Sequence[str], now: datetime, shared_by: Sequence[str] = ()
) -> Certificate:
    """Return the certificate in `folder`; make one where it is missing, ends soon or lacks an address.

    Args:
        folder: exists already (`DataFolder.tls`).
        addresses: the IP addresses of this machine, see `local_addresses`, and what else it must be valid for.
        now: with its time zone.
        shared_by: names or addresses of all servers of a hall, which have copies of `folder`. They know each other by
            exactly this certificate, so one that names them all is kept while it is valid, whatever this machine is
            called.

    Raises:
        Complaint: the files there are not a certificate with its key, or the folder cannot be written.
    """
    certificate_path, key_path = folder / "certificate.pem", folder / "key.pem"
    wanted = _names((*addresses, *shared_by))
    needed = tuple(str(_general_name(one).value) for one in shared_by) or wanted
    until = now if shared_by else now + timedelta(days=RENEW_DAYS)
    try:
        key = _key(key_path)
        certificate = _read(certificate_path) if certificate_path.exists() else None
        if certificate is None or not _serves(certificate, key, needed, now, until):
            certificate = _make(key, wanted, now)
            write_private(certificate_path, certificate.public_bytes(serialization.Encoding.PEM))
    except OSError as wrong:
        raise Complaint(Phrase("files.unread", place=folder, why=wrong.strerror)) from wrong
    except (ValueError, TypeError) as wrong:
        raise Complaint(Phrase("folder.no_certificate", folder=folder)) from wrong
    return Certificate(certificate_path, key_path, _fingerprint(certificate), _names_in(certificate))


def server_context(certificate: Certificate) -> ssl.SSLContext:
    """Return the context of an https server: TLS 1.2 or later, this certificate, only ciphers that authenticate."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("ECDHE+AESGCM:ECDHE+CHACHA20")  # for TLS 1.2; those of 1.3 all do
    context.load_cert_chain(certificate.certificate, certificate.key)
    return context


def local_addresses() -> tuple[str, ...]:
    """Return the addresses at which other machines of the hall can reach this one.

    Loopback is left out; nothing is sent.
    """
    found: dict[str, None] = {}
    for address in (*_addresses_of_interfaces(), *_addresses_of_routes()):
        parsed = ipaddress.ip_address(address)
        # A link-local IPv6 address needs the name of an interface, which no certificate and no link can hold.
        if not (parsed.is_loopback or parsed.is_unspecified or (parsed.version == 6 and parsed.is_link_local)):
            found[str(parsed)] = None
    return tuple(found)


def _addresses_of_interfaces() -> list[str]:
    found = (one for addresses in psutil.net_if_addrs().values() for one in addresses)
    return [one.address for one in found if one.family == socket.AF_INET]


def _addresses_of_routes() -> list[str]:
    # Connecting a datagram socket chooses the address that a packet would leave from, but sends no packet. The
    # destinations are reserved for documentation.
    addresses = []
    for family, elsewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as asked:
                asked.connect((elsewhere, 9))
                addresses.append(str(asked.getsockname()[0]).partition("%")[0])
        except OSError:
            continue  # no route of this kind
    return addresses


def _names(addresses: Sequence[str]) -> tuple[str, ...]:
    host = socket.gethostname().partition(".")[0].lower()
    named = [name for name in (host, f"{host}.local") if host and host != "localhost" and _is_host_name(name)]
    wanted = ["localhost", *named, "127.0.0.1", "::1", *(str(_general_name(address).value) for address in addresses)]
    return tuple(dict.fromkeys(wanted))


def _is_host_name(name: str) -> bool:
    return name.isascii() and all(part and part.strip("-").replace("-", "").isalnum() for part in name.split("."))


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _make(key: ec.EllipticCurvePrivateKey, names: Sequence[str], now: datetime) -> x509.Certificate:
    itself = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Anna Eins")])
    return (
        x509.CertificateBuilder()
        .subject_name(itself)
        .issuer_name(itself)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # Clocks of a hall differ by more than a minute.
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=VALID_DAYS - 1))
        .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in names]), critical=False)
        # Not an authority: a device that trusts it trusts this server and nothing else.
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )


def _serves(
    certificate: x509.Certificate,
    key: ec.EllipticCurvePrivateKey,
    wanted: Sequence[str],
    now: datetime,
    until: datetime,
) -> bool:
    return (
        certificate.public_key() == key.public_key()
        and certificate.not_valid_before_utc <= now
        and certificate.not_valid_after_utc >= until
        and set(wanted) <= set(_names_in(certificate))
    )


def _names_in(certificate: x509.Certificate) -> tuple[str, ...]:
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    return tuple(str(name.value) for name in names)


def _fingerprint(certificate: x509.Certificate) -> str:
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def _read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def _key(path: Path) -> ec.EllipticCurvePrivateKey:
    if not path.exists():
        key = ec.generate_private_key(ec.SECP256R1())
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        write_private(path, pem)
        return key
    path.chmod(0o600)
    loaded = serialization.load_pem_private_key(path.read_bytes(), password=None)
    if not isinstance(loaded, ec.EllipticCurvePrivateKey):
        raise TypeError("not a key of this server")
    return loaded
