"""What a player read puts the scores of each ear right, and nothing where that does not help."""

from __future__ import annotations

import random

import pytest

from speech.announcements.understand import understand
from speech.enrolment.corrections import MOST, NATS, HeardReading, correction_of, trust_of, word_changes
from speech.enrolment.learn import NEAR, Reading, holds, misheard
from speech.hearing.confidence import Curve
from speech.recognisers.recogniser import Hypotheses, Hypothesis, WordHeard, correct_for_voice
from speech.words.voice_profile import Correction

CURVE = Curve(0.0, {"lead": 1.0})
RANKS = tuple(f"rank.{rank}" for rank in "234567")
WORDS = (*RANKS, "file.e", "letter.e", "cmd.yes")
KINDS = {"rank": frozenset(RANKS)}


def listed(*chains: tuple[tuple[str, ...], float], engine: str = "own") -> Hypotheses:
    """A list of an ear, best first; only the best says how its words fit, as Whisper's does."""
    ranked = [
        Hypothesis(tuple(WordHeard(word, 0.0 if place else 0.8) for word in ids), score)
        for place, (ids, score) in enumerate(sorted(chains, key=lambda one: -one[1]))
    ]
    return Hypotheses(engine, tuple(ranked), {"words": 2.0, "agreeing": 1.0, "garbage": 12.0, "fit": 2.0, "least": 0.8})


def reading(rank: str, chance: random.Random) -> HeardReading:
    """A voice whose "drei" sounds a little more like "zwei" than like itself; all else is as it should be."""
    said = ("file.e", rank)
    lean = {"rank.2": 3.0} if rank == "rank.3" else {}
    chains = [
        (("file.e", other), 10.0 * (other == rank) + lean.get(other, 0.0) * 4 + chance.gauss(0, 0.5)) for other in RANKS
    ]
    return HeardReading(said, listed(*chains))


def first(one: HeardReading, ears: dict[str, Correction]) -> tuple[str, ...]:
    return correct_for_voice(one.found, ears).ranked[0].ids


def test_a_word_that_a_voice_says_otherwise_is_put_right_and_the_others_stay() -> None:
    chance = random.Random(4)
    read = [reading(rank, chance) for rank in chance.sample(RANKS * 3, 3 * len(RANKS))]
    found = correction_of("own", read, CURVE, WORDS)
    assert found is not None and found.words["rank.3"] > 0 > found.words["rank.2"]
    later = [reading(rank, random.Random(seed)) for seed in range(20) for rank in RANKS]
    wrong = [one for one in later if first(one, {}) != one.words]
    assert wrong and all(one.words[1] == "rank.3" for one in wrong)
    assert all(first(one, {"own": found}) == one.words for one in later)
    assert all(abs(change) <= MOST * NATS["own"] for change in found.words.values())
    assert first(later[1], {"whisper": found}) == first(later[1], {}), "an ear's own scores alone"


def test_what_was_not_read_gives_way_to_nothing_that_was() -> None:
    """Names of files were read and letters were not: a name is no likelier against a letter than before."""
    chance = random.Random(4)
    read = [reading(rank, chance) for rank in chance.sample(RANKS * 3, 3 * len(RANKS))]
    with_letters = [
        HeardReading(
            one.words,
            listed(*[(chain.ids, chain.score) for chain in one.found.ranked], (("letter.e", one.words[1]), 10.0)),
        )
        for one in read
    ]
    found = word_changes("own", with_letters, KINDS | {"file": frozenset({"file.e", "file.a"})})
    assert set(found) <= set(RANKS) and sum(found.values()) == pytest.approx(0.0, abs=0.1)


def test_where_it_does_not_help_on_other_readings_nothing_is_changed() -> None:
    """Each quarter is judged by what the others taught: chance teaches nothing."""
    chance = random.Random(8)
    read = [
        HeardReading(("file.e", rank), listed(*[(("file.e", other), chance.gauss(0, 6)) for other in RANKS]))
        for rank in RANKS * 2
    ]
    assert word_changes("own", read, KINDS), "it would have learnt something"
    found = correction_of("own", read, CURVE, WORDS)
    assert found is None or found.words == {}


def test_trust_falls_with_what_was_wrong_and_never_rises() -> None:
    assert trust_of([(0.9, True)] * 40) == 0.0
    assert trust_of([(0.9, False)] * 10 + [(0.9, True)] * 10) < -1.0
    assert trust_of([]) == 0.0


def test_where_another_chain_leads_it_is_no_surer_than_the_one_before() -> None:
    found = listed((("file.e", "rank.2"), 6.0), (("file.e", "rank.3"), 4.0))
    now = correct_for_voice(found, {"own": Correction({"rank.3": 5.0}, -0.5)})
    assert [one.ids[1] for one in now.ranked] == ["rank.3", "rank.2"] and now.evidence["bias"] == -0.5
    assert now.evidence["agreeing"] == 0.0 and now.evidence["garbage"] == 10.0 and now.evidence["fit"] == 1.0
    assert [word.confidence for word in now.ranked[0].words] == [0.8, 0.8]
    assert (
        correct_for_voice(found, {}) is found
        and correct_for_voice(Hypotheses("own"), {"own": Correction(trust=1.0)}).ranked == ()
    )


@pytest.mark.parametrize(("behind", "counts"), [(0.0, True), (NEAR, True), (NEAR + 0.1, False)])
def test_a_reading_counts_where_its_words_are_named_hardly_worse_than_the_best(behind: float, counts: bool) -> None:
    found = listed((("file.e", "rank.2"), 5.0), (("file.e", "rank.3"), 5.0 - behind))
    assert holds(found, Reading(("file.e", "rank.3"), b"")) == counts
    assert not holds(Hypotheses("own"), Reading(("file.e", "rank.3"), b""))


def test_what_is_misheard_is_counted_word_by_word() -> None:
    pawn = HeardReading(("piece.pawn", "file.e", "rank.3"), listed((("file.e", "rank.3"), 1.0)))
    wrong = HeardReading(("file.e", "rank.3"), listed((("file.e", "rank.2"), 1.0)))
    assert understand(pawn.words).kind == "move" and misheard([pawn, wrong, wrong]) == {"rank.3": {"rank.2": 2}}
