"""`anna-eins station --braille`: a player's station on a braille display of his own, at a running server."""

from __future__ import annotations

import asyncio
import sys

import aiohttp
import click

from server.braille_display import BrailleDisplay
from server.braille_station import BrailleStation, join, origin_of
from server.complaint import Complaint


async def _run(address: str, code: str, host: str | None) -> None:
    origin = origin_of(address)
    with BrailleDisplay(host) as display:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:

            def mark(square: str) -> None:
                display.show(square)
                click.echo(f"Waiting for the arbiter, who sees this device as {square}.")

            query = await join(session, origin, code, mark)
            click.echo("Admitted. Enter on this keyboard presses the clock; words typed here go as typed.")
            station = BrailleStation(session, origin, query, display)
            keyboard = asyncio.create_task(_keyboard(station))
            try:
                await station.run()
            finally:
                keyboard.cancel()


async def _keyboard(station: BrailleStation) -> None:
    """A line of the computer's keyboard: empty, the clock is pressed; else words."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        words = line.decode("utf-8", "replace").strip()
        await (station.type(words[:200]) if words else station.press())


@click.command("station")
@click.argument("address")
@click.option("--braille", is_flag=True, help="On a braille display, through BRLTTY (BrlAPI).")
@click.option("--code", prompt=True, help="The code of three squares that the arbiter gives.")
@click.option("--display", "host", default=None, help="BrlAPI's own address, where it is not the usual one (:0).")
def command(address: str, braille: bool, code: str, host: str | None) -> None:
    """Play at the server at ADDRESS (http://192.0.2.7:8080) on a display of your own."""
    if not braille:
        raise Complaint("Only braille displays are served here; say --braille, or open the address in a browser.")
    try:
        asyncio.run(_run(address, code, host))
    except KeyboardInterrupt:
        click.echo("The station is closed; the game goes on at the server.")
