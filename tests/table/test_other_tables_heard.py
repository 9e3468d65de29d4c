"""Another table's announcement while the key is held, softer than the player or in another voice, is asked again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from server.game import acts as ev
from server.game.views import messages as msg
from speech.announcements.understand import said_of_text
from speech.hearing.hearing import Verdict
from speech.words.scheme import Scheme
from tests.table.open_hall import FakeEars, heard_words, played

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


class SameWords(FakeEars):
    """Ears for which every sound is the same announcement."""

    async def verdict_on(self, pcm: bytes, scheme: Scheme) -> Verdict:
        return heard_words(said_of_text(SAID[0], scheme))


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


async def test_another_voice_is_asked_twice_and_then_told_to_the_arbiter_alone(tmp_path: Path) -> None:
    def own(seed: int) -> bytes:
        return voiced(110.0, (500.0, 1500.0, 2500.0), seed)

    def other(seed: int) -> bytes:
        return voiced(210.0, (800.0, 2100.0, 3900.0), 100 + seed)

    sounds = [own(1), own(2), own(3), own(4), other(1), own(5), other(2), other(3), other(4), other(5), own(6)]
    async with played(tmp_path, ears=SameWords()) as game:
        for count, pcm in enumerate(sounds, 1):
            await game.table.hear("white", count, pcm, game.clock.mono_ms())
        await game.told()
        told = [one for one in game.ears["white"].messages if isinstance(one, msg.Understood | msg.Question)]
        heard = "".join({"understood": "u", "question": "?"}[str(one.__struct_config__.tag)] for one in told)
        assert heard == "uuuu?u??uuu"
        found = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
        assert [one.kind for one in found if isinstance(one, ev.Alerted)].count("another_voice") == 1
        for station in ("white", "black", "display"):
            assert b"another_voice" not in b"".join(game.ears[station].as_bytes())
