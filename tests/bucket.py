"""A real S3 server for tests, moto's, on a port of this machine alone; what it keeps lives as long as the process."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.ports import free_port

KEY, SECRET = "the-name-of-the-key", "never-in-a-log"
_numbers = itertools.count()


def kept_by_moto() -> Any:
    """Return what its servers keep in this process; it takes a second to import, which other processes need not."""
    from moto.core import DEFAULT_ACCOUNT_ID
    from moto.s3.models import s3_backends

    return s3_backends[DEFAULT_ACCOUNT_ID]["aws"]


class Bucket:
    """A bucket of one's own on a server that can be stopped and started again with all that it keeps."""

    def __init__(self) -> None:
        self.name = f"hall-{next(_numbers)}"
        self.address = f"s3://{self.name}/open"
        self._port = free_port()
        self.start()
        self.endpoint = f"http://127.0.0.1:{self._port}"
        kept_by_moto().create_bucket(self.name, "us-east-1")

    def stop(self) -> None:
        self._server.stop()

    def start(self) -> None:
        from moto.server import ThreadedMotoServer

        self._server = ThreadedMotoServer("127.0.0.1", self._port, verbose=False)
        self._server.start()

    def spoil(self, name: str, content: bytes) -> None:
        """Replace what lies there, as a fault of its disk does."""
        kept_by_moto().put_object(self.name, f"open/{name}", content)


@contextmanager
def one_bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    """A bucket, and its keys in the environment."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    bucket = Bucket()
    try:
        yield bucket
    finally:
        bucket.stop()
