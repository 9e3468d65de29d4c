"""Make one review after another, each within a limit, in a process that `server.exports.reports.reviewing` starts."""

from __future__ import annotations

from typing import Any

import msgspec

from server.exports.reports.clock_curve import clock_curve
from server.exports.reports.review import in_braille, ply_told, review_of, summary
from server.exports.reports.reviewing import LIMIT_S, ReviewRequest, ReviewWords
from server.exports.table_pgn import pgn_of
from server.game.state.state import GameState
from server.wording.typed import scheme_read
from speech.process import BudgetExceeded, give_way, limit_time, serve_child


def make(question: dict[str, Any]) -> dict[str, object]:
    """Return the review or file that was asked for, or nothing where time or memory do not suffice.

    Raises Complaint.
    """
    try:
        with limit_time(LIMIT_S):
            state = msgspec.msgpack.decode(question["state"], type=GameState)
            return {"made": _make_review(question["table"], state, msgspec.convert(question["asked"], ReviewRequest))}
    except (BudgetExceeded, MemoryError):
        return {}


def _make_review(table: str, state: GameState, asked: ReviewRequest) -> bytes:
    if asked.file == "game.pgn":
        return pgn_of(state, asked.date).encode()
    review = review_of(table, state, asked.seat)
    match asked.file:
        case "score.brf":
            return in_braille(review, state).encode("ascii")
        case "clocks.wav":
            return clock_curve(review)
    scheme = scheme_read(state, asked.seat, asked.language)
    plies = tuple(ply_told(review, one.ply, scheme) for one in review.plies)
    return msgspec.msgpack.encode(ReviewWords(review, summary(review, scheme), plies, scheme.listener.tag))


if __name__ == "__main__":
    give_way()  # the games go first
    serve_child(make)
