"""Before which ply a take-back ends where the arbiter names none (7.1, 7.5.1; L074, L080)."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.decide.rulings.restore import complained_of
from server.game.state.rulings import AlertKept
from server.game.state.state import GameState
from server.game.values.words import Seat
from tests.game.core_table import CoreTable, altered, played
from tests.game.test_alerts_answered_by_acts import INCIDENTS, MOVE

W, B = Seat.WHITE, Seat.BLACK
FIVE = played("e4", "e5", "Nf3", "Nc6", "Bb5").state


def told(*alerts: tuple[Any, ...], **more: Any) -> GameState:
    """Five plies are made, and the arbiter was told of these: the kind, the ply, how it was put away, what is done."""
    unsettled = tuple(
        AlertKept(number, ev.Alerted(at=0, kind=kind, ply=ply, grey=False, detail=""), *rest)
        for number, (kind, ply, *rest) in enumerate(alerts, 1)
    )
    names = {"ruled": "rulings.ruled", "last": "rulings.last_ruled"}
    return altered(FIVE, {"rulings.unsettled": unsettled} | {names[name]: value for name, value in more.items()})


CLAIMED, ILLEGAL = "irregularity_claimed", "not_legal"


@pytest.mark.law("L074", "L080")
@pytest.mark.parametrize(
    ("state", "ply"),
    [
        (told(), 5),
        # a player's claim that nobody has answered comes first, the last of them
        (told((CLAIMED, 2)), 2),
        (told((CLAIMED, 3), (CLAIMED, 1), (ILLEGAL, 5)), 1),
        (told((CLAIMED, 2), last=(4, 5), ruled=((4, B),)), 2),
        (told((CLAIMED, 5)), 5),
        (told((CLAIMED, 1)), 1),
        (told((CLAIMED, 2, "filed")), 5),
        (told((CLAIMED, 2, "put_off")), 2),
        (told((CLAIMED, 2, "", ("ruled",))), 5),
        (told((CLAIMED, 2, "", ("back",))), 2),
        (told((CLAIMED, 0)), 5),  # about no move
        (told((CLAIMED, 6)), 5),  # not made yet
        # then the one ruled on since the last move
        (told(last=(3, 5), ruled=((1, W), (3, W))), 3),
        (told((ILLEGAL, 4), last=(3, 5), ruled=((3, W),)), 3),
        (told(last=(3, 4), ruled=((3, W),)), 5),  # a move was made since
        (told(last=(3, 5), ruled=((2, B),)), 5),  # the ruling fell out
        (told(last=(3, 5)), 5),
        # then the later of the last two that the arbiter was told of
        (told((ILLEGAL, 4)), 4),
        (told((ILLEGAL, 5), (ILLEGAL, 4)), 5),
        (told(("premature_press", 4)), 4),
        (told((ILLEGAL, 3)), 5),  # too long ago
        (told((ILLEGAL, 4, "filed")), 5),
        (told(("called", 4)), 5),  # about no move
    ],
)
def test_a_take_back_ends_before_the_move_that_was_complained_of_last(state: GameState, ply: int) -> None:
    assert complained_of(state) == ply


def test_every_alert_of_a_wrong_move_is_a_complaint_of_it() -> None:
    assert {complained_of(told((kind, 4))) for kind in f"{MOVE} {INCIDENTS}".split()} == {4}


def test_where_nothing_was_made_nothing_is_complained_of() -> None:
    table = CoreTable()
    assert complained_of(table.state) == 0
    assert table.do("arbiter", cmd.RestoreTo(ply=None)) == Refusal("no_such_ply", "7.1")
