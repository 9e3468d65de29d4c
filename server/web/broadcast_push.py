"""The games of a round are sent to a broadcast address, late by the arbiter's delay; off unless an address is named.

What is sent is the round's PGN with clocks (`server/hall/round_files.py`), as the broadcast of lichess takes it: POST,
text/plain, a bearer token. No game waits for it: what cannot be sent is tried again, later each time, and the arbiter
is told once. A server that starts sends what stood before its start as well, each state when it is as old as the delay.
The token stands in a file or in the environment, and never in a log or in what the arbiter is told.
"""

from __future__ import annotations

import asyncio
import math
import os
from bisect import insort_right
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import msgspec

from server.settings import BroadcastSettings
from speech.complaint import Complaint, Phrase

TOKEN_VARIABLE = "ANNA_EINS_BROADCAST_TOKEN"  # noqa: S105  the name of a variable
ANSWER_S = 20.0
LONGEST_ANSWER = 256 * 1024
FIRST_REST_S, LONGEST_REST_S = 2.0, 300.0
"""The pause before it is tried again: the first, then twice as long each time, up to the second."""
MOST_WAITING = 1_000
"""Most states of a round that are kept until their time has come."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def bearer_token(settings: BroadcastSettings) -> str:
    """Return the token, after a look at the addresses; "" where nothing is broadcast.

    Raises Complaint: an address is not https (but on this machine), or there is no token.
    """
    if not settings.rounds:
        return ""
    for url in settings.rounds.values():
        parts = urlsplit(url)
        if parts.username or (parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK)):
            raise Complaint(Phrase("broadcast.no_https"))
    try:
        text = Path(settings.token_file).expanduser().read_text("ascii") if settings.token_file else ""
    except (OSError, ValueError) as wrong:
        raise Complaint(Phrase("files.unread_plain", place=settings.token_file)) from wrong
    token = (text or os.environ.get(TOKEN_VARIABLE, "")).strip()
    if not token or len(token) > 500 or not token.isascii() or not token.isprintable():
        raise Complaint(Phrase("broadcast.no_token", variable=TOKEN_VARIABLE))
    return token


class Outbox:
    """States of one round, kept until their time has come. Pure; all times in seconds."""

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s
        self._waiting: deque[tuple[float, str]] = deque()
        self._due_at, self._due = -math.inf, ""
        self.sent = ""

    def put(self, pgn: str, since: float) -> None:
        """Keep what the round is from then on: in the order of time, and nothing older than what was due already."""
        at = since + self._delay_s
        if at < self._due_at:
            return
        if len(self._waiting) >= MOST_WAITING:
            del self._waiting[-1]  # the newest is replaced, never an older one sent earlier than it may be
        insort_right(self._waiting, (at, pgn), key=lambda one: one[0])

    def due(self, now: float) -> str | None:
        """Return the newest state that is old enough; None where that was sent already."""
        while self._waiting and self._waiting[0][0] <= now:
            self._due_at, self._due = self._waiting.popleft()
        return self._due if self._due != self.sent else None

    def next_at(self) -> float | None:
        """Return when the next state becomes due; None where none waits."""
        return self._waiting[0][0] if self._waiting else None


class BroadcastPush:
    """Sender of the rounds that its settings name; `run` works until it is cancelled."""

    def __init__(
        self,
        settings: BroadcastSettings,
        token: str,
        told: Callable[[str], None],
        now: Callable[[], float],
        rest_s: float = FIRST_REST_S,
    ) -> None:
        """`told`: tells the arbiter in one sentence. `now`: seconds of a clock that never goes back."""
        self._urls = dict(settings.rounds)
        self._token = token
        self._told = told
        self._now = now
        self._rest_s = rest_s
        self._delay_s = settings.delay_s
        self._boxes = {round: Outbox(settings.delay_s) for round in self._urls}
        self._failures = dict.fromkeys(self._urls, 0)
        self._again_at = dict.fromkeys(self._urls, 0.0)
        self._more = asyncio.Event()

    def put(self, round: str, pgn: str) -> None:
        """Take the games of a round as they are now; never waits."""
        if round in self._boxes:
            self._boxes[round].put(pgn, self._now())
            self._more.set()

    async def catch_up(self, before: Callable[[str, int], Awaitable[Sequence[tuple[int, str]]]]) -> None:
        """Take the rounds as they stood before this start, as far back as the delay; what is older is due at once.

        `before`: the ages in ms and the games of a round at instants of so many ms past.
        """
        for round, box in self._boxes.items():
            for age_ms, games in await before(round, int(self._delay_s * 1000)):
                box.put(games, self._now() - age_ms / 1000)
            self._more.set()

    async def run(self) -> None:
        """Send what is due, again and again."""
        timeout = aiohttp.ClientTimeout(total=ANSWER_S)
        async with aiohttp.ClientSession(timeout=timeout, cookie_jar=aiohttp.DummyCookieJar()) as session:
            while True:
                self._more.clear()
                await asyncio.gather(*(self._look(session, round) for round in self._urls))
                try:
                    async with asyncio.timeout(self._pause()):
                        await self._more.wait()
                except TimeoutError:
                    continue

    def _pause(self) -> float | None:
        """Return for how long there is nothing to do; None until something comes."""
        now = self._now()
        moments = []
        for round, box in self._boxes.items():
            at = self._again_at[round] if box.due(now) is not None else box.next_at()
            if at is not None:
                moments.append(max(0.0, at - now, self._again_at[round] - now))
        return min(moments, default=None)

    async def _look(self, session: aiohttp.ClientSession, round: str) -> None:
        now, box = self._now(), self._boxes[round]
        pgn = box.due(now)
        if pgn is None or now < self._again_at[round]:
            return
        wrong = await self._send_once(session, self._urls[round], pgn)
        if wrong is None:
            box.sent = pgn
            if self._failures[round]:
                self._told(f"The broadcast of round {round} is sent again.")
            self._failures[round] = 0
            return
        rest_s = min(self._rest_s * 2.0 ** min(self._failures[round], 16), LONGEST_REST_S)
        self._again_at[round] = self._now() + rest_s
        if not self._failures[round]:
            self._told(f"The broadcast of round {round} cannot be sent, and is tried again: {wrong}.")
        self._failures[round] += 1

    async def _send_once(self, session: aiohttp.ClientSession, url: str, pgn: str) -> str | None:
        """Send the games once; return what was wrong, in plain words, or None."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "text/plain; charset=utf-8"}
        try:
            # A redirection is not followed: the token would go to where nobody has named it.
            async with session.post(url, data=pgn.encode(), headers=headers, allow_redirects=False) as answer:
                if answer.status != 200:
                    return f"the other side answered with status {answer.status}"
                body = b""
                while len(body) < LONGEST_ANSWER and (more := await answer.content.read(LONGEST_ANSWER - len(body))):
                    body += more  # a long answer comes in pieces
        except TimeoutError:
            return "the other side did not answer in time"
        except aiohttp.ClientError as wrong:
            return f"the other side cannot be reached ({type(wrong).__name__})"
        return _objection_in(body)


def _objection_in(body: bytes) -> str | None:
    """Return the objection to the games in an answer with status 200; None where they were taken."""
    try:
        answer = msgspec.json.decode(body, type=dict[str, Any])
    except msgspec.MsgspecError:
        return "its answer is not that of a broadcast"
    games = answer.get("games")
    if not isinstance(games, list):
        return "its answer is not that of a broadcast"
    refused = sum(isinstance(one, dict) and "error" in one for one in games)
    return f"{refused} of {len(games)} games were refused there" if refused else None
