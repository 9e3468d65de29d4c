"""`anna-eins enrol`: readings become a private profile, which changes what is heard of that player alone."""

from __future__ import annotations

import asyncio
import json
import shutil
import stat
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from server.cli import group, main
from server.voice.profiles import code_of, forget_profiles, keep_profile, kept_profile, known_codes, profile_file
from speech.audio.sound import Sound
from speech.audio.wav import wav_bytes
from speech.complaint import Complaint
from speech.enrolment.learn import LEAST_READINGS, NEAR, Reading, learnt
from speech.enrolment.prompts import load_prompts
from speech.recognisers.recogniser import Hypotheses, Hypothesis, Vocabulary, WordHeard
from speech.recognisers.vocabulary import vocabulary_of
from speech.words.scheme import Scheme
from speech.words.voice_profile import Correction, VoiceProfile
from tests.speech.hearing.spoken_announcements import phrase, rendered

PROFILE = VoiceProfile("Anna", "de", "d21", readings=40, ears={"own": Correction({"file.a": 1.5}, -0.5)})


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory, german: Scheme) -> Path:
    """As many prompts as are needed at least, each fourth one, read by one voice."""
    folder = tmp_path_factory.mktemp("readings")
    chosen = [(number, words) for number, words in enumerate(load_prompts(), 1) if number % 4 == 3]
    sounds = asyncio.run(rendered([phrase(words, german, "m2") for _, words in chosen]))
    for (number, _), pcm in zip(chosen, sounds, strict=True):
        (folder / f"{number:02}.wav").write_bytes(wav_bytes(Sound(pcm, 16_000)))
    return folder


def test_the_prompts_have_every_file_and_rank_thrice_and_every_piece_twice() -> None:
    said = [word for chain in load_prompts() for word in chain]
    assert 35 <= len(load_prompts()) <= 45
    assert all(said.count(f"file.{file}") >= 3 for file in "abcdefgh")
    assert all(said.count(f"rank.{rank}") >= 3 for rank in "12345678")
    assert all(said.count(f"piece.{piece}") >= 2 for piece in ("king", "queen", "rook", "bishop", "knight", "pawn"))


def test_readings_become_a_private_profile_that_can_be_forgotten(
    read: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = str(tmp_path / "data")
    with pytest.raises(SystemExit) as stop:
        main(["enrol", "--name", "Anna Ägidius", "--wav-dir", str(read), "--data", data])
    said = capsys.readouterr()
    assert stop.value.code == 0, said.err
    assert f"Readings used: {LEAST_READINGS}; left out because other words were read: 0" in said.out
    profiles = tmp_path / "data" / "profiles"
    (file,) = profiles.iterdir()
    code = file.name.partition(".")[0]
    assert f"Its code is {code}" in said.out and known_codes(profiles, "Anna Ägidius") == (code,)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    profile = kept_profile(profiles, code, "de")
    assert profile is not None and profile.voice is not None and profile.voice.readings == LEAST_READINGS
    assert set(profile.ears) <= {"own", "whisper"} and profile.ways == {}
    cases = tmp_path / "cases.jsonl"
    cases.write_text("\n".join(json.dumps({"id": one.name, "wav": str(one)}) for one in sorted(read.iterdir())[:4]))
    arguments = ["hear", "--cases", str(cases), "--engine", "vosk", "--data", data, "--profile"]
    answers = [
        CliRunner().invoke(group, [*arguments, name]).stdout.splitlines() for name in ("Anna Ägidius", code, "Nobody")
    ]
    # The words, and not the verdict: how sure one engine alone must be is for the thresholds to say.
    heard = [json.loads(line) for line in answers[0]]
    assert sum(tuple(one["words"]) == load_prompts()[int(one["id"][:2]) - 1] for one in heard) >= 3
    assert [json.loads(line)["words"] for line in answers[0]] == [json.loads(line)["words"] for line in answers[1]]
    assert all("Nobody has no voice profile" in json.loads(line)["error"] for line in answers[2])
    with pytest.raises(SystemExit) as stop:
        main(["enrol", "--name", "Anna Ägidius", "--delete", "--data", data])
    assert stop.value.code == 0 and list(file.parent.iterdir()) == []


def test_a_profile_changes_what_is_heard_only_with_it(german: Scheme) -> None:
    plain = vocabulary_of(german)
    known = vocabulary_of(msgspec.structs.replace(german, voice=PROFILE))
    assert plain.name != known.name and plain.ears == {} and known.ears == PROFILE.ears
    other = msgspec.structs.replace(PROFILE, ears={"own": Correction({"file.a": 1.5})})
    assert vocabulary_of(msgspec.structs.replace(german, voice=other)).name != known.name


def test_a_profile_that_pocketsphinx_was_taught_is_read_as_it_is(tmp_path: Path, german: Scheme) -> None:
    """Golden: an older version wrote this one. What it taught an ear that is no more changes nothing."""
    file = Path(__file__).parent / "golden" / "a4h8c3.de.json"
    shutil.copy(file, tmp_path)
    profile = kept_profile(tmp_path, "a4h8c3", "de")
    assert profile is not None and profile.ways["piece.knight"] == ("SH P R IY NG AH",) and profile.bias == 0.5
    assert (profile.name, profile.readings, profile.confusions["rank.3"]) == ("Anna", 20, {"rank.2": 1})
    assert profile.voice is not None and profile.voice.readings == 20 and profile.ears == {}
    keep_profile(tmp_path, profile)
    assert kept_profile(tmp_path, "a4h8c3", "de") == profile
    vocabulary = vocabulary_of(msgspec.structs.replace(german, voice=profile))
    assert vocabulary.ears == {} and vocabulary.own is None


class ReadAloud:
    """An ear that hears of each sound what the sound says: the number of the prompt that is heard."""

    name = "own"

    def __init__(self) -> None:
        self.open = False

    async def start(self) -> None:
        self.open = True

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        assert self.open
        words, other = load_prompts()[pcm[0]], load_prompts()[(pcm[0] + 7) % len(load_prompts())]
        chains = [(words, 0.0), (other, -NEAR - 1.0)]
        return Hypotheses(
            self.name,
            tuple(Hypothesis(tuple(WordHeard(word, 0.9) for word in ids), score) for ids, score in chains),
            {"agreeing": 1.0, "garbage": 30.0},
        )

    async def close(self) -> None:
        self.open = False


async def test_readings_of_other_words_are_left_out_and_too_few_teach_nothing(german: Scheme) -> None:
    """What was read instead of the prompt would teach the ears the wrong words."""
    prompts = load_prompts()
    right = [Reading(prompts[place], bytes([place]) * 32_000) for place in range(LEAST_READINGS + 2)]
    wrong = [Reading(prompts[place], bytes([place + 7]) * 32_000) for place in range(12, 20)]
    ear = ReadAloud()
    profile = await learnt("Anna", german, [*right, *wrong], [ear])  # type: ignore[list-item]
    assert profile.readings == len(right) and not ear.open and profile.confusions == {}
    few = [*right[: LEAST_READINGS - 1], *wrong]
    with pytest.raises(Complaint, match=f"Too few .*: {LEAST_READINGS - 1} of {len(few)};"):
        await learnt("Anna", german, few, [ReadAloud()])  # type: ignore[list-item]
    assert not ear.open


def test_two_players_of_one_name_have_two_voices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profiles = tmp_path / "profiles"
    for code in ("a4h8c3", "b1b2b3"):
        keep_profile(profiles, msgspec.structs.replace(PROFILE, code=code))
    assert known_codes(profiles, "Anna") == ("a4h8c3", "b1b2b3") and known_codes(profiles, "ANNA") == ()
    assert kept_profile(profiles, "a4h8c3", "hu") is None
    with pytest.raises(Complaint, match="Voices with the name Anna: 2"):
        code_of(profiles, "Anna")
    with pytest.raises(SystemExit) as stop:
        main(["enrol", "--name", "Anna", "--delete", "--data", str(tmp_path)])
    assert stop.value.code == 2 and "Anna: 2;" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["enrol", "--name", "Anna", "--code", "b1b2b3", "--delete", "--data", str(tmp_path)])
    assert known_codes(profiles, "Anna") == ("a4h8c3",) and code_of(profiles, "Anna") == "a4h8c3"
    with pytest.raises(Complaint):
        keep_profile(profiles, msgspec.structs.replace(PROFILE, name=" ", code="a1a1a1"))
    profile_file(profiles, "a4h8c3", "de").write_text("{")
    with pytest.raises(Complaint, match="--delete"):
        kept_profile(profiles, "a4h8c3", "de")
    assert known_codes(profiles, "Anna") == () and code_of(profiles, "a4h8c3") == "a4h8c3"
    assert forget_profiles(profiles, "a4h8c3") == 1 and forget_profiles(profiles, "../x") == 0


@pytest.mark.parametrize("code", ["", "anna", "../../etc", "a4h8c3.de", "a9a9a9", "A4H8C3"])
def test_what_is_no_code_names_no_file(tmp_path: Path, code: str) -> None:
    with pytest.raises(Complaint, match="three squares"):
        profile_file(tmp_path, code, "de")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--name", "Anna", "--wav-dir", "nowhere"),
        ("--name", "Anna", "--delete"),
        ("--name", "Anna", "--list", "--language", "xx"),
        (),
    ],
)
def test_bad_input_is_one_sentence(
    arguments: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["enrol", *arguments, "--data", str(tmp_path / "data")])
    said = capsys.readouterr()
    assert stop.value.code == 2 and said.out == "" and len(said.err.splitlines()) == 1


def test_what_is_to_be_read_can_be_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["enrol", "--name", "Anna", "--list", "--data", str(tmp_path / "data")])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "01 Springer Felix drei" and len(lines) == len(load_prompts())
