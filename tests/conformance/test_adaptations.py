"""D.1: the adaptations to local circumstances at the table of the core, each with its effect (L175, L191, G1, G9)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.adaptations import adaptation_value, machine_announces_for, open_questions
from server.game.game import Game
from server.game.values.words import ClockMaster, Duty, Mode, Seat, SeatKind, SeatPlan
from server.game.views import messages as msg
from server.game.views.view import greeting, view
from tests.game.core_table import CoreTable, altered, kinds, only

QUESTION = "sighted_press_without_announcement"
NEEDED = "sighted_press_needs_announcement"


def sent(table: CoreTable, station: str, events: tuple[ev.AnyEvent, ...]) -> list[msg.AnyMessage]:
    """What a station is told of these events."""
    here = table.state.stations.find(station)
    assert here is not None
    return [shown for event in events if (shown := view(event, table.state, here)) is not None]


@pytest.mark.law("L175", "L191")
def test_the_question_of_g1_cannot_be_skipped() -> None:
    table = CoreTable(started=False, answered=False)
    assert table.do("arbiter", cmd.StartGame()) == Refusal("question_open", "D.1")
    table.adapt(QUESTION, "note", approved=False)
    assert table.do("arbiter", cmd.StartGame()) == Refusal("question_open", "D.1")
    table.adapt(QUESTION, "note")
    assert open_questions(table.state) == ()
    table.done("arbiter", cmd.StartGame())


@pytest.mark.law("L175")
@pytest.mark.parametrize("kinds_", [(SeatKind.TACTILE, SeatKind.TACTILE), (SeatKind.SIGHTED, SeatKind.SIGHTED)])
def test_the_question_is_asked_only_where_it_can_arise(kinds_: tuple[SeatKind, SeatKind]) -> None:
    table = CoreTable(white=kinds_[0], black=kinds_[1], started=False, answered=False)
    table.done("arbiter", cmd.StartGame())


@pytest.mark.law("L175")
@pytest.mark.parametrize("tactile", list(Seat))
def test_the_question_is_of_a_tactile_and_a_sighted_player_in_either_colour(tactile: Seat) -> None:
    plans = [SeatKind.TACTILE if seat is tactile else SeatKind.SIGHTED for seat in Seat]
    table = CoreTable(white=plans[0], black=plans[1], started=False, answered=False)
    assert open_questions(table.state) == (QUESTION,)
    low_vision = SeatPlan(SeatKind.LOW_VISION)
    assert open_questions(altered(table.state, {"table.black": low_vision})) == ()
    assert open_questions(altered(table.state, {"table.white": low_vision})) == ()


@pytest.mark.law("L175", "L207")
@pytest.mark.parametrize("mover", list(Seat))
@pytest.mark.parametrize("kind", list(SeatKind))
def test_the_program_says_a_move_from_the_board_in_relay_or_for_who_does_not_hear_and_never_a_tactile_players(
    mover: Seat, kind: SeatKind
) -> None:
    table = CoreTable(white=kind, black=kind)
    approved = CoreTable(white=kind, black=kind)
    approved.adapt("machine_announces")
    announced = set()
    for state, name in ((table.state, "not approved"), (approved.state, "approved")):
        for mode in Mode:
            for deaf in (None, mover, mover.other):
                plans = {f"table.{seat.value}": SeatPlan(kind, hearing_impaired=seat is deaf) for seat in Seat}
                if machine_announces_for(altered(state, {"table.mode": mode, **plans}), mover):
                    announced.add((name, mode, "nobody" if deaf is None else "mover" if deaf is mover else "opponent"))
    assert announced == (
        set()
        if kind is SeatKind.TACTILE
        else {("approved", Mode.RELAY, who) for who in ("nobody", "mover", "opponent")}
        | {("approved", Mode.TABLE, "opponent")}
    )


@pytest.mark.law("L175")
def test_an_adaptation_is_recorded_by_name_with_one_of_its_values() -> None:
    table = CoreTable()
    assert table.do("arbiter", cmd.RecordAdaptation(name="two_hands", value="on")) == Refusal(
        "no_such_adaptation", "D.1"
    )
    assert table.do("arbiter", cmd.RecordAdaptation(name="file_names", value="on")) == Refusal("no_such_value", "D.1")
    assert adaptation_value(table.state, "file_names") == "file"
    table.adapt("file_names", "nato")
    assert adaptation_value(table.state, "file_names") == "nato"


@pytest.mark.law("L175")
def test_what_needs_approval_counts_only_with_it() -> None:
    table = CoreTable()
    assert adaptation_value(table.state, "flag_cue_private") == "off", (
        "the arbiter has only been asked, and has not approved it"
    )
    table.adapt("position_readout", approved=False)
    assert adaptation_value(table.state, "position_readout") == "off"
    table.adapt("position_readout")
    assert adaptation_value(table.state, "position_readout") == "on"
    table.adapt("rank_language", "hu", approved=False)
    assert adaptation_value(table.state, "rank_language") == "hu", (
        "the arbiter decides otherwise: no approval beside it (D.2.1)"
    )


@pytest.mark.law("L175")
def test_what_is_fixed_before_the_game_stays() -> None:
    table = CoreTable(started=False)
    table.adapt("announcement_charge", "none")
    table.done("arbiter", cmd.StartGame())
    charge = cmd.RecordAdaptation(name="announcement_charge", value="mover")
    assert table.do("arbiter", charge) == Refusal("fixed_before_the_game", "D.1")
    assert adaptation_value(table.state, "announcement_charge") == "none"
    table.adapt("spoken_time_automatic")


@pytest.mark.law("L175")
def test_relay_rests_on_the_approval() -> None:
    table = CoreTable()
    assert table.do("arbiter", cmd.SetMode(mode=Mode.RELAY)) == Refusal("relay_needs_approval", "D.1")
    table.mode(Mode.RELAY)
    for withdrawn in (
        cmd.RecordAdaptation(name="machine_announces", value="off"),
        cmd.RecordAdaptation(name="machine_announces", value="on", approved=False),
    ):
        assert table.do("arbiter", withdrawn) == Refusal("relay_runs", "D.1")
    table.done("arbiter", cmd.SetMode(mode=Mode.TABLE))
    table.adapt("machine_announces", "off")
    assert table.do("arbiter", cmd.SetMode(mode=Mode.RELAY)) == Refusal("relay_needs_approval", "D.1")


@pytest.mark.law("L175")
def test_records_from_before_the_values_were_checked_are_read_as_they_were_meant() -> None:
    table = CoreTable(answered=False, started=False)
    opened = table.events[0]
    assert isinstance(opened, ev.TableOpened)
    old = (replace(opened, adaptations=()), ev.AdaptationRecorded(at=5, name="machine_announces", value="approved"))
    state = Game.replay(old)
    assert adaptation_value(state, "machine_announces") == "on" and adaptation_value(state, "flag_cue_private") == ""
    assert open_questions(state) == ()
    known = Game.replay((opened, old[1]))
    assert adaptation_value(known, "machine_announces") == "on"


@pytest.mark.law("L191")
def test_l191_a_sighted_press_before_the_announcement_starts_no_clock() -> None:
    table = CoreTable()
    table.adapt(NEEDED)
    table.say("white", "e4")
    table.press("white")
    table.wait(10_000)
    events = table.press("black")
    assert [event.effective for event in only(events, ev.ClockPressed)] == [False]
    assert [alert.kind for alert in only(events, ev.Alerted)] == ["unannounced_press"]
    assert table.state.time.clock.running is Seat.BLACK and table.state.made_plies == 1
    assert sent(table, "white", events) == [], "the tactile player hears nothing of it"
    table.say("black", "e5")
    assert table.state.time.clock.running is Seat.BLACK, (
        "it is Black's press that starts the other clock, not Black's voice (L049)"
    )
    table.press("black")
    assert table.state.time.clock.running is Seat.WHITE and table.ply(2).completed


@pytest.mark.law("L191")
@pytest.mark.parametrize("echoed", [True, False])
def test_l191_a_sound_that_was_not_understood_is_an_announcement_all_the_same(echoed: bool) -> None:
    table = CoreTable()
    table.adapt(NEEDED)
    table.say("white", "e4")
    table.press("white")
    if echoed:
        table.say("black", "e4")
    table.mumble("black", "u1")
    table.press("black")
    assert table.state.time.clock.running is Seat.WHITE


@pytest.mark.law("L191")
@pytest.mark.parametrize("why", ["off", "clock", "manual", "sighted"])
def test_l191_nothing_is_held_back_without_approval_or_where_nobody_listens(why: str) -> None:
    table = CoreTable(
        white=SeatKind.SIGHTED if why == "sighted" else SeatKind.TACTILE,
        master=ClockMaster.MANUAL if why == "manual" else ClockMaster.SERVER,
    )
    if why != "off":
        table.adapt(NEEDED)
    if why == "clock":
        table.mode(Mode.CLOCK)
    table.say("white", "e4")
    table.press("white")
    table.press("black")
    assert table.ply(2).completed


@pytest.mark.law("L191")
def test_l191_the_tactile_players_own_press_is_never_held_back() -> None:
    table = CoreTable()
    table.adapt(NEEDED)
    table.press("white")
    assert table.ply(1).completed and table.state.time.clock.running is Seat.BLACK


@pytest.mark.law("L175")
@pytest.mark.parametrize("on", [True, False])
def test_the_program_calls_the_flag_only_where_approved(on: bool) -> None:
    table = CoreTable(control="60")
    if on:
        table.adapt("flag_called_by_system")
    table.wait(61_000)
    events = table.own(cmd.NoteInstant())
    assert [called.seat for called in only(events, ev.FlagCalled)] == ([Seat.WHITE] if on else [])
    assert ("flag_called" in [alert.kind for alert in only(events, ev.Alerted)]) is on
    assert table.state.ending.result is None, "the result is the arbiter's to declare (6.9)"
    assert (table.state.time.clock.running is None) is on


@pytest.mark.law("L175")
def test_g9_their_own_board_is_read_to_players_where_approved_and_as_it_stands() -> None:
    table = CoreTable()
    ask = cmd.Ask(what="position")
    assert table.do("white", ask) == Refusal("no_readout", "D.2.10")
    table.adapt("position_readout")
    table.say("white", "e4")
    table.press("white")
    table.done("arbiter", cmd.SetBoard(board=Seat.WHITE, placement="4k3/8/8/8/8/8/8/4K2R", turn=Seat.BLACK))
    table.done("arbiter", cmd.Mend(ply=1, uci="d2d4"))
    (answer,) = sent(table, "white", table.done("white", ask))
    assert isinstance(answer, msg.AnswerGiven) and answer.placement == "4k3/8/8/8/8/8/8/4K2R"
    assert sent(table, "black", table.done("white", ask)) == []
    assert table.do("black", ask) == Refusal("no_readout", "D.2.10"), "the sighted player looks at the board"
    helper = table.assistant(Seat.WHITE, Duty.INFORM)
    (told,) = sent(table, helper, table.done(helper, ask))
    assert isinstance(told, msg.AnswerGiven) and told.placement == answer.placement


@pytest.mark.law("L010")
def test_l010_the_set_up_is_read_to_the_arbiter_to_assistants_and_before_the_start_to_a_player() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", started=False)
    helper, ask = table.assistant(Seat.WHITE, Duty.EXECUTE), cmd.Ask(what="set_up")
    for station in ("arbiter", helper, "white"):
        asked = table.done(station, ask)
        (answer,) = sent(table, station, asked)
        assert isinstance(answer, msg.AnswerGiven) and answer.placement == "4k3/8/8/8/8/8/8/R3K3"
        assert sent(table, "black", asked) == []
    table.done("arbiter", cmd.StartGame())
    assert table.do("white", ask) == Refusal("set_up_before_the_start", "2.3"), "a position read out (Silence)"
    assert table.do("arbiter", cmd.Ask(what="time")) == Refusal("only_the_player", "12.6")


def test_nothing_of_an_adaptation_reaches_a_player() -> None:
    table = CoreTable()
    for name in (NEEDED, "touch_evidence_one_sided", "flag_called_by_system"):
        table.adapt(name)
        assert kinds((table.events[-1],)) == ["AdaptationRecorded"]
        assert sent(table, "white", (table.events[-1],)) == sent(table, "black", (table.events[-1],)) == []
    here = table.state.stations.find("white")
    assert here is not None
    assert b"touch_evidence" not in repr(greeting(table.state, here, table.now)).encode()
