"""This file shows the arbiter the alerts that are not settled, as cards: the same alert twice is one card."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from server.game.state.rulings import AlertKept
from server.game.state.state import GameState
from server.game.values.saying import Saying
from server.game.values.words import Seat


class AlertCard(msgspec.Struct, frozen=True, kw_only=True):
    """This is what the arbiter has to settle once.

    `numbers`: of the alerts that it stands for, all of one kind and with the same words; ply, time and sound are those
    of the last. `grey`: each rests on recognised words alone. `how`: "" open, "put_off" or "filed".
    """

    numbers: tuple[int, ...]
    kind: str
    ply: int
    at: int
    grey: bool
    how: str
    said: Saying | None
    detail: str
    seat: Seat | None
    utterance: str | None


def alert_cards(state: GameState, again: Collection[str] = ()) -> tuple[AlertCard, ...]:
    """Return a card for each thing to settle, the newest first.

    `again`: kinds of which another alert is the same card though it came with another move.
    """
    groups: dict[object, list[AlertKept]] = {}
    for kept in state.rulings.unsettled:
        alert = kept.alert
        ply = 0 if alert.kind in again else alert.ply
        words = msgspec.json.encode(alert.said) if alert.said is not None else alert.detail
        groups.setdefault((alert.kind, ply, words, kept.how), []).append(kept)
    cards = [_card(group) for group in groups.values()]
    return tuple(sorted(cards, key=lambda card: -card.numbers[-1]))


def _card(group: list[AlertKept]) -> AlertCard:
    last = group[-1]
    return AlertCard(
        numbers=tuple(one.number for one in group),
        kind=last.alert.kind,
        ply=last.alert.ply,
        at=last.alert.at,
        grey=all(one.alert.grey for one in group),
        how=last.how,
        said=last.alert.said,
        detail=last.alert.detail,
        seat=last.seat,
        utterance=next((one.alert.utterance for one in reversed(group) if one.alert.utterance), None),
    )
