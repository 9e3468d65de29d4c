"""One line for each table, for an arbiter who supervises several (12.2, L135).

Pure.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from server.game.laws.supervision import classify, full_supervision_possible
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.game.views.alerts import AlertCard, AlertKinds, alert_cards
from server.game.views.seats.clock import clock_shown


class TableLine(msgspec.Struct, frozen=True, kw_only=True):
    """One table at a glance.

    `alerts`: how many cards are to be settled, `grey` of them as heard; `urgent`: the kind of the first of them, and
    whether it needs the arbiter `at_once`. `put_off`: how many cards wait for later. `given`: how many alerts there
    were so far, and the kind of the last. `claim`: what waits for a ruling. `age_ms`: how old the reading of another
    clock is that counts; the times are None where nobody has read it.
    """

    table: str
    event: str
    round: str
    board: int
    starts: str
    way: str
    white: str
    black: str
    started: bool
    result: str | None
    reason: str
    made_plies: int
    white_ms: int | None
    black_ms: int | None
    running: Seat | None
    first_flag: Seat | None
    alerts: int
    grey: int
    urgent: str
    at_once: bool
    put_off: int
    given: int
    last_alert: str
    claim: str | None
    full_supervision: bool
    age_ms: int | None = None


def overview(
    states: tuple[tuple[str, GameState], ...], now: int, kinds: AlertKinds, ahead: Mapping[str, int] | None = None
) -> tuple[TableLine, ...]:
    """Return a line for each table of one arbiter.

    `kinds`: how the cards of their alerts are made. `ahead`: how many ms a table's own time is ahead of `now`.
    `full_supervision`: whether this number of games allows it (A.4.1, B.2.1; L148, L159).
    """
    games = sum(state.table.started and not state.over for _, state in states)
    times = {table: now + (ahead or {}).get(table, 0) for table, _ in states}
    return tuple(_line(table, state, times[table], games, alert_cards(state, kinds)) for table, state in states)


def _line(table: str, state: GameState, now: int, games: int, cards: tuple[AlertCard, ...]) -> TableLine:
    open_cards = [card for card in cards if not card.how]
    clock, kind = clock_shown(state, now), classify(state.time.clock.control)
    return TableLine(
        table=table,
        event=state.table.event_name,
        round=state.table.round,
        board=state.table.board_number,
        starts=state.table.starts,
        way=state.table.way,
        white=state.table.white.name,
        black=state.table.black.name,
        started=state.table.started,
        result=state.ending.result,
        reason=state.ending.reason,
        made_plies=state.made_plies,
        white_ms=clock.white_ms,
        black_ms=clock.black_ms,
        running=clock.running,
        first_flag=clock.first_flag,
        alerts=len(open_cards),
        grey=sum(card.grey for card in open_cards),
        urgent=open_cards[0].kind if open_cards else "",
        at_once=bool(open_cards) and open_cards[0].at_once,
        put_off=sum(card.how == "put_off" for card in cards),
        given=state.rulings.alerts,
        last_alert=state.rulings.last_alert,
        claim=state.draws.claim.kind if state.draws.claim is not None else None,
        full_supervision=full_supervision_possible(kind, games, recorded=True),
        age_ms=clock.age_ms,
    )
