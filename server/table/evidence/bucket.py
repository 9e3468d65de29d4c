"""A bucket of an S3-compatible store keeps the sounds of all servers of a hall (`anna-eins[s3]`).

What goes there carries its SHA-256, by which the store refuses what came damaged; what the store says it has is then
compared with what was sent. The keys to the store stand in the environment or in the usual file of such keys, and never
in the record, a log or a sentence.
"""

from __future__ import annotations

import configparser
import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from server.machine.install.adding import command_that_adds
from speech.complaint import Complaint, Phrase

if TYPE_CHECKING:
    from obstore.store import S3Config, S3Store

CONNECT_S, ANSWER_S, RETRY_S = 3, 15, 10
MOST_BYTES = 16 * 1024 * 1024
"""No kept sound is longer; more is not read from a store."""
_ADDRESS = re.compile(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*)/?")
_MD5 = re.compile(r'"?([0-9a-f]{32})"?')
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class BucketFails(OSError):
    """The store cannot be reached, refuses the keys, or has other bytes than it was sent."""


class SoundBucket:
    """Store of sounds as objects `PREFIX/TABLE/UTTERANCE.flac` of one bucket."""

    def __init__(self, store: S3Store, shown: str) -> None:
        """Use a store that is set up (`bucket_of`); `shown`: its address, without keys."""
        self._store = store
        self.shown = shown

    async def put(self, name: str, content: bytes) -> None:
        """Send an object. Raises FileExistsError: there is one of this name. Raises BucketFails."""
        import obstore
        from obstore.exceptions import AlreadyExistsError

        with _failing():
            try:
                told = await obstore.put_async(self._store, name, content, mode="create", use_multipart=False)
            except AlreadyExistsError:
                raise FileExistsError(f"{self.shown}/{name} is there") from None
        digest = _MD5.fullmatch(told["e_tag"] or "")
        if digest is not None and digest[1] == hashlib.md5(content, usedforsecurity=False).hexdigest():
            return
        if await self.get(name) != content:  # a store that encrypts has no MD5 for a tag
            raise BucketFails(f"{self.shown} has other bytes of {name} than it was sent")

    async def get(self, name: str) -> bytes | None:
        """Return an object's bytes, None where there is none. Raises BucketFails."""
        import obstore

        with _failing():
            try:
                found = await obstore.get_async(self._store, name)
                if found.meta["size"] > MOST_BYTES:
                    raise BucketFails(f"{self.shown}/{name} is longer than any sound")
                return bytes(await found.bytes_async())
            except FileNotFoundError:
                return None

    async def delete(self, name: str) -> bool:
        """Delete an object, and say whether there was one. Raises BucketFails."""
        import obstore

        with _failing():
            try:
                await obstore.head_async(self._store, name)
                await obstore.delete_async(self._store, name)
            except FileNotFoundError:
                return False
        return True

    async def names(self) -> list[str]:
        """Return the names of all objects under the prefix. Raises BucketFails."""
        import obstore

        found: list[str] = []
        with _failing():
            async for some in obstore.list(self._store):
                found += [one["path"] for one in some]
        return found


def bucket_of(address: str, endpoint: str = "") -> SoundBucket:
    """Return the bucket of an address, `s3://BUCKET/PREFIX`.

    `endpoint`: the address of a store other than Amazon's; "" for that of the environment. No connection is made.
    Raises Complaint: the address is none, there are no keys, the way there is in the open, or obstore is not installed.
    """
    named = _ADDRESS.fullmatch(address)
    if named is None:
        raise Complaint(Phrase("store.no_address", address="s3://BUCKET/PREFIX"))
    endpoint = endpoint or os.environ.get("AWS_ENDPOINT_URL_S3", "") or os.environ.get("AWS_ENDPOINT_URL", "")
    parts = urlsplit(endpoint)
    if endpoint and parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise Complaint(Phrase("store.no_https"))
    try:
        from obstore.store import S3Store
    except ImportError as wrong:
        raise Complaint(Phrase("store.no_package", command=command_that_adds("s3"))) from wrong
    key, secret, token = _keys()
    config: S3Config = {
        "access_key_id": key,
        "secret_access_key": secret,
        "region": os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1",
        "checksum_algorithm": "sha256",
    }
    if endpoint:
        config["endpoint"] = endpoint
    if token:
        config["session_token"] = token
    try:
        store = S3Store(
            named[1],
            prefix=named[2].lstrip("/"),
            config=config,
            client_options={
                "allow_http": parts.scheme == "http",
                "connect_timeout": timedelta(seconds=CONNECT_S),
                "timeout": timedelta(seconds=ANSWER_S),
            },
            retry_config={"max_retries": 1, "retry_timeout": timedelta(seconds=RETRY_S)},
        )
    except Exception:  # its text may quote what it was given
        raise Complaint(Phrase("store.not_set_up")) from None
    return SoundBucket(store, address.rstrip("/"))


def _keys() -> tuple[str, str, str]:
    """Return the key's name, its secret and the session's token ("" for none), as AWS's own tools find them.

    Raises Complaint where there are none.
    """
    given = os.environ.get("AWS_ACCESS_KEY_ID", ""), os.environ.get("AWS_SECRET_ACCESS_KEY", "")
    if all(given):
        return *given, os.environ.get("AWS_SESSION_TOKEN", "")
    file = Path(os.environ.get("AWS_SHARED_CREDENTIALS_FILE") or "~/.aws/credentials").expanduser()
    parser = configparser.RawConfigParser()
    try:
        parser.read(file, "utf-8")
        section = parser[os.environ.get("AWS_PROFILE") or "default"]
        return section["aws_access_key_id"], section["aws_secret_access_key"], section.get("aws_session_token", "")
    except (configparser.Error, KeyError, OSError, UnicodeError):
        raise Complaint(
            Phrase("store.no_keys", one="AWS_ACCESS_KEY_ID", other="AWS_SECRET_ACCESS_KEY", file=file)
        ) from None


@contextmanager
def _failing() -> Iterator[None]:
    """Turn what the library says into BucketFails, without its text: that may name keys."""
    from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError

    try:
        yield
    except (PermissionDeniedError, UnauthenticatedError):
        raise BucketFails("the common store of sounds refuses the keys") from None
    except (BaseError, ValueError) as wrong:
        raise BucketFails(f"the common store of sounds does not answer as it should ({type(wrong).__name__})") from None
