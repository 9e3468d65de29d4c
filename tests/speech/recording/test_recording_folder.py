"""The folder of recordings: on disk at once, read by `measure`, taken up again, several people, and bad ones."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from server.cli.measure import read_table
from speech.audio.flac import decode_flac
from speech.complaint import Complaint
from speech.recording.folder import TABLE, RecordingFolder
from speech.recording.plan import Plan, Wish, draw_plan
from speech.words.loading import load_scheme

PCM = (np.sin(np.arange(16_000) * 0.1) * 9_000).astype("<i2").tobytes()


def plan_of(**more: object) -> Plan:
    wish = Wish("de", "d21", 3, announcements=3, **more)  # type: ignore[arg-type]
    return draw_plan(wish, load_scheme("d21", "de"), random.Random(3))


def begun(path: Path, person: str = "p01", plan: Plan | None = None) -> tuple[RecordingFolder, Plan]:
    folder, plan = RecordingFolder(path, person), plan or plan_of()
    folder.begin(plan)
    return folder, plan


def test_each_recording_is_whole_on_the_disk_with_its_line_and_measure_reads_them(tmp_path: Path) -> None:
    folder, plan = begun(tmp_path / "new" / "folder")
    for prompt in plan.prompts[:5]:
        file = folder.keep(plan, prompt, PCM, "soft" if prompt.number == 2 else "")
        assert decode_flac(file.read_bytes()).pcm == PCM
        assert len(read_table(folder.path, "d21")) == prompt.number
    talk = plan.prompts[-1]
    names = [folder.keep(plan, talk, PCM).name for _ in range(2)]
    assert names == [f"p01-{talk.number:03}-01.flac", f"p01-{talk.number:03}-02.flac"]
    read = read_table(folder.path, "d21")
    assert [one.file.name for one in read[:2]] == ["p01-001.flac", "p01-002.flac"]
    assert [one.meaning is None for one in read] == [False] * 5 + [True] * 2
    assert folder.prompts_recorded(plan) == {1, 2, 3, 4, 5}, "two seconds of talk are not a minute"
    assert folder.talked_s(talk) == 2.0
    assert folder.plan() == plan
    assert not [*folder.path.glob(".*")], "nothing half written is left"


def test_enough_talk_counts_as_recorded(tmp_path: Path) -> None:
    folder, plan = begun(tmp_path, plan=plan_of(talk_s=2, parts=("talk",)))
    folder.keep(plan, plan.prompts[0], PCM)
    assert folder.prompts_recorded(plan) == set()
    folder.keep(plan, plan.prompts[0], PCM)
    assert folder.prompts_recorded(plan) == {1}


def test_a_kill_between_sound_and_line_loses_nothing(tmp_path: Path) -> None:
    folder, plan = begun(tmp_path)
    for prompt in (*plan.prompts[:2], plan.prompts[-1]):
        folder.keep(plan, prompt, PCM)
    table = tmp_path / TABLE
    lines = table.read_bytes().splitlines(keepends=True)
    table.write_bytes(b"".join(lines[:2]) + lines[2][:20])  # the second line is torn, the talk's is not there
    folder.mend(plan)
    assert {one.file.name for one in read_table(tmp_path, "d21")} == {
        *("p01-001.flac", "p01-002.flac", f"p01-{plan.prompts[-1].number:03}-01.flac")
    }
    before = table.read_bytes()
    folder.mend(plan)
    assert table.read_bytes() == before, "nothing to mend any more"


def test_a_sound_that_is_not_whole_is_not_taken_up(tmp_path: Path) -> None:
    folder, plan = begun(tmp_path)
    file = folder.keep(plan, plan.prompts[0], PCM)
    (tmp_path / "p01-002.flac").write_bytes(file.read_bytes()[:300])
    folder.mend(plan)
    assert folder.prompts_recorded(plan) == {1}


def test_a_table_made_by_hand_keeps_its_columns_and_its_last_line(tmp_path: Path) -> None:
    (tmp_path / TABLE).write_text("said\tfile\tperson\tlanguage\nTurm Anna eins\tx.wav\tanna\tde", encoding="utf-8")
    folder, plan = begun(tmp_path)
    folder.mend(plan)
    folder.keep(plan, plan.prompts[0], PCM, "soft")
    assert [one.person for one in read_table(tmp_path, "d21")] == ["anna", "p01"]


def test_several_people_share_a_folder_and_a_scheme(tmp_path: Path) -> None:
    for person in ("p01", "p02"):
        folder, plan = begun(tmp_path, person)
        folder.keep(plan, plan.prompts[0], PCM)
    assert [one.person for one in read_table(tmp_path, "d21")] == ["p01", "p02"]
    RecordingFolder(tmp_path, "p03").check_scheme("d21")
    with pytest.raises(Complaint, match="scheme d21"):
        RecordingFolder(tmp_path, "p03").check_scheme("letters")


def test_recordings_without_a_plan_are_not_written_over(tmp_path: Path) -> None:
    folder, plan = begun(tmp_path)
    folder.keep(plan, plan.prompts[0], PCM)
    folder.plan_file.unlink()
    with pytest.raises(Complaint, match="another --person"):
        folder.check_new()
    RecordingFolder(tmp_path, "p02").check_new()


def test_a_consent_is_written_down_and_known_again(tmp_path: Path) -> None:
    folder = RecordingFolder(tmp_path / "new", "p01")
    assert not folder.has_agreed("1")
    folder.keep_consent("1", "de", "2026-11-23", "ja", "Einwilligung ...")
    assert (
        folder.has_agreed("1") and not folder.has_agreed("2") and not RecordingFolder(folder.path, "p0").has_agreed("1")
    )
    text = (folder.path / "consent.txt").read_text("utf-8")
    assert all(one in text for one in ("person: p01", "version: 1", "date: 2026-11-23", "answer: ja", "Einwilligung"))


@pytest.mark.parametrize("person", ["", "all", "Anna", "p-1", "../p", "Anna Meier", "p" * 20])
def test_a_person_is_a_code(tmp_path: Path, person: str) -> None:
    with pytest.raises(Complaint, match="not a code"):
        RecordingFolder(tmp_path, person)


def test_a_folder_that_cannot_be_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        folder = RecordingFolder(path, "p01")
        with pytest.raises(Complaint, match="cannot be used as a folder"):
            folder.check_writable()
        with pytest.raises(Complaint, match="cannot be written"):
            folder.begin(plan_of())


def test_a_damaged_plan_is_one_sentence(tmp_path: Path) -> None:
    folder, _ = begun(tmp_path)
    folder.plan_file.write_text("{")
    with pytest.raises(Complaint, match="no longer a recording plan"):
        folder.plan()
