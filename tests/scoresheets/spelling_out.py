"""The other way round, for checking the reader: every way a legal move may be written, letter by letter.

Nothing of the program is used here but the alphabets, so that the reader and this cannot share a mistake.
"""

from __future__ import annotations

import random
import re

import chess

from server.scoresheets.letters import Alphabet


def texts_of(board: chess.Board, move: chess.Move, alphabet: Alphabet) -> set[str]:
    """Every text without marks that means this move here, by Appendix C and the usual short forms."""
    if board.is_castling(move):
        sides = 2 if board.is_kingside_castling(move) else 3
        castling = {joint.join([letter] * sides) for letter in "0O" for joint in ("-", "")}
        king = next(text for text, kind in alphabet.pieces if kind == chess.KING)
        return castling | {move.uci()} | {king + s + j + t for s, t in [_squares(move)] for j in ("", "-")}
    piece = board.piece_type_at(move.from_square)
    assert piece is not None
    taken = chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square)
    pawn = piece == chess.PAWN
    heads = [""] if pawn else [letter for letter, kind in alphabet.pieces if kind == piece]
    tails = [""]
    if move.promotion:
        letters = [letter for letter, kind in alphabet.pieces if kind == move.promotion]
        tails += [form.format(letter) for letter in letters for form in ("{}", "={}", "({})")]
    files = [alphabet.files[index] for index in range(8)]
    out = set()
    from_file, to_file = chess.square_file(move.from_square), chess.square_file(move.to_square)
    from_rank, to_rank = (str(chess.square_rank(s) + 1) for s in (move.from_square, move.to_square))
    departures = {(file, rank) for file in ("", *files[from_file]) for rank in ("", from_rank)}
    for file, rank in departures:
        if pawn and not file and rank:
            continue
        if not pawn and piece == chess.KING and bool(file) != bool(rank):
            continue  # two kings are never told apart; in Hebrew this would be a queen
        # C.9.2: a pawn that names no file goes straight on, unless a sign says that it takes.
        signs = ("", "-", *"xX×:") if not pawn or file else ("xX×:" if taken else ("", "-"))
        whole = {there + to_rank for there in files[to_file]}
        for head in {*heads, *([""] if file and rank else [])}:
            for tail in tails:
                out |= {head + file + rank + sign + there + tail for sign in signs for there in whole}
                if taken is None:
                    continue
                things = {letter for letter, kind in alphabet.pieces if kind == taken}
                things |= set(alphabet.pawns) if taken == chess.PAWN else set()
                for sign in "xX×:":
                    short = {*things, *files[to_file], *(thing + there for thing in things for there in whole)}
                    if head or (pawn and file):
                        out |= {head + file + rank + sign + there + tail for there in short}
                if pawn and not rank:
                    out |= {file + there + tail for there in files[to_file] if file}
    if alphabet.language == "de" and pawn:
        out |= {"B" + text for text in out}
    return out


def _squares(move: chess.Move) -> tuple[str, str]:
    return chess.square_name(move.from_square), chess.square_name(move.to_square)


def meant(board: chess.Board, cell: str, alphabet: Alphabet) -> set[chess.Move]:
    """The legal moves that can be written like this cell."""
    bare = re.sub(r"(\(=\)|[+#!?=]|e\.p\.|\s)+$", "", cell)
    return {move for move in board.legal_moves if bare in texts_of(board, move, alphabet)}


def some_text(board: chess.Board, move: chess.Move, alphabet: Alphabet, chance: random.Random) -> str:
    """One text that names this move alone: unambiguous, in any manner a player may have."""
    mine = sorted(texts_of(board, move, alphabet))
    chance.shuffle(mine)
    for text in mine:
        if meant(board, text, alphabet) == {move}:
            return text + chance.choice(["", "", "", "+", " (=)", "!", "++"])
    raise AssertionError(f"no text for {move} in {board.fen()}")
