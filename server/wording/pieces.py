"""Messages for a player's ear, in phrases of at most three seconds each; and all of it as lines for the fingers.

An answer that is long is told in pieces, with how much there is before them: of a score its last move first, of a board
two men at a time. Articles are left out: a player who wants one asks for it. The lines, of at most forty cells and the
move first, are for a braille display and for a hearing-impaired player's eye (D.2.11). Pure except for the words that
`wording` has loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from server.game.acts.questions import ENDED
from server.game.views.messages import (
    AnswerGiven,
    AnyMessage,
    BoardToSet,
    ClaimShown,
    ClockCorrected,
    Ended,
    NotDone,
    OpponentScore,
    PositionTold,
    Question,
    RulingShown,
    SquareToSetNow,
)
from server.protocol import ReadOut, SealedWords
from server.wording.aloud.clock import ANSWERED, clock_in_pieces, control_text, corrected_in_pieces, tick_text
from server.wording.aloud.positions import (
    explored_in_pieces,
    letters_said,
    next_square_in_pieces,
    position_in_pieces,
    squares_in_pieces,
)
from server.wording.aloud.questions import either_asked
from server.wording.aloud.says import Told, in_listeners_voice, in_voice_of
from server.wording.aloud.scores import cell_segments
from server.wording.aloud.spoken import spoken_message
from server.wording.pages import page_words
from server.wording.refusals import sentence
from server.wording.words import segments_of, text_in
from speech.announcements.cells import CELLS, count_cells, pages
from speech.announcements.clock_phrases import time_short
from speech.announcements.short_form import short_form
from speech.voices.voice import Segment
from speech.words.loading import load_language, parts_listed
from speech.words.messages import FIRST_STRONG, POP
from speech.words.scheme import Scheme

SLACK = 2
"""A clause that has no more letters than this above the longest phrase is not broken."""
WORDS_OF_HELP = 3
"""Commands in one phrase."""
LONGEST_MOVE = 26
"""Letters of a number and two half-moves that stand in one phrase."""
_SENTENCE = re.compile(r"(?<=[.?!;։؛؟…])[\s]+(?=\S)")
_CLAUSE = re.compile(r"(?<=[,،:՝])\s+")
_ARTICLE = re.compile(
    rf"\s*\({FIRST_STRONG}?(?:[A-D]|[IVX]+|\d+)(?:\.\d+)*{POP}?(?:,\s*{FIRST_STRONG}?[\dIVXD.]+{POP}?)*\)"
)


def pieces_of(
    message: AnyMessage | SealedWords | ReadOut, scheme: Scheme, *, read_back: bool = True
) -> tuple[Told, ...]:
    """Return what a message says into a player's ear, phrase by phrase; () where it is silent."""
    texts = scheme.messages
    match message:
        case AnswerGiven() if (answer := _answer(message, scheme)) is not None:
            return answer
        case OpponentScore(lent=True):
            return _score(message.cells, scheme)
        case ClaimShown(own=False):
            asked = texts.text("say.verify_claim")
            men = position_in_pieces(message.placement, scheme, by_square=False)
            score = _score(message.score, scheme) if message.score else ()
            return (*_phrases(asked, scheme.listener.tag), *men, *score)
        case PositionTold():
            return explored_in_pieces(message, scheme)
        case Question(ask="either"):
            return _either(message, scheme)
        case Question():  # whole: nothing may come between a question and its answers
            told = spoken_message(message, scheme, read_back=read_back)
            return () if told is None else (told,)
        case BoardToSet():
            return squares_in_pieces(message.squares, scheme)
        case SquareToSetNow(square=str()):
            return next_square_in_pieces(message, scheme)
        case ClockCorrected():
            return _sentences(corrected_in_pieces(message, scheme), scheme)
        case NotDone():
            return _phrases(sentence(message.code, "", scheme.listener.tag), scheme.listener.tag)
        case RulingShown() | Ended():
            said = spoken_message(_without_article(message), scheme, read_back=read_back)
        case _:
            said = spoken_message(message, scheme, read_back=read_back)
    if said is None:
        return ()
    text, segments = said
    tongue = segments[0].voice_language
    sentence_alone = segments == in_voice_of(text, tongue)
    return _phrases(_ARTICLE.sub("", text), tongue) if sentence_alone else (said,)


def _answer(message: AnswerGiven, scheme: Scheme) -> tuple[Told, ...] | None:
    """Return an answer that is told in pieces of its own; None for one that is said as it is written."""
    match message.what:
        case what if what in ANSWERED:
            pace = scheme.listener.time_pace
            answer = _sentences(clock_in_pieces(message, scheme), scheme)
            if message.control:
                answer += _phrases(control_text(message.control, scheme), scheme.listener.tag)
            return tuple((text, tuple(replace(part, pace=pace) for part in said)) for text, said in answer)
        case "score" if (number := message.move) is not None:
            first = _move(number, (*message.score, "", "")[:2], scheme, message.took_ms)
            return (*first, *_moves(message.score[2:], scheme, number + 1))
        case "score":
            return _last_of_score(message, scheme)
        case "opponent_score" if message.score:
            return _score(message.score, scheme)
        case "position" | "set_up" if message.placement:
            return position_in_pieces(message.placement, scheme, by_square=message.what == "set_up")
        case "help":
            return _help(message, scheme)
        case "article":
            return _rule(message, scheme)
    return None


def no_more(scheme: Scheme) -> Told:
    """Return what is said after the last piece of an answer."""
    return _sentences([scheme.messages.text("ear.no_more")], scheme)[0]


def unspoken(scheme: Scheme) -> Told:
    """Return what is said where the voice could not say something."""
    return _sentences([scheme.messages.text("ear.unspoken")], scheme)[0]


def lines_of(message: AnyMessage | SealedWords, scheme: Scheme) -> tuple[str, ...]:
    """Return the lines of a message; () where nothing is said.

    A move that takes more than a line stands first in its short form, and then in its words.
    """
    said = spoken_message(message, scheme, read_back=True)
    text = said[0] if said is not None else tick_text(message, scheme)
    if not text:
        return ()
    words: tuple[str, ...] = getattr(message, "words", ())
    lines = pages(text)
    if words and count_cells(text) > CELLS and (short := short_form(words, scheme.listener)):
        return (short, *lines)
    return lines


def _without_article(message: RulingShown | Ended) -> RulingShown | Ended:
    if isinstance(message, RulingShown):
        return RulingShown(own=message.own, what=message.what, article="")
    return Ended(result=message.result, reason=message.reason, article="")


def _sentences(texts: Iterable[str], scheme: Scheme) -> tuple[Told, ...]:
    return tuple((text, in_listeners_voice(text, scheme)) for text in texts)


def _last_of_score(message: AnswerGiven, scheme: Scheme) -> tuple[Told, ...]:
    """Return how many moves a player's score has, and the last of them.

    The others are asked for by number, or in turn.
    """
    count = (len(message.score) + 1) // 2
    if not count:
        return _sentences([scheme.messages.text("ear.nothing_written")], scheme)
    counted = scheme.messages.text("ear.moves_written", count=count)
    return (*_sentences([counted], scheme), *_move(count, message.score[2 * count - 2 :], scheme))


def _score(cells: Sequence[str], scheme: Scheme) -> tuple[Told, ...]:
    """Return a whole score, a move at a time, with how many moves there are before them."""
    count = (len(cells) + 1) // 2
    return (*_sentences([scheme.messages.text("ear.moves_written", count=count)], scheme), *_moves(cells, scheme))


def _moves(cells: Sequence[str], scheme: Scheme, first: int = 1) -> tuple[Told, ...]:
    """Return moves of a score from that number on, a move at a time."""
    pairs = (cells[place : place + 2] for place in range(0, len(cells), 2))
    return tuple(piece for number, pair in enumerate(pairs, first) for piece in _move(number, pair, scheme))


def _move(number: int, cells: Sequence[str], scheme: Scheme, took_ms: Sequence[int | None] = ()) -> tuple[Told, ...]:
    """Return one move of a score, whose half-moves stand in one phrase where both are short.

    A half-move that was not written is heard as that. `took_ms`: the time of each, in a game released for review.
    """
    tongue = scheme.listener.tag
    known = [cell for cell in cells if cell] if len(cells) > 1 else list(cells)
    told: list[Told] = []
    for place, cell in enumerate(cells if known else ("",)):
        text = scheme.as_spelt(cell) or scheme.messages.text("ear.blank")
        said = cell_segments(cell, scheme)
        head = "" if place else f"{number}:"
        told.append((f"{head} {text}".strip(), (*([Segment(head, tongue)] if head else []), *said)))
    if len(told) == 2 and len(told[0][0]) + len(told[1][0]) <= LONGEST_MOVE:
        told = [(f"{told[0][0]}, {told[1][0]}", (*told[0][1], *told[1][1]))]
    times = [time_short(ms, scheme.messages) for ms in took_ms if ms is not None]
    return (*told, *_sentences([f"{'; '.join(times)}."] if times else [], scheme))


def _either(message: Question, scheme: Scheme) -> tuple[Told, ...]:
    """Return the question which of two announcements it was: the first, then "or" and the other."""
    text, segments = either_asked(message, scheme)
    if len(text) <= scheme.listener.phrase:
        return ((text, segments),)
    between = scheme.phrase("or")
    told = []
    for place, words in enumerate(message.either):
        said = segments_of(words, scheme)
        ends = "," if place + 1 < len(message.either) else "?"
        opening = f"{between} " if place else ""
        head = (Segment(between, scheme.listener.tag),) if place else ()
        told.append((f"{opening}{text_in(words, scheme)}{ends}", (*head, *said)))
    return tuple(told)


def _help(message: AnswerGiven, scheme: Scheme) -> tuple[Told, ...]:
    """Return the commands that can be said now, a few at a time, and the word for the rest of them."""
    tongue = scheme.listener.tag
    words = [scheme.text(word) for word in message.words]
    if not message.more:
        words.append(scheme.text("cmd.help"))
    groups: list[list[str]] = []
    for word in words:
        more = [*groups[-1], word] if groups and len(groups[-1]) < WORDS_OF_HELP else [word]
        if len(more) > 1 and letters_said(parts_listed(more, tongue)) <= load_language(tongue).phrase:
            groups[-1] = more
        else:
            groups.append([word])
    return _sentences([f"{parts_listed(group, tongue)}." for group in groups], scheme)


def _rule(message: AnswerGiven, scheme: Scheme) -> tuple[Told, ...]:
    """Return why the last command was refused or how the game ended, and the article, which is asked for here."""
    tongue = scheme.listener.tag
    code, article = message.refused, message.article
    if not code:
        return _sentences([scheme.phrase("nothing_refused")], scheme)
    told = why_told(code, scheme) if code.startswith(ENDED) else sentence(code, "", tongue)
    told_article = _sentences([scheme.messages.text("ear.by_article", article=article)] if article else [], scheme)
    return (*_phrases(told, tongue), *told_article)


def why_told(code: str, scheme: Scheme) -> str:
    """Return for what reason the game ended, in words; a reason that a person wrote stays as it was written."""
    reason = code.removeprefix(ENDED)
    return scheme.messages.text("ear.ended_because", why=page_words(scheme.listener.tag).get(f"why.{reason}", reason))


def _phrases(text: str, language: str) -> tuple[Told, ...]:
    """Return a text in phrases that the voice of the language says in three seconds (`phrase` in `language.toml`).

    They end at a sentence, else at a clause, else at a word.
    """
    most = load_language(language).phrase
    if letters_said(text) <= most:
        return ((text, in_voice_of(text, language)),)
    found: list[str] = []
    for part in _SENTENCE.split(text):
        for clause in (part,) if letters_said(part) <= most else _CLAUSE.split(part):
            found += [clause] if letters_said(clause) <= most + SLACK else _break_clause(clause, most)
    joined: list[str] = []
    for part in found:
        if joined and letters_said(joined[-1]) + letters_said(part) < most:
            joined[-1] = f"{joined[-1]} {part}"
        else:
            joined.append(part)
    return tuple((part, in_voice_of(part, language)) for part in joined)


def _break_clause(clause: str, most: int) -> list[str]:
    """Return the parts of one clause, none longer than that where its words allow it, of about the same length."""
    words, lines = clause.split(), -(-letters_said(clause) // most)
    aim, parts = letters_said(clause) / lines, [""]
    for word in words:
        even = letters_said(parts[-1]) + letters_said(word) / 2 > aim and len(parts) < lines
        if parts[-1] and (even or letters_said(f"{parts[-1]} {word}") > most + SLACK):
            parts.append("")
        parts[-1] = f"{parts[-1]} {word}".strip()
    return parts
