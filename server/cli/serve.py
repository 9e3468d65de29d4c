"""`anna-eins serve` runs the server."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from server.cli.terminal.language import own_language
from server.cli.terminal.words import answer_text as said
from server.cli.terminal.words import wrong
from speech.complaint import Phrase
from speech.words.catalogue import phrase_in

if TYPE_CHECKING:
    from server.app import Listening
    from server.hall.backup import Restored
    from server.machine.data_folder import DataFolder
    from server.machine.strongbox import AtRest, Strongbox


LEVELS = ("debug", "info", "warning", "error")
LOG = "anna-eins.log"


@click.command(epilog="\b\nExample:\n  anna-eins serve --lan --demo-table")
@click.option("--host", metavar="ADDRESS")
@click.option("--port", type=click.IntRange(0, 65535), metavar="N")
@click.option("--lan", is_flag=True, default=None)
@click.option("--https-port", type=click.IntRange(0, 65535), metavar="N")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--record",
    "address",
    default="",
    envvar="ANNA_EINS_RECORD",
    metavar="ADDRESS",
)
@click.option("--standby", is_flag=True)
@click.option("--share", is_flag=True)
@click.option("--sounds", envvar="ANNA_EINS_SOUNDS", metavar="ADDRESS")
@click.option("--demo-table", is_flag=True, default=None)
@click.option("--open", "open_page", is_flag=True)
@click.option("--log-file", metavar="FILE")
@click.option("--log-level", type=click.Choice(LEVELS))
@click.option("--training", is_flag=True, default=None)
@click.option("--chess960", metavar="START")
@click.option("--ears", multiple=True, metavar="ADDRESS")
@click.option("--second-opinion", "second_opinions", multiple=True, metavar="HOST:PORT")
@click.option("--speech-key", metavar="FILE")
@click.option(
    "--restore-from",
    "copies",
    type=click.Path(path_type=Path),
    metavar="FILE",
    multiple=True,
)
@click.option("--restore-code", "codes", metavar="SQUARES", multiple=True)
def command(
    config: Path | None,
    data: Path | None,
    address: str,
    standby: bool,
    share: bool,
    open_page: bool,
    copies: tuple[Path, ...],
    codes: tuple[str, ...],
    **given: Any,
) -> None:
    """Serve the tables until interrupted; what else is `given` stands in place of the settings of the file."""
    from server.app import serve
    from server.machine.data_folder import DataFolder, chosen_folder, witness_folder
    from server.machine.logs import keep_log
    from server.settings import load_settings

    settings = load_settings(config, **{name: value for name, value in given.items() if value != ()})
    if standby and not address:
        raise wrong("standby_record")
    if share and (standby or not address):
        raise wrong("share_record")
    if settings.ears or settings.second_opinions or settings.voice_servers or settings.speech_key:
        from server.hall.engines import check_elsewhere

        check_elsewhere(settings)

    restored = _load_copies(copies, codes)
    root = chosen_folder(data)
    with DataFolder.open(root, lock=False) as folder:
        box = strongbox_of(folder, settings.at_rest)
        for line in _left_plain(folder, box):
            click.echo(line)
        keep_log(Path(settings.log_file).expanduser() if settings.log_file else folder.log / LOG, settings.log_level)
    asyncio.run(
        serve(
            *(root, settings, _open_page_too if open_page else _tell_addresses),
            restored=restored,
            say=_say,
            box=box,
            address=address,
            standby=standby,
            shares=share,
            witness=(witness_folder(),),
        )
    )


def _say(told: str | Phrase) -> None:
    click.echo(phrase_in(told, own_language()) if isinstance(told, Phrase) else told)


def _load_copies(copies: Sequence[Path], codes: Sequence[str]) -> list[Restored]:
    """Return the tables of these copies, for which a code that is not given is asked. Raises Complaint."""
    from server.hall.restore import load_copy

    restored = [
        load_copy(copy, code if code is not None else click.prompt(said("ask.copy_code", name=copy.name)))
        for copy, code in zip_longest(copies, codes[: len(copies)])
    ]
    for copy, one in zip(copies, restored, strict=True):
        ask_to_take_up(copy, one)
    return restored


def strongbox_of(folder: DataFolder, wanted: AtRest | None = None) -> Strongbox:
    """Return the strongbox for sounds and voices of this folder; a passphrase is asked for at the terminal.

    `wanted`: what the settings say; without them, the folder's own way. Raises Complaint where there is no key.
    """
    from server.machine.strongbox import AtRest, unlock_strongbox

    def ask(new: bool) -> str:
        question = said("ask.new_passphrase" if new else "ask.passphrase")
        try:
            given: str = click.prompt(question, hide_input=True, confirmation_prompt=new)
        except click.Abort:
            raise wrong("no_passphrase") from None
        return given

    return unlock_strongbox(folder.root, wanted or AtRest(), ask)


def _left_plain(folder: DataFolder, box: Strongbox) -> list[str]:
    """Say how much lies in the open from before sounds and voices were encrypted."""
    from server.machine.strongbox import count_plain

    if not box.locked:
        return []
    sounds, voices = count_plain(folder.audio.glob("*/*.flac")), count_plain(folder.profiles.glob("*.json"))
    told = [said("welcome.encrypted")]
    if sounds or voices:
        told.append(said("welcome.left_open", sounds=sounds, voices=voices))
    return told


def ask_to_take_up(copy: Path, restored: Restored) -> None:
    """Ask whether a copy that is not whole is taken up all the same. Raises Complaint where the answer is not yes."""
    if not restored.missing:
        return
    click.echo(f"{copy.name}, {said('welcome.table', table=restored.table)}: {restored.missing}")
    try:
        agreed = click.confirm(said("ask.go_on"), default=False)
    except click.Abort:  # nobody is there to answer
        agreed = False
    if not agreed:
        raise wrong("not_restored")


def free_port() -> int:
    """Return the usual port, or 0 (any other) where another program has it."""
    from server.settings import Settings

    usual = Settings()
    with socket.socket() as tried:
        if sys.platform != "win32":  # there it would let two programs have the same port
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((usual.host, usual.port))
        except OSError:
            return 0
    return usual.port


def _open_page_too(house: Listening) -> None:
    """Print the addresses and, where a person sits before a screen, open the arbiter's page.

    The link is used up as the browser opens it, so another user of this computer who sees it can do nothing with it.
    """
    import webbrowser

    from server.app import invite_arbiter

    _tell_addresses(house)
    screen = sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if screen and sys.stdout.isatty():
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, invite_arbiter(house.app, house.local))


def _tell_addresses(house: Listening) -> None:
    click.echo("\n".join(_welcome(house)))


def _welcome(house: Listening) -> list[str]:
    from server.app import invite_arbiter, invite_to
    from server.exports.qr import qr_text
    from server.web.door.access import CODE_LIFE_MS, spoken_code
    from server.web.keys import HALL

    lines = [said("welcome.serving"), "", f"  {said('welcome.here', address=house.local)}"]
    lines += [f"  {said('welcome.in_hall', address=address)}" for address in house.hall]
    if house.certificate is not None:
        lines += [f"  {said('welcome.certificate')}", f"  {house.certificate.fingerprint}"]
    lines += ["", f"  {said('welcome.hall_arbiter', address=invite_arbiter(house.app, house.shown))}"]
    tables = invite_to(house.app, house.shown)
    for table in tables:
        lines += ["", said("welcome.table", table=table.table)]
        lines += [f"  {said('welcome.arbiter', address=table.arbiter)}"]
        for seat, page, invitation in table.seats:
            lines.append(f"  {said(f'welcome.{seat.value}_{page}'):<18} {spoken_code(invitation.squares, 'de')}")
    if not tables:
        lines += [f"  {said('welcome.no_table')}"]
    else:
        lines.append("")
        hall = house.app[HALL]
        more = len(hall.tables) + len(hall.waiting) - len(tables)
        lines += [said("welcome.more", count=more)] if more else []
        lines += [said("welcome.join", minutes=CODE_LIFE_MS // 60_000), said("welcome.admit"), said("welcome.begin")]
    if house.hall:
        lines += ["", qr_text(f"{house.hall[0]}/"), house.hall[0]]
    return lines
