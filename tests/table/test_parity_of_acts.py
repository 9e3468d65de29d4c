"""Parity (design 1.7): of an act of the arbiter a player at the tactile board is told what the opponent's page shows.

Each act is carried out at a real table, once with White at the tactile board and once with White in sight of a board.
What reaches the sighted seat is what White can look at: the clocks, the board, words. The tactile seat is told the same
by voice and in braille, at the same event; what only the arbiter may know reaches neither.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from braille.loading import computer_profile, load_profile
from server.game import acts as cmd
from server.game.values.time_control import TimeControl
from server.game.values.words import ClockMaster, Mode, Role, Seat, SeatKind, SeatPlan, Station
from server.game.views import messages as msg
from server.wording.aloud.spoken import spoken_message
from server.wording.braille import Reader, shown_lines
from server.wording.pieces import lines_of
from server.wording.words import scheme_of
from tests.table.open_hall import Played, played, reopened, turn

Act = Callable[[Played], Awaitable[None]]
MINUTES = 120_000


CARRIED_OUT: set[type] = {cmd.RuleClaim, cmd.RestoreTo, cmd.TakeBack}


def act(*bodies: cmd.StationAct) -> Act:
    """The arbiter's commands, one after the other."""
    CARRIED_OUT.update(type(body) for body in bodies)

    async def done(game: Played) -> None:
        for body in bodies:
            await game.done("arbiter", body)

    return done


async def a_move(game: Played) -> None:
    """White moves and presses; Black repeats."""
    await game.type("white", "e2 e4")
    await game.press("white")


def after_a_move(*bodies: cmd.StationAct) -> Act:
    CARRIED_OUT.update(type(body) for body in bodies)

    async def done(game: Played) -> None:
        await a_move(game)
        game.attach("white", 10_000), game.attach("black", 10_000)
        await act(*bodies)(game)

    return done


async def the_claim_is_wrong(game: Played) -> None:
    await game.done("white", cmd.ClaimDraw(kind="repetition"))
    await game.done("arbiter", cmd.RuleClaim(ruling="wrong"))


async def the_opponent_stops_the_clock(game: Played) -> None:
    await game.done("black", cmd.CallArbiter(reason=""))


ILLEGAL = cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="illegal")
NOTHING = cmd.RuleIrregularity(ply=1, seat=Seat.WHITE, kind="illegal", confirm=False)
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

# Of each act: what the tactile White is told that the sighted White is shown (a clock, or the same message).
SHOWN: dict[str, tuple[Act, tuple[msg.AnyMessage, ...]]] = {
    "time added to the player": (act(cmd.AddTime(seat=Seat.WHITE, ms=MINUTES)), (msg.TimeGiven(own=True, ms=MINUTES),)),
    "time added to the opponent": (
        act(cmd.AddTime(seat=Seat.BLACK, ms=MINUTES)),
        (msg.TimeGiven(own=False, ms=MINUTES),),
    ),
    "time taken": (act(cmd.AddTime(seat=Seat.WHITE, ms=-60_000)), (msg.TimeGiven(own=True, ms=-60_000),)),
    "another increment": (act(cmd.SetIncrement(increment_ms=5_000)), (msg.IncrementShown(increment_ms=5_000),)),
    "both clocks set": (
        act(cmd.SetClock(white_ms=60_000, black_ms=50_000, turn=Seat.WHITE, reason="6.10.2")),
        (msg.ClockCorrected(),),
    ),
    "one clock corrected": (
        act(cmd.CorrectClock(seat=Seat.WHITE, ms=60_000, reason="6.10.2")),
        (msg.ClockCorrected(),),
    ),
    "another clock counts": (
        act(cmd.SetClockMaster(clock_master=ClockMaster.MANUAL)),
        (msg.ClockMasterShown(clock_master=ClockMaster.MANUAL),),
    ),
    "ours counts again": (
        act(cmd.SetClockMaster(clock_master=ClockMaster.MANUAL), cmd.SetClockMaster(clock_master=ClockMaster.SERVER)),
        (
            msg.ClockMasterShown(clock_master=ClockMaster.MANUAL),
            msg.ClockMasterShown(clock_master=ClockMaster.SERVER),
        ),
    ),
    "both clocks stopped, and on": (act(cmd.Pause(reason="a lamp"), cmd.Resume()), (msg.Paused(), msg.Resumed())),
    "the opponent stops the clock": (the_opponent_stops_the_clock, (msg.Paused(),)),
    "a warning": (
        act(cmd.Penalise(seat=Seat.WHITE, penalty="warning", reason="noise")),
        (msg.RulingShown(own=True, what="warning", article="12.9.1"),),
    ),
    "two minutes for the opponent as a penalty": (
        act(cmd.Penalise(seat=Seat.WHITE, penalty="more_time_for_opponent", amount=MINUTES, reason="noise")),
        (
            msg.RulingShown(own=True, what="more_time_for_opponent", article="12.9.2"),
            msg.TimeGiven(own=False, ms=MINUTES),
        ),
    ),
    "a penalty of the opponent": (
        act(cmd.Penalise(seat=Seat.BLACK, penalty="less_time_for_offender", amount=60_000, reason="noise")),
        (
            msg.RulingShown(own=False, what="less_time_for_offender", article="12.9.3"),
            msg.TimeGiven(own=False, ms=-60_000),
        ),
    ),
    "an illegal move": (
        after_a_move(ILLEGAL),
        (msg.RulingShown(own=True, what="illegal", article="7.5.5"), msg.TimeGiven(own=False, ms=MINUTES)),
    ),
    "an alert that was nothing": (after_a_move(NOTHING), ()),
    "a wrong claim": (
        the_claim_is_wrong,
        (
            msg.Paused(),
            msg.DrawOffer(own=True, by_claim=True),
            msg.RulingShown(own=True, what="claim_wrong", article="9.5.3"),
            msg.TimeGiven(own=False, ms=MINUTES),
        ),
    ),
    "the game taken back with its times": (
        after_a_move(cmd.RestoreTo(ply=0, times="stored", reason="7.1")),
        (msg.Paused(), msg.ClockCorrected()),
    ),
    "the game taken back, times as they are": (
        after_a_move(cmd.RestoreTo(ply=0, times="leave", reason="7.1")),
        (msg.Paused(),),
    ),
    "a move ruled irregular and taken back in one act": (
        after_a_move(cmd.TakeBack(times="stored", give_ms=MINUTES, resume=False)),
        (
            msg.RulingShown(own=True, what="illegal", article="7.5.5"),
            msg.Paused(),
            msg.ClockCorrected(),
            msg.TimeGiven(own=False, ms=MINUTES),
        ),
    ),
    "a session begins": (act(cmd.StartSession(length_ms=14_400_000)), (msg.SessionShown(length_ms=14_400_000),)),
    "the mode switched": (act(cmd.SetMode(mode=Mode.CLOCK)), (msg.ModeShown(mode=Mode.CLOCK, in_game=True),)),
    "the result": (
        act(cmd.RuleResult(result="1-0", reason="by the arbiter", article="11.8")),
        (msg.Ended(result="1-0", reason="by the arbiter", article="11.8"),),
    ),
    "the game cancelled": (
        act(cmd.CancelGame(reason="a bishop stood wrong")),
        (
            msg.Ended(result="*", reason="cancelled", article="7.2.1"),
            msg.NextGameShown(table="t1-game2", seat=Seat.WHITE),
        ),
    ),
    "a touch ruled on": (
        act(cmd.ReportTouch(seat=Seat.WHITE, square="e2", how="touched"), cmd.RuleTouch(number=1, counts=True)),
        (),
    ),
    "a note in the book": (
        act(
            cmd.NoteIncident(kind="noise", text="a telephone", seat=Seat.BLACK),
            cmd.DecideGap(gap="G2", decision="as before", ply=0),
            cmd.NoteSupervision(games=3),
            cmd.MarkOutOfStep(note="misheard"),
            cmd.NotePresent(seat=Seat.WHITE, present=True),
        ),
        (),
    ),
    "the server's game mended": (after_a_move(cmd.Mend(ply=1, uci="d2d4")), ()),
}
SEEN = (msg.ClockShown, msg.BoardShown, msg.ScoreLine, msg.BoardToSet, msg.SquareToSetNow)  # squares: test_desk_steps


async def told(folder: Path, kind: SeatKind, carry_out: Act) -> list[msg.AnyMessage]:
    async with played(folder, white=kind) as game:
        game.attach("white", 10_000), game.attach("black", 10_000)
        await carry_out(game)
        ordered = game.table.state.table.next_game
        await turn(lambda: ordered is None or bool(game.ears["white"].of(msg.NextGameShown)))
        return game.ears["white"].messages


@pytest.mark.law("L192", "L138")
@pytest.mark.parametrize("name", SHOWN)
async def test_the_tactile_player_is_told_what_the_sighted_one_is_shown(tmp_path: Path, name: str) -> None:
    carry_out, wanted = SHOWN[name]
    by_touch = await told(tmp_path / "touch", SeatKind.TACTILE, carry_out)
    in_sight = await told(tmp_path / "sight", SeatKind.SIGHTED, carry_out)
    assert tuple(one for one in by_touch if not isinstance(one, SEEN)) == wanted
    # In words the sighted one is shown the same; what that player is not told in words, the clocks show.
    words = [one for one in in_sight if not isinstance(one, SEEN)]
    by_clock = (msg.TimeGiven, msg.ClockCorrected, msg.ClockMasterShown, msg.Paused, msg.Resumed)
    assert words == [one for one in wanted if not isinstance(one, by_clock)]
    jumps = sum(isinstance(one, msg.ClockShown) for one in in_sight)
    assert (jumps > 0) >= any(isinstance(one, by_clock) for one in wanted)
    if not wanted and "taken back" not in name:
        assert not jumps and not words, "what only the arbiter may know reaches neither"


# Acts of which the players are told by other means, or which are no ruling: where each is shown.
ELSEWHERE: dict[str, tuple[type, ...]] = {
    "before the game (test_a_start_by_itself..., test_talking_clock, test_own_clock_page)": (
        cmd.StartGame, cmd.ScheduleStart, cmd.SetUpClock, cmd.ApproveClock, cmd.RuleAbsence, cmd.RecordAdaptation,
        cmd.TickChecklist, cmd.DemandTwoBoards, cmd.SettleGuidelines,
    ),
    "the desk and reconstruction: the boards are told square by square (test_desk_steps)": (
        cmd.OpenDesk, cmd.ShowBoard, cmd.TypeCell, cmd.HearCell, cmd.AcceptUnread, cmd.DecideDesk, cmd.ConfirmBoard,
        cmd.CloseDesk, cmd.SetBoard, cmd.BeginReconstruction, cmd.ReconstructMove, cmd.UndoReconstruction,
        cmd.EndReconstruction,
    ),
    "adjournments: the same message to both (test_all_of_it_is_said..., test_sealing)": (
        cmd.OrderSeal, cmd.PrepareResumption, cmd.MarkPresent, cmd.StartResumption, cmd.OpenEnvelope, cmd.RuleSealed,
        cmd.ReplaceEnvelope, cmd.AnnulGame,
    ),
    "to one player alone, no matter which (test_claims_in_full, test_conduct)": (cmd.ReleaseLaw, cmd.LendScore),
    "stations, sound and displays (test_private_channels, test_aloud)": (
        cmd.ChooseTalking, cmd.ChooseEar, cmd.PermitVoiceActivity, cmd.AllowRoom, cmd.ChooseAlerts, cmd.ChooseDevices,
        cmd.LearnPressKeys, cmd.DelayDisplay,
    ),
    "after the game, the same message to both (test_review)": (cmd.ReleaseReview,),
    "to spectators, and to nobody at the table (test_spectators_of_the_hall)": (cmd.ShowToSpectators,),
    "the result, as every other (`the result`)": (cmd.CallFlag,),
    "the arbiter's alone: neither player is told": (
        cmd.Ask, cmd.OpenEvidence, cmd.RegisterDevice, cmd.PermitLeaving, cmd.NoteAppeal, cmd.RuleSetUp, cmd.RuleStop,
        cmd.NoteDeviceFound, cmd.NoteDisturbance, cmd.ReadClock, cmd.RecordScoresheet, cmd.SettleAlert,
        cmd.DescribePlayer, cmd.AcceptVoice,
    ),
    "of acts shown here, and back in the same words to both (test_incidents)": (
        cmd.OpenIncident, cmd.SettleIncident, cmd.UndoIncident,
    ),
}  # fmt: skip


def test_every_act_of_the_arbiter_is_here_or_shown_elsewhere() -> None:
    elsewhere = {body for bodies in ELSEWHERE.values() for body in bodies}
    arbiters = {kind for kind in cmd.acts() if Role.ARBITER in kind.rights.by and Role.DISPLAY not in kind.rights.by}
    assert {one.__name__ for one in arbiters - elsewhere - CARRIED_OUT} == set()


@pytest.mark.law("L192", "L207")
@pytest.mark.parametrize("tag", ["de", "en", "hu", "hy", "ar", "he"])
def test_all_of_it_is_said_and_under_the_fingers(tag: str) -> None:
    scheme = scheme_of("d21", tag)
    reader = Reader(scheme, load_profile(computer_profile(tag)), 40, Seat.WHITE)
    every = [message for _, wanted in SHOWN.values() for message in wanted]
    every += [msg.Started(appointed=True), msg.ResignationShown(own=False)]
    whose = (True, False)
    every += [msg.AdjournmentShown(stage=stage, own=own) for stage in ("ordered", "sealed", "resumed") for own in whose]
    ruled = ("claim_correct", "claim_postponed", "unpromoted", "no_move", "two_hands", "loss", "fine")
    every += [msg.RulingShown(own=own, what=what, article="9.5") for own in whose for what in ruled]
    for message in every:
        said = spoken_message(message, scheme, read_back=True)
        assert said is not None, message
        assert shown_lines(message, lines_of(message, scheme), reader), message


@pytest.mark.law("L192")
async def test_an_added_time_goes_into_the_ear_and_tells_no_time_that_is_left(tmp_path: Path) -> None:
    async with played(tmp_path, language="en") as game:
        await game.done("arbiter", cmd.AddTime(seat=Seat.BLACK, ms=MINUTES, article="7.5.5"))
        await game.told()
        assert [one.text for one in game.ears["white"].sounds] == ["2 minutes added to your opponent's clock."]
        await game.done("black", cmd.CallArbiter(reason="a question"))
        await game.told()
        assert [one.text for one in game.ears["white"].sounds][1:] == ["The clocks are stopped."]


@pytest.mark.law("L061", "L192")
async def test_a_start_by_itself_is_said_and_one_by_hand_is_not(tmp_path: Path) -> None:
    async with reopened(tmp_path) as (hall, clock):
        body = cmd.OpenTable(
            white=SeatPlan(SeatKind.TACTILE, language="en"), black=SeatPlan(SeatKind.SIGHTED),
            control=TimeControl.parse("5400+30"), start_fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        )  # fmt: skip
        table = await hall.open_table(body, "t1")
        game = Played(hall, clock, table)
        for station in (Station("white", Role.PLAYER, Seat.WHITE), Station("arbiter", Role.ARBITER)):
            await table.admit(station)
            game.attach(station.id)
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
        await game.done("arbiter", cmd.ScheduleStart(in_ms=5_000))
        await game.pass_time(6_000)
        await turn(lambda: table.state.table.started)
        assert game.ears["white"].of(msg.Started) == [msg.Started(appointed=True)]
        scheme = scheme_of("d21", "en")
        assert spoken_message(msg.Started(), scheme, read_back=True) is None
        assert lines_of(msg.Started(appointed=True), scheme) == ("The game has started.",)
