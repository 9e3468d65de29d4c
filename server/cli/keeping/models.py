"""`anna-eins models` fetches and adds models for the ears, and keeps them in the data folder."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import click

from server.cli.keeping.progress import progress_bar
from server.cli.terminal.words import JSON, tell, tell_facts
from server.cli.terminal.words import answer_text as said
from server.machine.data_folder import DataFolder, chosen_folder
from server.machine.models.shelf import KeptModel, choose_model, kept_models, models_in_force, remove_model
from speech.models.known import known_model, load_known_models
from speech.models.whisper import KeptWhisper, whisper_folder, whisper_models

DATA = click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
BYTES_OF_A_MEGABYTE = 1_000_000


@click.group(invoke_without_command=True, epilog="\b\nExample:\n  anna-eins models get whisper-base")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Speech models that work beside the program's own; without a command, it lists them."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_models)


@command.command(epilog="\b\nExample:\n  anna-eins models get whisper-base")
@click.argument("name")
@JSON
@DATA
def get(name: str, as_json: bool, data: Path | None) -> None:
    """Download a known model, check its files against their hashes, and use it from now on."""
    from server.machine.models.getting import get_model

    model = known_model(name)
    try:
        with (
            DataFolder.open(chosen_folder(data), lock=False) as folder,
            progress_bar(said("answer.getting_model", name=name), of_bytes=True) as show,
        ):
            kept, fetched = get_model(folder.models, model, show)
    except KeyboardInterrupt:
        tell("getting_stopped", err=True, command=f"anna-eins models get {name}")
        sys.exit(130)
    if as_json:
        tell_facts({"name": name, "fetched": fetched, "bytes": model.bytes, "folder": str(kept.folder)})
        return
    tell("model_got" if fetched else "model_is_there", name=name, mb=megabytes(model.bytes), folder=str(kept.folder))


@command.command(epilog="\b\nExample:\n  anna-eins models add vosk-model-small-de-0.15.zip")
@click.argument("source", type=click.Path(path_type=Path), metavar="FOLDER|ZIP")
@click.option("--language", metavar="TAG")
@JSON
@DATA
def add(source: Path, language: str | None, as_json: bool, data: Path | None) -> None:
    """Copy a model here, try it in a process of its own, and use it from now on."""
    from server.machine.models.adding import add_model
    from server.machine.models.checking import describe_known_words

    if language is not None:
        from speech.words.loading import load_language

        load_language(language)
    with DataFolder.open(chosen_folder(data), lock=False) as folder, progress_bar(said("answer.trying_model")):
        added = asyncio.run(add_model(folder.models, source, language))
    if as_json:
        tell_facts(_in_use(added if isinstance(added, KeptWhisper) else added[0]))
        return
    if isinstance(added, KeptWhisper):
        tell("whisper_in_use" if added.about.known else "strange_whisper_in_use", name=added.name)
        return
    model, known = added
    click.echo(
        f"{said('answer.model_in_use', name=model.name, language=model.about.language)} {describe_known_words(known)}"
    )


@command.command("list", epilog="\b\nExample:\n  anna-eins models list")
@JSON
@DATA
def list_models(as_json: bool, data: Path | None) -> None:
    """The models that are here, a line each, and then those that can be fetched."""
    shelf = DataFolder(chosen_folder(data)).models
    in_force = {*models_in_force(shelf).values(), whisper_folder(shelf=shelf)}

    def use_of(folder: Path) -> str:
        return said("answer.in_use" if folder in in_force else "answer.not_in_use")

    kept, of_whisper = kept_models(shelf), whisper_models(shelf)
    to_get = [one for one in load_known_models() if one not in {here.about.known for here in of_whisper}]
    if as_json:
        here = [(one.name, one.about.language, one.folder) for one in kept]
        here += [(one.name, "", one.folder) for one in of_whisper]
        facts = [{"name": name, "language": tag, "in_use": place in in_force} for name, tag, place in here]
        tell_facts({"here": facts, "to_get": to_get})
        return
    for model in kept:
        about = model.about
        use = use_of(model.folder)
        tell("model_listed", name=model.name, language=about.language, use=use, known=about.known, of=about.words)
    for one in of_whisper:
        mb = megabytes(sum(file.bytes for file in one.about.files.values()))
        key = "whisper_listed" if one.about.known else "strange_whisper_listed"
        tell(key, name=one.name, use=use_of(one.folder), mb=mb)
    if not kept and not of_whisper:
        tell("no_model", command=f"anna-eins models add {said('put_in.FOLDER')}")
    for name in to_get:
        known = known_model(name)
        mb = megabytes(known.bytes)
        tell("model_to_get", name=name, mb=mb, licence=known.licence, command=f"anna-eins models get {name}")


@command.command(epilog="\b\nExample:\n  anna-eins models use vosk-model-small-de-0.15")
@click.argument("name")
@JSON
@DATA
def use(name: str, as_json: bool, data: Path | None) -> None:
    """Use this model from now on; of Vosk models, one for each language."""
    model = choose_model(DataFolder(chosen_folder(data)).models, name)
    if as_json:
        tell_facts(_in_use(model))
        return
    if isinstance(model, KeptWhisper):
        tell("whisper_in_use" if model.about.known else "strange_whisper_in_use", name=model.name)
        return
    tell("model_in_use", name=model.name, language=model.about.language)


@command.command(epilog="\b\nExample:\n  anna-eins models remove vosk-model-small-de-0.15")
@click.argument("name")
@JSON
@DATA
def remove(name: str, as_json: bool, data: Path | None) -> None:
    """Delete a model that was added."""
    remove_model(DataFolder(chosen_folder(data)).models, name)
    if as_json:
        tell_facts({"name": name})
        return
    tell("model_deleted", name=name)


def megabytes(size: int) -> int:
    """Return a size in bytes as whole megabytes, to the nearest."""
    return round(size / BYTES_OF_A_MEGABYTE)


def _in_use(model: KeptModel | KeptWhisper) -> dict[str, str]:
    """Return a model that is used from now on, as programs read it, as `models list` has it."""
    return {"name": model.name, "language": "" if isinstance(model, KeptWhisper) else model.about.language}
