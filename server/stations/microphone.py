"""A station's microphone turns frames of sound into utterances, which are heard one after the other.

It does not matter where the frames come from. `Speaking` is an utterance that is still going on: its sound, without
the server's own voice, goes to the recogniser as it comes. `OwnVoice` knows what the server plays at the station now:
while any of it sounds, the microphone hears nothing of it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from functools import cache, partial
from typing import Annotated, Literal

import msgspec

from server.game import acts as cmd
from server.game.decide.set_up.sound import opens_by_voice, outside_the_game
from server.game.values.words import Role, Seat
from server.hall.hall import Hall
from server.hall.live_table import LiveTable, TableLeft
from server.machine.tasks import Faults
from server.protocol import UNREADABLE, Active, LevelFound, Outgoing, Takeover, Wrong
from server.table.envelope import sealing_key
from server.voice.intake import Intake, spans
from server.voice.listener import UtteranceSound
from speech.audio.echo import check_tones
from speech.audio.frames import UtteranceAssembly, decode_frame, encode_frames
from speech.audio.human_voice import HumanVoice
from speech.audio.level import level_of, levels
from speech.audio.mic_check import Checked, LevelCheck
from speech.audio.sound import BYTES_PER_SAMPLE
from speech.audio.vad import Activity, load_activity
from speech.complaint import Complaint
from speech.hearing.hearing import HearingUtterance

SAMPLES_A_MS = 16
COMES_BACK_MS = 5_000
"""Time after a line is there again in which sound recorded meanwhile may begin to come."""
PREROLL_MS = 500
"""Most sound from before the talk key was pressed in the first frame: the page keeps 300 ms."""
LATE_MS = 2_000
"""Most delay of sound on a line that is there: a radio that is slow for a moment."""
SILENT_MS = 1_000
"""After so much silence at its beginning an utterance begins with its first word: a key may be held for long before."""
TEXT_SAMPLES = 50 * SAMPLES_A_MS
"""A text weighs as much as so much sound."""
_settings = cache(load_activity)


class DeviceReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Message of a station beside its sound.

    `end`: the talk key was let go. `check`: this utterance, told before its first frame, is only to see how good the
    microphone is; with `prompt` it is also a reading of that prompt, by which the player's voice becomes known;
    `back`: it is played back to the player, outside the game. `stream`: the frames of this id are an open microphone,
    from which voice activity takes utterances; `own_dbfs`: how loud the player speaks into it, as the check found.
    `playing`, `played`: a sound of the server begins, or is over, in its loudspeaker. `headset`: whether the player
    says that they wear one; that its microphone does not hear the server's voice is believed once a check with `echo`
    has shown it: tones are played first, and then the player speaks. `device`: its talk key works the microphone that
    the seat has at the server: talk, let_go, or check. `lost`: the station's microphone has ended by itself.
    """

    end: int | None = None
    check: int | None = None
    back: bool = False
    echo: bool = False
    prompt: Annotated[int, msgspec.Meta(ge=1, le=999)] | None = None
    stream: int | None = None
    own_dbfs: Annotated[float, msgspec.Meta(ge=-60, le=0)] | None = None
    playing: str | None = None
    played: str | None = None
    headset: bool | None = None
    device: Literal["talk", "let_go", "check"] | None = None
    lost: bool = False


class OpenMicrophone(msgspec.Struct, frozen=True):
    """Microphone that voice activity opens.

    It has the id of its frames, the seat, and what looks for utterances in them.
    """

    stream: int
    seat: Seat
    activity: Activity


class Microphone:
    """Microphone of one station: its utterances are heard one after the other.

    So an echo comes before the move that follows it.
    """

    def __init__(
        self, hall: Hall, table: LiveTable, station: str, tell: Callable[[Outgoing], None], *, paced: bool = True
    ) -> None:
        """`paced`: its sound comes over a line, and no faster than real time is taken of it."""
        self._paced = paced
        self._hall = hall
        self._table = table
        self._station = station
        self._tell = tell
        self._now: Speaking | None = None
        self._own_voice = OwnVoice()
        self._check: LevelCheck | None = None
        self._headset = False
        self._open: OpenMicrophone | None = None
        self._key_held = False
        self._speaks = False
        self._over: deque[int] = deque(maxlen=64)
        self._spoken: asyncio.Queue[Speaking | None] = asyncio.Queue()  # what waits is bounded by seat
        self._came_ms = table.clock.mono_ms()
        self._faults = Faults(f"The microphone of {station}", table.note_fault)
        self._last_intake = table.listener.intake(station)

    @property
    def _intake(self) -> Intake:
        """Return the intake of the station's seat; a device that was sent away keeps to the one it had."""
        if self._table.state.stations.find(self._station) is not None:
            self._last_intake = self._table.listener.intake(self._station)
        return self._last_intake

    @property
    def speaking(self) -> bool:
        """Say whether an utterance is going on."""
        return self._now is not None

    async def take(self, data: bytes) -> None:
        """Take one binary message: a frame of sound."""
        try:
            frame = decode_frame(data)
        except Complaint as wrong:
            self._complain(str(wrong))
            await self._paced_by()
            await self.finish(cut=True)
            return
        if frame.utterance in self._over:
            await self._paced_by()
            return
        there = self._samples_so_far if self._is_now(frame.utterance) else 0
        if self._open is not None and self._open.stream == frame.utterance:
            there = frame.first_sample  # its samples are counted through the hours, and gaps in it are no sound
        await self._paced_by(spans(frame.first_sample, frame.end_sample, there))
        if self._open is not None and self._open.stream == frame.utterance:
            await self._take_open(self._open, frame.pcm)
            return
        if not self._is_now(frame.utterance):
            await self.finish()
            await self._begin(frame.utterance, whole=frame.first_sample == 0)
        assert self._now is not None
        now = self._table.clock.mono_ms()
        if self._hears_us(now):
            self._now.mute(frame.first_sample, frame.end_sample)
        elif self._now.human is not None:
            ms = len(frame.pcm) // BYTES_PER_SAMPLE // SAMPLES_A_MS
            self._voice(self._now.human.take(level_of(frame.pcm), ms))
            if self._now.human.heard:
                self._now.begin_words(frame.first_sample)
        fed = self._now.assembly.feed(data)
        # A frame comes when its sound is over, so the utterance began that much earlier. Sound kept from before the
        # key was pressed comes all at once, so the earliest start is right; what a gap claims to have taken is not.
        self._now.date(now - self._now.assembly.whole_samples // SAMPLES_A_MS)
        self._now.hand_on()
        if fed.outcome == "ended":
            self._complain(fed.reason or "This utterance is over.")
            await self.finish()

    def _is_now(self, utterance: int) -> bool:
        return self._now is not None and self._now.assembly.utterance == utterance

    async def _paced_by(self, samples: int = 0) -> None:
        """Wait until the seat may say so much."""
        if self._paced:
            await self._intake.take(self._station, samples)

    async def _begin(self, utterance: int, *, by_voice: bool = False, whole: bool = True) -> Speaking:
        """Begin an utterance; one whose first sample is not there (`whole`) is heard at its end, if it comes."""
        intake = self._intake
        await intake.begin(self, self._station, partial(self.finish, cut=True))
        check = self._check if self._check is not None and self._check.utterance == utterance else None
        station = self._table.state.stations.find(self._station)
        unheard = check is not None or not whole
        listening = None if unheard or station is None else self._table.listener.begin(station)
        now = self._table.clock.mono_ms()
        self._now = Speaking(utterance, now, listening, intake, by_voice=by_voice, earliest_ms=self._earliest(now))
        self._now.check = check
        if by_voice:
            self._voice(True)
        return self._now

    def _earliest(self, now: int) -> int:
        """Return when an utterance that begins to arrive now can have begun (ms of this run).

        Its client does not choose that (6.2.1.1): while the line is there, what is said comes at once. What a line
        brings as it comes back may have been said since the line before it went.
        """
        back = self._intake.away_since(self._came_ms) if now - self._came_ms <= COMES_BACK_MS else now
        return max(0, min(back, now) - PREROLL_MS)

    def _voice(self, speaks: bool) -> None:
        """Note that somebody speaks here, or has stopped; meanwhile the server is silent at this table."""
        if speaks != self._speaks:
            self._speaks = speaks
            teller = self._table.teller
            (teller.voice_began if speaks else teller.voice_ended)(self._station)

    def _open_by_voice(self, stream: int, own_dbfs: float | None) -> None:
        """Begin voice activity, where it is chosen and permitted and the player's level is known."""
        station = self._table.state.stations.find(self._station)
        if station is None or station.seat is None or station.role is not Role.PLAYER:
            self._complain("Voice activity is for a player's own microphone.")
        elif not opens_by_voice(self._table.state, station.seat):
            self._complain("Voice activity is not chosen at this seat, or the arbiter has not permitted it.")
        elif own_dbfs is None:
            self._complain("Check the microphone first: voice activity must know how loud you speak.")
        else:
            self._open = OpenMicrophone(stream, station.seat, Activity(own_dbfs, _settings()))

    async def _take_open(self, open: OpenMicrophone, pcm: bytes) -> None:
        """Take sound of an open microphone; what is not an utterance is kept nowhere."""
        if not opens_by_voice(self._table.state, open.seat):
            await self._shut()
            self._complain("Voice activity is no longer permitted here.")
            return
        now = self._table.clock.mono_ms()
        if self._now is not None and not self._now.by_voice:
            # The talk key goes first: what is said while it is held is one utterance and must not become a second one.
            open.activity.take(pcm, muted=True)
            return
        for piece in open.activity.take(pcm, muted=self._hears_us(now)):
            if piece.begins or self._now is None:  # after a gap, what goes on is another utterance
                await self.finish()
                await self._begin(secrets.randbits(63), by_voice=True)
                self._tell(Active(True))
            assert self._now is not None
            begin = self._now.assembly.end_sample
            end = begin + len(piece.pcm) // BYTES_PER_SAMPLE
            self._now.date(now - end // SAMPLES_A_MS)
            if piece.muted:
                self._now.mute(begin, end)
            for data in encode_frames(piece.pcm, self._now.assembly.utterance, begin):
                self._now.assembly.feed(data)
            self._now.hand_on()
            if piece.ends:
                await self.finish()

    def _device_key(self, key: Literal["talk", "let_go", "check"]) -> None:
        """Take a talk key of this page; only the player's own page opens the microphone of the seat."""
        station = self._table.state.stations.find(self._station)
        keys = self._hall.device_keys
        if station is None or station.seat is None or station.role is not Role.PLAYER or keys is None:
            return
        self._key_held = key == "talk"
        if not keys(self._table, station.seat, key) and key != "let_go":
            self._complain("This seat has no microphone at the server; ask the arbiter.")

    async def _shut(self) -> None:
        if self._open is not None:
            self._over.append(self._open.stream)
            self._open = None
            if self._now is not None and self._now.by_voice:
                await self.finish()

    async def take_text(self, text: str) -> None:
        """Take a text message told beside the sound, most of all the end of an utterance."""
        await self._paced_by(TEXT_SAMPLES)
        try:
            told = msgspec.json.decode(text, type=DeviceReport)
        except UNREADABLE:
            self._complain('Here only sound is taken, and {"end": ID} when it is over.')
            return
        await self.take_report(told)

    async def take_report(self, told: DeviceReport) -> None:
        """Take what a station tells beside its sound."""
        now = self._table.clock.mono_ms()
        if told.device is not None:
            self._device_key(told.device)
        if told.lost:
            await self.broke_off()
        if told.headset is not None:
            await self._wears_headset(told.headset)
        if told.check is not None:
            tones = self._table.teller.sounds.give(self._station, "", check_tones()) if told.echo else None
            self._check = LevelCheck(told.check, told.prompt, back=told.back, tones=tones)
        if told.stream is not None and (self._open is None or self._open.stream != told.stream):
            await self._shut()
            self._open_by_voice(told.stream, told.own_dbfs)
        if told.playing is not None:
            sound = self._table.teller.sounds.find(self._station, told.playing)
            if sound is not None:  # only a sound that the server gave this station can be playing there
                self._own_voice.begin(told.playing, sound.duration_ms, now)
                if self._check is not None:
                    self._check.playing(told.playing, self._samples_so_far)
        if told.played is not None:
            if self._check is not None:
                self._check.note_played(told.played, self._samples_so_far)
            self._own_voice.end(told.played, now)
        if told.end is not None and self._open is not None and self._open.stream == told.end:
            await self._shut()
        if told.end is not None and self._now is not None and self._now.assembly.utterance == told.end:
            await self.finish()

    async def finish(self, *, cut: bool = False) -> None:
        """End the utterance and queue it to be heard; where many of the seat wait, this waits too and nothing is lost.

        `cut`: its end may be on another line.
        """
        done, self._now = self._now, None
        if done is None:
            return
        done.intake.over(self)
        done.cut = cut or done.assembly.begins_late
        self._over.append(done.assembly.utterance)
        if not cut:  # an end that is told late changes nothing of when the words came
            done.date(self._table.clock.mono_ms() - done.assembly.whole_samples // SAMPLES_A_MS)
        self._voice(False)
        if done.by_voice:
            self._tell(Active(False))
        if done.cut and done.listening is not None:  # nothing will be understood of it
            listening, done.listening = done.listening, None
            await listening.abandon()
        done.hand_on(over=True)
        if done.assembly.received_samples:
            await done.intake.wait()
            self._spoken.put_nowait(done)
        elif done.listening is not None:
            await done.listening.abandon()

    def leave_check(self) -> None:
        """Leave the check that goes on, and judge nothing of it: what is said from now on is for the game."""
        if self._now is not None and self._now.check is not None:
            self._now.intake.over(self)
            self._over.append(self._now.assembly.utterance)
            self._now = self._check = None
            self._voice(False)

    async def broke_off(self) -> None:
        """Note that sound stopped in the middle of an utterance, so that the player is not heard.

        Half of an announcement may be another one, so nothing is understood of it, and all of it is asked for.
        """
        station = self._table.state.stations.find(self._station)
        checking = self._now is not None and self._now.check is not None
        await self.finish(cut=True)
        if checking or station is None or station.seat is None or station.role is not Role.PLAYER:
            return
        if self._table.state.sound.of(station.seat).devices.microphone is None:
            self._table.note(cmd.NoteMicrophoneLost(seat=station.seat, station=self._station))

    async def close(self) -> None:
        """End the microphone; a talk key that was held here is let go."""
        self._intake.gone_ms = self._table.clock.mono_ms()
        if self._key_held:
            self._device_key("let_go")
        self._voice(False)
        await self._spoken.put(None)

    async def hear_all(self) -> None:
        """Have every utterance kept and understood, until `close`."""
        while (spoken := await self._spoken.get()) is not None:
            async with spoken.intake.in_turn():
                await self._hear(spoken)

    async def _hear(self, spoken: Speaking) -> None:
        utterance = spoken.assembly.utterance
        try:
            if spoken.check is not None:
                await self._tell_outcome(spoken.check, spoken)
                return
            sound = UtteranceSound(spoken.assembly.sound.pcm, spoken.for_the_ears, spoken.by_voice, spoken.cut)
            await self._table.hear(self._station, utterance, sound, spoken.words_ms, spoken.listening)
        except Complaint as wrong:
            self._complain(str(wrong))
        except TableLeft:  # the station is sent to the server that leads the table now, and is asked there
            return
        except Exception as fault:  # one utterance that fails must not make this microphone deaf
            self._faults.note(fault, secret=self._sealed)
            self._complain("The server made a mistake with this; say it again.")
        else:
            self._tell(Takeover(utterance))
        finally:
            if spoken.listening is not None:
                await spoken.listening.abandon()

    @property
    def _sealed(self) -> bool:
        station = self._table.state.stations.find(self._station)
        return station is None or station.seat is None or sealing_key(self._table.state, station.seat) is not None

    @property
    def _samples_so_far(self) -> int:
        """Return how many samples the current utterance has."""
        return self._now.assembly.end_sample if self._now is not None else 0

    def _hears_us(self, now: int) -> bool:
        """Say whether the server's own voice sounds and may come back through this microphone."""
        if not self._own_voice.sounds(now):
            return False
        station = self._table.state.stations.find(self._station)
        seat = station.seat if station is not None and station.role is Role.PLAYER else None
        return not (self._headset and seat is not None and self._table.state.sound.of(seat).proven(self._station))

    async def _wears_headset(self, yes: bool) -> None:
        """Note whether the player says they wear a headset; once it is off, nothing is proven any more."""
        self._headset = yes
        station = self._table.state.stations.find(self._station)
        if yes or station is None or station.seat is None or station.role is not Role.PLAYER:
            return
        if self._table.state.sound.of(station.seat).proven(self._station):
            await self._note_headset(station.seat, Checked("silent", levels(b"")))

    async def _note_headset(self, seat: Seat, found: Checked) -> None:
        noted = cmd.NoteHeadset(
            seat=seat, headset=self._station, stays_out=found.headset == "proven", ours_dbfs=found.ours_dbfs
        )
        await self._table.own(self._table.program_command(noted))

    async def _tell_outcome(self, check: LevelCheck, spoken: Speaking) -> None:
        """Tell the station the outcome of a check; that of a headset also goes on record."""
        station = self._table.state.stations.find(self._station)
        seat = station.seat if station is not None and station.role is Role.PLAYER else None
        gain = self._table.state.sound.of(seat).ear.gain_db if seat is not None else 0
        found = check.judge(spoken.assembly.sound.pcm, gain)
        self._read(check, spoken)
        if found.headset is not None and seat is not None:
            await self._note_headset(seat, found)
        of, utterance = found.levels, spoken.assembly.utterance
        self._tell(LevelFound(found.finding, of.speech_dbfs, of.peak_dbfs, of.snr_db, found.headset, utterance))

    def _read(self, check: LevelCheck, spoken: Speaking) -> None:
        """Keep a reading of a prompt in memory until the voice is learnt; keep any other check nowhere."""
        if check.back and outside_the_game(self._table.state):
            self._table.teller.sounds.give(self._station, "", spoken.assembly.sound)
        station = self._table.state.stations.find(self._station)
        keep, prompt = self._hall.keep_reading, check.prompt
        if prompt is None or keep is None or station is None or station.seat is None or station.role is not Role.PLAYER:
            return
        try:
            keep(self._table, station.seat, prompt, spoken.assembly.sound.pcm)
        except Complaint as wrong:
            self._complain(str(wrong))

    def _complain(self, text: str) -> None:
        self._tell(Wrong(text))


class Speaking:
    """Utterance under way: its sound so far, its start, the recognition of it, and where it takes its places."""

    def __init__(
        self,
        utterance: int,
        first_ms: int,
        listening: HearingUtterance | None,
        intake: Intake,
        *,
        by_voice: bool = False,
        earliest_ms: int = 0,
    ) -> None:
        """Begin an utterance that arrives from `first_ms` on and was not begun before `earliest_ms`, of this run.

        `intake`: of the seat at which it began; it gives its places back there, wherever its station is by then.
        """
        self._earliest_ms, self._came_ms = earliest_ms, first_ms
        self.assembly = UtteranceAssembly(utterance)
        self.by_voice = by_voice
        self.human = None if by_voice else HumanVoice()  # voice activity already knows that somebody speaks
        self.first_ms = first_ms
        self.listening = listening
        self.intake = intake
        self.check: LevelCheck | None = None  # the one that it is, whichever was begun since
        self.cut = False
        self._fed = 0
        self._words_sample: int | None = None
        self._muted: list[tuple[int, int]] = []

    def date(self, began_ms: int) -> None:
        """Take what the arrival of a frame says of the beginning.

        It is not before the first frame allows it, nor long before its sound comes: who holds back what was begun, or
        how it ends, does not choose later when it was said.
        """
        if began_ms - self._came_ms > LATE_MS:
            self._earliest_ms = max(self._earliest_ms, began_ms - LATE_MS)
        self.first_ms = max(self._earliest_ms, min(self.first_ms, began_ms))

    def begin_words(self, first_sample: int) -> None:
        """Note where the first word begins."""
        if self._words_sample is None:
            self._words_sample = first_sample

    @property
    def words_ms(self) -> int:
        """Return when the words began (ms of this run): with the utterance, or after the silence before them."""
        silent_ms = (self._words_sample or 0) // SAMPLES_A_MS
        return self.first_ms + (silent_ms - PREROLL_MS if silent_ms > SILENT_MS else 0)

    def mute(self, first_sample: int, end_sample: int) -> None:
        """Mark samples in which the server's own voice sounds: they are kept, but not listened to."""
        self._muted.append((first_sample, end_sample))

    @property
    def for_the_ears(self) -> bytes:
        """Return the whole sound, with silence where the server's own voice sounds."""
        return self._without_us(0, self.assembly.end_sample)

    def _without_us(self, begin: int, end: int) -> bytes:
        part = bytearray(self.assembly.part(begin, end))
        for first, last in self._muted:
            first, last = max(first, begin), min(last, end)
            if first < last:
                part[2 * (first - begin) : 2 * (last - begin)] = bytes(2 * (last - first))
        return bytes(part)

    def hand_on(self, *, over: bool = False) -> None:
        """Send what is whole to the recogniser.

        At the end send everything, with silence where something is missing.
        """
        if self.listening is None:
            return
        end = self.assembly.end_sample if over else self.assembly.whole_samples
        if end > self._fed:
            self.listening.feed(self._without_us(self._fed, end))
            self._fed = end


MARGIN_MS = 500
"""How long after its length a sound counts as over when no end is told: the station may have gone."""
TAIL_MS = 200
"""How long after its end a sound may still come from the loudspeaker, and back from the room."""
MOST = 64


class OwnVoice:
    """Ids of the sounds that a station plays.

    It is a set, so that an end that is told twice, or never, does no harm.
    """

    def __init__(self) -> None:
        self._until: dict[str, int] = {}

    def begin(self, sound_id: str, length_ms: int, now: int) -> None:
        """Note that a sound of this length begins (again)."""
        self._until = {id: until for id, until in self._until.items() if until > now}
        if len(self._until) < MOST:
            self._until[sound_id] = now + length_ms + MARGIN_MS

    def end(self, sound_id: str, now: int) -> None:
        """Note that a sound is over or was stopped; it may be over already."""
        if sound_id in self._until:
            self._until[sound_id] = min(self._until[sound_id], now + TAIL_MS)

    def sounds(self, now: int) -> bool:
        """Say whether the server's own voice sounds there, so that the microphone may hear it."""
        return any(until > now for until in self._until.values())
