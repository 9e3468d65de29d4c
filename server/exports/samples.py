"""Sentences are filled with sample values here, as a reader of the catalogue needs to see them.

The values are data (`config/samples.toml`). The messages are at least one of every kind that is ever spoken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import chess
import msgspec

from server.game.values.pairing import OwnPairing
from server.game.values.position import Position
from server.game.values.words import ClockMaster, Mode, Seat, Talking
from server.game.views import messages as msg
from server.protocol import SealedWords
from server.wording.aloud.spoken import spoken_message
from server.wording.words import move_entered, scheme_of, time_in_words
from speech.complaint import Complaint
from speech.words.catalogue import load_messages, places_of
from speech.words.config_file import read_settings
from speech.words.messages import COUNT, ONLY, Messages
from speech.words.proof import WHOLE
from speech.words.scheme import Scheme

FILE = "samples.toml"
SCHEME = "d21"
# Numbers that stand for a plural form, the plainest first.
NUMBERS = (1, 2, 3, 5, 11, 20, 100, 0, *range(4, 201), 1_000_000)
MOST_EXAMPLES = 2


class _SamplesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    place: dict[str, tuple[str | int, ...]]
    sentence: dict[str, dict[str, tuple[str | int, ...]]]


@cache
def _samples() -> _SamplesFile:
    return read_settings(FILE, _SamplesFile)


def examples_of(key: str, language: str) -> list[tuple[str, str]]:
    """Return the examples of one sentence ("messages.say.ask_sure"), each with its plural form ("" for none).

    A text without places needs none. Raises Complaint where a place has no sample.
    """
    part, name = key.split(".", 1)
    messages = load_messages(language, part=part)
    message = messages.entries[name]
    found: list[tuple[str, str]] = []
    for form, text in message.forms.items():
        number = _number_of(form, messages) if message.plural else None
        for text_filled in _fill_samples(key, text, messages, number):
            found.append((form if message.plural else WHOLE, text_filled))
    return found


def _number_of(form: str, messages: Messages) -> int:
    numbers: Iterator[int] = (number for number in NUMBERS if messages.category(number) == form)
    return next(numbers)


def _fill_samples(key: str, text: str, messages: Messages, number: int | None) -> Iterator[str]:
    """Yield a text with the first value of each of its places, then with the second where any has one."""
    places = sorted(places_of(text))
    values = {place: _values(key, place) for place in places}
    several = 1 if number is not None else max(map(len, values.values()), default=0)
    for turn in range(min(several, MOST_EXAMPLES)):
        given = {place: _value(ways[turn % len(ways)], messages.language) for place, ways in values.items()}
        if number is not None and COUNT in given:
            given[COUNT] = number
        if places:
            yield _in_order(text, given, messages)


def _in_order(text: str, given: Mapping[str, str | int], messages: Messages) -> str:
    """Return a text with its places filled in; a place may be a number ("{0}")."""
    numbered = [place for place in given if place.isdecimal()]
    named = {f"n{place}" if place in numbered else place: value for place, value in given.items()}
    for place in numbered:
        text = text.replace(f"{{{place}}}", f"{{n{place}}}")
    return messages.fill(text, **named)


def _values(key: str, place: str) -> tuple[str | int, ...]:
    file = _samples()
    ways = file.sentence.get(key, {}).get(place) or file.place.get(place)
    if not ways:
        raise Complaint(f"config/{FILE} has no sample for {{{place}}} of {key}; add one.")
    return ways


def _value(sample: str | int, language: str) -> str | int:
    """Return a sample in a language; "@" points to other words ("@language.words.cmd.yes", "@time 5000")."""
    if isinstance(sample, int) or not sample.startswith("@"):
        return sample
    what, _, rest = sample[1:].partition(" ")
    scheme = scheme_of(SCHEME, language)
    if what == "time":
        return time_in_words(int(rest), scheme)
    if what == "move":
        return move_entered(Position.from_fen(chess.STARTING_FEN), rest, scheme)[2]
    part, _, key = what.partition(".")
    if part == "language":
        return scheme.listener.words[key.removeprefix("words.")].text
    messages = load_messages(language, part=part)
    text = messages.entries[key].forms[ONLY]
    return next(_fill_samples(what, text, messages, None), text)


# The longest words there are: a capture that promotes, two like pieces, castling, en passant.
POSITIONS = (
    ("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q"),
    ("4k3/8/8/3N3N/8/8/5r2/4K3 w - - 0 1", "h5f6"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1"),
    ("4k3/8/8/4Pp2/8/8/8/4K3 w - f6 0 2", "e5f6"),
    ("6k1/8/8/8/8/1q6/2K5/q6q b - - 0 1", "h1d1"),
)
START = chess.STARTING_BOARD_FEN
PAIRING = OwnPairing(
    table="t7", round="3", board=7, seat=Seat.BLACK, opponent="Bela", starts="15:00", way="First door on the left."
)
SQUARES_TO_SET = (
    msg.SquareToSet(square="e6", should_be=None),
    msg.SquareToSet(square="e5", should_be="p"),
    msg.SquareToSet(square="g1", should_be="N"),
)
CELLS_OF_SCORE = ("e4", "e5", "Springer Gustav eins Felix drei", "") * 6


def _either(scheme: Scheme) -> tuple[tuple[str, ...], ...]:
    """Return the longest two announcements between which a player is asked to choose."""
    knight = ("piece.knight", *scheme.square("g5"), "word.takes")
    return (*knight, *scheme.square("e7")), (*knight, *scheme.square("h7"))


def _announcements(scheme: Scheme) -> list[tuple[tuple[str, ...], str]]:
    return [move_entered(Position.from_fen(fen), uci, scheme)[1:] for fen, uci in POSITIONS]


def _moves_said(scheme: Scheme) -> list[msg.AnyMessage | SealedWords]:
    """Return what moves say, and what is asked about them."""
    made: list[msg.AnyMessage | SealedWords] = []
    for words, text in _announcements(scheme):
        made += [
            msg.Understood(words=words, text=text, utterance="u1", echo=True),
            msg.Relayed(words=words, text=text, again=True),
            msg.AnswerGiven(what="last", words=words),
            SealedWords(understood=True, words=words, text=text, ask=""),
        ]
    asks = ("from", "to", "piece", "promotion", "repeat", "resign", "claim_time", "claim_draw", "draw_offer",
            "draw_accept", "draw_decline", "intended", "illegal",
            "claim_increment", "claim_cannot_win", "claim_no_effort")  # fmt: skip
    made += [msg.Question(ask=ask, utterance=None) for ask in asks]
    made += [
        msg.Question(ask="which", utterance=None, piece="knight", choices=("b1", "f3", "d7")),
        msg.Question(ask="either", utterance=None, either=_either(scheme)),
    ]
    return made


def messages_said(scheme: Scheme) -> list[msg.AnyMessage | SealedWords]:
    """Return at least one message of every kind that can be spoken, the longest that there is."""
    ten_hours, late = 36_000_000, 599_000
    made: list[msg.AnyMessage | SealedWords] = [
        *_moves_said(scheme),
        SealedWords(understood=False, words=(), text="", ask="repeat"),
        *(
            msg.SoundShown(talking=Talking.HELD, voice_activity=False, device=False, known_voice=False, word=word)
            for word in ("slower", "faster")
        ),
        *(msg.LinkShown(what=what) for what in ("microphone", "devices", "line")),
        msg.AdjournmentShown(stage="ordered", own=True),
        *(msg.AdjournmentShown(stage=stage, own=False) for stage in ("ordered", "sealed", "resumed")),
        msg.Started(appointed=True),
        msg.Paused(),
        msg.Paused(medical=True),
        msg.Resumed(),
        *(msg.ModeShown(mode=mode, in_game=True) for mode in Mode),
        msg.SessionShown(length_ms=late),
        *(msg.TimeGiven(own=own, ms=ms) for own in (True, False) for ms in (late, -late)),
        *(msg.NoTaken(what=what) for what in ("resign", "intended", "draw_offer")),
        msg.IncrementShown(increment_ms=5_000),
        *(msg.ActTaken(what=what) for what in ("arbiter", "medical", "flag", "claim")),
        msg.ActTaken(what="approved", result="1-0"),
        *(msg.ClockMasterShown(clock_master=master) for master in ClockMaster),
        msg.RulingShown(own=True, what="claim_postponed", article="III.5.2"),
        msg.RulingShown(own=False, what="more_points_for_opponent", article="12.9.4"),
        msg.BoardToSet(squares=SQUARES_TO_SET),
        msg.SquareToSetNow(square="e5", should_be="p", number=2, of=3),
        msg.SquareToSetNow(square=None),
        *(msg.ResignationShown(own=own) for own in (True, False)),
        *(msg.DrawOffer(own=own, by_claim=claim) for own in (True, False) for claim in (True, False)),
        *(msg.DrawReply(accepted=yes, own=own) for yes in (True, False) for own in (True, False)),
        msg.Ended(result="*", reason="cancelled", article="7.2.1"),
        *(msg.NextGameShown(table="t1-game2", seat=seat) for seat in (*Seat, None)),
        *(msg.ReviewShown(released=released) for released in (True, False)),
        *(msg.PairingShown(pairing=PAIRING, changed=changed) for changed in (True, False)),
        msg.AnswerGiven(what="pairing", pairing=PAIRING),
        msg.AnswerGiven(what="pairing"),
        msg.Ended(result="1/2-1/2", reason="agreed", article="9.1"),
        msg.LawRead(article="9.2", text="Three times the same position, " * 9, language="en"),
        msg.OpponentScore(lent=True, cells=CELLS_OF_SCORE),
        msg.ClaimShown(own=False, ground="cannot", placement=START, score=CELLS_OF_SCORE),
        *(msg.GuidelinesShown(quickplay=yes, unsupervised=alone) for yes in (True, False) for alone in (True, False)),
        msg.ClockCorrected(),
        msg.ClockCorrected(own_ms=late, opponent_ms=ten_hours, own_runs=True),
    ]
    return [*made, *_answers_said(), *_clock_said()]


def _answers_said() -> list[msg.AnyMessage]:
    """Return the answers to questions that a player may ask, the longest of each."""
    return [
        msg.AnswerGiven(what="opponent_time", opponent_ms=599_000),
        msg.NotDone(code="draw_restricted", article="9.1"),
        msg.AnswerGiven(what="help"),
        msg.AnswerGiven(what="moves", moves=100, to_control=11, period=1, periods=3),
        msg.AnswerGiven(what="score", score=CELLS_OF_SCORE),
        msg.AnswerGiven(what="opponent_score", score=CELLS_OF_SCORE),
        msg.AnswerGiven(what="position", placement=START),
        msg.AnswerGiven(what="set_up", placement=START),
        msg.PositionTold(about="board", white=("Kg1", "Qd1", "Pe4"), black=("kg8", "rf8", "pe5")),
        msg.PositionTold(about="moves", squares=("d4", "e1", "e5", "g1", "g5", "h2", "h4")),
        msg.PositionTold(about="captures", takes=(("Nf3", "e5"), ("Pe4", "d5"))),
        msg.PositionTold(about="square"),
        msg.AnswerGiven(what="time", own_ms=59_000, opponent_ms=0, own_runs=False, age_ms=61_000),
    ]


def _clock_said() -> list[msg.AnyMessage]:
    """Return all that the clock says: answers, cues, flags and settings."""
    ten_hours, late = 36_000_000, 599_000
    made: list[msg.AnyMessage] = []
    for what in ("time", "clock"):
        for own_runs, flag in ((True, "own"), (False, "opponent"), (None, "")):
            moves = {"moves": 59, "to_control": 1, "period": 2, "periods": 3} if what == "clock" else {}
            made.append(
                msg.AnswerGiven(
                    what=what, own_ms=late, opponent_ms=ten_hours, own_runs=own_runs, flag_first=flag,
                    **moves,  # type: ignore[arg-type]
                )
            )  # fmt: skip
    made += [msg.FlagShown(own=own) for own in (True, False)]
    made += [msg.TimeCue(left_s=s, way="time") for s in (600, 300, 120, 60, 30)]
    made += [msg.TimeCue(left_s=s, way=way) for s in range(1, 11) for way in ("words", "ticks")]
    controls = ("40/7200+30:20/3600+30:900+30", "1500d5", "1500b5", "60")
    made += [
        msg.ClockSetting(stage=stage, own=True, control=control)
        for stage in ("proposed", "set", "kept")
        for control in controls
    ]
    return made


def sentences_heard(language: str) -> list[str]:
    """Return all that the messages of `messages_said` say into an ear, in a language; the order is always the same."""
    scheme = scheme_of(SCHEME, language)
    said = (spoken_message(message, scheme, read_back=True) for message in messages_said(scheme))
    return [one[0] if one else "" for one in said]
