"""What single events of offers, claims, rulings and the end change in the state: these fields and no other one."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from server.game import acts as ev
from server.game.decide.scores import snapshot_of
from server.game.laws.scoresheet import Scoresheet
from server.game.state.apply import apply
from server.game.state.state import Concluded, GameState, MateQuestion, NextGame, OpenClaim, Pending
from server.game.values.words import Boards, ClockMaster, Mode, Origin, Role, Seat, SeatKind, SeatPlan, Station
from tests.game.core_table import CoreTable, said

W, B = Seat.WHITE, Seat.BLACK


def played() -> GameState:
    """1.e4 e5, announced and pressed."""
    table = CoreTable()
    for text in ("e4", "e5"):
        seat = table.state.on_move.value
        table.say(seat, text, act="announce")
        table.press(seat)
    return table.state


BASE = played()
CLAIM = OpenClaim(W, 2, "fifty_moves", said("Nf3"), "Nf3", awaits=True, asks=("kind",))


def touch(number: int, **more: Any) -> ev.TouchReported:
    fields: dict[str, Any] = {"seat": W, "ply": 3, "square": "g1", "how": "lifted", "origin": Origin.ENTERED} | more
    return ev.TouchReported(at=0, number=number, **fields)


def changed(before: GameState, event: ev.AnyEvent) -> dict[str, Any]:
    """Every field of the state that is another one after this event."""
    after = apply(before, event)
    return {
        name: getattr(after, name)
        for name in GameState.__struct_fields__
        if getattr(after, name) != getattr(before, name)
    }


FIRST, SECOND = touch(1, sealed=True), touch(2, because="accident")
PENDING = Pending(B, "resign", 1, 2, 2)
QUESTIONS = tuple(MateQuestion(number, W, 2, None, "flag") for number in (1, 2))
ROWS: list[tuple[str, dict[str, Any], ev.AnyEvent, dict[str, Any]]] = [
    # what stands before, the event, and every field that changes
    ("an offer", {}, ev.DrawOffered(at=1, seat=B, ply=2),
     {"offer_by": B, "offers": (0, 1), "offer_after": 2, "offers_at": (2,)}),
    ("a second offer", {"offers": (1, 1), "offers_at": (1,)}, ev.DrawOffered(at=1, seat=W, ply=3, after=2),
     {"offer_by": W, "offers": (2, 1), "offer_after": 2, "offers_at": (1, 2), "offer_marks": ((W, 2),)}),
    ("an offer before the first move", {}, ev.DrawOffered(at=1, seat=W, ply=1, after=0),
     {"offer_by": W, "offers": (1, 0), "offers_at": (1,), "offer_marks": ((W, 1),)}),
    ("an offer by a claim", {}, ev.DrawOffered(at=1, seat=B, ply=2, by_claim=True),
     {"offer_by": B, "offer_by_claim": True, "offer_after": 2}),
    ("an offer to a player who has to see it", {"white": SeatPlan(SeatKind.TACTILE, hearing_impaired=True)},
     ev.DrawOffered(at=1, seat=B, ply=2),
     {"offer_by": B, "offers": (0, 1), "offer_after": 2, "offers_at": (2,), "offer_delivered": False}),
    ("seen at last", {"offer_delivered": False}, ev.OfferAcknowledged(at=1, seat=W, ply=2),
     {"offer_delivered": True, "offer_after": 2}),
    ("an answer", {"offer_by": B, "offers_at": (2,)}, ev.DrawAnswered(at=1, seat=W, accepted=False),
     {"offer_by": None, "offer_marks": ((W, 2),)}),
    ("an answer by a move", {"offer_by": B, "offers_at": (2,)},
     ev.DrawAnswered(at=1, seat=W, accepted=False, by_move=True), {"offer_by": None}),
    ("an answer to a claim", {"offer_by": B, "offers_at": (2,), "offer_by_claim": True},
     ev.DrawAnswered(at=1, seat=W, accepted=False), {"offer_by": None}),
    ("an answer of who writes by hand", {"offer_by": W, "offers_at": (2,)},
     ev.DrawAnswered(at=1, seat=B, accepted=False), {"offer_by": None}),
    ("a claim", {}, ev.DrawClaimed(at=1, seat=W, ply=2, kind="fifty_moves", announcement=said("Nf3"), text="Nf3",
                                   ground="g", awaits=True, asks=("kind",)),
     {"claim": replace(CLAIM, ground="g")}),
    ("what it is about is asked", {"claim": CLAIM}, ev.ClaimKindAsked(at=1, seat=W, asks=("ground",)),
     {"claim": replace(CLAIM, asks=("ground",))}),
    ("no claim, nothing asked", {}, ev.ClaimKindAsked(at=1, seat=W, asks=("ground",)), {}),
    ("it is stated", {"claim": CLAIM}, ev.ClaimKindStated(at=1, seat=W, kind="repetition", ground="g"),
     {"claim": replace(CLAIM, kind="repetition", ground="g", awaits=False, asks=())}),
    ("it is not stated", {"claim": replace(CLAIM, awaits=False)}, ev.ClaimKindStated(at=1, seat=W, kind="unstated"),
     {"claim": replace(CLAIM, kind="unstated", asks=())}),
    ("no claim, nothing stated", {}, ev.ClaimKindStated(at=1, seat=W, kind="repetition"), {}),
    ("the intended move", {"claim": CLAIM}, ev.IntendedStated(at=1, seat=W, announcement=said("d4"), text="d4"),
     {"claim": replace(CLAIM, announcement=said("d4"), text="d4", awaits=False, asks=())}),
    ("no claim, no intended move", {}, ev.IntendedStated(at=1, seat=W, announcement=said("d4"), text="d4"), {}),
    ("ruled wrong", {"claim": CLAIM}, ev.ClaimRuled(at=1, seat=W, kind="fifty_moves", ruling="wrong", article="9.5.3"),
     {"claim": None, "intended": CLAIM}),
    ("ruled wrong with no move", {"claim": replace(CLAIM, announcement=None)},
     ev.ClaimRuled(at=1, seat=W, kind="fifty_moves", ruling="wrong", article="9.5.3"), {"claim": None}),
    ("ruled correct", {"claim": CLAIM},
     ev.ClaimRuled(at=1, seat=W, kind="fifty_moves", ruling="correct", article="9.5.2"), {"claim": None}),
    ("postponed", {"claim": CLAIM}, ev.ClaimRuled(at=1, seat=W, kind="quickplay", ruling="postponed", article="III.5"),
     {"claim": None, "postponed": CLAIM}),
    ("a postponed one is ruled", {"postponed": CLAIM},
     ev.ClaimRuled(at=1, seat=W, kind="quickplay", ruling="correct", article="III.5"), {"postponed": None}),
    ("the increment is granted", {"claim": CLAIM},
     ev.ClaimRuled(at=1, seat=W, kind="increment", ruling="correct", article="III.4"),
     {"claim": None, "increment_request": "granted"}),
    ("the increment is refused", {"claim": CLAIM},
     ev.ClaimRuled(at=1, seat=W, kind="increment", ruling="wrong", article="III.4"),
     {"claim": None, "increment_request": "refused"}),
    ("nothing is claimed", {}, ev.ClaimRuled(at=1, seat=W, kind="fifty_moves", ruling="wrong", article="9.5.3"), {}),
    ("play is concluded", {}, ev.PlayConcluded(at=1, seat=B, ground="g", snapshot=snapshot_of(BASE, 0)),
     {"concluded": Concluded(B, "g", snapshot_of(BASE, 0))}),
    ("the opponent agrees", {"concluded": Concluded(B, "g", snapshot_of(BASE, 0))},
     ev.PositionVerified(at=1, seat=W, agrees=True, note=""),
     {"concluded": Concluded(B, "g", snapshot_of(BASE, 0), agrees=True)}),
    ("nothing to agree to", {}, ev.PositionVerified(at=1, seat=W, agrees=True, note=""), {}),
    ("something is proposed", {"pending": (PENDING, replace(PENDING, seat=W))},
     ev.Proposed(at=1, seat=W, what="draw_offer", sound_ms=3, until_ms=4, after=2, found="f"),
     {"pending": (PENDING, Pending(W, "draw_offer", 3, 4, 2, "f"))}),
    ("it is settled", {"pending": (PENDING, replace(PENDING, seat=W))},
     ev.ProposalSettled(at=1, seat=W, what="resign", outcome="lapsed"), {"pending": (PENDING,)}),
    ("a question", {"mate_questions": QUESTIONS[:1], "mates_asked": 1},
     ev.MateAsked(at=1, number=2, seat=W, ply=2, position=None, why="flag"),
     {"mate_questions": QUESTIONS, "mates_asked": 2}),
    ("its answer", {"mate_questions": QUESTIONS}, ev.MateAnswered(at=1, number=1, seat=W, ply=2, verdict="no"),
     {"mate_questions": QUESTIONS[1:]}),
    ("a fact", {"alerts": 2, "grey_alerts": 1}, ev.Alerted(at=1, kind="flag", ply=2, grey=False, detail=""),
     {"alerts": 3, "last_alert": "flag"}),
    ("an end that is grey", {"ends_told": (("fivefold", 1, False),), "grey_alerts": 1},
     ev.Alerted(at=1, kind="checkmate", ply=2, grey=True, detail=""),
     {"alerts": BASE.alerts + 1, "grey_alerts": 2, "last_alert": "checkmate",
      "ends_told": (("fivefold", 1, False), ("checkmate", 2, True))}),
    ("who has the move adjusts", {}, ev.Adjusting(at=1, seat=W), {"adjusting": (W, 3)}),
    ("who has not adjusts", {}, ev.Adjusting(at=1, seat=B), {}),
    ("a touch", {"touches": (FIRST,)}, touch(2), {"touches": (FIRST, touch(2))}),
    ("a touch that rejects", {"offer_by": B}, touch(1, rejects=True),
     {"touches": (touch(1, rejects=True),), "offer_by": None}),
    ("a touch that does not", {"offer_by": B}, touch(1, rejects=False), {"touches": (touch(1, rejects=False),)}),
    ("it does not count", {"touches": (FIRST, SECOND)}, ev.TouchRuled(at=1, number=1, counts=False, reason=""),
     {"touches": (replace(FIRST, because="accident"), SECOND)}),
    ("it counts after all", {"touches": (FIRST, SECOND)}, ev.TouchRuled(at=1, number=2, counts=True, reason=""),
     {"touches": (FIRST, replace(SECOND, because=""))}),
    ("evidence is opened", {"touches": (FIRST, SECOND)}, ev.EvidenceOpened(at=1, reason="r", touches=(FIRST,)),
     {"touches": (replace(FIRST, sealed=False), SECOND)}),
    ("an irregularity", {"illegals": ((B, "illegal"),), "ruled": ((2, B),)},
     ev.IrregularityRuled(at=1, seat=W, ply=1, kind="two_hands", confirmed=True, counts=True, article="7.5.4"),
     {"illegals": ((B, "illegal"), (W, "two_hands")), "ruled": ((2, B), (1, W))}),
    ("none", {}, ev.IrregularityRuled(at=1, seat=W, ply=1, kind="illegal", confirmed=False, counts=False,
                                      article="7.5.1"), {}),
    ("White need not record", {"exempt": (None, 0)}, ev.RecordingExempted(at=1, seat=W, period=1), {"exempt": (1, 0)}),
    ("Black need not record", {"exempt": (0, None)}, ev.RecordingExempted(at=1, seat=B, period=1), {"exempt": (0, 1)}),
    ("White's sheet", {"sheet_requests": (1, 4)}, ev.SheetAsked(at=1, seat=W, number=2, answer="show", article="A.4.3"),
     {"sheet_requests": (2, 4)}),
    ("Black's sheet", {"sheet_requests": (1, 4)}, ev.SheetAsked(at=1, seat=B, number=5, answer="show", article="A.4.3"),
     {"sheet_requests": (1, 5)}),
    ("a device", {"devices": (("a", True),)},
     ev.DeviceRegistered(at=1, device="b", seat=W, approved=False, note="", after_start=True),
     {"devices": (("a", True), ("b", False))}),
    ("a flag that has not fallen", {}, ev.TimeClaimed(at=1, seat=W), {}),
    ("another clock's flag is claimed", {"clock_master": ClockMaster.MANUAL}, ev.TimeClaimed(at=1, seat=W),
     {"flag_seen": B}),
    ("another clock's flag is called", {"clock_master": ClockMaster.MANUAL}, ev.FlagCalled(at=1, seat=W),
     {"flag_seen": W}),
    ("a result is approved", {"approvals": ((W, "1-0"), (B, "0-1"))}, ev.ResultApproved(at=1, seat=W, result="0-1"),
     {"approvals": ((B, "0-1"), (W, "0-1"))}),
    ("somebody resigns", {}, ev.Resigned(at=1, seat=B), {"resigned": B}),
    ("an announcement is owed", {}, ev.AnnouncementOwed(at=1, seat=B, ply=2), {"owed": B}),
    ("castling is meant", {}, ev.CastlingMeant(at=1, seat=W, ply=3), {"castling_meant": (W, 3)}),
    ("one board no longer", {"boards": Boards.ONE}, ev.TwoBoardsDemanded(at=1, seat=W), {"boards": Boards.TWO}),
    ("two boards already", {}, ev.TwoBoardsDemanded(at=1, seat=W), {}),
    ("the mode", {}, ev.ModeChanged(at=1, mode=Mode.CLOCK), {"mode": Mode.CLOCK}),
    ("out of step", {}, ev.OutOfStep(at=1, ply=2, note=""), {"out_of_step": True}),
    ("the next game is ordered", {}, ev.NextGameOrdered(at=1, table="t2", exchanged=True),
     {"next_game": NextGame("t2", exchanged=True)}),
    ("the next game is open", {}, ev.NextGameOpened(at=1, table="t2"),
     {"next_game": NextGame("t2", exchanged=False, open=True)}),
    ("a station", {"stations": (Station("a", Role.DISPLAY), Station("b", Role.DISPLAY))},
     ev.StationAdmitted(at=1, station="a", role=Role.PLAYER, seat=W),
     {"stations": (Station("b", Role.DISPLAY), Station("a", Role.PLAYER, W))}),
    ("a station goes", {"stations": (Station("a", Role.DISPLAY), Station("b", Role.DISPLAY))},
     ev.StationRevoked(at=1, station="a", reason=""), {"stations": (Station("b", Role.DISPLAY),)}),
    ("the end", {}, ev.GameEnded(at=9_000, result="1-0", reason="resigned", article="5.1.2"),
     {"result": "1-0", "reason": "resigned", "ended_by": "5.1.2", "clock": BASE.clock.paused(9_000)}),
]  # fmt: skip


@pytest.mark.parametrize(("before", "event", "after"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_an_event_changes_these_fields_and_no_other_one(
    before: dict[str, Any], event: ev.AnyEvent, after: dict[str, Any]
) -> None:
    assert BASE.sheets == (Scoresheet.DICTATED, Scoresheet.PAPER)
    assert changed(replace(BASE, **before), event) == after


@pytest.mark.parametrize("seat", list(Seat))
def test_what_is_recorded_again_replaces_what_was_recorded_before(seat: Seat) -> None:
    ticks = tuple(ev.ChecklistTicked(at=0, item=item, seat=who, ok=True) for item in "ab" for who in Seat)
    again = ev.ChecklistTicked(at=1, item="a", seat=seat, ok=False)
    left = tuple(one for one in ticks if (one.item, one.seat) != ("a", seat))
    assert changed(replace(BASE, ticks=ticks), again) == {"ticks": (*left, again)}
    recorded = tuple(ev.AdaptationRecorded(at=0, name=name, value="on", approved=True) for name in "ab")
    later = ev.AdaptationRecorded(at=1, name="a", value="off", approved=True)
    assert changed(replace(BASE, adaptations=recorded), later) == {"adaptations": (recorded[1], later)}
