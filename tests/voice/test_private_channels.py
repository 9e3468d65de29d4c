"""A player's ear at a real table: one voice at a time, never over a human one, on record before it sounds, and where
several of the player's stations are there, from one of them alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.decide.claims.proposals import CONFIRM_MS, HEARD_MS
from server.game.values.words import EarChoice, Mode, ReadBack, Role, Seat, Station, station_of_devices
from server.game.views.messages import AnswerGiven, Recorded, SoundShown, SquareToSetNow
from server.protocol import AtEar, Greeted, Hush, SoundReady
from speech.audio.sound import Sound
from speech.channels.ear import GAP_MS, MARGIN_MS, RENDERED_MS, Kind
from speech.complaint import Complaint
from speech.voices.voice import ORDINARY, Manner, Segment
from tests.table.open_hall import STATIONS, Ear, Played, WrittenVoice, played, reopened, turn


class SlowVoice(WrittenVoice):
    """A fifth of a second a letter."""

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        sound = await super().render(segments, manner, keep=keep)
        return Sound(sound.pcm * 20, sound.sample_rate)


def told(game: Played) -> list[ev.SpokenPrivately]:
    found = [one.event for one in game.ears["arbiter"].of(Recorded)]
    return [event for event in found if isinstance(event, ev.SpokenPrivately)]


def hushes(ear: Ear) -> list[Hush]:
    return [one for one in ear.received if isinstance(one, Hush)]


async def ready(game: Played) -> None:
    """All is rendered and recorded; nobody has heard anything yet."""
    teller = game.table.teller
    await teller.finish()
    await teller.finish()


def cuts(game: Played) -> list[ev.SpeechCut]:
    return [one.event for one in game.ears["arbiter"].of(Recorded) if isinstance(one.event, ev.SpeechCut)]


def at_ear(game: Played, did: Any, id: str = "", station: str = "white") -> None:
    game.table.teller.at_ear(station, AtEar(did, id))


async def announced(game: Played, uci: str = "e7e5", station: str = "white") -> SoundReady:
    """White has moved; Black's answer is announced to White by the machine."""
    await game.type("white", "Eva vier", "announce")
    await game.press("white")
    await game.told()
    await game.pass_time(1_000)
    game.ears[station].received.clear()
    await game.done("black", cmd.EnterMove(uci=uci))
    await ready(game)
    return game.ears[station].sounds[-1]


async def test_answers_come_one_after_the_other_with_a_gap(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.told()
        await game.done("white", cmd.Ask(what="clock"))
        await ready(game)
        (first,) = game.ears["white"].sounds
        assert first.what is Kind.ANSWER and len(told(game)) == 1, "what has not begun is not on record"
        at_ear(game, "began", first.id)
        await game.pass_time(first.length_ms)
        at_ear(game, "ended", first.id)
        await game.pass_time(GAP_MS - 1)
        await ready(game)
        assert len(game.ears["white"].sounds) == 1
        await game.pass_time(1)
        await turn(lambda: len(game.ears["white"].sounds) == 2)
        assert [event.text for event in told(game)] == [one.text for one in game.ears["white"].sounds]
        await game.pass_time(game.ears["white"].sounds[1].length_ms + MARGIN_MS)
        await ready(game)


@pytest.mark.law("L182")
@pytest.mark.parametrize("speaker", ["black", "white"])
async def test_nothing_is_said_while_anybody_at_the_table_speaks(tmp_path: Path, speaker: str) -> None:
    async with played(tmp_path, mode=Mode.RELAY, voice=SlowVoice()) as game:
        sound = await announced(game)
        assert sound.what is Kind.ANNOUNCEMENT
        await game.pass_time(600)
        game.table.teller.voice_began(speaker)
        (hush,) = hushes(game.ears["white"])
        assert (hush.id, hush.why) == (sound.id, "voice")
        await game.done("white", cmd.Ask(what="moves"))
        await game.pass_time(5_000)
        await ready(game)
        assert len(game.ears["white"].sounds) == 1
        game.table.teller.voice_ended(speaker)
        await game.pass_time(GAP_MS)
        await turn(lambda: len(game.ears["white"].sounds) == 2)
        again = game.ears["white"].sounds[1]
        if speaker == "black":
            assert again.id == sound.id, "an announcement that another cut off is said again"
            assert [event.text for event in told(game)][-2:] == [sound.text] * 2
        else:
            assert again.what is Kind.ANSWER, "White's own voice cut it: White has heard enough"
        assert game.table.teller.sounds.find("white", again.id) is not None


@pytest.mark.parametrize(("why", "again"), [("voice", True), ("talk", False), ("stop", False)])
async def test_how_much_of_a_phrase_was_heard_is_on_record(tmp_path: Path, why: str, again: bool) -> None:
    async with played(tmp_path, mode=Mode.RELAY, voice=SlowVoice()) as game:
        sound = await announced(game)
        await game.pass_time(300)
        at_ear(game, "began", sound.id)  # what its way to the station took is not heard
        await game.pass_time(720)
        if why == "voice":
            game.table.teller.voice_began("black")
        else:
            at_ear(game, why)
        await turn(lambda: bool(cuts(game)))
        (cut,) = cuts(game)
        assert (cut.seat, cut.text, cut.why, cut.again) == (Seat.WHITE, sound.text, why, again)
        assert (cut.heard_ms, cut.length_ms) == (720, sound.length_ms)
        assert cut.utterance == told(game)[-1].utterance, "the sound that the arbiter can listen to"
        assert not game.ears["white"].of(Recorded) and not game.ears["black"].of(Recorded)


async def test_what_was_heard_to_its_end_was_not_cut(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("white", cmd.Ask(what="moves"))
        await ready(game)
        sound = game.ears["white"].sounds[-1]
        at_ear(game, "began", sound.id)
        await game.pass_time(sound.length_ms)
        at_ear(game, "ended", sound.id)
        at_ear(game, "stop")
        await ready(game)
        await game.done("white", cmd.Ask(what="moves"))  # after whatever the key has led to
        assert cuts(game) == []


async def test_a_voice_that_was_there_before_the_ear_counts_too(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        del game.table.teller._tongues["white"]
        game.table.teller.voice_began("black")
        await game.done("white", cmd.Ask(what="moves"))
        await ready(game)
        assert game.ears["white"].sounds == []


@pytest.mark.law("L190")
@pytest.mark.parametrize(("key", "over"), [("stop", True), ("talk", True), ("press", False)])
async def test_who_cuts_the_announcement_makes_nobody_wait_for_the_rest(tmp_path: Path, key: str, over: bool) -> None:
    async with played(tmp_path, mode=Mode.RELAY, voice=SlowVoice()) as game:
        await game.done("arbiter", cmd.Pause())
        await game.done("arbiter", cmd.Resume())
        await announced(game)
        await game.press("black")
        await turn(lambda: game.table.state.time.held is not None)
        await game.pass_time(500)
        at_ear(game, key)
        await game.done("white", cmd.Ask(what="moves"))  # after whatever the key has led to
        assert (game.table.state.time.held is None) is over
        assert bool(hushes(game.ears["white"])) is over


async def test_the_press_of_the_clock_cuts_the_read_back_wherever_the_clock_is_pressed(tmp_path: Path) -> None:
    async with played(tmp_path, mode=Mode.RELAY, voice=SlowVoice()) as game:
        await game.told()
        await game.type("white", "Eva vier", "announce")
        await ready(game)
        back = game.ears["white"].sounds[-1]
        assert back.what is Kind.READ_BACK
        await game.press("white")
        assert [one.id for one in hushes(game.ears["white"])] == [back.id]


async def test_the_last_phrase_again_is_on_record_again(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("white", cmd.Ask(what="moves"))
        await game.told()
        (first,) = game.ears["white"].sounds
        at_ear(game, "repeat")
        await game.told()
        again = game.ears["white"].sounds[-1]
        assert again.id != first.id and (again.text, again.n) == (first.text, first.n)
        assert len({event.utterance for event in told(game)}) == 1 and len(told(game)) == 2
        at_ear(game, "repeat", station="black")
        await game.told()
        assert len(told(game)) == 2


async def test_where_this_run_has_no_last_phrase_the_record_is_told(tmp_path: Path) -> None:
    """As after the spoken word: nobody who asks is answered by silence, not even after a restart."""
    async with played(tmp_path) as game:
        at_ear(game, "repeat")
        await turn(lambda: bool(game.ears["white"].of(AnswerGiven)))
        await game.told()
        assert [one.text for one in game.ears["white"].sounds] == ["Es wurde keine Ansage gehört."]
        await game.type("white", "Eva vier", "announce")
        await game.press("white")
        await game.type("black", "Eva fünf", "announce")
        await game.press("black")
        await game.done("arbiter", cmd.Pause())
    async with reopened(tmp_path, voice=WrittenVoice()) as (hall, clock):
        game = Played(hall, clock, hall.table("t1"))
        game.attach("white", 2**53)  # nothing of what was told before
        await game.told()
        at_ear(game, "repeat")
        await turn(lambda: bool(game.ears["white"].of(AnswerGiven)))
        await game.told()
        assert [one.what for one in game.ears["white"].sounds] == [Kind.LINK, Kind.ANSWER]
        assert game.ears["white"].sounds[-1].text == "Eva fünf"


async def test_one_station_of_a_player_speaks_the_one_that_came_last(tmp_path: Path) -> None:
    second = Station("white-2", Role.PLAYER, Seat.WHITE)
    async with played(tmp_path, stations=(*STATIONS, second)) as game:
        await game.done("white-2", cmd.Ask(what="moves"))
        await game.told()
        assert (len(game.ears["white"].sounds), len(game.ears["white-2"].sounds)) == (0, 1)
        at_ear(game, "off", station="white-2")
        await game.done("white", cmd.Ask(what="moves"))
        await game.told()
        assert (len(game.ears["white"].sounds), len(game.ears["white-2"].sounds)) == (1, 1)
        before = len(told(game))
        at_ear(game, "off", station="white")
        await game.done("white", cmd.Ask(what="moves"))
        await game.told()
        assert len(told(game)) == before, "what nobody wants to hear is not said"
        at_ear(game, "on", station="white")
        await game.told()
        assert len(told(game)) == before, "and is not said later"


async def test_what_is_asked_and_pressed_at_one_station_counts_at_the_ear_of_the_player(tmp_path: Path) -> None:
    """A laptop to type at, a telephone or the server's own headset to hear with: no key and no question is lost."""
    second = Station("white-2", Role.PLAYER, Seat.WHITE)
    async with played(tmp_path, voice=SlowVoice(), stations=(*STATIONS, second)) as game:
        laptop, telephone = game.ears["white"], game.ears["white-2"]
        await game.done("white", cmd.Ask(what="moves"))
        await ready(game)
        (answer,) = telephone.sounds
        assert (answer.text, answer.n, laptop.sounds) == ("Abgeschlossene Züge: 0.", 0, [])
        at_ear(game, "stop")
        assert [one.id for one in hushes(telephone)] == [answer.id] and hushes(laptop) == []
        await game.pass_time(GAP_MS)
        at_ear(game, "repeat")
        await ready(game)
        assert [one.text for one in telephone.sounds] == [answer.text] * 2
        at_ear(game, "ended", telephone.sounds[-1].id)
        assert game.table.teller._tongues["white"].channel._channel.ear.playing is not None, "it sounds elsewhere"
        await game.done("white", cmd.Ask(what="help"))
        await game.pass_time(1_000)
        await ready(game)
        assert telephone.sounds[-1].text == "Zeit, Zeit des Gegners, beide Zeiten."
        at_ear(game, "next")
        await game.pass_time(1_000)
        await ready(game)
        assert telephone.sounds[-1].text == "Zugzahl, letzter Zug, Korrektur.", "the next piece of it"
        assert laptop.sounds == []


async def test_a_device_that_is_sent_away_does_not_take_the_players_ear_with_it(tmp_path: Path) -> None:
    second = Station("white-2", Role.PLAYER, Seat.WHITE)
    async with played(tmp_path, stations=(*STATIONS, second)) as game:
        await game.done("white-2", cmd.Ask(what="moves"))
        await game.told()
        assert (len(game.ears["white"].sounds), len(game.ears["white-2"].sounds)) == (0, 1)
        assert (await game.hall.revoke(game.table, "white-2")).outcome.ok
        await game.done("white", cmd.Ask(what="moves"))
        await game.told()
        assert (len(game.ears["white"].sounds), len(game.ears["white-2"].sounds)) == (1, 1)


async def test_an_announcement_waits_for_a_lost_line(tmp_path: Path) -> None:
    async with played(tmp_path, mode=Mode.RELAY, voice=SlowVoice()) as game:
        first = game.ears["white"]
        sound = await announced(game)
        game.table.connections._note_gone("white", first)
        await game.pass_time(60_000)
        back = game.attach("white")
        await game.pass_time(RENDERED_MS)
        await turn(lambda: back.sounds != [])
        assert [one.what for one in back.sounds] == [Kind.LINK], "first that the line is there again"
        at_ear(game, "ended", back.sounds[0].id)
        await game.pass_time(GAP_MS)
        await turn(lambda: len(back.sounds) == 2)
        assert back.sounds[1].id == sound.id


@pytest.mark.parametrize("heard_at", ["white-2", station_of_devices(Seat.WHITE).id], ids=["telephone", "headset"])
@pytest.mark.parametrize("plays_again", ["the same", "the page"])
async def test_what_came_while_the_ears_own_station_was_gone_waits_also_beside_a_silent_page(
    tmp_path: Path, heard_at: str, plays_again: str
) -> None:
    """A page without sound is no wish to hear nothing, where the ear is at a telephone or a headset that is lost."""
    second = Station(heard_at, Role.PLAYER, Seat.WHITE)
    async with played(tmp_path, mode=Mode.RELAY, voice=SlowVoice(), stations=(*STATIONS, second)) as game:
        at_ear(game, "off")
        await game.told()
        cut = await announced(game, station=heard_at)
        game.table.connections._note_gone(heard_at, game.ears[heard_at])
        await game.done("black", cmd.OfferDraw())
        await game.pass_time(5_000)
        await ready(game)
        assert game.ears["white"].sounds == []
        if plays_again == "the page":
            at_ear(game, "on")
        back = game.ears["white"] if plays_again == "the page" else game.attach(heard_at)
        await game.told()
        assert [one.what for one in back.sounds] == [Kind.LINK, Kind.ANNOUNCEMENT, Kind.ANSWER]
        assert back.sounds[1].text == cut.text


async def test_a_page_that_is_open_twice_is_heard_again_once_the_second_is_closed(tmp_path: Path) -> None:
    """A second page plays nothing before its first key; the first one has told that it plays, and tells it no more."""
    async with played(tmp_path) as game:
        first, second = game.ears["white"], Ear()
        teller = game.table.teller
        teller.at_ear("white", AtEar("on"), first)
        again = game.table.attach("white", 2**40, second)
        teller.at_ear("white", AtEar("off"), second)
        teller.at_ear("white", AtEar("on"), first)  # what plays is sent to the page that came last
        await game.done("white", cmd.Ask(what="moves"))
        await game.told()
        assert first.sounds == second.sounds == []
        again.close()
        await game.done("white", cmd.Ask(what="moves"))
        await game.told()
        assert [one.text for one in first.sounds] == ["Abgeschlossene Züge: 0."] and second.sounds == []
        teller.at_ear("white", AtEar("off"), first)
        game.table.attach("white", 2**40, second)
        await game.done("white", cmd.Ask(what="moves"))
        await game.told()
        assert len(first.sounds) == 1 and second.sounds == [], "until it tells, a page is taken as the one before it"


async def test_a_stop_before_the_record_is_written_leaves_no_sound_behind(tmp_path: Path) -> None:
    async with played(tmp_path, mode=Mode.RELAY, voice=SlowVoice()) as game:
        await game.told()
        channel = game.table.teller._tongues["white"].channel
        release = asyncio.Event()
        record = channel._note_spoken

        async def slow(*args: Any) -> bool:
            await release.wait()
            return await record(*args)

        channel._note_spoken = slow  # type: ignore[method-assign]
        await game.done("white", cmd.Ask(what="moves"))
        await turn(lambda: channel._channel.ear.playing is not None)
        at_ear(game, "stop")
        release.set()
        await game.told()
        assert game.ears["white"].sounds == [] and hushes(game.ears["white"]) == []


class NotingVoice(WrittenVoice):
    """Notes how each phrase was asked for; one speaker it has not."""

    def __init__(self) -> None:
        self.manners: list[Manner] = []

    async def render(self, segments: Sequence[Segment], manner: Manner = ORDINARY, *, keep: bool = True) -> Sound:
        self.manners.append(manner)
        if manner.variant == "m9":
            raise Complaint("no such speaker")
        return await super().render(segments, manner, keep=keep)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [("none", []), ("tick", ["(tick)"]), ("short", ["Felix drei"]), ("full", ["Springer Felix drei"]), (None, [])],
)
async def test_the_read_back_is_as_the_player_chose_it(tmp_path: Path, chosen: str | None, said: list[str]) -> None:
    async with played(tmp_path) as game:
        if chosen is not None:
            await game.done("white", cmd.ChooseEar(read_back=ReadBack(chosen)))
        await game.type("white", "Springer Felix drei", "announce")
        await game.told()
        assert [one.text for one in game.ears["white"].sounds] == said
        assert [event.text for event in told(game)] == said
        kinds = {one.what for one in game.ears["white"].sounds}
        assert kinds <= {Kind.READ_BACK}


@pytest.mark.law("L184")
@pytest.mark.parametrize(
    ("chosen", "heard", "read_back"),
    [
        (None, "Springer Felix drei", []),
        (None, "~Springer Felix drei", ["Springer Felix drei"]),
        ("none", "~Springer Felix drei", []),
        ("short", "~Springer Felix drei", ["Felix drei"]),
        ("tick", "Springer Felix drei", ["(tick)"]),
        ("tick", "~Springer Felix drei", ["Springer Felix drei"]),
    ],
)
async def test_what_is_in_doubt_is_read_back_at_a_table_too_unless_the_player_chose_otherwise(
    tmp_path: Path, chosen: str | None, heard: str, read_back: list[str]
) -> None:
    async with played(tmp_path) as game:
        if chosen is not None:
            await game.done("white", cmd.ChooseEar(read_back=ReadBack(chosen)))
        await game.speak("white", heard)
        await game.told()
        assert [one.text for one in game.ears["white"].sounds] == read_back


@pytest.mark.law("L104", "L184")
@pytest.mark.parametrize("doubt", ["", "~"])
@pytest.mark.parametrize("place", ["repeated", "contested", "intended", "for the arbiter"])
async def test_what_is_in_doubt_is_read_back_wherever_it_is_recorded(tmp_path: Path, place: str, doubt: str) -> None:
    """After the press; and as the intended move of a claim, which stands in the score and is not changed (9.2.1)."""
    async with played(tmp_path) as game:
        await game.type("white", "Springer Felix drei" if place == "repeated" else "Eva vier", "announce")
        if place in ("repeated", "contested"):
            await game.press("white")
        else:
            await game.type("white", "Remisreklamation")
            await game.type("white", "ja")
        if place == "for the arbiter":
            await game.speak("white", "König Eva zwei")
        await game.told()
        before = len(game.ears["white"].sounds)
        await game.speak("white", f"{doubt}Springer Felix drei")
        await game.told()
        said = [one.text for one in game.ears["white"].sounds[before:]]
        assert said == (["Springer Felix drei"] if doubt else [])


async def test_speed_voice_and_language_are_the_players_and_stay_with_the_seat(tmp_path: Path) -> None:
    voice = NotingVoice()
    async with played(tmp_path, voice=voice) as game:
        await game.done("white", cmd.ChooseEar(speed=150, voice="f2", language="en"))
        await game.done("white", cmd.ChooseEar(gain_db=6))
        await game.done("white", cmd.Ask(what="moves"))
        await game.told()
        assert voice.manners[-1] == Manner("f2", 1.5, ear="t1 white")
        assert "moves" in game.ears["white"].sounds[-1].text.lower()
        assert game.ears["white"].of(SoundShown)[-1].ear == EarChoice(speed=150, voice="f2", language="en", gain_db=6)
        assert game.ears["black"].of(SoundShown) == []
        again = game.attach("white")
        greeted = again.received[0]
        assert isinstance(greeted, Greeted) and greeted.greeting.sound is not None
        assert greeted.greeting.sound.ear.speed == 150
        await game.done("white", cmd.ChooseEar(voice="m9"))
        await game.done("white", cmd.Ask(what="moves"))
        await game.told()
        assert voice.manners[-1] == Manner(None, 1.5, ear="t1 white"), "better another speaker than none"
        refused = await game.do("white", cmd.ChooseEar(language="xx"))
        assert not refused.outcome.ok
        for body in (cmd.ChooseEar(speed=100, seat=Seat.WHITE), cmd.ChooseEar(speed=100)):
            assert (await game.do("black", body)).outcome.ok is (body.seat is None)
        await game.done("arbiter", cmd.ChooseEar(speed=80, seat=Seat.WHITE))
        assert game.table.state.sound.of(Seat.WHITE).ear.speed == 80


async def test_the_spoken_word_stop_silences_the_players_own_ear(tmp_path: Path) -> None:
    async with played(tmp_path, voice=SlowVoice()) as game:
        await game.done("white", cmd.Ask(what="clock"))
        await ready(game)
        await game.speak("black", "stop")
        assert hushes(game.ears["white"]) == []
        await game.speak("white", "Stopp")
        assert len(hushes(game.ears["white"])) == 1
        await game.told()
        assert len(told(game)) == 1, "and what waited is not said"


@pytest.mark.law("L044", "L182")
@pytest.mark.parametrize(
    ("within", "answer", "said"),
    [
        (True, None, ["Geben Sie auf? Ja oder nein."]),
        (False, None, ["Sie haben nicht aufgegeben."]),  # no yes counts any more
        (True, False, ["Sie haben nicht aufgegeben."]),
        (True, True, ["Sie haben aufgegeben."]),
        (False, True, ["Sie haben aufgegeben."]),
    ],
)
async def test_a_question_of_a_yes_or_no_is_asked_while_that_counts_and_nothing_is_answered_yet(
    tmp_path: Path, within: bool, answer: bool | None, said: list[str]
) -> None:
    async with played(tmp_path) as game:
        game.table.teller.voice_began("black")
        await game.done("white", cmd.Propose(what="resign"))
        await ready(game)
        if answer is not None:  # at a page, which has asked it as well
            await game.done("white", cmd.Confirm(yes=answer, typed=True))
            await ready(game)
        await game.pass_time(CONFIRM_MS + (-1_000 if within else 1_000))
        assert game.ears["white"].sounds == [], "never over a human voice"
        game.table.teller.voice_ended("black")
        await game.pass_time(GAP_MS)
        await game.told()
        if not within and answer is None:
            assert game.ears["white"].sounds == [], "a yes that was said in time may still be recognised"
            await game.pass_time(HEARD_MS)
            await game.told()
        assert [one.text for one in game.ears["white"].sounds][: len(said)] == said


@pytest.mark.law("L044")
async def test_nothing_is_denied_that_was_said_in_time_and_recognised_late(tmp_path: Path) -> None:
    """White read the question on the page: in White's ear somebody spoke all the time."""
    async with played(tmp_path) as game:
        game.table.teller.voice_began("black")
        await game.done("white", cmd.Propose(what="resign"))
        await ready(game)
        (asked,) = game.table.state.ending.pending
        await game.pass_time(CONFIRM_MS + 1_000)
        game.table.teller.voice_ended("black")
        await game.pass_time(GAP_MS)
        await game.table.hear("white", 77, "ja".encode("utf-16-le"), asked.until_ms)
        await game.pass_time(HEARD_MS)
        await game.told()
        assert game.table.state.ending.resigned is Seat.WHITE
        heard = [one.text for one in game.ears["white"].sounds]
        assert "Schwarz gewinnt." in heard and "Sie haben nicht aufgegeben." not in heard, heard


@pytest.mark.law("L044", "L197")
async def test_the_rest_of_a_square_is_told_where_only_something_else_is_settled(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("white", cmd.Propose(what="resign"))
        await game.told()
        (white,) = game.table.state.stations.at(Role.PLAYER, Seat.WHITE)
        game.table.teller.take(white, 901, SquareToSetNow(square="e4", should_be="P", number=1, of=2))
        await ready(game)
        at_ear(game, "began", game.ears["white"].sounds[-1].id)
        await ready(game)
        await game.done("white", cmd.Confirm(yes=False))
        await game.told()
        heard = [one.text for one in game.ears["white"].sounds]
        assert len([one for one in heard if "Sagen Sie" in one]) == 1 and "Sie haben nicht aufgegeben." in heard


@pytest.mark.law("L044")
async def test_a_question_is_said_again_while_a_yes_counts_and_never_denied_before_that(tmp_path: Path) -> None:
    async with played(tmp_path, voice=SlowVoice()) as game:
        await game.done("white", cmd.Propose(what="resign"))
        await ready(game)
        asked = game.ears["white"].sounds[-1]
        at_ear(game, "began", asked.id)
        await game.pass_time(asked.length_ms)
        at_ear(game, "ended", asked.id)
        await game.pass_time(CONFIRM_MS - asked.length_ms - 1_000)
        at_ear(game, "repeat")
        await ready(game)
        assert [one.text for one in game.ears["white"].sounds] == [asked.text] * 2
        await game.done("white", cmd.Confirm(yes=True, typed=True))
        assert game.table.state.ending.resigned is Seat.WHITE
