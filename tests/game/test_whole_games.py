"""Whole random games at the pure core, each act held to an oracle that shares no code with it (`oracle.py`).

By voice and on screens, at the table and in relay, with echoes and without, corrected announcements, offers, claims,
take-backs, pauses, resignations and flags. After every act: the line, the law, both clocks to the millisecond, both
scores, the offer, the result. Each command goes the way of a station's: as bytes over the line, and filled in by the
server (`server/table/intake.py`).
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import chess
import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Command, Refusal
from server.game.laws.draws import repetition_claim
from server.game.laws.scoresheet import Scoresheet
from server.game.values.words import Mode, Seat, SeatKind
from server.table.intake import fill_in
from tests.game.core_table import CoreTable, only, spoken_in
from tests.game.oracle import COLOURS, WRONG_CLAIM_MS, Oracle, pace_of

MOST_PLIES = 90
CONTROLS = ("5400+30", "900+10", "300+5", "180", "20/600+3:300+3", "8/240:120+2")
# Now and then a position in which games end soon, and in other ways than by a long middlegame.
STARTS = (
    *(chess.STARTING_FEN,) * 4,
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8",
    "8/P5k1/8/8/8/8/p5K1/8 w - - 0 1",
    "4k3/8/8/8/8/8/3R4/4K3 w - - 88 60",
    "7k/8/4Q3/8/8/8/8/K7 b - - 140 100",
    "8/8/4k3/8/8/3NK3/8/8 w - - 0 1",
)
ENDS = {"checkmate", "stalemate", "dead_position", "fivefold", "seventy_five_moves"}


def seat_of(colour: bool) -> Seat:
    return Seat.WHITE if colour else Seat.BLACK


class WholeGame:
    """One game, drawn from a seed: what the players and the arbiter do, at the table and at the oracle."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        kinds = self.draw.choice(
            [(SeatKind.TACTILE, SeatKind.SIGHTED)] * 3
            + [(SeatKind.SIGHTED, SeatKind.TACTILE)] * 2
            + [(SeatKind.TACTILE, SeatKind.TACTILE), (SeatKind.LOW_VISION, SeatKind.TACTILE)]
        )
        self.tactile = {colour: kind is SeatKind.TACTILE for colour, kind in zip(COLOURS, kinds, strict=True)}
        control, fen = self.draw.choice(CONTROLS), self.draw.choice(STARTS)
        self.oracle = Oracle(control, fen)
        self.offered: set[int] = set()
        self.read: dict[tuple[bool, int], tuple[chess.Move, str]] = {}  # cells that were read already, as they were
        self.table = CoreTable(fen=fen, control=control, white=kinds[0], black=kinds[1], started=False, mates=False)
        for colour in COLOURS:
            if not self.tactile[colour]:
                self.act("arbiter", cmd.RecordScoresheet(seat=seat_of(colour), sheet=Scoresheet.STATION))
        self.relay = self.draw.random() < 0.4
        if self.relay:
            self.table.mode(Mode.RELAY)
        self.act("arbiter", cmd.StartGame())
        self.oracle.clock.start(self.oracle.board.turn, self.table.now)
        self.count: Counter[str] = Counter(relay=self.relay)
        self.log = [f"seed {seed}, {control}, {fen}, {kinds}, {'relay' if self.relay else 'table'}"]

    # How a command goes

    def act(self, station: str, body: Any) -> tuple[ev.AnyEvent, ...]:
        """A command as a station sends it; it must not be refused."""
        found = self.attempt(station, body)
        assert not isinstance(found, Refusal), (self.log[-12:], station, body, found)
        return found

    def attempt(self, station: str, body: Any) -> tuple[ev.AnyEvent, ...] | Refusal:
        if hasattr(self, "log"):
            self.log.append(f"{self.table.now} {station} {body}")
            self.count[type(body).__name__] += 1
        sent = msgspec.json.decode(msgspec.json.encode(body), type=cmd.StationAct)
        command = Command(id="0" * 32, table="t", station=station, body=sent)
        found = self.table.do(station, fill_in(self.table.state, command).body)
        self.answer_mates()
        return found

    def answer_mates(self) -> None:
        """Whether a side can ever mate is answered at once, as the oracle has it."""
        while self.table.state.ending.mate_questions:
            question = self.table.state.ending.mate_questions[0]
            able = self.oracle.has_mating_men(question.seat is Seat.WHITE)
            verdict = {True: "yes", False: "no", None: "unknown"}[able]
            self.table.own(cmd.NoteMateAnswer(number=question.number, verdict=verdict))  # type: ignore[arg-type]

    def wait(self, most_ms: int) -> None:
        self.table.wait(self.draw.randint(0, most_ms))

    # What must hold after every act

    def check(self) -> None:
        state, oracle, now = self.table.state, self.oracle, self.table.now
        why = self.log[-14:]
        line = tuple(state.moves.line[: state.made_plies])
        assert line == oracle.line, why
        position = state.position
        assert position is not None and position.placement == oracle.board.board_fen(), why
        assert (position.turn is Seat.WHITE) is oracle.board.turn, why
        assert position.board().castling_rights == oracle.board.clean_castling_rights(), why
        running = state.time.clock.running
        assert (None if running is None else running is Seat.WHITE) == oracle.clock.running, why
        for colour in COLOURS:
            left = state.time.clock.remaining(seat_of(colour), now)
            assert left == oracle.clock.remaining(colour, now), (colour, left, oracle.clock.remaining(colour, now), why)
        assert state.ending.result == oracle.result, why
        offer = None if state.draws.offer_by is None else state.draws.offer_by is Seat.WHITE
        assert offer == oracle.offer_by or oracle.result is not None, (offer, oracle.offer_by, why)
        for colour in COLOURS:
            cells = self.oracle.cells[colour]
            for ply, move in cells.items():
                cell = state.scores.cell(seat_of(colour), ply)
                if move is None:
                    assert cell is None, (ply, cell, why)
                elif ply <= oracle.plies and (cell is None or self.read.get((colour, ply)) != (move, cell.text)):
                    assert cell is not None and oracle.is_written(cell.text, ply, move), (ply, move, cell, why)
                    if self.tactile[colour] and self.mover_of(ply) is colour:  # 8.1.2: an offer is marked
                        assert ("(=)" in cell.text) is (ply in self.offered), (ply, cell, why)
                    self.read[colour, ply] = (move, cell.text)

    def mover_of(self, ply: int) -> bool:
        """Who makes a ply."""
        return self.oracle.board.turn if (self.oracle.plies - ply) % 2 else not self.oracle.board.turn

    # What the players do

    def choose(self) -> chess.Move:
        """A legal move: often back where one came from, so that positions recur; a promotion where there is one."""
        board = self.oracle.board
        legal = list(board.legal_moves)
        if len(board.move_stack) >= 2 and self.draw.random() < 0.35:
            last = board.move_stack[-2]
            back = chess.Move(last.to_square, last.from_square)
            if back in legal:
                return back
        special = [move for move in legal if move.promotion or board.is_castling(move) or board.is_en_passant(move)]
        return self.draw.choice(special if special and self.draw.random() < 0.5 else legal)

    def ply(self) -> None:
        """One move, from thinking to the opponent's echo."""
        self.began = len(self.table.events)
        colour = self.oracle.board.turn
        station = seat_of(colour).value
        self.wait(9_000)
        if self.flag_falls(colour):
            return
        move = self.choose()
        by_voice = self.tactile[colour] or (not self.relay and self.draw.random() < 0.6)
        if by_voice:
            self.announce(station, colour, move)
            self.wait(3_000)
            if self.flag_falls(colour):
                return
        else:
            if not self.relay and self.draw.random() < 0.3:  # said, and then made on the screen: one announcement
                words = spoken_in(self.oracle.board, move)
                self.act(station, cmd.Say(announcement=words, act="announce"))
            self.act(station, cmd.EnterMove(uci=move.uci()))
            self.oracle.make(move)
            self.check()
        if self.draw.random() < 0.07 and self.oracle.offer_by is None:
            self.act(station, cmd.OfferDraw())
            self.oracle.offer_by = colour
            self.offered.add(self.oracle.plies + (1 if by_voice else 0))
        self.wait(2_000)
        if self.flag_falls(colour):
            return
        self.act(station, cmd.Press())
        if by_voice:
            self.oracle.make(move)
        self.oracle.press(self.table.now)
        if self.tactile[colour]:
            self.write(colour, self.oracle.plies, move)
        self.check()
        self.look_at_the_end()
        if self.oracle.result is None:
            self.echo(move)
            self.write_by_hand(move)

    def announce(self, station: str, colour: bool, move: chess.Move) -> None:
        """The move as its player says it, sometimes after another one that they take back."""
        board = self.oracle.board
        if self.draw.random() < 0.08:
            other = self.draw.choice(list(board.legal_moves))
            self.act(station, cmd.Say(announcement=spoken_in(board, other), act="announce"))
            self.count["another said first"] += other != move
            self.wait(1_500)
        self.act(station, cmd.Say(announcement=spoken_in(board, move), act="announce"))
        self.check()

    def echo(self, move: chess.Move) -> None:
        """The opponent says the move back: to a tactile player that is the entry in the score too."""
        colour = self.oracle.board.turn
        if self.draw.random() < (0.9 if self.tactile[colour] else 0.4):
            before = self.oracle.boards[-2]
            self.wait(2_000)
            if self.flag_falls(colour):
                return
            if self.tactile[colour] or not self.relay:
                self.act(seat_of(colour).value, cmd.Say(announcement=spoken_in(before, move), act="echo"))
            if self.tactile[colour]:
                self.write(colour, self.oracle.plies, move)
        self.check()

    def write(self, colour: bool, ply: int, move: chess.Move) -> None:
        self.oracle.cells[colour][ply] = move

    def write_by_hand(self, move: chess.Move) -> None:
        """Who keeps the score at a station types what was played."""
        for colour in COLOURS:
            if not self.tactile[colour] and self.draw.random() < 0.8:
                body = cmd.WriteScore(index=self.oracle.plies, text=self.oracle.boards[-2].san(move))
                self.act(seat_of(colour).value, body)
                self.write(colour, self.oracle.plies, move)
        self.check()

    # How a game ends, or goes on otherwise

    def look_at_the_end(self) -> None:
        """What ends the game on the board is told to the arbiter, and nothing else is; the arbiter rules."""
        told = {one.kind for one in self.table.events[self.began :] if isinstance(one, ev.Alerted)} & ENDS
        ends = self.oracle.ends()
        if ends is None and told == {"dead_position"}:
            assert self.oracle.is_dead(4), self.log[-12:]
            ends = "dead_position", "1/2-1/2"
        if ends is None:
            assert not told, (told, self.log[-12:])
            return
        assert ends[0] in told, (ends, self.log[-12:])
        self.count[ends[0]] += 1
        self.finish(ends[1], ends[0])

    def finish(self, result: str, reason: str) -> None:
        self.oracle.clock.stop(self.table.now)
        self.act("arbiter", cmd.RuleResult(result=result, reason=reason))  # type: ignore[arg-type]
        self.oracle.result = result
        self.check()

    def flag_falls(self, colour: bool) -> bool:
        """Now and then the player on move thinks until the time is over; the arbiter calls the flag (6.8, 6.9)."""
        if self.draw.random() < 0.003:
            self.table.wait(self.oracle.clock.remaining(colour, self.table.now) + self.draw.randint(1, 500))
        over = self.table.now + self.oracle.clock.remaining(colour, self.table.now)
        if over > self.table.now:
            return False
        events = self.table.own(cmd.NoteInstant())
        fallen = [*only(self.table.events, ev.FlagFell)]
        assert fallen and (fallen[-1].seat, fallen[-1].at) == (seat_of(colour), over), (
            fallen,
            over,
            self.log[-8:],
            events,
        )
        self.act("arbiter", cmd.CallFlag(seat=seat_of(colour)))
        result = self.oracle.loses(colour)
        self.oracle.clock.stop(self.table.now)
        self.act("arbiter", cmd.RuleResult(result=result or "1/2-1/2", reason="flag"))  # type: ignore[arg-type]
        self.oracle.result = result or "1/2-1/2"
        self.check()
        return True

    def between(self) -> None:
        """What happens between two moves."""
        chance = self.draw.random()
        colour = self.oracle.board.turn
        station = seat_of(colour).value
        if self.oracle.offer_by is (not colour) and self.draw.random() < 0.5:
            accepts = self.draw.random() < 0.3
            if accepts and self.oracle.plies < 2:  # 5.2.3: only once both have made a move
                refused = self.attempt(station, cmd.AnswerDraw(accept=True))
                assert isinstance(refused, Refusal) and refused.article == "5.2.3", refused
                return
            self.act(station, cmd.AnswerDraw(accept=accepts))
            self.oracle.offer_by = None
            self.count["accepted" if accepts else "declined"] += 1
            if accepts:
                self.oracle.clock.stop(self.table.now)
                self.oracle.result = "1/2-1/2"
        elif chance < 0.05 or (chance < 0.3 and self.oracle.claim_holds("repetition")):
            self.claim(colour, "repetition")
        elif chance < 0.06 or (chance < 0.3 and self.oracle.claim_holds("fifty_moves")):
            self.claim(colour, "fifty_moves")
        elif chance < 0.10 and self.oracle.plies:
            self.take_back()
        elif chance < 0.13:
            self.act("arbiter", cmd.Pause())
            self.oracle.clock.stop(self.table.now)
            self.check()
            self.wait(60_000)
            self.check()
            self.act("arbiter", cmd.Resume())
            self.oracle.clock.start(colour, self.table.now)
        elif chance < 0.16:  # 6.2.1: who has pressed already presses again, and nothing comes of it
            self.act(seat_of(not colour).value, cmd.Press())
        elif chance < 0.172:
            self.resign(self.draw.choice(COLOURS))
        self.check()

    def claim(self, colour: bool, kind: str) -> None:
        """The player on move claims a draw; the arbiter rules as the oracle finds (9.2, 9.3, 9.5)."""
        events = self.act(seat_of(colour).value, cmd.ClaimDraw(kind=kind))  # type: ignore[arg-type]
        assert only(events, ev.DrawClaimed), (kind, events, self.log[-8:])
        self.oracle.clock.stop(self.table.now)
        holds = self.oracle.claim_holds(kind)
        if kind == "repetition":
            positions = self.table.state.moves.positions
            found = repetition_claim(tuple(one for one in positions if one), self.table.state.table.rules)
            assert found.right is holds, (found, self.log[-8:])
        self.wait(20_000)
        self.count[f"{kind} {'holds' if holds else 'does not hold'}"] += 1
        if holds:
            self.act("arbiter", cmd.RuleClaim(ruling="correct"))
            self.oracle.result = "1/2-1/2"
            return
        self.act("arbiter", cmd.RuleClaim(ruling="wrong"))
        self.oracle.give(not colour, WRONG_CLAIM_MS[pace_of(self.oracle.periods)])
        if self.oracle.offer_by is None:
            self.oracle.offer_by = colour  # a claim is an offer too (9.1.2.3)
        self.check()
        self.act("arbiter", cmd.Resume())
        self.oracle.clock.start(colour, self.table.now)

    def take_back(self) -> None:
        """The arbiter takes moves back (7.1): the line, the times, whose time runs; the scores stay as written."""
        ply = max(0, self.oracle.plies - self.draw.randint(1, 4))
        stored = self.draw.random() < 0.6
        self.act("arbiter", cmd.RestoreTo(ply=ply, times="stored" if stored else "leave"))
        self.oracle.take_back(ply, self.table.now, stored=stored)
        self.offered = {one for one in self.offered if one <= ply}
        self.check()
        self.wait(10_000)
        self.act("arbiter", cmd.Resume())
        self.oracle.clock.start(self.oracle.board.turn, self.table.now)

    def resign(self, colour: bool) -> None:
        """A player resigns (5.1.2): lost, unless the opponent cannot mate."""
        self.act(seat_of(colour).value, cmd.Resign())
        result = self.oracle.loses(colour)
        self.oracle.clock.stop(self.table.now)
        found = self.table.state.ending.result
        if result is None:  # whether the opponent could mate is not known: the arbiter is told, and rules
            assert "resigned" in {one.kind for one in only(self.table.events, ev.Alerted)}, self.log[-8:]
            assert found is None
            found = "1/2-1/2"
            self.act("arbiter", cmd.RuleResult(result=found, reason="resigned"))  # type: ignore[arg-type]
        self.oracle.result = found if result is None else result

    def play(self) -> None:
        """The whole of it."""
        self.check()
        while self.oracle.result is None and self.oracle.plies < MOST_PLIES:
            if self.draw.random() < 0.3:
                self.between()
            if self.oracle.result is None:
                self.ply()
        if self.oracle.result is None:
            self.finish("1/2-1/2", "agreed")


SAMPLE, EVERY = 24, 500
PARTS = 10
# What must come about in the sample at least once, so that it is not empty.
COMES_ABOUT = {
    *(
        "Say",
        "EnterMove",
        "Press",
        "WriteScore",
        "OfferDraw",
        "accepted",
        "declined",
        "ClaimDraw",
        "RestoreTo",
        "Pause",
    ),
    *("CallFlag", "Resign", "relay", "another said first", "repetition holds", "repetition does not hold"),
    *("fifty_moves does not hold", "dead_position"),
}


def played(seeds: range) -> Counter[str]:
    """How often each thing came about in these games."""
    count: Counter[str] = Counter()
    for seed in seeds:
        game = WholeGame(seed)
        game.play()
        count += game.count
    return count


@pytest.mark.law("L048", "L058", "L074", "L100", "L104", "L109", "L182")
def test_whole_games_are_as_the_oracle_has_them() -> None:
    count = played(range(SAMPLE))
    assert COMES_ABOUT - set(count) == set(), count


@pytest.mark.thorough
@pytest.mark.law("L048", "L058", "L074", "L100", "L104", "L109", "L182")
@pytest.mark.parametrize("part", range(PARTS))
def test_five_hundred_whole_games_are_as_the_oracle_has_them(part: int) -> None:
    assert played(range(SAMPLE + part, SAMPLE + EVERY, PARTS))
