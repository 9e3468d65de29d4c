"""What single events of offers, claims, rulings and the end change in the state: these fields and no other one."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from server.game import acts as ev
from server.game.decide.scores import snapshot_of
from server.game.laws.scoresheet import Scoresheet
from server.game.state.apply import apply
from server.game.state.endings import Concluded, MateQuestion, OpenClaim, Pending
from server.game.state.line import PlyRecord
from server.game.state.rulings import AlertKept
from server.game.state.scores import Helped, Reconstruction
from server.game.state.state import GameState
from server.game.state.table import NextGame
from server.game.values.speech import Speech
from server.game.values.words import Boards, ClockMaster, Mode, Origin, Role, Seat, SeatKind, SeatPlan, Station
from tests.game.core_table import CoreTable, altered, fields_of, said

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
D4 = Speech(announcement=said("d4"), text="d4")
CLAIM = OpenClaim(W, 2, "fifty_moves", said("Nf3"), "Nf3", awaits=True, asks=("kind",))


def touch(number: int, **more: Any) -> ev.TouchReported:
    fields: dict[str, Any] = {"seat": W, "ply": 3, "square": "g1", "how": "lifted", "origin": Origin.ENTERED} | more
    return ev.TouchReported(at=0, number=number, **fields)


def answered(seat: Seat, what: str, **more: Any) -> ev.Answered:
    times = dict.fromkeys(("white_ms", "black_ms", "white_used_ms", "black_used_ms", "moves"), 0)
    return ev.Answered(at=1, seat=seat, station=seat.value, what=what, running=None, **(times | more))


def changed(before: GameState, event: ev.AnyEvent) -> dict[str, Any]:
    """Every field of the state that is another one after this event."""
    old, new = fields_of(before), fields_of(apply(before, event))
    return {name: value for name, value in new.items() if value != old[name]}


KEPT = tuple(
    AlertKept(number, ev.Alerted(at=1, kind=kind, ply=2, grey=False, detail=""))
    for number, kind in enumerate(("sheet_asked", "leaving"), 1)
)
FIRST, SECOND = touch(1, sealed=True), touch(2, because="accident")
PENDING = Pending(B, "resign", 1, 2, 2)
HELPED = Helped(0, ("press",))
WORK = Reconstruction(snapshot_of(BASE, 0), ("e2e4",), BASE.moves.positions[:2])
QUESTIONS = tuple(MateQuestion(number, W, 2, None, "flag") for number in (1, 2))
Row = tuple[str, dict[str, Any], ev.AnyEvent, dict[str, Any]]  # what stands before, the event, all fields that change
OFFERS_AND_CLAIMS: list[Row] = [
    ("an offer", {}, ev.DrawOffered(at=1, seat=B, ply=2),
     {"draws.offer_by": B, "draws.offers": (0, 1), "draws.offer_after": 2, "draws.offers_at": (2,)}),
    ("a second offer", {"draws.offers": (1, 1), "draws.offers_at": (1,)}, ev.DrawOffered(at=1, seat=W, ply=3, after=2),
     {"draws.offer_by": W, "draws.offers": (2, 1), "draws.offer_after": 2, "draws.offers_at": (1, 2),
     "draws.offer_marks": ((W, 2),)}),
    ("an offer before the first move", {}, ev.DrawOffered(at=1, seat=W, ply=1, after=0),
     {"draws.offer_by": W, "draws.offers": (1, 0), "draws.offers_at": (1,), "draws.offer_marks": ((W, 1),)}),
    ("an offer while the opponent's move is only announced", {"moves.plies": (*BASE.moves.plies, PlyRecord(3, W))},
     ev.DrawOffered(at=1, seat=B, ply=3),
     {"draws.offer_by": B, "draws.offers": (0, 1), "draws.offer_after": 3, "draws.offers_at": (2,)}),
    ("an offer by a claim", {}, ev.DrawOffered(at=1, seat=B, ply=2, by_claim=True),
     {"draws.offer_by": B, "draws.offer_by_claim": True, "draws.offer_after": 2}),
    ("an offer to a player who has to see it", {"table.white": SeatPlan(SeatKind.TACTILE, hearing_impaired=True)},
     ev.DrawOffered(at=1, seat=B, ply=2),
     {"draws.offer_by": B, "draws.offers": (0, 1), "draws.offer_after": 2, "draws.offers_at": (2,),
     "draws.offer_delivered": False}),
    ("seen at last", {"draws.offer_delivered": False}, ev.OfferAcknowledged(at=1, seat=W, ply=2),
     {"draws.offer_delivered": True, "draws.offer_after": 2}),
    ("an answer", {"draws.offer_by": B, "draws.offers_at": (2,)}, ev.DrawAnswered(at=1, seat=W, accepted=False),
     {"draws.offer_by": None, "draws.offer_marks": ((W, 2),)}),
    ("an answer by a move", {"draws.offer_by": B, "draws.offers_at": (2,)},
     ev.DrawAnswered(at=1, seat=W, accepted=False, by_move=True), {"draws.offer_by": None}),
    ("an answer to a claim", {"draws.offer_by": B, "draws.offers_at": (2,), "draws.offer_by_claim": True},
     ev.DrawAnswered(at=1, seat=W, accepted=False), {"draws.offer_by": None}),
    ("an answer of who writes by hand", {"draws.offer_by": W, "draws.offers_at": (2,)},
     ev.DrawAnswered(at=1, seat=B, accepted=False), {"draws.offer_by": None}),
    ("a claim", {}, ev.DrawClaimed(at=1, seat=W, ply=2, kind="fifty_moves", announcement=said("Nf3"), text="Nf3",
                                   ground="g", awaits=True, asks=("kind",)),
     {"draws.claim": replace(CLAIM, ground="g")}),
    ("what it is about is asked", {"draws.claim": CLAIM}, ev.ClaimKindAsked(at=1, seat=W, asks=("ground",)),
     {"draws.claim": replace(CLAIM, asks=("ground",))}),
    ("no claim, nothing asked", {}, ev.ClaimKindAsked(at=1, seat=W, asks=("ground",)), {}),
    ("it is stated", {"draws.claim": CLAIM}, ev.ClaimKindStated(at=1, seat=W, kind="repetition", ground="g"),
     {"draws.claim": replace(CLAIM, kind="repetition", ground="g", awaits=False, asks=())}),
    ("it is not stated", {"draws.claim": replace(CLAIM, awaits=False)},
     ev.ClaimKindStated(at=1, seat=W, kind="unstated"),
     {"draws.claim": replace(CLAIM, kind="unstated", asks=())}),
    ("no claim, nothing stated", {}, ev.ClaimKindStated(at=1, seat=W, kind="repetition"), {}),
    ("the intended move", {"draws.claim": CLAIM}, ev.IntendedStated(at=1, seat=W, speech=D4),
     {"draws.claim": replace(CLAIM, announcement=said("d4"), text="d4", awaits=False, asks=())}),
    ("no claim, no intended move", {}, ev.IntendedStated(at=1, seat=W, speech=D4), {}),
    ("ruled wrong", {"draws.claim": CLAIM},
     ev.ClaimRuled(at=1, seat=W, kind="fifty_moves", ruling="wrong", article="9.5.3"),
     {"draws.claim": None, "draws.intended": CLAIM}),
    ("ruled wrong with no move", {"draws.claim": replace(CLAIM, announcement=None)},
     ev.ClaimRuled(at=1, seat=W, kind="fifty_moves", ruling="wrong", article="9.5.3"), {"draws.claim": None}),
    ("ruled correct", {"draws.claim": CLAIM},
     ev.ClaimRuled(at=1, seat=W, kind="fifty_moves", ruling="correct", article="9.5.2"), {"draws.claim": None}),
    ("postponed", {"draws.claim": CLAIM},
     ev.ClaimRuled(at=1, seat=W, kind="quickplay", ruling="postponed", article="III.5"),
     {"draws.claim": None, "draws.postponed": (CLAIM,)}),
    ("one that was postponed is postponed again", {"draws.postponed": (CLAIM,)},
     ev.ClaimRuled(at=1, seat=W, kind="quickplay", ruling="postponed", article="III.5"), {}),
    ("wrong in a quickplay finish: no move must be made", {"draws.claim": CLAIM},
     ev.ClaimRuled(at=1, seat=W, kind="quickplay", ruling="wrong", article="III.5"), {"draws.claim": None}),
    ("a postponed one is ruled", {"draws.postponed": (CLAIM,)},
     ev.ClaimRuled(at=1, seat=W, kind="quickplay", ruling="correct", article="III.5"), {"draws.postponed": ()}),
    ("the increment is granted", {"draws.claim": CLAIM},
     ev.ClaimRuled(at=1, seat=W, kind="increment", ruling="correct", article="III.4"),
     {"draws.claim": None, "draws.increment_request": "granted"}),
    ("the increment is refused", {"draws.claim": CLAIM},
     ev.ClaimRuled(at=1, seat=W, kind="increment", ruling="wrong", article="III.4"),
     {"draws.claim": None, "draws.increment_request": "refused"}),
    ("nothing is claimed", {}, ev.ClaimRuled(at=1, seat=W, kind="fifty_moves", ruling="wrong", article="9.5.3"), {}),
    ("play is concluded", {}, ev.PlayConcluded(at=1, seat=B, ground="g", snapshot=snapshot_of(BASE, 0)),
     {"draws.concluded": Concluded(B, "g", snapshot_of(BASE, 0))}),
    ("the opponent agrees", {"draws.concluded": Concluded(B, "g", snapshot_of(BASE, 0))},
     ev.PositionVerified(at=1, seat=W, agrees=True, note=""),
     {"draws.concluded": Concluded(B, "g", snapshot_of(BASE, 0), agrees=True)}),
    ("nothing to agree to", {}, ev.PositionVerified(at=1, seat=W, agrees=True, note=""), {}),
]  # fmt: skip
RULINGS: list[Row] = [
    ("something is proposed", {"ending.pending": (PENDING, replace(PENDING, seat=W))},
     ev.Proposed(at=1, seat=W, what="draw_offer", sound_ms=3, until_ms=4, after=2, found="f"),
     {"ending.pending": (PENDING, Pending(W, "draw_offer", 3, 4, 2, "f"))}),
    ("it is settled", {"ending.pending": (PENDING, replace(PENDING, seat=W))},
     ev.ProposalSettled(at=1, seat=W, what="resign", outcome="lapsed"), {"ending.pending": (PENDING,)}),
    ("a question", {"ending.mate_questions": QUESTIONS[:1], "ending.mates_asked": 1},
     ev.MateAsked(at=1, number=2, seat=W, ply=2, position=None, why="flag"),
     {"ending.mate_questions": QUESTIONS, "ending.mates_asked": 2}),
    ("its answer", {"ending.mate_questions": QUESTIONS}, ev.MateAnswered(at=1, number=1, seat=W, ply=2, verdict="no"),
     {"ending.mate_questions": QUESTIONS[1:]}),
    ("a fact", {"rulings.alerts": 2},
     ev.Alerted(at=1, kind="flag", ply=2, grey=False, detail=""),
     {"rulings.alerts": 3, "rulings.last_alert": "flag", "rulings.alert_changes": 1,
      "rulings.unsettled": (AlertKept(3, ev.Alerted(at=1, kind="flag", ply=2, grey=False, detail="")),)}),
    ("an alert put off", {"rulings.unsettled": KEPT}, ev.AlertSettled(at=1, numbers=(1,), how="put_off"),
     {"rulings.unsettled": (AlertKept(1, KEPT[0].alert, "put_off"), KEPT[1]), "rulings.alert_changes": 1}),
    ("an alert acknowledged", {"rulings.unsettled": KEPT}, ev.AlertSettled(at=1, numbers=(2,), how="acknowledged"),
     {"rulings.unsettled": KEPT[:1], "rulings.alert_changes": 1}),
    ("an end that is grey", {"rulings.ends_told": (("fivefold", 1, False),)},
     ev.Alerted(at=1, kind="checkmate", ply=2, grey=True, detail=""),
     {"rulings.alerts": BASE.rulings.alerts + 1, "rulings.last_alert": "checkmate",
      "rulings.alert_changes": 1, "rulings.unsettled": (AlertKept(
          BASE.rulings.alerts + 1, ev.Alerted(at=1, kind="checkmate", ply=2, grey=True, detail="")),),
      "rulings.ends_told": (("fivefold", 1, False), ("checkmate", 2, True))}),
    ("who has the move adjusts", {}, ev.Adjusting(at=1, seat=W), {"rulings.adjusting": (W, 3)}),
    ("who has not adjusts", {}, ev.Adjusting(at=1, seat=B), {}),
    ("a touch", {"rulings.touches": (FIRST,)}, touch(2), {"rulings.touches": (FIRST, touch(2))}),
    ("a touch that rejects", {"draws.offer_by": B}, touch(1, rejects=True),
     {"rulings.touches": (touch(1, rejects=True),), "draws.offer_by": None, "draws.touched_off": B,
      "draws.rejecting": (1,)}),
    ("another one that rejects", {"draws.touched_off": B, "draws.rejecting": (1,), "rulings.touches": (FIRST,)},
     touch(2, rejects=True),
     {"rulings.touches": (FIRST, touch(2, rejects=True)), "draws.rejecting": (1, 2)}),
    ("it rejected nothing after all",
     {"rulings.touches": (FIRST, SECOND), "draws.touched_off": B, "draws.rejecting": (1,)},
     ev.TouchRuled(at=1, number=1, counts=False, reason="", offer="back"),
     {"rulings.touches": (replace(FIRST, because="accident"), SECOND), "draws.offer_by": B, "draws.touched_off": None,
      "draws.rejecting": ()}),
    ("an older ruling brought nothing back",
     {"rulings.touches": (FIRST, SECOND), "draws.touched_off": B, "draws.rejecting": (2,)},
     ev.TouchRuled(at=1, number=1, counts=False, reason=""),
     {"rulings.touches": (replace(FIRST, because="accident"), SECOND)}),
    ("it rejects after all", {"rulings.touches": (FIRST, SECOND), "draws.offer_by": B},
     ev.TouchRuled(at=1, number=2, counts=True, reason="", offer="rejected"),
     {"rulings.touches": (FIRST, replace(SECOND, because="")), "draws.offer_by": None, "draws.touched_off": B,
      "draws.rejecting": (2,)}),
    ("a touch that does not", {"draws.offer_by": B}, touch(1, rejects=False),
     {"rulings.touches": (touch(1, rejects=False),)}),
    ("it does not count", {"rulings.touches": (FIRST, SECOND)}, ev.TouchRuled(at=1, number=1, counts=False, reason=""),
     {"rulings.touches": (replace(FIRST, because="accident"), SECOND)}),
    ("it counts after all", {"rulings.touches": (FIRST, SECOND)}, ev.TouchRuled(at=1, number=2, counts=True, reason=""),
     {"rulings.touches": (FIRST, replace(SECOND, because=""))}),
    ("evidence is opened", {"rulings.touches": (FIRST, SECOND)}, ev.EvidenceOpened(at=1, reason="r", touches=(FIRST,)),
     {"rulings.touches": (replace(FIRST, sealed=False), SECOND)}),
    ("an irregularity", {"rulings.illegals": ((B, "illegal"),), "rulings.ruled": ((2, B),)},
     ev.IrregularityRuled(at=1, seat=W, ply=1, kind="two_hands", confirmed=True, counts=True, article="7.5.4"),
     {"rulings.illegals": ((B, "illegal"), (W, "two_hands")), "rulings.ruled": ((2, B), (1, W)),
      "rulings.last_ruled": (1, 2)}),
    ("a touched piece that was not moved", {},
     ev.IrregularityRuled(at=1, seat=W, ply=1, kind="touch", confirmed=True, counts=False, article="4.3"),
     {"rulings.ruled": ((1, W),), "rulings.last_ruled": (1, 2)}),
    ("one that was taken back", {"moves.discarded": (BASE.moves.plies,)},
     ev.IrregularityRuled(at=1, seat=W, ply=1, kind="illegal", confirmed=True, counts=True, article="7.5.5", line=1),
     {"rulings.illegals": ((W, "illegal"),), "rulings.ruled_gone": ((1, 1),)}),
    ("none", {}, ev.IrregularityRuled(at=1, seat=W, ply=1, kind="illegal", confirmed=False, counts=False,
                                      article="7.5.1"), {}),
]  # fmt: skip
OTHERS: list[Row] = [
    ("White need not record", {"scores.exempt": (None, 0)},
     ev.RecordingExempted(at=1, seat=W, period=1), {"scores.exempt": (1, 0)}),
    ("Black need not record", {"scores.exempt": (0, None)},
     ev.RecordingExempted(at=1, seat=B, period=1), {"scores.exempt": (0, 1)}),
    ("a move on the further board", {"scores.reconstruction": WORK},
     ev.ReconstructionMoved(at=1, uci="e7e5", legal=True),
     {"scores.reconstruction": replace(WORK, line=("e2e4", "e7e5"), positions=BASE.moves.positions)}),
    ("a move there is taken back", {"scores.reconstruction": WORK}, ev.ReconstructionUndone(at=1),
     {"scores.reconstruction": replace(WORK, line=(), positions=BASE.moves.positions[:1])}),
    ("no move is left there", {"scores.reconstruction": replace(WORK, line=(), positions=BASE.moves.positions[:1])},
     ev.ReconstructionUndone(at=1), {}),
    ("no further board, no move on it", {}, ev.ReconstructionMoved(at=1, uci="e7e5", legal=True), {}),
    ("no further board, none to take back", {}, ev.ReconstructionUndone(at=1), {}),
    ("the game is released", {}, ev.ReviewReleased(at=1, released=True), {"scores.released": True}),
    ("White hears one move of the score", {"scores.read_to": (1, 2)}, answered(W, "score", move=3),
     {"scores.read_to": (3, 2)}),
    ("Black hears a whole score", {"scores.read_to": (1, 1)}, answered(B, "score", score=("e4", "e5", "Nf3", "Nc6")),
     {"scores.read_to": (1, 2)}),
    ("White hears a whole score", {"scores.read_to": (1, 1)}, answered(W, "score", score=("e4", "e5", "Nf3")),
     {"scores.read_to": (2, 1)}),
    ("Black hears words for help", {}, answered(B, "help", words=("undo",)),
     {"scores.helped": (None, Helped(1, ("undo",)))}),
    ("White hears the rest of them", {"scores.helped": (HELPED, HELPED)},
     answered(W, "help", words=("clock",), more=True), {"scores.helped": (None, HELPED)}),
    ("White hears the time", {}, answered(W, "clock"), {}),
    ("White's sheet", {"scores.sheet_requests": (1, 4)},
     ev.SheetAsked(at=1, seat=W, number=2, answer="show", article="A.4.3"),
     {"scores.sheet_requests": (2, 4)}),
    ("Black's sheet", {"scores.sheet_requests": (1, 4)},
     ev.SheetAsked(at=1, seat=B, number=5, answer="show", article="A.4.3"),
     {"scores.sheet_requests": (1, 5)}),
    ("a device", {"stations.devices": (("a", True),)},
     ev.DeviceRegistered(at=1, device="b", seat=W, approved=False, note="", after_start=True),
     {"stations.devices": (("a", True), ("b", False))}),
    ("a flag that has not fallen", {}, ev.TimeClaimed(at=1, seat=W), {}),
    ("another clock's flag is claimed", {"time.clock_master": ClockMaster.MANUAL}, ev.TimeClaimed(at=1, seat=W),
     {"ending.flag_seen": B}),
    ("another clock's flag is called", {"time.clock_master": ClockMaster.MANUAL}, ev.FlagCalled(at=1, seat=W),
     {"ending.flag_seen": W}),
    ("a result is approved", {"ending.approvals": ((W, "1-0"), (B, "0-1"))},
     ev.ResultApproved(at=1, seat=W, result="0-1"),
     {"ending.approvals": ((B, "0-1"), (W, "0-1"))}),
    ("somebody resigns", {}, ev.Resigned(at=1, seat=B), {"ending.resigned": B}),
    ("an announcement is owed", {}, ev.AnnouncementOwed(at=1, seat=B, ply=2), {"time.owed": B}),
    ("castling is meant", {}, ev.CastlingMeant(at=1, seat=W, ply=3), {"rulings.castling_meant": (W, 3)}),
    ("one board no longer", {"table.boards": Boards.ONE},
     ev.TwoBoardsDemanded(at=1, seat=W), {"table.boards": Boards.TWO}),
    ("two boards already", {}, ev.TwoBoardsDemanded(at=1, seat=W), {}),
    ("the mode", {}, ev.ModeChanged(at=1, mode=Mode.CLOCK), {"table.mode": Mode.CLOCK}),
    ("out of step", {}, ev.OutOfStep(at=1, ply=2, note=""), {"moves.out_of_step": True}),
    ("the next game is ordered", {}, ev.NextGameOrdered(at=1, table="t2", exchanged=True),
     {"table.next_game": NextGame("t2", exchanged=True)}),
    ("the next game is open", {}, ev.NextGameOpened(at=1, table="t2"),
     {"table.next_game": NextGame("t2", exchanged=False, open=True)}),
    ("a station", {"stations.admitted": (Station("a", Role.DISPLAY), Station("b", Role.DISPLAY))},
     ev.StationAdmitted(at=1, station="a", role=Role.PLAYER, seat=W),
     {"stations.admitted": (Station("b", Role.DISPLAY), Station("a", Role.PLAYER, W))}),
    ("a station goes", {"stations.admitted": (Station("a", Role.DISPLAY), Station("b", Role.DISPLAY))},
     ev.StationRevoked(at=1, station="a", reason=""),
     {"stations.admitted": (Station("b", Role.DISPLAY),), "stations.sent_away": frozenset({"a"})}),
    ("the end", {}, ev.GameEnded(at=9_000, result="1-0", reason="resigned", article="5.1.2"),
     {"ending.result": "1-0", "ending.reason": "resigned", "ending.ended_by": "5.1.2",
     "time.clock": BASE.time.clock.after_pause(9_000)}),
]  # fmt: skip


def each(rows: list[Row]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("before", "event", "after"), [row[1:] for row in rows], ids=[row[0] for row in rows]
    )


@each(OFFERS_AND_CLAIMS)
def test_an_offer_or_a_claim_changes_these_fields_and_no_other_one(
    before: dict[str, Any], event: ev.AnyEvent, after: dict[str, Any]
) -> None:
    assert BASE.scores.sheets == (Scoresheet.DICTATED, Scoresheet.PAPER)
    assert changed(altered(BASE, before), event) == after


@each(RULINGS)
def test_a_ruling_changes_these_fields_and_no_other_one(
    before: dict[str, Any], event: ev.AnyEvent, after: dict[str, Any]
) -> None:
    assert changed(altered(BASE, before), event) == after


@each(OTHERS)
def test_any_other_event_changes_these_fields_and_no_other_one(
    before: dict[str, Any], event: ev.AnyEvent, after: dict[str, Any]
) -> None:
    assert changed(altered(BASE, before), event) == after


@pytest.mark.parametrize("seat", list(Seat))
def test_what_is_recorded_again_replaces_what_was_recorded_before(seat: Seat) -> None:
    ticks = tuple(ev.ChecklistTicked(at=0, item=item, seat=who, ok=True) for item in "ab" for who in Seat)
    again = ev.ChecklistTicked(at=1, item="a", seat=seat, ok=False)
    left = tuple(one for one in ticks if (one.item, one.seat) != ("a", seat))
    assert changed(altered(BASE, {"table.ticks": ticks}), again) == {"table.ticks": (*left, again)}
    recorded = tuple(ev.AdaptationRecorded(at=0, name=name, value="on", approved=True) for name in "ab")
    later = ev.AdaptationRecorded(at=1, name="a", value="off", approved=True)
    assert changed(altered(BASE, {"table.adaptations": recorded}), later) == {"table.adaptations": (recorded[1], later)}
