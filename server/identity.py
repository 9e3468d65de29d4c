"""Names that cannot be guessed: commands, runs, tables."""

from __future__ import annotations

import secrets


def new_command_id() -> str:
    """128 random bits as 32 hex digits."""
    return secrets.token_hex(16)


def new_run_id() -> str:
    """The name of one run of the program."""
    return secrets.token_hex(8)


def new_table_id() -> str:
    """The name of a table: short enough to say, random enough not to collide."""
    return "t" + secrets.token_hex(4)
