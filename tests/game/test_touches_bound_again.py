"""A move that was taken back is ruled irregular afterwards: what was touched in it binds its successor (7.5.1, 4.3)."""

from __future__ import annotations

from typing import Any

import pytest

from server.game import acts as ev
from server.game.laws.touch import Touch
from server.game.state.apply import apply
from server.game.state.line import PlyRecord
from server.game.state.moves import START, MovesState, PlyGone
from server.game.state.rulings import RulingsState
from server.game.state.state import GameState
from server.game.values.words import Origin, Seat

WHITE, BLACK = Seat.WHITE, Seat.BLACK
KNIGHT, PAWN = (Touch("g1"),), (Touch("e2"),)


def plies(first: int, last: int) -> tuple[PlyRecord, ...]:
    return tuple(
        PlyRecord(index, WHITE if index % 2 else BLACK, made_ms=index, completed_ms=index)
        for index in range(first, last + 1)
    )


def touch(number: int, ply: int, because: str) -> ev.TouchReported:
    return ev.TouchReported(
        at=0, number=number, seat=WHITE, ply=ply, square="g1", how="lifted", origin=Origin.ENTERED, because=because
    )


TOUCHES = (touch(1, 5, "restored"), touch(2, 5, "accident"), touch(3, 7, "restored"), touch(4, 5, "restored"))
"""Of the first three the line that was taken back let go; of the fourth an earlier one did."""
GONE = (PlyGone(5, "g1f3", START), PlyGone(6, None, None))


def ruled(line: int = 1, ply: int = 5, **state: Any) -> RulingsState:
    """Rule on move 3 of White, ply 5, of a line that was taken back to just before it."""
    fields: dict[str, Any] = {
        "plies": plies(1, 4),
        "discarded": (plies(5, 6),),
        "gone": (GONE,),
        "touches": TOUCHES,
        "let_go": ((1, 2, 3),),
        "replacing": None,
    } | state
    moves = MovesState(plies=fields["plies"], discarded=fields["discarded"], gone=fields["gone"])
    rulings = RulingsState(touches=fields["touches"], let_go=fields["let_go"], replacing=fields["replacing"])
    event = ev.IrregularityRuled(
        at=0, seat=WHITE, ply=ply, kind="illegal", confirmed=True, counts=True, article="7.5.5", number=1, line=line
    )
    return apply(GameState(moves=moves, rulings=rulings), event).rulings


def binding(rulings: RulingsState) -> list[int]:
    return [one.number for one in rulings.touches if not one.because]


@pytest.mark.law("L080")
def test_its_touches_bind_again_and_its_piece_must_move() -> None:
    after = ruled()
    assert binding(after) == [1]
    assert [one.because for one in after.touches] == ["", "accident", "restored", "restored"]
    assert after.replacing == (5, KNIGHT) and after.ruled_gone == ((1, 5),) and after.illegals == ((WHITE, "illegal"),)


@pytest.mark.parametrize(
    ("given", "bound", "replacing"),
    [
        pytest.param({"plies": plies(1, 5)}, [1], (5, KNIGHT), id="the successor is made already"),
        pytest.param({"plies": plies(1, 6)}, [], None, id="the game went on behind the successor"),
        pytest.param({"plies": plies(1, 3)}, [], None, id="the game has not come to it again"),
        pytest.param({"discarded": (plies(4, 6),)}, [], None, id="the game went back to before an earlier move"),
        pytest.param({"discarded": ((),)}, [], None, id="nothing was taken back"),
        pytest.param(
            {"discarded": (plies(5, 6), plies(3, 4)), "let_go": ((1, 2, 3), ())},
            [],
            None,
            id="a later line went further back",
        ),
        pytest.param(
            {"discarded": (plies(5, 6), plies(5, 5)), "gone": (GONE, ()), "let_go": ((1, 2, 3), (4,))},
            [1],
            (5, KNIGHT),
            id="a later line went back to the same place",
        ),
        pytest.param(
            {"discarded": (plies(5, 6), ()), "gone": (GONE, ()), "let_go": ((1, 2, 3), ())},
            [1],
            (5, KNIGHT),
            id="a later line had nothing to take back",
        ),
        pytest.param(
            {"line": 2, "discarded": (plies(3, 4), plies(5, 6)), "gone": ((), GONE), "let_go": ((4,), (1, 2, 3))},
            [1],
            (5, KNIGHT),
            id="the second of two lines",
        ),
        pytest.param(
            {"discarded": (plies(5, 6), plies(5, 5)), "gone": (GONE, ()), "let_go": ((1, 2, 3),)},
            [],
            (5, KNIGHT),
            id="an older record says of the newest line alone what was let go",
        ),
        pytest.param({"replacing": (5, PAWN)}, [1], (5, PAWN + KNIGHT), id="beside what was to be replaced there"),
        pytest.param({"replacing": (3, PAWN)}, [1], (5, KNIGHT), id="not beside what was to be replaced elsewhere"),
        pytest.param(
            {"gone": ((PlyGone(5, None, START),),)}, [1], (5, ()), id="nobody knows which move it was"
        ),
        pytest.param({"gone": ((PlyGone(5, "g1f3", None),),)}, [1], (5, ()), id="nobody knows from where"),
        pytest.param({"gone": ()}, [1], (5, ()), id="an older record says nothing of what went"),
    ],
)  # fmt: skip
def test_they_bind_where_the_game_stands_at_its_successor(
    given: dict[str, Any], bound: list[int], replacing: tuple[int, tuple[Touch, ...]] | None
) -> None:
    after = ruled(**given)
    assert (binding(after), after.replacing) == (bound, replacing)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("checkmate", True), ("stalemate", True), ("dead_position", True), ("fivefold", True),
        ("seventy_five_moves", True), ("perhaps_dead", False), ("flag", False),
    ],
)  # fmt: skip
def test_an_end_that_was_told_is_not_told_again(kind: str, told: bool) -> None:
    alert = ev.Alerted(at=0, kind=kind, ply=6, grey=True, detail="")
    assert apply(GameState(), alert).rulings.ends_told == (((kind, 6, True),) if told else ())
