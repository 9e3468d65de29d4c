"""The new game in place of a cancelled one, event by event: what is taken over, and what begins anew (7.2.1, 7.3)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import PROGRAM, Refusal
from server.game.decide.rulings.next_game import beginning, seat_in_next
from server.game.game import Game
from server.game.state.state import GameState
from server.game.state.stations import SpectatorsChoice
from server.game.state.table import NextGame
from server.game.values.words import (
    ArbiterEar,
    Boards,
    Duty,
    EarChoice,
    HeadsetCheck,
    Mode,
    PressKeys,
    Role,
    Seat,
    SeatKind,
    SeatPlan,
    SeatSound,
    SoundDevices,
    Station,
    Talking,
)
from tests.game.core_table import CoreTable, altered

W, B = Seat.WHITE, Seat.BLACK
T = 1_000
LATER = 90_000
OWN = HeadsetCheck("white", True, -60.0, 5)
DEVICE = HeadsetCheck("device-white", True, -50.0, 6)


def test_the_arbiter_cancels_a_game_that_was_begun_and_orders_the_next() -> None:
    table = CoreTable(started=False)
    ordered = cmd.CancelGame(table="t2", exchanged=True, reason="a bishop stood wrong", article="7.3")
    assert table.do("arbiter", ordered) == Refusal("not_started", "6.6")
    table.done("arbiter", cmd.StartGame())
    assert table.done("arbiter", ordered) == (
        ev.GameEnded(at=T, result="*", reason="cancelled", article="7.3"),
        ev.NextGameOrdered(at=T, table="t2", exchanged=True, reason="a bishop stood wrong"),
    )
    assert table.state.table.next_game == NextGame("t2", exchanged=True)
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L075")
@pytest.mark.parametrize("exchanged", [True, False])
@pytest.mark.parametrize("name", ["", "t3"])
def test_the_new_table_stands_open_once_under_its_own_name(exchanged: bool, name: str) -> None:
    table = CoreTable()
    assert table.do(PROGRAM, cmd.NoteNextGame(table="t3")) == Refusal("no_such_ply", "7.2.1")
    table.done("arbiter", cmd.CancelGame(table="t2", exchanged=exchanged))
    opened = ev.NextGameOpened(at=T, table=name or "t2", exchanged=exchanged)
    assert table.own(cmd.NoteNextGame(table=name)) == (opened,)
    assert table.state.table.next_game == NextGame(name or "t2", exchanged=exchanged, open=True)
    assert table.do(PROGRAM, cmd.NoteNextGame(table=name)) == Refusal("no_such_ply", "7.2.1")


def cancelled(*, exchanged: bool, started: bool = True) -> GameState:
    """A table at which everything is chosen that can be, cancelled by the arbiter."""
    table = CoreTable(fen="4k3/8/8/8/8/8/8/R3K3 b Q - 3 9", started=False)
    table.own(cmd.Admit(station="helper", role=Role.ASSISTANT, seat=W, duties=(Duty.EXECUTE,), provided_by="organiser"))
    table.own(cmd.Admit(station="display", role=Role.DISPLAY))
    table.own(cmd.Admit(station="device-white", role=Role.PLAYER, seat=W))
    table.adapt("machine_announces")
    table.done("arbiter", cmd.RegisterDevice(device="phone", approved=False))
    table.done("arbiter", cmd.StartGame())
    table.wait(5_000)
    table.done("arbiter", cmd.CancelGame(table="t2", exchanged=exchanged))
    articles = {"2.": "pieces", "D.1": "adaptations", "6.": "clock", "D.2.6": "spoken", "": "no article at all"}
    checklist = tuple(
        replace(table.state.table.checklist[0], name=name, article=f"{article}2" if article[-1:] == "." else article)
        for article, name in articles.items()
    )
    ticks = tuple(
        ev.ChecklistTicked(at=3, item=name, seat=seat, ok=True)
        for name, seat in (*((name, W) for name in articles.values()), ("clock", None), ("unknown", B))
    )
    return altered(
        table.state,
        {
            "table.white": SeatPlan(SeatKind.TACTILE, name="Anna"),
            "table.black": SeatPlan(SeatKind.SIGHTED, name="Hector"),
            "table.rated": False,
            "table.training": True,
            "table.event_name": "Cup",
            "table.round": "3",
            "table.board_number": 2,
            "table.boards": Boards.ONE,
            "table.checklist": checklist,
            "table.ticks": ticks,
            "table.mode": Mode.RELAY,
            "time.cues": (ev.CuesAsked(at=4, seat=W, at_s=(60,), countdown="off"),),
            "sound.seats": (
                SeatSound(
                    Talking.TOGGLED, True, SoundDevices("mic", "phones"), "voice-1", EarChoice(speed=140), (OWN, DEVICE)
                ),
                SeatSound(),
            ),
            "stations.display_delays": (("display", 300),),
            "stations.spectators": SpectatorsChoice(show=True, delay_s=900),
            "sound.room": "hu",
            "sound.arbiter_ears": (ArbiterEar("arbiter", "en"),),
            "stations.press_keys": PressKeys("display", "F1", "F2"),
        },
    )


@pytest.mark.law("L075", "L077")
@pytest.mark.parametrize("exchanged", [True, False])
def test_the_new_table_begins_with_everything_that_was_chosen_and_nothing_that_was_played(exchanged: bool) -> None:
    """With colours exchanged each player takes devices, ticks, cues and sound to the other side."""
    old = cancelled(exchanged=exchanged)
    white, black = (B, W) if exchanged else (W, B)  # where the players of White and of Black go
    plans = (old.table.black, old.table.white) if exchanged else (old.table.white, old.table.black)
    assert old.table.begun is not None
    start, control = old.table.begun
    at = LATER
    same = {one.name: one for one in old.table.adaptations}
    keys: list[ev.AnyEvent] = [
        ev.PressKeysAsked(at=at, where="display"),
        ev.PressKeysTold(at=at, where="display", white="F1", black="F2"),
    ]
    expected: list[ev.AnyEvent] = [
        ev.TableOpened(
            at=at, white=plans[0], black=plans[1], start_fen="4k3/8/8/8/8/8/8/R3K3 b Q - 3 9", control=control,
            rated=False, clock_master=old.time.clock_master, rule_set="fide2023", chess960=False, event_name="Cup",
            round="3", board=2, regulations=old.table.regulations, rules=old.table.rules,
            adaptations=old.table.known_adaptations,
            boards=Boards.ONE, checklist=old.table.checklist, training=True, follows="t1",
        ),
        ev.StationAdmitted(at=at, station="white", role=Role.PLAYER, seat=white),
        ev.StationAdmitted(at=at, station="black", role=Role.PLAYER, seat=black),
        ev.StationAdmitted(at=at, station="arbiter", role=Role.ARBITER, seat=None),
        ev.StationAdmitted(at=at, station="helper", role=Role.ASSISTANT, seat=white, duties=(Duty.EXECUTE,),
                           provided_by="organiser"),
        ev.StationAdmitted(at=at, station="display", role=Role.DISPLAY, seat=None),
        replace(same["sighted_press_without_announcement"], at=at),
        replace(same["machine_announces"], at=at),
        ev.DeviceRegistered(at=at, device="phone", seat=None, approved=False, note="", after_start=False),
        ev.ModeChanged(at=at, mode=Mode.RELAY),
        ev.ChecklistTicked(at=at, item="clock", seat=white, ok=True),
        ev.ChecklistTicked(at=at, item="spoken", seat=white, ok=True),
        ev.ChecklistTicked(at=at, item="no article at all", seat=white, ok=True),
        ev.ChecklistTicked(at=at, item="clock", seat=None, ok=True),
        ev.ChecklistTicked(at=at, item="unknown", seat=black, ok=True),
        ev.VoiceActivityPermitted(at=at, seat=white, granted=True),
        ev.TalkingChosen(at=at, seat=white, talking=Talking.TOGGLED),
        ev.EarChosen(at=at, seat=white, ear=EarChoice(speed=140)),
        ev.DevicesChosen(at=at, seat=white, devices=SoundDevices("mic", "phones")),
        ev.VoiceBound(at=at, seat=white, profile="voice-1"),
        ev.HeadsetChecked(at=at, seat=white, found=OWN),
        ev.CuesAsked(at=at, seat=white, at_s=(60,), countdown="off"),
        ev.DisplayDelayed(at=at, station="display", delay_s=300),
        ev.ShownToSpectators(at=at, show=True, delay_s=900),
        ev.RoomAllowed(at=at, allowed=True, language="hu"),
        ev.AlertsChosen(at=at, station="arbiter", spoken=True, language="en"),
        *([] if exchanged else keys),
    ]  # fmt: skip
    assert start.fen == "4k3/8/8/8/8/8/8/R3K3 b Q - 3 9"
    assert beginning("t1", old, at) == tuple(expected)
    new = Game.replay(list(expected))
    assert (
        not new.table.started
        and new.table.follows == "t1"
        and new.time.clock.reading(0).white_ms == new.time.clock.reading(0).black_ms
    )


@pytest.mark.law("L075")
def test_where_nothing_was_chosen_only_the_table_and_its_stations_are_there() -> None:
    table = CoreTable(answered=False, white=SeatKind.SIGHTED)
    table.done("arbiter", cmd.CancelGame(table="t2"))
    assert [type(one) for one in beginning("t1", table.state, LATER)] == [ev.TableOpened, *[ev.StationAdmitted] * 3]
    learning = altered(table.state, {"stations.press_keys": PressKeys("display", learning=True)})
    assert beginning("t1", learning, LATER)[-1] == ev.PressKeysAsked(at=LATER, where="display")
    at_a_player = altered(table.state, {"stations.press_keys": PressKeys("white", "F1", "F2")})  # of an earlier record
    assert [type(one) for one in beginning("t1", at_a_player, LATER)] == [ev.TableOpened, *[ev.StationAdmitted] * 3]


@pytest.mark.law("L077")
@pytest.mark.parametrize(
    ("ordered", "seat"), [(None, W), (NextGame("t2", exchanged=False), W), (NextGame("t2", exchanged=True), B)]
)
def test_on_which_side_a_station_is_at_the_new_table(ordered: NextGame | None, seat: Seat) -> None:
    state = altered(CoreTable().state, {"table.next_game": ordered})
    assert seat_in_next(state, Station("white", Role.PLAYER, W)) is seat
    assert seat_in_next(state, Station("black", Role.PLAYER, B)) is seat.other
    assert seat_in_next(state, Station("display", Role.DISPLAY)) is None
