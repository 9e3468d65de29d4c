"""Letters and the spelling alphabet through the real ears, where the names of D.2.1 are listened for too."""

from __future__ import annotations

import pytest

from speech.announcements.understand import understand
from speech.hearing.combine import Ear
from speech.hearing.hearing import Hearing, Verdict
from speech.hearing.settings import Thresholds
from speech.hearing.verdict import has_rival, judgement_of, named_beside
from speech.recognisers.recogniser import Hypotheses, Hypothesis, WordHeard
from speech.words.loading import load_scheme
from speech.words.scheme import Scheme
from tests.speech.hearing.spoken_announcements import phrase, rendered

VOICES = ("f3", "m4")
SPELLED = (("piece.knight", "spelling.d", "rank.4"), ("spelling.e", "rank.4"), ("letter.e", "rank.4"))
LETTERS = tuple((f"letter.{file}", f"rank.{rank}") for file, rank in zip("abcdefgh", "42715836", strict=True))
STEPS = Thresholds(accept=0.95, confirm=0.7, for_us=0.1, word=0.02, against=0.975, letters=0.99)


async def verdicts(ears: Hearing, sounds: list[bytes], scheme: Scheme) -> list[Verdict]:
    # One after another: where the second ear is busy, what is not quite sure is asked again.
    return [await ears.hear(sound, scheme) for sound in sounds]


@pytest.mark.law("L184")
@pytest.mark.needs("vosk")
@pytest.mark.asyncio(loop_scope="session")
async def test_the_spelling_alphabet_and_letters_are_heard_under_d21(ears: Hearing, german: Scheme) -> None:
    sounds = await rendered([phrase(words, german, VOICES[0]) for words in SPELLED])
    found = await verdicts(ears, sounds, german)
    assert [one.words for one in found] == list(SPELLED), "the record keeps what was said"
    assert "reject" not in {one.verdict for one in found}


@pytest.mark.law("L184")
@pytest.mark.needs("vosk")
@pytest.mark.asyncio(loop_scope="session")
async def test_a_table_that_does_not_listen_for_it_never_hears_dora_as_david(ears: Hearing, german: Scheme) -> None:
    sounds = await rendered([phrase(SPELLED[0], german, voice) for voice in VOICES])
    found = await verdicts(ears, sounds, load_scheme("d21+also_heard=nato", "de"))
    assert "accept" not in {one.verdict for one in found}
    assert not any(word.startswith(("letter.", "spelling.")) for one in found for word in one.words)


@pytest.mark.law("L184")
@pytest.mark.slow
@pytest.mark.needs("vosk")
@pytest.mark.parametrize("voices", [VOICES, pytest.param(VOICES[::-1], marks=pytest.mark.thorough)])
@pytest.mark.asyncio(loop_scope="session")
async def test_a_bare_letter_is_never_accepted_as_a_name_of_d21(
    ears: Hearing, voices: tuple[str, str], german: Scheme
) -> None:
    """The two voices say them in turn; in a thorough run each says all of them."""
    spoken = [phrase(words, german, voices[number % 2]) for number, words in enumerate(LETTERS)]
    found = await verdicts(ears, await rendered(spoken), german)
    accepted = [one for one in found if one.verdict == "accept"]
    assert not [one.words for one in accepted if any(word.startswith("file.") for word in one.words)]
    assert {one.words for one in accepted} <= set(LETTERS)
    assert sum(one.words == words for one, words in zip(found, LETTERS, strict=True)) >= len(LETTERS) // 2


def heard_by(*chains: tuple[tuple[str, ...], float]) -> Ear:
    ranked = tuple(Hypothesis(tuple(WordHeard(word, 0.9) for word in words), score) for words, score in chains)
    return Ear("own", Hypotheses("own", ranked), understand(ranked[0].ids), 4.0, 4.0)


@pytest.mark.law("L184")
def test_a_name_that_may_be_a_letter_of_another_square_is_read_back() -> None:
    eva, letter = ("file.e", "rank.4"), ("letter.d", "rank.4")
    assert has_rival([heard_by((eva, -10.0), (letter, -11.0))])
    assert has_rival([heard_by((eva, -10.0), (("file.a", "rank.4"), -11.0), (("spelling.a", "rank.4"), -12.0))])
    assert not has_rival([heard_by((eva, -10.0), (letter, -40.0))]), "far behind"
    assert not has_rival([heard_by((eva, -10.0), (("letter.e", "rank.4"), -10.5))]), "the same square"
    assert not has_rival([heard_by((eva, -10.0), (("file.d", "rank.4"), -10.5))]), "no letter"
    assert not has_rival([heard_by((("file.g", "rank.4"), -10.0), (("spelling.g", "rank.4"), -10.0))])
    heard = understand(eva)
    assert [judgement_of(heard, 0.97, 0.9, STEPS, rivals) for rivals in (False, True)] == ["accept", "confirm"]
    assert judgement_of(heard, 0.995, 0.9, STEPS, rivals=True) == "accept"


@pytest.mark.law("L184")
def test_a_letter_beside_which_a_name_was_heard_is_known() -> None:
    letter, name = ("letter.d", "rank.4"), ("file.e", "rank.4")
    assert named_beside([heard_by((letter, -10.0), (name, -13.0))])
    assert not named_beside([heard_by((letter, -10.0), (name, -15.0))]), "far behind"
    assert not named_beside([heard_by((letter, -10.0), (("file.d", "rank.4"), -10.5))]), "the same square"
    assert not named_beside([heard_by((letter, -10.0), (("letter.e", "rank.4"), -10.5))]), "no name"
