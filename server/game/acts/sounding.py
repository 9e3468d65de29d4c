"""How a seat's microphone is opened, on which devices its sound is, which voice is known there."""

from __future__ import annotations

from typing import Literal

from server.game.acts.event import Event
from server.game.values.words import EarChoice, HeadsetCheck, Seat, SoundDevices, Talking


class TalkingChosen(Event, frozen=True, kw_only=True):
    """How a seat's microphone is opened from now on: talk key held or toggled, or voice activity."""

    seat: Seat
    talking: Talking


class EarChosen(Event, frozen=True, kw_only=True):
    """How a player is spoken to from now on: read-back, speed, voice, language, loudness, pitch, balance.

    `word`: slower or faster, where he asked for that.
    """

    seat: Seat
    ear: EarChoice
    word: str = ""


class VoiceActivityPermitted(Event, frozen=True, kw_only=True):
    """The arbiter permitted voice activity at a seat, or took the permission back (`granted` false)."""

    seat: Seat
    granted: bool


class DevicesChosen(Event, frozen=True, kw_only=True):
    """A seat's sound is on these devices of the server; both None: on none."""

    seat: Seat
    devices: SoundDevices


class SoundLost(Event, frozen=True, kw_only=True):
    """A seat's microphone gives nothing any more (`microphone`), or its devices at the server were lost (`devices`)."""

    seat: Seat
    what: Literal["microphone", "devices"]


class RoomAllowed(Event, frozen=True, kw_only=True):
    """The arbiter allows public announcements to be spoken into the room, in this language, or takes that back."""

    allowed: bool
    language: str


class AlertsChosen(Event, frozen=True, kw_only=True):
    """Alerts and answers are spoken into the arbiter's own ear at this station from now on, or are not."""

    station: str
    spoken: bool
    language: str


class HeadsetChecked(Event, frozen=True, kw_only=True):
    """A level check found whether our own voice comes back through the microphone of a station of this seat."""

    seat: Seat
    found: HeadsetCheck


class VoiceBound(Event, frozen=True, kw_only=True):
    """With the player's consent the ears use his voice profile of this id at his seat; "": none any more."""

    seat: Seat
    profile: str


SoundEvent = (
    TalkingChosen
    | EarChosen
    | VoiceActivityPermitted
    | DevicesChosen
    | HeadsetChecked
    | SoundLost
    | VoiceBound
    | RoomAllowed
    | AlertsChosen
)
