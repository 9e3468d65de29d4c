"""The player by touch, with a pegged board, a headset, a talk key and a clock to press.

The player never sees a screen.
"""

from __future__ import annotations

import chess

from server.demo.account import Account
from server.demo.mouth import Mouth
from server.demo.rungs import Ladder, forms_of_echo, forms_of_move
from server.demo.station_client import StationClient
from server.game.acts import Ask, Press
from server.game.state.line import resolve
from server.game.values.words import Seat
from server.game.views.messages import AnswerGiven, Relayed
from server.protocol import SoundReady
from server.wording.words import announcement_of, text_in
from speech.announcements.understand import understand
from speech.audio.sound import Sound
from speech.words.scheme import Scheme


class TactilePlayer:
    """The tactile player knows their own board, what they were told, and the move they want to make."""

    def __init__(
        self, client: StationClient, seat: Seat, mouth: Mouth, ladder: Ladder, scheme: Scheme, account: Account
    ) -> None:
        self.client = client
        self.seat = seat
        self.board = chess.Board()
        self._mouth = mouth
        self._ladder = ladder
        self._scheme = scheme
        self._account = account

    async def move(self, ply: int, move: chess.Move) -> None:
        """Carry out a move on the player's own board and announce it (D.2.3, 6.2.1)."""
        forms = forms_of_move(self.board, move, self._scheme)
        self.board.push(move)
        await self._ladder.climb(ply, forms, "tactile player", echo=False)

    async def press(self, ply: int) -> None:
        """Press the clock with a key, never with a word (L049)."""
        await self.client.do(Press(), about_ply=ply)

    @property
    def relays(self) -> int:
        """Return how many announcements the station has been sent so far."""
        return sum(isinstance(one, Relayed) for one in self.client.messages)

    async def listen(self, before: int) -> tuple[tuple[str, ...], Sound]:
        """Return the opponent's next announcement and its sound in the private ear.

        `before`: how many announcements the player knows already.
        """

        def find_relayed() -> Relayed | None:
            relays = [one for one in self.client.messages if isinstance(one, Relayed)]
            return relays[-1] if len(relays) > before else None

        relay = await self.client.until(find_relayed)
        number = max(n for n, one in enumerate(self.client.messages, 1) if one is relay)

        def ready() -> SoundReady | None:
            return next((one for one in self.client.sounds if one.n == number), None)

        return relay.words, await self.client.fetch(await self.client.until(ready))

    async def echo(self, ply: int, words: tuple[str, ...]) -> None:
        """Repeat the opponent's announcement and carry it out on the player's own board (D.2.1)."""
        await self._ladder.climb(ply, forms_of_echo(words), "tactile player", echo=True)
        said = understand(words).said
        assert said is not None
        meant = resolve(announcement_of(said), self.board).uci
        assert meant is not None, f"{words} names no single move on the tactile board"
        self.board.push_uci(meant)

    async def ask_time(self, ply: int) -> str:
        """Ask "Zeit": the talking clock answers this player alone, and only when asked (D.2.6.1)."""
        before = len(self.client.messages)
        await self._mouth.say(("cmd.time",), f"tactile-player-asks-{ply}")

        def find_answer() -> AnswerGiven | None:
            return next((one for one in self.client.messages[before:] if isinstance(one, AnswerGiven)), None)

        if find_answer() is None:
            await self.client.do(Ask(what="time"))
        answer = await self.client.until(find_answer)
        number = self.client.messages.index(answer) + 1

        def find_sound() -> SoundReady | None:
            return next((one for one in self.client.sounds if one.n == number), None)

        ready = await self.client.until(find_sound)
        await self.client.fetch(ready)
        self._account.ply(ply, f"tactile player asks: «{text_in(('cmd.time',), self._scheme)}» — told: «{ready.text}»")
        return ready.text
