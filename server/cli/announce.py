"""`anna-eins announce` prints the announcement of one move."""

from __future__ import annotations

import chess
import click
import msgspec

from server.cli.terminal.words import wrong
from speech.announcements.announce import announce, text_of
from speech.words.loading import load_scheme

# These make a placement impossible in chess; anything else (odd counters, lost rights) can be announced.
_IMPOSSIBLE = (
    chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_OPPOSITE_CHECK
)


def board_of(fen: str) -> chess.Board:
    """Return the position of a FEN. Raises Complaint.

    Chess960 where its castling rights make no sense otherwise.
    """
    try:
        board, wide = chess.Board(fen.strip()), chess.Board(fen.strip(), chess960=True)
    except ValueError as refused:
        raise wrong("no_fen", fen=f'"{fen[:90]}"') from refused
    if board.status() & _IMPOSSIBLE:
        raise wrong("no_position", fen=f'"{fen[:90]}"')
    return wide if wide.clean_castling_rights() != board.clean_castling_rights() else board


def move_of(board: chess.Board, uci: str) -> chess.Move:
    """Return the legal move that `uci` names. Raises Complaint.

    Castling may be named by the king's target square or by the rook's square.
    """
    try:
        named = chess.Move.from_uci(uci.strip().lower())
    except ValueError as refused:
        raise wrong("no_move", move=f'"{uci[:20]}"') from refused
    if named:
        try:
            return board.parse_uci(named.uci())
        except ValueError:
            pass
        castling = [move for move in board.generate_castling_moves() if _reaches(board, move, named)]
        if len(castling) == 1:
            return castling[0]
        if named.promotion is None and board.is_legal(chess.Move(named.from_square, named.to_square, chess.QUEEN)):
            raise wrong("promotion", move=uci, example=f"{named.uci()}q")
    raise wrong("not_legal", move=uci, fen=f'"{board.fen()}"')


def _reaches(board: chess.Board, castling: chess.Move, named: chess.Move) -> bool:
    """Say whether `named` writes this castling as the king's way to the c-file or the g-file."""
    file = chess.square_file(chess.G1 if board.is_kingside_castling(castling) else chess.C1)
    goal = chess.square(file, chess.square_rank(castling.from_square))
    return (castling.from_square, goal, None) == (named.from_square, named.to_square, named.promotion)


@click.command(
    epilog="\b\nExample:\n  anna-eins announce --fen '4k3/P7/8/8/8/8/8/4K3 w - - 0 1' --move a7a8q --language en"
)
@click.option("--fen", required=True, metavar="FEN")
@click.option("--move", "uci", required=True, metavar="UCI")
@click.option("--language", default="de", show_default=True, metavar="TAG")
@click.option("--scheme", "scheme_name", default="d21", show_default=True, metavar="NAME")
@click.option("--json", "as_json", is_flag=True)
def command(fen: str, uci: str, language: str, scheme_name: str, as_json: bool) -> None:
    """Print the full announcement of a move, in the words of D.2.1."""
    scheme = load_scheme(scheme_name, language)
    board = board_of(fen)
    move = move_of(board, uci)
    tokens = announce(board, move, scheme)
    if not as_json:
        click.echo(text_of(tokens))
        return
    answer = {"text": text_of(tokens), "tokens": tokens, "uci": board.uci(move), "san": board.san(move)}
    click.echo(msgspec.json.encode(answer).decode())
