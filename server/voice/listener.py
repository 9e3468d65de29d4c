"""An utterance becomes a command here: it is kept, recognised, interpreted, submitted (`Listener.hear`).

The ears are a `speech.hearing` `Hearing` and nothing else; those of the tests are subclasses of it. An utterance never
becomes a press (L049). What a sound may have been, besides what it was taken for, is for the record and the arbiter
alone. Only at a table for training may the position narrow what was heard in doubt (`narrowed_at`); in a rated game
that never happens. What is beyond doubt stays as it was said: an illegal move that was clearly announced is called
illegal, not bent into a legal one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Literal

import chess
import msgspec

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Command
from server.game.decide.claims.proposals import private_ear
from server.game.decide.set_up.table import may_keep_sound
from server.game.state.line import resolve
from server.game.state.state import GameState
from server.game.values.candidates import Candidate
from server.game.values.saying import saying
from server.game.values.words import Origin, Role, Seat, Station
from server.game.views.seats.moves import completions
from server.game.views.seats.questions import may_ask
from server.protocol import CellsTyped, Outcome, Typed
from server.table.envelope import sealing_key
from server.table.evidence.evidence import EvidenceFile, SoundEvidence
from server.table.intake import Asker
from server.table.table import Table
from server.voice.intake import Intake
from server.voice.intents import body_of_command, typed_command
from server.voice.profiles import KnownVoices
from server.voice.repeats import AskedAgain, OpenParts
from server.voice.speakers import WhoseVoice
from server.voice.training_questions import TrainingByVoice
from server.wording.refusals import sentence
from server.wording.typed import (
    heard_of_cells,
    heard_of_text,
    piece_named,
    question_of_text,
    schemes_typed,
    with_departure,
)
from server.wording.words import announcement_of, candidates_of, canonical, scheme_for
from speech.announcements.understand import understand
from speech.audio.sound import Sound
from speech.complaint import Complaint
from speech.hearing.confusions import load_confusions
from speech.hearing.evidence import as_the_player_is_heard, expand_alternatives
from speech.hearing.hearing import Hearing, HearingUtterance, Verdict
from speech.hearing.two_squares import Chain, in_plain_names, which_of_two
from speech.hearing.verdict import Judgement
from speech.process import ChildFailed
from speech.speakers.usual_speaker import Ruling
from speech.turns import Speaker, heard_for
from speech.words.said import Heard
from speech.words.scheme import Scheme
from speech.words.voice_profile import VoiceProfile

SAMPLE_RATE = 16_000
_log = logging.getLogger(__name__)


class UtteranceSound(msgspec.Struct, frozen=True):
    """Sound of one utterance, mono s16le 16 kHz, as it was and as the ears get it.

    `for_the_ears` has silence where the server's own voice sounds. `by_voice`: voice activity opened the microphone,
    not a key; perhaps the words were not for the server, or somebody else's. `cut`: its beginning or its end went
    another way, as when the line broke; it is kept, and nothing is understood of it, because half of an announcement
    may be another one.
    """

    pcm: bytes
    for_the_ears: bytes
    by_voice: bool = False
    cut: bool = False


def say_of(
    heard: Heard,
    scheme: Scheme,
    origin: Origin,
    *,
    utterance: str | None,
    at_ms: int | None,
    act: Literal["auto", "announce", "echo"] = "auto",
    seat: Seat | None = None,
) -> cmd.Say:
    """Return the words heard as the command that the table takes."""
    if heard.said is None or heard.kind != "move":
        return cmd.Say(
            announcement=None,
            words=heard.words,
            unclear=heard.unclear,
            utterance=utterance,
            origin=origin,
            act=act,
            at_ms=at_ms,
            seat=seat,
        )
    announcement = announcement_of(heard.said)
    words, text = canonical(announcement, scheme)
    return cmd.Say(
        announcement=announcement,
        words=words,
        text=text,
        utterance=utterance,
        origin=origin,
        act=act,
        at_ms=at_ms,
        seat=seat,
    )


class _Utterance(msgspec.Struct, frozen=True):
    """One utterance on its way to the table; `secret`: nobody may learn its words from the record."""

    station: Station
    seat: Seat
    name: str
    sound: UtteranceSound
    at_ms: int
    scheme: Scheme
    secret: bool


class _Found(msgspec.Struct, frozen=True):
    """Interpretation of an utterance.

    `heard`: of kind none where it was not understood, None where it was not for the server. `sure`: beyond doubt.
    `words`, `candidates`: what the sound may have been, for the record and the arbiter alone. `contested`: in a voice
    that is strange at this station, or taken after two questions. `told`: it is taken, and read back, because the
    player's voice is not known well enough. `either`: the two announcements of which the player is asked to
    name one. `answers`: the player was asked that just now.
    """

    heard: Heard | None
    sure: bool = False
    words: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    contested: bool = False
    told: bool = False
    either: tuple[Chain, ...] = ()
    answers: bool = False


STEPS = ("score_next", "score_previous")
NO_CONSENT = "no consent to the recording of this voice is on record"


class Listener:
    """Listener of one table: keeps utterances as evidence (D.2.7) and tells the table what was heard."""

    def __init__(
        self,
        table: Table,
        evidence: SoundEvidence,
        ears: Hearing | None,
        voices: KnownVoices,
        at_own_ear: Callable[[Station, str], bool],
        beside: Callable[[str, int, int], Sequence[Sound]],
    ) -> None:
        """Set up the listener.

        `voices`: what is known of players' voices. `at_own_ear`: takes "stop" and "repeat" to the player's ear, and
        says whether that did anything. `beside`: what the program said at other stations in some time.
        """
        self.table = table
        self.ears = ears
        self._own_ear = at_own_ear
        self._beside = beside
        self._evidence = evidence
        self._voices = voices
        self._asked = AskedAgain()
        self._parts = OpenParts()
        self._left_open: dict[Seat, tuple[Chain, ...]] = {}  # what a player was asked last to choose from
        self._training = TrainingByVoice()
        self.whose = WhoseVoice()
        self._intakes: dict[Seat | None, Intake] = {}

    def intake(self, station_id: str) -> Intake:
        """Return the intake of the seat of a station."""
        station = self.table.state.stations.find(station_id)
        seat = None if station is None else station.seat
        if seat not in self._intakes:
            self._intakes[seat] = Intake(self._floods)
        return self._intakes[seat]

    def _floods(self, station_id: str) -> None:
        """Tell the arbiters, of this table and of all, whose device sends more than anybody can say."""
        self.table.note_fault(saying("sends_sound_too_fast", station=station_id))

    def _at_own_ear(self, station: Station, command: str) -> bool:
        """Take a word for the player's own ear, and say whether that was all.

        "stop" silences the ear; "repeat" says again what it said last; the words for the next and the previous entry
        step in a long answer.
        """
        if command not in ("stop", "repeat", *STEPS) or station.role is not Role.PLAYER:
            return False
        if command in STEPS:
            return self._own_ear(station, command)
        if command == "stop":
            self._own_ear(station, "stop")
            return False  # it also ends the setting of the clock
        state, seat = self.table.state, station.seat
        chooses = seat is not None and state.time.choice_of(seat) is not None
        sets = seat is not None and state.setting is not None and state.setting.asked_of(seat) is not None
        if chooses or sets:
            return False  # the setting of the clock or the square is told again, and not its last phrase
        return self._own_ear(station, "repeat")

    def begin(self, station: Station) -> HearingUtterance | None:
        """Begin to recognise an utterance while it comes; None where no recogniser works."""
        if station.seat is None or self.ears is None:
            return None
        with heard_for(Speaker(self.table.id, station.seat.value)):
            listening = self.ears.open_utterance(self._scheme_at(station, station.seat))
            if self._asked.likely(station):
                listening.expect_doubt()
        return listening

    async def hear(
        self,
        station: Station,
        utterance: str,
        spoken: UtteranceSound,
        at_ms: int,
        listening: HearingUtterance | None = None,
    ) -> None:
        """Take a finished utterance that began at `at_ms` of this run.

        `listening`: what was begun with it and was fed all of it; it counts unless the scheme has changed meanwhile.
        The sound is on disk before the event that names it; a failing disk is reported and play goes on. With no
        recogniser the sound is still kept and the arbiter sees that nothing was understood.
        """
        if station.seat is None:
            return
        seat = station.seat
        await self.know_voices()
        seal = sealing_key(self.table.state, seat)
        scheme = self._scheme_at(station, seat)
        said = _Utterance(station, seat, utterance, spoken, at_ms, scheme, secret=seal is not None)
        await self._keep(said, seal)
        found = await self._recognise(said, listening)
        if found.contested:
            await self._note(cmd.NoteAnotherVoice(seat=seat, station=station.id, utterance=utterance))
        heard = found.heard
        if heard is None:
            if not said.secret:  # what it may have been stays with the sound (D.2.7)
                await self._note(
                    cmd.SetSoundAside(seat=seat, utterance=utterance, words=found.words, candidates=found.candidates)
                )
            return
        asks, question = self._training.takes(self.table.state, station, heard, at_ms)
        if question is not None:
            await self.table.own(_by(self.table, station, question))
        if said.secret and heard.kind != "command":
            self._parts.note_sealing(seat, heard, at_ms)
        body = None if asks else self._interpret(said, found, heard)
        if body is not None:
            await self._submit(said, heard, body)

    async def command_outside_game(
        self, station: Station, sound: UtteranceSound, listening: HearingUtterance | None
    ) -> cmd.AnyAct | None:
        """Return the command of an utterance outside the game; nothing of it is kept.

        None where it was not for the server.
        """
        assert station.seat is not None
        await self.know_voices()
        scheme = self._scheme_at(station, station.seat)
        found = await self._recognise(_Utterance(station, station.seat, "", sound, 0, scheme, secret=True), listening)
        if found.heard is None:
            return None
        if found.heard.kind == "command" and found.heard.command is not None:
            return body_of_command(found.heard.command, number=found.heard.number, sure=found.sure)
        return say_of(found.heard, scheme, Origin.HEARD, utterance=None, at_ms=None)

    def _scheme_at(self, station: Station, seat: Seat) -> Scheme:
        """Return the seat's scheme, with the player's voice where the player gave its code and speaks here."""
        scheme = scheme_for(self.table.state, seat)
        if station.role is not Role.PLAYER:
            return scheme
        known = self._voice_of(seat)
        return scheme if known is None else msgspec.structs.replace(scheme, voice=known)

    async def know_voices(self) -> None:
        """Read the voice profiles whose codes were given here, as far as they have not been read.

        Call it before the first utterance; a seat's language may be another one at any later one.
        """
        for seat in Seat:
            code, language = self.table.state.sound.of(seat).profile, self.table.state.language_of(seat)
            if not code or self._voices.has(code, language):
                continue
            try:
                await self._voices.read(code, language)
            except Complaint as wrong:
                _log.warning("%s", wrong)

    async def bind_voice(self, seat: Seat, code: str, asker: Asker | None = None) -> Outcome:
        """Use a player's voice profile at the seat, with the player's consent; "" uses none any more.

        `asker`: the player's device that wants it so.
        """
        note = self.table.program_command(cmd.NoteVoice(seat=seat, profile=code))
        outcome = await self.table.own(note, asker=asker)
        await self.know_voices()
        return outcome

    async def _note(self, body: cmd.AnyAct) -> Outcome:
        return await self.table.own(self.table.program_command(body))

    async def _keep(self, said: _Utterance, seal: str | None) -> None:
        """Put the sound on disk, where that is allowed, and then its name on record."""
        kept: object = NO_CONSENT
        pcm = said.sound.pcm
        if may_keep_sound(self.table.state, said.seat):
            kept = await self._evidence.keep(self.table.id, said.name, pcm, SAMPLE_RATE, seal)
        good = isinstance(kept, EvidenceFile)
        await self._note(
            cmd.KeepSound(
                seat=said.seat,
                utterance=said.name,
                sha256=kept.sha256 if isinstance(kept, EvidenceFile) else None,
                length_ms=0 if said.secret else len(pcm) * 1000 // (2 * SAMPLE_RATE),
                fault=None if good else str(getattr(kept, "reason", kept)),
            )
        )

    async def _recognise(self, said: _Utterance, listening: HearingUtterance | None) -> _Found:
        """Return the interpretation of an utterance; where the player was asked to say it again, both sounds count."""
        if self.ears is None or said.sound.cut:
            return _Found(Heard("none"))
        station, scheme, pcm = said.station, said.scheme, said.sound.for_the_ears
        doubt = None if said.secret else self._asked.settles(station, self.table.state, said.at_ms, scheme)
        after, asked = (None, ()) if doubt is None else (doubt.verdict, doubt.either)
        try:
            with heard_for(Speaker(self.table.id, said.seat.value)):
                if listening is not None and listening.scheme == scheme:
                    verdict = await listening.finish(after)
                else:
                    verdict = await self.ears.hear(pcm, scheme, after=after)
        except (Complaint, ChildFailed) as wrong:
            why = "sealed" if said.secret else wrong  # an engine's last words may hold what it heard
            _log.warning("An utterance at table %s was not recognised: %s", self.table.id, why)
            return _Found(Heard("none"))  # the sound is kept, the move is unheard, play goes on
        held, whole = not said.sound.by_voice, False
        if not private_ear(self.table.state, said.seat):
            verdict, whole = self._parts.complete(said.seat, said.at_ms, verdict, held=held)
        taken = narrowed_at(self.table.state, said.seat, verdict)
        judgement = taken.verdict if held or whole else judged_by_voice(taken)
        ruling: Ruling = "usual"
        if judgement in ("accept", "confirm"):
            ruling = await self._whose_voice(said)
        one = which_of_two(taken.heard, asked)
        if asked and one is None and taken.verdict == "confirm":
            judgement = "repeat"  # an answer that names neither is recorded only where it is beyond doubt
        asks = ruling in ("doubted", "strange")
        either = () if asked or asks else self._either(said, taken, judgement)
        if either:
            judgement = "repeat"
        if not said.secret:
            # Another person's words settle nothing; the player's next ones are judged by themselves.
            self._asked.note(station, self.table.state, said.at_ms, scheme, taken, judgement, either)
        if asks:
            judgement = "repeat"
        trust = NOT_THE_PLAYERS if asks else 1.0
        contested = ruling in ("strange", "another")
        candidates = await asyncio.to_thread(candidates_heard, verdict, scheme, trust)
        match judgement:
            case "accept" | "confirm":
                sure, told = taken.verdict == "accept", ruling in ("new", "another")
                heard = taken.heard if one is None else understand(one)
                heard = with_departure(heard, self.table.state, said.seat)
                return _Found(heard, sure, taken.words, candidates, contested, told, answers=bool(asked))
            case "repeat":
                heard = Heard("none", words=taken.words, unclear=taken.heard.unclear)
                return _Found(heard, words=taken.words, candidates=candidates, contested=contested, either=either)
        return _Found(None, words=best_words(verdict), candidates=candidates)

    async def _whose_voice(self, said: _Utterance) -> Ruling:
        """Return whose voice it is taken for, by its sound and by what sounded beside it."""
        own, opponents = said.scheme.voice, self._voice_of(said.seat.other)
        pcm = said.sound.for_the_ears
        ours = self._beside(said.station.id, said.at_ms, len(pcm) * 1000 // (2 * SAMPLE_RATE))
        return await self.whose.rule_on(
            said.station,
            said.name,
            pcm,
            None if own is None else own.voice,
            None if opponents is None else opponents.voice,
            ours,
        )

    def left_open(self, seat: Seat | None) -> tuple[Chain, ...]:
        """Return the announcements from which a player was asked to choose by their piece, until they say a move."""
        return self._left_open.get(seat, ()) if seat is not None else ()

    def _voice_of(self, seat: Seat) -> VoiceProfile | None:
        """Return the player's voice profile, where its code was given here."""
        code = self.table.state.sound.of(seat).profile
        return self._voices.of(code, self.table.state.language_of(seat)) if code else None

    def note(self, event: ev.AnyEvent) -> None:
        """Learn a voice from what its player confirmed by the press, or the arbiter says is theirs."""
        self._parts.note(event, self.table.state)
        match event:
            case ev.Completed(origin=Origin.DECLARED):
                record = self.table.state.ply(event.ply)
                said = () if record is None else (record.utterance, *(one.utterance for one in record.utterances))
                self.whose.confirm(event.seat, {one for one in said if one is not None})
            case ev.VoiceAccepted():
                self.whose.accept(event.seat)
            case ev.NotUnderstood():
                self._left_open[event.seat] = completions(event)
            case ev.Announced() | ev.Echoed() | ev.Contested() | ev.AnnouncementRepeated():
                self._left_open.pop(event.seat, None)
            case _:
                pass

    def _either(self, said: _Utterance, verdict: Verdict, judgement: Judgement) -> tuple[Chain, ...]:
        """Return the two announcements, in plain names, between which the player is asked to choose; () for none.

        Where nobody may be asked, as in time trouble, a verdict stands as it is.
        """
        state = self.table.state
        if said.secret or judgement not in ("confirm", "repeat"):
            return ()
        if not may_ask(state, said.seat, said.at_ms) or private_ear(state, said.seat):
            return ()
        return in_plain_names(verdict.two_squares, said.scheme)

    def _interpret(self, said: _Utterance, found: _Found, heard: Heard) -> cmd.AnyAct | None:
        """Return the act that was said; None for what the game has no part in, or may not take from this station."""
        station = said.station
        if found.answers and heard.command in ("yes", "no") and not self._awaits_yes(said.seat):
            heard = Heard("none", words=heard.words)  # neither of the two: the player is asked to repeat
        if heard.command == "correction":  # the word alone: what is right is asked for
            heard = Heard("none", words=heard.words, unclear="correction")
        if heard.kind == "command" and heard.command is not None:
            body = body_of_command(
                heard.command, number=heard.number, sure=found.sure, utterance=said.name, at_ms=said.at_ms
            )
            if self._at_own_ear(station, heard.command):
                return None  # said again in the player's own ear: no part of the game
            if isinstance(body, cmd.Propose | cmd.Confirm) and (said.sound.by_voice or found.contested):
                body = msgspec.structs.replace(body, sure=False)  # the player is asked whether this was meant
            if isinstance(body, cmd.Confirm):
                body = msgspec.structs.replace(body, voice_alone=said.sound.by_voice)
            if station.role is Role.ASSISTANT and heard.command == "claim_time":
                # the assistant's own duty (D.2.10.5), where it is granted
                return cmd.ClaimTime() if found.sure else None
            return body
        told = say_of(heard, said.scheme, Origin.HEARD, utterance=said.name, at_ms=said.at_ms)
        if not said.secret:
            doubtful = told.announcement is not None and (not found.sure or found.told)
            told = msgspec.structs.replace(told, candidates=found.candidates, either=found.either, doubtful=doubtful)
        if self.ears is None:
            told = msgspec.structs.replace(told, ask=False)  # there is no recogniser: asking again is of no use
        return told

    def _awaits_yes(self, seat: Seat) -> bool:
        """Return whether a yes or a no answers another question than which of two announcements it was."""
        state = self.table.state
        return state.ending.pending_of(seat) is not None or private_ear(state, seat)

    async def _submit(self, said: _Utterance, heard: Heard, body: cmd.AnyAct) -> None:
        """Tell the table, and tell the player where a command that was asked for is refused."""
        answer = (await self.table.own(_by(self.table, said.station, body))).outcome
        # Voice activity may have caught words not meant for the server; after "stop" the player wants silence.
        asked = heard.kind == "command" and heard.command != "stop" and not said.sound.by_voice
        asked |= answer.code in ("own_key_needed", "correction_too_late")
        if not answer.ok and asked and not said.secret:
            await self._note(
                cmd.NoteRefused(
                    seat=said.seat,
                    station=said.station.id,
                    code=answer.code,
                    article=answer.article,
                    utterance=said.name,
                )
            )


def judged_by_voice(verdict: Verdict) -> Judgement:
    """Return the judgement where no key was pressed: only what is beyond doubt is taken as said.

    What is likely is asked again; what was an announcement only in part, and a command in doubt, are ignored. What is
    sure enough, but must be read back (a letter, or words that left one recogniser in doubt), is taken and read back.
    """
    if verdict.verdict == "confirm" and verdict.heard.kind == "command":
        return "reject"
    if verdict.verdict == "confirm" and not verdict.sure:
        return "repeat"
    return "reject" if verdict.verdict == "repeat" and verdict.heard.unclear is None else verdict.verdict


async def command_typed(
    table: Table,
    station: Station,
    said: Typed | CellsTyped,
    language: str = "",
    left_open: tuple[Chain, ...] = (),
) -> Command:
    """Return the command that was typed at a station in words or cells.

    An announcement, an echo, or a command in the seat's or the page's `language`. `left_open`: the announcements that
    this player was asked to choose from last, by their piece, whose word alone is the answer. Raises Complaint where
    the words mean nothing, or name no piece for a promotion where nothing is asked.
    """
    scheme = scheme_for(table.state, station.seat)
    question = None
    if isinstance(said, Typed) and table.state.table.trains:
        asked = (question_of_text(said.text, one) for one in schemes_typed(table.state, station.seat, language))
        question = next((one for one in asked if one is not None), None)
    if question is not None:
        return Command(id=said.id, table=table.id, station=station.id, body=question)
    of, written = (heard_of_cells, said.cells) if isinstance(said, CellsTyped) else (heard_of_text, said.text)
    # In a thread: liblouis looks up what a screen reader made of braille (`server/wording/typed_braille.py`).
    piece = None
    if left_open:
        piece = piece_named(written, table.state, station.seat, language, cells=isinstance(said, CellsTyped))
    chosen_one = next((one for one in left_open if one[differing_place(left_open)] == piece), None)
    if chosen_one is not None:
        heard = with_departure(understand(chosen_one), table.state, station.seat)
    else:
        heard = await asyncio.to_thread(of, written, table.state, station.seat, language, capitals=said.capitals)
    if heard.kind == "command" and heard.command is not None:
        assists = station.role is Role.ASSISTANT
        body = typed_command(heard.command, heard.number, loose=heard.loose, assists=assists)
        if body is None:
            raise Complaint(sentence("word_alone", "", language or scheme.language))
    elif heard.kind == "move" or heard.unclear == "promotion":
        if heard.kind != "move" and not _may_be_asked(table, station):
            raise Complaint(sentence("name_the_piece", "3.7.3.3", language or scheme.language))
        act: Literal["auto", "announce", "echo"] = "auto"
        if said.act in ("announce", "echo"):
            act = "announce" if said.act == "announce" else "echo"
        spoken = say_of(heard, scheme, Origin.ENTERED, utterance=None, at_ms=None, act=act)
        body = spoken if station.role is not Role.ASSISTANT else _by_assistant(table, station, said, spoken)
    else:
        raise Complaint(sentence("not_words", "", language or scheme.language))
    return Command(id=said.id, table=table.id, station=station.id, body=body)


def differing_place(alternatives: tuple[Chain, ...]) -> int:
    """Return the place of the word in which announcements differ that are offered to choose from."""
    first, second, *_ = alternatives
    return next(place for place, (one, other) in enumerate(zip(first, second, strict=True)) if one != other)


def _may_be_asked(table: Table, station: Station) -> bool:
    """Return whether a player is asked now, at the table, what the own words left open."""
    state, seat = table.state, station.seat
    if station.role is not Role.PLAYER or seat is None or not state.table.started or private_ear(state, seat):
        return False
    if sealing_key(state, seat) is not None:  # nothing is kept that an answer could complete
        return False
    return may_ask(state, seat, table.clock.mono_ms())


def _by_assistant(table: Table, station: Station, said: Typed | CellsTyped, spoken: cmd.Say) -> cmd.Say | cmd.SealMove:
    """Return an assistant's words as a command: for their player's envelope (D.2.10.6), or the named player (D.2.10.2).

    They say whose move it is, and the server does not guess: words for one player are never the other's. The opponent's
    words are the repetition of the last move where they say that move, else the opponent's own: by the words alone.
    """
    adjournment = table.state.adjournment
    if adjournment is not None and adjournment.stage == "ordered" and adjournment.seat is station.seat:
        return cmd.SealMove(announcement=spoken.announcement)
    seat, last = (said.seat if isinstance(said, Typed) else None), table.state.ply(table.state.made_plies)
    if seat is None or seat is station.seat or spoken.announcement is None or last is None:
        return msgspec.structs.replace(spoken, seat=seat)
    repeats = last.seat is not seat and last.has_said(spoken.announcement)
    return msgspec.structs.replace(spoken, seat=seat, act=spoken.act if repeats else "announce")


def _by(table: Table, station: Station, body: cmd.AnyAct) -> Command:
    return msgspec.structs.replace(table.program_command(cmd.Adjust()), station=station.id, body=body)


NOT_THE_PLAYERS = 0.5
"""The share of its P(right) that a doubted word keeps on record, where another person may have said it."""


def best_words(verdict: Verdict) -> tuple[str, ...]:
    """Return the words nearest to the sound, even where they were not taken as heard."""
    return verdict.hypotheses[0].ids if verdict.hypotheses else verdict.words


def candidates_heard(verdict: Verdict, scheme: Scheme, trust: float) -> tuple[Candidate, ...]:
    """Return the announcements that the sound may have been, given how this player is misheard."""
    confusions = load_confusions(verdict.engine)
    if scheme.voice is not None:
        confusions = as_the_player_is_heard(confusions, scheme.voice)
    return candidates_of(expand_alternatives(verdict.hypotheses, trust * verdict.confidence, confusions))


def fits_legally(heard: Heard, board: chess.Board) -> bool:
    """Say whether these words announce a move that is legal on this board."""
    if heard.kind != "move" or heard.said is None:
        return False
    meant = resolve(announcement_of(heard.said), board)
    moves = (meant.uci,) if meant.uci is not None else meant.candidates
    return any(board.is_legal(chess.Move.from_uci(uci)) for uci in moves)


def order_by_legality(verdict: Verdict, board: chess.Board) -> Verdict:
    """Return a verdict in doubt with its hypotheses ordered by legality.

    The first legal one is then read back first.
    """
    if verdict.verdict not in ("confirm", "repeat") or not verdict.hypotheses:
        return verdict
    readings = [(understand(one.ids), one) for one in verdict.hypotheses]
    if readings[0][0].kind == "command" or fits_legally(readings[0][0], board):
        return verdict
    ordered = sorted(readings, key=lambda pair: not fits_legally(pair[0], board))
    heard, _best = ordered[0]
    if not fits_legally(heard, board):
        return verdict
    found = tuple(one for _, one in ordered)
    return msgspec.structs.replace(
        verdict,
        words=heard.words,
        heard=heard,
        verdict="confirm",
        hypotheses=found,
        sure=verdict.sure and heard == readings[0][0],
        two_squares=(),
    )


def narrowed_at(state: GameState, seat: Seat, verdict: Verdict) -> Verdict:
    """Return the verdict as a table takes it.

    At a table for training it is narrowed for the player on move; elsewhere it stays as it is.
    """
    if not state.table.trains or seat is not state.on_move or state.position is None:
        return verdict
    return order_by_legality(verdict, state.position.board())
