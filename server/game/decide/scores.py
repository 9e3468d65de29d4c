"""The players' scores, and reconstructing a game from them.

Here is decided what may be written, what is missing, who must complete a score, who may look (8.1-8.5). A score belongs
to its player: nothing here reads the game or the other score to write one. What is missing is told to the arbiter,
never to a player (12.6).

A game is reconstructed on a further board, under the arbiter's control (8.5.3, 8.6, 11.11; L097, L098, L132). That
changes neither player's board, neither score and nothing the server believes. Both players help: each writes into their
own score meanwhile.
"""

from __future__ import annotations

from enum import StrEnum

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal, ReviewReleased
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.laws.scoresheet import (
    KEPT_HERE,
    Exemption,
    Scoresheet,
    is_cell,
    marks_offer,
    sheet_finding,
    update_duty,
    without_marks,
)
from server.game.laws.supervision import TimeClass, classify
from server.game.state.scores import ScoreCell
from server.game.state.state import GameState
from server.game.values.position import legal
from server.game.values.saying import players, saying
from server.game.values.words import Role, Seat, SeatKind

SHEETS = {
    Scoresheet.PAPER: saying("sheet_paper"),
    Scoresheet.DICTATED: saying("sheet_dictated"),
    Scoresheet.BRAILLE: saying("sheet_braille"),
    Scoresheet.LONGHAND: saying("sheet_longhand"),
    Scoresheet.STATION: saying("sheet_station"),
}


@decides(cmd.ReleaseReview)
def release_review(draft: Draft, body: cmd.ReleaseReview) -> Refusal | None:
    """Record that the players may review their game: only when it is over (8.3, 11.3.1)."""
    if not draft.state.over:
        return Refusal("review_after_the_game", "11.3.1")
    if draft.state.scores.released is not body.released:
        draft.emit(ReviewReleased(at=draft.now, released=body.released))
    return None


@decides(cmd.WriteScore, cmd.RecordScoresheet, cmd.LendScore, cmd.ReturnScore)
def keep(draft: Draft, seat: Seat, body: cmd.AnyAct) -> Refusal | None:
    """Take an act about a score: a cell written, its kind, the opponent's score lent or given back.

    While the game is being reconstructed the scores may be completed as far as the reconstruction has come (8.5.3).
    """
    state, work = draft.state, draft.state.scores.reconstruction
    match body:
        case cmd.WriteScore():
            if body.index > max(state.made_plies, len(work.line) if work is not None else 0):
                return Refusal("not_in_advance", "8.1.2")
            if not (body.words or is_cell(body.text)):
                return Refusal("free_text", "8.1.4")
            draft.write(seat, body.index, body.text, "station", None)
        case cmd.RecordScoresheet():
            _record_sheet(draft, body)
        case cmd.LendScore():
            if body.to not in seats_with_missing_moves(state):
                return Refusal("nothing_to_complete", "8.5.2")
            if body.to is not state.on_move:
                return Refusal("only_on_his_move", "8.5.2")
            draft.emit(ev.ScoreLent(at=draft.now, to=body.to, ply=state.made_plies))
        case cmd.ReturnScore():
            if state.scores.lent is not seat:
                return Refusal("not_lent", "8.5.2")
            draft.emit(ev.ScoreReturned(at=draft.now, seat=seat))
    return None


def _record_sheet(draft: Draft, body: cmd.RecordScoresheet) -> None:
    """Record on what a player keeps the score.

    Where the edition does not simply allow it, the arbiter is told (8.1.1).
    """
    state = draft.state
    found = sheet_finding(state.table.rules, state.plan(body.seat).kind, body.sheet)
    draft.emit(
        ev.ScoresheetRecorded(at=draft.now, seat=body.seat, sheet=body.sheet, says=found.says, article=found.article)
    )
    if found.says == "arbiter":
        here = body.sheet is Scoresheet.STATION
        said = saying(
            "keeps_score_here" if here else "keeps_score",
            who=body.seat,
            sheet=SHEETS[body.sheet],
            article=found.article,
        )
        draft.alert("scoresheet", state.made_plies, said, grey=False)


def holds_entry(cell: ScoreCell | None) -> bool:
    """Return whether a cell holds an entry: words or their sound; the mark of a draw offer alone is none."""
    return cell is not None and bool(cell.utterance or without_marks(cell.text))


def missing(state: GameState, seat: Seat, through: int) -> tuple[int, ...]:
    """Return the plies up to `through` that have no entry in a score."""
    score = state.scores.of(seat)
    return tuple(ply for ply in range(1, through + 1) if not (ply <= len(score) and holds_entry(score[ply - 1])))


def watch_recording(draft: Draft) -> None:
    """Check at a made move whether the player's earlier entries were written in time (8.1.3, 8.5.2).

    Only scores that are kept here are checked: of paper the program knows nothing. There is no duty under 8.4, in rapid
    and in blitz. Each missing entry is told once, at the made move before which it was due. No move is held back.
    """
    for event in draft.done():
        if isinstance(event, ev.Made):
            _before_moving(draft, event)
        elif isinstance(event, ev.TouchReported) and event.how in ("lifted", "touched") and not event.because:
            _before_touching(draft, event)
    _after_flag(draft)


def _before_moving(draft: Draft, made: ev.Made) -> None:
    state, seat = draft.state, made.seat
    if state.scores.lent is seat:
        draft.emit(ev.ScoreReturned(at=draft.now, seat=seat))
    if state.scores.sheet(seat) not in KEPT_HERE:
        return
    if seat in seats_with_missing_moves(state):
        draft.alert("moved_before_completing", made.ply, saying("moves_incomplete", who=seat), grey=False)
        return
    if classify(state.time.clock.control) is not TimeClass.STANDARD or seat in exempt_now(state):
        return
    due = [ply for ply in missing(state, seat, made.ply - 2) if ply >= made.ply - 3]
    if due:
        ply = due[0] if len(due) == 1 else saying("two", first=due[0], second=due[1])
        draft.alert("not_recorded", made.ply, saying("no_entry", who=seat, ply=ply), grey=False)


def _before_touching(draft: Draft, touch: ev.TouchReported) -> None:
    """Tell the arbiter of a touch before a score is complete, where the edition forbids it (S-4).

    The FIDE Laws require the score to be complete before moving.
    """
    state, seat = draft.state, touch.seat
    if touch.sealed or state.scores.sheet(seat) not in KEPT_HERE or seat not in seats_with_missing_moves(state):
        return
    if state.table.rules.options.score_complete_before == "touching":
        draft.alert("moved_before_completing", touch.ply, saying("touches_incomplete", who=seat), grey=False)


def seats_with_missing_moves(state: GameState) -> tuple[Seat, ...]:
    """Return who must complete their score after a flag and has not (8.5.1, 8.5.2)."""
    return tuple(seat for seat in state.scores.due if missing(state, seat, state.scores.due_through))


def _after_flag(draft: Draft) -> None:
    """Require the scores to be completed after a flag, by players who stopped recording under 8.4.

    See 8.5, L095, L096.
    """
    state = draft.state
    if not any(isinstance(event, ev.FlagFell) for event in draft.events):
        return
    completed = sum(record.completed for record in state.moves.plies)
    behind = [
        state.scores.exempt[index] is not None and bool(missing(state, seat, completed))
        for index, seat in enumerate(Seat)
    ]
    duty = update_duty(white_behind=behind[0], black_behind=behind[1])
    if duty is not None:
        draft.emit(ev.ScoreDue(at=draft.now, seats=duty.seats, ply=completed, when=duty.when, article=duty.article))
        said = saying(
            "update_before_play" if duty.when == "before_play" else "update_before_move",
            who=players(duty.seats),
            article=duty.article,
        )
        draft.alert("scores_behind", state.made_plies, said, grey=False)


def mark_own_offer(draft: Draft, seat: Seat, source: str) -> None:
    """Note a spoken draw offer or answer in a dictated score (8.1.5, D.2.7).

    If the player's cell of that ply is written already it gets the mark; a cell still to be written will get it
    (`Draft.write`).
    """
    state = draft.state
    if state.scores.sheet(seat) is not Scoresheet.DICTATED or state.plan(seat).kind is not SeatKind.TACTILE:
        return
    ply = state.draws.offer_ply
    cell = state.scores.cell(seat, ply)
    if cell is not None and not marks_offer(cell.text):
        draft.write(seat, ply, cell.text, source, cell.utterance)


class Mark(StrEnum):
    """Whether a score holds the mark of an offer (8.1.5)."""

    WRITTEN = "written"
    MISSING = "missing"
    NOT_KEPT_HERE = "not_kept_here"


def offer_mark(state: GameState, seat: Seat, ply: int) -> Mark:
    """Return whether a score holds (=) at a ply, for the arbiter.

    The arbiter must look at paper and Braille in person.
    """
    cell = state.scores.cell(seat, ply)
    if cell is not None and marks_offer(cell.text):
        return Mark.WRITTEN
    return Mark.MISSING if state.scores.sheet(seat) in KEPT_HERE else Mark.NOT_KEPT_HERE


@decides(cmd.BeginReconstruction, cmd.ReconstructMove, cmd.UndoReconstruction, cmd.EndReconstruction)
def reconstruct(draft: Draft, body: cmd.AnyAct) -> Refusal | None:
    """Carry out a step of a reconstruction: begin, move on the further board, take back, end."""
    state, now = draft.state, draft.now
    work = state.scores.reconstruction
    if isinstance(body, cmd.BeginReconstruction):
        if not state.table.started:
            return Refusal("not_started", "6.6")
        if work is not None:
            return Refusal("reconstructing", "8.5.3")
        snapshot = stop_with_snapshot(draft, "reconstruction")
        draft.emit(ev.ReconstructionBegun(at=now, snapshot=snapshot, reason=body.reason))
        return None
    if work is None:
        return Refusal("not_reconstructing", "8.5.3")
    match body:
        case cmd.ReconstructMove():
            try:
                work.positions[-1].after(body.uci)
            except ValueError:
                return Refusal("no_such_move", "8.5.3")
            draft.emit(ev.ReconstructionMoved(at=now, uci=body.uci, legal=legal(work.positions[-1], body.uci)))
        case cmd.UndoReconstruction():
            if not work.line:
                return Refusal("no_such_move", "8.5.3")
            draft.emit(ev.ReconstructionUndone(at=now))
        case cmd.EndReconstruction():
            return _end(draft, body)
    return None


def stop_with_snapshot(draft: Draft, reason: str) -> ev.Snapshot:
    """Stop the clocks for the arbiter, and return the snapshot of what stood before.

    A press that waits for its announcement counts before the times are read.
    """
    draft.release(draft.now)
    snapshot = snapshot_of(draft.state, draft.now)
    if snapshot.running is not None:
        draft.emit(ev.ClockPaused(at=draft.now, by=Role.ARBITER, seat=None, reason=reason))
    return snapshot


def snapshot_of(state: GameState, now: int) -> ev.Snapshot:
    """Return the snapshot that 8.5.3 requires first: position, times, whose clock ran, moves."""
    clock, position = state.time.clock, state.position
    reading = clock.reading(now)
    return ev.Snapshot(
        white_board=state.moves.white_board.position.placement,
        black_board=state.moves.black_board.position.placement,
        game=position.placement if position is not None else None,
        made_plies=state.made_plies,
        white_ms=reading.white_ms,
        black_ms=reading.black_ms,
        running=reading.running,
        turn=clock.turn,
        moves=(clock.white.moves, clock.black.moves),
        periods=(clock.white.period, clock.black.period),
        white_score=tuple(cell.text if cell else None for cell in state.scores.white),
        black_score=tuple(cell.text if cell else None for cell in state.scores.black),
    )


def _end(draft: Draft, body: cmd.EndReconstruction) -> Refusal | None:
    """Set both move counters from what was shown, or begin the next period (8.6).

    The clocks stand until the arbiter starts them. The times stay; the next period's time is added to each side that
    has not had it.
    """
    now, turn, clock = draft.now, draft.state.time.clock.turn, draft.state.time.clock.after_pause(draft.now)
    if body.completed_plies is None:
        following = min(clock.white.period, clock.black.period) + 1
        if following >= len(clock.control.periods):
            return Refusal("no_next_period", "8.6")
        through = clock.control.moves_through(following - 1)
        assert through is not None, "every period but the last has a number of moves"
        clock = clock.in_period(following)
        moves = (through, through) if turn is Seat.WHITE else (through + 1, through)
    else:
        white = sum(draft.state.seat_of(ply) is Seat.WHITE for ply in range(1, body.completed_plies + 1))
        moves = (white, body.completed_plies - white)
        clock = clock.with_moves(*moves)
    article = "8.6" if body.completed_plies is None else "8.5.3"
    draft.emit(
        ev.ReconstructionEnded(at=now, completed_plies=body.completed_plies, evidence=body.evidence, article=article)
    )
    draft.emit(
        ev.ClockSet(
            at=now,
            white_ms=clock.white.remaining_ms,
            black_ms=clock.black.remaining_ms,
            turn=turn,
            reason="reconstructed",
            moves=moves,
            periods=(clock.white.period, clock.black.period),
            by_hand=True,
        )
    )
    return None


def exempt_now(state: GameState) -> tuple[Seat, ...]:
    """Return who need not record now; a new period ends the exemption (8.4)."""
    return tuple(
        seat
        for index, seat in enumerate(Seat)
        if state.scores.exempt[index] is not None
        and Exemption(state.scores.exempt[index]).holds(state.time.clock.side(seat).period)
    )
