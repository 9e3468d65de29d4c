"""Several ears as one, and one sound said twice: on lists made up by hand, without sound."""

from __future__ import annotations

import random

import msgspec
import pytest

from speech.announcements.understand import understand
from speech.complaint import Complaint
from speech.hearing.combine import Combination, combine_ears, ear_of, figures_of, known_figures, right_of, said_twice
from speech.hearing.confidence import WIDEST_LEAD, Curve, meaning, without_far_rivals
from speech.hearing.settings import HearingSettings, Thresholds, load_hearing
from speech.hearing.verdict import judge_utterance
from speech.recognisers.recogniser import Hypotheses, Hypothesis, WordHeard

E4, A4, B4 = ("piece.pawn", "file.e", "rank.4"), ("piece.pawn", "file.a", "rank.4"), ("piece.pawn", "file.b", "rank.4")
YES, NO = ("cmd.yes",), ("cmd.no",)
SURE, UNSURE = 6.0, -1.0


def listed(engine: str, *chains: tuple[tuple[str, ...], float], sure: float = 0.0) -> Hypotheses:
    """An engine's list: chains with scores; `sure`: its own logit of being right."""
    ranked = tuple(Hypothesis(tuple(WordHeard(word, 0.9) for word in ids), score) for ids, score in chains)
    return Hypotheses(engine, ranked, {"fit": sure, "least": sure, "words": 3.0})


CURVE = Curve(0.0, {"fit": 1.0})
WEIGHTS = {
    "share": 0.5,
    "whisper.with": 0.6,
    "own.with": 0.6,
    "whisper.same": 2.0,
    "own.same": 2.0,
    "own.nothing": -3.0,
}
HOW = Combination(
    candidates={"whisper.gap": 0.5, "whisper.unlisted": 1.0, "own.gap": 0.5, "own.unlisted": 1.0},
    right=Curve(-5.0, WEIGHTS),
    for_us=Curve(1.0, {"whisper.us": 0.5, "own.us": 0.5, "whisper.nothing": -2.0, "own.nothing": -2.0}),
    before=0.5,
    twice=Curve(0.0, {"share": 0.8, "now": 0.4, "then": 0.4, "now_other": -1.0, "then_other": -1.0}),
)
SETTINGS = HearingSettings(
    provenance={},
    thresholds=Thresholds(accept=0.9, confirm=0.8, for_us=0.5, word=0.02, against=0.97),
    right={"whisper": CURVE, "own": CURVE, "vosk": CURVE},
    for_us={"whisper": CURVE, "own": CURVE, "vosk": CURVE},
    together={"own+whisper": HOW},
)


def both(whisper: Hypotheses, own: Hypotheses) -> tuple[Hypotheses, Hypotheses]:
    return own, whisper


def test_a_second_choice_of_both_leads_over_two_different_firsts() -> None:
    found = both(
        listed("whisper", (A4, 0.0), (E4, -1.0), sure=1.0),
        listed("own", (B4, 0.0), (E4, -1.0), sure=1.0),
    )
    ears = [ear_of(one, CURVE, CURVE) for one in found]
    how = msgspec.structs.replace(HOW, candidates={**HOW.candidates, "whisper.unlisted": 3.0, "own.unlisted": 3.0})
    assert combine_ears(ears, how).heard == understand(E4)
    # And where each is far ahead of its second, no third is invented.
    far = [ear_of(one, CURVE, CURVE) for one in (listed("whisper", (A4, 0.0), (E4, -50.0)), listed("own", (A4, 0.0)))]
    assert combine_ears(far, how).heard == understand(A4)


def test_agreement_is_not_certainty() -> None:
    """Two unsure engines that agree are asked again; two sure ones are believed; one of them less."""
    unsure = judge_utterance(
        both(listed("whisper", (E4, 0.0), sure=UNSURE), listed("own", (E4, 0.0), sure=UNSURE)), SETTINGS
    )
    sure = judge_utterance(both(listed("whisper", (E4, 0.0), sure=SURE), listed("own", (E4, 0.0), sure=SURE)), SETTINGS)
    differ = judge_utterance(
        both(listed("whisper", (A4, 0.0), sure=SURE), listed("own", (E4, 0.0), sure=SURE)), SETTINGS
    )
    assert sure.verdict == "accept" and unsure.verdict != "accept" and differ.verdict == "repeat"
    assert unsure.confidence < sure.confidence and differ.confidence < sure.confidence


def test_a_command_of_our_own_model_is_judged_beside_its_near_rivals_alone() -> None:
    yes, no = ("cmd.yes",), ("cmd.no",)
    far, near = listed("own", (yes, 0.0), (no, -8.0)), listed("own", (yes, 0.0), (no, -2.0))
    alone = listed("own", (yes, 0.0))
    assert without_far_rivals(far).ranked == alone.ranked and without_far_rivals(near) == near
    nearly_nothing = msgspec.structs.replace(alone, evidence={**alone.evidence, "garbage": 2.0})
    assert without_far_rivals(nearly_nothing) == nearly_nothing
    hardly = msgspec.structs.replace(alone, evidence={**alone.evidence, "garbage": 9.4})
    assert without_far_rivals(hardly).evidence["garbage"] == WIDEST_LEAD
    # An announcement is judged by the whole list, and so is whatever another engine heard.
    move, other = listed("own", (E4, 0.0), (A4, -8.0)), listed("whisper", (yes, 0.0), (no, -8.0))
    assert without_far_rivals(move) == move and without_far_rivals(other) == other


def test_one_ear_that_heard_nothing_lowers_trust() -> None:
    alone = judge_utterance(both(listed("whisper", (E4, 0.0), sure=1.0), listed("own")), SETTINGS)
    agreed = judge_utterance(both(listed("whisper", (E4, 0.0), sure=1.0), listed("own", (E4, 0.0), sure=1.0)), SETTINGS)
    assert alone.confidence < agreed.confidence
    assert (alone.verdict, agreed.verdict) == ("reject", "accept")
    assert judge_utterance(both(listed("whisper"), listed("own")), SETTINGS).verdict == "reject"


def test_engines_never_fitted_together_are_asked_more() -> None:
    """With a model of the user: agreement counts, but two faint guesses are none."""
    faint = judge_utterance((listed("whisper", (E4, 0.0), sure=0.2), listed("vosk", (E4, 0.0), sure=0.2)), SETTINGS)
    fair = judge_utterance((listed("whisper", (E4, 0.0), sure=1.5), listed("vosk", (E4, 0.0), sure=1.5)), SETTINGS)
    differ = judge_utterance((listed("whisper", (E4, 0.0), sure=3.0), listed("vosk", (A4, 0.0), sure=1.5)), SETTINGS)
    certain = judge_utterance((listed("whisper", (E4, 0.0), sure=4.0), listed("vosk", (A4, 0.0), sure=1.5)), SETTINGS)
    assert (faint.verdict, fair.verdict, differ.verdict, certain.verdict) == ("repeat", "accept", "repeat", "accept")


def doubtful(first: tuple[str, ...], second: tuple[str, ...], gap: float = 0.5) -> tuple[Hypotheses, Hypotheses]:
    return both(
        listed("whisper", (first, 0.0), (second, -gap), sure=0.5), listed("own", (first, 0.0), (second, -gap), sure=0.5)
    )


def test_what_was_said_twice_is_judged_by_both_sounds() -> None:
    """Each time two squares are open, and only one of them both times: it leads, though the second time another did."""
    then, now = doubtful(E4, A4, gap=4.0), doubtful(B4, E4, gap=0.2)
    assert meaning(understand(judge_utterance(now, SETTINGS).hypotheses[0].ids)) == meaning(understand(B4))
    assert meaning(understand(judge_utterance(now, SETTINGS, then).hypotheses[0].ids)) == meaning(understand(E4))
    same = doubtful(E4, B4, gap=0.2)
    assert judge_utterance(same, SETTINGS).verdict == "repeat"
    assert judge_utterance(same, SETTINGS, then).confidence > judge_utterance(same, SETTINGS).confidence


def test_who_says_something_else_is_not_held_to_what_they_said() -> None:
    """Only what the second sound may have been counts, whatever the first was."""
    then = both(listed("whisper", (E4, 0.0), sure=2.0), listed("own", (E4, 0.0), sure=0.0))
    now = both(listed("whisper", (A4, 0.0), sure=2.0), listed("own", (A4, 0.0), sure=2.0))
    found = judge_utterance(now, SETTINGS, then)
    assert {meaning(understand(one.ids)) for one in found.hypotheses} == {meaning(understand(A4))}


def test_an_utterance_before_of_other_engines_counts_for_nothing() -> None:
    now = doubtful(E4, A4)
    assert judge_utterance(now, SETTINGS, (listed("whisper", (A4, 0.0)),)) == judge_utterance(now, SETTINGS)
    assert judge_utterance(now, SETTINGS, both(listed("whisper"), listed("own"))) == judge_utterance(now, SETTINGS)


@pytest.mark.parametrize(("heard", "other"), [(YES, NO), (NO, YES)])
def test_yes_and_no_never_stand_for_each_other(heard: tuple[str, ...], other: tuple[str, ...]) -> None:
    """Ears that differ about yes and no, now or between two times, are asked again or are none: with the curves in
    force and whatever each says of itself."""
    settings, chance = load_hearing(), random.Random(8)

    def drawn(word: tuple[str, ...], engine: str) -> Hypotheses:
        evidence = {name: chance.uniform(-6, 6) for name in ("fit", "worst")}
        evidence |= {"agreeing": chance.random(), "words": 1.0, "garbage": chance.uniform(0, 60), "shortest": 30.0}
        return Hypotheses(engine, (Hypothesis((WordHeard(word[0], 0.9),), 0.0),), evidence | {"frames": 60.0})

    for _ in range(300):
        now = both(drawn(heard, "whisper"), drawn(other, "own"))
        then = both(drawn(other, "whisper"), drawn(other, "own"))
        assert judge_utterance(now, settings).verdict in ("repeat", "reject")
        assert judge_utterance(now, settings, then).verdict in ("repeat", "reject")
        turned = both(drawn(heard, "whisper"), drawn(heard, "own"))
        assert judge_utterance(turned, settings, then).verdict in ("repeat", "reject")


def test_the_curves_in_force_weigh_only_what_is_known() -> None:
    settings = load_hearing()
    assert {"whisper", "own", "own+whisper"} <= set(settings.together)
    for engines, how in settings.together.items():
        named = {*how.right.weights, *how.for_us.weights, *how.twice.weights}
        assert named <= known_figures(engines.split("+"))
        ears = [ear_of(listed(name, (E4, 0.0), sure=1.0), CURVE, CURVE) for name in engines.split("+")]
        found = combine_ears(ears, how)
        assert set(how.right.weights) <= set(figures_of(found)) and 0.0 <= right_of(found, how) <= 1.0
        assert said_twice(found, found, how)[0].ids == E4


def test_a_figure_that_is_none_is_one_sentence(tmp_path: object) -> None:
    from importlib.resources import files
    from pathlib import Path

    text = files("config").joinpath("hearing.toml").read_text("utf-8")
    folder = Path(str(tmp_path))
    wrong = text.replace('"own.with"', '"own.wiht"', 1)
    assert wrong != text
    (folder / "hearing.toml").write_text(wrong, "utf-8")
    with pytest.raises(Complaint, match=r'own\.wiht": this entry is unknown'):
        load_hearing(folder)


@pytest.mark.parametrize(("heard", "other"), [(YES, NO), (NO, YES)])
@pytest.mark.parametrize("alone", [True, False])
def test_a_yes_is_asked_again_where_our_own_model_names_a_no_hardly_worse(
    heard: tuple[str, ...], other: tuple[str, ...], alone: bool
) -> None:
    """The lists of commands are cut at rivals 3 behind; a yes and a no that lie close are told from the whole list."""
    steps = msgspec.structs.replace(SETTINGS.thresholds, opposite=4.0)
    settings = msgspec.structs.replace(SETTINGS, thresholds=steps)

    def ruling(gap: float) -> str:
        own = listed("own", (heard, 0.0), (other, -gap), sure=SURE)
        return judge_utterance(
            (own,) if alone else both(listed("whisper", (heard, 0.0), sure=SURE), own), settings
        ).verdict

    assert ruling(3.5) == "repeat" and ruling(4.5) == "accept"
    assert (
        judge_utterance((listed("own", (heard, 0.0), (("cmd.time",), -0.5), sure=SURE),), settings).verdict == "accept"
    )


@pytest.mark.parametrize(
    ("best", "second", "gap", "verdict"),
    [
        (E4, ("cmd.time",), 5.0, "repeat"),
        (E4, ("cmd.time",), 7.0, "accept"),
        (E4, A4, 5.0, "accept"),
        (("letter.h", "rank.2"), ("cmd.yes",), 5.0, "accept"),
    ],
)
def test_an_announcement_is_asked_again_where_a_command_is_heard_nearly_as_well(
    best: tuple[str, ...], second: tuple[str, ...], gap: float, verdict: str
) -> None:
    steps = msgspec.structs.replace(SETTINGS.thresholds, near_command=6.0)
    careful = msgspec.structs.replace(SETTINGS, thresholds=steps)
    found = listed("own", (best, 0.0), (second, -gap), sure=SURE)
    assert judge_utterance((found,), SETTINGS).verdict == "accept"
    assert judge_utterance((found,), careful).verdict == verdict


def test_a_name_of_the_radio_is_read_back_only_where_it_is_surer_than_others() -> None:
    steps = msgspec.structs.replace(SETTINGS.thresholds, accept=0.95, radio_confirm=0.92)
    careful = msgspec.structs.replace(SETTINGS, thresholds=steps)
    for file, sure, verdict in (("file.e", 2.0, "confirm"), ("nato.e", 2.0, "repeat"), ("nato.e", 2.7, "confirm")):
        found = listed("own", (("piece.queen", file, "rank.4"), 0.0), sure=sure)
        assert judge_utterance((found,), careful).verdict == verdict, (file, sure)


def test_a_name_of_the_radio_is_not_read_back_where_a_letter_of_another_square_is_near() -> None:
    """Arabic "ف" and the end of "ألفا" are one sound: the player is asked which of the two squares it was."""
    steps = msgspec.structs.replace(SETTINGS.thresholds, accept=0.95, radio_confirm=0.85, two_squares=0.6)
    careful = msgspec.structs.replace(SETTINGS, thresholds=steps)
    knight = ("piece.knight", "nato.a", "rank.3"), ("piece.knight", "letter.f", "rank.3")
    for gap, verdict in ((6.0, "repeat"), (9.0, "confirm")):
        found = listed("own", (knight[0], 0.0), (knight[1], -gap), sure=2.7)
        assert judge_utterance((found,), careful).verdict == verdict, gap
