"""What a visitor of the spectators' page types in their own words, and a result in words, in six languages."""

from __future__ import annotations

import chess
import pytest

from server.game.values.clock import ClockReading
from server.game.values.words import Seat
from server.game.views.spectators import GameShown, MoveShown
from server.wording.room import to_spectators
from server.wording.words import scheme_of
from speech.announcements.clock_phrases import time_short
from speech.words.catalogue import load_messages

POSITION, WHITE, E4, KNIGHTS = "position", "white", "e4", "the knights"
ASKED: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        POSITION: ("show me the position", "the board"),
        WHITE: ("white pieces",),
        E4: ("what is on e4", "what stands on e4?", "square e4"),
        KNIGHTS: ("knights", "where are the knights?", "white knights"),
        "time": ("how much time do they have",),
        "last": ("who won", "result", "what was the last move?"),
        "rank": ("rank 4",),
        "file": ("the e file", "file e"),
        "colour": ("is e4 white or black?", "colour of e4"),
    },
    "de": {
        POSITION: ("zeig die Stellung", "Brett"),
        WHITE: ("weiße Figuren",),
        E4: ("was steht auf e4",),
        KNIGHTS: ("wo sind die Springer", "wo stehen die weißen Springer"),
        "last": ("wer hat gewonnen", "Ergebnis"),
        "rank": ("Reihe 4",),
        "file": ("e-Linie", "Linie e"),
        "colour": ("ist e4 weiß oder schwarz?",),
    },
    "hu": {
        POSITION: ("állás", "tábla"),
        E4: ("mi van e4-en",),
        KNIGHTS: ("huszárok", "hol vannak a huszárok"),
        "last": ("ki nyert", "eredmény"),
        "file": ("e vonal",),
    },
    "hy": {
        POSITION: ("դիրքը",),
        WHITE: ("սպիտակ",),
        KNIGHTS: ("ձիեր",),
        "last": ("ով հաղթեց",),
    },
    "ar": {
        POSITION: ("الوضع", "الرقعة"),
        E4: ("ماذا على e4",),
        KNIGHTS: ("الأحصنة", "أين الأحصنة"),
        "last": ("من فاز",),
        "colour": ("ما لون المربع e4",),
    },
    "he": {
        POSITION: ("העמדה", "הלוח"),
        E4: ("מה יש ב-e4",),
        KNIGHTS: ("פרשים", "איפה הפרשים"),
        "last": ("מי ניצח",),
    },
}
PLAIN = {POSITION: "position", KNIGHTS: "N", "rank": "4", "file": "e", E4: "e4"}
UNKNOWN = {"en": "e4 e5", "de": "hat er aufgegeben", "hu": "ki vagy", "hy": "բարև", "ar": "مرحبا", "he": "שלום"}


def shown(result: str | None = "1/2-1/2") -> GameShown:
    board, moves = chess.Board(), []
    for ply, move in enumerate(("e2e4", "e7e5", "g1f3", "b8c6"), 1):
        board.push_uci(move)
        moves.append(MoveShown(ply, Seat.WHITE if ply % 2 else Seat.BLACK, placement=board.board_fen()))
    return GameShown(start=chess.STARTING_FEN, moves=tuple(moves), started=True, result=result)


def told(about: str, tag: str, game: GameShown | None = None) -> str | None:
    answer = to_spectators(game or shown(), about, 4, scheme_of("national", tag), ClockReading(60_000, 5_000, None))
    return None if answer is None else answer[0]


@pytest.mark.parametrize("tag", ASKED)
def test_a_visitor_is_answered_in_their_own_words(tag: str) -> None:
    for wanted, phrases in ASKED[tag].items():
        for phrase in phrases:
            answer = told(phrase, tag)
            assert answer is not None, phrase
            if wanted == "colour":
                light = load_messages(tag).text("exercise.white")
                assert light in answer, (phrase, answer)
            elif wanted == WHITE:
                assert answer in (told(POSITION, tag) or ""), (phrase, answer)
            else:
                assert answer == told(PLAIN.get(wanted, wanted), tag), (phrase, answer)
    assert told(UNKNOWN[tag], tag) is None


@pytest.mark.parametrize("tag", ASKED)
def test_a_result_is_said_to_visitors_in_words(tag: str) -> None:
    for result, key in (("1/2-1/2", "drawn"), ("1-0", "white_wins"), ("0-1", "black_wins"), ("0-0", "both_lose")):
        answer = told("last", tag, shown(result))
        assert answer is not None and answer.endswith(load_messages(tag).text(f"ear.{key}")), answer
        assert result not in answer


@pytest.mark.law("L193")
@pytest.mark.parametrize("tag", ASKED)
def test_a_visitor_is_told_how_old_the_times_of_another_clock_are_and_none_that_nobody_read(tag: str) -> None:
    scheme = scheme_of("national", tag)
    read = to_spectators(shown(), "time", 4, scheme, ClockReading(60_000, 5_000, None), age_ms=7_000)
    age = scheme.messages.text("clock.read_ago", time=time_short(7_000, scheme.messages))
    assert read is not None and read[0] == f"{told('time', tag)} {age}"
    unread = to_spectators(shown(), "time", 4, scheme, elsewhere=True)
    assert unread is not None and unread[0] == scheme.phrase("clock_other")
