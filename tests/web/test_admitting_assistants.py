"""An assistant whom D.2.11 refuses is refused at the desk, in one sentence of the arbiter's language (L206, L042)."""

from __future__ import annotations

from typing import Any

import pytest

from server.game.values.words import Duty, Seat
from server.web.door.access import Place
from tests.web.open_house import House, Visitor


async def knocked(house: House, seat: Seat, *duties: Duty) -> str:
    """An assistant's device stands at the door."""
    place = Place(table="demo", page="assistant", seat=seat, duties=duties)
    invitation = house.access.invite(place)
    status, said = await house.visitor().post("/api/join", {"code": " ".join(invitation.squares)})
    assert status == 202
    return str(said["id"])


async def decided(arbiter: Visitor, id: str, **more: Any) -> tuple[int, dict[str, Any]]:
    return await arbiter.post(f"/api/introductions/{id}", {"admit": True, **more})


@pytest.mark.law("L206", "L042")
async def test_the_refusal_reaches_the_arbiter_as_one_sentence(house: House) -> None:
    arbiter = await house.arbiter()
    waiting = await knocked(house, Seat.BLACK, Duty.EXECUTE, Duty.INFORM)
    status, said = await decided(arbiter, waiting, language="de")
    assert (status, said["code"]) == (409, "two_duties_only")
    assert said["text"].endswith("(D.2.11)") and "Assistent eines sehenden Spielers" in said["text"]
    status, said = await decided(arbiter, waiting, duties=["execute"])
    assert (status, said["state"]) == (200, "admitted"), "with other duties the same device may come in"

    waiting = await knocked(house, Seat.BLACK, Duty.SCORE_AND_CLOCK)
    status, _ = await decided(arbiter, waiting, under="6.2.6", provided_by="player")
    assert status == 200
    (helper,) = [one for one in house.table.state.stations.admitted if one.under]
    assert (helper.under, helper.provided_by, helper.duties) == ("6.2.6", "player", (Duty.SCORE_AND_CLOCK,))
