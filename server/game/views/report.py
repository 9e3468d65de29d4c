"""The report of a game and the protocol of each reconciliation. Pure.

The report has rules, people, devices, the course of the game, pauses, claims, scoresheets, incidents, reconciliations,
penalties, alerts and the result (L001, L003, L175, L197); the protocol of a reconciliation of two boards (D.2.9) is
made of the same lines. It puts together what the events say; `chronicle.py` tells those that are one line each.
Words belong to the module that writes it out; another section is one more function in `SECTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from server.game import acts as ev
from server.game.decide.adaptations import adaptation_value
from server.game.decide.set_up.table import checks
from server.game.game import Game
from server.game.state.state import GameState
from server.game.values.clock import time_text
from server.game.values.words import Role, Seat
from server.game.views.chronicle import ReportLine as ReportLine
from server.game.views.chronicle import (
    dated_line,
    lines_of_subject,
    of_alerts,
    of_devices,
    of_incidents,
    of_pauses,
    of_penalties,
    of_the_claims,
    of_the_course,
    of_the_scores,
)
from server.game.views.reconciled import Dated as Dated
from server.game.views.reconciled import (
    Decision,
    Explain,
    Reconciled,
    SaidThere,
    Times,
    differing,
    in_ranges,
    reconciliations,
    taken_back,
)


class Section(msgspec.Struct, frozen=True):
    """Part of a report; without entries it says that there was nothing."""

    name: str
    entries: tuple[ReportLine, ...]


class Protocol(msgspec.Struct, frozen=True):
    """Protocol of one reconciliation (D.2.9): its sections, and the two players who sign it."""

    number: int
    wall_ms: int
    players: tuple[str, str]
    event: str
    sections: tuple[Section, ...]


def report_of(record: Sequence[Dated], explain: Explain | None = None) -> tuple[Section, ...]:
    """Return the whole report of a table, from its record alone.

    `explain`: says what the desk found at a moment.
    """
    state = Game.replay(dated.event for dated in record)
    desks = [entry for one in reconciliations(record, explain) for entry in _lines_of_reconciliation(one)]
    shown = {
        **{name: section(state, record) for name, section in SECTIONS.items()},
        "reconciliations": tuple(desks),
        "taken_back": _taken_back(record),
    }
    return tuple(Section(name, shown[name]) for name in ORDER)


def protocols_of(record: Sequence[Dated], explain: Explain | None = None) -> tuple[Protocol, ...]:
    """Return the protocol of each reconciliation of a table, the first one first."""
    state = Game.replay(dated.event for dated in record)
    players = (state.table.white.name, state.table.black.name)
    return tuple(
        Protocol(number, one.opened.wall_ms, players, state.table.event_name, _sections(one))
        for number, one in enumerate(reconciliations(record, explain), 1)
    )


def _lines_of_reconciliation(one: Reconciled) -> tuple[ReportLine, ...]:
    """Return a reconciliation as lines of the report."""
    return tuple(entry for section in _sections(one) for entry in section.entries)


def _sections(one: Reconciled) -> tuple[Section, ...]:
    begun = ReportLine("desk_opened", (str(one.plies), *_clock(one.before)), None, "D.2.9")
    before = [dated_line(begun, one.opened)]
    if one.reason:
        before.append(ReportLine("desk_reason", (one.reason,)))
    decisions = one.decisions
    said = [line for decision in decisions[-1:] for line in decision.lines] or list(one.undecided)
    return (
        Section("desk_before", tuple(before)),
        Section("desk_boards", _boards(one)),
        Section("desk_scores", tuple(_line_of_saying(line) for line in said)),
        Section("desk_found", tuple(entry for each in decisions for entry in _verdict_lines(each))),
        Section("desk_decided", tuple(entry for each in decisions for entry in _decision_lines(each))),
        Section("desk_set", (*(entry for each in decisions[-1:] for entry in _set(each)), *_confirmation_lines(one))),
    )


def _boards(one: Reconciled) -> tuple[ReportLine, ...]:
    white, black = one.shown
    squares = [ReportLine("square_differed", square) for square in differing(*one.shown)]
    if not squares:
        return (ReportLine("boards_alike", (white,)),)
    return (ReportLine("board_showed", ("white", white)), ReportLine("board_showed", ("black", black)), *squares)


def _line_of_saying(line: SaidThere) -> ReportLine:
    return ReportLine("score_said", (line.seat.value, str(line.ply), line.text or "-", line.how))


def _verdict_lines(each: Decision) -> tuple[ReportLine, ...]:
    """Return the verdict by the Laws, what explains the boards, and where the server had another move."""
    decided = each.decided
    verdict = ReportLine("found", (decided.verdict,), article="D.2.9") if decided.verdict else ReportLine("found_none")
    shown = [verdict]
    if decided.ply is not None:
        shown.append(ReportLine("agreed", (str(decided.ply),)))
    if each.looked.undecided:
        shown.append(ReportLine("not_explained"))
    if each.unread:
        shown.append(ReportLine("unread_accepted", (in_ranges(each.unread),)))
    for one in each.looked.accounts:
        shown.append(
            ReportLine("explained", (one.kind, one.where, str(one.ply), one.recorded or "-", one.instead or "-"))
        )
    if each.mended is not None:
        ply, before, after = each.mended
        shown.append(ReportLine("line_mended", (str(ply), before, after)))
    return tuple(shown)


def _decision_lines(each: Decision) -> tuple[ReportLine, ...]:
    decided = each.decided
    ply = "" if decided.ply is None else str(decided.ply)
    shown = [ReportLine(f"decided_{decided.kind}", (ply,), None, "D.2.9", each.wall_ms, by=each.by)]
    if each.taken_back:
        shown.append(ReportLine("moves_taken_back", each.taken_back))
    shown.append(ReportLine(f"times_{each.times.source}", _clock(each.times)))
    if decided.reason:
        shown.append(ReportLine("desk_reason", (decided.reason,)))
    for one in decided.differs:
        left = ReportLine("still_line", (str(one.ply),)) if one.what == "line" else None
        shown.append(left or ReportLine("still_board", (one.what, " ".join(one.squares))))
    return tuple(shown)


def _set(each: Decision) -> tuple[ReportLine, ...]:
    """Return the squares to set on each board, and how the boards must stand then."""
    shown = [ReportLine("stands", (each.decided.placement, each.decided.turn.value))]
    for seat, squares in (("white", each.decided.white), ("black", each.decided.black)):
        shown += [ReportLine("square_set", (seat, one.square, one.should_be or "")) for one in squares]
        if not squares and each.decided.kind != "mend":
            shown.append(ReportLine("nothing_set", (seat,)))
    return tuple(shown)


def _confirmation_lines(one: Reconciled) -> tuple[ReportLine, ...]:
    shown = [ReportLine("board_confirmed", (seat.value,), wall_ms=wall) for seat, wall in one.confirmed]
    if one.closed_ms is not None:
        shown.append(ReportLine("desk_closed", (one.closed,), wall_ms=one.closed_ms))
    return tuple(shown)


def _taken_back(record: Sequence[Dated]) -> tuple[ReportLine, ...]:
    """Return the positions taken back, at the desk or by the arbiter directly (7.1, 7.5.1), and boards read after."""
    shown = []
    for one in taken_back(record):
        moves, times = " ".join(one.moves) or "-", _clock(Times("", one.white_ms, one.black_ms))
        article = "D.2.9" if one.desk else "7.1"
        values = (str(one.ply), moves, *times, one.reason)
        shown.append(ReportLine("taken_back", values, None, article, one.wall_ms, by=one.by))
        shown += [ReportLine("board_confirmed", (seat.value,), wall_ms=wall) for seat, wall in one.confirmed]
    return tuple(shown)


def _clock(times: Times) -> tuple[str, str]:
    return time_text(times.white_ms), time_text(times.black_ms)


def _rules(state: GameState, record: Sequence[Dated]) -> tuple[ReportLine, ...]:
    """Return the edition in force, rated or not, and what the event settles otherwise (L001, L003)."""
    shown = [
        ReportLine("edition", (state.table.rules.title or state.table.rule_set, state.table.rule_set)),
        ReportLine("rated" if state.table.rated else "not_rated"),
        ReportLine("supervision", (state.table.regulations.supervision.value,)),
        ReportLine("boards", (state.table.boards.value,)),
        ReportLine("time_control", (state.time.clock.control.text,)),
    ]
    if state.table.regulations.guidelines:
        shown.append(ReportLine("guidelines", (", ".join(state.table.regulations.guidelines),)))
    if state.table.regulations.unsupervised:
        shown.append(ReportLine("unsupervised", article="III.6"))
    if state.table.follows:
        shown.append(ReportLine("in_place_of", (state.table.follows,), article="7.2.1"))
    shown += [ReportLine("overridden", (name, _plain(value))) for name, value in state.table.regulations.overrides]
    return tuple(shown)


def _adaptations(state: GameState, record: Sequence[Dated]) -> tuple[ReportLine, ...]:
    """Return every recorded adaptation that deviates from the default, with its approval and time.

    Changes are included.
    """
    known = {one.name: one for one in state.table.known_adaptations}
    shown = []
    for dated in record:
        event = dated.event
        if not isinstance(event, ev.AdaptationRecorded):
            continue
        one = known.get(event.name)
        counted = event.approved or (one is not None and not one.needs_approval)
        name = "adapted" if counted else "not_approved"
        if counted and one is not None and event.value == one.unrecorded and event in state.table.adaptations:
            continue  # without it the same value counts
        article, text = (one.article, one.text) if one is not None else ("D.1", ())
        shown.append(dated_line(ReportLine(name, (event.name, event.value), article=article, text=text), dated))
    recorded = {event.name for event in state.table.adaptations}
    for one in known.values():  # those that are on because another one is
        value = adaptation_value(state, one.name)
        if one.name not in recorded and value != one.unrecorded:
            shown.append(
                ReportLine("follows", (one.name, value, one.default_follows), article=one.article, text=one.text)
            )
    return tuple(shown)


def _people(state: GameState, record: Sequence[Dated]) -> tuple[ReportLine, ...]:
    """Return who sat where, the assistants as admitted, and demands for two boards (4.9, D.2.10, D.1)."""
    shown = []
    for seat in Seat:
        plan = state.plan(seat)
        also = ("hearing-impaired",) if plan.hearing_impaired else ()
        shown.append(ReportLine("player", (plan.name or "?", plan.kind.value, *also), seat=seat))
    for dated in record:
        match dated.event:
            case ev.StationAdmitted(role=Role.ASSISTANT) as admitted:
                values = (*(duty.value for duty in admitted.duties), *filter(None, (admitted.provided_by,)))
                article = admitted.under or "D.2.10"
                shown.append(dated_line(ReportLine("assistant", values, admitted.seat, article), dated))
            case ev.TwoBoardsDemanded(seat=by):
                shown.append(dated_line(ReportLine("two_boards", (), by, "D.1"), dated))
    return tuple(shown)


def _checklist(state: GameState, record: Sequence[Dated]) -> tuple[ReportLine, ...]:
    """Return how much was in order, in one line, what was not, and what was never looked at."""
    points = checks(state)
    ticked = sum(tick is not None and tick.ok for _, _, tick in points)
    still_open = tuple(
        ReportLine(
            "not_looked_at" if tick is None else "not_in_order",
            (item.name, *filter(None, (tick.note if tick is not None else "",))),
            seat,
            item.article,
            text=item.text,
        )
        for item, seat, tick in points
        if tick is None or not tick.ok
    )
    return (*((ReportLine("ticked", (str(ticked), str(len(points)))),) if ticked else ()), *still_open)


def _penalties(state: GameState, record: Sequence[Dated]) -> tuple[ReportLine, ...]:
    """Return penalties, and time given or taken: what a penalty gave stands in its own line, as it was given."""
    shown: list[ReportLine] = []
    last: ev.Penalised | None = None
    for dated in record:
        line, event = of_penalties(dated.event), dated.event
        if line is None:
            continue
        if isinstance(event, ev.TimeAdded) and last is not None and _gave(last, event):
            penalty, _, *rest = shown[-1].values
            shown[-1] = msgspec.structs.replace(shown[-1], values=(penalty, str(abs(event.ms)), *rest))
            continue
        last = event if isinstance(event, ev.Penalised) else None
        shown.append(dated_line(line, dated))
    return tuple(shown)


def _gave(penalty: ev.Penalised, time: ev.TimeAdded) -> bool:
    """Return whether this time was given or taken by that penalty."""
    return (penalty.at, penalty.article, penalty.reason) == (time.at, time.article, time.reason)


def _result(state: GameState, record: Sequence[Dated]) -> tuple[ReportLine, ...]:
    shown = []
    for dated in record:
        match dated.event:
            case ev.GameEnded() as one:
                shown.append(dated_line(ReportLine("result", (one.result, one.reason), None, one.article), dated))
            case ev.NextGameOrdered():
                assert state.table.next_game is not None  # ordered, and by now perhaps open under another name
                shown.append(dated_line(ReportLine("next_game", (state.table.next_game.table,), None, "7.2.1"), dated))
            case ev.ResultApproved() as one:
                shown.append(dated_line(ReportLine("result_approved", (one.result,), one.seat, "8.7"), dated))
    if ended := [dated.event.at for dated in record if isinstance(dated.event, ev.GameEnded)]:
        reading, age_ms = state.clock_known(ended[-1])
        if reading is not None and age_ms is None:  # another clock's last reading is not what it showed at the end
            clock = state.time.clock
            times = (time_text(clock.remaining(seat, ended[-1])) for seat in Seat)
            shown.append(ReportLine("final_clocks", tuple(times)))
    return tuple(shown)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


SECTIONS: dict[str, Callable[[GameState, Sequence[Dated]], tuple[ReportLine, ...]]] = {
    "rules": _rules,
    "adaptations": _adaptations,
    "people": _people,
    "checklist": _checklist,
    "devices": lambda _, record: lines_of_subject(of_devices, record),
    "course": lambda _, record: lines_of_subject(of_the_course, record),
    "pauses": lambda _, record: of_pauses(record),
    "claims": lambda _, record: lines_of_subject(of_the_claims, record),
    "scores": lambda _, record: lines_of_subject(of_the_scores, record),
    "incidents": lambda _, record: lines_of_subject(of_incidents, record),
    "penalties": _penalties,
    "alerts": lambda _, record: of_alerts(record),
    "result": _result,
}

ORDER = (
    *("rules", "adaptations", "people", "checklist", "devices", "course", "pauses", "claims", "scores", "incidents"),
    *("reconciliations", "taken_back", "penalties", "alerts", "result"),
)
