"""The house in figures: its size, its longest functions, its names, its docstrings, its docs and its commits.

`python -m tests.bench.house [COMMIT ...]` prints one column for the files as they lie here, and one for each commit
named: the table of docs/architecture.md. `--list` names the functions over 50 lines and the names of many things.
"""

import argparse
import ast
import re
import statistics
import subprocess
import tarfile
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[2]
PRODUCT = ("server", "speech", "braille", "config")
# What few need and the core does not import (tests/whole/test_core_without_kits.py).
KITS = (
    "speech/training",
    "speech/wyoming",
    "speech/recording",
    "server/journal/postgresql",
    "server/table/evidence/bucket.py",
    "server/demo",
    "server/exports/reports/approval.py",
    "server/exports/words",
)
GENERATED = (
    "docs/protocol.md",
    "docs/every-function.md",
    "docs/braille-game.md",
    "docs/commands.md",
    "docs/spoken",
    "docs/words",
    "docs/sbom.cdx.json",
    "docs/install/anna-eins.1",
)
LONG = 50  # lines of one function, its decorators not counted
MANY = 2  # meanings of one top-level name
STUMBLES = re.compile(r"(This|These|That|What|Those)\b")
SUBJECT = range(50, 73)


def python_files(root: Path, *rooms: str) -> list[Path]:
    return sorted(path for room in rooms for path in (root / room).rglob("*.py"))


def line_count(paths: list[Path]) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def in_kit(path: Path, root: Path) -> bool:
    return any(path.is_relative_to(root / kit) for kit in KITS)


def functions_of(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))


def docstrings_of(tree: ast.Module) -> Iterator[str]:
    for one in ast.walk(tree):
        if isinstance(one, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            text := ast.get_docstring(one)
        ):
            yield text


def top_level_names(tree: ast.Module) -> Iterator[str]:
    for one in tree.body:
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not one.name.startswith("_"):
            yield one.name


def words_written_by_hand(root: Path) -> int:
    made = [root / one for one in GENERATED]
    pages = [page for page in (root / "docs").rglob("*.md") if not any(page.is_relative_to(one) for one in made)]
    return sum(len(page.read_text(encoding="utf-8").split()) for page in [*pages, root / "README.md"] if page.exists())


def bytes_generated(root: Path) -> int:
    """Bytes of pages that a command builds; in a clone only what is committed counts."""
    places = [root / one for one in GENERATED]
    found = [path for place in places for path in ([place] if place.is_file() else place.rglob("*"))]
    if (root / ".git").exists():
        listed = subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True, check=True)
        committed = {root / line for line in listed.stdout.splitlines()}
        found = [path for path in found if path in committed]
    return sum(path.stat().st_size for path in found if path.is_file())


def subjects_of(commit: str, count: int = 200) -> list[int]:
    """Lengths of the newest commit subjects, newest first."""
    said = subprocess.run(
        ["git", "-C", str(ROOT), "log", f"-{count}", "--no-merges", "--format=%s", commit],
        capture_output=True,
        text=True,
        check=True,
    )
    return [len(line) for line in said.stdout.splitlines()]


def figures(root: Path, commit: str, listed: bool) -> dict[str, str]:
    """Each measure of one tree as text; the functions and names behind them are printed where they are asked for."""
    paths = python_files(root, *PRODUCT)
    core = [path for path in paths if not in_kit(path, root)]
    tests = python_files(root, "tests")
    lengths: list[tuple[int, str]] = []
    places: dict[str, set[str]] = defaultdict(set)
    openings: Counter[bool] = Counter()
    for path in paths:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        where = str(path.relative_to(root))
        for one in functions_of(tree):
            lengths.append(((one.end_lineno or one.lineno) - one.lineno + 1, f"{where}:{one.name}"))
        for name in top_level_names(tree):
            places[name].add(where)
        for text in docstrings_of(tree):
            openings[bool(STUMBLES.match(text))] += 1
    long = sorted((one for one in lengths if one[0] > LONG), reverse=True)
    many = {name: files for name, files in places.items() if len(files) > MANY}
    subjects = subjects_of(commit)
    if listed:
        console = Console(soft_wrap=True)
        for size, name in long:
            console.print(f"{size:4} {name}", highlight=False)
        for name, files in sorted(many.items(), key=lambda one: (-len(one[1]), one[0])):
            console.print(f"{len(files):4} {name}: {', '.join(sorted(files))}", highlight=False)
    return {
        "product, core: files; lines": f"{len(core):,}; {line_count(core):,}",
        "product, kits: files; lines": f"{len(paths) - len(core):,}; {line_count(paths) - line_count(core):,}",
        "tests: files; lines": f"{len(tests):,}; {line_count(tests):,}",
        "docs by hand, words": f"{words_written_by_hand(root):,}",
        "generated and kept in git, kB": f"{bytes_generated(root) / 1000:,.0f}",
        f"functions; of them over {LONG} lines": f"{len(lengths):,}; {len(long)}",
        "median lines of a function": f"{statistics.median(size for size, _ in lengths):.0f}",
        f"top-level names in more than {MANY} files": f"{len(many)}",
        "the name in most files": max(((len(files), name) for name, files in places.items()))[1]
        + f" x{max(len(files) for files in places.values())}",
        "docstrings; beginning This, These, What": f"{sum(openings.values()):,}; {openings[True]}",
        "the last 200 commit subjects: median; longest": f"{statistics.median(subjects):.0f}; {max(subjects)}",
        f"of them {SUBJECT[0]} to {SUBJECT[-1]} characters": f"{sum(one in SUBJECT for one in subjects)}",
    }


def tree_of(commit: str, folder: Path) -> Path:
    """Write the files of a commit into a folder."""
    packed = folder / "tree.tar"
    subprocess.run(["git", "-C", str(ROOT), "archive", "--output", str(packed), commit], check=True)
    with tarfile.open(packed) as archive:
        archive.extractall(folder / "tree", filter="data")
    return folder / "tree"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("commits", nargs="*", metavar="COMMIT")
    asked.add_argument("--list", action="store_true", help="name the long functions and the names of many things, here")
    args = asked.parse_args()
    columns: dict[str, dict[str, str]] = {}
    for commit in args.commits:
        with tempfile.TemporaryDirectory() as folder:
            columns[commit] = figures(tree_of(commit, Path(folder)), commit, listed=False)
    columns["here"] = figures(ROOT, "HEAD", listed=args.list)
    table = Table("measured")
    for name in columns:
        table.add_column(name, justify="right")
    for measure in columns["here"]:
        table.add_row(measure, *(column[measure] for column in columns.values()))
    Console(width=60 + 20 * len(columns)).print(table)


if __name__ == "__main__":
    main()
