"""The rules for draw offers, claims, resignation and calls for the arbiter.

The claims are of a draw (9.2-9.5), in a quickplay finish (Guidelines III) and on time (6.8, 6.9; L064, L065,
L104-L111). The clocks stop, the record is searched, and the finding goes to the arbiter alone, who rules. The opponent
learns that the clocks stand and, where the Law makes the claim an offer, that a draw is offered.

Draw offers: when they may be made, how long they stand, how many there were (5.2.3, 9.1; L047, L100-L103). Also:
answers, resignation, and the call for the arbiter (5.1.2, 6.8, 6.11.2, 9.1).

Without an arbiter (Guidelines III.6, L240) the claim under two minutes ends play, and what stood then is frozen. The
opponent verifies the final position, and also the score where the claim is that no effort is made; the designated
arbiter decides afterwards. Play does not go on, whatever the arbiter finds.
"""

from __future__ import annotations

import msgspec

from server.game import acts as cmd
from server.game.acts import (
    ArbiterCalled,
    ClaimKindAsked,
    ClaimKindStated,
    ClaimRuled,
    ClockPaused,
    DrawAnswered,
    DrawClaimed,
    DrawOffered,
    GameEnded,
    IncrementSet,
    IntendedStated,
    PlayConcluded,
    PositionVerified,
    Refusal,
    Resigned,
    ResultApproved,
    TimeAdded,
)
from server.game.decide.claims.flags import claim_time
from server.game.decide.claims.intended import what_must_be_made
from server.game.decide.draft import Draft
from server.game.decide.endings import (
    announced_end,
    announced_ply,
    ask_of_mate,
    believed_positions,
    complete_unpressed,
    first_end,
    tell_announced_end,
    tell_void,
    void,
)
from server.game.decide.rule import decides
from server.game.decide.scores import mark_own_offer, snapshot_of
from server.game.decide.touch import as_touch, touches_of
from server.game.laws.draws import (
    OfferMoment,
    agreement_refused,
    fifty_moves_claim,
    offer_finding,
    offer_moment,
    repetition_claim,
    right_to_claim,
)
from server.game.laws.legality import is_legal
from server.game.laws.penalties import wrong_claim_bonus_ms
from server.game.laws.quickplay import (
    NEW_INCREMENT_MS,
    REFUSED_REQUEST_BONUS_MS,
    applies,
    availability,
    ruling_bonus_ms,
    runs_out,
)
from server.game.laws.scoresheet import Scoresheet
from server.game.laws.supervision import classify
from server.game.laws.touch import counts
from server.game.state.endings import OpenClaim
from server.game.state.line import resolve
from server.game.state.state import GameState
from server.game.values.saying import Saying, join_sayings, saying
from server.game.values.speech import Speech
from server.game.values.words import ClockMaster, Origin, Role, Seat, SeatKind

QUICKPLAY = ("increment", "quickplay")
KINDS = {
    "repetition": saying("repetition"),
    "fifty_moves": saying("fifty_moves"),
    "unstated": saying("unstated"),
}
MOMENTS = {
    OfferMoment.AFTER_MOVE: saying("after_move"),
    OfferMoment.BEFORE_MOVE: saying("before_move"),
    OfferMoment.OPPONENTS_TIME: saying("opponents_time"),
}


def claim_draw(draft: Draft, seat: Seat, body: cmd.ClaimDraw, *, at: int | None = None) -> Refusal | None:
    """Take a claim of a draw, or a request in a quickplay finish, into the record.

    Whether it is right is for the arbiter; it is not refused for being wrong. `at`: when it was said. A claim may still
    await the intended move or the word that there is none (`awaits`). A player who named no kind in a quickplay finish
    is asked first which claim it is (III.4, III.5), and the clocks stand meanwhile.
    """
    state = draft.state
    if state.draws.claim is not None:
        return Refusal("claim_open", "9.5.1")
    if body.kind in QUICKPLAY:
        refusal = _quickplay_refused(state, seat, body, draft.now)
        if refusal is not None:
            return refusal
    elif body.intended is not None and not body.intended.complete:
        return Refusal("no_announcement", "9.2.1")
    alone = body.kind == "quickplay" and state.table.regulations.unsupervised
    coming = None if alone else state.ply(state.ply_to_make)  # III.6.1 does not ask for the move
    if coming is not None and coming.seat is seat.other:
        draft.make(coming.index, Origin.INFERRED)  # the claimant has the move: the opponent's was made
    quickplay = body.kind in QUICKPLAY
    awaits = body.awaits and not quickplay and body.intended is None
    asks = _kinds_there(draft.state, seat, draft.now) if awaits and body.kind == "unstated" else ()
    draft.emit(
        DrawClaimed(
            at=draft.now if at is None else at,
            seat=seat,
            ply=draft.state.made_plies,
            kind=body.kind,
            announcement=None if quickplay else body.intended,
            words=() if quickplay else body.words,
            text="" if quickplay else body.text,
            ground=body.ground if body.kind == "quickplay" else None,
            awaits=awaits,
            evidence=body.evidence,
            asks=asks,
        )
    )
    if set(body.evidence) == {"display"}:
        draft.alert("claim_on_display", draft.state.made_plies, saying("display_ground", who=seat), grey=False)
    draft.emit(ClockPaused(at=draft.now, by=Role.PLAYER, seat=seat, reason="claim"))
    if alone:
        conclude(draft, seat, body.ground or "")
    _follow_claim(draft, seat, body, awaits=awaits, asked=bool(asks))
    return None


def _follow_claim(draft: Draft, seat: Seat, body: cmd.ClaimDraw, *, awaits: bool, asked: bool) -> None:
    """Take a claim as an offer too, write its intended move, and tell the arbiter of it."""
    if body.kind != "quickplay" and not asked:
        _offer_by_claim(draft, seat)
    if body.intended is not None and body.kind not in QUICKPLAY:
        _write_intended(draft, seat, body.text, None)
    if awaits:
        draft.alert("draw_claimed", draft.state.made_plies, saying("claims_draw", who=seat), grey=False)
    else:
        _tell_of_claim(draft)


def _offer_by_claim(draft: Draft, seat: Seat) -> None:
    """Record the claim as a draw offer too (9.1.2.3, III.4), unless the opponent's own offer stands."""
    if draft.state.draws.offer_by is not seat.other:
        draft.emit(DrawOffered(at=draft.now, seat=seat, ply=draft.state.made_plies, by_claim=True))


def _kinds_there(state: GameState, seat: Seat, now: int) -> tuple[str, ...]:
    """Return what of Guidelines III a player who claims a draw may mean now; the clock alone decides."""
    grounds = [cmd.ClaimDraw(kind="quickplay", ground=ground) for ground in ("cannot_win", "no_effort")]
    bodies = [cmd.ClaimDraw(kind="increment"), *grounds]
    return tuple(
        "increment" if body.ground is None else body.ground
        for body in bodies
        if _quickplay_refused(state, seat, body, now) is None
    )


def answer_kind(draft: Draft, seat: Seat, *, yes: bool) -> None:
    """Take the answer to the question which claim it is.

    Yes: the claim is what the player was asked about. No: the next question follows, and after the last one it is 9.2
    or 9.3.
    """
    claim = draft.state.draws.claim
    assert claim is not None
    asked, *others = claim.asks
    if not yes and others:
        draft.emit(ClaimKindAsked(at=draft.now, seat=seat, asks=tuple(others)))
        return
    kind = "unstated" if not yes else "increment" if asked == "increment" else "quickplay"
    ground = asked if kind == "quickplay" else None
    draft.emit(ClaimKindStated(at=draft.now, seat=seat, kind=kind, ground=ground))
    if kind == "quickplay" and draft.state.table.regulations.unsupervised:
        conclude(draft, seat, asked)
    if kind != "quickplay":
        _offer_by_claim(draft, seat)
    if kind != "unstated":
        _tell_of_claim(draft)


def ask_kind_again(draft: Draft, seat: Seat) -> None:
    """Ask the same question once more."""
    claim = draft.state.draws.claim
    assert claim is not None
    draft.emit(ClaimKindAsked(at=draft.now, seat=seat, asks=claim.asks))


def state_intended(draft: Draft, seat: Seat, said: Speech) -> None:
    """Take the second step of a spoken claim.

    The player says the intended move, for the arbiter and the player's own score, or none.
    """
    claim = draft.state.draws.claim
    assert claim is not None
    if claim.asks:  # a move is said: the claim is one of 9.2 or 9.3
        _offer_by_claim(draft, seat)
    draft.emit(IntendedStated(at=draft.now, seat=seat, speech=said))
    if said.announcement is not None:
        _write_intended(draft, seat, said.text, said.utterance)
    _tell_of_claim(draft)


def _write_intended(draft: Draft, seat: Seat, text: str, utterance: str | None) -> None:
    """Write the intended move into the player's score, where it cannot be changed (9.2.1).

    The program writes it for a player who dictates the score or types it.
    """
    state = draft.state
    if state.plan(seat).kind is SeatKind.TACTILE or state.scores.sheet(seat) is Scoresheet.STATION:
        draft.write(seat, draft.state.ply_to_make, text, "claim", utterance)


def _quickplay_refused(state: GameState, seat: Seat, body: cmd.ClaimDraw, now: int) -> Refusal | None:
    """Refuse a claim in a quickplay finish that is not open now.

    It must be announced, under two minutes, before the flag and with the move (III.2 to III.5; L232, L233, L235).
    """
    clock = state.time.clock
    if state.table.regulations.unsupervised:
        return _unsupervised_refused(state, seat, body, now)
    left, in_last = _time_left(state, seat, now)
    there = availability(
        state.table.rules,
        state.table.regulations,
        clock.control,
        left,
        on_move=left is None or clock.turn is seat,
        last_period=in_last,
        request=state.draws.increment_request,
    )
    if not (there.increment if body.kind == "increment" else there.draw):
        return Refusal("no_quickplay_claim", there.article)
    if body.kind == "quickplay" and body.ground is None:
        return Refusal("no_ground", "III.5")
    return None


def _time_left(state: GameState, seat: Seat, now: int) -> tuple[int | None, bool]:
    """Return the time left to a player (ms), and whether it is the last period.

    None where the times are on another clock, which the arbiter reads.
    """
    if state.time.clock_master is not ClockMaster.SERVER:
        return None, True
    clock, side = state.time.clock, state.time.clock.side(seat)
    left = 0 if side.flagged else clock.remaining(seat, now)  # a flag stays fallen where time is given later
    return left, side.period >= len(clock.control.periods) - 1


def _unsupervised_refused(state: GameState, seat: Seat, body: cmd.ClaimDraw, now: int) -> Refusal | None:
    """Refuse a claim without an arbiter that is not open now (III.6).

    It must be under two minutes, before the flag and on a ground; nobody can grant an increment.
    """
    left, in_last = _time_left(state, seat, now)
    there = applies(state.table.rules, state.table.regulations, state.time.clock.control) and in_last and runs_out(left)
    if body.kind != "quickplay" or not there:
        return Refusal("no_quickplay_claim", "III.6.1")
    return Refusal("no_ground", "III.6.1") if body.ground is None else None


def _tell_of_claim(draft: Draft) -> None:
    """Tell the arbiter of the claim and what the record shows; nobody else, and only now (11.12, L133).

    Where the game had ended before, the arbiter is told that.
    """
    claim, ended = draft.state.draws.claim, void(draft.state)
    assert claim is not None
    ply = draft.state.made_plies
    announced = announced_end(draft.state, announced_ply(draft.state))
    if announced is not None and not ended:
        tell_announced_end(draft, announced, saying("claims_draw", who=claim.seat))
    if claim.kind == "increment":
        said, is_grey = saying("asks_increment", who=claim.seat), False
        said = join_sayings(said, ended) if ended else said
    elif claim.kind == "quickplay":
        ground = saying("ground_cannot" if claim.ground == "cannot_win" else "ground_effort")
        article = "III.6" if draft.state.draws.concluded is not None else "III.5"
        said, is_grey = saying("claims_normal", who=claim.seat, article=article, found=ended or ground), False
    else:
        known, found = finding(draft.state, claim)
        unsure = not known and not ended
        is_grey = unsure or any(record.rests_on_words for record in draft.state.moves.plies[:ply])
        said = saying("claims_kind", who=claim.seat, kind=KINDS[claim.kind], found=ended or found)
    draft.alert("draw_claimed", ply, said, grey=is_grey)


def finding(state: GameState, claim: OpenClaim) -> tuple[bool, Saying]:
    """Return whether the record shows if a claim under 9.2 or 9.3 is right, and what it shows."""
    positions = believed_positions(state)
    if positions is None:
        return False, saying("claim_unknown")
    last = state.ply(state.made_plies)
    touched = _has_touched(state, claim.seat)
    refused = right_to_claim(positions[-1], claim.seat, touched=touched)
    if refused:
        why = saying("record_touched" if touched else "record_not_on_move")
        return True, _wrong(saying("by_article", what=why, article=refused))
    intended = None
    if claim.announcement is not None:
        intended = resolve(claim.announcement, positions[-1].board()).uci
        if intended is None:
            return False, saying("record_fits_none", text=claim.text)
        if not is_legal(positions[-1], intended):
            return True, _wrong(saying("record_not_legal", uci=intended))
    elif last is None:
        return True, _wrong(saying("record_no_move"))
    found = repetition_claim(positions, state.table.rules, intended)
    if claim.kind == "repetition" or (claim.kind == "unstated" and found.right):
        shown = saying("record_stood", plies=found.plies)
    else:
        found = fifty_moves_claim(positions, intended)
        quiet = saying("record_quiet", plies="-".join(map(str, found.plies)))
        shown = quiet if found.plies else saying("record_not_quiet")
        shown = saying("record_not_three", rest=shown) if claim.kind == "unstated" else shown
    word = saying("record_right" if found.right else "record_wrong")
    verdict = saying("by_article", what=word, article=found.article)
    verdict = saying("record_with_intended", verdict=verdict, uci=intended) if intended else verdict
    return True, saying("with_finding", said=verdict, found=shown)


def _wrong(why: Saying) -> Saying:
    return saying("with_finding", said=saying("record_wrong"), found=why)


def _has_touched(state: GameState, seat: Seat) -> bool:
    """Return whether a binding touch of this move is on record, as far as the arbiter may see it.

    See 4.3, 9.4.
    """
    kind, reported = state.plan(seat).kind, touches_of(state, state.ply_to_make)
    return seat is state.on_move and any(
        counts(as_touch(touch), kind) for touch in reported if touch.how in ("lifted", "touched")
    )


@decides(cmd.RuleClaim)
def rule_claim(draft: Draft, body: cmd.RuleClaim) -> Refusal | None:
    """Record the arbiter's ruling, and what follows from it by the rule set and the kind of game."""
    state = draft.state
    claim = state.draws.claim or next(iter(state.draws.postponed), None)
    if claim is None:
        return Refusal("no_claim", "9.5")
    if body.ruling == "postponed" and claim.kind != "quickplay":
        return Refusal("only_quickplay_postponed", "III.5.1")
    if state.draws.concluded is not None:
        return _rule_concluded(draft, claim, body)
    if claim.kind in QUICKPLAY:
        _rule_quickplay(draft, claim, body)
        return None
    if body.ruling == "correct":
        article = {"repetition": "9.2", "fifty_moves": "9.3"}.get(claim.kind, "9.5.2")
        draft.emit(ClaimRuled(at=draft.now, seat=claim.seat, kind=claim.kind, ruling="correct", article="9.5.2"))
        _complete_last(draft)
        draft.emit(GameEnded(at=draft.now, result="1/2-1/2", reason="draw_claimed", article=article))
        return None
    draft.emit(ClaimRuled(at=draft.now, seat=claim.seat, kind=claim.kind, ruling="wrong", article="9.5.3"))
    kind = classify(state.time.clock.control)
    _give(
        draft,
        claim.seat.other,
        wrong_claim_bonus_ms(state.table.rules, kind, state.table.regulations.supervision),
        "9.5.3",
    )
    said, must = saying("offer_stands"), what_must_be_made(state, claim)
    said = join_sayings(said, must) if must is not None else said
    draft.alert("claim_wrong", state.made_plies, said, grey=False)
    return None


def _rule_concluded(draft: Draft, claim: OpenClaim, body: cmd.RuleClaim) -> Refusal | None:
    """Record what the designated arbiter decides: drawn, or a result to be given.

    Play is over anyway (III.6.2).
    """
    if body.ruling == "postponed":
        return Refusal("play_concluded", "III.6.2")
    draft.emit(ClaimRuled(at=draft.now, seat=claim.seat, kind=claim.kind, ruling=body.ruling, article="III.6.2"))
    if body.ruling == "correct":
        draft.emit(GameEnded(at=draft.now, result="1/2-1/2", reason="draw_claimed", article="III.6.2"))
    else:
        draft.alert("claim_wrong", draft.state.made_plies, saying("claim_wrong_over"), grey=False)
    return None


def _rule_quickplay(draft: Draft, claim: OpenClaim, body: cmd.RuleClaim) -> None:
    now, other = draft.now, claim.seat.other

    def rule(article: str) -> None:
        draft.emit(ClaimRuled(at=now, seat=claim.seat, kind=claim.kind, ruling=body.ruling, article=article))

    if claim.kind == "increment":
        rule("III.4")
        if body.ruling == "correct":
            draft.emit(IncrementSet(at=now, increment_ms=NEW_INCREMENT_MS))
            _give(draft, other, REFUSED_REQUEST_BONUS_MS, "III.4")
    elif body.ruling == "correct":
        rule("III.5.1")
        draft.emit(GameEnded(at=now, result="1/2-1/2", reason="draw_claimed", article="III.5.1"))
    else:
        article = "III.5.2" if body.ruling == "postponed" else "III.5.3"
        rule(article)
        if body.ruling == "wrong" or body.bonus:
            _give(draft, other, ruling_bonus_ms(draft.state.table.rules, postponed=body.ruling == "postponed"), article)


def _give(draft: Draft, seat: Seat, ms: int | None, article: str) -> None:
    """Give the opponent time; where the rule set does not say how much, tell the arbiter."""
    if ms is None:
        draft.alert("bonus_unstated", draft.state.made_plies, saying("no_bonus", article=article), grey=False)
    elif ms:
        draft.emit(TimeAdded(at=draft.now, seat=seat, ms=ms, reason="claim", article=article))


def _complete_last(draft: Draft) -> None:
    """Complete the last move of an ended game without a press (6.2.1.1)."""
    last = draft.state.ply(draft.state.made_plies)
    if last is not None and not last.completed:
        complete_unpressed(draft, last)


def moves_each(state: GameState) -> int:
    """Return how many moves each side has made, counting one that is announced and not yet pressed."""
    return sum(record.made or record.announcement is not None for record in state.moves.plies) // 2


def moment_of(state: GameState, seat: Seat) -> OfferMoment:
    """Return at which moment of the move this side offers.

    A player who has announced a move and not pressed yet counts as having made it.
    """
    if state.adjournment is not None and state.adjournment.closed and seat is state.adjournment.seat:
        return OfferMoment.AFTER_MOVE  # the player's move lies in the envelope (I.4)
    coming = state.ply(state.ply_to_make)
    if coming is not None and coming.seat is seat:
        return OfferMoment.AFTER_MOVE
    last = state.ply(state.made_plies)
    return offer_moment(seat, state.on_move, completed=last is None or last.completed)


def offer(
    draft: Draft, seat: Seat, *, at: int | None = None, after: int | None = None, moment: OfferMoment | None = None
) -> Refusal | None:
    """Take a draw offer into the record: it stands when it is spoken.

    It cannot be withdrawn and has no conditions (9.1.2.1). `at`: when it was spoken, where it was confirmed later; then
    `after` is the last ply and `moment` the moment at that time. Once a move is sealed, the player who replies to it
    offers after that move (I.4).
    """
    state, adjourned = draft.state, draft.state.adjournment
    moment = moment or moment_of(state, seat)
    if adjourned is not None and adjourned.closed and seat is adjourned.replier:
        after = adjourned.ply
    if state.draws.offer_by is seat.other:
        return Refusal("offer_stands", "9.1.2.1")
    finding = offer_finding(state.table.regulations, state.table.rules, moment, moves_each(state))
    if not finding.valid:
        return Refusal("draw_restricted", finding.article)
    draft.emit(DrawOffered(at=draft.now if at is None else at, seat=seat, ply=state.made_plies, after=after))
    mark_own_offer(draft, seat, "offer")
    count = draft.state.draws.offers[0 if seat is Seat.WHITE else 1]
    if finding.look == "move_first":
        draft.alert("offer_out_of_place", state.made_plies, saying("move_first"), grey=False)
    elif finding.look or count > 1:
        said = saying("offers", who=seat, when=MOMENTS[moment], times=count)
        draft.alert("offer_out_of_place", state.made_plies, said, grey=False)
    if after is not None and any(one.seat is seat.other and one.made for one in state.moves.plies[after:]):
        draft.emit(DrawAnswered(at=draft.now, seat=seat.other, accepted=False, by_move=True))  # (9.1.2.1)
    return None


def answer_offer(draft: Draft, seat: Seat, *, accept: bool, moves: MovesThen | None = None) -> Refusal | None:
    """Take the opponent's answer into the record; an agreement ends the game at once (5.2.3).

    Where the game was won before, by a mate (5.1.1) or by a flag that was claimed or called (6.8), there was nothing
    left to agree on: the clocks stand, and the arbiter gives the result. The same holds where a mate was announced and
    not made yet, as far as the server knows. `moves`: those there were when it was said, where it was confirmed later.
    """
    state, then = draft.state, moves or moves_now(draft.state)
    if state.draws.offer_by is not seat.other:
        return Refusal("no_offer", "9.1.2.1")
    if accept:
        article = agreement_refused(state.table.regulations, moves_each(state))
        if article:
            return Refusal("a_move_each_first" if article == "5.2.3" else "draw_restricted", article)
    draft.emit(DrawAnswered(at=draft.now, seat=seat, accepted=accept))
    if not state.draws.offer_by_claim:
        mark_own_offer(draft, seat, "answer")
    if accept:
        _agree(draft, seat, then)
    return None


def _agree(draft: Draft, seat: Seat, then: MovesThen) -> None:
    """End the game by agreement, unless it had ended before with another result, or may have (5.1.1, 5.2.3, 6.8)."""
    state, agreed = draft.state, saying("draw_agreed")
    earlier, loser = first_end(state, then.made), state.ending.flag_seen
    announced = announced_end(state, then.announced) if earlier is None else None
    if announced is not None:
        tell_announced_end(draft, announced, agreed)
    if earlier is not None and earlier.result != "1/2-1/2":
        draft.emit(ClockPaused(at=draft.now, by=Role.PLAYER, seat=seat, reason="draw_agreed"))
        tell_void(draft, earlier, agreed)
    elif earlier is None and loser is not None:
        said = join_sayings(agreed, saying("flag_before", who=loser))
        draft.alert("ended_before", state.made_plies, said, grey=False)
    elif announced is not None and announced.result != "1/2-1/2":
        draft.emit(ClockPaused(at=draft.now, by=Role.PLAYER, seat=seat, reason="draw_agreed"))
    else:
        draft.emit(GameEnded(at=draft.now, result="1/2-1/2", reason="draw_agreed", article="5.2.3"))


class MovesThen(msgspec.Struct, frozen=True):
    """The moves that there were at an instant: how many were made, and which was announced and not made (0)."""

    made: int
    announced: int


def moves_now(state: GameState) -> MovesThen:
    """Return the moves that there are now."""
    return MovesThen(state.made_plies, announced_ply(state))


@decides(cmd.OfferDraw, cmd.AnswerDraw, cmd.Resign, cmd.ClaimTime, cmd.ClaimDraw, cmd.CallArbiter)
def end(draft: Draft, seat: Seat, body: cmd.AnyAct) -> Refusal | None:
    """Take an offer, an answer, a resignation, a claim or a call into the record.

    Before the start there is no game to end: a player who will not play tells the arbiter (6.6, 6.7.1).
    """
    state, now = draft.state, draft.now
    if not state.table.started and not isinstance(body, cmd.CallArbiter):
        return Refusal("not_started", "6.6")
    match body:
        case cmd.OfferDraw():
            return offer(draft, seat)
        case cmd.AnswerDraw():
            return answer_offer(draft, seat, accept=body.accept)
        case cmd.Resign():
            resign(draft, seat, at=now)
        case cmd.ClaimTime():
            claim_time(draft, seat)
        case cmd.ClaimDraw():
            return claim_draw(draft, seat, body)
        case cmd.CallArbiter():
            reason = body.reason or ("medical" if body.medical else "")
            draft.emit(ArbiterCalled(at=now, seat=seat, reason=reason))
            if body.stop and not state.over:
                draft.emit(ClockPaused(at=now, by=Role.PLAYER, seat=seat, reason=reason))
            if body.medical:
                draft.alert("medical_call", state.made_plies, saying("medical_call", who=seat), grey=False)
                return None
            draft.alert("called", state.made_plies, saying("calls", who=seat), grey=not body.stop)
    return None


def resign(draft: Draft, seat: Seat, *, at: int, moves: MovesThen | None = None) -> None:
    """End the game at once by a resignation that was said at `at` (5.1.2): the clocks stand.

    The result follows when it is known whether the opponent can ever mate (`mate_questions`). That is asked in every
    edition and position alike, so that the time a player waits says nothing about the position. A move that was
    announced and not made yet may have ended the game before (5.1.1, 5.2.1): then the arbiter is told. `moves`: those
    there were when it was said, where it was confirmed later.
    """
    then = moves or moves_now(draft.state)
    draft.emit(Resigned(at=at, seat=seat))
    draft.emit(ClockPaused(at=draft.now, by=Role.PLAYER, seat=seat, reason="resigned"))
    announced = announced_end(draft.state, then.announced)
    if announced is not None and first_end(draft.state, then.made) is None:
        tell_announced_end(draft, announced, saying("has_resigned", who=seat))
    ask_of_mate(draft, seat.other, "resigned", then.made, announced=then.announced)


@decides(cmd.ApproveResult)
def approve_result(draft: Draft, seat: Seat, body: cmd.ApproveResult) -> Refusal | None:
    """Take a player's approval of the result into the record (8.7, L099).

    The result stands even if wrong, unless the arbiter decides otherwise.
    """
    state = draft.state
    if not state.over:
        return Refusal("not_over", "8.7")
    draft.emit(ResultApproved(at=draft.now, seat=seat, result=body.result))
    if body.result != state.ending.result:
        said = saying("result_other", who=seat, result=body.result, recorded=state.ending.result or "")
        draft.alert("result_differs", state.made_plies, said, grey=False)
    return None


def play_is_over(state: GameState, body: cmd.AnyAct) -> Refusal | None:
    """Refuse what belongs to play once a claim has concluded the game; None for everything else."""
    return Refusal("play_concluded", "III.6.1") if state.draws.concluded is not None and body.rights.of_play else None


def conclude(draft: Draft, seat: Seat, ground: str) -> None:
    """Freeze both boards, both times and both scores, and record which moves the claimant's score lacks."""
    state = draft.state
    score = state.scores.of(seat)
    missing = tuple(ply for ply in range(1, state.made_plies + 1) if ply > len(score) or score[ply - 1] is None)
    draft.emit(
        PlayConcluded(at=draft.now, seat=seat, ground=ground, snapshot=snapshot_of(state, draft.now), missing=missing)
    )
    if ground == "no_effort" and missing:
        said = saying("no_effort", who=seat, missing=len(missing))
        draft.alert("scores_behind", state.made_plies, said, grey=False)


def asks_to_verify(state: GameState, seat: Seat) -> bool:
    """Return whether this player must still say if they agree with the frozen position (III.6.1)."""
    concluded = state.draws.concluded
    return concluded is not None and concluded.seat is not seat and concluded.agrees is None and not state.over


@decides(cmd.VerifyPosition)
def verify(draft: Draft, seat: Seat, body: cmd.VerifyPosition) -> Refusal | None:
    """Take the opponent's word on the frozen position.

    It may be corrected, and every word stays on record.
    """
    concluded = draft.state.draws.concluded
    if concluded is None:
        return Refusal("nothing_to_verify", "III.6.1")
    if concluded.seat is seat:
        return Refusal("opponent_verifies", "III.6.1")
    draft.emit(PositionVerified(at=draft.now, seat=seat, agrees=body.agrees, note=body.note))
    if not body.agrees:
        said = saying("disagrees", who=seat, note=body.note or saying("no_words"))
        draft.alert("position_disputed", draft.state.made_plies, said, grey=False)
    return None
