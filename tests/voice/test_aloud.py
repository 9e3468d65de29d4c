"""Nothing is spoken into the room unless the arbiter allows it, and then nothing private; the arbiter's own ear is
off until the arbiter asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.words import ClockMaster, Role, Seat, Station
from server.game.views import messages as msg
from server.game.views.messages import Recorded
from server.protocol import AtEar, Hush, ReadOut
from server.voice.room import ROOM_GOOD_MS
from server.wording.pieces import pieces_of
from server.wording.room import into_room, to_arbiter
from server.wording.words import scheme_of
from speech.channels.ear import MARGIN_MS, Kind
from tests.table.open_hall import STATIONS, Ear, Played, played, turn
from tests.waiting import idle

TAGS = ("de", "en", "hu", "hy", "ar", "he")


async def settled(game: Played) -> None:
    teller = game.table.teller
    await teller.finish()
    await teller.finish()


def sound_on(game: Played, station: str) -> None:
    game.table.teller.at_ear(station, AtEar("on"))


def spoken(game: Played, listener: str) -> list[ev.SpokenPrivately]:
    found = [one.event for one in game.ears["arbiter"].of(Recorded)]
    return [event for event in found if isinstance(event, ev.SpokenPrivately) and event.listener == listener]


async def a_move_each(game: Played) -> None:
    await game.type("white", "Eva vier", "announce")
    await game.press("white")
    await game.done("black", cmd.EnterMove(uci="e7e5"))
    await game.press("black")
    await settled(game)


async def heard(game: Played, station: str) -> None:
    """What sounds at this station is heard to its end."""
    sound = game.ears[station].sounds[-1]
    game.table.teller.at_ear(station, AtEar("began", sound.id))
    await idle()  # the ear waits for its end before time passes
    await game.pass_time(sound.length_ms)
    game.table.teller.at_ear(station, AtEar("ended", sound.id))
    await idle()
    await game.pass_time(MARGIN_MS)
    await idle()
    await settled(game)


async def test_nothing_is_spoken_into_the_room_without_leave(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        sound_on(game, "display")
        await a_move_each(game)
        assert game.ears["display"].sounds == [] and spoken(game, "room") == []


async def test_with_leave_completed_moves_are_announced_once_each_and_on_record(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        sound_on(game, "display")
        await game.done("arbiter", cmd.AllowRoom(language="en"))
        await game.type("white", "Eva vier", "announce")
        await settled(game)
        assert game.ears["display"].sounds == [], "said and not completed: it may still be another move (D.2.8)"
        await game.press("white")
        await settled(game)
        (sound,) = game.ears["display"].sounds
        assert (sound.text, sound.what) == ("Eva vier", Kind.ANNOUNCEMENT), "German file and rank words (D.2.1)"
        await heard(game, "display")
        await game.done("white", cmd.Ask(what="time"))
        await game.done("white", cmd.Ask(what="score"))
        await game.type("black", "Bauer Eva fuenf", "announce")
        await game.done("black", cmd.EnterMove(uci="e7e5"))
        await game.press("black")
        await settled(game)
        assert [one.text for one in game.ears["display"].sounds] == ["Eva vier", "Bauer Eva fünf"]
        first, second = spoken(game, "room")
        assert (first.seat, first.text, second.text) == (None, "Eva vier", "Bauer Eva fünf")
        assert first.sha256 is not None and first.length_ms == sound.length_ms
        assert game.table.teller.sounds.find("white", sound.id) is None, "offered to the display alone"


async def test_each_move_is_announced_once_though_a_press_was_forgotten(tmp_path: Path) -> None:
    """With a clock that only the players press, White's first move is completed by White's second (6.2.1.2)."""
    async with played(tmp_path, master=ClockMaster.MANUAL) as game:
        sound_on(game, "display")
        await game.done("arbiter", cmd.AllowRoom(language="de"))
        await game.type("white", "Eva vier", "announce")  # and no press
        await game.type("black", "Eva fuenf", "announce")
        await game.press("black")
        await game.type("white", "David vier", "announce")
        await game.press("white")
        while True:
            before = len(game.ears["display"].sounds)
            await settled(game)
            await heard(game, "display")
            if len(game.ears["display"].sounds) == before:
                break
        said = [one.text for one in game.ears["display"].sounds]
        assert said == ["Eva fünf", "David vier"], "an earlier move that is completed late is no news to the hall"


async def test_the_room_waits_for_human_voices_and_what_is_stale_is_not_said(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        sound_on(game, "display")
        await game.done("arbiter", cmd.AllowRoom())
        game.table.teller.voice_began("black")
        await a_move_each(game)
        assert game.ears["display"].sounds == []
        game.table.teller.voice_ended("black")
        await game.pass_time(MARGIN_MS)
        await turn(lambda: game.ears["display"].sounds != [])
        (sound,) = game.ears["display"].sounds
        game.table.teller.voice_began("white")
        assert [one.id for one in game.ears["display"].received if isinstance(one, Hush)] == [sound.id]
        await game.pass_time(ROOM_GOOD_MS + 1_000)
        game.table.teller.voice_ended("white")
        await game.pass_time(MARGIN_MS)
        await game.done("white", cmd.Ask(what="moves"))
        await turn(lambda: game.ears["white"].sounds != [])  # time enough for whatever might come
        assert len(game.ears["display"].sounds) == 1, "the next moves have been made"


async def test_the_result_is_said_in_the_hall_however_long_people_talk(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        sound_on(game, "display")
        await game.done("arbiter", cmd.AllowRoom())
        game.table.teller.voice_began("black")
        await a_move_each(game)
        await game.done("arbiter", cmd.RuleResult(result="1-0", reason="flag", article="6.9"))
        await settled(game)
        await game.pass_time(ROOM_GOOD_MS + 1_000)
        game.table.teller.voice_ended("black")
        await game.told()
        assert [one.text for one in game.ears["display"].sounds] == ["Weiß gewinnt."]


async def test_the_set_up_is_read_to_the_arbiter_in_its_order_and_once(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        sound_on(game, "arbiter")
        await game.done("arbiter", cmd.ChooseAlerts(language="en"))
        for _ in range(2):  # the second question comes while the first answer is read
            await game.done("arbiter", cmd.Ask(what="set_up"))
            await settled(game)
        await game.told()
        said = [one.text for one in game.ears["arbiter"].sounds]
        scheme = scheme_of("d21", "en")
        (answer, _) = game.ears["arbiter"].of(msg.AnswerGiven)
        whole = [text for text, _ in pieces_of(answer, scheme)]
        assert len(whole) > 2 and said[-len(whole) :] == whole
        assert len(said) < 2 * len(whole)


async def test_leave_taken_back_silences_the_room_at_once(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        sound_on(game, "display")
        await game.done("arbiter", cmd.AllowRoom())
        await a_move_each(game)
        (sound,) = game.ears["display"].sounds
        await game.done("arbiter", cmd.AllowRoom(allowed=False))
        assert [one.id for one in game.ears["display"].received if isinstance(one, Hush)] == [sound.id]
        await game.pass_time(5_000)
        await settled(game)
        assert len(game.ears["display"].sounds) == 1, "the second move that waited is gone too"


async def test_a_display_without_sound_is_told_nothing_aloud(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("arbiter", cmd.AllowRoom())
        await a_move_each(game)
        assert game.ears["display"].sounds == []
        sound_on(game, "display")
        await game.pass_time(1_000)
        await settled(game)
        assert game.ears["display"].sounds == [], "and no old news when it is switched on"


@pytest.mark.parametrize(("away_ms", "said"), [(2_000, ["Eva vier"]), (ROOM_GOOD_MS + 1_000, [])])
async def test_a_display_whose_line_broke_says_what_was_announced_meanwhile_while_it_is_news(
    tmp_path: Path, away_ms: int, said: list[str]
) -> None:
    stations = tuple(one for one in STATIONS if one.role is not Role.DISPLAY)
    async with played(tmp_path, stations=stations) as game:
        assert (await game.table.admit(Station("display", Role.DISPLAY))).outcome.ok
        line = game.table.attach("display", 0, Ear())
        sound_on(game, "display")
        await game.done("arbiter", cmd.AllowRoom())
        line.close()
        await game.type("white", "Eva vier", "announce")
        await game.press("white")
        await settled(game)
        await game.pass_time(away_ms)
        game.attach("display")
        sound_on(game, "display")
        await game.pass_time(MARGIN_MS)
        await settled(game)
        assert [one.text for one in game.ears["display"].sounds] == said
        assert [one.text for one in spoken(game, "room")] == said


async def test_a_display_that_is_open_twice_is_heard_again_once_the_second_page_is_closed(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        first, second = game.ears["display"], Ear()
        game.table.teller.at_ear("display", AtEar("on"), first)
        again = game.table.attach("display", 2**40, second)
        game.table.teller.at_ear("display", AtEar("off"), second)
        again.close()
        await game.done("arbiter", cmd.AllowRoom(language="en"))
        await a_move_each(game)
        assert [one.text for one in first.sounds] == ["Eva vier"] and second.sounds == []


@pytest.mark.parametrize("who", ["white", "black", "display"])
@pytest.mark.parametrize("body", [cmd.AllowRoom(), cmd.ChooseAlerts()])
async def test_only_the_arbiter_gives_leave(tmp_path: Path, who: str, body: cmd.StationAct) -> None:
    async with played(tmp_path) as game:
        outcome = await game.do(who, body)
        assert (outcome.outcome.ok, outcome.outcome.article) == (False, "6.12.1" if who == "display" else "12.3")
        assert (game.table.state.sound.room, game.table.state.sound.arbiter_ears) == ("", ())


async def test_a_language_that_nobody_speaks_is_refused(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        for body in (cmd.AllowRoom(language="xx"), cmd.ChooseAlerts(language="xx")):
            outcome = await game.do("arbiter", body)
            assert not outcome.outcome.ok and "xx" in outcome.text


PRIVATE: tuple[msg.AnyMessage, ...] = (
    msg.Understood(words=("file.e", "rank.4"), text="Eva vier", utterance="u1"),
    msg.Question(ask="from", utterance="u1"),
    msg.Relayed(words=("file.e", "rank.4"), text="Eva vier"),
    msg.AnswerGiven(what="time", own_ms=60_000),
    msg.ScoreLine(index=1, text="e4", source="own"),
    msg.FlagShown(own=True),
    msg.TimeCue(left_s=60, way="time"),
    msg.LawRead(article="9.2", text="a word"),
)


@pytest.mark.parametrize("message", PRIVATE)
def test_no_private_message_has_words_for_the_room(message: msg.AnyMessage) -> None:
    assert into_room(message, scheme_of("d21", "de")) is None


async def test_the_arbiters_ear_is_off_until_they_ask(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        sound_on(game, "arbiter")
        await game.done("white", cmd.CallArbiter(reason=""))
        await settled(game)
        assert game.ears["arbiter"].sounds == []
        await game.done("arbiter", cmd.Resume())
        await game.done("arbiter", cmd.ChooseAlerts(language="en"))
        await game.done("white", cmd.CallArbiter(reason=""))
        await settled(game)
        (alert,) = game.ears["arbiter"].sounds
        assert alert.text.startswith("The arbiter has been called")
        await heard(game, "arbiter")
        await game.done("arbiter", cmd.Ask(what="set_up"))
        await settled(game)
        assert game.ears["arbiter"].sounds[-1].what is Kind.ANSWER and len(game.ears["arbiter"].sounds) == 2
        assert {one.listener for one in spoken(game, "arbiter:arbiter")} == {"arbiter:arbiter"}
        assert all(not game.ears[other].sounds for other in ("black", "display"))
        own = {"Die Uhren stehen.", "Die Uhren laufen wieder.", "Sie haben den Schiedsrichter gerufen."}
        assert {one.text for one in game.ears["white"].sounds} <= own
        await game.done("arbiter", cmd.ChooseAlerts(spoken=False))
        await turn(lambda: any(isinstance(one, Hush) for one in game.ears["arbiter"].received))
        await game.done("arbiter", cmd.Resume())
        await game.done("black", cmd.CallArbiter(reason=""))
        await settled(game)
        assert len(game.ears["arbiter"].sounds) == 2


@pytest.mark.parametrize("tag", TAGS)
def test_an_alert_is_said_in_the_words_of_the_arbiters_page(tag: str) -> None:
    alert = ev.Alerted(at=0, kind="echo_differs", ply=3, grey=True, detail="private words of a player")
    found = to_arbiter(Recorded(event=alert), scheme_of("d21", tag))
    assert found is not None and "2" in found[0] and "private" not in found[0]
    assert to_arbiter(Recorded(event=ev.GameStarted(at=0)), scheme_of("d21", tag)) is None


async def test_an_alert_says_its_article_and_what_settles_it_and_what_waits_comes_next(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        sound_on(game, "arbiter")
        await game.done("arbiter", cmd.ChooseAlerts(language="en"))
        await game.done("white", cmd.CallArbiter(reason=""))
        await game.done("arbiter", cmd.Resume())
        await game.done("white", cmd.ClaimDraw(kind="fifty_moves"))
        await settled(game)
        called = game.ears["arbiter"].sounds[-1]
        assert called.text == (
            "The arbiter has been called. White calls the arbiter. Article 6.11.2. "
            "To settle it: Resume clocks; No valid reason to stop."
        )
        assert called.what is Kind.ANNOUNCEMENT, "somebody at the table waits for the arbiter"
        game.table.teller.at_ear("arbiter", AtEar("next"))
        await game.pass_time(MARGIN_MS)
        await turn(lambda: len(game.ears["arbiter"].sounds) == 2)
        claimed = game.ears["arbiter"].sounds[-1]
        assert claimed.text.startswith("Draw claimed") and "Article 9.5. To settle it: Claim correct;" in claimed.text
        # What the arbiter's page says at a key (the clocks, the next alert) sounds there too, and "repeat" repeats it.
        await heard(game, "arbiter")
        game.table.teller.at_ear("arbiter", ReadOut("White: 1 hour", "en"))
        await settled(game)
        assert [one.text for one in game.ears["arbiter"].sounds][-1] == "White: 1 hour"
        await heard(game, "arbiter")
        game.table.teller.at_ear("arbiter", AtEar("repeat"))
        await settled(game)
        assert [one.text for one in game.ears["arbiter"].sounds][-2:] == ["White: 1 hour"] * 2
        assert all("alled" not in one.text for who in ("white", "black", "display") for one in game.ears[who].sounds)
        await game.done("arbiter", cmd.ChooseAlerts(spoken=False))
        game.table.teller.at_ear("arbiter", ReadOut("White: 1 hour", "en"))
        game.table.teller.at_ear("black", ReadOut("to nobody", "en"))
        await settled(game)
        assert [one.text for one in game.ears["arbiter"].sounds][-2:] == ["White: 1 hour"] * 2
        assert game.ears["black"].sounds == []


@pytest.mark.parametrize("called", [True, False])
async def test_the_last_alert_again_is_told_where_this_run_has_said_none(tmp_path: Path, called: bool) -> None:
    async with played(tmp_path) as game:
        sound_on(game, "arbiter")
        if called:
            await game.done("white", cmd.CallArbiter(reason=""))
        await game.done("arbiter", cmd.ChooseAlerts(language="en"))
        game.table.teller.at_ear("arbiter", AtEar("repeat"))
        await settled(game)
        (told,) = game.ears["arbiter"].sounds
        assert told.text.startswith("The arbiter has been called." if called else "Alerts: None.")


async def test_the_leave_survives_a_restart(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("arbiter", cmd.AllowRoom(language="hu"))
        await game.done("arbiter", cmd.ChooseAlerts(language="he"))
        kept = game.table.state
    assert (kept.sound.room, [one.language for one in kept.sound.arbiter_ears]) == ("hu", ["he"])
    assert kept.plan(Seat.WHITE).language == "de"
