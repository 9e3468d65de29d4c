"""A player's sound, as the player is shown it.

Microphone, ear, devices and the known voice.
"""

from __future__ import annotations

from msgspec.structs import replace

from server.game import acts as ev
from server.game.decide.set_up.sound import may_open_by_voice
from server.game.decide.set_up.table import answer_of, may_keep_sound
from server.game.state.state import GameState
from server.game.values.words import Role, Seat, Station, Talking
from server.game.views.messages import LinkShown, SoundShown
from server.game.views.seats.shown import shown, silent

silent(ev.VoiceAccepted, ev.RoomAllowed, ev.AlertsChosen)


@shown(ev.SoundLost)
def _lost(event: ev.SoundLost, seat: Seat, station: Station) -> LinkShown | None:
    return LinkShown(what=event.what) if event.seat is seat and station.role is Role.PLAYER else None


@shown(ev.TalkingChosen, ev.VoiceActivityPermitted, ev.DevicesChosen, ev.VoiceBound, ev.HeadsetChecked)
def _sound(
    event: ev.TalkingChosen | ev.VoiceActivityPermitted | ev.DevicesChosen | ev.VoiceBound | ev.HeadsetChecked,
    state: GameState,
    seat: Seat,
    station: Station,
) -> SoundShown | None:
    return sound_shown(state, seat, station) if event.seat is seat else None


@shown(ev.EarChosen)
def _ear(event: ev.EarChosen, state: GameState, seat: Seat, station: Station) -> SoundShown | None:
    """Return the seat's own sound with the word for what is new in it: that is said in the new way."""
    return replace(sound_shown(state, seat, station), word=event.word) if event.seat is seat else None


def sound_shown(state: GameState, seat: Seat, station: Station) -> SoundShown:
    """Return what a seat's own stations see of its sound.

    A choice that is no longer permitted shows as the talk key held.
    """
    sound = state.sound.of(seat)
    lapsed = sound.talking is Talking.VOICE and not may_open_by_voice(state, seat)
    return SoundShown(
        talking=Talking.HELD if lapsed else sound.talking,
        voice_activity=may_open_by_voice(state, seat),
        device=sound.devices.microphone is not None,
        headphones=sound.devices.headphones is not None,
        known_voice=bool(sound.profile),
        ear=sound.ear,
        headset=sound.proven(station.id),
        consent=answer_of(state, seat),
        keeps_sound=may_keep_sound(state, seat),
    )
