"""11.3.1: no command and no request of the protocol gives a player notes, information, advice or analysis (L121)."""

from __future__ import annotations

import ast
import re
import typing
from pathlib import Path

import chess
import msgspec
import pytest

from server.game import acts as cmd
from server.game import acts as ev
from server.game.acts import StationAct
from server.game.values.words import Duty, Role, Seat, SeatKind, Station
from server.game.views import messages as msg
from server.game.views.view import greeting, view
from tests.game.core_table import CoreTable, play
from tests.web.protocol_page import page

# Both sides can do much here: there is something to tell about checks, pins, forks and captures.
MIDDLE = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5"
PLACEMENT = re.compile(r"[1-8pnbrqkPNBRQK]+(?:/[1-8pnbrqkPNBRQK]+){7}")
UCI = re.compile(r"\b[a-h][1-8][a-h][1-8][qrbn]?\b")


def bodies() -> list[cmd.StationAct]:
    """Every command that a station can send, as the protocol page shows it."""
    lines = [line for block in re.findall(r"```json body\n(.*?)```", page(), re.S) for line in block.splitlines()]
    found: list[cmd.StationAct] = [msgspec.json.decode(line, type=StationAct) for line in lines]
    assert {type(one) for one in found} == set(typing.get_args(StationAct))
    return found


def texts(value: object, path: str = "") -> list[tuple[str, str]]:
    """All strings of a value with their paths."""
    if isinstance(value, str):
        return [(path, value)]
    if isinstance(value, dict):
        return [pair for key, inner in value.items() for pair in texts(inner, f"{path}.{key}")]
    if isinstance(value, list):
        return [pair for inner in value for pair in texts(inner, path)]
    return []


def leaks(message: object, own_board: str | None) -> list[str]:
    """Positions other than the player's own board on the player's screen, lists of moves, anybody's judgement."""
    found = []
    for path, text in texts(msgspec.to_builtins(message)):
        if PLACEMENT.search(text) and text != own_board:
            found.append(f"{path}: {text}")
        if UCI.search(text):
            found.append(f"{path}: {text}")
        if re.search(r"legal|illegal|check|mate|pinned|threat|best|eval|opening|ECO\b|[+#]$", text, re.I):
            found.append(f"{path}: {text}")
    return found


def table_of(white: SeatKind) -> CoreTable:
    table = CoreTable(fen=MIDDLE, white=white)
    table.assistant(Seat.WHITE, *Duty)
    play(table, "O-O O-O")
    return table


@pytest.mark.law("L121")
@pytest.mark.parametrize("kind", list(SeatKind))
def test_l121_no_command_of_any_kind_tells_a_player_of_moves_or_positions(kind: SeatKind) -> None:
    given = 0
    for body in bodies():
        if isinstance(body, cmd.StartGame | cmd.Resign | cmd.RuleResult):
            continue
        table = table_of(kind)
        own = table.placement(Seat.WHITE) if kind is SeatKind.SIGHTED else None
        before = len(table.events)
        decided = table.do("white", body)
        given += isinstance(decided, tuple)
        player = Station("white", Role.PLAYER, Seat.WHITE)
        for event in table.events[before:]:
            message = view(event, table.state, player)
            if message is None or isinstance(event, ev.ScoreWritten):
                continue
            board = table.placement(Seat.WHITE) if isinstance(message, msg.BoardShown) else own
            if isinstance(message, msg.BoardShown) and message.before == own:
                message = msgspec.structs.replace(message, before="")  # the player's own board, as it was shown last
            if isinstance(message, msg.Understood):
                continue  # the player's own words, back to the player
            assert not leaks(message, board), (body, message)
        at_start = greeting(table.state, player, table.now)
        assert at_start.picture is None and at_start.shown is None
        assert (at_start.board is None) is (kind is not SeatKind.SIGHTED)
    assert given > 10, "what a player may do was done"


@pytest.mark.law("L121")
def test_l121_what_a_player_may_ask_is_this_and_no_more() -> None:
    field = next(field for field in msgspec.structs.fields(cmd.Ask) if field.name == "what")
    asked = set(typing.get_args(field.type))
    asked.remove("help")  # the words that may be said, the same in every position (tests/table/test_help_now.py)
    asked.remove("article")  # of a refusal that the player was told already
    asked.remove("pairing")  # where and against whom, as the organiser settled it; nothing of it is of the position
    asked -= {"score_next", "score_previous", "score_here"}  # of the player's own score, as the player wrote it
    assert asked <= {"time", "opponent_time", "moves", "last", "score", "position", "set_up", "opponent_score", "clock"}
    table = table_of(SeatKind.TACTILE)
    for what in sorted(asked):
        decided = table.do("white", msgspec.convert({"do": "ask", "what": what}, cmd.Ask))
        if what in ("position", "set_up", "opponent_score"):
            assert not isinstance(decided, tuple), "not without an adaptation, a loan (8.5.2), or for a player at all"


@pytest.mark.law("L121")
def test_l121_no_address_of_the_server_gives_any(repo: Path) -> None:
    source = (repo / "server" / "web" / "routes.py").read_text(encoding="utf-8")
    paths = {path for _, path in re.findall(r'web\.(get|post)\("([^"]+)"', source)}
    assert paths
    for path in paths:
        assert not re.search(r"analy|engine|legal|moves|position|opening|book|fen|eval|hint", path), path


@pytest.mark.law("L121")
def test_l121_the_house_has_no_engine_and_no_book(repo: Path) -> None:
    for room in ("server", "speech", "braille"):
        for file in (repo / room).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            if not re.search("engine|polyglot|syzygy|gaviota", text):
                continue  # what is imported stands in the file by its name
            for node in ast.walk(ast.parse(text)):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom):
                    names = [f"{node.module}.{alias.name}" for alias in node.names]
                for name in names:
                    assert not re.match(r"chess\.(engine|polyglot|syzygy|gaviota)", name), (file, name)
    assert chess.Board(MIDDLE).is_valid()
