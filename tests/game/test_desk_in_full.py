"""The reconciliation desk event by event: what each act of the arbiter brings about, whole, and what is refused."""

from __future__ import annotations

from typing import Any

import chess
import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.scores import snapshot_of
from server.game.game import Game
from server.game.laws.event_options import EventOptions, Supervision
from server.game.values.adjournment import Adjournment
from server.game.values.position import Position
from server.game.values.words import ClockMaster, Mode, Origin, Role, Seat, SeatKind
from tests.game.core_table import CoreTable, altered, only, play

W, B = Seat.WHITE, Seat.BLACK
HEARD = ("e2e4", "e7e6", "d2d4", "f8b4")
E5 = ("e2e4", "e7e5", "d2d4", "f8b4")
"""As it was played: the server heard e6. White has not repeated Bb4 yet, so that it is not on White's board."""
LONGER = (*E5, "c2c3", "b4c3")
NOW = 7_000
FULL = 5_430_000
KINGS = "4k3/8/8/8/8/8/8/4K3"


def played(line: str = "e4 e6 d4 Bb4", **more: Any) -> CoreTable:
    """One second for each move, then two more."""
    table = CoreTable(**more)
    for number, text in enumerate(line.split()):
        mover, other = ("black", "white") if number % 2 else ("white", "black")
        table.wait(1_000)
        table.say(mover, text, utterance=f"{mover}-{number}")
        table.press(mover)
        if number < 3:
            table.say(other, text)
    table.wait(2_000)
    return table


def opened(line: str = "e4 e6 d4 Bb4", **more: Any) -> CoreTable:
    table = played(line, **more)
    table.done("arbiter", cmd.OpenDesk())
    return table


def stands(moves: tuple[str, ...], start: str = chess.STARTING_FEN) -> Position:
    position = Position.from_fen(start)
    for uci in moves:
        position = position.after(uci)
    return position


def squares(text: str) -> tuple[ev.SquareToSet, ...]:
    """`b4b e6-`: a bishop on b4, nothing on e6."""
    return tuple(ev.SquareToSet(square=one[:2], should_be=None if one[2] == "-" else one[2]) for one in text.split())


def decision(table: CoreTable, kind: Any, **more: Any) -> tuple[ev.AnyEvent, ...] | Refusal:
    return table.do("arbiter", cmd.DecideDesk(kind=kind, **more))


def decided(kind: str, moves: tuple[str, ...], **more: Any) -> ev.DeskDecided:
    """The decision of that line, with what differs from the usual."""
    position = stands(moves)
    fields: dict[str, Any] = {
        "kind": kind, "verdict": "", "reason": "", "ply": len(moves), "placement": position.placement,
        "turn": position.turn, "moves": moves, "times": "leave",
    }  # fmt: skip
    return ev.DeskDecided(at=NOW, **(fields | more))


def settled(moves: tuple[str, ...], records: tuple[int, ...] | None = None) -> ev.LineSettled:
    numbers = records or tuple(range(1, len(moves) + 1))
    return ev.LineSettled(at=NOW, ply=len(moves), moves=moves, records=numbers, fen=stands(moves).fen)


def asked(seat: Seat, found: tuple[ev.SquareToSet, ...]) -> ev.SquareAsked:
    first = found[0]
    return ev.SquareAsked(at=NOW, seat=seat, number=1, of=len(found), square=first.square, should_be=first.should_be)


def board_set(board: Seat, moves: tuple[str, ...]) -> ev.BoardSet:
    after, before = stands(moves), stands(moves[:-1])
    return ev.BoardSet(
        at=NOW, board=board, placement=after.placement, turn=after.turn, origin=Origin.ENTERED, through=len(moves),
        before=before.placement,
    )  # fmt: skip


def clock_set(white_ms: int, black_ms: int, **more: Any) -> ev.ClockSet:
    fields: dict[str, Any] = {"turn": W, "reason": "D.2.9", "moves": (2, 2), "periods": (0, 0)}
    return ev.ClockSet(at=NOW, white_ms=white_ms, black_ms=black_ms, **(fields | more))


WHITE_LEFT = FULL + 2 * 30_000 - 2_000 - 2_000  # two moves of a second, two seconds since
BLACK_LEFT = FULL + 2 * 30_000 - 2_000


# Opening, looking, reading, hearing


def waits(table: CoreTable) -> bool:
    """Whether a press waits for the end of its announcement."""
    return table.state.time.held is not None


@pytest.mark.law("L197")
@pytest.mark.parametrize("running", [True, False])
def test_the_desk_opens_on_what_stands_and_the_clocks_stand_from_then_on(running: bool) -> None:
    table = played()
    if not running:
        table.done("arbiter", cmd.Pause())
    snapshot = snapshot_of(table.state, table.now)
    assert (snapshot.white_ms, snapshot.black_ms, snapshot.made_plies) == (WHITE_LEFT, BLACK_LEFT, 4)
    paused = ev.ClockPaused(at=NOW, by=Role.ARBITER, seat=None, reason="desk")
    put_down = ev.DeskOpened(at=NOW, snapshot=snapshot, reason="they differ")
    assert table.done("arbiter", cmd.OpenDesk(reason="they differ")) == ((paused, put_down) if running else (put_down,))
    assert table.state.time.clock.running is None
    assert table.do("arbiter", cmd.OpenDesk()) == Refusal("desk_open", "D.2.9")


@pytest.mark.law("L197")
def test_a_press_that_waits_for_its_announcement_takes_effect_before_the_desk_opens() -> None:
    table = CoreTable(started=False)
    table.mode(Mode.RELAY)
    table.adapt("announcement_on_movers_time")
    table.adapt("announcement_charge", "none")
    table.done("arbiter", cmd.StartGame())
    play(table, "e4")
    table.enter("black", "e7e5", "e5")
    table.own(cmd.NoteSpeaking(seat=W, utterance="a", length_ms=None, over=False))
    table.press("black")
    assert (waits(table), table.state.time.clock.running) == (True, None)
    events = table.done("arbiter", cmd.OpenDesk())
    assert [type(one) for one in events] == [ev.AnnouncementWaited, ev.ClockPaused, ev.DeskOpened]
    assert (waits(table), table.state.time.clock.turn) == (False, W)


@pytest.mark.law("L215")
@pytest.mark.parametrize(("stage", "opens"), [("sealed", False), ("resumed", True)])
def test_no_desk_is_opened_between_the_order_to_seal_and_the_resumption(stage: Any, opens: bool) -> None:
    table = CoreTable(regulations=EventOptions(guidelines=("I",)))
    adjourned = Adjournment(seat=W, ply=1, key="k", salt="s", stage=stage)
    table.state = replace(table.state, adjournment=adjourned)
    found = table.do("arbiter", cmd.OpenDesk())
    assert isinstance(found, Refusal) is not opens
    assert opens or found == Refusal("adjourned", "I.7")


@pytest.mark.law("L194")
def test_what_is_read_and_heard_at_the_desk_is_kept_word_for_word() -> None:
    table = opened()
    typed = cmd.TypeCell(seat=B, ply=2, text="e5", language="en")
    assert table.done("arbiter", typed) == (ev.CellTyped(at=NOW, seat=B, ply=2, text="e5", language="en"),)
    heard = cmd.HearCell(seat=W, ply=1)
    assert table.done("arbiter", heard) == (ev.CellHeard(at=NOW, seat=W, ply=1, utterance="white-0"),)
    assert table.do("arbiter", cmd.HearCell(seat=B, ply=1)) == Refusal("no_such_ply", "D.2.7"), "kept on paper"
    shown = cmd.ShowBoard(board=B, placement=KINGS)
    assert table.done("arbiter", shown) == (ev.BoardRead(at=NOW, board=B, placement=KINGS),)
    assert table.do("arbiter", cmd.ShowBoard(board=B, placement="9/8")) == Refusal("no_position", "D.2.9")


@pytest.mark.law("L197")
@pytest.mark.parametrize(
    "after",
    [cmd.TypeCell(seat=B, ply=2, text="e5"), cmd.ShowBoard(board=B, placement=KINGS), cmd.HearCell(seat=W, ply=1)],
    ids=lambda body: type(body).__name__,
)
def test_what_need_not_be_read_holds_until_anything_else_is_read_or_seen(after: cmd.AnyAct) -> None:
    table = opened()
    accepted = table.done("arbiter", cmd.AcceptUnread(plies=(3, 1, 3)))
    assert accepted == (ev.UnreadAccepted(at=NOW, plies=(1, 3)),)
    desk = table.state.desk
    assert desk is not None and desk.accepts((1, 3)) and desk.accepts((3,)) and not desk.accepts((1, 2))
    table.done("arbiter", after)
    desk = table.state.desk
    assert desk is not None and desk.accepts((1, 3)) is isinstance(after, cmd.HearCell)


@pytest.mark.parametrize(
    "body",
    [
        cmd.ShowBoard(board=W, placement=KINGS),
        cmd.ConfirmBoard(board=W),
        cmd.TypeCell(seat=W, ply=1, text="e4"),
        cmd.HearCell(seat=W, ply=1),
        cmd.AcceptUnread(plies=(1,)),
        cmd.DecideDesk(kind="mend", moves=E5),
        cmd.CloseDesk(),
    ],
    ids=lambda body: type(body).__name__,
)
def test_without_a_desk_nothing_is_done_at_it(body: cmd.AnyAct) -> None:
    table = played()
    before = table.state
    assert table.do("arbiter", body) == Refusal("no_desk", "D.2.9") and table.state == before


# Decisions


ADJUSTED = squares("b4b e5p e6- f8-"), squares("e5p e6-")
BACK = squares("d2P d4- e5p e6-"), squares("d2P b4- d4- e5p e6- f8b")


@pytest.mark.law("L197")
def test_the_boards_are_set_to_what_was_played_and_the_times_stay() -> None:
    table = opened()
    white, black = ADJUSTED
    found = decision(table, "adjust", moves=E5, verdict="same_record", reason="e5")
    assert found == (
        settled(E5),
        decided("adjust", E5, verdict="same_record", reason="e5", white=white, black=black),
        asked(W, white),
    )
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L198")
@pytest.mark.parametrize("times", [None, "leave"])
def test_the_moves_go_back_with_the_times_of_that_ply_or_the_times_as_they_are(times: Any) -> None:
    table = opened()
    stored = (FULL + 30_000 - 1_000,) * 2
    ms = stored if times is None else (WHITE_LEFT, BLACK_LEFT)
    white, black = BACK
    known: dict[str, Any] = {} if times else {"times": "stored", "white_ms": ms[0], "black_ms": ms[1]}
    assert decision(table, "back", moves=E5[:2], times=times, reason="two scores" if times else "") == (
        settled(E5[:2], (1, 2, 3, 4)),
        ev.Restored(at=NOW, ply=2, discarded=HEARD[2:], reason="two scores" if times else "D.2.9", keeps=(),
                    exempt=(None, None)),
        board_set(W, E5[:2]),
        board_set(B, E5[:2]),
        clock_set(*ms, reason="restored", moves=(1, 1), periods=None if times else (0, 0), by_hand=times is None,
                  anew=True),
        decided("back", E5[:2], reason="two scores" if times else "", white=white, black=black, **known),
        asked(W, white),
    )  # fmt: skip
    assert [len(line) for line in table.state.moves.discarded] == [2]


@pytest.mark.law("L198")
@pytest.mark.parametrize(
    ("times", "periods"), [({}, (1, 1)), ({"times": "typed", "white_ms": 290_000, "black_ms": 280_000}, (0, 0))]
)
def test_stored_times_that_have_the_next_periods_time_get_it_no_second_time(
    times: dict[str, Any], periods: tuple[int, int]
) -> None:
    """Two plies were counted too many, and with them the period was reached."""
    table = CoreTable(control="2/300:600")
    play(table, "h4 h5 a3 a6 b3")
    table.done("arbiter", cmd.OpenDesk())
    back = decision(table, "back", moves=("a2a3", "a7a6"), **times)
    assert not isinstance(back, Refusal)
    assert [(one.moves, one.periods) for one in only(back, ev.ClockSet)] == [((1, 1), periods)]


@pytest.mark.law("L197")
def test_where_only_the_server_was_wrong_its_own_boards_follow_and_nobody_sets_anything() -> None:
    table = opened()
    assert decision(table, "mend", moves=E5) == (
        settled(E5),
        board_set(W, E5),
        board_set(B, E5),
        decided("mend", E5),
        ev.DeskClosed(at=NOW, reason="mended", differs=()),
    )
    assert (table.state.desk, table.state.setting) == (None, None)


@pytest.mark.law("L197")
def test_a_board_that_stands_there_already_with_every_move_carried_out_is_not_set_once_more() -> None:
    table = played()
    table.say("white", "Bb4")
    table.done("white", cmd.Execute())
    table.done("arbiter", cmd.OpenDesk())
    assert decision(table, "mend", moves=HEARD) == (
        settled(HEARD),
        decided("mend", HEARD),
        ev.DeskClosed(at=NOW, reason="mended", differs=()),
    )


@pytest.mark.law("L197")
@pytest.mark.parametrize(
    ("seen", "kind", "found"),
    [
        ((), "mend", None),
        ((W,), "mend", KINGS),
        ((B,), "mend", KINGS),
        ((W, B), "mend", KINGS),
        ((W, B), "adjust", None),  # what shall stand there is decided, not taken from what stands
    ],
)
def test_a_mend_may_follow_what_was_seen_on_the_boards(seen: tuple[Seat, ...], kind: Any, found: str | None) -> None:
    table = opened()
    for board in seen:
        table.done("arbiter", cmd.ShowBoard(board=board, placement=KINGS))
    if found is not None:
        assert decision(table, kind) == Refusal("moves_not_known", "D.2.9"), "unless the position alone is taken"
    events = decision(table, kind, position_alone=True)
    if found is None:
        assert events == Refusal("no_position", "D.2.9")
        return
    assert not isinstance(events, Refusal)
    fen = f"{KINGS} w - - 0 3"
    unknown = (ev.StillDiffers(what="line", ply=4),)
    boards = [ev.BoardSet(at=NOW, board=one, placement=KINGS, turn=W, origin=Origin.ENTERED, through=4) for one in Seat]
    detail = "from move 2 (Black) on it is not known which moves led here (D.2.9)"
    assert events == (
        ev.LineSettled(at=NOW, ply=4, moves=None, records=(1, 2, 3, 4), fen=fen),
        *boards,
        ev.DeskDecided(at=NOW, kind="mend", verdict="", ply=4, placement=KINGS, turn=W, reason="", times="leave",
                       differs=unknown),
        ev.Alerted(at=NOW, kind="desk_differs", ply=4, grey=False, detail=detail),
        ev.DeskClosed(at=NOW, reason="mended", differs=unknown),
    )  # fmt: skip


@pytest.mark.law("L197")
def test_two_boards_that_were_seen_otherwise_decide_nothing_by_themselves() -> None:
    table = opened()
    table.done("arbiter", cmd.ShowBoard(board=W, placement=KINGS))
    table.done("arbiter", cmd.ShowBoard(board=B, placement=chess.STARTING_BOARD_FEN))
    assert decision(table, "mend") == Refusal("no_position", "D.2.9")
    events = decision(table, "mend", moves=E5)
    assert not isinstance(events, Refusal)
    (closed,) = only(events, ev.DeskClosed)
    assert [(one.what, one.ply, len(one.squares)) for one in closed.differs] == [("white", 4, 30), ("black", 4, 8)]
    assert [(one.board, one.placement) for one in only(events, ev.BoardSet)] == [
        (W, KINGS),
        (B, chess.STARTING_BOARD_FEN),
    ], "the record of the boards follows what stands there"


REFUSED: list[tuple[str, dict[str, Any], Refusal]] = [
    ("back", {}, Refusal("no_such_ply", "D.2.9")),
    ("back", {"ply": 5}, Refusal("no_such_ply", "D.2.9")),
    ("back", {"ply": 2, "placement": "9/8"}, Refusal("no_position", "D.2.9")),
    ("back", {"ply": 2, "turn": B}, Refusal("turn_differs", "D.2.9")),
    ("back", {"ply": 0, "placement": KINGS}, Refusal("moves_lead_elsewhere", "D.2.9")),
    ("adjust", {}, Refusal("no_position", "D.2.9")),
    ("adjust", {"placement": KINGS, "turn": B}, Refusal("turn_differs", "D.2.9")),
    ("adjust", {"placement": KINGS, "turn": W, "ply": 3}, Refusal("turn_differs", "D.2.9")),
    ("adjust", {"moves": ("e2e4", "e2e4")}, Refusal("no_such_move", "D.2.9")),
    ("adjust", {"moves": E5, "ply": 2}, Refusal("moves_lead_elsewhere", "D.2.9")),
    ("adjust", {"moves": E5, "turn": B}, Refusal("moves_lead_elsewhere", "D.2.9")),
    ("adjust", {"moves": E5, "placement": KINGS}, Refusal("moves_lead_elsewhere", "D.2.9")),
    ("adjust", {"moves": E5, "times": "typed", "white_ms": 1}, Refusal("no_typed_times", "D.2.9")),
    ("adjust", {"moves": E5, "times": "typed", "black_ms": 1}, Refusal("no_typed_times", "D.2.9")),
]  # fmt: skip


@pytest.mark.law("L197", "L198")
@pytest.mark.parametrize(("kind", "more", "refusal"), REFUSED)
def test_what_does_not_fit_together_is_refused_and_nothing_is_changed(
    kind: str, more: dict[str, Any], refusal: Refusal
) -> None:
    table = opened()
    before = table.state
    assert decision(table, kind, **more) == refusal and table.state == before


FITTING: list[tuple[str, dict[str, Any], int, tuple[str, ...] | None, str]] = [
    # what is decided, the ply it is about, the moves to it, and what stands then
    ("back", {"ply": 4}, 4, HEARD, stands(HEARD).placement),
    ("back", {"ply": 2}, 2, HEARD[:2], stands(HEARD[:2]).placement),
    ("back", {"ply": 2, "turn": W}, 2, HEARD[:2], stands(HEARD[:2]).placement),
    ("back", {"ply": 2, "placement": KINGS, "position_alone": True}, 2, None, KINGS),
    ("back", {"ply": 0}, 0, (), chess.STARTING_BOARD_FEN),
    ("adjust", {"placement": stands(HEARD).placement}, 4, HEARD, stands(HEARD).placement),
    ("adjust", {"placement": stands(HEARD).placement, "ply": 2}, 4, HEARD, stands(HEARD).placement),
    ("adjust", {"placement": stands(HEARD[:2]).placement, "ply": 2}, 2, HEARD[:2], stands(HEARD[:2]).placement),
    ("adjust", {"placement": stands(HEARD[:3]).placement, "ply": 3}, 3, HEARD[:3], stands(HEARD[:3]).placement),
    ("adjust", {"placement": KINGS, "ply": 2, "position_alone": True}, 2, None, KINGS),
    ("adjust", {"placement": KINGS, "ply": 3, "turn": B, "position_alone": True}, 3, None, KINGS),
    ("adjust", {"placement": KINGS, "position_alone": True}, 4, None, KINGS),
    ("adjust", {"placement": KINGS, "ply": 6, "position_alone": True}, 6, None, KINGS),
    ("adjust", {"moves": E5, "ply": 4, "turn": W, "placement": stands(E5).placement}, 4, E5, stands(E5).placement),
]  # fmt: skip


@pytest.mark.law("L197", "L198")
@pytest.mark.parametrize(("kind", "more", "ply", "moves", "placement"), FITTING)
def test_the_line_is_found_by_its_moves_or_its_half_move_or_what_stands(
    kind: str, more: dict[str, Any], ply: int, moves: tuple[str, ...] | None, placement: str
) -> None:
    table = opened()
    events = decision(table, kind, **more)
    assert not isinstance(events, Refusal)
    (one,) = only(events, ev.DeskDecided)
    assert (one.ply, one.moves, one.placement, one.turn) == (ply, moves, placement, B if ply % 2 else W)
    assert table.state.made_plies == ply and table.state.position is not None
    assert table.state.position.placement == placement
    assert one.differs == (() if moves is not None else (ev.StillDiffers(what="line", ply=min(ply, 5)),))


@pytest.mark.law("L111", "L198")
def test_nothing_is_taken_back_that_an_open_claim_is_about() -> None:
    table = played()
    table.done("white", cmd.ClaimDraw(kind="fifty_moves"))
    assert table.state.draws.claim is not None
    table.done("arbiter", cmd.OpenDesk())
    assert decision(table, "back", ply=2) == Refusal("claim_open", "9.5.1")
    assert not isinstance(decision(table, "adjust", moves=E5), Refusal)


@pytest.mark.law("L085", "L198")
def test_going_back_to_a_position_that_is_not_known_needs_it_from_the_arbiter() -> None:
    table = CoreTable()
    table.mumble("white", "u")
    table.press("white")
    play(table, "e5")
    table.done("arbiter", cmd.OpenDesk())
    assert decision(table, "back", ply=1) == Refusal("position_not_known", "7.5.1")
    events = decision(table, "back", ply=1, placement=KINGS, position_alone=True)
    assert not isinstance(events, Refusal)
    (one,) = only(events, ev.DeskDecided)
    assert (one.moves, one.placement, one.turn, one.differs) == (
        None, KINGS, B, (ev.StillDiffers(what="line", ply=1),),
    )  # fmt: skip


@pytest.mark.law("L198")
def test_going_back_to_a_position_that_came_again_goes_back_to_where_it_is_named() -> None:
    table = opened("Nf3 Nf6 Ng1 Ng8")
    events = decision(table, "back", ply=0)
    assert not isinstance(events, Refusal)
    (found,) = only(events, ev.DeskDecided)
    assert (found.ply, found.moves, found.times, found.white_ms, found.black_ms) == (0, (), "stored", FULL, FULL)
    assert table.state.made_plies == 0


# What the server told before, and what it tells now


@pytest.mark.law("L080")
def test_what_is_illegal_in_the_settled_line_and_was_not_told_is_told() -> None:
    table = opened()
    events = decision(table, "adjust", moves=(*E5[:2], "e1e3", "f8b4"))
    assert not isinstance(events, Refusal)
    assert [(one.kind, one.ply) for one in only(events, ev.Alerted)] == [("not_legal", 3)]
    first = opened()
    events = decision(first, "adjust", moves=("e1e3", *E5[1:]))
    assert not isinstance(events, Refusal)
    assert [(one.kind, one.ply) for one in only(events, ev.Alerted)] == [("not_legal", 1)]
    told = opened("e4 e5 Ke3 d6")
    events = decision(told, "adjust", moves=("e2e4", "e7e5", "e1e3", "d7d5"))
    assert not isinstance(events, Refusal) and not only(events, ev.Alerted), "of ply 3 nothing is new"
    events = decision(told, "adjust", moves=("e2e4", "e7e6", "e1e3", "d7d5"))
    assert not isinstance(events, Refusal)
    assert [(one.kind, one.ply) for one in only(events, ev.Alerted)] == [("not_legal", 3)], "in another position"


@pytest.mark.law("L043")
def test_an_end_that_was_told_of_another_line_is_revised() -> None:
    table = opened("f3 e5 g4 Qh4")
    assert [one[:2] for one in table.state.rulings.ends_told] == [("checkmate", 4)]
    events = decision(table, "adjust", moves=("f2f3", "e7e5", "g2g3", "d8h4"))
    assert not isinstance(events, Refusal)
    (told,) = only(events, ev.Alerted)
    assert (told.kind, told.ply) == ("belief_revised", 4) and "(checkmate on the server's board)" in told.detail
    same = opened("f3 e5 g4 Qh4")
    events = decision(same, "adjust", moves=("f2f3", "e7e5", "g2g4", "d8h4"))
    assert not isinstance(events, Refusal)
    assert [(one.kind, one.ply, one.grey) for one in only(events, ev.Alerted)] == [("checkmate", 4, False)], (
        "the same end, which no longer rests on recognised words alone"
    )


@pytest.mark.law("L197")
def test_from_which_half_move_on_nothing_is_known_is_said() -> None:
    table = CoreTable()
    table.mumble("white", "u")
    table.press("white")
    play(table, "e5")
    table.done("arbiter", cmd.OpenDesk())
    events = decision(table, "adjust", placement=KINGS, position_alone=True)
    assert not isinstance(events, Refusal)
    assert [one.differs for one in only(events, ev.DeskDecided)] == [(ev.StillDiffers(what="line", ply=1),)]


@pytest.mark.law("L197")
def test_the_record_of_a_board_follows_where_a_move_was_not_carried_out_on_it() -> None:
    table = opened()  # Bb4 is not on White's board
    for board in Seat:
        table.done("arbiter", cmd.ShowBoard(board=board, placement=stands(HEARD).placement))
    events = decision(table, "mend", moves=HEARD)
    assert not isinstance(events, Refusal)
    assert only(events, ev.BoardSet) == [board_set(W, HEARD)], "on Black's board it stands"
    table = CoreTable(white=SeatKind.SIGHTED)
    table.enter("white", "e2e4", "e4")
    table.press("white")
    table.done("black", cmd.Execute(uci="e2e4"))
    for seat in ("black", "white"):
        table.mumble(seat, seat, act="announce")
        table.press(seat)
    table.done("arbiter", cmd.OpenDesk())
    stood = stands(("e2e4",))
    for board in Seat:
        assert table.placement(board) == stood.placement
        table.done("arbiter", cmd.ShowBoard(board=board, placement=stood.placement))
    events = decision(table, "mend", moves=HEARD[:3])
    assert not isinstance(events, Refusal)
    assert [(one.board, one.placement, one.through) for one in only(events, ev.BoardSet)] == [
        (board, stood.placement, 3) for board in Seat
    ], "of two moves the program has seen nothing there"


# The clock


@pytest.mark.law("L198")
def test_two_moves_that_were_missed_are_counted_and_bring_the_time_of_the_next_period() -> None:
    table = opened(control="2/600:300")
    assert (table.state.time.clock.white.moves, table.state.time.clock.white.period) == (2, 1)
    short = opened("e4 e6 d4", control="2/600:300")
    reading = short.state.time.clock.reading(short.now)
    events = decision(short, "adjust", moves=("e2e4", "e7e6", "d2d4", "f8b4", "c2c3"))
    assert not isinstance(events, Refusal)
    (clock,) = only(events, ev.ClockSet)
    assert clock == ev.ClockSet(
        at=short.now, white_ms=reading.white_ms, black_ms=reading.black_ms + 300_000, turn=B, reason="D.2.9",
        moves=(3, 2), periods=(1, 1),
    )  # fmt: skip
    typed = opened("e4 e6 d4", control="2/600:300")
    events = decision(
        typed, "adjust", moves=("e2e4", "e7e6", "d2d4", "f8b4", "c2c3"), times="typed", white_ms=5, black_ms=6
    )
    assert not isinstance(events, Refusal)
    assert only(events, ev.ClockSet) == [
        replace(clock, white_ms=5, black_ms=6, by_hand=True),
    ], "what the arbiter typed is what stands, nothing is added to it"
    one = opened("e4 e5", control="2/600:300")
    reading = one.state.time.clock.reading(one.now)
    events = decision(one, "adjust", moves=E5[:3])
    assert not isinstance(events, Refusal)
    (clock,) = only(events, ev.ClockSet)
    assert (clock.white_ms, clock.black_ms) == (reading.white_ms + 300_000, reading.black_ms), (
        "Black has not reached it"
    )


FOUR = "2/600:2/300:2/100:50"


@pytest.mark.law("L198")
@pytest.mark.parametrize(
    ("moves", "periods", "more"),
    [(2, (0, 0), 0), (4, (1, 1), 300_000), (8, (2, 2), 400_000), (12, (3, 3), 450_000)],
)
def test_each_period_that_is_reached_or_left_brings_or_takes_its_own_time(
    moves: int, periods: tuple[int, int], more: int
) -> None:
    """Two moves of each period, or none, were missed; taken for played they come and go with their times."""
    knights = ("g1f3", "g8f6", "f3g1", "f6g8") * 3
    table = opened("Nf3 Nf6", control=FOUR)
    before = table.state.time.clock.reading(table.now)
    for line, reached, given in ((knights[:moves], periods, more), (knights[:2], (0, 0), 0)):
        if table.state.desk is None:
            table.done("arbiter", cmd.OpenDesk())
        assert not isinstance(decision(table, "mend", moves=line), Refusal)
        clock, now = table.state.time.clock, table.state.time.clock.reading(table.now)
        assert (now.white_ms, now.black_ms) == (before.white_ms + given, before.black_ms + given)
        assert (clock.white.period, clock.black.period) == reached
        assert (clock.white.moves, clock.black.moves) == (len(line) // 2,) * 2


@pytest.mark.law("L198")
def test_a_counter_never_falls_below_zero_and_a_time_neither() -> None:
    table = opened("e4 e6 d4 Bb4", control="2/60:300")
    table.done("arbiter", cmd.SetClock(white_ms=20_000, black_ms=400_000, turn=W, moves=(1, 2), periods=(1, 1)))
    events = decision(table, "adjust", moves=())
    assert not isinstance(events, Refusal)
    (clock,) = only(events, ev.ClockSet)
    assert (clock.moves, clock.periods, clock.white_ms, clock.black_ms) == ((0, 0), (0, 0), 0, 100_000)


@pytest.mark.law("L198")
@pytest.mark.parametrize("master", [ClockMaster.MANUAL, ClockMaster.LIVECHESS])
@pytest.mark.parametrize("read", [True, False])
def test_another_clock_is_set_by_what_was_read_off_and_counts_the_moves_of_the_line(
    master: ClockMaster, read: bool
) -> None:
    table = played(control="2/600:300", master=master)
    if read:
        table.done("arbiter", cmd.ReadClock(white_ms=111_000, black_ms=222_000))
    table.done("arbiter", cmd.OpenDesk())
    events = decision(table, "adjust", moves=LONGER)
    assert not isinstance(events, Refusal)
    wanted = clock_set(111_000, 222_000, moves=(3, 3), periods=(1, 1))
    assert only(events, ev.ClockSet) == ([wanted] if read else [])
    typed = decision(table, "adjust", moves=E5, times="typed", white_ms=5, black_ms=6)
    assert not isinstance(typed, Refusal)
    assert only(typed, ev.ClockSet) == [clock_set(5, 6, moves=(2, 2), periods=(1, 1), by_hand=True)]


@pytest.mark.law("L198")
def test_who_has_made_a_move_and_not_pressed_still_has_the_clock() -> None:
    table = played("e4 e6", white=SeatKind.SIGHTED)
    table.enter("white", "d2d4", "d4")
    table.done("arbiter", cmd.OpenDesk())
    assert table.state.made_plies == 3 and not table.ply(3).completed
    events = decision(table, "adjust", moves=E5[:3], times="typed", white_ms=5, black_ms=6)
    assert not isinstance(events, Refusal)
    (clock,) = only(events, ev.ClockSet)
    assert (clock.turn, clock.moves) == (W, (1, 1))
    table.done("arbiter", cmd.CloseDesk())
    table.done("arbiter", cmd.OpenDesk())
    events = decision(table, "adjust", moves=("a2a3", "a7a6", "e2e4"))
    assert not isinstance(events, Refusal)
    (clock,) = only(events, ev.ClockSet)
    assert (clock.turn, clock.moves) == (B, (2, 1)), "as many as before, and White's last one is completed"
    unpressed = played("e4 e6", white=SeatKind.SIGHTED)
    unpressed.enter("white", "d2d4", "d4")
    unpressed.done("arbiter", cmd.OpenDesk())
    events = decision(unpressed, "adjust", moves=E5[:2])
    assert not isinstance(events, Refusal)
    (clock,) = only(events, ev.ClockSet)
    assert (clock.turn, clock.moves, clock.by_hand) == (W, (1, 1), False), "one move fewer is made, none is completed"


# Setting, confirming, closing


@pytest.mark.law("L197")
def test_each_board_is_set_anew_as_it_is_read_and_the_desk_closes_with_the_second_that_is_confirmed() -> None:
    table = opened()
    decision(table, "adjust", moves=E5)
    white, _ = ADJUSTED
    position = stands(E5)
    read = table.done("arbiter", cmd.ShowBoard(board=B, placement=position.placement))
    assert read == (
        ev.BoardRead(at=NOW, board=B, placement=position.placement),
        ev.BoardsToSet(at=NOW, because="desk", ply=4, placement=position.placement, turn=W, white=white, read=B),
    )
    again = table.done("arbiter", cmd.ShowBoard(board=B, placement=position.placement))
    assert again == (ev.BoardRead(at=NOW, board=B, placement=position.placement),), "nothing is new"
    confirmed = table.done("arbiter", cmd.ConfirmBoard(board=B))
    assert confirmed == (board_set(B, E5), ev.BoardConfirmed(at=NOW, board=B))
    confirmed = table.done("arbiter", cmd.ConfirmBoard(board=W))
    assert confirmed == (
        board_set(W, E5),
        ev.BoardConfirmed(at=NOW, board=W),
        ev.DeskClosed(at=NOW, reason="confirmed", differs=()),
    )
    assert Game.replay(table.events) == table.state


@pytest.mark.law("L197")
def test_what_the_decision_left_open_is_said_once_more_when_the_desk_closes() -> None:
    table = opened()
    assert table.do("arbiter", cmd.ConfirmBoard(board=W)) == Refusal("not_decided", "D.2.9")
    decision(table, "adjust", placement=KINGS, position_alone=True)
    table.done("arbiter", cmd.ConfirmBoard(board=W))
    (closed,) = only(table.done("arbiter", cmd.ConfirmBoard(board=B)), ev.DeskClosed)
    unknown = ev.StillDiffers(what="line", ply=4)
    assert closed == ev.DeskClosed(at=NOW, reason="confirmed", differs=(unknown,))
    other = opened()
    decision(other, "adjust", placement=KINGS, position_alone=True)
    other.done("arbiter", cmd.ConfirmBoard(board=B))
    found = other.done("arbiter", cmd.CloseDesk(reason="no time"))
    alert, last = found
    assert isinstance(alert, ev.Alerted) and alert.detail.startswith("White's board: a1 b1 ")
    assert (alert.kind, alert.ply, alert.grey) == ("desk_differs", 4, False), "the line was said when it was decided"
    assert isinstance(last, ev.DeskClosed) and last.reason == "no time"
    assert [(one.what, one.ply, len(one.squares)) for one in last.differs] == [("line", 4, 0), ("white", 4, 30)]


@pytest.mark.law("L197")
@pytest.mark.parametrize("read", [False, True])
def test_a_desk_closed_before_its_boards_are_confirmed_names_their_squares(read: bool) -> None:
    table = opened()
    decision(table, "adjust", moves=E5)
    if read:
        table.done("arbiter", cmd.ShowBoard(board=B, placement=stands(E5).placement))
    white = ev.StillDiffers(what="white", ply=4, squares=("b4", "e5", "e6", "f8"))
    black = ev.StillDiffers(what="black", ply=4, squares=("e5", "e6"))
    differs = (white,) if read else (white, black)
    assert table.done("arbiter", cmd.CloseDesk()) == (
        *(
            ev.Alerted(at=NOW, kind="desk_differs", ply=4, grey=False,
                       detail=f"{one.what.capitalize()}'s board: {' '.join(one.squares)} (D.2.9)")
            for one in differs
        ),
        ev.DeskClosed(at=NOW, reason="closed", differs=differs),
    )  # fmt: skip


@pytest.mark.law("L197")
@pytest.mark.parametrize(
    ("white", "black", "differing", "out_of_step"),
    [
        (None, None, [], False),
        (E5, E5, ["white", "black"], True),
        (HEARD, HEARD, [], False),
        (E5, HEARD, ["white"], False),
        (HEARD, E5, ["black"], False),
        (E5, None, ["white"], False),
        (None, E5, ["black"], False),
    ],
)
def test_a_desk_closed_undecided_names_what_was_seen_and_is_not_the_servers(
    white: tuple[str, ...] | None, black: tuple[str, ...] | None, differing: list[str], out_of_step: bool
) -> None:
    table = opened()
    for board, moves in ((W, white), (B, black)):
        if moves is not None:
            table.done("arbiter", cmd.ShowBoard(board=board, placement=stands(moves).placement))
    events = table.done("arbiter", cmd.CloseDesk())
    differs = tuple(ev.StillDiffers(what=one, ply=4, squares=("e5", "e6")) for one in differing)
    assert events[-1] == ev.DeskClosed(at=NOW, reason="closed", differs=differs)
    assert [(one.kind, one.ply, one.grey) for one in only(events, ev.Alerted)] == [("desk_differs", 4, False)] * len(
        differs
    )
    note = "the desk was closed; both boards stand alike, and the server has another position"
    assert only(events, ev.OutOfStep) == ([ev.OutOfStep(at=NOW, ply=4, note=note)] if out_of_step else [])
    assert table.state.moves.out_of_step is out_of_step


def test_a_desk_that_was_decided_and_closed_early_makes_nobody_out_of_step() -> None:
    table = opened()
    for board in Seat:
        table.done("arbiter", cmd.ShowBoard(board=board, placement=stands(HEARD).placement))
    decision(table, "adjust", moves=E5)
    events = table.done("arbiter", cmd.CloseDesk())
    assert not only(events, ev.OutOfStep) and not table.state.moves.out_of_step


# Square by square


@pytest.mark.law("L080", "L197")
def test_both_tactile_players_are_told_their_own_first_square_and_then_the_next() -> None:
    table = opened(black=SeatKind.TACTILE)
    decision(table, "adjust", moves=E5)
    white, black = ADJUSTED
    assert table.events[-2:] == [asked(W, white), asked(B, black)]

    def answer(seat: Seat, yes: bool) -> tuple[ev.AnyEvent, ...]:
        return table.done(seat.value, cmd.Confirm(yes=yes))

    def told(seat: Seat, found: tuple[ev.SquareToSet, ...], number: int) -> ev.SquareAsked:
        one = found[number - 1]
        return ev.SquareAsked(
            at=NOW, seat=seat, number=number, of=len(found), square=one.square, should_be=one.should_be
        )

    assert answer(B, False) == (told(B, black, 1),)
    assert answer(B, True) == (told(B, black, 2),)
    assert answer(W, True) == (told(W, white, 2),)
    assert answer(B, False) == (told(B, black, 2),)
    assert answer(B, True) == (ev.BoardSaidSet(at=NOW, seat=B),)
    assert table.state.setting is not None and table.state.setting.said == (B,)
    read = table.done("arbiter", cmd.ShowBoard(board=W, placement=stands(HEARD).placement))
    position = stands(E5)
    assert read == (
        ev.BoardRead(at=NOW, board=W, placement=stands(HEARD).placement),
        ev.BoardsToSet(
            at=NOW, because="desk", ply=4, placement=position.placement, turn=W, white=black, black=black, read=W
        ),
        asked(W, black),
    ), "White begins anew, Black has said that the board stands"
    same = table.done("arbiter", cmd.ShowBoard(board=B, placement=stands(HEARD).placement))
    assert same[1:] == (
        ev.BoardsToSet(
            at=NOW, because="desk", ply=4, placement=position.placement, turn=W, white=black, black=black, read=B
        ),
        asked(B, black),
    ), "it does not, as the arbiter reads it"


@pytest.mark.law("L197")
def test_a_board_that_is_confirmed_is_asked_about_again_only_where_it_is_read_otherwise() -> None:
    table = opened(black=SeatKind.TACTILE)
    decision(table, "adjust", moves=E5)
    table.done("arbiter", cmd.ConfirmBoard(board=B))
    placement = stands(E5).placement
    assert table.done("arbiter", cmd.ShowBoard(board=B, placement=placement)) == (
        ev.BoardRead(at=NOW, board=B, placement=placement),
    )
    _, black = ADJUSTED
    read = table.done("arbiter", cmd.ShowBoard(board=B, placement=stands(HEARD).placement))
    assert [type(one) for one in read] == [ev.BoardRead, ev.BoardsToSet, ev.SquareAsked] and read[2] == asked(B, black)
    assert table.state.setting is not None and table.state.setting.confirmed == ()


# A restoration without the desk


@pytest.mark.law("L074", "L080")
@pytest.mark.parametrize("running", [True, False])
def test_a_restoration_event_by_event(running: bool) -> None:
    table = played()
    if not running:
        table.done("arbiter", cmd.Pause())
    after = stands(HEARD[:2])
    white, black = squares("d2P d4-"), squares("d2P b4- d4- f8b")
    paused = ev.ClockPaused(at=NOW, by=Role.ARBITER, seat=None, reason="restored")
    assert table.done("arbiter", cmd.RestoreTo(ply=2, times="stored", reason="7.5.1")) == (
        *((paused,) if running else ()),
        ev.Restored(at=NOW, ply=2, discarded=HEARD[2:], reason="7.5.1", keeps=(), exempt=(None, None)),
        board_set(W, HEARD[:2]),
        board_set(B, HEARD[:2]),
        clock_set(FULL + 29_000, FULL + 29_000, reason="restored", moves=(1, 1), by_hand=True, anew=True),
        ev.BoardsToSet(at=NOW, because="restored", ply=2, placement=after.placement, turn=W, white=white, black=black),
        asked(W, white),
    )  # fmt: skip
    assert table.done("arbiter", cmd.RestoreTo(ply=1, times="leave"))[0] == ev.Restored(
        at=NOW, ply=1, discarded=HEARD[1:2], reason="", keeps=(), exempt=(None, None)
    )


@pytest.mark.law("L080", "L153")
@pytest.mark.parametrize(
    ("line", "ply", "agreed", "stands_"),
    [
        ("e4 e5 Ke3 d6", 2, False, True),
        ("e4 e5 Ke3 d6", 1, False, True),
        ("e4 e5 Ke3 d6", 2, True, False),
        ("e4 e5 Ke3 d6", 3, False, False),  # it stays
        ("e4 e5 Ke3", 2, False, False),  # Black has not replied yet
        ("e4 e5 d4 d6", 1, False, False),
    ],
)
@pytest.mark.parametrize(("rule_set", "article"), [("fide2023", "A.5.2"), ("fide2018", "A.4.2"), ("short", "A.5.2")])
def test_an_illegal_move_that_stands_is_taken_back_only_where_both_agree(
    line: str, ply: int, agreed: bool, stands_: bool, rule_set: str, article: str
) -> None:
    table = played(line, control="900+10", regulations=EventOptions(supervision=Supervision.BASIC), rule_set=rule_set)
    found = table.do("arbiter", cmd.RestoreTo(ply=ply, agreed=agreed, times="leave"))
    assert (found == Refusal("illegal_move_stands", article)) is stands_
    assert isinstance(found, Refusal) is stands_


@pytest.mark.law("L074", "L085")
def test_what_cannot_be_restored_is_refused() -> None:
    table = CoreTable()
    assert table.do("arbiter", cmd.RestoreTo(ply=1)) == Refusal("no_such_ply", "7.1")
    table.mumble("white", "u")
    table.press("white")
    play(table, "e5")
    for placement in (None, "9/8", "nonsense"):
        body = cmd.RestoreTo(ply=1, placement=placement)
        assert table.do("arbiter", body) == Refusal("position_not_known", "7.5.1")
    table.done("arbiter", cmd.RestoreTo(ply=1, placement=KINGS))
    assert table.placement(W) == table.placement(B) == KINGS
    claimed = played()
    claimed.done("white", cmd.ClaimDraw(kind="fifty_moves"))
    assert claimed.do("arbiter", cmd.RestoreTo(ply=2)) == Refusal("claim_open", "9.5.1")
    other = played(master=ClockMaster.MANUAL)
    assert other.do("arbiter", cmd.RestoreTo(ply=2, times="stored")) == Refusal("no_stored_times", "7.1")
    assert not only(other.done("arbiter", cmd.RestoreTo(ply=2, times="leave")), ev.ClockSet)


@pytest.mark.law("L074")
@pytest.mark.parametrize(
    ("ply", "moves", "periods", "ms"),
    [(0, (0, 0), (0, 0), 600_000), (1, (0, 1), (0, 0), None), (4, (2, 2), (1, 1), None), (5, (2, 3), (1, 1), None),
     (8, (4, 4), (2, 2), None)],
)  # fmt: skip
def test_counters_and_periods_are_those_of_that_ply_also_where_black_began(
    ply: int, moves: tuple[int, int], periods: tuple[int, int], ms: int | None
) -> None:
    fen = chess.STARTING_FEN.replace(" w ", " b ")
    table = CoreTable(fen=fen, control="2/600:2/300:100")
    for text in ["Nf6", "Nf3", "Ng8", "Ng1", "Nf6", "Nf3", "Ng8", "Ng1", "Nf6"]:
        seat = table.state.on_move.value
        table.wait(1_000)
        table.say(seat, text, act="announce")
        table.press(seat)
    (clock,) = only(table.done("arbiter", cmd.RestoreTo(ply=ply, times="stored")), ev.ClockSet)
    record = table.state.ply(ply)
    wanted = (record.white_ms, record.black_ms) if record is not None else (ms, ms)
    assert (clock.white_ms, clock.black_ms) == wanted
    assert (clock.moves, clock.periods, clock.turn) == (moves, periods, W if ply % 2 else B)


@pytest.mark.law("L198")
def test_recording_begins_anew_with_the_times_that_are_set_at_the_desk() -> None:
    """8.4 goes on in the same period after a restoration; where the moves are retraced by the scores it does not."""
    for at_the_desk, exempt in ((True, (None, None)), (False, (0, 0))):
        table = played()
        table.state = altered(table.state, {"scores.exempt": (0, 0)})
        if at_the_desk:
            table.done("arbiter", cmd.OpenDesk())
            events = decision(table, "back", ply=2)
        else:
            events = table.done("arbiter", cmd.RestoreTo(ply=2))
        assert not isinstance(events, Refusal)
        assert [one.exempt for one in only(events, ev.Restored)] == [exempt]
