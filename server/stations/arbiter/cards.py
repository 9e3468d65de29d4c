"""The cards of the arbiter's page at a line of text: the lines of each, and the acts that settle it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from server.game.acts import Mend, StationAct
from server.game.values.words import Seat
from server.stations.braille import digits
from server.wording.pages import alert_head, move_number, move_read

SETTLES = ("acknowledged", "put_off", "filed")
"""Ways to settle any alert, beside the acts that answer it."""
RESULTS = ("1-0", "1/2-1/2", "0-1")
"""The results that a line offers for a game that the arbiter ends."""
AMOUNTS = ("ms", "white_ms", "black_ms", "result", "penalty")
"""Fields of a step that say how much, or which: an arbiter may change them before the step is carried out."""
StepKey = tuple[tuple[int, ...], str]
"""A step of an incident: the numbers of its card, its name."""


class OfferShown(msgspec.Struct, frozen=True):
    """Act that settles an alert, as `/api/alerts` gives it. `form`: something is still to be filled in."""

    name: str
    body: dict[str, Any]
    form: bool
    who: Seat | None
    what: str = ""


class StepOfCard(msgspec.Struct, frozen=True):
    """Step of an incident, as `/api/alerts` gives it."""

    name: str
    body: dict[str, Any]
    done: bool
    who: Seat | None = None
    uci: str | None = None


class CardShown(msgspec.Struct, frozen=True):
    """Card of the arbiter's page, as `/api/alerts` gives it; `how` is "" where it waits to be settled."""

    numbers: tuple[int, ...]
    kind: str
    ply: int
    grey: bool
    at_once: bool
    how: str
    text: str
    article: str
    offers: tuple[OfferShown, ...]
    steps: tuple[StepOfCard, ...] = ()


class CardsShown(msgspec.Struct, frozen=True):
    changes: int
    cards: tuple[CardShown, ...]


def card_lines(card: CardShown, place: int, of: int, words: Mapping[str, str]) -> tuple[str, ...]:
    """Return the lines of an alert: its place and whether it needs the arbiter at once, its short name, the article.

    These fit forty cells. Then its words, and the steps of an incident. `place`: from 1, of so many.
    """
    times = f"×{len(card.numbers)}" if len(card.numbers) > 1 else ""
    head = [f"{place}/{of}{'!' if card.at_once else ''}", alert_head(card.kind, words), times, card.article]
    about = [
        words["at_ply"].replace("{ply}", move_number(card.ply, words)) if card.ply else "",
        words["as_heard"] if card.grey else "",
    ]
    steps = (f"{number}. {step_line(step, words)}" for number, step in enumerate(card.steps, 1))
    return (" ".join(filter(None, head)), card.text, ", ".join(filter(None, about)), *steps)


def step_line(step: StepOfCard, words: Mapping[str, str]) -> str:
    """Return a step of an incident: what it is, how much of it, about whom; that it is done."""
    name = words[f"settle.{step.name}"]
    if step.done:
        return f"✓ {name}"
    seat = step.body.get("seat") or step.who
    parts = [_amount(step.body, words) or (move_read(step.uci, words) if step.uci else ""), words[seat] if seat else ""]
    return ": ".join(filter(None, (name, ", ".join(filter(None, parts)))))


def _amount(body: Mapping[str, Any], words: Mapping[str, str]) -> str:
    match body["do"]:
        case "add_time":
            return f"{'-' if body['ms'] < 0 else '+'}{digits(abs(body['ms']))}"
        case "rule_result":
            return str(body["result"])
        case "penalise":
            return words[f"choice.penalty.{body['penalty']}"]
        case "set_clock":
            return ", ".join(f"{words[seat.value]} {digits(body[f'{seat.value}_ms'])}" for seat in Seat)
    return ""


def with_changes(card: CardShown, changes: Mapping[StepKey, dict[str, Any]]) -> CardShown:
    """Return a card with what the arbiter changed of its steps, and of the act that carries them all out."""

    def apply_changes(body: dict[str, Any]) -> dict[str, Any]:
        names = (step.name for step in card.steps if step.body == body and not step.done)
        return next((changes[card.numbers, name] for name in names if (card.numbers, name) in changes), body)

    steps = tuple(msgspec.structs.replace(step, body=apply_changes(step.body)) for step in card.steps)
    offers = tuple(
        msgspec.structs.replace(one, body={**one.body, "steps": [apply_changes(step) for step in one.body["steps"]]})
        if one.body.get("do") == "settle_incident"
        else one
        for one in card.offers
    )
    return msgspec.structs.replace(card, steps=steps, offers=offers)


def steps_to_change(card: CardShown, words: Mapping[str, str]) -> dict[str, StepOfCard]:
    """Return word -> a step that is not done and of which the arbiter may change an amount."""
    amounts = (step for step in card.steps if not step.done and set(step.body) & set(AMOUNTS))
    return {f"{words['settle.change']}: {words[f'settle.{step.name}']}": step for step in amounts}


def acts_of(card: CardShown, words: Mapping[str, str]) -> dict[str, tuple[dict[str, Any], bool]]:
    """Return word -> the command that a routing key over it gives, and whether it is to be confirmed.

    An act of which the page asks more is given as it is filled in, where that is enough (`is_whole`), else the rest is
    asked for; a result is one of three.
    """
    found: dict[str, tuple[dict[str, Any], bool]] = {}
    for offer in card.offers:
        about = words[offer.who.value] if offer.who is not None else offer.what
        word = words[f"settle.{offer.name}"]
        if offer.body.get("do") == "rule_result" and offer.form:
            for result in RESULTS:
                found[f"{word}: {result}"] = ({"reason": "", **offer.body, "result": result}, True)
        else:
            found[f"{word}: {about}" if about else word] = (offer.body, True)
    for step in card.steps:
        if not step.done:
            who = f": {words[step.who.value]}" if step.who is not None else ""
            found.setdefault(words[f"settle.{step.name}"] + who, (step.body, True))
    for how in SETTLES:
        if how != card.how:
            found[words[f"settle.{how}"]] = ({"do": "settle_alert", "numbers": list(card.numbers), "how": how}, False)
    return found


def is_whole(body: dict[str, Any]) -> bool:
    """Return whether an act needs nothing more, as which move was played instead."""
    try:
        return not isinstance(msgspec.convert(body, StationAct), Mend)
    except msgspec.ValidationError:
        return False
