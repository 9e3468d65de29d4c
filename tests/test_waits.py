"""Every wait in the tests is bounded by time, by the patience of all tests, and by nothing else.

A loop that counts gives up the sooner the quicker it is refused, whatever the machine has to do meanwhile.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain

import pytest

from tests.conftest import REPO
from tests.waiting import PATIENCE_S

Loop = ast.For | ast.AsyncFor | ast.While
WAITS = frozenset(
    {"sleep", "wait_for", "wait_for_timeout", "run", "check_output", "connect", "open_connection", "recv"}
)
"""What lets time go by, or asks for something that may not be there yet."""
BOUNDED = frozenset({"timeout", "join"})
"""What is given the seconds that it may take first."""


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def inside(lines: list[ast.stmt]) -> Iterator[ast.AST]:
    """All that is done in these lines, but not in a function that is only made there."""
    for line in lines:
        yield from done_in(line)


def done_in(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        yield from chain.from_iterable(map(done_in, ast.iter_child_nodes(node)))


def names(nodes: Iterator[ast.AST]) -> set[str]:
    return {one.id for one in nodes if isinstance(one, ast.Name)}


def pauses_alone(line: ast.stmt) -> bool:
    value = line.value if isinstance(line, ast.Expr) else None
    value = value.value if isinstance(value, ast.Await) else value
    return isinstance(value, ast.Call) and called(value) == "sleep"


def is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def counts(loop: Loop) -> bool:
    """Whether a loop waits for something, and a number ends it."""
    if not any(isinstance(one, ast.Call) and called(one) in WAITS for one in inside(loop.body)):
        return False
    if isinstance(loop, ast.While):
        steps = (one.target for one in inside(loop.body) if isinstance(one, ast.AugAssign) and is_number(one.value))
        return bool(names(iter(steps)) & names(ast.walk(loop.test)))
    if not isinstance(loop.iter, ast.Call) or called(loop.iter) not in ("range", "repeat"):
        return False
    goes_early = bool(loop.orelse) or any(isinstance(one, ast.Break | ast.Return) for one in inside(loop.body))
    for_each = bool(names(ast.walk(loop.target)) & names(inside(loop.body)))
    by_chance = any(isinstance(one, ast.Call) for one in chain.from_iterable(map(ast.walk, loop.iter.args)))
    return (goes_early and not for_each) or (all(map(pauses_alone, loop.body)) and not by_chance)


def impatient(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Waits that give up before the patience of all tests is over, where that is not what is expected."""
    expected = {
        id(within)
        for one in ast.walk(tree)
        if isinstance(one, ast.With | ast.AsyncWith)
        and any("Timeout" in ast.unparse(item.context_expr) for item in one.items)
        for within in ast.walk(one)
    }
    for one in ast.walk(tree):
        bounds: list[ast.expr] = []
        if isinstance(one, ast.Call) and id(one) not in expected:
            bounds += [key.value for key in one.keywords if key.arg == "timeout"]
            bounds += one.args[:1] if called(one) in BOUNDED else one.args[1:2] if called(one) == "wait_for" else []
            if called(one) == "launch" and not bounds:
                yield one.lineno, "a browser is waited for with the patience of its own maker"
        elif isinstance(one, ast.Assign) and {"PATIENCE_S", "DEADLINE_S"} & names(iter(one.targets)):
            bounds.append(one.value)
        for bound in bounds:
            if is_number(bound) and ast.literal_eval(bound) < PATIENCE_S:
                yield bound.lineno, "gives up too soon; name what must be so quick, or use PATIENCE_S"


def wrong_waits(text: str) -> list[tuple[int, str]]:
    tree = ast.parse(text)
    counted = [
        (one.lineno, "counts how often it has waited; see tests/waiting.py")
        for one in ast.walk(tree)
        if isinstance(one, Loop) and counts(one)
    ]
    return sorted([*counted, *impatient(tree)])


def test_every_wait_is_bounded_by_time_and_by_the_patience_of_all_tests() -> None:
    found = {
        f"{path.relative_to(REPO)}:{line}": wrong
        for path in sorted((REPO / "tests").rglob("*.py"))
        if path.name != "test_waits.py"
        for line, wrong in wrong_waits(path.read_text("utf-8"))
    }
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "for _ in range(100):\n    asked = subprocess.run(command)\n    if b'x' in asked.stdout:\n        break\n",
        "for _ in range(9):\n    run()\nelse:\n    fail()\n",
        "for _ in range(200):\n    if there():\n        return\n    await asyncio.sleep(0.01)\n",
        "for _ in range(20):\n    await asyncio.sleep(0)\n",
        "while not there() and tries < 5:\n    tries += 1\n    time.sleep(1)\n",
        "async with asyncio.timeout(5):\n    await it\n",
        "await asyncio.wait_for(it, 20)\n",
        "line.receive(timeout=2)\n",
        "PATIENCE_S = 20.0\n",
        "browser = await playwright.chromium.launch(args=ARGS)\n",
    ],
)
def test_a_wait_that_is_not_is_found(text: str) -> None:
    assert len(wrong_waits(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "for piece in range(0, len(pcm), 640):\n    await line.send(pcm[piece:])\n    await asyncio.sleep(0.02)\n",
        "for _ in range(3):\n    table.wait(5)\n    table.press()\n",
        "while b'x' not in told:\n    told += await asyncio.wait_for(line(), PATIENCE_S)\n",
        "while not there():\n    assert time.monotonic() < end\n    time.sleep(0.01)\n",
        "with pytest.raises(TimeoutError):\n    async with asyncio.timeout(0.3):\n        await it\n",
        "for _ in range(chance.randrange(3)):\n    await asyncio.sleep(0)\n",
        "subprocess.run(command, timeout=60)\n",
        "PATIENCE_S = 90.0\n",
    ],
)
def test_a_wait_that_is_is_not(text: str) -> None:
    assert wrong_waits(text) == []
