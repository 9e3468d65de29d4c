"""`anna-eins devices` lists every device that is admitted, sends one away, and lets a new arbiter of the hall in.

A server may go on meanwhile: it sees within a second who was sent away, closes the lines of that device and puts it on
record. So there is a way back where the only arbiter's device is gone or in the wrong hands.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from time import time_ns

import click

from server.cli.keeping.backup import DATA, RECORD
from server.cli.terminal.language import own_language
from server.cli.terminal.words import JSON, answer_text, tell, tell_facts, wrong
from server.hall.record import admissions_in
from server.journal.admissions import LINK, LINK_LIFE_MS, Admission, Admissions, new_token
from server.machine.data_folder import chosen_folder
from server.wording.pages import page_words


@click.command("devices", epilog="\b\nExample:\n  anna-eins devices --revoke arbiter-3fa2c1")
@click.option("--revoke", "station", metavar="DEVICE", default="")
@click.option("--link", is_flag=True)
@JSON
@RECORD
@DATA
def command(station: str, link: bool, as_json: bool, address: str, data: Path | None) -> None:
    """List every admitted device; send one away, or make a link for a new arbiter of the hall."""
    root = chosen_folder(data)
    if not address and not (root / "admissions.sqlite").is_file():
        raise wrong("no_journal", folder=str(root))
    asyncio.run(_done(admissions_in(root, address), station, link, as_json=as_json))


async def _done(admissions: Admissions, station: str, link: bool, *, as_json: bool) -> None:
    try:
        if station:
            if not any(one[0].station == station for one in admissions.everybody()):
                raise wrong("no_such_device", name=station)
            await admissions.revoke_everywhere(station, time_ns() // 1_000_000)
            tell("device_gone", name=station)
        joining = f"/#join={await _new_link(admissions)}" if link else ""
        everybody = admissions.everybody()
        if as_json:
            facts = [_facts(one) for one in everybody]
            tell_facts({"link": joining, "devices": facts} if link else facts)
            return
        if link:
            tell("new_link", minutes=LINK_LIFE_MS // 60_000)
            click.echo(f"  {joining}")
        if not station and not link:
            for one in everybody:
                click.echo(_line(one))
            if not everybody:
                tell("no_devices")
        if not link and not any(not one[0].table for one in everybody):
            tell("no_hall_arbiter")
    finally:
        await admissions.close()


async def _new_link(admissions: Admissions) -> str:
    token = new_token()
    await admissions.admit(token, Admission("", f"{LINK}-{token[:6]}", LINK, "", (), time_ns() // 1_000_000))
    return token


def _facts(device: tuple[Admission, ...]) -> dict[str, object]:
    """Return one device as programs read it; an arbiter of all tables has none of its own."""
    first = device[0]
    tables = [one.table for one in device if one.table]
    return {
        "name": first.station,
        "role": first.role,
        "seat": first.seat,
        "tables": tables,
        "since_ms": first.admitted_wall_ms,
    }


def _line(device: tuple[Admission, ...]) -> str:
    """Return the line on one device: its name, what it is, where, and since when."""
    first, words = device[0], page_words(own_language())
    since = datetime.fromtimestamp(first.admitted_wall_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M")
    tables = ", ".join(one.table for one in device if one.table) or "-"
    role = words[f"title.{first.role}"] if first.table else answer_text("answer.of_the_hall")
    seat = f", {words[first.seat]}" if first.seat else ""
    return answer_text("answer.device", name=first.station, role=f"{role}{seat}", tables=tables, since=since)
