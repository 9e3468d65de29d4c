"""The usual way of chess programs, as a baseline: only the legal moves are listened for, and the best always counts."""

from __future__ import annotations

from collections.abc import Sequence

import chess
import msgspec

from speech.recognisers.recogniser import Vocabulary
from speech.recognisers.vocabulary import vocabulary_of
from speech.words.grammar import Arc, Grammar
from speech.words.scheme import Scheme
from tests.bench.listening.at_the_board import Announced, Words, legal_chains
from tests.bench.listening.judging import Ears, Tally, truth_of
from tests.bench.listening.moves import Family
from tests.bench.listening.shares import percent, table
from tests.bench.listening.surroundings import Change


def of_chains(chains: Sequence[Words]) -> Grammar:
    """A graph that accepts exactly these chains."""
    nodes: dict[Words, int] = {(): 0}
    arcs: list[Arc] = []
    for chain in chains:
        for size in range(1, len(chain) + 1):
            if chain[:size] not in nodes:
                nodes[chain[:size]] = len(nodes)
                arcs.append(Arc(nodes[chain[: size - 1]], chain[size - 1], nodes[chain[:size]]))
    table_of: dict[int, dict[str, int]] = {number: {} for number in nodes.values()}
    for arc in arcs:
        table_of[arc.source][arc.word] = arc.target
    return Grammar(len(nodes), 0, frozenset(nodes[chain] for chain in chains), tuple(arcs), table_of)


def legal_vocabulary(fen: str, scheme: Scheme) -> Vocabulary:
    """Nothing but the legal moves of a position."""
    whole = vocabulary_of(scheme)
    return msgspec.structs.replace(
        whole, name=f"legal in {fen} {whole.name}", grammar=of_chains(legal_chains(chess.Board(fen)))
    )


async def forced_choice(
    ears: Ears, families: Sequence[Family], said_there: Sequence[Announced], changes: dict[str, Change], count: int
) -> str:
    """The best legal move is always taken: right of legal announcements, and what becomes of illegal ones."""
    lines: list[list[str]] = []
    for name, engine in ears.engines.items():
        for condition in ("clean", "babble 20 dB"):
            tally = Tally()
            for family in families:
                for place, one in enumerate(said_there[:count]):
                    pcm = changes[condition](family.first[place], place)
                    for fen in (one.legal, one.illegal):
                        found = await engine.recognise(pcm, legal_vocabulary(fen, family.scheme))
                        words = found.ranked[0].ids if found.ranked else ()
                        kind = "legal" if fen == one.legal else "illegal"
                        tally.counts[f"{kind} n"] += 1
                        tally.counts[f"{kind} right"] += truth_of(words) == truth_of(one.words)
                        tally.counts[f"{kind} wrong"] += bool(words) and truth_of(words) != truth_of(one.words)
            lines.append(
                [
                    f"{name}, {condition}",
                    str(tally["legal n"]),
                    percent(tally["legal right"], tally["legal n"]),
                    percent(tally["legal wrong"], tally["legal n"]),
                    percent(tally["illegal wrong"], tally["illegal n"]),
                ]
            )
    return table(("engine, surroundings", "n", "right", "another legal move", "illegal became legal"), lines)
