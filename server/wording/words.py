"""This translates between the core's announcements and the words of speech; nothing else knows both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal

import chess
import msgspec

from server.game.decide.adaptations import recorded
from server.game.laws.scoresheet import Mark, is_cell, parts_of_cell, time_of_cell, unmarked
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.candidates import MOST_CANDIDATES, Candidate
from server.game.values.pairing import OwnPairing
from server.game.values.position import Position, passed_pawn
from server.game.values.words import Seat
from server.game.views.messages import (
    ActTaken,
    AdjournmentShown,
    AnswerGiven,
    AnyMessage,
    BoardToSet,
    ClaimShown,
    ClockCorrected,
    ClockMasterShown,
    ClockSetting,
    ClockShown,
    DrawOffer,
    DrawReply,
    Ended,
    FlagShown,
    GuidelinesShown,
    IncrementShown,
    LawRead,
    LinkShown,
    ModeShown,
    NextGameShown,
    NoTaken,
    NotDone,
    OpponentScore,
    PairingShown,
    Paused,
    PositionTold,
    Question,
    Relayed,
    ResignationShown,
    Resumed,
    ReviewShown,
    RulingShown,
    SessionShown,
    SoundShown,
    SquareToSetNow,
    Started,
    TimeCue,
    TimeGiven,
    Understood,
)
from server.protocol import ReadOut, SealedWords
from server.wording.clock import (
    ANSWERED,
    changed_text,
    clock_answer,
    corrected_text,
    cue_text,
    in_listeners_voice,
    in_voice_of,
    setting_text,
)
from server.wording.pages import page_words
from server.wording.positions import explored_told, next_square_told, position_text, position_tokens, squares_told
from server.wording.refusals import Refused, sentence
from server.wording.rules import load_penalties
from speech.announcements.announce import announce, said_of, speak, text_of
from speech.announcements.clock_phrases import time_short, time_told
from speech.announcements.understand import said_of_text
from speech.complaint import Complaint
from speech.hearing.evidence import MayBeSaid
from speech.voices import respelling
from speech.voices.voice import Segment
from speech.words.loading import load_scheme, parts_listed
from speech.words.said import Heard, Said
from speech.words.scheme import Scheme
from speech.words.scheme_changes import NO_CHANGES, SchemeChanges
from speech.words.signs import result_said

Told = tuple[str, tuple[Segment, ...]]
"""What is told: its text, and its segments for the voices."""

PROMOTIONS: dict[str, Literal["queen", "rook", "bishop", "knight"]] = {
    "q": "queen",
    "r": "rook",
    "b": "bishop",
    "n": "knight",
}
PROMOTED = {piece: letter for letter, piece in PROMOTIONS.items()}
# Which parts of a scheme each adaptation of the words (D.2.1) changes.
CHANGED_BY = {
    "file_names": ("file_names",),
    "rank_language": ("ranks", "letters"),  # one voice says the whole square
    "piece_and_castling_words": ("pieces", "castling", "connecting"),
}


@cache
def scheme_of(name: str, language: str, changes: SchemeChanges = NO_CHANGES) -> Scheme:
    """Return the scheme of an arbiter's choice for a listener's language, loaded once."""
    return load_scheme(name, language, changes=changes)


def scheme_for(state: GameState, seat: Seat | None) -> Scheme:
    """Return the scheme of a seat in its language, as this table has adapted it (D.2.1).

    In it the seat is heard, spoken to and read. d21 in English for stations without a seat.
    """
    if seat is None:
        return scheme_of("d21", "en")
    return scheme_of(state.plan(seat).scheme, state.language_of(seat), changes_of(state))


def check_ear(state: GameState, language: str) -> None:
    """Check that both players could be spoken to in this language. Raises Complaint where not."""
    for plan in (state.table.white, state.table.black):
        scheme_of(plan.scheme, language, changes_of(state))


def short_words(words: Sequence[str]) -> tuple[str, ...]:
    """Return the end of an announcement: where to, and what a pawn becomes; castling as it is."""
    squares = [place for place, word in enumerate(words) if word.startswith("rank.")]
    return tuple(words[max(0, squares[-1] - 1) :]) if squares else tuple(words)


def changes_of(state: GameState) -> SchemeChanges:
    """Return what this table says differently from its schemes (D.1): only what is on record."""
    settled = {name: recorded(state, name) for name in CHANGED_BY}
    return SchemeChanges(**{part: settled[name] for name, parts in CHANGED_BY.items() for part in parts})


def check_words(state: GameState, name: str, value: str) -> None:
    """Check that the words of both players can still be told apart. Raises Complaint where not."""
    known = next((one for one in state.table.known_adaptations if one.name == name), None)
    if name not in CHANGED_BY or known is None or value not in known.values:
        return  # nothing about words, or the core will refuse it
    changes = msgspec.structs.replace(changes_of(state), **dict.fromkeys(CHANGED_BY[name], value))
    for seat in Seat:
        scheme_of(state.plan(seat).scheme, state.language_of(seat), changes)


def announcement_of(said: Said) -> Announcement:
    """Return what speech recognised, as the core takes it."""
    return Announcement(said.piece, said.from_square, said.to_square, said.promotion, said.castling)  # type: ignore[arg-type]


def said_by(announcement: Announcement) -> Said:
    """Return what the core holds, as speech takes it."""
    return Said(
        announcement.piece,
        announcement.from_square,
        announcement.to_square,
        announcement.promotion,
        announcement.castling,
    )


def candidates_of(ways: Sequence[MayBeSaid]) -> tuple[Candidate, ...]:
    """Return what an utterance may have been, as the core keeps it."""
    return tuple(Candidate.of(announcement_of(way.said), way.cost) for way in ways)[:MOST_CANDIDATES]


def canonical(announcement: Announcement, scheme: Scheme) -> tuple[tuple[str, ...], str]:
    """Return the canonical words (ids) and recorded text of an announcement; nothing is added to what was said."""
    words = tuple(token.id for token in speak(said_by(announcement), scheme))
    return words, scheme.recorded(words)


def text_in(words: Sequence[str], scheme: Scheme) -> str:
    """Return word ids as one line of text; ids that the scheme lacks (another language's) are left out."""
    return text_of(scheme.token(word) for word in words if word in scheme.words)


def entered(position: Position, uci: str, scheme: Scheme) -> tuple[Announcement, tuple[str, ...], str]:
    """Return the announcement, word ids and recorded text of a move entered on a player's own board.

    Where the server's board has no piece on the departure square, the squares alone are said: the server may be the
    one that is wrong (G13), and the player hears nothing of it. Raises Complaint where a promotion names no piece
    (L017: no silent queen).
    """
    board = position.board()
    move = chess.Move.from_uci(uci)
    piece = board.piece_at(move.from_square)
    if piece is None:
        bare = Announcement(from_square=uci[:2], to_square=uci[2:4], promotion=PROMOTIONS.get(uci[4:]))
        return bare, *canonical(bare, scheme)
    board.turn = piece.color
    if piece.piece_type == chess.PAWN and chess.square_rank(move.to_square) in (0, 7) and move.promotion is None:
        raise Refused("name_the_piece", "3.7.3.3", scheme.language)
    if passed_pawn(board, move, piece) is not None:
        board.ep_square = move.to_square  # by its form: the same words whether en passant is legal or not
    words = tuple(token.id for token in announce(board, move, scheme))
    return announcement_of(said_of(board, move)), words, scheme.recorded(words)


def typed(text: str, own: Scheme) -> Heard:
    """Return what typed words mean. Raises Complaint at an unknown word.

    They are read in the seat's scheme, or else wholly in its player's own language ("knight f3").
    """
    return said_of_text(text, own, scheme_of("national", own.language))


def cell_words(text: str, own: Scheme) -> tuple[str, ...]:
    """Return the word ids of a score's cell that is written in words, without its marks.

    () where it is not in words of this program.
    """
    rest = unmarked(text)
    if not rest or is_cell(text):
        return ()
    try:
        heard = typed(rest, own)
    except Complaint:
        return ()
    return heard.words if heard.kind in ("move", "command") else ()


_WORD_OF_MARK: dict[Mark, str] = {
    "offer": "cmd.draw_offer",
    "check": "word.check",
    "mate": "word.mate",
    "en_passant": "word.ep",
    "short": "castle.short",
    "long": "castle.long",
}


_PROMOTED = re.compile(r"=(?=\w)")


def cell_segments(cell: str, scheme: Scheme) -> tuple[Segment, ...]:
    """Return one cell of a score for the voices: its move, and each sign in words (8.1.1, 8.1.5).

    A voice reads none of "(=)", "+" and "0-0" as a player means it. An empty cell is said to be empty.
    """
    texts = scheme.messages
    words = cell_words(cell, scheme)
    told: list[Segment] = [*segments_of(words, scheme)] if words else []
    for mark, part in parts_of_cell(cell):
        if mark in _WORD_OF_MARK:
            told += segments_of((_WORD_OF_MARK[mark],), scheme)
        elif mark == "time":
            told += in_listeners_voice(time_short(time_of_cell(part), texts), scheme)
        elif mark == "claim":
            told += in_listeners_voice(texts.text("ear.by_article", article=part), scheme)
        elif not words and any(letter.isalnum() for letter in part):
            told += in_listeners_voice(scheme.spelt(_PROMOTED.sub(" ", part)), scheme)
    return tuple(told) or in_listeners_voice(texts.text("ear.blank"), scheme)


def time_in_words(ms: int, scheme: Scheme) -> str:
    """Return a time in words, never as digits with colons: "eine Stunde 5 Minuten".

    Under ten minutes with seconds.
    """
    return time_told(ms, scheme.messages)


def segments_of(words: Sequence[str], scheme: Scheme) -> tuple[Segment, ...]:
    """Return word ids for the voices; ids that the scheme lacks (another language's) are left out."""
    return respelling.segments_of(scheme.tokens(word for word in words if word in scheme.words), scheme)


def spoken(
    message: AnyMessage | SealedWords | ReadOut, scheme: Scheme, *, read_back: bool
) -> tuple[str, tuple[Segment, ...]] | None:
    """Return what a message says into a private ear: its text and the segments for the voice.

    None where it is silent.
    """
    tongue = scheme.listener.tag
    match message:
        case Relayed():
            return text_in(message.words, scheme), segments_of(message.words, scheme)
        case Understood(echo=True) if read_back and message.words:
            text = f"{scheme.phrase('echo_taken')} {text_in(message.words, scheme)}"
            return text, (Segment(scheme.phrase("echo_taken"), tongue), *segments_of(message.words, scheme))
        case Understood() if read_back and message.words:
            return text_in(message.words, scheme), segments_of(message.words, scheme)
        case SealedWords(understood=True):
            return text_in(message.words, scheme), segments_of(message.words, scheme)
        case SealedWords():
            text = asked(message.ask or "repeat", scheme)
            return text, in_listeners_voice(text, scheme)
        case ReadOut():
            return message.text, in_voice_of(message.text, message.language)
        case AdjournmentShown(stage="ordered", own=True):
            text = scheme.phrase("seal_now")
            return text, in_listeners_voice(text, scheme)
        case AdjournmentShown():
            text = page_words(tongue)[f"adjourn.{message.stage}{'_own' if message.own else ''}"]
            return text, in_listeners_voice(text, scheme)
        case ModeShown(in_game=True):
            text = page_words(tongue)[f"mode.{message.mode}"]
            return text, in_listeners_voice(text, scheme)
        case BoardToSet():
            return squares_told(message.squares, scheme)
        case SquareToSetNow():
            return next_square_told(message, scheme)
        case Question(ask="which"):
            return _which(message, scheme)
        case Question(ask="either"):
            return either_asked(message, scheme)
        case Question():
            text = asked(message.ask, scheme)
            return text, in_listeners_voice(text, scheme)
        case NotDone():
            text = sentence(message.code, message.article, tongue)
            return text, in_listeners_voice(text, scheme)
        case AnswerGiven():
            return _answer(message, scheme)
        case PositionTold():
            return explored_told(message, scheme)
        case ReviewShown():
            text = scheme.phrase("review_open" if message.released else "review_shut")
            return text, in_listeners_voice(text, scheme)
        case PairingShown():
            text = pairing_text(message.pairing, scheme, changed=message.changed)
            return text, in_listeners_voice(text, scheme)
        case GuidelinesShown():
            which = "off" if not message.quickplay else "alone" if message.unsupervised else "on"
            text = scheme.phrase(f"guidelines_{which}")
            return text, in_listeners_voice(text, scheme)
        case ClaimShown(own=False):
            return _claim(message, scheme)
        case LawRead() if message.text:
            return message.text, in_voice_of(message.text, message.language)
        case OpponentScore() if message.cells:
            return cells_read(message.cells, scheme)
        case ResignationShown() | DrawOffer() | DrawReply() | NoTaken():
            text = act_text(message, scheme)
            return (text, in_listeners_voice(text, scheme)) if text else None
        case FlagShown():
            text = scheme.phrase("time_own" if message.own else "time_opponent", time=time_in_words(0, scheme))
            return text, in_listeners_voice(text, scheme)
        case TimeCue(way="ticks"):
            return None  # a tick is not a word: the station makes it
        case TimeCue():
            text = cue_text(message, scheme)
            return text, in_listeners_voice(text, scheme)
        case ClockSetting():
            text = setting_text(message, scheme)
            return text, in_listeners_voice(text, scheme)
        case SoundShown(word=word) if word:
            told = ("cmd.read_keys", "cmd.no") if word == "no_keys" else (f"cmd.{word}",)
            return text_in(told, scheme), segments_of(told, scheme)
        case LinkShown():
            text = scheme.phrase(f"{message.what}_lost" if message.what != "line" else "line_back")
            return text, in_listeners_voice(text, scheme)
        case ClockCorrected():
            text = corrected_text(message, scheme)
            return text, in_listeners_voice(text, scheme)
        case Ended(result="*"):
            text = scheme.messages.with_article(scheme.phrase("game_cancelled"), message.article)
            return text, in_listeners_voice(text, scheme)
        case NextGameShown():
            text = scheme.phrase(f"next_game_{message.seat}" if message.seat else "next_game")
            return text, in_listeners_voice(text, scheme)
        case Ended():
            text = result_said(message.result, scheme.messages)
            return text, in_listeners_voice(text, scheme)
        case Started(appointed=True):  # an arbiter who starts it by hand says so in person
            text = scheme.phrase("shown_started")
            return text, in_listeners_voice(text, scheme)
        case Paused(medical=True):
            text = scheme.phrase("shown_medical")
            return text, in_listeners_voice(text, scheme)
        case Paused() | Resumed():
            text = scheme.phrase("shown_paused" if isinstance(message, Paused) else "shown_resumed")
            return text, in_listeners_voice(text, scheme)
        case TimeGiven() | IncrementShown() | ClockMasterShown():
            text = changed_text(message, scheme)
            return text, in_listeners_voice(text, scheme)
        case ClockShown(told=told) if told is not None:
            return spoken(told, scheme, read_back=read_back)
        case ActTaken():
            text = scheme.phrase(f"taken_{message.what}", result=result_said(message.result, scheme.messages))
            return text, in_listeners_voice(text, scheme)
        case RulingShown():
            text = ruling_text(message, scheme)
            return text, in_listeners_voice(text, scheme)
        case SessionShown():
            text = scheme.phrase("session", time=time_told(message.length_ms, scheme.messages))
            return text, in_listeners_voice(text, scheme)
    return None


def ruling_text(message: RulingShown, scheme: Scheme) -> str:
    """Return what the arbiter ruled about the listener or the opponent, whose claim or fault it is, with its article.

    A penalty is in the words of 12.9.
    """
    if message.what.startswith("claim_"):
        text = scheme.phrase(f"{message.what}_{'own' if message.own else 'opponent'}")
        return scheme.messages.with_article(text, message.article)
    if message.what == "undone":
        return scheme.phrase("ruling_undone")
    penalty = _penalties().get(message.what)
    what = scheme.phrase(f"rule_{message.what}") if penalty is None else penalty[scheme.listener.tag]
    what = scheme.messages.with_article(what, message.article)
    return scheme.phrase("ruling_own" if message.own else "ruling_opponent", what=what)


@cache
def _penalties() -> dict[str, dict[str, str]]:
    return {one.id: dict(one.text) for one in load_penalties()}


def tick_text(message: AnyMessage | SealedWords, scheme: Scheme) -> str:
    """Return what is read where a tick is heard; "" for every other message."""
    return cue_text(message, scheme) if isinstance(message, TimeCue) else ""


def act_text(message: ResignationShown | DrawOffer | DrawReply | NoTaken, scheme: Scheme) -> str:
    """Return what a player has done, who did it always named; "" where it is done without a word.

    A move that is made instead of an answer rejects an offer without a word (9.1.2.1).
    """
    words = page_words(scheme.listener.tag)
    match message:
        case ResignationShown():
            return words["resigned_own" if message.own else "resigned_other"]
        case DrawOffer(by_claim=True):
            return words["draw_claimed_own" if message.own else "draw_claim_came"]
        case DrawOffer():
            return words["draw_offered" if message.own else "draw_offer_came"]
        case DrawReply(by_move=False):
            return words[f"draw_{'accepted' if message.accepted else 'declined'}{'' if message.own else '_other'}"]
        case NoTaken():
            return words.get(f"no_taken.{message.what}", words["no_taken"])
    return ""


def asked(what: str, scheme: Scheme) -> str:
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


def _answer(message: AnswerGiven, scheme: Scheme) -> tuple[str, tuple[Segment, ...]] | None:
    match message.what:
        case what if what in ANSWERED:
            text = clock_answer(message, scheme)
            return text, in_listeners_voice(text, scheme)
        case "last" if message.words:
            return text_in(message.words, scheme), segments_of(message.words, scheme)
        case "last":
            text = scheme.phrase("nothing_announced")
        case "help" | "article":
            text = answer_text(message, scheme)
        case "pairing":
            text = answer_text(message, scheme)
            return text, in_listeners_voice(text, scheme)
        case "position" | "set_up":
            return _position(message, scheme)
        case "score" | "opponent_score":
            number = message.move
            return cells_read(message.score, scheme) if number is None else moves_read(number, message, scheme)
        case _:
            return None
    return text, in_listeners_voice(text, scheme)


def pairing_text(pairing: OwnPairing | None, scheme: Scheme, *, changed: bool = False) -> str:
    """Return where a player plays, in the player's language; the way to the table is in the organiser's words.

    None: nothing is paired yet.
    """
    if pairing is None:
        return scheme.phrase("pairing_none")
    told = [scheme.phrase("pairing_changed")] if changed else []
    if pairing.round:
        told.append(scheme.phrase("pairing_round", round=pairing.round))
    if pairing.board:
        told.append(scheme.phrase("pairing_board", board=pairing.board))
    if pairing.opponent:
        told.append(scheme.phrase(f"pairing_{pairing.seat}", opponent=pairing.opponent))
    else:
        told.append(scheme.phrase(f"pairing_{pairing.seat}_alone"))
    if pairing.starts:
        told.append(scheme.phrase("pairing_time", time=pairing.starts))
    return " ".join([*told, pairing.way] if pairing.way else told)


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


def claim_text(message: ClaimShown, scheme: Scheme) -> str:
    """Return what the opponent is asked to verify (III.6.1).

    The claimant's board, and the claimant's score where it was submitted.
    """
    lines = [_verify(scheme)]
    lines.append(position_text(message.placement, scheme, by_square=False))
    score = cells_read(message.score, scheme)
    return "\n".join([*lines, score[0]] if score is not None else lines)


def _claim(message: ClaimShown, scheme: Scheme) -> tuple[str, tuple[Segment, ...]]:
    tongue = scheme.listener.tag
    segments = [*in_listeners_voice(_verify(scheme), scheme)]
    for name, tokens in position_tokens(message.placement, scheme, by_square=False):
        segments += [Segment(name, tongue), *respelling.segments_of(tokens, scheme)]
    if (score := cells_read(message.score, scheme)) is not None:
        segments += score[1]
    return claim_text(message, scheme), tuple(segments)


def _verify(scheme: Scheme) -> str:
    """Return what the opponent of a claimant is asked."""
    return scheme.messages.with_article(scheme.phrase("verify_claim"), "III.6.1")


def moves_read(first: int, message: AnswerGiven, scheme: Scheme) -> Told:
    """Return moves of a score from that number on, as a line for each."""
    pairs = [message.score[place : place + 2] for place in range(0, len(message.score), 2)] or [()]
    told = [
        move_read(
            number,
            msgspec.structs.replace(message, score=pair, took_ms=message.took_ms if number == first else ()),
            scheme,
        )
        for number, pair in enumerate(pairs, first)
    ]
    return "\n".join(text for text, _ in told), tuple(part for _, parts in told for part in parts)


def move_read(number: int, message: AnswerGiven, scheme: Scheme) -> Told:
    """Return one move of a score by its number; "-" stands for a half-move that was not written.

    In a game that is released for review, the time of each half-move follows.
    """
    cells = (*message.score, "", "")[:2]
    told = f"{number}. {', '.join(scheme.spelt(cell) or '-' for cell in cells)}"
    segments = [Segment(f"{number}:", scheme.listener.tag)]
    for cell in cells if any(cells) else cells[:1]:
        segments += cell_segments(cell, scheme)
    times = [time_told(ms, scheme.messages) for ms in message.took_ms if ms is not None]
    took = f". {'; '.join(times)}." if times else ""
    return told + took, (*segments, *(in_listeners_voice(took.removeprefix(". "), scheme) if took else ()))


def cells_read(cells: Sequence[str], scheme: Scheme) -> Told | None:
    """Return a score as it is read aloud, half-move by half-move; None where there is none."""
    if not cells:
        return None
    told = (f"{number}. {scheme.spelt(cell) or '-'}" for number, cell in enumerate(cells, 1))
    segments: list[Segment] = []
    for number, cell in enumerate(cells, 1):
        segments += [Segment(f"{number}:", scheme.listener.tag), *cell_segments(cell, scheme)]
    return parts_listed(told, scheme.listener.tag), tuple(segments)
