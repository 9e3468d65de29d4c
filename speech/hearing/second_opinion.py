"""The choice of when one ear is enough.

What it is sure of is taken without asking another, which would cost five times its work. Which engines are asked
depends on the sound, the language, the scheme and the player's profile alone, as all that is heard does. When the
second ear hears it is another matter (`speech.hearing.early`): what it hears is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from speech.announcements.understand import understand
from speech.hearing.combine import sigmoid
from speech.hearing.confidence import meaning
from speech.hearing.settings import HearingSettings
from speech.hearing.verdict import Judged, ears_of_hypotheses, judge_utterance
from speech.recognisers.recogniser import Hypotheses

NEVER = 2.0
"""No probability reaches this."""
Languages = Mapping[str, str]
NO_LANGUAGES: Languages = {}


def first_asked(engines: Sequence[str], settings: HearingSettings) -> str | None:
    """Return the engine that listens first and may be believed by itself.

    None where all of these listen together.
    """
    known = "+".join(engines) in settings.together  # else nobody knows what their disagreement means
    alone = settings.second_opinion.alone
    return next((name for name in engines if name in alone), None) if known and len(engines) > 1 else None


def taken_alone(
    found: Hypotheses, settings: HearingSettings, before: Sequence[Hypotheses] = (), languages: Languages = NO_LANGUAGES
) -> Judged | None:
    """Return the verdict of one ear that is sure enough of an announcement by itself.

    None where another must be asked. Commands, yes and no among them, are obeyed without a read-back: they are never
    taken from one ear, but in languages that no other hears well. `languages`: of the words (`Vocabulary.languages`).
    """
    done = judge_utterance((found,), settings, [one for one in before if one.engine == found.engine])
    if not others_may_know(found, settings, languages):
        return done
    sure = done.confidence >= settings.second_opinion.alone.get(found.engine, NEVER)
    return done if sure and done.verdict == "accept" and done.heard.kind == "move" else None


def others_may_know(found: Hypotheses, settings: HearingSettings, languages: Languages) -> bool:
    """Return whether another ear may know better: what was heard has words of a language that it hears well."""
    known = settings.second_opinion.languages
    spoken = {languages[word] for word in found.ranked[0].ids if word in languages} if found.ranked else set()
    return not known or not spoken or not spoken.isdisjoint(known)


def together(found: Sequence[Hypotheses], settings: HearingSettings, before: Sequence[Hypotheses] = ()) -> Judged:
    """Return the verdict of all ears on what left the first in doubt.

    It is recorded where they are surer than one ear must be.
    """
    steps = settings.second_opinion.steps(settings.thresholds)
    return judge_utterance(found, msgspec.structs.replace(settings, thresholds=steps), before)


def leans_elsewhere(
    done: Judged, found: Sequence[Hypotheses], settings: HearingSettings, before: Sequence[Hypotheses] = ()
) -> bool:
    """Return whether something would be done because another machine heard it, so that it must be heard here first.

    A command always is: it has no read-back. An announcement is not where an ear of this machine heard the same best
    and would at least have read it back. So another machine that is certain and wrong has nothing recorded.
    """
    if done.verdict not in ("accept", "confirm") or not any(one.elsewhere for one in (*found, *before)):
        return False
    own = ears_of_hypotheses([one for one in found if not one.elsewhere], settings)
    sure = settings.thresholds.confirm
    return done.heard.kind == "command" or not any(
        meaning(ear.heard) == meaning(done.heard) and sigmoid(ear.right) >= sure for ear in own
    )


def after_second_opinion(done: Judged, opinions: Sequence[Hypotheses]) -> Judged:
    """Return the verdict after recognisers of other makers were asked, which may only raise a doubt.

    Where one of them understood something else, an announcement is read back and a command asked again. What they
    heard is never taken, and that they agree makes nothing surer.
    """
    others = [understand(one.ranked[0].ids) for one in opinions if one.ranked]
    if done.verdict != "accept" or all(
        other.kind == "none" or meaning(other) == meaning(done.heard) for other in others
    ):
        return done
    return msgspec.structs.replace(done, verdict="repeat" if done.heard.kind == "command" else "confirm")


def in_doubt(found: Hypotheses, settings: HearingSettings) -> Judged:
    """Return the verdict of one ear where another had to be asked and was too busy.

    Whatever it heard is asked again.
    """
    return judge_utterance((found,), msgspec.structs.replace(settings, thresholds=settings.thresholds.all_from(NEVER)))
