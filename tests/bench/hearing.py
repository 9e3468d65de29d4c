"""How well a spoken move is heard, against the goals: each engine, both together, and the baselines.

    python -m tests.bench.hearing --quick | --full [--per-family N] [--only NAME,NAME] [--engines NAME,NAME]
                                  [--rows NAME,NAME] [--where BEGINNING ...] [--share S] [--model FOLDER]
                                  [--hearing FILE] [--cores N]

Announcements of legal moves from games that were played, by voices that are reserved for measuring: eSpeak NG's f5, m7,
klatt2 and Storm (German, and with five accents), flite's slt and rms, festival's lp and mv; recorded German letters
apart. The first table has people who only measure (shared/data/human), voices that read respelled German, and those.
The vocabulary is the whole of a rated table: every well-formed announcement, radio names, commands; nothing of
the position. All other voices are synthetic or cut from recordings.

Sounds and what each engine heard are kept in build/hearing by all they depend on. A run that was broken off goes on
where it was, and a change of curves, thresholds or judging is measured anew in a minute.

Shares are percent with Wilson's 95 % interval. "right at once": taken (accepted or read back) as what was said.
"accepted wrong": only the read-back saves the player. "one repeat": who was asked, or said no to what was read back,
says it once more, slower, at another moment of the same surroundings.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent.parent

from tests.bench.listening import baselines, languages, moves, not_ours
from tests.bench.listening.at_the_board import announcements_of_games
from tests.bench.listening.judging import Ears, settings_in
from tests.bench.listening.keeping import Kept
from tests.bench.listening.remembering import remembering_own, remembering_whisper
from tests.bench.listening.unknown_voices import asked_which, first_table
from tests.bench.listening.voices import said

SECTIONS = (
    "people",
    "talk",
    "answers",
    "strangers",
    "moves",
    "illegal",
    "curve",
    "letters",
    "which",
    "not-ours",
    "next-table",
    "baselines",
    "languages",
    "time",
)
WITHOUT_FAMILIES = frozenset({"people", "talk", "answers", "letters", "not-ours", "which", "time"})
"""These sections need none of the families of voices, which take minutes to be rendered."""
QUICK, FULL = 6, 84


def commit() -> str:
    """The commit, with a mark where something is changed."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=REPO, capture_output=True, text=True, check=False
    )
    return told.stdout.strip() or "?"


async def run(given: argparse.Namespace) -> None:
    kept = Kept()
    engines = {
        "own": lambda: remembering_own(kept, given.cores, given.model),
        "whisper": lambda: remembering_whisper(kept, given.cores),
    }
    rows = given.rows.split(",") if given.rows else ()
    ears = Ears([engines[name]() for name in given.engines.split(",")], rows, settings_in(given.hearing))
    await ears.start()
    count: int = given.per_family
    share: float = given.share or min(1.0, count / FULL)
    wanted = given.only.split(",") if given.only else SECTIONS
    print(f"{count} announcements a family; {commit()}; {platform.platform()}, {os.cpu_count()} cores", flush=True)
    try:
        said_there = announcements_of_games(FULL * 2, 2026)[:count]
        changes = await moves.conditions(kept)
        told = {name: change for name, change in changes.items() if name.startswith(tuple(given.where))}
        families = [] if set(wanted) <= WITHOUT_FAMILIES else await moves.spoken(kept, said_there)
        # By which a player is known: twenty others, five by each of four voices that take turns.
        earlier = [one.words for one in announcements_of_games(FULL * 2, 2026)[FULL : FULL + 20]]
        before = [await said(kept, family.voice, earlier) for family in families]
        parts: dict[str, tuple[str, Callable[[], Awaitable[str]]]] = {
            "people": (f"People ({', '.join(told)})", lambda: first_table.of_people(ears, kept, told, share)),
            "talk": ("Talk that is no announcement", lambda: first_table.of_talk(ears, kept, share)),
            "answers": ("Yes, no and stop by people", lambda: first_table.of_answers(ears)),
            "strangers": (
                f"Strangers and known voices ({', '.join(told)})",
                lambda: first_table.of_others(
                    ears, kept, families, said_there, announcements_of_games(FULL * 2, 2026)[:FULL], told
                ),
            ),
            "illegal": (
                f"Illegal announcements ({', '.join(told)}) turned into legal moves",
                lambda: moves.illegal_moves(ears, families, said_there, told),
            ),
            "curve": (
                "Accepted wrong against asked again (clean and 20 dB babble)",
                lambda: moves.curve(ears, families, said_there, changes),
            ),
            "letters": (
                "Recorded German letters",
                lambda: languages.recorded(ears, max(12, round(160 * share)), changes),
            ),
            "not-ours": ("Nothing for us", lambda: not_ours.free_speech(ears, kept, share, changes)),
            "next-table": (
                "Other tables",
                lambda: not_ours.next_table(ears, families, said_there, before, changes, given.where),
            ),
            "baselines": (
                "Baseline: forced choice among the legal moves",
                lambda: baselines.forced_choice(ears, families, said_there, changes, max(2, count // 6)),
            ),
            "which": (
                "Asked which of two squares",
                lambda: asked_which.told(ears, kept, changes, max(12, round(160 * share))),
            ),
            "languages": (
                "Six languages: commands, national words, letters",
                lambda: languages.schemes(
                    ears, kept, [one.words for one in said_there[: max(6, count // 2)]], 4 if share > 0.5 else 1
                ),
            ),
        }
        for section in SECTIONS:
            began = time.perf_counter()
            if section not in wanted or section == "time":
                continue
            if section == "moves":
                found = await moves.tally_of_moves(ears, families, said_there, told)
                print(f"\n## Announced moves, all voices\n\n{moves.summary(found)}")
                if ears.compared and len(ears.engines) > 1:
                    print(f"\n## Where both engines agree\n\n{moves.agreement(found)}")
                print(f"\n## Announced moves by family, {ears.names[-1]}\n\n{moves.by_family(found)}")
            else:
                title, make = parts[section]
                print(f"\n## {title}\n\n{await make()}")
            print(f"\n({time.perf_counter() - began:.0f} s, {kept.listened} utterances listened to so far)", flush=True)
    finally:
        await ears.close()
    if "time" in wanted:
        for script, *arguments in (("footprint",), ("while_spoken", str(max(8, count)), "--engine", "auto")):
            print("", flush=True)
            subprocess.run([sys.executable, REPO / "tests" / "bench" / f"hearing_{script}.py", *arguments], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_const", const=QUICK, dest="per_family", help="some minutes (default)")
    size.add_argument("--full", action="store_const", const=FULL, dest="per_family", help="two hours at the first time")
    size.add_argument("--per-family", type=int, dest="per_family")
    parser.add_argument("--only", default="", help=f"of {','.join(SECTIONS)}")
    parser.add_argument("--model", type=Path, help="another model of our own kind")
    parser.add_argument("--hearing", type=Path, help="curves and thresholds other than config/hearing.toml")
    parser.add_argument("--engines", default="own,whisper", help="which of them; alone or both")
    parser.add_argument("--rows", default="", help="whose figures: own,whisper,both; who has none hears for both alone")
    parser.add_argument("--where", nargs="*", default=[""], help="how the wanted surroundings and other tables begin")
    parser.add_argument("--share", type=float, help="so much of the talk, noises and letters; 1 is all of them")
    parser.add_argument("--cores", type=int, default=2)
    parser.set_defaults(per_family=QUICK)
    asyncio.run(run(parser.parse_args()))
