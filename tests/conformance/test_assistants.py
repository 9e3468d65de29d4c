"""Assistants, two boards and a hearing-impaired opponent (4.9, 6.2.6, 8.1.6, D.1, D.2.10, D.2.11)."""

from __future__ import annotations

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.state.apply import apply
from server.game.values.words import Boards, Duty, Mode, Role, Seat, SeatKind
from server.game.views import messages as msg
from server.game.views.view import view
from tests.game.core_table import CoreTable, altered, only


def admit(seat: Seat, *duties: Duty, **more: object) -> cmd.Admit:
    body = cmd.Admit(station=f"helper-{seat.value}", role=Role.ASSISTANT, seat=seat, duties=duties)
    return msgspec.structs.replace(body, **more)


def alerts(events: object) -> list[str]:
    assert isinstance(events, tuple)
    return [alert.kind for alert in only(events, ev.Alerted)]


def hearing_impaired(*, started: bool = True) -> CoreTable:
    """Black, who is sighted, does not hear; White plays by touch."""
    table = CoreTable(started=False)
    opened = table.events[0]
    assert isinstance(opened, ev.TableOpened)
    plan = msgspec.structs.replace(opened.black, hearing_impaired=True)
    table.state = apply(table.state, msgspec.structs.replace(opened, black=plan))
    for event in table.events[1:]:
        table.state = apply(table.state, event)
    if started:
        table.assistant(Seat.WHITE, Duty.ANNOUNCE)
        table.done("arbiter", cmd.StartGame())
    return table


@pytest.mark.law("L199")
def test_l199_a_visually_disabled_players_assistant_has_any_of_the_six_duties() -> None:
    table = CoreTable(started=False)
    for count in range(len(Duty) + 1):
        table.done("program", admit(Seat.WHITE, *list(Duty)[:count]))


@pytest.mark.law("L206")
def test_l206_the_sighted_players_assistant_has_two_duties_at_most() -> None:
    table = CoreTable(started=False)
    for duty in Duty:
        refused = None if duty in (Duty.EXECUTE, Duty.ANNOUNCE) else Refusal("two_duties_only", "D.2.11")
        said = table.do("program", admit(Seat.BLACK, Duty.EXECUTE, duty))
        assert said == refused if refused is not None else not isinstance(said, Refusal)


@pytest.mark.law("L206")
def test_l206_and_only_where_the_tactile_player_has_none() -> None:
    table = CoreTable(started=False)
    table.done("program", admit(Seat.WHITE, Duty.INFORM))
    assert table.do("program", admit(Seat.BLACK, Duty.EXECUTE)) == Refusal("has_an_assistant", "D.2.11")


@pytest.mark.law("L206")
def test_l206_the_tactile_players_right_comes_first_and_the_arbiter_is_told_of_the_other() -> None:
    table = CoreTable(started=False)
    table.done("program", admit(Seat.BLACK, Duty.EXECUTE))
    assert alerts(table.done("program", admit(Seat.WHITE, Duty.INFORM))) == ["second_assistant"]


@pytest.mark.law("L206", "L042")
@pytest.mark.parametrize(
    ("duties", "under", "counts"),
    [((Duty.INFORM,), "", True), ((), "", False), ((Duty.EXECUTE,), "4.9", False), ((), "4.9", False)],
)
def test_l206_the_other_has_an_assistant_only_where_somebody_has_a_duty_under_appendix_d(
    duties: tuple[Duty, ...], under: str, counts: bool
) -> None:
    table = CoreTable(started=False)
    table.done("program", admit(Seat.WHITE, *duties, under=under))
    refused = table.do("program", admit(Seat.BLACK, Duty.EXECUTE))
    assert refused == Refusal("has_an_assistant", "D.2.11") if counts else not isinstance(refused, Refusal)
    table.done("program", cmd.Admit(station="tablet", role=Role.PLAYER, seat=Seat.BLACK))


@pytest.mark.law("L206", "L056")
def test_only_an_assistant_and_only_one_too_many_gives_the_arbiter_anything_to_think_of() -> None:
    table = CoreTable(started=False)
    assert alerts(table.done("program", admit(Seat.WHITE, Duty.INFORM))) == [], "there is no other"
    table = CoreTable(started=False)
    table.done("program", admit(Seat.BLACK, Duty.EXECUTE))
    for more in ({"duties": ()}, {"duties": (Duty.EXECUTE,), "under": "4.9"}):
        assert alerts(table.done("program", admit(Seat.WHITE, **more))) == [], more
    tablet = cmd.Admit(station="tablet", role=Role.PLAYER, seat=Seat.WHITE, duties=(Duty.INFORM,))
    assert alerts(table.done("program", tablet)) == []
    other = msgspec.structs.replace(tablet, station="other", seat=Seat.BLACK, under="6.2.6")
    assert alerts(table.done("program", other)) == []
    (told,) = only(table.done("program", admit(Seat.WHITE, Duty.INFORM, Duty.ANNOUNCE)), ev.Alerted)
    detail = "White now has an assistant; Black already had helper-black (D.2.11)"
    assert told == ev.Alerted(at=1_000, kind="second_assistant", ply=0, grey=False, detail=detail)


@pytest.mark.law("L206")
def test_between_two_sighted_players_appendix_d_limits_nothing() -> None:
    table = CoreTable(white=SeatKind.SIGHTED, started=False)
    table.done("program", admit(Seat.WHITE, *Duty))
    assert alerts(table.done("program", admit(Seat.BLACK, *Duty))) == []


@pytest.mark.law("L042", "L056", "L091")
@pytest.mark.parametrize(
    ("under", "duty"), [("4.9", Duty.EXECUTE), ("6.2.6", Duty.SCORE_AND_CLOCK), ("8.1.6", Duty.SCORE_AND_CLOCK)]
)
def test_l042_an_assistant_by_another_article_has_that_duty_alone(under: str, duty: Duty) -> None:
    table = CoreTable(started=False)
    table.done("program", admit(Seat.WHITE, Duty.EXECUTE))
    table.done("program", admit(Seat.BLACK, duty, under=under, provided_by="player"))
    (station,) = [one for one in table.state.stations.admitted if one.id == "helper-black"]
    assert (station.under, station.provided_by) == (under, "player")
    assert table.do("program", admit(Seat.BLACK, Duty.INFORM, under=under)) == Refusal("not_his_duty", under)


@pytest.mark.law("L056", "L091")
@pytest.mark.parametrize("under", ["6.2.6", "8.1.6"])
def test_l056_l091_the_clock_is_adjusted_only_for_a_player_without_a_disability(under: str) -> None:
    table = CoreTable(started=False)
    assert alerts(table.done("program", admit(Seat.BLACK, under=under))) == ["adjustment_offered"]
    assert alerts(table.done("program", admit(Seat.WHITE, under=under))) == []
    taken = cmd.AddTime(seat=Seat.BLACK, ms=-600_000, article=under)
    table.done("arbiter", taken)
    mine = msgspec.structs.replace(taken, seat=Seat.WHITE)
    assert table.do("arbiter", mine) == Refusal("no_time_for_assistant", under)
    for ms in (0, 60_000):
        table.done("arbiter", msgspec.structs.replace(mine, ms=ms))
    table.done("arbiter", msgspec.structs.replace(mine, article="12.9.3"))


@pytest.mark.law("L176")
@pytest.mark.parametrize("who", ["white", "black", "arbiter"])
def test_l176_either_player_makes_a_one_board_table_a_two_board_table(who: str) -> None:
    table = CoreTable(started=False)
    opened = table.events[0]
    assert isinstance(opened, ev.TableOpened)
    one = apply(table.state, msgspec.structs.replace(opened, boards=Boards.ONE))
    table.state = altered(table.state, {"table.boards": one.table.boards})
    assert table.state.table.boards is Boards.ONE
    (demand,) = table.done(who, cmd.DemandTwoBoards(seat=Seat.BLACK if who == "arbiter" else None))
    assert isinstance(demand, ev.TwoBoardsDemanded) and demand.seat is (Seat.WHITE if who == "white" else Seat.BLACK)
    assert table.state.table.boards is Boards.TWO


@pytest.mark.law("L176")
def test_l176_not_between_two_of_a_kind() -> None:
    table = CoreTable(black=SeatKind.TACTILE, started=False)
    assert table.do("white", cmd.DemandTwoBoards()) == Refusal("two_boards_for_others", "D.1")


@pytest.mark.law("L207")
def test_l207_without_an_assistant_the_game_does_not_start() -> None:
    table = hearing_impaired(started=False)
    assert table.do("arbiter", cmd.StartGame()) == Refusal("assistant_needed", "D.2.11")
    table.done("program", admit(Seat.BLACK))
    assert table.do("arbiter", cmd.StartGame()) == Refusal("assistant_needed", "D.2.11"), "one without a duty"
    table.done("program", admit(Seat.BLACK, Duty.ANNOUNCE))
    table.done("arbiter", cmd.StartGame())


def told(table: CoreTable, station: str, events: tuple[ev.AnyEvent, ...]) -> list[type]:
    here = table.state.stations.find(station)
    assert here is not None
    return [type(shown) for event in events if (shown := view(event, table.state, here)) is not None]


@pytest.mark.law("L207")
def test_l207_a_player_reads_what_is_announced_where_the_program_may_announce() -> None:
    table = hearing_impaired()
    assert told(table, "black", table.say("white", "e4")) == [], "the assistant relays it"
    table.press("white")
    table.adapt("machine_announces")
    table.say("black", "e4")
    table.say("black", "e5")
    table.press("black")
    table.say("white", "e5")
    assert told(table, "black", table.say("white", "Nf3")) == [msg.Relayed]
    table.press("white")
    table.mode(Mode.CLOCK)
    table.press("black")
    table.say("white", "e5")
    assert msg.Relayed not in told(table, "black", table.say("white", "Nc3"))
    hears = CoreTable()
    hears.adapt("machine_announces")
    assert told(hears, "black", hears.say("white", "e4")) == [], "one who hears is told nothing at the table"


@pytest.mark.law("L207")
@pytest.mark.parametrize("acknowledged", [True, False])
def test_l207_an_offer_that_a_player_has_not_seen_is_not_rejected_by_their_move(acknowledged: bool) -> None:
    table = hearing_impaired()
    table.say("white", "e4")
    (offered,) = only(table.done("white", cmd.OfferDraw()), ev.DrawOffered)
    here = table.state.stations.find("black")
    assert here is not None
    assert view(offered, table.state, here) == msg.DrawOffer(own=False, acknowledge=True)
    table.press("white")
    if acknowledged:
        acknowledged_by = table.done("black", cmd.Acknowledge())
        assert list(acknowledged_by) == [ev.OfferAcknowledged(at=1_000, seat=Seat.BLACK, ply=1)]
        assert table.done("black", cmd.Acknowledge()) == (), "once is enough"
    table.say("black", "e4")
    table.say("black", "e5")
    table.press("black")
    assert table.state.draws.offer_by is (None if acknowledged else Seat.WHITE)
    if not acknowledged:
        table.done("black", cmd.Acknowledge())
        assert table.state.draws.offer_by is Seat.WHITE
        table.done("black", cmd.AnswerDraw(accept=True))
        assert table.state.ending.result == "1/2-1/2"


@pytest.mark.law("L207")
def test_l207_what_was_said_before_the_offer_was_seen_does_not_reject_it() -> None:
    table = hearing_impaired()
    table.say("white", "e4")
    table.press("white")
    table.say("black", "e4")
    table.say("black", "e5")
    table.done("white", cmd.OfferDraw())
    table.done("black", cmd.Acknowledge())
    table.press("black")
    assert table.state.draws.offer_by is Seat.WHITE
    assert table.do("white", cmd.Acknowledge()) == Refusal("no_offer", "9.1.2.1")


def test_an_offer_to_one_who_hears_needs_no_acknowledgement() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.done("white", cmd.OfferDraw())
    assert table.state.draws.offer_delivered
    table.press("white")
    table.press("black")
    assert table.state.draws.offer_by is None


@pytest.mark.law("L207")
@pytest.mark.parametrize(
    ("duties", "under", "meets"),
    [
        ((Duty.ADJOURN,), "", False),  # who seals an envelope passes on no move
        ((Duty.INFORM,), "", False),
        ((Duty.SCORE_AND_CLOCK,), "6.2.6", False),
        ((Duty.EXECUTE,), "4.9", False),  # for who cannot move the pieces alone
        ((Duty.ADJOURN, Duty.EXECUTE), "", True),
        ((Duty.ANNOUNCE,), "", True),
    ],
)
def test_l207_whether_the_needed_assistant_is_there_is_a_matter_of_duties(
    duties: tuple[Duty, ...], under: str, meets: bool
) -> None:
    """The moves must reach a player who does not hear: by D.2.10.1 or D.2.10.2, and under D.2.10 (D.2.11)."""
    table = hearing_impaired(started=False)
    table.done("program", admit(Seat.WHITE, *duties, under=under))
    started = table.do("arbiter", cmd.StartGame())
    assert (not isinstance(started, Refusal)) is meets
    if not meets:
        assert started == Refusal("assistant_needed", "D.2.11")


@pytest.mark.law("L207", "L199")
def test_l207_the_arbiter_is_told_what_is_no_longer_done_when_an_assistant_goes_in_the_game() -> None:
    table = hearing_impaired()
    (told,) = only(table.done("program", cmd.Revoke(station="assistant-white")), ev.Alerted)
    assert told.kind == "assistant_gone" and not told.grey
    assert "White" in told.detail and "D.2.10.2" in told.detail and "must be used (D.2.11)" in told.detail
    table.done("program", admit(Seat.WHITE, Duty.EXECUTE, Duty.ANNOUNCE))
    table.done("program", cmd.Admit(station="other", role=Role.ASSISTANT, seat=Seat.WHITE, duties=(Duty.ANNOUNCE,)))
    fewer = admit(Seat.WHITE, Duty.ANNOUNCE)
    (told,) = only(table.done("program", fewer), ev.Alerted)
    assert "D.2.10.1" in told.detail and "must be used" not in told.detail, "fewer duties of the same station"
    assert alerts(table.done("program", cmd.Revoke(station="other"))) == [], "all of it is still done by another"


@pytest.mark.law("L199")
def test_l199_nobody_is_told_of_an_assistant_who_goes_before_or_after_the_game_nor_of_other_stations() -> None:
    table = CoreTable(started=False)
    helper = table.assistant(Seat.WHITE, Duty.ANNOUNCE)
    assert alerts(table.done("program", cmd.Revoke(station=helper))) == []
    table.done("arbiter", cmd.StartGame())
    assert alerts(table.done("program", cmd.Revoke(station="black"))) == []
    helper = table.assistant(Seat.WHITE, Duty.ANNOUNCE)
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="agreed"))
    assert alerts(table.done("program", cmd.Revoke(station=helper))) == []


@pytest.mark.law("L056", "L199")
def test_an_assistant_for_the_clock_alone_who_goes_is_told_with_the_article() -> None:
    table = CoreTable()
    table.done("program", admit(Seat.BLACK, Duty.SCORE_AND_CLOCK, under="6.2.6"))
    (told,) = only(table.done("program", cmd.Revoke(station="helper-black")), ev.Alerted)
    assert told.kind == "assistant_gone"
    assert told.detail == "nobody has these duties for Black now: keeping the score and starting the clock (6.2.6)"


@pytest.mark.law("L199")
@pytest.mark.parametrize(
    ("duty", "words"),
    [
        (Duty.EXECUTE, "making moves on the opponent's board (D.2.10.1)"),
        (Duty.ANNOUNCE, "announcing the moves (D.2.10.2)"),
        (Duty.SCORE_AND_CLOCK, "keeping the score and starting the clock (D.2.10.3)"),
        (Duty.INFORM, "informing the player (D.2.10.4)"),
        (Duty.CLAIM_AND_REPORT, "claiming and reporting (D.2.10.5)"),
        (Duty.ADJOURN, "adjourning (D.2.10.6)"),
    ],
)
def test_each_duty_that_nobody_has_any_more_is_told_in_words_with_its_article(duty: Duty, words: str) -> None:
    table = CoreTable()
    helper = table.assistant(Seat.WHITE, duty)
    (told,) = only(table.done("program", cmd.Revoke(station=helper)), ev.Alerted)
    assert (told.kind, told.detail) == ("assistant_gone", f"nobody has these duties for White now: {words}")
