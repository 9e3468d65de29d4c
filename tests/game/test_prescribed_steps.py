"""Acts that the Laws prescribe for an incident, alert by alert: each with its values, in order (7.5, 6.7 to 6.11)."""

from __future__ import annotations

from typing import Any

import chess
import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.decide.rulings.prescribed import PrescribedStep, Way, steps_of, ways_of
from server.game.laws.event_options import EventOptions
from server.game.state.endings import OpenClaim
from server.game.state.rulings import AlertKept
from server.game.state.state import GameState
from server.game.values.saying import Saying
from server.game.values.words import ClockMaster, Seat, SeatKind
from tests.game.core_table import CoreTable, altered, played

W, B = Seat.WHITE, Seat.BLACK
STOP = PrescribedStep(name="stop", body=cmd.Pause(reason="incident"))
ROOK, BARE = "8/P3k3/8/8/8/8/7r/4K3 w - - 0 1", "8/P3k3/8/8/8/8/8/4K3 w - - 0 1"


def kept(kind: str, who: Seat | None = None, *, ply: int = 1, done: Any = (), **values: Any) -> AlertKept:
    """An alert of this kind that the arbiter has before them; `values`: what its words name beside the player."""
    named = {"who": Saying(who.value)} if who is not None else {}
    alert = ev.Alerted(at=0, kind=kind, ply=ply, grey=False, detail="", said=Saying(kind, named | values))
    return AlertKept(1, alert, done=done)


def all_of_it(state: GameState, alert: AlertKept) -> tuple[PrescribedStep, ...]:
    """The steps of the only way that there is."""
    (way,) = ways_of(state, alert)
    assert way.name == "settle_all" and steps_of(state, alert) == way.steps
    return way.steps


def ruled(kind: Any, **more: Any) -> PrescribedStep:
    more = {"who": W, "uci": "e1e3"} | more
    body = cmd.RuleIrregularity(ply=1, seat=W, kind=kind, give=False)
    return PrescribedStep(name=f"rule_{kind}", body=body, **more)


def back(uci: str = "e1e3", **more: Any) -> PrescribedStep:
    return PrescribedStep(name="back", body=cmd.RestoreTo(ply=0), who=W, uci=uci, **more)


def given(**more: Any) -> PrescribedStep:
    body = cmd.AddTime(seat=B, ms=120_000, reason="illegal_move", article="7.5.5")
    return PrescribedStep(name="give", body=body, who=B, **more)


@pytest.mark.law("L080", "L082")
@pytest.mark.parametrize(
    ("kind", "steps"),
    [
        ("not_legal", (STOP, ruled("illegal"), back(), given())),
        ("takes_king", (STOP, ruled("illegal"), back(), given())),
        ("irregularity_claimed", (STOP, ruled("illegal"), back(), given())),
        ("press_without_move", (STOP, ruled("no_move"), given())),  # 7.5.3: there is no move to be taken back
        ("touch_move", (STOP, ruled("touch"), back())),  # 4.3: no illegal move, so no time
    ],
)
def test_an_irregular_move_is_ruled_on_taken_back_and_two_minutes_go_to_the_opponent(
    kind: str, steps: tuple[PrescribedStep, ...]
) -> None:
    state = played("Ke3").state
    assert all_of_it(state, kept(kind)) == steps
    for ply in (0, 5):
        assert ways_of(state, kept(kind, ply=ply)) == (), "nobody made such a ply"


@pytest.mark.law("L080")
def test_what_was_done_by_hand_is_done_and_the_count_of_the_first_is_not_taken_for_a_second() -> None:
    table = played("Ke3")
    table.done("arbiter", cmd.Pause())
    table.done("arbiter", cmd.RuleIrregularity(ply=1, seat=W, kind="illegal", give=False))
    stopped, ruling = replace(STOP, done=True), ruled("illegal", done=True)
    assert all_of_it(table.state, kept("not_legal", done=("ruled",))) == (stopped, ruling, back(), given())
    assert all_of_it(table.state, kept("not_legal", done=("ruled", "back"))) == (
        stopped, ruling, back(done=True), given(),
    )  # fmt: skip
    assert all_of_it(table.state, kept("not_legal", done=("ruled", "given"))) == (
        stopped, ruling, back(), given(done=True),
    )  # fmt: skip
    second = altered(table.state, {"rulings.illegals": ((W, "illegal"),) * 2})
    lost = cmd.RuleResult(result="0-1", reason="illegal_move", article="7.5.5")
    assert all_of_it(second, kept("not_legal", done=("ruled",))) == (
        stopped, ruling, PrescribedStep(name="result", body=lost),
    )  # fmt: skip


@pytest.mark.law("L081", "L083")
@pytest.mark.parametrize(
    ("fen", "result"),
    [(ROOK, "0-1"), (BARE, "1/2-1/2")],  # a rook can mate, a bare king cannot
)
@pytest.mark.parametrize("second", [True, False])
def test_a_pawn_on_the_last_rank_becomes_a_queen_and_the_second_irregularity_loses(
    fen: str, result: str, second: bool
) -> None:
    table = CoreTable(fen=fen, white=SeatKind.SIGHTED)
    table.enter("white", "a7a8", "a8")
    table.press("white")
    ruling = ruled("unpromoted", uci="a7a8")
    if not second:
        assert all_of_it(table.state, kept("unpromoted")) == (STOP, ruling, given())
        return
    state = altered(table.state, {"rulings.illegals": ((W, "illegal"),)})
    lost = cmd.RuleResult(result=result, reason="illegal_move", article="7.5.5")  # type: ignore[arg-type]
    assert all_of_it(state, kept("unpromoted")) == (STOP, ruling, PrescribedStep(name="result", body=lost))


@pytest.mark.law("L081")
def test_where_the_rules_make_no_queen_of_the_pawn_its_move_is_taken_back() -> None:
    table = CoreTable(fen=BARE, white=SeatKind.SIGHTED, rule_set="short")
    table.enter("white", "a7a8", "a8")
    table.press("white")
    assert all_of_it(table.state, kept("unpromoted")) == (STOP, ruled("unpromoted", uci="a7a8"), back("a7a8"), given())


@pytest.mark.law("L080", "L081")
@pytest.mark.parametrize(("fen", "result"), [(ROOK, "0-1"), (BARE, "1/2-1/2")])
@pytest.mark.parametrize("act", [cmd.RestoreTo(ply=0), cmd.Mend(ply=1, uci=None)])
def test_a_pawn_on_the_last_rank_can_be_ruled_on_once_it_is_gone_or_nobody_knows_its_move(
    act: cmd.AnyAct, fen: str, result: str
) -> None:
    """The card of the alert stays, with what is prescribed now; judged from before the move there is no queen."""
    table = CoreTable(fen=fen, white=SeatKind.SIGHTED)
    table.enter("white", "a7a8", "a8")
    table.press("white")
    table.done("arbiter", act)
    (card,) = [one for one in table.state.rulings.unsettled if one.alert.kind == "unpromoted"]
    gone = isinstance(act, cmd.RestoreTo)
    stop, ruling = replace(STOP, done=gone), ruled("unpromoted", uci="a7a8" if gone else None)
    assert all_of_it(table.state, card) == (stop, ruling, given())
    state = altered(table.state, {"rulings.illegals": ((W, "illegal"),)})
    lost = cmd.RuleResult(result=result, reason="illegal_move", article="7.5.5")  # type: ignore[arg-type]
    assert all_of_it(state, card) == (stop, ruling, PrescribedStep(name="result", body=lost))


@pytest.mark.law("L083")
def test_a_move_by_which_the_game_is_lost_is_not_taken_back() -> None:
    state = altered(played("Ke3").state, {"rulings.illegals": ((W, "illegal"),)})
    lost = cmd.RuleResult(result="0-1", reason="illegal_move", article="7.5.5")
    assert all_of_it(state, kept("not_legal")) == (STOP, ruled("illegal"), PrescribedStep(name="result", body=lost))


def test_another_clock_is_not_stopped_from_here_and_after_the_end_nothing_is_prescribed() -> None:
    manual = played("Ke3", master=ClockMaster.MANUAL)
    assert all_of_it(manual.state, kept("not_legal")) == (ruled("illegal"), back(), given())
    over = altered(manual.state, {"ending.result": "1-0"})
    assert ways_of(over, kept("not_legal")) == () == steps_of(over, kept("not_legal"))
    assert ways_of(manual.state, kept("called", W)) == (), "a call is no incident"


@pytest.mark.law("L113")
def test_a_claim_may_be_right_or_wrong_and_neither_is_prescribed() -> None:
    state = played("e4").state
    assert ways_of(state, kept("draw_claimed", W)) == (), "nobody claims anything any more"
    state = altered(state, {"draws.claim": OpenClaim(W, 1, "fifty_moves")})
    rulings: tuple[Any, ...] = ("correct", "wrong")
    assert ways_of(state, kept("draw_claimed", W)) == tuple(
        Way(name=f"claim_{one}", steps=(PrescribedStep(name=f"claim_{one}", body=cmd.RuleClaim(ruling=one), who=W),))
        for one in rulings
    )
    assert steps_of(state, kept("draw_claimed", W)) == ()


@pytest.mark.law("L064")
@pytest.mark.parametrize("first", [W, B, None])
def test_the_flag_that_fell_first_is_called_and_where_nobody_knows_the_one_that_is_down(first: Seat | None) -> None:
    state = played("e4").state
    assert ways_of(state, kept("flag", W)) == (), "no flag is down"
    clock = replace(state.time.clock, black=replace(state.time.clock.black, remaining_ms=0, flagged=True))
    state = altered(state, {"time.clock": replace(clock, first_flag=first)})
    fallen = first or B
    (way,) = ways_of(state, kept("flag", W))
    step = PrescribedStep(name="call_flag", body=cmd.CallFlag(seat=fallen), who=fallen)
    assert way == Way(name="call_flag", steps=(step,)) and steps_of(state, kept("flag", W)) == (step,)
    assert ways_of(altered(state, {"time.clock_master": ClockMaster.MANUAL}), kept("flag", W)) == ()


LOST = Saying("lost_by", {"who": Saying("white"), "result": "0-1"})
DRAWN = Saying("drawn_by", {"who": Saying("black"), "why": ""})


@pytest.mark.law("L064", "L065")
@pytest.mark.parametrize("kind", ["flag_called", "time_claimed"])
@pytest.mark.parametrize(
    ("found", "result"),
    [
        ((LOST,), "0-1"),
        ((DRAWN,), "1/2-1/2"),
        ((LOST, LOST), "0-1"),
        ((LOST, DRAWN), None),
        ((), None),
        ((Saying("and", {"first": LOST}),), "0-1"),
        *(((LOST, Saying(one)), None) for one in ("flag_not_fallen", "look_at_clock", "rule_first")),
        *(((LOST, Saying(one)), None) for one in ("arbiter_decides", "server_lost")),
    ],
)
def test_a_result_on_time_is_prescribed_where_what_was_found_names_just_one(
    kind: str, found: tuple[Saying, ...], result: Any
) -> None:
    state = played("e4").state
    alert = kept(kind, W, found=found)
    expected: tuple[Way, ...] = ()
    if result is not None:
        body = cmd.RuleResult(result=result, reason="flag", article="6.9")
        expected = (Way(name="result", steps=(PrescribedStep(name="result", body=body),)),)
    assert ways_of(state, alert) == expected
    claimed = altered(state, {"draws.claim": OpenClaim(B, 1, "fifty_moves")})
    assert ways_of(claimed, alert) == (), "the claim comes first"


def test_where_an_alert_has_no_words_no_result_is_prescribed() -> None:
    alert = AlertKept(1, ev.Alerted(at=0, kind="flag_called", ply=1, grey=False, detail="lost"))
    assert ways_of(played("e4").state, alert) == ()


@pytest.mark.law("L113")
@pytest.mark.parametrize(
    ("penalty", "ms"),
    [
        ("loss", 0),
        ("warning", 0),
        ("fine", 0),
        ("more_time_for_opponent", 120_000),
        ("less_time_for_offender", 120_000),
    ],
)
def test_a_device_is_punished_as_the_event_says_with_two_minutes_where_it_is_by_time(penalty: Any, ms: int) -> None:
    state = played("e4", regulations=EventOptions(device_penalty=penalty)).state
    for seat in Seat:
        body = cmd.Penalise(seat=seat, penalty=penalty, amount=ms, reason="11.3.2")
        step = PrescribedStep(name="penalise", body=body, who=seat)
        assert all_of_it(state, kept("device_found", seat)) == (STOP, step)
    assert ways_of(state, kept("device_found")) == (), "nobody knows on whom"


@pytest.mark.law("L066")
@pytest.mark.parametrize(
    ("turn", "white_ms", "black_ms", "right"),
    [
        (W, 100_000, 90_000, (100_000, 90_000)),  # it is White's move, and White's clock
        (B, 100_000, 90_000, (93_000, 97_000)),  # 7 s that Black spent are White's
        (B, 4_000, 90_000, (0, 97_000)),  # less than nothing is on no clock
    ],
)
def test_time_that_ran_for_the_wrong_player_becomes_the_other_ones(
    turn: Seat, white_ms: int, black_ms: int, right: tuple[int, int]
) -> None:
    state = played("e4", "e5").state
    clock = state.time.clock
    sides = {
        "white": replace(clock.white, remaining_ms=white_ms),
        "black": replace(clock.black, remaining_ms=black_ms),
    }
    state = altered(state, {"time.clock": replace(clock, turn=turn, this_move_ms=7_000, **sides)})
    body = cmd.SetClock(white_ms=right[0], black_ms=right[1], turn=W, reason="6.10.2")
    assert all_of_it(state, kept("clock_wrong")) == (STOP, PrescribedStep(name="correct_clock", body=body, who=W))
    body = cmd.SetClock(white_ms=white_ms, black_ms=black_ms, turn=turn, reason="6.10.1")
    assert all_of_it(state, kept("interrupted")) == (STOP, PrescribedStep(name="correct_clock", body=body))
    for kind in ("clock_wrong", "interrupted"):
        assert ways_of(altered(state, {"time.clock_master": ClockMaster.MANUAL}), kept(kind)) == ()
        assert ways_of(altered(state, {"table.started": False}), kept(kind)) == ()


@pytest.mark.law("L075", "L085")
def test_a_wrong_set_up_is_ruled_on_or_one_board_is_set_as_the_game_stands() -> None:
    table = played("e4")
    for seat in Seat:
        ruling = PrescribedStep(name="set_up", body=cmd.RuleSetUp(what="position", board=seat), who=seat)
        placement = chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").board_fen()
        right = cmd.SetBoard(board=seat, placement=placement, turn=B)
        assert ways_of(table.state, kept("set_up_wrong", seat)) == (
            Way(name="settle_all", steps=(STOP, ruling)),
            Way(name="board_right", steps=(PrescribedStep(name="board_right", body=right, who=seat),)),
        )
        assert steps_of(table.state, kept("set_up_wrong", seat)) == (STOP, ruling), "the ruling is the likeliest"
    both = (STOP, PrescribedStep(name="set_up", body=cmd.RuleSetUp(what="position")))
    assert all_of_it(table.state, kept("set_up_wrong")) == both
    unknown = CoreTable()
    unknown.mumble("white", "u")
    unknown.press("white")
    assert unknown.state.position is None
    ruling = PrescribedStep(name="set_up", body=cmd.RuleSetUp(what="position", board=W), who=W)
    assert all_of_it(unknown.state, kept("set_up_wrong", W)) == (STOP, ruling)


def test_for_a_player_who_needs_a_doctor_the_clocks_stand() -> None:
    table = played("e4")
    step = PrescribedStep(name="medical_pause", body=cmd.Pause(medical=B), who=B)
    assert all_of_it(table.state, kept("medical_call", B)) == (step,)
    table.done("arbiter", cmd.Pause())
    assert all_of_it(table.state, kept("medical_call", B)) == (replace(step, done=True),)


@pytest.mark.law("L062")
@pytest.mark.parametrize("seat", list(Seat))
def test_a_player_came_or_is_away_and_after_the_default_time_loses(seat: Seat) -> None:
    state = played("e4").state
    for kind, name in (("late_arrival", "came"), ("default_time_over", "away")):
        body = cmd.NotePresent(seat=seat, present=name == "came")
        assert all_of_it(state, kept(kind, seat)) == (PrescribedStep(name=name, body=body, who=seat),)
        assert ways_of(state, kept(kind)) == (), "nobody is named"
        for missing, who in (((seat,), seat), ((W, B), None)):
            lost = PrescribedStep(name="forfeit", body=cmd.RuleAbsence(forfeit=True), who=who)
            assert all_of_it(altered(state, {"schedule.absent": missing}), kept(kind, seat)) == (STOP, lost)


@pytest.mark.law("L197")
def test_once_the_desk_has_decided_each_board_that_is_awaited_stands_and_the_clocks_run() -> None:
    table = played("Nf3")
    table.done("black", cmd.Execute(uci="g1h3", origin="entered"))
    differs = kept("board_differs", B)
    assert ways_of(table.state, differs) == ()
    table.done("arbiter", cmd.OpenDesk())
    assert ways_of(table.state, differs) == (), "nothing is decided"
    for seat in Seat:
        table.done("arbiter", cmd.TypeCell(seat=seat, ply=1, text="Sf3"))
    table.done("arbiter", cmd.DecideDesk(kind="adjust", moves=("g1f3",), verdict="same_record"))
    resume = PrescribedStep(name="resume", body=cmd.Resume())
    setting = table.state.setting
    assert setting is not None and setting.awaited
    stand = [PrescribedStep(name="board_stands", body=cmd.ConfirmBoard(board=one), who=one) for one in setting.awaited]
    assert ways_of(table.state, differs) == (Way(name="boards_stand", steps=(*stand, resume)),)
    assert steps_of(table.state, differs) == (*stand, resume)
    table.done("arbiter", cmd.ConfirmBoard(board=setting.awaited[0]))
    assert ways_of(table.state, differs) == (Way(name="boards_stand", steps=(*stand[1:], resume)),)
    nothing_to_set = altered(table.state, {"setting": None})
    assert ways_of(nothing_to_set, differs) == (Way(name="boards_stand", steps=(resume,)),)
