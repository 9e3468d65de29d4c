"""This file says how the events of moves, boards and scores change the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from server.game import acts as ev
from server.game.laws.touch import touches_of_move
from server.game.state.line import announced_on, extended, grounds
from server.game.state.state import BoardState, GameState, PlyRecord, ScoreCell
from server.game.values.candidates import with_utterance, without_utterance
from server.game.values.position import Position
from server.game.values.words import Origin, Seat, SeatKind


def _with_ply(state: GameState, record: PlyRecord) -> GameState:
    plies = (*state.plies[: record.index - 1], record, *state.plies[record.index :])
    before = state.ply(record.index)
    if before is None:
        state = replace(state, set_aside=())  # the ply now has a record that holds it
    if before is not None and grounds(before) == grounds(record):
        return replace(state, plies=plies)
    line, positions = extended(state, plies, record.index)
    return replace(state, plies=plies, line=line, positions=positions)


def _record(state: GameState, index: int) -> PlyRecord:
    aside = state.set_aside if index == len(state.plies) + 1 else ()
    return state.ply(index) or PlyRecord(index, state.seat_of(index), utterances=aside)


def _announced(state: GameState, event: ev.Announced) -> GameState:
    before = _record(state, event.ply)
    record = replace(
        before,
        announcement=event.announcement,
        words=event.words,
        text=event.text,
        announced_origin=event.origin,
        utterance=event.utterance,
        announced_ms=event.at,
        utterances=with_utterance(before.utterances, event.seat, event.utterance, event.candidates),
        announced_by_board=event.by_board,
        hand_differs=event.differs is True,
    )
    if before.announcement is not None and not before.announcement.agrees_with(event.announcement):
        # What the other side echoed or carried out answered other words.
        entered = before.placed if event.differs is False else None
        record = replace(
            _without_echo(record), entered=entered, repeated=None, executed_ms=None, seen_on_other_board=None
        )
        own = with_utterance((), event.seat, event.utterance, event.candidates)
        record = replace(record, utterances=own, believed=None)
    elif record.echo is not None:
        record = replace(record, echo_agrees=event.announcement.agrees_with(record.echo))
    board = state.board_of(record.seat).before
    if before.own_board_moved and record.entered and _otherwise_said(state, record, board, record.entered):
        record = replace(record, entered=None)
    return replace(_with_ply(state, record), last_words=event.words)


def _without_echo(record: PlyRecord) -> PlyRecord:
    return replace(
        record,
        echo=None,
        echo_words=(),
        echo_text="",
        echo_agrees=None,
        echoed_ms=None,
        echo_utterance=None,
        echo_origin=None,
    )


def _echo_recalled(state: GameState, event: ev.EchoRecalled) -> GameState:
    record = _record(state, event.ply)
    utterances = without_utterance(record.utterances, record.echo_utterance)
    return _with_ply(state, replace(_without_echo(record), utterances=utterances))


def _repeated(state: GameState, event: ev.AnnouncementRepeated) -> GameState:
    record = state.ply(event.ply)
    if record is None or event.announcement is None or record.announcement is None:
        return state
    utterances = with_utterance(record.utterances, event.seat, event.utterance, event.candidates)
    fuller = not record.announcement.says_all_of(event.announcement)
    repeated = event.announcement if fuller else record.repeated
    return _with_ply(state, replace(record, repeated=repeated, utterances=utterances))


def _not_understood(state: GameState, event: ev.NotUnderstood) -> GameState:
    """Keep a sound that was not understood with its ply, as the mover's own or as the other side's echo."""
    record = _record(state, event.ply)
    if event.ply > len(state.plies) + 1 or event.utterance is None:
        return state
    record = replace(
        record, utterances=with_utterance(record.utterances, event.seat, event.utterance, event.candidates)
    )
    if record.seat is not event.seat:
        if event.ply > len(state.plies):
            return state
        if record.echo is None:
            record = replace(record, echo_utterance=event.utterance)
        return _with_ply(state, record)
    if record.announcement is None and not record.completed:
        return _with_ply(state, replace(record, utterance=event.utterance))
    return _with_ply(state, record) if event.ply <= len(state.plies) else state


def _set_aside(state: GameState, event: ev.SetAside) -> GameState:
    """Keep a sound that was set aside with its ply.

    Before anything is known of that ply, keep it until something is.
    """
    if not 1 <= event.ply <= len(state.plies) + 1:
        return state
    known = _record(state, event.ply).utterances
    utterances = with_utterance(known, event.seat, event.utterance, event.candidates, aside=True)
    record = state.ply(event.ply)
    if record is None:
        return replace(state, set_aside=utterances)
    return _with_ply(state, replace(record, utterances=utterances))


def _contested(state: GameState, event: ev.Contested) -> GameState:
    return _with_ply(state, replace(_record(state, event.ply), contested=True, left_over=event))


def _made(state: GameState, event: ev.Made) -> GameState:
    state = _with_ply(state, replace(_record(state, event.ply), made_ms=event.at))
    if state.setting is not None and state.setting.because != "desk":  # play goes on, so the boards must be right
        state = replace(state, setting=None)
    lapsed = state.offer_by is event.seat.other and state.offer_delivered and event.ply > state.offer_after
    return replace(state, offer_by=None) if lapsed else state


def _completed(state: GameState, event: ev.Completed) -> GameState:
    record = replace(
        _record(state, event.ply),
        completed_ms=event.at,
        white_ms=event.white_ms,
        black_ms=event.black_ms,
        periods=(state.clock.white.period, state.clock.black.period),
    )
    state = _with_ply(state, record)
    if state.intended is not None and event.seat is state.intended.seat and event.ply > state.intended.ply:
        return replace(state, intended=None)
    return state


def _echoed(state: GameState, event: ev.Echoed) -> GameState:
    record = replace(
        _record(state, event.ply),
        echo=event.announcement,
        echo_words=event.words,
        echo_text=event.text,
        echo_agrees=event.agrees,
        echo_utterance=event.utterance,
        echo_origin=event.origin,
        echoed_ms=event.at,
        utterances=with_utterance(_record(state, event.ply).utterances, event.seat, event.utterance, event.candidates),
    )
    return _with_ply(state, record)


def _executed(state: GameState, event: ev.Executed) -> GameState:
    return _with_ply(state, replace(_record(state, event.ply), executed_ms=event.at))


def _with_board(state: GameState, seat: Seat, board: BoardState) -> GameState:
    return replace(state, white_board=board) if seat is Seat.WHITE else replace(state, black_board=board)


def _board_moved(state: GameState, event: ev.BoardMoved) -> GameState:
    mine = state.board_of(event.board).position
    if mine.turn is not state.seat_of(event.ply):
        mine = replace(mine, turn=state.seat_of(event.ply))
    state = _with_board(state, event.board, BoardState(mine.after(event.uci), mine))
    record = _record(state, event.ply)
    seen = event.origin in (Origin.ENTERED, Origin.SENSED)
    if record.seat is event.board:
        entered = event.uci if seen else record.entered
        if event.origin is Origin.SENSED and _otherwise_said(state, record, mine, event.uci):
            entered = None  # a tactile player's board does not overrule the words: the arbiter compares them
        record = replace(record, own_board_moved=True, entered=entered)
        if seen:
            record = replace(record, placed=event.uci, hand_differs=event.differs)
    elif seen:
        record = replace(record, seen_on_other_board=event.uci)
    return _with_ply(state, record)


def _otherwise_said(state: GameState, record: PlyRecord, board: Position, uci: str) -> bool:
    if state.plan(record.seat).kind is not SeatKind.TACTILE:
        return False
    meant = announced_on(record, board, by_echo=False)
    return meant is not None and meant != uci


def _board_set(state: GameState, event: ev.BoardSet) -> GameState:
    """Set a board; what was placed there by hand before stands there no longer."""
    last = next((record for record in reversed(state.plies) if record.seat is event.board), None)
    if last is not None and last.placed is not None:
        state = _with_ply(state, replace(last, placed=None))
    stood = state.board_of(event.board).position
    if event.through is None:  # an older record, or a board set back to before its last move
        return _with_board(state, event.board, BoardState(stood.with_placement(event.placement, event.turn), stood))
    now = _as_known(state, event.through, event.placement, event.turn) or stood.with_placement(
        event.placement, event.turn
    )
    before = now
    if event.before is not None:
        turn = event.turn.other
        before = _as_known(state, event.through - 1, event.before, turn) or stood.with_placement(event.before, turn)
    plies = tuple(_stands(record, event) for record in state.plies)
    return _with_board(replace(state, plies=plies), event.board, BoardState(now, before))


def _as_known(state: GameState, ply: int, placement: str, turn: Seat) -> Position | None:
    """Return the game's own position after a ply, with its rights, if a board was set to exactly that."""
    known = state.position_after(ply)
    return known if known is not None and (known.placement, known.turn) == (placement, turn) else None


def _stands(record: PlyRecord, event: ev.BoardSet) -> PlyRecord:
    """Mark a move as standing on a board that was set, or not.

    Then nothing is left to carry out there (D.2.1).
    """
    on_it = event.through is not None and record.index <= event.through
    if record.seat is event.board:
        return record if record.own_board_moved is on_it else replace(record, own_board_moved=on_it)
    if (record.executed_ms is not None) is on_it:
        return record
    return replace(record, executed_ms=event.at if on_it else None)


def _score_written(state: GameState, event: ev.ScoreWritten) -> GameState:
    score = list(state.score_of(event.seat))
    score.extend([None] * (event.index - len(score)))
    score[event.index - 1] = ScoreCell(event.text, event.source, event.utterance)
    name = "white_score" if event.seat is Seat.WHITE else "black_score"
    state = replace(state, **{name: tuple(score)})
    record = state.ply(event.index)
    if record is None or event.source not in ("announcement", "echo"):
        return state
    mark = "scored_own" if event.source == "announcement" else "scored_echo"
    changed = replace(record, **{mark: True})
    return replace(state, plies=(*state.plies[: event.index - 1], changed, *state.plies[event.index :]))


def _belief_revised(state: GameState, event: ev.BeliefRevised) -> GameState:
    told = tuple(one for one in state.ends_told if one[1] < event.ply)  # what comes after is now another game
    state = _with_ply(state, replace(_record(state, event.ply), believed=event.uci))
    return replace(state, ends_told=told)


def _mended(state: GameState, event: ev.GameMended) -> GameState:
    told = tuple(one for one in state.ends_told if one[1] < event.ply)  # what comes after is now another game
    state = _with_ply(state, replace(_record(state, event.ply), mended=event.uci))
    return replace(state, out_of_step=False, ends_told=told)


def _restored(state: GameState, event: ev.Restored) -> GameState:
    """Take the game back to after a ply (7.1, 7.5.1).

    What was touched before and in an illegal move still obliges in the move that replaces it (7.5.1). Counts and
    rulings stay: a penalty is not undone by going back. What else stays valid is named in the event.
    """
    ply, replacing, touching = event.ply, None, "touches" in event.keeps
    wrong = event.discarded[0] if event.discarded else None
    known = state.position_after(ply)
    if wrong is not None and known is not None and any(ruled == ply + 1 for ruled, _ in state.ruled):
        replacing = (ply + 1, touches_of_move(known, wrong))
    last = ply if replacing is None and not touching else ply + 1
    return replace(
        _offer_after_restore(state, event),
        plies=state.plies[:ply],
        set_aside=(),
        line=state.line[:ply],
        positions=state.positions[: ply + 1],
        discarded=(*state.discarded, state.plies[ply:]),
        touches=tuple(t if t.ply <= last or t.because else replace(t, because="restored") for t in state.touches),
        ruled=tuple(one for one in state.ruled if one[0] <= ply),
        replacing=replacing,
        adjusting=state.adjusting if touching else None,
        castling_meant=state.castling_meant if touching else None,
        owed=None,
        mate_questions=(),
        resigned=None,
        flag_seen=None,
        setting=None,  # another position was being set
        pending=(),
        offer_marks=tuple(one for one in state.offer_marks if one[1] <= ply),
        exempt=event.exempt,
        due_through=min(ply, state.due_through) if "due" in event.keeps else state.due_through,
        intended=state.intended if "intended" in event.keeps else None,
        ends_told=tuple(one for one in state.ends_told if one[1] <= ply),
    )


def _offer_after_restore(state: GameState, event: ev.Restored) -> GameState:
    """Keep the offer marks of the remaining plies.

    An offer that stays open stands from the present move on (9.1.2.1).
    """
    marks = tuple(at for at in state.offers_at if at <= event.ply)
    if "offer" not in event.keeps:
        return replace(state, offer_by=None, offers_at=marks)
    if not state.offer_by_claim and state.offer_ply > event.ply:
        marks = (*marks, max(1, event.ply))
    return replace(state, offers_at=marks, offer_after=min(state.offer_after, event.ply))


CHANGES: dict[type, Callable[[GameState, Any], GameState]] = {
    ev.Restored: _restored,
    ev.Announced: _announced,
    ev.NotUnderstood: _not_understood,
    ev.SetAside: _set_aside,
    ev.Contested: _contested,
    ev.Made: _made,
    ev.Completed: _completed,
    ev.AnnouncementRepeated: _repeated,
    ev.Echoed: _echoed,
    ev.EchoRecalled: _echo_recalled,
    ev.Executed: _executed,
    ev.BoardMoved: _board_moved,
    ev.BoardSet: _board_set,
    ev.ScoreWritten: _score_written,
    ev.GameMended: _mended,
    ev.BeliefRevised: _belief_revised,
}
