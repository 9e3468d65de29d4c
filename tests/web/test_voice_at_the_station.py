"""A player's voice at a station: read over /audio outside the game, learnt, used at that seat alone, forgotten."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.game.values.words import Seat
from server.machine.clock import ScriptedClock
from server.voice.profiles import keep_profile
from speech.audio.frames import encode_frames
from speech.enrolment.prompts import load_prompts
from speech.hearing.hearing import Verdict
from speech.words.loading import load_scheme
from speech.words.said import Heard
from speech.words.scheme import Scheme
from speech.words.voice_profile import VoiceProfile
from tests.table.open_hall import FakeEars, heard_words
from tests.web.open_house import House, Visitor, open_house

PROFILE = VoiceProfile("Anna", "de", "d21", {"file.a": ("AA N AE",)}, readings=40, code="a4h8c3")


class NotingEars(FakeEars):
    """Ears that note by which scheme they listen."""

    def __init__(self) -> None:
        super().__init__()
        self.schemes: list[Scheme] = []

    async def verdict_on(self, pcm: bytes, scheme: Scheme) -> Verdict:
        self.schemes.append(scheme)
        return heard_words(Heard("none"), "reject")


async def says(player: Visitor, utterance: int) -> None:
    voice = await player.line("/audio", after=None)
    for frame in encode_frames(bytes(6_400), utterance):
        await voice.socket.send_bytes(frame)
    await voice.send({"end": utterance})
    assert (await voice.next())["kind"] == "taken"


def own(player: Visitor) -> str:
    return f"/api/voice?{player.page.partition('?')[2]}&page={player.page.split('?')[0].strip('/')}"


async def test_a_voice_is_used_where_its_player_gives_its_code_and_nowhere_else(tmp_path: Path) -> None:
    ears = NotingEars()
    async with open_house(tmp_path, ears=ears) as house:
        keep_profile(house.hall.data.profiles, PROFILE)
        white, black = await house.station("tactile", Seat.WHITE), await house.station("sighted", Seat.BLACK)
        await says(white, 1)
        assert ears.schemes[-1].voice is None, "the name alone binds nobody"
        status, said = await white.post(own(white), {"do": "use", "code": "Hector eins, Hector eins, Hector eins"})
        assert (status, said["code"]) == (409, "voice")
        status, said = await white.post(own(white), {"do": "use", "code": "Anna vier, Hector acht, Cesar drei"})
        assert (status, said["known"], said["words"]) == (200, True, "Anna vier, Hector acht, Cesar drei")
        await says(white, 2)
        assert ears.schemes[-1].voice == PROFILE
        await says(black, 3)
        assert ears.schemes[-1].voice is None
        status, said = await white.post(own(white), {"do": "leave"})
        await says(white, 4)
        assert ears.schemes[-1].voice is None and any(house.hall.data.profiles.iterdir())
        for visitor in (await house.arbiter(), await house.station("display", None), house.visitor()):
            assert (await visitor.get("/api/voice"))[0] == 403


async def test_the_code_of_a_voice_is_not_to_be_guessed(tmp_path: Path) -> None:
    clock = ScriptedClock()
    async with open_house(tmp_path, clock=clock) as house:
        keep_profile(house.hall.data.profiles, PROFILE)
        player = await house.station("tactile", Seat.WHITE)
        right = {"do": "use", "code": "a4 h8 c3"}
        guesses = [player.post(own(player), {"do": "use", "code": f"a1 a1 a{rank}"}) for rank in range(1, 9)]
        told = [said["text"] for _, said in await asyncio.gather(*guesses)]
        assert sum("Too many wrong codes" in one for one in told) == 3
        assert (await player.post(own(player), right))[0] == 409, "not even the right one"
        clock.advance(10 * 60_000)
        assert (await player.post(own(player), right))[0] == 200


async def test_the_voice_of_a_seat_is_known_after_a_restart_and_can_be_forgotten(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        keep_profile(house.hall.data.profiles, PROFILE)
        player = await house.station("tactile", Seat.WHITE)
        await player.post(own(player), {"do": "use", "code": "a4 h8 c3"})
    ears = NotingEars()
    async with open_house(tmp_path, ears=ears) as house:
        player = await house.station("tactile", Seat.WHITE)
        await says(player, 1)
        assert ears.schemes[-1].voice == PROFILE
        assert (await player.post(own(player), {"do": "forget"}))[0] == 200
        assert not any(house.hall.data.profiles.iterdir())
        await says(player, 2)
        assert ears.schemes[-1].voice is None
        status, said = await player.post(own(player), {"do": "forget"})
        assert status == 409 and "nothing was deleted" in said["text"]


async def test_a_voice_is_known_in_the_language_that_its_player_goes_on_in(tmp_path: Path) -> None:
    ears, english = NotingEars(), msgspec.structs.replace(PROFILE, language="en")
    async with open_house(tmp_path, ears=ears) as house:
        for profile in (PROFILE, english):
            keep_profile(house.hall.data.profiles, profile)
        player = await house.station("tactile", Seat.WHITE)
        await player.post(own(player), {"do": "use", "code": "a4 h8 c3"})
        line = await player.line()
        for number, profile in enumerate((english, PROFILE)):
            await line.do({"do": "choose_ear", "language": profile.language})
            await says(player, number + 1)
            assert ears.schemes[-1].voice == profile


async def test_a_damaged_profile_is_no_reason_not_to_listen(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        file = keep_profile(house.hall.data.profiles, PROFILE)
        player = await house.station("tactile", Seat.WHITE)
        await player.post(own(player), {"do": "use", "code": "a4 h8 c3"})
        file.write_text("{")
    ears = NotingEars()
    async with open_house(tmp_path, ears=ears) as house:
        await says(await house.station("tactile", Seat.WHITE), 1)
        assert ears.schemes[-1].voice is None


async def read(player: Visitor, prompt: int, pcm: bytes) -> list[Any]:
    voice = await player.line("/audio", after=None)
    await voice.send({"check": prompt, "prompt": prompt})
    for frame in encode_frames(pcm, prompt):
        await voice.socket.send_bytes(frame)
    await voice.send({"end": prompt})
    said = [await voice.next()]
    while said[-1]["kind"] != "level":
        said.append(await voice.next())
    await voice.socket.close()
    return said


async def test_what_was_read_at_the_station_becomes_the_players_private_profile(tmp_path: Path) -> None:
    from tests.speech.hearing.spoken_announcements import phrase, rendered

    scheme = load_scheme("d21", "de")
    chosen = [(number, words) for number, words in enumerate(load_prompts(), 1) if number % 4 == 1]
    sounds = await rendered([phrase(words, scheme, "m2") for _, words in chosen])
    async with open_house(tmp_path) as house:
        player = await house.station("tactile", Seat.WHITE)
        status, said = await player.get(own(player))
        assert status == 200 and said["prompts"][0] == "Springer Felix drei" and said["outside"] and not said["known"]
        status, said = await player.post(own(player), {"do": "learn"})
        assert status == 409 and "Too few readings" in said["text"]
        for (number, _), pcm in zip(chosen, sounds, strict=True):
            assert (await read(player, number, pcm))[-1]["finding"] == "good"
        assert "no prompt 99" in (await read(player, 99, sounds[0]))[0]["text"]
        assert (await player.get(own(player)))[1]["read"] == [number for number, _ in chosen]
        assert not any((house.hall.data.audio / "demo").glob("*")), "readings are kept in memory alone"
        status, said = await player.post(own(player), {"do": "learn"})
        assert status == 200 and said["known"] and len(said["words"].split(",")) == 3
        (file,) = house.hall.data.profiles.iterdir()
        known = msgspec.json.decode(file.read_bytes(), type=VoiceProfile)
        assert (known.name, known.code, known.readings) == ("Anna", said["code"], len(chosen))
        assert house.table.state.sound.of(Seat.WHITE).profile == said["code"]
        assert (await player.get(own(player)))[1]["read"] == []


async def test_in_a_game_no_voice_is_learnt(house: House) -> None:
    player = await house.station("tactile", Seat.WHITE)
    desk = await (await house.arbiter()).line()
    assert (await desk.do({"do": "start_game"}))["outcome"]["ok"]
    assert "before or after the game" in (await read(player, 1, bytes(32_000)))[0]["text"]
    status, said = await player.post(own(player), {"do": "learn"})
    assert status == 409 and "before or after the game" in said["text"]
    assert not (await player.get(own(player)))[1]["outside"]


def test_the_hall_reads_no_profile_on_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An utterance begins without a look at the disk: whatever is known was read when the seat was bound."""
    import threading

    import server.voice.profiles as voices

    threads: list[threading.Thread] = []
    real = voices.kept_profile

    def noted(*arguments: Any) -> Any:
        threads.append(threading.current_thread())
        return real(*arguments)

    monkeypatch.setattr(voices, "kept_profile", noted)

    async def one() -> None:
        async with open_house(tmp_path, ears=NotingEars()) as house:
            keep_profile(house.hall.data.profiles, PROFILE)
            await house.table.listener.bind_voice(Seat.WHITE, "a4h8c3")
            player = await house.station("tactile", Seat.WHITE)
            await says(player, 1)
            await says(player, 2)

    asyncio.run(one())
    assert len(threads) == 1 and threads[0] is not threading.main_thread()


async def test_a_check_is_played_back_outside_the_game_and_only_to_its_player(house: House) -> None:
    player = await house.station("tactile", Seat.WHITE)
    line = await player.line()
    desk = await (await house.arbiter()).line()

    async def checked(utterance: int) -> None:
        voice = await player.line("/audio", after=None)
        await voice.send({"check": utterance, "back": True})
        for frame in encode_frames(bytes(range(256)) * 100, utterance):
            await voice.socket.send_bytes(frame)
        await voice.send({"end": utterance})
        assert (await voice.next())["kind"] == "level"

    await checked(1)
    ready = await line.until(kind="sound")
    async with player.session.get(f"{house.base}/sound/{ready['id']}") as answer:
        assert (await answer.read())[44:] == bytes(range(256)) * 100
    assert (await desk.do({"do": "start_game"}))["outcome"]["ok"]
    await checked(2)
    await line.do({"do": "choose_talking", "talking": "toggled"})
    assert sum(one["kind"] == "sound" for one in line.seen) == 1
    assert not any(one["kind"] == "sound" for one in desk.seen)


async def test_a_prompt_is_spoken_to_the_player_before_the_game(tmp_path: Path) -> None:
    from tests.table.open_hall import WrittenVoice

    async with open_house(tmp_path, voice=WrittenVoice()) as house:
        player = await house.station("tactile", Seat.WHITE)
        line = await player.line()
        assert (await player.post(own(player), {"do": "say", "prompt": 1}))[0] == 200
        ready = await line.until(kind="sound")
        assert ready["text"] == "Springer Felix drei" and ready["length_ms"] > 0
        status, said = await player.post(own(player), {"do": "say", "prompt": 400})
        assert status == 409 and "no prompt 400" in said["text"]
    async with open_house(tmp_path) as house:
        player = await house.station("tactile", Seat.WHITE)
        status, said = await player.post(own(player), {"do": "say"})
        assert status == 409 and "no working voice" in said["text"]
