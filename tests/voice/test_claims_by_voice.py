"""A claim by voice: the microphone goes to the arbiter alone, and nobody else is told by a byte or a number."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.values.announcement import Announcement
from server.game.values.words import Duty, Mode, Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from tests.table.open_hall import Played, played

HELPER = Station("helper", Role.ASSISTANT, Seat.BLACK, (Duty.EXECUTE, Duty.INFORM))
OWN_HELPER = Station("own-helper", Role.ASSISTANT, Seat.WHITE, (Duty.EXECUTE,))
STATIONS = (
    Station("white", Role.PLAYER, Seat.WHITE),
    Station("black", Role.PLAYER, Seat.BLACK),
    Station("arbiter", Role.ARBITER),
    Station("display", Role.DISPLAY),
    HELPER,
    OWN_HELPER,
)
KNIGHTS = "4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1"


async def silence(game: Played) -> None:
    """The player says nothing more."""


async def no_move(game: Played) -> None:
    await game.speak("white", "nein")


async def a_legal_move(game: Played) -> None:
    await game.speak("white", "Springer Felix drei")


async def an_illegal_move(game: Played) -> None:
    await game.speak("white", "Springer Anna acht")


async def a_typed_move(game: Played) -> None:
    await game.type("white", "Springer Felix drei")


async def all_kinds_of_words(game: Played) -> None:
    for text in ("?", "?from", "ja", "~nein", "Springer Felix drei", "Springer Hector drei", "Springer Felix drei"):
        await game.speak("white", text)
    await game.do("white", cmd.Say(announcement=None))


Step = Callable[[Played], Awaitable[None]]
STEPS: tuple[Step, ...] = (silence, no_move, a_legal_move, an_illegal_move, a_typed_move, all_kinds_of_words)


async def told_of(folder: Path, mode: Mode, kind: SeatKind, word: str, step: Step) -> dict[str, list[bytes]]:
    """A move each, the claim, what is intended, the ruling, and a move after it: what reached everybody else."""
    by_touch = kind is SeatKind.TACTILE  # only such a player has an assistant (D.2.10)
    stations = STATIONS if by_touch else tuple(one for one in STATIONS if one is not HELPER)
    watching = ("black", "display", "helper") if by_touch else ("black", "display")
    async with played(folder, fen=KNIGHTS, mode=mode, black=kind, stations=stations) as game:
        for seat, words in (("white", ["Koenig Eva zwei"]), ("black", ["Koenig Eva zwei", "Koenig Eva sieben"])):
            for one in words:
                await game.speak(seat, one)
                await game.told()
            await game.press(seat)
            await game.told()
        for one in ("Koenig Eva sieben", word, "ja"):  # the talk key is held for it
            await game.speak("white", one)
            await game.told()  # at last that the clocks stand, each ear in its own time
        await game.pass_time(3_000)
        before = {name: len(game.ears[name].numbers) for name in watching}
        await step(game)
        game._count = 1_000  # a station names its own sounds
        assert {name: len(game.ears[name].numbers) for name in before} == before, "not a message, not a number"
        await game.pass_time(3_000)
        for station, body in (("black", cmd.Ask(what="last")), ("arbiter", cmd.RuleClaim(ruling="wrong"))):
            await game.done(station, body)
            await game.put_into_sound()
        await game.done("arbiter", cmd.Resume())
        await game.put_into_sound()
        await game.speak("white", "Koenig Eva eins")
        await game.put_into_sound()
        await game.press("white")
        await game.put_into_sound()
        await game.speak("black", "Koenig Eva eins")
        await game.told()
        others = {name: game.ears[name].as_bytes() for name in watching}
        # What the claimant's own ear was still told took its time; all look at the clock at one instant.
        game.clock.advance(60_000 - game.clock.mono_ms())
        return {**others, "greeted": [repr(game.attach(name).received[0]).encode() for name in others]}


@pytest.mark.law("L104", "L109", "L133")
@pytest.mark.parametrize("mode", [Mode.TABLE, Mode.RELAY])
@pytest.mark.parametrize("kind", [SeatKind.TACTILE, SeatKind.SIGHTED])
async def test_whether_a_move_is_intended_nobody_but_the_arbiter_is_told(
    tmp_path: Path, mode: Mode, kind: SeatKind
) -> None:
    heard = {
        step.__name__: await told_of(tmp_path / step.__name__, mode, kind, "Remisreklamation", step) for step in STEPS
    }
    for name, told in heard.items():
        for station, received in told.items():
            assert received == heard["silence"][station], (name, station)


@pytest.mark.law("L104")
async def test_the_claimant_and_the_arbiter_have_it_and_the_claimants_assistant_has_not(tmp_path: Path) -> None:
    async with played(tmp_path, mode=Mode.RELAY, black=SeatKind.TACTILE, stations=STATIONS) as game:
        await game.speak("white", "Remisreklamation")
        await game.speak("white", "ja")
        assert [one.ask for one in game.ears["white"].of(msg.Question)] == ["claim_draw", "intended"]
        await game.told()  # a question that is answered before it sounds is not asked
        await game.speak("white", "?")
        await game.speak("white", "Springer Felix drei")
        assert [one.ask for one in game.ears["white"].of(msg.Question)][1:] == ["intended", "intended"]
        assert game.ears["white"].of(msg.Understood)[-1].text == "Springer Felix drei"
        assert game.ears["white"].of(msg.ScoreLine)[-1].source == "claim"
        events = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
        assert [one.text for one in events if isinstance(one, ev.IntendedStated)] == ["Springer Felix drei"]
        assert not [one for one in events if isinstance(one, ev.Announced | ev.NotUnderstood | ev.Made)]
        assert not game.ears["own-helper"].of(msg.Understood)
        assert not game.ears["black"].of(msg.Relayed)
        await game.told()
        asked = " ".join(one.text for one in game.ears["white"].sounds)
        assert "Ihr beabsichtigter Zug? Sonst sagen Sie nein." in asked


@pytest.mark.law("L044", "L064", "L101")
async def test_yes_and_no_by_voice(tmp_path: Path) -> None:
    """A doubtful yes stands for nothing; neither stands for the other; the question is the player's alone."""
    async with played(tmp_path, mode=Mode.RELAY, black=SeatKind.TACTILE) as game:
        before = len(game.ears["black"].received)
        await game.speak("white", "ich gebe auf")
        assert game.ears["white"].of(msg.Question)[-1].ask == "resign"
        await game.told()  # a question that is answered before it sounds is not told
        assert "Geben Sie auf? Ja oder nein." in [one.text for one in game.ears["white"].sounds]
        await game.speak("white", "~ja")
        assert game.table.state.ending.resigned is None and game.table.state.ending.pending
        await game.speak("white", "nein")
        assert not game.table.state.ending.pending
        await game.speak("white", "ja")
        assert game.table.state.ending.resigned is None
        assert len(game.ears["black"].received) == before
        await game.speak("white", "~Remisangebot")
        assert game.table.state.draws.offer_by is None
        await game.speak("white", "ja")
        assert game.table.state.draws.offer_by is Seat.WHITE
        assert [one.own for one in game.ears["black"].of(msg.DrawOffer)] == [False]
        await game.speak("white", "ich gebe auf")
        await game.type("white", "ja")
        assert game.table.state.ending.resigned is Seat.WHITE


@pytest.mark.law("L064")
async def test_the_flag_is_claimed_by_one_word_of_the_player_or_of_an_assistant_with_that_duty(tmp_path: Path) -> None:
    for claimant, station in (
        ("black", Station("black", Role.PLAYER, Seat.BLACK)),
        ("black", Station("helper", Role.ASSISTANT, Seat.BLACK, (Duty.ANNOUNCE, Duty.CLAIM_AND_REPORT))),
    ):
        stations = (*STATIONS[:3], station) if station.id == "helper" else STATIONS[:3]
        async with played(tmp_path / station.id, control="60", black=SeatKind.TACTILE, stations=stations) as game:
            await game.pass_time(61_000)
            await game.speak(station.id, "Blättchenfall")
            if station.role is Role.PLAYER:
                await game.speak(station.id, "ja")
            events = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
            (claimed,) = [one for one in events if isinstance(one, ev.TimeClaimed)]
            assert claimed.seat.value == claimant and game.table.state.time.clock.running is None


async def test_an_assistant_without_that_duty_claims_nothing(tmp_path: Path) -> None:
    helper = Station("helper", Role.ASSISTANT, Seat.BLACK, (Duty.ANNOUNCE,))
    async with played(tmp_path, control="60", stations=(*STATIONS[:3], helper)) as game:
        await game.pass_time(61_000)
        for word in ("Blättchenfall", "ich gebe auf", "Remisreklamation", "Remisangebot"):
            await game.speak("helper", word)
        assert game.table.state.time.clock.running is not None and not game.table.state.ending.pending
        assert game.table.state.draws.claim is None and game.table.state.draws.offer_by is None


@pytest.mark.law("L101", "L047")
@pytest.mark.parametrize(("language", "yes", "no"), [("de", "ja", "nein"), ("en", "yes", "no"), ("hu", "igen", "nem")])
async def test_an_open_offer_is_answered_by_yes_and_no_in_the_players_language(
    tmp_path: Path, language: str, yes: str, no: str
) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE, language=language) as game:
        for seat in ("white", "black"):
            await game.done(seat, cmd.Say(announcement=Announcement(to_square="e4" if seat == "white" else "e5")))
            await game.press(seat)
        await game.done("black", cmd.OfferDraw())
        await game.speak("white", no)
        assert game.table.state.draws.offer_by is None and not game.table.state.over
        await game.done("black", cmd.OfferDraw())
        await game.speak("white", f"~{yes}")
        assert not game.table.state.ending.pending, "a doubtful yes stands for nothing"
        await game.speak("white", yes)
        assert [one.ask for one in game.ears["white"].of(msg.Question)] == ["draw_accept"]
        await game.speak("white", yes)
        assert game.table.state.ending.result == "1/2-1/2"


@pytest.mark.law("L101", "L047")
@pytest.mark.parametrize("word", ["ja", "angenommen", "yes", "accept"])
async def test_a_typed_acceptance_is_asked_about_once(tmp_path: Path, word: str) -> None:
    language = "en" if word in ("yes", "accept") else "de"
    async with played(tmp_path, black=SeatKind.TACTILE, language=language) as game:
        for seat in ("white", "black"):
            await game.done(seat, cmd.Say(announcement=Announcement(to_square="e4" if seat == "white" else "e5")))
            await game.press(seat)
        await game.done("black", cmd.OfferDraw())
        await game.type("white", word)
        assert not game.table.state.over
        await game.type("white", "yes" if language == "en" else "ja")
        assert game.table.state.ending.result == "1/2-1/2"


async def test_a_client_cannot_say_that_its_yes_was_typed(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        for seat in ("white", "black"):
            await game.done(seat, cmd.Say(announcement=Announcement(to_square="e4" if seat == "white" else "e5")))
            await game.press(seat)
        await game.done("black", cmd.OfferDraw())
        await game.done("white", cmd.Confirm(yes=True, typed=True))
        assert not game.table.state.over and game.table.state.ending.pending_of(Seat.WHITE) is not None
