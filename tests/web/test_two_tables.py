"""Two tables in one hall: a device admitted at one is unknown at the other."""

from __future__ import annotations

import secrets

from server.game import acts as cmd
from server.game.values.time_control import TimeControl
from server.game.values.words import Seat, SeatKind, SeatPlan
from server.web.door.access import Place
from server.web.sockets.line import NOT_ADMITTED
from tests.web.open_house import House

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


async def test_a_station_of_one_table_is_nobody_at_another(house: House) -> None:
    body = cmd.OpenTable(
        white=SeatPlan(SeatKind.TACTILE),
        black=SeatPlan(SeatKind.SIGHTED),
        control=TimeControl.parse("300"),
        start_fen=START,
    )
    other = await house.hall.open_table(body, "other")
    arbiter = await house.arbiter()
    player = await house.station("tactile", Seat.WHITE)
    for visitor, page in ((arbiter, "arbiter"), (player, "tactile")):
        for path in ("/ws", "/audio"):
            line = await visitor.line(f"{path}?page={page}&table=other", after=None)
            assert (await line.closed())[0] == NOT_ADMITTED

    invitation = house.access.invite(Place(table="other", page="tactile", seat=Seat.WHITE))
    status, waiting = await house.visitor().post("/api/join", {"code": " ".join(invitation.squares)})
    assert status == 202
    assert (await arbiter.get("/api/introductions"))[1]["waiting"] == []
    status, refused = await arbiter.post(f"/api/introductions/{waiting['id']}", {"admit": True})
    assert (status, refused["code"]) == (404, "not_waiting")
    status, refused = await arbiter.post("/api/invitations?table=other", {"role": "arbiter"})
    assert (status, refused["code"]) == (403, "not_the_arbiter")

    # A command's id is its station's own: the same id at the other table is another command.
    hand = await player.line()
    id = secrets.token_hex(16)
    assert (await hand.do({"do": "ask", "what": "time"}, id=id))["outcome"]["ok"]
    outcome = await other.submit(cmd.Command(id=id, table="other", station="nobody", body=cmd.Ask(what="time")))
    assert (outcome.outcome.ok, outcome.outcome.code) == (False, "not_admitted")
    assert not other.state.stations.admitted
