"""Choices about sound.

How a microphone is opened, on which devices, with which known voice.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from server.game.acts.base import Act, Event, Name
from server.game.values.saying import Saying
from server.game.values.words import EarChoice, HeadsetCheck, ReadBack, Role, Seat, SoundDevices, Talking

DeviceName = Annotated[str, msgspec.Meta(min_length=1, max_length=120)]


class ChooseTalking(
    Act, by=(Role.PLAYER, Role.ARBITER), group="stations", article="D.2.7", form={"talking": {"words": "talk_way."}}
):
    """A player chooses how the microphone is opened: talk key held, toggled, or by voice activity.

    In a rated game `voice` is refused where the arbiter has not permitted it. `seat`: given where the arbiter chooses.
    """

    talking: Talking
    seat: Seat | None = None


class ChooseEar(
    Act,
    by=(Role.PLAYER, Role.ARBITER),
    group="stations",
    article="D.2.6",
    form={
        "read_back": {"words": "ear.read_back."},
        "speed_by": {"hidden": True},
        "voice": {"longest": 8},
        "language": {"longest": 3},
        "turn_keys": {"hidden": True},
    },
):
    """A player chooses how they want to be spoken to; None leaves a point as it was.

    `seat`: the arbiter chooses for it.

    `speed`: per cent; `speed_by`: this many more or fewer (by voice, "slower" and "faster": 20); `voice`: another
    speaker; `language`: the seat's language, of page, voice, typing and score ("": as it was set up); where the arbiter
    chooses it, the player cannot change it. `gain_db`, `lower` (semitones) and `balance` (-100 left ear alone): for
    hearing aids. `read_keys`: what the page says about its keys is also spoken to the player; `turn_keys`: switch that
    over (by voice).
    """

    seat: Seat | None = None
    read_back: ReadBack | None = None
    speed: Annotated[int, msgspec.Meta(ge=50, le=300)] | None = None
    speed_by: Annotated[int, msgspec.Meta(ge=-50, le=50)] | None = None
    voice: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]{0,8}\Z")] | None = None
    language: Annotated[str, msgspec.Meta(pattern=r"^([a-z]{2,3})?\Z")] | None = None
    gain_db: Annotated[int, msgspec.Meta(ge=0, le=12)] | None = None
    lower: Annotated[int, msgspec.Meta(ge=0, le=12)] | None = None
    balance: Annotated[int, msgspec.Meta(ge=-100, le=100)] | None = None
    read_keys: bool | None = None
    turn_keys: bool = False


class PermitVoiceActivity(Act, by=Role.ARBITER, part="voice_may", article="D.2.7", form={"granted": {"value": True}}):
    """The arbiter permits voice activity at a seat, or takes the permission back; a rated game needs it."""

    seat: Seat
    granted: bool = True


class ChooseDevices(
    Act,
    by=Role.ARBITER,
    after_the_end=True,
    part="devices",
    article="D.2.7",
    form={
        "microphone": {"sort": "sound_device", "among": "microphones", "label": "devices.microphone"},
        "headphones": {"sort": "sound_device", "among": "headphones", "label": "devices.headphones"},
        "headset": {"label": "devices.headset"},
    },
):
    """The arbiter gives a seat sound devices of the server itself, by name; both None: no devices.

    `headset`: the microphone cannot hear the headphones.
    """

    seat: Seat
    microphone: DeviceName | None = None
    headphones: DeviceName | None = None
    headset: bool = False


class AcceptVoice(Act, by=Role.ARBITER, group="stations", article="D.2.7"):
    """The arbiter says that the voice which was asked again last at a seat is its player's, as with a cold.

    From now on it is listened to there; otherwise a strange voice is contested however often it speaks.
    """

    seat: Seat


class AllowRoom(
    Act,
    by=Role.ARBITER,
    after_the_end=True,
    part="room",
    article="D.2.7",
    form={"allowed": {"label": "room.yes", "value": True}, "language": {"hidden": True}},
):
    """The arbiter allows public announcements to be spoken into the room, or takes that back.

    Without it none are. `language`: the language used; "" means White's.
    """

    allowed: bool = True
    language: Annotated[str, msgspec.Meta(pattern=r"^([a-z]{2,3})?\Z")] = ""


class ChooseAlerts(Act, by=Role.ARBITER, after_the_end=True):
    """The arbiter wants alerts, and answers to the arbiter's questions, spoken at this station.

    They are not spoken unless the arbiter asks for it. `language`: the language used; "" means English.
    """

    spoken: bool = True
    language: Annotated[str, msgspec.Meta(pattern=r"^([a-z]{2,3})?\Z")] = ""


class AnswerRecording(Act, by=Role.PLAYER, after_the_end=True):
    """A player agrees, or not, that their voice is recorded and kept as the event rules.

    The player may do so at any time (D.2.7). It is the tick `voice_recording` of the player's board, with `own`, and
    the arbiter sees it.
    """

    agrees: bool = True


class NoteVoice(Act, after_the_end=True):
    """The program itself notes: with the player's consent their voice profile is used at the seat.

    "": none any more.
    """

    seat: Seat
    profile: Name


class NoteHeadset(Act, after_the_end=True):
    """The program itself notes what a check with tones at a seat's station found about its microphone.

    `stays_out`: our own voice does not come back through it. `ours_dbfs`: how loud it would be; None where not
    measured.
    """

    seat: Seat
    headset: Name
    stays_out: bool
    ours_dbfs: float | None = None


class NoteMicrophoneLost(Act, after_the_end=True):
    """The program itself notes: sound broke off at this station while its microphone was open."""

    seat: Seat
    station: Name


class NoteAnotherVoice(Act, after_the_end=True):
    """The program itself notes: this was probably not said by the player of the seat.

    It was contested: the player was asked to repeat it. Or it was taken after two questions, in a voice that may be the
    player's. It is not learnt either way; the arbiter is told (`another_voice`), the players are not.
    """

    seat: Seat
    station: Name
    utterance: str


class NoteDeviceFault(Act, after_the_end=True):
    """The program itself notes, with what the arbiter is told of it: a seat's sound device does not work."""

    seat: Seat
    said: Saying


class TalkingChosen(Event):
    """A seat's microphone is opened in this way from now on.

    By the talk key, held or toggled, or by voice activity.
    """

    seat: Seat
    talking: Talking


class EarChosen(Event):
    """A player is spoken to in this way from now on.

    `ear`: read-back, speed, voice, language, loudness, pitch, balance. `word`: slower or faster, where the player
    asked for that.
    """

    seat: Seat
    ear: EarChoice
    word: str = ""


class VoiceActivityPermitted(Event):
    """The arbiter permitted voice activity at a seat, or took the permission back (`granted` false)."""

    seat: Seat
    granted: bool


class VoiceAccepted(Event):
    """The arbiter accepted the voice that was asked again last at this seat as its player's."""

    seat: Seat


class DevicesChosen(Event):
    """A seat's sound uses these devices of the server; both None: no devices."""

    seat: Seat
    devices: SoundDevices


class SoundLost(Event):
    """A seat's microphone gives no sound any more, or its devices at the server were lost."""

    seat: Seat
    what: Literal["microphone", "devices"]


class RoomAllowed(Event):
    """The arbiter allows announcements to be spoken into the room in this language, or takes that back."""

    allowed: bool
    language: str


class AlertsChosen(Event):
    """Alerts and answers are spoken into the arbiter's own ear at this station from now on, or are not."""

    station: str
    spoken: bool
    language: str


class HeadsetChecked(Event):
    """A level check found whether our own voice comes back through the microphone of this station."""

    seat: Seat
    found: HeadsetCheck


class VoiceBound(Event):
    """With the player's consent this voice profile is used at their seat; "": none any more."""

    seat: Seat
    profile: str
