"""The voices of SVOX Pico, all of women, and each one's names for our phones (X-SAMPA). Data.

A phone that a voice does not know it leaves out without a word, so the tables name only what was tried.
"""

from __future__ import annotations

from speech.training.model.corpora.voices.festival_voices import HumanVoice, others_of, table_of

_SAME = {phone: phone for phone in ("p", "b", "t", "d", "k", "g", "f", "s", "m", "n", "l")}
_GERMAN = _SAME | table_of(
    "a=a e=e: E=E i=i: I=I o=o: O=O u=u: U=U y=y: 2=2: @=@ 6=6 aI=a_I aU=a_U OY=O_Y eI=e: oU=o: v=v z=z S=S Z=Z C=C "
    "x=x h=h T=s D=z N=N j=j r=R w=v"
)
_GERMAN_OTHERS = others_of("a=a: E=E: y=Y 2=9 e=E @=E")
_ENGLISH = _SAME | table_of(
    "a=A: e=e_I E=E i=i: I=I o=o_U O=O: u=u: U=U y=u: 2=3: @=@ 6=@ aI=a_I aU=a_U OY=O_I eI=e_I oU=o_U v=v z=z S=S Z=Z "
    "C=S x=k h=h T=T D=D N=N j=j r=r\\\\ w=w"
)
_ENGLISH_OTHERS = others_of("a=V/{ e=E i=I I=i: o=O: O=Q/V U=u: y=i:/I 2=e_I/@_U @=V 6=3:/V C=k/h x=h")
_BRITISH = _ENGLISH | table_of("o=@_U oU=@_U O=Q")
_BRITISH_OTHERS = _ENGLISH_OTHERS | others_of("O=O:")
_SPANISH = _SAME | table_of(
    "a=a e=e E=e i=i I=i o=o O=o u=u U=u y=u 2=e @=e 6=a aI=a+i aU=a+u OY=o+i eI=e+i oU=o+u v=b z=s S=t_S Z=j "
    "C=x x=x h=x T=T D=D N=N j=j r=r w=u"
)
_SPANISH_OTHERS = others_of("y=i 2=o @=a 6=e C=t_S S=s r=rr h= Z=t_S v=f")
_FRENCH = _SAME | table_of(
    "a=a e=e E=E i=i I=i o=o O=O u=u U=u y=y 2=2 @=@ 6=a aI=a+j aU=a+u OY=O+j eI=e oU=o v=v z=z S=S Z=Z C=S x=R "
    "h= T=t D=z N=N j=j r=R w=w"
)
_FRENCH_OTHERS = others_of("2=9 y=u @=2/9 6=@/E x=k C=k T=s D=d O=o aU=a+o e=E")
_ITALIAN = _SAME | table_of(
    "a=a e=e E=E i=i I=i o=o O=O: u=u U=u y=u 2=e @=e 6=a aI=a+i aU=a+u OY=O:+i eI=e+i oU=o+u v=v z=z S=S Z=d_Z C=S "
    "x=k h= T=t D=d N=N j=i r=r w=u"
)
_ITALIAN_OTHERS = others_of("e=E E=e O=o y=i 2=o/E @=a 6=e C=k r=rr z=s")
_LICENCE = "Apache-2.0"


def _voice(language: str, speaker: str, phones: dict[str, str], others: dict[str, tuple[str, ...]]) -> HumanVoice:
    return HumanVoice(language, speaker, "pico", "", 200, phones, "ttspico 0.3.2 (PyPI)", _LICENCE, others)


PICO: tuple[HumanVoice, ...] = (
    _voice("de-DE", "pico-gl", _GERMAN, _GERMAN_OTHERS),
    _voice("en-US", "pico-lh", _ENGLISH, _ENGLISH_OTHERS),
    _voice("en-GB", "pico-kh", _BRITISH, _BRITISH_OTHERS),
    _voice("fr-FR", "pico-nk", _FRENCH, _FRENCH_OTHERS),
    _voice("it-IT", "pico-cm", _ITALIAN, _ITALIAN_OTHERS),
)
"""Voices, named by their files (de-DE_gl0_sg.bin); `name` is the language that the engine is asked for."""
PICO_TUNING = _voice("es-ES", "pico-zl", _SPANISH, _SPANISH_OTHERS)
"""Voice that tunes the decoder and the confidence, and never trains."""
