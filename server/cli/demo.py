"""`anna-eins demo` plays whole games with real voices, real recognition and a real server.

Both boards and both scores are kept.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import click
from rich.console import Console

from server.cli.terminal.words import not_written
from server.demo.account import Account
from server.demo.demonstration import Demonstration
from server.demo.game_script import built_in_games, games_of_file
from server.demo.mouth import Aloud, loudspeaker


@click.command("demo", epilog="\b\nExample:\n  anna-eins demo --fast --no-audio")
@click.option("--pgn", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--fast", is_flag=True)
@click.option("--no-audio", is_flag=True)
def command(pgn: Path | None, out: Path | None, fast: bool, no_audio: bool) -> None:
    """Play whole games between a player with a tactile board and a sighted player, and describe what happens."""
    scripts = games_of_file(pgn) if pgn is not None else built_in_games()
    folder = out if out is not None else Path(tempfile.mkdtemp(prefix="anna-eins-demo-out-"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as failed:
        raise not_written(folder, failed, "other_out") from failed
    console = Console(soft_wrap=True)
    account = Account(console)
    aloud: Aloud | None = None
    if not fast and not no_audio:
        aloud, why_not = loudspeaker()
        if why_not:
            account.tell(why_not)
    done = asyncio.run(Demonstration(folder, account, fast=fast, aloud=aloud).play(scripts))
    account.chapter("What came of it")
    account.summary()
    account.tell(f"Everything lies in {folder}.")
    if not all(result.all_moves_arrived for _, result in done):
        raise SystemExit(1)
