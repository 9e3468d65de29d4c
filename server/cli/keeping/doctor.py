"""`anna-eins doctor` says what works here, and how to get what does not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import click
import msgspec

from server.cli.terminal.language import own_language
from server.cli.terminal.words import PART, answer_text, in_own_words, words, wrong
from server.machine.checks import Check, Lacking, checks
from server.machine.data_folder import DataFolder, chosen_folder
from speech.complaint import Complaint, Phrase, told_by
from speech.models.whisper import in_home
from speech.words.catalogue import MEASURE, load_messages

LONGEST_CHECK_S = 30.0


class Finding(msgspec.Struct, frozen=True):
    """Result of trying one thing."""

    name: str
    ok: bool
    needed: bool
    """False where a game can be served without it."""
    mend: str
    """The way to get it, in one sentence; '' where it works."""
    found: str
    """Description of what is there."""


Say = Callable[[str | Phrase], str]


async def findings(data: Path, checks: Sequence[Check], say: Say = str) -> list[Finding]:
    """Try everything, one after the other; a check that fails does not stop the rest.

    `say`: puts what was found into words; English without it, as for programs.
    """
    return [await _finding(check, data, say) for check in checks]


async def _finding(check: Check, data: Path, say: Say) -> Finding:
    mend: str | Phrase = check.mend
    found: str | Phrase
    try:
        async with asyncio.timeout(LONGEST_CHECK_S):
            answer = check.look(data)
            found = answer if isinstance(answer, str | Phrase) else await answer
        return Finding(check.name, True, check.needed, "", say(found))
    except Lacking as lacking:
        found, mend = told_by(lacking), lacking.mend or check.mend
    except Complaint as complaint:
        found = complaint.told
    except TimeoutError:
        found = Phrase("check.no_answer", seconds=f"{LONGEST_CHECK_S:g}")
    except Exception as fault:  # anything broken here is a finding, not a fault of the doctor
        found = f"{type(fault).__name__}: {fault}"
    return Finding(check.name, False, check.needed, _sentence(say(mend)), " ".join(say(found).split()))


def _sentence(text: str) -> str:
    """Return a text as a sentence: from a capital to a full stop."""
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "։")) else ".")


def show(found: Sequence[Finding]) -> None:
    """Print the findings for a person, a line each.

    A screen reader reads lines better than columns.
    """
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for one in found:
        state, style = ("works", "green") if one.ok else ("missing", "bold red") if one.needed else ("absent", "yellow")
        seen = f" ({one.found.rstrip('.։')})."
        line = Text.assemble((one.name, "bold"), ": ", (answer_text(f"checked.{state}"), style), seen)
        if one.mend:
            line.append(f" {one.mend}")
        console.print(line, soft_wrap=True)
    missing = [one.name for one in found if one.needed and not one.ok]
    console.print(
        answer_text("checked.needed", names=", ".join(missing)) if missing else answer_text("checked.whole"),
        markup=False,
    )


def _sign(data: Path, config: Path | None, *, as_json: bool) -> None:
    """Print the page for a rated game.

    Raises Complaint where something was found that must not be there.
    """
    from server.machine.models.shelf import model_folders
    from server.machine.rated_sheet import ears_of_machine, inspect_machine, sheet_in_text
    from server.machine.version import program_version
    from server.settings import load_settings

    say = load_messages("en", part=PART).text if as_json else words().text
    home, program = in_home(Path.home), f"Anna Eins {program_version()}"
    folders = (data,) if home is None else (data, home)
    laws = _laws(data, config, MEASURE if as_json else own_language())
    shelf = DataFolder(data).models
    ears = ears_of_machine(shelf, model_folders(load_settings(config).vosk_models, shelf).values(), say)
    sheet = inspect_machine(datetime.now().astimezone(), folders, _sound_devices(say), program, say, laws, ears)
    click.echo(msgspec.json.encode(sheet).decode() if as_json else sheet_in_text(sheet, say), nl=as_json)
    if not sheet.clean:
        raise wrong("chess_program")


def _laws(data: Path, config: Path | None, language: str) -> list[str]:
    """Return by which edition of the Laws the event plays, what it settles otherwise, and which tables play by others.

    Only rated games that are not over count. Raises Complaint for settings or a profile that are wrong.
    """
    from server.exports.exports import events_from
    from server.game.game import Game
    from server.hall.event_profile import kept_profile
    from server.hall.record import reader_of
    from server.settings import load_settings
    from server.wording.rules import titles_of_edition

    profile = kept_profile(DataFolder(data), load_settings(config))
    lines = [f"{titles_of_edition(profile.edition)[language]} ({profile.edition})"]
    lines += [f"{name} = {value}" for name, value in profile.regulations.overrides]
    if not DataFolder(data).journal.exists():
        return lines
    others: dict[str, list[str]] = {}
    with reader_of(data) as reader:
        for name in reader.tables():
            state = Game.replay(events_from(reader.read(name), name))
            if state.table.rated and not state.over and state.table.rule_set != profile.edition:
                others.setdefault(state.table.rule_set, []).append(name)
    return lines + [f"{edition}: {', '.join(tables)}" for edition, tables in sorted(others.items())]


def _sound_devices(say: Callable[..., str]) -> list[str]:
    """Return the names of this machine's sound devices; one line where there is no sound library."""
    try:
        import sounddevice

        return [str(one["name"]) for one in sounddevice.query_devices()]
    except Exception:  # PortAudio may be missing or badly configured: the page then says so
        return [say("rated.no_sound")]


@click.command(epilog="\b\nExample:\n  anna-eins doctor --rated")
@click.option("--json", "as_json", is_flag=True)
@click.option("--data", type=click.Path(path_type=Path, file_okay=False))
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--rated", is_flag=True)
def command(as_json: bool, data: Path | None, config: Path | None, rated: bool) -> None:
    """Check what works on this machine, and say how to get the rest."""
    if rated:
        _sign(chosen_folder(data), config, as_json=as_json)
        return
    from server.machine.models.shelf import model_folders
    from server.settings import load_settings

    folder = chosen_folder(data)
    settings = load_settings(config)
    seats = [devices for table in settings.devices.values() for devices in table.values()]
    named = [name for one in seats for name in (one.microphone, one.headphones) if name is not None]
    tried = checks(model_folders(settings.vosk_models, DataFolder(folder).models), tuple(dict.fromkeys(named)))
    found = asyncio.run(findings(folder, tried, str if as_json else in_own_words))
    if as_json:
        click.echo(msgspec.json.encode(found).decode())
    else:
        show(found)
