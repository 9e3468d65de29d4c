"""A folder for each server of a shared hall has what one laptop needs to start it, to be copied there whole.

It holds the settings, the certificate that all servers have, the password of their role in a file of PostgreSQL's own
kind, and a start file for Linux and macOS and one for Windows. `anna-eins hall init` writes them; docs/scaling.md says
how they are used. Written again, they keep what an organiser has added to the settings, and the password.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import tomlkit

from server.journal.sqlite.schema import write_private
from server.machine.certificate import ensure_certificate
from server.machine.data_folder import DataFolder
from server.settings import Settings, load_settings
from speech.complaint import Complaint, Phrase

PASSWORDS, SETTINGS = "pgpass", "settings.toml"
_ADDRESS = re.compile(r"https://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::[0-9]{1,5})?/?")
_HEAD = """\
# Server {number} of this hall. `anna-eins settings --sample` shows what else may stand here; `anna-eins hall init`
# keeps it when it is given again.
"""
_SHELL = """\
#!/bin/sh
# Starts server {number} of this hall. This folder has the password of its record: it is for its owner alone.
cd "$(dirname "$0")" || exit 1
chmod -R go-rwx . 2>/dev/null
PGPASSFILE="$PWD/{passwords}"
export PGPASSFILE
program=${{ANNA_EINS:-anna-eins}}
command -v "${{program%% *}}" >/dev/null || {{
    echo "There is no anna-eins on this computer: install it, or name in ANNA_EINS what starts it." >&2
    exit 2
}}
exec $program serve --config {settings} --data data --record {record} --share "$@"
"""
_WINDOWS = """\
@echo off
rem Starts server {number} of this hall. This folder has the password of its record: it is for its owner alone.
cd /d "%~dp0"
set "PGPASSFILE=%CD%\\{passwords}"
if not defined ANNA_EINS set "ANNA_EINS=anna-eins"
%ANNA_EINS% serve --config {settings} --data data --record "{record}" --share %*
"""
HTTPS = 443
EXAMPLE = "https://192.168.1.5:8443"


class ServerAddress(NamedTuple):
    """The address at which browsers open one server: its host, and its port for https."""

    host: str
    port: int

    @property
    def origin(self) -> str:
        """Return it as browsers write it."""
        named = f"[{self.host}]" if ":" in self.host else self.host
        return f"https://{named}" + (f":{self.port}" if self.port != HTTPS else "")


class StartFolder(NamedTuple):
    """The folder of one server: its number, the address at which it will serve, and where the folder lies."""

    number: int
    address: ServerAddress
    place: Path


def server_address(written: str) -> ServerAddress:
    """Return the address of a server, "https://HOST:PORT". Raises Complaint for any other text."""
    try:
        parts = urlsplit(written.strip())
        if _ADDRESS.fullmatch(written.strip()) is None or parts.port == 0:
            raise ValueError(written)
        return ServerAddress(str(parts.hostname), parts.port or HTTPS)
    except ValueError as wrong:
        raise Complaint(Phrase("station.no_address", address=written[:80], example=EXAMPLE)) from wrong


def kept_password(folder: Path) -> str:
    """Return the password in start folders that were written before, "" without any. Raises Complaint."""
    for file in sorted(folder.glob(f"server-*/{PASSWORDS}")):
        try:
            lines = file.read_text("utf-8").splitlines()
        except (OSError, UnicodeError) as wrong:
            why = getattr(wrong, "strerror", None) or str(wrong)
            raise Complaint(Phrase("files.unread", place=file, why=why)) from wrong
        if lines:
            return re.sub(r"\\(.)", r"\1", re.split(r"(?<!\\):", lines[0])[-1])
    return ""


def write_start_folders(
    folder: Path, servers: Sequence[ServerAddress], names: Sequence[str], record: str, passwords: str, now: datetime
) -> tuple[list[StartFolder], bool]:
    """Write a folder for each server below `folder`; say too whether a certificate took the place of another one.

    `names`: further names of all servers, for their common certificate. `record`: the address of the record.
    `passwords`: the lines of the password file. Raises Complaint or OSError.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = [StartFolder(n, one, folder / f"server-{n}") for n, one in enumerate(servers, 1)]
    for one in made:
        one.place.mkdir(mode=0o700, exist_ok=True)
        one.place.chmod(0o700)
        DataFolder.open(one.place / "data", lock=False).close()
    before, certificate = _common_certificate(made, names, now)
    for one in made:
        data = DataFolder(one.place / "data")
        for name, content in certificate.items():
            write_private(data.tls / name, content)
        write_private(one.place / SETTINGS, _settings(one, made, names).encode())
        write_private(one.place / PASSWORDS, passwords.encode())
        words: dict[str, Any] = {"number": one.number, "passwords": PASSWORDS, "settings": SETTINGS}
        shell = _SHELL.format(**words, record=shlex.quote(record))
        windows = _WINDOWS.format(**words, record=record.replace("%", "%%")).replace("\n", "\r\n")
        for name, text in (("start.sh", shell), ("start.cmd", windows)):
            write_private(one.place / name, text.encode())
            (one.place / name).chmod(0o700)
    return made, bool(before) and before != certificate


def _common_certificate(
    made: Sequence[StartFolder], names: Sequence[str], now: datetime
) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return the files of the certificate as they were and as they are, by name; it is made in the first folder."""
    first = DataFolder(made[0].place / "data").tls
    files = ("certificate.pem", "key.pem")
    before = {name: (first / name).read_bytes() for name in files if (first / name).exists()}
    ensure_certificate(first, (*(one.address.host for one in made), *names), now)
    return before, {name: (first / name).read_bytes() for name in files}


def _settings(one: StartFolder, made: Sequence[StartFolder], names: Sequence[str]) -> str:
    """Return the settings of a server: those that are there, with what this hall needs."""
    file = one.place / SETTINGS
    if file.exists():
        load_settings(file)
        written = tomlkit.parse(file.read_text("utf-8"))
    else:
        written = tomlkit.parse(_HEAD.format(number=one.number))
        earlier = sum(other.address.host == one.address.host for other in made[: one.number - 1])
        written["port"] = Settings().port + earlier  # of two on one computer, each has a port of its own
    written["lan"] = True
    written["https_port"] = one.address.port
    written["hosts"] = list(dict.fromkeys((one.address.host, *names, *written.get("hosts", ()))))
    written["servers"] = [other.address.origin for other in made]
    return tomlkit.dumps(written)
