"""The folder of a volunteer's recordings: FLAC files, their table, the plan and the consent.

Each recording is on the disk before the next prompt comes: first its sound, whole, then its line of `table.tsv`. A
program that was killed in between finds the sound and writes the line. Several people can be in one folder.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from speech.audio.flac import decode_flac, encode_flac
from speech.audio.frames import WIRE_RATE
from speech.audio.sound import Sound
from speech.complaint import Complaint, Phrase
from speech.recording.plan import Plan, Prompt

TABLE = "table.tsv"
COLUMNS = ("file", "person", "language", "said")
"""The columns that `anna-eins measure` reads."""
_HEADER = (*COLUMNS, "note")
"""`note`: what was wrong with a recording that was kept all the same."""
CONSENT = "consent.txt"
_CODE = re.compile(r"[a-z][a-z0-9]{0,15}")
_LARGEST_TEXT = 2**24


class RecordingFolder:
    """Folder of one person's recordings, beside those of others."""

    def __init__(self, path: Path, person: str) -> None:
        """`person`: a code such as "p01", no name. Raises Complaint for one that is no code."""
        if not _CODE.fullmatch(person) or person == "all":
            raise Complaint(Phrase("folder.no_person", person=person[:40]))
        self.path = path
        self.person = person

    def check_writable(self) -> None:
        """See before anybody speaks that the folder can be written. Raises Complaint."""
        there = self.path
        while not there.exists() and there != there.parent:
            there = there.parent
        if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
            raise Complaint(Phrase("folder.unwritten", folder=self.path))

    @property
    def plan_file(self) -> Path:
        """Return the file that holds the person's plan."""
        return self.path / f"{self.person}-plan.json"

    def plan(self) -> Plan | None:
        """Return the plan the person began with, or None. Raises Complaint where it cannot be read."""
        return _read_plan(self.plan_file)

    def check_scheme(self, scheme: str) -> None:
        """See that everybody in the folder speaks by the same scheme, as measuring needs. Raises Complaint."""
        for file in sorted(self.path.glob("*-plan.json")):
            other = _read_plan(file)
            if other is not None and other.wish.scheme != scheme:
                raise Complaint(Phrase("folder.scheme", folder=self.path, scheme=other.wish.scheme))

    def check_new(self) -> None:
        """See that nothing of this person is in the folder that no plan knows. Raises Complaint."""
        lines = self._table()[1] if (self.path / TABLE).exists() else []
        if any(line.get("person") == self.person for line in lines) or any(self.path.glob(f"{self.person}-*.flac")):
            raise Complaint(Phrase("folder.no_plan", folder=self.path, person=self.person))

    def has_agreed(self, version: str) -> bool:
        """Return whether the person has agreed to this version of the text in this folder already."""
        file = self.path / CONSENT
        try:
            return f"{_consent_head(self.person, version)}\n" in file.read_text("utf-8") if file.exists() else False
        except (OSError, UnicodeDecodeError):
            raise Complaint(Phrase("folder.no_text", file=file)) from None

    def keep_consent(self, version: str, language: str, when: str, answer: str, text: str) -> None:
        """Write down what the person agreed to, in which words, and when. Raises Complaint."""
        lines = (_consent_head(self.person, version), f"language: {language}", f"date: {when}", f"answer: {answer}")
        with _writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            _append(self.path / CONSENT, "\n".join((*lines, "", text, "", "")))

    def begin(self, plan: Plan) -> None:
        """Keep the plan, and begin the table where there is none. Raises Complaint."""
        with _writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            _write_whole(self.plan_file, msgspec.json.format(msgspec.json.encode(plan), indent=1))
            if not (self.path / TABLE).exists():
                _append(self.path / TABLE, "\t".join(_HEADER) + "\n")

    def mend(self, plan: Plan) -> None:
        """Put right what a sudden end left: a torn last line, and a sound whose line is missing. Raises Complaint."""
        header, lines = self._table()
        with _writing(self.path):
            table = self.path / TABLE
            data = table.read_bytes()
            if not data.endswith(b"\n"):
                tail = data[data.rfind(b"\n") + 1 :]
                whole = tail.count(b"\t") == len(header) - 1
                _write_whole(table, data + b"\n" if whole else data[: len(data) - len(tail)])
                header, lines = self._table()
        named = {line.get("file") for line in lines}
        for prompt in plan.prompts:
            for file in sorted(self.path.glob(self.file_of(prompt, "*" if prompt.part == "talk" else ""))):
                if file.name not in named and _is_sound(file):
                    self._note(file.name, plan, prompt, "")

    def prompts_recorded(self, plan: Plan) -> set[int]:
        """Return the numbers of the prompts that the table has; free talk counts when enough of it was spoken."""
        _, lines = self._table()
        named = {line.get("file") for line in lines}
        return {
            prompt.number
            for prompt in plan.prompts
            if (self.file_of(prompt) in named if prompt.part != "talk" else self.talked_s(prompt) >= plan.wish.talk_s)
        }

    def talked_s(self, prompt: Prompt) -> float:
        """Return how many seconds of free talk are in the folder."""
        return sum(_length_s(file) for file in self.path.glob(self.file_of(prompt, "*")))

    def keep(self, plan: Plan, prompt: Prompt, pcm: bytes, note: str = "") -> Path:
        """Write a recording (mono s16le, 16 kHz) and its line of the table, now. Raises Complaint."""
        number = 1
        while prompt.part == "talk" and (self.path / self.file_of(prompt, f"{number:02}")).exists():
            number += 1
        file = self.path / self.file_of(prompt, f"{number:02}" if prompt.part == "talk" else "")
        with _writing(self.path):
            _write_whole(file, encode_flac(Sound(pcm, WIRE_RATE)))
        self._note(file.name, plan, prompt, note)
        return file

    def file_of(self, prompt: Prompt, utterance: str = "") -> str:
        """Return the name of a prompt's file; of free talk the number of the utterance too."""
        return f"{self.person}-{prompt.number:03}{'-' if utterance else ''}{utterance}.flac"

    def _note(self, name: str, plan: Plan, prompt: Prompt, note: str) -> None:
        header, _ = self._table()
        line = {
            "file": name,
            "person": self.person,
            "language": plan.wish.language,
            "said": prompt.said,
            "note": note,
        }
        with _writing(self.path):
            _append(self.path / TABLE, "\t".join(line.get(column, "") for column in header) + "\n")

    def _table(self) -> tuple[list[str], list[dict[str, str | None]]]:
        """Return the columns and the lines of the table. Raises Complaint where it is none."""
        file = self.path / TABLE
        try:
            if file.stat().st_size > _LARGEST_TEXT:
                raise Complaint(Phrase("folder.long_table", file=file))
            read = csv.DictReader(file.read_text("utf-8-sig").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
            lines = list(read)
        except (OSError, UnicodeDecodeError):
            raise Complaint(Phrase("folder.no_text", file=file)) from None
        header = list(read.fieldnames or ())
        if not set(COLUMNS) <= set(header):
            raise Complaint(Phrase("folder.columns", file=file, columns=", ".join(COLUMNS)))
        return header, lines


def _consent_head(person: str, version: str) -> str:
    return f"person: {person}\nversion: {version}"


def _read_plan(file: Path) -> Plan | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Plan) if file.exists() else None
    except (OSError, msgspec.DecodeError):
        raise Complaint(Phrase("folder.bad_plan", file=file)) from None


def _is_sound(file: Path) -> bool:
    try:
        return bool(decode_flac(file.read_bytes()).pcm)
    except (OSError, Complaint):
        return False


def _length_s(file: Path) -> float:
    try:
        return decode_flac(file.read_bytes()).duration_ms / 1000
    except (OSError, Complaint):
        return 0.0


def _write_whole(file: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    beside = file.with_name(f".{file.name}.part")
    with beside.open("wb") as being_written:
        being_written.write(data)
        being_written.flush()
        os.fsync(being_written.fileno())
    beside.replace(file)


def _append(file: Path, text: str) -> None:
    with file.open("ab") as grown:
        grown.write(text.encode("utf-8"))
        grown.flush()
        os.fsync(grown.fileno())


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as trouble:
        raise Complaint(Phrase("wav.unwritten", file=folder, why=trouble.strerror)) from None
