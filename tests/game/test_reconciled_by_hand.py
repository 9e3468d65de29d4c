"""The account of what was done about boards that had drifted apart, from the record alone (D.2.9, 7.1), whole."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.state.desk import Desk
from server.game.state.state import GameState
from server.game.values.position import Position
from server.game.values.words import ClockMaster, Seat
from server.game.views.reconciled import (
    Account,
    Dated,
    Decision,
    Looked,
    Reconciled,
    SaidThere,
    TakenBack,
    Times,
    differing,
    in_ranges,
    moves_in_san,
    reconciliations,
    taken_back,
)
from tests.game.core_table import CoreTable, only

W, B = Seat.WHITE, Seat.BLACK
NOON = 1_767_268_800_000
ACCOUNT = Account("misheard", "server", 2, "e7e6", "e7e5")
E5 = ("e2e4", "e7e5", "d2d4")


def explain(state: GameState, desk: Desk) -> Looked:
    """A desk that asks for plies 2, 3 and 7; how many cells were typed says at which moment it was asked."""
    return Looked((2, 3, 7), (ACCOUNT,) * len(desk.cells))


def after(*moves: str) -> str:
    position = Position.from_fen(chess.STARTING_FEN)
    for uci in moves:
        position = position.after(uci)
    return position.placement


def played(line: str = "e4 e6 d4", **more: Any) -> CoreTable:
    """A second for each move; everything is repeated and carried out."""
    table = CoreTable(**more)
    for number, text in enumerate(line.split()):
        mover, other = ("black", "white") if number % 2 else ("white", "black")
        table.wait(1_000)
        table.say(mover, text, utterance=f"u{number}")
        table.press(mover)
        table.say(other, text)
        table.done(other, cmd.Execute())
    table.wait(1_000)
    return table


def record(table: CoreTable) -> list[Dated]:
    return [Dated(event, NOON + event.at) for event in table.events]


def typed(table: CoreTable, seat: Seat, ply: int, text: str) -> None:
    table.done("arbiter", cmd.TypeCell(seat=seat, ply=ply, text=text))


def opening(table: CoreTable) -> Dated:
    return next(one for one in reversed(record(table)) if isinstance(one.event, ev.DeskOpened))


FULL = 5_430_000
WHITE_MS, BLACK_MS = FULL + 2 * 29_000, FULL + 29_000 - 1_000
HEARD = after("e2e4", "e7e6", "d2d4")


@pytest.mark.law("L197")
def test_the_account_of_a_desk_says_what_was_put_down_shown_said_decided_and_confirmed() -> None:
    table = played()
    table.done("arbiter", cmd.OpenDesk(reason="they differ"))
    opened = opening(table)
    plain = Reconciled(
        opened=opened, before=Times("", WHITE_MS, BLACK_MS), plies=3, reason="they differ", shown=(HEARD, HEARD),
        decisions=(), undecided=(), confirmed=(), closed="", closed_ms=None,
    )  # fmt: skip
    assert reconciliations(record(table), explain) == (plain,), "still open"
    table.wait(60_000)
    table.done("arbiter", cmd.ShowBoard(board=W, placement=after(*E5)))
    table.done("arbiter", cmd.ShowBoard(board=B, placement=after("e2e4")))
    typed(table, W, 2, "e5")
    typed(table, B, 5, "Nf3")
    table.done("arbiter", cmd.HearCell(seat=W, ply=1))
    table.wait(1_000)
    at = table.now
    (decided,) = only(
        table.done("arbiter", cmd.DecideDesk(kind="adjust", moves=E5, verdict="same_record")), ev.DeskDecided
    )
    table.wait(1_000)
    table.done("arbiter", cmd.ConfirmBoard(board=B))
    table.wait(1_000)
    table.done("arbiter", cmd.ConfirmBoard(board=W))
    (found,) = reconciliations(record(table), explain)
    assert found == Reconciled(
        opened=opened, before=Times("", WHITE_MS, BLACK_MS), plies=3, reason="they differ",
        shown=(after(*E5), after("e2e4")),
        decisions=(
            Decision(
                wall_ms=NOON + at,
                decided=decided,
                looked=Looked((2, 3, 7), (ACCOUNT, ACCOUNT)),
                lines=(
                    SaidThere(W, 1, "e4", "listened"),
                    SaidThere(B, 1, "", "on_record"),
                    SaidThere(W, 2, "e5", "typed"),
                    SaidThere(B, 2, "", "on_record"),
                    SaidThere(W, 3, "d4", "on_record"),
                    SaidThere(B, 3, "", "on_record"),
                    SaidThere(B, 5, "Nf3", "typed"),
                ),
                times=Times("leave", WHITE_MS, BLACK_MS),
                mended=(2, "e6", "e5"),
                taken_back=(),
            ),
        ),
        undecided=(),
        confirmed=((B, NOON + at + 1_000), (W, NOON + at + 2_000)),
        closed="confirmed",
        closed_ms=NOON + at + 2_000,
    )  # fmt: skip
    (alone,) = reconciliations(record(table))
    assert [one.looked for one in alone.decisions] == [Looked()]
    assert [(one.seat, one.ply) for one in alone.decisions[0].lines] == [(W, 1), (B, 1), (W, 2), (B, 2), (B, 5)]


@pytest.mark.law("L198")
@pytest.mark.parametrize("times", ["leave", "stored"])
def test_the_account_of_moves_that_were_retraced_names_them_and_the_times(times: Any) -> None:
    table = played()
    table.done("arbiter", cmd.OpenDesk())
    at = table.now
    table.done("arbiter", cmd.DecideDesk(kind="back", ply=1, times=times, reason="two scores"))
    (found,) = reconciliations(record(table), explain)
    (decision,) = found.decisions
    ms = (FULL + 29_000, FULL) if times == "stored" else (WHITE_MS, BLACK_MS)
    assert (decision.times, decision.mended, decision.taken_back) == (Times(times, *ms), None, ("e6", "d4"))
    assert taken_back(record(table)) == (TakenBack(NOON + at, 1, ("e6", "d4"), "two scores", *ms, desk=True),)


@pytest.mark.law("L197")
@pytest.mark.parametrize(
    ("moves", "mended"),
    [
        (("e2e4", "e7e6", "d2d4"), None),
        (("e2e4", "e7e6"), None),  # moves that only fell away are none that were mended
        (("e2e4", "e7e5", "d2d4"), (2, "e6", "e5")),
        (("d2d4", "e7e5", "d4e5"), (1, "e4", "d4")),
        (("e2e4", "e7e6", "d2d4", "d7d5"), (4, "-", "d5")),
        (("e2e4", "e7e6", "e1e3"), (3, "d4", "e1e3")),  # no legal move: its squares
    ],
)
def test_the_first_move_that_was_mended_is_written_as_people_write_moves(
    moves: tuple[str, ...], mended: tuple[int, str, str] | None
) -> None:
    table = played()
    table.done("arbiter", cmd.OpenDesk())
    table.done("arbiter", cmd.DecideDesk(kind="mend", moves=moves))
    (found,) = reconciliations(record(table))
    assert [one.mended for one in found.decisions] == [mended]
    assert (found.closed, found.undecided) == ("mended", ())


@pytest.mark.law("L197")
def test_the_account_of_a_desk_that_was_closed_undecided_keeps_what_was_said_and_each_desk_is_one() -> None:
    table = played()
    table.done("arbiter", cmd.OpenDesk(reason="first"))
    typed(table, B, 1, "e4")
    first = table.now
    table.done("arbiter", cmd.CloseDesk(reason="they agree"))
    table.wait(5_000)
    table.done("arbiter", cmd.OpenDesk(reason="second"))
    table.done("arbiter", cmd.ShowBoard(board=B, placement=after("e2e4")))
    one, two = reconciliations(record(table), explain)
    lines = (
        SaidThere(W, 1, "e4", "on_record"),
        SaidThere(B, 1, "e4", "typed"),
        SaidThere(W, 2, "e6", "on_record"),
        SaidThere(B, 2, "", "on_record"),
        SaidThere(W, 3, "d4", "on_record"),
        SaidThere(B, 3, "", "on_record"),
    )
    assert (one.reason, one.undecided, one.closed, one.closed_ms) == ("first", lines, "they agree", NOON + first)
    assert one.shown == (HEARD, HEARD) and two.shown == (HEARD, after("e2e4"))
    assert (two.reason, two.closed, two.closed_ms, two.undecided) == ("second", "", None, ())
    assert reconciliations([]) == () and reconciliations(record(played())) == ()


def test_records_of_earlier_days_do_not_say_whence_the_times_came() -> None:
    table = played()
    table.done("arbiter", cmd.OpenDesk())
    now = table.now
    old = ev.DeskDecided(at=now, kind="adjust", verdict="", ply=3, placement=HEARD, turn=B, reason="")
    clock = ev.ClockSet(at=now, white_ms=60_000, black_ms=50_000, turn=B, reason="D.2.9")
    before = record(table)
    for events, times in (((old,), Times("leave", WHITE_MS, BLACK_MS)), ((clock, old), Times("set", 60_000, 50_000))):
        (found,) = reconciliations([*before, *(Dated(one, NOON) for one in events)])
        assert [one.times for one in found.decisions] == [times]


@pytest.mark.law("L080")
def test_boards_that_are_set_after_a_restoration_are_no_matter_of_a_desk_that_was_closed() -> None:
    table = played()
    table.done("arbiter", cmd.OpenDesk())
    table.done("arbiter", cmd.CloseDesk())
    (closed,) = reconciliations(record(table))
    table.wait(1_000)
    at = table.now
    table.done("arbiter", cmd.RestoreTo(ply=2, times="leave", reason="7.5.1"))
    table.done("arbiter", cmd.ShowBoard(board=W, placement=after("e2e4")))
    for board in Seat:
        table.done("arbiter", cmd.ConfirmBoard(board=board))
    assert reconciliations(record(table)) == (closed,)
    (back,) = taken_back(record(table))
    assert back == TakenBack(
        NOON + at, 2, ("d4",), "7.5.1", WHITE_MS, BLACK_MS, desk=False, confirmed=((W, NOON + at), (B, NOON + at))
    )


@pytest.mark.law("L074")
def test_the_times_of_what_was_taken_back_are_those_that_were_set_with_it_and_no_later_ones() -> None:
    table = played()
    at = table.now
    table.done("arbiter", cmd.RestoreTo(ply=1, times="stored"))
    table.wait(1_000)
    table.done("arbiter", cmd.SetClock(white_ms=1, black_ms=2, turn=B))
    (back,) = taken_back(record(table))
    assert back == TakenBack(NOON + at, 1, ("e6", "d4"), "", FULL + 29_000, FULL, desk=False)
    manual = played(master=ClockMaster.MANUAL)
    at = manual.now
    manual.done("arbiter", cmd.RestoreTo(ply=2, times="leave"))
    clock = manual.state.time.clock
    (back,) = taken_back(record(manual))
    assert back == TakenBack(
        NOON + at, 2, ("d4",), "", clock.remaining(W, at), clock.remaining(B, at), desk=False
    )  # fmt: skip
    assert taken_back(record(played())) == ()
    only_set = played()
    only_set.done("arbiter", cmd.SetClock(white_ms=1, black_ms=2, turn=B))
    assert taken_back(record(only_set)) == ()


def test_two_boards_differ_where_other_men_stand() -> None:
    assert differing(HEARD, HEARD) == ()
    assert differing(after("e2e4"), after("e2e3")) == (("e3", "", "P"), ("e4", "P", ""))
    assert differing("4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4Q3") == (("e1", "K", "Q"),)


@pytest.mark.parametrize(
    ("plies", "ranges"), [((), ""), ((4,), "4"), ((1, 2, 3, 7, 9, 10), "1-3, 7, 9-10"), ((1, 3), "1, 3")]
)
def test_numbers_in_a_row_are_written_as_one_range(plies: tuple[int, ...], ranges: str) -> None:
    assert in_ranges(plies) == ranges


def test_moves_are_written_as_people_write_them_from_a_ply_on_and_by_their_squares_where_that_is_not_known() -> None:
    state = played("Nf3 Nf6 g3").state
    assert moves_in_san(state, 1, ("g1f3", "g8f6", "g2g3")) == ("Nf3", "Nf6", "g3")
    assert moves_in_san(state, 2, ("g8f6",)) == ("Nf6",) and moves_in_san(state, 1, ()) == ()
    assert moves_in_san(state, 3, (None, "g7g6", "e2e4")) == ("-", "g6", "e2e4")
    assert moves_in_san(state, 1, ("e2e5", "no move")) == ("e2e5", "no move")
