"""`anna-eins train` lets a player practise alone in the terminal: files, colours, reading, announcing, blind endings.

Each task is a few lines of at most forty cells, for a screen reader and a braille display, and is said aloud where that
is asked for. The answer is typed in the player's own words, letters or announcements. How much was right is kept for
the player alone, in a private file of the data folder, encrypted where the voice profiles are. The page `/training` has
the same exercises (`server/web/visitors/training.py`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import click

from server.cli.terminal.words import wrong
from server.game.exercises import KINDS, Kind, Progress, task_of, with_task
from server.game.game import Game
from server.journal.failure import JournalFailed
from server.journal.sqlite.reader import JournalReader
from server.machine.data_folder import DataFolder, chosen_folder
from server.machine.strongbox import Strongbox
from server.stations.practice import PracticeFile, judge_answer, load_endings, scores_told, task_in_words, to_say
from server.wording.words import scheme_of
from speech.announcements.cells import pages
from speech.complaint import Complaint
from speech.words.config_file import language_tags
from speech.words.scheme import Scheme

Teller = Callable[[str], None]


@click.command("train", epilog="\b\nExample:\n  anna-eins train --count 20 --language de")
@click.option("--kind", type=click.Choice(KINDS), multiple=True)
@click.option("--count", type=click.IntRange(1, 500), default=10, show_default=True)
@click.option("--language", type=click.Choice(language_tags()), default="de", show_default=True)
@click.option("--scheme", "words", default="d21", show_default=True)
@click.option("--name", default="", metavar="NAME")
@click.option("--aloud", is_flag=True)
@click.option("--seed", default="")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
def command(
    kind: tuple[str, ...],
    count: int,
    language: str,
    words: str,
    name: str,
    aloud: bool,
    seed: str,
    data: Path | None,
) -> None:
    """Practise alone: an empty line ends it. Not while a rated game is under way on this machine."""
    folder, scheme = DataFolder(chosen_folder(data)), scheme_of(words, language)
    file = PracticeFile(folder, name, _box(folder)) if name else None
    progress = file.read() if file is not None else Progress()
    kinds = cast("tuple[Kind, ...]", kind or KINDS)
    positions = load_endings()
    seed = seed or secrets.token_hex(8)
    with _telling(scheme, aloud=aloud) as tell:
        for number in range(count):
            _refuse_in_a_game(folder, scheme)  # one may have been started meanwhile
            task = task_of(kinds[number % len(kinds)], seed, number, positions)
            tell(task_in_words(task, scheme))
            try:
                answer = input("> ").strip()
            except EOFError:
                answer = ""
            if not answer:
                break
            right, told = judge_answer(task, answer, scheme)
            tell(told)
            progress = with_task(progress, task.kind, right=right)
            if file is not None:
                file.write(progress)
        for line in scores_told(progress, scheme):
            tell(line)


@contextmanager
def _telling(scheme: Scheme, *, aloud: bool) -> Iterator[Teller]:
    """Yield what shows a text in lines, and says it too where that is wished."""

    def show_text(text: str) -> None:
        for part in text.split("\n"):
            for line in pages(part):
                click.echo(line)

    if not aloud:
        yield show_text
        return
    with _voice(scheme) as say:

        def both(text: str) -> None:
            show_text(text)
            say(text)

        yield both


@contextmanager
def _voice(scheme: Scheme) -> Iterator[Teller]:
    """Yield what says a text in the headphones, to its end. Raises Complaint where nothing can be played."""
    from server.demo.mouth import loudspeaker
    from speech.process import ChildFailed
    from speech.voices.pyttsx3_voice import Pyttsx3Voice

    play, why = loudspeaker()
    if play is None:
        raise wrong("nothing_aloud", why=why)
    with asyncio.Runner() as runner:
        voice = Pyttsx3Voice()

        async def say_text(text: str) -> None:
            try:
                sound = await voice.render(to_say(text, scheme))
            except ChildFailed as failed:
                raise wrong("nothing_aloud", why=str(failed)) from failed
            await play(sound)

        try:
            yield lambda text: runner.run(say_text(text))
        finally:
            runner.run(voice.close())


def _refuse_in_a_game(folder: DataFolder, scheme: Scheme) -> None:
    """Raise Complaint while a rated game of this data folder is under way (11.3.1)."""
    if not folder.journal.exists():
        return
    from server.exports.exports import events_from

    try:
        with JournalReader.open(folder.journal) as journal:
            for name in journal.tables():
                state = Game.replay(events_from(journal.read(name), name))
                if state.table.rated and state.table.started and not state.over:
                    raise Complaint(scheme.messages.text("exercise.not_now"))
    except JournalFailed as failed:
        raise wrong("other_data", why=str(failed)) from failed


def _box(folder: DataFolder) -> Strongbox:
    from server.cli.serve import strongbox_of

    return strongbox_of(folder)
