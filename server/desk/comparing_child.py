"""The process that compares two scores within a limit, whole or line by line; `server.desk.comparing` starts it."""

from __future__ import annotations

from typing import Any

import msgspec

from server.desk.answer import desk_answer
from server.desk.comparing import LIMIT_S, Scores, compare_both_scores
from server.game.state.state import GameState
from speech.process import BudgetExceeded, give_way, limit_time, serve_child


def answer_comparison(asked: dict[str, Any]) -> dict[str, object]:
    """Return the comparison, or nothing where its time or its memory does not suffice."""
    try:
        if "scores" in asked:
            scores = msgspec.convert(asked["scores"], Scores)
            with limit_time(LIMIT_S):
                return {"compared": msgspec.to_builtins(compare_both_scores(scores))}
        state = msgspec.msgpack.decode(asked["state"], type=GameState)
        assert state.desk is not None
        with limit_time(LIMIT_S):
            return {"desk": msgspec.to_builtins(desk_answer(state, state.desk, tuple(asked["plies"])))}
    except (BudgetExceeded, MemoryError):
        return {}


if __name__ == "__main__":
    give_way()  # the games go first
    serve_child(answer_comparison)
