"""A quickplay finish as its players reach it: settled before the start, and claimed in words (Guidelines III)."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.game import Game
from server.game.laws.event_options import EventOptions, Guideline
from server.game.values.words import Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.game.views.view import greeting, view
from tests.conformance.law_table import QUICK, quick, rule_claim
from tests.game.core_table import CoreTable, alerts, only, play, told

WORD = cmd.Propose(what="claim_draw")
ALONE = EventOptions(guidelines=("III",), unsupervised=True)


def asked(table: CoreTable, seat: Seat = Seat.WHITE) -> list[str]:
    return [one.ask for one in told(table, seat) if isinstance(one, msg.Question)]


def not_begun(regulations: EventOptions | None = None, control: str = "1800") -> CoreTable:
    return CoreTable(control=control, regulations=regulations or EventOptions(), started=False)


@pytest.mark.law("L232")
def test_l232_the_arbiter_settles_it_before_the_start_and_the_players_are_told() -> None:
    table = not_begun(EventOptions(guidelines=("II",)))
    settle = cmd.SettleGuidelines(adjournments=True, quickplay=True)
    (settled,) = only(table.done("arbiter", settle), ev.GuidelinesSettled)
    assert (settled.guidelines, settled.quickplay, settled.unsupervised) == (("I", "II", "III"), True, False)
    for seat in Seat:
        assert view(settled, table.state, Station(seat.value, Role.PLAYER, seat)) == msg.GuidelinesShown(quickplay=True)
    here = greeting(table.state, Station("white", Role.PLAYER, Seat.WHITE), table.now)
    assert (here.quickplay, here.unsupervised) == (True, False)
    table.done("arbiter", cmd.StartGame())
    refused = table.do("arbiter", cmd.SettleGuidelines(adjournments=True, quickplay=False))
    assert refused == Refusal("guidelines_before_start", "III.2.1")
    # Adjournments are no matter of the start.
    table.done("arbiter", cmd.SettleGuidelines(adjournments=False, quickplay=True))
    assert table.state.table.regulations.guidelines == ("II", "III")
    assert Game.replay(table.events).table.regulations == table.state.table.regulations
    assert table.do("white", settle) == Refusal("only_the_arbiter", "12.3")


@pytest.mark.law("L232", "L233")
@pytest.mark.parametrize(("control", "holds"), [("1800", True), ("1800+5", False), ("300", False)])
def test_l233_a_player_is_told_at_the_admission_where_it_holds(control: str, holds: bool) -> None:
    table = not_begun(QUICK, control)
    admitted = only(table.events, ev.StationAdmitted)
    for event in admitted:
        station = Station(event.station, event.role, event.seat)
        shown = view(event, table.state, station)
        if event.role is Role.PLAYER:
            assert shown == (msg.GuidelinesShown(quickplay=True) if holds else None)
            other = Station("x", Role.PLAYER, event.seat)
            assert view(event, table.state, other) is None, "the admission of another device"
    assert any(event.role is Role.PLAYER for event in admitted)


@pytest.mark.law("L232", "L233")
def test_l233_where_the_clock_is_set_before_the_start_the_players_are_told_what_holds_then() -> None:
    table = not_begun(QUICK, "1800+5")
    assert not any(isinstance(one, msg.GuidelinesShown) for one in told(table, Seat.WHITE))
    for control, holds in (("1800", True), ("1700", None), ("180", False)):
        before = len(told(table, Seat.WHITE))
        table.done("arbiter", cmd.SetUpClock(control=control))
        shown = [one for one in told(table, Seat.WHITE)[before:] if isinstance(one, msg.GuidelinesShown)]
        assert shown == ([] if holds is None else [msg.GuidelinesShown(quickplay=holds)]), control


@pytest.mark.law("L235")
def test_l235_the_word_of_the_claim_leads_to_the_request() -> None:
    table = quick()
    table.done("white", WORD)
    assert table.state.time.clock.running is None and asked(table) == ["claim_increment"]
    assert table.state.draws.offer_by is None, "which claim it is, is not known yet"
    table.done("white", cmd.Confirm(yes=True))
    claim = table.state.draws.claim
    assert claim is not None and (claim.kind, claim.awaits, claim.asks) == ("increment", False, ())
    assert table.state.draws.offer_by is Seat.WHITE, "the request is an offer too (III.4)"
    assert "requests five extra seconds per move (III.4)" in alerts(table, "draw_claimed")[-1].detail
    rule_claim(table, "correct")
    table.done("arbiter", cmd.Resume())
    before = table.state.time.clock.remaining(Seat.WHITE, table.now)
    play(table, "e4")
    assert table.state.time.clock.remaining(Seat.WHITE, table.now) == before + 5_000


@pytest.mark.law("L236")
@pytest.mark.parametrize(("answers", "ground"), [((True,), "cannot_win"), ((False, True), "no_effort")])
def test_l236_where_the_request_was_refused_the_word_leads_to_the_grounds(
    answers: tuple[bool, ...], ground: str
) -> None:
    table = quick()
    table.done("white", WORD)
    table.done("white", cmd.Confirm(yes=True))
    rule_claim(table, "wrong")
    table.done("black", cmd.AnswerDraw(accept=False))
    table.done("arbiter", cmd.Resume())
    table.done("white", WORD)
    for yes in answers:
        table.done("white", cmd.Confirm(yes=yes))
    assert asked(table)[1:] == ["claim_cannot_win", "claim_no_effort"][: len(answers)]
    claim = table.state.draws.claim
    assert claim is not None and (claim.kind, claim.ground) == ("quickplay", ground)
    assert table.state.draws.offer_by is None, "a claim under III.5 is no offer"
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L106", "L236")
def test_after_the_last_no_it_is_a_claim_by_the_score_and_asks_for_the_move() -> None:
    table = quick()
    table.done("white", WORD)
    table.done("white", cmd.Ask(what="last"))
    assert asked(table) == ["claim_increment"] * 2, "said again"
    table.done("white", cmd.Confirm(yes=False))
    assert asked(table)[2:] == ["intended"] and table.state.draws.offer_by is Seat.WHITE
    table.done("white", cmd.Confirm(yes=False))
    claim = table.state.draws.claim
    assert claim is not None and (claim.kind, claim.awaits) == ("unstated", False)
    # A player who says the move at once has said which claim it is.
    other = quick()
    other.done("white", WORD)
    other.say("white", "Nf3")
    claim = other.state.draws.claim
    assert claim is not None and (claim.kind, claim.text, claim.asks, claim.awaits) == ("unstated", "Nf3", (), False)
    assert other.state.draws.offer_by is Seat.WHITE and other.state.made_plies == 0


@pytest.mark.law("L232", "L235")
@pytest.mark.parametrize("regulations", [EventOptions(), QUICK])
def test_nobody_is_asked_where_none_of_it_may_be_had(regulations: EventOptions) -> None:
    table = CoreTable(control="1800", regulations=regulations)
    if not regulations.guidelines:
        table.wait(1_700_000)
    table.done("white", WORD)
    assert asked(table) == ["intended"]


@pytest.mark.law("L235")
def test_the_question_depends_on_the_clock_and_on_no_position() -> None:
    heard = []
    for fen in ("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"):
        table = CoreTable(fen=fen, control="1800", regulations=QUICK, black=SeatKind.TACTILE)
        table.wait(1_700_000)
        table.done("white", WORD)
        table.done("white", cmd.Confirm(yes=False))
        heard.append([told(table, seat) for seat in Seat])
    assert heard[0] == heard[1]


@pytest.mark.law("L240")
@pytest.mark.parametrize("agrees", [True, False])
def test_l240_without_an_arbiter_the_claim_and_the_verifying_are_said_in_words(agrees: bool) -> None:
    table = CoreTable(control="1800", regulations=ALONE, black=SeatKind.TACTILE)
    table.wait(1_700_000)
    table.done("white", WORD)
    assert asked(table) == ["claim_cannot_win"]
    table.done("white", cmd.Confirm(yes=False))
    table.done("white", cmd.Confirm(yes=True))
    assert table.state.draws.concluded is not None and table.state.draws.concluded.ground == "no_effort"
    assert table.do("white", cmd.Confirm(yes=True)) == Refusal("nothing_asked", "")
    table.done("black", cmd.Confirm(yes=agrees))
    assert table.state.draws.concluded.agrees is agrees
    assert table.do("black", cmd.Confirm(yes=True)) == Refusal("nothing_asked", "")
    rule_claim(table, "correct")
    assert table.state.ending.result == "1/2-1/2"


@pytest.mark.law("L232", "L233")
@pytest.mark.parametrize(
    ("control", "announced", "adjournments", "quickplay", "unsupervised", "guidelines", "holds"),
    [
        ("1800", (), True, False, False, ("I",), False),
        ("1800", (), False, True, False, ("III",), True),
        ("1800", ("II",), True, True, True, ("I", "II", "III"), True),
        ("1800", ("I", "III"), False, False, False, (), False),
        ("600", (), False, True, False, ("III",), False),  # blitz
        ("1800+5", (), False, True, True, ("III",), False),  # an increment
    ],
)
def test_l232_what_the_regulations_say_is_on_record_with_whether_a_quickplay_finish_is_played(
    control: str,
    announced: tuple[Guideline, ...],
    adjournments: bool,
    quickplay: bool,
    unsupervised: bool,
    guidelines: tuple[Guideline, ...],
    holds: bool,
) -> None:
    table = CoreTable(control=control, started=False, regulations=EventOptions(guidelines=announced))
    body = cmd.SettleGuidelines(adjournments=adjournments, quickplay=quickplay, unsupervised=unsupervised)
    assert list(table.done("arbiter", body)) == [
        ev.GuidelinesSettled(at=1_000, guidelines=guidelines, unsupervised=unsupervised, quickplay=holds)
    ]
    table.done("arbiter", cmd.StartGame())
    other = cmd.SettleGuidelines(adjournments=not adjournments, quickplay=quickplay, unsupervised=unsupervised)
    (settled,) = table.done("arbiter", other)
    assert isinstance(settled, ev.GuidelinesSettled) and ("I" in settled.guidelines) is not adjournments
    for late in (
        cmd.SettleGuidelines(adjournments=adjournments, quickplay=not quickplay, unsupervised=unsupervised),
        cmd.SettleGuidelines(adjournments=adjournments, quickplay=quickplay, unsupervised=not unsupervised),
    ):
        assert table.do("arbiter", late) == Refusal("guidelines_before_start", "III.2.1")


@pytest.mark.law("L232", "L057")
def test_l232_a_clock_set_before_the_start_tells_where_the_quickplay_finish_holds_by_it_or_no_more() -> None:
    regulations = EventOptions(guidelines=("I", "III"), unsupervised=True)
    table = CoreTable(control="1800", started=False, regulations=regulations)
    settled = []
    for control in ("1500", "1500+5", "1800+10", "600", "1800"):
        done = table.done("arbiter", cmd.SetUpClock(control=control))
        settled.append([(one.guidelines, one.unsupervised, one.quickplay) for one in only(done, ev.GuidelinesSettled)])
    no, yes = [(("I", "III"), True, False)], [(("I", "III"), True, True)]
    assert settled == [[], no, [], [], yes]
    assert only(table.done("arbiter", cmd.NotePresent(seat=Seat.WHITE)), ev.GuidelinesSettled) == []
    table.adapt("player_sets_clock")
    table.done("white", cmd.ChooseClock(controls=("1500+5",)))
    chosen = table.done("white", cmd.Confirm(yes=True))
    assert [(one.guidelines, one.unsupervised, one.quickplay) for one in only(chosen, ev.GuidelinesSettled)] == no
