"""The sounds of the command words, one beside the other: what binds a player is like nothing that only asks.

Counted in the phones of our own model (`lexicon.toml`): how many of them must be another, missing or added, as a
share of the longer way. What the engines make of them `tests/bench` measures.
"""

from __future__ import annotations

import pytest
from rapidfuzz.distance import Levenshtein

from speech.recognisers.lexicon import Way, load_all, load_lexicon
from speech.words.config_file import language_tags
from speech.words.grammar import announcement_grammar
from speech.words.language import COMMANDS, PIECES, SIDES
from speech.words.loading import load_scheme

BINDING = (
    "resign",
    "draw",
    "draw_offer",
    "draw_accept",
    "draw_decline",
    "claim_time",
    "claim_draw",
    "yes",
    "no",
    "executed",
)
LEAST = 0.3
"""Of a word that binds against any word that does not."""
LEAST_AMONG_BINDING = 0.16
"""Offer, acceptance and refusal of a draw share their draw; they are asked about (`decide/claims/proposals.py`)."""
LEAST_OF_MOVES = 0.4
SMALL = ("word.to", "word.takes")
KNOWN_OF_MOVES = {("ar", "time"): 0.33, ("hu", "correction"): 0.38}
"""Of any command against the shortest announcements: a square, a piece and a square, castling."""
KNOWN = {("he", "draw_decline", "adjust"): 0.25}
"""Nearer than they should be, the words of the Laws' own translation among them."""


def apart(one: Way, two: Way) -> float:
    return float(Levenshtein.normalized_distance(one, two))


def nearest(some: tuple[Way, ...], others: tuple[Way, ...]) -> float:
    return min(apart(one, two) for one in some for two in others)


def test_it_counts_phones() -> None:
    assert apart(tuple("abc"), tuple("abc")) == 0 and apart(tuple("abc"), tuple("abd")) == pytest.approx(1 / 3)
    assert apart(tuple("ab"), tuple("abcd")) == 0.5


@pytest.mark.parametrize("language", language_tags())
def test_what_binds_sounds_like_nothing_else(language: str) -> None:
    lexicon = load_lexicon(language)
    found = {}
    for one in BINDING:
        for two in COMMANDS:
            if one == two:
                continue
            least = KNOWN.get((language, one, two), LEAST_AMONG_BINDING if two in BINDING else LEAST)
            share = nearest(lexicon[f"cmd.{one}"], lexicon[f"cmd.{two}"])
            if share < least:
                found[one, two] = round(share, 2)
    assert found == {}
    assert nearest(lexicon["cmd.yes"], lexicon["cmd.no"]) >= 0.5


@pytest.mark.parametrize("language", language_tags())
def test_no_command_sounds_like_a_short_announcement(language: str) -> None:
    scheme, lexica = load_scheme("d21", language), load_all()
    grammar = announcement_grammar()
    chains = [(f"castle.{side}",) for side in SIDES]
    chains += [(f"file.{file}", f"rank.{rank}") for file in "abcdefgh" for rank in "2345"]
    chains += [(small, f"file.{file}", f"rank.{rank}") for small in SMALL for file in "abcdefgh" for rank in "2345"]
    chains += [(f"piece.{piece}", "file.e", "rank.4") for piece in PIECES]
    assert all(grammar.accepts(chain) for chain in chains)

    def ways(word: str) -> tuple[Way, ...]:
        return lexica[f"{scheme.voice_language(word)}:{word}"]

    moves: list[Way] = []
    for chain in chains:
        said: list[Way] = [()]
        for word in chain:
            said = [(*before, *way) for before in said for way in ways(word)[:2]]
        moves += said
    near = {command: round(nearest(ways(f"cmd.{command}"), tuple(moves)), 2) for command in COMMANDS}
    least = {command: KNOWN_OF_MOVES.get((language, command), LEAST_OF_MOVES) for command in COMMANDS}
    assert {command: share for command, share in near.items() if share < least[command]} == {}
