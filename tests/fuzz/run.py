"""`make fuzz`: messages of every registered act and hostile files of each kind; one table says what held.

`python -m tests.fuzz.run [--only "messages; WAV"] [--messages 1000000] [--files 100000] [--minutes 5] [--seed 20]`. The
exit status is 1 where anything failed otherwise than in one plain sentence, a replay is another game, one file takes
longer than 2 s of the processor, or the memory does not come back.
"""

from __future__ import annotations

import sys

import click

from tests.faults.tally import shown
from tests.fuzz.files import KINDS as FILES
from tests.fuzz.messages import messages
from tests.fuzz.times import times

KINDS = {**FILES, "times of words": times}


@click.command()
@click.option("--only", default="", help=f"These alone, with semicolons between them: messages; {'; '.join(KINDS)}.")
@click.option("--messages", "said", type=click.IntRange(1), default=1_000_000, show_default=True)
@click.option("--files", "each", type=click.IntRange(1), default=100_000, show_default=True, help="Of each kind.")
@click.option("--minutes", default=30.0, show_default=True, help="For each kind.")
@click.option("--seed", default=20, show_default=True)
def main(only: str, said: int, each: int, minutes: float, seed: int) -> None:
    """Send and read what nobody should, and say what held."""
    chosen = [one.strip() for one in only.split(";")] if only else ["messages", *KINDS]
    rows = []
    for kind in chosen:
        tally = messages(said, minutes, seed) if kind == "messages" else KINDS[kind](each, minutes, seed)
        rows.append(tally)
        print(*tally.row(), sep=" | ", file=sys.stderr, flush=True)
    sys.exit(shown("Fuzz", rows))


if __name__ == "__main__":
    main()
