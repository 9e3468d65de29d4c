"""What the server believes was played: derived from the plies, for the record and the arbiter only.

It reads announcements, echoes, entries and mends; no board and no score is ever changed by it (G13).
"""

from __future__ import annotations

import chess

from server.game.acts.events import Contested
from server.game.state.resolving import fits, resolve
from server.game.state.state import GameState, PlyRecord
from server.game.values.position import UNKNOWN, Position
from server.game.values.words import Mode


def believed_move(record: PlyRecord, position: Position) -> str | None:
    """The move a ply most probably was. A mend outweighs an entry, an entry all words but another announcement that the
    opponent repeated. What words say together, as weighed beside the table (`joint_belief`), outweighs the announcement
    alone, and that an echo alone.

    An announced illegal move stays the move that was announced. Where the words leave two pieces open, what was seen
    or said by the other side settles it; else it stays unknown.
    """
    if record.mended is not None:
        return record.mended
    if record.by_hand is not None:
        return record.by_hand
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
        record.by_hand,
        record.seen_on_other_board,
        record.mended,
        record.believed,
    )


def believed_line(start: Position, plies: tuple[PlyRecord, ...]) -> tuple[tuple[str | None, ...], tuple[Position, ...]]:
    """The believed moves and the positions they lead through; the positions end where the thread is lost.

    Where the arbiter has decided what stands after a ply (its `anchor`, D.2.9), the game goes on from there; between
    the loss of the thread and there the positions are `UNKNOWN`.
    """
    line: list[str | None] = []
    positions = [start]
    for record in plies:
        followed = len(positions) == len(line) + 1
        uci = believed_move(record, positions[-1]) if followed else record.mended
        after = _after(positions[-1], uci) if followed else None
        line.append(uci if after is not None or not followed else None)
        anchor = record.anchor
        if anchor is None:
            positions.extend(() if after is None else (after,))
            continue
        if after is not None and (after.placement, after.turn) != (anchor.placement, anchor.turn):
            line[-1] = None  # it does not lead to where the arbiter found the game
        positions.extend([UNKNOWN] * (len(line) - len(positions)))
        positions.append(anchor)
    return tuple(line), tuple(positions)


def _after(position: Position, uci: str | None) -> Position | None:
    try:
        return None if uci is None else position.after(uci)
    except ValueError:
        return None


def extended(
    state: GameState, plies: tuple[PlyRecord, ...], changed: int
) -> tuple[tuple[str | None, ...], tuple[Position, ...]]:
    """The believed line after the record of ply `changed` is new: everything before it is kept as it is."""
    keep = changed - 1
    if keep < len(state.line) and len(state.positions) > changed and state.positions[keep].known:
        uci = believed_move(plies[keep], state.positions[keep])
        if uci == state.line[keep]:  # what is new says the same: what follows from it stays
            return state.line, state.positions
    if state.position_after(keep) is None:
        if not any(record.anchor is not None for record in plies[keep:]):
            return (*state.line[:keep], *(record.mended for record in plies[keep:])), state.positions
        while state.position_after(keep) is None:  # the start is known
            keep -= 1
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


def left_over_echo(state: GameState) -> tuple[Contested | None, PlyRecord | None]:
    """Words of the other player that may be the echo of the last made move, and that move: where nothing of it was
    announced to us and nothing repeated since. At a table alone: in relay the program announces.
    """
    record, before = state.ply(state.made_plies), state.ply(state.made_plies - 1)
    if record is None or before is None or before.left_over is None or state.mode is not Mode.TABLE:
        return None, None
    known = (record.announcement, record.utterance, record.echo, record.echo_utterance)
    return (before.left_over, record) if known == (None,) * 4 else (None, None)


def hand_differs(record: PlyRecord, uci: str, position: Position) -> bool:
    """Whether the move placed on the mover's own board (`position` before it) is another one than was announced.

    Where nothing was announced to us, the opponent's echo says what was (D.2.1). A board touched and a move announced
    are different acts (1.3, D.2.3): neither is made of the other.
    """
    unheard = record.announcement is None
    words = (record.echo,) if unheard else (record.announcement, record.repeated)
    board = position.board()
    board.turn = chess.WHITE if record.seat == "white" else chess.BLACK
    if any(one is not None and not fits(one, board, uci) for one in words):
        return True
    meant = announced_on(record, position, by_echo=unheard)
    return meant is not None and meant != uci
