"""`anna-eins hall init` makes what two or more servers need to share a hall on PostgreSQL: docs/scaling.md.

That is the database with the role of the servers, a certificate that all of them have, and a folder for each server
with its start file. The same command again changes nothing of what is there, and adds what has come since.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.cli.terminal.words import JSON, answer_text, not_written, tell, tell_facts, wrong

if TYPE_CHECKING:
    from server.hall.servers.start_folders import ServerAddress
    from server.journal.postgresql.database import Database

PASSWORD_BYTES = 24


EXAMPLE = (
    "\b\nExample:\n  anna-eins hall init postgresql://postgres@192.0.2.9/hall start "
    "--server https://192.0.2.1:8443 --server https://192.0.2.2:8443"
)


@click.group("hall", epilog=EXAMPLE)
def command() -> None:
    """Prepare a hall that several servers share."""


@command.command("init", epilog=EXAMPLE)
@click.argument("address")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--server", "servers", multiple=True, metavar="URL")
@click.option("--role", default="anna", show_default=True, metavar="NAME")
@click.option("--host", "names", multiple=True, metavar="NAME")
@click.option("--reached-at", metavar="HOST")
@click.option("--new-password", is_flag=True)
@JSON
def init(
    address: str,
    folder: Path,
    servers: tuple[str, ...],
    role: str,
    names: tuple[str, ...],
    reached_at: str | None,
    new_password: bool,
    as_json: bool,
) -> None:
    """Make role, database, common certificate and a start folder for each server of a hall."""
    from server.hall.servers.start_folders import kept_password, server_address, write_start_folders

    named = [server_address(one) for one in servers]
    if len(set(named)) < max(2, len(named)):
        raise wrong("hall_servers")
    database = administrators_database(address)
    from server.journal.postgresql.schema import check_database, has_role, make_database, prepare_database

    reached = database.seen_from(reached_at) if reached_at else database
    if _is_near(reached) and not all(_is_own(one) for one in named):
        raise wrong("hall_near", database=reached.shown)
    make_database(database)
    there = has_role(database, role)
    try:
        password = "" if new_password else kept_password(folder)
        if there and not password and not new_password:
            raise wrong("hall_password", role=role, folder=str(folder))
        password = password or secrets.token_urlsafe(PASSWORD_BYTES)
        record, lines = reached.address_for(role), reached.password_lines(role, password)
        made, renewed = write_start_folders(folder, named, names, record, lines, datetime.now(UTC))
    except OSError as failed:
        raise not_written(failed.filename or folder, failed) from failed
    prepare_database(database, role, password, anew=new_password)
    check_database(reached.at_another(user=role, password=password))
    if as_json:
        facts = [{"number": one.number, "address": one.address.origin, "folder": str(one.place)} for one in made]
        tell_facts({"database": reached.shown, "role": role, "servers": facts, "new_certificate": renewed})
        return
    tell("database_ready", database=database.shown, role=role)
    for one in made:
        tell("hall_folder", number=one.number, address=one.address.origin, folder=str(one.place))
    tell("hall_private", role=role)
    if renewed:
        tell("hall_certificate")


def administrators_database(address: str) -> Database:
    """Return the database of an address, as its administrator; a password that it asks for is asked for here.

    Raises Complaint where it is no address.
    """
    from server.hall.record import database_of

    database = database_of(address)
    if not database.asks_for_password():
        return database
    question = answer_text("ask.database_password", role=database.role)
    try:
        return database.at_another(password=click.prompt(question, hide_input=True))
    except click.Abort:  # nobody is there to answer: the database says what is missing
        return database


def _is_near(database: Database) -> bool:
    """Say whether an address of the database holds on its own computer alone."""
    return not database.hosts or any(_is_loopback(host) for host in database.hosts)


def _is_own(server: ServerAddress) -> bool:
    return _is_loopback(server.host)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
