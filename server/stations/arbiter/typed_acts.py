"""An act of the arbiter is typed: found by the words of the page's finder, its fields asked one after the other.

It has the forms and the parts of the page (`asked.py`) and asks what they ask, a line and choices at a time; what there
is to choose is what the table shows now (`table_now.py`). Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import chess
from msgspec import Struct
from msgspec.structs import replace

from server.stations.arbiter.asked import Field, FormOfAct, form_of
from server.stations.arbiter.desk import (
    cell_name,
    cells_asked,
    decision_body,
    decisions,
    is_known,
    is_shown,
    men,
    placement_of,
    times_offered,
)
from server.stations.arbiter.table_now import (
    OF_THE_DESK,
    SOURCES,
    TableNow,
    in_language,
    named_stations,
    named_waiting,
)
from server.wording.pages import move_number, record_spelt
from speech.words.config_file import language_tags
from speech.words.loading import load_language
from speech.words.spelling import typed_form

LEAVE_OUT = "–"
"""The choice that leaves a field out which may be left out, and ends one of several answers; "-" stands for it."""
MEN = "KQRBNPkqrbnp"
DELAYS = (0, 30, 300, 900)
"""How much later (s) a display may show the game, as the page offers it."""
PLACES = ("player-white", "player-black", "assistant-white", "assistant-black", "display", "observer", "arbiter")
DUTIES = ("execute", "announce", "score_and_clock", "inform", "claim_and_report", "adjourn")
REPEATED = ("squares", "duties")
"""Sorts of fields that take one answer after another, until nothing more is said."""
LEAST = 3
"""So many letters of a word within a choice are enough to mean it."""
SCOPES = ("white", "black", "")
_OPEN = ("squares", "duties", "cell_text", "score", "text", "word", "name", "article", "square", "uci", "placement")
_TYPED = (*_OPEN, "time", "amount", "number", "seconds", "pair")
"""Sorts of fields in which more may be written than there is to choose."""
_KINDS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
_TIME = re.compile(r"(-?)(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)")
_PATTERNS = {
    "square": re.compile("[a-h][1-8]"),
    "uci": re.compile("[a-h][1-8][a-h][1-8][nbrq]?"),
    "placement": re.compile("[1-8pnbrqkPNBRQK/]+"),
    "article": re.compile(r"((D|I|II|III)\.)?\d{1,2}(\.\d{1,2}){0,3}"),
}
_NUMBERED = re.compile(r"(\d+) (.+)")
_OMITTED: Any = object()


class Several(Struct, frozen=True):
    """A choice that says several fields of an act."""

    of: dict[str, Any]


class Asking(Struct, frozen=True):
    """An act that is being filled in.

    `now`: what the table shows. `body`: what was said so far; `named`: the same in words. `known`: what was said before
    anything was asked.
    """

    form: FormOfAct
    now: TableNow
    body: dict[str, Any]
    named: tuple[str, ...] = ()
    at: int = 0
    known: frozenset[str] = frozenset()

    @property
    def field(self) -> Field | None:
        """Return the field that is asked for, None once all have been."""
        return self.form.fields[self.at] if self.at < len(self.form.fields) else None


def asking(form: FormOfAct, now: TableNow, known: Mapping[str, Any] | None = None) -> Asking:
    """Begin to fill in an act; `known`: what is said of it already."""
    body = {**({} if form.path else {"do": form.do}), **form.fixed, **(known or {})}
    return _at(Asking(form, now, body, known=frozenset(known or ())), 0)


def typed_choice(choice: str) -> str:
    """Return a choice as it may be typed: without the colon between an act and whom or what it is about."""
    return typed_form(choice.replace(":", ""))


def meant_by(form: FormOfAct, said: Sequence[str], words: Mapping[str, str]) -> dict[str, Any]:
    """Return which kind of something an act is about, where the word by which it was found says so, as "phone" does."""
    for field in form.fields:
        if field.sort == "choice" and field.name == "kind":
            named = {one: typed_form(words[f"{field.more['words']}{one}"]) for one in field.more["values"]}
            found = [
                one for one, name in named.items() if any(typed_form(text) in name for text in said if typed_form(text))
            ]
            return {"kind": found[0]} if len(found) == 1 else {}
    return {}


def _at(filled: Asking, place: int) -> Asking:
    """Go to the next field that is asked for, from this one on."""
    fields = filled.form.fields
    while place < len(fields) and (fields[place].name in filled.known or not fields[place].is_asked(filled.body)):
        place += 1
    return replace(filled, at=place)


def is_of_the_desk(form: FormOfAct) -> bool:
    """Return whether an act is about the desk that is open."""
    sorts = {field.sort for field in form.fields}
    return bool(sorts & {*OF_THE_DESK, "score"}) or form.do in ("accept_unread", "more_cells")


def why_not(form: FormOfAct, now: TableNow, words: Mapping[str, str]) -> str:
    """Return in a sentence why an act cannot be given now, because there is nothing that it could be about; "" else."""
    if is_of_the_desk(form):
        if not is_shown(now.desk):
            return words["desk.not_open"]
        if form.do == "accept_unread" and not now.desk.get("provisional"):
            return words["desk.nothing_unread"]
    empty = {
        "waiting": words["nobody_waits"],
        "station": words["stations.none"],
        "cell": words["desk.copied"],
        "cell_heard": words["desk.no_sound"],
        "awaited": words["desk.none_awaited"],
        "decision": words["desk.undecided"],
        "unchecked": words["checklist.done"],
    }
    for field in form.fields:
        if field.sort in empty and not choices(Asking(form, now, {}, at=form.fields.index(field)), words):
            return empty[field.sort]
    return ""


def acts_of_desk(now: TableNow, words: Mapping[str, str]) -> dict[str, tuple[FormOfAct, dict[str, Any]]]:
    """Return word -> act, with what is known of it, of all that can be done at the desk now."""
    desk, found = now.desk, dict[str, tuple[FormOfAct, dict[str, Any]]]()

    def add(do: str, words_of: str = "", **known: Any) -> None:
        form = form_of(do)
        if form is not None and not why_not(form, now, words):
            found[words[words_of or form.words]] = (form, known)

    if desk.get("setting"):
        for side in desk["setting"]["awaited"]:
            add("confirm_board", f"desk.confirm.{side}", board=side)
    elif cells_asked(desk):
        add("type_cell")
        add("hear_cell")
    if desk.get("open"):
        add("accept_unread")
        for kind in decisions(desk):
            add("decide_desk", f"desk.{kind}", kind=kind)
        add("show_board")
        if not desk.get("setting"):
            add("compare_scores")
        add("close_desk")
    return found


def question(asked: Asking, words: Mapping[str, str]) -> tuple[str, ...]:
    """Return the lines that ask for the next field: its name, and how it is written where it is typed."""
    field = asked.field
    assert field is not None
    label = field.more.get("label", field.name)
    name = words.get(f"act_field.{label}") or words[label]
    if field.sort == "cell_text":
        name = cell_name((asked.body["ply"], asked.body["seat"]), words)
    lines = [f"{name.rstrip(':')}:"]
    if field.sort == "flag" and asked.named:  # a choice may be longer than a line: it stands here in full
        lines.insert(0, asked.named[-1])
    if field.sort == "squares":
        lines[:0] = asked.named[1:]  # the squares that were changed so far
        lines.append(words["desk.hint.squares"].replace("{man}", words["piece.white.knight"]))
    elif field.sort == "duties":
        lines += [words[f"duty.{duty}"] for duty in asked.body.get("duties", ())]
    elif field.sort == "desk_times":
        lines += [full for _, full in times_offered(asked.now.desk, words).values()]
    elif (hint := f"act.hint.{field.sort}") in words:
        lines.append(words[hint])
    if LEAVE_OUT in choices(asked, words) and field.sort not in REPEATED:
        lines.append(words["desk.hint.leave_out"])
    return tuple(lines)


def choices(asked: Asking, words: Mapping[str, str]) -> dict[str, Any]:
    """Return word -> value of all that may be chosen for the field; where it is typed, what may stand for it."""
    field = asked.field
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
            plies = range(asked.now.plies + 1, more.get("from", 0) - 1, -1)
            found = {move_number(ply, words) if ply else words["claim.start"]: ply for ply in plies}
        case "amount":
            found = {"0": 0}
        case "delay":
            return {words[f"delay.{seconds}"]: seconds for seconds in DELAYS}
        case _ if more.get("value") is not None:
            found = {str(more["value"]): more["value"]}
        case _:
            found = _at_the_table(asked, field, words)
    if more.get("empty"):
        empty = words.get(f"act.{more['empty']}") or words[more["empty"]]
        found[empty] = None if more.get("null") else _OMITTED
    elif field.may_be_left_out or field.sort in REPEATED:
        found[LEAVE_OUT] = None if more.get("null") else _OMITTED
    return found


def _at_the_table(asked: Asking, field: Field, words: Mapping[str, str]) -> dict[str, Any]:
    """Return what there is to choose from what the table shows now."""
    now, desk = asked.now, asked.now.desk
    adaptations = now.table.adaptations if now.table is not None else ()
    match field.sort:
        case "adaptation":
            return _by_number((in_language(one.text, now.language), one.name) for one in adaptations)
        case "adaptation_value":
            values = next((one.values for one in adaptations if one.name == asked.body["name"]), ())
            return {_value_name(one, words): one for one in values}
        case "check":
            checks = now.table.checklist if now.table is not None else ()
            ordered = sorted(checks, key=lambda one: one.ok is True)
            return _by_number((_check_name(one, now, words), _check(one)) for one in ordered)
        case "unchecked":
            checks = now.table.checklist if now.table is not None else ()
            left = {one.seat or "" for one in checks if not one.ok}
            return {words[scope or "checklist.table"]: scope for scope in SCOPES if scope in left}
        case "sound_device":
            return {**{name: name for name in now.devices.get(field.more["among"], ())}, words["devices.none"]: None}
        case "display":
            displays = {
                name: one["station"] for name, one in named_stations(now, words).items() if one["role"] == "display"
            }
            return {words["delay.all"]: "", **displays}
        case "station":
            return {name: one["station"] for name, one in named_stations(now, words).items() if not one["own"]}
        case "waiting":
            return {
                name: Several({"id": one["id"], "role": one["role"], "duties": tuple(one["duties"])})
                for name, one in named_waiting(now, words).items()
            }
        case "place":
            return {words[f"invite_for.{place}"]: Several(_place(place)) for place in PLACES}
        case "duties":
            return {words[f"duty.{duty}"]: duty for duty in DUTIES}
    return _at_the_desk(asked, field, desk, words)


def _at_the_desk(asked: Asking, field: Field, desk: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    cells = cells_asked(desk)
    match field.sort:
        case "cell":
            ordered = sorted(cells, key=lambda one: is_known(cells[one]))
            return {cell_name((ply, seat), words): Several({"seat": seat, "ply": ply}) for ply, seat in ordered}
        case "cell_heard":
            dictated = (one for one, cell in cells.items() if cell["provisional"])
            return {cell_name((ply, seat), words): Several({"seat": seat, "ply": ply}) for ply, seat in dictated}
        case "cell_text":
            text = cells.get((asked.body["ply"], asked.body["seat"]), {}).get("text", "")
            return {record_spelt(text, asked.now.language): text} if text else {}
        case "decision":
            return {words[f"desk.{kind}"]: kind for kind in decisions(desk)}
        case "desk_times":
            return {word: value for word, (value, _) in times_offered(desk, words).items()}
        case "awaited":
            setting = desk.get("setting") or {"awaited": (), "confirmed": ()}
            left = (side for side in setting["awaited"] if side not in setting["confirmed"])
            return {words[f"board_of.{side}"]: side for side in left}
    return {}


def _by_number(named: Any) -> dict[str, Any]:
    """Return "1 text" -> value: a text may be longer than a line, so its number is enough."""
    return {f"{number} {text}": value for number, (text, value) in enumerate(named, 1)}


def _check(one: Any) -> Several:
    return Several({"item": one.item, "seat": one.seat})


def _check_name(one: Any, now: TableNow, words: Mapping[str, str]) -> str:
    seat = f"{words[one.seat]}: " if one.seat else ""
    return f"{seat}{in_language(one.text, now.language)}{' ✓' if one.ok else ''}"


def _value_name(value: str, words: Mapping[str, str]) -> str:
    if f"value.{value}" in words:
        return words[f"value.{value}"]
    return load_language(value).native_name if value in language_tags() else value


def _place(place: str) -> dict[str, Any]:
    role, _, seat = place.partition("-")
    return {"role": role, "seat": seat or None}


def is_closed(asked: Asking) -> bool:
    """Return whether nothing can be said but one of the choices."""
    return asked.field is not None and (asked.field.sort not in _TYPED or asked.field.sort == "duties")


def fill_in(asked: Asking, said: str, words: Mapping[str, str]) -> Asking | str:
    """Return the act with a field filled in; a sentence that says what is wrong where it is not a value of it."""
    field = asked.field
    assert field is not None
    offered = choices(asked, words)
    wanted = typed_form(LEAVE_OUT if said.strip() in ("-", LEAVE_OUT) else said)
    alike = [word for word in offered if wanted in (typed_form(word), *_shorter(word))]
    if not alike and field.sort not in _OPEN:
        alike = [
            word for word in offered if any(one.startswith(wanted) for one in (typed_form(word), *_shorter(word)[1:]))
        ]
    if field.sort == "duties" and not alike:
        alike = [word for word in offered if typed_form(word).startswith(wanted)]
    if not alike and field.sort not in _TYPED and len(wanted) >= LEAST:
        alike = [word for word in offered if any(one.startswith(wanted) for one in typed_form(word).split())]
    if len(alike) == 1:
        return _fill_field(asked, field, alike[0], offered[alike[0]])
    if is_closed(asked):
        return words["act.no_choice"]
    try:
        if field.sort in _PATTERNS and not _PATTERNS[field.sort].fullmatch(said.strip()):
            raise ValueError(said)
        if field.sort == "squares":
            return _with_square(asked, said.strip(), words)
        return _fill_field(asked, field, said.strip(), _value(field, said.strip()))
    except ValueError:
        wrong = {"time": "write_time", "pair": "act.hint.pair", "squares": "desk.not_square"}
        if field.sort in _PATTERNS:
            return question(asked, words)[0]  # it names an example
        sentence = words[wrong.get(field.sort, "act.amount_wrong")]
        return sentence.replace("{man}", words["piece.white.knight"])


def _shorter(word: str) -> tuple[str, ...]:
    """Return what stands for a numbered choice: its number, its text."""
    found = _NUMBERED.fullmatch(word)
    return (found[1], typed_form(found[2])) if found else ()


def _fill_field(asked: Asking, field: Field, shown: str, value: Any) -> Asking:
    if field.sort in REPEATED and value is not _OMITTED:
        before = asked.body.get(field.name, ())
        kept = tuple(one for one in before if one != value)
        return replace(asked, body={**asked.body, field.name: kept if value in before else (*before, value)})
    said = value.of if isinstance(value, Several) else {} if value is _OMITTED else {field.name: value}
    if field.sort == "squares" and field.name not in asked.body:
        said = {field.name: placement_of(asked.now.desk, asked.body["board"])}
    named = (*asked.named, *(() if value is _OMITTED else (shown,)))
    return _at(replace(asked, body={**asked.body, **said}, named=named), asked.at + 1)


def _with_square(asked: Asking, text: str, words: Mapping[str, str]) -> Asking:
    """Return the act with a man on a square, or with a whole placement; more squares may follow.

    Raises ValueError for what is neither.
    """
    placement = asked.body.get("placement") or placement_of(asked.now.desk, asked.body["board"])
    if "/" in text:
        return replace(asked, body={**asked.body, "placement": chess.BaseBoard(text).board_fen()})
    square, _, man = text.partition(" ")
    known = men(words)
    wanted = typed_form(man)
    found = [word for word in known if wanted and typed_form(word) == wanted]
    found = found or [word for word in known if wanted and typed_form(word).startswith(wanted)]
    if len(found) != 1:
        raise ValueError(text)
    board = chess.BaseBoard(placement)
    board.set_piece_at(chess.parse_square(square.strip().lower()), known[found[0]])
    named = (*asked.named, f"{square.lower()} {found[0]}")
    return replace(asked, body={**asked.body, "placement": board.board_fen()}, named=named)


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


def bodies(filled: Asking) -> tuple[dict[str, Any], ...]:
    """Return what is sent for an act that is filled in: commands of the game, or what is asked of the server."""
    form, body, now = filled.form, filled.body, filled.now
    if form.path:
        return ({name: {"language": now.language, **body}[name] for name in form.sends if name in (*body, "language")},)
    if form.do == "check_all":
        checks = now.table.checklist if now.table is not None else ()
        left = (one for one in checks if (one.seat or "") == body["who"] and not one.ok)
        return tuple({"do": "tick_checklist", "item": one.item, "seat": one.seat, "ok": True} for one in left)
    if form.do == "decide_desk":
        return (decision_body(body, now.desk),)
    if form.do == "accept_unread":
        return ({**body, "plies": now.desk["unread"]},)
    return (body,)


def sources(form: FormOfAct) -> dict[str, str]:
    """Return path -> the part of the table that is asked there, for all that an act may be about."""
    return dict(SOURCES[field.sort] for field in form.fields if field.sort in SOURCES)
