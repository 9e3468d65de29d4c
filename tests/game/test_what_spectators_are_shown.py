"""What the spectators' page may tell of a game: what displays have shown of it, in order, and nothing beyond it."""

from __future__ import annotations

import chess
import msgspec
import pytest

from server.game import acts as cmd
from server.game.acts import Refusal
from server.game.state.apply import apply
from server.game.state.line import last_completed
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.game.views.spectators import GameShown, delay_for_spectators, shown_after, written_move
from server.game.views.view import board_displayed
from tests.game.adjourned_table import closed, heard, there
from tests.game.core_table import APPENDIX_C, CoreTable, altered, played, said

W, B = Seat.WHITE, Seat.BLACK


def shown_of(table: CoreTable) -> GameShown:
    """What spectators have seen in the end; at each event the last move is what a display shows then, or nothing is."""
    state, game = GameState(), GameShown()
    for event in table.events:
        state = apply(state, event)
        game = shown_after(game, state)
        last = last_completed(state.moves.plies)
        assert len(game.moves) == (last.index if last is not None else 0)
        if game.moves:
            on_display = board_displayed(state)
            assert (game.moves[-1].words, game.moves[-1].placement) == (on_display.words, on_display.placement)
    return game


def test_a_whole_game_is_a_list_of_moves_with_the_position_after_each() -> None:
    moves, board, told = APPENDIX_C.split(), chess.Board(), list[str]()
    for san in moves:
        move = board.push_san(san)
        kind = san[0] if san[0] in "NBRQK" else ""
        told.append(san if san.startswith("O") else f"{kind}{move.uci()}")
    game = shown_of(played(*told))
    board = chess.Board()
    for ply, (san, shown) in enumerate(zip(moves, game.moves, strict=True), 1):
        move = board.push_san(san)
        assert (shown.ply, shown.notation, "".join(shown.squares)) == (ply, san.rstrip("+"), move.uci())
        assert shown.placement == board.board_fen() == game.placement_after(ply)
    assert (game.placement_after(0), game.placement_after(99)) == (chess.STARTING_BOARD_FEN, None)
    assert (game.started, game.result, game.adjourned) == (True, None, False)


@pytest.mark.law("L072")
def test_what_is_only_announced_is_not_there_and_what_is_taken_back_is_gone() -> None:
    table = played("e4", "e5")
    table.say("white", "Nf3", act="announce")
    assert [move.notation for move in shown_of(table).moves] == ["e4", "e5"]
    table.press("white")
    table.done("arbiter", cmd.RestoreTo(ply=1, reason="chairs"))
    assert [move.notation for move in shown_of(table).moves] == ["e4"]


@pytest.mark.law("L072")
def test_how_a_move_is_written_tells_nothing_of_what_is_legal() -> None:
    """The knight on c6 is pinned, so that `Ne7` would be enough, and would tell of the pin. No check either."""
    before = "r1bqkbnr/ppp2ppp/2np4/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R"
    after = "r1bqkb1r/ppp1nppp/2np4/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R"
    written = written_move(before, after, B)
    assert written is not None and written.notation == "Nge7"
    assert chess.Board(f"{before} b KQkq - 0 1").san(chess.Move.from_uci("g8e7")) == "Ne7"
    illegal = written_move("4k3/8/8/8/8/8/8/R3K3", "4k3/8/8/R7/8/8/8/4K3", W)
    assert illegal is not None and illegal.notation == "Ra5"
    check = written_move("4k3/8/8/8/8/8/8/R3K3", "R3k3/8/8/8/8/8/8/4K3", W)
    assert check is not None and check.notation == "Ra8"


@pytest.mark.parametrize(
    ("before", "after", "mover", "notation"),
    [
        ("8/4P3/8/8/8/8/8/8", "4Q3/8/8/8/8/8/8/8", W, "e8=Q"),
        ("3r4/4P3/8/8/8/8/8/8", "3N4/8/8/8/8/8/8/8", W, "exd8=N"),
        ("8/8/8/3pP3/8/8/8/8", "8/8/3P4/8/8/8/8/8", W, "exd6"),
        ("R7/8/8/8/8/8/8/R7", "8/8/8/R7/8/8/8/R7", W, "R8a5"),
        ("Q3Q3/8/8/8/8/8/8/Q7", "4Q3/8/8/8/Q7/8/8/Q7", W, "Qa8a4"),
        ("8/8/8/8/8/8/8/1RK4R", "8/8/8/8/8/8/8/1RK2R2", W, "Rf1"),
        ("8/8/8/8/8/8/8/1RK4R", "8/8/8/8/8/8/8/1R3RK1", W, "O-O"),
        ("r5k1/8/8/8/8/8/8/8", "2kr4/8/8/8/8/8/8/8", B, "O-O-O"),
        ("8/8/8/8/8/8/8/R7", "8/8/8/8/8/8/8/R7", W, None),
        ("8/8/8/8/8/8/PP6/8", "8/8/8/8/PP6/8/8/8", W, None),
        ("8/8/8/8/8/8/8/R7", "8/8/8/8/8/8/8/1N6", W, None),
        ("8/8/8/3pP1p1/8/8/8/8", "8/8/3P4/3p4/8/8/8/8", W, None),
        ("8/8/8/8/8/8/8/RN6", "8/8/8/8/8/8/8/1R6", W, None),
        ("8/8/8/8/8/8/8/R3K3", "8/8/8/8/8/8/4K3/N7", W, None),
        ("8/8/8/8/8/8/8/4K2R", "8/8/8/8/8/8/7R/6K1", W, None),
        ("8/8/8/8/8/8/8/R3K3", "8/8/8/8/8/8/8/3R4", W, None),
        ("8/8/8/8/8/8/8/R7", "8/8/8/8/8/8/8/2KR4", W, None),
        ("8/8/8/8/8/8/8/R3K2R", "8/8/8/8/8/8/8/5RK1", W, None),
    ],
)
def test_a_move_is_read_from_two_boards_where_it_is_one(
    before: str, after: str, mover: Seat, notation: str | None
) -> None:
    written = written_move(before, after, mover)
    assert (written.notation if written is not None else None) == notation


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("R7/8/8/8/8/8/8/R7", "8/8/8/R7/8/8/8/R7", "Ra8a5"),
        ("8/8/8/8/8/8/8/R6R", "8/8/8/8/8/8/8/R2R4", "Rh1d1"),
        ("3r4/4P3/8/8/8/8/8/8", "3Q4/8/8/8/8/8/8/8", "e7d8=Q"),
        ("4k3/8/8/8/8/8/8/R3K3", "R3k3/8/8/8/8/8/8/4K3", "Ra8"),
        ("8/8/8/8/8/8/8/1RK4R", "8/8/8/8/8/8/8/1R3RK1", "O-O"),
        ("8/8/8/8/8/8/8/R3K3", "8/8/8/8/8/8/8/2KR4", "O-O-O"),
    ],
)
def test_a_move_between_two_boards_has_the_words_of_its_notation(before: str, after: str, words: str) -> None:
    """Its departure is said where it is written."""
    written = written_move(before, after, W)
    named = said(words) if words[0] in "RO" else msgspec.structs.replace(said(words), piece="pawn")
    assert written is not None and written.announcement == named


@pytest.mark.law("L208")
def test_a_sealed_move_is_not_there_before_its_envelope_is_opened_and_played() -> None:
    table = closed()
    game = shown_of(table)
    assert game.adjourned and game.moves == ()
    there(table, W)
    there(table, B)
    table.done("arbiter", cmd.OpenEnvelope(content=heard("Nf3")))
    assert [move.notation for move in shown_of(table).moves] == ["Nf3"]
    assert not shown_of(table).adjourned


def test_words_of_which_the_arbiter_found_another_move_are_told_no_more() -> None:
    state, game = GameState(), GameShown()
    table = played("e4", "e5", "Nf3")
    for event in table.events:
        state = apply(state, event)
        game = shown_after(game, state)
    plies = state.moves.plies
    found = altered(
        state, {"moves.plies": (type(plies[0])(1, W, settled=True, mended="d2d4", completed_ms=1), *plies[1:])}
    )
    assert (game.moves[0].words, game.moves[0].notation) == (("e4",), "e4")
    first, *others = shown_after(game, found).moves
    assert (first.words, first.notation, first.placement) == ((), "", None)
    assert [move.notation for move in others] == ["e5", "Nf3"]
    back = altered(found, {"moves.plies": found.moves.plies[:2]})
    assert [move.notation for move in shown_after(shown_after(game, found), back).moves] == ["", "e5"], (
        "as it was shown"
    )


def test_words_of_a_move_that_nobody_pressed_are_not_there_when_a_later_one_is_completed() -> None:
    table = played("e4")
    table.say("black", "e5", act="announce")
    table.done("arbiter", cmd.SetClock(white_ms=60_000, black_ms=60_000, turn=W))
    table.say("white", "Nf3", act="announce")
    table.press("white")
    assert [one.completed for one in table.state.moves.plies] == [True, False, True]
    assert [move.words for move in shown_of(table).moves] == [("e4",), (), ("Nf3",)]


def test_words_that_come_late_are_shown_though_the_opponent_has_moved() -> None:
    table = CoreTable()
    pressed_at = table.now + 1_000
    table.wait(1_000)
    table.press("white")
    table.wait(500)
    table.say("black", "e5", act="announce")
    table.press("black")
    assert [move.words for move in shown_of(table).moves] == [(), ("e5",)]
    table.say("white", "e4", at_ms=pressed_at - 500, utterance="late")
    assert [move.words for move in shown_of(table).moves] == [("e4",), ("e5",)]


def test_whether_and_how_late_spectators_see_a_table() -> None:
    table = CoreTable()
    assert delay_for_spectators(table.state) is None, "closed until the arbiter says so"
    assert table.do("white", cmd.ShowToSpectators(show=True)) == Refusal("only_the_arbiter", "12.3")
    table.done("arbiter", cmd.ShowToSpectators(show=True, delay_s=0))
    assert delay_for_spectators(table.state) == 0
    table.done("arbiter", cmd.ShowToSpectators(show=True, delay_s=60))
    assert delay_for_spectators(table.state) == 60_000
    table.done("arbiter", cmd.DelayDisplay(delay_s=5))
    table.done("arbiter", cmd.DelayDisplay(delay_s=900, station=""))
    assert delay_for_spectators(table.state) == 900_000, "never sooner than all displays"
    table.done("arbiter", cmd.RuleResult(result="1-0", reason="1"))
    table.done("arbiter", cmd.ShowToSpectators(show=False))
    assert delay_for_spectators(table.state) is None


def test_who_practises_is_not_watched() -> None:
    table = CoreTable()
    table.done("arbiter", cmd.ShowToSpectators(show=True))
    table.state = altered(table.state, {"table.training": True, "table.rated": False})
    assert delay_for_spectators(table.state) is None
    assert table.do("arbiter", cmd.ShowToSpectators(show=True)) == Refusal("training_not_shown", "")
    assert table.done("arbiter", cmd.ShowToSpectators(show=False))
