"""What need not be made twice: sound by its plan, and what an engine heard by model, vocabulary and sound."""

from __future__ import annotations

import ast
import hashlib
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

import msgspec

from speech.recognisers.recogniser import Hypotheses

FOLDER = Path(__file__).resolve().parents[3] / "build" / "hearing"


def digest(*parts: object) -> bytes:
    """SHA-256 of values."""
    return hashlib.sha256(msgspec.msgpack.encode(parts)).digest()


def digest_of_code(files: Iterable[Path]) -> bytes:
    """SHA-256 of what Python files define; comments, docstrings, imports and the file make no difference."""
    defined: list[str] = []
    for file in files:
        for node in ast.parse(file.read_text("utf-8")).body:
            if not isinstance(node, ast.Import | ast.ImportFrom | ast.Expr):
                defined.append(ast.dump(_Untold().visit(node)))
    return digest(*sorted(defined))


class _Untold(ast.NodeTransformer):
    """Leaves out what stands there to be read alone: strings that nothing uses."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else node


class Kept:
    """A folder of sounds and one SQLite file of hypotheses; a run that was broken off goes on where it was."""

    def __init__(self, folder: Path = FOLDER) -> None:
        (folder / "sounds").mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._heard = sqlite3.connect(folder / "heard.sqlite", isolation_level=None)
        self._heard.execute("PRAGMA journal_mode=WAL")
        self._heard.execute("PRAGMA synchronous=OFF")
        self._heard.execute("CREATE TABLE IF NOT EXISTS heard (key BLOB PRIMARY KEY, found BLOB) WITHOUT ROWID")
        self.listened = 0
        """How often an engine had to listen in this run."""

    async def sounds(self, plan: object, make: Callable[[], Awaitable[list[bytes]]]) -> list[bytes]:
        """The sounds of a plan (any value that says all they depend on), rendered at the first time."""
        file = self._folder / "sounds" / f"{digest(plan).hex()[:32]}.msgpack"
        if file.exists():
            return msgspec.msgpack.decode(file.read_bytes(), type=list[bytes])
        made = await make()
        draft = file.with_suffix(".draft")
        draft.write_bytes(msgspec.msgpack.encode(made))
        draft.rename(file)
        return made

    def find(self, key: bytes) -> Hypotheses | None:
        """What was heard before."""
        row = self._heard.execute("SELECT found FROM heard WHERE key = ?", (key,)).fetchone()
        return None if row is None else msgspec.msgpack.decode(row[0], type=Hypotheses)

    def keep(self, key: bytes, found: Hypotheses) -> None:
        """What was heard now."""
        self.listened += 1
        self._heard.execute("INSERT OR REPLACE INTO heard VALUES (?, ?)", (key, msgspec.msgpack.encode(found)))
