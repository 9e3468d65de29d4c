"""The locks name every package that is installed, with its version and the hashes of its files.

There are two: all of it, and a slim one without speech and without the maker of PDF files.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

import config
from speech.complaint import Complaint, Phrase

LEFT_OUT = frozenset({"ctranslate2", "espeakng-loader", "pyttsx3", "pyobjc-framework-cocoa", "typst", "vosk"})
"""What the slim lock leaves out, with all that only these need: the voice, the recognisers, the maker of PDF files."""
_ENTRY = re.compile(r"^([A-Za-z0-9._-]+)==", re.MULTILINE)
_VIA = re.compile(r"^ +#(?: via|  ) +([A-Za-z0-9._-]+)(?: \(.*\))?$", re.MULTILINE)


def kept_lock(*, slim: bool) -> Path:
    """Return the file of a lock, beside the data or at the top of a clone. Raises Complaint where it is missing."""
    folder = Path(config.__file__).parent
    name = "slim.lock" if slim else "requirements.lock"
    for place in (folder / "locks" / name, folder.parent / name):
        if place.is_file():
            return place
    raise Complaint(Phrase("bundle.no_lock"))


def slim(lock: str) -> str:
    """Return the lock without `LEFT_OUT` and without what nothing else asks for.

    >>> slim("a==1\\n    # via anna-eins (pyproject.toml)\\nvosk==1\\n    # via anna-eins\\nsrt==1\\n    # via vosk\\n")
    'a==1\\n    # via anna-eins (pyproject.toml)\\n'
    """
    found = list(_ENTRY.finditer(lock))
    ends = [one.start() for one in found[1:]] + [len(lock)]
    entries = [(one[1], lock[one.start() : end]) for one, end in zip(found, ends, strict=True)]
    gone = set(LEFT_OUT)
    while more := {name for name, said in entries if name not in gone and set(_VIA.findall(said)) <= gone}:
        gone |= more
    return "".join(said for name, said in entries if name not in gone)


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

    sys.stdout.write(slim(kept_lock(slim=False).read_text("utf-8")))
