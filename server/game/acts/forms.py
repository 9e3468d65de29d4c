"""The forms of the arbiter's page, made from the acts themselves: a new act with a group has a form at once.

What a field takes is seen in its type, its name and whether it may be left out; what cannot be seen there stands in the
class (`form=`). The page draws the forms (`web/static/arbiter/acts.js`).
"""

from __future__ import annotations

import enum
import math
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from server.game.acts.base import Act, Name, Placement, Square, Uci, acts
from server.game.values.words import Seat

SORTS = {Square: "square", Uci: "uci", Placement: "placement"}
"""Kinds of text that the page checks as they are written."""
GROUPS = ("game", "clock", "claims", "irregular", "conduct", "adjourn", "rebuild", "stations")
"""The groups of forms, in the order in which the page lists them."""
FREE_TEXT = 400
"""Longest text (characters) that says what the arbiter likes; shorter ones are names or words."""


def forms(values: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """Return every form as plain data: `do`, `group`, `article`, `fields` (name, sort, settings), `after`, `sure`.

    They come group by group, and within a group in the order of the Laws.

    `values`: for fields ("note_incident.kind") whose choices are configuration. `after`: also when the game is over.
    """
    made = [_form_of(kind, values) for kind in acts() if kind.form is not None and not kind.form.part]
    return sorted(made, key=lambda form: (GROUPS.index(form["group"]), _article_order(form["article"])))


def forms_of_parts() -> list[dict[str, Any]]:
    """Return, likewise, every act for which the page has a part of its own: `part` instead of `group`.

    `fixed`: what the act says by itself.
    """
    made = []
    for kind in acts():
        if kind.form is not None and kind.form.part:
            fixed = {name: more["fixed"] for name, more in kind.form.fields.items() if "fixed" in more}
            made.append({**_form_of(kind, {}), "part": kind.form.part, "fixed": fixed})
    return made


def _article_order(article: str) -> list[tuple[float, str]]:
    """Numbers as numbers, before the letters of appendices and Guidelines: 6.7.1 before 6.11, 12 before D.2."""
    return [(int(part), "") if part.isdigit() else (math.inf, part) for part in article.split(".")]


def _form_of(kind: type[Act], values: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    form, name = kind.form, str(kind.__struct_config__.tag)
    assert form is not None
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = []
    for field in msgspec.structs.fields(kind):
        more = dict(form.fields.get(field.name, {}))
        if more.pop("hidden", False) or "fixed" in more:  # the server fills it in, or other parts of the page do
            continue
        if f"{name}.{field.name}" in values:
            more["values"] = list(values[f"{name}.{field.name}"])
        sort, settings = _field(field, hints[field.name])
        if "sort" in more:
            sort = more.pop("sort")
            settings = {key: value for key, value in settings.items() if key == "optional"}
        fields.append([field.name, sort, {**settings, **more}])
    made: dict[str, Any] = {"group": form.group, "do": name, "article": form.article, "fields": fields}
    if kind.rights.after_the_end:
        made["after"] = True
    if form.sure is not None:
        made["sure"] = form.sure
    return made


def _field(field: msgspec.structs.FieldInfo, hint: Any) -> tuple[str, dict[str, Any]]:
    """The sort of a field and its settings, by its type and its name."""
    hint, optional = _without_none(hint)
    bare, meta = hint, None
    if typing.get_origin(hint) is typing.Annotated:
        bare, meta = typing.get_args(hint)[0], typing.get_args(hint)[1]
    more: dict[str, Any] = {"optional": True} if optional else {}
    if optional and field.required:
        more["null"] = True
    if bare is Seat:
        return "seat", {}
    if bare is bool:
        return ("either", more) if optional else ("flag", {"value": True} if field.default is True else {})
    choices = _choices(bare)
    if choices is not None:
        return "choice", {"values": choices, "words": f"choice.{field.name}.", **more}
    if typing.get_origin(bare) is tuple:
        return "pair", more
    if hint in SORTS:
        return SORTS[hint], more
    if bare is int:
        return _number(field.name, meta, more)
    return _text(field, hint, meta, more)


def _number(name: str, meta: Any, more: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if name == "ply":
        return "ply", more
    if name == "ms" or name.endswith("_ms"):
        return "time", {**more, "signed": True} if meta.ge < 0 else more
    return "number", {"from": meta.ge, "to": meta.le, **more}


def _text(field: msgspec.structs.FieldInfo, hint: Any, meta: Any, more: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    longest = None if meta is None else meta.max_length
    if longest == FREE_TEXT:
        return "text", {"needed": True} if field.required else {}
    if hint == Name:
        return "name", {"value": field.default} if not field.required and field.default else {}
    return "word", {**({"longest": longest} if longest else {}), **more}


def _without_none(hint: Any) -> tuple[Any, bool]:
    if typing.get_origin(hint) not in (typing.Union, types.UnionType):
        return hint, False
    (only, *_), known = [one for one in typing.get_args(hint) if one is not type(None)], typing.get_args(hint)
    return only, type(None) in known


def _choices(bare: Any) -> list[str] | None:
    if typing.get_origin(bare) is typing.Literal:
        return [str(one) for one in typing.get_args(bare)]
    if isinstance(bare, type) and issubclass(bare, enum.Enum):
        return [str(one.value) for one in bare]
    return None
