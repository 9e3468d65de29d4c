"""The players' voice profiles are private files in the data folder, one for each voice and language.

Deleting a file forgets the voice. A voice has its own code of three squares, which only its player is told: two
players of one name are two voices, and a seat listens for a voice only where its player has given its code there.
With a strongbox the files lie encrypted on the disk.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import msgspec

from server.journal.sqlite.schema import write_private
from server.machine.identity import new_squares
from server.machine.strongbox import OPEN, Strongbox
from speech.complaint import Complaint, Phrase
from speech.words.voice_profile import VoiceProfile

LARGEST_PROFILE = 2**20
LONGEST_NAME = 200
_CODE = re.compile(r"(?:[a-h][1-8]){3}")


def fresh_code(profiles: Path) -> str:
    """Return a code that no voice has yet: three squares ("a4h8c3")."""
    while True:
        code = "".join(new_squares(3))
        if not any(profiles.glob(f"{code}.*")):
            return code


def profile_file(profiles: Path, code: str, language: str) -> Path:
    """Return the path of a voice's profile for a language.

    Raises Complaint for what is not a code.
    """
    if _CODE.fullmatch(code) is None:
        raise Complaint(Phrase("enrol.no_code", code=code))
    return profiles / f"{code}.{language}.json"


def keep_profile(profiles: Path, profile: VoiceProfile, box: Strongbox = OPEN) -> Path:
    """Write a profile, mode 0600, in place of an older one of its code.

    Raises Complaint where it cannot be written.
    """
    if not profile.name.strip() or len(profile.name) > LONGEST_NAME:
        raise Complaint(Phrase("enrol.name", most=LONGEST_NAME))
    file = profile_file(profiles, profile.code, profile.language)
    try:
        profiles.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(file, box.shut(msgspec.json.format(msgspec.json.encode(profile)), _about(file)))
    except OSError as wrong:
        raise Complaint(Phrase("files.unwritten", place=profiles, why=wrong.strerror)) from None
    return file


def kept_profile(profiles: Path, code: str, language: str, box: Strongbox = OPEN) -> VoiceProfile | None:
    """Return the profile of a voice, None where there is none.

    Raises Complaint where it is damaged or encrypted with another key. Reads the disk.
    """
    file = profile_file(profiles, code, language)
    try:
        with file.open("rb") as stream:
            kept = box.open_kept(stream.read(LARGEST_PROFILE), _about(file))
        return msgspec.json.decode(kept, type=VoiceProfile)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError, RecursionError):
        raise Complaint(Phrase("enrol.unread", file=file, command="anna-eins enrol --delete")) from None


def _about(file: Path) -> str:
    return f"profiles/{file.name}"


def known_codes(profiles: Path, name: str, box: Strongbox = OPEN) -> tuple[str, ...]:
    """Return the codes of the voices of this name, in order."""
    found: set[str] = set()
    for file in profiles.glob("*.json") if profiles.is_dir() else ():
        code, _, rest = file.name.partition(".")
        try:
            known = kept_profile(profiles, code, rest.removesuffix(".json"), box)
        except Complaint:
            continue
        if known is not None and known.name == name:
            found.add(code)
    return tuple(sorted(found))


def code_of(profiles: Path, named: str, box: Strongbox = OPEN) -> str:
    """Return the code of a voice, given as the code itself or as a name that only one voice has.

    Raises Complaint where no voice or several voices have it.
    """
    if _CODE.fullmatch(named) and any(profiles.glob(f"{named}.*.json")):
        return named
    codes = known_codes(profiles, named, box)
    if not codes:
        raise Complaint(Phrase("enrol.unknown", name=named, command="anna-eins enrol"))
    if len(codes) > 1:
        raise Complaint(Phrase("enrol.several", number=len(codes), name=named))
    return codes[0]


def forget_profiles(profiles: Path, code: str) -> int:
    """Delete every profile of a voice, in all languages, and return how many there were."""
    files = [file for file in profiles.glob(f"{code}.*") if file.is_file()] if _CODE.fullmatch(code) else []
    for file in files:
        file.unlink()
    return len(files)


class KnownVoices:
    """Voice profiles that were read, so that an utterance begins without reading the disk."""

    def __init__(self, profiles: Path, box: Strongbox = OPEN) -> None:
        self._profiles = profiles
        self._box = box
        self._read: dict[tuple[str, str], VoiceProfile | None] = {}

    def of(self, code: str, language: str) -> VoiceProfile | None:
        """Return the profile if it was read, else None."""
        return self._read.get((code, language))

    def has(self, code: str, language: str) -> bool:
        """Say whether it was looked for already."""
        return (code, language) in self._read

    async def read(self, code: str, language: str) -> None:
        """Read a profile in a thread. Raises Complaint where it is damaged."""
        self._read[code, language] = None
        self._read[code, language] = await asyncio.to_thread(kept_profile, self._profiles, code, language, self._box)

    def forget(self, code: str) -> None:
        """Stop using what was read of this voice."""
        self._read = {key: known for key, known in self._read.items() if key[0] != code}

    async def delete(self, code: str) -> int:
        """Delete every profile of a voice, and return how many there were. Raises OSError."""
        self.forget(code)
        count = await asyncio.to_thread(forget_profiles, self._profiles, code)
        self.forget(code)  # an utterance may have read it meanwhile
        return count
