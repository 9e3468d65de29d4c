"""Two whole scores are compared beside the server, and never for long, whatever is written in them (D.2.9)."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import msgspec
import psutil
import pytest
from msgspec.structs import replace

from server.cli import main
from server.desk import comparing_child
from server.desk.answer import DeskAnswer, desk_answer, view_of_desk
from server.desk.comparing import Compared, Comparison, Scores, compare_both_scores, made_within_limits
from server.exports.reports.reconciliation_protocol import protocols_in_text
from server.exports.reports.report import report_words
from server.game.state.desk import Desk, TypedCell
from server.game.values.words import Seat
from server.game.views.reconciled import Looked
from server.game.views.report import protocols_of
from server.scoresheets.reconcile.posterior import Line, Weighed, questions
from server.scoresheets.sheet import sheet_of
from speech.complaint import Complaint
from speech.process import ChildFailed
from speech.words.catalogue import load_messages
from speech.words.config_file import language_tags
from tests.desk.test_desk_answer import table_at_the_desk
from tests.exports.test_reconciliation_protocol import adjusted, record_of
from tests.waiting import PATIENCE_S, until
from tests.web.open_house import open_house

CIRCLE = ("Nf3", "Nf6", "Ng1", "Ng8")


def circling(moves: int) -> Scores:
    """The same four moves over and over, in the second score in blocks of seven."""
    first = (CIRCLE * moves)[: 2 * moves]
    second = ((CIRCLE * 2)[:7] * moves)[: 2 * moves]
    sheets = (sheet_of(first), sheet_of(second))
    return Scores(sheets=sheets, languages=(("en",), ("en",)), start=chess.STARTING_FEN)


@pytest.fixture
def no_search() -> Iterator[None]:
    """Python drops what is raised while it looks for garbage, and a short comparison ends before it is raised again."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_search")
def test_the_child_gives_up_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing_child, "LIMIT_S", 0.1)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    assert comparing_child.answer_comparison({"scores": msgspec.to_builtins(circling(600))}) == {}
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - used < 1
    monkeypatch.setattr(comparing_child, "LIMIT_S", 60.0)
    answer = comparing_child.answer_comparison({"scores": msgspec.to_builtins(circling(4))})
    assert msgspec.convert(answer["compared"], Compared) == compare_both_scores(circling(4))


@pytest.mark.usefixtures("no_search")
def test_the_child_gives_up_at_the_desk_too(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_at_the_desk()
    desk = replace(table.state.desk, cells=typed_at_the_desk(circling(600)))
    asked = {"state": msgspec.msgpack.encode(replace(table.state, desk=desk)), "plies": [3]}
    monkeypatch.setattr(comparing_child, "LIMIT_S", 0.02)
    assert comparing_child.answer_comparison(asked) == {}
    monkeypatch.setattr(comparing_child, "LIMIT_S", 60.0)
    answer = comparing_child.answer_comparison(asked)
    assert msgspec.convert(answer["desk"], DeskAnswer) == desk_answer(replace(table.state, desk=desk), desk, (3,))


async def test_a_comparison_is_left_at_once_when_the_server_stops() -> None:
    comparison = Comparison()
    asking = asyncio.create_task(comparison.compare(circling(4)))
    while not comparison._child._turns:
        await asyncio.sleep(0)
    await asyncio.wait_for(comparison.close(), PATIENCE_S)
    with pytest.raises(Complaint) as told:
        await asking
    assert "nothing is decided here" in str(told.value)


def test_the_command_line_says_in_one_sentence_that_it_is_not_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = []
    for name, sheet in zip(("white", "black"), circling(1000).sheets, strict=True):
        lines = [f"{n // 2 + 1}. {sheet.cell(n + 1)} {sheet.cell(n + 2) or ''}" for n in range(0, len(sheet.cells), 2)]
        paths.append(tmp_path / f"{name}.txt")
        paths[-1].write_text("\n".join(lines))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with pytest.raises(SystemExit) as stop:
        main(["reconcile", *map(str, paths)])
    out, err = capsys.readouterr()
    assert stop.value.code == 2 and out == ""
    assert err.count("\n") == 1 and "nothing is decided here" in err
    since = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert since.ru_utime + since.ru_stime - used.ru_utime - used.ru_stime < 2 * comparing_child.LIMIT_S


def typed_at_the_desk(scores: Scores) -> tuple[TypedCell, ...]:
    return tuple(
        TypedCell(seat, ply, text, "en")
        for seat, sheet in zip(Seat, scores.sheets, strict=True)
        for ply, text in enumerate(sheet.cells, 1)
    )


async def test_the_desk_is_answered_soon_or_says_that_it_is_not_decided_and_a_press_counts_meanwhile(
    tmp_path: Path,
) -> None:
    async with open_house(tmp_path / "data") as house:
        arbiter = await house.arbiter()
        line = await arbiter.line()
        white = await (await house.station("tactile", Seat.WHITE)).line()
        await house.station("sighted", Seat.BLACK)
        assert (await line.do({"do": "start_game"}))["outcome"]["ok"]
        desk = Desk(snapshot=table_at_the_desk().state.desk.snapshot, cells=typed_at_the_desk(circling(600)))
        await white.type("Bauer Eva zwei Eva vier")
        house.table.state = replace(house.table.state, desk=desk)
        asking = asyncio.create_task(arbiter.get("/api/desk"))
        await until(lambda: bool(house.hall.comparison._child._turns))
        assert (await white.do({"do": "press"}))["outcome"]["ok"]
        status, said = await asking
        assert (status, said["undecided"], said["verdict"], said["agree_plies"]) == (200, None, "differ", 7)
        pid = house.hall.comparison._child.pid
        assert pid is not None and sum(psutil.Process(pid).cpu_times()[:2]) < 2 * comparing_child.LIMIT_S
        os.kill(pid, signal.SIGSTOP)
        status, said = await arbiter.get("/api/desk?plies=5")
        assert status == 200 and "nothing is decided here" in said["undecided"]
        assert (said["verdict"], said["settled"], len(said["lines"])) == (None, False, 1200), "they can be struck out"


async def test_a_report_says_that_what_a_desk_found_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison, state = Comparison(), table_at_the_desk().state
    desk = replace(state.desk, cells=typed_at_the_desk(circling(4)))
    explain, state = comparison.explaining(), replace(state, desk=desk)
    try:
        assert await asyncio.to_thread(explain, state, desk) == view_of_desk(state, desk)

        async def gives_up(*_asked: object, **_how: object) -> dict[str, object]:
            raise ChildFailed("it took too long")

        monkeypatch.setattr(comparison._child, "request", gives_up)
        assert await asyncio.to_thread(explain, state, desk) == Looked(undecided=True)
    finally:
        await comparison.close()
    for tag in language_tags():
        protocols = protocols_of(record_of(adjusted()), lambda _state, _desk: Looked(undecided=True))
        assert report_words(tag)["entry.not_explained"] in protocols_in_text("t1", protocols, tag)


def test_a_report_made_outside_of_a_server_has_the_same_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    record = record_of(adjusted())

    def made() -> str:
        return made_within_limits(lambda explain: protocols_in_text("t1", protocols_of(record, explain), "en"))

    assert made() == protocols_in_text("t1", protocols_of(record, view_of_desk), "en")
    monkeypatch.setattr("server.desk.comparing.DEADLINE_S", 0.001)
    assert report_words("en")["entry.not_explained"] in made()


def test_it_is_said_in_every_language() -> None:
    told = {load_messages(tag).text("complaint.scores_undecided") for tag in language_tags()}
    assert len(told) == 6


def noisy(seed: int) -> Scores:
    """Two scores of one game that nobody could have played worse, nor written."""
    draw, board, written = random.Random(seed), chess.Board(), list[str]()
    for _ in range(50):
        move = draw.choice(list(board.legal_moves))
        written.append(board.san(move))
        board.push(move)

    def score() -> list[str]:
        found = []
        for san in written:
            share = draw.random()
            if share >= 0.08:
                found.append(san if share >= 0.25 else "xx?" if share >= 0.2 else san[:-1] + draw.choice("12345678"))
        return found

    sheets = (sheet_of(score()), sheet_of(score()))
    return Scores(sheets=sheets, languages=(("en",), ("en",)), start=chess.STARTING_FEN)


def test_a_question_may_be_about_a_ply_behind_the_likely_game() -> None:
    """The search went astray there; it used to end in an error."""
    found = compare_both_scores(noisy(8)).found
    behind = [one for one in found.questions if one.ply > len(found.game)]
    assert behind and all((one.first, one.second) == (None, None) and one.candidates for one in behind)


def asked_one_by_one(lines: tuple[Line, ...], likely: Line, most: int) -> list[tuple[int, float]]:
    """What is worth asking, counted line by line and ply by ply, as the rule says it."""

    def right(groups: list[list[Line]]) -> float:
        best = 0
        for group in groups:
            for ply in range(len(likely)):
                moves = [line[ply] for line in group if ply < len(line)]
                best += max((moves.count(move) for move in moves), default=0)
        return best / len(lines)

    groups = [list(lines)]
    before = sum(line[ply] == likely[ply] for line in lines for ply in range(min(len(line), len(likely)))) / len(lines)
    asked: list[tuple[int, float]] = []
    while len(asked) < most:
        found: list[tuple[float, int, Any]] = []
        for ply in range(len(likely)):
            parts = [
                [line for line in group if (line[ply] if ply < len(line) else None) == move]
                for group in groups
                for move in dict.fromkeys(line[ply] if ply < len(line) else None for line in group)
            ]
            if len(parts) > len(groups) and ply + 1 not in [one for one, _ in asked]:
                found.append((right(parts) - before, ply, parts))
        best = max(found, key=lambda one: (one[0], -one[1]), default=None)
        if best is None or best[0] < 0.1:
            break
        asked.append((best[1] + 1, round(best[0], 3)))
        before, groups = before + best[0], best[2]
    return asked


@pytest.mark.parametrize("seed", range(6))
def test_questions_counted_by_sets_of_lines_are_those_counted_one_by_one(seed: int) -> None:
    draw = random.Random(seed)
    plies = 24
    ways = [[draw.randrange(1, 64 * 64) for _ in range(draw.randrange(1, 4))] for _ in range(plies)]
    shapes = [[draw.randrange(8) for _ in range(plies)] for _ in range(5)]
    lines = tuple(
        tuple(way[shape % len(way)] for way, shape in zip(ways, draw.choice(shapes), strict=True))[
            : draw.choice((20, 24))
        ]
        for _ in range(64)
    )
    likely = tuple(chess.Move(way[0] & 63, way[0] >> 6 & 63) for way in ways)
    weighed = Weighed(likely, (0.5,) * plies, ((None, None),) * plies, (), lines)
    numbers = tuple(way[0] for way in ways)
    found = [(worth.ply, worth.gain) for worth in questions(weighed, 5, 0.1)]
    assert found == asked_one_by_one(lines, numbers, 5) and found
