"""Two Articles at once: claims (9), resignation (5.1.2), offers (9.1), restoring (7.1), sealing (I.1), 8.5.3."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.game import Game
from server.game.laws.event_options import EventOptions
from server.game.values.adjournment import SealedMove
from server.game.values.words import ClockMaster, Mode, Seat, SeatKind
from tests.game.core_table import CoreTable, only, said

WITH_I = EventOptions(guidelines=("I",), default_time_s=900)


def at_the_board(*moves: str, **more: object) -> CoreTable:
    """A table after these moves, each said and pressed."""
    table = CoreTable(regulations=WITH_I, **more)  # type: ignore[arg-type]
    for number, text in enumerate(moves):
        play(table, "black" if number % 2 else "white", text)
    return table


def play(table: CoreTable, station: str, text: str) -> None:
    table.say(station, text, act="announce")
    table.wait(1_000)
    table.press(station)
    table.wait(500)


def order(table: CoreTable) -> None:
    table.done("arbiter", cmd.OrderSeal(key="key", salt="salt"))


def seal(table: CoreTable, station: str = "white") -> None:
    table.done(station, cmd.SealMove(sealed="c2VhbGVk", sha256="ab"))
    table.press(station)


@pytest.mark.law("L074", "L111")
def test_taking_back_after_a_wrong_claim_ends_what_had_to_be_made() -> None:
    table = at_the_board("e4", "e5", "Nf3")
    table.done("black", cmd.ClaimDraw(kind="repetition", intended=said("Nc6"), text="Nc6"))
    assert table.do("arbiter", cmd.RestoreTo(ply=1)) == Refusal("claim_open", "9.5.1"), "ruled on first"
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    table.done("arbiter", cmd.RestoreTo(ply=1))
    assert table.state.draws.intended is None and Game.replay(table.events) == table.state


@pytest.mark.law("L109")
def test_play_goes_on_only_after_the_ruling_so_that_no_announcement_is_lost() -> None:
    table = at_the_board("e4", "e5")
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert table.do("arbiter", cmd.Resume()) == Refusal("claim_open", "9.5.1")
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    table.done("arbiter", cmd.Resume())
    play(table, "white", "Nf3")
    assert table.state.moves.plies[2].text == "Nf3" and table.state.moves.plies[2].completed


@pytest.mark.law("L044")
@pytest.mark.parametrize(
    "late",
    [cmd.AnswerDraw(accept=True), cmd.OfferDraw(), cmd.Resign(), cmd.ClaimTime(), cmd.ClaimDraw(kind="repetition")],
)
@pytest.mark.parametrize("station", ["white", "black"])
def test_after_a_resignation_nobody_agrees_claims_or_resigns_while_its_result_follows(
    station: str, late: cmd.AnyAct
) -> None:
    table = at_the_board("e4", "e5", mates=False)
    table.done("white", cmd.OfferDraw())
    table.done("white", cmd.Resign())
    assert table.do(station, late) == Refusal("game_over", "5.1.2")
    assert table.state.ending.result is None
    table.own(table.mate_answer(table.state.ending.mate_questions[0]))
    assert table.state.ending.result == "0-1"


@pytest.mark.law("L044", "L070")
def test_where_the_arbiter_has_play_go_on_the_resignation_was_none() -> None:
    table = at_the_board("e4", "e5", mates=False)
    table.done("white", cmd.Resign())
    answer = table.mate_answer(table.state.ending.mate_questions[0])
    table.done("arbiter", cmd.Resume())
    assert table.state.ending.resigned is None
    assert table.do("program", answer) == Refusal("nothing_asked", "")
    assert table.state.ending.result is None
    table.done("white", cmd.Resign())
    assert len(table.state.ending.mate_questions) == 1, "White may resign again"


@pytest.mark.law("L090", "L074")
def test_an_offer_that_was_taken_back_with_its_move_marks_no_other_move() -> None:
    table = at_the_board("e4", "e5", "Nf3", "Nc6")
    table.say("white", "Bb5", act="announce")
    table.done("white", cmd.OfferDraw())
    table.press("white")
    play(table, "black", "a6")
    table.done("arbiter", cmd.RestoreTo(ply=2))
    table.done("arbiter", cmd.Resume())
    for station, text in (("white", "Nc3"), ("black", "Nf6"), ("white", "Bc4")):
        play(table, station, text)
    assert [cell.text if cell else "" for cell in table.state.scores.white[2:5:2]] == ["Nc3", "Bc4"]
    assert table.state.draws.offers == (1, 0), "that White offered is remembered (11.5)"


@pytest.mark.law("L094", "L074")
def test_the_exemption_from_recording_stays_in_the_period_of_a_restored_position() -> None:
    """Who had fewer than five minutes at some stage in a period need not record for the rest of it (8.4)."""
    table = at_the_board("e4", "e5", control="600")
    table.wait(400_000)
    play(table, "white", "Nf3")
    assert table.state.scores.exempt[0] is not None
    table.done("arbiter", cmd.RestoreTo(ply=2, times="stored"))
    assert table.state.scores.exempt == (0, None)


@pytest.mark.law("L198")
def test_the_exemption_begins_anew_where_the_moves_are_retraced_by_the_scores() -> None:
    """D.2.9 gives both players their times of that position back: from there they keep their scores (L198)."""
    table = at_the_board("e4", "e5", control="600")
    table.wait(400_000)
    play(table, "white", "Nf3")
    table.done("arbiter", cmd.OpenDesk(reason="D.2.9"))
    table.done("arbiter", cmd.DecideDesk(kind="back", verdict="scores_differ", ply=2, times="stored"))
    assert table.state.scores.exempt == (None, None)


@pytest.mark.law("L208")
def test_a_move_sealed_while_the_clock_stands_counts_for_the_period_like_any_other() -> None:
    table = at_the_board("e4", "e5", control="2/5400:900")
    order(table)
    table.done("arbiter", cmd.Pause())
    seal(table)
    clock = table.state.time.clock
    assert clock.white.moves == 2 and clock.white.period == 1 and clock.turn is Seat.BLACK and clock.running is None
    assert table.state.adjournment is not None and table.state.adjournment.label is not None
    assert table.state.adjournment.label.white_ms == clock.white.remaining_ms


@pytest.mark.law("L216")
def test_where_nothing_sealed_is_played_and_nothing_lost_its_player_has_the_move_and_the_clock() -> None:
    table = at_the_board("e4", "e5")
    order(table)
    seal(table)
    table.done("arbiter", cmd.MarkPresent(seat=Seat.BLACK))
    table.done("arbiter", cmd.OpenEnvelope(content=SealedMove(utterance="u")))
    table.done("arbiter", cmd.RuleSealed(lost=False, reason="agreed by both"))
    table.done("arbiter", cmd.Resume())
    assert table.state.on_move is Seat.WHITE and table.state.time.clock.running is Seat.WHITE
    play(table, "white", "Nf3")
    assert table.state.time.clock.running is Seat.BLACK
    assert (table.state.time.clock.white.moves, table.state.time.clock.black.moves) == (2, 1)


@pytest.mark.law("L104", "L208")
def test_a_claim_is_ruled_on_before_sealing_and_while_sealing_its_move_goes_to_the_arbiter() -> None:
    table = at_the_board("e4", "e5")
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert table.do("arbiter", cmd.OrderSeal(key="key", salt="salt")) == Refusal("claim_open", "9.5.1")
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    order(table)
    table.done("white", cmd.Propose(what="claim_draw"))
    stated = table.say("white", "Nf3")
    assert (
        only(stated, ev.IntendedStated)
        and table.state.draws.claim is not None
        and table.state.draws.claim.text == "Nf3"
    )
    assert table.state.adjournment is not None and not table.state.adjournment.sealed
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    assert table.do("white", cmd.Say(announcement=said("Nf3"))) == Refusal("sealing", "I.1.1")


@pytest.mark.law("L215")
@pytest.mark.parametrize("claim", [cmd.ClaimDraw(kind="repetition"), cmd.Propose(what="claim_draw")])
def test_no_draw_is_claimed_over_a_closed_envelope(claim: cmd.AnyAct) -> None:
    table = at_the_board("e4", "e5")
    order(table)
    seal(table)
    assert table.do("white", claim) == Refusal("adjourned", "I.7")


def test_a_claim_made_while_sealing_is_ruled_on_before_the_envelope_is_opened() -> None:
    table = at_the_board("e4", "e5")
    order(table)
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    seal(table)
    table.done("arbiter", cmd.MarkPresent(seat=Seat.BLACK))
    opening = cmd.OpenEnvelope(content=SealedMove(uci="g1f3"))
    assert table.do("arbiter", opening) == Refusal("claim_open", "9.5.1")
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    table.done("arbiter", opening)
    assert table.state.time.clock.running is Seat.BLACK


@pytest.mark.law("L225")
def test_a_session_ends_with_its_adjournment_and_the_next_can_be_started() -> None:
    table = at_the_board("e4", "e5")
    table.done("arbiter", cmd.StartSession(length_ms=100_000))
    order(table)
    seal(table)
    table.wait(200_000)
    assert table.own(cmd.NoteInstant()) == ()
    table.done("arbiter", cmd.StartSession(length_ms=100_000))


@pytest.mark.law("L218")
def test_the_absent_repliers_clock_runs_also_where_another_clock_led_meanwhile() -> None:
    table = at_the_board("e4", "e5")
    order(table)
    seal(table)
    for master in (ClockMaster.MANUAL, ClockMaster.SERVER):
        table.done("arbiter", cmd.SetClockMaster(clock_master=master))
    table.done("arbiter", cmd.StartResumption())
    assert table.state.time.clock.running is Seat.BLACK


@pytest.mark.law("L071")
def test_who_seals_or_resigns_needs_no_reason_for_the_stop() -> None:
    table = at_the_board("e4", "e5", mates=False)
    order(table)
    seal(table)
    assert table.do("arbiter", cmd.RuleStop(valid=False)) == Refusal("nobody_stopped", "6.11.4")
    table.done("white", cmd.Resign())
    assert table.do("arbiter", cmd.RuleStop(valid=False)) == Refusal("nobody_stopped", "6.11.4")


@pytest.mark.law("L097")
def test_no_clock_starts_while_the_game_is_reconstructed() -> None:
    table = at_the_board("e4", "e5", white=SeatKind.SIGHTED)
    order(table)
    seal(table)
    table.done("arbiter", cmd.BeginReconstruction(reason="no complete score"))
    for body in (cmd.StartResumption(), cmd.ReplaceEnvelope(uci="g1f3")):
        assert table.do("arbiter", body) == Refusal("reconstructing", "8.5.3")
    table.done("arbiter", cmd.EndReconstruction(completed_plies=2))
    table.done("arbiter", cmd.StartResumption())
    assert table.state.time.clock.running is Seat.BLACK


@pytest.mark.law("L097", "L190")
def test_a_press_that_waits_for_its_announcement_starts_no_clock_in_a_reconstruction() -> None:
    table = at_the_board(started=False)
    for name, value in (("machine_announces", "on"), ("announcement_on_movers_time", "on")):
        table.adapt(name, value)
    table.adapt("announcement_charge", "none")
    table.done("arbiter", cmd.StartGame())
    table.done("arbiter", cmd.SetMode(mode=Mode.RELAY))
    table.say("white", "e4", act="announce")
    table.own(cmd.NoteSpeaking(seat=Seat.BLACK, utterance="a", length_ms=3_000))
    table.press("white")
    assert table.state.time.held is not None and table.state.time.clock.running is None
    table.done("arbiter", cmd.BeginReconstruction(reason="no complete score"))
    assert table.state.time.held is None
    table.wait(10_000)
    table.own(cmd.NoteInstant())
    assert table.state.time.clock.running is None


def test_an_announcement_of_an_earlier_run_holds_no_press() -> None:
    """The instants of a new run may be smaller than those of the earlier one."""
    table = at_the_board()
    for name in ("machine_announces", "announcement_on_movers_time"):
        table.adapt(name)
    table.done("arbiter", cmd.SetMode(mode=Mode.RELAY))
    table.now = 9_000_000
    table.own(cmd.NoteSpeaking(seat=Seat.BLACK, utterance="a", length_ms=None))
    table.done("arbiter", cmd.Pause())
    table.now = 1_000
    table.done("arbiter", cmd.Resume())
    table.say("white", "e4", act="announce")
    table.press("white")
    assert table.state.time.held is None and table.state.time.clock.running is Seat.BLACK
