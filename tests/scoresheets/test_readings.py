"""A typed move is read in the player's letters and in the English ones; the alphabets alone say whether it is clear."""

from __future__ import annotations

import chess
import pytest

from braille.cells import Written
from server.scoresheets.letters import PIECES, alphabet_of
from server.scoresheets.readings import readings
from speech.words.config_file import language_tags
from speech.words.loading import load_language

ALPHABETS = {tag: alphabet_of(tag, load_language(tag).notation) for tag in language_tags()}
ENGLISH = ALPHABETS["en"]
CONFUSED = {
    "de": {"B": ("pawn", "bishop")},  # Bauer, though C.4 gives a pawn no letter
    "hu": {"B": ("rook", "bishop")},  # bástya
}
"""The English letters that are another man's in a language."""


def read(text: str, tag: str, *, capitals: bool = False) -> list[Written]:
    return list(readings(text, ALPHABETS[tag], ENGLISH, capitals=capitals))


@pytest.mark.law("L165")
@pytest.mark.parametrize("tag", language_tags())
@pytest.mark.parametrize("name", PIECES)
def test_a_piece_in_the_players_own_letters(tag: str, name: str) -> None:
    own = ALPHABETS[tag]
    found = read(f"{own.letter_of(PIECES[name])}f3", tag)
    assert found[0] == Written(name, to_square="f3")
    clear = own.letter_of(PIECES[name]) not in CONFUSED.get(tag, {})
    assert (len(found) == 1) is clear


@pytest.mark.parametrize("tag", language_tags())
@pytest.mark.parametrize("piece", [chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT])
def test_english_letters_are_read_in_every_language_and_both_are_told_where_they_can_be_confused(
    tag: str, piece: chess.PieceType
) -> None:
    letter = ENGLISH.letter_of(piece)
    named = CONFUSED.get(tag, {}).get(letter, (str(chess.PIECE_NAMES[piece]),))
    assert [(one.piece, one.to_square) for one in read(f"{letter}c4", tag)] == [(name, "c4") for name in named]


@pytest.mark.parametrize("tag", language_tags())
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Nf3", Written("knight", to_square="f3")),
        ("Nxe5+", Written("knight", to_square="e5")),
        ("R1d2", Written("rook", from_rank="1", to_square="d2")),
        ("Nbd7", Written("knight", from_file="b", to_square="d7")),
        ("exd6 e.p.", Written("pawn", from_file="e", to_square="d6")),
        ("e4", Written("pawn", to_square="e4")),
        ("e8=Q#", Written("pawn", to_square="e8", promotion="queen")),
        ("O-O", Written("king", castling="short")),
        ("0-0-0", Written("king", castling="long")),
        ("e7e8q", Written("pawn", "e", "7", "e8", promotion="queen")),
        ("e7e8n", Written("pawn", "e", "7", "e8", promotion="knight")),
        ("nf3", Written("knight", to_square="f3")),
        ("Nf3 (=)", Written("knight", to_square="f3", draw_offer=True)),
    ],
)
def test_san_and_uci_in_every_language(tag: str, text: str, meant: Written) -> None:
    assert read(text, tag) == [meant]


@pytest.mark.parametrize(
    ("tag", "text", "pieces"),
    [
        ("de", "Sf3", ["knight"]),
        ("de", "Dh5", ["queen"]),
        ("de", "Lb5", ["bishop"]),
        ("de", "Tb1", ["rook"]),
        ("de", "B c4", ["pawn", "bishop"]),
        ("de", "Bxc4", ["pawn", "bishop"]),
        ("de", "bxc4", ["pawn"]),
        ("hu", "Bd1", ["rook", "bishop"]),
        ("hu", "Hf3", ["knight"]),
        ("hy", "Ձf3", ["knight"]),
        ("he", "פו3", ["knight"]),
        ("en", "Sf3", []),
        ("de", "Hf3", []),
        ("de", "Nf3 1:02:03", []),
        ("de", "BxN", []),
        ("de", "", []),
        ("de", "Springer Felix drei", []),
    ],
)
def test_what_is_a_move_and_what_is_not(tag: str, text: str, pieces: list[str]) -> None:
    assert [one.piece for one in read(text, tag)] == pieces


def test_who_writes_pieces_with_capitals_writes_their_own_letters() -> None:
    assert [one.piece for one in read("Bd1", "hu", capitals=True)] == ["rook"]
    assert [one.piece for one in read("Nf3", "hu", capitals=True)] == ["knight"]
    assert [one.piece for one in read("Bc4", "de", capitals=True)] == ["pawn", "bishop"], "no German piece has a B"
