"""What is no announcement of ours: free speech, talk about chess, noise, the next table, a thought before the key."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from server.cli.measure import TAKEN, meaning_of
from speech.words.loading import load_scheme
from tests.bench.listening.at_the_board import CHESS_TALK, ENGLISH_SENTENCES, SENTENCES, Announced
from tests.bench.listening.judging import Ears, Tally, truth_of
from tests.bench.listening.keeping import Kept
from tests.bench.listening.moves import Family
from tests.bench.listening.other_voices import as_it_is, before_of, known_by, likeness, same_player, whose
from tests.bench.listening.shares import percent, rare, table
from tests.bench.listening.surroundings import Change, beside, noises, power, quieter, samples_of, thought_before
from tests.bench.listening.voices import english_sentences, sentences


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
    *(f"alone, {by} dB, {what} known" for what in ("loudness", "voice") for by in (0, -6, -12)),
    "thought before the key",
)


async def next_table(
    ears: Ears,
    families: Sequence[Family],
    said_there: Sequence[Announced],
    before: Sequence[Sequence[bytes]],
    changes: dict[str, Change],
    where: Sequence[str] = ("",),
) -> str:
    """Another table announces under ours; or alone while our key is held; or the player thought aloud before the key.

    "Theirs": taken as what the others said; "wrong": accepted, and not what was said to us. "Loudness known", "voice
    known" (and loudness): after five announcements by the same voice (`before`), which waver by `WAVERING_DB`.
    `where`: how those begin that are wanted; whose voice it is, is asked with all of them.
    """
    lines: list[list[str]] = []
    usual = sum(power(samples_of(pcm)) for family in families for pcm in family.first) / sum(
        len(family.first) for family in families
    )
    for title in (title for title in TITLES if title.startswith(tuple(where))):
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
                    below = -float(title.split(" dB")[0].removeprefix("alone, "))
                    there = quieter(theirs, below, place, usual)
                    sounds.append(there)
                    if "known" in title:
                        # What is probably not the player's the server asks for again, whatever the ears make of it.
                        by_voice = "voice" in title
                        heard = as_it_is(there) if by_voice else msgspec.structs.replace(as_it_is(there), sketch=None)
                        known = known_by(before_of(before[number], place), usual, place, voice=by_voice)
                        if known.rule_on(heard, likeness())[0] == "doubted":
                            sounds[-1] = b""
                else:
                    # The player's own voice thinks aloud, of another move.
                    sounds.append(thought_before(ours, family.first[(place + 7) % size]))
            await ears.listen([pcm for pcm in sounds if pcm], family.scheme)
            for name, tally in counts.items():
                tally.counts["n"] += sounds.count(b"")
                for place, pcm in enumerate(sounds):
                    if not pcm:
                        continue
                    verdict = await ears.verdict(name, pcm, family.scheme)
                    meaning = meaning_of(verdict.heard)
                    mine = None if title.startswith("alone") else truth_of(said_there[place].words)
                    theirs_meant = truth_of(said_there[(place + 7) % size].words)
                    taken = verdict.verdict in TAKEN
                    tally.counts["n"] += 1
                    tally.counts["theirs"] += taken and meaning == theirs_meant and meaning != mine
                    tally.counts["wrong"] += verdict.verdict == "accept" and meaning != mine
                    tally.counts["right"] += taken and meaning == mine
        for name, tally in counts.items():
            right = "-" if title.startswith("alone") else percent(tally["right"], tally["n"])
            lines.append(
                [f"{title}, {name}", right, rare(tally["theirs"], tally["n"]), rare(tally["wrong"], tally["n"])]
            )
    told = table(("what, engine", "ours right", "taken as theirs", "accepted wrong"), lines)
    if "" not in where:
        return told
    return "\n\n".join((told, whose(families, before, usual), same_player(families, before, changes, usual)))
