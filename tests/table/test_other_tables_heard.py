"""Another's announcement while the key is held, softer than the player or in another voice, is contested, not recorded.

D.2.1, D.2.7: what a player dictates is that player's score, so nobody else's words may become it. Two tactile players
sit at one table, and each microphone hears both.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import chess
import numpy as np
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.rehearsal import STEPS
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat, SeatKind, SeatPlan
from server.game.views import messages as msg
from speech.announcements.understand import said_of_text
from speech.audio.sound import Sound
from speech.hearing.hearing import Verdict
from speech.words.scheme import Scheme
from tests.table.open_hall import STATIONS, FakeEars, Played, WrittenVoice, heard_words, played, reopened, turn

SAID = ("Bauer Eva vier", "Springer Felix drei", "Laeufer Cesar vier", "Dame Hector fuenf")


class ToneEars(FakeEars):
    """Ears for which a sound's words are written in its pitch: a function of the sound, at any loudness."""

    async def verdict_on(self, pcm: bytes, scheme: Scheme) -> Verdict:
        samples = np.frombuffer(pcm, "<i2").astype(float)
        number = round(float(np.abs(np.fft.rfft(samples)).argmax()) * 16_000 / len(samples) / 1400) - 1
        return heard_words(said_of_text(SAID[number], scheme))


def tone(number: int, dbfs: float) -> bytes:
    """A second of the whistle that stands for these words, this loud: no voice."""
    times = np.arange(16_000) / 16_000
    wave = np.sin(2 * np.pi * 1400 * (number + 1) * times) * 32_768 * 2**0.5 * 10 ** (dbfs / 20)
    return wave.astype("<i2").tobytes()


async def heard(folder: Path, sounds: Sequence[tuple[int, float]]) -> list[str]:
    """What White's page is told of each sound: understood, or asked again."""
    async with played(folder, ears=ToneEars()) as game:
        for count, (number, dbfs) in enumerate(sounds, 1):
            await game.table.hear("white", count, tone(number, dbfs), game.clock.mono_ms())
        await game.told()
        told = [one for one in game.ears["white"].messages if isinstance(one, msg.Understood | msg.Question)]
        return [str(one.__struct_config__.tag) for one in told]


@pytest.mark.parametrize("softer", [6.0, 12.0])
async def test_what_comes_much_softer_is_asked_again(tmp_path: Path, softer: float) -> None:
    usual = [(0, -20.0), (0, -21.0), (0, -19.0)]
    assert await heard(tmp_path, [*usual, (1, -20.0 - softer)]) == ["understood"] * 3 + ["question"]


async def test_a_player_who_speaks_more_softly_from_now_on_says_it_twice_once(tmp_path: Path) -> None:
    usual = [(0, -20.0)] * 3
    found = await heard(tmp_path, [*usual, (1, -27.0), (1, -26.0), (2, -27.0)])
    assert found == ["understood"] * 3 + ["question", "understood", "understood"]


def voiced(hertz: float, formants: Sequence[float], seed: int) -> bytes:
    """A second of a voice: overtones of a wavering pitch, louder near the formants."""
    chance, times = np.random.default_rng(seed), np.arange(16_000) / 16_000
    pitch = hertz * (1 + 0.1 * np.sin(2 * np.pi * times * chance.uniform(1, 2)))
    phase, wave = 2 * np.pi * np.cumsum(pitch) / 16_000, np.zeros(16_000)
    for number in range(1, int(6000 / hertz)):
        near = [np.exp(-(((number * hertz - one) / 300) ** 2)) for one in formants]
        wave += (0.02 + sum(near)) / number**0.5 * np.sin(number * phase)
    wave *= 0.6 + 0.4 * np.sin(2 * np.pi * 4 * times)
    return (wave / np.sqrt((wave**2).mean()) * 3_000).clip(-32_000, 32_000).astype("<i2").tobytes()


def own(seed: int) -> bytes:
    return voiced(110.0, (500.0, 1500.0, 2500.0), seed)


def other(seed: int) -> bytes:
    return voiced(210.0, (800.0, 2100.0, 3900.0), 100 + seed)


def softer(pcm: bytes, db: float) -> bytes:
    return (np.frombuffer(pcm, "<i2") * 10 ** (-db / 20)).astype("<i2").tobytes()


class VoiceEars(FakeEars):
    """Ears that know each sound by what is written in front of it: a scheme of the test, at any voice and loudness."""

    def __init__(self) -> None:
        super().__init__()
        self.says = ""

    async def verdict_on(self, pcm: bytes, scheme: Scheme) -> Verdict:
        return heard_words(said_of_text(self.says, scheme))


class Room:
    """Two tactile players at one table, who speak and press in turn."""

    def __init__(self, game: Played, ears: VoiceEars) -> None:
        self.game, self._ears, self._count = game, ears, 0

    async def say(self, station: str, words: str, voice: bytes) -> None:
        self._ears.says, self._count = words, self._count + 1
        await self.game.table.hear(station, self._count, voice, self.game.clock.mono_ms())

    async def round(self, white: str, black: str) -> None:
        """Both announce and press; Black echoes first, White next time."""
        await self.say("white", white, own(self._count))
        await self.game.press("white")
        await self.say("black", white, other(self._count))
        await self.say("black", black, other(self._count))
        await self.game.press("black")

    @property
    def asked(self) -> int:
        return sum(len(self.game.ears[station].of(msg.Question)) for station in ("white", "black"))

    def announced(self, ply: int) -> object:
        record = self.game.table.state.ply(ply)
        return None if record is None else record.announcement

    def echoed(self, ply: int) -> bool:
        record = self.game.table.state.ply(ply)
        return record is not None and record.echoed

    def alerts(self, kind: str) -> list[ev.Alerted]:
        told = [one.event for one in self.game.ears["arbiter"].of(msg.Recorded)]
        return [one for one in told if isinstance(one, ev.Alerted) and one.kind == kind]


@asynccontextmanager
async def two_tactile(folder: Path) -> AsyncIterator[Room]:
    ears = VoiceEars()
    async with played(folder, ears=ears, black=SeatKind.TACTILE) as game:
        yield Room(game, ears)


@pytest.mark.law("D.2.7")
@pytest.mark.parametrize("db", [0.0, 3.0, 6.0])
async def test_after_one_round_the_others_words_are_never_ones_own(tmp_path: Path, db: float) -> None:
    async with two_tactile(tmp_path) as room:
        await room.round("Bauer Eva vier", "Bauer Eva fünf")
        await room.say("white", "Bauer Eva fünf", own(20))
        for seed in range(4):  # White holds the key, and it is Black who speaks
            await room.say("white", "Springer Gustav eins Felix drei", softer(other(10 + seed), db))
            assert room.announced(3) is None
        assert room.asked == 4
        assert {one.grey for one in room.alerts("another_voice")} == {True}
        await room.say("white", "Springer Gustav eins Felix drei", own(30))
        assert room.announced(3) is not None, "the player's own words are taken at once"
        for station in ("white", "black", "display"):
            assert b"another_voice" not in b"".join(room.game.ears[station].as_bytes())


@pytest.mark.law("D.2.1")
async def test_a_true_echo_after_a_strange_one_is_the_echo_and_no_move(tmp_path: Path) -> None:
    async with two_tactile(tmp_path) as room:
        await room.round("Bauer Eva vier", "Bauer Eva fünf")
        await room.say("white", "Bauer Eva fünf", own(20))
        await room.say("white", "Springer Gustav eins Felix drei", own(21))
        await room.game.press("white")
        await room.say("black", "Springer Gustav eins Felix drei", own(22))  # White repeats it under Black's key
        assert not room.echoed(3)
        (alert,) = room.alerts("another_voice")
        assert alert.grey
        await room.say("black", "Springer Gustav eins Felix drei", other(23))
        assert room.echoed(3)
        assert room.announced(4) is None


async def test_only_the_press_teaches_a_voice(tmp_path: Path) -> None:
    async with two_tactile(tmp_path) as room:
        await room.say("white", "Bauer Dora vier", other(1))  # nothing is known of anybody: it is read back
        told = room.game.ears["white"].of(msg.Understood)
        assert [one.doubtful for one in told] == [True]
        await room.say("white", "Bauer Eva vier", own(2))  # the player corrects it, and presses
        await room.game.press("white")
        await room.say("white", "Bauer Dora vier", other(3))
        assert len(room.game.ears["white"].of(msg.Question)) == 1, "the other voice was not learnt"


async def test_the_arbiter_says_that_a_strange_voice_is_the_player(tmp_path: Path) -> None:
    async with two_tactile(tmp_path) as room:
        await room.round("Bauer Eva vier", "Bauer Eva fünf")
        await room.say("white", "Bauer Eva fünf", own(20))
        hoarse = [voiced(150.0, (700.0, 1100.0, 3300.0), seed) for seed in range(6)]
        for voice in hoarse[:3]:
            await room.say("white", "Springer Gustav eins Felix drei", voice)
        assert room.asked == 3
        refused = await room.game.do("white", cmd.AcceptVoice(seat=Seat.WHITE))
        assert not refused.outcome.ok
        await room.game.done("arbiter", cmd.AcceptVoice(seat=Seat.WHITE))
        await room.say("white", "Springer Gustav eins Felix drei", hoarse[4])
        assert room.asked == 3 and room.announced(3) is not None


async def test_the_programs_voice_beside_the_microphone_is_not_the_players(tmp_path: Path) -> None:
    async with two_tactile(tmp_path) as room:
        ours = Sound(other(1), 16_000)
        room.game.table.teller.sounds.hold("a" * 32, "black", ours)  # it sounds at Black's loudspeaker
        await room.say("white", "Bauer Eva vier", other(2))
        assert room.asked == 1 and room.alerts("another_voice")
        await room.say("white", "Bauer Eva vier", own(3))
        assert room.asked == 1, "who speaks over it is heard"
        await room.game.pass_time(10_000)
        assert room.game.table.teller.sounds.beside("white", room.game.clock.mono_ms(), 1000) == ()
        assert ours not in room.game.table.teller.sounds.beside("black", 0, 1000), "one's own is muted already"


REHEARSED = {"e4": "Bauer Eva vier", "e5": "Bauer Eva fünf", "f6": "Springer Felix sechs", "f3": "Springer Felix drei",
             "c6": "Springer Cäsar sechs"}  # fmt: skip


async def test_the_rehearsal_makes_both_voices_known_before_the_first_move(tmp_path: Path) -> None:
    ears = VoiceEars()
    async with reopened(tmp_path, ears=ears, voice=WrittenVoice()) as (hall, clock):
        kind, control = SeatPlan(SeatKind.TACTILE), TimeControl.parse("5400+30")
        body = cmd.OpenTable(white=kind, black=kind, control=control, start_fen=chess.STARTING_FEN)
        game = Played(hall, clock, await hall.open_table(body, "t1"))
        for station in STATIONS:
            assert (await game.table.admit(station)).outcome.ok
            game.attach(station.id)
        room, voices = Room(game, ears), {Seat.WHITE: own, Seat.BLACK: other}
        game.table.rehearsals.begin()
        for count, step in enumerate(STEPS):
            who = step.seat.value
            if step.kind == "press":
                await game.done(who, cmd.Press())
            elif step.kind in ("time", "arbiter"):
                game.table.rehearsals.now().pass_over()
            else:
                words = REHEARSED[step.move.to_square or ""] if step.move is not None else ""
                await room.say(who, words, voices[step.seat](count))
        await turn(lambda: not game.table.rehearsals.under_way)
        await game.done("arbiter", cmd.StartGame())
        await room.say("white", "Bauer Dora vier", other(40))
        assert room.asked == 1 and room.announced(1) is None and room.alerts("another_voice")
        await room.say("white", "Bauer Eva vier", own(41))
        (told,) = game.ears["white"].of(msg.Understood)
        assert not told.doubtful, "the voice is known: nothing need be read back"


@pytest.mark.law("L044", "L101")
@pytest.mark.parametrize("word", ["ich gebe auf", "Remisangebot", "Remisreklamation"])
async def test_words_that_bind_in_another_voice_are_shown_to_the_arbiter_and_bind_nobody(
    tmp_path: Path, word: str
) -> None:
    async with two_tactile(tmp_path) as room:
        await room.round("Bauer Eva vier", "Bauer Eva fünf")
        await room.say("white", "Bauer Eva fünf", own(20))
        before = len(room.alerts("another_voice"))
        await room.say("white", word, other(21))
        state = room.game.table.state
        assert len(room.alerts("another_voice")) == before + 1 and room.asked == 1
        assert not state.ending.pending and not state.over and state.draws.offer_by is None
        await room.say("white", "ja", other(22))
        assert not state.over and room.game.table.state.draws.claim is None
        await room.say("white", word, own(23))
        await room.say("white", "ja", own(24))
        settled = [one.event for one in room.game.ears["arbiter"].of(msg.Recorded)]
        assert any(isinstance(one, ev.ProposalSettled | ev.DrawOffered) for one in settled)
