"""The checklist of one table: what the arbiter has ticked, and what is open. It holds nothing up (L009, L177-L181)."""

from __future__ import annotations

from server.game.acts import commands as cmd
from server.game.acts.commands import Refusal
from server.game.acts.events import ChecklistTicked
from server.game.decide.draft import Draft
from server.game.laws.checklists import ChecklistItem
from server.game.state.state import GameState
from server.game.values.words import Seat, SeatKind


def seats_of(state: GameState, item: ChecklistItem) -> tuple[Seat | None, ...]:
    """Where an item is to be looked at: at which boards, or once at the table (None)."""
    match item.scope:
        case "board":
            return tuple(Seat)
        case "special_board":
            return tuple(seat for seat in Seat if state.plan(seat).kind is SeatKind.TACTILE)
        case "table":
            return (None,)


def checks(state: GameState) -> tuple[tuple[ChecklistItem, Seat | None, ChecklistTicked | None], ...]:
    """Every item where it applies, with the last that was said of it."""
    said = {(tick.item, tick.seat): tick for tick in state.ticks}
    return tuple(
        (item, seat, said.get((item.name, seat))) for item in state.checklist for seat in seats_of(state, item)
    )


def open_checks(state: GameState) -> tuple[tuple[str, Seat | None], ...]:
    """What has not been found in order yet."""
    return tuple((item.name, seat) for item, seat, tick in checks(state) if tick is None or not tick.ok)


CONSENT = "voice_recording"
"""The item by which a player's consent to the recording of his voice is on record."""


def may_keep_sound(state: GameState, seat: Seat) -> bool:
    """Whether what this player says may be kept as sound: he agreed, or was not asked where the event asks nobody."""
    answer = answer_of(state, seat)
    return answer if answer is not None else not state.regulations.sound_needs_consent


def answer_of(state: GameState, seat: Seat) -> bool | None:
    """What is on record of this player's consent; None where nothing is."""
    said = next((tick for tick in state.ticks if (tick.item, tick.seat) == (CONSENT, seat)), None)
    return said.ok if said is not None else None


def answer_recording(draft: Draft, seat: Seat, body: cmd.AnswerRecording) -> Refusal | None:
    """The player himself has answered whether his voice may be kept; it counts from here on, also taken back."""
    if not any(item.name == CONSENT for item in draft.state.checklist):
        return Refusal("no_such_check", "D.2.7")
    draft.emit(ChecklistTicked(at=draft.now, item=CONSENT, seat=seat, ok=body.agrees, own=True))
    return None


def tick_checklist(draft: Draft, body: cmd.TickChecklist) -> Refusal | None:
    """The arbiter has looked at something."""
    item = next((one for one in draft.state.checklist if one.name == body.item), None)
    if item is None:
        return Refusal("no_such_check", "12.2")
    if body.seat not in seats_of(draft.state, item):
        return Refusal("not_checked_there", item.article)
    draft.emit(ChecklistTicked(at=draft.now, item=body.item, seat=body.seat, ok=body.ok, note=body.note))
    return None
