"""The voices of festival and flite that train, and their names for our phones. Data.

All are human voices cut into sounds.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Literal

import msgspec

Kind = Literal["diphone", "phones", "lexicon", "pico"]


class HumanVoice(msgspec.Struct, frozen=True):
    """One voice and how to make it say our phones.

    `phones`: our phone -> its own, one or several; a phone it lacks altogether is "". `others`: further ways to say
    some of them, of which an utterance draws one now and then: speakers of its language do not agree on what to do with
    a German sound. `kind`: how it is told what to say: segments with durations, phones alone, entries of its lexicon,
    X-SAMPA (Pico). `pitch`: the usual pitch of its speaker (Hz). `package`, `licence`: where it comes from.
    """

    name: str
    speaker: str
    kind: Kind
    silence: str
    pitch: float
    phones: dict[str, str]
    package: str
    licence: str
    others: Mapping[str, tuple[str, ...]] = {}

    def phones_said(self, chance: random.Random, own: Mapping[str, str] | None = None) -> dict[str, tuple[str, ...]]:
        """Return, by our phone, its own phones, as the voice says them in one utterance.

        `own`: the habits of a speaker, our phone -> another of ours.
        """
        found: dict[str, tuple[str, ...]] = {}
        for ours, first in self.phones.items():
            others = self.others.get(ours)
            found[ours] = tuple((chance.choice(others) if others and chance.random() < 0.4 else first).split())
        return {ours: found[(own or {}).get(ours) or ours] for ours in found}


def table_of(pairs: str) -> dict[str, str]:
    """Read pairs of our phone and theirs; several of theirs are joined by "+"."""
    return {ours: theirs.replace("+", " ") for ours, _, theirs in (pair.partition("=") for pair in pairs.split())}


def others_of(pairs: str) -> dict[str, tuple[str, ...]]:
    """Read, by our phone, the further ways to say it, with "/" between them."""
    return {ours: tuple(theirs.split("/")) for ours, _, theirs in (pair.partition("=") for pair in pairs.split())}


_SAME = {phone: phone for phone in ("p", "b", "t", "d", "k", "g", "f", "v", "s", "z", "m", "n", "l", "r")}
_AMERICAN = _SAME | table_of(
    "a=aa e=ey E=eh i=iy I=ih o=ow O=ao u=uw U=uh y=uw 2=er @=ax 6=ah aI=ay aU=aw OY=oy eI=ey oU=ow S=sh Z=zh "
    "C=sh x=k h=hh T=th D=dh N=ng j=y w=w"
)
_AMERICAN_OTHERS = others_of(
    "a=ah/ae e=eh E=ae/ey i=ih I=iy o=ao O=aa/ow u=uh U=uw y=iy/ih 2=ey/ow @=ah/ae 6=er/ax C=k/hh x=hh"
)
_ITALIAN = _SAME | table_of(
    "a=a1 e=e1 E=E1 i=i1 I=i o=o1 O=O1 u=u1 U=u y=u1 2=e1 @=e 6=a aI=a1+i aU=a1+u OY=O1+i eI=e1+i oU=o1+u S=S "
    "Z=z C=S x=k h= T=t D=d N=n j=j w=w"
)
_ITALIAN_OTHERS = others_of("a=a e=E1 E=e1 I=i1 o=O1 O=o1 U=u1 y=i1 2=o1/E1 @=a 6=e")
_CZECH = _SAME | table_of(
    "a=a e=e: E=e i=i: I=i o=o: O=o u=u: U=u y=i: 2=e: @=e 6=a aI=a+j aU=a+u OY=o+j eI=e+j oU=o+u S=s~ Z=z~ "
    "C=s~ x=ch h=h T=t D=d N=n* j=j w=v"
)
_CZECH_OTHERS = others_of("a=a: e=e E=e: I=i: o=o O=o: U=u: y=u: 2=o: @=a 6=e")
_FINNISH = _SAME | table_of(
    "a=a e=e: E=@ i=i: I=i o=o: O=o u=u: U=u y=y: 2=7: @=e 6=a aI=a+i aU=a+u OY=o+i eI=e+i oU=o+u "
    "z=s S=s Z=s C=h x=h h=h T=t D=d N=N j=j w=v"
)
_INDIAN = _SAME | table_of(
    "a=aa e=ee E=eh i=iy I=ih o=oo O=oh u=uw U=uh y=uw 2=ee @=a 6=a aI=ay aU=aw OY=oo+iy eI=ee oU=oo "
    "t=T d=D z=s S=sh Z=sh C=sh x=kh h=h T=th D=dh N=n j=y w=v"
)
_RUSSIAN = _SAME | table_of(
    "a=aa e=ee E=e i=ii I=i o=oo O=oo u=uu U=u y=uu 2=ee @=ae 6=a aI=aa+j aU=aa+u OY=oo+j eI=ee+j oU=oo+u "
    "S=sh Z=zh C=sch x=h h=h T=t D=d N=n j=j w=v"
)
_CATALAN = _SAME | table_of(
    "a=a1 e=e1 E=E1 i=i1 I=i o=o1 O=O1 u=u1 U=u y=u1 2=e1 @=ax 6=a aI=a1+j aU=a1+w OY=O1+j eI=e1+j oU=o1+w "
    "v=b S=S Z=Z C=S x=k h= T=t D=d N=n j=j w=w"
)
_GPL, _FREE = "GPL-2+", "festvox, permissive"
VOICES: tuple[HumanVoice, ...] = (
    HumanVoice("kal_diphone", "kal", "diphone", "pau", 105, _AMERICAN, "festvox-kallpc16k", _FREE, _AMERICAN_OTHERS),
    HumanVoice("ked_diphone", "ked", "diphone", "pau", 105, _AMERICAN, "festvox-kdlpc16k", _FREE, _AMERICAN_OTHERS),
    HumanVoice("pc_diphone", "pc", "diphone", "#", 115, _ITALIAN, "festvox-itapc16k", _GPL, _ITALIAN_OTHERS),
    HumanVoice("czech_ph", "ph", "diphone", "#", 110, _CZECH, "festvox-czech-ph", _GPL, _CZECH_OTHERS),
    HumanVoice("czech_machac", "machac", "diphone", "#", 110, _CZECH, "festvox-czech-machac", "GPL-3+", _CZECH_OTHERS),
    HumanVoice("czech_krb", "krb", "diphone", "#", 200, _CZECH, "festvox-czech-krb", "GPL-3+", _CZECH_OTHERS),
    HumanVoice("suo_fi_lj_diphone", "lj", "diphone", "#", 190, _FINNISH, "festvox-suopuhe-lj", "LGPL-2.1+"),
    HumanVoice("hindi_NSK_diphone", "NSK", "diphone", "pau", 120, _INDIAN, "festvox-hi-nsk", _GPL),
    HumanVoice("msu_ru_nsh_clunits", "nsh", "phones", "pau", 110, _RUSSIAN, "festvox-ru", "BSD-like"),
    HumanVoice("upc_ca_ona_hts", "ona", "lexicon", "pau", 190, _CATALAN, "festvox-ca-ona-hts", "LGPL-2.1+"),
)
TUNING = HumanVoice("czech_dita", "dita", "diphone", "#", 190, _CZECH, "festvox-czech-dita", "GPL-3+", _CZECH_OTHERS)
"""Voice that tunes the decoder and never trains."""

FLITE = HumanVoice("awb", "awb", "phones", "pau", 125, _AMERICAN, "flite", "CMU, permissive", _AMERICAN_OTHERS)
"""Flite's Scottish voice. Its slt and rms are reserved; kal is the same speaker as festival's."""
