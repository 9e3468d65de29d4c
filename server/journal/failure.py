"""How an append can fail. Whatever the kind, nothing was acknowledged."""

from __future__ import annotations

from server.journal.envelope import Outcome


class JournalFailed(Exception):
    """The record could not be written or read (disk full, read-only, locked, closed); nothing was acknowledged.

    The message is one plain sentence for the arbiter; the cause is chained.
    """


class JournalRefused(JournalFailed):
    """What was to be written contradicts the record (a gap in seq, an unknown run): a fault of the caller."""


class CommandRepeated(JournalRefused):
    """The command has its outcome already; `outcome` is the answer it got the first time."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(f"Command {outcome.command} has been answered already.")
        self.outcome = outcome
