"""`anna-eins hear`: fields, bad cases, and that no position ever colours what is heard."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Literal

import chess
import pytest
from click.testing import CliRunner

from server.cli import group, main
from server.voice.listener import order_by_legality
from speech.announcements.understand import understand
from speech.audio.sound import Sound
from speech.audio.wav import wav_bytes
from speech.hearing.hearing import Verdict
from speech.recognisers.recogniser import Hypothesis, WordHeard
from speech.words.scheme import Scheme
from tests.speech.hearing.spoken_announcements import phrase, rendered

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FIELDS = {"id", "words", "announced", "uci", "san", "legal", "verdict", "confidence", "alternatives", "ms"}
ANNOUNCED = {"kind", "piece", "from", "to", "promotion", "castling", "command"}


def write_cases(folder: Path, cases: list[dict[str, object] | str]) -> Path:
    file = folder / "cases.jsonl"
    file.write_text("\n".join(case if isinstance(case, str) else json.dumps(case) for case in cases), encoding="utf-8")
    return file


def answers(file: Path, *more: str) -> list[dict[str, object]]:
    result = CliRunner().invoke(group, ["hear", "--cases", str(file), "--engine", "auto", *more])
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(scope="module")
def sounds(tmp_path_factory: pytest.TempPathFactory, german: Scheme) -> Path:
    folder = tmp_path_factory.mktemp("sounds")
    said = {
        "knight_f3": ("piece.knight", "file.f", "rank.3"),
        "castle": ("castle.short",),
        "repeat": ("cmd.repeat",),
        "e2e4": ("file.e", "rank.2", "file.e", "rank.4"),
    }
    found = asyncio.run(rendered([phrase(words, german, "m3") for words in said.values()]))
    for name, pcm in zip(said, found, strict=True):
        (folder / f"{name}.wav").write_bytes(wav_bytes(Sound(pcm, 16_000)))
    return folder


POSITIONS = {
    "legal": START,
    "illegal": "4k3/8/8/8/8/8/8/4K2N w - - 0 1",
    "ambiguous": "4k3/8/8/8/3N3N/8/8/4K3 w - - 0 1",
    "pinned": "4r2k/8/8/8/8/4N3/8/4K1N1 w - - 0 1".replace("4N3", "8").replace("4K1N1", "4K1N1"),
    "pinned for real": "7k/8/8/8/8/8/8/r3N2K w - - 0 1",
    "nobody": "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "black": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
}
CASTLING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
TWO_KNIGHTS = "4k3/8/8/8/3N3N/8/8/4K3 w - - 0 1"
TRAINED: list[dict[str, object] | str] = [
    {"id": "nowhere", "wav": "e2e4.wav", "fen": KINGS},
    {"id": "two", "wav": "knight_f3.wav", "fen": TWO_KNIGHTS},
]
BAD: list[dict[str, object] | str] = [
    {"id": "gone", "wav": "gone.wav", "fen": START},
    {"id": "no wav", "wav": "noise.wav", "fen": START},
    {"id": "no fen", "wav": "e2e4.wav", "fen": "nonsense"},
    {"id": "no tongue", "wav": "e2e4.wav", "fen": START, "language": "xx"},
    {"id": "no name"},
    "{not json",
    "[1, 2]",
]


@pytest.fixture(scope="module")
def found(sounds: Path) -> list[dict[str, object]]:
    """What is said of all the cases by one start of the ears: the bad ones stand among the others."""
    (sounds / "noise.wav").write_bytes(b"no wav at all")
    cases: list[dict[str, object] | str] = [
        *BAD,
        *({"id": name, "wav": "knight_f3.wav", "fen": fen} for name, fen in POSITIONS.items()),
        {"id": "castle", "wav": "castle.wav", "fen": CASTLING, "language": "de"},
        {"id": "repeat", "wav": "repeat.wav", "fen": START, "language": "de"},
        {"id": "pawn", "wav": str(sounds / "e2e4.wav"), "fen": START, "language": "de"},
        {"id": "good", "wav": "e2e4.wav", "fen": START},
        *TRAINED,
    ]
    return answers(write_cases(sounds, cases))


@pytest.fixture(scope="module")
def rated(found: list[dict[str, object]]) -> dict[object, dict[str, object]]:
    return {one["id"]: one for one in found}


@pytest.fixture(scope="module")
def training(sounds: Path) -> dict[object, dict[str, object]]:
    return {one["id"]: one for one in answers(write_cases(sounds, TRAINED), "--mode", "training")}


@pytest.mark.law("L141")
def test_the_same_sound_is_heard_alike_in_every_position(rated: dict[object, dict[str, object]]) -> None:
    by_id = {name: rated[name] for name in POSITIONS}
    heard = {
        json.dumps([one[key] for key in ("words", "announced", "confidence", "verdict")]) for one in by_id.values()
    }
    assert len(heard) == 1
    assert by_id["legal"]["uci"] == "g1f3" and by_id["legal"]["san"] == "Nf3" and by_id["legal"]["legal"] is True
    ambiguous = by_id["ambiguous"]
    assert ambiguous["uci"] is None and ambiguous["san"] is None
    assert isinstance(ambiguous["alternatives"], list)
    assert {one["uci"] for one in ambiguous["alternatives"]} >= {"d4f3", "h4f3"}
    pinned = by_id["pinned for real"]
    assert pinned["uci"] == "e1f3" and pinned["legal"] is False and pinned["san"] is None
    assert by_id["nobody"]["uci"] is None and by_id["nobody"]["legal"] is False


def test_fields_and_kinds(rated: dict[object, dict[str, object]]) -> None:
    castle, repeat, pawn = found = [rated[name] for name in ("castle", "repeat", "pawn")]
    for one in found:
        assert one.keys() >= FIELDS
        announced = one["announced"]
        assert isinstance(announced, dict) and announced.keys() == ANNOUNCED
        assert isinstance(one["ms"], int) and isinstance(one["confidence"], float) and 0 <= one["confidence"] <= 1
        assert one["verdict"] in ("accept", "confirm", "repeat", "reject")
    assert castle["uci"] == "e1g1" and castle["san"] == "O-O"
    assert repeat["uci"] is None and repeat["legal"] is None and repeat["alternatives"] == []
    assert isinstance(repeat["announced"], dict)
    assert (repeat["announced"]["kind"], repeat["announced"]["command"]) == ("command", "repeat")
    assert isinstance(pawn["announced"], dict)
    assert (pawn["announced"]["from"], pawn["announced"]["to"], pawn["announced"]["piece"]) == ("e2", "e4", None)
    assert pawn["uci"] == "e2e4" and pawn["san"] == "e4"


def test_a_bad_case_gets_its_own_line_and_the_rest_go_on(
    found: list[dict[str, object]], rated: dict[object, dict[str, object]]
) -> None:
    assert [one["id"] for one in found[:7]] == ["gone", "no wav", "no fen", "no tongue", "no name", None, None]
    assert [one["id"] for one in found[7:]] == [*POSITIONS, "castle", "repeat", "pawn", "good", "nowhere", "two"]
    for one in found[:7]:
        assert isinstance(one["error"], str) and one["error"].endswith(".") and "\n" not in one["error"]
    assert rated["good"]["uci"] == "e2e4" and not any("error" in one for one in found[7:])


def test_training_says_confirm_for_an_illegal_move(
    rated: dict[object, dict[str, object]], training: dict[object, dict[str, object]]
) -> None:
    assert rated["nowhere"]["verdict"] == "accept"
    assert training["nowhere"]["verdict"] == "confirm"


def test_training_asks_which_piece_and_orders_what_was_heard_by_legality(
    rated: dict[object, dict[str, object]], training: dict[object, dict[str, object]]
) -> None:
    before, now = rated["two"], training["two"]
    assert before["question"] is None and before["verdict"] == "accept"
    question = {"ask": "which", "choices": ["d4", "h4"], "text": "Springer von David oder von Hector?"}
    assert now["question"] == question and now["verdict"] == "confirm"
    assert {key: before[key] for key in ("words", "announced")} == {key: now[key] for key in ("words", "announced")}


def test_in_doubt_training_takes_the_legal_reading_and_never_bends_what_was_clear() -> None:
    def heard(verdict: Literal["accept", "confirm", "repeat"]) -> Verdict:
        chains = (("piece.knight", "file.f", "rank.4"), ("piece.knight", "file.f", "rank.3"))
        ranked = tuple(
            Hypothesis(tuple(WordHeard(word, 0.5) for word in chain), -float(place))
            for place, chain in enumerate(chains)
        )
        return Verdict(chains[0], understand(chains[0]), 0.7, verdict, ranked, "own", 1)

    board = chess.Board()
    for doubtful in (heard("confirm"), heard("repeat")):
        found = order_by_legality(doubtful, board)
        assert found.words == ("piece.knight", "file.f", "rank.3") and found.verdict == "confirm"
        assert order_by_legality(doubtful, chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1")) == doubtful
    assert order_by_legality(heard("accept"), board) == heard("accept")


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (None, ()),
        (b"", ()),
        (b"\xff\xfe\x00", ()),
        (b"not a case\n", ()),
        (b'{"wav": "x.wav"}\n', ("--scheme", "nosuch")),
        (b'{"wav": "x.wav"}\n', ("--engine", "nosuch")),
        (b'{"wav": "x.wav"}\n', ("--engine", "vosk", "--model", "nosuch")),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    content: bytes | None,
    options: tuple[str, ...],
) -> None:
    monkeypatch.delenv("ANNA_EINS_VOSK_MODEL", raising=False)
    file = tmp_path / "cases.jsonl"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SystemExit) as stop:
        main(["hear", "--cases", str(file), *options])
    said = capsys.readouterr()
    assert stop.value.code == 2
    assert said.out == "" and len(said.err.strip().splitlines()) == 1 and "Traceback" not in said.err
