"""Whatever is said into an ear can also be read: lines of at most forty cells, the move first, in six languages."""

from __future__ import annotations

import typing
import unicodedata

import chess
import pytest

from server.game.values.position import Position
from server.game.values.words import ClockMaster, Mode, Seat, Talking
from server.game.views import messages as msg
from server.protocol import SealedWords
from server.wording.lines import lines_of
from server.wording.words import entered, scheme_of, spoken
from speech.announcements.cells import CELLS, cells_of, pages
from speech.words.messages import without_isolation
from speech.words.scheme import Scheme

TAGS = ("de", "en", "hu", "hy", "ar", "he")
# The longest words there are: a capture that promotes, two like pieces, castling, en passant.
POSITIONS = (
    ("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q"),
    ("4k3/8/8/3N3N/8/8/5r2/4K3 w - - 0 1", "h5f6"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1"),
    ("4k3/8/8/4Pp2/8/8/8/4K3 w - f6 0 2", "e5f6"),
    ("6k1/8/8/8/8/1q6/2K5/q6q b - - 0 1", "h1d1"),
)
START = chess.STARTING_BOARD_FEN
CELLS_OF_SCORE = ("e4", "e5", "Springer Gustav eins Felix drei", "") * 6
NEVER_SAID = (
    msg.ClockShown, msg.ScoreLine, msg.BoardShown, msg.DrawOffer, msg.DrawReply, msg.Recorded, msg.Shown,
    msg.BoardsShown, msg.PressKeysShown,
)  # fmt: skip


def announcements(scheme: Scheme) -> list[tuple[tuple[str, ...], str]]:
    return [entered(Position.from_fen(fen), uci, scheme)[1:] for fen, uci in POSITIONS]


def examples(scheme: Scheme) -> list[msg.AnyMessage | SealedWords]:
    """At least one message of every kind that can be spoken, the longest that there is."""
    ten_hours, late = 36_000_000, 599_000
    made: list[msg.AnyMessage | SealedWords] = []
    for words, text in announcements(scheme):
        made += [
            msg.Understood(words=words, text=text, utterance="u1"),
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
        msg.IncrementShown(increment_ms=5_000),
        *(msg.ClockMasterShown(clock_master=master) for master in ClockMaster),
        msg.RulingShown(own=True, what="claim_postponed", article="III.5.2"),
        msg.RulingShown(own=False, what="more_points_for_opponent", article="12.9.4"),
        msg.BoardToSet(
            squares=(
                msg.SquareToSet(square="e6", should_be=None),
                msg.SquareToSet(square="e5", should_be="p"),
                msg.SquareToSet(square="g1", should_be="N"),
            )
        ),
        msg.SquareToSetNow(square="e5", should_be="p", number=2, of=3),
        msg.SquareToSetNow(square=None),
        msg.ResignationShown(own=False),
        msg.Ended(result="*", reason="cancelled", article="7.2.1"),
        *(msg.NextGameShown(table="t1-game2", seat=seat) for seat in (*Seat, None)),
        msg.Ended(result="1/2-1/2", reason="agreed", article="9.1"),
        msg.LawRead(article="9.2", text="Three times the same position, " * 9, language="en"),
        msg.OpponentScore(lent=True, cells=CELLS_OF_SCORE),
        msg.ClaimShown(own=False, ground="cannot", placement=START, score=CELLS_OF_SCORE),
        *(msg.GuidelinesShown(quickplay=yes, unsupervised=alone) for yes in (True, False) for alone in (True, False)),
        msg.ClockCorrected(),
        msg.ClockCorrected(own_ms=late, opponent_ms=ten_hours, own_runs=True),
        msg.AnswerGiven(what="opponent_time", opponent_ms=late),
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


def test_every_kind_of_message_is_here_or_is_never_said() -> None:
    kinds = {*typing.get_args(msg.AnyMessage), SealedWords}
    shown = {type(message) for message in examples(scheme_of("d21", "de"))}
    assert shown | set(NEVER_SAID) == kinds and not shown & set(NEVER_SAID)


def test_what_is_called_never_said_is_silent() -> None:
    scheme = scheme_of("d21", "de")
    silent: list[msg.AnyMessage] = [
        msg.ClockShown(white_ms=1, black_ms=1, running=Seat.WHITE, first_flag=None, at=0),
        msg.ScoreLine(index=1, text="e4", source="typed"),
        msg.BoardShown(placement=START),
        msg.DrawOffer(own=False),
        msg.DrawReply(accepted=True),
        msg.Shown(placement=START, words=(), text=""),
        msg.BoardsShown(white=START, black=START),
        msg.PressKeysShown(stage="learn"),
    ]
    silent_kinds = {type(one) for one in silent}
    unasked = msg.SoundShown(talking=Talking.HELD, voice_activity=False, device=False, known_voice=False)
    assert lines_of(unasked, scheme) == (), "said only where he asked for another speed"
    assert lines_of(msg.Started(), scheme) == (), "the arbiter who starts the clock by hand says so"
    assert lines_of(msg.ModeShown(mode=Mode.TABLE), scheme) == (), "before the game nobody needs to know"
    assert silent_kinds == set(NEVER_SAID) - {msg.Recorded}
    assert [lines_of(one, scheme) for one in silent] == [()] * len(silent)


@pytest.mark.law("L207")
@pytest.mark.parametrize("name", ["d21", "national", "letters"])
@pytest.mark.parametrize("tag", TAGS)
def test_all_that_is_said_is_also_text_of_forty_cells_with_the_move_first(tag: str, name: str) -> None:
    scheme = scheme_of(name, tag)
    moves = 0
    for message in examples(scheme):
        lines = lines_of(message, scheme)
        said = spoken(message, scheme, read_back=True)
        if said is None:
            assert isinstance(message, msg.TimeCue) and message.way == "ticks", message
            assert lines == (str(message.left_s),)
            continue
        text = without_isolation(said[0])
        assert lines, message
        assert all(0 < cells_of(line) <= CELLS for line in lines), (message, lines)
        assert not any(unicodedata.category(letter) in ("Cf", "Cc") for line in lines for letter in line)
        words = getattr(message, "words", ())
        if words:
            moves += 1
            if cells_of(text) <= CELLS:
                assert lines == (text,)
                continue
            short, *lines_of_text = lines
            assert short[-1] in "abcdefgh12345678+#=QDVKLTBRNSHFPԹՁՆՓמצרפה.0", short
            assert 2 <= cells_of(short) <= 12
        else:
            lines_of_text = list(lines)
        assert "".join("".join(lines_of_text).split()) == "".join(unicodedata.normalize("NFC", text).split()), message
    assert moves == 4 * len(POSITIONS)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("", ()),
        ("Ihre Zeit läuft: eine Stunde 5 Minuten.", ("Ihre Zeit läuft: eine Stunde 5 Minuten.",)),
        ("A" * 85, ("A" * 40, "A" * 40, "A" * 5)),
        ("Is. " + "B" * 41, ("Is.", "B" * 40, "B")),
        ("Eins. Zwei. Drei.", ("Eins. Zwei. Drei.",)),
        ("Artikel 7.5.5 sagt, dass der Gegner zwei Minuten erhält. Gut.",
         ("Artikel 7.5.5 sagt, dass der Gegner zwei", "Minuten erhält. Gut.")),
        ("Weiß:\nKönig Eva eins", ("Weiß: König Eva eins",)),
    ],
)  # fmt: skip
def test_a_page_ends_at_a_sentence_else_between_words(text: str, made: tuple[str, ...]) -> None:
    assert pages(text) == made
