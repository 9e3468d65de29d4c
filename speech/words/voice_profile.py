"""One player's voice: how the player says words, and how far the ears may trust what they hear. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import msgspec


class Adaptation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Adaptation of our own model to a voice.

    `model`: the digest of the network that it is for. `units`: base64 of float16, for each hidden layer the
    logarithm of how much stronger each unit gets, then by how much it is moved.
    """

    model: str
    units: str


class VoicePrint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Voice as a profile keeps it.

    It is the middle of its sketches (`VoiceSketch`), by the `features` of that time.
    """

    features: int
    timbre: tuple[float, ...]
    pitch: float
    readings: int


class Correction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Correction of the scores of one ear for a voice that it knows.

    `words`: word id -> added to the score of a chain for each time that it has the word (log units of the ear).
    `trust`: added to the logit of P(right).
    """

    words: Mapping[str, float] = {}
    trust: float = 0.0


class VoiceProfile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Voice profile of one player.

    It is made by `anna-eins enrol` or at the player's station, in the player's language under the arbiter's scheme.
    `code`: three squares by which this player and nobody else names it ("a4h8c3"). `readings`: how many recordings it
    rests on. `ears`: the name of each ear for which there is something to put right -> what. `confusions`: word id ->
    what was heard for it instead ("" for nothing), counted where the reading had not been learnt from. `own`: our own
    model fitted to the player, where that could be learnt and helped. `voice`: what the player sounds like, by which
    they are told from others. `ways`, `bias`: what an older version taught an ear that is no more (pocketsphinx); they
    are read and change nothing.
    """

    name: str
    language: str
    scheme: str
    ways: Mapping[str, tuple[str, ...]] = {}
    bias: float = 0.0
    readings: int = 0
    confusions: Mapping[str, Mapping[str, int]] = {}
    own: Adaptation | None = None
    voice: VoicePrint | None = None
    code: str = ""
    ears: Mapping[str, Correction] = {}

    @property
    def digest(self) -> str:
        """Return a digest that tells two profiles apart: what recognisers keep is kept by it."""
        known = msgspec.json.encode((self.ears, self.own), order="deterministic")
        return hashlib.blake2b(known, digest_size=6).hexdigest()
