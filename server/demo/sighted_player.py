"""The sighted opponent, with a normal board, a scoresheet and a clock to press.

In relay the player enters moves at the station.
"""

from __future__ import annotations

import chess

from server.demo.account import Account
from server.demo.rungs import Ladder, forms_of_echo, forms_of_move
from server.demo.station_client import StationClient
from server.game.acts import EnterMove, Execute, Press, WriteScore
from server.game.values.words import Seat
from speech.words.scheme import Scheme


class SightedPlayer:
    """The sighted player knows only their own board and what was said at the table."""

    def __init__(self, client: StationClient, seat: Seat, ladder: Ladder, scheme: Scheme, account: Account) -> None:
        self.client = client
        self.seat = seat
        self.board = chess.Board()
        self.line = chess.Board()  # the game as this player wrote it down
        self._ladder = ladder
        self._scheme = scheme
        self._account = account

    async def echo(self, ply: int, words: tuple[str, ...]) -> None:
        """Repeat the opponent's announcement aloud (D.2.1)."""
        await self._ladder.climb(ply, forms_of_echo(words), "sighted player", echo=True)

    async def execute(self, ply: int, understood: chess.Move, moved: chess.Move) -> None:
        """Carry out on the board what the hand really moved, and write down what was understood."""
        _move(self.board, moved)
        await self.client.do(Execute(uci=moved.uci(), origin="entered"))
        await self.write(ply, understood)

    async def write(self, ply: int, move: chess.Move) -> None:
        """Write the move on the player's own scoresheet, in the player's own letters (8.1, C.3)."""
        text = self.line.san(move)
        self.line.push(move)
        await self.client.do(WriteScore(index=ply, text=text))

    async def enter(self, move: chess.Move) -> None:
        """Enter a move made on the board at the station; in relay the machine announces it."""
        _move(self.board, move)
        await self.client.do(EnterMove(uci=move.uci()))

    async def announce(self, ply: int, move: chess.Move) -> tuple[str, ...]:
        """Announce a move by voice, in table mode."""
        forms = forms_of_move(self.board, move, self._scheme)
        _move(self.board, move)
        await self._ladder.climb(ply, forms, "sighted player", echo=False)
        return forms[0]

    async def press(self, ply: int) -> None:
        """Press the clock."""
        await self.client.do(Press(), about_ply=ply)

    def set_up(self, board: chess.Board) -> None:
        """Put the board right under the arbiter's eyes."""
        self.board = board.copy(stack=False)


def _move(board: chess.Board, move: chess.Move) -> None:
    """Move the piece that stands there, as a hand does, whether it is legal or not."""
    if board.is_legal(move):
        board.push(move)
        return
    piece = board.remove_piece_at(move.from_square)
    board.set_piece_at(move.to_square, piece)
    board.turn = not board.turn
