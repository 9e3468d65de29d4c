"""This module reads `config/hearing.toml`: how sure each engine may be, and what follows from it.

The file also says how the evidence of the engines is put together.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.abc import Traversable

import msgspec

from speech.complaint import Complaint
from speech.hearing.combine import Combination, known_figures
from speech.hearing.confidence import FIGURES, Curve
from speech.words.config_file import read_settings

MUST_BE_THERE = ("sphinx", "vosk", "own")
LONGEST_WAIT_MS = 20_000


class Thresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `Thresholds` say from which probability on something is done.

    `accept`: record as announced; `confirm`: read back first; `command`: obey, none: as `accept` (all of P(right)).
    `letters`: record as announced what names a file by its letter, which rhymes with others; none: as `accept`.
    `for_us`: ask again (of P(it was an announcement or a command at all)); below that it was not an utterance for us.
    `word`: a word that fits its sound less than this (0 to 1) was not understood. `against`: where two engines were
    never fitted together, from this P(right) on one is believed although the other heard something else.
    """

    accept: float
    confirm: float
    for_us: float
    word: float
    against: float
    command: float | None = None
    letters: float | None = None

    def all_from(self, step: float) -> Thresholds:
        """Return thresholds that take everything from this one P(right) on, and read nothing back.

        They are used to draw a curve.
        """
        return msgspec.structs.replace(self, accept=step, confirm=step, command=step, letters=None)

    def accepted_from(self, step: float) -> Thresholds:
        """Return thresholds for which what is recorded without a read-back must be as sure as this.

        The same holds for letters.
        """
        return msgspec.structs.replace(
            self, accept=step, letters=None if self.letters is None else max(step, self.letters)
        )


class SecondOpinion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `SecondOpinion` says when one ear is believed by itself (`speech/hearing/second_opinion.py`).

    `alone`: engine -> from this P(right) on what it takes for an announcement is recorded without asking the others;
    without an entry all engines listen to everything. `wait_ms`: so long an utterance waits for the others to be free;
    then the player is asked again. `accept`: from this P(right) on what all heard together is recorded, where the first
    one was in doubt; below it is read back first; none: as `thresholds.accept`. `early`: where a doubt is likely, the
    others begin while the player still speaks.
    """

    alone: Mapping[str, float] = {}
    wait_ms: int = 1_500
    accept: float | None = None
    early: bool = True

    def steps(self, usual: Thresholds) -> Thresholds:
        """Return the thresholds for what left the first engine in doubt."""
        return usual if self.accept is None else usual.accepted_from(self.accept)


class HearingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `HearingSettings` are all of `config/hearing.toml`.

    There are two curves for each engine (is it right? is it for us?), the curves of several engines together, the
    thresholds, and the provenance.
    """

    provenance: Mapping[str, str]
    thresholds: Thresholds
    right: Mapping[str, Curve]
    for_us: Mapping[str, Curve]
    together: Mapping[str, Combination] = {}
    second_opinion: SecondOpinion = SecondOpinion()


def load_hearing(root: Traversable | None = None) -> HearingSettings:
    """Read `config/hearing.toml`. Raises Complaint that names the file and the key path."""
    label = "config/hearing.toml"
    found = read_settings("hearing.toml", HearingSettings, root)
    for path, curves in (("right", found.right), ("for_us", found.for_us)):
        for engine in MUST_BE_THERE:
            if engine not in curves:
                raise Complaint(f"{label}, key {path}.{engine}: this entry is missing.")
        for engine, curve in curves.items():
            for name in curve.weights:
                if name not in FIGURES:
                    raise Complaint(f"{label}, key {path}.{engine}.weights.{name}: there is no such figure.")
    for engines, how in found.together.items():
        known = known_figures(engines.split("+"))
        for part, curve in (("right", how.right), ("for_us", how.for_us), ("twice", how.twice)):
            for name in curve.weights:
                if name not in known:
                    raise Complaint(f"{label}, key together.{engines}.{part}.weights.{name}: there is no such figure.")
        if not 0.0 <= how.before <= 1.0 or min(how.candidates.values(), default=0.0) < 0.0:
            raise Complaint(f"{label}, key together.{engines}: before is from 0 to 1, and no cost below 0.")
    steps = found.thresholds
    every = (steps.accept, steps.confirm, steps.for_us, steps.word, steps.against, steps.command or 0.0)
    if not all(0 <= step <= 1 for step in every) or steps.accept < steps.confirm:
        raise Complaint(f"{label}, key thresholds: each must be from 0 to 1, and accept not below confirm.")
    if steps.letters is not None and not steps.accept <= steps.letters <= 1:
        raise Complaint(f"{label}, key thresholds.letters: it must be from accept ({steps.accept}) to 1.")
    for engine, alone in found.second_opinion.alone.items():
        key = f"{label}, key second_opinion.alone.{engine}"
        if engine not in found.together:
            raise Complaint(f'{key}: there is no curve together."{engine}" that says how sure it is by itself.')
        if not steps.accept <= alone <= 1:
            raise Complaint(f"{key}: it must be from thresholds.accept ({steps.accept}) to 1.")
    later = found.second_opinion.accept
    if later is not None and not steps.accept <= later <= 1:
        raise Complaint(f"{label}, key second_opinion.accept: it must be from thresholds.accept ({steps.accept}) to 1.")
    if not 0 <= found.second_opinion.wait_ms <= LONGEST_WAIT_MS:
        raise Complaint(f"{label}, key second_opinion.wait_ms: it must be from 0 to {LONGEST_WAIT_MS}.")
    return found
