"""The alerts that are not settled, as cards for the arbiter: the same alert twice is one card."""

from __future__ import annotations

import msgspec

from server.game.state.rulings import AlertKept
from server.game.state.state import GameState
from server.game.values.saying import Saying
from server.game.values.words import Seat


class AlertCard(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that the arbiter has to settle.

    `numbers`: of the alerts that it stands for, all of one kind and with the same words; ply, time and sound are those
    of the last. `grey`: each rests on recognised words alone. `at_once`: somebody at the table waits for the arbiter.
    `how`: "" open, "put_off" or "filed".
    """

    numbers: tuple[int, ...]
    kind: str
    ply: int
    at: int
    grey: bool
    at_once: bool
    how: str
    said: Saying | None
    detail: str
    seat: Seat | None
    utterance: str | None
    kept: AlertKept | None = None
    """The last of them, with what of its incident is done."""


class AlertKinds(msgspec.Struct, frozen=True):
    """Kinds of alerts that are treated otherwise than the rest.

    `again`: another alert is the same card though it came with another move. `at_once`: somebody at the table waits for
    the arbiter; `if_seen`: likewise, unless the alert rests on recognised words alone.
    """

    again: tuple[str, ...] = ()
    at_once: tuple[str, ...] = ()
    if_seen: tuple[str, ...] = ()


def alert_cards(state: GameState, kinds: AlertKinds) -> tuple[AlertCard, ...]:
    """Return a card for each thing to settle, in the order of urgency; of those alike the newest first."""
    groups: dict[object, list[AlertKept]] = {}
    for kept in state.rulings.unsettled:
        alert = kept.alert
        ply = None if alert.kind in kinds.again else alert.ply
        words = msgspec.json.encode(alert.said) if alert.said is not None else alert.detail
        groups.setdefault((alert.kind, ply, words, kept.how, kept.done, kept.happened), []).append(kept)
    cards = [_card(group, kinds) for group in groups.values()]
    return tuple(sorted(cards, key=lambda card: (not card.at_once, card.grey, -card.numbers[-1])))


def _card(group: list[AlertKept], kinds: AlertKinds) -> AlertCard:
    last = group[-1]
    grey = not any(one.certain for one in group)
    return AlertCard(
        numbers=tuple(one.number for one in group),
        kind=last.alert.kind,
        ply=last.alert.ply,
        at=last.alert.at,
        grey=grey,
        at_once=last.alert.kind in kinds.at_once or (last.alert.kind in kinds.if_seen and not grey),
        how=last.how,
        said=last.alert.said,
        detail=last.alert.detail,
        seat=last.seat,
        utterance=next((one.alert.utterance for one in reversed(group) if one.alert.utterance), None),
        kept=last,
    )
