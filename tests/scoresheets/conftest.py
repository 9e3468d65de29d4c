"""Alphabets, ways of writing, and the real games of the shared data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import chess
import pytest

from server.desk.loading import writings
from server.scoresheets.cell import Writing
from server.scoresheets.letters import Alphabet


@pytest.fixture(scope="session")
def ways() -> Mapping[str, Writing]:
    """How each language is written, as the program wires it."""
    return writings()


@pytest.fixture(scope="session")
def alphabets(ways: Mapping[str, Writing]) -> dict[str, Alphabet]:
    return {language: way.alphabet for language, way in ways.items()}


@pytest.fixture(scope="session")
def real_games(shared: Path) -> list[list[chess.Move]]:
    """The 250 real games as moves."""
    games = []
    for line in (shared / "data/games/real-games.san").read_text().splitlines():
        board, moves = chess.Board(), []
        for san in line.split():
            moves.append(board.push_san(san))
        games.append(moves)
    return games
