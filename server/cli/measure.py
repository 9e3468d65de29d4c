"""`anna-eins measure FOLDER` says how well recordings of people are heard, person by person.

The folder holds WAV or FLAC files and `table.tsv`: a line for each file with its name, who speaks (a code, no name),
the language of the words, and what was said as one would type it ("Springer Felix drei"); nothing where the sound is
talk that is not for the program. With several ears (`--engine own,whisper,auto`) each hears the same sounds, and the
table has a column for each. Nothing of it is learnt from or kept.
"""

from __future__ import annotations

import asyncio
import csv
import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table

from server.cli.keeping import progress
from server.cli.terminal.words import answer_text, in_own_words
from server.machine.data_folder import DataFolder, chosen_folder
from server.machine.models.shelf import engines_with, model_folders
from server.wording.words import announcement_of
from speech.announcements.understand import said_of_text, understand
from speech.audio.flac import decode_flac
from speech.audio.wav import read_wav, resample_sound
from speech.complaint import Complaint, Phrase, told_by
from speech.hearing.hearing import ENGINES, Hearing, Verdict
from speech.hearing.shares import bounds, percent, rare
from speech.recognisers.pool import cores
from speech.recording.folder import COLUMNS, TABLE
from speech.words.loading import load_scheme
from speech.words.said import Heard
from speech.words.scheme import Scheme

LARGEST_TABLE = 2**24
TAKEN = ("accept", "confirm")
ALL = "all"
Meaning = tuple[object, ...]


class Recording(msgspec.Struct, frozen=True):
    """One line of the table.

    `meaning`: of what was said; None where it was nothing for the program.
    """

    file: Path
    person: str
    language: str
    meaning: Meaning | None


class Figures(msgspec.Struct):
    """Counts of one person, or of all.

    `n`: what was said to the program. `which`: where the player would be asked which of two squares it was;
    `one_of_two`: one of them was right. `again`: what was asked about in any way, or read back wrong, and is recorded
    once more by the same person. `talk`: sounds that were not for the program.
    """

    n: int = 0
    right: int = 0
    accepted_wrong: int = 0
    read_back_wrong: int = 0
    asked: int = 0
    which: int = 0
    one_of_two: int = 0
    again: int = 0
    right_again: int = 0
    accepted_wrong_again: int = 0
    talk: int = 0
    talk_as_move: int = 0
    talk_as_command: int = 0
    talk_accepted: int = 0

    def note(self, verdict: Verdict, truth: Meaning | None) -> bool:
        """Count one sound; return whether its speaker would have to say it again."""
        heard, taken = meaning_of(verdict.heard), verdict.verdict in TAKEN
        if truth is None:
            self.talk += 1
            self.talk_as_move += taken and verdict.heard.kind == "move"
            self.talk_as_command += taken and verdict.heard.kind == "command"
            self.talk_accepted += verdict.verdict == "accept" and heard is not None
            return False
        self.n += 1
        if verdict.two_squares:
            self.which += 1
            self.one_of_two += truth in [meaning_of(understand(chain)) for chain in verdict.two_squares]
            return True
        self.right += taken and heard == truth
        self.accepted_wrong += verdict.verdict == "accept" and heard != truth
        self.read_back_wrong += verdict.verdict == "confirm" and heard != truth
        self.asked += not taken
        return not taken or (verdict.verdict == "confirm" and heard != truth)

    def note_again(self, verdict: Verdict, truth: Meaning) -> None:
        """Count what became of one that was said once more."""
        right = meaning_of(verdict.heard) == truth
        self.again += 1
        self.right_again += verdict.verdict in TAKEN and right
        self.accepted_wrong_again += verdict.verdict == "accept" and not right


def meaning_of(heard: Heard) -> Meaning | None:
    """Return the meaning that counts: squares, promotion, castling, the piece ("Anna vier" is the pawn's)."""
    if heard.kind == "move" and heard.said is not None:
        meant = announcement_of(heard.said)
        return meant.piece_meant, meant.from_square, meant.to_square, meant.promotion, meant.castling
    return ("command", heard.command) if heard.kind == "command" else None


def read_table(folder: Path, scheme_name: str) -> list[Recording]:
    """Return the recordings that the folder's table names. Raises Complaint naming the line."""
    path = folder / TABLE
    try:
        if path.stat().st_size > LARGEST_TABLE:
            raise Complaint(Phrase("recordings.too_long", file=path, most=LARGEST_TABLE // 2**20))
        lines = list(csv.DictReader(path.read_text("utf-8-sig").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
    except (OSError, UnicodeDecodeError):
        raise Complaint(Phrase("recordings.unread", file=path, columns=", ".join(COLUMNS))) from None
    if not lines or not set(COLUMNS) <= set(lines[0]):
        raise Complaint(Phrase("recordings.columns", file=path, columns=", ".join(COLUMNS)))
    return [_recording(folder.resolve(), number, line, scheme_name) for number, line in enumerate(lines, 2)]


def _recording(folder: Path, number: int, line: dict[str, str | None], scheme_name: str) -> Recording:
    file, person, language, said = ((line[name] or "").strip() for name in COLUMNS)
    path = (folder / file).resolve()
    if not path.is_relative_to(folder) or path.suffix.lower() not in (".wav", ".flac"):
        raise Complaint(Phrase("recordings.no_sound_file", line=number, file=file))
    if not person or person == ALL:
        raise Complaint(Phrase("recordings.no_person", line=number, all=ALL))
    try:
        meaning = meaning_of(said_of_text(said, _scheme(scheme_name, language))) if said else None
    except Complaint as wrong:
        raise Complaint(Phrase("recordings.line", line=number, why=told_by(wrong))) from wrong
    if said and meaning is None:
        raise Complaint(Phrase("recordings.not_said", line=number, said=said))
    return Recording(path, person, language, meaning)


@cache
def _scheme(name: str, language: str) -> Scheme:
    return load_scheme(name, language)


def sound_of(file: Path) -> bytes:
    """Return a recording as mono s16le, 16 kHz. Raises Complaint."""
    if file.suffix.lower() == ".wav":
        return read_wav(file).pcm
    try:
        return resample_sound(decode_flac(file.read_bytes())).pcm
    except OSError:
        raise Complaint(Phrase("recordings.no_file", file=file)) from None


async def figures_by_person(
    recordings: Sequence[Recording],
    hearing: Hearing,
    scheme_name: str,
    hear_of: Callable[[int, int], None] = lambda done, of: None,
) -> dict[str, Figures]:
    """Return the figures of each person, in the order of the table, then those of all.

    What would have to be said again is heard together with the same person's next recording of the same words, as a
    player's repetition is; that recording counts by itself too. `hear_of` is told how many are done. Raises Complaint.
    """
    found = {one.person: Figures() for one in recordings} | {ALL: Figures()}
    turn = asyncio.Semaphore(cores())
    heard = itertools.count(1)

    async def hear(one: Recording, after: Verdict | None = None) -> Verdict:
        async with turn:
            pcm = await asyncio.to_thread(sound_of, one.file)
            verdict = await hearing.hear(pcm, _scheme(scheme_name, one.language), after=after)
            hear_of(min(next(heard), len(recordings)), len(recordings))
            return verdict

    verdicts = await asyncio.gather(*map(hear, recordings))
    for place, (one, first) in enumerate(zip(recordings, verdicts, strict=True)):
        counts = (found[one.person], found[ALL])
        repeats = [each.note(first, one.meaning) for each in counts]
        if not any(repeats) or one.meaning is None:
            continue
        later = next((two for two in recordings[place + 1 :] if _same(one, two)), None)
        if later is not None:
            doubted = first.verdict == "repeat" and first.heard.unclear is None
            after = first if doubted or first.two_squares else None
            verdict = await hear(later, after)
            for each in counts:
                each.note_again(verdict, one.meaning)
    return found


def _same(one: Recording, two: Recording) -> bool:
    return (one.person, one.language, one.meaning) == (two.person, two.language, two.meaning)


HEADINGS = (
    *("said", "right", "accepted_wrong", "read_back_wrong", "asked_again", "asked_which"),
    *("right_again", "talk", "as_move", "as_command"),
)
"""The columns of the table after that of the person; their words are in `measured` of the command line's."""
EARS = {"auto": "ear_auto", "own": "ear_own", "vosk": "ear_vosk", "whisper": "ear_whisper"}
"""Engine -> the words for it there, over its column."""


def cells_of_figures(one: Figures) -> tuple[str, ...]:
    """Return the figures in the order of `HEADINGS`.

    Shares are in percent with Wilson's 95 % interval; what must not happen is a count.
    """
    return (
        *(str(one.n), percent(one.right, one.n), rare(one.accepted_wrong, one.n)),
        *(rare(one.read_back_wrong, one.n), percent(one.asked, one.n), f"{one.one_of_two} / {one.which}"),
        percent(one.right_again, one.again),
        *(str(one.talk), rare(one.talk_as_move, one.talk), rare(one.talk_as_command, one.talk)),
    )


def figures_table(found: dict[str, Figures]) -> Table:
    """Return the figures of one ear, or of several together, as a table: a line for each person."""
    table = Table(caption=answer_text("measured.caption"))
    table.add_column(answer_text("measured.person"), overflow="fold")
    for heading in HEADINGS:
        table.add_column(answer_text(f"measured.{heading}"), justify="right")
    for person, one in found.items():
        table.add_row(person, *cells_of_figures(one), end_section=person == list(found)[-2])
    return table


def side_by_side(found: Mapping[str, dict[str, Figures]]) -> Table:
    """Return the figures of several ears as one table: a column for each, and for each person a line a figure."""
    table = Table(caption=answer_text("measured.caption"))
    table.add_column(answer_text("measured.person"), overflow="fold")
    table.add_column(answer_text("measured.figure"), overflow="fold")
    for engine in found:
        table.add_column(answer_text(f"measured.{EARS[engine]}"), justify="right")
    for person in next(iter(found.values())):
        each = [cells_of_figures(one[person]) for one in found.values()]
        for place, heading in enumerate(HEADINGS):
            name = "" if place else person
            cells = [one[place] for one in each]
            table.add_row(name, answer_text(f"measured.{heading}"), *cells, end_section=heading == HEADINGS[-1])
    return table


WIDE, HIGH, LEFT = 480, 22, 150


def plot(found: dict[str, Figures]) -> str:
    """Return an SVG: for each person a point for the share right at once, and a line for its interval."""
    people = [(person, one) for person, one in found.items() if one.n]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDE + 20}" height="{HIGH * (len(people) + 2)}"'
        ' font-family="sans-serif" font-size="12" role="img">',
        f"<title>{escape(answer_text('measured.picture'))}</title>",
    ]
    for share in range(0, 101, 20):
        at = LEFT + WIDE * share / 100
        lines.append(f'<path d="M{at:g} {HIGH}V{HIGH * (len(people) + 1)}" stroke="#ccc"/>')
        lines.append(f'<text x="{at:g}" y="14" text-anchor="middle">{share}</text>')
    for number, (person, one) in enumerate(people, 1):
        low, high = bounds(one.right, one.n)
        y, at = HIGH * (number + 0.5), LEFT + WIDE * one.right / one.n
        lines.append(f'<text x="{LEFT - 8}" y="{y + 4:g}" text-anchor="end">{escape(person)} ({one.n})</text>')
        lines.append(f'<path d="M{LEFT + WIDE * low:g} {y:g}H{LEFT + WIDE * high:g}" stroke="#000" stroke-width="2"/>')
        lines.append(f'<circle cx="{at:g}" cy="{y:g}" r="4"/>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def engines_of(named: str) -> tuple[str, ...]:
    """Return the engines of `--engine own,whisper,auto`, each once. Raises Complaint for one that there is not."""
    found = tuple(dict.fromkeys(one.strip() for one in named.split(",")))
    for engine in found:
        if engine not in ENGINES:
            raise Complaint(Phrase("hearing.no_engine", engine=engine, known=", ".join(ENGINES)))
    return found


def of_all_ears(found: Mapping[str, dict[str, Figures]]) -> dict[str, Figures]:
    """Return the figures of each person by each ear, person after person, for the picture."""
    ears = {answer_text(f"measured.{EARS[engine]}"): one for engine, one in found.items()}
    people = next(iter(found.values()))
    return {f"{person}, {ear}": one[person] for person in people for ear, one in ears.items()}


async def _measure(recordings: Sequence[Recording], hearing: Hearing, scheme_name: str) -> dict[str, Figures]:
    try:
        await hearing.start()
        for fault in hearing.faults:
            click.echo(in_own_words(fault), err=True)
        with progress.progress_bar(answer_text("answer.hearing_recordings")) as hear_of:
            return await figures_by_person(recordings, hearing, scheme_name, hear_of)
    finally:
        await hearing.close()


@click.command(epilog="\b\nExample:\n  anna-eins measure recordings --plot heard.svg")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--engine", default="auto", show_default=True, metavar=f"[{'|'.join(ENGINES)}][,...]")
@click.option("--scheme", "scheme_name", default="d21", show_default=True, metavar="NAME")
@click.option("--model", default=None, metavar="DIR")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--plot", "picture", type=click.Path(path_type=Path), metavar="FILE.svg")
@click.option("--json", "as_json", is_flag=True)
def command(
    folder: Path,
    engine: str,
    scheme_name: str,
    model: str | None,
    data: Path | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Say how well the recordings of a folder are heard, person by person: see table.tsv in docs/hearing.md."""
    recordings = read_table(folder, scheme_name)
    engines = engines_of(engine)
    if model is not None and len(engines) > 1:
        raise Complaint(Phrase("recordings.one_model"))
    shelf = DataFolder(chosen_folder(data)).models
    kept = model_folders({}, shelf)
    ears = {name: Hearing(engines_with(name, model, kept, shelf), patient=True) for name in engines}
    found = {name: asyncio.run(_measure(recordings, one, scheme_name)) for name, one in ears.items()}
    alone = next(iter(found.values()))
    if picture is not None:
        every = alone if len(found) == 1 else of_all_ears(found)
        picture.write_text(plot(every), encoding="utf-8")
    if as_json:
        click.echo(msgspec.json.encode(alone if len(found) == 1 else found).decode())
    else:
        Console().print(figures_table(alone) if len(found) == 1 else side_by_side(found))
