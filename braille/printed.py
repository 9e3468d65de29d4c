"""A whole game printed in the letters of a language (Appendix C; L163 to L174).

In a right-to-left language every move, number and result stands in marks of isolation (U+2068, U+2069): without them
1-0 after an Arabic name is displayed as 0-1, and 12.Nf3 as Nf3.12.
"""

from __future__ import annotations

import chess

from braille.cells import Written, written_move
from braille.score import Played, names, occasion, start_board
from speech.words.language import Notation

ISOLATE = "\u2068"
POP_ISOLATE = "\u2069"
RIGHT_TO_LEFT_MARK = "\u200f"
COLUMN = 14


def move_text(move: Written, notation: Notation) -> str:
    """Return a written move in the letters of a language, as the Laws print it.

    For instance d8Q without a sign, 0-0, e.p., (=).
    """
    if move.castling:
        text = "0-0" if move.castling == "short" else "0-0-0"
    else:
        assert move.to_square is not None, "a move goes to a square or castles"
        text = notation.pieces[move.piece] if move.piece != "pawn" else ""
        text += notation.files["abcdefgh".index(move.from_file)] if move.from_file else ""
        text += move.from_rank or ""
        text += "x" if move.capture else ""
        text += notation.files["abcdefgh".index(move.to_square[0])] + move.to_square[1]
        text += notation.pieces[move.promotion] if move.promotion else ""
    text += "#" if move.mate else "+" if move.check else ""
    text += " e.p." if move.en_passant else ""
    return text + (" (=)" if move.draw_offer else "")


def text_lines(played: Played, notation: Notation, direction: str = "ltr") -> tuple[str, ...]:
    """Return the score as lines of text: names, occasion, one numbered pair of moves a line, result.

    `direction`: ltr, or rtl, which isolates every piece of notation. Raises Complaint for a move that is not legal.
    """
    right_to_left = direction == "rtl"
    start = RIGHT_TO_LEFT_MARK if right_to_left else ""

    def apart(text: str, width: int = 0, *, right: bool = False) -> str:
        padding = " " * (width - len(text))
        isolated = f"{ISOLATE}{text}{POP_ISOLATE}" if right_to_left and text else text
        return padding + isolated if right else isolated + padding

    white, black = names(played)
    lines = [f"{start}{apart(white)} – {apart(black)}"]
    if occasion(played):
        lines.append(start + ", ".join(apart(entry) for entry in occasion(played)))
    board = start_board(played)
    if played.start_fen is not None:
        lines.append(start + apart(played.start_fen))
    lines.append("")
    pair: list[str] = []
    for ply, uci in enumerate(played.moves):
        move = chess.Move.from_uci(uci)
        text = move_text(written_move(board, move, draw_offer=ply in played.draw_offers), notation)
        if board.turn == chess.WHITE or ply == 0:
            pair = [apart(f"{board.fullmove_number}.", 4, right=True)]
        if board.turn == chess.BLACK and ply == 0:
            pair.append(apart("...", COLUMN))
        pair.append(apart(text, COLUMN))
        last = ply == len(played.moves) - 1
        if board.turn == chess.BLACK or last:
            lines.append(start + " ".join(pair).rstrip())
        board.push(move)
    if played.broken_off:
        lines.append(start + apart("..."))
    elif played.result is not None:
        lines.append(start + apart(played.result.replace("1/2", "½")))
    return tuple(lines)
