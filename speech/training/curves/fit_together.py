"""The fit of everything in `config/hearing.toml` that is fitted, from the hall plan as heard.

    python -m speech.training.curves.fit_together build/heard.jsonl ... --out build/hearing.toml

It fits the curves of each engine, over all six languages; how the engines' lists are put together, alone and both; how
two utterances of the same count. Every speaker is left out once and judged by the curves of the others: the printed
table shows that. With `--families` whole families are left out instead: a synthesiser with all its voices, or all
people; so an engine's confidence is judged on a family that it never met. The thresholds are those in force: a person
chooses them by that table, on the safe side. The file that is written is whole; a person judges it and copies it to
`config/hearing.toml`. Where only one engine listened, only what is that engine's is fitted, and the rest stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import click
import msgspec
import numpy as np

from speech.announcements.understand import understand
from speech.complaint import Complaint
from speech.hearing.combine import (
    CANDIDATE_FIGURES,
    Combination,
    Combined,
    Ear,
    candidate_figures,
    combine_ears,
    ear_of,
    figures_of,
    for_us_figures,
    p_addressed_to_program,
    right_of,
    said_twice,
    twice_figures,
    weigh,
)
from speech.hearing.confidence import FIGURES, Curve, meaning
from speech.hearing.second_opinion import others_may_know
from speech.hearing.settings import HearingSettings, Thresholds, load_hearing
from speech.hearing.verdict import judgement_of
from speech.recognisers.recogniser import Hypotheses
from speech.recognisers.vocabulary import vocabulary_of
from speech.training.common.logistic import fit_figures
from speech.training.curves.hall_hearing import HeardByEngines as HeardByAll
from speech.training.curves.hall_hearing import families_of, read_heard
from speech.training.curves.hall_plan import scheme_of
from speech.training.curves.thresholds import Judgeable, told_choices, told_letters
from speech.training.curves.write_hearing import hearing_file
from speech.words.said import Heard

FIRST = ("own",)
SETS = (FIRST, ("whisper",), ("own", "whisper"))
RIGHT = {
    "own": ("lead", "garbage", "agreeing", "fit", "words", "letters", "command"),
    "whisper": ("lead", "garbage", "fluent", "fit", "least", "words", "letters", "command"),
}
FOR_US = {
    "own": ("lead", "garbage", "agreeing", "fit", "length"),
    "whisper": ("lead", "garbage", "fluent", "fit", "least", "length"),
}
_ALONE = ("share", "command", "short")
WEIGHED = {
    "own": (*_ALONE, "own.with", "own.doubt", "own.us"),
    "whisper": (*_ALONE, "whisper.with", "whisper.doubt", "whisper.us"),
    "own+whisper": (
        *("share", "command", "own.same", "own.listed", "own.with", "own.doubt", "own.us", "own.nothing"),
        *("whisper.same", "whisper.listed", "whisper.with", "whisper.doubt", "whisper.us", "whisper.nothing"),
    ),
}
"""The figures that the curve of P(right) weighs; they are few, since wrong utterances are rare."""
STRENGTH = 0.01
PEOPLE_ALONE = 6
"""Weight of a person's announcement without any synthesised word, where ears are put together: players are
people, and what one ear is worth beside the other is another matter with voices that a synthesiser makes."""
BEFORE = (0.0, 0.25, 0.4, 0.55, 0.7, 0.85, 1.0)
STEPS = (0.5, 0.65, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995)


class Fitted(msgspec.Struct, frozen=True):
    """All that is fitted."""

    right: Mapping[str, Curve]
    for_us: Mapping[str, Curve]
    together: Mapping[str, Combination]


class UtteranceOutcome(msgspec.Struct, frozen=True):
    """Verdict on one utterance with some curves.

    It has P(right), P(for us), what was heard, and whether that is what was said. `kind`: as in the plan, or "beside"
    where another table announced at the same time. `strange`: a person spoke, or a voice as new to the model as one.
    """

    number: int
    kind: str
    right: float
    for_us: float
    heard: Heard
    true: bool
    strange: bool = False


def truth_of(one: HeardByAll) -> tuple[object, ...] | None:
    """Return the meaning of an utterance; None where it was nothing for us."""
    return meaning(understand(one.said.words)) if one.said.words else None


def _meaning_of(found: Hypotheses) -> Heard:
    return understand(found.ranked[0].ids) if found.ranked else Heard("none")


def heard_by(heard: Sequence[HeardByAll], names: Sequence[str]) -> list[HeardByAll]:
    """Return what all of these engines heard: the slow one may have been given less.

    Of the one that is asked second only what it would be asked: words of languages that it hears well.
    """
    every = [one for one in heard if all(name in one.heard for name in names)]
    return every if names == FIRST else [one for one in every if _asked_second(one)]


def _asked_second(one: HeardByAll) -> bool:
    languages = _languages(one.said.scheme, one.said.language)
    return others_may_know(one.heard.get("own", Hypotheses("own")), load_hearing(), languages)


@cache
def _languages(scheme: str, language: str) -> Mapping[str, str]:
    return vocabulary_of(scheme_of(scheme, language)).languages


def sets_heard(heard: Sequence[HeardByAll]) -> list[tuple[str, ...]]:
    """Return the sets of engines of which these utterances can say anything."""
    return [names for names in SETS if heard_by(heard, names)]


def family_of(one: HeardByAll) -> str:
    """Return the synthesiser of an utterance with all its voices, or "people"; a noise is of none."""
    heard = families_of(one.said)
    return "people" if "people" in heard else next(iter(heard), "")


def single_curves(heard: Sequence[HeardByAll], engine: str) -> tuple[Curve, Curve]:
    """Return P(right) and P(for us) of one engine by itself."""
    rows: list[dict[str, float]] = []
    right: list[bool] = []
    ours: list[bool] = []
    for one in heard_by(heard, (engine,)):
        found = one.heard[engine]
        best = _meaning_of(found)
        if best.kind == "none":
            continue
        rows.append({name: figure(found, best) for name, figure in FIGURES.items()})
        right.append(meaning(best) == truth_of(one))
        ours.append(bool(one.said.words))
    return fit_figures(rows, RIGHT[engine], right, STRENGTH), fit_figures(
        rows, FOR_US[engine], ours, STRENGTH, evenly=True
    )


def candidate_costs(ears: Sequence[tuple[HeardByAll, Sequence[Ear]]]) -> dict[str, float]:
    """Return the costs that make what was said the likeliest of all that any engine named.

    None is below 0.
    """
    names = sorted({f"{ear.name}.{figure}" for _, every in ears for ear in every for figure in CANDIDATE_FIGURES})
    cases: list[list[list[float]]] = []  # of each the figures of what was said, then of the others
    for one, every in ears:
        figures = candidate_figures(every)
        truth = truth_of(one)
        if truth in figures and len(figures) > 1:
            cases.append(
                [[figures[each][name] for name in names] for each in sorted(figures, key=lambda m: m != truth)]
            )
    costs = np.full(len(names), 0.3)
    if not cases:
        return dict(zip(names, costs.tolist(), strict=True))
    most = max(map(len, cases))
    rows = np.array([[*case, *[[0.0] * len(names)] * (most - len(case))] for case in cases])
    there = np.array([[place < len(case) for place in range(most)] for case in cases])
    for turn in range(600):
        total = np.where(there, -(rows @ costs), -np.inf)
        chance = np.exp(total - total.max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
        slope = (rows[:, 0] - (chance[:, :, None] * rows).sum(axis=1)).mean(axis=0) + 2e-4 * (costs - 0.3)
        costs = np.maximum(0.0, costs - 0.5 / (1 + turn / 100) * slope)
    return {name: round(float(cost), 3) for name, cost in zip(names, costs, strict=True)}


def fit_hearing(heard: Sequence[HeardByAll], kept: Fitted | None = None) -> Fitted:
    """Fit everything, from these utterances, but for what is `kept` as it was fitted on others."""
    sets = sets_heard(heard)
    known = kept or Fitted({}, {}, {})
    engines = sorted({name for names in sets for name in names} - set(known.right))
    curves = {name: single_curves(heard, name) for name in engines}
    right = {**known.right, **{name: pair[0] for name, pair in curves.items()}}
    for_us = {**known.for_us, **{name: pair[1] for name, pair in curves.items()}}
    fresh = {key: names for names in sets if (key := "+".join(names)) not in known.together}
    together = {key: fit_combination(heard, names, right, for_us) for key, names in fresh.items()}
    return Fitted(right, for_us, {**known.together, **together})


def kept_of(settings: HearingSettings, engines: Sequence[str]) -> Fitted:
    """Return what is in force of these engines, each by itself: it was fitted on more utterances than are at hand."""
    return Fitted(
        {name: settings.right[name] for name in engines},
        {name: settings.for_us[name] for name in engines},
        {name: settings.together[name] for name in engines},
    )


def ears_of_utterance(
    one: HeardByAll, names: Sequence[str], right: Mapping[str, Curve], for_us: Mapping[str, Curve]
) -> tuple[Ear, ...]:
    """Return the engines of one utterance."""
    return tuple(ear_of(one.heard[name], right[name], for_us[name]) for name in names)


def fit_combination(
    heard: Sequence[HeardByAll], names: Sequence[str], right: Mapping[str, Curve], for_us: Mapping[str, Curve]
) -> Combination:
    """Return how these engines are put together."""
    often = PEOPLE_ALONE if len(names) > 1 else 1
    ears = [
        (one, ears_of_utterance(one, names, right, for_us))
        for one in heard_by(heard, names)
        for _ in range(often if families_of(one.said) == {"people"} and one.said.kind == "announcement" else 1)
    ]
    nothing = Curve(0.0, {})
    how = Combination(candidate_costs(ears), nothing, nothing, 0.5, nothing)
    every = [(one, combine_ears(found, how)) for one, found in ears]
    known = [(one, found) for one, found in every if found.ranked]
    weighed = WEIGHED["+".join(names)]
    truths = [meaning(found.heard) == truth_of(one) for one, found in known]
    curve = fit_figures([figures_of(found) for _, found in known], weighed, truths, STRENGTH)
    about = ("agree", *(f"{name}.{figure}" for name in names for figure in ("us", "nothing")))
    spoken_to = [bool(one.said.words) for one, _ in known]
    ours = fit_figures([for_us_figures(found) for _, found in known], about, spoken_to, STRENGTH, evenly=True)
    how = msgspec.structs.replace(how, right=curve, for_us=ours)
    return _with_twice(how, pairs_of(every))


def pairs_of(
    every: Sequence[tuple[HeardByAll, Combined]],
) -> list[tuple[HeardByAll, Combined, Combined]]:
    """Return what was said twice: the utterance, the first time, the second."""
    known = {one.number: found for one, found in every}
    return [
        (one, known[one.said.again], found)
        for one, found in every
        if one.said.again is not None and one.said.again in known and known[one.said.again].ranked and found.ranked
    ]


def _with_twice(how: Combination, pairs: Sequence[tuple[HeardByAll, Combined, Combined]]) -> Combination:
    """Return the combination with how much the first utterance counts beside the second.

    It is chosen and weighed where the first left a doubt.
    """
    doubtful = [pair for pair in pairs if right_of(pair[1], how) < 0.97]
    doubtful = doubtful if len(doubtful) >= 40 else list(pairs)

    def hits(before: float) -> int:
        changed = msgspec.structs.replace(how, before=before)
        return sum(
            meaning(understand(said_twice(then, now, changed)[0].ids)) == truth_of(one) for one, then, now in doubtful
        )

    how = msgspec.structs.replace(how, before=max(BEFORE, key=lambda before: (hits(before), -abs(before - 0.5))))
    truths = [meaning(understand(said_twice(then, now, how)[0].ids)) == truth_of(one) for one, then, now in doubtful]
    rows = [twice_figures(then, now, how) for _, then, now in doubtful]
    names = ("share", "now", "now_other", "then", "then_other", "command")
    curve = fit_figures(rows, names, truths, STRENGTH) if len(set(truths)) == 2 else how.right
    return msgspec.structs.replace(how, twice=curve)


def outcome(one: HeardByAll, names: Sequence[str], curves: Fitted) -> tuple[UtteranceOutcome, Combined]:
    """Return the outcome of one utterance by the curves."""
    how = curves.together["+".join(names)]
    found = combine_ears(ears_of_utterance(one, names, curves.right, curves.for_us), how)
    heard = found.heard
    true = meaning(heard) == truth_of(one)
    kind = one.said.kind if one.said.beside is None else "beside"
    sure = right_of(found, how)
    return UtteranceOutcome(
        one.number, kind, sure, p_addressed_to_program(found, how), heard, true, one.said.strange
    ), found


def _speaker_of(one: HeardByAll) -> str:
    return one.said.speaker


def left_out(
    heard: Sequence[HeardByAll], kin: Callable[[HeardByAll], str] = _speaker_of, kept: Fitted | None = None
) -> dict[str, tuple[list[UtteranceOutcome], list[UtteranceOutcome]]]:
    """Return for each set of engines every utterance by the curves of the other speakers, or families by `kin`.

    There are two lists: as said once, and as said the second time. `kept`: as for `fit_hearing`.
    """
    sets = sets_heard(heard)
    found: dict[str, tuple[list[UtteranceOutcome], list[UtteranceOutcome]]] = {
        "+".join(names): ([], []) for names in sets
    }
    for speaker in sorted({kin(one) for one in heard} - {""}):
        rest = [one for one in heard if kin(one) != speaker]
        own = [one for one in heard if kin(one) == speaker]
        curves = fit_hearing(rest, kept)
        for names in sets:
            key = "+".join(names)
            how = curves.together[key]
            every = [(one, *outcome(one, names, curves)) for one in heard_by(own, names)]
            found[key][0].extend(once for _, once, _ in every)
            for one, then, now in pairs_of([(one, what) for one, _, what in every]):
                both = said_twice(then, now, how)
                heard_now = understand(both[0].ids)
                sure = weigh(twice_figures(then, now, how), how.twice)
                true = meaning(heard_now) == truth_of(one)
                found[key][1].append(
                    UtteranceOutcome(one.number, one.said.kind, sure, p_addressed_to_program(now, how), heard_now, true)
                )
    return found


def told_families(heard: Sequence[HeardByAll], steps: Thresholds, kept: Fitted | None = None) -> str:
    """Return, for each family, what the thresholds in force do with it by the curves of all other families.

    After the bar: the same by the curves of all families, its own among them.
    """
    families = {one.number: family_of(one) for one in heard}
    lines: list[str] = []
    everybody = fit_hearing(heard, kept)
    for key, (once, _) in left_out(heard, family_of, kept).items():
        names = tuple(key.split("+"))
        known = [outcome(one, names, everybody)[0] for one in heard_by(heard, names)]
        for family in sorted(set(families.values()) - {""}):
            parts = [
                _in_counts([one for one in some if families[one.number] == family], steps) for some in (once, known)
            ]
            lines.append(f"{key}, {family}: {' | '.join(parts)}")
    return "\n".join(lines)


def _in_counts(once: Sequence[UtteranceOutcome], steps: Thresholds) -> str:
    """Return what becomes of announcements and of talk, in counts."""
    done = [(one, judgement_of(one.heard, one.right, one.for_us, steps)) for one in once]
    moves = [(one, what) for one, what in done if one.kind in ("announcement", "radio")]
    talk = [what for one, what in done if one.kind == "free" and one.heard.kind == "move"]
    taken = [(one, what) for one, what in moves if what in ("accept", "confirm")]
    wrong = [what for one, what in taken if not one.true]
    return (
        f"{len(moves)} announcements, {sum(one.true for one, _ in moves)} first choices right, "
        f"{len(taken) - len(wrong)} right at once, {wrong.count('accept')} accepted wrong, "
        f"{wrong.count('confirm')} read back wrong; talk {sum(one.kind == 'free' for one, _ in done)}, "
        f"{talk.count('accept')} accepted, {talk.count('confirm')} read back"
    )


def one_ear_first(
    outcomes: Mapping[str, tuple[Sequence[UtteranceOutcome], Sequence[UtteranceOutcome]]], settings: HearingSettings
) -> list[UtteranceOutcome]:
    """Return what comes of asking one engine first, and both where it is in doubt.

    `speech.hearing.second_opinion` does this. What both are not sure enough of then counts as a little less than
    `accept`.
    """
    steps = settings.thresholds
    least = settings.second_opinion.steps(steps).accept
    both = outcomes["+".join(SETS[-1])][0] if "+".join(SETS[-1]) in outcomes else []
    found = {
        one.number: msgspec.structs.replace(one, right=steps.accept - 1e-6)
        if one.heard.kind == "move" and steps.accept <= one.right < least
        else one
        for one in both
    }
    for engine, alone in settings.second_opinion.alone.items():
        for one in outcomes[engine][0]:
            taken = judgement_of(one.heard, one.right, one.for_us, steps) == "accept"
            sure = one.right >= alone and one.heard.kind == "move" and taken
            if sure and one.number in found:
                found[one.number] = msgspec.structs.replace(one, right=1.0)
    return list(found.values())


def table_of_outcomes(
    outcomes: Mapping[str, tuple[Sequence[UtteranceOutcome], Sequence[UtteranceOutcome]]],
    heard: Sequence[HeardByAll],
    settings: HearingSettings,
) -> str:
    """Return the table: accepted wrong against asked again, for each set of engines.

    Then the same with one repeat; then what it would cost.
    """
    steps = settings.thresholds
    lines: list[str] = []
    again = {one.said.again: one.number for one in heard if one.said.again is not None}
    for key, (once, twice) in outcomes.items():
        moves = [one for one in once if one.kind in ("announcement", "radio")]
        other = [one for one in once if one.kind in ("free", "noise")]
        best = sum(one.true for one in moves)
        lines.append(
            f"{key}: {len(moves)} announcements, the best right {best / len(moves):.3f}; {len(other)} not for us"
        )
        second = {one.number: one for one in twice}
        for step in STEPS:
            at = steps.all_from(step)
            done = [judgement_of(one.heard, one.right, one.for_us, at) for one in moves]
            taken = [one for one, what in zip(moves, done, strict=True) if what == "accept"]
            strange = sum(judgement_of(one.heard, one.right, one.for_us, at) == "accept" for one in other)
            wrong = sum(not one.true for one in taken)
            firsts = [(one, what) for one, what in zip(moves, done, strict=True) if one.number in again]
            late = [second.get(again[one.number]) for one, what in firsts if what != "accept"]
            mended = [
                one
                for one in late
                if one is not None and judgement_of(one.heard, one.right, one.for_us, at) == "accept"
            ]
            right_at_last = sum(one.true for one, what in firsts if what == "accept") + sum(one.true for one in mended)
            lines.append(
                f"  from {step:5}: accepted {len(taken) / len(moves):.3f}, wrong {wrong} ({wrong / len(moves):.4f}), "
                f"asked again {1 - len(taken) / len(moves):.3f}, not for us {strange}; with one repeat right "
                f"{right_at_last / max(1, len(firsts)):.3f}, wrong {sum(not one.true for one in mended)} more"
            )
        lines += beside_lines([one for one in once if one.kind == "beside"], steps)
    turns = [("in turn", turn)] if (turn := one_ear_first(outcomes, settings)) else []
    for key, once in (*((key, once) for key, (once, _) in outcomes.items()), *turns):
        lines.append(f"{key}, by what a player's seconds are worth (speech/training/curves/thresholds.py):")
        lines.append(told_choices(_judgeable(once), steps))
        if key in outcomes:
            lines.append(told_letters(_lettered_pairs(*outcomes[key], heard), steps))
        if strangers := [one for one in once if one.strange]:
            lines.append(f"{key}, the same of strangers alone (people, cut voices, readers of respelled German):")
            lines += [told_choices(_judgeable(strangers), steps), strangers_line(strangers, steps)]
    return "\n".join(lines)


def _judgeable(once: Sequence[UtteranceOutcome]) -> list[Judgeable]:
    return [
        Judgeable(one.heard, one.right, one.for_us, one.true, one.kind in ("announcement", "radio"))
        for one in once
        if one.kind not in ("command", "beside")
    ]


def _lettered_pairs(
    once: Sequence[UtteranceOutcome], twice: Sequence[UtteranceOutcome], heard: Sequence[HeardByAll]
) -> list[tuple[Judgeable, Judgeable]]:
    """Return each announcement with a letter that was said twice: as heard the first time, and the second."""
    first = {one.number: one for one in once}
    before = {one.number: one.said.again for one in heard if any(word.startswith("letter.") for word in one.said.words)}
    found: list[tuple[Judgeable, Judgeable]] = []
    for now in twice:
        place = before.get(now.number)
        if place is not None and place in first:
            then, again = _judgeable((first[place], now))
            found.append((then, again))
    return found


def strangers_line(once: Sequence[UtteranceOutcome], steps: Thresholds) -> str:
    """Return what the thresholds in force do with strangers' talk and with their commands, in counts."""
    talk = [judgement_of(one.heard, one.right, one.for_us, steps) for one in once if one.kind == "free"]
    said = [(one, judgement_of(one.heard, one.right, one.for_us, steps)) for one in once if one.kind == "command"]
    obeyed = [one for one, what in said if what == "accept"]
    return (
        f"  of {len(talk)} times talk {talk.count('accept')} accepted, {talk.count('confirm')} read back; "
        f"of {len(said)} commands {sum(one.true for one in obeyed)} obeyed rightly, "
        f"{sum(not one.true for one in obeyed)} wrongly"
    )


def beside_lines(once: Sequence[UtteranceOutcome], steps: Thresholds) -> list[str]:
    """Return what is done with announcements under which another table announces.

    There is one line for each step from which they are taken.
    """
    parts: list[str] = []
    for step in (0.7, 0.9, 0.97) if once else ():
        at = msgspec.structs.replace(steps.all_from(step), command=steps.command)
        taken = [one for one in once if judgement_of(one.heard, one.right, one.for_us, at) == "accept"]
        wrong = sum(not one.true for one in taken)
        parts.append(f"from {step} right {(len(taken) - wrong) / len(once):.3f}, wrong {wrong / len(once):.4f}")
    return [f"  another table under {len(once)} more: {'; '.join(parts)}"] if parts else []


@click.command()
@click.argument("kept", type=click.Path(path_type=Path, exists=True), nargs=-1, required=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the whole hearing.toml there.")
@click.option("--quick", is_flag=True, help="Do not leave each speaker out once.")
@click.option("--keep", multiple=True, help="An engine whose own curves stay as they are in force.")
@click.option("--families", is_flag=True, help="Leave out each family in place of each speaker, and show that alone.")
def main(kept: tuple[Path, ...], out: Path | None, quick: bool, keep: tuple[str, ...], families: bool) -> None:
    """Fit the curves of config/hearing.toml anew, and show what they would do."""
    try:
        if out is not None and out.resolve() == Path(str(files("config").joinpath("hearing.toml"))).resolve():
            raise Complaint("config/hearing.toml is in force and is not overwritten; name another file.")
        heard = number_apart(kept)
        settings = load_hearing()
        staying = kept_of(settings, keep)
        if families:
            click.echo(told_families(heard, settings.thresholds, staying))
            return
        table = "" if quick else table_of_outcomes(left_out(heard, kept=staying), heard, settings)
        click.echo(table)
        curves = fit_hearing(heard, staying)
    except (Complaint, OSError, msgspec.DecodeError) as wrong:
        raise click.ClickException(str(wrong)) from None
    if out is not None:
        out.write_text(hearing_file(with_curves(settings, curves), heard, table), "utf-8")


def number_apart(kept: Sequence[Path]) -> list[HeardByAll]:
    """Return what the files hold, with numbers that no two share."""
    found: list[HeardByAll] = []
    for path in kept:
        shift = max((one.number for one in found), default=-1) + 1
        for one in read_heard([path]):
            again = None if one.said.again is None else one.said.again + shift
            said = msgspec.structs.replace(one.said, again=again)
            found.append(msgspec.structs.replace(one, number=one.number + shift, said=said))
    return found


def with_curves(settings: HearingSettings, curves: Fitted) -> HearingSettings:
    """Return the settings in force with these curves."""
    return msgspec.structs.replace(
        settings,
        right={**settings.right, **curves.right},
        for_us={**settings.for_us, **curves.for_us},
        together={**settings.together, **curves.together},
    )


if __name__ == "__main__":
    main()
