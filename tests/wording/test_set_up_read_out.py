"""Before the start a player has the set-up read out: by voice, by a typed word and in braille (2.3, L010)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import chess
import pytest

from braille.loading import computer_profile, load_profile
from server.game import acts as cmd
from server.game.laws.event_options import EventOptions
from server.game.values.time_control import TimeControl
from server.game.values.words import Role, Seat, SeatKind, SeatPlan, Station
from server.game.views import messages as msg
from server.wording.braille import Reader, shown_lines
from server.wording.pieces import lines_of, pieces_of
from server.wording.words import scheme_of
from speech.words.config_file import language_tags
from tests.braille.reading import read_page
from tests.table.open_hall import Played, WrittenEars, WrittenVoice, reopened

NINE_SIXTY = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1"


@asynccontextmanager
async def before_the_start(folder: Path, language: str, fen: str, *, training: bool = False) -> AsyncIterator[Played]:
    async with reopened(folder, ears=WrittenEars(), voice=WrittenVoice()) as (hall, clock):
        nine_sixty = fen == NINE_SIXTY
        body = cmd.OpenTable(
            white=SeatPlan(SeatKind.TACTILE, language=language), black=SeatPlan(SeatKind.SIGHTED), start_fen=fen,
            control=TimeControl.parse("5400+30"), chess960=nine_sixty, rated=not training, training=training,
            regulations=EventOptions(guidelines=("II",)) if nine_sixty else None,
        )  # fmt: skip
        game = Played(hall, clock, await hall.open_table(body, "t1"))
        for station in (
            Station("white", Role.PLAYER, Seat.WHITE),
            Station("black", Role.PLAYER, Seat.BLACK),
            Station("arbiter", Role.ARBITER),
        ):
            await game.table.admit(station)
            game.attach(station.id)
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
        yield game


@pytest.mark.law("L010")
@pytest.mark.parametrize("fen", [chess.STARTING_FEN, NINE_SIXTY])
@pytest.mark.parametrize("language", language_tags())
async def test_by_voice_and_by_a_typed_word_in_every_language(tmp_path: Path, language: str, fen: str) -> None:
    async with before_the_start(tmp_path, language, fen) as game:
        word = scheme_of("d21", language).text("cmd.set_up")
        await game.speak("white", word)
        await game.told()
        assert (await game.type("white", word)).outcome.ok
        await game.told()
        answers = game.ears["white"].of(msg.AnswerGiven)
        assert [one.placement for one in answers] == [fen.split()[0]] * 2
        sounds = [one.text for one in game.ears["white"].sounds]
        men = [text for text, _ in pieces_of(answers[0], scheme_of("d21", language))]
        assert sounds == men * 2 and len(men) == 17, "two men at a time, after how many there are"
        assert not game.ears["black"].of(msg.AnswerGiven)
        (helped,) = [one for one in await help_of(game) if one.what == "help"]
        assert "cmd.set_up" in helped.words


async def help_of(game: Played) -> list[msg.AnswerGiven]:
    await game.done("white", cmd.Ask(what="help"))
    return game.ears["white"].of(msg.AnswerGiven)


@pytest.mark.law("L010")
@pytest.mark.parametrize("fen", [chess.STARTING_FEN, NINE_SIXTY])
async def test_under_the_fingers_it_is_the_board(tmp_path: Path, fen: str) -> None:
    async with before_the_start(tmp_path, "de", fen) as game:
        await game.done("white", cmd.Ask(what="set_up"))
        (answer,) = game.ears["white"].of(msg.AnswerGiven)
        scheme = scheme_of("d21", "de")
        reader = Reader(scheme, load_profile(computer_profile("de")), 40, Seat.WHITE)
        lines = shown_lines(answer, lines_of(answer, scheme), reader)
        assert read_page(lines[:9], reader.profile) == chess.BaseBoard(fen.split()[0])


@pytest.mark.law("L010", "L192")
async def test_from_the_start_on_it_is_refused_with_its_article(tmp_path: Path) -> None:
    async with before_the_start(tmp_path, "en", chess.STARTING_FEN) as game:
        await game.done("arbiter", cmd.StartGame())
        for station in ("white", "black"):
            outcome = await game.do(station, cmd.Ask(what="set_up"))
            assert not outcome.outcome.ok and outcome.outcome.article == "2.3"
            assert "2.3" in outcome.text
        await game.speak("white", "starting position")
        await game.told()
        assert [one.code for one in game.ears["white"].of(msg.NotDone)] == ["set_up_before_the_start"]
        assert not game.ears["white"].of(msg.AnswerGiven)


@pytest.mark.law("L010")
async def test_at_a_table_for_training_it_is_always_read(tmp_path: Path) -> None:
    async with before_the_start(tmp_path, "en", chess.STARTING_FEN, training=True) as game:
        await game.done("arbiter", cmd.StartGame())
        assert (await game.do("white", cmd.Ask(what="set_up"))).outcome.ok
