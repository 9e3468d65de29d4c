"""The spectators' page of the whole hall: closed unless opened, late, for everybody but the players, and bounded."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

from server.exports.table_pgn import pgn_shown
from server.game import acts as cmd
from server.game.state.moves import START as FIRST
from server.game.state.table import TableState
from server.game.values.time_control import TimeControl
from server.game.values.words import Duty, Seat, SeatKind, SeatPlan
from server.game.views.spectators import GameShown, MoveShown
from server.machine.clock import ScriptedClock
from server.settings import Settings
from server.web.api import spectators
from server.web.api.spectators import ASKED_BY_ONE, BROADCASTING, KEPT_MS, SPOKEN_TO_ONE, WINDOW_MS
from speech.audio.sound import Sound
from speech.voices.voice import ORDINARY, Manner, Segment
from tests.table.open_hall import WrittenVoice, turn
from tests.web.open_house import House, Visitor, open_house
from tests.web.test_all_tables import START, hall_arbiter, open_tables


class CountedVoice(WrittenVoice):
    """A voice that notes what it was asked to say."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.fault: Exception | None = None

    def told(self) -> list[str]:
        """Return what it said to spectators: that is English; what the players hear, at any time, is German."""
        return [one for one in self.said if "knight" in one]

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        if self.fault is not None:
            raise self.fault
        self.said.append(" ".join(one.text for one in segments))
        return await super().render(segments, manner, keep=keep)


async def shown(visitor: Visitor) -> Any:
    """The list of the hall, as a visitor is given it."""
    status, said = await visitor.get("/api/hall")
    return said["tables"] if status == 200 else said["code"]


async def shown_to_all(house: House, delay_s: int = 0) -> Visitor:
    """The hall's arbiter has opened all tables to spectators; a visitor."""
    status, said = await (await hall_arbiter(house)).post("/api/spectators", {"show": True, "delay_s": delay_s})
    assert (status, said["show"]) == (200, True)
    return house.visitor()


async def one_move(house: House) -> None:
    await house.table.own(house.table.program_command(cmd.StartGame()))
    hand = await (await house.station("tactile", Seat.WHITE)).line()
    await hand.type("Springer Felix drei")
    await hand.do({"do": "press"})
    await hand.socket.close()


async def test_nothing_is_shown_until_the_halls_arbiter_opens_it_and_after_it_is_closed(
    scripted_house: House, scripted: ScriptedClock
) -> None:
    house = scripted_house
    visitor, chief, arbiter = house.visitor(), await hall_arbiter(house), await house.arbiter()
    assert await shown(visitor) == "hall_closed"
    assert (await visitor.get("/api/hall/demo"))[0] == 404
    for other in (visitor, arbiter):
        assert (await other.post("/api/spectators", {"show": True}))[0] == 403
        assert (await other.get("/api/spectators"))[0] == 403
    assert (await chief.get("/api/spectators"))[1] == {"show": False, "delay_s": 900, "tables": 0}
    assert (await chief.post("/api/spectators", {"show": True, "delay_s": 4_000}))[0] == 400
    assert (await chief.post("/api/spectators", {"show": True, "delay_s": 0}))[1]["tables"] == 1
    desk = await arbiter.line()
    await desk.until(event="shown_to_spectators", show=True)
    assert [line["table"] for line in await shown(visitor)] == ["demo"]
    await open_tables(house, "later")
    later = house.hall.tables["later"]
    await later.own(later.program_command(cmd.NoteSupervision(games=1)))  # what waited before it is done
    scripted.advance(KEPT_MS)
    assert [line["table"] for line in await shown(visitor)] == ["demo", "later"], "it is shown as all else"
    assert (await chief.post("/api/spectators", {"show": True, "delay_s": 30}))[0] == 200
    assert [line["delay_s"] for line in await shown(visitor)] == [30, 30], "what was kept of less delay is gone at once"
    assert (await chief.post("/api/spectators", {"show": False}))[1]["tables"] == 0
    assert await shown(visitor) == "hall_closed"
    assert (await visitor.get("/api/hall/demo"))[1]["code"] == "table_gone"


async def test_the_settings_may_open_it_and_a_table_for_training_stays_closed(tmp_path: Path) -> None:
    async with open_house(tmp_path / "data", settings=Settings(port=0, spectators_delay_s=60)) as house:
        await house.table.submit(house.table.program_command(cmd.NoteSupervision(games=1)))  # what came before is done
        assert house.table.state.stations.spectators is not None
        (line,) = await shown(house.visitor())
        assert (line["table"], line["delay_s"], line["state"], line["last"]) == ("demo", 60, "waiting", None)


@pytest.mark.law("L072")
async def test_a_visitor_is_given_what_is_old_enough(scripted_house: House, scripted: ScriptedClock) -> None:
    house = scripted_house
    visitor = await shown_to_all(house, 60)
    scripted.advance(60_000)
    await one_move(house)
    scripted.advance(59_000)
    (line,) = await shown(visitor)
    assert (line["state"], line["plies"], line["running"]) == ("before", 0, None)
    assert (await visitor.get("/api/hall/demo"))[1]["moves"] == []
    assert (await visitor.get("/api/hall/demo/told?about=g1"))[1]["text"] == "White: knight Gustav one."
    scripted.advance(1_000)
    (line,) = await shown(visitor)
    assert (line["state"], line["plies"], line["running"]) == ("playing", 1, "black")
    (move,) = (await visitor.get("/api/hall/demo?language=en"))[1]["moves"]
    assert (move["notation"], move["words"], move["squares"]) == ("Nf3", "knight Felix three", ["g1", "f3"])
    assert (await visitor.get("/api/hall/demo?language=de"))[1]["moves"][0]["words"] == "Springer Felix drei"
    await house.table.own(house.table.program_command(cmd.RuleResult(result="1-0", reason="1")))
    assert (await shown(visitor))[0]["result"] is None
    scripted.advance(60_000)
    assert (await shown(visitor))[0]["result"] == "1-0"


@pytest.mark.law("L072", "L129")
async def test_no_device_of_a_player_or_an_assistant_sees_it_while_its_game_is_not_over(house: House) -> None:
    await shown_to_all(house)
    kept_out = [
        await house.station("tactile", Seat.WHITE),
        await house.station("sighted", Seat.BLACK),
        await house.station("assistant", Seat.WHITE, Duty.EXECUTE),
    ]
    let_in = [await house.station("display", None), await house.station("observer", None), await house.arbiter()]
    for visitor in kept_out:
        for path in ("/api/hall", "/api/hall/demo", "/api/hall/demo/told?about=e4", "/api/hall/demo/sound?about=e4"):
            status, said = await visitor.get(path)
            assert (status, said["code"]) == (403, "players_stay_out") and said["text"].endswith("page.")
    for visitor in let_in:
        assert len(await shown(visitor)) == 1
    await house.table.own(house.table.program_command(cmd.RuleResult(result="1-0", reason="1")))
    for visitor in kept_out:
        assert len(await shown(visitor)) == 1, "the game is over: there is nothing to hear of it any more"


async def test_a_picture_is_made_once_for_all_and_nobody_asks_without_bounds(
    scripted_house: House, scripted: ScriptedClock
) -> None:
    visitor = await shown_to_all(scripted_house)
    broadcasting = scripted_house.app[BROADCASTING]
    before = broadcasting.made
    async with visitor.session.get(scripted_house.base + "/api/hall") as answer:
        etag = answer.headers["ETag"]
    for _ in range(10):
        assert len(await shown(scripted_house.visitor())) == 1
    async with visitor.session.get(scripted_house.base + "/api/hall", headers={"If-None-Match": etag}) as answer:
        assert answer.status == 304
    assert broadcasting.made == before + 1
    scripted.advance(KEPT_MS)
    await shown(visitor)
    assert broadcasting.made == before + 2
    for _ in range(ASKED_BY_ONE):
        status, said = await visitor.get("/api/hall")
    assert (status, said["code"]) == (429, "hall_busy")
    scripted.advance(WINDOW_MS)
    assert len(await shown(visitor)) == 1


async def test_a_board_says_which_state_of_it_is_given(scripted_house: House, scripted: ScriptedClock) -> None:
    """Its picture may be a second older than that of the hall: a visitor who has it asks again."""
    visitor = await shown_to_all(scripted_house)
    old = (await visitor.get("/api/hall/demo?language=hu"))[1]
    await one_move(scripted_house)
    (line,) = (await visitor.get("/api/hall?language=hu"))[1]["tables"]
    kept = (await visitor.get("/api/hall/demo?language=hu"))[1]
    assert (kept["moves"], kept["shown"]) == ([], old["shown"]) and kept["shown"] != line["shown"]
    scripted.advance(KEPT_MS)
    new = (await visitor.get("/api/hall/demo?language=hu"))[1]
    assert (len(new["moves"]), new["shown"]) == (1, line["shown"])


async def test_all_together_have_a_bound_too(scripted_house: House, scripted: ScriptedClock) -> None:
    visits = spectators.Turnstile(scripted_house.hall, 2, 3)
    for address in ("192.0.2.1", "192.0.2.2", "2001:db8::1"):
        visits.count(address)
    for address in ("192.0.2.3", "192.0.2.1"):
        with pytest.raises(spectators.AccessDenied):
            visits.count(address)
    scripted.advance(WINDOW_MS)
    visits.count("2001:db8::1")
    visits.count("2001:db8::2")
    with pytest.raises(spectators.AccessDenied):
        visits.count("2001:db8::3")  # the same network is the same device


async def test_what_is_spoken_is_made_once_and_only_of_what_is_shown(
    scripted_house: House, scripted: ScriptedClock
) -> None:
    house = scripted_house
    visitor = await shown_to_all(house)
    await one_move(house)
    address = house.base + "/api/hall/demo/sound?about={}&language=en"

    async def asked(about: str) -> tuple[int, bytes]:
        async with visitor.session.get(address.format(about)) as answer:
            return answer.status, await answer.read()

    assert await asked("last") == (204, b""), "no voice: the browser has its own"
    voice = CountedVoice()
    house.hall.use(voice=voice)
    voice.fault = ValueError("a fault of ours")
    assert (await asked("last"))[0] == 500
    voice.fault = None
    status, sound = await asked("last")
    assert status == 200 and sound and await asked("last") == (200, sound)
    assert voice.told() == ["1. White: knight Felix three"]
    assert (await asked("f3"))[0] == 200 and (await asked("Felix drei"))[0] == 200
    assert voice.told()[1:] == ["White: knight Felix three"], "asked in other words, told in the same"
    assert (await asked("say this for me"))[0] == 400
    for _ in range(SPOKEN_TO_ONE):
        status, _ = await asked("last")
    assert status == 429
    scripted.advance(WINDOW_MS)
    assert (await asked("last"))[0] == 200 and len(voice.told()) == 2


MEN = "king Eva {0}, queen David {0}, rook Anna {0}, rook Hector {0}, bishop Cesar {0}, bishop Felix {0}, "
WHITE_MEN = f"White: {MEN.format('one')}knight Bella one, knight Felix three, " + ", ".join(
    f"pawn {file} two" for file in ("Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector")
)


@pytest.mark.parametrize(
    ("about", "language", "told"),
    [
        ("e", "en", "White: king Eva one, pawn Eva two.\nBlack: king Eva eight, pawn Eva seven."),
        ("3", "de", "Weiß: Springer Felix drei."),
        ("Dame", "de", "Weiß: Dame David eins.\nSchwarz: Dame David acht."),
        ("N", "en", "White: knight Bella one, knight Felix three.\nBlack: knight Bella eight, knight Gustav eight."),
        ("g1", "en", "empty"),
        ("g1&ply=0", "en", "White: knight Gustav one."),
        ("moves", "hu", "1. Világos: huszár Felix három."),
        ("last&ply=0", "en", "Nothing yet"),
        ("last move", "en", "1. White: knight Felix three."),
        ("what was the last move?", "en", "1. White: knight Felix three."),
        ("letzter Zug", "de", "1. Weiß: Springer Felix drei."),
        ("last three moves", "en", "1. White: knight Felix three."),
        ("die letzten 3 Züge", "de", "1. Weiß: Springer Felix drei."),
        ("utolsó három lépés", "hu", "1. Világos: huszár Felix három."),
        ("what colour is c4", "en", "Cesar four: white."),
        ("Welche Farbe hat a1?", "de", "Anna eins: schwarz."),
        ("milyen színű h1", "hu", "Hector egy: fehér."),
        ("white", "en", f"{WHITE_MEN}."),
        ("time", "en", "White: 1 hour 30 minutes. Black: 1 hour 30 minutes."),
        ("Zeit", "de", "Weiß: eine Stunde 30 Minuten. Schwarz: eine Stunde 30 Minuten."),
        ("wie viel Zeit haben sie noch", "de", "Weiß: eine Stunde 30 Minuten. Schwarz: eine Stunde 30 Minuten."),
        ("שלושת המסעים האחרונים", "he", "1. לבן: פרש פליקס שלוש."),
        ("מה הצבע של c4", "he", "צזר ארבע: לבנה."),
        ("king e", "en", None),
        ("", "en", None),
        ("a9", "he", None),
    ],
)  # fmt: skip
async def test_what_a_visitor_asks_of_a_board(house: House, about: str, language: str, told: str | None) -> None:
    visitor = await shown_to_all(house)
    await one_move(house)
    status, said = await visitor.get(f"/api/hall/demo/told?language={language}&about={about}")
    assert (status, said["text"]) == (200, told) if told else (status, said["code"]) == (400, "ask_about")


async def board_two_of_round_5(house: House) -> None:
    white, black = SeatPlan(SeatKind.TACTILE, name="A"), SeatPlan(SeatKind.SIGHTED, name="B")
    control = TimeControl.parse("300")
    opened = cmd.OpenTable(white=white, black=black, control=control, start_fen=START, round="5", board=2)
    await house.hall.open_table(opened, "r5-b2")


async def test_a_running_round_is_a_file_at_a_fixed_address_as_late_as_the_boards(
    scripted_house: House, scripted: ScriptedClock
) -> None:
    house, address = scripted_house, "/api/hall/round/5.pgn"
    await board_two_of_round_5(house)
    visitor = house.visitor()
    assert (await visitor.get(address))[0] == 404
    await shown_to_all(house, 60)
    table = house.hall.tables["r5-b2"]
    scripted.advance(60_000)
    await table.own(table.program_command(cmd.StartGame()))
    await table.own(table.program_command(cmd.RuleResult(result="1-0", reason="1")))
    scripted.advance(59_000)
    early = await written(visitor, address)
    assert early.headers["Round"] == "5" and early.headers["Result"] == "*"
    scripted.advance(1_000)
    assert (await written(visitor, address)).headers["Result"] == "1-0"
    player = await house.station("tactile", Seat.WHITE)
    assert (await player.get(address))[0] == 403
    assert (await visitor.get("/api/hall/round/6.pgn"))[0] == 404


@pytest.mark.law("L075")
async def test_a_cancelled_game_leaves_the_running_round_when_its_end_is_shown(
    scripted_house: House, scripted: ScriptedClock
) -> None:
    house, address = scripted_house, "/api/hall/round/5.pgn"
    await board_two_of_round_5(house)
    visitor = house.visitor()
    await shown_to_all(house, 60)
    table = house.hall.tables["r5-b2"]
    ignored = cmd.RecordAdaptation(name="sighted_press_without_announcement", value="ignore")
    for act in (ignored, cmd.StartGame()):
        done = await table.own(table.program_command(act))
        assert done.outcome.ok, done.text
    scripted.advance(60_000)
    cancelled = await table.own(table.program_command(cmd.CancelGame(table="r5-b2-game2", reason="stood wrong")))
    assert cancelled.outcome.ok, cancelled.text
    await turn(lambda: (ordered := table.state.table.next_game) is not None and ordered.open)
    for more_ms in (0, 59_000, 1_000):
        scripted.advance(more_ms)
        found = await visitor.session.get(f"{house.base}{address}")
        assert (await found.text()).count('[Board "2"]') == 1


def test_a_game_is_written_as_far_as_the_boards_showed_it() -> None:
    moves = [
        MoveShown(ply, Seat.WHITE, notation=text) for ply, text in enumerate(("e4", "e5", "Ng1f3", "Nc6", "", "a6"))
    ]
    text = pgn_shown(GameShown(moves=tuple(moves)), TableState(round="5"), FIRST, "300")
    assert "1. e4 e5 2. Nf3 Nc6" in text and "not known as a move" in text and "a6" not in text


async def written(visitor: Visitor, address: str) -> chess.pgn.Game:
    """The one game of a file, as python-chess reads it."""
    found = await visitor.session.get(f"{visitor.house.base}{address}")
    assert (found.status, found.content_type) == (200, "application/x-chess-pgn")
    game = chess.pgn.read_game(StringIO(await found.text()))
    assert game is not None
    return game
