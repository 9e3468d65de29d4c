"""The line protocol of a pegged board: nothing of it is trusted, and nothing is taken twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.boards.drivers.line_protocol import LineRead, LineReader, line_of
from server.boards.event import Lifted, Placed, Snapshot


def read(*lines: bytes, reader: LineReader | None = None) -> list[LineRead]:
    reader, found = reader or LineReader(0), []
    for line in lines:
        reader, one = reader.read(line, 5)
        found.append(one)
    return found


def test_events_in_their_order() -> None:
    lines = (line_of(1, "-e2"), line_of(2, "+e4P"), line_of(3, "=0000000000000001"), line_of(4, "."))
    found = read(*lines)
    assert [one.events for one in found] == [
        (Lifted(5, "e2"),),
        (Placed(5, "e4", "P"),),
        (Snapshot(5, "x" + "." * 63),),
        (),
    ]
    assert not any(one.want_board for one in found)


def test_doubled_overtaken_and_missing_lines() -> None:
    doubled = read(line_of(1, "-e2"), line_of(1, "-e2"))
    assert doubled[1] == LineRead(kind="repeated")
    overtaken = read(line_of(2, "-e2"), line_of(1, "-d2"), reader=LineReader(1))
    assert overtaken[1].events == () and overtaken[1].want_board
    gap = read(line_of(1, "-e2"), line_of(3, "-d2"))
    assert gap[1].events == () and gap[1].want_board, "only the whole board counts now"
    whole = read(line_of(1, "-e2"), line_of(9, "=0000000000000001"))
    assert whole[1].events and not whole[1].want_board


def test_the_counter_goes_round() -> None:
    assert read(line_of(0, "-e2"), reader=LineReader(999))[0].events == (Lifted(5, "e2"),)


def test_a_broken_line_is_no_event() -> None:
    for line in (b"", b"007 +e4*00\n", line_of(1, "+e9"), line_of(1, "=12"), b"\xff" * 400, line_of(1, "=9/8")):
        (found,) = read(line)
        assert found.events == () and found.want_board and found.kind == "unreadable", line


@given(st.binary(max_size=200), st.integers(0, 199), st.integers(0, 7))
def test_no_bytes_and_no_flipped_bit_make_an_event(noise: bytes, place: int, bit: int) -> None:
    LineReader(0).read(noise, 5)
    line = bytearray(line_of(1, "-e2"))
    line[place % (len(line) - 1)] ^= 1 << bit
    _, found = LineReader(0).read(bytes(line), 5)
    assert found.events == () or found.events == (Lifted(5, "e2"),)  # the case of a hex digit may change
