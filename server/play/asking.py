"""Answers on request, to the asker alone (D.2.6.1, D.2.10.4, L192, L203)."""

from __future__ import annotations

from server.play import commands as cmd
from server.play.deciding import Draft
from server.play.events import Answered
from server.play.values import Seat, Station


def answer(draft: Draft, seat: Seat, station: Station | None, body: cmd.Ask) -> None:
    """Time, moves, the last announcement as it was said, or the player's own score; nothing is said unasked."""
    state, now = draft.state, draft.now
    reading = state.clock.reading(now)
    own = state.score_of(seat)
    heard = next((ply.words for ply in reversed(state.plies) if ply.seat is not seat and ply.words), ())
    draft.emit(
        Answered(
            at=now,
            seat=seat,
            station=station.id if station is not None else "",
            what=body.what,
            white_ms=reading.white_ms,
            black_ms=reading.black_ms,
            white_used_ms=state.clock.used(Seat.WHITE, now),
            black_used_ms=state.clock.used(Seat.BLACK, now),
            moves=sum(record.completed for record in state.plies if record.seat is seat),
            running=reading.running,
            words=heard if body.what == "last" else (),
            score=tuple(cell.text if cell else "" for cell in own) if body.what == "score" else (),
        )
    )
