"""Whatever is asked, in whatever order: the journal is a list for each table and a dictionary of answers."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from server.journal.entry import Entry, Outcome, Run
from server.journal.failure import CommandRepeated, JournalRefused
from server.journal.journal import Journal

TABLES = ("t1", "t2", "Ä")
COMMANDS = tuple(f"{number:032x}" for number in range(6))

ACTS = st.one_of(
    st.tuples(
        st.just("append"),
        st.sampled_from(TABLES),
        st.lists(st.integers(-1, 2), max_size=3),  # how far each seq is from the one that is due; 0 is right
        st.sampled_from((*COMMANDS, "")),
        st.binary(max_size=20),
    ),
    st.just(("reopen",)),
)


async def replayed(acts: list[tuple[object, ...]], path: Path) -> None:
    events: dict[str, list[Entry]] = {}
    answers: dict[str, Outcome] = {}
    journal = Journal.open(path)
    await journal.begin_run(Run("run1", 0, 0, "0"))
    for act in acts:
        if act[0] == "reopen":
            await journal.close()
            journal = Journal.open(path)
            continue
        _, table, strays, command, body = act
        assert isinstance(table, str)
        assert isinstance(strays, list)
        assert isinstance(command, str)
        assert isinstance(body, bytes)
        last = len(events.get(table, []))
        batch = [
            Entry(table, last + place + stray, "run1", command, "s", "", "", 0, 0, 1, "k", body)
            for place, stray in enumerate(strays, 1)
        ]
        outcome = Outcome(command, table, "s", body) if command else None
        try:
            await journal.append(batch, outcome)
        except CommandRepeated as repeated:
            assert repeated.outcome == answers[command]
        except JournalRefused:
            assert any(strays)
            assert command not in answers
        else:
            assert not any(strays)
            assert command not in answers
            if batch:
                events.setdefault(table, []).extend(batch)
            if outcome is not None:
                answers[command] = outcome
    await journal.close()

    journal = Journal.open(path)
    assert await journal.tables() == sorted(events)
    for table in TABLES:
        assert await journal.read(table) == events.get(table, [])
    for command in COMMANDS:
        assert await journal.outcome_of(command) == answers.get(command)
    await journal.close()


@settings(max_examples=40, deadline=None)
@given(st.lists(ACTS, max_size=15))
def test_the_journal_is_a_list_and_a_dictionary(acts: list[tuple[object, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(replayed(acts, Path(folder) / "journal.sqlite"))
