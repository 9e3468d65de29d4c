"""`anna-eins train` in a terminal: tasks in the player's words, a score for the player alone, never in a rated game."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from server.cli import group
from server.game.exercises import KINDS, Kind, Progress, is_right, task_of
from server.machine.data_folder import DataFolder
from server.machine.strongbox import OPEN, AtRest, unlock_strongbox
from server.stations.practice import PracticeFile, reply_typed, solution, task_in_words
from server.wording.words import scheme_of
from speech.audio.level import levels
from speech.audio.sound import Sound
from speech.complaint import Complaint
from speech.words.config_file import language_tags, read_source
from tests.table.open_hall import played

POSITIONS = tuple(read_source("games/endings.toml").table["positions"])


@pytest.mark.parametrize("tag", language_tags())
@pytest.mark.parametrize("kind", KINDS)
def test_the_solution_that_is_told_is_right_in_every_language(kind: Kind, tag: str) -> None:
    scheme = scheme_of("d21", tag)
    for number in range(12):
        task = task_of(kind, tag, number, POSITIONS)
        assert task_in_words(task, scheme) and is_right(task, reply_typed(task, solution(task, scheme), scheme)), task
        assert not is_right(task, reply_typed(task, "…", scheme))


def test_tasks_are_answered_and_the_progress_is_a_private_file(tmp_path: Path) -> None:
    given = ["train", "--kind", "names", "--count", "2", "--seed", "s", "--name", "Anna", "--data", str(tmp_path)]
    first = task_of("names", "s", 0, POSITIONS).square[0]
    said = CliRunner().invoke(group, [*given, "--language", "en"], input=f"{first}\nno file\n")
    assert said.exit_code == 0, said.output
    assert "Right." in said.output and "No: " in said.output and "names of the files: 1 of 2 right." in said.output
    assert all(len(line) <= 42 for line in said.output.splitlines()), "forty cells, and the mark of the prompt"
    (file,) = (tmp_path / "training").iterdir()
    assert "Anna" not in file.name and file.stat().st_mode & 0o077 == 0
    kept = msgspec.json.decode(OPEN.open_kept(file.read_bytes(), f"training/{file.name}"), type=Progress)
    assert (kept.of("names").asked, kept.of("names").right) == (2, 1)
    again = CliRunner().invoke(group, [*given, "--language", "de"], input="\n")
    assert "Namen der Linien: 1 von 2 richtig." in " ".join(again.output.split()), "an empty line ends it"


def test_the_progress_is_encrypted_where_the_folder_is(tmp_path: Path) -> None:
    data, key = tmp_path / "data", tmp_path / "key"
    data.mkdir()
    box = unlock_strongbox(data, AtRest(key_file=str(key)), lambda _: "")
    given = ["train", "--kind", "names", "--count", "1", "--name", "Anna", "--data", str(data), "--language", "en"]
    for count in (1, 2):
        said = CliRunner().invoke(group, given, input="a\n")
        assert said.exit_code == 0, said.output
        file = PracticeFile(DataFolder(data), "Anna", box)
        assert b"names" not in file.path.read_bytes() and file.read().of("names").asked == count
    key.unlink()
    refused = CliRunner().invoke(group, given, input="a\n")
    assert isinstance(refused.exception, Complaint) and "key" in str(refused.exception)


def test_each_task_and_each_outcome_is_said_aloud_by_a_real_voice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Sound] = []

    async def play(sound: Sound) -> None:
        heard.append(sound)

    monkeypatch.setattr("server.demo.mouth.loudspeaker", lambda: (play, ""))
    given = ["train", "--kind", "colours", "--count", "1", "--aloud", "--language", "en", "--data", str(tmp_path)]
    said = CliRunner().invoke(group, given, input="light\n")
    assert said.exit_code == 0, said.output
    question, outcome, score = heard
    assert all(levels(one.pcm).peak_dbfs > -20 for one in heard)
    assert question.duration_ms > 2_000 > outcome.duration_ms > 300 and score.duration_ms > 1_000


@pytest.mark.law("L141")
async def test_it_is_refused_while_a_rated_game_is_under_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with played(tmp_path):
        refused = CliRunner().invoke(group, ["train", "--data", str(tmp_path), "--language", "en"], input="a\n")
        assert isinstance(refused.exception, Complaint)
        assert str(refused.exception) == "A rated game is in progress on this machine; practise after it."
        late = tmp_path / "late"
        monkeypatch.setattr("server.cli.players.train.input", lambda _: late.symlink_to(tmp_path) or "a", raising=False)
        ended = CliRunner().invoke(group, ["train", "--data", str(late), "--kind", "names", "--language", "en"])
        assert isinstance(ended.exception, Complaint), "it ends as well where the game begins after the first task"
        monkeypatch.undo()
    async with played(tmp_path / "other", training=True):
        there = ["train", "--data", str(tmp_path / "other"), "--kind", "names", "--count", "1"]
        assert CliRunner().invoke(group, there, input="\n").exit_code == 0
