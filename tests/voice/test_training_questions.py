"""Questions about the position: answered at a table for training to the asker alone, refused at every other."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args, get_type_hints

import chess
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.decide.questions import find
from server.game.views import messages as msg
from server.wording.aloud.positions import position_text
from server.wording.pieces import pieces_of
from server.wording.typed import question_of_text
from server.wording.words import scheme_of
from speech.words.config_file import language_tags
from tests.table.open_hall import played

ABOUT = get_args(get_type_hints(cmd.Explore)["about"])
ARGUMENTS: dict[str, dict[str, Any]] = {
    "rank": {"rank": "4"},
    "file": {"file": "e"},
    "square": {"square": "e4"},
    "piece": {"piece": "knight"},
    "rays": {"square": "f1"},
    "attackers": {"square": "d5"},
    "moves": {"square": "g8"},
}
# White: Ke1, Qh5, Bf1, Ng1, e4. Black: Kg8, Nf6, d5.
FEN = "6k1/8/5n2/3p3Q/4P3/8/8/4KBN1 w - - 0 1"
OTHER = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


def asked(about: str) -> cmd.Explore:
    return cmd.Explore(about=about, **ARGUMENTS.get(about, {}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "about, found",
    [
        ("board", {"white": ("Ke1", "Qh5", "Bf1", "Ng1", "Pe4"), "black": ("kg8", "nf6", "pd5")}),
        ("white", {"white": ("Ke1", "Qh5", "Bf1", "Ng1", "Pe4"), "black": ()}),
        ("black", {"white": (), "black": ("kg8", "nf6", "pd5")}),
        ("rank", {"white": ("Pe4",), "black": ()}),
        ("file", {"white": ("Ke1", "Pe4"), "black": ()}),
        ("square", {"white": ("Pe4",), "black": ()}),
        ("piece", {"white": ("Ng1",), "black": ("nf6",)}),
        ("rays", {"squares": ("e2", "g2", "d3", "h3", "c4", "b5", "a6")}),
        ("attackers", {"white": ("Qh5", "Pe4"), "black": ("nf6",)}),
        ("captures", {"takes": (("Pe4", "d5"), ("Qh5", "d5"))}),
    ],
)
def test_what_each_question_finds(about: str, found: dict[str, Any]) -> None:
    answer = find(chess.Board(FEN), about, **ARGUMENTS.get(about, {}))
    assert answer is not None
    assert {key: getattr(answer, key) for key in found} == found


def test_pawns_are_listed_file_by_file() -> None:
    """As players think: "a4, b2, c3", never rank by rank."""
    board = chess.Board("4k3/1p5p/p1p5/3p4/P2P4/2P5/1P5P/4K3 w - - 0 1")
    answer = find(board, "board")
    assert answer is not None
    assert answer.white == ("Ke1", "Pa4", "Pb2", "Pc3", "Pd4", "Ph2")
    assert answer.black == ("ke8", "pa6", "pb7", "pc6", "pd5", "ph7")
    told = position_text(board.board_fen(), scheme_of("d21", "de"), by_square=False)
    assert told.splitlines()[0].endswith(
        "Bauer Anna vier, Bauer Bella zwei, Bauer Cesar drei, Bauer David vier, Bauer Hector zwei."
    )


def test_legal_moves_of_either_side_and_a_question_without_its_square() -> None:
    board = chess.Board(FEN)
    not_on_move = find(board, "moves", square="f6")
    assert not_on_move is not None and set(not_on_move.squares) == {"e4", "g4", "h5", "d7", "h7", "e8"}
    pinned = find(chess.Board("4k3/4n3/8/8/4R3/8/8/4K3 w - - 0 1"), "moves", square="e7")
    assert pinned is not None and pinned.squares == ()
    assert find(board, "moves") is None and find(board, "rank") is None
    empty = find(board, "moves", square="a8")
    assert empty is not None and empty.squares == ()


@pytest.mark.law("L203")
@pytest.mark.parametrize("about", ABOUT)
async def test_a_rated_game_refuses_every_question_whatever_the_position(tmp_path: Path, about: str) -> None:
    heard = []
    for name, fen in (("one", FEN), ("other", OTHER)):
        async with played(tmp_path / name, fen=fen) as game:
            outcome = await game.do("white", asked(about))
            assert not outcome.outcome.ok and outcome.outcome.code == "training_only"
            await game.told()
            assert not game.ears["white"].of(msg.PositionTold)
            arbiter = game.ears["arbiter"].of(msg.Recorded)
            assert not [one for one in arbiter if isinstance(one.event, ev.Explored)]
            heard.append(game.ears["white"].as_bytes()[1:])
    assert heard[0] == heard[1]


async def test_in_a_rated_game_the_words_are_no_question(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        from speech.complaint import Complaint

        with pytest.raises(Complaint):
            await game.type("white", "Züge von g1")


@pytest.mark.law("L203")
async def test_training_answers_into_the_askers_ear_alone(tmp_path: Path) -> None:
    async with played(tmp_path, fen=FEN, training=True) as game:
        for about in ABOUT:
            await game.done("white", asked(about))
            await game.told()
        told = game.ears["white"].of(msg.PositionTold)
        assert [one.about for one in told] == list(ABOUT)
        by_about = {one.about: one.text for one in told}
        assert by_about["square"] == "Weiß: Bauer Eva vier."
        assert by_about["captures"] == "Bauer Eva vier schlägt David fünf, Dame Hector fünf schlägt David fünf."
        assert by_about["last"] == "Nichts."
        sounds = [one.text for one in game.ears["white"].sounds]
        pieces = [text for one in told for text, _ in pieces_of(one, scheme_of("d21", "de"))]
        assert sounds == pieces, "each is said into White's ear, a few men at a time"
        assert not game.ears["black"].of(msg.PositionTold)
        assert all(line for one in game.ears["white"].received for line in getattr(one, "lines", ()))


@pytest.mark.parametrize("language", language_tags())
def test_each_question_has_words_to_type_in_every_language(language: str) -> None:
    scheme = scheme_of("d21", language)
    said = {"rank": "4", "file": "e", "square": "e4", "piece": scheme.text("piece.knight"), "rays": "f1",
            "attackers": "d5", "moves": "Gustav acht"}  # fmt: skip
    for about in ABOUT:
        phrase = scheme.messages.text(f"train.{about}")
        assert question_of_text(f"{phrase.upper()} {said.get(about, '')}?", scheme) == asked(about), phrase
    assert question_of_text("Springer Felix drei", scheme) is None
    assert question_of_text("e4", scheme) is None
    assert question_of_text(f"{scheme.messages.text('train.rank')} {scheme.text('piece.knight')}", scheme) is None


@pytest.mark.law("L203")
async def test_questions_by_voice_begin_with_help_and_are_none_in_a_rated_game(tmp_path: Path) -> None:
    async with played(tmp_path / "training", fen=FEN, training=True) as game:

        async def told(*words: str) -> str:
            for word in words:
                await game.speak("white", word)
            await game.told()
            return game.ears["white"].of(msg.PositionTold)[-1].text  # type: ignore[no-any-return]

        assert await told("Hilfe", "Eva vier") == "Weiß: Bauer Eva vier."
        assert await told("Hilfe", "Springer Gustav eins") == "Eva zwei, Felix drei, Hector drei."
        assert (await told("Hilfe", "Eva eins David fuenf")).startswith("Weiß: Dame Hector fünf, Bauer Eva vier.")
        assert "Läufer Felix eins" in await told("Hilfe", "Hilfe")
        assert not game.table.state.moves.plies, "what is asked about is no move"
        await game.speak("white", "Hilfe")
        await game.pass_time(16_000)
        await game.speak("white", "Laeufer Eva zwei")
        assert len(game.table.state.moves.plies) == 1, "after a while it is a move again"
    async with played(tmp_path / "rated", fen=FEN) as game:
        await game.speak("white", "Hilfe")
        await game.speak("white", "Springer Felix drei")
        assert len(game.table.state.moves.plies) == 1 and not game.ears["white"].of(msg.PositionTold)
