"""These functions make names that cannot be guessed: commands, runs, tables, codes of squares."""

from __future__ import annotations

import secrets


def new_command_id() -> str:
    """Return 128 random bits as 32 hex digits."""
    return secrets.token_hex(16)


def new_run_id() -> str:
    """Return the name of one run of the program."""
    return secrets.token_hex(8)


def new_table_id() -> str:
    """Return the name of a table: short enough to say, random enough to be the only one."""
    return "t" + secrets.token_hex(4)


def new_squares(count: int) -> tuple[str, ...]:
    """Return a code of so many squares, each one of the 64 at random: six bits a square."""
    return tuple(secrets.choice("abcdefgh") + secrets.choice("12345678") for _ in range(count))
