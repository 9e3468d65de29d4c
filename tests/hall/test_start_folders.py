"""`anna-eins hall init`: role, database, certificate and start folders, from one of which a real server is started."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from server.cli.keeping.hall import command
from server.hall.servers.start_folders import kept_password, server_address, write_start_folders
from server.journal.postgresql.database import Database
from server.journal.postgresql.reader import PostgresReader
from server.journal.postgresql.schema import check_database
from server.settings import load_settings
from tests.postgresql import ADMIN, ADMIN_SECRET, Cluster
from tests.waiting import PATIENCE_S
from tests.whole.running_server import RUN, RunningServer

ON_THIS_MACHINE = ("--server", "https://localhost:8443", "--server", "https://localhost:8444")
IN_A_HALL = ("--server", "https://192.0.2.1:8443", "--server", "https://192.0.2.2:8443")
NOW = datetime.now(UTC)
needs_postgresql = pytest.mark.needs("postgresql")


def init(address: str, folder: Path, *more: str, given: str = "") -> Result:
    return CliRunner().invoke(command, ["init", address, str(folder), *more], input=given)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


@needs_postgresql
async def test_a_server_of_the_hall_starts_from_its_folder(repo: Path, tmp_path: Path, cluster: Cluster) -> None:
    folder, program = tmp_path / "start", tmp_path / "bin" / "anna-eins"
    address = f"postgresql://{ADMIN}@127.0.0.1:{cluster.port}/begun"
    made = init(address, folder, *ON_THIS_MACHINE, "--role", "hall_role", given=f"{ADMIN_SECRET}\n")
    assert made.exit_code == 0, made.output
    files = files_of(folder)
    assert {name for name in files if name.startswith("server-1")} == {
        *("server-1/settings.toml", "server-1/pgpass", "server-1/start.sh", "server-1/start.cmd"),
        *("server-1/data/tls/certificate.pem", "server-1/data/tls/key.pem"),
    }
    assert all(not one.stat().st_mode & 0o077 for one in [folder, *folder.rglob("*")]), "for its owner alone"
    secret = kept_password(folder)
    assert len(secret) > 20 and [name for name in sorted(files) if secret.encode() in files[name]] == [
        *("server-1/pgpass", "server-2/pgpass"),
    ]
    again = init(cluster.admin("begun"), folder, *ON_THIS_MACHINE, "--role", "hall_role")
    assert again.exit_code == 0 and files_of(folder) == files, "the same command again changes nothing"

    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -P -c '{RUN}' \"$@\"\n")
    program.chmod(0o755)
    server = await RunningServer.told(
        await asyncio.create_subprocess_exec(
            *("sh", str(folder / "server-1" / "start.sh"), "--port", "0", "--https-port", "0", "--demo-table"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env={**os.environ, "PYTHONPATH": str(repo), "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"},
        )
    )
    assert await server.stop(PATIENCE_S) == 0
    with PostgresReader.open(Database(cluster.admin("begun"))) as reader:
        assert reader.tables() == ["demo"]
    now = files_of(folder)
    assert {name: now[name] for name in files} == files, "the certificate of the hall is kept at this machine too"
    log = "".join(text.decode() for name, text in now.items() if name.endswith(".log"))
    for told in (made.output, again.output, server.told, log):
        assert secret not in told and ADMIN_SECRET not in told
    assert "server-1/data/journal.sqlite" not in now


@needs_postgresql
def test_what_is_wrong_is_one_sentence_and_makes_no_folder(tmp_path: Path, cluster: Cluster) -> None:
    folder, admin, one = tmp_path / "start", cluster.admin("unmade"), ON_THIS_MACHINE[:2]
    wrong = [
        (init(admin, folder, *one), "two servers or more"),
        (init(admin, folder, *one, *one), "each once"),
        (init(admin, folder, *one, "--server", "http://192.0.2.1"), "not the address of a server"),
        (init(admin, folder, *one, "--server", "https://192.0.2.1:70000"), "not the address of a server"),
        (init(admin, folder, *IN_A_HALL), "--reached-at"),
        (init("http://192.0.2.9/hall", folder, *ON_THIS_MACHINE), "not a PostgreSQL address"),
        (init(admin, folder, *ON_THIS_MACHINE, "--reached-at", "[9"), "not a PostgreSQL address"),
        (init(cluster.address("unmade"), folder, *ON_THIS_MACHINE), "permission denied"),
        (init(cluster.address("unmade", secret="other"), folder, *ON_THIS_MACHINE), "password authentication failed"),
    ]
    for refused, why in wrong:
        assert refused.exit_code == 1 and why in str(refused.exception), (why, refused.exception)
        assert str(refused.exception).count("\n") == 0 and ADMIN_SECRET not in str(refused.exception)
    assert not folder.exists() and not cluster.do("SELECT 1 FROM pg_database WHERE datname = 'unmade'")


@needs_postgresql
def test_a_lost_password_is_replaced_only_where_that_is_asked_for(tmp_path: Path, cluster: Cluster) -> None:
    name = cluster.fresh()
    given = (cluster.admin(name), tmp_path / "start", *ON_THIS_MACHINE, "--role", "lost")
    cluster.do("CREATE ROLE lost LOGIN PASSWORD 'nobody-knows'")
    assert "--new-password" in str(init(*given).exception) and not (tmp_path / "start").exists()
    assert init(*given, "--new-password").exit_code == 0
    check_database(Database(cluster.address(name, role="lost", secret=kept_password(tmp_path / "start"))))


def test_a_further_server_is_added_and_what_was_settled_is_kept(tmp_path: Path) -> None:
    """Without a database: only the folders, the settings and the certificate."""
    three = [server_address(f"https://192.0.2.{number}:8443") for number in (1, 2, 3)]
    record, passwords = "postgresql://anna@192.0.2.9/hall%20one", "192.0.2.9:*:hall one:anna:se\\:cret\n"

    def written(number: int) -> bool:
        return write_start_folders(tmp_path, three[:number], ("hall.example.org",), record, passwords, NOW)[1]

    assert not written(2)
    own = tmp_path / "server-2" / "settings.toml"
    own.write_text(own.read_text("utf-8") + '[backup]\nfolder = "/media/stick"\n', "utf-8")
    assert written(3), "the certificate has to name the third one too"
    assert not written(3) and kept_password(tmp_path) == "se:cret"
    certificates = [one.read_bytes() for one in sorted(tmp_path.glob("server-*/data/tls/certificate.pem"))]
    assert len(certificates) == 3 and len(set(certificates)) == 1
    settings = load_settings(own)
    assert settings.backup.folder == "/media/stick" and settings.hosts == ("192.0.2.2", "hall.example.org")
    assert settings.lan and settings.servers == tuple(one.origin for one in three)
    start = ["/bin/sh", str(tmp_path / "server-3" / "start.sh")]
    refused = subprocess.run(start, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2 and refused.stderr.startswith("There is no anna-eins on this computer: install it")
    assert "hall%%20one" in (tmp_path / "server-3" / "start.cmd").read_text("utf-8"), "as Windows takes it"
