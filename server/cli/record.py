"""`anna-eins record FOLDER` leads a volunteer through recordings that `anna-eins measure FOLDER` then measures.

`record prepare` and `record copy` have to do with another record, that of a hall: they make it ready on PostgreSQL, and
copy it from one place to another.

For the volunteer, first comes a consent, and nothing is recorded without it. Then come announcements, letters, commands
and free talk, each on the disk before the next is asked for; the same command goes on where somebody stopped.
"""

from __future__ import annotations

import asyncio
import datetime
import random
import zlib
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from server.cli.terminal.words import JSON, answer_text, tell, tell_facts, wrong
from speech.complaint import Complaint, Phrase
from speech.recording.folder import RecordingFolder
from speech.recording.plan import LONGEST_TALK_S, MOST_ANNOUNCEMENTS, PARTS, Part, Plan, Wish, draw_plan
from speech.words.config_file import language_tags
from speech.words.scheme import Scheme


def plan_in(folder: RecordingFolder, asked: dict[str, object]) -> Plan:
    """Return the plan the person began with, or a new one. `asked`: what the command line says of a wish.

    Raises Complaint where the folder has another plan than the one that is asked for.
    """
    from speech.words.loading import load_scheme

    begun = folder.plan()
    if begun is None:
        seed = zlib.crc32(folder.person.encode()) % 10_000
        wish = msgspec.convert({"language": "de", "scheme": "d21", "seed": seed} | asked, Wish)
        scheme = load_scheme(wish.scheme, wish.language)
        folder.check_scheme(wish.scheme)
        folder.check_new()
        return draw_plan(wish, scheme, random.Random(wish.seed))  # noqa: S311 - prompts, no secrets
    other = [name for name, value in asked.items() if getattr(begun.wish, name) != value]
    if other:
        named = ", ".join(f"{name} {_shown_value(getattr(begun.wish, name))}" for name in other)
        raise Complaint(Phrase("folder.other_plan", person=folder.person, folder=folder.path, plan=named))
    return begun


def _shown_value(value: object) -> str:
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


async def lead_volunteer(
    folder: RecordingFolder, plan: Plan, scheme: Scheme, microphone: str | None, speaker: str | None, *, quiet: bool
) -> None:
    """Lead the volunteer from the consent to the last prompt, or to where they stop. Raises Complaint."""
    from server.stations.terminal_keys import TerminalKeys
    from server.stations.volunteer import CONSENT_VERSION, Guide, Mouth, Stopped
    from speech.audio.devices import Player, PlayingIds, capture
    from speech.voices.pyttsx3_voice import Pyttsx3Voice

    playing = PlayingIds()
    voice = None if quiet else Pyttsx3Voice()
    keys = TerminalKeys()
    guide = Guide(scheme, folder, keys, Mouth(voice, Player(speaker, playing)), click.echo)
    try:
        if not folder.has_agreed(CONSENT_VERSION):
            today = datetime.datetime.now(datetime.UTC).date().isoformat()
            if not await guide.asked_for_consent(today):
                return
        folder.begin(plan)
        folder.mend(plan)
        try:
            with keys.at_once():
                async with capture(microphone, playing) as opened:
                    await guide.lead(plan, opened)
        except Stopped:
            pass
        done, of = len(folder.prompts_recorded(plan)), len(plan.prompts)
        await guide.tell_to_the_end("lead.done" if done == of else "lead.left", number=done, of=of)
        measuring = f"anna-eins measure {folder.path} --scheme {plan.wish.scheme}"
        await guide.tell_to_the_end("lead.measure", command=measuring)
    finally:
        if voice is not None:
            await voice.close()


EXAMPLE = "\b\nExample:\n  anna-eins record volunteer recordings --person p1 --language de"


class _RecordGroup(click.Group):
    """Group that takes an argument which is no subcommand for the folder of a volunteer."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["volunteer", *args]
        return super().parse_args(ctx, args)


@click.group("record", cls=_RecordGroup, epilog=EXAMPLE)
def command() -> None:
    """Record a volunteer for `measure` (record FOLDER), or prepare and copy the record of a hall."""


@command.command(
    "prepare",
    epilog="\b\nExample:\n  anna-eins record prepare postgresql://postgres@db.example.org/hall --role anna",
)
@click.argument("address")
@click.option("--role", default="anna_eins", show_default=True, metavar="NAME")
@JSON
def prepare(address: str, role: str, as_json: bool) -> None:
    """Make the database at ADDRESS ready for a hall, once, as its administrator: see docs/scaling.md."""
    from server.cli.keeping.hall import administrators_database

    database = administrators_database(address)
    from server.journal.postgresql.schema import has_role
    from server.journal.postgresql.schema import prepare_database as make_ready

    password = ""
    if not has_role(database, role):
        question = answer_text("ask.new_password", role=role)
        password = click.prompt(question, hide_input=True, confirmation_prompt=True, default="", show_default=False)
    make_ready(database, role, password)
    if as_json:
        tell_facts({"database": database.shown, "role": role})
        return
    tell("database_ready", database=database.shown, role=role)


@command.command("copy", epilog="\b\nExample:\n  anna-eins record copy data postgresql://anna@db.example.org/hall")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@JSON
def copy(source: str, target: str, as_json: bool) -> None:
    """Copy the record of a hall FROM a data folder or address TO another, and prove that both are equal.

    The server of FROM may go on meanwhile; the same command adds later what came since.
    """
    from server.hall.copying import copy_record

    tables = asyncio.run(copy_record(source, target))
    if as_json:
        tell_facts(tables)
        return
    for one in tables:
        tell("table_copied", table=one.table, events=one.events, added=one.added, last=one.last)
    tell("record_copied", number=len(tables))


@command.command(
    "servers", epilog="\b\nExample:\n  anna-eins record servers postgresql://anna@db.example.org/hall --away-from 1"
)
@click.argument("address")
@click.option("--table", "tables", multiple=True, metavar="NAME")
@click.option("--to", type=click.IntRange(1), metavar="N")
@click.option("--away-from", type=click.IntRange(1), metavar="N")
@click.option("--evenly", is_flag=True)
@JSON
def servers(
    address: str, tables: tuple[str, ...], to: int | None, away_from: int | None, evenly: bool, as_json: bool
) -> None:
    """Show which server leads which table of the hall at ADDRESS, or hand tables over while their clocks run."""
    from server.hall.record import database_of
    from server.hall.servers.sharing import handed_over

    if bool(tables) != (to is not None) or bool(tables) + (away_from is not None) + evenly > 1:
        raise wrong("name_servers")
    found = handed_over(database_of(address), tables, to, away_from, evenly=evenly)
    if as_json:
        tell_facts([{"number": one.number, "addresses": one.addresses, "tables": one.tables} for one in found])
        return
    for one in found:
        where, tables_led = _where(one.addresses), len(one.tables)
        if one.tables:
            names = ", ".join(one.tables)
            tell("server_leads", number=one.number, where=where, tables=tables_led, names=names)
        else:
            tell("server", number=one.number, where=where, tables=tables_led)


def _where(addresses: Sequence[str] | None) -> str:
    """Return where a server of a hall is; None: it is gone."""
    return (
        answer_text("answer.server_gone")
        if addresses is None
        else ", ".join(addresses) or answer_text("answer.server_starting")
    )


@command.command("volunteer", epilog=EXAMPLE)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--person", default="p01", show_default=True, metavar="CODE")
@click.option("--language", default=None, metavar=f"[{'|'.join(language_tags())}]")
@click.option("--scheme", default=None, metavar="NAME")
@click.option("--announcements", type=click.IntRange(0, MOST_ANNOUNCEMENTS))
@click.option("--talk", "talk_s", type=click.IntRange(1, LONGEST_TALK_S))
@click.option("--only", multiple=True, type=click.Choice(PARTS))
@click.option("--seed", type=click.IntRange(0))
@click.option("--microphone", default=None, metavar="DEVICE")
@click.option("--speaker", default=None, metavar="DEVICE")
@click.option("--quiet", is_flag=True)
def volunteer(
    folder: Path,
    person: str,
    language: str | None,
    scheme: str | None,
    announcements: int | None,
    talk_s: int | None,
    only: tuple[Part, ...],
    seed: int | None,
    microphone: str | None,
    speaker: str | None,
    quiet: bool,
) -> None:
    """Lead a volunteer by voice and screen through recordings for `anna-eins measure`: see docs/hearing.md."""
    from speech.audio.devices import available, check_microphone
    from speech.words.catalogue import load_messages
    from speech.words.loading import load_scheme

    place = RecordingFolder(folder, person)
    place.check_writable()
    parts = tuple(part for part in PARTS if part in only) or None
    asked = {"language": language, "scheme": scheme, "announcements": announcements, "talk_s": talk_s, "parts": parts}
    asked["seed"] = seed
    plan = plan_in(place, {name: value for name, value in asked.items() if value is not None})
    sound = available()
    if not sound.ok:
        raise Complaint(Phrase("folder.no_recording", why=sound.reason, mend=sound.mend))
    check_microphone(microphone)
    words = load_scheme(plan.wish.scheme, plan.wish.language)
    try:
        asyncio.run(lead_volunteer(place, plan, words, microphone, speaker, quiet=quiet))
    except KeyboardInterrupt:
        click.echo(load_messages(words.language, part="recording").text("lead.interrupted"))
        raise click.Abort from None
