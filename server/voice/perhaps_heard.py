"""What a sound may have been besides what it was taken for: for the record and the arbiter alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.game.values.candidates import Candidate
from server.wording.words import candidates_of
from speech.hearing.confusions import load_confusions
from speech.hearing.evidence import as_he_is_heard, weighed
from speech.hearing.hearing import Verdict
from speech.words.scheme import Scheme

if TYPE_CHECKING:
    from server.voice.listener import HeardSound

NOT_HIS = 0.5
"""Words that are asked again because another may have said them are worth so much of their P(right) to the record."""


def best_words(sound: HeardSound) -> tuple[str, ...]:
    """The words that come nearest to the sound, also where they were not taken for any."""
    best = sound.hypotheses[:1] if isinstance(sound, Verdict) else ()
    return best[0].ids if best else sound.words


def candidates_heard(sound: HeardSound, scheme: Scheme, trust: float) -> tuple[Candidate, ...]:
    """What the sound may have been, as this player is misheard: of ears that only give words, nothing beside these."""
    if not isinstance(sound, Verdict):
        return ()
    confusions = load_confusions(sound.engine)
    if scheme.voice is not None:
        confusions = as_he_is_heard(confusions, scheme.voice)
    return candidates_of(weighed(sound.hypotheses, trust * sound.confidence, confusions))
