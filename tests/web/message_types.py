"""tests/web/types/made.d.ts, made from what the server registers: types of all that goes over a line, and of the pages.

python -m tests.web.message_types

`tsc` reads the scripts of the pages with it (`tests/web/page_types.py`), so that a page which reads a field that no
message has, or looks for an element that no page has, is found before it runs. What no schema tells is written by hand
in `pages.d.ts` beside it.
"""

from __future__ import annotations

import enum
import json
import typing
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec

from server.game.acts import AnyEvent, StationAct
from server.game.views.messages import AnyMessage
from server.protocol import Incoming, Outgoing
from server.web.pages import load_files
from tests.web.protocol_page import Kind, bare_of, choices_of, hints_of, is_struct, members_of, tag_of

TYPES = Path(__file__).resolve().parent / "types" / "made.d.ts"
UNIONS: dict[str, Any] = {
    "Incoming": Incoming,
    "Outgoing": Outgoing,
    "AnyMessage": AnyMessage,
    "AnyEvent": AnyEvent,
    "StationAct": StationAct,
}


def kinds_in(root: Any) -> dict[str, type]:
    """Every structure and enumeration that a type is made of, by name."""
    found: dict[str, type] = {}

    def look(hint: Any) -> None:
        bare, _ = bare_of(hint)
        if is_struct(bare) or (isinstance(bare, type) and issubclass(bare, enum.Enum)):
            if bare.__name__ in found:
                assert found[bare.__name__] is bare, "two kinds of one name"
                return
            found[bare.__name__] = bare
            if is_struct(bare):
                for one in hints_of(bare).values():
                    look(one)
        elif bare is not Ellipsis and typing.get_origin(bare) is not typing.Literal:
            for one in typing.get_args(bare):
                look(one)

    look(root)
    return found


def type_of(hint: Any) -> str:
    """A type of Python as `tsc` writes it."""
    members = members_of(hint)
    if len(members) > 1:
        for name, union in UNIONS.items():
            if set(typing.get_args(union)) <= set(members):
                rest = [type_of(one) for one in members if one not in typing.get_args(union)]
                return " | ".join([name, *rest])
        return " | ".join(type_of(one) for one in members)
    bare, _ = bare_of(hint)
    if is_struct(bare) or (isinstance(bare, type) and issubclass(bare, enum.Enum)):
        return str(bare.__name__)
    choices = choices_of(bare)
    if choices is not None:
        return " | ".join(json.dumps(one) for one in choices)
    if typing.get_origin(bare) is tuple:
        inner = typing.get_args(bare)
        if Ellipsis not in inner:
            return f"[{', '.join(type_of(one) for one in inner)}]"
        one = type_of(inner[0])
        return f"({one})[]" if " | " in one else f"{one}[]"
    if typing.get_origin(bare) is dict:
        key, value = typing.get_args(bare)
        return f"{{ [key: {type_of(key)}]: {type_of(value)} }}"
    simple = {bool: "boolean", int: "number", float: "number", str: "string", type(None): "null", Any: "unknown"}
    return simple[bare]


def interface(kind: Kind, given: bool) -> str:
    """One structure; `given`: pages make it, and may leave out what has a value without them."""
    hints, config = hints_of(kind), kind.__struct_config__
    fields = msgspec.structs.fields(kind)
    if config.array_like:
        return f"  type {kind.__name__} = [{', '.join(type_of(hints[field.name]) for field in fields)}];"
    assert not config.omit_defaults, "a field that is left out on the way is no field that a page may read"
    parts = [f"{config.tag_field}: {json.dumps(tag_of(kind))}"] if config.tag is not None else []
    for field in fields:
        mark = "?" if given and not field.required else ""
        parts.append(f"{field.encode_name}{mark}: {type_of(hints[field.name])}")
    return f"  interface {kind.__name__} {{ {'; '.join(parts)} }}"


def messages() -> str:
    """All that goes over a line, in one namespace."""
    given, told = kinds_in(Incoming), kinds_in(Outgoing)
    parts = []
    for name, kind in sorted({**told, **given}.items()):
        if issubclass(kind, enum.Enum):
            parts.append(f"  type {name} = {' | '.join(json.dumps(one.value) for one in kind)};")
        else:
            parts.append(interface(kind, name in given))
    for name, union in UNIONS.items():
        parts.append(f"  type {name} = {' | '.join(one.__name__ for one in typing.get_args(union))};")
    return "declare namespace Wire {\n" + "\n".join(parts) + "\n}\n"


class Elements(HTMLParser):
    """The elements of pages that have an id: what each is, and of a list of choices what may be chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.types: dict[str, set[str]] = {}
        self.chosen: str | None = None
        self.choices: list[str] = []
        self.of_text = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        id, value = dict(attributes).get("id"), dict(attributes).get("value")
        if tag == "select":
            self.chosen, self.choices = id, []
        elif id is not None:
            self.types.setdefault(id, set()).add(f'Tag["{tag}"]')
        if tag == "option":
            self.of_text = value is None
            self.choices += [] if value is None else [value]

    def handle_data(self, data: str) -> None:
        if self.of_text:
            self.choices.append(data.strip())
        self.of_text = False

    def handle_endtag(self, tag: str) -> None:
        if tag == "select" and self.chosen is not None:
            choices = " | ".join(json.dumps(one) for one in self.choices)
            more = f" & {{ value: {choices} }}" if choices else ""
            self.types.setdefault(self.chosen, set()).add(f'Tag["select"]{more}')


def elements() -> str:
    """What each element is that some page has under an id; that this page is the one is not told."""
    found = Elements()
    for path, file in load_files().items():
        if not path.startswith("/static/"):
            found.feed(file.body.decode())
    lines = [f"  {json.dumps(id)}: {' | '.join(sorted(types))};" for id, types in sorted(found.types.items())]
    return "type Tag = HTMLElementTagNameMap;\ninterface PageElements {\n" + "\n".join(lines) + "\n}\n"


def page() -> str:
    """The whole file."""
    return f"// Made by python -m tests.web.message_types; not to be edited.\n{messages()}\n{elements()}"


if __name__ == "__main__":
    TYPES.write_text(page(), "utf-8")
