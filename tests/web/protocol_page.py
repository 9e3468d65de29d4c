"""docs/protocol.md, made from what the server registers: every act, event and message, its fields, and an example.

python -m tests.web.protocol_page

What no type tells (how a device joins, the HTTP addresses, the microphone) is prose by hand in `protocol_page.md`
beside this file; a line `<!-- made: NAME -->` there is where a made part goes. Values for the examples that no type
tells stand in `protocol_values.toml`.
"""

from __future__ import annotations

import enum
import inspect
import json
import re
import textwrap
import tomllib
import types
import typing
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from server.game.acts import Act, AnyEvent, Event, OwnAct, StationAct, acts, events
from server.game.acts.base import Name, Placement, Rights, Square, Text, Uci
from server.game.acts.command import SUBJECTS
from server.game.values.words import Role
from server.game.views.messages import AnyMessage, Message
from server.protocol import Incoming, Outgoing

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "protocol.md"
BY_HAND = HERE / "protocol_page.md"
VALUES = HERE / "protocol_values.toml"

Kind = type[msgspec.Struct]

ALIASES = {
    Square: "a square (`e4`)",
    Uci: "a move in UCI (`e2e4`)",
    Placement: "a placement (the men as the first field of FEN writes them)",
    Name: "a name (at most 64 letters, digits and `_.:-`)",
    Text: "text (at most 400 characters)",
}
PATTERNS = {
    "^[0-9a-f]{32}\\Z": "32 hexadecimal digits",
    "^[\\u2800-\\u28ff]{1,60}\\Z": "one to sixty Unicode braille cells",
    "^[a-z]{2,3}\\Z": "the tag of a language (`de`)",
    "^([a-z]{2,3})?\\Z": "the tag of a language (`de`) or empty",
    "^[pnbrqkPNBRQK]\\Z": "a man's FEN letter",
    "^G(?:[1-9]|1[0-4])\\Z": "`G1` to `G14`",
    "^[a-z0-9]{0,8}\\Z": "at most eight small letters and digits",
    "^[a-z]*\\Z": "small letters",
    "^[A-Za-z0-9_+-]{1,40}\\Z": "one to forty letters, digits and `_+-`",
    "^(D\\.)?\\d{1,2}(\\.\\d{1,2}){1,3}\\Z": "the number of an article (`9.2`)",
}
"""Patterns of text in plain words; one that is not here stands on the page as it is."""
WHO = {
    Role.PLAYER: "a player",
    Role.ASSISTANT: "an assistant",
    Role.ARBITER: "the arbiter",
    Role.DISPLAY: "a display",
    Role.OBSERVER: "an observer",
}
UNIONS: tuple[tuple[Any, str, type], ...] = (
    (AnyEvent, "any [event](#events)", Event),
    (AnyMessage, "any [message](#messages)", Message),
    (StationAct, "any [command](#commands)", Act),
)


def tag_of(kind: Kind) -> str:
    """The name of a kind on the wire."""
    return str(kind.__struct_config__.tag)


def hints_of(kind: Kind) -> dict[str, Any]:
    """The types of a kind's fields, with what is said of their values."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in kind.__struct_fields__}


def members_of(hint: Any) -> tuple[Any, ...]:
    return typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)


def bare_of(hint: Any) -> tuple[Any, msgspec.Meta | None]:
    if typing.get_origin(hint) is typing.Annotated:
        bare, *metas = typing.get_args(hint)
        return bare, next((meta for meta in metas if isinstance(meta, msgspec.Meta)), None)
    return hint, None


def choices_of(bare: Any) -> list[Any] | None:
    if typing.get_origin(bare) is typing.Literal:
        # Sorted, since Python takes two of the same choices in another order for one, whichever comes first.
        return sorted(typing.get_args(bare))
    if isinstance(bare, type) and issubclass(bare, enum.Enum):
        return [one.value for one in bare]
    return None


def is_struct(bare: Any) -> bool:
    return isinstance(bare, type) and issubclass(bare, msgspec.Struct)


# In words


def words_of_type(hint: Any, name: str = "") -> str:
    """A type in plain words."""
    members = members_of(hint)
    for union, words, _ in UNIONS:
        if set(typing.get_args(union)) <= set(members):
            return words
    said = [_words_of_one(one, name) for one in members if one is not type(None)]
    if type(None) in members:
        said.append("null")
    return ", or ".join(said)


def _words_of_one(hint: Any, name: str) -> str:
    for alias, words in ALIASES.items():
        if hint == alias:
            return words
    bare, meta = bare_of(hint)
    choices = choices_of(bare)
    if choices is not None:
        *first, last = [f"`{one}`" if one != "" else '`""`' for one in choices]
        return f"{', '.join(first)} or {last}" if first else last
    if is_struct(bare):
        return _words_of_struct(bare)
    if typing.get_origin(bare) is tuple:
        return _words_of_list(bare, meta, name)
    if typing.get_origin(bare) is dict:
        key, value = typing.get_args(bare)
        return f"an object: {words_of_type(key)} to {words_of_type(value)}"
    if bare is bool:
        return "true or false"
    if bare in (int, float):
        return _words_of_number(bare, meta, name)
    if bare is str:
        return _words_of_text(meta)
    assert bare is Any, hint
    return "a value"


def _words_of_struct(kind: Kind) -> str:
    for _, words, base in UNIONS:
        if issubclass(kind, base):
            return f"the {words.split('[')[1].split(']')[0]} `{tag_of(kind)}`"
    return f"[{kind.__name__}](#part-{kind.__name__.lower()})"


def _words_of_list(bare: Any, meta: msgspec.Meta | None, name: str) -> str:
    inner = typing.get_args(bare)
    if Ellipsis not in inner:
        return f"a list of {len(inner)}: {'; '.join(words_of_type(one, name) for one in inner)}"
    most = f" of at most {meta.max_length}" if meta is not None and meta.max_length else ""
    return f"a list{most}, each: {words_of_type(inner[0], name)}"


def _words_of_number(bare: type, meta: msgspec.Meta | None, name: str) -> str:
    unit = "milliseconds" if name in ("at", "ms") or name.endswith("_ms") else "seconds" if name.endswith("_s") else ""
    words = unit or ("a whole number" if bare is int else "a number")
    if meta is None or meta.ge is None:
        return words
    # Of two equal limits, 0 and 0.0, Python keeps the one that it met first.
    return f"{words}, {meta.ge:.16g} to {meta.le:.16g}" if meta.le is not None else f"{words}, {meta.ge:.16g} or more"


def _words_of_text(meta: msgspec.Meta | None) -> str:
    if meta is None:
        return "text"
    if meta.pattern is not None:
        return PATTERNS.get(meta.pattern, f"text like `{meta.pattern}`")
    low, high = meta.min_length or 0, meta.max_length
    return f"text ({low} to {high} characters)" if low else f"text (at most {high} characters)"


def sentences(kind: Kind) -> str:
    """A docstring as the page has it: the words of JSON for those of Python, in lines."""
    text = " ".join((inspect.getdoc(kind) or "").split())
    for python, said in (("None", "null"), ("False", "false"), ("True", "true")):
        text = re.sub(rf"\b{python}\b", said, text)
    return "\n".join(textwrap.wrap(text, 130, break_long_words=False, break_on_hyphens=False))


def who_may(rights: Rights) -> str:
    """Who may give a command, and when it is refused."""
    everybody = rights.by == frozenset(Role)
    said = ["every station"] if everybody else [WHO[role] for role in Role if role in rights.by]
    if rights.duty is not None and Role.ASSISTANT not in rights.by:
        said.append(f"an assistant with the duty `{rights.duty}` ({rights.duty.article})")
    more = [f"From: {', '.join(said)}."] if said else []
    if rights.after_the_end:
        more.append("Also after the end of the game.")
    if rights.ends_game:
        more.append("Refused while a resignation waits for its result (5.1.2).")
    if rights.of_play:
        more.append("Refused once a claim has ended play (III.6.1).")
    if rights.sealed:
        whose = {
            "sealer": "Refused, from the player who seals,",
            "both": "But for what goes into the envelope, refused",
            "all": "Refused",
        }[rights.sealed]
        more.append(f"{whose} between the order to seal and the resumption (I.1.1, I.7).")
    return " ".join(more)


def fields_of(kind: Kind) -> list[str]:
    """A line for each field: what it takes, and what it is where it is left out."""
    hints = hints_of(kind)
    lines = []
    for field in msgspec.structs.fields(kind):
        line = f"- `{field.encode_name}`: {words_of_type(hints[field.name], field.name)}"
        if not field.required:
            default = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
            if isinstance(default, msgspec.Struct):
                line += "; left out: one with nothing given"
            else:
                line += f"; left out: `{msgspec.json.encode(default).decode()}`"
        lines.append(line)
    return lines


# Examples


def _values() -> dict[str, Any]:
    return tomllib.loads(VALUES.read_text("utf-8"))


class Examples:
    """Examples of every kind, the same at each run.

    An example has every field that is needed, and of the others those for which the table of values has something: for
    this field of this class (`of`), or for every field of this name whose type takes it (`any`). "@Press" stands for
    the example of that class, "@" for what the type says, "null" for null, and "-" leaves a field out. Where the table
    has nothing, the type decides.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        """`values`: the table."""
        self.by_the_server: list[str] = values["by_the_server"]
        self.any: Mapping[str, Any] = values["any"]
        self.of: Mapping[str, Mapping[str, Any]] = values["of"]
        self.more: Mapping[str, list[str]] = values["more"]
        kinds = (*acts(), *events(), *typing.get_args(AnyMessage))
        self.kinds: dict[str, Kind] = {kind.__name__: kind for kind in kinds}
        assert len(self.kinds) == len(kinds), "two classes of one name"
        self.by_name_of_field: list[str] = []
        """Texts for which neither the table nor the type has anything: they say the name of the field."""

    def lines(self, kind: Kind) -> list[str]:
        """The examples of a kind, each in one line of JSON."""
        first = json.dumps(self.one(kind), ensure_ascii=False, separators=(",", ":"))
        return [first, *self.more.get(kind.__name__, ())]

    def one(self, kind: Kind) -> Any:
        """The example of a kind, as plain data."""
        config = kind.__struct_config__
        made: dict[str, Any] = {}
        if config.tag is not None and config.tag_field is not None:
            made[config.tag_field] = config.tag
        hints = hints_of(kind)
        own = self.of.get(kind.__name__, {})
        for field in msgspec.structs.fields(kind):
            hint = hints[field.name]
            of_the_server = field.name in self.by_the_server and issubclass(kind, Act) and not kind.rights.own
            if own.get(field.name) == "-" and not field.required:
                continue
            if field.name in own:
                made[field.encode_name] = self._named(own[field.name], hint, f"{kind.__name__}.{field.name}")
            elif field.name in self.any and not of_the_server and _takes(hint, self.any[field.name]):
                made[field.encode_name] = self.any[field.name]
            elif field.required:
                made[field.encode_name] = self._by_type(hint, f"{kind.__name__}.{field.name}")
        if config.array_like:
            return list(made.values())
        return made

    def _named(self, value: Any, hint: Any, path: str) -> Any:
        if value == "@":
            return self._by_type(members_of(hint)[0], path)
        if isinstance(value, str) and value.startswith("@"):
            return self.one(self.kinds[value[1:]])
        if isinstance(value, list):
            return [self._named(one, hint, path) for one in value]
        return None if value == "null" else value

    def _by_type(self, hint: Any, path: str) -> Any:
        members = members_of(hint)
        bare, meta = bare_of(members[0])
        choices = choices_of(bare)
        if choices is not None:
            return next(one for one in choices if one != "")
        if is_struct(bare):
            return None if type(None) in members else self.one(bare)
        if typing.get_origin(bare) is tuple:
            inner = typing.get_args(bare)
            return [self._by_type(one, path) for one in inner if one is not Ellipsis]
        if typing.get_origin(bare) is dict:
            return {self._by_type(one, path): self._by_type(one, path) for one in typing.get_args(bare)[:1]}
        if bare is bool:
            return True
        if bare in (int, float):
            return max(1, meta.ge or 0) if meta is not None else 1
        for known in ("e4", "e2e4", "a" * 32, "de", "P", "G2", "9.2", "⠎"):
            if meta is not None and meta.pattern is not None and _takes(members[0], known):
                return known
        self.by_name_of_field.append(path)
        return path.split(".")[1].replace("_", " ")


def _takes(hint: Any, value: Any) -> bool:
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return False
    return True


# The page


def section(kind: Kind, fence: str, examples: Examples, more: str = "") -> str:
    """What the page says of one kind."""
    parts = [f"#### `{tag_of(kind)}`", sentences(kind), *([more] if more else [])]
    lines = fields_of(kind)
    if lines:
        parts.append("\n".join(lines))
    parts.append(f"```json {fence}\n" + "\n".join(examples.lines(kind)) + "\n```")
    return "\n\n".join(parts)


def _by_subject(kinds: Iterable[Kind]) -> list[tuple[str, list[Kind]]]:
    """The kinds by the file in which they stand, the files in their order."""
    found: dict[str, list[Kind]] = {module.__name__: [] for module in SUBJECTS}
    for kind in kinds:
        found.setdefault(kind.__module__, []).append(kind)
    return [(name.rsplit(".", 1)[1], those) for name, those in found.items() if those]


def _acts_of(union: Any, fence: str, examples: Examples) -> str:
    parts = []
    for subject, kinds in _by_subject(kind for kind in acts() if kind in typing.get_args(union)):
        parts.append(f"### Commands in `{subject}.py`")
        for kind in kinds:
            assert issubclass(kind, Act)
            parts.append(section(kind, fence, examples, who_may(kind.rights)))
    return "\n\n".join(parts)


def _events(examples: Examples) -> str:
    parts = []
    for subject, kinds in _by_subject(events()):
        parts.append(f"### Events in `{subject}.py`")
        parts += [section(kind, "event", examples) for kind in kinds]
    return "\n\n".join(parts)


def _plainly(union: Any, fence: str, examples: Examples) -> str:
    return "\n\n".join(section(kind, fence, examples) for kind in typing.get_args(union))


def parts_of_values() -> list[Kind]:
    """Every kind of value inside others that has fields of its own and no name on the wire, by name."""
    found: dict[str, Kind] = {}
    seen: set[Any] = set()

    def look(hint: Any) -> None:
        bare, _ = bare_of(hint)
        if is_struct(bare):
            if bare in seen:
                return
            seen.add(bare)
            if not issubclass(bare, (Act, Event, Message)) and bare not in on_the_line:
                assert found.setdefault(bare.__name__, bare) is bare, "two parts of one name"
            for one in hints_of(bare).values():
                look(one)
        elif bare is not Ellipsis and typing.get_origin(bare) is not typing.Literal:
            for one in typing.get_args(bare):
                look(one)

    on_the_line = {*typing.get_args(Incoming), *typing.get_args(Outgoing)}
    for kind in (*acts(), *events(), *typing.get_args(AnyMessage), *on_the_line):
        look(kind)
    return [found[name] for name in sorted(found)]


def _parts() -> str:
    made = []
    for kind in parts_of_values():
        as_list = "On the wire it is a list of these values in this order." if kind.__struct_config__.array_like else ""
        lines = "\n".join(fields_of(kind))
        made.append(
            "\n\n".join(one for one in (f"#### Part `{kind.__name__}`", sentences(kind), as_list, lines) if one)
        )
    return "\n\n".join(made)


def page(examples: Examples | None = None) -> str:
    """The page of docs."""
    examples = examples or Examples(_values())
    made = {
        "incoming": _plainly(Incoming, "incoming", examples),
        "outgoing": _plainly(Outgoing, "outgoing", examples),
        "commands": _acts_of(StationAct, "body", examples),
        "own commands": _acts_of(OwnAct, "own", examples),
        "messages": _plainly(AnyMessage, "message", examples),
        "events": _events(examples),
        "parts": _parts(),
    }
    text = re.sub(r"^<!-- for those who edit this.*?-->\n+", "", BY_HAND.read_text("utf-8"), flags=re.S)
    named = re.findall(r"^<!-- made: (.*) -->$", text, re.M)
    assert sorted(named) == sorted(made), "each made part goes to one place of protocol_page.md"
    return re.sub(r"^<!-- made: (.*) -->$", lambda found: made[found[1]], text, flags=re.M)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
