"""Names that cannot be guessed: commands, runs, tables, codes of squares."""

from __future__ import annotations

import re
import secrets

TABLE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_DEVICE_OF_WINDOWS = re.compile(r"(?i)con|prn|aux|nul|(com|lpt)[0-9]")  # no folder there has such a name


def new_command_id() -> str:
    """Return 128 random bits as 32 hex digits."""
    return secrets.token_hex(16)


def new_run_id() -> str:
    """Return the name of one run of the program."""
    return secrets.token_hex(8)


def new_table_id() -> str:
    """Return the name of a table: short enough to say, random enough to be the only one."""
    return "t" + secrets.token_hex(4)


def is_table_name(name: str) -> bool:
    """Say whether a table may have this name, which is also that of a folder of sounds."""
    return TABLE_NAME.fullmatch(name) is not None and _DEVICE_OF_WINDOWS.fullmatch(name) is None


def new_squares(count: int) -> tuple[str, ...]:
    """Return a code of so many squares, each one of the 64 at random: six bits a square."""
    return tuple(secrets.choice("abcdefgh") + secrets.choice("12345678") for _ in range(count))
