"""Questions and answers in the ear: questions on a move, answers to a player, and why a command was refused."""

from __future__ import annotations

from server.game.views.messages import AnswerGiven, NotDone, Question
from server.wording.aloud.clock import ANSWERED, clock_answer
from server.wording.aloud.positions import position_text, position_tokens
from server.wording.aloud.says import Told, says
from server.wording.aloud.scores import cells_read, moves_read
from server.wording.aloud.table import pairing_text
from server.wording.pages import page_words
from server.wording.refusals import sentence
from server.wording.words import segments_of, text_in
from speech.voices import respelling
from speech.voices.voice import Segment
from speech.words.loading import parts_listed
from speech.words.scheme import Scheme


@says(Question)
def _question(message: Question, scheme: Scheme) -> Told | str:
    if message.ask == "which":
        return _which(message, scheme)
    return either_asked(message, scheme) if message.ask == "either" else question_asked(message.ask, scheme)


def question_asked(what: str, scheme: Scheme) -> str:
    """Return a question in the listener's words: what the words heard left open, the same whatever the position.

    It is the question that the player's page shows.
    """
    if what in ("from", "repeat"):  # said of a sealed move as well, and where no page is
        return scheme.phrase("ask_from" if what == "from" else "ask_repeat")
    return page_words(scheme.listener.tag).get(f"ask.{what}", scheme.phrase("ask_repeat"))


def _which(message: Question, scheme: Scheme) -> tuple[str, tuple[Segment, ...]]:
    """Return the question in training "Springer von Bella oder von Felix?".

    It names the files, else the ranks, else the squares.
    """
    files, ranks = ([square[place] for square in message.choices] for place in (0, 1))
    named: list[tuple[str, ...]] = [scheme.square(square) for square in message.choices]
    if len(set(files)) == len(files):
        named = [words[:1] for words in named]
    elif len(set(ranks)) == len(ranks):
        named = [words[1:] for words in named]
    tongue = scheme.listener.tag
    segments = list(segments_of((f"piece.{message.piece}",), scheme))
    told = [scheme.text(f"piece.{message.piece}")]
    for number, words in enumerate(named):
        if number:
            segments.append(Segment(scheme.phrase("or"), tongue))
            told.append(scheme.phrase("or"))
        segments += segments_of(("word.from", *words), scheme)
        told.append(text_in(("word.from", *words), scheme))
    return scheme.phrase("ask_which", choices=" ".join(told)), tuple(segments)


def either_asked(message: Question, scheme: Scheme) -> tuple[str, tuple[Segment, ...]]:
    """Return the question "Bella vier oder David vier?": its text and its segments for the voices."""
    between = Segment(scheme.phrase("or"), scheme.listener.tag)
    segments: list[Segment] = []
    for words in message.either:
        segments += [*([between] if segments else ()), *segments_of(words, scheme)]
    told = f" {between.text} ".join(text_in(words, scheme) for words in message.either)
    return scheme.phrase("ask_which", choices=told), tuple(segments)


@says(NotDone)
def _refused(message: NotDone, scheme: Scheme) -> str:
    return sentence(message.code, message.article, scheme.listener.tag)


@says(AnswerGiven)
def _answer(message: AnswerGiven, scheme: Scheme) -> Told | str | None:
    match message.what:
        case what if what in ANSWERED:
            return clock_answer(message, scheme)
        case "last" if message.words:
            return text_in(message.words, scheme), segments_of(message.words, scheme)
        case "last":
            return scheme.phrase("nothing_announced")
        case "help" | "article" | "pairing":
            return answer_text(message, scheme)
        case "position" | "set_up":
            return _position(message, scheme)
        case "score" | "opponent_score":
            number = message.move
            return cells_read(message.score, scheme) if number is None else moves_read(number, message, scheme)
    return None


def answer_text(message: AnswerGiven, scheme: Scheme) -> str:
    """Return the commands that can be said now, why the last one was not carried out, or where the player plays.

    In the listener's own words.
    """
    if message.what == "pairing":
        return pairing_text(message.pairing, scheme)
    if message.what == "article":
        code, article = message.refused, message.article
        return sentence(code, article, scheme.listener.tag) if code else scheme.phrase("nothing_refused")
    told = parts_listed((scheme.text(word) for word in message.words), scheme.listener.tag)
    return told if message.more else scheme.phrase("help_more", words=told, help=scheme.text("cmd.help"))


def _position(message: AnswerGiven, scheme: Scheme) -> tuple[str, tuple[Segment, ...]] | None:
    if not message.placement:
        return None
    by_square = message.what == "set_up"
    segments: list[Segment] = []
    for name, tokens in position_tokens(message.placement, scheme, by_square=by_square):
        segments += [Segment(name, scheme.listener.tag), *respelling.segments_of(tokens, scheme)]
    return position_text(message.placement, scheme, by_square=by_square), tuple(segments)
