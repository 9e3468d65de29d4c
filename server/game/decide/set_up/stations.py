"""The stations of a table.

It is about press buttons, admitting and removing devices, displays, observers and assistants. Two buttons on one device
press the clock for both players, so that a player without a station presses a key too (L049). The arbiter says at which
device they are, each is pressed once there, and from then on its key is its player's press. A browser cannot tell two
keyboards apart: the keys are known by their place alone, so the two must differ.

A device becomes a station of the table, and is sent away again (11.3.2, 4.9, D.2.10, 12.4). Observers whom the arbiter
appoints (12.4, L139) look and report to the arbiter; they decide nothing. None of them is a player's assistant
(D.2.10): they belong to no seat, and no player hears what they say. Assistants: which players may have one, and for
what (4.9, 6.2.6, 8.1.6, D.2.10, D.2.11).
"""

from __future__ import annotations

from msgspec.structs import replace

from server.game import acts as cmd
from server.game.acts import (
    DisplayDelayed,
    EarChosen,
    ObserverReported,
    OfferAcknowledged,
    PlayerDescribed,
    PressKeysAsked,
    PressKeysTold,
    Refusal,
    ShownToSpectators,
    StationAdmitted,
    StationRevoked,
)
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.state.apply import apply
from server.game.state.state import GameState
from server.game.values.saying import join_sayings, saying
from server.game.values.words import Duty, Role, Seat, Station

PLACES = {"server": saying("at_server"), "display": saying("at_display")}
"""Where the buttons may be: a player's own device could press for the opponent with them."""


@decides(cmd.LearnPressKeys, cmd.TellPressKeys)
def bind_press_keys(
    draft: Draft, station: Station | None, body: cmd.LearnPressKeys | cmd.TellPressKeys
) -> Refusal | None:
    """Let the arbiter ask for both buttons, and the device name them, never while a clock runs (6.11).

    So no press is lost, and a player who presses in a game that began too early does not decide whose key it is.
    """
    state, keys = draft.state, draft.state.stations.press_keys
    clock_runs = state.time.clock.running is not None or state.time.held is not None
    stands = not state.table.started or state.over or not clock_runs
    if isinstance(body, cmd.LearnPressKeys):
        if not stands:
            return Refusal("clocks_must_stand", "6.11")
        draft.emit(PressKeysAsked(at=draft.now, where=body.at))
        return None
    if not keys.learning or keys.where is None or not is_at(station, keys.where):
        return Refusal("no_press_keys", "")
    if not stands:
        return Refusal("clocks_must_stand", "6.11")
    if body.white == body.black:
        return Refusal("same_press_key", "")
    draft.emit(PressKeysTold(at=draft.now, where=keys.where, white=body.white, black=body.black))
    return None


def seat_of_key(state: GameState, station: Station | None, key: str) -> Seat | Refusal:
    """Return the player to whom a key at this device belongs. `station` None: the server's own machine."""
    keys = state.stations.press_keys
    if keys.where is None or keys.learning or not is_at(station, keys.where):
        return Refusal("no_press_keys", "")
    for seat, own in ((Seat.WHITE, keys.white), (Seat.BLACK, keys.black)):
        if own == key:
            return seat
    return Refusal("no_press_keys", "")


def warn_of_learning(draft: Draft) -> None:
    """Tell the arbiter that a clock was started before both buttons were named: until then they do not count.

    Nor do those that an earlier record has at a player's own device.
    """
    state = draft.state
    keys, started = state.stations.press_keys, draft.before.time.clock.running is None
    where = keys.where
    if where is None or state.time.clock.running is None or not started:
        return
    if keys.learning or where not in PLACES:
        said = saying("buttons", where=PLACES.get(where) or Seat(where))
        draft.alert("press_keys_unknown", state.made_plies, said, grey=False)


def is_at(station: Station | None, where: str) -> bool:
    """Return whether a station stands where the buttons are: at no player's own device, ever."""
    if station is None:
        return where == "server"
    return where == "display" and station.role is Role.DISPLAY


@decides(cmd.Admit)
def admit(draft: Draft, body: cmd.Admit) -> Refusal | None:
    """Admit a device; it keeps its role and seat, because it may have been sent messages before."""
    if not body.station or body.station == cmd.PROGRAM:
        return Refusal("no_station_name", "11.3.2")
    if body.seat is None and body.role in (Role.PLAYER, Role.ASSISTANT):
        return Refusal("no_seat", "11.3.2")
    before = draft.state.stations.find(body.station)
    if refused_device(draft.state, body.station):
        return Refusal("device_refused", "11.3.2")
    if before is not None and (before.role, before.seat) != (body.role, body.seat):
        return Refusal("station_taken", "11.3.2")
    refusal = assistant_refused(draft.state, body) or observer_refused(body)
    if refusal is not None:
        return refusal
    admitted = StationAdmitted(
        at=draft.now,
        station=body.station,
        role=body.role,
        seat=body.seat,
        duties=body.duties,
        under=body.under,
        provided_by=body.provided_by,
    )
    known = draft.state
    draft.emit(admitted)
    choose_at_the_door(draft, body)
    note_assistant(draft, admitted)
    note_assistant_gone(draft, known)
    return None


def choose_at_the_door(draft: Draft, body: cmd.Admit) -> None:
    """Take the language that a player brings from the door, unless the seat's has been chosen or fixed before."""
    if body.role is not Role.PLAYER or body.seat is None or not body.language:
        return
    ear = draft.state.sound.of(body.seat).ear
    if not ear.language:
        chosen = replace(ear, language=body.language)
        draft.emit(EarChosen(at=draft.now, seat=body.seat, ear=chosen))


@decides(cmd.Revoke)
def revoke(draft: Draft, body: cmd.Revoke) -> Refusal | None:
    """Send a device away: nothing is sent to it any more, and nothing it asks is done."""
    if draft.state.stations.find(body.station) is None:
        return Refusal("not_admitted", "11.3.2")
    known = draft.state
    draft.emit(StationRevoked(at=draft.now, station=body.station, reason=body.reason))
    note_assistant_gone(draft, known)
    return None


@decides(cmd.DelayDisplay)
def delay_display(draft: Draft, body: cmd.DelayDisplay) -> Refusal | None:
    """Delay all displays, or one that is there."""
    station = draft.state.stations.find(body.station) if body.station else None
    if body.station and (station is None or station.role is not Role.DISPLAY):
        return Refusal("not_admitted", "11.3.2")
    draft.emit(DisplayDelayed(at=draft.now, station=body.station, delay_s=body.delay_s))
    return None


@decides(cmd.ShowToSpectators)
def show_to_spectators(draft: Draft, body: cmd.ShowToSpectators) -> Refusal | None:
    """Open the table to the spectators' page or close it; who practises at a table for training is not watched."""
    if body.show and draft.state.table.training:
        return Refusal("training_not_shown", "")
    draft.emit(ShownToSpectators(at=draft.now, show=body.show, delay_s=body.delay_s))
    return None


def observer_refused(body: cmd.Admit) -> Refusal | None:
    """Return why this observer is not admitted.

    An observer belongs to no seat and has no duties of an assistant.
    """
    if body.role is Role.OBSERVER and (body.seat is not None or body.duties or body.under):
        return Refusal("observer_of_no_seat", "12.4")
    return None


REPORTED = {
    "flag": saying("flag"),
    "touch": saying("touch"),
    "irregularity": saying("irregularity"),
    "conduct": saying("conduct"),
    "noise": saying("noise"),
    "other": saying("other"),
}


@decides(cmd.ReportToArbiter)
def report(draft: Draft, station: Station | None, body: cmd.ReportToArbiter) -> Refusal | None:
    """Record an observer's report and tell the arbiter.

    A flag seen by an observer is a report too: whether it fell, the arbiter observes (6.8).
    """
    if body.kind in ("flag", "touch") and body.seat is None:
        return Refusal("whose", "12.4")
    ply, name = draft.state.made_plies, "the program" if station is None else station.id
    draft.emit(ObserverReported(at=draft.now, station=name, kind=body.kind, text=body.text, seat=body.seat, ply=ply))
    what = REPORTED[body.kind]
    if body.seat is not None:
        what = saying("of_seat", what=what, who=body.seat)
    by = saying("the_program") if station is None else station.id
    said = saying("reports", name=by, what=what, text=body.text or saying("no_words"))
    draft.alert("observer_report", ply, said, grey=False)
    return None


BOTH_PLAYERS = frozenset((Duty.EXECUTE, Duty.ANNOUNCE))  # D.2.11: for D.2.10.1 and D.2.10.2 only
DUTIES = {
    Duty.EXECUTE: saying("duty_execute"),
    Duty.ANNOUNCE: saying("duty_announce"),
    Duty.SCORE_AND_CLOCK: saying("duty_score_and_clock"),
    Duty.INFORM: saying("duty_inform"),
    Duty.CLAIM_AND_REPORT: saying("duty_claim_and_report"),
    Duty.ADJOURN: saying("duty_adjourn"),
}
DUTIES_UNDER = {
    "4.9": frozenset((Duty.EXECUTE,)),
    "6.2.6": frozenset((Duty.SCORE_AND_CLOCK,)),
    "8.1.6": frozenset((Duty.SCORE_AND_CLOCK,)),
}


def assistants(state: GameState, seat: Seat) -> tuple[str, ...]:
    """Return the stations of a seat's assistants under Appendix D who have a duty."""
    return tuple(one.id for one in state.stations.at(Role.ASSISTANT, seat) if one.duties and not one.under)


def assistant_refused(state: GameState, body: cmd.Admit) -> Refusal | None:
    """Return why this assistant is not admitted; None where the assistant may come.

    A visually disabled player's assistant may have any of the six duties (D.2.10). The sighted opponent may have one
    only where the other player has none, for two duties (D.2.11, L206). A player who cannot move, press or write may
    have one for that alone (4.9, 6.2.6, 8.1.6).
    """
    seat = body.seat
    if body.role is not Role.ASSISTANT or seat is None:
        return None
    if body.under:
        return None if set(body.duties) <= DUTIES_UNDER[body.under] else Refusal("not_his_duty", body.under)
    if state.plan(seat).visually_disabled or not state.plan(seat.other).visually_disabled:
        return None
    if assistants(state, seat.other):
        return Refusal("has_an_assistant", "D.2.11")
    return None if set(body.duties) <= BOTH_PLAYERS else Refusal("two_duties_only", "D.2.11")


def note_assistant(draft: Draft, event: StationAdmitted) -> None:
    """Tell the arbiter what to think of when an assistant comes: the clock, and one assistant too many."""
    if event.role is not Role.ASSISTANT or event.seat is None:
        return
    state, seat = draft.state, event.seat
    if event.under in ("6.2.6", "8.1.6") and not state.plan(seat).disabled:
        said = saying("assistant_clock", who=seat, article=event.under)
        draft.alert("adjustment_offered", state.made_plies, said, grey=False)
    other = assistants(state, seat.other)
    against_sighted = state.plan(seat).visually_disabled and not state.plan(seat.other).visually_disabled
    if other and against_sighted and event.duties and not event.under:
        said = saying("assistant_second", who=seat, other=seat.other, names=other)
        draft.alert("second_assistant", state.made_plies, said, grey=False)


def deduction_refused(state: GameState, body: cmd.AddTime) -> Refusal | None:
    """Refuse to take time from a player with a disability for an assistant (6.2.6, 8.1.6)."""
    taken = body.ms < 0 and body.article in ("6.2.6", "8.1.6") and state.plan(body.seat).disabled
    return Refusal("no_time_for_assistant", body.article) if taken else None


def assistant_missing(state: GameState) -> bool:
    """Return whether an assistant is needed and missing (D.2.11, L207).

    That is so where a visually disabled player meets a hearing-impaired one. The moves must reach the player who does
    not hear them: through an assistant under D.2.10 with one of the first two duties. One for adjournment alone
    (D.2.10.6), or for a player who cannot move, press or write (4.9, 6.2.6, 8.1.6), passes on no move.
    """
    meet = any(state.plan(seat).visually_disabled and state.plan(seat.other).hearing_impaired for seat in Seat)
    helping = (one for one in state.stations.admitted if one.role is Role.ASSISTANT and not one.under)
    return meet and not any(BOTH_PLAYERS & set(one.duties) for one in helping)


@decides(cmd.DescribePlayer)
def describe_player(draft: Draft, body: cmd.DescribePlayer) -> None:
    """Record what a seat has to be set up for.

    Once the game has begun, the arbiter is told where an assistant must be used from now on and there is none (D.2.11).
    """
    state = draft.state
    described = PlayerDescribed(
        at=draft.now,
        seat=body.seat,
        hearing_impaired=body.hearing_impaired,
        needs=body.needs,
        echo_scores=body.echo_scores,
    )
    missing = assistant_missing(apply(state, described))
    draft.emit(replace(described, assistant_needed=missing))
    if missing and not assistant_missing(state) and state.table.started:
        draft.alert("assistant_needed", state.made_plies, saying("assistant_missing"), grey=False)


def note_assistant_gone(draft: Draft, before: GameState) -> None:
    """Tell the arbiter during the game which duties nobody does any more (D.2.10).

    An assistant has left or has fewer duties. `before`: the table as it was before the command. Nobody else is told,
    and nothing stops.
    """
    state = draft.state
    if not state.table.started or state.over:
        return
    for seat in Seat:
        left = [one for one in _done_for(before, seat) if one not in _done_for(state, seat)]
        if not left:
            continue
        what = tuple(saying("by_article", what=DUTIES[one], article=under or one.article) for one, under in left)
        said = saying("assistant_gone", who=seat, what=what)
        if assistant_missing(state):
            said = join_sayings(said, saying("assistant_missing"))
        draft.alert("assistant_gone", state.made_plies, said, grey=False)


def _done_for(state: GameState, seat: Seat) -> list[tuple[Duty, str]]:
    """Return the duties that assistants have for a seat, with their article unless it is Appendix D."""
    there = {(duty, one.under) for one in state.stations.at(Role.ASSISTANT, seat) for duty in one.duties}
    return sorted(there, key=lambda one: (list(Duty).index(one[0]), one[1]))


@decides(cmd.Acknowledge)
def acknowledge(draft: Draft, seat: Seat) -> Refusal | None:
    """Record that the offer has reached the hearing-impaired player.

    A second acknowledgement adds nothing.
    """
    state = draft.state
    if state.draws.offer_by is not seat.other:
        return Refusal("no_offer", "9.1.2.1")
    if not state.draws.offer_delivered:
        draft.emit(OfferAcknowledged(at=draft.now, seat=seat, ply=state.made_plies))
    return None


def refused_device(state: GameState, device: str) -> bool:
    """Return whether the arbiter has refused this device (11.3.2, L122)."""
    last = next((known for known in reversed(state.stations.devices) if known[0] == device), None)
    return last is not None and not last[1]


def device_approved(state: GameState, device: str) -> bool:
    """Return whether a device is on the arbiter's approved list, which is the defence of 11.3.2 (L123)."""
    last = next((known for known in reversed(state.stations.devices) if known[0] == device), None)
    return last is not None and last[1]
