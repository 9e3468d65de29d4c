"""`anna-eins models`: a model is copied, tried in a child and used; whatever is wrong with it leaves nothing behind."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import stat
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.cli import main
from server.machine.models import copying
from server.machine.models.shelf import engines_with, kept_models, model_folders, models_in_force
from speech.complaint import Complaint
from speech.recognisers.vosk.model import MODEL_VARIABLE, checked_model, words_of_model
from tests.speech.hearing.published_vosk_model import word_list_in_graph
from tests.speech.hearing.random_vosk_model import MODEL_CONF, write_random_model
from tests.speech.hearing.test_vosk_models import BREAKINGS, WORDS

pytestmark = pytest.mark.needs("vosk")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def no_other_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_random_model(tmp_path_factory.mktemp("vosk") / "tiny-de", WORDS)


@pytest.fixture
def model(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "tiny-de"))


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


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    return tmp_path / "data" / "models"


def packed(folder: Path, file: Path, inside: str = "tiny-de/") -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, inside + str(path.relative_to(folder)))
    return file


def refused(answer: tuple[int, str, str], shelf: Path) -> str:
    """The one sentence of a refusal; nothing is left on the shelf."""
    code, out, err = answer
    assert code == 2 and out == ""
    assert len(err.splitlines()) == 1 and "Traceback" not in err and err.rstrip().endswith(".")
    assert not shelf.exists() or list(shelf.iterdir()) == []
    return err


@pytest.mark.parametrize("form", ["folder", "zip", "bare zip"])
def test_a_model_is_copied_tried_and_in_use(form: str, model: Path, run: Run, shelf: Path, tmp_path: Path) -> None:
    source = model
    if form != "folder":
        source = packed(model, tmp_path / "tiny-de.zip", "" if form == "bare zip" else "tiny-de/")
    code, out, err = run("add", str(source))
    assert (code, err) == (0, "") and len(out.splitlines()) == 1
    assert "is in use for de" in out and 'missing: "' in out, "what it cannot hear is told"
    kept = shelf / "tiny-de" / "model"
    assert model_folders({}, shelf) == {"de": str(kept)}
    assert [path.name for path in shelf.iterdir()] == ["tiny-de"]
    for path in (shelf, *shelf.rglob("*")):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path
    shutil.rmtree(model)
    (vosk,) = engines_with("vosk", None, model_folders({}, shelf), shelf)
    assert vosk.name == "vosk"
    assert next(engine.name for engine in engines_with("auto", None, model_folders({}, shelf), shelf)) == "vosk"
    assert words_of_model(checked_model(kept)) >= set(WORDS)
    code, out, _ = run("list")
    assert code == 0 and out.splitlines()[0].startswith("tiny-de: de, in use") and "models get" in out.splitlines()[-1]
    assert run("remove", "tiny-de")[0] == 0
    assert model_folders({}, shelf) == {} and list(shelf.iterdir()) == []


@pytest.mark.parametrize("name", [name for name in BREAKINGS if name != "no folder"])
def test_a_broken_model_is_refused_in_one_sentence(name: str, model: Path, run: Run, shelf: Path) -> None:
    BREAKINGS[name](model)
    said = refused(run("add", str(model)), shelf)
    assert str(model) in said and ".adding-" not in said


def test_a_folder_that_is_not_there(run: Run, shelf: Path, tmp_path: Path) -> None:
    assert "nowhere" in refused(run("add", str(tmp_path / "nowhere")), shelf)


def old_layout(folder: Path) -> None:
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        path.rename(folder / path.name)
    for part in ("am", "conf", "graph"):
        (folder / part).rmdir()


def fixed_graph(folder: Path) -> None:
    (folder / "graph" / "HCLr.fst").rename(folder / "graph" / "HCLG.fst")


def other_words(folder: Path) -> None:
    listed = (folder / "graph" / "words.txt").read_text("utf-8").splitlines()
    strange = ["<eps> 0", *(f"strange{chr(96 + number)} {number}" for number in range(1, len(listed)))]
    (folder / "graph" / "words.txt").write_text("\n".join(strange) + "\n", encoding="utf-8")


def damaged_table(folder: Path) -> None:
    word_list_in_graph(folder)
    graph = folder / "graph" / "Gr.fst"
    graph.write_bytes(graph.read_bytes()[:200])


@pytest.mark.parametrize(
    ("breaking", "reason"),
    [
        (old_layout, "old kind"),
        (fixed_graph, "fixed"),
        (other_words, "cannot recognise any square"),
        (damaged_table, "cannot be read"),
    ],
)
def test_a_model_of_no_use_here_is_refused_with_the_reason(
    breaking: Callable[[Path], None], reason: str, model: Path, run: Run, shelf: Path
) -> None:
    breaking(model)
    assert reason in refused(run("add", str(model)), shelf)


def test_a_small_official_model_carries_its_words_in_the_graph(model: Path, run: Run, shelf: Path) -> None:
    word_list_in_graph(model)
    code, out, err = run("add", str(model))
    assert (code, err) == (0, ""), err
    assert "is in use for de" in out
    assert words_of_model(shelf / "tiny-de" / "model") >= set(WORDS)


def bad_zips(folder: Path) -> Iterator[tuple[str, Path]]:
    def archive(name: str, path: str, mode: int = 0o100644, data: str = "x") -> tuple[str, Path]:
        file = folder / f"{name}.zip"
        with zipfile.ZipFile(file, "w") as into:
            entry = zipfile.ZipInfo(path)
            entry.external_attr = mode << 16
            into.writestr(entry, data)
        return name, file

    yield archive("upward", "../../evil")
    yield archive("absolute", "/tmp/evil")
    yield archive("backslashes", "..\\evil")
    yield archive("drive", "C:evil")
    yield archive("link", "model/am/final.mdl", 0o120777, "/etc/passwd")
    yield archive("empty", "model/readme")
    garbage = folder / "garbage.zip"
    garbage.write_bytes(b"PK\x03\x04 no zip at all")
    yield "garbage", garbage
    cut = packed(write_random_model(folder / "cut", WORDS), folder / "cut.zip")
    cut.write_bytes(cut.read_bytes()[:-200])
    yield "cut", cut
    twice = folder / "twice.zip"
    with zipfile.ZipFile(twice, "w") as into, pytest.warns(UserWarning, match="Duplicate"):
        into.writestr("am/final.mdl", "a")
        into.writestr("am/final.mdl", "b")
    yield "twice", twice


def test_no_zip_file_writes_outside_or_links(run: Run, shelf: Path, tmp_path: Path) -> None:
    folder = tmp_path / "zips"
    folder.mkdir()
    for name, file in bad_zips(folder):
        assert str(file) in refused(run("add", str(file)), shelf), name
        assert not list(tmp_path.rglob("evil")), name


def test_links_in_a_folder_are_refused(model: Path, run: Run, shelf: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("private")
    (model / "am" / "more").symlink_to(secret)
    assert "link" in refused(run("add", str(model)), shelf)
    (model / "am" / "more").unlink()
    (model / "more").symlink_to(tmp_path, target_is_directory=True)
    assert "link" in refused(run("add", str(model)), shelf)
    (model / "more").unlink()
    os.mkfifo(model / "pipe")
    assert "link or a device" in refused(run("add", str(model)), shelf)


def test_a_model_that_is_too_large_is_refused(
    model: Path, run: Run, shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "LARGEST_MODEL", 10_000)
    assert "larger than" in refused(run("add", str(model)), shelf)
    assert "larger than" in refused(run("add", str(packed(model, tmp_path / "big.zip"))), shelf)
    monkeypatch.setattr(copying, "LARGEST_MODEL", 2**30)
    monkeypatch.setattr(copying, "MOST_FILES", 3)
    assert "more than 3 files" in refused(run("add", str(model)), shelf)


def test_a_zip_that_is_no_model_or_holds_gigabytes_of_nothing_is_refused_before_it_is_unpacked(
    run: Run, shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(*_: object) -> None:
        pytest.fail("it is unpacked before it is refused")

    monkeypatch.setattr(copying._Room, "write", nothing)
    for name, sentence in (("zeros.bin", "no Vosk model"), ("am/final.mdl", "larger than")):
        bomb = tmp_path / f"{Path(name).stem}.zip"
        with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as into:
            into.writestr(f"model/{name}", bytes(4_000_000))
        assert sentence in refused(run("add", str(bomb)), shelf)


def test_a_zip_or_folder_that_is_all_folders_is_refused(run: Run, shelf: Path, tmp_path: Path) -> None:
    deep, many, folder = tmp_path / "deep.zip", tmp_path / "many.zip", tmp_path / "folders"
    with zipfile.ZipFile(deep, "w") as into:
        into.writestr("a/" * 1_500 + "x", "x")
    assert "more than 16 folders inside one another" in refused(run("add", str(deep)), shelf)
    with zipfile.ZipFile(many, "w") as into:
        for number in range(2_100):
            into.writestr(f"model/{number}/", "")
    assert "more than 2000 files and folders" in refused(run("add", str(many)), shelf)
    with zipfile.ZipFile(many, "w") as into:
        for number in range(4_100):
            into.writestr(f"model/{number % 7}-{number}", "")
    assert "files" in refused(run("add", str(many)), shelf)
    folder.joinpath(*"a" * 30).mkdir(parents=True)
    assert "more than 16 folders inside one another" in refused(run("add", str(folder)), shelf)


def test_the_newest_is_used_until_another_is_chosen(model: Path, run: Run, shelf: Path, tmp_path: Path) -> None:
    assert run("add", str(model))[0] == 0
    newer = shutil.copytree(model, tmp_path / "newer")
    assert run("add", str(newer))[0] == 0
    assert models_in_force(shelf) == {"de": shelf / "newer" / "model"}
    assert run("use", "tiny-de")[0] == 0
    assert models_in_force(shelf) == {"de": shelf / "tiny-de" / "model"}
    assert run("remove", "tiny-de")[0] == 0
    assert models_in_force(shelf) == {"de": shelf / "newer" / "model"}
    for wrong in (("use", "tiny-de"), ("remove", "../data"), ("add", str(newer))):
        code, out, err = run(*wrong)
        assert code == 2 and out == "" and len(err.splitlines()) == 1
    assert [kept.name for kept in kept_models(shelf)] == ["newer"]


def test_the_settings_and_the_environment_win(
    model: Path, run: Run, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("add", str(model))[0] == 0
    assert model_folders({"de": "/named"}, shelf) == {"de": "/named"}
    monkeypatch.setenv(MODEL_VARIABLE, "/in the environment")
    (vosk,) = engines_with("vosk", None, model_folders({}, shelf), shelf)
    with pytest.raises(Complaint, match="/in the environment"):
        asyncio.run(vosk.start())


def test_hear_and_doctor_use_an_added_model(
    model: Path, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("add", str(model))[0] == 0
    data = str(tmp_path / "data")
    with pytest.raises(SystemExit):
        main(["doctor", "--json", "--data", data])
    (found,) = [one for one in json.loads(capsys.readouterr().out) if one["name"] == "vosk-model"]
    assert found["ok"] and found["found"] == "models for de"
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"id": 1, "wav": "gone.wav"}\n')
    with pytest.raises(SystemExit) as stop:
        main(["hear", "--cases", str(cases), "--engine", "vosk", "--data", data])
    assert stop.value.code == 0 and '"error"' in capsys.readouterr().out


def test_what_a_killed_adding_left_is_swept(model: Path, run: Run, shelf: Path) -> None:
    assert run("list")[0] == 0
    left = shelf / ".adding-999999999-tiny"
    left.mkdir(parents=True)
    (shelf.parent).chmod(0o700)
    assert run("add", str(model))[0] == 0
    assert [path.name for path in shelf.iterdir()] == ["tiny-de"]


def test_without_silence_phones_the_process_that_dies_is_not_ours(model: Path, run: Run, shelf: Path) -> None:
    lines = [line for line in MODEL_CONF.splitlines() if "silence-phones" not in line]
    (model / "conf" / "model.conf").write_text("\n".join(lines) + "\n")
    assert "SIGABRT" in refused(run("add", str(model)), shelf)
