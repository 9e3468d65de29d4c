"""A fault in `config/rules` is one sentence with the file and the key path."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from server.game.laws.adaptations import Adaptation, Recorded, check_value, questions_open, value_of
from server.game.laws.event_options import EventOptions, Points, Supervision
from server.game.laws.penalties import Penalty
from server.game.laws.rule_set import RuleSet
from server.wording.rules import load_rule_set, read_event_options
from speech.complaint import Complaint
from tests.game.laws.all_rules import Rules, load_rules


@pytest.fixture
def own_config(tmp_path: Path, repo: Path) -> Path:
    for folder in ("rules", "languages"):
        shutil.copytree(repo / "config" / folder, tmp_path / folder)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        (
            "fide2023",
            "resign_no_mate = {",
            "resign_no_mat = {",
            r"fide2023\.toml, key options\.resign_no_mat: .*spelling",
        ),
        (
            "fide2018",
            'value = "loss", origin = "text"',
            'value = "lost", origin = "text"',
            r"options\.resign_no_mate\.value",
        ),
        (
            "fide2018",
            'value = "loss", origin = "text"',
            'origin = "text"',
            r"options\.resign_no_mate\.value: .*not stated",
        ),
        (
            "short",
            'illegal_counting = { value = "together", origin = "text" }',
            "",
            r"options\.illegal_counting: .*missing",
        ),
        (
            "short",
            'illegal_loses_at = { value = 3, origin = "text"',
            'illegal_loses_at = { value = 3, origin = "hearsay"',
            r"origin: choose",
        ),
        ("fide2023", 'rapid_full = "A.4"', "rapid_full = 4", r"key articles\.rapid_full"),
        ("fide2017h2", "standard_s = 120", 'standard_s = "120"', r"options\.illegal_bonus\.value"),
        (
            "en/rules",
            "fide2018 =",
            "fide2081 =",
            r"key editions\.fide2081: this sentence is missing; config/languages/en/words/rules\.toml has it",
        ),
        ("fide2023", "[options]", "[options", r"not valid TOML"),
        ("adaptations", 'default = "file"', 'default = "files"', r"adaptations\.toml, key file_names\.default"),
        (
            "adaptations",
            'default_follows = "machine_announces"',
            'default_follows = "machine"',
            r"announcement_on_movers_time",
        ),
        ("adaptations", 'values = ["mover", "none"]', 'values = "mover"', r"announcement_charge\.values"),
        ("adaptations", "must_answer = true", "must_anser = true", r"key sighted_press_without_announcement"),
        ("penalties", 'article = "12.9.3"', 'article = "12.9.4"', r"penalty\[3\]\.article"),
        ("penalties", 'effect = "fine"', 'effect = "money"', r"penalties\.toml, key penalty\[7\]"),
        (
            "en/rules",
            'warning = "a warning"\n',
            "",
            r"key penalties\.warning: config/languages/en/words/rules\.toml has no",
        ),
        ("hu/rules", "warning =", "warming =", r"hu/words/rules\.toml, key penalties\.warning: .*missing"),
    ],
)
def test_a_complaint_names_file_and_key(own_config: Path, name: str, old: str, new: str, said: str) -> None:
    tag, _, part = name.rpartition("/")
    place = (
        own_config / "languages" / tag / "words" / f"{part}.toml"
        if tag
        else next((own_config / "rules").rglob(f"{name}.toml"))
    )
    text = place.read_text("utf-8")
    assert old in text
    place.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(Complaint, match=said):
        load_rules(own_config)


def test_a_missing_file_and_an_unknown_rule_set(own_config: Path) -> None:
    (own_config / "rules" / "penalties.toml").unlink()
    with pytest.raises(Complaint, match=r"config/rules/penalties\.toml is missing"):
        load_rules(own_config)
    with pytest.raises(Complaint, match=r"choose one of .*fide2023"):
        load_rule_set("fide2014")


def test_event_options_from_a_table(fide2023: RuleSet) -> None:
    table = {
        "default_time_s": 900,
        "draw_offer_min_moves": 30,
        "supervision": "basic",
        "points": "3-1-0",
        "report_when_leaving": True,
        "guidelines": ["I", "III"],
        "overrides": {"illegal_loses_at": 3},
    }
    event = read_event_options(table, fide2023, "cup.toml")
    assert event == EventOptions(
        900, 30, Supervision.BASIC, Points.THREE, True, ("I", "III"), (("illegal_loses_at", 3),)
    )
    assert (
        read_event_options({"draw_offer_min_moves": "forbidden"}, fide2023, "cup.toml").draw_offer_min_moves
        == "forbidden"
    )


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"default_time": 900}, r"cup\.toml, key event\.default_time: "),
        ({"default_time_s": -1}, r"event\.default_time_s: it cannot be below zero"),
        ({"draw_offer_min_moves": "never"}, r"event\.draw_offer_min_moves"),
        ({"guidelines": ["IV"]}, r"event\.guidelines"),
        ({"points": "2-1-0"}, r"event\.points"),
        ({"overrides": {"illegal_loses": 3}}, r"event\.overrides\.illegal_loses: .*spelling"),
        ({"overrides": {"illegal_loses_at": "third"}}, r"event\.overrides\.illegal_loses_at"),
    ],
)
def test_bad_event_options(fide2023: RuleSet, table: dict[str, object], said: str) -> None:
    with pytest.raises(Complaint, match=said):
        read_event_options(table, fide2023, "cup.toml")


@pytest.mark.law("L175", "L184", "L185", "L187", "L191")
def test_adaptations_by_name(rules: Rules) -> None:
    known = rules.adaptations
    assert {name: one.default for name, one in known.items()} == {
        "rank_language": "de",
        "file_names": "file",
        "piece_and_castling_words": "de",
        "sighted_press_needs_announcement": "off",
        "sighted_press_without_announcement": "",
        "spoken_time_automatic": "off",
        "player_sets_clock": "off",
        "flag_called_by_system": "off",
        "flag_cue_private": "on",
        "tactile_two_hands_exempt": "off",
        "position_readout": "off",
        "machine_announces": "off",
        "announcement_on_movers_time": "off",
        "announcement_charge": "mover",
        "touch_evidence_one_sided": "off",
    }
    check_value(known, "rank_language", "hu")
    for name, value in (("rank_language", "german"), ("file_names", "on"), ("two_hands", "on")):
        with pytest.raises(ValueError, match=name):
            check_value(known, name, value)


@pytest.mark.law("L003", "L175")
def test_an_adaptation_counts_once_the_arbiter_approves(rules: Rules) -> None:
    known = rules.adaptations
    asked = {"machine_announces": Recorded("on", False), "rank_language": Recorded("en", False)}
    assert value_of(known, asked, "machine_announces") == "off"
    assert value_of(known, asked, "announcement_on_movers_time") == "off"
    assert value_of(known, asked, "rank_language") == "en"  # the arbiter decides otherwise: no approval beside it
    granted = {"machine_announces": Recorded("on", True)}
    assert value_of(known, granted, "announcement_on_movers_time") == "on"
    refused = {**granted, "announcement_on_movers_time": Recorded("off", True)}
    assert value_of(known, refused, "announcement_on_movers_time") == "off"


@pytest.mark.law("L191")
def test_the_question_the_arbiter_cannot_skip(rules: Rules) -> None:
    question = "sighted_press_without_announcement"
    assert questions_open(rules.adaptations, {}) == (question,)
    assert questions_open(rules.adaptations, {question: Recorded("note", True)}) == ()


@pytest.mark.law("L144")
def test_nine_penalties_ascending(rules: Rules) -> None:
    assert [penalty.article for penalty in rules.penalties] == [f"12.9.{number}" for number in range(1, 10)]
    assert [rules.penalties[place].id for place in (0, 8)] == ["warning", "expulsion"]
    assert rules.penalties[5].effect == "loss"
    assert rules.penalties[0].words("de") == "Verwarnung" and rules.penalties[0].words("hy") == "զգուշացում"


SWITCH = ("on", "off")
FREE = Adaptation("free", "D.1", ("a", "b"), "a", needs_approval=False)
OFFERED = Adaptation("offered", "D.1", SWITCH, "on", needs_approval=True)
ASKED_FOR = Adaptation("asked_for", "D.1", SWITCH, "off", needs_approval=True)
QUESTION = Adaptation("question", "D.1", ("a", "b"), "", needs_approval=True, must_answer=True)
FOLLOWING = Adaptation("following", "D.1", SWITCH, "off", needs_approval=True, default_follows="asked_for")
WORDED = Adaptation("worded", "D.1", ("a", "approved"), "a", needs_approval=False)
BY_NAME = {one.name: one for one in (FREE, OFFERED, ASKED_FOR, QUESTION, FOLLOWING, WORDED)}


@pytest.mark.law("L175")
@pytest.mark.parametrize(
    ("name", "recorded", "counts"),
    [
        ("free", {}, "a"),
        ("free", {"free": ("b", False)}, "b"),  # it needs no approval
        ("offered", {}, "off"),  # the arbiter has only been asked, and has not approved it
        ("offered", {"offered": ("on", False)}, "off"),
        ("offered", {"offered": ("on", True)}, "on"),
        ("asked_for", {}, "off"),
        ("asked_for", {"asked_for": ("on", True)}, "on"),
        ("asked_for", {"asked_for": ("approved", True)}, "on"),  # an older word for it
        ("worded", {"worded": ("approved", True)}, "approved"),  # where "on" is none of its values
        ("question", {}, ""),
        ("question", {"question": ("b", True)}, "b"),
        ("question", {"question": ("b", False)}, ""),
        ("following", {}, "off"),
        ("following", {"asked_for": ("on", True)}, "on"),
        ("following", {"asked_for": ("on", False)}, "off"),
        ("following", {"asked_for": ("on", True), "following": ("off", True)}, "off"),
        ("following", {"asked_for": ("on", True), "following": ("off", False)}, "on"),
    ],
)
def test_what_counts_at_the_table(name: str, recorded: dict[str, tuple[str, bool]], counts: str) -> None:
    assert value_of(BY_NAME, {key: Recorded(*given) for key, given in recorded.items()}, name) == counts


@pytest.mark.law("L175")
def test_what_is_no_adaptation_or_none_of_its_values() -> None:
    with pytest.raises(ValueError, match=r'^"other" is no adaptation$'):
        value_of(BY_NAME, {}, "other")
    names = "asked_for, following, free, offered, question, worded"
    with pytest.raises(ValueError, match=f'^"other" is no adaptation; the names are {names}$'):
        check_value(BY_NAME, "other", "on")
    with pytest.raises(ValueError, match=r'^free cannot be "c"; choose one of a, b$'):
        check_value(BY_NAME, "free", "c")
    check_value(BY_NAME, "free", "b")
    assert questions_open(BY_NAME, {}) == ("question",) and questions_open({"free": FREE}, {}) == ()
    assert questions_open(BY_NAME, {"question": Recorded("a", True)}) == ()


@pytest.mark.law("L175")
def test_an_adaptation_may_change_later_and_asks_nothing_unless_that_is_said() -> None:
    plain = ("free", "D.1", ("a", "b"), "a", False, False, "", (), False)
    assert msgspec.structs.astuple(FREE) == plain


@pytest.mark.law("L144")
def test_a_penalty_is_named_in_english_where_a_language_has_no_words() -> None:
    penalty = Penalty("x", "12.9.1", "none", (("en", "a warning"), ("de", "Verwarnung"), ("hu", "")))
    assert [penalty.words(language) for language in ("en", "de", "hu", "fr")] == [
        "a warning", "Verwarnung", "a warning", "a warning",
    ]  # fmt: skip
