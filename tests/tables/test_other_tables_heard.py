"""Another table's announcement while the key is held: softer than the player ever is, so it is asked again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from open_hall import HeardWords, played

from server.listening import HeardSound
from server.play import messages as msg
from speech.scheme import Scheme
from speech.understanding import said_of_text

SAID = ("Bauer Eva vier", "Springer Felix drei", "Laeufer Cesar vier", "Dame Hector fuenf")


class ToneEars:
    """Ears for which a sound's words are written in its pitch: a function of the sound, at any loudness."""

    async def hear(self, pcm: bytes, scheme: Scheme) -> HeardSound:
        samples = np.frombuffer(pcm, "<i2").astype(float)
        number = round(float(np.abs(np.fft.rfft(samples)).argmax()) * 16_000 / len(samples) / 200) - 1
        return HeardWords(said_of_text(SAID[number], scheme))


def tone(number: int, dbfs: float) -> bytes:
    """A second of the pitch that stands for these words, this loud."""
    times = np.arange(16_000) / 16_000
    wave = np.sin(2 * np.pi * 200 * (number + 1) * times) * 32_768 * 2**0.5 * 10 ** (dbfs / 20)
    return wave.astype("<i2").tobytes()


async def heard(folder: Path, sounds: Sequence[tuple[int, float]]) -> list[str]:
    """What White's page is told of each sound: understood, or asked again."""
    async with played(folder, ears=ToneEars()) as game:
        for count, (number, dbfs) in enumerate(sounds, 1):
            await game.hall.hear(game.table, "white", count, tone(number, dbfs), game.clock.mono_ms())
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
