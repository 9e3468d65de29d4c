"""Words that bind, said by voice: what stands at once, what waits for a yes, and since when it stands."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.claims.proposals import private_ear
from server.game.game import Game
from server.game.laws.event_options import EventOptions
from server.game.laws.scoresheet import Scoresheet
from server.game.values.words import Duty, Role, Seat, SeatKind, Station
from server.game.views.messages import Question, Understood
from server.game.views.view import view
from tests.game.core_table import CoreTable, altered, kinds, only, play, said


def doubtful(what: Any, at_ms: int) -> cmd.Propose:
    return cmd.Propose(what=what, sure=False, at_ms=at_ms)


@pytest.mark.law("L064")
def test_one_word_claims_the_flag_and_there_is_no_second_step() -> None:
    table = CoreTable(control="60")
    table.wait(61_000)
    events = table.done("black", cmd.Propose(what="claim_time", at_ms=table.now - 400))
    (claimed,) = only(events, ev.TimeClaimed)
    assert claimed.at == table.now - 400 and table.state.time.clock.running is None and not table.state.ending.pending


@pytest.mark.law("L064")
def test_a_doubtful_claim_of_the_flag_stands_from_its_sound_with_a_yes() -> None:
    table = CoreTable(control="60")
    table.wait(61_000)
    said_at = table.now - 900
    asked = table.done("black", doubtful("claim_time", said_at))
    assert kinds(asked)[-1] == "Proposed" and table.state.time.clock.running is Seat.WHITE
    table.wait(3_000)
    events = table.done("black", cmd.Confirm(yes=True))
    assert only(events, ev.TimeClaimed)[0].at == said_at and only(events, ev.ClockPaused)
    assert "no flag was down" not in only(events, ev.Alerted)[0].detail


def test_a_claim_said_too_early_does_not_become_right_while_it_is_confirmed() -> None:
    table = CoreTable(control="60")
    table.wait(55_000)
    table.done("black", doubtful("claim_time", table.now))
    table.wait(6_000)
    events = table.done("black", cmd.Confirm(yes=True))
    assert "no flag had fallen when this was said" in only(events, ev.Alerted)[-1].detail


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
    assert isinstance(table.do("white", cmd.Confirm(yes=True)), Refusal) and table.state.ending.resigned is None


@pytest.mark.law("L044")
def test_ten_seconds_take_it_away_and_nobody_else_does() -> None:
    table = CoreTable()
    table.done("white", cmd.Propose(what="resign"))
    assert isinstance(table.do("black", cmd.Confirm(yes=True)), Refusal), "White's own yes"
    table.done("black", cmd.Adjust())
    assert table.state.ending.pending_of(Seat.WHITE) is not None
    table.wait(10_001)
    assert isinstance(table.do("white", cmd.Confirm(yes=True)), Refusal)
    (lapsed,) = only(table.events, ev.ProposalSettled)
    assert lapsed.outcome == "lapsed" and not table.state.ending.pending


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
    assert offered.at == said_at and offered.after == 1 and table.state.draws.offer_by is Seat.WHITE
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
    assert table.state.draws.offer_by is None and table.state.draws.offers == (1, 0)


@pytest.mark.law("L101")
def test_a_sure_offer_stands_at_once_and_an_acceptance_is_asked_about() -> None:
    table = CoreTable()
    play(table, "e4 e5")
    table.done("white", cmd.Propose(what="draw_offer"))
    assert table.state.draws.offer_by is Seat.WHITE
    table.done("black", cmd.Propose(what="draw_accept"))
    assert not table.state.over
    table.done("black", cmd.Confirm(yes=True))
    assert table.state.ending.result == "1/2-1/2"


@pytest.mark.law("L104", "L109")
@pytest.mark.parametrize("kind", [SeatKind.TACTILE, SeatKind.SIGHTED])
def test_a_spoken_claim_stops_the_clocks_and_takes_the_next_words_as_the_intended_move(kind: SeatKind) -> None:
    table = CoreTable(white=kind)
    helper = table.assistant(Seat.WHITE, Duty.ANNOUNCE)
    opened = table.done("white", cmd.Propose(what="claim_draw"))
    assert only(opened, ev.DrawClaimed)[0].awaits and table.state.time.clock.running is None
    assert private_ear(table.state, Seat.WHITE) and not private_ear(table.state, Seat.BLACK)
    before = table.state
    table.mumble("white", "u1")
    assert table.state == before, "a sound that was not understood is nobody's move"
    events = table.say("white", "Nf3")
    (stated,) = only(events, ev.IntendedStated)
    assert stated.announcement == said("Nf3") and not table.state.moves.plies
    assert [one.source for one in only(events, ev.ScoreWritten)] == (["claim"] if kind is SeatKind.TACTILE else [])
    assert "intended move g1 to f3" in only(events, ev.Alerted)[0].detail
    held = table.state.draws.claim
    assert kinds(table.say("white", "Nc3")) == ["SaidToArbiter"] and table.state.draws.claim == held, (
        "it cannot be changed"
    )
    outsiders = [Station("black", Role.PLAYER, Seat.BLACK), Station("d", Role.DISPLAY)]
    helping = next(one for one in table.state.stations.admitted if one.id == helper)
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
    table.done("black", cmd.Confirm(yes=False))
    assert table.state.draws.offer_by is None and table.state.draws.claim is not None, (
        "that answers the offer in it (9.1.2.3)"
    )
    (stated,) = only(table.done("white", cmd.Confirm(yes=False)), ev.IntendedStated)
    assert stated.announcement is None and table.state.draws.claim is not None and not table.state.draws.claim.awaits
    assert isinstance(table.do("white", cmd.Confirm(yes=False)), Refusal), "and it cannot be withdrawn"
    table.done("arbiter", cmd.RuleClaim(ruling="correct"))
    assert table.state.ending.result == "1/2-1/2"


@pytest.mark.law("L104")
def test_a_sighted_claimant_shows_the_move_on_their_stations_board_and_it_moves_nothing() -> None:
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

    assert ": correct according to the record (9.3" in found("4k3/8/8/8/8/8/8/R3K3 w - - 99 80")
    assert "not three times, and" in found("4k3/8/8/8/8/8/8/R3K3 w - - 9 80")
    table = CoreTable()
    for move in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]:
        station = table.state.on_move.value
        table.say(station, move, act="announce")
        table.press(station)
    table.done("black", cmd.Propose(what="claim_draw"))
    assert (
        ": correct according to the record (9.2"
        in only(table.say("black", "Ng8", act="announce"), ev.Alerted)[0].detail
    )


def test_who_is_asked_what() -> None:
    table = CoreTable()
    (asked,) = table.done("white", cmd.Propose(what="resign", utterance="u"))
    own, other = Station("white", Role.PLAYER, Seat.WHITE), Station("black", Role.PLAYER, Seat.BLACK)
    assert view(asked, table.state, own) == Question(ask="resign", utterance="u", within_ms=10_000)
    assert view(asked, table.state, other) is None


def offered(**more: Any) -> CoreTable:
    """A move each, and White's offer is open."""
    table = CoreTable(**more)
    play(table, "e4 e5")
    table.done("white", cmd.OfferDraw())
    return table


@pytest.mark.law("L101", "L047")
def test_a_spoken_yes_to_an_open_offer_is_asked_about_and_stands_from_its_sound() -> None:
    """What ends the game is confirmed always: a yes to somebody else in the hall accepts nothing."""
    table = offered()
    said_at = table.now
    asked = table.done("black", cmd.Confirm(yes=True, utterance="u", at_ms=said_at))
    (proposed,) = only(asked, ev.Proposed)
    assert (proposed.what, proposed.sound_ms, proposed.utterance) == ("draw_accept", said_at, "u")
    assert not table.state.over and table.state.draws.offer_by is Seat.WHITE
    table.wait(2_000)
    events = table.done("black", cmd.Confirm(yes=True))
    assert table.state.ending.result == "1/2-1/2" and only(events, ev.DrawAnswered)[0].accepted


@pytest.mark.law("L101", "L047")
def test_a_typed_yes_to_an_open_offer_is_asked_about_once() -> None:
    table = offered()
    table.done("black", cmd.Confirm(yes=True, typed=True))
    assert not table.state.over
    table.done("black", cmd.Confirm(yes=True, typed=True))
    assert table.state.ending.result == "1/2-1/2"


@pytest.mark.law("L101")
@pytest.mark.parametrize("typed", [True, False])
def test_no_to_an_open_offer_rejects_it_orally(typed: bool) -> None:
    table = offered()
    events = table.done("black", cmd.Confirm(yes=False, typed=typed))
    assert not only(events, ev.DrawAnswered)[0].accepted and table.state.draws.offer_by is None and not table.state.over


@pytest.mark.law("L101")
def test_a_doubtful_no_is_asked_about() -> None:
    table = offered()
    table.done("black", cmd.Confirm(yes=False, sure=False))
    assert table.state.draws.offer_by is Seat.WHITE and table.state.ending.pending_of(Seat.BLACK) is not None
    (answered,) = only(table.done("black", cmd.Confirm(yes=True)), ev.DrawAnswered)
    assert not answered.accepted and not table.state.over


@pytest.mark.law("L101", "L044")
@pytest.mark.parametrize("yes", [True, False])
def test_an_own_question_is_answered_before_the_offer(yes: bool) -> None:
    table = offered()
    table.done("black", cmd.Propose(what="resign"))
    table.done("black", cmd.Confirm(yes=yes, typed=True))
    assert (table.state.ending.resigned is Seat.BLACK) is yes
    if not yes:
        assert table.state.draws.offer_by is Seat.WHITE, "that no was about the other question"


@pytest.mark.law("L101", "L104")
def test_while_the_intended_move_is_awaited_no_means_without_a_move_and_answers_no_offer() -> None:
    table = offered()
    play(table, "Nf3")
    table.done("black", cmd.Propose(what="claim_draw"))
    assert table.do("black", cmd.Confirm(yes=True)) == Refusal("nothing_asked", "")
    table.done("black", cmd.Confirm(yes=False))
    assert table.state.draws.claim is not None and not table.state.draws.claim.awaits
    assert table.state.draws.offer_by is Seat.WHITE, "the opponent's offer is not answered by that"


@pytest.mark.law("L101")
def test_nobody_answers_their_own_offer_nor_one_that_has_not_reached_them() -> None:
    table = offered()
    assert table.do("white", cmd.Confirm(yes=True)) == Refusal("nothing_asked", "")
    table.state = altered(table.state, {"draws.offer_delivered": False})
    assert table.do("black", cmd.Confirm(yes=True)) == Refusal("nothing_asked", "")


@pytest.mark.law("L104", "L107", "L109")
@pytest.mark.parametrize("kind", ["repetition", "fifty_moves", "unstated"])
def test_a_claim_names_its_kind_and_its_intended_move_follows_for_the_arbiter_alone(kind: Any) -> None:
    """As at the table: White declares what is claimed, and the move that White has written (9.2.1, 9.3.1)."""
    table = CoreTable(white=SeatKind.SIGHTED, black=SeatKind.TACTILE)
    opened = table.done("white", cmd.ClaimDraw(kind=kind, awaits=True))
    (claimed,) = only(opened, ev.DrawClaimed)
    assert (claimed.kind, claimed.awaits) == (kind, True) and table.state.time.clock.running is None
    table.say("white", "Nf3")
    claim = table.state.draws.claim
    assert claim is not None and (claim.kind, claim.text, claim.awaits) == (kind, "Nf3", False)
    assert only(table.events, ev.Alerted)[-1].kind == "draw_claimed"
    table.say("white", "Nc3")
    assert table.state.draws.claim == claim, "it cannot be changed"


@pytest.mark.law("L235")
def test_no_intended_move_is_awaited_in_a_quickplay_finish() -> None:
    table = CoreTable(control="900", regulations=EventOptions(guidelines=("III",)))
    table.wait(800_000)
    table.done("white", cmd.ClaimDraw(kind="increment", awaits=True))
    assert table.state.draws.claim is not None and not table.state.draws.claim.awaits


@pytest.mark.law("L104", "L086")
def test_who_writes_their_score_here_has_the_intended_move_written_in_it_as_the_claim_is_made() -> None:
    table = CoreTable(white=SeatKind.SIGHTED, black=SeatKind.TACTILE)
    table.done("arbiter", cmd.RecordScoresheet(seat=Seat.WHITE, sheet=Scoresheet.STATION))
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Nf3"), text="Nf3"))
    assert table.score(Seat.WHITE) == ["Nf3"]
    paper = CoreTable(white=SeatKind.SIGHTED, black=SeatKind.TACTILE)
    paper.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Nf3"), text="Nf3"))
    assert paper.score(Seat.WHITE) == [], "on paper White writes it"


def moved(**more: Any) -> CoreTable:
    """A move each; some time has passed."""
    table = CoreTable(**more)
    play(table, "e4 e5")
    table.wait(7)
    return table


@pytest.mark.law("L101", "L044")
@pytest.mark.parametrize(
    ("what", "early", "found"),
    [
        ("resign", 3, "2"),
        ("draw_offer", 3, "before_move"),
        ("draw_accept", 3, "2"),
        ("draw_decline", 3, ""),
        ("claim_time", 3, ""),
        ("claim_draw", 3, ""),
        ("resign", 0, "2"),
        ("resign", -5_000, "2"),
    ],
)
def test_what_is_noted_with_the_question_is_the_instant_of_the_sound_and_what_held_then(
    what: Any, early: int, found: str
) -> None:
    """A sound is never later than now; ten seconds run from the question."""
    table = moved()
    at = table.now
    body = cmd.Propose(what=what, sure=False, at_ms=at - early, utterance="u")
    assert table.done("white", body) == (
        ev.Proposed(
            at=at,
            seat=Seat.WHITE,
            what=what,
            sound_ms=min(at, at - early),
            until_ms=at + 10_000,
            after=2,
            found=found,
            utterance="u",
        ),
    )


@pytest.mark.law("L101")
@pytest.mark.parametrize(
    ("seat", "announced", "moment"),
    [("white", False, "before_move"), ("white", True, "after_move"), ("black", False, "opponents_time")],
)
def test_the_moment_of_an_offer_is_that_of_its_sound(seat: str, announced: bool, moment: str) -> None:
    table = moved()
    if announced:
        table.say("white", "Nf3", act="announce")
    (asked,) = only(table.done(seat, doubtful("draw_offer", table.now)), ev.Proposed)
    assert (asked.found, asked.after) == (moment, 2 + announced)


@pytest.mark.law("L044")
@pytest.mark.parametrize(("waited", "stands"), [(10_000, True), (10_001, False)])
def test_a_yes_counts_for_ten_seconds_and_from_the_sound(waited: int, stands: bool) -> None:
    table = moved(mates=False)
    said_at = table.now
    table.done("white", cmd.Propose(what="resign"))
    table.wait(waited)
    found = table.do("white", cmd.Confirm(yes=True))
    if not stands:
        assert found == Refusal("nothing_asked", "")
        return
    assert not isinstance(found, Refusal) and found[:3] == (
        ev.ProposalSettled(at=table.now, seat=Seat.WHITE, what="resign", outcome="confirmed"),
        ev.Resigned(at=said_at, seat=Seat.WHITE),
        ev.ClockPaused(at=table.now, by=Role.PLAYER, seat=Seat.WHITE, reason="resigned"),
    )
    assert [(one.ply, one.announced) for one in only(found, ev.MateAsked)] == [(2, 0)], "no move was announced"


@pytest.mark.law("L044", "L101")
@pytest.mark.parametrize("what", ["resign", "draw_offer"])
@pytest.mark.parametrize(
    ("said_after", "heard_after", "by", "between", "stands"),
    [
        (10_000, 15_000, "", None, True),
        (10_001, 10_500, "", None, False),  # it was said too late
        (10_000, 15_001, "", None, False),  # the player was told that nothing was taken
        (9_900, 10_500, "program", cmd.KeepSound(seat=Seat.WHITE, utterance="u", sha256=None, length_ms=1), True),
        (9_900, 10_500, "program", cmd.NoteInstant(), True),
        (9_900, 10_500, "program", cmd.SenseMove(seat=Seat.WHITE, uci="g1f3"), False),  # nothing over another act
        (9_900, 10_500, "white", cmd.Adjust(), False),
        (9_900, 10_500, "black", cmd.Press(), False),
        (9_900, 10_500, "arbiter", cmd.NoteIncident(kind="noise", text="x"), False),
        (9_900, 10_500, "white", cmd.Confirm(yes=True), False),  # nothing is asked any more: the player was told so
    ],
)
def test_a_yes_counts_by_when_it_was_said_and_over_no_act_that_came_between(
    what: Any, said_after: int, heard_after: int, by: str, between: cmd.AnyAct | None, stands: bool
) -> None:
    table = moved(mates=False)
    asked_at = table.now
    table.done("white", doubtful(what, asked_at))
    if between is not None:
        table.now = asked_at + 10_100
        table.do(by, between)
    table.now = asked_at + heard_after
    found = table.do("white", cmd.Confirm(yes=True, utterance="yes", at_ms=asked_at + said_after))
    settled = [one.outcome for one in only(table.events, ev.ProposalSettled)]
    assert settled == ["confirmed" if stands else "lapsed"] and not table.state.ending.pending
    if not stands:
        assert found == Refusal("nothing_asked", "")
    assert stands is bool(only(table.events, ev.Resigned) or only(table.events, ev.DrawOffered))


@pytest.mark.law("L044", "L101")
@pytest.mark.parametrize("yes", [True, False])
def test_a_word_that_was_said_before_the_question_answers_it_in_no_way(yes: bool) -> None:
    """The word was recognised late: meanwhile its player resigned by a key."""
    table = moved()
    said_at = table.now
    table.wait(300)
    table.done("white", cmd.Propose(what="resign"))
    table.wait(200)
    assert table.do("white", cmd.Confirm(yes=yes, at_ms=said_at)) == Refusal("nothing_asked", "")
    assert table.state.ending.pending_of(Seat.WHITE) is not None
    assert only(table.done("white", cmd.Confirm(yes=True, at_ms=table.now)), ev.Resigned)


@pytest.mark.law("L044")
def test_a_question_that_lapsed_is_settled_for_its_own_player_only() -> None:
    table = moved()
    table.done("white", cmd.Propose(what="resign"))
    table.wait(4_000)
    table.done("black", cmd.Propose(what="resign"))
    table.wait(11_001)  # White's time is over, and so is that in which a yes of then may still be recognised
    settled = only(table.own(cmd.NoteInstant()), ev.ProposalSettled)
    assert settled == [ev.ProposalSettled(at=table.now, seat=Seat.WHITE, what="resign", outcome="lapsed")]
    assert [one.seat for one in table.state.ending.pending] == [Seat.BLACK]


@pytest.mark.law("L044", "L101")
@pytest.mark.parametrize(
    ("what", "other", "dropped"),
    [
        ("resign", cmd.Ask(what="help"), False),
        ("resign", cmd.Ask(what="last"), True),
        ("draw_accept", cmd.Ask(what="time"), True),
        ("draw_offer", cmd.Ask(what="time"), False),
        ("draw_decline", cmd.Ask(what="time"), False),
        ("claim_time", cmd.Ask(what="time"), False),
        ("claim_draw", cmd.Ask(what="time"), False),
    ],
)
def test_only_what_ends_the_game_is_taken_away_by_something_else(what: Any, other: Any, dropped: bool) -> None:
    table = moved()
    table.done("white", doubtful(what, table.now))
    settled = only(table.done("white", other), ev.ProposalSettled)
    gone = ev.ProposalSettled(at=table.now, seat=Seat.WHITE, what=what, outcome="dropped")
    assert settled == ([gone] if dropped else [])


@pytest.mark.law("L101")
def test_the_clock_read_out_for_choosing_asks_anew_and_takes_any_other_question_away() -> None:
    table = CoreTable(started=False)
    table.done("white", doubtful("draw_offer", table.now))
    settled = only(table.done("white", cmd.ChooseClock(controls=("600",))), ev.ProposalSettled)
    assert [one.outcome for one in settled] == ["dropped"]


@pytest.mark.law("L101", "L047")
@pytest.mark.parametrize(
    ("what", "sure"),
    [("draw_accept", True), ("draw_accept", False), ("draw_decline", True), ("draw_decline", False)],
)
def test_without_an_offer_there_is_nothing_to_accept_or_to_decline(what: Any, sure: bool) -> None:
    table = moved()
    found = table.do("white", cmd.Propose(what=what, sure=sure))
    if not isinstance(found, Refusal):
        found = table.do("white", cmd.Confirm(yes=True))
    assert found == Refusal("no_offer", "9.1.2.1")


@pytest.mark.law("L101", "L047")
@pytest.mark.parametrize(
    ("yes", "sure", "asked"),
    [(True, True, "draw_accept"), (True, False, "draw_accept"), (False, False, "draw_decline"), (False, True, "")],
)
def test_an_answer_in_words_to_an_open_offer_keeps_its_sound(yes: bool, sure: bool, asked: str) -> None:
    table = moved()
    table.done("black", cmd.OfferDraw())
    at, said_at = table.now, table.now - 4
    events = table.done("white", cmd.Confirm(yes=yes, sure=sure, utterance="u", at_ms=said_at))
    rejected = ev.DrawAnswered(at=at, seat=Seat.WHITE, accepted=False)
    if not asked:
        assert events == (rejected,)
        return
    found = "2" if yes else ""
    question: Any = {"what": asked, "sound_ms": said_at, "until_ms": at + 10_000, "after": 2, "found": found}
    assert events == (ev.Proposed(at=at, seat=Seat.WHITE, utterance="u", **question),)
    confirmed = ev.ProposalSettled(at=at, seat=Seat.WHITE, what=asked, outcome="confirmed")
    assert table.done("white", cmd.Confirm(yes=True)) == (
        (confirmed, rejected)
        if not yes
        else (
            confirmed,
            ev.DrawAnswered(at=at, seat=Seat.WHITE, accepted=True),
            ev.GameEnded(at=at, result="1/2-1/2", reason="draw_agreed", article="5.2.3"),
        )
    )


@pytest.mark.law("L104", "L109")
def test_a_doubtful_claim_of_a_draw_stands_from_its_sound_with_a_yes() -> None:
    table = moved()
    said_at = table.now
    table.done("white", doubtful("claim_draw", said_at))
    table.wait(20)
    (claimed,) = only(table.done("white", cmd.Confirm(yes=True)), ev.DrawClaimed)
    assert claimed == ev.DrawClaimed(at=said_at, seat=Seat.WHITE, ply=2, kind="unstated", awaits=True)


@pytest.mark.law("L064")
def test_a_refused_claim_on_time_stops_no_clock() -> None:
    table = moved()
    table.done("white", doubtful("claim_time", table.now))
    assert table.done("white", cmd.Confirm(yes=False)) == (
        ev.ProposalSettled(at=table.now, seat=Seat.WHITE, what="claim_time", outcome="refused"),
    )
    assert table.state.time.clock.running is Seat.WHITE


@pytest.mark.law("L057", "L044")
def test_a_word_that_is_asked_about_takes_the_choosing_of_the_clock_away() -> None:
    """One yes never serves two questions."""
    table = CoreTable(started=False)
    table.done("white", cmd.ChooseClock(controls=("600",)))
    ended, asked = table.done("white", cmd.Propose(what="resign"))
    assert ended == ev.ClockChoiceEnded(at=table.now, seat=Seat.WHITE, outcome="dropped")
    assert isinstance(asked, ev.Proposed) and table.state.time.choosing == ()
