"""A real PostgreSQL for tests: one cluster for the session, a prepared database for each test.

It listens on a socket in a folder of its own and on a port of this machine alone, asks for passwords as one in a hall
does, and runs as another user where the tests run as root, because it refuses root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest

from tests.ports import free_port

ADMIN, ADMIN_SECRET = "administrator", "of-the-administrator"
ROLE, SECRET = "anna", "never-in-a-log"


def programs() -> Path | None:
    """The folder with `initdb` and `postgres`: Debian keeps them out of the path."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda one: int(one.parts[-3]))
    return debian[-1].parent if debian else None


@dataclass
class Cluster:
    """One running PostgreSQL."""

    folder: Path
    port: int
    user: str | None
    made: int = 0
    options: list[str] = field(default_factory=list)

    def run(self, *command: str) -> None:
        where = programs()
        assert where is not None
        subprocess.run(
            [str(where / command[0]), *command[1:]],
            check=True,
            cwd=self.folder,
            user=self.user,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"},
        )

    def start(self) -> None:
        listen = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c shared_buffers=16MB"
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-l", str(self.folder / "log"), "-o", listen, "-w", "start")

    def stop(self, mode: Literal["fast", "immediate"] = "immediate") -> None:
        """End it in good order (`fast`), or as a crash does: no connection is told, nothing is written out."""
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", mode, "-w", "stop")

    def address(self, database: str, *, role: str = ROLE, secret: str = SECRET, port: int | None = None) -> str:
        return f"postgresql://{role}:{secret}@127.0.0.1:{port or self.port}/{database}"

    def admin(self, database: str = "postgres") -> str:
        return self.address(database, role=ADMIN, secret=ADMIN_SECRET)

    def do(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Do something as the administrator."""
        import psycopg

        with psycopg.connect(self.admin(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description is not None else []

    def fresh(self, template: str = "prepared") -> str:
        """A database of one's own; its name."""
        self.made += 1
        name = f"hall{self.made}"
        self.do(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name


def other_user() -> str | None:
    """Whom PostgreSQL runs as: nobody, where the tests run as root."""
    if os.geteuid() != 0:
        return None
    import pwd

    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    return None


@contextmanager
def running(place: Path | None = None) -> Iterator[Cluster]:
    """A cluster with a prepared database, in a folder below `place`."""
    from server.journal.postgresql.database import Database
    from server.journal.postgresql.schema import prepare_database

    folder = Path(tempfile.mkdtemp(prefix="anna-pg-", dir=place))
    user = other_user()
    secret = folder / "secret"
    secret.write_text(ADMIN_SECRET, "ascii")
    if user is not None:
        shutil.chown(folder, user)
        shutil.chown(secret, user)
    made = Cluster(folder, free_port(), user)
    try:
        made.run(
            *("initdb", "-D", str(folder / "data"), "-U", ADMIN, "--pwfile", str(secret), "-A", "scram-sha-256"),
            *("-E", "UTF8", "--locale", "C.UTF-8", "--no-sync"),
        )
        made.start()
        made.do("CREATE DATABASE prepared")
        prepare_database(Database(made.admin("prepared")), ROLE, SECRET)
        yield made
    finally:
        if (folder / "data" / "postmaster.pid").exists():
            made.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Use together with ``@pytest.mark.needs("postgresql")``."""
    memory = Path("/dev/shm")  # a disk that is waited for would make each test seconds longer
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 2**30
    with running(memory if roomy else None) as one:
        yield one
