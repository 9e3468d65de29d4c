"""A rule set is one edition of the Laws: its options, where they come from, and its article numbers.

See L001, preset table.

An option that is None is one the edition does not state: the case goes to the arbiter (Preface, L002).
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import msgspec

Origin = Literal["text", "assumed", "not stated", "event"]

# What the editions number differently; "" where an edition has no number for it.
ARTICLE_KEYS = (
    *("en_passant", "promotion", "repetition_intended", "repetition_appeared", "same_position"),
    *("rapid_penalties", "rapid_full", "rapid_sheet", "rapid_basic", "rapid_fixed"),
    *("blitz_penalties", "blitz_full", "blitz_sheet", "blitz_basic", "blitz_fixed"),
    *("basic_settings", "basic_set_up", "basic_illegal", "basic_time_claim", "basic_wait", "basic_flag"),
)


class Bonus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Extra time for the opponent, in seconds, by kind of game.

    `blitz_full_s`: under full supervision (gap G10).
    """

    standard_s: int | None = None
    rapid_s: int | None = None
    blitz_s: int | None = None
    blitz_full_s: int | None = None


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All options in which the editions differ, in the order of the preset table."""

    illegal_loses_at: int | None  # this many completed illegal moves of one player lose (7.5.5)
    illegal_counting: Literal["together", "by_category"] | None
    illegal_bonus: Bonus | None
    wrong_draw_claim_bonus: Bonus | None  # 9.5.3
    rapid_first_illegal_loses: bool | None  # rapid and blitz under basic supervision
    press_without_move: Literal["illegal", "not_illegal"] | None  # 7.5.3
    two_hands: Literal["illegal_once_pressed", "duty_only"] | None  # 7.5.4
    unpromoted_pawn: Literal["forced_queen", "restore"] | None  # 7.5.2
    reversed_colours: Literal["new_game_under_ten", "continue"] | None  # 7.3
    resign_no_mate: Literal["loss", "draw"] | None  # 5.1.2
    touch_both_colours: Literal["laws", "any_capture"] | None  # 4.3.3
    scoresheet: Literal["scoresheet", "paper_or_certified_electronic"] | None  # 8.1.1
    result_confirmation: Literal["signatures", "signatures_or_electronic"] | None  # 8.7
    rapid_time_claim_needs_time_left: bool | None
    quickplay_claims: Literal["announced", "always"] | None  # III
    quickplay_increment_request: bool | None  # III.4
    quickplay_postponed_bonus_s: int | None  # III.5.2
    quickplay_rejected_bonus_s: int | None  # III.5.3
    offer_before_move: Literal["valid", "move_may_be_demanded"] | None  # 9.1.2.1
    adjust_needs_opponent: bool | None  # 4.2.1
    completion: Literal["press_or_next_move", "press_only"] | None  # 6.2.1.2
    fivefold_consecutive: bool | None  # 9.6.1
    sealed_on: Literal["own_scoresheet", "paper_scoresheet"] | None  # I.1.1
    chess960: Literal["guideline", "not_offered"] | None  # II
    score_complete_before: Literal["moving", "touching"] | None = None  # 8.5.2; S-4; None in older records


OPTIONS: tuple[str, ...] = Options.__struct_fields__


class RuleSet(msgspec.Struct, frozen=True):
    """One edition: its options, where each value comes from, and its article numbers."""

    name: str
    title: str
    options: Options
    origins: tuple[tuple[str, Origin], ...]
    articles: tuple[tuple[str, str], ...] = ()

    def origin(self, option: str) -> Origin:
        """Return where the value of an option comes from. Raises ValueError for a name that is no option."""
        for name, origin in self.origins:
            if name == option:
                return origin
        raise ValueError(f'"{option}" is no option of a rule set')

    def article(self, key: str) -> str:
        """Return the number of an article in this edition (`ARTICLE_KEYS`); "" where it has none."""
        if key not in ARTICLE_KEYS:
            raise ValueError(f'"{key}" is nothing that has an article number')
        return dict(self.articles).get(key, "")


# What holds where a record names an edition without its values: nothing is stated, so the arbiter decides everything.
UNSTATED = RuleSet("", "", Options(**dict.fromkeys(OPTIONS)), ())


@cache
def _kind(name: str) -> Any:
    """Return the type of a list of one value of an option. To ask for the fields takes 4 ms each time."""
    field = next(field for field in msgspec.structs.fields(Options) if field.name == name)
    return list[field.type]  # type: ignore[name-defined]


def read_option(name: str, value: Any) -> Any:
    """Return the value of an option, checked against its kind. Raises ValueError with one plain sentence.

    >>> read_option("illegal_loses_at", 3)
    3
    """
    if name not in OPTIONS:
        raise ValueError(f'"{name}" is no option of a rule set')
    try:
        (read,) = msgspec.convert([value], _kind(name))
    except msgspec.ValidationError as wrong:
        raise ValueError(f"{wrong}".replace("`", '"').replace("$[0]", name)) from wrong
    if isinstance(read, int) and not isinstance(read, bool) and read < (1 if name == "illegal_loses_at" else 0):
        raise ValueError(f"{read} is too small for {name}")
    if isinstance(read, Bonus) and any(s is not None and s < 0 for s in msgspec.structs.astuple(read)):
        raise ValueError(f"{name} has a time below zero")
    return read


def overridden(rule_set: RuleSet, name: str, value: Any) -> RuleSet:
    """Return the rule set with one option set by the regulations of the event.

    Its origin is then "event". A bonus may name only the kinds of game it changes. Raises ValueError with one plain
    sentence.
    """
    read = read_option(name, value)
    if read is None:
        raise ValueError(f"the regulations of an event must give {name} a value")
    before = getattr(rule_set.options, name)
    if isinstance(read, Bonus) and isinstance(before, Bonus):
        given = {key: s for key, s in msgspec.structs.asdict(read).items() if s is not None}
        read = msgspec.structs.replace(before, **given)
    origins: tuple[tuple[str, Origin], ...] = tuple(
        (option, "event" if option == name else origin) for option, origin in rule_set.origins
    )
    options = msgspec.structs.replace(rule_set.options, **{name: read})
    return msgspec.structs.replace(rule_set, options=options, origins=origins)
