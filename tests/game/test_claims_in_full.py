"""Every claim of a draw with every ruling: all that is on record, seat by seat and article by article (9.5, III)."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.claims.intended import moves_required
from server.game.laws.event_options import EventOptions
from server.game.laws.scoresheet import Scoresheet
from server.game.laws.touch import Obligation
from server.game.values.announcement import Announcement
from server.game.values.speech import Speech
from server.game.values.words import ClockMaster, Origin, Role, Seat, SeatKind
from tests.game.core_table import CoreTable, only, play, said

Ruling = Literal["correct", "wrong", "postponed"]
MINUTE = 60_000
KNIGHTS = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1"
KNIGHT_MOVES = (("g1f3", "Nf3"), ("g8f6", "Nf6"), ("f3g1", "Ng1"), ("f6g8", "Ng8"))
LATER = "White claims a draw (9.5.1: it cannot be withdrawn); the intended move, or that there is none, follows"


def quick() -> CoreTable:
    """White has a minute and 40 seconds, by the guidelines of a quickplay finish."""
    table = CoreTable(control="1800", regulations=EventOptions(guidelines=("III",)))
    table.wait(1_700_000)
    return table


def quickplay(table: CoreTable) -> None:
    """The request for an increment is refused, then comes the claim."""
    table.done("white", cmd.ClaimDraw(kind="increment"))
    table.done("arbiter", cmd.RuleClaim(ruling="wrong"))
    table.done("arbiter", cmd.Resume())
    table.done("white", cmd.ClaimDraw(kind="quickplay", ground="no_effort"))


def ruled(
    table: CoreTable, ruling: Ruling
) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], list[tuple[str, str]]]:
    """The ruling, the time given, and the end, each with its seat and article."""
    events = table.done("arbiter", cmd.RuleClaim(ruling=ruling))
    rulings = [(one.seat, one.kind, one.ruling, one.article) for one in only(events, ev.ClaimRuled)]
    given = [(one.seat, one.ms, one.reason, one.article) for one in only(events, ev.TimeAdded)]
    return rulings, given, [(one.reason, one.article) for one in only(events, ev.GameEnded)]


def test_a_request_for_an_increment_granted_and_refused() -> None:
    table = quick()
    table.done("white", cmd.ClaimDraw(kind="increment"))
    assert ruled(table, "correct") == (
        [(Seat.WHITE, "increment", "correct", "III.4")],
        [(Seat.BLACK, 2 * MINUTE, "claim", "III.4")],
        [],
    )
    assert table.state.draws.increment_request == "granted" and table.state.draws.claim is None
    table = quick()
    table.done("white", cmd.ClaimDraw(kind="increment"))
    assert ruled(table, "wrong") == ([(Seat.WHITE, "increment", "wrong", "III.4")], [], [])
    assert table.state.draws.increment_request == "refused" and table.state.draws.claim is None


@pytest.mark.parametrize(
    ("ruling", "article", "given", "ends"),
    [
        ("correct", "III.5.1", False, [("draw_claimed", "III.5.1")]),
        ("postponed", "III.5.2", True, []),
        ("wrong", "III.5.3", True, []),
    ],
)
def test_a_claim_in_a_quickplay_finish(ruling: Ruling, article: str, given: bool, ends: list[tuple[str, str]]) -> None:
    table = quick()
    quickplay(table)
    found = ruled(table, ruling)
    assert found[0] == [(Seat.WHITE, "quickplay", ruling, article)] and found[2] == ends
    assert found[1] == ([(Seat.BLACK, 2 * MINUTE, "claim", article)] if given else [])
    assert table.state.draws.claim is None and bool(table.state.draws.postponed) is (ruling == "postponed")
    again = table.do("arbiter", cmd.RuleClaim(ruling="wrong"))
    if ruling == "postponed":
        assert not isinstance(again, Refusal) and table.state.draws.postponed == (), "ruled at last"
    elif ruling == "wrong":
        assert again == Refusal("no_claim", "9.5")


@pytest.mark.law("L105", "L110")
@pytest.mark.parametrize("kind", ["repetition", "unstated"])
def test_a_claim_by_repetition_is_right(kind: Literal["repetition", "unstated"]) -> None:
    table = CoreTable()
    for number, move in enumerate((*KNIGHTS.split(), "Ng8")):
        station = "black" if number % 2 else "white"
        table.say(station, move, act="announce")
        if number < 7:
            table.press(station)
    table.press("black")
    claimed = table.done("white", cmd.ClaimDraw(kind=kind))
    assert [(one.by, one.seat, one.reason) for one in only(claimed, ev.ClockPaused)] == [
        (Role.PLAYER, Seat.WHITE, "claim")
    ]
    (alert,) = [one for one in only(claimed, ev.Alerted) if one.kind == "draw_claimed"]
    assert ": correct according to the record (9.2" in alert.detail and "moves 0, 2 (Black), 4 (Black)" in alert.detail
    article = "9.2" if kind == "repetition" else "9.5.2"
    assert ruled(table, "correct") == ([(Seat.WHITE, kind, "correct", "9.5.2")], [], [("draw_claimed", article)])


def test_a_claim_of_fifty_moves_that_is_wrong_says_what_was_looked_at_and_costs_time() -> None:
    table = CoreTable(control="5400+30")
    play(table, "e4 e5")
    claimed = table.done("white", cmd.ClaimDraw(kind="fifty_moves", intended=said("Nf3"), text="Nf3"))
    (alert,) = [one for one in only(claimed, ev.Alerted) if one.kind == "draw_claimed"]
    assert "incorrect according to the record (9.3.1) with the intended move g1 to f3" in alert.detail
    assert ruled(table, "wrong") == (
        [(Seat.WHITE, "fifty_moves", "wrong", "9.5.3")],
        [(Seat.BLACK, 2 * MINUTE, "claim", "9.5.3")],
        [],
    )
    (told,) = [one for one in only(table.events, ev.Alerted) if one.kind == "claim_wrong"]
    assert told.detail.endswith('"Nf3" must be made if it is legal')
    assert table.state.draws.intended is not None and table.state.draws.intended.seat is Seat.WHITE


def test_a_wrong_claim_without_a_move_obliges_to_none() -> None:
    table = CoreTable()
    play(table, "e4")
    table.done("black", cmd.ClaimDraw(kind="repetition"))
    assert ruled(table, "wrong")[0] == [(Seat.BLACK, "repetition", "wrong", "9.5.3")]
    (told,) = [one for one in only(table.events, ev.Alerted) if one.kind == "claim_wrong"]
    assert told.detail.endswith("(9.1.2.3)") and table.state.draws.intended is None


@pytest.mark.law("L109", "L237")
def test_only_a_quickplay_claim_is_postponed_and_only_one_claim_is_open() -> None:
    table = CoreTable()
    table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert isinstance(table.do("white", cmd.Resume()), Refusal), "only the arbiter starts the clocks again"
    assert table.do("arbiter", cmd.RuleClaim(ruling="postponed")) == Refusal("only_quickplay_postponed", "III.5.1")
    assert table.do("white", cmd.ClaimDraw(kind="fifty_moves")) == Refusal("claim_open", "9.5.1")
    assert table.state.draws.claim is not None and table.state.draws.claim.kind == "repetition"
    assert CoreTable().do("arbiter", cmd.RuleClaim(ruling="wrong")) == Refusal("no_claim", "9.5")


def test_a_claim_infers_that_the_opponents_move_was_made() -> None:
    """Who claims has the move: what Black announced and did not press was made, and the claim counts from there."""
    table = CoreTable()
    play(table, "e4")
    table.say("black", "e5", act="announce")
    claimed = table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert [(one.ply, one.origin) for one in only(claimed, ev.Made)] == [(2, Origin.INFERRED)]
    assert [(one.seat, one.ply) for one in only(claimed, ev.DrawClaimed)] == [(Seat.WHITE, 2)]


def stopped(at: int, seat: Seat) -> ev.ClockPaused:
    return ev.ClockPaused(at=at, by=Role.PLAYER, seat=seat, reason="claim")


def told(at: int, ply: int, detail: str, *, kind: str = "draw_claimed", grey: bool = False) -> ev.Alerted:
    return ev.Alerted(at=at, kind=kind, ply=ply, grey=grey, detail=detail)


def a_move_each() -> CoreTable:
    table = CoreTable()
    play(table, "e4 e5")
    table.wait(7)
    return table


def entered(times: int = 2) -> CoreTable:
    """Both knights go out and back so often; every move is shown on a board, so nothing rests on words."""
    table = CoreTable(white=SeatKind.SIGHTED)
    for uci, text in KNIGHT_MOVES * times:
        seat = table.state.on_move.value
        table.enter(seat, uci, text)
        table.press(seat)
    return table


@pytest.mark.law("L104", "L109", "L133")
def test_all_that_a_claim_with_its_move_brings_about() -> None:
    table = a_move_each()
    intended = said("Nf3")
    claim = cmd.ClaimDraw(
        kind="repetition", intended=intended, words=("knight", "f3"), text="Nf3", evidence=("display",)
    )
    at = table.now
    assert table.done("white", claim) == (
        ev.DrawClaimed(
            at=at,
            seat=Seat.WHITE,
            ply=2,
            kind="repetition",
            announcement=intended,
            words=("knight", "f3"),
            text="Nf3",
            evidence=("display",),
        ),
        told(
            at,
            2,
            "White bases the claim on a display alone, which is not a valid ground (6.12.2)",
            kind="claim_on_display",
        ),
        stopped(at, Seat.WHITE),
        ev.DrawOffered(at=at, seat=Seat.WHITE, ply=2, by_claim=True),
        ev.ScoreWritten(at=at, seat=Seat.WHITE, index=3, text="Nf3", source="claim", utterance=None),
        told(
            at,
            2,
            "White claims a draw (repetition): incorrect according to the record (9.2.1) "
            "with the intended move g1 to f3: "
            "the same position after moves 2 (White)",
            grey=True,
        ),
    )


@pytest.mark.law("L109")
def test_a_display_beside_the_players_own_score_is_no_display_alone() -> None:
    table = a_move_each()
    at = table.now
    claim = cmd.ClaimDraw(kind="fifty_moves", evidence=("display", "own_score"))
    assert table.done("white", claim) == (
        ev.DrawClaimed(at=at, seat=Seat.WHITE, ply=2, kind="fifty_moves", evidence=("display", "own_score")),
        stopped(at, Seat.WHITE),
        ev.DrawOffered(at=at, seat=Seat.WHITE, ply=2, by_claim=True),
        told(
            at,
            2,
            (
                "White claims a draw (fifty moves): incorrect according to the record "
                "(9.3.2): the last move is a pawn move or a capture"
            ),
            grey=True,
        ),
    )


@pytest.mark.law("L235", "L236")
def test_a_request_and_a_claim_in_a_quickplay_finish_are_of_no_move() -> None:
    """What belongs to claims of 9.2 and 9.3 (a move, its words, that one follows) is not taken into them."""
    table = quick()
    at = table.now
    stray: dict[str, Any] = {"intended": said("Nf3"), "words": ("w",), "text": "Nf3", "awaits": True}
    request = cmd.ClaimDraw(kind="increment", ground="no_effort", evidence=("position",), **stray)
    _, *asked = table.done("white", request)  # first: fewer than five minutes, White need not record (8.4)
    assert asked == [
        ev.DrawClaimed(at=at, seat=Seat.WHITE, ply=0, kind="increment", evidence=("position",)),
        stopped(at, Seat.WHITE),
        ev.DrawOffered(at=at, seat=Seat.WHITE, ply=0, by_claim=True),
        told(
            at,
            0,
            "White requests five extra seconds per move (III.4), also a draw offer: has the opponent declined it?",
        ),
    ]
    ruled(table, "wrong")
    table.done("arbiter", cmd.Resume())
    table.done("black", cmd.AnswerDraw(accept=False))
    assert table.done("white", cmd.ClaimDraw(kind="quickplay", ground="no_effort", **stray)) == (
        ev.DrawClaimed(at=at, seat=Seat.WHITE, ply=0, kind="quickplay", ground="no_effort"),
        stopped(at, Seat.WHITE),
        told(at, 0, "White claims a draw under III.5: the opponent makes no effort to win by normal means"),
    )
    assert table.state.scores.of(Seat.WHITE) == ()


@pytest.mark.law("L235", "L109")
def test_a_claim_in_words_stands_from_its_sound_and_its_kind_is_asked_first() -> None:
    table = quick()
    table.done("arbiter", cmd.AddTime(seat=Seat.BLACK, ms=1))  # whatever the clock tells is told by now
    table.wait(1_000)
    at, said_at = table.now, table.now - 400
    spoken = table.done("white", cmd.Propose(what="claim_draw", at_ms=said_at))
    assert spoken == (
        ev.DrawClaimed(at=said_at, seat=Seat.WHITE, ply=0, kind="unstated", awaits=True, asks=("increment",)),
        stopped(at, Seat.WHITE),
        told(at, 0, LATER),
    )
    table.wait(5)
    at = table.now
    assert table.done("white", cmd.Confirm(yes=False)) == (
        ev.ClaimKindStated(at=at, seat=Seat.WHITE, kind="unstated"),
        ev.DrawOffered(at=at, seat=Seat.WHITE, ply=0, by_claim=True),
    )
    assert table.done("white", cmd.Confirm(yes=False)) == (
        ev.IntendedStated(at=at, seat=Seat.WHITE, speech=Speech()),
        told(
            at, 0, "White claims a draw (ground not stated): incorrect according to the record: no move has been made"
        ),
    )


@pytest.mark.law("L104", "L235")
def test_the_move_said_instead_of_an_answer_is_the_intended_one_and_its_sound_is_kept() -> None:
    table = quick()
    table.done("white", cmd.Propose(what="claim_draw"))
    at = table.now
    assert table.say("white", "Nf3", utterance="u1") == (
        ev.DrawOffered(at=at, seat=Seat.WHITE, ply=0, by_claim=True),
        ev.IntendedStated(
            at=at, seat=Seat.WHITE, speech=Speech(announcement=said("Nf3"), words=("Nf3",), text="Nf3", utterance="u1")
        ),
        ev.ScoreWritten(at=at, seat=Seat.WHITE, index=1, text="Nf3", source="claim", utterance="u1"),
        told(
            at,
            0,
            "White claims a draw (ground not stated): incorrect according to the "
            "record (9.3.1) with the intended move g1 to f3: "
            "not three times, and no pawn move or capture in moves 1 (White)-1 (White)",
        ),
    )


@pytest.mark.law("L236")
def test_the_grounds_are_asked_one_after_the_other_and_the_last_no_leaves_a_claim_by_the_score() -> None:
    table = quick()
    table.done("white", cmd.ClaimDraw(kind="increment"))
    ruled(table, "wrong")
    table.done("black", cmd.AnswerDraw(accept=False))
    table.done("arbiter", cmd.Resume())
    at = table.now
    assert table.done("white", cmd.Propose(what="claim_draw")) == (
        ev.DrawClaimed(at=at, seat=Seat.WHITE, ply=0, kind="unstated", awaits=True, asks=("cannot_win", "no_effort")),
        stopped(at, Seat.WHITE),
        told(at, 0, LATER),
    )
    asked = (ev.ClaimKindAsked(at=at, seat=Seat.WHITE, asks=("no_effort",)),)
    by_voice = cmd.Confirm(yes=False, voice_alone=True)
    assert [table.do(one, by_voice) for one in ("white", "black")] == [
        Refusal("own_key_needed", ""),
        Refusal("nothing_asked", ""),
    ]
    assert table.done("white", cmd.Confirm(yes=False)) == asked
    assert table.done("white", cmd.Ask(what="last")) == asked, "said again"
    assert table.done("white", cmd.Confirm(yes=True)) == (
        ev.ClaimKindStated(at=at, seat=Seat.WHITE, kind="quickplay", ground="no_effort"),
        told(at, 0, "White claims a draw under III.5: the opponent makes no effort to win by normal means"),
    )


@pytest.mark.law("L235")
def test_a_yes_to_the_request_is_the_request_and_an_offer() -> None:
    table = quick()
    table.done("white", cmd.Propose(what="claim_draw"))
    at = table.now
    assert table.done("white", cmd.Confirm(yes=True)) == (
        ev.ClaimKindStated(at=at, seat=Seat.WHITE, kind="increment"),
        ev.DrawOffered(at=at, seat=Seat.WHITE, ply=0, by_claim=True),
        told(
            at,
            0,
            "White requests five extra seconds per move (III.4), also a draw offer: has the opponent declined it?",
        ),
    )


@pytest.mark.law("L237", "L238", "L239")
@pytest.mark.parametrize("bonus", [True, False])
def test_a_ruling_in_a_quickplay_finish_and_what_follows_from_it(bonus: bool) -> None:
    """Postponed: the opponent may have two minutes, as the arbiter sees fit; rejected: the opponent shall have them."""
    table = quick()
    quickplay(table)
    at = table.now
    two_minutes = ev.TimeAdded(at=at, seat=Seat.BLACK, ms=2 * MINUTE, reason="claim", article="III.5.2")
    ruling = ev.ClaimRuled(at=at, seat=Seat.WHITE, kind="quickplay", ruling="postponed", article="III.5.2")
    postponed = table.done("arbiter", cmd.RuleClaim(ruling="postponed", bonus=bonus))
    assert postponed == ((ruling, two_minutes) if bonus else (ruling,))
    assert table.done("arbiter", cmd.RuleClaim(ruling="correct", bonus=bonus)) == (
        ev.ClaimRuled(at=at, seat=Seat.WHITE, kind="quickplay", ruling="correct", article="III.5.1"),
        ev.GameEnded(at=at, result="1/2-1/2", reason="draw_claimed", article="III.5.1"),
    )
    other = quick()
    quickplay(other)
    given = only(other.done("arbiter", cmd.RuleClaim(ruling="wrong", bonus=bonus)), ev.TimeAdded)
    assert given == [ev.TimeAdded(at=at, seat=Seat.BLACK, ms=2 * MINUTE, reason="claim", article="III.5.3")]


@pytest.mark.law("L235")
def test_the_increment_that_the_arbiter_grants_is_set_and_the_opponent_gets_time() -> None:
    table = quick()
    table.done("white", cmd.ClaimDraw(kind="increment"))
    at = table.now
    assert table.done("arbiter", cmd.RuleClaim(ruling="correct")) == (
        ev.ClaimRuled(at=at, seat=Seat.WHITE, kind="increment", ruling="correct", article="III.4"),
        ev.IncrementSet(at=at, increment_ms=5_000),
        ev.TimeAdded(at=at, seat=Seat.BLACK, ms=2 * MINUTE, reason="claim", article="III.4"),
    )


ASK = cmd.ClaimDraw(kind="increment")
CLAIM = cmd.ClaimDraw(kind="quickplay", ground="cannot_win")


@pytest.mark.law("L235", "L236", "L240")
@pytest.mark.parametrize(
    ("alone", "body", "control", "waited", "refused"),
    [
        (False, ASK, "1800", 1_799_999, ""),
        (False, ASK, "1800", 1_800_000, "III.4"),
        (False, ASK, "40/1800:1800", 1_700_000, "III.4"),
        (False, CLAIM, "1800", 1_700_000, "III.4"),
        (True, CLAIM, "1800", 1_799_999, ""),
        (True, CLAIM, "1800", 1_800_000, "III.6.1"),
        (True, CLAIM, "40/1800:1800", 1_700_000, "III.6.1"),
        (True, ASK, "1800", 1_700_000, "III.6.1"),
        (True, CLAIM, "1800+5", 1_700_000, "III.6.1"),
    ],
)
def test_only_in_the_last_period_and_before_the_flag(
    alone: bool, body: cmd.ClaimDraw, control: str, waited: int, refused: str
) -> None:
    regulations = EventOptions(guidelines=("III",), unsupervised=alone)
    table = CoreTable(control=control, regulations=regulations)
    table.wait(waited)
    if waited == 1_800_000:  # the flag stays fallen where time is given later
        table.done("arbiter", cmd.AddTime(seat=Seat.WHITE, ms=100_000))
    found = table.do("white", body)
    assert found == Refusal("no_quickplay_claim", refused) if refused else not isinstance(found, Refusal)


@pytest.mark.law("L235", "L236", "L240")
def test_in_the_last_of_two_periods_it_may_be_asked_for() -> None:
    for alone in (False, True):
        table = CoreTable(control="1/60:1800", regulations=EventOptions(guidelines=("III",), unsupervised=alone))
        play(table, "e4 e5")
        table.wait(1_800_000)
        body = cmd.ClaimDraw(kind="quickplay", ground="no_effort") if alone else cmd.ClaimDraw(kind="increment")
        assert only(table.done("white", body), ev.DrawClaimed), "a minute is left of the last period"


@pytest.mark.law("L235", "L236", "L240")
def test_where_another_clock_leads_its_times_and_its_turn_are_for_the_arbiter_to_see() -> None:
    for control in ("1800", "40/1800:1800"):
        table = CoreTable(control=control, master=ClockMaster.MANUAL, regulations=EventOptions(guidelines=("III",)))
        assert only(table.done("black", cmd.ClaimDraw(kind="increment")), ev.DrawClaimed)
        alone = CoreTable(
            control=control,
            master=ClockMaster.MANUAL,
            regulations=EventOptions(guidelines=("III",), unsupervised=True),
        )
        assert only(alone.done("black", cmd.ClaimDraw(kind="quickplay", ground="no_effort")), ev.PlayConcluded)


@pytest.mark.law("L104", "L105", "L107", "L133")
@pytest.mark.parametrize(
    ("seat", "kind", "intended", "found", "grey"),
    [
        ("white", "repetition", "", ("correct according to the record (9.2.2): the same "
        "position after moves 0, 2 (Black), 4 (Black)"), False),
        ("white", "unstated", "", ("correct according to the record (9.2.2): the same "
        "position after moves 0, 2 (Black), 4 (Black)"), False),
        ("white", "fifty_moves", "", ("incorrect according to the record (9.3.2): no pawn "
        "move or capture in moves 1 (White)-4 (Black)"), False),
        ("black", "repetition", "", ("incorrect according to the record: the claimant "
        "does not have the move (9.2)"), False),
        ("white", "repetition", "Nf3", "correct according to the record (9.2.1) with the intended move g1 to f3: "
            "the same position after moves 1 (White), 3 (White), 5 (White)", False),
        ("white", "unstated", "e4", "incorrect according to the record (9.3.1) with the intended move e2 to e4: "
            "not three times, and the last move is a pawn move or a capture", False),
        ("white", "repetition", "Nd2", 'the intended move "Nd2" does not fit exactly one move', True),
        ("white", "repetition", "Ke3",
            "incorrect according to the record: the intended move e1 to e3 is not legal", False),
    ],
)  # fmt: skip
def test_what_the_record_says_of_a_claim_word_by_word(
    seat: str, kind: Any, intended: str, found: str, grey: bool
) -> None:
    table = entered()
    claim = cmd.ClaimDraw(kind=kind, intended=said(intended) if intended else None, text=intended)
    named = {"unstated": "ground not stated"}.get(kind, kind.replace("_", " "))
    assert table.done(seat, claim)[-1] == told(
        table.now, 8, f"{seat.capitalize()} claims a draw ({named}): {found}", grey=grey
    )


@pytest.mark.law("L108")
@pytest.mark.parametrize(
    ("touch", "claims", "found"),
    [
        ("touched", "white", "incorrect according to the record: a piece was touched (9.4)"),
        ("lifted", "white", "incorrect according to the record: a piece was touched (9.4)"),
        (
            "placed",
            "white",
            "correct according to the record (9.2.2): the same position after moves 0, 2 (Black), 4 (Black)",
        ),
        ("lifted", "black", "incorrect according to the record: the claimant does not have the move (9.2)"),
    ],
)
def test_a_sighted_player_who_has_touched_a_piece_claims_too_late(touch: Any, claims: str, found: str) -> None:
    table = entered()
    table.done("white", cmd.Execute())
    table.done("arbiter", cmd.ReportTouch(seat=Seat.WHITE, square="g1", how=touch))
    events = table.done(claims, cmd.ClaimDraw(kind="repetition"))
    assert events[-1] == told(table.now, 8, f"{claims.capitalize()} claims a draw (repetition): {found}")


@pytest.mark.law("L105", "L133")
def test_one_move_that_rests_on_words_makes_the_finding_doubtful_and_what_is_not_made_does_not() -> None:
    table = entered()
    table.say("white", "e4", act="announce")
    events = table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert events[-1] == told(
        table.now,
        8,
        (
            "White claims a draw (repetition): correct according to the record "
            "(9.2.2): the same position after moves 0, 2 (Black), 4 (Black)"
        ),
    ), "the announced move is not made, and nothing of the finding rests on it"
    table = entered()
    play(table, "e4")
    (found,) = only(table.done("black", cmd.ClaimDraw(kind="repetition")), ev.Alerted)
    assert found == told(
        table.now,
        9,
        (
            "Black claims a draw (repetition): incorrect according to the record "
            "(9.2.2): the same position after moves 5 (White)"
        ),
        grey=True,
    )


@pytest.mark.law("L043", "L109")
def test_a_claim_after_a_mate_on_the_boards_is_void_and_sure_whatever_move_was_meant() -> None:
    table = CoreTable(fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", white=SeatKind.SIGHTED)
    table.enter("white", "a1a8", "Ra8")
    table.press("white")
    events = table.done("black", cmd.ClaimDraw(kind="repetition", intended=said("Nd2"), text="Nd2"))
    assert events[-1] == told(
        table.now,
        1,
        "Black claims a draw (repetition): void: checkmate on the server's board (5.1.1) since move 1 (White): 1-0",
    )


@pytest.mark.law("L110", "L050")
def test_a_right_claim_completes_the_last_move_without_a_press_and_ends_the_game() -> None:
    table = CoreTable()
    for number, move in enumerate((*KNIGHTS.split(), "Ng8")):
        station = "black" if number % 2 else "white"
        table.say(station, move, act="announce")
        if number < 7:
            table.press(station)
    table.wait(9)
    table.done("white", cmd.ClaimDraw(kind="fifty_moves"))
    at = table.now
    assert table.done("arbiter", cmd.RuleClaim(ruling="correct")) == (
        ev.ClaimRuled(at=at, seat=Seat.WHITE, kind="fifty_moves", ruling="correct", article="9.5.2"),
        ev.Completed(at=at, seat=Seat.BLACK, ply=8, origin=Origin.INFERRED, white_ms=5_550_000, black_ms=5_519_991),
        ev.GameEnded(at=at, result="1/2-1/2", reason="draw_claimed", article="9.3"),
    )


@pytest.mark.law("L110")
@pytest.mark.parametrize("moves", [0, 8])
def test_where_nothing_waits_for_a_press_the_ruling_completes_nothing(moves: int) -> None:
    table = entered() if moves else CoreTable()
    table.done("white", cmd.ClaimDraw(kind="unstated"))
    at = table.now
    assert table.done("arbiter", cmd.RuleClaim(ruling="correct")) == (
        ev.ClaimRuled(at=at, seat=Seat.WHITE, kind="unstated", ruling="correct", article="9.5.2"),
        ev.GameEnded(at=at, result="1/2-1/2", reason="draw_claimed", article="9.5.2"),
    )


@pytest.mark.law("L111")
def test_a_wrong_claim_where_the_edition_states_no_time_leaves_it_to_the_arbiter() -> None:
    table = CoreTable(rule_set="short")
    play(table, "e4")
    table.done("black", cmd.ClaimDraw(kind="repetition"))
    at = table.now
    assert table.done("arbiter", cmd.RuleClaim(ruling="wrong")) == (
        ev.ClaimRuled(at=at, seat=Seat.BLACK, kind="repetition", ruling="wrong", article="9.5.3"),
        told(at, 1, "9.5.3: the rule set does not state the time to give", kind="bonus_unstated"),
        told(at, 1, "the draw offer stands: ask the opponent (9.1.2.3)", kind="claim_wrong"),
    )


@pytest.mark.law("L239")
def test_in_the_short_rules_a_rejected_claim_of_quickplay_gives_nothing() -> None:
    table = CoreTable(control="1800", rule_set="short")
    table.wait(1_700_000)
    table.done("white", cmd.ClaimDraw(kind="quickplay", ground="cannot_win"))
    at = table.now
    ruling = ev.ClaimRuled(at=at, seat=Seat.WHITE, kind="quickplay", ruling="wrong", article="III.5.3")
    before = table.state
    assert table.done("arbiter", cmd.RuleClaim(ruling="wrong")) == (ruling,)
    table.state = before
    given = only(table.done("arbiter", cmd.RuleClaim(ruling="postponed")), ev.TimeAdded)
    assert [(one.ms, one.article) for one in given] == [(2 * MINUTE, "III.5.2")], "postponed two minutes may be given"


@pytest.mark.law("L111")
@pytest.mark.parametrize(("made", "heard"), [("d4", '"d4"'), ("Nf3", None), ("Ng1f3", None)])
def test_the_arbiter_is_told_which_move_was_made_instead_of_the_intended_one(made: str, heard: str | None) -> None:
    table = a_move_each()
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Nf3"), text="Nf3"))
    ruled(table, "wrong")
    claim = table.state.draws.intended
    assert claim is not None and moves_required(table.state, claim) == Obligation(("g1f3",), "9.5.3", False)
    table.done("arbiter", cmd.Resume())
    table.say("white", made, act="announce", utterance="u9")
    found = [one for one in only(table.press("white"), ev.Alerted) if one.kind == "intended_not_made"]
    detail = f'the intended move "Nf3" of an incorrect claim had to be made (9.5.3), heard: {heard}'
    alert = ev.Alerted(at=table.now, kind="intended_not_made", ply=3, grey=True, detail=detail, utterance="u9")
    assert found == ([alert] if heard else []) and table.state.draws.intended is None


@pytest.mark.law("L111")
@pytest.mark.parametrize(("made", "told_of"), [("Nf3", False), ("Ng1f3", False), ("d4", True), (None, True)])
def test_where_the_game_is_not_known_words_that_agree_make_the_intended_move(made: str | None, told_of: bool) -> None:
    table = CoreTable()
    for seat in ("white", "black"):
        table.mumble(seat, f"of {seat}")
        table.press(seat)
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Nf3"), text="Nf3"))
    wrong = only(table.done("arbiter", cmd.RuleClaim(ruling="wrong")), ev.Alerted)[-1]
    assert wrong.detail.endswith('"Nf3" must be made if it is legal')
    table.done("arbiter", cmd.Resume())
    if made is not None:
        table.say("white", made, act="announce")
    assert ("intended_not_made" in [one.kind for one in only(table.press("white"), ev.Alerted)]) is told_of


@pytest.mark.law("L111")
def test_a_press_without_a_word_does_not_make_the_intended_move_and_going_back_takes_it_away() -> None:
    table = a_move_each()
    table.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Nf3"), text="Nf3"))
    ruled(table, "wrong")
    silent, back = table.state, table.do("arbiter", cmd.RestoreTo(ply=1))
    assert not isinstance(back, Refusal) and table.state.draws.intended is None
    assert not only(back, ev.Alerted), "the claim was made after a move that is taken back (7.1)"
    table.state = silent
    table.done("arbiter", cmd.Resume())
    pressed = only(table.press("white"), ev.Alerted)
    assert [one.kind for one in pressed][-1] == "intended_not_made" and table.state.draws.intended is None


@pytest.mark.law("L104", "L235")
def test_only_a_claim_that_names_nothing_is_asked_about_in_a_quickplay_finish() -> None:
    named = only(quick().done("white", cmd.ClaimDraw(kind="repetition", awaits=True)), ev.DrawClaimed)
    assert [(one.awaits, one.asks) for one in named] == [(True, ())]
    written = cmd.ClaimDraw(kind="unstated", intended=said("Nf3"), text="Nf3", awaits=True)
    assert [(one.awaits, one.asks) for one in only(quick().done("white", written), ev.DrawClaimed)] == [(False, ())]


@pytest.mark.law("L103", "L235")
def test_a_claim_makes_no_offer_of_its_own_while_the_opponents_stands() -> None:
    table = quick()
    table.done("black", cmd.OfferDraw())
    assert not only(table.done("white", ASK), ev.DrawOffered) and table.state.draws.offer_by is Seat.BLACK


@pytest.mark.law("L240")
@pytest.mark.parametrize("spoken", [False, True])
@pytest.mark.parametrize("ground", ["cannot_win", "no_effort"])
def test_without_an_arbiter_the_claim_ends_play_on_its_ground(spoken: bool, ground: Any) -> None:
    table = CoreTable(control="1800", regulations=EventOptions(guidelines=("III",), unsupervised=True))
    play(table, "e4")
    table.say("black", "e5", act="announce")
    table.wait(1_700_000)
    table.press("black")
    table.wait(1_700_000)
    if spoken:
        table.done("white", cmd.Propose(what="claim_draw"))
        if ground == "no_effort":
            table.done("white", cmd.Confirm(yes=False))
        events = table.done("white", cmd.Confirm(yes=True))
    else:
        events = table.done("white", cmd.ClaimDraw(kind="quickplay", ground=ground))
    (over,) = only(events, ev.PlayConcluded)
    assert (over.at, over.seat, over.ground, over.missing) == (table.now, Seat.WHITE, ground, (2,))
    behind = (
        "White claims that the opponent makes no effort to win by normal means; "
        "moves missing from the score: 1 (III.6.1)"
    )
    alerts = [told(table.now, 2, behind, kind="scores_behind")] if ground == "no_effort" else []
    assert only(events, ev.Alerted)[:-1] == alerts, "a score is submitted with this ground alone"
    words = (
        "the opponent cannot win by normal means"
        if ground == "cannot_win"
        else "the opponent makes no effort to win by normal means"
    )
    assert events[-1] == told(table.now, 2, f"White claims a draw under III.6: {words}")
    assert table.state.draws.offer_by is None, "a claim under III.6 is no offer"


@pytest.mark.law("L240")
def test_without_an_arbiter_a_move_announced_and_not_pressed_is_left_as_it_is() -> None:
    """III.6.1 does not ask for the move, so nothing is inferred from the claim about the opponent's move."""
    table = CoreTable(control="1800", regulations=EventOptions(guidelines=("III",), unsupervised=True))
    table.wait(1_700_000)
    play(table, "e4")
    table.say("black", "e5", act="announce")
    (over,) = only(table.done("white", CLAIM), ev.PlayConcluded)
    assert over.snapshot.made_plies == 1 and table.state.made_plies == 1
    other = CoreTable(control="1800", regulations=EventOptions(guidelines=("III",), unsupervised=True))
    other.say("white", "e4", act="announce")
    other.done("white", cmd.ClaimDraw(kind="repetition"))
    assert other.state.made_plies == 0, "it was White's own move"


@pytest.mark.law("L240")
@pytest.mark.parametrize("ruling", ["correct", "wrong"])
def test_without_an_arbiter_the_ruling_comes_afterwards_and_play_does_not_go_on(ruling: Ruling) -> None:
    table = CoreTable(control="1800", regulations=EventOptions(guidelines=("III",), unsupervised=True))
    table.wait(1_700_000)
    table.done("white", CLAIM)
    at = table.now
    assert table.do("arbiter", cmd.RuleClaim(ruling="postponed")) == Refusal("play_concluded", "III.6.2")
    assert table.done("arbiter", cmd.RuleClaim(ruling=ruling)) == (
        ev.ClaimRuled(at=at, seat=Seat.WHITE, kind="quickplay", ruling=ruling, article="III.6.2"),
        ev.GameEnded(at=at, result="1/2-1/2", reason="draw_claimed", article="III.6.2")
        if ruling == "correct"
        else told(
            at,
            0,
            "the claim is incorrect and play has ended: you decide the result (III.6.2)",
            kind="claim_wrong",
        ),
    )


@pytest.mark.law("L236", "L240")
def test_a_claim_of_quickplay_names_its_ground() -> None:
    table = quick()
    table.done("white", ASK)
    ruled(table, "wrong")
    table.done("arbiter", cmd.Resume())
    assert table.do("white", cmd.ClaimDraw(kind="quickplay")) == Refusal("no_ground", "III.5")
    alone = CoreTable(control="1800", regulations=EventOptions(guidelines=("III",), unsupervised=True))
    alone.wait(1_700_000)
    assert alone.do("white", cmd.ClaimDraw(kind="quickplay")) == Refusal("no_ground", "III.6.1")


@pytest.mark.law("L086", "L104")
@pytest.mark.parametrize("sheet", list(Scoresheet))
def test_the_program_writes_the_intended_move_where_it_writes_the_score(sheet: Scoresheet) -> None:
    table = CoreTable(white=SeatKind.SIGHTED)
    table.done("arbiter", cmd.RecordScoresheet(seat=Seat.WHITE, sheet=sheet))
    events = table.done("white", cmd.ClaimDraw(kind="repetition", intended=said("Nf3"), text="Nf3"))
    assert len(only(events, ev.ScoreWritten)) == (sheet is Scoresheet.STATION)


@pytest.mark.law("L104", "L105")
def test_where_the_server_has_lost_the_thread_the_scores_are_looked_at_and_half_a_move_is_no_claim() -> None:
    table = entered()
    table.done("arbiter", cmd.MarkOutOfStep())
    half = cmd.ClaimDraw(kind="repetition", intended=Announcement(piece="knight"), text="knight")
    assert table.do("white", half) == Refusal("no_announcement", "9.2.1")
    lost = "the server does not know the position; check the players' scores (9.2, 9.3)"
    claimed = table.done("white", cmd.ClaimDraw(kind="repetition"))
    assert claimed[-1] == told(table.now, 8, f"White claims a draw (repetition): {lost}", grey=True)
