"""`anna-eins bundle` writes a folder from which the program is installed without the internet."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from server.cli.terminal.words import tell
from server.machine.install.bundle import make_bundle


@click.command("bundle", epilog="\b\nExample:\n  anna-eins bundle /media/stick/anna-eins")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--slim", is_flag=True)
@click.option("--wheel", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def command(folder: Path, slim: bool, wheel: Path | None) -> None:
    """Write FOLDER for a machine that never sees the internet: packages, their lock and a starter.

    It fits machines with the same system, kind of processor and version of Python as this one.
    """
    about = make_bundle(folder, slim=slim, wheel=wheel, quiet=not sys.stdout.isatty())
    tell("bundled", folder=str(folder), command="python3 start.py", **msgspec.structs.asdict(about))
