"""What is no announcement of ours: free speech, talk about chess, noise, the next table, a thought before the key."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from listening.at_the_board import CHESS_TALK, ENGLISH_SENTENCES, SENTENCES, Announced
from listening.judging import TAKEN, Ears, Tally, meaning_of, truth_of
from listening.keeping import Kept
from listening.moves import Family
from listening.shares import percent, rare, table
from listening.surroundings import Change, beside, noises, power, quieter, samples_of, thought_before
from listening.voices import english_sentences, sentences

from speech.audio.level import levels
from speech.loading import load_scheme
from speech.usual_level import UsualLevel


async def free_speech(ears: Ears, kept: Kept, share: float, changes: dict[str, Change]) -> str:
    """How often something that is none for us becomes a move or a command."""
    german = load_scheme("d21", "de")

    def part(texts: Sequence[str]) -> Sequence[str]:
        return texts[: max(2, round(len(texts) * share))]

    talk = await sentences(kept, part(SENTENCES), "de")
    talk += await sentences(kept, part(ENGLISH_SENTENCES), "en")
    talk += await english_sentences(kept, part(ENGLISH_SENTENCES))
    chess_talk = await sentences(kept, part(CHESS_TALK), "de")
    rows: list[tuple[str, list[bytes]]] = [("free speech, clean", talk)]
    rows += [
        (f"free speech, {name}", [changes[name](pcm, place) for place, pcm in enumerate(talk)])
        for name in ("babble 20 dB", "room")
    ]
    rows.append(("noises", noises(round(200 * share), 4)))
    rows.append(("talk about chess", chess_talk))
    lines: list[list[str]] = []
    for title, sounds in rows:
        await ears.listen(sounds, german)
        line = [title, str(len(sounds))]
        for name in ears.names:
            tally = Tally()
            for pcm in sounds:
                verdict = await ears.verdict(name, pcm, german)
                tally.counts["accept" if verdict.verdict == "accept" and verdict.heard.kind == "move" else ""] += 1
                tally.counts["taken"] += verdict.verdict in TAKEN
            line += [rare(tally["accept"], len(sounds)), rare(tally["taken"], len(sounds))]
        lines.append(line)
    head = ["what", "n"]
    for name in ears.names:
        head += [f"{name}: accepted as a move", f"{name}: taken at all"]
    return table(head, lines)


TITLES = (
    *("under ours, -6 dB", "under ours, -12 dB", "alone, -6 dB", "alone, -12 dB"),
    *("alone, -6 dB, loudness known", "alone, -12 dB, loudness known", "thought before the key"),
)


WAVERING_DB = 2.0
"""Spread of how loud one player is from announcement to announcement: a guess, the voices here hardly waver."""


def loudness(pcm: bytes, usual: float, chance: np.random.Generator) -> float:
    """How loud (dBFS) an announcement of his is, who speaks with the power `usual`, some of them softer."""
    level: float = levels(pcm).speech_dbfs + 10 * np.log10(usual / power(samples_of(pcm)))
    return level + float(chance.normal(0.0, WAVERING_DB))


def known_by(said: Sequence[bytes], usual: float, seed: int) -> UsualLevel:
    """What is known of a player's loudness after these announcements."""
    chance, known = np.random.default_rng(seed), UsualLevel()
    for pcm in said:
        known = known.after_taking(loudness(pcm, usual, chance))
    return known


def others_of(family: Family, place: int) -> list[bytes]:
    """Five other announcements of the family."""
    return [family.first[(place + more) % len(family.first)] for more in range(1, 6)]


def own_too_soft(families: Sequence[Family], usual: float) -> str:
    """How often a player's own announcement is asked for again because it is softer than his usual ones."""
    soft = total = 0
    for family in families:
        for place, pcm in enumerate(family.first):
            ours = loudness(pcm, usual, np.random.default_rng(1000 + place))
            soft += known_by(others_of(family, place), usual, place).far_below(ours)
            total += 1
    return rare(soft, total)


async def next_table(ears: Ears, families: Sequence[Family], said_there: Sequence[Announced]) -> str:
    """Another table announces under ours; or alone while our key is held; or the player thought aloud before the key.

    "Theirs": taken as what the others said; "wrong": accepted, and not what was said to us. "Loudness known": after
    five announcements of the player's own, which waver by `WAVERING_DB`.
    """
    lines: list[list[str]] = []
    usual = sum(power(samples_of(pcm)) for family in families for pcm in family.first) / sum(
        len(family.first) for family in families
    )
    for title in TITLES:
        counts = {name: Tally() for name in ears.names}
        for number, family in enumerate(families):
            other = families[(number + 3) % len(families)]
            size = len(said_there)
            sounds: list[bytes] = []
            for place in range(size):
                ours, theirs = family.first[place], other.first[(place + 7) % size]
                if title.startswith("under"):
                    sounds.append(beside(ours, theirs, 6.0 if "-6" in title else 12.0, place))
                elif title.startswith("alone"):
                    there = quieter(theirs, 6.0 if "-6" in title else 12.0, place, usual)
                    # What is far below his usual loudness the server asks for again, whatever the ears make of it.
                    known = known_by(others_of(family, place), usual, place) if "known" in title else UsualLevel()
                    sounds.append(b"" if known.far_below(levels(there).speech_dbfs) else there)
                else:
                    # He thinks with his own voice, of another move.
                    sounds.append(thought_before(ours, family.first[(place + 7) % size]))
            await ears.listen([pcm for pcm in sounds if pcm], family.scheme)
            for name, tally in counts.items():
                tally.counts["n"] += sounds.count(b"")
                for place, pcm in enumerate(sounds):
                    if not pcm:
                        continue
                    verdict = await ears.verdict(name, pcm, family.scheme)
                    heard = meaning_of(verdict.heard)
                    mine = None if title.startswith("alone") else truth_of(said_there[place].words)
                    theirs_meant = truth_of(said_there[(place + 7) % size].words)
                    taken = verdict.verdict in TAKEN
                    tally.counts["n"] += 1
                    tally.counts["theirs"] += taken and heard == theirs_meant and heard != mine
                    tally.counts["wrong"] += verdict.verdict == "accept" and heard != mine
                    tally.counts["right"] += taken and heard == mine
        for name, tally in counts.items():
            right = "-" if title.startswith("alone") else percent(tally["right"], tally["n"])
            lines.append(
                [f"{title}, {name}", right, rare(tally["theirs"], tally["n"]), rare(tally["wrong"], tally["n"])]
            )
    told = table(("what, engine", "ours right", "taken as theirs", "accepted wrong"), lines)
    return f"{told}\n\nA player's own announcement asked for again as too soft: {own_too_soft(families, usual)}"
