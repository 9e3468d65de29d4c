"""Acts that only put something on record: with or without the watchers after them, they bring about the same events."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import PROGRAM, Act, Command
from server.game.decide.decide import decide
from server.game.values.words import Duty, Role, Seat
from tests.game.core_table import CoreTable
from tests.game.every_command import commands_of
from tests.game.test_every_command_at_random import BODIES, REGULATIONS, SCENES, who_may

NOTES: tuple[type[Act], ...] = tuple(kind for kind in cmd.acts() if kind.notes)
EXAMPLES = int(os.environ.get("ANNA_EINS_EXAMPLES", "150"))
STEPS = st.lists(
    st.tuples(st.sampled_from([0, 40, 2_500, 30_000, 70_000]), BODIES, st.sampled_from(NOTES).flatmap(commands_of)),
    max_size=15,
)


@contextmanager
def watched() -> Iterator[None]:
    """While it lasts, the watchers run after every command."""
    for kind in NOTES:
        kind.notes = False
    try:
        yield
    finally:
        for kind in NOTES:
            kind.notes = True


def test_what_they_note_changes_nothing_of_the_game() -> None:
    at = 1_000
    sound: dict[str, Any] = {"utterance": "u", "length_ms": 1, "seat": Seat.WHITE}
    written: dict[cmd.AnyAct, ev.AnyEvent] = {
        cmd.KeepSound(sha256="ab", **sound): ev.SoundKept(at=at, sha256="ab", **sound),
        cmd.NoteSpoken(text="t", sha256="ab", **sound): ev.SpokenPrivately(at=at, text="t", sha256="ab", **sound),
        cmd.NoteCut(text="t", heard_ms=7, why="w", **sound): ev.SpeechCut(
            at=at, text="t", heard_ms=7, why="w", again=False, **sound
        ),
        cmd.NoteRefused(seat=Seat.BLACK, station="black", code="c", article="8.1"): ev.CommandRefused(
            at=at, seat=Seat.BLACK, station="black", code="c", article="8.1"
        ),
        cmd.NoteRehearsal(outcome="done"): ev.RehearsalNoted(at=at, outcome="done"),
        cmd.NoteHandedOver(common_less_own_ms=5, uncertain_ms=2): ev.HandedOver(
            at=at, common_ms=at + 5, uncertain_ms=2
        ),
        cmd.NoteTakenOver(own_less_run_ms=5, uncertain_ms=2): ev.TakenOver(
            at=at, own_less_run_ms=5, uncertain_ms=2, detail="±2 ms"
        ),
    }
    assert {type(act) for act in written} == set(NOTES)
    for act, event in written.items():
        table = CoreTable()
        before = table.state
        assert table.own(act) == (event,)
        assert table.state is before


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(SCENES), STEPS)
def test_no_watcher_would_add_to_what_they_bring_about(scene: Callable[[CoreTable], None], steps: Any) -> None:
    """Out of every situation, also where something is due that nobody has noted yet."""
    table = CoreTable(control="2/60+2:60+10", regulations=REGULATIONS, mates=False)
    table.own(cmd.Admit(station="helper", role=Role.ASSISTANT, seat=Seat.WHITE, duties=tuple(Duty)))
    scene(table)
    for turn, (wait, body, note) in enumerate(steps):
        table.do(who_may(table, body, turn), body)
        table.wait(wait)
        noted = Command(id="n", table="t", station=PROGRAM, body=note)
        events = decide(table.state, noted, table.now)
        with watched():
            assert decide(table.state, noted, table.now) == events
        if turn % 2:  # else what is due stays due for the next
            table.do(PROGRAM, note)
