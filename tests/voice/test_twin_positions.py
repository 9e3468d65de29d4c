"""What a player hears, and when, is the same in any two positions: only the words that were said decide it.

Pairs of positions from random games; the same words and presses in both, whatever is legal there (L182, "Silence" in
the decisions). A game that one of them ends is left out: a mate and a dead position are no secret (5.1.1, 5.2.2).
"""

from __future__ import annotations

import random
from pathlib import Path

import chess
import pytest

from server.game import acts as cmd
from server.game.values.words import Mode, SeatKind
from tests.table.open_hall import Played, played

FEW, MANY = 4, 400
"""Pairs in the tests, and in a thorough run."""
FROM_A_SQUARE = "Springer Bella eins Cesar drei"
WHITE_SAYS = (
    ("Springer Felix drei", "Bauer Eva vier", "Dame Hector acht", FROM_A_SQUARE),
    ("Turm Anna acht", "Kurze Rochade", "Laeufer Cesar vier", "Bauer Eva acht Dame"),
)
BLACK_SAYS = ("Bauer Eva fuenf", "Springer Cesar sechs", "Koenig Gustav acht", "Dame David acht")
ASKED = ("Zeit", "letzter Zug", "Zugzahl", "Partieformular", "nächster Eintrag", "welcher Artikel", "Hilfe")
COMMANDS = (
    "?",
    "?from",
    "~Springer Felix drei",
    "ich gebe auf",
    "nein",
    "Remisangebot",
    "Remisreklamation",
    "ja",
    "nein",
)


def positions(seed: int) -> tuple[str, str]:
    """Return two positions with White to move, from two random games."""
    draw, found = random.Random(seed), []
    while len(found) < 2:
        board = chess.Board()
        for _ in range(2 * draw.randrange(4, 40)):
            if board.is_game_over():
                break
            board.push(draw.choice(list(board.legal_moves)))
        if not board.is_game_over() and board.turn is chess.WHITE:
            found.append(board.fen())
    return found[0], found[1]


async def play(game: Played, seed: int) -> None:
    """Say and ask the same in the same order, with the same pauses."""
    draw = random.Random(seed)
    for round_ in range(2):
        await game.speak("white", draw.choice(WHITE_SAYS[round_]))
        await game.told()
        for words in draw.sample(ASKED, 2):
            await game.speak("white", words)
            await game.told()
        await game.do("white", cmd.Press())
        await game.told()
        await game.pass_time(draw.randrange(500, 5_000))
        await game.speak("black", draw.choice(BLACK_SAYS))
        await game.told()
        await game.do("black", cmd.Press())
        await game.told()
    for words in draw.sample(COMMANDS, 5):
        await game.speak("white", words)
        await game.told()
        await game.pass_time(1_000)


async def heard_in(fen: str, seed: int, mode: Mode, folder: Path) -> tuple[list[bytes], bool]:
    """Return all that White was sent after the greeting, and whether the game ended."""
    async with played(folder, fen=fen, mode=mode, black=SeatKind.TACTILE) as game:
        await play(game, seed)
        return game.ears["white"].as_bytes()[1:], game.table.state.over


@pytest.mark.law("L182", "L203")
@pytest.mark.parametrize("mode", [Mode.TABLE, Mode.RELAY])
@pytest.mark.parametrize(
    "first", [0, *(pytest.param(n, marks=pytest.mark.thorough) for n in range(FEW, MANY // 2, FEW))]
)
async def test_what_is_said_and_when_does_not_depend_on_the_position(first: int, mode: Mode, tmp_path: Path) -> None:
    compared = 0
    for seed in range(first, first + FEW):
        told = [
            await heard_in(fen, seed, mode, tmp_path / f"{seed}-{number}") for number, fen in enumerate(positions(seed))
        ]
        if any(over for _, over in told):
            continue
        compared += 1
        assert told[0][0] == told[1][0], positions(seed)
        assert len(told[0][0]) > 10
    assert compared > FEW // 2
