"""These checks try what a server really needs of its machine; `anna-eins doctor` prints the results."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec

LEAST_FREE_MB = 500
"""A day of one table's sound as FLAC is well below this."""
PHRASE = "Anna eins"


class Check(msgspec.Struct, frozen=True):
    """This is a thing to try: `look` returns what it found, or raises."""

    name: str
    needed: bool
    mend: str
    look: Callable[[Path], str | Awaitable[str]]


class Lacking(Exception):
    """This says that what was tried does not work here.

    The message says what was found; `mend` is a better remedy than the check's usual one.
    """

    def __init__(self, found: str, mend: str = "") -> None:
        super().__init__(found)
        self.mend = mend


def python_version(_: Path) -> str:
    """Check the version of Python."""
    if sys.version_info < (3, 11):  # noqa: UP036  the doctor also helps those who start it with an older Python
        raise Lacking(f"Python {platform.python_version()}")
    return f"Python {platform.python_version()}"


def sqlite_version(_: Path) -> str:
    """Check the version of SQLite, which the journal needs."""
    from server.journal.schema import OLDEST_SQLITE

    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise Lacking(f"SQLite {sqlite3.sqlite_version}")
    return f"SQLite {sqlite3.sqlite_version}"


def durable_commit(data: Path) -> str:
    """Make a real journal on the disk of the data folder, write to it, sync it, and remove it."""
    from server.journal.schema import connect_writer, prepare

    place = nearest_folder(data)
    with tempfile.TemporaryDirectory(prefix=".anna-eins-doctor-", dir=place) as folder:
        path = Path(folder) / "journal.sqlite"
        prepare(path)
        with closing(connect_writer(path)) as connection:
            (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
            if mode != "wal":
                raise Lacking(f"no write-ahead log on the disk of {place}")
            taken = []
            for number in range(5):
                began = time.perf_counter()
                connection.execute("INSERT INTO runs VALUES (?, 0, 0, '', NULL)", (str(number),))
                taken.append((time.perf_counter() - began) * 1000)
    return f"a commit on the disk of {place} takes {sorted(taken)[2]:.1f} ms"


def data_folder(data: Path) -> str:
    """Check that the folder is there and private, or can be made."""
    if not data.exists():
        place = nearest_folder(data)
        if not os.access(place, os.W_OK | os.X_OK):
            raise Lacking(f"{data} is not there and {place} cannot be written")
        return f"{data} will be made at the first start"
    if not data.is_dir() or not os.access(data, os.W_OK | os.X_OK):
        raise Lacking(f"{data} is no folder that can be written")
    return str(data)


def free_disk(data: Path) -> str:
    """Check that there is room for sound and records."""
    free = shutil.disk_usage(nearest_folder(data)).free // 1_000_000
    if free < LEAST_FREE_MB:
        raise Lacking(f"{free} MB free")
    return f"{free} MB free"


def clock_source(_: Path) -> str:
    """Check that the monotonic clock runs, and say which it is; on each system it is one that goes on during sleep."""
    from server.machine.clock import SOURCE, SystemClock

    clock = SystemClock()
    time.sleep(0.002)
    if clock.mono_ms() < 1:
        raise Lacking(f"{SOURCE}, which stands still")
    return SOURCE


def certificate(_: Path) -> str:
    """Make and load a certificate as the server would."""
    from server.machine.certificate import ensure_certificate, local_addresses, server_context

    with tempfile.TemporaryDirectory(prefix="anna-eins-doctor-") as folder:
        addresses = local_addresses()
        server_context(ensure_certificate(Path(folder), addresses, datetime.now(UTC)))
    return f"https can be served on {', '.join(addresses) or 'this machine only (no network)'}"


async def voice(_: Path) -> str:
    """Render a phrase for real, by the engine in its own process."""
    from speech.voices.pyttsx3_voice import Pyttsx3Voice
    from speech.voices.voice import Segment

    speaking = Pyttsx3Voice()
    try:
        sound = await speaking.render([Segment(PHRASE, "de")])
    finally:
        await speaking.close()
    if not sound.array.any():
        raise Lacking(f'"{PHRASE}" came out silent')
    return f'"{PHRASE}" in German, {sound.duration_ms} ms at {sound.sample_rate} Hz'


async def sphinx(_: Path) -> str:
    """Load the embedded recogniser's model and let it hear silence, in a process of its own."""
    await _in_child(_SPHINX)
    return "pocketsphinx with the model of its wheel"


def vosk_models(folders: Mapping[str, str]) -> Callable[[Path], Awaitable[str]]:
    """Return a check that loads every configured model (language -> folder).

    Each is loaded in a process of its own.
    """

    async def look(_: Path) -> str:
        if not folders:
            raise Lacking("no model folder is configured")
        for language, folder in _there(folders).items():
            try:
                await _in_child(_VOSK, folder)
            except Lacking as wrong:
                raise Lacking(f"the model of {language} in {folder}: {wrong}") from wrong
        return f"models of {', '.join(folders)}"

    return look


def _there(folders: Mapping[str, str]) -> Mapping[str, str]:
    for language, folder in folders.items():
        if not Path(folder).is_dir():
            raise Lacking(f"the model folder of {language}, {folder}, is not there")
    return folders


_SPHINX = """
import pocketsphinx
decoder = pocketsphinx.Decoder(samprate=16000, loglevel="FATAL")
decoder.start_utt()
decoder.process_raw(bytes(32000), full_utt=True)
decoder.end_utt()
"""
_VOSK = """
import sys, vosk
vosk.SetLogLevel(-1)
recogniser = vosk.KaldiRecognizer(vosk.Model(model_path=sys.argv[1]), 16000)
recogniser.AcceptWaveform(bytes(32000))
recogniser.FinalResult()
"""


async def _in_child(program: str, *arguments: str) -> None:
    """Run native code where its crash is only a finding. Raises Lacking with its last line of output."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-c", program, *arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, said = await child.communicate()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode:
        lines = said.decode("utf-8", "replace").strip().splitlines()
        ended = f"ended by signal {-child.returncode}" if child.returncode < 0 else "failed"
        raise Lacking(lines[-1] if lines else ended)


def evidence_format(_: Path) -> str:
    """Encode a sound as FLAC and decode it again."""
    from speech.audio.flac import decode_flac, encode_flac
    from speech.audio.sound import Sound

    sound = Sound(bytes(range(256)) * 250, 16_000)
    if decode_flac(encode_flac(sound)) != sound:
        raise Lacking("FLAC changes the sound")
    return "FLAC without loss"


def portaudio(_: Path) -> str:
    """Look for the library of the sound card."""
    try:
        import sounddevice
    except OSError as wrong:
        raise Lacking("no PortAudio library") from wrong
    return str(sounddevice.get_portaudio_version()[1]).partition(",")[0]


def sound_card(_: Path) -> str:
    """Count the devices that play and those that listen."""
    from speech.audio.devices import available, list_devices

    here = available()
    if not here.ok:
        is_command = here.mend.startswith("apt-get ")
        mend = f"Install with: {here.mend}" if is_command else f"{here.mend[:1].upper()}{here.mend[1:]}"
        raise Lacking(here.reason, f"{mend}.")
    devices = list_devices()
    playing = sum(device.outputs > 0 for device in devices)
    listening = sum(device.inputs > 0 for device in devices)
    if not playing or not listening:
        raise Lacking(f"{playing} devices that play, {listening} that listen")
    return f"{playing} devices that play, {listening} that listen"


def seat_devices(names: Sequence[str]) -> Callable[[Path], str]:
    """Return a check that the devices which the configuration gives to seats are there."""

    def look(_: Path) -> str:
        if not names:
            return "none is configured; seats use their browsers"
        from speech.audio.devices import list_devices

        known = [device.name for device in list_devices()]
        missing = [name for name in names if not any(name in one for one in known)]
        if missing:
            raise Lacking(f"not there: {', '.join(missing)}")
        return ", ".join(names)

    return look


def liblouis(_: Path) -> str:
    """Look for liblouis, which writes prose in braille headings."""
    from braille.prose import Liblouis

    return f"liblouis {Liblouis.find().version}"


def chromium(_: Path) -> str:
    """Look for the browser of the tests."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if (path := shutil.which(name)) is not None:
            return path
    raise Lacking("no Chromium")


_REINSTALL = "Install again with all packages."
_WHOLE = "Install it whole, not slim; without it moves are typed, and the pages show every word."
_OTHER_FOLDER = "Choose a folder on a local disk with --data, or mend the rights of this one."


def checks(vosk_folders: Mapping[str, str] | None = None, devices: Sequence[str] = ()) -> tuple[Check, ...]:
    """Return everything the doctor tries.

    `vosk_folders` and `devices` are what the configuration names.
    """
    return (
        *CHECKS,
        Check("seat-devices", False, _PLUG_IN, seat_devices(devices)),
        Check("vosk-model", False, _NAME_A_MODEL, vosk_models(vosk_folders or {})),
    )


_PLUG_IN = "Plug it in before the server starts, or give the seat another on the arbiter's page; its pages go on."
_NAME_A_MODEL = "Add one with `anna-eins models add FOLDER`, or name a folder under [vosk_models] in the --config file."

CHECKS: tuple[Check, ...] = (
    Check("python", True, "Install Python 3.11 or later.", python_version),
    Check("sqlite", True, "Install a Python that brings SQLite 3.37 or later.", sqlite_version),
    Check("data-folder", True, _OTHER_FOLDER, data_folder),
    Check("durable-commit", True, _OTHER_FOLDER, durable_commit),
    Check("free-disk", True, f"Free {LEAST_FREE_MB} MB or choose another disk with --data.", free_disk),
    Check("clock", False, "Do not let the machine go to sleep during a game.", clock_source),
    Check("voice", True, _WHOLE, voice),
    Check("recogniser-sphinx", True, _WHOLE, sphinx),
    Check("sound-evidence", True, _REINSTALL, evidence_format),
    Check("tls", False, f"{_REINSTALL} Without it only this machine's own browser has a microphone.", certificate),
    Check("portaudio", False, "On Debian: apt-get install libportaudio2 (browsers bring their own sound).", portaudio),
    Check("sound-card", False, "Plug in a headset, or use a browser's microphone.", sound_card),
    Check("liblouis", False, "On Debian: apt-get install liblouis20.", liblouis),
    Check("chromium", False, "For the tests only; on Debian: apt-get install chromium.", chromium),
)


def nearest_folder(path: Path) -> Path:
    """Return the folder itself, or the nearest one above it that exists."""
    return next(place for place in (path, *path.parents) if place.is_dir())
