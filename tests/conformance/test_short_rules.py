"""The short tournament rules at the table (S-1 to S-5; L241-L245)."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.game import Game
from server.game.values.words import ClockMaster, Seat, SeatKind
from server.wording.words import meaning_typed, scheme_of
from speech.announcements.understand import understand
from tests.game.core_table import CoreTable, alerts, only, play


def table_of(**more: object) -> CoreTable:
    return CoreTable(rule_set="short", **more)  # type: ignore[arg-type]


@pytest.mark.law("L241")
@pytest.mark.parametrize("language", ["de", "en", "hu", "hy", "ar", "he"])
def test_l241_check_and_mate_may_be_said_or_not(language: str) -> None:
    move = ("piece.queen", "file.h", "rank.5")
    plain = understand(move)
    for word in ("word.check", "word.mate"):
        assert understand((*move, word)).said == plain.said and understand((*move, word)).kind == "move"
    scheme = scheme_of("national", language)
    text = " ".join(scheme.text(word) for word in (*move, "word.check"))
    assert meaning_typed(text, scheme).said == plain.said


@pytest.mark.law("L241")
def test_l241_neither_missing_nor_wrong_does_it_matter() -> None:
    for fen in ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "7k/8/8/8/8/8/8/Q3K3 w - - 0 1"):
        table = table_of(fen=fen)
        table.say("white", "Qa8")
        table.press("white")
        assert not only(table.events, ev.Alerted)
    mate = table_of(fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    mate.say("white", "Ra8")
    mate.press("white")
    assert {alert.kind for alert in only(mate.events, ev.Alerted)} == {"checkmate"}


@pytest.mark.law("L242")
def test_l242_adjusting_asks_for_the_opponent() -> None:
    table = table_of()
    table.done("white", cmd.Adjust())
    (alert,) = alerts(table, "adjusting_presence")
    assert not alert.grey and "4.2.1" in alert.detail
    assert table.state.rulings.adjusting == (Seat.WHITE, 1), "recorded as always; the arbiter judges it"
    fide = CoreTable()
    fide.done("white", cmd.Adjust())
    assert not alerts(fide, "adjusting_presence")


@pytest.mark.law("L243")
@pytest.mark.parametrize(("rule_set", "finished"), [("short", False), ("fide2023", True)])
def test_l243_a_move_is_not_finished_while_the_players_clock_runs(rule_set: str, finished: bool) -> None:
    table = CoreTable(rule_set=rule_set)
    table.say("white", "Bh6")  # through White's own pawn, and never pressed
    table.say("black", "Bh6", act="echo")
    table.say("black", "e5", act="announce")
    table.say("white", "e4", act="announce")
    table.press("black")
    table.press("white")
    first = table.ply(1)
    assert first.completed, "by White's next move, or at the latest when White's clock stops"
    assert bool(alerts(table, "not_finished")) is not finished
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L243")
def test_l243_until_the_clock_stops_there_is_no_irregularity_to_rule_on() -> None:
    table = table_of()
    table.say("white", "Ke3")
    table.say("black", "Ke3", act="echo")
    table.say("black", "e5", act="announce")
    table.say("white", "e4", act="announce")
    table.say("black", "e4", act="echo")
    table.say("black", "d5", act="announce")  # White's second move was made, and White's clock still runs
    assert not table.ply(1).completed and alerts(table, "not_finished")
    ruled = table.do("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="illegal"))
    assert isinstance(ruled, Refusal) and ruled.code == "not_completed_yet"
    table.press("white")
    table.press("white")
    assert table.ply(1).completed and table.ply(3).completed
    assert alerts(table, "not_legal")[0].ply == 1
    assert not isinstance(table.do("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="illegal")), Refusal)


@pytest.mark.law("L243")
def test_l243_unless_it_ends_the_game() -> None:
    table = table_of(fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", white=SeatKind.SIGHTED)
    table.enter("white", "a1a8", "Ra8")
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="checkmate", article="5.1.1"))
    assert table.ply(1).completed


@pytest.mark.law("L243")
def test_l243_where_the_server_sees_no_press_the_next_move_finishes_it() -> None:
    table = table_of(master=ClockMaster.MANUAL)
    for seat, text in (("white", "e4"), ("black", "e5"), ("white", "Nf3")):
        table.say(seat, text, act="announce")
    table.say("black", "Nf3", act="echo")
    assert table.ply(1).completed and not alerts(table, "not_finished")


@pytest.mark.law("L243")
@pytest.mark.parametrize(("stations", "finished"), [((Seat.BLACK,), True), ((Seat.WHITE, Seat.BLACK), False)])
def test_l243_a_player_with_no_station_has_no_press_to_wait_for(stations: tuple[Seat, ...], finished: bool) -> None:
    """White's moves are known by Black's echoes alone: the next one finishes the one before, as in FIDE's rules."""
    table = table_of(white=SeatKind.SIGHTED, black=SeatKind.TACTILE, stations=stations)
    for white, black in (("e4", "e5"), ("Nf3", "Nc6")):
        if Seat.WHITE in stations:
            table.say("white", white, act="announce")
        table.say("black", white, act="echo")
        table.say("black", black, act="announce")
        table.press("black")
    assert table.state.made_plies >= 3 and table.ply(1).completed is finished
    assert bool(alerts(table, "not_finished")) is not finished


@pytest.mark.law("L244")
@pytest.mark.parametrize("rule_set", ["short", "fide2023"])
def test_l244_after_a_flag_who_stopped_recording_completes_their_score_first(rule_set: str) -> None:
    table = CoreTable(rule_set=rule_set, control="2/200:300", white=SeatKind.SIGHTED)
    play(table, "e4 e5")
    table.done("white", cmd.WriteScore(index=1, text="e4"))
    table.done("black", cmd.WriteScore(index=1, text="e4"))
    table.wait(10)
    play(table, "Nf3 Nc6")
    table.wait(900_000)
    table.done("arbiter", cmd.Pause())
    (alert,) = alerts(table, "scores_behind")
    assert "8.5" in alert.detail and not alert.grey


@pytest.mark.law("L245")
def test_l245_two_illegal_moves_cost_two_minutes_each_the_third_loses() -> None:
    for fen, proposed in (("4k3/7r/8/8/8/8/8/4K3 w - - 0 1", "0-1"), ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "1/2-1/2")):
        table = table_of(fen=fen)
        found = []
        for ply in (1, 3, 5):
            play(table, "Ke3")
            before = table.state.time.clock.remaining(Seat.BLACK, table.now)
            (ruled,) = only(
                table.done("arbiter", cmd.RuleIrregularity(ply=ply, seat=Seat.WHITE, kind="illegal")),
                ev.IrregularityRuled,
            )
            found.append((ruled.number, ruled.loses, ruled.bonus_ms))
            given = table.state.time.clock.remaining(Seat.BLACK, table.now) - before
            assert given == (120_000 if ply < 5 else 0)
            table.done("arbiter", cmd.RestoreTo(ply=ply - 1))
            table.done("arbiter", cmd.Resume())
            play(table, "Kd1" if ply == 1 else "Ke1")
            play(table, "Kf8" if ply == 1 else "Ke8")
        assert found[:2] == [(1, False, 120_000), (2, False, 120_000)]
        assert found[2][:2] == (3, True) and ruled.proposed == proposed
        assert not table.state.over, "the arbiter declares it"


@pytest.mark.law("L081", "L245")
@pytest.mark.parametrize("rule_set", ["short", "fide2017h2", "fide2023"])
def test_l245_a_pawn_that_was_not_replaced_is_settled_once_it_went_back_or_is_a_queen(rule_set: str) -> None:
    table = CoreTable(rule_set=rule_set, fen="8/P3k3/8/8/8/8/8/4K3 w - - 0 1", white=SeatKind.SIGHTED)

    def cards() -> dict[str, tuple[str, ...]]:
        kept = {one.alert.kind: one.done for one in table.state.rulings.unsettled}
        return {kind: done for kind, done in kept.items() if kind in ("not_legal", "unpromoted")}

    table.enter("white", "a7a8", "a8")
    table.press("white")
    assert cards() == {"not_legal": (), "unpromoted": ()}
    table.done("arbiter", cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="unpromoted"))
    assert table.state.time.given == (0, 120_000)
    ruled = ("ruled", "given")
    assert cards() == ({} if rule_set == "fide2023" else {"not_legal": ruled, "unpromoted": ruled})
    if cards():
        table.done("arbiter", cmd.RestoreTo(ply=0))
        assert cards() == dict.fromkeys(cards(), (*ruled, "back")), "the clocks stand"
        table.done("arbiter", cmd.Resume())
    assert not cards()
