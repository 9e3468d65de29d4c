"""What is believed of a move from all that was heard of it, and of the moves around it."""

from __future__ import annotations

import math

import chess
import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from server.game.belief import LONGEST, BeliefQuestion, PlyEvidence, most_probable_line
from server.game.values.candidates import Candidate, UtteranceHeard
from server.game.values.position import Position
from server.game.values.words import Seat
from tests.game.core_table import said

START = Position.from_fen(chess.STARTING_FEN)
CHANCES = st.dictionaries(
    st.sampled_from(["e4", "e5", "Nf3", "Nf6", "d4", "Bb5", "O-O", "Qh5", "e2e4", "Ng1f3", "e8=Q"]),
    st.floats(0.001, 0.3),
    max_size=6,
)


def heard(seat: Seat, **chances: float) -> UtteranceHeard:
    """An utterance by what it may have been: `e4=0.6, Nf3=0.2`."""
    ways = [Candidate.of(said(text), -math.log(chance)) for text, chance in chances.items()]
    return UtteranceHeard(seat, None, tuple(sorted(ways, key=lambda way: way.cost)))


def ply(number: int, *utterances: UtteranceHeard, certain: str | None = None, seen: str | None = None) -> PlyEvidence:
    return PlyEvidence(number, Seat.WHITE if number % 2 else Seat.BLACK, certain, seen, utterances)


def line(*plies: PlyEvidence, fen: str = chess.STARTING_FEN) -> list[str]:
    return [one.uci for one in most_probable_line(BeliefQuestion(Position.from_fen(fen), plies))]


def confidence(*plies: PlyEvidence) -> dict[str, float]:
    return {one.uci: one.confidence for one in most_probable_line(BeliefQuestion(START, plies))}


def test_a_question_is_told_from_every_other_one() -> None:
    plies = (ply(1), ply(1, heard(Seat.WHITE, e4=0.9)), ply(1, heard(Seat.BLACK, e4=0.9)), ply(1, seen="e2e4"))
    asked = [BeliefQuestion(START, ()), *(BeliefQuestion(START, (one,)) for one in plies)]
    digests = {one.digest for one in asked}
    assert len(digests) == len(asked) and all(len(bytes.fromhex(one)) == 16 for one in digests)


def test_with_no_evidence_nothing_is_believed() -> None:
    assert line(ply(1)) == []
    assert line(ply(1, heard(Seat.WHITE, e4=0.9)), ply(2), ply(3, heard(Seat.WHITE, Nf3=0.9))) == ["e2e4"]


def test_two_ears_that_agree_are_surer_than_each() -> None:
    announced, echoed = heard(Seat.WHITE, e4=0.55, e3=0.4), heard(Seat.BLACK, e4=0.55, d4=0.4)
    one, other, both = confidence(ply(1, announced)), confidence(ply(1, echoed)), confidence(ply(1, announced, echoed))
    assert both["e2e4"] > 0.9 > max(one["e2e4"], other["e2e4"])


def test_an_echo_settles_what_the_announcement_left_open_and_outweighs_its_best() -> None:
    announced, echoed = heard(Seat.WHITE, e3=0.5, e4=0.3), heard(Seat.BLACK, e4=0.8, f4=0.1)
    assert line(ply(1, announced)) == ["e2e3"]
    assert line(ply(1, announced, echoed)) == ["e2e4"]


def test_what_was_set_aside_counts_where_nothing_else_is_heard_of_that_voice() -> None:
    aside = msgspec.structs.replace(heard(Seat.WHITE, e4=0.99), aside=True)
    assert line(ply(1, aside)) == ["e2e4"] == line(ply(1, aside, heard(Seat.BLACK, e4=0.1, e3=0.2)))
    assert line(ply(1, aside, heard(Seat.WHITE, e4=0.1, e3=0.2))) == ["e2e3"]


def test_an_illegal_move_said_clearly_twice_stays_as_announced() -> None:
    """Legality is a prior that can be outweighed: Black's king walks into check, and both players say so."""
    fen = "4k3/8/8/8/8/8/3R4/4K3 b - - 0 1"
    clear = PlyEvidence(1, Seat.BLACK, None, None, (heard(Seat.BLACK, Kd8=0.95, Ke7=0.03),))
    twice = PlyEvidence(1, Seat.BLACK, None, None, (*clear.utterances, heard(Seat.WHITE, Kd8=0.9, Ke7=0.05)))
    assert line(twice, fen=fen) == ["e8d8"]
    doubtful = PlyEvidence(1, Seat.BLACK, None, None, (heard(Seat.BLACK, Kd8=0.4, Ke7=0.3),))
    assert line(doubtful, fen=fen) == ["e8e7"]


def test_the_next_moves_settle_a_doubtful_one() -> None:
    """White's d4 or e4 is open; White then plays the bishop to b5, which only e4 lets out."""
    open_ = ply(1, heard(Seat.WHITE, d4=0.5, e4=0.35))
    reply = ply(2, heard(Seat.BLACK, Nc6=0.9))
    assert line(open_, reply)[:1] == ["d2d4"]
    assert line(open_, reply, ply(3, heard(Seat.WHITE, Bb5=0.85)))[:3] == ["e2e4", "b8c6", "f1b5"]


def test_which_of_two_like_pieces_stays_open_until_something_tells() -> None:
    fen = "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1"
    assert line(ply(1, heard(Seat.WHITE, Nf3=0.95)), fen=fen) == []
    assert line(ply(1, heard(Seat.WHITE, Nf3=0.95), heard(Seat.BLACK, Ng1f3=0.6)), fen=fen) == ["g1f3"]
    assert line(ply(1, heard(Seat.WHITE, Nf3=0.95), seen="d2f3"), fen=fen) == ["d2f3"]
    pinned = "4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1"
    assert line(ply(1, heard(Seat.WHITE, Nf3=0.95)), fen=pinned) == ["g1f3"]


def test_an_echo_and_the_next_move_that_were_taken_for_each_other_are_told_apart() -> None:
    """Black's misheard echo and Black's own e5 both stand as echoes of White's move; White then plays on."""
    white = ply(1, heard(Seat.WHITE, e4=0.9), heard(Seat.BLACK, a4=0.3, e4=0.2), heard(Seat.BLACK, e5=0.9))
    assert line(white)[:1] == ["e2e4"]
    assert line(white, ply(2), ply(3, heard(Seat.WHITE, Nf3=0.9))) == ["e2e4", "e7e5", "g1f3"]
    settled = msgspec.structs.replace(white, settled=True)
    assert line(settled, ply(2), ply(3, heard(Seat.WHITE, Nf3=0.9))) == ["e2e4"], "nothing was heard of ply 2"


def test_what_was_entered_or_mended_outweighs_all_words() -> None:
    words = (heard(Seat.WHITE, e4=0.99), heard(Seat.BLACK, e4=0.99))
    assert line(ply(1, *words, certain="d2d4")) == ["d2d4"]


def test_castling_and_promotion_are_weighed_as_they_are_said() -> None:
    assert line(ply(1, heard(Seat.WHITE, **{"O-O": 0.9})), fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1") == ["e1g1"]
    fen = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1"
    assert line(ply(1, heard(Seat.WHITE, **{"a8=N": 0.6, "a8=Q": 0.3})), fen=fen) == ["a7a8n"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(CHANCES, CHANCES), min_size=1, max_size=4))
def test_whatever_was_heard_the_answer_is_the_same_each_time_and_bounded(
    plies: list[tuple[dict[str, float], dict[str, float]]],
) -> None:
    def asked() -> BeliefQuestion:
        rows = [
            ply(number, heard(Seat.WHITE, **first), heard(Seat.BLACK, **second))
            for number, (first, second) in enumerate(plies, 1)
        ]
        return BeliefQuestion(START, tuple(rows))

    found = most_probable_line(asked())
    assert found == most_probable_line(asked()) and asked().digest == asked().digest
    assert len(found) <= min(len(plies), LONGEST)
    assert [one.ply for one in found] == list(range(1, len(found) + 1))
    assert all(0.0 < one.confidence <= 1.0 for one in found)
    position = START
    for one in found:
        position = position.after(one.uci)


@settings(max_examples=40, deadline=None)
@given(CHANCES, st.sampled_from(["e4", "Nf3", "d4"]))
def test_one_more_voice_for_a_move_never_makes_it_less_likely(chances: dict[str, float], text: str) -> None:
    before = confidence(ply(1, heard(Seat.WHITE, **chances)))
    after = confidence(ply(1, heard(Seat.WHITE, **chances), heard(Seat.BLACK, **{text: 0.8})))
    uci = {"e4": "e2e4", "Nf3": "g1f3", "d4": "d2d4"}[text]
    if uci in before:
        assert after.get(uci, 0.0) >= before[uci] - 1e-9
