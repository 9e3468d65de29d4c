"""A round on the command line: `import` opens its tables, `cards`, `bulletin` and `results` write of it.

A round comes from TRF16, TRF26, or PGN that has only headers. Cards are made without a browser, while no server runs;
their codes rest until the arbiter lets them hold on the page of the cards.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from server.cli.terminal.words import JSON, answer_text, not_written, tell, tell_facts, wrong
from server.exports.chess960 import DRAWN, start_of
from server.hall.foreign_files.file_text import CodePageUnclear, code_pages, file_text
from server.hall.foreign_files.pairings import MOST_ROUNDS, Pairing, read_pairings, table_name
from server.machine.install.adding import shell_word
from speech.complaint import Complaint, Phrase
from speech.words.config_file import language_tags

if TYPE_CHECKING:
    from server.exports.handout import Card
    from server.hall.event_profile import EventProfile, KnownPlayer
    from server.hall.foreign_files.trf_results import EndedGame

MAX_BYTES = 4_000_000
SERVER = re.compile(r"(https?://(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?)/?")
PLAIN = re.compile(r"[^A-Za-z0-9_-]+")


@click.command("import", epilog="\b\nExample:\n  anna-eins import round.trf --tactile Anna --control 90+30")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--round", "number", type=click.IntRange(1, MOST_ROUNDS))
@click.option("--tactile", multiple=True, metavar="NAME")
@click.option("--low-vision", multiple=True, metavar="NAME")
@click.option("--hearing-impaired", multiple=True, metavar="NAME")
@click.option("--event", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--edition", metavar="NAME")
@click.option("--control", metavar="TIME")
@click.option("--chess960", metavar="START")
@click.option("--language")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--adjournments/--no-adjournments", default=None)
@click.option("--quickplay/--no-quickplay", default=None)
@click.option("--unsupervised/--supervised", default=None)
@click.option("--rated/--unrated", default=None)
@click.option("--encoding", type=click.Choice(code_pages().all), metavar="NAME")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--look", is_flag=True)
@JSON
def import_round(
    file: Path,
    number: int | None,
    tactile: tuple[str, ...],
    low_vision: tuple[str, ...],
    hearing_impaired: tuple[str, ...],
    event: Path | None,
    edition: str | None,
    control: str | None,
    chess960: str | None,
    language: str | None,
    config: Path | None,
    adjournments: bool | None,
    quickplay: bool | None,
    unsupervised: bool | None,
    rated: bool | None,
    encoding: str | None,
    data: Path | None,
    look: bool,
    as_json: bool,
) -> None:
    """Open a table for each pairing in FILE; `anna-eins serve` then has them."""
    from server.hall.rounds import control_stated

    profile = _profile(event, config, data)
    if edition is not None:
        profile = msgspec.structs.replace(profile, edition=edition)
    pairings = read_pairings(text_of(file, encoding), number)
    starts_by_lot = bool(chess960 or any(one.chess960 for one in pairings))
    held = {"I": adjournments, "II": starts_by_lot or None, "III": quickplay}
    regulations = _regulations(profile, held, unsupervised)
    spoken = {"language": language, "sighted_language": None if language is None else ""}
    given = {"control": control, "chess960": chess960, **spoken, "rated": rated, "event": regulations}
    settled = {key: value for key, value in given.items() if value is not None}
    profile = msgspec.structs.replace(profile, **settled)
    profile = _with_players(profile, pairings, tactile, low_vision, hearing_impaired)
    controls = [control_stated(profile.control or one.control) for one in pairings]
    starts = [_start(one.chess960 or profile.chess960) for one in pairings]
    if not as_json:
        for one, played, start in zip(pairings, controls, starts, strict=True):
            click.echo(_line(one, played.text, start, profile))
    opened = 0 if look else asyncio.run(_open(pairings, data, profile))
    if as_json:
        boards = zip(pairings, controls, starts, strict=True)
        facts = [_facts(one, played.text, start, profile) for one, played, start in boards]
        tell_facts({"opened": opened, "tables": facts})
    elif not look:
        where = "" if data is None else f" --data {shell_word(str(data))}"
        tell("opened", number=opened, command=f"anna-eins serve{where}")


def _regulations(
    profile: EventProfile, held: Mapping[str, bool | None], unsupervised: bool | None
) -> dict[str, object]:
    """Return the regulations of an event with the guidelines that hold in this round; None: as the event has it."""
    guidelines: dict[str, bool] = dict.fromkeys(profile.regulations.guidelines, True)
    guidelines |= {name: yes for name, yes in held.items() if yes is not None}
    regulations = {**profile.event, "guidelines": sorted(name for name, yes in guidelines.items() if yes)}
    return regulations if unsupervised is None else {**regulations, "unsupervised": unsupervised}


def _start(written: str) -> str:
    """Return White's pieces in Chess960, or that lots are drawn; "" for the usual game. Raises Complaint."""
    drawn = written.strip().lower()
    if drawn in ("", DRAWN):
        return drawn
    return start_of(written, secrets.randbelow).placement.rpartition("/")[2]


def _line(one: Pairing, control: str, start: str, profile: EventProfile) -> str:
    """Return one table of a round as a line for the terminal."""
    marks = [_mark(profile.player(name)) for name in (one.white, one.black)]
    begun = f", Chess960 {start}" if start else ""
    return f"{table_name(one)}: {one.white}{marks[0]} – {one.black}{marks[1]}, {control}{begun}"


def _facts(one: Pairing, control: str, start: str, profile: EventProfile) -> dict[str, object]:
    """Return a table as programs read it."""
    sides: dict[str, object] = {}
    for side, name in (("white", one.white), ("black", one.black)):
        known = profile.player(name)
        sides[side] = {"name": name, "kind": known.kind.value, "hearing_impaired": known.hearing_impaired}
    place = {"table": table_name(one), "round": one.round, "board": one.board}
    return {**place, **sides, "control": control, "chess960": start}


def _profile(event: Path | None, config: Path | None, data: Path | None) -> EventProfile:
    """Return the profile that holds: the one named, else that of the named settings, else the one that is kept."""
    from server.cli.terminal.language import own_language
    from server.hall.event_profile import kept_profile, load_profile, of_settings
    from server.machine.data_folder import DataFolder, chosen_folder
    from server.settings import load_settings

    if event is not None:
        return load_profile(event)
    if config is not None:
        return of_settings(load_settings(config), own_language())
    return kept_profile(DataFolder(chosen_folder(data)), language=own_language())


def text_of(file: Path, encoding: str | None = None) -> str:
    """Return the text of a pairing file, and say by which code page its letters were read. Raises Complaint."""
    try:
        read = file_text(_bytes_of(file), encoding)
    except CodePageUnclear as unclear:
        raise wrong("letters_unclear", choices=unclear.named) from unclear
    if read.sample and encoding is None:
        tell("letters_read", page=read.encoding, sample=read.sample)
    return read.text


def _bytes_of(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as failed:
        raise wrong("not_read", place=str(file), why=getattr(failed, "strerror", None) or str(failed)) from failed
    if len(raw) > MAX_BYTES:
        raise wrong("too_long", place=str(file), most=MAX_BYTES // 1_000_000)
    return raw


def _with_players(
    profile: EventProfile,
    pairings: tuple[Pairing, ...],
    tactile: tuple[str, ...],
    low_vision: tuple[str, ...],
    hearing_impaired: tuple[str, ...],
) -> EventProfile:
    """Return the profile with what the command line says of players beside what it knows of them.

    Raises Complaint for a name that fits no player or several, or that is said to play in two ways.
    """
    from server.game.values.words import SeatKind

    touching = _players_of(pairings, tactile, "--tactile")
    seeing = _players_of(pairings, low_vision, "--low-vision")
    if both := touching & seeing:
        raise wrong("two_kinds", name=min(both))
    facts: list[tuple[frozenset[str], dict[str, object]]] = [
        (touching, {"kind": SeatKind.TACTILE}),
        (seeing, {"kind": SeatKind.LOW_VISION}),
        (_players_of(pairings, hearing_impaired, "--hearing-impaired"), {"hearing_impaired": True}),
    ]
    for names, holds in facts:
        for name in sorted(names):
            profile = profile.with_player(name, msgspec.structs.replace(profile.player(name), **holds))
    return profile


def _mark(known: KnownPlayer) -> str:
    """Return the mark behind a player's name: how they play, and that they are hearing-impaired."""
    kinds = {"tactile": "answer.tactile", "low-vision": "answer.low-vision"}
    marks = [answer_text(kinds[known.kind.value])] if known.kind.value in kinds else []
    marks += [answer_text("answer.hearing-impaired")] if known.hearing_impaired else []
    return f" ({', '.join(marks)})" if marks else ""


def _players_of(pairings: tuple[Pairing, ...], wanted: tuple[str, ...], option: str) -> frozenset[str]:
    """Return the full names of players of whom the command line has the names or their beginnings.

    A whole name is that player's, though another's begins with it. Raises Complaint for a name that fits no player or
    several.
    """
    from server.hall.event_profile import name_key

    names = {name for one in pairings for name in (one.white, one.black)}
    found = set()
    for text in wanted:
        begins = name_key(text)
        fitting = [name for name in names if name_key(name) == begins]
        fitting = fitting or [name for name in names if name_key(name).startswith(begins)]
        if len(fitting) != 1:
            raise wrong("fits_nobody", option=option, name=text)
        found.add(fitting[0])
    return frozenset(found)


async def _open(pairings: tuple[Pairing, ...], data: Path | None, profile: EventProfile) -> int:
    from server.cli.keeping.progress import progress_bar
    from server.hall.hall import Hall
    from server.hall.rounds import Player, Wanted, open_round
    from server.machine.clock import SystemClock
    from server.machine.data_folder import DataFolder, chosen_folder

    wanted = tuple(
        Wanted(
            name=table_name(one),
            white=Player(name=one.white),
            black=Player(name=one.black),
            control=profile.control or one.control,
            event=one.event,
            round=one.round,
            board=one.board,
            starts=one.starts,
            way=one.way,
            chess960=one.chess960,
        )
        for one in pairings
    )
    with DataFolder.open(chosen_folder(data), lock=True) as folder:
        hall = await Hall.open(folder, SystemClock())
        try:
            with progress_bar(answer_text("answer.opening")):
                return len(await open_round(hall, wanted, profile))
        finally:
            await hall.close()


@click.command("cards", epilog="\b\nExample:\n  anna-eins cards --address https://192.0.2.7:8443 --out cards.html")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", required=True)
@click.option("--address", required=True, metavar="URL")
@click.option("--round", "number", type=click.IntRange(1, MOST_ROUNDS))
@click.option("--table", metavar="NAME")
@click.option("--anew", is_flag=True)
@JSON
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
def cards(
    out: Path, address: str, number: int | None, table: str | None, anew: bool, as_json: bool, data: Path | None
) -> None:
    """Write the cards to FILE: a page to print (.html), or braille labels (.brf)."""
    from server.exports.handout import cards_page, cards_to_emboss

    if out.suffix not in (".html", ".brf"):
        raise wrong("cards_ending", file=str(out))
    if number is not None and table is not None:
        raise wrong("round_or_table")
    of = f"table:{table}" if table is not None else f"round:{number}" if number is not None else "all"
    base, none = _address(address), wrong("none_open")
    if table is not None:
        none = wrong("no_open_table")
    elif number is not None:
        none = wrong("no_open_round", round=number)
    made = asyncio.run(_cards(of, base, data, none, anew=anew))
    notes: list[str] = []
    text = cards_page(made) if out.suffix == ".html" else cards_to_emboss(made, notes)
    try:
        out.touch(mode=0o600)
        out.write_text(text, encoding="utf-8", newline="")
    except OSError as failed:
        raise not_written(out, failed) from failed
    for note in notes:
        click.echo(note, err=True)
    if as_json:
        tell_facts({"file": str(out), "cards": len(made)})
        return
    tell("cards_made", number=len(made))


def _address(written: str) -> str:
    """Return the address that a card sends a device to, without its last slash. Raises Complaint for any other text."""
    found = SERVER.fullmatch(written.strip())
    if found is None:
        raise Complaint(Phrase("station.no_address", address=written[:80], example="https://192.0.2.7:8443"))
    return found[1]


async def _cards(of: str, base: str, data: Path | None, none: Complaint, *, anew: bool) -> list[Card]:
    """Make the cards that are missing and return all. Raises `none` where no table has an unfinished game."""
    from server.hall.hall import Hall
    from server.machine.clock import SystemClock
    from server.machine.data_folder import DataFolder, chosen_folder
    from server.web.api.cards import cards_of, live_tables, places_of, tables_of
    from server.web.door.access import Access
    from server.web.door.seat_cards import SeatCards

    clock = SystemClock()
    with DataFolder.open(chosen_folder(data), lock=True) as folder:
        kept = SeatCards(folder.seat_cards, Access(clock))
        hall = await Hall.open(folder, clock)
        try:
            tables = tables_of(hall, of, tuple(hall.tables))
            if not tables:
                raise none
            await kept.make(places_of(hall, tables, every=anew), live_tables(hall), anew=anew)
            return cards_of(hall, kept, tables, base)
        finally:
            await hall.close()


@click.command("results", epilog="\b\nExample:\n  anna-eins results round.trf --out round-done.trf --round 5")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", required=True)
@click.option("--round", "number", type=click.IntRange(1, MOST_ROUNDS))
@click.option("--encoding", type=click.Choice(code_pages().all), metavar="NAME")
@JSON
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
def results(file: Path, out: Path, number: int | None, encoding: str | None, as_json: bool, data: Path | None) -> None:
    """Put the results of the tables into a copy of FILE, the TRF file that their pairings came from, in UTF-8.

    Where the name of the copy ends with .csv, it is a table of all its games.
    """
    from server.exports.reports.notices import rows_as_csv
    from server.hall.foreign_files.trf_results import games_in, with_results

    games = _ended_games(data, number)
    kept: list[str] = []
    made = with_results(text_of(file, encoding), games, kept)
    read_pairings(made, number)
    try:
        out.write_bytes(rows_as_csv(games_in(made)) if out.suffix == ".csv" else made.encode())
    except OSError as failed:
        raise not_written(out, failed, "other_out") from failed
    if as_json:
        tell_facts({"file": str(out), "results": games, "points_left": tuple(dict.fromkeys(kept))})
        return
    tell("results_in", number=len(games), file=str(out))
    if kept:
        tell("points_left", names="; ".join(dict.fromkeys(kept)))


def _ended_games(data: Path | None, number: int | None) -> list[EndedGame]:
    """Return the games of rounds that are over, of all tables on record. Raises Complaint where there is none."""
    from server.exports.exports import events_from
    from server.game.game import Game
    from server.hall.foreign_files.trf_results import EndedGame
    from server.hall.record import reader_of
    from server.journal.failure import JournalFailed

    found: list[EndedGame] = []
    try:
        with reader_of(data) as reader:
            tables = {table: reader.read(table) for table in reader.tables()}
    except JournalFailed as failed:
        raise wrong("other_data", why=str(failed)) from failed
    for table, entries in tables.items():
        state = Game.replay(events_from(entries, table))
        result, round = state.ending.result, state.table.round
        cancelled = state.table.next_game is not None
        if result and not cancelled and round.isdecimal() and number in (None, int(round)):
            white, black = state.table.white.name, state.table.black.name
            found.append(EndedGame(int(round), white, black, result.replace("½", "1/2"), state.table.board_number))
    if not found:
        raise wrong("no_game_over")
    return found


@click.command("bulletin", epilog="\b\nExample:\n  anna-eins bulletin 3 --out bulletin --language de")
@click.argument("number", metavar="ROUND")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", required=True)
@click.option("--language", type=click.Choice(language_tags()), default="en")
@JSON
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
def bulletin(number: str, out: Path, language: str, as_json: bool, data: Path | None) -> None:
    """Write all finished games of ROUND into the folder DIR: PDF, page (HTML), braille volume (BRF) and PGN.

    A server may be writing the records meanwhile.
    """
    from server.exports.exports import bulletin_from
    from server.exports.reports.bulletin import FORMS, in_form
    from server.hall.record import reader_of
    from server.journal.failure import JournalFailed
    from server.machine.clock import SystemClock

    try:
        with reader_of(data) as journal:
            tables = {name: journal.read(name) for name in journal.tables()}
    except JournalFailed as failed:
        raise wrong("other_data", why=str(failed)) from failed
    now = SystemClock().wall_ms()
    made = bulletin_from(tables, number, language, now)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for form in sorted(FORMS, key="pdf".__eq__):  # the PDF last: a slim install makes the others
            (out / f"round-{PLAIN.sub('-', number)[:40]}-{language}.{form}").write_bytes(in_form(made, form, now))
    except OSError as failed:
        raise not_written(out, failed) from failed
    if as_json:
        games = [{"title": one.title, "result": one.result} for one in made.games]
        missing = [{"why": why, "titles": titles} for why, titles in made.missing]
        tell_facts({"folder": str(out), "games": games, "missing": missing})
        return
    tell("bulletin_in", number=len(made.games), missing=made.left_out, folder=str(out))
    for why, titles in made.missing:
        click.echo(f"{why}: {'; '.join(titles)}.")


@click.command("notices", epilog="\b\nExample:\n  anna-eins notices 3 --out round-3.ics --day 2026-12-05 --language de")
@click.argument("number", metavar="ROUND")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", required=True)
@click.option("--day", default="", metavar="DATE")
@click.option("--language", type=click.Choice(language_tags()), default="en")
@JSON
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
def notices(number: str, out: Path, day: str, language: str, as_json: bool, data: Path | None) -> None:
    """Write the boards of ROUND into FILE: a table (.csv), a calendar (.ics) or a text for a message (.txt)."""
    from server.exports.exports import events_from
    from server.exports.reports.notices import FORMS, boards_of, day_asked, in_form
    from server.game.game import Game
    from server.hall.record import reader_of
    from server.journal.failure import JournalFailed
    from server.machine.clock import SystemClock

    form = out.suffix.removeprefix(".")
    if form not in FORMS:
        raise wrong("notices_ending", file=str(out))
    now = SystemClock().wall_ms()
    played = day_asked(day, now)
    try:
        with reader_of(data) as journal:
            states = {name: Game.replay(events_from(journal.read(name), name)) for name in journal.tables()}
    except JournalFailed as failed:
        raise wrong("other_data", why=str(failed)) from failed
    boards = boards_of(number, states)
    try:
        out.write_bytes(in_form(boards, form, language, played, now))
    except OSError as failed:
        raise not_written(out, failed, "other_out") from failed
    if as_json:
        tell_facts({"file": str(out), "boards": len(boards)})
        return
    tell("notices_in", number=len(boards), file=str(out))
