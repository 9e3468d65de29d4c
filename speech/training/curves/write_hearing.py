"""Writing `config/hearing.toml`: thresholds, curves, and where they come from."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence

from speech.hearing.combine import Combination
from speech.hearing.confidence import Curve
from speech.hearing.settings import HearingSettings, SecondOpinion, Thresholds
from speech.training.curves.hall_hearing import HeardByEngines
from speech.training.curves.hall_plan import PERSON

HEAD = """\
# How sure the ears are, and what follows. Each curve is P = 1 / (1 + exp(-(base + sum of weight times figure)));
# the figures of one engine are those of `speech/hearing/confidence.py`, those of several together of \
`speech/hearing/combine.py`.
# All but the thresholds and who is asked is written by speech/training/curves/fit_together.py (`make curves`)."""
THRESHOLDS = """\
# accept, confirm: from this P(right) on an announcement is recorded; is recorded and read back; command: a command is
# obeyed, which has no read-back. for_us: from this P(it was meant for us) on it is asked again; below, it was no
# utterance for us. taken: only from this P(it was meant for us) on it is recorded, read back or obeyed, however sure
# the words are: of 238 times talk by those who tune none is then read back as a name. short_taken: the same for
# commands and letters, whose short words tell less of that. word: a word that fits worse was not heard. against:
# where two engines were never fitted together, from this P(right) on one is believed against the other. letters: what
# names a file by its letter is recorded without a read-back from here on: letters rhyme. letters_confirm: it is read
# back from here on, earlier than a name, for a player who is asked to say a letter again is mostly in doubt again
# (told_letters in thresholds.py). By what a player's seconds are worth (asked again 9 s, a read-back that is right
# 2.5 s, one that is wrong 26 s, a wrong move accepted 100 s: thresholds.py) accept could be 0.95; it is to the safe
# side, for a stranger's drawn-out "drei" was taken for "zwei" at 0.96 to 0.986 (docs/hearing.md). The eighth model is
# surer of itself than the sixth, whose curves these are: at 0.98 it accepts 0.32 of 706 announcements by those who
# tune (the seventh 0.34 at 0.975), none wrongly; at 0.96 it obeys 46 of 132 commands, none wrongly (the seventh 45 at
# 0.95, and one wrongly).
# two_squares: where the two likeliest announcements differ in one file that was named by its letter, and carry this
# share of the probability together, the player is asked which it was, unless P(right) of the likelier one is
# two_squares_below. Of 896 announcements with letters by those who tune 376 are then asked about, and for 352 of
# these one of the two is right; read back wrong are 29 in place of 125, asked again 61 in place of 121, and right at
# once 430 in place of 650 (python -m tests.bench.hearing --only which), to the safe side: what is read back is on
# record.
# opposite: a yes is asked again where our own model names a no that is so little worse (log units), and the other way
# round. Of 160 times yes or no by twenty speakers of Arabic none is then taken for its opposite (with 4: one, by both
# engines); of their 240 answers both engines together take 78 rightly (with 4: 92), our own alone 105 (130).
# command_asked: a command that only tells, or that the player is asked about before it counts, is taken from here
# on: of 263 times a form of a command by voices that tune, in six languages, 209 are then taken in place of 186,
# none wrongly, and of 144 announcements none more is taken as a command; of 240 times yes, no and stop by people one
# is. near_command: of 120 announcements none that is right has a command so near; of 18 commands that our own model
# takes for an announcement 9 do. radio_confirm: of 84 times radio names by voices that tune 70 are then taken in
# place of 78.
# contradicted: where the other ear heard something else and is as sure as this by itself, the player is asked again or
# asked which of two squares, and nothing is read back: by voices that tune two of four such read-backs were wrong.
# letters_apart, names_apart: where the ears heard different things, a letter is read back only with this share of what
# it and the next likeliest carry, a name only where an ear that heard it is so sure by itself; else the player is asked
# which of two squares, or again. Of 226 announcements with letters by those who tune then 5 are read back wrong in
# place of 12, 157 right at once in place of 183 (in quiet, a letter and a rank: 35 of 38 in place of 37), and 44 asked
# which of two, for 41 one of them right, in place of 20 (of 18); with .8: 8 and 167, with .95: 1 and 131. Of 506 with
# names 2 more are asked again. unmeant: all is asked again where the other ear heard something else, with a P(it was
# for us) below this: of the 506 8 more, of the 226 1. Of 210 sentences with names and numbers by voices that tune, 120
# of them as short as an announcement, 5 are then taken, 4 of them "König Felix der Zweite", in place of 21."""

SECOND_OPINION = """\
# alone: from this P(right) on an announcement is taken from that engine without asking the others (commands never);
# without an entry all listen to everything. wait_ms: so long an utterance waits for others, then it is asked again;
# late_ms: so it is where the verdict is not there so long after the last sample. accept: what left the first in doubt
# is recorded without a read-back from this P(right) of both together on: of 145 names and letters that both heard alike
# 76 are, none wrong. command: so is a command that both heard or one is very sure of: of 230 by voices that tune,
# in six languages, 108 are then obeyed, none wrongly. two_squares_below: in place of the thresholds': of 58
# letters by people who tune, in quiet, 54 are then right at once and one is read back wrong (0.75: 49 and none).
# languages: the second ear is asked where the first heard words of these (or nothing); in the others Whisper base is
# right too seldom, and takes people's na'am for la, which ours never did (0 of 160, docs/hearing.md)."""


THRESHOLD_NAMES = (
    *("accept", "confirm", "command", "command_asked", "letters", "letters_confirm", "radio_confirm", "near_command"),
    *("for_us", "taken", "short_taken", "two_squares", "two_squares_below", "opposite", "word", "against"),
    *("contradicted", "unmeant", "letters_apart", "names_apart"),
)
"""The thresholds in the order of the file."""


def hearing_file(settings: HearingSettings, heard: Sequence[HeardByEngines], table: str) -> str:
    """Return the text of the whole file.

    `table`: how each speaker's utterances fared by the curves of the others.
    """
    lines = [HEAD, "", "[provenance]", f'fitted = """\n{_fitted_on(heard)}\n{table}"""']
    lines += [
        f'{name} = """{text}"""' for name, text in settings.provenance.items() if name not in ("fitted", "whisper")
    ]
    lines += ["", THRESHOLDS, "[thresholds]", *_steps(settings.thresholds, THRESHOLD_NAMES)]
    lines += ["", SECOND_OPINION, "[second_opinion]", *_second_opinion(settings.second_opinion)]
    for part, curves in (("right", settings.right), ("for_us", settings.for_us)):
        for engine, curve in curves.items():
            lines += ["", *_curve(f"{part}.{engine}", curve)]
    for engines, how in settings.together.items():
        lines += _tables_of_combination(f'together."{engines}"', how)
    return "\n".join(lines) + "\n"


def _fitted_on(heard: Sequence[HeardByEngines]) -> str:
    """Return the sentences that say of what and of whom the curves were fitted."""
    counts = Counter(one.said.kind for one in heard)
    voices = ", ".join(sorted({one.said.speaker for one in heard} - {"noise"}))
    kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items()))
    people = any(one.said.voice.startswith(f"{PERSON}+") for one in heard)
    who = (
        "voices are synthetic, cut from recordings, or people's where they are named by their recordings"
        if people
        else "all are synthetic or cut from recordings: what the figures mean for a human speaker is not known yet"
    )
    return textwrap.fill(
        f"Logistic curves on {len(heard)} utterances ({kinds}) by the speakers {voices}, eSpeak NG's in six languages "
        "and with twelve accents; clean, white noise, babble, rooms, another table. None is reserved for measuring; "
        f"{who}. Each speaker left out once and judged by the curves of the others:",
        118,
    )


def _steps(table: Thresholds | SecondOpinion, names: Sequence[str]) -> list[str]:
    """Return a line for each of these probabilities that is set."""
    found = ((name, getattr(table, name)) for name in names)
    return [f"{name} = {step}" for name, step in found if step is not None]


def _second_opinion(second: SecondOpinion) -> list[str]:
    lines = [f"wait_ms = {second.wait_ms}", f"late_ms = {second.late_ms}"]
    lines += _steps(second, ("accept", "command", "two_squares_below"))
    named = ", ".join(f'"{language}"' for language in second.languages)
    lines += [f"languages = [{named}]"] if named else []
    return [*lines, "", "[second_opinion.alone]", *(f"{name} = {least}" for name, least in second.alone.items())]


def _tables_of_combination(key: str, how: Combination) -> list[str]:
    """Return the tables of engines whose evidence is combined."""
    lines = ["", f"[{key}]", f"before = {how.before}", "", f"[{key}.candidates]"]
    lines += [f'"{name}" = {cost}' for name, cost in how.candidates.items()]
    for part, curve in (("right", how.right), ("for_us", how.for_us), ("twice", how.twice)):
        lines += ["", *_curve(f"{key}.{part}", curve)]
    return lines


def _curve(key: str, curve: Curve) -> list[str]:
    weights = [
        f'"{name}" = {weight}' if "." in name else f"{name} = {weight}" for name, weight in curve.weights.items()
    ]
    return [f"[{key}]", f"base = {curve.base}", "", f"[{key}.weights]", *weights]
