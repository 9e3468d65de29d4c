"""`anna-eins models get`: two places, every hash compared, going on after a break, nothing half that looks whole."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.cli import main
from server.cli.keeping.models import megabytes
from server.machine import pip
from server.machine.models import getting, hub
from server.machine.models.getting import get_model
from speech.complaint import Complaint
from speech.models import whisper
from speech.models.known import KnownModel, known_model, load_known_models
from speech.models.whisper import whisper_folder, whisper_models
from tests.machine.small_whisper import NAME, Hub, serving, small_model, write_config, write_packages

FILES = small_model()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("http_proxy", "HTTP_PROXY", whisper.MODEL_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    yield
    load_known_models.cache_clear()


@pytest.fixture
def served() -> Iterator[Hub]:
    with serving(FILES) as running:
        yield running


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The lock of two packages that pip finds in a folder."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return write_packages(folder, FILES)


@pytest.fixture
def from_hub(tmp_path: Path, served: Hub) -> KnownModel:
    return write_config(tmp_path / "config", FILES, served.address)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    return tmp_path / "data" / "models"


def whole(shelf: Path) -> bool:
    """Whether exactly this model is on the shelf, with every byte of it."""
    if [one.name for one in whisper_models(shelf)] != [NAME]:
        return False
    folder = shelf / NAME / "model"
    return {file.name: file.read_bytes() for file in folder.iterdir()} == FILES


def nothing_looks_whole(shelf: Path) -> bool:
    return whisper_models(shelf) == () and not [one for one in shelf.iterdir() if not one.name.startswith(".")]


def test_the_hub_gives_every_file_and_progress_is_told(from_hub: KnownModel, served: Hub, shelf: Path) -> None:
    told: list[tuple[int, int]] = []
    kept, fetched = get_model(shelf, from_hub, lambda done, of: told.append((done, of)))
    assert fetched and whole(shelf) and kept.folder == shelf / NAME / "model"
    assert told[-1] == (from_hub.bytes, from_hub.bytes) and told == sorted(told)
    assert all(file.stat().st_mode & 0o077 == 0 for file in kept.folder.iterdir())
    asked = len(served.asked)
    assert get_model(shelf, from_hub)[1] is False and len(served.asked) == asked, "it is not fetched again"


def test_a_broken_line_goes_on_where_it_stopped(from_hub: KnownModel, served: Hub, shelf: Path) -> None:
    served.break_after = [300_000, 300_000]
    get_model(shelf, from_hub)
    assert whole(shelf)
    assert [wanted for name, wanted in served.asked if name == "model.bin"] == ["", "bytes=300000-", "bytes=600000-"]


def test_the_next_command_goes_on_after_a_hub_that_is_gone(from_hub: KnownModel, served: Hub, shelf: Path) -> None:
    served.break_after = [300_000, *[0] * hub.MOST_IN_VAIN]
    with pytest.raises(Complaint):
        get_model(shelf, from_hub)
    assert nothing_looks_whole(shelf)
    served.asked.clear()
    get_model(shelf, from_hub)
    assert whole(shelf) and served.asked == [("model.bin", "bytes=300000-")]


def test_a_hub_that_knows_no_ranges_gives_all_again(from_hub: KnownModel, served: Hub, shelf: Path) -> None:
    served.ranges, served.break_after = False, [300_000]
    get_model(shelf, from_hub)
    assert whole(shelf)


@pytest.mark.parametrize("how", ["one byte", "short", "long", "empty", "missing"])
def test_a_hub_with_other_bytes_is_refused(how: str, from_hub: KnownModel, served: Hub, shelf: Path) -> None:
    data = FILES["model.bin"]
    changed = {
        "one byte": data[:-1] + bytes([data[-1] ^ 1]),
        "short": data[:-1],
        "long": data + b"x",
        "empty": b"",
    }
    served.files.pop("model.bin")
    if how in changed:
        served.files["model.bin"] = changed[how]
    with pytest.raises(Complaint) as wrong:
        get_model(shelf, from_hub)
    assert nothing_looks_whole(shelf) and str(wrong.value).count("\n") == 0 and NAME in str(wrong.value)
    served.files["model.bin"] = data
    get_model(shelf, from_hub)
    assert whole(shelf), "what was there of it does not spoil the next try"


@pytest.mark.parametrize("wrong", ["gone", "one byte"])
def test_where_the_hub_fails_the_packages_are_put_together(
    wrong: str, tmp_path: Path, packages: str, served: Hub, shelf: Path
) -> None:
    served.files["model.bin"] = FILES["model.bin"][:-1] + b"\0" if wrong == "one byte" else b""
    address = served.address if wrong == "one byte" else "http://127.0.0.1:9"
    model = write_config(tmp_path / "config", FILES, address, packages)
    get_model(shelf, model)
    assert whole(shelf)
    assert sorted(one.name for one in shelf.iterdir() if not one.name.startswith(".")) == [NAME]


def test_packages_with_another_hash_and_with_other_contents_are_refused(
    tmp_path: Path, packages: str, shelf: Path
) -> None:
    strange = packages.replace(packages[-9:-1], "00000000")
    model = write_config(tmp_path / "config", FILES, "http://127.0.0.1:9", strange)
    with pytest.raises(Complaint, match="packages"):
        get_model(shelf, model)
    model = write_config(tmp_path / "config", small_model(2), "http://127.0.0.1:9", packages)
    with pytest.raises(Complaint, match=r"config\.json"):
        get_model(shelf, model)
    assert nothing_looks_whole(shelf)


def test_where_both_are_gone_it_is_one_sentence(tmp_path: Path, shelf: Path, packages: str) -> None:
    shutil.rmtree(tmp_path / "wheels")
    model = write_config(tmp_path / "config", FILES, "http://127.0.0.1:9", packages)
    with pytest.raises(Complaint) as wrong:
        get_model(shelf, model)
    said = str(wrong.value)
    assert "the hub: " in said and "the packages: " in said and "anna-eins models add" in said and said.endswith(".")
    assert said.count("on the internet") == 1
    assert nothing_looks_whole(shelf)


@pytest.mark.parametrize(("number", "words"), [(errno.ENOSPC, "no room"), (errno.EACCES, "cannot be written")])
def test_a_full_or_shut_disk_is_one_sentence(
    number: int, words: str, from_hub: KnownModel, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setitem(getting._SOURCES, "hub", full)
    with pytest.raises(Complaint, match=words):
        get_model(shelf, from_hub)
    assert nothing_looks_whole(shelf)


def test_a_disk_without_room_is_not_begun_on(
    from_hub: KnownModel, served: Hub, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getting, "_SPARE", 2**70)
    with pytest.raises(Complaint, match="no room"):
        get_model(shelf, from_hub)
    assert served.asked == []


def test_a_damaged_model_is_fetched_anew(from_hub: KnownModel, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whisper, "load_known_models", lambda: {NAME: from_hub})
    get_model(shelf, from_hub)
    file = shelf / NAME / "model" / "model.bin"
    file.write_bytes(FILES["model.bin"][:-1] + b"\0")
    assert get_model(shelf, from_hub)[1] and whole(shelf)


def test_two_at_once_do_not_write_over_each_other(from_hub: KnownModel, shelf: Path) -> None:
    said: list[str] = []

    def once_more(*_: int) -> None:
        if not said:
            with pytest.raises(Complaint) as wrong:
                get_model(shelf, from_hub)
            said.append(str(wrong.value))

    get_model(shelf, from_hub, once_more)
    assert whole(shelf) and "wait until it has finished" in said[0]


def test_what_an_end_by_force_left_is_not_taken_along(from_hub: KnownModel, shelf: Path) -> None:
    left = shelf / f".getting-{NAME}" / "model"
    left.mkdir(parents=True)
    (left / "model.bin.whole").write_bytes(b"half")
    (left / "config.json").write_bytes(b"half")
    get_model(shelf, from_hub)
    assert whole(shelf)


def command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["models", *arguments])
    assert isinstance(stop.value.code, int)
    return stop.value.code


@pytest.mark.parametrize(("language", "word"), [("C", "interrupted"), ("de_DE.UTF-8", "unterbrochen")])
def test_an_interrupted_command_says_how_it_goes_on(
    language: str, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", language)
    monkeypatch.setitem(getting._SOURCES, "hub", stop)
    assert command("get", "whisper-base", "--data", str(tmp_path / "data")) == 130
    said = capsys.readouterr()
    assert said.out == "" and len(said.err.splitlines()) == 1
    assert word in said.err.lower() and "anna-eins models get whisper-base" in said.err


def test_the_command_fetches_lists_and_uses(
    tmp_path: Path, served: Hub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANNA_EINS_DATA", str(tmp_path / "data"))
    model = write_config(tmp_path / "config", FILES, served.address)
    monkeypatch.setattr("server.cli.keeping.models.load_known_models", lambda: {NAME: model})
    monkeypatch.setattr("server.cli.keeping.models.known_model", {NAME: model}.__getitem__)
    monkeypatch.setattr(whisper, "load_known_models", lambda: {NAME: model})
    assert command() == 0
    assert "anna-eins models get whisper-tiny" in capsys.readouterr().out
    assert command("get", NAME) == 0
    assert "all hashes correct" in capsys.readouterr().out
    assert command("list") == 0
    assert capsys.readouterr().out.splitlines() == ["whisper-tiny: Whisper, all languages, in use, 1 MB"]
    assert megabytes(known_model("whisper-base").bytes) == 148, "as the pages say"
    assert command("use", NAME) == 0 and whisper_folder() == tmp_path / "data" / "models" / NAME / "model"
    assert command("remove", NAME) == 0 and whisper_models(tmp_path / "data" / "models") == ()


def test_an_unknown_name_lists_those_there_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert command("get", "whisper-huge", "--data", str(tmp_path)) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1 and "whisper-base, whisper-small, whisper-medium" in said
    assert "anna-eins models add" in said


def test_pip_says_why_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Complaint, match="the internet"):
        pip.run_pip(["python3", "-c", "import sys; sys.exit('ERROR: nothing there')"], scratch=tmp_path)
