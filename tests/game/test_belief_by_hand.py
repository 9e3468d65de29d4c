"""What is believed, calculated by hand: the cost of a move, the border of echo and move, the lead; and its revision."""

from __future__ import annotations

import math
from typing import Any

import chess
import pytest
from msgspec.structs import replace

from server.game import acts as cmd
from server.game import acts as ev
from server.game.belief import (
    BeliefQuestion,
    BelievedPly,
    PlyEvidence,
    Priors,
    _best_lines,
    _borders,
    _evidence,
    _Line,
    _sure,
    belief_question,
    most_probable_line,
    rank_moves,
)
from server.game.state.line import PlyRecord
from server.game.values.candidates import Candidate, UtteranceHeard
from server.game.values.position import Position
from server.game.values.words import Origin, Seat, SeatKind
from tests.game.core_table import CoreTable, only, play, said
from tests.game.test_joint_belief import heard, line, ply

W, B = Seat.WHITE, Seat.BLACK
START = Position.from_fen(chess.STARTING_FEN)
# Six legal moves, fewer than ten: each of them is no likelier than one of ten. A legal move costs ln 10 - ln 0.96.
KING_AND_PAWN = Position.from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
LEGAL = math.log(10) - math.log(0.96)
ILLEGAL = math.log(40) - math.log(0.04)


@pytest.mark.law("L198")
@pytest.mark.parametrize(
    ("differs", "agrees", "stands"),
    [(False, None, True), (False, True, True), (True, None, True), (True, False, True), (True, True, False)],
)
def test_a_hand_outweighs_words_but_for_those_that_the_opponent_repeated(
    differs: bool, agrees: bool | None, stands: bool
) -> None:
    record = PlyRecord(index=1, seat=W, entered="e2e4", hand_differs=differs, echo_agrees=agrees)
    assert record.by_hand == ("e2e4" if stands else None)
    assert PlyRecord(index=1, seat=W, hand_differs=differs, echo_agrees=agrees).by_hand is None


def costs(*utterances: UtteranceHeard, position: Position = KING_AND_PAWN, **more: Any) -> dict[str, float]:
    evidence = PlyEvidence(1, W, more.get("certain"), more.get("seen"), utterances, made=more.get("made", True))
    return dict(rank_moves(position, evidence))


def test_a_legal_move_costs_as_much_as_its_chance_among_the_others() -> None:
    silent = costs()
    assert set(silent) == {"e2e3", "e2e4", "e1d1", "e1f1", "e1d2", "e1f2"}
    assert set(silent.values()) == {LEGAL}
    assert set(costs(position=START).values()) == {math.log(20) - math.log(0.96)}
    assert costs(made=False) == {}, "only coming, and nothing said of it"
    assert set(costs(made=False, seen="e2e4")) == set(costs(made=False, certain="e2e4")) | set(silent)


def test_what_one_voice_said_counts_for_what_it_may_have_been() -> None:
    """0.5 for e4, 0.3 for e3: what is left of it, and what is astray, spreads over 400 announcements."""
    left = (0.03 + 0.2) / 400
    found = costs(heard(W, e4=0.5, e3=0.3))
    assert found["e2e4"] == pytest.approx(LEGAL - math.log(0.97 * 0.5 + left))
    assert found["e2e3"] == pytest.approx(LEGAL - math.log(0.97 * 0.3 + left))
    assert found["e1d1"] == pytest.approx(LEGAL - math.log(left))
    best = [uci for uci, _ in rank_moves(KING_AND_PAWN, PlyEvidence(1, W, None, None, (heard(W, e4=0.5, e3=0.3),)))]
    assert best[:2] == ["e2e4", "e2e3"] and best[2:] == sorted(best[2:]), "the likeliest first, then by name"


def test_a_second_utterance_of_the_same_voice_counts_less_and_the_other_sides_in_full() -> None:
    one, left = heard(W, e4=0.5), (0.03 + 0.5) / 400
    said_once = math.log(0.97 * 0.5 + left)
    assert costs(one, heard(W, e4=0.5))["e2e4"] == pytest.approx(LEGAL - 1.6 * said_once)
    assert costs(one, heard(B, e4=0.5))["e2e4"] == pytest.approx(LEGAL - 2.0 * said_once)
    assert costs(one, heard(B, e4=0.5), heard(B, e4=0.5))["e2e4"] == pytest.approx(LEGAL - 2.6 * said_once)


def test_a_sound_that_was_set_aside_is_mostly_about_something_else() -> None:
    aside = UtteranceHeard(W, None, heard(W, e4=0.5).candidates, aside=True)
    left = (0.9 + 0.5) / 400
    assert costs(aside)["e2e4"] == pytest.approx(LEGAL - math.log(0.1 * 0.5 + left))
    assert costs(aside)["e1d1"] == pytest.approx(LEGAL - math.log(left))


def test_an_illegal_move_may_have_been_meant_and_no_more_than_six_of_them() -> None:
    found = costs(heard(W, e5=0.6))
    assert found["e2e5"] == pytest.approx(ILLEGAL - math.log(0.97 * 0.6 + (0.03 + 0.4) / 400))
    many = {f"{file}8": 0.01 * (number + 1) for number, file in enumerate("abcdfgh")}
    legal = set(costs())
    kings = {f"K{square}": chance for square, chance in many.items()}
    assert set(costs(heard(W, **kings))) - legal == {f"e1{file}8" for file in "bcdfgh"}, "the likeliest six"


def test_what_was_seen_on_the_other_board_or_entered_goes_before_words() -> None:
    found = costs(seen="e2e4")
    assert found["e2e4"] == pytest.approx(LEGAL - math.log(0.99))
    assert found["e2e3"] == pytest.approx(LEGAL - math.log(0.01))
    assert costs(seen="e2e5")["e2e5"] == pytest.approx(ILLEGAL - math.log(0.99))
    assert list(costs(heard(W, e4=0.5), certain="e2e3")) == ["e2e3"]


@pytest.mark.parametrize(
    ("text", "fen", "legal"),
    [
        ("O-O", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        ("O-O-O", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"),
        ("a8=N", "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8n"),
        ("Ng1f3", "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", "g1f3"),
        ("d2f3", "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", "d2f3"),
    ],
)
def test_words_fit_the_one_move_that_they_name(text: str, fen: str, legal: str) -> None:
    found = costs(heard(W, **{text: 0.5}), position=Position.from_fen(fen))
    assert min(found, key=lambda uci: found[uci]) == legal
    assert sorted(found.values())[1] > found[legal] + 5


def test_the_border_of_echo_and_next_move_costs_what_it_is_moved() -> None:
    """Two utterances after White's move, both put down as echoes; Black's own move is made."""
    one, two = heard(B, a4=0.3), heard(B, e5=0.9)
    white, black = ply(1, heard(W, e4=0.9), one, two), ply(2)
    assert _borders(white, black, Priors()) == [
        ((), (one, two), pytest.approx(0.7 * 2 + 1.0)),
        ((one,), (two,), pytest.approx(0.7)),
        ((one, two), (), pytest.approx(1.6)),
    ]
    coming = PlyEvidence(2, B, None, None, (), made=False)
    assert _borders(white, coming, Priors())[-1] == ((one, two), (), 0.0)
    three, four = heard(B, d5=0.5), heard(B, c5=0.5)
    own = PlyEvidence(2, B, None, None, (three, four, one))
    found = _borders(ply(1, two), own, Priors())
    assert [(len(echo), len(said)) for echo, said, _ in found] == [(0, 4), (1, 3), (2, 2), (3, 1)], "two places at most"
    settled = PlyEvidence(1, W, None, None, (one,), settled=True)
    assert _borders(settled, own, Priors()) == [((one,), (three, four, one), 0.0)]
    assert _borders(ply(1), ply(2), Priors()) == [((), (), 0.0)]


@pytest.mark.parametrize(
    ("others", "believed"),
    [
        ([], [("e2e4", 1.0)]),
        ([("", 0.5)], [("e2e4", 0.6667)]),
        ([("e2e4", 1.0)] * 4 + [("d2d4", 1.0)] * 4, [("e2e4", 0.5556)]),
        ([("d2d4", 1 / 1.24)], []),
        ([("d2d4", 1 / 1.26)], [("e2e4", 0.5575)]),
        ([("d2d4", 0.7), ("c2c4", 0.7), ("b2b4", 0.7)], [("e2e4", 0.3226)]),
        ([(f"{file}2{file}4", 0.6) for file in "abcdf"], [("e2e4", 0.25)]),
        ([(f"{file}2{file}4", 0.61) for file in "abcdf"], []),
        ([("e2e4", 0.6), ("d2d4", 1.2)], [("e2e4", 0.5714)]),
    ],
)
def test_a_move_is_believed_with_a_quarter_of_the_chance_and_a_lead_of_a_quarter_more(
    others: list[tuple[str, float]], believed: list[tuple[str, float]]
) -> None:
    lines = [_Line(1.0, ("e2e4",), START, ())]
    lines += [_Line(1.0 - math.log(share), (uci,) if uci else (), START, ()) for uci, share in others]
    found = _sure(BeliefQuestion(START, (ply(1),)), lines)
    assert found == tuple(BelievedPly(1, uci, confidence) for uci, confidence in believed)


def test_a_line_is_given_up_where_it_costs_more_than_fourteen_nats_above_the_best() -> None:
    before = _Line(0.0, (), START, ())
    longer = [
        ((cost, (uci,), 0), before) for cost, uci in ((1.0, "e2e4"), (2.0, "e5e6"), (15.0, "d2d4"), (15.1, "c2c4"))
    ]
    found = [(one.cost, one.moves) for one in _best_lines(longer, [((), (), 0.0)])]
    assert found == [(1.0, ("e2e4",)), (15.0, ("d2d4",))], "nor does any lead through an empty square"


def test_what_may_have_been_the_next_move_counts_less_as_such() -> None:
    """Black said e5 rather than e4; but it was taken for the echo, and to take it for a move costs 1.7 nats."""
    assert line(ply(1, heard(W, e3=0.7, e4=0.1), heard(B, e4=0.3, e5=0.6))) == ["e2e4"]


def voice(utterance: str, *, seat: Seat = W, aside: bool = False) -> UtteranceHeard:
    return replace(heard(seat, e4=0.5), utterance=utterance, aside=aside)


@pytest.mark.parametrize(
    ("known", "added"),
    [
        ({"utterances": ()}, True),
        ({"utterances": (heard(W, e4=0.5),), "utterance": None}, False),
        ({"utterances": (voice("w1"),)}, False),
        ({"utterances": (voice("w0"),)}, True),
        ({"utterances": (voice("w0"),), "utterance": None}, False),
        ({"utterances": (voice("w1", seat=B),)}, True),
        ({"utterances": (voice("w1", aside=True),)}, True),
    ],
)
def test_words_without_what_they_may_have_been_count_as_heard(known: dict[str, Any], added: bool) -> None:
    record = PlyRecord(
        **{
            "index": 1,
            "seat": W,
            "announcement": said("e4"),
            "announced_origin": Origin.HEARD,
            "utterance": "w1",
            **known,
        }
    )
    more = (UtteranceHeard(W, record.utterance, (Candidate.of(said("e4"), 0.1625),)),) if added else ()
    assert _evidence(record).utterances == (*record.utterances, *more)
    entered = replace(record, entered="d2d4")
    certain = [_evidence(one).certain for one in (record, entered, replace(entered, mended="e2e3"))]
    assert certain == [None, "d2d4", "e2e3"]


def record_of(table: CoreTable) -> Any:
    question = belief_question(table.state)
    assert question is not None
    return question.plies


def test_the_question_has_all_that_was_said_of_each_ply_and_by_whom() -> None:
    table = CoreTable(black=SeatKind.TACTILE)
    ways = (Candidate.of(said("e4"), 0.1), Candidate.of(said("e3"), 2.0))
    assert belief_question(table.state) is None, "nothing was heard"
    table.done(
        "white", cmd.Say(announcement=said("e4"), text="e4", utterance="w1", origin=Origin.HEARD, candidates=ways)
    )
    table.press("white")
    table.done("black", cmd.Say(announcement=said("e4"), text="e4", act="echo"))
    (first,) = record_of(table)
    assert (first.ply, first.seat, first.certain, first.settled, first.made) == (1, W, None, True, True)
    typed = UtteranceHeard(B, None, (Candidate.of(said("e4"), 0.001),))
    assert first.utterances == (UtteranceHeard(W, "w1", ways), typed), "typed words are hardly ever wrong"
    table.done("black", cmd.Say(announcement=said("e5"), text="e5", utterance="b1", origin=Origin.HEARD))
    assert [(one.seat, one.made) for one in record_of(table)] == [(W, True), (B, False)]
    assert record_of(table)[1].utterances == (UtteranceHeard(B, "b1", (Candidate.of(said("e5"), 0.1625),)),)


def test_no_more_is_asked_than_the_last_six_plies_or_from_where_the_thread_was_lost_twelve() -> None:
    for lost, first, last in ((0, 9, 14), (1, 1, 12), (2, 2, 13)):
        table = CoreTable()
        for number, text in enumerate(("Nf3 Nf6 Ng1 Ng8 " * 4).split()[:14], 1):
            seat, ways = table.state.on_move.value, (Candidate.of(said(text), 0.1),)
            if number == lost:
                table.mumble(seat, "lost", candidates=ways)
            else:
                table.say(seat, text, act="announce", utterance=f"u{number}", candidates=ways)
            table.press(seat)
        question = belief_question(table.state)
        assert question is not None
        assert [one.ply for one in question.plies] == list(range(first, last + 1))
        assert question.start == table.state.moves.positions[first - 1]


def doubtful() -> CoreTable:
    """White's move was taken for e3 and is pressed; the echo has come since."""
    table = CoreTable()
    ways = (Candidate.of(said("e3"), 0.7), Candidate.of(said("e4"), 0.8))
    table.done(
        "white", cmd.Say(announcement=said("e3"), text="e3", utterance="w1", origin=Origin.HEARD, candidates=ways)
    )
    table.press("white")
    return table


def note(table: CoreTable, *plies: BelievedPly, about: str = "") -> tuple[ev.AnyEvent, ...]:
    question = belief_question(table.state)
    assert question is not None
    return table.own(cmd.NoteBelief(about=about or question.digest, plies=plies))


def test_a_belief_is_revised_where_it_differs_and_about_what_is_so_now() -> None:
    table = doubtful()
    assert note(table, BelievedPly(1, "e2e4", 0.8), about="another question") == ()
    assert note(table, BelievedPly(1, "e2e3", 0.8)) == (), "as it was believed"
    assert note(table, BelievedPly(7, "e2e4", 0.8)) == (), "no such ply"
    done = note(table, BelievedPly(1, "e2e4", 0.8))
    assert list(done) == [ev.BeliefRevised(at=1_000, ply=1, uci="e2e4", confidence=0.8)]
    assert table.state.moves.line == ("e2e4",) and table.placement(W) != table.state.moves.positions[1].placement
    for act in (cmd.Mend(ply=1, uci="d2d4"),):
        mended = doubtful()
        about = belief_question(mended.state)
        mended.done("arbiter", act)
        assert (
            about is not None
            and mended.own(cmd.NoteBelief(about=about.digest, plies=(BelievedPly(1, "e2e4", 1.0),))) == ()
        )


def test_an_alert_that_rested_on_the_earlier_belief_is_told_to_be_moot_and_a_new_one_comes() -> None:
    table = CoreTable(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    ways = (Candidate.of(said("e5"), 0.7), Candidate.of(said("e4"), 0.8))
    table.done(
        "white", cmd.Say(announcement=said("e2e5"), text="e5", utterance="w1", origin=Origin.HEARD, candidates=ways)
    )
    pressed = table.press("white")
    assert [one.kind for one in only(pressed, ev.Alerted)] == ["not_legal"]
    play(table, "Kd7")
    done = note(table, BelievedPly(2, "e8d7", 0.9), BelievedPly(1, "e2e4", 0.8))
    assert [one.ply for one in only(done, ev.BeliefRevised)] == [1], "of Black's move it is what was believed"
    (moot,) = only(done, ev.Alerted)
    assert (moot.kind, moot.ply) == ("belief_revised", 1)
    assert moot.detail == "now understood as e2 to e4, no longer e2 to e5, not legal here"
    done = note(table, BelievedPly(1, "e2e5", 0.9))
    assert [(one.kind, one.ply) for one in only(done, ev.Alerted)] == [("not_legal", 1)]


def test_of_a_move_whose_position_is_not_known_nothing_new_is_told() -> None:
    """White's first and Black's move were not understood; White's second move is known from the arbiter."""
    table = CoreTable()
    for number in range(3):
        table.mumble(table.state.on_move.value, f"u{number}", candidates=(Candidate.of(said("e4"), 0.7),))
        table.press(table.state.on_move.value)
    table.done("arbiter", cmd.Mend(ply=3, uci="g1f3"))
    done = note(table, BelievedPly(1, "e2e4", 0.8))
    assert table.state.moves.line == ("e2e4", None, "g1f3")
    assert [(one.kind, one.ply, one.detail) for one in only(done, ev.Alerted)] == [
        ("belief_revised", 1, "now understood as e2 to e4, no longer not known")
    ]


def test_where_a_mate_was_told_of_the_arbiter_hears_that_it_rested_on_an_earlier_belief() -> None:
    table = CoreTable(fen="7k/8/6K1/8/8/8/8/R7 w - - 0 1")
    ways = (Candidate.of(said("Ra8"), 0.7), Candidate.of(said("Ra7"), 0.8))
    table.done(
        "white", cmd.Say(announcement=said("Ra8"), text="Ra8", utterance="w1", origin=Origin.HEARD, candidates=ways)
    )
    table.press("white")
    assert [kind for kind, *_ in table.state.rulings.ends_told] == ["checkmate"]
    told = [one.detail for one in only(note(table, BelievedPly(1, "a1a7", 0.8)), ev.Alerted)]
    assert (
        "what was reported of move 1 (White) (checkmate on the server's board) was based on an earlier understanding"
    ) in told


def test_a_move_from_an_empty_square_leads_nowhere() -> None:
    """A board may tell such a move; nobody can have played it, and what comes after it is not guessed either."""
    certain = PlyEvidence(1, W, "e5e6", None, ())
    assert most_probable_line(BeliefQuestion(START, (certain,))) == ()
    assert most_probable_line(BeliefQuestion(START, (certain, PlyEvidence(2, B, "e7e5", None, ())))) == ()
