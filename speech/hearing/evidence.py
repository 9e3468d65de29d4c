"""Every announcement that an utterance may have been, with its cost. Pure, no position.

They come from the ears' whole list, widened by counted confusions. A verdict names one announcement; the record wants
to know what else it may have been, so that two utterances of one move can be weighed together. Each candidate has a
cost, -log P (nats), and what is left of the probability belongs to everything that is not named.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from speech.announcements.understand import UNKNOWN, understand
from speech.hearing.combine import Share
from speech.recognisers.recogniser import Hypothesis
from speech.words.grammar import FILE_NAMES
from speech.words.said import Said
from speech.words.voice_profile import VoiceProfile

MOST = 40
LEAST = 1e-5
"""Less probable announcements are not named."""
_ALTERNATIVES = 4
_IN_PAIRS = 2
"""Alternatives of each word that are taken as misheard together with another word; all this runs beside the clocks."""
_WIDENED = 4
"""How many runners-up are expanded with similar-sounding words."""
_SUREST = 0.995

Costs = Mapping[str, Mapping[str, Annotated[float, msgspec.Meta(ge=0, le=50)]]]


class Confusions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Counts of how one engine mishears (`config/confusions/ENGINE.toml`).

    They were counted on voices that are not reserved. `files`, `ranks`, `pieces`, `castling`: what was said -> what was
    heard in its place -> -log p(heard | said). Files are said as letters and heard as word ids ("file.a", "nato.a"); a
    piece that is not named is "none". `unseen`: the cost of a pair that was never counted, by kind. Of what the best
    hypothesis leaves, `listed` goes to the others of the list by their scores over `temperature`, and `nearby` to what
    sounds like the best; each other one of the list gives `spread` of its own to what sounds like it.
    """

    provenance: str
    temperature: Annotated[float, msgspec.Meta(gt=0)]
    listed: Share
    nearby: Share
    spread: Share
    unseen: Mapping[str, float]
    files: Costs
    ranks: Costs
    pieces: Costs
    castling: Costs

    def cost(self, kind: str, said: str, heard: str) -> float:
        """Return -log p(heard | said) of one word of a kind (files, ranks, pieces, castling).

        A name of the spelling alphabet that was never counted at all costs what the radio's name of its file does.
        """
        counted: Costs = getattr(self, kind)
        alphabet, _, name = heard.partition(".")
        if alphabet == "spelling" and not any(heard in row for row in counted.values()):
            heard = f"nato.{name}"
        return counted.get(said, {}).get(heard, self.unseen[kind])

    def values(self, kind: str) -> tuple[str, ...]:
        """Return the possible tokens of a slot kind."""
        counted: Costs = getattr(self, kind)
        return tuple(counted)


HARDLY_KNOWN = 8.0
"""The weight of the counts of all voices beside those of one player's readings."""


def as_the_player_is_heard(confusions: Confusions, profile: VoiceProfile) -> Confusions:
    """Return the confusions, changed by how this player's readings of known words were misheard.

    The readings are counted in the player's profile.
    """
    kinds = {
        "file": "files",
        "nato": "files",
        "letter": "files",
        "spelling": "files",
        "rank": "ranks",
        "piece": "pieces",
        "castle": "castling",
    }
    tables: dict[str, dict[str, dict[str, float]]] = {}
    for word, misheard in profile.confusions.items():
        of, _, value = word.partition(".")
        kind = kinds.get(of)
        if kind is None or value not in confusions.values(kind):
            continue
        counts = {
            other if kind == "files" else other.partition(".")[2]: count
            for other, count in misheard.items()
            if kinds.get(other.partition(".")[0]) == kind
        }
        if not counts:
            continue
        rows = tables.setdefault(kind, {said: dict(row) for said, row in getattr(confusions, kind).items()})
        whole = HARDLY_KNOWN + sum(counts.values())
        known = {heard: math.exp(-cost) for heard, cost in rows[value].items()}
        for heard in {*known, *counts}:
            before = known.get(heard, math.exp(-confusions.unseen[kind]))
            share = (HARDLY_KNOWN * before + counts.get(heard, 0)) / whole
            rows[value][heard] = round(-math.log(share), 3)
    return msgspec.structs.replace(confusions, **tables)


class PossibleAnnouncement(msgspec.Struct, frozen=True):
    """An announcement that may have been said, and its cost, -log P (nats)."""

    said: Said
    cost: float


class Slot(msgspec.Struct, frozen=True):
    """One word of an announcement.

    It has its place, its kind, what it means, the word id heard, and how well that fits (0 to 1).
    """

    place: str
    kind: str
    value: str
    heard: str
    fit: float


def slots_of(hypothesis: Hypothesis) -> tuple[Slot, ...]:
    """Return the words of an announcement that tell one move from another.

    There are none where the chain is no announcement.
    """
    if understand(hypothesis.ids).kind != "move":
        return ()
    found: list[Slot] = []
    piece, squares = Slot("piece", "pieces", "none", "none", 0.5), 0
    last = sum(word.id.startswith("rank.") for word in hypothesis.words) - 1
    for word in hypothesis.words:
        kind, _, name = word.id.partition(".")
        side = "to" if squares == last else "from"
        if kind == "castle":
            return (Slot("castling", "castling", name, name, word.confidence),)
        if kind == "piece" and squares > last:
            found.append(Slot("promotion", "pieces", name, name, word.confidence))
        elif kind == "piece":
            piece = Slot("piece", "pieces", name, name, word.confidence)
        elif kind in FILE_NAMES:
            found.append(Slot(f"{side}_file", "files", name, word.id, word.confidence))
        elif kind == "rank":
            found.append(Slot(f"{side}_rank", "ranks", name, name, word.confidence))
            squares += 1
    return (piece, *found)


def _announcement_of(values: Mapping[str, str]) -> Said | None:
    """Return the announcement of these values; None where it would be none."""
    if "castling" in values:
        return Said(castling=values["castling"])
    piece, promotion = values["piece"], values.get("promotion")
    to = values["to_file"] + values["to_rank"]
    departure = values["from_file"] + values["from_rank"] if "from_file" in values else None
    if departure == to or (promotion is not None and promotion not in ("queen", "rook", "bishop", "knight")):
        return None
    if promotion is not None and (piece not in ("none", "pawn") or values["to_rank"] not in "18"):
        return None
    return Said(None if piece == "none" else piece, departure, to, promotion)


def _goes_somewhere(said: Said | None) -> bool:
    """Return whether there is an announcement that goes somewhere.

    A man that stays on its square makes no move, whatever the position.
    """
    return said is not None and (said.castling is not None or said.from_square != said.to_square)


def nearby(hypothesis: Hypothesis, confusions: Confusions) -> dict[Said, float]:
    """Return the announcements that sound like this one, with one or two words misheard.

    The shares add up to 1, or there are none.
    """
    slots = slots_of(hypothesis)
    values = {slot.place: slot.value for slot in slots}
    ways: list[list[tuple[str, str, float]]] = []
    for slot in slots:
        own = confusions.cost(slot.kind, slot.value, slot.heard)
        doubt = 1.05 - slot.fit
        others = [
            (slot.place, value, doubt * math.exp(own - confusions.cost(slot.kind, value, slot.heard)))
            for value in confusions.values(slot.kind)
            if value != slot.value and not (slot.place == "promotion" and value == "none")
        ]
        ways.append(sorted(others, key=lambda way: -way[2])[: max(_ALTERNATIVES, 9 - len(slots))])
    shares: dict[Said, float] = {}
    singles = [(way,) for alternatives in ways for way in alternatives]
    few = [alternatives[:_IN_PAIRS] for alternatives in ways]
    pairs = [pair for first, second in itertools.combinations(few, 2) for pair in itertools.product(first, second)]
    for changes in (*singles, *pairs):
        said = _announcement_of({**values, **{place: value for place, value, _ in changes}})
        if said is not None:
            shares[said] = shares.get(said, 0.0) + math.prod(weight for _, _, weight in changes)
    total = sum(shares.values())
    return {said: share / total for said, share in shares.items()} if total > 0 else {}


def expand_alternatives(
    ranked: Sequence[Hypothesis], confidence: float, confusions: Confusions
) -> tuple[PossibleAnnouncement, ...]:
    """Return the announcements that an utterance may have been, cheapest first, at most `MOST`.

    `ranked`: an engine's list, best first; `confidence`: P(the best one means what was said), 0 to 1.
    """
    chances: dict[Said, float] = {}

    def add(said: Said, chance: float) -> None:
        chances[said] = chances.get(said, 0.0) + chance

    meant = [understand(one.ids) for one in ranked]
    if not meant or any(UNKNOWN in one.words for one in meant[:1]):
        return ()
    best = meant[0].said if meant[0].kind == "move" and _goes_somewhere(meant[0].said) else None
    sure = min(_SUREST, max(LEAST, confidence)) if best is not None else 0.0
    if best is not None:
        add(best, sure)
        for said, share in nearby(ranked[0], confusions).items():
            add(said, (1.0 - sure) * confusions.nearby * share)
    others = [
        (one, heard.said)
        for one, heard in zip(ranked[1:], meant[1:], strict=True)
        if heard.said is not None and heard.kind == "move" and heard.said != best and _goes_somewhere(heard.said)
    ]
    if others:
        top = max(one.score for one, _ in others)
        scales = [math.exp((one.score - top) / confusions.temperature) for one, _ in others]
        widened = sorted(scales, reverse=True)[:_WIDENED][-1]
        for (one, said), scale in zip(others, scales, strict=True):
            chance = (1.0 - sure) * confusions.listed * scale / sum(scales)
            if scale < widened:
                add(said, chance)
                continue
            add(said, chance * (1.0 - confusions.spread))
            for near, share in nearby(one, confusions).items():
                if near != best:  # its own confidence says how likely it is
                    add(near, chance * confusions.spread * share)
    found = sorted(chances.items(), key=lambda entry: (-entry[1], msgspec.json.encode(entry[0])))
    return tuple(
        PossibleAnnouncement(said, round(max(0.0, -math.log(chance)), 3))
        for said, chance in found[:MOST]
        if chance >= LEAST
    )
