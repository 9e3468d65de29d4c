"""The slices of the reconciliation desk and of the boards that are being set (D.2.9).

The slices are `Desk | None` and `Setting | None`. Opening, deciding and closing change both, in `apply.py`.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.reducer import applies
from server.game.values.words import Seat


class TypedCell(msgspec.Struct, frozen=True):
    """Cell of a score as the arbiter read it. `language`: "" for the player's own."""

    seat: Seat
    ply: int
    text: str
    language: str


class Desk(msgspec.Struct, frozen=True):
    """Everything on the desk.

    `boards`: what the arbiter saw on White's and on Black's board; None before anybody looked. `accepted`: the plies
    that the arbiter said need not be read, until they read or see anything else.
    """

    snapshot: ev.Snapshot
    boards: tuple[str | None, str | None] = (None, None)
    cells: tuple[TypedCell, ...] = ()
    heard: tuple[tuple[Seat, int], ...] = ()
    decided: ev.DeskDecided | None = None
    accepted: tuple[int, ...] = ()

    def accepts(self, plies: tuple[int, ...]) -> bool:
        """Say whether the arbiter has said that these plies need not be read."""
        return bool(self.accepted) and set(plies) <= set(self.accepted)

    def cell_typed(self, seat: Seat, ply: int) -> TypedCell | None:
        """Return the cell as the arbiter typed it; None where nothing was typed.

        A blank cell says that nothing is written there.
        """
        return next((one for one in self.cells if (one.seat, one.ply) == (seat, ply)), None)

    def placement_seen(self, seat: Seat) -> str | None:
        """Return the placement that the arbiter saw on a board; None before anybody looked."""
        return self.boards[0 if seat is Seat.WHITE else 1]

    def board(self, seat: Seat) -> str:
        """Return the placement of a board, as the arbiter saw it, else as the record had it."""
        seen = self.placement_seen(seat)
        kept = self.snapshot.white_board if seat is Seat.WHITE else self.snapshot.black_board
        return seen if seen is not None else kept


class Setting(msgspec.Struct, frozen=True):
    """The boards are being set to what the arbiter decided (D.2.9), or to a position that was restored.

    See 7.5.1. `because`: desk or restored. `ply`: the ply after which the placement stands. `white`, `black`: the
    squares of each board that must be set. `asked`: the square that each player is told now. `said`: the players who
    say that their board stands. `on_black`: what shall stand on Black's board, where that is something else.
    """

    because: str
    ply: int
    placement: str
    turn: Seat
    white: tuple[ev.SquareToSet, ...] = ()
    black: tuple[ev.SquareToSet, ...] = ()
    asked: tuple[ev.SquareAsked | None, ev.SquareAsked | None] = (None, None)
    said: tuple[Seat, ...] = ()
    confirmed: tuple[Seat, ...] = ()
    on_black: ev.BoardWanted | None = None

    def board_wanted(self, seat: Seat) -> ev.BoardWanted:
        """Return what shall stand on this player's board."""
        both = ev.BoardWanted(placement=self.placement, turn=self.turn, ply=self.ply)
        return both if seat is Seat.WHITE or self.on_black is None else self.on_black

    def squares(self, seat: Seat) -> tuple[ev.SquareToSet, ...]:
        """Return the squares that this player sets."""
        return self.white if seat is Seat.WHITE else self.black

    def asked_of(self, seat: Seat) -> ev.SquareAsked | None:
        """Return the square that this player must set now."""
        return self.asked[0 if seat is Seat.WHITE else 1]

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Return whose board must still be confirmed: at the desk both, otherwise those that differ."""
        return tuple(
            seat for seat in Seat if seat not in self.confirmed and (self.because == "desk" or self.squares(seat))
        )

    def ask(self, seat: Seat, square: ev.SquareAsked | None) -> Setting:
        """Return the setting with another square that this player is told now."""
        white, black = self.asked
        return replace(self, asked=(square, black) if seat is Seat.WHITE else (white, square))


def when_play_goes_on(setting: Setting | None) -> Setting | None:
    """Return the setting that is left when play goes on: then the boards must be right, unless the desk is open."""
    return setting if setting is not None and setting.because == "desk" else None


@applies(ev.BoardRead)
def _board_read(desk: Desk | None, event: ev.BoardRead) -> Desk | None:
    if desk is None:
        return None
    white, black = desk.boards
    boards = (event.placement, black) if event.board is Seat.WHITE else (white, event.placement)
    return replace(desk, boards=boards, accepted=())


@applies(ev.CellTyped)
def _cell_typed(desk: Desk | None, event: ev.CellTyped) -> Desk | None:
    if desk is None:
        return None
    others = tuple(one for one in desk.cells if (one.seat, one.ply) != (event.seat, event.ply))
    typed = (TypedCell(event.seat, event.ply, event.text, event.language),) if event.text.strip() else ()
    return replace(desk, cells=(*others, *typed), accepted=())


@applies(ev.CellHeard)
def _cell_heard(desk: Desk | None, event: ev.CellHeard) -> Desk | None:
    if desk is None or (event.seat, event.ply) in desk.heard:
        return desk
    return replace(desk, heard=(*desk.heard, (event.seat, event.ply)))


@applies(ev.UnreadAccepted)
def _unread_accepted(desk: Desk | None, event: ev.UnreadAccepted) -> Desk | None:
    return replace(desk, accepted=event.plies) if desk is not None else None


@applies(ev.BoardsToSet)
def _to_set(setting: Setting | None, event: ev.BoardsToSet) -> Setting:
    """Replace what is being set; where only one board was read, the other board's progress stays."""
    new = Setting(
        event.because, event.ply, event.placement, event.turn, event.white, event.black, on_black=event.on_black
    )
    if setting is None or event.read is None:
        return new
    other = event.read.other
    asked = (None, setting.asked[1]) if event.read is Seat.WHITE else (setting.asked[0], None)
    said, confirmed = (tuple(seat for seat in seats if seat is other) for seats in (setting.said, setting.confirmed))
    return replace(new, asked=asked, said=said, confirmed=confirmed)


@applies(ev.SquareAsked)
def _square_asked(setting: Setting | None, event: ev.SquareAsked) -> Setting | None:
    return setting.ask(event.seat, event) if setting is not None else None


@applies(ev.BoardSaidSet)
def _said_set(setting: Setting | None, event: ev.BoardSaidSet) -> Setting | None:
    if setting is None:
        return None
    said = setting.said if event.seat in setting.said else (*setting.said, event.seat)
    return replace(setting.ask(event.seat, None), said=said)


@applies(ev.BoardConfirmed)
def _confirmed(setting: Setting | None, event: ev.BoardConfirmed) -> Setting | None:
    if setting is None or event.board in setting.confirmed:
        return setting
    setting = replace(setting, confirmed=(*setting.confirmed, event.board)).ask(event.board, None)
    return setting if setting.because == "desk" or setting.awaited else None
