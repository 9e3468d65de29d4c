"""This file makes what a player is shown of their sound.

It covers microphone, ear, devices and the known voice.
"""

from __future__ import annotations

from server.game.acts import (
    ChecklistTicked,
    DevicesChosen,
    EarChosen,
    HeadsetChecked,
    TalkingChosen,
    VoiceActivityPermitted,
    VoiceBound,
)
from server.game.decide.set_up.sound import may_open_by_voice
from server.game.decide.set_up.table import CONSENT, answer_of, may_keep_sound
from server.game.state.state import GameState
from server.game.values.words import Seat, Station, Talking
from server.game.views.messages import SoundShown

SOUND_EVENTS = (TalkingChosen, EarChosen, VoiceActivityPermitted, DevicesChosen, VoiceBound, HeadsetChecked)


def about_sound(event: object, seat: Seat) -> bool:
    """Return whether this changes what the seat's own stations see of its sound.

    Of the checklist only the consent does.
    """
    if isinstance(event, ChecklistTicked):
        return event.item == CONSENT and event.seat is seat
    return isinstance(event, SOUND_EVENTS) and event.seat is seat


def sound_shown(state: GameState, seat: Seat, station: Station, event: object = None) -> SoundShown:
    """Return what a seat's own stations see of its sound.

    A choice that is no longer permitted shows as the talk key held.
    """
    sound = state.sound.of(seat)
    lapsed = sound.talking is Talking.VOICE and not may_open_by_voice(state, seat)
    return SoundShown(
        talking=Talking.HELD if lapsed else sound.talking,
        voice_activity=may_open_by_voice(state, seat),
        device=sound.devices.any,
        known_voice=bool(sound.profile),
        ear=sound.ear,
        headset=sound.proven(station.id),
        word=event.word if isinstance(event, EarChosen) else "",
        consent=answer_of(state, seat),
        keeps_sound=may_keep_sound(state, seat),
    )
