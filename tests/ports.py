"""Ports for what has to be started anew at the same address."""

from __future__ import annotations

import random
import socket
from contextlib import suppress


def free_port() -> int:
    """A port below those that the system gives out, so that nobody else gets it while what listens there is stopped."""
    for port in random.sample(range(20_000, 32_000), 500):
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port
    raise OSError("no port is free")
