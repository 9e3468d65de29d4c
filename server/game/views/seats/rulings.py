"""The arbiter's rulings, as the players are told of them; nobody is told that an alert was unfounded."""

from __future__ import annotations

from server.game import acts as ev
from server.game.state.state import GameState
from server.game.values.words import Mode, Seat
from server.game.views.messages import DrawOffer, Relayed, RulingShown
from server.game.views.seats.shown import shown, silent

silent(
    *(ev.IncidentOpened, ev.IncidentBegun, ev.IncidentSettled, ev.AlertSettled, ev.TouchReported, ev.EvidenceOpened),
    *(ev.Restored, ev.Decided, ev.IncidentNoted, ev.DeviceRegistered, ev.LeaveRuled, ev.AppealNoted),
)


@shown(ev.Alerted)
def _said_again(event: ev.Alerted, state: GameState, seat: Seat) -> Relayed | None:
    """Return the announcement once more, in relay, where the echo was wrong: it is told of no other alert."""
    if event.kind != "echo_differs" or state.table.mode is not Mode.RELAY:
        return None
    record = state.ply(event.ply)
    if record is None or record.seat is seat or not record.words:
        return None
    return Relayed(words=record.words, text=record.text, again=True)


@shown(ev.IncidentUndone)
def _undone() -> RulingShown:
    return RulingShown(own=False, what="undone", article="")


@shown(ev.IrregularityRuled)
def _irregularity(event: ev.IrregularityRuled, seat: Seat) -> RulingShown | None:
    """Return what the arbiter declares at the board, to both players alike."""
    return RulingShown(own=event.seat is seat, what=event.kind, article=event.article) if event.confirmed else None


@shown(ev.Penalised)
def _penalty(event: ev.Penalised, seat: Seat) -> RulingShown:
    return RulingShown(own=event.seat is seat, what=event.penalty, article=event.article)


@shown(ev.TouchRuled)
def _offer_stands(event: ev.TouchRuled, state: GameState, seat: Seat) -> DrawOffer | None:
    """Return the offer of which the arbiter has ruled that it was never rejected (9.1.2.1)."""
    if event.offer != "back":
        return None
    return DrawOffer(own=state.draws.offer_by is seat, by_claim=state.draws.offer_by_claim)
