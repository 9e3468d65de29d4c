"""What the server believes was played: derived from the plies, for the record and the arbiter only.

It reads announcements, echoes, entries and mends; no board and no score is ever changed by it (G13).
"""

from __future__ import annotations

import chess

from server.play.position import Position
from server.play.resolving import resolve
from server.play.state import GameState, PlyRecord


def believed_move(record: PlyRecord, position: Position) -> str | None:
    """The move a ply most probably was. A mend outweighs an entry, an entry all words. What these say together, as
    weighed beside the table (`joint_belief`), outweighs the announcement alone, and that an echo alone.

    An announced illegal move stays the move that was announced. Where the words leave two pieces open, what was seen
    or said by the other side settles it; else it stays unknown.
    """
    if record.mended is not None:
        return record.mended
    if record.entered is not None:
        return record.entered
    if record.believed is not None:
        return record.believed
    board = position.board()
    said = record.announcement if record.announcement is not None else record.echo
    if said is None:
        return record.seen_on_other_board
    meant = resolve(said, board)
    if meant.uci is not None:
        return meant.uci
    later = [record.seen_on_other_board]
    if record.repeated is not None:
        later.append(resolve(record.repeated, board).uci)
    if record.echo is not None and record.echo_agrees is not False:
        later.append(resolve(record.echo, board).uci)
    return next((uci for uci in later if uci is not None and uci in meant.candidates), None)


def grounds(record: PlyRecord) -> tuple[object, ...]:
    """Everything of a record that the belief rests on."""
    return (
        record.announcement,
        record.repeated,
        record.echo,
        record.echo_agrees,
        record.entered,
        record.seen_on_other_board,
        record.mended,
        record.believed,
    )


def believed_line(start: Position, plies: tuple[PlyRecord, ...]) -> tuple[tuple[str | None, ...], tuple[Position, ...]]:
    """The believed moves and the positions they lead through; the positions end where the thread is lost."""
    line: list[str | None] = []
    positions = [start]
    for record in plies:
        uci = believed_move(record, positions[-1]) if len(positions) == len(line) + 1 else record.mended
        line.append(uci)
        if uci is None or len(positions) != len(line):
            continue
        try:
            positions.append(positions[-1].after(uci))
        except ValueError:
            line[-1] = None
    return tuple(line), tuple(positions)


def extended(
    state: GameState, plies: tuple[PlyRecord, ...], changed: int
) -> tuple[tuple[str | None, ...], tuple[Position, ...]]:
    """The believed line after the record of ply `changed` is new: everything before it is kept as it is."""
    keep = changed - 1
    if keep < len(state.line) and len(state.positions) > changed:
        uci = believed_move(plies[keep], state.positions[keep])
        if uci == state.line[keep]:  # what is new says the same: what follows from it stays
            return state.line, state.positions
    if len(state.positions) <= keep:
        return (*state.line[:keep], *(record.mended for record in plies[keep:])), state.positions
    line, positions = believed_line(state.positions[keep], plies[keep:])
    return (*state.line[:keep], *line), (*state.positions[:keep], *positions)


def announced_on(record: PlyRecord, position: Position, *, by_echo: bool) -> str | None:
    """The move that the words mean on one physical board: the announcer's own words, or the other side's echo.

    Who repeated other words carried out those. Where the words that count leave two pieces open, the other words
    about this move may settle it, and on the announcer's board what was seen on the other. By geometry alone: a
    sighted player looks at his board on a screen, and what he sees there may not tell him who is pinned.
    """
    own, echo = (record.announcement, record.repeated), (record.echo,)
    differing = record.echo_agrees is False
    said = echo if by_echo and differing else own if differing else (*echo, *own) if by_echo else (*own, *echo)
    board = position.board()
    board.turn = chess.WHITE if record.seat == "white" else chess.BLACK
    open_: tuple[str, ...] = ()
    for words in said:
        if words is None:
            continue
        meant = resolve(words, board, by_geometry=True)
        if meant.uci is not None and (not open_ or meant.uci in open_):
            return meant.uci
        open_ = open_ or meant.candidates
    return record.seen_on_other_board if not by_echo and record.seen_on_other_board in open_ else None
