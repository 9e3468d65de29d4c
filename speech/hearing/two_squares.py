"""The two squares that a sound with a letter may have named, so that the player is asked which. Pure.

German letters rhyme ("be", "de", "ge"): of a stranger's letters the first choice is often wrong, while the right one is
nearly always the first or the second. Both come from the sound alone, never from a position, and stand in the order of
the files: what is said then depends on the two squares and on nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from speech.announcements.understand import understand
from speech.hearing.confidence import meaning
from speech.hearing.settings import Thresholds
from speech.recognisers.recogniser import Hypothesis
from speech.words.grammar import FILE_NAMES
from speech.words.said import Heard, Said
from speech.words.scheme import Scheme

Chain = tuple[str, ...]
SPELT = ("letter", "spelling")
"""The names of the files that a sound often leaves in doubt."""
PLAIN = ("file", "spelling", "nato")
"""The names of the files that are told apart better than letters are, best first: Anna, Anton, Alfa."""


def two_squares(ranked: Sequence[Hypothesis], right: float, steps: Thresholds) -> tuple[Chain, ...]:
    """Return the two squares to ask about, in the order of the files; () where the player is not asked.

    It is the best chain and the same with another file: that of the second best meaning, which must be the same in all
    else. One of both must have named the file by its letter, and both must carry nearly all of the probability.
    `ranked`: a chain for each meaning, best first, the scores logs of shares. `right`: P(the best one was said).
    """
    if steps.two_squares is None or len(ranked) < 2 or right >= steps.two_squares_below:
        return ()
    best, second = (one.ids for one in ranked[:2])
    place, file = _other_file(best, second)
    both = math.exp(ranked[0].score) + math.exp(ranked[1].score)
    if place is None or both < steps.two_squares:
        return ()
    kind = best[place].split(".")[0]
    other = (*best[:place], f"{kind}.{file}", *best[place + 1 :])
    return tuple(sorted((best, other), key=lambda chain: chain[place].split(".")[1]))


def _other_file(best: Chain, second: Chain) -> tuple[int | None, str]:
    """Return the place of the file's name in the best chain, and the file that the second means there.

    (None, "") where they do not differ in the file of one square alone, or neither names it by a letter.
    """
    one, two = meaning(understand(best))[1], meaning(understand(second))[1]
    if not isinstance(one, Said) or not isinstance(two, Said) or None in (one.to_square, two.to_square):
        return None, ""
    for square, which in (("to_square", -1), ("from_square", 0)):
        mine, theirs = getattr(one, square), getattr(two, square)
        if msgspec.structs.replace(one, **{square: theirs}) != two or mine is None or theirs is None:
            continue
        if mine[0] != theirs[0] and mine[1] == theirs[1]:
            names = [_files(chain)[which] for chain in (best, second)]
            spelt = any(chain[at].split(".")[0] in SPELT for chain, at in zip((best, second), names, strict=True))
            return (names[0], theirs[0]) if spelt else (None, "")
    return None, ""


def _files(chain: Chain) -> list[int]:
    """Return where a chain names files."""
    return [place for place, word in enumerate(chain) if word.split(".")[0] in FILE_NAMES]


def in_plain_names(choices: Sequence[Chain], scheme: Scheme) -> tuple[Chain, ...]:
    """Return the same announcements with names of the files that hardly rhyme and that the scheme hears.

    () where it hears no such names: then asking would not help. Of names that are told apart alike, those come first
    that the scheme announces with.
    """
    heard = (scheme.file_names, *scheme.also_heard)
    kind = next((one for one in PLAIN if one in heard), None)
    if kind is None:
        return ()

    def plain(word: str) -> str:
        return f"{kind}.{word.split('.')[1]}" if word.split(".")[0] in FILE_NAMES else word

    return tuple(tuple(plain(word) for word in chain) for chain in choices)


def which_of_two(heard: Heard, choices: Sequence[Chain]) -> Chain | None:
    """Return which of the two a player's answer names; None where it is neither.

    The answer is the announcement, or the square alone in which the two differ: "Bella vier" after "Springer Bella vier
    oder Springer David vier?".
    """
    if heard.kind != "move" or heard.said is None or not choices:
        return None
    for chain in choices:
        if meaning(understand(chain)) == meaning(heard):
            return chain
    place = next((at for at, words in enumerate(zip(*choices, strict=True)) if len(set(words)) > 1), None)
    if place is None or heard.said != Said(None, None, heard.said.to_square):
        return None
    for chain in choices:
        if heard.said.to_square == "".join(word.split(".")[1] for word in chain[place : place + 2]):
            return chain
    return None
