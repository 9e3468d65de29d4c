"""The quickplay finish of games without increment (Guidelines III; L232-L240)."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.game.laws.event_options import EventOptions
from server.game.laws.rule_set import RuleSet
from server.game.laws.supervision import TimeClass, classify, has_increment
from server.game.values.time_control import TimeControl

LESS_THAN_MS = 2 * 60_000
NEW_INCREMENT_MS = 5_000  # III.4, for both players
REFUSED_REQUEST_BONUS_MS = 120_000  # III.4: for the opponent, where the players do not agree and the arbiter grants it
Request = Literal["open", "granted", "refused"]  # what became of a request under III.4


class Availability(msgspec.Struct, frozen=True):
    """Requests open to a player now: the 5 s increment (III.4), a draw (III.5), or neither.

    `article`: the one that opens them.
    """

    increment: bool
    draw: bool
    article: str


def applies(rule_set: RuleSet, event: EventOptions, control: TimeControl) -> bool | None:
    """Return whether the Guidelines hold at all (III.2; L232, L233).

    They must be announced beforehand, for a standard or rapid game without increment. None where the rule set does not
    say. Under the short rules the claim is always open.
    """
    if has_increment(control) or classify(control) is TimeClass.BLITZ:
        return False
    match rule_set.options.quickplay_claims:
        case None:
            return None
        case "always":
            return True
        case _:
            return "III" in event.guidelines


def why_not(control: TimeControl) -> str:
    """Return the article by which the Guidelines do not hold.

    The kind of game excludes them, or nobody announced them.
    """
    return "III.2.2" if has_increment(control) or classify(control) is TimeClass.BLITZ else "III.2.1"


def runs_out(remaining_ms: int | None) -> bool:
    """Return whether less than two minutes are left and the flag is up.

    `remaining_ms` None: the time is on another clock, and the arbiter sees it.
    """
    return remaining_ms is None or 0 < remaining_ms < LESS_THAN_MS


def availability(
    rule_set: RuleSet,
    event: EventOptions,
    control: TimeControl,
    remaining_ms: int | None,
    *,
    on_move: bool,
    last_period: bool,
    request: Request = "open",
) -> Availability:
    """Return the requests open to a player with this much time left (ms, before the flag has fallen).

    III.5 is open only where III.4 does not apply: the rule set has no such request, or the arbiter has refused it (for
    example because the clock cannot be set so). `request`: what became of it in this game; once it is granted there is
    an increment.
    """
    if not applies(rule_set, event, control):
        return Availability(False, False, why_not(control))
    if not last_period or not on_move or not runs_out(remaining_ms):
        return Availability(False, False, "III.4")
    if request == "granted":
        return Availability(False, False, "III.2.2")
    if rule_set.options.quickplay_increment_request and request == "open":
        return Availability(True, False, "III.4")
    return Availability(False, True, "III.5")


def ruling_bonus_ms(rule_set: RuleSet, *, postponed: bool) -> int | None:
    """Return how much time the opponent gets by the arbiter's ruling (ms).

    None where the rule set does not say. If the claim is postponed the opponent may get it (III.5.2), if it is rejected
    they must (III.5.3).
    """
    options = rule_set.options
    seconds = options.quickplay_postponed_bonus_s if postponed else options.quickplay_rejected_bonus_s
    return None if seconds is None else seconds * 1000


def both_flags_fallen(*, last_period: bool) -> Literal["continue", "drawn"]:
    """Say what follows when both flags are down and nobody knows which fell first (III.3.1, L234).

    The game is drawn in the last period; otherwise play goes on.
    """
    return "drawn" if last_period else "continue"
