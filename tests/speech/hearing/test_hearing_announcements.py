"""Real sound through the real recogniser: what is right, what is asked again, what is not for us."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from speech.announcements.understand import understand
from speech.hearing.hearing import Hearing, Verdict, recognisers
from speech.voices.voice import Manner, Segment
from speech.words.scheme import Scheme
from tests.speech.hearing.spoken_announcements import SPEAKERS, Phrase, announcements, phrase, rendered, with_noise

pytestmark = pytest.mark.asyncio(loop_scope="session")

FREE_SPEECH = (
    "Guten Morgen, wie geht es Ihnen heute?",
    "Können Sie bitte das Fenster schließen?",
    "Ich hätte gerne einen Kaffee mit Milch.",
    "Wann beginnt die nächste Runde?",
    "Das Wetter ist heute sehr schön.",
    "Meine Schwester kommt um acht Uhr.",
    "Gestern haben wir im Garten gearbeitet.",
    "Entschuldigung, darf ich kurz vorbei?",
    "Die Mannschaft liegt auf dem zweiten Platz.",
    "Bitte schalten Sie Ihre Telefone aus.",
    "Ich habe meine Brille vergessen.",
    "Haben Sie einen Stift für mich?",
)


async def verdicts(ears: Hearing, sounds: list[bytes], scheme: Scheme) -> list[Verdict]:
    return list(await asyncio.gather(*(ears.hear(sound, scheme) for sound in sounds)))


@pytest.mark.law("L182", "L184", "L185", "L187")
@pytest.mark.slow
@pytest.mark.parametrize("count", [30, pytest.param(60, marks=pytest.mark.thorough)])
async def test_most_announcements_are_heard_exactly_and_hardly_one_is_accepted_wrongly(
    ears: Hearing, german: Scheme, count: int
) -> None:
    said = announcements(count, seed=7)
    speakers = [SPEAKERS[number % len(SPEAKERS)] for number in range(len(said))]
    sounds = await rendered([phrase(words, german, who) for words, who in zip(said, speakers, strict=True)])
    found = await verdicts(ears, sounds, german)
    meant = [understand(words).said for words in said]
    right = [verdict.heard.said == meaning for verdict, meaning in zip(found, meant, strict=True)]
    wrong = [
        (words, verdict.words)
        for words, verdict, good in zip(said, found, right, strict=True)
        if verdict.verdict == "accept" and not good
    ]
    assert sum(right) >= 0.9 * len(said), f"{sum(right)} of {len(said)} right"
    assert len(wrong) <= 1, wrong
    assert sum(verdict.verdict == "accept" for verdict in found) >= 0.8 * len(said)


@pytest.mark.law("L186", "L183")
async def test_castling_promotion_and_commands_are_heard(ears: Hearing, german: Scheme) -> None:
    said: list[tuple[str, ...]] = [
        ("castle.short",),
        ("castle.long",),
        ("piece.pawn", "file.e", "rank.8", "piece.queen"),
        ("cmd.repeat",),
        ("cmd.opponent_time",),
        ("cmd.draw_offer",),
    ]
    found = await verdicts(ears, await rendered([phrase(words, german, "m3") for words in said]), german)
    assert [verdict.words for verdict in found] == said


async def test_radio_names_of_the_files_are_heard_without_notice(ears: Hearing, german: Scheme) -> None:
    names = [tuple(word.replace("file.", "nato.") for word in words) for words in announcements(24, seed=13)]
    said = [words for words in names if len(words) >= 3][:12]
    found = await verdicts(ears, await rendered([phrase(words, german, "m3") for words in said]), german)
    right = [verdict.words == words for words, verdict in zip(said, found, strict=True)]
    assert sum(right) >= 0.7 * len(said), [verdict.words for verdict in found]
    accepted = [good for good, verdict in zip(right, found, strict=True) if verdict.verdict == "accept"]
    assert len(accepted) >= 4 and accepted.count(False) <= 1


@pytest.mark.parametrize("share", [2, pytest.param(1, marks=pytest.mark.thorough)])
async def test_free_speech_silence_and_noise_are_not_accepted(ears: Hearing, german: Scheme, share: int) -> None:
    phrases: list[Phrase] = [([Segment(text, "de")], Manner("m3")) for text in FREE_SPEECH[::share]]
    talk = await rendered(phrases)
    chance = np.random.default_rng(3)
    hiss = chance.normal(0.0, 1000.0, 48000)
    rumble = np.cumsum(chance.normal(0.0, 60.0, 48000))
    tone = 6000.0 * np.sin(np.arange(32000) * 2 * np.pi * 440 / 16000)
    others = [np.zeros(32000), chance.normal(0.0, 2.0, 32000), hiss, rumble - rumble.mean(), tone]
    quiet = [b"", b"\0" * 10, *(np.clip(wave, -32768, 32767).astype("<i2").tobytes() for wave in others)]
    found = await verdicts(ears, [*talk, *quiet], german)
    assert [verdict.verdict for verdict in found[len(talk) :]] == ["reject"] * len(quiet)
    spoken = [verdict.verdict for verdict in found[: len(talk)]]
    assert set(spoken) <= {"reject", "repeat"}
    assert spoken.count("reject") >= 0.6 * len(talk), spoken


async def test_noise_lowers_the_confidence_not_the_care(ears: Hearing, german: Scheme) -> None:
    said = announcements(12, seed=11)
    clean = await rendered([phrase(words, german, "m3") for words in said])
    found = await verdicts(ears, [*clean, *(with_noise(sound, 5.0) for sound in clean)], german)
    plain, noisy = found[: len(said)], found[len(said) :]
    assert sum(verdict.confidence for verdict in noisy) < sum(verdict.confidence for verdict in plain)
    wrong = [
        verdict
        for words, verdict in zip(said, noisy, strict=True)
        if verdict.verdict == "accept" and verdict.heard.said != understand(words).said
    ]
    assert len(wrong) <= 1


async def test_the_same_sound_gives_the_same_verdict_whatever_was_heard_before(ears: Hearing, german: Scheme) -> None:
    sounds = await rendered([phrase(words, german, "f2") for words in announcements(4, seed=5)])
    fresh = Hearing(recognisers("auto"), patient=True)
    try:
        await fresh.start()
        alone = [(await verdicts(fresh, [sound], german))[0] for sound in sounds]
    finally:
        await fresh.close()
    after = await verdicts(ears, [*reversed(sounds), *sounds], german)
    for one, other in zip(alone, after[len(sounds) :], strict=True):
        assert (one.words, one.confidence, one.verdict) == (other.words, other.confidence, other.verdict)
