"""Which model of Whisper listens, which hashes are noticed, and what `anna-eins models add` makes of a folder."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.cli import main
from speech.complaint import Complaint
from speech.models import digests, whisper
from speech.models.known import KnownModel, load_known_models
from speech.models.whisper import (
    MODEL_VARIABLE,
    checked_whisper_model,
    whisper_folder,
    whisper_models,
)
from tests.machine.small_whisper import NAME, small_model, write_config, write_model

FILES = small_model()
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KnownModel]:
    """The program knows one small model, and this user has none yet."""
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)
    monkeypatch.setenv("ANNA_EINS_DATA", str(tmp_path / "users"))
    monkeypatch.setattr(whisper.sys, "prefix", str(tmp_path / "program"))
    model = write_config(tmp_path / "config", FILES, "http://127.0.0.1:9")
    monkeypatch.setattr(whisper, "load_known_models", lambda: {NAME: model})
    yield model
    load_known_models.cache_clear()


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    return tmp_path / "data" / "models"


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """`anna-eins models ...` -> exit status, standard output, standard error."""

    def models(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main(["models", *arguments, "--data", str(tmp_path / "data")])
        said = capsys.readouterr()
        assert isinstance(stop.value.code, int)
        return stop.value.code, said.out, said.err

    return models


def changed(data: bytes) -> bytes:
    """The same with one byte changed."""
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.parametrize("called", ["whisper-tiny", "faster-whisper-tiny", "what somebody has"])
def test_a_known_model_is_known_whatever_its_folder_is_called(
    called: str, run: Run, shelf: Path, tmp_path: Path
) -> None:
    code, out, err = run("add", str(write_model(tmp_path / called, FILES | {"README.md": b"words"})))
    assert (code, err) == (0, "") and "all its hashes are correct" in out
    assert [one.name for one in shelf.iterdir()] == [NAME]
    assert sorted(file.name for file in (shelf / NAME / "model").iterdir()) == sorted(FILES), "only what is needed"
    assert checked_whisper_model(whisper_folder(shelf=shelf) or Path(), shelf)


@pytest.mark.parametrize("file", sorted(FILES))
@pytest.mark.parametrize("called", ["whisper-tiny", "what somebody has"])
def test_a_known_model_with_one_changed_byte_is_refused(
    called: str, file: str, run: Run, shelf: Path, tmp_path: Path
) -> None:
    code, out, err = run("add", str(write_model(tmp_path / called, FILES | {file: changed(FILES[file])})))
    assert (code, out) == (2, "") and len(err.splitlines()) == 1
    assert file in err and str(tmp_path / called) in err and "changed or damaged" in err
    assert list(shelf.iterdir()) == []


def test_an_unknown_model_is_taken_with_a_word(run: Run, shelf: Path, tmp_path: Path) -> None:
    code, out, err = run("add", str(write_model(tmp_path / "my own", small_model(2))))
    assert (code, err) == (0, "") and "This program does not know it" in out
    code, out, _ = run("list")
    assert code == 0 and "my-own: Whisper, all languages, in use" in out and "not known to this program" in out


def test_a_zip_file_and_links_as_in_the_hubs_own_folder_are_taken(run: Run, shelf: Path, tmp_path: Path) -> None:
    folder = write_model(tmp_path / "blobs", FILES)
    linked = tmp_path / ("0" * 40)
    linked.mkdir()
    for name in FILES:
        (linked / name).symlink_to(folder / name)
    assert run("add", str(linked))[0] == 0 and whisper_models(shelf)[0].about.known == NAME
    assert not [file for file in (shelf / NAME / "model").iterdir() if file.is_symlink()]
    assert run("remove", NAME)[0] == 0
    with zipfile.ZipFile(tmp_path / "model.zip", "w") as packed:
        for name, data in FILES.items():
            packed.writestr(f"inside/{name}", data)
    assert run("add", str(tmp_path / "model.zip"))[0] == 0
    assert [one.name for one in whisper_models(shelf)] == [NAME]
    assert [one.name for one in shelf.iterdir()] == [NAME]


@pytest.mark.parametrize(
    ("files", "word"),
    [
        ({name: data for name, data in FILES.items() if name != "tokenizer.json"}, "tokenizer.json"),
        ({name: data for name, data in FILES.items() if name != "vocabulary.txt"}, "vocabulary.json"),
        (FILES | {"model.bin": b"\x06\0\0\0\x10\0TransformerSpec\0"}, "not a Whisper model"),
    ],
)
def test_what_is_no_whole_whisper_model_is_one_sentence(
    files: dict[str, bytes], word: str, run: Run, shelf: Path, tmp_path: Path
) -> None:
    code, out, err = run("add", str(write_model(tmp_path / "given", files)))
    assert (code, out) == (2, "") and len(err.splitlines()) == 1 and word in err and str(tmp_path / "given") in err
    assert list(shelf.iterdir()) == []


def test_a_language_is_not_asked_for(run: Run, tmp_path: Path) -> None:
    code, _, err = run("add", str(write_model(tmp_path / "given", FILES)), "--language", "de")
    assert code == 2 and "--language" in err and len(err.splitlines()) == 1


def test_twice_is_refused_and_the_first_stays(run: Run, tmp_path: Path, shelf: Path) -> None:
    given = write_model(tmp_path / "given", FILES)
    assert run("add", str(given))[0] == 0
    code, _, err = run("add", str(given))
    assert code == 2 and f"anna-eins models remove {NAME}" in err and whisper_models(shelf)[0].name == NAME


def test_what_is_named_goes_first_then_each_shelf(
    run: Run, tmp_path: Path, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert whisper_folder() is None and whisper_folder(shelf=shelf) is None
    run("add", str(write_model(tmp_path / "given", FILES)))
    shutil.copytree(shelf, tmp_path / "program" / "share" / "anna-eins" / "models")
    assert whisper_folder() == tmp_path / "program" / "share" / "anna-eins" / "models" / NAME / "model"
    shutil.copytree(shelf, tmp_path / "users" / "models")
    assert whisper_folder() == tmp_path / "users" / "models" / NAME / "model"
    assert whisper_folder(shelf=shelf) == shelf / NAME / "model"
    monkeypatch.setenv(MODEL_VARIABLE, "/elsewhere")
    assert whisper_folder(shelf=shelf) == Path("/elsewhere")
    assert whisper_folder(tmp_path, shelf) == tmp_path


def test_the_model_chosen_last_is_in_force(run: Run, tmp_path: Path, shelf: Path) -> None:
    run("add", str(write_model(tmp_path / "given", FILES)))
    run("add", str(write_model(tmp_path / "other", small_model(2))))
    assert whisper_folder(shelf=shelf) == shelf / "other" / "model"
    assert run("use", NAME)[0] == 0
    assert whisper_folder(shelf=shelf) == shelf / NAME / "model"


@pytest.mark.parametrize("file", sorted(FILES))
@pytest.mark.parametrize("seed", [1, 2], ids=["known", "strange"])
def test_a_file_that_changed_since_is_refused_before_it_is_opened(
    seed: int, file: str, run: Run, tmp_path: Path, shelf: Path
) -> None:
    """Also of a model that nobody knows: it must still be what was added."""
    files = small_model(seed)
    run("add", str(write_model(tmp_path / "given", files)))
    folder = whisper_folder(shelf=shelf)
    assert folder is not None and checked_whisper_model(folder, shelf) == folder
    (folder / file).write_bytes(changed(files[file]))
    with pytest.raises(Complaint, match=file.replace(".", r"\.")):
        checked_whisper_model(folder, shelf)


def test_a_model_named_by_its_folder_is_compared_too(tmp_path: Path, shelf: Path) -> None:
    shelf.mkdir(parents=True)
    assert checked_whisper_model(write_model(tmp_path / "strange", small_model(2)), shelf)
    bad = write_model(tmp_path / "given", FILES | {"model.bin": changed(FILES["model.bin"])})
    with pytest.raises(Complaint, match=r"model\.bin"):
        checked_whisper_model(bad, shelf)
    with pytest.raises(Complaint, match="no folder"):
        checked_whisper_model(tmp_path / "nowhere", shelf)


def test_a_start_reads_a_file_again_only_where_it_changed(
    tmp_path: Path, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a change that keeps the length and puts the time back is noticed."""
    shelf.mkdir(parents=True)
    folder = write_model(tmp_path / "given", FILES)
    read: list[str] = []
    real = digests.sha256_of

    def counted(file: Path) -> str:
        read.append(file.name)
        return real(file)

    monkeypatch.setattr(digests, "sha256_of", counted)
    checked_whisper_model(folder, shelf)
    checked_whisper_model(folder, shelf)
    assert len(read) == 2 * len(FILES), "a file that was just written may still change within the same tick"
    monkeypatch.setattr(digests, "_YOUNG_NS", 0)
    checked_whisper_model(folder, shelf)
    read.clear()
    checked_whisper_model(folder, shelf)
    assert read == []
    file = folder / "model.bin"
    before = file.stat()
    file.write_bytes(changed(FILES["model.bin"]))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(Complaint, match=r"model\.bin"):
        checked_whisper_model(folder, shelf)
    assert read == ["model.bin"]


def test_a_record_that_is_damaged_or_cannot_be_written_only_costs_time(tmp_path: Path, shelf: Path) -> None:
    folder = write_model(tmp_path / "given", FILES)
    assert checked_whisper_model(folder, shelf), "there is no shelf"
    shelf.mkdir(parents=True)
    (shelf / digests.RECORD).write_bytes(b"{")
    assert checked_whisper_model(folder, shelf)


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        (("bytes = ", "bytes = -"), r'models\.toml.*models\.whisper-tiny\.files\."'),
        (("{revision}", ""), r"models\.toml.*hub"),
        (('sources = ["hub"]', 'sources = ["packages"]'), r"models\.toml.*models\.whisper-tiny\.sources"),
        (('licence = "MIT"', ""), r"models\.toml.*models\.whisper-tiny\.licence"),
        (('"config.json" =', '"../config.json" ='), r"models\.toml.*models\.whisper-tiny"),
    ],
)
def test_a_wrong_file_of_models_is_named_with_its_key(wrong: tuple[str, str], where: str, tmp_path: Path) -> None:
    file = tmp_path / "config" / "models.toml"
    text = file.read_text("utf-8")
    assert wrong[0] in text
    file.write_text(text.replace(*wrong, 1), "utf-8")
    load_known_models.cache_clear()
    with pytest.raises(Complaint, match=where):
        load_known_models(tmp_path / "config")


def test_the_models_that_come_with_the_program_are_named_whole() -> None:
    found = load_known_models()
    assert list(found) == ["whisper-base", "whisper-small", "whisper-medium"]
    assert found["whisper-base"].sources == ("hub", "packages") and found["whisper-base"].bytes == 147_882_941
    assert {model.licence for model in found.values()} == {"MIT"}
    assert all("model.bin" in model.files and len(model.files) == 4 for model in found.values())


@pytest.mark.needs("whisper")
def test_the_model_on_this_machine_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    folder = whisper_folder()
    assert folder is not None and checked_whisper_model(folder) == folder
