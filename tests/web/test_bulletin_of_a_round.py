"""What the hall's arbiter does after a round: its bulletin, and its finished games released to their players."""

from __future__ import annotations

from server.game import acts as cmd
from server.game.values.words import Seat
from tests.web.open_house import House
from tests.web.test_all_tables import hall_arbiter


async def test_the_bulletin_and_the_release_of_a_round_are_the_halls_arbiters_alone(house: House) -> None:
    chief, arbiter = await hall_arbiter(house), await house.arbiter()
    player, stranger = await house.station("tactile", Seat.WHITE), house.visitor()
    boards = [
        {"name": f"r3-b{n}", "round": 3, "board": n, "white": {"name": f"White{n}"}, "black": {"name": f"<Black{n}>"}}
        for n in (1, 2)
    ]
    assert (await chief.post("/api/tables", {"tables": boards}))[0] == 201
    over, waiting = house.hall.table("r3-b1"), house.hall.table("r3-b2")
    assert (await over.own(over.program_command(cmd.RuleResult(result="1-0", reason="forfeit")))).outcome.ok

    addresses = [f"/api/bulletin/3.{form}" for form in ("pdf", "html", "brf", "pgn")]
    addresses += [f"/api/round/3.{form}" for form in ("csv", "ics", "txt")]
    for visitor in (arbiter, player, stranger):
        for address in addresses:
            assert (await visitor.get(address))[0] == 403, address
        assert (await visitor.post("/api/tables/released", {"round": "3"}))[0] == 403
    kinds = []
    for address in addresses:
        answer = await chief.session.get(f"{house.base}{address}?language=de")
        assert answer.status == 200
        kinds.append((answer.content_type, (await answer.read())[:5]))
    assert kinds[0] == ("application/pdf", b"%PDF-") and kinds[1] == ("text/html", b"<!doc")
    assert [kind for kind, _ in kinds[2:4]] == ["text/plain", "application/x-chess-pgn"]
    assert kinds[4:] == [("text/csv", b"\xef\xbb\xbfro"), ("text/calendar", b"BEGIN"), ("text/plain", b"Runde")]
    assert (await chief.get("/api/round/3.ics?day=tomorrow"))[0] == 400 and (await chief.get("/api/round/9.csv"))[
        0
    ] == 400
    page = await (await chief.session.get(f"{house.base}/api/bulletin/3.html?language=de")).text()
    assert "Brett 1: White1 – &lt;Black1&gt;" in page and "<Black" not in page, "names are text, never markup"
    status, said = await chief.get("/api/bulletin/9.html?language=xx")
    assert status in (400, 404) and "9" in said["text"]
    for wrong in ("3.exe", "..%2F3.pgn", "3"):
        assert (await chief.session.get(f"{house.base}/api/bulletin/{wrong}")).status == 404, wrong

    assert await chief.post("/api/tables/released", {"round": "3"}) == (200, {"released": 1})
    assert over.state.scores.released and not waiting.state.scores.released, "a game that is not over stays shut"
    assert await chief.post("/api/tables/released", {"round": "9"}) == (200, {"released": 0})
