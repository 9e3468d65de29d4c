"""The players' scores: what may be written, what is missing, who must complete his, who may look (8.1-8.5).

A score is its player's own: nothing here reads the game or the other score to write one. What is missing goes to the
arbiter, never to a player (12.6).
"""

from __future__ import annotations

from enum import StrEnum

from server.game.acts import commands as cmd
from server.game.acts import events as ev
from server.game.acts.commands import Refusal
from server.game.decide.draft import Draft
from server.game.decide.rulings.conduct import exempt_now
from server.game.laws.exemption import update_duty
from server.game.laws.scoresheet import is_cell, marks_offer, unmarked
from server.game.laws.scoresheet_2 import KEPT_HERE, Scoresheet, sheet_finding
from server.game.laws.time_class import TimeClass, classify
from server.game.state.state import GameState, ScoreCell
from server.game.values.words import Seat, SeatKind


def keep(draft: Draft, seat: Seat, body: cmd.AnyBody) -> Refusal | None:
    """A cell written at a station, on what a score is kept, the opponent's score lent and given back.

    While the game is reconstructed the scores may be completed as far as that has come (8.5.3).
    """
    state, work = draft.state, draft.state.reconstruction
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
            if body.to not in owing(state):
                return Refusal("nothing_to_complete", "8.5.2")
            if body.to is not state.on_move:
                return Refusal("only_on_his_move", "8.5.2")
            draft.emit(ev.ScoreLent(at=draft.now, to=body.to, ply=state.made_plies))
        case cmd.ReturnScore():
            if state.lent is not seat:
                return Refusal("not_lent", "8.5.2")
            draft.emit(ev.ScoreReturned(at=draft.now, seat=seat))
    return None


def _record_sheet(draft: Draft, body: cmd.RecordScoresheet) -> None:
    """On what a player keeps his score; where the edition does not simply allow it, the arbiter sees that (8.1.1)."""
    state = draft.state
    found = sheet_finding(state.rules, state.plan(body.seat).kind, body.sheet)
    draft.emit(
        ev.ScoresheetRecorded(at=draft.now, seat=body.seat, sheet=body.sheet, says=found.says, article=found.article)
    )
    if found.says == "arbiter":
        detail = f"{body.seat.value} keeps score by {body.sheet.value}: the arbiter's or the event's to allow"
        if body.sheet is Scoresheet.STATION:
            detail += "; this program is no certified electronic scoresheet (8.1.1.2)"
        draft.alert("scoresheet", state.made_plies, f"{detail} ({found.article})", grey=False)


def written(cell: ScoreCell | None) -> bool:
    """Whether a cell holds an entry: words or their sound; a draw offer's mark alone is none."""
    return cell is not None and bool(cell.utterance or unmarked(cell.text))


def missing(state: GameState, seat: Seat, through: int) -> tuple[int, ...]:
    """The plies up to `through` of which a score has no entry."""
    score = state.score_of(seat)
    return tuple(ply for ply in range(1, through + 1) if not (ply <= len(score) and written(score[ply - 1])))


def watch_recording(draft: Draft) -> None:
    """At a made move: was the previous one recorded before it (8.1.3), was a due score completed before it (8.5.2)?

    Only of scores that are kept here: of paper the program knows nothing. No duty under 8.4, in rapid and in blitz.
    Each missing entry is told once, at the made move before which it was due. No move is held back.
    """
    for event in draft.done():
        if isinstance(event, ev.Made):
            _before_moving(draft, event)
        elif isinstance(event, ev.TouchReported) and event.how in ("lifted", "touched") and not event.because:
            _before_touching(draft, event)
    _after_flag(draft)


def _before_moving(draft: Draft, made: ev.Made) -> None:
    state, seat = draft.state, made.seat
    if state.lent is seat:
        draft.emit(ev.ScoreReturned(at=draft.now, seat=seat))
    if state.sheet_of(seat) not in KEPT_HERE:
        return
    if seat in owing(state):
        detail = f"{seat.value} moves before his score is complete (8.5.2)"
        draft.alert("moved_before_completing", made.ply, detail, grey=False)
        return
    if classify(state.clock.control) is not TimeClass.STANDARD or seat in exempt_now(state):
        return
    due = [ply for ply in missing(state, seat, made.ply - 2) if ply >= made.ply - 3]
    if due:
        plies = " and ".join(map(str, due))
        detail = f"{seat.value} moves again, his score has no entry of ply {plies} (8.1.3)"
        draft.alert("not_recorded", made.ply, detail, grey=False)


def _before_touching(draft: Draft, touch: ev.TouchReported) -> None:
    """The short rules have every missing move completed before a piece is touched (S-4); the Laws, before moving."""
    state, seat = draft.state, touch.seat
    if touch.sealed or state.sheet_of(seat) not in KEPT_HERE or seat not in owing(state):
        return
    if state.rule_set == "short":
        detail = f"{seat.value} touches a piece before his score is complete (8.5.2)"
        draft.alert("moved_before_completing", touch.ply, detail, grey=False)


def owing(state: GameState) -> tuple[Seat, ...]:
    """Who must complete his score after a flag and has not (8.5.1, 8.5.2)."""
    return tuple(seat for seat in state.due if missing(state, seat, state.due_through))


def _after_flag(draft: Draft) -> None:
    """A flag has fallen: who stopped recording under 8.4 must bring his score up to date (8.5, L095, L096)."""
    state = draft.state
    if not any(isinstance(event, ev.FlagFell) for event in draft.events):
        return
    completed = sum(record.completed for record in state.plies)
    behind = [
        state.exempt[index] is not None and bool(missing(state, seat, completed)) for index, seat in enumerate(Seat)
    ]
    duty = update_duty(white_behind=behind[0], black_behind=behind[1])
    if duty is not None:
        draft.emit(ev.ScoreDue(at=draft.now, seats=duty.seats, ply=completed, when=duty.when, article=duty.article))
        who = " and ".join(seat.value for seat in duty.seats)
        when = "before play goes on" if duty.when == "before_play" else "before he moves"
        draft.alert("scores_behind", state.made_plies, f"{who}: update the score {when} ({duty.article})", grey=False)


def mark_own_offer(draft: Draft, seat: Seat, source: str) -> None:
    """Who offers or answers aloud and dictates his score has noted the offer in it by that (8.1.5, D.2.7).

    Where his cell of that ply is written already it takes the mark; one still to be written will (`Draft.write`).
    """
    state = draft.state
    if state.sheet_of(seat) is not Scoresheet.DICTATED or state.plan(seat).kind is not SeatKind.TACTILE:
        return
    ply = state.offer_ply
    cell = state.cell_of(seat, ply)
    if cell is not None and not marks_offer(cell.text):
        draft.write(seat, ply, cell.text, source, cell.utterance)


class Mark(StrEnum):
    """Whether a score holds the mark of an offer (8.1.5)."""

    WRITTEN = "written"
    MISSING = "missing"
    NOT_KEPT_HERE = "not_kept_here"


def offer_mark(state: GameState, seat: Seat, ply: int) -> Mark:
    """Whether a score holds (=) at a ply, for the arbiter; of paper and Braille he must look himself."""
    cell = state.cell_of(seat, ply)
    if cell is not None and marks_offer(cell.text):
        return Mark.WRITTEN
    return Mark.MISSING if state.sheet_of(seat) in KEPT_HERE else Mark.NOT_KEPT_HERE
