"""An act of the arbiter is typed: found by the words of the page's finder, its fields asked one after the other.

It has the forms of the page (`server/game/acts/forms.py`) and asks what they ask, a line and choices at a time.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from server.game.acts.forms import forms
from server.wording.pages import load_act_words, move_number, page_words
from server.wording.rules import load_incident_kinds

LEAVE_OUT = "–"
"""The choice that leaves a field out which may be left out; "-" may be typed for it."""
MEN = "KQRBNPkqrbnp"
_KINDS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
_TIME = re.compile(r"(-?)(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)")
_OMITTED: Any = object()


class Field(msgspec.Struct, frozen=True):
    """A field of a form, with its sort and its settings as the page has them."""

    name: str
    sort: str
    more: dict[str, Any]

    @property
    def may_be_left_out(self) -> bool:
        """Return whether the field may be left out."""
        optional = bool(self.more.get("optional")) or self.sort == "name"
        return optional or (self.sort == "text" and not self.more.get("needed"))


class FormOfAct(msgspec.Struct, frozen=True):
    """A form of the page: the act that it gives, its words, its article and its fields."""

    do: str
    words: str
    article: str
    fields: tuple[Field, ...] = ()


OF_THE_BAR = (
    FormOfAct("start_game", "start", "6.6"),
    FormOfAct(
        "correct_clock",
        "correct_clock",
        "6.10.2",
        (
            Field("seat", "seat", {"label": "side"}),
            Field("ms", "time", {"label": "take_time"}),
            Field("completed", "number", {"label": "counter", "optional": True}),
            Field("reason", "text", {}),
        ),
    ),
)
"""The acts that the page gives beside its clocks and not by one of the forms."""


@cache
def forms_offered() -> tuple[FormOfAct, ...]:
    """Return every act that the arbiter's page gives beside its clocks or by a form."""
    made = list(OF_THE_BAR)
    for one in forms({"note_incident.kind": tuple(load_incident_kinds())}):
        fields = tuple(Field(name, sort, more) for name, sort, more in one["fields"])
        made.append(FormOfAct(one["do"], f"act.{one['do']}", one["article"], fields))
    return tuple(made)


def _plain(text: str) -> str:
    """Return a text as words are compared: without capitals, marks over letters and blanks around it."""
    apart = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def forms_found(text: str, language: str) -> tuple[FormOfAct, ...]:
    """Return the acts that a word or an article means, the likeliest first, as the page's finder has them.

    One alone where its name, its article or one of its words is just that.

    >>> [form.do for form in forms_found("take back", "en")]
    ['restore_to']
    """
    wanted, words, known = _plain(text), page_words(language), load_act_words(language)
    if not wanted:
        return ()
    exact, near = [], []
    for form in forms_offered():
        name = _plain(words[form.words])
        others = [_plain(form.article), *map(_plain, known.get(form.do, ()))]
        if wanted == name:
            return (form,)
        if wanted in others:
            exact.append(form)
        elif any(wanted in one for one in (name, *others)):
            near.append(form)
    return tuple(exact or near)


class Asking(msgspec.Struct, frozen=True):
    """An act that is being filled in.

    `plies`: so many half-moves were made. `body`: what was said so far; `named`: the same in words.
    """

    form: FormOfAct
    plies: int
    body: dict[str, Any]
    named: tuple[str, ...] = ()
    at: int = 0

    @property
    def field(self) -> Field | None:
        """Return the field that is asked for, None once all have been."""
        return self.form.fields[self.at] if self.at < len(self.form.fields) else None


def asking(form: FormOfAct, plies: int) -> Asking:
    """Begin to fill in an act."""
    return Asking(form, plies, {"do": form.do})


def question(now: Asking, words: Mapping[str, str]) -> tuple[str, ...]:
    """Return the lines that ask for the next field: its name, and how it is written where it is typed."""
    field = now.field
    assert field is not None
    label = field.more.get("label", field.name)
    lines = [f"{words.get(f'act_field.{label}') or words[label]}:"]
    if (hint := f"act.hint.{field.sort}") in words:
        lines.append(words[hint])
    return tuple(lines)


def choices(now: Asking, words: Mapping[str, str]) -> dict[str, Any]:
    """Return word -> value of all that may be chosen for the field; where it is typed, what may stand for it."""
    field = now.field
    assert field is not None
    more, found = field.more, dict[str, Any]()
    match field.sort:
        case "seat" | "buttons":
            found = {words["white"]: "white", words["black"]: "black"}
        case "either" | "flag":
            found = {words["yes"]: True, words["no"]: False}
            if field.sort == "flag" and not more.get("value"):  # what it is without a word comes first
                found = {words["no"]: False, words["yes"]: True}
        case "choice":
            named = more.get("words")
            found = {words.get(f"{named}{one}", one) if named else one: one for one in more["values"]}
        case "piece":
            found = {words[f"piece.{'white' if man.isupper() else 'black'}.{_KINDS[man.lower()]}"]: man for man in MEN}
            return found | {words["act.nobody_knows"]: _OMITTED}
        case "ply":
            plies = range(now.plies + 1, more.get("from", 0) - 1, -1)
            found = {move_number(ply, words) if ply else words["claim.start"]: ply for ply in plies}
        case "amount":
            found = {"0": 0}
        case _ if more.get("value") is not None:
            found = {str(more["value"]): more["value"]}
    if more.get("empty"):
        found[words[f"act.{more['empty']}"]] = None if more.get("null") else _OMITTED
    elif field.may_be_left_out:
        found[LEAVE_OUT] = None if more.get("null") else _OMITTED
    return found


def fill_in(now: Asking, said: str, words: Mapping[str, str]) -> Asking | str:
    """Return the act with a field filled in; a sentence that says what is wrong where it is not a value of it."""
    field = now.field
    assert field is not None
    offered = choices(now, words)
    wanted = _plain(LEAVE_OUT if said.strip() in ("-", LEAVE_OUT) else said)
    alike = [word for word in offered if _plain(word) == wanted]
    closed = field.sort in ("seat", "buttons", "either", "flag", "choice", "piece", "ply")
    if not alike and closed:
        alike = [word for word in offered if _plain(word).startswith(wanted)]
    if len(alike) == 1:
        return _filled(now, field, alike[0], offered[alike[0]])
    if closed:
        return words["act.no_choice"]
    try:
        return _filled(now, field, said.strip(), _value(field, said.strip()))
    except ValueError:
        wrong = {"time": "write_time", "pair": "act.hint.pair"}
        return words[wrong.get(field.sort, "act.amount_wrong")]


def _filled(now: Asking, field: Field, shown: str, value: Any) -> Asking:
    body = now.body if value is _OMITTED else {**now.body, field.name: value}
    return replace(now, body=body, named=(*now.named, *(() if value is _OMITTED else (shown,))), at=now.at + 1)


def _value(field: Field, text: str) -> Any:
    """Return what a typed field says. Raises ValueError for what cannot be read."""
    match field.sort:
        case "time":
            return milliseconds(text, signed=bool(field.more.get("signed")))
        case "amount":
            return int(text) if text.isdecimal() else milliseconds(text)
        case "number":
            return int(text)
        case "seconds":
            return int(text) * 1000
        case "pair":
            white, black = text.split("/")
            return [int(white), int(black)]
    return text


def milliseconds(text: str, *, signed: bool = False) -> int:
    """Return a length of time as the page reads it. Raises ValueError for any other text.

    >>> milliseconds("1:05:00"), milliseconds("-2:00", signed=True)
    (3900000, -120000)
    """
    found = _TIME.fullmatch(text)
    if found is None or (found[1] and not signed):
        raise ValueError(text)
    hours, minutes, seconds = (int(part or 0) for part in found.groups()[1:])
    ms = ((hours * 60 + minutes) * 60 + seconds) * 1000
    return -ms if found[1] else ms
