"""A player's typing, in letters or braille, turned into an announcement or a command.

The position never plays a part. Words come first, in the language of the seat, else in that it was set up in or that of
the page; then every way to write a well-formed move in the player's own codes, and in the English letters of SAN and
UCI (`server/scoresheets/readings.py`). Where it may mean several things the player is told which, in the language of
the page, and nothing is taken. At a table for training, a question about the position may be typed: "moves of g1",
"rank four", "where knight".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
from server.wording.words import (
    announcement_of,
    canonical,
    changes_of,
    meaning_typed,
    said_by,
    scheme_for,
    scheme_of,
    text_in,
)
from speech.announcements.phrases import (
    Moved,
    asks,
    castling_of_phrase,
    commands_of_phrase,
    last_moves_of_phrase,
    moves_of_phrase,
    topics_of_phrase,
    without_courtesies,
    without_offer,
    wonders,
)
from speech.announcements.understand import words_of_text
from speech.complaint import Complaint
from speech.words.catalogue import MEASURE
from speech.words.config_file import language_tags
from speech.words.grammar import FILE_NAMES
from speech.words.language import Phrasebook
from speech.words.loading import load_language, load_phrasebook
from speech.words.said import Heard, Said
from speech.words.scheme import Scheme
from speech.words.spelling import UnknownWord, normal_form

MOST_TOLD = 4
_PROMOTED_IN_CAPITALS = re.compile(r"(?<=[18])[a-z](?=\W*$)|(?<=[18]=)[a-z](?=\W*$)")
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
    six_dots = [profile.letters for profile in dotted if not has_eight_dots(profile)]
    return Codes(
        dotted=(*dotted, printed),
        printed=printed,
        tables=tuple(load_profile(name).letters for name in tables),
        prose=tuple(one for place, one in enumerate(six_dots) if one not in six_dots[:place]),
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
    left_open: Heard | None = None
    meant: dict[tuple[str | None, Announcement | None], Heard] = {}
    schemes = schemes_typed(state, seat, language)
    for scheme in schemes:
        try:
            heard = with_departure(meaning_typed(text, scheme), state, seat)
        except UnknownWord as wrong:
            unknown = unknown or wrong
            continue
        if heard.unclear == "promotion":
            left_open = left_open or heard
        elif heard.kind != "none" and not (heard.command == "draw_accept" and asks(text)):
            meant.setdefault(_key(heard), heard)
    reader = scheme_read(state, seat, language)
    if len(meant) == 1:
        return with_promotion_open(next(iter(meant.values())))
    languages = tuple(dict.fromkeys(scheme.language for scheme in schemes))
    moves = () if meant else moves_in_any_letters(text, languages, capitals=capitals)
    if meant or moves:
        return with_promotion_open(_only_one(meant, moves, state, seat, reader))
    if left_open is not None:
        return left_open
    loose = heard_of_phrase(text, schemes, state, seat, reader, capitals=capitals)
    if loose is not None:
        return with_promotion_open(loose)
    raise _not_understood(text, schemes, reader, unknown)


def moves_in_any_letters(text: str, languages: Sequence[str], *, capitals: bool = False) -> tuple[Written, ...]:
    """Return the moves that a text writes in the letters of the first of these languages in which it writes any."""
    found = (moves_of_any_text(text, language, capitals=capitals) for language in languages)
    return next((moves for moves in found if moves), ())


def heard_of_phrase(
    text: str,
    schemes: Sequence[Scheme],
    state: GameState,
    seat: Seat | None,
    reader: Scheme,
    *,
    capitals: bool = False,
) -> Heard | None:
    """Return what a text means in other words than the table's; None where it means nothing.

    Raises Complaint where it may mean several things, or offers a draw together with a move.
    """
    meant: dict[tuple[str | None, Announcement | None], Heard] = {}
    moves: list[Written | Moved] = []
    for scheme in schemes:
        book = load_phrasebook(scheme.language)
        number = last_moves_of_phrase(text, scheme_of("national", scheme.language), book)
        if number is not None:
            meant["last", None] = Heard("command", command="last", words=("cmd.last",), number=number, loose=True)
            continue
        for command in commands_of_phrase(text, book):
            meant.setdefault((command, None), Heard("command", command=command, words=(f"cmd.{command}",), loose=True))
        moves += _moves_of_phrase(text, scheme, book, capitals=capitals)
    if meant or moves:
        return _only_one(meant, tuple(dict.fromkeys(moves)), state, seat, reader)
    if any(_moves_and_offers(text, scheme, state, seat, capitals=capitals) for scheme in schemes):
        raise _offer_apart(reader)
    return None


def _moves_and_offers(text: str, scheme: Scheme, state: GameState, seat: Seat | None, *, capitals: bool) -> bool:
    """Say whether a text is a move with an offer of a draw beside it."""
    rest = without_offer(text, load_phrasebook(scheme.language))
    try:
        return bool(rest) and heard_of_text(rest, state, seat, scheme.language, capitals=capitals).kind == "move"
    except Complaint:
        return False


def _offer_apart(reader: Scheme) -> Complaint:
    return Complaint(reader.phrase("offer_apart", word=reader.text("cmd.draw_offer")))


def _moves_of_phrase(text: str, scheme: Scheme, book: Phrasebook, *, capitals: bool) -> tuple[Written | Moved, ...]:
    if wonders(text, book):
        return ()
    side = castling_of_phrase(text, book)
    if side is not None:
        return (Moved(castling=side),)
    found: list[Written | Moved] = []
    short = without_courtesies(text, book)
    for spelling in dict.fromkeys((short, *_without_all_capitals(short))):
        if spelling != text.strip():
            found += moves_of_any_text(spelling, scheme.language, capitals=capitals)
    for one in (scheme, scheme_of("national", scheme.language)):
        found += moves_of_phrase(text, one, book)
    return tuple(dict.fromkeys(found))


def _without_all_capitals(text: str) -> tuple[str, ...]:
    """Return a move typed in capitals alone as it is usually written: "NF3" is "Nf3"; "BC4" may be "bc4" too."""
    if text != text.upper() or text == text.lower():
        return ()
    promoted = _PROMOTED_IN_CAPITALS.sub(lambda found: found[0].upper(), text.lower())
    return promoted[:1].upper() + promoted[1:], promoted


def _not_understood(text: str, schemes: Sequence[Scheme], reader: Scheme, unknown: UnknownWord | None) -> Complaint:
    """Return what is wrong with a text, with an example of what it seems to be about."""
    for scheme in schemes:
        topics = topics_of_phrase(text, load_phrasebook(scheme.language))
        if topics:
            examples = "; ".join(scheme.text(word) for word in topics)
            return Complaint(reader.phrase("said_like_this", examples=examples))
    if unknown is not None:
        return Complaint(reader.phrase("unknown_word", word=unknown.word, example=unknown.example))
    return Complaint(sentence("not_words", "", reader.language))


def _key(heard: Heard) -> tuple[str | None, Announcement | None]:
    return heard.command, announcement_of(heard.said) if heard.said else None


def moves_of_any_text(text: str, language: str, *, capitals: bool = False) -> tuple[Written, ...]:
    """Return every move a text may write, also through a screen reader's contracted tables.

    Text that looks like notation in the player's own letters needs no table; in all other cases all tables are asked,
    so that one meaning is not taken for another. English letters are read beside the player's.
    """
    written = _in_one_script(text, language, capitals=capitals)
    if written:
        return written
    codes = codes_of(language)
    plain = moves_of_text(text, codes, capitals=capitals)
    letters = readings(text, letters_of(language), letters_of(MEASURE), capitals=capitals)
    like_notation = plain and _LIKE_NOTATION.fullmatch(text.strip())
    in_tables = () if like_notation else moves_of_reader(text, language, codes)
    return tuple(one for one in dict.fromkeys((*plain, *letters, *in_tables)) if well_formed(one))


def _in_one_script(text: str, language: str, *, capitals: bool) -> tuple[Written, ...]:
    """Return the moves that a text writes where the player's letters are of another script than the English ones.

    Then the script tells whose letters they are: "Nf3" is English, and "רג4" is Hebrew. () where it does not tell.
    """
    own, english = letters_of(language), letters_of(MEASURE)
    if any(letter.isascii() for letters, _ in own.pieces for letter in letters):
        return ()
    theirs = [letter for letter in text if letter.isalpha() and not letter.isascii()]
    if not theirs and not any(letter in "KQRBN" for letter in text):
        return ()
    whose = own if theirs else english
    return tuple(one for one in readings(text, whose, whose, capitals=capitals) if well_formed(one))


def heard_of_cells(
    cells: str, state: GameState, seat: Seat | None, language: str = "", *, capitals: bool = False
) -> Heard:
    """Return what a row of braille cells means: a move in any of the player's codes, or words, else a phrase.

    Raises Complaint as `heard_of_text`.
    """
    schemes = schemes_typed(state, seat, language)
    codes = codes_of(schemes[0].language)
    words: dict[tuple[str | None, Announcement | None], Heard] = {}
    texts = texts_of_cells(cells, codes)
    for text in texts:
        for scheme in schemes:
            try:
                heard = with_departure(meaning_typed(text, scheme), state, seat)
            except UnknownWord:
                continue
            if heard.kind != "none":
                words.setdefault(_key(heard), heard)
    moves, reader = moves_of_cells(cells, codes, capitals=capitals), scheme_read(state, seat, language)
    if not words and not moves:
        for text in texts:
            loose = heard_of_phrase(text, schemes, state, seat, reader, capitals=capitals)
            if loose is not None:
                words.setdefault(_key(loose), loose)
    return with_promotion_open(_only_one(words, moves, state, seat, reader))


def with_promotion_open(heard: Heard) -> Heard:
    """Return a pawn's move to the last rank without a piece as what leaves one open (L183).

    The same words do when they are spoken, in every position.
    """
    said = heard.said
    if heard.kind != "move" or said is None or not announcement_of(said).leaves_promotion_open:
        return heard
    return Heard("none", said=said, words=heard.words, unclear="promotion")


def piece_named(
    written: str, state: GameState, seat: Seat | None, language: str = "", *, cells: bool = False
) -> str | None:
    """Return the word id of the one piece that was typed, alone, in letters or `cells`; None for anything else."""
    schemes = schemes_typed(state, seat, language)
    for text in texts_of_cells(written, codes_of(schemes[0].language)) if cells else (written,):
        for scheme in schemes:
            try:
                words = words_of_text(text, scheme, scheme_of("national", scheme.language))
            except Complaint:
                continue
            if len(words) == 1 and words[0].startswith("piece."):
                return words[0]
    return None


def _only_one(
    words: dict[tuple[str | None, Announcement | None], Heard],
    moves: Sequence[Written | Moved],
    state: GameState,
    seat: Seat | None,
    scheme: Scheme,
) -> Heard:
    meant = dict(words)
    for move in moves:
        if isinstance(move, Written) and move.draw_offer:
            raise _offer_apart(scheme)
        for announcement in _announcements(move, state, seat):
            same = next((key for key in meant if key[1] is not None and _alike(key[1], announcement)), None)
            if same is None:
                said = said_by(announcement)
                meant[None, announcement] = Heard("move", said=said, words=canonical(announcement, scheme)[0])
    if not meant:
        raise Complaint(sentence("not_words", "", scheme.language))
    if len(meant) > 1:
        raise Complaint(scheme.phrase("typed_means", choices="; ".join(_meanings_told(meant, scheme)[:MOST_TOLD])))
    return next(iter(meant.values()))


def _alike(one: Announcement, other: Announcement) -> bool:
    """Say whether two announcements are the same; a pawn named or not is one meaning (C.4)."""
    return (one.piece_meant, one.from_square, one.to_square, one.promotion, one.castling) == (
        *(other.piece_meant, other.from_square, other.to_square),
        *(other.promotion, other.castling),
    )


def _meanings_told(meant: dict[tuple[str | None, Announcement | None], Heard], scheme: Scheme) -> list[str]:
    """Return the meanings in words; a pawn is named beside others, though nobody has to say it (C.4)."""
    return [
        text_in((f"cmd.{command}",) if said is None else canonical(_with_its_piece(said), scheme)[0], scheme)
        for command, said in meant
    ]


def _with_its_piece(announcement: Announcement) -> Announcement:
    return announcement if announcement.castling else replace(announcement, piece=announcement.piece_meant)


def _announcements(move: Written | Moved, state: GameState, seat: Seat | None) -> tuple[Announcement, ...]:
    """Return what was written, as announced.

    Where the departure square is not written in full, all that the piece could come from, by form alone.
    """
    if isinstance(move, Moved):
        if move.from_file is None and move.from_rank is None:
            said = Said(move.piece, move.from_square, move.to_square, move.promotion, move.castling)
            return (announcement_of(said),)
        move = Written(move.piece or "pawn", move.from_file, move.from_rank, move.to_square, move.promotion)
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


def with_departure(heard: Heard, state: GameState, seat: Seat | None) -> Heard:
    """Return what was said or typed at a seat, with the square of a pawn that was named by its file ("e takes d5").

    It follows from the form alone: from e4 at White's seat, from e6 at Black's.
    """
    said = heard.said
    if said is None or said.from_file is None:
        return heard
    by_form = _announcements(Written("pawn", said.from_file, None, said.to_square, said.promotion), state, seat)
    plain = replace(said, piece="pawn", from_file=None)
    return replace(heard, said=said_by(by_form[0]) if by_form else plain)


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
