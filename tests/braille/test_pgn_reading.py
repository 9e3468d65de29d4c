"""PGN in, plies out: what is read, where reading stops, and hostile text."""

from __future__ import annotations

import io
import random
import time

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.desk.loading import load_endings, score_writings
from server.exports.pgn_reader import MAX_PLIES, PgnReading, read_games
from server.scoresheets.cell import Writing
from server.scoresheets.endings import NO_ENDINGS
from server.scoresheets.letters import Letters, alphabet_from


def one(text: str) -> PgnReading:
    (game,) = read_games(text)
    return game


def sans(game: PgnReading) -> str:
    board = chess.Board(game.played.start_fen or chess.STARTING_FEN, chess960=game.played.chess960)
    return board.variation_san([chess.Move.from_uci(uci) for uci in game.played.moves])


def test_tags_comments_variations_and_praise() -> None:
    game = one(
        '[White "A \\"B\\" C"]\n[Result "0-1"]\n\n% escaped\n1.e4! {a (comment} e5?? ; to the end 2. Nf3\n'
        "2.Nf3 (2.Nc3 Nf6 (2...Nc6) {x}) 2...Nc6 $1 3. Bb5!? a6?! 4.O-O\n\n4... Nf6 0-1\n"
    )
    assert game.fault is None
    assert sans(game) == "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O Nf6"
    assert game.played.headers["White"] == 'A "B" C'
    assert game.played.result == "0-1"


@pytest.mark.law("L165")
@pytest.mark.parametrize(
    ("text", "result", "languages", "ending"),
    [
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 1:0", "1-0", (), None),
        ("1. e4 e5 2. ♘f3± ♞c6 (42) 3. ♗b5 ½:½", "1/2-1/2", (), None),
        ("1. e4 e5 2. Sf3 Sc6 3. Lb5 remis", None, ("de",), "remis"),
        ("1. e4 e5 2. Cf3 Cc6 3. Fb5 Black resigns 1-0", "1-0", ("fr",), "Black resigns 1-0"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 0-0", "0-0", (), None),
    ],
)
def test_games_as_people_write_them(text: str, result: str | None, languages: tuple[str, ...], ending: str) -> None:
    """The whole game tells in whose letters it is written; `0-0` is castling only where castling is a move."""
    (game,) = read_games(text, load_endings(), score_writings())
    assert (game.fault, game.played.result, game.languages, game.ending) == (None, result, languages, ending)
    assert sans(game) == "1. e4 e5 2. Nf3 Nc6 3. Bb5"


def test_a_game_that_two_languages_read_differently_is_asked_about() -> None:
    usual = {"king": ("K",), "queen": ("D",), "rook": ("T",)}
    a = Writing(alphabet_from("a", Letters(**usual, bishop=("Z",), knight=("Y",))))
    b = Writing(alphabet_from("b", Letters(**usual, bishop=("Y",), knight=("X",), pawns=("Z",))))
    (game,) = read_games("1. e4 e5 2. Zc4 *", NO_ENDINGS, {"a": a, "b": b})
    assert game.fault is not None and "can be read in a, b, with different results" in str(game.fault)


@pytest.mark.parametrize("head", ['[Event "O"]\n  [White "A"]\n', '[Event "O"] [White "A"]\n'])
def test_tags_anywhere_at_the_head(head: str) -> None:
    game = one(head + '[Black "B "Bee" C"]\n\n1. e4 *')
    assert dict(game.played.headers) == {"Event": "O", "White": "A", "Black": 'B "Bee" C'}


@pytest.mark.law("L169", "L172", "L173", "L174")
def test_the_forms_of_the_laws() -> None:
    game = one("1. e4 d5 2. e5 f5 3. exf6 e.p. Nxf6 4. Ng1-f3 (=) Nc6 5. Be2 e5 6. 0-0 Bd6 7. d4 = 0-0 ½-½")
    assert game.fault is None
    assert game.played.draw_offers == (6, 12)
    assert game.played.result == "1/2-1/2"
    assert sans(game).endswith("6. O-O Bd6 7. d4 O-O")
    assert sans(one('[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. a8Q+ Kd7')).startswith("1. a8=Q+")
    assert sans(one("1. f3 e5 2. g4 Qh4++ 0-1")).endswith("Qh4#")


@pytest.mark.parametrize(
    ("text", "moves", "part"),
    [
        ("1. e4 e5 2. Sf3 Sc6 1-0", 2, '"Sf3", which cannot be read'),
        ("1. e4 e5 2. Ke3 1-0", 2, 'after 1...e5 it says "Ke3", which is not legal there'),
        ("1. d4 e6 2. Nf3 e5 3. Nd2 1-0", 4, "could be more than one move"),
        ("1. e4 hello 1-0", 1, '"hello"'),
        ("1. e4 -- 2. d4", 1, "not a move of a game"),
        ("1. e4 } e5", 1, '"}"'),
        ("1. e4 {never closed e5", 1, "comment is opened"),
        ("1. e4 (1. d4 d5", 1, "bracket is opened"),
        ("1. " + "e4" * 5000, 0, "too long for a move"),
        ('[FEN "nonsense"]\n\n1. e4', 0, "FEN"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4', 0, "not possible"),
        ('[Variant "Atomic"]\n\n1. e4', 0, "not chess by the FIDE Laws"),
        ("1. e4 e5 2. 0-0 Nc6 1-0", 2, "not legal"),
    ],
)
def test_reading_stops_at_the_first_fault(text: str, moves: int, part: str) -> None:
    game = next(iter(read_games(text)))
    assert len(game.played.moves) == moves
    assert part in str(game.fault) and str(game.fault).startswith("Game 1 ")
    assert str(game.fault).endswith(".") and "\n" not in str(game.fault)
    assert game.played.broken_off and game.played.result is None


def test_a_fault_does_not_spoil_the_games_after_it() -> None:
    games = list(read_games('[White "A"]\n\n1. e4 xx 1-0\n\n[White "B"]\n\n1. d4 d5 *\n\n1. c4 c5\n\n1. f4 f5'))
    assert [len(game.played.moves) for game in games] == [1, 2, 2, 2]
    assert [game.fault is None for game in games] == [False, True, True, True]
    assert games[1].played.result == "*"


def test_games_without_moves_and_results_of_the_tags() -> None:
    forfeit = one('[White "A"]\n[Black "B"]\n[Result "+/-"]\n')
    assert (forfeit.played.moves, forfeit.played.result, forfeit.fault) == ((), "+/-", None)
    assert one('[Result "<script>"]\n\n1. e4').played.result is None
    assert one('[Result "0-0"]\n\n1. e4 e5 0-0').played.result == "0-0"


def test_chess960_and_unusual_starts() -> None:
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    game = one(f'[Variant "Chess960"]\n[FEN "{fen}"]\n\n9. e4 e5')
    assert game.fault is None and game.played.chess960
    assert one(f'[SetUp "1"]\n[FEN "{chess.STARTING_FEN}"]\n\n1. e4').played.start_fen is None


def test_it_reads_what_python_chess_writes() -> None:
    chance = random.Random(960)
    for _ in range(20):
        board = chess.Board()
        for _ in range(chance.randint(0, 120)):
            if not any(board.legal_moves):
                break
            board.push(chance.choice(list(board.legal_moves)))
        tree = chess.pgn.Game.from_board(board)
        tree.headers["White"] = "Anna"
        for node in tree.mainline():
            node.comment = chance.choice(["", "[%clk 1:02:03]", "a (b) [c"])
            if chance.random() < 0.2:
                other = next(iter(node.parent.board().legal_moves)) if node.parent else None
                if other is not None:
                    node.parent.add_variation(other, comment="instead")
        game = one(str(tree))
        assert game.fault is None
        assert game.played.moves == tuple(move.uci() for move in board.move_stack)
        assert game.played.headers == dict(chess.pgn.read_headers(io.StringIO(str(tree))) or {})


@given(st.text(alphabet=st.sampled_from('[]"{}();$1.0-=+#abeNKQxO \n\\½\0"'), max_size=80))
def test_any_text_is_read_without_failing(text: str) -> None:
    for game in read_games(text):
        assert game.fault is None or str(game.fault).endswith(".")


@pytest.mark.parametrize("unit", ["{", "(", "!", "1-0 ", "[", '[A "', "1.", "\n ", "$", ". ", "\n[", "e4 "])
def test_hostile_repetition_is_read_in_linear_time(unit: str) -> None:
    text = unit * (400_000 // len(unit))
    started = time.process_time()
    count = sum(1 for _ in read_games(text))
    assert time.process_time() - started < 10
    assert count <= 1


def test_a_game_longer_than_the_laws_allow_is_cut_off() -> None:
    shuffle = "Nf3 Nf6 Ng1 Ng8 " * (MAX_PLIES // 4 + 1)
    game = one(shuffle)
    assert len(game.played.moves) == MAX_PLIES and game.fault is not None


@pytest.mark.law("L173")
def test_words_behind_moves_and_between_words_of_the_end() -> None:
    text = "1. e4 e5 2. Dh5 = Sc6 3. Dxf7 Schach Kxf7 4. Sf3 Sf6ch 5. Lc4 schach. Ke7 bandera de las negras caída"
    (game,) = read_games(text, load_endings(), score_writings())
    assert game.fault is None and game.ending == "bandera de las negras caída"
    assert sans(game) == "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 4. Nf3 Nf6 5. Bc4+ Ke7"
    assert game.played.draw_offers == (2,)


SPANISH_OPENING = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6")


@pytest.mark.parametrize(
    "text",
    [
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 a7-a6 4. Bb5xc6 d7xc6",
        "1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 a7a6 4. b5c6 d7c6",
        "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 a6 4. ♗xc6 dxc6",
        "1. e4! $1 e5 2. Nf3 {best} Nc6 (=) 3. Bb5 ± a6 4. B:c6 d:c6",
        "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6",
        "1. e4 e5 2. Hf3 Hc6 3. Fb5 a6 4. Fxc6 dxc6",
        "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Fxc6 dxc6",
        "1. e4 e5 2. Pf3 Pc6 3. Lb5 a6 4. Lxc6 dxc6",
        "1. е4 е5 2. Кf3 Кс6 3. Сb5 а6 4. Сc6 dc6",
    ],
    ids=["long", "squares", "figurines", "signs", "German", "Hungarian", "French", "Dutch", "Russian"],
)
def test_other_notations_are_read(text: str) -> None:
    (game,) = read_games(text, load_endings(), score_writings())
    assert game.played.moves == SPANISH_OPENING and game.fault is None


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("1. P-K4 P-K4 2. N-KB3 N-QB3", "P-K4"),
        ("1. 5254 5755 2. 7163 2836", "5254"),
        ("1. Eva 4 Eva 5", "Eva"),
        ("1. 马f3", "马f3"),
        ("1. E4 E5", "E4"),
    ],
    ids=["descriptive", "ICCF", "said", "Chinese", "capitals"],
)
def test_a_notation_that_is_not_read_is_one_sentence_with_its_first_word(text: str, word: str) -> None:
    (game, *_) = read_games(text, load_endings(), score_writings())
    assert game.played.moves == () and game.fault is not None and f'"{word}"' in str(game.fault)


def test_a_score_that_begins_in_the_middle_is_one_sentence() -> None:
    (game,) = read_games("12. Nf3 Nc6")
    assert game.fault is not None and "it begins with move 12" in str(game.fault)


BLACK_MOVES = '[FEN "4k3/8/8/8/8/8/4p3/4K3 b - - 0 40"]\n\n'


@pytest.mark.parametrize(
    ("text", "read", "told"),
    [
        ("1. e4 e5 3. Nf3 Nc6", 2, "a move is numbered 3 where move 2 follows"),
        ("1. e4 e5 2. Sf3 Sc6 2. Lb5", 4, "a move is numbered 2 where move 3 follows"),
        ("1. e4 2... e5", 1, "a move is numbered 2 where move 1 follows"),
        ("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 { 9. } Nc6 3 Bb5 3... a6", 6, None),
        (BLACK_MOVES + "40... Kd7 41. Kxe2", 2, None),
        (BLACK_MOVES + "1... Kd7 2. Kxe2", 2, None),
        (BLACK_MOVES + "1... Kd7 3. Kxe2", 1, "a move is numbered 3 where move 2 follows"),
    ],
)
def test_a_number_that_is_not_that_of_its_move_ends_what_is_read(text: str, read: int, told: str | None) -> None:
    """A move that was left out would go unseen where the others can be played without it."""
    (game,) = read_games(text, load_endings(), score_writings())
    assert len(game.played.moves) == read
    assert told in str(game.fault) if told else game.fault is None
