"""`anna-eins import` opens a table for each pairing of a round.

From TRF16, TRF26, or PGN that has only headers.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.hall.pairings import Pairing, read_pairings, table_name
from speech.complaint import Complaint

if TYPE_CHECKING:
    from server.game.laws.event_options import EventOptions, Guideline

MAX_BYTES = 4_000_000
USUAL_CONTROL = "5400+30"


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--round", "number", type=click.IntRange(1, 60), help="Which round; else the last that is paired.")
@click.option("--tactile", multiple=True, metavar="NAME", help="Who plays by touch: a name or its beginning.")
@click.option("--control", metavar="TIME", help=f"The time control, else the file's, else {USUAL_CONTROL}.")
@click.option("--language", default="de", show_default=True, help="The players' language until they choose another.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Settings whose [event] holds for all.")
@click.option("--adjournments/--no-adjournments", default=None, help="Games may be adjourned (Guidelines I).")
@click.option("--quickplay/--no-quickplay", default=None, help="A quickplay finish is announced (Guidelines III).")
@click.option("--unsupervised/--supervised", default=None, help="No arbiter is there during the games (III.6).")
@click.option("--unrated", is_flag=True, help="The games are not rated.")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the records.")
@click.option("--look", is_flag=True, help="Only print what would be opened.")
def command(
    file: Path,
    number: int | None,
    tactile: tuple[str, ...],
    control: str | None,
    language: str,
    config: Path | None,
    adjournments: bool | None,
    quickplay: bool | None,
    unsupervised: bool | None,
    unrated: bool,
    data: Path | None,
    look: bool,
) -> None:
    """Open a table for each pairing in FILE; `anna-eins serve` then has them."""
    from server.hall.rounds import holding
    from server.settings import load_settings

    regulations = load_settings(config).regulations
    held: dict[Guideline, bool] = dict.fromkeys(regulations.guidelines, True)
    if adjournments is not None:
        held["I"] = adjournments
    if quickplay is not None:
        held["III"] = quickplay
    regulations = holding(
        regulations,
        (name for name, yes in held.items() if yes),
        unsupervised=regulations.unsupervised if unsupervised is None else unsupervised,
    )
    pairings = read_pairings(text_of(file), number)
    touching = _touching(pairings, tactile)
    for one in pairings:
        marks = [" (by touch)" if name in touching else "" for name in (one.white, one.black)]
        click.echo(f"{table_name(one)}: {one.white}{marks[0]} – {one.black}{marks[1]}")
    if not look:
        opened = asyncio.run(_open(pairings, touching, control, language, data, regulations, rated=not unrated))
        click.echo(f"{opened} tables opened. Start the server with: anna-eins serve")


def text_of(file: Path) -> str:
    """Return the text of a pairing file: UTF-8, else Latin-1. Raises Complaint."""
    try:
        with file.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as wrong:
        why = getattr(wrong, "strerror", None) or str(wrong)
        raise Complaint(f"{file} cannot be read ({why}); name a TRF or PGN file.") from wrong
    if len(raw) > MAX_BYTES:
        raise Complaint(f"{file} is longer than a pairing file can be.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _touching(pairings: tuple[Pairing, ...], wanted: tuple[str, ...]) -> frozenset[str]:
    """Return the full names of those who play by touch.

    Raises Complaint for a name that fits no player or several.
    """
    names = {name for one in pairings for name in (one.white, one.black)}
    found = set()
    for text in wanted:
        fitting = [name for name in names if name.casefold().startswith(text.strip().casefold())]
        if len(fitting) != 1:
            what = "nobody" if not fitting else f"{len(fitting)} players"
            raise Complaint(f"--tactile {text!r} fits {what} of this round; write the name as in the file.")
        found.add(fitting[0])
    return frozenset(found)


async def _open(
    pairings: tuple[Pairing, ...],
    touching: frozenset[str],
    control: str | None,
    language: str,
    data: Path | None,
    regulations: EventOptions,
    *,
    rated: bool,
) -> int:
    from server.game.values.words import SeatKind
    from server.hall.hall import Hall
    from server.hall.rounds import Player, Wanted, open_round
    from server.machine.clock import SystemClock
    from server.machine.data_folder import DataFolder, chosen_folder

    def player(name: str) -> Player:
        kind = SeatKind.TACTILE if name in touching else SeatKind.SIGHTED
        return Player(name=name, kind=kind, language=language)

    wanted = tuple(
        Wanted(
            name=table_name(one),
            white=player(one.white),
            black=player(one.black),
            control=control or one.control,
            event=one.event,
            round=one.round,
            board=one.board,
        )
        for one in pairings
    )
    with DataFolder.open(chosen_folder(data), lock=True) as folder:
        hall = await Hall.open(folder, SystemClock())
        try:
            return len(await open_round(hall, wanted, rated=rated, regulations=regulations))
        finally:
            await hall.close()
