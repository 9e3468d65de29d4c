"""Sounds and voice profiles encrypted on the disk: with a key file, with a passphrase, with a wrong one, with none."""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import click
import msgspec
import pytest

from server.cli import main
from server.cli.export import sounds_from
from server.cli.hear import CasesSpeaker, hear_case
from server.cli.hear_cases import Answer, Case, Failure
from server.game.acts import SoundKept
from server.game.values.words import Seat
from server.hall.engines import open_voice
from server.journal.entry import Entry
from server.machine.data_folder import DataFolder
from server.machine.strongbox import MARK, NAME, OPEN, AtRest, Strongbox, unlock_strongbox
from server.table import sealing
from server.table.evidence.evidence import EvidenceFile, EvidenceNotKept, SoundEvidence
from server.voice.profiles import code_of, keep_profile, kept_profile
from speech.audio.sound import Sound
from speech.audio.wav import wav_bytes
from speech.complaint import Complaint
from speech.voices.voice import Segment
from speech.words.voice_profile import VoiceProfile
from tests.table.open_hall import WrittenEars
from tests.waiting import PATIENCE_S

NOISE = random.Random(1).randbytes(2 * 16_000)
OTHER = random.Random(2).randbytes(2 * 16_000)
WORDS = "Turm und Läufer am Abend"
RUN = "import sys; from server.cli import main; main(sys.argv[1:])"


def nobody(new: bool) -> str:
    raise AssertionError("no passphrase is to be asked for")


def by_file(tmp_path: Path) -> AtRest:
    (tmp_path / "stick").mkdir(exist_ok=True)
    return AtRest(key_file=str(tmp_path / "stick" / "hall.key"))


def data_in(tmp_path: Path) -> Path:
    with DataFolder.open(tmp_path / "data", lock=False) as folder:
        return folder.root


def plain_on_disk(root: Path) -> list[str]:
    """The files under a folder that hold a sound or a profile in the open."""
    files = [file for file in root.rglob("*") if file.is_file() and file.name != NAME]
    return [file.name for file in files if b"fLaC" in file.read_bytes() or b'"ways"' in file.read_bytes()]


def test_without_the_setting_nothing_changes(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    assert unlock_strongbox(data, AtRest(), nobody) is OPEN
    assert OPEN.shut(b"sound", "a") == b"sound" == OPEN.open_kept(b"sound", "a")
    assert not (data / NAME).exists()


def test_a_key_file_is_made_once_outside_of_the_data_and_opens_again(tmp_path: Path) -> None:
    data, wanted = data_in(tmp_path), by_file(tmp_path)
    box = unlock_strongbox(data, wanted, nobody)
    shut = box.shut(b"sound", "audio/t/u")
    assert shut.startswith(MARK) and b"sound" not in shut
    assert box.shut(b"sound", "audio/t/u") != shut, "each has a nonce of its own"
    key = Path(wanted.key_file)
    assert stat.S_IMODE(key.stat().st_mode) == stat.S_IMODE((data / NAME).stat().st_mode) == 0o600
    assert key.read_bytes().strip() not in (data / NAME).read_bytes()
    again = unlock_strongbox(data, AtRest(), nobody)  # as `enrol` and `hear` do, which read no settings
    assert again.open_kept(shut, "audio/t/u") == b"sound"
    (data / NAME).unlink()
    assert unlock_strongbox(data, wanted, nobody).open_kept(shut, "audio/t/u") == b"sound", (
        "the key file is all that it needs"
    )
    for wrong in (shut[:-1], shut[:-1] + bytes([shut[-1] ^ 1]), shut[: len(MARK) + 3]):
        with pytest.raises(OSError, match="changed"):
            again.open_kept(wrong, "audio/t/u")
    with pytest.raises(OSError, match="changed"):
        again.open_kept(shut, "audio/t/v")
    with pytest.raises(OSError, match="no key"):
        OPEN.open_kept(shut, "audio/t/u")


def test_a_key_file_that_moved_is_named_in_the_settings(tmp_path: Path) -> None:
    data, wanted = data_in(tmp_path), by_file(tmp_path)
    shut = unlock_strongbox(data, wanted, nobody).shut(b"sound", "a")
    moved = Path(wanted.key_file).rename(tmp_path / "elsewhere.key")
    with pytest.raises(Complaint, match="cannot be read"):
        unlock_strongbox(data, AtRest(), nobody)
    unlock_strongbox(data, AtRest(key_file=str(moved)), nobody)
    assert unlock_strongbox(data, AtRest(), nobody).open_kept(shut, "a") == b"sound", "where it lies now is remembered"


def test_a_passphrase_is_asked_for_and_kept_nowhere(tmp_path: Path) -> None:
    data, asked = data_in(tmp_path), list[bool]()

    def ask(new: bool) -> str:
        asked.append(new)
        return WORDS

    shut = unlock_strongbox(data, AtRest(passphrase=True), ask).shut(b"sound", "a")
    composed = unlock_strongbox(data, AtRest(), lambda new: WORDS.replace("ä", "a\u0308"))
    assert composed.open_kept(shut, "a") == b"sound", "another keyboard writes the same letter in two parts"
    assert asked == [True]
    assert WORDS.encode() not in (data / NAME).read_bytes()


@pytest.mark.parametrize("kind", ["key_file", "passphrase"])
def test_a_wrong_key_is_one_sentence_and_nothing_is_lost(tmp_path: Path, kind: str) -> None:
    data = data_in(tmp_path)
    by_words = AtRest(passphrase=True)
    right = by_words if kind == "passphrase" else by_file(tmp_path)
    shut = unlock_strongbox(data, right, lambda new: WORDS).shut(b"sound", "a")
    before = (data / NAME).read_bytes()
    other = tmp_path / "other.key"
    unlock_strongbox(data_in(tmp_path / "second"), AtRest(key_file=str(other)), nobody)
    wrong = by_words if kind == "passphrase" else AtRest(key_file=str(other))
    unlike = by_file(tmp_path) if kind == "passphrase" else by_words
    for settings, told in ((wrong, "nothing was changed"), (unlike, "name it under")):
        with pytest.raises(Complaint, match=told) as complaint:
            unlock_strongbox(data, settings, lambda new: "some other words")
        assert "\n" not in str(complaint.value)
    assert (data / NAME).read_bytes() == before
    assert unlock_strongbox(data, right, lambda new: WORDS).open_kept(shut, "a") == b"sound"


def test_what_cannot_be_a_key_is_refused_and_makes_nothing(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    (tmp_path / "holiday.jpg").write_bytes(b"\xff\xd8 no key at all")
    for wanted, told in (
        (AtRest(key_file=str(data / "hall.key")), "is inside the data folder"),
        (AtRest(key_file=str(tmp_path / "holiday.jpg")), "is not a key file"),
        (AtRest(key_file=str(tmp_path / "no stick" / "hall.key")), "cannot be read or made"),
        (AtRest(key_file="x", passphrase=True), "choose one"),
        (AtRest(passphrase=True), "at least 12"),
    ):
        with pytest.raises(Complaint, match=told):
            unlock_strongbox(data, wanted, lambda new: "short")
        assert not (data / NAME).exists() and not (tmp_path / "no stick").exists()
    (data / NAME).write_text("{")
    with pytest.raises(Complaint, match="cannot be read"):
        unlock_strongbox(data, AtRest(), nobody)


@pytest.mark.law("L194")
async def test_a_kept_sound_is_encrypted_and_has_the_hash_of_the_plain_one(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    before = await SoundEvidence(data).keep("t1", "old", OTHER, 16_000)
    evidence = SoundEvidence(data, box=unlock_strongbox(data, by_file(tmp_path), nobody))
    kept = await evidence.keep("t1", "u1", NOISE, 16_000)
    assert isinstance(kept, EvidenceFile) and isinstance(before, EvidenceFile)
    assert (data / kept.path).read_bytes().startswith(MARK)
    flac = await evidence.read("t1", "u1")
    assert flac is not None and hashlib.sha256(flac).hexdigest() == kept.sha256
    assert plain_on_disk(data) == ["old.flac"], "what was kept before stays as it was"
    assert await evidence.read("t1", "old") == (data / before.path).read_bytes(), "and stays readable"
    assert await evidence.keep("t1", "u1", NOISE, 16_000) == kept, "the same again is the same evidence"
    assert isinstance(await evidence.keep("t1", "u1", OTHER, 16_000), EvidenceNotKept)
    (data / kept.path).rename(data / "audio" / "t1" / "u2.flac")
    with pytest.raises(OSError, match="changed"):
        await evidence.read("t1", "u2")


@pytest.mark.law("L208")
async def test_a_sealed_sound_is_opened_by_the_arbiters_code_and_then_lies_there_encrypted(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    evidence = SoundEvidence(data, box=unlock_strongbox(data, by_file(tmp_path), nobody))
    seal = sealing.new_key()
    await evidence.keep("t1", "u1", NOISE, 16_000, seal.key)
    private = sealing.private_key_of(" ".join(seal.squares), seal.key, seal.salt)
    assert private is not None
    found = await evidence.unseal("t1", "u1", private)
    assert found is not None and found[0].pcm == NOISE
    assert await evidence.holds("t1", "u1") and plain_on_disk(data) == []


def test_a_voice_profile_is_encrypted_and_one_from_before_is_still_used(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    profiles = data / "profiles"
    old = VoiceProfile("Hector", "de", "d21", {}, code="b2b3b4")
    new = VoiceProfile("Anna", "de", "d21", {"rank.4": ("f", "i", "R")}, code="a4h8c3")
    keep_profile(profiles, old)
    box = unlock_strongbox(data, by_file(tmp_path), nobody)
    keep_profile(profiles, new, box)
    assert plain_on_disk(data) == ["b2b3b4.de.json"]
    assert kept_profile(profiles, "a4h8c3", "de", box) == new and kept_profile(profiles, "b2b3b4", "de", box) == old
    assert code_of(profiles, "Anna", box) == "a4h8c3"
    with pytest.raises(Complaint, match="cannot be read"):
        kept_profile(profiles, "a4h8c3", "de", Strongbox(bytes(32)))


async def test_where_sounds_are_encrypted_no_spoken_phrase_lies_on_the_disk(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path / "data", lock=False) as data:
        for encrypted in (False, True):
            async with open_voice(data, encrypted=encrypted) as voice:
                assert voice is not None
                assert not encrypted or not any(data.voices.iterdir()), "those from before are gone"
                await voice.render([Segment("Turm Anna eins", "de")])
            assert any(data.voices.glob("*.phrase")) is not encrypted


async def test_the_sounds_of_a_table_are_written_out_in_the_open_and_compared_with_the_record(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    evidence = SoundEvidence(data, box=unlock_strongbox(data, by_file(tmp_path), nobody))
    kept = {name: await evidence.keep("t1", name, pcm, 16_000) for name, pcm in (("u1", NOISE), ("u2", OTHER))}
    named = {name: one.sha256 for name, one in kept.items() if isinstance(one, EvidenceFile)}
    named |= {"u2": named["u1"], "u3": named["u1"]}
    entries = [
        Entry("t1", seq, "run", "", "", "", "", 0, 0, 1, "sound_kept", msgspec.json.encode(body))
        for seq, body in enumerate(
            [SoundKept(at=1, seat=Seat.WHITE, utterance=name, sha256=sha, length_ms=1) for name, sha in named.items()],
            1,
        )
    ]
    told, unchanged = await asyncio.to_thread(sounds_from, entries, "t1", data, tmp_path / "out")
    assert "matching the record: 1 of 3." in told and "does not say why: u3." in told
    assert told.endswith("not written: u2.") and not unchanged and not (tmp_path / "out" / "u2.flac").exists()
    assert hashlib.sha256((tmp_path / "out" / "u1.flac").read_bytes()).hexdigest() == named["u1"]


def test_a_voice_is_forgotten_by_its_name_though_the_name_is_encrypted(tmp_path: Path, repo: Path) -> None:
    data = data_in(tmp_path)
    box = unlock_strongbox(data, by_file(tmp_path), nobody)
    file = keep_profile(data / "profiles", VoiceProfile("Anna", "de", "d21", {}, code="a4h8c3"), box)
    with pytest.raises(SystemExit) as ended:
        main(["enrol", "--name", "Anna", "--delete", "--data", str(data)])
    assert ended.value.code == 0 and not file.exists()


async def test_hear_uses_an_encrypted_profile_with_its_key_and_says_so_without(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    box = unlock_strongbox(data, by_file(tmp_path), nobody)
    keep_profile(data / "profiles", VoiceProfile("Anna", "de", "d21", {}, code="a4h8c3"), box)
    (tmp_path / "a.wav").write_bytes(wav_bytes(Sound("Turm Anna eins".encode("utf-16-le"), 16_000)))
    answers = [
        await hear_case(
            WrittenEars(), Case("a.wav"), tmp_path, "d21", "rated", CasesSpeaker("a4h8c3", data / "profiles", one)
        )
        for one in (box, OPEN)
    ]
    assert isinstance(answers[0], Answer), answers[0]
    assert isinstance(answers[1], Failure) and "cannot be read" in msgspec.json.encode(answers[1]).decode()


KEEPING = """
import asyncio, random, sys
from pathlib import Path
from server.machine.strongbox import AtRest, unlock_strongbox
from server.table.evidence.evidence import SoundEvidence
from server.voice.profiles import keep_profile
from speech.words.voice_profile import VoiceProfile
data = Path(sys.argv[1])
box = unlock_strongbox(data, AtRest(key_file=sys.argv[2]), input)
evidence = SoundEvidence(data, box=box)
for number in range(10**6):
    pcm = random.Random(number).randbytes(4_000)
    kept = asyncio.run(evidence.keep("t1", f"u{number}", pcm, 16_000))
    keep_profile(data / "profiles", VoiceProfile(f"Anna {number}", "de", "d21", {}, code="a4h8c3"), box)
    print(number, kept.sha256, flush=True)
"""


def test_a_killed_process_leaves_nothing_in_the_open_and_loses_nothing(tmp_path: Path, repo: Path) -> None:
    data, wanted = data_in(tmp_path), by_file(tmp_path)
    hashes: dict[str, str] = {}
    for after in (0, 5):
        for file in (data / "audio").rglob("*.flac"):
            file.unlink()
        child = subprocess.Popen(
            [sys.executable, "-c", KEEPING, str(data), wanted.key_file], cwd=repo, stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        hashes = dict(child.stdout.readline().split() for _ in range(after + 1))
        child.send_signal(signal.SIGKILL)
        child.wait()
        hashes |= dict(line.split() for line in child.stdout if line.endswith("\n"))
        child.stdout.close()
        assert plain_on_disk(data) == []
        box = unlock_strongbox(data, wanted, nobody)
        evidence = SoundEvidence(data, box=box)
        asyncio.run(evidence.sweep())
        for number, sha256 in hashes.items():
            flac = asyncio.run(evidence.read("t1", f"u{number}"))
            assert flac is not None and hashlib.sha256(flac).hexdigest() == sha256
        known = kept_profile(data / "profiles", "a4h8c3", "de", box)
        assert known is not None and int(known.name.split()[1]) >= max(map(int, hashes))


def test_the_server_asks_for_the_passphrase_at_the_terminal(tmp_path: Path, repo: Path) -> None:
    """At a real terminal: it is typed twice, not shown, and what lies there from before is told."""
    config = settings_for_words(tmp_path)
    keep_profile(tmp_path / "data" / "profiles", VoiceProfile("Hector", "de", "d21", {}, code="b2b3b4"))
    status, told = at_terminal(repo, tmp_path, config, [WORDS, WORDS], "Anna Eins is serving.")
    assert status == 0, told
    assert "from before: sounds 0, voice profiles 1" in told and WORDS not in told


@pytest.mark.parametrize(
    ("answer", "told"), [("not these words", "nothing was changed"), (click.Abort(), "Nobody entered the passphrase")]
)
def test_a_start_with_a_wrong_passphrase_or_none_is_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: str | click.Abort,
    told: str,
) -> None:
    unlock_strongbox(data_in(tmp_path), AtRest(passphrase=True), lambda new: WORDS)

    def prompt(*_: object, **__: object) -> str:
        if isinstance(answer, click.Abort):
            raise answer
        return answer

    monkeypatch.setattr(click, "prompt", prompt)
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--data", str(tmp_path / "data"), "--config", str(settings_for_words(tmp_path))])
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    assert told in said.err and len(said.err.splitlines()) == 1


def settings_for_words(tmp_path: Path) -> Path:
    config = tmp_path / "serve.toml"
    config.write_text("[at_rest]\npassphrase = true\n", encoding="utf-8")
    return config


def at_terminal(repo: Path, tmp_path: Path, config: Path, typed: list[str], until: str | None) -> tuple[int, str]:
    """Start the server at a terminal of its own, type each line when it is asked for, and end it after `until`."""
    pid, terminal = os.forkpty()
    if pid == 0:
        os.chdir(repo)
        data = str(tmp_path / "data")
        os.execv(
            sys.executable,
            [sys.executable, "-c", RUN, "serve", "--port", "0", "--data", data, "--config", str(config)],
        )
    told, answered, end = b"", 0, time.monotonic() + PATIENCE_S
    try:
        while time.monotonic() < end:
            try:
                told += os.read(terminal, 4096)
            except OSError:  # the terminal is closed: the program ended
                break
            if answered < len(typed) and told.count(b": ") > answered:
                os.write(terminal, typed[answered].encode() + b"\n")
                answered += 1
            if until is not None and until.encode() in told:
                os.kill(pid, signal.SIGTERM)
                until = None
    finally:
        if time.monotonic() >= end:
            os.kill(pid, signal.SIGKILL)
        os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), told.decode()
