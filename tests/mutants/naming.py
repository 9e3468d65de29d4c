"""Which tests may notice a wrong default, field or constant: those that run a line with its name, or name it.

And those that go over the fields of every kind of act, event or message, whose names they need not say.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from tests.mutants.collected import Reach
from tests.mutants.mutations import Mutation
from tests.mutants.swapping import parsed

OF_EVERY_KIND = re.compile(r"structs\.fields\(|\b(?:acts|ev|cmd)\.(?:acts|events)\(\)")


def names_of(module: ast.Module, mutation: Mutation) -> set[str]:
    """The constant, the class and field, or the function whose default is changed."""
    found: set[str] = set()
    node: ast.AST = module
    for step, number in mutation.path:
        value = getattr(node, step)
        node = value if number is None else value[number]
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                found.add(name)
            case ast.AnnAssign(target=target) | ast.Assign(targets=[target]):
                found |= _names_in(target)
    return found


def _names_in(target: ast.expr) -> set[str]:
    """Return the names that an assignment binds: one, or each of a tuple."""
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


@cache
def _mentions(file: Path) -> Mapping[str, set[int]]:
    lines: dict[str, set[int]] = {}
    for node in ast.walk(parsed(file)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str() as name):
                lines.setdefault(name, set()).add(node.lineno)
    return lines


@cache
def _built_from(file: Path) -> Mapping[str, set[str]]:
    """Which constants of a module are built from which names."""
    built: dict[str, set[str]] = {}
    for statement in parsed(file).body:
        match statement:
            case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
                for node in ast.walk(statement):
                    if isinstance(node, ast.Name | ast.Attribute):
                        name = node.id if isinstance(node, ast.Name) else node.attr
                        built.setdefault(name, set()).update(_names_in(target))
    return built


def tests_naming(names: set[str], files: Iterable[Path], reached: Reach, tests: Mapping[str, str]) -> set[int]:
    """Tests that run a line of these files with one of the names, and all tests of the files that have one of them.

    Of the files, too, that go over every kind. `tests`: the text of every test file by its name as pytest gives it.
    """
    files, found = list(files), set[int]()
    names = names | {target for file in files for name in names for target in _built_from(file).get(name, ())}
    for file in files:
        for name in names:
            for line in _mentions(file).get(name, ()):
                found |= reached.tests_of(file, range(line, line + 1))
    named = {file for file, text in tests.items() if OF_EVERY_KIND.search(text) or any(name in text for name in names)}
    found |= {
        place for place, test in enumerate(reached.names) if reached.passed[place] and test.split("::")[0] in named
    }
    return found
