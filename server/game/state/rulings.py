"""This slice holds what the arbiter rules on and is told of: touches, irregular moves, alerts."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.laws.touch import Touch
from server.game.state.alerts import AlertKept, answered, settled
from server.game.state.moves import MovesState
from server.game.state.reducer import applies
from server.game.values.words import Seat

ENDS = ("checkmate", "stalemate", "dead_position", "fivefold", "seventy_five_moves")


class RulingsState(msgspec.Struct, frozen=True):
    """These are the touches and irregularities of the game, and what the arbiter was told of them."""

    touches: tuple[ev.TouchReported, ...] = ()
    adjusting: tuple[Seat, int] | None = None  # who said "I adjust", in which ply (4.2.1)
    castling_meant: tuple[Seat, int] | None = None  # who said "I am about to castle", in which ply (II.3.2.7)
    illegals: tuple[tuple[Seat, str], ...] = ()  # what the arbiter ruled, by seat and kind (7.5)
    ruled: tuple[tuple[int, Seat], ...] = ()  # the plies of the present line that the arbiter ruled on
    replacing: tuple[int, tuple[Touch, ...]] | None = None  # the ply that replaces an illegal move, what was touched
    alerts: int = 0  # how many alerts the arbiter was given, and the kind of the last
    last_alert: str = ""
    grey_alerts: int = 0  # how many of them rest on recognised words alone
    unsettled: tuple[AlertKept, ...] = ()  # those not settled yet, in their order; a filed one stays for the report
    alert_changes: int = 0  # how often anything of these changed, so that a page knows when to look again
    ends_told: tuple[tuple[str, int, bool], ...] = ()  # what the arbiter has been told of: kind, ply, grey

    def after(self, event: ev.AnyEvent) -> RulingsState:
        """Return the rulings after an event that may answer an alert; the same where it answers none."""
        left = answered(self.unsettled, event)
        return self if left is self.unsettled else self.with_alerts(left)

    def with_alerts(self, unsettled: tuple[AlertKept, ...]) -> RulingsState:
        """Return the rulings with these alerts not settled."""
        return replace(self, unsettled=unsettled, alert_changes=self.alert_changes + 1)

    def told_through(self, ply: int) -> RulingsState:
        """Return the rulings without the ends told of later plies: what comes after this one is now another game."""
        return replace(self, ends_told=tuple(one for one in self.ends_told if one[1] <= ply))

    def renumbered(self, exact: Callable[[int], int | None]) -> RulingsState:
        """Return the rulings after the plies of the line were renumbered; `exact`: None where a ply was dropped."""
        replacing = exact(self.replacing[0]) if self.replacing is not None else None
        return replace(
            self,
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


@applies(ev.TouchRuled)
def _touch_ruled(rulings: RulingsState, event: ev.TouchRuled) -> RulingsState:
    ruled = replace(rulings.touches[event.number - 1], because="" if event.counts else "accident")
    return replace(rulings, touches=(*rulings.touches[: event.number - 1], ruled, *rulings.touches[event.number :]))


@applies(ev.EvidenceOpened)
def _evidence_opened(rulings: RulingsState, event: ev.EvidenceOpened) -> RulingsState:
    return replace(rulings, touches=tuple(replace(touch, sealed=False) for touch in rulings.touches))


@applies(ev.IrregularityRuled)
def _irregularity_ruled(rulings: RulingsState, event: ev.IrregularityRuled) -> RulingsState:
    if not event.confirmed:
        return rulings
    illegals = (*rulings.illegals, (event.seat, event.kind))
    return replace(rulings, illegals=illegals, ruled=(*rulings.ruled, (event.ply, event.seat)))


@applies(ev.Alerted)
def _alerted(rulings: RulingsState, event: ev.Alerted) -> RulingsState:
    grey = rulings.grey_alerts + event.grey
    rulings = replace(rulings, alerts=rulings.alerts + 1, last_alert=event.kind, grey_alerts=grey)
    rulings = rulings.with_alerts((*rulings.unsettled, AlertKept(rulings.alerts, event)))
    if event.kind not in ENDS:
        return rulings
    return replace(rulings, ends_told=(*rulings.ends_told, (event.kind, event.ply, event.grey)))


@applies(ev.AlertSettled)
def _alert_settled(rulings: RulingsState, event: ev.AlertSettled) -> RulingsState:
    return rulings.with_alerts(settled(rulings.unsettled, event))
