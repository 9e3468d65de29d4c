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


def _is_for_another(seat: Seat, station: Station | None, body: cmd.ChooseTalking | cmd.ChooseEar) -> bool:
    """Return whether a player's station chooses for another seat than its own."""
    return _is_player(station) and body.seat not in (None, seat)


def _is_player(station: Station | None) -> bool:
    return station is not None and station.role is Role.PLAYER


@decides(cmd.ChooseTalking)
def choose_talking(draft: Draft, seat: Seat, station: Station | None, body: cmd.ChooseTalking) -> Refusal | None:
    """Take how a player opens the microphone; by voice only where the arbiter permits it (D.1)."""
    if _is_for_another(seat, station, body):
        return Refusal("only_the_arbiter", "12.3")
    if body.talking is Talking.VOICE and not may_open_by_voice(draft.state, seat):
        return Refusal("voice_activity_not_permitted", "D.1")
    draft.emit(TalkingChosen(at=draft.now, seat=seat, talking=body.talking))
    return None


@decides(cmd.ChooseEar)
def choose_ear(draft: Draft, seat: Seat, station: Station | None, body: cmd.ChooseEar) -> Refusal | None:
    """Take how a player wants to be spoken to; what is left out stays as it was."""
    if _is_for_another(seat, station, body):
        return Refusal("only_the_arbiter", "12.3")
    ear, by = draft.state.sound.of(seat).ear, body.speed_by or 0
    by_player = _is_player(station)
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
    draft.emit(EarChosen(at=draft.now, seat=seat, ear=msgspec.structs.replace(ear, **changed), word=word))
    return None


@decides(cmd.PermitVoiceActivity)
def permit_voice_activity(draft: Draft, body: cmd.PermitVoiceActivity) -> None:
    """Record whether a seat's microphone may be opened by voice."""
    draft.emit(VoiceActivityPermitted(at=draft.now, seat=body.seat, granted=body.granted))


@decides(cmd.ChooseDevices)
def choose_devices(draft: Draft, body: cmd.ChooseDevices) -> None:
    """Record which of the server's own devices a seat has."""
    chosen = SoundDevices(body.microphone, body.headphones, body.headset)
    draft.emit(DevicesChosen(at=draft.now, seat=body.seat, devices=chosen))


@decides(cmd.NoteVoice)
def note_voice(draft: Draft, body: cmd.NoteVoice) -> None:
    """Record whose voice is known at a seat."""
    draft.emit(VoiceBound(at=draft.now, seat=body.seat, profile=body.profile))


@decides(cmd.NoteAnotherVoice)
def note_another_voice(draft: Draft, body: cmd.NoteAnotherVoice) -> None:
    """Tell the arbiter that another voice than the known one was heard at a seat."""
    said = saying("at_seat", who=body.seat, what=body.station)
    draft.alert("another_voice", draft.state.made_plies, said, grey=True, utterance=body.utterance)


@decides(cmd.AcceptVoice)
def accept_voice(draft: Draft, body: cmd.AcceptVoice) -> None:
    """Record that the arbiter accepts the voice at a seat as it is."""
    draft.emit(ev.VoiceAccepted(at=draft.now, seat=body.seat))


@decides(cmd.NoteHeadset)
def note_headset(draft: Draft, body: cmd.NoteHeadset) -> None:
    """Record whether a station's microphone hears our own voice."""
    found = HeadsetCheck(body.headset, body.stays_out, body.ours_dbfs, draft.now)
    draft.emit(HeadsetChecked(at=draft.now, seat=body.seat, found=found))


@decides(cmd.NoteDeviceFault)
def note_device_fault(draft: Draft, body: cmd.NoteDeviceFault) -> None:
    """Tell the arbiter of a fault of the server's devices: the seat is heard and spoken to through its pages again."""
    state = draft.state
    said = saying("at_seat", who=body.seat, what=body.said)
    draft.alert("sound_device", state.made_plies, said, grey=False)
    if state.sound.of(body.seat).devices.any:
        draft.emit(DevicesChosen(at=draft.now, seat=body.seat, devices=SoundDevices()))
        draft.emit(SoundLost(at=draft.now, seat=body.seat, what="devices"))


@decides(cmd.NoteMicrophoneLost)
def note_microphone_lost(draft: Draft, body: cmd.NoteMicrophoneLost) -> None:
    """Tell the arbiter and the player that no sound comes from a microphone that is open."""
    said = saying("at_seat", who=body.seat, what=saying("no_sound_from", station=body.station))
    draft.alert("microphone_lost", draft.state.made_plies, said, grey=False)
    draft.emit(SoundLost(at=draft.now, seat=body.seat, what="microphone"))


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
