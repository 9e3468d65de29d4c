"""What an alert says beside its name reaches the arbiter in his language; the record keeps the English sentence."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.views.messages import Recorded
from server.wording.details import told, told_of
from speech.words.loading import language_tags
from speech.words.messages import without_isolation
from tests.table.open_hall import played

OTHERS = [tag for tag in language_tags() if tag != "en"]
# No sentences: a number stands here where the core puts another of its phrases; WHOLE has these as they come.
FRAMES = {
    *("7 (D.2.9)", "7: 7", "7; 7", "white: 7", "7 (7.5)", "white 7", "7 (I.10, I.11)", "7", "7: 1-0"),
    *("white: update the score 7 (7.5)", "if the move stands, 7", "7 on white 7 (11.3.2.2)", "white claims a draw; 7"),
    "was the announced move made before the flag (D.2.3, 6.8)? 7",
    "the draw offer stands: ask the opponent (9.1.2.3)7",
}
WHOLE = {
    "which moves led here is not known from ply 7 on (D.2.9)",
    "white board: e4 d5 (D.2.9)",
    "white and black: update the score before play goes on (8.5.1)",
    "white: update the score before he moves (8.5.2)",
    "7 on white is on the approved list (11.3.2.2)",
    "7 on white is not approved: 0-1 is open to you (11.3.2.2)",
    "white claims a draw; the intended move follows, or that there is none (9.5.1: it cannot be withdrawn)",
    'the draw offer stands: ask the opponent (9.1.2.3); "7" must be made, if it is legal',
    "both flags are called: void as heard: mate on the server's board (5.1.1) since ply 4: 0-1",
    "black's flag is called (6.8): lost by black, 1-0 (6.9)",
    "white claims the game on time (6.8): both flags are down, first black (6.9); lost by black, 1-0 (6.9)",
    "both flags are called: both flags are down, first not known, the last period: drawn, 1/2-1/2 (III.3.1)",
    "both flags are called: both flags are down, first not known, not the last period: continue (III.3.1)",
    "both flags are called: both flags are down, first not known: in the last period drawn, else continue (III.3.1)",
    "both flags are called: both flags are down, first not known: III.3.1 does not hold here (III.2.2), the arbiter "
    "decides",
    "both flags are called: both flags are down, first not known: the rule set does not say whether III.3.1 holds, "
    "the arbiter decides",
    "if the move stands, mate on the server's board (5.1.1) since ply 3: 1-0, b1b8 played, the touch leaves a7a8 a7b7 "
    "(4.3.1)",
    "black resigns; void as heard, if the move stands: mate on the server's board (5.1.1) since ply 3: 1-0, the queen "
    "of a7a8q was forced (7.5.2)",
    "a draw is agreed; void: mate on the server's board (5.1.1) since ply 3: 1-0",
    "0-1 is on record; void: stalemate on the server's board (5.2.1) since ply 3: 1/2-1/2",
    "an irregularity in ply 3 is ruled; void as heard: mate on the server's board (5.1.1) since ply 3: 1-0",
    "black claims a draw (repetition): void as heard: mate on the server's board (5.1.1) since ply 3: 1-0",
    "white resigns; void: neither side can mate by any series of legal moves (5.2.2) since ply 0: 1/2-1/2",
    "was the announced move made before the flag (D.2.3, 6.8)? mate on the server's board (5.1.1) since ply 3: 1-0",
    "a draw is agreed; rule first on white's flag, it was claimed or called before (6.8, 6.9)",
    "black resigns; rule first on white's flag, it was claimed or called before (6.8, 6.9)",
    "black resigns; rule first on white's claim, it was made before (9.5.2)",
    "white resigns; was the position dead? The arbiter decides (5.2.2, G11)",
    "white resigns; can black ever mate? The arbiter decides (5.1.2, G11): unknown, the game was mended since",
    "black board: the board cannot be reached",
    "neither player is there and the default time is zero: both lose, unless the arbiter decides otherwise "
    "(I.10, I.11)",
    "white keeps score by 7: the arbiter's or the event's to allow (8.1.1)",
    "white claims a draw by normal means (III.5): cannot be won",
    "white claims a draw (unstated): wrong by the record: the claimant does not have the move (9.2)",
    "white claims a draw (repetition): wrong by the record: a piece was touched (9.4)",
    "white claims a draw (repetition): wrong by the record: no move has been made",
    "white claims a draw (fifty_moves): wrong by the record: the intended e2e4 is not legal",
    'white claims a draw (repetition): the intended move "7" fits no single move',
    "white claims a draw (repetition): right by the record (9.2.2) with the intended e2e4: the position stood after "
    "plies 4, 8, 12",
    "white claims a draw (unstated): wrong by the record (9.3.2): not three times, and no pawn move or capture in "
    "plies 3-9",
    "both kings in check, pawn on last rank: wait for the next completed move (A.5.4)",
    "still pawn on last rank: the game is drawn (A.5.4)",
}
LATIN = re.compile(r"[a-z]{3,}")


def details_of_the_core(repo: Path) -> set[str]:
    """Every detail that the core gives an alert, as it would stand there, with plain values in its places."""
    found = set()
    for path in (repo / "server" / "game").rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            for call in ast.walk(function):
                if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
                    continue
                if call.func.attr != "alert" or len(call.args) < 3:
                    continue
                detail = call.args[2]
                ways = [detail] if not isinstance(detail, ast.Name) else _assigned(function, detail.id)
                found |= {text for way in ways if (text := _sample(way)) is not None}
    return found


def _assigned(function: ast.FunctionDef, name: str) -> list[ast.expr]:
    return [
        node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id == name for one in node.targets)
    ]


def _sample(way: ast.expr) -> str | None:
    """An f-string with values: a seat, a move, a result, an article, else a number."""
    if isinstance(way, ast.Constant):
        return str(way.value)
    if not isinstance(way, ast.JoinedStr):
        return None
    parts = []
    for part in way.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value))
            continue
        assert isinstance(part, ast.FormattedValue)
        name = ast.unparse(part.value)
        seat = (
            re.search(r"(seat|who|loser|winner|board|mover|other)(\.other)?(\.value)?$", name) and name != "body.seat"
        )
        move = re.search(r"(^|\.)uci$", name)
        result = re.search(r"result|lost_by", name)
        parts.append(
            "white" if seat else "e2e4" if move else "1-0" if result else "7" if "article" not in name else "7.5"
        )
    return "".join(parts)


@pytest.mark.parametrize("tag", OTHERS)
def test_every_detail_is_told_in_every_language(repo: Path, tag: str) -> None:
    details = details_of_the_core(repo)
    assert len(details) > 60
    left = set()
    for detail in (details - FRAMES) | WHOLE:
        shown = without_isolation(told(detail, tag))
        if shown == detail or (tag in ("ar", "he", "hy") and LATIN.search(shown)):
            left.add(detail)
    assert left == set()


async def test_the_arbiter_gets_the_words_and_the_record_keeps_its_own(tmp_path: Path) -> None:
    async with played(tmp_path) as game:
        desk = game.attach("arbiter")
        await game.done("white", cmd.CallArbiter())
        mine = [one for one in desk.of(Recorded) if isinstance(one.event, ev.Alerted)]
        assert mine and mine[-1].told is not None and set(mine[-1].told) == set(OTHERS)
        assert mine[-1].told["de"] == "Weiß ruft den Schiedsrichter (6.11.2)"
        assert isinstance(mine[-1].event, ev.Alerted)
        assert mine[-1].event.detail == "white calls the arbiter (6.11.2)"


def test_what_people_wrote_stays_as_they_wrote_it() -> None:
    alert = ev.Alerted(at=0, kind="fault", ply=0, grey=False, detail="Dies schrieb ein Mensch")
    assert told_of(alert) is None
    assert told_of(ev.GameStarted(at=0)) is None
    assert told("white claims: touch (4.8, too late). he said so", "de").endswith("he said so")
    assert told("display-1 reports: noise of black; no words (12.4)", "de").startswith(
        "display-1 meldet: Lärm, Schwarz"
    )
