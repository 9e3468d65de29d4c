"""Asked to say it again, a player is judged by both sounds; by nothing else, and never by the position."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from server.game import acts as ev
from server.game.values.words import SeatKind
from server.game.views import messages as msg
from speech.hearing.combine import Combination
from speech.hearing.confidence import Curve
from speech.hearing.hearing import Hearing, HearingUtterance
from speech.hearing.settings import HearingSettings, Thresholds
from speech.recognisers.live import KeptUtterance
from speech.recognisers.recogniser import Hypotheses, Hypothesis, Utterance, Vocabulary, WordHeard
from tests.table.open_hall import Played, played

E4_OR_A4, E4_OR_B4, A4_OR_B4 = "e4 a4", "e4 b4", "b4 a4"
BLOCKED = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"
"""There is no pawn that could go to e4 here."""
SETTINGS = HearingSettings(
    provenance={},
    thresholds=Thresholds(accept=0.9, confirm=0.9, for_us=0.1, word=0.0, against=0.97),
    right={"whisper": Curve(0.0, {})},
    for_us={"whisper": Curve(5.0, {"least": -9.0})},
    together={
        "whisper": Combination(
            candidates={"whisper.gap": 0.5, "whisper.unlisted": 3.0},
            right=Curve(0.0, {"share": 1.0}),
            for_us=Curve(0.0, {"whisper.us": 1.0}),
            before=0.5,
            twice=Curve(1.5, {"share": 1.0}),
        )
    },
)


class WrittenEngine:
    """An engine for sounds that are written squares, the likeliest first; "-" is not for us, "=" leaves no doubt."""

    name = "whisper"

    async def start(self) -> None:
        """Nothing to load."""

    async def close(self) -> None:
        """Nothing to let go."""

    def open_utterance(self, vocabulary: Vocabulary) -> Utterance:
        return KeptUtterance(self, vocabulary)

    async def recognise(self, pcm: bytes, vocabulary: Vocabulary) -> Hypotheses:
        text = pcm.decode("utf-16-le")
        chains = [("piece.pawn", f"file.{one[0]}", f"rank.{one[1]}") for one in text.strip("-=").split()]
        least = 30.0 if "=" in text else 0.5
        ranked = tuple(
            Hypothesis(tuple(WordHeard(word, 0.9) for word in ids), -least * place) for place, ids in enumerate(chains)
        )
        return Hypotheses("whisper", ranked, {"least": float(text.startswith("-"))})


def hearing() -> Hearing:
    return Hearing([WrittenEngine()], SETTINGS)


async def said(game: Played, *sounds: str, station: str = "white") -> None:
    for sound in sounds:
        await game.speak(station, sound)
        await game.pass_time(2_000)
        await game.told()


def announced(game: Played) -> list[str | None]:
    events = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
    return [one.announcement.to_square for one in events if isinstance(one, ev.Announced)]


def questions(game: Played, station: str = "white") -> int:
    return len(game.ears[station].of(msg.Question))


async def heard(folder: Path, *sounds: str, fen: str | None = None) -> tuple[list[str | None], int, Sequence[bytes]]:
    kinds = {} if fen is None else {"fen": fen}
    async with played(folder, ears=hearing(), **kinds) as game:
        await said(game, *sounds)
        await game.told()
        return announced(game), questions(game), game.ears["white"].as_bytes()


async def test_two_doubtful_sounds_of_one_move_are_enough(tmp_path: Path) -> None:
    """Neither is alone; what both leave open is one move."""
    assert (await heard(tmp_path / "a", E4_OR_A4))[:2] == ([], 1)
    assert (await heard(tmp_path / "b", E4_OR_B4))[:2] == ([], 1)
    assert (await heard(tmp_path / "c", E4_OR_A4, E4_OR_B4))[:2] == (["e4"], 1)


async def test_a_doubt_that_both_sounds_leave_is_asked_about_again(tmp_path: Path) -> None:
    assert (await heard(tmp_path, E4_OR_A4, "a4 e4"))[:2] == ([], 2)


async def test_who_says_something_else_is_heard_as_they_speak_now(tmp_path: Path) -> None:
    assert (await heard(tmp_path / "a", E4_OR_A4, "d4="))[0] == ["d4"]
    assert (await heard(tmp_path / "b", E4_OR_B4, "d4 c4"))[:2] == ([], 2)


async def test_a_cough_between_settles_nothing(tmp_path: Path) -> None:
    """What was not for us neither answers the question nor takes it away."""
    assert (await heard(tmp_path, E4_OR_A4, "-h4 h5", E4_OR_B4))[:2] == (["e4"], 1)


@pytest.mark.parametrize("between", ["press", "half a minute", "other player", "settled"])
async def test_only_the_next_words_to_the_same_question_settle_it(tmp_path: Path, between: str) -> None:
    async with played(tmp_path, ears=hearing()) as game:
        await said(game, E4_OR_A4)
        if between == "press":
            await game.press("white")
            await said(game, E4_OR_B4, station="white")
            assert announced(game) == []
        elif between == "half a minute":
            await game.pass_time(30_000)
            await said(game, E4_OR_B4)
            assert announced(game) == [] and questions(game) == 2
        elif between == "other player":
            await said(game, E4_OR_B4, station="black")
            assert announced(game) == [] and questions(game, "black") == 1
        else:
            await said(game, "d4=", E4_OR_B4)
            assert announced(game) == ["d4"] and questions(game) == 2


@pytest.mark.law("L182")
async def test_the_opponents_press_leaves_a_doubt_about_the_echo_of_that_move(tmp_path: Path) -> None:
    async with played(tmp_path, ears=hearing(), black=SeatKind.TACTILE) as game:
        await said(game, "e4=")
        await said(game, E4_OR_A4, station="black")
        await game.press("white")
        await said(game, E4_OR_B4, station="black")
        record = game.table.state.ply(1)
        assert record is not None and record.echo_agrees and questions(game, "black") == 1


@pytest.mark.parametrize("sounds", [(E4_OR_A4, E4_OR_B4), (E4_OR_A4, A4_OR_B4), (E4_OR_B4, "e4=")])
async def test_the_same_sounds_give_the_same_bytes_in_every_position(tmp_path: Path, sounds: tuple[str, ...]) -> None:
    free = await heard(tmp_path / "a", *sounds)
    assert await heard(tmp_path / "b", *sounds, fen=BLOCKED) == free


async def test_who_was_asked_again_is_listened_to_by_both_ears_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A doubt is likelier after a doubt; only how soon the player hears of it depends on that."""
    expected: list[bool] = []

    async def begins(game: Played) -> bool:
        expected.clear()
        listening = game.table.listener.begin(game.table.admitted_station("white"))
        assert isinstance(listening, HearingUtterance)
        await listening.abandon()
        return bool(expected)

    monkeypatch.setattr(HearingUtterance, "expect_doubt", lambda self: expected.append(True))
    async with played(tmp_path, ears=hearing()) as game:
        assert not await begins(game)
        await said(game, E4_OR_A4)
        assert questions(game) == 1 and await begins(game)
        await said(game, "d4=")
        assert announced(game) == ["d4"] and not await begins(game)
