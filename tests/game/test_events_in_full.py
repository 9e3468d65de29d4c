"""What a command brings about, whole: every field of its events, and who is told what of it and who nothing."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import PROGRAM, Refusal
from server.game.values.saying import saying
from server.game.values.time_control import TimeControl
from server.game.values.words import (
    ArbiterEar,
    ClockMaster,
    Duty,
    EarChoice,
    HeadsetCheck,
    Mode,
    PressKeys,
    Role,
    Seat,
    SeatKind,
    SoundDevices,
    Talking,
)
from server.game.views import messages as msg
from server.game.views.displays import delay_of, display_greeting, is_held_back, longest_delay
from server.game.views.held_times import HeldTimes, held_times
from server.game.views.messages import PressKeysShown, SoundShown
from server.game.views.view import greeting, view
from tests.game.core_table import CoreTable, altered

W, B = Seat.WHITE, Seat.BLACK
T = 1_000  # the instant of every act that does not wait
FULL = 5_430_000  # what both displays show at first


def everybody(**options: Any) -> CoreTable:
    """White tactile with an assistant of all duties, Black sighted, the arbiter, a display, an observer."""
    table = CoreTable(**options)
    table.own(cmd.Admit(station="helper", role=Role.ASSISTANT, seat=W, duties=tuple(Duty)))
    table.own(cmd.Admit(station="display", role=Role.DISPLAY))
    table.own(cmd.Admit(station="observer", role=Role.OBSERVER))
    return table


def told(table: CoreTable, events: tuple[ev.AnyEvent, ...]) -> dict[str, list[Any]]:
    """What reached whom, the arbiter apart: the arbiter gets every event."""
    heard: dict[str, list[Any]] = {}
    for station in table.state.stations.admitted:
        seen = [one for event in events if (one := view(event, table.state, station)) is not None]
        if station.role is Role.ARBITER:
            assert [one.event for one in seen if isinstance(one, msg.Recorded)] == list(events)
        elif seen:
            heard[station.id] = seen
    return heard


def clock(
    white: int | None = FULL, black: int | None = FULL, running: Seat | None = None, at: int = T
) -> msg.ClockShown:
    return msg.ClockShown(white_ms=white, black_ms=black, running=running, first_flag=None, at=at)


def alert(kind: str, detail: str, *, grey: bool = False, ply: int = 0, utterance: str | None = None) -> ev.Alerted:
    return ev.Alerted(at=T, kind=kind, ply=ply, grey=grey, detail=detail, utterance=utterance)


def to_all_who_see(shown: msg.ClockShown, told: Any = None, helper: Any = None) -> dict[str, list[Any]]:
    """Who sees the displays; a seat's own stations are told in words too what became of the clock."""
    seen: dict[str, list[Any]] = {one: [shown] for one in ("display", "observer")}
    in_words = {"black": told, "helper": helper or told}
    return seen | {one: [msgspec.structs.replace(shown, told=words)] for one, words in in_words.items()}


OTHER_CLOCK = msg.ClockMasterShown(clock_master=ClockMaster.MANUAL)
TO_OWN, TO_OTHER = (msg.TimeGiven(own=own, ms=60_000) for own in (True, False))
CALLED = msg.ActTaken(what="arbiter")


RULED_OWN = msg.RulingShown(own=True, what="more_time_for_opponent", article="12.9.2")
RULED_OTHER = msg.RulingShown(own=False, what="more_time_for_opponent", article="12.9.2")

NOTED: list[tuple[str, Any, list[ev.AnyEvent], dict[str, list[Any]]]] = [
    (
        PROGRAM,
        cmd.KeepSound(seat=B, utterance="u", sha256="ab", length_ms=700, fault="short"),
        [ev.SoundKept(at=T, seat=B, utterance="u", sha256="ab", length_ms=700, fault="short")],
        {},
    ),
    (
        PROGRAM,
        cmd.NoteSpoken(seat=W, text="Zeit", utterance="u", sha256="ab", length_ms=700, listener="white"),
        [ev.SpokenPrivately(at=T, seat=W, text="Zeit", utterance="u", sha256="ab", length_ms=700, listener="white")],
        {},
    ),
    (
        PROGRAM,
        cmd.NoteCut(seat=W, text="Zeit", utterance="u", heard_ms=300, length_ms=700, why="voice", again=True),
        [ev.SpeechCut(at=T, seat=W, text="Zeit", utterance="u", heard_ms=300, length_ms=700, why="voice", again=True)],
        {},
    ),
    (
        PROGRAM,
        cmd.NoteRefused(seat=W, station="white", code="no_offer", article="9.1", utterance="u"),
        [ev.CommandRefused(at=T, seat=W, station="white", code="no_offer", article="9.1", utterance="u")],
        {"white": [msg.NotDone(code="no_offer", article="9.1")]},
    ),
    (PROGRAM, cmd.NoteFault(text="the disk is full"), [alert("fault", "the disk is full")], {}),
    (
        PROGRAM,
        cmd.NoteVoice(seat=B, profile="p1"),
        [ev.VoiceBound(at=T, seat=B, profile="p1")],
        {"black": [SoundShown(talking=Talking.HELD, voice_activity=False, device=False, known_voice=True)]},
    ),
    (
        PROGRAM,
        cmd.NoteAnotherVoice(seat=W, station="white", utterance="u"),
        [alert("another_voice", "White: white", grey=True, utterance="u")],
        {},
    ),
    (
        PROGRAM,
        cmd.NoteMicrophoneLost(seat=B, station="black"),
        [
            alert("microphone_lost", "Black: no sound comes from black, although its microphone is open"),
            ev.SoundLost(at=T, seat=B, what="microphone"),
        ],
        {"black": [msg.LinkShown(what="microphone")]},
    ),
    (
        PROGRAM,
        cmd.NoteDeviceFault(seat=W, said=saying("as_written", text="gone")),
        [alert("sound_device", "White: gone")],
        {},
    ),
    (
        PROGRAM,
        cmd.NoteRehearsal(outcome="done", reason="", passed=(3, 4)),
        [ev.RehearsalNoted(at=T, outcome="done", reason="", passed=(3, 4))],
        {},
    ),
    ("white", cmd.Adjust(), [ev.Adjusting(at=T, seat=W)], {}),
    ("white", cmd.DemandTwoBoards(), [ev.TwoBoardsDemanded(at=T, seat=W)], {}),
    ("arbiter", cmd.AcceptVoice(seat=W), [ev.VoiceAccepted(at=T, seat=W)], {}),
    (
        "arbiter",
        cmd.AllowRoom(language="hu"),
        [ev.RoomAllowed(at=T, allowed=True, language="hu")],
        {},
    ),
    ("arbiter", cmd.AllowRoom(allowed=False), [ev.RoomAllowed(at=T, allowed=False, language="de")], {}),
    (
        "arbiter",
        cmd.ChooseAlerts(language="hu"),
        [ev.AlertsChosen(at=T, station="arbiter", spoken=True, language="hu")],
        {},
    ),
    (
        "arbiter",
        cmd.ChooseAlerts(spoken=False),
        [ev.AlertsChosen(at=T, station="arbiter", spoken=False, language="en")],
        {},
    ),
    (
        "arbiter",
        cmd.ShowToSpectators(show=True, delay_s=900),
        [ev.ShownToSpectators(at=T, show=True, delay_s=900)],
        {},
    ),
    (
        "arbiter",
        cmd.DelayDisplay(delay_s=300, station="display"),
        [ev.DisplayDelayed(at=T, station="display", delay_s=300)],
        {},
    ),
    (
        "arbiter",
        cmd.Pause(reason="a lamp fell"),
        [ev.ClockPaused(at=T, by=Role.ARBITER, seat=None, reason="a lamp fell")],
        {"white": [msg.Paused()], **to_all_who_see(clock(), msg.Paused())},
    ),
    (
        "white",
        cmd.CallArbiter(reason="no queen", stop=True),
        [
            ev.ArbiterCalled(at=T, seat=W, reason="no queen"),
            ev.ClockPaused(at=T, by=Role.PLAYER, seat=W, reason="no queen"),
            alert("called", "White calls the arbiter (6.11.2)"),
        ],
        {
            **to_all_who_see(clock(), msg.Paused()),
            "white": [CALLED, msg.Paused()],
            "helper": [CALLED, msgspec.structs.replace(clock(), told=msg.Paused())],
        },
    ),
    (
        "arbiter",
        cmd.SetIncrement(increment_ms=5_000, article="III.4"),
        [ev.IncrementSet(at=T, increment_ms=5_000, article="III.4")],
        to_all_who_see(clock(running=W))
        | {one: [msg.IncrementShown(increment_ms=5_000)] for one in ("white", "black", "helper")},
    ),
    (
        "arbiter",
        cmd.AddTime(seat=B, ms=60_000, reason="noise", article="12.5"),
        [ev.TimeAdded(at=T, seat=B, ms=60_000, reason="noise", article="12.5")],
        {"white": [TO_OTHER], **to_all_who_see(clock(black=FULL + 60_000, running=W), TO_OWN, TO_OTHER)},
    ),
    (
        "arbiter",
        cmd.SetClock(white_ms=60_000, black_ms=50_000, turn=B, reason="late", moves=(3, 2), periods=(0, 0)),
        [
            ev.ClockSet(
                at=T,
                white_ms=60_000,
                black_ms=50_000,
                turn=B,
                reason="late",
                moves=(3, 2),
                periods=(0, 0),
                by_hand=True,
            ),
        ],
        {"white": [msg.ClockCorrected()], **to_all_who_see(clock(60_000, 50_000, B), msg.ClockCorrected())},
    ),
    (
        "arbiter",
        cmd.SetClockMaster(clock_master=ClockMaster.MANUAL),
        [ev.ClockMasterChanged(at=T, clock_master=ClockMaster.MANUAL)],
        {"white": [OTHER_CLOCK], **to_all_who_see(clock(None, None), OTHER_CLOCK)},  # nobody has read it
    ),
    (
        "arbiter",
        cmd.SetMode(mode=Mode.CLOCK),
        [ev.ModeChanged(at=T, mode=Mode.CLOCK)],
        {one: [msg.ModeShown(mode=Mode.CLOCK, in_game=True)] for one in ("white", "black", "helper")},
    ),
    ("arbiter", cmd.MarkOutOfStep(note="misheard"), [ev.OutOfStep(at=T, ply=0, note="misheard")], {}),
    (
        "arbiter",
        cmd.StartSession(length_ms=3_600_000),
        [ev.SessionStarted(at=T, length_ms=3_600_000)],
        {one: [msg.SessionShown(length_ms=3_600_000)] for one in ("white", "black", "helper", "display", "observer")},
    ),
    (
        "arbiter",
        cmd.RuleResult(result="1/2-1/2", reason="agreed on the phone", article="5.2.3"),
        [ev.GameEnded(at=T, result="1/2-1/2", reason="agreed on the phone", article="5.2.3")],
        {
            one: [msg.Ended(result="1/2-1/2", reason="agreed on the phone", article="5.2.3")]
            for one in ("white", "black", "helper", "display", "observer")
        },
    ),
    (
        "arbiter",
        cmd.DecideGap(gap="G2", decision="play on", article="6.2.4"),
        [ev.Decided(at=T, gap="G2", ply=0, decision="play on", article="6.2.4")],
        {},
    ),
    (
        "arbiter",
        cmd.DecideGap(gap="G2", decision="play on", ply=7),
        [ev.Decided(at=T, gap="G2", ply=7, decision="play on", article="")],
        {},
    ),
    (
        "arbiter",
        cmd.NoteIncident(kind="noise", text="a telephone", seat=B, article="11.5"),
        [ev.IncidentNoted(at=T, kind="noise", seat=B, ply=0, text="a telephone", article="11.5")],
        {},
    ),
    (
        "arbiter",
        cmd.RegisterDevice(device="d", approved=False, seat=W, note="loud"),
        [ev.DeviceRegistered(at=T, device="d", seat=W, approved=False, note="loud", after_start=True)],
        {},
    ),
    (
        "arbiter",
        cmd.NoteAppeal(against="the ruling", text="in writing", seat=B),
        [ev.AppealNoted(at=T, seat=B, against="the ruling", text="in writing")],
        {},
    ),
    (
        "arbiter",
        cmd.Penalise(seat=W, penalty="more_time_for_opponent", amount=60_000, reason="noise"),
        [
            ev.Penalised(
                at=T, seat=W, penalty="more_time_for_opponent", article="12.9.2", amount=60_000, reason="noise"
            ),
            ev.TimeAdded(at=T, seat=B, ms=60_000, reason="noise", article="12.9.2"),
        ],
        {
            **to_all_who_see(clock(black=FULL + 60_000, running=W)),
            "white": [RULED_OWN, TO_OTHER],
            "helper": [RULED_OWN, msgspec.structs.replace(clock(black=FULL + 60_000, running=W), told=TO_OTHER)],
            "black": [RULED_OTHER, msgspec.structs.replace(clock(black=FULL + 60_000, running=W), told=TO_OWN)],
        },
    ),
    (
        "observer",
        cmd.ReportToArbiter(kind="other", text="he whispers", seat=B),
        [
            ev.ObserverReported(at=T, station="observer", kind="other", text="he whispers", seat=B, ply=0),
            alert("observer_report", "observer reports: other of Black; he whispers (12.4)"),
        ],
        {},
    ),
]


@pytest.mark.parametrize(
    ("station", "body", "events", "heard"), NOTED, ids=[f"{type(row[1]).__name__}-{n}" for n, row in enumerate(NOTED)]
)
def test_a_command_brings_this_about_and_no_more(
    station: str, body: cmd.AnyAct, events: list[ev.AnyEvent], heard: dict[str, list[Any]]
) -> None:
    table = everybody()
    done = table.done(station, body)
    assert list(done) == events
    assert told(table, done) == heard


def test_what_is_chosen_about_a_seats_sound_is_that_seats_and_its_own_stations_are_shown_it() -> None:
    table = everybody()
    shown = SoundShown(talking=Talking.HELD, voice_activity=False, device=False, known_voice=False)
    assert table.do("white", cmd.ChooseTalking(talking=Talking.VOICE)) == Refusal("voice_activity_not_permitted", "D.1")
    for seat in (None, B):
        other = cmd.ChooseTalking(talking=Talking.TOGGLED, seat=W if seat is None else seat)
        allowed = seat is None
        assert (table.do("white", other) == Refusal("only_the_arbiter", "12.3")) is not allowed
    assert [one.talking for one in table.state.sound.seats] == [Talking.TOGGLED, Talking.HELD]
    toggled = greeting(table.state, table.state.stations.admitted[0], table.now).sound
    assert toggled is not None and toggled.talking is Talking.TOGGLED, "that needs nobody's permission"
    done = table.done("arbiter", cmd.PermitVoiceActivity(seat=B))
    assert list(done) == [ev.VoiceActivityPermitted(at=T, seat=B, granted=True)]
    (message,) = told(table, done)["black"]
    assert message.voice_activity and message.talking is Talking.HELD and list(told(table, done)) == ["black"]
    done = table.done("black", cmd.ChooseTalking(talking=Talking.VOICE))
    assert list(done) == [ev.TalkingChosen(at=T, seat=B, talking=Talking.VOICE)]
    table.done("arbiter", cmd.PermitVoiceActivity(seat=B, granted=False))
    now = greeting(table.state, table.state.stations.admitted[1], table.now).sound
    assert now is not None and now.talking is Talking.HELD, "no longer permitted: it shows as the talk key held"
    assert table.state.sound.of(B).talking is Talking.VOICE
    devices = SoundDevices("mic", "phones", headset=True)
    done = table.done("arbiter", cmd.ChooseDevices(seat=W, microphone="mic", headphones="phones", headset=True))
    assert list(done) == [ev.DevicesChosen(at=T, seat=W, devices=devices)]
    assert [message.device for message in told(table, done)["white"]] == [True]
    assert shown.device is False
    gone = table.own(cmd.NoteDeviceFault(seat=W, said=saying("as_written", text="pulled out")))
    assert list(gone) == [
        alert("sound_device", "White: pulled out"),
        ev.DevicesChosen(at=T, seat=W, devices=SoundDevices()),
        ev.SoundLost(at=T, seat=W, what="devices"),
    ]
    assert told(table, gone)["white"][1] == msg.LinkShown(what="devices")
    assert "helper" in told(table, gone) and msg.LinkShown(what="devices") not in told(table, gone)["helper"]
    assert table.state.sound.of(W).devices == SoundDevices()


def test_an_ear_is_changed_in_what_is_named_and_never_beyond_its_bounds() -> None:
    table = everybody()
    done = table.done("white", cmd.ChooseEar(speed=120, gain_db=6, balance=-40, language="hu", voice="f2", lower=3))
    ear = EarChoice(speed=120, gain_db=6, balance=-40, language="hu", voice="f2", lower=3)
    assert list(done) == [ev.EarChosen(at=T, seat=W, ear=ear)]
    assert table.state.sound.of(W).ear == ear and table.state.sound.of(B).ear == EarChoice()
    for by, speed, word in (
        (20, 140, "faster"),
        (-50, 90, "slower"),
        (-50, 50, "slower"),
        (49, 99, "faster"),
        (1, 100, "faster"),
    ):
        (event,) = table.done("white", cmd.ChooseEar(speed_by=by))
        assert isinstance(event, ev.EarChosen) and (event.ear.speed, event.word) == (speed, word)
    for _ in range(5):
        table.done("white", cmd.ChooseEar(speed_by=50))
    assert table.state.sound.of(W).ear.speed == 300
    assert table.state.sound.of(W).ear.gain_db == 6, "what is not named stays"
    for wanted, word in ((True, "read_keys"), (False, "no_keys")):
        done = table.done("white", cmd.ChooseEar(turn_keys=True))
        (event,) = done
        assert isinstance(event, ev.EarChosen) and (event.ear.read_keys, event.word) == (wanted, word)
        assert [one.word for one in told(table, done)["white"]] == [word]
    assert table.do("white", cmd.ChooseEar(speed=90, seat=B)) == Refusal("only_the_arbiter", "12.3")
    (event,) = table.done("arbiter", cmd.ChooseEar(speed=90, seat=B))
    assert isinstance(event, ev.EarChosen) and event.seat is B


def test_a_headset_is_proven_for_its_station_until_it_is_louder_or_another() -> None:
    table = everybody()
    own = HeadsetCheck("white", True, -60.0, T)
    (event,) = table.own(cmd.NoteHeadset(seat=W, headset="white", stays_out=True, ours_dbfs=-60.0))
    assert event == ev.HeadsetChecked(at=T, seat=W, found=own)
    server = table.own(cmd.NoteHeadset(seat=W, headset="device-white", stays_out=True))
    assert {name: message[0].headset for name, message in told(table, server).items()} == {
        "white": True,
        "helper": False,
    }
    assert [one.station for one in table.state.sound.of(W).headsets] == ["white", "device-white"]
    table.own(cmd.NoteHeadset(seat=W, headset="white", stays_out=False))
    assert not table.state.sound.of(W).proven("white") and table.state.sound.of(W).proven("device-white")
    assert not table.state.sound.of(B).headsets
    table.done("arbiter", cmd.ChooseDevices(seat=W, microphone="another"))
    assert not table.state.sound.of(W).proven("device-white"), "another device is another headset"
    assert [one.station for one in table.state.sound.of(W).headsets] == ["white"]
    for gain, left in ((0, 1), (6, 0)):
        table.own(cmd.NoteHeadset(seat=W, headset="white", stays_out=True))
        table.done("white", cmd.ChooseEar(gain_db=gain))
        assert len(table.state.sound.of(W).headsets) == left, "a louder ear may be heard by the microphone"
    table.own(cmd.NoteHeadset(seat=W, headset="white", stays_out=True))
    table.done("white", cmd.ChooseEar(gain_db=6))
    assert table.state.sound.of(W).proven("white"), "as loud as it was"


def test_the_room_and_the_arbiters_ear_are_spoken_to_by_the_arbiters_leave_alone() -> None:
    table = everybody()
    hears = msgspec.structs.replace(table.state.table.black, language="hu")
    table.state = altered(table.state, {"table.black": hears})
    assert (table.state.sound.room, table.state.sound.arbiter_ears) == ("", ())
    table.done("arbiter", cmd.AllowRoom())
    assert table.state.sound.room == "de", "White's language"
    table.done("arbiter", cmd.AllowRoom(allowed=False))
    assert table.state.sound.room == ""
    table.done("arbiter", cmd.ChooseAlerts())
    table.done("arbiter", cmd.ChooseAlerts(language="hu"))
    assert table.state.sound.arbiter_ears == (ArbiterEar("arbiter", "hu"),)
    table.done("arbiter", cmd.ChooseAlerts(spoken=False))
    assert table.state.sound.arbiter_ears == ()


@pytest.mark.law("L049")
def test_two_buttons_are_learnt_while_no_clock_runs_and_press_for_their_own_player_alone() -> None:
    table = everybody(started=False)
    learning = PressKeys(where="display", learning=True)
    done = table.done("arbiter", cmd.LearnPressKeys(at="display"))
    assert list(done) == [ev.PressKeysAsked(at=T, where="display")] and table.state.stations.press_keys == learning
    none = PressKeysShown(stage="none")
    assert told(table, done) == {"display": [PressKeysShown(stage="learn")]}
    assert table.do("display", cmd.PressKey(key="F1")) == Refusal("no_press_keys", "")
    for station in ("white", "observer", PROGRAM):
        answered = table.do(station, cmd.TellPressKeys(white="F1", black="F2"))
        assert isinstance(answered, Refusal), station
    assert table.do("display", cmd.TellPressKeys(white="F1", black="F1")) == Refusal("same_press_key", "")
    done = table.done("display", cmd.TellPressKeys(white="F1", black="F2"))
    assert list(done) == [ev.PressKeysTold(at=T, where="display", white="F1", black="F2")]
    assert told(table, done) == {"display": [PressKeysShown(stage="known", white="F1", black="F2")]}
    assert table.do("display", cmd.TellPressKeys(white="F1", black="F2")) == Refusal("no_press_keys", "")
    table.done("arbiter", cmd.StartGame())
    assert table.do("arbiter", cmd.LearnPressKeys(at="server")) == Refusal("clocks_must_stand", "6.11")
    for station, key in (("display", "F3"), ("white", "F1"), (PROGRAM, "F1")):
        assert table.do(station, cmd.PressKey(key=key)) == Refusal("no_press_keys", ""), (station, key)
    table.say("white", "e4")
    (idle,) = [one for one in table.done("display", cmd.PressKey(key="F2")) if isinstance(one, ev.ClockPressed)]
    assert (idle.seat, idle.effective, table.state.time.clock.running) == (B, False, W), (
        "Black's key stops no time of White's"
    )
    table.done("display", cmd.PressKey(key="F1"))
    assert table.ply(1).completed and table.state.time.clock.running is B
    table.say("black", "e5", act="announce")
    table.done("display", cmd.PressKey(key="F2"))
    assert table.ply(2).completed and table.state.time.clock.running is W
    table.done("arbiter", cmd.Pause())
    table.done("arbiter", cmd.LearnPressKeys(at="display"))
    done = table.done("arbiter", cmd.Resume())
    (warned,) = [one for one in done if isinstance(one, ev.Alerted)]
    assert (warned.kind, warned.grey, warned.ply) == ("press_keys_unknown", False, 2)
    assert not [one for one in table.done("arbiter", cmd.Pause()) if isinstance(one, ev.Alerted)]
    table.done("arbiter", cmd.Resume())
    assert table.do("display", cmd.TellPressKeys(white="a", black="b")) == Refusal("clocks_must_stand", "6.11")
    table.done("arbiter", cmd.Pause())
    table.done("display", cmd.TellPressKeys(white="a", black="b"))
    assert table.do("white", cmd.PressKey(key="a")) == Refusal("no_press_keys", "")
    greetings = {one.id: greeting(table.state, one, table.now).press_keys for one in table.state.stations.admitted}
    known = PressKeysShown(stage="known", white="a", black="b")
    assert {name: keys for name, keys in greetings.items() if keys is not None} == {"display": known}
    done = table.done("arbiter", cmd.LearnPressKeys(at="server"))
    assert told(table, done) == {"display": [none]}
    table.own(cmd.TellPressKeys(white="ev1", black="ev2"))
    done = table.done("arbiter", cmd.LearnPressKeys(at=None))
    assert table.state.stations.press_keys == PressKeys() and told(table, done)["display"] == [none]
    assert table.do(PROGRAM, cmd.PressKey(key="ev1")) == Refusal("no_press_keys", "")


@pytest.mark.law("L049")
@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (PressKeys(), ""),
        (PressKeys("display", "F1", "F2"), ""),
        (PressKeys("server", "F1", "F2"), ""),
        (PressKeys("display", learning=True), "the display at the table"),
        (PressKeys("server", learning=True), "the server itself"),
        (PressKeys("white", "F1", "F2"), "White"),  # of an earlier record: a player's own device presses for nobody
    ],
)
def test_a_clock_that_is_started_before_its_buttons_count_is_told_with_where_they_are(
    keys: PressKeys, told: str
) -> None:
    table = everybody(started=False)
    table.state = altered(table.state, {"stations.press_keys": keys})
    warned = [one for one in table.done("arbiter", cmd.StartGame()) if isinstance(one, ev.Alerted)]
    assert [one.kind for one in warned] == (["press_keys_unknown"] if told else [])
    assert all(told in one.detail for one in warned)


@pytest.mark.law("L072")
def test_a_display_is_delayed_by_its_own_delay_or_that_of_all_and_nobody_else_is() -> None:
    table = everybody()
    table.own(cmd.Admit(station="second", role=Role.DISPLAY))
    assert longest_delay(table.state) == 0
    assert {delay_of(table.state, one) for one in table.state.stations.admitted} == {0}
    for name in ("nowhere", "white"):
        assert table.do("arbiter", cmd.DelayDisplay(delay_s=1, station=name)) == Refusal("not_admitted", "11.3.2")
    table.done("arbiter", cmd.DelayDisplay(delay_s=60))
    table.done("arbiter", cmd.DelayDisplay(delay_s=5, station="second"))
    delays = {one.id: delay_of(table.state, one) for one in table.state.stations.admitted}
    assert delays == dict.fromkeys(("white", "black", "arbiter", "helper", "observer"), 0) | {
        "display": 60_000,
        "second": 5_000,
    }
    assert longest_delay(table.state) == 60_000
    table.done("arbiter", cmd.DelayDisplay(delay_s=0, station="second"))
    second = table.state.stations.find("second")
    assert second is not None and delay_of(table.state, second) == 0 and longest_delay(table.state) == 60_000
    assert is_held_back(clock()) and not is_held_back(PressKeysShown(stage="none"))
    then = table.state
    table.say("white", "e4")
    table.press("white")
    display = table.state.stations.find("display")
    assert display is not None
    seen = display_greeting(then, T, table.state, display)
    assert seen.delay_s == 60 and seen.shown is not None and seen.shown.text == "" and seen.clock == clock(running=W)


def settings(table: CoreTable, events: tuple[ev.AnyEvent, ...]) -> list[tuple[str, str]]:
    """What the player who sets the clock by voice is told of it; the assistant hears of a proposal, nobody else."""
    heard = told(table, events)
    assert set(heard) <= {"white", "helper"} and all(one.stage == "proposed" for one in heard.get("helper", []))
    return [(one.stage, one.control) for one in heard.get("white", [])]


@pytest.mark.law("L057")
def test_the_clock_is_chosen_out_of_what_is_read_to_the_player_one_after_the_other() -> None:
    table = everybody(started=False)
    usual = ("900+10", "600", "5400+30")
    controls = tuple(TimeControl.parse(one) for one in usual)
    assert table.do("white", cmd.ChooseClock(stop=True)) == Refusal("nothing_asked", "")
    for wrong in ((), ("soon",)):
        assert table.do("white", cmd.ChooseClock(controls=wrong)) == Refusal("no_time_control", "6.3.1")
    done = table.done("white", cmd.ChooseClock(controls=usual))
    assert list(done) == [ev.ClockChoiceAsked(at=T, seat=W, controls=controls, number=1, until_ms=T + 30_000)]
    assert settings(table, done) == [("asked", "900+10")]
    done = table.done("white", cmd.Confirm(yes=False))
    assert list(done) == [ev.ClockChoiceAsked(at=T, seat=W, controls=controls, number=2, until_ms=T + 30_000)]
    table.wait(20_000)
    done = table.done("white", cmd.Ask(what="last"))
    assert list(done) == [ev.ClockChoiceAsked(at=21_000, seat=W, controls=controls, number=2, until_ms=51_000)]
    assert settings(table, done) == [("asked", "600")], "the same once more"
    table.done("white", cmd.Confirm(yes=False))
    done = table.done("white", cmd.Confirm(yes=False))
    assert list(done) == [ev.ClockChoiceEnded(at=21_000, seat=W, outcome="none_left")]
    assert settings(table, done) == [("unset", "5400+30")] and table.state.time.choosing == ()
    table.done("white", cmd.ChooseClock(controls=usual))
    done = table.done("white", cmd.ChooseClock(stop=True))
    assert list(done) == [ev.ClockChoiceEnded(at=21_000, seat=W, outcome="stopped")]
    table.done("white", cmd.ChooseClock(controls=usual))
    done = table.done("white", cmd.Confirm(yes=True))
    detail = "White asks for the clock setting 900+10: approve it, or leave it at 5400+30"
    assert list(done) == [
        ev.ClockChoiceEnded(at=21_000, seat=W, outcome="chosen"),
        ev.ClockProposed(at=21_000, seat=W, control=controls[0]),
        ev.Alerted(at=21_000, kind="clock_proposed", ply=0, grey=False, detail=detail),
    ]
    assert settings(table, done) == [("proposed", "900+10")]
    done = table.done("arbiter", cmd.ApproveClock(approved=True))
    assert list(done) == [ev.ClockSetUp(at=21_000, control=controls[0], seat=W)]
    assert told(table, done)["white"] == [msg.ClockSetting(stage="set", own=True, control="900+10")]
    assert told(table, done)["black"] == [clock(910_000, 910_000, at=21_000)]


@pytest.mark.law("L057")
@pytest.mark.parametrize(("wait", "outcome"), [(29_999, None), (30_000, "lapsed"), (90_000, "lapsed")])
def test_who_does_not_answer_in_half_a_minute_has_set_nothing(wait: int, outcome: str | None) -> None:
    table = everybody(started=False)
    table.done("white", cmd.ChooseClock(controls=("900+10",)))
    table.wait(wait)
    ended = [one for one in table.own(cmd.NoteInstant()) if isinstance(one, ev.ClockChoiceEnded)]
    assert ended == ([] if outcome is None else [ev.ClockChoiceEnded(at=T + 30_000, seat=W, outcome="lapsed")])
    assert (table.state.time.choice_of(W) is None) is (outcome is not None)


@pytest.mark.law("L057")
def test_no_clock_is_chosen_after_the_start_and_another_question_takes_this_one_away() -> None:
    table = everybody(started=False)
    table.done("white", cmd.ChooseClock(controls=("900+10",)))
    earlier = table.now
    table.now = 0  # another run of the program, whose times are others
    (ended,) = [one for one in table.own(cmd.NoteFault(text="x")) if isinstance(one, ev.ClockChoiceEnded)]
    assert ended == ev.ClockChoiceEnded(at=0, seat=W, outcome="lapsed")
    table.now = earlier
    table.done("white", cmd.ChooseClock(controls=("900+10",)))
    table.done("arbiter", cmd.StartGame())
    assert table.do("white", cmd.Confirm(yes=True)) == Refusal("nothing_asked", "")
    assert table.state.time.clock.control.text == "5400+30"
    assert table.do("white", cmd.ChooseClock(controls=("900+10",))) == Refusal("clock_is_fixed", "6.3.1")
    assert table.do("white", cmd.SetUpClock(control="900+10")) == Refusal("clock_is_fixed", "6.3.1")
    assert table.do("arbiter", cmd.ApproveClock(approved=True)) == Refusal("nothing_proposed", "6.3.1")


@pytest.mark.law("L057")
def test_the_arbiters_own_setting_counts_at_once_and_a_players_where_that_is_recorded() -> None:
    control = TimeControl.parse("900+10")
    table = everybody(started=False)
    assert table.do("arbiter", cmd.SetUpClock(control="soon")) == Refusal("no_time_control", "6.3.1")
    assert list(table.done("arbiter", cmd.SetUpClock(control="900+10"))) == [ev.ClockSetUp(at=T, control=control)]
    table = everybody(started=False)
    table.adapt("player_sets_clock")
    assert list(table.done("black", cmd.SetUpClock(control="900+10"))) == [ev.ClockSetUp(at=T, control=control, seat=B)]
    table = everybody(started=False)
    table.done("black", cmd.SetUpClock(control="900+10"))
    assert table.state.time.proposed_clock == (B, control)
    done = table.done("arbiter", cmd.ApproveClock(approved=False))
    assert list(done) == [ev.ClockKept(at=T, seat=B)] and table.state.time.proposed_clock is None
    assert told(table, done) == {"black": [msg.ClockSetting(stage="kept", own=True, control="5400+30")]}


@pytest.mark.law("L067")
@pytest.mark.parametrize("seat", list(Seat))
def test_one_side_is_corrected_with_its_counter_and_the_other_keeps_what_it_used(seat: Seat) -> None:
    table = everybody(control="600")
    table.say("white", "e4")
    table.press("white")
    table.wait(4_000)
    done = table.done("arbiter", cmd.CorrectClock(seat=seat, ms=500_000, completed=7, reason="defect"))
    white, black = (500_000, 596_000) if seat is W else (600_000, 500_000)
    moves = (7, 0) if seat is W else (1, 7)
    assert list(done) == [
        ev.ClockSet(
            at=5_000, white_ms=white, black_ms=black, turn=B, reason="defect", moves=moves, periods=(0, 0), by_hand=True
        )
    ]
    (event,) = table.done("arbiter", cmd.CorrectClock(seat=seat, ms=400_000, turn=W))
    assert isinstance(event, ev.ClockSet) and event.moves is None and event.turn is W


def test_held_times_are_those_at_the_last_instant_that_is_on_disk() -> None:
    table = everybody(control="60+5", white=SeatKind.SIGHTED)
    stations = {one.id: one for one in table.state.stations.admitted}

    def held(name: str, witnessed: int) -> HeldTimes | None:
        return held_times(table.state, stations[name], witnessed)

    assert held("white", 3_000) == HeldTimes(63_000, 65_000, W, 1)
    assert held("black", 3_000) == HeldTimes(63_000, 65_000, W, 2)
    assert held("helper", 3_000) == held("arbiter", 3_000) == HeldTimes(63_000, 65_000, W)
    assert held("display", 3_000) is held("observer", 3_000) is None
    assert held("white", 0) == HeldTimes(65_000, 65_000, W, 1), "never before the clock began to run"
    assert held("white", 90_000) == HeldTimes(0, 65_000, W, 1)
    table.done("arbiter", cmd.Pause())
    assert held("white", 3_000) == HeldTimes(65_000, 65_000, None, 1), "no time runs"
    table.done("arbiter", cmd.Resume())
    table.enter("white", "e2e4", "e4")
    assert held("white", T) == HeldTimes(65_000, 65_000, W, 1), "made, not pressed: White's press is about it"
    table.enter("black", "e7e5", "e5")
    assert held("white", T) == HeldTimes(65_000, 65_000, W, None), "about either of two"
    assert held("black", T) == HeldTimes(65_000, 65_000, W, 2)
    table.press("white")
    assert held("white", T) == HeldTimes(70_000, 65_000, B, 3)
    assert held("white", 90_000) == HeldTimes(70_000, 0, B, 3)
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="x"))
    assert held("white", T) is None
    other = everybody(master=ClockMaster.MANUAL)
    assert held_times(other.state, stations["white"], T) is None
    assert held_times(everybody(started=False).state, stations["white"], T) is None
