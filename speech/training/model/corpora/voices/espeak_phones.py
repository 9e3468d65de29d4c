"""eSpeak NG's names for the phones of our own model. Pure."""

from __future__ import annotations

from collections.abc import Mapping

# eSpeak NG's mnemonics -> our phones, for every voice whose table has them; marks of stress are stripped before.
_VOWELS: dict[str, str] = {
    **dict.fromkeys(("a", "A", "A:", "a:", "aa", "a#", "V", "a.", "A#"), "a"),
    **dict.fromkeys(("e", "e:"), "e"),
    **dict.fromkeys(("E", "E:", "E2", "&", "{", "æ"), "E"),
    **dict.fromkeys(("i", "i:"), "i"),
    **dict.fromkeys(("I", "I2", "i.", "I#"), "I"),
    **dict.fromkeys(("o", "o:"), "o"),
    **dict.fromkeys(("O", "O:", "0", "O2"), "O"),
    **dict.fromkeys(("u", "u:"), "u"),
    **dict.fromkeys(("U", "U:"), "U"),
    **dict.fromkeys(("y", "y:"), "y"),
    **dict.fromkeys(("Y", "Y:", "W", "W:", "3:", "2"), "2"),
    **dict.fromkeys(("@", "@-", "@2", "@#"), "@"),
    "3": "6",
    "aI": "aI",
    "aU": "aU",
    "OY": "OY",
    "OI": "OY",
    "eI": "eI",
    "EI": "eI",
    "oU": "oU",
    "UR": "U 6",
    "@L": "@ l",
    "aI@": "aI 6",
    "aU@": "aU 6",
    "I@": "i 6",
    "i@": "i 6",
    "i@3": "i 6",
    "e@": "E 6",
    "U@": "u 6",
    "A@": "a r",
    "O@": "O r",
    "o@": "O r",
    "aI3": "aI 6",
}
_CONSONANTS: dict[str, str] = {
    **{phone: phone for phone in ("p", "b", "t", "d", "k", "g", "f", "v", "s", "z", "S", "Z", "C", "x", "h", "T", "D")},
    **{phone: phone for phone in ("m", "n", "N", "l", "r", "j", "w")},
    **{f"{stop}#": stop for stop in ("p", "t", "k")},
    **dict.fromkeys(("R", "R2", 'r"', "*", "r/", "r-", "r."), "r"),
    **dict.fromkeys(("X", "q#"), "x"),
    **dict.fromkeys(("s[", "s2", "s."), "s"),
    **dict.fromkeys(("t[", "t2", "t."), "t"),
    **dict.fromkeys(("d[", "d2", "d."), "d"),
    **dict.fromkeys(("dH", "D[", "z["), "D"),
    **dict.fromkeys(("H", "h#"), "h"),
    "gH": "r",
    "q": "k",
    "z2": "z",
    "ts": "t s",
    "ts#": "t s",
    "tS": "t S",
    "tS#": "t S",
    "dz": "d z",
    "dZ": "d Z",
    "pF": "p f",
    "J": "d j",
    "c": "t j",
    "n^": "n j",
    "l^": "l j",
    "L": "l",
    "l#": "l",
    "n-": "n",
    "l-": "l",
    "m-": "m",
    "ç": "C",
    ";": "j",
}
_NOTHING = frozenset({"?", "_!", "_|", "_", "_:", "_;_", "_^_", "||", "|", "", ":"})
ESPEAK: Mapping[str, tuple[str, ...]] = {
    mnemonic: tuple(phones.split()) for mnemonic, phones in {**_VOWELS, **_CONSONANTS}.items()
}


def of_espeak(mnemonic: str) -> tuple[str, ...] | None:
    """Return our phones for one of eSpeak NG's mnemonics.

    The tuple is empty for a pause or a glottal stop; a strange sound gives None.

    >>> of_espeak("'UR")
    ('U', '6')
    """
    plain = mnemonic.lstrip("',%=")
    return () if plain in _NOTHING else ESPEAK.get(plain)
