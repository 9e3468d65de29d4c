"""The regulations of an event, under any edition.

See 6.7.1, 9.1.1, 10.1, 11.2.4, Guidelines I to III.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

import msgspec

from server.game.laws.rule_set import RuleSet, overridden


class Supervision(StrEnum):
    """Whether the competition rules hold in full in rapid and blitz, or the simpler ones.

    See L150.
    """

    FULL = "full"
    BASIC = "basic"


class Points(StrEnum):
    """Ways to count the points of a game (10.1, glossary)."""

    ONE = "1-½-0"
    THREE = "3-1-0"


Guideline = Literal["I", "II", "III"]
"""I: adjourned games; II: Chess960; III: games without increment, with a quickplay finish."""


class EventOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Regulations of one event.

    `overrides`: options of the rule set that the event settles otherwise.
    """

    default_time_s: int = 0  # 6.7.1: zero if not stated (L062)
    draw_offer_min_moves: int | Literal["forbidden"] = 0  # 9.1.1: 0 is no restriction
    supervision: Supervision = Supervision.FULL
    points: Points = Points.ONE
    report_when_leaving: bool = False  # 11.2.4
    guidelines: tuple[Guideline, ...] = ()
    overrides: tuple[tuple[str, Any], ...] = ()
    low_time_s: tuple[int, ...] | None = None  # 12.3: at which times left the arbiter is told; None: the program's own
    trouble_s: int = 60  # below this a player is asked nothing: their sound is kept, and the clocks run on
    trouble_with_increment_s: int = 20  # the same where a move brings at least `long_increment_s`
    long_increment_s: int = 30
    sound_needs_consent: bool = False  # D.2.7: no player's sound is kept before the arbiter has their consent on record
    voice_days: int | None = None  # D.2.7: so many days after a game its players' voices are deleted; None: no rule
    player_copies: bool = False  # 8.3: whether the organiser lets the players have copies of their scores
    unsupervised: bool = False  # III.6: no arbiter is there; the designated one decides afterwards
    device_penalty: Literal["loss", "warning", "more_time_for_opponent", "less_time_for_offender", "fine"] = (
        "loss"  # 11.3.2.2: what is proposed for a device found on a player
    )


def rules_of(rule_set: RuleSet, event: EventOptions) -> RuleSet:
    """Return the rule set as this event plays it.

    Raises ValueError with one plain sentence for a bad override.
    """
    for name, value in event.overrides:
        rule_set = overridden(rule_set, name, value)
    return rule_set
