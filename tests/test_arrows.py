"""The plan of the house (docs/architecture.md): floors, circles, rooms, purity, and the habits every file keeps.

The files are found at each run, so a new file is under these rules from its first day.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parent.parent
HOUSE = ("server", "speech", "braille", "config")
MAX_LINES = 700
MAX_ROOMS = 15
MORE_ROOMS = {
    "server": 18,  # fifteen rooms and the three files that wire them: app, settings, protocol
    "server/cli": 21,  # a file for each subcommand, and a room for those that keep the program
    "server/game/acts": 17,  # a file for each subject, and what all of them are
    "server/game/decide": 17,  # the same subjects, and what every rule needs: decide, draft, rule, roles, due
    "speech": 16,  # thirteen rooms, and beneath them the files that all use: processes, turns, complaints
    "config": 22,  # a file or a folder for each kind of data
}
"""Rooms that hold more than fifteen things, with the reason and the number that may not grow."""

FLOORS: tuple[tuple[str, ...], ...] = (
    (
        *("server.cli", "server.demo", "server.app", "server.web", "server.stations", "server.hall", "server.settings"),
        *("server.voice", "server.exports", "server.desk", "server.boards", "server.table"),
        *("server.wording", "server.scoresheets", "server.machine", "server.protocol", "server.journal"),
        *("server.game.views", "server.game.game", "server.game.rehearsal", "server.game.exercises"),
        *("server.game.decide", "server.game.belief", "server.game.state", "server.game.acts", "server.game.laws"),
        *("server.game.mating", "server.game.values"),
    ),
    (
        *(
            "speech.training",
            "speech.wyoming",
            "speech.enrolment",
            "speech.recording",
            "speech.hearing",
            "speech.voices",
            "speech.channels",
        ),
        *("speech.recognisers", "speech.speakers", "speech.announcements", "speech.audio", "speech.models"),
        *("speech.words", "speech.process", "speech.turns", "speech.complaint"),
    ),
)
"""From the roof down: a module imports what is on its own floor or below it, never what is above."""

# Pure by name: whole rooms of the server; the words of speech; braille but for its two doors to the outside.
PURE_ROOMS = (
    *("server.game", "server.scoresheets", "speech.announcements", "speech.complaint", "speech.channels.ear"),
    "speech.recording.plan",
)
PURE_WORDS = (
    "said",
    "scheme",
    "scheme_changes",
    "grammar",
    "language",
    "spelling",
    "voice_profile",
    "messages",
    "proof",
)
IMPURE_BRAILLE = ("prose", "loading")

# What pure code may import from outside the house. To add a module here, be sure that it does no I/O, reads no clock,
# starts nothing and throws no dice.
PURE_OUTSIDE = {
    *("__future__", "abc", "array", "bisect", "collections", "copy", "dataclasses", "difflib", "enum", "fractions"),
    *(
        "functools",
        "hashlib",
        "heapq",
        "inspect",
        "itertools",
        "math",
        "operator",
        "re",
        "string",
        "struct",
        "textwrap",
    ),
    *("types", "typing", "typing_extensions", "unicodedata"),
    *("chess", "msgspec"),
}
# No engine, no opening book, no tablebase anywhere in the house (design, Parity and trust).
NEVER = ("chess.engine", "chess.polyglot", "chess.syzygy", "chess.gaviota")
# Built-in and clock functions that pure code does not call.
PURE_NEVER_CALLS = {"open", "input", "print", "eval", "exec", "__import__", "breakpoint"}
PURE_NEVER_ASKS = {"now", "utcnow", "today"}

# Room -> rooms it must not import, beside floors and purity.
FORBIDDEN: dict[str, tuple[str, ...]] = {
    "speech": ("server", "braille"),
    "braille": ("server",),
    "config": ("server", "speech", "braille"),
    "server.game": ("speech", "braille"),
}


def module_of(path: Path) -> str:
    """The dotted name of a file of the house."""
    parts = path.relative_to(REPO).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def house_files(*suffixes: str) -> list[Path]:
    """Every file of the four packages with one of the suffixes, but for what others wrote (folders named vendor)."""
    found = (path for room in HOUSE for path in sorted((REPO / room).rglob("*")) if path.suffix in suffixes)
    return [path for path in found if "vendor" not in path.parts and "__pycache__" not in path.parts]


def faults_of(find: Callable[[Path], list[str]], paths: list[Path]) -> str:
    """What is found in each file, a line each: a test of the whole house names every fault, not the first one."""
    return "\n".join(f"{path.relative_to(REPO)}: {fault}" for path in paths for fault in find(path))


@cache
def parsed(source: str) -> ast.Module:
    """Each file is parsed once for all tests."""
    return ast.parse(source)


def inside(name: str, room: str) -> bool:
    return name == room or name.startswith(room + ".")


@cache
def is_pure(module: str) -> bool:
    """Whether a module of the house is pure by the architecture page."""
    room, _, rest = module.partition(".")
    if room == "speech" and rest.startswith("words."):
        return rest.removeprefix("words.") in PURE_WORDS
    if room == "braille":
        return rest not in IMPURE_BRAILLE
    return any(inside(module, pure) for pure in PURE_ROOMS)


@cache
def is_module(name: str) -> bool:
    place = REPO.joinpath(*name.split("."))
    return place.with_suffix(".py").is_file() or place.is_dir()


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Each file is gone through once for all tests."""
    return tuple(ast.walk(tree))


def imports(tree: ast.Module, module: str, *, package: bool) -> Iterator[str]:
    """The dotted name of every import, wherever it stands in the file; `from a import b` is a.b if that is a module."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                parts = parts[: len(parts) - node.level + package]
                base = ".".join([*parts, *([base] if base else [])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                known = base.split(".")[0] in HOUSE and is_module(full)
                yield full if known or full in NEVER else base


def wrong_imports(source: str, module: str, *, package: bool = False) -> list[str]:
    """The imports of a module that run against an arrow, each with the reason."""
    faults: list[str] = []
    for name in imports(parsed(source), module, package=package):
        top = name.split(".")[0]
        faults += [f"{name}: {room} must not import {other}" for room, other in _forbidden(module, name)]
        faults += [f"{name}: {upper} is above {lower}" for lower, upper in _upwards(module, name)]
        if any(inside(name, banned) for banned in NEVER):
            faults.append(f"{name}: no engine, book or tablebase in this house")
        if not is_pure(module):
            continue
        if top not in HOUSE:
            if top not in PURE_OUTSIDE:
                faults.append(f"{name}: pure code must not import it (see PURE_OUTSIDE)")
        elif inside(module, "server.game"):
            if not (inside(name, "server.game") or name == "server"):
                faults.append(f"{name}: server.game imports nothing from the house but itself")
        elif not is_pure(name) and name not in HOUSE:
            faults.append(f"{name}: pure code must not import an impure module")
    return faults


def _forbidden(module: str, name: str) -> Iterator[tuple[str, str]]:
    for room, others in FORBIDDEN.items():
        if inside(module, room):
            yield from ((room, other) for other in others if inside(name, other))


def _upwards(module: str, name: str) -> Iterator[tuple[str, str]]:
    for floors in FLOORS:
        here, there = (_floor(one, floors) for one in (module, name))
        if here is not None and there is not None and there < here:
            yield floors[here], floors[there]


def _floor(module: str, floors: tuple[str, ...]) -> int | None:
    return next((place for place, room in enumerate(floors) if inside(module, room)), None)


def circles(imported: dict[str, set[str]]) -> list[list[str]]:
    """Modules that import one another in a ring: what is left when all that imports only settled modules is settled."""
    left = {module: {one for one in others if one in imported and one != module} for module, others in imported.items()}
    while settled := {module for module, others in left.items() if not others}:
        left = {module: others - settled for module, others in left.items() if module not in settled}
    return [[module, *sorted(others)] for module, others in sorted(left.items())]


def folder_circles(imported: dict[str, set[str]]) -> dict[str, list[list[str]]]:
    """Return the rings among the things of each folder, where a folder in it counts as one thing, by folder.

    So two folders that import one another are a ring though no file of them is in one.
    """
    within: dict[str, dict[str, set[str]]] = {}
    for module, others in imported.items():
        for other in others & imported.keys():
            here, there = module.split("."), other.split(".")
            depth = next((at for at, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), None)
            if depth is not None:
                things = within.setdefault(".".join(here[:depth]), {})
                things.setdefault(".".join(here[: depth + 1]), set()).add(".".join(there[: depth + 1]))
                things.setdefault(".".join(there[: depth + 1]), set())
    return {folder: found for folder, things in within.items() if (found := circles(things))}


def wrong_calls(source: str, module: str) -> list[str]:
    """`print(` outside the command line; reading, asking and clock calls in pure code."""
    faults: list[str] = []
    for node in nodes(parsed(source)):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name):
            if node.func.id == "print" and not inside(module, "server.cli"):
                faults.append(f"line {node.lineno}: print( belongs to server.cli")
            elif is_pure(module) and node.func.id in PURE_NEVER_CALLS:
                faults.append(f"line {node.lineno}: pure code must not call {node.func.id}(")
        elif is_pure(module) and isinstance(node.func, ast.Attribute) and node.func.attr in PURE_NEVER_ASKS:
            faults.append(f"line {node.lineno}: pure code must not ask for the time with .{node.func.attr}(")
    return faults


def test_imports_run_along_the_arrows() -> None:
    def wrong(path: Path) -> list[str]:
        return wrong_imports(path.read_text("utf-8"), module_of(path), package=path.name == "__init__.py")

    assert faults_of(wrong, house_files(".py")) == ""


def test_every_module_has_a_floor() -> None:
    for path in house_files(".py"):
        module = module_of(path)
        if path.name != "__init__.py" and module.split(".")[0] in ("server", "speech"):
            assert any(_floor(module, floors) is not None for floors in FLOORS), f"{module} is on no floor"


def imported_by_module() -> dict[str, set[str]]:
    """Return the imports of every file of the house."""
    return {
        module_of(path): set(imports(parsed(path.read_text("utf-8")), module_of(path), package="__init__" in path.name))
        for path in house_files(".py")
    }


def test_no_modules_import_one_another_in_a_circle() -> None:
    assert circles(imported_by_module()) == []
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) != []


def test_no_folders_import_one_another_in_a_circle() -> None:
    """A floor is a whole folder: what is below it imports nothing of it, whichever file that is in."""
    assert folder_circles(imported_by_module()) == {}
    two = {"a.desk.sheets": {"a.exports.text"}, "a.exports.text": set(), "a.exports.all": {"a.desk.sheets"}}
    assert circles(two) == [] and list(folder_circles(two)) == ["a"]
    inside = {"a.room.b": {"a.room.deep.c"}, "a.room.deep.c": set(), "a.room.deep.d": {"a.room.b"}}
    assert list(folder_circles(inside)) == ["a.room"]
    assert folder_circles({"a.desk.b": {"a.exports.c"}, "a.exports.c": {"a.exports.d"}, "a.exports.d": set()}) == {}


def test_no_room_holds_more_than_fifteen_things() -> None:
    rooms = {path.parent for path in house_files(".py", ".js", ".css", ".html", ".toml", ".svg")}
    for room in sorted(rooms | {one.parent for one in rooms if one.parent != REPO}):
        name = str(room.relative_to(REPO))
        inside_it = [one for one in room.iterdir() if not one.name.startswith(("__", "py.typed", "."))]
        if name.startswith("config/"):
            continue  # a file for each language, rule set or game
        most = MORE_ROOMS.get(name, MAX_ROOMS)
        assert len(inside_it) <= most, f"{name} holds {len(inside_it)} things; {most} are the most"


def test_a_small_file_that_one_other_imports_is_warned_of() -> None:
    """Only a warning: some subjects are small."""
    users: dict[str, set[str]] = {}
    for path in house_files(".py"):
        for name in imports(parsed(path.read_text("utf-8")), module_of(path), package="__init__" in path.name):
            users.setdefault(name, set()).add(module_of(path))
    small = [
        str(path.relative_to(REPO))
        for path in house_files(".py")
        if path.name != "__init__.py"
        and len(path.read_text("utf-8").splitlines()) < 60
        and len(users.get(module_of(path), ())) == 1
    ]
    if small:
        warnings.warn(
            f"{len(small)} files under 60 lines that one other file imports: {', '.join(small)}", stacklevel=1
        )


def test_calls_are_where_they_belong() -> None:
    assert faults_of(lambda path: wrong_calls(path.read_text("utf-8"), module_of(path)), house_files(".py")) == ""


def test_every_file_says_what_it_is() -> None:
    def missing(path: Path) -> list[str]:
        docstring = ast.get_docstring(parsed(path.read_text("utf-8")))
        return [] if docstring and docstring.strip() else ["a module docstring is missing"]

    assert faults_of(missing, house_files(".py")) == ""


def test_no_file_is_longer_than_its_subject() -> None:
    """A file is as long as its subject, and no subject of this house needs more."""

    def longer(path: Path) -> list[str]:
        lines = len(path.read_text("utf-8").splitlines())
        return [f"{lines} lines, more than {MAX_LINES}"] if lines > MAX_LINES else []

    assert faults_of(longer, house_files(".py", ".js", ".mjs", ".css")) == ""


def test_the_house_was_found() -> None:
    """A search that finds nothing would pass every test above."""
    modules = {module_of(path) for path in house_files(".py")}
    assert {"server", "server.cli", "server.game", "speech.words.said", "braille.cells", "config"} <= modules
    for name in (
        *PURE_ROOMS,
        *(f"speech.words.{one}" for one in PURE_WORDS),
        *(one for some in FLOORS for one in some),
    ):
        assert is_module(name), f"{name} is named here and is not there"
    assert is_pure("braille.cells") and is_pure("server.game.game") and is_pure("speech.words.said")
    assert not is_pure("braille.prose") and not is_pure("speech.words.loading") and not is_pure("server.table.table")


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("server.game.game", "import time"),
        ("server.game.game", "def f():\n    import random"),
        ("server.game.game", "from os import path"),
        ("server.game.game", "from speech.complaint import Complaint"),
        ("server.game.game", "from server.table import table"),
        ("server.game.game", "from ..journal import journal"),
        ("server.game.game", "from speech.words.said import Said"),
        ("server.scoresheets.cell", "import asyncio"),
        ("server.scoresheets.cell", "from speech.words.loading import load_language"),
        ("server.scoresheets.cell", "from braille.prose import Liblouis"),
        ("server.scoresheets.cell", "from server.table.table import Table"),
        ("server.journal.writer", "import server.table.table"),
        ("server.journal.writer", "from server.web import pages"),
        ("server.table.table", "from server.web import pages"),
        ("speech.hearing.hearing", "from server.machine.clock import Clock"),
        ("server.game.state.state", "from server.game.decide.draft import Draft"),
        ("speech.words.loading", "from speech.audio.sound import Sound"),
        ("speech.words.grammar", "import subprocess"),
        ("speech.words.grammar", "from speech.process import Child"),
        ("speech.words.scheme", "import vosk"),
        ("braille.cells", "from pathlib import Path"),
        ("braille.cells", "import braille.loading"),
        ("braille.prose", "from server import protocol"),
        ("server.web.pages", "import chess.engine"),
        ("server.web.pages", "from chess import polyglot"),
    ],
)
def test_a_wrong_arrow_is_found(module: str, source: str) -> None:
    assert wrong_imports(source, module)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        (
            "server.game.game",
            "from server.game.acts import moves\nfrom .state import state\nimport chess, msgspec, re",
        ),
        (
            "server.scoresheets.cell",
            "from speech.words.said import Said\nfrom server.game.values.position import Position",
        ),
        ("server.scoresheets.cell", "from braille.cells import read_cells\nfrom speech.complaint import Complaint"),
        (
            "server.table.table",
            "import asyncio, time\nfrom server.game.game import Game\nfrom server.journal import journal",
        ),
        ("speech.hearing.hearing", "import asyncio\nfrom speech.words.said import Said"),
        ("braille.cells", "from speech.complaint import Complaint\nfrom collections.abc import Mapping"),
        ("braille.prose", "import ctypes, threading"),
    ],
)
def test_a_right_arrow_passes(module: str, source: str) -> None:
    assert wrong_imports(source, module) == []


def test_wrong_calls_are_found() -> None:
    assert wrong_calls("print('x')", "server.table.table") and not wrong_calls("print('x')", "server.cli.demo")
    assert wrong_calls("open('x')", "braille.cells") and not wrong_calls("open('x')", "braille.prose")
    assert wrong_calls("import datetime\ndatetime.datetime.now()", "server.game.game")
