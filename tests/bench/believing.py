"""How often the server believes the right move: at the announcement, after the echo, one ply later.

    python -m tests.bench.believing [--games N] [--plies N] [--real PLIES] [--engine E] [--keep FILE] [--again]

Every game goes through the core itself, words, presses and all: announced by one voice, pressed, echoed by the other.
One table keeps the words alone (`alone`), the other has the same utterances weighed together (`together`). A move that
is still believed wrong six plies later is mended by an arbiter, at both tables alike, and counted.

Simulated ears: what they mishear is drawn from `held_out_ear.json`, 119 utterances of voices that are not reserved,
heard by an ear that is no more (pocketsphinx), whose counts are not in `config/confusions`. `--real`: so many plies
through eSpeak's reserved voices f5 (White) and m7 (Black), or with `--human` flite's slt and rms, with 20 dB babble of
klatt2 and Storm, and the real recognisers (`--engine`). `--keep`: what they heard is kept there and not heard again.
`--again`: a player who is asked to say it again does so, once. What was believed wrong one ply later is printed.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import math
import os
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import msgspec

REPO = Path(__file__).resolve().parent.parent.parent

from server.game import acts as cmd
from server.game.belief import belief_question, most_probable_line
from server.game.state.line import resolve
from server.game.values.words import Origin, Seat, SeatKind
from server.wording.words import announcement_of, candidates_of, said_by
from speech.announcements.announce import words_of_announcement
from speech.announcements.understand import understand
from speech.hearing.confusions import load_confusions
from speech.hearing.evidence import Confusions, expand_alternatives, nearby
from speech.hearing.hearing import ENGINES, Hearing, recognisers
from speech.hearing.settings import load_hearing
from speech.recognisers.live import KeptUtterance
from speech.recognisers.recogniser import Hypotheses, Hypothesis, Recogniser, Utterance, Vocabulary, WordHeard
from speech.training.curves.babble import with_babble
from speech.words.loading import load_scheme
from speech.words.said import Said
from tests.bench.listening.keeping import Kept
from tests.bench.listening.voices import FLITE_VOICES, Voice
from tests.bench.listening.voices import said as said_by_voice
from tests.game.core_table import CoreTable, spoken_in
from tests.speech.hearing.spoken_announcements import phrase, rendered

MOMENTS = ("announced", "echoed", "one ply later", "six plies later")
GIVEN_UP = 6
RAW_SCORES = msgspec.structs.replace(load_confusions("own"), temperature=16.0, listed=0.7, nearby=0.25, spread=0.5)
"""The simulated ears' scores are those of an ear that is no more (pocketsphinx), not shares of several lists."""
HERE = Path(__file__).resolve().parent
Ranked = tuple[Hypothesis, ...]
KeptAnswer = tuple[str, Hypotheses]
Ear = Callable[[tuple[str, ...], int], Awaitable[tuple[Ranked, float, str]]]


class Draw(msgspec.Struct, frozen=True):
    """One utterance of the held-out set: the place of the truth in the list (-1: not in it), P(right), the scores."""

    truth: int
    confidence: float
    scores: tuple[float, ...]


class HeldOut(msgspec.Struct, frozen=True):
    """What the simulated ears draw from."""

    confusions: Confusions
    draws: tuple[Draw, ...]


def interval(right: int, n: int) -> str:
    """A share with Wilson's 95 % interval."""
    if n == 0:
        return "-"
    share, z = right / n, 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{share:.4f} [{max(0.0, middle - half):.4f} {min(1.0, middle + half):.4f}]"


def simulated(held_out: HeldOut, seed: int) -> Ear:
    """Ears that mishear as the held-out utterances were misheard; the voices do not matter to them."""
    chance, scheme = random.Random(seed), load_scheme("d21", "de")

    def ids_of(said: Said) -> tuple[str, ...]:
        return tuple(token.id for token in words_of_announcement(said, scheme))

    async def hear(words: tuple[str, ...], voice: int) -> tuple[Ranked, float, str]:
        draw = chance.choice(held_out.draws)
        true = Hypothesis(tuple(WordHeard(word, 0.5) for word in words), 0.0)
        near = nearby(true, turned(held_out.confusions))
        chains: list[tuple[str, ...]] = []
        for place in range(len(draw.scores)):
            if place == draw.truth:
                chains.append(words)
                continue
            left = [said for said in near if ids_of(said) not in chains]
            if not left:
                break
            chains.append(ids_of(chance.choices(left, [near[said] for said in left])[0]))
        ranked = tuple(
            Hypothesis(tuple(WordHeard(word, 0.5 if place == 0 else 0.0) for word in chain), score)
            for place, (chain, score) in enumerate(zip(chains, draw.scores, strict=False))
        )
        return ranked, draw.confidence, judged(draw.confidence)

    return hear


def turned(confusions: Confusions) -> Confusions:
    """The same costs read the other way: what is heard when this is said (files by their names, not their word ids)."""
    tables: dict[str, dict[str, dict[str, float]]] = {}
    for kind in ("files", "ranks", "pieces", "castling"):
        rows: dict[str, dict[str, float]] = {value: {} for value in getattr(confusions, kind)}
        for said, row in getattr(confusions, kind).items():
            for heard, cost in row.items():
                value = heard.split(".")[-1]
                word = f"file.{said}" if kind == "files" else said
                rows[value][word] = min(cost, rows[value].get(word, 50.0))
        tables[kind] = rows
    return msgspec.structs.replace(confusions, **tables)


def judged(confidence: float) -> str:
    steps = load_hearing().thresholds
    return "accept" if confidence >= steps.confirm else "repeat"


class KeptEngine:
    """An engine whose answers are kept in a file of JSON lines, by its name and the sound."""

    def __init__(self, engine: Recogniser, path: Path) -> None:
        self.engine, self.path, self.name = engine, path, engine.name
        self.start, self.close = engine.start, engine.close
        lines = path.read_bytes().splitlines() if path.exists() else []
        self.known: dict[str, Hypotheses] = dict(msgspec.json.decode(line, type=KeptAnswer) for line in lines)

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        return KeptUtterance(self, vocabulary)

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        key = f"{self.name} {vocabulary.name} {hashlib.sha256(pcm).hexdigest()}"
        if key not in self.known:
            self.known[key] = await self.engine.recognise(pcm, vocabulary)
            with self.path.open("ab") as out:
                out.write(msgspec.json.encode((key, self.known[key])) + b"\n")
        return self.known[key]


class RealEars:
    """The reserved voices, rendered beforehand, 20 dB babble, the real recognisers."""

    def __init__(self, engine: str, keep: Path | None, human: bool) -> None:
        self.human = human
        self.scheme = load_scheme("d21", "de")
        engines = recognisers(engine)
        self.hearing = Hearing(engines if keep is None else [KeptEngine(one, keep) for one in engines])
        self.sounds: dict[tuple[tuple[str, ...], int], bytes] = {}
        self.others: list[bytes] = []
        self.count = 0

    async def prepare(self, spoken: list[tuple[tuple[str, ...], int]]) -> None:
        wanted = sorted(set(spoken))
        if self.human:
            for number, name in enumerate(FLITE_VOICES):
                chains = [words for words, voice in wanted if voice == number]
                sounds = await said_by_voice(Kept(), Voice(f"flite {name}", "flite", name), chains)
                self.sounds |= {(words, number): pcm for words, pcm in zip(chains, sounds, strict=True)}
        else:
            voices = ("f5", "m7")
            sounds = await rendered([phrase(words, self.scheme, voices[voice]) for words, voice in wanted])
            self.sounds = dict(zip(wanted, sounds, strict=True))
        talk = random.Random(5).sample(wanted, min(12, len(wanted)))
        self.others = await rendered(
            [phrase(words, self.scheme, ("klatt2", "Storm")[place % 2]) for place, (words, _) in enumerate(talk)]
        )
        await self.hearing.start()

    async def hear(self, words: tuple[str, ...], voice: int) -> tuple[Ranked, float, str]:
        self.count += 1
        pcm = with_babble(self.sounds[words, voice], self.others, 20.0, self.count)
        verdict = await self.hearing.hear(pcm, self.scheme)
        return verdict.hypotheses, verdict.confidence, verdict.verdict


class Bench:
    """One game at two tables, with the same utterances."""

    def __init__(self, hear: Ear, counts: Counter[str], *, again: bool, confusions: Confusions) -> None:
        self.hear, self.counts, self.again, self.confusions = hear, counts, again, confusions
        self.failures: list[str] = []
        self.scheme = load_scheme("d21", "de")
        self.tables = {name: CoreTable(black=SeatKind.TACTILE, control="99999+60") for name in ("alone", "together")}
        self.number = 0

    async def speak(self, seat: str, words: tuple[str, ...]) -> Ranked:
        ranked, confidence, verdict = await self.hear(words, 0 if seat == "white" else 1)
        self.counts[verdict] += 1
        self._tell(seat, ranked, confidence, verdict)
        if self.again and verdict == "repeat":
            ranked, confidence, verdict = await self.hear(words, 0 if seat == "white" else 1)
            self._tell(seat, ranked, confidence, verdict)
        return ranked

    def _tell(self, seat: str, ranked: Ranked, confidence: float, verdict: str) -> None:
        """As `server/voice/listener.py` does it."""
        candidates = candidates_of(expand_alternatives(ranked, confidence, self.confusions))
        self.number += 1
        if verdict == "reject":
            aside = cmd.SetSoundAside(seat=Seat(seat), utterance=f"u{self.number}", candidates=candidates)
            for table in self.tables.values():
                table.own(aside)
            self.revise()
            return
        heard = understand(ranked[0].ids) if ranked else understand(())
        said = announcement_of(heard.said) if heard.said is not None and verdict in ("accept", "confirm") else None
        if heard.kind == "command" and verdict in ("accept", "confirm"):
            return  # a command, not a move
        body: dict[str, Any] = {
            "announcement": said,
            "origin": Origin.HEARD,
            "utterance": f"u{self.number}",
            "candidates": candidates,
        }
        for table in self.tables.values():
            table.do(seat, cmd.Say(**body))
            table.wait(1_000)
        self.revise()

    def press(self, seat: str) -> None:
        for table in self.tables.values():
            table.do(seat, cmd.Press())
        self.revise()

    def revise(self) -> None:
        table = self.tables["together"]
        question = belief_question(table.state)
        if question is not None:
            plies = tuple(
                cmd.PlyBelieved(ply=p.ply, uci=p.uci, confidence=p.confidence) for p in most_probable_line(question)
            )
            table.own(cmd.NoteBelief(about=question.digest, plies=plies))

    def note(self, moment: str, moves: list[str], ply: int) -> None:
        if ply < 1:
            return
        for name, table in self.tables.items():
            line = table.state.moves.line
            right = len(line) >= ply and line[ply - 1] == moves[ply - 1]
            self.counts[f"{name} {moment}"] += right
            self.counts[f"{name} {moment} n"] += 1
            if moment == MOMENTS[2] and name == "together" and not right:
                self.failures.append(self.told(table, moves, ply))
            if moment == MOMENTS[3] and not right:
                self.counts[f"{name} mended"] += 1
                table.do("arbiter", cmd.Mend(ply=ply, uci=moves[ply - 1]))

    def told(self, table: CoreTable, moves: list[str], ply: int) -> str:
        """A ply believed wrong: what is believed and what each utterance about it may have been."""
        line, lines = table.state.moves.line, [f"ply {ply}: {moves[ply - 1]} was played"]
        lines[0] += f", {line[ply - 1] if len(line) >= ply else None} is believed"
        lines[0] += f"; before it {list(line[max(0, ply - 3) : ply - 1])} of {moves[max(0, ply - 3) : ply - 1]}"
        for record in table.state.moves.plies[max(0, ply - 2) : ply + 1]:
            for one in record.utterances:
                best = ", ".join(
                    f"{c.piece or ''} {c.from_square or ''} {c.to_square or c.castling} {c.cost:.2f}"
                    for c in one.candidates[:4]
                )
                lines.append(f"    at ply {record.index}, {one.seat.value}: {best}")
        return "\n".join(lines)

    async def play(self, game: list[chess.Move]) -> None:
        board, moves = chess.Board(), [move.uci() for move in game]
        for ply, move in enumerate(game, 1):
            seat, other = ("white", "black") if ply % 2 else ("black", "white")
            words = tuple(token.id for token in words_of_announcement(said_by(spoken_in(board, move)), self.scheme))
            ranked = await self.speak(seat, words)
            heard = understand(ranked[0].ids) if ranked else understand(())
            meant = resolve(announcement_of(heard.said), board).uci if heard.said is not None else None
            self.counts["one ear"] += meant == moves[ply - 1]
            self.counts["plies"] += 1
            self.press(seat)
            self.note(MOMENTS[0], moves, ply)
            await self.speak(other, words)
            self.note(MOMENTS[1], moves, ply)
            self.note(MOMENTS[2], moves, ply - 1)
            self.note(MOMENTS[3], moves, ply - GIVEN_UP)
            board.push(move)


def games(count: int, plies: int) -> Iterator[list[chess.Move]]:
    """The beginnings of games that were played."""
    shared = Path(os.environ.get("ANNA_EINS_SHARED", REPO.parent / "shared")) / "data" / "games" / "real-games.san"
    for line in shared.read_text("utf-8").splitlines()[:count]:
        board = chess.Board()
        for san in line.split()[:plies]:
            board.push_san(san)
        yield list(board.move_stack)


def shown(title: str, counts: Counter[str]) -> None:
    n = counts["plies"]
    print(f"\n{title}: {n} plies")
    print(f"  best of one ear, on the true position: {interval(counts['one ear'], n)}")
    verdicts = ", ".join(f"{name} {counts[name]}" for name in ("accept", "confirm", "repeat", "reject"))
    print(f"  verdicts: {verdicts}")
    for name in ("alone", "together"):
        for moment in MOMENTS:
            print(f"  {name:9} {moment:16} {interval(counts[f'{name} {moment}'], counts[f'{name} {moment} n'])}")
        print(f"  {name:9} mended by the arbiter: {counts[f'{name} mended']}")


async def run(given: argparse.Namespace) -> None:
    if given.games:
        held_out = msgspec.json.decode((HERE / "held_out_ear.json").read_bytes(), type=HeldOut)
        counts: Counter[str] = Counter()
        hear = simulated(held_out, given.seed)
        for game in games(given.games, given.plies):
            await Bench(hear, counts, again=given.again, confusions=RAW_SCORES).play(game)
        shown("Simulated ears (held out)", counts)
    if given.real:
        counts, ears = Counter(), RealEars(given.engine, given.keep, given.human)
        engines = "+".join(ears.hearing.engines)
        failures: list[str] = []
        chosen, left = [], given.real
        for game in games(20, 60):
            chosen.append(game[:left])
            left -= len(chosen[-1])
            if left <= 0:
                break
        spoken: list[tuple[tuple[str, ...], int]] = []
        for game in chosen:
            board = chess.Board()
            for move in game:
                words = tuple(token.id for token in words_of_announcement(said_by(spoken_in(board, move)), ears.scheme))
                spoken += [(words, 0), (words, 1)]
                board.push(move)
        await ears.prepare(spoken)
        try:
            for game in chosen:
                bench = Bench(ears.hear, counts, again=given.again, confusions=load_confusions(engines))
                await bench.play(game)
                failures += bench.failures
        finally:
            await ears.hearing.close()
        print("Believed wrong one ply later:", *failures, sep="\n  ")
        voices = " and ".join(FLITE_VOICES) if given.human else "f5 and m7"
        shown(f"Reserved voices {voices}, 20 dB babble, {engines}", counts)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--plies", type=int, default=60)
    parser.add_argument("--real", type=int, default=0)
    parser.add_argument("--engine", choices=ENGINES, default="auto")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--human", action="store_true", help="flite's slt and rms in place of eSpeak's voices.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true")
    asyncio.run(run(parser.parse_args()))
