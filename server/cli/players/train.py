"""`anna-eins train` lets a player practise alone in the terminal: files, colours, reading, announcing, blind endings.

Each task is a few lines of at most forty cells, for a screen reader and a braille display, and is said aloud where that
is asked for. The answer is typed in the player's own words, letters or announcements. How much was right is kept for
the player alone, in a private file of the data folder, encrypted where the voice profiles are.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import cast

import chess
import click
import msgspec

from server.cli.terminal.words import not_written, wrong
from server.game.exercises import (
    KINDS,
    Kind,
    Progress,
    Reply,
    Task,
    is_light,
    is_right,
    mating_moves,
    noted,
    on_move,
    piece_on,
    task_of,
)
from server.game.game import Game
from server.game.values.announcement import Announcement
from server.game.values.words import Seat
from server.journal.failure import JournalFailed
from server.journal.reader import JournalReader
from server.machine.data_folder import DataFolder, chosen_folder, write_private
from server.machine.strongbox import Strongbox
from server.wording.positions import position_text
from server.wording.typed import announcement_of_written, moves_of_any_text
from server.wording.words import announcement_of, canonical, scheme_of, text_in, typed
from speech.announcements.announce import announce, text_of
from speech.announcements.cells import pages
from speech.announcements.understand import words_of_text
from speech.complaint import Complaint
from speech.words.config_file import read_source
from speech.words.grammar import FILE_NAMES
from speech.words.loading import language_tags
from speech.words.scheme import Scheme
from speech.words.spelling import normal_form

LARGEST_PROGRESS = 100_000


class _Positions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    positions: tuple[str, ...]


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
    say = _voice(language) if aloud else None
    tell = _teller(say)
    box = _box(folder) if name else None
    file = folder.root / "training" / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.json"
    progress = _kept(file, box) if box is not None else Progress()
    kinds = cast("tuple[Kind, ...]", kind or KINDS)
    positions = read_source("games/endings.toml").shaped(_Positions).positions
    seed = seed or secrets.token_hex(8)
    for number in range(count):
        _refuse_in_a_game(folder, scheme)  # one may have been started meanwhile
        task = task_of(kinds[number % len(kinds)], seed, number, positions)
        tell(asked(task, scheme))
        try:
            answer = input("> ").strip()
        except EOFError:
            answer = ""
        if not answer:
            break
        right = is_right(task, understood(task, answer, scheme))
        told = "exercise.right" if right else "exercise.wrong"
        tell(scheme.messages.text(told, **({} if right else {"answer": solution(task, scheme)})))
        progress = noted(progress, task.kind, right=right)
        if box is not None:
            _keep(file, progress, box)
    for one in KINDS:
        score = progress.of(one)
        if score.asked:
            what = scheme.messages.text(f"exercise.{one}")
            tell(scheme.messages.text("exercise.score", what=what, right=score.right, asked=score.asked))


def asked(task: Task, scheme: Scheme) -> str:
    """Return a task as it is put to the player, in the player's words."""
    square = text_in(scheme.square(task.square), scheme) if task.square else ""
    match task.kind:
        case "names":
            return scheme.messages.text("exercise.ask_name", number="abcdefgh".index(task.square[0]) + 1)
        case "colours":
            return scheme.messages.text("exercise.ask_colour", square=square)
        case "announcing":
            piece = scheme.listener.notation.pieces[task.piece]
            return scheme.messages.text("exercise.ask_announce", move=f"{piece}{task.move[:2]}-{task.move[2:]}")
    position = position_text(task.fen.partition(" ")[0], scheme, by_square=False)
    if task.kind == "reading":
        return f"{position}\n{scheme.messages.text('exercise.ask_piece', square=square)}"
    white = on_move(task.fen) is Seat.WHITE
    return f"{position}\n{scheme.messages.text('exercise.ask_mate_white' if white else 'exercise.ask_mate_black')}"


def solution(task: Task, scheme: Scheme) -> str:
    """Return a right answer, in the player's words."""
    match task.kind:
        case "names":
            return text_in(scheme.square(task.square)[:1], scheme)
        case "colours":
            return scheme.messages.text("exercise.light" if is_light(task.square) else "exercise.dark")
        case "reading":
            return scheme.text(f"piece.{piece_on(task)}")
        case "announcing":
            said = Announcement(piece=task.piece, to_square=task.move[2:])  # type: ignore[arg-type]
            return text_in(canonical(said, scheme)[0], scheme)
    move = chess.Move.from_uci(mating_moves(task.fen)[0])
    return text_of(announce(chess.Board(task.fen), move, scheme))


def understood(task: Task, text: str, scheme: Scheme) -> Reply:
    """Return what a typed answer means for this task; nothing of it where it cannot be understood."""
    if task.kind == "colours":
        colours = {normal_form(scheme.messages.text(f"exercise.{one}")): one == "light" for one in ("light", "dark")}
        return Reply(light=colours.get(normal_form(text)))
    if task.kind in ("announcing", "endings"):
        return Reply(announcement=_announced(text, scheme))
    try:
        words = words_of_text(text, scheme, scheme_of("national", scheme.language))
    except Complaint:
        words = ()
    heads = [(word.partition(".")[0], word.partition(".")[2]) for word in words]
    file = next((name for kind, name in heads if kind in FILE_NAMES), "")
    piece = next((name for kind, name in heads if kind == "piece"), "")
    return Reply(file=file or (text.lower() if text.lower() in tuple("abcdefgh") else ""), piece=piece)


def _announced(text: str, scheme: Scheme) -> Announcement | None:
    try:
        heard = typed(text, scheme)
    except Complaint:
        heard = None
    if heard is not None and heard.said is not None:
        return announcement_of(heard.said)
    found = moves_of_any_text(text, scheme.language)
    if len(found) != 1:
        return None
    one = found[0]
    departure = f"{one.from_file}{one.from_rank}" if one.from_file and one.from_rank else None
    return announcement_of_written(one, departure)


def _teller(say: Callable[[str], None] | None) -> Callable[[str], None]:
    def tell(text: str) -> None:
        for part in text.split("\n"):
            for line in pages(part):
                click.echo(line)
        if say is not None:
            say(text.replace("\n", " "))

    return tell


def _voice(language: str) -> Callable[[str], None]:
    """Return what says a text in the headphones. Raises Complaint where nothing can be played."""
    from server.cli.say import spoken
    from server.demo.mouth import loudspeaker
    from speech.voices.voice import ORDINARY

    play, why = loudspeaker()
    if play is None:
        raise wrong("nothing_aloud", why=why)

    async def said(text: str) -> None:
        await play(await spoken(text, language, ORDINARY))

    return lambda text: asyncio.run(said(text))


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


def _kept(file: Path, box: Strongbox) -> Progress:
    """Return the progress in a file, none where there is no file. Raises Complaint where it cannot be read."""
    try:
        with file.open("rb") as stream:
            kept = box.opened(stream.read(LARGEST_PROGRESS), f"training/{file.name}")
        return msgspec.json.decode(kept, type=Progress)
    except FileNotFoundError:
        return Progress()
    except (OSError, msgspec.MsgspecError, RecursionError):
        raise wrong("no_progress", file=str(file)) from None


def _keep(file: Path, progress: Progress, box: Strongbox) -> None:
    """Write the progress, for its player alone. Raises Complaint where it cannot be written."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(file, box.shut(msgspec.json.encode(progress), f"training/{file.name}"))
    except OSError as failed:
        raise not_written(file, failed) from failed
