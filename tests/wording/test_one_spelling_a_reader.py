"""Each reader is shown the words of D.2.1 in one spelling: with umlauts, or in their own script (L185, L187).

The spelling without umlauts (Koenig) is that of the record and of files that programs read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC

import chess
import pytest

from server.exports.envelope_label import label_lines
from server.exports.handout import handout_page
from server.exports.reports.report import section_lines
from server.exports.words.correction import texts_to_correct
from server.game import acts as ev
from server.game.values.saying import saying
from server.game.values.words import Seat
from server.game.views import messages as msg
from server.game.views.chronicle import ReportLine
from server.game.views.report import Section
from server.wording.aloud.scores import cells_read
from server.wording.aloud.spoken import spoken_message
from server.wording.details import told_in
from server.wording.pages import is_foreign, page_words, record_spelt
from server.wording.pieces import pieces_of
from server.wording.room import to_arbiter
from server.wording.words import scheme_of
from speech.announcements.announce import announce, text_of
from speech.words.config_file import language_tags
from speech.words.loading import load_language
from speech.words.messages import without_isolation
from speech.words.scheme import Scheme
from tests.exports.test_envelope_label import LABEL, OCCASION

ASCII = re.compile(r"\b(?:[KLkl](?:oe|ae)[un]\w*|fuenf|schlaegt|zwoelf|\w*fuer|ueber\w*|zurueck\w*)\b")
SCHEMES = ("d21", "national", "letters", "d21+pieces=listener", "d21+ranks=listener", "national+ranks=de")
FEN = "rnbqk2r/pppp1ppp/5n2/4p2b/1b2P3/5P2/PPPPB1PP/RNBQK2R w KQkq - 0 1"
MOVES = ("e1f2", "e2b5", "f3f4", "e1g1")
RECORDED = ("Koenig Felix zwei", "Laeufer Bella fuenf", "Bauer Eva fuenf schlägt David sechs")
SHOWN = ("König Felix zwei", "Läufer Bella fünf", "Bauer Eva fünf schlägt David sechs")
KING = ("piece.king", "file.e", "rank.5")
TO_SET = (ev.SquareToSet(square="e5", should_be="K"), ev.SquareToSet(square="f5", should_be="b"))
SQUARES = ("e5", "f5")


def messages() -> Iterator[msg.AnyMessage]:
    """Every message in which words of the scheme stand beside words of the listener's language."""
    yield msg.Relayed(words=KING, text="Koenig Eva fuenf")
    yield msg.Understood(words=KING, text="Koenig Eva fuenf", utterance=None, echo=True)
    yield msg.AnswerGiven(what="last", words=KING, text="Koenig Eva fuenf")
    yield msg.AnswerGiven(what="position", placement=chess.Board(FEN).board_fen())
    yield msg.AnswerGiven(what="set_up", placement=chess.Board(FEN).board_fen())
    yield msg.AnswerGiven(what="score", score=RECORDED)
    yield msg.AnswerGiven(what="score", score=RECORDED[:2], move=1)
    yield msg.ClaimShown(own=False, ground="III.5", placement=chess.Board(FEN).board_fen(), score=RECORDED)
    yield msg.BoardToSet(squares=TO_SET)
    yield msg.SquareToSetNow(square="e5", should_be="K", number=1, of=2)
    yield msg.Question(ask="either", utterance=None, either=(KING, ("piece.bishop", "file.f", "rank.5")))
    yield msg.Question(ask="which", utterance=None, piece="bishop", choices=SQUARES)
    yield msg.PositionTold(about="captures", takes=(("Ke4", "e5"), ("Bg6", "f5")))
    yield msg.PositionTold(about="square", white=("Ke5",), black=("Bf5",))
    yield msg.PositionTold(about="reach", squares=SQUARES)


def said_in(scheme: Scheme) -> Iterator[str]:
    """All texts that a listener of a scheme hears and is shown."""
    board = chess.Board(FEN)
    for move in MOVES:
        yield text_of(announce(board, chess.Move.from_uci(move), scheme))
    for message in messages():
        whole = spoken_message(message, scheme, read_back=True)
        yield from () if whole is None else (whole[0],)
        yield from (text for text, _ in pieces_of(message, scheme, read_back=True))
    score = cells_read(RECORDED, scheme)
    assert score is not None
    yield score[0]
    event = ev.DeskDecided(
        at=1,
        kind="adjust",
        verdict="differ",
        ply=2,
        placement=board.board_fen(),
        turn=Seat.WHITE,
        reason="",
        white=TO_SET,
    )
    decided = to_arbiter(msg.Recorded(event=event), scheme)
    assert decided is not None
    yield decided[0]


def written_in(language: str) -> Iterator[str]:
    """The alerts, report, label and half page that the arbiter and the organiser read in a language."""
    for key in ("hand_announced", "hand_repeated", "hand_pressed"):
        yield told_in(saying(key, uci="e2e4", who=Seat.WHITE, words=RECORDED[0]), language)
    yield told_in(saying("must_be_made", move=RECORDED[1]), language)
    yield told_in(saying("intended_other", move=RECORDED[0], heard=RECORDED[1]), language)
    yield told_in(saying("record_fits_none", text=RECORDED[0]), language)
    for line in (
        ReportLine("score_said", ("white", "3", RECORDED[1], "dictated")),
        ReportLine("envelope_opened", ("ply 3", RECORDED[0]), Seat.WHITE, "I.7"),
        ReportLine("board_showed", ("white", chess.Board(FEN).board_fen())),
        ReportLine("square_differed", ("e5", "K", "b")),
    ):
        yield from section_lines(Section("", (line,)), language, UTC)
    yield "\n".join(label_lines(LABEL, OCCASION, language))
    yield handout_page(language)
    yield from (record_spelt(text, language) for text in RECORDED)


@pytest.mark.law("L185", "L187")
@pytest.mark.parametrize("language", language_tags())
def test_nobody_is_shown_a_german_word_without_its_umlaut(language: str) -> None:
    for name in SCHEMES:
        found = {text for text in said_in(scheme_of(name, language)) if ASCII.search(text)}
        assert found == set(), name
    assert {text for text in written_in(language) if ASCII.search(text)} == set()
    texts = (text for key, forms in texts_to_correct(language).items() if not key.startswith("language.")
             for text in forms.values())  # fmt: skip
    assert {text for text in texts if ASCII.search(text)} == set()


@pytest.mark.law("L185", "L187")
@pytest.mark.parametrize("language", language_tags())
def test_the_record_is_shown_in_the_words_that_are_announced(language: str) -> None:
    """Alerts, report, pages and ear have one spelling, whichever way a line came into the record."""
    scheme = scheme_of("d21", language)
    king, bishop = scheme.text("piece.king"), scheme.text("piece.bishop")
    shown = [record_spelt(text, language) for text in RECORDED]
    assert shown == [scheme.as_spelt(text) for text in RECORDED]
    assert shown[0].startswith(king) and shown[1].startswith(bishop) and shown[1].endswith(scheme.text("rank.5"))
    assert king in told_in(saying("must_be_made", move=RECORDED[0]), language)
    if scheme.listener.script == "Latn":
        assert tuple(shown) == SHOWN
        assert scheme.as_recorded(KING) == "Koenig Eva fuenf", "the record keeps the spelling of the Laws"
    else:
        assert not re.search("[A-Za-z]{3}", shown[0] + shown[1])


@pytest.mark.law("L010", "L187")
@pytest.mark.parametrize("language", language_tags())
@pytest.mark.parametrize("name", SCHEMES)
def test_a_list_of_men_has_its_pieces_in_one_language(name: str, language: str) -> None:
    """A position is read out in the words of the scheme, each man in one voice.

    What is to be set says colour and piece together, in the listener's own words; what is written on paper has no word
    of the scheme at all.
    """
    scheme = scheme_of(name, language)
    words = page_words(language)
    for what in ("position", "set_up"):
        read = spoken_message(
            msg.AnswerGiven(what=what, placement=chess.Board(FEN).board_fen()), scheme, read_back=True
        )
        assert read is not None
        white, black = read[0].splitlines()
        assert white.count(scheme.text("piece.king")) == black.count(scheme.text("piece.king")) == 1
        assert white.startswith(scheme.phrase("white_men")) and black.startswith(scheme.phrase("black_men"))
    to_set = spoken_message(msg.BoardToSet(squares=TO_SET), scheme, read_back=True)
    assert to_set is not None
    assert words["piece.white.king"] in to_set[0] and words["piece.black.bishop"] in to_set[0]
    label = " ".join(label_lines(LABEL, OCCASION, language, 400))
    assert f"{words['white']}: {words['piece.king']} e1, {words['piece.queen']} d1" in label


def test_a_persons_own_words_stay_as_they_were_written() -> None:
    """A name in a report or in a note is nobody's announcement."""
    assert "Eva Koenig" in told_in(saying("as_written", text="Eva Koenig"), "de")
    assert "Eva Koenig" in told_in(saying("reports", name="observer", what="x", text="Eva Koenig"), "hy")


@pytest.mark.law("L185", "L187", "L161")
@pytest.mark.parametrize("reader", language_tags())
def test_what_a_player_of_another_script_said_is_read_and_stands_behind_it_as_it_was_said(reader: str) -> None:
    """A record in Armenian, Arabic or Hebrew, dictated or written, for an arbiter who reads another script."""
    own = load_language(reader).script
    boards = [(FEN, MOVES), ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ("e1g1", "e1c1"))]
    for tag in ("ar", "he", "hy"):
        seen: dict[str, str] = {}
        for name in ("d21", "national"):
            for fen, moves in boards:
                board = chess.Board(fen)
                for move in moves:
                    said = text_of(announce(board, chess.Move.from_uci(move), scheme_of(name, tag)))
                    shown = record_spelt(said, reader)
                    if tag == reader:
                        assert shown == said
                        continue
                    read, _, behind = without_isolation(shown).partition(" (")
                    assert behind == f"{said})" and not is_foreign(read, reader), shown
                    assert seen.setdefault(f"{name} {read}", said) == said, "no two announcements are read alike"
        if tag != reader:
            letter = load_language(tag).notation.pieces["knight"]
            written = record_spelt(f"{letter}f3", reader)
            assert written == f"{letter}f3" or without_isolation(written).startswith(
                f"{load_language(reader).notation.pieces['knight']}f3 ("
            )
    assert record_spelt("Nf3", reader) == "Nf3" and (own != "Latn" or not is_foreign("König Eva fünf", reader))
