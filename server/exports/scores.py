"""The scores of a table for the organiser, to whom they belong (8.3): each seat's apart, with its sounds' hashes."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from server.exports.table_pgn import score_text
from server.game.acts.events import AnyEvent, SoundKept
from server.game.game import Game
from server.game.laws.scoresheet_2 import CERTIFIED
from server.game.state.state import GameState
from server.game.values.words import Seat
from speech.complaint import Complaint


class CellHandedOver(msgspec.Struct, frozen=True):
    """One cell: its half-move, text, where it came from, and the sound it rests on with the SHA-256 of its file."""

    ply: int
    text: str
    source: str
    utterance: str | None
    sha256: str | None
    length_ms: int | None


class ScoreHandedOver(msgspec.Struct, frozen=True):
    """One player's score. `text`: as `anna-eins reconcile` reads it. `sheet`: on what he kept it."""

    seat: Seat
    player: str
    sheet: str
    text: str
    cells: tuple[CellHandedOver, ...]


class ScoresHandedOver(msgspec.Struct, frozen=True):
    """All of them. `certified_electronic_scoresheet`: whether this program is one in the sense of 8.1.1.2."""

    table: str
    event: str
    rule_set: str
    result: str | None
    certified_electronic_scoresheet: bool
    scores: tuple[ScoreHandedOver, ...]


def scores_of(table: str, events: Iterable[AnyEvent]) -> ScoresHandedOver:
    """Both players' scores from the record, separately; neither is filled from the other."""
    recorded = tuple(events)
    state = Game.replay(recorded)
    sounds = {event.utterance: event for event in recorded if isinstance(event, SoundKept)}
    return ScoresHandedOver(
        table=table,
        event=state.event_name,
        rule_set=state.rule_set,
        result=state.result,
        certified_electronic_scoresheet=CERTIFIED,
        scores=tuple(_score(state, seat, sounds) for seat in Seat),
    )


def copy_for(scores: ScoresHandedOver, seat: Seat, *, allowed: bool) -> str:
    """A player's copy of his own score as text. Raises Complaint where the organiser has not allowed copies (8.3)."""
    if not allowed:
        raise Complaint(
            "The scores belong to the organiser (8.3), and this event's regulations allow the players no copies; "
            "leave --copy away to export them for the organiser."
        )
    return next(score.text for score in scores.scores if score.seat is seat)


def _score(state: GameState, seat: Seat, sounds: dict[str, SoundKept]) -> ScoreHandedOver:
    cells = []
    for ply, cell in enumerate(state.score_of(seat), 1):
        if cell is None:
            continue
        sound = sounds.get(cell.utterance) if cell.utterance else None
        cells.append(
            CellHandedOver(
                ply=ply,
                text=cell.text,
                source=cell.source,
                utterance=cell.utterance,
                sha256=sound.sha256 if sound is not None else None,
                length_ms=sound.length_ms if sound is not None else None,
            )
        )
    return ScoreHandedOver(
        seat=seat,
        player=state.plan(seat).name,
        sheet=state.sheet_of(seat).value,
        text=score_text(state, seat),
        cells=tuple(cells),
    )
