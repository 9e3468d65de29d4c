"""Where a sound was one of two squares, or left a part open, its player is asked for that alone.

Nothing is recorded before the answer, which is put to the rest by words alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.laws.event_options import EventOptions
from server.game.values.words import Mode, SeatKind
from server.game.views import messages as msg
from server.protocol import SealedWords
from server.voice.listener import UtteranceSound
from server.voice.repeats import WITHIN_MS
from speech.announcements.understand import understand, words_of_text
from speech.hearing.hearing import Verdict
from speech.recognisers.recogniser import Hypotheses, Hypothesis, WordHeard
from speech.words.scheme import Scheme
from tests.table.open_hall import Played, WrittenEars, heard_words, played

OPEN = "b vier/d vier"
ASKED = "Bella vier oder David vier?"
POSITIONS = {
    "both are legal": "4k3/8/8/8/8/8/1P1P4/4K3 w - - 0 1",
    "b4 alone": "4k3/8/8/8/8/8/1P6/4K3 w - - 0 1",
    "d4 alone": "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1",
    "neither": "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
}


def questions(game: Played, station: str = "white") -> list[str]:
    return [one.text or one.ask for one in game.ears[station].of(msg.Question)]


def recorded(game: Played) -> list[str]:
    """What is on record of White's words: each announcement, and "?" for a sound that gave none."""
    events = [one.event for one in game.ears["arbiter"].of(msg.Recorded)]
    return [
        one.text if isinstance(one, ev.Announced) else "?"
        for one in events
        if isinstance(one, ev.Announced | ev.NotUnderstood) and one.seat == "white"
    ]


async def said(folder: Path, *sounds: str, **options: Any) -> tuple[list[str], list[str]]:
    async with played(folder, black=SeatKind.TACTILE, **options) as game:
        for sound in sounds:
            await game.speak("white", sound)
            await game.pass_time(2_000)
        await game.told()
        assert game.ears["black"].of(msg.Question) == []
        return recorded(game), questions(game)


@pytest.mark.law("L184")
@pytest.mark.parametrize(
    ("sounds", "on_record", "asked"),
    [
        ((OPEN,), ["?"], [ASKED]),
        ((OPEN, "David vier"), ["?", "David vier"], [ASKED]),
        ((OPEN, "~Dora vier"), ["?", "David vier"], [ASKED]),
        ((OPEN, "Anna drei"), ["?", "Anna drei"], [ASKED]),  # something else that is beyond doubt
        ((OPEN, "~Anna drei"), ["?", "?"], [ASKED, "repeat"]),
        ((OPEN, OPEN), ["?", "Bella vier"], [ASKED]),  # asked once; then as without the question
        ((OPEN, "?", OPEN), ["?", "?", "?"], [ASKED, "repeat", ASKED]),
        ((OPEN, "-", "noch einmal", "Bella vier"), ["?", "Bella vier"], [ASKED]),
        ((OPEN, "nein"), ["?", "?"], [ASKED, "repeat"]),  # neither
        ((OPEN, "ja"), ["?", "?"], [ASKED, "repeat"]),
        (
            ("Springer b drei/Springer d drei", "David drei"),
            ["?", "Springer David drei"],
            ["Springer Bella drei oder Springer David drei?"],
        ),
    ],
)
async def test_the_player_names_one_of_the_two(
    tmp_path: Path, sounds: Sequence[str], on_record: list[str], asked: list[str]
) -> None:
    assert await said(tmp_path, *sounds) == (on_record, asked)


@pytest.mark.law("L049", "L184")
@pytest.mark.parametrize(
    ("answer", "on_record", "asked_again"),
    [("David drei", ["?", "Springer David drei"], []), ("nein", ["?", "?"], ["repeat"])],
)
async def test_who_presses_before_the_question_comes_answers_it_as_ever(
    tmp_path: Path, answer: str, on_record: list[str], asked_again: list[str]
) -> None:
    """The square alone is no pawn's move then, and a no is no answer to the opponent's offer."""
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.speak("white", "Springer b drei/Springer d drei")
        await game.press("white")
        await game.done("black", cmd.OfferDraw())
        await game.speak("white", answer)
        await game.told()
        assert recorded(game) == on_record
        assert questions(game) == ["Springer Bella drei oder Springer David drei?", *asked_again]
        assert game.table.state.draws.offer_by is not None and game.table.state.on_move == "black"


@pytest.mark.law("L184")
async def test_once_the_opponent_has_moved_the_question_is_over(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.speak("white", OPEN)
        await game.press("white")
        await game.type("black", "David sechs", "announce")
        await game.press("black")
        await game.speak("white", "David vier")
        record = game.table.state.ply(1)
        assert record is not None and record.announcement is None


@pytest.mark.law("L182", "L184", "L193")
async def test_which_of_two_an_echo_was_may_be_answered_after_the_opponents_press(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.speak("white", "Springer David drei")
        await game.speak("black", "Springer b drei/Springer d drei")
        await game.press("white")
        await game.speak("black", "David drei")
        record = game.table.state.ply(1)
        assert record is not None and record.echo_agrees
        assert [one.text for one in game.ears["black"].of(msg.ScoreLine)] == ["Springer David drei"]


@pytest.mark.law("L080", "L141")
@pytest.mark.parametrize("mode", [Mode.TABLE, Mode.RELAY])
async def test_the_same_sounds_give_the_same_bytes_in_every_position(tmp_path: Path, mode: Mode) -> None:
    heard: list[list[bytes]] = []
    for number, fen in enumerate(POSITIONS.values()):
        async with played(tmp_path / str(number), fen=fen, mode=mode, black=SeatKind.TACTILE) as game:
            for sound in (OPEN, "Springer b drei/Springer d drei", "Bella drei"):
                await game.speak("white", sound)
                await game.put_into_sound()
            await game.told()
            heard.append([one for one in game.ears["white"].as_bytes() if b'"before"' not in one])
    assert len(heard[0]) > 3 and ASKED.encode() in b"".join(heard[0])
    assert all(one == heard[0] for one in heard)


async def test_nobody_is_asked_in_time_trouble_or_where_the_program_is_only_a_clock(tmp_path: Path) -> None:
    """Then it is as without the question."""
    assert await said(tmp_path / "a", OPEN, control="59+0") == (["Bella vier"], [])
    assert await said(tmp_path / "b", OPEN, mode=Mode.CLOCK) == (["Bella vier"], [])


async def test_a_no_to_the_question_is_no_answer_to_the_opponents_offer(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.speak("white", "Eva vier")
        await game.done("white", cmd.OfferDraw())
        await game.press("white")
        await game.speak("black", OPEN)
        await game.speak("black", "nein")
        await game.told()
        assert questions(game, "black") == [ASKED, "repeat"]
        assert game.table.state.draws.offer_by is not None, "the offer stands until a move or an answer"


@pytest.mark.law("L104")
async def test_a_claimant_is_not_asked_for_their_words_go_to_the_arbiter_alone(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.done("white", cmd.ClaimDraw(kind="unstated", awaits=True))
        await game.speak("white", OPEN)
        await game.told()
        assert ASKED not in questions(game)


async def test_it_may_be_answered_at_the_keys_as_everything_may(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE) as game:
        await game.speak("white", OPEN)
        assert (await game.type("white", "d4")).outcome.ok
        await game.told()
        assert recorded(game) == ["?", "David vier"]


class PartEars(WrittenEars):
    """Ears that ask about what is no whole announcement, as the real ones do; "?" among words is one not understood.

    "+" stands between what two ears heard, the better one first.
    """

    async def verdict_on(self, pcm: bytes, scheme: Scheme) -> Verdict:
        text = pcm.decode("utf-16-le").strip("\0")
        if (text[:1] in "-?~" and not text.startswith("? ")) or "/" in text:
            return await super().verdict_on(pcm, scheme)
        chains = []
        for one in text.split("+"):
            parts = [words_of_text(part, scheme) if part != "?" else ("?",) for part in one.split()]
            chains.append(tuple(word for part in parts for word in part))
        found = [(Hypothesis(tuple(WordHeard(word, 0.9) for word in chain), 0.0),) for chain in chains]
        heard = understand(chains[0])
        verdict = heard_words(heard, "accept" if heard.kind != "none" else "repeat", heard.words)
        ears = tuple(Hypotheses(name, one) for name, one in zip(("own", "whisper"), found, strict=False))
        return msgspec.structs.replace(verdict, hypotheses=found[0], found=ears, confidence=0.9)


@pytest.mark.law("L183", "L184")
@pytest.mark.parametrize(
    ("sounds", "on_record", "asked"),
    [
        (("Springer", "Felix drei"), ["?", "Springer Felix drei"], ["to"]),
        (("Springer", "~Felix drei"), ["?", "Springer Felix drei"], ["to"]),
        (("Springer Gustav eins", "Zeit", "Felix drei"), ["Springer Gustav eins", "Felix drei"], []),
        (("Springer Felix", "Zeit", "Gustav acht"), ["?", "Springer Gustav acht"], ["to"]),
        (("Gustav acht", "-", "Dame"), ["?", "?", "Gustav acht Dame"], ["promotion", "repeat"]),
        (("Springer Gustav ? Felix drei", "Gustav eins"), ["?", "Springer Gustav eins Felix drei"], ["from"]),
        (("? Felix drei", "Springer"), ["?", "Springer Felix drei"], ["piece"]),
        (("Gustav acht", "Dame"), ["?", "Gustav acht Dame"], ["promotion"]),
        (("Gustav acht", "König", "Dame"), ["?", "?", "Gustav acht Dame"], ["promotion"] * 2),
        (("Bauer", "Gustav acht", "Dame"), ["?", "?", "Bauer Gustav acht Dame"], ["to", "promotion"]),
        (("Springer", "? drei", "Felix drei"), ["?", "?", "Springer Felix drei"], ["to", "to"]),
        (("Springer", "?", "Felix drei"), ["?", "?", "Springer Felix drei"], ["to", "repeat"]),
        (("Gustav acht", "Dame+Turm", "Dame"), ["?", "?", "Gustav acht Dame"], ["promotion"] * 2),
        (("Springer", "Läufer Felix drei"), ["?", "Laeufer Felix drei"], ["to"]),
        (("Springer", "Läufer", "Felix drei"), ["?", "?", "Laeufer Felix drei"], ["to", "to"]),
        (
            ("Springer", OPEN, "David vier"),
            ["?", "?", "Springer David vier"],
            ["to", "Springer Bella vier oder Springer David vier?"],
        ),
    ],
)
async def test_a_square_or_a_piece_alone_is_put_where_the_words_left_it_open(
    tmp_path: Path, sounds: Sequence[str], on_record: list[str], asked: list[str]
) -> None:
    assert await said(tmp_path, *sounds, ears=PartEars()) == (on_record, asked)


@pytest.mark.law("L184", "L193")
async def test_what_came_of_two_sounds_is_read_back_and_weighed_as_the_whole(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE, ears=PartEars()) as game:
        await game.speak("white", "Springer")
        await game.speak("white", "Felix drei")
        await game.told()
        understood = game.ears["white"].of(msg.Understood)[-1]
        assert understood.doubtful and "Springer Felix drei" in [one.text for one in game.ears["white"].sounds]
        (announced,) = [
            one.event for one in game.ears["arbiter"].of(msg.Recorded) if isinstance(one.event, ev.Announced)
        ]
        likeliest = min(announced.speech.candidates, key=lambda way: way.cost)
        assert likeliest.announcement.piece == "knight" and likeliest.announcement.to_square == "f3"
        await game.press("white")
        record = game.table.state.ply(1)
        assert record is not None and record.completed and record.announcement == announced.announcement
        assert [one.text for one in game.ears["white"].of(msg.ScoreLine)] == ["Springer Felix drei"]


@pytest.mark.law("L182", "L184")
async def test_the_part_of_an_echo_belongs_to_the_echo(tmp_path: Path) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE, ears=PartEars()) as game:
        await game.speak("white", "Springer Felix drei")
        await game.press("white")
        await game.speak("black", "Springer")
        await game.speak("black", "Felix drei")
        record = game.table.state.ply(1)
        assert record is not None and record.echo_agrees and game.table.state.ply(2) is None


@pytest.mark.law("L182", "L184", "L193")
async def test_the_part_of_an_echo_may_be_answered_after_the_opponents_press(tmp_path: Path) -> None:
    """White presses as soon as Black repeats the move, and Black is asked about the square meanwhile."""
    async with played(tmp_path, black=SeatKind.TACTILE, ears=PartEars()) as game:
        await game.speak("white", "Springer Felix drei")
        await game.speak("black", "Springer")
        await game.press("white")
        await game.speak("black", "Felix drei")
        record = game.table.state.ply(1)
        assert record is not None and record.echo_agrees and game.table.state.ply(2) is None
        assert [one.text for one in game.ears["black"].of(msg.ScoreLine)] == ["Springer Felix drei"]


@pytest.mark.law("L184")
@pytest.mark.parametrize(
    ("between", "on_record", "asked"),
    [
        ("half a minute", ["?", "Felix drei"], ["to"]),
        ("typed", ["?", "Eva vier", "Felix drei"], ["to"]),
        ("the own press", ["?", "?", "Springer Felix drei"], ["to", "repeat"]),
        ("the opponent's press", ["?", "Felix drei"], ["to"]),
        ("a claim", ["?"], ["to", "intended"]),
    ],
)
async def test_the_question_about_a_part_is_over(
    tmp_path: Path, between: str, on_record: list[str], asked: list[str]
) -> None:
    """After the own press a bare square may be an echo, so that all of it is asked for, once."""
    async with played(tmp_path, black=SeatKind.TACTILE, ears=PartEars()) as game:
        await game.speak("white", "Springer")
        if between == "half a minute":
            await game.pass_time(WITHIN_MS + 1_000)
        elif between == "typed":
            assert (await game.type("white", "e4")).outcome.ok
        elif between == "a claim":
            await game.done("white", cmd.ClaimDraw(kind="unstated", awaits=True))
        else:
            await game.press("white")
        if between == "the opponent's press":
            await game.type("black", "e5", "announce")
            await game.press("black")
            await game.type("white", "e5", "echo")
        await game.speak("white", "Felix drei")
        await game.speak("white", "Springer Felix drei" if between == "the own press" else "Zeit")
        await game.told()
        assert (recorded(game), questions(game)[: len(asked)]) == (on_record, asked)
        assert between == "a claim" or len(questions(game)) == len(asked)


@pytest.mark.law("L182", "L184")
@pytest.mark.parametrize("asked", ["sounding", "waiting", "of an echo"])
async def test_a_question_that_another_voice_cut_off_is_not_asked_again_once_it_is_answered(
    tmp_path: Path, asked: str
) -> None:
    """The answer to it would then be a move of its own, which takes the place of the one that was announced."""
    async with played(tmp_path, black=SeatKind.TACTILE, ears=PartEars()) as game:
        seat, other, teller = "white", "black", game.table.teller
        if asked == "of an echo":
            await game.speak("white", "Springer Felix drei")
            seat, other = "black", "white"
        await game.told()
        if asked == "waiting":
            teller.voice_began(other)
        before = len(game.ears[seat].sounds)
        await game.speak(seat, "Springer")
        await game.put_into_sound()
        teller.voice_began(other)
        assert (await game.type(seat, "Springer Felix drei")).outcome.ok
        teller.voice_ended(other)
        await game.told()
        record = game.table.state.ply(1)
        assert record is not None and record.announcement is not None and (seat == "white" or record.echo_agrees)
        heard = [one.text for one in game.ears[seat].sounds[before:]]
        assert [one for one in heard if one.endswith("?")] == ["Auf welches Feld?"] * (asked != "waiting")


@pytest.mark.law("L208")
@pytest.mark.parametrize("sounds", [("Springer", "Felix drei"), ("Gustav acht", "Dame")])
async def test_while_a_move_is_sealed_no_words_are_kept_for_an_answer_and_all_of_it_is_asked_for(
    tmp_path: Path, sounds: Sequence[str]
) -> None:
    async with played(tmp_path, ears=PartEars(), regulations=EventOptions(guidelines=("I",))) as game:
        await game.done("arbiter", cmd.OrderSeal())
        for sound in (*sounds, "Springer Felix drei"):
            await game.speak("white", sound)
            assert all(not one.words for one in game.table.listener._parts._parts.values())
        told = [one for one in game.ears["white"].received if isinstance(one, SealedWords)]
        assert [one.ask for one in told] == ["to" if sounds[0] == "Springer" else "promotion", "repeat", None]
        assert told[-1].text == "Springer Felix drei"


@pytest.mark.law("L184")
@pytest.mark.parametrize(
    ("sounds", "on_record", "asked"),
    [
        (("Springer", "-", "Felix drei"), ["?", "Springer Felix drei"], ["to"]),
        (("Gustav acht", "Dame", "Gustav acht Dame"), ["?", "?", "Gustav acht Dame"], ["promotion", "repeat"]),
    ],
)
async def test_where_no_key_was_pressed_a_lone_piece_is_not_beyond_doubt(
    tmp_path: Path, sounds: Sequence[str], on_record: list[str], asked: list[str]
) -> None:
    async with played(tmp_path, black=SeatKind.TACTILE, ears=PartEars()) as game:
        for number, sound in enumerate(sounds):
            pcm = sound.encode("utf-16-le")
            spoken = UtteranceSound(pcm, pcm, by_voice=True)
            await game.table.hear("white", 70 + number, spoken, game.clock.mono_ms())
            await game.told()
        assert (recorded(game), questions(game)) == (on_record, asked)


@pytest.mark.law("L080", "L141")
@pytest.mark.parametrize("mode", [Mode.TABLE, Mode.RELAY])
async def test_the_same_parts_give_the_same_bytes_in_every_position(tmp_path: Path, mode: Mode) -> None:
    heard: list[list[bytes]] = []
    for number, fen in enumerate(POSITIONS.values()):
        async with played(tmp_path / str(number), fen=fen, mode=mode, black=SeatKind.TACTILE, ears=PartEars()) as game:
            for sound in ("Springer", "Bella vier", "Gustav acht", "Dame", "Turm ? David vier", "Hector eins"):
                await game.speak("white", sound)
                await game.put_into_sound()
            await game.told()
            heard.append([one for one in game.ears["white"].as_bytes() if b'"before"' not in one])
    assert b"Springer Bella vier" in b"".join(heard[0]) and all(one == heard[0] for one in heard)


async def test_in_time_trouble_nothing_is_asked_and_nothing_put_together(tmp_path: Path) -> None:
    assert await said(tmp_path, "Springer", "Felix drei", ears=PartEars(), control="59+0") == (["?", "Felix drei"], [])
