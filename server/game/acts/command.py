"""A command's identity, a refusal, and all kinds of commands and events as one type each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias, Union

import msgspec

from server.game.acts import (
    adjournment,
    clock,
    conduct,
    desk,
    endings,
    moves,
    program,
    questions,
    rulings,
    schedule,
    scores,
    sound,
    stations,
    table,
)
from server.game.acts.base import Act, Event, Name, acts, events
from server.game.acts.moves import SpeechEvent
from server.game.values.speech import Speech
from server.game.values.words import Role

SUBJECTS = (
    adjournment,
    clock,
    conduct,
    desk,
    endings,
    moves,
    program,
    questions,
    rulings,
    schedule,
    scores,
    sound,
    stations,
    table,
)
"""The files of acts: an act whose file is not among them does not exist."""

STEPS = (
    *(table.Pause, table.Resume, table.SetClock, table.AddTime, table.SetIncrement, table.SetBoard, table.CallFlag),
    *(table.RuleResult, table.Mend, clock.CorrectClock, conduct.RuleStop, schedule.RuleAbsence, desk.OpenDesk),
    *(desk.ConfirmBoard, schedule.NotePresent),
    *(rulings.RuleIrregularity, rulings.RestoreTo, rulings.TakeBack, rulings.RuleClaim, rulings.RuleTouch),
    *(rulings.Penalise, rulings.RuleSetUp, rulings.RegisterDevice, rulings.SettleAlert),
)
"""The acts that settling an incident may consist of: none of them has a field that only the server may fill in."""


class OpenNext(Act):
    """The program opens the table of a new game that replaces a cancelled one (7.2.1).

    `events`: its first events, which may be of any kind.
    """

    events: tuple[AnyEvent, ...]  # so it stands here, below all of them


class SettleIncident(Act, by=Role.ARBITER, after_the_end=True):
    """The arbiter gives all acts that settle an incident, in their order: all of them count, or none (12.2).

    `numbers`: of its alerts, as in `settle_alert`.
    """

    numbers: rulings.AlertNumbers
    steps: Annotated[tuple[IncidentStep, ...], msgspec.Meta(min_length=1, max_length=12)]


if TYPE_CHECKING:
    StationAct: TypeAlias = Act
    IncidentStep: TypeAlias = Act
    OwnAct: TypeAlias = Act
    AnyAct: TypeAlias = Act
    AnyEvent: TypeAlias = Event
else:  # decoders are made from what registered itself
    StationAct = Union[tuple(kind for kind in acts() if not kind.rights.own)]  # noqa: UP007
    """What a station may ask for."""
    IncidentStep = Union[STEPS]  # noqa: UP007
    """What may be a step of settling an incident."""
    OwnAct = Union[tuple(kind for kind in acts() if kind.rights.own)]  # noqa: UP007
    """What the program alone does."""
    AnyAct = Union[acts()]  # noqa: UP007
    AnyEvent = Union[events()]  # noqa: UP007

_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def event_in(body: bytes) -> AnyEvent:
    """Return the event in a body of the record (JSON), in whatever form it was recorded. Raises MsgspecError.

    One decoder is made for all events: making it for each again took 150 microseconds an event, and most of a restart.
    """
    try:
        return _decoder.decode(body)
    except msgspec.ValidationError:
        earlier = _of_form_1(body)
        if earlier is None:
            raise
        return earlier


_OF_SPEECH = frozenset(str(kind.__struct_config__.tag) for kind in events() if issubclass(kind, SpeechEvent))


def _of_form_1(body: bytes) -> AnyEvent | None:
    """Return an event of form 1, in which what was said stood in the fields of the event itself; None for any other."""
    fields = msgspec.json.decode(body)
    if not isinstance(fields, dict) or fields.get("event") not in _OF_SPEECH or "speech" in fields:
        return None
    speech = {name: fields.pop(name) for name in Speech.__struct_fields__ if name in fields}
    event: AnyEvent = msgspec.convert({**fields, "speech": speech}, AnyEvent)
    return event


PROGRAM = "program"


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """A command's identity: a 128-bit id from the client (32 hex digits), the table, the station, the ply it is about.

    The same id again gets the same answer, also after a crash.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
    table: Name
    station: Name
    body: AnyAct
    about_ply: Annotated[int, msgspec.Meta(ge=0, le=1200)] | None = None


class Refusal(msgspec.Struct, frozen=True):
    """Why a command was not carried out: a code for the catalogue of texts, and the article or design rule."""

    code: str
    article: str
