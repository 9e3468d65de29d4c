"""Sealing at the table's edge: who has the disk has nothing of the sealed move; the arbiter's code opens it."""

from __future__ import annotations

import base64
import logging
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Command
from server.game.laws.event_options import EventOptions
from server.game.values.adjournment import SealedMove
from server.game.values.announcement import Announcement
from server.game.values.words import Duty, Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.machine.clock import ScriptedClock
from server.protocol import SealCode, SealedWords
from server.table import sealing
from server.table.evidence.evidence import EvidenceChanged
from server.wording.words import scheme_of
from speech.audio.flac import decode_flac, encode_flac
from speech.audio.sound import Sound
from speech.complaint import Complaint
from tests.table.open_hall import STATIONS, Ear, Played, WrittenVoice, played, reopened

WITH_I = EventOptions(guidelines=("I",))
HELPER = Station("helper", Role.ASSISTANT, Seat.WHITE, (Duty.ADJOURN,))
TRACES = [
    *(b"Springer", b"Felix", b"Hector", b'"h3"', b"g1h3", b"Knight", b"knight", b"file.h", b"rank.3"),
    b'"to_square"',
]


class TellingVoice(WrittenVoice):
    """A voice that notes what it was asked to keep to itself; its sound is its text."""

    def __init__(self) -> None:
        self.secret: list[str] = []
        self.kept: list[str] = []

    async def render(self, segments: Any, manner: Any = None, *, keep: bool = True) -> Sound:
        text = " ".join(segment.text for segment in segments)
        (self.kept if keep else self.secret).append(text)
        return Sound(text.encode("utf-16-le"), 16_000)


def sealed_words(ear: Ear) -> list[SealedWords]:
    return [one for one in ear.received if isinstance(one, SealedWords)]


async def ordered(game: Played) -> SealCode:
    await game.done("arbiter", cmd.OrderSeal())
    (code,) = [one for one in game.ears["arbiter"].received if isinstance(one, SealCode)]
    return code


def every_byte(folder: Path) -> list[tuple[Path, bytes]]:
    """Every file with what is in it; the space kept back, 32 MB of zeros, is not looked through each time."""
    found = [(path, path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file()]
    return [(path, data) for path, data in found if data.strip(b"\0")]


def forms(trace: bytes) -> tuple[bytes, ...]:
    return trace, base64.b64encode(trace), trace.decode().encode("utf-16-le")


def counted(folder: Path, traces: list[bytes]) -> dict[bytes, int]:
    """How often each trace lies in the folder, in any of its forms."""
    files = every_byte(folder)
    return {form: sum(data.count(form) for _, data in files) for trace in traces for form in forms(trace)}


def nothing_of(folder: Path, traces: list[bytes], before: dict[bytes, int]) -> None:
    """No trace lies anywhere in the folder that did not lie there before the seal."""
    found = [
        (path.name, form)
        for path, data in every_byte(folder)
        for trace in traces
        for form in forms(trace)
        if data.count(form) > before.get(form, 0)
    ]
    assert not found


def told_again(game: Played) -> dict[str, bytes]:
    """Everything that each station would be told on coming back."""
    told = {}
    for station in ("white", "black", "arbiter", "display"):
        again = Ear()
        game.table.attach(station, 0, again).close()
        told[station] = msgspec.json.encode(again.received)
    return told


@pytest.mark.law("L208", "L211")
@pytest.mark.parametrize("way", ["spoken", "typed", "entered", "by command"])
async def test_who_has_the_disk_has_nothing(tmp_path: Path, way: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    folder = tmp_path / "data"
    voice = TellingVoice()
    async with played(folder, voice=voice, regulations=WITH_I) as game:
        await game.told()
        before, told_before = counted(folder, TRACES), told_again(game)
        code = await ordered(game)
        assert game.ears["white"].of(msg.AdjournmentShown)[0] == msg.AdjournmentShown(stage="ordered", own=True)
        match way:
            case "spoken":
                await game.speak("white", "Springer Hector drei")
            case "typed":
                assert (await game.type("white", "Springer Hector drei")).outcome.ok
            case "entered":
                await game.done("white", cmd.EnterMove(uci="g1h3"))
            case _:
                await game.done("white", cmd.SealMove(announcement=Announcement("knight", None, "h3")))
        await game.told()
        (heard,) = sealed_words(game.ears["white"])
        said = "Gustav eins Hector drei" if way == "entered" else "Springer Hector drei"
        assert heard.text == said and heard.understood
        assert len(voice.secret) == 1 and not any("Springer" in text or "ector" in text for text in voice.kept)
        assert game.ears["white"].sounds[-1].text == said, "said back into White's own ear"
        assert not sealed_words(game.ears["arbiter"]) and not sealed_words(game.ears["black"])
        assert game.table.state.time.clock.running is Seat.WHITE
        await game.press("white")
        assert game.table.state.time.clock.running is None
        state = game.table.state
        assert state.made_plies == 0 and state.scores.white == ()
        nothing_of(folder, TRACES, before)
        nothing_of(folder, [square.encode() for square in (" ".join(code.squares), code.words)], {})
        for path, data in every_byte(folder):
            for sound in ("Springer Hector drei", *voice.secret):
                flac = encode_flac(Sound(sound.encode("utf-16-le"), 16_000))
                assert sound.encode("utf-16-le") not in data and flac not in data and flac[-16:] not in data, path
        for station, everything in told_again(game).items():
            more = [trace for trace in TRACES if everything.count(trace) > told_before[station].count(trace)]
            assert not more, station
    nothing_of(folder, TRACES, before)
    assert not any(word in caplog.text for word in ("Springer", "Hector", "g1h3", code.squares[0] + " "))
    async with reopened(folder, ScriptedClock(mono_ms=7)) as (hall, _clock):
        assert hall.tables["t1"].state == state, "adjourned, the state replays the same"
        again = Ear()
        hall.tables["t1"].attach("white", 0, again)
        assert not sealed_words(again)


@pytest.mark.law("L211", "L216", "L217")
async def test_the_arbiters_code_opens_it_and_they_may_hear_the_sound(tmp_path: Path) -> None:
    async with played(tmp_path, voice=TellingVoice(), regulations=WITH_I) as game:
        code = await ordered(game)
        await game.speak("white", "Springer Hector drei")
        await game.speak("white", "Springer Felix drei")  # until the clock is stopped White may change it
        await game.press("white")
        utterance = game.table.state.adjournment.utterance  # type: ignore[union-attr]
        assert utterance is not None and await game.hall.evidence.read("t1", utterance) is None
        open_it = cmd.OpenEnvelope(code=code.words)
        assert (await game.do("arbiter", open_it)).outcome.code == "replier_absent"
        await game.done("arbiter", cmd.MarkPresent(seat=Seat.BLACK))
        wrong = cmd.OpenEnvelope(code=" ".join(reversed(code.squares)))
        assert (await game.do("arbiter", wrong)).outcome.code == "wrong_seal_code"
        forged = cmd.OpenEnvelope(code="", content=SealedMove(uci="e2e4"))
        assert (await game.do("arbiter", forged)).outcome.code == "wrong_seal_code", "nothing is believed from a client"
        await game.done("arbiter", open_it)
        await game.told()
        state = game.table.state
        assert state.moves.line == ("g1f3",) and state.time.clock.running is Seat.BLACK
        assert state.moves.plies[0].text == "Springer Felix drei" and state.scores.white[0] is not None
        flac = await game.hall.evidence.read("t1", utterance)
        assert flac is not None and decode_flac(flac).pcm == "Springer Felix drei".encode("utf-16-le")
        (offered,) = game.ears["arbiter"].sounds
        sound = game.table.teller.sounds.find("arbiter", offered.id)
        assert sound is not None and sound.pcm == "Springer Felix drei".encode("utf-16-le")
        assert game.table.teller.sounds.find("black", offered.id) is None
        first = list((tmp_path / "audio" / "t1").glob("white-*.flac"))
        assert len(first) == 1, "what was not sealed in the end stays sealed"


@pytest.mark.law("L194", "L211")
@pytest.mark.parametrize("change", ["sealed anew", "planted before", "swapped after"])
async def test_another_sound_in_the_envelope_is_heard_by_nobody(tmp_path: Path, change: str) -> None:
    async with played(tmp_path, voice=TellingVoice(), regulations=WITH_I) as game:
        code = await ordered(game)
        await game.speak("white", "Springer Felix drei")
        await game.press("white")
        adjournment, evidence = game.table.state.adjournment, game.hall.evidence
        assert adjournment is not None and adjournment.utterance is not None
        name, folder = adjournment.utterance, tmp_path / "audio" / "t1"
        other = encode_flac(Sound("Springer Hector drei".encode("utf-16-le"), 16_000))
        if change == "sealed anew":  # the key is on record, and anybody can seal with it
            box = sealing.seal(other, adjournment.key, about=f"t1/{name}", multiple=sealing.SOUND_BYTES)
            (folder / f"{name}.sealed").write_bytes(box)
        if change == "planted before":
            (folder / f"{name}.flac").write_bytes(other)
            with pytest.raises(EvidenceChanged):
                await evidence.read("t1", name)
        await game.done("arbiter", cmd.MarkPresent(seat=Seat.BLACK))
        await game.done("arbiter", cmd.OpenEnvelope(code=code.words))
        await game.told()
        assert len(game.ears["arbiter"].sounds) == (0 if change == "sealed anew" else 1)
        if change == "swapped after":
            flac = await evidence.read("t1", name)
            assert flac is not None and decode_flac(flac).pcm == "Springer Felix drei".encode("utf-16-le")
            (folder / f"{name}.flac").write_bytes(other)
        if change == "sealed anew":
            assert await evidence.read("t1", name) is None
            return
        with pytest.raises(EvidenceChanged):
            await evidence.read("t1", name)


@pytest.mark.law("L208")
async def test_a_sound_that_was_not_for_us_says_nothing_while_a_move_is_to_be_sealed(tmp_path: Path) -> None:
    async with played(tmp_path, regulations=WITH_I) as game:
        await game.speak("white", "-")
        await ordered(game)
        await game.speak("white", "-")
        await game.told()
        told = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
        assert len([one for one in told if isinstance(one, ev.SoundKept)]) == 2
        assert len([one for one in told if isinstance(one, ev.SetAside)]) == 1, (
            "what it may have been is the sealed move"
        )


@pytest.mark.law("L208")
async def test_the_code_is_shown_once_and_a_new_order_brings_a_new_one(tmp_path: Path) -> None:
    async with played(tmp_path, regulations=WITH_I) as game:
        first = await ordered(game)
        again = game.attach("arbiter")
        assert not [one for one in again.received if isinstance(one, SealCode)]
        second = await ordered(game)
        assert first.squares != second.squares and len(set(second.squares)) > 8 and len(second.squares) == 16
        assert (await game.do("white", cmd.StopSealed())).outcome.code == "nothing_sealed"
        await game.done("white", cmd.EnterMove(uci="d2d4"))
        await game.done("white", cmd.StopSealed())
        await game.done("arbiter", cmd.MarkPresent(seat=Seat.BLACK))
        assert (await game.do("arbiter", cmd.OpenEnvelope(code=first.words))).outcome.code == "wrong_seal_code"
        await game.done("arbiter", cmd.OpenEnvelope(code=" ".join(second.squares)))
        assert game.table.state.moves.line == ("d2d4",)


@pytest.mark.law("L208")
async def test_a_key_or_ciphertext_from_a_client_is_not_believed(tmp_path: Path) -> None:
    async with played(tmp_path, regulations=WITH_I) as game:
        await game.done("arbiter", cmd.OrderSeal(key="mine", salt="mine"))
        assert game.table.state.adjournment is not None and game.table.state.adjournment.key != "mine"
        assert (await game.do("white", cmd.SealMove(sealed="eA==", sha256="x"))).outcome.code == "no_announcement"
        assert (await game.do("black", cmd.SealMove(uci="e7e5"))).outcome.code == "not_your_envelope"


@pytest.mark.law("L208", "L216")
@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1",  # two knights can go to e2
        "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1",  # one can
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",  # none can
        "4k3/8/8/8/4r3/8/8/4K1N1 w - - 0 1",  # it must: a check stands
    ],
)
async def test_what_the_sealer_hears_depends_on_the_sound_alone(tmp_path: Path, fen: str) -> None:
    async with played(tmp_path, fen=fen, voice=TellingVoice(), regulations=WITH_I) as game:
        await ordered(game)
        heard = len(game.ears["white"].received)
        await game.speak("white", "Springer Eva zwei")
        await game.speak("white", "?from")
        await game.done("white", cmd.EnterMove(uci="a7a8"))  # which piece stands there is asked nowhere
        await game.told()
        told = [one for one in game.ears["white"].received[heard:] if isinstance(one, SealedWords)]
        assert [(one.text, one.understood, one.ask) for one in told] == [
            ("Springer Eva zwei", True, None),
            ("", False, "from"),
            ("Anna sieben Anna acht", True, None),
        ]


@pytest.mark.law("L205", "L208")
async def test_the_assistant_seals_and_both_hear_it_back(tmp_path: Path) -> None:
    async with played(tmp_path, regulations=WITH_I, stations=(*STATIONS, HELPER)) as game:
        await ordered(game)
        await game.done("helper", cmd.SealMove(uci="e2e4"))
        assert len(sealed_words(game.ears["helper"])) == len(sealed_words(game.ears["white"])) == 1
        assert not sealed_words(game.ears["black"])
        await game.done("helper", cmd.StopSealed())
        assert game.table.state.time.clock.running is None


@pytest.mark.law("L208")
async def test_a_sound_without_words_is_sealed_and_ruled_on_by_ear(tmp_path: Path) -> None:
    async with played(tmp_path, voice=TellingVoice(), regulations=WITH_I, black=SeatKind.TACTILE) as game:
        code = await ordered(game)
        await game.speak("white", "?")
        assert sealed_words(game.ears["white"])[0].ask == "repeat"
        await game.press("white")
        await game.done("arbiter", cmd.MarkPresent(seat=Seat.BLACK))
        await game.done("arbiter", cmd.OpenEnvelope(code=code.words))
        await game.told()
        assert len(game.ears["arbiter"].sounds) == 1, "the arbiter listens"
        assert game.table.state.made_plies == 0
        await game.done("arbiter", cmd.RuleSealed(lost=False, uci="e2e4", reason="clear by ear"))
        assert game.table.state.moves.line == ("e2e4",)


@pytest.mark.law("L208")
async def test_a_retry_of_the_same_command_is_answered_and_nothing_is_sealed_twice(tmp_path: Path) -> None:
    async with played(tmp_path, regulations=WITH_I) as game:
        await ordered(game)
        command = Command(id="a" * 32, table="t1", station="white", body=cmd.SealMove(uci="e2e4"))
        assert await game.table.submit(command) == await game.table.submit(command)
        envelopes = await game.hall.journal.read("t1")
        events = [msgspec.json.decode(one.body, type=ev.AnyEvent) for one in envelopes]
        assert sum(isinstance(event, ev.MoveSealed) for event in events) == 1


@settings(deadline=None)
@given(st.binary(max_size=5_000), st.integers(1, 4_096))
def test_a_box_opens_with_its_code_alone_and_only_where_it_belongs(plain: bytes, multiple: int) -> None:
    key, other = sealing.new_key(), sealing.new_key()
    box = sealing.seal(plain, key.key, about="t1/7", multiple=multiple)
    assert (len(box) - 32 - 16) % multiple == 0
    for code in (sealing.code_in_words(key.squares, scheme_of("d21", "en")), " ".join(key.squares)):
        private = sealing.private_key_of(code, key.key, key.salt)
        assert private is not None
        assert sealing.open_box(box, private, about="t1/7") == plain
        assert sealing.open_box(box, private, about="t2/7") is None
        assert sealing.open_box(box[:-1] + bytes([box[-1] ^ 1]), private, about="t1/7") is None
        assert sealing.open_box(box[:20], private, about="t1/7") is None
    assert sealing.private_key_of(" ".join(other.squares), key.key, key.salt) is None
    assert sealing.private_key_of("nonsense", key.key, key.salt) is None


@pytest.mark.parametrize("language", ["de", "en", "ar", "he", "hu", "hy"])
def test_a_code_is_taken_in_every_language(language: str) -> None:
    key = sealing.new_key()
    for scheme in ("d21", "national"):
        assert sealing.squares_in(sealing.code_in_words(key.squares, scheme_of(scheme, language))) == key.squares


def test_every_sealed_move_is_as_long_as_every_other() -> None:
    key = sealing.new_key()
    short, long = SealedMove(uci="e2e4"), SealedMove(uci="e2e4", words=("file.e",) * 20, text="Eva zwei " * 20)
    assert len({len(sealing.sealed_move(move, key.key, "t1/1")[0]) for move in (short, long)}) == 1


@pytest.mark.law("L183", "L208")
@pytest.mark.parametrize("keys", [True, False])
async def test_a_promotion_is_sealed_with_its_piece(tmp_path: Path, keys: bool) -> None:
    async with played(tmp_path, fen="7k/4P3/8/8/8/8/8/4K3 w - - 0 1", regulations=WITH_I) as game:
        await ordered(game)
        said = cmd.Say(announcement=Announcement(to_square="e8"))
        try:
            outcome = await game.do("white", said) if keys else await game.type("white", "Eva acht")
            told = outcome.text
        except Complaint as wrong:
            told = str(wrong)
        assert told.startswith("In welche Figur wird der Bauer umgewandelt")
        assert game.table.state.adjournment is not None and not game.table.state.adjournment.sealed
