"""A player is told on their own device where they play: once, in their language, by ear, as text and in braille."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game.values.words import Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.hall.event_profile import EventProfile
from server.hall.foreign_files.pairings import read_pairings
from server.hall.hall import Hall
from server.hall.rounds import Player, Wanted, open_round
from server.machine.clock import ScriptedClock
from server.protocol import Numbered
from tests.table.open_hall import Ear, Played, WrittenEars, WrittenVoice, reopened, turn

PROFILE = EventProfile(
    name="Open",
    language="de",
    starts={"1": "10:00", "2": "15:00"},
    ways={"3": "Zweite Tür links, erster Tisch."},
    adaptations={"sighted_press_without_announcement": "note"},
)
FIRST = "Runde 1. Brett 1. Sie haben Weiß gegen Hector Horn. Beginn: 10:00 Uhr."
SECOND = "Runde 2. Brett 3. Sie haben Schwarz gegen Cesar Coe. Beginn: 15:00 Uhr. Zweite Tür links, erster Tisch."


def round_one() -> tuple[Wanted, ...]:
    anna = Player(name="Anna Fried", kind=SeatKind.TACTILE)
    other = Wanted(name="r1-b2", white=Player(name="Bela Nagy"), black=Player(name="Cesar Coe"), round=1, board=2)
    return Wanted(name="r1-b1", white=anna, black=Player(name="Hector Horn"), round=1, board=1), other


def round_two() -> tuple[Wanted, ...]:
    anna = Player(name="Anna Fried", kind=SeatKind.TACTILE)
    return (Wanted(name="r2-b3", white=Player(name="Cesar Coe"), black=anna, round=2, board=3),)


async def at_the_table(hall: Hall, clock: ScriptedClock, table: str, seat: Seat) -> Played:
    """The player's device and the arbiter's at one table."""
    game = Played(hall, clock, hall.table(table))
    for station in (Station("player", Role.PLAYER, seat), Station("arbiter", Role.ARBITER)):
        assert (await game.table.admit(station)).outcome.ok
        game.attach(station.id)
    return game


def told(ear: Ear) -> list[str]:
    return [" ".join(one.lines) for one in ear.received if isinstance(one, Numbered) and of_pairing(one.message)]


def of_pairing(message: msg.AnyMessage) -> bool:
    return isinstance(message, msg.PairingShown) or (isinstance(message, msg.AnswerGiven) and message.what == "pairing")


@pytest.mark.law("L203", "L205")
async def test_told_once_and_again_when_it_changes_and_whenever_asked(tmp_path: Path) -> None:
    async with reopened(tmp_path, ears=WrittenEars(), voice=WrittenVoice()) as (hall, clock):
        await open_round(hall, round_one(), PROFILE)
        game = await at_the_table(hall, clock, "r1-b1", Seat.WHITE)
        ear = game.ears["player"]
        await turn(lambda: bool(told(ear)))
        await game.told()
        assert told(ear) == [FIRST] and " ".join(one.text for one in ear.sounds) == FIRST
        lines = next(one.lines for one in ear.received if isinstance(one, Numbered) and of_pairing(one.message))
        assert len(lines) > 1 and all(len(line) <= 40 for line in lines), "for a display of forty cells"
        await game.speak("player", "wo spiele ich")
        await game.told()
        assert told(ear) == [FIRST, FIRST]
        later = cmd.ChangePairing(white="Anna Fried", black="Eva Ember", board=1, starts="10:30")
        for _ in range(2):  # the same once more is no change
            await game.table.own(game.table.program_command(later))
        await turn(lambda: len(told(ear)) == 3)
        await game.told()
        assert told(ear)[2] == (
            "Ihre Paarung hat sich geändert. Runde 1. Brett 1. Sie haben Weiß gegen Eva Ember. Beginn: 10:30 Uhr."
        )
        other = cmd.ChangePairing(white="Bela Nagy", black="Eva Ember", board=1)
        refused = await game.table.own(game.table.program_command(other))
        assert refused.outcome.code == "pairing_has_device", "the device of the one before would hear it"


@pytest.mark.law("L141")
async def test_while_a_game_is_under_way_nothing_is_told_of_the_next_board(tmp_path: Path) -> None:
    async with reopened(tmp_path, ears=WrittenEars(), voice=WrittenVoice()) as (hall, clock):
        await open_round(hall, round_one(), PROFILE)
        game = await at_the_table(hall, clock, "r1-b1", Seat.WHITE)
        ear = game.ears["player"]
        await turn(lambda: bool(told(ear)))
        await game.done("arbiter", cmd.StartGame())
        await open_round(hall, round_two(), PROFILE)
        await game.speak("player", "wo spiele ich")
        assert told(ear) == [FIRST, FIRST], "of the own game, which is known"
        late = await game.table.own(game.table.program_command(cmd.ChangePairing(white="a", black="b", board=1)))
        assert late.outcome.code == "pairing_before_start"
        await game.done("arbiter", cmd.RuleResult(result="1-0", reason="resignation"))
        await turn(lambda: len(told(ear)) == 3)
        assert told(ear)[2] == SECOND
        await game.speak("player", "wo spiele ich")
        assert told(ear)[3] == SECOND
    async with reopened(tmp_path) as (hall, _):
        assert hall.table("r1-b1").state.stations.pairing_told("player") is not None
        again = await hall.journal.record("r1-b1")
        assert sum(b'"pairing_told"' in one.body for one in again[0]) == 2, "not told again after a restart"


async def test_after_the_game_and_before_the_next_round_there_is_nothing_yet(tmp_path: Path) -> None:
    async with reopened(tmp_path, ears=WrittenEars(), voice=WrittenVoice()) as (hall, clock):
        await open_round(hall, round_one(), PROFILE)
        game = await at_the_table(hall, clock, "r1-b1", Seat.WHITE)
        await game.done("arbiter", cmd.RuleResult(result="1-0", reason="forfeit"))
        await game.speak("player", "wo spiele ich")
        assert told(game.ears["player"])[-1] == "Die nächste Runde ist noch nicht ausgelost."


def test_the_time_and_the_way_come_from_the_round_file() -> None:
    text = '[White "A"]\n[Black "B"]\n[Round "5.3"]\n[Time "15:00:00"]\n[Way "Hall 2,  by the window"]\n'
    (found,) = read_pairings(text)
    assert (found.starts, found.way) == ("15:00", "Hall 2, by the window")
