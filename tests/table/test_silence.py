"""Silence: whatever reaches a player may depend on sound and form, never on the position (12.6, D.2.10.4, 11.3.1)."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import msgspec
import pytest

from server.game import acts as cmd
from server.game.acts import Command
from server.game.decide.decide import decide
from server.game.state.state import GameState
from server.game.values.time_control import TimeControl
from server.game.values.words import Duty, Mode, Role, Seat, SeatKind, SeatPlan, Station
from server.game.views import messages as msg
from server.protocol import Greeted, Numbered, ReadOut
from server.wording.aloud.spoken import spoken_message
from speech.audio.sound import Sound
from speech.voices.phrase_cache import PhraseCache
from speech.voices.pyttsx3_voice import Pyttsx3Voice
from speech.words.loading import load_scheme
from tests.game.core_table import altered
from tests.table.open_hall import STATIONS, Ear, Played, played

# "Springer Felix drei" and what it may be: each kind has the same side to move and the same words.
KNIGHT = {
    "legal": "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1",
    "no such piece": "4k3/8/8/8/8/8/8/4K1B1 w - - 0 1",
    "ambiguous": "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1",
    "pinned": "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1",
    "in check": "4k3/8/8/8/4r3/8/8/4K1N1 w - - 0 1",
    "takes a piece of its own side": "4k3/8/8/8/8/5P2/8/4K1N1 w - - 0 1",
    "takes the king": "8/8/8/8/8/5k2/8/4K1N1 w - - 0 1",
    "mates": "6nk/6pp/7N/8/8/5P2/8/4K1N1 w - - 0 1",
    "no kings": "8/8/8/8/8/8/8/6N1 w - - 0 1",
}
CASTLING = {
    "legal": "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "rights lost": "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
    "through check": "4kr2/8/8/8/8/8/8/4K2R w K - 0 1",
    "no rook": "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
}
PAWN = {
    "legal": "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "no en passant": "4k3/8/8/2PpP3/8/8/8/4K3 w - - 0 1",
    "nobody": "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
}
CASES = [
    pytest.param(KNIGHT, "Springer Felix drei", "Koenig Eva sieben", id="knight"),
    pytest.param(KNIGHT, "Springer Gustav eins Felix drei", "Dame Anna acht", id="departure said"),
    pytest.param(CASTLING, "Kurze Rochade", "Koenig Eva sieben", id="castling"),
    pytest.param(PAWN, "David sechs", "Koenig Eva sieben", id="pawn"),
]


async def a_move_and_a_half(folder: Path, fen: str, mode: Mode, words: str, reply: str) -> dict[str, list[bytes]]:
    """Spoken, not understood once, corrected, pressed, echoed, replied to: everything that reached each station."""
    async with played(folder, fen=fen, mode=mode, black=SeatKind.TACTILE) as game:
        acts: tuple[Callable[[], Awaitable[object]], ...] = (
            lambda: game.pass_time(4_000),
            lambda: game.speak("white", "?"),
            lambda: game.speak("white", "?from"),
            lambda: game.speak("white", "Bauer b vier/Bauer f vier"),  # asked which
            lambda: game.speak("white", "Bauer Anna vier"),
            lambda: game.speak("white", words),
            lambda: game.speak("white", words),
            lambda: game.pass_time(2_000),
            lambda: game.press("white"),
            lambda: game.speak("white", words),  # asked to repeat it
            lambda: game.speak("black", words),
            lambda: game.do("black", cmd.Execute()),
            lambda: game.speak("black", reply),
            lambda: game.press("black"),
            lambda: game.do("white", cmd.Ask(what="last")),
            lambda: game.type("white", "wiederholen"),
        )
        for act in acts:
            await act()
            await game.put_into_sound()  # what an ear takes next is the acts' doing, not the disk's
        await game.told()
        return {station: ear.as_bytes() for station, ear in game.ears.items()}


@pytest.mark.law("L080", "L141")
@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(("positions", "words", "reply"), CASES)
async def test_the_same_sounds_give_the_same_bytes_in_every_position(
    tmp_path: Path, mode: Mode, positions: dict[str, str], words: str, reply: str
) -> None:
    heard = {
        name: await a_move_and_a_half(tmp_path / str(number), fen, mode, words, reply)
        for number, (name, fen) in enumerate(positions.items())
    }
    legal = heard["legal"]
    assert len(legal["white"]) > 10 and len(legal["black"]) > 3
    for name, received in heard.items():
        assert received["white"] == legal["white"], name
        assert received["black"] == legal["black"], name
    assert any(received["arbiter"] != legal["arbiter"] for received in heard.values()), (
        "the arbiter sees the difference"
    )


# What is said at a table for training, and what training asks about it, by the position alone.
TRAINED = [
    ("legal", None, (), ""),
    ("ambiguous", "which", ("d2", "g1"), "Springer von David oder von Gustav?"),
    ("no such piece", "illegal", (), "Kein regelgemäßer Zug passt dazu."),
    ("pinned", "illegal", (), "Kein regelgemäßer Zug passt dazu."),
    ("takes a piece of its own side", "illegal", (), "Kein regelgemäßer Zug passt dazu."),
]


@pytest.mark.law("L141")
@pytest.mark.parametrize(("name", "ask", "choices", "told"), TRAINED)
async def test_training_alone_asks_about_the_position_and_only_by_its_name(
    tmp_path: Path, name: str, ask: str | None, choices: tuple[str, ...], told: str
) -> None:
    async with played(tmp_path / "training", fen=KNIGHT[name], training=True, black=SeatKind.TACTILE) as game:
        await game.pass_time(4_000)
        await game.speak("white", "Springer Felix drei")
        await game.told()
        asked = game.ears["white"].of(msg.Question)
        assert [(one.ask, one.choices) for one in asked] == ([] if ask is None else [(ask, choices)])
        assert game.ears["black"].of(msg.Question) == []
        scheme = load_scheme("d21", "de")
        assert [spoken_message(one, scheme, read_back=False)[0] for one in asked] == ([told] if told else [])  # type: ignore[index]
    async with played(tmp_path / "rated", fen=KNIGHT[name], black=SeatKind.TACTILE) as game:
        await game.pass_time(4_000)
        await game.speak("white", "Springer Felix drei")
        await game.told()
        assert game.ears["white"].of(msg.Question) == []
        assert b"training_asked" not in b"".join(b"".join(ear.as_bytes()) for ear in game.ears.values())


async def test_a_rated_table_is_never_one_for_training(tmp_path: Path) -> None:
    body = cmd.OpenTable(
        white=SeatPlan(SeatKind.TACTILE),
        black=SeatPlan(SeatKind.SIGHTED),
        control=TimeControl.parse("900"),
        start_fen=chess.STARTING_FEN,
        training=True,
    )
    refused = decide(GameState(), Command(id="a" * 32, table="t", station=cmd.PROGRAM, body=body), 0)
    assert isinstance(refused, cmd.Refusal) and refused.code == "training_is_unrated"
    assert not altered(GameState(), {"table.training": True}).table.trains, (
        "even on a record that says both, rated wins"
    )


ENTRIES = {
    "legal": "4k3/8/8/8/8/8/3N4/4K3 w - - 0 1",
    "pinned": "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1",
    "in check": "4k3/8/8/8/4r3/8/3N4/4K3 w - - 0 1",
    "not so moved": "4k3/8/8/8/8/8/3N4/4K3 w - - 0 1",
}


@pytest.mark.law("L080", "L191")
@pytest.mark.parametrize("mode", list(Mode))
async def test_an_entry_is_answered_alike_whether_it_is_legal_or_not(tmp_path: Path, mode: Mode) -> None:
    seen: dict[str, dict[str, list[bytes]]] = {}
    for number, (name, fen) in enumerate(ENTRIES.items()):
        async with played(
            tmp_path / str(number), fen=fen, mode=mode, white=SeatKind.SIGHTED, black=SeatKind.TACTILE
        ) as game:
            await game.do("white", cmd.EnterMove(uci="d2f3"))
            await game.press("white")
            await game.told()
            seen[name] = {station: game.ears[station].as_bytes() for station in ("white", "black")}
            # A sighted player sees the player's own board, also on the player's page.
            own_board = rb'"(board|placement)":"[^"]*"|"before":\[[^]]*\]'
            seen[name]["white"] = [
                re.sub(rb'"before":"[^"]+"', b'"before":"the own board"', re.sub(own_board, b"", one))
                for one in seen[name]["white"]
            ]
    for name in ENTRIES:
        assert seen[name] == seen["legal"], name


async def test_an_entry_that_the_servers_board_cannot_follow_is_taken_without_a_word(tmp_path: Path) -> None:
    """Only the server may be wrong (G13): the player hears nothing of it, the arbiter does."""
    async with played(tmp_path, white=SeatKind.SIGHTED, mode=Mode.RELAY) as game:
        outcome = await game.do("white", cmd.EnterMove(uci="e4e5"))
        assert outcome.outcome.ok and outcome.text == ""
        assert game.ears["white"].of(msg.Understood)[-1].text == "Eva vier Eva fünf"
        assert b"board_not_followed" in b"".join(game.ears["arbiter"].as_bytes())
        assert b"board_not_followed" not in b"".join(game.ears["white"].as_bytes())


FORBIDDEN_KEYS = {"seq", "mono_ms", "wall_ms", "run", "legal", "illegal", "uci", "san", "line", "event", "fen", "ply"}
TIME_KEYS = {"white_ms", "black_ms", "own_ms", "opponent_ms", "own_used_ms", "opponent_used_ms", "moves", "running"}
WORDS = re.compile(r"illegal|legal|regelwidrig|schach|matt|am zug|your move|dran|patt", re.IGNORECASE)


def keys_and_texts(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner
            yield from keys_and_texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_and_texts(inner)


def everything(ear: Ear) -> list[tuple[str, Any]]:
    return [pair for one in ear.as_bytes() for pair in keys_and_texts(json.loads(one)) if pair[1] is not None]


async def a_short_game_with_trouble(game: Played) -> None:
    """A fool's mate with an illegal move, a wrong echo, a flag, a pause, a call, an offer and a mend in it."""
    await game.speak("white", "Felix drei")
    await game.press("white")
    await game.speak("black", "Felix drei")
    await game.speak("black", "Turm Anna eins")  # nonsense
    await game.speak("black", "Eva fuenf")
    await game.press("black")
    await game.speak("white", "Eva vier")  # a wrong echo
    await game.speak("white", "Eva fuenf")
    await game.done("arbiter", cmd.Mend(ply=2, uci="e7e6"))
    await game.done("arbiter", cmd.MarkOutOfStep())
    await game.done("arbiter", cmd.Pause())
    await game.done("arbiter", cmd.Resume())
    await game.done("black", cmd.OfferDraw())
    await game.speak("white", "Gustav vier")
    await game.speak("white", "?")
    await game.pass_time(70_000)  # White's flag
    await game.press("white")
    await game.speak("white", "Hector vier")  # contested
    await game.speak("black", "Gustav vier")
    await game.speak("black", "Dame Hector vier")  # mate on the board
    await game.press("black")
    await game.speak("white", "Dame Hector vier")
    await game.done("arbiter", cmd.SetBoard(board=Seat.WHITE, placement="8/8/8/8/8/8/8/8", turn=Seat.WHITE))
    await game.told()


@pytest.mark.law("L192", "L203")
@pytest.mark.parametrize("mode", list(Mode))
async def test_a_tactile_player_is_told_nothing_they_may_not_know(tmp_path: Path, mode: Mode) -> None:
    async with played(tmp_path, control="60", mode=mode) as game:
        await a_short_game_with_trouble(game)
        for station in ("white", "black"):
            ear = game.ears[station]
            found = everything(ear)
            assert not {key for key, _ in found} & FORBIDDEN_KEYS
            assert not [value for _, value in found if isinstance(value, str) and WORDS.search(value)]
            assert ear.numbers == list(range(1, len(ear.numbers) + 1)), "its own numbers, without a gap"
        found = everything(game.ears["white"])
        assert not {key for key, _ in found} & TIME_KEYS, "no time and no move number unasked"
        assert not game.ears["white"].of(msg.ClockShown) and not game.ears["white"].of(msg.AnswerGiven)
        kinds = {type(message).__name__ for message in game.ears["white"].messages}
        assert kinds <= {
            "Started", "Understood", "Question", "ScoreLine", "ModeShown", "Paused", "Resumed", "DrawOffer", "Relayed"
        }  # fmt: skip
        assert "flag" in json.dumps([json.loads(one) for one in game.ears["arbiter"].as_bytes()])


@pytest.mark.law("L192", "L203")
@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("time", {"own_ms", "opponent_ms", "own_used_ms", "opponent_used_ms", "own_runs"}),
        ("opponent_time", {"opponent_ms", "opponent_used_ms"}),
        ("moves", {"moves"}),
        ("clock", {"own_ms", "opponent_ms", "own_used_ms", "opponent_used_ms", "own_runs", "moves", "control"}),
        ("last", {"words", "text"}),
        ("score", {"score"}),
    ],
)
async def test_an_answer_goes_to_the_asker_alone_and_no_further_than_the_question(
    tmp_path: Path, what: Any, told: set[str]
) -> None:
    helper = Station("helper", Role.ASSISTANT, Seat.WHITE, (Duty.INFORM,))
    async with played(tmp_path, stations=(*STATIONS, helper)) as game:
        await game.speak("white", "Eva vier")
        await game.press("white")
        await game.speak("black", "Eva vier")
        await game.speak("black", "Eva fuenf")
        await game.pass_time(5_000)
        await game.press("black")
        await game.do("white", cmd.Ask(what=what))
        [answer] = game.ears["white"].of(msg.AnswerGiven)
        given = {key for key, value in msgspec.to_builtins(answer).items() if value not in (None, (), [], "")}
        assert given - {"type", "what", "more"} == told and not answer.more
        for other in ("black", "display", "helper"):
            assert not game.ears[other].of(msg.AnswerGiven)


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, "8/8/8/8/8/8/8/8 w - - 0 1", KNIGHT["pinned"]])
async def test_refusals_are_the_same_whatever_the_position(tmp_path: Path, fen: str) -> None:
    async with played(tmp_path, fen=fen, black=SeatKind.TACTILE) as game:
        refused = [
            await game.do("white", body)
            for body in (
                cmd.Execute(),
                cmd.AnswerDraw(accept=True),
                cmd.WriteScore(index=4, text="x"),
                cmd.Pause(),
                cmd.Mend(ply=1, uci="e2e4"),
                cmd.SetBoard(board=Seat.WHITE, placement="8/8/8/8/8/8/8/8", turn=Seat.WHITE),
            )
        ]
        assert [(one.outcome.code, one.text) for one in refused] == [
            ("nothing_to_execute", "Auf diesem Brett ist kein Zug auszuführen. (D.2.1)"),
            ("no_offer", "Es liegt kein Remisangebot vor. (9.1.2.1)"),
            ("not_in_advance", "Ein Zug darf erst aufgeschrieben werden, wenn er ausgeführt ist. (8.1.2)"),
            ("only_the_arbiter", "Das darf nur der Schiedsrichter. (12.3)"),
            ("only_the_arbiter", "Das darf nur der Schiedsrichter. (12.3)"),
            ("only_the_arbiter", "Das darf nur der Schiedsrichter. (12.3)"),
        ]


async def test_an_arbiters_act_leaves_no_gap_in_a_players_numbers(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        before = len(game.ears["white"].received)
        for _ in range(5):
            await game.done("arbiter", cmd.MarkOutOfStep(note="only the arbiter knows"))
        assert len(game.ears["white"].received) == before
        await game.done("arbiter", cmd.Pause())
        last = game.ears["white"].received[-1]
        assert isinstance(last, Numbered) and last.n == len(game.ears["white"].messages)


async def test_a_tactile_player_who_comes_back_is_greeted_without_clock_board_or_game(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        await game.speak("white", "Eva vier")
        await game.press("white")
        first = game.attach("white").received[0]
        assert isinstance(first, Greeted)
        greeting = first.greeting
        assert (greeting.clock, greeting.board, greeting.picture, greeting.shown) == (None, None, None, None)
        assert greeting.own_score == ("Eva vier",)


async def test_nobody_is_asked_anything_in_time_trouble_or_where_the_program_is_only_a_clock(tmp_path: Path) -> None:
    async with played(tmp_path, control="90") as game:
        await game.speak("white", "?from")
        assert [one.ask for one in game.ears["white"].of(msg.Question)] == ["from"]
        await game.pass_time(31_000)
        await game.speak("white", "?from")
        assert len(game.ears["white"].of(msg.Question)) == 1
    async with played(tmp_path / "clock", mode=Mode.CLOCK) as game:
        await game.speak("white", "?from")
        assert not game.ears["white"].of(msg.Question)


class CountedVoice(Pyttsx3Voice):
    """The house's voice with its cache on disk; what its engine had to say anew is kept, the sound is short."""

    def __init__(self, folder: Path) -> None:
        super().__init__(cache=PhraseCache(folder))
        self.said: list[str] = []
        self.child.request = self._request  # type: ignore[method-assign]

    async def _request(self, message: dict[str, Any], **_more: Any) -> dict[str, object]:
        self.said.append(message["text"])
        return msgspec.to_builtins(Sound(b"\0\0" * 160, 16_000), builtin_types=(bytes,))  # type: ignore[no-any-return]


@pytest.mark.law("L192", "L203")
async def test_what_one_ear_was_read_makes_no_phrase_faster_for_another(tmp_path: Path) -> None:
    """A player may have any words of their page read; whether the engine says them anew is heard in the time."""
    voice = CountedVoice(tmp_path / "phrases")
    async with played(tmp_path / "hall", black=SeatKind.TACTILE, voice=voice) as game:
        for seat in Seat:
            await game.done("arbiter", cmd.ChooseEar(seat=seat, read_keys=True))
        await game.done("white", cmd.Ask(what="last"))
        await game.told()
        asked = len(voice.said)
        assert asked, "something was read to White"
        for phrase in dict.fromkeys(voice.said):
            game.table.teller.at_ear("black", ReadOut(phrase, "de"))
            await game.told()
        assert len(voice.said) == 2 * asked, "each phrase is new to Black's ear"
        game.table.teller.at_ear("black", ReadOut(voice.said[0], "de"))
        await game.told()
        assert len(voice.said) == 2 * asked, "and then it is kept for it"


@pytest.mark.law("L101")
async def test_a_no_to_an_offer_that_a_touch_rejected_is_answered_alike_and_on_record(tmp_path: Path) -> None:
    """9.1.2.1, 12.6: the player hears what they would hear without any touch; the arbiter's record has the word."""
    heard = {}
    for touched in (False, True):
        async with played(tmp_path / str(touched)) as game:
            await game.type("white", "e4")
            await game.done("white", cmd.OfferDraw())
            await game.press("white")
            if touched:
                await game.done("black", cmd.Execute())
                await game.done("arbiter", cmd.ReportTouch(seat=Seat.BLACK, square="b8", how="touched"))
            else:
                await game.done("black", cmd.AnswerDraw(accept=False))
            await game.told()
            before = {station: len(game.ears[station].received) for station in ("white", "black")}
            answer = await game.do("black", cmd.AnswerDraw(accept=False))
            await game.told()
            heard[touched] = (
                msgspec.structs.replace(answer.outcome, id=""),
                {station: len(game.ears[station].received) - count for station, count in before.items()},
            )
            assert game.table.state.draws.touched_off is None
            if touched:
                await game.done("arbiter", cmd.RuleTouch(number=1, counts=False))
                assert game.table.state.draws.offer_by is None
    assert heard[False] == heard[True] and heard[True][0].code == "no_offer"
