"""Announced by the machine, said by its voice, heard by the engines: the same move? In every scheme and language.

    python -m tests.bench.round_trip [MOVES] [--engine auto, own or whisper] [--schemes d21,national,letters]

Moves from games that were played, announced in full for a listener of each language (a fifth of them is castling, or
names a departure square, a capture or a promotion), said by reserved voices of eSpeak NG (f5, m7 in turn) at 0.85 of
the usual speed, with no noise, and heard as a rated table hears: every well-formed announcement, nothing of the
position. In d21 all listeners hear the same German words; the sound is heard by each language's grammar.

"same": taken (accepted or read back) as the move that was announced. "again": asked to repeat. "wrong": accepted as
another move. Goals: d21 97 percent in every language, national and letters 90 for German and English; none wrong.
National and letters in the other languages are printed without a goal.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
from collections import Counter
from pathlib import Path

import chess
from rich.console import Console
from rich.table import Table

REPO = Path(__file__).resolve().parent.parent.parent

from speech.announcements.announce import announce, said_of
from speech.hearing.hearing import Hearing, recognisers
from speech.voices.respelling import segments_of
from speech.voices.voice import Manner
from speech.words.config_file import language_tags
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from tests.bench.listening.at_the_board import announcements_of_games, meant_in
from tests.speech.hearing.spoken_announcements import rendered

SPEAKERS = (Manner("f5", 0.85), Manner("m7", 0.85))
GOALS = {"d21": dict.fromkeys(language_tags(), 97), "national": {"de": 90, "en": 90}, "letters": {"de": 90, "en": 90}}


def moves_of_games(count: int) -> list[tuple[chess.Board, chess.Move]]:
    """Positions and moves; no two in the same words."""
    found: dict[str, tuple[chess.Board, chess.Move]] = {}
    for one in announcements_of_games(3 * count, seed=21):
        board = chess.Board(one.legal)
        uci = meant_in(one.words, board)
        assert uci is not None, one
        move = chess.Move.from_uci(uci)
        found.setdefault(str(said_of(board, move)), (board, move))
    return list(found.values())[:count]


async def told(hearing: Hearing, scheme: Scheme, moves: list[tuple[chess.Board, chess.Move]]) -> Counter[str]:
    """What became of each announcement for this listener."""
    phrases = [
        (segments_of(announce(board, move, scheme), scheme), SPEAKERS[number % len(SPEAKERS)])
        for number, (board, move) in enumerate(moves)
    ]
    counted: Counter[str] = Counter()
    for (board, move), pcm in zip(moves, await rendered(phrases), strict=True):
        verdict = await hearing.hear(pcm, scheme)
        taken = verdict.verdict in ("accept", "confirm")
        if taken and verdict.heard.said == said_of(board, move):
            counted["same"] += 1
        elif taken:
            counted["wrong" if verdict.verdict == "accept" else "read back wrong"] += 1
        else:
            counted["again"] += 1
    return counted


async def measure(count: int, engine: str, schemes: list[str]) -> None:
    moves = moves_of_games(count)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    table = Table(title=f"Round trips, {len(moves)} moves each, engine {engine} ({machine})")
    for column in ("scheme", "listener", "same %", "goal", "again", "read back wrong", "wrong"):
        table.add_column(column, justify="left" if column in ("scheme", "listener") else "right")
    hearing = Hearing(recognisers(engine), patient=True)
    await hearing.start()
    try:
        for name in schemes:
            for language in language_tags():
                got = await told(hearing, load_scheme(name, language), moves)
                goal = GOALS[name].get(language)
                row = [f"{100 * got['same'] / len(moves):.0f}", "" if goal is None else str(goal)]
                table.add_row(name, language, *row, *(str(got[kind]) for kind in ("again", "read back wrong", "wrong")))
                print(name, language, *row, dict(got), file=sys.stderr, flush=True)
    finally:
        await hearing.close()
    Console(width=100).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description="Announce, render, recognise.")
    parser.add_argument("moves", type=int, nargs="?", default=30)
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--schemes", default="d21,national,letters")
    asked = parser.parse_args()
    asyncio.run(measure(asked.moves, asked.engine, asked.schemes.split(",")))


if __name__ == "__main__":
    main()
