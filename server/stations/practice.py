"""A player practises alone: how a task is put, what an answer means, and the progress, which is the player's own file.

The terminal (`anna-eins train`) and the page (`/training`) share this. An answer is typed in the player's own words,
letters or announcements, or it is said in the words of a game: the ears know no others, so that nothing is heard
differently at a table (`answer_heard`).
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import chess
import msgspec

from server.game.exercises import (
    Progress,
    Reply,
    Task,
    is_light,
    is_right,
    mating_moves,
    on_move,
    piece_on,
)
from server.game.values.announcement import Announcement
from server.game.values.words import Seat
from server.journal.sqlite.schema import write_private
from server.machine.data_folder import DataFolder
from server.machine.strongbox import Strongbox
from server.wording.aloud.positions import position_text
from server.wording.pages import move_read, page_words
from server.wording.typed import announcement_of_written, moves_of_any_text
from server.wording.words import announcement_of, canonical, meaning_typed, scheme_of, text_in
from speech.announcements.announce import announce, text_of
from speech.announcements.understand import words_of_text
from speech.complaint import Complaint, Phrase
from speech.hearing.verdict import Judgement
from speech.voices.respelling import respell_words, respellings
from speech.voices.voice import Segment
from speech.words.config_file import read_source
from speech.words.grammar import FILE_NAMES
from speech.words.messages import without_isolation
from speech.words.said import Heard
from speech.words.scheme import Scheme
from speech.words.spelling import normal_form

LARGEST_PROGRESS = 100_000
ASIDE = {"repeat": "repeat", "help": "help", "stop": "stop", "score_next": "next"}
"""The command words that answer nothing, and what they ask for."""
ANNOUNCED = ("file.", "rank.", "piece.", "castle.")
"""The words of announcements that are said in the voice of their own language."""


class _Positions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    positions: tuple[str, ...]


def load_endings() -> tuple[str, ...]:
    """Read `config/games/endings.toml`: FENs in each of which the side to move can mate at once. Raises Complaint."""
    return read_source("games/endings.toml").in_shape(_Positions).positions


def task_in_words(task: Task, scheme: Scheme) -> str:
    """Return a task as it is put to the player, in the player's words."""
    square = text_in(scheme.square(task.square), scheme) if task.square else ""
    match task.kind:
        case "names":
            return scheme.messages.text("exercise.ask_name", number="abcdefgh".index(task.square[0]) + 1)
        case "colours":
            return scheme.messages.text("exercise.ask_colour", square=square)
        case "announcing":
            words = page_words(scheme.language)  # "knight g1 to f3": nobody hears what "Ng1-f3" is
            move = f"{words[f'piece.{task.piece}']} {move_read(task.move, words)}"
            return scheme.messages.text("exercise.ask_announce", move=move)
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


def judge_answer(task: Task, text: str, scheme: Scheme) -> tuple[bool, str]:
    """Return whether a typed answer is right, and what the player is told of it: "Right.", or a right answer."""
    right = is_right(task, reply_typed(task, text, scheme))
    told = "exercise.right" if right else "exercise.wrong"
    return right, scheme.messages.text(told, **({} if right else {"answer": solution(task, scheme)}))


def scores_told(progress: Progress, scheme: Scheme) -> tuple[str, ...]:
    """Return a sentence for each kind of task that the player has had."""
    return tuple(
        scheme.messages.text(
            "exercise.score", what=scheme.messages.text(f"exercise.{kind}"), right=score.right, asked=score.asked
        )
        for kind, score in progress.in_order()
    )


def to_say(text: str, scheme: Scheme) -> tuple[Segment, ...]:
    """Return a text for a voice: words of announcements in the voice of their language, all else in the player's."""
    foreign = {
        scheme.text(word): word
        for word in scheme.words
        if word.startswith(ANNOUNCED) and scheme.voice_language(word) != scheme.language
    }
    own = respellings(scheme.language)
    parts = re.split(rf"(?<!\w)({'|'.join(map(re.escape, foreign))})(?!\w)", text) if foreign else [text]
    return tuple(
        Segment(scheme.spelling(foreign[part], "espeak"), scheme.voice_language(foreign[part]))
        if part in foreign
        else Segment(respell_words(without_isolation(part), own).replace("\n", " "), scheme.language)
        for part in parts
        if re.search(r"\w", part)
    )


def reply_typed(task: Task, text: str, scheme: Scheme) -> Reply:
    """Return the meaning of a typed answer to this task; an empty reply where it cannot be understood."""
    if task.kind == "colours":
        names = {"exercise.light": True, "exercise.dark": False, "exercise.white": True, "exercise.black": False}
        names |= {"train.white": True, "train.black": False}  # as the sides are called, in any gender
        colours = {normal_form(scheme.messages.text(name)): light for name, light in names.items()}
        return Reply(light=colours.get(normal_form(text)))
    if task.kind in ("announcing", "endings"):
        return Reply(announcement=_announcement_typed(text, scheme))
    try:
        words = words_of_text(text, scheme, scheme_of("national", scheme.language))
    except Complaint:
        words = ()
    heads = [(word.partition(".")[0], word.partition(".")[2]) for word in words]
    file = next((name for kind, name in heads if kind in FILE_NAMES), "")
    piece = next((name for kind, name in heads if kind == "piece"), "")
    return Reply(file=file or (text.lower() if text.lower() in tuple("abcdefgh") else ""), piece=piece)


def _announcement_typed(text: str, scheme: Scheme) -> Announcement | None:
    try:
        heard = meaning_typed(text, scheme)
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


class SaidAnswer(msgspec.Struct, frozen=True):
    """Spoken answer to a task.

    `text`: the answer as it could be typed, "" where none was understood. `sure`: it counts at once; else it is read
    back first. `aside`: what was asked for instead of an answer, a value of `ASIDE`, or "yes" or "no".
    """

    text: str = ""
    sure: bool = False
    aside: str = ""


NOT_UNDERSTOOD = SaidAnswer()


def answer_heard(task: Task, heard: Heard, judgement: Judgement, scheme: Scheme) -> SaidAnswer:
    """Return the spoken answer to a task, in the words of a game.

    A file is named by any square on it, a piece by the piece with its square; that a square is light is said with yes,
    that it is dark with no; a move is announced.
    """
    if judgement not in ("accept", "confirm"):
        return NOT_UNDERSTOOD
    sure = judgement == "accept"
    if heard.kind == "command":
        if heard.command in ("yes", "no"):
            if task.kind != "colours":
                return SaidAnswer(aside=heard.command)
            shade = "light" if heard.command == "yes" else "dark"
            return SaidAnswer(scheme.messages.text(f"exercise.{shade}"), sure)
        return SaidAnswer(aside=ASIDE.get(heard.command or "", ""))
    said = heard.said
    if heard.kind != "move" or said is None:
        return NOT_UNDERSTOOD
    match task.kind:
        case "names":
            text = text_in(scheme.square(said.to_square)[:1], scheme) if said.to_square else ""
        case "reading":
            on_it = said.piece is not None and said.to_square == task.square
            text = scheme.text(f"piece.{said.piece}") if on_it else ""
        case "colours":
            text = ""
        case _:
            text = text_in(canonical(announcement_of(said), scheme)[0], scheme)
    return SaidAnswer(text, sure) if text else NOT_UNDERSTOOD


class PracticeFile:
    """Private file with one player's progress, in `training` of a data folder."""

    def __init__(self, folder: DataFolder, name: str, box: Strongbox) -> None:
        """`name`: whose progress it is; the file's name does not show it. `box`: what encrypts it, where that is on."""
        self.path: Path = folder.root / "training" / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.json"
        self._box = box

    def read(self) -> Progress:
        """Return the progress, none where there is no file. Raises Complaint where it cannot be read."""
        try:
            with self.path.open("rb") as stream:
                kept = self._box.open_kept(stream.read(LARGEST_PROGRESS), f"training/{self.path.name}")
            return msgspec.json.decode(kept, type=Progress)
        except FileNotFoundError:
            return Progress()
        except (OSError, msgspec.MsgspecError, RecursionError):
            raise Complaint(Phrase("progress_unread", file=self.path.name)) from None

    def write(self, progress: Progress) -> None:
        """Write the progress, for its player alone. Raises Complaint where it cannot be written."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(self.path, self._box.shut(msgspec.json.encode(progress), f"training/{self.path.name}"))
        except OSError as wrong:
            raise Complaint(Phrase("progress_unwritten", file=self.path.name)) from wrong
