"""A player's usual loudness: what comes much softer is asked again, and he himself is never shut out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from speech.usual_level import FAR_DB, UsualLevel


def known(dbfs: float = -20.0) -> UsualLevel:
    usual = UsualLevel()
    for _ in range(3):
        usual = usual.after_taking(dbfs)
    return usual


def test_another_table_is_softer_than_the_player() -> None:
    assert not UsualLevel().far_below(-40.0), "nothing is known of him yet"
    usual = known()
    assert usual.far_below(-26.0) and usual.far_below(-32.0)
    assert not usual.far_below(-20.0 - FAR_DB + 0.1) and not usual.far_below(-12.0)
    assert not usual.far_below(-96.0), "no level was measured"


def test_who_speaks_more_softly_now_is_asked_once() -> None:
    usual = known().after_asking(-27.0)
    assert not usual.far_below(-26.0)
    usual = usual.after_taking(-26.0)
    assert not usual.far_below(-29.0) and usual.far_below(-34.0)


@given(st.lists(st.floats(-60.0, 0.0), max_size=30), st.floats(-60.0, 0.0))
def test_the_same_words_at_the_same_level_are_taken_at_the_second_time(before: list[float], now: float) -> None:
    usual = UsualLevel()
    for dbfs in before:
        usual = usual.after_asking(dbfs) if usual.far_below(dbfs) else usual.after_taking(dbfs)
    if usual.far_below(now):
        assert not usual.after_asking(now).far_below(now)
