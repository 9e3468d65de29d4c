"""Small wrong changes to a module of the core, one at a time: what a test ought to notice.

Comparisons and booleans turned round, a whole number one higher, nothing returned, a step of the draft left out, the
other seat meant. Annotations, decorators, docstrings and the options of classes are left alone: there a change says
nothing about the rules.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
SEATS = {"WHITE": "BLACK", "BLACK": "WHITE"}
DRAFT_STEPS = ("emit", "alert", "write", "make", "complete", "execute")
LEFT_ALONE = {"annotation", "returns", "decorator_list", "keywords of a class", "bases"}


@dataclass(frozen=True)
class Mutation:
    """One wrong change: the path from the module to the node, and what the node becomes."""

    line: int
    kind: str
    was: str
    becomes: str
    path: tuple[tuple[str, int | None], ...]
    node: ast.AST

    @property
    def text(self) -> str:
        """For a reader: `comparison: a < b -> a <= b`."""
        return f"{self.kind}: {_short(self.was)} -> {_short(self.becomes)}"

    def applied(self, module: ast.Module) -> str:
        """The module's source with this one change."""
        changed = copy.deepcopy(module)
        *way, (field, index) = self.path
        at: ast.AST = changed
        for name, number in way:
            value = getattr(at, name)
            at = value if number is None else value[number]
        if index is None:
            setattr(at, field, self.node)
        else:
            getattr(at, field)[index] = self.node
        return ast.unparse(ast.fix_missing_locations(changed)) + "\n"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:97]}..."


def mutations(module: ast.Module) -> tuple[Mutation, ...]:
    """Every wrong change of a module, in the order of its text."""
    return tuple(
        Mutation(getattr(node, "lineno", 0), kind, ast.unparse(node), ast.unparse(changed), path, changed)
        for node, path in _nodes(module, ())
        for kind, changed in _changes(node)
    )


def _nodes(
    node: ast.AST, path: tuple[tuple[str, int | None], ...]
) -> Iterator[tuple[ast.AST, tuple[tuple[str, int | None], ...]]]:
    for field, value in ast.iter_fields(node):
        if field in LEFT_ALONE or (field == "keywords" and isinstance(node, ast.ClassDef)):
            continue
        if isinstance(value, ast.AST):
            yield value, (*path, (field, None))
            yield from _nodes(value, (*path, (field, None)))
        elif isinstance(value, list):
            for index, one in enumerate(value):
                if isinstance(one, ast.AST) and not _is_type_alias(one):
                    yield one, (*path, (field, index))
                    yield from _nodes(one, (*path, (field, index)))


def _is_type_alias(node: ast.AST) -> bool:
    """`Square = Annotated[...]`: a form of input, shown by the tests of the wire and not of the core."""
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Subscript)
        and isinstance(node.value.value, ast.Name)
        and node.value.value.id in ("Annotated", "Literal")
    )


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                if type(operator) in FLIPPED:
                    changed = copy.deepcopy(node)
                    changed.ops[index] = FLIPPED[type(operator)]()
                    yield "comparison", changed
        case ast.BoolOp():
            changed_op = copy.deepcopy(node)
            changed_op.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield "and/or", changed_op
        case ast.UnaryOp(op=ast.Not()):
            yield "not", node.operand
        case ast.Constant(value=bool()):
            yield "boolean", ast.Constant(not node.value)
        case ast.Constant(value=int() as number):
            yield "number", ast.Constant(number + 1)
        case ast.Return(value=value) if value is not None and not _is_none_or_bool(value):
            yield "return", ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=step))) if step in DRAFT_STEPS:
            yield "left out", ast.Pass()
        case ast.Attribute(attr="other"):
            yield "seat", node.value
        case ast.Attribute(value=ast.Name(id="Seat"), attr=side) if side in SEATS:
            yield "seat", ast.Attribute(ast.Name("Seat"), SEATS[side])
        case ast.keyword(arg="seat", value=ast.Name(id="seat") | ast.Attribute(attr="seat")):
            yield "seat", ast.keyword("seat", ast.Attribute(node.value, "other"))


def _is_none_or_bool(node: ast.AST) -> bool:
    """None already; a false answer is as good as none, and a true one is turned round as a boolean."""
    return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, bool))
