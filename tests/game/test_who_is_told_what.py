"""Every station beside every event: who is told what of it, and who is told nothing (`views`; 12.6, D.2.10.4, 11.3.1).

The whole messages of a table with each kind of station: White by touch, Black sighted, an assistant of each, a display,
an observer, the arbiter.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.laws.event_options import EventOptions
from server.game.state.apply import apply
from server.game.state.state import GameState
from server.game.state.table import NextGame
from server.game.values.adjournment import EnvelopeLabel, SealedMove
from server.game.values.announcement import Announcement
from server.game.values.pairing import OwnPairing
from server.game.values.speech import Speech
from server.game.values.time_control import TimeControl
from server.game.values.words import ClockMaster, Duty, EarChoice, Mode, Origin, Role, Seat, SeatKind, SeatPlan, Talking
from server.game.views import messages as msg
from server.game.views.messages import PositionTold
from server.game.views.seats.table import guidelines_shown
from server.game.views.view import changes_picture, earlier, view
from speech.announcements.understand import understand
from tests.game.core_table import CoreTable, altered, play
from tests.game.test_events_in_full import FULL, B, T, W, clock, everybody

E4 = Announcement(to_square="e4")
CONTROL = TimeControl.parse("900+10")
SEES = ("black", "aide", "helper")  # the display and the observer are shown the clock besides
PLAYERS = ("white", "black", "aide", "helper")
ALL = (*PLAYERS, "display", "observer")
Told = dict[str, msg.AnyMessage]


def full_table(**options: Any) -> CoreTable:
    """`everybody`, and an assistant of Black's."""
    table = everybody(**options)
    table.own(cmd.Admit(station="aide", role=Role.ASSISTANT, seat=B, under="6.2.6"))
    return table


def told(state: GameState, event: ev.AnyEvent) -> Told:
    """Who is told what of an event, the arbiter apart: there the event itself is on record."""
    seen = {one.id: view(event, state, one) for one in state.stations.admitted}
    arbiters = seen.pop("arbiter")
    assert isinstance(arbiters, msg.Recorded) and arbiters.event == event
    return {name: message for name, message in seen.items() if message is not None}


def to(names: tuple[str, ...], message: msg.AnyMessage) -> Told:
    return dict.fromkeys(names, message)


def own(seat: Seat, kind: Any, **rest: Any) -> Told:
    """To both sides, and to whose side it is as their own."""
    of = {"white": W, "helper": W, "black": B, "aide": B}
    return {name: kind(own=side is seat, **rest) for name, side in of.items()}


UNDERSTOOD = msg.Understood(words=("e", "4"), text="e4", utterance="u")
RUNS = clock(running=W)
CLOCK = to(("black", "aide", "helper", "display", "observer"), RUNS)


def in_words(white: Any, black: Any = None) -> Told:
    """The clock as all see it who see one; a seat's own stations are told in words besides what became of it."""
    words = {"helper": white, "black": black or white, "aide": black or white}
    return {**CLOCK, "white": white} | {who: msgspec.structs.replace(RUNS, told=one) for who, one in words.items()}


WORDS = Speech(announcement=E4, words=("e", "4"), text="e4", utterance="u")
DRAW: dict[str, Any] = {"at": T, "seat": W, "ply": 0, "kind": "repetition"}
SQUARES = (ev.SquareToSet(square="e4", should_be="P"),)
DESK: dict[str, Any] = {"at": T, "ply": 0, "placement": "8", "turn": W, "white": SQUARES}

SOUND = msg.SoundShown(talking=Talking.HELD, voice_activity=False, device=False, known_voice=False)
LABEL = EnvelopeLabel(
    white="", black="", placement="8", fen="", white_ms=1, black_ms=1, white_used_ms=0, black_used_ms=0, sealed_by=W,
    move_number=1,
)  # fmt: skip


PAIRING = OwnPairing(table="t1", round="2", board=4, seat=W, opponent="Bela")
B4, D4 = ("file.b", "rank.4"), ("file.d", "rank.4")


def question(ask: str, utterance: str | None = None) -> msg.Question:
    return msg.Question(ask=ask, utterance=utterance)


TOLD: list[tuple[ev.AnyEvent, Told]] = [
    (ev.Announced(at=T, seat=W, ply=1, origin=Origin.HEARD, speech=WORDS), to(("white", "helper"), UNDERSTOOD)),
    (
        ev.Announced(at=T, seat=B, ply=1, origin=Origin.HEARD, speech=WORDS),
        to(("black", "aide"), UNDERSTOOD) | {"helper": msg.Relayed(words=("e", "4"), text="e4")},  # D.2.10.2
    ),
    (ev.AnnouncementRepeated(at=T, seat=W, ply=1, speech=WORDS), to(("white", "helper"), UNDERSTOOD)),
    (ev.Contested(at=T, seat=B, ply=1, speech=WORDS), to(("black", "aide"), UNDERSTOOD)),
    (
        ev.Echoed(at=T, seat=B, ply=1, origin=Origin.HEARD, agrees=False, speech=WORDS),
        to(("black", "aide"), UNDERSTOOD),
    ),
    (ev.Alerted(at=T, kind="echo_differs", ply=1, grey=True, detail=""), {}),
    (
        ev.NotUnderstood(at=T, seat=W, ply=1, speech=Speech(utterance="u", unclear="from")),
        to(("white", "helper"), question("from", "u")),
    ),
    (
        ev.NotUnderstood(at=T, seat=B, ply=1, speech=Speech(utterance="u")),
        to(("black", "aide"), question("repeat", "u")),
    ),
    (
        ev.NotUnderstood(at=T, seat=W, ply=1, speech=Speech(utterance="u", words=B4, either=(B4, D4))),
        to(("white", "helper"), msg.Question(ask="either", utterance="u", either=(B4, D4))),
    ),
    (ev.NotUnderstood(at=T, seat=W, ply=1, ask=False, speech=Speech(utterance="u", unclear="to")), {}),
    (ev.SetAside(at=T, seat=W, ply=1, speech=Speech(utterance="u")), {}),
    (ev.TrainingAsked(at=T, seat=W, ply=1, ask="which"), {}),
    (ev.Explored(at=T, seat=W, station="white", about="square"), {}),
    (
        ev.CommandRefused(at=T, seat=W, station="helper", code="no_offer", article="9.1"),
        {"helper": msg.NotDone(code="no_offer", article="9.1")},
    ),
    (
        ev.ScoreWritten(at=T, seat=W, index=3, text="Nf3", source="echo"),
        to(("white", "helper"), msg.ScoreLine(index=3, text="Nf3", source="echo")),
    ),
    (ev.ScoreLent(at=T, to=B, ply=1), {"black": msg.OpponentScore(lent=True)}),
    (ev.ScoreReturned(at=T, seat=B), {"black": msg.OpponentScore(lent=False)}),
    (ev.FlagFell(at=T, seat=W), CLOCK),
    (ev.TimeCued(at=T, seat=W, left_s=60, way="time"), {"white": msg.TimeCue(left_s=60, way="time")}),
    (ev.TimeCued(at=T, seat=W, left_s=60, way="time", late=True), {}),
    (ev.TimeCued(at=T, seat=B, left_s=60, way="time"), {}),
    (ev.ClockSet(at=T, white_ms=1, black_ms=1, turn=W, reason=""), CLOCK),
    (
        ev.ClockSet(at=T, white_ms=1, black_ms=1, turn=W, reason="", by_hand=True),
        in_words(msg.ClockCorrected()),
    ),
    (
        ev.TimeAdded(at=T, seat=W, ms=-5, reason=""),
        in_words(msg.TimeGiven(own=True, ms=-5), msg.TimeGiven(own=False, ms=-5)),
    ),
    (
        ev.IncrementSet(at=T, increment_ms=7),
        to(("display", "observer"), RUNS) | to(PLAYERS, msg.IncrementShown(increment_ms=7)),
    ),
    (
        ev.ClockMasterChanged(at=T, clock_master=ClockMaster.LIVECHESS),
        in_words(msg.ClockMasterShown(clock_master=ClockMaster.LIVECHESS)),
    ),
    (
        ev.ClaimRuled(at=T, seat=W, kind="repetition", ruling="wrong", article="9.5.3"),
        own(W, msg.RulingShown, what="claim_wrong", article="9.5.3"),
    ),
    (
        ev.IrregularityRuled(at=T, seat=B, ply=2, kind="illegal", confirmed=True, counts=True, article="7.5.5"),
        own(B, msg.RulingShown, what="illegal", article="7.5.5"),
    ),
    (
        ev.IrregularityRuled(at=T, seat=B, ply=2, kind="illegal", confirmed=False, counts=None, article="7.5.5"),
        {},
    ),
    (
        ev.Penalised(at=T, seat=W, penalty="warning", article="12.9.1", amount=0, reason="noise"),
        own(W, msg.RulingShown, what="warning", article="12.9.1"),
    ),
    (
        ev.ClockProposed(at=T, seat=W, control=CONTROL),
        to(("white", "helper"), msg.ClockSetting(stage="proposed", own=True, control="900+10")),
    ),
    (
        ev.ClockKept(at=T, seat=B),
        to(("black", "aide"), msg.ClockSetting(stage="kept", own=True, control="5400+30")),
    ),
    (
        ev.ClockSetUp(at=T, control=CONTROL),
        CLOCK | {"white": msg.ClockSetting(stage="set", own=False, control="900+10")},
    ),
    (
        ev.ClockSetUp(at=T, control=CONTROL, seat=B),
        CLOCK
        | to(("black", "aide"), msg.ClockSetting(stage="set", own=True, control="900+10"))
        | {"white": msg.ClockSetting(stage="set", own=False, control="900+10")},
    ),
    (
        ev.ClockChoiceAsked(at=T, seat=W, controls=(TimeControl.parse("600"), CONTROL), number=2, until_ms=9),
        {"white": msg.ClockSetting(stage="asked", own=True, control="900+10")},
    ),
    (
        ev.ClockChoiceEnded(at=T, seat=W, outcome="none_left"),
        {"white": msg.ClockSetting(stage="unset", own=True, control="5400+30")},
    ),
    (ev.ClockChoiceEnded(at=T, seat=W, outcome="chosen"), {}),
    (ev.ClockChoiceEnded(at=T, seat=W, outcome="dropped"), {}),
    (ev.GameStarted(at=T, appointed=True), in_words(msg.Started(appointed=True))),
    (ev.GameStarted(at=T), in_words(msg.Started(appointed=False))),
    (ev.ClockPaused(at=T, by=Role.ARBITER, seat=None, reason=""), in_words(msg.Paused(medical=False))),
    (
        ev.ClockPaused(at=T, by=Role.ARBITER, seat=None, reason="", medical=B),
        in_words(msg.Paused(medical=True)),
    ),
    (
        ev.Interrupted(at=T, white_ms=1, black_ms=1, turn=W, uncertain_ms=9, reason="crash"),
        in_words(msg.Paused(medical=False)),
    ),
    (ev.ClockResumed(at=T), in_words(msg.Resumed())),
    (ev.ClockPressed(at=T, seat=W, ply=1, effective=True), CLOCK),
    (ev.PeriodBegun(at=T, seat=W), CLOCK),
    (ev.AnnouncementWaited(at=T, seat=W, ply=1, ms=400, charge="mover"), CLOCK),
    (ev.TimeClaimed(at=T, seat=W), to(("white", "helper"), msg.ActTaken(what="flag"))),
    (ev.TimeClaimed(at=T, seat=B), {"black": msg.ActTaken(what="flag")}),  # the aide has no such duty
    (ev.ModeChanged(at=T, mode=Mode.CLOCK), to(PLAYERS, msg.ModeShown(mode=Mode.CLOCK, in_game=True))),
    (
        ev.Proposed(at=T, seat=W, what="resign", sound_ms=1, until_ms=T + 9, after=0, utterance="u"),
        to(("white", "helper"), msgspec.structs.replace(question("resign", "u"), within_ms=9)),
    ),
    (ev.DrawClaimed(**DRAW, awaits=True), to(("white", "helper"), question("intended"))),
    (ev.DrawClaimed(**DRAW, awaits=True, asks=("increment", "no_effort")), to(("white", "helper"),
        question("claim_increment"))),
    (ev.DrawClaimed(**DRAW), {}),
    (ev.DrawClaimed(**DRAW | {"kind": "quickplay"}), {"white": msg.ActTaken(what="claim")}),
    (ev.ClaimKindAsked(at=T, seat=B, asks=("cannot_win",)), to(("black", "aide"), question("claim_cannot_win"))),
    (ev.ClaimKindStated(at=T, seat=W, kind="unstated"), to(("white", "helper"), question("intended"))),
    (ev.ClaimKindStated(at=T, seat=W, kind="quickplay", ground="no_effort"), {"white": msg.ActTaken(what="claim")}),
    (ev.IntendedStated(at=T, seat=W, speech=WORDS), {"white": UNDERSTOOD}),
    (ev.IntendedStated(at=T, seat=W, speech=Speech()), {"white": msg.NoTaken(what="intended")}),
    (
        ev.ProposalSettled(at=T, seat=B, what="resign", outcome="refused"),
        to(("black", "aide"), msg.NoTaken(what="resign")),
    ),
    (ev.ProposalSettled(at=T, seat=B, what="resign", outcome="confirmed"), {}),
    (ev.SaidToArbiter(at=T, seat=B, speech=WORDS), {"black": UNDERSTOOD}),
    (ev.SaidToArbiter(at=T, seat=B, speech=Speech(words=("hm",), text="hm", utterance="u")), {}),
    (ev.SessionStarted(at=T, length_ms=9), to(ALL, msg.SessionShown(length_ms=9))),
    (ev.StationAdmitted(at=T, station="white", role=Role.PLAYER, seat=W), {}),
    (ev.GuidelinesSettled(at=T, guidelines=("III",), quickplay=True), {}),
    (
        ev.LawReleased(at=T, seat=W, article="9.1"),
        to(("white", "helper"), msg.LawRead(article="9.1")),
    ),
    (ev.LawAsked(at=T, seat=W, article="9.1"), {}),
    (ev.DrawAnswered(at=T, seat=B, accepted=False), own(B, msg.DrawReply, accepted=False)),
    (ev.SoundLost(at=T, seat=W, what="devices"), {"white": msg.LinkShown(what="devices")}),
    (ev.Resigned(at=T, seat=B), own(B, msg.ResignationShown)),
    (
        ev.GameEnded(at=T, result="1-0", reason="resigned", article="5.1.2"),
        to(ALL, msg.Ended(result="1-0", reason="resigned", article="5.1.2")),
    ),
    (
        ev.DeskDecided(**DESK, kind="adjust", verdict="", reason=""),
        to(("white", "helper"), msg.BoardToSet(squares=SQUARES)),
    ),
    (ev.BoardsToSet(**DESK, because="restored"), to(("white", "helper"), msg.BoardToSet(squares=SQUARES))),
    (
        ev.SquareAsked(at=T, seat=W, number=1, of=2, square="e4", should_be="P"),
        {"white": msg.SquareToSetNow(square="e4", should_be="P", number=1, of=2)},
    ),
    (ev.BoardSaidSet(at=T, seat=B), {"black": msg.SquareToSetNow(square=None)}),
    (ev.Resigned(at=T, seat=W), own(W, msg.ResignationShown)),
    (ev.SealOrdered(at=T, seat=W, ply=1, key="", salt=""), own(W, msg.AdjournmentShown, stage="ordered")),
    (ev.Adjourned(at=T, seat=W, ply=1, sha256="", label=LABEL), own(W, msg.AdjournmentShown, stage="sealed")),
    (
        ev.EnvelopeOpened(at=T, seat=B, ply=1, content=SealedMove(), found="played"),
        own(B, msg.AdjournmentShown, stage="resumed"),
    ),
    (ev.EnvelopeMissing(at=T, seat=B, ply=1, uci="e2e4"), own(B, msg.AdjournmentShown, stage="resumed")),
    (ev.TalkingChosen(at=T, seat=B, talking=Talking.TOGGLED), to(("black", "aide"), SOUND)),
    (ev.ChecklistTicked(at=T, item="voice_recording", seat=W, ok=True), to(("white", "helper"), SOUND)),
    (ev.ChecklistTicked(at=T, item="voice_recording", seat=B, ok=False), to(("black", "aide"), SOUND)),
    (ev.ChecklistTicked(at=T, item="orientation", seat=W, ok=True), {}),
    (ev.LowTime(at=T, seat=W, threshold_s=60), {}),
    (ev.ArbiterCalled(at=T, seat=W, reason="a noise"), to(("white", "helper"), msg.ActTaken(what="arbiter"))),
    (ev.ArbiterCalled(at=T, seat=B, reason="medical"), {"black": msg.ActTaken(what="medical")}),
    (ev.IncidentUndone(at=T, numbers=(1,)), to(PLAYERS, msg.RulingShown(own=False, what="undone", article=""))),
    (ev.TouchRuled(at=T, number=1, counts=False, reason=""), {}),
    (ev.ResultApproved(at=T, seat=B, result="1-0"), {"black": msg.ActTaken(what="approved", result="1-0")}),
    (ev.ReviewReleased(at=T, released=True), to(("white", "black"), msg.ReviewShown(released=True))),
    (ev.VoiceActivityPermitted(at=T, seat=W, granted=True), to(("white", "helper"), SOUND)),
    (ev.VoiceBound(at=T, seat=B, profile=""), to(("black", "aide"), SOUND)),
    (
        ev.EarChosen(at=T, seat=W, ear=EarChoice(), word="slower"),
        to(("white", "helper"), msgspec.structs.replace(SOUND, word="slower")),
    ),
    (
        ev.PairingTold(at=T, station="white", pairing=PAIRING, changed=True),
        {"white": msg.PairingShown(pairing=PAIRING, changed=True)},
    ),
    (ev.GameMended(at=T, ply=1, uci="e2e4"), {}),
    (ev.Made(at=T, seat=W, ply=1, origin=Origin.HEARD), {}),
]  # fmt: skip


@pytest.mark.law("L203", "L121")
def test_who_is_told_what_of_an_event() -> None:
    state = full_table().state
    for event, heard in TOLD:
        assert told(state, event) == heard, event


def test_what_anybody_standing_there_sees_of_a_board_and_who_sees_it_on_a_page() -> None:
    """The sighted player's own board is on that player's page alone; observers look at both (12.4)."""
    table = full_table()
    moved = ev.BoardMoved(at=T, board=B, ply=1, uci="e2e4", origin=Origin.ENTERED)
    table.state = apply(table.state, moved)
    there = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    boards = msg.BoardsShown(white=start, black=there)
    shown = msg.Shown(placement=start, words=(), text="")
    assert told(table.state, moved) == {
        "black": msg.BoardShown(placement=there, before=start), "observer": boards, "display": shown,
    }  # fmt: skip
    on_the_other = ev.BoardMoved(at=T, board=W, ply=1, uci="e2e4", origin=Origin.ENTERED)
    assert told(table.state, on_the_other) == {"observer": boards, "display": shown}
    seen = ev.BoardSet(at=T, board=B, placement=there, turn=W, origin=Origin.ENTERED)
    set_so = {"black": msg.BoardShown(placement=there)}  # it was set, and no move is marked on it
    assert told(table.state, seen) == told(table.state, moved) | set_so


@pytest.mark.law("L072")
def test_the_display_shows_the_movers_board_and_follows_no_other() -> None:
    table = full_table()
    table.say("white", "e4")
    events = table.press("white")
    there = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    shown = msg.Shown(placement=there, words=("e4",), text="e4")
    (completed,) = [one for one in events if isinstance(one, ev.Completed)]
    assert told(table.state, completed) == {"display": shown}
    for board, seen in ((W, {"display": shown}), (B, {})):
        set_up = ev.BoardSet(at=T, board=board, placement=there, turn=B, origin=Origin.ENTERED)
        heard = told(table.state, set_up)
        assert {name: one for name, one in heard.items() if name == "display"} == seen, board
    settled = ev.LineSettled(at=T, ply=1, moves=("e2e4",), records=(1,), fen="")
    assert told(table.state, settled) == {"display": shown}


def test_words_reach_the_other_player_in_relay_and_only_as_they_were_said() -> None:
    table = full_table()
    table.mode(Mode.RELAY)
    relayed = msg.Relayed(words=("e", "4"), text="e4")
    announced = ev.Announced(at=T, seat=W, ply=1, origin=Origin.HEARD, speech=WORDS)
    both = to(("white", "helper"), UNDERSTOOD) | to(("black", "aide"), relayed)
    assert told(table.state, announced) == both
    assert told(table.state, ev.AnnouncementRepeated(at=T, seat=W, ply=1, speech=WORDS)) == both
    contested = ev.Contested(at=T, seat=W, ply=1, speech=WORDS)
    assert told(table.state, contested) == to(("white", "helper"), UNDERSTOOD), "the arbiter's affair (G14)"
    empty = msgspec.structs.replace(announced, speech=msgspec.structs.replace(WORDS, words=(), text=""))
    assert set(told(table.state, empty)) == {"white", "helper"}, "nothing was said that could be passed on"


@pytest.mark.law("L207")
@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(("hears", "approved"), [(False, True), (True, True), (False, False)])
def test_a_hearing_impaired_player_reads_at_the_table_what_the_other_says(
    mode: Mode, hears: bool, approved: bool
) -> None:
    table = full_table()
    if approved:
        table.adapt("machine_announces")
    plan = SeatPlan(SeatKind.SIGHTED, hearing_impaired=not hears)
    state = altered(table.state, {"table.black": plan, "table.mode": mode})
    heard = told(state, ev.Announced(at=T, seat=W, ply=1, origin=Origin.HEARD, speech=WORDS))
    reads = mode is Mode.RELAY or (mode is Mode.TABLE and not hears and approved)
    assert ("black" in heard) is reads and ("aide" in heard) is reads


@pytest.mark.law("L200", "L201", "L204")
@pytest.mark.parametrize("duty", list(Duty))
def test_an_assistant_is_shown_what_belongs_to_the_duty(duty: Duty) -> None:
    """D.2.10: who announces or carries out moves reads those of both; who claims and reports hears that it is done."""
    table = CoreTable()
    aide = table.assistant(W, duty)
    announced = ev.Announced(at=T, seat=B, ply=2, origin=Origin.HEARD, speech=WORDS)
    assert (aide in told(table.state, announced)) is (duty in (Duty.ANNOUNCE, Duty.EXECUTE))
    assert (aide in told(table.state, ev.TimeClaimed(at=T, seat=W))) is (duty is Duty.CLAIM_AND_REPORT)


def test_in_relay_a_wrong_echo_lets_the_announcement_be_heard_again_by_who_repeated_it() -> None:
    table = full_table()
    table.mode(Mode.RELAY)
    table.say("white", "e4")
    differs = ev.Alerted(at=T, kind="echo_differs", ply=1, grey=True, detail="")
    again = msg.Relayed(words=("e4",), text="e4", again=True)
    assert told(table.state, differs) == to(("black", "aide"), again)
    assert told(table.state, msgspec.structs.replace(differs, ply=2)) == {}, "of that nothing is known"
    assert told(table.state, msgspec.structs.replace(differs, kind="not_legal")) == {}
    (record,) = table.state.moves.plies
    wordless = altered(table.state, {"moves.plies": (msgspec.structs.replace(record, words=()),)})
    assert told(wordless, differs) == {}


@pytest.mark.parametrize(("training", "rated"), [(True, False), (False, False), (True, True)])
def test_only_where_the_table_trains_a_player_is_asked_and_told_of_the_position(training: bool, rated: bool) -> None:
    state = altered(full_table().state, {"table.training": training, "table.rated": rated})
    trains = training and not rated
    which = ev.TrainingAsked(at=T, seat=W, ply=1, ask="which", piece="knight", choices=("b1", "d2"), utterance="u")
    asked = msg.Question(ask="which", utterance="u", piece="knight", choices=("b1", "d2"))
    assert told(state, which) == (to(("white", "helper"), asked) if trains else {})
    explored = ev.Explored(
        at=T, seat=W, station="white", about="square", white=("Ng1",), black=("Ke8",), squares=("e4",),
        takes=(("Ng1", "e4"),), words=("e4",),
    )  # fmt: skip
    found = PositionTold(
        about="square", white=("Ng1",), black=("Ke8",), squares=("e4",), takes=(("Ng1", "e4"),), words=("e4",)
    )
    assert told(state, explored) == ({"white": found} if trains else {})


TROUBLE = [  # the control, ms left, whether a player is still asked
    ("5400+30", 20_000, True),
    ("5400+30", 19_999, False),
    ("5400+29", 60_000, True),
    ("5400+29", 59_999, False),
    ("5400", 60_000, True),
    ("5400", 59_999, False),
    ("40/5400:900+30", 20_000, False),
]


@pytest.mark.parametrize(("control", "left", "asked"), TROUBLE)
@pytest.mark.parametrize("seat", list(Seat))
def test_nobody_is_asked_in_time_trouble(control: str, left: int, asked: bool, seat: Seat) -> None:
    table = full_table(control=control)
    white, black = (left, FULL) if seat is W else (FULL, left)
    table.done("arbiter", cmd.SetClock(white_ms=white, black_ms=black, turn=W))
    state = altered(table.state, {"table.training": True, "table.rated": False})
    unclear = ev.NotUnderstood(at=T, seat=seat, ply=1, speech=Speech(utterance="u", unclear="from"))
    assert (seat.value in told(state, unclear)) is asked
    which = ev.TrainingAsked(at=T, seat=seat, ply=1, ask="illegal", utterance="u")
    assert (seat.value in told(state, which)) is asked
    assert seat.other.value in told(state, msgspec.structs.replace(unclear, seat=seat.other)), "who has time"
    only_a_clock = altered(state, {"table.mode": Mode.CLOCK})
    assert told(only_a_clock, unclear) == told(only_a_clock, which) == {}


OPEN = [
    ("promotion", ("piece.pawn", "file.e", "rank.8"), ("queen", "rook", "bishop", "knight"), 3),
    ("promotion", ("file.e", "rank.8", "word.promotes", "?"), ("queen", "rook", "bishop", "knight"), 2),
    ("promotion", ("file.e", "rank.7", "file.e", "rank.8"), ("queen", "rook", "bishop", "knight"), 4),
    ("promotion", ("file.e",), (), 0),
    ("piece", ("?", "file.e", "rank.4"), ("king", "queen", "rook", "bishop", "knight", "pawn"), 0),
    ("from", ("piece.knight", "file.f", "?", "file.f", "rank.3"), (), 0),
    ("from", ("?", "file.f", "rank.3"), (), 0),
    ("piece", ("piece.knight", "file.f", "rank.3"), (), 0),
    ("correction", (), (), 0),
]


@pytest.mark.law("L183")
@pytest.mark.parametrize(("unclear", "words", "pieces", "place"), OPEN)
def test_an_open_piece_is_asked_for_with_the_same_answers_in_every_position(
    unclear: str, words: tuple[str, ...], pieces: tuple[str, ...], place: int
) -> None:
    """The sound alone says which announcements there are, whether any of them is legal or not (12.6)."""
    event = ev.NotUnderstood(at=T, seat=W, ply=1, speech=Speech(utterance="u", words=words, unclear=unclear))
    asked = told(full_table().state, event)["white"]
    assert isinstance(asked, msg.Question)
    assert tuple(one[place] for one in asked.either) == tuple(f"piece.{name}" for name in pieces)
    assert all(understand(one).kind == "move" for one in asked.either)
    elsewhere = full_table(fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert told(elsewhere.state, event)["white"] == asked


def test_in_a_later_period_its_increment_says_how_long_a_player_is_asked() -> None:
    table = full_table(control="40/5400:900+30")
    table.done("arbiter", cmd.SetClock(white_ms=20_000, black_ms=FULL, turn=W, moves=(40, 40), periods=(1, 1)))
    unclear = ev.NotUnderstood(at=T, seat=W, ply=1, speech=Speech(utterance="u", unclear="from"))
    assert set(told(table.state, unclear)) == {"white", "helper"}
    table.done("arbiter", cmd.SetClock(white_ms=19_999, black_ms=FULL, turn=W, moves=(40, 40), periods=(2, 2)))
    assert told(table.state, unclear) == {}, "there is no period after the last"


@pytest.mark.law("L192")
def test_a_flag_is_a_cue_for_who_cannot_see_it_where_the_arbiter_approved_that() -> None:
    table = full_table()
    table.adapt("flag_cue_private")
    for seat in Seat:
        assert told(table.state, ev.FlagFell(at=T, seat=seat)) == CLOCK | {"white": msg.FlagShown(own=seat is W)}
    table.adapt("flag_cue_private", approved=False)
    assert "white" not in told(table.state, ev.FlagFell(at=T, seat=W))


def test_an_offer_is_to_be_acknowledged_only_by_who_has_not_been_able_to_hear_it() -> None:
    state = full_table().state
    offered = ev.DrawOffered(at=T, seat=W, ply=1, by_claim=True)
    assert told(state, offered) == own(W, msg.DrawOffer, by_claim=True)
    unseen = altered(state, {"draws.offer_delivered": False})
    assert told(unseen, offered) == own(W, msg.DrawOffer, by_claim=True) | to(
        ("black", "aide"), msg.DrawOffer(own=False, by_claim=True, acknowledge=True)
    )


@pytest.mark.law("L101")
def test_who_claims_a_draw_and_says_no_move_is_asked_for_the_intended_one_once_more() -> None:
    table = full_table()
    hm = ev.SaidToArbiter(at=T, seat=W, speech=Speech(words=("hm",), text="hm", utterance="u"))
    nothing = ev.IntendedStated(at=T, seat=W, speech=Speech(words=("none",), text="none", utterance="u"))
    table.done("white", cmd.ClaimDraw(kind="repetition", awaits=True))
    assert table.state.draws.claim is not None and table.state.draws.claim.awaits
    assert told(table.state, hm) == {"white": question("intended", "u")}
    wordless = ev.SaidToArbiter(at=T, seat=W, speech=Speech(announcement=E4, utterance="u"))
    assert told(table.state, wordless) == {"white": question("intended", "u")}
    assert told(table.state, nothing) == {"white": msg.NoTaken(what="intended")}
    claimed = ev.DrawOffered(at=T, seat=W, ply=1, by_claim=True)
    assert "white" not in told(table.state, claimed), "the question is the last that the claimant hears"
    settled = altered(table.state, {"draws.claim": msgspec.structs.replace(table.state.draws.claim, awaits=False)})
    assert told(settled, hm) == {}


@pytest.mark.law("L232")
def test_guidelines_are_announced_before_the_start_to_who_plays() -> None:
    for control, holds in (("5400", True), ("5400+30", False)):
        table = full_table(
            control=control, regulations=EventOptions(guidelines=("III",), unsupervised=True), started=False
        )
        shown = msg.GuidelinesShown(quickplay=holds, unsupervised=True)
        assert guidelines_shown(table.state) == shown
        settled = ev.GuidelinesSettled(at=T, guidelines=("III",))
        assert told(table.state, settled) == to(PLAYERS, shown)
        admitted = ev.StationAdmitted(at=T, station="black", role=Role.PLAYER, seat=B)
        assert told(table.state, admitted) == ({"black": shown} if holds else {})


@pytest.mark.law("L232")
def test_after_the_start_nobody_is_told_of_guidelines_again() -> None:
    table = full_table(control="5400", regulations=EventOptions(guidelines=("III",)))
    assert told(table.state, ev.GuidelinesSettled(at=T, guidelines=("I", "III"))) == {}


@pytest.mark.law("L075")
def test_every_station_goes_with_its_seat_to_the_new_games_table() -> None:
    table = full_table()
    opened = ev.NextGameOpened(at=T, table="t2", exchanged=True)
    assert told(table.state, opened) == {}
    for exchanged in (False, True):
        ordered = altered(table.state, {"table.next_game": NextGame("t2", exchanged)})
        assert told(ordered, opened) == {}, "ordered, and not open yet"
        state = altered(ordered, {"table.next_game": NextGame("t2", exchanged, open=True)})
        white, black = (B, W) if exchanged else (W, B)
        assert told(state, opened) == {
            name: msg.NextGameShown(table="t2", seat=seat)
            for name, seat in [
                ("white", white), ("helper", white), ("black", black), ("aide", black), ("display", None),
                ("observer", None),
            ]
        }  # fmt: skip


def test_what_the_arbiter_is_told_of_a_sealed_touch_and_of_what_came_before() -> None:
    """Sealed touches are kept from the arbiter until a dispute; a device that comes later is told as others were."""
    table = full_table()
    touch = ev.TouchReported(at=T, number=1, seat=W, ply=1, square="g1", how="lifted", origin=Origin.SENSED)
    sealed = msgspec.structs.replace(touch, sealed=True)
    arbiter = table.state.stations.find("arbiter")
    assert arbiter is not None
    assert view(sealed, table.state, arbiter) is None and earlier(sealed) is None
    seen = view(touch, table.state, arbiter)
    assert seen == msg.Recorded(event=touch, alerts=table.state.rulings.alert_changes)
    assert changes_picture(touch) and not changes_picture(sealed)
    assert earlier(touch) == msg.Recorded(event=touch)
    lean = ev.LowTime(at=T, seat=W, threshold_s=60)
    assert not changes_picture(lean), "no picture where it did not change"
    assert view(lean, table.state, arbiter) == msg.Recorded(event=lean, alerts=table.state.rulings.alert_changes)
    opened = table.events[0]
    assert isinstance(opened, ev.TableOpened) and opened.rules is not None and opened.adaptations and opened.checklist
    known = earlier(opened)
    assert known == msg.Recorded(event=msgspec.structs.replace(opened, rules=None, adaptations=(), checklist=()))


def test_an_answer_to_the_arbiter_is_the_arbiters_and_no_picture() -> None:
    table = full_table()
    (answered,) = table.done("arbiter", cmd.Ask(what="set_up"))
    arbiter = table.state.stations.find("arbiter")
    assert arbiter is not None and isinstance(answered, ev.Answered)
    heard = view(answered, table.state, arbiter)
    assert isinstance(heard, msg.AnswerGiven) and (heard.what, heard.placement) == ("set_up", answered.placement)
    (asked,) = table.done("white", cmd.Ask(what="time"))
    assert view(asked, table.state, arbiter) == msg.Recorded(event=asked, alerts=table.state.rulings.alert_changes)


@pytest.mark.law("L240")
@pytest.mark.parametrize("seat", list(Seat))
def test_the_opponent_is_told_the_claimants_board_and_the_score_where_no_effort_is_claimed(seat: Seat) -> None:
    """Without an arbiter the opponent verifies the position, and the score that such a claim submits (III.6.1)."""
    table = full_table()
    play(table, "e4 e5")
    table.done("black", cmd.WriteScore(index=1, text="e2e4"))
    kept = ev.Snapshot(
        white_board="white's", black_board="black's", game=None, made_plies=2, white_ms=1, black_ms=1, running=None,
        turn=W, moves=(1, 1), periods=(0, 0), white_score=(), black_score=(),
    )  # fmt: skip
    board, score = ("white's", ("e4",)) if seat is W else ("black's", ("e2e4",))
    for ground, submitted in (("no_effort", score), ("cannot_win", ())):
        concluded = ev.PlayConcluded(at=T, seat=seat, ground=ground, snapshot=kept)
        assert told(table.state, concluded) == {
            seat.value: msg.ClaimShown(own=True, ground=ground),
            seat.other.value: msg.ClaimShown(own=False, ground=ground, placement=board, score=submitted),
        }, "no assistant of either"


def answered(what: str, seat: Seat = W, **rest: Any) -> ev.Answered:
    """White has 50 s and has used 10 s, Black 40 s and 20 s; White's time runs, Black's flag fell first."""
    asked: dict[str, Any] = {
        "white_ms": 50_000, "black_ms": 40_000, "white_used_ms": 10_000, "black_used_ms": 20_000, "moves": 7,
        "running": W, "to_control": 33, "period": 1, "periods": 2, "first_flag": B,
    }  # fmt: skip
    return ev.Answered(at=T, seat=seat, station=seat.value, what=what, **(asked | rest))


OWN: dict[str, Any] = {"own_ms": 50_000, "opponent_ms": 40_000, "own_used_ms": 10_000, "opponent_used_ms": 20_000}
THEIRS: dict[str, Any] = {"own_ms": 40_000, "opponent_ms": 50_000, "own_used_ms": 20_000, "opponent_used_ms": 10_000}
SET: dict[str, Any] = {"control": "5400+30"}
MOVES: dict[str, Any] = {"moves": 7, "to_control": 33}
PERIOD: dict[str, Any] = {"period": 1, "periods": 2}
READ: dict[str, Any] = {"own_ms": 50_000, "opponent_ms": 40_000, "age_ms": 900}
ANSWERS = [
    (answered("time"), msg.AnswerGiven(what="time", own_runs=True, flag_first="opponent", **OWN)),
    (answered("time", B), msg.AnswerGiven(what="time", own_runs=False, flag_first="own", **THEIRS)),
    (answered("time", first_flag=None, running=None), msg.AnswerGiven(what="time", **OWN)),
    (answered("time", first_flag=W, running=B), msg.AnswerGiven(what="time", own_runs=False, flag_first="own", **OWN)),
    (
        answered("time", age_ms=900, running=None, first_flag=None),
        msg.AnswerGiven(what="time", **READ),
    ),
    (
        answered("clock"),
        msg.AnswerGiven(what="clock", own_runs=True, flag_first="opponent", **SET, **OWN, **MOVES, **PERIOD),
    ),
    (
        answered("clock", periods=1),
        msg.AnswerGiven(what="clock", own_runs=True, flag_first="opponent", **SET, **OWN, **MOVES),
    ),
    (answered("moves"), msg.AnswerGiven(what="moves", **MOVES, **PERIOD)),
    (answered("moves", periods=1), msg.AnswerGiven(what="moves", **MOVES)),
    (
        answered("opponent_time"),
        msg.AnswerGiven(what="opponent_time", opponent_ms=40_000, opponent_used_ms=20_000),
    ),
    (
        answered("opponent_time", B),
        msg.AnswerGiven(what="opponent_time", opponent_ms=50_000, opponent_used_ms=10_000),
    ),
    (
        answered("opponent_time", B, age_ms=900),
        msg.AnswerGiven(what="opponent_time", opponent_ms=50_000, age_ms=900),
    ),
    (
        answered(
            "article", words=("a",), score=("e4",), placement="8", move=3, refused="no_offer", article="9.1", more=True
        ),
        msg.AnswerGiven(
            what="article", words=("a",), score=("e4",), placement="8", move=3, refused="no_offer", article="9.1",
            more=True,
        ),
    ),
]  # fmt: skip


@pytest.mark.law("L192", "L203")
@pytest.mark.parametrize(("event", "answer"), ANSWERS)
def test_an_answer_holds_what_was_asked_and_nothing_else_and_reaches_the_asker_alone(
    event: ev.Answered, answer: msg.AnswerGiven
) -> None:
    state = full_table().state
    assert told(state, event) == {event.station: answer}
    assert told(state, msgspec.structs.replace(event, station="helper")).keys() == {"helper"}


@pytest.mark.law("L067")
def test_a_correction_is_told_with_its_times_where_the_clock_may_tell_them_unasked() -> None:
    table = full_table(control="60", black=SeatKind.TACTILE)
    table.adapt("spoken_time_automatic")
    table.done("arbiter", cmd.SetClock(white_ms=5_000, black_ms=40_000, turn=W))
    corrected = ev.ClockSet(at=T + 7_000, white_ms=5_000, black_ms=40_000, turn=W, reason="", by_hand=True)
    heard = told(table.state, corrected)
    white = msg.ClockCorrected(own_ms=0, opponent_ms=40_000, own_runs=True)
    assert heard["white"] == white, "never below zero"
    assert heard["black"] == msg.ClockCorrected(own_ms=40_000, opponent_ms=0, own_runs=False)
    table.done("arbiter", cmd.SetClock(white_ms=30_000, black_ms=3_000, turn=B))
    later = msgspec.structs.replace(corrected, at=T + 4_000)
    assert told(table.state, later)["white"] == msg.ClockCorrected(own_ms=30_000, opponent_ms=0, own_runs=False)
    table.done("arbiter", cmd.Pause())
    standing = msg.ClockCorrected(own_ms=30_000, opponent_ms=3_000)
    assert told(table.state, later)["white"] == standing


@pytest.mark.law("L096")
def test_a_lent_score_is_the_opponents_and_reaches_the_player_alone() -> None:
    table = full_table()
    table.say("white", "e4")
    table.press("white")
    lent = ev.ScoreLent(at=T, to=B, ply=1)
    assert told(table.state, lent) == {"black": msg.OpponentScore(lent=True, cells=("e4",))}
    assert told(table.state, msgspec.structs.replace(lent, to=W)) == {"white": msg.OpponentScore(lent=True)}
