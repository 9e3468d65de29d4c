"""Choices about sound.

It says how a microphone is opened, which devices are used, whose voice is known. Voice activity opens a microphone for
anybody who speaks. In a rated game it stays shut until the arbiter has permitted it. What is spoken into the room and
into the arbiter's own ear needs the arbiter's leave. Pure.
"""

from __future__ import annotations

import msgspec

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import (
    DevicesChosen,
    EarChosen,
    HeadsetChecked,
    Refusal,
    SoundLost,
    TalkingChosen,
    VoiceActivityPermitted,
    VoiceBound,
)
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.state.state import GameState
from server.game.values.saying import saying
from server.game.values.words import EarChoice, HeadsetCheck, Role, Seat, SoundDevices, Station, Talking

SLOWEST, FASTEST = 50, 300
"""Limits of the speed, in per cent of the usual one."""


@decides(
    cmd.ChooseTalking,
    cmd.ChooseEar,
    cmd.PermitVoiceActivity,
    cmd.ChooseDevices,
    cmd.NoteVoice,
    cmd.NoteDeviceFault,
    cmd.NoteHeadset,
    cmd.NoteMicrophoneLost,
    cmd.NoteAnotherVoice,
    cmd.AcceptVoice,
)
def choose_sound(draft: Draft, seat: Seat, station: Station | None, body: cmd.AnyAct) -> Refusal | None:
    """Take a choice about the microphone, ear, voice activity, the server's devices or the known voice."""
    state, now = draft.state, draft.now
    match body:
        case cmd.ChooseTalking():
            if station is not None and station.role is Role.PLAYER and body.seat not in (None, seat):
                return Refusal("only_the_arbiter", "12.3")
            if body.talking is Talking.VOICE and not may_open_by_voice(state, seat):
                return Refusal("voice_activity_not_permitted", "D.1")
            draft.emit(TalkingChosen(at=now, seat=seat, talking=body.talking))
        case cmd.ChooseEar():
            if station is not None and station.role is Role.PLAYER and body.seat not in (None, seat):
                return Refusal("only_the_arbiter", "12.3")
            ear, by = state.sound.of(seat).ear, body.speed_by or 0
            by_player = station is not None and station.role is Role.PLAYER
            if by_player and ear.language_fixed and body.language not in (None, ear.language):
                return Refusal("only_the_arbiter", "12.3")
            named = {name: getattr(body, name, None) for name in EarChoice.__struct_fields__}
            changed = {name: value for name, value in named.items() if value is not None}
            if body.language is not None and not by_player:
                changed["language_fixed"] = body.language != ""
            word = "faster" if by > 0 else "slower" if by < 0 else ""
            if by:
                changed["speed"] = max(SLOWEST, min(FASTEST, ear.speed + by))
            if body.turn_keys:
                changed["read_keys"] = not ear.read_keys
                word = "read_keys" if changed["read_keys"] else "no_keys"
            draft.emit(EarChosen(at=now, seat=seat, ear=msgspec.structs.replace(ear, **changed), word=word))
        case cmd.PermitVoiceActivity():
            draft.emit(VoiceActivityPermitted(at=now, seat=body.seat, granted=body.granted))
        case cmd.ChooseDevices():
            chosen = SoundDevices(body.microphone, body.headphones, body.headset)
            draft.emit(DevicesChosen(at=now, seat=body.seat, devices=chosen))
        case cmd.NoteVoice():
            draft.emit(VoiceBound(at=now, seat=body.seat, profile=body.profile))
        case cmd.NoteAnotherVoice():
            said = saying("at_seat", who=body.seat, what=body.station)
            draft.alert("another_voice", state.made_plies, said, grey=True, utterance=body.utterance)
        case cmd.AcceptVoice():
            draft.emit(ev.VoiceAccepted(at=now, seat=body.seat))
        case cmd.NoteHeadset():
            found = HeadsetCheck(body.headset, body.stays_out, body.ours_dbfs, now)
            draft.emit(HeadsetChecked(at=now, seat=body.seat, found=found))
        case cmd.NoteDeviceFault():
            said = saying("at_seat", who=body.seat, what=body.said)
            draft.alert("sound_device", state.made_plies, said, grey=False)
            if state.sound.of(body.seat).devices.any:  # the seat is heard and spoken to through its pages again
                draft.emit(DevicesChosen(at=now, seat=body.seat, devices=SoundDevices()))
                draft.emit(SoundLost(at=now, seat=body.seat, what="devices"))
        case cmd.NoteMicrophoneLost():
            said = saying("at_seat", who=body.seat, what=saying("no_sound_from", station=body.station))
            draft.alert("microphone_lost", state.made_plies, said, grey=False)
            draft.emit(SoundLost(at=now, seat=body.seat, what="microphone"))
    return None


def outside_the_game(state: GameState) -> bool:
    """Return whether a voice may be learnt or tried here now: before the start or after the end."""
    return not state.table.started or state.over


def may_open_by_voice(state: GameState, seat: Seat) -> bool:
    """Return whether voice activity may open this seat's microphone."""
    return state.sound.of(seat).permitted or not state.table.rated


def opens_by_voice(state: GameState, seat: Seat) -> bool:
    """Return whether voice activity opens this seat's microphone: chosen, and still permitted."""
    return state.sound.of(seat).talking is Talking.VOICE and may_open_by_voice(state, seat)


FALLBACK = "en"


@decides(cmd.AllowRoom, cmd.ChooseAlerts)
def choose_speech(draft: Draft, station: Station | None, body: cmd.AllowRoom | cmd.ChooseAlerts) -> None:
    """Record that the arbiter allows speech into the room or the arbiter's ear, or ends that."""
    match body:
        case cmd.AllowRoom():
            language = body.language or draft.state.language_of(Seat.WHITE)
            draft.emit(ev.RoomAllowed(at=draft.now, allowed=body.allowed, language=language))
        case cmd.ChooseAlerts() if station is not None:
            language = body.language or FALLBACK
            draft.emit(ev.AlertsChosen(at=draft.now, station=station.id, spoken=body.spoken, language=language))
