"""A slip of a sighted player's hand at a real table: for the arbiter alone, and nobody's announcement (1.3, D.2.1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.words import Mode, Seat
from server.game.views import messages as msg
from tests.table.open_hall import Played, played

START = "rnbqkbnr/ppp1pppp/3p4/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
WORDS = "Springer Cesar sechs"


async def slipped(
    folder: Path, uci: str, mode: Mode
) -> tuple[dict[str, list[bytes]], list[str], list[str | None], int]:
    """Black announces Nc6, White repeats it, Black's hand does `uci`; then White moves. What each was told."""
    async with played(folder, fen=START, mode=mode) as game:
        await game.type("white", "Bauer Eva vier", "announce")
        await game.press("white")
        await game.type("black", "Bauer Eva vier", "echo")
        await game.done("black", cmd.Execute(uci="e2e4"))
        await game.speak("black", WORDS)
        await game.speak("white", WORDS)
        await game.done("black", cmd.EnterMove(uci=uci))
        at_once = alerted(game)
        await game.press("black")
        await game.done("white", cmd.Ask(what="last"))
        await game.put_into_sound()  # the answer is being said when White speaks, in each of the games
        await game.speak("white", "David vier")
        await game.press("white")
        await game.told()
        state = game.table.state
        assert state.moves.plies[1].text == "Springer Cesar sechs" and state.moves.plies[2].text == "David vier"
        assert [cell.text if cell else "" for cell in state.scores.black] == []
        told = {name: game.ears[name].as_bytes() for name in ("white", "display")}
        scores = [cell.text if cell else "" for cell in state.scores.white]
        shown = [one.placement for one in game.ears["display"].of(msg.Shown)]
        assert state.board_of(Seat.BLACK).position.placement.startswith("r" if uci == "b8c6" else "r1bqkbnr/pppn")
        return told, scores, shown, at_once


def alerted(game: Played) -> int:
    events = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
    return sum(isinstance(one, ev.Alerted) and one.kind == "board_differs" for one in events)


@pytest.mark.law("L005", "L141", "L189", "L191", "L194")
@pytest.mark.parametrize("mode", [Mode.TABLE, Mode.RELAY])
async def test_the_slip_is_told_to_the_arbiter_and_white_goes_on_as_if_it_were_not(tmp_path: Path, mode: Mode) -> None:
    right, scores, _, none = await slipped(tmp_path / "right", "b8c6", mode)
    wrong, others, shown, at_once = await slipped(tmp_path / "wrong", "b8d7", mode)
    assert (none, at_once) == (0, 1)
    assert scores == others == ["Bauer Eva vier", "Springer Cesar sechs", "David vier"]
    assert right["white"] == wrong["white"], "White is told the same, byte by byte"
    assert not any(one and one.startswith("r1bqkbnr/pppn") for one in shown), "nor does the hall see it"
    assert b"David sieben" not in b"".join((*wrong["white"], *wrong["display"]))
