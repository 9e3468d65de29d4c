"""What the regulations must say before a table opens (Guidelines II.1; L226)."""

from __future__ import annotations

from server.play.commands import Refusal
from server.play.rules.event_options import EventOptions
from server.play.rules.rule_set import RuleSet


def chess960_refused(regulations: EventOptions | None, rules: RuleSet | None) -> Refusal | None:
    """Why no Chess960 is played at this event: a federation leaves it out, or it was not announced.

    An event that leaves it out sets the option `chess960 = "not_offered"` among its `overrides`; so do the editions
    that have no such Guidelines.
    """
    if rules is not None and rules.options.chess960 == "not_offered":
        return Refusal("chess960_not_offered", "II")
    if regulations is None or "II" not in regulations.guidelines:
        return Refusal("chess960_not_announced", "II")
    return None
