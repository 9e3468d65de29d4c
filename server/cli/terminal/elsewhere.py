"""Options that `anna-eins ears` and `anna-eins voice` share: where they listen, by which key, and when they end."""

from __future__ import annotations

import asyncio
import ssl
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from server.cli.terminal.words import tell
from server.machine.certificate import ensure_certificate, server_context
from server.machine.tasks import set_when_asked_to_end

if TYPE_CHECKING:
    from speech.wyoming.address import Address
    from speech.wyoming.service import Secured

EVERY = ("0.0.0.0", "::")  # noqa: S104  asked for with --listen
"""Names under which a program listens at all addresses of its machine."""


def at_address(listen: str, key_file: Path | None) -> tuple[Address, Secured | None]:
    """Return where to listen, and what makes that safe outside this machine; None without a key.

    The key is made where its file is not there yet. The certificate is new at each start, because the key proves it.
    Raises Complaint for what is no address, and for a key that cannot be read or written.
    """
    from speech.wyoming.address import Address
    from speech.wyoming.key import ensure_key
    from speech.wyoming.service import Secured

    address = Address.parse(listen, lowest=0)
    if key_file is None:
        return address, None
    key, fresh = ensure_key(key_file)
    if fresh:
        tell("new_key", file=str(key_file))
    with tempfile.TemporaryDirectory(prefix="anna-eins-tls-") as folder:
        made = ensure_certificate(Path(folder), (), datetime.now(UTC))
        der = ssl.PEM_cert_to_DER_cert(made.certificate.read_text("ascii"))
        return address, Secured(server_context(made), der, key)


async def asked_to_end() -> None:
    """Wait for SIGTERM or SIGINT (Ctrl-C)."""
    ended = asyncio.Event()
    set_when_asked_to_end(ended)
    await ended.wait()
