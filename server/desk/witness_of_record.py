"""What a table's record is as evidence beside two scores (6.12.2): its moves, and the sounds behind the cells."""

from __future__ import annotations

from server.game.state.state import GameState
from server.scoresheets.reconcile.witness import Listen, Witness


def witness_of(state: GameState) -> Witness:
    """The server's moves, and the sound of each cell that was dictated, announced or echoed."""
    clips: dict[tuple[int, str], Listen] = {}
    for side, cells in (("white", state.white_score), ("black", state.black_score)):
        for ply, cell in enumerate(cells, 1):
            if cell is not None and cell.utterance is not None:
                clips[ply, side] = Listen(ply, side, cell.utterance)
    for record in state.plies:
        mover = record.seat.value
        other = "black" if mover == "white" else "white"
        for side, utterance in ((mover, record.utterance), (other, record.echo_utterance)):
            if utterance is not None:
                clips.setdefault((record.index, side), Listen(record.index, side, utterance))
    return Witness(state.line, tuple(clips.values()))
