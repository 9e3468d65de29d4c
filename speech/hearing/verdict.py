"""The verdict on an utterance, by what each engine heard of it. Pure.

A function of their lists and the settings alone. An utterance that was asked for again is judged by both sounds, the
one before and this one: they are one player's, and they should mean the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from speech.announcements.understand import UNKNOWN, understand
from speech.hearing.combine import (
    Combination,
    Ear,
    combine_ears,
    ear_of,
    p_addressed_to_program,
    right_of,
    said_twice,
    sigmoid,
    twice_figures,
    weigh,
)
from speech.hearing.confidence import Curve, meaning
from speech.hearing.settings import HearingSettings, Thresholds
from speech.hearing.two_squares import Chain, two_squares
from speech.recognisers.recogniser import Hypotheses, Hypothesis
from speech.words.grammar import FILE_NAMES
from speech.words.language import ASKED_FIRST, TELLING
from speech.words.said import Heard

Judgement = Literal["accept", "confirm", "repeat", "reject"]
NONE = Curve(0.0, {})
NEAR = 4.0
"""A letter that scores so little less (log units of its engine) than a name of the files may be what was said, and a
name than a letter: of letters in doubt by those who tune as many were read back wrong with 4 as with 8, and more right.
"""


NEAR_RADIO = 8.0
"""A radio name holds more sound than the letter it may have been: Arabic "Alfa" ends like its letter f, "fa"."""


class Judged(msgspec.Struct, frozen=True):
    """Judgement on one utterance.

    `heard`: its meaning; for "repeat" with the part left open, for "reject" none. `confidence`: P(the first of
    `hypotheses` means what was said). `hypotheses`: what it may have been, best first. `two_squares`: the two
    announcements of which the player may be asked to name one, in place of a read-back or a repetition.
    """

    heard: Heard
    confidence: float
    verdict: Judgement
    hypotheses: tuple[Hypothesis, ...]
    two_squares: tuple[Chain, ...] = ()


def judge_utterance(
    found: Sequence[Hypotheses], settings: HearingSettings, before: Sequence[Hypotheses] = ()
) -> Judged:
    """Judge one utterance by what each engine found, in the engines' order.

    `before`: what the same engines found in the utterance that this one was asked to say again; none where it is the
    first. Where other engines listened then, it counts for nothing.
    """
    steps, how = settings.thresholds, combination_of(found, settings)
    ears = ears_of_hypotheses(found, settings)
    others = (*ears, *ears_of_hypotheses(before, settings))
    if how is None:
        return _apart(ears, others, (*found, *before), steps, bool(before))
    now = combine_ears(ears, how)
    ranked, right, for_us = now.ranked, right_of(now, how), p_addressed_to_program(now, how)
    if before and [one.engine for one in before] == [one.engine for one in found] and ranked:
        then = combine_ears(ears_of_hypotheses(before, settings), how)
        if then.ranked:
            ranked = said_twice(then, now, how)
            right = weigh(twice_figures(then, now, how), how.twice)
    best = understand(ranked[0].ids) if ranked else Heard("none")
    if not ranked:  # nothing well-formed: perhaps a part of an announcement
        opinion = max(ears, key=lambda ear: ear.for_us)
        best, for_us = opinion.heard, sigmoid(opinion.for_us)
        ranked = opinion.found.ranked
    odd = not before and named_in_two_ways(best)
    rivals, named = has_rival(ears, _near(best)), named_beside(ears)
    verdict = _backed_judgement(judgement_of(best, right, for_us, steps, rivals, named), ranked, ears, steps)
    if verdict == "accept" and _is_denied(best, others, (*found, *before), steps):
        verdict = "repeat"
    if verdict in ("accept", "confirm") and (odd or _commands_nearly(best, found, steps)):
        verdict = "repeat"
    done = _done(best, right, verdict, ranked, steps)
    if odd or verdict not in ("confirm", "repeat") or for_us < _bar_for(best, steps) or done.heard.unclear is not None:
        return done
    # To choose from two is less than to say all again, however likely one of them is.
    return msgspec.structs.replace(done, two_squares=two_squares(ranked, right if verdict == "confirm" else 0.0, steps))


def _backed_judgement(
    verdict: Judgement, ranked: Sequence[Hypothesis], ears: Sequence[Ear], steps: Thresholds
) -> Judgement:
    """Return a verdict as far as the ears bear it. `ranked`: what it may have been, best first.

    Recorded is only what all of them heard, or what one is very sure of by itself (`against`), whatever the sum of
    both says. Else an announcement is read back, and the player asked about a command that asks first, unless another
    ear is rather sure of something else (`contradicted`) or takes it for talk (`unmeant`), or it does not lead by so
    much as is asked where they differ (`letters_apart`, `names_apart`, `command_asked`); all other commands are asked
    again.
    """
    best = understand(ranked[0].ids) if ranked else Heard("none")
    same = [ear for ear in ears if meaning(ear.heard) == meaning(best)]
    if verdict not in ("accept", "confirm") or len(same) == len(ears):
        return verdict
    if verdict == "accept" and any(sigmoid(ear.right) >= steps.against for ear in same):
        return verdict
    others = [sigmoid(ear.right) for ear in ears if ear not in same and ear.heard.kind != "none"]
    contradicted = steps.contradicted is not None and max(others, default=0.0) >= steps.contradicted
    unmeant = steps.unmeant is not None and any(
        sigmoid(ear.for_us) < steps.unmeant for ear in ears if ear not in same and ear.heard.kind != "none"
    )
    if names_file_by_letter(best):
        sure, least = _lead_of(ranked), steps.letters_apart
    else:
        sure = max((sigmoid(ear.right) for ear in same), default=0.0)
        least = steps.command_asked if best.kind == "command" else steps.names_apart
    apart = least is not None and sure < least
    told = best.kind == "command" and (least is None or not asks_first(best))
    return "repeat" if told or contradicted or unmeant or apart else "confirm"


def _lead_of(ranked: Sequence[Hypothesis]) -> float:
    """Return the share of the likeliest in the two likeliest, 0.5 to 1. `ranked`: scores are logs of shares."""
    return sigmoid(ranked[0].score - ranked[1].score) if len(ranked) > 1 else 1.0


def _is_denied(heard: Heard, ears: Sequence[Ear], found: Sequence[Hypotheses], steps: Thresholds) -> bool:
    """Return whether it is a yes where an ear heard no, or our own model nearly did, or the other way round.

    Now or before; no sum outweighs that. `found`: the whole lists of the ears.
    """
    other = {"yes": "no", "no": "yes"}.get(heard.command or "")
    if other is None:
        return False
    return any(ear.heard.command == other for ear in ears) or any(_nearly(one, other, steps) for one in found)


def _nearly(found: Hypotheses, command: str, steps: Thresholds) -> bool:
    """Return whether our own model names a command that is hardly worse than its first choice."""
    if found.engine != "own" or not found.ranked:
        return False
    least = found.ranked[0].score - steps.opposite
    return any(one.score > least and understand(one.ids).command == command for one in found.ranked[1:])


def _commands_nearly(heard: Heard, found: Sequence[Hypotheses], steps: Thresholds) -> bool:
    """Return whether our own model takes it for an announcement without letters, and a command for nearly as likely."""
    own = next((one for one in found if one.engine == "own" and one.ranked), None)
    if (
        heard.kind != "move"
        or names_file_by_letter(heard)
        or own is None
        or understand(own.ranked[0].ids).kind != "move"
    ):
        return False
    least = own.ranked[0].score - steps.near_command
    return any(one.score > least and understand(one.ids).kind == "command" for one in own.ranked[1:])


def combination_of(found: Sequence[Hypotheses], settings: HearingSettings) -> Combination | None:
    """Return how the evidence of these engines is put together; None where nobody has fitted that."""
    return settings.together.get("+".join(one.engine for one in found))


def ears_of_hypotheses(found: Sequence[Hypotheses], settings: HearingSettings) -> tuple[Ear, ...]:
    """Return each engine's list with its own curves."""
    return tuple(ear_of(one, settings.right[one.engine], settings.for_us[one.engine]) for one in found)


def judgement_of(
    heard: Heard, right: float, for_us: float, steps: Thresholds, rivals: bool = False, named: bool = False
) -> Judgement:
    """Return the judgement that follows from two probabilities.

    `rivals`: a letter of another square was heard about as well (see `has_rival`). `named`: a name of D.2.1 of another
    square was (see `named_beside`).
    """
    if for_us < steps.for_us:
        return "reject"
    lettered = names_file_by_letter(heard)
    if heard.kind == "none" or for_us < _bar_for(heard, steps):
        return "repeat"
    if heard.kind == "command":
        # A command is obeyed at once, it has no read-back: what is not sure is asked again, or the player is asked
        # whether they said it.
        if right >= (steps.accept if steps.command is None else steps.command):
            return "accept"
        asked = steps.command_asked is not None and right >= steps.command_asked
        return "confirm" if asked and asks_first(heard) else "repeat"
    if right >= (steps.letters if steps.letters is not None and (rivals or lettered) else steps.accept):
        return "accept"
    if lettered and not named and steps.letters_confirm is not None:
        # Letters rhyme: who is asked to say one again is in doubt again, where a read-back settles it.
        return "confirm" if right >= steps.letters_confirm else "repeat"
    least = steps.confirm
    if steps.radio_confirm is not None and _radio(heard):
        if rivals:
            return "repeat"
        least = max(least, steps.radio_confirm)
    return "confirm" if right >= least else "repeat"


def _bar_for(heard: Heard, steps: Thresholds) -> float:
    """Return from which P(it was meant for us) on such words are recorded, read back or obeyed."""
    castles = heard.said is not None and heard.said.castling is not None
    short = names_file_by_letter(heard) or heard.kind == "command" or castles
    return steps.short_taken if short and steps.short_taken is not None else steps.taken


def asks_first(heard: Heard) -> bool:
    """Return whether a command does no more in doubt than ask the player about it, or tell them something."""
    return heard.command in ASKED_FIRST or heard.command in TELLING


def names_file_by_letter(heard: Heard) -> bool:
    """Return whether a file is named by its letter or by the spelling alphabet, as in "be vier" or "Berta vier".

    German letters rhyme, the alphabet's names resemble those of D.2.1 (Anton, Anna), and the curve of the engines
    cannot tell them all apart.

    >>> spelled(understand(("letter.b", "rank.4"))), spelled(understand(("file.b", "rank.4")))
    (True, False)
    >>> spelled(understand(("spelling.b", "rank.4")))
    True
    """
    return any(word.startswith(("letter.", "spelling.")) for word in heard.words)


def named_in_two_ways(heard: Heard) -> bool:
    """Return whether files are named in two ways at once, as in "Eva acht Anton sieben".

    A player keeps to one; talk that sounds like an announcement often mixes them ("Eva kommt um sieben"). It is asked
    for again once.

    >>> named_in_two_ways(understand(("file.e", "rank.8", "spelling.a", "rank.7")))
    True
    >>> named_in_two_ways(understand(("file.e", "rank.8", "file.a", "rank.7")))
    False
    """
    ways = {word.split(".")[0] for word in heard.words}.intersection(FILE_NAMES)
    return heard.kind == "move" and len(ways) > 1


def _radio(heard: Heard) -> bool:
    """Return whether a file is named by its radio name."""
    return any(word.startswith("nato.") for word in heard.words)


def _near(heard: Heard) -> float:
    """Return how far behind a letter of another square may be to be a rival of what was heard."""
    return NEAR_RADIO if _radio(heard) else NEAR


def has_rival(ears: Sequence[Ear], near: float = NEAR) -> bool:
    """Return whether an ear heard a letter of another square about as well as what it took it for.

    A bare letter is never taken for a name of D.2.1 with certainty: then the name is recorded only where it is as sure
    as a letter must be.
    """
    for ear in ears:
        best = meaning(ear.heard)
        for one in ear.found.ranked[1:]:
            if one.score > ear.found.ranked[0].score - near:
                other = understand(one.ids)
                if other.kind == "move" and names_file_by_letter(other) and meaning(other) != best:
                    return True
    return False


def named_beside(ears: Sequence[Ear]) -> bool:
    """Return whether an ear heard a name of another square about as well as the letter that it took it for."""
    return any(
        one.score > ear.found.ranked[0].score - NEAR
        and any(word.startswith("file.") for word in one.ids)
        and meaning(understand(one.ids)) != meaning(ear.heard)
        for ear in ears
        for one in ear.found.ranked[1:]
    )


def _apart(
    ears: Sequence[Ear], others: Sequence[Ear], found: Sequence[Hypotheses], steps: Thresholds, again: bool
) -> Judged:
    """Judge engines that were never fitted together.

    `again`: it was asked for again. Two that agree are as sure as if they were independent; where two differ, only one
    that is very sure is believed.
    """
    best = max(ears, key=lambda ear: ear.right if ear.heard.kind != "none" else -99.0)
    meant = {meaning(ear.heard) for ear in ears if ear.heard.kind != "none"}
    right = sigmoid(best.right) if best.heard.kind != "none" else 0.0
    doubt = 1.0
    for ear in ears:
        doubt *= 1.0 - sigmoid(ear.right) if ear.heard.kind != "none" else 1.0
    for_us, rivals, named = sigmoid(best.for_us), has_rival(ears, _near(best.heard)), named_beside(ears)
    if len(meant) > 1:
        verdict = judgement_of(best.heard, right, for_us, steps, rivals, named)
        if verdict in ("accept", "confirm") and right < steps.against:
            verdict = "repeat"
    else:
        right = right if best.heard.kind == "none" else 1.0 - doubt
        verdict = judgement_of(best.heard, right, for_us, steps, rivals, named)
    if verdict == "accept" and _is_denied(best.heard, others, found, steps):
        verdict = "repeat"
    odd = (not again and named_in_two_ways(best.heard)) or _commands_nearly(best.heard, found, steps)
    if verdict in ("accept", "confirm") and odd:
        verdict = "repeat"
    return _done(best.heard, right, verdict, best.found.ranked, steps)


def _done(heard: Heard, right: float, verdict: Judgement, ranked: tuple[Hypothesis, ...], steps: Thresholds) -> Judged:
    if verdict == "reject":
        heard = Heard("none")
    elif verdict == "repeat":
        heard = _open_part(heard, ranked, steps)
    return Judged(heard, round(right, 4), verdict, ranked)


def _open_part(heard: Heard, ranked: Sequence[Hypothesis], steps: Thresholds) -> Heard:
    """Return the part to ask again.

    It is the one part whose words hardly fit the sound, else the whole (the words as heard).
    """
    if heard.kind != "move":
        return heard
    masked = understand([UNKNOWN if word.confidence < steps.word else word.id for word in ranked[0].words])
    return masked if masked.unclear is not None else heard
