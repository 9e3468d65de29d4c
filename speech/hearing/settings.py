"""The settings of hearing (`config/hearing.toml`): how sure each engine may be, and what follows from it.

The file also says how the evidence of the engines is put together.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Annotated

import msgspec

from speech.hearing.combine import Combination, Share, known_figures
from speech.hearing.confidence import FIGURES, Curve
from speech.words.config_file import Text, read_source

MUST_BE_THERE = ("own", "vosk", "whisper")
LONGEST_WAIT_MS = 20_000


class Thresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Probabilities from which on something is done.

    `accept`: record as announced; `confirm`: read back first; `command`: obey, none: as `accept` (all of P(right)).
    `command_asked`: from here on a command is taken that only tells something, or that the player is asked about before
    it counts; none: as `command`. `letters`: record as announced what names a file by its letter, which rhymes with
    others; none: as `accept`.
    `letters_confirm`: read such an announcement back first, where no name was heard about as well; none: as `confirm`.
    `radio_confirm`: and so one that names a file by the radio's alphabet, which few use; none: as `confirm`.
    `near_command`: an announcement without letters is asked again where our own model names a command that is so little
    worse (log units); 0: never.
    `for_us`: ask again (of P(it was an announcement or a command at all)); below that it was not an utterance for us.
    `taken`: record, read back or obey (of the same probability); below that the player is asked again, however sure the
    words are: talk may sound like an announcement. 0: whatever was for us may be taken. `short_taken`: the same for a
    command and for what names a file by its letter, whose short words tell less of that; none: as `taken`.
    `word`: a word that fits its sound less than this (0 to 1) was not understood. `against`: from this P(right) on one
    engine is believed by itself although another heard something else or nothing. `contradicted`: where another heard
    something else with this P(right) by itself, the player is asked again in place of a read-back; none: never.
    `unmeant`: and where another heard something else with a lower P(it was for us); none: never. `letters_apart`:
    where the ears heard different things, what names a file by its letter is read back only with this share of what
    it and the next likeliest carry; below, the player is asked which it was, or again; none: always. `names_apart`:
    and so all else only from this P(right) on of an ear that heard it, by itself; none: always.
    `two_squares`: where the two likeliest announcements differ in one file, named by its letter, and carry this share
    of the probability together, the player is asked which of them it was, unless the likelier one has a P(right) of
    `two_squares_below`; none: never. `opposite`: a yes is asked again where our own model names a no that is so little
    worse (log units), and the other way round; 0: only where an engine takes it for the opposite.
    """

    accept: Share
    confirm: Share
    for_us: Share
    word: Share
    against: Share
    taken: Share = 0.0
    command: Share | None = None
    command_asked: Share | None = None
    letters: Share | None = None
    letters_confirm: Share | None = None
    radio_confirm: Share | None = None
    near_command: Annotated[float, msgspec.Meta(ge=0.0, le=100.0)] = 0.0
    short_taken: Share | None = None
    two_squares: Share | None = None
    two_squares_below: Share = 1.0
    opposite: Annotated[float, msgspec.Meta(ge=0.0, le=100.0)] = 0.0
    contradicted: Share | None = None
    unmeant: Share | None = None
    letters_apart: Share | None = None
    names_apart: Share | None = None

    def all_from(self, step: float) -> Thresholds:
        """Return thresholds that take everything from this one P(right) on, and read nothing back.

        They are used to draw a curve.
        """
        return msgspec.structs.replace(
            self,
            accept=step,
            confirm=step,
            command=step,
            command_asked=None,
            taken=0.0,
            short_taken=None,
            two_squares=None,
            letters=None,
            letters_confirm=None,
            radio_confirm=None,
            near_command=0.0,
            against=0.0,
            contradicted=None,
            unmeant=None,
            letters_apart=None,
            names_apart=None,
        )

    def accepted_from(self, step: float) -> Thresholds:
        """Return thresholds for which what is recorded without a read-back must be as sure as this.

        The same holds for letters.
        """
        return msgspec.structs.replace(
            self, accept=step, letters=None if self.letters is None else max(step, self.letters)
        )


class SecondOpinion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Conditions under which one ear is believed by itself (`speech/hearing/second_opinion.py`).

    `alone`: engine -> from this P(right) on what it takes for an announcement is recorded without asking the others;
    without an entry all engines listen to everything. `wait_ms`: so long an utterance waits for the others to be free;
    then the player is asked again. `late_ms`: so do they where the verdict is not there so long after the last sample.
    `accept`: from this P(right) on what all heard together is recorded, where the first one was in doubt; below it is
    read back first; none: as `thresholds.accept`. `command`, `two_squares_below`: as in the thresholds, of what all
    heard together; none: as there. `early`: where a doubt is likely, the others begin while the player still speaks.
    `languages`: the second ear is asked only where the first heard words of these, or nothing; () all.
    """

    alone: Mapping[str, Share] = {}
    wait_ms: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_WAIT_MS)] = 1_500
    late_ms: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_WAIT_MS)] = 2_000
    accept: Share | None = None
    command: Share | None = None
    two_squares_below: Share | None = None
    early: bool = True
    languages: tuple[Text, ...] = ()

    def steps(self, usual: Thresholds) -> Thresholds:
        """Return the thresholds for what left the first engine in doubt."""
        steps = usual if self.accept is None else usual.accepted_from(self.accept)
        own = {"command": self.command, "two_squares_below": self.two_squares_below}
        return msgspec.structs.replace(steps, **{name: step for name, step in own.items() if step is not None})


class HearingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of `config/hearing.toml`.

    There are two curves for each engine (is it right? is it for us?), the curves of several engines together, the
    thresholds, and the provenance.
    """

    provenance: Mapping[str, str]
    thresholds: Thresholds
    right: Mapping[str, Curve]
    for_us: Mapping[str, Curve]
    together: Mapping[str, Combination] = {}
    second_opinion: SecondOpinion = SecondOpinion()


@cache
def load_hearing(root: Traversable | None = None) -> HearingSettings:
    """Read `config/hearing.toml`. Raises Complaint that names the file and the key path."""
    source = read_source("hearing.toml", root)
    found = source.in_shape(HearingSettings)
    for path, curves in (("right", found.right), ("for_us", found.for_us)):
        source.exactly(curves, path, (*MUST_BE_THERE, *curves))
        for engine, curve in curves.items():
            source.exactly(curve.weights, f"{path}.{engine}.weights", FIGURES, every=False)
    for engines, how in found.together.items():
        known = known_figures(engines.split("+"))
        for part, curve in (("right", how.right), ("for_us", how.for_us), ("twice", how.twice)):
            source.exactly(curve.weights, f'together."{engines}".{part}.weights', known, every=False)
    steps, second = found.thresholds, found.second_opinion
    if steps.accept < steps.confirm:
        raise source.complain("thresholds.accept", "it must not be below confirm")
    if steps.letters_confirm is not None and steps.accept < steps.letters_confirm:
        raise source.complain("thresholds.letters_confirm", f"it must not be above thresholds.accept ({steps.accept})")
    if steps.taken and steps.taken < steps.for_us:
        raise source.complain("thresholds.taken", f"it must not be below thresholds.for_us ({steps.for_us})")
    if steps.short_taken is not None and not steps.for_us <= steps.short_taken <= steps.taken:
        between = f"it must be from thresholds.for_us ({steps.for_us}) to thresholds.taken ({steps.taken})"
        raise source.complain("thresholds.short_taken", between)
    if second.late_ms < second.wait_ms:
        raise source.complain("second_opinion.late_ms", f"it must not be below wait_ms ({second.wait_ms})")
    later = {"thresholds.letters": steps.letters, "second_opinion.accept": second.accept}
    for engine, alone in second.alone.items():
        later[f"second_opinion.alone.{engine}"] = alone
        if engine not in found.together:
            wrong = f'there is no curve together."{engine}" that says how sure it is by itself'
            raise source.complain(f"second_opinion.alone.{engine}", wrong)
    for path, step in later.items():
        if step is not None and step < steps.accept:
            raise source.complain(path, f"it must be from thresholds.accept ({steps.accept}) to 1")
    return found
