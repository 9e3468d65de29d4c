"""Words that bind are bound by the player's own key, button or typing, never by a voice alone (5.1.2, 9.1, 9.5.1).

A recording, or the neighbour, may be heard by an open microphone: it then asks the player, and its yes binds nobody.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.state.state import GameState
from server.game.values.words import Mode, Seat, SeatKind
from server.game.views import messages as msg
from server.stations.braille import TWICE
from server.voice.listener import UtteranceSound
from tests.table.open_hall import Played, played

KEY_NEEDED = "Halten Sie dafür die Sprechtaste."


async def overhear(game: Played, station: str, text: str) -> None:
    """An open microphone hears words; no key is held."""
    game._count += 1
    pcm = text.encode("utf-16-le")
    await game.table.hear(station, game._count, UtteranceSound(pcm, pcm, by_voice=True), game.clock.mono_ms())


def bound(state: GameState) -> bool:
    draws, ending = state.draws, state.ending
    offered = draws.offer_by is Seat.WHITE
    return bool(ending.result or ending.resigned or draws.claim or offered or ending.flag_seen)


def refusals(game: Played) -> list[str]:
    told = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
    return [one.code for one in told if isinstance(one, ev.CommandRefused)]


WORDS = ("ich gebe auf", "Remisangebot", "Remisreklamation", "Zeitüberschreitung")


@pytest.mark.law("L044", "L101")
@pytest.mark.parametrize("word", WORDS)
async def test_a_voice_alone_binds_nobody(tmp_path: Path, word: str) -> None:
    async with played(tmp_path, mode=Mode.RELAY, black=SeatKind.TACTILE) as game:
        for said in (word, "ja", "ja"):
            await overhear(game, "white", said)
        assert not bound(game.table.state) and game.table.state.ending.pending
        assert refusals(game) == ["own_key_needed"] * 2
        await game.told()
        assert KEY_NEEDED in [one.text for one in game.ears["white"].sounds]
        assert not game.ears["black"].of(msg.DrawOffer)


HELD: dict[str, Any] = {
    "talk key": lambda game: game.speak("white", "ja"),
    "typed": lambda game: game.type("white", "ja"),
    "key of the page": lambda game: game.done("white", cmd.Confirm(yes=True)),
}


@pytest.mark.law("L044", "L101")
@pytest.mark.parametrize("how", HELD)
@pytest.mark.parametrize("word", WORDS)
async def test_the_players_own_key_or_typing_binds(tmp_path: Path, word: str, how: str) -> None:
    async with played(tmp_path, mode=Mode.RELAY, black=SeatKind.TACTILE) as game:
        await game.speak("white", "Bauer Eva vier")
        await game.press("white")
        await overhear(game, "white", word)
        await overhear(game, "white", "ja")
        asked = {one.what for one in game.table.state.ending.pending}
        assert len(asked) == 1 and not bound(game.table.state)
        await HELD[how](game)
        settled = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
        confirmed = [one for one in settled if isinstance(one, ev.ProposalSettled)]
        assert [(one.what, one.outcome) for one in confirmed] == [(*asked, "confirmed")]


@pytest.mark.law("L101")
async def test_an_acceptance_by_voice_alone_ends_no_game(tmp_path: Path) -> None:
    async with played(tmp_path, mode=Mode.RELAY, black=SeatKind.TACTILE) as game:
        for seat, move in (("white", "Bauer Eva vier"), ("black", "Bauer Eva fünf")):
            await game.speak(seat, move)
            await game.press(seat)
        await game.type("white", "Remisangebot")
        assert game.table.state.draws.offer_by is Seat.WHITE
        for said in ("angenommen", "ja", "ja"):
            await overhear(game, "black", said)
        assert game.table.state.ending.result is None
        await game.speak("black", "ja")
        assert game.table.state.ending.result == "1/2-1/2"


async def test_a_no_by_voice_alone_takes_back_what_was_asked(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await overhear(game, "white", "ich gebe auf")
        await overhear(game, "white", "nein")
        assert not game.table.state.ending.pending and not bound(game.table.state)


@pytest.mark.law("L104")
async def test_what_is_claimed_is_settled_with_a_key(tmp_path: Path) -> None:
    """Whether a move is intended, or which claim it is, a voice alone does not say for the claimant."""
    async with played(tmp_path, mode=Mode.RELAY, black=SeatKind.TACTILE) as game:
        await game.speak("white", "Remisreklamation")
        await game.speak("white", "ja")
        claim = game.table.state.draws.claim
        assert claim is not None and claim.awaits
        await overhear(game, "white", "nein")
        assert game.table.state.draws.claim == claim
        await game.speak("white", "nein")
        after = game.table.state.draws.claim
        assert after is not None and not after.awaits


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("gebe auf", "resign"),
        ("Remisreklamation", "claim_draw"),
        ("Blättchenfall", "claim_time"),
        ("remis?", "draw_offer"),
        ("einverstanden", "draw_accept"),
    ],
)
async def test_what_binds_is_asked_about_once_where_it_is_typed(tmp_path: Path, typed: str, asked: str) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.type("white", typed)
        assert [one.what for one in game.table.state.ending.pending] == [asked] and not bound(game.table.state)
        await game.type("white", "nein")
        assert not game.table.state.ending.pending and not bound(game.table.state)


async def test_a_typed_yes_to_an_offer_is_asked_about_and_a_typed_no_is_not(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.speak("white", "Bauer Eva vier")
        await game.press("white")
        await game.type("white", "Remisangebot")
        await game.type("black", "ja")
        assert game.table.state.ending.result is None
        assert [one.what for one in game.table.state.ending.pending] == ["draw_accept"]
        await game.type("black", "nein")
        assert game.table.state.draws.offer_by is Seat.WHITE, "the no is of the question"
        await game.type("black", "nein")
        assert game.table.state.draws.offer_by is None


def test_the_braille_line_does_not_ask_what_the_server_asks() -> None:
    assert TWICE == ("draw_offer",)
