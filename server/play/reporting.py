"""The report of a game: rules, adaptations, people, devices, incidents, penalties, alerts, result (L001, L003, L175).

Pure: it puts together what the events say. Words belong to whoever writes it out; another section is one more function
in `SECTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from server.play import events as ev
from server.play.adapting import adapted
from server.play.checking import checks
from server.play.events import AnyEvent
from server.play.game import Game
from server.play.state import GameState
from server.play.values import Role, Seat


class Dated(msgspec.Struct, frozen=True):
    """An event of the record and when it happened, in ms of the wall clock."""

    event: AnyEvent
    wall_ms: int


class Entry(msgspec.Struct, frozen=True):
    """One line of a report: what it is about, what is said of it, and when; `wall_ms` None for what holds throughout.

    `name` is a key of the words; `text` by language where the record itself carries it; `values` stand as they are.
    """

    name: str
    values: tuple[str, ...] = ()
    seat: Seat | None = None
    article: str = ""
    wall_ms: int | None = None
    text: tuple[tuple[str, str], ...] = ()


class Section(msgspec.Struct, frozen=True):
    """A part of the report; without entries it says that there was nothing."""

    name: str
    entries: tuple[Entry, ...]


def report_of(record: Sequence[Dated]) -> tuple[Section, ...]:
    """The whole report of a table, from its record alone."""
    state = Game.replay(dated.event for dated in record)
    return tuple(Section(name, section(state, record)) for name, section in SECTIONS.items())


def _rules(state: GameState, record: Sequence[Dated]) -> tuple[Entry, ...]:
    """The edition in force, rated or not, and what the event settles otherwise (L001, L003)."""
    shown = [
        Entry("edition", (state.rules.title or state.rule_set, state.rule_set)),
        Entry("rated" if state.rated else "not_rated"),
        Entry("supervision", (state.regulations.supervision.value,)),
        Entry("boards", (state.boards.value,)),
        Entry("time_control", (state.clock.control.text,)),
    ]
    shown += [Entry("overridden", (name, _plain(value))) for name, value in state.regulations.overrides]
    return tuple(shown)


def _adaptations(state: GameState, record: Sequence[Dated]) -> tuple[Entry, ...]:
    """Every adaptation that deviates from what counts unrecorded, with its approval and time, changes included."""
    known = {one.name: one for one in state.known_adaptations}
    shown = []
    for dated in record:
        event = dated.event
        if not isinstance(event, ev.AdaptationRecorded):
            continue
        one = known.get(event.name)
        counted = event.approved or (one is not None and not one.needs_approval)
        name = "adapted" if counted else "not_approved"
        if counted and one is not None and event.value == one.unrecorded and event in state.adaptations:
            continue  # it counts all the same without it
        article, text = (one.article, one.text) if one is not None else ("D.1", ())
        shown.append(Entry(name, (event.name, event.value), article=article, wall_ms=dated.wall_ms, text=text))
    recorded = {event.name for event in state.adaptations}
    for one in known.values():  # on because another one is
        value = adapted(state, one.name)
        if one.name not in recorded and value != one.unrecorded:
            shown.append(Entry("follows", (one.name, value, one.default_follows), article=one.article, text=one.text))
    return tuple(shown)


def _people(state: GameState, record: Sequence[Dated]) -> tuple[Entry, ...]:
    """Who sat where, the assistants as admitted, and demands for two boards (4.9, D.2.10, D.1)."""
    shown = []
    for seat in Seat:
        plan = state.plan(seat)
        also = ("hearing-impaired",) if plan.hearing_impaired else ()
        shown.append(Entry("player", (plan.name or "?", plan.kind.value, *also), seat=seat))
    for dated in record:
        match dated.event:
            case ev.StationAdmitted(role=Role.ASSISTANT) as admitted:
                values = (*(duty.value for duty in admitted.duties), *filter(None, (admitted.provided_by,)))
                article = admitted.under or "D.2.10"
                shown.append(Entry("assistant", values, admitted.seat, article, dated.wall_ms))
            case ev.TwoBoardsDemanded(seat=by):
                shown.append(Entry("two_boards", (), by, "D.1", dated.wall_ms))
    return tuple(shown)


def _checklist(state: GameState, record: Sequence[Dated]) -> tuple[Entry, ...]:
    """What was found not to be in order, and what was never looked at."""
    return tuple(
        Entry(
            "not_looked_at" if tick is None else "not_in_order",
            (item.name, *filter(None, (tick.note if tick is not None else "",))),
            seat,
            item.article,
            text=item.text,
        )
        for item, seat, tick in checks(state)
        if tick is None or not tick.ok
    )


def _devices(state: GameState, record: Sequence[Dated]) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            "device" if event.approved else "device_refused",
            (event.device, *filter(None, (event.note,))),
            event.seat,
            "11.3.2",
            dated.wall_ms,
        )
        for dated in record
        if isinstance(event := dated.event, ev.DeviceRegistered)
    )


def _incidents(state: GameState, record: Sequence[Dated]) -> tuple[Entry, ...]:
    """Incidents, decisions in the gaps of the Laws, irregularities confirmed, appeals."""
    shown = []
    for dated in record:
        wall = dated.wall_ms
        match dated.event:
            case ev.IncidentNoted() as one:
                shown.append(Entry("incident", (one.kind, one.text), one.seat, one.article, wall))
            case ev.Decided() as one:
                shown.append(Entry("decided", (one.gap, one.decision), None, one.article, wall))
            case ev.IrregularityRuled(confirmed=True) as one:
                shown.append(Entry("irregularity", (one.kind, str(one.ply)), one.seat, one.article, wall))
            case ev.AppealNoted() as one:
                shown.append(Entry("appeal", (one.against, one.text), one.seat, "11.10", wall))
            case ev.Interrupted() as one:
                shown.append(Entry("interrupted", (one.reason, str(one.uncertain_ms)), wall_ms=wall))
    return tuple(shown)


def _penalties(state: GameState, record: Sequence[Dated]) -> tuple[Entry, ...]:
    shown = []
    for dated in record:
        match dated.event:
            case ev.Penalised() as one:
                values = (one.penalty, str(one.amount), one.reason)
                shown.append(Entry("penalty", values, one.seat, one.article, dated.wall_ms))
            case ev.TimeAdded() as one:
                time = (f"{one.ms / 1000:+g}", one.reason)
                shown.append(Entry("time_added", time, one.seat, one.article, dated.wall_ms))
    return tuple(shown)


def _alerts(state: GameState, record: Sequence[Dated]) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            "heard_only" if event.grey else "alert", (event.kind, str(event.ply), event.detail), wall_ms=dated.wall_ms
        )
        for dated in record
        if isinstance(event := dated.event, ev.Alerted)
    )


def _result(state: GameState, record: Sequence[Dated]) -> tuple[Entry, ...]:
    shown = []
    for dated in record:
        match dated.event:
            case ev.GameEnded() as one:
                shown.append(Entry("result", (one.result, one.reason), None, one.article, dated.wall_ms))
            case ev.ResultApproved() as one:
                shown.append(Entry("result_approved", (one.result,), one.seat, "8.7", dated.wall_ms))
    return tuple(shown)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


SECTIONS: dict[str, Callable[[GameState, Sequence[Dated]], tuple[Entry, ...]]] = {
    "rules": _rules,
    "adaptations": _adaptations,
    "people": _people,
    "checklist": _checklist,
    "devices": _devices,
    "incidents": _incidents,
    "penalties": _penalties,
    "alerts": _alerts,
    "result": _result,
}
