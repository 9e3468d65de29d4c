"""Words that bind, said by voice: what stands at once, what waits for a yes, and since when it stands."""

from __future__ import annotations

from typing import Any

import pytest
from core_table import CoreTable, kinds, only, said

from server.play import commands as cmd
from server.play import events as ev
from server.play.commands import Refusal
from server.play.game import Game
from server.play.messages import Question, Understood
from server.play.private_ear import private_ear
from server.play.values import Duty, Role, Seat, SeatKind, Station
from server.play.views import view


def doubtful(what: Any, at_ms: int) -> cmd.Propose:
    return cmd.Propose(what=what, sure=False, at_ms=at_ms)


@pytest.mark.law("L064")
def test_one_word_claims_the_flag_and_there_is_no_second_step() -> None:
    table = CoreTable(control="60")
    table.wait(61_000)
    events = table.done("black", cmd.Propose(what="claim_time", at_ms=table.now - 400))
    (claimed,) = only(events, ev.TimeClaimed)
    assert claimed.at == table.now - 400 and table.state.clock.running is None and not table.state.pending


@pytest.mark.law("L064")
def test_a_doubtful_claim_of_the_flag_stands_from_its_sound_with_a_yes() -> None:
    table = CoreTable(control="60")
    table.wait(61_000)
    said_at = table.now - 900
    asked = table.done("black", doubtful("claim_time", said_at))
    assert kinds(asked)[-1] == "Proposed" and table.state.clock.running is Seat.WHITE
    table.wait(3_000)
    events = table.done("black", cmd.Confirm(yes=True))
    assert only(events, ev.TimeClaimed)[0].at == said_at and table.state.clock.running is None
    assert "no flag was down" not in only(events, ev.Alerted)[0].detail


def test_a_claim_said_too_early_does_not_become_right_while_it_is_confirmed() -> None:
    table = CoreTable(control="60")
    table.wait(55_000)
    table.done("black", doubtful("claim_time", table.now))
    table.wait(6_000)
    events = table.done("black", cmd.Confirm(yes=True))
    assert "no flag was down when it was said" in only(events, ev.Alerted)[-1].detail


@pytest.mark.law("L044")
@pytest.mark.parametrize("sure", [True, False])
def test_a_resignation_by_voice_is_always_confirmed(sure: bool) -> None:
    table = CoreTable()
    table.wait(1_000)
    said_at = table.now
    assert kinds(table.done("white", cmd.Propose(what="resign", sure=sure, at_ms=said_at))) == ["Proposed"]
    table.wait(2_000)
    events = table.done("white", cmd.Confirm(yes=True))
    assert only(events, ev.Resigned)[0].at == said_at


@pytest.mark.law("L044")
@pytest.mark.parametrize(
    ("other", "outcome"),
    [
        (cmd.Confirm(yes=False), "refused"),
        (cmd.Press(), "dropped"),
        (cmd.Say(announcement=said("e4")), "dropped"),
        (cmd.Say(announcement=None), "dropped"),
        (cmd.Ask(what="time"), "dropped"),
    ],
)
def test_no_and_anything_else_take_a_resignation_away(other: Any, outcome: str) -> None:
    table = CoreTable()
    table.done("white", cmd.Propose(what="resign"))
    settled = only(table.done("white", other), ev.ProposalSettled)
    assert [one.outcome for one in settled] == [outcome]
    assert isinstance(table.do("white", cmd.Confirm(yes=True)), Refusal) and table.state.resigned is None


@pytest.mark.law("L044")
def test_ten_seconds_take_it_away_and_nobody_else_does() -> None:
    table = CoreTable()
    table.done("white", cmd.Propose(what="resign"))
    assert isinstance(table.do("black", cmd.Confirm(yes=True)), Refusal), "his own yes"
    table.done("black", cmd.Adjust())
    assert table.state.pending_of(Seat.WHITE) is not None
    table.wait(10_001)
    assert isinstance(table.do("white", cmd.Confirm(yes=True)), Refusal)
    (lapsed,) = only(table.done("black", cmd.Adjust()), ev.ProposalSettled)
    assert lapsed.outcome == "lapsed" and not table.state.pending


def test_a_new_run_of_the_program_knows_another_time() -> None:
    table = CoreTable()
    table.wait(50_000)
    table.done("white", cmd.Propose(what="resign"))
    table.now = 10  # the milliseconds of the new run
    assert isinstance(table.do("white", cmd.Confirm(yes=True)), Refusal)


@pytest.mark.law("L101")
def test_a_doubtful_offer_stands_from_its_sound_and_no_press_takes_it_away() -> None:
    table = CoreTable()
    table.say("white", "e4")
    said_at = table.now
    table.done("white", doubtful("draw_offer", said_at))
    table.wait(1_000)
    table.press("white")
    events = table.done("white", cmd.Confirm(yes=True))
    (offered,) = only(events, ev.DrawOffered)
    assert offered.at == said_at and offered.after == 1 and table.state.offer_by is Seat.WHITE
    assert not only(events, ev.Alerted), "made after the move and before the press, as it should be"


@pytest.mark.law("L101")
def test_an_offer_confirmed_after_the_opponents_move_has_been_rejected_by_it() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.done("white", doubtful("draw_offer", table.now))
    table.press("white")
    table.enter("black", "e7e5", "e5")
    events = table.done("white", cmd.Confirm(yes=True))
    assert only(events, ev.DrawOffered) and not only(events, ev.DrawAnswered)[0].accepted
    assert table.state.offer_by is None and table.state.offers == (1, 0)


@pytest.mark.law("L101")
def test_a_sure_offer_stands_at_once_and_an_acceptance_is_asked_about() -> None:
    table = CoreTable()
    for station, move in (("white", "e4"), ("black", "e5")):
        table.say(station, move, act="announce")
        table.press(station)
    table.done("white", cmd.Propose(what="draw_offer"))
    assert table.state.offer_by is Seat.WHITE
    table.done("black", cmd.Propose(what="draw_accept"))
    assert not table.state.over
    table.done("black", cmd.Confirm(yes=True))
    assert table.state.result == "1/2-1/2"


@pytest.mark.law("L104", "L109")
@pytest.mark.parametrize("kind", [SeatKind.TACTILE, SeatKind.SIGHTED])
def test_a_spoken_claim_stops_the_clocks_and_takes_the_next_words_as_the_intended_move(kind: SeatKind) -> None:
    table = CoreTable(white=kind)
    helper = table.assistant(Seat.WHITE, Duty.ANNOUNCE)
    opened = table.done("white", cmd.Propose(what="claim_draw"))
    assert only(opened, ev.DrawClaimed)[0].awaits and table.state.clock.running is None
    assert private_ear(table.state, Seat.WHITE) and not private_ear(table.state, Seat.BLACK)
    before = table.state
    table.mumble("white", "u1")
    assert table.state == before, "a sound that was not understood is nobody's move"
    events = table.say("white", "Nf3")
    (stated,) = only(events, ev.IntendedStated)
    assert stated.announcement == said("Nf3") and not table.state.plies and table.state.last_words == ()
    assert [one.source for one in only(events, ev.ScoreWritten)] == (["claim"] if kind is SeatKind.TACTILE else [])
    assert "intended g1f3" in only(events, ev.Alerted)[0].detail
    held = table.state.claim
    assert kinds(table.say("white", "Nc3")) == ["SaidToArbiter"] and table.state.claim == held, "it cannot be changed"
    outsiders = [Station("black", Role.PLAYER, Seat.BLACK), Station("d", Role.DISPLAY)]
    helping = next(one for one in table.state.stations if one.id == helper)
    for event in table.events[-len(events) - 2 :]:
        if not isinstance(event, ev.ScoreWritten):
            assert all(view(event, table.state, one) is None for one in (*outsiders, helping))
    assert isinstance(view(stated, table.state, Station("white", Role.PLAYER, Seat.WHITE)), Understood)
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    assert not private_ear(table.state, Seat.WHITE)
    table.done("arbiter", cmd.Resume())
    assert kinds(table.say("white", "Nf3"))[0] == "Announced"
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L104", "L109")
def test_no_says_that_the_position_stands_as_it_is_and_yes_says_nothing() -> None:
    table = CoreTable()
    table.done("white", cmd.Propose(what="claim_draw"))
    assert isinstance(table.do("white", cmd.Confirm(yes=True)), Refusal)
    assert isinstance(table.do("black", cmd.Confirm(yes=False)), Refusal)
    (stated,) = only(table.done("white", cmd.Confirm(yes=False)), ev.IntendedStated)
    assert stated.announcement is None and table.state.claim is not None and not table.state.claim.awaits
    assert isinstance(table.do("white", cmd.Confirm(yes=False)), Refusal), "and it cannot be withdrawn"
    table.done("arbiter", cmd.RuleClaim(ruling="correct"))
    assert table.state.result == "1/2-1/2"


@pytest.mark.law("L104")
def test_a_sighted_claimant_shows_the_move_on_his_stations_board_and_it_moves_nothing() -> None:
    table = CoreTable(white=SeatKind.SIGHTED)
    table.done("white", cmd.Propose(what="claim_draw"))
    before = table.placement(Seat.WHITE)
    assert kinds(table.enter("white", "g1f3", "Nf3")) == ["IntendedStated", "Alerted"]
    assert table.placement(Seat.WHITE) == before
    again = table.do("white", cmd.EnterMove(uci="b1c3", announcement=said("Nc3")))
    assert again == Refusal("claim_open", "9.5.1")


def test_an_unstated_claim_is_looked_at_under_both_articles() -> None:
    def found(fen: str) -> str:
        table = CoreTable(fen=fen)
        table.done("white", cmd.Propose(what="claim_draw"))
        table.wait(1_000)
        return only(table.say("white", "Ra2"), ev.Alerted)[0].detail

    assert "right by the record (9.3" in found("4k3/8/8/8/8/8/8/R3K3 w - - 99 80")
    assert "not three times, and" in found("4k3/8/8/8/8/8/8/R3K3 w - - 9 80")
    table = CoreTable()
    for move in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]:
        station = table.state.on_move.value
        table.say(station, move, act="announce")
        table.press(station)
    table.done("black", cmd.Propose(what="claim_draw"))
    assert "right by the record (9.2" in only(table.say("black", "Ng8", act="announce"), ev.Alerted)[0].detail


def test_who_is_asked_what() -> None:
    table = CoreTable()
    (asked,) = table.done("white", cmd.Propose(what="resign", utterance="u"))
    own, other = Station("white", Role.PLAYER, Seat.WHITE), Station("black", Role.PLAYER, Seat.BLACK)
    assert view(asked, table.state, own) == Question(ask="resign", utterance="u")
    assert view(asked, table.state, other) is None
