"""The progress of long work is shown at a terminal, and nowhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from server.cli.terminal.words import is_quiet


@contextmanager
def progress_bar(title: str, *, of_bytes: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Give what is to be told how much is done, and of how much; a bar shows it on the terminal of standard error.

    Where that is a pipe or a file, nothing is shown. `of_bytes`: they are counted in MB.
    """
    if not sys.stderr.isatty() or is_quiet():
        yield lambda done, of: None
        return
    amount = DownloadColumn() if of_bytes else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), amount, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None)
        yield lambda done, of: progress.update(task, completed=done, total=of)
