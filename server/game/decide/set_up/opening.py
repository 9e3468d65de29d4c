"""What the regulations must say: before a table opens (Guidelines II.1; L226), and of I and III (III.2.1; L232)."""

from __future__ import annotations

from msgspec.structs import replace

from server.game.acts import commands as cmd
from server.game.acts.commands import Refusal
from server.game.acts.events import ClockSetUp, GuidelinesSettled
from server.game.decide.draft import Draft
from server.game.laws.event_options import EventOptions, Guideline
from server.game.laws.quickplay import applies
from server.game.laws.rule_set import RuleSet
from server.game.state.state import GameState


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


def quickplay_holds(state: GameState) -> bool:
    """Whether a quickplay finish is played here: announced, standard or rapid, no increment (III.2.1, III.2.2)."""
    return applies(state.rules, state.regulations, state.clock.control) is True


def settle_guidelines(draft: Draft, body: cmd.SettleGuidelines) -> Refusal | None:
    """The arbiter records what the regulations of the event say of adjournments (I) and of a quickplay finish (III).

    III shall be announced before the start (III.2.1, L232); adjournments are no matter of the start.
    """
    state = draft.state
    known = state.regulations
    settled = ("III" in known.guidelines, known.unsupervised)
    if state.started and (body.quickplay, body.unsupervised) != settled:
        return Refusal("guidelines_before_start", "III.2.1")
    held: dict[Guideline, bool] = {
        "I": body.adjournments,
        "II": "II" in known.guidelines,
        "III": body.quickplay,
    }
    guidelines = tuple(name for name, holds in held.items() if holds)
    _settle(draft, guidelines, unsupervised=body.unsupervised)
    return None


def told_of_clock(draft: Draft, before: GameState) -> None:
    """The clock was set before the start: where a quickplay finish holds by it or no more, the players are told."""
    regulations = draft.state.regulations
    was_set = any(isinstance(event, ClockSetUp) for event in draft.done())
    if was_set and quickplay_holds(draft.state) is not quickplay_holds(before):
        _settle(draft, regulations.guidelines, unsupervised=regulations.unsupervised)


def _settle(draft: Draft, guidelines: tuple[Guideline, ...], *, unsupervised: bool) -> None:
    state = draft.state
    quickplay = applies(state.rules, replace(state.regulations, guidelines=guidelines), state.clock.control) is True
    draft.emit(GuidelinesSettled(at=draft.now, guidelines=guidelines, unsupervised=unsupervised, quickplay=quickplay))
