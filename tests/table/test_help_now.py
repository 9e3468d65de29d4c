"""Help says the words that can be said now, short and by what goes on at the table; asked again, the rest of them."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game.decide.questions import MORE_MS
from server.game.values.words import Mode, Seat, SeatKind
from server.game.views import messages as msg
from server.protocol import Numbered
from server.wording.words import scheme_of
from speech.announcements.cells import CELLS, count_cells
from speech.complaint import Complaint
from speech.words.config_file import language_tags
from speech.words.language import COMMANDS
from tests.table.open_hall import Played, WrittenVoice, played

LONGEST = 11
"""Words in one answer, so that it is heard in a few seconds; the rest is asked for."""
UNSAID = {"yes", "no", "help", "castle", "draw", "draw_accept", "draw_decline", "set_clock", "set_up", "pairing"}
"""Words of another time, or told elsewhere; a bare "draw" is asked about, the offer is named."""


async def helped(game: Played, tag: str = "de") -> tuple[str, ...]:
    await game.speak("white", scheme_of("d21", tag).listener.words["cmd.help"].text)
    await game.told()
    return tuple(word.removeprefix("cmd.") for word in game.ears["white"].of(msg.AnswerGiven)[-1].words)


@pytest.mark.parametrize("tag", language_tags())
async def test_all_words_of_a_running_game_in_two_answers(tmp_path: Path, tag: str) -> None:
    words = scheme_of("d21", tag).listener.words
    async with played(tmp_path, voice=WrittenVoice(), black=SeatKind.TACTILE, language=tag) as game:
        first, rest = await helped(game, tag), await helped(game, tag)
        assert {*first, *rest} == set(COMMANDS) - UNSAID and not {*first} & {*rest}
        assert len(first) <= LONGEST
        told = game.ears["white"].of(msg.AnswerGiven)
        for one, answer in zip((first, rest), told, strict=True):
            assert all(words[f"cmd.{word}"].text in answer.text for word in one)
            heard = " ".join(sound.text for sound in game.ears["white"].sounds)
            assert all(words[f"cmd.{word}"].text in heard for word in one)
        assert words["cmd.help"].text in told[0].text and words["cmd.help"].text not in told[1].text
        lines = [
            line
            for one in game.ears["white"].received
            if isinstance(one, Numbered) and one.message in told
            for line in one.lines
        ]
        assert lines and all(count_cells(line) <= CELLS for line in lines)
        assert await helped(game, tag) == first


async def test_what_is_asked_goes_first_and_an_offer_has_its_answers(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.speak("white", "Bauer Eva vier")
        await game.press("white")
        await game.speak("black", "Bauer Eva fuenf")
        await game.press("black")
        assert "draw_offer" in await helped(game)
        await game.pass_time(MORE_MS + 1_000)
        await game.do("black", cmd.OfferDraw())
        assert (await helped(game))[:2] == ("draw_accept", "draw_decline")
        await game.pass_time(MORE_MS + 1_000)
        await game.speak("white", "ich gebe auf")
        assert (await helped(game))[:2] == ("yes", "no")
        await game.speak("white", "nein")
        await game.do("white", cmd.AnswerDraw(accept=True))
        after = await helped(game)
        assert "last" in after and not {"draw_offer", "resign", "time"} & {*after}


@pytest.mark.law("L141")
async def test_help_knows_neither_position_nor_turn(tmp_path: Path) -> None:
    heard = []
    fens = (None, "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "4k3/4r3/8/8/8/8/4N3/4K3 b - - 0 1")
    for name, fen in enumerate(fens):
        more = {} if fen is None else {"fen": fen}
        async with played(tmp_path / str(name), mode=Mode.TABLE, black=SeatKind.TACTILE, **more) as game:
            heard.append((await helped(game), await helped(game)))
    assert heard[0] == heard[1] == heard[2]


async def test_reading_on_in_ones_own_score(tmp_path: Path) -> None:
    async with played(tmp_path, voice=WrittenVoice()) as game:
        await game.speak("white", "Zug davor")  # nothing is written yet
        for white, black in (("Bauer Eva vier", "Bauer Eva fuenf"), ("Springer Felix drei", "Bauer David sechs")):
            await game.speak("white", white)
            await game.press("white")
            await game.speak("black", black)
            await game.speak("white", black)
            await game.press("black")
        for word in ("Zug danach", "Zug danach", "Zug danach", "Zug danach", "Zug davor", "Zug davor", "Zug davor"):
            await game.speak("white", word)
            await game.told()
        read = [one.move for one in game.ears["white"].of(msg.AnswerGiven)]
        assert read == [1, 2, 3, 3, 3, 2, 1, 1]
        assert game.table.state.scores.read_to == (1, 0)


async def test_which_article_tells_the_last_refusal_of_this_seat_alone(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.speak("white", "welcher Artikel")
        assert game.ears["white"].of(msg.AnswerGiven)[-1].text == "Es wurde keiner Ihrer Befehle abgelehnt."
        refused = await game.do("white", cmd.Execute())  # by a key: told, and on no record
        assert refused.outcome.article == "D.2.1"
        await game.speak("white", "welcher Artikel")
        told = game.ears["white"].of(msg.AnswerGiven)[-1]
        assert (told.refused, told.article) == ("nothing_to_execute", "D.2.1") and "D.2.1" in told.text
        await game.do("black", cmd.Ask(what="article", refused="game_over", article="9.9"))
        assert game.ears["black"].of(msg.AnswerGiven)[-1].refused == "", "a client says nothing of it"


@pytest.mark.law("L182")
async def test_the_players_word_declares_the_opponents_move_carried_out(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.speak("white", "Bauer Eva vier")
        await game.press("white")
        assert game.table.state.moves.plies[0].executed_ms is None
        await game.speak("black", "Ihr Zug steht auf meinem Brett")
        assert game.table.state.moves.plies[0].executed_ms is not None
        assert game.table.state.board_of(Seat.BLACK).position.board().piece_at(28) is not None


@pytest.mark.parametrize("way", ["speak", "type"])
async def test_a_move_of_the_players_own_score_by_its_number(tmp_path: Path, way: str) -> None:
    async with played(tmp_path) as game:
        say = game.speak if way == "speak" else game.type
        for asked in ("Zug zwoelf", "mein Zug eins zwei", "Zug neun", "Zug eins null drei", "Zug 12", "Zug", "Zug 600"):
            await say("white", asked)
        told = [one.move for one in game.ears["white"].of(msg.AnswerGiven)]
        assert told == [12, 12, 9, 103, 12, 12, 600]
        for wrong in ("Zug null", "Zug eins zwei drei vier", "Zug elf eins"):
            with contextlib.suppress(Complaint):
                await say("white", wrong)
        assert len(game.ears["white"].of(msg.AnswerGiven)) == len(told)
