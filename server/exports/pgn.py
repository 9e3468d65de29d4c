"""A played game is written as PGN with the clocks, from values alone.

PGN holds legal moves only. Where a record goes on with a move that is illegal or not known, the export stops there and
a comment says in plain words what follows, so that nothing is lost and nothing is invented.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import chess
import chess.pgn
import msgspec

from speech.complaint import Complaint, Phrase

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


class PlayedPly(msgspec.Struct, frozen=True):
    """Completed ply.

    `uci` None: the move is not known. `written`: as announced or recorded, for the comment. `white_ms`, `black_ms`:
    what the clocks showed after it, in ms, None where nothing is known.
    """

    uci: str | None
    written: str = ""
    white_ms: int | None = None
    black_ms: int | None = None


def clock_text(ms: int) -> str:
    """Return ms as `H:MM:SS`, whole seconds as a clock shows them; a fallen flag shows 0:00:00.

    >>> clock_text(5_399_999)
    '1:29:59'
    """
    seconds = max(ms, 0) // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def pgn_text(
    headers: Mapping[str, str],
    start_fen: str,
    plies: Sequence[PlayedPly],
    result: str = "*",
    comment: str = "",
    chess960: bool = False,
) -> str:
    """Return the game as PGN text, ending in a newline.

    `[%clk]` after a ply is the clock of the player who made it. `result` may be any result of the Laws (`½-0`, `0-0`
    by penalty, `+/-` by forfeit); one that PGN does not know becomes `*` with a comment. Raises Complaint for a start
    that is not a position.
    """
    try:
        board = chess.Board(start_fen, chess960=chess960)
    except ValueError as wrong:
        raise Complaint(Phrase("export.no_start", fen=repr(start_fen[:90]))) from wrong
    game = chess.pgn.Game()
    game.setup(board)
    for name, value in headers.items():
        if name not in ("Result", "FEN", "SetUp", "Variant"):
            game.headers[name] = _header(value)
    pgn_result = result.replace("½", "1/2")
    game.headers["Result"] = pgn_result if pgn_result in RESULTS else "*"
    game.comment = _comment(comment)
    node: chess.pgn.GameNode = game
    for index, ply in enumerate(plies):
        move = _legal(board, ply.uci)
        if move is None:
            node.comment = _join_words(node.comment, _rest(board, plies[index:]))
            break
        mover_ms = ply.white_ms if board.turn == chess.WHITE else ply.black_ms
        node = node.add_variation(move)
        if mover_ms is not None:
            node.comment = f"[%clk {clock_text(mover_ms)}]"
        board.push(move)
    if pgn_result not in RESULTS:
        node.comment = _join_words(node.comment, f"Result: {_comment(result)}")
    return str(game.accept(chess.pgn.StringExporter(columns=80))) + "\n"


def _legal(board: chess.Board, uci: str | None) -> chess.Move | None:
    if uci is None:
        return None
    try:
        # python-chess reads e1g1 as castling in Chess960 too, where it is a king's step of two squares (II.3.2.6).
        move = chess.Move.from_uci(uci) if board.chess960 else board.parse_uci(uci)
    except ValueError:
        return None
    return move if board.is_legal(move) else None


def _rest(board: chess.Board, rest: Sequence[PlayedPly]) -> str:
    ply = rest[0]
    dots = "." if board.turn == chess.WHITE else "..."
    what = _comment(ply.written) or ply.uci
    named = f"{board.fullmove_number}{dots} {what or 'a move that is not known'}"
    why = "not known as a move" if ply.uci is None else f"not legal here ({_comment(ply.uci)})"
    said = f"The record goes on with {named}, {why}"
    others = [_comment(each.written) or _comment(each.uci or "") or "unknown" for each in rest[1:]]
    return f"{said}; then: {', '.join(others)}." if others else f"{said}."


def _join_words(before: str | list[str], more: str) -> str:
    comments = [before] if isinstance(before, str) else before
    return " ".join([*filter(None, comments), more])


def _comment(text: str) -> str:
    """Return text that cannot end a PGN comment and cannot be read as a command."""
    return " ".join(text.replace("{", "(").replace("}", ")").replace("[%", "[ %").split())


def _header(text: str) -> str:
    """Return text that cannot leave its header line."""
    return " ".join(text.replace('"', "'").replace("\\", "/").split())
