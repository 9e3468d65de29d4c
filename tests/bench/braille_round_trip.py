"""All 250 real games from PGN to every braille profile (to BRF too where it has six dots) and back to the same moves.

    python -m tests.bench.braille_round_trip

Prints a table: cells a half-move, milliseconds (median) a game there and back. Ends with status 1
where a game does not come back.
"""

from __future__ import annotations

import statistics
import sys
import time

import chess.pgn

from braille import brf
from braille.loading import load_profile, profile_names
from braille.profile import has_eight_dots
from braille.score import move_lines
from server.exports.pgn_reader import read_games
from tests.braille.reading import read_moves
from tests.conftest import shared_folder


def as_pgn(line: str) -> str:
    """A line of SAN as a PGN game."""
    board = chess.Board()
    for san in line.split():
        board.push_san(san)
    game = chess.pgn.Game.from_board(board)
    return str(game)


def main() -> int:
    """Run it; the exit status."""
    lines = (shared_folder() / "data/games/real-games.san").read_text("utf-8").splitlines()
    games = [game.played for game in read_games("\n\n".join(map(as_pgn, lines)))]
    plies = sum(len(game.moves) for game in games)
    assert len(games) == len(lines) and plies == sum(len(line.split()) for line in lines)
    print(f"{len(games)} games, {plies} half-moves")
    print(f"{'profile':14}{'dots':>5}{'back':>6}{'BRF':>6}{'cells/half-move':>17}{'ms/game':>9}")
    wrong = 0
    for name in profile_names():
        profile = load_profile(name)
        eight = has_eight_dots(profile)
        back = through_brf = cells = 0
        spent: list[float] = []
        for game in games:
            began = time.perf_counter()
            written = move_lines(game, profile)
            read = read_moves("\n".join(written), profile)
            spent.append(1000 * (time.perf_counter() - began))
            cells += sum(map(len, written))
            back += (read.moves, read.result) == (game.moves, game.result)
            if not eight:
                text = brf.document([written[at : at + 25] for at in range(0, len(written), 25)])
                again = read_moves("\n".join(line for page in brf.read_pages(text) for line in page), profile)
                through_brf += (again.moves, again.result) == (game.moves, game.result)
        wrong += len(games) - back + (0 if eight else len(games) - through_brf)
        dots, shown = (8, "-") if eight else (6, str(through_brf))
        print(f"{name:14}{dots:>5}{back:>6}{shown:>6}{cells / plies:>17.2f}{statistics.median(spent):>9.1f}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
