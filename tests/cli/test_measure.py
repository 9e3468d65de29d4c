"""`anna-eins measure`: a folder of people's recordings becomes honest figures, and a bad one a sentence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from click.testing import CliRunner

from server.cli import main
from server.cli.measure import (
    ALL,
    Figures,
    engines_of,
    figures_by_person,
    figures_table,
    of_all_ears,
    plot,
    read_table,
    side_by_side,
)
from server.cli.say import command as say
from speech.announcements.understand import said_of_text
from speech.audio.flac import encode_flac
from speech.audio.sound import Sound
from speech.complaint import Complaint
from speech.hearing.hearing import Verdict
from speech.hearing.shares import bounds, percent, rare
from speech.hearing.verdict import Judgement
from speech.words.loading import load_scheme

HEAD = "file\tperson\tlanguage\tsaid\n"
D21 = load_scheme("d21", "de")
SHORTEST = 1_000  # samples


def folder_of(place: Path, *lines: str) -> Path:
    """A folder with the table and, for each line, so much silence that its length tells which one it is."""
    (place / "table.tsv").write_text(HEAD + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    for number, line in enumerate(lines):
        (place / line.split("\t")[0]).write_bytes(encode_flac(Sound(bytes(2 * (SHORTEST + number)), 16_000)))
    return place


def verdict(said: str, judgement: Judgement) -> Verdict:
    return Verdict((), said_of_text(said, D21), 0.5, judgement, (), "scripted", 0)


class Scripted:
    """Ears that know each sound by its length, and keep what came before a repetition."""

    def __init__(self, *verdicts: Verdict, again: Verdict) -> None:
        self.verdicts, self.again = verdicts, again
        self.before: list[tuple[int, Verdict]] = []

    async def hear(self, pcm: bytes, scheme: Any, after: Verdict | None = None) -> Verdict:
        number = len(pcm) // 2 - SHORTEST
        if after is None:
            return self.verdicts[number]
        self.before.append((number, after))
        return self.again


async def test_each_sound_counts_for_its_speaker_and_a_repetition_is_heard_with_what_came_before(
    tmp_path: Path,
) -> None:
    folder = folder_of(
        tmp_path,
        "1.flac\tanna\tde\tSpringer Felix drei",
        "2.flac\tanna\tde\tSpringer Felix drei",
        "3.flac\tbert\tde\tBauer Eva vier",
        "4.flac\tbert\tde\tDame David eins",
        "5.flac\tbert\tde\t",
        "6.flac\tbert\tde\t",
        "7.flac\tcarl\tde\tBauer Eva vier",
        "8.flac\tcarl\tde\tBauer Eva vier",
    )
    which = msgspec.structs.replace(
        verdict("Bauer g vier", "confirm"), two_squares=(("letter.e", "rank.4"), ("letter.g", "rank.4"))
    )
    asked = verdict("Springer Felix drei", "repeat")
    ears = Scripted(
        asked, verdict("Springer Felix drei", "confirm"), verdict("Bauer Eva fuenf", "accept"),
        verdict("Dame David zwei", "confirm"), verdict("Turm Anna eins", "accept"), verdict("Turm Anna eins", "reject"),
        which, msgspec.structs.replace(which, two_squares=(("letter.d", "rank.4"), ("letter.g", "rank.4"))),
        again=verdict("Springer Felix drei", "accept"),
    )  # fmt: skip
    found = await figures_by_person(read_table(folder, "d21"), ears, "d21")  # type: ignore[arg-type]
    assert found["anna"] == Figures(n=2, right=1, asked=1, again=1, right_again=1)
    assert found["bert"] == Figures(n=2, accepted_wrong=1, read_back_wrong=1, talk=2, talk_as_move=1, talk_accepted=1)
    assert found["carl"] == Figures(n=2, which=2, one_of_two=1, again=1, accepted_wrong_again=1)
    assert found[ALL].n == 6 and found[ALL].talk == 2 and list(found) == ["anna", "bert", "carl", ALL]
    assert ears.before == [(1, asked), (7, which)], "a second recording is heard once more, as the repetition"
    assert figures_table(found).row_count == 4
    drawn = ElementTree.fromstring(plot(found))
    assert [one.text for one in drawn.iter() if one.text and "(" in one.text] == [
        *("anna (2)", "bert (2)", "carl (2)", "all (6)")
    ]


def test_ears_stand_side_by_side_on_the_same_sounds() -> None:
    """One table: a column for each ear, and for each person a line a figure."""
    found = {
        "own": {"anna": Figures(n=4, right=3), ALL: Figures(n=4, right=3)},
        "whisper": {"anna": Figures(n=4, right=2, accepted_wrong=1), ALL: Figures(n=4, right=2, accepted_wrong=1)},
    }
    table = side_by_side(found)
    rows = list(zip(*(column.cells for column in table.columns), strict=True))
    assert [str(column.header) for column in table.columns[2:]] == ["our own model", "Whisper alone"]
    assert rows[1] == ("", "right at once", percent(3, 4), percent(2, 4))
    assert rows[2] == ("", "accepted wrong", rare(0, 4), rare(1, 4))
    assert [row[0] for row in rows if row[0]] == ["anna", ALL]
    drawn = ElementTree.fromstring(plot(of_all_ears(found)))
    assert [one.text for one in drawn.iter() if one.text and one.text.startswith("anna")] == [
        *("anna, our own model (4)", "anna, Whisper alone (4)")
    ]


def test_ears_are_named_once_each_and_a_wrong_name_gets_a_sentence(tmp_path: Path, capfd: Any) -> None:
    assert engines_of("whisper, auto,whisper") == ("whisper", "auto")
    folder = folder_of(tmp_path, "1.flac\tanna\tde\tSpringer Felix drei")
    for more, sentence in ((["--engine", "auto,ear"], 'no recogniser "ear"'), (
        ["--engine", "auto,whisper", "--model", "somewhere"], "--model with a single --engine"
    )):  # fmt: skip
        with pytest.raises(SystemExit) as ended:
            main(["measure", str(folder), *more])
        assert ended.value.code == 2 and sentence in capfd.readouterr().err


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("../a.flac\tx\tde\tBauer Eva vier", "not a WAV or FLAC file in this folder"),
        ("a.mp3\tx\tde\tBauer Eva vier", "not a WAV or FLAC file in this folder"),
        ("a.flac\t\tde\tBauer Eva vier", "who speaks"),
        ("a.flac\tall\tde\tBauer Eva vier", "who speaks"),
        ("a.flac\tx\ttlh\tBauer Eva vier", "Line 2: "),
        ("a.flac\tx\tde\tBauer Eva Tisch", "Line 2: "),
        ("a.flac\tx\tde\tSpringer", "neither an announcement nor a command"),
        ("a.flac", "who speaks"),
    ],
)
def test_a_line_that_cannot_be_measured_is_named(tmp_path: Path, line: str, sentence: str) -> None:
    (tmp_path / "table.tsv").write_text(HEAD + line + "\n", encoding="utf-8")
    with pytest.raises(Complaint, match=sentence):
        read_table(tmp_path, "d21")


@pytest.mark.parametrize("table", [None, b"", b"file\tsaid\na.wav\tBauer Eva vier\n", b"\xff\xfe\x00"])
def test_a_folder_without_its_table_gets_a_sentence(tmp_path: Path, table: bytes | None, capfd: Any) -> None:
    if table is not None:
        (tmp_path / "table.tsv").write_bytes(table)
    with pytest.raises(SystemExit) as ended:
        main(["measure", str(tmp_path)])
    assert ended.value.code == 2 and "file, person, language, said" in capfd.readouterr().err


def test_few_cases_do_not_look_like_proof() -> None:
    assert bounds(100, 100)[0] == pytest.approx(0.963, abs=0.001) and bounds(1, 2) == pytest.approx(
        (0.095, 0.905), abs=0.001
    )
    assert percent(9, 10) == "90.0 [59.6 98.2]" and percent(0, 0) == "-" and rare(0, 300) == "0 of 300 (< 1.26)"


@pytest.mark.needs("vosk", "shared")
def test_a_real_folder_with_real_ears(tmp_path: Path, shared: Path, capfd: Any) -> None:
    """Two announcements by a voice, and a person's voice that is not for the program."""
    for number, text in enumerate(("Springer Felix drei", "Bauer Eva vier"), 1):
        out = str(tmp_path / f"{number}.wav")
        assert CliRunner().invoke(say, [text, "--out", out, "--language", "de"]).exit_code == 0
    talk = sorted((shared / "data" / "human" / "prompts-de").rglob("*.flac"))[0]
    shutil.copy(talk, tmp_path / "talk.flac")
    lines = ("1.wav\tespeak\tde\tSpringer Felix drei", "2.wav\tespeak\tde\tBauer Eva vier", "talk.flac\tphone\tde\t")
    (tmp_path / "table.tsv").write_text(HEAD + "\n".join(lines), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(
            ["measure", str(tmp_path), "--json", "--plot", str(tmp_path / "plot.svg"), "--data", str(tmp_path / "data")]
        )
    found = json.loads(capfd.readouterr().out)
    assert ended.value.code == 0 and list(found) == ["espeak", "phone", ALL]
    assert (found["espeak"]["n"], found["espeak"]["right"]) == (2, 2)
    assert (found["phone"]["n"], found["phone"]["talk"], found[ALL]["talk_accepted"]) == (0, 1, 0)
    assert "espeak (2)" in (tmp_path / "plot.svg").read_text("utf-8")
