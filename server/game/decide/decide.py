"""`decide(state, command, now) -> events`, or a refusal with its article. Pure: the same inputs, the same answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from server.game import acts as cmd
from server.game.acts import (
    Adjusting,
    AnyEvent,
    ClockPressed,
    Command,
    CommandRefused,
    DrawAnswered,
    Interrupted,
    Refusal,
    SoundKept,
    SpeechCut,
    SpokenPrivately,
    TableOpened,
    TwoBoardsDemanded,
)
from server.game.decide import adaptations, arbiter, belief, due, questions, scores, touch
from server.game.decide.claims import draws, mate_answers, proposals
from server.game.decide.claims.draws import ask_kind_again, play_is_over
from server.game.decide.claims.intended import tell_of_intended
from server.game.decide.claims.proposals import (
    confirm,
    lapse_proposals,
    lapsed_by_refusal,
    private_ear,
    tell_arbiter,
    withdraw_proposal,
)
from server.game.decide.draft import Draft
from server.game.decide.due import note_instants
from server.game.decide.endings import tell_ends
from server.game.decide.moves import boards, speech
from server.game.decide.moves.boards import enter
from server.game.decide.moves.speech import own_words_left, record_utterance
from server.game.decide.questions import answer_question
from server.game.decide.roles import seat_spoken_for, why_refused
from server.game.decide.rule import decide_body, decides
from server.game.decide.rulings import conduct, desk, incidents, irregular_ply, next_game, restore, resumption, seal
from server.game.decide.rulings.board_setting import answer_square
from server.game.decide.rulings.conduct import note_exemptions
from server.game.decide.rulings.irregularities import announces_first, settle_owed, watch_moves
from server.game.decide.rulings.seal import press_while_adjourned, refuse_while_sealed
from server.game.decide.scores import watch_recording
from server.game.decide.set_up import pairing, sound, stations, table
from server.game.decide.set_up.stations import (
    seat_of_key,
    warn_of_learning,
)
from server.game.decide.set_up.table import chess960_refused, tell_of_quickplay
from server.game.decide.time import clock, schedule
from server.game.decide.time.clock import (
    answer_choice,
    ask_again,
    charge_of_press,
    lapse_choices,
)
from server.game.state.line import PlyRecord
from server.game.state.state import GameState
from server.game.values.clock import at_most, time_text
from server.game.values.position import Position
from server.game.values.saying import saying
from server.game.values.words import ClockMaster, Mode, Origin, Role, Seat, SeatKind, Station

RULES = (
    *(adaptations, arbiter, belief, boards, clock, conduct, desk, draws, due, incidents, irregular_ply),
    *(mate_answers, next_game, proposals, questions, restore, resumption, schedule, scores, seal, sound, speech),
    *(pairing, stations, table, touch),
)
"""The files in which rules register themselves: a rule whose file is not among them does not exist."""

Watcher = Callable[[Draft], None]
BEFORE: tuple[Watcher, ...] = (note_exemptions, note_instants, lapse_choices)
"""Rules that note, in this order and before a command is decided, what came about by itself since the last command."""
NOT_BEFORE: Mapping[type[cmd.Act], tuple[Watcher, ...]] = {
    cmd.NoteInstant: (note_exemptions,),
    cmd.NoteInterruption: (note_exemptions, note_instants),  # of a run that is over no time counts any more
    cmd.NoteNewRun: (note_exemptions, note_instants),
}
AFTER: tuple[Watcher, ...] = (
    *(tell_of_quickplay, watch_moves, watch_recording),
    *(tell_of_intended, tell_ends, warn_of_learning),
)
"""Rules that look, in this order, at what a command brought about.

They go by its events and by what it changed, so that a command which only notes something needs none of them.
"""


def decide(state: GameState, command: Command, now: int) -> tuple[AnyEvent, ...] | Refusal:
    """Return the events that a command brings about at `now` (ms of this run), or why it is refused.

    A press is never refused (6.2.2, L052); a press about a ply that is completed already is acknowledged and ignored.
    """
    body = command.body
    station = None if command.station == cmd.PROGRAM else state.stations.find(command.station)
    if command.station != cmd.PROGRAM and station is None:
        return Refusal("not_admitted", "11.3.2")
    if isinstance(body, cmd.OpenTable):
        return _open(state, body, now)
    if isinstance(body, cmd.OpenNext):
        return Refusal("already_open", "2.2") if state.table.opened else body.events
    if not state.table.opened:
        return Refusal("no_table", "6.6")
    refusal = why_refused(station, body)
    if refusal is not None:
        return refusal
    if isinstance(body, cmd.PressKey):  # from here on it is that player's own press
        pressed = seat_of_key(state, station, body.key)
        if isinstance(pressed, Refusal):
            return pressed
        body, station = cmd.Press(), Station(command.station, Role.PLAYER, pressed)
        command = msgspec.structs.replace(command, body=body)
    if state.over and not body.rights.after_the_end:
        return Refusal("game_over", "11.4")
    # A resignation ends the game at once: until its result is known nobody agrees, claims or resigns any more.
    if state.ending.resigned is not None and body.rights.ends_game:
        return Refusal("game_over", "5.1.2")
    draft = Draft(state, now)
    for watcher in BEFORE:
        if watcher not in NOT_BEFORE.get(type(body), ()):
            watcher(draft)
    lapse_proposals(draft, station, body)
    if station is not None and station.role is Role.PLAYER and station.seat is not None:
        withdraw_proposal(draft, station.seat, body)
    watched = not body.notes or bool(draft.events)
    refusal = _decide_within_rights(draft, command, station)
    if refusal is not None:
        return refusal
    for watcher in AFTER if watched else ():
        watcher(draft)
    return draft.done()


def noted_beside(state: GameState, command: Command, refusal: Refusal, now: int) -> tuple[AnyEvent, ...]:
    """Return what goes on record although a command is refused: a player says no to an offer that a touch rejected.

    The answer stays what it was: whether a touch is on record is not for the player to hear. But the offer was declined
    in words, whatever becomes of that touch (9.1.2.1). Where nothing is asked, what was asked before has lapsed.
    """
    seat = seat_spoken_for(state, state.stations.find(command.station), None)
    lapsed = lapsed_by_refusal(state, seat, refusal, now) if isinstance(command.body, cmd.Confirm) else ()
    if refusal.code not in ("no_offer", "nothing_asked") or state.draws.touched_off is not seat.other:
        return lapsed
    pending = state.ending.pending_of(seat)
    asked = "" if pending is None else pending.what
    match command.body:
        case cmd.AnswerDraw(accept=False) | cmd.Propose(what="draw_decline"):
            declines = True
        case cmd.Confirm(yes=False):  # to the offer, or too late to a question about it
            declines = asked in ("", "draw_accept", "draw_decline")
        case cmd.Confirm() if refusal.code == "no_offer":  # a yes to what this player was asked, and not too late
            declines = asked == "draw_decline"
        case _:
            declines = False
    return (*lapsed, DrawAnswered(at=now, seat=seat, accepted=False, after_touch=True)) if declines else lapsed


def _sets_a_square(state: GameState, seat: Seat) -> bool:
    """Return whether this player is setting their board square by square."""
    return state.setting is not None and state.setting.asked_of(seat) is not None


def _decide_within_rights(draft: Draft, command: Command, station: Station | None) -> Refusal | None:
    body, state = command.body, draft.state
    named = getattr(body, "seat", None)
    seat = seat_spoken_for(state, station, named if isinstance(named, Seat) else None)
    if (waits := refuse_while_sealed(state, seat, body) or play_is_over(state, body)) is not None:
        return waits
    return decide_body(draft, body, seat, station, command.about_ply)


@decides(cmd.Say)
def _say(draft: Draft, seat: Seat, body: cmd.Say) -> Refusal | None:
    if not draft.state.table.started:
        return Refusal("not_started", "6.6")
    if body.announcement is not None and not body.announcement.complete and body.origin is not Origin.HEARD:
        return Refusal("no_announcement", "D.2.1")
    if not private_ear(draft.state, seat):
        return record_utterance(draft, seat, body)
    tell_arbiter(draft, seat, body)
    return None


@decides(cmd.EnterMove)
def _enter(draft: Draft, seat: Seat, body: cmd.EnterMove) -> Refusal | None:
    return _enter_privately(draft, seat, body) if private_ear(draft.state, seat) else enter(draft, seat, body)


@decides(cmd.Ask)
def _ask(draft: Draft, seat: Seat, station: Station | None, body: cmd.Ask) -> Refusal | None:
    """Answer a question; "again" repeats what this player is asked themselves, where they are asked anything."""
    state = draft.state
    if body.what == "last":
        if state.time.choice_of(seat) is not None:
            ask_again(draft, seat)
            return None
        if state.draws.claim is not None and state.draws.claim.seat is seat and state.draws.claim.asks:
            ask_kind_again(draft, seat)
            return None
        if _sets_a_square(state, seat):
            answer_square(draft, seat, stands=False)
            return None
    return answer_question(draft, seat, station, body)


@decides(cmd.Confirm)
def _confirm(draft: Draft, seat: Seat, station: Station | None, body: cmd.Confirm) -> Refusal | None:
    """Take a yes or a no for what was asked: a choice of clock, a square to set, or what was proposed."""
    state = draft.state
    if state.time.choice_of(seat) is not None:
        answer_choice(draft, seat, station, yes=body.yes)
        return None
    if state.ending.pending_of(seat) is None and _sets_a_square(state, seat):
        answer_square(draft, seat, stands=body.yes)
        return None
    return confirm(draft, seat, body)


@decides(cmd.DemandTwoBoards)
def _demand_two_boards(draft: Draft, seat: Seat) -> Refusal | None:
    state = draft.state
    if state.plan(seat).visually_disabled is state.plan(seat.other).visually_disabled:
        return Refusal("two_boards_for_others", "D.1")
    draft.emit(TwoBoardsDemanded(at=draft.now, seat=seat))
    return None


@decides(cmd.Adjust)
def _adjust(draft: Draft, seat: Seat) -> None:
    draft.emit(Adjusting(at=draft.now, seat=seat))


@decides(cmd.KeepSound)
def _keep_sound(draft: Draft, body: cmd.KeepSound) -> None:
    draft.emit(
        SoundKept(
            at=draft.now,
            seat=body.seat,
            utterance=body.utterance,
            sha256=body.sha256,
            length_ms=body.length_ms,
            fault=body.fault,
        )
    )


@decides(cmd.NoteSpoken)
def _note_spoken(draft: Draft, body: cmd.NoteSpoken) -> None:
    draft.emit(SpokenPrivately(at=draft.now, **msgspec.structs.asdict(body)))


@decides(cmd.NoteRefused)
def _note_refused(draft: Draft, body: cmd.NoteRefused) -> None:
    draft.emit(CommandRefused(at=draft.now, **msgspec.structs.asdict(body)))


@decides(cmd.NoteCut)
def _note_cut(draft: Draft, body: cmd.NoteCut) -> None:
    draft.emit(SpeechCut(at=draft.now, **msgspec.structs.asdict(body)))


@decides(cmd.NoteInstant)
def _note_instant() -> None:
    """Every command notes what is due, and so does this one, which does nothing else."""


@decides(cmd.NotePress)
def _note_press(draft: Draft, body: cmd.NotePress) -> Refusal | None:
    if draft.state.time.clock_master is not ClockMaster.LIVECHESS:
        return Refusal("our_clock_leads", "6.2.1")
    _press(draft, body.seat, None)
    return None


def _enter_privately(draft: Draft, seat: Seat, body: cmd.EnterMove) -> Refusal | None:
    """Tell the arbiter the intended move that the claimant enters; no entry of theirs is a move now (9.5.1)."""
    claim = draft.state.draws.claim
    if claim is None or not claim.awaits or body.announcement is None:
        return Refusal("claim_open", "9.5.1")
    tell_arbiter(draft, seat, cmd.Say(announcement=body.announcement, words=body.words, text=body.text))
    return None


def _open(state: GameState, body: cmd.OpenTable, now: int) -> tuple[AnyEvent, ...] | Refusal:
    if state.table.opened:
        return Refusal("already_open", "2.2")
    if body.mode is Mode.RELAY:
        return Refusal("relay_needs_approval", "D.1")
    if body.control.fault is not None or any(period.base_ms == 0 for period in body.control.periods):
        return Refusal("no_time_control", "6.3.1")
    if body.training and body.rated:
        return Refusal("training_is_unrated", "12.6")
    try:
        Position.from_fen(body.start_fen, chess960=body.chess960)
    except ValueError:
        return Refusal("no_position", "2.2")
    if body.chess960 and (refusal := chess960_refused(body.regulations, body.rules)) is not None:
        return refusal
    return (
        TableOpened(
            at=now,
            white=body.white,
            black=body.black,
            start_fen=body.start_fen,
            control=body.control,
            rated=body.rated,
            mode=body.mode,
            clock_master=body.clock_master,
            chess960=body.chess960,
            event_name=body.event_name,
            round=body.round,
            board=body.board,
            rule_set=body.rule_set,
            regulations=body.regulations,
            rules=body.rules,
            adaptations=body.adaptations,
            boards=body.boards,
            checklist=body.checklist,
            training=body.training,
            starts=body.starts,
            way=body.way,
        ),
    )


@decides(cmd.Press)
def _press(draft: Draft, seat: Seat, about_ply: int | None) -> None:
    """Complete the player's made move and start the opponent's clock (6.2.1).

    Nothing understood is no reason to hold it up: without sensors the tactile player declares by the press that
    D.2.3.1-3 are done.
    """
    if press_while_adjourned(draft, seat):
        return
    _settle_what_was_answered(draft, seat)
    state = draft.state
    # Play is over; or an announcement is owed: that player's time runs until they speak, whichever key is pressed (G1).
    if state.draws.concluded is not None or state.time.owed is not None:
        draft.emit(ClockPressed(at=draft.now, seat=seat, ply=state.made_plies, effective=False))
        return
    record = state.ply(about_ply) if about_ply is not None else None
    if record is not None and record.seat is seat and record.completed:
        return
    if state.time.held is not None:
        if state.time.held.seat is seat:  # pressed already: it takes effect when the announcement has been heard
            draft.emit(ClockPressed(at=draft.now, seat=seat, ply=state.made_plies, effective=False))
            return
        draft.release(draft.now)  # who presses waits for no announcement any more
        state = draft.state
    if state.desk is not None:  # also where another clock leads: the boards are the arbiter's (D.2.9)
        draft.emit(ClockPressed(at=draft.now, seat=seat, ply=state.made_plies, effective=False))
        draft.alert("press_without_move", state.made_plies, saying("pressed_at_desk", who=seat), grey=False)
        return
    clock_stands = state.time.clock_master is ClockMaster.SERVER and state.time.clock.running is None
    if not state.table.started or state.over or clock_stands:
        draft.press(seat, state.made_plies)
        return
    late = _own_not_pressed(state, seat)
    makes = seat is state.on_move and (late is None or _has_moved_again(state, about_ply))
    if makes and _is_stray(state, seat):
        draft.press(seat, state.made_plies)
        return
    ply = state.ply_to_make if makes else late.index if late is not None else state.made_plies
    if makes:
        coming = state.ply(ply)
        if coming is None or coming.announcement is None:
            own_words_left(draft, seat, ply)
    if (makes or late is not None) and announces_first(draft.state, seat, ply):
        draft.emit(ClockPressed(at=draft.now, seat=seat, ply=ply, effective=False))
        draft.alert("unannounced_press", ply, saying("pressed_before", who=seat), grey=False)
        return
    if makes:
        tactile = state.plan(seat).kind is SeatKind.TACTILE
        draft.make(ply, Origin.DECLARED if tactile else Origin.INFERRED)
    _complete_with_press(draft, seat, ply)


def _settle_what_was_answered(draft: Draft, seat: Seat) -> None:
    """Settle an announcement that is owed to this player, who answers it: the move was conveyed (G1).

    While the clocks stand, no press has an effect.
    """
    state = draft.state
    if state.time.clock.running is not None and state.time.owed is seat.other and _has_spoken_next(state):
        settle_owed(draft, seat.other)


def _complete_with_press(draft: Draft, seat: Seat, ply: int) -> None:
    """Start the opponent's clock, and complete the player's own move where the press does so."""
    completes = draft.press(seat, ply, charge_of_press(draft.state, seat, draft.now))
    done = draft.state.ply(ply)
    if completes and done is not None and done.seat is seat and not done.completed:
        draft.complete(ply, Origin.DECLARED)


def _is_stray(state: GameState, seat: Seat) -> bool:
    """Say whether a press is of no move: the opponent has not pressed yet, and of a next move nothing was said or seen.

    A silent move that was made already is declared by the press after the opponent's own (6.2.2, L052).
    """
    running = state.time.clock.running
    if state.time.clock_master is not ClockMaster.SERVER or running is not seat.other:
        return False
    return not _has_spoken_next(state) and state.stations.has_player(seat.other)


def _own_not_pressed(state: GameState, seat: Seat) -> PlyRecord | None:
    """Return the seat's last made move where its press is still missing (6.2.2, L052)."""
    last = state.ply(state.made_plies - 1 if seat is state.on_move else state.made_plies)
    return last if last is not None and not last.completed else None


def _has_spoken_next(state: GameState) -> bool:
    coming = state.ply(state.ply_to_make)
    return coming is not None and (coming.announcement is not None or coming.utterance is not None)


def _has_moved_again(state: GameState, about: int | None) -> bool:
    """Return whether the player on move has said their next move, or presses for it: then no press is late."""
    said = _has_spoken_next(state)
    return said if about is None or about > state.ply_to_make else about == state.ply_to_make


INTERRUPTED = {
    "the_program_was_stopped": saying("was_stopped"),
    "the_machine_slept_or_its_clock_jumped": saying("machine_slept"),
    "the_record_was_silent": saying("record_was_silent"),
    "the_server_was_out_of_reach": saying("server_out_of_reach"),
}


@decides(cmd.NoteInterruption)
def _interrupted(draft: Draft, body: cmd.NoteInterruption) -> None:
    """Clocks stand paused at the last witness; what is uncertain is shown to the arbiter (6.10.1, L066)."""
    held = draft.state.time.held
    if held is not None:
        begun = held.since if body.witness_ms is None else max(held.since, body.witness_ms)
        draft.release(max(begun, draft.state.time.clock.since or begun))
    clock = draft.state.time.clock
    if clock.since is None:
        return
    at = max(clock.since, body.witness_ms if body.witness_ms is not None else clock.since)
    draft.emit(
        Interrupted(
            at=draft.now,
            white_ms=clock.remaining(Seat.WHITE, at),
            black_ms=clock.remaining(Seat.BLACK, at),
            turn=clock.turn,
            uncertain_ms=body.uncertain_ms,
            reason=body.reason,
            move_ms=clock.in_this_move(at),
        )
    )
    white, black = (time_text(clock.remaining(seat, at)) for seat in Seat)
    said = saying("stopped_at", why=INTERRUPTED[body.reason], white=white, black=black, time=at_most(body.uncertain_ms))
    draft.alert("interrupted", draft.state.made_plies, said, grey=False)
