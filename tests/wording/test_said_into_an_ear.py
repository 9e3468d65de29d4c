"""What an ear is told: questions are questions, facts name who did it, signs are words, times are short."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from server.exports.samples import CELLS_OF_SCORE, START, messages_said
from server.game.laws.results import RESULTS
from server.game.views import messages as msg
from server.wording.aloud.scores import cell_segments
from server.wording.pages import page_words
from server.wording.pieces import pieces_of
from server.wording.words import scheme_of, segments_of
from speech.words.catalogue import load_messages
from speech.words.config_file import language_tags
from speech.words.messages import without_isolation

OPEN = ("from", "to", "piece", "promotion", "repeat")
BINDING = ("draw_offer", "draw_accept", "draw_decline", "resign", "claim_time", "claim_draw")


def heard(message: msg.AnyMessage, tag: str) -> list[str]:
    return [without_isolation(text) for text, _ in pieces_of(message, scheme_of("d21", tag))]


def voiced(message: msg.AnyMessage, tag: str) -> str:
    """The text that the voice gets, which may differ from the text on record."""
    return " ".join(part.text for _, said in pieces_of(message, scheme_of("d21", tag)) for part in said)


@pytest.mark.law("L182")
@pytest.mark.parametrize("tag", language_tags())
def test_what_the_words_left_open_is_asked_as_the_page_asks_it(tag: str) -> None:
    questions = {ask: " ".join(heard(msg.Question(ask=ask, utterance=None), tag)) for ask in OPEN}
    assert questions == {ask: page_words(tag)[f"ask.{ask}"] for ask in OPEN}
    assert len(set(questions.values())) == len(OPEN)
    yes = scheme_of("d21", tag).listener.words["cmd.yes"].text.casefold()
    assert not any(yes in re.split(r"\W+", text.casefold()) for text in questions.values()), "yes would be no answer"


@pytest.mark.law("L044")
@pytest.mark.parametrize("tag", language_tags())
def test_a_question_is_one_and_ends_with_its_answers(tag: str) -> None:
    """The mark of a question stands before the words for yes and no, in the manner of each script."""
    for ask in (*BINDING, "claim_increment", "claim_cannot_win", "claim_no_effort"):
        said = " ".join(heard(msg.Question(ask=ask, utterance=None), tag))
        assert re.search(r"[?؟՞]", said), (ask, said)
        yes, no = (scheme_of("d21", tag).listener.words[f"cmd.{word}"].text for word in ("yes", "no"))
        assert re.search(rf"{yes}.*{no}", said, re.IGNORECASE), (ask, said)
    assert len({" ".join(heard(msg.Question(ask=ask, utterance=None), tag)) for ask in BINDING}) == len(BINDING)


@pytest.mark.parametrize("tag", language_tags())
def test_who_acts_is_named(tag: str) -> None:
    facts: list[tuple[msg.AnyMessage, msg.AnyMessage]] = [
        (msg.ResignationShown(own=True), msg.ResignationShown(own=False)),
        (msg.DrawOffer(own=True), msg.DrawOffer(own=False)),
        (msg.DrawOffer(own=True, by_claim=True), msg.DrawOffer(own=False, by_claim=True)),
        *((msg.DrawReply(accepted=yes, own=True), msg.DrawReply(accepted=yes)) for yes in (True, False)),
        *(
            (msg.RulingShown(own=True, what=what, article="9.5"), msg.RulingShown(own=False, what=what, article="9.5"))
            for what in ("claim_correct", "claim_wrong", "claim_postponed", "illegal", "warning")
        ),
    ]
    for own, other in facts:
        assert heard(own, tag) and heard(other, tag) and heard(own, tag) != heard(other, tag), own
    assert heard(msg.ResignationShown(own=False), tag) == [page_words(tag)["resigned_other"]]
    assert heard(msg.DrawReply(accepted=False, by_move=True), tag) == [], "nobody says it: the move rejects the offer"


def test_the_opponents_acts_in_words() -> None:
    assert heard(msg.ResignationShown(own=False), "en") == ["Your opponent has resigned."]
    assert heard(msg.DrawOffer(own=False), "de") == ["Ihr Gegner bietet Remis an."]
    assert heard(msg.DrawOffer(own=False, by_claim=True), "de") == ["Ihr Gegner reklamiert Remis."]
    postponed = heard(msg.RulingShown(own=True, what="claim_postponed", article="III.5.2"), "de")
    assert " ".join(postponed) == "Über Ihre Reklamation wird später entschieden."


@pytest.mark.parametrize("tag", language_tags())
def test_every_result_is_a_sentence(tag: str) -> None:
    told = {}
    for result in RESULTS:
        (told[result],) = [" ".join(heard(msg.Ended(result=result, reason="agreed", article="9.1"), tag))]
        assert not re.search(r"\d|/", told[result]), told[result]
    assert told["1-0"] == told["+/-"] != told["0-1"] == told["-/+"]
    assert len({told[one] for one in ("1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2")}) == 6


def test_results_in_words() -> None:
    ended = [heard(msg.Ended(result=one, reason="", article=""), "en") for one in ("1/2-1/2", "1-0", "0-1")]
    assert ended == [["Draw."], ["White wins."], ["Black wins."]]
    assert heard(msg.Ended(result="1/2-1/2", reason="", article=""), "de") == ["Remis."]


@pytest.mark.parametrize("tag", language_tags())
def test_the_reason_and_the_article_are_told_when_asked_for(tag: str) -> None:
    (result,) = heard(msg.Ended(result="1/2-1/2", reason="draw_agreed", article="5.2.3"), tag)
    assert "5.2.3" not in result
    asked = heard(msg.AnswerGiven(what="article", refused="ended.draw_agreed", article="5.2.3"), tag)
    assert page_words(tag)["why.draw_agreed"] in " ".join(asked) and "5.2.3" in asked[-1]
    refused = heard(msg.AnswerGiven(what="article", refused="nothing_asked", article="9.1"), tag)
    assert "9.1" in refused[-1] and "9.1" not in " ".join(refused[:-1])


@pytest.mark.parametrize("tag", language_tags())
def test_no_article_and_no_sign_reaches_the_voice_unasked(tag: str) -> None:
    """`(12.9.4)`, "III" and "1/2" are said only as words, and an article only to who asks which rule it is."""
    for message in messages_said(scheme_of("d21", tag)):
        said = voiced(message, tag)
        assert not re.search(r"\([\dIVXD]+(\.\d+)*\)|\b(II|III|IV|VI)\b|1/2|\d:\d\d|\d\. -", said), (message, said)


def test_times_of_day_are_said_as_hours() -> None:
    said = {tag: voiced(msg.PairingShown(pairing=msg.OwnPairing(table="t", round="1", board=2, seat=msg.Seat.WHITE,
            opponent="Bela", starts="15:00")), tag) for tag in language_tags()}  # fmt: skip
    assert said["de"].endswith("Beginn: 15 Uhr.") and "Uhr Uhr" not in said["de"]
    assert said["hu"].endswith("15 óra.") and said["en"].endswith("15 o'clock.")
    assert all("15:00" not in one for one in said.values())


@pytest.mark.law("L192")
@pytest.mark.parametrize("tag", language_tags())
def test_time_is_the_own_time_alone(tag: str) -> None:
    both = {"own_ms": 3_720_000, "opponent_ms": 2_400_000}
    own = heard(msg.AnswerGiven(what="time", own_runs=True, flag_first="opponent", **both), tag)
    assert len(own) == 1 and "40" not in own[0] and len(own[0]) <= 20
    assert heard(msg.AnswerGiven(what="time", own_runs=False, **both), tag) == own, "whose clock runs was not asked"
    settings = {"moves": 12, "to_control": 28, "period": 1, "periods": 2}
    told = heard(msg.AnswerGiven(what="clock", own_runs=True, **settings, **both), tag)
    assert told[0] == own[0] and "40" in told[1] and len(told) == 6, "both times first, then the rest"


def test_short_times() -> None:
    times = (3_720_000, 3_660_000, 7_200_000, 605_000, 599_000, 59_000, 1_000, 0)
    said = [heard(msg.AnswerGiven(what="time", own_ms=ms), "en")[0] for ms in times]
    assert said == [
        "1 hour 2.", "1 hour 1.", "2 hours.", "10 minutes.", "9 minutes 59.", "59 seconds.", "1 second.", "0 seconds.",
    ]  # fmt: skip
    assert heard(msg.AnswerGiven(what="time", own_ms=3_660_000), "de") == ["eine Stunde eins."]
    assert heard(msg.AnswerGiven(what="opponent_time", opponent_ms=2_400_000), "de") == ["Gegner: 40 Minuten."]


def test_an_increment_that_is_the_same_in_every_period_is_told_once() -> None:
    same = " ".join(heard(msg.ClockSetting(stage="set", own=True, control="40/7200+30:20/3600+30:900+30"), "de"))
    assert same.count("30 Sekunden") == 1
    other = " ".join(heard(msg.ClockSetting(stage="set", own=True, control="40/7200+30:20/3600+10:900+30"), "de"))
    assert other.count("30 Sekunden") == 2 and other.count("10 Sekunden") == 1


@pytest.mark.parametrize("tag", language_tags())
def test_a_half_move_that_was_not_written_is_heard(tag: str) -> None:
    blank = scheme_of("d21", tag).messages.text("ear.blank")
    for message in (
        msg.AnswerGiven(what="score", move=3, score=("e4", "")),
        msg.AnswerGiven(what="score", score=("e4", "e5", "", "")),
        msg.OpponentScore(lent=True, cells=CELLS_OF_SCORE),
    ):
        assert blank in voiced(message, tag), message


@pytest.mark.parametrize("tag", language_tags())
def test_long_answers_are_phrases_with_how_much_there_is_first(tag: str) -> None:
    score = tuple(f"{file}{rank}" for file in "abcdefgh" for rank in "34") * 3
    own = heard(msg.AnswerGiven(what="score", score=score), tag)
    assert "24" in own[0] and "24" in own[1] and len(own) == 2, "the last move first"
    lent = heard(msg.AnswerGiven(what="opponent_score", score=score), tag)
    assert len(lent) == 25 and lent[1].startswith("1:") and lent[24].startswith("24:")
    board = heard(msg.AnswerGiven(what="position", placement=START), tag)
    assert len(board) == 17 and "32" in board[0]
    assert heard(msg.AnswerGiven(what="score"), tag), "an empty score is not answered by silence"


@pytest.mark.parametrize("tag", language_tags())
def test_everything_said_is_in_phrases_of_a_few_words(tag: str) -> None:
    for message in messages_said(scheme_of("d21", tag)):
        if isinstance(message, msg.BoardToSet) or getattr(message, "ask", "").startswith("claim_"):
            continue  # into the arbiter's ear; or what the Guidelines need whole
        for text in heard(message, tag):
            assert len(text) <= 62, (message, text)


@pytest.mark.law("L086")
@pytest.mark.parametrize("tag", language_tags())
def test_the_signs_of_a_score_are_heard_as_words(tag: str) -> None:
    """A voice passes over "(=)" (8.1.5), reads "0-0" as two numbers, and 0:45 as a time of day."""
    word = scheme_of("d21", tag)
    for cell in ("Springer Felix drei (=)", "Nf3 (=)", "Nf3+(=)", "e4="):
        offered = [part.text for part in cell_segments(cell, word)]
        assert offered[-1:] == [part.text for part in segments_of(("cmd.draw_offer",), word)], cell
    assert cell_segments("0-0", word) == segments_of(("castle.short",), word)
    assert cell_segments("O-O-O+", word) == segments_of(("castle.long", "word.check"), word)
    assert cell_segments("Nf3#", word)[-1:] == segments_of(("word.mate",), word)
    assert not re.search("[:=()]", "".join(part.text for part in cell_segments("e8=Q 0:45 (=)", word)))
    assert cell_segments("-", word) == cell_segments("", word) != ()
    answer = msg.AnswerGiven(what="score", move=4, score=("Nf3 (=)",))
    assert segments_of(("cmd.draw_offer",), word)[0].text in voiced(answer, tag)


@pytest.mark.parametrize("tag", language_tags())
def test_a_pairing_without_a_name_is_told_without_a_dash(tag: str) -> None:
    for seat in msg.Seat:
        pairing = msg.OwnPairing(table="t", round="", board=0, seat=seat, opponent="", starts="", way="")
        alone, named = (
            heard(msg.AnswerGiven(what="pairing", pairing=replace(pairing, opponent=name)), tag) for name in ("", "X")
        )
        assert alone != named and not re.search("[–{]", " ".join(alone)), alone


@pytest.mark.law("L192")
@pytest.mark.parametrize("tag", language_tags())
def test_both_clocks_end_with_how_they_are_set_and_the_increment_once(tag: str) -> None:
    asked = msg.AnswerGiven(what="clock", own_ms=60_000, opponent_ms=60_000, moves=3)
    plain, whole = heard(asked, tag), " ".join(heard(replace(asked, control="40/5400+30:1800+30"), tag))
    assert whole.startswith(" ".join(plain)) and "40" in whole and "30" in whole
    extra = load_messages(tag).text("clock.bonus", time="@").partition("@")[0].strip() or "30"
    assert whole.count(without_isolation(extra).strip()) == 1, whole
