"""A hearing-impaired opponent (D.2.11), from the pairing file to the report: who must help, and what they read."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import group
from server.exports.exports import events_from
from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.words import Duty, Role, Seat, Station
from server.game.views import messages as msg
from server.game.views.table import table_shown
from server.hall.hall import Hall
from server.settings import Settings
from tests.table.open_hall import Played, WrittenEars, WrittenVoice, reopened
from tests.web.open_house import open_house
from tests.web.test_all_tables import PGN, hall_arbiter

WHITE, BLACK = "Anna Fried", "Hector Horn"


async def anna_eins(*arguments: str) -> str:
    """What a command says, in a thread of its own."""
    done = await asyncio.to_thread(CliRunner().invoke, group, list(arguments))
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


@pytest.mark.law("L207", "L199", "L200", "L138")
async def test_a_deaf_opponents_game_from_import_to_report(tmp_path: Path) -> None:
    (tmp_path / "round.pgn").write_text(PGN, "utf-8")
    data = str(tmp_path / "data")
    players = ["--tactile", WHITE, "--hearing-impaired", BLACK]
    said = await anna_eins("import", str(tmp_path / "round.pgn"), "--data", data, "--language", "en", *players)
    assert f"{WHITE} (tactile board) – {BLACK} (hearing-impaired)" in said
    engines = {"ears": WrittenEars(), "voice": WrittenVoice()}
    async with reopened(tmp_path / "data", **engines) as (hall, clock):
        game = Played(hall, clock, hall.table("r3-b1"))
        state = game.table.state
        assert state.plan(Seat.BLACK).hearing_impaired and not state.plan(Seat.WHITE).hearing_impaired
        for station in (
            Station("white", Role.PLAYER, Seat.WHITE),
            Station("black", Role.PLAYER, Seat.BLACK),
            Station("arbiter", Role.ARBITER),
        ):
            assert (await game.table.admit(station)).outcome.ok
            game.attach(station.id)
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
        shown = table_shown(game.table.state)
        assert shown.assistant_needed and shown.hearing_impaired == (False, True)
        # The "must" of D.2.11: nobody starts this game without an assistant who passes on the moves.
        refused = await game.do("arbiter", cmd.StartGame())
        assert (refused.outcome.ok, refused.outcome.code, refused.outcome.article) == (
            False,
            "assistant_needed",
            "D.2.11",
        )
        await game.table.admit(Station("keeper", Role.ASSISTANT, Seat.WHITE, (Duty.ADJOURN,)))
        assert (await game.do("arbiter", cmd.StartGame())).outcome.code == "assistant_needed", "one who seals alone"
        await game.table.admit(Station("helper", Role.ASSISTANT, Seat.WHITE, (Duty.EXECUTE, Duty.ANNOUNCE)))
        await game.done("arbiter", cmd.RecordAdaptation(name="machine_announces", value="on"))
        await game.done("arbiter", cmd.StartGame())
        # What the opponent says by voice, the player reads; their own words are no news to them.
        await game.speak("white", "Emil vier")
        await game.press("white")
        (read,) = game.ears["black"].of(msg.Relayed)
        assert read.text and game.ears["white"].of(msg.Relayed) == []
        await game.type("black", "e4")
        await game.type("black", "e5")
        await game.press("black")
        await game.type("white", "e5")
        # An offer that was not seen is not rejected by the player's move (9.1.2.1); seen, it is accepted.
        await game.speak("white", "Springer Felix drei")
        await game.done("white", cmd.OfferDraw())
        (offer,) = game.ears["black"].of(msg.DrawOffer)
        assert offer.acknowledge and not offer.own
        await game.press("white")
        await game.type("black", "Nf3")
        await game.type("black", "Nc6")
        await game.press("black")
        assert game.table.state.draws.offer_by is Seat.WHITE
        await game.done("black", cmd.Acknowledge())
        await game.done("black", cmd.AnswerDraw(accept=True))
        assert game.table.state.ending.result == "1/2-1/2"
        assert game.table.state.moves.line == ("e2e4", "e7e5", "g1f3", "b8c6")
    english = await anna_eins("report", "r3-b1", "--data", data)
    assert f"Black: {BLACK}, sighted, hearing-impaired" in english.replace(" – ", ", "), english
    german = await anna_eins("report", "r3-b1", "--data", data, "--language", "de")
    assert "hörbehindert" in german and "D.2.10" in german


async def alerts_of(hall: Hall) -> list[ev.Alerted]:
    """That an assistant must be used, as the arbiter was told."""
    events = events_from(await hall.journal.read("r3-b1"), "r3-b1")
    return [one for one in events if isinstance(one, ev.Alerted) and one.kind == "assistant_needed"]


@pytest.mark.law("L207")
async def test_recorded_by_the_arbiter_at_the_table_and_in_the_game(tmp_path: Path) -> None:
    """Before the start it holds the start up; in the game the arbiter is told that an assistant must be used."""
    (tmp_path / "round.pgn").write_text(PGN, "utf-8")
    data = str(tmp_path / "data")
    await anna_eins("import", str(tmp_path / "round.pgn"), "--data", data, "--tactile", WHITE)
    async with reopened(tmp_path / "data") as (hall, clock):
        game = Played(hall, clock, hall.table("r3-b1"))
        await game.table.admit(Station("arbiter", Role.ARBITER))
        await game.table.admit(Station("black", Role.PLAYER, Seat.BLACK))
        seen = game.attach("black")
        await game.done("arbiter", cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore"))
        deaf = cmd.DescribePlayer(seat=Seat.BLACK, hearing_impaired=True)
        await game.done("arbiter", deaf)
        assert (await game.do("arbiter", cmd.StartGame())).outcome.code == "assistant_needed"
        await game.done("arbiter", cmd.DescribePlayer(seat=Seat.BLACK, hearing_impaired=False))
        await game.done("arbiter", cmd.StartGame())
        assert await alerts_of(hall) == []
        await game.done("arbiter", deaf)
        (alert,) = await alerts_of(hall)
        assert not alert.grey
        await game.done("arbiter", deaf)
        assert await alerts_of(hall) == [alert], "told once"
        assert not {type(one) for one in seen.messages} - {msg.PairingShown, msg.Started, msg.ClockShown}, (
            "the player is told nothing"
        )
    report = await anna_eins("report", "r3-b1", "--data", data)
    assert "Player described" in report and "not hearing-impaired" in report


@pytest.mark.law("L207", "L138")
async def test_where_a_pairing_changes_what_is_known_goes_with_the_player(tmp_path: Path) -> None:
    """Who comes from the other seat keeps what holds for them; who comes new is as the event knows them."""
    async with open_house(tmp_path / "data", settings=Settings(port=0)) as house:
        chief = await hall_arbiter(house)
        players = {"Otto": {"hearing_impaired": True, "needs": "a lamp"}}
        assert (await chief.post("/api/event", {"profile": {"players": players}}))[0] == 200
        table = {"name": "t", "white": {"name": "Ida", "hearing_impaired": True}, "black": {"name": "Jo"}}
        assert (await chief.post("/api/tables", {"tables": [table]}))[0] == 201

        async def heard_by(white: str, black: str) -> list[bool]:
            asked = {"table": "t", "white": white, "black": black, "board": 1}
            assert (await chief.post("/api/tables/pairing", asked))[0] == 200
            return [house.hall.tables["t"].state.plan(seat).hearing_impaired for seat in Seat]

        assert await heard_by("Jo", "Ida") == [False, True]
        assert await heard_by("Jo", "Ida Berg") == [False, True], "a name that is only spelt otherwise"
        assert await heard_by("Otto", "Ida Berg") == [True, True]
        assert house.hall.tables["t"].state.plan(Seat.WHITE).needs == "a lamp"
