"""Adaptations recorded at one table (D.1, L175), and which of them count."""

from __future__ import annotations

from collections.abc import Iterable

from server.game import acts as cmd
from server.game.acts import AdaptationRecorded, Refusal
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.laws.adaptations import APPROVED, ON, Adaptation, Recorded, check_value, questions_open, value_of
from server.game.state.state import GameState
from server.game.values.words import Mode, Seat, SeatKind

MACHINE_ANNOUNCES = "machine_announces"


def adaptation_value(state: GameState, name: str) -> str:
    """Return the value of an adaptation that counts at this table.

    The recorded value, where it needs no approval or has it, else the default. "" where the arbiter has not answered
    yet, or nothing is known of the adaptation (records older than the data).
    """
    known = _adaptations_known(state)
    if name not in known:
        return recorded_value(state, name) or ""
    return value_of(known, _adaptations_recorded(state), name)


def machine_announces_for(state: GameState, seat: Seat) -> bool:
    """Return whether the program announces a move of this seat as it stands on its board.

    Never for a tactile player, who says the move. The program announces in relay, and for a hearing-impaired opponent,
    who reads it at the table (D.2.11); elsewhere the players speak.
    """
    carries = state.table.mode is Mode.RELAY or (
        state.table.mode is Mode.TABLE and state.plan(seat.other).hearing_impaired
    )
    return (
        carries and adaptation_value(state, MACHINE_ANNOUNCES) == ON and state.plan(seat).kind is not SeatKind.TACTILE
    )


def recorded_value(state: GameState, name: str) -> str | None:
    """Return the recorded value that counts; None where the default counts."""
    return _recorded_value(state, name, _adaptations_known(state).get(name))


def recorded_values(state: GameState, names: Iterable[str]) -> dict[str, str | None]:
    """Return the recorded value that counts of each of these adaptations; None where the default counts."""
    known = _adaptations_known(state)
    return {name: _recorded_value(state, name, known.get(name)) for name in names}


def _recorded_value(state: GameState, name: str, known: Adaptation | None) -> str | None:
    for one in state.table.adaptations:
        if one.name == name and (one.approved or (known is not None and not known.needs_approval)):
            return known.read(one.value) if known is not None else ON if one.value == APPROVED else one.value
    return None


def open_questions(state: GameState) -> tuple[str, ...]:
    """Return the questions that the arbiter has to answer before a tactile player meets a sighted one (G1)."""
    if {state.table.white.kind, state.table.black.kind} != {SeatKind.TACTILE, SeatKind.SIGHTED}:
        return ()
    return questions_open(_adaptations_known(state), _adaptations_recorded(state))


@decides(cmd.RecordAdaptation)
def record_adaptation(draft: Draft, body: cmd.RecordAdaptation) -> Refusal | None:
    """Record an adaptation, or refuse it where the name or the value does not exist."""
    state, known = draft.state, _adaptations_known(draft.state)
    value = body.value
    if known:
        if body.name not in known:
            return Refusal("no_such_adaptation", "D.1")
        adaptation = known[body.name]
        value = adaptation.read(value)
        try:
            check_value(known, body.name, value)
        except ValueError:
            return Refusal("no_such_value", "D.1")
        if adaptation.fixed_at_start and state.table.started:
            return Refusal("fixed_before_the_game", "D.1")
    if body.name == MACHINE_ANNOUNCES and state.table.mode is Mode.RELAY and (value != ON or not body.approved):
        return Refusal("relay_runs", "D.1")
    draft.emit(AdaptationRecorded(at=draft.now, name=body.name, value=value, approved=body.approved))
    return None


def _adaptations_known(state: GameState) -> dict[str, Adaptation]:
    return {one.name: one for one in state.table.known_adaptations}


def _adaptations_recorded(state: GameState) -> dict[str, Recorded]:
    return {one.name: Recorded(one.value, one.approved) for one in state.table.adaptations}
