"""Everything that an arbiter may be asked for at a line of text: each form of the page, each part of it, each button.

The forms and the parts are made from the acts themselves (`server/game/acts/forms.py`). What the page asks of the
server beside the game, about devices, codes and the rehearsal, stands in `OF_THE_TABLE`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from server.game.acts.forms import forms, forms_of_parts
from server.wording.pages import load_act_words, page_words, part_words
from server.wording.rules import load_incident_kinds
from speech.words.spelling import typed_form


class Field(msgspec.Struct, frozen=True):
    """A field of a form, with its sort and its settings as the page has them."""

    name: str
    sort: str
    more: dict[str, Any] = {}

    @property
    def may_be_left_out(self) -> bool:
        """Return whether the field may be left out."""
        optional = bool(self.more.get("optional")) or self.sort == "name"
        return optional or (self.sort == "text" and not self.more.get("needed"))

    def is_asked(self, body: dict[str, Any]) -> bool:
        """Return whether the field is asked for after what was said so far."""
        return all(body.get(name) in values for name, values in self.more.get("when", {}).items())


class FormOfAct(msgspec.Struct, frozen=True):
    """A form: the act that it gives, the key of its words, its article and its fields.

    `fixed`: what the act says by itself. `path`: where it is asked of the server, "" for a command of the game; places
    in it ({id}) are filled in. `sends`: the fields that go there.
    """

    do: str
    words: str
    article: str
    fields: tuple[Field, ...] = ()
    fixed: dict[str, Any] = {}
    path: str = ""
    sends: tuple[str, ...] = ()


_DUTIES = Field("duties", "duties", {"when": {"role": ("assistant",)}, "label": "duties"})
_WAITING = Field("id", "waiting", {"label": "door"})
OF_THE_TABLE = (
    FormOfAct("check_all", "checklist.all", "12.1", (Field("who", "unchecked", {"label": "checklist"}),)),
    FormOfAct("more_cells", "desk.more", "D.2.9", (Field("number", "number", {"from": 1, "label": "desk.more"}),)),
    FormOfAct(
        "compare_scores",
        "desk.sheets",
        "D.2.9",
        tuple(Field(side, "score", {"optional": True, "label": f"score_of.{side}"}) for side in ("white", "black")),
        path="/api/desk/sheets",
        sends=("white", "black"),
    ),
    FormOfAct(
        "admit", "admit", "D.2.10", (_WAITING, _DUTIES), {"admit": True}, "/api/introductions/{id}",
        ("admit", "language", "duties"),
    ),
    FormOfAct(
        "refuse", "refuse", "D.2.10", (_WAITING,), {"admit": False}, "/api/introductions/{id}", ("admit", "language")
    ),
    FormOfAct("open_codes", "open_codes", "", path="/api/codes"),
    FormOfAct(
        "invite", "make_code", "", (Field("place", "place", {"label": "invite_for"}), _DUTIES), {}, "/api/invitations",
        ("role", "seat", "duties", "language"),
    ),
    FormOfAct("send_away", "stations.send", "11.3.2", (Field("station", "station", {"label": "stations"}),), {},
              "/api/stations/{station}"),
    FormOfAct("rehearsal_begin", "rehearsal.begin", "", (), {"do": "begin"}, "/api/rehearsal", ("do",)),
    FormOfAct("rehearsal_pass", "rehearsal.pass", "", (), {"do": "pass"}, "/api/rehearsal", ("do",)),
    FormOfAct(
        "rehearsal_skip", "rehearsal.skip", "", (Field("reason", "text", {"needed": True}),), {"do": "skip"},
        "/api/rehearsal", ("do", "reason"),
    ),
)  # fmt: skip
"""Requests of the page that are no act of the game: `check_all` gives several acts, `more_cells` asks the desk anew."""


@cache
def words_at_a_line(language: str) -> dict[str, str]:
    """Return key -> words: those of the arbiter's page, and of its desk."""
    return {**page_words(language), **part_words("desk", language)}


@cache
def forms_offered() -> tuple[FormOfAct, ...]:
    """Return everything that the arbiter's page does, as something that can be asked for."""
    made = []
    for one in (*forms_of_parts(), *forms({"note_incident.kind": tuple(load_incident_kinds())})):
        fields = tuple(Field(name, sort, more) for name, sort, more in one["fields"])
        words = one.get("part") or f"act.{one['do']}"
        made.append(FormOfAct(one["do"], words, one["article"], fields, one.get("fixed", {})))
    return (*made, *OF_THE_TABLE)


def form_of(do: str) -> FormOfAct | None:
    """Return the form of an act."""
    return next((one for one in forms_offered() if one.do == do), None)


def forms_found(text: str, language: str) -> tuple[FormOfAct, ...]:
    """Return the acts that a word or an article means, the likeliest first, as the page's finder has them.

    One alone where its name, its article or one of its words is just that.

    >>> [form.do for form in forms_found("take back", "en")]
    ['restore_to']
    """
    wanted, words, known = typed_form(text), words_at_a_line(language), load_act_words(language)
    if not any(letter.isalnum() for letter in wanted):
        return ()
    exact, near = [], []
    for form in forms_offered():
        name = typed_form(words[form.words])
        others = [one for one in (typed_form(form.article), *map(typed_form, known.get(form.do, ()))) if one]
        if wanted == name:
            return (form,)
        if wanted in others:
            exact.append(form)
        elif any(wanted in one for one in (name, *others)):
            near.append(form)
    return tuple(exact or near)
