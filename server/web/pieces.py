"""The piece drawings of python-chess as one file of SVG symbols, without style attributes (the pages' policy)."""

from __future__ import annotations

import re

import chess
import chess.svg


def pieces_svg() -> str:
    """Symbols `white-king` .. `black-pawn`, each 45 by 45."""
    symbols = []
    for letter, drawing in chess.svg.PIECES.items():
        piece = chess.Piece.from_symbol(letter)
        name = f"{'white' if piece.color else 'black'}-{chess.piece_name(piece.piece_type)}"
        inner = re.sub(r'style="([^"]*)"', _attributes, re.sub(r' (id|class)="[^"]*"', "", drawing))
        symbols.append(f'<symbol id="{name}" viewBox="0 0 45 45">{inner}</symbol>')
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>'


def _attributes(style: re.Match[str]) -> str:
    parts = (part.partition(":") for part in style[1].split(";") if part.strip())
    return " ".join(f'{name.strip()}="{value.strip()}"' for name, _, value in parts)
