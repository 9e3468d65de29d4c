"""One game is performed at a real server: seating, moves in relay and table mode, a slip, the end.

Also the arbiter's comparison of the two scores, each written by its own player's commands (D.2.9).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import chess

from server.demo.account import Account
from server.demo.game_script import GameScript, misexecution
from server.demo.mouth import Aloud, Mouth
from server.demo.pacing import Pace
from server.demo.rungs import Ladder
from server.demo.seating import stations_of_table
from server.demo.sighted_player import SightedPlayer
from server.demo.station_client import StationClient
from server.demo.tactile_player import TactilePlayer
from server.desk.loading import writings
from server.game.acts import (
    Announced,
    CallArbiter,
    Execute,
    RecordAdaptation,
    Resume,
    RuleResult,
    SetBoard,
    SetMode,
    StartGame,
)
from server.game.values.words import Mode, Seat
from server.game.views.messages import AnswerGiven, Picture, Recorded
from server.scoresheets.language import likely_writing, read_sheet
from server.scoresheets.reconcile.compare import Reconciliation, compare
from server.scoresheets.sheet import sheet_of
from server.wording.words import scheme_of
from speech.complaint import Complaint
from speech.voices.voice import Voice

VOICES = {"tactile": ("f2", "m3"), "sighted": ("m1", "f4")}
TIME_QUESTION_PLY = 6
SLOWEST_RELAY_MS = 5_000
APPROVED = (
    ("sighted_press_without_announcement", "note"),
    ("machine_announces", "on"),
    ("announcement_charge", "mover"),
)


class Performance:
    """Performance of one script at one table.

    The server and the recogniser never see the script.
    """

    def __init__(
        self,
        script: GameScript,
        number: int,
        base: str,
        invite: Callable[[str], str],
        pace: Pace,
        voice: Voice,
        account: Account,
        folder: Path,
        aloud: Aloud | None,
        thinking_ms: tuple[int, int],
    ) -> None:
        self.script = script
        self._number = number
        self._base = base
        self._invite = invite
        self._pace = pace
        self._voice = voice
        self._account = account
        self._folder = folder
        self._aloud = aloud
        self._thinking = thinking_ms
        self._chance = random.Random(number)  # noqa: S311  thinking times, not secrets
        self._slipped = False

    async def play(self, table: str) -> None:
        """Seat everybody, play the game to its end, leave."""
        tactile_seat = Seat(self.script.tactile)
        async with stations_of_table(self._base, self._invite(table), tactile_seat) as stations:
            self._stations = stations
            self._arbiter = stations.arbiter
            self._seat_players(tactile_seat)
            await self._open_the_game()
            board = chess.Board(self.script.start_fen)
            for index, uci in enumerate(self.script.moves):
                ply, move = index + 1, chess.Move.from_uci(uci)
                await self._switch_mode(ply)
                await self._think()
                mover = Seat.WHITE if board.turn == chess.WHITE else Seat.BLACK
                if mover is tactile_seat:
                    await self._tactile_moves(ply, move, board)
                else:
                    await self._sighted_moves(ply, move)
                board.push(move)
            await self._end(board)

    def _seat_players(self, tactile_seat: Seat) -> None:
        scheme = scheme_of("d21", "de")

        def person(client: StationClient, who: str, seat: Seat) -> tuple[Mouth, Ladder]:
            variant = VOICES[who][self._number % 2]
            mouth = Mouth(client, self._voice, variant, scheme, self._pace, self._folder, self._aloud)
            helper = self._stations.assistant
            return mouth, Ladder(client, mouth, helper, seat, scheme, self._account, self._resume_if_paused)

        mouth, ladder = person(self._stations.tactile, "tactile", tactile_seat)
        self.tactile = TactilePlayer(self._stations.tactile, tactile_seat, mouth, ladder, scheme, self._account)
        _, ladder = person(self._stations.sighted, "sighted", tactile_seat.other)
        self.sighted = SightedPlayer(self._stations.sighted, tactile_seat.other, ladder, scheme, self._account)
        for hands in (self.tactile, self.sighted):
            hands.board = chess.Board(self.script.start_fen)
        self.sighted.line = chess.Board(self.script.start_fen)

    async def _open_the_game(self) -> None:
        for name, value in APPROVED:
            await self._arbiter.do(RecordAdaptation(name=name, value=value))
        await self._arbiter.do(SetMode(mode=Mode.RELAY))
        await self._arbiter.do(StartGame())
        self._account.tell("The arbiter approves announcing by machine (D.1), chooses relay, and starts White's clock.")

    async def _switch_mode(self, ply: int) -> None:
        plies = len(self.script.moves)
        if ply == plies // 3 + 1:
            await self._arbiter.do(SetMode(mode=Mode.TABLE))
            self._account.tell("The arbiter switches to table: the players speak to each other, the clock runs on.")
        elif ply == plies // 2 + 1:
            await self._arbiter.do(SetMode(mode=Mode.RELAY))
            self._account.tell("The arbiter switches back to relay.")

    @property
    def _mode(self) -> Mode:
        return self.picture.mode

    @property
    def picture(self) -> Picture:
        """Return the arbiter's last picture of the table. Raises Complaint where none was sent."""
        for message in reversed(self._arbiter.messages):
            if isinstance(message, Recorded) and message.picture is not None:
                return message.picture
        raise Complaint("The arbiter's station was sent no picture of the table; look at the server's log.")

    async def _think(self) -> None:
        await self._pace.passes(self._chance.randint(*self._thinking))

    async def _resume_if_paused(self) -> None:
        """Restart the clocks if a misheard word has called the arbiter (6.11.3)."""
        if self.picture.running is None:
            await self._arbiter.do(Resume())
            self._account.tell("        (a misheard word called the arbiter, who restarts the clocks)")

    async def _tactile_moves(self, ply: int, move: chess.Move, before: chess.Board) -> None:
        await self.tactile.move(ply, move)
        if ply >= TIME_QUESTION_PLY and not self._asked_time():
            await self.tactile.ask_time(ply)
        await self.tactile.press(ply)
        words = self._words_of_last_announcement()
        await self.sighted.echo(ply, words)
        moved = move
        slip = None
        if self._mode is Mode.RELAY and ply > len(self.script.moves) // 2 and not self._slipped:
            slip = misexecution(before, move)
        if slip is not None:
            moved, self._slipped = slip, True
        await self.sighted.execute(ply, move, moved)
        if slip is not None:
            await self._boards_differ(ply, move, slip)

    def _asked_time(self) -> bool:
        return any(isinstance(message, AnswerGiven) for message in self._stations.tactile.messages)

    def _words_of_last_announcement(self) -> tuple[str, ...]:
        """Return the last announcement, which the sighted player heard across the table or read."""
        for message in reversed(self._arbiter.messages):
            if isinstance(message, Recorded) and isinstance(message.event, Announced):
                return message.event.words
        raise Complaint("No announcement reached the record; look at the server's log.")

    async def _sighted_moves(self, ply: int, move: chess.Move) -> None:
        if self._mode is Mode.RELAY:
            san = self.sighted.board.san(move) if self.sighted.board.is_legal(move) else move.uci()
            known = self.tactile.relays
            await self.sighted.enter(move)
            words, sound = await self.tactile.listen(known)
            charged = min(sound.duration_ms, SLOWEST_RELAY_MS)
            if self._aloud is not None:
                await self._aloud(sound)
            else:
                await self._pace.passes(charged)  # the announcement is on the mover's time
            self._account.charged_ms[self.sighted.seat.value] += charged
            self._account.ply(ply, f"sighted player enters {san}; the machine announces it in the private ear")
        else:
            words = await self.sighted.announce(ply, move)
        await self.sighted.press(ply)
        await self.sighted.write(ply, move)  # the move is written once it is made (8.1.2)
        await self.tactile.echo(ply, words)
        if ply == len(self.script.moves):  # no next move will show that it was carried out, so the player says so
            await self.tactile.client.do(Execute())

    async def _boards_differ(self, ply: int, right: chess.Move, wrong: chess.Move) -> None:
        """Notice the slip of the hand, compare the two scores, and put one board right.

        The clocks stand meanwhile.
        """
        self._account.tell(f"        The sighted player's hand put the piece on {chess.square_name(wrong.to_square)}.")
        await self.sighted.client.do(CallArbiter(reason="the boards seem to differ"))
        picture = self.picture
        answer = compare_scores(picture, self.script.start_fen)
        self._account.tell(
            f"        Arbiter: both scores agree through {answer.agree_plies} half-moves ({answer.verdict}); by D.2.9 "
            "the player whose board deviates adjusts it."
        )
        deviating = [seat for seat, board in zip(Seat, answer.boards, strict=True) if board.deviates]
        for seat, board in zip(Seat, answer.boards, strict=True):
            for square in board.squares:
                self._account.tell(
                    f"        The {seat.value} board deviates on {square.square}: it shows {square.is_ or 'nothing'}, "
                    f"it should be {square.should_be or 'empty'}."
                )
        if answer.verdict != "same_record" or deviating != [self.sighted.seat]:
            raise Complaint("The comparison of the two scores did not find the wrong board; please report this.")
        placement, _, turn = answer.position.partition(" ")
        self.sighted.set_up(chess.Board(answer.position))
        seat_to_move = Seat.WHITE if turn.startswith("w") else Seat.BLACK
        await self._arbiter.do(SetBoard(board=self.sighted.seat, placement=placement, turn=seat_to_move))
        await self._arbiter.do(Resume())
        self._account.tell("        The board is put right, the clocks run on with the same times.")

    async def _end(self, board: chess.Board) -> None:
        """Record, as the arbiter, how the game ended."""
        result = self.script.result if self.script.result in ("1-0", "0-1", "1/2-1/2") else "1/2-1/2"
        if board.is_checkmate():
            reason, article = "checkmate", "5.1.1"
        elif board.is_stalemate():
            reason, article = "stalemate", "5.2.1"
        elif result == "1/2-1/2":
            reason, article = "draw agreed", "5.2.3"
        else:
            reason, article = "resigned", "5.1.2"
        await self._arbiter.do(RuleResult(result=result, reason=reason, article=article))  # type: ignore[arg-type]
        self._account.tell(f"The game ends {result} ({reason}, {article}).")


def compare_scores(picture: Picture, start_fen: str) -> Reconciliation:
    """Compare both scores as moves in positions, and both boards with the position they agree on."""
    known = writings()
    start = chess.Board(start_fen)
    sheets = [sheet_of(cells) for cells in (picture.white_score, picture.black_score)]
    cells = [read_sheet(sheet, known[likely_writing(sheet, start, known)]) for sheet in sheets]
    return compare(cells[0], cells[1], start, (picture.white_board, picture.black_board))
