"""`anna-eins models` adds Vosk models for the ears and keeps them in the data folder."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from server.cli.keeping.progress import shown
from server.cli.terminal.words import tell
from server.cli.terminal.words import told as said
from server.machine.data_folder import DataFolder, chosen_folder
from server.machine.vosk_models.shelf import choose_model, kept_models, models_in_force, remove_model

DATA = click.option("--data", type=click.Path(path_type=Path), metavar="DIR")


@click.group(no_args_is_help=False, epilog="\b\nExample:\n  anna-eins models add vosk-model-small-de-0.15.zip")
def command() -> None:
    """Vosk models that listen beside the built-in recogniser."""


@command.command(epilog="\b\nExample:\n  anna-eins models add vosk-model-small-de-0.15.zip")
@click.argument("source", type=click.Path(path_type=Path), metavar="FOLDER|ZIP")
@click.option("--language", metavar="TAG")
@DATA
def add(source: Path, language: str | None, data: Path | None) -> None:
    """Copy a model here, try it in a process of its own, and use it from now on."""
    from server.machine.vosk_models.adding import add_model
    from server.machine.vosk_models.checking import told

    if language is not None:
        from speech.words.loading import load_language

        load_language(language)
    with DataFolder.open(chosen_folder(data), lock=False) as folder, shown(said("answer.trying_model")):
        model, known = asyncio.run(add_model(folder.models, source, language))
    click.echo(f"{said('answer.model_in_use', name=model.name, language=model.about.language)} {told(known)}")


@command.command("list", epilog="\b\nExample:\n  anna-eins models list")
@DATA
def list_models(data: Path | None) -> None:
    """The models that were added, a line each."""
    shelf = DataFolder(chosen_folder(data)).models
    in_force = set(models_in_force(shelf).values())
    for model in kept_models(shelf):
        use = said("answer.in_use" if model.folder in in_force else "answer.not_in_use")
        about = model.about
        known, of = about.known, about.words
        tell("model_listed", name=model.name, language=about.language, use=use, known=known, of=of)
    if not kept_models(shelf):
        tell("no_model", command=f"anna-eins models add {said('put_in.FOLDER')}")


@command.command(epilog="\b\nExample:\n  anna-eins models use vosk-model-small-de-0.15")
@click.argument("name")
@DATA
def use(name: str, data: Path | None) -> None:
    """Use this model of its language from now on."""
    model = choose_model(DataFolder(chosen_folder(data)).models, name)
    tell("model_in_use", name=model.name, language=model.about.language)


@command.command(epilog="\b\nExample:\n  anna-eins models remove vosk-model-small-de-0.15")
@click.argument("name")
@DATA
def remove(name: str, data: Path | None) -> None:
    """Delete a model that was added."""
    remove_model(DataFolder(chosen_folder(data)).models, name)
    tell("model_deleted", name=name)
