"""Who of a hall's servers lives: silence counts only where it could be seen, whatever was away and for how long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.journal.postgresql.watch import BACK_MS, GONE_MS, LEASE_MS, Sign, Watch

LOOK_MS = 500


class Looking:
    """One that looks at one other server, as often as a server does."""

    def __init__(self) -> None:
        self.watch = Watch()
        self.now = 0

    def look(self, mark: int, *, after: int = LOOK_MS, connected: bool = True, recent: bool = False) -> None:
        self.now += after
        self.watch.look(self.now, self.now, [Sign(2, mark, connected, recent)])

    @property
    def state(self) -> str:
        return "dead" if self.watch.is_dead(2) else "alive" if self.watch.is_alive(2) else "silent"


def test_a_server_that_is_seen_to_be_silent_is_dead_when_its_lease_has_run_out() -> None:
    one = Looking()
    one.look(1, recent=True)
    found = [one.state]
    for _ in range(LEASE_MS // LOOK_MS):
        one.look(1)
        found.append(one.state)
    assert found == ["alive"] * 5 + ["dead"]
    one.look(2)
    assert one.state == "alive", "it says that it lives"


def test_one_whose_connection_ends_is_dead_sooner() -> None:
    one = Looking()
    one.look(1)
    one.look(2, connected=False)  # its last sign and its end, between two looks
    assert one.watch.due_ms() == GONE_MS, "so soon another look can tell"
    one.look(2, after=GONE_MS - 1, connected=False)
    assert one.state == "alive"
    one.look(2, after=1, connected=False)
    assert one.state == "dead" and one.watch.due_ms() is None


def test_one_that_connects_again_in_time_keeps_its_lease() -> None:
    """As where the database answered it too late, and it let go of the line itself."""
    one = Looking()
    one.look(1, recent=True)
    for _ in range(3):
        one.look(1)
    one.look(1, connected=False)
    assert one.state == "alive", "before, a mark of two seconds ago and a line that is gone were enough"
    one.look(2)
    one.look(2, connected=False)
    one.look(2)
    assert one.state == "alive" and one.watch.due_ms() == LEASE_MS - 2 * LOOK_MS


def test_an_outage_of_any_length_kills_nobody_and_who_died_in_it_is_dead_soon_afterwards() -> None:
    for outage in (1, 3_000, 8_000, 60_000, 86_400_000):
        one = Looking()
        one.look(1, recent=True)
        one.watch.break_off()
        one.look(1, after=outage, connected=False)
        assert one.state == "alive"
        one.look(1, after=1_400, connected=False)
        one.look(1, after=1_400, connected=False)
        assert one.state == "alive", "it may still be on its way"
        for _ in range(BACK_MS // LOOK_MS):
            one.look(1, connected=False)
        assert one.state == "dead"


def test_one_that_stood_still_itself_holds_nobody_for_dead() -> None:
    """The machine slept, or this server waited for a processor: what it did not see does not count."""
    one = Looking()
    one.look(1, recent=True)
    one.look(1, after=60_000)
    assert one.state == "alive"
    one.look(2)
    assert one.state == "alive"


def test_of_a_server_that_was_silent_before_nobody_can_know_at_the_first_look() -> None:
    one = Looking()
    one.look(1, after=60_000)
    assert one.state == "silent"
    one.look(2)
    assert one.state == "alive"
    one.watch.look(one.now, one.now, [])
    assert one.state == "silent", "it has ended, which the database itself says"


@pytest.mark.law("L066")
@given(
    st.lists(
        st.tuples(st.integers(1, 5_000), st.booleans(), st.integers(0, 2_000)),
        min_size=1,
        max_size=40,
    )
)
def test_a_server_that_lives_is_not_held_for_dead_when_anything_is_away(steps: list[tuple[int, bool, int]]) -> None:
    """A server that says that it lives whenever the database answers, at the latest a second and a half late.
    Between two of them lie up to two seconds.

    Each step is a time that passes; in it the database answered to both, or to nobody.
    """
    one, mark, due = Looking(), 0, 0
    one.look(mark, recent=True)
    for passes, answers, late in steps:
        if not answers:
            one.now += passes
            one.watch.break_off()
            due = one.now + min(late, 1_500)  # when it is heard of again, if the database answers by then
            continue
        end = one.now + passes
        while one.now + LOOK_MS <= end:
            if one.now + LOOK_MS >= due:
                mark, due = mark + 1, one.now + 2_000
            one.look(mark)
            assert one.state == "alive"
        one.now = end
