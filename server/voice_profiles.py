"""The players' voice profiles in the data folder: private files, one a player and language; deleting one forgets it."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

import msgspec

from server.complaint import Complaint
from speech.voice_profile import VoiceProfile

LARGEST_PROFILE = 2**20
LONGEST_NAME = 200


def profile_file(profiles: Path, name: str, language: str) -> Path:
    """Where a player's profile is: his name as far as a file may be called so, and what tells two names apart."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:40]
    mark = hashlib.blake2b(name.encode(), digest_size=5).hexdigest()
    return profiles / f"{plain or 'player'}-{mark}.{language}.json"


def keep_profile(profiles: Path, profile: VoiceProfile) -> Path:
    """Write a profile, mode 0600, in place of an older one. Raises Complaint where it cannot be written."""
    if not profile.name.strip() or len(profile.name) > LONGEST_NAME:
        raise Complaint(f"A name must have 1 to {LONGEST_NAME} characters; give it with --name.")
    file = profile_file(profiles, profile.name, profile.language)
    fresh = file.with_suffix(f".{os.getpid()}.new")
    try:
        profiles.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(profile)))
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(file)
    except OSError as wrong:
        fresh.unlink(missing_ok=True)
        raise Complaint(f"The profile cannot be written to {profiles} ({wrong.strerror}).") from None
    return file


def kept_profile(profiles: Path, name: str, language: str) -> VoiceProfile | None:
    """The profile of a player, None where there is none. Raises Complaint where it is damaged."""
    file = profile_file(profiles, name, language)
    try:
        with file.open("rb") as stream:
            found = msgspec.json.decode(stream.read(LARGEST_PROFILE), type=VoiceProfile)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError):
        raise Complaint(f"The profile {file} cannot be read; delete it with `anna-eins enrol --delete`.") from None
    return found if found.name == name else None


def forget_profiles(profiles: Path, name: str) -> int:
    """Delete every profile of a player, of all languages; how many there were."""
    stem = profile_file(profiles, name, "xx").name.removesuffix(".xx.json")
    files = [file for file in profiles.glob(f"{stem}.*") if file.is_file()] if profiles.is_dir() else []
    for file in files:
        file.unlink()
    return len(files)
