"""The contents of the journal: entries, which are encoded events, and outcomes of commands."""

from __future__ import annotations

import msgspec


class Entry(msgspec.Struct, frozen=True):
    """One event of one table as the record keeps it.

    The journal never looks inside `body`.
    """

    table: str
    seq: int
    """1, 2, 3 ... of this table, without a gap."""
    run: str
    """The run of the program that wrote it; `mono_ms` has a meaning inside this run only."""
    command: str
    """The id of the command that caused it (32 hex digits, from the client); '' for the program's own."""
    station: str
    seat: str
    """`white`, `black`, or '' where no seat is concerned."""
    origin: str
    """`sensed`, `declared`, `heard`, `entered`, `inferred`, or the program's own word."""
    mono_ms: int
    wall_ms: int
    version: int
    """The version of the body's form, so that old records stay readable."""
    kind: str
    body: bytes
    """JSON, UTF-8."""


class Outcome(msgspec.Struct, frozen=True):
    """Answer that a command got.

    It is stored with the events of the command, so that a repeat gets the same answer.
    """

    command: str
    table: str
    station: str
    body: bytes
    """JSON, UTF-8."""


class Run(msgspec.Struct, frozen=True):
    """One run of the program, from its start to its end or its crash."""

    run: str
    started_mono_ms: int
    started_wall_ms: int
    program_version: str


class Witness(msgspec.Struct, frozen=True):
    """Moment at which the program was alive.

    After a crash the clocks stand at the last one of the run.
    """

    run: str
    mono_ms: int
    wall_ms: int


class _Done(msgspec.Struct):
    ok: bool = False


class _Answer(msgspec.Struct):
    outcome: _Done = msgspec.field(default_factory=_Done)


def carried_out(body: bytes) -> bool:
    """Say whether the body of an outcome tells that its command was carried out; nothing else of it is looked at."""
    try:
        return msgspec.json.decode(body, type=_Answer).outcome.ok
    except msgspec.MsgspecError:
        return False
