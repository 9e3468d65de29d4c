"""The fields that the arbiter's page asks for to give an act: each as its type says it, in the order of the Laws."""

from __future__ import annotations

from typing import Any

import pytest

from server.game.acts.forms import GROUPS, forms, forms_of_parts

KINDS = ("displaced", "noise")
TIMES = {"values": ["leave", "stored"], "words": "choice.times."}

FIELDS: list[tuple[str, list[list[Any]]]] = [
    # a choice, by the values of its type; a time that may be left out altogether
    (
        "set_clock_master",
        [["clock_master", "choice", {"values": ["server", "livechess", "manual"], "words": "master."}]],
    ),
    ("schedule_start", [["in_ms", "time", {"optional": True, "null": True}]]),
    # a seat; a flag that is set, or not set, to begin with; free text
    ("note_present", [["seat", "seat", {}], ["present", "flag", {"value": True}]]),
    ("rule_absence", [["forfeit", "flag", {}], ["reason", "text", {}]]),
    # a ply, a placement, text
    (
        "restore_to",
        [
            ["ply", "ply", {"optional": True, "before": 1}],
            ["times", "choice", TIMES],
            ["placement", "placement", {"optional": True}],
            ["agreed", "flag", {}],
            ["reason", "text", {}],
        ],
    ),
    # either, where "not said" is a third answer
    (
        "describe_player",
        [
            ["seat", "seat", {}],
            ["hearing_impaired", "either", {"optional": True}],
            ["needs", "text", {}],
            ["echo_scores", "either", {"optional": True}],
        ],
    ),
    # text that must be given; a name with its own beginning; a word of so many letters
    (
        "decide_gap",
        [
            ["gap", "choice", {"values": [f"G{number}" for number in range(1, 15)], "words": "choice.gap."}],
            ["decision", "text", {"needed": True}],
            ["ply", "ply", {"optional": True}],
            ["article", "name", {}],
        ],
    ),
    (
        "set_increment",
        [["increment_ms", "seconds", {}], ["article", "name", {"value": "III.4"}], ["reason", "text", {}]],
    ),
    ("set_up_clock", [["control", "word", {"longest": 200}]]),
    # times, of which one may be taken away; two numbers side by side
    (
        "add_time",
        [["seat", "seat", {}], ["ms", "time", {"signed": True}], ["reason", "text", {}], ["article", "name", {}]],
    ),
    (
        "set_clock",
        [
            ["white_ms", "time", {}],
            ["black_ms", "time", {}],
            ["turn", "seat", {}],
            ["reason", "text", {}],
            ["moves", "pair", {"optional": True}],
            ["periods", "pair", {"optional": True}],
        ],
    ),
    # numbers between two bounds; a square; moves as their two squares
    (
        "rule_touch",
        [["number", "number", {"from": 1, "to": 100_000}], ["counts", "flag", {"value": True}], ["reason", "text", {}]],
    ),
    (
        "report_touch",
        [
            ["seat", "seat", {}],
            ["square", "square", {}],
            ["how", "choice", {"values": ["lifted", "touched", "placed", "released"], "words": "choice.how."}],
            ["piece", "piece", {"optional": True}],
            ["ply", "ply", {"optional": True, "label": "half_move"}],
        ],
    ),
    ("replace_envelope", [["uci", "uci", {}]]),
    ("mend", [["ply", "ply", {}], ["uci", "uci", {"optional": True, "null": True}]]),
    (
        "end_reconstruction",
        [
            ["completed_plies", "number", {"from": 0, "to": 1_200, "optional": True, "null": True}],
            ["evidence", "text", {}],
        ],
    ),
    # a seat that may be nobody's; what the event has configured
    (
        "note_incident",
        [
            ["kind", "choice", {"values": [*KINDS], "words": "choice.incident."}],
            ["text", "text", {"needed": True}],
            ["seat", "seat", {"empty": "nobody"}],
            ["article", "name", {}],
        ],
    ),
    (
        "choose_ear",
        [
            ["seat", "seat", {}],
            [
                "read_back",
                "choice",
                {"values": ["none", "tick", "short", "full"], "words": "ear.read_back.", "optional": True},
            ],
            ["speed", "number", {"from": 50, "to": 300, "optional": True}],
            ["voice", "word", {"optional": True, "longest": 8}],
            ["language", "word", {"optional": True, "longest": 3}],
            ["gain_db", "number", {"from": 0, "to": 12, "optional": True}],
            ["lower", "number", {"from": 0, "to": 12, "optional": True}],
            ["balance", "number", {"from": -100, "to": 100, "optional": True}],
            ["read_keys", "either", {"optional": True}],
        ],
    ),
]


@pytest.fixture
def given() -> dict[str, dict[str, Any]]:
    return {form["do"]: form for form in forms({"note_incident.kind": KINDS})}


@pytest.fixture
def parts() -> dict[str, dict[str, Any]]:
    return {form["do"]: form for form in forms_of_parts()}


@pytest.mark.parametrize(("act", "fields"), FIELDS, ids=[row[0] for row in FIELDS])
def test_a_form_asks_for_what_the_act_takes(
    given: dict[str, dict[str, Any]], act: str, fields: list[list[Any]]
) -> None:
    assert given[act]["fields"] == fields


def test_the_forms_stand_group_by_group_in_the_order_of_the_laws(given: dict[str, dict[str, Any]]) -> None:
    assert GROUPS == ("game", "clock", "claims", "irregular", "conduct", "adjourn", "rebuild", "stations")
    assert list(dict.fromkeys(form["group"] for form in given.values())) == list(GROUPS)
    articles = [form["article"] for form in given.values() if form["group"] == "clock"]
    assert articles == sorted(
        articles, key=["6.3.1", "6.10.2", "6.11.3", "6.11.4", "7.5.5", "12.2.6", "D.2.6.2", "III.4"].index
    )
    conduct = [form["article"] for form in given.values() if form["group"] == "conduct"]
    assert conduct[:5] == ["11", "11.2", "11.3.2", "11.3.2.2", "11.9"] and conduct[-1] == "A.4"


def test_what_cannot_be_undone_is_asked_about_and_what_is_allowed_after_the_end_is_named(
    given: dict[str, dict[str, Any]],
) -> None:
    sure = {name: form["sure"] for name, form in given.items() if "sure" in form}
    assert sure["rule_absence"] == {"forfeit": (True,)} and sure["restore_to"] == {}
    assert sure["penalise"] == {"penalty": ("loss", "expulsion", "exclusion_from_rounds")}
    assert "add_time" not in sure and "note_present" not in sure
    after = {name for name, form in given.items() if form.get("after")}
    assert {"release_review", "rule_result", "note_incident", "mend", "penalise"} <= after
    assert not after & {"set_clock", "add_time", "restore_to", "schedule_start"}
    assert all(form.get("after", True) is True for form in given.values())


def test_an_act_with_a_part_of_its_own_is_no_form_and_says_by_itself_what_is_fixed(
    given: dict[str, dict[str, Any]], parts: dict[str, dict[str, Any]]
) -> None:
    assert not given.keys() & parts.keys()
    start, ask, keys = parts["start_game"], parts["ask"], parts["learn_press_keys"]
    assert (start["part"], start["fields"], start["fixed"]) == ("start", [], {})
    assert (ask["part"], ask["fields"], ask["fixed"], ask["after"]) == ("ask_set_up", [], {"what": "set_up"}, True)
    assert keys["fields"] == [
        [
            "at",
            "choice",
            {
                "values": ["display", "server"], "words": "press_keys.at.", "optional": True, "null": True,
                "label": "press_keys.at", "empty": "press_keys.at.none",
            },
        ]
    ]  # fmt: skip
    assert parts["hear_cell"]["fields"] == [["seat", "cell_heard", {"label": "desk.entry"}]]
    assert parts["accept_unread"]["fields"] == [], "the server fills in what is hidden"
