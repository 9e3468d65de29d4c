"""The slice of the arbiter's rulings and of what the arbiter is told: touches, irregular moves, alerts.

An alert is settled by the arbiter (`AlertSettled`), or by the act that answers it: a ruling on the claim, on the
irregularity, a board that was set. What answers what is known from the events alone, so that a replay finds it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import is_not
from typing import Literal

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.laws.touch import Touch, touches_of_move
from server.game.state.moves import MovesState
from server.game.state.reducer import applies
from server.game.values.saying import Saying
from server.game.values.words import Role, Seat

TOUCH = "touch"
"""A piece was touched and another one moved (4.3): an irregularity, but no illegal move (7.5)."""
ENDS = ("checkmate", "stalemate", "dead_position", "fivefold", "seventy_five_moves")


Step = Literal["ruled", "back", "kept", "given", "loses", "begun", "settled"]


class AlertKept(msgspec.Struct, frozen=True):
    """Alert that is not settled: its number among all alerts, from 1, and whether it was put off or filed.

    One that is filed is settled, but stays for the report. `done`: what of its incident was done so far, in whatever
    order: ruled, back (the position before stands) or kept (the move stays), given (the time, or none is due), loses
    (the game is lost by it), begun and settled (all in one act). `happened`: the arbiter said so of what was heard.
    """

    number: int
    alert: ev.Alerted
    how: str = ""
    done: tuple[Step, ...] = ()
    happened: bool = False

    @property
    def certain(self) -> bool:
        """Say whether it rests on more than recognised words."""
        return self.happened or not self.alert.grey

    @property
    def complete(self) -> bool:
        """Say whether nothing of its incident is left to do but to let the clocks run."""
        if "settled" in self.done:
            return True
        stands = "back" in self.done or "kept" in self.done
        return "loses" not in self.done and stands and {"ruled", "given"} <= set(self.done)

    def after(self, *done: Step) -> AlertKept:
        """Return the alert with more of its incident done."""
        return replace(self, done=(*self.done, *(one for one in done if one not in self.done)))

    @property
    def seat(self) -> Seat | None:
        """The player whom the alert is about, where its words name one."""
        said = self.alert.said
        who = said.values.get("who") if said is not None else None
        return Seat(who.key) if isinstance(who, Saying) and who.key in ("white", "black") else None


ABOUT_A_MOVE = (
    *("not_legal", "illegal_move_stands", "unpromoted", "takes_king", "touch_move", "irregular_position"),
    *("draw_irregular", "press_without_move", "premature_press", "not_finished", "unannounced_press"),
)
INCIDENTS = ("not_legal", "takes_king", "unpromoted", "touch_move", "press_without_move", "irregularity_claimed")
"""Alerts of a move that take more than one act to settle: they stay until all of it is done (7.5)."""
TAKEN_BACK = ("illegal", "touch")
"""Irregularities after which the position before the move is set up again (7.5.1, 4.3)."""
ABOUT_WORDS = ("unheard", "unresolved", "echo_differs", "contested")
ABOUT_BOARDS = ("board_differs", "board_odd", "board_not_followed", "result_signal")
OF_A_POSITION = (*ENDS, "perhaps_dead")
ABOUT_CONDUCT = (
    *("device_found", "sheet_asked", "stop_not_valid", "adjusting_out_of_turn", "out_of_turn_speech"),
    *("offer_out_of_place", "entry_out_of_turn", "premature_press", "unannounced_press", "press_without_move"),
)
ABOUT_THE_END = (
    *("flag", "time_claimed", "flag_called", "flags_called", "resigned", "loses", "draw_claimed", "draw_irregular"),
    *OF_A_POSITION,
    *("low_time", "default_time_over", "late_arrival", "start_held", "result_signal"),
)

Answer = Callable[[ev.AnyEvent, AlertKept], bool]


def _any(_event: ev.AnyEvent, _kept: AlertKept) -> bool:
    return True


def _seat(event: ev.AnyEvent, kept: AlertKept) -> bool:
    return kept.seat in (None, getattr(event, "seat", None))


def _same_seat(event: ev.AnyEvent, kept: AlertKept) -> bool:
    return kept.seat is not None and kept.seat is getattr(event, "seat", None)


def _board(event: ev.AnyEvent, kept: AlertKept) -> bool:
    return kept.seat in (None, getattr(event, "board", None))


def _ply(event: ev.AnyEvent, kept: AlertKept) -> bool:
    return kept.alert.ply == getattr(event, "ply", None)


def _later(event: ev.AnyEvent, kept: AlertKept) -> bool:
    return kept.alert.ply > getattr(event, "ply", 0)


def _does_not_count(event: ev.AnyEvent, _kept: AlertKept) -> bool:
    """A touch that binds leaves the wrong move to be dealt with."""
    return not getattr(event, "counts", True)


def _as_due(event: ev.AnyEvent, kept: AlertKept) -> bool:
    """Say whether time is given where it was to be: what a penalty takes answers nothing of that (12.9.3)."""
    return kept.alert.kind != "bonus_unstated" or getattr(event, "ms", 0) > 0


def _heard_late(event: ev.AnyEvent, kept: AlertKept) -> bool:
    """Say whether words that were heard after the press were said before it: then it was not made without them."""
    return _ply(event, kept) and (kept.alert.kind == "unheard" or (kept.alert.grey and event.at <= kept.alert.at))


def _by_the_arbiter(event: ev.AnyEvent, _kept: AlertKept) -> bool:
    return getattr(event, "by", None) is Role.ARBITER


ANSWERS: Mapping[type[ev.Event], tuple[tuple[str, ...], Answer]] = {
    ev.Announced: (("unheard", "premature_press", "unannounced_press"), _heard_late),
    ev.ClaimRuled: (("draw_claimed", "claim_on_display"), _seat),
    ev.IrregularityRuled: (ABOUT_A_MOVE, _ply),
    ev.TouchRuled: (("touch_move",), _does_not_count),
    ev.FlagCalled: (("flag",), _any),
    ev.GameEnded: (ABOUT_THE_END, _any),
    ev.Restored: ((*ABOUT_A_MOVE, *ABOUT_WORDS, *ABOUT_BOARDS, *OF_A_POSITION, "ended_before"), _later),
    ev.DeskDecided: ((*ABOUT_BOARDS, *ABOUT_WORDS), _any),
    ev.BoardSet: (ABOUT_BOARDS, _board),
    ev.EchoRecalled: (("echo_differs",), _ply),
    ev.GameMended: ((*ABOUT_WORDS, "not_legal"), _ply),
    ev.StopRuled: (("called",), _seat),
    ev.ClockPaused: (("medical_call",), _by_the_arbiter),
    ev.LawReleased: (("law_asked",), _seat),
    ev.LeaveRuled: (("leaving",), _seat),
    ev.Penalised: (ABOUT_CONDUCT, _same_seat),
    ev.ClockKept: (("clock_proposed",), _any),
    ev.ClockSetUp: (("clock_proposed",), _any),
    ev.GameStarted: (("clock_proposed", "start_held"), _any),
    ev.AbsenceRuled: (("default_time_over", "late_arrival"), _any),
    ev.ScoresheetRecorded: (("scoresheet",), _seat),
    ev.PressKeysTold: (("press_keys_unknown",), _any),
    ev.TimeAdded: (("adjustment_offered", "bonus_unstated"), _as_due),
    ev.ClockResumed: (("interrupted", "clock_wrong", "set_up_wrong", "medical_call", "time_claimed"), _any),
    ev.SealOrdered: (("session_over",), _any),
}
"""The kinds of alerts that an event answers, and which of them: by whom or by which move they are."""


ON_CARDS: Mapping[type[ev.Event], tuple[str, ...]] = {
    **dict.fromkeys((ev.ClockPaused, ev.ClockResumed), INCIDENTS),
    **dict.fromkeys((ev.Made, ev.Restored, ev.GameMended, ev.LineSettled), ABOUT_BOARDS),
    **dict.fromkeys((ev.TimeAdded, ev.ClockSet), ("interrupted",)),
}
"""The kinds of alerts on whose cards stands what an event changes: the clocks, the game as played, both times."""


def alerts_left(kept: tuple[AlertKept, ...], event: ev.AnyEvent) -> tuple[AlertKept, ...]:
    """Return the alerts that are still to be settled after an event; the same tuple where it answers none.

    Of an incident that takes several acts, what the event did is noted, and it stays until the clocks run again.
    """
    left = tuple(after for one in kept if (after := _after(one, event)) is not None)
    return left if len(left) < len(kept) or any(map(is_not, left, kept)) else kept


def _after(one: AlertKept, event: ev.AnyEvent) -> AlertKept | None:
    """Return an alert after an event; None where that settles it."""
    if one.how == "filed":
        return one
    if one.alert.kind == "board_differs" and isinstance(event, ev.DeskDecided) and event.kind != "mend":
        return one.after("ruled")
    if one.alert.kind in INCIDENTS or one.done:
        return _incident_after(one, event)
    return _unless_answered(one, event)


def _unless_answered(one: AlertKept, event: ev.AnyEvent) -> AlertKept | None:
    """Return the alert as it is; None where this event answers it."""
    kinds, answers = ANSWERS.get(type(event), ((), _any))
    return None if one.alert.kind in kinds and answers(event, one) else one


def _incident_after(one: AlertKept, event: ev.AnyEvent) -> AlertKept | None:
    """Return the alert of an incident after an event: with what that did of it, None where it is over."""
    after = one
    match event:
        case ev.IrregularityRuled() if event.ply == one.alert.ply:
            if not event.confirmed:
                return None
            nothing_due = event.loses or not event.bonus_ms
            after = one.after("ruled", *(("given",) if nothing_due else ()), *(("loses",) if event.loses else ()))
            goes_back = event.kind in TAKEN_BACK or event.pawn_goes_back
            after = after if goes_back else after.after("kept")
        case ev.Restored() if event.ply < one.alert.ply:
            if event.ply + 1 < one.alert.ply and not one.certain:
                return None
            after = one.after("back")
        case ev.TimeAdded(ms=ms) if "ruled" in one.done and ms > 0:  # what a penalty takes is no time given (7.5.5)
            after = one.after("given")
        case ev.ClockResumed() if one.complete:
            return None
        case ev.GameEnded() if one.done:
            return None
        case ev.DeskDecided() if not one.certain:
            return None
        case ev.DeskClosed() | ev.ClockResumed() if one.alert.kind == "board_differs":
            return None
        case _ if "begun" in one.done or one.alert.kind == "board_differs":
            return one
        case _:
            return _unless_answered(one, event)
    return None if after.complete and "back" not in after.done else after  # no clock was stopped for it


def alerts_settled(kept: tuple[AlertKept, ...], event: ev.AlertSettled) -> tuple[AlertKept, ...]:
    """Return the alerts after the arbiter settled some: put off and filed ones are kept as such."""
    if event.how in ("acknowledged", "misheard"):
        return tuple(one for one in kept if one.number not in event.numbers)
    return tuple(replace(one, how=event.how) if one.number in event.numbers else one for one in kept)


class RulingsState(msgspec.Struct, frozen=True):
    """Touches and irregularities of the game, and what the arbiter was told of them."""

    touches: tuple[ev.TouchReported, ...] = ()
    adjusting: tuple[Seat, int] | None = None  # who said "I adjust", in which ply (4.2.1)
    castling_meant: tuple[Seat, int] | None = None  # who said "I am about to castle", in which ply (II.3.2.7)
    illegals: tuple[tuple[Seat, str], ...] = ()  # what the arbiter ruled, by seat and kind (7.5)
    ruled: tuple[tuple[int, Seat], ...] = ()  # the plies of the present line that the arbiter ruled on
    last_ruled: tuple[int, int] | None = None  # the ply that was ruled on last, and how many were made then
    ruled_gone: tuple[tuple[int, int], ...] = ()  # discarded lines (from 1) with their plies that were ruled on
    let_go: tuple[tuple[int, ...], ...] = ()  # the touches that no longer bind since each line was discarded
    replacing: tuple[int, tuple[Touch, ...]] | None = None  # the ply that replaces an illegal move, what was touched
    alerts: int = 0  # how many alerts the arbiter was given, and the kind of the last
    last_alert: str = ""
    unsettled: tuple[AlertKept, ...] = ()  # those not settled yet, in their order; a filed one stays for the report
    alert_changes: int = 0  # how often anything of these changed, so that a page knows when to look again
    ends_told: tuple[tuple[str, int, bool], ...] = ()  # what the arbiter has been told of: kind, ply, grey

    def after(self, event: ev.AnyEvent) -> RulingsState:
        """Return the rulings after an event that may answer an alert; the same where it answers none."""
        left = alerts_left(self.unsettled, event)
        shown = any(one.alert.kind in ON_CARDS.get(type(event), ()) for one in left)
        return self if left is self.unsettled and not shown else self.with_alerts(left)

    def with_alerts(self, unsettled: tuple[AlertKept, ...]) -> RulingsState:
        """Return the rulings with these alerts not settled."""
        return replace(self, unsettled=unsettled, alert_changes=self.alert_changes + 1)

    def told_through(self, ply: int) -> RulingsState:
        """Return the rulings without the ends told of later plies: what comes after this one is now another game."""
        return replace(self, ends_told=tuple(one for one in self.ends_told if one[1] <= ply))

    def with_new_numbers(self, exact: Callable[[int], int | None]) -> RulingsState:
        """Return the rulings after the plies of the line were renumbered; `exact`: None where a ply was dropped."""
        replacing = exact(self.replacing[0]) if self.replacing is not None else None
        unsettled = tuple(
            replace(one, alert=replace(one.alert, ply=ply))
            if one.how != "filed" and (ply := exact(one.alert.ply))
            else one
            for one in self.unsettled
        )
        return replace(
            self.with_alerts(unsettled),
            ruled=tuple((ply, seat) for one, seat in self.ruled if (ply := exact(one)) is not None),
            touches=tuple(
                replace(touch, ply=exact(touch.ply) or 0, because=touch.because if exact(touch.ply) else "restored")
                for touch in self.touches
            ),
            adjusting=None,
            castling_meant=None,
            replacing=(replacing, self.replacing[1]) if self.replacing is not None and replacing is not None else None,
        )


@applies(ev.Adjusting)
def _adjusting(rulings: RulingsState, event: ev.Adjusting, moves: MovesState) -> RulingsState:
    """Record that the player on move adjusts pieces; nobody else may (4.2.1)."""
    return replace(rulings, adjusting=(event.seat, moves.ply_to_make)) if event.seat is moves.on_move else rulings


@applies(ev.CastlingMeant)
def _castling_meant(rulings: RulingsState, event: ev.CastlingMeant) -> RulingsState:
    return replace(rulings, castling_meant=(event.seat, event.ply))


@applies(ev.EvidenceOpened)
def _evidence_opened(rulings: RulingsState, event: ev.EvidenceOpened) -> RulingsState:
    return replace(rulings, touches=tuple(replace(touch, sealed=False) for touch in rulings.touches))


@applies(ev.IrregularityRuled)
def _irregularity_ruled(rulings: RulingsState, event: ev.IrregularityRuled, moves: MovesState) -> RulingsState:
    if not event.confirmed:
        return rulings
    if event.kind != TOUCH:
        rulings = replace(rulings, illegals=(*rulings.illegals, (event.seat, event.kind)))
    if not event.line:
        ruled = (*rulings.ruled, (event.ply, event.seat))
        return replace(rulings, ruled=ruled, last_ruled=(event.ply, moves.made_plies))
    rulings = replace(rulings, ruled_gone=(*rulings.ruled_gone, (event.line, event.ply)))
    return _bound_again(rulings, event, moves)


def _bound_again(rulings: RulingsState, event: ev.IrregularityRuled, moves: MovesState) -> RulingsState:
    """Return the rulings once a move that was taken back before is ruled irregular: its touches bind again (7.5.1).

    They do where the game went back to just before that move, no further, and goes on with the move that replaces it.
    """
    lines = moves.discarded[event.line - 1 :]
    just_before = bool(lines and lines[0]) and lines[0][0].index == event.ply
    further = any(line and line[0].index < event.ply for line in lines[1:])
    if not just_before or further or moves.made_plies not in (event.ply - 1, event.ply):
        return rulings
    gone = moves.gone_of(event.line, event.ply)
    touched = touches_of_move(gone.before, gone.uci) if gone and gone.before and gone.uci else ()
    known = rulings.replacing[1] if rulings.replacing is not None and rulings.replacing[0] == event.ply else ()
    behind = len(moves.discarded) - event.line + 1
    again = rulings.let_go[-behind] if 0 < behind <= len(rulings.let_go) else ()
    touches = tuple(
        replace(one, because="") if one.number in again and one.ply == event.ply and one.because == "restored" else one
        for one in rulings.touches
    )
    return replace(rulings, touches=touches, replacing=(event.ply, (*known, *touched)))


@applies(ev.Alerted)
def _alerted(rulings: RulingsState, event: ev.Alerted) -> RulingsState:
    rulings = replace(rulings, alerts=rulings.alerts + 1, last_alert=event.kind)
    rulings = rulings.with_alerts((*rulings.unsettled, AlertKept(rulings.alerts, event)))
    if event.kind not in ENDS:
        return rulings
    return replace(rulings, ends_told=(*rulings.ends_told, (event.kind, event.ply, event.grey)))


@applies(ev.IncidentOpened)
def _incident_opened(rulings: RulingsState, event: ev.IncidentOpened) -> RulingsState:
    return rulings.with_alerts(
        tuple(replace(one, happened=True, how="") if one.number in event.numbers else one for one in rulings.unsettled)
    )


@applies(ev.AlertSettled)
def _alert_settled(rulings: RulingsState, event: ev.AlertSettled) -> RulingsState:
    return rulings.with_alerts(alerts_settled(rulings.unsettled, event))
