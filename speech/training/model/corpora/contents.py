"""The texts that the training voices say. Pure.

Announcements, commands, words in any order, and words that are none of ours.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import msgspec

from speech.recognisers.lexicon import VOWELS, Way
from speech.training.common.planned_utterances import drawn_announcement
from speech.words.grammar import announcement_grammar
from speech.words.language import COMMANDS, FILES

NOTHING = ""
"""The token of a word that is none of ours."""

_ONSETS = (
    *("b", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "S", "t", "v", "z", "w", "t s", "t S", ""),
    *("b l", "b r", "d r", "f l", "f r", "g l", "g r", "k l", "k r", "k n", "p l", "p r", "S t", "S p", "S l", "S v"),
    *("t r", "k v", "p f", "S m", "S n", "S t r", "S p r", "x", "d Z", "T", "D"),
)
_NUCLEI = (*VOWELS, "a", "a", "E", "I", "O", "@", "@", "e", "i", "o", "u")
_CODAS = (
    *("", "", "", "", "n", "l", "r", "s", "t", "m", "k", "p", "f", "x", "C", "N", "S", "n t", "l t", "s t", "x t"),
    *("k s", "n s", "k t", "r t", "r m", "m p", "l f", "n d", "r n", "f t", "p f", "C t", "t s", "r k", "6"),
)
_FILLERS = (("E", "m"), ("@",), ("h", "m"), ("2",), ("a", "l", "z", "o"), ("j", "a"), ("n", "a"), ("s", "o"))


_SHIFTS: Mapping[str, tuple[str, ...]] = {
    "y": ("u", "i", "U", "I"),
    "2": ("e", "o", "E", "O"),
    "C": ("S", "k", "x", "h", "S"),
    "x": ("k", "h", "k"),
    "h": ("", "x"),
    "z": ("s",),
    "v": ("w", "f", "b", "w"),
    "@": ("E", "e", "a"),
    "6": ("a", "@", "r", "E"),
    "I": ("i",),
    "U": ("u",),
    "E": ("e", "e", "a"),
    "O": ("o",),
    "e": ("E", "eI", "I"),
    "o": ("O", "oU"),
    "i": ("I",),
    "u": ("U",),
    "aI": ("eI", "aI"),
    "S": ("s",),
    "p": ("b",),
    "d": ("t",),
    "g": ("k",),
    "b": ("p",),
    "f": ("v",),
}
"""Sounds that speakers of other languages make of a German one, each of some of them; "": they leave it out."""
_SLIGHT: Mapping[str, tuple[str, ...]] = {
    "z": ("s",),
    "C": ("S",),
    "6": ("a", "@"),
    "I": ("i",),
    "E": ("e",),
    "e": ("E",),
    "o": ("O",),
    "U": ("u",),
    "b": ("p",),
    "d": ("t",),
    "g": ("k",),
}
"""Sounds that Germans of one region or another make of a German one."""
Habits = Mapping[str, str]
"""A speaker's own sound for some of our phones."""


class Item(msgspec.Struct, frozen=True):
    """Word to be said.

    It has the token (none where it is no word of ours), its phones, and the pause before it (s).
    """

    token: str
    phones: Way
    pause: float = 0.0


def draw_sentence(chance: random.Random, lexicon: Mapping[str, tuple[Way, ...]]) -> list[Item]:
    """Return one utterance.

    `lexicon`: token -> ways to say it, those of the German words of D.2.1 included.
    """
    draw = chance.random()
    if draw < 0.31:
        words = _german(announcement(chance, "file"))
    elif draw < 0.53:
        # Letters are short and rhyme: they need more examples than their share of the games.
        words = _german(announcement(chance, chance.choice(["nato", "spelling", "spelling", *["letter"] * 5])))
    elif draw < 0.62:
        words = _german(chance.choices(_core(), k=chance.randint(1, 6)))
    elif draw < 0.69:
        words = [f"de:cmd.{chance.choice(COMMANDS)}"]
    elif draw < 0.79:
        return _put_pauses(chance, _foreign(chance, lexicon))
    else:
        return _put_pauses(chance, _strange(chance, lexicon))
    items = [Item(word, chance.choice(lexicon[word])) for word in words]
    if any(word.split(".")[0] in ("de:letter", "de:nato", "de:spelling") for word in words) and chance.random() < 0.4:
        # Letters are often said one by one.
        items = [
            items[0],
            *(msgspec.structs.replace(one, pause=round(chance.uniform(0.05, 0.4), 3)) for one in items[1:]),
        ]
    if chance.random() < 0.04:
        items.insert(chance.choice([0, len(items)]), Item(NOTHING, chance.choice(_FILLERS)))
    return _put_pauses(chance, items)


def habits(chance: random.Random, *, foreign: bool) -> Habits:
    """Return how one speaker says our phones, where it is not as the lexicon has them.

    Nobody has all the habits of an accent, and no two speakers the same.
    """
    table, often = (_SHIFTS, chance.choice((0.15, 0.35, 0.6))) if foreign else (_SLIGHT, 0.2)
    return {phone: chance.choice(others) for phone, others in table.items() if chance.random() < often}


def accent_now_and_then(chance: random.Random) -> Habits:
    """Return the habits of a foreign speaker for three utterances in ten, none for the others."""
    return habits(chance, foreign=True) if chance.random() < 0.3 else {}


def as_spoken(items: Sequence[Item], own: Habits, chance: random.Random) -> list[Item]:
    """Return the items without the sounds that this speaker leaves out, a schwa at a word's end among them."""
    found: list[Item] = []
    swallows = chance.random() < 0.06
    for item in items:
        phones = tuple(phone for phone in item.phones if own.get(phone) != "")
        if swallows and phones[-1:] == ("@",) and len(phones) > 3:
            phones = phones[:-1]
        found.append(msgspec.structs.replace(item, phones=phones or item.phones))
    return found


def announcement(chance: random.Random, file_names: str) -> list[str]:
    """Return a well-formed announcement with the small words players may add."""
    plain = list(drawn_announcement(chance, file_names))
    words = list(plain)
    if "rank" in words[-1] and chance.random() < 0.12:
        words += [chance.choice(["word.check", "word.mate", "word.ep"])]
    if chance.random() < 0.1:
        ranks = [place for place, word in enumerate(words) if word.startswith("rank.")]
        if len(ranks) == 2:
            words.insert(ranks[0] + 1, "word.to")
            if chance.random() < 0.5:
                words.insert(ranks[0] - 1, "word.from")
    if words[-1].startswith("piece.") and len(words) > 1 and chance.random() < 0.3:
        words.insert(-1, "word.promotes")
    # What was added may not fit what was there.
    return words if announcement_grammar((file_names,)).accepts(words) else plain


def pseudo_word(chance: random.Random) -> Way:
    """Return sounds in an order that German or English could have."""
    phones: list[str] = []
    for _ in range(chance.choices([1, 2, 3, 4], [30, 40, 20, 10])[0]):
        phones += [*chance.choice(_ONSETS).split(), chance.choice(_NUCLEI), *chance.choice(_CODAS).split()]
    return tuple(phone for place, phone in enumerate(phones) if place == 0 or phone != phones[place - 1])


def _german(words: Sequence[str]) -> list[str]:
    return [f"de:{word}" for word in words]


def _core() -> list[str]:
    names = [f"{kind}.{file}" for kind in ("file", "file", "letter", "letter", "nato", "spelling") for file in FILES]
    ranks = [f"rank.{rank}" for rank in "12345678"] * 3
    pieces = [f"piece.{piece}" for piece in ("king", "queen", "rook", "bishop", "knight", "pawn")] * 3
    return [*names, *ranks, *pieces, *("word.takes", "word.to", "word.from", "word.check", "word.mate") * 2]


def _foreign(chance: random.Random, lexicon: Mapping[str, tuple[Way, ...]]) -> list[Item]:
    """Return an announcement or a command in another language.

    The files and pieces have their national names or the German ones.
    """
    language = chance.choice([token.split(":")[0] for token in lexicon if not token.startswith("de:")])
    draw = chance.random()
    if draw < 0.45:
        words = [f"cmd.{chance.choice(COMMANDS)}"]
    else:
        words = announcement(chance, "file" if draw < 0.85 else chance.choice(["nato", "letter", "spelling"]))
    found = [f"{language}:{word}" for word in words]
    return [Item(word, chance.choice(lexicon[word])) for word in found if word in lexicon]


def _strange(chance: random.Random, lexicon: Mapping[str, tuple[Way, ...]]) -> list[Item]:
    """Return pseudo-words, sometimes with a word of ours among them, or one with a sound gone wrong."""
    items = [Item(NOTHING, pseudo_word(chance)) for _ in range(chance.randint(1, 5))]
    if chance.random() < 0.3:
        word = chance.choice([one for one in lexicon if one.startswith("de:")])
        items.insert(chance.randrange(len(items) + 1), Item(word, chance.choice(lexicon[word])))
    return items


def _put_pauses(chance: random.Random, items: Sequence[Item]) -> list[Item]:
    halting = chance.random() < 0.35
    longest = chance.choice((0.3, 0.6)) if halting else 0.35
    return [
        Item(item.token, item.phones, round(chance.uniform(0.03, longest), 3) if chance.random() < often else 0.0)
        for place, item in enumerate(items)
        for often in [0.0 if place == 0 else 0.6 if halting else 0.08]
    ]
