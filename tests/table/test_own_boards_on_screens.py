"""A board on a screen comes from its player's own entries, or from words by geometry: it tells nobody who is pinned."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.time_control import TimeControl
from server.game.values.words import Mode, Role, Seat, SeatKind, SeatPlan, Station
from server.game.views import messages as msg
from server.game.views.view import changes_picture, picture
from server.hall.hall import Hall
from server.hall.live_table import LiveTable
from server.protocol import Numbered
from tests.table.open_hall import STATIONS, Played, played, reopened

# Two knights reach f3; legality would choose, the words do not.
TWO_KNIGHTS = {
    "both may": "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1",
    "one is pinned": "4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1",
    "check": "4k3/8/8/8/4r3/8/3N4/4K1N1 w - - 0 1",
}
BY_DISTANCE = "4k3/8/8/8/1b6/8/8/N3K1N1 w - - 0 1"


def seen(game: Played, station: str) -> list[str]:
    return [one.placement for one in game.ears[station].of(msg.BoardShown)]


async def said_and_answered(game: Played) -> None:
    await game.speak("white", "Springer Felix drei")
    await game.press("white")
    await game.speak("black", "Springer Felix drei")
    await game.type("black", "Koenig Eva sieben")
    await game.press("black")


@pytest.mark.law("L080")
@pytest.mark.parametrize("name", TWO_KNIGHTS)
async def test_no_knight_moves_by_itself_where_the_words_leave_two_open(tmp_path: Path, name: str) -> None:
    async with played(tmp_path, fen=TWO_KNIGHTS[name]) as game:
        await said_and_answered(game)
        last_rank = TWO_KNIGHTS[name].split()[0].split("/")[6:]
        assert all(one.split("/")[6:] == last_rank for one in seen(game, "black"))
        assert seen(game, "black")[-1].startswith("8/4k3/"), "Black's own move is there"
        assert {one.placement for one in game.ears["display"].of(msg.Shown)} <= {
            None,
            seen(game, "black")[-1],
        }, "players look at the display too"
        assert b"board_not_followed" in b"".join(game.ears["arbiter"].as_bytes())


async def test_a_knight_that_alone_can_arrive_moves_on_the_screen_when_the_reply_says_so(tmp_path: Path) -> None:
    async with played(tmp_path, fen=BY_DISTANCE) as game:
        await said_and_answered(game)
        assert [one.split("/")[5] for one in seen(game, "black")] == ["5N2", "5N2"]
        placements = [one.placement for one in game.ears["display"].of(msg.Shown) if one.placement]
        assert placements[0] == "4k3/8/8/8/1b6/5N2/8/N3K3"


EN_PASSANT = {
    "legal": "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "pinned": "4k3/8/8/K1PpP2r/8/8/8/8 w - d6 0 1",
    "not just now": "4k3/8/8/2PpP3/8/8/8/4K3 w - - 0 1",
}


@pytest.mark.law("L080")
async def test_taking_in_passing_is_entered_in_the_same_words_whether_it_may_be_or_not(tmp_path: Path) -> None:
    told = set()
    for number, fen in enumerate(EN_PASSANT.values()):
        async with played(tmp_path / str(number), fen=fen, white=SeatKind.SIGHTED, mode=Mode.RELAY) as game:
            await game.do("white", cmd.EnterMove(uci="e5d6"))
            told.add(game.ears["white"].of(msg.Understood)[-1].text)
            assert seen(game, "white")[-1].split("/")[2:4][0] == "3P4"
    assert told == {"Bauer Eva fünf schlägt David sechs en passant"}


async def test_a_sighted_player_is_shown_their_board_at_each_of_its_moves_and_nobody_else_is(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.speak("white", "Eva vier")
        assert seen(game, "black") == []
        await game.do("black", cmd.Execute(uci="e2e4"))
        assert seen(game, "black") == ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"]
        await game.press("white")
        await game.do("black", cmd.EnterMove(uci="e7e5"))
        assert seen(game, "black")[-1] == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
        for other in ("white", "arbiter", "display"):
            assert seen(game, other) == []


async def test_the_arbiter_sees_which_board_only_lacks_the_last_move(tmp_path: Path) -> None:
    async with played(tmp_path) as game:

        def behind() -> Seat | None:
            pictures = [one.picture for one in game.ears["arbiter"].of(msg.Recorded) if one.picture is not None]
            return pictures[-1].behind

        await game.speak("white", "Eva vier")
        assert behind() is None
        await game.press("white")
        assert behind() is Seat.BLACK
        await game.do("black", cmd.Execute(uci="e2e4"))
        assert behind() is None
        await game.do("black", cmd.EnterMove(uci="e7e5"))
        await game.press("black")
        assert behind() is Seat.WHITE
        await game.speak("white", "Eva fuenf")
        await game.do("white", cmd.Execute(uci="d7d5"))  # a hand slips: now the boards really differ
        assert behind() is None
        await game.speak("white", "David vier")
        await game.press("white")
        assert behind() is None


async def test_the_last_words_are_answered_in_the_askers_spelling(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.speak("white", "Springer Felix drei")
        await game.do("black", cmd.Ask(what="last"))
        [answer] = game.ears["black"].of(msg.AnswerGiven)
        assert answer.text == "Springer Felix drei"


async def test_of_the_arbiters_pictures_only_the_newest_is_sent_again(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        for words in ("Eva vier", "Eva fuenf"):
            await game.speak("white", words)
            await game.press("white")
        live = [one.message.event for one in game.ears["arbiter"].received if isinstance(one, Numbered)]
        again = game.attach("arbiter").of(msg.Recorded)
        assert [one.event for one in again] == live
        pictured = [one for one in again if one.picture is not None]
        assert len(pictured) == 1 and pictured[0].picture.behind is Seat.BLACK


async def test_the_arbiters_picture_is_built_once_a_command_for_all_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[msg.Picture] = []

    def noted(state: GameState, at: int) -> msg.Picture:
        built.append(picture(state, at))
        return built[-1]

    monkeypatch.setattr("server.table.table.picture", noted)
    arbiters = ("arbiter", "arbiter-2")
    async with played(tmp_path, stations=(*STATIONS, Station("arbiter-2", Role.ARBITER))) as game:
        await game.speak("white", "Eva vier")
        built.clear()
        before = {name: len(game.ears[name].of(msg.Recorded)) for name in arbiters}
        await game.press("white")
        assert len(built) == 1
        for name in arbiters:
            told = game.ears[name].of(msg.Recorded)[before[name] :]
            assert sum(changes_picture(one.event) for one in told) > 3, "a press is many events"
            assert [one.picture for one in told if one.picture is not None] == built
            last = [one for one in told if changes_picture(one.event)][-1]
            assert last.picture is not None, "with the last of them"


async def english_table(hall: Hall) -> LiveTable:
    body = cmd.OpenTable(
        white=SeatPlan(SeatKind.TACTILE, language="hu"),
        black=SeatPlan(SeatKind.SIGHTED, language="en"),
        control=TimeControl.parse("5400+30"),
        start_fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    )
    table = await hall.open_table(body, "t1")
    for station in STATIONS:
        await table.admit(station)
    return table


async def test_words_of_the_players_own_language_may_be_typed_under_the_german_scheme(tmp_path: Path) -> None:
    async with reopened(tmp_path) as (hall, clock):
        game = Played(hall, clock, await english_table(hall))
        for station in STATIONS:
            game.attach(station.id)
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
        await game.done("arbiter", cmd.StartGame())
        assert (await game.type("white", "huszár f3")).outcome.ok
        await game.press("white")
        assert (await game.type("black", "knight f3")).outcome.ok
        assert (await game.type("black", "Springer Felix sechs")).outcome.ok
        assert [one.text for one in game.ears["black"].of(msg.Understood)] == [
            "Springer Felix drei",
            "Springer Felix sechs",
        ]


@pytest.mark.law("L017", "L183")
async def test_a_pawn_announced_by_keys_names_what_it_becomes(tmp_path: Path) -> None:
    """On a keypad "58", with two keys "pawn e8": refused by the words alone, as they are asked about where typed."""
    heard = []
    for fen in ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "7k/4P3/8/8/8/8/8/4K3 w - - 0 1"):
        async with played(tmp_path / fen[0], fen=fen) as game:
            for piece in (None, "pawn"):
                said = cmd.Say(announcement=Announcement(piece=piece, to_square="e8"))
                outcome = await game.do("white", said)
                assert (outcome.outcome.code, game.table.state.ply(1)) == ("name_the_piece", None)
                assert outcome.text.startswith("In welche Figur wird der Bauer umgewandelt")
            await game.done("white", cmd.Ask(what="article"))
            (answer,) = game.ears["white"].of(msg.AnswerGiven)
            assert (answer.refused, answer.article) == ("name_the_piece", "3.7.3.3")
            heard.append(game.ears["white"].as_bytes())
            await game.done("white", cmd.Say(announcement=Announcement(to_square="e8", promotion="rook")))
        assert (record := game.table.state.ply(1)) is not None and record.announcement is not None
        assert record.announcement.promotion == "rook"
    assert heard[0] == heard[1], "whatever stands on the board"


@pytest.mark.parametrize("said", [Announcement("rook", to_square="e8"), Announcement(from_square="e7", to_square="e8")])
async def test_words_that_may_be_of_another_man_are_taken(tmp_path: Path, said: Announcement) -> None:
    async with played(tmp_path) as game:
        await game.done("white", cmd.Say(announcement=said))


async def test_a_promotion_entered_without_its_piece_is_asked_for_in_the_players_language(tmp_path: Path) -> None:
    async with played(tmp_path, fen="4k3/P7/8/8/8/8/8/4K3 w - - 0 1", white=SeatKind.SIGHTED) as game:
        outcome = await game.do("white", cmd.EnterMove(uci="a7a8"))
        assert not outcome.outcome.ok and outcome.text.startswith("In welche Figur wird der Bauer umgewandelt")
