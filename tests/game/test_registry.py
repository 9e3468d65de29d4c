"""Acts, events and rules register themselves; what nobody imports, or nobody decides, is found here."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType

import pytest

from server.game import acts
from server.game.acts.command import SUBJECTS
from server.game.decide import decide
from server.game.decide.rule import decides, has_rule
from server.game.values.words import Role

WITHOUT_A_RULE = {acts.OpenTable, acts.OpenNext, acts.PressKey}
"""Two open a table, before there is anything to decide about; a key is that player's own press."""


def files(room: Path, name: str) -> set[str]:
    """The files of a room and its folders in which this name is used as a base class or as a decorator."""
    found = set()
    for path in room.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                used = [base.id for base in node.bases if isinstance(base, ast.Name)]
            elif isinstance(node, ast.FunctionDef):
                calls = [one.func for one in node.decorator_list if isinstance(one, ast.Call)]
                used = [one.id for one in calls if isinstance(one, ast.Name)]
            else:
                continue
            if name in used:
                found.add(path.stem)
    return found


def names(modules: tuple[ModuleType, ...]) -> set[str]:
    return {module.__name__.rpartition(".")[2] for module in modules}


def test_no_file_of_acts_is_forgotten(repo: Path) -> None:
    room = repo / "server" / "game" / "acts"
    assert files(room, "Act") | files(room, "Event") == names(SUBJECTS) | {"command"}


def test_no_file_of_rules_is_forgotten(repo: Path) -> None:
    assert files(repo / "server" / "game" / "decide", "decides") - {"decide"} == names(decide.RULES)


def test_every_command_has_a_rule() -> None:
    assert {kind for kind in acts.acts() if not has_rule(kind)} == WITHOUT_A_RULE


def test_all_acts_and_events_are_found_in_their_room() -> None:
    kinds = (*acts.acts(), *acts.events())
    assert len({kind.__struct_config__.tag for kind in acts.acts()}) == len(acts.acts()) > 100
    assert len({kind.__struct_config__.tag for kind in acts.events()}) == len(acts.events()) > 100
    assert all(getattr(acts, kind.__name__) is kind for kind in kinds)


def test_an_act_that_says_nothing_of_its_rights_is_nobodys() -> None:
    rights = acts.Rights()
    assert rights.own and not rights.by and rights.duty is None and not rights.after_the_end
    assert acts.NoteInstant.rights.own and not acts.RuleStop.rights.own
    assert acts.RuleStop.rights.by == {Role.ARBITER}


def test_a_rule_that_asks_for_what_there_is_not_or_decides_twice_is_no_rule() -> None:
    with pytest.raises(TypeError):
        decides(acts.OpenNext)(lambda draft, clock: None)
    with pytest.raises(TypeError):
        decides(acts.Press)(lambda draft: None)
