"""A seat has one language, chosen by its player or fixed by the arbiter: shown, said, typed and read."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.exports.table_pgn import pgn_of
from server.game import acts as cmd
from server.game.values.words import Mode, Role, Seat, Station
from server.game.views.messages import AnswerGiven, Relayed, SoundShown, Understood
from server.scoresheets.score_text import score_text
from server.wording.typed import heard_of_text
from server.wording.words import scheme_for
from speech.complaint import Complaint
from tests.table.open_hall import Played, played

BISHOP_COULD = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
"""Bishop and pawn can both go to c4; in the other position neither can."""
NEITHER_COULD = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


def told_help(game: Played, seat: str) -> str:
    return str([one for one in game.ears[seat].of(AnswerGiven) if one.what == "help"][-1].text)


async def test_what_its_player_chooses_is_the_language_of_all_and_the_opponent_is_told_nothing(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        assert game.table.state.language_of(Seat.WHITE) == "de"
        await game.type("white", "Hilfe")
        assert "Zeit" in told_help(game, "white")
        known = len(game.ears["black"].received)
        await game.done("white", cmd.ChooseEar(language="en"))
        assert len(game.ears["black"].received) == known, "what another seat reads is nobody else's affair"
        state = game.table.state
        assert (state.language_of(Seat.WHITE), state.language_of(Seat.BLACK)) == ("en", "de")
        assert scheme_for(state, Seat.WHITE).language == "en", "it is heard and spoken to in it"
        assert (await game.type("white", "help")).outcome.ok
        assert "I resign" in told_help(game, "white") and "gebe" not in told_help(game, "white")
        with pytest.raises(Complaint, match="is not known"):
            heard_of_text("hocus pocus", state, Seat.WHITE)
        again = game.attach("white").received[0]
        assert again.greeting.language == "en"  # type: ignore[union-attr]


async def test_what_the_arbiter_fixes_a_player_cannot_change_until_it_is_free_again(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("arbiter", cmd.ChooseEar(seat=Seat.WHITE, language="hu"))
        assert game.ears["white"].of(SoundShown)[-1].ear.language_fixed
        refused = await game.do("white", cmd.ChooseEar(language="en"))
        assert (refused.outcome.ok, refused.outcome.code) == (False, "only_the_arbiter")
        await game.done("white", cmd.ChooseEar(speed=120))  # the rest stays the player's
        assert game.table.state.language_of(Seat.WHITE) == "hu"
        await game.done("arbiter", cmd.ChooseEar(seat=Seat.WHITE, language=""))
        assert game.table.state.language_of(Seat.WHITE) == "de"
        await game.done("white", cmd.ChooseEar(language="en"))
        assert game.table.state.language_of(Seat.WHITE) == "en"


async def test_a_player_brings_the_language_of_the_door_where_nobody_chose_before(tmp_path: Path) -> None:
    async with played(tmp_path) as game:

        def language(seat: Seat) -> str:
            return game.table.state.language_of(seat)

        await game.table.admit(Station("helper", Role.ASSISTANT, Seat.WHITE), "ar")
        assert language(Seat.WHITE) == "de", "an assistant reads a page of their own"
        await game.table.admit(Station("phone", Role.PLAYER, Seat.WHITE), "hu")
        await game.table.admit(Station("other", Role.PLAYER, Seat.WHITE), "en")
        assert language(Seat.WHITE) == "hu", "the first choice is kept"
        await game.table.admit(Station("strange", Role.PLAYER, Seat.BLACK), "xx")
        assert language(Seat.BLACK) == "de", "there are no words in it"
        await game.done("arbiter", cmd.ChooseEar(seat=Seat.BLACK, language="he"))
        await game.table.admit(Station("late", Role.PLAYER, Seat.BLACK), "en")
        assert language(Seat.BLACK) == "he", "the arbiter's wins"


@pytest.mark.law("L185")
async def test_players_read_umlauts_and_the_record_keeps_the_spelling_of_the_laws(tmp_path: Path) -> None:
    async with played(tmp_path, mode=Mode.RELAY) as game:
        await game.done("black", cmd.ChooseEar(language="en"))
        for seat, words in (("white", "Bauer Eva vier"), ("black", "Bauer Eva fuenf"), ("white", "König Eva zwei")):
            await game.type(seat, words, "announce")
            await game.press(seat)
        assert game.ears["white"].of(Relayed)[-1].text == "Bauer Eva fünf"
        assert game.ears["white"].of(Understood)[-1].text == "König Eva zwei"
        assert game.ears["black"].of(Relayed)[-1].text == "König Eva zwei", "one spelling for every reader"
        state = game.table.state
        assert [one.text for one in state.moves.plies] == ["Bauer Eva vier", "Bauer Eva fuenf", "Koenig Eva zwei"]
        assert "Bauer Eva vier" in score_text(state, Seat.WHITE) and "Koenig Eva zwei" in score_text(state, Seat.WHITE)
        assert "König" not in pgn_of(state) + score_text(state, Seat.WHITE)
        await game.told()
        await game.done("white", cmd.Ask(what="score", move=2))
        await game.told()
        assert game.ears["white"].sounds[-2].text == "2: König Eva zwei"


async def test_english_letters_at_a_german_seat_and_both_readings_of_a_b(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        state = game.table.state
        assert heard_of_text("Nf3", state, Seat.WHITE).said == heard_of_text("Sf3", state, Seat.WHITE).said
        with pytest.raises(Complaint, match=r"Bauer Cesar vier; Läufer Cesar vier") as told:
            heard_of_text("Bc4", state, Seat.WHITE)
        with pytest.raises(Complaint, match="This may mean"):
            heard_of_text("Bc4", state, Seat.WHITE, "en")
        meant = {heard_of_text(f"{bishop} Cesar vier", state, Seat.WHITE).said for bishop in ("Laeufer", "Läufer")}
        assert len(meant) == 1 and None not in meant
        said = str(told.value)
    for name, fen in (("could", BISHOP_COULD), ("neither", NEITHER_COULD)):
        async with played(tmp_path / name, fen=fen) as game:
            with pytest.raises(Complaint) as again:
                heard_of_text("Bc4", game.table.state, Seat.WHITE)
            assert str(again.value) == said, "Silence: the position has no say in it"
