"""A player's own review of a released game: what it says, in words, in braille and as a sound, and that it waits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from braille import brf
from server.exports.reports.clock_curve import RATE, clock_curve, pitch
from server.exports.reports.review import in_braille, is_released, ply_told, review_of, summary
from server.game import acts as cmd
from server.game.values.words import Seat
from server.game.views import messages as msg
from server.wording.words import scheme_of
from speech.audio.wav import read_wav
from tests.table.open_hall import Played, WrittenVoice, played

ENGLISH = scheme_of("d21", "en")


async def a_finished_game(game: Played) -> None:
    """1. e4 e5 2. Nf3, with one minute and ten seconds for White's second move; Black writes another second move."""
    await game.type("white", "e2 e4")
    await game.pass_time(5_000)
    await game.press("white")
    await game.done("black", cmd.WriteScore(index=1, text="e4"))
    await game.type("black", "e7 e5")
    await game.pass_time(9_000)
    await game.press("black")
    await game.done("black", cmd.WriteScore(index=2, text="e5"))
    await game.type("white", "e7 e5")  # the echo
    await game.type("white", "Springer Felix drei")
    await game.pass_time(70_000)
    await game.press("white")
    await game.done("black", cmd.WriteScore(index=3, text="Lc4"))
    await game.done("arbiter", cmd.RuleResult(result="1-0", reason="resignation"))


@pytest.mark.law("L092")
async def test_a_game_is_reviewed_after_the_arbiter_has_released_it(tmp_path: Path) -> None:
    async with played(tmp_path, voice=WrittenVoice()) as game:
        early = await game.do("arbiter", cmd.ReleaseReview())
        assert early.outcome.code == "review_after_the_game"
        await a_finished_game(game)
        state = game.table.state
        assert not is_released(state)
        await game.speak("white", "mein Zug zwei")
        (before,) = [one for one in game.ears["white"].of(msg.AnswerGiven) if one.what == "score"]
        assert before.took_ms == (), "no time is told before the release"
        by_player = await game.do("white", cmd.ReleaseReview())
        assert by_player.outcome.code == "only_the_arbiter"
        await game.done("arbiter", cmd.ReleaseReview())
        await game.done("arbiter", cmd.ReleaseReview())  # once more is nothing new
        assert [one.released for one in game.ears["white"].of(msg.ReviewShown)] == [True]
        assert is_released(game.table.state)
        await game.speak("white", "mein Zug zwei")
        assert game.ears["white"].of(msg.AnswerGiven)[-1].took_ms == (70_000,)
        await game.told()
        assert game.ears["white"].sounds[-1].text.endswith("eine Minute 10.")

        review = review_of("t1", game.table.state, Seat.WHITE)
        assert [(one.seat.value, one.used_ms, one.differs) for one in review.plies] == [
            ("white", 5_000, False),
            ("black", 9_000, False),
            ("white", 70_000, True),
        ]
        assert review.plies[2].white_ms == 5_415_000, "as a display showed it, with the increments"
        assert summary(review, ENGLISH) == (
            "Result: 1-0.",
            "Your longest thought was at move 2: 1 minute 10 seconds.",
            "Your opponent's longest thought was at move 1: 9 seconds.",
            "The two scores differ at move 2.",
        )
        told = ply_told(review, 3, ENGLISH)
        assert told.startswith("2. White:") and "The opponent's score has: Lc4." in told and "70" not in told
        pages = brf.read_pages(in_braille(review, game.table.state))
        assert len(pages) == 1 and all(len(line) <= 40 for line in pages[0])
        other = review_of("t1", game.table.state, Seat.BLACK)
        assert (other.plies[2].own, other.plies[2].other) == ("Lc4", review.plies[2].own)


def test_more_time_sounds_higher_and_each_clock_has_its_ear() -> None:
    """Own clock left, the opponent's right: measured in the file itself."""
    assert pitch(90, 100) > pitch(10, 100)


async def test_the_curve_of_both_clocks_is_heard_in_both_ears(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await a_finished_game(game)
        sound = clock_curve(review_of("t1", game.table.state, Seat.BLACK))
    samples = np.frombuffer(sound[44:], dtype="<i2").reshape(-1, 2)
    assert samples.shape[0] == 3 * RATE * (90 + 90 + 40) // 1000
    tone = RATE * 90 // 1000
    assert np.abs(samples[:tone, 0]).max() > 5_000 and np.abs(samples[:tone, 1]).max() == 0
    assert np.abs(samples[tone : 2 * tone, 1]).max() > 5_000 and np.abs(samples[tone : 2 * tone, 0]).max() == 0
    # Black is first here and lost nine seconds, White after it: the last pair has White lower than the first.
    first, last = (heard_hz(samples[at + tone : at + 2 * tone, 1]) for at in (0, 2 * RATE * 220 // 1000))
    assert last < first
    assert read_wav(sound).duration_ms == 660


def heard_hz(samples: np.ndarray[tuple[int], np.dtype[np.int16]]) -> float:
    spectrum = np.abs(np.fft.rfft(samples, 1 << 18))
    return float(np.argmax(spectrum)) * RATE / (1 << 18)
