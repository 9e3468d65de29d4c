"""What is lost, or there again, is said in the player's ear before everything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.saying import saying
from server.game.values.words import Mode, Seat, SoundDevices
from server.game.views.messages import LinkShown, Recorded
from server.voice.teller import AWAY_MS
from speech.channels.ear import GAP_MS, RENDERED_MS, Kind
from tests.table.open_hall import Ear, Played, WrittenVoice, played, reopened, turn
from tests.voice.test_private_channels import SlowVoice, at_ear, hushes, ready

LOST = cmd.NoteMicrophoneLost(seat=Seat.WHITE, station="white")


async def note(game: Played, body: cmd.OwnAct) -> None:
    assert (await game.table.own(game.table.program_command(body))).outcome.ok


def alerts(game: Played) -> list[str]:
    found = [one.event for one in game.ears["arbiter"].of(Recorded)]
    return [event.kind for event in found if isinstance(event, ev.Alerted)]


async def test_a_lost_microphone_is_said_before_what_plays_and_what_waits(tmp_path: Path) -> None:
    async with played(tmp_path, mode=Mode.RELAY, voice=SlowVoice()) as game:
        await game.done("white", cmd.Ask(what="moves"))
        await ready(game)
        answer = game.ears["white"].sounds[-1]
        at_ear(game, "began", answer.id)
        await game.pass_time(300)
        await note(game, LOST)
        await ready(game)
        assert [(one.id, one.why) for one in hushes(game.ears["white"])] == [(answer.id, "urgent")]
        await game.pass_time(GAP_MS)
        await turn(lambda: game.ears["white"].sounds[-1].what is Kind.LINK)
        link = game.ears["white"].sounds[-1]
        assert link.text == "Ihr Mikrofon liefert keinen Ton mehr."
        at_ear(game, "press")
        assert len(hushes(game.ears["white"])) == 1, "the press of the clock does not cut it"
        at_ear(game, "ended", link.id)
        await game.pass_time(GAP_MS)
        await turn(lambda: game.ears["white"].sounds[-1].id == answer.id)
        assert game.ears["white"].of(LinkShown) == [LinkShown(what="microphone")]
        assert alerts(game)[-1] == "microphone_lost"
        assert not game.ears["black"].of(LinkShown) and not game.ears["display"].of(LinkShown)


async def test_devices_that_fail_are_told_at_the_page_that_takes_their_place(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        devices = SoundDevices("headset", "headset", True)
        await game.done("arbiter", cmd.ChooseDevices(seat=Seat.WHITE, microphone="headset", headphones="headset"))
        assert game.table.state.sound.of(Seat.WHITE).devices == SoundDevices("headset", "headset")
        await note(
            game, cmd.NoteDeviceFault(seat=Seat.WHITE, said=saying("as_written", text="The sound device cannot hear."))
        )
        await ready(game)
        link = game.ears["white"].sounds[-1]
        assert (link.what, link.text.split(".")[0]) == (Kind.LINK, "Headset am Server ausgefallen")
        assert game.table.state.sound.of(Seat.WHITE).devices != devices
        assert alerts(game)[-1] == "sound_device"


@pytest.mark.parametrize(("away_ms", "said"), [(AWAY_MS, True), (AWAY_MS - 1, False)])
async def test_a_line_that_is_there_again_is_said_first(tmp_path: Path, away_ms: int, said: bool) -> None:
    async with played(tmp_path, mode=Mode.RELAY) as game:
        await game.type("white", "Eva vier", "announce")
        await game.press("white")
        await game.told()
        await game.pass_time(1_000)
        for sink in game.table.connections.of("white"):
            game.table.connections._note_gone("white", sink)
        await game.done("black", cmd.EnterMove(uci="e7e5"))
        await ready(game)
        await game.pass_time(away_ms)
        game.ears["white"].received.clear()
        back = game.attach("white", 10**6)
        await ready(game)
        await game.pass_time(600)
        await turn(lambda: back.sounds != [])
        kinds = [one.what for one in back.sounds]
        assert kinds[0] is (Kind.LINK if said else Kind.ANNOUNCEMENT)
        if said:
            at_ear(game, "ended", back.sounds[0].id)
            await game.pass_time(GAP_MS)
            await turn(lambda: len(back.sounds) == 2)
            assert [one.what for one in back.sounds] == [Kind.LINK, Kind.ANNOUNCEMENT]


async def test_nobody_is_told_of_a_line_before_the_game_or_after_it(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.done("arbiter", cmd.RuleResult(result="1/2-1/2", reason="", article="9.1"))
        await game.told()
        for sink in game.table.connections.of("white"):
            game.table.connections._note_gone("white", sink)
        await game.pass_time(5_000)
        back = game.attach("white", 10**6)
        await ready(game)
        await game.pass_time(1_000)
        await ready(game)
        assert back.sounds == []


async def test_after_a_restart_a_player_hears_first_that_the_line_is_there_also_where_the_voice_comes_later(
    tmp_path: Path,
) -> None:
    async with played(tmp_path) as game:
        await game.type("white", "Eva vier", "announce")
    async with reopened(tmp_path) as (hall, clock):
        back = Ear()
        hall.tables["t1"].attach("white", 0, back)
        assert back.sounds == []
        hall.use(voice=WrittenVoice())
        again = Played(hall, clock, hall.tables["t1"])
        await ready(again)
        await again.pass_time(RENDERED_MS)
        await turn(lambda: back.sounds != [])
        assert [one.what for one in back.sounds] == [Kind.LINK]
