"""Spoken words climb a ladder until they are understood.

Its rungs: the first try, slower, the full form, letters, and the assistant's keyboard.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import chess
import msgspec

from server.demo.account import Account
from server.demo.mouth import Mouth
from server.demo.station_client import StationClient
from server.game.acts import Say
from server.game.values.words import Seat
from server.game.views.messages import Question, Understood
from server.wording.words import announcement_of, text_in
from speech.announcements.announce import announce, said_of, words_of_announcement
from speech.announcements.understand import understand
from speech.words.said import Said
from speech.words.scheme import Scheme


def full_form(board: chess.Board, move: chess.Move) -> Said:
    """Return everything that can be said: piece, departure, arrival, promotion."""
    said = said_of(board, move)
    if said.castling is not None:
        return said
    return msgspec.structs.replace(said, from_square=chess.square_name(move.from_square))


def with_letters(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the same words with the files as radio letters."""
    return tuple(word.replace("file.", "nato.") for word in words)


def forms_of_move(board: chess.Board, move: chess.Move, scheme: Scheme) -> tuple[tuple[str, ...], ...]:
    """Return the words of the first four rungs for a player's own move."""
    short = tuple(token.id for token in announce(board, move, scheme))
    full = tuple(token.id for token in words_of_announcement(full_form(board, move), scheme))
    return short, short, full, with_letters(full)


def forms_of_echo(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the words of the first four rungs for an echo, which repeats what was heard."""
    return words, words, words, with_letters(words)


def meaning(words: tuple[str, ...]) -> Said | None:
    """Return the meaning of the words, whatever they call the files."""
    return understand(words).said


class Ladder:
    """Ladder on which one player climbs until the station reads back what the player said.

    The player judges by that read-back alone.
    """

    def __init__(
        self,
        client: StationClient,
        mouth: Mouth,
        assistant: StationClient,
        seat: Seat,
        scheme: Scheme,
        account: Account,
        mend: Callable[[], Awaitable[None]],
    ) -> None:
        """Set up the ladder.

        `mend` puts right what a misheard word may have set off (the arbiter called) before the next try.
        """
        self._client = client
        self._mouth = mouth
        self._assistant = assistant
        self._seat = seat
        self._scheme = scheme
        self._account = account
        self._mend = mend

    async def climb(self, ply: int, forms: tuple[tuple[str, ...], ...], who: str, *, echo: bool) -> None:
        """Say it, and say it again on the next rung until it is understood; at last the assistant types it."""
        kind = "echo" if echo else "announcement"
        for rung, words in enumerate(forms):
            text = text_in(words, self._scheme)
            before = len(self._client.messages)
            await self._mouth.say(words, f"{who}-{kind}-{ply}", slower=rung > 0)
            heard = self._answer(before)
            if isinstance(heard, Understood) and meaning(heard.words) == meaning(words):
                self._account.ply(ply, f"{who} says: «{text}» — heard: «{heard.text}»{self._by(rung)}")
                self._account.got_through(rung, echo=echo)
                return
            if isinstance(heard, Understood):
                self._account.corrected += 1
                self._account.ply(ply, f"{who} says: «{text}» — heard: «{heard.text}», wrong; the player says it again")
            else:
                self._account.asked_again += 1
                self._account.ply(ply, f"{who} says: «{text}» — not understood; the player says it again")
            await self._mend()
        await self._type_announcement(ply, forms[0], who, echo=echo)

    def _answer(self, before: int) -> Understood | Question | None:
        """Return the last thing the station said about the player's words, None where it said nothing."""
        news = [one for one in self._client.messages[before:] if isinstance(one, Understood | Question)]
        return news[-1] if news else None

    def _by(self, rung: int) -> str:
        return "" if rung == 0 else f" (after {rung} {'try' if rung == 1 else 'tries'})"

    async def _type_announcement(self, ply: int, words: tuple[str, ...], who: str, *, echo: bool) -> None:
        said = meaning(words)
        assert said is not None
        await self._assistant.do(
            Say(announcement=announcement_of(said), seat=self._seat, act="echo" if echo else "announce")
        )
        self._account.ply(ply, f"the assistant types for {who}: «{text_in(words, self._scheme)}»")
        self._account.got_through(4, echo=echo)
