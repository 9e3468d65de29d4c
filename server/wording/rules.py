"""All of `config/rules/*.toml` is read and checked here.

Rule sets, adaptations, checklist, penalties, instructions, incidents, alerts, clocks, and the regulations of events.
The server reads what it needs as it starts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from importlib.resources.abc import Traversable
from typing import Annotated, Any

import msgspec

from server.game.laws.adaptations import OFF, ON, Adaptation, ChecklistItem, Scope
from server.game.laws.event_options import EventOptions, rules_of
from server.game.laws.penalties import Effect, Penalty
from server.game.laws.rule_set import ARTICLE_KEYS, OPTIONS, Options, Origin, RuleSet, read_option
from server.game.values.time_control import TimeControl
from server.game.values.written_control import ControlWords, control_written
from speech.complaint import Complaint, Phrase, told_by
from speech.words.catalogue import MEASURE, load_messages, path_of, source_in
from speech.words.config_file import Source, Text, config_root, language_tags, names_in, read_settings, read_source
from speech.words.scheme_changes import LISTENER

EDITIONS = "rules/editions"
WRITTEN_CONTROLS = "rules/written_controls.toml"
PART = "rules"
"""The part of the catalogue that has the texts of all that stands in `config/rules`."""
ORIGINS: tuple[Origin, ...] = ("text", "assumed", "not stated")
PENALTIES = 9

Texts = tuple[tuple[str, str], ...]
"""Language tag -> text, sorted."""


def texts_of_rules(section: str, names: Iterable[str], root: Traversable | None) -> Mapping[str, Texts]:
    """Return name -> its text in each language, of the entries of one file.

    The texts stand in `words/rules.toml` of the languages. Raises Complaint: an entry has none, or a text no entry.
    """
    measure, names = source_in(PART, MEASURE, root), tuple(names)
    measure.exactly(measure.in_shape(dict[str, Any], section, measure.table.get(section, {})), section, names)
    words = {tag: load_messages(tag, root, part=PART) for tag in language_tags(root)}
    return {name: tuple((tag, one.text(f"{section}.{name}")) for tag, one in words.items()) for name in names}


class _OptionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    origin: str
    value: Any = msgspec.UNSET


class _RuleSetFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    options: dict[str, _OptionEntry]
    articles: dict[str, str]
    in_force_from: date | None = None
    text: dict[str, Text] = {}


def editions(root: Traversable | None = None) -> tuple[str, ...]:
    """Return the names of the editions that stand in `config/rules/editions`, the newest first, undated ones last.

    Raises Complaint naming the file and the key path.
    """
    names = names_in(config_root(root), EDITIONS)
    since = {name: _edition_file(name, root)[1].in_force_from or date.min for name in names}
    return tuple(sorted(names, key=lambda name: since[name], reverse=True))


def _edition_file(name: str, root: Traversable | None) -> tuple[Source, _RuleSetFile]:
    source = read_source(f"{EDITIONS}/{name}.toml", root)
    return source, source.in_shape(_RuleSetFile)


def titles_of_edition(name: str) -> Mapping[str, str]:
    """Return the title of an edition in each language. Raises Complaint as `load_rule_set` does."""
    load_rule_set(name)
    return _titles(name, None)


def _titles(name: str, root: Traversable | None) -> dict[str, str]:
    """Return the title of an edition in each language: the language's own, else the one in the edition's file.

    Raises Complaint where there is none in English.
    """
    (source, found), key = _edition_file(name, root), f"editions.{name}"
    words = {tag: load_messages(tag, root, part=PART) for tag in language_tags(root)}
    named = {tag: one.text(key) if key in one else found.text.get(tag, "") for tag, one in words.items()}
    if not named.get(MEASURE):
        raise source.complain(f"text.{MEASURE}", f"this edition has no title, nor has {path_of(PART, MEASURE)} one")
    return {tag: title or named[MEASURE] for tag, title in named.items()}


@cache
def load_rule_set(name: str, root: Traversable | None = None) -> RuleSet:
    """Read `config/rules/editions/NAME.toml`. Raises Complaint naming the file and the key path."""
    known = editions(root)
    if name not in known:
        raise Complaint(Phrase("file.no_rule_set", name=name, known=", ".join(known)))
    source, found = _edition_file(name, root)
    titles = _titles(name, root)
    source.exactly(found.options, "options", OPTIONS)
    values = {option: _value(source, option, found.options[option]) for option in OPTIONS}
    origins = tuple((option, _origin(source, f"options.{option}", found.options[option].origin)) for option in OPTIONS)
    origin = _origin(source, "articles", found.articles.get("origin"))
    keys = ARTICLE_KEYS if origin != "not stated" else ()
    source.exactly(found.articles, "articles", ("origin", *keys))
    return RuleSet(name, titles[MEASURE], Options(**values), origins, tuple((key, found.articles[key]) for key in keys))


def rules_for(edition: str, event: EventOptions) -> RuleSet:
    """Return an edition of the Laws as an event plays it. Raises Complaint: no such edition, or a bad override."""
    try:
        return rules_of(load_rule_set(edition), event)
    except ValueError as wrong:
        raise Complaint(Phrase("record.regulations", why=told_by(wrong))) from wrong


def _origin(source: Source, path: str, origin: str | None) -> Origin:
    for known in ORIGINS:
        if origin == known:
            return known
    raise source.complain(f"{path}.origin", f"choose one of {', '.join(ORIGINS)}")


def _value(source: Source, option: str, entry: _OptionEntry) -> Any:
    path = f"options.{option}.value"
    if (entry.origin == "not stated") == (entry.value is not msgspec.UNSET):
        raise source.complain(path, 'give a value, or the origin "not stated" and no value')
    try:
        return None if entry.origin == "not stated" else read_option(option, entry.value)
    except ValueError as wrong:
        raise source.complain(path, wrong) from wrong


class _AdaptationEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    article: str
    values: str | tuple[str, ...]
    default: str
    needs_approval: bool
    must_answer: bool = False
    default_follows: str = ""
    fixed_at_start: bool = False


@cache
def load_adaptations(root: Traversable | None = None) -> Mapping[str, Adaptation]:
    """Read `config/rules/adaptations.toml`: name -> adaptation.

    Raises Complaint naming the file and the key path.
    """
    source = read_source("rules/adaptations.toml", root)
    entries = source.in_shape(dict[str, _AdaptationEntry])
    found: dict[str, Adaptation] = {}
    texts = texts_of_rules("adaptations", entries, root)
    for name, entry in entries.items():
        values = _values(source, name, entry.values)
        if (entry.default == "") != entry.must_answer or (entry.default and entry.default not in values):
            wrong = "it must be one of the values, or empty where must_answer is true"
            raise source.complain(f"{name}.default", wrong)
        if entry.default_follows and entry.default_follows not in entries:
            raise source.complain(f"{name}.default_follows", f'there is no adaptation "{entry.default_follows}"')
        if entry.default_follows and entries[entry.default_follows].default_follows:
            raise source.complain(f"{name}.default_follows", "it may not follow one that follows another")
        given = {**msgspec.structs.asdict(entry), "name": name, "values": values, "text": texts[name]}
        found[name] = Adaptation(**given)
    return found


def _values(source: Source, name: str, values: str | tuple[str, ...]) -> tuple[str, ...]:
    if values == "on or off":
        return (ON, OFF)
    if values == "language":
        return (*language_tags(), LISTENER)
    if isinstance(values, str) or len(set(values)) < 2:
        raise source.complain(f"{name}.values", 'write "on or off", "language", or a list of two words or more')
    return values


class _ChecklistEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    article: Text
    scope: Scope


@cache
def load_checklist(root: Traversable | None = None) -> tuple[ChecklistItem, ...]:
    """Read `config/rules/checklists.toml`, in its order.

    Raises Complaint naming the file and the key path.
    """
    entries = read_settings("rules/checklists.toml", dict[str, _ChecklistEntry], root)
    texts = texts_of_rules("checklists", entries, root)
    return tuple(ChecklistItem(name, entry.article, entry.scope, texts[name]) for name, entry in entries.items())


class _PenaltyEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    article: str
    effect: Effect


class _PenaltiesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    penalty: tuple[_PenaltyEntry, ...]


def load_penalties(root: Traversable | None = None) -> tuple[Penalty, ...]:
    """Read `config/rules/penalties.toml`: the nine of 12.9, ascending.

    Raises Complaint naming the file and the key path.
    """
    source = read_source("rules/penalties.toml", root)
    penalties: list[Penalty] = []
    entries = source.in_shape(_PenaltiesFile).penalty
    texts = texts_of_rules("penalties", [entry.id for entry in entries], root)
    for number, entry in enumerate(entries, start=1):
        path = f"penalty[{number}]"
        if entry.article != f"12.9.{number}":
            raise source.complain(f"{path}.article", f"12.9.{number} belongs here: the order is the severity")
        if any(entry.id == other.id for other in penalties):
            raise source.complain(f"{path}.id", f'"{entry.id}" is there twice')
        penalties.append(Penalty(entry.id, entry.article, entry.effect, texts[entry.id]))
    if len(penalties) != PENALTIES:
        raise source.complain("penalty", f"there are nine penalties in 12.9, here are {len(penalties)}")
    return tuple(penalties)


class Instruction(msgspec.Struct, frozen=True):
    """Instruction for somebody's hands, in each language, and its article."""

    article: str
    text: Mapping[str, str]


class _InstructionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    article: str


def load_instructions(root: Traversable | None = None) -> Mapping[str, Instruction]:
    """Read `config/rules/instructions.toml`: name -> instruction.

    Raises Complaint naming the file and the key path.
    """
    return _instructions("instructions", root)


def _instructions(file: str, root: Traversable | None) -> Mapping[str, Instruction]:
    entries = read_settings(f"rules/{file}.toml", dict[str, _InstructionEntry], root)
    texts = texts_of_rules(file, entries, root)
    return {name: Instruction(entry.article, dict(texts[name])) for name, entry in entries.items()}


@cache
def load_incident_kinds(root: Traversable | None = None) -> Mapping[str, Instruction]:
    """Read `config/rules/incidents.toml`: kind -> article and words.

    Raises Complaint naming the file and the key path.
    """
    return _instructions("incidents", root)


class _AlertsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    low_time_s: tuple[Annotated[int, msgspec.Meta(gt=0)], ...]


@cache
def load_low_times(root: Traversable | None = None) -> tuple[int, ...]:
    """Read `config/rules/alerts.toml`: at which seconds left the arbiter is alerted.

    Raises Complaint naming the key.
    """
    source = read_source("rules/alerts.toml", root)
    seconds = source.in_shape(_AlertsFile).low_time_s
    if len(set(seconds)) != len(seconds):
        raise source.complain("low_time_s", "none comes twice")
    return seconds


class NamedControl(msgspec.Struct, frozen=True):
    """Time control as people write it ("90+30"), with its name in each language."""

    control: str
    text: Mapping[str, str]


class _ControlEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    control: str


class _ClocksFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    usual: tuple[str, ...]
    named: dict[str, _ControlEntry] = {}


@cache
def load_usual_clocks(root: Traversable | None = None) -> tuple[str, ...]:
    """Read `config/rules/clocks.toml`: settings of the clock in the TRF26 form.

    Raises Complaint naming the key.
    """
    source = read_source("rules/clocks.toml", root)
    usual = source.in_shape(_ClocksFile).usual
    try:
        parsed = {TimeControl.parse(one) for one in usual}
    except ValueError as wrong:
        raise source.complain("usual", 'write a list of time controls such as "900+10"') from wrong
    if not usual or len(parsed) != len(usual):
        raise source.complain("usual", "there is one at least, and none comes twice")
    return usual


@cache
def load_named_controls(root: Traversable | None = None) -> Mapping[str, NamedControl]:
    """Read the time controls that have names from `config/rules/clocks.toml`: key -> control and names.

    Raises Complaint naming the file and the key path, also where one name stands for two controls.
    """
    source = read_source("rules/clocks.toml", root)
    entries = source.in_shape(_ClocksFile).named
    texts = texts_of_rules("clocks", entries, root)
    named = {key: NamedControl(one.control, dict(texts[key])) for key, one in entries.items()}
    meant: dict[str, str] = {}
    for key, one in named.items():
        try:
            TimeControl.as_people_write(one.control)
        except ValueError as wrong:
            raise source.complain(f"named.{key}.control", wrong) from wrong
        for name in (key, *one.text.values()):
            if meant.setdefault(name.casefold(), key) != key:
                raise source.complain(f"named.{key}", f'the name "{name}" stands for two time controls')
    return named


def control_of(text: str) -> TimeControl:
    """Return the time control of a name in any language, or as a person writes it.

    Raises ValueError with one plain sentence.

    >>> [control_of(one).text for one in ("Rapid", "Schnellschach", "90+30", "1500 + 10", "G/60;d5")]
    ['900+10', '900+10', '5400+30', '1500+10', '3600d5']
    """
    asked = text.strip().casefold()
    for key, one in load_named_controls().items():
        if asked in (key, *(name.casefold() for name in one.text.values())):
            return TimeControl.as_people_write(one.control)
    return control_written(text, load_control_words())


def control_in_signs(text: str) -> str:
    """Return a time control, however it is written, in the short form; as it stands where it has none.

    >>> control_in_signs("15 minutes + 10 seconds"), control_in_signs("half an hour")
    ('900+10', 'half an hour')
    """
    try:
        control = control_of(text)
        return control.text if TimeControl.as_people_write(control.text) == control else text
    except ValueError:
        return text


@cache
def load_control_words() -> ControlWords:
    """Read `config/rules/written_controls.toml`. Raises Complaint naming the file and the key path."""
    return read_source(WRITTEN_CONTROLS).in_shape(ControlWords)


_NOT_BELOW_ZERO = (
    "default_time_s",
    "draw_offer_min_moves",
    "trouble_s",
    "trouble_with_increment_s",
    "long_increment_s",
)


def read_event_options(
    table: Mapping[str, Any], rule_set: RuleSet, label: str | Phrase, path: str = "event"
) -> EventOptions:
    """Return the regulations of an event from a TOML table.

    Its `overrides` is a table of options of the rule set. Raises Complaint naming `label` (the file) and the key path.
    """
    source = Source(label, {path: table})
    overrides = source.in_shape(dict[str, Any], f"{path}.overrides", table.get("overrides", {}))
    source.exactly(overrides, f"{path}.overrides", OPTIONS, every=False)
    event = source.in_shape(EventOptions, path, {**table, "overrides": tuple(sorted(overrides.items()))})
    for key in _NOT_BELOW_ZERO:
        value = getattr(event, key)
        if isinstance(value, int) and value < 0:
            raise source.complain(f"{path}.{key}", Phrase("value.below_zero"))
    for name, value in event.overrides:
        try:
            rules_of(rule_set, msgspec.structs.replace(event, overrides=((name, value),)))
        except ValueError as wrong:
            raise source.complain(f"{path}.overrides.{name}", wrong) from wrong
    return event
