"""Silence in time: how much a command costs may not tell what stands on the board.

Wall time is for `tests/bench/silence_in_time.py`; here the work itself is counted. No search for a mate runs while a
command waits, in whatever position; what is asked beside the table is asked in every position alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import PROGRAM, AnyEvent, Refusal
from server.game.game import Game
from server.game.mating.helpmate import Cooperation
from server.game.state.state import GameState
from server.game.values.saying import saying
from server.game.values.words import Role, Seat, SeatKind, Station
from server.game.views.messages import Ended, Paused, ResignationShown
from server.game.views.view import view
from tests.game.core_table import CoreTable, kinds, only, play, said
from tests.game.core_table import searched as of_the_table

# Black to be mated by helping: plain, pinned, in check, no way to mate, dead, locked pawns that need a search.
POSITIONS = {
    "legal": "4k3/8/8/8/8/8/3N4/4K2R w - - 0 1",
    "pinned": "4k3/8/8/8/1b6/8/3N4/4K2R w - - 0 1",
    "in check": "4k3/8/8/8/4r3/8/3N4/4K2R w - - 0 1",
    "mates": "6nk/6pp/7N/8/8/8/3N4/4K3 w - - 0 1",
    "a king alone": "4k3/8/8/8/8/8/3N4/4K3 w - - 0 1",
    "kings alone": "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "locked": "8/5k2/p1p1p1p1/P1P1P1P1/8/4K3/8/8 w - - 0 1",
    "to be searched": "4k3/1p1p1p2/1P1P1P2/8/8/2p1p1p1/2P1P1P1/4K2B w - - 0 1",
    "seventy-five moves": "4k3/8/8/8/8/8/3N4/4K2R w - - 149 90",
    "no kings": "8/8/8/8/8/8/3N4/8 w - - 0 1",
}


def moves(table: CoreTable) -> None:
    table.say("white", "Nf3")
    table.press("white")
    table.say("black", "Nf3")
    table.say("black", "Ke7")
    table.press("black")


def resigns(table: CoreTable) -> None:
    moves(table)
    table.do("black", cmd.Resign())


def claims_on_time(table: CoreTable) -> None:
    moves(table)
    table.wait(80_000)
    table.do("black", cmd.ClaimTime())
    table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE))


def claims_a_draw(table: CoreTable) -> None:
    moves(table)
    table.do("white", cmd.Propose(what="claim_draw"))
    table.do("white", cmd.Say(announcement=said("Ng5"), words=("w",), text="Ng5"))


def loses_by_irregularities(table: CoreTable) -> None:
    moves(table)
    for ply in (1, 2):
        for kind in ("illegal", "two_hands"):
            seat = Seat.WHITE if ply == 1 else Seat.BLACK
            body: Any = cmd.RuleIrregularity(ply=ply, seat=seat, kind=kind)
            table.do("arbiter", body)


STORIES = (moves, resigns, claims_on_time, claims_a_draw, loses_by_irregularities)


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every turn of a search that was run."""
    turns: list[int] = []
    run = Cooperation.run

    def counted(self: Cooperation, nodes: int) -> bool:
        turns.append(nodes)
        return run(self, nodes)

    monkeypatch.setattr(Cooperation, "run", counted)
    return turns


@pytest.mark.law("L044", "L046", "L065", "L084", "L141")
@pytest.mark.parametrize("kind", [SeatKind.TACTILE, SeatKind.SIGHTED])
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_no_search_runs_while_a_command_waits(
    story: Callable[[CoreTable], None], kind: SeatKind, searched: list[int]
) -> None:
    for name, fen in POSITIONS.items():
        table = CoreTable(fen=fen, control="60", black=kind, mates=False)
        story(table)
        assert searched == [], name


def test_the_count_can_fail(searched: list[int]) -> None:
    table = CoreTable(fen=POSITIONS["legal"], mates=True)
    of_the_table.cache_clear()
    table.do("black", cmd.Resign())
    assert searched


def told(table: CoreTable, seat: Seat) -> list[Any]:
    station, state, found = Station(seat.value, Role.PLAYER, seat), GameState(), []
    for number, event in enumerate(table.events, 1):
        state = Game.replay(table.events[:number])
        message = view(event, state, station)
        if message is not None:
            found.append(message)
    return found


@pytest.mark.law("L044")
@pytest.mark.parametrize("edition", ["fide2023", "fide2018", "short"])
def test_a_resignation_is_told_alike_in_every_position_until_it_is_answered(edition: str) -> None:
    heard: dict[str, tuple[list[str], list[Any]]] = {}
    for name, fen in POSITIONS.items():
        table = CoreTable(fen=fen, mates=False, rule_set=edition)
        events = table.done("black", cmd.Resign())
        heard[name] = (kinds(events), told(table, Seat.WHITE) + told(table, Seat.BLACK))
    assert all(one == heard["legal"] for one in heard.values())
    assert heard["legal"][0] == ["Resigned", "ClockPaused", "MateAsked"]
    assert heard["legal"][1].count(Paused()) == 1
    assert ResignationShown(own=True) in heard["legal"][1] and ResignationShown(own=False) in heard["legal"][1]


def answered(table: CoreTable, verdict: Any, number: int = 1) -> tuple[AnyEvent, ...] | Refusal:
    return table.do(PROGRAM, cmd.NoteMateAnswer(number=number, verdict=verdict, said=saying("as_written", text="told")))


@pytest.mark.law("L044")
@pytest.mark.parametrize(
    ("edition", "verdict", "result"),
    [
        ("fide2023", "yes", "1-0"),
        ("fide2023", "no", "1/2-1/2"),
        ("fide2023", "unknown", None),
        ("fide2018", "yes", "1-0"),
        ("short", "no", None),
        ("short", "yes", "1-0"),
    ],
)
def test_the_result_follows_from_the_answer_by_edition(edition: str, verdict: str, result: str | None) -> None:
    table = CoreTable(fen=POSITIONS["legal"], mates=False, rule_set=edition)
    table.done("black", cmd.Resign())
    assert not table.state.over
    events = answered(table, verdict)
    assert not isinstance(events, Refusal) and table.state.ending.result == result
    assert bool(only(events, ev.Alerted)) is (result is None), "else the arbiter decides"
    assert (Ended in [type(one) for one in told(table, Seat.WHITE)]) is (result is not None)


@pytest.mark.law("L044", "L046")
@pytest.mark.parametrize("verdict", ["no", "unknown"])
def test_in_2018_the_player_who_resigned_is_asked_about_too(verdict: str) -> None:
    """Black loses whether the opponent can mate or not, unless neither can: then the game was drawn already (5.2.2)."""
    table = CoreTable(fen=POSITIONS["legal"], mates=False, rule_set="fide2018")
    table.done("black", cmd.Resign())
    events = answered(table, verdict)
    assert not isinstance(events, Refusal) and kinds(events) == ["MateAnswered", "MateAsked"]
    assert not table.state.over
    answered(table, "yes", number=2)
    assert table.state.ending.result == "1-0"


def test_a_question_is_answered_once_and_never_after_the_arbiter_has_decided() -> None:
    table = CoreTable(mates=False)
    table.done("white", cmd.Resign())
    assert answered(table, "yes", number=2) == Refusal("nothing_asked", "")
    table.done("arbiter", cmd.RuleResult(result="1/2-1/2", reason="agreed", article="5.2.3"))
    assert kinds(table.own(cmd.NoteMateAnswer(number=1, verdict="yes"))) == ["MateAnswered"]
    assert table.state.ending.result == "1/2-1/2" and answered(table, "yes") == Refusal("nothing_asked", "")


def test_an_answer_about_a_position_that_was_mended_decides_nothing() -> None:
    table = CoreTable(mates=False)
    table.say("white", "e4")
    table.press("white")
    table.done("white", cmd.Resign())
    table.done("arbiter", cmd.Mend(ply=1, uci="d2d4"))
    answered(table, "yes")
    assert not table.state.over
    assert "corrected since" in next(one.detail for one in only(table.events, ev.Alerted) if one.kind == "resigned")


@pytest.mark.law("L084")
def test_only_where_no_proof_is_at_hand_is_anything_asked_about_an_irregularity() -> None:
    """The opponent is shown unable to mate at once, or the arbiter is told when it has been looked for."""

    def lost(fen: str) -> CoreTable:
        table = CoreTable(fen=fen, control="60", mates=False)
        for _ in range(2):  # each time taken back, so that it is the same ply
            play(table, "Nf3")
            table.done("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="illegal"))
            table.done("arbiter", cmd.RestoreTo(ply=0))
            table.done("arbiter", cmd.Resume())
        return table

    proved = lost("4k3/8/8/8/8/8/3N4/4K3 w - - 0 1")
    (ruled,) = [one for one in only(proved.events, ev.IrregularityRuled) if one.loses]
    assert (ruled.opponent_can_mate, ruled.proposed) == ("no", "1/2-1/2") and not only(proved.events, ev.MateAsked)
    open_ = lost("3qk3/8/8/8/8/8/3N4/4K3 w - - 0 1")
    (ruled,) = [one for one in only(open_.events, ev.IrregularityRuled) if one.loses]
    assert (ruled.opponent_can_mate, ruled.proposed) == ("unknown", "0-1")
    (asked,) = only(open_.events, ev.MateAsked)
    assert (asked.why, asked.seat, asked.ply) == ("illegal", Seat.BLACK, 0)
