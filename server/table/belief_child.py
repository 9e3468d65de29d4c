"""The process that ranks the moves heard of the last plies; `server.table.belief_worker` starts it."""

from __future__ import annotations

import msgspec

from server.game.belief import BeliefQuestion, most_probable_line
from speech.process import give_way, serve_child


def answer_belief(asked: dict[str, object]) -> dict[str, object]:
    """Return the moves believed to have been played; the answer is the same on every machine."""
    question = msgspec.convert(asked["question"], BeliefQuestion)
    return {"plies": msgspec.to_builtins(most_probable_line(question))}


if __name__ == "__main__":
    give_way()  # no answer to a player may wait for this work, which depends on the position
    serve_child(answer_belief)
