"""Words that are spoken publicly to the room, and words for the arbiter alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

import chess

from server.game import acts as ev
from server.game.decide.questions import find
from server.game.values.clock import ClockReading
from server.game.values.words import Seat
from server.game.views.messages import AnswerGiven, AnyMessage, Ended, PositionTold, Recorded, SessionShown, Shown
from server.game.views.spectators import GameShown, MoveShown
from server.wording.aloud.positions import explored_told, squares_told
from server.wording.aloud.spoken import spoken_message
from server.wording.details import moves_numbered, told_in
from server.wording.pages import move_number, page_words
from server.wording.words import canonical, scheme_of, segments_of, text_in
from speech.announcements.clock_phrases import time_short, time_told
from speech.announcements.phrases import (
    asks_colour,
    board_asked,
    commands_of_phrase,
    last_moves_of_phrase,
    place_of_phrase,
)
from speech.announcements.understand import words_of_text
from speech.complaint import Complaint
from speech.voices.voice import Segment
from speech.words.catalogue import texts_in
from speech.words.grammar import FILE_NAMES
from speech.words.loading import load_phrasebook, parts_listed
from speech.words.scheme import Scheme
from speech.words.signs import result_said
from speech.words.spelling import normal_form


def into_room(message: AnyMessage, scheme: Scheme) -> tuple[str, tuple[Segment, ...]] | None:
    """Return what is said of a message that a display shows; None for all else.

    That is the last completed move, a session's length, and the result.
    """
    match message:
        case Shown() if message.words:
            return text_in(message.words, scheme), segments_of(message.words, scheme)
        case SessionShown():
            text = scheme.messages.text("say.session", time=time_told(message.length_ms, scheme.messages))
            return text, (Segment(text, scheme.listener.tag),)
        case Ended():
            return spoken_message(message, scheme, read_back=False)
    return None


def to_arbiter(
    message: AnyMessage, scheme: Scheme, article: str = "", offers: Sequence[tuple[str, Seat | None]] = ()
) -> tuple[str, tuple[Segment, ...]] | None:
    """Return what is said to the arbiter about a message; None for all else.

    An alert in the words of the arbiter's page, answers to the arbiter, the steps of a reconciliation. `article`: what
    an alert is about; `offers`: the names of the acts that settle it, and whom each is about.
    """
    tongue = scheme.listener.tag
    match message:
        case Recorded(event=ev.Alerted() as alert):
            words = page_words(tongue)
            parts = [words.get(f"alert.{alert.kind}", alert.kind.replace("_", " "))]
            if alert.ply:
                parts.append(words["at_ply"].replace("{ply}", move_number(alert.ply, words)))
            if alert.grey:
                parts.append(words["as_heard"])
            said = [parts_listed(parts, tongue) + ".", _details(alert, parts[0], tongue, article)]
            said.append(scheme.messages.text("alert_ear.article", article=article) if article else "")
            acts = [words[f"settle.{name}"] + (f": {words[who.value]}" if who else "") for name, who in offers]
            said.append(scheme.messages.text("alert_ear.acts", acts="; ".join(acts)) if acts else "")
            text = " ".join(filter(None, said))
            return text, (Segment(text, tongue),)
        case Recorded(event=ev.DeskDecided() as decided):
            return _decision_told(decided, scheme) if decided.kind != "mend" else None
        case Recorded(event=ev.BoardsToSet() as told):
            return _squares(told, scheme)
        case Recorded(event=event) if isinstance(event, ev.DESK_EVENTS):
            text = _desk_step(event, scheme)
            return (text, (Segment(text, tongue),)) if text else None
        case AnswerGiven():
            return spoken_message(message, scheme, read_back=False)
    return None


def _details(alert: ev.Alerted, name: str, language: str, article: str) -> str:
    """Return what an alert says beside its name; "" where that is nothing more, or where it is none of our sentences.

    Where an article is said after it, the one in brackets at its end is left out.
    """
    if alert.said is None:
        return ""
    text = told_in(alert.said, language).rstrip(".")
    if article:
        text = re.sub(r" \([^()]*\)$", "", text)
    return "" if text.casefold() == name.casefold() else f"{text}."


def _desk_step(event: ev.AnyEvent, scheme: Scheme) -> str:
    """Return a step of a reconciliation and what comes next (D.2.9).

    "" where the arbiter did the step by hand and needs no word of it.
    """

    def say_key(key: str, **places: object) -> str:
        return scheme.messages.text(f"desk.{key}", **places)

    match event:
        case ev.DeskOpened():
            return say_key("opened")
        case ev.BoardRead():
            return say_key("read", who=say_key(event.board.value))
        case ev.BoardSaidSet():
            return say_key("said_set", who=say_key(event.seat.value))
        case ev.BoardConfirmed():
            return say_key("confirmed", who=say_key(event.board.value))
        case ev.DeskClosed():
            return say_key("go_on" if event.reason == "confirmed" else "closed")
    return ""


def _decision_told(decided: ev.DeskDecided, scheme: Scheme) -> tuple[str, tuple[Segment, ...]]:
    """Return the decision, and what each player sets, in the words of the squares."""
    texts = scheme.messages
    if decided.kind == "back":
        opening = texts.text("desk.back", ply=moves_numbered(decided.ply or 0, scheme.listener.tag))
    else:
        opening = texts.text("desk.adjust" if decided.times in ("", "leave") else "desk.adjust_times")
    text, segments = _squares(decided, scheme)
    return f"{opening} {text}", (Segment(opening, scheme.listener.tag), *segments)


def _squares(boards: ev.DeskDecided | ev.BoardsToSet, scheme: Scheme) -> tuple[str, tuple[Segment, ...]]:
    """Return what each player sets."""
    texts = scheme.messages
    told: list[str] = []
    segments: list[Segment] = []
    for seat, squares in zip(Seat, (boards.white, boards.black), strict=True):
        who = texts.text(f"desk.{seat.value}")
        if squares:
            text, said = squares_told(squares, scheme, texts.text("desk.to_set", who=who))
        else:
            text = texts.text("desk.nothing", who=who)
            said = (Segment(text, scheme.listener.tag),)
        told.append(text)
        segments += said
    return " ".join(told), tuple(segments)


Told = tuple[str, tuple[Segment, ...]]
LAST_MOVES = 6
"""Half-moves that are told to spectators who ask for the last moves."""
PLACE = re.compile(r"(?P<file>[a-h])?(?P<rank>[1-8])?")
ASKED = {"last": "last", "repeat": "last", "moves": "moves", "score": "moves", "set_up": "position"} | dict.fromkeys(
    ("time", "opponent_time", "clock"), "time"
)
"""The commands of a player that a visitor may type, and what they ask for here."""
LETTERS = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight"}


def to_spectators(
    game: GameShown,
    about: str,
    ply: int,
    scheme: Scheme,
    clock: ClockReading | None = None,
    *,
    age_ms: int | None = None,
    elsewhere: bool = False,
) -> Told | None:
    """Return what a visitor of the spectators' page is told of a board after a move, as text and for the voice.

    `about`: "last" (the result too), "moves", "position", "time" (both clocks); or a square, file, rank, side or kind
    of piece, in the visitor's words or in letters and figures; or a phrase. None where it is none of these. `age_ms`:
    how old a reading of another clock is; `elsewhere`: another clock counts, and nobody has read it.
    """
    book = load_phrasebook(scheme.language)
    square = _colour_asked(about, scheme)
    if square is not None:
        return _colour_told(square, scheme)
    count = last_moves_of_phrase(about, scheme, book)
    about = "moves" if count else _name_of(about, scheme)
    if about == "time" and elsewhere:
        return scheme.phrase("clock_other"), (Segment(scheme.phrase("clock_other"), scheme.listener.tag),)
    if about == "time" and clock is not None:
        return _times_told(clock, scheme, age_ms)
    if about == "last":
        found = [_move_told(move, scheme) for move in game.moves[:ply][-1:]]
        if game.result is not None and ply >= len(game.moves):
            found.append(_result_told(game.result, scheme))
        return _in_turn(found) if found else _nothing(scheme)
    if about == "moves":
        half_moves = 2 * count if count else LAST_MOVES
        return _in_turn([_move_told(move, scheme) for move in game.moves[:ply][-half_moves:]] or [_nothing(scheme)])
    sides = {"position": "board", "white": "white", "black": "black"}
    asked = {"about": sides[about]} if about in sides else _place_asked(about, scheme)
    if asked is None:
        return None
    placement = game.placement_after(min(ply, len(game.moves)))
    if placement is None:
        text = texts_in("hall", scheme.listener.tag)["hall.no_position"]
        return text, (Segment(text, scheme.listener.tag),)
    what = asked.pop("about")
    men = find(chess.Board(f"{placement} w - - 0 1"), what, **asked)
    return None if men is None else explored_told(PositionTold(about=what, white=men.white, black=men.black), scheme)


def _name_of(text: str, scheme: Scheme) -> str:
    """Return what a visitor asks for, by its name on the page, its side or its command; else the text as it is."""
    if text in ("last", "moves", "position", "time"):
        return text
    page, plain = page_words(scheme.language), normal_form(text)
    hall = texts_in("hall", scheme.language)
    names = {hall[f"hall.tell_{one}"]: one for one in ("last", "moves", "position")}
    names |= {page[one]: one for one in ("white", "black")}
    names |= {scheme.messages.text(f"train.{one}"): one for one in ("white", "black")}
    commands = {scheme.text(f"cmd.{command}"): about for command, about in ASKED.items()}
    found = next((one for name, one in (names | commands).items() if normal_form(name) == plain), None)
    if found is None:
        book = load_phrasebook(scheme.language)
        meant = {ASKED.get(one) for one in commands_of_phrase(text, book)}
        found = meant.pop() if len(meant) == 1 else board_asked(text, book)
    return text if found is None else found


def _colour_asked(text: str, scheme: Scheme) -> str | None:
    """Return the square whose colour a phrase asks for; None for any other phrase."""
    book, words = load_phrasebook(scheme.language), text.strip(" ?؟").split()
    for length in (1, 2):
        for place in range(len(words) - length + 1):
            some = re.sub(r"^\W*[^\W\d_]-", "", " ".join(words[place : place + length]))
            rest = " ".join((*words[:place], *words[place + length :]))
            asked = _place_asked(some.strip(",:"), scheme) if asks_colour(rest, book) else None
            if asked is not None and asked["about"] == "square":
                return asked["square"]
    return None


def _colour_told(square: str, scheme: Scheme) -> Told:
    """Return "Cesar vier: weiß." """
    words = scheme.square(square)
    light = chess.BB_LIGHT_SQUARES & chess.BB_SQUARES[chess.parse_square(square)]
    colour = scheme.messages.text("exercise.white" if light else "exercise.black")
    return f"{text_in(words, scheme)}: {colour}.", (*segments_of(words, scheme), Segment(colour, scheme.listener.tag))


def _times_told(clock: ClockReading, scheme: Scheme, age_ms: int | None) -> Told:
    page = page_words(scheme.language)
    times = (("white", clock.white_ms), ("black", clock.black_ms))
    text = " ".join(f"{page[side]}: {time_told(ms, scheme.messages)}." for side, ms in times)
    if age_ms is not None:
        text += " " + scheme.messages.text("clock.read_ago", time=time_short(age_ms, scheme.messages))
    return text, (Segment(text, scheme.listener.tag),)


def _place_asked(text: str, scheme: Scheme) -> dict[str, str] | None:
    """Return the square, file, rank or piece that a text names, with what it is about; None for anything else."""
    text = text.strip()
    place = PLACE.fullmatch(text.lower())
    if text and place is not None:
        named = {kind: name for kind, name in place.groupdict().items() if name}
        return {"about": "square", "square": text.lower()} if len(named) == 2 else {"about": next(iter(named)), **named}
    if text in LETTERS:
        return {"about": "piece", "piece": LETTERS[text]}
    try:
        words = words_of_text(text, scheme, scheme_of("d21", scheme.language))
    except Complaint:
        return _place_in_phrase(text, scheme)
    kinds = tuple("file" if (kind := word.partition(".")[0]) in FILE_NAMES else kind for word in words)
    names = tuple(word.partition(".")[2] for word in words)
    if kinds == ("file", "rank"):
        return {"about": "square", "square": "".join(names)}
    return {"about": kinds[0], kinds[0]: names[0]} if kinds in (("file",), ("rank",), ("piece",)) else None


def _place_in_phrase(text: str, scheme: Scheme) -> dict[str, str] | None:
    """Return the same, of a question in a visitor's own words: "what is on e4", "where are the knights"."""
    found = place_of_phrase(text, scheme, load_phrasebook(scheme.language))
    if found is None:
        return None
    about = {"S": "square", "f": "file", "r": "rank", "p": "piece"}[found[0]]
    return {"about": about, about: found[1]}


def words_shown(move: MoveShown, scheme: Scheme) -> tuple[str, ...]:
    """Return the words of a move as its player said it, or else as it would be announced; () where neither is known."""
    if move.words or move.announcement is None:
        return move.words
    return canonical(move.announcement, scheme)[0]


def _move_told(move: MoveShown, scheme: Scheme) -> Told:
    """Return "12. White: knight Felix three."; a move that was not understood is told as one without words."""
    tongue = scheme.listener.tag
    head = f"{(move.ply + 1) // 2}. {page_words(tongue)[move.seat]}:"
    words = words_shown(move, scheme)
    if not words:
        unheard = texts_in("hall", tongue)["hall.unheard"]
        text = f"{head} {unheard}"
        return text, (Segment(text, tongue),)
    return f"{head} {text_in(words, scheme)}.", (Segment(head, tongue), *segments_of(words, scheme))


def _result_told(result: str, scheme: Scheme) -> Told:
    tongue = scheme.listener.tag
    text = page_words(tongue)["ended"].replace("{result}", result_said(result, scheme.messages))
    return text, (Segment(text, tongue),)


def _nothing(scheme: Scheme) -> Told:
    text = page_words(scheme.listener.tag)["nothing_yet"]
    return text, (Segment(text, scheme.listener.tag),)


def _in_turn(told: list[Told]) -> Told:
    return " ".join(text for text, _ in told), tuple(part for _, parts in told for part in parts)
