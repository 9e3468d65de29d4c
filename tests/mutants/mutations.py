"""Small wrong changes to a module, one at a time: what a test ought to notice.

Comparisons, conditions and booleans turned round, a number one higher, nothing returned, a statement or a case left
out, the other seat, the next member of an enumeration, another word where a word is a name (the kind of an event, an
article). Left alone, since a change there says nothing about the rules: annotations, decorators, docstrings, the
options of classes, and texts for people (a string with a space in it, or a part of a formatted one).
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Path = tuple[tuple[str, int | None], ...]
Enums = Mapping[str, tuple[str, ...]]

FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt,
}  # fmt: skip
COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
}  # fmt: skip
SEATS = {"WHITE": "BLACK", "BLACK": "WHITE"}
SWAPPED_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
LEFT_ALONE = {"annotation", "returns", "decorator_list", "bases", "format_spec", "msg"}
NAME_LIKE = re.compile(r"[\w.:/=+-]+")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPOUND = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Try, ast.Match, ast.FunctionDef,
    ast.AsyncFunctionDef, ast.ClassDef)  # fmt: skip
CONDITIONAL = (ast.If, ast.While, ast.IfExp)
ALREADY_TURNED = (ast.BoolOp, ast.Constant)


@dataclass(frozen=True)
class Mutation:
    """One wrong change: the path from the module to the node, what the node becomes, and the lines that lead to it."""

    line: int
    kind: str
    was: str
    becomes: str
    path: Path
    node: ast.AST
    lines: range  # of the statement, or of the condition of a compound one
    in_function: bool  # in a body: not in a default, a class body or a constant of the module

    @property
    def text(self) -> str:
        """For a reader: `comparison: a < b -> a <= b`."""
        return f"{self.kind}: {_short(self.was)} -> {_short(self.becomes)}"

    def applied(self, module: ast.Module) -> ast.Module:
        """The module with this one change; lines keep their numbers."""
        changed = copy.deepcopy(module)
        *way, (name, index) = self.path
        at: ast.AST = changed
        for step, number in way:
            value = getattr(at, step)
            at = value if number is None else value[number]
        node = copy.deepcopy(self.node)
        old = getattr(at, name) if index is None else getattr(at, name)[index]
        if isinstance(old, ast.expr | ast.stmt) and not hasattr(node, "lineno"):
            ast.copy_location(node, old)
        if index is None:
            setattr(at, name, node)
        else:
            getattr(at, name)[index] = node
        return ast.fix_missing_locations(changed)


@dataclass(frozen=True)
class _Place:
    """Where the walk stands."""

    path: Path = ()
    lines: range = field(default=range(0))
    in_function: bool = False


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:97]}..."


def enumerations(modules: list[ast.Module]) -> dict[str, tuple[str, ...]]:
    """The members of every enumeration of these modules, by the class's name; seats have an operator of their own."""
    found: dict[str, tuple[str, ...]] = {}
    for node in (node for module in modules for node in module.body if isinstance(node, ast.ClassDef)):
        if any(isinstance(base, ast.Name) and base.id.endswith("Enum") for base in node.bases):
            targets = [one.targets[0] for one in node.body if isinstance(one, ast.Assign)]
            found[node.name] = tuple(target.id for target in targets if isinstance(target, ast.Name))
    found.pop("Seat", None)
    return found


def mutations(module: ast.Module, enums: Enums) -> tuple[Mutation, ...]:
    """Every wrong change of a module, in the order of its text."""
    return tuple(
        _mutation(node, place, kind, changed)
        for node, place in _nodes(module, _Place())
        for kind, changed in _changes(node, enums)
    )


def _mutation(node: ast.AST, place: _Place, kind: str, changed: ast.AST) -> Mutation:
    line, lines, was, becomes = getattr(node, "lineno", place.lines.start), place.lines, node, changed
    if isinstance(node, ast.Match) and isinstance(changed, ast.Match):
        lines = range(changed.lineno, (changed.end_lineno or changed.lineno) + 1)
        line, was, becomes = changed.lineno, next(case for case in node.cases if case not in changed.cases), ast.Pass()
    elif isinstance(node, CONDITIONAL):
        was, becomes = node.test, changed.test  # type: ignore[attr-defined]
    return Mutation(line, kind, ast.unparse(was), ast.unparse(becomes), place.path, changed, lines, place.in_function)


def _nodes(node: ast.AST, place: _Place) -> Iterator[tuple[ast.AST, _Place]]:
    for name, value in ast.iter_fields(node):
        if name in LEFT_ALONE or (name == "keywords" and isinstance(node, ast.ClassDef)):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else ((None, value),):
            if not isinstance(child, ast.AST) or _says_nothing(node, name, index, child):
                continue
            there = _Place(
                (*place.path, (name, index)),
                _lines(node, child, place.lines),
                place.in_function or (name == "body" and isinstance(node, FUNCTIONS)),
            )
            yield child, there
            yield from _nodes(child, there)


def _lines(parent: ast.AST, child: ast.AST, before: range) -> range:
    own = isinstance(child, ast.stmt) or (
        isinstance(parent, (*COMPOUND, ast.match_case, ast.Lambda)) and hasattr(child, "lineno")
    )
    if not own:
        return before
    first, last = child.lineno, child.end_lineno  # type: ignore[attr-defined]
    return range(first, (first if isinstance(child, COMPOUND) else last) + 1)


def _says_nothing(parent: ast.AST, name: str, index: int | None, child: ast.AST) -> bool:
    """Docstrings, forms of input (`Square = Annotated[...]`), texts within a formatted one, `cast("...", x)`."""
    match child:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Constant(value=str()) if isinstance(parent, ast.JoinedStr):
            return True
        case (
            ast.Assign(value=ast.Subscript(value=ast.Name(id="Annotated" | "Literal")))
            | ast.Assign(targets=[ast.Name(id="__all__")])
        ):
            return True
        case ast.Assign(value=ast.Call(func=ast.Name(id="TypeVar" | "NewType"))):
            return True
    is_cast = isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "cast"
    return is_cast and name == "args" and index == 0


def _changes(node: ast.AST, enums: Enums) -> Iterator[tuple[str, ast.AST]]:
    yield from _conditions(node)
    match node:
        case ast.Compare():
            for table, kind in ((FLIPPED, "comparison"), (NEGATED, "negated")):
                for index, operator in enumerate(node.ops):
                    if type(operator) in table:
                        changed = copy.deepcopy(node)
                        changed.ops[index] = table[type(operator)]()
                        yield kind, changed
        case ast.BoolOp():
            yield "and/or", ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield "not", node.operand
        case ast.BinOp(op=operator) if type(operator) in COUNTED:
            yield "arithmetic", ast.BinOp(node.left, COUNTED[type(operator)](), node.right)
        case ast.Constant(value=bool()):
            yield "boolean", ast.Constant(not node.value)
        case ast.Constant(value=int() as number):
            yield "number", ast.Constant(number + 1)
        case ast.Constant(value=str() as word) if NAME_LIKE.fullmatch(word):
            yield "word", ast.Constant(f"{word}x")
        case ast.Return(value=value) if value is not None and not _is_none_or_bool(value):
            yield "return", ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            yield "left out", ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "left out", ast.Pass()
        case ast.Match(cases=cases) if len(cases) > 1:
            for index in range(len(cases)):
                shorter = ast.Match(node.subject, [*cases[:index], *cases[index + 1 :]])
                yield "case left out", ast.copy_location(shorter, cases[index].pattern)
        case ast.Attribute(attr="other"):
            yield "seat", node.value
        case ast.Attribute(value=ast.Name(id="Seat"), attr=side) if side in SEATS:
            yield "seat", ast.Attribute(ast.Name("Seat", ast.Load()), SEATS[side], ast.Load())
        case ast.keyword(arg="seat", value=ast.Name(id="seat") | ast.Attribute(attr="seat")):
            yield "seat", ast.keyword("seat", ast.Attribute(node.value, "other", ast.Load()))
        case ast.Attribute(value=ast.Name(id=owner), attr=member) if member in enums.get(owner, ()):
            members = enums[owner]
            following = members[(members.index(member) + 1) % len(members)]
            yield "enumeration", ast.Attribute(ast.Name(owner, ast.Load()), following, ast.Load())
        case ast.Call(func=ast.Name(id=called)) if called in SWAPPED_CALLS:
            swapped = ast.Name(SWAPPED_CALLS[called], ast.Load())
            yield called, ast.Call(swapped, node.args, node.keywords)


def _conditions(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """A condition that is no comparison and has no `not` to take away, turned round."""
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            if _is_plain(test):
                changed = copy.copy(node)
                changed.test = ast.UnaryOp(ast.Not(), test)
                yield "condition", changed
        case ast.comprehension(ifs=[ast.expr() as test]) | ast.match_case(guard=ast.expr() as test) if _is_plain(test):
            other = copy.copy(node)
            turned = ast.UnaryOp(ast.Not(), test)
            if isinstance(other, ast.comprehension):
                other.ifs = [turned]
            elif isinstance(other, ast.match_case):
                other.guard = turned
            yield "condition", other


def _is_plain(test: ast.expr) -> bool:
    turned = isinstance(test, ast.Compare) or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not))
    return not turned and not isinstance(test, ALREADY_TURNED)


def _is_none_or_bool(node: ast.AST) -> bool:
    """None already; a false answer is as good as none, and a true one is turned round as a boolean."""
    return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, bool))
