"""The doctor: tries things for real, says how to get the rest, and never falls ill itself."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.cli.keeping import doctor
from server.cli.keeping.doctor import Finding, findings
from server.machine import checks as machine_checks
from server.machine.checks import CHECKS, Check, Lacking, checks
from server.machine.models.whisper import add_whisper
from server.wording.complaints import translate_phrase
from speech.audio.devices import Availability
from speech.complaint import Phrase
from speech.models.whisper import MODEL_VARIABLE
from tests.machine.small_whisper import small_model, write_model

RUN = "import sys; from server.cli import main; main(sys.argv[1:])"
SOME = """
import sys
from server.cli import main
from server.cli.keeping import doctor
every = doctor.checks
doctor.checks = lambda *given: [check for check in every(*given) if check.name in {names}]
main(sys.argv[1:])
"""


def run(
    repo: Path, *arguments: str, only: tuple[str, ...] = (), before: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the doctor; with `only` it tries no more than these, `before` comes before all imports."""
    return subprocess.run(
        [sys.executable, "-c", before + (SOME.format(names=only) if only else RUN), "doctor", *arguments],
        cwd=repo,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_with_json_there_is_a_list_of_findings_and_nothing_else(tmp_path: Path, repo: Path) -> None:
    data = tmp_path / "data"
    ended = run(repo, "--json", "--data", str(data))
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr
    found = {one["name"]: one for one in json.loads(ended.stdout)}
    assert all({"name", "ok", "needed", "mend"} <= set(one) for one in found.values())
    assert all(isinstance(one["ok"], bool) and isinstance(one["needed"], bool) for one in found.values())
    assert all(bool(one["mend"]) != one["ok"] for one in found.values()), "a mend exactly where something is missing"
    for name in ("python", "sqlite", "data-folder", "durable-commit", "voice", "recogniser-own", "sound-evidence"):
        assert found[name]["ok"], found[name]
        assert found[name]["needed"]
    assert not data.exists(), "the doctor leaves nothing behind"
    assert list(tmp_path.iterdir()) == []


def test_a_person_gets_a_line_each(tmp_path: Path, repo: Path) -> None:
    ended = run(repo, "--data", str(tmp_path), PATH="/nowhere", COLUMNS="40")
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert len(lines) == len(checks()) + 1, "no line is broken, however narrow the terminal"
    assert lines[-1] == "Everything needed works."
    (chromium,) = [line for line in lines if line.startswith("chromium: absent")]
    assert "apt-get install chromium" in chromium
    assert list(tmp_path.iterdir()) == []


async def test_whatever_a_check_meets_is_a_finding_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "LONGEST_CHECK_S", 0.05)

    def broken(_: Path) -> str:
        raise ImportError("cannot import name\n'voice'")

    async def hanging(_: Path) -> str:
        await asyncio.Event().wait()
        return "never"

    def fine(_: Path) -> str:
        return "here"

    found = await findings(
        tmp_path,
        [
            Check("broken", True, "Mend it.", broken),
            Check("hanging", False, "Wake it.", hanging),
            Check("fine", True, "Nothing.", fine),
        ],
    )
    assert found == [
        Finding("broken", False, True, "Mend it.", "ImportError: cannot import name 'voice'"),
        Finding("hanging", False, False, "Wake it.", "no answer in 0.05 s"),
        Finding("fine", True, True, "", "here"),
    ]


async def test_a_file_in_the_folders_place_is_found(tmp_path: Path) -> None:
    in_the_way = tmp_path / "data"
    in_the_way.write_text("")
    (found,) = await findings(in_the_way, [check for check in CHECKS if check.name == "data-folder"])
    assert not found.ok
    assert found.needed
    assert "--data" in found.mend


async def test_a_full_disk_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_checks, "LEAST_FREE_MB", 10**12)
    (found,) = await findings(tmp_path, [check for check in CHECKS if check.name == "free-disk"])
    assert not found.ok


def test_a_voice_that_cannot_start_is_named_with_its_mend(tmp_path: Path, repo: Path) -> None:
    """The voice cannot even be imported, as after a broken installation."""
    gone = "import sys; sys.modules['pyttsx3'] = None; sys.modules['speech.voices.pyttsx3_voice'] = None; "
    ended = run(repo, "--json", "--data", str(tmp_path), only=("voice", "sqlite"), before=gone)
    assert ended.returncode == 0, ended.stderr
    found = {one["name"]: one for one in json.loads(ended.stdout)}
    assert not found["voice"]["ok"]
    assert found["voice"]["needed"]
    assert found["voice"]["mend"]
    assert found["sqlite"]["ok"], "the rest was tried all the same"


def test_bad_input_is_one_sentence(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = run(repo, "--data", str(tmp_path / "file"))
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert ended.stdout == ""


@pytest.mark.parametrize("broken", [False, True])
def test_a_vosk_model_that_is_not_there_or_broken_is_told_with_its_folder(
    tmp_path: Path, repo: Path, broken: bool
) -> None:
    model = tmp_path / "model"
    if broken:
        (model / "am").mkdir(parents=True)
        (model / "am" / "final.mdl").write_bytes(b"no model")
    config = tmp_path / "serve.toml"
    config.write_text(f'[vosk_models]\nde = "{model}"\n')
    ended = run(repo, "--json", "--data", str(tmp_path / "data"), "--config", str(config), only=("vosk-model",))
    assert ended.returncode == 0, ended.stderr
    (found,) = [one for one in json.loads(ended.stdout) if one["name"] == "vosk-model"]
    assert not found["ok"]
    assert not found["needed"]
    assert str(model) in found["found"]
    assert "de" in found["found"]


async def test_native_code_that_crashes_is_a_finding() -> None:
    with pytest.raises(Lacking, match="signal 11"):
        await machine_checks._in_child("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    with pytest.raises(Lacking, match="No module named"):
        await machine_checks._in_child("import no_such_recogniser")


@pytest.mark.parametrize(
    ("mend", "told"),
    [
        ("apt-get install x", "Install with: apt-get install x."),
        (Phrase("sound.mend_card", command="x"), "Plug in a headset or start PulseAudio (x)."),
    ],
)
async def test_what_mends_the_sound_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, mend: str | Phrase, told: str
) -> None:
    monkeypatch.setattr("speech.audio.devices.available", lambda: Availability(False, "no sound card", mend))
    (found,) = await findings(Path(), [check for check in CHECKS if check.name == "sound-card"])
    assert found.mend == told


@pytest.mark.parametrize("language", ["de", "hu", "hy", "ar", "he"])
async def test_what_was_found_is_told_in_the_users_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    looked = [check for check in CHECKS if check.name in ("data-folder", "durable-commit", "free-disk")]
    english = await findings(tmp_path / "data", looked)
    told = await findings(tmp_path / "data", looked, lambda said: translate_phrase(said, language))
    assert all(one.found != other.found for one, other in zip(english, told, strict=True))


def test_the_main_ear_without_its_engine_is_needed_and_missing(tmp_path: Path, repo: Path) -> None:
    """Vosk is there for our own model: without it no person is heard as they should be."""
    (tmp_path / "vosk.py").write_text("raise ImportError('vosk was deleted')", "utf-8")
    path = f"{tmp_path}{os.pathsep}{repo}"
    ended = run(repo, "--data", str(tmp_path / "data"), only=("recogniser-own", "sqlite"), PYTHONPATH=path)
    *lines, last = ended.stdout.splitlines()
    assert last == "Needed and missing: recogniser-own."
    (own,) = [line for line in lines if line.startswith("recogniser-own")]
    assert "vosk was deleted" in own and "not the slim one" in own


async def test_the_ear_of_whisper_is_tried_and_its_hashes_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No game needs it, but a changed file of it is named, with how to get a whole one."""
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)
    monkeypatch.setenv("ANNA_EINS_DATA", str(tmp_path / "users"))
    monkeypatch.setattr("speech.models.whisper.sys.prefix", str(tmp_path))
    tried = [check for check in CHECKS if check.name == "recogniser-whisper"]
    (found,) = await findings(tmp_path / "data", tried)
    assert (found.ok, found.needed, found.found) == (False, False, "no Whisper model is here")
    assert "anna-eins models get whisper-base" in found.mend
    add_whisper(tmp_path / "data" / "models", write_model(tmp_path / "given", small_model()), tmp_path / "given")
    (found,) = await findings(tmp_path / "data", tried)
    assert not found.ok and "changed or damaged" not in found.found, "its hashes are right; it is no model that hears"
    (tmp_path / "data" / "models" / "given" / "model" / "vocabulary.txt").write_bytes(b"c\n")
    (found,) = await findings(tmp_path / "data", tried)
    assert not found.ok and "vocabulary.txt" in found.found
