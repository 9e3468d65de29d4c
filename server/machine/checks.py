"""Checks of everything that a server really needs of its machine; `anna-eins doctor` prints the results."""

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

from speech.complaint import Phrase, told_by

LEAST_FREE_MB = 500
"""A day of one table's sound as FLAC is well below this."""
PHRASE = "Anna eins"


class Check(msgspec.Struct, frozen=True):
    """One thing to try: `look` returns what it found, or raises."""

    name: str
    needed: bool
    mend: str | Phrase
    look: Callable[[Path], str | Phrase | Awaitable[str | Phrase]]


class Lacking(Exception):
    """Raised where the thing that was tried does not work here.

    The message says what was found; `mend` is a better remedy than the check's usual one.
    """

    def __init__(self, found: str | Phrase, mend: str | Phrase = "") -> None:
        super().__init__(found)
        self.mend = mend


def python_version(_: Path) -> str:
    """Check the version of Python."""
    if sys.version_info < (3, 11):  # noqa: UP036  the doctor also helps those who start it with an older Python
        raise Lacking(f"Python {platform.python_version()}")
    return f"Python {platform.python_version()}"


def sqlite_version(_: Path) -> str:
    """Check the version of SQLite, which the journal needs."""
    from server.journal.sqlite.schema import OLDEST_SQLITE

    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise Lacking(f"SQLite {sqlite3.sqlite_version}")
    return f"SQLite {sqlite3.sqlite_version}"


def durable_commit(data: Path) -> Phrase:
    """Make a real journal on the disk of the data folder, write to it, sync it, and remove it."""
    from server.journal.sqlite.schema import connect_writer, prepare_journal

    place = nearest_folder(data)
    with tempfile.TemporaryDirectory(prefix=".anna-eins-doctor-", dir=place) as folder:
        path = Path(folder) / "journal.sqlite"
        prepare_journal(path)
        with closing(connect_writer(path)) as connection:
            (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
            if mode != "wal":
                raise Lacking(Phrase("check.no_wal", place=place))
            taken = []
            for number in range(5):
                began = time.perf_counter()
                connection.execute("INSERT INTO runs VALUES (?, 0, 0, '', NULL)", (str(number),))
                taken.append((time.perf_counter() - began) * 1000)
    return Phrase("check.commit", place=place, ms=f"{sorted(taken)[2]:.1f}")


def data_folder(data: Path) -> str | Phrase:
    """Check that the folder is there and private, or can be made."""
    if not data.exists():
        place = nearest_folder(data)
        if not os.access(place, os.W_OK | os.X_OK):
            raise Lacking(Phrase("check.no_place", data=data, place=place))
        return Phrase("check.will_be_made", data=data)
    if not data.is_dir() or not os.access(data, os.W_OK | os.X_OK):
        raise Lacking(Phrase("check.no_folder", data=data))
    return str(data)


def free_disk(data: Path) -> Phrase:
    """Check that there is room for sound and records."""
    free = shutil.disk_usage(nearest_folder(data)).free // 1_000_000
    if free < LEAST_FREE_MB:
        raise Lacking(Phrase("check.free", free=free))
    return Phrase("check.free", free=free)


def clock_source(_: Path) -> str:
    """Check that the monotonic clock runs, and say which it is; on each system it is one that goes on during sleep."""
    from server.machine.clock import SOURCE, SystemClock

    clock = SystemClock()
    time.sleep(0.002)
    if clock.mono_ms() < 1:
        raise Lacking(Phrase("check.stands", clock=SOURCE))
    return SOURCE


def certificate(_: Path) -> Phrase:
    """Make and load a certificate as the server would."""
    from server.machine.certificate import ensure_certificate, local_addresses, server_context

    with tempfile.TemporaryDirectory(prefix="anna-eins-doctor-") as folder:
        addresses = local_addresses()
        server_context(ensure_certificate(Path(folder), addresses, datetime.now(UTC)))
    return Phrase("check.https", where=", ".join(addresses) or Phrase("check.no_network"))


async def voice(_: Path) -> Phrase:
    """Render a phrase for real, by the engine in its own process."""
    from speech.voices.pyttsx3_voice import Pyttsx3Voice
    from speech.voices.voice import Segment

    speaking = Pyttsx3Voice()
    try:
        sound = await speaking.render([Segment(PHRASE, "de")])
    finally:
        await speaking.close()
    if not sound.array.any():
        raise Lacking(Phrase("check.silent", phrase=PHRASE))
    return Phrase("check.said", phrase=PHRASE, ms=sound.duration_ms, rate=sound.sample_rate)


async def own_ear(_: Path) -> Phrase:
    """Load the program's own model with its engine, in a process of its own, as the server does."""
    from speech.recognisers.own.recogniser import OwnRecogniser

    ear = OwnRecogniser()
    try:
        await ear.start()
    finally:
        await ear.close()
    return Phrase("check.own_ear")


async def whisper_ear(data: Path) -> Phrase:
    """Compare the model of Whisper with its hashes, load it, and let it hear silence, in a process of its own."""
    from speech.models.whisper import checked_whisper_model, whisper_folder

    shelf = data / "models"
    folder = whisper_folder(shelf=shelf)
    if folder is None:
        raise Lacking(Phrase("check.no_whisper"))
    await asyncio.to_thread(checked_whisper_model, folder, shelf)
    await _in_child(_WHISPER, str(folder))
    return Phrase("check.whisper", folder=folder)


def vosk_models(folders: Mapping[str, str]) -> Callable[[Path], Awaitable[Phrase]]:
    """Return a check that loads every configured model (language -> folder).

    Each is loaded in a process of its own.
    """

    async def look(_: Path) -> Phrase:
        if not folders:
            raise Lacking(Phrase("check.no_model"))
        for language, folder in _there(folders).items():
            try:
                await _in_child(_VOSK, folder)
            except Lacking as wrong:
                raise Lacking(Phrase("check.model", language=language, folder=folder, why=told_by(wrong))) from wrong
        return Phrase("check.models", languages=", ".join(folders))

    return look


def _there(folders: Mapping[str, str]) -> Mapping[str, str]:
    for language, folder in folders.items():
        if not Path(folder).is_dir():
            raise Lacking(Phrase("check.no_model_folder", language=language, folder=folder))
    return folders


_WHISPER = """
import sys, ctranslate2, numpy
model = ctranslate2.models.Whisper(sys.argv[1], device="cpu", compute_type="int8", intra_threads=1)
model.encode(ctranslate2.StorageView.from_array(numpy.zeros((1, model.n_mels, 3000), numpy.float32)))
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
        signal = -child.returncode
        raise Lacking(
            lines[-1] if lines else Phrase("check.signal", signal=signal) if signal > 0 else Phrase("check.failed")
        )


def evidence_format(_: Path) -> Phrase:
    """Encode a sound as FLAC and decode it again."""
    from speech.audio.flac import decode_flac, encode_flac
    from speech.audio.sound import Sound

    sound = Sound(bytes(range(256)) * 250, 16_000)
    if decode_flac(encode_flac(sound)) != sound:
        raise Lacking(Phrase("check.flac_changes"))
    return Phrase("check.flac")


def portaudio(_: Path) -> str:
    """Look for the library of the sound card."""
    try:
        import sounddevice
    except OSError as wrong:
        raise Lacking(Phrase("check.no_portaudio")) from wrong
    return str(sounddevice.get_portaudio_version()[1]).partition(",")[0]


def sound_card(_: Path) -> Phrase:
    """Count the devices that play and those that listen."""
    from speech.audio.devices import available, list_devices

    here = available()
    if not here.ok:
        is_command = isinstance(here.mend, str)
        raise Lacking(here.reason, Phrase("mend.install", command=here.mend) if is_command else here.mend)
    devices = list_devices()
    playing = sum(device.outputs > 0 for device in devices)
    listening = sum(device.inputs > 0 for device in devices)
    if not playing or not listening:
        raise Lacking(Phrase("check.devices", playing=playing, listening=listening))
    return Phrase("check.devices", playing=playing, listening=listening)


def seat_devices(names: Sequence[str]) -> Callable[[Path], str | Phrase]:
    """Return a check that the devices which the configuration gives to seats are there."""

    def look(_: Path) -> str | Phrase:
        if not names:
            return Phrase("check.no_seat_devices")
        from speech.audio.devices import list_devices

        known = [device.name for device in list_devices()]
        missing = [name for name in names if not any(name in one for one in known)]
        if missing:
            raise Lacking(Phrase("check.not_there", names=", ".join(missing)))
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
    raise Lacking(Phrase("check.no_chromium"))


_REINSTALL = Phrase("mend.reinstall")
_WHOLE = Phrase("mend.whole")
_OTHER_FOLDER = Phrase("mend.other_folder")


def checks(vosk_folders: Mapping[str, str] | None = None, devices: Sequence[str] = ()) -> tuple[Check, ...]:
    """Return everything the doctor tries.

    `vosk_folders` and `devices` are what the configuration names.
    """
    return (
        *CHECKS,
        Check("seat-devices", False, _PLUG_IN, seat_devices(devices)),
        Check("vosk-model", False, _NAME_A_MODEL, vosk_models(vosk_folders or {})),
    )


_PLUG_IN = Phrase("mend.plug_in")
_NAME_A_MODEL = Phrase("mend.name_a_model", command="anna-eins models add FOLDER")

CHECKS: tuple[Check, ...] = (
    Check("python", True, Phrase("mend.python"), python_version),
    Check("sqlite", True, Phrase("mend.sqlite"), sqlite_version),
    Check("data-folder", True, _OTHER_FOLDER, data_folder),
    Check("durable-commit", True, _OTHER_FOLDER, durable_commit),
    Check("free-disk", True, Phrase("mend.free", mb=LEAST_FREE_MB), free_disk),
    Check("clock", False, Phrase("mend.no_sleep"), clock_source),
    Check("voice", True, _WHOLE, voice),
    Check("recogniser-own", True, _WHOLE, own_ear),
    Check(
        "recogniser-whisper", False, Phrase("mend.whisper", command="anna-eins models get whisper-base"), whisper_ear
    ),
    Check("sound-evidence", True, _REINSTALL, evidence_format),
    Check("tls", False, Phrase("mend.tls", again=_REINSTALL), certificate),
    Check("portaudio", False, Phrase("mend.portaudio", command="apt-get install libportaudio2"), portaudio),
    Check("sound-card", False, Phrase("mend.headset"), sound_card),
    Check("liblouis", False, Phrase("mend.debian", command="apt-get install liblouis20"), liblouis),
    Check("chromium", False, Phrase("mend.for_tests", command="apt-get install chromium"), chromium),
)


def nearest_folder(path: Path) -> Path:
    """Return the folder itself, or the nearest one above it that exists."""
    return next(place for place in (path, *path.parents) if place.is_dir())
