"""`anna-eins serve` runs the server."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import click

from speech.complaint import Complaint

if TYPE_CHECKING:
    from server.app import Listening
    from server.hall.backup import Restored
    from server.machine.data_folder import DataFolder
    from server.machine.strongbox import AtRest, Strongbox


LEVELS = ("debug", "info", "warning", "error")
LOG = "anna-eins.log"


@click.command(epilog="\b\nExample:\n  anna-eins serve --lan --demo-table")
@click.option("--host", metavar="ADDRESS", help="Listen here instead of on this computer alone.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="Port for http (8080).")
@click.option(
    "--lan", is_flag=True, default=None, help="Also serve https on the local network, with an own certificate."
)
@click.option("--https-port", type=click.IntRange(0, 65535), metavar="N", help="Port for https (8443).")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Settings in TOML.")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the records.")
@click.option(
    "--record",
    "address",
    default="",
    envvar="ANNA_EINS_RECORD",
    metavar="ADDRESS",
    help="Keep the record on PostgreSQL: postgresql://NAME@HOST/DATABASE.",
)
@click.option("--standby", is_flag=True, help="Wait, and take the hall over when the server that leads it fails.")
@click.option("--share", is_flag=True, help="Lead some tables of the hall, beside other servers started so.")
@click.option("--demo-table", is_flag=True, default=None, help="Open a demonstration table if there is no table.")
@click.option("--open", "open_page", is_flag=True, help="Open the arbiter's page in the browser of this computer.")
@click.option("--log-file", metavar="FILE", help="Write the log here instead of into the data folder.")
@click.option("--log-level", type=click.Choice(LEVELS), help="What is logged: this and what is graver (info).")
@click.option("--training", is_flag=True, default=None, help="Demonstration table for training: it asks and corrects.")
@click.option("--chess960", metavar="START", help='Demonstration table in Chess960: 0-959, BBQNNRKR, dice or "draw".')
@click.option("--ears", multiple=True, metavar="ADDRESS", help="Ears on another machine that help, or mdns; see ears.")
@click.option("--second-opinion", "second_opinions", multiple=True, metavar="HOST:PORT", help="A Wyoming recogniser.")
@click.option("--speech-key", metavar="FILE", help="The key that machines with ears and voices share with this one.")
@click.option(
    "--restore-from",
    "copies",
    type=click.Path(path_type=Path),
    metavar="FILE",
    multiple=True,
    help="Go on with a table from the copy that the arbiter's page has saved.",
)
@click.option(
    "--restore-code", "codes", metavar="SQUARES", multiple=True, help="The code of that copy; else asked for."
)
def command(
    host: str | None,
    port: int | None,
    lan: bool | None,
    https_port: int | None,
    config: Path | None,
    data: Path | None,
    address: str,
    standby: bool,
    share: bool,
    demo_table: bool | None,
    open_page: bool,
    log_file: str | None,
    log_level: str | None,
    training: bool | None,
    chess960: str | None,
    ears: tuple[str, ...],
    second_opinions: tuple[str, ...],
    speech_key: str | None,
    copies: tuple[Path, ...],
    codes: tuple[str, ...],
) -> None:
    """Serve the tables until interrupted."""
    from server.app import serve
    from server.hall.restore import load_copy
    from server.machine.data_folder import DataFolder, chosen_folder
    from server.machine.logs import keep_log
    from server.settings import load_settings

    settings = load_settings(
        config,
        host=host,
        port=port,
        lan=lan,
        https_port=https_port,
        demo_table=demo_table,
        training=training,
        chess960=chess960,
        ears=ears or None,
        second_opinions=second_opinions or None,
        speech_key=speech_key,
        log_file=log_file,
        log_level=log_level,
    )

    if standby and not address:
        raise Complaint("A server stands by for a hall on PostgreSQL: name its record with --record.")
    if share and (standby or not address):
        raise Complaint("Servers share a hall on PostgreSQL: name its record with --record, and leave --standby out.")
    if settings.ears or settings.second_opinions or settings.voice_servers or settings.speech_key:
        from server.hall.engines import check_elsewhere

        check_elsewhere(settings)

    def told(house: Listening) -> None:
        for line in _welcome(house):
            click.echo(line)
        if open_page:
            _open_page(house)

    restored = [
        load_copy(copy, code if code is not None else click.prompt(f"The code of {copy.name}, sixteen squares"))
        for copy, code in zip_longest(copies, codes[: len(copies)])
    ]
    for copy, one in zip(copies, restored, strict=True):
        agree(copy, one)
    root = chosen_folder(data)
    with DataFolder.open(root, lock=False) as folder:
        box = strongbox_of(folder, settings.at_rest)
        for line in _left_plain(folder, box):
            click.echo(line)
        keep_log(Path(settings.log_file).expanduser() if settings.log_file else folder.log / LOG, settings.log_level)
    asyncio.run(
        serve(
            *(root, settings, told),
            restored=restored,
            say=click.echo,
            box=box,
            address=address,
            standby=standby,
            shares=share,
        )
    )


def strongbox_of(folder: DataFolder, wanted: AtRest | None = None) -> Strongbox:
    """Return what encrypts sounds and voices of this folder; a passphrase is asked for at the terminal.

    `wanted`: what the settings say; without them, the folder's own way. Raises Complaint where there is no key.
    """
    from server.machine.strongbox import AtRest, unlocked

    def ask(new: bool) -> str:
        told = "A new passphrase for sounds and voices" if new else "The passphrase of the sounds and voices"
        try:
            given: str = click.prompt(told, hide_input=True, confirmation_prompt=new)
        except click.Abort:
            raise Complaint("Nobody gave the passphrase of the sounds and voices, so nothing was started.") from None
        return given

    return unlocked(folder.root, wanted or AtRest(), ask)


def _left_plain(folder: DataFolder, box: Strongbox) -> list[str]:
    """Say how much lies in the open from before sounds and voices were encrypted."""
    from server.machine.strongbox import count_plain

    if not box.locked:
        return []
    sounds, voices = count_plain(folder.audio.glob("*/*.flac")), count_plain(folder.profiles.glob("*.json"))
    told = ["Sounds and voice profiles are encrypted on the disk."]
    if sounds or voices:
        told += [f"From before, {sounds} sounds and {voices} voice profiles lie there in the open; they stay readable."]
    return told


def agree(copy: Path, restored: Restored) -> None:
    """Ask whether a copy that is not whole is taken up all the same. Raises Complaint where the answer is not yes."""
    if not restored.missing:
        return
    click.echo(f"{copy.name}, table {restored.table}: {restored.missing}")
    try:
        agreed = click.confirm("Go on with what there is?", default=False)
    except click.Abort:  # nobody is there to answer
        agreed = False
    if not agreed:
        raise Complaint("Nothing was restored: the copy is not whole.")


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


def _open_page(house: Listening) -> None:
    """Open the arbiter's page, where a person sits before a screen; else the addresses that were printed must do.

    The link is used up as the browser opens it, so whoever else of this computer sees it can do nothing with it.
    """
    import webbrowser

    from server.app import invite_arbiter

    screen = sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if screen and sys.stdout.isatty():
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, invite_arbiter(house.app, house.local))


def _welcome(house: Listening) -> list[str]:
    from server.app import invite_arbiter, invite_to
    from server.machine.qr import qr_text
    from server.web.door.access import CODE_LIFE_MS, spoken_code
    from server.web.keys import HALL

    lines = ["Anna Eins is serving. Stop it with Ctrl+C.", "", f"  On this computer:  {house.local}"]
    lines += [f"  In the hall:       {address}" for address in house.hall]
    if house.certificate is not None:
        lines += [
            "  The browser will warn: the certificate is this server's own. Compare its SHA-256 fingerprint:",
            f"  {house.certificate.fingerprint}",
        ]
    lines += ["", f"  Arbiter of all tables, open this once: {invite_arbiter(house.app, house.local)}"]
    tables = invite_to(house.app, house.local)
    for table in tables:
        lines += ["", f"Table {table.table}", f"  Arbiter, open this once: {table.arbiter}"]
        for seat, invitation in table.seats:
            lines.append(f"  {seat + ':':<18} {spoken_code(invitation.squares, 'de')}")
    if not tables:
        lines += ["  No table is open; there the arbiter opens some out of a pairing file, or start with --demo-table."]
    else:
        lines.append("")
        hall = house.app[HALL]
        more = len(hall.tables) + len(hall.waiting) - len(tables)
        lines += [f"{more} more tables: the arbiter makes their codes on their pages."] if more else []
        minutes = CODE_LIFE_MS // 60_000
        lines += [f"Seats join at the address above with their code (good for {minutes} minutes, once);"]
        lines += ["the arbiter admits each device and makes new codes on their page."]
        lines += [
            "Then the arbiter starts White's clock; White holds the talk key and says, for example, Bauer Eva vier."
        ]
    if house.hall:
        lines += ["", qr_text(f"{house.hall[0]}/"), house.hall[0]]
    return lines
