"""A mutant within the running process: the functions that are there get the code of the changed module.

Only what is in the body of a function can be swapped so; a default, a class body or a constant of the module has
already been read, and its mutant needs the module imported afresh.
"""

from __future__ import annotations

import ast
import gc
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

from tests.mutants.mutations import Mutation

Known = tuple[str, int, bytes, bytes]


class Swapper:
    """The functions of one imported module, and how to give them other code."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tree = parsed(path)
        self.codes = tuple(_codes(compiled(self.tree, path)))
        self.functions: dict[Known, list[FunctionType]] = defaultdict(list)
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__.co_filename == str(path):
                self.functions[_known(one.__code__)].append(one)
        self.known = sum(bool(self.functions.get(_known(code))) for code in self.codes)

    def swap(self, mutation: Mutation | None) -> bool:
        """Make this change (None: compile anew and change nothing); False where the process cannot take it."""
        changed = self.tree if mutation is None else mutation.applied(self.tree)
        fresh = tuple(_codes(compiled(changed, self.path)))
        if [code.co_qualname for code in fresh] != [code.co_qualname for code in self.codes]:
            return False  # a function or a comprehension more or less: which is which is not known
        for old, new in zip(self.codes, fresh, strict=True):
            if mutation is None or old != new:
                for function in self.functions.get(_known(old), ()):
                    if function.__code__.co_freevars != new.co_freevars:
                        return False
                    function.__code__ = new
        return True


def parsed(path: Path) -> ast.Module:
    """The module as it is written."""
    return ast.parse(path.read_text(encoding="utf-8"))


def compiled(tree: ast.Module, path: Path) -> CodeType:
    """Its code, with the lines of the tree."""
    return compile(tree, str(path), "exec", dont_inherit=True)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


def _known(code: CodeType) -> Known:
    """What tells a function's code from every other of its module, also after it has run."""
    return code.co_qualname, code.co_firstlineno, code.co_code, code.co_linetable
