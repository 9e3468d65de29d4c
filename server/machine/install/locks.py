"""The locks name every package that is installed, with its version and the hashes of its files.

There are two: all of it, and a slim one without speech and without the maker of PDF files. A third has what only some
installations want beside them. Each holds for every system: of an entry with a marker, that says for which.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

import config
from speech.complaint import Complaint, Phrase

LEFT_OUT = frozenset({"ctranslate2", "espeakng-loader", "pyttsx3", "pyobjc-framework-cocoa", "typst", "vosk"})
"""Packages that the slim lock leaves out, with all that only these need: voice, recognisers, maker of PDF files."""
ONE_EAR = frozenset({"ctranslate2", "typst"})
"""Packages that a laptop can do without where it plays with one ear and prints no PDF files itself."""
PURE = frozenset({"chess", "srt"})
"""Packages that come as source alone and are pure Python: their wheels are built on the way, for any machine."""
EXTRAS = {
    "print": frozenset({"typst"}),
    "postgresql": frozenset({"psycopg", "psycopg-binary", "tzdata"}),
    "s3": frozenset({"obstore"}),
    "wyoming": frozenset({"ifaddr", "zeroconf"}),
}
"""The extras of the program, and the packages that each needs that a bundle may lack (`config/locks/extras.lock`)."""
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
"""The versions of Python for which every package of the lock has a wheel (`tests/machine/wheels.toml`)."""
_MANYLINUX = [f"manylinux_2_{minor}" for minor in range(36, 4, -1)] + ["manylinux2014", "manylinux2010", "manylinux1"]


class Target(msgspec.Struct, frozen=True):
    """A kind of machine: its system and processor as Python names them, and the platforms of its wheels."""

    system: str
    machine: str
    platforms: tuple[str, ...]


TARGETS = {
    "linux": Target("linux", "x86_64", tuple(f"{name}_x86_64" for name in _MANYLINUX)),
    "linux-arm": Target("linux", "aarch64", tuple(f"{name}_aarch64" for name in _MANYLINUX)),
    "windows": Target("win32", "AMD64", ("win_amd64",)),
    "macos": Target("darwin", "arm64", ("macosx_13_0_arm64",)),
    "macos-intel": Target("darwin", "x86_64", ("macosx_13_0_x86_64",)),
}
_ENTRY = re.compile(r"^([A-Za-z0-9._-]+)==", re.MULTILINE)
_MARKER = re.compile(r"^[^\\#\n]*?( ; ([^\\\n]*?)) \\$", re.MULTILINE)
_VIA = re.compile(r"^ +#(?: via|  ) +([A-Za-z0-9._-]+)(?: \(.*\))?$", re.MULTILINE)


def kept_lock(*, slim: bool) -> Path:
    """Return the file of a lock, beside the data or at the top of a clone. Raises Complaint where it is missing."""
    folder = Path(config.__file__).parent
    name = "slim.lock" if slim else "requirements.lock"
    for place in (folder / "locks" / name, folder.parent / name):
        if place.is_file():
            return place
    raise Complaint(Phrase("bundle.no_lock"))


def extras_lock() -> Path:
    """Return the file with the packages of the extras. Raises Complaint where it is missing."""
    place = Path(config.__file__).parent / "locks" / "extras.lock"
    if not place.is_file():
        raise Complaint(Phrase("bundle.no_lock"))
    return place


def slim(lock: str) -> str:
    """Return the lock without `LEFT_OUT` and without what nothing else asks for.

    >>> slim("a==1\\n    # via anna-eins (pyproject.toml)\\nvosk==1\\n    # via anna-eins\\nsrt==1\\n    # via vosk\\n")
    'a==1\\n    # via anna-eins (pyproject.toml)\\n'
    """
    return without(lock, LEFT_OUT)


def without(lock: str, left_out: Iterable[str]) -> str:
    """Return a lock without these packages, and without what nothing else asks for."""
    entries = _entries(lock)
    gone = set(left_out)
    while more := {name for name, said in entries if name not in gone and set(_VIA.findall(said)) <= gone}:
        gone |= more
    return "".join(said for name, said in entries if name not in gone)


def _entries(lock: str) -> list[tuple[str, str]]:
    """Return the name and the text of every entry."""
    found = list(_ENTRY.finditer(lock))
    ends = [one.start() for one in found[1:]] + [len(lock)]
    return [(one[1], lock[one.start() : end]) for one, end in zip(found, ends, strict=True)]


def names_in(lock: str) -> frozenset[str]:
    """Return the names of the packages in a lock."""
    return frozenset(name for name, _ in _entries(lock))


def pick_entries(lock: str, names: Iterable[str]) -> str:
    """Return the entries of these names alone.

    >>> picked("a==1\\nb==2\\n", ["b"])
    'b==2\\n'
    """
    wanted = set(names)
    return "".join(said for name, said in _entries(lock) if name in wanted)


def lock_for(lock: str, target: Target, python: str) -> tuple[str, str]:
    """Return a lock for another machine, without markers: the packages with wheels, and those that come as source."""
    here = {
        "sys_platform": target.system,
        "platform_machine": target.machine,
        "os_name": "nt" if target.system == "win32" else "posix",
        "platform_system": {"win32": "Windows", "darwin": "Darwin"}.get(target.system, "Linux"),
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "python_version": python,
        "python_full_version": f"{python}.99",
    }
    wheels, sources = "", ""
    for name, said in _entries(lock):
        marked = _MARKER.match(said)
        if marked is None or holds(marked[2], here):
            plain = said if marked is None else said.replace(marked[1], "", 1)
            wheels, sources = (wheels, sources + plain) if name in PURE else (wheels + plain, sources)
    return wheels, sources


def holds(marker: str, here: Mapping[str, str]) -> bool:
    """Say whether a marker of a lock holds on a machine of which this is known. Raises ValueError for any other marker.

    >>> here = {"python_version": "3.9", "os_name": "nt"}
    >>> holds("python_version < '3.13' and (os_name == 'nt' or os_name == 'x')", here)
    True
    """

    def value(node: ast.expr) -> str:
        match node:
            case ast.Name(id=name) if name in here:
                return here[name]
            case ast.Constant(value=str() as text):
                return text
        raise ValueError(marker)

    def truth(node: ast.expr) -> bool:
        match node:
            case ast.BoolOp(op=ast.And(), values=parts):
                return all(truth(part) for part in parts)
            case ast.BoolOp(values=parts):
                return any(truth(part) for part in parts)
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                one, other = value(left), value(right)
                order = (_version(one) > _version(other)) - (_version(one) < _version(other))
                match operator:
                    case ast.Eq():
                        return one == other
                    case ast.NotEq():
                        return one != other
                    case ast.Lt():
                        return order < 0
                    case ast.LtE():
                        return order <= 0
                    case ast.Gt():
                        return order > 0
                    case ast.GtE():
                        return order >= 0
        raise ValueError(marker)

    return truth(ast.parse(marker, mode="eval").body)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdecimal())


def lock_of(wheels: Iterable[Path]) -> str:
    """Return a lock of wheels that lie in a folder, with the hash of each. Reads them."""
    lines = []
    for wheel in sorted(wheels):
        name, version = wheel.name.split("-")[:2]
        with wheel.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        lines.append(f"{name.replace('_', '-').lower()}=={version} --hash=sha256:{digest}\n")
    return "".join(lines)


if __name__ == "__main__":
    import sys

    if sys.argv[1:]:  # the lock of the tests, which has all extras
        sys.stdout.write(pick_entries(Path(sys.argv[1]).read_text("utf-8"), frozenset().union(*EXTRAS.values())))
    else:
        sys.stdout.write(slim(kept_lock(slim=False).read_text("utf-8")))
