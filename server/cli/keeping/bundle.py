"""`anna-eins bundle` writes a folder from which the program is installed without the internet."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from server.cli.keeping.progress import progress_bar
from server.cli.terminal.words import JSON, in_own_words, tell, tell_facts
from server.cli.terminal.words import answer_text as said
from server.machine.install.bundle import MODEL, make_bundle, take_model_along
from server.machine.install.locks import EXTRAS, PYTHONS, TARGETS
from speech.complaint import Complaint, told_by


@click.command("bundle", epilog="\b\nExample:\n  anna-eins bundle /media/stick/anna-eins --for windows --python 3.13")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--slim", is_flag=True)
@click.option("--one-ear", is_flag=True)
@click.option("--wheel", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--for", "target", type=click.Choice(sorted(TARGETS)))
@click.option("--python", type=click.Choice(PYTHONS))
@click.option("--with", "extras", type=click.Choice(sorted(EXTRAS)), multiple=True)
@JSON
def command(
    folder: Path,
    slim: bool,
    one_ear: bool,
    wheel: Path | None,
    target: str | None,
    python: str | None,
    extras: tuple[str, ...],
    as_json: bool,
) -> None:
    """Write FOLDER for a machine that never sees the internet: packages, their lock, a model and a starter.

    It fits machines with the same system, kind of processor and version of Python as this one, or those that are named.
    """
    kind = TARGETS[target] if target is not None else None
    quiet = not sys.stdout.isatty()
    about = make_bundle(
        folder,
        slim=slim,
        one_ear=one_ear,
        wheel=wheel,
        quiet=quiet,
        target=kind,
        python=python,
        extras=extras,
    )
    model = not slim and not one_ear
    if model:
        try:
            with progress_bar(said("answer.getting_model", name=MODEL), of_bytes=True) as show:
                take_model_along(folder, show)
        except Complaint as wrong:
            model = False
            tell("bundled_without_model", name=MODEL, why=in_own_words(told_by(wrong)).rstrip(".։"), err=True)
    if as_json:
        tell_facts({"folder": str(folder), "model": MODEL if model else "", **msgspec.structs.asdict(about)})
        return
    command = "start.cmd" if about.system == "win32" else "python3 start.py"
    tell("bundled", folder=str(folder), command=command, **msgspec.structs.asdict(about))
