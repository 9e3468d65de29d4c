"""Announced by the machine, said by its voice, heard by its engines: the same move, for listeners of every language."""

from __future__ import annotations

import chess
import pytest
import pytest_asyncio

from speech.announcements.announce import announce, said_of
from speech.hearing.hearing import Hearing
from speech.voices.respelling import segments_of
from speech.voices.voice import Manner
from speech.words.config_file import language_tags
from speech.words.loading import load_scheme
from speech.words.said import Said
from speech.words.scheme import Scheme
from tests.speech.hearing.spoken_announcements import rendered

# A voice that is not reserved for measuring, at an unhurried pace, as a player speaks.
SPEAKER = Manner("m3", 0.85)
# One of each: a short move, a departure square, a capture, a promotion, castling, en passant, each file and rank.
MOVES = (
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3"),
    ("4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", "g1f3"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"),
    ("3rk3/P3P3/8/8/8/8/8/4K3 w - - 0 1", "a7a8n"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1"),
    ("4k3/8/8/8/8/8/8/R3K2B w Q - 0 1", "h1b7"),
    ("7k/8/8/2q5/8/8/8/K1R5 w - - 0 1", "c1c5"),
)


async def round_trips(ears: Hearing, schemes: list[Scheme]) -> dict[str, list[tuple[Said, Said | None, str]]]:
    """For each listener what was announced, what was heard, and the verdict; by one fresh voice."""
    boards = [chess.Board(fen) for fen, _ in MOVES]
    moves = [board.parse_uci(uci) for board, (_, uci) in zip(boards, MOVES, strict=True)]
    said = [said_of(board, move) for board, move in zip(boards, moves, strict=True)]
    spoken = [
        [segments_of(announce(board, move, scheme), scheme) for board, move in zip(boards, moves, strict=True)]
        for scheme in schemes
    ]
    assert all(one == spoken[0] for one in spoken), "in d21 every listener hears the same German words"
    sounds = await rendered([(segments, SPEAKER) for segments in spoken[0]])
    found = {scheme.language: [await ears.hear(sound, scheme) for sound in sounds] for scheme in schemes}
    return {
        language: [(one, verdict.heard.said, verdict.verdict) for one, verdict in zip(said, verdicts, strict=True)]
        for language, verdicts in found.items()
    }


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def heard(ears: Hearing) -> dict[str, list[tuple[Said, Said | None, str]]]:
    return await round_trips(ears, [load_scheme("d21", language) for language in language_tags()])


@pytest.mark.needs("vosk")
@pytest.mark.law("L182", "L184", "L185", "L186", "L187")
@pytest.mark.parametrize("language", language_tags())
def test_a_move_said_in_the_scheme_of_the_laws_is_heard_as_that_move(
    heard: dict[str, list[tuple[Said, Said | None, str]]], language: str
) -> None:
    """The goals over many voices and rooms are printed by the benches; here nothing may be taken for another move."""
    found = heard[language]
    taken = [(said, other) for said, other, verdict in found if verdict in ("accept", "confirm")]
    assert all(said == other for said, other in taken)
    assert sum(said == other for said, other, _ in found) >= len(MOVES) - 1
