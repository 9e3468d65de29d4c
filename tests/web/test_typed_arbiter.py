"""A game with three incidents, settled by lines that an arbiter types: one of them at the desk (D.2.9)."""

from __future__ import annotations

import asyncio
from typing import Any

import chess
import msgspec
import pytest

from braille.cells import Written, cells_of_move
from braille.loading import computer_profile, load_profile
from server.game.state.state import GameState
from server.game.values.words import Seat
from server.stations.arbiter.asked import words_at_a_line
from server.stations.arbiter.game import clock_lines, move_line, words_of_move
from server.stations.arbiter.station import ArbiterBrailleStation
from server.stations.terminal import CELLS, TerminalDisplay
from server.web.door.access import Place
from server.wording.braille import Reader
from speech.words.loading import load_scheme
from tests.game.test_pictures_and_greetings import AT_THE_START
from tests.stations.arbiter.test_typed_acts import DESK
from tests.waiting import idle, until
from tests.web.open_house import House
from tests.web.test_braille_arbiter import station


class Typing:
    """An arbiter at a terminal: what was printed since the last line, and lines that are typed."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self.since = 0
        self.display = TerminalDisplay(self.all.append)
        self.one: ArbiterBrailleStation | None = None

    @property
    def printed(self) -> str:
        return " ".join(" ".join(self.all[self.since :]).split())

    async def reads(self, *parts: str) -> None:
        await until(lambda: all(part in self.printed for part in parts), lambda: (parts, self.printed))

    async def types(self, line: str, *to: str) -> None:
        """Type a line; then each of these is printed."""
        assert self.one is not None
        self.since = len(self.all)
        await self.one.line(line)
        await self.reads(*to)


@pytest.mark.law("L080", "L113", "L135")
async def test_three_incidents_are_settled_in_typed_lines(house: House) -> None:
    """7.5.1, 4.3 and D.2.9: found by an organiser's words, every step of it told before the yes, nothing but lines."""
    white = await (await house.station("tactile", Seat.WHITE)).line()
    black = await (await house.station("tactile", Seat.BLACK)).line()

    def state() -> GameState:
        return house.table.state

    me = Typing()
    async with station(house, me.display) as me.one:  # type: ignore[arg-type]
        await me.reads("White 1:30:30 Black 1:30:30")
        # Before the game: the checklist by group, an adaptation by its number, a device's code, a display's delay.
        await me.types("tick all", "Checklist before the game:", "- White")
        await me.types("table", "All checked: Done.")
        ticked = [(tick.item, tick.ok) for tick in state().table.ticks]
        assert len(ticked) > 3 and all(ok for _, ok in ticked)
        await me.types("checklist", "1 ")
        await me.types("nothing of the kind", "None of the choices")
        await me.types("1", "Checked:")
        await me.types("no", "Checklist before the game: Done.")
        await me.types("rules", "Adaptation (D.1):")
        await me.types("the position on", "Value:")
        await me.types("on", "Approved:")
        await me.types("yes", "Confirm Adaptation (D.1)?")
        await me.types("yes", "Adaptation (D.1): Done.")
        await me.types("code", "For:", "Another arbiter")
        await me.types("display", "Confirm Create code?")
        await me.types("yes", "Valid once")
        await me.types("let in", "No device is waiting.")
        await me.types("broadcast delay", "30 seconds")
        await me.types("5 minutes", "Delay on all displays")
        await me.types("all", "Confirm Delay?")
        await me.types("yes", "Delay: Done.")
        assert dict(state().stations.display_delays) == {"": 300}
        await me.types("sound card")  # which there are depends on the machine
        await until(lambda: "Player:" in me.printed or "No sound card was found" in me.printed)
        await me.types("", "White 1:30:30")
        await me.types("start", "Confirm Start White's clock?")
        await me.types("yes", "Start White's clock: Done.")
        # An illegal move: what "all steps" does stands there before the yes.
        await white.type("Läufer Felix eins Felix sechs")
        await white.do({"do": "press"})
        await me.reads("Move not legal 7.5.1", "- It happened")
        await me.types("it happened", "Confirm It happened?")
        await me.types("yes", "2. Illegal move: f1 to f6, White", "- Do all steps")
        # One of them with another amount, which counts with the others.
        await me.types("change extra time", "Time (minus to deduct):")
        assert state().time.clock.running is None
        await me.types("a quarter", "Time (minus to deduct):")
        await me.types("3:00", "Extra time: +0:03:00, Black")
        assert state().time.given == (0, 0)
        await me.types("do all", "Confirm Do all steps?", "Extra time: +0:03:00, Black")
        await me.types("yes", "- Resume clocks")
        assert state().time.given == (0, 180_000)
        await me.types("resume", "Confirm Resume clocks?")
        await me.types("yes", "Resume clocks: Done.")
        await me.types("resume", "Confirm")
        await me.types("yes", "Nothing changed")
        # A touched piece, found by the word: which kind of incident it is follows from it.
        await me.types("touched piece", "Actions found: ", "- Open an incident")
        await me.types("open an", "Player:")
        await me.types("add time", "Player:")  # another act was named instead
        await me.types("", "White 1:")
        await me.types("touched piece", "- Open an incident")
        await me.types("open", "Player:")
        await me.types("white", "Confirm Open an incident?")
        await me.types("yes", "Touched piece 4.3")
        await me.types("put off", "White 1:")
        await me.types("resume", "Confirm")
        await me.types("yes", "Resume clocks: Done.")
        # The boards differ: the desk, its squares, its entries one after the other, the decision, both boards.
        await white.type("Bauer Eva vier")
        await white.do({"do": "press"})
        await black.type("Bauer Eva vier")
        await me.types("Reconcile the boards", "Reason:", "- leaves it out")
        await me.types("-", "Confirm Reconcile the boards?")
        await me.types("yes", "Reconcile boards (D.2.9)")
        await me.types("what stands on the board", "- Black")
        await me.types("black", "Piece to place:")
        await me.types("e4 nonsense", "Write a square and a piece")
        await me.types("e4 empty", "e4 empty")
        await me.types("d4 white pawn", "d4 White pawn")
        await me.types("-", "Record board as shown: Done.", "d4: White's board empty, Black's board White pawn")
        await me.types("entries", "Black's score, move 1 (White):")
        await me.types("d4", "- Back to the last agreement", "The scores differ")
        await me.types("more moves", "More moves by number:")
        await me.types("1", "Moves to copy from both scores")
        await me.types("back", "Keep the current times: White 1:3")
        await me.types("keep", "Confirm Back to the last agreement?")
        await me.types("yes", "Decide at the desk: Done.", "To set on Black's board:")
        await me.types("confirm white", "square by square?")
        await me.types("yes", "White's board is confirmed.")
        await me.types("confirm black", "square by square?")
        await me.types("yes", "Confirm a board: Done.")
        await me.types("resume", "Confirm")
        await me.types("yes", "Resume clocks: Done.")
        assert state().desk is None and state().setting is None and state().made_plies == 0
        assert max(map(len, me.all)) <= CELLS


@pytest.mark.law("L113", "L135", "L197")
async def test_whole_scores_that_were_compared_are_what_is_decided_on(house: House) -> None:
    """D.2.9: back to the last agreement goes to the move that was shown, and not to the start of the game."""
    white = await (await house.station("tactile", Seat.WHITE)).line()
    black = await (await house.station("tactile", Seat.BLACK)).line()
    await (await (await house.arbiter()).line()).do({"do": "start_game"})
    for number, words in enumerate(("Eva vier", "Eva fuenf", "Springer Felix drei", "Springer Cesar sechs")):
        line = black if number % 2 else white
        await line.type(words)
        await line.do({"do": "press"})
    await white.type("Laeufer Cesar vier")
    await white.do({"do": "press"})
    me = Typing()
    async with station(house, me.display) as me.one:  # type: ignore[arg-type]
        await me.reads("Move not recorded")
        await me.types("Reconcile the boards", "Reason:")
        await me.types("-", "Confirm Reconcile the boards?")
        await me.types("yes", "Reconcile boards (D.2.9)")
        await me.types("whole scores", "White's score")
        await me.types("1. e4 e5 2. Nf3 Nc6 3. Bc4", "Black's score")
        await me.types("1. e4 e5 2. Nf3 Nc6 3. Bb5", "The scores differ")
        await me.types("back", "Keep the current times")
        await me.types("keep", "Confirm Back to the last agreement?")
        await me.types("yes", "Decide at the desk: Done.")
        assert house.table.state.made_plies == 4


@pytest.mark.law("L135")
async def test_the_door_is_told_while_it_is_read(house: House) -> None:
    """A second device that comes, and one that another arbiter admits, change what is read there."""

    async def knocks(role: str) -> str:
        invitation = house.access.invite(Place(table="demo", page=role, seat=Seat.WHITE))
        _, said = await house.visitor().post("/api/join", {"code": " ".join(invitation.squares)})
        return str(said["id"])

    arbiter, me = await house.arbiter(), Typing()
    async with station(house, me.display) as me.one:  # type: ignore[arg-type]
        await me.reads("White 1:30:30 Black 1:30:30")
        first = await knocks("tactile")
        await me.reads("Tactile", "- Admit")
        second = await knocks("sighted")
        await me.reads("Tactile", "Sighted", "- Admit")
        me.since = len(me.all)
        await arbiter.post(f"/api/introductions/{first}", {"admit": True})
        await me.reads("Sighted", "- Admit")
        assert "Tactile" not in me.printed
        me.since = len(me.all)
        await arbiter.post(f"/api/introductions/{second}", {"admit": False})
        await me.reads("White 1:30:30 Black 1:30:30")


async def test_a_server_that_goes_on_with_an_older_copy_is_asked_no_more_than_it_has_news(house: House) -> None:
    """There the alerts changed less often than this display was told before the line was lost."""
    white = await (await house.station("tactile", Seat.WHITE)).line()
    me = Typing()
    async with station(house, me.display) as me.one:  # type: ignore[arg-type]
        await me.reads("White 1:30:30 Black 1:30:30")
        me.one._told_of = me.one._changes = 9
        assert me.one._line is not None
        await me.one._line.close()
        await until(lambda: me.one is not None and me.one._changes == 0)
        await white.do({"do": "call_arbiter", "reason": "", "stop": False})
        await me.reads("White calls the arbiter")
        asking = me.one._looking
        await until(lambda: asking is not None and asking.done())


async def at_the_clocks(me: Typing) -> tuple[ArbiterBrailleStation, asyncio.Queue[dict[str, Any]]]:
    """A station that shows clocks and last move, and what its server answers about the door."""
    one = me.one = ArbiterBrailleStation(None, "", "", me.display)  # type: ignore[arg-type]
    answers = asyncio.Queue[dict[str, Any]]()
    one._got = lambda _path: answers.get()  # type: ignore[method-assign]
    one._line = object()  # type: ignore[assignment]
    one._reader = Reader(load_scheme("d21", "en"), load_profile(computer_profile("en")), CELLS)
    one._read()
    return one, answers


KNOCKS = [
    {"id": id, "role": "assistant", "seat": "white", "duties": [], "mark": id, "label": ""} for id in ("a1", "b2")
]


@pytest.mark.law("L135")
@pytest.mark.parametrize(
    ("new", "shown"), [("door", "b2: Assistant"), ("desk", "Reconcile boards (D.2.9)"), ("gone", "Alerts: None.")]
)
async def test_what_comes_while_something_is_asked_is_told_once_that_was_answered(new: str, shown: str) -> None:
    """A second device at the door, or the desk of another arbiter; nothing, where the device is gone again by then."""
    me = Typing()
    one, answers = await at_the_clocks(me)
    watching = asyncio.create_task(one._watch_the_door())
    answers.put_nowait({"version": 1, "waiting": KNOCKS[:1]})
    await me.reads("a1: Assistant, White", "- Admit")
    one._go(1)  # on to the clocks
    one._confirm("Stop the clocks", {"do": "pause"})
    me.since = len(me.all)
    if new == "desk":
        one._take_desk({**DESK, "verdict": None})
    else:
        answers.put_nowait({"version": 2, "waiting": KNOCKS})
    if new == "gone":
        answers.put_nowait({"version": 3, "waiting": []})
    await idle()
    assert me.printed == "", "nothing takes the question away"
    await one.line("no")
    assert shown in me.printed
    watching.cancel()


async def test_who_waits_at_the_door_when_a_display_comes_on_is_told_with_the_first_cards() -> None:
    me = Typing()
    one, answers = await at_the_clocks(me)
    reader, one._reader = one._reader, None  # the greeting is still on its way
    watching = asyncio.create_task(one._watch_the_door())
    answers.put_nowait({"version": 1, "waiting": KNOCKS[:1]})
    await idle()
    one._reader = reader
    one._take_cards(())
    assert "a1: Assistant, White" in me.printed
    watching.cancel()


@pytest.mark.parametrize(
    ("language", "fen", "moves", "line"),
    [
        ("en", chess.STARTING_FEN, ("g1f3",), "1. knight g1 to f3"),
        ("de", chess.STARTING_FEN, ("e2e4", "g8f6"), "1... Springer g8 nach f6"),
        ("en", "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", ("b7b8q",), "1. pawn b7 to b8 (queen)"),
    ],
)
def test_the_last_move_at_a_line_reads_as_on_the_pages(
    language: str, fen: str, moves: tuple[str, ...], line: str
) -> None:
    """The dash of "g1-f3" is a minus to a voice; and what a pawn became has not moved: the pawn did."""
    board = chess.Board(fen)
    for move in moves:
        board.push_uci(move)
    shown = msgspec.structs.replace(AT_THE_START, game=board.board_fen(), line=moves)
    assert words_of_move(shown, words_at_a_line(language)) == line


@pytest.mark.law("L193")
@pytest.mark.parametrize(
    ("white_ms", "age_ms", "lines"),
    [
        (605_000, None, ("White 0:10:03* Black 0:01:00",)),
        (605_000, 7_000, ("White 0:10:05 Black 0:01:00", "Read 0:00:09 ago.")),
        (None, None, ("another clock counts",)),
    ],
)
def test_the_clocks_at_a_line_are_those_that_count(
    white_ms: int | None, age_ms: int | None, lines: tuple[str, ...]
) -> None:
    running = Seat.WHITE if age_ms is None else None
    shown = msgspec.structs.replace(
        AT_THE_START, white_ms=white_ms, black_ms=60_000 if white_ms else None, running=running, age_ms=age_ms
    )
    assert clock_lines(shown, 2_000, words_at_a_line("en")) == lines


@pytest.mark.parametrize(
    ("before", "castling", "after"),
    [
        ("8/8/8/8/8/8/8/4K2R", "e1h1", "8/8/8/8/8/8/8/5RK1"),
        ("8/8/8/8/8/8/8/R3K3", "e1a1", "8/8/8/8/8/8/8/2KR4"),
    ],
)
def test_castling_in_chess960_is_no_pawn_in_braille(before: str, castling: str, after: str) -> None:
    """It is on record as the king taking its own rook, and neither stands on that square any more."""
    shown = msgspec.structs.replace(AT_THE_START, game=after, line=(castling,))
    profile = load_profile("ukaaf")
    side = "short" if castling == "e1h1" else "long"
    assert move_line(shown, profile) == f"1. {cells_of_move(Written('king', castling=side), profile)}", before
