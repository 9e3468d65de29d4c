"""Recorded games are read from PGN text, each up to the first thing that cannot be read.

The games come as plies; nothing is read from disk. python-chess knows the rules here, but its PGN reader passes over
what it cannot read: in "2. Sf3" it finds the pawn move f3. A score is evidence (8.1, D.2.9), so this reader stops at
the first word it cannot read and says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import chess
import msgspec

from braille.score import Played
from speech.complaint import Phrase

MAX_PLIES = 12_000  # no game under the 75-move rule (9.6.2) is longer
MAX_WORD = 40  # characters; keeps the patterns below away from hostile input

_TOKEN = re.compile(
    r"""
      (?P<tag>(?m:^)[ \t]*\[[ \t]*(?P<name>\w+)[ \t]+"(?P<value>(?:[^"\\\n]|\\.)*)"[ \t]*\])
    | (?P<odd_tag>(?m:^)[ \t]*\[[^\n]*)
    | (?P<escaped>(?m:^)%[^\n]*)
    | (?P<empty_line>\n[ \t\r]*\n)
    | (?P<space>\s+)
    | (?P<comment>\{[^}]*\}|;[^\n]*)
    | (?P<draw_offer>\(=\))
    | (?P<opens>\()
    | (?P<closes>\))
    | (?P<nag>\$\d+)
    | (?P<word>[^\s{}();$]+)
    | (?P<stray>.)
    """,
    re.VERBOSE,
)
_RESULTS = {
    "1-0": "1-0",
    "0-1": "0-1",
    "1/2-1/2": "1/2-1/2",
    "1/2": "1/2-1/2",
    "½-½": "1/2-1/2",
    "*": "*",
    "0-0": "0-0",
}
_HEADER_RESULTS = {"1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+/-", "-/+", "-/-", "*"}
_NUMBER = re.compile(r"(\d+)(?:\.+|…)|(\d+)\Z|(?:\.+|…)")
_PRAISE = re.compile(r"[!?]+\Z")
_SUFFIX = re.compile(r"(?:e\.?\s?p\.?)?(?:\+\+|\+|\#)?(?:e\.?p\.?)?\Z")
_STANDARD = {"", "standard", "normal", "classical", "from position"}
_CHESS960 = {"chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random"}


class Reading(msgspec.Struct, frozen=True):
    """This is one game of a file.

    `fault`: one sentence where it could not be read to its end; None where it could.
    """

    played: Played
    fault: Phrase | None = None


class _Game:
    """This is the game that is being read."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.board: chess.Board | None = None
        self.start_fen: str | None = None
        self.moves: list[str] = []
        self.draw_offers: list[int] = []
        self.result: str | None = None
        self.fault: Phrase | None = None
        self.depth = 0
        self.begun = False  # movetext was seen
        self.last = ""

    def place(self) -> Phrase:
        return Phrase("pgn.after", move=self.last) if self.last else Phrase("pgn.first")

    def start(self) -> chess.Board | None:
        """Return the board of the first move, from the tags."""
        variant = self.headers.get("Variant", "").strip().lower()
        if variant not in _STANDARD | _CHESS960:
            self.fault = Phrase("pgn.variant", variant=self.headers["Variant"][:40])
            return None
        fen = self.headers.get("FEN", "").strip()
        try:
            board = chess.Board(fen or chess.STARTING_FEN, chess960=variant in _CHESS960)
        except ValueError:
            self.fault = Phrase("pgn.fen")
            return None
        board.chess960 = board.chess960 or board.has_chess960_castling_rights()
        if not board.is_valid():
            self.fault = Phrase("pgn.impossible")
            return None
        self.start_fen = board.fen() if fen and board.fen() != chess.STARTING_FEN else None
        return board

    def read_word(self, word: str) -> None:
        """Read one word of the moves: a number, a move, a draw offer, praise."""
        self.begun = True
        if self.fault is not None:
            return
        if self.board is None:
            self.board = self.start()
            if self.board is None:
                return
        if len(word) > MAX_WORD:
            self.fault = Phrase("pgn.too_long", place=self.place(), word=f"{word[:20]}...")
            return
        number = _NUMBER.match(word)
        if number is not None:
            word = word[number.end() :]
        word = _PRAISE.sub("", word)
        if word in ("", "e.p.", "ep", "e.p"):
            return
        if word == "=":
            self.offer()
            return
        self.read_san(word)

    def offer(self) -> None:
        if self.moves and len(self.moves) - 1 not in self.draw_offers:
            self.draw_offers.append(len(self.moves) - 1)

    def read_san(self, word: str) -> None:
        assert self.board is not None
        shown = word[:20]
        if len(self.moves) >= MAX_PLIES:
            self.fault = Phrase("pgn.too_many")
            return
        try:
            move = self.board.parse_san(_SUFFIX.sub("", word))
        except chess.IllegalMoveError:
            self.fault = Phrase("pgn.illegal", place=self.place(), word=shown)
        except chess.AmbiguousMoveError:
            self.fault = Phrase("pgn.ambiguous", place=self.place(), word=shown)
        except ValueError:
            self.fault = Phrase("pgn.unreadable", place=self.place(), word=shown)
        else:
            if not move:
                self.fault = Phrase("pgn.null", place=self.place(), word=shown)
                return
            dots = "." if self.board.turn == chess.WHITE else "..."
            self.last = f"{self.board.fullmove_number}{dots}{shown}"
            self.moves.append(move.uci())
            self.board.push(move)

    def may_castle(self) -> bool:
        """Say whether "0-0" is a move here.

        It is a result (both players lose) only where the tags say so too.
        """
        if self.headers.get("Result") != "0-0":
            return True
        board = self.board
        return board is not None and any(board.is_kingside_castling(move) for move in board.legal_moves)

    def finish(self, number: int) -> Reading:
        if self.depth and self.fault is None:
            self.fault = Phrase("pgn.bracket", place=self.place())
        if self.board is None and self.fault is None:
            self.board = self.start()
        result = self.result or self.headers.get("Result", "")
        sentence = None
        if self.fault is not None:
            sentence = Phrase("pgn.broken", number=number, fault=self.fault)
        return Reading(
            Played(
                headers=self.headers,
                moves=tuple(self.moves),
                result=result if result in _HEADER_RESULTS and self.fault is None else None,
                start_fen=self.start_fen,
                chess960=self.board is not None and self.board.chess960,
                draw_offers=tuple(self.draw_offers),
                broken_off=self.fault is not None,
            ),
            sentence,
        )


def read_games(text: str) -> Iterator[Reading]:
    """Yield the games of a PGN text, one after the other; comments and variations are passed over.

    A game that cannot be read to its end comes with what was read and a sentence; the next game follows. Text without
    any tag or move yields nothing, or one Reading with a fault and neither headers nor moves.
    """
    game = _Game()
    count = 0
    after_empty_line = False
    for token in _TOKEN.finditer(text):
        kind, here = token.lastgroup, token.group(0)
        if kind == "empty_line":
            after_empty_line = True
            continue
        if kind == "space":
            continue
        if kind in ("tag", "odd_tag"):
            if game.begun:
                count += 1
                yield game.finish(count)
                game = _Game()
            if kind == "tag":
                game.headers[token.group("name")] = re.sub(r"\\(.)", r"\1", token.group("value"))
        elif kind == "opens":
            game.depth += 1
        elif kind == "closes":
            game.depth = max(0, game.depth - 1)
        elif here == "{":  # never closed: the rest of the text is inside it
            game.begun = True
            game.fault = game.fault or Phrase("pgn.comment", place=game.place())
            break
        elif kind == "draw_offer" and not game.depth:
            game.offer()
        elif kind in ("word", "stray") and not game.depth:
            first = here.startswith("1.") and here != "1..." and not here.startswith("1...")
            if first and after_empty_line and game.moves:
                count += 1
                yield game.finish(count)
                game = _Game()
            if here not in _RESULTS or (here == "0-0" and game.may_castle()):
                game.read_word(here)
            else:
                game.result = _RESULTS[here]
                if game.headers or game.begun:
                    count += 1
                    yield game.finish(count)
                game = _Game()
        after_empty_line = False
    if game.begun or game.headers:
        count += 1
        yield game.finish(count)
