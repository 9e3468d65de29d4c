"""`anna-eins export`: a table's game as PGN with clock times, from the record; a server may be writing it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from server.complaint import Complaint
from server.data_folder import chosen_folder
from server.exporting import pgn_of
from server.exporting_claim import claim_of
from server.exporting_scores import copy_for, scores_of
from server.fair_play import fair_play
from server.journal.envelope import Envelope
from server.journal.failure import JournalFailed
from server.journal.reader import JournalReader
from server.play.events import AnyEvent, GameStarted
from server.play.game import Game
from server.play.values import Seat

MOST_NAMED = 20
STARTED = str(GameStarted.__struct_config__.tag)


def recorded(data: Path | None, table: str) -> list[Envelope]:
    """The record of a table. Raises Complaint: no journal there, it cannot be read, no such table."""
    try:
        with JournalReader.open(chosen_folder(data) / "journal.sqlite") as journal:
            envelopes = journal.read(table)
            names = journal.tables() if not envelopes else []
    except JournalFailed as wrong:
        raise Complaint(f"{wrong} Name another data folder with --data, or mend the file.") from wrong
    if envelopes:
        return envelopes
    if not names:
        raise Complaint(f"The journal has no table {table!r}, nor any other; name the data folder with --data.")
    shown = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
    raise Complaint(f"The journal has no table {table!r}; choose from {shown}.")


def events_from(envelopes: list[Envelope], table: str) -> list[AnyEvent]:
    """The events of a recorded table. Raises Complaint for events of a form that this program does not know."""
    try:
        return [msgspec.json.decode(envelope.body, type=AnyEvent) for envelope in envelopes]
    except msgspec.MsgspecError as wrong:
        raise Complaint(
            f"The record of table {table!r} cannot be read ({wrong}); use the program that wrote it."
        ) from wrong


def scores_from(envelopes: list[Envelope], table: str, copy: str | None) -> str:
    """Both scores as JSON for the organiser, or one player's copy as text (8.3). Raises Complaint."""
    events = events_from(envelopes, table)
    scores = scores_of(table, events)
    if copy is not None:
        return copy_for(scores, Seat(copy), allowed=Game.replay(events).regulations.player_copies)
    return msgspec.json.format(msgspec.json.encode(scores), indent=2).decode() + "\n"


def pgn_from(envelopes: list[Envelope], table: str) -> str:
    """The PGN of a recorded table; its date is the day (UTC) on which the game was started.

    Raises Complaint for events of a form that this program does not know.
    """
    events = events_from(envelopes, table)
    begun = next((envelope.wall_ms for envelope in envelopes if envelope.kind == STARTED), None)
    date = "????.??.??" if begun is None else f"{datetime.fromtimestamp(begun / 1000, UTC):%Y.%m.%d}"
    return pgn_of(Game.replay(events), date)


def claim_from(envelopes: list[Envelope], table: str) -> str:
    """The claim that ended play without an arbiter, as JSON (III.6). Raises Complaint where there was none."""
    claim = claim_of(table, events_from(envelopes, table))
    return msgspec.json.format(msgspec.json.encode(claim), indent=2).decode() + "\n"


def fair_play_from(envelopes: list[Envelope], table: str) -> str:
    """Devices, incidents, private words and alerts as JSON. Raises Complaint as `pgn_from`."""
    try:
        events = [(envelope, msgspec.json.decode(envelope.body, type=AnyEvent)) for envelope in envelopes]
    except msgspec.MsgspecError as wrong:
        raise Complaint(
            f"The record of table {table!r} cannot be read ({wrong}); use the program that wrote it."
        ) from wrong
    return msgspec.json.format(msgspec.json.encode(fair_play(table, events)), indent=1).decode() + "\n"


@click.command("export")
@click.argument("table")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the records.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write here instead of to the terminal.")
@click.option(
    "--what",
    type=click.Choice(["game", "scores", "fair-play", "claim"]),
    default="game",
    help="The game, both scores, the logs for fair play, or a claim without an arbiter (JSON).",
)
@click.option("--copy", type=click.Choice([seat.value for seat in Seat]), help="With scores: one player's own copy.")
def command(table: str, data: Path | None, out: Path | None, what: str, copy: str | None) -> None:
    """Export the game of TABLE as PGN with the clock times, or its scores."""
    if copy is not None and what != "scores":
        raise Complaint("A copy is of a score; add --what scores.")
    envelopes = recorded(data, table)
    if what == "scores":
        exported = scores_from(envelopes, table, copy)
    else:
        exported = {"game": pgn_from, "fair-play": fair_play_from, "claim": claim_from}[what](envelopes, table)
    if out is None:
        # Bytes, so that names come out as UTF-8 whatever the terminal's own encoding is.
        click.echo(exported.encode("utf-8"), nl=False)
        return
    try:
        out.write_text(exported, encoding="utf-8")
    except OSError as wrong:
        raise Complaint(f"{out} cannot be written ({wrong.strerror}); choose another file with --out.") from wrong
