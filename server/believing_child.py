"""The process that weighs what was heard of the last plies (`server.believing_beside` starts it)."""

from __future__ import annotations

import msgspec

from server.play.joint_belief import BeliefQuestion, believed
from speech.children import serve_child


def answer(asked: dict[str, object]) -> dict[str, object]:
    """The moves believed: the same on every machine."""
    question = msgspec.convert(asked["question"], BeliefQuestion)
    return {"plies": msgspec.to_builtins(believed(question))}


if __name__ == "__main__":
    serve_child(answer)
