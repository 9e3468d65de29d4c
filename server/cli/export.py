"""`anna-eins export` writes a table's game as PGN with clock times, from the record.

A server may be writing the record meanwhile.
"""

from __future__ import annotations

import asyncio
import hashlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from server.cli.terminal.words import answer_text, not_written, tell, wrong
from server.desk.comparing import made_within_limits
from server.exports.exports import claim_from, fair_play_from, pgn_from, protocol_from, scores_from
from server.game.values.words import Seat
from server.hall.live_table import deleted_sounds
from server.hall.record import reader_of
from server.journal.entry import Entry
from server.journal.failure import JournalFailed
from server.machine.data_folder import DataFolder, chosen_folder
from server.table.evidence.evidence import EvidenceChanged, SoundEvidence, sounds_on_record
from speech.words.config_file import language_tags

MOST_NAMED = 20


def record_of(data: Path | None, table: str) -> list[Entry]:
    """Return the record of a table.

    Where it is not whole, the terminal is told what was found. Raises Complaint: there is no journal, it cannot be
    read, or it has no such table.
    """
    try:
        with reader_of(data) as journal:
            envelopes, chain = journal.record(table)
            names = journal.tables() if not envelopes else []
    except JournalFailed as failed:
        raise wrong("other_data", why=str(failed)) from failed
    if envelopes:
        if chain.wrong:
            tell("not_whole", table=table, wrong=chain.wrong, err=True)
        return envelopes
    if not names:
        raise wrong("no_table_at_all", table=table)
    more = f" (+{len(names) - MOST_NAMED})" if len(names) > MOST_NAMED else ""
    raise wrong("no_table", table=table, names=", ".join(names[:MOST_NAMED]) + more)


def write_out(made: bytes, out: Path | None) -> None:
    """Write what was made into a file, or to the terminal as it is, whatever the terminal's own encoding.

    Raises Complaint where the file cannot be written.
    """
    if out is None:
        click.echo(made, nl=False)
        return
    try:
        out.write_bytes(made)
    except OSError as failed:
        raise not_written(out, failed, "other_out") from failed


def sounds_from(
    envelopes: list[Entry], table: str, data: Path | None, out: Path | None, sounds: str = ""
) -> tuple[str, bool]:
    """Write the kept sounds of a table into a folder, in the open, and say how each stands to the record (8.2).

    What is not the sound on record is not written; then the second value is False, and where one is missing that the
    record does not say was deleted, or is still sealed. `sounds`: the address of the common
    store, for those that another server kept.

    Raises Complaint: there is no folder to write to, no key opens the sounds, or one cannot be written.
    """
    from server.cli.serve import strongbox_of

    if out is None:
        raise wrong("sounds_folder")
    kept = DataFolder(chosen_folder(data))

    async def on_record(_: str) -> list[Entry]:
        return envelopes

    common = None
    if sounds:
        from server.table.evidence.bucket import bucket_of

        common = bucket_of(sounds)
    evidence = SoundEvidence(kept.root, box=strongbox_of(kept), common=common, on_record=on_record)
    named = sounds_on_record(envelopes)
    deleted = deleted_sounds(envelopes)
    found: dict[str, list[str]] = {how: [] for how in ("checked", "opened", "sealed", "deleted", "missing", "changed")}
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, kept_as in named.items():
            how, flac = _read(evidence, table, name)
            if flac is not None:
                (out / f"{name}.flac").write_bytes(flac)
                how = "checked" if hashlib.sha256(flac).hexdigest() in kept_as.hashes else "opened"
            found["deleted" if how == "missing" and name in deleted else how].append(name)
    except OSError as failed:
        raise not_written(out, failed) from failed
    return _sounds_told(found, out), not found["changed"] and not found["missing"]


def _sounds_told(found: Mapping[str, Sequence[str]], out: Path) -> str:
    """Return how many sounds were written, and the names of those that were not as the record has them."""
    whole = len(found["checked"]) + len(found["opened"])
    said = [answer_text("answer.sounds_written", number=whole, of=sum(map(len, found.values())), folder=str(out))]
    for how, key in (
        ("opened", "answer.sounds_opened"),
        ("sealed", "answer.sounds_sealed"),
        ("deleted", "answer.sounds_deleted"),
        ("missing", "answer.sounds_missing"),
        ("changed", "answer.sounds_changed"),
    ):
        if found[how]:
            said.append(answer_text(key, names=", ".join(found[how])))
    return " ".join(said)


def _read(evidence: SoundEvidence, table: str, name: str) -> tuple[str, bytes | None]:
    async def read() -> tuple[str, bytes | None]:
        flac = await evidence.read(table, name)
        return "sealed" if flac is None and await evidence.is_sealed(table, name) else "missing", flac

    try:
        return asyncio.run(read())
    except EvidenceChanged:
        return "changed", None
    except (OSError, ValueError):
        return "missing", None


@click.command("export", epilog="\b\nExample:\n  anna-eins export demo --what scores --format text")
@click.argument("table")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--what",
    type=click.Choice(["game", "scores", "fair-play", "claim", "protocol", "sounds"]),
    default="game",
)
@click.option("--sounds", default="", envvar="ANNA_EINS_SOUNDS", metavar="ADDRESS")
@click.option("--copy", type=click.Choice([seat.value for seat in Seat]))
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "text", "braille", "brf"]),
    default=None,
)
@click.option("--profile", default=None)
@click.option("--language", type=click.Choice(language_tags()), default="en")
def command(
    table: str,
    data: Path | None,
    out: Path | None,
    what: str,
    sounds: str,
    copy: str | None,
    form: str | None,
    profile: str | None,
    language: str,
) -> None:
    """Export the game of TABLE as PGN with the clock times, its scores, its sounds, or its reconciliations."""
    if what != "scores" and copy is not None:
        raise wrong("copy_of_scores")
    if what not in ("scores", "protocol") and (form is not None or profile is not None):
        raise wrong("format_of_scores")
    if what == "protocol" and form == "json":
        raise wrong("protocol_json", command="anna-eins report --json")
    envelopes = record_of(data, table)
    if what == "sounds":
        answer, unchanged = sounds_from(envelopes, table, data, out, sounds)
        click.echo(answer)
        if not unchanged:
            sys.exit(1)
        return
    if what == "scores":
        exported = scores_from(envelopes, table, copy, form or "json", profile)
    elif what == "protocol":
        exported = made_within_limits(
            lambda explain: protocol_from(
                envelopes, table, language, form or "text", profile, zone=None, explain=explain
            )
        )
    else:
        exported = {"game": pgn_from, "fair-play": fair_play_from, "claim": claim_from}[what](envelopes, table)
    write_out(exported.encode("utf-8"), out)
