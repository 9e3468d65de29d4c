"""The likely game behind two scores: slips repaired, shifts named, questions, the server's record (L196, L198, G13)."""

from __future__ import annotations

import random
from collections.abc import Sequence

import chess
import pytest

from server.desk.loading import load_slip_costs
from server.scoresheets.cell import Writing
from server.scoresheets.language import read_sheet
from server.scoresheets.reconcile.alignment import Ahead
from server.scoresheets.reconcile.compare import Reconciliation, compare
from server.scoresheets.reconcile.witness import Listen, Witness
from server.scoresheets.sheet import sheet_of
from server.scoresheets.slips import SlipReader

COSTS = load_slip_costs()
SANS = [
    "d4",
    "Nf6",
    "c4",
    "e6",
    "Nc3",
    "Bb4",
    "e3",
    "O-O",
    "Bd3",
    "d5",
    "Nf3",
    "c5",
    "O-O",
    "Nc6",
    "a3",
    "Bxc3",
    "bxc3",
    "dxc4",
    "Bxc4",
    "Qc7",
    "Bd3",
    "e5",
    "Qc2",
    "Re8",
    "Nxe5",
    "Nxe5",
    "dxe5",
    "Qxe5",
]


def _moves() -> list[chess.Move]:
    board = chess.Board()
    return [board.push_san(san) for san in SANS]


MOVES = _moves()
UCIS = tuple(move.uci() for move in MOVES)


def reconciled(ways: dict[str, Writing], first: Sequence[str], second: Sequence[str], **more: object) -> Reconciliation:
    cells = [read_sheet(sheet_of(score), ways["en"]) for score in (first, second)]
    return compare(cells[0], cells[1], chess.Board(), costs=COSTS, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    ("shift", "expected"),
    [
        ("ply missing", [("missing", 13)]),
        ("move missing", [("missing", 13), ("missing", 14)]),
        ("ply twice", [("extra", 14)]),
        ("empty row", [("extra", 13), ("extra", 13)]),
        ("swapped", [("swapped", 13)]),
    ],
)
def test_a_shift_is_named_and_the_game_is_whole(
    ways: dict[str, Writing], side: int, shift: str, expected: list[tuple[str, int]]
) -> None:
    changed = {
        "ply missing": SANS[:12] + SANS[13:],
        "move missing": SANS[:12] + SANS[14:],
        "ply twice": [*SANS[:13], SANS[12], *SANS[13:]],
        "empty row": [*SANS[:12], "-", "-", *SANS[12:]],
        "swapped": [*SANS[:12], SANS[13], SANS[12], *SANS[14:]],
    }[shift]
    scores = [SANS, changed] if side else [changed, SANS]
    found = reconciled(ways, scores[0], scores[1])
    assert found.game == UCIS
    assert [(each.kind, each.ply) for each in found.shifts] == expected
    assert {each.score for each in found.shifts} == {("first", "second")[side]}
    assert found.agree_plies in (12, 13), "the law's answer repairs nothing"


def test_slips_in_both_scores_are_repaired_where_the_rest_bears_it_out(ways: dict[str, Writing]) -> None:
    first, second = list(SANS), list(SANS)
    first[4], first[10], second[6], second[18] = "Ne3", "Nt3", "c3", "Bxe4"
    first[20] = second[20] = "Bb3"
    found = reconciled(ways, first, second)
    wrong = [ply for ply, (one, other) in enumerate(zip(found.game, UCIS, strict=True), 1) if one != other]
    assert wrong in ([], [21])
    assert found.shifts == ()
    doubtful = min(range(len(found.game)), key=lambda ply: found.confidence[ply])
    assert all(found.confidence[ply] >= found.confidence[doubtful] for ply in range(len(found.game)))


def test_an_answer_settles_its_ply_and_is_not_asked_again(ways: dict[str, Writing]) -> None:
    first, second = [*SANS[:-1], "Qxe5"], [*SANS[:-1], "Qc6"]
    asked = reconciled(ways, first, second).questions
    assert [question.ply for question in asked] == [28]
    for uci in asked[0].candidates:
        settled = reconciled(ways, first, second, answers={28: chess.Move.from_uci(uci)})
        assert settled.game[27] == uci
        assert settled.confidence[27] > 0.9


def test_one_score_alone_is_read_on_over_its_slips(ways: dict[str, Writing]) -> None:
    first = list(SANS)
    first[8], first[15] = "Bd8", "Bxe3"
    found = reconciled(ways, first, [])
    assert found.verdict == "incomplete"
    assert found.gaps == ("G5",)
    assert found.game == UCIS


@pytest.mark.law("L196")
def test_only_the_server_is_wrong(ways: dict[str, Writing]) -> None:
    board = chess.Board()
    for move in MOVES:
        board.push(move)
    boards = (board.board_fen(), board.board_fen())
    misheard = (*UCIS[:-1], "c7c6")
    for moves in (misheard, UCIS[:-1], (*UCIS[:5], None, *UCIS[6:])):
        found = reconciled(ways, SANS, SANS, witness=Witness(moves), placements=boards)
        assert (found.verdict, found.gaps) == ("out_of_step", ("G13",))
        assert found.position == board.fen()
    assert reconciled(ways, SANS, SANS, witness=Witness(UCIS), placements=boards).verdict == "same_record"
    longer = Witness((*UCIS, "f2f4"))
    assert reconciled(ways, SANS, SANS, witness=longer).verdict == "same_record", "the last move may not be written yet"
    assert reconciled(ways, SANS, SANS, witness=longer, placements=boards).verdict == "out_of_step"
    other = (chess.STARTING_BOARD_FEN, boards[1])
    assert reconciled(ways, SANS, SANS, witness=Witness(misheard), placements=other).verdict == "same_record"
    assert reconciled(ways, SANS, [*SANS[:-1], "Qc6"], witness=Witness(misheard)).verdict == "differ", "never the judge"


@pytest.mark.law("L194")
def test_a_dictated_cell_that_decides_is_to_be_listened_to(ways: dict[str, Writing]) -> None:
    clips = tuple(Listen(ply, side, f"u{ply}{side}") for ply in range(1, 29) for side in ("black", "white"))
    found = reconciled(ways, SANS, [*SANS[:-1], "Qc6"], witness=Witness(UCIS, clips))
    assert [(each.ply, each.side) for each in found.listen] == [(28, "white"), (28, "black")]
    assert reconciled(ways, SANS, SANS, witness=Witness(UCIS, clips)).listen == ()


def test_no_text_whatever_brings_it_down(ways: dict[str, Writing]) -> None:
    chance = random.Random("any text")
    signs = "abcdefgh12345678KQRBNOx+#=-0. ()éמה\u2801\u2803٣\U0001f600"
    for rows, real in ((0, True), (1, False), (12, True), (24, False), (26, True), (30, False)):
        scores = [
            ["".join(chance.choice(signs) for _ in range(chance.randrange(9))) for _ in range(rows)] for _ in "wb"
        ]
        if real:
            scores[0] = list(SANS)
        found = reconciled(ways, scores[0], scores[1])
        board = chess.Board()
        for uci in found.game:
            board.push(board.parse_uci(uci))
        assert len(found.confidence) == len(found.game)
        assert all(0 <= sure <= 1 for sure in found.confidence)


def test_what_is_ahead_knows_where_the_rows_run_apart(ways: dict[str, Writing]) -> None:
    reader = SlipReader(COSTS)
    one, other = (
        [reader.price_cell(cell) for cell in read_sheet(sheet_of(score), ways["en"])]
        for score in (SANS, SANS[:8] + SANS[10:])
    )
    ahead = Ahead(one, other, COSTS)
    ply = COSTS.cells.move + 2 * COSTS.cells.exact
    alone = COSTS.cells.move + COSTS.cells.exact
    further = min(COSTS.shifts.missing_more + alone, COSTS.shifts.extra_more)
    skipped = COSTS.shifts.missing + alone + further
    assert ahead(0, 0) == pytest.approx(26 * ply + skipped), "both plies left out are yet to be paid for"
    assert ahead(9, 8, skipping=1) == pytest.approx(18 * ply + further), "one of the two is"
    assert ahead(10, 8) == pytest.approx(18 * ply)
    assert ahead(10, 10) > ahead(10, 8) + COSTS.cells.move, "the way on in the old step is the dearer one"
    assert ahead(28, 26) == 0
    assert Ahead((), other, COSTS)(0, 0) == pytest.approx(26 * alone)


@pytest.mark.needs("shared")
def test_every_shifted_pair_of_the_handwritten_sheets_is_found(shared: object, ways: dict[str, Writing]) -> None:
    from pathlib import Path

    from server.scoresheets.sheet import parse_sheet

    assert isinstance(shared, Path)
    for name, side in (("033", "second"), ("079", None)):
        texts = [(shared / f"data/scoresheets/{name}-{which}.txt").read_text() for which in (0, 1)]
        cells = [read_sheet(parse_sheet(text), ways["en"]) for text in texts]
        found = compare(cells[0], cells[1], chess.Board(), costs=COSTS)
        assert found.shifts
        assert side is None or {each.score for each in found.shifts} == {side}
