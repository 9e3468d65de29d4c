"""Answers to a player's questions, for that player alone (D.2.6.1, D.2.10.4, L192, L203).

Also: the command words that help a player now, by what is going on at the table, never by the position or the turn.
What the player is being asked comes first; then what is of use before, during or after the game. The rest comes when
the player asks for help once more.

Questions about the position are answered only at a table that is opened unrated and for training (12.6, D.2.10.4);
there it is everything that lichess's blind mode answers, and more. At any other table the command is refused, whatever
it asks. Pure.
"""

from __future__ import annotations

import chess
import msgspec

from server.game import acts as cmd
from server.game.acts import Answered, Explored, Refusal
from server.game.acts.questions import ENDED
from server.game.decide.adaptations import adaptation_value
from server.game.decide.draft import Draft
from server.game.decide.rule import decides
from server.game.decide.set_up.pairing import pairing_asked
from server.game.laws.adaptations import ON
from server.game.state.line import PlyRecord, fits
from server.game.state.scores import ScoreCell
from server.game.state.state import GameState
from server.game.values.announcement import Announcement
from server.game.values.words import ClockMaster, Role, Seat, SeatKind, Station

OF_TIME = ("time", "opponent_time", "clock")


def answer_question(draft: Draft, seat: Seat, station: Station | None, body: cmd.Ask) -> Refusal | None:
    """Answer a question about time, moves, the last announcement or the score; nothing is said unasked.

    The last announcement is told as it was said. The opponent's score is told where the arbiter lends it to the player
    (8.5.2). The player's own board is told where the arbiter approved it, from that board's own events: never what the
    server believes (G9). The set-up (2.3, L010) is told before the start; after it, it would be a position read out.
    """
    state, now = draft.state, draft.now
    refusal = _not_for_asker(state, seat, station, body)
    if refusal is not None:
        return refusal
    reading, age = state.clock_known(now)
    reading = reading or state.time.clock.reading(now)  # not told: only the times of the clock that counts are
    leads = state.time.clock_master is ClockMaster.SERVER
    if body.what == "opponent_score" and state.scores.lent is not seat:
        return Refusal("not_lent", "8.5.2")
    body = reading_on(state, seat, body)
    words, more = help_told(state, seat, now) if body.what == "help" else ((), False)
    if body.what == "last":
        words = _last_words(state, seat)
    refused, article = _rule_asked(state, body)
    draft.emit(
        Answered(
            at=now,
            seat=seat,
            station=station.id if station is not None else "",
            what=body.what,
            white_ms=reading.white_ms,
            black_ms=reading.black_ms,
            white_used_ms=state.time.clock.time_used(Seat.WHITE, now),
            black_used_ms=state.time.clock.time_used(Seat.BLACK, now),
            moves=sum(record.completed for record in state.moves.plies if record.seat is seat),
            running=reading.running,
            age_ms=age,
            words=words,
            placement=_placement(state, seat, body.what),
            score=_score(state, seat, body),
            move=body.move if body.what == "score" else None,
            to_control=state.time.clock.moves_to_control(seat) if leads else None,
            period=state.time.clock.side(seat).period + 1 if leads else None,
            periods=len(state.time.clock.control.periods) if leads else 0,
            first_flag=state.time.clock.first_flag if leads else None,
            refused=refused,
            article=article,
            more=more,
            took_ms=thinking_times(state, body.move) if body.what == "score" and state.scores.released else (),
            pairing=pairing_asked(state, seat, station) if body.what == "pairing" else None,
        )
    )
    return None


def _rule_asked(state: GameState, body: cmd.Ask) -> tuple[str, str]:
    """Return what the rule is asked of and its article: how the game ended, else the player's last refusal."""
    if body.what != "article":
        return "", ""
    if state.over:
        return f"{ENDED}{state.ending.reason}", state.ending.ended_by
    return body.refused, body.article


def reading_on(state: GameState, seat: Seat, body: cmd.Ask) -> cmd.Ask:
    """Return which move of the player's own score is read next.

    It is the one after or before the one read last, or that one again; the first time, an end of the score. Past an end
    the player is told that it is empty, and stays there. Of its last moves, it is the first.
    """
    if body.what == "score" and body.last is not None:
        count = (len(state.scores.of(seat)) + 1) // 2
        return cmd.Ask(what="score", move=max(1, count - body.last + 1), last=body.last)
    if body.what not in ("score_next", "score_previous", "score_here"):
        return body
    moves = (len(state.scores.of(seat)) + 1) // 2
    read = state.scores.read_to[0 if seat is Seat.WHITE else 1]
    if body.what == "score_next":
        move = min(read, moves) + 1
    elif body.what == "score_here":
        move = read or max(1, moves)
    else:
        move = max(1, min(read, moves + 1) - 1) if read else max(1, moves)
    return cmd.Ask(what="score", move=move)


def _not_for_asker(state: GameState, seat: Seat, station: Station | None, body: cmd.Ask) -> Refusal | None:
    ours = state.time.clock_master is ClockMaster.SERVER
    if body.what in OF_TIME and state.table.started and not ours and state.time.clock_read is None:
        return Refusal("clock_not_read", "D.2.6")  # ours stands, and its times are nobody's
    arbiter = station is not None and station.role is Role.ARBITER
    if arbiter and body.what != "set_up":
        return Refusal("only_the_player", "12.6")
    if body.what == "position":
        by_touch = state.plan(seat).kind is SeatKind.TACTILE
        return (
            None if by_touch and adaptation_value(state, "position_readout") == ON else Refusal("no_readout", "D.2.10")
        )
    if body.what == "set_up" and station is not None and station.role is Role.PLAYER and state.table.started:
        return None if state.table.trains else Refusal("set_up_before_the_start", "2.3")
    return None


def _placement(state: GameState, seat: Seat, what: str) -> str:
    if what == "position":
        return state.board_of(seat).position.placement
    return state.moves.positions[0].placement if what == "set_up" else ""


def _score(state: GameState, seat: Seat, body: cmd.Ask) -> tuple[str, ...]:
    if body.what == "opponent_score":
        return lent_cells(state, seat.other)
    cells = score_texts(state.scores.of(seat)) if body.what == "score" else ()
    if body.move is None:
        return cells
    return cells[2 * body.move - 2 :][: 2 * (body.last or 1)]


def thinking_times(state: GameState, move: int | None) -> tuple[int | None, ...]:
    """Return how long each half-move of a move took (ms), None where that is not known; () where no move is asked for.

    It is told only in the review of a released game.
    """
    return () if move is None else tuple(time_for(state, ply) for ply in (2 * move - 1, 2 * move) if state.ply(ply))


def time_for(state: GameState, ply: int) -> int | None:
    """Return how long the mover's time ran for one half-move (ms), None where another clock counted."""
    record, before = state.ply(ply), state.ply(ply - 2)
    earlier = before.used_ms if before is not None else 0
    if record is None or record.used_ms is None or earlier is None:
        return None
    return max(0, record.used_ms - earlier)


def lent_cells(state: GameState, seat: Seat) -> tuple[str, ...]:
    """Return a score as the opponent may hear it: only up to the last made move, so no intended move.

    See 9.2.1, L104.
    """
    return score_texts(state.scores.of(seat)[: state.made_plies])


def _last_words(state: GameState, seat: Seat) -> tuple[str, ...]:
    """Return the opponent's last announcement, in the opponent's words or else as this player echoed it.

    It is never a move that only stands on a board; it is empty where nothing is known of a move that the opponent
    pressed, or where it was misheard, as the arbiter found (D.2.9).
    """
    for record in reversed(state.moves.plies):
        if record.seat is seat:
            continue
        told = ((record.words, record.announcement), (record.echo_words, record.echo))
        words = next((words for words, said in told if words and not _is_misheard(state, record, said)), ())
        if words or record.completed:
            return words
    return ()


def _is_misheard(state: GameState, record: PlyRecord, said: Announcement | None) -> bool:
    """Return whether the arbiter settled that another move was played than these words say."""
    before = state.position_after(record.index - 1)
    if not record.settled or record.mended is None or said is None or before is None:
        return False
    return not fits(said, before.board(), record.mended)


def score_texts(score: tuple[ScoreCell | None, ...]) -> tuple[str, ...]:
    """Return a score as its texts, "" where nothing is written or only the sound is kept."""
    return tuple(cell.text if cell else "" for cell in score)


MORE_MS = 30_000
"""A player who asks for help again within this time is told the rest."""

EAR = ("repeat", "slower", "faster", "read_keys", "stop")
OWN_SCORE = ("score", "score_move", "score_previous", "score_next")
PLAYING = ("time", "opponent_time", "clock", "moves", "last", "correction", "score", "draw_offer", "arbiter")
MORE = ("executed", "adjust", "claim_draw", "claim_time", "resign", "article")
PLAYING_MORE = (*OWN_SCORE[1:], *MORE, *EAR)


def words_now(state: GameState, seat: Seat) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the commands that can be said now: those of most use, and the rest.

    They are names without "cmd.".
    """
    if state.time.choice_of(seat) is not None:
        return ("yes", "no", "stop"), EAR[:-1]
    if state.over:
        return ("last", *OWN_SCORE, "moves", "clock", "pairing", "arbiter"), ("article", *EAR)
    if not state.table.started:
        return ("set_up", "set_clock", "clock", "pairing", "arbiter", *EAR), ("article",)
    playing: tuple[str, ...] = PLAYING
    more: tuple[str, ...] = PLAYING_MORE
    if state.draws.offer_by is seat.other and state.draws.offer_delivered:
        playing = ("draw_accept", "draw_decline", *(word for word in playing if word != "draw_offer"))
    if state.moves.positions[0].chess960:
        more = ("castle", *more)
    if state.ending.pending_of(seat) is not None:
        return ("yes", "no", "arbiter"), (*playing, *more)
    if state.draws.claim is not None and state.draws.claim.seat is seat and state.draws.claim.awaits:
        return ("no", "arbiter"), (*playing, *more)
    return playing, more


def help_told(state: GameState, seat: Seat, now: int) -> tuple[tuple[str, ...], bool]:
    """Return the words to tell the player, and whether they are the rest.

    They are the rest where the player was told the same first ones just now.
    """
    first, rest = (tuple(f"cmd.{word}" for word in words) for words in words_now(state, seat))
    told = state.scores.helped[0] if seat is Seat.WHITE else state.scores.helped[1]
    more = told is not None and told.words == first and told.at <= now <= told.at + MORE_MS
    return (rest if more else first), more


KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")


class Found(msgspec.Struct, frozen=True):
    """Answer to a question about a position.

    Men are FEN letter and square, "Ng1"; empty where there is nothing.

    `takes`: pairs of who may take, and on which square; `squares`: where to; `words`: of the last move.
    """

    white: tuple[str, ...] = ()
    black: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    takes: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()


@decides(cmd.Explore)
def explore(draft: Draft, seat: Seat, station: Station | None, body: cmd.Explore) -> Refusal | None:
    """Answer a question about the position in training; refuse it in every other game without looking."""
    state = draft.state
    if not state.table.trains:
        return Refusal("training_only", "11.3.1")
    position = state.position or state.board_of(seat).position
    found = (
        Found(words=_words_of_last_ply(state))
        if body.about == "last"
        else find(position.board(), body.about, square=body.square, file=body.file, rank=body.rank, piece=body.piece)
    )
    if found is None:
        return Refusal("explore_what", "")
    draft.emit(
        Explored(
            at=draft.now,
            seat=seat,
            station=station.id if station is not None else "",
            about=body.about,
            white=found.white,
            black=found.black,
            squares=found.squares,
            takes=found.takes,
            words=found.words,
        )
    )
    return None


def find(
    board: chess.Board,
    about: str,
    *,
    square: str | None = None,
    file: str | None = None,
    rank: str | None = None,
    piece: str | None = None,
) -> Found | None:
    """Return the answer to a question about this board; None where it lacks its square, file, rank or piece.

    `rays`: where the piece on `square` reaches, up to and including the first man of the other side; `moves`: its legal
    moves, as if it were its side's turn; `captures`: of the side to move.

    >>> find(chess.Board(), "moves", square="g1").squares
    ('f3', 'h3')
    """
    at = chess.parse_square(square) if square is not None else None
    match about:
        case "board":
            return _men(board, chess.SquareSet(board.occupied))
        case "white" | "black":
            return _men(board, chess.SquareSet(board.occupied_co[about == "white"]))
        case "rank" if rank is not None:
            return _men(board, chess.SquareSet(chess.BB_RANKS[int(rank) - 1]))
        case "file" if file is not None:
            return _men(board, chess.SquareSet(chess.BB_FILES[chess.FILE_NAMES.index(file)]))
        case "piece" if piece is not None:
            kind = KINDS.index(piece) + 1
            return _men(board, board.pieces(kind, chess.WHITE) | board.pieces(kind, chess.BLACK))
        case "square" if at is not None:
            return _men(board, chess.SquareSet([at]))
        case "attackers" if at is not None:
            return _men(board, board.attackers(chess.WHITE, at) | board.attackers(chess.BLACK, at))
        case "rays" if at is not None:
            man = board.piece_at(at)
            reached = board.attacks(at) - chess.SquareSet(board.occupied_co[man.color]) if man else chess.SquareSet()
            return Found(squares=tuple(chess.square_name(one) for one in reached))
        case "moves" if at is not None:
            return Found(squares=_arrivals(board, at))
        case "captures":
            taking = sorted({(one.from_square, one.to_square) for one in board.legal_moves if board.is_capture(one)})
            return Found(takes=tuple((_man(board, start), chess.square_name(end)) for start, end in taking))
    return None


def by_kind(man: tuple[int, chess.Piece]) -> tuple[int, int, int]:
    """Return the place of a man in a list: kings first, pawns last, and these file by file, as players think."""
    square, piece = man
    return -piece.piece_type, piece.piece_type == chess.PAWN and chess.square_file(square), square


def _men(board: chess.Board, squares: chess.SquareSet) -> Found:
    """Return the men on these squares; each side's king first, its pawns last, file by file."""
    men = sorted(board.piece_map(mask=int(squares)).items(), key=by_kind)
    white, black = ([_man(board, square) for square, man in men if man.color is side] for side in chess.COLORS)
    return Found(white=tuple(white), black=tuple(black))


def _man(board: chess.Board, square: int) -> str:
    return f"{board.piece_at(square)}{chess.square_name(square)}"


def _arrivals(board: chess.Board, square: int) -> tuple[str, ...]:
    man = board.piece_at(square)
    if man is None:
        return ()
    own = board.copy()
    if own.turn is not man.color:
        own.turn, own.ep_square = man.color, None
    found = {one.to_square for one in own.generate_legal_moves(chess.BB_SQUARES[square])}
    return tuple(chess.square_name(one) for one in sorted(found))


def _words_of_last_ply(state: GameState) -> tuple[str, ...]:
    return next((ply.words for ply in reversed(state.moves.plies) if ply.words), ())
