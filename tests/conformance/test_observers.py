"""Observers whom the arbiter appoints (12.4): they look and report; they rule on nothing and are told nothing else."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.values.words import Duty, Role, Seat, Station
from server.game.views import messages as msg
from server.game.views.view import greeting, view
from tests.game.core_table import CoreTable, only
from tests.table.open_hall import STATIONS, played

OBSERVER = Station("observer", Role.OBSERVER)
PUBLIC = (msg.BoardsShown, msg.ClockShown, msg.Ended, msg.SessionShown)
PINS = {
    "both may": "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1",
    "one is pinned": "4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1",
}


def observed() -> CoreTable:
    table = CoreTable()
    table.own(cmd.Admit(station="observer", role=Role.OBSERVER))
    return table


@pytest.mark.law("L139")
def test_an_observer_has_no_seat_and_no_duties() -> None:
    table = CoreTable()
    for wrong in (
        cmd.Admit(station="o", role=Role.OBSERVER, seat=Seat.WHITE),
        cmd.Admit(station="o", role=Role.OBSERVER, duties=(Duty.ANNOUNCE,)),
        cmd.Admit(station="o", role=Role.OBSERVER, under="4.9"),
    ):
        assert table.do("program", wrong) == Refusal("observer_of_no_seat", "12.4")
    table.own(cmd.Admit(station="o", role=Role.OBSERVER))
    assert table.done("o", cmd.ReportToArbiter(kind="noise"))


@pytest.mark.law("L139")
def test_the_observer_reports_and_decides_nothing() -> None:
    table = observed()
    events = table.done("observer", cmd.ReportToArbiter(kind="flag", text="White's", seat=Seat.WHITE))
    (reported,) = only(events, ev.ObserverReported)
    assert (reported.station, reported.kind, reported.seat) == ("observer", "flag", Seat.WHITE)
    (alert,) = only(events, ev.Alerted)
    assert alert.kind == "observer_report" and "White's" in alert.detail and len(events) == 2
    assert table.state.time.clock.running is Seat.WHITE and not table.state.over, "a flag seen is called by the arbiter"
    for about in ("flag", "touch"):
        assert table.do("observer", cmd.ReportToArbiter(kind=about)) == Refusal("whose", "12.4")
    (touch,) = only(
        table.done("observer", cmd.ReportTouch(seat=Seat.WHITE, square="g1", how="lifted")), ev.TouchReported
    )
    assert touch.origin == "entered" and not touch.sealed
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="seen", article="12"))
    table.done("observer", cmd.ReportToArbiter(kind="conduct", seat=Seat.BLACK, text="after the end"))


@pytest.mark.law("L139")
@pytest.mark.parametrize(
    "body",
    [
        cmd.Press(),
        cmd.Pause(),
        cmd.CallArbiter(),
        cmd.ClaimTime(),
        cmd.CallFlag(seat=Seat.WHITE),
        cmd.RuleTouch(number=1, counts=True),
        cmd.NoteIncident(kind="noise", text=""),
        cmd.Ask(what="time"),
        cmd.Ask(what="set_up"),
        cmd.Execute(uci="e2e4", board=Seat.BLACK),
        cmd.RuleResult(result="1-0", reason="", article=""),
    ],
)
def test_what_is_the_arbiters_the_players_or_an_assistants_is_refused(body: cmd.AnyAct) -> None:
    assert observed().do("observer", body) == Refusal("observer_only_reports", "12.4")


@pytest.mark.law("L139")
def test_only_an_observer_reports_so_and_nobody_but_the_arbiter_hears_it() -> None:
    table = observed()
    helper = table.assistant(Seat.WHITE, *Duty)
    report = cmd.ReportToArbiter(kind="other", text="he looked at a telephone")
    assert table.do("white", report) == Refusal("only_the_arbiter", "12.3")
    assert table.do("arbiter", report) == Refusal("only_the_player", "12.6")
    assert table.do(helper, report) == Refusal("not_your_duty", "D.2.10")
    others = [*table.state.stations.admitted, Station("display", Role.DISPLAY)]
    for event in table.done("observer", report):
        for station in others:
            assert (view(event, table.state, station) is not None) is (station.role is Role.ARBITER)


@pytest.mark.law("L139")
async def test_the_observer_sees_both_boards_and_the_clocks_and_not_a_word_more(tmp_path: Path) -> None:
    """Offers, claims, answers, scores, alerts, mends, calls: the arbiter's and the players' alone."""
    async with played(tmp_path, stations=(*STATIONS, OBSERVER)) as game:
        await game.speak("white", "Eva vier")
        await game.press("white")
        await game.done("black", cmd.Execute(uci="e2e4"))
        await game.done("black", cmd.WriteScore(index=1, text="e4"))
        await game.done("white", cmd.OfferDraw())
        await game.done("black", cmd.AnswerDraw(accept=False))
        await game.done("black", cmd.EnterMove(uci="e7e4"))  # not legal
        await game.press("black")
        await game.done("white", cmd.Ask(what="time"))
        await game.done("arbiter", cmd.MarkOutOfStep(note="misheard"))
        await game.done("arbiter", cmd.Mend(ply=2, uci="e7e5"))
        await game.done("arbiter", cmd.NoteIncident(kind="noise", text="a telephone"))
        await game.done("black", cmd.CallArbiter(reason="no queen"))
        await game.done("observer", cmd.ReportToArbiter(kind="other", text="seen"))
        await game.done("arbiter", cmd.RuleResult(result="1/2-1/2", reason="agreed", article="9.1"))
        got = game.ears["observer"].messages
        assert got and all(isinstance(message, PUBLIC) for message in got), got
        assert {type(message) for message in got} >= {msg.BoardsShown, msg.ClockShown, msg.Ended}
        state = game.table.state
        hello = greeting(state, OBSERVER, 0)
        assert (hello.boards, hello.picture, hello.shown, hello.board, hello.own_score) == (
            msg.BoardsShown(
                white=state.moves.white_board.position.placement, black=state.moves.black_board.position.placement
            ),
            None, None, None, (),
        )  # fmt: skip
        assert all(greeting(state, one, 0).boards is None for one in STATIONS)


@pytest.mark.law("L139")
async def test_what_the_observer_sees_tells_nobody_who_is_pinned(tmp_path: Path) -> None:
    seen = []
    for number, fen in enumerate(PINS.values()):
        async with played(tmp_path / str(number), fen=fen, stations=(*STATIONS, OBSERVER)) as game:
            await game.speak("white", "Springer Felix drei")
            await game.press("white")
            await game.speak("black", "Springer Felix drei")
            await game.type("black", "Koenig Eva sieben")
            await game.press("black")
            got = b"\n".join(msgspec.json.encode(message) for message in game.ears["observer"].messages)
            seen.append(got.replace(b"1b6", b"8"))
    assert seen[0] == seen[1]
