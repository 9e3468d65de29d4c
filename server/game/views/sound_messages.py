"""What a seat's own stations are told of its sound."""

from __future__ import annotations

from server.game.values.words import EarChoice, Talking
from server.game.views.message import Message


class SoundShown(Message, frozen=True, kw_only=True):
    """To a seat's own stations: how its microphone is opened, whether voice activity may, and whether the server's own
    devices are its ear and mouth (`device`), whether the player's voice is known. `headset`: a check has shown that
    this station's microphone does not hear our own voice. `word`: slower or faster, which he asked for: it is
    said as he hears us from now on. `consent`: his answer whether his voice may be kept, None without one;
    `keeps_sound`: whether it is.
    """

    talking: Talking
    voice_activity: bool
    device: bool
    known_voice: bool
    ear: EarChoice = EarChoice()
    headset: bool = False
    word: str = ""
    consent: bool | None = None
    keeps_sound: bool = True


class LinkShown(Message, frozen=True, kw_only=True):
    """To a player: his `microphone`, or his `devices` at the server, are lost; his `line` is there again."""

    what: str
