"""All of `config/rules/*.toml` is read and checked here.

Rule sets, adaptations, checklist, penalties, instructions, incidents, alerts, clocks, and the regulations of events.
The server reads what it needs as it starts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.abc import Traversable
from importlib.resources import files
from typing import Any

import msgspec

from server.game.laws.adaptations import OFF, ON, Adaptation, ChecklistItem, Scope
from server.game.laws.event_options import EventOptions, rules_of
from server.game.laws.penalties import Penalty
from server.game.laws.rule_set import ARTICLE_KEYS, OPTIONS, Options, Origin, RuleSet, read_option
from server.game.values.time_control import TimeControl
from speech.complaint import Complaint
from speech.words.loading import language_tags
from speech.words.scheme_changes import LISTENER

RULE_SETS = ("fide2023", "fide2018", "short", "fide2017h2")
DEFAULT_RULE_SET = "fide2023"
ORIGINS = ("text", "assumed", "not stated")
PENALTIES = 9


class Rules(msgspec.Struct, frozen=True):
    """This is all that `config/rules` says about the Laws."""

    rule_sets: Mapping[str, RuleSet]
    adaptations: Mapping[str, Adaptation]
    penalties: tuple[Penalty, ...]
    checklist: tuple[ChecklistItem, ...]


def _table(root: Traversable | None, name: str) -> tuple[str, dict[str, Any]]:
    label = f"config/rules/{name}.toml"
    place = (files("config") if root is None else root).joinpath("rules", f"{name}.toml")
    if not place.is_file():
        raise Complaint(f"{label} is missing; put it back from the release.")
    try:
        return label, tomllib.loads(place.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise Complaint(f"{label} is not readable as TOML: {wrong}.") from wrong


def _complaint(label: str, path: str, wrong: object) -> Complaint:
    return Complaint(f"{label}, key {path}: {str(wrong).rstrip('.')}.")


def _only(label: str, path: str, table: Any, known: tuple[str, ...]) -> None:
    if not isinstance(table, dict):
        raise _complaint(label, path, "this table is missing")
    for key in table:
        if key not in known:
            raise _complaint(label, f"{path}.{key}" if path else key, "this entry is not known; check its spelling")


def _texts(label: str, path: str, table: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    texts = table.get("text")
    if not isinstance(texts, dict) or not all(isinstance(text, str) and text.strip() for text in texts.values()):
        raise _complaint(label, f"{path}.text", "write one plain sentence for each language")
    for language in language_tags():
        if language not in texts:
            raise _complaint(label, f"{path}.text.{language}", "this entry is missing")
    return tuple(sorted(texts.items()))


def load_rule_set(name: str, root: Traversable | None = None) -> RuleSet:
    """Read `config/rules/NAME.toml`. Raises Complaint naming the file and the key path."""
    if name not in RULE_SETS:
        raise Complaint(f'There is no rule set "{name}"; choose one of {", ".join(RULE_SETS)}.')
    label, table = _table(root, name)
    _only(label, "", table, ("title", "in_force_from", "options", "articles"))
    if not isinstance(table.get("title"), str) or not table["title"]:
        raise _complaint(label, "title", "write the name of the edition")
    given = table.get("options")
    _only(label, "options", given, OPTIONS)
    assert isinstance(given, dict)
    values: dict[str, Any] = {}
    origins: list[tuple[str, Origin]] = []
    for option in OPTIONS:
        if option not in given:
            raise _complaint(label, f"options.{option}", "this entry is missing")
        value, origin = _option(label, option, given[option])
        values[option] = value
        origins.append((option, origin))
    return RuleSet(name, table["title"], Options(**values), tuple(origins), _articles(label, table.get("articles")))


def _option(label: str, option: str, entry: Any) -> tuple[Any, Origin]:
    path = f"options.{option}"
    _only(label, path, entry, ("value", "origin"))
    origin = entry.get("origin")
    if origin not in ORIGINS:
        raise _complaint(label, f"{path}.origin", f"choose one of {', '.join(ORIGINS)}")
    if (origin == "not stated") == ("value" in entry):
        raise _complaint(label, f"{path}.value", 'give a value, or the origin "not stated" and no value')
    if origin == "not stated":
        return None, origin
    try:
        return read_option(option, entry["value"]), origin
    except ValueError as wrong:
        raise _complaint(label, f"{path}.value", wrong) from wrong


def _articles(label: str, table: Any) -> tuple[tuple[str, str], ...]:
    _only(label, "articles", table, ("origin", *ARTICLE_KEYS))
    origin = table.get("origin")
    if origin not in ORIGINS:
        raise _complaint(label, "articles.origin", f"choose one of {', '.join(ORIGINS)}")
    if origin == "not stated":
        _only(label, "articles", table, ("origin",))
        return ()
    for key in ARTICLE_KEYS:
        if not isinstance(table.get(key), str):
            raise _complaint(label, f"articles.{key}", "write the number of the article, or nothing between the quotes")
    return tuple((key, table[key]) for key in ARTICLE_KEYS)


class _AdaptationEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    article: str
    values: str | tuple[str, ...]
    default: str
    needs_approval: bool
    text: dict[str, str]
    must_answer: bool = False
    default_follows: str = ""
    fixed_at_start: bool = False


def load_adaptations(root: Traversable | None = None) -> Mapping[str, Adaptation]:
    """Read `config/rules/adaptations.toml`: name -> adaptation.

    Raises Complaint naming the file and the key path.
    """
    label, table = _table(root, "adaptations")
    found: dict[str, Adaptation] = {}
    for name, raw in table.items():
        try:
            entry = msgspec.convert(raw, _AdaptationEntry)
        except msgspec.ValidationError as wrong:
            raise _complaint(label, name, str(wrong).replace("`", '"')) from wrong
        values = _values(label, name, entry.values)
        if (entry.default == "") != entry.must_answer or (entry.default and entry.default not in values):
            raise _complaint(
                label, f"{name}.default", "it must be one of the values, or empty where must_answer is true"
            )
        if entry.default_follows and entry.default_follows not in table:
            raise _complaint(label, f"{name}.default_follows", f'there is no adaptation "{entry.default_follows}"')
        if entry.default_follows and "default_follows" in table[entry.default_follows]:
            raise _complaint(label, f"{name}.default_follows", "it may not follow one that follows another")
        found[name] = Adaptation(
            name,
            entry.article,
            values,
            entry.default,
            entry.needs_approval,
            entry.must_answer,
            entry.default_follows,
            _texts(label, name, raw),
            entry.fixed_at_start,
        )
    return found


class _ChecklistEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    article: str
    scope: Scope
    text: dict[str, str]


def load_checklist(root: Traversable | None = None) -> tuple[ChecklistItem, ...]:
    """Read `config/rules/checklists.toml`, in its order.

    Raises Complaint naming the file and the key path.
    """
    label, table = _table(root, "checklists")
    items = []
    for name, raw in table.items():
        try:
            entry = msgspec.convert(raw, _ChecklistEntry)
        except msgspec.ValidationError as wrong:
            raise _complaint(label, name, str(wrong).replace("`", '"')) from wrong
        if not entry.article:
            raise _complaint(label, f"{name}.article", "write the number of the article")
        items.append(ChecklistItem(name, entry.article, entry.scope, _texts(label, name, raw)))
    return tuple(items)


def _values(label: str, name: str, values: str | tuple[str, ...]) -> tuple[str, ...]:
    if values == "on or off":
        return (ON, OFF)
    if values == "language":
        return (*language_tags(), LISTENER)
    if isinstance(values, str) or len(set(values)) < 2:
        raise _complaint(label, f"{name}.values", 'write "on or off", "language", or a list of two words or more')
    return values


class _PenaltyEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    article: str
    effect: str
    text: dict[str, str]


def load_penalties(root: Traversable | None = None) -> tuple[Penalty, ...]:
    """Read `config/rules/penalties.toml`: the nine of 12.9, ascending.

    Raises Complaint naming the file and the key path.
    """
    label, table = _table(root, "penalties")
    _only(label, "", table, ("penalty",))
    entries = table.get("penalty", [])
    penalties: list[Penalty] = []
    for number, raw in enumerate(entries, start=1):
        path = f"penalty[{number}]"
        try:
            msgspec.convert(raw, _PenaltyEntry)
            penalty = msgspec.convert({**raw, "text": _texts(label, path, raw)}, Penalty)
        except msgspec.ValidationError as wrong:
            raise _complaint(label, path, str(wrong).replace("`", '"')) from wrong
        if penalty.article != f"12.9.{number}":
            raise _complaint(label, f"{path}.article", f"12.9.{number} belongs here: the order is the severity")
        if any(penalty.id == other.id for other in penalties):
            raise _complaint(label, f"{path}.id", f'"{penalty.id}" is there twice')
        penalties.append(penalty)
    if len(penalties) != PENALTIES:
        raise _complaint(label, "penalty", f"there are nine penalties in 12.9, here are {len(penalties)}")
    return tuple(penalties)


class Instruction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """This says what somebody does by hand, in each language, and its article."""

    article: str
    text: dict[str, str]


def load_instructions(root: Traversable | None = None) -> Mapping[str, Instruction]:
    """Read `config/rules/instructions.toml`: name -> instruction.

    Raises Complaint naming the file and the key path.
    """
    return _instructions("instructions", root)


def _instructions(file: str, root: Traversable | None) -> Mapping[str, Instruction]:
    label, table = _table(root, file)
    found: dict[str, Instruction] = {}
    for name, raw in table.items():
        try:
            found[name] = msgspec.convert(raw, Instruction)
        except msgspec.ValidationError as wrong:
            raise _complaint(label, name, str(wrong).replace("`", '"')) from wrong
        _texts(label, name, raw)
    return found


@cache
def load_incident_kinds(root: Traversable | None = None) -> Mapping[str, Instruction]:
    """Read `config/rules/incidents.toml`: kind -> article and words.

    Raises Complaint naming the file and the key path.
    """
    return _instructions("incidents", root)


def load_low_times(root: Traversable | None = None) -> tuple[int, ...]:
    """Read `config/rules/alerts.toml`: at which seconds left the arbiter is alerted.

    Raises Complaint naming the key.
    """
    label, table = _table(root, "alerts")
    _only(label, "", table, ("low_time_s",))
    try:
        seconds = msgspec.convert(table.get("low_time_s"), tuple[int, ...])
    except msgspec.ValidationError as wrong:
        raise _complaint(label, "low_time_s", "write a list of whole seconds") from wrong
    if any(one <= 0 for one in seconds) or len(set(seconds)) != len(seconds):
        raise _complaint(label, "low_time_s", "each is above zero, and none comes twice")
    return seconds


@cache
def load_usual_clocks(root: Traversable | None = None) -> tuple[str, ...]:
    """Read `config/rules/clocks.toml`: settings of the clock in the TRF26 form.

    Raises Complaint naming the key.
    """
    label, table = _table(root, "clocks")
    _only(label, "", table, ("usual",))
    try:
        usual = msgspec.convert(table.get("usual"), tuple[str, ...])
        parsed = tuple(TimeControl.parse(one) for one in usual)
    except (msgspec.ValidationError, ValueError) as wrong:
        raise _complaint(label, "usual", 'write a list of time controls such as "900+10"') from wrong
    if not usual or len(set(parsed)) != len(parsed):
        raise _complaint(label, "usual", "there is one at least, and none comes twice")
    return usual


def load_rules(root: Traversable | None = None) -> Rules:
    """Read rule sets, adaptations, penalties and checklist.

    Raises Complaint naming the file and the key path.
    """
    rule_sets = {name: load_rule_set(name, root) for name in RULE_SETS}
    return Rules(rule_sets, load_adaptations(root), load_penalties(root), load_checklist(root))


_NOT_BELOW_ZERO = (
    "default_time_s",
    "draw_offer_min_moves",
    "trouble_s",
    "trouble_with_increment_s",
    "long_increment_s",
)


def read_event_options(table: Mapping[str, Any], rule_set: RuleSet, label: str, path: str = "event") -> EventOptions:
    """Return the regulations of an event from a TOML table.

    Its `overrides` is a table of options of the rule set. Raises Complaint naming `label` (the file) and the key path.
    """
    _only(label, path, dict(table), EventOptions.__struct_fields__)
    overrides = table.get("overrides", {})
    _only(label, f"{path}.overrides", overrides, OPTIONS)
    rest = {key: value for key, value in table.items() if key != "overrides"}
    for key, value in rest.items():
        try:
            msgspec.convert({key: value}, EventOptions)
        except msgspec.ValidationError as wrong:
            raise _complaint(label, f"{path}.{key}", str(wrong).split(" - at ")[0].replace("`", '"')) from wrong
        if key in _NOT_BELOW_ZERO and isinstance(value, int) and value < 0:
            raise _complaint(label, f"{path}.{key}", "it cannot be below zero")
    event = msgspec.structs.replace(msgspec.convert(rest, EventOptions), overrides=tuple(sorted(overrides.items())))
    for name, value in event.overrides:
        try:
            rules_of(rule_set, msgspec.structs.replace(event, overrides=((name, value),)))
        except ValueError as wrong:
            raise _complaint(label, f"{path}.overrides.{name}", wrong) from wrong
    return event
