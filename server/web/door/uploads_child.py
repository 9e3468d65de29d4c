"""The process that reads an uploaded file, within a limit; `server.web.door.uploads` starts it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from server.hall.event_profile import EventProfile, as_toml, check_profile, load_profile
from server.hall.foreign_files.file_text import CodePageUnclear, file_text
from server.hall.foreign_files.pairings import read_pairings
from server.protocol import UNREADABLE
from speech.complaint import Complaint, Phrase
from speech.process import BudgetExceeded, give_way, limit_time, serve_child
from speech.words.config_file import Source, own_source_of

LIMIT_S = 2.0
"""The processor time of one file; the longest honest one, a tournament of 500 boards, takes a fifth of it."""
NAMELESS = "event.toml"


def read_upload(asked: dict[str, Any]) -> dict[str, object]:
    """Return the contents of the file, or nothing where time or memory do not suffice. Raises Complaint."""
    try:
        with limit_time(LIMIT_S):
            if "pairings" in asked:
                return _pairings(asked["pairings"], asked["page"], asked["round"])
            profile = _profile(asked)
            return {"profile": msgspec.to_builtins(profile), "toml": as_toml(profile)}
    except (BudgetExceeded, MemoryError, RecursionError):
        return {}


def _pairings(file: bytes, page: str | None, round: int | None) -> dict[str, object]:
    try:
        read = file_text(file, page)
    except CodePageUnclear as unclear:
        return {"unclear": unclear.choices}
    found = read_pairings(read.text, round)
    return {"pairings": msgspec.to_builtins(found), "page": read.encoding, "sample": read.sample}


def _profile(asked: dict[str, Any]) -> EventProfile:
    if "path" in asked:
        return load_profile(Path(asked["path"]))
    if "toml" in asked:
        return check_profile(own_source_of(asked["toml"], asked["file"] or NAMELESS))
    try:
        return check_profile(Source(NAMELESS, msgspec.json.decode(asked["json"], type=dict[str, Any])))
    except UNREADABLE as wrong:
        raise Complaint(Phrase("request_unreadable", why=wrong)) from wrong


if __name__ == "__main__":
    give_way()  # the games go first
    serve_child(read_upload)
