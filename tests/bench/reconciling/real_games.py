"""The real games, parted: every second one is for choosing settings (`tuning.py`), the others are measured on."""

from __future__ import annotations

import sys
from pathlib import Path

import chess

REPO = Path(__file__).resolve().parent.parent.parent.parent
Game = list[chess.Move]


def _data() -> Path:
    found = next((up / "shared/data" for up in (REPO, *REPO.parents) if (up / "shared/data").is_dir()), None)
    if found is None:
        sys.exit("shared/data is not here; nothing to measure with.")
    return found


def _games() -> list[Game]:
    games: list[Game] = []
    for line in (DATA / "games/real-games.san").read_text().splitlines():
        board = chess.Board()
        games.append([board.push_san(san) for san in line.split()])
    return [game for game in games if len(game) > 12]


DATA = _data()
_ALL = _games()
TUNED_ON = _ALL[0::2]
MEASURED_ON = _ALL[1::2]
