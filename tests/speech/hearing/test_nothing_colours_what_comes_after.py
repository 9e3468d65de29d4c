"""Our own model hears a sound as if it were the first, whatever it heard before."""

from __future__ import annotations

import numpy as np

from speech.recognisers.own.recogniser import OwnRecogniser
from speech.recognisers.vocabulary import vocabulary_of
from speech.words.scheme import Scheme
from tests.speech.hearing.spoken_announcements import announcements, phrase, rendered, with_noise


async def test_a_long_sound_that_grows_louder_is_heard_the_same_after_doubtful_ones(german: Scheme) -> None:
    said = announcements(9, 98)
    speakers = ("f2", "m3", "adam")
    sounds = await rendered([phrase(words, german, speakers[n % 3]) for n, words in enumerate(said)])
    noisy = [with_noise(sounds[number], 3.0, seed) for number, seed in ((0, 10), (4, 14))]
    samples = np.concatenate([np.frombuffer(sound, "<i2") for sound in sounds[5:8]]).astype(np.float64)
    # From 2.5 s on it is twelve dB louder: the decoders begin again there and catch up with all of it at once.
    swell = np.where(np.arange(len(samples)) < 40_000, 0.2, 0.8)
    long = (samples * swell).astype("<i2").tobytes()
    assert len(long) > 4 * 32_000
    vocabulary = vocabulary_of(german)
    fresh, used = OwnRecogniser(), OwnRecogniser()
    try:
        first = await fresh.recognise(long, vocabulary)
        await used.start()
        pid = used.pid
        for sound in noisy:
            await used.recognise(sound, vocabulary)
            assert await used.recognise(long, vocabulary) == first
        assert used.pid == pid, "and it did not die of it"
    finally:
        await fresh.close()
        await used.close()
