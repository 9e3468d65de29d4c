"""What a player typed, in letters or braille, becomes an announcement or a command.

The position never plays a part. Words come first, in the language of the seat, else in that it was set up in or that of
the page; then every way to write a well-formed move in the player's own codes, and in the English letters of SAN and
UCI (`server/scoresheets/readings.py`). Where it may mean several things the player is told which, in the language of
the page, and nothing is taken. At a table for training, a question about the position may be typed: "moves of g1",
"rank four", "where knight".
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, get_args, get_type_hints

from msgspec.structs import replace

from braille.cells import Written
from braille.loading import computer_profile, load_profile, national_profile
from braille.profile import has_eight_dots
from braille.typed import Codes, departures, moves_of_cells, moves_of_text, texts_of_cells, well_formed
from server.game import acts as cmd
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.words import Seat
from server.scoresheets.letters import Alphabet, alphabet_of
from server.scoresheets.readings import readings
from server.wording.refusals import sentence
from server.wording.typed_braille import moves_of_reader
from server.wording.words import announcement_of, canonical, changes_of, said_by, scheme_for, scheme_of, text_in, typed
from speech.announcements.understand import words_of_text
from speech.complaint import Complaint
from speech.words.catalogue import MEASURE
from speech.words.config_file import language_tags
from speech.words.grammar import FILE_NAMES
from speech.words.loading import load_language
from speech.words.said import Heard, Said
from speech.words.scheme import Scheme
from speech.words.spelling import UnknownWord, normal_form

MOST_TOLD = 4
_LIKE_NOTATION = re.compile(r"[\w=+#x-]+")


@cache
def codes_of(language: str) -> Codes:
    """Return the codes of a player of this language.

    The national six-dot code, UKAAF, and computer braille of both tables.
    """
    dotted = tuple(load_profile(name) for name in dict.fromkeys((national_profile(language), "ukaaf")))
    printed = load_profile(computer_profile(language))
    computer = (printed, load_profile("computer"), load_profile("computer-de"))
    tables = tuple(dict.fromkeys(profile.name for profile in computer))
    return Codes(
        dotted=(*dotted, printed),
        printed=printed,
        tables=tuple(load_profile(name).letters for name in tables),
        prose=tuple(profile.letters for profile in dotted if not has_eight_dots(profile))[:1],
    )


@cache
def letters_of(language: str) -> Alphabet:
    """Return the letters in which a player of this language writes moves in print."""
    return alphabet_of(language, load_language(language).notation)


def schemes_typed(state: GameState, seat: Seat | None, language: str = "") -> tuple[Scheme, ...]:
    """Return the schemes in whose words a person may type.

    The seat's, then those of the language that the seat was set up in, then of the page's (an assistant's has its own).
    """
    own = scheme_for(state, seat)
    set_up = state.plan(seat).language if seat is not None else ""
    tags = [tag for tag in dict.fromkeys((set_up, language)) if tag in language_tags() and tag != own.language]
    return (own, *(scheme_of(own.name, tag, changes_of(state)) for tag in tags))


def scheme_read(state: GameState, seat: Seat | None, language: str = "") -> Scheme:
    """Return the seat's words for a person who reads this language.

    The seat's own where the page names no known language.
    """
    own = scheme_for(state, seat)
    known = language in language_tags() and language != own.language
    return scheme_of(own.name, language, changes_of(state)) if known else own


def heard_of_text(
    text: str, state: GameState, seat: Seat | None, language: str = "", *, capitals: bool = False
) -> Heard:
    """Return what typed text means.

    `language`: the page's, "" for none. `capitals`: they tell the player's pieces from files. Raises Complaint, in
    that language or else the seat's: several meanings, an unknown word, or no announcement.
    """
    unknown: UnknownWord | None = None
    meant: dict[tuple[str | None, Announcement | None], Heard] = {}
    schemes = schemes_typed(state, seat, language)
    for scheme in schemes:
        try:
            heard = typed(text, scheme)
        except UnknownWord as wrong:
            unknown = unknown or wrong
            continue
        if heard.kind != "none":
            meant.setdefault(_key(heard), heard)
    own, reader = schemes[0], scheme_read(state, seat, language)
    if len(meant) == 1:
        return next(iter(meant.values()))
    moves = () if meant else moves_of_any_text(text, own.language, capitals=capitals)
    if not meant and not moves and unknown is not None:
        told = reader.phrase("unknown_word", word=unknown.word, example=unknown.example)
        raise Complaint(told) from unknown
    return _only_one(meant, moves, state, seat, reader)


def _key(heard: Heard) -> tuple[str | None, Announcement | None]:
    return heard.command, announcement_of(heard.said) if heard.said else None


def moves_of_any_text(text: str, language: str, *, capitals: bool = False) -> tuple[Written, ...]:
    """Return every move a text may write, also through a screen reader's contracted tables.

    Text that looks like notation in the player's own letters needs no table; in all other cases all tables are asked,
    so that one meaning is not taken for another. English letters are read beside the player's.
    """
    codes = codes_of(language)
    plain = moves_of_text(text, codes, capitals=capitals)
    letters = readings(text, letters_of(language), letters_of(MEASURE), capitals=capitals)
    like_notation = plain and _LIKE_NOTATION.fullmatch(text.strip())
    in_tables = () if like_notation else moves_of_reader(text, language, codes)
    return tuple(one for one in dict.fromkeys((*plain, *letters, *in_tables)) if well_formed(one))


def heard_of_cells(
    cells: str, state: GameState, seat: Seat | None, language: str = "", *, capitals: bool = False
) -> Heard:
    """Return what a row of braille cells means: a move in any of the player's codes, or words.

    Raises Complaint as `heard_of_text`.
    """
    schemes = schemes_typed(state, seat, language)
    codes = codes_of(schemes[0].language)
    words: dict[tuple[str | None, Announcement | None], Heard] = {}
    for text in texts_of_cells(cells, codes):
        for scheme in schemes:
            try:
                heard = typed(text, scheme)
            except UnknownWord:
                continue
            if heard.kind != "none":
                words.setdefault(_key(heard), heard)
    return _only_one(
        words, moves_of_cells(cells, codes, capitals=capitals), state, seat, scheme_read(state, seat, language)
    )


def _only_one(
    words: dict[tuple[str | None, Announcement | None], Heard],
    moves: tuple[Written, ...],
    state: GameState,
    seat: Seat | None,
    scheme: Scheme,
) -> Heard:
    meant = dict(words)
    for move in moves:
        if move.draw_offer:
            raise Complaint(scheme.phrase("offer_apart", word=scheme.text("cmd.draw_offer")))
        for announcement in _announcements(move, state, seat):
            same = next((key for key in meant if key[1] is not None and _alike(key[1], announcement)), None)
            if same is None:
                said = said_by(announcement)
                meant[None, announcement] = Heard("move", said=said, words=canonical(announcement, scheme)[0])
    if not meant:
        raise Complaint(sentence("not_words", "", scheme.language))
    if len(meant) > 1:
        raise Complaint(scheme.phrase("typed_means", choices="; ".join(_told(meant, scheme)[:MOST_TOLD])))
    return next(iter(meant.values()))


def _alike(one: Announcement, other: Announcement) -> bool:
    """Say whether two announcements are the same; a pawn named or not is one meaning (C.4)."""
    return (one.piece_meant, one.from_square, one.to_square, one.promotion, one.castling) == (
        *(other.piece_meant, other.from_square, other.to_square),
        *(other.promotion, other.castling),
    )


def _told(meant: dict[tuple[str | None, Announcement | None], Heard], scheme: Scheme) -> list[str]:
    """Return the meanings in words; a pawn is named beside others, though nobody has to say it (C.4)."""
    return [
        text_in((f"cmd.{command}",) if said is None else canonical(_with_its_piece(said), scheme)[0], scheme)
        for command, said in meant
    ]


def _with_its_piece(announcement: Announcement) -> Announcement:
    return announcement if announcement.castling else replace(announcement, piece=announcement.piece_meant)


def _announcements(move: Written, state: GameState, seat: Seat | None) -> tuple[Announcement, ...]:
    """Return what was written, as announced.

    Where the departure square is not written in full, all that the piece could come from, by form alone.
    """
    if move.castling:
        return (announcement_of_written(move, None),)
    own = seat is Seat.BLACK
    if move.from_file is None and move.from_rank is None:
        return (announcement_of_written(move, None),)
    mine = tuple(announcement_of_written(move, square) for square in departures(move, black=own))
    if seat is None or move.piece != "pawn":
        return mine
    # A pawn moves by its side: it is the opponent's if this repeats an announcement that nobody has echoed yet.
    last = state.ply(state.made_plies) if seat is state.on_move else state.ply(state.ply_to_make)
    if last is not None and last.seat is not seat and not last.echoed and last.announcement is not None:
        theirs = (announcement_of_written(move, square) for square in departures(move, black=not own))
        echo = tuple(one for one in theirs if last.announcement.agrees_with(one))
        if echo:
            return echo
    return mine


def announcement_of_written(move: Written, departure: str | None) -> Announcement:
    """Return an announcement of what was written and its departure square, without any marks."""
    return announcement_of(
        Said(
            piece=None if move.castling or (move.piece == "pawn" and departure is None) else move.piece,
            from_square=departure,
            to_square=move.to_square,
            promotion=move.promotion,
            castling=move.castling,
        )
    )


ABOUT: tuple[str, ...] = get_args(get_type_hints(cmd.Explore)["about"])
TAKES_SQUARE = ("square", "rays", "attackers", "moves")


def question_of_text(text: str, scheme: Scheme) -> cmd.Explore | None:
    """Return the question that a text asks, in the words of the seat's language; None for no question."""
    asked = f"{normal_form(text).strip(' ?')} "
    phrases = {about: f"{normal_form(scheme.messages.text(f'train.{about}'))} " for about in ABOUT}
    for about, phrase in sorted(phrases.items(), key=lambda one: -len(one[1])):
        if asked.startswith(phrase):
            about_what = _about(about, asked.removeprefix(phrase).strip(), scheme)
            return cmd.Explore(about=about, **about_what) if about_what is not None else None  # type: ignore[arg-type]
    return None


def _about(about: str, text: str, scheme: Scheme) -> dict[str, Any] | None:
    """Return the square, file, rank or piece that follows.

    {} where none may follow; None for anything else.
    """
    try:
        words = words_of_text(text, scheme, scheme_of("national", scheme.language)) if text else ()
    except Complaint:
        return None
    kinds = tuple("file" if (kind := word.partition(".")[0]) in FILE_NAMES else kind for word in words)
    names = tuple(word.partition(".")[2] for word in words)
    if about in TAKES_SQUARE:
        return {"square": "".join(names)} if kinds == ("file", "rank") else None
    if about in ("file", "rank", "piece"):
        return {about: names[0]} if kinds == (about,) else None
    return None if words else {}
