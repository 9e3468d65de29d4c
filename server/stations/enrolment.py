"""A player's voice is learnt at the player's own station, outside the game.

The readings stay in memory; the profile is made from them.
"""

from __future__ import annotations

import asyncio

import msgspec

from server.game.decide.set_up.sound import outside_the_game
from server.game.values.words import Seat
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.table.intake import Asker
from server.voice.profiles import forget_profiles, fresh_code, keep_profile, kept_profile
from server.wording.words import scheme_for, segments_of, text_in
from speech.complaint import Complaint, Phrase
from speech.enrolment.learn import LEAST_READINGS, Reading, learnt
from speech.enrolment.prompts import load_prompts

WRONG_CODES, FORGOTTEN_MS = 5, 10 * 60_000
"""Wrong codes of a voice that may be given at one seat in ten minutes, because a code is short."""


class Enrolling:
    """Readings of the players of one hall so far, by table and seat.

    None of it is written to disk.
    """

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._prompts = load_prompts()
        self._read: dict[tuple[str, Seat], dict[int, bytes]] = {}
        self._learning: set[tuple[str, Seat]] = set()
        self._wrong: dict[tuple[str, Seat], tuple[int, ...]] = {}

    def prompts(self, table: LiveTable, seat: Seat) -> list[str]:
        """Return the prompts to read, in the player's words."""
        scheme = scheme_for(table.state, seat)
        return [text_in(words, scheme) for words in self._prompts]

    def words(self, number: int) -> tuple[str, ...]:
        """Return the word ids of a prompt, counted from 1. Raises Complaint where there is none."""
        if not 1 <= number <= len(self._prompts):
            raise Complaint(Phrase("no_prompt", number=number, of=len(self._prompts)))
        return self._prompts[number - 1]

    async def say(self, table: LiveTable, seat: Seat, station_id: str, number: int) -> None:
        """Say a prompt to the player.

        Raises Complaint in a game, or where there is no such prompt or no voice.
        """
        self._outside(table)
        words, scheme = self.words(number), scheme_for(table.state, seat)
        await table.teller.say_words(station_id, text_in(words, scheme), segments_of(words, scheme))

    def keep(self, table: LiveTable, seat: Seat, number: int, pcm: bytes) -> None:
        """Keep a reading of a prompt, mono s16le 16 kHz; a later one takes its place.

        Raises Complaint in a game.
        """
        self._outside(table)
        self.words(number)
        self._read.setdefault((table.id, seat), {})[number] = pcm

    def read(self, table: LiveTable, seat: Seat) -> tuple[int, ...]:
        """Return the numbers of the prompts that were read."""
        return tuple(sorted(self._read.get((table.id, seat), ())))

    def drop(self, table: LiveTable, seat: Seat) -> None:
        """Forget everything that was read."""
        self._read.pop((table.id, seat), None)

    async def learn(self, table: LiveTable, seat: Seat, asker: Asker | None = None) -> str:
        """Make the player's profile from the readings, use it at the seat, and return its code.

        `asker`: the player's device. Raises Complaint where too little was read, in a game, while it is being learnt
        already, or where that device was sent away meanwhile.
        """
        self._outside(table)
        key = table.id, seat
        readings = self._read.get(key, {})
        if len(readings) < LEAST_READINGS:
            raise Complaint(Phrase("few_readings", read=len(readings), least=LEAST_READINGS))
        if key in self._learning:
            raise Complaint(Phrase("being_learnt"))
        self._learning.add(key)
        try:
            scheme = scheme_for(table.state, seat)
            said = [Reading(self.words(number), pcm) for number, pcm in sorted(readings.items())]
            name = table.state.plan(seat).name.strip() or seat.value
            profile = await learnt(name, scheme, said)
            if asker is not None and not asker.stands():
                raise Complaint(Phrase("sent_away"))
            profiles = self._hall.data.profiles
            code = table.state.sound.of(seat).profile or fresh_code(profiles)
            own = msgspec.structs.replace(profile, code=code)
            await asyncio.to_thread(keep_profile, profiles, own, self._hall.box)
            self._hall.voices.forget(code)
            await table.listener.bind_voice(seat, code, asker)
            self.drop(table, seat)
            return code
        finally:
            self._learning.discard(key)

    async def use(self, table: LiveTable, seat: Seat, code: str, asker: Asker | None = None) -> None:
        """Use the profile whose code the player gives.

        Raises Complaint where there is none of that code in the seat's language, or too many wrong codes came before.
        """
        key, now = (table.id, seat), self._hall.clock.mono_ms()
        wrong = tuple(at for at in self._wrong.get(key, ()) if at > now - FORGOTTEN_MS)
        if len(wrong) >= WRONG_CODES:
            raise Complaint(Phrase("voice_tries"))
        self._wrong[key] = (*wrong, now)  # before the first await: many at once are no way around it
        language = table.state.language_of(seat)
        known = await asyncio.to_thread(kept_profile, self._hall.data.profiles, code, language, self._hall.box)
        if known is None:
            raise Complaint(Phrase("no_voice_of_code"))
        self._wrong[key] = wrong
        await table.listener.bind_voice(seat, code, asker)

    async def forget(self, table: LiveTable, seat: Seat, asker: Asker | None = None) -> bool:
        """Delete the profile used at this seat, in all languages, and say whether there was one."""
        code = table.state.sound.of(seat).profile
        self.drop(table, seat)
        if not code:
            return False
        await asyncio.to_thread(forget_profiles, self._hall.data.profiles, code)
        self._hall.voices.forget(code)
        await table.listener.bind_voice(seat, "", asker)
        return True

    def _outside(self, table: LiveTable) -> None:
        if not outside_the_game(table.state):
            raise Complaint(Phrase("learnt_outside"))
