"""The ways an append can fail; in each of them nothing was acknowledged."""

from __future__ import annotations

from server.journal.entry import Outcome


class JournalFailed(Exception):
    """The record could not be written or read; nothing was acknowledged.

    The disk may be full, read-only or locked, or the journal closed. The message is one plain sentence for the arbiter;
    the cause is chained.
    """


class JournalInDoubt(JournalFailed):
    """The way to the database broke or fell silent while it wrote: it may be on record or not.

    Nothing was acknowledged; `read` tells it once the database answers again.
    """


class NoAnswer(JournalFailed):
    """The database was silent or gone while the record was read; what it holds may be whole."""


class JournalRefused(JournalFailed):
    """The write contradicts the record, by a fault of the caller.

    For instance there is a gap in seq, or the run is unknown.
    """


class CommandRepeated(JournalRefused):
    """The command already has its outcome; `outcome` is the answer it got the first time."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(f"Command {outcome.command} has been answered already.")
        self.outcome = outcome


class LedElsewhere(JournalRefused):
    """Another server leads the table by now, so this one may write nothing of it."""
