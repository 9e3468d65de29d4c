"""The check of a microphone, and of whether our own voice comes back through a headset.

Tones are played to the player, and then the player speaks. If nothing came back, that proves something only where the
tones were played to their end and the player's own voice, a moment later, came through: a dead microphone hears no
echo either.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from speech.audio.echo import RATE, check_tones, stays_out, tones_in, voice_from_tones
from speech.audio.level import Finding, Levels, finding, levels
from speech.audio.sound import BYTES_PER_SAMPLE

HeadsetFound = Literal["proven", "echo", "unknown"]
"""Our voice stays out of this microphone ("proven"); it comes back ("echo"); that could not be found out ("unknown").
"""
TAIL_SAMPLES = RATE // 5
"""The tones still sound in the room so long after their end; what comes later is the player's voice."""
USABLE: tuple[Finding, ...] = ("good", "noisy")


class Checked(msgspec.Struct, frozen=True):
    """Finding of a check.

    `headset` is None where no headset was checked; `ours_dbfs`: our voice in the microphone.
    """

    finding: Finding
    levels: Levels
    headset: HeadsetFound | None = None
    ours_dbfs: float | None = None


class LevelCheck:
    """Watch over the utterance that must be checked.

    `prompt`: it is also a reading; `back`: it is played back to the player.
    """

    def __init__(
        self, utterance: int, prompt: int | None = None, *, back: bool = False, tones: str | None = None
    ) -> None:
        """`tones`: the id of the sound with the tones, where a headset is checked."""
        self.utterance = utterance
        self.prompt = prompt
        self.back = back
        self._tones = tones
        self._began: int | None = None
        self._over: int | None = None

    def playing(self, sound: str, sample: int) -> None:
        """Note that a sound begins at the station, at this sample of the microphone."""
        if sound == self._tones and self._began is None:
            self._began = sample

    def note_played(self, sound: str, sample: int) -> None:
        """Note that a sound is over, or was stopped."""
        if sound == self._tones and self._began is not None and self._over is None:
            self._over = sample

    def judge(self, pcm: bytes, gain_db: float) -> Checked:
        """Return the finding on the whole sound, mono s16le at 16 kHz.

        `gain_db`: how much louder the player has set our voice.
        """
        if self._tones is None:
            found = levels(pcm)
            return Checked(finding(found), found)
        spoken = 0 if self._over is None else self._over + TAIL_SAMPLES
        found = levels(pcm[spoken * BYTES_PER_SAMPLE :])
        word = finding(found)
        whole = check_tones().samples - TAIL_SAMPLES
        if self._began is None or self._over is None or self._over - self._began < whole or word not in USABLE:
            return Checked(word, found, "unknown")
        ours = voice_from_tones(tones_in(pcm, self._began), gain_db)
        return Checked(word, found, "proven" if stays_out(ours, found.speech_dbfs) else "echo", ours)
