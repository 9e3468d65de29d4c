"""The penalty for a completed illegal move, or a wrong claim of a draw.

That depends on the edition, the kind of game and the supervision. Sources: 7.5.5 (L084), A.4.2 / A.5.2 (L153), A.3 and
B.2 / B.3 (L147, L158), 9.5.3 (L111). Whether the opponent can mate is not asked here: a loss becomes a draw where the
opponent cannot.

It also describes a penalty of 12.9 (L144).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec

from server.game.laws.event_options import Supervision
from server.game.laws.rule_set import Bonus, RuleSet
from server.game.laws.supervision import TimeClass, basic


class Illegality(StrEnum):
    """Kinds of completed illegal moves (7.5.1 to 7.5.4)."""

    MOVE = "move"
    UNPROMOTED_PAWN = "unpromoted_pawn"
    PRESS_WITHOUT_MOVE = "press_without_move"
    TWO_HANDS = "two_hands"


ARTICLE = {
    Illegality.MOVE: "7.5.1",
    Illegality.UNPROMOTED_PAWN: "7.5.2",
    Illegality.PRESS_WITHOUT_MOVE: "7.5.3",
    Illegality.TWO_HANDS: "7.5.4",
}


class IllegalPenalty(msgspec.Struct, frozen=True):
    """Penalty that the rule set has for one more illegal move; the arbiter orders it, never the program.

    `counts`, `loses`, `bonus_ms` are None where the rule set does not say: the arbiter decides. `number`: which illegal
    move of this player it is, counting those that count together.
    """

    counts: bool | None
    number: int
    loses: bool | None
    bonus_ms: int | None
    article: str


def _of(bonus: Bonus | None, kind: TimeClass, supervision: Supervision) -> int | None:
    if bonus is None:
        return None
    match kind:
        case TimeClass.STANDARD:
            seconds = bonus.standard_s
        case TimeClass.RAPID:
            seconds = bonus.rapid_s
        case TimeClass.BLITZ:
            seconds = bonus.blitz_full_s if supervision is Supervision.FULL else bonus.blitz_s
    return None if seconds is None else seconds * 1000


def illegal_bonus_ms(rule_set: RuleSet, kind: TimeClass, supervision: Supervision) -> int | None:
    """Return the opponent's extra time (ms) for an illegal move that does not lose.

    None where the rule set does not say.
    """
    return _of(rule_set.options.illegal_bonus, kind, supervision)


def wrong_claim_bonus_ms(rule_set: RuleSet, kind: TimeClass, supervision: Supervision) -> int | None:
    """Return the opponent's extra time (ms) for a wrong claim of a draw (9.5.3).

    None where the rule set does not say.
    """
    return _of(rule_set.options.wrong_draw_claim_bonus, kind, supervision)


def illegal_loses_at(rule_set: RuleSet, kind: TimeClass, supervision: Supervision) -> int | None:
    """Return which illegal move of a player loses: 2 for the second.

    It is the first in rapid and blitz under the older rules of A.4.2 (L153). None where the rule set does not say.
    """
    if basic(kind, supervision) and rule_set.options.rapid_first_illegal_loses:
        return 1
    return rule_set.options.illegal_loses_at


def counts_as_illegal(rule_set: RuleSet, illegality: Illegality) -> bool | None:
    """Return whether this edition counts it as an illegal move; None where the edition does not say."""
    match illegality:
        case Illegality.PRESS_WITHOUT_MOVE:
            said = rule_set.options.press_without_move
            return None if said is None else said == "illegal"
        case Illegality.TWO_HANDS:
            hands = rule_set.options.two_hands
            return None if hands is None else hands == "illegal_once_pressed"
        case _:
            return True


def _category(one: Illegality) -> Illegality:
    """Return what is counted together where the edition counts by category.

    An unpromoted pawn is then an ordinary illegal move.
    """
    return Illegality.MOVE if one is Illegality.UNPROMOTED_PAWN else one


def illegal_penalty(
    rule_set: RuleSet,
    kind: TimeClass,
    supervision: Supervision,
    earlier: tuple[Illegality, ...],
    illegality: Illegality,
) -> IllegalPenalty:
    """Return the penalty of the rule set for an illegal move.

    `earlier`: the illegal moves that this player has completed before in this game.
    """
    counts = counts_as_illegal(rule_set, illegality)
    if not counts:
        loses = None if counts is None else False
        return IllegalPenalty(counts, 0, loses, None if counts is None else 0, ARTICLE[illegality])
    alike = [one for one in earlier if counts_as_illegal(rule_set, one)]
    if rule_set.options.illegal_counting == "by_category":
        alike = [one for one in alike if _category(one) is _category(illegality)]
    number = len(alike) + 1
    limit = illegal_loses_at(rule_set, kind, supervision)
    loses = None if limit is None else number >= limit
    article = (rule_set.article("basic_illegal") if basic(kind, supervision) else "") or "7.5.5"
    bonus = 0 if loses else illegal_bonus_ms(rule_set, kind, supervision)
    return IllegalPenalty(True, number, loses, bonus, article)


Effect = Literal[
    "none",
    "opponent_time",
    "offender_time",
    "opponent_points",
    "offender_points",
    "loss",
    "fine",
    "rounds",
    "event",
]


class Penalty(msgspec.Struct, frozen=True):
    """One penalty of 12.9.

    `text`: pairs of language and words. `effect`: what it does to the clock or the result.
    """

    id: str
    article: str
    effect: Effect
    text: tuple[tuple[str, str], ...]

    def words(self, language: str) -> str:
        """Return the words in a language, English where there are none."""
        texts = dict(self.text)
        return texts.get(language) or texts["en"]
