"""`config/rules/settling.toml` is read and checked here: what settles each alert of the arbiter.

An offer is a command with places to fill in from the alert and the game, so that one touch settles the alert.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from server.game.acts import acts
from server.game.decide.rulings.prescribed import steps_of, ways_of
from server.game.state.rulings import INCIDENTS
from server.game.state.state import GameState
from server.game.values.saying import Saying
from server.game.values.words import Role, Seat
from server.game.views.alerts import AlertCard, AlertKinds
from speech.words.config_file import read_source

PLACES = ("$ply", "$before", "$seat", "$mover", "$game", "$turn", "$about", "$win", "$shown", "$why")
MOST_OFFERS = 3


class Settling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Article of an alert of one kind, and the names of the offers that answer it."""

    article: str
    offers: tuple[str, ...]


class _SettlingFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    again: tuple[str, ...]
    at_once: tuple[str, ...]
    if_seen: tuple[str, ...]
    alerts: dict[str, Settling]
    offers: dict[str, dict[str, str | bool | int]]

    @property
    def kinds(self) -> AlertKinds:
        """How cards are made of the alerts."""
        return AlertKinds(self.again, self.at_once, self.if_seen)


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """One act offered beside an alert.

    `name`: of its words ("settle.NAME"). `form`: the page asks for the rest of it first. `who`: whom it is about.
    `what`: the result that it gives, where it does nothing else.
    """

    name: str
    body: dict[str, Any]
    form: bool
    who: Seat | None = None
    what: str = ""


@cache
def load_settling(root: Traversable | None = None) -> _SettlingFile:
    """Read `config/rules/settling.toml`. Raises Complaint naming the file and the key path."""
    source = read_source("rules/settling.toml", root)
    found = source.in_shape(_SettlingFile)
    for kind, settling in found.alerts.items():
        if len(settling.offers) > MOST_OFFERS:
            raise source.complain(f"alerts.{kind}.offers", f"at most {MOST_OFFERS} acts settle an alert")
        for name in settling.offers:
            if name not in found.offers:
                raise source.complain(f"alerts.{kind}.offers", f'there is no offer "{name}"')
    for list_name, kinds in (("again", found.again), ("at_once", found.at_once), ("if_seen", found.if_seen)):
        for kind in kinds:
            if kind not in found.alerts:
                raise source.complain(list_name, f'there is no alert "{kind}"')
    known = {str(one.__struct_config__.tag): one for one in acts() if Role.ARBITER in one.rights.by}
    for name, offer in found.offers.items():
        act = known.get(str(offer.get("do")))
        if act is None:
            raise source.complain(f"offers.{name}.do", f'the arbiter cannot do "{offer.get("do")}"')
        for field, value in offer.items():
            if field not in ("do", "form", *act.__struct_fields__):
                raise source.complain(f"offers.{name}.{field}", f'"{offer["do"]}" has no such field')
            if isinstance(value, str) and value.startswith("$") and value not in PLACES:
                raise source.complain(f"offers.{name}.{field}", f'"{value}" is none of {", ".join(PLACES)}')
    return found


STEP_WORDS: Mapping[str, str] = {
    "stop": "stop_clocks",
    "rule_illegal": "illegal",
    "rule_unpromoted": "unpromoted",
    "rule_no_move": "no_move",
    "rule_touch": "touch",
    "back": "take_back",
}
"""The words of a step, where an offer of another name has them ("settle.NAME")."""


class StepShown(msgspec.Struct, frozen=True, kw_only=True):
    """One step of an incident, as the page shows it; `name`: of its words ("settle.NAME")."""

    name: str
    body: dict[str, Any]
    done: bool
    who: Seat | None = None
    uci: str | None = None


def steps_shown(card: AlertCard, state: GameState) -> tuple[StepShown, ...]:
    """Return the steps that settle an incident, in their order; () where the alert is none, or is only as heard."""
    if card.kept is None or (card.grey and card.kind in INCIDENTS):
        return ()
    return tuple(
        StepShown(
            name=STEP_WORDS.get(one.name, one.name),
            body=msgspec.to_builtins(one.body),
            done=one.done,
            who=one.who,
            uci=one.uci,
        )
        for one in steps_of(state, card.kept)
    )


def offers_of(card: AlertCard, state: GameState) -> tuple[Offer, ...]:
    """Return the acts that answer an alert, filled in as far as the alert and the game tell.

    Of an incident: what was only heard did happen or did not; then all its steps at once; then the clocks, or back.
    """
    incident = _of_incident(card, state)
    return incident if incident is not None else _offers_configured(card, state)


def _of_incident(card: AlertCard, state: GameState) -> tuple[Offer, ...] | None:
    """Return the acts of an incident; None where the alert is none."""
    if card.kept is None:
        return None
    ways, numbers = ways_of(state, card.kept), list(card.numbers)
    if not ways and not card.kept.complete:
        return None
    if card.grey and card.kind in INCIDENTS:
        misheard = {"do": "settle_alert", "numbers": numbers, "how": "misheard"}
        opens = {"do": "open_incident", "numbers": numbers}
        return (Offer(name="happened", body=opens, form=False), Offer(name="misheard", body=misheard, form=False))
    found = []
    left = [(way, [msgspec.to_builtins(one.body) for one in way.steps if not one.done]) for way in ways]
    if card.kept.complete or not any(steps for _, steps in left):
        found.append(Offer(name="resume", body={"do": "resume"}, form=False))
    else:
        found += [
            Offer(
                name=way.name,
                body={"do": "settle_incident", "numbers": numbers, "steps": steps},
                form=False,
                what=next((str(one["result"]) for one in steps if "result" in one and len(steps) == 1), ""),
            )
            for way, steps in left
            if steps
        ]
    if state.incidents.after is not None and set(state.incidents.numbers) & set(numbers):
        found.append(Offer(name="undo_incident", body={"do": "undo_incident"}, form=False))
    elif not card.kept.done:
        known = {one.name for one in found}
        found += [one for one in _offers_configured(card, state) if one.name not in known | BY_STEPS]
    return tuple(found)


BY_STEPS = frozenset(
    {
        "illegal",
        "unpromoted",
        "no_move",
        "touched_back",
        "irregularity",
        "wrong_back",
        "take_back",
        "call_flag",
        "forfeit",
    }
)
"""Offers that the steps of an incident are in place of."""


def _offers_configured(card: AlertCard, state: GameState) -> tuple[Offer, ...]:
    file = load_settling()
    settling = file.alerts.get(card.kind)
    if settling is None:
        return ()
    known = _values_known(card, state)
    offers = []
    for name in settling.offers:
        spec = file.offers[name]
        filled = {field: known[value] if value in PLACES else value for field, value in spec.items() if field != "form"}
        body: dict[str, Any] = {field: value for field, value in filled.items() if value is not None}
        who = next((Seat(body[field]) for field in ("seat", "board", "medical") if field in body), None)
        offers.append(Offer(name=name, body=body, form=bool(spec.get("form")) or len(body) < len(filled), who=who))
    return tuple(offers)


def article_of(kind: str) -> str:
    """Return the article that an alert of this kind is about; "" where its words name it or none applies."""
    settling = load_settling().alerts.get(kind)
    return settling.article if settling is not None else ""


def _values_known(card: AlertCard, state: GameState) -> Mapping[Any, Any]:
    """Return the value of each place of an offer here; None where one is not known."""
    mover = state.seat_of(card.ply) if card.ply else None
    about = card.said.values.get("article") if isinstance(card.said, Saying) else None
    return {
        "$ply": card.ply or None,
        "$before": card.ply - 1 if card.ply else None,
        "$seat": card.seat,
        "$mover": mover,
        "$game": state.position.placement if state.position is not None else None,
        "$turn": state.on_move,
        "$about": about if isinstance(about, str) else None,
        "$win": None if mover is None else "1-0" if mover is Seat.WHITE else "0-1",
        "$shown": _result_shown(card),
        "$why": card.kind,
    }


def _result_shown(card: AlertCard) -> str | None:
    """Return the result that the kings on a board show."""
    what = card.said.values.get("what") if card.said is not None else None
    result = what.values.get("result") if isinstance(what, Saying) else None
    return result if isinstance(result, str) else None
