"""Two boards, two scores, one game, and what the server believes: five separate things."""

from __future__ import annotations

import chess
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import Refusal
from server.game.state.apply import apply
from server.game.state.endings import MateQuestion
from server.game.state.state import GameState
from server.game.values.words import ClockMaster, Duty, Origin, Role, Seat, SeatKind, Station
from server.game.views.view import view
from tests.game.core_table import APPENDIX_C, CoreTable, altered, only, spoken_in

CASTLES = "e4 e5 Nf3 Nc6 Bb5 a6"
BOARD_EVENTS = (ev.BoardMoved, ev.BoardSet)


def play(table: CoreTable, game: str = APPENDIX_C) -> list[str]:
    """Both speak and press; both speak the echo; the placements after each ply."""
    board, placements = chess.Board(), []
    for san in game.split():
        move = board.parse_san(san)
        words = spoken_in(board, move)
        mover, other = ("white", "black") if board.turn == chess.WHITE else ("black", "white")
        table.done(mover, cmd.Say(announcement=words, words=(san,), text=san, origin=Origin.HEARD, act="announce"))
        table.press(mover)
        table.done(other, cmd.Say(announcement=words, words=(san,), text=san, origin=Origin.HEARD))
        board.push(move)
        placements.append(board.board_fen())
    return placements


@pytest.mark.law("L182", "L194")
def test_boards_and_scores_change_only_by_events_about_them() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    placements = play(table)
    state = GameState()
    for event in table.events:
        after = apply(state, event)
        for seat in Seat:
            if after.board_of(seat) != state.board_of(seat):
                assert isinstance(event, (*BOARD_EVENTS, ev.TableOpened)) and getattr(event, "board", seat) is seat
            if after.scores.of(seat) != state.scores.of(seat):
                assert isinstance(event, ev.ScoreWritten) and event.seat is seat
        state = after
    assert table.placement(Seat.WHITE) == placements[-1]
    assert table.placement(Seat.BLACK) == placements[-2], "the last move is carried out by Black's next one"
    assert table.score(Seat.WHITE) == table.score(Seat.BLACK) == APPENDIX_C.split()


def test_the_servers_game_may_be_corrupted_and_nothing_else_moves() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    play(table)
    boards = [table.state.board_of(seat) for seat in Seat]
    scores = [table.state.scores.of(seat) for seat in Seat]
    for ply, uci in ((3, "a2a3"), (8, None), (11, "h2h4"), (21, "b1b8")):
        events = table.done("arbiter", cmd.Mend(ply=ply, uci=uci))
        assert [type(event) for event in events] == [ev.GameMended]
    table.done("arbiter", cmd.MarkOutOfStep(note="the server is wrong"))
    assert table.state.moves.out_of_step and table.state.moves.line[2] == "a2a3"
    assert [table.state.board_of(seat) for seat in Seat] == boards
    assert [table.state.scores.of(seat) for seat in Seat] == scores
    assert table.state.time.clock.running is Seat.BLACK, "no stop"


@pytest.mark.law("L198")
def test_a_mend_is_of_a_ply_that_is_there_and_on_record_with_its_move() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    play(table, "e4 e5")
    for ply in (0, 3):
        assert table.do("arbiter", cmd.Mend(ply=ply, uci="d2d4")) == Refusal("no_such_ply", "7.1")
    for ply, uci in ((1, "d2d4"), (2, None)):
        assert list(table.done("arbiter", cmd.Mend(ply=ply, uci=uci))) == [
            ev.GameMended(at=1_000, ply=ply, uci=uci, unknown=uci is None)
        ]


@pytest.mark.law("L198")
def test_through_which_ply_a_board_stands_that_the_arbiter_has_seen_is_told_by_whose_turn_it_is_there() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    white, black = Seat.WHITE, Seat.BLACK

    def through(board: Seat, turn: Seat) -> int | None:
        """What is on record of a board with a turn; the table is left as it was."""
        state = table.state
        placement = state.board_of(board).position.placement
        (event,) = table.done("arbiter", cmd.SetBoard(board=board, placement=placement, turn=turn))
        assert isinstance(event, ev.BoardSet) and event.origin is Origin.ENTERED
        assert (event.board, event.placement, event.turn) == (board, placement, turn)
        table.state = state
        return event.through

    assert (through(white, white), through(white, black)) == (0, 0), "nothing has been moved"
    play(table, "e4")
    assert (through(white, black), through(black, black)) == (1, 1), "as the game stands"
    assert (through(white, white), through(black, white)) == (0, 0), "as before White's move"
    before = table.state
    table.say("black", "e5", act="announce")
    assert through(black, white) == 0, "Black has only announced it"
    table.state = before
    table.own(cmd.SenseMove(seat=black, uci="e7e5", on=table.placement(black)))
    record = table.ply(2)
    assert record.own_board_moved and not record.made
    assert (through(black, white), through(black, black)) == (2, 1), "it stands on Black's board, and is not made"
    assert (through(white, white), through(white, black)) == (0, 1), "but not on the other board"
    table.say("black", "e5", act="announce")
    table.press("black")
    assert (through(white, white), through(white, black)) == (2, 1), "as it stands, or as before the last move"


def test_an_open_question_is_known_by_its_number() -> None:
    asked = tuple(MateQuestion(number, seat, 4, None, "resigned") for number, seat in enumerate(Seat, 1))
    state = altered(CoreTable().state, {"ending.mate_questions": asked})
    assert [state.ending.mate_question(number) for number in range(4)] == [None, *asked, None]


def test_a_cell_is_asked_for_by_its_ply() -> None:
    table = CoreTable()
    play(table, "e4 e5 Nf3")
    cells = [table.state.scores.cell(Seat.WHITE, ply) for ply in range(-1, 6)]
    assert [cell.text if cell else None for cell in cells] == [None, None, "e4", "e5", "Nf3", None, None]
    assert [table.state.scores.cell(Seat.BLACK, ply) for ply in range(4)] == [None] * 4, "Black's is on paper"


def test_a_mend_before_a_lost_thread_finds_the_thread_again() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1")
    for mover, other, text in (("white", "black", "Nf3"), ("black", "white", "Ke7"), ("white", "black", "Ke2")):
        table.say(mover, text, act="announce")
        table.press(mover)
        table.say(other, text, act="echo")
    assert table.state.moves.line == (None, None, None) and table.state.position is None
    table.done("arbiter", cmd.Mend(ply=1, uci="g1f3"))
    assert table.state.moves.line == ("g1f3", "e8e7", "e1e2") and table.state.position is not None
    table.done("arbiter", cmd.Mend(ply=1, uci=None))
    assert table.state.moves.line == (None, None, None), "unknown again"


def test_a_misexecuted_move_stays_on_that_board_alone() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.press("white")
    table.say("black", "e4")
    table.done("black", cmd.Execute(uci="d2d4", origin="entered"))
    table.say("black", "e5")
    table.press("black")
    assert table.placement(Seat.WHITE) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    assert table.placement(Seat.BLACK) == "rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/RNBQKBNR"
    assert table.state.moves.line == ("e2e4", "e7e5")
    assert table.score(Seat.WHITE) == ["e4"]


def test_who_repeats_other_words_carries_out_those() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.press("white")
    table.say("black", "d4")  # misheard
    table.say("black", "e5", act="announce")
    table.press("black")
    assert table.placement(Seat.BLACK) == "rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/RNBQKBNR"
    assert table.placement(Seat.WHITE) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"


def test_an_echo_in_full_settles_a_short_announcement_on_both_boards() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1")
    table.say("white", "Nf3")
    table.press("white")
    table.say("black", "Ng1f3")
    table.say("black", "Ke7")
    table.press("black")
    assert table.state.moves.line == ("g1f3", "e8e7")
    assert table.placement(Seat.WHITE) == "4k3/8/8/8/8/5N2/3N4/4K3"
    assert table.placement(Seat.BLACK) == "8/4k3/8/8/8/5N2/3N4/4K3"


def test_a_short_echo_does_not_lose_what_the_announcement_said() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1")
    table.say("white", "Ng1f3")
    table.press("white")
    table.say("black", "Nf3")
    table.done("black", cmd.Execute())
    assert table.placement(Seat.BLACK) == "4k3/8/8/8/8/5N2/3N4/4K3"


def test_players_carry_out_moves_on_their_own_board_only() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.press("white")
    table.done("black", cmd.Execute(board=Seat.WHITE))  # another board named: still Black's own
    assert table.ply(1).executed_ms is not None and table.placement(Seat.BLACK) != chess.STARTING_BOARD_FEN
    table.say("black", "e5", act="announce")
    table.press("black")
    before = table.state.moves.black_board
    table.done("white", cmd.Execute(uci="e7e5", board=Seat.BLACK))
    assert table.state.moves.black_board == before


@pytest.mark.law("L200")
def test_an_assistant_carries_out_moves_on_either_board() -> None:
    table = CoreTable()
    helper = table.assistant(Seat.WHITE, Duty.EXECUTE)
    table.say("white", "e4")
    table.press("white")
    table.done(helper, cmd.Execute(board=Seat.BLACK))
    assert table.placement(Seat.BLACK) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    table.say("black", "e5", act="announce")
    table.press("black")
    table.done(helper, cmd.Execute(board=Seat.WHITE))
    assert table.placement(Seat.WHITE) == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
    assert table.do(helper, cmd.Execute(board=Seat.WHITE)) == Refusal("nothing_to_execute", "D.2.1")


def test_a_sighted_player_without_any_station_is_a_full_configuration() -> None:
    """White's own words are all the server hears; the sighted player's ordinary clock leads."""
    table = CoreTable(stations=(Seat.WHITE,), master=ClockMaster.MANUAL)
    board = chess.Board()
    for san in APPENDIX_C.split():
        move = board.parse_san(san)
        table.done("white", cmd.Say(announcement=spoken_in(board, move), words=(san,), text=san, origin=Origin.HEARD))
        if board.turn == chess.WHITE:
            table.press("white")
        board.push(move)
    assert table.score(Seat.WHITE) == APPENDIX_C.split() and table.score(Seat.BLACK) == []
    assert list(table.state.moves.line) == [move.uci() for move in board.move_stack]
    assert table.placement(Seat.WHITE) == board.board_fen()
    board.pop()  # White's last is carried out, and Black's own last completed, with Black's next move
    board.pop()
    assert table.placement(Seat.BLACK) == board.board_fen()
    assert not only(tuple(table.events), ev.Contested)


def test_two_tactile_players_each_have_their_own_dictation() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    table.say("white", "e4", utterance="w1")
    table.press("white")
    table.say("black", "e4", utterance="b1")
    table.say("black", "e5", utterance="b2")
    table.press("black")
    table.say("white", "e5", utterance="w2")
    sounds = {seat: [cell.utterance if cell else None for cell in table.state.scores.of(seat)] for seat in Seat}
    assert sounds == {Seat.WHITE: ["w1", "w2"], Seat.BLACK: ["b1", "b2"]}, "no transcript enters the other's score"


def test_a_seat_may_have_no_score_and_a_sighted_player_writes_their_own() -> None:
    table = CoreTable()
    table.say("white", "e4")
    table.press("white")
    table.say("black", "e4")
    assert table.score(Seat.BLACK) == []
    table.done("black", cmd.WriteScore(index=1, text="e2-e4"))
    assert table.score(Seat.BLACK) == ["e2-e4"] and table.score(Seat.WHITE) == ["e4"]
    assert table.do("black", cmd.WriteScore(index=2, text="e5")) == Refusal("not_in_advance", "8.1.2")


@pytest.mark.law("L201", "L202")
def test_assistants_act_within_their_duties_for_their_seat() -> None:
    table = CoreTable()
    helper = table.assistant(Seat.WHITE, Duty.ANNOUNCE, Duty.SCORE_AND_CLOCK)
    table.say(helper, "e4")
    table.press(helper)
    table.say(helper, "e5", seat=Seat.BLACK, act="announce")
    assert [record.announcement is not None for record in table.state.moves.plies] == [True, True]
    table.done(helper, cmd.WriteScore(index=1, text="e4"))
    assert table.do(helper, cmd.Ask(what="time")) == Refusal("not_your_duty", "D.2.10.4")
    assert table.do(helper, cmd.EnterMove(uci="e2e4")) == Refusal("not_your_duty", "D.2.10")


def test_a_device_keeps_its_place() -> None:
    table = CoreTable()
    for body in (
        cmd.Admit(station="white", role=Role.ARBITER),
        cmd.Admit(station="arbiter", role=Role.PLAYER, seat=Seat.WHITE),
        cmd.Admit(station="white", role=Role.PLAYER, seat=Seat.BLACK),
    ):
        assert table.do("program", body) == Refusal("station_taken", "11.3.2")
    assert table.do("program", cmd.Admit(station="x", role=Role.PLAYER)) == Refusal("no_seat", "11.3.2")
    assert table.do("program", cmd.Admit(station="program", role=Role.DISPLAY)) == Refusal("no_station_name", "11.3.2")


@pytest.mark.law("L197")
def test_a_move_entered_otherwise_on_the_other_board_is_told_to_the_arbiter_alone() -> None:
    """The sighted player carries Nf3 out as Nh3 on the screen: the words stand, so does the player's board (D.2.9)."""
    table = CoreTable()
    table.say("white", "Nf3")
    table.press("white")
    events = table.done("black", cmd.Execute(uci="g1h3", origin="entered"))
    told = only(events, ev.Alerted)
    assert [(one.kind, one.grey, one.ply) for one in told] == [("board_differs", True, 1)]
    assert table.state.moves.line == ("g1f3",)
    assert table.placement(Seat.BLACK) == "rnbqkbnr/pppppppp/8/8/8/7N/PPPPPPPP/RNBQKB1R"
    for seat in Seat:
        player = Station(seat.value, Role.PLAYER, seat)
        assert all(view(one, table.state, player) is None for one in told)


@pytest.mark.parametrize(
    ("moves", "words", "uci"), [("e4 e5", "Nf3", "g1f3"), (CASTLES, "O-O", "e1g1"), (CASTLES, "O-O", "e1h1")]
)
def test_a_move_entered_as_the_words_say_is_no_alert(moves: str, words: str, uci: str) -> None:
    table = CoreTable()
    for at, san in enumerate(moves.split()):
        mover, other = ("white", "black") if at % 2 == 0 else ("black", "white")
        table.say(mover, san)
        table.press(mover)
        table.done(other, cmd.Execute())
    table.say("white", words)
    table.press("white")
    assert not only(table.done("black", cmd.Execute(uci=uci, origin="entered")), ev.Alerted)
    assert table.placement(Seat.BLACK) == table.placement(Seat.WHITE)


@pytest.mark.law("L183", "L195")
@pytest.mark.parametrize("seen", ["f3d2", "b1d2"])
def test_the_movers_board_follows_once_the_other_board_shows_which_of_two_pieces_moved(seen: str) -> None:
    """Two knights reach d2; the announcement leaves open which, and the opponent carries out one of them."""
    table = CoreTable(fen="4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
    table.say("white", "Nd2", act="announce")
    table.press("white")
    before = table.placement(Seat.WHITE)
    assert before == "4k3/8/8/8/8/5N2/8/1N2K3"
    table.done("black", cmd.Execute(uci=seen, origin="entered"))
    after = table.state.moves.white_board.before.after(seen).placement
    assert table.placement(Seat.WHITE) == table.placement(Seat.BLACK) == after != before
