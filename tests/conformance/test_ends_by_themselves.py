"""Articles 1.4 and 5: mate, stalemate and dead position end the game by themselves; resignation (5.1.2)."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.values.saying import saying
from server.game.values.words import Mode, Seat, SeatKind
from tests.conformance.law_table import MATE_IN_ONE, QUICK, ended, repeated_twice
from tests.game.core_table import CoreTable, alerts, kinds, only, play, said


@pytest.mark.law("L006", "L007", "L043")
def test_l043_mate_is_told_to_the_arbiter_alone_who_ends_the_game() -> None:
    table = CoreTable(fen=MATE_IN_ONE)
    play(table, "Ra8")
    (mate,) = [alert for alert in alerts(table, "checkmate") if table.ply(1).completed]
    assert mate.ply == 1 and "5.1.1" in mate.detail and "1-0" in mate.detail and mate.grey
    assert not table.state.over, "nothing ends by what a machine heard"
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="checkmate", article="5.1.1"))
    assert table.state.ending.result == "1-0" and table.state.time.clock.running is None


@pytest.mark.law("L043")
def test_l043_after_a_mate_flag_and_resignation_are_void() -> None:
    for seat in ("black", "white"):
        table = CoreTable(fen=MATE_IN_ONE)
        play(table, "Ra8")
        events = table.done(seat, cmd.Resign())
        assert not only(events, ev.GameEnded) and table.state.time.clock.running is None
        assert (
            "void" in only(events, ev.Alerted)[-1].detail
            and "since move 1 (White)" in only(events, ev.Alerted)[-1].detail
        )
    table = CoreTable(fen=MATE_IN_ONE, control="60")
    play(table, "Ra8")
    table.wait(61_000)
    table.done("white", cmd.ClaimTime())
    detail = alerts(table, "time_claimed")[-1].detail
    assert "void" in detail and "5.1.1" in detail


@pytest.mark.law("L006")
def test_l006_taking_the_king_is_an_illegal_move_and_no_win() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/8/4R1K1 w - - 0 1")
    play(table, "Re8")
    assert not table.state.over and not alerts(table, "checkmate") and not alerts(table, "dead_position")
    assert only(table.events, ev.Alerted), "the arbiter hears that the move is not legal"


@pytest.mark.law("L006", "L043")
def test_l043_an_illegal_move_does_not_mate() -> None:
    table = CoreTable(fen="6k1/5ppp/8/8/8/8/8/1R4K1 w - - 0 1")
    play(table, "Rb1a8")
    assert alerts(table, "not_legal") and not alerts(table, "checkmate")


def test_what_stays_grey_is_told_once() -> None:
    table = CoreTable(fen=MATE_IN_ONE)
    table.say("white", "Ra8", act="announce")
    table.say("black", "Kh8", act="announce")  # so White's move was made
    assert [alert.grey for alert in alerts(table, "checkmate")] == [True]
    table.press("white")
    assert table.ply(1).completed and [alert.grey for alert in alerts(table, "checkmate")] == [True]


def test_a_mend_brings_out_an_end_that_was_not_seen() -> None:
    table = CoreTable(fen=MATE_IN_ONE)
    play(table, "Rb1")
    assert not alerts(table, "checkmate")
    table.done("arbiter", cmd.Mend(ply=1, uci="a1a8"))
    assert alerts(table, "checkmate")
    table.done("arbiter", cmd.Mend(ply=1, uci="a1b1"))
    table.done("arbiter", cmd.Mend(ply=1, uci="a1a8"))
    assert len(alerts(table, "checkmate")) == 2, "told again after it had gone"


def test_as_a_clock_alone_the_program_knows_of_no_end() -> None:
    table = CoreTable(fen=MATE_IN_ONE)
    table.mode(Mode.CLOCK)
    play(table, "Ra8")
    assert not alerts(table, "checkmate")


@pytest.mark.law("L044")
@pytest.mark.parametrize(("edition", "result"), [("fide2018", "1-0"), ("fide2023", "1/2-1/2")])
def test_l044_resigning_to_one_who_can_never_mate(edition: str, result: str) -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/8/3QKB2 w - - 0 1", rule_set=edition)
    table.done("white", cmd.Resign())  # a bare king cannot mate
    assert ended(table)[0] == {"1-0": "0-1", "1/2-1/2": "1/2-1/2"}[result]
    assert only(table.events, ev.Resigned)[0].seat is Seat.WHITE


@pytest.mark.law("L044")
def test_l044_a_bishop_against_a_bishop_of_the_other_colour_can_mate() -> None:
    table = CoreTable(fen="4kb2/8/8/8/8/8/8/4KB2 w - - 0 1")
    table.done("white", cmd.Resign())
    assert ended(table) == ("0-1", "resigned", "5.1.2")


ROOM = "3k4/R7/8/8/8/8/8/1R4K1 w - - 0 1"  # Rb8 mates


def mated(**more: Any) -> CoreTable:
    """White mates and presses; two plies were made before, so that a draw could be agreed."""
    table = CoreTable(fen=ROOM, **more)
    play(table, "Kg2 Ke8 Rb8")
    assert alerts(table, "checkmate")
    return table


@pytest.mark.law("L043", "L047")
@pytest.mark.parametrize("by", [Seat.WHITE, Seat.BLACK])
def test_l043_a_draw_agreed_after_the_mate_is_no_draw(by: Seat) -> None:
    """5.1.1: the mate ended the game, so nothing is left to agree on; the arbiter gives the result of the mate."""
    table = mated()
    table.done(by.value, cmd.OfferDraw())
    events = table.done(by.other.value, cmd.AnswerDraw(accept=True))
    assert kinds(events)[-2:] == ["ClockPaused", "Alerted"]
    assert not only(events, ev.GameEnded) and not table.state.over
    (told,) = alerts(table, "ended_before")
    assert (
        told.detail
        == (
            "a draw has been agreed; void, unconfirmed (speech): checkmate on the "
            "server's board (5.1.1) since move 2 (White): 1-0"
        )
        and told.grey
    )
    assert table.state.time.clock.running is None and table.state.time.stopped_by is None, (
        "6.11.4 asks for no reason here"
    )
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="checkmate", article="5.1.1"))
    assert table.state.ending.result == "1-0" and len(alerts(table, "ended_before")) == 1


@pytest.mark.law("L043", "L045", "L047")
def test_l047_where_the_game_was_drawn_already_the_agreement_ends_it_all_the_same() -> None:
    table = CoreTable(fen="7k/8/8/5K2/8/8/8/6Q1 w - - 0 1")
    play(table, "Kf6 Kh7 Qg6 Kh8 Qg7")
    table.done("arbiter", cmd.Mend(ply=5, uci="g6f7"))  # stalemate
    assert alerts(table, "stalemate")
    table.done("white", cmd.OfferDraw())
    table.done("black", cmd.AnswerDraw(accept=True))
    assert ended(table) == ("1/2-1/2", "draw_agreed", "5.2.3") and not alerts(table, "ended_before")


@pytest.mark.law("L043", "L109")
def test_l043_a_claim_after_the_mate_is_told_with_it() -> None:
    table = mated()
    table.done("black", cmd.ClaimDraw(kind="repetition"))
    detail = alerts(table, "draw_claimed")[-1].detail
    assert (
        detail.startswith("Black claims a draw (repetition): void, unconfirmed (speech): checkmate") and "1-0" in detail
    )
    quickly = CoreTable(fen=ROOM, control="1800", regulations=QUICK)
    quickly.wait(1_700_000)
    play(quickly, "Kg2 Ke8")
    quickly.wait(60_000)
    play(quickly, "Rb8")
    quickly.wait(1_750_000)
    quickly.done("black", cmd.ClaimDraw(kind="increment"))
    assert "void, unconfirmed (speech): checkmate" in alerts(quickly, "draw_claimed")[-1].detail


@pytest.mark.law("L043")
@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (cmd.RuleResult(result="0-1", reason="flag", article="6.9"), "0-1 is on record"),
        (cmd.Penalise(seat=Seat.WHITE, penalty="loss", reason="phone"), "0-1 is on record"),
        (cmd.RuleResult(result="1-0", reason="flag", article="6.9"), ""),
    ],
)
def test_l043_another_result_than_that_of_the_mate_is_shown_beside_it(body: Any, shown: str) -> None:
    table = mated()
    events = table.done("arbiter", body)
    assert table.state.over, "the arbiter decides"
    found = [alert.detail for alert in only(events, ev.Alerted) if alert.kind == "ended_before"]
    assert found == (
        [f"{shown}; void, unconfirmed (speech): checkmate on the server's board (5.1.1) since move 2 (White): 1-0"]
        if shown
        else []
    )


@pytest.mark.law("L028", "L043")
def test_l043_the_alert_of_a_mate_names_the_touch_that_asked_for_another_move() -> None:
    """5.1.1 holds for a move by Articles 3 and 4.2 to 4.7: White had lifted the other rook first (4.3.1)."""
    table = CoreTable(fen=ROOM)
    play(table, "Kg2 Ke8")
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="a7", how="lifted"))
    play(table, "Rb8")
    told = alerts(table, "checkmate")[-1].detail
    assert told.startswith(
        "if the move stands, checkmate on the server's board (5.1.1) since move 2 (White): 1-0, b1 to b8 was made, "
    )
    assert "the touched piece allows only" in told and "a7 to a8" in told and told.endswith("(4.3.1)")
    resigned = only(table.done("black", cmd.Resign()), ev.Alerted)[-1].detail
    assert "if the move stands" in resigned and not table.state.over


@pytest.mark.law("L027", "L028", "L043")
def test_l043_a_ruling_on_the_touch_tells_of_the_mate_again() -> None:
    table = CoreTable(fen=ROOM)
    play(table, "Kg2 Ke8")
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="a7", how="lifted"))
    table.done("arbiter", cmd.RuleTouch(number=1, counts=False))
    play(table, "Rb8")
    assert "if the move stands" not in alerts(table, "checkmate")[-1].detail
    for counts in (True, False):
        before = len(alerts(table, "checkmate"))
        table.done("arbiter", cmd.RuleTouch(number=1, counts=counts))
        (told,) = alerts(table, "checkmate")[before:]
        assert ("if the move stands" in told.detail) is counts
    before = len(alerts(table, "checkmate"))
    table.done("arbiter", cmd.RuleTouch(number=1, counts=False))
    assert len(alerts(table, "checkmate")) == before, "nothing has changed"


@pytest.mark.law("L032", "L043")
def test_l043_what_was_touched_and_moved_leaves_the_mate_as_it_is() -> None:
    table = CoreTable(fen=ROOM)
    play(table, "Kg2 Ke8")
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="b1", how="lifted"))
    play(table, "Rb8")
    assert alerts(table, "checkmate")[-1].detail.endswith("1-0; everything later is void")


FORCED = "8/1q6/8/8/7k/8/8/K7 b - - 0 1"  # Qb2+ leaves Kxb2 alone: two kings


@pytest.mark.law("L044", "L046")
@pytest.mark.parametrize("edition", ["fide2018", "fide2023"])
@pytest.mark.parametrize("resigns", [Seat.WHITE, Seat.BLACK])
def test_l046_nobody_wins_by_a_resignation_in_a_dead_position(edition: str, resigns: Seat) -> None:
    table = CoreTable(fen=FORCED, rule_set=edition)
    play(table, "Qb2")
    table.done(resigns.value, cmd.Resign())
    assert not table.state.over
    assert "(5.2.2) since move 1 (White): 1/2-1/2" in alerts(table, "resigned")[-1].detail


@pytest.mark.law("L044", "L046")
@pytest.mark.parametrize(
    ("fen", "resigns", "result"),
    [
        ("8/8/8/8/7k/8/1q6/K7 w - - 0 1", Seat.WHITE, None),  # dead at the start, where no move is looked at
        ("8/8/8/8/7k/8/1q6/K7 w - - 0 1", Seat.BLACK, None),
        ("8/1q6/8/8/7k/8/8/K7 b - - 0 1", Seat.BLACK, "1-0"),  # not dead: Black could have mated
        ("8/1q6/8/8/7k/8/8/K7 b - - 0 1", Seat.WHITE, "0-1"),
    ],
)
def test_l044_in_2018_a_resignation_loses_unless_neither_side_can_mate(
    fen: str, resigns: Seat, result: str | None
) -> None:
    table = CoreTable(fen=fen, rule_set="fide2018")
    table.done(resigns.value, cmd.Resign())
    assert table.state.ending.result == result
    if result is None:
        assert alerts(table, "resigned")[-1].detail == (
            f"{resigns.value.capitalize()} resigns; void: neither side can mate by any series of legal moves (5.2.2) "
            "since move 0: 1/2-1/2"
        )
        assert [asked.seat for asked in only(table.events, ev.MateAsked)] == [resigns.other, resigns]


@pytest.mark.law("L044")
def test_l044_in_2018_a_resignation_loses_where_the_server_lost_the_thread() -> None:
    table = CoreTable(rule_set="fide2018")
    table.done("arbiter", cmd.MarkOutOfStep())
    table.done("white", cmd.Resign())
    assert ended(table) == ("0-1", "resigned", "5.1.2")


@pytest.mark.law("L044", "L061")
@pytest.mark.parametrize(
    "body",
    [
        cmd.Resign(),
        cmd.OfferDraw(),
        cmd.AnswerDraw(accept=True),
        cmd.ClaimTime(),
        cmd.ClaimDraw(kind="repetition"),
        cmd.Propose(what="draw_offer", sure=True),
        cmd.Propose(what="claim_time", sure=True),
    ],
)
def test_l044_before_the_start_there_is_no_game_to_end(body: Any) -> None:
    table = CoreTable(started=False)
    assert table.do("white", body) == Refusal("not_started", "6.6")
    assert not table.state.over and table.state.ending.resigned is None and table.state.draws.offer_by is None
    table.done("white", cmd.CallArbiter(reason="I shall not play"))
    table.done("arbiter", cmd.StartGame())
    assert table.state.time.clock.running is Seat.WHITE
    table.done("white", cmd.Resign())
    assert table.state.ending.result == "0-1"


@pytest.mark.law("L044", "L061")
def test_l044_a_resignation_by_voice_before_the_start_is_none_even_with_a_yes() -> None:
    table = CoreTable(started=False)
    table.done("white", cmd.Propose(what="resign"))
    assert table.do("white", cmd.Confirm(yes=True)) == Refusal("not_started", "6.6")
    table.wait(11_000)
    table.done("arbiter", cmd.StartGame())
    assert table.do("white", cmd.Confirm(yes=True)) == Refusal("nothing_asked", "")
    assert table.state.ending.resigned is None and not table.state.over


@pytest.mark.law("L043", "L044", "L064")
@pytest.mark.parametrize("what", ["resigned", "claimed", "called"])
def test_l043_a_mate_after_the_game_was_resigned_or_claimed_ends_nothing(what: str) -> None:
    table = CoreTable(fen=ROOM, control="60", mates=False, white=SeatKind.SIGHTED)
    play(table, "Kg2 Ke8")
    table.wait(61_000)
    match what:
        case "resigned":
            table.done("white", cmd.Resign())
        case "claimed":
            table.done("black", cmd.ClaimTime())
        case _:
            table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE))
    table.enter("white", "b1b8", "Rb8")
    assert table.state.made_plies == 3 and not alerts(table, "checkmate")
    table.own(cmd.NoteMateAnswer(number=1, verdict="yes", said=saying("as_written", text="told")))
    told = only(table.events, ev.Alerted)[-1].detail
    assert table.state.ending.result == "0-1" if what == "resigned" else told.endswith("lost by White, 0-1 (6.9)")


@pytest.mark.law("L043", "L064", "L189")
def test_l043_a_mate_announced_before_the_flag_was_claimed_is_named_with_the_claim() -> None:
    """At the tactile board the move is made when it is announced, too (D.2.3): only its press is missing."""
    table = CoreTable(fen=ROOM, control="60")
    play(table, "Kg2 Ke8")
    table.wait(61_000)
    table.say("white", "Rb8", act="announce")
    table.done("black", cmd.ClaimTime())
    (told,) = alerts(table, "ended_before")
    assert told.grey and told.detail == (
        "was the announced move made before the flag-fall (D.2.3, 6.8)? checkmate on "
        "the server's board (5.1.1) since move 2 (White): 1-0"
    )
    quiet = CoreTable(fen=ROOM, control="60")
    play(quiet, "Kg2 Ke8")
    quiet.wait(61_000)
    quiet.say("white", "Rb7", act="announce")
    quiet.done("black", cmd.ClaimTime())
    assert not alerts(quiet, "ended_before")
    other = CoreTable(fen=ROOM, control="60")
    play(other, "Kg2 Ke8")
    other.say("white", "Rb8", act="announce")
    other.done("arbiter", cmd.CallFlag(seat=Seat.BLACK))
    assert not alerts(other, "ended_before"), "it is not the announcer's flag"


@pytest.mark.law("L044", "L109", "L110")
@pytest.mark.parametrize("resigns", [Seat.WHITE, Seat.BLACK])
def test_l110_a_claim_that_was_made_before_the_resignation_is_ruled_on_first(resigns: Seat) -> None:
    """A right claim draws the game at once (9.5.2) and cannot be withdrawn (9.5.1), by a resignation neither."""
    table = repeated_twice()
    table.done("black", cmd.ClaimDraw(kind="repetition", intended=said("Ng8"), text="Ng8"))
    table.done(resigns.value, cmd.Resign())
    assert not table.state.over
    detail = alerts(table, "resigned")[-1].detail
    assert detail == f"{resigns.value.capitalize()} resigns; first rule on Black's claim; it was made earlier (9.5.2)"
    table.done("arbiter", cmd.RuleClaim(ruling="correct"))
    assert ended(table) == ("1/2-1/2", "draw_claimed", "9.2")


@pytest.mark.law("L047", "L064", "L065")
@pytest.mark.parametrize("how", ["claimed", "called"])
@pytest.mark.parametrize("act", ["agreed", "resigned"])
def test_l065_what_is_agreed_after_a_flag_was_claimed_waits_for_the_ruling_on_it(how: str, act: str) -> None:
    """The flag is down since the claim (6.8), and 6.9 says what follows: it came before the agreement."""
    table = CoreTable(control="60")
    play(table, "e4 e5")
    table.wait(61_000)
    if how == "claimed":
        table.done("black", cmd.ClaimTime())
    else:
        table.done("arbiter", cmd.CallFlag(seat=Seat.WHITE))
    assert table.state.ending.flag_seen is Seat.WHITE
    if act == "agreed":
        table.done("white", cmd.OfferDraw())
        table.done("black", cmd.AnswerDraw(accept=True))
    else:
        table.done("black", cmd.Resign())
    told = only(table.events, ev.Alerted)[-1].detail
    assert not table.state.over and told.endswith(
        "; first rule on White's flag-fall; it was claimed or called earlier (6.8, 6.9)"
    )
    table.done("arbiter", cmd.Resume())
    assert table.state.ending.flag_seen is None and table.state.ending.resigned is None
    table.done("white", cmd.Resign())
    assert table.state.ending.result == "0-1"


@pytest.mark.law("L047", "L064")
def test_l064_a_claim_without_a_fallen_flag_bars_no_agreement() -> None:
    table = CoreTable(control="60")
    play(table, "e4 e5")
    table.done("black", cmd.ClaimTime())
    assert table.state.ending.flag_seen is None
    table.done("white", cmd.OfferDraw())
    table.done("black", cmd.AnswerDraw(accept=True))
    assert ended(table)[:2] == ("1/2-1/2", "draw_agreed")
    other = CoreTable(control="60")
    play(other, "e4 e5")
    other.wait(61_000)
    other.done("black", cmd.ClaimTime())
    other.done("white", cmd.Resign())
    assert other.state.ending.result == "0-1", "the player whose flag it is loses either way"


@pytest.mark.law("L045", "L047", "L064")
def test_l045_a_flag_after_a_stalemate_bars_no_agreement() -> None:
    table = CoreTable(fen="7k/8/8/5K2/8/8/8/6Q1 w - - 0 1", control="60")
    play(table, "Kf6 Kh7 Qg6 Kh8 Qf7")
    assert alerts(table, "stalemate")
    table.wait(61_000)
    table.done("white", cmd.ClaimTime())
    assert table.state.ending.flag_seen is Seat.BLACK
    table.done("white", cmd.OfferDraw())
    table.done("black", cmd.AnswerDraw(accept=True))
    assert ended(table) == ("1/2-1/2", "draw_agreed", "5.2.3")


@pytest.mark.law("L043", "L064")
def test_a_mate_after_a_claim_on_time_that_was_not_upheld_is_told_of() -> None:
    """Play goes on although nobody knows yet who could still mate when the flag was claimed (6.8)."""
    table = CoreTable(control="60", mates=False)
    for station, text in zip(("white", "black", "white"), ("f3", "e5", "g4"), strict=True):
        table.say(station, text, act="announce")
        table.press(station)
    table.wait(70_000)
    table.done("white", cmd.ClaimTime())
    table.done("arbiter", cmd.AddTime(seat=Seat.BLACK, ms=100_000, reason="the clock was wrong"))
    table.done("arbiter", cmd.Resume())
    table.say("black", "Qh4", act="announce")
    assert [one.why for one in table.state.ending.mate_questions] == ["time_claimed"]
    assert "checkmate" in [one.kind for one in only(table.press("black"), ev.Alerted)]
