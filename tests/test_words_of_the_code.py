"""The words of the code (docs/architecture.md): how a docstring begins, and that a name means one thing or two."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.test_arrows import REPO, faults_of, house_files, nodes, parsed

RIDDLES = ("This", "These", "That", "Those", "What", "There", "It", "They")
"""A docstring is an imperative or a noun phrase: it does not begin with a word that points at the line above it."""
SAME_EVERYWHERE = {
    "main": "what `python -m` runs",
    "command": "what `server/cli` finds in the file of a subcommand",
}
MOST_MEANINGS = 2
PARTICIPLES = frozenset((
    "begun", "bound", "broken", "brought", "built", "chosen", "drawn", "found", "frozen", "given", "gone", "grown",
    "heard", "held", "hidden", "kept", "known", "laid", "led", "left", "lent", "lost", "made", "meant", "met",
    "paid", "seen", "sent", "shown", "sold", "spelt", "spoken", "taken", "thought", "told", "understood", "unknown",
    "unseen", "won", "written",
))  # fmt: skip
"""Participles that do not end in -ed, as far as they came up as names of functions."""
NO_PARTICIPLES = frozenset({"embed", "exceed", "feed", "need", "proceed", "seed", "speed", "succeed"})
REGISTERS = frozenset({"applies", "decides", "says", "shown"})
"""Decorators of what is named by the event that it is about; `shown` itself is one of them."""


@pytest.fixture(scope="module", autouse=True)
def trees_are_forgotten() -> Iterator[None]:
    """After these tests nobody needs the millions of nodes, through which each full search for garbage would go."""
    yield
    nodes.cache_clear()
    parsed.cache_clear()


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each string that stands alone: of a module, class, function or attribute."""
    for node in nodes(tree):
        for line in getattr(node, "body", ()) if not isinstance(node, ast.Lambda | ast.IfExp) else ():
            if (
                isinstance(line, ast.Expr)
                and isinstance(line.value, ast.Constant)
                and isinstance(line.value.value, str)
            ):
                yield line.lineno, line.value.value.strip()


def riddles(source: str) -> list[str]:
    """Return the docstrings that begin with one of the words, each with its line."""
    found = docstrings(parsed(source))
    return [f"line {line}: {text.splitlines()[0]}" for line, text in found if text.split(" ", 1)[0] in RIDDLES]


def meanings(sources: dict[str, str]) -> dict[str, list[str]]:
    """Return the files of each public name of a function or class that stands at the top of too many."""
    files: dict[str, list[str]] = defaultdict(list)
    for path, source in sources.items():
        tops = {
            one.name
            for one in parsed(source).body
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }
        for name in tops:
            if not name.startswith("_") and name not in SAME_EVERYWHERE:
                files[name].append(path)
    return {name: paths for name, paths in sorted(files.items()) if len(paths) > MOST_MEANINGS}


def bare_participles(source: str) -> list[str]:
    """Return the functions named by one participle: a name says what is done, or what there is, and of what."""
    found = []
    for node in nodes(parsed(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        word = node.name.strip("_")
        bare = word in PARTICIPLES or (word.endswith("ed") and "_" not in word and word not in NO_PARTICIPLES)
        decorators = {getattr(one.func if isinstance(one, ast.Call) else one, "id", "") for one in node.decorator_list}
        if bare and word not in REGISTERS and decorators.isdisjoint({*REGISTERS, "property", "cached_property"}):
            found.append(f"line {node.lineno}: {node.name}")
    return found


def test_no_docstring_is_a_riddle() -> None:
    assert faults_of(lambda path: riddles(path.read_text("utf-8")), house_files(".py")) == ""
    assert riddles('def f():\n    """This is a seat."""') and riddles('A = 1\n"""What a seat is."""')
    assert not riddles('def f():\n    """Return the seat."""\nA = 1\n"""Seconds of a move."""')


def test_no_name_has_more_than_two_meanings() -> None:
    """`told` stood for ten things; a name says of what it tells."""
    sources = {str(path.relative_to(REPO)): path.read_text("utf-8") for path in house_files(".py")}
    assert meanings(sources) == {}
    three = dict.fromkeys(("a.py", "b.py", "c.py"), "def told() -> None: ...")
    assert meanings(three) == {"told": ["a.py", "b.py", "c.py"]} and meanings(dict(list(three.items())[:2])) == {}


def test_no_function_is_named_by_a_bare_participle() -> None:
    assert faults_of(lambda path: bare_participles(path.read_text("utf-8")), house_files(".py")) == ""
    assert bare_participles("def _told(): ...") and bare_participles("def pressed(): ...")
    assert not bare_participles("@applies(Told)\ndef _told(): ...")
    assert not bare_participles("def message_for(): ...\ndef feed(): ...")
    assert not bare_participles("class A:\n    @property\n    def completed(self): ...")
