"""With `anna-eins enrol` a player reads some forty words, so that the ears know that player's voice."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from server.cli.terminal.words import JSON, answer_text, tell, tell_facts
from server.machine.data_folder import DataFolder, chosen_folder

if TYPE_CHECKING:
    from server.machine.strongbox import Strongbox
    from speech.words.scheme import Scheme


@click.command("enrol", epilog="\b\nExample:\n  anna-eins enrol --name Anna")
@click.option("--name", required=True)
@click.option("--code", default=None)
@click.option("--wav-dir", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--language", default="de", show_default=True)
@click.option("--scheme", "scheme_name", default="d21", show_default=True, metavar="NAME")
@click.option("--list", "listing", is_flag=True)
@click.option("--delete", is_flag=True)
@click.option("--device", default=None)
@JSON
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
def command(
    name: str,
    code: str | None,
    wav_dir: Path | None,
    language: str,
    scheme_name: str,
    listing: bool,
    delete: bool,
    device: str | None,
    as_json: bool,
    data: Path | None,
) -> None:
    """Learn a player's voice; the profile is the player's own, private file and can be deleted."""
    from server.cli.serve import strongbox_of
    from speech.words.loading import load_scheme

    with DataFolder.open(chosen_folder(data), lock=False) as folder:
        if delete:
            _forget(folder, name, code, as_json=as_json)
            return
        scheme = load_scheme(scheme_name, language)
        if listing:
            _list(scheme, as_json=as_json)
            return
        box = strongbox_of(folder)
        asyncio.run(_learn(folder, box, scheme, name, code, wav_dir, device, as_json=as_json))


def _forget(folder: DataFolder, name: str, code: str | None, *, as_json: bool) -> None:
    """Delete the profiles of a player, who is named by the code or, without one, by the name."""
    from server.cli.serve import strongbox_of
    from server.machine.strongbox import OPEN
    from server.voice.profiles import code_of, forget_profiles

    box = strongbox_of(folder) if code is None else OPEN  # a code names its files without reading them
    forget_profiles(folder.profiles, code_of(folder.profiles, code or name, box))
    if as_json:
        tell_facts({"name": name})
    else:
        tell("voice_forgotten", name=name)


def _list(scheme: Scheme, *, as_json: bool) -> None:
    """Print what is to be read."""
    from server.stations.readings import list_prompts

    prompts = list_prompts(scheme)
    if as_json:
        tell_facts(prompts)
    else:
        click.echo("\n".join(prompts))


async def _learn(
    folder: DataFolder,
    box: Strongbox,
    scheme: Scheme,
    name: str,
    code: str | None,
    wav_dir: Path | None,
    device: str | None,
    *,
    as_json: bool,
) -> None:
    """Learn the voice from sound files or at the microphone, keep the profile, and tell its code."""
    from server.stations.readings import readings_from_folder, readings_from_microphone
    from server.voice.profiles import code_of, fresh_code, keep_profile
    from speech.enrolment.learn import learnt

    if wav_dir is not None:
        readings = await asyncio.to_thread(readings_from_folder, wav_dir)
    else:
        readings = await readings_from_microphone(scheme, device)
    own = code_of(folder.profiles, code, box) if code is not None else fresh_code(folder.profiles)
    profile = msgspec.structs.replace(await learnt(name, scheme, readings), code=own)
    await asyncio.to_thread(keep_profile, folder.profiles, profile, box)
    left = len(readings) - profile.readings
    fitted = profile.own is not None
    if as_json:
        tell_facts({"name": name, "code": own, "readings": profile.readings, "left_out": left, "model_fitted": fitted})
        return
    said = [answer_text("answer.voice_known", name=name, readings=profile.readings, number=left)]
    said += [answer_text("answer.model_fitted")] if fitted else []
    click.echo(" ".join([*said, answer_text("answer.voice_code", code=own, name=name)]))
