"""A model laid out as the small published ones are goes its whole way; a broken i-vector extractor is one sentence."""

from __future__ import annotations

import json
import shutil
import wave
from collections.abc import Callable
from pathlib import Path

import pytest

from server.cli import main
from server.machine.models.shelf import engines_with, kept_models, model_folders
from speech.recognisers.vocabulary import vocabulary_of
from speech.recognisers.vosk.model import MODEL_VARIABLE
from speech.recognisers.vosk.recogniser import VoskRecogniser
from speech.words.scheme import Scheme
from tests.speech.hearing.published_vosk_model import FILES, WORDS, write_published_model
from tests.speech.hearing.spoken_announcements import phrase, rendered, with_noise

pytestmark = pytest.mark.needs("vosk")

SAID = {
    ("piece.knight", "file.f", "rank.3"): "Springer Felix drei",
    ("piece.bishop", "file.c", "rank.3"): "Laeufer Cesar drei",
    ("file.e", "rank.4"): "Eva vier",
}
NAME = "vosk-model-small-de"

Run = Callable[..., tuple[int, str, str]]
Break = Callable[[Path], None]


@pytest.fixture(autouse=True)
def no_other_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_published_model(tmp_path_factory.mktemp("published") / NAME)


@pytest.fixture
def model(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / NAME))


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """`anna-eins ...` over one data folder -> exit status, standard output, standard error."""

    def ran(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main([*arguments, "--data", str(tmp_path / "data")])
        said = capsys.readouterr()
        assert stop.value.code is None or isinstance(stop.value.code, int)
        return stop.value.code or 0, said.out, said.err

    return ran


@pytest.fixture
async def sounds(german: Scheme) -> dict[tuple[str, ...], bytes]:
    """Each of `SAID` by one voice of eSpeak NG."""
    said = await rendered([phrase(words, german, "f2") for words in SAID])
    return dict(zip(SAID, said, strict=True))


def recorded(folder: Path, sounds: dict[tuple[str, ...], bytes]) -> Path:
    """A folder as `anna-eins measure` takes it."""
    folder.mkdir()
    lines = ["file\tperson\tlanguage\tsaid"]
    for number, (words, text) in enumerate(SAID.items()):
        with wave.open(str(folder / f"{number}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(16_000)
            file.writeframes(sounds[words])
        lines.append(f"{number}.wav\tp1\tde\t{text}")
    (folder / "table.tsv").write_text("\n".join(lines) + "\n")
    return folder


def test_the_folder_is_laid_out_as_published(whole: Path) -> None:
    there = {str(path.relative_to(whole)) for path in whole.rglob("*") if path.is_file()}
    assert there == {
        *("README", "am/final.mdl", "conf/mfcc.conf", "conf/model.conf"),
        *("graph/HCLr.fst", "graph/Gr.fst", "graph/disambig_tid.int", "graph/phones/word_boundary.int"),
        *(f"ivector/{name}" for name in FILES),
    }


async def test_it_hears_what_is_said_and_tells_what_it_cannot(
    model: Path, german: Scheme, sounds: dict[tuple[str, ...], bytes]
) -> None:
    vocabulary = vocabulary_of(german)
    vosk = VoskRecogniser(model)
    try:
        await vosk.start()
        for words, pcm in sounds.items():
            found = await vosk.recognise(pcm, vocabulary)
            assert found.ranked[0].ids == words
        missing = await vosk.missing(vocabulary)
        assert {"piece.pawn", "castle.short", "cmd.time"} <= set(missing) and not set(WORDS) & set(missing)
    finally:
        await vosk.close()


async def test_its_extractor_is_asked_about_the_speaker(
    model: Path, tmp_path: Path, german: Scheme, sounds: dict[tuple[str, ...], bytes]
) -> None:
    """Another extractor beside the same network gives other figures; the same one gives the same."""
    other = write_published_model(tmp_path / "other", seed=2)
    assert (other / "am" / "final.mdl").read_bytes() == (model / "am" / "final.mdl").read_bytes()
    # A hissing sound leaves the network in doubt, so that a small change of its input is seen.
    noisy = [with_noise(pcm, 5.0) for pcm in sounds.values()]
    figures = []
    for folder in (model, model, other):
        vosk = VoskRecogniser(folder)
        try:
            await vosk.start()
            figures.append([await vosk.recognise(pcm, vocabulary_of(german)) for pcm in noisy])
        finally:
            await vosk.close()
    assert figures[0] == figures[1] and figures[0] != figures[2]


def test_added_listed_chosen_measured_and_removed(
    model: Path, run: Run, tmp_path: Path, sounds: dict[tuple[str, ...], bytes]
) -> None:
    shelf = tmp_path / "data" / "models"
    code, out, err = run("models", "add", str(model))
    assert (code, err) == (0, "") and "is in use for de" in out
    assert f"it knows {len(WORDS)}; missing: " in out and '"Korrektur"' in out
    assert "piece.pawn" in kept_models(shelf)[0].about.missing
    code, out, _ = run("models", "list")
    assert code == 0 and f"{NAME}: de, in use" in out
    here = json.loads(run("models", "list", "--json")[1])["here"]
    assert here == [{"name": NAME, "language": "de", "in_use": True}]
    folders = model_folders({}, shelf)
    assert [engine.name for engine in engines_with("vosk", None, folders, shelf)] == ["vosk"]
    assert next(engine.name for engine in engines_with("auto", None, folders, shelf)) == "vosk"
    assert model_folders({"de": "/named in the settings"}, shelf) == {"de": "/named in the settings"}
    folder = recorded(tmp_path / "recorded", sounds)
    for chosen in ((), ("--model", str(model))):
        code, out, err = run("measure", str(folder), "--engine", "vosk", *chosen, "--json")
        assert (code, err) == (0, "")
        told = json.loads(out)["all"]
        assert (told["n"], told["right"], told["accepted_wrong"], told["read_back_wrong"]) == (3, 3, 0, 0)
    assert run("models", "remove", NAME)[0] == 0
    assert model_folders({}, shelf) == {} and list(shelf.iterdir()) == []


def without(name: str) -> Break:
    return lambda folder: (folder / "ivector" / name).unlink()


def halved(name: str) -> Break:
    def cut(folder: Path) -> None:
        file = folder / "ivector" / name
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])

    return cut


def emptied(name: str) -> Break:
    return lambda folder: (folder / "ivector" / name).write_bytes(b"")


def without_extractor(folder: Path) -> None:
    shutil.rmtree(folder / "ivector")


def spliced_otherwise(folder: Path) -> None:
    (folder / "ivector" / "splice.conf").write_text("--left-context=2\n--right-context=2\n")


def unknown_option(folder: Path) -> None:
    (folder / "ivector" / "online_cmvn.conf").write_text("--no-such-thing=1\n")


BREAKINGS = {
    **{f"no {name}": without(name) for name in FILES},
    **{f"{name} cut short": halved(name) for name in FILES if not name.endswith("conf")},
    "final.ie empty": emptied("final.ie"),
    "no folder ivector": without_extractor,
    "other splicing": spliced_otherwise,
    "unknown option": unknown_option,
}


@pytest.mark.parametrize("breaking", list(BREAKINGS.values()), ids=list(BREAKINGS))
def test_a_broken_extractor_is_refused_in_one_sentence(breaking: Break, model: Path, run: Run, tmp_path: Path) -> None:
    breaking(model)
    code, out, err = run("models", "add", str(model))
    assert code == 2 and out == ""
    assert len(err.splitlines()) == 1 and "Traceback" not in err and err.rstrip().endswith(".")
    assert str(model) in err and ".adding-" not in err
    shelf = tmp_path / "data" / "models"
    assert not shelf.exists() or list(shelf.iterdir()) == []
