"""Connections to PostgreSQL, and one sentence on why there is none; a password is shown to nobody."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from server.journal.failure import JournalFailed, NoAnswer
from speech.complaint import Complaint, Phrase

OLDEST = 14
"""Versions before this one get no corrections from PostgreSQL any more."""

CONNECT_S = 2
"""Seconds for a connection to come about."""
SILENT_MS = 2_500
"""Time after which data that the other machine has not confirmed counts as lost (Linux only)."""
ANSWER_S = 3.0
"""Seconds after which a silent database counts as lost."""

SCHEMA = "anna_eins"

_WAYS: dict[str, Any] = {
    "connect_timeout": CONNECT_S,
    "tcp_user_timeout": SILENT_MS,
    "keepalives_idle": 1,
    "keepalives_interval": 1,
    "keepalives_count": 2,
    "application_name": "anna-eins",
}


class Database:
    """Address of one database. Its text, also in a log, is without the password."""

    def __init__(self, address: str) -> None:
        """Read an address, `postgresql://NAME@HOST/DATABASE`. Raises Complaint where it is none."""
        try:
            self._given = conninfo_to_dict(address)
        except psycopg.Error as wrong:
            raise Complaint(Phrase("record.no_address")) from wrong.with_traceback(None)
        self.shown = _address_shown(self._given)

    def __repr__(self) -> str:
        return self.shown

    @property
    def witnessed_as(self) -> str:
        """Return the name under which this record is witnessed: its address, without the role that connects."""
        return _address_shown({**self._given, "user": ""})

    @property
    def role(self) -> str:
        """Return the name of the role that connects; '' where the system's own name is meant."""
        return str(self._given.get("user") or os.environ.get("PGUSER", ""))

    @property
    def name(self) -> str:
        """Return the name of the database on its server."""
        return str(self._given.get("dbname") or self.role)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Return the computers of the database; none where it is reached within this one, without the network."""
        named = str(self._given.get("host") or "").split(",")
        return tuple(host for host in named if host and not host.startswith("/"))

    def at_another(self, **given: str) -> Database:
        """Return this database with another password, name or computer (`password`, `dbname`, `host`, `port`)."""
        more: dict[str, Any] = {**self._given, **given}
        return Database(make_conninfo(**more))

    def seen_from(self, place: str) -> Database:
        """Return this database at another address of its computer, HOST or HOST:PORT. Raises Complaint for none."""
        try:
            return self.at_another(
                **{key: str(part) for key, part in conninfo_to_dict(f"postgresql://{place}/").items()}
            )
        except psycopg.Error as wrong:
            raise Complaint(Phrase("record.no_address")) from wrong.with_traceback(None)

    def address_for(self, role: str) -> str:
        """Return the address at which a role reaches this database, as a command takes it, without a password."""
        more = {key: str(part) for key, part in self._given.items() if part and key not in ("user", "password")}
        host, port, name = more.pop("host", ""), more.pop("port", ""), more.pop("dbname", "") or self.name
        place = f"[{host}]" if ":" in host else quote(host, safe=",")
        said = f"?{urlencode(more)}" if more else ""
        return f"postgresql://{quote(role, safe='')}@{place}{f':{port}' if port else ''}/{quote(name, safe='')}{said}"

    def password_lines(self, role: str, password: str) -> str:
        """Return the lines of a password file of PostgreSQL, by which a role is let into this database."""
        fields = (str(self._given.get("port") or "*"), self.name, role, password)
        lines = [(host, *fields) for host in self.hosts or ("localhost",)]
        return "".join(":".join(re.sub(r"([\\:])", r"\\\1", one) for one in line) + "\n" for line in lines)

    def asks_for_password(self) -> bool:
        """Say whether the database asks for a password that is not known here. Raises Complaint."""
        try:
            self.connect().close()
        except psycopg.OperationalError as wrong:
            return wrong.pgconn is not None and wrong.pgconn.needs_password
        return False

    def connect(self, *, read_only: bool = False) -> psycopg.Connection[tuple[Any, ...]]:
        """Return a connection of one's own, each statement of which is a transaction unless one is begun.

        Every commit is on the disk of the database before it returns. Raises psycopg.Error.
        """
        connection = psycopg.connect(make_conninfo(**{**_WAYS, **self._given}), autocommit=True)
        try:
            only = "SET default_transaction_read_only = on" if read_only else "SET synchronous_commit = on"
            # A server that stands still inside a transaction must not keep the others from its tables.
            connection.execute(
                f"SET search_path = {SCHEMA}, pg_temp; SET idle_in_transaction_session_timeout = 1500; "
                f"SET lock_timeout = 2000; SET client_encoding = 'UTF8'; {only}"
            )
        except BaseException:
            connection.close()
            raise
        return connection


def complaint(database: Database, wrong: psycopg.Error) -> Complaint:
    """Return why a database cannot be used, as one sentence."""
    return Complaint(Phrase("record.unopened", record=database.shown, why=in_short(wrong)))


def in_short(wrong: psycopg.Error) -> str:
    """Return the message of PostgreSQL, in one line.

    It is the same for each address that was tried, so the last of them; but the first that the server itself gives, for
    whom it turns away over TLS libpq tries once more without, and that answer would hide the reason.
    """
    if wrong.diag.message_primary:
        return wrong.diag.message_primary.rstrip(".")
    lines = [line.strip() for line in str(wrong).splitlines() if line.strip()]
    for line in [*(one for one in lines if "FATAL:" in one), *reversed(lines)]:
        if ":" in line and not line.startswith(("Is the server", "CONTEXT", "DETAIL", "HINT")):
            return line.rpartition("FATAL:")[2].strip().rstrip(".")
    return lines[-1].rstrip(".") if lines else "no answer"


@contextlib.contextmanager
def failing() -> Iterator[None]:
    """Turn what PostgreSQL says into JournalFailed, and into NoAnswer where the way to it is broken."""
    try:
        yield
    except psycopg.OperationalError as wrong:
        raise NoAnswer(Phrase("record.unread", why=in_short(wrong))) from wrong
    except (psycopg.Error, UnicodeError) as wrong:
        told = in_short(wrong) if isinstance(wrong, psycopg.Error) else "damaged text"
        raise JournalFailed(Phrase("record.unread", why=told)) from wrong


def _address_shown(given: dict[str, Any]) -> str:
    user, host, port = given.get("user"), given.get("host"), given.get("port")
    place = str(host or "") + (f":{port}" if port else "")
    if str(host or "").startswith("/"):  # a socket in a folder
        return f"postgresql://{f'{user}@' if user else ''}/{given.get('dbname') or ''} at {place}"
    return f"postgresql://{f'{user}@' if user else ''}{place}/{given.get('dbname') or ''}"


class Sockets:
    """Open connections of one store, so that another thread can end one that hangs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: set[psycopg.Connection[tuple[Any, ...]]] = set()

    def add(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        """Know a connection."""
        with self._lock:
            self._open.add(connection)

    def drop(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        """Close a connection that its own thread uses no more; what goes wrong with it does not matter."""
        with self._lock:  # nobody may shut a socket down whose number another one has by now
            self._open.discard(connection)
            with contextlib.suppress(psycopg.Error, OSError):
                connection.close()

    @contextlib.contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Cut all connections where the block takes longer; what waits in it gets an error then."""
        ending = threading.Timer(seconds, self.shut_down)
        ending.daemon = True
        ending.start()
        try:
            yield
        finally:
            ending.cancel()

    def shut_down(self) -> None:
        """Cut all connections; the threads that wait for them get an error."""
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(psycopg.Error, OSError):
                    one = socket.socket(fileno=connection.fileno())
                    try:
                        one.shutdown(socket.SHUT_RDWR)
                    finally:
                        one.detach()
