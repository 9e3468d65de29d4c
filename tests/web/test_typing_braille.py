"""Cells and short notation at any station: one meaning is taken, several are told, none depends on the position."""

from __future__ import annotations

import secrets
from typing import Any

import pytest

from server.game.values.words import Seat
from tests.web.open_house import House, TestLine


async def cells(line: TestLine, row: str) -> Any:
    id = secrets.token_hex(16)
    await line.send({"kind": "cells", "id": id, "cells": row})
    return await line.until(kind="outcome", id=id)


@pytest.mark.law("L168", "L182")
async def test_cells_and_short_notation_are_announcements(house: House) -> None:
    white = await (await house.station("tactile", Seat.WHITE)).line()
    black = await (await house.station("sighted", Seat.BLACK)).line()
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    assert (await cells(white, "⠉⠲"))["outcome"]["ok"]
    said = (await desk.until(event="announced"))["message"]["event"]["speech"]
    assert (said["announcement"]["to_square"], said["announcement"]["piece"], said["text"]) == (
        "c4",
        None,
        "Cesar vier",
    )
    await white.do({"do": "press"})
    assert (await black.type("Nf6"))["outcome"]["ok"]  # Black reads English: Black's first words are the echo (D.2.1)
    assert (await black.type("Nf6"))["outcome"]["ok"]
    assert (await desk.until(event="announced"))["message"]["event"]["speech"]["announcement"]["piece"] == "knight"


async def test_the_tables_of_a_players_screen_reader_are_got_ready_when_they_come(house: House) -> None:
    for visitor, languages in (
        (await house.arbiter(), []),
        (await house.station("tactile", Seat.WHITE), ["de"]),
        (await house.station("sighted", Seat.BLACK), ["de", "en"]),
    ):
        line = await visitor.line()
        await line.send({"kind": "typed", "id": secrets.token_hex(16), "text": "?"})
        await line.until(kind="outcome")  # so the player is attached
        assert list(house.hall.typing._making) == languages


async def test_what_may_mean_several_things_is_told_and_nothing_is_taken(house: House) -> None:
    white = await (await house.station("tactile", Seat.WHITE)).line()
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    refused = await cells(white, "⠎⠃⠙⠆")  # Sbd2, from b1 or b3: the position would know
    assert not refused["outcome"]["ok"]
    assert "Springer Bella eins David zwei" in refused["text"] and "Springer Bella drei David zwei" in refused["text"]
    assert not (await white.type("dc5"))["outcome"]["ok"]  # Dame c5 or d takes c5
    told = await white.type("dxe5")
    assert not told["outcome"]["ok"] and "Dame" in told["text"]
    nothing = await cells(white, "⠿⠿⠿")
    assert "weder eine Ansage noch ein Befehl" in nothing["text"]
    offer = await cells(white, "⠑⠲⠐⠶")
    assert not offer["outcome"]["ok"] and "Remis" in offer["text"]
    assert not any(one.get("message", {}).get("event", {}).get("event") == "announced" for one in desk.seen)


@pytest.mark.law("L164")
async def test_who_writes_pieces_with_capitals_is_not_asked(house: House) -> None:
    white = await (await house.station("tactile", Seat.WHITE)).line()
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    for text, piece, start in (("dxe5", "pawn", "d4"), ("Dxe5", "queen", None)):
        id = secrets.token_hex(16)
        await white.send({"kind": "typed", "id": id, "text": text, "capitals": True})
        assert (await white.until(kind="outcome", id=id))["outcome"]["ok"]
        said = (await desk.until(event="announced"))["message"]["event"]["speech"]["announcement"]
        assert (said["piece"], said["from_square"], said["to_square"]) == (piece, start, "e5")


async def test_words_in_cells_and_a_pawn_that_takes(house: House) -> None:
    white = await (await house.station("tactile", Seat.WHITE)).line()
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    assert (await cells(white, "⠵⠑⠊⠞"))["outcome"]["ok"]  # zeit
    assert any(one.get("message", {}).get("type") == "answer_given" for one in white.seen)
    assert (await cells(white, "⠉⠰⠙⠢"))["outcome"]["ok"]
    assert (await desk.until(event="announced"))["message"]["event"]["speech"]["announcement"]["from_square"] == "c4"
    assert (await cells(white, "⠃⠁⠥⠑⠗⠀⠑⠧⠁⠀⠧⠊⠑⠗"))["outcome"]["ok"]
    assert (await desk.until(event="announced"))["message"]["event"]["speech"]["announcement"]["to_square"] == "e4"


async def test_cells_that_are_none_are_refused_as_unreadable(house: House) -> None:
    white = await (await house.station("tactile", Seat.WHITE)).line()
    await white.send({"kind": "cells", "id": "0" * 32, "cells": "e4"})
    await white.until(kind="wrong")


@pytest.mark.law("L017", "L183")
async def test_a_typed_promotion_is_asked_about_and_answered_by_a_word(house: House) -> None:
    white = await (await house.station("tactile", Seat.WHITE)).line()
    desk = await (await house.arbiter()).line()
    await desk.do({"do": "start_game"})
    await white.type("Bauer Eva acht")
    asked = next(one["message"] for one in white.seen if one.get("message", {}).get("ask") == "promotion")
    assert len(asked["answers"]) == 4
    await white.type("Turm")
    announced = house.table.state.ply(1)
    assert announced is not None and announced.announcement is not None
    assert (announced.announcement.to_square, announced.announcement.promotion) == ("e8", "rook")
    again = await white.type("Turm")
    assert not again["outcome"]["ok"], "the answer counts once"
