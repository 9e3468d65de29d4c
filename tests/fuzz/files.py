"""Hostile files of each kind that the program reads: a result or one sentence, soon, and the memory comes back."""

from __future__ import annotations

import random
import tempfile
import time
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from braille.brf import read_pages
from server.exports.pgn_reader import read_games
from server.game.values.time_control import TimeControl
from server.hall import folder_backup
from server.hall.backup import (
    FORMAT,
    VERSION,
    HeldCopy,
    _Content,
    _seal,
    copy_key_of,
    open_copy,
    read_copy,
    seal_of,
    sealed_piece,
)
from server.hall.event_profile import check_profile
from server.hall.folder_backup import WHOLE, Index, KeptFile, restore_backup
from server.hall.foreign_files.pairings import read_pairings
from server.journal.chain import last_link
from server.journal.entry import Entry, Run, Witness
from server.journal.witnessed import Witnesses
from server.machine.clock import ScriptedClock
from server.protocol import Piece
from server.scoresheets.sheet import parse_sheet
from server.settings import Settings, regulations_of
from server.web.door.access import Access
from server.web.door.seat_cards import SeatCards
from speech.audio.flac import decode_flac, encode_flac
from speech.audio.frames import decode_frame, encode_frames
from speech.audio.sound import Sound
from speech.audio.wav import read_wav, wav_bytes
from speech.complaint import Complaint
from speech.words.config_file import config_root, source_of
from tests.cli.test_import_command import PGN, TRF
from tests.faults.tally import Tally, memory
from tests.fuzz.shapes import spoilt_bytes

LONGEST_S = 2.0
"""Processor time of one file, whatever is in it."""
GROWS_MB = 60.0
GAME = (
    '[Event "Open"]\n[White "Anna"]\n[Result "1-0"]\n\n1. e4 {good} e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 3. Bb5 a6 1-0\n'
)
SCORE = "1. e4 e5\n2. Nf3 Nc6\n3. Bb5 a6 (=)\n4. Ba4 Nf6\n5. O-O Be7\n"
SETTINGS = b'port = 80\nlan = true\nhosts = ["a.example"]\n[event]\nguidelines = ["I"]\n[voice_servers]\nde = "a:1"\n'


def text_of(data: bytes) -> str:
    """A file of text as the program takes it."""
    return data.decode("utf-8", "replace")


def a_copy() -> tuple[bytes, str]:
    """A whole copy of a record of twelve events, and its code."""
    key = copy_key_of(b"0" * 32, "t1")
    entries = [Entry("t1", n, "r", "", "", "", "", n, n, 1, "k", b"{}") for n in range(1, 13)]
    pieces = tuple(sealed_piece(key, "t1", (Run("r", 0, 0, "1"),), tuple(entries[at : at + 4])) for at in (0, 4, 8))
    until = seal_of(key, "t1", entries[-1], last_link(entries), Witness("r", 20, 20))
    return msgspec.json.encode(HeldCopy(FORMAT, VERSION, "t1", key.id, pieces, until)), " ".join(key.squares)


CARDS = b'[{"table":"t1","seat":"white","page":"tactile","squares":["a1","b2","c3"],"secret":"s"}]'
TESTIMONY = b'{"record":"r","tables":{"t1":{"events":3,"link":"ab"}},"agreed":{},"deleted":{},"admissions":[1,0]}'


def content_of_a_copy() -> bytes:
    """What is in a piece of a copy, before it is packed and sealed."""
    entries = tuple(Entry("t1", n, "r", "", "", "", "", n, n, 1, "k", b"{}") for n in (1, 2))
    return msgspec.msgpack.encode(_Content((Run("r", 0, 0, "1"),), entries))


def sealed_over(content: bytes) -> object:
    """Open a copy that somebody who has its code has sealed over this."""
    key = copy_key_of(b"0" * 32, "t1")
    pieces = (Piece(1, 2, _seal(key, zlib.compress(content), "t1 1-2")),)
    return open_copy(HeldCopy(FORMAT, VERSION, "t1", key.id, pieces), " ".join(key.squares))


def backup_sealed_over(content: bytes) -> object:
    """Restore a backup that somebody who has its code has sealed over this."""
    key = copy_key_of(b"0" * 32, WHOLE)
    with tempfile.TemporaryDirectory() as place:
        kept = folder_backup._place(Path(place), key)
        (kept / "pieces").mkdir(parents=True)
        box = ChaCha20Poly1305(key.key).encrypt(
            bytes(12), zlib.compress(content), f"{folder_backup.FORMAT} index".encode()
        )
        (kept / "20260101T000000Z.index").write_bytes(bytes(12) + box)
        return restore_backup(Path(place), " ".join(key.squares), Path(place) / "data")


def index_of_a_backup() -> bytes:
    """What is in the index of a backup; none of its pieces is there."""
    files = (KeptFile("journal.sqlite", ("aa",)), KeptFile("audio/t1/u1.flac", ("bb",), 1, 2))
    return msgspec.msgpack.encode(Index(folder_backup.FORMAT, 1, "1", 5, files))


def seat_cards_in(data: bytes) -> object:
    """Start with such a file of seat cards."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "seat-cards.json"
        file.write_bytes(data)
        return SeatCards(file, Access(ScriptedClock())).damaged


def testimony_in(data: bytes) -> object:
    """Start with such a witness."""
    with tempfile.TemporaryDirectory() as place:
        known = Witnesses("r", (Path(place),))
        known._files[0].write_bytes(data)
        known.load()
        return known.missing(())


def readers() -> Mapping[str, tuple[bytes, Callable[[bytes], Any], tuple[type[BaseException], ...]]]:
    """Each kind: a file that is right, what reads it, and how it refuses."""
    sound = Sound(random.Random(1).randbytes(6_400), 16_000)
    event = config_root(None).joinpath("event.toml").read_bytes()
    copy, code = a_copy()
    told = (Complaint,)
    return {
        "WAV": (wav_bytes(sound), read_wav, told),
        "FLAC": (encode_flac(sound), decode_flac, told),
        "frame of sound": (next(iter(encode_frames(sound.pcm, 7))), decode_frame, told),
        "pairings, TRF": (TRF.encode(), lambda data: read_pairings(text_of(data)), told),
        "pairings, PGN": (PGN.encode(), lambda data: read_pairings(text_of(data)), told),
        "games, PGN": (GAME.encode(), lambda data: list(read_games(text_of(data))), told),
        "written score": (SCORE.encode(), lambda data: parse_sheet(text_of(data)), told),
        "settings": (SETTINGS, lambda data: regulations_of(source_of(data, "f").in_shape(Settings).event, "f"), told),
        "event profile": (event, lambda data: check_profile(source_of(data, "f")), told),
        "time control": (b"40/6000+30:900+30", lambda data: TimeControl.parse(text_of(data)), (ValueError,)),
        "content of a sealed copy": (content_of_a_copy(), sealed_over, told),
        "index of a sealed backup": (index_of_a_backup(), backup_sealed_over, told),
        "seat cards": (CARDS, seat_cards_in, told),
        "witness of a record": (TESTIMONY, testimony_in, told),
        "copy of a table": (copy, lambda data: open_copy(read_copy(data), code), told),
        "braille page": (b",A #A4 E2-E4 E7-E5\r\n\x0c,B\r\n", lambda data: read_pages(text_of(data)), told),
    }


def files(kind: str, count: int, minutes: float, seed: int) -> Tally:
    """So many spoilt files of one kind."""
    tally, chance = Tally(f"file: {kind}"), random.Random(f"{seed} {kind}")
    whole, read, refuses = readers()[kind]
    with suppress(*refuses):
        read(whole)
    base, longest = memory(), 0.0
    for _ in tally.trials(count, minutes):
        data = spoilt_bytes(whole, chance)
        began = time.process_time()
        try:
            read(data)
            tally.seen["read"] += 1
        except refuses as told:
            tally.seen["one sentence"] += 1
            tally.check("\n" not in str(told).strip() and "Traceback" not in str(told), f"{data[:200]!r}: {told}")
        except Exception as fault:
            tally.check(False, f"{type(fault).__name__}: {fault} from {data[:300]!r}")
        longest = max(longest, time.process_time() - began)
    tally.check(longest <= LONGEST_S, f"one took {longest:.1f} s")
    grown = memory() - base
    tally.check(grown <= GROWS_MB, f"{grown:.0f} MB more than before")
    tally.seen[f"MB more held; {1000 * longest:.0f} ms the longest"] = max(0, round(grown))
    return tally


KINDS: Mapping[str, Callable[[int, float, int], Tally]] = {kind: partial(files, kind) for kind in readers()}
