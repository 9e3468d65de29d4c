"""What a player says to a task, in the words of a game, and that the progress is the player's alone, encrypted too."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from server.game.exercises import KINDS, Kind, Progress, Task, is_right, task_of, with_task
from server.machine.data_folder import DataFolder
from server.machine.strongbox import OPEN, Strongbox
from server.stations.practice import (
    NOT_UNDERSTOOD,
    PracticeFile,
    answer_heard,
    load_endings,
    reply_typed,
    solution,
    task_in_words,
    to_say,
)
from server.wording.words import scheme_of
from speech.announcements.understand import said_of_text, understand
from speech.complaint import Complaint
from speech.words.config_file import language_tags

POSITIONS = load_endings()


@pytest.mark.parametrize("tag", language_tags())
@pytest.mark.parametrize("kind", KINDS)
def test_the_right_answer_can_be_said_in_the_words_of_a_game(kind: Kind, tag: str) -> None:
    scheme = scheme_of("d21", tag)
    for number in range(8):
        task = task_of(kind, tag, number, POSITIONS)
        right = reply_typed(task, solution(task, scheme), scheme)
        match kind:
            case "names":
                heard = understand((f"file.{right.file}", "rank.4"))
            case "colours":
                heard = understand(("cmd.yes" if right.light else "cmd.no",))
            case "reading":
                heard = understand((f"piece.{right.piece}", *scheme.square(task.square)))
            case _:
                heard = said_of_text(solution(task, scheme), scheme)
        if heard.kind == "none":  # a pawn on its last rank cannot be said; no position has one there
            pytest.fail(f"{task}: {heard}")
        said = answer_heard(task, heard, "accept", scheme)
        assert said.sure and is_right(task, reply_typed(task, said.text, scheme)), (task, said)
        assert not answer_heard(task, heard, "confirm", scheme).sure
        assert answer_heard(task, heard, "repeat", scheme) == NOT_UNDERSTOOD
        assert answer_heard(task, understand(("cmd.repeat",)), "accept", scheme).aside == "repeat"
        assert answer_heard(task, understand(("cmd.resign",)), "accept", scheme) == NOT_UNDERSTOOD


@pytest.mark.parametrize("tag", language_tags())
def test_a_square_is_light_or_white_dark_or_black(tag: str) -> None:
    scheme = scheme_of("d21", tag)
    task = task_of("colours", "seed", 1, POSITIONS)
    for key, light in (("light", True), ("white", True), ("dark", False), ("black", False)):
        assert reply_typed(task, scheme.messages.text(f"exercise.{key}").upper(), scheme).light is light
        side = scheme.messages.text(f"train.{'white' if light else 'black'}")
        assert reply_typed(task, side, scheme).light is light


def test_each_word_is_said_in_the_voice_of_its_language() -> None:
    said = to_say("Which colour is Felix drei, light or dark?", scheme_of("d21", "en"))
    assert [one.voice_language for one in said] == ["en", "de", "de", "en"]
    assert {one.voice_language for one in to_say("Welche Farbe hat Felix drei?", scheme_of("d21", "de"))} == {"de"}


@pytest.mark.parametrize(
    ("tag", "asked"), [("de", "Springer g1 nach f3"), ("en", "knight g1 to f3"), ("hu", "huszár g1")]
)
def test_a_move_to_announce_is_asked_for_in_words_that_a_voice_can_say(tag: str, asked: str) -> None:
    """Of "Sg1-f3" nobody hears the knight, and the dash is a minus."""
    task = Task(kind="announcing", piece="knight", move="g1f3")
    text = task_in_words(task, scheme_of("d21", tag))
    assert asked in text and "-" not in text


def test_the_progress_is_encrypted_where_the_organiser_chose_so(tmp_path: Path) -> None:
    folder, box = DataFolder(tmp_path), Strongbox(os.urandom(32))
    file = PracticeFile(folder, "Anna", OPEN)
    file.write(with_task(Progress(), "names", right=True))
    locked = PracticeFile(folder, "Anna", box)
    before = locked.read()
    assert before.of("names").right == 1, "what was kept before is taken over"
    locked.write(with_task(before, "names", right=False))
    assert b"names" not in file.path.read_bytes() and file.path.stat().st_mode & 0o077 == 0
    assert (locked.read().of("names").asked, locked.read().of("names").right) == (2, 1)
    for other in (file, PracticeFile(folder, "Anna", Strongbox(os.urandom(32)))):
        with pytest.raises(Complaint, match=f"The training results in {file.path.name} cannot be read"):
            other.read()
