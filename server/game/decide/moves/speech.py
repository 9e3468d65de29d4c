"""The classification of an utterance: announcement, correction, echo, repetition, contested words, or not understood.

The rules look at who speaks, what was said before and whether the clock was pressed, never at the position: what
reaches a player's ear may not depend on legality (design: Silence).

Only at a table that is opened unrated and for training this silence is lifted, by name: a short announcement that
several legal moves fit is asked about, and one that no legal move fits is told as such. At any other table none of this
is ever looked at (12.6, D.2.10.4). Pure.
"""

from __future__ import annotations

from typing import Literal

import chess
import msgspec
from msgspec.structs import replace

from server.game import acts as cmd
from server.game.acts import (
    Announced,
    AnnouncementRepeated,
    Contested,
    Echoed,
    EchoRecalled,
    NotUnderstood,
    Refusal,
    Say,
    SetAside,
    SetSoundAside,
    TrainingAsked,
)
from server.game.decide.claims.proposals import private_ear
from server.game.decide.draft import Draft, origin_of, stands_by
from server.game.decide.rule import decides
from server.game.state.line import PlyRecord, announced_on, fits, hand_differs, reaches, resolve
from server.game.state.moves import left_over_echo
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.saying import saying
from server.game.values.speech import Speech
from server.game.values.words import Mode, Origin, Seat, SeatKind


def record_utterance(draft: Draft, seat: Seat, said: Say) -> Refusal | None:
    """Record an utterance of a seat; a correction alone is refused once the move is completed (D.2.8, L195)."""
    if said.unclear == "correction" and _has_completed_last(draft.state, seat):
        return Refusal("correction_too_late", "D.2.8")
    if said.announcement is None or not said.announcement.complete:
        _not_understood(draft, seat, said)
    else:
        _record_announcement(draft, seat, said)
    return None


def _has_completed_last(state: GameState, seat: Seat) -> bool:
    """Return whether the last move was this seat's and is completed; the echo of the next one may be put right."""
    last, coming = state.ply(state.made_plies), state.ply(state.ply_to_make)
    return last is not None and last.seat is seat and last.completed and (coming is None or coming.echo is None)


def _record_announcement(draft: Draft, seat: Seat, said: Say) -> None:
    assert said.announcement is not None
    take_up_left_over(draft, seat, said.announcement)
    state = draft.state
    pressed = _pressed_upon(draft, seat, said)
    if pressed is not None:
        _record_heard_late(draft, pressed, said)
        return
    coming = state.ply(state.ply_to_make)
    last = state.ply(state.made_plies)
    heard_too = state.stations.has_player(seat.other)
    # Where the opponent has no station, these words may be the echo of a move that the server could not hear.
    of_unheard = not heard_too and said.act != "announce"
    if seat is state.on_move:
        _record_of_side_to_move(draft, seat, said, last, coming)
    elif coming is not None and not (coming.announcement is None and _repeats(last, said)):
        _record_about_unmade(draft, seat, said, coming)
    elif last is None and not of_unheard:
        draft.alert("out_of_turn_speech", 0, saying("spoken_out_of_turn"), utterance=said.utterance)
    elif last is None or (of_unheard and last.completed and not _is_own_again(last, said)):
        draft.make(state.ply_to_make, Origin.INFERRED)
        _echo(draft, draft.state.moves.plies[-1], said)
    elif not last.completed:
        _announce(draft, seat, last.index, last, said)
    else:
        _record_after_press(draft, last, said)


def _pressed_upon(draft: Draft, seat: Seat, said: Say) -> PlyRecord | None:
    """Return the player's move whose press was faster than the recogniser: the first one after the words sounded.

    An announcement's time is the time of its sound. None where no press came since, or where more of the player's own
    is known. A press that seems to come later than now is of an earlier run.
    """
    if said.at_ms is None or said.act != "auto":
        return None
    pressed = None
    for record in reversed(draft.state.moves.plies):
        if record.seat is not seat:
            continue
        if record.completed_ms is None or not said.at_ms < record.completed_ms <= draft.now:
            break
        pressed = record
    return pressed


def _record_heard_late(draft: Draft, record: PlyRecord, said: Say) -> None:
    """Record words that sounded before the press of this move as what they were then: the echo due, else the move."""
    assert said.announcement is not None
    before = draft.state.ply(record.index - 1)
    if before is None or before.echoed or not (before.announcement is None or _same(before, said.announcement)):
        _record_after_press(draft, record, said)
    else:
        _echo(draft, before, said)


def _record_after_press(draft: Draft, record: PlyRecord, said: Say) -> None:
    """Record a player's words about their own completed move: said again, heard at last, or contested."""
    seat = record.seat
    if _repeats(record, said):
        _record_repetition(draft, seat, record.index, said)
    elif record.announcement is None:  # not understood the first time, said again after the press
        _announce(draft, seat, record.index, record, said)
        draft.heard_late(record.index)
    else:
        draft.emit(
            Contested(
                at=draft.now,
                seat=seat,
                ply=record.index,
                speech=said.speech,
            )
        )
        draft.alert("contested", record.index, saying("other_words"), utterance=said.utterance)


def _record_of_side_to_move(
    draft: Draft, seat: Seat, said: Say, last: PlyRecord | None, coming: PlyRecord | None
) -> None:
    """Record the echo of the opponent's last move, or the announcement of the player's own."""
    state = draft.state
    if last is not None and _echoes_again(last, coming, said, state):
        _echo(draft, last, said, again=True)
    elif last is not None and _takes_as_echo(last, said, state):
        _echo(draft, last, said)
    else:
        _announce(draft, seat, state.ply_to_make, coming, said)
        if coming is not None and coming.own_board_moved:  # placed first, announced now: the order is free (D.2.3)
            draft.make(coming.index, Origin.SENSED)


def _record_about_unmade(draft: Draft, seat: Seat, said: Say, coming: PlyRecord) -> None:
    """Record words about a move that the opponent announced (perhaps not understood) and has not made yet."""
    assert said.announcement is not None
    if _echoes_again(coming, None, said, draft.state):
        _echo(draft, coming, said, again=True)
    elif _takes_as_echo(coming, said, draft.state):
        agrees = coming.announcement is None or coming.announcement.agrees_with(said.announcement)
        if agrees:
            draft.make(coming.index, Origin.INFERRED)
        _echo(draft, draft.state.moves.plies[coming.index - 1], said)
    else:  # it is already the speaker's own move: the opponent's must have been made
        draft.make(coming.index, Origin.INFERRED)
        _announce(draft, seat, draft.state.ply_to_make, None, said)


def _same(record: PlyRecord, announcement: Announcement) -> bool:
    return record.announcement is not None and record.announcement.agrees_with(announcement)


def _repeats(record: PlyRecord | None, said: Say) -> bool:
    """Return whether these words are the speaker's completed move, said once more."""
    assert said.announcement is not None
    return record is not None and record.completed and said.act != "echo" and _same(record, said.announcement)


def _is_own_again(record: PlyRecord, said: Say) -> bool:
    """Return whether these words after the press are the speaker's own move once more, and no echo of another.

    They say nothing else than its announcement; or, where that was not understood, what its sound most probably was, or
    one of the two of which the player was asked to name one.
    """
    assert said.announcement is not None
    if record.announcement is not None:
        return _repeats(record, said) and record.announcement.says_all_of(said.announcement)
    own = (one for one in record.utterances if one.seat is record.seat and not one.aside)
    likeliest = (sorted(one.candidates, key=lambda way: way.cost)[: 2 if one.either else 1] for one in own)
    ways = (way.announcement for some in likeliest for way in some)
    return said.act != "echo" and any(way.agrees_with(said.announcement) for way in ways)


def _takes_as_echo(record: PlyRecord, said: Say, state: GameState) -> bool:
    """Return whether these words count as the echo of that move: by the Laws the echo comes first.

    See D.2.1. Differing words are a wrong echo the first time; the same differing words again are the player's own
    move. That does not hold for recognised words in relay: a recogniser may mishear the same word twice, and a move
    that nobody made would be announced to the opponent. There the press or the hand settles it (`own_words_left`).
    """
    assert said.announcement is not None
    if said.act != "auto":
        return said.act == "echo"
    if record.echoed:
        return False
    if _same(record, said.announcement):
        return True
    if record.settled:  # at the desk both players have seen what it was: other words are the player's own move
        return False
    return record.echo != said.announcement or _may_be_misheard(said, state)


def _echoes_again(record: PlyRecord, coming: PlyRecord | None, said: Say, state: GameState) -> bool:
    """Return whether these words are the right echo of that move, said once more: no announcement (D.2.1).

    That is decided by words alone: they are those of the echo or of the announcement. A player whose own move has the
    same words (both castle; a piece is taken back by one of its kind) has the hand or the press say so
    (`own_words_left`). Where the echo said more than the announcement, the player was told for which of the two it was
    taken: the same words again are the player's own move, but for recognised words in relay.
    """
    assert said.announcement is not None
    if said.act != "auto" or not record.echoed or record.announcement is None:
        return False
    if coming is not None and _same(coming, said.announcement):
        return False
    if record.has_said(said.announcement):
        return True
    return record.echo == said.announcement and _may_be_misheard(said, state)


def _may_be_misheard(said: Say, state: GameState) -> bool:
    return state.table.mode is Mode.RELAY and said.origin is Origin.HEARD


def _echo(draft: Draft, record: PlyRecord, said: Say, *, again: bool = False) -> None:
    assert said.announcement is not None
    agrees = None if record.announcement is None else record.announcement.agrees_with(said.announcement)
    seat = record.seat.other
    draft.emit(
        Echoed(
            at=draft.now,
            seat=seat,
            ply=record.index,
            speech=said.speech,
            origin=said.origin,
            agrees=agrees,
            again=again,
        )
    )
    if again:
        return
    draft.follow_completed(record.index)
    if agrees is not False:
        draft.compare_hand(record.index)
    else:
        words_alone = Origin.HEARD in (said.origin, record.announced_origin)
        draft.alert("echo_differs", record.index, saying("echo_differs"), grey=words_alone, utterance=said.utterance)
    draft.score_echo(draft.state.moves.plies[record.index - 1], seat)


def take_up_left_over(draft: Draft, seat: Seat, announcement: Announcement | None = None) -> None:
    """Take words left over from before as the echo of the opponent's move, where they were one (D.2.1).

    They came after the player's own press, were not that player's move again, and were followed by a move of which
    nothing was announced to us. An opponent who speaks at the table and is not heard here is echoed before that move is
    seen on a board or pressed. The words are taken when this player speaks or presses next; `announcement`: those new
    words.

    """
    state = draft.state
    words, record = left_over_echo(state.moves, state.table.mode)
    if words is None or record is None or seat is not words.seat or state.ply(state.ply_to_make) is not None:
        return
    if announcement is not None and announcement.agrees_with(words.announcement):
        return  # echoed once more: these new words are the echo
    said = Say(announcement=words.announcement, words=words.words, text=words.text, utterance=words.utterance)
    _echo(draft, record, replace(said, origin=origin_of(words)))


def announce_from_board(draft: Draft, seat: Seat, ply: int, said: Say) -> None:
    """Announce a move as it stands on the board of its player, who has not announced it otherwise."""
    _announce(draft, seat, ply, draft.state.ply(ply), said, by_board=True)


def _announce(
    draft: Draft, seat: Seat, ply: int, before: PlyRecord | None, said: Say, *, by_board: bool = False
) -> None:
    """Record an announced move, or a slip of the tongue that is corrected before the press (D.2.8, L195)."""
    assert said.announcement is not None
    known = before.announcement if before is not None else None
    if known is not None and before is not None:
        if by_board and before.announced_by_board and known.says_all_of(said.announcement):
            return  # the same once more from the board: nobody has said anything, and nobody is told again
        joins = before.announced_by_board and not by_board and known.agrees_with(said.announcement)
        if joins or known.says_all_of(said.announcement):
            _record_repetition(draft, seat, ply, said, by_board=by_board)
            return
    wrong = draft.state.ply(ply - 1)
    if wrong is not None and wrong.echo_agrees is False and wrong.echo == said.announcement:
        _recall_echo(draft, seat, wrong)
    if known is not None and before is not None and not known.agrees_with(said.announcement):
        _take_back(draft, before)
    draft.emit(
        Announced(
            at=said.at_ms if said.at_ms is not None else draft.now,
            seat=seat,
            ply=ply,
            speech=said.speech,
            origin=said.origin,
            replaces=known is not None,
            by_board=by_board,
            differs=None if by_board else _differs(draft.state, before, said.announcement),
        )
    )
    if not by_board:
        draft.compare_hand(ply)  # the piece was moved before the words came
    ask_in_training(draft, seat, ply, said)


def _differs(state: GameState, before: PlyRecord | None, announcement: Announcement) -> bool | None:
    """Return whether these words mean another move than the one on the mover's own board.

    None where no move stands there.
    """
    if before is None or before.placed is None:
        return None
    said = replace(before, announcement=announcement, repeated=None, echo=None, echo_agrees=None)
    return hand_differs(said, before.placed, state.board_of(before.seat).before)


def _record_repetition(draft: Draft, seat: Seat, ply: int, said: Say, *, by_board: bool = False) -> None:
    """Record words that were said before, or that join what the player's board announced: one announcement (D.2.1)."""
    joins = draft.state.moves.plies[ply - 1].announced_by_board and not by_board
    draft.emit(
        AnnouncementRepeated(
            at=draft.now,
            seat=seat,
            ply=ply,
            speech=said.speech,
            joins=joins,
        )
    )
    draft.follow_completed(ply)
    if not draft.state.moves.plies[ply - 1].hand_differs:  # fuller words may tell what the first left open
        draft.compare_hand(ply)


def _take_back(draft: Draft, record: PlyRecord) -> None:
    """Set the other board back where a slip of the tongue had been carried out on it (D.2.8)."""
    if record.executed_ms is not None:
        draft.set_back(record.seat.other, Origin.INFERRED)


def _recall_echo(draft: Draft, seat: Seat, record: PlyRecord) -> None:
    """Take back words taken for an echo, with what they wrote into the speaker's score and did on that board."""
    board = draft.state.board_of(seat)
    followed = None
    if record.executed_ms is not None and record.seen_on_other_board is None:
        followed = announced_on(record, board.before, by_echo=True)
    draft.emit(EchoRecalled(at=draft.now, seat=seat, ply=record.index))
    if draft.state.plan(seat).scores_by_echo:
        draft.write(seat, record.index, "", "echo", None)
    if followed is not None and stands_by(board, followed):
        draft.set_back(seat, Origin.INFERRED)
        draft.execute(draft.state.moves.plies[record.index - 1], seat, None, Origin.INFERRED)


def _not_understood(draft: Draft, seat: Seat, said: Say) -> None:
    """Keep a sound that was not understood; a move that was not understood is still a move."""
    ply = _ply_about(draft.state, seat, echo_first=said.act != "announce")
    draft.emit(
        NotUnderstood(
            at=draft.now,
            seat=seat,
            ply=ply,
            speech=said.speech,
            ask=said.ask,
        )
    )


def _ply_about(state: GameState, seat: Seat, *, echo_first: bool) -> int:
    """Return the ply that a sound without words is most likely about.

    An echo that is due, else the move to be made.
    """
    last = state.ply(state.made_plies)
    coming = state.ply(state.ply_to_make)
    if seat is state.on_move:
        echo_due = last is not None and last.echoed_ms is None and last.echo_utterance is None and coming is None
        return state.made_plies if echo_due and echo_first else state.ply_to_make
    return state.ply_to_make if coming is not None else max(1, state.made_plies)


@decides(cmd.SetSoundAside)
def set_aside(draft: Draft, body: SetSoundAside) -> None:
    """Record a sound that was not meant for us, as far as the recognisers can tell.

    Nothing follows, nobody is asked.
    """
    state = draft.state
    of_the_game = state.table.started and not state.over and not private_ear(state, body.seat)
    draft.emit(
        SetAside(
            at=draft.now,
            seat=body.seat,
            ply=_ply_about(state, body.seat, echo_first=True) if of_the_game else 0,
            speech=Speech(utterance=body.utterance, words=body.words, candidates=body.candidates),
        )
    )


def own_words_left(draft: Draft, seat: Seat, ply: int) -> None:
    """Take words that were taken for an echo as the player's own move at the press, if they announced none.

    Words that contradicted the move before: the player had no time for the echo and said their own move straight away.
    Or the words of the echo, said again: both moves have the same. The position plays no part.
    """
    take_up_left_over(draft, seat)
    before, coming = draft.state.ply(ply - 1), draft.state.ply(ply)
    if before is None or before.seat is seat:
        return
    if before.echo is not None and before.echo_agrees is False:
        _own_words(draft, seat, ply, before)
    elif before.echo_again is not None and (coming is None or coming.utterance is None):
        # Nobody moves from the square that the opponent has just left.
        named, left = before.echo_again.announcement, before.announcement
        if left is None or named is None or named.from_square is None or named.from_square != left.from_square:
            _own_words(draft, seat, ply, before, again=True)


def own_words_by_hand(draft: Draft, seat: Seat, ply: int, uci: str) -> None:
    """Take words that were taken for an echo as the announcement of the move that the player's hand now makes.

    Words and hand that agree are one announcement (D.2.1, 4.7), whichever came first. What only repeats the opponent's
    announcement stays the echo of it, unless it was said twice; so do words that the opponent may have said of a move
    that was not understood. A tactile player's words wait for the press: what the hand found may not decide what that
    player hears or has in the score.
    """
    before, coming = draft.state.ply(ply - 1), draft.state.ply(ply)
    if before is None or before.seat is seat or before.echo is None:
        return
    if draft.state.plan(seat).kind is SeatKind.TACTILE:
        return
    if coming is not None and coming.announcement is not None and not coming.announced_by_board:
        return
    position = draft.state.board_of(seat).position
    again = None if before.echo_again is None else before.echo_again.announcement
    if again is not None and fits(again, position.board(seat), uci):
        _own_words(draft, seat, ply, before, again=True)
    elif fits(before.echo, position.board(seat), uci) and not _echo_of(draft.state, before):
        _own_words(draft, seat, ply, before)


def _echo_of(state: GameState, record: PlyRecord) -> bool:
    """Return whether the words taken for the echo of a move say what was announced, or may be said of it."""
    assert record.echo is not None
    if record.announcement is not None:
        return record.has_said(record.echo)
    board = state.board_of(record.seat.other)
    if record.seen_on_other_board is not None:
        return fits(record.echo, board.before.board(record.seat), record.seen_on_other_board)
    stands = board.before if record.executed_ms is not None else board.position
    return reaches(record.echo, stands.board(record.seat))


def _own_words(draft: Draft, seat: Seat, ply: int, before: PlyRecord, *, again: bool = False) -> None:
    """Announce a player's move in the words that were taken for the echo of `before`, or in those that came again."""
    if again:
        assert before.echo_again is not None
        said, origin = replace(before.echo_again.speech, doubtful=False), before.echo_again.origin
    else:
        weighed = next((one.candidates for one in before.utterances if one.utterance == before.echo_utterance), ())
        assert before.echo_origin is not None
        said, origin = replace(before.said_as_echo, candidates=weighed), before.echo_origin
        _recall_echo(draft, seat, before)
    assert said.announcement is not None
    coming = draft.state.ply(ply)
    replaces = coming is not None and coming.announcement is not None
    draft.emit(Announced(at=draft.now, seat=seat, ply=ply, speech=said, origin=origin, replaces=replaces))


class TrainingQuestion(msgspec.Struct, frozen=True):
    """Question in training about an announcement.

    `which`: several legal moves fit, and their pieces stand on `choices` (squares). `illegal`: no legal move fits.
    """

    ask: Literal["which", "illegal"]
    piece: str = ""
    choices: tuple[str, ...] = ()


def training_question(announcement: Announcement, board: chess.Board) -> TrainingQuestion | None:
    """Return the question of training about an announcement on this board.

    None where exactly one legal move fits it.

    >>> board = chess.Board("4k3/8/8/8/8/1N3N2/8/4K3 w - - 0 1")
    >>> training_question(Announcement(piece="knight", to_square="d2"), board)
    TrainingQuestion(ask='which', piece='knight', choices=('b3', 'f3'))
    """
    meant = resolve(announcement, board)
    moves = [chess.Move.from_uci(uci) for uci in ((meant.uci,) if meant.uci is not None else meant.candidates)]
    legal = [move for move in moves if board.is_legal(move)]
    if not legal:
        return TrainingQuestion("illegal")
    if len(legal) == 1:
        return None
    squares = sorted({chess.square_name(move.from_square) for move in legal})
    assert announcement.piece_meant is not None  # a departure square would have left one move
    return TrainingQuestion("which", announcement.piece_meant, tuple(squares))


def ask_in_training(draft: Draft, seat: Seat, ply: int, said: Say) -> None:
    """Ask what the position leaves open after an announcement, at a table for training."""
    state = draft.state
    position = state.position_after(ply - 1)
    if not state.table.trains or said.announcement is None or position is None:
        return
    found = training_question(said.announcement, position.board())
    if found is not None:
        draft.emit(
            TrainingAsked(
                at=draft.now,
                seat=seat,
                ply=ply,
                ask=found.ask,
                piece=found.piece,
                choices=found.choices,
                utterance=said.utterance,
            )
        )
