"""Asking to see the scoresheet in rapid and blitz: five times, on one's own move (A.4.3, B.2.3; L149, L160)."""

from __future__ import annotations

from typing import Literal

import msgspec

from server.game.laws.event_options import Supervision
from server.game.laws.rule_set import RuleSet
from server.game.laws.time_class import TimeClass

REQUESTS_A_GAME = 5


class SheetRequest(msgspec.Struct, frozen=True):
    """What becomes of a request: the sheet is shown (to the tactile player read), the arbiter is told, or refused."""

    answer: Literal["show", "distraction", "refuse"]
    article: str
    number: int


def sheet_request(
    rule_set: RuleSet, kind: TimeClass, supervision: Supervision, earlier: int, *, on_move: bool
) -> SheetRequest:
    """A request after `earlier` ones granted. The sixth is a distraction (11.5): the arbiter's to answer.

    Where the arbiter keeps no sheet (basic supervision; standard play, where each keeps his own) none can be shown.
    """
    if kind is TimeClass.STANDARD or supervision is Supervision.BASIC:
        return SheetRequest("refuse", "8.1.1" if kind is TimeClass.STANDARD else "A.2", earlier)
    article = rule_set.article(f"{kind.value}_sheet") or "11.5"
    if not on_move:
        return SheetRequest("refuse", article, earlier)
    number = earlier + 1
    return SheetRequest("show" if number <= REQUESTS_A_GAME else "distraction", article, number)
