"""A message is laid out for the fingers: the move in the reader's own cells, what is due, then words.

Only what the server sends this station is shown: `views` decides that, and nothing here knows of a position except one
that a player asked for and was given.
"""

from __future__ import annotations

from collections.abc import Sequence

import chess
import msgspec

from braille.cells import Written, cells_of_move, write_number
from braille.letters import spell, unwritable
from braille.position import write_page
from braille.profile import BLANK, Profile
from braille.score import wrap
from braille.status import Status, status_lines
from braille.typed import moves_of_text
from server.game.values.words import Seat
from server.game.views import messages as msg
from server.protocol import SealedWords
from server.wording.pages import page_words
from server.wording.typed import codes_of
from server.wording.words import meaning_typed
from speech.announcements.understand import understand
from speech.complaint import Complaint
from speech.words.said import Said
from speech.words.scheme import Scheme


class Reader(msgspec.Struct, frozen=True):
    """Reader of braille: their words, the code of their moves, the width of their display, and their side.

    Their words, the code of their moves, how wide their display is, and the side they sit at.
    """

    scheme: Scheme
    profile: Profile
    width: int
    seat: Seat | None = None


def shown_lines(message: msg.AnyMessage | SealedWords, lines: tuple[str, ...], reader: Reader) -> tuple[str, ...]:
    """Return the lines of a message for this display; () where there is nothing to read.

    `lines`: what the server says of it. The opponent's announcement is a move to be echoed (D.2.1), and the line says
    so.
    """
    match message:
        case msg.Relayed():
            return (*_status(Status(move=_move(message.words), due=reader.scheme.phrase("echo_due")), reader), *lines)
        case msg.Understood() | SealedWords(understood=True):
            return (*_status(Status(move=_move(message.words)), reader), *lines)
        case msg.AnswerGiven(what="last") if message.words:
            return (*_status(Status(move=_move(message.words)), reader), *lines)
        case msg.AnswerGiven(placement=str(placement)) | msg.ClaimShown(placement=str(placement)) if placement:
            board = chess.BaseBoard(placement)
            return (*write_page(board, reader.profile, black_below=reader.seat is Seat.BLACK), *lines)
        case msg.AnswerGiven(own_ms=own, opponent_ms=opponent) if (own, opponent) != (None, None):
            return (*_status(Status(own_ms=own, opponent_ms=opponent, own_runs=message.own_runs), reader), *lines)
        case msg.AnswerGiven(what="score"):
            return score_lines(message.score, reader, message.move or 1) or lines
    return lines or _not_spoken(message, reader.scheme)


SAID_AGAIN = ("from", "to", "piece", "promotion", "correction", "repeat", "either", "which", "illegal")
"""Questions that are put in other words than yes and no."""


def first_choices(message: msg.AnyMessage) -> tuple[str, ...]:
    """Return the words that answer a message, to stand before all others: commands, or the pieces asked about."""
    match message:
        case msg.DrawOffer(own=False):
            return ("cmd.draw_accept", "cmd.draw_decline")
        case msg.Question(ask="promotion" | "piece", either=(first, second, *_) as either):
            place = next(at for at, (one, other) in enumerate(zip(first, second, strict=True)) if one != other)
            return tuple(one[place] for one in either)
        case msg.Question(ask="intended"):  # the player types the intended move, or "no" where there is none (9.2)
            return ("cmd.no",)
        case msg.Question(ask=ask) if ask not in SAID_AGAIN:
            return ("cmd.yes", "cmd.no")
        case msg.SquareToSetNow(square=str()):
            return ("cmd.yes",)
    return ()


def _not_spoken(message: msg.AnyMessage | SealedWords, scheme: Scheme) -> tuple[str, ...]:
    """Return what a hearing player needs no voice for, because they hear the table.

    On a display these lines are all there is.
    """
    match message:
        case msg.Started():
            return (scheme.phrase("shown_started"),)
        case msg.ModeShown():
            return (page_words(scheme.listener.tag)[f"mode.{message.mode}"],)
        case msg.ClaimShown(own=True):
            return (page_words(scheme.listener.tag)["claim_own"],)
        case msg.DrawReply():
            return (page_words(scheme.listener.tag)["draw_declined" if message.own else "draw_declined_other"],)
    return ()


def _status(status: Status, reader: Reader) -> tuple[str, ...]:
    missing = (status.move, status.own_ms, status.opponent_ms) == (None, None, None)
    return () if missing else status_lines(status, reader.profile, reader.width)


def _move(words: Sequence[str]) -> Written | None:
    heard = understand(words)
    if heard.kind != "move" or heard.said is None:
        return None
    return written_as_said(heard.said, words)


def written_as_said(said: Said, words: Sequence[str] = ()) -> Written | None:
    """Return an announcement as a score would write it, and no more than was said."""
    if said.castling is None and said.to_square is None:
        return None
    return Written(
        piece=said.piece or ("king" if said.castling else "pawn"),
        from_file=said.from_square[0] if said.from_square else None,
        from_rank=said.from_square[1] if said.from_square else None,
        to_square=said.to_square,
        promotion=said.promotion,
        castling=said.castling,
        capture="word.takes" in words,
        check="word.check" in words,
        mate="word.mate" in words,
        en_passant="word.ep" in words,
    )


def score_lines(score: Sequence[str], reader: Reader, first: int = 1) -> tuple[str, ...]:
    """Return a player's own score in their own cells, a move a line (more on a narrow display); `first`: its number."""
    score = ("",) * (2 * first - 2) + tuple(score)
    numbers = range(first, (len(score) + 1) // 2 + 1)
    return tuple(line for number in numbers for line in score_move(score, number, reader))


def score_move(score: Sequence[str], number: int, reader: Reader) -> tuple[str, ...]:
    """Return one move of the score, counted from 1.

    What was not written as a move stands there as it was written.
    """
    cells = score[2 * number - 2 : 2 * number]
    profile = reader.profile
    groups = [write_number(number, profile) + profile.number_after]
    groups += [word for cell in cells for word in cell_in_cells(cell, reader).split(BLANK)]
    return wrap(groups, reader.width) if any(cells) else ()


def prose_in_cells(text: str, profile: Profile) -> str:
    """Return the prose of a heading in cells, by the code's own table."""
    return spell(text, profile.letters)


def cell_in_cells(text: str, reader: Reader, *, print_too: bool = True) -> str:
    """Return one cell of a score in the reader's own code.

    A move is written in that code, anything else as the text that was written. `print_too`: letters that the code
    lacks stay print, which a display shows and an embossed page cannot.
    """
    if not text:
        return reader.profile.empty.cells
    try:
        heard = meaning_typed(text, reader.scheme)
        written = written_as_said(heard.said, heard.words) if heard.said is not None else None
    except Complaint:
        found = moves_of_text(text, codes_of(reader.scheme.language))
        written = found[0] if len(found) == 1 else None
    if written is not None:
        return cells_of_move(written, reader.profile)
    letters = reader.profile.letters
    return text.replace(" ", BLANK) if print_too and unwritable(text, letters) else spell(text, letters)
