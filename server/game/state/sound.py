"""The slice of choices about sound: of both seats, of the room, of the arbiter."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from server.game import acts as ev
from server.game.state.reducer import applies
from server.game.values.words import ArbiterEar, Seat, SeatSound, station_of_devices


class SoundState(msgspec.Struct, frozen=True):
    """Sound of both seats, of the room and of the arbiter's devices."""

    seats: tuple[SeatSound, SeatSound] = (SeatSound(), SeatSound())  # White's and Black's
    room: str = ""  # the language in which announcements may be spoken into the room; "": the arbiter allows none
    arbiter_ears: tuple[ArbiterEar, ...] = ()

    def of(self, seat: Seat) -> SeatSound:
        """Return the choices about a seat's microphone, devices and voice."""
        return self.seats[0] if seat is Seat.WHITE else self.seats[1]

    def choose(self, seat: Seat, **chosen: Any) -> SoundState:
        """Return the sound with these choices for one seat."""
        white, black = self.seats
        if seat is Seat.WHITE:
            return replace(self, seats=(replace(white, **chosen), black))
        return replace(self, seats=(white, replace(black, **chosen)))


@applies(ev.DevicesChosen)
def _devices_chosen(sound: SoundState, event: ev.DevicesChosen) -> SoundState:
    """Change a seat's devices; what was found about an earlier headset says nothing about this one."""
    own = station_of_devices(event.seat).id
    headsets = tuple(one for one in sound.of(event.seat).headsets if one.station != own)
    return sound.choose(event.seat, devices=event.devices, headsets=headsets)


@applies(ev.EarChosen)
def _ear_chosen(sound: SoundState, event: ev.EarChosen) -> SoundState:
    """Change how a player is spoken to.

    If it is louder, their microphone may now hear us, so checks are forgotten.
    """
    before = sound.of(event.seat)
    louder = event.ear.gain_db > before.ear.gain_db
    return sound.choose(event.seat, ear=event.ear, headsets=() if louder else before.headsets)


@applies(ev.TalkingChosen)
def _talking_chosen(sound: SoundState, event: ev.TalkingChosen) -> SoundState:
    return sound.choose(event.seat, talking=event.talking)


@applies(ev.VoiceActivityPermitted)
def _voice_activity_permitted(sound: SoundState, event: ev.VoiceActivityPermitted) -> SoundState:
    return sound.choose(event.seat, permitted=event.granted)


@applies(ev.HeadsetChecked)
def _headset_checked(sound: SoundState, event: ev.HeadsetChecked) -> SoundState:
    others = tuple(one for one in sound.of(event.seat).headsets if one.station != event.found.station)
    return sound.choose(event.seat, headsets=(*others, event.found))


@applies(ev.VoiceBound)
def _voice_bound(sound: SoundState, event: ev.VoiceBound) -> SoundState:
    return sound.choose(event.seat, profile=event.profile)


@applies(ev.RoomAllowed)
def _room_allowed(sound: SoundState, event: ev.RoomAllowed) -> SoundState:
    return replace(sound, room=event.language if event.allowed else "")


@applies(ev.AlertsChosen)
def _alerts_chosen(sound: SoundState, event: ev.AlertsChosen) -> SoundState:
    ears = tuple(one for one in sound.arbiter_ears if one.station != event.station)
    if event.spoken:
        ears = (*ears, ArbiterEar(event.station, event.language))
    return replace(sound, arbiter_ears=ears)
