"""Without an arbiter a claim ends play; the position is frozen and verified, the arbiter decides later (III.6)."""

from __future__ import annotations

from pathlib import Path

import chess
import msgspec
import pytest
from click.testing import CliRunner

from server.cli import group
from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.claims.draws import asks_to_verify
from server.game.laws.event_options import EventOptions
from server.game.values.announcement import Announcement
from server.game.values.words import ClockMaster, Role, Seat, Station
from server.game.views import messages as msg
from server.game.views.view import view
from tests.game.core_table import CoreTable, only, play
from tests.table.open_hall import played

ALONE = EventOptions(guidelines=("III",), unsupervised=True)
NO_EFFORT = cmd.ClaimDraw(kind="quickplay", ground="no_effort")
CANNOT_WIN = cmd.ClaimDraw(kind="quickplay", ground="cannot_win")


def under_two_minutes(regulations: EventOptions = ALONE, control: str = "1800") -> CoreTable:
    """1. e4, which Black has made on White's word; White has 80 s left, Black has the move."""
    table = CoreTable(control=control, regulations=regulations)
    table.wait(1_720_000)
    play(table, "e4")
    return table


def concluded(claim: cmd.ClaimDraw = CANNOT_WIN) -> CoreTable:
    table = under_two_minutes()
    table.done("white", claim)
    return table


def stations() -> list[Station]:
    return [Station("p", Role.PLAYER, seat) for seat in Seat] + [
        Station("d", Role.DISPLAY),
        Station("h", Role.ASSISTANT, Seat.BLACK),
        Station("o", Role.OBSERVER),
    ]


@pytest.mark.law("L240")
def test_the_claim_ends_play_and_freezes_boards_times_and_scores() -> None:
    table = under_two_minutes()
    (over,) = only(table.done("white", CANNOT_WIN), ev.PlayConcluded)
    assert (over.seat, over.ground, over.missing) == (Seat.WHITE, "cannot_win", ())
    assert over.snapshot.white_board == table.placement(Seat.WHITE)
    assert over.snapshot.black_board == table.placement(Seat.BLACK)
    assert (over.snapshot.white_ms, over.snapshot.black_ms) == (80_000, 1_800_000)
    assert over.snapshot.white_score == ("e4",) and over.snapshot.running is None
    table.wait(3_600_000)
    assert table.state.time.clock.running is None and table.state.ending.result is None
    for station, body in (
        ("black", cmd.EnterMove(uci="e7e5")),
        ("black", cmd.Resign()),
        ("black", cmd.ClaimTime()),
        ("black", cmd.OfferDraw()),
        ("arbiter", cmd.Resume()),
        ("arbiter", cmd.RestoreTo(ply=0)),
    ):
        assert table.do(station, body) == Refusal("play_concluded", "III.6.1"), body
    for seat in ("white", "black"):
        (pressed,) = table.press(seat)
        assert isinstance(pressed, ev.ClockPressed) and not pressed.effective
    table.done("black", cmd.WriteScore(index=1, text="e4"))
    assert table.state.draws.concluded is not None and table.state.draws.concluded.snapshot.black_score == ()


@pytest.mark.law("L240")
def test_where_another_clock_leads_a_press_after_the_claim_moves_nothing() -> None:
    table = CoreTable(control="1800", regulations=ALONE, master=ClockMaster.MANUAL)
    table.say("white", "e4", act="announce")
    table.done("white", CANNOT_WIN)
    made = table.state.made_plies
    table.press("white")
    assert table.state.made_plies == made and table.state.time.clock.running is None


@pytest.mark.law("L240")
def test_without_the_move_too_but_only_under_two_minutes_with_a_ground_and_before_the_flag() -> None:
    table = CoreTable(control="1800", regulations=ALONE)
    table.wait(1_680_000)
    assert table.do("white", CANNOT_WIN) == Refusal("no_quickplay_claim", "III.6.1")
    table.wait(1)
    assert table.do("white", cmd.ClaimDraw(kind="increment")) == Refusal("no_quickplay_claim", "III.6.1")
    assert table.do("white", cmd.ClaimDraw(kind="quickplay")) == Refusal("no_ground", "III.6.1")
    assert table.do("black", CANNOT_WIN) == Refusal("no_quickplay_claim", "III.6.1"), "Black has half an hour"
    table.wait(120_000)
    assert table.do("white", CANNOT_WIN) == Refusal("no_quickplay_claim", "III.6.1"), "the flag"
    assert only(under_two_minutes().done("white", CANNOT_WIN), ev.PlayConcluded), "Black has the move"
    for regulations, control in ((EventOptions(unsupervised=True), "1800"), (ALONE, "1800+1")):
        other = CoreTable(control=control, regulations=regulations)
        other.wait(1_720_000)
        assert other.do("white", CANNOT_WIN) == Refusal("no_quickplay_claim", "III.6.1")


@pytest.mark.law("L240")
def test_where_an_arbiter_is_there_nothing_of_it_holds() -> None:
    table = CoreTable(control="1800", regulations=EventOptions(guidelines=("III",)))
    table.wait(1_720_000)
    table.done("white", cmd.ClaimDraw(kind="increment"))
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    table.done("arbiter", cmd.Resume())
    table.done("white", CANNOT_WIN)
    assert not only(table.events, ev.PlayConcluded)
    assert table.do("black", cmd.VerifyPosition(agrees=True)) == Refusal("nothing_to_verify", "III.6.1")
    table.done("arbiter", cmd.RuleClaim(ruling="postponed"))
    table.done("arbiter", cmd.Resume())


@pytest.mark.law("L240")
def test_a_claim_of_no_effort_needs_a_score_and_what_it_lacks_is_on_record() -> None:
    complete = concluded(NO_EFFORT)
    assert only(complete.events, ev.PlayConcluded)[0].missing == ()
    table = CoreTable(control="1800", regulations=ALONE)
    play(table, "e4")
    table.wait(1_720_000)
    (over,) = only(table.done("black", NO_EFFORT), ev.PlayConcluded)
    assert over.missing == (1,), "Black has written nothing"
    assert [one.kind for one in only(table.events, ev.Alerted)].count("scores_behind") == 1
    assert "III.6" in next(one for one in only(table.events, ev.Alerted) if one.kind == "draw_claimed").detail


@pytest.mark.law("L240")
def test_the_opponent_alone_sees_the_claimants_board_and_verifies() -> None:
    table = under_two_minutes()
    (over,) = only(table.done("white", NO_EFFORT), ev.PlayConcluded)
    white, black, *others = [view(over, table.state, station) for station in stations()]
    assert white == msg.ClaimShown(own=True, ground="no_effort") and others == [None, None, None]
    assert black == msg.ClaimShown(own=False, ground="no_effort", placement=table.placement(Seat.WHITE), score=("e4",))
    assert table.do("white", cmd.VerifyPosition(agrees=True)) == Refusal("opponent_verifies", "III.6.1")
    assert isinstance(table.do("arbiter", cmd.VerifyPosition(agrees=True)), Refusal)
    assert table.do("black", cmd.Confirm(yes=True, voice_alone=True)) == Refusal("own_key_needed", "")
    events = table.done("black", cmd.VerifyPosition(agrees=False, note="my knight stood on f6"))
    assert "my knight" in only(events, ev.Alerted)[0].detail
    assert all(view(event, table.state, station) is None for event in events for station in stations())
    events = table.done("black", cmd.VerifyPosition(agrees=True))
    assert (
        not only(events, ev.Alerted) and table.state.draws.concluded is not None and table.state.draws.concluded.agrees
    )
    over = only(concluded(CANNOT_WIN).events, ev.PlayConcluded)[0]
    shown = view(over, table.state, Station("p", Role.PLAYER, Seat.BLACK))
    assert isinstance(shown, msg.ClaimShown) and shown.score == (), "no score is submitted for this ground"


@pytest.mark.law("L240")
def test_the_designated_arbiter_decides_afterwards() -> None:
    drawn = concluded()
    assert drawn.do("arbiter", cmd.RuleClaim(ruling="postponed")) == Refusal("play_concluded", "III.6.2")
    events = drawn.done("arbiter", cmd.RuleClaim(ruling="correct"))
    assert only(events, ev.GameEnded)[0].article == "III.6.2" and drawn.state.ending.result == "1/2-1/2"
    drawn.done("black", cmd.VerifyPosition(agrees=True))
    wrong = concluded()
    events = wrong.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    assert not only(events, ev.TimeAdded) and not wrong.state.over
    assert wrong.do("arbiter", cmd.Resume()) == Refusal("play_concluded", "III.6.1")
    wrong.done("arbiter", cmd.RuleResult(result="0-1", reason="claim", article="III.6.2"))
    assert wrong.state.ending.result == "0-1"


@pytest.mark.law("L240")
async def test_what_stood_leaves_as_json_and_the_opponent_hears_it(tmp_path: Path) -> None:
    async with played(tmp_path, control="1800", regulations=ALONE) as game:
        await game.speak("white", "Eva vier")
        await game.press("white")
        await game.pass_time(1_720_000)
        await game.done("black", NO_EFFORT)
        await game.done("white", cmd.VerifyPosition(agrees=True, note="so it stood"))
        (shown,) = game.ears["white"].of(msg.ClaimShown)
        assert "III.6.1" in shown.text and "König Eva eins" in shown.text
        await game.told()
        events = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
        spoken = " ".join(one.text for one in events if isinstance(one, ev.SpokenPrivately))
        assert all(
            words in spoken for words in ("König Eva eins, Dame David eins.", "Stimmen Sie dieser Schlussstellung zu?")
        ), spoken
    run = CliRunner().invoke(group, ["export", "t1", "--what", "claim", "--data", str(tmp_path)])
    assert run.exit_code == 0, run.output
    claim = msgspec.json.decode(run.output)
    assert (claim["claimant"], claim["ground"], claim["missing"]) == ("black", "no_effort", [1])
    assert claim["verified"] == [{"agrees": True, "note": "so it stood"}] and claim["result"] is None
    assert claim["stood"]["white_score"] and claim["stood"]["white_board"].startswith("rnbqkbnr/pppppppp")


@pytest.mark.law("L240")
async def test_where_no_claim_ended_play_there_is_nothing_to_export(tmp_path: Path) -> None:
    async with played(tmp_path):
        pass
    run = CliRunner().invoke(group, ["export", "t1", "--what", "claim", "--data", str(tmp_path)])
    assert run.exit_code != 0 and "III.6" in str(run.exception)


@pytest.mark.law("L240")
def test_what_stood_is_kept_to_the_last_square_and_second() -> None:
    table = under_two_minutes()
    table.wait(7)
    at = table.now
    (over,) = only(table.done("white", CANNOT_WIN), ev.PlayConcluded)
    placement = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    assert over == ev.PlayConcluded(
        at=at,
        seat=Seat.WHITE,
        ground="cannot_win",
        snapshot=ev.Snapshot(
            white_board=placement,
            black_board=chess.STARTING_BOARD_FEN,
            game=placement,
            made_plies=1,
            white_ms=80_000,
            black_ms=1_799_993,
            running=None,
            turn=Seat.BLACK,
            moves=(1, 0),
            periods=(0, 0),
            white_score=("e4",),
            black_score=(),
        ),
        missing=(),
    )


@pytest.mark.law("L240")
@pytest.mark.parametrize(("written", "missing"), [((), (1, 2, 3)), ((1,), (2, 3)), ((2,), (1, 3)), ((1, 2, 3), ())])
def test_which_half_moves_the_score_of_the_claimant_lacks(written: tuple[int, ...], missing: tuple[int, ...]) -> None:
    """Black writes on paper, and here what is said to be on it; White's score does not count."""
    table = CoreTable(control="1800", regulations=ALONE)
    play(table, "e4 e5 Nf3")
    table.wait(1_720_000)
    for index in written:
        table.done("black", cmd.WriteScore(index=index, text=("e4", "e5", "Nf3")[index - 1]))
    events = table.done("black", NO_EFFORT)
    assert only(events, ev.PlayConcluded)[0].missing == missing
    behind = [one for one in only(events, ev.Alerted) if one.kind == "scores_behind"]
    detail = (
        f"Black claims that the opponent makes no effort to win by normal means; moves missing "
        f"from the score: {len(missing)} (III.6.1)"
    )
    alert = ev.Alerted(at=table.now, kind="scores_behind", ply=3, grey=False, detail=detail)
    assert behind == ([alert] if missing else [])


@pytest.mark.law("L240")
@pytest.mark.parametrize(
    ("agrees", "note", "words"), [(False, "my knight stood on f6", "my knight stood on f6"), (False, "", "no comment")]
)
def test_what_the_opponent_disputes_is_told_in_the_opponents_words(agrees: bool, note: str, words: str) -> None:
    table = concluded()
    at = table.now
    body = cmd.VerifyPosition(agrees=agrees, note=note)
    assert table.done("black", body) == (
        ev.PositionVerified(at=at, seat=Seat.BLACK, agrees=False, note=note),
        ev.Alerted(
            at=at,
            kind="position_disputed",
            ply=1,
            grey=False,
            detail=f"Black does not agree with the final position or the score: {words}",
        ),
    )
    mended = cmd.VerifyPosition(agrees=True, note="now I see it")
    assert table.done("black", mended) == (
        ev.PositionVerified(at=at, seat=Seat.BLACK, agrees=True, note="now I see it"),
    )


@pytest.mark.law("L240")
@pytest.mark.parametrize(
    ("station", "body"),
    [
        ("black", cmd.Say(announcement=Announcement(to_square="e5"), text="e5")),
        ("black", cmd.EnterMove(uci="e7e5", announcement=Announcement(to_square="e5"))),
        ("black", cmd.Execute()),
        ("black", cmd.OfferDraw()),
        ("black", cmd.AnswerDraw(accept=True)),
        ("black", cmd.ClaimDraw(kind="repetition")),
        ("black", cmd.ClaimTime()),
        ("black", cmd.Resign()),
        ("black", cmd.Propose(what="resign")),
        ("black", cmd.AboutToCastle()),
        ("arbiter", cmd.Resume()),
        ("arbiter", cmd.OrderSeal(key="key")),
        ("arbiter", cmd.RestoreTo(ply=0)),
        ("arbiter", cmd.CallFlag(seat=Seat.WHITE)),
    ],
    ids=lambda one: type(one).__name__,
)
def test_nothing_of_play_goes_on_after_the_claim(station: str, body: cmd.AnyAct) -> None:
    assert concluded().do(station, body) == Refusal("play_concluded", "III.6.1")


@pytest.mark.law("L240")
def test_the_opponent_is_asked_until_the_word_is_given_or_the_arbiter_has_decided() -> None:
    table = under_two_minutes()
    assert table.do("black", cmd.Confirm(yes=True)) == Refusal("nothing_asked", "")
    table.done("white", CANNOT_WIN)
    assert table.do("white", cmd.Confirm(yes=True)) == Refusal("nothing_asked", ""), "the opponent verifies"
    decided = table.state
    table.done("black", cmd.Confirm(yes=False))
    assert table.do("black", cmd.Confirm(yes=True)) == Refusal("nothing_asked", ""), "said already"
    table.state = decided
    table.done("arbiter", cmd.RuleClaim(ruling="correct"))
    assert not asks_to_verify(table.state, Seat.BLACK)
