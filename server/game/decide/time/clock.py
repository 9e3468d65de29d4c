"""Acts of players and the arbiter with the clock, and its unasked cues.

Pure.

Before the game a player may set the clock where the arbiter approves it (D.2.6.1, 6.3.1, L057); later the arbiter may
correct one side at once (6.10.2, L067). Setting it by voice works by reading usual settings to the player until they
say yes (D.2.6.1): numbers are no words of the scheme and need not be. A command begins it, and yes, no (the next one),
repeat and stop do the rest. The choice is treated like one made with the keys (`set_up_clock`): it waits for the
arbiter unless the arbiter has said otherwise before. Silence sets nothing.

A player's clock tells the time unasked only where the arbiter recorded that and the player asked for it (D.2.6.1). A
cue depends on the clock alone. A threshold is told once a period; the countdown of the last seconds is told again in
every move.

A machine announces on the mover's time: the press takes effect when the announcement has been heard, or at a cap
(D.2.4, D.1). Nothing here looks at the position. The cap is an instant at which the table changes by itself, so that a
voice that falls silent, or a program that is stopped, never leaves a clock as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import AnnouncementSpoken, Refusal
from server.game.acts.clock import ClockChoiceEnd
from server.game.decide.adaptations import adaptation_value
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.laws.adaptations import ON, SPOKEN_BEFORE_THE_CLOCK_CAP_MS
from server.game.laws.supervision import classify, settings_locked
from server.game.state.clock import COUNTED_S, SpokenNow
from server.game.state.state import GameState
from server.game.values.saying import saying
from server.game.values.time_control import TimeControl
from server.game.values.words import Mode, Role, Seat, SeatKind, Station

BY_PLAYER = "player_sets_clock"


@decides(cmd.SetUpClock)
def set_up_clock(draft: Draft, seat: Seat, station: Station | None, body: cmd.SetUpClock) -> Refusal | None:
    """Set the clock before the game, or let it wait for the arbiter.

    It counts at once where the arbiter sets it, or has recorded that a player may. Only before the game: periods are
    specified in advance (6.3.1).
    """
    state = draft.state
    if state.table.started:
        return Refusal("clock_is_fixed", "6.3.1")
    try:
        control = TimeControl.as_people_write(body.control)
    except ValueError:
        return Refusal("no_time_control", "6.3.1")
    _set_up(draft, seat, station, control)
    return None


def _set_up(draft: Draft, seat: Seat, station: Station | None, control: TimeControl) -> None:
    """Set the clock, or propose the setting to the arbiter."""
    state = draft.state
    by_player = station is not None and station.role is Role.PLAYER
    if not by_player or adaptation_value(state, BY_PLAYER) == ON:
        draft.emit(ev.ClockSetUp(at=draft.now, control=control, seat=seat if by_player else None))
        return
    draft.emit(ev.ClockProposed(at=draft.now, seat=seat, control=control))
    said = saying("clock_proposed", who=seat, control=control.text, kept=state.time.clock.control.text)
    draft.alert("clock_proposed", 0, said, grey=False)


@decides(cmd.ApproveClock)
def approve_clock(draft: Draft, body: cmd.ApproveClock) -> Refusal | None:
    """Take the arbiter's decision on what a player has set."""
    state = draft.state
    if state.time.proposed_clock is None:
        return Refusal("nothing_proposed", "6.3.1")
    if state.table.started:
        return Refusal("clock_is_fixed", "6.3.1")
    seat, control = state.time.proposed_clock
    if body.approved:
        draft.emit(ev.ClockSetUp(at=draft.now, control=control, seat=seat))
    else:
        draft.emit(ev.ClockKept(at=draft.now, seat=seat))
    return None


@decides(cmd.CorrectClock)
def correct_clock(draft: Draft, body: cmd.CorrectClock) -> Refusal | None:
    """Give one side the time and the counter that the arbiter says.

    What the other side uses meanwhile stays used.
    """
    state, now = draft.state, draft.now
    if (fixed := settings_refusal(state, body.reason) or times_refusal(state, body.reason)) is not None:
        return fixed
    draft.release(now)  # a press that waits for its announcement counts before the times are read
    state = draft.state
    times = {seat: body.ms if seat is body.seat else state.time.clock.remaining(seat, now) for seat in Seat}
    moves = {seat: state.time.clock.side(seat).moves for seat in Seat}
    counted = periods = None
    if body.completed is not None:
        moves[body.seat] = body.completed
        counted = (moves[Seat.WHITE], moves[Seat.BLACK])
        periods = state.time.clock.control.periods_reached(counted)
    draft.emit(
        ev.ClockSet(
            at=now,
            white_ms=times[Seat.WHITE],
            black_ms=times[Seat.BLACK],
            turn=body.turn or state.time.clock.turn,
            reason=body.reason,
            moves=counted,
            periods=periods,
            by_hand=True,
        )
    )
    return None


ANSWER_MS = 30_000
"""How long a player may take to answer; reading the setting at the slowest speed takes half of it."""


@decides(cmd.ChooseClock)
def choose_clock(draft: Draft, seat: Seat, body: cmd.ChooseClock) -> Refusal | None:
    """Begin to read the settings from the first one, or stop reading them."""
    state = draft.state
    if body.stop:
        if state.time.choice_of(seat) is None:
            return Refusal("nothing_asked", "")
        _end(draft, seat, "stopped")
        return None
    if state.table.started:
        return Refusal("clock_is_fixed", "6.3.1")
    try:
        controls = tuple(TimeControl.parse(text) for text in body.controls)
    except ValueError:
        return Refusal("no_time_control", "6.3.1")
    if not controls:
        return Refusal("no_time_control", "6.3.1")
    _ask(draft, seat, controls, 0)
    return None


def answer_choice(draft: Draft, seat: Seat, station: Station | None, *, yes: bool) -> None:
    """Take a player's answer about a setting.

    Yes: the clock is set as with keys. No: the next setting follows, and after the last one nothing is set.
    """
    asked = draft.state.time.choice_of(seat)
    assert asked is not None
    if not yes:
        if asked.number == len(asked.controls):
            _end(draft, seat, "none_left")
        else:
            _ask(draft, seat, asked.controls, asked.number)
        return
    _end(draft, seat, "chosen")
    _set_up(draft, seat, station, asked.control)


def ask_again(draft: Draft, seat: Seat) -> None:
    """Read the same setting once more."""
    asked = draft.state.time.choice_of(seat)
    assert asked is not None
    _ask(draft, seat, asked.controls, asked.number - 1)


def drop_choice(draft: Draft, seat: Seat) -> None:
    """Drop the open question about the clock: the player said something that needs another yes or no.

    One answer must never serve two questions.
    """
    if draft.state.time.choice_of(seat) is not None:
        _end(draft, seat, "dropped")


def lapse_choices(draft: Draft) -> None:
    """Let go the questions that waited too long, or that waited in an earlier run of the program."""
    for asked in draft.state.time.choosing:
        if not asked.at <= draft.now < asked.until_ms:
            _end(draft, asked.seat, "lapsed")


def lapse_choice(draft: Draft, at: int, seat: Seat) -> None:
    """End a question about the clock because the time for the answer is over."""
    draft.emit(ev.ClockChoiceEnded(at=at, seat=seat, outcome="lapsed"))


def choices_due(state: GameState) -> Iterator[tuple[int, Seat]]:
    """Yield until when (ms of this run) each player may answer."""
    for asked in state.time.choosing:
        yield asked.until_ms, asked.seat


def _ask(draft: Draft, seat: Seat, controls: tuple[TimeControl, ...], index: int) -> None:
    draft.emit(
        ev.ClockChoiceAsked(
            at=draft.now, seat=seat, controls=controls, number=index + 1, until_ms=draft.now + ANSWER_MS
        )
    )


def _end(draft: Draft, seat: Seat, outcome: ClockChoiceEnd) -> None:
    draft.emit(ev.ClockChoiceEnded(at=draft.now, seat=seat, outcome=outcome))


AUTOMATIC = "spoken_time_automatic"
LATEST_MS, LATEST_COUNT_MS = 1_000, 400
"""A cue, or a counted second, is not told if noticed later than this: it would not be true any more."""


@decides(cmd.AskForCues)
def ask_for_cues(draft: Draft, seat: Seat, body: cmd.AskForCues) -> Refusal | None:
    """Record what a player wants to be told; wanting nothing needs no approval."""
    if (body.at_s or body.countdown != "off") and adaptation_value(draft.state, AUTOMATIC) != ON:
        return Refusal("no_cues", "D.2.6.1")
    at_s = tuple(sorted(set(body.at_s), reverse=True))
    draft.emit(ev.CuesAsked(at=draft.now, seat=seat, at_s=at_s, countdown=body.countdown))
    return None


def cues_due(state: GameState, flag: int) -> Iterator[tuple[int, int]]:
    """Yield each cue to come, as its instant (ms of this run) and the seconds left.

    They are for the side whose flag falls at `flag`. A cue that was due before the time began to run is not told any
    more: it was not asked for.
    """
    clock = state.time.clock
    seat, since = clock.turn, clock.since
    asked = next((one for one in state.time.cues if one.seat is seat), None)
    if asked is None or since is None or state.plan(seat).kind is not SeatKind.TACTILE:
        return
    if adaptation_value(state, AUTOMATIC) != ON:
        return
    counted = () if asked.countdown == "off" else tuple(range(COUNTED_S, 0, -1))
    for seconds in (*asked.at_s, *counted):
        at = flag - seconds * 1000
        if at >= since and seconds * 1000 < clock.base_ms(seat) and (seat, seconds) not in state.time.cued:
            yield at, seconds


def cue(draft: Draft, due: int, seat: Seat, seconds: int) -> None:
    """Tell the time left, or count a second."""
    asked = next(one for one in draft.state.time.cues if one.seat is seat)
    way = asked.countdown if asked.countdown != "off" and seconds <= COUNTED_S else "time"
    late = draft.now - due > (LATEST_MS if way == "time" else LATEST_COUNT_MS)
    draft.emit(ev.TimeCued(at=due, seat=seat, left_s=seconds, way=way, late=late))


def on_movers_time(state: GameState) -> bool:
    """Return whether the machine's announcement is spoken before the opponent's clock runs here."""
    by_machine = state.table.mode is Mode.RELAY and adaptation_value(state, "machine_announces") == ON
    return by_machine and adaptation_value(state, "announcement_on_movers_time") == ON


def spoken_now(state: GameState, listener: Seat, now: int) -> SpokenNow | None:
    """Return the announcement in this player's ear at this moment.

    An announcement of unknown length counts no longer than the cap.
    """
    for one in state.time.announcing:
        until = one.until_ms if one.until_ms is not None else one.since + SPOKEN_BEFORE_THE_CLOCK_CAP_MS
        if one.seat is listener and one.since <= now < until:  # one that begins later belongs to an earlier run
            return one
    return None


def charge_of_press(state: GameState, seat: Seat, now: int) -> str:
    """Return whose time passes during the wait after a press now: "mover" or "none".

    "" if there is no wait.
    """
    if not on_movers_time(state) or spoken_now(state, seat.other, now) is None:
        return ""
    return "none" if adaptation_value(state, "announcement_charge") == "none" else "mover"


@decides(cmd.NoteSpeaking)
def note_speaking(draft: Draft, body: cmd.NoteSpeaking) -> None:
    """Note that the voice has begun, knows how long it speaks, or has stopped."""
    if not on_movers_time(draft.state):
        return
    until = None if body.length_ms is None else draft.now + body.length_ms
    draft.emit(
        AnnouncementSpoken(at=draft.now, seat=body.seat, utterance=body.utterance, until_ms=until, over=body.over)
    )
    held = draft.state.time.held
    if held is not None and spoken_now(draft.state, held.seat.other, draft.now) is None:
        draft.release(draft.now)


def settings_refusal(state: GameState, reason: str) -> Refusal | None:
    """Refuse to change the clock setting after ten moves of each player under basic supervision.

    The arbiter may still do so with a reason (A.5.1.1).
    """
    kind, supervision = classify(state.time.clock.control), state.table.regulations.supervision
    if reason.strip() or not settings_locked(kind, supervision, *state.moves.completed_by_each):
        return None
    return Refusal("settings_locked", state.table.rules.article("basic_settings") or "A.5.1.1")


def times_refusal(state: GameState, reason: str) -> Refusal | None:
    """Refuse to change the times after the first move of a resumption, unless the arbiter gives a reason.

    See I.13, L224.
    """
    adjournment = state.adjournment
    if adjournment is None or adjournment.stage != "resumed" or reason.strip():
        return None
    return Refusal("times_stand", "I.13") if state.made_plies > adjournment.ply else None


@decides(cmd.Resume)
def go_on(draft: Draft) -> Refusal | None:
    """Let the clocks run again, unless something that must be settled first is open."""
    state = draft.state
    if not state.table.started:
        return Refusal("not_started", "6.6")
    if state.scores.reconstruction is not None:
        return Refusal("reconstructing", "8.5.3")
    if state.desk is not None:
        return Refusal("desk_open", "D.2.9")
    if state.draws.claim is not None:  # what its player says goes to the arbiter alone until the ruling
        return Refusal("claim_open", "9.5.1")
    draft.emit(ev.ClockResumed(at=draft.now))
    return None
