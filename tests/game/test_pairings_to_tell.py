"""Which pairing a player's device is told of, when, and that nobody else hears it (11.3.1)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game.acts import PROGRAM, Answered, PairingTold, Refusal
from server.game.decide.set_up.pairing import pairing_asked, pairing_of, pairings_to_tell
from server.game.state.state import GameState
from server.game.state.table import NextGame
from server.game.values.pairing import OwnPairing
from server.game.values.words import Role, Seat, SeatKind, SeatPlan, Station
from tests.game.core_table import CoreTable, only

WHITE, BLACK = Seat.WHITE, Seat.BLACK
PHONE, TABLET, DISPLAY = Station("w", Role.PLAYER, WHITE), Station("b", Role.PLAYER, BLACK), Station("d", Role.DISPLAY)


def state_of(
    white: str = "Anna", black: str = "Bela", *devices: Station, over: bool = False, **table: Any
) -> GameState:
    """A table of round 2 on board 4 at 15:00, not started; `over`: its game has ended."""
    bare = GameState()
    seats = {"white": SeatPlan(SeatKind.TACTILE, white, "de"), "black": SeatPlan(SeatKind.SIGHTED, black, "en")}
    where = {"round": "2", "board_number": 4, "starts": "15:00", "way": "Upstairs.", "event_name": "Open"}
    return replace(
        bare,
        table=replace(bare.table, **seats, **where | {"started": over} | table),
        stations=replace(bare.stations, admitted=devices),
        ending=replace(bare.ending, result="1-0" if over else None),
    )


def told(**states: GameState) -> list[tuple[str, str, str, str]]:
    """Where each device is told, which device, and of which table and opponent."""
    return [(place, station.id, one.table, one.opponent) for place, station, one in pairings_to_tell(states)]


def knows(state: GameState, station: str, pairing: OwnPairing) -> GameState:
    return replace(state, stations=replace(state.stations, pairings=((station, pairing),)))


def test_a_pairing_says_where_against_whom_and_when() -> None:
    assert pairing_of("t7", state_of(), BLACK) == OwnPairing(
        table="t7", round="2", board=4, seat=BLACK, opponent="Anna", starts="15:00", way="Upstairs."
    )


def test_each_players_device_at_a_table_that_has_not_begun_is_told_once() -> None:
    state = state_of("Anna", "Bela", PHONE, DISPLAY, TABLET)
    assert told(t1=state) == [("t1", "w", "t1", "Bela"), ("t1", "b", "t1", "Anna")]
    assert told(t1=knows(state, "w", pairing_of("t1", state, WHITE))) == [("t1", "b", "t1", "Anna")]
    assert told(t1=knows(state, "w", pairing_of("t1", state_of(starts="16:00"), WHITE)))[0] == ("t1", "w", "t1", "Bela")


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(state_of("Anna", "Bela", PHONE, round=""), id="a table of no round"),
        pytest.param(state_of("Anna", "Bela", PHONE, started=True), id="a game under way"),
        pytest.param(state_of("Anna", "Bela", DISPLAY, Station("a", Role.ARBITER)), id="no player's device"),
        pytest.param(state_of("Anna", "Bela", Station("w", Role.PLAYER, None)), id="a device of no seat"),
        pytest.param(state_of("Anna", "Bela", PHONE, next_game=NextGame("t2", False, True)), id="played once more"),
        pytest.param(state_of("Anna", "Bela", PHONE, over=True), id="a game that is over, and no next round"),
    ],
)
def test_these_are_told_nothing(state: GameState) -> None:
    assert told(t1=state) == []


def test_after_a_game_its_players_are_told_of_the_next_round_where_their_names_stand_once() -> None:
    ended = state_of("Anna", "Bela", PHONE, TABLET, over=True)
    coming = state_of("Cesar", "Anna", round="3")
    assert told(t1=ended, t9=coming) == [("t1", "w", "t9", "Cesar")]
    assert told(t1=ended, t9=replace(coming, table=replace(coming.table, event_name="Other"))) == []
    assert told(t1=ended, t9=coming, t10=state_of("Anna", "Dora", round="3")) == [], "two of that name"
    assert told(t1=state_of("", "Bela", PHONE, over=True), t9=state_of("", "Dora", round="3")) == [], "no name"
    for begun in ({"started": True}, {"over": True}, {"round": ""}):
        assert told(t1=ended, t9=state_of("Cesar", "Anna", **{"round": "3"} | begun)) == []


def test_who_asks_hears_of_this_table_and_after_the_game_of_what_was_told() -> None:
    before, after = state_of("Anna", "Bela", PHONE), state_of("Anna", "Bela", PHONE, over=True)
    assert pairing_asked(before, WHITE, PHONE) == pairing_of("", before, WHITE)
    assert pairing_asked(after, WHITE, PHONE) is None and pairing_asked(after, WHITE, None) is None
    following = pairing_of("t9", state_of("Anna", "Dora", round="3"), WHITE)
    assert pairing_asked(knows(after, "w", following), WHITE, PHONE) == following
    assert pairing_asked(knows(after, "w", pairing_of("t1", after, WHITE)), WHITE, PHONE) is None, "of this round"
    table = CoreTable(started=False)
    for what, pairing in (("pairing", pairing_of("", table.state, WHITE)), ("clock", None)):
        (event,) = only(table.done("white", cmd.Ask(what=what)), Answered)  # type: ignore[arg-type]
        assert event.pairing == pairing


@pytest.mark.law("L134")
def test_telling_is_recorded_once_and_says_whether_it_replaces_what_was_told() -> None:
    table = CoreTable(started=False)
    first = OwnPairing(table="t1", round="2", board=4, seat=WHITE, opponent="Bela")
    for pairing, changed in ((first, False), (replace(first, board=5), True), (replace(first, round="3"), False)):
        (event,) = only(table.own(cmd.TellPairing(station="white", pairing=pairing)), PairingTold)
        assert (event.station, event.pairing, event.changed) == ("white", pairing, changed)
        assert not only(table.own(cmd.TellPairing(station="white", pairing=pairing)), PairingTold)
    blacks = replace(first, seat=BLACK)
    table.own(cmd.TellPairing(station="black", pairing=blacks))
    assert sorted(table.state.stations.pairings, key=str) == [("black", blacks), ("white", replace(first, round="3"))]
    for station in ("arbiter", "nobody"):
        refused = table.do(PROGRAM, cmd.TellPairing(station=station, pairing=first))
        assert refused == Refusal("pairing_not_now", "11.3.1")


@pytest.mark.law("L134")
def test_a_pairing_is_changed_before_the_game_and_not_under_a_players_device() -> None:
    change = cmd.ChangePairing(white="Cesar", black="", board=7, starts="16:00", way="Downstairs.")
    table = CoreTable(started=False, stations=(BLACK,))
    table.own(change)
    plan = table.state.table
    assert (plan.white.name, plan.black.name, plan.board_number, plan.starts, plan.way) == (
        "Cesar", "", 7, "16:00", "Downstairs.",
    )  # fmt: skip
    table.own(cmd.Admit(station="white", role=Role.PLAYER, seat=WHITE))
    assert table.do(PROGRAM, replace(change, board=8)) != Refusal("pairing_has_device", "11.3.2"), "the names stay"
    for other in (replace(change, white="Dora"), replace(change, black="Dora")):
        assert table.do(PROGRAM, other) == Refusal("pairing_has_device", "11.3.2")
    table.done("arbiter", cmd.StartGame())
    assert table.do(PROGRAM, change) == Refusal("pairing_before_start", "6.6")


def test_a_device_is_told_before_and_after_its_game_and_never_during_it() -> None:
    pairing = OwnPairing(table="t2", round="3", board=1, seat=WHITE, opponent="Cora", starts="", way="")
    tells = cmd.TellPairing(station="white", pairing=pairing)
    before, during, after = CoreTable(started=False), CoreTable(), CoreTable()
    after.done("arbiter", cmd.RuleResult(result="1-0", reason="agreed"))
    assert only(before.own(tells), PairingTold) and only(after.own(tells), PairingTold)
    assert during.do(PROGRAM, tells) == Refusal("pairing_not_now", "11.3.1")
