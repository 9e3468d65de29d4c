"""The letters in which a player writes a score, as one value per language.

The letters belong to the player and not to the game: C.3 (L165) lets each player use the letters of their own country,
so the same letter may be a rook in one score and a bishop in the other. Nothing here folds case: `b` is a file and
`B` a piece.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import chess
import msgspec

from speech.words.language import FILES, Notation

PIECES: dict[str, chess.PieceType] = {
    "king": chess.KING,
    "queen": chess.QUEEN,
    "rook": chess.ROOK,
    "bishop": chess.BISHOP,
    "knight": chess.KNIGHT,
}
"""Names of the pieces that have a letter (C.4: pawns have none)."""


class Alphabet(msgspec.Struct, frozen=True):
    """Letters of one language.

    `pieces`: (letters, `chess` piece type), strongest first; letters may have two meanings (Hebrew `מה`: a queen, or
    a king going to the e-file). `files`: for each file a..h the letters that mean it. `pawns`: letters for a
    pawn, read and never printed (L166). `behind`: a pattern of the words that people write
    behind a move, in whatever language: `check`, `Schach`, `en passant`.
    """

    language: str
    pieces: tuple[tuple[str, chess.PieceType], ...]
    files: tuple[tuple[str, ...], ...] = tuple((letter,) for letter in FILES)
    pawns: tuple[str, ...] = ()
    behind: str = ""

    def letter_of(self, piece: chess.PieceType) -> str:
        """Return the letter of this language for a piece; a pawn has none."""
        return next((letter for letter, kind in self.pieces if kind == piece), "")


def alphabet_of(language: str, notation: Notation) -> Alphabet:
    """Return the alphabet of a language's `[notation]`.

    Latin file letters are understood beside national ones.
    """
    pairs = zip(notation.files, FILES, strict=True)
    return Alphabet(
        language=language,
        pieces=tuple((notation.pieces[name], kind) for name, kind in PIECES.items()),
        files=tuple((own,) if own == latin else (own, latin) for own, latin in pairs),
        pawns=(notation.pawn,) if notation.pawn else (),
    )


class Letters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Letters of a language in which only scores are written (`config/reconciling/letters.toml`).

    For each piece the printed letter first. `files`: further letters for a file.
    """

    king: tuple[str, ...]
    queen: tuple[str, ...]
    rook: tuple[str, ...]
    bishop: tuple[str, ...]
    knight: tuple[str, ...]
    pawns: tuple[str, ...] = ()
    files: Mapping[str, tuple[str, ...]] = {}


def alphabet_from(language: str, letters: Letters) -> Alphabet:
    """Return the alphabet of a language in which only scores are written."""
    return Alphabet(
        language=language,
        pieces=tuple((letter, kind) for name, kind in PIECES.items() for letter in getattr(letters, name)),
        files=tuple((file, *letters.files.get(file, ())) for file in FILES),
        pawns=letters.pawns,
    )


def in_capitals(alphabet: Alphabet) -> Alphabet:
    """Return an alphabet in whose scores every letter is a capital, so that a file may look like a piece."""

    def both(letters: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*letters, *(letter.upper() for letter in letters))))

    pieces = ((each, kind) for letters, kind in alphabet.pieces for each in both((letters,)))
    return Alphabet(
        language=f"{alphabet.language} in capitals",
        pieces=tuple(dict.fromkeys(pieces)),
        files=tuple(map(both, alphabet.files)),
        pawns=both(alphabet.pawns),
        behind=alphabet.behind,
    )


def san_in_letters(san: str, alphabet: Alphabet, sheet_files: bool = True) -> str:
    """Return a move in English SAN, in this alphabet's letters.

    `sheet_files`: with the alphabet's own file letters where it has them.

    >>> from speech.words.language import Notation
    >>> german = dict(king="K", queen="D", rook="T", bishop="L", knight="S")
    >>> written("Nxe5+", alphabet_of("de", Notation("standard", german, FILES)))
    'Sxe5+'
    """
    if san.startswith("O-O"):
        return san.replace("O", "0")
    english: Sequence[str] = ("", "P", "N", "B", "R", "Q", "K")
    out = []
    for letter in san:
        if letter in english[1:]:
            out.append(alphabet.letter_of(english.index(letter)))
        elif letter in FILES and sheet_files:
            out.append(alphabet.files[FILES.index(letter)][0])
        else:
            out.append(letter)
    return "".join(out)
