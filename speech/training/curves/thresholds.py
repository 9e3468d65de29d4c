"""The thresholds that cost a player the least time, in seconds. Pure.

An utterance is asked again, read back, or accepted. A person chooses the thresholds of `config/hearing.toml`; this says
what each choice would cost on the voices that tune.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from speech.hearing.settings import Thresholds
from speech.hearing.verdict import Judgement, judgement_of
from speech.words.said import Heard

ACCEPTS = (0.9, 0.93, 0.95, 0.97, 0.98, 0.985, 0.99, 0.995)
CONFIRMS = (0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93)
LETTERS_FROM = (0.4, 0.5, 0.6, 0.65, 0.7, 0.75)


class Costs(msgspec.Struct, frozen=True):
    """Seconds of a player's attention that each verdict costs, with the player's clock running.

    They are guesses. What matters is that a game is worth half an hour of them, and that what was accepted is checked
    less than what asks for a yes.
    """

    asked_again: float = 6.0
    """The question and the announcement once more; half of it again (`second_time`) for what the second time may bring.
    """
    second_time: float = 3.0
    yes: float = 2.5
    """The read-back as a question and the yes."""
    no: float = 8.0
    """The read-back, the no, the announcement once more."""
    slip: float = 0.01
    """The chance that the player says yes to a read-back that is wrong."""
    noticed: float = 10.0
    """A wrong move that was accepted is noticed in its echo, and corrected."""
    unnoticed: float = 0.05
    """The chance that it is not noticed in its echo."""
    game: float = 1800.0

    def of(self, done: Judgement, true: bool) -> float:
        """Return the cost of one utterance that was for us, or for nobody (`true` is False then)."""
        if done == "accept":
            return 0.0 if true else (1 - self.unnoticed) * self.noticed + self.unnoticed * self.game
        if done == "confirm":
            return self.yes if true else self.no + self.slip * self.game
        return self.asked_again + self.second_time

    def until_taken(self, first: tuple[Judgement, bool], second: tuple[Judgement, bool]) -> float:
        """Return the cost of one announcement of which it is known what became of it the second time.

        The second time comes where the first was asked again, or read back wrongly.
        """
        done, true = first
        if done == "accept" or (done == "confirm" and true):
            return self.of(done, true)
        once = self.no + self.slip * self.game if done == "confirm" else self.asked_again
        return once + self.of(*second)


class Judgeable(msgspec.Struct, frozen=True):
    """One utterance by curves that did not see its speaker.

    `ours`: it was an announcement or a command.
    """

    heard: Heard
    right: float
    for_us: float
    true: bool
    ours: bool


class Choice(msgspec.Struct, frozen=True):
    """Pair of thresholds and what it does, as shares of all that was for us."""

    accept: float
    confirm: float
    seconds: float
    right: float
    accepted_wrong: float
    read_back_wrong: float
    asked_again: float


def choice(every: Sequence[Judgeable], steps: Thresholds, costs: Costs) -> Choice:
    """Return the choice that these thresholds are, with its cost.

    What was for nobody counts as wrong where it is taken, and not at all where it is not.
    """
    ours = [one for one in every if one.ours]
    done = [(one, judgement_of(one.heard, one.right, one.for_us, steps)) for one in every]
    seconds = sum(costs.of(what, one.true) for one, what in done if one.ours or what in ("accept", "confirm"))
    total = max(1, len(ours))

    def share(what: tuple[Judgement, ...], true: bool | None = None) -> float:
        return sum(one.ours and made in what and true in (None, one.true) for one, made in done) / total

    return Choice(
        steps.accept,
        steps.confirm,
        seconds / total,
        share(("accept", "confirm"), True),
        share(("accept",), False),
        share(("confirm",), False),
        share(("repeat", "reject")),
    )


def choices(every: Sequence[Judgeable], steps: Thresholds, costs: Costs | None = None) -> list[Choice]:
    """Return every pair, the cheapest first."""
    pairs = [(accept, confirm) for accept in ACCEPTS for confirm in CONFIRMS if confirm <= accept]
    found = [
        choice(every, msgspec.structs.replace(steps, accept=accept, confirm=confirm), costs or Costs())
        for accept, confirm in pairs
    ]
    return sorted(found, key=lambda one: one.seconds)


def told_choices(every: Sequence[Judgeable], steps: Thresholds, count: int = 4) -> str:
    """Return the cheapest pairs, and the one in force, as text."""
    rows = [*choices(every, steps)[:count], choice(every, steps, Costs())]
    return "\n".join(
        f"  accept {one.accept:5}, confirm {one.confirm:4}: {one.seconds:.2f} s an utterance; right at once "
        f"{one.right:.3f}, accepted wrong {one.accepted_wrong:.4f}, read back wrong {one.read_back_wrong:.4f}, "
        f"asked again {one.asked_again:.3f}" + ("" if place < count else " (in force)")
        for place, one in enumerate(rows)
    )


def told_letters(pairs: Sequence[tuple[Judgeable, Judgeable]], steps: Thresholds, costs: Costs | None = None) -> str:
    """Return what it costs to read letters back from each P(right) on, as text.

    `pairs`: an announcement with a letter, and the same said once more. Asked again, letters are in doubt again.
    """
    known, lines = costs or Costs(), list[str]()
    for least in LETTERS_FROM if pairs else ():
        at = msgspec.structs.replace(steps, letters_confirm=least)
        done = [[(judgement_of(one.heard, one.right, one.for_us, at), one.true) for one in both] for both in pairs]
        seconds = sum(known.until_taken(first, second) for first, second in done) / len(done)
        counts = Counter(first for first, _ in done)
        right = sum(count for (what, true), count in counts.items() if true and what in ("accept", "confirm"))
        lines.append(
            f"  letters read back from {least}: {seconds:.2f} s an utterance; of {len(done)} right at once {right}, "
            f"accepted wrong {counts['accept', False]}, read back wrong {counts['confirm', False]}"
        )
    return "\n".join(lines)
