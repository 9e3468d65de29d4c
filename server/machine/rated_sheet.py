"""The arbiter signs this page before a rated game: what is on this machine and what is not.

It follows design 1.7. It looks and reports; it proves nothing about what it cannot see, and says so.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from importlib import metadata
from ipaddress import ip_address
from pathlib import Path

import msgspec
import psutil

from speech.complaint import Complaint
from speech.hearing.hearing import FETCHING
from speech.models.whisper import checked_whisper_model, whisper_folder
from speech.words.catalogue import MEASURE, load_messages

ENGINES = (
    "stockfish", "lc0", "komodo", "dragon", "gnuchess", "crafty", "fruit", "toga2", "glaurung", "phalanx", "sjeng",
    "fairymax", "berserk", "ethereal", "xiphos", "houdini", "rybka", "shredder", "fritz", "scid", "arena", "cutechess",
    "cutechess-cli", "polyglot", "xboard", "pychess", "chessx", "droidfish", "picochess",
)  # fmt: skip
ENGINE_PACKAGES = ("stockfish", "leela", "maia", "chessbot", "sunfish", "pyffish", "fairyfishnet", "berserk")
BOOKS = (".abk", ".ctg", ".rtbw", ".rtbz", ".pgn.gz", ".cbh", ".obk", ".gtb")
MOST_FILES = 20_000
Say = Callable[..., str]
ENGLISH: Say = load_messages(MEASURE, part="commands").text
LINE = "_" * 30


class RatedSheet(msgspec.Struct, frozen=True, kw_only=True):
    """Contents of the page on this machine that an arbiter signs before a rated game.

    `laws`: the edition of the Laws by which the event plays, and tables that play by another. `engines`, `books`: what
    was found; they must be empty for a rated game. `ears`: what hears moves.
    """

    program: str
    system: str
    at: str
    engines: tuple[str, ...]
    books: tuple[str, ...]
    interfaces: tuple[str, ...]
    ports: tuple[str, ...]
    versions: tuple[str, ...]
    hashes: tuple[str, ...]
    devices: tuple[str, ...]
    laws: tuple[str, ...] = ()
    ears: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Say whether nothing was found that must not be there."""
        return not self.engines and not self.books


def engines_on_path(names: Iterable[str] = ENGINES) -> tuple[str, ...]:
    """Return the chess programs that can be called on this machine, by their usual names."""
    return tuple(f"{name} ({found})" for name in names if (found := shutil.which(name)) is not None)


def engine_packages(say: Say = ENGLISH) -> tuple[str, ...]:
    """Return the Python packages of this environment that play or analyse chess."""
    installed = {(one.metadata["Name"] or "").lower() for one in metadata.distributions()}
    return tuple(sorted(say("rated.package", name=name) for name in installed if name.startswith(ENGINE_PACKAGES)))


def books_in(folders: Sequence[Path]) -> tuple[str, ...]:
    """Return opening books and endgame tables under these folders, by the ends of their names.

    At most 20 of them.
    """
    found = [str(path) for path in _files(folders) if path.name.lower().endswith(BOOKS)]
    return tuple(sorted(found)[:20])


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    seen = 0
    for folder in folders:
        for path in folder.rglob("*") if folder.is_dir() else ():
            seen += 1
            if seen > MOST_FILES:
                return
            yield path


def interfaces(say: Say = ENGLISH) -> tuple[str, ...]:
    """Return the network interfaces by name, and whether each is up."""
    known = sorted(psutil.net_if_stats().items())
    return tuple(say("rated.up" if one.isup else "rated.down", name=name) for name, one in known)


def listening_ports(say: Say = ENGLISH) -> tuple[str, ...]:
    """Return the TCP ports on which this machine listens.

    A single line says so where the system does not show them (macOS shows them to its administrator alone).
    """
    try:
        sockets = psutil.net_connections("tcp")
    except (psutil.Error, OSError):
        return (say("rated.unseen"),)
    found = {(one.laddr.port, one.laddr.ip) for one in sockets if one.laddr and one.status == psutil.CONN_LISTEN}
    ports = {(port, "rated.port_here" if ip_address(ip).is_loopback else "rated.port_open") for port, ip in found}
    return tuple(say(where, port=str(port)) for port, where in sorted(ports))


def hashes_of(root: Path) -> tuple[str, ...]:
    """Return SHA-256 of the program's own files, one for each of its rooms.

    The same version gives the same hashes everywhere.
    """
    found = []
    for room in ("server", "speech", "braille", "config"):
        digest = hashlib.sha256()
        for path in sorted((root / room).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
        found.append(f"{room} {digest.hexdigest()}")
    return tuple(found)


def versions_of(names: Sequence[str], say: Say = ENGLISH) -> tuple[str, ...]:
    """Return the versions of the libraries that the program needs."""
    found = []
    for name in names:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            found.append(say("rated.absent", name=name))
    return tuple(found)


def ears_of_machine(shelf: Path, vosk_models: Iterable[str] = (), say: Say = ENGLISH) -> tuple[str, ...]:
    """Return the ears of this machine, and where the first ear hears alone.

    `shelf`: where a server's models lie. `vosk_models`: folders that stand in place of the program's own model.
    """
    first = tuple(vosk_models) or (say("rated.own_ear"),)
    folder = whisper_folder(shelf=shelf)
    if folder is None:
        return (*first, say("rated.no_second_ear", command=FETCHING))
    try:
        checked_whisper_model(folder, shelf)
    except Complaint as wrong:
        return (*first, say("rated.first_ear_alone", why=str(wrong)))
    return (*first, say("rated.whisper_ear", folder=str(folder)))


def inspect_machine(
    now: datetime,
    folders: Sequence[Path],
    devices: Sequence[str],
    program: str,
    say: Say = ENGLISH,
    laws: Sequence[str] = (),
    ears: Sequence[str] = (),
) -> RatedSheet:
    """Look at this machine and return the sheet.

    `folders`: where books would lie (home, the data folder). `say`: gives the words of the sheet by their key. `laws`:
    the lines on the edition of the Laws, which no machine shows. `ears`: those on what hears moves (`ears_of`).
    """
    root = Path(__file__).resolve().parents[2]
    return RatedSheet(
        program=program,
        system=f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        at=f"{now:%Y-%m-%d %H:%M %Z}",
        engines=(*engines_on_path(), *engine_packages(say)),
        books=books_in(folders),
        interfaces=interfaces(say),
        ports=listening_ports(say),
        versions=versions_of(("chess", "aiohttp", "msgspec", "vosk", "ctranslate2", "pyttsx3", "espeakng-loader"), say),
        hashes=hashes_of(root),
        devices=tuple(devices),
        laws=tuple(laws),
        ears=tuple(ears),
    )


def sheet_in_text(sheet: RatedSheet, say: Say = ENGLISH) -> str:
    """Return the page as text, to print and sign. `say`: as for `inspect_machine`."""
    parts = ("laws", "ears", "engines", "books", "interfaces", "ports", "devices", "versions", "hashes")
    lines = [
        say("rated.title"),
        say("rated.machine", program=sheet.program, system=sheet.system, at=sheet.at),
        "",
        *(line for part in parts for line in _part(say(f"rated.{part}"), getattr(sheet, part), say("rated.none"))),
        say("rated.limits"),
        "",
        *(say(f"rated.{key}", line=LINE) for key in ("game", "arbiter", "date")),
    ]
    return "\n".join(lines) + "\n"


def _part(title: str, lines: Sequence[str], none: str) -> list[str]:
    return [title, *(f"  {line}" for line in (lines or (none,))), ""]
