"""The moves that were most probably played, from all utterances about a few plies.

Each ply is said twice, announced and echoed, by two
voices; the recognisers give for each utterance what it may have been. A legal move is likelier than another beforehand,
but an illegal one that was clearly said twice stays. What is announced next must fit on the board too, so a doubtful
move is settled by the moves after it. Where a misheard echo and the speaker's own next move were taken for each other,
that is settled with it. Pure, and limited: at most `LONGEST` plies, `WIDTH` lines, `MOST_CANDIDATES` an utterance,
`FURTHEST` places to where an utterance may belong, `MOST_ILLEGAL` illegal moves a position.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import chess
import msgspec

from server.game.state.line import PlyRecord, resolve
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.candidates import Candidate, UtteranceHeard
from server.game.values.position import Position, onto_own
from server.game.values.words import Origin, Seat

WINDOW = 6
"""How many of the last plies are looked at again; what lies before them stays as it is."""
LONGEST = 12
"""The most plies of one question; where the server lost the game earlier, the question begins there."""
WIDTH = 32
FURTHEST = 2
"""How far the border between the echo and the speaker's own next move may lie from where it was put."""
MOST_ILLEGAL = 6
WIDEST_NATS = 14.0
"""A line is given up when it is worse than the best by more than this (nats)."""
LEAD = 1.25
"""A move is believed if it is this many times likelier than any other; of two like pieces neither is, at even odds."""
LEAST = 0.25
"""A believed move must also have this probability: what nobody heard is not guessed."""


class Priors(msgspec.Struct, frozen=True):
    """Probabilities that hold before anything is heard.

    `illegal`: the share of announcements of illegal moves; `illegal_ways`: the number of such moves over which these
    spread. `fewest`: with fewer legal moves (in check, for example) each of them is no likelier than with this many.
    `astray`: the share of utterances about something else than this move; `aside`: that share among those set aside;
    `announcements`: how many different announcements there are. `as_heard`: P(right) of recognised words that came
    without candidates; `typed`: P(right) of typed words. `again`: how much a further utterance of the same voice counts
    (a recogniser mishears the same voice in the same way). `seen`: P(a move seen on the other board is right). What an
    utterance was, an echo or the next move, costs (nats): `moved` for each place from where it was put, `no_echo` where
    no echo is left, `unsaid` where the move was made and nothing of its announcement is left.
    """

    illegal: float = 0.04
    illegal_ways: float = 40.0
    fewest: int = 10
    astray: float = 0.03
    aside: float = 0.9
    announcements: float = 400.0
    as_heard: float = 0.85
    typed: float = 0.999
    again: float = 0.6
    seen: float = 0.99
    moved: float = 0.7
    no_echo: float = 1.0
    unsaid: float = 1.6


PRIORS = Priors()


class PlyEvidence(msgspec.Struct, frozen=True):
    """Evidence of one ply.

    `certain`: what was entered or corrected, which outweighs all words. `seen`: the move seen on the other board.
    `settled`: the echo agreed with the announcement, so that what came after it was the next move. `made`: False where
    the move is still to come; then nothing is known of it where nothing was said of it.
    """

    ply: int
    seat: Seat
    certain: str | None
    seen: str | None
    utterances: tuple[UtteranceHeard, ...]
    settled: bool = False
    made: bool = True

    def said_by(self, *, mover: bool) -> tuple[UtteranceHeard, ...]:
        """Return the mover's utterances about this ply, or the other side's."""
        return tuple(one for one in self.utterances if (one.seat is self.seat) is mover and not one.aside)

    @property
    def set_aside(self) -> tuple[UtteranceHeard, ...]:
        """Return the utterances that were not taken as meant for us.

        They stay with the ply they were assigned to, and count where nothing else is heard of that voice.
        """
        return tuple(one for one in self.utterances if one.aside)


class BeliefQuestion(msgspec.Struct, frozen=True):
    """Question about the last plies.

    `start`: the position before the first of them.
    """

    start: Position
    plies: tuple[PlyEvidence, ...]

    @property
    def digest(self) -> str:
        """Return a text that differs between two different questions."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:32]


class BelievedPly(msgspec.Struct, frozen=True):
    """Ply, the move believed (UCI), and its probability given everything that was weighed."""

    ply: int
    uci: str
    confidence: float


class _Line(msgspec.Struct, frozen=True):
    cost: float
    moves: tuple[str, ...]
    position: Position
    own: tuple[UtteranceHeard, ...]  # what the player who is to move next has said of their move


# Cost, moves and place of the border of a line that is a move longer, and the line that it goes on from.
_Longer: TypeAlias = tuple[tuple[float, tuple[str, ...], int], _Line]
_Way: TypeAlias = tuple[tuple[UtteranceHeard, ...], tuple[UtteranceHeard, ...], float]  # echo, own move; cost


def belief_question(state: GameState) -> BeliefQuestion | None:
    """Return the question about the last plies; None where no recogniser left anything to weigh."""
    positions = state.moves.positions
    first = max(0, min(len(state.moves.plies) - WINDOW, len(positions) - 1))
    # Where that position is not known, the arbiter's decision about the position stands further on (D.2.9).
    start = next(ply for ply in range(first, len(positions)) if positions[ply].known)
    records = state.moves.plies[start : start + LONGEST]
    if not any(record.utterances and record.mended is None and not record.unknown for record in records):
        return None
    return BeliefQuestion(positions[start], tuple(_evidence(record) for record in records))


def _evidence(record: PlyRecord) -> PlyEvidence:
    if record.unknown:  # whatever was said of it does not say which move it was
        return PlyEvidence(record.index, record.seat, None, None, (), made=record.made)
    certain = record.mended if record.mended is not None else record.by_hand
    utterances = record.utterances
    for seat, said, origin, sound in (
        (record.seat, record.announcement, record.announced_origin, record.utterance),
        (record.seat.other, record.echo, record.echo_origin, record.echo_utterance),
    ):
        weighed = any(
            one.seat is seat and not one.aside and (sound is None or one.utterance == sound)
            for one in record.utterances
        )
        typed = origin is Origin.ENTERED
        if said is not None and (typed or not weighed):
            cost = round(-math.log(PRIORS.typed if typed else PRIORS.as_heard), 4)
            utterances = (*utterances, UtteranceHeard(seat, sound, (Candidate.of(said, cost),)))
    seen = record.seen_on_other_board
    return PlyEvidence(record.index, record.seat, certain, seen, utterances, record.echo_agrees is True, record.made)


def most_probable_line(question: BeliefQuestion, priors: Priors = PRIORS) -> tuple[BelievedPly, ...]:
    """Return the most probable moves from the first ply of the question on, as far as anything is known.

    >>> e4 = UtteranceHeard(Seat.WHITE, "a", (Candidate(None, None, "e4", None, None, 0.1),))
    >>> start = Position.from_fen(chess.STARTING_FEN)
    >>> [one.uci for one in believed(BeliefQuestion(start, (PlyEvidence(1, Seat.WHITE, None, None, (e4,)),)))]
    ['e2e4']
    """
    plies = question.plies
    if not plies:
        return ()
    coming = PlyEvidence(plies[-1].ply + 1, plies[-1].seat.other, None, None, (), made=False)
    lines = [_Line(0.0, (), question.start, plies[0].said_by(mover=True))]
    known: dict[object, list[tuple[str, float]]] = {}
    for evidence, after in itertools.pairwise((*plies, coming, coming)):
        ways = _borders(evidence, after, priors)
        longer: list[_Longer] = []
        for line in lines:
            for border, (echo, _, moved) in enumerate(ways):
                cost = line.cost + moved
                voices = {one.seat for one in (*line.own, *echo)}
                heard = (*line.own, *echo, *(one for one in evidence.set_aside if one.seat not in voices))
                key = line.position, tuple(map(id, heard))
                if key not in known:
                    known[key] = rank_moves(line.position, msgspec.structs.replace(evidence, utterances=heard), priors)
                longer += [((cost + more, (*line.moves, uci), border), line) for uci, more in known[key]]
                if not known[key]:  # still to come, and nothing said of it: the line ends here
                    longer.append(((cost, line.moves, border), line))
        longer.sort(key=lambda one: one[0])
        lines = list(itertools.islice(_best_lines(longer, ways), WIDTH)) or lines
    return _sure(question, lines)


def _best_lines(longer: Sequence[_Longer], ways: Sequence[_Way]) -> Iterator[_Line]:
    """Yield the best lines, each with its position."""
    (least, *_), _ = longer[0]
    for (cost, moves, border), line in longer:
        if cost > least + WIDEST_NATS:
            return
        position = line.position
        if len(moves) > len(line.moves):
            try:
                position = position.after(moves[-1])
            except ValueError:  # no piece stands there: nobody can have played it
                continue
        yield _Line(cost, moves, position, ways[border][1])


def _borders(evidence: PlyEvidence, after: PlyEvidence, priors: Priors) -> list[_Way]:
    """Return how what a player said after the opponent's move may divide into echo and own move.

    Each way comes with its cost.
    """
    echo = evidence.said_by(mover=False)
    said = (*echo, *after.said_by(mover=True))
    if evidence.settled or not said:
        return [(echo, said[len(echo) :], 0.0)]
    found = []
    for border in range(max(0, len(echo) - FURTHEST), min(len(said), len(echo) + FURTHEST) + 1):
        cost = priors.moved * abs(border - len(echo))
        cost += priors.no_echo if border == 0 else 0.0
        cost += priors.unsaid if border == len(said) and after.made else 0.0
        found.append((said[:border], said[border:], cost))
    return found


def _sure(question: BeliefQuestion, lines: Sequence[_Line]) -> tuple[BelievedPly, ...]:
    """Return the best line, up to the first move that does not lead clearly over every other."""
    best = lines[0]
    weighed = [(line.moves, math.exp(best.cost - line.cost)) for line in lines]
    found: list[BelievedPly] = []
    for evidence, uci in zip(question.plies, best.moves, strict=False):
        place, chances = len(found), dict[str, float]()
        for moves, share in weighed:
            if len(moves) > place:
                chances[moves[place]] = chances.get(moves[place], 0.0) + share
        confidence = chances[uci] / sum(share for _, share in weighed)
        if confidence < LEAST or any(chances[uci] < LEAD * chances[other] for other in chances if other != uci):
            break
        found.append(BelievedPly(evidence.ply, uci, round(confidence, 4)))
    return tuple(found)


class _UtteranceWeight(msgspec.Struct, frozen=True):
    """How an utterance (`heard`) bears on the moves of a ply.

    `share`: the probability that each move (UCI) gets if the utterance is about this ply; `about`: how probable that
    is; `left`: what is left for all other moves. `weight`: how much the utterance counts.
    """

    heard: UtteranceHeard
    share: dict[str, float]
    about: float
    left: float
    weight: float

    def gain(self, uci: str) -> float:
        """Return by how much the utterance makes a move cheaper (nats)."""
        return self.weight * math.log(self.about * self.share.get(uci, 0.0) + self.left)


def rank_moves(position: Position, evidence: PlyEvidence, priors: Priors = PRIORS) -> list[tuple[str, float]]:
    """Return the moves (UCI) that a ply may have been, each with its cost.

    None where nothing was said and the move is still to come.
    """
    if not evidence.made and not evidence.utterances and evidence.seen is None and evidence.certain is None:
        return []
    board = position.board()
    legal = [move for move in board.legal_moves if not onto_own(board, move)]
    costs: dict[str, float] = {}
    by_target: dict[str, list[tuple[str, Announcement]]] = {}
    base = math.log(max(priors.fewest, len(legal))) - math.log(1.0 - priors.illegal)
    for move in legal:
        said = _in_full(board, move)
        costs[move.uci()] = base
        by_target.setdefault(said.to_square or said.castling or "", []).append((move.uci(), said))
    illegal: dict[Announcement, float] = {}
    found: list[_UtteranceWeight] = []
    voices: set[Seat] = set()
    for heard in evidence.utterances:
        found.append(_weigh(heard, by_target, illegal, priors, again=heard.seat in voices))
        voices.add(heard.seat)
    beside = math.log(priors.illegal_ways) - math.log(priors.illegal)
    for said in sorted(illegal, key=lambda one: -illegal[one])[:MOST_ILLEGAL]:
        meant = resolve(said, board).uci
        if meant is not None and costs.setdefault(meant, beside) == beside:
            _share_out(meant, said, found)
    if evidence.seen is not None:
        costs.setdefault(evidence.seen, beside)
    if evidence.certain is not None:
        costs = {evidence.certain: 0.0}
    for uci in costs:
        for one in found:
            costs[uci] -= one.gain(uci)
        if evidence.seen is not None:
            costs[uci] -= math.log(priors.seen if uci == evidence.seen else 1.0 - priors.seen)
    return sorted(costs.items(), key=lambda one: (one[1], one[0]))


def _weigh(
    heard: UtteranceHeard,
    by_target: dict[str, list[tuple[str, Announcement]]],
    illegal: dict[Announcement, float],
    priors: Priors,
    *,
    again: bool,
) -> _UtteranceWeight:
    """Weigh an utterance against the legal moves; what fits none of them is added to `illegal`."""
    share: dict[str, float] = {}
    total = 0.0
    for candidate in heard.candidates:
        chance, said = math.exp(-candidate.cost), candidate.announcement
        total += chance
        fitting = [uci for uci, full in by_target.get(said.to_square or said.castling or "", ()) if _fits(said, full)]
        for uci in fitting:
            share[uci] = share.get(uci, 0.0) + chance
        if not fitting:
            illegal[said] = illegal.get(said, 0.0) + chance
    astray = priors.aside if heard.aside else priors.astray
    left = (astray + max(0.0, 1.0 - total)) / priors.announcements
    return _UtteranceWeight(heard, share, 1.0 - astray, left, priors.again if again else 1.0)


def _share_out(uci: str, said: Announcement, found: Sequence[_UtteranceWeight]) -> None:
    """Give an illegal move what each utterance leaves for the words that name it."""
    for one in found:
        chance = sum(math.exp(-each.cost) for each in one.heard.candidates if each.announcement.agrees_with(said))
        one.share[uci] = max(one.share.get(uci, 0.0), chance)


def _in_full(board: chess.Board, move: chess.Move) -> Announcement:
    """Return everything that can be said of a move."""
    if board.is_castling(move):
        return Announcement(castling="short" if board.is_kingside_castling(move) else "long")
    kind = board.piece_type_at(move.from_square)
    assert kind is not None
    return msgspec.convert(
        {
            "piece": chess.piece_name(kind),
            "from_square": chess.square_name(move.from_square),
            "to_square": chess.square_name(move.to_square),
            "promotion": chess.piece_name(move.promotion) if move.promotion else None,
        },
        Announcement,
    )


def _fits(said: Announcement, full: Announcement) -> bool:
    """Return whether the words may have been said of this move."""
    if said.castling is not None:
        return said.castling == full.castling
    return (
        said.promotion == full.promotion
        and said.from_square in (None, full.from_square)
        and said.piece_meant in (None, full.piece)
    )
