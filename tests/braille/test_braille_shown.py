"""Every message under the fingers: the move first, nothing longer than the display, in six languages; the own score."""

from __future__ import annotations

import chess
import pytest

from braille.loading import computer_profile, load_profile, profile_names
from braille.panel import Panel, pan, say
from braille.status import WIDTHS
from server.exports.samples import messages_said
from server.game.values.words import Seat
from server.game.views import messages as msg
from server.wording.braille import Reader, first_choices, score_lines, score_move, shown_lines
from server.wording.pages import page_words
from server.wording.pieces import lines_of
from server.wording.words import scheme_of
from tests.braille.reading import read_page

TAGS = ("de", "en", "hu", "hy", "ar", "he")


def reader(tag: str = "de", width: int = 40, profile: str = "", seat: Seat = Seat.WHITE) -> Reader:
    return Reader(scheme_of("d21", tag), load_profile(profile or computer_profile(tag)), width, seat)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("tag", TAGS)
def test_all_that_is_said_fits_every_display(tag: str, width: int) -> None:
    own = reader(tag, width)
    silent = [msg.Started(), msg.Paused(), msg.Resumed(), msg.DrawOffer(own=False), msg.DrawOffer(own=True)]
    for message in [
        *messages_said(own.scheme),
        *silent,
        msg.DrawReply(accepted=False),
        msg.AdjournmentShown(stage="sealed", own=True),
    ]:
        lines = shown_lines(message, lines_of(message, own.scheme), own)
        assert lines or isinstance(message, msg.TimeCue | msg.AnswerGiven), message
        panel = say(Panel(width), lines)
        pages = len(panel.told)
        for _ in range(pages):
            assert len(panel.shown) <= width
            panel = pan(panel, 1)
        assert panel.at == pages - 1, "at the last page, where it stays"


@pytest.mark.law("L182")
def test_an_announcement_is_a_move_to_be_echoed_and_an_echo_is_not() -> None:
    words = ("piece.knight", "file.f", "rank.3")
    own = reader()
    (first, *rest) = shown_lines(msg.Relayed(words=words, text=""), ("Springer Felix drei",), own)
    assert first == "⡎⠋⠩⠀⡺⠊⠑⠙⠑⠗⠓⠕⠇⠥⠝⠛" and rest == ["Springer Felix drei"]
    assert shown_lines(msg.Understood(words=words, text="", utterance=None), (), own) == ("⡎⠋⠩",)
    takes = msg.Relayed(words=("piece.bishop", "word.takes", "file.f", "rank.7", "word.check"), text="")
    assert shown_lines(takes, (), reader("en", 14, "ukaaf"))[0].startswith("⠇⠸⠋⠶")


@pytest.mark.law("L192")
def test_times_only_where_they_were_asked_for() -> None:
    own = reader("en", 14)
    asked = msg.AnswerGiven(what="time", own_ms=3_930_000, opponent_ms=59_000, own_runs=True)
    assert shown_lines(asked, (), own) == ("⠂⠱⠴⠢⠱⠒⠴⠡⠀⠴⠱⠢⠔",)
    silent = shown_lines(msg.Relayed(words=("file.e", "rank.4"), text=""), (), own)
    assert silent == ("⠑⠲⠀⠗⠑⠏⠑⠁⠞",)


@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize("profile", ["ukaaf", "computer"])
def test_the_board_rank_by_rank_and_as_a_page_on_a_display_of_several_lines(profile: str, seat: Seat) -> None:
    own = reader("en", 14, profile, seat)
    answer = msg.AnswerGiven(what="position", placement=chess.STARTING_BOARD_FEN)
    lines = shown_lines(answer, (), own)
    assert read_page(lines, own.profile) == chess.BaseBoard()
    panel = say(Panel(14, rows=9, choices=("time",)), lines)
    assert [panel.shown[14 * row : 14 * row + 14].rstrip(" ") for row in range(9)] == list(lines)
    assert pan(panel, 1).shown == "time"
    assert say(Panel(14), lines).shown == lines[0]


def test_an_offer_brings_its_answers_to_the_front() -> None:
    assert first_choices(msg.DrawOffer(own=False)) == ("cmd.draw_accept", "cmd.draw_decline")
    assert first_choices(msg.Question(ask="resign", utterance=None)) == ("cmd.yes", "cmd.no")
    either = tuple(("file.e", "rank.8", f"piece.{one}") for one in ("queen", "rook", "bishop", "knight"))
    promotes = msg.Question(ask="promotion", utterance=None, either=either)
    assert first_choices(promotes) == ("piece.queen", "piece.rook", "piece.bishop", "piece.knight")
    assert first_choices(msg.Question(ask="from", utterance=None)) == first_choices(msg.DrawOffer(own=True)) == ()


@pytest.mark.law("L194")
@pytest.mark.parametrize("profile", [name for name in profile_names() if name.startswith(("computer", "ukaaf", "de"))])
def test_the_own_score_by_move_number(profile: str) -> None:
    own = reader("de", 40, profile)
    score = ("Springer Felix drei", "Sf6", "c2c4", "kein Zug, Uhr", "", "Kurze Rochade")
    first = score_move(score, 1, own)
    assert len(first) == 1 and first[0].count(own.profile.pieces["knight"].cells) == 2
    assert score_move(score, 4, own) == ()
    assert own.profile.empty.cells in score_move(score, 3, own)[0]  # nothing written stands as nothing
    assert own.profile.signs.castle_short.cells in score_move(score, 3, own)[0]
    whole = score_lines(score, own)
    assert whole[:1] == first and all(len(line) <= 40 for line in whole)


def asked_in_words() -> dict[str, str]:
    """Return every question that a player may be asked, by its name, in English."""
    return {key.removeprefix("ask."): text for key, text in page_words("en").items() if key.startswith("ask.")}


@pytest.mark.parametrize("ask", sorted(asked_in_words()))
def test_the_choices_of_a_question_are_the_answers_that_its_words_name(ask: str) -> None:
    """A "yes" to "Please say the right move" would answer another question, as the opponent's offer of a draw."""
    named = asked_in_words()[ask].lower()
    expected = ("cmd.yes", "cmd.no") if "yes or no" in named else ("cmd.no",) if "say no" in named else ()
    assert first_choices(msg.Question(ask=ask, utterance=None)) == expected
