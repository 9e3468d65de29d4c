"""The running account of a demonstration, in words that a newcomer understands."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

RUNGS = ("first try", "repeated slower", "full from-to form", "letters", "assistant typed")


class Account:
    """Account of each announcement and of what was heard, with the rung on which it was understood; it also counts."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.rungs: Counter[str] = Counter()
        self.echo_rungs: Counter[str] = Counter()
        self.corrected = 0
        self.asked_again = 0
        self.charged_ms = {"white": 0, "black": 0}

    def chapter(self, text: str) -> None:
        """Begin a new part of the story."""
        self.console.rule(escape(text))

    def tell(self, text: str) -> None:
        """Print one line of the story."""
        self.console.print(escape(text), highlight=False)

    def ply(self, number: int, text: str) -> None:
        """Print a line about one half-move, with the move number before it."""
        move = f"{(number + 1) // 2}{'.' if number % 2 else '...'}"
        self.console.print(f"[bold]{move:>6}[/bold] {escape(text)}", highlight=False)

    def got_through(self, rung: int, *, echo: bool) -> None:
        """Count a move (or an echo) that was understood on this rung."""
        (self.echo_rungs if echo else self.rungs)[RUNGS[rung]] += 1

    def summary(self) -> None:
        """Print how many moves needed which rung."""
        table = RichTable(title="How the spoken words got through")
        table.add_column("rung")
        table.add_column("announcements", justify="right")
        table.add_column("echoes", justify="right")
        for rung in RUNGS:
            table.add_row(rung, str(self.rungs[rung]), str(self.echo_rungs[rung]))
        self.console.print(table)
        self.tell(
            f"Heard wrongly, noticed by the player in the read-back and said again before the press: {self.corrected}. "
            f"Not understood and asked again: {self.asked_again}."
        )
        self.tell(
            "Machine announcements took "
            f"{self.charged_ms['white']} ms of White's and {self.charged_ms['black']} ms of "
            "Black's moves (on the mover's time, as recorded)."
        )
