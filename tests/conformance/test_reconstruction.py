"""The game put together again on a further board (8.5.3, 8.6, 11.11)."""

from __future__ import annotations

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.game import Game
from server.game.values.words import Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.game.views.view import picture, view
from tests.game.core_table import CoreTable, only, play

TWO_PERIODS = "2/300:600"


def in_need(control: str = TWO_PERIODS, **more: SeatKind) -> CoreTable:
    """Two tactile players in time trouble: a move each, neither repeated the other's, then White's flag falls."""
    table = CoreTable(control=control, black=more.get("black", SeatKind.TACTILE))
    play(table, "e4 e5")
    table.wait(301_000)
    table.own(cmd.NoteInstant())
    return table


def shown(table: CoreTable) -> msg.ReconstructionShown:
    work = picture(table.state, table.now).reconstruction
    assert work is not None
    return work


@pytest.mark.law("L097")
def test_l097_first_position_times_whose_clock_ran_and_move_numbers_are_put_down() -> None:
    table = in_need()
    boards = table.placement(Seat.WHITE), table.placement(Seat.BLACK)
    table.done("arbiter", cmd.BeginReconstruction(reason="no score is complete"))
    put_down = shown(table).snapshot
    assert (put_down.white_board, put_down.black_board) == boards
    assert (put_down.white_ms, put_down.black_ms, put_down.running, put_down.turn) == (0, 300_000, "white", "white")
    assert (put_down.moves, put_down.periods, put_down.made_plies) == ((1, 1), (0, 0), 2)
    assert (put_down.white_score, put_down.black_score) == (("e4",), (None, "e5"))
    assert table.state.time.clock.running is None, "the clocks stand"
    assert table.do("arbiter", cmd.Resume()) == Refusal("reconstructing", "8.5.3")
    table.wait(60_000)
    assert table.state.time.clock.remaining(Seat.BLACK, table.now) == 300_000
    assert not isinstance(table.do("white", cmd.Press()), Refusal), "a press is never refused; it stops nothing"
    assert table.do("arbiter", cmd.BeginReconstruction()) == Refusal("reconstructing", "8.5.3")


@pytest.mark.law("L097")
def test_l097_what_is_put_down_is_of_each_player_apart_and_of_the_instant_before_the_clocks_stop() -> None:
    table = CoreTable(control="1/300:600", white=SeatKind.SIGHTED)
    table.wait(4_000)
    table.enter("white", "e2e4", "e4")
    table.press("white")
    table.done("white", cmd.WriteScore(index=1, text="e4"))
    table.wait(5_000)
    table.enter("black", "e7e5", "e5")
    table.done("black", cmd.WriteScore(index=2, text="e5"))
    table.wait(1_000)
    done = table.done("arbiter", cmd.BeginReconstruction(reason="no score is complete"))
    put_down = ev.Snapshot(
        white_board="rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
        black_board="rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR",
        game="rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR",
        made_plies=2,
        white_ms=896_000,
        black_ms=294_000,
        running=Seat.BLACK,
        turn=Seat.BLACK,
        moves=(1, 0),
        periods=(1, 0),
        white_score=("e4",),
        black_score=(None, "e5"),
    )
    assert list(done) == [
        ev.ClockPaused(at=11_000, by=Role.ARBITER, seat=None, reason="reconstruction"),
        ev.ReconstructionBegun(at=11_000, snapshot=put_down, reason="no score is complete"),
    ]


@pytest.mark.law("L097")
def test_l097_where_the_thread_is_lost_and_the_clocks_stand_that_is_put_down() -> None:
    table = CoreTable(started=False)
    assert table.do("arbiter", cmd.BeginReconstruction()) == Refusal("not_started", "6.6")
    table.done("arbiter", cmd.StartGame())
    table.press("white")
    table.done("arbiter", cmd.Pause())
    (begun,) = table.done("arbiter", cmd.BeginReconstruction())
    assert isinstance(begun, ev.ReconstructionBegun)
    assert (begun.snapshot.game, begun.snapshot.running, begun.snapshot.turn) == (None, None, Seat.BLACK)


@pytest.mark.law("L097")
def test_l097_moves_are_judged_where_the_further_board_stands_and_taken_back_to_its_beginning() -> None:
    table = in_need()
    table.done("arbiter", cmd.BeginReconstruction())
    assert table.do("arbiter", cmd.UndoReconstruction()) == Refusal("no_such_move", "8.5.3")
    moves = [table.done("arbiter", cmd.ReconstructMove(uci=uci)) for uci in ("e2e4", "e7e5", "e4e5", "g1f3")]
    assert [*map(list, moves)] == [
        [ev.ReconstructionMoved(at=302_000, uci=uci, legal=legal)]
        for uci, legal in (("e2e4", True), ("e7e5", True), ("e4e5", False), ("g1f3", False))
    ], "a pawn takes no pawn before it; after White's, White does not move again"
    for _ in moves:
        assert list(table.done("arbiter", cmd.UndoReconstruction())) == [ev.ReconstructionUndone(at=302_000)]
    assert table.do("arbiter", cmd.UndoReconstruction()) == Refusal("no_such_move", "8.5.3")
    assert (shown(table).line, shown(table).placement) == ((), table.state.moves.positions[0].placement)


@pytest.mark.law("L097")
def test_l097_the_further_board_changes_neither_board_nor_score_nor_game() -> None:
    table = in_need()
    assert table.do("arbiter", cmd.ReconstructMove(uci="e2e4")) == Refusal("not_reconstructing", "8.5.3")
    table.done("arbiter", cmd.BeginReconstruction())
    before = table.state
    for uci in ("d2d4", "e7e5", "d4e6"):
        table.done("arbiter", cmd.ReconstructMove(uci=uci))
    assert shown(table).not_legal == (3,), "the arbiter sees it; a board is where men are put"
    table.done("arbiter", cmd.UndoReconstruction())
    assert table.do("arbiter", cmd.ReconstructMove(uci="a5a6")) == Refusal("no_such_move", "8.5.3")
    assert shown(table).line == ("d2d4", "e7e5")
    assert shown(table).placement == "rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/RNBQKBNR"
    after = table.state
    assert (after.moves, after.time) == (before.moves, before.time)
    assert (after.scores.white, after.scores.black) == (before.scores.white, before.scores.black)
    for station in ("white", "black"):
        assert table.do(station, cmd.ReconstructMove(uci="g1f3")) == Refusal("only_the_arbiter", "12.3")


@pytest.mark.law("L097")
def test_l097_nothing_of_it_reaches_a_player() -> None:
    table = in_need()
    since = len(table.events)
    table.done("arbiter", cmd.BeginReconstruction())
    table.done("arbiter", cmd.ReconstructMove(uci="d2d4"))
    table.done("arbiter", cmd.EndReconstruction(completed_plies=2))
    for seat in Seat:
        station = Station(seat.value, Role.PLAYER, seat)
        told = [
            message
            for number, event in enumerate(table.events, 1)
            if number > since and (message := view(event, Game.replay(table.events[:number]), station)) is not None
        ]
        assert told == [msg.Paused(), msg.ClockCorrected()], "only that the clocks stand, and were set, as all see it"


@pytest.mark.law("L132")
def test_l132_both_complete_their_own_scores_meanwhile_by_their_own_act_also_in_a_claim() -> None:
    table = in_need()
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    table.done("arbiter", cmd.BeginReconstruction())
    assert table.do("white", cmd.WriteScore(index=3, text="Nf3")) == Refusal("not_in_advance", "8.1.2")
    for uci in ("e2e4", "e7e5", "g1f3"):
        table.done("arbiter", cmd.ReconstructMove(uci=uci))
    assert table.score(Seat.WHITE) == ["e4"] and table.score(Seat.BLACK) == ["", "e5"], "nothing is filled in"
    for seat, index, text in (("white", 2, "e5"), ("white", 3, "Nf3"), ("black", 1, "e4"), ("black", 3, "Nf3")):
        table.done(seat, cmd.WriteScore(index=index, text=text))
    assert table.score(Seat.WHITE) == table.score(Seat.BLACK) == ["e4", "e5", "Nf3"]
    table.done("arbiter", cmd.EndReconstruction(completed_plies=3))
    assert table.state.draws.claim is not None, "the claim waits for its ruling"
    assert table.do("white", cmd.WriteScore(index=4, text="Nc6")) == Refusal("not_in_advance", "8.1.2")


@pytest.mark.law("L098", "L097")
def test_l098_where_nobody_can_show_who_overstepped_the_next_move_is_the_first_of_the_next_period() -> None:
    table = in_need()
    table.done("arbiter", cmd.BeginReconstruction())
    (ended,) = only(
        table.done("arbiter", cmd.EndReconstruction(completed_plies=None, evidence="both scores stop")),
        ev.ReconstructionEnded,
    )
    assert (ended.article, ended.evidence) == ("8.6", "both scores stop")
    clock = table.state.time.clock
    assert (clock.white.period, clock.black.period) == (1, 1) and (clock.white.moves, clock.black.moves) == (2, 2)
    assert (clock.white.remaining_ms, clock.black.remaining_ms) == (599_000, 900_000), "the overrun is not given back"
    assert not clock.white.flagged and clock.running is None
    table.done("arbiter", cmd.Resume())
    assert table.state.time.clock.running is Seat.WHITE
    play(table, "Nf3")
    table.done("arbiter", cmd.RestoreTo(ply=3, times="stored"))
    table.done("arbiter", cmd.Resume())
    play(table, "Nc6")
    assert table.state.time.clock.black.remaining_ms == 900_000, "those are times of the next period, which came once"


@pytest.mark.law("L098")
def test_l098_black_to_move_has_one_move_less_completed() -> None:
    table = CoreTable(control=TWO_PERIODS, black=SeatKind.TACTILE)
    table.press("white")
    table.wait(301_000)
    table.own(cmd.NoteInstant())
    table.done("arbiter", cmd.BeginReconstruction())
    table.done("arbiter", cmd.EndReconstruction(completed_plies=None))
    clock = table.state.time.clock
    assert (clock.white.moves, clock.black.moves) == (3, 2)


@pytest.mark.law("L098")
def test_l098_evidence_of_more_moves_sets_the_counters_and_brings_the_period_that_was_reached() -> None:
    table = in_need()
    table.done("arbiter", cmd.BeginReconstruction())
    table.done("arbiter", cmd.EndReconstruction(completed_plies=3, evidence="a spectator's video"))
    clock = table.state.time.clock
    assert (clock.white.moves, clock.black.moves) == (2, 1)
    assert (clock.white.period, clock.black.period) == (1, 0)
    assert (clock.white.remaining_ms, clock.black.remaining_ms) == (599_000, 300_000)
    assert not clock.white.flagged


@pytest.mark.law("L098")
def test_l098_in_the_last_period_there_is_no_next_one() -> None:
    table = in_need("300")
    table.done("arbiter", cmd.BeginReconstruction())
    decided = table.do("arbiter", cmd.EndReconstruction(completed_plies=None))
    assert decided == Refusal("no_next_period", "8.6")
    assert table.state.scores.reconstruction is not None
    table.done("arbiter", cmd.EndReconstruction(completed_plies=2))
    assert table.state.time.clock.white.flagged and table.state.time.clock.white.moves == 1


@pytest.mark.law("L097", "L098")
@pytest.mark.parametrize(
    ("control", "pressed", "shown_plies", "moves", "periods", "times"),
    [
        # what a display gains at the control: the base time, and by how much more of a Bronstein extra is kept ready
        ("1/300b10:600b30", 0, 2, (1, 1), (1, 1), (930_000, 930_000)),
        ("1/300b30:600b10", 0, 2, (1, 1), (1, 1), (910_000, 910_000)),
        ("1/300b10:600", 0, 1, (1, 0), (1, 0), (900_000, 310_000)),
        ("1/300b10:1/600b10:900b40", 0, 4, (2, 2), (2, 2), (1_840_000, 1_840_000)),
        ("1/300+10:600+30", 0, 2, (1, 1), (1, 1), (910_000, 910_000)),
        ("1/300d10:600d30", 0, 2, (1, 1), (1, 1), (900_000, 900_000)),
        ("2/300:600", 0, 3, (2, 1), (1, 0), (900_000, 300_000)),
        ("2/300:600", 0, 2, (1, 1), (0, 0), (300_000, 300_000)),
        ("2/300:3/600", 0, 10, (5, 5), (1, 1), (900_000, 900_000)),
        ("2/300:3/600", 0, 0, (0, 0), (0, 0), (300_000, 300_000)),
        ("2/300b10:600b30", 0, None, (2, 2), (1, 1), (930_000, 930_000)),
        ("1/300b10:1/600b20:900", 1, None, (2, 1), (1, 1), (920_000, 920_000)),
        ("1/300b10:1/600b20:900b10", 2, None, (2, 2), (2, 2), (1_810_000, 1_810_000)),
    ],
)
def test_l097_the_times_of_later_periods_are_those_that_the_clock_itself_would_have_added(
    control: str,
    pressed: int,
    shown_plies: int | None,
    moves: tuple[int, int],
    periods: tuple[int, int],
    times: tuple[int, int],
) -> None:
    table = CoreTable(control=control)
    for seat in ("white", "black")[:pressed]:
        table.press(seat)
    turn = table.state.time.clock.turn
    table.done("arbiter", cmd.BeginReconstruction())
    done = table.done("arbiter", cmd.EndReconstruction(completed_plies=shown_plies, evidence="a video"))
    article = "8.6" if shown_plies is None else "8.5.3"
    assert list(done[:2]) == [
        ev.ReconstructionEnded(at=1_000, completed_plies=shown_plies, evidence="a video", article=article),
        ev.ClockSet(
            at=1_000,
            white_ms=times[0],
            black_ms=times[1],
            turn=turn,
            reason="reconstructed",
            moves=moves,
            periods=periods,
            by_hand=True,
        ),
    ]
    assert (table.state.time.clock.white.remaining_ms, table.state.time.clock.black.remaining_ms) == times
