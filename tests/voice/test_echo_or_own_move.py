"""Words that may be an echo or the player's own move, at a real table: each hears for which they were taken (D.2.1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game.values.words import Mode, ReadBack, Seat, SeatKind
from server.game.views import messages as msg
from tests.table.open_hall import STATIONS, Played, played

STANDS = "4k3/2p5/4n3/B7/8/8/8/4K2R b - - 0 1"
STANDS_OTHERWISE = "4k3/8/8/8/2N5/8/1b6/4K2R b - - 0 1"


async def answered(game: Played, *words: str) -> list[str]:
    """What White, who plays by touch, hears after Black's bishop was announced on d2 and White said these words."""
    await game.type("black", "Läufer David zwei", "announce")
    await game.press("black")
    await game.told()
    game.ears["white"].received.clear()
    for one in words:
        await game.speak("white", one)
        await game.told()
    return [sound.text for sound in game.ears["white"].sounds]


@pytest.mark.law("L182")
@pytest.mark.parametrize(("mode", "chosen"), [(Mode.TABLE, None), (Mode.TABLE, "none"), (Mode.RELAY, "tick")])
async def test_a_recapture_without_an_echo_is_heard_as_what_it_was_taken_for(
    tmp_path: Path, mode: Mode, chosen: str | None
) -> None:
    """The same bytes whatever stands on the boards (11.3.1)."""
    received = []
    for number, fen in enumerate((STANDS, STANDS_OTHERWISE)):
        async with played(tmp_path / str(number), fen=fen, mode=mode) as game:
            if chosen is not None:
                await game.done("white", cmd.ChooseEar(read_back=ReadBack(chosen)))
            heard = await answered(game, "Eva eins David zwei")
            assert heard == ["wiederholt: Eva eins David zwei"]
            assert game.table.state.ply(2) is None
            assert "Eva" not in " ".join(one.text for one in game.ears["black"].of(msg.Relayed))
            received.append(game.ears["white"].as_bytes())
    assert received[0] == received[1]


@pytest.mark.law("L182")
async def test_said_again_after_that_it_is_the_own_move_and_the_same_echo_again_is_not(tmp_path: Path) -> None:
    async with played(tmp_path / "own", fen=STANDS) as game:
        await answered(game, "Eva eins David zwei", "Eva eins David zwei")
        record = game.table.state.ply(2)
        assert record is not None and record.announcement is not None and record.announcement.from_square == "e1"
    async with played(tmp_path / "echo", fen=STANDS) as game:
        heard = await answered(game, "Läufer David zwei", "Läufer David zwei")
        assert heard == ["wiederholt: Läufer David zwei"] and game.table.state.ply(2) is None


@pytest.mark.law("L182", "L191")
@pytest.mark.parametrize("mode", [Mode.TABLE, Mode.RELAY])
@pytest.mark.parametrize("words_first", [True, False])
async def test_a_sighted_players_words_and_hand_are_one_announcement(
    tmp_path: Path, mode: Mode, words_first: bool
) -> None:
    """4.7, D.2.1: said without an echo, and made on the screen of that player's page."""
    async with played(tmp_path, mode=mode) as game:
        await game.type("white", "Eva vier", "announce")
        await game.press("white")
        await game.told()
        game.ears["white"].received.clear()
        for words in (words_first, not words_first):
            if words:
                await game.speak("black", "knight f 6")
            else:
                await game.done("black", cmd.EnterMove(uci="g8f6"))
        await game.press("black")
        await game.told()
        state = game.table.state
        assert state.moves.line == ("e2e4", "g8f6")
        assert state.board_of(Seat.BLACK).position.placement == "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR"
        relayed = ["Springer Felix sechs"] if mode is Mode.RELAY else []
        assert [sound.text for sound in game.ears["white"].sounds] == relayed
        assert not state.rulings.unsettled


@pytest.mark.law("L162", "L182")
async def test_a_pawn_that_takes_is_named_by_its_file(tmp_path: Path) -> None:
    """C.10, as it is said: "e takes d5" is from e4 at White's seat, and the opponent's where it repeats their words."""
    async with played(tmp_path, black=SeatKind.TACTILE, fen="4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1") as game:
        await game.speak("white", "e schlägt d5")
        await game.do("white", cmd.Press())
        await game.speak("black", "Eva schlägt David fünf")
        await game.do("black", cmd.Press())
        await game.speak("black", "c schlägt d5")
        await game.do("black", cmd.Press())
        await game.speak("white", "Bauer c schlägt d5")
        plies = game.table.state.moves.plies
        said = [(one.announcement.piece, one.announcement.from_square) for one in plies if one.announcement is not None]
        assert said == [("pawn", "e4"), ("pawn", "c6")] and all(one.echoed for one in plies)


@pytest.mark.law("L182", "L189")
async def test_who_presses_before_the_recogniser_is_done_has_announced_all_the_same(tmp_path: Path) -> None:
    """The opponent has no station: what White said before the press is White's move, and no echo of Black's."""
    async with played(tmp_path, stations=(STATIONS[0], *STATIONS[2:])) as game:
        await game.pass_time(5_000)
        said_at = game.clock.mono_ms()
        await game.pass_time(900)
        await game.press("white")
        await game.pass_time(400)
        await game.table.hear("white", 1, "Eva vier".encode("utf-16-le"), said_at)
        state = game.table.state
        assert (state.made_plies, state.moves.line) == (1, ("e2e4",)) and state.on_move is Seat.BLACK
        assert [one.index for one in game.ears["white"].of(msg.ScoreLine)] == [1]
        assert state.time.clock.running is Seat.BLACK
