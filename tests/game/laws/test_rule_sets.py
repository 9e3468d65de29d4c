"""The preset table as data: every option of every edition, its origin, and what an event may settle otherwise."""

from __future__ import annotations

import importlib
import pkgutil

import msgspec
import pytest

from server.game import laws
from server.game.laws.event_options import EventOptions, Points, Supervision, rules_of
from server.game.laws.rule_set import ARTICLE_KEYS, OPTIONS, UNSTATED, Bonus, RuleSet, overridden, read_option
from server.wording.rules import editions
from tests.game.laws.all_rules import Rules

B = Bonus
# Option by option: fide2018, fide2023, short, fide2017h2; None where the edition does not state it.
PRESETS = {
    "illegal_loses_at": (2, 2, 3, 2),
    "illegal_counting": ("together", "together", "together", "by_category"),
    "illegal_bonus": (B(120, 120, 60, 60), B(120, 60, 60, 120), B(120, 120, 120, 120), B(120)),
    "wrong_draw_claim_bonus": (B(120, 120, 60, 60), B(120, 60, 60, 120), None, None),
    "rapid_first_illegal_loses": (False, False, None, True),
    "press_without_move": ("illegal", "illegal", None, "illegal"),
    "two_hands": ("illegal_once_pressed", "illegal_once_pressed", "duty_only", "illegal_once_pressed"),
    "unpromoted_pawn": ("forced_queen", "forced_queen", "restore", None),
    "reversed_colours": ("new_game_under_ten", "new_game_under_ten", "continue", None),
    "resign_no_mate": ("loss", "draw", None, "loss"),
    "touch_both_colours": ("laws", "laws", "any_capture", "laws"),
    "scoresheet": ("scoresheet", "paper_or_certified_electronic", "scoresheet", "scoresheet"),
    "result_confirmation": ("signatures", "signatures_or_electronic", None, "signatures"),
    "rapid_time_claim_needs_time_left": (False, False, None, None),
    "quickplay_claims": ("announced", "announced", "always", None),
    "quickplay_increment_request": (True, True, None, None),
    "quickplay_postponed_bonus_s": (120, 120, 120, None),
    "quickplay_rejected_bonus_s": (120, 120, 0, None),
    "offer_before_move": ("valid", "valid", "move_may_be_demanded", "valid"),
    "adjust_needs_opponent": (False, False, True, False),
    "completion": ("press_or_next_move", "press_or_next_move", "press_only", "press_or_next_move"),
    "fivefold_consecutive": (False, False, None, None),
    "sealed_on": ("own_scoresheet", "paper_scoresheet", None, None),
    "chess960": ("guideline", "guideline", "not_offered", None),
    "score_complete_before": ("moving", "moving", "touching", None),
}
ASSUMED_2017 = {
    *("rapid_first_illegal_loses", "resign_no_mate", "touch_both_colours", "scoresheet", "result_confirmation"),
    *("offer_before_move", "adjust_needs_opponent", "completion"),
}


@pytest.mark.law("L001", "L032", "L082", "L083", "L242", "L243")
def test_every_option_of_the_preset_table(rules: Rules) -> None:
    assert tuple(PRESETS) == OPTIONS
    for column, name in enumerate(("fide2018", "fide2023", "short", "fide2017h2")):
        options = rules.rule_sets[name].options
        assert {option: getattr(options, option) for option in OPTIONS} == {
            option: cells[column] for option, cells in PRESETS.items()
        }


@pytest.mark.law("L001")
def test_every_origin_is_named(rules: Rules) -> None:
    assert tuple(rules.rule_sets) == editions()
    known = {"fide2023": set(), "fide2018": set(), "short": set(), "fide2017h2": ASSUMED_2017}
    assert [name for name in editions() if name in known] == ["fide2023", "fide2018", "fide2017h2", "short"]
    for rule_set in rules.rule_sets.values():
        for option in OPTIONS:
            stated = getattr(rule_set.options, option) is not None
            assert (rule_set.origin(option) == "not stated") == (not stated)
    assumed = {name: {o for o in OPTIONS if rules.rule_sets[name].origin(o) == "assumed"} for name in known}
    assert assumed == known


@pytest.mark.law("L016", "L017", "L104", "L105", "L106", "L148", "L150", "L159", "L161", "L162")
def test_articles_by_edition(fide2018: RuleSet, fide2023: RuleSet, short: RuleSet) -> None:
    pairs = {key: (fide2018.article(key), fide2023.article(key)) for key in ARTICLE_KEYS}
    assert pairs["en_passant"] == ("3.7.4.1", "3.7.3.1")
    assert pairs["promotion"] == ("3.7.5.1", "3.7.3.3")
    assert pairs["repetition_intended"] == ("9.2.1.1", "9.2.1")
    assert pairs["repetition_appeared"] == ("9.2.1.2", "9.2.2")
    assert pairs["same_position"] == ("9.2.2", "9.2.3")
    assert [pairs[f"rapid_{key}"] for key in ("full", "basic", "fixed")] == [
        ("A.3", "A.4"),
        ("A.4", "A.5"),
        ("A.5", "A.6"),
    ]
    assert [pairs[f"blitz_{key}"] for key in ("full", "basic", "fixed")] == [
        ("B.3", "B.2"),
        ("B.4", "B.3"),
        ("B.5", "B.4"),
    ]
    basic = [key for key in ARTICLE_KEYS if key.startswith("basic_")]
    assert [pairs[key][0].replace("A.4", "A.5") for key in basic] == [pairs[key][1] for key in basic]
    assert {short.article(key) for key in ARTICLE_KEYS} == {""}
    with pytest.raises(ValueError, match="nothing that has an article"):
        short.article("rapid")


def test_an_event_settles_an_option_otherwise(fide2023: RuleSet) -> None:
    event = EventOptions(overrides=(("illegal_bonus", {"blitz_full_s": 60}), ("resign_no_mate", "loss")))
    played = rules_of(fide2023, event)
    assert played.options.illegal_bonus == Bonus(120, 60, 60, 60)
    assert (played.origin("illegal_bonus"), played.origin("resign_no_mate")) == ("event", "event")
    assert played.origin("illegal_loses_at") == "text"
    assert fide2023.options.resign_no_mate == "draw"


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("illegal_loses_at", 0),
        ("illegal_loses_at", "2"),
        ("illegal_loses_at", True),
        ("resign_no_mate", "win"),
        ("illegal_bonus", {"standard_s": -1}),
        ("illegal_bonus", {"standard": 120}),
        ("quickplay_rejected_bonus_s", -5),
        ("resign_mate", "loss"),
        ("resign_no_mate", None),
    ],
)
def test_a_bad_override_is_refused(fide2023: RuleSet, option: str, value: object) -> None:
    with pytest.raises(ValueError, match=option):
        overridden(fide2023, option, value)


def test_reading_takes_what_it_writes(rules: Rules) -> None:
    for rule_set in rules.rule_sets.values():
        for option in OPTIONS:
            value = getattr(rule_set.options, option)
            assert read_option(option, msgspec.to_builtins(value)) == value


@pytest.mark.law("L062", "L100", "L115", "L120", "L232")
def test_event_options_where_nothing_is_said() -> None:
    assert msgspec.structs.asdict(EventOptions()) == {
        "default_time_s": 0,
        "draw_offer_min_moves": 0,
        "supervision": Supervision.FULL,
        "points": Points.ONE,
        "report_when_leaving": False,
        "guidelines": (),
        "overrides": (),
        "low_time_s": None,
        "trouble_s": 60,
        "trouble_with_increment_s": 20,
        "long_increment_s": 30,
        "sound_needs_consent": False,
        "voice_days": None,
        "player_copies": False,
        "unsupervised": False,
        "device_penalty": "loss",
    }
    assert msgspec.structs.astuple(Bonus()) == (None, None, None, None)


def test_an_edition_of_which_only_the_name_is_known_states_nothing() -> None:
    assert msgspec.structs.astuple(UNSTATED.options) == (None,) * len(OPTIONS)
    assert (UNSTATED.name, UNSTATED.title, UNSTATED.origins, UNSTATED.articles) == ("", "", (), ())
    assert {UNSTATED.article(key) for key in ARTICLE_KEYS} == {""}


def test_what_is_no_option_is_said_in_a_sentence(fide2023: RuleSet) -> None:
    for ask in (fide2023.origin, lambda name: read_option(name, 1)):
        with pytest.raises(ValueError, match=r'^"resign_mate" is no option of a rule set$'):
            ask("resign_mate")
    sentences = {
        ("illegal_loses_at", 0): "0 is too small for illegal_loses_at",
        ("quickplay_rejected_bonus_s", -1): "-1 is too small for quickplay_rejected_bonus_s",
        ("illegal_bonus", (("rapid_s", -1),)): "illegal_bonus has a time below zero",
        ("resign_no_mate", None): "the regulations of an event must give resign_no_mate a value",
        ("resign_no_mate", 7): 'Expected "str \\| null", got "int" - at "resign_no_mate"',
    }
    for (name, value), sentence in sentences.items():
        with pytest.raises(ValueError, match=f"^{sentence}$"):
            overridden(fide2023, name, dict(value) if isinstance(value, tuple) else value)


def test_the_least_an_event_may_set(fide2023: RuleSet) -> None:
    assert overridden(fide2023, "illegal_loses_at", 1).options.illegal_loses_at == 1
    assert overridden(fide2023, "illegal_bonus", {"blitz_s": 0}).options.illegal_bonus == Bonus(120, 60, 0, 120)
    assert overridden(fide2023, "quickplay_rejected_bonus_s", 0).options.quickplay_rejected_bonus_s == 0
    assert overridden(fide2023, "fivefold_consecutive", False).options.fivefold_consecutive is False


def test_a_bonus_where_the_edition_states_none_is_the_events_alone(short: RuleSet) -> None:
    """The short rules know no bonus for a wrong claim: what the event names is all there is."""
    named = overridden(short, "wrong_draw_claim_bonus", {"rapid_s": 60})
    assert named.options.wrong_draw_claim_bonus == Bonus(rapid_s=60)
    assert named.origin("wrong_draw_claim_bonus") == "event"
    changed = [option for option in OPTIONS if named.origin(option) != short.origin(option)]
    assert changed == ["wrong_draw_claim_bonus"]


def test_every_value_of_the_room_is_frozen() -> None:
    names = [module.name for module in pkgutil.iter_modules(laws.__path__)]
    modules = [importlib.import_module(f"{laws.__name__}.{name}") for name in names]
    values = {
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, msgspec.Struct) and value is not msgspec.Struct
    }
    assert len(values) > 15 and all(value.__struct_config__.frozen for value in values)
