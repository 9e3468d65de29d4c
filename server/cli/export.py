"""`anna-eins export` writes a table's game as PGN with clock times, from the record.

A server may be writing the record meanwhile.
"""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import click
import msgspec

from server.exports.exports import claim_from, fair_play_from, pgn_from, protocol_from, scores_from
from server.game.values.words import Seat
from server.hall.record import reader_of
from server.journal.entry import Entry
from server.journal.failure import JournalFailed
from server.machine.data_folder import DataFolder, chosen_folder
from server.table.evidence import SoundEvidence
from speech.complaint import Complaint
from speech.words.loading import language_tags

MOST_NAMED = 20


def recorded(data: Path | None, table: str) -> list[Entry]:
    """Return the record of a table.

    Where it is not whole, the terminal is told what was found. Raises Complaint: there is no journal, it cannot be
    read, or it has no such table.
    """
    try:
        with reader_of(data) as journal:
            envelopes, chain = journal.record(table)
            names = journal.tables() if not envelopes else []
    except JournalFailed as wrong:
        raise Complaint(f"{wrong} Name another data folder with --data, or mend the file.") from wrong
    if envelopes:
        if chain.wrong:
            click.echo(f"The record of table {table} is not whole: {chain.wrong}.", err=True)
        return envelopes
    if not names:
        raise Complaint(f"The journal has no table {table!r}, nor any other; name the data folder with --data.")
    shown = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
    raise Complaint(f"The journal has no table {table!r}; choose from {shown}.")


def write_out(made: bytes, out: Path | None) -> None:
    """Write what was made into a file, or to the terminal as it is, whatever the terminal's own encoding.

    Raises Complaint where the file cannot be written.
    """
    if out is None:
        click.echo(made, nl=False)
        return
    try:
        out.write_bytes(made)
    except OSError as wrong:
        raise Complaint(f"{out} cannot be written ({wrong.strerror}); choose another file with --out.") from wrong


def sounds_from(envelopes: list[Entry], table: str, data: Path | None, out: Path | None) -> str:
    """Write the kept sounds of a table into a folder, in the open, and say how each stands to the record (8.2).

    Raises Complaint: there is no folder to write to, no key opens the sounds, or one cannot be written.
    """
    from server.cli.serve import strongbox_of

    if out is None:
        raise Complaint("Sounds need a folder: name one with --out.")
    kept = DataFolder(chosen_folder(data))
    evidence = SoundEvidence(kept.root, box=strongbox_of(kept))
    bodies = [msgspec.json.decode(one.body, type=_Sounded) for one in envelopes]
    named = {one.utterance: one.sha256 for one in bodies if one.utterance and one.sha256}
    found: dict[str, list[str]] = {"checked": [], "unlike": [], "missing": []}
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, sha256 in named.items():
            flac = _read(evidence, table, name)
            if flac is not None:
                (out / f"{name}.flac").write_bytes(flac)
            same = flac is not None and hashlib.sha256(flac).hexdigest() == sha256
            found["missing" if flac is None else "checked" if same else "unlike"].append(name)
    except OSError as wrong:
        raise Complaint(f"The sounds cannot be written to {out} ({wrong.strerror}).") from wrong
    told = [f"{len(found['checked'])} of {len(named)} sounds were written to {out}, as the record has them."]
    if found["unlike"]:
        told.append(f"Unlike the record, or from an opened envelope: {', '.join(found['unlike'])}.")
    if found["missing"]:
        told.append(f"Not there, still sealed, or not to be opened: {', '.join(found['missing'])}.")
    return " ".join(told)


def _read(evidence: SoundEvidence, table: str, name: str) -> bytes | None:
    try:
        return asyncio.run(evidence.read(table, name))
    except (OSError, ValueError):
        return None


class _Sounded(msgspec.Struct, frozen=True):
    """This is what an event says of a sound; None where it says nothing."""

    utterance: str | None = None
    sha256: str | None = None


@click.command("export", epilog="\b\nExample:\n  anna-eins export demo --what scores --format text")
@click.argument("table")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the records.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write here instead of to the terminal.")
@click.option(
    "--what",
    type=click.Choice(["game", "scores", "fair-play", "claim", "protocol", "sounds"]),
    default="game",
    help="The game, both scores, the logs for fair play, a claim without an arbiter (JSON), reconciliations, sounds.",
)
@click.option("--copy", type=click.Choice([seat.value for seat in Seat]), help="With scores: one player's own copy.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "text", "braille", "brf"]),
    default=None,
    help="With scores (json) and protocol (text): for programs, to print, in Unicode braille, or a BRF file to emboss.",
)
@click.option("--profile", default=None, help="In braille: the code; each player's own if not given.")
@click.option("--language", type=click.Choice(language_tags()), default="en", help="With protocol: of the words.")
def command(
    table: str,
    data: Path | None,
    out: Path | None,
    what: str,
    copy: str | None,
    form: str | None,
    profile: str | None,
    language: str,
) -> None:
    """Export the game of TABLE as PGN with the clock times, its scores, its sounds, or its reconciliations."""
    if what != "scores" and copy is not None:
        raise Complaint("A copy is of scores; add --what scores.")
    if what not in ("scores", "protocol") and (form is not None or profile is not None):
        raise Complaint("A format and a braille code are of scores and protocols; add --what scores.")
    if what == "protocol" and form == "json":
        raise Complaint("A protocol is text, braille or brf; the report has it as JSON (anna-eins report --json).")
    envelopes = recorded(data, table)
    if what == "sounds":
        click.echo(sounds_from(envelopes, table, data, out))
        return
    if what == "scores":
        exported = scores_from(envelopes, table, copy, form or "json", profile)
    elif what == "protocol":
        exported = protocol_from(envelopes, table, language, form or "text", profile, zone=None)
    else:
        exported = {"game": pgn_from, "fair-play": fair_play_from, "claim": claim_from}[what](envelopes, table)
    write_out(exported.encode("utf-8"), out)
