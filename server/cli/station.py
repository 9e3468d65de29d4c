"""`anna-eins station` runs a player's or an arbiter's terminal, or own braille display, as a station at a server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import parse_qsl

import click

from braille.loading import changed_profile, load_profile
from braille.profile import Profile
from server.cli.score import read_text
from server.cli.terminal.words import answer_text, tell, wrong
from server.stations.arbiter.station import ArbiterBrailleStation
from server.stations.braille import BrailleStation, join, origin_of
from server.stations.braille_display import BrailleDisplay
from server.stations.pinned_client import fingerprint_in, fingerprint_of, pinned_session, spell_fingerprint
from server.stations.terminal import TerminalDisplay
from server.stations.terminal_keys import TerminalKeys
from speech.words.config_file import language_tags


async def _fingerprint_to_trust(origin: str, fingerprint: str | None) -> bytes | None:
    """Return the fingerprint to insist on: as given, or as shown there and compared by the person.

    None over plain http.
    """
    if not origin.startswith("https:"):
        return None
    if fingerprint is not None:
        return fingerprint_in(fingerprint)
    shown = await fingerprint_of(origin)
    tell("shows_fingerprint")
    click.echo(spell_fingerprint(shown))
    if not await asyncio.to_thread(click.confirm, answer_text("ask.same_fingerprint")):
        raise wrong("other_server")
    return shown


async def _run(
    address: str,
    code: str,
    host: str | None,
    cells: Profile | None,
    fingerprint: str | None,
    *,
    braille: bool,
    capitals: bool,
    language: str,
) -> None:
    origin = origin_of(address)
    trusted = await _fingerprint_to_trust(origin, fingerprint)
    with BrailleDisplay(host) if braille else TerminalDisplay(click.echo) as display:
        async with pinned_session(trusted) as session:

            def mark(square: str) -> None:
                if braille:
                    display.show(square)
                tell("waiting", square=square)

            query = await join(session, origin, code, mark)
            station: BrailleStation
            if dict(parse_qsl(query)).get("page") == "arbiter":
                tell("admitted_arbiter")
                station = ArbiterBrailleStation(session, origin, query, display, cells, language=language)
            else:
                tell("admitted")
                station = BrailleStation(session, origin, query, display, cells, capitals=capitals)
            keyboard = asyncio.create_task(_keyboard(station, lines=not braille))
            try:
                await station.run()
            finally:
                keyboard.cancel()
                await asyncio.wait({keyboard})  # it gives the terminal back as it was


async def _keyboard(station: BrailleStation, *, lines: bool) -> None:
    """Give the station each key of the computer's keyboard as it comes, or each line of a terminal."""
    keys = TerminalKeys()
    if lines:
        while (line := await keys.line()) is not None:
            await station.line(line)
        return
    with keys.at_once():
        while letter := await keys.letter():
            await station.letter(letter)


@click.command(
    "station",
    epilog="\b\nExample:\n  anna-eins station --braille https://192.0.2.7:8443 --code 'a4 h8 c3'",
)
@click.argument("address")
@click.option("--braille", is_flag=True)
@click.option("--code", prompt=True)
@click.option("--display", "host", default=None)
@click.option("--profile", default=None)
@click.option("--signs", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--capitals", is_flag=True)
@click.option("--fingerprint", default=None)
@click.option("--language", type=click.Choice(language_tags()), default="en")
def command(
    address: str,
    braille: bool,
    code: str,
    host: str | None,
    profile: str | None,
    signs: Path | None,
    capitals: bool,
    fingerprint: str | None,
    language: str,
) -> None:
    """Play, or be the arbiter, at the server at ADDRESS (https://192.0.2.7:8443), in lines of text of your own."""
    cells = load_profile(profile) if profile is not None else None
    if signs is not None:
        cells = changed_profile(profile or "ukaaf", read_text(signs))
    try:
        asyncio.run(
            _run(address, code, host, cells, fingerprint, braille=braille, capitals=capitals, language=language)
        )
    except KeyboardInterrupt:
        tell("station_closed")
