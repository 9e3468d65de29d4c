"""A whole game played by a deaf-blind player with a braille display and two keys, and the transcript of it.

BRLTTY drives an emulated Baum display, `anna-eins station --braille` runs as its own program, and the server is the
real one with a clock that stands until it is told. `python -m tests.web.braille_game` writes docs/braille-game.md anew.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import chess
import msgspec

from braille.cells import cells_of_move, written_move
from braille.loading import load_profile
from braille.typed import texts_of_cells
from server.app import START_FEN
from server.game import acts as cmd
from server.game.state.state import GameState
from server.game.values.time_control import TimeControl
from server.game.values.words import Mode, Seat, SeatKind, SeatPlan
from server.machine.clock import ScriptedClock
from server.web.door.access import Place
from server.wording.typed import codes_of
from tests.braille.emulated_display import Baum, Brltty
from tests.table.open_hall import turn
from tests.waiting import PATIENCE_S
from tests.web.open_house import House, TestLine, Visitor, open_house

# Morphy against two allies, Paris 1858: castling, captures, like pieces, mate.
GAME = (
    "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 "
    "Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"
)
THINKS_MS = 20_000
TABLE = "deafblind"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "braille-game.md"
HEAD = """# A game on a braille display and two keys

Written by `python -m tests.web.braille_game`; `tests/web/test_braille_game.py` plays it again and compares.
White is deaf-blind and has a tactile board, a braille display of 40 cells with a keyboard and routing keys, and two
keys of the computer, which press the clock and ask for the time. BRLTTY drives an (emulated) Baum display;
`anna-eins station --braille` is White's only program. Black is sighted and moves at a device. White writes in
the German six-dot code and reads computer braille, which is the default; the words are the Laws' own.

| White does, or what happens | on the display | that is |
|---|---|---|
"""


class Opponent(Protocol):
    """Black at a station."""

    async def echo(self, move: chess.Move) -> None: ...

    async def move(self, move: chess.Move) -> None: ...

    async def press(self) -> None: ...

    async def offer_draw(self) -> None: ...


def repeated(move: chess.Move) -> str:
    """Black's echo as Black types it; the only castling in this game is White's long one."""
    return "0-0-0" if move.uci() == "e1c1" else move.uci()


class ByLine:
    """Black's station over the line that a browser has."""

    def __init__(self, line: TestLine) -> None:
        self._line = line

    async def _do(self, **body: Any) -> None:
        answer = await self._line.do(body)
        assert answer["outcome"]["ok"], answer

    async def echo(self, move: chess.Move) -> None:
        assert (await self._line.type(repeated(move)))["outcome"]["ok"]

    async def move(self, move: chess.Move) -> None:
        await self._do(do="enter_move", uci=move.uci())

    async def press(self) -> None:
        await self._do(do="press")

    async def offer_draw(self) -> None:
        await self._do(do="offer_draw")


class Fingers:
    """White: the display, the two keys, and the transcript of what White does and reads."""

    def __init__(self, display: Baum, station: asyncio.subprocess.Process) -> None:
        self.display, self._station = display, station
        self.rows: list[tuple[str, str, str]] = []
        self._codes, self.code = codes_of("de"), load_profile("de")

    async def reads(self, what: str, happens: str = "", *, last: str = "") -> str:
        """Wait until this (text, or cells; * for anything before it) stands there; note it with what happened."""

        last = last or next((cells for _, cells, _ in reversed(self.rows) if cells), "")

        def there(shown: str) -> bool:
            text = self.text_of(shown)
            if what == "*":
                return shown not in ("", last)
            return text.endswith(what[1:]) if what.startswith("*") else what in (shown, text)

        cells = await asyncio.to_thread(self.display.wait_until, there)
        self.rows.append((happens, cells, self.text_of(cells)))
        return cells

    def text_of(self, cells: str) -> str:
        """What a reader of German computer braille reads there."""
        return next(iter(texts_of_cells(cells, self._codes)), "") if cells else ""

    async def types(self, cells: str, then: str, note: str = "") -> None:
        """A row of cells on the braille keyboard, read as it grows; Enter; what stands there then."""
        for place, cell in enumerate(cells):
            (self.display.space if cell == "\u2800" else lambda: self.display.type_dots(cell))()  # noqa: B023
            grown = cells[: place + 1].rstrip("\u2800")
            await asyncio.to_thread(self.display.wait_until, lambda shown: shown == grown)  # noqa: B023
        self.display.enter()
        await self.reads(then, f"types {cells}, Enter{note}", last=cells)

    def cells(self, board: chess.Board, move: chess.Move) -> str:
        """White's move in White's own six-dot code."""
        return cells_of_move(written_move(board, move), self.code)

    async def pans(self, then: str, *, back: bool = False) -> None:
        self.display.pan(back=back)
        await self.reads(then, "pans back" if back else "pans on")

    async def routes(self, word: str, then: str) -> None:
        """The routing key over a word that White reads."""
        text = self.text_of(self.display.shown.rstrip("\u2800"))
        self.display.route(text.index(word))
        await self.reads(then, f"routing key over “{word}”")

    async def key(self, key: bytes) -> None:
        assert self._station.stdin is not None
        self._station.stdin.write(key)
        await self._station.stdin.drain()


class Hall:
    """The table, the arbiter's line, and time, which passes only here."""

    def __init__(self, house: House, clock: ScriptedClock, arbiter: TestLine, black: Opponent) -> None:
        self.house, self.clock, self.arbiter, self.black = house, clock, arbiter, black
        self.table = house.hall.tables[TABLE]

    async def done(self, **body: Any) -> None:
        answer = await self.arbiter.do(body)
        assert answer["outcome"]["ok"], answer

    async def passes(self, ms: int) -> None:
        """Time passes second by second: a greater step would look like a machine that slept."""
        until = self.clock.mono_ms() + ms
        while self.clock.mono_ms() < until:
            await turn(lambda: (due := self.clock.next_due()) is not None and due <= self.clock.mono_ms() + 1_000)
            due = self.clock.next_due()
            self.clock.advance(min(until, due or until) - self.clock.mono_ms())
        await turn(lambda: (due := self.clock.next_due()) is not None and due > self.clock.mono_ms())

    async def completed(self, plies: int) -> None:
        """Wait until so many half-moves are completed, as the arbiter sees it."""
        async with asyncio.timeout(60):
            while sum(one.completed for one in self.table.state.moves.plies) < plies:
                await asyncio.sleep(0.005)


async def open_table(house: House) -> None:
    """White tactile and hearing-impaired, Black sighted; the program announces (D.2.10.2, D.2.11)."""
    table = await house.hall.open_table(
        cmd.OpenTable(
            white=SeatPlan(kind=SeatKind.TACTILE, name="Anna", language="de", hearing_impaired=True),
            black=SeatPlan(kind=SeatKind.SIGHTED, name="Hector", language="en"),
            control=TimeControl.parse("5400+30"),
            start_fen=START_FEN,
            rated=True,
            mode=Mode.TABLE,
            event_name="",
        ),
        TABLE,
    )
    for body in (
        cmd.RecordAdaptation(name="sighted_press_without_announcement", value="note"),
        cmd.RecordAdaptation(name="machine_announces", value="on", approved=True),
        cmd.SetMode(mode=Mode.RELAY),
    ):
        outcome = await table.own(table.program_command(body))
        assert outcome.outcome.ok, outcome


async def visitor(house: House, page: str, seat: Seat | None, table: str = TABLE) -> Visitor:
    """Somebody let in at this table by a link that admits."""
    one = house.visitor()
    place = Place(table=table, page=page, seat=seat)
    status, said = await one.post("/api/join", {"secret": house.access.invite(place, admits=True, lasting=True).secret})
    assert (status, said["state"]) == (200, "admitted"), said
    one.page = said["page"]
    return one


@asynccontextmanager
async def display_station(
    house: House, brltty: Brltty, table: str = TABLE
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The program itself, as a user starts it; the arbiter lets it in by its mark."""
    arbiter = await visitor(house, "arbiter", None, table)
    invitation = house.access.invite(Place(table=table, page="tactile", seat=Seat.WHITE))
    program = "from server.cli import main; main()"
    arguments = ("station", house.base, "--braille", "--code", " ".join(invitation.squares), "--display", brltty.host)
    station = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program, *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": str(PAGE.parents[1])},
    )
    try:
        assert station.stdout is not None
        told = await asyncio.wait_for(station.stdout.readline(), PATIENCE_S)
        _, waiting = await arbiter.get("/api/introductions?version=0")
        (one,) = waiting["waiting"]
        assert one["mark"].encode() in told, told
        await arbiter.post(f"/api/introductions/{one['id']}", {"admit": True})
        assert b"Admitted" in await asyncio.wait_for(station.stdout.readline(), PATIENCE_S)
        yield station
    finally:
        station.terminate()
        await station.wait()


async def play(hall: Hall, white: Fingers) -> None:
    """The whole game, with a correction, times asked for, a draw offer, a divergence and the score read back."""
    board = chess.Board()
    await hall.done(do="start_game")
    await white.reads("Die Partie hat begonnen.", "the arbiter starts White’s clock")
    for ply, san in enumerate(GAME.split(), 1):
        move = board.parse_san(san)
        await hall.passes(THINKS_MS)
        if board.turn is chess.WHITE:
            await _own_move(hall, white, board, move, ply)
        else:
            await _move_of(hall, white, board, move, ply)
        board.push(move)
    await hall.done(do="rule_result", result="1-0", reason="checkmate", article="5.1.1")
    await white.reads("Weiß gewinnt.", "the arbiter confirms the mate (5.1.1)")
    await white.types("⠂⠖", "16. Db8 Sb8", ": White’s own score at move 16")
    await white.pans("17. Td8")
    await white.pans("16. Db8 Sb8", back=True)


def read_back(board: chess.Board, move: chess.Move) -> str:
    """How White's announcement stands there afterwards: as White gave it, without marks of capture, check and mate."""
    said = written_move(board, move)
    bare = msgspec.structs.replace(said, capture=False, check=False, mate=False, en_passant=False)
    start = chess.square_name(move.from_square)
    if bare.from_file or bare.from_rank:
        bare = msgspec.structs.replace(bare, from_file=start[0], from_rank=start[1])
    return cells_of_move(bare, load_profile("computer-de"))


async def _own_move(hall: Hall, white: Fingers, board: chess.Board, move: chess.Move, ply: int) -> None:
    if ply == 3:
        await white.key(b" ")
        await white.reads("1:30:20* 1:30:40", "space bar: White’s time, then the opponent’s; the star: it runs")
        await white.pans("*")
        await white.pans("*")
    if ply == 5:
        await white.types("⠉⠲", "c4", ": c4, a slip of the fingers")
        await white.types(white.cells(board, move), "d4", ": put right before the press (D.2.8)")
    else:
        await white.types(white.cells(board, move), read_back(board, move))
    if ply == 1:
        await white.pans("Eva vier")
    await white.key(b"\n")
    await hall.completed(ply)
    white.rows.append(("presses the clock", "", ""))
    await hall.black.echo(move)


async def _move_of(hall: Hall, white: Fingers, board: chess.Board, move: chess.Move, ply: int) -> None:
    await hall.black.move(move)
    await white.reads("* Wiederholung", f"Black plays {board.san(move)}")
    if ply == 16:
        await hall.black.offer_draw()
        await white.reads("Ihr Gegner bietet Remis an.", "Black offers a draw with the move")
        await white.pans("*")
        await white.routes("Remis abgelehnt", "Sie haben das Remis abgelehnt.")
    await hall.black.press()
    await hall.completed(ply)
    if ply == 22:
        short = white.cells(board, chess.Move.from_uci("b8d7"))
        await white.types(
            short, "Das kann heißen: Springer Bella sechs", ": b6 or b8? White is asked, by the cells alone"
        )
        await white.pans("*")
        whole = msgspec.structs.replace(written_move(board, move), from_file="b", from_rank="8")
        await white.types(cells_of_move(whole, white.code), cells_of_move(whole, load_profile("computer-de")))
    else:
        await white.types(white.cells(board, move), read_back(board, move))
    if ply == 12:
        await _divergence(hall, white, board, move)


async def _divergence(hall: Hall, white: Fingers, board: chess.Board, move: chess.Move) -> None:
    """White has put Black's knight on g6 instead of f6; the arbiter has both boards compared (D.2.9)."""
    stands, wrong = board.copy(), board.copy()
    stands.push(move)
    wrong.push(move)
    knight = wrong.remove_piece_at(move.to_square)
    assert knight is not None
    wrong.set_piece_at(chess.G6, knight)
    await hall.done(do="open_desk", reason="the boards differ")
    await white.reads("Die Uhren stehen.", "the boards differ; the arbiter opens the desk (D.2.9)")
    for seat, seen in (("white", wrong), ("black", stands)):
        await hall.done(do="show_board", board=seat, placement=seen.board_fen())
    await hall.done(
        **{"do": "decide_desk", "kind": "adjust", "verdict": "same_record", "ply": 12, "turn": "white"},
        placement=stands.board_fen(),
    )
    await white.reads(
        "Feld 1 von 2: Felix sechs: schwarzer", "both scores say Nf6: White’s board is put right, square by square"
    )
    await white.pans("Springer.")
    await white.types("⠚⠁", "Feld 2 von 2: Gustav sechs: leer.", ": ja, it stands there")
    await white.types("⠚⠁", "Danke.", ": ja")
    for seat in ("white", "black"):
        await hall.done(do="confirm_board", board=seat)
    await hall.done(do="resume")
    await white.reads("Die Uhren laufen wieder.", "both boards confirmed; the arbiter starts the clocks")


class Game(msgspec.Struct, frozen=True):
    """A game that was played: what White did and read, and what is on record."""

    rows: list[tuple[str, str, str]]
    state: GameState


class OpenTable:
    """A table at which White has sat down with a display."""

    def __init__(self, house: House, clock: ScriptedClock, white: Fingers) -> None:
        self.house, self.clock, self.white = house, clock, white

    async def visitor(self, page: str) -> Visitor:
        """Black, let in."""
        return await visitor(self.house, page, Seat.BLACK)

    async def play(self, black: Opponent) -> Game:
        """The whole game."""
        desk = await (await visitor(self.house, "arbiter", None)).line()
        await play(Hall(self.house, self.clock, desk, black), self.white)
        return Game(self.white.rows, self.house.hall.tables[TABLE].state)


@asynccontextmanager
async def played_by(folder: Path) -> AsyncIterator[OpenTable]:
    """The server in this folder, and White with their display."""
    clock = ScriptedClock()
    with Brltty(folder, "de") as brltty:
        async with open_house(folder / "data", clock) as house:
            await open_table(house)
            async with display_station(house, brltty) as station:
                yield OpenTable(house, clock, Fingers(brltty.display, station))


async def against_a_line(folder: Path) -> Game:
    """The game against Black's own line."""
    async with played_by(folder) as table:
        return await table.play(ByLine(await (await table.visitor("sighted")).line()))


def page_of(rows: list[tuple[str, str, str]]) -> str:
    """The page of docs."""
    return HEAD + "".join(f"| {happens} | {cells} | {text} |\n" for happens, cells, text in rows)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as own:
        PAGE.write_text(page_of(asyncio.run(against_a_line(Path(own))).rows), "utf-8")
