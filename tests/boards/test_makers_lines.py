"""The lines of two makers' boards, byte for byte as their protocols document them, and whatever else may come."""

from __future__ import annotations

from itertools import pairwise

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.boards.drivers.chesslink import ChessLinkLine
from server.boards.drivers.dgt import DgtLine
from server.boards.drivers.line_protocol import PeggedLine, line_of
from server.boards.drivers.serial import Dialect
from server.boards.event import BoardEvent, ClockShown, Lifted, Placed, SerialNews, Snapshot
from server.boards.squares import of_board
from server.game.values.words import Seat
from tests.boards.simulated_boards import odd_parity

START = Snapshot(5, of_board(chess.Board()))
# From dgtbrd.h: 0x86, the length 67 in two bytes of seven bits, then a8, b8 ... h1 by code.
DGT_START = bytes.fromhex("860043 08090a0c0b0a0908" + "07" * 8 + "00" * 32 + "01" * 8 + "0203040605040302")
DGT_E2_LIFTED, DGT_E4_PLACED = bytes.fromhex("8e00053400"), bytes.fromhex("8e00052401")
# From the ChessLink paper: "s", a8 ... h1, and the XOR of all that, which is 0x73 here; odd parity.
LINK_START = odd_parity("srnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR73")
PEGGED_START = line_of(1, "=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
LINES = [
    pytest.param(DgtLine("left"), DGT_START, id="dgt"),
    pytest.param(ChessLinkLine(), LINK_START, id="chesslink"),
    pytest.param(PeggedLine(), b"\n" + PEGGED_START, id="pegged"),
]


def read(line: Dialect, *chunks: bytes) -> list[SerialNews]:
    found = []
    for chunk in chunks:
        line, heard = line.read(chunk, 5)
        found.append(heard)
    return found


def events(found: list[SerialNews]) -> list[BoardEvent]:
    return [event for heard in found for event in heard.events]


def test_a_dgt_board_tells_its_fields_and_each_change_is_checked_against_the_whole_board() -> None:
    (whole, lifted, placed) = read(DgtLine(), DGT_START, DGT_E2_LIFTED, DGT_E4_PLACED)
    assert whole.events == (START,) and not whole.want_board
    assert lifted.events == (Lifted(5, "e2"),) and placed.events == (Placed(5, "e4", "P"),)
    assert lifted.want_board and placed.want_board, "a field has no check sum"
    assert DgtLine().hello == b"\x40\x44\x42" and DgtLine("left").hello == b"\x40\x4b\x42"


def test_a_piece_of_dgt_that_stands_for_a_result_is_no_chessman() -> None:
    (heard,) = read(DgtLine(), bytes.fromhex("8e0005240d"))
    assert heard.events == (Placed(5, "e4", None),)


@pytest.mark.parametrize(
    ("side", "white", "black", "running"),
    [("left", 5_400_000, 5_398_000, Seat.BLACK), ("right", 5_398_000, 5_400_000, Seat.WHITE), ("", None, None, None)],
)
def test_a_dgt_clock_is_read_where_the_organiser_said_who_sits_where(
    side: str, white: int | None, black: int | None, running: Seat | None
) -> None:
    line = DgtLine(side)  # type: ignore[arg-type]
    shown = bytes.fromhex("8d000a 012958 013000 0b")  # right 1:29:58, left 1:30:00, it runs, and right is to move
    found = events(read(line, shown))
    assert found == ([] if white is None or black is None else [ClockShown(5, white, black, running)])
    stopped = events(read(line, shown[:-1] + b"\x0a"))
    assert all(isinstance(one, ClockShown) and one.running is None for one in stopped)


@pytest.mark.parametrize(
    "said",
    [
        "8d000a 012958 013000 20",  # no clock is connected
        "8d000a 00000000000000",  # empty, as after a command
        "8d000a 0a1001 100000 01",  # it acknowledges a command
    ],
)
def test_a_dgt_clock_that_shows_no_time_is_passed_over(said: str) -> None:
    (heard,) = read(DgtLine("left"), bytes.fromhex(said))
    assert heard == SerialNews(understood=True)


@pytest.mark.parametrize(
    "said",
    [
        "8e00054000",  # there is no field 64
        "8e00052410",  # there is no piece 16
        "8e00060000",  # a field's message has five bytes
        "8d000a 017a58 013000 01",  # there is no minute 7a
        "930005010f",  # a version was not asked for
        "2401",  # data that belongs to nothing
    ],
)
def test_what_dgt_never_says_is_no_event_and_the_whole_board_is_asked_for(said: str) -> None:
    (heard,) = read(DgtLine("left"), bytes.fromhex(said))
    assert heard.events == () and heard.want_board and not heard.understood


def test_a_chesslink_board_tells_all_its_squares() -> None:
    (heard,) = read(ChessLinkLine(), LINK_START)
    assert heard == SerialNews((START,), understood=True)
    assert ChessLinkLine.ask == bytes.fromhex("d3b5b3"), "S53 in odd parity"
    assert ChessLinkLine.hello == odd_parity("X58S53"), "lights out, and the board"


def test_answers_of_chesslink_that_are_broken_are_asked_for_again() -> None:
    cut, wrong = LINK_START[:30], bytearray(LINK_START)
    wrong[10] ^= 0x80  # its parity alone
    summed_wrong = LINK_START[:-1] + odd_parity("4")
    for said in (cut + LINK_START, bytes(wrong) + odd_parity("x58"), summed_wrong):
        (heard,) = read(ChessLinkLine(), said)
        assert heard.want_board and heard.events == ((START,) if said.startswith(cut + b"\x73") else ()), said
    (heard,) = read(ChessLinkLine(), odd_parity("x58"))
    assert heard == SerialNews()


@pytest.mark.parametrize(("line", "whole"), LINES)
@given(noise=st.binary(max_size=300), cuts=st.lists(st.integers(0, 400), max_size=4))
def test_any_bytes_in_any_pieces_are_no_fault_and_the_next_whole_board_is_read(
    line: Dialect, whole: bytes, noise: bytes, cuts: list[int]
) -> None:
    said, places = noise + whole, [0, *sorted(cuts), 800]
    pieces = [said[begin:end] for begin, end in pairwise(places)]
    found = events(read(line, *pieces))
    assert found[-1:] == [START]
    assert found == events(read(line, said)), "it does not matter where the bytes were cut"


@given(st.integers(0, 66), st.integers(0, 7))
def test_no_flipped_bit_of_a_chesslink_answer_makes_an_event(place: int, bit: int) -> None:
    flipped = bytearray(LINK_START)
    flipped[place] ^= 1 << bit
    assert events(read(ChessLinkLine(), bytes(flipped))) == []
