"""This file decides what an utterance is.

It is an announcement, a correction, an echo, a repetition, contested words, or nothing understood. The rules look at
who speaks, what was said before and whether the clock was pressed, never at the position: what reaches a player's ear
may not depend on legality (design: Silence).

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
    Say,
    SetAside,
    SetSoundAside,
    TrainingAsked,
)
from server.game.decide.claims.proposals import private_ear
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.state.line import PlyRecord, hand_differs, resolve
from server.game.state.moves import left_over_echo
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.saying import saying
from server.game.values.words import Mode, Origin, Seat


def speak(draft: Draft, seat: Seat, said: Say) -> None:
    """Record an utterance of a seat."""
    if said.announcement is None or not said.announcement.complete:
        _not_understood(draft, seat, said)
        return
    take_up_left_over(draft, seat, said.announcement)
    state = draft.state
    coming = state.ply(state.ply_to_make)
    last = state.ply(state.made_plies)
    heard_too = state.stations.has_player(seat.other)
    # Where the opponent has no station, these words may be the echo of a move that the server could not hear.
    of_unheard = not heard_too and said.act != "announce"
    if seat is state.on_move:
        if last is not None and _takes_as_echo(last, said, state.table.mode):
            _echo(draft, last, said)
        else:
            _announce(draft, seat, state.ply_to_make, coming, said)
            if coming is not None and coming.own_board_moved:  # placed first, announced now: the order is free (D.2.3)
                draft.make(coming.index, Origin.SENSED)
    elif coming is not None and not (coming.announcement is None and _repeats(last, said)):
        # Announced by the opponent (perhaps not understood), not yet made.
        if _takes_as_echo(coming, said, state.table.mode):
            agrees = coming.announcement is None or coming.announcement.agrees_with(said.announcement)
            if agrees:
                draft.make(coming.index, Origin.INFERRED)
            _echo(draft, draft.state.moves.plies[coming.index - 1], said)
        else:  # it is already the speaker's own move: the opponent's must have been made
            draft.make(coming.index, Origin.INFERRED)
            _announce(draft, seat, draft.state.ply_to_make, None, said)
    elif last is None and not of_unheard:
        draft.alert("out_of_turn_speech", 0, saying("spoken_out_of_turn"), utterance=said.utterance)
    elif last is None or (of_unheard and last.completed and not (_repeats(last, said) and _adds_nothing(last, said))):
        draft.make(state.ply_to_make, Origin.INFERRED)
        _echo(draft, draft.state.moves.plies[-1], said)
    elif not last.completed:
        _announce(draft, seat, last.index, last, said)
    elif _repeats(last, said) and (heard_too or _adds_nothing(last, said)):
        _repeated(draft, seat, last.index, said)
    elif last.announcement is None:  # not understood the first time, said again after the press
        _announce(draft, seat, last.index, last, said)
        draft.heard_late(last.index)
    else:
        draft.emit(
            Contested(
                at=draft.now,
                seat=seat,
                ply=last.index,
                announcement=said.announcement,
                words=said.words,
                text=said.text,
                utterance=said.utterance,
            )
        )
        draft.alert("contested", last.index, saying("other_words"), utterance=said.utterance)


def _same(record: PlyRecord, announcement: Announcement) -> bool:
    return record.announcement is not None and record.announcement.agrees_with(announcement)


def _repeats(record: PlyRecord | None, said: Say) -> bool:
    """Return whether these words are the speaker's completed move, said once more."""
    assert said.announcement is not None
    return record is not None and record.completed and said.act != "echo" and _same(record, said.announcement)


def _adds_nothing(record: PlyRecord, said: Say) -> bool:
    assert said.announcement is not None
    return record.announcement is not None and record.announcement.says_all_of(said.announcement)


def _takes_as_echo(record: PlyRecord, said: Say, mode: Mode) -> bool:
    """Return whether these words count as the echo of that move: by the Laws the echo comes first.

    See D.2.1. Differing words are a wrong echo the first time; the same differing words again are the player's own
    move. That does not hold for recognised words in relay: a recogniser may mishear the same word twice, and a move
    that nobody made would be announced to the opponent. There the press settles it (`own_words_left_as_echo`).
    """
    assert said.announcement is not None
    if said.act != "auto":
        return said.act == "echo"
    if record.echoed:
        return False
    if record.announcement is not None and record.announcement.agrees_with(said.announcement):
        return True
    if record.settled:  # at the desk both players have seen what it was: other words are the player's own move
        return False
    return record.echo != said.announcement or (mode is Mode.RELAY and said.origin is Origin.HEARD)


def _echo(draft: Draft, record: PlyRecord, said: Say) -> None:
    assert said.announcement is not None
    agrees = None if record.announcement is None else record.announcement.agrees_with(said.announcement)
    seat = record.seat.other
    draft.emit(
        Echoed(
            at=draft.now,
            seat=seat,
            ply=record.index,
            announcement=said.announcement,
            words=said.words,
            text=said.text,
            origin=said.origin,
            agrees=agrees,
            utterance=said.utterance,
            candidates=said.candidates,
            doubtful=said.doubtful,
        )
    )
    draft.follow_completed(record.index)
    if agrees is None or (agrees and record.hand_differs):
        draft.compare_hand(record.index)
    if agrees is False:
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
    origin = Origin.ENTERED if words.utterance is None else Origin.HEARD
    said = Say(announcement=words.announcement, words=words.words, text=words.text, utterance=words.utterance)
    _echo(draft, record, replace(said, origin=origin))


def announce_from_board(draft: Draft, seat: Seat, ply: int, said: Say) -> None:
    """Announce a move as it stands on the board of its player, who has not announced it otherwise."""
    _announce(draft, seat, ply, draft.state.ply(ply), said, by_board=True)


def _announce(
    draft: Draft, seat: Seat, ply: int, before: PlyRecord | None, said: Say, *, by_board: bool = False
) -> None:
    """Record an announced move, or a slip of the tongue that is corrected before the press (D.2.8, L195)."""
    assert said.announcement is not None
    known = before.announcement if before is not None else None
    if known is not None and known.says_all_of(said.announcement):
        _repeated(draft, seat, ply, said)
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
            announcement=said.announcement,
            words=said.words,
            text=said.text,
            origin=said.origin,
            utterance=said.utterance,
            replaces=known is not None,
            candidates=said.candidates,
            by_board=by_board,
            differs=None if by_board else _differs(draft.state, before, said.announcement),
            doubtful=said.doubtful,
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


def _repeated(draft: Draft, seat: Seat, ply: int, said: Say) -> None:
    draft.emit(
        AnnouncementRepeated(
            at=draft.now,
            seat=seat,
            ply=ply,
            words=said.words,
            text=said.text,
            utterance=said.utterance,
            announcement=said.announcement,
            candidates=said.candidates,
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
    """Take back a wrong echo, and what it wrote into the speaker's score for the opponent's move."""
    draft.emit(EchoRecalled(at=draft.now, seat=seat, ply=record.index))
    if draft.state.plan(seat).scores_by_echo:
        draft.write(seat, record.index, "", "echo", None)


def _not_understood(draft: Draft, seat: Seat, said: Say) -> None:
    """Keep a sound that was not understood; a move that was not understood is still a move."""
    ply = _ply_about(draft.state, seat, echo_first=said.act != "announce")
    draft.emit(
        NotUnderstood(
            at=draft.now,
            seat=seat,
            ply=ply,
            utterance=said.utterance,
            words=said.words,
            unclear=said.unclear,
            ask=said.ask,
            candidates=said.candidates,
            either=said.either,
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
            utterance=body.utterance,
            words=body.words,
            candidates=body.candidates,
        )
    )


def own_words_left_as_echo(draft: Draft, seat: Seat, ply: int) -> None:
    """Take words that contradicted the move before as the player's own move, if they announced none.

    The position plays no part, and it is only for the record: the player had no time for the echo and said their own
    move straight away.
    """
    take_up_left_over(draft, seat)
    before = draft.state.ply(ply - 1)
    if before is None or before.seat is seat or before.echo is None or before.echo_agrees is not False:
        return
    weighed = next((one.candidates for one in before.utterances if one.utterance == before.echo_utterance), ())
    _recall_echo(draft, seat, before)
    draft.emit(
        Announced(
            at=draft.now,
            seat=seat,
            ply=ply,
            announcement=before.echo,
            words=before.echo_words,
            text=before.echo_text,
            origin=before.echo_origin or Origin.HEARD,
            utterance=before.echo_utterance,
            candidates=weighed,
        )
    )


class TrainingQuestion(msgspec.Struct, frozen=True):
    """This is a question in training about an announcement.

    `which`: several legal moves fit, and their pieces stand on `choices` (squares). `illegal`: no legal move fits.
    """

    ask: Literal["which", "illegal"]
    piece: str = ""
    choices: tuple[str, ...] = ()


def training_question(announcement: Announcement, board: chess.Board) -> TrainingQuestion | None:
    """Return what training asks about an announcement on this board.

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
    return TrainingQuestion("which", announcement.piece_meant or "pawn", tuple(squares))


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
